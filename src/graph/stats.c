/* stats.c - statistics of a graph.
 *
 * One pass over the vertices counts the degrees: small ones in a histogram, the few large ones in a list that is
 * sorted, so that the exact distribution comes out as (degree, count) pairs in ascending order. One pass over the arcs
 * finds loops, parallel arcs and the range of the weights. Sums are of whole numbers or run in a fixed order: results
 * do not depend on the number of threads.
 */
#include "graph/stats.h"

#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/threads.h"
#include "graph/components.h"
#include "graph/graph.h"
#include "graph/rows.h"

#include <math.h>

enum {
    WARP = 32,
    BLOCK = 4096,       /* vertices handled at a time: whole warps */
    SMALL_DEGREE = 4096 /* at most edges / 4096 vertices are above, few enough to sort */
};
static const uint64_t slice_arcs = 1 << 16;

typedef struct view {
    uint64_t vertices, edges;
    heddle_weight_type weight_type;
    heddle_adjacency out, in;
} view;

static inline uint64_t degree(const heddle_adjacency *adjacency, uint64_t v) {
    return adjacency->offsets[v + 1] - adjacency->offsets[v];
}

/* ---- Degrees ------------------------------------------------------------------------------------------------- */

typedef struct tally { /* of one thread, then of all */
    uint64_t counts[SMALL_DEGREE];
    uint64_t large; /* vertices of larger degree */
    uint64_t isolated;
    uint64_t max_out, max_in;
    uint64_t max_vertex;
    uint64_t steps; /* of all warps: each takes as many as the longest of its rows */
} tally;

static void offer_max(tally *t, uint64_t out, uint64_t v) {
    if (out > t->max_out || (out == t->max_out && v < t->max_vertex)) {
        t->max_out = out;
        t->max_vertex = v;
    }
}

static void tally_warp(const view *g, uint64_t from, uint64_t to, tally *t) {
    uint64_t longest = 0;
    for (uint64_t v = from; v < to; v++) {
        uint64_t out = degree(&g->out, v), in = degree(&g->in, v);
        if (out < SMALL_DEGREE)
            t->counts[out]++;
        else
            t->large++;
        t->isolated += out == 0 && in == 0;
        t->max_in = in > t->max_in ? in : t->max_in;
        longest = out > longest ? out : longest;
        offer_max(t, out, v);
    }
    t->steps += longest;
}

static void merge_tally(tally *all, const tally *one) {
    for (unsigned d = 0; d < SMALL_DEGREE; d++)
        all->counts[d] += one->counts[d];
    all->large += one->large;
    all->isolated += one->isolated;
    all->max_in = one->max_in > all->max_in ? one->max_in : all->max_in;
    all->steps += one->steps;
    offer_max(all, one->max_out, one->max_vertex);
}

/* tallies[0] becomes the tally of the whole graph. */
static heddle_status tally_degrees(heddle_context *ctx, const view *g, tally *tallies) {
    for (int thread = 0; thread < ctx->threads; thread++)
        tallies[thread].max_vertex = g->vertices ? g->vertices - 1 : 0;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (uint64_t block = 0; block < g->vertices; block += BLOCK) {
        uint64_t end = g->vertices - block < BLOCK ? g->vertices : block + BLOCK;
        if (hd_advance(ctx, end - block))
            continue;
        for (uint64_t from = block; from < end; from += WARP)
            tally_warp(g, from, end - from < WARP ? end : from + WARP, &tallies[hd_thread()]);
    }
    for (int thread = 1; thread < ctx->threads; thread++)
        merge_tally(&tallies[0], &tallies[thread]);
    return hd_cancelled_status(ctx);
}

static void sift_down(uint64_t *heap, uint64_t at, uint64_t count) {
    uint64_t value = heap[at], child;
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= value)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
}

/* Heap sort: in place, and fast enough for short lists. */
static void sort_degrees(uint64_t *degrees, uint64_t count) {
    for (uint64_t k = count / 2; k-- > 0;)
        sift_down(degrees, k, count);
    for (uint64_t left = count; left-- > 1;) {
        uint64_t largest = degrees[0];
        degrees[0] = degrees[left];
        degrees[left] = largest;
        sift_down(degrees, 0, left);
    }
}

static void list_large_degrees(heddle_context *ctx, const view *g, uint64_t *large) {
    uint64_t count = 0;
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t v = 0; v < g->vertices; v++) {
        uint64_t out = degree(&g->out, v);
        if (out >= SMALL_DEGREE)
            large[hd_fetch_add(&count, UINT64_C(1))] = out;
    }
    sort_degrees(large, count);
}

/* Sums over the degrees in ascending order. */
typedef struct distribution {
    uint64_t vertices;
    uint64_t passed;      /* vertices so far */
    uint64_t position[3]; /* counted from 1: the two middle ones, and the 99th percentile */
    uint64_t at_rank[3];  /* their degrees */
    double mean;
    double squares; /* sum of squared deviations from the mean */
    double spread;  /* sum of degree * (2 position - n - 1): half of all differences between two vertices' degrees */
} distribution;

static void pass_degrees(distribution *d, heddle_stats *stats, uint64_t degree, uint64_t count) {
    double off = (double)degree - d->mean;
    if (count == 0)
        return;
    for (unsigned k = 0; k < 3; k++)
        if (d->position[k] > d->passed && d->position[k] <= d->passed + count)
            d->at_rank[k] = degree;
    unsigned bin = degree ? 64 - (unsigned)__builtin_clzll(degree) : 0;
    stats->histogram[bin < HEDDLE_HISTOGRAM_BINS ? bin : HEDDLE_HISTOGRAM_BINS - 1] += count;
    d->squares += (double)count * off * off;
    d->spread += (double)degree * (double)count * ((double)(2 * d->passed + count) - (double)d->vertices);
    d->passed += count;
}

static void distribute(const view *g, const tally *t, const uint64_t *large, heddle_stats *stats) {
    uint64_t n = g->vertices;
    distribution d = {.vertices = n, .position = {(n + 1) / 2, n / 2 + 1, n - n / 100}};
    if (n == 0)
        return;
    d.mean = (double)g->edges / (double)n;
    for (unsigned k = 0; k < SMALL_DEGREE; k++)
        pass_degrees(&d, stats, k, t->counts[k]);
    for (uint64_t k = 0; k < t->large; k++)
        pass_degrees(&d, stats, large[k], 1);
    stats->mean_degree = d.mean;
    stats->median_degree = ((double)d.at_rank[0] + (double)d.at_rank[1]) / 2;
    stats->p99_degree = (double)d.at_rank[2];
    if (g->edges > 0) {
        stats->degree_deviation = sqrt(d.squares / (double)n) / d.mean;
        stats->gini = d.spread / ((double)n * (double)g->edges);
    }
}

static heddle_status measure_degrees(heddle_context *ctx, const view *g, heddle_stats *stats) {
    tally *tallies = NULL, *all;
    uint64_t *large = NULL, large_count = 0;
    heddle_status status;

    hd_phase_begin(ctx, "degrees", g->vertices);
    HD_CHECK(HD_NEW_ZERO(ctx, &tallies, ctx->threads, "degree counts"));
    HD_CHECK(tally_degrees(ctx, g, tallies));
    all = &tallies[0];
    large_count = all->large;
    HD_CHECK(HD_NEW(ctx, &large, large_count, "large degrees"));
    list_large_degrees(ctx, g, large);
    distribute(g, all, large, stats);
    stats->isolated = all->isolated;
    stats->max_out_degree = all->max_out;
    stats->max_in_degree = all->max_in;
    stats->max_out_vertex = (heddle_vertex)all->max_vertex;
    stats->warp_efficiency = all->steps ? (double)g->edges / ((double)all->steps * WARP) : 1;
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, large, large_count);
    HD_DELETE(&ctx->allocator, tallies, ctx->threads);
    return status;
}

/* ---- Arcs ---------------------------------------------------------------------------------------------------- */

/* Counts loops and parallel arcs among the arcs from .. to-1, which may begin and end inside rows. */
static void inspect_slice(const view *g, uint64_t from, uint64_t to, uint64_t *loops, uint64_t *parallels) {
    const uint32_t *targets = g->out.targets;
    for (uint64_t v = hd_row_of(g->out.offsets, g->vertices, from), e = from; e < to; v++) {
        uint64_t row = g->out.offsets[v], end = g->out.offsets[v + 1] < to ? g->out.offsets[v + 1] : to;
        for (; e < end; e++) {
            *loops += targets[e] == v;
            *parallels += e > row && targets[e] == targets[e - 1];
        }
    }
}

static void range_of_weights(const view *g, uint64_t from, uint64_t to, double *low, double *high) {
    for (uint64_t e = from; e < to; e++) {
        double weight = hd_weight_at(g->out.weights, g->weight_type, e);
        *low = weight < *low ? weight : *low;
        *high = weight > *high ? weight : *high;
    }
}

static void range_of_wholes(const view *g, uint64_t from, uint64_t to, int64_t *low, int64_t *high) {
    const int64_t *weights = g->out.weights;
    for (uint64_t e = from; e < to; e++) {
        *low = weights[e] < *low ? weights[e] : *low;
        *high = weights[e] > *high ? weights[e] : *high;
    }
}

static heddle_status inspect_arcs(heddle_context *ctx, const view *g, heddle_stats *stats) {
    uint64_t loops = 0, parallels = 0;
    double low = INFINITY, high = -INFINITY;
    int64_t least = INT64_MAX, most = INT64_MIN;
    bool whole = g->weight_type == HEDDLE_WEIGHT_I64;
    hd_phase_begin(ctx, "edges", g->edges);
    HD_PARALLEL_FOR(ctx, reduction(+ : loops, parallels) reduction(min : low, least) reduction(max : high, most)
                             schedule(dynamic))
    for (uint64_t from = 0; from < g->edges; from += slice_arcs) {
        uint64_t to = g->edges - from < slice_arcs ? g->edges : from + slice_arcs;
        if (hd_advance(ctx, to - from))
            continue;
        inspect_slice(g, from, to, &loops, &parallels);
        if (g->out.weights)
            range_of_weights(g, from, to, &low, &high);
        if (whole)
            range_of_wholes(g, from, to, &least, &most);
    }
    hd_phase_end(ctx);
    stats->self_loops = loops;
    stats->duplicate_edges = parallels;
    if (g->out.weights && g->edges > 0) {
        stats->weight_min = low;
        stats->weight_max = high;
        stats->weight_min_whole = whole ? least : 0;
        stats->weight_max_whole = whole ? most : 0;
    }
    return hd_cancelled_status(ctx);
}

/* ---- Ends of arcs ---------------------------------------------------------------------------------------------- */

/* Sums over arcs, of powers and products of the degrees at their ends; exact, so that no order matters. */
typedef struct ends {
    uint64_t mutual; /* arcs whose reverse is there, loops apart */
    hd_u128 source, target, source_squares, target_squares, products;
} ends;

/* Both rows of v are sorted: of the arcs to w those count that have w among the sources of arcs into v. */
static uint64_t count_mutual(const view *g, uint64_t v) {
    uint64_t count = 0, i = g->in.offsets[v], last = g->in.offsets[v + 1];
    for (uint64_t e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++) {
        uint32_t w = g->out.targets[e];
        while (i < last && g->in.targets[i] < w)
            i++;
        count += i < last && g->in.targets[i] == w && w != v;
    }
    return count;
}

static void add_ends(const view *g, uint64_t v, ends *sums) {
    hd_u128 out = degree(&g->out, v), in = degree(&g->in, v), near = 0;
    for (uint64_t e = g->out.offsets[v]; e < g->out.offsets[v + 1]; e++)
        near += degree(&g->in, g->out.targets[e]);
    sums->mutual += count_mutual(g, v);
    sums->source += out * out;
    sums->target += in * in;
    sums->source_squares += out * out * out;
    sums->target_squares += in * in * in;
    sums->products += out * near;
}

static void merge_ends(ends *all, const ends *one) {
    all->mutual += one->mutual;
    all->source += one->source;
    all->target += one->target;
    all->source_squares += one->source_squares;
    all->target_squares += one->target_squares;
    all->products += one->products;
}

/* Pearson's correlation; NaN if one side does not vary beyond what rounding makes. */
static double correlation(const ends *sums, double arcs) {
    double x = (double)sums->source / arcs, y = (double)sums->target / arcs;
    double x_squares = (double)sums->source_squares / arcs, y_squares = (double)sums->target_squares / arcs;
    double x_variance = x_squares - x * x, y_variance = y_squares - y * y;
    if (!(x_variance > 1e-12 * x_squares && y_variance > 1e-12 * y_squares))
        return NAN;
    return ((double)sums->products / arcs - x * y) / sqrt(x_variance * y_variance);
}

static heddle_status compare_ends(heddle_context *ctx, const view *g, heddle_stats *stats) {
    ends *sums;
    double arcs = (double)g->edges, n = (double)g->vertices, other_arcs = arcs - (double)stats->self_loops;
    HD_TRY(HD_NEW_ZERO(ctx, &sums, ctx->threads, "sums over arcs"));
    hd_phase_begin(ctx, "ends", g->vertices);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (uint64_t block = 0; block < g->vertices; block += WARP) {
        uint64_t end = g->vertices - block < WARP ? g->vertices : block + WARP;
        if (hd_advance(ctx, end - block))
            continue;
        for (uint64_t v = block; v < end; v++)
            add_ends(g, v, &sums[hd_thread()]);
    }
    hd_phase_end(ctx);
    for (int thread = 1; thread < ctx->threads; thread++)
        merge_ends(&sums[0], &sums[thread]);
    stats->density = n < 2 ? 0 : (arcs + (stats->directed ? 0 : (double)stats->self_loops)) / (n * (n - 1));
    stats->reciprocity = other_arcs > 0 ? (double)sums[0].mutual / other_arcs : NAN;
    stats->assortativity = arcs > 0 ? correlation(&sums[0], arcs) : NAN;
    HD_DELETE(&ctx->allocator, sums, ctx->threads);
    return hd_cancelled_status(ctx);
}

/* ---- Edges as people count them ------------------------------------------------------------------------------ */

/* The first of the ascending targets from .. to-1 that is not below v. */
static uint64_t first_target(const uint32_t *targets, uint64_t from, uint64_t to, uint64_t v) {
    while (from < to) {
        uint64_t middle = from + (to - from) / 2;
        if (targets[middle] < v)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

heddle_status heddle_graph_count_edges(heddle_context *ctx, const heddle_graph *graph, uint64_t *edges) {
    uint64_t loops = 0;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, edges);
    *edges = graph->edges;
    if (graph->directed)
        return HEDDLE_OK;
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OFFSETS | HD_VERIFY_TARGETS)); /* weights stay unread */
    hd_csr out = graph->out;
    hd_threads_settle(ctx, hd_work(graph->vertices, 0, 1));
    HD_PARALLEL_FOR(ctx, reduction(+ : loops) schedule(static))
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t end = out.offsets[v + 1];
        for (uint64_t e = first_target(out.targets, out.offsets[v], end, v); e < end && out.targets[e] == v; e++)
            loops++;
    }
    *edges = (graph->edges + loops) / 2;
    return HEDDLE_OK;
}

/* ---- All together -------------------------------------------------------------------------------------------- */

heddle_status heddle_graph_stats(heddle_context *ctx, const heddle_graph *graph, heddle_stats *stats) {
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS_ROOM(ctx, stats);
    hd_threads_settle(ctx, hd_work(graph->vertices, graph->edges, 1));
    view g = {graph->vertices, graph->edges, graph->weight_type, {NULL, NULL, NULL}, {NULL, NULL, NULL}};
    hd_components components;
    heddle_stats result = {
        .vertices = graph->vertices,
        .edges = graph->edges,
        .directed = graph->directed,
        .weight_type = graph->weight_type,
        .bytes_csr = (graph->vertices + 1) * sizeof(uint64_t) +
                     graph->edges * (sizeof(uint32_t) + hd_weight_size(graph->weight_type)),
    };

    HD_TRY(heddle_graph_out(ctx, graph, &g.out));
    HD_TRY(heddle_graph_in(ctx, graph, &g.in));
    HD_TRY(measure_degrees(ctx, &g, &result));
    HD_TRY(inspect_arcs(ctx, &g, &result));
    HD_TRY(compare_ends(ctx, &g, &result));
    HD_TRY(hd_weak_components(ctx, g.vertices, &g.out, &g.in, &components));
    result.components = components.count;
    result.largest_component = components.largest;
    uint64_t edges = graph->directed ? graph->edges : (graph->edges + result.self_loops) / 2;
    result.forest = edges == graph->vertices - components.count; /* a loop, or a parallel edge, would be one more */
    HD_TRY(hd_estimate_diameter(ctx, g.vertices, &g.out, &g.in, components.first, &result.estimated_diameter));
    HD_GIVE(stats, &result);
    return HEDDLE_OK;
}
