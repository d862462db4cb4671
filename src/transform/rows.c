/* rows.c - the rows of a split graph. Rows are written independently: first their lengths, then, at offsets from a
 * prefix sum of the lengths, the edges. A small family is one task, the nodes of a large one are cut into several. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "transform/splitter.h"

#include <string.h>

enum { STRIP = 1 << 10, NOTES = 128, AHEAD = 16 };

/* A family with the numbers of its nodes. */
typedef struct numbered {
    hd_family family;
    heddle_vertex vertex;
    const uint32_t *firsts;
    uint64_t base; /* vertices: added to the firsts */
} numbered;

static numbered look_up(const hd_splitter *s, uint64_t slot) {
    numbered f = {.vertex = s->high[slot].vertex, .firsts = s->firsts + s->high[slot].at, .base = s->vertices};
    hd_splitter_shape(s, f.vertex, &f.family);
    return f;
}

/* The number of a node; node `nodes` is the original. */
static uint64_t number_of(const numbered *f, uint64_t node) {
    uint32_t level = 0;
    if (node == f->family.nodes)
        return f->vertex;
    while (node >= f->family.ends[level])
        level++;
    return f->base + f->firsts[level] + (node - (level ? f->family.ends[level - 1] : 0));
}

typedef void (*visit)(hd_splitter *s, const numbered *f, uint64_t node);

static void each_node(hd_splitter *s, visit call) {
    uint64_t families = s->split->families;
    HD_PARALLEL(s->ctx) {
        HD_FOR(schedule(dynamic, 16))
        for (uint64_t i = 0; i < families; i++) {
            if (hd_splitter_degree(s, s->high[i].vertex) > STRIP * (uint64_t)STRIP || hd_advance(s->ctx, 0))
                continue;
            numbered f = look_up(s, i);
            for (uint64_t node = 0; node <= f.family.nodes; node++)
                call(s, &f, node);
        }
        for (uint64_t i = 0; i < families; i++) {
            if (hd_splitter_degree(s, s->high[i].vertex) <= STRIP * (uint64_t)STRIP)
                continue;
            numbered f = look_up(s, i);
            HD_FOR(schedule(dynamic, STRIP) nowait)
            for (uint64_t node = 0; node <= f.family.nodes; node++)
                if (!hd_cancelled(s->ctx))
                    call(s, &f, node);
        }
    }
}

/* ---- Lengths ---------------------------------------------------------------------------------------------------- */

static void count_row(hd_splitter *s, const numbered *f, uint64_t node) {
    hd_family_row row = s->kind->row(&f->family, node);
    uint64_t id = number_of(f, node), links = row.node_end - row.node - (row.skip != UINT64_MAX) + row.to_original;
    s->csr.offsets[id] = row.edge_end - row.edge + links;
    if (id >= s->vertices)
        s->split->family[id - s->vertices] = f->vertex;
}

/* ---- Edges ------------------------------------------------------------------------------------------------------ */

/* The new end of an edge of the original graph. In cliq and circ it is a random member of the family; edges with the
 * same end points draw the same one. */
static uint64_t end_of(const hd_splitter *s, uint64_t vertex, uint64_t k) {
    uint32_t target = s->rows.targets[k], slot = s->slot[target];
    if (slot == UINT32_MAX)
        return target;
    uint64_t draw = hd_below(hd_random(s->options->seed, hd_hash2(vertex, target)), (uint64_t)s->draws[slot].nodes + 1);
    return draw ? s->vertices + s->draws[slot].first + draw - 1 : target;
}

/* Prefetches random lookups AHEAD edges before they are needed. */
static void look_ahead(const hd_splitter *s, uint64_t k, uint64_t end) {
    if (k + AHEAD < end)
        __builtin_prefetch(&s->slot[s->rows.targets[k + AHEAD]]);
}

static void weigh(const hd_splitter *s, uint64_t at, uint64_t bits) {
    if (s->size == sizeof(uint32_t))
        ((uint32_t *)s->csr.weights)[at] = (uint32_t)bits;
    else if (s->size)
        ((uint64_t *)s->csr.weights)[at] = bits;
}

static void put(hd_splitter *s, uint64_t at, uint64_t target, uint64_t k) {
    s->csr.targets[at] = (uint32_t)target;
    if (s->from_type && s->size == sizeof(uint32_t))
        ((uint32_t *)s->csr.weights)[at] = ((const uint32_t *)s->rows.weights)[k];
    else
        weigh(s, at, s->from_type && s->size ? ((const uint64_t *)s->rows.weights)[k] : 1);
}

static void put_new(hd_splitter *s, uint64_t at, uint64_t target) {
    s->csr.targets[at] = (uint32_t)target;
    weigh(s, at, s->dumb);
    hd_fetch_or(&s->split->fresh[at / 64], UINT64_C(1) << (at % 64));
}

/* Trees: old edges, unchanged, then new ones, whose ends have larger numbers. */
static void copy_edges(hd_splitter *s, const numbered *f, uint64_t start, const hd_family_row *row, uint64_t at) {
    uint64_t from = start + row->edge, count = row->edge_end - row->edge;
    if (count)
        memcpy(s->csr.targets + at, s->rows.targets + from, count * sizeof *s->csr.targets);
    for (uint64_t k = 0; s->to_type && !s->from_type && k < count; k++)
        weigh(s, at + k, 1);
    if (count && s->to_type && s->from_type)
        memcpy((char *)s->csr.weights + at * s->size, (const char *)s->rows.weights + from * s->size, count * s->size);
    for (uint64_t node = row->node; node < row->node_end; node++)
        put_new(s, at + count + node - row->node, number_of(f, node));
}

typedef struct moved_edge {
    uint64_t edge, target;
} moved_edge;

/* Rings and cliques: old edges, whose ends ascend among the graph's own vertices and among the new ones, are merged
 * with new edges: first those to the graph's own vertices, then the others. */
static void merge_edges(hd_splitter *s, const numbered *f, heddle_vertex vertex, const hd_family_row *row,
                        uint64_t at) {
    uint64_t start = s->rows.offsets[vertex], target, moved = 0, noted = 0, node = row->node;
    moved_edge notes[NOTES]; /* the first edges whose ends moved; later ones are looked up again */
    bool pending = row->to_original;
    for (uint64_t k = start + row->edge; k < start + row->edge_end; k++) {
        look_ahead(s, k, s->edges);
        if ((target = end_of(s, vertex, k)) >= s->vertices) {
            if (moved++ < NOTES)
                notes[noted++] = (moved_edge){k, target};
            continue;
        }
        if (pending && target > vertex) {
            put_new(s, at++, vertex);
            pending = false;
        }
        put(s, at++, target, k);
    }
    if (pending)
        put_new(s, at++, vertex);
    for (uint64_t i = 0, k = start + row->edge; i < moved; i++, k++) {
        if (i < noted)
            k = notes[i].edge;
        target = i < noted ? notes[i].target : end_of(s, vertex, k);
        while (target < s->vertices)
            target = end_of(s, vertex, ++k);
        for (; node < row->node_end && number_of(f, node) < target; node++)
            if (node != row->skip)
                put_new(s, at++, number_of(f, node));
        put(s, at++, target, k);
    }
    for (; node < row->node_end; node++)
        if (node != row->skip)
            put_new(s, at++, number_of(f, node));
}

static void write_edges(hd_splitter *s, const numbered *f, heddle_vertex vertex, const hd_family_row *row,
                        uint64_t at) {
    if (s->slot)
        merge_edges(s, f, vertex, row, at);
    else
        copy_edges(s, f, s->rows.offsets[vertex], row, at);
}

static void write_row(hd_splitter *s, const numbered *f, uint64_t node) {
    hd_family_row row = s->kind->row(&f->family, node);
    write_edges(s, f, f->vertex, &row, s->csr.offsets[number_of(f, node)]);
}

static void write_unsplit(hd_splitter *s) {
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1024))
    for (uint64_t v = 0; v < s->vertices; v++) {
        uint64_t degree = hd_splitter_degree(s, v);
        hd_family_row row = {.edge_end = degree};
        if (degree <= s->split->K && !hd_advance_each(s->ctx, v, 1024, 0))
            write_edges(s, NULL, (heddle_vertex)v, &row, s->csr.offsets[v]);
    }
}

heddle_status hd_splitter_write(hd_splitter *s) {
    HD_PARALLEL_FOR(s->ctx, schedule(static))
    for (uint64_t v = 0; v < s->vertices; v++)
        s->csr.offsets[v] = hd_splitter_degree(s, v);
    each_node(s, count_row);
    HD_TRY(hd_cancelled_status(s->ctx));
    hd_prefix_sum(s->ctx, s->csr.offsets, s->vertices + s->split->added_vertices);
    write_unsplit(s);
    each_node(s, write_row);
    return hd_cancelled_status(s->ctx);
}
