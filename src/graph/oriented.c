/* oriented.c - choosing the order; renaming the rows. */
#include "graph/oriented.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/order.h"
#include "graph/order_parts.h"
#include "graph/rows.h"

enum {
    STEP = 32,        /* vertices that a thread takes at once: the first have most of the edges */
    UNEVEN = 16,      /* degrees are uneven if the largest exceeds this many times the mean, */
    LONG_DEGREE = 64, /* and this */
    SHORT_SORT = 32,  /* rows up to this length are sorted by insertion */
    DIGIT = 8
};

bool hd_oriented_renames(heddle_context *ctx, uint64_t vertices, const uint64_t *offsets) {
    uint64_t most = 0;
    if (!vertices)
        return false;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : most) if (vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < vertices; v++)
        most = offsets[v + 1] - offsets[v] > most ? offsets[v + 1] - offsets[v] : most;
    return most > LONG_DEGREE && most / UNEVEN > offsets[vertices] / vertices;
}

static uint32_t longest_row(heddle_context *ctx, const hd_oriented *o) {
    uint32_t longest = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(max : longest) if (o->vertices >= HD_WORTH_THREADS))
    for (uint64_t r = 0; r < o->vertices; r++)
        longest = o->lengths[r] > longest ? o->lengths[r] : longest;
    return longest;
}

/* ---- The order of the vertices as they are -------------------------------------------------------------------- */

static heddle_status borrow(heddle_context *ctx, const hd_simple *simple, hd_oriented *o) {
    o->offsets = simple->offsets;
    o->targets = simple->targets;
    o->both = simple->both;
    o->stored = simple->edges;
    HD_PARALLEL_FOR(ctx, schedule(static) if (o->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < o->vertices; v++)
        o->lengths[v] =
            (uint32_t)hd_row_find(o->targets + o->offsets[v], o->offsets[v + 1] - o->offsets[v], (uint32_t)v);
    return HEDDLE_OK;
}

/* ---- The order of falling degrees ------------------------------------------------------------------------------ */

static void sort_short(uint64_t *keys, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t k = i;
        for (; k && keys[k - 1] > key; k--)
            keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

/* Radix sort by the low `bits` bits; `spare` has as much room as `keys`. Returns the one of the two that has the
 * result. */
static uint64_t *sort_long(uint64_t *keys, uint64_t *spare, uint32_t count, int bits) {
    for (int shift = 0; shift < bits; shift += DIGIT) {
        uint32_t places[1 << DIGIT] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; i++)
            places[keys[i] >> shift & ((1 << DIGIT) - 1)]++;
        for (int d = 0; d < 1 << DIGIT; d++) {
            uint32_t here = places[d];
            places[d] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++)
            spare[places[keys[i] >> shift & ((1 << DIGIT) - 1)]++] = keys[i];
        uint64_t *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

/* Renaming: a key is the new number of a neighbour, and in its lowest bit whether both directions exist. */
typedef struct renaming {
    const hd_simple *simple;
    hd_oriented *o;
    heddle_vertex *places; /* of each vertex, its new number */
    uint64_t *keys;        /* two rows for each thread */
    int bits;
} renaming;

static void fill_row(const renaming *rn, uint64_t r, uint64_t *keys, uint64_t *spare) {
    const hd_simple *simple = rn->simple;
    uint64_t at = rn->o->offsets[r], begin = simple->offsets[rn->o->names[r]];
    uint64_t end = simple->offsets[rn->o->names[r] + 1];
    uint32_t count = 0;
    for (uint64_t e = begin; e < end; e++) {
        uint64_t place = rn->places[simple->targets[e]];
        if (place < r)
            keys[count++] = place << 1 | (simple->both && simple->both[e]);
    }
    if (count <= SHORT_SORT)
        sort_short(keys, count);
    else
        keys = sort_long(keys, spare, count, rn->bits);
    for (uint32_t i = 0; i < count; i++)
        rn->o->own_targets[at + i] = (heddle_vertex)(keys[i] >> 1);
    for (uint32_t i = 0; i < count && rn->o->own_both; i++)
        rn->o->own_both[at + i] = keys[i] & 1;
}

static void count_rows(heddle_context *ctx, const renaming *rn) {
    const hd_simple *simple = rn->simple;
    hd_oriented *o = rn->o;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, STEP) if (o->vertices >= HD_WORTH_THREADS))
    for (uint64_t r = 0; r < o->vertices; r++) {
        uint32_t count = 0;
        if (hd_advance_each(ctx, r, STEP, 0))
            continue;
        for (uint64_t e = simple->offsets[o->names[r]]; e < simple->offsets[o->names[r] + 1]; e++)
            count += rn->places[simple->targets[e]] < r;
        o->own_offsets[r] = o->lengths[r] = count;
    }
}

static heddle_status fill_rows(heddle_context *ctx, renaming *rn) {
    hd_oriented *o = rn->o;
    uint64_t each = 2 * (uint64_t)o->longest;
    HD_TRY(HD_NEW(ctx, &rn->keys, each * (uint64_t)ctx->threads, "rows to sort"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, STEP) if (o->vertices >= HD_WORTH_THREADS))
    for (uint64_t r = 0; r < o->vertices; r++) {
        uint64_t *keys = rn->keys + (uint64_t)hd_thread() * each;
        if (o->lengths[r] && !hd_advance_each(ctx, r, STEP, 0))
            fill_row(rn, r, keys, keys + o->longest);
    }
    HD_DELETE(&ctx->allocator, rn->keys, each * (uint64_t)ctx->threads);
    return hd_cancelled_status(ctx);
}

/* The vertices in the order of falling degrees: order_degree.c sorts those of any rows. */
static heddle_status sort_vertices(heddle_context *ctx, const hd_simple *simple, hd_oriented *o) {
    heddle_graph shell = {.vertices = simple->vertices, .edges = simple->edges};
    hd_order_sort sort = {
        .ctx = ctx, .graph = &shell, .out = {.offsets = simple->offsets}, .sequence = o->names, .counts = NULL};
    HD_TRY(HD_NEW(ctx, &sort.counts, o->vertices + 1, "degrees"));
    heddle_status status = hd_sort_by_degree(&sort);
    HD_DELETE(&ctx->allocator, sort.counts, o->vertices + 1);
    return status;
}

static heddle_status write_rows(heddle_context *ctx, renaming *rn) {
    hd_oriented *o = rn->o;
    count_rows(ctx, rn);
    HD_TRY(hd_cancelled_status(ctx));
    o->stored = hd_prefix_sum(ctx, o->own_offsets, o->vertices);
    o->longest = longest_row(ctx, o);
    HD_TRY(HD_NEW(ctx, &o->own_targets, o->stored, "oriented rows"));
    if (rn->simple->both)
        HD_TRY(HD_NEW(ctx, &o->own_both, o->stored, "directions of edges"));
    o->offsets = o->own_offsets;
    o->targets = o->own_targets;
    o->both = o->own_both;
    return fill_rows(ctx, rn);
}

static heddle_status rename_rows(heddle_context *ctx, const hd_simple *simple, hd_oriented *o) {
    renaming rn = {.simple = simple, .o = o, .bits = 1};
    heddle_status status;
    while (o->vertices >> (rn.bits - 1))
        rn.bits++;
    HD_TRY(HD_NEW(ctx, &o->names, o->vertices, "vertices by degree"));
    HD_TRY(HD_NEW(ctx, &o->own_offsets, o->vertices + 1, "offsets of oriented rows"));
    HD_TRY(sort_vertices(ctx, simple, o));
    HD_TRY(HD_NEW(ctx, &rn.places, o->vertices, "places of vertices"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (o->vertices >= HD_WORTH_THREADS))
    for (uint64_t r = 0; r < o->vertices; r++)
        rn.places[o->names[r]] = (heddle_vertex)r;
    status = write_rows(ctx, &rn);
    HD_DELETE(&ctx->allocator, rn.places, o->vertices);
    return status;
}

heddle_status hd_oriented_open(heddle_context *ctx, const hd_simple *simple, hd_oriented *o) {
    *o = (hd_oriented){.vertices = simple->vertices};
    HD_TRY(HD_NEW(ctx, &o->lengths, o->vertices, "lengths of oriented rows"));
    if (hd_oriented_renames(ctx, simple->vertices, simple->offsets))
        return rename_rows(ctx, simple, o);
    HD_TRY(borrow(ctx, simple, o));
    o->longest = longest_row(ctx, o);
    return hd_cancelled_status(ctx);
}

void hd_oriented_close(heddle_context *ctx, hd_oriented *o) {
    HD_DELETE(&ctx->allocator, o->lengths, o->vertices);
    HD_DELETE(&ctx->allocator, o->names, o->vertices);
    HD_DELETE(&ctx->allocator, o->own_offsets, o->vertices + 1);
    HD_DELETE(&ctx->allocator, o->own_targets, o->stored);
    HD_DELETE(&ctx->allocator, o->own_both, o->stored);
}
