/* bc_walk.c - betweenness under a schedule of the user's choice (bc_walk.cl): the entries of every level are listed,
 * then processed. */
#include "algorithm/bc/bc_device.h"

#include <string.h>

extern const char hd_text_walk[], hd_text_kernels_bc_walk[];

heddle_status hd_bc_walk_open(hd_bc_device *d) {
    static const char *const texts[] = {hd_text_walk, hd_text_kernels_bc_walk, NULL};
    hd_structure *s = &d->b.s;
    uint64_t n = s->graph->vertices;
    hd_kernels_text text = {.name = "bc", .texts = texts, .defines = d->walk.defines, .wide = s->resident->wide};
    if (!s->device->info.atomics64)
        return hd_fail(s->ctx, HEDDLE_E_REFUSED,
                       "bc: a named plan adds doubles by 64-bit atomics, which the device lacks: take plan auto");
    HD_TRY(hd_kernels_open(s->device, &text, &s->result->report, &d->walk_kernels));
    HD_TRY(hd_kernels_find(&d->walk_kernels, "bcw_list", &d->walk_list));
    HD_TRY(hd_kernels_find(&d->walk_kernels, "bcw_walk", &d->walk_edges));
    HD_TRY(hd_kernels_find(&d->walk_kernels, "bcw_finish", &d->walk_finish));
    HD_TRY(hd_structure_buffer(s, hd_walk_room(&d->walk, n, s->graph->edges) * 8, "entries of a level", &d->list));
    return hd_structure_buffer(s, n * 8, "dependencies", &d->received);
}

/* The vertices of a level send to those of the level `wanted`. */
static heddle_status send(hd_bc_device *d, uint32_t level, uint32_t wanted, bool back) {
    const hd_resident_rows *rows = back ? &d->b.s.resident->in : &d->b.s.resident->out;
    const hd_buffer *from = back ? &d->shares : &d->sigma, *to = back ? &d->received : &d->sigma;
    uint32_t groups = hd_kernels_groups(&d->walk_kernels, d->b.s.graph->vertices);
    HD_TRY(HD_LAUNCH(&d->walk_kernels, d->walk_list, "bcw_list", groups, HD_ARGUMENT_VALUE(level),
                     HD_ARGUMENT_BUFFER(rows->offsets), HD_ARGUMENT_BUFFER(d->order), HD_ARGUMENT_BUFFER(d->starts),
                     HD_ARGUMENT_BUFFER(d->cursors), HD_ARGUMENT_BUFFER(d->list)));
    return HD_LAUNCH(&d->walk_kernels, d->walk_edges, "bcw_walk", groups, HD_ARGUMENT_VALUE(level),
                     HD_ARGUMENT_VALUE(wanted), HD_ARGUMENT_BUFFER(rows->offsets), HD_ARGUMENT_BUFFER(rows->targets),
                     HD_ARGUMENT_BUFFER(d->b.levels), HD_ARGUMENT_BUFFER(d->cursors), HD_ARGUMENT_BUFFER(d->list),
                     HD_ARGUMENT_BUFFER(*from), HD_ARGUMENT_BUFFER(*to));
}

static heddle_status finish(hd_bc_device *d, uint32_t level) {
    uint32_t groups = hd_kernels_groups(&d->walk_kernels, d->b.s.graph->vertices);
    return HD_LAUNCH(&d->walk_kernels, d->walk_finish, "bcw_finish", groups, HD_ARGUMENT_VALUE(level),
                     HD_ARGUMENT_BUFFER(d->order), HD_ARGUMENT_BUFFER(d->starts), HD_ARGUMENT_BUFFER(d->sigma),
                     HD_ARGUMENT_BUFFER(d->received), HD_ARGUMENT_BUFFER(d->shares), HD_ARGUMENT_BUFFER(d->total));
}

/* Queues several launches ahead, then checks for cancellation. */
static heddle_status pause(hd_bc_device *d, uint32_t level) {
    if (level % 256)
        return HEDDLE_OK;
    HD_TRY(d->b.s.device->finish(d->b.s.device));
    return hd_advance(d->b.s.ctx, 0) ? hd_cancelled_status(d->b.s.ctx) : HEDDLE_OK;
}

static heddle_status clear_counts(hd_bc_device *d, const hd_bc_shape *shape) {
    hd_device *device = d->b.s.device;
    return device->fill(device, &d->cursors, 0, 0, (uint64_t)shape->levels * 4);
}

heddle_status hd_bc_add_walking(hd_bc_device *d, const hd_bc_shape *shape) {
    hd_device *device = d->b.s.device;
    if (shape->bits > HD_BC_BITS)
        return hd_fail(d->b.s.ctx, HEDDLE_E_REFUSED,
                       "bc: path counts may leave the range of double, which atomics cannot help: take plan auto");
    HD_TRY(device->fill(device, &d->received, 0, 0, d->b.s.graph->vertices * 8));
    HD_TRY(clear_counts(d, shape));
    for (uint32_t level = 0; level + 1 < shape->levels; level++) {
        HD_TRY(send(d, level, level + 1, false));
        HD_TRY(pause(d, level));
    }
    HD_TRY(clear_counts(d, shape));
    for (uint32_t level = shape->levels - 1; level >= 1; level--) {
        HD_TRY(finish(d, level));
        if (level > 1)
            HD_TRY(send(d, level, level - 1, true));
        HD_TRY(pause(d, level));
    }
    return HEDDLE_OK;
}
