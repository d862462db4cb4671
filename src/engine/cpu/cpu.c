/* cpu.c - the iteration of a vertex program on the CPU.
 *
 * Two drivers. A program whose vertices are all active runs in rounds that pull over all in-edges. A monotone program
 * keeps a frontier: while it is small its vertices push along their out-edges and the targets that changed form the
 * next frontier; when it is large a round pulls instead, without atomics. Both divide the edges into equal pieces: a
 * vertex of a million edges is shared by many threads (pull: pieces cut across rows, cpu_abi.h; push: rows cut into
 * strips).
 */
#include "engine/cpu/cpu_engine.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/cpu_clusters.h"
#include "engine/cpu/cpu_copies.h"
#include "engine/cpu/cpu_promises_check.h"
#include "engine/cpu/cpu_rule.h"
#include "engine/cpu/cpu_spans.h"

#include <string.h>

enum { QUIET_AFTER = 16 }; /* rounds after which it pays to determine which pieces can be skipped */
enum { PULL_SHARE = 12 };

typedef hd_engine engine;

/* ---- Setting up ------------------------------------------------------------------------------------------------- */

hd_cpu_piece hd_engine_cut(const hd_cpu_run *run, uint64_t rows, uint64_t place) {
    uint64_t low = 0, high = rows; /* the largest number of rows r with r + offsets[r] <= place */
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (middle + run->in_offsets[middle] <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return (hd_cpu_piece){.row = low, .edge = low == rows ? run->in_offsets[low] : place - low};
}

/* The rows of a stage. */
static void rows_of(const engine *e, uint32_t stage, uint64_t *from, uint64_t *to) {
    const hd_split_result *passing = e->setup->passing;
    bool last = stage + 1 == e->stages;
    *from = last ? 0 : passing->originals + passing->level_start[stage];
    *to = last ? e->run.vertices : passing->originals + passing->level_start[stage + 1];
}

static uint64_t place_of(const engine *e, uint64_t row) { return row + e->run.in_offsets[row]; }

static void cut_stage(engine *e, uint32_t stage) {
    uint64_t from, to, first = e->stage_start[stage], count = e->stage_start[stage + 1] - first;
    rows_of(e, stage, &from, &to);
    uint64_t start = place_of(e, from), whole = place_of(e, to) - start;
    HD_PARALLEL_FOR(e->ctx, schedule(static))
    for (uint64_t k = 0; k < count; k++) {
        hd_cpu_piece here = hd_engine_cut(&e->run, to, start + hd_split(whole, count, k));
        hd_cpu_piece next = hd_engine_cut(&e->run, to, start + hd_split(whole, count, k + 1));
        e->piece[first + k] = (hd_cpu_piece){here.row, here.edge, next.row, next.edge};
    }
}

heddle_status hd_engine_pieces(engine *e) {
    e->stages = 1 + (e->setup->passing ? e->setup->passing->levels : 0);
    for (uint32_t s = 0; s < e->stages; s++) {
        uint64_t from, to;
        rows_of(e, s, &from, &to);
        e->stage_start[s + 1] = e->stage_start[s] + (place_of(e, to) - place_of(e, from)) / HD_ENGINE_PIECE + 1;
    }
    e->pieces = e->stage_start[e->stages];
    HD_TRY(HD_NEW(e->ctx, &e->piece, e->pieces, "pieces"));
    HD_TRY(HD_NEW(e->ctx, &e->outcome, e->pieces, "pieces"));
    HD_TRY(HD_NEW(e->ctx, &e->heads, e->pieces * e->program->message_size, "pieces"));
    HD_TRY(HD_NEW(e->ctx, &e->tails, e->pieces * e->program->message_size, "pieces"));
    for (uint32_t s = 0; s < e->stages; s++)
        cut_stage(e, s);
    return HEDDLE_OK;
}

/* Rows in memory. Of rows in a file only the offsets are, of the direction that the program uses; the setup gives the
 * degrees of the other direction. */
static heddle_status find_rows(engine *e, const heddle_graph *graph, heddle_adjacency *out, heddle_adjacency *in,
                               heddle_result *result) {
    if (e->setup->disk) {
        *out = *in = (heddle_adjacency){.offsets = e->setup->disk->offsets};
        return HEDDLE_OK;
    }
    HD_TRY(heddle_graph_out(e->ctx, graph, out));
    double start = hd_clock();
    HD_TRY(heddle_graph_in(e->ctx, graph, in));
    result->report.prepare += hd_clock() - start;
    return HEDDLE_OK;
}

static void first_values(engine *e) {
    const hd_cpu_run *run = &e->run;
    HD_PARALLEL_FOR(e->ctx, schedule(static))
    for (uint64_t k = 0; k < e->pieces; k++)
        e->program->initialise(run, hd_split(run->vertices, e->pieces, k), hd_split(run->vertices, e->pieces, k + 1));
}

static heddle_status set_up(engine *e, const heddle_graph *graph, heddle_result *result) {
    heddle_context *ctx = e->ctx;
    heddle_adjacency out, in;
    hd_cpu_run *run = &e->run;
    HD_TRY(find_rows(e, graph, &out, &in, result));
    *run = (hd_cpu_run){.vertices = e->setup->passing ? e->setup->passing->originals : graph->vertices,
                        .out_offsets = out.offsets,
                        .in_offsets = in.offsets,
                        .out_targets = out.targets,
                        .in_targets = in.targets,
                        .out_weights = out.weights,
                        .in_weights = in.weights,
                        .weight_type = (int)graph->weight_type,
                        .initial = e->setup->initial,
                        .fixed = e->setup->fixed,
                        .out_degrees = e->setup->out_degrees,
                        .in_degrees = e->setup->in_degrees,
                        .names = e->setup->names,
                        .seed = e->setup->seed};
    run->own_vertices = e->setup->own_vertices ? e->setup->own_vertices : run->vertices;
    memcpy(run->parameter, e->setup->parameter, sizeof run->parameter);
    e->edges = graph->edges;
    e->words = run->vertices / 64 + 1;
    e->values_bytes = run->vertices * e->program->value_size;
    HD_TRY(hd_new(ctx, &run->values, e->values_bytes, 1, false, "vertex values"));
    run->next = run->values;
    HD_TRY(HD_NEW_ZERO(ctx, &e->sources, e->words, "sources"));
    for (uint64_t i = 0; i < e->setup->source_count; i++)
        e->sources[e->setup->sources[i] >> 6] |= UINT64_C(1) << (e->setup->sources[i] & 63);
    run->sources = e->sources;
    if (e->setup->passing) {
        e->passed_bytes = e->setup->passing->added_vertices * e->program->message_size;
        HD_TRY(hd_new(ctx, &run->passed, e->passed_bytes, 1, true, "sums passed on"));
    }
    HD_TRY(e->setup->disk ? hd_spans_new(e) : hd_engine_pieces(e));
    first_values(e);
    return HEDDLE_OK;
}

void hd_engine_free(engine *e) {
    const heddle_allocator *allocator = &e->ctx->allocator;
    hd_free(allocator, e->run.values, e->values_bytes);
    hd_free(allocator, e->second, e->values_bytes);
    hd_free(allocator, e->run.passed, e->passed_bytes);
    HD_DELETE(allocator, e->inside, e->run.vertices);
    HD_DELETE(allocator, e->piece, e->pieces);
    HD_DELETE(allocator, e->outcome, e->pieces);
    HD_DELETE(allocator, e->heads, e->pieces * e->program->message_size);
    HD_DELETE(allocator, e->tails, e->pieces * e->program->message_size);
    HD_DELETE(allocator, e->sources, e->words);
    HD_DELETE(allocator, e->marks, e->words);
    HD_DELETE(allocator, e->frontier, e->run.vertices);
    HD_DELETE(allocator, e->next, e->run.vertices);
    hd_quiet_free(&e->quiet);
    hd_spans_free(e);
}

/* ---- One round -------------------------------------------------------------------------------------------------- */

void hd_engine_pull_piece(engine *e, uint64_t k) {
    size_t size = e->program->message_size;
    e->outcome[k] = (hd_cpu_outcome){.flags = 0};
    if (!hd_advance(e->ctx, 0))
        e->program->pull(&e->run, &e->piece[k], e->heads + k * size, e->tails + k * size, &e->outcome[k]);
}

static void join_stage(engine *e, uint64_t first, uint64_t end, hd_cpu_outcome *total) {
    size_t size = e->program->message_size;
    for (uint64_t k = first; k < end; k++)
        hd_outcome_join(e->program->traits, total, &e->outcome[k]);
    e->program->settle(&e->run, e->piece + first, e->heads + first * size, e->tails + first * size, e->outcome + first,
                       end - first, total);
}

static void pull_stage(engine *e, uint64_t first, uint64_t end, hd_cpu_outcome *total) {
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1))
    for (uint64_t k = first; k < end; k++)
        hd_engine_pull_piece(e, k);
    join_stage(e, first, end, total);
}

/* A strict round that skips quiet pieces: they keep their outcome, with no changes. */
static hd_cpu_outcome pull_busy(engine *e) {
    hd_cpu_outcome total = {.flags = 0};
    hd_quiet_begin(&e->quiet);
    for (uint64_t k = 0; k < e->pieces; k++)
        e->outcome[k] = (hd_cpu_outcome){.flags = e->outcome[k].flags};
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1) if (e->quiet.busy_count > 1))
    for (uint64_t i = 0; i < e->quiet.busy_count; i++)
        hd_engine_pull_piece(e, e->quiet.busy[i]);
    for (uint64_t i = 0; i < e->quiet.busy_count; i++)
        e->walked += e->piece[e->quiet.busy[i]].edge_end - e->piece[e->quiet.busy[i]].edge;
    join_stage(e, 0, e->pieces, &total);
    hd_quiet_end(&e->quiet, &e->run, e->piece, e->outcome, e->program->value_size);
    return total;
}

heddle_status hd_engine_pull(engine *e, hd_cpu_outcome *total) {
    *total = (hd_cpu_outcome){.flags = 0};
    e->walked += e->edges;
    if (e->setup->disk) {
        HD_TRY(hd_spans_pull(e));
        join_stage(e, 0, e->pieces, total);
        return HEDDLE_OK;
    }
    for (uint32_t s = 0; s < e->stages; s++)
        pull_stage(e, e->stage_start[s], e->stage_start[s + 1], total);
    return HEDDLE_OK;
}

/* Pieces share a row where one begins inside it. */
static bool continues(const engine *e, uint64_t k) {
    return e->piece[k].row < e->run.vertices && e->piece[k].edge != e->run.in_offsets[e->piece[k].row];
}

/* Lets pieces end with a row, where that moves their ends by little: else all would hang together. */
static void end_with_rows(engine *e) {
    for (uint64_t k = 1; k < e->pieces; k++) {
        uint64_t row = e->piece[k].row;
        if (!continues(e, k) || e->run.in_offsets[row + 1] - e->run.in_offsets[row] > HD_ENGINE_PIECE / 8)
            continue;
        e->piece[k].row = e->piece[k - 1].row_end = row + 1;
        e->piece[k].edge = e->piece[k - 1].edge_end = e->run.in_offsets[row + 1];
    }
}

/* Pieces with rows that have a bit, and those that share a row with them, come first. */
void hd_engine_divide(engine *e, const uint64_t *rows, uint32_t *order, uint64_t *first_count) {
    uint64_t first = 0, last = e->pieces;
    end_with_rows(e);
    for (uint64_t k = 0; k < e->pieces;) {
        uint64_t end = k + 1, row = e->piece[k].row;
        bool marked = false;
        while (end < e->pieces && continues(e, end))
            end++;
        uint64_t row_end = end < e->pieces ? e->piece[end].row : e->run.vertices;
        for (; row < row_end && !marked; row++)
            marked = rows[row >> 6] >> (row & 63) & 1;
        for (; k < end; k++)
            order[marked ? first++ : --last] = (uint32_t)k;
    }
    for (uint64_t i = first, j = e->pieces; i < j; i++) { /* the others were put down in falling order */
        uint32_t swap = order[--j];
        order[j] = order[i];
        order[i] = swap;
    }
    *first_count = first;
}

heddle_status hd_engine_pull_some(engine *e, const uint32_t *list, uint64_t count, heddle_status (*pause)(void *self),
                                  void *self, hd_cpu_outcome *total) {
    uint64_t turn = (uint64_t)e->ctx->threads * 8;
    for (uint64_t from = 0; from < count; from += turn) {
        uint64_t to = count - from < turn ? count : from + turn;
        HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1) if (to - from > 1))
        for (uint64_t i = from; i < to; i++)
            hd_engine_pull_piece(e, list[i]);
        if (pause)
            HD_TRY(pause(self));
    }
    for (uint64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && list[end] == list[end - 1] + 1;)
            end++;
        join_stage(e, list[i], list[end - 1] + UINT64_C(1), total);
    }
    return HEDDLE_OK;
}

bool hd_engine_mixes(const hd_cpu_program *program) { return program->value_size == 4 || program->value_size == 8; }

heddle_status hd_engine_strict(engine *e) {
    HD_TRY(hd_new(e->ctx, &e->second, e->values_bytes, 1, false, "vertex values"));
    e->run.next = e->second;
    return HEDDLE_OK;
}

void hd_engine_swap(engine *e) {
    if (!e->second)
        return;
    e->second = e->run.values;
    e->run.values = e->run.next;
    e->run.next = e->second;
}

void hd_engine_append(engine *e, uint64_t *count, const uint32_t *list, uint64_t length) {
    if (length)
        memcpy(e->next + hd_fetch_add(count, length), list, length * sizeof *list);
}

/* A vertex's degree may be another: that of the vertex it was split from. */
static uint64_t row_length(const engine *e, uint32_t v) { return e->run.out_offsets[v + 1] - e->run.out_offsets[v]; }

static void push_strips(engine *e, uint32_t v, uint64_t *count, uint32_t *list) {
    uint64_t end = e->run.out_offsets[v + 1];
    for (uint64_t edge = e->run.out_offsets[v]; edge < end; edge += HD_ENGINE_STRIP)
        hd_engine_append(e, count, list,
                         e->program->push(&e->run, v, edge, end - edge < HD_ENGINE_STRIP ? end : edge + HD_ENGINE_STRIP,
                                          e->marks, list));
}

/* Vertices with many edges are set aside; afterwards all threads share the strips of each. */
static void push_frontier(engine *e, uint64_t *count, bool serial) {
    if (serial) {
        uint32_t list[HD_ENGINE_STRIP];
        for (uint64_t i = 0; i < e->frontier_count; i++)
            push_strips(e, e->frontier[i], count, list);
        return;
    }
    HD_PARALLEL(e->ctx) {
        uint32_t list[HD_ENGINE_STRIP];
        HD_FOR(schedule(dynamic, 64))
        for (uint64_t i = 0; i < e->frontier_count; i++)
            if (row_length(e, e->frontier[i]) <= HD_ENGINE_STRIP && !hd_advance_each(e->ctx, i, 64, 0))
                push_strips(e, e->frontier[i], count, list);
        for (uint64_t i = 0; i < e->frontier_count; i++) {
            uint32_t v = e->frontier[i];
            if (row_length(e, v) <= HD_ENGINE_STRIP)
                continue;
            uint64_t start = e->run.out_offsets[v], strips = row_length(e, v) / HD_ENGINE_STRIP + 1;
            HD_FOR(schedule(dynamic, 1) nowait)
            for (uint64_t s = 0; s < strips; s++) {
                uint64_t edge = start + s * HD_ENGINE_STRIP, end = e->run.out_offsets[v + 1];
                hd_engine_append(e, count, list,
                                 e->program->push(&e->run, v, edge,
                                                  end - edge < HD_ENGINE_STRIP ? end : edge + HD_ENGINE_STRIP, e->marks,
                                                  list));
            }
        }
    }
}

static heddle_status push_round(engine *e, uint64_t frontier_edges) {
    uint64_t count = 0;
    bool serial = frontier_edges + e->frontier_count < HD_ENGINE_SERIAL;
    for (uint64_t i = 0; i < e->frontier_count; i++) /* marks now mean: in the next frontier */
        e->marks[e->frontier[i] >> 6] = 0;
    if (e->setup->disk)
        HD_TRY(hd_spans_push(e, &count, serial));
    else
        push_frontier(e, &count, serial);
    uint32_t *swap = e->frontier;
    e->frontier = e->next;
    e->next = swap;
    e->frontier_count = count;
    e->walked += frontier_edges;
    return HEDDLE_OK;
}

/* The frontier of the vertices that a pull round marked. */
static void frontier_from_marks(engine *e) {
    uint64_t count = 0;
    HD_PARALLEL(e->ctx) {
        HD_FOR(schedule(static))
        for (uint64_t w = 0; w < e->words; w++) {
            uint64_t bits = e->marks[w], length = (uint64_t)__builtin_popcountll(bits);
            uint64_t at = length ? hd_fetch_add(&count, length) : 0;
            for (; bits; bits &= bits - 1)
                e->frontier[at++] = (uint32_t)(w * 64 + (uint64_t)__builtin_ctzll(bits));
        }
    }
    e->frontier_count = count;
}

static heddle_status pull_for_frontier(engine *e) {
    hd_cpu_outcome outcome;
    memset(e->marks, 0, e->words * sizeof *e->marks);
    e->run.changed = e->marks;
    HD_TRY(hd_engine_pull(e, &outcome));
    hd_engine_swap(e);
    e->run.changed = NULL;
    frontier_from_marks(e);
    return HEDDLE_OK;
}

/* ---- The two drivers -------------------------------------------------------------------------------------------- */

static uint64_t frontier_edges(engine *e) {
    uint64_t sum = 0;
    if (e->frontier_count < HD_ENGINE_SERIAL) {
        for (uint64_t i = 0; i < e->frontier_count; i++)
            sum += row_length(e, e->frontier[i]);
        return sum;
    }
    HD_PARALLEL_FOR(e->ctx, schedule(static) reduction(+ : sum))
    for (uint64_t i = 0; i < e->frontier_count; i++)
        sum += row_length(e, e->frontier[i]);
    return sum;
}

/* Ends a round that began with this frontier, or with all vertices. */
static void record(const engine *e, uint64_t vertices, uint64_t walked, bool push, const char *kernel) {
    HD_ROUND(e->ctx, .rounds = 1, .vertices = vertices, .edges = e->walked - walked,
             .weight_bytes = e->program->weighted ? hd_weight_size((heddle_weight_type)e->run.weight_type) : 0,
             .direction = push ? HEDDLE_DIRECTION_PUSH : HEDDLE_DIRECTION_PULL, .kernel = kernel,
             .traffic = e->setup->disk ? e->setup->disk->pass : (hd_traffic){.parts_needed = 0});
}

static heddle_status iterate_frontier(engine *e, heddle_result *result) {
    uint64_t limit = e->setup->max_iterations;
    HD_TRY(HD_NEW_ZERO(e->ctx, &e->marks, e->words, "frontier"));
    HD_TRY(HD_NEW(e->ctx, &e->frontier, e->run.vertices, "frontier"));
    HD_TRY(HD_NEW(e->ctx, &e->next, e->run.vertices, "frontier"));
    if (!hd_engine_mixes(e->program) || e->setup->mean) /* the mean of values that depend on timing would, too */
        HD_TRY(hd_engine_strict(e));
    bool stale = false;
    bool from_sources = e->program->traits & FROM_SOURCES;
    for (uint64_t v = 0; v < e->run.vertices; v++)
        if (!from_sources || (e->sources[v >> 6] >> (v & 63) & 1))
            e->frontier[e->frontier_count++] = (uint32_t)v;
    hd_rounds_mark(e->ctx);
    for (; (e->frontier_count || stale) && !(limit && e->run.iteration == limit); e->run.iteration++) {
        uint64_t edges = frontier_edges(e), active = e->frontier_count, walked = e->walked;
        bool few = edges + active <= (e->edges + e->run.vertices) / PULL_SHARE;
        bool push = e->program->push && !e->setup->mean &&
                    (few || e->setup->disk); /* from a file: only the direction that was opened */
        HD_TRY(push ? push_round(e, edges) : pull_for_frontier(e));
        hd_clusters_iterate(e);
        stale = hd_copies_merge_frontier(e, hd_copies_due(e, e->run.iteration + 1));
        record(e, active, walked, push, push ? "frontier" : "all in-edges");
        if (hd_advance(e->ctx, 0))
            return hd_cancelled_status(e->ctx);
    }
    result->report.converged = e->frontier_count == 0;
    return HEDDLE_OK;
}

/* Pieces of fixed size, two sums each, are added in order. */
void hd_engine_ranks(const engine *e, bool first, double *sums, double *change, double *idle) {
    uint64_t n = e->run.vertices, parts = hd_engine_sums(e) / 2;
    HD_PARALLEL_FOR(e->ctx, schedule(static))
    for (uint64_t k = 0; k < parts; k++) {
        sums[2 * k] = sums[2 * k + 1] = 0;
        for (uint64_t v = hd_split(n, parts, k); v < hd_split(n, parts, k + 1); v++) {
            double value = hd_engine_real(e, e->run.values, v),
                   change = first ? 0 : value - hd_engine_real(e, e->run.next, v);
            uint64_t degree = hd_engine_degree(e, (uint32_t)v);
            sums[2 * k] += fabs(change) * (e->setup->shares && degree ? (double)degree : 1);
            sums[2 * k + 1] += degree ? 0 : value;
        }
    }
    *change = *idle = 0;
    for (uint64_t k = 0; k < parts; k++) {
        *change += sums[2 * k];
        *idle += sums[2 * k + 1];
    }
}

static heddle_status iterate_ranks(engine *e, heddle_result *result) {
    uint64_t limit = e->setup->max_iterations, room = hd_engine_sums(e);
    double change, idle, damping = e->setup->parameter[0], *sums;
    hd_cpu_outcome outcome;
    heddle_status status = HEDDLE_OK;
    HD_TRY(hd_engine_strict(e));
    HD_TRY(HD_NEW(e->ctx, &sums, room, "sums"));
    result->report.converged = 0;
    hd_engine_ranks(e, true, sums, &change, &idle);
    hd_rounds_mark(e->ctx);
    while (!result->report.converged && !(limit && e->run.iteration == limit) && !hd_advance(e->ctx, 0)) {
        e->run.parameter[1] = (1 - damping + damping * idle) / (double)e->run.own_vertices;
        HD_CHECK(hd_engine_pull(e, &outcome));
        e->run.iteration++;
        hd_engine_swap(e);
        bool due = hd_copies_due(e, e->run.iteration);
        hd_copies_merge_sums(e, due);
        hd_engine_ranks(e, false, sums, &change, &idle);
        record(e, e->run.vertices, e->walked - e->edges, false, "all in-edges");
        result->report.converged = change < e->setup->tolerance && (due || !e->setup->copies || !e->setup->every);
        if (result->report.converged || (limit && e->run.iteration == limit))
            break;
        HD_CHECK(hd_clusters_rank(e));
        if (e->setup->clusters)
            hd_copies_merge_sums(e, due);
    }
    hd_result_residual(result, change);
out:
    HD_DELETE(&e->ctx->allocator, sums, room);
    return status == HEDDLE_OK ? hd_cancelled_status(e->ctx) : status;
}

static heddle_status iterate_rounds(engine *e, heddle_result *result) {
    uint64_t limit = e->setup->max_iterations;
    if (!e->setup->mixed || !hd_engine_mixes(e->program))
        HD_TRY(hd_engine_strict(e));
    result->report.converged = 0;
    hd_cpu_outcome outcome = {.flags = 0};
    HD_TRY(hd_rule_first_totals(e->ctx, e->program, &e->run, &outcome));
    hd_rule_begin(e->program, &e->run, &outcome);
    hd_rounds_mark(e->ctx);
    while (!(limit && e->run.iteration == limit)) {
        if (e->run.iteration == QUIET_AFTER && e->setup->steady && e->second && e->stages == 1 && !e->setup->disk)
            HD_TRY(hd_quiet_new(e->ctx, &e->run, e->piece, e->pieces, &e->quiet));
        uint64_t walked = e->walked;
        if (e->quiet.needs)
            outcome = pull_busy(e);
        else
            HD_TRY(hd_engine_pull(e, &outcome));
        e->run.iteration++;
        hd_engine_swap(e);
        record(e, e->run.vertices, walked, false, e->quiet.needs ? "busy in-edges" : "all in-edges");
        if (hd_advance(e->ctx, 0))
            return hd_cancelled_status(e->ctx);
        if (hd_rule_broken(e->program, &outcome))
            break;
        if (hd_rule_over(e->program, e->setup, &e->run, &outcome)) {
            result->report.converged = 1;
            break;
        }
    }
    if (hd_rule_by_tolerance(e->program->traits, e->program->output_type))
        hd_result_residual(result, outcome.changes ? outcome.largest : 0);
    return HEDDLE_OK;
}

static heddle_status hand_over(engine *e, heddle_result *result) {
    HD_TRY(hd_result_values_new(e->ctx, result, (heddle_value_type)e->program->output_type, e->run.vertices));
    HD_PARALLEL_FOR(e->ctx, schedule(static))
    for (uint64_t k = 0; k < e->pieces; k++)
        e->program->output(&e->run, result->values, hd_split(e->run.vertices, e->pieces, k),
                           hd_split(e->run.vertices, e->pieces, k + 1));
    result->report.iterations = e->run.iteration;
    result->report.edges_walked = e->walked;
    return HEDDLE_OK;
}

static const char *const laws[] = {
    NULL, "associative: reduce(a, reduce(b, c)) and reduce(reduce(a, b), c) differ on messages that it sends",
    "commutative: reduce(a, b) and reduce(b, a) differ on messages that it sends",
    "neutral to identity(): reduce(identity(), a) is not a, for a message a that it sends"};

heddle_status hd_cpu_law(heddle_context *ctx, int broken) {
    return broken ? hd_fail(ctx, HEDDLE_E_PROGRAM, "the program's reduce is not %s", laws[broken]) : HEDDLE_OK;
}

heddle_status hd_cpu_laws(heddle_context *ctx, const hd_cpu_program *program, const hd_cpu_run *run) {
    HD_TRY(hd_cpu_law(ctx, program->laws(run, 1)));
    return hd_cpu_check_promises(ctx, program, run);
}

/* Only the samples' degrees differ where rows are in-edges, or in-degrees are not there. */
heddle_status hd_cpu_laws_of_rows(heddle_context *ctx, const hd_cpu_program *program, const hd_cpu_setup *setup,
                                  uint64_t vertices, const heddle_adjacency *rows, heddle_weight_type weight_type) {
    uint64_t words = vertices / 64 + 1, *sources;
    HD_TRY(HD_NEW_ZERO(ctx, &sources, words, "sources"));
    for (uint64_t i = 0; i < setup->source_count; i++)
        sources[setup->sources[i] >> 6] |= UINT64_C(1) << (setup->sources[i] & 63);
    hd_cpu_run run = {.vertices = vertices,
                      .out_offsets = rows->offsets,
                      .in_offsets = rows->offsets,
                      .out_targets = rows->targets,
                      .out_weights = rows->weights,
                      .weight_type = (int)weight_type,
                      .initial = setup->initial,
                      .fixed = setup->fixed,
                      .sources = sources,
                      .seed = setup->seed,
                      .own_vertices = setup->own_vertices ? setup->own_vertices : vertices};
    memcpy(run.parameter, setup->parameter, sizeof run.parameter);
    heddle_status status = hd_cpu_laws(ctx, program, &run);
    HD_DELETE(&ctx->allocator, sources, words);
    return status;
}

/* By an operator; *done: it did. */
static heddle_status operate(engine *e, const heddle_graph *graph, heddle_result *result, bool *done) {
    *done = false;
    if (!e->setup->by)
        return HEDDLE_OK;
    result->report.converged = 1;
    HD_TRY(e->setup->by->run(e, graph, result, done));
    if (*done)
        return HEDDLE_OK;
    e->run.iteration = 0;
    first_values(e);
    return HEDDLE_OK;
}

heddle_status hd_cpu_execute(heddle_context *ctx, const heddle_graph *graph, const hd_cpu_program *program,
                             const hd_cpu_setup *setup, heddle_result *result) {
    engine e = {.ctx = ctx, .program = program, .setup = setup};
    heddle_status status;
    bool done;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(set_up(&e, graph, result));
    if (setup->check)
        HD_CHECK(setup->disk ? hd_spans_laws(&e) : hd_cpu_laws(ctx, program, &e.run));
    HD_CHECK(operate(&e, graph, result, &done));
    if (!done)
        HD_CHECK(program->traits & MONOTONE ? iterate_frontier(&e, result)
                 : setup->ranks             ? iterate_ranks(&e, result)
                                            : iterate_rounds(&e, result));
    hd_copies_merge_last(&e);
    HD_CHECK(hand_over(&e, result));
out:
    hd_phase_end(ctx);
    hd_engine_free(&e);
    return status;
}
