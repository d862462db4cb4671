/* mst_collect.c - the edges of a batch, in order.
 *
 * The work is cut into runs of equal size, each with its own room in the batch, so that edges end up in the order of
 * the rows for any assignment of runs to threads. The room of a run is estimated; if one proves too small, the exact
 * counts are known, and everything is collected again.
 * An undirected graph holds each edge twice, and the ascending arc is taken. A directed one may hold either or both
 * arcs: descending arcs are collected separately, reversed, and sorted later.
 */
#include "algorithm/mst/mst.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

enum { RUNS_PER_THREAD = 8, RUN_MOST = 1 << 20, SLACK = 256, SHORT_ROW = 64, WAIT = 512 };

void hd_mst_batch_free(heddle_context *ctx, hd_mst_batch *batch) {
    HD_DELETE(&ctx->allocator, batch->edges, batch->room);
    HD_DELETE(&ctx->allocator, batch->starts, batch->runs);
    HD_DELETE(&ctx->allocator, batch->counts, batch->runs);
}

static heddle_status check_count(heddle_context *ctx, uint64_t count) {
    return count <= UINT32_MAX ? HEDDLE_OK
                               : hd_fail(ctx, HEDDLE_E_LIMIT, "mst: %llu edges between trees at once, more than 2^32",
                                         (unsigned long long)count);
}

/* Allocates for every run what the last attempt counted, or `each` at first; plus one entry for what does not fit. */
static heddle_status make_room(heddle_context *ctx, hd_mst_batch *batch, uint64_t each) {
    HD_DELETE(&ctx->allocator, batch->edges, batch->room);
    batch->room = 0;
    for (uint64_t run = 0; run < batch->runs; run++) {
        batch->starts[run] = batch->room;
        batch->room += (each ? each : batch->counts[run]) + 1;
    }
    return HD_NEW(ctx, &batch->edges, batch->room, "edges");
}

/* Initial room of a run. With random ids the first rows have twice the mean number of ascending arcs, the last none. */
static uint64_t first_room(uint64_t expected, uint64_t work, uint64_t runs) {
    uint64_t each = (2 * expected + expected / 4) / runs + SLACK;
    each = each < work / runs + 1 ? each : work / runs + 1;
    return each < UINT32_MAX / runs ? each : UINT32_MAX / runs - 1;
}

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

/* A sieve: edges that pass the first test, on weight or on the largest tree, are buffered until there are enough for
 * the second, on trees. Buffering lets the random accesses of the second test overlap, instead of delaying the first.
 * Edges that pass both go to the run's part of the batch; if there is no room they are only counted. */
typedef struct sieve {
    const hd_mst *mst;
    hd_mst_edge *edges;
    uint64_t count, room;
    unsigned waiting;
    hd_mst_edge wait[WAIT]; /* the key of a heavy edge is not known yet, */
    uint64_t arc[WAIT];     /* but is that of this arc */
} sieve;

static inline void sift(sieve *s, heddle_weight_type type) {
    const hd_mst *mst = s->mst;
    for (unsigned i = 0; i < s->waiting; i++) {
        hd_mst_edge edge = s->wait[i];
        edge.key = hd_mst_key(mst->out.weights, type, s->arc[i]);
        s->edges[s->count < s->room ? s->count : s->room] = edge; /* one entry more than `room` is allocated */
        s->count += mst->parent[edge.u] != mst->parent[edge.v];
    }
    s->waiting = 0;
}

static inline void let_wait(sieve *s, heddle_weight_type type, uint32_t u, uint32_t v, uint64_t arc) {
    s->wait[s->waiting] = (hd_mst_edge){u, v, 0};
    s->arc[s->waiting++] = arc;
    if (s->waiting == WAIT)
        sift(s, type);
}

/* The first of arcs e .. end-1 with a target above v. Branch-free in the targets: a branch would be mispredicted once
 * per row. */
static inline uint64_t above(const uint32_t *targets, uint64_t e, uint64_t end, uint32_t v) {
    while (end - e > SHORT_ROW) {
        uint64_t middle = e + (end - e) / 2;
        if (targets[middle] <= v)
            e = middle + 1;
        else
            end = middle;
    }
    uint32_t below = 0;
    for (uint64_t k = e; k < end; k++)
        below += targets[k] <= v;
    return e + below;
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void collect_light(sieve *s, heddle_weight_type type, uint64_t limit, uint32_t v, uint64_t e,
                                 uint64_t end, bool descend) {
    const hd_mst *mst = s->mst;
    for (; e < end; e++) {
        uint32_t low = descend ? mst->out.targets[e] : v;
        if (hd_mst_rank(hd_mst_key(mst->out.weights, type, e), low) < limit)
            let_wait(s, type, low, descend ? v : mst->out.targets[e], e);
    }
}

static inline bool in_giant(const hd_mst *mst, uint32_t v) { return mst->giant[v / 64] >> (v % 64) & 1; }

ALWAYS_INLINE void collect_heavy(sieve *s, heddle_weight_type type, uint32_t v, uint64_t e, uint64_t end,
                                 bool descend) {
    const hd_mst *mst = s->mst;
    bool inside = in_giant(mst, v);
    for (; e < end; e++) {
        uint32_t target = mst->out.targets[e];
        if (!(inside & in_giant(mst, target)))
            let_wait(s, type, descend ? target : v, descend ? v : target, e);
    }
}

ALWAYS_INLINE void collect_rows(sieve *s, heddle_weight_type type, uint64_t limit, bool descend, uint64_t from,
                                uint64_t to) {
    const hd_mst *mst = s->mst;
    const uint64_t *offsets = mst->out.offsets;
    for (uint64_t v = hd_row_at(offsets, mst->vertices, from); v < mst->vertices && offsets[v] + v < to; v++) {
        uint64_t e = hd_row_begin(offsets, v, from), end = hd_row_end(offsets, v, to);
        uint64_t turn = above(mst->out.targets, e, end, (uint32_t)v);
        if (mst->giant)
            collect_heavy(s, type, (uint32_t)v, descend ? e : turn, descend ? turn : end, descend);
        else
            collect_light(s, type, limit, (uint32_t)v, descend ? e : turn, descend ? turn : end, descend);
    }
    sift(s, type);
}

static void collect_run(sieve *s, uint64_t limit, bool descend, uint64_t from, uint64_t to) {
    switch (s->mst->type) {
#define CASE(type)                                                         \
    case HEDDLE_WEIGHT_##type:                                             \
        if (descend)                                                       \
            collect_rows(s, HEDDLE_WEIGHT_##type, limit, true, from, to);  \
        else                                                               \
            collect_rows(s, HEDDLE_WEIGHT_##type, limit, false, from, to); \
        break;
        CASE(NONE)
        CASE(U32)
        CASE(I32)
        CASE(F32)
#undef CASE
    default: break; /* 64 bits: never (algorithm/views/ranked.h) */
    }
}

/* One attempt; false if some run had too little room. */
static bool collect_runs(hd_mst *mst, uint64_t limit, bool descend, hd_mst_batch *batch) {
    uint64_t work = mst->out.offsets[mst->vertices] + mst->vertices, short_of = 0, count = 0;
    HD_PARALLEL_FOR(mst->ctx, if (work >= HD_WORTH_THREADS) schedule(dynamic, 1) reduction(+ : short_of, count))
    for (uint64_t run = 0; run < batch->runs; run++) {
        uint64_t from = hd_split(work, batch->runs, run), to = hd_split(work, batch->runs, run + 1);
        uint64_t start = batch->starts[run], end = run + 1 < batch->runs ? batch->starts[run + 1] : batch->room;
        sieve s;
        s.mst = mst;
        s.edges = batch->edges + start;
        s.room = end - start - 1;
        s.count = s.waiting = 0;
        if (from < to && !hd_advance(mst->ctx, to - from))
            collect_run(&s, limit, descend, from, to);
        batch->counts[run] = s.count;
        short_of += s.count > s.room;
        count += s.count;
    }
    mst->walked += work;
    batch->count = count;
    return short_of == 0;
}

static heddle_status collect_side(hd_mst *mst, uint64_t limit, bool descend, uint64_t expected, hd_mst_batch *batch) {
    heddle_context *ctx = mst->ctx;
    uint64_t work = mst->out.offsets[mst->vertices] + mst->vertices;
    batch->runs = (uint64_t)ctx->threads * RUNS_PER_THREAD;
    if (work / RUN_MOST > batch->runs)
        batch->runs = work / RUN_MOST;
    HD_TRY(HD_NEW(ctx, &batch->starts, batch->runs, "edge runs"));
    HD_TRY(HD_NEW(ctx, &batch->counts, batch->runs, "edge runs"));
    HD_TRY(make_room(ctx, batch, first_room(expected, work, batch->runs)));
    if (!collect_runs(mst, limit, descend, batch)) {
        HD_TRY(hd_cancelled_status(ctx));
        HD_TRY(check_count(ctx, batch->count + batch->runs));
        HD_TRY(make_room(ctx, batch, 0));
        collect_runs(mst, limit, descend, batch);
    }
    return hd_cancelled_status(ctx);
}

heddle_status hd_mst_collect(hd_mst *mst, uint64_t limit, uint64_t expected, hd_mst_batch *batch) {
    hd_mst_batch reversed = {.runs = 0};
    heddle_status status;
    *batch = (hd_mst_batch){.runs = 0};
    HD_CHECK(collect_side(mst, limit, false, expected, batch));
    if (mst->directed) {
        HD_CHECK(collect_side(mst, limit, true, expected, &reversed));
        HD_CHECK(check_count(mst->ctx, batch->count + reversed.count));
        HD_CHECK(hd_mst_join(mst, batch, &reversed));
    }
    hd_mst_record(mst, mst->vertices - mst->forest_count, mst->out.offsets[mst->vertices] * (mst->directed ? 2 : 1),
                  "collect");
out:
    hd_mst_batch_free(mst->ctx, &reversed);
    if (status != HEDDLE_OK)
        hd_mst_batch_free(mst->ctx, batch);
    return status;
}
