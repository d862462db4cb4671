/* mst_grow.c - Borůvka's rounds: every tree chooses the lightest edge that leaves it.
 *
 * All edges have different ranks, so the only cycles among these choices are two trees that chose the same edge. Edges
 * inside a tree are dropped, and only trees with a candidate edge are processed: the work of a round is linear in the
 * remaining edges. Chosen edges are marked in a bitmap by position, so that they are listed in order.
 */
#include "algorithm/mst/mst.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/bitmap.h"
#include "engine/cpu/frontier.h"
#include "graph/union_find.h"

#include <string.h>

static const uint64_t nothing = UINT64_MAX;

enum { SMALL = 1 << 12, AHEAD = 8 };

/* An edge that joins the trees with roots a and b. */
typedef struct candidate {
    uint32_t a, b, key, place;
} candidate;

typedef struct growth {
    hd_mst *mst;
    const hd_mst_batch *batch;
    candidate *left;           /* edges not dropped yet, in runs as in the batch, but without gaps */
    uint64_t *starts, *counts; /* of the runs */
    uint64_t *best;            /* per root: key and position of the lightest edge so far */
    uint32_t *other;           /* per root: the tree at the far end of its choice */
    hd_frontier roots;         /* roots with a candidate edge */
    uint64_t *chosen;          /* a bit per position */
} growth;

/* ---- The lightest edge of every tree ------------------------------------------------------------------------- */

/* Offers a tree an edge that leaves it; lists the root the first time. */
static inline void offer(growth *g, uint32_t root, uint64_t edge, hd_finds *roots) {
    uint64_t old = hd_load(&g->best[root]);
    while (edge < old)
        if (hd_compare_swap(&g->best[root], &old, edge)) {
            if (old == nothing && hd_finds_push(roots, root))
                hd_finds_flush(roots);
            return;
        }
}

static inline void consider(growth *g, candidate edge, candidate **kept, hd_finds *roots) {
    **kept = edge;
    *kept += edge.a != edge.b;
    if (edge.a == edge.b)
        return;
    uint64_t rank = (uint64_t)edge.key << 32 | edge.place;
    offer(g, edge.a, rank, roots);
    offer(g, edge.b, rank, roots);
}

/* In the first round edges come from the batch; parents are flat. */
static void consider_batch(growth *g, uint64_t run, hd_finds *roots) {
    const uint32_t *parent = g->mst->parent;
    uint64_t start = g->batch->starts[run], end = start + g->batch->counts[run];
    candidate *kept = g->left + g->starts[run];
    for (uint64_t place = start; place < end; place++) {
        const hd_mst_edge *edge = &g->batch->edges[place];
        consider(g, (candidate){parent[edge->u], parent[edge->v], edge->key, (uint32_t)place}, &kept, roots);
    }
    g->counts[run] = (uint64_t)(kept - g->left) - g->starts[run];
}

/* Later rounds: each root of the previous round is still a root, or a child of one. */
static void consider_left(growth *g, uint64_t run, hd_finds *roots) {
    const uint32_t *parent = g->mst->parent;
    candidate *edge = g->left + g->starts[run], *end = edge + g->counts[run], *kept = edge;
    for (; edge < end; edge++)
        consider(g, (candidate){parent[edge->a], parent[edge->b], edge->key, edge->place}, &kept, roots);
    g->counts[run] = (uint64_t)(kept - g->left) - g->starts[run];
}

static void find_best(growth *g, bool first) {
    heddle_context *ctx = g->mst->ctx;
    g->roots.begin = g->roots.end = g->roots.tail = g->roots.cursor = 0;
    HD_PARALLEL(ctx, if (g->batch->count >= HD_WORTH_THREADS)) {
        hd_finds roots;
        hd_finds_begin(&roots, &g->roots);
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t run = 0; run < g->batch->runs; run++) {
            if (g->counts[run] == 0 || hd_advance(ctx, g->counts[run]))
                continue;
            if (first)
                consider_batch(g, run, &roots);
            else
                consider_left(g, run, &roots);
        }
        hd_finds_flush(&roots);
    }
}

/* ---- Joining trees ------------------------------------------------------------------------------------------- */

static inline uint32_t choice(const growth *g, uint32_t root) { return (uint32_t)g->best[root]; }

/* Parents do not change here, so all threads see the same trees. */
static void look_across(growth *g) {
    uint64_t count = g->roots.tail;
    HD_PARALLEL_FOR(g->mst->ctx, if (count > SMALL) schedule(static))
    for (uint64_t i = 0; i < count; i++) {
        uint32_t root = g->roots.items[i];
        const hd_mst_edge *edge = &g->batch->edges[choice(g, root)];
        __builtin_prefetch(&g->batch->edges[choice(g, g->roots.items[count - i > AHEAD ? i + AHEAD : i])]);
        uint32_t u = hd_set_root(g->mst->parent, edge->u);
        g->other[root] = u != root ? u : hd_set_root(g->mst->parent, edge->v);
    }
}

/* If two trees chose the same edge, the smaller root stays a root. */
static void hook(growth *g) {
    uint64_t count = g->roots.tail;
    HD_PARALLEL_FOR(g->mst->ctx, if (count > SMALL) schedule(static))
    for (uint64_t i = 0; i < count; i++) {
        uint32_t root = g->roots.items[i], other = g->other[root];
        __builtin_prefetch(&g->best[g->other[g->roots.items[count - i > AHEAD ? i + AHEAD : i]]]);
        if (g->best[root] == g->best[other] && root < other)
            continue;
        hd_store(&g->mst->parent[root], other);
        hd_bit_claim(g->chosen, choice(g, root));
    }
}

/* Makes all former roots children of roots, by pointer jumping in two passes: the first shortens long chains. */
static void flatten(growth *g) {
    uint32_t *parent = g->mst->parent;
    uint64_t count = g->roots.tail;
    HD_PARALLEL_FOR(g->mst->ctx, if (count > SMALL) schedule(static))
    for (uint64_t i = 0; i < count; i++) {
        hd_set_find(parent, g->roots.items[i]);
        g->best[g->roots.items[i]] = nothing;
    }
    HD_PARALLEL_FOR(g->mst->ctx, if (count > SMALL) schedule(static))
    for (uint64_t i = 0; i < count; i++)
        hd_store(&parent[g->roots.items[i]], hd_set_root(parent, g->roots.items[i]));
}

static void flatten_all(hd_mst *mst) {
    HD_PARALLEL_FOR(mst->ctx, if (mst->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < mst->vertices; v++)
        hd_store(&mst->parent[v], hd_set_root(mst->parent, (uint32_t)v));
}

/* ---- Taking over the chosen edges ---------------------------------------------------------------------------- */

/* The bits of positions from .. to-1 that are in the word. */
static inline uint64_t chosen_in(const growth *g, uint64_t word, uint64_t from, uint64_t to) {
    uint64_t bits = g->chosen[word];
    if (word == from / 64)
        bits &= ~UINT64_C(0) << (from % 64);
    if (word == to / 64)
        bits &= (UINT64_C(1) << (to % 64)) - 1;
    return bits;
}

static uint64_t count_chosen(const growth *g, uint64_t run) {
    uint64_t from = g->batch->starts[run], to = from + g->batch->counts[run], count = 0;
    for (uint64_t word = from / 64; word * 64 < to; word++)
        count += (uint64_t)__builtin_popcountll(chosen_in(g, word, from, to));
    return count;
}

static void copy_chosen(const growth *g, uint64_t run, hd_mst_edge *copy) {
    uint64_t from = g->batch->starts[run], to = from + g->batch->counts[run];
    for (uint64_t word = from / 64; word * 64 < to; word++)
        for (uint64_t bits = chosen_in(g, word, from, to); bits; bits &= bits - 1)
            *copy++ = g->batch->edges[word * 64 + (uint64_t)__builtin_ctzll(bits)];
}

/* Merges `added`, which is in order, into the forest: from the back, where there is room. */
static void insert(hd_mst *mst, const hd_mst_edge *added, uint64_t count) {
    hd_mst_edge *old = mst->forest + mst->forest_count, *to = old + count;
    const hd_mst_edge *fresh = added + count;
    while (fresh > added)
        *--to = old > mst->forest && hd_mst_before(fresh - 1, old - 1) ? *--old : *--fresh;
    mst->forest_count += count;
}

static heddle_status take_over(growth *g) {
    hd_mst *mst = g->mst;
    uint64_t *places = g->counts, runs = g->batch->runs;
    hd_mst_edge *added;
    HD_PARALLEL_FOR(mst->ctx, if (g->batch->count >= HD_WORTH_THREADS) schedule(dynamic, 1))
    for (uint64_t run = 0; run < runs; run++)
        places[run] = count_chosen(g, run);
    uint64_t count = hd_prefix_sum(mst->ctx, places, runs);
    if (count > mst->vertices - mst->forest_count) /* the forest has no room for them */
        return hd_fail(mst->ctx, HEDDLE_E_INTERNAL, "mst: the edges changed while the forest grew");
    HD_TRY(HD_NEW(mst->ctx, &added, count, "forest"));
    HD_PARALLEL_FOR(mst->ctx, if (g->batch->count >= HD_WORTH_THREADS) schedule(dynamic, 1))
    for (uint64_t run = 0; run < runs; run++)
        copy_chosen(g, run, added + places[run]);
    insert(mst, added, count);
    HD_DELETE(&mst->ctx->allocator, added, count);
    return HEDDLE_OK;
}

/* ---- All together -------------------------------------------------------------------------------------------- */

static heddle_status open_growth(growth *g) {
    heddle_context *ctx = g->mst->ctx;
    uint64_t n = g->mst->vertices, runs = g->batch->runs;
    HD_TRY(HD_NEW(ctx, &g->left, g->batch->count, "edges between trees"));
    HD_TRY(HD_NEW(ctx, &g->starts, runs + 1, "edge runs"));
    HD_TRY(HD_NEW(ctx, &g->counts, runs + 1, "edge runs"));
    HD_TRY(HD_NEW_ZERO(ctx, &g->chosen, hd_bitmap_words(g->batch->room), "chosen edges"));
    memcpy(g->counts, g->batch->counts, runs * sizeof *g->counts);
    memcpy(g->starts, g->batch->counts, runs * sizeof *g->starts);
    hd_prefix_sum(ctx, g->starts, runs);
    HD_PARALLEL_FOR(ctx, if (n >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < n; v++)
        g->best[v] = nothing;
    return HEDDLE_OK;
}

static void close_growth(growth *g) {
    const heddle_allocator *allocator = &g->mst->ctx->allocator;
    HD_DELETE(allocator, g->left, g->batch->count);
    HD_DELETE(allocator, g->starts, g->batch->runs + 1);
    HD_DELETE(allocator, g->counts, g->batch->runs + 1);
    HD_DELETE(allocator, g->chosen, hd_bitmap_words(g->batch->room));
}

/* Number of edges between trees that remain. */
static uint64_t count_left(const growth *g) {
    uint64_t count = 0;
    for (uint64_t run = 0; run < g->batch->runs; run++)
        count += g->counts[run];
    return count;
}

heddle_status hd_mst_grow(hd_mst *mst, const hd_mst_batch *batch) {
    growth g = {.mst = mst, .batch = batch, .best = mst->best, .other = mst->other};
    g.roots.items = mst->roots;
    heddle_status status;
    HD_CHECK(open_growth(&g));
    for (find_best(&g, true); g.roots.tail > 0; find_best(&g, false)) {
        HD_CHECK(hd_cancelled_status(mst->ctx));
        look_across(&g);
        hook(&g);
        flatten(&g);
        hd_mst_record(mst, g.roots.tail, count_left(&g), "join trees");
    }
    HD_CHECK(hd_cancelled_status(mst->ctx));
    flatten_all(mst);
    status = take_over(&g);
out:
    close_growth(&g);
    return status;
}
