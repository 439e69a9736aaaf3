#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Each parses a text, looks at the result's root and frees it. False where the text is refused or the peer was not
// there when this was built.
bool peer_tomlplusplus(const char *text, size_t count);
bool peer_rapidjson_with_comments(const char *text, size_t count);
bool peer_simdjson(const char *text, size_t count);

#ifdef __cplusplus
}
#endif
