/* incore_shards.c - shards of an in-core run: built by the host, uploaded, and kept on the device for later runs that
 * need the same shards. */
#include "engine/device/incore_run.h"

#include <string.h>

/* The buffers that hold shards, in the order of a kept layout's parts. */
static const int shard_parts[] = {OFFSETS, TARGETS, WEIGHTS, LAYOUT, SPLITS, TOUCHED, TOUCHED_BITS};
enum { SHARD_PARTS = sizeof shard_parts / sizeof *shard_parts };

/* Everything that the layout depends on besides the graph; never 0. */
static void shards_key(const incore *e, const hd_shards_wish *wish, uint64_t key[2]) {
    bool both = e->rows.second.offsets;
    key[0] = (uint64_t)wish->range << 32 | wish->most;
    key[1] = 1 | (uint64_t)wish->listed << 1 | (uint64_t)wish->wide << 2 | (uint64_t)wish->degrees << 4 |
             (uint64_t) !!wish->out_degrees << 5 | (uint64_t)both << 6 | (uint64_t)wish->weight_size << 7;
}

/* Uses shards that an earlier run left on the device. False: there are none. */
static bool borrow_shards(incore *e, const hd_resident_layout *kept) {
    if (!kept->key[1])
        return false;
    e->shards = (hd_shards){.vertices = e->rows.vertices,
                            .edges = e->rows.edges,
                            .range = (uint32_t)kept->facts[0],
                            .count = (uint32_t)kept->facts[1],
                            .listed = e->shape.listed,
                            .wide = e->shape.wide};
    for (int i = 0; i < SHARD_PARTS; i++) {
        e->buffer[shard_parts[i]] = kept->part[i];
        e->lent[shard_parts[i]] = true;
    }
    return true;
}

void hd_incore_shards_lend(incore *e) {
    hd_shards facts = {.vertices = e->shards.vertices,
                       .edges = e->shards.edges,
                       .range = e->shards.range,
                       .count = e->shards.count,
                       .listed = e->shards.listed,
                       .wide = e->shards.wide};
    if (!e->keep)
        return;
    memcpy(e->keep->key, e->key, sizeof e->key);
    e->keep->facts[0] = facts.range;
    e->keep->facts[1] = facts.count;
    for (int i = 0; i < SHARD_PARTS; i++) {
        e->keep->part[i] = e->buffer[shard_parts[i]];
        e->lent[shard_parts[i]] = true;
    }
    hd_shards_free(e->ctx, &e->shards);
    e->shards = facts;
}

static hd_shards_wish wish_of(incore *e, const hd_device_info *info) {
    hd_incore_shape *s = &e->shape;
    s->group = s->group > info->group_most ? e->plan.warp : s->group;
    return (hd_shards_wish){.range = e->plan.range,
                            .most = hd_incore_range_most(e->program, s, info->local_bytes),
                            .listed = s->listed,
                            .wide = s->wide,
                            .weight_size = e->program->weighted ? hd_weight_size(e->graph->weight_type) : 0,
                            .degrees = s->copied_degrees,
                            .out_degrees = e->setup->out_degrees};
}

heddle_status hd_incore_shards_size(incore *e, const hd_device_info *info) {
    e->shards = (hd_shards){.vertices = e->rows.vertices,
                            .edges = e->rows.edges,
                            .listed = e->shape.listed,
                            .wide = e->shape.wide};
    return hd_shards_size(e->ctx, &e->rows, wish_of(e, info), &e->shards.range, &e->shards.count);
}

heddle_status hd_incore_shards_open(incore *e, const char *device, heddle_result *result) {
    const hd_device_info *info = &e->device->info;
    hd_incore_shape *s = &e->shape;
    hd_resident *resident;
    double start = hd_clock();
    if (e->plan.host == HD_YES && !e->device->kind->reads_host)
        return hd_fail(e->ctx, HEDDLE_E_REFUSED, "shards=host: %s cannot work in the host's memory: take shards=device",
                       e->device->kind->name);
    hd_shards_wish wish = wish_of(e, info);
    bool stays = e->plan.host != HD_YES; /* pinned memory is released at once */
    shards_key(e, &wish, e->key);
    if (stays)
        HD_TRY(hd_resident_layout_open(e->ctx, e->graph, device, e->key, &result->report, &resident));
    if (!stays || !borrow_shards(e, &resident->layout)) {
        HD_TRY(hd_shards_new(e->ctx, &e->rows, e->graph->out.offsets, wish, &e->shards));
        e->keep = stays ? &resident->layout : NULL;
    }
    s->range = e->shards.range;
    hd_result_figure(result, "range", s->range);
    hd_result_figure(result, "shards", e->shards.count);
    result->report.prepare += e->lent[TARGETS] ? 0 : hd_clock() - start;
    return HEDDLE_OK;
}
