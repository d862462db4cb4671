/* vertex_name.h - a vertex as the user calls it, for messages. */
#ifndef HD_ENGINE_VERTEX_NAME_H
#define HD_ENGINE_VERTEX_NAME_H

#include "graph/graph.h"

typedef struct hd_name {
    char text[64];
} hd_name;

/* The vertex' id, cut to fit; a file that is opened lazily has its ids checked first, and "?" stands for bad ones. */
hd_name hd_vertex_name(heddle_context *ctx, const heddle_graph *graph, heddle_vertex vertex);

#endif
