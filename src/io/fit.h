/* fit.h - making a graph fit a format that cannot hold all of it, or refusing to, by name of what would be lost. */
#ifndef HD_IO_FIT_H
#define HD_IO_FIT_H

#include "io/format.h"

/* A graph that the format can hold: the graph itself, or a changed copy. */
typedef struct hd_fit {
    const heddle_graph *graph;
    heddle_graph *own; /* the copy, or NULL */
    void *weights;     /* the copy's weights, where only these differ */
} hd_fit;

/* Everything of `graph` has been verified. HEDDLE_E_LOSSY when something would be lost and `lossy` is not set; when it
 * is, the losses are noted: directions go by adding the reverse arcs, loops are dropped, fractions of weights are
 * rounded, weights that cannot be written at all are dropped. */
heddle_status hd_fit_open(heddle_context *ctx, const heddle_graph *graph, const hd_format *format, const char *path,
                          bool lossy, hd_fit *fit);
void hd_fit_close(heddle_context *ctx, hd_fit *fit);

#endif
