/* colours.h - a colouring: vertices of one colour are no neighbours, in whatever direction, so that what they read of
 * their neighbours stays as it is while they all change.
 * Idea: greedy colouring in a random order, in parallel (Jones and Plassmann, 1993): a vertex takes the smallest colour
 * that no neighbour has, once all neighbours before it in the order have theirs. The outcome is that of one vertex
 * after the other, for any number of threads.
 */
#ifndef HD_ENGINE_CPU_COLOURS_H
#define HD_ENGINE_CPU_COLOURS_H

#include "engine/cpu/row_modes.h"

typedef struct hd_colours {
    uint64_t vertices, count; /* of colours */
    uint64_t *starts;         /* count + 1: where each colour begins in `order` */
    heddle_vertex *order;     /* vertices by colour, then by number */
} hd_colours;

/* The seed gives the order. Linear time; needs 20 bytes per vertex meanwhile. Close it in any case. */
heddle_status hd_colours_open(const hd_row_modes *rows, uint64_t seed, hd_colours *colours);
void hd_colours_close(heddle_context *ctx, hd_colours *colours);

#endif
