/* adjacency_look.h - distinguishes adjacency lists from edge lists by the shape of their lines. */
#ifndef HD_IO_ADJACENCY_LOOK_H
#define HD_IO_ADJACENCY_LOOK_H

#include "io/input.h"

typedef enum hd_line_kind {
    HD_LINES_EDGES, /* no evidence for adjacency lists */
    HD_LINES_LISTS,
    HD_LINES_EITHER
} hd_line_kind;

typedef struct hd_adjacency_look {
    hd_line_kind kind;
    bool tabbed;          /* "user<TAB>a,b,c" */
    bool closed;          /* each line has a source of its own, and all that it lists are sources of lines */
    uint64_t least, most; /* columns */
} hd_adjacency_look;

hd_adjacency_look hd_adjacency_look_at(const char *data, uint64_t bytes);

/* Called before a file is read as an edge list without the user having named the format: HEDDLE_E_FORMAT, naming both
 * formats, if the lines could be either; a note if adjacency lists are unlikely. Weights in NetworkX's dictionaries are
 * refused too. */
heddle_status hd_adjacency_doubt(heddle_context *ctx, const hd_input *input);

#endif
