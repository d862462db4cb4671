/* narrow_weights.h - small whole weights in fewer bytes than the graph's own, to reduce traffic over the bus: joined
 * with their targets, an edge in one word, if both together have 32 bits at most; else a byte each. */
#ifndef HD_ENGINE_DEVICE_NARROW_WEIGHTS_H
#define HD_ENGINE_DEVICE_NARROW_WEIGHTS_H

#include "engine/device/resident.h"

typedef struct hd_narrow {
    int want;        /* HD_WANT_ bits to open the graph with: rows are without weights, or without targets too */
    bool bytes;      /* weights of a byte each */
    uint32_t target; /* bits of a target in the low part of a word, whose high part is weight - least; 0: not joined */
    uint32_t least;
    hd_buffer edges; /* the bytes or the words */
} hd_narrow;

/* How the weights of the out-edges can be narrowed; one pass over them, the first time. */
heddle_status hd_narrow_choose(heddle_context *ctx, const heddle_graph *graph, heddle_report *report,
                               hd_narrow *narrow);
/* The array of a graph that was opened with narrow->want; built once. */
heddle_status hd_narrow_open(hd_resident *resident, const heddle_graph *graph, hd_narrow *narrow);

#endif
