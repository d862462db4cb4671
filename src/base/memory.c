/* memory.c - the default allocator and the typed wrappers.
 *
 * Blocks of 4 MiB and more are mapped directly: fresh pages are zero and take no memory until touched, freeing returns
 * them to the system at once, and huge pages are advised because graph algorithms access such arrays at random.
 */
#include "base/memory.h"

#include "base/limit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64 };
static const size_t map_from = (size_t)4 << 20;
static const size_t huge_page = (size_t)2 << 20;

static size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

/* Maps `bytes` aligned to the huge page size, by mapping more and unmapping both ends. */
static void *map_block(size_t bytes) {
    size_t length = round_up(bytes, huge_page), whole = length + huge_page;
    if (whole < bytes)
        return NULL;
    char *start = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    size_t head = (huge_page - (uintptr_t)start % huge_page) % huge_page;
    if (head)
        munmap(start, head);
    munmap(start + head + length, whole - head - length);
#ifdef MADV_HUGEPAGE
    madvise(start + head, length, MADV_HUGEPAGE);
#endif
    return start + head;
}

static void *default_allocate(void *user, size_t bytes, int zero) {
    (void)user;
    if (bytes >= map_from)
        return map_block(bytes);
    size_t whole = round_up(bytes ? bytes : 1, ALIGNMENT);
    void *memory = aligned_alloc(ALIGNMENT, whole);
    if (memory && zero)
        memset(memory, 0, whole);
    return memory;
}

static void default_release(void *user, void *memory, size_t bytes) {
    (void)user;
    if (bytes >= map_from)
        munmap(memory, round_up(bytes, huge_page));
    else
        free(memory);
}

heddle_allocator hd_default_allocator(void) { return (heddle_allocator){default_allocate, default_release, NULL}; }

void *hd_alloc(const heddle_allocator *allocator, size_t bytes) {
    return allocator->allocate(allocator->user, bytes, 0);
}

void *hd_zalloc(const heddle_allocator *allocator, size_t bytes) {
    return allocator->allocate(allocator->user, bytes, 1);
}

void hd_free(const heddle_allocator *allocator, void *memory, size_t bytes) {
    if (memory)
        allocator->release(allocator->user, memory, bytes);
}

void *hd_resize(const heddle_allocator *allocator, void *memory, size_t old_bytes, size_t new_bytes) {
    if (allocator->allocate == default_allocate && old_bytes >= map_from && new_bytes >= map_from &&
        new_bytes <= old_bytes) {
        size_t old_length = round_up(old_bytes, huge_page), new_length = round_up(new_bytes, huge_page);
        if (new_length < old_length)
            munmap((char *)memory + new_length, old_length - new_length);
        return memory;
    }
    bool handled;
    void *fresh = hd_limit_resize(allocator, memory, old_bytes, new_bytes, &handled);
    if (handled)
        return fresh;
    fresh = hd_alloc(allocator, new_bytes);
    if (!fresh)
        return NULL;
    memcpy(fresh, memory, old_bytes < new_bytes ? old_bytes : new_bytes);
    hd_free(allocator, memory, old_bytes);
    return fresh;
}

heddle_status hd_new(heddle_context *ctx, void **memory, uint64_t count, size_t each, bool zero, const char *what) {
    size_t bytes;
    *memory = NULL;
    if (__builtin_mul_overflow(count, each, &bytes) || bytes > (SIZE_MAX >> 2))
        return hd_fail_memory(ctx, SIZE_MAX, what);
    *memory = zero ? hd_zalloc(&ctx->allocator, bytes) : hd_alloc(&ctx->allocator, bytes);
    return *memory ? HEDDLE_OK : hd_fail_memory(ctx, bytes, what);
}
