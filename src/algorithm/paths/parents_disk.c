/* parents_disk.c - the smallest parents (parents.h) of paths from a file: one pass for strictly better parents, then,
 * where weights of 0 or rounding leave vertices without one, a breadth-first search over tight edges between equal
 * labels, a pass per round. */
#include "algorithm/paths/parents_disk.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct family {
    const void *labels;
    heddle_vertex *parents;
    uint32_t *rounds; /* the search's: when a vertex got its parent; 0 before the search, NONE: not yet */
    uint32_t round;
    uint64_t found; /* in this round */
} family;

/* u offers itself along its out-edges k .. end. */
HD_PATH_INLINE void offer(const family *f, const hd_csr *rows, uint64_t u, uint64_t k, uint64_t end,
                          const hd_path path) {
    uint64_t label = hd_path_label(path, f->labels, u);
    for (; label != hd_path_unreached(path) && k < end; k++) {
        uint64_t to = hd_path_label(path, f->labels, rows->targets[k]);
        if (label < to && hd_path_along(path, label, rows->weights, k) == to)
            hd_lower(&f->parents[rows->targets[k]], (heddle_vertex)u);
    }
}

/* The same to vertices of the same label, from those that got their parent in the round before. */
HD_PATH_INLINE void extend(family *f, const hd_csr *rows, uint64_t u, uint64_t k, uint64_t end, const hd_path path) {
    uint64_t label = hd_path_label(path, f->labels, u), found = 0;
    if (hd_load(&f->rounds[u]) != f->round - 1)
        return;
    for (; k < end; k++) {
        heddle_vertex v = rows->targets[k];
        if (hd_path_label(path, f->labels, v) != label || hd_path_along(path, label, rows->weights, k) != label)
            continue;
        uint32_t round = NONE;
        bool first = hd_compare_swap(&f->rounds[v], &round, f->round);
        if (first || round == f->round)
            hd_lower(&f->parents[v], (heddle_vertex)u);
        found += first;
    }
    if (found)
        hd_fetch_add(&f->found, found);
}

typedef struct kernels {
    hd_strip_fn offer, extend;
} kernels;

#define KERNELS(path)                                                                                       \
    static void path##_offer(void *self, const hd_csr *rows, uint64_t row, uint64_t first, uint64_t end) {  \
        offer(self, rows, row, first, end, path);                                                           \
    }                                                                                                       \
    static void path##_extend(void *self, const hd_csr *rows, uint64_t row, uint64_t first, uint64_t end) { \
        extend(self, rows, row, first, end, path);                                                          \
    }
HD_EACH_PATH(KERNELS)

#define LINE(path) [path] = {path##_offer, path##_extend},
static const kernels kernels_of[] = {HD_EACH_PATH(LINE)};

/* Marks the vertices that have a parent, or need none; counts the others. */
static uint64_t mark_orphans(const family *f, uint64_t vertices, const heddle_run_options *options, hd_path path) {
    uint64_t orphans = 0;
    for (uint64_t v = 0; v < vertices; v++)
        f->rounds[v] = f->parents[v] == NONE ? NONE : 0;
    for (uint64_t i = 0; i < options->source_count; i++)
        f->rounds[options->sources[i]] = 0;
    for (uint64_t v = 0; v < vertices; v++)
        orphans += f->rounds[v] == NONE && hd_path_label(path, f->labels, v) != hd_path_unreached(path);
    return orphans;
}

static heddle_status find(const hd_run *run, hd_disk *disk, hd_path path, family *f) {
    uint64_t n = run->graph->vertices;
    HD_TRY(hd_from_disk_each_row(run, disk, kernels_of[path].offer, f));
    uint64_t orphans = mark_orphans(f, n, &run->options, path);
    for (f->found = orphans; orphans && f->found; orphans -= f->found) {
        f->round++;
        f->found = 0;
        HD_TRY(hd_from_disk_each_row(run, disk, kernels_of[path].extend, f));
    }
    return HEDDLE_OK;
}

heddle_status hd_parents_from_disk(const hd_run *run, hd_disk *disk, hd_path path, const void *labels) {
    heddle_context *ctx = run->ctx;
    uint64_t n = run->graph->vertices;
    HD_TRY(hd_result_parents_new(ctx, run->result, n));
    family f = {.labels = labels, .parents = run->result->parents};
    memset(f.parents, 0xff, n * sizeof *f.parents);
    HD_TRY(HD_NEW(ctx, &f.rounds, n, "parents"));
    hd_phase_begin(ctx, "parents", run->graph->edges);
    heddle_status status = find(run, disk, path, &f);
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, f.rounds, n);
    return status;
}
