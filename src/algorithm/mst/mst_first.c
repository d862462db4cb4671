/* mst_first.c - the first of Borůvka's rounds on an undirected graph, where every vertex has all its edges in its row.
 *
 * Rows ascend, and so do the ranks of edges of equal weight along a row: those to smaller vertices come first. So a
 * vertex's choice is the first of the lightest arcs in its row, and no other data is needed.
 */
#include "algorithm/mst/mst.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"
#include "graph/union_find.h"

#include <string.h>

enum { SHARE = 1 << 15, RUNS_PER_THREAD = 4 };

static const uint64_t nothing = UINT64_MAX;

/* Key and target of the first of the lightest arcs e .. end-1; `nothing` if all are loops. */
static inline __attribute__((always_inline)) uint64_t lightest(const hd_mst *mst, heddle_weight_type type, uint32_t v,
                                                               uint64_t e, uint64_t end) {
    uint64_t best = nothing;
    for (; e < end; e++) {
        uint32_t target = mst->out.targets[e];
        uint64_t rank = (uint64_t)hd_mst_key(mst->out.weights, type, e) << 32 | target;
        best = rank < best && target != v ? rank : best;
    }
    return best;
}

static inline __attribute__((always_inline)) void choose_share(const hd_mst *mst, heddle_weight_type type,
                                                               uint64_t from, uint64_t to, uint64_t *choice) {
    const uint64_t *offsets = mst->out.offsets;
    for (uint64_t v = hd_row_at(offsets, mst->vertices, from); v < mst->vertices && offsets[v] + v < to; v++) {
        uint64_t e = hd_row_begin(offsets, v, from), end = hd_row_end(offsets, v, to);
        uint64_t best = lightest(mst, type, (uint32_t)v, e, end), old = nothing;
        /* combines the parts of a row that several threads share */
        while (best < old && !hd_compare_swap(&choice[v], &old, best)) {
        }
    }
}

static void choose_all(hd_mst *mst, uint64_t *choice) {
    uint64_t work = mst->out.offsets[mst->vertices] + mst->vertices;
    HD_PARALLEL_FOR(mst->ctx, if (mst->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < mst->vertices; v++)
        choice[v] = nothing;
    HD_PARALLEL_FOR(mst->ctx, if (work > SHARE) schedule(dynamic, 1))
    for (uint64_t from = 0; from < work; from += SHARE) {
        uint64_t to = work - from < SHARE ? work : from + SHARE;
        if (hd_advance(mst->ctx, to - from))
            continue;
        switch (mst->type) {
        case HEDDLE_WEIGHT_NONE: choose_share(mst, HEDDLE_WEIGHT_NONE, from, to, choice); break;
        case HEDDLE_WEIGHT_U32: choose_share(mst, HEDDLE_WEIGHT_U32, from, to, choice); break;
        case HEDDLE_WEIGHT_I32: choose_share(mst, HEDDLE_WEIGHT_I32, from, to, choice); break;
        case HEDDLE_WEIGHT_F32: choose_share(mst, HEDDLE_WEIGHT_F32, from, to, choice); break;
        default: break; /* 64 bits: never (algorithm/views/ranked.h) */
        }
    }
    mst->walked += work;
}

/* ---- Trees and edges ----------------------------------------------------------------------------------------- */

/* If two vertices chose each other, the smaller one stays a root. */
static void hang_all(hd_mst *mst, const uint64_t *choice) {
    HD_PARALLEL_FOR(mst->ctx, if (mst->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < mst->vertices; v++) {
        uint32_t self = (uint32_t)v, other = (uint32_t)choice[v];
        bool root = choice[v] == nothing || (self < other && (uint32_t)choice[other] == self);
        mst->parent[v] = root ? self : other;
    }
}

static void flatten(hd_mst *mst) {
    HD_PARALLEL_FOR(mst->ctx, if (mst->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < mst->vertices; v++)
        hd_set_find(mst->parent, (uint32_t)v);
    HD_PARALLEL_FOR(mst->ctx, if (mst->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < mst->vertices; v++)
        hd_store(&mst->parent[v], hd_set_root(mst->parent, (uint32_t)v));
}

static uint64_t count_side(const hd_mst *mst, uint64_t from, uint64_t to, bool ascend) {
    uint64_t count = 0;
    for (uint64_t v = from; v < to; v++)
        count += ascend ? mst->parent[v] > v : mst->parent[v] < v;
    return count;
}

static void copy_side(const hd_mst *mst, const uint64_t *choice, uint64_t from, uint64_t to, bool ascend,
                      hd_mst_edge *copy) {
    for (uint64_t v = from; v < to; v++) {
        uint32_t self = (uint32_t)v, other = mst->parent[v], key = (uint32_t)(choice[v] >> 32);
        if (ascend ? other > self : other < self)
            *copy++ = ascend ? (hd_mst_edge){self, other, key} : (hd_mst_edge){other, self, key};
    }
}

/* The edges of vertices whose parent is larger, or else of those whose parent is smaller. */
static heddle_status list_side(hd_mst *mst, const uint64_t *choice, bool ascend, hd_mst_batch *batch) {
    uint64_t n = mst->vertices, runs = (uint64_t)mst->ctx->threads * RUNS_PER_THREAD;
    HD_TRY(HD_NEW(mst->ctx, &batch->starts, runs, "edge runs"));
    batch->runs = runs;
    HD_TRY(HD_NEW(mst->ctx, &batch->counts, runs, "edge runs"));
    HD_PARALLEL_FOR(mst->ctx, if (n >= HD_WORTH_THREADS) schedule(static, 1))
    for (uint64_t run = 0; run < runs; run++)
        batch->counts[run] = count_side(mst, hd_split(n, runs, run), hd_split(n, runs, run + 1), ascend);
    for (uint64_t run = 0; run < runs; run++) {
        batch->starts[run] = batch->count;
        batch->count += batch->counts[run];
    }
    HD_TRY(HD_NEW(mst->ctx, &batch->edges, batch->count, "edges"));
    batch->room = batch->count;
    HD_PARALLEL_FOR(mst->ctx, if (n >= HD_WORTH_THREADS) schedule(static, 1))
    for (uint64_t run = 0; run < runs; run++)
        copy_side(mst, choice, hd_split(n, runs, run), hd_split(n, runs, run + 1), ascend,
                  batch->edges + batch->starts[run]);
    return hd_cancelled_status(mst->ctx);
}

static heddle_status list_edges(hd_mst *mst, const uint64_t *choice) {
    hd_mst_batch batch = {.runs = 0}, reversed = {.runs = 0};
    heddle_status status;
    HD_CHECK(list_side(mst, choice, true, &batch));
    HD_CHECK(list_side(mst, choice, false, &reversed));
    HD_CHECK(hd_mst_join(mst, &batch, &reversed));
    memcpy(mst->forest, batch.edges, batch.count * sizeof *batch.edges);
    mst->forest_count = batch.count;
out:
    hd_mst_batch_free(mst->ctx, &batch);
    hd_mst_batch_free(mst->ctx, &reversed);
    return status;
}

heddle_status hd_mst_first_round(hd_mst *mst) {
    choose_all(mst, mst->best);
    HD_TRY(hd_cancelled_status(mst->ctx));
    hang_all(mst, mst->best);
    HD_TRY(list_edges(mst, mst->best));
    flatten(mst);
    hd_mst_record(mst, mst->vertices, mst->out.offsets[mst->vertices], "lightest edges");
    return HEDDLE_OK;
}
