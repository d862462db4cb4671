/* similar.c - vertices with similar neighbours: the similarity of given pairs, the vertices most similar to given ones,
 * or the most similar pairs of all.
 *
 * Given pairs are row intersections (engine/cpu/row_set.h). For the most similar ones to a vertex s, walks of two edges
 * lead from s to all vertices that share a neighbour with it, each as often as there are common neighbours: a thread
 * adds these up in an array with a word per vertex. For all pairs that is done from every vertex, to those after it.
 */
#include "algorithm/similar/similar.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/cpu/row_set.h"
#include "engine/vertex_name.h"
#include "graph/rows.h"
#include "graph/simple.h"

#include <string.h>

enum {
    STEP = 16,      /* sources, or pairs, that a thread takes at once */
    ROWS_SHARE = 4, /* threads' arrays take at most this many times the bytes of the rows */
    WORKER_WORD = sizeof(uint64_t) + sizeof(heddle_vertex)
};

/* ---- Shared with devices ----------------------------------------------------------------------------------------- */

heddle_status hd_similar_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    if (options->pair_count && !options->pairs)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "pairs is NULL, and pair_count is %llu",
                       (unsigned long long)options->pair_count);
    if (options->pair_count && options->source_count)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "similar: pairs and sources: expected one of them");
    for (uint64_t i = 0; i < options->pair_count; i++) {
        heddle_vertex a = options->pairs[2 * i], b = options->pairs[2 * i + 1];
        if (a >= graph->vertices || b >= graph->vertices)
            return hd_fail(ctx, HEDDLE_E_SOURCE, "pair %llu: vertex %lu: the graph has %llu vertices",
                           (unsigned long long)i, (unsigned long)(a >= graph->vertices ? a : b),
                           (unsigned long long)graph->vertices);
        if (a == b)
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "pair %llu: vertex %s with itself: expected two vertices",
                           (unsigned long long)i, hd_vertex_name(ctx, graph, a).text);
    }
    return HEDDLE_OK;
}

/* Pairs of a list: no vertex is similar to more than all others. */
static uint64_t list_length(const hd_run *run) {
    uint64_t top = run->options.top ? run->options.top : HD_SIMILAR_TOP, n = run->graph->vertices;
    return run->options.source_count && top >= n ? n - 1 : top;
}

static uint64_t count_lists(const heddle_run_options *options) {
    return options->pair_count ? 0 : options->source_count ? options->source_count : 1;
}

uint64_t hd_similar_lists_bytes(const hd_run *run) {
    uint64_t n = run->graph->vertices, each = list_length(run), lists = count_lists(&run->options);
    uint64_t pairs = run->options.source_count || each < n * 8 ? each : n * 8; /* more have seldom a common neighbour */
    return lists * (sizeof(hd_best_pairs) + pairs * sizeof(hd_pair)) + run->options.pair_count * 16;
}

heddle_status hd_similar_open(const hd_run *run, const uint64_t *offsets, const heddle_vertex *targets, hd_similar *s) {
    uint64_t n = run->graph->vertices;
    *s = (hd_similar){.run = run,
                      .ctx = run->ctx,
                      .measure = run->options.measure,
                      .offsets = offsets,
                      .targets = targets,
                      .vertices = n};
    for (uint64_t v = 0; v < n; v++)
        s->longest = offsets[v + 1] - offsets[v] > s->longest ? offsets[v + 1] - offsets[v] : s->longest;
    s->scale = hd_similarity_scale(s->longest);
    s->lists_count = count_lists(&run->options);
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->lists, s->lists_count, "lists of pairs"));
    for (uint64_t i = 0; i < s->lists_count; i++)
        s->lists[i].most = list_length(run);
    if (!hd_similarity_weighs(s->measure))
        return HEDDLE_OK;
    HD_TRY(HD_NEW(s->ctx, &s->weights, n, "weights of common neighbours"));
    HD_PARALLEL_FOR(s->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        s->weights[v] = hd_similarity_weight(s->measure, offsets[v + 1] - offsets[v], s->scale);
    return HEDDLE_OK;
}

void hd_similar_close(hd_similar *s) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    for (uint64_t i = 0; s->lists && i < s->lists_count; i++)
        hd_best_pairs_close(allocator, &s->lists[i]);
    HD_DELETE(allocator, s->lists, s->lists_count);
    HD_DELETE(allocator, s->weights, s->vertices);
}

bool hd_similar_is_wanted(const hd_similar *s, heddle_vertex a, heddle_vertex b) {
    const heddle_run_options *options = &s->run->options;
    uint64_t of_a = s->offsets[a + 1] - s->offsets[a], of_b = s->offsets[b + 1] - s->offsets[b];
    if (of_a < options->min_degree || of_b < options->min_degree)
        return false;
    return !options->not_neighbours || hd_row_arc(s->offsets, s->targets, a, b) == UINT64_MAX;
}

heddle_status hd_similar_rows(const hd_run *run, uint64_t count, double **scores) {
    heddle_result *result = run->result;
    result->forest_type = HEDDLE_WEIGHT_F64;
    result->forest_edges = count;
    HD_TRY(HD_NEW(run->ctx, &result->forest_ends, 2 * count, "pairs"));
    HD_TRY(HD_NEW(run->ctx, scores, count, "similarities"));
    result->forest_weights = *scores;
    if (run->options.pair_count)
        memcpy(result->forest_ends, run->options.pairs, count * 2 * sizeof *result->forest_ends);
    return HEDDLE_OK;
}

heddle_status hd_similar_take_lists(hd_similar *s) {
    heddle_result *result = s->run->result;
    uint64_t count = 0;
    double *scores;
    for (uint64_t i = 0; i < s->lists_count; i++) {
        if (s->lists[i].failed)
            return hd_fail_memory(s->ctx, s->lists[i].room * 2 * sizeof(hd_pair), "pairs");
        count += s->lists[i].count;
    }
    HD_TRY(hd_similar_rows(s->run, count, &scores));
    for (uint64_t i = 0, k = 0; i < s->lists_count; i++) {
        hd_best_pairs_sort(&s->lists[i]);
        for (uint64_t j = 0; j < s->lists[i].count; j++, k++) {
            result->forest_ends[2 * k] = s->lists[i].heap[j].a;
            result->forest_ends[2 * k + 1] = s->lists[i].heap[j].b;
            scores[k] = s->lists[i].heap[j].score;
        }
    }
    return HEDDLE_OK;
}

void hd_similar_figures(heddle_result *result) {
    const double *scores = result->forest_weights;
    double most = 0;
    for (uint64_t k = 0; k < result->forest_edges; k++)
        most = scores[k] > most ? scores[k] : most;
    hd_result_figure_whole(result, "pairs", result->forest_edges);
    hd_result_figure(result, "max", most);
}

/* ---- Given pairs ------------------------------------------------------------------------------------------------- */

typedef struct worker {
    hd_row_set set;
    uint64_t *sums;         /* per vertex; 0 between sources */
    heddle_vertex *touched; /* vertices whose sum is above 0 */
    hd_best_pairs best;     /* of all pairs */
    uint64_t walked;
} worker;

typedef struct job {
    hd_similar s;
    hd_simple simple;
    worker *workers;
    int worker_count; /* that many threads */
} job;

static uint64_t meet(const job *j, worker *w, heddle_vertex a, heddle_vertex b) {
    const uint64_t *offsets = j->simple.offsets;
    const heddle_vertex *targets = j->simple.targets;
    uint32_t counts[2] = {(uint32_t)(offsets[a + 1] - offsets[a]), (uint32_t)(offsets[b + 1] - offsets[b])};
    heddle_vertex shorter = counts[0] <= counts[1] ? a : b, longer = counts[0] <= counts[1] ? b : a;
    uint32_t few = counts[shorter == b], many = counts[shorter == a];
    hd_row_set_take(&w->set, targets + offsets[shorter], NULL, few);
    uint64_t sum = hd_row_set_meet(&w->set, targets + offsets[longer], many, few);
    if (j->s.weights) {
        sum = 0;
        for (uint32_t i = 0; i < few; i++)
            sum += hd_row_set_tally(&w->set)[i] ? j->s.weights[targets[offsets[shorter] + i]] : 0;
    }
    hd_row_set_drop(&w->set);
    w->walked += few + many;
    return sum;
}

static heddle_status compare_pairs(job *j) {
    const heddle_run_options *options = &j->s.run->options;
    uint64_t count = options->pair_count;
    double *scores;
    HD_TRY(hd_similar_rows(j->s.run, count, &scores));
    hd_phase_total(j->s.ctx, count);
    HD_PARALLEL_FOR(j->s.ctx, schedule(dynamic, STEP) if (count > STEP))
    for (uint64_t i = 0; i < count; i++) {
        heddle_vertex a = options->pairs[2 * i], b = options->pairs[2 * i + 1];
        if (hd_advance_each(j->s.ctx, i, STEP, STEP))
            continue;
        scores[i] = hd_similar_score(&j->s, a, b, meet(j, &j->workers[hd_thread()], a, b));
    }
    return hd_cancelled_status(j->s.ctx);
}

/* ---- The most similar -------------------------------------------------------------------------------------------- */

/* Adds up, for every vertex at two edges from s, what their common neighbours count; only for those after `above`. */
static uint64_t spread(const job *j, worker *w, heddle_vertex s, int64_t above) {
    const uint64_t *offsets = j->simple.offsets;
    const heddle_vertex *targets = j->simple.targets;
    uint64_t touched = 0;
    for (uint64_t e = offsets[s]; e < offsets[s + 1]; e++) {
        heddle_vertex u = targets[e];
        uint64_t more = j->s.weights ? j->s.weights[u] : 1, k = offsets[u], end = offsets[u + 1];
        if (above >= 0)
            k += hd_row_find(targets + k, end - k, (heddle_vertex)above + 1);
        w->walked += end - k;
        for (; k < end; k++) {
            w->touched[touched] = targets[k];
            touched += w->sums[targets[k]] == 0;
            w->sums[targets[k]] += more;
        }
    }
    return touched;
}

static void select_best(const job *j, worker *w, heddle_vertex s, uint64_t touched, hd_best_pairs *best) {
    for (uint64_t i = 0; i < touched; i++) {
        heddle_vertex t = w->touched[i];
        if (t != s && hd_similar_is_wanted(&j->s, s, t))
            hd_best_pairs_add(&j->s.ctx->allocator, best, (hd_pair){s, t, hd_similar_score(&j->s, s, t, w->sums[t])});
        w->sums[t] = 0;
    }
}

static heddle_status rank_from_sources(job *j) {
    const heddle_run_options *options = &j->s.run->options;
    bool all = !options->source_count;
    uint64_t count = all ? j->s.vertices : options->source_count, next = 0;
    hd_phase_total(j->s.ctx, count);
    HD_PARALLEL(j->s.ctx, if (j->worker_count > 1 && (count > 1))) {
        worker *w = hd_thread() < j->worker_count ? &j->workers[hd_thread()] : NULL;
        uint64_t first;
        while (w && (first = hd_fetch_add(&next, all ? STEP : 1)) < count && !hd_advance(j->s.ctx, all ? STEP : 1))
            for (uint64_t i = first; i < count && i < first + (all ? STEP : 1); i++) {
                heddle_vertex s = all ? (heddle_vertex)i : options->sources[i];
                select_best(j, w, s, spread(j, w, s, all ? (int64_t)s : -1), all ? &w->best : &j->s.lists[i]);
            }
    }
    HD_TRY(hd_cancelled_status(j->s.ctx));
    for (int t = 0; t < j->worker_count; t++) {
        hd_best_pairs *best = &j->workers[t].best;
        j->s.lists[0].failed |= best->failed;
        for (uint64_t i = 0; i < best->count; i++)
            hd_best_pairs_add(&j->s.ctx->allocator, &j->s.lists[0], best->heap[i]);
    }
    return hd_similar_take_lists(&j->s);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

/* Threads for which there is memory: their arrays have a word per vertex. */
static int count_workers(const heddle_context *ctx, uint64_t n, uint64_t arcs) {
    uint64_t most = ROWS_SHARE * (8 * n + 4 * arcs) / (n ? n * WORKER_WORD : 1);
    return most < 1 ? 1 : most < (uint64_t)ctx->threads ? (int)most : ctx->threads;
}

static heddle_status open_workers(job *j) {
    heddle_context *ctx = j->s.ctx;
    bool pairs = j->s.run->options.pair_count > 0;
    j->worker_count = pairs ? ctx->threads : count_workers(ctx, j->s.vertices, j->simple.edges);
    HD_TRY(HD_NEW_ZERO(ctx, &j->workers, (uint64_t)j->worker_count, "threads"));
    for (int t = 0; t < j->worker_count; t++) {
        worker *w = &j->workers[t];
        if (pairs) {
            HD_TRY(hd_row_set_open(ctx, j->s.vertices, (uint32_t)j->s.longest, false, &w->set));
            continue;
        }
        w->best.most = j->s.lists[0].most;
        HD_TRY(HD_NEW_ZERO(ctx, &w->sums, j->s.vertices, "sums over common neighbours"));
        HD_TRY(HD_NEW(ctx, &w->touched, j->s.vertices + 1, "vertices at two edges")); /* one is written too many */
    }
    return HEDDLE_OK;
}

static void close_workers(job *j) {
    const heddle_allocator *allocator = &j->s.ctx->allocator;
    for (int t = 0; j->workers && t < j->worker_count; t++) {
        worker *w = &j->workers[t];
        j->s.run->result->report.edges_walked += w->walked;
        hd_row_set_close(j->s.ctx, &w->set);
        HD_DELETE(allocator, w->sums, j->s.vertices);
        HD_DELETE(allocator, w->touched, j->s.vertices + 1);
        hd_best_pairs_close(allocator, &w->best);
    }
    HD_DELETE(allocator, j->workers, (uint64_t)j->worker_count);
}

static heddle_status compute(job *j) {
    HD_TRY(hd_similar_open(j->s.run, j->simple.offsets, j->simple.targets, &j->s));
    HD_TRY(open_workers(j));
    hd_rounds_mark(j->s.ctx);
    return j->s.run->options.pair_count ? compare_pairs(j) : rank_from_sources(j);
}

static heddle_status run_similar(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    job j = {.s = {.run = run, .ctx = ctx}};
    heddle_status status;
    HD_TRY(hd_similar_check(ctx, run->graph, &run->options));
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(hd_simple_open(ctx, run->graph, false, &j.simple));
    HD_CHECK(compute(&j));
    hd_similar_figures(run->result);
out:
    hd_phase_end(ctx);
    close_workers(&j);
    hd_similar_close(&j.s);
    hd_simple_close(ctx, &j.simple);
    if (status == HEDDLE_OK)
        HD_ROUND(ctx, .rounds = 1, .vertices = run->graph->vertices, .edges = run->result->report.edges_walked,
                 .kernel = run->options.pair_count ? "pairs" : "two edges");
    run->result->report.iterations = 1;
    run->result->report.converged = 1;
    return status;
}

static heddle_status more_host_bytes(const hd_run *run, double *bytes) {
    const heddle_graph *graph = run->graph;
    uint64_t simple, n = graph->vertices, arcs = graph->directed ? 2 * graph->edges : graph->edges;
    HD_TRY(hd_simple_bytes(run->ctx, graph, false, &simple));
    *bytes = (double)simple + (double)hd_similar_lists_bytes(run);
    if (hd_similarity_weighs(run->options.measure))
        *bytes += (double)n * 8;
    double workers = run->options.pair_count ? 0 : count_workers(run->ctx, n, arcs);
    *bytes += workers * (double)(n * WORKER_WORD);
    if (!run->options.source_count) /* each has a list of all pairs */
        *bytes += workers * (double)hd_similar_lists_bytes(run);
    return HEDDLE_OK;
}

#define OPTIONS(X, WITH_WORDS)                                               \
    X(pairs)                                                                 \
    WITH_WORDS(sources, "find those most similar to each of these vertices") \
    X(top) X(measure) X(not_neighbours) X(min_degree)

const hd_algorithm hd_algorithm_similar = {
    HD_ALGORITHM_INFO("similar", "how similar the neighbours of vertices are: of given pairs, or the most similar ones",
                      OPTIONS),
    .in_edges = HD_IN_MADE,
    HD_EXECUTORS({HD_ON_CPU, .run = run_similar},
                 {HD_ON_DEVICE, .bytes = hd_similar_device_bytes, .run = hd_device_similar}),
    .host_bytes = {.vertex = 1, .more = more_host_bytes},
    .no_order = "rows are pairs of vertices",
    .cost = {1000, 1000}, /* a GPU only on demand: given pairs and sources are over sooner than it has started */
    .check = hd_similar_check,
    .reference = hd_reference_similar,
    .verify = hd_verify_similar,
};
