/* derived.c - see derived.h. */
#include "engine/derived.h"

#include "base/memory.h"

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

static uint64_t rows_bytes(const heddle_graph *graph, const hd_csr *rows) {
    return rows->offsets ? hd_row_bytes(graph, rows->weights != NULL) : 0;
}

static uint64_t graph_bytes(const heddle_graph *graph) {
    if (!graph)
        return 0;
    return rows_bytes(graph, &graph->out) + rows_bytes(graph, &graph->in) +
           (graph->places ? graph->vertices * 2 * sizeof(heddle_vertex) : 0);
}

static uint64_t entry_bytes(const hd_derived *e) {
    return e->kind->size + graph_bytes(e->graphs[0]) + graph_bytes(e->graphs[1]) +
           (e->kind->bytes ? e->kind->bytes(e) : 0);
}

uint64_t hd_derived_bytes(const heddle_context *ctx) {
    uint64_t bytes = 0;
    for (const hd_derived *e = ctx->derived; e; e = e->next)
        bytes += entry_bytes(e);
    return bytes;
}

/* ---- Freeing ----------------------------------------------------------------------------------------------------- */

static void unlink_entry(heddle_context *ctx, const hd_derived *entry) {
    hd_derived **link = &ctx->derived;
    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
}

static void destroy(heddle_context *ctx, hd_derived *entry) {
    for (int i = 0; i < 2; i++)
        if (entry->graphs[i])
            hd_derived_drop_of(ctx, entry->graphs[i]);
    entry->kind->destroy(ctx, entry);
    hd_free(&ctx->allocator, entry, entry->kind->size);
}

void hd_derived_drop(heddle_context *ctx, hd_derived *entry) {
    if (!entry)
        return;
    unlink_entry(ctx, entry);
    destroy(ctx, entry);
}

void hd_derived_drop_of(heddle_context *ctx, const heddle_graph *graph) {
    for (hd_derived *e = ctx->derived; e;) {
        bool goes = e->of == graph->serial;
        if (goes)
            hd_derived_drop(ctx, e);
        e = goes ? ctx->derived : e->next; /* others may have been freed with it */
    }
}

void hd_derived_forget(heddle_context *ctx) {
    while (ctx->derived)
        hd_derived_drop(ctx, ctx->derived);
}

void hd_derived_begin(heddle_context *ctx, const heddle_graph *graph, bool limited) {
    ctx->derived_run++;
    ctx->derived_most = HD_DERIVED_SHARE * hd_row_bytes(graph, true);
    if (limited)
        hd_derived_forget(ctx);
    for (hd_derived *e = ctx->derived; e;) {
        bool goes = e->root != graph->serial;
        if (goes)
            hd_derived_drop(ctx, e);
        e = goes ? ctx->derived : e->next;
    }
}

/* The least recently used that the run does not use; NULL: there is none. */
static hd_derived *oldest(const heddle_context *ctx) {
    hd_derived *found = NULL;
    for (hd_derived *e = ctx->derived; e; e = e->next)
        found = e->run != ctx->derived_run ? e : found;
    return found;
}

/* ---- Using ------------------------------------------------------------------------------------------------------- */

hd_derived *hd_derived_find(const heddle_context *ctx, const hd_derived_kind *kind, const heddle_graph *graph,
                            const void *key) {
    hd_derived *e = ctx->derived;
    while (e && !(e->kind == kind && e->of == graph->serial && kind->same(e, key)))
        e = e->next;
    return e;
}

static void put_first(heddle_context *ctx, hd_derived *entry) {
    entry->next = ctx->derived;
    entry->run = ctx->derived_run;
    ctx->derived = entry;
    ctx->release_derived = hd_derived_forget;
}

static heddle_status make(heddle_context *ctx, const hd_derived_kind *kind, const heddle_graph *graph, const void *key,
                          hd_derived **entry) {
    HD_TRY(hd_new(ctx, (void **)entry, 1, kind->size, true, "what is derived from a graph"));
    (*entry)->kind = kind;
    (*entry)->of = graph->serial;
    (*entry)->root = hd_derived_root(graph);
    heddle_status status = kind->make(ctx, graph, key, *entry);
    if (status != HEDDLE_OK) {
        destroy(ctx, *entry);
        *entry = NULL;
    }
    return status;
}

heddle_status hd_derived_get(heddle_context *ctx, const hd_derived_kind *kind, const heddle_graph *graph,
                             const void *key, bool *fresh, hd_derived **entry) {
    hd_derived *old;
    *entry = hd_derived_find(ctx, kind, graph, key);
    if (fresh)
        *fresh = !*entry;
    if (*entry)
        unlink_entry(ctx, *entry);
    else
        HD_TRY(make(ctx, kind, graph, key, entry));
    put_first(ctx, *entry);
    while (hd_derived_bytes(ctx) > ctx->derived_most && (old = oldest(ctx)))
        hd_derived_drop(ctx, old);
    return HEDDLE_OK;
}
