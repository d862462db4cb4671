/* parts_refusal.c - see parts_refusal.h. */
#include "algorithm/parts_refusal.h"

#include "algorithm/algorithm.h"

static const hd_refusal none = {NULL, NULL, NULL};

/* Whether a part is on a device with memory of its own. */
static bool on_devices(const hd_run *run) {
    bool any = hd_on_device(run);
    for (uint32_t p = 0; p < run->devices.count; p++)
        any = any || hd_device_kind_of(run->devices.name[p]);
    return any;
}

hd_refusal hd_parts_own_refuse(const hd_run *run) {
    const hd_plan *plan = &run->plan;
    if (on_devices(run))
        return (hd_refusal){"the device", "it is no vertex program: its parts are on the cpu", "cpu"};
    if (plan->given & ~(uint32_t)(HD_GIVEN_ORDER | HD_GIVEN_RESIDENCY | HD_GIVEN_EXCHANGE) ||
        (plan->exchange && plan->exchange != &hd_exchange_vr))
        return (hd_refusal){"the plan", "it is no vertex program, and has one algorithm on parts", "plan auto"};
    if (plan->given & HD_GIVEN_RESIDENCY && plan->residency != &hd_residency_device)
        return (hd_refusal){"residency", "the CPU reads its own memory", "residency=device"};
    if (run->algorithm->weight_ranks == HD_WEIGHT_RANKS_ALWAYS && hd_weight_size(run->graph->weight_type) == 8)
        return (hd_refusal){"64-bit weights", "they are compared by their ranks among all", NULL};
    if (run->options.max_error > 0)
        return (hd_refusal){"max-error", "an error budget takes the whole graph", NULL};
    if (run->options.memory_limit)
        return (hd_refusal){"memory-limit", "it bounds what one device holds", NULL};
    return none;
}

/* Of the plan's keys. */
static hd_refusal refuse_plan(const hd_run *run) {
    const hd_plan *plan = &run->plan;
    if (plan->direction == HD_PUSH)
        return (hd_refusal){"direction=push", "a part has the edges into its vertices", "direction=pull"};
    if (plan->worklist == HD_YES)
        return (hd_refusal){"worklist=yes", "a part's rounds pull along all its edges", "worklist=no"};
    if (plan->transform)
        return (hd_refusal){"a transform", "slices are cut from the graph as it is", "transform=none"};
    if (plan->graffix)
        return (hd_refusal){"graffix", "slices are cut from the graph as it is", "graffix=none"};
    if (hd_plan_shards(plan))
        return (hd_refusal){"schedule=shard", "shards are made of whole graphs", "schedule=wseg"};
    if (plan->schedule && plan->schedule->sources)
        return (hd_refusal){"this schedule", "a part has rows", "schedule=wseg"};
    if (plan->given & HD_GIVEN_RESIDENCY && plan->residency != &hd_residency_device && !on_devices(run))
        return (hd_refusal){"residency", "the CPU reads its own memory", "residency=device"};
    if (plan->given & HD_GIVEN_RESIDENCY && plan->residency->from_file)
        return (hd_refusal){"residency=disk", "a part's edges lie in memory", "residency=stream"};
    if (plan->peer == HD_YES && plan->exchange && plan->exchange->every)
        return (hd_refusal){"peer=yes", "only values that have changed pass from device to device", "exchange=vr"};
    if (plan->stream_active || plan->stream_shared || plan->stream_packed || plan->stream_gather ||
        plan->stream_place || plan->stream_again || plan->stream_queues)
        return (hd_refusal){"stream", "all edges of a part pass in every round, as they are",
                            "stream.partitions or stream.reuse"};
    return none;
}

hd_refusal hd_program_refuse_parts(const hd_run *run) {
    if (!hd_in_parts(run))
        return none;
    hd_refusal refusal = refuse_plan(run);
    if (hd_is_refused(refusal))
        return refusal;
    if (run->options.memory_limit && !on_devices(run))
        return (hd_refusal){"memory-limit", "it bounds what one device holds", NULL};
    return none;
}
