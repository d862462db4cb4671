/* program_reversed.c - a program whose messages go against the edges (REVERSED) is one that runs on the graph with
 * every edge reversed, on the CPU, on devices and in parts. */
#include "algorithm/program/from_disk.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"
#include "engine/reversed_graph.h"
#include "exchange/together.h"

static bool serves(const hd_run *run) { return run->program->program.traits & REVERSED; }

/* Rows that are read from a file, by one process or by several, are those of one direction. */
static heddle_status check(const hd_run *run) {
    const char *what = hd_together(run->ctx) ? "ranks" : hd_from_disk(run) ? "residency=disk" : NULL;
    if (!what || !run->graph->directed)
        return HEDDLE_OK;
    return hd_fail(run->ctx, HEDDLE_E_REFUSED,
                   "%s: %s: REVERSED walks the edges against the direction in which the file has them; use a "
                   "file with reversed edges and a program without REVERSED instead",
                   run->program->program.name, what);
}

static heddle_status open_reversed(hd_view *view) {
    const hd_run *run = view->run;
    hd_program_run *adapted;
    HD_TRY(HD_NEW_ZERO(run->ctx, &adapted, 1, "a program"));
    view->own = adapted;
    *adapted = *run->program;
    adapted->program.traits &= ~REVERSED;
    view->inner.program = adapted;
    return hd_derived_reversed_of(run->ctx, run->graph, &run->result->report, &view->inner.graph);
}

static heddle_status map_result(hd_view *view) {
    (void)view;
    return HEDDLE_OK;
}

static void close_reversed(hd_view *view) {
    hd_program_run *adapted = view->own;
    HD_DELETE(&view->run->ctx->allocator, adapted, 1);
}

const hd_view_kind hd_view_program_reversed = {.keeps_numbers = true,
                                               .check = check,
                                               .serves = serves,
                                               .open = open_reversed,
                                               .map_result = map_result,
                                               .close = close_reversed};
