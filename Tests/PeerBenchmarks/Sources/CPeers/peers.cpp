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
