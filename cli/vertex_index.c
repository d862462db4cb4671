/* vertex_index.c - an open-addressing hash table of labels; integer ids go straight to the library, which bisects. */
#include "vertex_index.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, mixed once more since only the low bits are used. */
static uint64_t hash(const char *text) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* The vertex' label, in a buffer that grows. */
static const char *label_of(const heddle_graph *graph, heddle_vertex vertex, char **buffer, size_t *room) {
    char none[1];
    size_t length = heddle_graph_id_text(graph, vertex, *room ? *buffer : none, *room ? *room : 1);
    if (length < *room)
        return *buffer;
    char *larger = realloc(*buffer, 2 * length + 64);
    if (!larger)
        return NULL;
    *buffer = larger;
    *room = 2 * length + 64;
    heddle_graph_id_text(graph, vertex, *buffer, *room);
    return *buffer;
}

static bool build(cli_vertex_index *index) {
    uint64_t vertices = heddle_graph_vertices(index->graph), slots = 64, v;
    char *buffer = NULL;
    size_t room = 0;
    while (slots < 2 * vertices)
        slots *= 2;
    index->mask = slots - 1;
    index->slots = calloc(slots, sizeof *index->slots);
    for (v = 0; index->slots && v < vertices; v++) {
        const char *label = label_of(index->graph, (heddle_vertex)v, &buffer, &room);
        if (!label)
            break;
        uint64_t slot = hash(label) & index->mask;
        while (index->slots[slot])
            slot = (slot + 1) & index->mask;
        index->slots[slot] = (uint32_t)v + 1;
    }
    free(buffer);
    if (index->slots && v == vertices)
        return true;
    cli_vertex_index_free(index);
    return false;
}

static heddle_status find_label(const cli_vertex_index *index, const char *id, heddle_vertex *vertex) {
    size_t length = strlen(id);
    char *other = malloc(length + 2);
    heddle_status status = other ? HEDDLE_E_SOURCE : HEDDLE_E_MEMORY;
    for (uint64_t slot = hash(id) & index->mask; other && index->slots[slot]; slot = (slot + 1) & index->mask) {
        heddle_vertex candidate = index->slots[slot] - 1;
        if (heddle_graph_id_text(index->graph, candidate, other, length + 2) == length && !strcmp(other, id)) {
            *vertex = candidate;
            status = HEDDLE_OK;
            break;
        }
    }
    free(other);
    return status;
}

heddle_status cli_vertex_find(cli_vertex_index *index, const char *id, heddle_vertex *vertex) {
    if (heddle_graph_id_type(index->graph) != HEDDLE_ID_STRING || !heddle_graph_vertices(index->graph))
        return heddle_graph_find(index->context, index->graph, id, vertex);
    if (!index->slots) {
        /* the library's search also checks the labels of a mapped file */
        heddle_status status = heddle_graph_find(index->context, index->graph, id, vertex);
        if (status != HEDDLE_OK && status != HEDDLE_E_SOURCE)
            return status;
        if (!build(index))
            return HEDDLE_E_MEMORY;
    }
    return find_label(index, id, vertex);
}

void cli_vertex_index_free(cli_vertex_index *index) {
    free(index->slots);
    index->slots = NULL;
}
