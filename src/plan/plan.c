/* plan.c - see plan.h: filling in open choices, and the checks that refuse a plan. */
#include "plan/plan.h"

#include "base/parallel.h"

#include <stdio.h>

static const uint32_t short_row = 16, large_message = 8, stream_queues = 4;

heddle_status hd_plan_degrees(heddle_context *ctx, const heddle_graph *graph, const hd_plan *plan,
                              hd_plan_program *program) {
    heddle_adjacency in;
    uint64_t longest = 0;
    if (program->monotone || plan->schedule || graph->vertices == 0)
        return HEDDLE_OK;
    HD_TRY(heddle_graph_in(ctx, graph, &in));
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : longest) if (graph->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < graph->vertices; v++)
        longest = in.offsets[v + 1] - in.offsets[v] > longest ? in.offsets[v + 1] - in.offsets[v] : longest;
    program->longest = longest;
    program->mean_degree = (double)graph->edges / (double)graph->vertices;
    return HEDDLE_OK;
}

/* ---- Fitting ---------------------------------------------------------------------------------------------------- */

/* Sets a choice that is still open. */
#define FILL(choice, value)     \
    do {                        \
        if (!(choice))          \
            (choice) = (value); \
    } while (0)

static bool is_word(size_t bytes) { return bytes == 4 || bytes == 8; }

/* For programs that visit all rows in every round. Measured on an H200 (bench/notes): if rows have similar
 * lengths, warp segmentation is best for long rows (mean degree of 8 or more), virtual nodes for short ones, and one
 * lane per vertex if all are very short. With a hub the edges must be balanced: by the edge schedule, or by virtual
 * nodes if a message is so large that reducing it across a warp costs more than adding it by atomics. */
static void choose_even(hd_plan *plan, const hd_plan_program *program) {
    bool known = program->longest, hub = (double)program->longest > 64 * program->mean_degree + 256;
    bool open = !plan->coalesced && !plan->dynamic && !plan->K;
    if (!known || !open || plan->direction == HD_PUSH || (!hub && program->mean_degree >= 8)) {
        plan->schedule = &hd_schedule_wseg;
    } else if (hub) {
        bool large = program->add_size && program->message_size > large_message;
        plan->schedule = large ? &hd_schedule_vnode : &hd_schedule_edge;
    } else if (program->longest <= short_row) {
        plan->schedule = &hd_schedule_thread;
    } else {
        plan->schedule = &hd_schedule_vnode;
        plan->dynamic = HD_YES;
    }
}

/* Edges of a span go out from its rows. The edge schedule suits all degrees. */
static void fill_stream(hd_plan *plan, const hd_plan_program *program) {
    if (!plan->schedule)
        plan->schedule = &hd_schedule_edge;
    FILL(plan->direction, HD_PUSH);
    FILL(plan->worklist, program->monotone ? HD_YES : HD_NO);
    if (plan->schedule->keys & HD_KEY_SPLIT)
        FILL(plan->dynamic, HD_YES);
    FILL(plan->stream_active, HD_YES);
    FILL(plan->stream_reuse, HD_YES);
    FILL(plan->stream_shared, HD_YES);
    FILL(plan->stream_queues, stream_queues);
}

static void fill_in(hd_plan *plan, const hd_plan_program *program) {
    bool word_value = is_word(program->value_size);
    if (hd_plan_spans(plan))
        fill_stream(plan, program);
    if (!plan->schedule && program->monotone)
        plan->schedule = &hd_schedule_edge;
    if (!plan->schedule)
        choose_even(plan, program);
    if (plan->schedule->shards && program->ids)
        FILL(plan->listed, HD_NO); /* windows in place keep the sources of entries */
    if (plan->schedule->fill)
        plan->schedule->fill(plan);
    FILL(plan->direction,
         plan->worklist == HD_YES || (program->monotone && word_value && plan->worklist != HD_NO) ? HD_PUSH : HD_PULL);
    FILL(plan->worklist, program->monotone && plan->direction == HD_PUSH ? HD_YES : HD_NO);
    FILL(plan->strict, program->monotone && word_value ? HD_NO : HD_YES);
    FILL(plan->dynamic, HD_NO);
    FILL(plan->coalesced, HD_NO);
}

static heddle_status refuse(heddle_context *ctx, const hd_plan_program *program, const char *what, const char *why) {
    return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: %s: %s", program->name, what, why);
}

/* Refuses plans that would give wrong values. */
static heddle_status check_program(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan) {
    bool push = plan->direction == HD_PUSH, array = plan->schedule->layout(plan).nodes;
    if (plan->worklist == HD_YES && !program->monotone)
        return refuse(ctx, program, "worklist=yes", "every vertex is active in every round");
    if (plan->worklist == HD_YES && !push && !plan->schedule->shards)
        return refuse(ctx, program, "worklist=yes", "a worklist holds vertices that send: it needs direction=push");
    if (plan->strict == HD_NO && !program->monotone && !program->mixes)
        return refuse(ctx, program, "sync=relaxed", "the program does not promise the same end for mixed rounds");
    if (plan->strict == HD_NO && !program->monotone && (push || array))
        return refuse(ctx, program, "sync=relaxed", "messages that add up are applied once, after the round");
    if (plan->strict == HD_NO && !is_word(program->value_size))
        return refuse(ctx, program, "sync=relaxed",
                      "a value that is no word of 4 or 8 bytes could be read half written");
    if (plan->strict == HD_YES && (push || array) && !is_word(program->message_size) && !program->add_size) {
        char what[40];
        snprintf(what, sizeof what, "%s%.20s", push ? "direction=" : "schedule=", push ? "push" : plan->schedule->name);
        return refuse(ctx, program, what, "a message that is no word of 4 or 8 bytes cannot be reduced by atomics");
    }
    return HEDDLE_OK;
}

static bool reduces_rows(const hd_schedule *schedule) { return schedule->whole_rows; }

/* Sums on split graphs: a split vertex passes a sum on. The hint names everything that must change at once, so that
 * following it does not lead to the next refusal. */
static heddle_status check_sums(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan,
                                const char *what) {
    bool push = plan->direction == HD_PUSH, tree = plan->transform->tree;
    bool rows = plan->schedule->whole_rows;
    char names[96], trees[176], why[480];
    if (!push && tree && rows)
        return HEDDLE_OK;
    hd_schedule_names(reduces_rows, names, sizeof names);
    hd_transform_trees(plan->K, trees, sizeof trees);
    snprintf(why, sizeof why, "%s; use %s%s%s%s%s%s instead",
             push    ? "a split of out-edges gives messages, and the out-degrees they are made from, to new vertices "
                       "that have no value, where one of in-edges does not"
             : !tree ? "a sum that goes round a family would be added twice"
                     : "sums are passed on level by level, by whoever reduces a whole row",
             push ? "direction=pull" : "", push && (!tree || !rows) ? " with " : "", tree ? "" : trees,
             !tree && !rows ? " and " : "", rows ? "" : "schedule=", rows ? "" : names);
    return refuse(ctx, program, what, why);
}

/* A split vertex must either pass a value on along edges that do not change it, which works for monotone programs, or
 * pass on a sum once, in rounds that pull. */
static heddle_status check_transform(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan) {
    char what[32];
    snprintf(what, sizeof what, "transform=%s", hd_transform_name(plan->transform));
    if (!plan->transform || program->monotone)
        return HEDDLE_OK;
    if (!program->sums)
        return refuse(ctx, program, what,
                      "the program is neither MONOTONE nor a SUM: what a split vertex passes on is not known");
    return check_sums(ctx, program, plan, what);
}

static heddle_status check_stream(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan) {
    bool streams = hd_plan_spans(plan);
    char what[40], why[200];
    snprintf(what, sizeof what, "schedule=%.20s", plan->schedule->name);
    if (!streams && plan->schedule->sources)
        return refuse(
            ctx, program, what,
            "the sources of edges are stored with them only while they are streamed; use residency=stream instead");
    if (!streams)
        return plan->given & HD_GIVEN_STREAM
                   ? refuse(ctx, program, "stream", "only residency=stream has partitions and queues")
                   : HEDDLE_OK;
    if (plan->direction != HD_PUSH)
        return refuse(ctx, program, "residency=stream",
                      "messages go along the edges of the partition that is there; use direction=push instead");
    if (plan->transform)
        return refuse(ctx, program, "residency=stream",
                      "edges are sent as the graph has them; use transform=none instead");
    if (plan->schedule->spans && !plan->schedule->layout(plan).nodes)
        return HEDDLE_OK;
    snprintf(why, sizeof why, "%s; use %s instead",
             plan->schedule->spans ? "nodes in an array are those of the whole graph" : "it needs all edges at once",
             plan->schedule->spans ? "mapping=dynamic" : "schedule=edge or coo");
    return refuse(ctx, program, what, why);
}

static heddle_status check_device(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan,
                                  bool atomics64) {
    bool shard = plan->schedule->shards;
    bool atomics = shard || plan->direction == HD_PUSH || plan->schedule->layout(plan).nodes;
    size_t bytes = plan->strict == HD_NO && !shard ? program->value_size
                   : program->add_size             ? program->add_size
                                                   : program->message_size;
    if (atomics && bytes == 8 && !atomics64)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: this plan needs 64-bit atomics, which the device lacks: take a pull plan", program->name);
    return HEDDLE_OK;
}

hd_plan hd_plan_of_part(const hd_plan *plan, bool window) {
    hd_plan own = *plan;
    own.direction = HD_PULL;
    own.worklist = HD_NO;
    own.residency = &hd_residency_device;
    own.given &= ~(uint32_t)HD_GIVEN_STREAM;
    if (window && !own.schedule)
        own.schedule = &hd_schedule_wseg;
    return own;
}

heddle_status hd_plan_fit(heddle_context *ctx, const hd_plan_program *program, uint32_t warp, bool fixed_warp,
                          bool atomics64, hd_plan *plan) {
    FILL(plan->warp, warp);
    if (fixed_warp && plan->warp != warp)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "warp=%lu: this device has warps of %lu lanes", (unsigned long)plan->warp,
                       (unsigned long)warp);
    fill_in(plan, program);
    HD_TRY(hd_schedule_check_keys(ctx, program->name, plan));
    HD_TRY(check_program(ctx, program, plan));
    HD_TRY(check_stream(ctx, program, plan));
    HD_TRY(check_transform(ctx, program, plan));
    if (plan->schedule->check)
        HD_TRY(plan->schedule->check(ctx, program, plan));
    return check_device(ctx, program, plan, atomics64);
}
