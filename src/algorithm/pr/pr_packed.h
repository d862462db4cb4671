/* pr_packed.h - PageRank's rounds over packed in-edges (pr_packed.cl), for graphs whose rows do not fit the device.
 * Only the device's PageRank uses this. */
#ifndef HD_ALGORITHM_PR_PR_PACKED_H
#define HD_ALGORITHM_PR_PR_PACKED_H

#include "algorithm/pr/pr_passes.h"

typedef struct hd_pr_packed {
    bool on;
    hd_resident *graph; /* of which only the offsets need be there */
    hd_kernels kernels;
    void *round, *rest;
    hd_buffer words, starts, firsts; /* of the graph */
    hd_buffer parts;
    uint32_t n, lanes, bin, bins, groups, rests;
    uint32_t local_bytes;
    uint64_t chunks;
    uint64_t bytes; /* of what a run takes beside the graph's */
} hd_pr_packed;

/* Whether the device can have it: by the width of its warps and its shared memory. */
bool hd_pr_packed_suits(const hd_device_info *info, const hd_device_kind *kind);
/* Packs the in-edges, if that has not been done for this graph yet. */
heddle_status hd_pr_packed_open(hd_pr_packed *packed, hd_resident *graph, const heddle_graph *host,
                                heddle_report *report);
void hd_pr_packed_close(hd_pr_packed *packed); /* zeroed: nothing */
/* Queues a round: all but its end. It leaves `groups` + `rests` partial sums. */
heddle_status hd_pr_packed_round(hd_pr_packed *packed, const hd_pr_round *round);

#endif
