/* limit.h - a memory limit for one call.
 *
 * While a limit is set, the context's allocator is one that counts: an allocation that would exceed the limit fails as
 * if memory had run out, and the message has the numbers. Blocks are the ordinary allocator's own, so that they can
 * outlive the call. Mapped files are not counted.
 */
#ifndef HD_BASE_LIMIT_H
#define HD_BASE_LIMIT_H

#include "base/context.h"

typedef struct hd_limit {
    heddle_allocator inner;
    uint64_t most;
    int64_t used;        /* counted by any thread; blocks from before the limit may be released under it */
    uint64_t refused;    /* bytes of the latest allocation that was refused; 0: none */
    const char *spill;   /* folder for data that exceeds the limit; NULL: such a call fails */
    const char *subject; /* the file that is read, for the hint of a refusal; NULL: none */
} hd_limit;

/* Sets a limit of `most` bytes, `used` of which are in use already; 0: none, and nothing happens. `limit` must stay
 * valid until hd_limit_end, which must be called on every way out. */
void hd_limit_begin(heddle_context *ctx, hd_limit *limit, uint64_t most, uint64_t used, const char *spill);
void hd_limit_end(heddle_context *ctx, hd_limit *limit);

/* Bytes that may still be allocated; UINT64_MAX without a limit. */
uint64_t hd_limit_left(const heddle_context *ctx);

/* hd_resize for the counting allocator; *handled is false for any other one. */
void *hd_limit_resize(const heddle_allocator *allocator, void *memory, size_t old_bytes, size_t new_bytes,
                      bool *handled);

/* "20.0 MiB" */
typedef struct hd_size_text {
    char text[24];
} hd_size_text;
hd_size_text hd_size_of(uint64_t bytes);

#endif
