/* bfs_order.c - see bfs_order.h; bfs_order.cl says how. */
#include "engine/primitive/bfs_order.h"
#include "engine/primitive/bfs_order_state.h"

#include "base/memory.h"

extern const char hd_text_bfs_order[];

enum { CLAIM, CLAIM_LONG, COUNT, COUNT_LONG, FILL, FILL_LONG, TURN, NARROW, KERNELS };
static const char *const names[KERNELS] = {"hd_search_claim",      "hd_search_claim_long", "hd_search_count",
                                           "hd_search_count_long", "hd_search_fill",       "hd_search_fill_long",
                                           "hd_search_turn",       "hd_search_narrow"};

enum {
    WARPS = 32,         /* in a group */
    ROW_MOST = 1024,    /* rows of more edges get a group each */
    NARROW_MOST = 4096, /* levels of more vertices are processed by all groups, */
    NARROW_ROW = 64,    /* and so are rows of more edges */
    ROUNDS = 1024,      /* small levels between two checks by the host */
    DEEP = 4096,        /* with this many levels or more */
    THIN = 256          /* the host is faster if they have fewer vertices each */
};

/* State words on the device (bfs_order.cl). */
typedef struct searcher {
    const hd_search *s;
    hd_device *device;
    hd_kernels kernels;
    void *kernel[KERNELS];
    hd_buffer state, counts, sums, longs;
    uint32_t words[SEARCH_WORDS], n;
} searcher;

/* ---- Opening and closing ---------------------------------------------------------------------------------------- */

static heddle_status open(searcher *r, heddle_report *report) {
    static const char *const texts[] = {hd_text_scan, hd_text_bfs_order, NULL};
    const hd_resident *own = r->s->own;
    hd_kernels_text text = {.name = "search", .texts = texts, .wide = own->wide, .warps = WARPS};
    hd_device *d = r->device;
    HD_TRY(hd_kernels_open(d, &text, report, &r->kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&r->kernels, names[i], &r->kernel[i]));
    HD_TRY(d->allocate(d, SEARCH_WORDS * 4, "the state", &r->state));
    HD_TRY(d->allocate(d, (own->vertices + 1) * 4, "an order", &r->counts));
    HD_TRY(d->allocate(d, (own->vertices + 1) * (own->wide ? 8 : 4), "an order", &r->sums));
    HD_TRY(d->allocate(d, (own->edges / ROW_MOST + 1) * 4, "long rows", &r->longs));
    return d->fill(d, &r->state, 0, 0, SEARCH_WORDS * 4);
}

static void close(searcher *r) {
    hd_buffer *buffers[] = {&r->state, &r->counts, &r->sums, &r->longs};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        r->device->release(r->device, buffers[i]);
    hd_kernels_close(&r->kernels);
}

/* ---- Levels ----------------------------------------------------------------------------------------------------- */

#define LAUNCH(r, which, groups, ...) HD_LAUNCH(&(r)->kernels, (r)->kernel[which], names[which], groups, __VA_ARGS__)
#define BUFFER HD_ARGUMENT_BUFFER

static heddle_status look(searcher *r) {
    HD_TRY(r->device->download(r->device, r->words, &r->state, 0, sizeof r->words));
    HD_TRY(r->device->finish(r->device));
    return hd_advance(r->s->own->ctx, 0) ? hd_cancelled_status(r->s->own->ctx) : HEDDLE_OK;
}

static heddle_status begin(searcher *r) {
    const hd_search *s = r->s;
    HD_TRY(HD_START(&r->kernels, "hd_search_isolated", r->n, HD_ARGUMENT_VALUE(r->n), BUFFER(s->claims),
                    BUFFER(r->state)));
    HD_TRY(r->device->fill(r->device, &s->claims, 0, UINT32_MAX, (uint64_t)r->n * 4));
    return HD_START(&r->kernels, "hd_search_begin", 1, BUFFER(s->roots), BUFFER(s->sequence), BUFFER(s->claims),
                    BUFFER(r->state));
}

static heddle_status go_wide(searcher *r) {
    const hd_search *s = r->s;
    const hd_resident_rows *out = &s->own->out;
    uint32_t level = r->words[SEARCH_TO] - r->words[SEARCH_FROM], row_most = ROW_MOST;
    uint32_t groups = hd_kernels_groups(&r->kernels, (uint64_t)level * r->device->info.warp);
    uint32_t many = hd_kernels_groups(&r->kernels, UINT64_MAX);
    HD_TRY(LAUNCH(r, CLAIM, groups, HD_ARGUMENT_VALUE(row_most), BUFFER(out->offsets), BUFFER(out->targets),
                  BUFFER(s->sequence), BUFFER(s->claims), BUFFER(r->longs), BUFFER(r->state)));
    HD_TRY(LAUNCH(r, CLAIM_LONG, many, BUFFER(out->offsets), BUFFER(out->targets), BUFFER(s->sequence),
                  BUFFER(s->claims), BUFFER(r->longs), BUFFER(r->state)));
    HD_TRY(LAUNCH(r, COUNT, groups, HD_ARGUMENT_VALUE(row_most), BUFFER(out->offsets), BUFFER(out->targets),
                  BUFFER(s->sequence), BUFFER(s->claims), BUFFER(r->state), BUFFER(r->counts)));
    HD_TRY(LAUNCH(r, COUNT_LONG, many, BUFFER(out->offsets), BUFFER(out->targets), BUFFER(s->sequence),
                  BUFFER(s->claims), BUFFER(r->longs), BUFFER(r->state), BUFFER(r->counts)));
    HD_TRY(hd_sort_sums(s->sorter, (uint64_t)level + 1, &r->counts, &r->sums));
    HD_TRY(LAUNCH(r, FILL, groups, HD_ARGUMENT_VALUE(row_most), BUFFER(out->offsets), BUFFER(out->targets),
                  BUFFER(s->claims), BUFFER(r->state), BUFFER(r->sums), BUFFER(s->sequence)));
    HD_TRY(LAUNCH(r, FILL_LONG, many, BUFFER(out->offsets), BUFFER(out->targets), BUFFER(s->claims), BUFFER(r->longs),
                  BUFFER(r->state), BUFFER(r->sums), BUFFER(s->sequence)));
    return LAUNCH(r, TURN, 1, BUFFER(r->sums), BUFFER(r->state));
}

static heddle_status go_narrow(searcher *r) {
    const hd_search *s = r->s;
    uint32_t most = NARROW_MOST, row_most = NARROW_ROW, rounds = ROUNDS;
    return LAUNCH(r, NARROW, 1, HD_ARGUMENT_VALUE(most), HD_ARGUMENT_VALUE(row_most), HD_ARGUMENT_VALUE(rounds),
                  BUFFER(s->own->out.offsets), BUFFER(s->own->out.targets), BUFFER(s->sequence), BUFFER(s->claims),
                  BUFFER(r->state));
}

/* The small levels that follow a large one are processed with it. */
static heddle_status search(searcher *r, bool *over) {
    HD_TRY(begin(r));
    *over = true;
    HD_TRY(go_narrow(r));
    HD_TRY(look(r));
    while (r->words[SEARCH_FROM] < r->words[SEARCH_TO] && *over) {
        uint32_t depth = r->words[SEARCH_DEPTH];
        if (r->words[SEARCH_TO] > r->n)
            return hd_fail(r->s->own->ctx, HEDDLE_E_DEVICE, "%s: a search finds more vertices than there are",
                           r->device->info.name);
        HD_TRY(go_wide(r)); /* one more level, of any size */
        HD_TRY(go_narrow(r));
        HD_TRY(look(r));
        if (r->words[SEARCH_DEPTH] == depth)
            return hd_fail(r->s->own->ctx, HEDDLE_E_DEVICE, "%s: a search does not get on", r->device->info.name);
        *over = r->words[SEARCH_DEPTH] < DEEP || r->words[SEARCH_TO] / r->words[SEARCH_DEPTH] >= THIN;
    }
    return HEDDLE_OK;
}

/* ---- What is left ----------------------------------------------------------------------------------------------- */

/* Lists the unseen vertices with edges, in the order of roots, in the buffer of the counts. */
static heddle_status list_rest(searcher *r, uint64_t *rest) {
    const hd_search *s = r->s;
    uint32_t count = r->n - r->words[SEARCH_ISOLATED], narrow;
    HD_TRY(HD_START(&r->kernels, "hd_search_open", (uint64_t)count + 1, HD_ARGUMENT_VALUE(count), BUFFER(s->roots),
                    BUFFER(s->claims), BUFFER(r->counts)));
    HD_TRY(hd_sort_sums(s->sorter, (uint64_t)count + 1, &r->counts, &r->sums));
    HD_TRY(HD_START(&r->kernels, "hd_search_rest", count, HD_ARGUMENT_VALUE(count), BUFFER(s->roots), BUFFER(r->sums),
                    BUFFER(r->counts)));
    void *to = s->own->wide ? (void *)rest : &narrow;
    uint64_t each = s->own->wide ? 8 : 4;
    HD_TRY(r->device->download(r->device, to, &r->sums, count * each, each));
    HD_TRY(r->device->finish(r->device));
    *rest = s->own->wide ? *rest : narrow;
    return HEDDLE_OK;
}

static heddle_status finish_rest(searcher *r, uint64_t rest) {
    const hd_search *s = r->s;
    heddle_context *ctx = s->own->ctx;
    heddle_vertex *roots = NULL;
    uint32_t *claims = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(ctx, &roots, rest, "the order of vertices"));
    HD_CHECK(HD_NEW(ctx, &claims, r->n, "the order of vertices"));
    HD_CHECK(r->device->download(r->device, roots, &r->counts, 0, rest * 4));
    HD_CHECK(r->device->download(r->device, claims, &s->claims, 0, (uint64_t)r->n * 4));
    HD_CHECK(r->device->finish(r->device));
    status = hd_order_go_on(ctx, s->graph->original, roots, rest, r->words[SEARCH_TO], claims, s->graph->names);
out:
    HD_DELETE(&ctx->allocator, roots, rest);
    HD_DELETE(&ctx->allocator, claims, r->n);
    return status;
}

static heddle_status finish(searcher *r) {
    const hd_search *s = r->s;
    uint64_t isolated = r->words[SEARCH_ISOLATED], rest = 0;
    uint64_t end = isolated < r->n ? r->words[SEARCH_TO] : 0; /* the first vertex has no edges either */
    heddle_vertex *sequence = s->graph->names;
    HD_TRY(list_rest(r, &rest));
    if (end + rest + isolated != r->n)
        return hd_fail(s->own->ctx, HEDDLE_E_DEVICE, "%s: a search has lost vertices", r->device->info.name);
    HD_TRY(r->device->download(r->device, sequence, &s->sequence, 0, end * 4));
    HD_TRY(r->device->download(r->device, sequence + end + rest, &s->roots, (end + rest) * 4, isolated * 4));
    HD_TRY(r->device->finish(r->device));
    if (rest)
        HD_TRY(finish_rest(r, rest));
    return r->device->upload(r->device, &s->sequence, end * 4, sequence + end, (rest + isolated) * 4);
}

heddle_status hd_search_order(const hd_search *s, heddle_report *report, bool *over) {
    searcher r = {.s = s, .device = s->own->device, .n = (uint32_t)s->own->vertices};
    heddle_status status;
    HD_CHECK(open(&r, report));
    HD_CHECK(search(&r, over));
    if (*over)
        status = finish(&r);
out:
    close(&r);
    return status;
}
