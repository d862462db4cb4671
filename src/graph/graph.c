/* graph.c - creating and destroying graphs, their two directions, and their ids. */
#include "graph/graph.h"

#include "base/argument.h"
#include "base/limit.h"
#include "base/memory.h"
#include "base/random.h"
#include "graph/build.h"
#include "graph/claims.h"
#include "graph/ids.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

bool hd_weight_is_known(heddle_weight_type type) {
    switch (type) {
    case HEDDLE_WEIGHT_NONE:
    case HEDDLE_WEIGHT_U32:
    case HEDDLE_WEIGHT_I32:
    case HEDDLE_WEIGHT_F32:
    case HEDDLE_WEIGHT_I64:
    case HEDDLE_WEIGHT_F64: return true;
    }
    return false;
}

size_t hd_weight_size(heddle_weight_type type) {
    return type == HEDDLE_WEIGHT_NONE ? 0 : type >= HEDDLE_WEIGHT_I64 ? 8 : 4;
}

const char *hd_weight_name(heddle_weight_type type) {
    static const char *const names[] = {"none", "u32", "i32", "f32", "i64", "f64"};
    return type <= HEDDLE_WEIGHT_F64 ? names[type] : "unknown";
}

/* A hash of address and time, not a counter, which would be global state shared by all contexts. */
static uint64_t new_serial(const heddle_graph *graph) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return hd_hash2((uint64_t)(uintptr_t)graph, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) | 1;
}

heddle_status hd_graph_new(heddle_context *ctx, heddle_graph **graph) {
    HD_TRY(HD_NEW_ZERO(ctx, graph, 1, "graph"));
    (*graph)->allocator = ctx->limit ? ctx->limit->inner : ctx->allocator; /* it outlives the limit */
    (*graph)->serial = new_serial(*graph);
    if (pthread_mutex_init(&(*graph)->lock, NULL) != 0) {
        HD_DELETE(&ctx->allocator, *graph, 1);
        return hd_fail(ctx, HEDDLE_E_INTERNAL, "cannot make a lock");
    }
    return HEDDLE_OK;
}

static void free_csr(heddle_graph *graph, hd_csr *csr) {
    if (csr->map)
        munmap(csr->map, csr->map_bytes);
    csr->map = NULL;
    if (!csr->owned)
        return;
    HD_DELETE(&graph->allocator, csr->offsets, graph->vertices + 1);
    HD_DELETE(&graph->allocator, csr->targets, graph->edges);
    if (csr->weights)
        hd_free(&graph->allocator, csr->weights, graph->edges * hd_weight_size(graph->weight_type));
}

void heddle_graph_destroy(heddle_graph **graph) {
    if (!graph || !*graph)
        return;
    heddle_graph *g = *graph;
    heddle_allocator allocator = g->allocator;
    for (int i = 0; i < HD_ORDERS; i++)
        heddle_graph_destroy(&g->renamed[i]);
    for (uint32_t i = 0; i < g->kept_count; i++)
        if (g->kept[i].owned)
            hd_free(&allocator, (void *)(uintptr_t)g->kept[i].words, g->kept[i].count * sizeof(uint64_t));
    if (g->out.owned)
        HD_DELETE(&allocator, g->places, g->vertices);
    HD_DELETE(&allocator, g->names, g->vertices);
    free_csr(g, &g->out);
    free_csr(g, &g->in);
    HD_DELETE(&allocator, g->label_slots, g->label_slot_count);
    hd_ids_free(&allocator, &g->ids, g->vertices);
    if (g->mapping.mapped)
        munmap(g->mapping.address, g->mapping.bytes);
    else if (g->mapping.address)
        hd_free(&allocator, g->mapping.address, g->mapping.bytes);
    HD_DELETE(&allocator, g->widened, g->vertices + 1);
    if (g->release)
        g->release(g->release_user);
    if (g->source_name)
        hd_free(&allocator, g->source_name, strlen(g->source_name) + 1);
    pthread_mutex_destroy(&g->lock);
    hd_free(&allocator, g, sizeof *g);
    *graph = NULL;
}

heddle_status hd_graph_borrow(heddle_context *ctx, const heddle_graph *graph, heddle_graph **result) {
    HD_TRY(hd_graph_new(ctx, result));
    heddle_graph *view = *result;
    view->vertices = graph->vertices;
    view->edges = graph->edges;
    view->directed = graph->directed;
    view->weight_type = graph->weight_type;
    view->out = graph->out;
    view->ids = graph->ids;
    view->out.owned = view->ids.owned = false;
    view->out.map = NULL;
    return HEDDLE_OK;
}

uint64_t heddle_graph_vertices(const heddle_graph *graph) { return graph ? graph->vertices : 0; }
uint64_t heddle_graph_edges(const heddle_graph *graph) { return graph ? graph->edges : 0; }
int heddle_graph_directed(const heddle_graph *graph) { return graph ? graph->directed : 0; }
heddle_weight_type heddle_graph_weight_type(const heddle_graph *graph) {
    return graph ? graph->weight_type : HEDDLE_WEIGHT_NONE;
}
heddle_id_type heddle_graph_id_type(const heddle_graph *graph) { return graph ? graph->ids.type : HEDDLE_ID_I64; }

static heddle_adjacency view(const hd_csr *csr) { return (heddle_adjacency){csr->offsets, csr->targets, csr->weights}; }

/* A graph is constant to its users; fields that are filled in lazily are guarded by its lock. */
static heddle_graph *mutable_graph(const heddle_graph *graph) { return (heddle_graph *)(uintptr_t)graph; }

/* With the lock held. */
static heddle_status verify(heddle_context *ctx, heddle_graph *graph, int what, const struct hd_hash_tap *tap) {
    int claims = hd_claims_about(graph, what);
    what = (what & ~HD_VERIFY_CLAIMS) | hd_claims_parts(graph, claims);
    if (graph->verify)
        HD_TRY(graph->verify(ctx, graph, what, tap));
    return claims ? hd_claims_prove(ctx, graph, claims) : HEDDLE_OK;
}

heddle_status hd_graph_await_callback(heddle_context *ctx, const heddle_graph *graph) {
    enum { MOST_TURNS = 1000 }; /* of a millisecond */
    heddle_graph *g = mutable_graph(graph);
    for (int turn = 0; atomic_load(&g->callbacks); turn++) {
        HD_TRY(hd_cancelled_status(ctx));
        if (turn == MOST_TURNS)
            return hd_fail(ctx, HEDDLE_E_REFUSED,
                           "the graph is being prepared by another call, whose progress callback has not returned: a "
                           "callback cannot use the graph of its call");
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return HEDDLE_OK;
}

/* Long work under the lock reports progress. */
static atomic_int *lock_graph(heddle_context *ctx, heddle_graph *g) {
    atomic_int *before = ctx->callbacks;
    pthread_mutex_lock(&g->lock);
    ctx->callbacks = &g->callbacks;
    return before;
}

static void unlock_graph(heddle_context *ctx, heddle_graph *g, atomic_int *before) {
    ctx->callbacks = before;
    pthread_mutex_unlock(&g->lock);
}

heddle_status hd_graph_verify_tapped(heddle_context *ctx, const heddle_graph *graph, int what,
                                     const struct hd_hash_tap *tap) {
    heddle_graph *g = mutable_graph(graph);
    HD_TRY(hd_graph_await_callback(ctx, graph));
    atomic_int *before = lock_graph(ctx, g);
    heddle_status status = verify(ctx, g, what, tap);
    unlock_graph(ctx, g, before);
    return status;
}

int hd_graph_unchecked(const heddle_graph *graph) {
    heddle_graph *g = mutable_graph(graph);
    pthread_mutex_lock(&g->lock);
    int unchecked = g->mapping.unchecked;
    pthread_mutex_unlock(&g->lock);
    return unchecked;
}

heddle_status hd_graph_verify(heddle_context *ctx, const heddle_graph *graph, int what) {
    return hd_graph_verify_tapped(ctx, graph, what, NULL);
}

heddle_status heddle_graph_out(heddle_context *ctx, const heddle_graph *graph, heddle_adjacency *adjacency) {
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, adjacency);
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OUT | HD_VERIFY_IDS));
    *adjacency = view(&graph->out);
    return HEDDLE_OK;
}

bool hd_graph_has_in(const heddle_graph *graph) {
    heddle_graph *g = mutable_graph(graph);
    pthread_mutex_lock(&g->lock);
    bool has = !g->directed || g->in.offsets;
    pthread_mutex_unlock(&g->lock);
    return has;
}

static heddle_status prepare_in(heddle_context *ctx, heddle_graph *g) {
    if (g->in.offsets)
        return verify(ctx, g, HD_VERIFY_IN, NULL);
    HD_TRY(verify(ctx, g, HD_VERIFY_OUT, NULL));
    return hd_csr_transpose(ctx, g->vertices, &g->out, g->weight_type, &g->in);
}

heddle_status heddle_graph_in(heddle_context *ctx, const heddle_graph *graph, heddle_adjacency *adjacency) {
    heddle_graph *g = mutable_graph(graph);
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, adjacency);
    if (!g->directed) {
        HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_TRANSPOSE | HD_VERIFY_TRANSPOSE_WEIGHTS));
        return heddle_graph_out(ctx, graph, adjacency);
    }
    HD_TRY(hd_graph_await_callback(ctx, graph));
    atomic_int *before = lock_graph(ctx, g);
    heddle_status status = prepare_in(ctx, g);
    unlock_graph(ctx, g, before);
    if (status == HEDDLE_OK)
        *adjacency = view(&g->in);
    return status;
}

heddle_status hd_graph_bare(heddle_context *ctx, const heddle_graph *graph, bool in, heddle_adjacency *rows) {
    heddle_status status = HEDDLE_OK;
    bool incoming = in && graph->directed;
    if (incoming && hd_graph_has_in(graph))
        status = hd_graph_verify(ctx, graph, HD_VERIFY_TARGETS << HD_VERIFY_SHIFT);
    else if (incoming)
        status = heddle_graph_in(ctx, graph, rows);
    else
        status = hd_graph_verify(ctx, graph, HD_VERIFY_TARGETS | HD_VERIFY_IDS | (in ? HD_VERIFY_TRANSPOSE : 0));
    *rows = incoming ? view(&graph->in) : view(&graph->out);
    rows->weights = NULL;
    return status;
}

/* ---- Ids -------------------------------------------------------------------------------------------------------- */

int64_t heddle_graph_id(const heddle_graph *graph, heddle_vertex vertex) {
    if (!graph || vertex >= graph->vertices || graph->ids.type == HEDDLE_ID_STRING)
        return -1;
    const hd_ids *ids = &graph->ids;
    return ids->values ? ids->values[vertex] : (int64_t)((uint64_t)ids->base + vertex);
}

size_t heddle_graph_id_text(const heddle_graph *graph, heddle_vertex vertex, char *buffer, size_t size) {
    if (!buffer)
        size = 0;
    if (!graph || vertex >= graph->vertices) {
        if (size)
            buffer[0] = '\0';
        return 0;
    }
    const hd_ids *ids = &graph->ids;
    if (ids->type == HEDDLE_ID_STRING) {
        uint64_t start = ids->starts[vertex], end = ids->starts[vertex + 1];
        if (graph->mapping.address && (start > end || end > graph->mapping.text_bytes))
            end = start = 0; /* a damaged file whose ids have not been checked yet */
        size_t length = end - start, fits = size == 0 ? 0 : length < size ? length : size - 1;
        if (fits)
            memcpy(buffer, ids->text + start, fits);
        if (size)
            buffer[fits] = '\0';
        return length;
    }
    int64_t id = heddle_graph_id(graph, vertex);
    return (size_t)(ids->type == HEDDLE_ID_U64 ? snprintf(buffer, size, "%" PRIu64, (uint64_t)id)
                                               : snprintf(buffer, size, "%" PRId64, id));
}

static bool has_label(const hd_ids *ids, uint64_t v, const char *label, size_t length) {
    return ids->starts[v + 1] - ids->starts[v] == length && memcmp(ids->text + ids->starts[v], label, length) == 0;
}

/* A table takes longer to make than a few labels to find without one, and most programs look up one source. */
enum { LABEL_SCANS = 4 };

/* The table of labels, or NULL if there is none yet, or no memory for it. */
static const uint32_t *label_table(const heddle_context *ctx, heddle_graph *g) {
    const hd_ids *ids = &g->ids;
    uint64_t count = 16;
    pthread_mutex_lock(&g->lock);
    if (!g->label_slots && ++g->label_scans > LABEL_SCANS) {
        while (count <= 2 * g->vertices)
            count *= 2;
        g->label_slots = hd_zalloc(&g->allocator, count * sizeof *g->label_slots);
        g->label_slot_count = g->label_slots ? count : 0;
        g->label_key = ctx->hash_key;
        for (uint64_t v = 0; g->label_slots && v < g->vertices; v++) {
            const char *label = ids->text + ids->starts[v];
            uint64_t slot = hd_label_hash(&g->label_key, label, ids->starts[v + 1] - ids->starts[v]) & (count - 1);
            while (g->label_slots[slot])
                slot = (slot + 1) & (count - 1);
            g->label_slots[slot] = (uint32_t)v + 1;
        }
    }
    const uint32_t *slots = g->label_slots;
    pthread_mutex_unlock(&g->lock);
    return slots;
}

static bool find_label(const heddle_context *ctx, const heddle_graph *graph, const char *label, heddle_vertex *vertex) {
    size_t length = strlen(label);
    const uint32_t *slots = label_table(ctx, mutable_graph(graph));
    if (!slots) {
        for (uint64_t v = 0; v < graph->vertices; v++)
            if (has_label(&graph->ids, v, label, length)) {
                *vertex = (heddle_vertex)v;
                return true;
            }
        return false;
    }
    uint64_t mask = graph->label_slot_count - 1, slot = hd_label_hash(&graph->label_key, label, length) & mask;
    while (slots[slot] && !has_label(&graph->ids, slots[slot] - 1, label, length))
        slot = (slot + 1) & mask;
    if (slots[slot])
        *vertex = slots[slot] - 1;
    return slots[slot];
}

bool hd_graph_find_value(const heddle_graph *graph, int64_t id, heddle_vertex *vertex) {
    const hd_ids *ids = &graph->ids;
    uint64_t low = 0, high = graph->vertices, flip = ids->type == HEDDLE_ID_U64 ? 0 : UINT64_C(1) << 63;
    if (!ids->values) {
        *vertex = (heddle_vertex)((uint64_t)id - (uint64_t)ids->base);
        return (uint64_t)id - (uint64_t)ids->base < graph->vertices;
    }
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (((uint64_t)ids->values[middle] ^ flip) < ((uint64_t)id ^ flip))
            low = middle + 1;
        else
            high = middle;
    }
    *vertex = (heddle_vertex)low;
    return low < graph->vertices && ids->values[low] == id;
}

/* The whole text as an integer of the graph's id type. */
static bool parse_id(const heddle_graph *graph, const char *text, int64_t *id) {
    char *end;
    errno = 0;
    if (*text != '-' && (*text < '0' || *text > '9'))
        return false;
    if (graph->ids.type == HEDDLE_ID_U64)
        *id = (int64_t)strtoull(text, &end, 10);
    else
        *id = strtoll(text, &end, 10);
    return *end == '\0' && errno == 0 && !(graph->ids.type == HEDDLE_ID_U64 && *text == '-');
}

heddle_status heddle_graph_find(heddle_context *ctx, const heddle_graph *graph, const char *id, heddle_vertex *vertex) {
    int64_t value;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, id);
    HD_NEEDS(ctx, vertex);
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
    if (graph->ids.type == HEDDLE_ID_STRING)
        return find_label(ctx, graph, id, vertex) ? HEDDLE_OK
                                                  : hd_fail(ctx, HEDDLE_E_SOURCE, "no vertex is labelled '%.100s'", id);
    if (!parse_id(graph, id, &value))
        return hd_fail(ctx, HEDDLE_E_SOURCE, "'%.100s' is not an integer vertex id", id);
    return hd_graph_find_value(graph, value, vertex) ? HEDDLE_OK
                                                     : hd_fail(ctx, HEDDLE_E_SOURCE, "no vertex has the id %.100s", id);
}

uint64_t hd_graph_allocated(const heddle_graph *graph) {
    uint64_t n = graph->vertices, each = 4 + hd_weight_size(graph->weight_type), bytes = 0;
    bytes += graph->out.owned ? (n + 1) * 8 + graph->edges * each : 0;
    bytes += graph->in.owned ? (n + 1) * 8 + graph->edges * each : 0;
    bytes += graph->ids.owned && graph->ids.values ? n * 8 : 0;
    bytes += graph->label_slot_count * sizeof *graph->label_slots;
    return bytes + (graph->ids.owned && graph->ids.starts ? (n + 1) * 8 + graph->ids.starts[n] : 0);
}
