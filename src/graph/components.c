/* components.c - weakly connected components by lock-free union-find, after Afforest (Sutton, Ben-Nun and Barak).
 *
 * Invariants: 1. parent[v] <= v: no cycle can arise, and the root of a tree is its smallest vertex. 2. A vertex that
 * has stopped being a root never becomes one again, and its parent is always one of its ancestors.
 * The first two arcs of every vertex usually suffice to find the giant component. Vertices found to be in it need no
 * more work: an arc that leads out of it is met again at its other end.
 */
#include "graph/stats.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

enum { CHUNK = 2048, FIRST_ARCS = 2, SAMPLES = 1024 };

typedef struct forest {
    uint64_t vertices;
    const heddle_adjacency *out, *in;
    uint32_t *parent;
    uint32_t giant;      /* root of what seems to be the largest tree */
    uint64_t giant_size; /* counted apart: all threads would wait for this one counter */
    uint32_t *size;      /* of the other trees, at their roots */
} forest;

/* The root of v's tree; halves the way there. */
static inline uint32_t find(uint32_t *parent, uint32_t v) {
    uint32_t up;
    while ((up = hd_load(&parent[v])) != v) {
        uint32_t higher = hd_load(&parent[up]);
        if (higher != up)
            hd_store(&parent[v], higher);
        v = higher;
    }
    return v;
}

static inline void join(uint32_t *parent, uint32_t u, uint32_t v) {
    if (hd_load(&parent[u]) == hd_load(&parent[v]))
        return;
    while ((u = find(parent, u)) != (v = find(parent, v))) {
        uint32_t high = u > v ? u : v, low = u > v ? v : u, expected = high;
        if (hd_compare_swap(&parent[high], &expected, low))
            return;
    }
}

/* ---- Passes over the vertices from .. to-1 ------------------------------------------------------------------- */

static void make_singletons(forest *f, uint64_t from, uint64_t to) {
    for (uint64_t v = from; v < to; v++)
        f->parent[v] = (uint32_t)v;
}

static void join_first_arcs(forest *f, uint64_t from, uint64_t to) {
    for (uint64_t v = from; v < to; v++) {
        uint64_t e = f->out->offsets[v], end = f->out->offsets[v + 1];
        for (unsigned k = 0; k < FIRST_ARCS && e < end; k++, e++)
            join(f->parent, (uint32_t)v, f->out->targets[e]);
    }
}

static void join_other_arcs(forest *f, uint64_t from, uint64_t to) {
    for (uint64_t v = from; v < to; v++) {
        if (hd_load(&f->parent[v]) == f->giant)
            continue;
        for (uint64_t e = f->out->offsets[v] + FIRST_ARCS; e < f->out->offsets[v + 1]; e++)
            join(f->parent, (uint32_t)v, f->out->targets[e]);
        if (f->in->targets == f->out->targets)
            continue;
        for (uint64_t e = f->in->offsets[v]; e < f->in->offsets[v + 1]; e++)
            join(f->parent, (uint32_t)v, f->in->targets[e]);
    }
}

/* Writes nobody else's parent: a late halving by another thread would undo a vertex that is done. The way up is short
 * all the same, because it leads through smaller vertices, which are mostly done. */
static void flatten(forest *f, uint64_t from, uint64_t to) {
    for (uint64_t v = from; v < to; v++) {
        uint32_t root = (uint32_t)v, up;
        while ((up = hd_load(&f->parent[root])) != root)
            root = up;
        hd_store(&f->parent[v], root);
    }
}

static void count_members(forest *f, uint64_t from, uint64_t to) {
    uint64_t in_giant = 0;
    for (uint64_t v = from; v < to; v++) {
        if (f->parent[v] == f->giant)
            in_giant++;
        else
            hd_fetch_add(&f->size[f->parent[v]], UINT32_C(1));
    }
    hd_fetch_add(&f->giant_size, in_giant);
}

static heddle_status run(heddle_context *ctx, forest *f, void (*pass)(forest *f, uint64_t from, uint64_t to)) {
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (uint64_t from = 0; from < f->vertices; from += CHUNK) {
        uint64_t to = f->vertices - from < CHUNK ? f->vertices : from + CHUNK;
        if (!hd_advance(ctx, to - from))
            pass(f, from, to);
    }
    return hd_cancelled_status(ctx);
}

/* ---- The whole ----------------------------------------------------------------------------------------------- */

/* The root that most of some random vertices have. A good guess saves time; the result does not depend on it. */
static uint32_t guess_giant(const forest *f) {
    uint32_t root[SAMPLES], best = 0;
    unsigned votes = 0;
    for (unsigned k = 0; k < SAMPLES; k++)
        root[k] = f->parent[hd_below(hd_random(0, k), f->vertices)];
    /* whatever holds more than half of the samples survives the pairing-off */
    for (unsigned k = 0; k < SAMPLES; k++) {
        if (votes == 0)
            best = root[k];
        if (root[k] == best)
            votes++;
        else
            votes--;
    }
    return best;
}

static void count_trees(heddle_context *ctx, forest *f, hd_components *components) {
    uint64_t count = 0, best = 0; /* best: size, and in the low half how small the root is */
    f->size[f->giant] = (uint32_t)f->giant_size;
    HD_PARALLEL_FOR(ctx, reduction(+ : count) reduction(max : best) schedule(static))
    for (uint64_t v = 0; v < f->vertices; v++) {
        uint64_t rank = (uint64_t)f->size[v] << 32 | (UINT32_MAX - v);
        count += f->size[v] > 0;
        best = rank > best ? rank : best;
    }
    components->count = count;
    components->largest = best >> 32;
    components->first = UINT32_MAX - (uint32_t)best;
}

heddle_status hd_weak_components(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                                 const heddle_adjacency *in, hd_components *components) {
    forest f = {.vertices = vertices, .out = out, .in = in};
    heddle_status status;

    *components = (hd_components){.count = 0};
    if (vertices == 0)
        return HEDDLE_OK;
    hd_phase_begin(ctx, "components", vertices * 6);
    HD_CHECK(HD_NEW(ctx, &f.parent, vertices, "component labels"));
    HD_CHECK(HD_NEW_ZERO(ctx, &f.size, vertices, "component sizes"));
    HD_CHECK(run(ctx, &f, make_singletons));
    HD_CHECK(run(ctx, &f, join_first_arcs));
    HD_CHECK(run(ctx, &f, flatten));
    f.giant = guess_giant(&f);
    HD_CHECK(run(ctx, &f, join_other_arcs));
    HD_CHECK(run(ctx, &f, flatten));
    f.giant = f.parent[f.giant];
    HD_CHECK(run(ctx, &f, count_members));
    count_trees(ctx, &f, components);
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, f.size, vertices);
    HD_DELETE(&ctx->allocator, f.parent, vertices);
    return status;
}
