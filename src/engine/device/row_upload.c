/* row_upload.c - see row_upload.h. Rows are copied in windows of a pinned block's size; if nothing can be pinned,
 * offsets are narrowed in pageable memory, and the rest is sent from its place. */
#include "engine/device/row_upload.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "device/stage.h"
#include "engine/device/edge_room.h"

enum { OFFSETS, TARGETS, WEIGHTS, ARRAYS, NONE = ARRAYS };

typedef struct upload {
    hd_resident *r;
    const char *array[ARRAYS];
    uint64_t bytes[ARRAYS]; /* on the host */
    const hd_buffer *to[ARRAYS];
    bool wanted[ARRAYS]; /* and not sent yet */
    char *plain;         /* memory for narrowing, or NULL */
    /* the current window */
    int which;
    uint64_t from, end;
    char *block; /* NULL: sent from its place */
    bool pinned;
} upload;

static bool narrows(const upload *u) { return u->which == OFFSETS && !u->r->wide; }

static heddle_status open_window(void *self, const void *array, uint64_t from, uint64_t to) {
    upload *u = self;
    void *block = NULL;
    u->which = 0;
    while (u->which < ARRAYS && !(u->wanted[u->which] && u->array[u->which] == array))
        u->which++;
    if (u->which == NONE)
        return HEDDLE_OK;
    u->from = from;
    u->end = to;
    if (u->bytes[u->which] >= HD_STAGE_LEAST)
        HD_TRY(hd_stage_next(u->r->device, &block));
    u->pinned = block != NULL;
    if (!block && narrows(u) && !u->plain)
        HD_TRY(HD_NEW(u->r->ctx, &u->plain, HD_STAGE_BYTES / 2, "upload"));
    u->block = block || !narrows(u) ? block : u->plain;
    return HEDDLE_OK;
}

static void take(void *self, const void *array, uint64_t from, uint64_t to) {
    const upload *u = self;
    if (u->which == NONE || !u->block)
        return;
    if (!narrows(u)) {
        memcpy(u->block + (from - u->from), (const char *)array + from, (size_t)(to - from));
        return;
    }
    const uint64_t *offsets = array;
    uint32_t *narrow = (uint32_t *)(void *)u->block;
    for (uint64_t i = from / 8; i < to / 8; i++)
        narrow[i - u->from / 8] = (uint32_t)offsets[i];
}

static heddle_status close_window(void *self) {
    upload *u = self;
    if (u->which == NONE)
        return HEDDLE_OK;
    hd_device *d = u->r->device;
    uint64_t shrink = narrows(u) ? 2 : 1, at = u->from / shrink, bytes = (u->end - u->from) / shrink;
    u->wanted[u->which] = u->end < u->bytes[u->which];
    if (u->pinned)
        return hd_stage_send(d, u->to[u->which], at, bytes);
    HD_TRY(d->upload(d, u->to[u->which], at, u->block ? u->block : u->array[u->which] + u->from, bytes));
    return u->block ? d->finish(d) : HEDDLE_OK; /* the block is reused */
}

/* Arrays that need no check are sent the same way. */
static heddle_status send(upload *u, int which) {
    heddle_context *ctx = u->r->ctx;
    const char *array = u->array[which];
    uint64_t all = u->bytes[which];
    for (uint64_t from = 0; from < all; from += HD_STAGE_BYTES) {
        uint64_t to = all - from < HD_STAGE_BYTES ? all : from + HD_STAGE_BYTES;
        HD_TRY(open_window(u, array, from, to));
        HD_PARALLEL_FOR(ctx, schedule(static) if (u->block && to - from > HD_HASH_BLOCK))
        for (uint64_t k = from / HD_HASH_BLOCK; k < hd_hash_blocks(to); k++) {
            uint64_t start = k * HD_HASH_BLOCK;
            take(u, array, start, to - start < HD_HASH_BLOCK ? to : start + HD_HASH_BLOCK);
        }
        HD_TRY(close_window(u));
        if (hd_advance(ctx, 0))
            return hd_cancelled_status(ctx);
    }
    return HEDDLE_OK;
}

static heddle_status make_buffers(upload *u, const heddle_graph *graph, bool in, int want, hd_resident_rows *there) {
    hd_resident *r = u->r;
    hd_device *d = r->device;
    if (!there->offsets.handle) {
        HD_TRY(hd_resident_room(r, (r->vertices + 1) * (r->wide ? 8 : 4), "row offsets", &there->offsets));
        u->wanted[OFFSETS] = true;
    }
    if (!(want & HD_WANT_BARE) && !there->targets.handle) {
        HD_TRY(hd_edge_room(r, graph, in, 4, "edges", &there->targets));
        if (r->edges == 0) /* a kernel may read the first edge without checking that there is one */
            HD_TRY(d->fill(d, &there->targets, 0, 0, 16));
        u->wanted[TARGETS] = true;
    }
    if ((want & HD_WANT_WEIGHTS) && !there->weights.handle) {
        HD_TRY(hd_edge_room(r, graph, in, hd_weight_size(r->weight_type), "weights", &there->weights));
        u->wanted[WEIGHTS] = true;
    }
    return HEDDLE_OK;
}

heddle_status hd_upload_rows(hd_resident *r, const heddle_graph *graph, bool in, int want, hd_resident_rows *there) {
    const hd_csr *csr = in ? &graph->in : &graph->out;
    upload u = {.r = r,
                .array = {(const char *)csr->offsets, (const char *)csr->targets, csr->weights},
                .bytes = {(r->vertices + 1) * 8, r->edges * 4, r->edges * hd_weight_size(r->weight_type)},
                .to = {&there->offsets, &there->targets, &there->weights}};
    int what = HD_VERIFY_OFFSETS | (want & HD_WANT_BARE ? 0 : HD_VERIFY_TARGETS) |
               (want & HD_WANT_WEIGHTS ? HD_VERIFY_WEIGHTS : 0);
    hd_hash_tap tap = {&u, HD_STAGE_BYTES, open_window, take, close_window};
    heddle_status status;
    HD_CHECK(make_buffers(&u, graph, in, want, there));
    HD_CHECK(hd_graph_verify_tapped(r->ctx, graph, HD_VERIFY_IDS | (in ? what << HD_VERIFY_SHIFT : what), &tap));
    for (int i = 0; i < ARRAYS; i++)
        if (u.wanted[i])
            HD_CHECK(send(&u, i));
    status = r->device->finish(r->device);
out:
    if (u.plain)
        HD_DELETE(&r->ctx->allocator, u.plain, HD_STAGE_BYTES / 2);
    return status;
}
