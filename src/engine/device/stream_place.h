/* stream_place.h - the third road of a round of a streaming run: kernels read the active rows of partitions in host
 * memory, and nothing is sent.
 *
 * For packed partitions: a kernel unpacks the chunks in which active vertices have edges (unpack_active in unpack.cl),
 * from the mapped store to the arrays of the queue, so that rounds run unchanged. The host does not know which rows
 * these are: it estimates their bytes from the number of active vertices and edges, which the device counts anyway.
 * Compared with that are the seconds for sending the partitions, and for gathering their rows (stream_gather.h).
 */
#ifndef HD_ENGINE_DEVICE_STREAM_PLACE_H
#define HD_ENGINE_DEVICE_STREAM_PLACE_H

#include "engine/device/incore_run.h"
#include "residency/span.h"

struct hd_stream_edges;

typedef struct hd_stream_place {
    bool on; /* the device can, and the plan allows it */
    void *kernel;
    hd_buffer store; /* the packed partitions, mapped */
    hd_buffer read;  /* one word: what kernels have read, in units of 64 bytes */
    bool *chosen;    /* of each partition: in this round */
    bool any;
    double *spent;       /* of each partition: bytes read since it was sent, an estimate */
    double bytes, taken; /* what was read in place in rounds that were timed, and the seconds */
} hd_stream_place;

/* After the store exists. */
heddle_status hd_stream_place_open(incore *e);
void hd_stream_place_close(incore *e);

/* Chooses the partitions of this round whose rows are read in place, among those that are needed and not on the device.
 * `vertices` and `edges`: active ones, or HD_NOT_KNOWN. */
heddle_status hd_stream_place_choose(incore *e, uint64_t vertices, uint64_t edges);
/* Queues the kernel that unpacks the active rows of a partition; `active`: the bits. */
heddle_status hd_stream_place_unpack(incore *e, uint64_t index, const hd_buffer *active,
                                     const struct hd_stream_edges *to);
/* After a round, in which kernels took so long for them (0: not known): adds the bytes to the round. */
heddle_status hd_stream_place_note(incore *e, double seconds);

#endif
