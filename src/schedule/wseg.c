/* wseg.c - a warp for as many vertices as it has lanes, edges side by side (wseg.cl): Warp Segmentation (Khorasani,
 * Gupta, Bhuyan, PACT 2015). */
#include "schedule/efficiency.h"

extern const char hd_text_wseg[]; /* embedded */

static hd_schedule_layout layout(const hd_plan *plan) { return (hd_schedule_layout){.rows = plan->warp}; }

static heddle_status efficiency(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                                hd_efficiency *sum) {
    (void)tile;
    *sum = hd_efficiency_segments(ctx, rows, plan->warp);
    return HEDDLE_OK;
}

const hd_schedule hd_schedule_wseg = {
    .name = "wseg",
    .text = hd_text_wseg,
    .reason = "a warp walks its vertices' edges side by side and adds up without atomics",
    .variants = (const hd_schedule_variant[]){{"wseg", "schedule=wseg"}, {NULL, NULL}},
    .walk = 3,
    .spans = true,
    .whole_rows = true,
    .side = hd_side_warp,
    .layout = layout,
    .efficiency = efficiency,
};
