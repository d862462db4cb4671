/* communities.c - communities of high modularity, level by level.
 * Idea: Louvain (Blondel et al., 2008): vertices move to the neighbouring community that gains most, until none gains;
 * communities become the vertices of the next level. Leiden (Traag, Waltman, van Eck, 2019): only vertices whose
 * neighbours have moved are looked at again, which Louvain does here too; and the next level's vertices are parts of
 * the communities, found by merging vertices inside of them, so that nothing is merged that is not connected. Leiden's
 * levels are gone through twice: what was merged too early can still come apart.
 *
 * Modularity is the sum over communities of in / 2m - resolution (total / 2m)^2: `in` counts edges inside from both
 * ends, `total` all ends of edges. Vertices are visited in an order that the seed gives. Direction does not count:
 * every arc of a directed graph is an edge. */
#include "algorithm/shared/communities.h"

#include "base/memory.h"
#include "base/random.h"
#include "engine/weight_check.h"

#include <math.h>
#include <string.h>

enum {
    STEP = 1 << 12, /* vertices between two checks of the cancel flag */
    MANY = 1 << 14  /* a mover gets levels after the first one if they have so many entries */
};
static const double least_gain = 1e-12; /* in units of 2m: less is rounding, and would move vertices for ever */

typedef struct search {
    heddle_context *ctx;
    const heddle_run_options *options;
    bool refine;
    uint64_t vertices;
    hd_level graph;
    double all;       /* 2m, times 1 / resolution: what totals are multiplied with is 1 / this */
    double sum;       /* 2m */
    uint32_t *member; /* per vertex of the user's: its vertex at this level */
    uint32_t *part;   /* per vertex of the level: its community … */
    double *total;    /* … and that one's ends */
    uint32_t *inner;  /* refine: its part of the community … */
    double *inside;   /* … and that one's ends */
    double *toward;   /* per community: weight of edges from the vertex that is looked at */
    uint32_t *near;   /* communities that have such */
    uint64_t near_count;
    uint32_t *queue;
    uint8_t *queued;
    uint64_t levels;
    const hd_mover *mover; /* NULL: none */
} search;

/* ---- Levels ------------------------------------------------------------------------------------------------------ */

static heddle_status open_level(heddle_context *ctx, uint64_t n, uint64_t room, hd_level *g) {
    *g = (hd_level){.n = n, .room = room};
    HD_TRY(HD_NEW_ZERO(ctx, &g->offsets, n + 1, "offsets of a level"));
    HD_TRY(HD_NEW(ctx, &g->targets, room, "edges of a level"));
    HD_TRY(HD_NEW(ctx, &g->weights, room, "weights of a level"));
    HD_TRY(HD_NEW_ZERO(ctx, &g->own, n, "loops of a level"));
    return HD_NEW_ZERO(ctx, &g->ends, n, "ends of edges");
}

static void close_level(heddle_context *ctx, hd_level *g) {
    HD_DELETE(&ctx->allocator, g->offsets, g->n + 1);
    HD_DELETE(&ctx->allocator, g->targets, g->room);
    HD_DELETE(&ctx->allocator, g->weights, g->room);
    HD_DELETE(&ctx->allocator, g->own, g->n);
    HD_DELETE(&ctx->allocator, g->ends, g->n);
}

/* Appends a row of the user's graph. A loop of an undirected graph is there once, and has two ends. */
static void add_row(hd_level *g, const heddle_adjacency *rows, heddle_weight_type type, uint64_t v, double loop,
                    uint64_t *used) {
    for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        double weight = hd_weight_at(rows->weights, type, e);
        if (!(weight > 0)) /* below, a sum of 0 says that there is no edge */
            continue;
        if (rows->targets[e] == v) {
            g->own[v] += loop * weight;
            g->ends[v] += loop * weight;
            continue;
        }
        g->targets[*used] = rows->targets[e];
        g->weights[(*used)++] = weight;
        g->ends[v] += weight;
    }
}

static heddle_status first_level(search *s, const heddle_graph *graph) {
    heddle_weight_type type = s->options->weighted ? graph->weight_type : HEDDLE_WEIGHT_NONE;
    heddle_adjacency out, in;
    uint64_t used = 0;
    HD_TRY(type ? heddle_graph_out(s->ctx, graph, &out) : hd_graph_bare(s->ctx, graph, false, &out));
    if (graph->directed)
        HD_TRY(type ? heddle_graph_in(s->ctx, graph, &in) : hd_graph_bare(s->ctx, graph, true, &in));
    HD_TRY(open_level(s->ctx, graph->vertices, graph->edges * (graph->directed ? 2 : 1), &s->graph));
    s->graph.even = !type;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        add_row(&s->graph, &out, type, v, graph->directed ? 1 : 2, &used);
        if (graph->directed)
            add_row(&s->graph, &in, type, v, 1, &used);
        s->graph.offsets[v + 1] = used;
        s->sum += s->graph.ends[v];
    }
    return hd_advance(s->ctx, 0) ? hd_cancelled_status(s->ctx) : HEDDLE_OK;
}

/* Adds up, in `toward`, the weight of v's edges by the label of their other ends. */
static void look(search *s, const uint32_t *label, uint32_t v) {
    const hd_level *g = &s->graph;
    s->near_count = 0;
    for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
        uint32_t c = label[g->targets[e]];
        if (s->toward[c] == 0)
            s->near[s->near_count++] = c;
        s->toward[c] += g->weights[e];
    }
}

static void forget(search *s) {
    for (uint64_t i = 0; i < s->near_count; i++)
        s->toward[s->near[i]] = 0;
}

/* Adds up, in `toward`, the edges of all vertices of a label, by the label of their other ends. */
static void look_together(search *s, const uint32_t *label, const uint32_t *sorted, uint64_t first, uint64_t end) {
    const hd_level *g = &s->graph;
    s->near_count = 0;
    for (uint64_t i = first; i < end; i++)
        for (uint64_t e = g->offsets[sorted[i]]; e < g->offsets[sorted[i] + 1]; e++) {
            uint32_t other = label[g->targets[e]];
            if (s->toward[other] == 0)
                s->near[s->near_count++] = other;
            s->toward[other] += g->weights[e];
        }
}

/* Writes what was added up for label c: edges inside become loops. */
static void write_row(const search *s, uint32_t c, hd_level *next, uint64_t *used) {
    for (uint64_t i = 0; i < s->near_count; i++)
        if (s->near[i] == c)
            next->own[c] += s->toward[c];
        else {
            next->targets[*used] = s->near[i];
            next->weights[(*used)++] = s->toward[s->near[i]];
        }
    next->offsets[c + 1] = *used;
}

/* The graph whose vertices are the labels below `count`; `sorted` are the vertices by label, with `starts`. Counts its
 * edges first: there are usually far fewer than there were. */
static heddle_status merge_level(search *s, const uint32_t *label, uint64_t count, const uint32_t *sorted,
                                 const uint64_t *starts) {
    hd_level next = {0};
    uint64_t room = 0, used = 0;
    heddle_status status = HEDDLE_OK;
    for (int write = 0; write < 2 && status == HEDDLE_OK; write++) {
        for (uint64_t c = 0; c < count && !(c % STEP == 0 && hd_advance(s->ctx, 0)); c++) {
            look_together(s, label, sorted, starts[c], starts[c + 1]);
            if (write)
                write_row(s, (uint32_t)c, &next, &used);
            else
                room += s->near_count - (s->toward[c] > 0);
            forget(s);
        }
        status = hd_cancelled_status(s->ctx);
        if (!write && status == HEDDLE_OK)
            status = open_level(s->ctx, count, room, &next);
    }
    for (uint64_t v = 0; v < s->graph.n && status == HEDDLE_OK; v++) {
        next.own[label[v]] += s->graph.own[v];
        next.ends[label[v]] += s->graph.ends[v];
    }
    close_level(s->ctx, status == HEDDLE_OK ? &s->graph : &next);
    if (status == HEDDLE_OK)
        s->graph = next;
    return status;
}

/* ---- Moving ------------------------------------------------------------------------------------------------------ */

/* An order of the level's vertices, by the seed. */
static void shuffle(search *s) {
    uint64_t n = s->graph.n;
    for (uint64_t i = 0; i < n; i++)
        s->queue[i] = (uint32_t)i;
    for (uint64_t i = 0; i + 1 < n; i++) {
        uint64_t j = i + hd_below(hd_random(s->options->seed + s->levels, i), n - i);
        uint32_t v = s->queue[i];
        s->queue[i] = s->queue[j];
        s->queue[j] = v;
    }
}

/* The community that the vertex gains most in; `stay` if no other is better. Ends are without those of v. */
static uint32_t best_of(const search *s, const double *ends, uint32_t v, uint32_t stay) {
    double factor = s->graph.ends[v] / s->all, best = s->toward[stay] - factor * ends[stay];
    uint32_t found = stay;
    best += least_gain * s->sum;
    for (uint64_t i = 0; i < s->near_count; i++) {
        uint32_t c = s->near[i];
        double gain = s->toward[c] - factor * ends[c];
        if (c != stay && (gain > best || (gain == best && found != stay && c < found))) {
            best = gain;
            found = c;
        }
    }
    return found;
}

/* Visits vertices until none of them gains by moving. Returns how many moved. */
static uint64_t move_vertices(search *s) {
    const hd_level *g = &s->graph;
    uint64_t n = g->n, head = 0, left = n, moved = 0;
    shuffle(s);
    memset(s->queued, 1, n);
    for (uint64_t step = 1; left && !(step % STEP == 0 && hd_advance(s->ctx, STEP)); step++, left--) {
        uint32_t v = s->queue[head], from = s->part[v];
        head = head + 1 == n ? 0 : head + 1;
        s->queued[v] = 0;
        look(s, s->part, v);
        s->total[from] -= g->ends[v];
        uint32_t to = best_of(s, s->total, v, from);
        s->total[to] += g->ends[v];
        s->part[v] = to;
        forget(s);
        for (uint64_t e = g->offsets[v]; to != from && e < g->offsets[v + 1]; e++) {
            uint32_t w = g->targets[e];
            if (s->part[w] != to && !s->queued[w]) {
                s->queued[w] = 1;
                s->queue[(head + left - 1) % n] = w;
                left++;
            }
        }
        moved += to != from;
    }
    return moved;
}

/* By the mover, if there is one and it pays off. */
static heddle_status move_somehow(search *s, uint64_t *moved) {
    const hd_level *g = &s->graph;
    hd_moving m = {.graph = g, .seed = s->options->seed, .level = s->levels, .sum = s->sum, .all = s->all};
    *moved = HD_NOT_MOVED;
    if (s->mover && (!s->levels || g->offsets[g->n] >= MANY))
        HD_TRY(s->mover->move(s->mover->self, &m, s->part, moved));
    if (*moved == HD_NOT_MOVED) {
        *moved = move_vertices(s);
        return HEDDLE_OK;
    }
    memset(s->total, 0, g->n * sizeof *s->total);
    for (uint64_t v = 0; v < g->n; v++)
        s->total[s->part[v]] += g->ends[v];
    return HEDDLE_OK;
}

/* ---- Refining ---------------------------------------------------------------------------------------------------- */

/* Edges of v to the rest of its community. */
static double inward(const search *s, uint32_t v) {
    const hd_level *g = &s->graph;
    double sum = 0;
    for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
        sum += s->part[g->targets[e]] == s->part[v] ? g->weights[e] : 0;
    return sum;
}

/* Leaves the labels of parts of v's own community in `near`. */
static void look_inside(search *s, uint32_t v) {
    const hd_level *g = &s->graph;
    s->near_count = 0;
    for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
        uint32_t w = g->targets[e], c = s->inner[w];
        if (s->part[w] != s->part[v])
            continue;
        if (s->toward[c] == 0)
            s->near[s->near_count++] = c;
        s->toward[c] += g->weights[e];
    }
}

/* Vertices that are alone, and tied to their community well enough, join the part of it in which they gain most. */
static void refine_parts(search *s) {
    const hd_level *g = &s->graph;
    uint64_t n = g->n;
    for (uint64_t v = 0; v < n; v++) {
        s->inner[v] = (uint32_t)v;
        s->inside[v] = g->ends[v];
    }
    shuffle(s);
    memset(s->queued, 0, n); /* here: somebody has joined the vertex */
    for (uint64_t i = 0; i < n && !(i % STEP == 0 && hd_advance(s->ctx, STEP)); i++) {
        uint32_t v = s->queue[i], own = s->inner[v];
        double rest = s->total[s->part[v]] - g->ends[v];
        if (s->queued[v] || inward(s, v) < g->ends[v] * rest / s->all)
            continue;
        look_inside(s, v);
        s->inside[own] -= g->ends[v];
        uint32_t to = best_of(s, s->inside, v, own);
        s->inside[to] += g->ends[v];
        s->inner[v] = to;
        s->queued[to] = to != own ? 1 : s->queued[to];
        forget(s);
    }
}

/* ---- From level to level ----------------------------------------------------------------------------------------- */

/* Renumbers labels 0, 1, 2 … by first occurrence; `map` has room for each. Returns how many there are. */
static uint64_t renumber(uint32_t *label, uint64_t n, uint32_t *map) {
    uint64_t count = 0;
    memset(map, 0xff, n * sizeof *map);
    for (uint64_t v = 0; v < n; v++) {
        if (map[label[v]] == UINT32_MAX)
            map[label[v]] = (uint32_t)count++;
        label[v] = map[label[v]];
    }
    return count;
}

/* The vertices by label. */
static heddle_status sort_by_label(search *s, const uint32_t *label, uint64_t count, uint32_t *sorted,
                                   uint64_t **starts) {
    uint64_t n = s->graph.n;
    HD_TRY(HD_NEW_ZERO(s->ctx, starts, count + 2, "starts of communities"));
    for (uint64_t v = 0; v < n; v++)
        (*starts)[label[v] + 2]++;
    for (uint64_t c = 2; c < count + 2; c++)
        (*starts)[c] += (*starts)[c - 1];
    for (uint64_t v = 0; v < n; v++)
        sorted[(*starts)[label[v] + 1]++] = (uint32_t)v;
    return HEDDLE_OK;
}

/* Communities, or their parts, become vertices; a part begins in the community that it is a part of. */
static heddle_status next_level(search *s, bool *merged) {
    uint64_t n = s->graph.n, count, *starts = NULL;
    uint32_t *label = s->refine ? s->inner : s->part;
    heddle_status status;
    renumber(s->part, n, s->near);
    count = renumber(label, n, s->near);
    *merged = count < n;
    if (!*merged)
        return HEDDLE_OK;
    HD_TRY(sort_by_label(s, label, count, s->queue, &starts));
    HD_CHECK(merge_level(s, label, count, s->queue, starts));
    for (uint64_t u = 0; u < s->vertices; u++)
        s->member[u] = label[s->member[u]];
    for (uint64_t c = 0; c < count; c++) /* in place: a label is never above the place where it first occurs */
        s->near[c] = s->refine ? s->part[s->queue[starts[c]]] : (uint32_t)c;
    memcpy(s->part, s->near, count * sizeof *s->part);
    renumber(s->part, count, s->near);
    memset(s->total, 0, count * sizeof *s->total);
    for (uint64_t c = 0; c < count; c++)
        s->total[s->part[c]] += s->graph.ends[c];
out:
    HD_DELETE(&s->ctx->allocator, starts, count + 2);
    return status;
}

static heddle_status all_levels(search *s, heddle_report *report) {
    bool merged = true;
    report->converged = 1;
    hd_rounds_mark(s->ctx);
    while (merged && s->graph.n) {
        if (s->levels == s->options->max_iterations) {
            report->converged = 0;
            break;
        }
        uint64_t moved, n = s->graph.n, edges = s->graph.offsets[n];
        HD_TRY(move_somehow(s, &moved));
        HD_TRY(hd_cancelled_status(s->ctx));
        s->levels++;
        bool last = moved == 0 && s->levels > 1;
        if (s->refine && !last)
            refine_parts(s);
        HD_TRY(hd_cancelled_status(s->ctx));
        report->edges_walked += edges;
        HD_ROUND(s->ctx, .rounds = 1, .vertices = n, .edges = edges, .kernel = "level");
        if (last)
            break;
        HD_TRY(next_level(s, &merged));
    }
    report->iterations = s->levels;
    return HEDDLE_OK;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static heddle_status open_search(search *s, const heddle_graph *graph) {
    uint64_t n = graph->vertices;
    HD_TRY(first_level(s, graph));
    HD_TRY(HD_NEW(s->ctx, &s->member, n, "members"));
    HD_TRY(HD_NEW(s->ctx, &s->part, n, "communities"));
    HD_TRY(HD_NEW(s->ctx, &s->total, n, "ends of communities"));
    HD_TRY(HD_NEW(s->ctx, &s->inner, s->refine ? n : 0, "parts"));
    HD_TRY(HD_NEW(s->ctx, &s->inside, s->refine ? n : 0, "ends of parts"));
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->toward, n, "weights"));
    HD_TRY(HD_NEW(s->ctx, &s->near, n, "neighbours"));
    HD_TRY(HD_NEW(s->ctx, &s->queue, n, "a queue"));
    HD_TRY(HD_NEW(s->ctx, &s->queued, n, "marks"));
    for (uint64_t v = 0; v < n; v++) {
        s->member[v] = s->part[v] = (uint32_t)v;
        s->total[v] = s->graph.ends[v];
    }
    double resolution = s->options->resolution;
    s->all = s->sum > 0 && resolution > 0 ? s->sum / resolution : HUGE_VAL;
    return HEDDLE_OK;
}

static void close_search(search *s) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    uint64_t n = s->vertices;
    close_level(s->ctx, &s->graph);
    HD_DELETE(allocator, s->member, n);
    HD_DELETE(allocator, s->part, n);
    HD_DELETE(allocator, s->total, n);
    HD_DELETE(allocator, s->inner, s->refine ? n : 0);
    HD_DELETE(allocator, s->inside, s->refine ? n : 0);
    HD_DELETE(allocator, s->toward, n);
    HD_DELETE(allocator, s->near, n);
    HD_DELETE(allocator, s->queue, n);
    HD_DELETE(allocator, s->queued, n);
}

/* Communities of the last level, named after their smallest vertices. */
static void name_communities(search *s, uint32_t *label) {
    memset(s->near, 0xff, s->vertices * sizeof *s->near);
    for (uint64_t v = 0; v < s->vertices; v++) {
        uint32_t c = s->part[s->member[v]];
        if (s->near[c] == UINT32_MAX)
            s->near[c] = (uint32_t)v;
        label[v] = s->near[c];
    }
}

static heddle_status return_to_first(search *s, const heddle_graph *graph) {
    close_level(s->ctx, &s->graph);
    s->graph = (hd_level){0};
    s->sum = 0;
    return first_level(s, graph);
}

/* Makes the first level anew; its vertices begin in the communities that were found. */
static heddle_status begin_again(search *s, const heddle_graph *graph) {
    name_communities(s, s->queue);
    HD_TRY(return_to_first(s, graph));
    memset(s->total, 0, s->vertices * sizeof *s->total);
    for (uint64_t v = 0; v < s->vertices; v++) {
        s->member[v] = (uint32_t)v;
        s->part[v] = s->queue[v];
        s->total[s->part[v]] += s->graph.ends[v];
    }
    return HEDDLE_OK;
}

static void spread(const heddle_adjacency *rows, const uint32_t *label, uint32_t *name, uint32_t *queue, uint32_t v,
                   uint64_t *tail) {
    for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        uint32_t w = rows->targets[e];
        if (label[w] == label[v] && name[w] == UINT32_MAX) {
            name[w] = name[v];
            queue[(*tail)++] = w;
        }
    }
}

/* Pieces of a community that are not connected become communities: modularity does not fall thereby. */
static heddle_status split_pieces(search *s, const heddle_graph *graph, uint32_t *label) {
    heddle_adjacency out, in = {.offsets = NULL};
    uint32_t *name = s->member;
    HD_TRY(hd_graph_bare(s->ctx, graph, false, &out));
    if (graph->directed)
        HD_TRY(hd_graph_bare(s->ctx, graph, true, &in));
    memset(name, 0xff, s->vertices * sizeof *name);
    for (uint64_t v = 0; v < s->vertices && !(v % STEP == 0 && hd_advance(s->ctx, 0)); v++) {
        uint64_t tail = 1;
        if (name[v] != UINT32_MAX)
            continue;
        name[v] = s->queue[0] = (uint32_t)v;
        for (uint64_t head = 0; head < tail; head++) {
            spread(&out, label, name, s->queue, s->queue[head], &tail);
            if (graph->directed)
                spread(&in, label, name, s->queue, s->queue[head], &tail);
        }
    }
    memcpy(label, name, s->vertices * sizeof *label);
    return hd_cancelled_status(s->ctx);
}

/* Of the final labels, on the user's graph: `ends` and `own` are those of its vertices. */
static heddle_status add_figures(search *s, const heddle_graph *graph, heddle_result *result) {
    const uint32_t *label = result->values;
    uint64_t communities = 0, largest = 0;
    double modularity = 0;
    HD_TRY(return_to_first(s, graph));
    const hd_level *g = &s->graph;
    memset(s->total, 0, s->vertices * sizeof *s->total);
    memset(s->near, 0, s->vertices * sizeof *s->near);
    for (uint64_t v = 0; v < s->vertices; v++) {
        double inside = g->own[v];
        for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
            inside += label[g->targets[e]] == label[v] ? g->weights[e] : 0;
        modularity += s->sum > 0 ? inside / s->sum : 0;
        s->total[label[v]] += g->ends[v];
        communities += label[v] == v;
        largest = ++s->near[label[v]] > largest ? s->near[label[v]] : largest;
    }
    for (uint64_t v = 0; v < s->vertices && s->sum > 0; v++)
        modularity -= s->options->resolution * (s->total[v] / s->sum) * (s->total[v] / s->sum);
    hd_result_figure(result, "communities", (double)communities);
    hd_result_figure(result, "largest", (double)largest);
    hd_result_figure(result, "modularity", modularity);
    hd_result_figure(result, "levels", (double)s->levels);
    return HEDDLE_OK;
}

heddle_status hd_communities_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    double most;
    if (!(options->resolution >= 0) || isinf(options->resolution))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "resolution %g: expected a finite number, 0 or more",
                       options->resolution);
    if (!options->weighted || graph->weight_type == HEDDLE_WEIGHT_NONE)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    return hd_weights_check(ctx, graph, &out, true, options->algorithm, &most);
}

heddle_status hd_communities_run(const hd_run *run, bool refine, const hd_mover *mover) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    search s = {.ctx = ctx, .options = &run->options, .refine = refine, .vertices = run->graph->vertices};
    heddle_status status;
    s.mover = mover;
    HD_TRY(hd_communities_check(ctx, run->graph, &run->options));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, run->graph->vertices));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open_search(&s, run->graph));
    HD_CHECK(all_levels(&s, &result->report));
    if (refine && result->report.converged) {
        HD_CHECK(begin_again(&s, run->graph));
        HD_CHECK(all_levels(&s, &result->report));
    }
    name_communities(&s, result->values);
    if (refine)
        HD_CHECK(split_pieces(&s, run->graph, result->values));
    status = add_figures(&s, run->graph, result);
out:
    hd_phase_end(ctx);
    close_search(&s);
    return status;
}

/* The edges of the first level, and of the next, which has about a third of them at most on usual graphs; and arrays of
 * vertices. */
heddle_status hd_communities_bytes(const hd_run *run, double *bytes) {
    const heddle_graph *graph = run->graph;
    double entries = (double)graph->edges * (graph->directed ? 2 : 1);
    *bytes = 1.33 * 12 * entries + 24 * (double)graph->vertices;
    return HEDDLE_OK;
}
