/* delta_stepping_edges.c - processes the entries of a round of delta-stepping, for each kind of path.
 *
 * A thread first processes its own chunks, whose vertices are in its cache, then steals from the others'. It relaxes
 * the edges of vertices whose entry is not stale and puts improved vertices into its own bins. Then it continues with
 * what it put into the current buckets itself, as long as that is little (bucket fusion: Zhang and others, 2020), which
 * saves most rounds on graphs of large diameter.
 */
#include "engine/cpu/delta_stepping_parts.h"

enum {
    FUSE = 1024,          /* entries up to which a thread continues by itself (bucket fusion), */
    FUSE_EDGES = 1 << 15, /* until it has relaxed this many edges */
    GAINS = 512,          /* edges that may improve a label, collected before they are tested again */
    AHEAD = 4,            /* entries between prefetching a row and reading it; */
    ASKED = 48            /* edges of a longer row that are prefetched */
};

HD_PATH_INLINE uint64_t bucket_of(const hd_stepping_setup *setup, const hd_path path, uint64_t label) {
    if (path == HD_SUM_U32 || path == HD_SUM_U64 || path == HD_SUM_I64)
        return label >> setup->shift;
    if (path == HD_SUM_F32 || path == HD_SUM_F64 || path == HD_SUM_D64) {
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

/* Both halves of a label count in an entry: sums of f32 weights in double often have equal low ones. */
HD_PATH_INLINE uint32_t mark_of(uint64_t label) { return (uint32_t)(label ^ label >> 32); }

/* Edges that seem to improve a label. Whether one does is unpredictable, so the loop over edges is branch-free and
 * collects them here; they are tested again, and then mostly do. */
typedef struct gains {
    uint64_t count;
    heddle_vertex vertices[GAINS];
    uint64_t labels[GAINS];
} gains;

HD_PATH_INLINE void realise(const hd_steps *s, hd_bins *bins, gains *found, const hd_path path, const bool shared) {
    for (uint64_t i = 0; i < found->count; i++) {
        heddle_vertex v = found->vertices[i];
        uint64_t improved = found->labels[i];
        if (hd_path_lower(path, s->setup.labels, v, improved, shared))
            hd_bins_put(bins, bucket_of(&s->setup, path, improved), v, mark_of(improved));
    }
    found->count = 0;
}

/* Relaxes out-edges k .. end, at most half as many as fit in `found`. */
HD_PATH_INLINE void follow(const hd_steps *s, hd_bins *bins, gains *found, uint64_t label, uint64_t k, uint64_t end,
                           const hd_path path) {
    const heddle_vertex *targets = s->setup.out.targets;
    const void *weights = s->setup.out.weights, *labels = s->setup.labels;
    uint64_t excess = 0, count = found->count;
    bins->edges += end - k;
    for (; k < end; k++) {
        heddle_vertex v = targets[k];
        uint64_t improved = hd_path_along(path, label, weights, k);
        if (path == HD_SUM_U32)
            excess |= (improved + 1) >> 32;
        if (path == HD_SUM_I64)
            excess |= improved == UINT64_MAX;
        if (path == HD_SUM_D64)
            excess |= improved == hd_path_unreached(path);
        found->vertices[count] = v;
        found->labels[count] = improved;
        count += improved < hd_path_label(path, labels, v);
    }
    found->count = count;
    bins->excess |= excess;
}

HD_PATH_INLINE void follow_row(const hd_steps *s, hd_bins *bins, gains *found, uint64_t label, uint64_t k, uint64_t end,
                               const hd_path path, const bool shared) {
    for (uint64_t stop; k < end; k = stop) {
        stop = end - k < GAINS / 2 ? end : k + GAINS / 2;
        follow(s, bins, found, label, k, stop, path);
        if (found->count >= GAINS / 2)
            realise(s, bins, found, path, shared);
    }
}

/* False if the list is full, which can happen if a vertex is added twice. */
static bool set_aside(hd_steps *s, heddle_vertex u) {
    uint64_t place = s->big_room ? hd_fetch_add(&s->big_count, 1) : 0;
    if (place >= s->big_room)
        return false;
    s->big[place] = u;
    return true;
}

/* Prefetches for later entries: first the row's offset, then the row. */
HD_PATH_INLINE void prefetch(const hd_steps *s, const hd_chunk *chunk, uint64_t i, const hd_path path) {
    if (i + 2 * AHEAD < chunk->count) {
        heddle_vertex u = chunk->entries[i + 2 * AHEAD].vertex;
        __builtin_prefetch(&s->setup.out.offsets[u]);
        __builtin_prefetch((const char *)s->setup.labels + (size_t)u * (hd_path_is_32(path) ? 4 : 8));
    }
    if (i + AHEAD < chunk->count) {
        const uint64_t *row = &s->setup.out.offsets[chunk->entries[i + AHEAD].vertex];
        uint64_t k = row[0], end = row[1] < k + ASKED ? row[1] : k + ASKED;
        for (; k < end; k += 16) {
            __builtin_prefetch(&s->setup.out.targets[k]);
            __builtin_prefetch((const char *)s->setup.out.weights + k * hd_path_weight_size(path));
        }
    }
}

/* Entries i .. end of a chunk. */
HD_PATH_INLINE void work_off(hd_steps *s, hd_bins *bins, const hd_chunk *chunk, uint64_t i, uint64_t end,
                             const hd_path path, const bool shared) {
    const uint64_t *offsets = s->setup.out.offsets;
    gains found;
    found.count = 0;
    for (end = end < chunk->count ? end : chunk->count; i < end; i++) {
        hd_entry entry = chunk->entries[i];
        prefetch(s, chunk, i, path);
        uint64_t label = hd_path_label(path, s->setup.labels, entry.vertex);
        uint64_t k = offsets[entry.vertex], row_end = offsets[entry.vertex + 1];
        if (mark_of(label) != entry.label)
            continue;
        if (row_end - k <= HD_STEPS_BIG || !set_aside(s, entry.vertex))
            follow_row(s, bins, &found, label, k, row_end, path, shared);
    }
    realise(s, bins, &found, path, shared);
}

/* One thread's part of a round: its own slices first, then slices that other threads have not started. */
HD_PATH_INLINE void share(hd_steps *s, hd_bins *bins, const hd_path path, const bool shared) {
    uint64_t slice, threads = (uint64_t)s->ctx->threads, me = (uint64_t)(bins - s->bins);
    for (uint64_t i = 0; i < threads; i++) {
        hd_bins *from = &s->bins[(me + i) % threads];
        while ((slice = hd_fetch_add(&from->next_slice, 1)) < from->end_slice && !hd_cancelled(s->ctx)) {
            uint64_t first = slice % HD_STEPS_SLICES * HD_STEPS_SLICE;
            work_off(s, bins, s->tasks[slice / HD_STEPS_SLICES], first, first + HD_STEPS_SLICE, path, shared);
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
HD_PATH_INLINE void share_big(hd_steps *s, hd_bins *bins, const hd_path path) {
    uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
    uint64_t count = s->big_count < s->big_room ? s->big_count : s->big_room;
    gains found;
    found.count = 0;
    for (uint64_t i = 0; i < count && !hd_cancelled(s->ctx); i++) {
        heddle_vertex u = s->big[i];
        uint64_t first = s->setup.out.offsets[u], degree = s->setup.out.offsets[u + 1] - first;
        uint64_t label = hd_path_label(path, s->setup.labels, u);
        follow_row(s, bins, &found, label, first + hd_split(degree, parts, part),
                   first + hd_split(degree, parts, part + 1), path, true);
    }
    realise(s, bins, &found, path, true);
}

/* Moves a thread's far entries to near buckets after `now` has advanced. */
HD_PATH_INLINE void bring_near(const hd_steps *s, hd_bins *bins, const hd_path path) {
    hd_chunk *chunk = bins->far.first;
    bins->far = (hd_chain){NULL, NULL, 0};
    bins->far_least = UINT64_MAX;
    while (chunk) {
        hd_chunk *next = chunk->next;
        for (uint64_t i = 0; i < chunk->count; i++) {
            hd_entry entry = chunk->entries[i];
            uint64_t label = hd_path_label(path, s->setup.labels, entry.vertex);
            if (mark_of(label) == entry.label)
                hd_bins_put(bins, bucket_of(&s->setup, path, label), entry.vertex, entry.label);
        }
        hd_chunk_recycle(bins, chunk);
        chunk = next;
    }
}

#define KERNELS(path)                                                                       \
    static void path##_alone(hd_steps *s, hd_bins *bins) { share(s, bins, path, false); }   \
    static void path##_together(hd_steps *s, hd_bins *bins) { share(s, bins, path, true); } \
    static void path##_big(hd_steps *s, hd_bins *bins) { share_big(s, bins, path); }        \
    static void path##_near(hd_steps *s, hd_bins *bins) { bring_near(s, bins, path); }
HD_EACH_PATH(KERNELS)

#define LINE(path) [path] = {path##_alone, path##_together, path##_big, path##_near},
static const hd_steps_kernels kernels[] = {HD_EACH_PATH(LINE)};

const hd_steps_kernels *hd_steps_kernels_of(hd_path path) { return &kernels[path]; }
