/* communities_level.c - graphs of a level (communities.h), and the first one, from the user's graph. */
#include "algorithm/communities/communities.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>

enum {
    ROWS = 1 << 10, /* that a thread takes at once, and whose weights are summed up first */
    BITS = 61,      /* of all ends of edges together */
    MOST_EXPONENT = 1000
};

void hd_whole_scale_set(hd_whole_scale *scale, double sum) {
    int exponent;
    frexp(sum, &exponent);
    exponent = BITS - exponent;
    int some = exponent < MOST_EXPONENT ? exponent : MOST_EXPONENT;
    scale->sum = sum;
    scale->factor = ldexp(1, some);
    scale->more = ldexp(1, exponent - some);
    scale->unit = exponent >= 0 && exponent < 64 ? UINT64_C(1) << exponent : 0;
}

heddle_status hd_level_open(heddle_context *ctx, uint64_t n, hd_level *g) {
    *g = (hd_level){.n = n};
    HD_TRY(HD_NEW_ZERO(ctx, &g->offsets_made, n + 1, "offsets of a level"));
    g->offsets = g->offsets_made;
    HD_TRY(HD_NEW_ZERO(ctx, &g->own, n, "loops of a level"));
    return HD_NEW_ZERO(ctx, &g->ends, n, "ends of edges");
}

heddle_status hd_level_room(heddle_context *ctx, uint64_t entries, bool weighted, hd_level *g) {
    g->entries = entries;
    HD_TRY(HD_NEW(ctx, &g->targets_made, entries, "edges of a level"));
    g->targets = g->targets_made;
    if (weighted)
        HD_TRY(HD_NEW(ctx, &g->weights_made, entries, "weights of a level"));
    g->weights = g->weights_made;
    return HEDDLE_OK;
}

void hd_level_close(heddle_context *ctx, hd_level *g) {
    HD_DELETE(&ctx->allocator, g->offsets_made, g->n + 1);
    HD_DELETE(&ctx->allocator, g->targets_made, g->entries);
    HD_DELETE(&ctx->allocator, g->weights_made, g->entries);
    HD_DELETE(&ctx->allocator, g->own, g->n);
    HD_DELETE(&ctx->allocator, g->ends, g->n);
    *g = (hd_level){0};
}

/* ---- The first level --------------------------------------------------------------------------------------------- */

/* The user's rows: of a directed graph those of both directions. */
typedef struct source {
    heddle_adjacency side[2];
    int sides;
    heddle_weight_type type;
    double loop; /* ends of a loop that one entry stands for: undirected graphs have loops once */
} source;

/* Entries without weight are left out: a sum of 0 says that there is no edge. */
static bool counts(const source *s, int side, uint64_t e, double *weight) {
    *weight = hd_weight_at(s->side[side].weights, s->type, e);
    return *weight > 0;
}

/* Adds the ends of v's edges to `sum`. */
static uint64_t count_row(const source *s, uint64_t v, double *sum) {
    uint64_t count = 0;
    double weight;
    for (int i = 0; i < s->sides; i++)
        for (uint64_t e = s->side[i].offsets[v]; e < s->side[i].offsets[v + 1]; e++)
            if (counts(s, i, e, &weight)) {
                bool loop = s->side[i].targets[e] == v;
                count += !loop;
                *sum += loop ? s->loop * weight : weight;
            }
    return count;
}

/* No weight becomes 0, which would be no edge. */
static uint64_t whole_of(const hd_whole_scale *scale, double weight) {
    uint64_t whole = (uint64_t)(hd_whole_of(scale, weight) + 0.5);
    return whole ? whole : 1;
}

static void fill_row(const source *s, const hd_whole_scale *scale, uint64_t v, hd_level *g) {
    uint64_t used = g->offsets[v];
    double weight;
    for (int i = 0; i < s->sides; i++)
        for (uint64_t e = s->side[i].offsets[v]; e < s->side[i].offsets[v + 1]; e++) {
            if (!counts(s, i, e, &weight))
                continue;
            bool loop = s->side[i].targets[e] == v;
            uint64_t whole = whole_of(scale, loop ? s->loop * weight : weight);
            g->ends[v] += whole;
            if (loop) {
                g->own[v] += whole;
                continue;
            }
            g->targets_made[used] = s->side[i].targets[e];
            if (g->weights_made)
                g->weights_made[used] = whole;
            used++;
        }
}

static heddle_status open_source(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                 source *s) {
    *s = (source){.sides = graph->directed ? 2 : 1, .loop = graph->directed ? 1 : 2};
    s->type = options->weighted ? graph->weight_type : HEDDLE_WEIGHT_NONE;
    HD_TRY(s->type ? heddle_graph_out(ctx, graph, &s->side[0]) : hd_graph_bare(ctx, graph, false, &s->side[0]));
    if (graph->directed)
        HD_TRY(s->type ? heddle_graph_in(ctx, graph, &s->side[1]) : hd_graph_bare(ctx, graph, true, &s->side[1]));
    return HEDDLE_OK;
}

/* The graph's own rows: no loops, all weights 1. */
static heddle_status borrow_rows(heddle_context *ctx, const heddle_graph *graph, const source *s, hd_level *g,
                                 hd_whole_scale *scale) {
    hd_whole_scale_set(scale, (double)graph->edges);
    *g = (hd_level){.n = graph->vertices, .entries = graph->edges, .unit = scale->unit};
    g->offsets = s->side[0].offsets;
    g->targets = s->side[0].targets;
    HD_TRY(HD_NEW(ctx, &g->ends, g->n, "ends of edges"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++)
        g->ends[v] = hd_level_degree(g, v) * g->unit;
    return HEDDLE_OK;
}

/* Lengths of rows, in the offsets; `sum`: all ends of edges, added up by strips, whatever the number of threads. */
static heddle_status count_rows(heddle_context *ctx, const source *s, hd_level *g, double *sum) {
    uint64_t strips = (g->n + ROWS - 1) / ROWS;
    double *sums;
    HD_TRY(HD_NEW(ctx, &sums, strips, "sums of strips"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < strips; i++) {
        sums[i] = 0;
        for (uint64_t v = i * ROWS; v < (i + 1) * ROWS && v < g->n; v++)
            g->offsets_made[v] = count_row(s, v, &sums[i]);
    }
    *sum = 0;
    for (uint64_t i = 0; i < strips; i++)
        *sum += sums[i];
    HD_DELETE(&ctx->allocator, sums, strips);
    return HEDDLE_OK;
}

heddle_status hd_level_first(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             hd_level *g, hd_whole_scale *scale) {
    source s;
    bool plain;
    double sum;
    HD_TRY(hd_level_is_plain(ctx, graph, options, &plain));
    HD_TRY(open_source(ctx, graph, options, &s));
    if (plain)
        return borrow_rows(ctx, graph, &s, g, scale);
    HD_TRY(hd_level_open(ctx, graph->vertices, g));
    HD_TRY(count_rows(ctx, &s, g, &sum));
    hd_whole_scale_set(scale, sum);
    g->unit = scale->unit;
    HD_TRY(hd_level_room(ctx, hd_prefix_sum(ctx, g->offsets_made, g->n), s.type != HEDDLE_WEIGHT_NONE, g));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, ROWS) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++)
        fill_row(&s, scale, v, g);
    return hd_advance(ctx, 0) ? hd_cancelled_status(ctx) : HEDDLE_OK;
}

static bool has_loop(const heddle_adjacency *rows, uint64_t v) {
    uint64_t low = rows->offsets[v], high = rows->offsets[v + 1];
    while (low < high) { /* rows ascend */
        uint64_t middle = low + (high - low) / 2;
        if (rows->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->offsets[v + 1] && rows->targets[low] == v;
}

heddle_status hd_level_is_plain(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                bool *plain) {
    uint64_t loops = 0;
    heddle_adjacency rows;
    *plain = false;
    if (graph->directed || (options->weighted && graph->weight_type != HEDDLE_WEIGHT_NONE))
        return HEDDLE_OK;
    HD_TRY(hd_graph_bare(ctx, graph, false, &rows));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, ROWS) reduction(+ : loops) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++)
        loops += has_loop(&rows, v);
    *plain = loops == 0;
    return HEDDLE_OK;
}
