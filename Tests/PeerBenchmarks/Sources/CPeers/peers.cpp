#include "peers.h"

#include <string_view>

#if __has_include(<toml++/toml.h>)
// TOMLKit has a toml++ of its own, of another version: two of one name must not meet in one program.
#define toml debian_toml
#include <toml++/toml.h>

bool peer_tomlplusplus(const char *text, size_t count) {
    try {
        return !toml::parse(std::string_view(text, count)).empty();
    } catch (const toml::parse_error &) {
        return false;
    }
}
#undef toml
#else
bool peer_tomlplusplus(const char *, size_t) { return false; }
#endif

#if __has_include(<rapidjson/document.h>)
#include <rapidjson/document.h>

bool peer_rapidjson_with_comments(const char *text, size_t count) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseCommentsFlag>(text, count);
    return !document.HasParseError();
}
#else
bool peer_rapidjson_with_comments(const char *, size_t) { return false; }
#endif

#if __has_include(<simdjson.h>)
#include <simdjson.h>

bool peer_simdjson(const char *text, size_t count) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    return parser.parse(text, count).get(root) == simdjson::SUCCESS;
}
#else
bool peer_simdjson(const char *, size_t) { return false; }
#endif
