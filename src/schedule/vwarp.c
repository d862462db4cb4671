/* vwarp.c - a part of a warp per vertex (vwarp.cl): virtual warp-centric (Hong et al., PPoPP 2011). */
#include "schedule/efficiency.h"

#include <stdio.h>

extern const char hd_text_vwarp[]; /* embedded */

static const uint32_t default_width = 32;

static void fill(hd_plan *plan) {
    if (!plan->width)
        plan->width = default_width < plan->warp ? default_width : plan->warp;
}

static heddle_status check(heddle_context *ctx, const hd_plan_program *program, const hd_plan *plan) {
    return plan->width <= plan->warp
               ? HEDDLE_OK
               : hd_fail(ctx, HEDDLE_E_REFUSED, "%s: width: a virtual warp cannot be wider than the warp",
                         program->name);
}

static void label(const hd_plan *plan, char *text, size_t size) {
    snprintf(text, size, "vwarp-%lu", (unsigned long)plan->width);
}

static uint32_t side(const hd_plan *plan) { return plan->width; }

static heddle_status efficiency(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                                hd_efficiency *sum) {
    (void)tile;
    *sum = hd_efficiency_rows(ctx, rows, plan->width, plan->warp);
    return HEDDLE_OK;
}

const hd_schedule hd_schedule_vwarp = {
    .name = "vwarp",
    .text = hd_text_vwarp,
    .reason = "a few lanes walk a vertex' edges together; good for degrees near their number",
    .variants = (const hd_schedule_variant[]){{"vwarp-2", "schedule=vwarp,width=2"},
                                              {"vwarp-4", "schedule=vwarp,width=4"},
                                              {"vwarp-8", "schedule=vwarp,width=8"},
                                              {"vwarp-16", "schedule=vwarp,width=16"},
                                              {"vwarp-32", "schedule=vwarp,width=32"},
                                              {NULL, NULL}},
    .keys = HD_KEY_WIDTH,
    .walk = 2,
    .spans = true,
    .whole_rows = true,
    .fill = fill,
    .check = check,
    .label = label,
    .side = side,
    .layout = hd_layout_rows,
    .efficiency = efficiency,
};
