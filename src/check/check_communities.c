/* check_communities.c - cdlp and lpa: the sequential references; the validators compare with them.
 *
 * Labels follow from those before: nothing shorter than doing the rounds again proves them right. This is done in
 * separate, simple code: the labels of a vertex' neighbours are sorted. lpa's validator also checks what stable means:
 * no label is more frequent among the neighbours than a vertex' own.
 */
#include "base/memory.h"
#include "base/random.h"
#include "check/check.h"
#include "check/check_in_edges.h"
#include "engine/vertex_name.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 12 }; /* vertices between two checks of the cancel flag */

typedef struct rounds {
    heddle_context *ctx;
    const heddle_graph *graph;
    uint64_t n, room;
    hd_check_in_edges in_edges;
    heddle_adjacency sides[2];
    int side_count;
    uint32_t *label, *next, *sorted;
} rounds;

static int by_label(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The values of v's neighbours in an array, sorted; returns their number. */
static uint64_t sort_neighbours(const rounds *r, const uint32_t *words, uint64_t v) {
    uint64_t count = 0;
    for (int s = 0; s < r->side_count; s++)
        for (uint64_t e = r->sides[s].offsets[v]; e < r->sides[s].offsets[v + 1]; e++)
            r->sorted[count++] = words[r->sides[s].targets[e]];
    if (count)
        qsort(r->sorted, count, sizeof *r->sorted, by_label);
    return count;
}

static uint32_t most_frequent(const rounds *r, uint64_t v) {
    uint64_t count = sort_neighbours(r, r->label, v), run = 0, most = 0;
    uint32_t best = r->label[v];
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
    r->graph = graph;
    r->n = graph->vertices;
    r->side_count = graph->directed ? 2 : 1;
    HD_TRY(hd_graph_bare(r->ctx, graph, false, &r->sides[0]));
    HD_TRY(hd_check_in_edges_open(r->ctx, graph, false, &r->in_edges));
    r->sides[1] = r->in_edges.rows;
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
    hd_check_in_edges_close(r->ctx, r->graph, &r->in_edges);
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

/* That a result has the labels of r. */
static heddle_status check_labels(const rounds *r, const heddle_graph *graph, const uint32_t *label) {
    for (uint64_t v = 0; v < r->n; v++)
        if (label[v] >= r->n)
            return hd_fail(r->ctx, HEDDLE_E_VERIFY, "vertex %s: its label is no vertex",
                           hd_vertex_name(r->ctx, graph, (heddle_vertex)v).text);
        else if (label[v] != r->label[v])
            return hd_fail(r->ctx, HEDDLE_E_VERIFY, "vertex %s: label %s, expected %s",
                           hd_vertex_name(r->ctx, graph, (heddle_vertex)v).text,
                           hd_vertex_name(r->ctx, graph, label[v]).text,
                           hd_vertex_name(r->ctx, graph, r->label[v]).text);
    return HEDDLE_OK;
}

static heddle_status check_kind(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result) {
    if (result->type == HEDDLE_VALUE_U32 && result->count == graph->vertices)
        return HEDDLE_OK;
    return hd_fail(ctx, HEDDLE_E_VERIFY, "expected one 32-bit label for each of %llu vertices",
                   (unsigned long long)graph->vertices);
}

heddle_status hd_verify_cdlp(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             heddle_result *result) {
    rounds r = {.ctx = ctx};
    heddle_status status;
    HD_TRY(check_kind(ctx, graph, result));
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_rounds(&r, graph));
    do_rounds(&r, options->max_iterations);
    HD_CHECK(hd_cancelled_status(ctx));
    status = check_labels(&r, graph, result->values);
out:
    hd_phase_end(ctx);
    close_rounds(&r);
    return status;
}

/* ---- lpa --------------------------------------------------------------------------------------------------------- */

typedef struct turn {
    uint64_t key;
    heddle_vertex vertex;
} turn;

static int by_turn(const void *a, const void *b) {
    const turn *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Colours in `next`, one vertex after the other; then turns in the order of colours. Returns how many there are. */
static uint64_t order_by_colour(rounds *r, uint64_t seed, turn *turns) {
    uint32_t colours = 0;
    for (uint64_t v = 0; v < r->n; v++) {
        turns[v] = (turn){hd_random(seed, v), (heddle_vertex)v};
        r->next[v] = UINT32_MAX;
    }
    qsort(turns, r->n, sizeof *turns, by_turn);
    for (uint64_t i = 0; i < r->n && !(i % STEP == 0 && hd_advance(r->ctx, STEP)); i++) {
        uint64_t count = sort_neighbours(r, r->next, turns[i].vertex);
        uint32_t free_one = 0;
        for (uint64_t k = 0; k < count && r->sorted[k] <= free_one; k++)
            free_one += r->sorted[k] == free_one;
        r->next[turns[i].vertex] = free_one;
        colours = free_one + 1 > colours ? free_one + 1 : colours;
    }
    for (uint64_t i = 0; i < r->n; i++)
        turns[i].key = r->next[turns[i].vertex];
    qsort(turns, r->n, sizeof *turns, by_turn);
    return colours;
}

/* Mixes the bits of a word: twice, a multiplication and a shift. */
static uint32_t scramble(uint32_t word) {
    for (int k = 0; k < 2; k++) {
        word *= 2654435761u;
        word ^= word >> 16;
    }
    return word;
}

/* By which vertex v chooses between equally frequent labels: the own one has 0, others by chance. */
static uint32_t rank_of(uint32_t label, uint32_t own, heddle_vertex v, uint32_t seed) {
    uint32_t salt = scramble(v + seed);
    return scramble(label ^ salt) ^ scramble(own ^ salt);
}

/* How often the most frequent label occurs, and the own one; of equally frequent ones, which is taken. */
static uint32_t take_label(const rounds *r, const uint32_t *label, heddle_vertex v, uint32_t seed, uint64_t *most,
                           uint64_t *own) {
    uint64_t count = sort_neighbours(r, label, v), run = 0;
    uint32_t best = label[v];
    *most = *own = 0;
    for (uint64_t i = 0; i < count; i++) {
        run = i && r->sorted[i] == r->sorted[i - 1] ? run + 1 : 1;
        if (r->sorted[i] == label[v])
            *own = run;
        if (run > *most ||
            (run == *most && rank_of(r->sorted[i], label[v], v, seed) < rank_of(best, label[v], v, seed))) {
            *most = run;
            best = r->sorted[i];
        }
    }
    return best;
}

/* Labels become the smallest vertices that have them; `next` is used. */
static void name_communities(rounds *r) {
    for (uint64_t v = r->n; v-- > 0;)
        r->next[r->label[v]] = (uint32_t)v;
    for (uint64_t v = 0; v < r->n; v++)
        r->label[v] = r->next[r->label[v]];
}

/* Fills `label`. */
static heddle_status propagate(rounds *r, const heddle_run_options *options, uint64_t *changed, uint64_t *colours) {
    uint32_t seed = (uint32_t)hd_random(options->seed, UINT64_MAX);
    uint64_t most, own;
    turn *turns;
    HD_TRY(HD_NEW(r->ctx, &turns, r->n, "turns"));
    *changed = *colours = 0;
    if (r->n)
        *colours = order_by_colour(r, options->seed, turns);
    for (uint64_t v = 0; v < r->n; v++)
        r->label[v] = (uint32_t)v;
    for (uint64_t round = 0; round < options->max_iterations && (*changed || !round); round++) {
        *changed = 0;
        for (uint64_t i = 0; i < r->n && !(i % STEP == 0 && hd_advance(r->ctx, STEP)); i++) {
            heddle_vertex v = turns[i].vertex;
            uint32_t taken = take_label(r, r->label, v, seed, &most, &own);
            *changed += taken != r->label[v];
            r->label[v] = taken;
        }
        if (hd_cancelled(r->ctx))
            break;
    }
    HD_DELETE(&r->ctx->allocator, turns, r->n);
    name_communities(r);
    return hd_cancelled_status(r->ctx);
}

heddle_status hd_reference_lpa(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_result *result) {
    rounds r = {.ctx = ctx};
    uint64_t changed, colours;
    heddle_status status;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, graph->vertices));
    HD_CHECK(open_rounds(&r, graph));
    HD_CHECK(propagate(&r, options, &changed, &colours));
    if (r.n)
        memcpy(result->values, r.label, r.n * sizeof *r.label);
    add_figures(&r, changed, result);
    hd_result_figure(result, "colours", (double)colours);
    result->report.converged = changed == 0;
out:
    hd_phase_end(ctx);
    close_rounds(&r);
    return status;
}

/* Of labels that are vertices. */
static heddle_status check_stable(const rounds *r, const heddle_graph *graph, const uint32_t *label) {
    uint64_t most, own;
    for (uint64_t v = 0; v < r->n; v++) {
        take_label(r, label, (heddle_vertex)v, 0, &most, &own);
        if (own < most)
            return hd_fail(r->ctx, HEDDLE_E_VERIFY, "vertex %s: %llu neighbours have its label, %llu another one",
                           hd_vertex_name(r->ctx, graph, (heddle_vertex)v).text, (unsigned long long)own,
                           (unsigned long long)most);
    }
    return HEDDLE_OK;
}

heddle_status hd_verify_lpa(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    rounds r = {.ctx = ctx};
    uint64_t changed, colours;
    heddle_status status;
    HD_TRY(check_kind(ctx, graph, result));
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_rounds(&r, graph));
    HD_CHECK(propagate(&r, options, &changed, &colours));
    HD_CHECK(check_labels(&r, graph, result->values));
    if (result->report.converged)
        status = check_stable(&r, graph, result->values);
out:
    hd_phase_end(ctx);
    close_rounds(&r);
    return status;
}
