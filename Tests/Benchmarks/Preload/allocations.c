// Counts the allocations of a program that runs with this library preloaded. It needs glibc.
#include <stdatomic.h>
#include <stddef.h>

static atomic_long count;

/// The number of allocations until now.
long allocations(void) { return count; }

#define COUNTED(name, parameters, arguments)  \
    extern void *__libc_##name parameters;    \
    void *name parameters {                   \
        atomic_fetch_add(&count, 1);          \
        return __libc_##name arguments;       \
    }

COUNTED(malloc, (size_t size), (size))
COUNTED(calloc, (size_t number, size_t size), (number, size))
COUNTED(realloc, (void *old, size_t size), (old, size))
COUNTED(memalign, (size_t alignment, size_t size), (alignment, size))

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
    return (*result = memalign(alignment, size)) ? 0 : 12;
}
