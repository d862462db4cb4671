/* extend.c - see extend.h. New edges are put down by row, each row is sorted, and merged with the row that is there:
 * rows ascend, so that nothing else has to be sorted again. */
#include "graffix/extend.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graffix/path_weight.h"

#include <stdlib.h>
#include <string.h>

enum { TOGETHER = 256 /* rows that a thread takes at once */ };

/* A new arc of a row. */
typedef struct entry {
    heddle_vertex to;
    double weight;
    uint64_t edge; /* its index */
} entry;

typedef struct extension {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    heddle_weight_type type, to_type; /* of the graph, and of what is made of it */
    const hd_new_edge *edges;
    uint64_t count, room; /* room: of entries */
    uint64_t *ends;       /* per row: where its entries end, those of the next begin */
    entry *entries;
    heddle_graph *made;
} extension;

/* ---- New arcs by row --------------------------------------------------------------------------------------------- */

static double weight_of(const extension *x, const hd_new_edge *e) {
    return hd_weight_at(x->out.weights, x->type, e->first) + hd_weight_at(x->out.weights, x->type, e->second);
}

static void put_down(extension *x, heddle_vertex from, heddle_vertex to, uint64_t edge) {
    x->entries[hd_fetch_add(&x->ends[from], 1)] = (entry){to, weight_of(x, &x->edges[edge]), edge};
}

/* Cursors advance to the ends of their rows. */
static heddle_status sort_by_row(extension *x) {
    uint64_t n = x->graph->vertices;
    bool both = !x->graph->directed;
    HD_TRY(HD_NEW_ZERO(x->ctx, &x->ends, n + 1, "new edges"));
    HD_PARALLEL_FOR(x->ctx, schedule(static) if (x->count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < x->count; i++) {
        hd_fetch_add(&x->ends[x->edges[i].from], 1);
        if (both)
            hd_fetch_add(&x->ends[x->edges[i].to], 1);
    }
    x->room = hd_prefix_sum(x->ctx, x->ends, n);
    HD_TRY(HD_NEW(x->ctx, &x->entries, x->room, "new edges"));
    HD_PARALLEL_FOR(x->ctx, schedule(static) if (x->count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < x->count; i++) {
        put_down(x, x->edges[i].from, x->edges[i].to, i);
        if (both)
            put_down(x, x->edges[i].to, x->edges[i].from, i);
    }
    return HEDDLE_OK;
}

static int lighter(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->weight < y->weight || x->weight > y->weight)
        return x->weight < y->weight ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static entry *first_entry(const extension *x, uint64_t v) { return x->entries + (v ? x->ends[v - 1] : 0); }

/* Sorts the entries of a row, and drops all but the first to each vertex. Returns how many are left. */
static uint64_t sort_row(const extension *x, uint64_t v) {
    entry *row = first_entry(x, v);
    uint64_t count = (uint64_t)(x->entries + x->ends[v] - row), kept = count ? 1 : 0;
    if (count > 1)
        qsort(row, count, sizeof *row, lighter);
    for (uint64_t i = 1; i < count; i++)
        if (row[i].to != row[kept - 1].to)
            row[kept++] = row[i];
    return kept;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static heddle_status open_rows(extension *x) {
    uint64_t n = x->graph->vertices;
    heddle_graph *g = x->made;
    g->vertices = n;
    g->directed = x->graph->directed;
    g->weight_type = x->to_type;
    g->out.owned = true;
    HD_TRY(HD_NEW(x->ctx, &g->out.offsets, n + 1, "row offsets"));
    HD_PARALLEL_FOR(x->ctx, schedule(dynamic, TOGETHER) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        if (!hd_advance_each(x->ctx, v, TOGETHER, 0))
            g->out.offsets[v] = x->out.offsets[v + 1] - x->out.offsets[v] + sort_row(x, v);
    HD_TRY(hd_cancelled_status(x->ctx));
    g->edges = hd_prefix_sum(x->ctx, g->out.offsets, n);
    g->out.offsets[n] = g->edges;
    HD_TRY(HD_NEW(x->ctx, &g->out.targets, g->edges, "edges"));
    return x->to_type ? hd_new(x->ctx, &g->out.weights, g->edges, hd_weight_size(x->to_type), false, "weights")
                      : HEDDLE_OK;
}

/* Arcs from .. from + count of the graph. */
static void copy_arcs(const extension *x, uint64_t from, uint64_t count, uint64_t at) {
    hd_csr *rows = &x->made->out;
    size_t size = hd_weight_size(x->type);
    memcpy(rows->targets + at, x->out.targets + from, count * sizeof *rows->targets);
    if (x->type)
        memcpy((char *)rows->weights + at * size, (const char *)x->out.weights + from * size, count * size);
    for (uint64_t k = 0; !x->type && x->to_type && k < count; k++)
        ((uint32_t *)rows->weights)[at + k] = 1;
}

static void merge_row(const extension *x, uint64_t v) {
    hd_csr *rows = &x->made->out;
    const entry *next = first_entry(x, v);
    uint64_t from = x->out.offsets[v], end = x->out.offsets[v + 1], at = rows->offsets[v];
    uint64_t added = rows->offsets[v + 1] - at - (end - from);
    for (uint64_t i = 0; i < added; i++) {
        const hd_new_edge *e = &x->edges[next[i].edge];
        uint64_t until = from;
        while (until < end && x->out.targets[until] < next[i].to)
            until++;
        copy_arcs(x, from, until - from, at);
        at += until - from;
        from = until;
        rows->targets[at] = next[i].to;
        hd_path_weight(x->type, x->out.weights, e->first, e->second, rows->weights, at++);
    }
    copy_arcs(x, from, end - from, at);
}

static heddle_status extend(extension *x) {
    uint64_t n = x->graph->vertices;
    HD_TRY(sort_by_row(x));
    HD_TRY(hd_graph_new(x->ctx, &x->made));
    HD_TRY(open_rows(x));
    HD_PARALLEL_FOR(x->ctx, schedule(dynamic, TOGETHER) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        if (!hd_advance_each(x->ctx, v, TOGETHER, 0))
            merge_row(x, v);
    return hd_cancelled_status(x->ctx);
}

heddle_status hd_graffix_extend(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                                const hd_new_edge *edges, uint64_t count, heddle_graph **result) {
    extension x = {.ctx = ctx, .graph = graph, .type = graph->weight_type, .edges = edges, .count = count};
    x.to_type = x.type == HEDDLE_WEIGHT_NONE && options->weigh_unit ? HEDDLE_WEIGHT_U32 : x.type;
    HD_TRY(heddle_graph_out(ctx, graph, &x.out));
    heddle_status status = extend(&x);
    HD_DELETE(&ctx->allocator, x.ends, graph->vertices + 1);
    HD_DELETE(&ctx->allocator, x.entries, x.room);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(&x.made);
    *result = x.made;
    return status;
}

/* ---- Sorting ----------------------------------------------------------------------------------------------------- */

typedef struct records {
    char *from, *to;
    uint64_t count, chunks;
    size_t size;
    int (*compare)(const void *, const void *);
} records;

/* Merges sorted chunks k .. k + width and k + width .. k + 2 width. */
static void merge_chunks(const records *r, uint64_t k, uint64_t width) {
    uint64_t last = k + 2 * width < r->chunks ? k + 2 * width : r->chunks;
    uint64_t a = hd_split(r->count, r->chunks, k), end = hd_split(r->count, r->chunks, last);
    uint64_t middle = k + width < last ? hd_split(r->count, r->chunks, k + width) : end, b = middle, at = a;
    while (a < middle && b < end) {
        uint64_t *next = r->compare(r->from + a * r->size, r->from + b * r->size) <= 0 ? &a : &b;
        memcpy(r->to + at++ * r->size, r->from + (*next)++ * r->size, r->size);
    }
    memcpy(r->to + at * r->size, r->from + a * r->size, (middle - a) * r->size);
    memcpy(r->to + (at + middle - a) * r->size, r->from + b * r->size, (end - b) * r->size);
}

heddle_status hd_graffix_sort(heddle_context *ctx, void *all, uint64_t count, size_t size,
                              int (*compare)(const void *, const void *)) {
    records r = {.from = all, .count = count, .chunks = (uint64_t)ctx->threads, .size = size, .compare = compare};
    char *spare;
    if (count < HD_WORTH_THREADS || ctx->threads == 1) {
        if (count > 1)
            qsort(all, count, size, compare);
        return HEDDLE_OK;
    }
    HD_TRY(hd_new(ctx, (void **)&spare, count, size, false, "sorting"));
    r.to = spare;
    HD_PARALLEL_FOR(ctx, schedule(static, 1))
    for (uint64_t k = 0; k < r.chunks; k++) {
        uint64_t first = hd_split(count, r.chunks, k), end = hd_split(count, r.chunks, k + 1);
        qsort(r.from + first * size, end - first, size, compare);
    }
    for (uint64_t width = 1; width < r.chunks; width *= 2) {
        HD_PARALLEL_FOR(ctx, schedule(static, 1))
        for (uint64_t k = 0; k < r.chunks; k += 2 * width)
            merge_chunks(&r, k, width);
        char *swap = r.from;
        r.from = r.to;
        r.to = swap;
    }
    if (r.from != (char *)all)
        memcpy(all, r.from, count * size);
    hd_free(&ctx->allocator, spare, count * size);
    return HEDDLE_OK;
}
