/* bc_fast.c - both passes over all levels by bc.cl: in few launches with cooperative launches, otherwise level by
 * level. For deep graphs the host downloads the sizes of the levels: runs of small levels are given to fewer groups.
 */
#include "algorithm/bc/bc_device.h"

#include "base/memory.h"

enum {
    RESIDENT_BATCH = 1 << 14, /* levels between two checks whether to continue */
    BATCH = 256,
    DEEP = 64,     /* with at least this many levels, the sizes of levels are downloaded */
    FEW = 4096,    /* vertices of a small level, at most, */
    DEGREE = 16,   /* on graphs of at most this mean degree, */
    FEW_LEVELS = 8 /* if at least this many small levels follow each other */
};

typedef struct passes {
    hd_bc_device *d;
    const hd_bc_kit *kit;
    const uint32_t *starts; /* of levels, or NULL */
    uint32_t last;          /* level */
    bool back, cut;
} passes;

static uint32_t following(const passes *p, uint32_t level) { return p->back ? level - 1 : level + 1; }

/* Consecutive levels. */
static heddle_status some_levels(const passes *p, uint32_t from, uint32_t to) {
    const hd_bc_kit *k = p->kit;
    uint32_t groups = hd_kernels_groups(&k->kernels, p->d->b.s.graph->vertices);
    if (k->groups)
        return hd_bc_launch(p->d, k, HD_BC_LEVELS, k->groups, p->back, from, to);
    for (uint32_t level = from;; level = following(p, level)) {
        if (p->cut)
            HD_TRY(hd_bc_launch(p->d, k, HD_BC_ONE_CUT, groups, p->back, level, 0));
        HD_TRY(hd_bc_launch(p->d, k, HD_BC_ONE_LEVEL, groups, p->back, level, 0));
        if (p->cut)
            HD_TRY(hd_bc_launch(p->d, k, HD_BC_ONE_JOIN, groups, p->back, level, 0));
        if (level == to)
            return HEDDLE_OK;
    }
}

/* Number of consecutive levels from this one on that are small, or, if this one is not, that are not. */
static uint32_t run_length(const passes *p, uint32_t level, uint32_t most, bool *small) {
    uint32_t count = 0;
    *small = p->starts && p->starts[level + 1] - p->starts[level] <= FEW;
    for (; p->starts && count < most; count++, level = following(p, level))
        if ((p->starts[level + 1] - p->starts[level] <= FEW) != *small)
            break;
    return p->starts ? count : most;
}

/* Levels 1 .. last, forward or backward. */
static heddle_status all_levels(const passes *p) {
    uint32_t batch = p->d->resident ? RESIDENT_BATCH : BATCH;
    for (uint32_t done = 0; done < p->last;) {
        uint32_t left = p->last - done, from = p->back ? left : done + 1;
        bool small;
        uint32_t count = run_length(p, from, left < batch ? left : batch, &small);
        uint32_t to = p->back ? from - count + 1 : from + count - 1;
        if (small && count >= FEW_LEVELS)
            HD_TRY(hd_bc_launch_few(p->d, p->kit, p->back, from, to));
        else
            HD_TRY(some_levels(p, from, to));
        done += count;
        if (done < p->last && count == batch) {
            HD_TRY(p->d->b.s.device->finish(p->d->b.s.device));
            if (hd_advance(p->d->b.s.ctx, 0))
                return hd_cancelled_status(p->d->b.s.ctx);
        }
    }
    return HEDDLE_OK;
}

/* Kernels that few graphs need are compiled on demand; that time is not counted. */
static heddle_status open_kits(hd_bc_device *d, bool wide, bool few) {
    const hd_bc_kit *k = wide ? &d->wide : &d->plain;
    if (k->open && (k->few_open || !few))
        return HEDDLE_OK;
    HD_TRY(hd_structure_stop(&d->b.s));
    HD_TRY(hd_bc_kit_open(d, wide));
    if (few)
        HD_TRY(hd_bc_few_open(d, wide));
    return hd_structure_start(&d->b.s);
}

static heddle_status there_and_back(hd_bc_device *d, const hd_bc_shape *shape, const uint32_t *starts) {
    bool wide = shape->bits > HD_BC_BITS;
    passes p = {.d = d, .starts = starts, .last = shape->levels - 1, .cut = shape->cut};
    p.kit = wide ? &d->wide : &d->plain;
    HD_TRY(open_kits(d, wide, starts != NULL));
    HD_TRY(all_levels(&p));
    p.back = true;
    return all_levels(&p);
}

heddle_status hd_bc_add_fast(hd_bc_device *d, const hd_bc_shape *shape) {
    const heddle_graph *graph = d->b.s.graph;
    uint64_t count = (uint64_t)shape->levels + 1;
    uint32_t *starts;
    if (!d->resident || shape->cut || shape->levels < DEEP || graph->edges / DEGREE > graph->vertices)
        return there_and_back(d, shape, NULL);
    HD_TRY(HD_NEW(d->b.s.ctx, &starts, count, "levels"));
    heddle_status status = hd_structure_look(&d->b.s, &d->starts, starts, count * 4);
    if (status == HEDDLE_OK)
        status = there_and_back(d, shape, starts);
    HD_DELETE(&d->b.s.ctx->allocator, starts, count);
    return status;
}
