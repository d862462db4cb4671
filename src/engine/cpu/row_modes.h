/* row_modes.h - the most frequent label of the neighbours of every vertex of a graph, by all threads: rows, and tables
 * to count labels in (row_mode.h).
 *
 * Neighbours are those of both directions; one of both counts twice, as do parallel arcs. Tables of all threads take
 * about as much memory as the graph at most, however long its longest row is: the few rows that are longer than a
 * thread's own table share one, one thread at a time.
 */
#ifndef HD_ENGINE_CPU_ROW_MODES_H
#define HD_ENGINE_CPU_ROW_MODES_H

#include "engine/cpu/row_mode.h"
#include "graph/graph.h"

typedef struct hd_row_modes {
    heddle_context *ctx;
    uint64_t n, longest;
    heddle_adjacency out, in; /* `in` has no offsets if the graph is undirected: out-edges are all there are */
    hd_row_mode *modes;       /* one for each thread, for rows of up to `own` entries */
    uint64_t own;
    hd_row_mode shared;
} hd_row_modes;

/* Labels are below the number of vertices. Close it in any case. */
heddle_status hd_row_modes_open(heddle_context *ctx, const heddle_graph *graph, hd_row_modes *m);
/* The same without tables: for rows and degrees. */
heddle_status hd_row_modes_rows(heddle_context *ctx, const heddle_graph *graph, hd_row_modes *m);
void hd_row_modes_close(hd_row_modes *m);
/* Bytes of the tables. */
heddle_status hd_row_modes_bytes(heddle_context *ctx, const heddle_graph *graph, double *bytes);

static inline hd_row_part hd_row_part_of(const heddle_adjacency *rows, uint64_t v) {
    if (!rows->offsets)
        return (hd_row_part){NULL, 0};
    return (hd_row_part){rows->targets + rows->offsets[v], rows->offsets[v + 1] - rows->offsets[v]};
}

static inline uint64_t hd_row_modes_degree(const hd_row_modes *m, uint64_t v) {
    return hd_row_part_of(&m->out, v).count + hd_row_part_of(&m->in, v).count;
}

/* Of a vertex that has neighbours. `ties`: see hd_row_mode_by; NULL: the smallest. */
uint32_t hd_row_modes_of(hd_row_modes *m, const uint32_t *label, uint64_t v, const hd_row_ties *ties);

/* Sets the bytes of all neighbours of v to 1. */
void hd_row_modes_mark(const hd_row_modes *m, uint64_t v, uint8_t *marks);

#endif
