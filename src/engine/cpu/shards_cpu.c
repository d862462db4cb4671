/* shards_cpu.c - a program's rounds over shards on the CPU: threads take shards, gather and update; then they take
 * ranges, and write changed values to their copies in all shards. The two phases never overlap, so the result does not
 * depend on the order of threads. */
#include "engine/cpu/cpu_rule.h"
#include "engine/derived.h"
#include "engine/device/shards.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum { RANGE_MOST = 1 << 15 /* most vertices of a range that is chosen here: their sums fit a cache */ };

typedef struct engine {
    heddle_context *ctx;
    const hd_cpu_program *program;
    const hd_cpu_setup *setup;
    hd_cpu_run run;
    const hd_shards *shards; /* owned by the context */
    hd_incore_rows rows;
    char *copies, *sums;
    size_t values_bytes, copies_bytes, sums_bytes;
    unsigned char *marks;
    uint32_t *in_degrees;
    uint64_t words, *sources;
    hd_cpu_outcome *outcome; /* by shard */
    double *idle;            /* by shard: pr, the rank of vertices without out-edges */
} engine;

/* ---- The cache -------------------------------------------------------------------------------------------------- */

typedef struct shards_key {
    const hd_incore_rows *rows;
    hd_shards_wish wish;
} shards_key;

typedef struct derived_shards {
    hd_derived head;
    hd_shards_wish wish;
    bool both_ways;
    hd_shards shards;
} derived_shards;

/* Given degrees are those of the graph that was split, so it is enough to compare whether they are given. */
static bool same_shards(const hd_derived *entry, const void *wanted) {
    const derived_shards *e = (const derived_shards *)entry;
    const shards_key *key = wanted;
    const hd_shards_wish *x = &e->wish, *y = &key->wish;
    return e->both_ways == (key->rows->second.offsets != NULL) && x->range == y->range && x->most == y->most &&
           x->listed == y->listed && x->wide == y->wide && x->weight_size == y->weight_size &&
           x->degrees == y->degrees && !x->out_degrees == !y->out_degrees;
}

static heddle_status make_shards(heddle_context *ctx, const heddle_graph *graph, const void *wanted,
                                 hd_derived *entry) {
    derived_shards *e = (derived_shards *)entry;
    const shards_key *key = wanted;
    (void)graph;
    e->wish = key->wish;
    e->both_ways = key->rows->second.offsets != NULL;
    return hd_shards_new(ctx, key->rows, key->rows->first.offsets, key->wish, &e->shards);
}

static uint64_t shards_bytes(const hd_derived *entry) {
    return hd_shards_bytes(&((const derived_shards *)entry)->shards, 0);
}

static void destroy_shards(heddle_context *ctx, hd_derived *entry) {
    hd_shards_free(ctx, &((derived_shards *)entry)->shards);
}

static const hd_derived_kind shards_kind = {sizeof(derived_shards), same_shards, make_shards, shards_bytes,
                                            destroy_shards};

/* ---- Setting up ------------------------------------------------------------------------------------------------- */

static heddle_status take_rows(engine *e, const heddle_graph *graph, bool both_ways) {
    e->rows = (hd_incore_rows){.vertices = graph->vertices, .edges = graph->edges};
    HD_TRY(heddle_graph_out(e->ctx, graph, &e->rows.first));
    if (!both_ways || !graph->directed)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_in(e->ctx, graph, &e->rows.second));
    e->rows.edges *= 2;
    return HEDDLE_OK;
}

static heddle_status take_shards(engine *e, const heddle_graph *graph, const hd_plan *plan, size_t weight_size) {
    shards_key key = {.rows = &e->rows,
                      .wish = {.range = plan->range,
                               .most = plan->range > RANGE_MOST ? plan->range : RANGE_MOST,
                               .listed = plan->listed == HD_YES,
                               .wide = e->rows.edges > UINT32_MAX,
                               .weight_size = weight_size,
                               .degrees = true,
                               .out_degrees = e->setup->out_degrees}};
    hd_derived *entry;
    HD_TRY(hd_derived_get(e->ctx, &shards_kind, graph, &key, NULL, &entry));
    e->shards = &((const derived_shards *)entry)->shards;
    return HEDDLE_OK;
}

/* A shard has all edges into its range: no two threads count for the same vertex. */
static void count_in_degrees(engine *e) {
    const hd_shards *s = e->shards;
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1))
    for (uint64_t j = 0; j < s->count; j++)
        for (uint64_t k = s->starts[j]; k < s->starts[j + 1]; k++)
            e->in_degrees[s->targets[k]]++;
}

static heddle_status allocate(engine *e) {
    uint64_t n = e->rows.vertices;
    e->words = n / 64 + 1;
    e->values_bytes = n * e->program->value_size;
    e->copies_bytes = e->rows.edges * e->program->value_size;
    e->sums_bytes = (size_t)e->ctx->threads * e->shards->range * e->program->message_size;
    HD_TRY(hd_new(e->ctx, &e->run.values, e->values_bytes, 1, false, "vertex values"));
    HD_TRY(HD_NEW(e->ctx, &e->copies, e->copies_bytes, "copies of vertex values"));
    HD_TRY(HD_NEW(e->ctx, &e->sums, e->sums_bytes, "messages"));
    HD_TRY(HD_NEW(e->ctx, &e->marks, n, "marks"));
    HD_TRY(HD_NEW_ZERO(e->ctx, &e->in_degrees, n, "in-degrees"));
    HD_TRY(HD_NEW_ZERO(e->ctx, &e->sources, e->words, "sources"));
    HD_TRY(HD_NEW(e->ctx, &e->outcome, e->shards->count, "shards"));
    return HD_NEW(e->ctx, &e->idle, e->shards->count, "shards");
}

static void range_of(const engine *e, uint64_t i, uint64_t *first, uint64_t *last) {
    *first = i * e->shards->range;
    *last = *first + e->shards->range < e->rows.vertices ? *first + e->shards->range : e->rows.vertices;
}

static void start(engine *e, const heddle_graph *graph) {
    const hd_cpu_setup *setup = e->setup;
    hd_cpu_run *run = &e->run;
    run->vertices = graph->vertices;
    run->own_vertices = setup->own_vertices ? setup->own_vertices : graph->vertices;
    run->names = setup->names;
    run->out_offsets = e->rows.first.offsets;
    run->out_targets = e->rows.first.targets;
    run->out_weights = e->rows.first.weights;
    run->weight_type = (int)graph->weight_type;
    run->next = run->values;
    run->initial = setup->initial;
    run->fixed = setup->fixed;
    run->sources = e->sources;
    run->out_degrees = setup->out_degrees;
    run->in_degrees = setup->in_degrees ? setup->in_degrees : e->in_degrees;
    run->seed = setup->seed;
    memcpy(run->parameter, setup->parameter, sizeof run->parameter);
    for (uint64_t i = 0; i < setup->source_count; i++)
        e->sources[setup->sources[i] >> 6] |= UINT64_C(1) << (setup->sources[i] & 63);
    count_in_degrees(e);
    memset(e->marks, 1, graph->vertices);
    HD_PARALLEL_FOR(e->ctx, schedule(static))
    for (uint64_t i = 0; i < e->shards->count; i++) {
        uint64_t first, last;
        range_of(e, i, &first, &last);
        e->program->initialise(run, first, last);
    }
}

static void tear_down(engine *e) {
    const heddle_allocator *allocator = &e->ctx->allocator;
    uint64_t n = e->rows.vertices, count = e->shards ? e->shards->count : 0;
    if (e->run.values)
        hd_free(allocator, e->run.values, e->values_bytes);
    HD_DELETE(allocator, e->copies, e->copies_bytes);
    HD_DELETE(allocator, e->sums, e->sums_bytes);
    HD_DELETE(allocator, e->marks, n);
    HD_DELETE(allocator, e->in_degrees, n);
    HD_DELETE(allocator, e->sources, e->words);
    HD_DELETE(allocator, e->outcome, count);
    HD_DELETE(allocator, e->idle, count);
}

/* ---- A round ---------------------------------------------------------------------------------------------------- */

static void copy_value(const engine *e, uint64_t place, uint32_t source) {
    size_t size = e->program->value_size;
    if (!e->marks[source])
        return;
    if (size == sizeof(uint32_t))
        ((uint32_t *)(void *)e->copies)[place] = ((const uint32_t *)e->run.values)[source];
    else if (size == sizeof(uint64_t))
        ((uint64_t *)(void *)e->copies)[place] = ((const uint64_t *)e->run.values)[source];
    else
        memcpy(e->copies + place * size, (const char *)e->run.values + source * size, size);
}

static void spread_windows(const engine *e, uint64_t i) {
    const hd_shards *s = e->shards;
    for (uint64_t j = 0; j < s->count; j++) {
        uint64_t to = s->starts[j] + s->windows[(i + 1) * s->count + j];
        for (uint64_t k = s->starts[j] + s->windows[i * s->count + j]; k < to; k++)
            copy_value(e, k, s->sources[k]);
    }
}

static void spread_list(const engine *e, uint64_t i) {
    for (uint64_t k = e->shards->lists[i]; k < e->shards->lists[i + 1]; k++)
        copy_value(e, hd_shards_place(e->shards, k), e->shards->sources[k]);
}

/* Writes marked values to their copies. */
static void spread(const engine *e, bool all) {
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1))
    for (uint64_t i = 0; i < e->shards->count; i++) {
        if (!all && !e->outcome[i].changes)
            continue;
        if (e->shards->listed)
            spread_list(e, i);
        else
            spread_windows(e, i);
    }
}

static double rank_at(const engine *e, uint64_t v) {
    return e->program->value_size == sizeof(double) ? ((const double *)e->run.values)[v]
                                                    : (double)((const float *)e->run.values)[v];
}

static double idle_rank(const engine *e, uint64_t first, uint64_t last) {
    double sum = 0;
    for (uint64_t v = first; v < last; v++)
        sum += e->run.out_offsets[v] == e->run.out_offsets[v + 1] ? rank_at(e, v) : 0;
    return sum;
}

static void run_shard(engine *e, uint64_t j) {
    const hd_shards *s = e->shards;
    hd_cpu_shard shard = {.entry = s->starts[j],
                          .entry_end = s->starts[j + 1],
                          .targets = s->targets,
                          .sources = s->listed ? NULL : s->sources,
                          .degrees = s->degrees,
                          .weights = s->weights,
                          .copies = e->copies,
                          .sums = e->sums + (size_t)hd_thread() * s->range * e->program->message_size,
                          .marks = e->marks};
    range_of(e, j, &shard.first, &shard.last);
    e->outcome[j] = (hd_cpu_outcome){.flags = 0};
    e->program->shard(&e->run, &shard, &e->outcome[j]);
    e->idle[j] = e->setup->ranks ? idle_rank(e, shard.first, shard.last) : 0;
}

static hd_cpu_outcome run_round(engine *e, double *idle) {
    hd_cpu_outcome all = {.flags = 0};
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1))
    for (uint64_t j = 0; j < e->shards->count; j++)
        run_shard(e, j);
    *idle = 0;
    for (uint64_t j = 0; j < e->shards->count; j++) {
        hd_outcome_join(e->program->traits, &all, &e->outcome[j]);
        *idle += e->idle[j];
    }
    e->run.iteration++;
    return all;
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

static bool is_over(engine *e, const hd_cpu_outcome *all) {
    if (e->setup->ranks)
        return all->total < e->setup->tolerance;
    return hd_rule_over(e->program, e->setup, &e->run, all);
}

static heddle_status iterate(engine *e, heddle_result *result) {
    uint64_t limit = e->setup->max_iterations;
    hd_cpu_outcome all = {.flags = 0};
    double idle = e->setup->ranks ? idle_rank(e, 0, e->rows.vertices) : 0, damping = e->setup->parameter[0];
    HD_TRY(hd_rule_first_totals(e->ctx, e->program, &e->run, &all));
    hd_rule_begin(e->program, &e->run, &all);
    spread(e, true);
    result->report.converged = 0;
    hd_rounds_mark(e->ctx);
    while (!result->report.converged && !(limit && e->run.iteration == limit)) {
        if (e->setup->ranks)
            e->run.parameter[1] = (1 - damping + damping * idle) / (double)e->rows.vertices;
        all = run_round(e, &idle);
        if (hd_advance(e->ctx, 0))
            return hd_cancelled_status(e->ctx);
        if (hd_rule_broken(e->program, &all))
            break;
        result->report.converged = is_over(e, &all);
        if (!result->report.converged)
            spread(e, false);
        HD_ROUND(e->ctx, .rounds = 1, .vertices = e->rows.vertices, .edges = e->rows.edges,
                 .weight_bytes = e->shards->weights ? hd_weight_size((heddle_weight_type)e->run.weight_type) : 0,
                 .direction = HEDDLE_DIRECTION_PULL, .kernel = "shard");
    }
    if (hd_rule_by_tolerance(e->program->traits, e->program->output_type))
        hd_result_residual(result, e->setup->ranks ? all.total : all.changes ? all.largest : 0);
    return HEDDLE_OK;
}

static heddle_status hand_over(engine *e, heddle_result *result) {
    heddle_report *report = &result->report;
    HD_TRY(hd_result_values_new(e->ctx, result, (heddle_value_type)e->program->output_type, e->rows.vertices));
    HD_PARALLEL_FOR(e->ctx, schedule(static))
    for (uint64_t i = 0; i < e->shards->count; i++) {
        uint64_t first, last;
        range_of(e, i, &first, &last);
        e->program->output(&e->run, result->values, first, last);
    }
    report->schedule = "shard";
    report->iterations = e->run.iteration;
    report->edges_walked = e->run.iteration * e->rows.edges;
    report->device_bytes = hd_shards_bytes(e->shards, e->program->value_size) + e->values_bytes;
    hd_result_figure(result, "range", e->shards->range);
    hd_result_figure(result, "shards", e->shards->count);
    return HEDDLE_OK;
}

heddle_status hd_shards_execute(heddle_context *ctx, const heddle_graph *graph, const hd_cpu_program *program,
                                const hd_cpu_setup *setup, const hd_plan *plan, bool both_ways, heddle_result *result) {
    engine e = {.ctx = ctx, .program = program, .setup = setup};
    heddle_status status;
    double begin = hd_clock();
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(take_rows(&e, graph, both_ways));
    HD_CHECK(take_shards(&e, graph, plan, program->weighted ? hd_weight_size(graph->weight_type) : 0));
    result->report.prepare += hd_clock() - begin;
    HD_CHECK(allocate(&e));
    start(&e, graph);
    if (setup->check)
        HD_CHECK(hd_cpu_laws(ctx, program, &e.run));
    HD_CHECK(iterate(&e, result));
    HD_CHECK(hand_over(&e, result));
out:
    hd_phase_end(ctx);
    tear_down(&e);
    return status;
}
