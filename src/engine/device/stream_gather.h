/* stream_gather.h - sends the active rows of a partition instead of all of it, if they are few.
 *
 * The device's bitmap of active vertices comes back to the host, whose threads gather the rows into blocks of pinned
 * memory. A block is one copy; a kernel puts its edges where schedules look for them (scatter.cl), in arrays of the
 * queue, so that rounds run unchanged. Gathered rows do not stay on the device.
 *
 * By default a partition is gathered if that takes less time than sending it, by the rates that the run has measured so
 * far, and as long as the rows gathered from it since it was last sent take fewer bytes than the partition itself.
 */
#ifndef HD_ENGINE_DEVICE_STREAM_GATHER_H
#define HD_ENGINE_DEVICE_STREAM_GATHER_H

#include "engine/device/incore_run.h"
#include "engine/device/kernels.h"
#include "residency/span.h"

struct hd_stream_edges;

/* The active rows of a partition. */
typedef struct hd_gathered {
    uint64_t rows, edges;
    uint64_t bytes; /* of its block; 0: the partition is not gathered in this round */
    uint64_t at;    /* where that begins in the arena */
    uint64_t spent; /* bytes gathered since the partition was sent */
    hd_span span;   /* what the kernel of the round walks: from the first of these rows to the last */
} hd_gathered;

typedef struct hd_stream_gather {
    bool on;
    uint64_t block_bytes; /* of a block, at most */
    hd_buffer *blocks;    /* of each queue */
    uint32_t *bits;       /* active vertices */
    hd_gathered *spans;   /* of each partition */
    hd_kernels kernels;
    void *scatter;
    uint64_t arena_used;               /* in this round */
    double gather_bytes, gather_taken; /* what threads have gathered so far, and the seconds */
    double send_bytes, send_taken;     /* the same for copies */
} hd_stream_gather;

/* Whether rows are to be gathered, and how large blocks may be, by the plan. Called when partitions are known. */
void hd_stream_gather_plan(incore *e, uint64_t partition_bytes);
heddle_status hd_stream_gather_open(incore *e, heddle_report *report);
void hd_stream_gather_close(incore *e);

/* Chooses the partitions of this round that are gathered, among those that are needed and not on the device. `bits`:
 * the buffer of active vertices; `vertices` and `edges`: their number, or HD_NOT_KNOWN. */
heddle_status hd_stream_gather_choose(incore *e, const hd_buffer *bits, uint64_t vertices, uint64_t edges);
/* Fills the blocks of partitions first .. end - 1 that were chosen. */
void hd_stream_gather_fill(incore *e, uint64_t first, uint64_t end);
/* Queues the copy of a block; then, behind it, the kernel that scatters it. `queue` from 0. */
heddle_status hd_stream_gather_send(incore *e, uint64_t index, uint32_t queue);
heddle_status hd_stream_gather_scatter(incore *e, uint64_t index, uint32_t queue, const struct hd_stream_edges *to);
/* Seconds for gathering and sending so many edges, and asking which; infinite if nothing is gathered. */
double hd_stream_gather_seconds(const incore *e, double edges);
/* After a round: bytes that were copied, and the seconds. */
void hd_stream_gather_note(incore *e, uint64_t bytes, double seconds);

#endif
