/* lane.c - a toy: a lane for each vertex (lane.cl). */
#include "schedule/efficiency.h"

extern const char hd_text_lane[]; /* embedded */

static heddle_status efficiency(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                                hd_efficiency *sum) {
    (void)tile;
    *sum = hd_efficiency_rows(ctx, rows, 1, plan->warp);
    return HEDDLE_OK;
}

const hd_schedule hd_schedule_lane = {
    .name = "lane",
    .text = hd_text_lane,
    .reason = "a lane walks a vertex' edges; as good as degrees are even",
    .variants = (const hd_schedule_variant[]){{"lane", "schedule=lane"}, {NULL, NULL}},
    .whole_rows = true,
    .lane_rows = true,
    .side = hd_side_lane,
    .layout = hd_layout_rows,
    .efficiency = efficiency,
};
