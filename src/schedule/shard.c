/* shard.c - one group per shard (shard.cl), whose entries include copies of their sources' values: CuSha's G-Shards and
 * Concatenated Windows (Khorasani et al., HPDC 2014). The layout is engine/device/shards.h. */
#include "schedule/schedule.h"

extern const char hd_text_shard[]; /* embedded */

static void fill(hd_plan *plan) {
    plan->listed = plan->listed ? plan->listed : HD_YES;
    plan->host = plan->host ? plan->host : HD_NO;
    plan->direction = plan->direction ? plan->direction : HD_PULL;
    plan->worklist = plan->worklist ? plan->worklist : HD_NO;
}

static heddle_status check(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan) {
    bool push = plan->direction == HD_PUSH, word = program->message_size == 4 || program->message_size == 8;
    if (push || plan->worklist == HD_YES)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: %s: a shard gathers all that comes into its range of vertices: with schedule=shard the "
                       "direction is pull, without a worklist",
                       program->name, push ? "direction=push" : "worklist=yes");
    if (!word && !program->add_size)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: schedule=shard: a message that is no word of 4 or 8 bytes cannot be reduced in shared "
                       "memory by atomics; use schedule=wseg or edge, direction=pull instead",
                       program->name);
    if (program->ids && plan->listed == HD_YES)
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "%s: window=cw: entries do not hold their sources, which send() reads "
                       "(SEND_EDGE); use window=gs instead",
                       program->name);
    return HEDDLE_OK;
}

const hd_schedule hd_schedule_shard = {
    .name = "shard",
    .text = hd_text_shard,
    .reason = "edges lie in shards that fit shared memory",
    .variants = (const hd_schedule_variant[]){{"shard gs", "schedule=shard,window=gs"},
                                              {"shard cw", "schedule=shard,window=cw"},
                                              {NULL, NULL}},
    .keys = HD_KEY_SHARD,
    .shards = true,
    .fill = fill,
    .check = check,
    .side = hd_side_lane,
    .layout = hd_layout_rows,
};
