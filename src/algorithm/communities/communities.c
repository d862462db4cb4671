/* communities.c - communities of high modularity, level by level, on threads.
 * Idea: Louvain (Blondel et al., 2008): vertices move to the neighbouring community that gains most
 * (communities_sweep.c); communities become the vertices of the next level (communities_aggregate.c). Leiden (Traag,
 * Waltman, van Eck, 2019): the next level's vertices are parts of the communities, found by merging vertices inside of
 * them, so that nothing is merged that is not connected. Leiden's levels are gone through twice: what was merged too
 * early can still come apart. The first levels, which are the largest, stop early (as Sahu's GVE-Louvain, 2023): later
 * ones stop when nothing moves.
 *
 * Modularity is the sum over communities of in / 2m - resolution (total / 2m)^2: `in` counts edges inside from both
 * ends, `total` all ends of edges. Direction does not count: every arc of a directed graph is an edge. */
#include "algorithm/communities/communities_search.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/weight_check.h"
#include "graph/union_find.h"

#include <math.h>

enum {
    STRETCH = 1 << 11, /* vertices that are added up by label before shared sums are raised */
    STRIP = 1 << 12,   /* vertices whose share of the modularity is summed up first */
    HELD = 256         /* labels that a thread counts before shared sums are raised */
};

/* Of modularity. Leiden's second iteration begins with good communities, and goes further; when a level is at the last
 * tolerance, all that follow end only when nothing moves. */
static const double first_tolerance = 1e-3, tolerance_again = 1e-5, last_tolerance = 2e-6;

#define EACH(i, count)                                                         \
    HD_PARALLEL_FOR(s->ctx, schedule(static) if ((count) >= HD_WORTH_THREADS)) \
    for (uint64_t i = 0; i < (count); i++)

/* ---- Sums by label ----------------------------------------------------------------------------------------------- */

void hd_search_sums_close(hd_search *s) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    for (int i = 0; s->sums && i < s->ctx->threads; i++) {
        HD_DELETE(allocator, s->sums[i].slots, s->sums_room);
        HD_DELETE(allocator, s->sums[i].used, s->sums_room);
    }
    HD_DELETE(allocator, s->sums, (uint64_t)s->ctx->threads);
}

heddle_status hd_search_sums(hd_search *s, uint64_t labels) {
    uint64_t slots = hd_label_slots(labels);
    if (s->sums && slots <= s->sums_room)
        return HEDDLE_OK;
    hd_search_sums_close(s);
    s->sums_room = slots;
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->sums, (uint64_t)s->ctx->threads, "sums of threads"));
    for (int i = 0; i < s->ctx->threads; i++) {
        HD_TRY(HD_NEW_ZERO(s->ctx, &s->sums[i].slots, slots, "sums of threads"));
        HD_TRY(HD_NEW(s->ctx, &s->sums[i].used, slots, "sums of threads"));
    }
    return HEDDLE_OK;
}

/* Tables for the rows of the level, and for what is added up at once when they are merged. */
static heddle_status make_sums(hd_search *s) {
    const hd_level *g = s->graph;
    uint64_t longest = STRETCH;
    HD_PARALLEL_FOR(s->ctx, schedule(static) reduction(max : longest) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++)
        longest = hd_level_degree(g, v) > longest ? hd_level_degree(g, v) : longest;
    uint64_t most = hd_search_most(g->entries);
    most = most < g->entries ? most : g->entries;
    longest = longest > most ? longest : most;
    return hd_search_sums(s, longest < g->n ? longest : g->n);
}

static void add_stretch(const hd_search *s, const uint32_t *label, hd_label_sums *t, uint64_t from, uint64_t to) {
    hd_label_sums_begin(t, STRETCH, s->graph->n);
    for (uint64_t v = from; v < to; v++)
        hd_label_sums_count(t, label[v], s->graph->ends[v], 1);
    for (uint32_t i = 0; i < t->count; i++) {
        const hd_label_slot *slot = hd_label_sums_at(t, i);
        hd_fetch_add(&s->total[slot->key - 1], slot->sum);
        hd_fetch_add(&s->size[slot->key - 1], slot->times);
    }
    hd_label_sums_clear(t);
}

void hd_search_totals(hd_search *s, const uint32_t *label) {
    uint64_t n = s->graph->n, next = 0;
    EACH(c, n) {
        s->total[c] = 0;
        s->size[c] = 0;
    }
    HD_PARALLEL(s->ctx, if (n >= HD_WORTH_THREADS)) {
        hd_label_sums t = s->sums[hd_thread()];
        for (uint64_t v = hd_fetch_add(&next, STRETCH); v < n; v = hd_fetch_add(&next, STRETCH))
            add_stretch(s, label, &t, v, n - v < STRETCH ? n : v + STRETCH);
    }
}

/* ---- From level to level ----------------------------------------------------------------------------------------- */

/* Sweeps of the first level end when one gains less modularity than `tolerance`, tenfold less at each level that
 * follows. */
static heddle_status all_levels(hd_search *s, double tolerance, heddle_report *report) {
    report->converged = 1;
    hd_rounds_mark(s->ctx);
    for (; s->graph->n; tolerance = tolerance > last_tolerance ? tolerance / 10 : 0) {
        uint64_t n = s->graph->n, edges = s->graph->entries, moved;
        bool merged = false;
        if (s->levels == s->options->max_iterations) {
            report->converged = 0;
            break;
        }
        HD_TRY(make_sums(s));
        HD_TRY(hd_search_move(s, tolerance, &moved));
        s->levels++;
        bool last = moved == 0 && s->levels > 1;
        if (s->refine && !last)
            HD_TRY(hd_search_refine(s));
        if (!last)
            HD_TRY(hd_search_aggregate(s, &merged));
        report->edges_walked += edges;
        HD_ROUND(s->ctx, .rounds = 1, .vertices = n, .edges = edges, .kernel = "level");
        if (!merged && (s->refine || !moved || s->one_by_one))
            break;
        s->one_by_one |= !merged; /* vertices have only changed places */
    }
    report->iterations = s->levels;
    return hd_cancelled_status(s->ctx);
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

/* The vertices of the level, which is there, begin in `part`; NULL: each is a community. */
static heddle_status open_search(hd_search *s, const uint32_t *part) {
    uint64_t n = s->vertices;
    HD_TRY(HD_NEW(s->ctx, &s->member, n, "members"));
    HD_TRY(HD_NEW(s->ctx, &s->part, n, "communities"));
    HD_TRY(HD_NEW(s->ctx, &s->inner, s->refine ? n : 0, "parts"));
    HD_TRY(HD_NEW(s->ctx, &s->total, n, "ends of communities"));
    HD_TRY(HD_NEW(s->ctx, &s->size, n, "sizes of communities"));
    HD_TRY(HD_NEW(s->ctx, &s->next, n, "communities"));
    HD_TRY(HD_NEW(s->ctx, &s->marks, n, "marks"));
    HD_TRY(HD_NEW(s->ctx, &s->list, n, "a list of vertices"));
    HD_TRY(HD_NEW(s->ctx, &s->places, n + 2, "places of vertices"));
    EACH(v, n) {
        s->member[v] = (uint32_t)v;
        s->part[v] = part ? part[v] : (uint32_t)v;
    }
    s->all = hd_communities_all(hd_whole_of(&s->scale, s->scale.sum), s->options->resolution);
    s->least = HD_LEAST_GAIN * hd_whole_of(&s->scale, s->scale.sum);
    return HEDDLE_OK;
}

static void close_search(hd_search *s) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    uint64_t n = s->vertices;
    hd_level_close(s->ctx, &s->first);
    hd_level_close(s->ctx, &s->later);
    hd_search_sums_close(s);
    HD_DELETE(allocator, s->member, n);
    HD_DELETE(allocator, s->part, n);
    HD_DELETE(allocator, s->inner, s->refine ? n : 0);
    HD_DELETE(allocator, s->total, n);
    HD_DELETE(allocator, s->size, n);
    HD_DELETE(allocator, s->next, n);
    HD_DELETE(allocator, s->marks, n);
    HD_DELETE(allocator, s->list, n);
    HD_DELETE(allocator, s->places, n + 2);
}

/* Communities of the last level, named after their smallest vertices. */
static void name_communities(hd_search *s, uint32_t *label) {
    uint32_t *first = s->next;
    EACH(v, s->vertices)
    first[v] = UINT32_MAX;
    EACH(v, s->vertices)
    if (hd_load(&first[s->part[s->member[v]]]) > v)
        hd_lower(&first[s->part[s->member[v]]], (uint32_t)v);
    EACH(v, s->vertices)
    label[v] = first[s->part[s->member[v]]];
}

/* Back to the first level, whose vertices begin in the communities that were found. */
static void begin_again(hd_search *s) {
    name_communities(s, s->list);
    hd_level_close(s->ctx, &s->later);
    s->graph = &s->first;
    EACH(v, s->vertices) {
        s->member[v] = (uint32_t)v;
        s->part[v] = s->list[v];
    }
}

/* Pieces of a community that are not connected become communities: modularity does not fall thereby. */
static void split_pieces(hd_search *s, uint32_t *label) {
    const hd_level *g = &s->first;
    uint32_t *parent = s->part;
    EACH(v, g->n)
    parent[v] = (uint32_t)v;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, STRETCH) if (g->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < g->n; v++)
        for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
            if (g->targets[e] < v && label[g->targets[e]] == label[v])
                hd_set_join(parent, (uint32_t)v, g->targets[e]);
    EACH(v, g->n)
    label[v] = hd_set_root(parent, (uint32_t)v);
}

/* ---- Figures ----------------------------------------------------------------------------------------------------- */

/* Of labels of the level's vertices. Computed from what the search divided by, not from the option: the certificate
 * sees another resolution. Squares are summed up by strips, whatever the number of threads. */
static heddle_status find_modularity(hd_search *s, const uint32_t *label, double *modularity) {
    const hd_level *g = s->graph;
    uint64_t n = g->n, strips = (n + STRIP - 1) / STRIP, inside = 0;
    double *squares, sum = hd_whole_of(&s->scale, s->scale.sum);
    HD_TRY(HD_NEW(s->ctx, &squares, strips, "sums of strips"));
    HD_TRY(make_sums(s));
    hd_search_totals(s, label);
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1) reduction(+ : inside) if (n >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < strips; i++) {
        squares[i] = 0;
        for (uint64_t v = i * STRIP; v < (i + 1) * STRIP && v < n; v++) {
            squares[i] += (double)s->total[v] * (double)s->total[v];
            inside += g->own ? g->own[v] : 0;
            for (uint64_t e = g->offsets[v]; e < g->offsets[v + 1]; e++)
                inside += label[g->targets[e]] == label[v] ? hd_level_weight(g, e) : 0;
        }
    }
    *modularity = sum > 0 ? (double)inside / sum : 0;
    for (uint64_t i = 0; i < strips && sum > 0; i++)
        *modularity -= squares[i] / sum / s->all;
    HD_DELETE(&s->ctx->allocator, squares, strips);
    return HEDDLE_OK;
}

/* Counts labels first in a small table of the thread: all threads count those of the largest community. */
static void count_labels(heddle_context *ctx, const heddle_result *result, uint32_t *sizes) {
    const uint32_t *label = result->values;
    HD_PARALLEL(ctx, if (result->count >= HD_WORTH_THREADS)) {
        uint32_t held[HELD] = {0}, times[HELD] = {0};
        HD_FOR(schedule(static))
        for (uint64_t v = 0; v < result->count; v++) {
            uint32_t slot = label[v] % HELD;
            if (held[slot] != label[v] && times[slot]) {
                hd_fetch_add(&sizes[held[slot]], times[slot]);
                times[slot] = 0;
            }
            held[slot] = label[v];
            times[slot]++;
        }
        for (uint32_t slot = 0; slot < HELD; slot++)
            if (times[slot])
                hd_fetch_add(&sizes[held[slot]], times[slot]);
    }
}

heddle_status hd_communities_figures(heddle_context *ctx, heddle_result *result, double modularity, uint64_t levels) {
    const uint32_t *label = result->values;
    uint64_t communities = 0;
    uint32_t largest = 0, *sizes;
    HD_TRY(HD_NEW_ZERO(ctx, &sizes, result->count, "sizes of communities"));
    count_labels(ctx, result, sizes);
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : communities) reduction(max : largest)
                             if (result->count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < result->count; v++) {
        communities += label[v] == v;
        largest = sizes[v] > largest ? sizes[v] : largest;
    }
    HD_DELETE(&ctx->allocator, sizes, result->count);
    hd_result_figure(result, "communities", (double)communities);
    hd_result_figure(result, "largest", (double)largest);
    hd_result_figure(result, "modularity", modularity);
    hd_result_figure(result, "levels", (double)levels);
    return HEDDLE_OK;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

double hd_communities_all(double sum, double resolution) {
    return sum > 0 && resolution > 0 ? sum / resolution : HUGE_VAL;
}

heddle_status hd_communities_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    heddle_adjacency out;
    double most;
    if (!options->weighted || graph->weight_type == HEDDLE_WEIGHT_NONE)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(hd_weights_check(ctx, graph, &out, true, options->algorithm, &most));
    if (isinf(2 * most * (double)graph->edges))
        return hd_fail(ctx, HEDDLE_E_WEIGHT, "weights of up to %g, on %llu edges: %s needs weights whose sum is finite",
                       most, (unsigned long long)graph->edges, options->algorithm);
    return HEDDLE_OK;
}

/* Fills the labels. */
static heddle_status search_all(hd_search *s, heddle_report *report, uint32_t *label, double *modularity) {
    HD_TRY(all_levels(s, first_tolerance, report));
    if (s->refine && report->converged) {
        begin_again(s);
        HD_TRY(all_levels(s, tolerance_again, report));
    }
    name_communities(s, label);
    if (!s->refine)
        return find_modularity(s, s->part, modularity);
    split_pieces(s, label);
    s->graph = &s->first;
    return find_modularity(s, label, modularity);
}

heddle_status hd_communities_run(const hd_run *run, bool refine) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    hd_search s = {.ctx = ctx, .options = &run->options, .refine = refine, .vertices = run->graph->vertices};
    double modularity;
    heddle_status status;
    HD_TRY(hd_communities_check(ctx, run->graph, &run->options));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, run->graph->vertices));
    hd_phase_begin(ctx, "compute", 0);
    s.graph = &s.first;
    HD_CHECK(hd_level_first(ctx, run->graph, &run->options, &s.first, &s.scale));
    HD_CHECK(open_search(&s, NULL));
    HD_CHECK(search_all(&s, &result->report, result->values, &modularity));
    status = hd_communities_figures(ctx, result, modularity, s.levels);
out:
    hd_phase_end(ctx);
    close_search(&s);
    return status;
}

heddle_status hd_communities_rest(const hd_run *run, bool refine, hd_level *level, uint32_t *part,
                                  const hd_whole_scale *scale, uint64_t *levels) {
    hd_search s = {.ctx = run->ctx, .options = &run->options, .refine = refine, .scale = *scale, .levels = *levels};
    heddle_status status;
    s.first = *level;
    s.graph = &s.first;
    s.vertices = level->n;
    *level = (hd_level){0};
    HD_CHECK(open_search(&s, part));
    HD_CHECK(all_levels(&s, 0, &run->result->report));
    for (uint64_t v = 0; v < s.vertices; v++)
        part[v] = s.part[s.member[v]];
    *levels = s.levels;
out:
    close_search(&s);
    return status;
}

/* The edges of the first level, which stays, and its offsets and loops where it has rows of its own; room for merged
 * rows, of which a directed graph, whose arcs the first level has twice, fills about two thirds; the next level, with
 * about `next` times as many; and tables of threads. */
static double level_bytes(const hd_run *run, double next) {
    const heddle_graph *graph = run->graph;
    bool weighted = run->options.weighted && graph->weight_type != HEDDLE_WEIGHT_NONE;
    double entries = (double)graph->edges * (graph->directed ? 2 : 1), first = graph->directed ? 4 : 0;
    double most = (double)hd_search_most((uint64_t)entries);
    double table = 2.0 * 20 * (entries < most ? entries : most);
    double room = graph->directed ? 0.67 : 1, rows = graph->directed || weighted ? 16.0 * (double)graph->vertices : 0;
    return (first + (weighted ? 12 : 0) + 12 * (room + next)) * entries + rows + table * run->ctx->threads;
}

/* Louvain's next level has the fewer edges the more neighbours a vertex has: six tenths on roads, a twelfth at 24. */
heddle_status hd_louvain_bytes(const hd_run *run, double *bytes) {
    double degree = (double)run->graph->edges * (run->graph->directed ? 2 : 1) / fmax((double)run->graph->vertices, 1);
    *bytes = level_bytes(run, fmin(0.6, 2 / fmax(degree, 1)));
    return HEDDLE_OK;
}

/* Leiden merges refined communities, which are smaller and keep more edges between them. */
heddle_status hd_leiden_bytes(const hd_run *run, double *bytes) {
    *bytes = level_bytes(run, 1);
    return HEDDLE_OK;
}
