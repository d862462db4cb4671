/* stream.h - a run of the device engine whose edges pass through the device: residency stream (Graphie: Han, Mawhirter,
 * Wu and Buland, PACT 2017).
 *
 * Values, offsets and activity stay on the device. Edges are cut into partitions (residency/span.h), which are in
 * pinned host memory in the device's layout (the store). The device has slots, each for a partition. Slot s belongs to
 * queue s % queues, so that a copy into a slot and the kernels that read it are in order without further
 * synchronisation, while the queues overlap. A round:
 *   1. selects the partitions that are needed: those flagged by the last round; without a frontier, all
 *   2. processes those that are still on the device and sends the others (stream_slots.c: to which slot)
 *   3. waits for all queues, applies sums, and downloads the flags
 */
#ifndef HD_ENGINE_DEVICE_STREAM_H
#define HD_ENGINE_DEVICE_STREAM_H

#include "engine/device/incore_run.h"
#include "residency/span.h"

enum { STREAM_TARGETS, STREAM_SOURCES, STREAM_WEIGHTS, STREAM_ARRAYS };

#define HD_NO_SPAN UINT64_MAX

typedef struct hd_stream_slot {
    hd_buffer array[STREAM_ARRAYS];
    uint64_t span; /* the span in it, or HD_NO_SPAN */
    uint64_t used; /* time of its last use */
} hd_stream_slot;

typedef struct hd_stream {
    uint64_t *offsets;      /* of merged rows, allocated here; otherwise NULL */
    const uint64_t *starts; /* offsets of the rows that are cut */
    uint64_t rows;          /* number of rows that are cut: up to the last one with edges */
    hd_partition partition;
    /* Virtual ids, if 32 bits suffice (span.cl): the ids of groups are `range` apart. */
    uint32_t range, *shifts;
    bool virtual_ids, sinks;
    size_t each[STREAM_ARRAYS]; /* bytes per edge; 0: no such array */
    void *store[STREAM_ARRAYS];
    bool pinned[STREAM_ARRAYS];
    hd_stream_slot *slots;
    uint64_t slot_count, *slot_of; /* of each span, or HD_NO_SPAN */
    bool *needed;                  /* of each span: in this round */
    hd_stream_slot **free;         /* slots that this round's partitions are sent to first */
    uint64_t free_count, free_next, ring_next;
    uint32_t queues;
    uint64_t vertex_bytes; /* on the device, except for the slots */
    hd_buffer shifts_buffer, flagged_buffer;
    uint32_t *flags; /* of the groups */
    uint32_t groups; /* of lanes, in hd_round */
    bool busy;       /* the queues have work that the host has not waited for */
    uint64_t clock;
    const hd_span *span; /* of the next launch, and … */
    hd_stream_slot *slot;
    uint64_t first_vertices, first_edges; /* active in the first round; HD_NOT_KNOWN: not counted */
    hd_traffic round;
    uint64_t walked; /* edges processed in all rounds */
} hd_stream;

/* Cuts the rows, and completes the fields of the run's shape that depend on it. Nothing is on the device yet.
 * HEDDLE_E_DEVICE_MEMORY, with the numbers, if the values leave no room for a partition. */
heddle_status hd_stream_cut(incore *e, uint64_t limit);
/* Copies the edges to pinned host memory, and allocates slots and flags. */
heddle_status hd_stream_open(incore *e);
/* All rounds. */
heddle_status hd_stream_iterate(incore *e);
/* Waits for all queues, and frees everything; nothing if there is no stream. */
void hd_stream_close(incore *e);

/* The slots, without their buffers (stream_slots.c). */
heddle_status hd_stream_slots_new(heddle_context *ctx, hd_stream *stream);
void hd_stream_slots_free(heddle_context *ctx, hd_stream *stream);
/* Forgets what is on the device. */
void hd_stream_slots_clear(hd_stream *stream);
/* A round begins: `needed` is known, and nothing has been sent. */
void hd_stream_slots_begin(hd_stream *stream);
/* The slot that this span is sent to; from now on it holds the span. All spans that are needed and on the device have
 * been processed. */
uint64_t hd_stream_slots_take(hd_stream *stream, uint64_t span);

/* Fills e->stream->store (stream_store.c). */
heddle_status hd_stream_store(incore *e);
void hd_stream_store_free(incore *e);

#endif
