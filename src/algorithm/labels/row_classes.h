/* row_classes.h - a graph's vertices by colour and by the length of their rows, for labels.cl: made on the host, and
 * kept for later runs (engine/derived.h). */
#ifndef HD_ALGORITHM_LABELS_ROW_CLASSES_H
#define HD_ALGORITHM_LABELS_ROW_CLASSES_H

#include "algorithm/labels/labels_state.h"
#include "engine/derived.h"

typedef struct hd_row_classes {
    hd_derived head;
    bool coloured;
    uint64_t seed;
    uint64_t colours, vertices, longs, pieces;
    uint32_t *words; /* COLOUR_WORDS for each colour */
    uint32_t *order; /* vertices that have neighbours and are not long: room for all */
    uint32_t *rows;  /* ROW_WORDS for each long row */
    uint32_t *list;  /* of pieces: row and number */
} hd_row_classes;

/* Not coloured: all have one colour. The seed counts for colourings alone. */
heddle_status hd_row_classes_of(heddle_context *ctx, const heddle_graph *graph, bool coloured, uint64_t seed,
                                const hd_row_classes **classes);
/* Pieces of the largest colour. */
uint64_t hd_row_classes_most(const hd_row_classes *classes);

#endif
