/* thread.c - one lane per vertex (thread.cl): Tigr's baseline. */
#include "schedule/efficiency.h"

extern const char hd_text_thread[]; /* embedded */

static heddle_status efficiency(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                                hd_efficiency *sum) {
    (void)tile;
    *sum = hd_efficiency_rows(ctx, rows, 1, plan->warp);
    return HEDDLE_OK;
}

const hd_schedule hd_schedule_thread = {
    .name = "thread",
    .text = hd_text_thread,
    .reason = "a lane walks a vertex' edges; as good as degrees are even",
    .variants = (const hd_schedule_variant[]){{"thread", "schedule=thread"}, {NULL, NULL}},
    .walk = 1,
    .spans = true,
    .whole_rows = true,
    .lane_rows = true,
    .side = hd_side_lane,
    .layout = hd_layout_rows,
    .efficiency = efficiency,
};
