/* stepping.c - delta-stepping with a set of bins per thread, without a shared queue.
 *
 * A round: the calling thread finds the lowest bucket that any thread's bins hold and lists its chunks. Each thread
 * works off first the chunks that were its own, whose vertices it has in its cache, then what is left of the others':
 * it follows the edges of vertices whose entry is not stale and puts what it improves into its own bins. Then it goes
 * on with what it put into the current buckets itself, as long as that is little (bucket fusion: Zhang and others,
 * 2020), which saves most rounds on graphs of large diameter. Rounds with little to do run on the calling thread
 * alone. Vertices with very many edges are set aside and shared out between the threads at the end of the round.
 */
#include "engine/stepping.h"

#include "base/memory.h"
#include "engine/bins.h"

enum {
    SMALL = 4096,        /* rounds of fewer edges, by estimate, are done by one thread, */
    WORTH_TWO = 1 << 15, /* or of fewer than this by the number of threads: few threads save less time */
    GROUP = 8,           /* buckets that may be put together for a round that is worth all threads */
    SLICE = 16,          /* entries that a thread takes at a time */
    SLICES = (HD_CHUNK_ROOM + SLICE - 1) / SLICE,
    FUSE = 1024,          /* entries that a thread goes on with by itself, */
    FUSE_EDGES = 1 << 15, /* until it has walked so many edges */
    AHEAD = 4,            /* entries between asking for a row and reading it */
    BIG = 1 << 14,        /* vertices of more edges are shared out */
    UPDATE = 1 << 16      /* edges between two reports of progress */
};

typedef struct steps {
    heddle_context *ctx;
    hd_stepping_setup setup;
    hd_bins *bins;        /* one per thread */
    uint64_t bucket, end; /* this round's buckets: bucket .. end - 1 */
    hd_chunk **tasks;     /* this round's chunks */
    uint64_t task_room, task_count;
    heddle_vertex *big; /* set aside this round */
    uint64_t big_room, big_count;
    uint64_t small;  /* fewer entries are not worth a second thread */
    uint64_t plenty; /* these are worth all threads */
    hd_stepping_report *report;
} steps;

/* ---- Following edges ----------------------------------------------------------------------------------------- */

HD_PATH_INLINE uint64_t bucket_of(const hd_stepping_setup *setup, const hd_path path, uint64_t label) {
    if (path == HD_SUM_U32 || path == HD_SUM_U64)
        return label >> setup->shift;
    if (path == HD_SUM_F32 || path == HD_SUM_F64) {
        double place = (path == HD_SUM_F32 ? (double)hd_float_of((uint32_t)label) : hd_double_of(label)) * setup->scale;
        return place < 0x1p62 ? (uint64_t)place : UINT64_C(1) << 62;
    }
    uint64_t low = 0, count = setup->bound_count;
    while (count) {
        uint64_t half = count / 2;
        bool right = setup->bounds[low + half] < label;
        low = right ? low + half + 1 : low;
        count = right ? count - half - 1 : half;
    }
    return low;
}

/* Carries u's label along out-edges k .. end. */
HD_PATH_INLINE void follow(const steps *s, hd_bins *bins, uint64_t label, uint64_t k, uint64_t end, const hd_path path,
                           const bool shared) {
    const heddle_vertex *targets = s->setup.out.targets;
    const void *weights = s->setup.out.weights;
    void *labels = s->setup.labels;
    uint64_t excess = 0;
    bins->edges += end - k;
    for (; k < end; k++) {
        heddle_vertex v = targets[k];
        uint64_t improved = hd_path_along(path, label, weights, k);
        if (path == HD_SUM_U32)
            excess |= (improved + 1) >> 32;
        if (hd_path_lower(path, labels, v, improved, shared))
            hd_bins_put(bins, bucket_of(&s->setup, path, improved), v, (uint32_t)improved);
    }
    bins->excess |= excess;
}

/* False when the list is full, as it may be when a vertex comes twice. */
static bool set_aside(steps *s, heddle_vertex u) {
    uint64_t place = s->big_room ? hd_fetch_add(&s->big_count, 1) : 0;
    if (place >= s->big_room)
        return false;
    s->big[place] = u;
    return true;
}

/* Asks for what later entries need: first where the row is, then the row. */
HD_PATH_INLINE void prefetch(const steps *s, const hd_chunk *chunk, uint64_t i, const hd_path path) {
    if (i + 2 * AHEAD < chunk->count) {
        heddle_vertex u = chunk->entries[i + 2 * AHEAD].vertex;
        __builtin_prefetch(&s->setup.out.offsets[u]);
        __builtin_prefetch((const char *)s->setup.labels + (size_t)u * (hd_path_is_32(path) ? 4 : 8));
    }
    if (i + AHEAD < chunk->count) {
        uint64_t k = s->setup.out.offsets[chunk->entries[i + AHEAD].vertex];
        __builtin_prefetch(&s->setup.out.targets[k]);
        __builtin_prefetch((const char *)s->setup.out.weights + k * 4);
    }
}

/* Entries i .. end of a chunk. */
HD_PATH_INLINE void work_off(steps *s, hd_bins *bins, const hd_chunk *chunk, uint64_t i, uint64_t end,
                             const hd_path path, const bool shared) {
    const uint64_t *offsets = s->setup.out.offsets;
    for (end = end < chunk->count ? end : chunk->count; i < end; i++) {
        hd_entry entry = chunk->entries[i];
        prefetch(s, chunk, i, path);
        uint64_t label = hd_path_label(path, s->setup.labels, entry.vertex);
        uint64_t k = offsets[entry.vertex], row_end = offsets[entry.vertex + 1];
        if ((uint32_t)label != entry.label)
            continue;
        if (row_end - k <= BIG || !set_aside(s, entry.vertex))
            follow(s, bins, label, k, row_end, path, shared);
    }
}

/* One thread's part of a round: its own slices first, then those that others have not come to. */
HD_PATH_INLINE void share(steps *s, hd_bins *bins, const hd_path path, const bool shared) {
    uint64_t slice, threads = (uint64_t)s->ctx->threads, me = (uint64_t)(bins - s->bins);
    for (uint64_t i = 0; i < threads; i++) {
        hd_bins *from = &s->bins[(me + i) % threads];
        while ((slice = hd_fetch_add(&from->next_slice, 1)) < from->end_slice && !hd_cancelled(s->ctx)) {
            uint64_t first = slice % SLICES * SLICE;
            work_off(s, bins, s->tasks[slice / SLICES], first, first + SLICE, path, shared);
        }
    }
    uint64_t own, limit = bins->edges + FUSE_EDGES;
    while ((own = hd_bins_least(bins)) < s->end && hd_bins_entries(bins, own) < FUSE && bins->edges < limit &&
           !hd_cancelled(s->ctx))
        for (hd_chunk *chunk = hd_bins_take(bins, own), *next; chunk; chunk = next) {
            next = chunk->next;
            work_off(s, bins, chunk, 0, HD_CHUNK_ROOM, path, shared);
            hd_chunk_recycle(bins, chunk);
        }
}

/* One thread's part of the vertices set aside. */
HD_PATH_INLINE void share_big(steps *s, hd_bins *bins, const hd_path path) {
    uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
    uint64_t count = s->big_count < s->big_room ? s->big_count : s->big_room;
    for (uint64_t i = 0; i < count && !hd_cancelled(s->ctx); i++) {
        heddle_vertex u = s->big[i];
        uint64_t first = s->setup.out.offsets[u], degree = s->setup.out.offsets[u + 1] - first;
        uint64_t label = hd_path_label(path, s->setup.labels, u);
        follow(s, bins, label, first + hd_split(degree, parts, part), first + hd_split(degree, parts, part + 1), path,
               true);
    }
}

/* Puts a thread's far entries where they belong now that `now` has moved on. */
HD_PATH_INLINE void bring_near(const steps *s, hd_bins *bins, const hd_path path) {
    hd_chunk *chunk = bins->far.first;
    bins->far = (hd_chain){NULL, NULL, 0};
    bins->far_least = UINT64_MAX;
    while (chunk) {
        hd_chunk *next = chunk->next;
        for (uint64_t i = 0; i < chunk->count; i++) {
            hd_entry entry = chunk->entries[i];
            uint64_t label = hd_path_label(path, s->setup.labels, entry.vertex);
            if ((uint32_t)label == entry.label)
                hd_bins_put(bins, bucket_of(&s->setup, path, label), entry.vertex, entry.label);
        }
        hd_chunk_recycle(bins, chunk);
        chunk = next;
    }
}

/* The loops above for each kind of path. */
typedef struct kernels {
    void (*alone)(steps *s, hd_bins *bins);
    void (*together)(steps *s, hd_bins *bins);
    void (*big)(steps *s, hd_bins *bins);
    void (*near)(steps *s, hd_bins *bins);
} kernels;

#define KERNELS(path)                                                                    \
    static void path##_alone(steps *s, hd_bins *bins) { share(s, bins, path, false); }   \
    static void path##_together(steps *s, hd_bins *bins) { share(s, bins, path, true); } \
    static void path##_big(steps *s, hd_bins *bins) { share_big(s, bins, path); }        \
    static void path##_near(steps *s, hd_bins *bins) { bring_near(s, bins, path); }
KERNELS(HD_SUM_U32)
KERNELS(HD_SUM_U64)
KERNELS(HD_SUM_F32)
KERNELS(HD_SUM_F64)
KERNELS(HD_WIDE_U32)
KERNELS(HD_WIDE_I32)
KERNELS(HD_WIDE_F32)

#define LINE(path) [path] = {path##_alone, path##_together, path##_big, path##_near}
static const kernels kernels_of[] = {LINE(HD_SUM_U32),  LINE(HD_SUM_U64),  LINE(HD_SUM_F32), LINE(HD_SUM_F64),
                                     LINE(HD_WIDE_U32), LINE(HD_WIDE_I32), LINE(HD_WIDE_F32)};

/* ---- Rounds -------------------------------------------------------------------------------------------------- */

static void advance_to(steps *s, uint64_t bucket) {
    s->bucket = bucket;
    for (int t = 0; t < s->ctx->threads; t++)
        s->bins[t].now = bucket;
}

/* Finds the lowest bucket that holds something; false when all is done. */
static bool find_bucket(steps *s) {
    for (;;) {
        uint64_t near = UINT64_MAX, far = UINT64_MAX;
        for (int t = 0; t < s->ctx->threads; t++) {
            uint64_t own = hd_bins_least(&s->bins[t]);
            near = own < near ? own : near;
            far = s->bins[t].far_least < far ? s->bins[t].far_least : far;
        }
        if (near == UINT64_MAX && far == UINT64_MAX)
            return false;
        advance_to(s, near < far ? near : far);
        if (near < far)
            return true;
        for (int t = 0; t < s->ctx->threads; t++)
            kernels_of[s->setup.path].near(s, &s->bins[t]);
    }
}

static heddle_status make_room(steps *s, uint64_t wanted) {
    if (wanted <= s->task_room)
        return HEDDLE_OK;
    HD_DELETE(&s->ctx->allocator, s->tasks, s->task_room);
    s->task_room = wanted + wanted / 2;
    return HD_NEW(s->ctx, &s->tasks, s->task_room, "work list");
}

static uint64_t entries_in(const steps *s, uint64_t bucket) {
    uint64_t entries = 0;
    for (int t = 0; t < s->ctx->threads; t++)
        entries += hd_bins_entries(&s->bins[t], bucket);
    return entries;
}

/* Whether the out-edges of the current bucket's vertices are worth all threads. The first buckets of skewed graphs
 * hold few vertices, but those with most edges. */
static bool many_edges(const steps *s) {
    uint64_t edges = 0;
    for (int t = 0; t < s->ctx->threads; t++)
        for (hd_chunk *chunk = s->bins[t].near[s->bucket % HD_BINS_NEAR].first; chunk; chunk = chunk->next)
            for (uint64_t i = 0; i < chunk->count && edges < SMALL; i++) {
                const uint64_t *row = &s->setup.out.offsets[chunk->entries[i].vertex];
                edges += row[1] - row[0];
            }
    return edges >= SMALL;
}

/* Decides how many buckets from the lowest on are done in this round, and whether by all threads: one if it is large
 * enough; several if together they are, which costs some repeated work; else one, by this thread alone. */
static bool plan_round(steps *s) {
    uint64_t entries = 0;
    s->end = s->bucket + 1;
    if (s->ctx->threads == 1)
        return false;
    if (entries_in(s, s->bucket) < s->small && many_edges(s))
        return true;
    for (s->end = s->bucket; s->end < s->bucket + GROUP && entries < s->plenty; s->end++)
        entries += entries_in(s, s->end);
    if (entries >= s->small)
        return true;
    s->end = s->bucket + 1;
    return false;
}

static heddle_status gather(steps *s) {
    uint64_t room = 0;
    for (uint64_t b = s->bucket; b < s->end; b++)
        for (int t = 0; t < s->ctx->threads; t++)
            room += hd_bins_entries(&s->bins[t], b) / HD_CHUNK_ROOM + 1;
    HD_TRY(make_room(s, room));
    s->task_count = 0;
    for (int t = 0; t < s->ctx->threads; t++) {
        s->bins[t].next_slice = s->task_count * SLICES;
        for (uint64_t b = s->bucket; b < s->end; b++)
            for (hd_chunk *chunk = hd_bins_take(&s->bins[t], b); chunk; chunk = chunk->next)
                s->tasks[s->task_count++] = chunk;
        s->bins[t].end_slice = s->task_count * SLICES;
    }
    return HEDDLE_OK;
}

static uint64_t edges_walked(const steps *s) {
    uint64_t edges = 0;
    for (int t = 0; t < s->ctx->threads; t++)
        edges += s->bins[t].edges;
    return edges;
}

static heddle_status check_on_threads(steps *s) {
    HD_TRY(hd_bins_status(s->ctx, s->bins));
    uint64_t walked = edges_walked(s);
    if (walked - s->report->edges_walked >= UPDATE) {
        hd_advance(s->ctx, walked - s->report->edges_walked);
        s->report->edges_walked = walked;
    }
    return hd_cancelled_status(s->ctx);
}

static heddle_status rounds(steps *s) {
    const kernels *kernel = &kernels_of[s->setup.path];
    while (find_bucket(s)) {
        bool together = plan_round(s);
        HD_TRY(gather(s));
        s->big_count = 0;
        if (together) {
            HD_PARALLEL(s->ctx)
            kernel->together(s, &s->bins[hd_thread()]);
        } else {
            kernel->alone(s, &s->bins[0]);
        }
        if (s->big_count) {
            HD_PARALLEL(s->ctx)
            kernel->big(s, &s->bins[hd_thread()]);
        }
        for (uint64_t i = 0; i < s->task_count; i++)
            hd_chunk_recycle(&s->bins[i % (uint64_t)s->ctx->threads], s->tasks[i]);
        s->report->rounds++;
        HD_TRY(check_on_threads(s));
    }
    return HEDDLE_OK;
}

/* ---- Start and end ------------------------------------------------------------------------------------------- */

static void fill(steps *s) {
    uint64_t unreached = hd_path_unreached(s->setup.path), n = s->setup.vertices;
    if (hd_path_is_32(s->setup.path)) {
        uint32_t *labels = s->setup.labels;
        HD_PARALLEL_FOR(s->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
        for (uint64_t v = 0; v < n; v++)
            labels[v] = (uint32_t)unreached;
    } else {
        uint64_t *labels = s->setup.labels;
        HD_PARALLEL_FOR(s->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
        for (uint64_t v = 0; v < n; v++)
            labels[v] = unreached;
    }
}

static void start(steps *s) {
    for (uint64_t i = 0; i < s->setup.source_count; i++) {
        heddle_vertex v = s->setup.sources[i];
        bool first = hd_path_is_32(s->setup.path) ? hd_path_lower(HD_SUM_U32, s->setup.labels, v, 0, false)
                                                  : hd_path_lower(HD_SUM_U64, s->setup.labels, v, 0, false);
        if (first)
            hd_bins_put(&s->bins[0], 0, v, 0);
    }
}

heddle_status hd_stepping(heddle_context *ctx, const hd_stepping_setup *setup, hd_stepping_report *report) {
    uint64_t edges = setup->out.offsets[setup->vertices], threads = (uint64_t)ctx->threads;
    steps s = {.ctx = ctx, .setup = *setup, .report = report};
    heddle_status status;
    *report = (hd_stepping_report){0, 0, false};
    uint64_t enough = WORTH_TWO / threads < SMALL ? SMALL : WORTH_TWO / threads;
    s.small = enough * (setup->vertices + 1) / (edges + 1) + 1;
    s.plenty = s.small * (threads + 1) / 2;
    s.big_room = threads > 1 ? edges / BIG + 1 : 0;
    HD_CHECK(hd_bins_new(ctx, &s.bins));
    HD_CHECK(HD_NEW(ctx, &s.big, s.big_room, "work list"));
    hd_phase_begin(ctx, "compute", 0);
    fill(&s);
    start(&s);
    status = rounds(&s);
    hd_phase_end(ctx);
    report->edges_walked = edges_walked(&s);
    for (uint64_t t = 0; t < threads; t++)
        report->overflow |= s.bins[t].excess != 0;
out:
    hd_bins_free(ctx, &s.bins);
    HD_DELETE(&ctx->allocator, s.big, s.big_room);
    HD_DELETE(&ctx->allocator, s.tasks, s.task_room);
    return status;
}
