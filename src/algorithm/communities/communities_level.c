/* communities_level.c - graphs of a level (communities.h), and the first one, from the user's graph. */
#include "algorithm/communities/communities.h"
#include "base/memory.h"
#include "base/parallel.h"

heddle_status hd_level_open(heddle_context *ctx, uint64_t n, hd_level *g) {
    *g = (hd_level){.n = n};
    HD_TRY(HD_NEW_ZERO(ctx, &g->offsets, n + 1, "offsets of a level"));
    HD_TRY(HD_NEW_ZERO(ctx, &g->own, n, "loops of a level"));
    return HD_NEW_ZERO(ctx, &g->ends, n, "ends of edges");
}

heddle_status hd_level_room(heddle_context *ctx, uint64_t entries, hd_level *g) {
    g->room = entries;
    HD_TRY(HD_NEW(ctx, &g->targets, entries, "edges of a level"));
    return HD_NEW(ctx, &g->weights, entries, "weights of a level");
}

void hd_level_close(heddle_context *ctx, hd_level *g) {
    HD_DELETE(&ctx->allocator, g->offsets, g->n + 1);
    HD_DELETE(&ctx->allocator, g->targets, g->room);
    HD_DELETE(&ctx->allocator, g->weights, g->room);
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

/* Below, a sum of 0 says that there is no edge: entries without weight are left out. */
static bool counts(const source *s, int side, uint64_t e, double *weight) {
    *weight = hd_weight_at(s->side[side].weights, s->type, e);
    return *weight > 0;
}

static uint64_t count_row(const source *s, uint64_t v) {
    uint64_t count = 0;
    double weight;
    for (int i = 0; i < s->sides; i++)
        for (uint64_t e = s->side[i].offsets[v]; e < s->side[i].offsets[v + 1]; e++)
            count += counts(s, i, e, &weight) && s->side[i].targets[e] != v;
    return count;
}

static void fill_row(const source *s, uint64_t v, hd_level *g) {
    uint64_t used = g->offsets[v];
    double weight;
    for (int i = 0; i < s->sides; i++)
        for (uint64_t e = s->side[i].offsets[v]; e < s->side[i].offsets[v + 1]; e++) {
            if (!counts(s, i, e, &weight))
                continue;
            if (s->side[i].targets[e] == v) {
                g->own[v] += s->loop * weight;
                g->ends[v] += s->loop * weight;
                continue;
            }
            g->targets[used] = s->side[i].targets[e];
            g->weights[used++] = weight;
            g->ends[v] += weight;
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

enum { ROWS = 1 << 10 /* that a thread takes at once */ };

heddle_status hd_level_first(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             hd_level *g, double *sum) {
    uint64_t n = graph->vertices;
    source s;
    HD_TRY(open_source(ctx, graph, options, &s));
    HD_TRY(hd_level_open(ctx, n, g));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, ROWS) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        g->offsets[v] = count_row(&s, v);
    HD_TRY(hd_level_room(ctx, hd_prefix_sum(ctx, g->offsets, n), g));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, ROWS) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        fill_row(&s, v, g);
    *sum = 0;
    for (uint64_t v = 0; v < n; v++)
        *sum += g->ends[v];
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
