/* hash.c - checksums of large arrays in parallel. */
#include "base/hash.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/spill.h"

typedef struct reading {
    heddle_context *ctx;
    const char *data;
    uint64_t bytes, *hashes;
    hd_hash_visit visit;
    void *self;
    const hd_hash_tap *tap;
} reading;

/* Hashes blocks [first, last); false if a visit returned false. */
static bool read_blocks(const reading *r, uint64_t first, uint64_t last) {
    bool sound = true;
    HD_PARALLEL_FOR(r->ctx, schedule(dynamic, 1) reduction(&& : sound) if (last - first > 1))
    for (uint64_t k = first; k < last; k++) {
        uint64_t from = k * HD_HASH_BLOCK, to = r->bytes - from < HD_HASH_BLOCK ? r->bytes : from + HD_HASH_BLOCK;
        if (hd_advance(r->ctx, to - from))
            continue;
        r->hashes[k] = hd_hash_block(r->data + from, (size_t)(to - from));
        if (r->visit)
            sound = r->visit(r->self, from, to) && sound;
        if (r->tap)
            r->tap->take(r->tap->self, r->data, from, to);
    }
    return sound;
}

static heddle_status read_windows(const reading *r, bool *sound) {
    uint64_t each = r->tap->window;
    for (uint64_t from = 0; from < r->bytes; from += each) {
        uint64_t to = r->bytes - from < each ? r->bytes : from + each;
        HD_TRY(r->tap->open(r->tap->self, r->data, from, to));
        *sound = read_blocks(r, from / HD_HASH_BLOCK, hd_hash_blocks(to)) && *sound;
        HD_TRY(hd_cancelled_status(r->ctx));
        HD_TRY(r->tap->close(r->tap->self));
    }
    return HEDDLE_OK;
}

heddle_status hd_hash_tapped(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                             const hd_hash_tap *tap, uint64_t *hash, bool *sound) {
    reading r = {.ctx = ctx, .data = data, .bytes = bytes, .visit = visit, .self = self, .tap = tap};
    uint64_t blocks = hd_hash_blocks(bytes);
    heddle_status status = HEDDLE_OK;
    *sound = true;
    HD_TRY(HD_NEW(ctx, &r.hashes, blocks, "block checksums"));
    if (tap)
        status = read_windows(&r, sound);
    else
        *sound = read_blocks(&r, 0, blocks);
    if (status == HEDDLE_OK)
        status = hd_cancelled_status(ctx);
    if (status == HEDDLE_OK)
        *hash = hd_hash_join(r.hashes, bytes);
    HD_DELETE(&ctx->allocator, r.hashes, blocks);
    return status;
}

heddle_status hd_hash_array(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                            uint64_t *hash, bool *sound) {
    return hd_hash_tapped(ctx, data, bytes, visit, self, NULL, hash, sound);
}

heddle_status hd_hash_shared(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                             const hd_hash_share *share, uint64_t *hash, bool *sound) {
    reading r = {.ctx = ctx, .data = data, .bytes = bytes, .visit = visit, .self = self};
    uint64_t blocks = hd_hash_blocks(bytes);
    HD_TRY(HD_NEW(ctx, &r.hashes, blocks, "block checksums"));
    *sound =
        read_blocks(&r, hd_split(blocks, share->parts, share->part), hd_split(blocks, share->parts, share->part + 1));
    heddle_status status = hd_cancelled_status(ctx);
    if (status == HEDDLE_OK)
        status = share->join(share->self, r.hashes, bytes, hash);
    HD_DELETE(&ctx->allocator, r.hashes, blocks);
    return status;
}

/* Bytes that were read and whose pages can be given back. */
typedef struct window {
    const char *data;
    uint64_t bytes;
} window;

static heddle_status open_window(void *self, const void *array, uint64_t from, uint64_t to) {
    *(window *)self = (window){(const char *)array + from, to - from};
    return HEDDLE_OK;
}

static void take_block(void *self, const void *array, uint64_t from, uint64_t to) {
    (void)self, (void)array, (void)from, (void)to;
}

static heddle_status close_window(void *self) {
    const window *w = self;
    hd_pages_release(w->data, w->bytes);
    return HEDDLE_OK;
}

heddle_status hd_hash_mapped(heddle_context *ctx, const void *data, uint64_t bytes, hd_hash_visit visit, void *self,
                             uint64_t *hash, bool *sound) {
    window now;
    const hd_hash_tap tap = {&now, 16 * HD_HASH_BLOCK, open_window, take_block, close_window};
    return hd_hash_tapped(ctx, data, bytes, visit, self, &tap, hash, sound);
}
