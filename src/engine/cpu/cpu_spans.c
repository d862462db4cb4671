/* cpu_spans.c - see cpu_spans.h. */
#include "engine/cpu/cpu_spans.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/rows.h"

#include <string.h>

/* Pieces are cut within units of this many edges, so that float sums do not depend on the memory limit. */
enum { UNIT = 1 << 16 };

bool hd_cpu_pulls(const hd_cpu_program *program) { return !(program->traits & MONOTONE && program->push); }

/* Values, twice in strict rounds; the result; this frontier and the next; a few bits. */
uint64_t hd_cpu_vertex_bytes(const hd_cpu_program *program, bool strict) {
    static const uint64_t frontier = 2 * sizeof(heddle_vertex) + 1;
    return program->value_size * (strict ? 2 : 1) + hd_value_size((heddle_value_type)program->output_type) +
           (program->traits & MONOTONE ? frontier : 1);
}

/* ---- Pieces ----------------------------------------------------------------------------------------------------- */

static uint64_t unit_edges(const hd_disk *disk) { return disk->span_edges < UNIT ? disk->span_edges : UNIT; }

/* The position in rows and edges where unit u begins; rows without edges belong to the unit before. */
static uint64_t place_of_unit(const hd_engine *e, uint64_t u) {
    uint64_t edge = u * unit_edges(e->setup->disk), n = e->run.vertices;
    if (u == 0)
        return 0;
    return edge >= e->edges ? n + e->edges : hd_row_of(e->run.in_offsets, n, edge) + edge;
}

static uint64_t pieces_of_unit(const hd_engine *e, uint64_t u) {
    return (place_of_unit(e, u + 1) - place_of_unit(e, u)) / HD_ENGINE_PIECE + 1;
}

static void cut_unit(hd_engine *e, uint64_t u, uint64_t first, uint64_t count) {
    uint64_t start = place_of_unit(e, u), whole = place_of_unit(e, u + 1) - start;
    for (uint64_t k = 0; k < count; k++) {
        hd_cpu_piece here = hd_engine_cut(&e->run, e->run.vertices, start + hd_split(whole, count, k));
        hd_cpu_piece next = hd_engine_cut(&e->run, e->run.vertices, start + hd_split(whole, count, k + 1));
        e->piece[first + k] = (hd_cpu_piece){here.row, here.edge, next.row, next.edge};
    }
}

/* A graph without edges has one unit, which belongs to no span. */
static uint64_t unit_count(const hd_engine *e) {
    uint64_t each = unit_edges(e->setup->disk), units = (e->edges + each - 1) / each;
    return units ? units : 1;
}

static heddle_status new_pieces(hd_engine *e) {
    size_t size = e->program->message_size;
    HD_TRY(HD_NEW(e->ctx, &e->piece, e->pieces, "pieces"));
    HD_TRY(HD_NEW(e->ctx, &e->outcome, e->pieces, "pieces"));
    HD_TRY(HD_NEW(e->ctx, &e->heads, e->pieces * size, "pieces"));
    return HD_NEW(e->ctx, &e->tails, e->pieces * size, "pieces");
}

heddle_status hd_spans_new(hd_engine *e) {
    hd_spans *s = &e->spans;
    const hd_disk *disk = e->setup->disk;
    uint64_t units = unit_count(e), each = unit_edges(disk);
    e->stages = 1;
    s->room = disk->span_count + 1;
    HD_TRY(HD_NEW(e->ctx, &s->first_piece, s->room, "spans"));
    HD_TRY(HD_NEW(e->ctx, &s->listed, s->room, "spans"));
    HD_TRY(HD_NEW_ZERO(e->ctx, &s->needed, s->room, "spans"));
    HD_TRY(HD_NEW_ZERO(e->ctx, &s->active, e->words, "frontier"));
    for (uint64_t u = 0; u < units; u++) {
        if (u * each % disk->span_edges == 0 && e->edges)
            s->first_piece[u * each / disk->span_edges] = e->pieces;
        e->pieces += pieces_of_unit(e, u);
    }
    s->first_piece[disk->span_count] = disk->span_count ? e->pieces : 0;
    HD_TRY(new_pieces(e));
    for (uint64_t u = 0, first = 0; u < units; u++) {
        uint64_t count = pieces_of_unit(e, u);
        cut_unit(e, u, first, count);
        first += count;
    }
    return HEDDLE_OK;
}

void hd_spans_free(hd_engine *e) {
    hd_spans *s = &e->spans;
    const heddle_allocator *allocator = &e->ctx->allocator;
    HD_DELETE(allocator, s->first_piece, s->room);
    HD_DELETE(allocator, s->listed, s->room);
    HD_DELETE(allocator, s->needed, s->room);
    HD_DELETE(allocator, s->active, e->words);
}

/* ---- Passes ----------------------------------------------------------------------------------------------------- */

typedef void (*span_fn)(hd_engine *e, const hd_disk_block *block, void *self);

/* Calls `each` with every span of the list; NULL: with all spans. */
static heddle_status pass(hd_engine *e, const uint64_t *list, uint64_t count, span_fn each, void *self) {
    hd_disk *disk = e->setup->disk;
    hd_disk_block block;
    bool more;
    heddle_status status = hd_disk_pass_begin(disk, list, count);
    while (status == HEDDLE_OK && (status = hd_disk_pass_next(disk, &block, &more)) == HEDDLE_OK && more)
        each(e, &block, self);
    heddle_status end = hd_disk_pass_end(disk);
    return status == HEDDLE_OK ? end : status;
}

static void pull_pieces(hd_engine *e, uint64_t first, uint64_t end) {
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, 1) if (end - first > 1))
    for (uint64_t k = first; k < end; k++)
        hd_engine_pull_piece(e, k);
}

static void pull_span(hd_engine *e, const hd_disk_block *block, void *self) {
    (void)self;
    e->run.in_targets = block->rows.targets;
    e->run.in_weights = block->rows.weights;
    pull_pieces(e, e->spans.first_piece[block->span], e->spans.first_piece[block->span + 1]);
}

heddle_status hd_spans_pull(hd_engine *e) {
    HD_TRY(pass(e, NULL, 0, pull_span, NULL));
    pull_pieces(e, e->spans.first_piece[e->setup->disk->span_count], e->pieces);
    return hd_cancelled_status(e->ctx);
}

/* ---- Pushing ---------------------------------------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The part of a vertex's row that lies in [first, end), in strips; `list` has room for one. */
static void push_part(hd_engine *e, uint32_t v, uint64_t first, uint64_t end, uint64_t *count, uint32_t *list) {
    uint64_t edge = larger(e->run.out_offsets[v], first), stop = smaller(e->run.out_offsets[v + 1], end);
    for (; edge < stop; edge += HD_ENGINE_STRIP)
        hd_engine_append(e, count, list,
                         e->program->push(&e->run, v, edge, smaller(edge + HD_ENGINE_STRIP, stop), e->marks, list));
}

/* All active rows in a strip of the span's edges. */
static void push_strip(hd_engine *e, uint64_t first, uint64_t end, uint64_t *count, uint32_t *list) {
    uint64_t found = 0;
    for (uint64_t v = hd_row_of(e->run.out_offsets, e->run.vertices, first), edge = first; edge < end; v++) {
        uint64_t stop = smaller(e->run.out_offsets[v + 1], end);
        if (e->spans.active[v >> 6] >> (v & 63) & 1 && edge < stop)
            found += e->program->push(&e->run, (uint32_t)v, edge, stop, e->marks, list + found);
        edge = larger(stop, edge);
    }
    hd_engine_append(e, count, list, found);
}

/* Threads share the span by strips of edges, so rows of any length are divided. */
static void push_span(hd_engine *e, const hd_disk_block *block, void *self) {
    uint64_t *count = self, edges = block->end_edge - block->first_edge;
    uint64_t strips = (edges + HD_ENGINE_STRIP - 1) / HD_ENGINE_STRIP;
    e->run.out_targets = block->rows.targets;
    e->run.out_weights = block->rows.weights;
    HD_PARALLEL(e->ctx, if (strips > 1)) {
        uint32_t list[HD_ENGINE_STRIP];
        HD_FOR(schedule(dynamic, 4))
        for (uint64_t s = 0; s < strips; s++) {
            uint64_t first = block->first_edge + s * HD_ENGINE_STRIP;
            if (!hd_advance(e->ctx, 0))
                push_strip(e, first, smaller(first + HD_ENGINE_STRIP, block->end_edge), count, list);
        }
    }
}

/* A small frontier: vertex by vertex. */
static void push_few(hd_engine *e, const hd_disk_block *block, void *self) {
    uint32_t list[HD_ENGINE_STRIP];
    e->run.out_targets = block->rows.targets;
    e->run.out_weights = block->rows.weights;
    for (uint64_t i = 0; i < e->frontier_count; i++)
        push_part(e, e->frontier[i], block->first_edge, block->end_edge, self, list);
}

/* Lists the spans in which the frontier has edges, in ascending order. */
static uint64_t list_spans(hd_engine *e) {
    const uint64_t *offsets = e->run.out_offsets, each = e->setup->disk->span_edges;
    uint64_t count = 0;
    for (uint64_t i = 0; i < e->frontier_count; i++) {
        uint32_t v = e->frontier[i];
        for (uint64_t s = offsets[v] / each; s * each < offsets[v + 1] && offsets[v] < offsets[v + 1]; s++)
            e->spans.needed[s] = 1;
    }
    for (uint64_t s = 0; s < e->setup->disk->span_count; s++) {
        if (e->spans.needed[s])
            e->spans.listed[count++] = s;
        e->spans.needed[s] = 0;
    }
    return count;
}

heddle_status hd_spans_push(hd_engine *e, uint64_t *count, bool serial) {
    uint64_t spans = list_spans(e), *active = e->spans.active;
    if (serial)
        return pass(e, e->spans.listed, spans, push_few, count);
    for (uint64_t i = 0; i < e->frontier_count; i++)
        active[e->frontier[i] >> 6] |= UINT64_C(1) << (e->frontier[i] & 63);
    heddle_status status = pass(e, e->spans.listed, spans, push_span, count);
    for (uint64_t i = 0; i < e->frontier_count; i++)
        active[e->frontier[i] >> 6] = 0;
    return status;
}

/* ---- Laws ------------------------------------------------------------------------------------------------------- */

/* Samples messages from the rows that are wholly in the first span; if there are none, from all rows, as if without
 * weights. */
static void check_span(hd_engine *e, const hd_disk_block *block, void *self) {
    hd_cpu_run some = e->run;
    uint64_t row = hd_row_of(some.out_offsets, some.vertices, block->end_edge - 1);
    some.vertices = some.out_offsets[row + 1] <= block->end_edge ? row + 1 : row;
    some.out_weights = block->rows.weights;
    some.out_targets = block->rows.targets;
    if (some.vertices == 0 || !some.out_weights) {
        some.vertices = e->run.vertices;
        some.weight_type = 0;
        some.out_targets = NULL;
    }
    *(heddle_status *)self = hd_cpu_laws(e->ctx, e->program, &some);
}

heddle_status hd_spans_laws(const hd_engine *e) {
    static const uint64_t first = 0;
    heddle_status status = HEDDLE_OK;
    if (e->edges)
        HD_TRY(pass((hd_engine *)(uintptr_t)e, &first, 1, check_span, &status));
    return status;
}
