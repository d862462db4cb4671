/* pr_small.h - PageRank's rounds in one launch (pr_small.cl), for graphs with rounds so short that launches and uneven
 * rows would dominate. Only the device's PageRank uses this. */
#ifndef HD_ALGORITHM_PR_PR_SMALL_H
#define HD_ALGORITHM_PR_PR_SMALL_H

#include "engine/device/kernels.h"

enum { HD_PR_SMALL_KERNELS = 2 };

typedef struct hd_pr_small {
    bool on; /* it pays off */
    hd_resident *graph;
    hd_kernels kernels;
    void *kernel[HD_PR_SMALL_KERNELS];
    hd_buffer cuts; /* of the graph */
    hd_buffer parts, partials;
    uint32_t n, items;            /* vertices; vertices and edges */
    uint32_t each, length, units; /* edges per lane, items per unit, number of units */
    uint32_t groups;
    uint64_t bytes; /* of a run, besides the graph's */
} hd_pr_small;

/* The arrays of a run; those with two elements alternate between even and odd rounds. */
typedef struct hd_pr_small_arrays {
    uint32_t renamed;
    hd_buffer names, sources, ranks[2], shares[2], state, figures;
} hd_pr_small_arrays;

/* Cuts rows and edges into units if that pays off, unless it was done for this graph before. */
heddle_status hd_pr_small_open(hd_pr_small *small, hd_resident *graph, heddle_report *report);
/* Upper bound of the bytes on such a device. */
uint64_t hd_pr_small_bytes(const heddle_graph *graph, const hd_device_info *info);
void hd_pr_small_close(hd_pr_small *small); /* if zeroed: does nothing */
/* Queues as many rounds as may run before the host checks again. */
heddle_status hd_pr_small_rounds(hd_pr_small *small, const hd_pr_small_arrays *arrays);

#endif
