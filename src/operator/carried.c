/* carried.c - programs that promise CARRIED, on graphs whose edges lead both ways: a component's vertices all end with
 * what reduce makes of their first values. Components are found without calling the program (graph/components.h). */
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/components.h"
#include "operator/operator.h"

static const char *refuse(const hd_cpu_program *program, const heddle_graph *graph, const hd_cpu_setup *setup) {
    (void)setup;
    return !program->join    ? "values do not have 4 or 8 bytes"
           : graph->directed ? "the graph is directed: a value need not reach all of a component"
                             : NULL;
}

static bool reduce_components(hd_engine *e, const heddle_vertex *labels, heddle_vertex giant) {
    uint64_t others = 0, n = e->run.vertices;
    HD_PARALLEL_FOR(e->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < e->pieces; k++)
        if (hd_split(n, e->pieces, k) < hd_split(n, e->pieces, k + 1))
            e->program->join(&e->run, labels, giant, hd_split(n, e->pieces, k), hd_split(n, e->pieces, k + 1));
    HD_PARALLEL_FOR(e->ctx, schedule(static) reduction(+ : others) if (n >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < e->pieces; k++)
        others += e->program->carry(&e->run, labels, hd_split(n, e->pieces, k), hd_split(n, e->pieces, k + 1));
    return others == 0;
}

static heddle_status run(hd_engine *e, const heddle_graph *graph, heddle_result *result, bool *done) {
    uint64_t n = e->run.vertices;
    heddle_adjacency rows;
    hd_components found;
    heddle_vertex *labels;
    (void)result;
    *done = n == 0;
    HD_TRY(hd_graph_bare(e->ctx, graph, false, &rows));
    HD_TRY(HD_NEW(e->ctx, &labels, n, "components"));
    heddle_status status = n ? hd_weak_labels(e->ctx, n, &rows, &rows, labels, &found) : HEDDLE_OK;
    if (status == HEDDLE_OK && n) {
        *done = reduce_components(e, labels, found.first);
        e->run.iteration = 2; /* as they are recorded: a sample of the edges, and the others */
        e->walked += found.walked;
    }
    HD_DELETE(&e->ctx->allocator, labels, n);
    return status;
}

const hd_operator hd_operator_carried = {"components", CARRIED, refuse, run};
