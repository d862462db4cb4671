/* search.c - see search.h. The sample is the graph itself, or, if that is large, what a breadth-first search from the
 * run's source reaches first, with all edges between; from further vertices too, if the source reaches few. Each plan
 * runs twice there, so that kernels are compiled: preparing counts, because a run has to pay for it, and computing is
 * that of the second run. */
#include "run/search.h"

#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "graph/rebuild.h"
#include "run/inner.h"
#include "run/resolve.h"

#include <math.h>
#include <string.h>

enum { SAMPLE_VERTICES = 1 << 12, SAMPLE_EDGES = 1 << 17 };
static const double clearly = 0.9;     /* of the exact run's time */
static const double measurable = 1e-3; /* seconds: below this, differences are the machine's */

const hd_trial *hd_search_best(const hd_trial *trials, size_t count, double exact, double max_error) {
    const hd_trial *best = NULL;
    for (size_t i = 0; exact >= measurable && i < count; i++)
        if (trials[i].inaccuracy <= max_error && trials[i].seconds < clearly * exact &&
            (!best || trials[i].seconds < best->seconds))
            best = &trials[i];
    return best;
}

/* ---- The sample -------------------------------------------------------------------------------------------------- */

typedef struct sample {
    heddle_vertex *order; /* its vertices */
    heddle_vertex *place; /* of each vertex of the graph; UINT32_MAX: none */
    uint64_t count, edges;
    uint64_t *offsets;
    heddle_vertex *targets;
    char *weights;
    heddle_graph *graph;
} sample;

static void close_sample(heddle_context *ctx, const heddle_graph *graph, sample *s) {
    const heddle_allocator *allocator = &ctx->allocator;
    heddle_graph_destroy(&s->graph);
    HD_DELETE(allocator, s->order, SAMPLE_VERTICES);
    HD_DELETE(allocator, s->place, graph->vertices);
    HD_DELETE(allocator, s->offsets, SAMPLE_VERTICES + 1);
    HD_DELETE(allocator, s->targets, s->edges);
    HD_DELETE(allocator, s->weights, s->edges * hd_weight_size(graph->weight_type));
}

static void take(sample *s, uint64_t v) {
    s->order[s->count] = (heddle_vertex)v;
    s->place[v] = (heddle_vertex)s->count++;
}

/* The vertices, and how many edges there are between them. */
static heddle_status reach(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                           heddle_vertex source, sample *s) {
    uint64_t next = 0; /* to begin with where nothing more is reached, if it has edges */
    HD_TRY(HD_NEW(ctx, &s->order, SAMPLE_VERTICES, "a sample"));
    HD_TRY(HD_NEW(ctx, &s->place, graph->vertices, "a sample"));
    HD_TRY(HD_NEW(ctx, &s->offsets, SAMPLE_VERTICES + 1, "a sample"));
    memset(s->place, 0xff, graph->vertices * sizeof *s->place);
    take(s, source);
    for (uint64_t i = 0; i < s->count; i++) {
        for (uint64_t e = out->offsets[s->order[i]]; e < out->offsets[s->order[i] + 1]; e++)
            if (s->place[out->targets[e]] == UINT32_MAX && s->count < SAMPLE_VERTICES)
                take(s, out->targets[e]);
        for (; i + 1 == s->count && s->count < SAMPLE_VERTICES && next < graph->vertices; next++)
            if (s->place[next] == UINT32_MAX && out->offsets[next] < out->offsets[next + 1])
                take(s, next);
    }
    for (uint64_t i = 0; i < s->count; i++)
        for (uint64_t e = out->offsets[s->order[i]]; e < out->offsets[s->order[i] + 1]; e++)
            s->edges += s->place[out->targets[e]] != UINT32_MAX;
    return HEDDLE_OK;
}

static heddle_status take_sample(heddle_context *ctx, const heddle_graph *graph, heddle_vertex source, sample *s) {
    size_t size = hd_weight_size(graph->weight_type);
    uint64_t at = 0;
    heddle_adjacency out;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(reach(ctx, graph, &out, source, s));
    HD_TRY(HD_NEW(ctx, &s->targets, s->edges, "a sample"));
    if (size)
        HD_TRY(HD_NEW(ctx, &s->weights, s->edges * size, "a sample"));
    for (uint64_t i = 0; i < s->count; i++) {
        s->offsets[i] = at;
        for (uint64_t e = out.offsets[s->order[i]]; e < out.offsets[s->order[i] + 1]; e++) {
            if (s->place[out.targets[e]] == UINT32_MAX)
                continue;
            if (size)
                memcpy(s->weights + at * size, (const char *)out.weights + e * size, size);
            s->targets[at++] = s->place[out.targets[e]];
        }
    }
    s->offsets[s->count] = at;
    hd_rows rows = {.vertices = s->count,
                    .edges = at,
                    .offsets = (const char *)s->offsets,
                    .targets = (const char *)s->targets,
                    .weights = s->weights,
                    .stride = sizeof(uint32_t),
                    .weight_stride = size,
                    .weight_type = graph->weight_type};
    heddle_build_options options;
    heddle_build_options_init(&options);
    options.symmetrize = !graph->directed;
    hd_edge_source edges = hd_rows_source(ctx, &rows);
    return hd_graph_build(ctx, &edges, &options, &s->graph);
}

/* ---- Trials ------------------------------------------------------------------------------------------------------ */

/* Runs the plan twice, or, if preparing takes as long as `most` already, once. HEDDLE_E_REFUSED is no failure: the
 * plan is not for this algorithm. */
static heddle_status try_plan(heddle_context *ctx, const heddle_graph *graph, heddle_run_options options, double most,
                              hd_trial *trial) {
    heddle_result *first, *second;
    options.plan = trial->plan;
    trial->seconds = HUGE_VAL;
    heddle_status status = hd_run_inner(ctx, graph, &options, false, &first);
    if (status == HEDDLE_E_REFUSED) {
        hd_enter(ctx);
        return HEDDLE_OK;
    }
    HD_TRY(status);
    double prepared = first->report.transforming;
    trial->seconds = prepared + first->report.compute;
    heddle_result_destroy(&first);
    if (prepared >= most)
        return HEDDLE_OK;
    HD_TRY(hd_run_inner(ctx, graph, &options, false, &second));
    trial->seconds = prepared + second->report.compute;
    if (second->report.approximate)
        status = heddle_verify(ctx, graph, &options, second);
    trial->inaccuracy = second->report.approximate ? second->report.inaccuracy : 0;
    if (trial->inaccuracy < 0) /* not measured */
        trial->inaccuracy = HUGE_VAL;
    heddle_result_destroy(&second);
    return status;
}

static void note_trials(const hd_run *run, const hd_trial *trials, size_t count, const hd_trial *best, double exact) {
    const hd_trial *near = NULL;
    for (size_t i = 0; i < count; i++)
        if (trials[i].inaccuracy <= run->options.max_error && (!near || trials[i].seconds < near->seconds))
            near = &trials[i];
    if (best)
        hd_note(run->ctx, "max_error: on a sample plan %s takes %.3g ms, exact %.3g ms, with an inaccuracy of %.3g",
                best->plan, best->seconds * 1e3, exact * 1e3, best->inaccuracy);
    else if (near && near->seconds < HUGE_VAL)
        hd_note(run->ctx,
                "max_error: the run is exact: on a sample it takes %.3g ms, with plan %s %.3g ms, which is not a tenth "
                "less",
                exact * 1e3, near->plan, near->seconds * 1e3);
}

static heddle_status try_all(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             hd_trial *trials, size_t count) {
    heddle_note_fn note = ctx->note;
    heddle_status status = HEDDLE_OK;
    ctx->note = NULL; /* what trials remark on is no news */
    for (size_t i = 0; status == HEDDLE_OK && i < count; i++)
        status = try_plan(ctx, graph, *options, i ? trials->seconds : HUGE_VAL, &trials[i]);
    ctx->note = note;
    return status;
}

/* ---- The choice -------------------------------------------------------------------------------------------------- */

/* Only where nothing else was requested, and new edges leave a meaning. */
static bool serves(const hd_run *run) {
    const heddle_run_options *o = &run->options;
    const hd_algorithm *a = run->algorithm;
    return o->max_error > 0 && !a->budget.prepare && !a->budget.prove && !a->limit &&
           a->shortcuts != HD_SHORTCUTS_REFUSED && !run->plan.given && !run->plan.parts && !o->parents && !o->each &&
           !o->memory_limit && run->graph->vertices > 1;
}

/* Trials are on the device of the run, whose name `placed` keeps. */
static heddle_run_options options_of_trials(const hd_run *run, hd_run *placed) {
    *placed = *run;
    hd_run_place(placed);
    heddle_run_options options = hd_inner_options(&run->options, HD_INNER_TRIAL);
    options.device = placed->kind ? placed->options.device : "cpu";
    return options;
}

heddle_status hd_search_plan(const hd_run *run, heddle_run_options *options, double *estimate, bool *searched) {
    static const heddle_vertex first = 0;
    hd_trial trials[] = {{.plan = "auto"},
                         {.plan = "graffix-coalesce"},
                         {.plan = "graffix=coalesce,graffix.threshold=0.2,spare=4"},
                         {.plan = "graffix-latency"},
                         {.plan = "graffix=latency,graffix.threshold=0.6"},
                         {.plan = "graffix-divergence"},
                         {.plan = "graffix=divergence,graffix.threshold=0.6"}};
    enum { TRIALS = sizeof trials / sizeof *trials };
    sample s = {.count = 0};
    hd_run placed;
    heddle_status status = HEDDLE_OK;
    *estimate = -1;
    *searched = serves(run);
    if (!*searched)
        return HEDDLE_OK;
    heddle_run_options own = options_of_trials(run, &placed);
    if (run->graph->edges > SAMPLE_EDGES) {
        status = take_sample(run->ctx, run->graph, own.source_count ? own.sources[0] : 0, &s);
        own.sources = own.source_count ? &first : NULL;
        own.source_count = own.source_count ? 1 : 0;
    }
    if (status == HEDDLE_OK)
        status = try_all(run->ctx, s.graph ? s.graph : run->graph, &own, trials, TRIALS);
    close_sample(run->ctx, run->graph, &s);
    HD_TRY(status);
    const hd_trial *best = hd_search_best(trials + 1, TRIALS - 1, trials->seconds, run->options.max_error);
    note_trials(run, trials + 1, TRIALS - 1, best, trials->seconds);
    if (best) {
        options->plan = best->plan;
        options->approximate = 1;
        options->max_error = 0;
        *estimate = best->inaccuracy;
    }
    return HEDDLE_OK;
}
