/* mst.c - the minimum spanning forest, by Borůvka's algorithm on the light edges first, as filter-Kruskal does (Osipov,
 * Sanders and Singler, 2009), and ECL-MST on GPUs (Fallin et al., 2023).
 *
 * A sample gives the weight that separates the lightest edges, a few per vertex, from the rest. The forest of the light
 * edges (mst_grow.c) already connects most vertices, and of the heavy edges only those that join two of its trees are
 * collected (mst_collect.c). Edges are ordered by weight, then smaller end, then larger end, so the minimum forest is
 * unique.
 */
#include "algorithm/mst/mst.h"
#include "algorithm/mst/mst_part.h"

#include "algorithm/algorithm.h"
#include "algorithm/parts_refusal.h"
#include "algorithm/structure/structure_device.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "check/check.h"
#include "engine/cpu/bitmap.h"
#include "graph/rows.h"

enum {
    LIGHT = 2, /* light edges per vertex, */
    WORTH = 5, /* if there are more than this many in all */
    SAMPLES = 1 << 12,
    FEW = 256, /* arcs: all edges are collected, without a sample */
    GUESSES = 1024
};

/* The k-th smallest, 0 upwards. */
static uint64_t smallest(uint64_t *values, uint64_t count, uint64_t k) {
    uint64_t low = 0, high = count - 1;
    while (low < high) {
        uint64_t pivot = values[low + (high - low) / 2], i = low, j = high;
        for (;; i++, j--) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            uint64_t swap = values[i];
            values[i] = values[j];
            values[j] = swap;
        }
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[k];
}

/* Estimates from a sample of the arcs. */
typedef struct outlook {
    uint64_t joining; /* estimated number of edges that join two trees */
    uint64_t limit;   /* rank with about `wanted` of them below it */
} outlook;

static heddle_status look_out(const hd_mst *mst, uint64_t wanted, outlook *found) {
    uint64_t arcs = mst->out.offsets[mst->vertices], edges = mst->directed ? arcs : arcs / 2, joining = 0, *ranks;
    HD_TRY(HD_NEW(mst->ctx, &ranks, SAMPLES, "samples"));
    for (uint64_t k = 0; arcs && k < SAMPLES; k++) {
        uint64_t e = hd_below(hd_random(arcs, k), arcs);
        uint32_t v = (uint32_t)hd_row_of(mst->out.offsets, mst->vertices, e), target = mst->out.targets[e];
        if (mst->parent[v] != mst->parent[target])
            ranks[joining++] = hd_mst_rank(hd_mst_key(mst->out.weights, mst->type, e), v < target ? v : target);
    }
    found->joining = (uint64_t)((double)joining / SAMPLES * (double)edges);
    found->limit = wanted < found->joining
                       ? smallest(ranks, joining, (uint64_t)((double)wanted / (double)found->joining * (double)joining))
                       : UINT64_MAX;
    HD_DELETE(&mst->ctx->allocator, ranks, SAMPLES);
    return HEDDLE_OK;
}

static heddle_status grow_by(hd_mst *mst, uint64_t limit, uint64_t expected) {
    hd_mst_batch batch;
    HD_TRY(hd_mst_collect(mst, limit, expected, &batch));
    heddle_status status = batch.count ? hd_mst_grow(mst, &batch) : HEDDLE_OK;
    hd_mst_batch_free(mst->ctx, &batch);
    return status;
}

/* The tree with most vertices of a sample; a wrong guess only costs time. */
static uint32_t guess_giant(const hd_mst *mst) {
    uint64_t arcs = mst->out.offsets[mst->vertices];
    uint32_t best = 0;
    unsigned votes = 0;
    for (unsigned k = 0; k < GUESSES; k++) {
        uint32_t tree = mst->parent[mst->out.targets[hd_below(hd_random(2, k), arcs)]];
        if (votes == 0)
            best = tree;
        if (tree == best)
            votes++;
        else
            votes--;
    }
    return best;
}

static heddle_status note_giant(hd_mst *mst) {
    uint32_t giant = guess_giant(mst);
    uint64_t words = hd_bitmap_words(mst->vertices);
    HD_TRY(HD_NEW(mst->ctx, &mst->giant, words, "largest tree"));
    HD_PARALLEL_FOR(mst->ctx, if (mst->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t word = 0; word < words; word++) {
        uint64_t bits = 0, end = mst->vertices - word * 64 < 64 ? mst->vertices : word * 64 + 64;
        for (uint64_t v = word * 64; v < end; v++)
            bits |= (uint64_t)(mst->parent[v] == giant) << (v % 64);
        mst->giant[word] = bits;
    }
    return HEDDLE_OK;
}

static heddle_status grow_forest(hd_mst *mst) {
    outlook found;
    if (!mst->directed)
        HD_TRY(hd_mst_first_round(mst));
    uint64_t trees = mst->vertices - mst->forest_count, arcs = mst->out.offsets[mst->vertices];
    if (arcs <= FEW)
        return grow_by(mst, UINT64_MAX, arcs);
    HD_TRY(look_out(mst, LIGHT * trees, &found));
    if (found.joining <= WORTH * trees)
        return grow_by(mst, UINT64_MAX, found.joining);
    HD_TRY(grow_by(mst, found.limit, LIGHT * trees));
    HD_TRY(note_giant(mst));
    HD_TRY(look_out(mst, 0, &found));
    return grow_by(mst, found.limit, found.joining);
}

static heddle_status open_mst(hd_mst *mst) {
    HD_TRY(HD_NEW(mst->ctx, &mst->parent, mst->vertices, "trees"));
    HD_TRY(HD_NEW(mst->ctx, &mst->best, mst->vertices, "lightest edges"));
    HD_TRY(HD_NEW(mst->ctx, &mst->other, mst->vertices, "tree neighbours"));
    HD_TRY(HD_NEW(mst->ctx, &mst->roots, mst->vertices, "tree roots"));
    HD_TRY(HD_NEW(mst->ctx, &mst->forest, mst->vertices, "forest"));
    HD_PARALLEL_FOR(mst->ctx, if (mst->vertices >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t v = 0; v < mst->vertices; v++)
        mst->parent[v] = (uint32_t)v;
    return HEDDLE_OK;
}

heddle_status hd_mst_forest(hd_mst *mst) {
    HD_TRY(open_mst(mst));
    hd_rounds_mark(mst->ctx);
    return grow_forest(mst);
}

void hd_mst_close(hd_mst *mst) {
    const heddle_allocator *allocator = &mst->ctx->allocator;
    HD_DELETE(allocator, mst->parent, mst->vertices);
    HD_DELETE(allocator, mst->giant, hd_bitmap_words(mst->vertices));
    HD_DELETE(allocator, mst->best, mst->vertices);
    HD_DELETE(allocator, mst->other, mst->vertices);
    HD_DELETE(allocator, mst->roots, mst->vertices);
    HD_DELETE(allocator, mst->forest, mst->vertices);
}

heddle_status hd_mst_write(heddle_context *ctx, const heddle_graph *graph, const hd_mst_edge *forest, uint64_t count,
                           heddle_result *result) {
    heddle_weight_type type = graph->weight_type;
    result->forest_edges = count;
    result->forest_type = type;
    HD_TRY(HD_NEW(ctx, &result->forest_ends, 2 * count, "forest"));
    if (type != HEDDLE_WEIGHT_NONE)
        HD_TRY(hd_new(ctx, &result->forest_weights, count, sizeof(uint32_t), false, "forest"));
    HD_PARALLEL_FOR(ctx, if (count >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t i = 0; i < count; i++) {
        result->forest_ends[2 * i] = forest[i].u;
        result->forest_ends[2 * i + 1] = forest[i].v;
        if (result->forest_weights)
            ((uint32_t *)result->forest_weights)[i] = hd_mst_weight(forest[i].key, type);
    }
    hd_result_figure(result, "edges", (double)count);
    hd_result_total_weight(result);
    hd_result_figure(result, "components", (double)(graph->vertices - count));
    return HEDDLE_OK;
}

static heddle_status run_mst(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    hd_mst mst = {.ctx = ctx, .vertices = graph->vertices, .directed = graph->directed, .type = graph->weight_type};
    heddle_status status;
    HD_TRY(heddle_graph_out(ctx, graph, &mst.out));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(hd_mst_forest(&mst));
    run->result->report.edges_walked = mst.walked;
    status = hd_mst_write(ctx, graph, mst.forest, mst.forest_count, run->result);
out:
    hd_phase_end(ctx);
    hd_mst_close(&mst);
    return status;
}

/* For directed graphs, edges are collected first. */
static heddle_status host_bytes_of_edges(const hd_run *run, double *bytes) {
    *bytes = run->graph->directed ? 3.5 * (double)run->graph->edges : 0;
    return HEDDLE_OK;
}

const hd_algorithm hd_algorithm_mst = {
    HD_ALGORITHM_INFO("mst", "minimum spanning forest, ignoring direction: its edges and their total weight",
                      HD_NO_OPTIONS),
    .weighs = true,
    HD_EXECUTORS({HD_ON_CPU, .run = run_mst},
                 {HD_ON_DEVICE, .atomics64 = true, .bytes = hd_mst_device_bytes, .run = hd_device_mst},
                 {HD_ON_DEVICE, .scheduled = true, .atomics64 = true, .bytes = hd_mst_device_bytes,
                  .run = hd_device_mst},
                 {HD_IN_PARTS, .refuse = hd_parts_own_refuse, .run = hd_mst_in_parts}),
    .host_bytes = {.vertex = 84, .more = host_bytes_of_edges},
    .no_split = "an edge is two arcs, which a split would give to different pairs of vertices",
    .weight_ranks = HD_WEIGHT_RANKS_ALWAYS,
    .no_order = "which of several edges of equal weight is taken goes by the numbers of their ends",
    .cost = {25, 0.1},
    .shortcuts = HD_SHORTCUTS_EXACT,
    .copies = HD_COPIES_FOREST,
    .reference = hd_reference_mst,
    .verify = hd_verify_mst,
};
