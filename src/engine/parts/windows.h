/* windows.h - a part whose edges pass through its device: residency stream of parts.
 *
 * A round pulls along all in-edges of a part, so all of them are needed once in every round, in any order. Rows are cut
 * into windows. As many windows as there is room for stay on the device; the others take turns in two slots, so that
 * one is copied while the kernel walks the other; where a long row leaves room for one slot only, that one waits.
 * Values, offsets and boxes are on the device all the time. Spans (residency/span.h), which single devices stream by,
 * push: they would need atomics on values of other parts.
 */
#ifndef HD_ENGINE_PARTS_WINDOWS_H
#define HD_ENGINE_PARTS_WINDOWS_H

#include "engine/device/incore_run.h"
#include "exchange/slice.h"

enum { HD_WINDOW_TARGETS, HD_WINDOW_WEIGHTS, HD_WINDOW_ARRAYS, HD_WINDOW_TURNS = 2 };

typedef struct hd_window_slot {
    hd_buffer array[HD_WINDOW_ARRAYS];
} hd_window_slot;

typedef struct hd_windows {
    const hd_slice *slice;
    size_t each[HD_WINDOW_ARRAYS]; /* bytes per edge; 0: no such array */
    uint64_t *rows;                /* count + 1: the first row of each window */
    uint64_t count, most;          /* windows; edges of the largest */
    uint64_t kept;                 /* the first `kept` stay in slots of their own; the others take turns */
    uint32_t turns;                /* in this many more */
    hd_window_slot *slots;
    uint64_t slot_count;
    void *pinned[HD_WINDOW_ARRAYS]; /* copies of the edges behind those that stay; NULL: they are sent from the slice */
    bool queued;                    /* copies have a queue of their own */
    bool busy[HD_WINDOW_TURNS];     /* a kernel has been launched that reads this turn's slot */
} hd_windows;

/* Cuts the rows for `room` bytes of the device that are left to edges. HEDDLE_E_DEVICE_MEMORY, with the numbers, if the
 * longest row does not fit. */
heddle_status hd_windows_cut(const incore *e, const hd_slice *slice, uint64_t room, hd_windows *windows);
/* Allocates slots, and sends the edges that stay. */
heddle_status hd_windows_open(incore *e, hd_windows *windows);
/* Queues a round, as hd_incore_queue does. */
heddle_status hd_windows_queue(incore *e, hd_windows *windows, uint64_t round);
/* Bytes of edges that are sent in every round. */
uint64_t hd_windows_sent(const hd_windows *windows);
/* Frees everything; the device's queues have been waited for, or it has failed. */
void hd_windows_close(incore *e, hd_windows *windows);

#endif
