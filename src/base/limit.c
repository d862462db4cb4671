/* limit.c - see limit.h. */
#include "base/limit.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdio.h>

/* Counts `bytes` more, unless that exceeds the limit. */
static bool take(hd_limit *limit, uint64_t bytes) {
    int64_t used = hd_load(&limit->used);
    do {
        uint64_t now = used > 0 ? (uint64_t)used : 0;
        if (now > limit->most || bytes > limit->most - now) {
            hd_store(&limit->refused, bytes);
            return false;
        }
    } while (!hd_compare_swap(&limit->used, &used, used + (int64_t)bytes));
    return true;
}

static void give(hd_limit *limit, uint64_t bytes) { hd_fetch_add(&limit->used, -(int64_t)bytes); }

static void *counted_allocate(void *user, size_t bytes, int zero) {
    hd_limit *limit = user;
    if (!take(limit, bytes))
        return NULL;
    void *memory = limit->inner.allocate(limit->inner.user, bytes, zero);
    if (!memory)
        give(limit, bytes);
    return memory;
}

static void counted_release(void *user, void *memory, size_t bytes) {
    hd_limit *limit = user;
    limit->inner.release(limit->inner.user, memory, bytes);
    give(limit, bytes);
}

void hd_limit_begin(heddle_context *ctx, hd_limit *limit, uint64_t most, uint64_t used, const char *spill) {
    if (most > INT64_MAX)
        most = INT64_MAX;
    *limit = (hd_limit){.inner = ctx->allocator, .most = most, .used = (int64_t)used, .spill = spill};
    if (!most)
        return;
    ctx->limit = limit;
    ctx->allocator = (heddle_allocator){counted_allocate, counted_release, limit};
}

void hd_limit_end(heddle_context *ctx, hd_limit *limit) {
    if (ctx->limit != limit)
        return;
    ctx->allocator = limit->inner;
    ctx->limit = NULL;
}

uint64_t hd_limit_left(const heddle_context *ctx) {
    if (!ctx->limit)
        return UINT64_MAX;
    int64_t used = hd_load(&ctx->limit->used);
    uint64_t now = used > 0 ? (uint64_t)used : 0;
    return now < ctx->limit->most ? ctx->limit->most - now : 0;
}

void *hd_limit_resize(const heddle_allocator *allocator, void *memory, size_t old_bytes, size_t new_bytes,
                      bool *handled) {
    *handled = allocator->allocate == counted_allocate;
    if (!*handled)
        return NULL;
    hd_limit *limit = allocator->user;
    uint64_t more = new_bytes > old_bytes ? new_bytes : 0; /* growing needs both blocks for a moment */
    if (more && !take(limit, more))
        return NULL;
    void *fresh = hd_resize(&limit->inner, memory, old_bytes, new_bytes);
    if (!fresh)
        give(limit, more);
    else
        give(limit, more ? old_bytes : old_bytes - new_bytes);
    return fresh;
}

hd_size_text hd_size_of(uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    hd_size_text size;
    double value = (double)bytes / 1024;
    int unit = 0;
    while (value >= 1024 && unit < 3) {
        value /= 1024;
        unit++;
    }
    if (bytes < 1024)
        snprintf(size.text, sizeof size.text, "%llu bytes", (unsigned long long)bytes);
    else
        snprintf(size.text, sizeof size.text, "%.1f %s", value, units[unit]);
    return size;
}
