/* components.c - weakly connected components by union-find, on a sample first, after Afforest (Sutton, Ben-Nun, Barak).
 *
 * 1. Every vertex takes its first neighbour as parent if that one is smaller; rows ascend, so it is the smallest one.
 *    That needs no atomics and leaves one flat tree per local minimum.
 * 2. The local minima, and one vertex in eight, join along one more arc. Most trees are now one: the giant.
 * 3. Vertices outside the giant join along their arcs until they are in it. An arc that leaves the giant is seen from
 *    its other end too; without in-edges it is not, so all arcs are visited, with a fast path for those inside.
 * Loops with unpredictable branches are kept apart from loops with random accesses: a misprediction would otherwise
 * stall the loads behind it and cost more than they do.
 */
#include "graph/components.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "graph/rows.h"
#include "graph/union_find.h"

enum { CHUNK = 4096, SHARE = 1 << 15, AHEAD = 16, SAMPLE_BLOCK = 64, SAMPLE_ONE_IN = 8, GUESSES = 1024 };
enum { MORE = 6, ENOUGH = 31 /* of 32 rows of a slice in the giant: the others cost less than one more arc of all */ };

typedef struct forest {
    uint64_t vertices;
    const heddle_adjacency *out, *in;
    uint32_t *parent;
    uint32_t giant;      /* a vertex of what seems to be the largest tree */
    uint64_t giant_size; /* in the end */
    uint64_t count;      /* trees in the end */
    uint64_t walked;
    uint64_t nth;     /* of a slice: the arc that is taken of each row */
    uint64_t *inside; /* bitmap of the vertices known to be in the giant */
    uint32_t *size;   /* of the other trees, at their roots */
} forest;

static heddle_status each_chunk(heddle_context *ctx, forest *f, void (*pass)(forest *f, uint64_t from, uint64_t to)) {
    HD_PARALLEL_FOR(ctx, if (f->vertices >= HD_WORTH_THREADS) schedule(dynamic, 1))
    for (uint64_t from = 0; from < f->vertices; from += CHUNK)
        if (!hd_advance(ctx, 0))
            pass(f, from, f->vertices - from < CHUNK ? f->vertices : from + CHUNK);
    return hd_cancelled_status(ctx);
}

/* ---- 1. The smallest neighbour becomes the parent -------------------------------------------------------------- */

/* Parents of vertices from `first` on were set by this thread and are roots: a vertex below one of them takes that root
 * as its parent, so trees stay flat. */
static void hang(forest *f, uint64_t first, uint64_t from, uint64_t to) {
    const uint64_t *offsets = f->out->offsets;
    const uint32_t *targets = f->out->targets;
    for (uint64_t v = from; v < to; v++) {
        uint32_t self = (uint32_t)v;
        const uint32_t *least = offsets[v] < offsets[v + 1] ? &targets[offsets[v]] : &self;
        __builtin_prefetch(&targets[offsets[to - v > AHEAD ? v + AHEAD : v]]);
        uint32_t up = *least < self ? *least : self;
        f->parent[v] = up;
        f->parent[v] = f->parent[up >= first ? up : v];
    }
}

static heddle_status hang_all(heddle_context *ctx, forest *f) {
    HD_PARALLEL(ctx, if (f->vertices >= HD_WORTH_THREADS)) {
        uint64_t threads = (uint64_t)hd_threads_here(), me = (uint64_t)hd_thread();
        uint64_t first = hd_split(f->vertices, threads, me), end = hd_split(f->vertices, threads, me + 1);
        for (uint64_t from = first; from < end && !hd_advance(ctx, 0); from += CHUNK)
            hang(f, first, from, end - from < CHUNK ? end : from + CHUNK);
    }
    return hd_cancelled_status(ctx);
}

/* ---- 2. Join a sample ---------------------------------------------------------------------------------------- */

/* Like hd_set_join, but a race with another thread may lose one of the two joins. That costs only time: the arcs of the
 * sample are visited again in step 3. */
static inline void join_carelessly(uint32_t *parent, uint32_t u, uint32_t v) {
    u = hd_set_find(parent, u);
    v = hd_set_find(parent, v);
    if (u != v)
        hd_store(&parent[u > v ? u : v], u > v ? v : u);
}

/* Arcs of a chunk of rows, and their sources. */
typedef struct arcs {
    uint64_t arc[CHUNK];
    uint32_t source[CHUNK];
    unsigned count;
} arcs;

static void join_arcs(forest *f, const arcs *a) {
    uint32_t target[CHUNK];
    for (unsigned i = 0; i < a->count; i++)
        target[i] = f->out->targets[a->arc[i]];
    for (unsigned i = 0; i < a->count; i++)
        __builtin_prefetch(&f->parent[hd_load(&f->parent[target[i]])]);
    for (unsigned i = 0; i < a->count; i++)
        join_carelessly(f->parent, a->source[i], target[i]);
}

/* A local minimum takes its first arc, which step 1 did not use; other vertices take their second. */
static void join_sample(forest *f, uint64_t from, uint64_t to) {
    const uint64_t *offsets = f->out->offsets;
    arcs a;
    a.count = 0;
    for (uint64_t v = from; v < to; v++) {
        unsigned sampled = hd_mix64(v / SAMPLE_BLOCK) % SAMPLE_ONE_IN == 0;
        unsigned minimum = hd_load(&f->parent[v]) == v;
        a.source[a.count] = (uint32_t)v;
        a.arc[a.count] = offsets[v] + !minimum;
        a.count += (minimum | sampled) & (a.arc[a.count] < offsets[v + 1]);
    }
    join_arcs(f, &a);
}

/* Arc number `nth` of every row. */
static void join_nth(forest *f, uint64_t from, uint64_t to) {
    const uint64_t *offsets = f->out->offsets;
    arcs a;
    a.count = 0;
    for (uint64_t v = from; v < to; v++) {
        a.source[a.count] = (uint32_t)v;
        a.arc[a.count] = offsets[v] + f->nth;
        a.count += a.arc[a.count] < offsets[v + 1];
    }
    join_arcs(f, &a);
    hd_fetch_add(&f->walked, a.count);
}

/* A vertex of the tree that most arcs lead to. A good guess saves time; the result does not depend on it. */
static uint32_t guess_giant(const forest *f) {
    uint64_t edges = f->out->offsets[f->vertices];
    uint32_t best = 0;
    unsigned votes = 0;
    /* Boyer-Moore majority vote: finds the tree that more than half of the sampled arcs lead to */
    for (unsigned k = 0; edges && k < GUESSES; k++) {
        uint32_t root = hd_set_root(f->parent, f->out->targets[hd_below(hd_random(0, k), edges)]);
        if (votes == 0)
            best = root;
        if (root == best)
            votes++;
        else
            votes--;
    }
    return best;
}

static inline bool in_giant(const forest *f, uint32_t v) {
    return hd_set_root(f->parent, v) == hd_set_root(f->parent, f->giant);
}

/* Whether nearly all of some rows, chosen by chance, are in the giant. */
static bool giant_is_large(const forest *f) {
    unsigned inside = 0, rows = 0;
    for (unsigned k = 0; k < GUESSES; k++) {
        uint32_t v = (uint32_t)hd_below(hd_random(1, k), f->vertices);
        bool row = f->out->offsets[v] < f->out->offsets[v + 1];
        rows += row;
        inside += row && in_giant(f, v);
    }
    return inside * (ENOUGH + 1) >= rows * ENOUGH;
}

/* Rows of a slice: ends elsewhere have no rows, so that trees do not meet there, and it takes more arcs. */
static heddle_status sample_slice(heddle_context *ctx, forest *f) {
    bool large = false;
    for (f->nth = 0; f->nth < MORE && !large; f->nth++) {
        HD_TRY(each_chunk(ctx, f, join_nth));
        f->giant = guess_giant(f);
        large = giant_is_large(f);
    }
    return HEDDLE_OK;
}

/* ---- 3. Join what the sample left out ------------------------------------------------------------------------ */

/* Rows begin .. end-1, as far as they lie in the share from .. to-1. A vertex is finished once it is in the giant: its
 * remaining arcs are seen from their other ends. */
static uint64_t join_outside(forest *f, const heddle_adjacency *side, uint64_t begin, uint64_t end, uint64_t from,
                             uint64_t to) {
    uint32_t giant = hd_set_root(f->parent, f->giant), outside[CHUNK], nowhere;
    uint64_t walked = 0;
    unsigned count = 0;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t root = hd_set_root(f->parent, (uint32_t)v);
        /* roots are not written: another thread may be setting this root's parent */
        hd_store(root != v ? &f->parent[v] : &nowhere, root);
        outside[count] = (uint32_t)v;
        count += (root != giant) & (side->offsets[v] < side->offsets[v + 1]);
    }
    for (unsigned i = 0; i < count; i++) {
        uint64_t e = hd_row_begin(side->offsets, outside[i], from), last = hd_row_end(side->offsets, outside[i], to);
        for (; e < last && !in_giant(f, outside[i]); e++, walked++)
            hd_set_join(f->parent, outside[i], side->targets[e]);
    }
    return walked;
}

/* Flattens the trees, and fills the bitmap of the giant, which is small enough for the cache. */
static void note_inside(forest *f, uint64_t from, uint64_t to) {
    for (uint64_t v = from; v < to; v += 64) {
        uint64_t bits = 0, count = to - v < 64 ? to - v : 64;
        for (uint64_t i = 0; i < count; i++) {
            uint32_t root = hd_set_root(f->parent, (uint32_t)(v + i));
            hd_store(&f->parent[v + i], root);
            bits |= (uint64_t)(root == f->giant) << i;
        }
        f->inside[v / 64] = bits;
    }
}

static inline bool noted_inside(const forest *f, uint32_t v) { return f->inside[v / 64] >> (v % 64) & 1; }

/* Arcs that start in the giant. */
static void join_stretch(forest *f, const uint32_t *target, const uint32_t *end) {
    for (; target < end; target++)
        if (!noted_inside(f, *target))
            hd_set_join(f->parent, f->giant, *target);
}

/* Like join_outside, but visits all arcs. The arcs between two rows outside the giant all start in the giant and form
 * one stretch: the row boundaries inside it do not matter. */
static uint64_t join_all(forest *f, const heddle_adjacency *side, uint64_t begin, uint64_t end, uint64_t from,
                         uint64_t to) {
    uint64_t first = hd_row_begin(side->offsets, begin, from), last = hd_row_end(side->offsets, end - 1, to);
    const uint32_t *next = side->targets + first;
    uint32_t outside[CHUNK];
    unsigned count = 0;
    for (uint64_t v = begin; v < end; v++) {
        outside[count] = (uint32_t)v;
        count += !noted_inside(f, (uint32_t)v) & (side->offsets[v] < side->offsets[v + 1]);
    }
    for (unsigned i = 0; i < count; i++) {
        const uint32_t *row = side->targets + hd_row_begin(side->offsets, outside[i], from);
        join_stretch(f, next, row);
        for (next = side->targets + hd_row_end(side->offsets, outside[i], to); row < next; row++)
            hd_set_join(f->parent, outside[i], *row);
    }
    join_stretch(f, next, side->targets + last);
    return last - first;
}

typedef uint64_t (*join_fn)(forest *f, const heddle_adjacency *side, uint64_t begin, uint64_t end, uint64_t from,
                            uint64_t to);

static heddle_status each_share(heddle_context *ctx, forest *f, const heddle_adjacency *side, join_fn join) {
    uint64_t work = side->offsets[f->vertices] + f->vertices, walked = 0;
    HD_PARALLEL_FOR(ctx, if (work > SHARE) reduction(+ : walked) schedule(dynamic, 1))
    for (uint64_t from = 0; from < work; from += SHARE) {
        uint64_t to = work - from < SHARE ? work : from + SHARE;
        uint64_t v = hd_row_at(side->offsets, f->vertices, from);
        uint64_t end = hd_row_at(side->offsets, f->vertices, to - 1) + 1;
        for (; v < end && !hd_advance(ctx, 0); v += CHUNK)
            walked += join(f, side, v, end - v < CHUNK ? end : v + CHUNK, from, to);
    }
    f->walked += walked;
    return hd_cancelled_status(ctx);
}

static heddle_status join_rest(heddle_context *ctx, forest *f) {
    if (f->in) {
        HD_TRY(each_share(ctx, f, f->out, join_outside));
        return f->in->targets == f->out->targets ? HEDDLE_OK : each_share(ctx, f, f->in, join_outside);
    }
    uint64_t words = (f->vertices + 63) / 64;
    HD_TRY(HD_NEW(ctx, &f->inside, words, "members of the giant component"));
    heddle_status status = each_chunk(ctx, f, note_inside);
    if (status == HEDDLE_OK)
        status = each_share(ctx, f, f->out, join_all);
    HD_DELETE(&ctx->allocator, f->inside, words);
    return status;
}

/* ---- Labels and figures -------------------------------------------------------------------------------------- */

/* Each thread writes the parents of its own vertices only: path compression by another thread could overwrite a final
 * label. Chunks are taken in ascending order and parents are smaller, so most of each path is flat already. */
static void flatten(forest *f, uint64_t from, uint64_t to) {
    uint64_t roots = 0, in_giant = 0;
    for (uint64_t v = from; v < to; v++) {
        uint32_t root = hd_set_root(f->parent, (uint32_t)v);
        hd_store(&f->parent[v], root);
        roots += root == v;
        in_giant += root == f->giant;
    }
    hd_fetch_add(&f->count, roots);
    hd_fetch_add(&f->giant_size, in_giant);
}

/* Vertices with neighbouring ids are often in the same component: runs of one label are counted at once. */
static void count_members(forest *f, uint64_t from, uint64_t to) {
    for (uint64_t v = from, next; v < to; v = next) {
        for (next = v + 1; next < to && f->parent[next] == f->parent[v]; next++)
            continue;
        if (f->parent[v] != f->giant)
            hd_fetch_add(&f->size[f->parent[v]], (uint32_t)(next - v));
    }
}

static heddle_status find_largest(heddle_context *ctx, forest *f, hd_components *components) {
    uint64_t best = 0; /* size in the high half; in the low half, larger for a smaller root */
    HD_TRY(HD_NEW_ZERO(ctx, &f->size, f->vertices, "component sizes"));
    heddle_status status = each_chunk(ctx, f, count_members);
    f->size[f->giant] = (uint32_t)f->giant_size;
    HD_PARALLEL_FOR(ctx, if (f->vertices >= HD_WORTH_THREADS) reduction(max : best) schedule(static))
    for (uint64_t v = 0; v < f->vertices; v++) {
        uint64_t key = (uint64_t)f->size[v] << 32 | (UINT32_MAX - v);
        best = key > best ? key : best;
    }
    components->largest = best >> 32;
    components->first = UINT32_MAX - (uint32_t)best;
    HD_DELETE(&ctx->allocator, f->size, f->vertices);
    return status;
}

static heddle_status label_all(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                               const heddle_adjacency *in, bool slice, heddle_vertex *label,
                               hd_components *components) {
    forest f = {.vertices = vertices, .out = out, .in = in, .parent = label, .walked = vertices};
    *components = (hd_components){.count = 0};
    if (vertices == 0)
        return HEDDLE_OK;
    hd_rounds_mark(ctx);
    HD_TRY(hang_all(ctx, &f));
    HD_TRY(slice ? sample_slice(ctx, &f) : each_chunk(ctx, &f, join_sample));
    if (!slice)
        f.giant = guess_giant(&f);
    HD_ROUND(ctx, .rounds = 1, .vertices = vertices, .edges = f.walked, .kernel = "sample");
    HD_TRY(join_rest(ctx, &f));
    HD_ROUND(ctx, .rounds = 1, .vertices = vertices, .edges = f.walked - vertices,
             .kernel = in ? "outside the giant" : "all edges");
    f.giant = hd_set_root(label, f.giant);
    HD_TRY(each_chunk(ctx, &f, flatten));
    *components = (hd_components){f.count, f.giant_size, f.giant, f.walked, f.giant};
    /* with exactly half of the vertices, another tree may be as large and have a smaller root */
    return f.giant_size > vertices / 2 ? HEDDLE_OK : find_largest(ctx, &f, components);
}

heddle_status hd_weak_labels(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                             const heddle_adjacency *in, heddle_vertex *label, hd_components *components) {
    return label_all(ctx, vertices, out, in, false, label, components);
}

heddle_status hd_weak_labels_slice(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *rows, bool skip,
                                   heddle_vertex *label, hd_components *components) {
    return label_all(ctx, vertices, rows, skip ? rows : NULL, true, label, components);
}

heddle_status hd_weak_components(heddle_context *ctx, uint64_t vertices, const heddle_adjacency *out,
                                 const heddle_adjacency *in, hd_components *components) {
    heddle_vertex *label;
    hd_phase_begin(ctx, "components", 0);
    heddle_status status = HD_NEW(ctx, &label, vertices, "component labels");
    if (status == HEDDLE_OK)
        status = hd_weak_labels(ctx, vertices, out, in, label, components);
    HD_DELETE(&ctx->allocator, label, vertices);
    hd_phase_end(ctx);
    return status;
}
