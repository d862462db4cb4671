/* stream.h - a run of the device engine whose edges pass through the device: residency stream (Graphie: Han, Mawhirter,
 * Wu and Buland, PACT 2017).
 *
 * Values, offsets and activity stay on the device. Edges are cut into partitions (residency/span.h), which are in
 * pinned host memory in the device's layout (the store). The device has slots, each for a partition. Slot s belongs to
 * queue s % queues, so that a copy into a slot and the kernels that read it are in order without further
 * synchronisation, while the queues overlap. A round:
 *   1. selects the partitions that are needed: those flagged by the last round; without a frontier, all
 *   2. processes those that are still on the device, and gets the others by the fastest road: it sends them
 *      (stream_slots.c: to which slot), or the host gathers their active rows, or kernels read these in host memory;
 *      a partition that another will overwrite may be processed twice (stream_again.h)
 *   3. waits for all queues, applies sums, and downloads the flags
 */
#ifndef HD_ENGINE_DEVICE_STREAM_H
#define HD_ENGINE_DEVICE_STREAM_H

#include "engine/device/incore_run.h"
#include "engine/device/kernels.h"
#include "engine/device/stream_again.h"
#include "engine/device/stream_gather.h"
#include "engine/device/stream_place.h"
#include "engine/device/stream_store.h"
#include "residency/span.h"
#include "residency/virtual_ids.h"

#define HD_NO_SPAN UINT64_MAX

/* A partition's edges on the device, as kernels read them. */
typedef struct hd_stream_edges {
    hd_buffer array[STREAM_ARRAYS];
} hd_stream_edges;

typedef struct hd_stream_slot {
    hd_stream_edges edges; /* or */
    hd_buffer packed;
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
    size_t each[STREAM_ARRAYS];   /* bytes per edge; 0: no such array */
    hd_resident *resident;        /* the graph's place on the device, which keeps … */
    hd_stream_store *store;       /* the partitions that are sent */
    bool packed;                  /* partitions are sent packed (stream_packed.c) */
    uint64_t cut_edges;           /* of a partition, at most: the edges were cut by it */
    const uint32_t *kept_targets; /* virtual ids that the graph keeps for this cut, not compared yet; NULL: none */
    hd_stream_edges *unpacked;    /* of each queue: where partitions are unpacked, and gathered rows scattered */
    hd_stream_gather gather;
    hd_stream_place place;
    hd_stream_again again;
    hd_kernels kernels;
    void *unpack;
    hd_stream_slot *slots;
    uint64_t slot_count, *slot_of; /* of each span, or HD_NO_SPAN */
    bool *needed;                  /* of each span: in this round */
    hd_stream_slot **free;         /* slots that this round's partitions are sent to first */
    uint64_t free_count, free_next, ring_next;
    uint32_t queues;
    uint64_t room;         /* bytes on the device that may be used */
    uint64_t vertex_bytes; /* of these, for all but edges */
    hd_buffer shifts_buffer, flagged_buffer;
    uint32_t *flags;     /* of the groups; with shape.again then one for each: whether it was walked again */
    uint64_t flag_words; /* of flags, and of flagged_buffer */
    uint32_t groups;     /* of lanes, in hd_round */
    bool busy;           /* the queues have work that the host has not waited for */
    uint64_t clock;
    const hd_span *span; /* of the next launch, and … */
    const hd_stream_edges *edges;
    uint64_t first_vertices, first_edges; /* active in the first round; HD_NOT_KNOWN: not counted */
    hd_traffic round;
    uint64_t round_edges; /* of the partitions that the round needed */
    uint64_t walked;      /* edges processed in all rounds */
} hd_stream;

/* Cuts the rows, and completes the fields of the run's shape that depend on it. Nothing is on the device yet.
 * HEDDLE_E_DEVICE_MEMORY, with the numbers, if the values leave no room for a partition. */
heddle_status hd_stream_cut(incore *e, uint64_t limit);
/* Copies the edges to pinned host memory, and allocates slots and flags. */
heddle_status hd_stream_open(incore *e, const char *device, heddle_report *report);
/* All rounds. */
heddle_status hd_stream_iterate(incore *e);
/* Bytes that are sent for a partition. */
uint64_t hd_stream_bytes_of(const hd_stream *stream, uint64_t index);
/* Where the edges are after them. */
void hd_stream_report(const incore *e, heddle_report *report);
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
/* Whether what is in this slot will be overwritten if the round sends that many more spans. */
bool hd_stream_slots_drop(const hd_stream *stream, uint64_t slot, uint64_t more);

/* Sets e->stream->store: that of an earlier run, or a new one (stream_store.c). */
heddle_status hd_stream_store_open(incore *e, const char *device, heddle_report *report);
/* Memory for one array of the store, pinned if possible. */
heddle_status hd_stream_store_new(incore *e, int which, uint64_t bytes);
/* Where edges are laid out: place 0 is edge `first`. NULL: not wanted. */
typedef struct hd_stream_piece {
    uint32_t *targets, *sources;
    char *weights;
    uint64_t first;
} hd_stream_piece;
/* Writes the edges from .. to in the device's layout. */
void hd_stream_lay(const incore *e, uint64_t from, uint64_t to, const hd_stream_piece *piece);

/* The store, packed (stream_packed.c). */
heddle_status hd_stream_pack(incore *e);
/* Bytes that a partition of so many edges takes at most. */
uint64_t hd_stream_packed_bytes(const hd_stream *stream, uint64_t edges);
heddle_status hd_stream_unpack_open(incore *e, heddle_report *report);
/* The chunks to unpack of a span whose words begin at packed[at]: those with active vertices. */
typedef struct hd_stream_unpacking {
    void *kernel;
    const char *name;
    uint64_t at;
    const hd_buffer *active, *read;
} hd_stream_unpacking;
/* Queues the kernel that unpacks a span; `some` NULL: all of it, from the beginning of `packed`. */
heddle_status hd_stream_unpack(incore *e, const hd_span *span, const hd_buffer *packed, const hd_stream_unpacking *some,
                               const hd_stream_edges *to);
/* Bytes that copies carry in a second, as far as it is known. */
double hd_stream_bus(const incore *e);

#endif
