/* windows.c - see windows.h. */
#include "engine/parts/windows.h"

#include "base/memory.h"

#include <string.h>

enum {
    WINDOWS = 8,                          /* that fit into the room, if the plan does not say: six stay, two pass */
    LEAST_BYTES = 64 << 10,               /* of a window: shorter copies do not pay */
    SLOT_PADDING = 16 * HD_WINDOW_ARRAYS, /* that its arrays may need at their ends */
    COPY_QUEUE = 1,
    EVENT_COPIED = 0, /* and one behind: for each turn */
    EVENT_WALKED = HD_WINDOW_TURNS
};

static const char *const uses[HD_WINDOW_ARRAYS] = {"a window's edges", "a window's weights"};

static size_t edge_bytes(const hd_windows *w) { return w->each[HD_WINDOW_TARGETS] + w->each[HD_WINDOW_WEIGHTS]; }

static uint64_t array_bytes(const hd_windows *w, int i) { return (w->most * w->each[i] + 15) / 16 * 16; }

static uint64_t slot_bytes(const hd_windows *w) {
    return array_bytes(w, HD_WINDOW_TARGETS) + array_bytes(w, HD_WINDOW_WEIGHTS);
}

/* ---- Cutting ---------------------------------------------------------------------------------------------------- */

static uint64_t longest_row(const hd_slice *s) {
    uint64_t most = 0;
    for (uint64_t v = 0; v < s->own; v++)
        most = s->offsets[v + 1] - s->offsets[v] > most ? s->offsets[v + 1] - s->offsets[v] : most;
    return most;
}

/* Most edges of a window: at least the longest row's. */
static uint64_t window_edges(const incore *e, const hd_windows *w, uint64_t room, uint64_t longest) {
    uint64_t all = w->slice->edges * edge_bytes(w), bytes = room / WINDOWS;
    if (e->plan.stream_partitions)
        bytes = all / e->plan.stream_partitions + (all % e->plan.stream_partitions != 0);
    else if (all + SLOT_PADDING <= room)
        bytes = all;
    else if (bytes < LEAST_BYTES)
        bytes = LEAST_BYTES < room / HD_WINDOW_TURNS ? LEAST_BYTES : room / HD_WINDOW_TURNS;
    uint64_t edges = bytes / edge_bytes(w);
    return edges > longest ? edges : longest;
}

/* Whole rows, as many as fit; writes their beginnings if `rows` is not NULL. Returns the number of windows. */
static uint64_t cut_rows(const hd_slice *s, uint64_t edges, uint64_t *rows) {
    uint64_t count = 0, first = 0;
    for (uint64_t v = 0; v < s->own; v++)
        if (v > first && s->offsets[v + 1] - s->offsets[first] > edges) {
            if (rows)
                rows[count] = first;
            count++;
            first = v;
        }
    if (rows) {
        rows[count] = first;
        rows[count + 1] = s->own;
    }
    return count + 1;
}

static heddle_status refuse_room(const incore *e, const hd_windows *w, uint64_t longest, uint64_t room) {
    bool smaller = longest * edge_bytes(w) + SLOT_PADDING <= room; /* the plan requires few windows */
    return hd_fail(e->ctx, HEDDLE_E_DEVICE_MEMORY,
                   "%s: a window of %llu edges, of which the longest row has %llu, takes %llu bytes, more than the "
                   "%llu that values and offsets leave; use %s instead",
                   e->device->info.name, (unsigned long long)w->most, (unsigned long long)longest,
                   (unsigned long long)slot_bytes(w), (unsigned long long)room,
                   smaller                    ? "a larger stream.partitions"
                   : e->device->allocate_host ? "residency=mixed"
                                              : "a larger memory limit");
}

heddle_status hd_windows_cut(const incore *e, const hd_slice *slice, uint64_t room, hd_windows *w) {
    *w = (hd_windows){.slice = slice, .each = {4, e->program->weighted && slice->weights ? slice->weight_size : 0}};
    uint64_t longest = longest_row(slice), edges = window_edges(e, w, room, longest);
    w->count = cut_rows(slice, edges, NULL);
    HD_TRY(HD_NEW(e->ctx, &w->rows, w->count + 1, "windows"));
    cut_rows(slice, edges, w->rows);
    for (uint64_t i = 0; i < w->count; i++) {
        uint64_t some = slice->offsets[w->rows[i + 1]] - slice->offsets[w->rows[i]];
        w->most = some > w->most ? some : w->most;
    }
    uint64_t each = slot_bytes(w), fit = each ? room / each : w->count;
    if (fit < w->count && !fit)
        return refuse_room(e, w, longest, room);
    w->turns = fit < HD_WINDOW_TURNS ? 1 : HD_WINDOW_TURNS;
    w->kept = e->plan.stream_reuse == HD_NO ? 0 : fit >= w->count ? w->count : fit - w->turns;
    uint64_t passing = w->count - w->kept;
    w->slot_count = w->kept + (passing < w->turns ? passing : w->turns);
    return HEDDLE_OK;
}

/* ---- Edges ------------------------------------------------------------------------------------------------------ */

static uint64_t first_edge(const hd_windows *w, uint64_t window) { return w->slice->offsets[w->rows[window]]; }

static const char *slice_array(const hd_windows *w, int i) {
    return i == HD_WINDOW_TARGETS ? (const char *)w->slice->targets : (const char *)w->slice->weights;
}

/* Where the window's array is sent from. */
static const char *source_of(const hd_windows *w, int i, uint64_t window) {
    if (w->pinned[i])
        return (const char *)w->pinned[i] + (first_edge(w, window) - first_edge(w, w->kept)) * w->each[i];
    return slice_array(w, i) + first_edge(w, window) * w->each[i];
}

static uint64_t bytes_of(const hd_windows *w, int i, uint64_t window) {
    return (first_edge(w, window + 1) - first_edge(w, window)) * w->each[i];
}

uint64_t hd_windows_sent(const hd_windows *w) {
    return (first_edge(w, w->count) - first_edge(w, w->kept)) * edge_bytes(w);
}

/* Devices copy by themselves from pinned memory only; without, the edges are sent from where they are, and waited for.
 */
static bool pin_passing(incore *e, hd_windows *w) {
    hd_device *d = e->device;
    bool able = d->queues && d->send;
    for (int i = 0; d->pin && able && i < HD_WINDOW_ARRAYS; i++) {
        uint64_t bytes = (first_edge(w, w->count) - first_edge(w, w->kept)) * w->each[i];
        if (!bytes)
            continue;
        w->pinned[i] = d->pin(d, bytes);
        able = w->pinned[i] != NULL;
        if (able)
            memcpy(w->pinned[i], slice_array(w, i) + first_edge(w, w->kept) * w->each[i], bytes);
        else
            hd_note(e->ctx, "%s pins too little memory: edges are sent from ordinary memory, which is slower",
                    d->info.name);
    }
    return able;
}

static heddle_status upload_window(incore *e, const hd_windows *w, uint64_t window, const hd_window_slot *slot) {
    for (int i = 0; i < HD_WINDOW_ARRAYS; i++)
        if (bytes_of(w, i, window))
            HD_TRY(e->device->upload(e->device, &slot->array[i], 0,
                                     slice_array(w, i) + first_edge(w, window) * w->each[i], bytes_of(w, i, window)));
    return HEDDLE_OK;
}

heddle_status hd_windows_open(incore *e, hd_windows *w) {
    hd_device *d = e->device;
    HD_TRY(HD_NEW_ZERO(e->ctx, &w->slots, w->slot_count, "windows"));
    for (uint64_t k = 0; k < w->slot_count; k++)
        for (int i = 0; i < HD_WINDOW_ARRAYS; i++) {
            uint64_t bytes = array_bytes(w, i);
            HD_TRY(d->allocate(d, bytes ? bytes : 16, uses[i], &w->slots[k].array[i]));
            e->bytes += bytes;
        }
    for (uint64_t k = 0; k < w->kept; k++)
        HD_TRY(upload_window(e, w, k, &w->slots[k]));
    if (w->kept == w->count)
        return HEDDLE_OK;
    if (!pin_passing(e, w))
        return HEDDLE_OK;
    HD_TRY(d->queues(d, COPY_QUEUE));
    w->queued = true;
    return HEDDLE_OK;
}

void hd_windows_close(incore *e, hd_windows *w) {
    hd_device *d = e->device;
    if (d && w->queued) { /* after a failure copies may still read the pinned memory */
        d->select(d, COPY_QUEUE);
        d->finish(d);
        d->select(d, 0);
    }
    for (int i = 0; i < HD_WINDOW_ARRAYS; i++)
        if (w->pinned[i])
            d->unpin(d, w->pinned[i]);
    for (uint64_t k = 0; w->slots && k < w->slot_count; k++)
        for (int i = 0; i < HD_WINDOW_ARRAYS; i++)
            d->release(d, &w->slots[k].array[i]);
    HD_DELETE(&e->ctx->allocator, w->slots, w->slot_count);
    HD_DELETE(&e->ctx->allocator, w->rows, w->count + 1);
    *w = (hd_windows){.count = 0};
}

/* ---- A round ---------------------------------------------------------------------------------------------------- */

/* The slot's turn: its last kernel is over before the copy, and the copy before the next kernel. */
static heddle_status send_window(incore *e, hd_windows *w, uint64_t window, const hd_window_slot *slot, uint32_t turn) {
    hd_device *d = e->device;
    d->select(d, COPY_QUEUE);
    if (w->busy[turn])
        HD_TRY(d->await(d, EVENT_WALKED + turn));
    for (int i = 0; i < HD_WINDOW_ARRAYS; i++)
        if (bytes_of(w, i, window))
            HD_TRY(d->send(d, &slot->array[i], 0, source_of(w, i, window), bytes_of(w, i, window)));
    HD_TRY(d->post(d, EVENT_COPIED + turn));
    d->select(d, 0);
    return d->await(d, EVENT_COPIED + turn);
}

static heddle_status walk(incore *e, hd_windows *w, uint64_t window, uint64_t round) {
    hd_device *d = e->device;
    bool passes = window >= w->kept;
    uint32_t turn = (uint32_t)((window - w->kept) % w->turns);
    const hd_window_slot *slot = &w->slots[passes ? w->kept + turn : window];
    hd_buffer targets = e->buffer[TARGETS], weights = e->buffer[WEIGHTS];
    if (passes) {
        heddle_status status = w->queued ? send_window(e, w, window, slot, turn) : upload_window(e, w, window, slot);
        if (d->select)
            d->select(d, 0);
        HD_TRY(status);
    }
    e->buffer[TARGETS] = slot->array[HD_WINDOW_TARGETS];
    e->buffer[WEIGHTS] = slot->array[HD_WINDOW_WEIGHTS];
    e->row_end = w->rows[window + 1];
    heddle_status status =
        hd_incore_launch(e, KERNEL_ROUND, 1 + (uint32_t)(round % 2), (uint32_t)w->rows[window], round % 2);
    e->buffer[TARGETS] = targets;
    e->buffer[WEIGHTS] = weights;
    HD_TRY(status);
    if (!passes || !w->queued)
        return HEDDLE_OK;
    w->busy[turn] = true;
    return d->post(d, EVENT_WALKED + turn);
}

heddle_status hd_windows_queue(incore *e, hd_windows *w, uint64_t round) {
    for (uint64_t i = 0; i < w->count; i++)
        HD_TRY(walk(e, w, i, round));
    return hd_incore_launch(e, KERNEL_TURN, 1 + (uint32_t)(round % 2), e->groups * e->shape.warps, round % 2);
}
