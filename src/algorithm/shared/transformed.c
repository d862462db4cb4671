/* transformed.c - see transformed.h.
 *
 * Programs that only ever move one way run on the split graph like on any other: new edges have the weight that
 * changes nothing (0 for distances, infinity for widths), so every vertex of a family ends at the same value. bfs has
 * no weights and runs as sssp, old edges weighing 1 and new ones 0. Programs that add up gather over split in-edges:
 * new vertices pass their sums on, level by level, before the graph's own vertices take theirs, so that a round is a
 * round.
 */
#include "algorithm/shared/transformed.h"

#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/incore_parts.h"
#include "engine/made.h"
#include "plan/plan.h"

#include <math.h>
#include <string.h>

bool hd_transforms(const hd_run *run) {
    return run->plan.transform || (!hd_on_device(run) && hd_plan_shards(&run->plan));
}

heddle_status hd_transform_check(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const hd_plan *plan = &run->plan;
    const hd_algorithm *algorithm = run->algorithm;
    bool program = (algorithm->program || run->options.program) && algorithm->device_run;
    bool splits = algorithm->split_run || algorithm->split_view;
    if (program || splits)
        HD_TRY(hd_transform_check_bound(ctx, plan->transform, plan->K));
    if (program)
        return HEDDLE_OK; /* the engine knows */
    if (hd_plan_shards(plan))
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: schedule=shard: it is no vertex program: plan auto would do",
                       algorithm->info.name);
    if (!plan->transform)
        return HEDDLE_OK;
    if (!splits)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: transform: %s: plan auto would do", algorithm->info.name,
                       algorithm->no_split ? algorithm->no_split : "it is no vertex program");
    if (algorithm->check_split)
        HD_TRY(algorithm->check_split(run));
    if (plan->schedule && plan->schedule->splits)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: schedule=%s: vertices that a transform has split are not split once more: "
                       "schedule=thread would do",
                       algorithm->info.name, plan->schedule->name);
    return HEDDLE_OK;
}

/* A run on a split graph, with what is made for it. */
typedef struct split_run {
    heddle_context *ctx;
    const heddle_graph *graph;
    hd_plan plan;
    hd_split_result split; /* belongs to the context; without a graph where nothing was split */
    bool made;             /* in this run */
    hd_incore_program program;
    hd_cpu_setup setup;
    uint64_t vertices; /* of the split graph */
    double *initial, *strengths;
    unsigned char *fixed;
    heddle_vertex *sources;
    uint64_t sources_room;
    uint32_t *out_degrees, *in_degrees, *names;
} split_run;

static heddle_vertex original(const split_run *r, uint64_t v) {
    return v < r->split.originals ? (heddle_vertex)v : r->split.family[v - r->split.originals];
}

/* ---- What may be split ------------------------------------------------------------------------------------------ */

static heddle_status refuse(heddle_context *ctx, const hd_plan *plan, const hd_incore_program *program,
                            const char *why) {
    if (!plan->transform)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: schedule=shard: %s", program->name, why);
    return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: transform=%s: %s", program->name, hd_transform_name(plan->transform),
                   why);
}

heddle_status hd_transform_check_user(heddle_context *ctx, const hd_plan *plan, const hd_incore_program *program,
                                      const hd_cpu_program *compiled) {
    if (!plan->transform || !(program->traits & MONOTONE))
        return HEDDLE_OK;
    if (!compiled->weighted)
        return refuse(ctx, plan, program, "without WEIGHT the program cannot tell edges that a split adds from others");
    if (!compiled->has_dumb_weight)
        return refuse(ctx, plan, program,
                      "the program does not define DUMB_WEIGHT, the weight that changes nothing on the way");
    return HEDDLE_OK;
}

/* The plan, as far as the graph depends on it. */
static heddle_status resolve(split_run *r, bool on_device, const hd_cpu_program *compiled) {
    hd_plan_program facts = hd_incore_facts(&r->program);
    if (!on_device && hd_plan_shards(&r->plan))
        facts.message_size = sizeof(uint32_t); /* the CPU reduces messages of any size: no atomics */
    HD_TRY(hd_plan_fit(r->ctx, &facts, 32, false, true, &r->plan));
    return compiled ? hd_transform_check_user(r->ctx, &r->plan, &r->program, compiled) : HEDDLE_OK;
}

/* ---- The split graph -------------------------------------------------------------------------------------------- */

/* Steps are distances over edges of weight 1. */
static heddle_status become_sssp(split_run *r) {
    HD_TRY(hd_incore_find(r->ctx, "sssp", false, &r->program));
    r->program.defines = "#define DISTANCE u32\n";
    r->program.value_size = r->program.message_size = 4;
    r->program.output = HEDDLE_VALUE_U32;
    return HEDDLE_OK;
}

static heddle_status make_graph(split_run *r, const hd_cpu_program *compiled, uint64_t seed) {
    bool steps = r->program.steps, moves = r->program.traits & MONOTONE;
    if (!compiled)
        compiled = hd_cpu_program_find(r->program.name, r->program.in_double);
    hd_split_options options = {.transform = r->plan.transform,
                                .pull = r->plan.direction == HD_PULL && !r->plan.schedule->shards,
                                .K = r->plan.K,
                                .weights = steps                  ? HD_SPLIT_STEPS
                                           : !r->program.weighted ? HD_SPLIT_NONE
                                           : moves                ? HD_SPLIT_GRAPH
                                                                  : HD_SPLIT_AS_IS,
                                .dumb = moves ? compiled->dumb_weight : 1,
                                .seed = seed};
    r->vertices = r->graph->vertices;
    if (!r->plan.transform)
        return HEDDLE_OK;
    const hd_made_split *made; /* both directions count: the graph gets every arc's reverse, and then one does */
    HD_TRY(
        hd_made_split_of(r->ctx, r->graph, r->program.both_ways ? HD_MADE_MIRRORED : HD_MADE_AS_IS, &options, &made));
    r->program.both_ways = false;
    r->graph = made->changed ? made->changed : r->graph;
    r->split = made->split;
    r->made = made->fresh;
    r->vertices = r->split.graph ? r->split.graph->vertices : r->graph->vertices;
    return steps && r->split.graph ? become_sssp(r) : HEDDLE_OK;
}

/* ---- What the program is told of vertices ------------------------------------------------------------------------ */

/* An array over the graph's vertices becomes one over the split graph's. */
#define EXTEND(r, from, to, what)                             \
    do {                                                      \
        HD_TRY(HD_NEW((r)->ctx, &(to), (r)->vertices, what)); \
        for (uint64_t v_ = 0; v_ < (r)->vertices; v_++)       \
            (to)[v_] = (from)[original(r, v_)];               \
    } while (0)

/* A source's whole family starts, so that its vertices are alike from the beginning. */
static heddle_status extend_sources(split_run *r, const hd_cpu_setup *setup) {
    uint64_t words = r->split.originals / 64 + 1, *marks;
    r->sources_room = setup->source_count + r->split.added_vertices;
    HD_TRY(HD_NEW(r->ctx, &r->sources, r->sources_room, "sources"));
    HD_TRY(HD_NEW_ZERO(r->ctx, &marks, words, "sources"));
    for (uint64_t i = 0; i < setup->source_count; i++) {
        r->sources[i] = setup->sources[i];
        marks[setup->sources[i] / 64] |= UINT64_C(1) << (setup->sources[i] % 64);
    }
    r->setup.source_count = setup->source_count;
    for (uint64_t i = 0; i < r->split.added_vertices; i++)
        if (marks[r->split.family[i] / 64] >> (r->split.family[i] % 64) & 1)
            r->sources[r->setup.source_count++] = (heddle_vertex)(r->split.originals + i);
    HD_DELETE(&r->ctx->allocator, marks, words);
    r->setup.sources = r->sources;
    return HEDDLE_OK;
}

/* The degrees and the numbers that the graph's own vertices had. */
static heddle_status extend_facts(split_run *r) {
    heddle_adjacency out, in;
    HD_TRY(heddle_graph_out(r->ctx, r->graph, &out));
    HD_TRY(heddle_graph_in(r->ctx, r->graph, &in));
    HD_TRY(HD_NEW(r->ctx, &r->out_degrees, r->vertices, "out-degrees"));
    HD_TRY(HD_NEW(r->ctx, &r->in_degrees, r->vertices, "in-degrees"));
    HD_TRY(HD_NEW(r->ctx, &r->names, r->vertices, "names of vertices"));
    HD_PARALLEL_FOR(r->ctx, schedule(static))
    for (uint64_t v = 0; v < r->vertices; v++) {
        heddle_vertex of = original(r, v);
        r->names[v] = of;
        r->out_degrees[v] = (uint32_t)(out.offsets[of + 1] - out.offsets[of]);
        r->in_degrees[v] = (uint32_t)(in.offsets[of + 1] - in.offsets[of]);
    }
    r->setup.out_degrees = r->out_degrees;
    r->setup.in_degrees = r->in_degrees;
    r->setup.names = r->names;
    return HEDDLE_OK;
}

static heddle_status extend(split_run *r, const hd_cpu_setup *setup) {
    if (!r->split.graph)
        return HEDDLE_OK;
    r->setup.own_vertices = r->split.originals;
    if (setup->source_count && (r->program.traits & MONOTONE))
        HD_TRY(extend_sources(r, setup));
    if (setup->initial)
        EXTEND(r, setup->initial, r->initial, "initial values");
    if (setup->fixed)
        EXTEND(r, setup->fixed, r->fixed, "fixed vertices");
    if (r->program.strengths)
        EXTEND(r, r->program.strengths, r->strengths, "out-strengths");
    if (!r->program.own)
        HD_TRY(extend_facts(r));
    r->setup.initial = r->initial;
    r->setup.fixed = r->fixed;
    r->program.strengths = r->strengths;
    if (!(r->program.traits & MONOTONE))
        r->setup.passing = &r->split;
    return HEDDLE_OK;
}

/* ---- Running ---------------------------------------------------------------------------------------------------- */

/* No way at all is a width of -inf. */
static double not_negative(double value) { return value > 0 ? value : 0; }

/* The CPU has distances of 32 bits in double: here they become what was asked for. */
static heddle_status to_whole(heddle_context *ctx, heddle_result *result) {
    double *from = result->values;
    uint64_t count = result->count;
    result->values = NULL;
    heddle_status status = hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, count);
    for (uint64_t v = 0; status == HEDDLE_OK && v < count; v++)
        ((uint32_t *)result->values)[v] = from[v] < UINT32_MAX ? (uint32_t)not_negative(from[v]) : UINT32_MAX;
    hd_free(&result->allocator, from, count * sizeof *from);
    return status;
}

static heddle_status run_cpu(split_run *r, const hd_cpu_program *compiled, heddle_result *result) {
    const hd_incore_program *p = &r->program;
    bool whole = p->own && (p->output == HEDDLE_VALUE_U32 || p->output == HEDDLE_VALUE_U64) && p->weighted;
    if (p->own && p->defines && !whole)
        return refuse(r->ctx, &r->plan, p,
                      "on the cpu, rank by weights or from a personalisation takes the graph as it is");
    const hd_cpu_program *here = compiled ? compiled : hd_cpu_program_find(p->name, p->in_double || whole);
    if (whole && p->output == HEDDLE_VALUE_U64) {
        here = hd_cpu_program_whole_sums();
        whole = false;
    }
    r->setup.ranks = p->ranks;
    const heddle_graph *graph = r->split.graph ? r->split.graph : r->graph;
    HD_TRY(r->plan.schedule->shards ? hd_shards_execute(r->ctx, graph, here, &r->setup, &r->plan, p->both_ways, result)
                                    : hd_cpu_execute(r->ctx, graph, here, &r->setup, result));
    return whole ? to_whole(r->ctx, result) : HEDDLE_OK;
}

/* Keeps the values of the graph's own vertices. */
static heddle_status project(split_run *r, heddle_result *result) {
    size_t size = hd_value_size(result->type);
    void *kept = hd_resize(&result->allocator, result->values, result->count * size, r->split.originals * size);
    if (!kept)
        return hd_fail_memory(r->ctx, r->split.originals * size, "vertex values");
    result->values = kept;
    result->count = r->split.originals;
    return HEDDLE_OK;
}

static void report_split(const hd_split_result *split, heddle_result *result) {
    hd_result_figure(result, "K", split->K);
    hd_result_figure(result, "added_vertices", (double)split->added_vertices);
    hd_result_figure(result, "added_edges", (double)split->added_edges);
}

static void tear_down(split_run *r, uint64_t vertices) {
    const heddle_allocator *allocator = &r->ctx->allocator;
    HD_DELETE(allocator, r->initial, vertices);
    HD_DELETE(allocator, r->fixed, vertices);
    HD_DELETE(allocator, r->strengths, vertices);
    HD_DELETE(allocator, r->sources, r->sources_room);
    HD_DELETE(allocator, r->out_degrees, vertices);
    HD_DELETE(allocator, r->in_degrees, vertices);
    HD_DELETE(allocator, r->names, vertices);
}

heddle_status hd_transformed_execute(const hd_run *run, const hd_incore_program *program,
                                     const hd_cpu_program *compiled, const hd_cpu_setup *setup) {
    heddle_result *result = run->result;
    split_run r = {.ctx = run->ctx, .graph = run->graph, .plan = run->plan, .program = *program, .setup = *setup};
    heddle_status status;
    double start = hd_clock();
    HD_CHECK(resolve(&r, hd_on_device(run), compiled));
    HD_CHECK(make_graph(&r, compiled, run->options.seed));
    double made = hd_clock();
    HD_CHECK(extend(&r, setup));
    result->report.transforming += r.made ? made - start : 0;
    result->report.prepare += hd_clock() - made;
    result->report.transform = hd_transform_name(r.plan.transform);
    hd_run inner = *run;
    inner.graph = r.split.graph ? r.split.graph : r.graph;
    HD_CHECK(hd_on_device(run) ? hd_incore_execute(&inner, &r.program, &r.setup) : run_cpu(&r, compiled, result));
    if (r.split.graph && result->count > r.split.originals)
        HD_CHECK(project(&r, result));
    if (r.plan.transform)
        report_split(&r.split, result);
out:
    tear_down(&r, r.vertices);
    return status;
}
