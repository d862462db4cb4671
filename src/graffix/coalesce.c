/* coalesce.c - Graffix, section 2: vertices are renumbered (forest.h), and well-connected ones are copied into holes.
 *
 * A chunk of level l takes its copies into a hole of level l - 1, of the chunk with the parent of its first vertex, or
 * of the level's last chunk. A vertex is a candidate for a chunk if its edges to it are at least the threshold's share
 * of the chunk's vertices. Where a chunk has fewer holes than candidates, the best connected get them; a share counts
 * before a number of edges, so that a lower threshold only adds copies. The copy takes over the edges to the chunk, and
 * gets new ones to neighbours' neighbours in it.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "graffix/extend.h"
#include "graffix/forest.h"
#include "graffix/path_weight.h"
#include "graffix/recipe.h"
#include "graph/row_sort.h"
#include "graph/rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    TOGETHER = 256, /* vertices that a thread takes at once */
    STEPS = 64,     /* neighbours whose neighbours are looked at for a copy */
    EVEN = 4        /* degrees are even if the largest is at most 4 more than 4 times the mean */
};
static const double skewed_threshold = 0.6, even_threshold = 0.4;

/* A vertex that is, or may be, copied for a chunk. */
typedef struct candidate {
    heddle_vertex vertex;
    uint32_t chunk, home; /* whose holes it may fill */
    uint32_t edges, size; /* to the chunk; vertices in it */
    heddle_vertex place;  /* the hole */
    uint32_t added;       /* new edges */
} candidate;

typedef struct part {
    candidate *list;
    uint64_t count, room;
    uint32_t *counts; /* per chunk: edges of the current vertex */
    uint32_t *seen;   /* the chunks that it has edges to */
    bool failed;
} part;

typedef struct coalescer {
    heddle_context *ctx;
    const heddle_graph *graph;
    const hd_graffix_options *options;
    heddle_adjacency out;
    double threshold;
    hd_forest forest;
    uint32_t chunks;
    uint32_t *sizes;  /* per chunk: its vertices */
    uint32_t *homes;  /* per chunk: whose holes its copies fill; UINT32_MAX: it gets none */
    uint64_t *starts; /* per vertex: its first copy in `all` */
    part *parts;      /* per thread */
    candidate *all;   /* the chosen ones, by vertex */
    uint64_t count, room;
    heddle_weight_type type, to_type;
    uint64_t *offsets, edges;
    heddle_vertex *targets;
    void *weights;
    hd_graffix_result *result;
} coalescer;

static uint64_t degree(const coalescer *c, uint64_t v) { return c->out.offsets[v + 1] - c->out.offsets[v]; }
static uint32_t chunk_of(const coalescer *c, heddle_vertex v) { return c->forest.place[v] / c->options->chunk; }

/* ---- Chunks ------------------------------------------------------------------------------------------------------ */

static double threshold_by_degrees(const coalescer *c) {
    uint64_t n = c->graph->vertices, most = 0;
    HD_PARALLEL_FOR(c->ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        most = degree(c, v) > most ? degree(c, v) : most;
    double mean = n ? (double)c->graph->edges / (double)n : 0;
    return (double)most > EVEN * mean + EVEN ? skewed_threshold : even_threshold;
}

static bool has_holes(const coalescer *c, uint64_t chunk) { return c->sizes[chunk] < c->options->chunk; }

static heddle_status find_homes(coalescer *c) {
    const hd_forest *f = &c->forest;
    uint64_t k = c->options->chunk, each = k - c->options->spare;
    c->chunks = (uint32_t)(f->places / k);
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->sizes, c->chunks, "chunks"));
    HD_TRY(HD_NEW(c->ctx, &c->homes, c->chunks, "chunks"));
    for (uint64_t l = 0; l < f->levels; l++) {
        uint64_t first = f->first_place[l] / k, end = f->first_place[l + 1] / k;
        HD_PARALLEL_FOR(c->ctx, schedule(static) if (end - first >= HD_WORTH_THREADS))
        for (uint64_t chunk = first; chunk < end; chunk++) {
            uint64_t at = f->starts[l] + (chunk - first) * each, left = f->starts[l + 1] - at;
            c->sizes[chunk] = (uint32_t)(left < each ? left : each);
            uint64_t near = l ? f->parent[at] / k : 0, last = l ? f->first_place[l] / k - 1 : 0;
            c->homes[chunk] = !l                   ? UINT32_MAX
                              : has_holes(c, near) ? (uint32_t)near
                              : has_holes(c, last) ? (uint32_t)last
                                                   : UINT32_MAX;
        }
    }
    return HEDDLE_OK;
}

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

static void note(coalescer *c, part *p, candidate found) {
    if (p->count == p->room) {
        uint64_t room = p->room * 2 + 256;
        candidate *list = p->list ? hd_resize(&c->ctx->allocator, p->list, p->room * sizeof *list, room * sizeof *list)
                                  : hd_alloc(&c->ctx->allocator, room * sizeof *list);
        p->failed |= !list;
        if (!list)
            return;
        p->list = list;
        p->room = room;
    }
    p->list[p->count++] = found;
}

static void look_at(coalescer *c, part *p, heddle_vertex v) {
    uint64_t seen = 0;
    for (uint64_t e = c->out.offsets[v]; e < c->out.offsets[v + 1]; e++) {
        uint32_t chunk = chunk_of(c, c->out.targets[e]);
        if (c->homes[chunk] != UINT32_MAX && p->counts[chunk]++ == 0)
            p->seen[seen++] = chunk;
    }
    for (uint64_t i = 0; i < seen; i++) {
        uint32_t chunk = p->seen[i], edges = p->counts[chunk], size = c->sizes[chunk];
        p->counts[chunk] = 0;
        if ((double)edges >= c->threshold * (double)size)
            note(c, p, (candidate){v, chunk, c->homes[chunk], edges, size, 0, 0});
    }
}

/* By home, then the best connected first; shares are compared exactly. */
static int better(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    uint64_t left = (uint64_t)x->edges * y->size, right = (uint64_t)y->edges * x->size;
    if (x->home != y->home)
        return x->home < y->home ? -1 : 1;
    if (left != right)
        return left > right ? -1 : 1;
    if (x->edges != y->edges)
        return x->edges > y->edges ? -1 : 1;
    if (x->vertex != y->vertex)
        return x->vertex < y->vertex ? -1 : 1;
    return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

static int by_vertex(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    return x->vertex != y->vertex ? (x->vertex < y->vertex ? -1 : 1) : (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

static heddle_status find_candidates(coalescer *c) {
    uint64_t n = c->graph->vertices, threads = (uint64_t)c->ctx->threads, at = 0;
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->parts, threads, "candidates"));
    for (uint64_t t = 0; t < threads; t++) {
        HD_TRY(HD_NEW_ZERO(c->ctx, &c->parts[t].counts, c->chunks, "candidates"));
        HD_TRY(HD_NEW(c->ctx, &c->parts[t].seen, c->chunks, "candidates"));
    }
    HD_PARALLEL_FOR(c->ctx, schedule(dynamic, TOGETHER) if (n >= TOGETHER))
    for (uint64_t v = 0; v < n; v++)
        if (!hd_advance_each(c->ctx, v, TOGETHER, 0))
            look_at(c, &c->parts[hd_thread()], (heddle_vertex)v);
    HD_TRY(hd_cancelled_status(c->ctx));
    for (uint64_t t = 0; t < threads; t++) {
        if (c->parts[t].failed)
            return hd_fail_memory(c->ctx, c->parts[t].room * 2 * sizeof(candidate), "candidates");
        c->room += c->parts[t].count;
    }
    HD_TRY(HD_NEW(c->ctx, &c->all, c->room, "candidates"));
    for (uint64_t t = 0; t < threads; at += c->parts[t++].count)
        if (c->parts[t].count)
            memcpy(c->all + at, c->parts[t].list, c->parts[t].count * sizeof *c->all);
    return HEDDLE_OK;
}

/* Where the copies of each vertex are. */
static heddle_status index_copies(coalescer *c) {
    uint64_t n = c->graph->vertices;
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->starts, n + 1, "copies"));
    for (uint64_t i = 0; i < c->count; i++)
        c->starts[c->all[i].vertex]++;
    hd_prefix_sum(c->ctx, c->starts, n);
    c->starts[n] = c->count;
    return HEDDLE_OK;
}

/* The best of each home get its holes. */
static heddle_status choose(coalescer *c) {
    uint32_t k = c->options->chunk, home = UINT32_MAX, used = 0;
    HD_TRY(hd_graffix_sort(c->ctx, c->all, c->room, sizeof *c->all, better));
    for (uint64_t i = 0; i < c->room; i++) {
        candidate best = c->all[i];
        used = best.home == home ? used : c->sizes[best.home];
        home = best.home;
        if (used == k)
            continue;
        best.place = home * k + used++;
        c->all[c->count++] = best;
    }
    HD_TRY(hd_graffix_sort(c->ctx, c->all, c->count, sizeof *c->all, by_vertex));
    return index_copies(c);
}

/* The one of a vertex's copies [i, end), which are sorted by chunk, that has its edges to this chunk; `end`: none. */
static uint64_t copy_of(const coalescer *c, uint64_t i, uint64_t end, uint32_t chunk) {
    for (uint64_t last = end; i < last;) {
        uint64_t middle = i + (last - i) / 2;
        if (c->all[middle].chunk < chunk)
            i = middle + 1;
        else
            last = middle;
    }
    return i < end && c->all[i].chunk == chunk ? i : end;
}

/* ---- What is kept ------------------------------------------------------------------------------------------------ */

/* Of a copy. The rest of a candidate follows from the places. */
typedef struct kept_copy {
    heddle_vertex vertex;
    uint32_t chunk;
    heddle_vertex place;
} kept_copy;

static heddle_status write_down(const coalescer *c) {
    const uint64_t sizes[] = {c->forest.places, c->forest.levels};
    hd_recipe *recipe = c->options->recipe;
    kept_copy *kept;
    HD_TRY(HD_NEW(c->ctx, &kept, c->count, "copies"));
    for (uint64_t i = 0; i < c->count; i++)
        kept[i] = (kept_copy){c->all[i].vertex, c->all[i].chunk, c->all[i].place};
    heddle_status status = hd_recipe_put(c->ctx, recipe, sizes, sizeof sizes);
    if (status == HEDDLE_OK)
        status = hd_recipe_put(c->ctx, recipe, c->forest.place, c->graph->vertices * sizeof *c->forest.place);
    if (status == HEDDLE_OK)
        status = hd_recipe_put(c->ctx, recipe, kept, c->count * sizeof *kept);
    HD_DELETE(&c->ctx->allocator, kept, c->count);
    return status;
}

/* Marks the places in `full`, and counts the vertices of chunks. False: one is outside, or holds two vertices. */
static bool fill_places(coalescer *c, const heddle_vertex *place, uint64_t *full) {
    for (uint64_t v = 0; v < c->graph->vertices; v++) {
        uint64_t p = place[v];
        if (p >= c->forest.places || full[p / 64] >> (p % 64) & 1)
            return false;
        full[p / 64] |= UINT64_C(1) << (p % 64);
        c->sizes[p / c->options->chunk]++;
    }
    for (uint64_t v = 0; v < c->graph->vertices; v++) /* holes are at the ends of chunks */
        if (place[v] % c->options->chunk >= c->sizes[place[v] / c->options->chunk])
            return false;
    return true;
}

/* A candidate of what is kept; the edges to its chunk are counted. False: it does not fit. */
static bool take_copy(const coalescer *c, const kept_copy *before, const kept_copy *k, uint64_t *full, candidate *to) {
    if (k->vertex >= c->graph->vertices || k->chunk >= c->chunks || k->place >= c->forest.places ||
        full[k->place / 64] >> (k->place % 64) & 1)
        return false;
    if (before && (before->vertex > k->vertex || (before->vertex == k->vertex && before->chunk >= k->chunk)))
        return false;
    full[k->place / 64] |= UINT64_C(1) << (k->place % 64);
    *to = (candidate){.vertex = k->vertex, .chunk = k->chunk, .size = c->sizes[k->chunk], .place = k->place};
    return true;
}

/* All copies of a vertex: which edges lead to their chunks. */
static void count_chunk_edges(coalescer *c, uint64_t first, uint64_t end) {
    heddle_vertex v = c->all[first].vertex;
    for (uint64_t e = c->out.offsets[v]; e < c->out.offsets[v + 1]; e++) {
        uint32_t chunk = chunk_of(c, c->out.targets[e]);
        uint64_t low = copy_of(c, first, end, chunk);
        if (low < end)
            c->all[low].edges++;
    }
}

static heddle_status take_copies(coalescer *c, const kept_copy *kept, uint64_t count, uint64_t *full) {
    HD_TRY(HD_NEW(c->ctx, &c->all, count, "copies"));
    c->room = c->count = count;
    for (uint64_t i = 0; i < count; i++)
        if (!take_copy(c, i ? &kept[i - 1] : NULL, &kept[i], full, &c->all[i]))
            return hd_recipe_wrong(c->ctx);
    for (uint64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && kept[end].vertex == kept[i].vertex;)
            end++;
        count_chunk_edges(c, i, end);
    }
    for (uint64_t i = 0; i < count; i++)
        if (!c->all[i].edges)
            return hd_recipe_wrong(c->ctx);
    return index_copies(c);
}

static heddle_status follow(coalescer *c) {
    hd_recipe *recipe = c->options->recipe;
    uint64_t n = c->graph->vertices, size_count, place_count, count, words, *full;
    const uint64_t *sizes;
    const heddle_vertex *place;
    const kept_copy *kept;
    HD_TRY(hd_recipe_take(c->ctx, recipe, sizeof *sizes, (const void **)&sizes, &size_count));
    HD_TRY(hd_recipe_take(c->ctx, recipe, sizeof *place, (const void **)&place, &place_count));
    HD_TRY(hd_recipe_take(c->ctx, recipe, sizeof *kept, (const void **)&kept, &count));
    /* As many places as forests can have: a chunk has a vertex at least. */
    if (size_count != 2 || place_count != n || sizes[0] < n || sizes[0] % c->options->chunk || sizes[1] > n ||
        sizes[0] > n * c->options->chunk || sizes[0] > UINT32_MAX - 1 || count > sizes[0] - n)
        return hd_recipe_wrong(c->ctx);
    c->forest.places = sizes[0];
    c->forest.levels = sizes[1];
    c->forest.vertices = n;
    c->chunks = (uint32_t)(sizes[0] / c->options->chunk);
    words = sizes[0] / 64 + 1;
    HD_TRY(HD_NEW(c->ctx, &c->forest.place, n, "places"));
    memcpy(c->forest.place, place, n * sizeof *place);
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->sizes, c->chunks, "chunks"));
    HD_TRY(HD_NEW_ZERO(c->ctx, &full, words, "places"));
    heddle_status status =
        fill_places(c, c->forest.place, full) ? take_copies(c, kept, count, full) : hd_recipe_wrong(c->ctx);
    HD_DELETE(&c->ctx->allocator, full, words);
    return status;
}

/* ---- New edges --------------------------------------------------------------------------------------------------- */

static uint64_t arc(const coalescer *c, heddle_vertex x, heddle_vertex w) {
    return hd_row_arc(c->out.offsets, c->out.targets, x, w);
}

/* Finds the new edges of a copy, and stores them from `at` on if `store`. Returns how many there are. */
static uint32_t find_edges(coalescer *c, const candidate *copy, uint64_t at, bool store) {
    const heddle_vertex *vertex = c->result->copies.vertex;
    uint64_t first = (uint64_t)copy->chunk * c->options->chunk, begin = c->out.offsets[copy->vertex];
    uint64_t end = c->out.offsets[copy->vertex + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < copy->size; i++) {
        heddle_vertex q = vertex[first + i];
        if (q == copy->vertex || arc(c, copy->vertex, q) != UINT64_MAX)
            continue;
        for (uint64_t e = begin; e < end && e < begin + STEPS; e++) {
            uint64_t second = arc(c, c->out.targets[e], q);
            if (second == UINT64_MAX ||
                !hd_path_weight(c->type, c->out.weights, e, second, store ? c->weights : NULL, at + count))
                continue;
            if (store)
                c->targets[at + count] = (heddle_vertex)(first + i);
            count++;
            break;
        }
    }
    return count;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static heddle_status describe(coalescer *c) {
    const hd_forest *f = &c->forest;
    hd_copies *to = &c->result->copies;
    uint64_t n = c->graph->vertices;
    *to = (hd_copies){.vertices = n, .places = f->places, .count = c->count, .levels = f->levels};
    to->holes = f->places - n - c->count;
    to->place = c->forest.place;
    c->forest.place = NULL;
    HD_TRY(HD_NEW(c->ctx, &to->vertex, to->places, "places"));
    HD_TRY(HD_NEW(c->ctx, &to->degrees, to->places, "out-degrees"));
    HD_TRY(HD_NEW(c->ctx, &to->list, to->count, "copies"));
    HD_PARALLEL_FOR(c->ctx, schedule(static) if (to->places >= HD_WORTH_THREADS))
    for (uint64_t p = 0; p < to->places; p++) {
        to->vertex[p] = UINT32_MAX;
        to->degrees[p] = 1;
    }
    HD_PARALLEL_FOR(c->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        to->vertex[to->place[v]] = (heddle_vertex)v;
    return HEDDLE_OK;
}

/* Copies become vertices' only after new edges were found: these lead to vertices. */
static void place_copies(coalescer *c) {
    hd_copies *to = &c->result->copies;
    for (uint64_t i = 0; i < c->count; i++) {
        heddle_vertex v = c->all[i].vertex;
        to->list[i] = (hd_copy){c->all[i].place, to->place[v], (heddle_vertex)(c->starts[v + 1] - c->starts[v] + 1)};
        to->vertex[c->all[i].place] = v;
    }
}

/* Sizes of rows, and the degrees that programs read. */
static heddle_status count_rows(coalescer *c) {
    hd_copies *to = &c->result->copies;
    uint64_t n = c->graph->vertices, links = c->options->links ? 1 : 0, added = 0;
    HD_TRY(HD_NEW_ZERO(c->ctx, &c->offsets, to->places + 1, "row offsets"));
    HD_PARALLEL_FOR(c->ctx, schedule(dynamic, 16) reduction(+ : added))
    for (uint64_t i = 0; i < c->count; i++) {
        c->all[i].added = find_edges(c, &c->all[i], 0, false);
        c->offsets[c->all[i].place] = c->all[i].edges + c->all[i].added + links;
        added += c->all[i].added;
    }
    HD_PARALLEL_FOR(c->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        uint64_t own = degree(c, v), together = own;
        for (uint64_t i = c->starts[v]; i < c->starts[v + 1]; i++) {
            own = own - c->all[i].edges + links;
            together += c->all[i].added;
        }
        c->offsets[to->place[v]] = own;
        to->degrees[to->place[v]] = (uint32_t)together;
        for (uint64_t i = c->starts[v]; i < c->starts[v + 1]; i++)
            to->degrees[c->all[i].place] = (uint32_t)together;
    }
    c->result->added_edges = added;
    c->edges = hd_prefix_sum(c->ctx, c->offsets, to->places);
    c->offsets[to->places] = c->edges;
    HD_TRY(HD_NEW(c->ctx, &c->targets, c->edges, "edges"));
    return c->to_type ? hd_new(c->ctx, &c->weights, c->edges, hd_weight_size(c->to_type), true, "weights") : HEDDLE_OK;
}

static void copy_weight(coalescer *c, uint64_t from, uint64_t to) {
    size_t size = hd_weight_size(c->type);
    if (c->type)
        memcpy((char *)c->weights + to * size, (const char *)c->out.weights + from * size, size);
    else if (c->to_type)
        ((uint32_t *)c->weights)[to] = 1;
}

/* The rows of a vertex and of its copies. Links keep the weight 0 that they have. */
static void write_rows_of(coalescer *c, heddle_vertex v) {
    const hd_copies *to = &c->result->copies;
    uint64_t first = c->starts[v], end = c->starts[v + 1], own = c->offsets[to->place[v]];
    for (uint64_t e = c->out.offsets[v]; e < c->out.offsets[v + 1]; e++) {
        heddle_vertex place = to->place[c->out.targets[e]];
        uint32_t chunk = place / c->options->chunk;
        uint64_t i = copy_of(c, first, end, chunk);
        bool moved = i < end;
        uint64_t at = moved ? c->offsets[c->all[i].place] + --c->all[i].edges : own++;
        c->targets[at] = place;
        copy_weight(c, e, at);
    }
    for (uint64_t i = first; i < end; i++) {
        uint64_t row_end = c->offsets[c->all[i].place + 1];
        find_edges(c, &c->all[i], row_end - c->all[i].added - (c->options->links ? 1 : 0), true);
        if (!c->options->links)
            continue;
        c->targets[row_end - 1] = to->place[v];
        c->targets[own++] = c->all[i].place;
    }
}

static bool sort_rows(coalescer *c) {
    uint64_t places = c->result->copies.places;
    size_t size = hd_weight_size(c->to_type);
    int bits = hd_row_sort_bits(places);
    bool failed = false;
    HD_PARALLEL(c->ctx) {
        hd_row_sorter sorter = {.room = 0};
        HD_FOR(schedule(dynamic, TOGETHER))
        for (uint64_t p = 0; p < places; p++) {
            uint64_t at = c->offsets[p], count = c->offsets[p + 1] - at;
            char *weights = size ? (char *)c->weights + at * size : NULL;
            if (count > 1 && !hd_load(&failed) &&
                !hd_row_sort(&c->ctx->allocator, &sorter, c->targets + at, weights, size, count, bits))
                hd_store(&failed, true);
        }
        hd_row_sorter_free(&c->ctx->allocator, &sorter);
    }
    return !failed;
}

/* The rows become those of a graph. */
static heddle_status hand_over(coalescer *c) {
    heddle_graph *graph;
    HD_TRY(hd_graph_new(c->ctx, &graph));
    graph->vertices = c->result->copies.places;
    graph->edges = c->edges;
    graph->directed = true;
    graph->weight_type = c->to_type;
    graph->out = (hd_csr){.offsets = c->offsets, .targets = c->targets, .weights = c->weights, .owned = true};
    c->offsets = NULL;
    c->targets = NULL;
    c->weights = NULL;
    c->result->graph = graph;
    return HEDDLE_OK;
}

static heddle_status build(coalescer *c) {
    uint64_t n = c->graph->vertices;
    HD_TRY(describe(c));
    HD_TRY(count_rows(c));
    HD_PARALLEL_FOR(c->ctx, schedule(dynamic, TOGETHER))
    for (uint64_t v = 0; v < n; v++)
        if (!hd_advance_each(c->ctx, v, TOGETHER, 0))
            write_rows_of(c, (heddle_vertex)v);
    HD_TRY(hd_cancelled_status(c->ctx));
    place_copies(c);
    if (!sort_rows(c))
        return hd_fail_memory(c->ctx, c->edges * sizeof(uint64_t), "a row of edges");
    return hand_over(c);
}

static void close_coalescer(coalescer *c) {
    const heddle_allocator *allocator = &c->ctx->allocator;
    uint64_t n = c->graph->vertices, threads = (uint64_t)c->ctx->threads;
    for (uint64_t t = 0; c->parts && t < threads; t++) {
        HD_DELETE(allocator, c->parts[t].counts, c->chunks);
        HD_DELETE(allocator, c->parts[t].seen, c->chunks);
        HD_DELETE(allocator, c->parts[t].list, c->parts[t].room);
    }
    HD_DELETE(allocator, c->parts, threads);
    HD_DELETE(allocator, c->sizes, c->chunks);
    HD_DELETE(allocator, c->homes, c->chunks);
    HD_DELETE(allocator, c->starts, n + 1);
    HD_DELETE(allocator, c->all, c->room);
    HD_DELETE(allocator, c->offsets, c->result->copies.places + 1);
    HD_DELETE(allocator, c->targets, c->edges);
    if (c->weights)
        hd_free(allocator, c->weights, c->edges * hd_weight_size(c->to_type));
    hd_forest_free(c->ctx, &c->forest);
}

static heddle_status decide(coalescer *c) {
    const hd_graffix_options *options = c->options;
    c->threshold = options->threshold < 0 ? threshold_by_degrees(c) : options->threshold;
    HD_TRY(hd_forest_grow(c->ctx, &c->out, c->graph->vertices, !c->graph->directed, options->chunk, options->spare,
                          &c->forest));
    HD_TRY(find_homes(c));
    HD_TRY(find_candidates(c));
    HD_TRY(choose(c));
    return hd_recipe_writes(options->recipe) ? write_down(c) : HEDDLE_OK;
}

static heddle_status make(heddle_context *ctx, const heddle_graph *graph, const hd_graffix_options *options,
                          hd_graffix_result *result) {
    coalescer c = {.ctx = ctx, .graph = graph, .options = options, .type = graph->weight_type, .result = result};
    heddle_status status;
    if (graph->vertices == 0)
        return HEDDLE_OK;
    c.to_type = c.type == HEDDLE_WEIGHT_NONE && options->weigh_unit ? HEDDLE_WEIGHT_U32 : c.type;
    HD_TRY(heddle_graph_out(ctx, graph, &c.out));
    HD_CHECK(hd_recipe_reads(options->recipe) ? follow(&c) : decide(&c));
    HD_CHECK(build(&c));
out:
    close_coalescer(&c);
    return status;
}

const hd_graffix hd_graffix_coalesce = {
    .name = "coalesce",
    .description = "vertices are renumbered by a breadth-first forest, and well-connected ones copied into its holes",
    .in_reports = "graffix-coalesce",
    .order = &hd_order_none,
    .threshold = -1,
    .copies = true,
    .make = make,
};
