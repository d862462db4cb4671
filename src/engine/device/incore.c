/* incore.c - the in-core engine: uploads once, iterates on the device, downloads the values.
 *
 * All kernels have the same arguments; those that change between launches (which of two buffers is read, how many items
 * there are) are set before each. Rounds are queued in batches that grow to BATCH: after the round that ends the run
 * the remaining rounds of its batch do nothing.
 */
#include "engine/device/incore.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/word_list.h"
#include "engine/cpu/cpu_rule.h"
#include "engine/device/incore_run.h"
#include "engine/device/resident.h"
#include "engine/device/stall.h"
#include "engine/device/stream.h"
#include "schedule/efficiency.h"

#include <string.h>

enum {
    BATCH = 32,      /* most rounds queued at once */
    WARPS_UNIT = 128 /* most warps of a launch per multiprocessor */
};

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static heddle_status take_rows(incore *e, heddle_result *result) {
    heddle_adjacency out, in;
    hd_incore_rows *rows = &e->rows;
    bool both = e->program->both_ways && e->graph->directed;
    bool pull = e->plan.direction == HD_PULL && !e->plan.schedule->shards;
    HD_TRY(heddle_graph_out(e->ctx, e->graph, &out));
    if (both || pull || e->program->in_degree) {
        double start = hd_clock();
        HD_TRY(heddle_graph_in(e->ctx, e->graph, &in));
        result->report.prepare += hd_clock() - start;
    }
    *rows = (hd_incore_rows){.vertices = e->graph->vertices, .edges = e->graph->edges};
    rows->first = pull && !both ? in : out;
    if (both) {
        rows->second = in;
        rows->edges *= 2;
    }
    return HEDDLE_OK;
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

heddle_status hd_incore_build(incore *e, heddle_report *report) {
    hd_device *d = e->device;
    hd_incore_target target = {d->kind, e->doubles, d->info.atomics64};
    const char *second = e->shape.shards          ? "hd_spread"
                         : e->shape.accumulate    ? "hd_apply"
                         : e->layout.splits_count ? "hd_settle"
                                                  : NULL;
    char *source = NULL;
    size_t bytes = 0;
    HD_TRY(hd_incore_assemble(e->ctx, e->program, &e->plan, &e->shape, e->graph->weight_type, target, &source, &bytes));
    heddle_status status =
        hd_module_open(d, e->program->name, source, e->plan.debug == HD_YES ? d->kind->debug_options : d->kind->options,
                       &e->module);
    HD_DELETE(&e->ctx->allocator, source, bytes);
    HD_TRY(status);
    report->compile += e->module.seconds;
    HD_TRY(d->kernel(d, e->module.loaded, "hd_start", &e->kernel[KERNEL_START]));
    HD_TRY(d->kernel(d, e->module.loaded, "hd_round", &e->kernel[KERNEL_ROUND]));
    HD_TRY(d->kernel(d, e->module.loaded, "hd_turn", &e->kernel[KERNEL_TURN]));
    if (second)
        HD_TRY(d->kernel(d, e->module.loaded, second, &e->kernel[KERNEL_SECOND]));
    if (e->program->has_output)
        HD_TRY(d->kernel(d, e->module.loaded, "hd_results", &e->kernel[KERNEL_RESULTS]));
    if (e->shape.slice) {
        HD_TRY(d->kernel(d, e->module.loaded, "hd_refine", &e->kernel[KERNEL_REFINE]));
        HD_TRY(d->kernel(d, e->module.loaded, "hd_take", &e->kernel[KERNEL_TAKE]));
    }
    if (e->shape.copies)
        HD_TRY(d->kernel(d, e->module.loaded, "hd_merge", &e->kernel[KERNEL_MERGE]));
    if (e->shape.inside)
        HD_TRY(d->kernel(d, e->module.loaded, "hd_inside", &e->kernel[KERNEL_INSIDE]));
    if (e->shape.mean)
        HD_TRY(d->kernel(d, e->module.loaded, "hd_merge_owners", &e->kernel[KERNEL_OWNERS]));
    if (e->shape.again)
        HD_TRY(d->kernel(d, e->module.loaded, "hd_again", &e->kernel[KERNEL_AGAIN]));
    if (e->shape.again && e->shape.active)
        HD_TRY(d->kernel(d, e->module.loaded, "hd_unflag", &e->kernel[KERNEL_UNFLAG]));
    return HEDDLE_OK;
}

/* Additional arguments of streaming kernels: the span and its edges, for hd_round and hd_again only. */
static void span_arguments(incore *e, bool round, hd_argument *arguments) {
    static const hd_span none = {.group = 0};
    hd_stream *s = e->stream;
    const hd_span *span = round ? s->span : &none;
    struct hd_span_numbers *numbers = &e->span;
    *numbers = (struct hd_span_numbers){.first_edge = span->first_edge,
                                        .end_edge = span->end_edge,
                                        .first_row = (uint32_t)span->first_row,
                                        .end_row = (uint32_t)span->end_row,
                                        .groups = (uint32_t)s->partition.groups,
                                        .range = s->range};
    hd_argument *more = arguments + SCALARS + BUFFERS;
    more[SPAN_FIRST_ROW] = (hd_argument)HD_ARGUMENT_VALUE(numbers->first_row);
    more[SPAN_END_ROW] = (hd_argument)HD_ARGUMENT_VALUE(numbers->end_row);
    more[SPAN_FIRST_EDGE] = (hd_argument)HD_ARGUMENT_VALUE(numbers->first_edge);
    more[SPAN_END_EDGE] = (hd_argument)HD_ARGUMENT_VALUE(numbers->end_edge);
    more[SPAN_GROUPS] = (hd_argument)HD_ARGUMENT_VALUE(numbers->groups);
    more[SPAN_RANGE] = (hd_argument)HD_ARGUMENT_VALUE(numbers->range);
    more[SPAN_SOURCES] = more[SPAN_SHIFTS] = (hd_argument)HD_ARGUMENT_BUFFER(s->shifts_buffer);
    more[SPAN_FLAGGED] = (hd_argument)HD_ARGUMENT_BUFFER(s->flagged_buffer);
    if (!round)
        return;
    arguments[SCALARS + TARGETS] = (hd_argument)HD_ARGUMENT_BUFFER(s->edges->array[STREAM_TARGETS]);
    if (s->each[STREAM_WEIGHTS])
        arguments[SCALARS + WEIGHTS] = (hd_argument)HD_ARGUMENT_BUFFER(s->edges->array[STREAM_WEIGHTS]);
    if (s->each[STREAM_SOURCES])
        more[SPAN_SOURCES] = (hd_argument)HD_ARGUMENT_BUFFER(s->edges->array[STREAM_SOURCES]);
}

heddle_status hd_incore_launch(incore *e, int which, uint32_t step, uint32_t count, bool swapped) {
    static const char *const names[KERNELS] = {"hd_start",  "hd_round",   "hd_apply, hd_settle or hd_spread",
                                               "hd_turn",   "hd_results", "hd_refine",
                                               "hd_take",   "hd_merge",   "hd_merge_owners",
                                               "hd_inside", "hd_again",   "hd_unflag"};
    bool by_rows = e->shape.passing || e->shape.window;
    uint32_t n = (uint32_t)(by_rows && which == KERNEL_ROUND ? e->row_end : hd_incore_visible(e)),
             lanes = e->shape.warps * e->plan.warp;
    hd_argument arguments[SCALARS + BUFFERS + SPAN_ARGUMENTS] = {[SCALAR_N] = HD_ARGUMENT_VALUE(n),
                                                                 [SCALAR_STEP] = HD_ARGUMENT_VALUE(step),
                                                                 [SCALAR_COUNT] = HD_ARGUMENT_VALUE(count)};
    for (int i = 0; i < BUFFERS; i++) {
        int from = i;
        if (swapped && !e->shape.in_place && (i == VALUES || i == NEXT))
            from = VALUES + NEXT - i;
        bool one = e->shape.accumulate || e->shape.shards;
        if (swapped && !one && (i == SENT || i == SENT_NEXT))
            from = SENT + SENT_NEXT - i;
        if (one && i == SENT_NEXT)
            from = SENT;
        bool queues = swapped && !e->shape.slice;
        if (queues && (i == QUEUE || i == QUEUE_NEXT))
            from = QUEUE + QUEUE_NEXT - i;
        if (queues && (i == QUEUED || i == QUEUED_NEXT))
            from = QUEUED + QUEUED_NEXT - i;
        arguments[SCALARS + i] = (hd_argument)HD_ARGUMENT_BUFFER(e->buffer[from]);
    }
    bool round = e->stream && (which == KERNEL_ROUND || which == KERNEL_AGAIN);
    if (e->stream)
        span_arguments(e, round, arguments);
    bool turn = which == KERNEL_TURN, shard = e->shape.shards && (which == KERNEL_ROUND || which == KERNEL_SECOND);
    hd_launch how = {.groups = turn    ? 1
                               : shard ? e->shards.count + !e->shards.count
                               : round ? e->stream->groups
                                       : e->groups,
                     .lanes = turn    ? HD_INCORE_TURN
                              : shard ? e->shape.group
                                      : lanes,
                     .arguments = arguments,
                     .argument_count = SCALARS + BUFFERS + (e->stream ? SPAN_ARGUMENTS : 0),
                     .name = names[which]};
    return e->device->launch(e->device, e->kernel[which], &how);
}

/* As many groups as there is work for, up to several times the number that fills the device. */
uint32_t hd_incore_groups(const incore *e, uint32_t units) {
    const hd_incore_shape *s = &e->shape;
    uint64_t entries = s->worklist ? e->layout.queue_most : s->nodes ? e->layout.count : e->rows.vertices;
    uint64_t vertices_warp = e->plan.width ? e->plan.warp / e->plan.width : e->plan.warp;
    uint64_t warps = s->tiles ? e->layout.count : entries / vertices_warp + 1;
    uint64_t groups = warps / s->warps + 1, most = (uint64_t)units * WARPS_UNIT / s->warps;
    return (uint32_t)(groups < most ? groups : most ? most : 1);
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

heddle_status hd_incore_inside(incore *e, uint32_t step, bool swapped) {
    if (!e->shape.inside)
        return HEDDLE_OK;
    return hd_incore_launch(e, KERNEL_INSIDE, step, (uint32_t)e->setup->clusters->count, swapped);
}

heddle_status hd_incore_merge(incore *e, uint32_t step, bool swapped) {
    uint32_t count = (uint32_t)(e->shape.copies ? e->setup->copies->count : 0);
    if (e->shape.copies)
        HD_TRY(hd_incore_launch(e, KERNEL_MERGE, step, count, swapped));
    return e->shape.mean ? hd_incore_launch(e, KERNEL_OWNERS, step, count, swapped) : HEDDLE_OK;
}

static heddle_status queue_shards(incore *e, uint64_t round) {
    bool swapped = round % 2;
    uint32_t step = 1 + swapped, count = e->shards.count;
    HD_TRY(hd_incore_launch(e, KERNEL_ROUND, step, count, swapped));
    HD_TRY(hd_incore_inside(e, step, swapped));
    HD_TRY(hd_incore_merge(e, step, swapped));
    if (!e->shape.mixed)
        HD_TRY(hd_incore_launch(e, KERNEL_SECOND, step, count, swapped));
    return hd_incore_launch(e, KERNEL_TURN, step, count, swapped);
}

/* New vertices pass sums on, level by level, then the graph's own vertices are updated. */
static heddle_status queue_levels(incore *e, uint64_t round) {
    const hd_split_result *passing = e->setup->passing;
    bool swapped = round % 2;
    uint32_t step = 1 + swapped;
    for (uint32_t l = 0; l < passing->levels; l++) {
        e->row_end = passing->originals + passing->level_start[l + 1];
        HD_TRY(
            hd_incore_launch(e, KERNEL_ROUND, step, (uint32_t)(passing->originals + passing->level_start[l]), swapped));
    }
    e->row_end = passing->originals;
    HD_TRY(hd_incore_launch(e, KERNEL_ROUND, step, 0, swapped));
    return hd_incore_launch(e, KERNEL_TURN, step, e->groups * e->shape.warps, swapped);
}

heddle_status hd_incore_queue(incore *e, uint64_t round) {
    if (e->shape.passing)
        return queue_levels(e, round);
    if (e->shape.shards)
        return queue_shards(e, round);
    bool swapped = round % 2;
    uint32_t step = 1 + swapped, slots = e->groups * e->shape.warps;
    bool settle = e->kernel[KERNEL_SECOND] && !e->shape.accumulate;
    HD_TRY(hd_incore_launch(e, KERNEL_ROUND, step, (uint32_t)e->layout.count, swapped));
    if (e->kernel[KERNEL_SECOND])
        HD_TRY(hd_incore_launch(e, KERNEL_SECOND, step, (uint32_t)e->layout.splits_count, swapped));
    HD_TRY(hd_incore_inside(e, step, swapped));
    HD_TRY(hd_incore_merge(e, step, swapped));
    return hd_incore_launch(e, KERNEL_TURN, step, settle ? 2 * slots : slots, swapped);
}

heddle_status hd_incore_look(incore *e) {
    HD_TRY(e->device->download(e->device, e->words, &e->buffer[WORDS], 0, sizeof e->words));
    return e->device->finish(e->device);
}

/* Lanes counted so far. */
static heddle_status sum_lanes(incore *e, uint64_t *useful, uint64_t *walked) {
    uint64_t slots = (uint64_t)e->groups * e->shape.warps * 2, words = slots * e->plan.warp, *counts;
    if (e->shape.shards)
        slots = 0, words = hd_incore_shard_counts(e);
    HD_TRY(HD_NEW(e->ctx, &counts, words, "counted lanes"));
    heddle_status status = e->device->download(e->device, counts, &e->buffer[WALKED], slots * 8, words * 8);
    if (status == HEDDLE_OK)
        status = e->device->finish(e->device);
    *useful = *walked = 0;
    for (uint64_t i = 0; status == HEDDLE_OK && i < words; i += 2) {
        *useful += counts[i];
        *walked += counts[i + 1];
    }
    HD_DELETE(&e->ctx->allocator, counts, words);
    return status;
}

/* Records the rounds since the last check. The number of active vertices is known if all are active, or if one round
 * was queued after a check of the worklist; the number of edges, if all are visited or profiling kernels count them. */
static heddle_status record(incore *e, uint32_t before, uint64_t active) {
    uint64_t rounds = e->words[HD_ITERATION] - before, useful = 0, walked = 0;
    char name[24];
    if (e->shape.profile)
        HD_TRY(sum_lanes(e, &useful, &walked));
    hd_schedule_label(&e->plan, name, sizeof name);
    HD_ROUND(e->ctx, .rounds = rounds,
             .vertices = !e->shape.worklist ? rounds * hd_incore_visible(e)
                         : rounds == 1      ? active
                                            : HD_NOT_KNOWN,
             .edges = !e->shape.worklist ? rounds * e->rows.edges
                      : e->shape.profile ? useful - e->useful
                                         : HD_NOT_KNOWN,
             .weight_bytes = e->program->weighted ? hd_weight_size(e->graph->weight_type) : 0,
             .useful = useful - e->useful, .walked = walked - e->counted,
             .direction = e->plan.direction == HD_PULL ? HEDDLE_DIRECTION_PULL : HEDDLE_DIRECTION_PUSH, .kernel = name,
             .whole_rows = true);
    e->useful = useful;
    e->counted = walked;
    return HEDDLE_OK;
}

static uint64_t first_active(const incore *e) {
    return e->program->traits & FROM_SOURCES ? e->setup->source_count : hd_incore_visible(e);
}

/* With --profile the host checks after every round. */
static heddle_status iterate(incore *e) {
    uint64_t round = 0, batch = 1;
    hd_stall stall = {.looks = 0};
    HD_TRY(e->device->finish(e->device));
    double start = hd_clock();
    hd_rounds_mark(e->ctx);
    HD_TRY(hd_incore_launch(e, KERNEL_START, 0, 0, false));
    HD_TRY(hd_incore_launch(e, KERNEL_TURN, 0, e->groups * e->shape.warps, false));
    if (e->shape.shards)
        HD_TRY(hd_incore_launch(e, KERNEL_SECOND, 0, e->shards.count, false));
    while (!e->words[HD_DONE]) {
        uint64_t active = round ? e->words[HD_COUNT + round % 2] : first_active(e);
        uint32_t before = e->words[HD_ITERATION];
        for (uint64_t i = 0; i < batch; i++)
            HD_TRY(hd_incore_queue(e, round++));
        HD_TRY(hd_incore_look(e));
        HD_TRY(record(e, before, active));
        batch = e->shape.profile ? 1 : batch < BATCH ? batch * 2 : BATCH;
        HD_TRY(hd_stall_check(&stall, e->ctx, e->device, e->words, sizeof e->words));
        if (hd_advance(e->ctx, 0))
            return hd_cancelled_status(e->ctx);
    }
    HD_TRY(hd_incore_merge(e, 0, e->words[HD_ITERATION] % 2 == 0)); /* the last round's values are `next` */
    e->compute = hd_clock() - start;
    return HEDDLE_OK;
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

static heddle_status count_walked(incore *e, heddle_result *result) {
    uint64_t slots = (uint64_t)e->groups * e->shape.warps, *walked;
    heddle_report *report = &result->report;
    report->edges_walked = e->stream ? e->stream->walked : report->iterations * e->rows.edges;
    if (!e->shape.worklist)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(e->ctx, &walked, slots, "partial results"));
    heddle_status status = e->device->download(e->device, walked, &e->buffer[WALKED], 0, slots * sizeof *walked);
    if (status == HEDDLE_OK)
        status = e->device->finish(e->device);
    report->edges_walked = 0;
    for (uint64_t i = 0; status == HEDDLE_OK && i < slots; i++)
        report->edges_walked += walked[i];
    HD_DELETE(&e->ctx->allocator, walked, slots);
    return status;
}

/* Expected warp efficiency of a round in which all vertices are active, from the degrees. */
static heddle_status compute_lanes(incore *e, double *share) {
    hd_row_offsets rows = {e->rows.vertices, e->rows.first.offsets, e->rows.second.offsets};
    hd_efficiency computed;
    hd_shards_load load;
    if (e->shape.shards) {
        size_t copy = hd_incore_copy_size(e->program, &e->shape);
        HD_TRY(hd_shards_measure(e->ctx, &e->rows, e->shape.range, e->plan.warp, copy, &load));
        computed = hd_shards_efficiency(&load, e->shape.listed);
    } else {
        HD_TRY(hd_efficiency_of(e->ctx, &rows, &e->plan, e->shape.rows, &computed));
    }
    *share = hd_efficiency_share(&computed);
    return HEDDLE_OK;
}

/* Lanes as counted, and the computed efficiency for comparison. */
static heddle_status count_lanes(incore *e, heddle_result *result) {
    heddle_report *report = &result->report;
    if (!e->shape.profile)
        return HEDDLE_OK;
    HD_TRY(compute_lanes(e, &report->lanes_computed));
    return sum_lanes(e, &report->lanes_useful, &report->lanes_walked);
}

static heddle_status add_residual(incore *e, heddle_result *result) {
    double numbers[HD_NUMBERS];
    float single;
    if (!hd_rule_by_tolerance(e->program->traits, e->program->output))
        return HEDDLE_OK;
    HD_TRY(e->device->download(e->device, numbers, &e->buffer[NUMBERS], 0, sizeof numbers));
    HD_TRY(e->device->finish(e->device));
    memcpy(&single, (float *)numbers + HD_RESIDUAL, sizeof single);
    hd_result_residual(result, e->doubles ? numbers[HD_RESIDUAL] : (double)single);
    return HEDDLE_OK;
}

static heddle_status hand_over(incore *e, heddle_result *result) {
    uint64_t n = hd_incore_visible(e);
    bool swapped = e->words[HD_ITERATION] % 2;
    hd_device *d = e->device;
    double start = hd_clock();
    HD_TRY(hd_result_values_new(e->ctx, result, e->program->output, n));
    const hd_buffer *from = &e->buffer[swapped && !e->shape.in_place ? NEXT : VALUES];
    if (e->program->has_output) {
        HD_TRY(hd_incore_launch(e, KERNEL_RESULTS, 0, 0, swapped));
        from = &e->buffer[MESSAGES];
    }
    HD_TRY(d->download(d, result->values, from, 0, n * hd_value_size(result->type)));
    HD_TRY(d->finish(d));
    result->report.iterations = e->words[HD_ITERATION];
    result->report.converged = (int)e->words[HD_CONVERGED];
    HD_TRY(count_walked(e, result));
    HD_TRY(count_lanes(e, result));
    HD_TRY(add_residual(e, result));
    e->transfer += hd_clock() - start;
    return HEDDLE_OK;
}

/* Uses the rows of the resident graph. */
static heddle_status borrow(incore *e, const char *device, bool wide, heddle_result *result) {
    bool pull = e->plan.direction == HD_PULL, weighted = e->program->weighted && e->graph->weight_type;
    int want = (pull ? HD_WANT_IN : HD_WANT_OUT) | (weighted ? HD_WANT_WEIGHTS : 0);
    hd_resident *resident;
    HD_TRY(hd_resident_open(e->ctx, e->graph, device, want, wide, &result->report, &resident));
    const hd_resident_rows *rows = pull ? &resident->in : &resident->out;
    e->lent[OFFSETS] = e->lent[TARGETS] = e->lent[WEIGHTS] = true;
    e->buffer[OFFSETS] = rows->offsets;
    e->buffer[TARGETS] = rows->targets;
    e->buffer[WEIGHTS] = weighted ? rows->weights : rows->targets; /* never read if there are none */
    e->bytes += resident->bytes;
    return HEDDLE_OK;
}

heddle_status hd_incore_open(incore *e, const char *device, heddle_report *report, hd_plan_program *facts) {
    *facts = hd_incore_facts(e->program);
    HD_TRY(hd_device_keep(e->ctx, device, report, &e->device));
    const hd_device_info *info = &e->device->info;
    e->doubles = info->doubles && e->plan.doubles != HD_NO;
    if (!e->doubles && facts->add_size)
        facts->add_size = sizeof(float);
    if (!e->doubles && !e->program->own && hd_find_identifier(e->program->text, "f64"))
        return hd_fail(e->ctx, HEDDLE_E_REFUSED, "%s has no double precision, which f64 in %s needs: use cpu",
                       info->name, e->program->name);
    if (e->program->traits & HD_HAS_TOTALS && !e->doubles)
        return hd_fail(e->ctx, HEDDLE_E_REFUSED, "%s has no double precision, which TOTALS are formed in: use cpu",
                       info->name);
    if (e->program->weighted && e->graph->weight_type == HEDDLE_WEIGHT_F64 && !e->doubles)
        return hd_fail(
            e->ctx, HEDDLE_E_REFUSED,
            "%s has no double precision, which f64 weights need: load them as f32 (--weight-type f32) or use "
            "cpu",
            info->name);
    if (e->program->in_double && !e->doubles)
        return hd_fail(e->ctx, HEDDLE_E_REFUSED, "%s has no double precision: use cpu%s", info->name,
                       e->graph->weight_type == HEDDLE_WEIGHT_F32 ? ", or --precision single" : "");
    return HEDDLE_OK;
}

static heddle_status set_up(incore *e, const hd_run *run) {
    const char *device = run->options.device;
    heddle_result *result = run->result;
    hd_plan_program facts;
    HD_TRY(hd_incore_open(e, device, &result->report, &facts));
    const hd_device_info *info = &e->device->info;
    double begun = hd_clock();
    HD_TRY(hd_plan_degrees(e->ctx, e->graph, &e->plan, &facts));
    result->report.prepare += hd_clock() - begun;
    HD_TRY(hd_plan_fit(e->ctx, &facts, info->warp, e->device->kind->warps, info->atomics64, &e->plan));
    HD_TRY(take_rows(e, result));
    bool wide = e->plan.wide_offsets == HD_YES || hd_wide_offsets(e->rows.vertices, e->rows.edges);
    e->shape = hd_incore_shape_of(e->program, &e->plan, e->device->kind, wide);
    e->shape.passing = e->setup->passing != NULL;
    e->shape.in_degrees |= e->setup->in_degrees && e->program->in_degree;
    e->shape.no_in_degree |= e->setup->in_degrees && !e->program->in_degree;
    e->shape.no_initial &= !e->setup->initial;
    e->shape.names = e->setup->names != NULL;
    e->shape.inside = e->setup->clusters ? e->setup->clusters->inside : 0;
    if (e->shape.inside)
        HD_TRY(hd_clusters_pack(e->ctx, e->graph->vertices, e->setup->clusters, &e->clusters));
    e->shape.copies = e->setup->copies != NULL;
    e->shape.mean = e->shape.copies && e->setup->mean;
    e->shape.profile = run->options.profile;
    double laying = hd_clock();
    HD_TRY(hd_incore_layout_new(e->ctx, &e->shape, &e->rows, e->setup, e->program->traits & FROM_SOURCES, &e->layout));
    *(e->shape.nodes ? &result->report.transforming : &result->report.prepare) += hd_clock() - laying;
    e->groups = hd_incore_groups(e, info->units);
    if (e->shape.shards)
        HD_TRY(hd_incore_shards_open(e, device, result));
    if (e->shape.span)
        HD_TRY(hd_stream_cut(e, run->limit));
    HD_TRY(hd_incore_build(e, &result->report));
    if (!e->rows.second.offsets && !e->shape.shards && !e->shape.span)
        HD_TRY(borrow(e, device, wide, result));
    HD_TRY(hd_incore_allocate(e));
    HD_TRY(hd_incore_upload(e));
    hd_incore_shards_lend(e);
    double opening = hd_clock();
    if (e->shape.span)
        HD_TRY(hd_stream_open(e, device, &result->report));
    result->report.prepare += hd_clock() - opening;
    return HEDDLE_OK;
}

bool hd_incore_asks(const incore *e, hd_incore_program *asking) {
    *asking = *e->program;
    asking->in_degree = true;
    return e->shape.no_in_degree && !e->program->own;
}

void hd_incore_close(incore *e) {
    hd_incore_layout_free(e->ctx, &e->layout);
    hd_shards_free(e->ctx, &e->shards);
    hd_clusters_packed_free(e->ctx, &e->clusters);
    if (!e->device)
        return;
    hd_stream_close(e);
    hd_module_close(&e->module);
    for (int i = 0; i < BUFFERS; i++)
        if (e->pinned[i])
            e->device->unpin(e->device, e->pinned[i]);
        else if (!e->lent[i])
            e->device->release(e->device, &e->buffer[i]);
}

heddle_status hd_incore_measure(heddle_context *ctx, const heddle_graph *graph, const hd_incore_program *program,
                                const hd_plan *plan, const hd_device_info *info, const hd_device_kind *kind,
                                hd_incore_size *size) {
    hd_cpu_setup nothing = {.source_count = 0};
    incore e = {.ctx = ctx, .graph = graph, .program = program, .setup = &nothing, .plan = *plan};
    uint64_t each[BUFFERS];
    heddle_result unused = {.count = 0};
    heddle_status status;
    *size = (hd_incore_size){.bytes = 0};
    HD_TRY(take_rows(&e, &unused));
    bool wide = plan->wide_offsets == HD_YES || hd_wide_offsets(e.rows.vertices, e.rows.edges);
    e.shape = hd_incore_shape_of(program, plan, kind, wide);
    size->tile = e.shape.rows;
    size->copy = hd_incore_copy_size(program, &e.shape);
    if (e.shape.shards)
        HD_TRY(hd_incore_shards_size(&e, info));
    size->range = e.shards.range;
    size->rows = e.rows;
    HD_CHECK(hd_incore_layout_new(ctx, &e.shape, &e.rows, &nothing, true, &e.layout));
    e.groups = hd_incore_groups(&e, info->units);
    hd_incore_plan_bytes(&e, each);
    for (int i = 0; i < BUFFERS; i++)
        size->bytes += (each[i] + 15) / 16 * 16;
    if (e.shape.span) /* if all of them stay */
        size->bytes += e.rows.edges *
                       (4 + (e.shape.sources ? 4 : 0) + (program->weighted ? hd_weight_size(graph->weight_type) : 0));
out:
    hd_incore_layout_free(ctx, &e.layout);
    return status;
}

heddle_status hd_incore_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_setup *setup) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    incore e = {.ctx = ctx, .graph = run->graph, .program = program, .setup = setup, .plan = run->plan};
    heddle_report *report = &result->report;
    heddle_status status;
    hd_incore_program asking;
    hd_phase_begin(ctx, "compute", 0);
    status = set_up(&e, run);
    if (status == HEDDLE_E_PROGRAM && hd_incore_asks(&e, &asking)) {
        hd_incore_close(&e);
        hd_enter(ctx);
        e = (incore){.ctx = ctx, .graph = run->graph, .program = &asking, .setup = setup, .plan = run->plan};
        status = set_up(&e, run);
    }
    HD_CHECK(status);
    HD_CHECK(e.stream ? hd_stream_iterate(&e) : iterate(&e));
    HD_CHECK(hand_over(&e, result));
    hd_result_device(result, run->options.device);
    hd_schedule_label(&e.plan, result->schedule, sizeof result->schedule);
    result->fitted = e.plan;
    report->schedule = result->schedule;
    report->device_bytes = e.bytes;
    if (e.stream)
        hd_stream_report(&e, report);
    report->transfer += e.transfer;
    report->compute += e.compute;
out:
    hd_phase_end(ctx);
    hd_incore_close(&e);
    return status;
}
