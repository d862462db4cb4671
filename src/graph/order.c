/* order.c - see order.h: two ways to a sequence of the vertices, and one from there to the renamed graph, whose rows
 * are those of the graph, each with its targets renamed and sorted again. */
#include "graph/order.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

#include <string.h>

enum {
    SMALL_LEVEL = 1 << 15, /* edges of a level that one thread does alone */
    AHEAD = 8,             /* vertices and edges, for fetching */
    PART = 1 << 17,        /* vertices and edges that a thread takes at once */
    FEW = 48,              /* edges of a row that are sorted by insertion */
    DIGIT = 8,             /* bits that longer ones are sorted by in a pass */
    SMALL_ROOM = 1 << 12
};
static const uint32_t unseen = UINT32_MAX;

typedef struct renaming {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    heddle_vertex *places;   /* where each vertex goes */
    heddle_vertex *sequence; /* the vertices in their new order */
    uint64_t *starts;        /* of the renamed rows; before that, degrees */
} renaming;

const char *hd_order_name(hd_order order) {
    return order == HD_ORDER_DEGREE ? "degree" : order == HD_ORDER_BFS ? "bfs" : "none";
}

hd_order hd_order_named(const char *name, size_t length) {
    for (hd_order order = HD_ORDER_NONE; order <= HD_ORDER_BFS; order++)
        if (strlen(hd_order_name(order)) == length && memcmp(hd_order_name(order), name, length) == 0)
            return order;
    return HD_ORDER_OPEN;
}

int heddle_graph_has_order(const heddle_graph *graph, const char *order) {
    return order && hd_order_kept(graph, hd_order_named(order, strlen(order))) != NULL;
}

/* Asks for what rows further on in a sequence will want, as they lie all over memory: where they begin, then the rows,
 * then a word for each of their targets. */
static void fetch_ahead(const heddle_adjacency *out, const heddle_vertex *sequence, const uint32_t *words, uint64_t i,
                        uint64_t end) {
    if (i + 3 * AHEAD < end)
        __builtin_prefetch(&out->offsets[sequence[i + 3 * AHEAD]]);
    if (i + 2 * AHEAD < end) {
        uint64_t row = out->offsets[sequence[i + 2 * AHEAD]];
        __builtin_prefetch(&out->targets[row]);
        if (out->weights)
            __builtin_prefetch((const uint32_t *)out->weights + row);
    }
    if (i + AHEAD >= end)
        return;
    uint64_t first = out->offsets[sequence[i + AHEAD]], last = out->offsets[sequence[i + AHEAD] + 1];
    for (uint64_t e = first; e < last && e < first + AHEAD; e++)
        __builtin_prefetch(&words[out->targets[e]]);
}

/* ---- By degree -------------------------------------------------------------------------------------------------- */

/* In `starts`. Past 4 per vertex, which only parallel arcs reach, degrees count as equal: the sort needs a counter for
 * each. Returns the largest. */
static uint64_t count_degrees(renaming *r) {
    uint64_t n = r->graph->vertices, most = 0, *degrees = r->starts;
    const uint64_t *offsets = r->out.offsets;
    HD_PARALLEL_FOR(r->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        degrees[v] = offsets[v + 1] - offsets[v];
    if (r->graph->directed) {
        HD_PARALLEL_FOR(r->ctx, schedule(static) if (r->graph->edges >= HD_WORTH_THREADS))
        for (uint64_t e = 0; e < r->graph->edges; e++)
            hd_fetch_add(&degrees[r->out.targets[e]], 1);
    }
    HD_PARALLEL_FOR(r->ctx, schedule(static) reduction(max : most) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        degrees[v] = degrees[v] < 4 * n ? degrees[v] : 4 * n;
        most = degrees[v] > most ? degrees[v] : most;
    }
    return most;
}

/* A counting sort; ranges of vertices count apart, as many as have no more counters than there are vertices. */
static heddle_status sort_by_degree(renaming *r) {
    uint64_t n = r->graph->vertices, most = count_degrees(r), keys = most + 1, sum = 0, *counts;
    uint64_t ranges = n / keys < (uint64_t)r->ctx->threads ? n / keys + 1 : (uint64_t)r->ctx->threads;
    HD_TRY(HD_NEW_ZERO(r->ctx, &counts, ranges * keys, "vertices by degree"));
    HD_PARALLEL_FOR(r->ctx, schedule(static, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < ranges; k++)
        for (uint64_t v = hd_split(n, ranges, k); v < hd_split(n, ranges, k + 1); v++)
            counts[k * keys + most - r->starts[v]]++;
    for (uint64_t key = 0; key < keys; key++)
        for (uint64_t k = 0; k < ranges; k++) {
            uint64_t count = counts[k * keys + key];
            counts[k * keys + key] = sum;
            sum += count;
        }
    HD_PARALLEL_FOR(r->ctx, schedule(static, 1) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < ranges; k++)
        for (uint64_t v = hd_split(n, ranges, k); v < hd_split(n, ranges, k + 1); v++)
            r->sequence[counts[k * keys + most - r->starts[v]]++] = (heddle_vertex)v;
    HD_DELETE(&r->ctx->allocator, counts, ranges * keys);
    return HEDDLE_OK;
}

/* ---- Breadth first ---------------------------------------------------------------------------------------------- */

/* A search that gives the same sequence whoever finds a vertex first: it belongs to the first vertex of the level that
 * leads to it. `claims` are places of such vertices plus 1, 0 for those that searches begin at. */
typedef struct search {
    renaming *r;
    heddle_vertex *sequence;
    uint32_t *claims;
    uint64_t *counts; /* for each vertex of a large level: how many are its own, then where they go */
} search;

static void small_level(search *s, uint64_t from, uint64_t to, uint64_t *end) {
    const heddle_adjacency *out = &s->r->out;
    for (uint64_t i = from; i < to; i++) {
        fetch_ahead(out, s->sequence, s->claims, i, to);
        for (uint64_t e = out->offsets[s->sequence[i]]; e < out->offsets[s->sequence[i] + 1]; e++)
            if (s->claims[out->targets[e]] == unseen) {
                s->claims[out->targets[e]] = (uint32_t)(i + 1);
                s->sequence[(*end)++] = out->targets[e];
            }
    }
}

/* Hands over the targets that are the i-th vertex' own, each once: parallel arcs are neighbours in a row. */
static uint64_t take_own(const search *s, uint64_t i, heddle_vertex *to) {
    const heddle_adjacency *out = &s->r->out;
    uint64_t count = 0, first = out->offsets[s->sequence[i]];
    for (uint64_t e = first; e < out->offsets[s->sequence[i] + 1]; e++)
        if (s->claims[out->targets[e]] == i + 1 && (e == first || out->targets[e] != out->targets[e - 1])) {
            if (to)
                to[count] = out->targets[e];
            count++;
        }
    return count;
}

/* Claims, counts, and fills in. What was claimed before this level is lower than all claims of it. */
static void large_level(search *s, uint64_t from, uint64_t to, uint64_t *end) {
    const heddle_adjacency *out = &s->r->out;
    uint64_t *counts = s->counts;
    HD_PARALLEL_FOR(s->r->ctx, schedule(dynamic, 64))
    for (uint64_t i = from; i < to; i++)
        for (uint64_t e = out->offsets[s->sequence[i]]; e < out->offsets[s->sequence[i] + 1]; e++)
            hd_lower(&s->claims[out->targets[e]], (uint32_t)(i + 1));
    HD_PARALLEL_FOR(s->r->ctx, schedule(dynamic, 64))
    for (uint64_t i = from; i < to; i++)
        counts[i - from] = take_own(s, i, NULL);
    uint64_t found = hd_prefix_sum(s->r->ctx, counts, to - from);
    HD_PARALLEL_FOR(s->r->ctx, schedule(dynamic, 64))
    for (uint64_t i = from; i < to; i++)
        if (counts[i - from + 1] > counts[i - from])
            take_own(s, i, s->sequence + *end + counts[i - from]);
    *end += found;
}

static bool is_large(const search *s, uint64_t from, uint64_t to) {
    uint64_t edges = 0;
    const uint64_t *offsets = s->r->out.offsets;
    for (uint64_t i = from; i < to && edges < SMALL_LEVEL; i++)
        edges += offsets[s->sequence[i] + 1] - offsets[s->sequence[i]];
    return edges >= SMALL_LEVEL;
}

/* From each vertex of `roots` that no search before it has come to. */
static heddle_status search_all(search *s, const heddle_vertex *roots) {
    uint64_t n = s->r->graph->vertices, from = 0, end = 0, told = 0;
    for (uint64_t k = 0; k < n; k++) {
        if (s->claims[roots[k]] != unseen)
            continue;
        s->claims[roots[k]] = 0;
        s->sequence[end++] = roots[k];
        while (from < end) {
            uint64_t to = end;
            (is_large(s, from, to) ? large_level : small_level)(s, from, to, &end);
            from = to;
            if (end - told >= SMALL_LEVEL) {
                if (hd_advance(s->r->ctx, end - told))
                    return hd_cancelled_status(s->r->ctx);
                told = end;
            }
        }
    }
    return HEDDLE_OK;
}

static heddle_status sort_by_search(renaming *r) {
    uint64_t n = r->graph->vertices;
    search s = {.r = r, .counts = r->starts};
    heddle_status status;
    HD_TRY(sort_by_degree(r));
    HD_CHECK(HD_NEW(r->ctx, &s.sequence, n, "the order of vertices"));
    HD_CHECK(HD_NEW(r->ctx, &s.claims, n, "the order of vertices"));
    memset(s.claims, 0xff, n * sizeof *s.claims);
    hd_phase_begin(r->ctx, "order", n);
    status = search_all(&s, r->sequence);
    hd_phase_end(r->ctx);
    if (status == HEDDLE_OK) {
        heddle_vertex *roots = r->sequence;
        r->sequence = s.sequence;
        s.sequence = roots;
    }
out:
    HD_DELETE(&r->ctx->allocator, s.sequence, n);
    HD_DELETE(&r->ctx->allocator, s.claims, n);
    return status;
}

/* ---- The renamed graph ------------------------------------------------------------------------------------------ */

/* Rows are sorted by a thread each: targets above, places in the row below, so that parallel arcs keep their order. */
typedef struct row_sorter {
    uint64_t *keys, *other;
    uint64_t room;
} row_sorter;

static void sorter_free(const renaming *r, row_sorter *s) {
    HD_DELETE(&r->ctx->allocator, s->keys, s->room);
    HD_DELETE(&r->ctx->allocator, s->other, s->room);
    s->room = 0;
}

static bool sorter_fits(const renaming *r, row_sorter *s, uint64_t length) {
    if (length <= s->room)
        return true;
    sorter_free(r, s);
    s->room = length < SMALL_ROOM ? SMALL_ROOM : length;
    s->keys = hd_alloc(&r->ctx->allocator, s->room * sizeof *s->keys);
    s->other = hd_alloc(&r->ctx->allocator, s->room * sizeof *s->other);
    return s->keys && s->other;
}

static void sort_few(uint64_t *keys, uint64_t count) {
    for (uint64_t i = 1; i < count; i++) {
        uint64_t key = keys[i], k = i;
        for (; k > 0 && keys[k - 1] > key; k--)
            keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

/* By the bits of the target that vertices have, from the lowest on; what is below them is in order already. */
static void sort_many(row_sorter *s, uint64_t count, int bits) {
    for (int shift = 32; shift < 32 + bits; shift += DIGIT) {
        uint64_t starts[1 << DIGIT] = {0}, sum = 0;
        for (uint64_t i = 0; i < count; i++)
            starts[s->keys[i] >> shift & ((1 << DIGIT) - 1)]++;
        for (int d = 0; d < 1 << DIGIT; d++) {
            uint64_t here = starts[d];
            starts[d] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < count; i++)
            s->other[starts[s->keys[i] >> shift & ((1 << DIGIT) - 1)]++] = s->keys[i];
        uint64_t *keys = s->keys;
        s->keys = s->other;
        s->other = keys;
    }
}

/* False: no memory. */
static bool rename_row(const renaming *r, row_sorter *s, uint64_t row, int bits, const hd_csr *to) {
    uint64_t from = r->out.offsets[r->sequence[row]], count = r->starts[row + 1] - r->starts[row];
    uint32_t *targets = to->targets + r->starts[row];
    if (!sorter_fits(r, s, count))
        return false;
    for (uint64_t k = 0; k < count; k++)
        s->keys[k] = (uint64_t)r->places[r->out.targets[from + k]] << 32 | k;
    if (count <= FEW)
        sort_few(s->keys, count);
    else
        sort_many(s, count, bits);
    for (uint64_t k = 0; k < count; k++)
        targets[k] = (uint32_t)(s->keys[k] >> 32);
    if (!to->weights)
        return true;
    const uint32_t *weights = (const uint32_t *)r->out.weights + from;
    uint32_t *moved = (uint32_t *)to->weights + r->starts[row];
    for (uint64_t k = 0; k < count; k++)
        moved[k] = weights[(uint32_t)s->keys[k]];
    return true;
}

static heddle_status rename_rows(const renaming *r, const hd_csr *to) {
    uint64_t n = r->graph->vertices, all = n + r->graph->edges, parts = all / PART + 1;
    int bits = 0;
    bool failed = false;
    while (bits < 32 && n >> bits)
        bits++;
    hd_phase_begin(r->ctx, "rename", all);
    HD_PARALLEL(r->ctx, if (all >= HD_WORTH_THREADS)) {
        row_sorter s = {.room = 0};
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t part = 0; part < parts; part++) { /* a row belongs to the part that it begins in */
            uint64_t from = hd_split(all, parts, part), end = hd_split(all, parts, part + 1);
            uint64_t row = from < all ? hd_row_at(r->starts, n, from) : n;
            row += row < n && r->starts[row] + row < from;
            for (; row < n && r->starts[row] + row < end && !hd_load(&failed); row++) {
                fetch_ahead(&r->out, r->sequence, r->places, row, n);
                if (!rename_row(r, &s, row, bits, to))
                    hd_store(&failed, true);
            }
            if (hd_advance(r->ctx, end - from))
                hd_store(&failed, true);
        }
        sorter_free(r, &s);
    }
    hd_phase_end(r->ctx);
    HD_TRY(hd_cancelled_status(r->ctx));
    return failed ? hd_fail_memory(r->ctx, r->graph->edges * sizeof(uint64_t), "a row of edges") : HEDDLE_OK;
}

/* Where everything goes, and how long rows are there. */
static heddle_status place(renaming *r) {
    uint64_t n = r->graph->vertices, longest = 0;
    HD_PARALLEL_FOR(r->ctx, schedule(static) reduction(max : longest) if (n >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < n; i++) {
        heddle_vertex v = r->sequence[i];
        r->places[v] = (heddle_vertex)i;
        r->starts[i] = r->out.offsets[v + 1] - r->out.offsets[v];
        longest = r->starts[i] > longest ? r->starts[i] : longest;
    }
    if (longest > UINT32_MAX)
        return hd_fail(r->ctx, HEDDLE_E_LIMIT, "order: a vertex has more than 2^32 edges");
    hd_prefix_sum(r->ctx, r->starts, n);
    return HEDDLE_OK;
}

static heddle_status build(renaming *r, heddle_graph *renamed) {
    const heddle_graph *graph = r->graph;
    HD_TRY(place(r));
    renamed->vertices = graph->vertices;
    renamed->edges = graph->edges;
    renamed->directed = graph->directed;
    renamed->weight_type = graph->weight_type;
    renamed->origin = graph->serial;
    renamed->out.owned = true;
    HD_TRY(HD_NEW(r->ctx, &renamed->out.targets, graph->edges, "targets"));
    if (graph->weight_type != HEDDLE_WEIGHT_NONE)
        HD_TRY(
            hd_new(r->ctx, &renamed->out.weights, graph->edges, hd_weight_size(graph->weight_type), false, "weights"));
    HD_TRY(rename_rows(r, &renamed->out));
    renamed->out.offsets = r->starts;
    renamed->places = r->places;
    renamed->names = r->sequence;
    r->starts = NULL;
    r->places = r->sequence = NULL;
    return HEDDLE_OK;
}

heddle_status hd_order_graph(heddle_context *ctx, const heddle_graph *graph, hd_order order, heddle_graph **renamed) {
    renaming r = {.ctx = ctx, .graph = graph};
    uint64_t n = graph->vertices;
    heddle_status status;
    *renamed = NULL;
    HD_TRY(heddle_graph_out(ctx, graph, &r.out));
    HD_CHECK(HD_NEW(ctx, &r.places, n, "the order of vertices"));
    HD_CHECK(HD_NEW(ctx, &r.sequence, n, "the order of vertices"));
    HD_CHECK(HD_NEW(ctx, &r.starts, n + 1, "row offsets"));
    HD_CHECK(order == HD_ORDER_BFS ? sort_by_search(&r) : sort_by_degree(&r));
    HD_CHECK(hd_graph_new(ctx, renamed));
    status = build(&r, *renamed);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(renamed);
out:
    HD_DELETE(&ctx->allocator, r.places, n);
    HD_DELETE(&ctx->allocator, r.sequence, n);
    HD_DELETE(&ctx->allocator, r.starts, n + 1);
    return status;
}
