/* edge.c - balanced over edges (edge.cl): tiles of the merged sequence of rows and edges (merge path), or, with a
 * worklist, entries of at most CHUNK edges. */
#include "schedule/efficiency.h"

extern const char hd_text_edge[]; /* embedded */

enum {
    TILE_STEPS = 8, /* steps of a warp per tile, if shared memory allows */
    CHUNK = 256
};

static hd_schedule_layout layout(const hd_plan *plan) {
    bool listed = plan->worklist == HD_YES;
    return (hd_schedule_layout){.tiles = !listed,
                                .pairs = listed,
                                .chunk = listed ? CHUNK : 0,
                                .rows = listed ? plan->warp : plan->warp * TILE_STEPS};
}

static heddle_status efficiency(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                                hd_efficiency *sum) {
    if (tile <= plan->warp) /* of a worklist, which has no tiles */
        tile = plan->warp * TILE_STEPS;
    *sum = hd_efficiency_tiles(ctx, rows, tile, plan->warp);
    return HEDDLE_OK;
}

const hd_schedule hd_schedule_edge = {
    .name = "edge",
    .text = hd_text_edge,
    .reason = "edges are shared out evenly, so that no distribution of degrees can hurt",
    .variants = (const hd_schedule_variant[]){{"edge", "schedule=edge"}, {NULL, NULL}},
    .walk = 5,
    .spans = true,
    .chunk = CHUNK,
    .side = hd_side_warp,
    .layout = layout,
    .efficiency = efficiency,
};
