/* parents.c - see parents.h. First every vertex looks for strictly better parents, over all edges in even shares. What
 * is left, if anything, is found by a breadth-first search over tight edges between equal labels, from all vertices
 * that have a parent by then.
 */
#include "algorithm/paths/parents.h"

#include "base/memory.h"
#include "engine/cpu/frontier.h"
#include "engine/in_edges.h"
#include "graph/rows.h"

#define NONE UINT32_MAX

enum { SHARE = 1 << 16 /* edges in a thread's portion */ };

typedef struct family {
    heddle_context *ctx;
    heddle_adjacency out, in; /* in.offsets NULL: not at hand */
    uint64_t vertices, edges;
    const void *labels;
    heddle_vertex *parents;
    uint32_t *rounds; /* the search's: when a vertex got its parent; 0 before the search, NONE: not yet */
    uint32_t round;
    hd_frontier queue;
} family;

/* ---- Strictly better parents --------------------------------------------------------------------------------- */

/* v looks at its in-edges k .. end; they ascend, so the first that fits is the smallest. */
HD_PATH_INLINE void look_in(const family *f, uint64_t v, uint64_t k, uint64_t end, const hd_path path) {
    uint64_t label = hd_path_label(path, f->labels, v);
    if (label == 0 || label == hd_path_unreached(path))
        return;
    for (; k < end; k++) {
        uint64_t from = hd_path_label(path, f->labels, f->in.targets[k]);
        if (from < label && hd_path_along(path, from, f->in.weights, k) == label) {
            hd_lower(&f->parents[v], f->in.targets[k]);
            return;
        }
    }
}

/* u offers itself along its out-edges k .. end. */
HD_PATH_INLINE void look_out(const family *f, uint64_t u, uint64_t k, uint64_t end, const hd_path path) {
    uint64_t label = hd_path_label(path, f->labels, u);
    for (; label != hd_path_unreached(path) && k < end; k++) {
        uint64_t to = hd_path_label(path, f->labels, f->out.targets[k]);
        if (label < to && hd_path_along(path, label, f->out.weights, k) == to)
            hd_lower(&f->parents[f->out.targets[k]], (heddle_vertex)u);
    }
}

/* Edges k .. stop, wherever in their rows they lie. */
HD_PATH_INLINE void look(const family *f, const heddle_adjacency *rows, uint64_t k, uint64_t stop, const hd_path path) {
    for (uint64_t row = hd_row_of(rows->offsets, f->vertices, k); k < stop; row++) {
        uint64_t end = rows->offsets[row + 1] < stop ? rows->offsets[row + 1] : stop;
        if (f->in.offsets)
            look_in(f, row, k, end, path);
        else
            look_out(f, row, k, end, path);
        k = end;
    }
}

/* ---- Parents with an equal label ----------------------------------------------------------------------------- */

HD_PATH_INLINE void walk(void *self, heddle_vertex u, uint64_t k, uint64_t end, hd_finds *finds, const hd_path path) {
    family *f = self;
    uint64_t label = hd_path_label(path, f->labels, u);
    for (; k < end; k++) {
        heddle_vertex v = f->out.targets[k];
        if (hd_path_label(path, f->labels, v) != label || hd_path_along(path, label, f->out.weights, k) != label)
            continue;
        uint32_t round = hd_load(&f->rounds[v]);
        bool first = round == NONE && hd_compare_swap(&f->rounds[v], &round, f->round);
        if (first || round == f->round)
            hd_lower(&f->parents[v], u);
        if (first && hd_finds_push(finds, v))
            hd_finds_flush(finds);
    }
}

/* The loops above for each kind of path. */
typedef struct kernels {
    void (*look)(const family *f, const heddle_adjacency *rows, uint64_t k, uint64_t stop);
    void (*share)(family *f, bool big);
} kernels;

#define KERNELS(path)                                                                                        \
    static void path##_look(const family *f, const heddle_adjacency *rows, uint64_t k, uint64_t stop) {      \
        look(f, rows, k, stop, path);                                                                        \
    }                                                                                                        \
    static inline void path##_walk(void *self, heddle_vertex u, uint64_t k, uint64_t end, hd_finds *finds) { \
        walk(self, u, k, end, finds, path);                                                                  \
    }                                                                                                        \
    static void path##_share(family *f, bool big) {                                                          \
        hd_finds finds;                                                                                      \
        hd_finds_begin(&finds, &f->queue);                                                                   \
        if (big)                                                                                             \
            hd_frontier_walk_big(&f->queue, &f->out, path##_walk, f, &finds);                                \
        else                                                                                                 \
            hd_frontier_walk(f->ctx, &f->queue, &f->out, path##_walk, f, &finds);                            \
        hd_finds_flush(&finds);                                                                              \
    }
HD_EACH_PATH(KERNELS)

#define LINE(path) [path] = {path##_look, path##_share},
static const kernels kernels_of[] = {HD_EACH_PATH(LINE)};

/* ---- The two parts ------------------------------------------------------------------------------------------- */

static heddle_status look_everywhere(family *f, hd_path path) {
    const heddle_adjacency *rows = f->in.offsets ? &f->in : &f->out;
    uint64_t shares = (f->edges + SHARE - 1) / SHARE;
    HD_PARALLEL_FOR(f->ctx, schedule(dynamic, 1) if (shares > 1))
    for (uint64_t i = 0; i < shares; i++)
        if (!hd_advance(f->ctx, SHARE))
            kernels_of[path].look(f, rows, hd_split(f->edges, shares, i), hd_split(f->edges, shares, i + 1));
    return hd_cancelled_status(f->ctx);
}

static bool reached(const family *f, hd_path path, uint64_t v) {
    return hd_path_label(path, f->labels, v) != hd_path_unreached(path);
}

/* How many vertices should have a parent and have none; all others start the search. Only sources have label 0 and no
 * parent, but others may have it too. */
static uint64_t count_orphans(const family *f, hd_path path, const heddle_run_options *options) {
    uint64_t orphans = 0;
    HD_PARALLEL_FOR(f->ctx, schedule(static) reduction(+ : orphans) if (f->vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < f->vertices; v++)
        orphans += f->parents[v] == NONE && reached(f, path, v);
    for (uint64_t i = 0; i < options->source_count; i++)
        if (f->parents[options->sources[i]] == NONE) {
            orphans--;
            f->parents[options->sources[i]] = NONE - 1; /* counts once, even when named twice */
        }
    for (uint64_t i = 0; i < options->source_count; i++)
        f->parents[options->sources[i]] = NONE;
    return orphans;
}

static heddle_status search(family *f, hd_path path, const heddle_run_options *options) {
    uint64_t mean = f->edges / f->vertices + 1;
    for (uint64_t v = 0; v < f->vertices; v++) {
        f->rounds[v] = f->parents[v] == NONE ? NONE : 0;
        if (f->parents[v] != NONE)
            f->queue.items[f->queue.tail++] = (heddle_vertex)v;
    }
    for (uint64_t i = 0; i < options->source_count; i++)
        if (f->rounds[options->sources[i]] == NONE) {
            f->rounds[options->sources[i]] = 0;
            f->queue.items[f->queue.tail++] = options->sources[i];
        }
    for (uint64_t size, done = 0; (size = hd_frontier_slide(&f->queue)) > 0;) {
        f->round++;
        if (size * mean < HD_FRONTIER_SMALL) {
            kernels_of[path].share(f, false);
        } else {
            HD_PARALLEL(f->ctx)
            kernels_of[path].share(f, false);
        }
        if (f->queue.big_count) {
            HD_PARALLEL(f->ctx)
            kernels_of[path].share(f, true);
        }
        done += size * mean;
        if (done >= SHARE) {
            hd_advance(f->ctx, done);
            done = 0;
        }
        HD_TRY(hd_cancelled_status(f->ctx));
    }
    return HEDDLE_OK;
}

heddle_status hd_parents(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                         hd_path path, const void *labels, heddle_vertex *parents) {
    family f = {.ctx = ctx, .vertices = graph->vertices, .edges = graph->edges, .labels = labels, .parents = parents};
    heddle_status status = HEDDLE_OK;
    memset(parents, 0xff, graph->vertices * sizeof *parents);
    HD_TRY(heddle_graph_out(ctx, graph, &f.out));
    if (hd_in_edges_ready(graph))
        HD_TRY(heddle_graph_in(ctx, graph, &f.in));
    hd_phase_begin(ctx, "parents", f.edges);
    HD_CHECK(look_everywhere(&f, path));
    if (count_orphans(&f, path, options) > 0) {
        HD_CHECK(HD_NEW(ctx, &f.rounds, f.vertices, "parents"));
        HD_CHECK(hd_frontier_new(ctx, &f.queue, f.vertices, f.edges));
        HD_CHECK(search(&f, path, options));
    }
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, f.rounds, f.vertices);
    hd_frontier_free(ctx, &f.queue, f.vertices);
    return status;
}

heddle_status hd_level_parents(const hd_run *run) {
    const uint32_t *levels = run->result->values;
    heddle_adjacency out;
    HD_TRY(hd_result_parents_new(run->ctx, run->result, run->graph->vertices));
    HD_TRY(hd_graph_bare(run->ctx, run->graph, false, &out));
    heddle_vertex *parents = run->result->parents;
    memset(parents, 0xff, run->graph->vertices * sizeof *parents);
    HD_PARALLEL_FOR(run->ctx, schedule(dynamic, 1024))
    for (uint64_t v = 0; v < run->graph->vertices; v++)
        for (uint64_t k = out.offsets[v]; levels[v] != UINT32_MAX && k < out.offsets[v + 1]; k++)
            if (levels[out.targets[k]] == levels[v] + 1)
                hd_lower(&parents[out.targets[k]], (heddle_vertex)v);
    return HEDDLE_OK;
}
