/* pr_packed.h - PageRank's rounds over packed in-edges (pr_packed.cl), for graphs whose rows do not fit the device.
 * Only the device's PageRank uses this. */
#ifndef HD_ALGORITHM_PR_PR_PACKED_H
#define HD_ALGORITHM_PR_PR_PACKED_H

#include "algorithm/pr/pr_passes.h"

typedef struct hd_pr_packed {
    bool on;
    hd_resident *graph; /* only its offsets must be on the device */
    hd_kernels kernels;
    void *round, *rest, *end;
    hd_buffer words, starts, firsts; /* of the graph */
    hd_buffer names;                 /* of sources: where their shares are, if */
    uint32_t renamed;                /* they are renamed, by out-degree */
    hd_buffer parts;
    uint32_t n, lanes, bin, bins, groups, rests;
    uint32_t local_bytes;
    uint64_t chunks;
    uint64_t bytes; /* of a run, besides the graph's */
} hd_pr_packed;

/* Whether the device supports it: by warp width and shared memory. */
bool hd_pr_packed_suits(const hd_device_info *info, const hd_device_kind *kind);
/* Bytes of what lies beside the packed rows on such a device, without names, which are placed like rows. */
uint64_t hd_pr_packed_bytes(uint64_t edges, const hd_device_info *info);
/* Packs the in-edges, unless it was done for this graph before. */
heddle_status hd_pr_packed_open(hd_pr_packed *packed, hd_resident *graph, const heddle_graph *host,
                                heddle_report *report);
void hd_pr_packed_close(hd_pr_packed *packed); /* if zeroed: does nothing */
/* Queues a round without its last kernel. It leaves `groups` + `rests` partial sums. */
heddle_status hd_pr_packed_round(hd_pr_packed *packed, const hd_pr_round *round);
/* Queues the computation of ranks, which rounds do not keep, from the shares of the last one. */
heddle_status hd_pr_packed_ranks(hd_pr_packed *packed, const hd_buffer *shares, const hd_buffer *ranks);

#endif
