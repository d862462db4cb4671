/* fit.h - adapts a graph to a format that cannot hold all of it, or refuses and names what would be lost. */
#ifndef HD_IO_FIT_H
#define HD_IO_FIT_H

#include "io/format.h"

/* A graph that the format can hold: the graph itself, or a changed copy. */
typedef struct hd_fit {
    const heddle_graph *graph;
    heddle_graph *own; /* the copy, or NULL */
    void *weights;     /* the copy's weights, where only these differ */
    uint64_t isolated; /* vertices of the graph that the file will not have */
} hd_fit;

/* `graph` must be fully verified. HEDDLE_E_LOSSY if something would be lost and `lossy` is not set; if it is set, the
 * losses are noted: directed graphs get the missing reverse arcs, loops are dropped, weights are rounded to whole
 * numbers, weights that cannot be written at all are dropped. */
heddle_status hd_fit_open(heddle_context *ctx, const heddle_graph *graph, const hd_format *format, const char *path,
                          bool lossy, hd_fit *fit);
void hd_fit_close(heddle_context *ctx, hd_fit *fit);

#endif
