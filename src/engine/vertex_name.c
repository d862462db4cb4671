/* vertex_name.c - see vertex_name.h. */
#include "engine/vertex_name.h"

#include <string.h>

static bool ids_are_good(heddle_context *ctx, const heddle_graph *graph) {
    heddle_graph *g = (heddle_graph *)(uintptr_t)graph; /* the lock guards parts of a file that are checked lazily */
    if (!g->verify)
        return true;
    pthread_mutex_lock(&g->lock);
    heddle_status status = g->verify(ctx, g, HD_VERIFY_IDS, NULL);
    pthread_mutex_unlock(&g->lock);
    return status == HEDDLE_OK;
}

hd_name hd_vertex_name(heddle_context *ctx, const heddle_graph *graph, heddle_vertex vertex) {
    hd_name name = {"?"};
    if (ids_are_good(ctx, graph) &&
        heddle_graph_id_text(graph, vertex, name.text, sizeof name.text) >= sizeof name.text)
        memcpy(name.text + sizeof name.text - 4, "...", 4);
    return name;
}
