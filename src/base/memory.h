/* memory.h - all memory goes through the context's allocator, so that tests can make it fail and count its use.
 *
 * Arrays carry their size in bytes to hd_free, because the allocator hook may want it and because large default blocks
 * are mapped (2 MiB aligned, huge pages advised: random access to big arrays is bound by the TLB otherwise).
 */
#ifndef HD_BASE_MEMORY_H
#define HD_BASE_MEMORY_H

#include "base/context.h"

/* NULL only when out of memory (a size of 0 gives a valid pointer); the error record is not filled. */
void *hd_alloc(const heddle_allocator *allocator, size_t bytes);
void *hd_zalloc(const heddle_allocator *allocator, size_t bytes);
void hd_free(const heddle_allocator *allocator, void *memory, size_t bytes);
/* Like realloc: a block with the old one's first min(old, new) bytes; the old block stays valid if it returns NULL.
 * Shrinking a large default block returns its tail to the system in place. */
void *hd_resize(const heddle_allocator *allocator, void *memory, size_t old_bytes, size_t new_bytes);

heddle_allocator hd_default_allocator(void);

/* Typed arrays: fill the error record on failure. `count` is not trusted: overflow counts as out of memory.
 *     uint64_t *offsets;
 *     HD_TRY(HD_NEW(ctx, &offsets, n + 1, "row offsets"));
 *     …
 *     HD_DELETE(&ctx->allocator, offsets, n + 1);
 */
heddle_status hd_new(heddle_context *ctx, void **memory, uint64_t count, size_t each, bool zero, const char *what);
#define HD_NEW(ctx, pointer, count, what) hd_new(ctx, (void **)(pointer), count, sizeof **(pointer), false, what)
#define HD_NEW_ZERO(ctx, pointer, count, what) hd_new(ctx, (void **)(pointer), count, sizeof **(pointer), true, what)
#define HD_DELETE(allocator, pointer, count)                                  \
    do {                                                                      \
        if (pointer)                                                          \
            hd_free(allocator, pointer, (size_t)(count) * sizeof *(pointer)); \
        (pointer) = NULL;                                                     \
    } while (0)

#endif
