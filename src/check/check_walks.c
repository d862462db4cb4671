/* check_walks.c - walks: the sequential reference, and the validator of a result.
 *
 * The reference draws the random words that a step is defined by (engine/walk_step.h) and looks the row up by plain
 * scans. The validator checks of every walk that it begins where it should, follows arcs (of some weight, if weights
 * count) and ends early only where none leave; and it makes walks again and compares them: all of them if that is not
 * too much work, else some, spread evenly, as many as a budget allows, and says so.
 */
#include "check/check_walks.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/vertex_name.h"
#include "engine/walk_rules.h"
#include "graph/rows.h"

#include <math.h>

enum { STEP = 1 << 10 }; /* walks between two checks of the cancel flag */

typedef struct walker {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_adjacency out;
    hd_walk_plan plan;
    uint64_t *sums; /* of one row */
    uint64_t longest;
    uint64_t scanned; /* arcs so far */
    uint64_t chances[3];
    bool second; /* the vertex before counts */
} walker;

/* node2vec's: 1/p back to the vertex before, 1 to its neighbours, 1/q elsewhere; in parts of 2^31 of the largest, at
 * least one. */
static void weigh_steps(walker *w, const heddle_run_options *options) {
    double p = options->p > 0 ? options->p : 1, q = options->q > 0 ? options->q : 1;
    double wish[] = {1 / p, 1, 1 / q}, most = fmax(1, fmax(wish[0], wish[2]));
    for (int k = 0; k < 3; k++) {
        double share = isinf(wish[k]) ? 1 : wish[k] / most; /* all that are infinite are alike */
        w->chances[k] = (uint64_t)fmin(0x1p31, fmax(1, floor(share * 0x1p31 + 0.5)));
    }
    w->second = p != 1 || q != 1;
}

static heddle_status open_walker(walker *w, const heddle_run_options *options) {
    w->plan = hd_walk_plan_of(w->graph, options);
    weigh_steps(w, options);
    HD_TRY(w->plan.rules.weighted ? heddle_graph_out(w->ctx, w->graph, &w->out)
                                  : hd_graph_bare(w->ctx, w->graph, false, &w->out));
    for (uint64_t v = 0; v < w->graph->vertices; v++) {
        uint64_t count = w->out.offsets[v + 1] - w->out.offsets[v];
        w->longest = count > w->longest ? count : w->longest;
    }
    return HD_NEW(w->ctx, &w->sums, w->longest, "sums of a row");
}

static void close_walker(walker *w) { HD_DELETE(&w->ctx->allocator, w->sums, w->longest); }

static bool stop(heddle_context *ctx, uint64_t step) { return step % STEP == 0 && hd_advance(ctx, STEP); }

static bool has_arc(walker *w, heddle_vertex from, heddle_vertex to) {
    for (uint64_t e = w->out.offsets[from]; e < w->out.offsets[from + 1]; e++, w->scanned++)
        if (w->out.targets[e] == to)
            return true;
    return false;
}

static uint64_t chance_of(walker *w, heddle_vertex before, heddle_vertex next) {
    return w->chances[next == before ? 0 : has_arc(w, before, next) ? 1 : 2];
}

/* The position of the arc in its row that a random word stands for. */
static uint64_t drawn_arc(const walker *w, uint64_t count, uint64_t word) {
    uint64_t k = 0;
    if (!w->plan.rules.weighted)
        return walk_below(word, count);
    while (w->sums[k] <= word >> 1)
        k++;
    return k;
}

/* How much an arc counts when a whole row is summed up. */
static uint64_t share_of(const walker *w, uint64_t k) {
    uint64_t all = w->sums[k] - (k ? w->sums[k - 1] : 0);
    return !w->plan.rules.weighted ? 1 : !all ? 0 : all < UINT64_C(1) << 32 ? 1 : all >> 32;
}

static heddle_vertex drawn_from_row(walker *w, const heddle_vertex *row, uint64_t count, heddle_vertex before,
                                    uint64_t word) {
    uint64_t all = 0, k = 0;
    for (uint64_t i = 0; i < count; i++)
        all += share_of(w, i) * chance_of(w, before, row[i]);
    word = walk_below(word, all);
    for (uint64_t own; word >= (own = share_of(w, k) * chance_of(w, before, row[k])); k++)
        word -= own;
    return row[k];
}

static heddle_vertex step_from(walker *w, heddle_vertex before, heddle_vertex at, uint64_t stream, uint64_t *drawn) {
    uint64_t begin = w->out.offsets[at], count = w->out.offsets[at + 1] - begin;
    const heddle_vertex *row = w->out.targets + begin;
    w->scanned += count;
    if (w->plan.rules.weighted)
        hd_walk_sums(w->out.weights, w->graph->weight_type, begin, begin + count, w->sums);
    if (!count || (w->plan.rules.weighted && !w->sums[count - 1]))
        return WALK_NONE;
    bool free_choice = !w->second || before == WALK_NONE;
    for (int tries = 0; tries < WALK_TRIES; tries++) {
        heddle_vertex next = row[drawn_arc(w, count, walk_word(stream, (*drawn)++))];
        if (free_choice || walk_word(stream, (*drawn)++) >> 33 < chance_of(w, before, next))
            return next;
    }
    return drawn_from_row(w, row, count, before, walk_word(stream, (*drawn)++));
}

/* One walk; its k-th vertex is path[k * stride]. */
static void make_walk(walker *w, uint64_t index, uint32_t *path, uint64_t stride) {
    heddle_vertex before = WALK_NONE, at = hd_walk_start(&w->plan, index);
    uint64_t stream = walk_stream(w->plan.rules.seed, at, index % w->plan.each), drawn = 0;
    path[0] = at;
    for (uint64_t k = 1; k <= w->plan.steps; k++) {
        heddle_vertex next = at == WALK_NONE ? WALK_NONE : step_from(w, before, at, stream, &drawn);
        before = at;
        at = path[k * stride] = next;
    }
}

static void add_figures(heddle_result *result) {
    const uint32_t *path = result->values;
    uint64_t steps = 0, ended = 0;
    for (uint64_t i = 0; i < result->count; i++) {
        for (uint64_t k = 1; k < result->columns; k++)
            steps += path[k * result->count + i] != WALK_NONE;
        ended += path[(result->columns - 1) * result->count + i] == WALK_NONE;
    }
    hd_result_figure_whole(result, "walks", result->count);
    hd_result_figure_whole(result, "steps", steps);
    hd_result_figure_whole(result, "ended", ended);
}

heddle_status hd_reference_walks(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                 heddle_result *result) {
    walker w = {.ctx = ctx, .graph = graph};
    heddle_status status;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(open_walker(&w, options));
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, w.plan.walks * (w.plan.steps + 1)));
    result->count = w.plan.walks;
    result->columns = w.plan.steps + 1;
    result->walks = true;
    for (uint64_t i = 0; i < w.plan.walks && !stop(ctx, i); i++)
        make_walk(&w, i, (uint32_t *)result->values + i, w.plan.walks);
    HD_CHECK(hd_cancelled_status(ctx));
    add_figures(result);
out:
    hd_phase_end(ctx);
    close_walker(&w);
    return status;
}

/* ---- The validator ----------------------------------------------------------------------------------------------- */

/* Whether a walk may go from one vertex to another, or, with WALK_NONE, end there. Rows are in order. */
static bool may_follow(const walker *w, heddle_vertex at, heddle_vertex next) {
    uint64_t e = w->out.offsets[at], end = w->out.offsets[at + 1];
    bool ends = next == WALK_NONE;
    if (!ends)
        e += hd_row_find(w->out.targets + e, end - e, next);
    for (; e < end && (ends || w->out.targets[e] == next); e++)
        if (!w->plan.rules.weighted || hd_weight_at(w->out.weights, w->graph->weight_type, e) > 0)
            return !ends;
    return ends;
}

static heddle_status wrong(const walker *w, uint64_t walk, uint64_t step, const char *what) {
    hd_name start = hd_vertex_name(w->ctx, w->graph, hd_walk_start(&w->plan, walk));
    return hd_fail(w->ctx, HEDDLE_E_VERIFY, "walk %llu, from vertex %s: after %llu edges: %s", (unsigned long long)walk,
                   start.text, (unsigned long long)step, what);
}

static heddle_status check_walk(const walker *w, const uint32_t *path, uint64_t walk) {
    uint64_t stride = w->plan.walks;
    if (path[walk] != hd_walk_start(&w->plan, walk))
        return wrong(w, walk, 0, "another vertex than its source");
    for (uint64_t k = 1; k <= w->plan.steps; k++) {
        heddle_vertex at = path[(k - 1) * stride + walk], next = path[k * stride + walk];
        if (at == WALK_NONE ? next != WALK_NONE : !may_follow(w, at, next))
            return wrong(w, walk, k, next == WALK_NONE ? "ends where arcs leave" : "a vertex to which no arc leads");
    }
    return HEDDLE_OK;
}

/* Makes walks again, from one that the seed gives on, until the budget is spent. */
static heddle_status repeat_walks(walker *w, const uint32_t *path, uint64_t budget) {
    uint64_t n = w->plan.walks, first = n ? hd_below(hd_random(w->plan.rules.seed, n), n) : 0, done = 0;
    uint64_t apart = n / 1021 + 1; /* of a part, spread evenly */
    uint32_t *own;
    heddle_status status = HEDDLE_OK;
    HD_TRY(HD_NEW(w->ctx, &own, w->plan.steps + 1, "a walk"));
    for (uint64_t turn = 0; turn < apart && status == HEDDLE_OK && w->scanned <= budget; turn++)
        for (uint64_t i = turn; i < n && status == HEDDLE_OK && w->scanned <= budget && !stop(w->ctx, done);
             i += apart, done++) {
            uint64_t walk = (first + i) % n;
            make_walk(w, walk, own, 1);
            for (uint64_t k = 1; k <= w->plan.steps && status == HEDDLE_OK; k++)
                if (own[k] != path[k * n + walk])
                    status = wrong(w, walk, k, "another vertex than the seed gives");
        }
    HD_DELETE(&w->ctx->allocator, own, w->plan.steps + 1);
    if (status == HEDDLE_OK && done < n && !hd_cancelled(w->ctx))
        hd_note(w->ctx, "walks: %llu of %llu were made again", (unsigned long long)done, (unsigned long long)n);
    return status == HEDDLE_OK ? hd_cancelled_status(w->ctx) : status;
}

heddle_status hd_verify_walks_within(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                     const heddle_result *result, uint64_t budget) {
    walker w = {.ctx = ctx, .graph = graph};
    heddle_status status;
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_walker(&w, options));
    if (result->type != HEDDLE_VALUE_U32 || result->count != w.plan.walks || result->columns != w.plan.steps + 1)
        HD_CHECK(hd_fail(ctx, HEDDLE_E_VERIFY, "expected %llu walks of %llu edges", (unsigned long long)w.plan.walks,
                         (unsigned long long)w.plan.steps));
    for (uint64_t i = 0; i < w.plan.walks && status == HEDDLE_OK && !stop(ctx, i); i++)
        status = check_walk(&w, result->values, i);
    HD_CHECK(status);
    HD_CHECK(hd_cancelled_status(ctx));
    w.scanned = 0;
    status = repeat_walks(&w, result->values, budget);
out:
    hd_phase_end(ctx);
    close_walker(&w);
    return status;
}

heddle_status hd_verify_walks(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                              heddle_result *result) {
    return hd_verify_walks_within(ctx, graph, options, result, HD_WALKS_BUDGET);
}
