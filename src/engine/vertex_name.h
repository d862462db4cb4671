/* vertex_name.h - a vertex by the user's id, for messages. */
#ifndef HD_ENGINE_VERTEX_NAME_H
#define HD_ENGINE_VERTEX_NAME_H

#include "graph/graph.h"

typedef struct hd_name {
    char text[64];
} hd_name;

/* The vertex's id, truncated; ids of a lazily opened file are checked first, and "?" replaces invalid ones. */
hd_name hd_vertex_name(heddle_context *ctx, const heddle_graph *graph, heddle_vertex vertex);

#endif
