/* joined_edges.h - edges with their weights beside them, in as few bits as both need, to reduce traffic over the bus.
 *
 * An edge is target | (weight - least) << target bits. Edges of no more than 32 bits take a word each, longer ones lie
 * bit after bit; none is in two lines of 128 bytes, so that reading one is one request of the bus. */
#ifndef HD_ENGINE_DEVICE_JOINED_EDGES_H
#define HD_ENGINE_DEVICE_JOINED_EDGES_H

#include "engine/device/resident.h"

typedef struct hd_joined {
    int want;        /* HD_WANT_ bits to open the graph with */
    uint32_t bits;   /* of an edge, at least 32; 0: rows and weights as they are */
    uint32_t target; /* bits of a target, in the low part */
    uint32_t line;   /* edges in 128 bytes */
    uint32_t least;  /* weight */
    hd_buffer edges;
} hd_joined;

/* How the out-edges can be joined with their weights; one pass over these, the first time. */
heddle_status hd_joined_choose(heddle_context *ctx, const heddle_graph *graph, heddle_report *report,
                               hd_joined *joined);
/* The array of a graph that was opened with joined->want; built once. */
heddle_status hd_joined_open(hd_resident *resident, const heddle_graph *graph, hd_joined *joined);
/* Whether it has been built. */
bool hd_joined_known(const hd_resident *resident);

static inline uint64_t hd_joined_edge(const hd_joined *joined, uint32_t target, uint32_t weight) {
    return target | (uint64_t)(weight - joined->least) << joined->target;
}

#endif
