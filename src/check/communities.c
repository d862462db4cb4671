/* communities.c - cdlp: the sequential reference; the validator compares with it.
 *
 * The labels of round N follow from those of round N - 1 alone: nothing shorter than doing the rounds again proves them
 * right. This is done in separate, simple code: the labels of a vertex' neighbours are sorted.
 */
#include "base/memory.h"
#include "check/check.h"
#include "engine/vertex_name.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 12 }; /* vertices between two checks of the cancel flag */

typedef struct rounds {
    heddle_context *ctx;
    uint64_t n, room;
    heddle_adjacency sides[2];
    int side_count;
    uint32_t *label, *next, *sorted;
} rounds;

static int by_label(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t most_frequent(const rounds *r, uint64_t v) {
    uint64_t count = 0, run = 0, most = 0;
    uint32_t best = r->label[v];
    for (int s = 0; s < r->side_count; s++)
        for (uint64_t e = r->sides[s].offsets[v]; e < r->sides[s].offsets[v + 1]; e++)
            r->sorted[count++] = r->label[r->sides[s].targets[e]];
    qsort(r->sorted, count, sizeof *r->sorted, by_label);
    for (uint64_t i = 0; i < count; i++) {
        run = i && r->sorted[i] == r->sorted[i - 1] ? run + 1 : 1;
        if (run > most) { /* ascending: of equals the first, the smallest, stays */
            most = run;
            best = r->sorted[i];
        }
    }
    return best;
}

static heddle_status open_rounds(rounds *r, const heddle_graph *graph) {
    r->n = graph->vertices;
    r->side_count = graph->directed ? 2 : 1;
    for (int s = 0; s < r->side_count; s++)
        HD_TRY(hd_graph_bare(r->ctx, graph, s == 1, &r->sides[s]));
    for (uint64_t v = 0; v < r->n; v++) {
        uint64_t count = 0;
        for (int s = 0; s < r->side_count; s++)
            count += r->sides[s].offsets[v + 1] - r->sides[s].offsets[v];
        r->room = count > r->room ? count : r->room;
    }
    HD_TRY(HD_NEW(r->ctx, &r->label, r->n, "labels"));
    HD_TRY(HD_NEW(r->ctx, &r->next, r->n, "labels"));
    return HD_NEW(r->ctx, &r->sorted, r->room, "sorted labels");
}

static void close_rounds(rounds *r) {
    HD_DELETE(&r->ctx->allocator, r->label, r->n);
    HD_DELETE(&r->ctx->allocator, r->next, r->n);
    HD_DELETE(&r->ctx->allocator, r->sorted, r->room);
}

/* Fills `label`; returns how many changed in the last round. */
static uint64_t do_rounds(rounds *r, uint64_t most) {
    uint64_t changed = r->n;
    for (uint64_t v = 0; v < r->n; v++)
        r->label[v] = (uint32_t)v;
    for (uint64_t round = 0; round < most && changed && !hd_cancelled(r->ctx); round++) {
        changed = 0;
        for (uint64_t v = 0; v < r->n && !(v % STEP == 0 && hd_advance(r->ctx, STEP)); v++) {
            r->next[v] = most_frequent(r, v);
            changed += r->next[v] != r->label[v];
        }
        uint32_t *old = r->label;
        r->label = r->next;
        r->next = old;
    }
    return changed;
}

static void add_figures(rounds *r, uint64_t changed, heddle_result *result) {
    uint64_t communities = 0, largest = 0;
    memset(r->next, 0, r->n * sizeof *r->next);
    for (uint64_t v = 0; v < r->n; v++) {
        uint64_t size = ++r->next[r->label[v]];
        communities += size == 1;
        largest = size > largest ? size : largest;
    }
    hd_result_figure(result, "communities", (double)communities);
    hd_result_figure(result, "largest", (double)largest);
    hd_result_figure(result, "changed", (double)changed);
}

heddle_status hd_reference_cdlp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                heddle_result *result) {
    rounds r = {.ctx = ctx};
    heddle_status status;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, graph->vertices));
    HD_CHECK(open_rounds(&r, graph));
    uint64_t changed = do_rounds(&r, options->max_iterations);
    HD_CHECK(hd_cancelled_status(ctx));
    if (r.n)
        memcpy(result->values, r.label, r.n * sizeof *r.label);
    add_figures(&r, changed, result);
out:
    hd_phase_end(ctx);
    close_rounds(&r);
    return status;
}

heddle_status hd_verify_cdlp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             const heddle_result *result) {
    const uint32_t *label = result->values;
    rounds r = {.ctx = ctx};
    heddle_status status;
    if (result->type != HEDDLE_VALUE_U32 || result->count != graph->vertices)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one 32-bit label for each of %llu vertices",
                       (unsigned long long)graph->vertices);
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_rounds(&r, graph));
    do_rounds(&r, options->max_iterations);
    HD_CHECK(hd_cancelled_status(ctx));
    for (uint64_t v = 0; v < r.n && status == HEDDLE_OK; v++)
        if (label[v] >= r.n)
            status = hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s: its label is no vertex",
                             hd_vertex_name(ctx, graph, (heddle_vertex)v).text);
        else if (label[v] != r.label[v])
            status = hd_fail(ctx, HEDDLE_E_VERIFY, "vertex %s: label %s, expected %s",
                             hd_vertex_name(ctx, graph, (heddle_vertex)v).text,
                             hd_vertex_name(ctx, graph, label[v]).text, hd_vertex_name(ctx, graph, r.label[v]).text);
out:
    hd_phase_end(ctx);
    close_rounds(&r);
    return status;
}
