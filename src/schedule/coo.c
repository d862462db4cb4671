/* coo.c - one lane per edge (coo.cl): Graphie (Han, Mawhirter, Wu and Buland, PACT 2017). Edges pass through the device
 * with their sources beside them. */
#include "schedule/efficiency.h"

extern const char hd_text_coo[]; /* embedded */

enum { TILE_STEPS = 8 /* steps of a warp over edges whose sources it has in shared memory */ };

static hd_schedule_layout layout(const hd_plan *plan) { return (hd_schedule_layout){.rows = plan->warp * TILE_STEPS}; }

/* All lanes but those behind the last edge. */
static heddle_status efficiency(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                                hd_efficiency *sum) {
    uint64_t n = rows->vertices, edges = rows->first[n] + (rows->second ? rows->second[n] : 0);
    uint64_t steps = edges / plan->warp + (edges % plan->warp != 0);
    (void)ctx, (void)tile;
    *sum = (hd_efficiency){.useful = edges,
                           .slots = steps * plan->warp,
                           .sectors = edges / 8 + (edges % 8 != 0),
                           .longest = TILE_STEPS};
    return HEDDLE_OK;
}

const hd_schedule hd_schedule_coo = {
    .name = "coo",
    .text = hd_text_coo,
    .reason = "a lane walks an edge; edges pass through the device with their sources beside them",
    .variants = (const hd_schedule_variant[]){{"coo", "schedule=coo"}, {NULL, NULL}},
    .spans = true,
    .sources = true,
    .side = hd_side_lane,
    .layout = layout,
    .efficiency = efficiency,
};
