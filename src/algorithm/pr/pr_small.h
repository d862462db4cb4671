/* pr_small.h - PageRank's rounds in one launch (pr_small.cl), for graphs whose rounds are so short that launches
 * and uneven rows would be most of their time. Only the device's PageRank uses this. */
#ifndef HD_ALGORITHM_PR_PR_SMALL_H
#define HD_ALGORITHM_PR_PR_SMALL_H

#include "engine/device/kernels.h"

enum { HD_PR_SMALL_KERNELS = 2 };

typedef struct hd_pr_small {
    bool on; /* it is worth it */
    hd_resident *graph;
    hd_kernels kernels;
    void *kernel[HD_PR_SMALL_KERNELS];
    hd_buffer cuts; /* of the graph */
    hd_buffer parts, partials;
    uint32_t n, items;            /* vertices; vertices and edges */
    uint32_t each, length, units; /* edges of a lane, items of a unit, units */
    uint32_t groups;
    uint64_t bytes; /* of what a run takes beside the graph's */
} hd_pr_small;

/* The arrays of a run: those with two places are of even and odd rounds. */
typedef struct hd_pr_small_arrays {
    uint32_t renamed;
    hd_buffer names, sources, ranks[2], shares[2], state, figures;
} hd_pr_small_arrays;

/* Cuts rows and edges into units, if it pays and if that has not been done for this graph yet. */
heddle_status hd_pr_small_open(hd_pr_small *small, hd_resident *graph, heddle_report *report);
/* Bytes on such a device, at most. */
uint64_t hd_pr_small_bytes(const heddle_graph *graph, const hd_device_info *info);
void hd_pr_small_close(hd_pr_small *small); /* zeroed: nothing */
/* Queues as many rounds as may go by before the host is asked again. */
heddle_status hd_pr_small_rounds(hd_pr_small *small, const hd_pr_small_arrays *arrays);

#endif
