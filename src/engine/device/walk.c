/* walk.c - see walk.h. */
#include "engine/device/walk.h"

#include <stdio.h>

/* Refuses keys that only vertex programs have. */
static heddle_status check_keys(heddle_context *ctx, const char *algorithm, const hd_plan *plan) {
    const struct {
        bool given;
        const char *key, *why;
    } keys[] = {{plan->given & HD_GIVEN_DIRECTION, "direction", "the direction of its passes is fixed"},
                {plan->given & HD_GIVEN_WORKLIST, "worklist", "it makes its own lists of vertices"},
                {plan->given & HD_GIVEN_SYNC, "sync", "its passes are ordered"},
                {(plan->given & HD_GIVEN_MAPPING) && plan->dynamic == HD_YES, "mapping",
                 "vertices are cut when they are put in a list"},
                {plan->given & HD_GIVEN_WINDOW, "window",
                 "only schedule=shard has windows, which is for vertex programs"},
                {plan->given & HD_GIVEN_SHARDS, "shards", "shards are for vertex programs"},
                {plan->given & HD_GIVEN_RANGE, "range", "shards are for vertex programs"},
                {plan->doubles == HD_NO, "doubles", "only vertex programs can do without double precision"},
                {plan->debug == HD_YES, "debug", "only vertex programs can be compiled for a debugger"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].given)
            return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: %s: %s", algorithm, keys[i].key, keys[i].why);
    return HEDDLE_OK;
}

static bool walks(const hd_schedule *schedule) { return schedule->walk; }

static heddle_status refuse_schedule(heddle_context *ctx, const char *algorithm) {
    char names[96];
    hd_schedule_names(walks, names, sizeof names);
    return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: this schedule is for vertex programs only; use schedule=%s instead",
                   algorithm, names);
}

static heddle_status check_plan(heddle_context *ctx, const char *algorithm, const hd_device_info *device,
                                const hd_plan *plan) {
    if (!plan->schedule->walk)
        return refuse_schedule(ctx, algorithm);
    if (plan->transform)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: transforms are supported for vertex programs only", algorithm);
    if (plan->warp && plan->warp != device->warp)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: warp=%lu: its kernels have warps of %lu lanes", algorithm,
                       (unsigned long)plan->warp, (unsigned long)device->warp);
    return hd_schedule_check_keys(ctx, algorithm, plan);
}

static void define(hd_walk *walk) {
    const hd_plan *plan = &walk->plan;
    snprintf(walk->defines, sizeof walk->defines,
             "#define HD_WALK %d\n#define HD_WIDTH %uu\n#define HD_CHUNK %uu\n#define HD_COALESCED %d\n",
             (int)plan->schedule->walk, plan->width ? plan->width : 1, walk->chunk ? walk->chunk : 1,
             plan->coalesced == HD_YES);
}

heddle_status hd_walk_of(heddle_context *ctx, const char *algorithm, const hd_plan *requested,
                         const hd_device_info *device, hd_walk *walk) {
    hd_plan *plan = &walk->plan;
    *plan = *requested;
    HD_TRY(check_keys(ctx, algorithm, plan));
    if (!plan->schedule)
        plan->schedule = &hd_schedule_edge;
    HD_TRY(check_plan(ctx, algorithm, device, plan));
    plan->warp = device->warp;
    if (plan->schedule->fill)
        plan->schedule->fill(plan);
    if (plan->schedule->check)
        HD_TRY(plan->schedule->check(ctx, &(hd_plan_program){.name = algorithm}, plan));
    walk->wide = plan->wide_offsets == HD_YES;
    walk->chunk = plan->schedule->chunk ? plan->schedule->chunk : plan->K;
    define(walk);
    return HEDDLE_OK;
}

void hd_walk_cut(hd_walk *walk, uint32_t chunk) {
    if (walk->plan.schedule->chunk) {
        walk->chunk = chunk;
        define(walk);
    }
}

uint64_t hd_walk_room(const hd_walk *walk, uint64_t vertices, uint64_t edges) {
    return vertices + (walk->chunk ? edges / walk->chunk : 0);
}
