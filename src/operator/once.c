/* once.c - programs that promise ONCE: levels are found by breadth-first search without calling the program, and each
 * round has one message, which all vertices of its level get. */
#include "base/memory.h"
#include "base/parallel.h"
#include "operator/levels.h"
#include "operator/operator.h"

#include <string.h>

enum { GUESSED = 64 }; /* rounds that are tried on a vertex that is made up: k hops end with k */

static const char *refuse(const hd_cpu_program *program, const heddle_graph *graph, const hd_cpu_setup *setup) {
    (void)graph, (void)setup;
    return program->chain ? NULL : "the program has no ONCE";
}

/* Where messages stop to change anything, by a vertex that is made up; 0: not known. */
static heddle_status guess_last(hd_engine *e, uint64_t *last) {
    char *messages;
    HD_TRY(HD_NEW(e->ctx, &messages, GUESSED * e->program->message_size, "messages"));
    uint64_t changed = e->program->chain(&e->run, NULL, GUESSED, messages);
    HD_DELETE(&e->ctx->allocator, messages, GUESSED * e->program->message_size);
    *last = changed < GUESSED ? changed + 1 : 0;
    return HEDDLE_OK;
}

/* Some vertex of each level. */
static void find_holders(const hd_engine *e, const uint32_t *levels, uint32_t *holders, uint64_t count) {
    memset(holders, 0xff, count * sizeof *holders);
    HD_PARALLEL_FOR(e->ctx, schedule(static) if (e->run.vertices >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < e->run.vertices; v++)
        if (levels[v] < count && hd_load(&holders[levels[v]]) == UINT32_MAX)
            hd_store(&holders[levels[v]], (uint32_t)v);
}

static uint64_t spread(const hd_engine *e, const uint32_t *levels, const void *messages, uint64_t changed) {
    uint64_t others = 0;
    HD_PARALLEL_FOR(e->ctx, schedule(static) reduction(+ : others) if (e->run.vertices >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < e->pieces; k++)
        others += e->program->spread(&e->run, levels, messages, changed, hd_split(e->run.vertices, e->pieces, k),
                                     hd_split(e->run.vertices, e->pieces, k + 1));
    return others;
}

/* Messages of so many levels, or fewer; *done false if `limited`, and they do not stop there. */
static heddle_status deliver(hd_engine *e, const uint32_t *levels, uint64_t depth, bool limited, bool *done) {
    uint64_t room = (depth + 1) * e->program->message_size, changed;
    uint32_t *holders = NULL;
    char *messages = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(e->ctx, &holders, depth + 1, "messages"));
    HD_CHECK(HD_NEW(e->ctx, &messages, room, "messages"));
    find_holders(e, levels, holders, depth + 1);
    changed = e->program->chain(&e->run, holders, depth, messages);
    *done = !(limited && changed == depth) && spread(e, levels, messages, changed) == 0;
out:
    HD_DELETE(&e->ctx->allocator, holders, depth + 1);
    HD_DELETE(&e->ctx->allocator, messages, room);
    return status;
}

static heddle_status search(hd_engine *e, const heddle_graph *graph, uint64_t last, uint32_t *levels,
                            heddle_result *result, bool *done) {
    const hd_levels_from from = {e->setup->sources, e->setup->source_count, last};
    heddle_report report = {.iterations = 0};
    uint64_t reached;
    HD_TRY(hd_levels(e->ctx, graph, &from, levels, NULL, &report, &reached));
    e->run.iteration = report.iterations;
    e->walked += report.edges_walked;
    result->report.prepare += report.prepare;
    return deliver(e, levels, report.iterations, last && report.iterations == last, done);
}

static heddle_status run(hd_engine *e, const heddle_graph *graph, heddle_result *result, bool *done) {
    uint64_t last;
    uint32_t *levels;
    HD_TRY(guess_last(e, &last));
    HD_TRY(HD_NEW(e->ctx, &levels, e->run.vertices, "levels"));
    heddle_status status = search(e, graph, last, levels, result, done);
    if (status == HEDDLE_OK && !*done && last) { /* the guess may be wrong */
        e->program->initialise(&e->run, 0, e->run.vertices);
        status = search(e, graph, 0, levels, result, done);
    }
    HD_DELETE(&e->ctx->allocator, levels, e->run.vertices);
    return status;
}

const hd_operator hd_operator_once = {"levels", ONCE, refuse, run};
