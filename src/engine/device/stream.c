/* stream.c - see stream.h: cuts the rows to fit the device, allocates slots, sets the arguments of a launch.
 * stream_round.c has the rounds. */
#include "engine/device/stream.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum {
    PARTITIONS = 32,        /* of the edges, or of the memory, if the plan does not say: Graphie, section V-C */
    LEAST_BYTES = 64 << 10, /* of a partition: shorter copies do not pay */
    MOST_BYTES = 16 << 20,  /* of one that travels packed, before: longer copies are no faster, and leave out less */
    FLAGS_MOST = 1024,      /* in shared memory */
    UNPACKED = 4,           /* most of the room for unpacked partitions: 1/4 */
    SMALLEST = 64,          /* least bytes of a partition, if the memory requires it */
    SLACK = 64              /* 1/64 of the bytes is left to the driver, if there is no limit */
};

static const char *const uses[STREAM_ARRAYS] = {"a partition's edges", "a partition's sources",
                                                "a partition's weights"};

static uint64_t edge_bytes(const hd_stream *s) {
    return s->each[STREAM_TARGETS] + s->each[STREAM_SOURCES] + s->each[STREAM_WEIGHTS];
}

/* ---- Cutting ---------------------------------------------------------------------------------------------------- */

/* Offsets of the rows to cut, and the last row with edges. */
static heddle_status take_offsets(incore *e) {
    hd_stream *s = e->stream;
    uint64_t n = e->rows.vertices, sinks = 0;
    s->starts = e->rows.first.offsets;
    if (e->rows.second.offsets) {
        HD_TRY(HD_NEW(e->ctx, &s->offsets, n + 1, "row offsets"));
        HD_PARALLEL_FOR(e->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
        for (uint64_t v = 0; v <= n; v++)
            s->offsets[v] = hd_incore_offset(&e->rows, v);
        s->starts = s->offsets;
    }
    for (s->rows = n; s->rows && s->starts[s->rows] == s->starts[s->rows - 1];)
        s->rows--;
    HD_PARALLEL_FOR(e->ctx, schedule(static) reduction(+ : sinks) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < s->rows; v++)
        sinks += s->starts[v + 1] == s->starts[v];
    s->sinks = sinks > 0 && !e->rows.second.offsets; /* out-degrees identify them, if there is one direction */
    return HEDDLE_OK;
}

/* On the device, of each partition: its first row and its flags. */
static uint64_t table_bytes(const incore *e) { return e->shape.again ? 12 : 8; }

/* Most bytes of a partition, given the bytes left beside the values. Several fit if possible; the flags and first rows
 * of all partitions take at most an eighth. */
static uint64_t partition_bytes(const incore *e, uint64_t left) {
    const hd_stream *s = e->stream;
    uint64_t all = e->rows.edges * edge_bytes(s), usable = left - left / 8, most = all < usable ? all : usable;
    uint64_t bytes = most / PARTITIONS, least = usable / 8 < LEAST_BYTES ? usable / 8 : LEAST_BYTES;
    uint64_t tables = left ? (all / left + 1) * 8 * table_bytes(e) : 0;
    if (e->plan.stream_partitions)
        bytes = (e->rows.edges / e->plan.stream_partitions + (e->rows.edges % e->plan.stream_partitions != 0)) *
                edge_bytes(s);
    else if (bytes < least)
        bytes = least;
    else if (s->packed && bytes > MOST_BYTES)
        bytes = all / FLAGS_MOST > MOST_BYTES ? all / FLAGS_MOST : MOST_BYTES;
    bytes = bytes < tables ? tables : bytes;
    bytes = bytes < usable ? bytes : usable;
    return bytes < SMALLEST ? SMALLEST : bytes;
}

static uint64_t slot_bytes(const hd_stream *s) {
    uint64_t bytes = 0;
    for (int i = 0; i < STREAM_ARRAYS; i++)
        bytes += (s->partition.most_edges * s->each[i] + 15) / 16 * 16;
    return bytes;
}

/* The graph whose kept ids may be those of this run: its own, or that which it was renamed from. */
static const heddle_graph *keeper(const incore *e) { return e->graph->original ? e->graph->original : e->graph; }

/* The edges of a partition for which ids are kept, if the plan leaves them open, eight such partitions fit, and the
 * tables of all of them take no more than others would (partition_bytes); or 0. */
static heddle_status kept_cut(const incore *e, uint64_t left, uint64_t *edges) {
    hd_virtual_kept kept;
    bool there = true;
    *edges = 0;
    for (uint32_t i = 0; there && !*edges && !e->stream->packed && !e->plan.stream_partitions;) {
        HD_TRY(hd_virtual_find(e->ctx, keeper(e), &i, &kept, &there));
        if (there && kept.limit <= left / 8 / edge_bytes(e->stream) &&
            e->rows.edges / kept.limit <= left / 8 / table_bytes(e))
            *edges = kept.limit;
    }
    return HEDDLE_OK;
}

/* Finds targets that are kept for this cut; whether they are those of these rows is seen when they are copied. */
static heddle_status take_kept(incore *e) {
    hd_stream *s = e->stream;
    hd_virtual_kept kept;
    bool there = !e->rows.second.offsets && e->rows.first.targets == e->graph->out.targets;
    for (uint32_t i = 0; there && !s->kept_targets;) {
        HD_TRY(hd_virtual_find(e->ctx, keeper(e), &i, &kept, &there));
        if (there && kept.groups == s->partition.groups && kept.range == s->range &&
            memcmp(kept.shifts, s->shifts, (kept.groups + 1) * sizeof *s->shifts) == 0)
            s->kept_targets = kept.targets;
    }
    return HEDDLE_OK;
}

/* Virtual ids, if 32 bits suffice, and edges are not packed, which files keep for any cut; otherwise the groups' first
 * rows. */
static heddle_status number_groups(incore *e) {
    hd_stream *s = e->stream;
    const hd_partition *p = &s->partition;
    s->range = hd_virtual_range(p, s->rows, e->rows.vertices, &s->virtual_ids);
    s->virtual_ids &= !s->packed;
    HD_TRY(HD_NEW(e->ctx, &s->shifts, p->groups + 1, "partitions"));
    if (s->virtual_ids)
        hd_virtual_shifts(p, s->rows, s->range, s->shifts);
    for (uint64_t i = 0; !s->virtual_ids && i <= p->count; i++)
        s->shifts[i < p->count ? p->spans[i].group : p->groups] =
            (uint32_t)(i < p->count ? p->spans[i].first_row : s->rows);
    return s->virtual_ids ? take_kept(e) : HEDDLE_OK;
}

static heddle_status refuse_room(const incore *e, uint64_t beside, uint64_t each, uint64_t room) {
    return hd_fail(
        e->ctx, HEDDLE_E_DEVICE_MEMORY,
        "%s: values and offsets of %llu vertices take %llu bytes and a partition of the edges %llu, more than "
        "the %llu that may be used",
        e->device->info.name, (unsigned long long)e->rows.vertices, (unsigned long long)beside,
        (unsigned long long)each, (unsigned long long)room);
}

/* Bytes beside the slots. */
static uint64_t beside_slots(const incore *e) {
    const hd_stream *s = e->stream;
    uint64_t of_queue = (s->packed || s->gather.on ? slot_bytes(s) : 0) + (s->gather.on ? s->gather.block_bytes : 0);
    return s->vertex_bytes + (s->partition.groups + 1) * table_bytes(e) + 2 * 16 + s->queues * of_queue;
}

/* As many slots as fit, or as are useful. */
static heddle_status count_slots(incore *e, uint64_t each) {
    hd_stream *s = e->stream;
    uint64_t beside = beside_slots(e);
    uint64_t fit = s->room > beside && each ? (s->room - beside) / each : 0, most = s->partition.count;
    if (e->plan.stream_reuse == HD_NO && most > e->plan.stream_queues)
        most = e->plan.stream_queues;
    s->slot_count = fit < most ? fit : most;
    if (!s->partition.count || s->slot_count)
        return HEDDLE_OK;
    return refuse_room(e, beside, each, s->room);
}

/* Packed partitions need arrays to be unpacked to, and gathered rows to be scattered to: one set for each queue. */
static void choose_unpacked(incore *e) {
    hd_stream *s = e->stream;
    uint32_t queues = s->queues;
    hd_stream_gather_plan(e, slot_bytes(s));
    uint64_t each = slot_bytes(s) + (s->gather.on ? s->gather.block_bytes : 0);
    uint64_t most = s->room > s->vertex_bytes ? (s->room - s->vertex_bytes) / UNPACKED : 0;
    if (!s->packed && !s->gather.on)
        return;
    if (each && most / each < s->queues)
        s->queues = most / each ? (uint32_t)(most / each) : 1;
    uint64_t slot = s->packed ? hd_stream_packed_bytes(s, s->partition.most_edges) : slot_bytes(s);
    if (s->gather.on && beside_slots(e) + slot > s->room)
        s->gather.on = false;
    s->packed = s->packed && s->partition.count && beside_slots(e) + slot <= s->room;
    s->gather.on = s->gather.on && (s->packed || e->plan.stream_gather == HD_YES);
    if (!s->packed && !s->gather.on)
        s->queues = queues;
}

/* Bytes of everything that stays on the device. */
static uint64_t resident_bytes(const incore *e) {
    uint64_t bytes[BUFFERS], all = 0;
    hd_incore_plan_bytes(e, bytes);
    for (int i = 0; i < BUFFERS; i++)
        all += bytes[i] ? (bytes[i] + 15) / 16 * 16 : 16;
    return all;
}

/* Whether partitions are to be packed: if not all of them stay on the device, and if row offsets, which schedule coo
 * needs for this only, take at most half of the room for edges. */
static bool want_packed(incore *e) {
    const hd_stream *s = e->stream;
    e->shape.no_offsets = e->shape.sources;
    uint64_t bytes = resident_bytes(e), left = s->room > bytes ? s->room - bytes : 0;
    bool all_stay = e->rows.edges * edge_bytes(s) <= left - left / 8;
    e->shape.no_offsets = false;
    return e->plan.stream_packed != HD_NO && (e->plan.stream_packed == HD_YES || !all_stay) &&
           resident_bytes(e) - bytes <= left / 2;
}

static void complete_shape(incore *e) {
    const hd_stream *s = e->stream;
    bool shared = e->plan.stream_shared == HD_YES;
    e->shape.virtual_ids = s->virtual_ids;
    e->shape.sinks = s->sinks;
    e->shape.shared_sources = shared;
    e->shape.flags = shared ? 64 : 0;
    while (e->shape.flags && e->shape.flags < s->partition.groups)
        e->shape.flags = e->shape.flags < FLAGS_MOST ? e->shape.flags * 2 : 0;
}

heddle_status hd_stream_cut(incore *e, uint64_t limit) {
    hd_stream *s;
    hd_device *d = e->device;
    uint64_t room = 0, total = 0;
    if (!d->queues)
        return hd_fail(e->ctx, HEDDLE_E_REFUSED, "%s has one queue only; use residency=device instead", d->info.name);
    HD_TRY(HD_NEW_ZERO(e->ctx, &e->stream, 1, "the stream of edges"));
    s = e->stream;
    HD_TRY(take_offsets(e));
    HD_TRY(d->memory(d, &room, &total));
    s->room = room = limit < room ? limit : room - room / SLACK;
    s->each[STREAM_TARGETS] = 4;
    s->each[STREAM_SOURCES] = e->plan.schedule->sources ? 4 : 0;
    s->each[STREAM_WEIGHTS] = e->program->weighted ? hd_weight_size(e->graph->weight_type) : 0;
    e->shape.again = hd_stream_again_fits(e);
    s->packed = want_packed(e);
    e->shape.no_offsets = e->shape.sources && !s->packed;
    s->vertex_bytes = resident_bytes(e);
    if (room <= s->vertex_bytes && e->rows.edges) /* or there would be a huge number of partitions */
        return refuse_room(e, s->vertex_bytes, edge_bytes(s), room);
    s->queues = e->shape.profile ? 1 : e->plan.stream_queues; /* lanes are counted in words that all kernels share */
    uint64_t left = room > s->vertex_bytes ? room - s->vertex_bytes : 0, kept;
    HD_TRY(kept_cut(e, left, &kept));
    s->cut_edges = kept ? kept : partition_bytes(e, left) / edge_bytes(s);
    hd_span_cost cost = {.edge_bytes = 1, .limit = s->cut_edges};
    HD_TRY(hd_partition_rows(e->ctx, s->starts, s->rows, &cost, &s->partition));
    if (s->partition.count > UINT32_MAX / 2)
        return hd_fail(e->ctx, HEDDLE_E_LIMIT, "%llu partitions are more than a device can number",
                       (unsigned long long)s->partition.count);
    choose_unpacked(e);
    HD_TRY(number_groups(e));
    complete_shape(e);
    return s->packed ? HEDDLE_OK : count_slots(e, slot_bytes(s));
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static heddle_status make_edges(incore *e, hd_stream_edges *edges) {
    hd_stream *s = e->stream;
    for (int i = 0; i < STREAM_ARRAYS; i++) {
        uint64_t bytes = (s->partition.most_edges * s->each[i] + 15) / 16 * 16;
        if (bytes)
            HD_TRY(e->device->allocate(e->device, bytes, uses[i], &edges->array[i]));
        e->bytes += bytes;
    }
    return HEDDLE_OK;
}

static void release_edges(incore *e, hd_stream_edges *edges) {
    for (int i = 0; i < STREAM_ARRAYS; i++)
        e->device->release(e->device, &edges->array[i]);
}

static heddle_status make_slots(incore *e) {
    hd_stream *s = e->stream;
    HD_TRY(hd_stream_slots_new(e->ctx, s));
    for (uint64_t k = 0; !s->packed && k < s->slot_count; k++)
        HD_TRY(make_edges(e, &s->slots[k].edges));
    for (uint64_t k = 0; s->packed && k < s->slot_count; k++) {
        HD_TRY(e->device->allocate(e->device, s->store->packed_most, "a packed partition", &s->slots[k].packed));
        e->bytes += s->store->packed_most;
    }
    if (!s->packed && !s->gather.on)
        return HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(e->ctx, &s->unpacked, s->queues, "unpacked partitions"));
    for (uint32_t q = 0; q < s->queues; q++)
        HD_TRY(make_edges(e, &s->unpacked[q]));
    return HEDDLE_OK;
}

/* The groups that are active in the first round: all, or those of the sources. */
static void flag_first(incore *e) {
    hd_stream *s = e->stream;
    bool sources = e->program->traits & FROM_SOURCES && e->program->traits & MONOTONE;
    for (uint64_t g = 0; g < s->partition.groups; g++)
        s->flags[g] = !sources;
    for (uint64_t i = 0; sources && i < e->setup->source_count; i++)
        if (e->setup->sources[i] < s->rows)
            s->flags[s->partition.spans[hd_partition_find(&s->partition, e->setup->sources[i])].group] = 1;
}

/* The bits of active vertices, and their number. */
static heddle_status activate_first(incore *e) {
    uint64_t words = e->rows.vertices / 32 + 1;
    uint32_t *bits;
    hd_device *d = e->device;
    hd_stream *s = e->stream;
    bool all = !(e->program->traits & FROM_SOURCES);
    s->first_vertices = all ? e->rows.vertices : HD_NOT_KNOWN;
    s->first_edges = all ? e->rows.edges : HD_NOT_KNOWN;
    if (!e->shape.active)
        return HEDDLE_OK;
    if (all)
        return d->fill(d, &e->buffer[QUEUED], 0, UINT32_MAX, words * 4);
    s->first_vertices = s->first_edges = 0;
    HD_TRY(HD_NEW_ZERO(e->ctx, &bits, words, "active vertices"));
    for (uint64_t i = 0; i < e->setup->source_count; i++) {
        heddle_vertex v = e->setup->sources[i];
        bool again = bits[v / 32] >> (v % 32) & 1;
        bits[v / 32] |= UINT32_C(1) << (v % 32);
        s->first_vertices += !again;
        s->first_edges += again ? 0 : s->starts[v + 1] - s->starts[v];
    }
    heddle_status status = d->upload(d, &e->buffer[QUEUED], 0, bits, words * 4);
    if (status == HEDDLE_OK)
        status = d->finish(d);
    HD_DELETE(&e->ctx->allocator, bits, words);
    return status;
}

/* Groups for the largest span: by its edges, or by its rows if one or a few lanes process a row. */
static uint32_t choose_groups(const incore *e) {
    const hd_stream *s = e->stream;
    uint64_t tiles = s->partition.most_edges / (e->shape.rows ? e->shape.rows : e->plan.warp) + 1;
    uint64_t at_once = e->plan.width ? e->plan.warp / e->plan.width : e->plan.warp;
    uint64_t by_rows = s->partition.most_rows / at_once + 1, warps = tiles > by_rows ? tiles : by_rows;
    uint64_t groups = warps / e->shape.warps + 1, most = (uint64_t)e->device->info.units * 64 / e->shape.warps + 1;
    return e->shape.profile ? e->groups : (uint32_t)(groups < most ? groups : most);
}

heddle_status hd_stream_open(incore *e, const char *device, heddle_report *report) {
    hd_stream *s = e->stream;
    hd_device *d = e->device;
    uint64_t bytes = (s->partition.groups + 1) * 4;
    s->flag_words = (s->partition.groups + 1) * (e->shape.again ? 2 : 1);
    HD_TRY(HD_NEW_ZERO(e->ctx, &s->flags, s->flag_words, "flags of partitions"));
    s->groups = choose_groups(e);
    flag_first(e);
    HD_TRY(hd_stream_store_open(e, device, report));
    if (s->packed) {
        HD_TRY(hd_stream_unpack_open(e, report));
        HD_TRY(count_slots(e, s->store->packed_most));
    }
    HD_TRY(d->queues(d, s->queues));
    HD_TRY(d->allocate(d, bytes, "partitions", &s->shifts_buffer));
    HD_TRY(d->allocate(d, s->flag_words * 4, "flags of partitions", &s->flagged_buffer));
    HD_TRY(d->upload(d, &s->shifts_buffer, 0, s->shifts, bytes));
    HD_TRY(d->fill(d, &s->flagged_buffer, 0, 0, s->flag_words * 4));
    e->bytes += bytes + s->flag_words * 4;
    HD_TRY(make_slots(e));
    HD_TRY(hd_stream_gather_open(e, report));
    HD_TRY(hd_stream_place_open(e));
    hd_stream_again_open(e);
    HD_TRY(activate_first(e));
    return d->finish(d);
}

void hd_stream_close(incore *e) {
    hd_stream *s = e->stream;
    hd_device *d = e->device;
    if (!s)
        return;
    for (uint32_t q = 0; s->busy && q <= s->queues; q++) {
        d->select(d, q);
        d->finish(d);
    }
    d->select(d, 0);
    for (uint64_t k = 0; s->slots && k < s->slot_count; k++) {
        release_edges(e, &s->slots[k].edges);
        d->release(d, &s->slots[k].packed);
    }
    for (uint32_t q = 0; s->unpacked && q < s->queues; q++)
        release_edges(e, &s->unpacked[q]);
    HD_DELETE(&e->ctx->allocator, s->unpacked, s->queues);
    hd_stream_gather_close(e);
    hd_stream_place_close(e);
    hd_kernels_close(&s->kernels);
    d->release(d, &s->shifts_buffer);
    d->release(d, &s->flagged_buffer);
    hd_stream_slots_free(e->ctx, s);
    HD_DELETE(&e->ctx->allocator, s->flags, s->flag_words);
    HD_DELETE(&e->ctx->allocator, s->shifts, s->partition.groups + 1);
    HD_DELETE(&e->ctx->allocator, s->offsets, e->rows.vertices + 1);
    hd_partition_free(e->ctx, &s->partition);
    HD_DELETE(&e->ctx->allocator, e->stream, 1);
}
