/* incore_source.c - program and plan to kernel source: settings as macros, then prelude, program, schedule. */
#include "base/memory.h"
#include "base/word_list.h"
#include "engine/device/incore_parts.h"
#include "program/list.h"
#include "schedule/interface.h"

#include <stdio.h>
#include <string.h>

extern const char hd_text_words[], hd_text_common[], hd_text_push[], hd_text_thread[], hd_text_vwarp[], hd_text_wseg[],
    hd_text_vnode[], hd_text_edge[], hd_text_shard[], hd_text_span[], hd_text_slice[], hd_text_copies[],
    hd_text_clusters[], hd_text_again[];
#define DECLARE(name, facts) extern const char hd_text_program_##name[];
HD_PROGRAMS(DECLARE)
#undef DECLARE

enum {
    GROUP = 1024, /* lanes that work on a shard */
    GROUP_SMALL = 128,
    RANGE = 256,       /* if there is no graph */
    TALLIES = 64,      /* of them in a shard's shared memory */
    SLACK_BYTES = 512, /* shared memory that a shard needs besides */
    WARPS = 8,         /* in a group, if groups may have several and shared memory suffices */
    SHARED_BYTES = 40 << 10,
    SHARD_BYTES = 48 << 10 /* available to a kernel without a special request */
};

/* ---- Programs --------------------------------------------------------------------------------------------------- */

static const struct built_in {
    const char *name, *text;
    hd_program_facts facts;
} built_in[] = {
#define ENTER(name, facts) {#name, hd_text_program_##name, facts},
    HD_PROGRAMS(ENTER)
#undef ENTER
};

hd_incore_program hd_incore_user(const char *path, const char *text, bool in_double, const hd_cpu_program *compiled) {
    return (hd_incore_program){.name = path,
                               .text = text,
                               .in_double = in_double,
                               .traits = compiled->traits,
                               .weighted = compiled->weighted,
                               .has_output = compiled->has_output,
                               .output = (heddle_value_type)compiled->output_type,
                               .value_size = compiled->value_size,
                               .message_size = compiled->message_size};
}

heddle_status hd_incore_find(heddle_context *ctx, const char *name, bool in_double, hd_incore_program *program) {
    size_t count = sizeof built_in / sizeof *built_in, i = 0;
    while (i < count && strcmp(built_in[i].name, name) != 0)
        i++;
    if (i == count)
        return hd_fail(ctx, HEDDLE_E_INTERNAL, "no program '%s'", name);
    *program = hd_incore_user(name, built_in[i].text, in_double, hd_cpu_program_find(name, in_double));
    program->own = true;
    program->steps = built_in[i].facts & HD_PROGRAM_STEPS;
    program->both_ways = built_in[i].facts & HD_PROGRAM_BOTH_WAYS;
    program->ranks = built_in[i].facts & HD_PROGRAM_RANKS;
    program->initial = built_in[i].facts & HD_PROGRAM_INITIAL;
    program->in_degree = built_in[i].facts & HD_PROGRAM_IN_DEGREE;
    program->part = program->ranks ? "f64" : "real";
    return HEDDLE_OK;
}

hd_plan_program hd_incore_facts(const hd_incore_program *program) {
    bool adds = program->own && (program->traits & SUM);
    return (hd_plan_program){.name = program->name,
                             .ids = program->traits & HD_SENDS_EDGE,
                             .monotone = program->traits & MONOTONE,
                             .mixes = program->traits & UNIQUE_FIXED_POINT,
                             .sums = program->traits & SUM,
                             .add_size = !adds                                  ? 0
                                         : program->in_double || program->ranks ? 8
                                                                                : 4,
                             .value_size = program->value_size,
                             .message_size = program->message_size};
}

/* ---- Shape ------------------------------------------------------------------------------------------------------ */

size_t hd_incore_tally_bytes(const hd_incore_program *program) {
    return program->traits & HD_HAS_TOTALS ? HD_TALLY_TOTALS_BYTES : HD_TALLY_BYTES;
}

/* Approximate bytes of shared memory per warp. */
static size_t shared_bytes(const hd_incore_program *program, const hd_incore_shape *shape, const hd_plan *plan,
                           const hd_device_kind *kind) {
    size_t scratch = kind->warps ? 1 : plan->warp, tally = hd_incore_tally_bytes(program);
    if (shape->sources)
        return scratch * (program->message_size + tally) + shape->rows * (program->value_size + 8) + 4 * plan->warp * 8;
    return (scratch + shape->rows + 1) * program->message_size + scratch * tally + (shape->rows + 4 * plan->warp) * 8;
}

static void fit_shared(const hd_incore_program *program, const hd_plan *plan, const hd_device_kind *kind,
                       hd_incore_shape *shape) {
    while (shape->rows > plan->warp && shared_bytes(program, shape, plan, kind) > SHARED_BYTES / 4)
        shape->rows /= 2;
    size_t fit = SHARED_BYTES / shared_bytes(program, shape, plan, kind);
    shape->warps = !kind->warps || fit < 1 ? 1 : fit < WARPS ? (uint32_t)fit : WARPS;
}

size_t hd_incore_sent_size(const hd_incore_program *program) {
    return !program->ranks ? program->message_size : program->in_double ? 8 : 4;
}

/* Whether computing a vertex's message once for all its edges saves memory accesses, of value and degree per edge.
 * Monotone programs do not read the degree; a message that depends on the edge or on the round is not the same. */
static bool sends_alike(const hd_incore_program *program) {
    if (program->traits & (MONOTONE | HD_SENDS_EDGE | HD_SENDS_RUN) || (program->weighted && !program->strengths))
        return false;
    return program->ranks || program->message_size <= program->value_size + sizeof(uint32_t);
}

size_t hd_incore_copy_size(const hd_incore_program *program, const hd_incore_shape *shape) {
    return shape->sent ? hd_incore_sent_size(program) : program->value_size;
}

uint32_t hd_incore_range_most(const hd_incore_program *program, const hd_incore_shape *shape, uint64_t local_bytes) {
    size_t copy = hd_incore_copy_size(program, shape), word = program->message_size == 4 ? 4 : 8;
    size_t slot = ((copy > program->message_size ? copy : program->message_size) + word - 1) / word * word + 1;
    uint64_t most = local_bytes < SHARD_BYTES ? local_bytes : SHARD_BYTES;
    uint64_t beside = SLACK_BYTES + (shape->settles ? TALLIES : 1) * hd_incore_tally_bytes(program);
    return most > beside + slot ? (uint32_t)((most - beside) / slot) : 1;
}

static void shape_shards(const hd_incore_program *program, const hd_plan *plan, const hd_device_kind *kind,
                         hd_incore_shape *s) {
    s->shards = true;
    s->listed = plan->listed == HD_YES;
    s->in_place = true; /* other vertices read copies */
    s->copied_degrees = !program->own && !s->sent;
    s->in_degrees = program->in_degree;
    s->no_in_degree = !program->in_degree;
    s->range = plan->range ? plan->range : RANGE;
    s->group = kind->warps ? GROUP : GROUP_SMALL;
}

/* Spans have neither tiles nor queues: a schedule's rows are those of the span. Fields that depend on the partitions
 * are completed when these are known; until then there are assumed to be few. */
static void shape_span(const hd_plan *plan, hd_incore_shape *s) {
    hd_plan unlisted = *plan;
    unlisted.worklist = HD_NO;
    hd_schedule_layout layout = plan->schedule->layout(&unlisted);
    s->span = true;
    s->active = plan->worklist == HD_YES;
    s->sources = plan->schedule->sources;
    s->no_offsets = s->sources && plan->stream_packed == HD_NO;
    s->shared_sources = s->virtual_ids = true;
    s->flags = 64;
    s->worklist = s->tiles = s->nodes = s->pairs = false;
    s->chunk = layout.chunk;
    s->rows = layout.rows;
}

hd_incore_shape hd_incore_shape_of(const hd_incore_program *program, const hd_plan *plan, const hd_device_kind *kind,
                                   bool wide) {
    hd_schedule_layout layout = plan->schedule->layout(plan);
    bool relaxed = plan->strict == HD_NO;
    hd_incore_shape s = {.push = plan->direction == HD_PUSH, .worklist = plan->worklist == HD_YES, .wide = wide};
    s.tiles = layout.tiles;
    s.nodes = layout.nodes;
    s.pairs = layout.pairs;
    s.chunk = layout.chunk;
    s.rows = layout.rows;
    if (hd_plan_spans(plan))
        shape_span(plan, &s);
    s.mixed = relaxed;
    s.accumulate = !relaxed && (s.push || s.nodes);
    s.sent = sends_alike(program) && !s.push && !s.mixed;
    s.in_place = relaxed || s.accumulate || s.sent; /* if messages are stored, other vertices do not read values */
    s.settles = !(program->traits & MONOTONE);
    s.no_initial = !program->initial;
    s.in_degrees = (s.push || program->both_ways) && program->in_degree;
    s.no_in_degree = (s.push || program->both_ways) && !program->in_degree;
    if (plan->schedule->shards)
        shape_shards(program, plan, kind, &s);
    fit_shared(program, plan, kind, &s);
    return s;
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

static void settings(const hd_incore_program *program, const hd_plan *plan, const hd_incore_shape *shape,
                     heddle_weight_type weights, hd_incore_target target, char *text, size_t size) {
    bool wide_part = program->part && (strcmp(program->part, "f64") == 0 || program->in_double) && target.doubles;
    int used =
        snprintf(text, size,
                 "#define HD_WARP %uu\n#define HD_WARPS %u\n#define HD_TURN %d\n#define HD_WEIGHT_TYPE %d\n"
                 "#define HD_VALUE_BYTES %zu\n#define HD_MESSAGE_BYTES %zu\n#define HD_PUSH %d\n"
                 "#define HD_WORKLIST %d\n#define HD_MIXED %d\n#define HD_IN_PLACE %d\n#define HD_ACCUMULATE %d\n"
                 "#define HD_SETTLES %d\n#define HD_ROWS %u\n#define HD_CHUNK %u\n#define HD_WIDTH %u\n"
                 "#define HD_COALESCED %d\n#define HD_DYNAMIC %d\n#define HD_RESULTS %d\n",
                 plan->warp, shape->warps, HD_INCORE_TURN, program->weighted ? (int)weights : 0, program->value_size,
                 program->message_size, shape->push, shape->worklist, shape->mixed, shape->in_place, shape->accumulate,
                 shape->settles, shape->rows, shape->chunk, plan->width, plan->coalesced == HD_YES,
                 plan->dynamic == HD_YES, program->has_output);
    if (program->own && (program->traits & SUM))
        used += snprintf(text + used, size - (size_t)used, "#define HD_PART %s\n#define HD_ADD_PART hd_add_%s\n",
                         program->part, wide_part ? "f64" : "f32");
    if (shape->shards)
        used += snprintf(text + used, size - (size_t)used,
                         "#define HD_RANGE %uu\n#define HD_GROUP %uu\n#define HD_LISTED %d\n%s", shape->range,
                         shape->group, shape->listed, shape->copied_degrees ? "#define HD_COPIED_DEGREES\n" : "");
    if (program->included) /* included files are part of the cache key, which is a hash of this text */
        used += snprintf(text + used, size - (size_t)used, "#define HD_INCLUDED 0x%llx\n",
                         (unsigned long long)program->included);
    if (shape->span)
        used += snprintf(text + used, size - (size_t)used,
                         "#define HD_SPAN 1\n#define HD_ACTIVE %d\n#define HD_COO %d\n#define HD_SOURCES %d\n"
                         "#define HD_VIRTUAL %d\n#define HD_FLAGS %u\n#define HD_SINKS %d\n#define HD_AGAIN_ON %d\n",
                         shape->active, shape->sources, shape->shared_sources, shape->virtual_ids, shape->flags,
                         shape->sinks, shape->again);
    if (shape->slice)
        used += snprintf(text + used, size - (size_t)used, "#define HD_SLICE 1\n#define HD_WINDOW %d\n", shape->window);
    if (shape->passing)
        used += snprintf(text + used, size - (size_t)used, "#define HD_PASSING 1\n");
    if (shape->copies)
        used += snprintf(text + used, size - (size_t)used, "#define HD_COPIES 1\n#define HD_MEAN %d\n", shape->mean);
    if (shape->inside)
        used += snprintf(text + used, size - (size_t)used, "#define HD_INSIDE %uu\n#define HD_CLUSTER_MOST %d\n",
                         shape->inside, HD_CLUSTER_MOST);
    if (shape->sent)
        used += snprintf(text + used, size - (size_t)used, "#define HD_SENT %s\n", program->ranks ? "real" : "MESSAGE");
    snprintf(text + used, size - (size_t)used, "%s%s%s%s%s%s%s%s%s%s%s", shape->wide ? "#define HD_OFFSET_64\n" : "",
             program->ranks ? "#define HD_RANKS\n" : "",
             program->strengths ? "#define HD_STRENGTHS\n#define HD_LINEAR\n" : "",
             shape->in_degrees ? "#define HD_IN_DEGREES\n" : "", shape->no_in_degree ? "#define HD_NO_IN_DEGREE\n" : "",
             shape->no_initial ? "#define HD_NO_INITIAL\n" : "", shape->names ? "#define HD_NAMES\n" : "",
             program->in_double ? "#define HEDDLE_DOUBLE\n" : "", target.atomics64 ? "#define HD_ATOMICS64\n" : "",
             target.doubles ? "" : "#define HD_NO_DOUBLE\n", shape->profile ? "#define HD_PROFILE\n" : "");
}

/* The first line of a source, which names the file that --keep-source writes. */
static void name_source(const hd_incore_program *program, const hd_plan *plan, char *label, size_t size) {
    char schedule[24], name[32];
    const char *slash = strrchr(program->name, '/'), *base = slash ? slash + 1 : program->name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(base, ".*/\\"), base); /* nothing that could end a comment */
    hd_schedule_label(plan, schedule, sizeof schedule);
    snprintf(label, size, "/* heddle: %s, %s, %s */\n", name, schedule, plan->direction == HD_PUSH ? "push" : "pull");
}

heddle_status hd_incore_assemble(heddle_context *ctx, const hd_incore_program *program, const hd_plan *plan,
                                 const hd_incore_shape *shape, heddle_weight_type weights, hd_incore_target target,
                                 char **source, size_t *bytes) {
    char macros[2048], line[HD_LINE_ROOM], label[96];
    const char *parts[] = {label,
                           macros,
                           target.kind->prelude,
                           hd_text_words,
                           program->defines ? program->defines : "",
                           line,
                           program->text,
                           "\n",
                           hd_text_common,
                           shape->span ? hd_text_span : "",
                           shape->again ? hd_text_again : "",
                           hd_text_push,
                           shape->slice ? hd_text_slice : "",
                           shape->copies ? hd_text_copies : "",
                           shape->inside ? hd_text_clusters : "",
                           plan->schedule->text};
    size_t length = 1, at = 0, count = sizeof parts / sizeof *parts;
    settings(program, plan, shape, weights, target, macros, sizeof macros);
    name_source(program, plan, label, sizeof label);
    hd_line_of(program->name, line);
    for (size_t i = 0; i < count; i++)
        length += strlen(parts[i]);
    HD_TRY(HD_NEW(ctx, source, length, "kernel source"));
    for (size_t i = 0; i < count; at += strlen(parts[i]), i++)
        memcpy(*source + at, parts[i], strlen(parts[i]));
    (*source)[at] = '\0';
    *bytes = length;
    return HEDDLE_OK;
}

heddle_status hd_incore_source(const hd_run *run, const hd_incore_program *program, const hd_device_kind *kind,
                               heddle_weight_type weights, char **source, size_t *bytes) {
    hd_plan plan = run->plan;
    hd_plan_program facts = hd_incore_facts(program);
    hd_incore_target target = {kind, true, true};
    bool window = plan.exchange && hd_plan_spans(&plan);
    if (plan.exchange)
        plan = hd_plan_of_part(&plan, window);
    HD_TRY(hd_plan_fit(run->ctx, &facts, 32, kind->warps, true, &plan));
    hd_incore_shape shape = hd_incore_shape_of(program, &plan, kind, plan.wide_offsets == HD_YES);
    shape.profile = run->options.profile;
    shape.passing = plan.transform && !(program->traits & MONOTONE);
    shape.slice = shape.names = plan.exchange != NULL;
    shape.window = window;
    shape.inside = plan.graffix && plan.graffix->clusters ? 4 : 0;
    shape.copies = hd_plan_copies(&plan);
    shape.mean = shape.copies && plan.mean == HD_YES;
    return hd_incore_assemble(run->ctx, program, &plan, &shape, weights, target, source, bytes);
}
