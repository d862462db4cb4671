/* near_heads.h - heads of a graph (graph/heads.h) on a device whose rows are in host memory. */
#ifndef HD_ENGINE_DEVICE_NEAR_HEADS_H
#define HD_ENGINE_DEVICE_NEAR_HEADS_H

#include "engine/device/resident.h"

typedef struct hd_near_heads {
    uint32_t each;    /* per vertex, at most; 0: there are none, and `heads` is any buffer */
    uint32_t headed;  /* vertices below this have them */
    hd_buffer buffer; /* of the graph */
} hd_near_heads;

/* Heads of the in-edges, which the host must have; built once for a graph, as many as fit beside the `later` bytes of
 * buffers that the run allocates after them. None if all rows are on the device. */
heddle_status hd_near_heads_open(hd_resident *resident, const heddle_graph *graph, uint64_t later,
                                 heddle_report *report, hd_near_heads *near);
/* Their bytes in a run with `room` for them, at most. Of a file, only the offsets are read. */
heddle_status hd_near_heads_bytes(heddle_context *ctx, const heddle_graph *graph, uint64_t room, uint64_t *bytes);
/* "#define HD_HEADS …" for kernels. */
void hd_near_heads_define(const hd_near_heads *near, char *text, size_t size);

#endif
