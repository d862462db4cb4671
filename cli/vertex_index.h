/* vertex_index.h - finds many vertices by their ids. The library looks one label up by walking over all of them, which
 * would take too long for every line of a file; here they are hashed once. */
#ifndef CLI_VERTEX_INDEX_H
#define CLI_VERTEX_INDEX_H

#include "heddle.h"

/* Start with all zero but context and graph. */
typedef struct cli_vertex_index {
    heddle_context *context;
    const heddle_graph *graph;
    uint32_t *slots; /* vertex + 1, or 0; NULL until the first label is looked up */
    uint64_t mask;
} cli_vertex_index;

/* HEDDLE_OK, HEDDLE_E_SOURCE when no vertex has this id, or another error. */
heddle_status cli_vertex_find(cli_vertex_index *index, const char *id, heddle_vertex *vertex);
void cli_vertex_index_free(cli_vertex_index *index);

#endif
