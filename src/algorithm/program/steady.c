/* steady.c - see steady.h. */
#include "algorithm/program/steady.h"

#include "algorithm/program/from_disk.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

heddle_status hd_steady_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    for (uint64_t v = 0; options->initial && v < graph->vertices; v++)
        if (!isfinite(options->initial[v])) {
            char id[64];
            heddle_graph_id_text(graph, (heddle_vertex)v, id, sizeof id);
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "initial value of vertex %s: expected a finite number", id);
        }
    return HEDDLE_OK;
}

/* With initial values and fixed vertices. */
hd_disk_wants hd_steady_disk_wants(const hd_run *run) {
    bool in_double = run->options.precision == HEDDLE_PRECISION_DOUBLE;
    hd_disk_wants wants = hd_from_disk_program_wants(hd_cpu_program_find(run->algorithm->program, in_double), false);
    wants.vertex_bytes += sizeof(double) + 1;
    return wants;
}

heddle_status hd_run_steady(const hd_run *run, const char *name, double rest, bool first, bool last) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    const heddle_run_options *options = &run->options;
    uint64_t n = graph->vertices;
    double *initial = NULL;
    unsigned char *fixed = NULL;
    heddle_status status;
    bool own = !options->initial && !options->fixed;
    hd_cpu_setup setup = {.initial = options->initial,
                          .fixed = options->fixed,
                          .parameter = {options->rate},
                          .tolerance = options->tolerance,
                          .max_iterations = options->max_iterations,
                          .steady = true};
    HD_TRY(hd_steady_check(ctx, graph, options));
    if (!options->initial) {
        HD_CHECK(HD_NEW(ctx, &initial, n, "initial values"));
        for (uint64_t v = 0; v < n; v++)
            initial[v] = rest;
        setup.initial = initial;
    }
    if (own && n && (first || last)) {
        HD_CHECK(HD_NEW_ZERO(ctx, &fixed, n, "fixed vertices"));
        uint64_t front = graph->places ? graph->places[0] : 0, back = graph->places ? graph->places[n - 1] : n - 1;
        if (last) {
            fixed[back] = 1;
            initial[back] = 0;
        }
        if (first) {
            fixed[front] = 1;
            initial[front] = 1;
        }
        setup.fixed = fixed;
    }
    HD_CHECK(hd_program_execute_named(run, name, &setup));
out:
    HD_DELETE(&ctx->allocator, initial, n);
    HD_DELETE(&ctx->allocator, fixed, n);
    return status;
}
