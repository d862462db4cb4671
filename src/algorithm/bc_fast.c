/* bc_fast.c - both passes over all levels by kernels/bc.h: in few launches where groups can wait for each other, level
 * by level elsewhere. */
#include "algorithm/bc_device.h"

enum { RESIDENT_BATCH = 1 << 14, BATCH = 256 }; /* levels between two looks at whether to go on */

/* Levels that follow each other. */
static heddle_status some_levels(hd_bc_device *d, const hd_bc_kit *k, bool back, uint32_t from, uint32_t to, bool cut) {
    uint32_t groups = hd_kernels_groups(&k->kernels, d->b.s.graph->vertices);
    if (d->resident)
        return hd_bc_launch(d, k, HD_BC_LEVELS, k->groups, back, from, to);
    for (uint32_t level = from;; level = back ? level - 1 : level + 1) {
        if (cut)
            HD_TRY(hd_bc_launch(d, k, HD_BC_ONE_CUT, groups, back, level, 0));
        HD_TRY(hd_bc_launch(d, k, HD_BC_ONE_LEVEL, groups, back, level, 0));
        if (cut)
            HD_TRY(hd_bc_launch(d, k, HD_BC_ONE_JOIN, groups, back, level, 0));
        if (level == to)
            return HEDDLE_OK;
    }
}

/* Levels 1 .. last, forward or backward. */
static heddle_status all_levels(hd_bc_device *d, const hd_bc_kit *k, bool back, uint32_t last, bool cut) {
    uint32_t batch = d->resident ? RESIDENT_BATCH : BATCH;
    for (uint32_t done = 0; done < last;) {
        uint32_t count = last - done < batch ? last - done : batch, from = back ? last - done : done + 1;
        HD_TRY(some_levels(d, k, back, from, back ? from - count + 1 : from + count - 1, cut));
        done += count;
        if (done < last) {
            HD_TRY(d->b.s.device->finish(d->b.s.device));
            if (hd_advance(d->b.s.ctx, 0))
                return hd_cancelled_status(d->b.s.ctx);
        }
    }
    return HEDDLE_OK;
}

heddle_status hd_bc_add_fast(hd_bc_device *d, const hd_bc_shape *shape) {
    bool wide = shape->bits > HD_BC_BITS;
    const hd_bc_kit *kit = wide ? &d->wide : &d->plain;
    HD_TRY(hd_bc_kit_open(d, wide));
    HD_TRY(all_levels(d, kit, false, shape->levels - 1, shape->cut));
    return all_levels(d, kit, true, shape->levels - 1, shape->cut);
}
