/* sssp_part.c - shortest paths by delta-stepping (Meyer and Sanders, 2003) on one of several parts.
 *
 * Buckets are global: all parts work on the lowest that any of them has. A step takes the own vertices of that bucket
 * whose distances have changed, and sends these to the parts that read them; every part relaxes the light edges, those
 * no longer than a bucket is wide, that lead from such vertices, own and remote, to its own ones. One reduction then
 * gives the lowest bucket. If that is another one, each part begins the next step with the heavy edges of all vertices
 * that were in the bucket, remote ones as well: it has their distances, so that no message is needed. Edges are those
 * of the slice reversed (slice_transpose.h), light ones first in each row.
 *
 * Which vertices are to be looked at is a bitmap, and a vertex' bucket follows from its distance. A step reads the
 * whole bitmap, own / 64 words, which costs less than a message.
 */
#include "algorithm/sssp/sssp_part.h"

#include "engine/cpu/bitmap.h"
#include "engine/parts/own_rounds.h"

#include "base/memory.h"

#include <math.h>

enum { FEW = HD_WORTH_THREADS / 8 /* words of a bitmap, or vertices, that one thread goes through */ };

typedef struct search {
    hd_own_rounds rounds;
    heddle_context *ctx;
    const hd_slice *slice;
    hd_slice_transpose *transposed;
    hd_path path;
    unsigned shift;    /* of whole distances: bucket = distance >> shift */
    double scale;      /* of real ones: bucket = distance * scale */
    void *labels;      /* distances of own and remote vertices */
    uint64_t words;    /* of a bitmap of own vertices */
    uint64_t *active;  /* own vertices whose edges are not relaxed since they changed */
    uint64_t *changed; /* own vertices that changed in this step */
    uint64_t *settled; /* own and remote vertices whose heavy edges are not relaxed */
    uint64_t bucket;   /* of this step */
} search;

HD_PATH_INLINE uint64_t bucket_of(const search *s, const hd_path path, uint64_t label) {
    if (path == HD_SUM_U32 || path == HD_SUM_U64 || path == HD_SUM_I64)
        return label >> s->shift;
    double place = (path == HD_SUM_F32 ? (double)hd_float_of((uint32_t)label) : hd_double_of(label)) * s->scale;
    return place < 0x1p62 ? (uint64_t)place : UINT64_C(1) << 62;
}

/* ---- Edges ------------------------------------------------------------------------------------------------------ */

/* Relaxes edges k .. end of u; returns how many. */
HD_PATH_INLINE uint64_t relax(const search *s, uint64_t u, uint64_t k, uint64_t end, const hd_path path) {
    const hd_slice_transpose *t = s->transposed;
    uint64_t label = hd_path_label(path, s->labels, u), first = k;
    for (; k < end; k++) {
        uint64_t improved = hd_path_along(path, label, t->weights, k);
        if (path == HD_SUM_U32 && improved >= UINT32_MAX)
            continue; /* it does not fit: the caller notices */
        if (hd_path_lower(path, s->labels, t->targets[k], improved, true) && !hd_bit_shared(s->active, t->targets[k]))
            hd_bit_claim(s->active, t->targets[k]);
    }
    return end - first;
}

HD_PATH_INLINE uint64_t relax_light(const search *s, uint64_t u, const hd_path path) {
    return relax(s, u, s->transposed->offsets[u], s->transposed->heavy[u], path);
}

/* Of the own vertices of this step. A vertex whose distance falls meanwhile is active again. */
HD_PATH_INLINE uint64_t light_of_own(const search *s, const hd_path path) {
    uint64_t walked = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (s->words >= FEW))
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->changed[w]; bits; bits &= bits - 1)
            walked += relax_light(s, w * 64 + (uint64_t)__builtin_ctzll(bits), path);
    return walked;
}

/* Of the remote ones: their new distances come first. */
HD_PATH_INLINE uint64_t light_of_remote(const search *s, const hd_path path) {
    const hd_inbox *inbox = &s->rounds.boxes.inbox;
    uint64_t walked = 0, own = s->slice->own;
    size_t size = hd_path_is_32(path) ? 4 : 8;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (inbox->count >= FEW))
    for (uint64_t i = 0; i < inbox->count; i++) {
        uint64_t u = own + inbox->places[i];
        memcpy((char *)s->labels + u * size, inbox->values + i * size, size);
        if (!hd_bit_shared(s->settled, u))
            hd_bit_claim(s->settled, u);
        walked += relax_light(s, u, path);
    }
    return walked;
}

HD_PATH_INLINE uint64_t heavy_of_all(const search *s, const hd_path path) {
    const hd_slice_transpose *t = s->transposed;
    uint64_t walked = 0, words = hd_bitmap_words(s->slice->own + s->slice->remote);
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (words >= FEW))
    for (uint64_t w = 0; w < words; w++) {
        for (uint64_t bits = s->settled[w]; bits; bits &= bits - 1) {
            uint64_t u = w * 64 + (uint64_t)__builtin_ctzll(bits);
            walked += relax(s, u, t->heavy[u], t->offsets[u + 1], path);
        }
        s->settled[w] = 0;
    }
    return walked;
}

/* ---- Vertices --------------------------------------------------------------------------------------------------- */

/* Takes the active vertices of the bucket, or of earlier ones: they are this step's. Returns how many. */
HD_PATH_INLINE uint64_t take_bucket(const search *s, const hd_path path) {
    uint64_t count = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(static) reduction(+ : count) if (s->words >= FEW))
    for (uint64_t w = 0; w < s->words; w++) {
        uint64_t taken = 0;
        for (uint64_t bits = s->active[w]; bits; bits &= bits - 1) {
            uint64_t label = hd_path_label(path, s->labels, w * 64 + (uint64_t)__builtin_ctzll(bits));
            taken |= bucket_of(s, path, label) <= s->bucket ? bits & -bits : 0;
        }
        s->active[w] &= ~taken;
        s->changed[w] = taken;
        count += (uint64_t)__builtin_popcountll(taken);
    }
    return count;
}

/* The first word of remote vertices may be the last of own ones. */
static void settle_own(const search *s) {
    for (uint64_t w = 0; w < s->words; w++)
        s->settled[w] |= s->changed[w];
}

/* The lowest bucket of an active vertex; UINT64_MAX: there is none. */
HD_PATH_INLINE uint64_t lowest(const search *s, const hd_path path) {
    uint64_t least = UINT64_MAX;
    HD_PARALLEL_FOR(s->ctx, schedule(static) reduction(min : least) if (s->words >= FEW))
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->active[w]; bits; bits &= bits - 1) {
            uint64_t label = hd_path_label(path, s->labels, w * 64 + (uint64_t)__builtin_ctzll(bits));
            uint64_t bucket = bucket_of(s, path, label);
            least = bucket < least ? bucket : least;
        }
    return least;
}

/* ---- Parents ---------------------------------------------------------------------------------------------------- */

/* The smallest in-neighbour that is nearer and on a shortest path; rows ascend by vertex of the graph. Every part has
 * the distances of the remote vertices that it reads: all were sent when they were settled. Returns how many vertices
 * have no such neighbour: the source, and those at the end of an edge that adds nothing. */
HD_PATH_INLINE uint64_t find_parents(const search *s, heddle_vertex *parents, const hd_path path) {
    const hd_slice *slice = s->slice;
    uint64_t orphans = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 256) reduction(+ : orphans) if (slice->edges >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < slice->own; v++) {
        uint64_t label = hd_path_label(path, s->labels, v), k = slice->offsets[v], end = slice->offsets[v + 1];
        parents[v] = UINT32_MAX;
        if (label == hd_path_unreached(path))
            continue;
        for (; k < end && parents[v] == UINT32_MAX; k++) {
            uint64_t from = hd_path_label(path, s->labels, slice->targets[k]);
            if (from < label && hd_path_along(path, from, slice->weights, k) == label)
                parents[v] = slice->names[slice->targets[k]];
        }
        orphans += parents[v] == UINT32_MAX;
    }
    return orphans;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* Light edges first. */
HD_PATH_INLINE void divide_row(const search *s, hd_slice_transpose *t, uint64_t u, const hd_path path) {
    uint64_t low = t->offsets[u], high = t->offsets[u + 1];
    size_t size = t->weight_size;
    char *weights = t->weights, kept[8];
    while (low < high) {
        if (bucket_of(s, path, hd_path_along(path, 0, t->weights, low)) == 0) {
            low++;
            continue;
        }
        uint32_t target = t->targets[low];
        t->targets[low] = t->targets[--high];
        t->targets[high] = target;
        memcpy(kept, weights + low * size, size);
        memmove(weights + low * size, weights + high * size, size);
        memcpy(weights + high * size, kept, size);
    }
    t->heavy[u] = low;
}

HD_PATH_INLINE void divide_rows(const search *s, hd_slice_transpose *t, const hd_path path) {
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 1024) if (t->edges >= HD_WORTH_THREADS))
    for (uint64_t u = 0; u < t->vertices; u++)
        divide_row(s, t, u, path);
}

/* ---- For each kind of sum --------------------------------------------------------------------------------------- */

typedef struct kernels {
    uint64_t (*own)(const search *s);
    uint64_t (*remote)(const search *s);
    uint64_t (*heavy)(const search *s);
    uint64_t (*take)(const search *s);
    uint64_t (*least)(const search *s);
    void (*divide)(const search *s, hd_slice_transpose *t);
    uint64_t (*parents)(const search *s, heddle_vertex *parents);
} kernels;

/* clang-format has no stable layout for this. */
/* clang-format off */
#define SUMS(X) X(HD_SUM_U32) X(HD_SUM_U64) X(HD_SUM_F32) X(HD_SUM_F64) X(HD_SUM_I64) X(HD_SUM_D64)
/* clang-format on */
#define KERNELS(path)                                                                              \
    static uint64_t path##_own(const search *s) { return light_of_own(s, path); }                  \
    static uint64_t path##_remote(const search *s) { return light_of_remote(s, path); }            \
    static uint64_t path##_heavy(const search *s) { return heavy_of_all(s, path); }                \
    static uint64_t path##_take(const search *s) { return take_bucket(s, path); }                  \
    static uint64_t path##_least(const search *s) { return lowest(s, path); }                      \
    static void path##_divide(const search *s, hd_slice_transpose *t) { divide_rows(s, t, path); } \
    static uint64_t path##_parents(const search *s, heddle_vertex *parents) { return find_parents(s, parents, path); }
SUMS(KERNELS)
#define LINE(path) \
    [path] = {path##_own, path##_remote, path##_heavy, path##_take, path##_least, path##_divide, path##_parents},
static const kernels kernels_of[] = {SUMS(LINE)};

/* ---- A search --------------------------------------------------------------------------------------------------- */

/* Heavy edges of the bucket before, if it has ended, then one step over light ones. *next: the lowest bucket. What
 * heavy edges lead to may be in a lower bucket than this one: the step takes it as well. */
static heddle_status do_step(search *s, uint64_t *next) {
    const kernels *k = &kernels_of[s->path];
    hd_own_round round = {.direction = HEDDLE_DIRECTION_PUSH, .kernel = "slices, delta-stepping"};
    round.edges = *next == s->bucket ? 0 : k->heavy(s);
    s->bucket = *next;
    round.vertices = round.changes = k->take(s);
    HD_TRY(hd_own_rounds_post(&s->rounds, s->labels, s->changed));
    settle_own(s);
    round.edges += k->own(s);
    HD_TRY(hd_own_rounds_take(&s->rounds));
    round.edges += k->remote(s);
    round.least = k->least(s);
    HD_TRY(hd_own_rounds_next(&s->rounds, &round));
    *next = round.least;
    return HEDDLE_OK;
}

/* No bucket is left: heavy edges of the last one may open another. */
static heddle_status end_bucket(search *s, uint64_t *next) {
    const kernels *k = &kernels_of[s->path];
    hd_own_round round = {.direction = HEDDLE_DIRECTION_PUSH, .kernel = "slices, heavy edges"};
    round.edges = k->heavy(s);
    round.least = k->least(s);
    HD_TRY(hd_own_rounds_next(&s->rounds, &round));
    *next = round.least;
    return HEDDLE_OK;
}

/* Own ones, each once. The bits of the last step are not needed any more. */
static uint64_t count_sources(const search *s) {
    const hd_cpu_setup *setup = &s->rounds.job->setup;
    uint64_t count = 0;
    memset(s->changed, 0, s->words * sizeof *s->changed);
    for (uint64_t i = 0; i < setup->source_count; i++) {
        uint64_t v = setup->sources[i] - s->slice->first;
        count += v < s->slice->own && hd_bit_claim(s->changed, v);
    }
    return count;
}

/* Vertices that are as near as their parent are left to the process with the whole graph: then none count. */
static heddle_status add_parents(search *s, heddle_vertex *parents) {
    hd_own_round round = {.vertices = s->slice->own,
                          .edges = s->slice->edges,
                          .direction = HEDDLE_DIRECTION_PULL,
                          .kernel = "slices, parents"};
    uint64_t orphans = kernels_of[s->path].parents(s, parents), sources = count_sources(s);
    round.sums[0] = orphans > sources ? orphans - sources : 0;
    HD_TRY(hd_own_rounds_next(&s->rounds, &round));
    s->rounds.report->no_parents = round.sums[0] > 0;
    return HEDDLE_OK;
}

static heddle_status search_all(search *s) {
    uint64_t next = s->rounds.job->setup.source_count ? 0 : UINT64_MAX;
    while (next != UINT64_MAX) {
        HD_TRY(do_step(s, &next));
        if (next == UINT64_MAX)
            HD_TRY(end_bucket(s, &next));
    }
    if (s->rounds.job->parents)
        HD_TRY(add_parents(s, s->rounds.job->parents));
    hd_own_rounds_finish(&s->rounds);
    return HEDDLE_OK;
}

static heddle_status make_rows(search *s, hd_part_report *report) {
    double start = hd_clock();
    HD_TRY(hd_slice_transpose_make(s->ctx, s->slice, s->transposed));
    if (!s->transposed->heavy)
        HD_TRY(HD_NEW(s->ctx, &s->transposed->heavy, s->transposed->vertices, "rows by source"));
    kernels_of[s->path].divide(s, s->transposed);
    report->report.prepare += hd_clock() - start;
    return HEDDLE_OK;
}

static void start(search *s, const hd_cpu_setup *setup) {
    uint64_t n = s->slice->own + s->slice->remote, unreached = hd_path_unreached(s->path);
    for (uint64_t v = 0; v < n; v++)
        if (hd_path_is_32(s->path))
            ((uint32_t *)s->labels)[v] = (uint32_t)unreached;
        else
            ((uint64_t *)s->labels)[v] = unreached;
    for (uint64_t i = 0; i < setup->source_count; i++) {
        uint64_t v = setup->sources[i] - s->slice->first;
        if (v >= s->slice->own)
            continue;
        memset((char *)s->labels + v * (hd_path_is_32(s->path) ? 4 : 8), 0, hd_path_is_32(s->path) ? 4 : 8);
        hd_bit_set(s->active, v);
    }
}

static heddle_status run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                         void *outputs, hd_part_report *report) {
    const hd_sssp_part *how = (const hd_sssp_part *)job->setup.own;
    heddle_context *ctx = link->ctx;
    uint64_t words = hd_bitmap_words(slice->own), n = slice->own + slice->remote, all = hd_bitmap_words(n);
    size_t size = hd_path_is_32(how->path) ? 4 : 8;
    search s = {.ctx = ctx,
                .slice = slice,
                .transposed = job->transposed,
                .path = how->path,
                .shift = (unsigned)(how->width < 0    ? 0
                                    : how->width > 63 ? 63
                                                      : how->width),
                .scale = ldexp(1, -how->width),
                .words = words};
    heddle_status status;
    (void)degrees;
    HD_CHECK(HD_NEW_ZERO(ctx, &s.active, words, "frontier"));
    HD_CHECK(HD_NEW_ZERO(ctx, &s.changed, words, "frontier"));
    HD_CHECK(HD_NEW_ZERO(ctx, &s.settled, all, "frontier"));
    HD_CHECK(hd_new(ctx, &s.labels, n, size, false, "vertex values"));
    HD_CHECK(make_rows(&s, report));
    start(&s, &job->setup);
    HD_CHECK(hd_own_rounds_begin(&s.rounds, link, slice, job, size, report));
    HD_CHECK(search_all(&s));
    if (slice->own)
        memcpy(outputs, s.labels, slice->own * size);
out:
    status = hd_own_rounds_free(&s.rounds, status);
    HD_DELETE(&ctx->allocator, s.active, words);
    HD_DELETE(&ctx->allocator, s.changed, words);
    HD_DELETE(&ctx->allocator, s.settled, all);
    hd_free(&ctx->allocator, s.labels, n * size);
    return status;
}

hd_sssp_part hd_sssp_part_of(hd_path path, int width, bool parents) {
    return (hd_sssp_part){.own = {.run = run, .direction = true, .parents = parents}, .path = path, .width = width};
}
