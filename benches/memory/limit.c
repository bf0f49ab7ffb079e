/* A library for LD_PRELOAD that refuses memory from malloc and its relatives beyond a limit.
 *
 * The limit is MALLOC_LIMIT, in bytes. What counts is what is allocated at the moment, as
 * malloc_usable_size has it. Memory from mmap and brk, and the libraries' own, is not seen: that is
 * what this way to limit memory cannot do. The first refusal is told on standard error.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_size_t in_use;
static atomic_int told;
static size_t limit = SIZE_MAX;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void *(*real_memalign)(size_t, size_t);
static void (*real_free)(void *);

/* What dlsym itself allocates while the functions are looked up. It is never given back. */
static _Alignas(16) char early[8192];
static size_t early_used;

static void *from_early(size_t bytes)
{
    size_t rounded = (bytes + 15) & ~(size_t)15;
    if (rounded < bytes || rounded > sizeof early - early_used)
        return NULL;
    void *found = early + early_used;
    early_used += rounded;
    return found;
}

static int is_early(const void *memory)
{
    return (const char *)memory >= early && (const char *)memory < early + sizeof early;
}

/* ISO C has no cast from an object pointer to a function pointer. */
static void look_up(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

static int ready(void)
{
    static int begun;
    if (real_free)
        return 1;
    if (begun)
        return 0;
    begun = 1;
    look_up(&real_malloc, "malloc");
    look_up(&real_calloc, "calloc");
    look_up(&real_realloc, "realloc");
    look_up(&real_memalign, "memalign");
    const char *written = getenv("MALLOC_LIMIT");
    if (written)
        limit = strtoull(written, NULL, 10);
    look_up(&real_free, "free");
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    ready();
}

static void tell(size_t asked, size_t used)
{
    char words[160];
    if (atomic_exchange(&told, 1))
        return;
    int length = snprintf(words, sizeof words, "malloc_refused %zu of %zu with %zu in use\n", asked,
                          limit, used);
    if (length > 0 && write(STDERR_FILENO, words, (size_t)length) < 0)
        return;
}

/* Takes so many bytes from what is left, or refuses. */
static int take(size_t bytes)
{
    size_t used = atomic_load(&in_use);
    do {
        if (bytes > limit || used > limit - bytes) {
            tell(bytes, used);
            errno = ENOMEM;
            return 0;
        }
    } while (!atomic_compare_exchange_weak(&in_use, &used, used + bytes));
    return 1;
}

/* What was taken becomes what was really given. */
static void *settle(void *memory, size_t taken)
{
    size_t given = memory ? malloc_usable_size(memory) : 0;
    atomic_fetch_add(&in_use, given - taken);
    return memory;
}

void *malloc(size_t bytes)
{
    if (!ready())
        return from_early(bytes);
    return take(bytes) ? settle(real_malloc(bytes), bytes) : NULL;
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    if (!ready())
        return from_early(bytes); /* zero, as it was never used */
    return take(bytes) ? settle(real_calloc(count, size), bytes) : NULL;
}

void free(void *memory)
{
    if (!memory || is_early(memory) || !ready())
        return;
    atomic_fetch_sub(&in_use, malloc_usable_size(memory));
    real_free(memory);
}

void *realloc(void *memory, size_t bytes)
{
    if (!memory || !ready())
        return malloc(bytes);
    if (bytes == 0) {
        free(memory);
        return NULL;
    }
    if (is_early(memory)) {
        void *moved = malloc(bytes);
        size_t there = (size_t)(early + sizeof early - (char *)memory);
        return moved ? memcpy(moved, memory, bytes < there ? bytes : there) : NULL;
    }
    /* Old and new may both be there for a while, but a block that grows in place is not refused. */
    size_t old = malloc_usable_size(memory), more = bytes > old ? bytes - old : 0;
    if (!take(more))
        return NULL;
    void *moved = real_realloc(memory, bytes);
    if (!moved) {
        atomic_fetch_sub(&in_use, more);
        return NULL;
    }
    atomic_fetch_add(&in_use, malloc_usable_size(moved) - old - more);
    return moved;
}

void *memalign(size_t alignment, size_t bytes)
{
    if (!ready()) {
        errno = ENOMEM;
        return NULL;
    }
    return take(bytes) ? settle(real_memalign(alignment, bytes), bytes) : NULL;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    int before = errno;
    void *found = memalign(alignment, bytes);
    errno = before;
    if (!found)
        return ENOMEM;
    *memory = found;
    return 0;
}
