#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Parses a text. Returns false if the text is invalid, or if toml++ was not installed when this was built.
bool peer_tomlplusplus(const char *text, size_t count);

#ifdef __cplusplus
}
#endif
