/* hybrid_rows.h - rows of edges with weights (joined_edges.h), cut in two: the first HD_HYBRID_LINE edges of each
 * vertex are one line of 128 bytes, at a place that follows from its number, and the others are a tail.
 * Idea: HYB, ELL and the rest apart (Bell and Garland, SC 2009). Rows that begin anywhere lie in one line more than
 * they have to; if most have about as many edges as a line, lines in host memory and tails on the device halve the
 * requests of the bus.
 *
 * Shorter lines are filled with loops, which kernels leave out: what they find must not depend on the graph's own. */
#ifndef HD_ENGINE_DEVICE_HYBRID_ROWS_H
#define HD_ENGINE_DEVICE_HYBRID_ROWS_H

#include "engine/device/edge_room.h"
#include "engine/device/joined_edges.h"

enum { HD_HYBRID_LINE = HD_EDGE_LINE / 4 };

typedef struct hd_hybrid {
    bool used;
    hd_buffer offsets, tails, lines; /* offsets of tails, in place of the rows' own */
} hd_hybrid;

/* For a graph that was opened with joined->want; built once. Not used if it would not reduce the requests by a tenth;
 * if lines would take more than a quarter more than the rows, or there is no memory for them; if an edge takes more
 * than a word, or 32 bits do not number the lines' edges. */
heddle_status hd_hybrid_open(hd_resident *resident, const heddle_graph *graph, const hd_joined *joined,
                             hd_hybrid *hybrid);
/* Frees what runs that want HD_WANT_JOINED alone use, besides the edges. */
void hd_hybrid_drop(hd_resident *resident);

#endif
