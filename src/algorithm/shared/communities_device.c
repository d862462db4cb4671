/* communities_device.c - moving vertices between communities on a device (communities.cl), for the levels of
 * communities.c. Results are the same in every run and on every device; they are not those of one thread, which moves
 * vertices one after the other.
 *
 * A sweep gives each class of vertices a turn. Sweeps end when they hardly raise the modularity; one that lowers it is
 * undone. Sums are made of whole numbers: weights times a power of two, such that all of them together have 61 bits. */
#include "algorithm/shared/communities.h"
#include "algorithm/shared/communities_state.h"
#include "algorithm/shared/structure_device.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>

extern const char hd_text_kernels_communities[];

enum { SWEEPS = 64 /* at most */, BITS = 61, MOST_EXPONENT = 1000, CHOICE_BYTES = 24, BLOCK = 1 << 20 };
static const double least_gain = 1e-12; /* of a move, in units of 2m, as in communities.c */
static const double least_sweep = 1e-5; /* of a sweep, in modularity */

enum { SHORT, CLEAR, ADD, FIND, JOIN, APPLY, MARK, MARK_LONG, INSIDE, SQUARES, COPY, KERNELS };
static const char *const names[KERNELS] = {"move_short",  "move_clear",   "move_add",  "move_find",
                                           "move_join",   "move_apply",   "move_mark", "move_mark_long",
                                           "move_inside", "move_squares", "move_copy"};

/* Sizes of a level. */
typedef struct shape {
    uint64_t n, entries, longs, pieces;
    bool even;
} shape;

typedef struct mover {
    hd_structure s;
    void *kernel[KERNELS];
    hd_buffer offsets, targets, weights, ends, total, part, next, best, size, marks, gone; /* of a level */
    hd_buffer rows, list, keys, sums, found;                                               /* of its long rows */
    hd_buffer numbers_there, strips_there;
    uint64_t numbers[MOVE_NUMBERS], unit, most_bytes;
    uint32_t n, longs, pieces, even;
    double scale, all, least;
} mover;

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static uint64_t pieces_of(uint64_t count) { return count > MOVE_SHORT ? (count + MOVE_PIECE - 1) / MOVE_PIECE : 0; }
static uint64_t strips_of(uint64_t n) { return (n + MOVE_STRIP - 1) / MOVE_STRIP; }

static heddle_status make_buffers(mover *m, const shape *g) {
    hd_structure *s = &m->s;
    uint64_t n = g->n, slots = g->pieces * 2 * MOVE_PIECE;
    HD_TRY(hd_structure_buffer(s, (n + 1) * 8, "offsets of a level", &m->offsets));
    HD_TRY(hd_structure_buffer(s, g->entries * 4, "edges of a level", &m->targets));
    HD_TRY(hd_structure_buffer(s, g->even ? 16 : g->entries * 8, "weights of a level", &m->weights));
    HD_TRY(hd_structure_buffer(s, n * 8, "ends of edges", &m->ends));
    HD_TRY(hd_structure_buffer(s, n * 8, "ends of communities", &m->total));
    HD_TRY(hd_structure_buffer(s, n * 4, "communities", &m->part));
    HD_TRY(hd_structure_buffer(s, n * 4, "communities", &m->next));
    HD_TRY(hd_structure_buffer(s, n * 4, "communities", &m->best));
    HD_TRY(hd_structure_buffer(s, n * 4, "sizes of communities", &m->size));
    HD_TRY(hd_structure_buffer(s, n * 4, "marks", &m->marks));
    HD_TRY(hd_structure_buffer(s, n * 4, "marks", &m->gone));
    HD_TRY(hd_structure_buffer(s, g->longs * LONG_WORDS * 4 + 16, "long rows", &m->rows));
    HD_TRY(hd_structure_buffer(s, g->pieces * 8 + 16, "pieces of rows", &m->list));
    HD_TRY(hd_structure_buffer(s, slots * 4 + 16, "tables of communities", &m->keys));
    HD_TRY(hd_structure_buffer(s, slots * 8 + 16, "tables of weights", &m->sums));
    HD_TRY(hd_structure_buffer(s, g->pieces * CHOICE_BYTES + 16, "choices", &m->found));
    HD_TRY(hd_structure_buffer(s, sizeof m->numbers, "numbers", &m->numbers_there));
    return hd_structure_buffer(s, strips_of(n) * 8, "sums of strips", &m->strips_there);
}

static void free_buffers(mover *m) {
    for (uint32_t i = 0; i < m->s.buffer_count; i++)
        m->s.device->release(m->s.device, &m->s.buffers[i]);
    m->most_bytes = m->s.bytes > m->most_bytes ? m->s.bytes : m->most_bytes;
    m->s.buffer_count = 0;
    m->s.bytes = 0;
}

static void count_long(shape *g, uint64_t count) {
    g->longs += count > MOVE_SHORT;
    g->pieces += pieces_of(count);
}

/* Of the first level: a later one that would take more stays with the host. In-degrees of a directed graph are not
 * known: they are taken to be like the out-degrees. */
heddle_status hd_communities_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    mover m = {.s = {.ctx = r->run->ctx, .graph = graph}};
    uint64_t sides = graph->directed ? 2 : 1;
    shape g = {.n = graph->vertices, .entries = graph->edges * sides};
    g.even = !r->run->options.weighted || !graph->weight_type;
    heddle_adjacency out;
    HD_TRY(hd_structure_own_plan(r->run));
    HD_TRY(hd_graph_bare(r->run->ctx, graph, false, &out));
    for (uint64_t v = 0; v < g.n; v++)
        count_long(&g, (out.offsets[v + 1] - out.offsets[v]) * sides);
    HD_TRY(make_buffers(&m, &g));
    *bytes = m.s.bytes;
    return HEDDLE_OK;
}

/* ---- A level, on its way to the device --------------------------------------------------------------------------- */

static heddle_status upload(mover *m, const hd_buffer *to, const void *from, uint64_t bytes) {
    return bytes ? m->s.device->upload(m->s.device, to, 0, from, bytes) : HEDDLE_OK;
}

static uint64_t whole_of(const mover *m, double number) { return (uint64_t)(number * m->scale + 0.5); }

/* Real numbers as whole ones, a block at a time. */
static heddle_status upload_whole(mover *m, const hd_buffer *to, const double *from, uint64_t count) {
    heddle_status status = HEDDLE_OK;
    uint64_t room = count < BLOCK ? count : BLOCK, *block;
    HD_TRY(HD_NEW(m->s.ctx, &block, room, "whole numbers"));
    for (uint64_t at = 0; at < count && status == HEDDLE_OK; at += room) {
        uint64_t some = count - at < room ? count - at : room;
        for (uint64_t i = 0; i < some; i++)
            block[i] = whole_of(m, from[at + i]);
        status = m->s.device->upload(m->s.device, to, at * 8, block, some * 8);
    }
    if (status == HEDDLE_OK)
        status = m->s.device->finish(m->s.device);
    HD_DELETE(&m->s.ctx->allocator, block, room);
    return status;
}

static heddle_status upload_long(mover *m, const hd_level *g, const shape *sizes) {
    heddle_status status;
    uint32_t *rows = NULL, *list = NULL, longs = 0, pieces = 0;
    HD_CHECK(HD_NEW(m->s.ctx, &rows, sizes->longs * LONG_WORDS, "long rows"));
    HD_CHECK(HD_NEW(m->s.ctx, &list, sizes->pieces * 2, "pieces of rows"));
    for (uint64_t v = 0; v < g->n; v++) {
        uint32_t count = (uint32_t)pieces_of(g->offsets[v + 1] - g->offsets[v]);
        if (!count)
            continue;
        rows[LONG_WORDS * longs + LONG_VERTEX] = (uint32_t)v;
        rows[LONG_WORDS * longs + LONG_FIRST] = pieces;
        rows[LONG_WORDS * longs + LONG_PIECES] = count;
        for (uint32_t i = 0; i < count; i++, pieces++) {
            list[2 * pieces] = longs;
            list[2 * pieces + 1] = i;
        }
        longs++;
    }
    m->longs = longs;
    m->pieces = pieces;
    HD_CHECK(upload(m, &m->rows, rows, (uint64_t)longs * LONG_WORDS * 4));
    HD_CHECK(upload(m, &m->list, list, (uint64_t)pieces * 8));
    status = m->s.device->finish(m->s.device);
out:
    HD_DELETE(&m->s.ctx->allocator, rows, sizes->longs * LONG_WORDS);
    HD_DELETE(&m->s.ctx->allocator, list, sizes->pieces * 2);
    return status;
}

/* Communities, their sizes and ends. */
static heddle_status upload_parts(mover *m, const hd_level *g, const uint32_t *part) {
    heddle_status status;
    uint32_t *size = NULL;
    uint64_t *total = NULL; /* sums of what the device has as ends, to the last unit: they become 0 when all leave */
    HD_CHECK(HD_NEW_ZERO(m->s.ctx, &size, g->n, "sizes of communities"));
    HD_CHECK(HD_NEW_ZERO(m->s.ctx, &total, g->n, "ends of communities"));
    for (uint64_t v = 0; v < g->n; v++) {
        size[part[v]]++;
        total[part[v]] += whole_of(m, g->ends[v]);
    }
    HD_CHECK(upload(m, &m->total, total, g->n * 8));
    HD_CHECK(upload(m, &m->size, size, g->n * 4));
    HD_CHECK(upload(m, &m->part, part, g->n * 4));
    HD_CHECK(upload(m, &m->next, part, g->n * 4));
    HD_CHECK(upload(m, &m->best, part, g->n * 4));
    HD_CHECK(m->s.device->fill(m->s.device, &m->marks, 0, 1, g->n * 4));
    status = m->s.device->finish(m->s.device);
out:
    HD_DELETE(&m->s.ctx->allocator, size, g->n);
    HD_DELETE(&m->s.ctx->allocator, total, g->n);
    return status;
}

static shape shape_of(const hd_level *g) {
    shape sizes = {.n = g->n, .entries = g->offsets[g->n], .even = g->even};
    for (uint64_t v = 0; v < g->n; v++)
        count_long(&sizes, g->offsets[v + 1] - g->offsets[v]);
    return sizes;
}

/* Whether the level takes no more than the first one did. */
static bool has_room(const mover *m, const shape *sizes) {
    mover counted = {.s = {.ctx = m->s.ctx}};
    return !m->most_bytes || (make_buffers(&counted, sizes) == HEDDLE_OK && counted.s.bytes <= m->most_bytes);
}

static heddle_status upload_level(mover *m, const hd_moving *moving, const shape *sizes, const uint32_t *part) {
    const hd_level *g = moving->graph;
    int exponent;
    frexp(moving->sum, &exponent);
    exponent = BITS - exponent < MOST_EXPONENT ? BITS - exponent : MOST_EXPONENT;
    m->scale = ldexp(1, exponent);
    m->unit = g->even ? whole_of(m, 1) : 0;
    m->all = moving->all * m->scale;
    m->least = least_gain * moving->sum * m->scale;
    m->n = (uint32_t)g->n;
    m->even = g->even;
    HD_TRY(make_buffers(m, sizes));
    HD_TRY(upload(m, &m->offsets, g->offsets, (g->n + 1) * 8));
    HD_TRY(upload(m, &m->targets, g->targets, sizes->entries * 4));
    if (!g->even)
        HD_TRY(upload_whole(m, &m->weights, g->weights, sizes->entries));
    HD_TRY(upload_whole(m, &m->ends, g->ends, g->n));
    HD_TRY(upload_long(m, g, sizes));
    return upload_parts(m, g, part);
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

#define ROWS(m)                                                                                           \
    HD_ARGUMENT_BUFFER((m)->offsets), HD_ARGUMENT_BUFFER((m)->targets), HD_ARGUMENT_BUFFER((m)->weights), \
        HD_ARGUMENT_VALUE((m)->unit), HD_ARGUMENT_VALUE((m)->even)
#define TOTALS(m)                                                                                 \
    HD_ARGUMENT_BUFFER((m)->ends), HD_ARGUMENT_BUFFER((m)->total), HD_ARGUMENT_BUFFER((m)->part), \
        HD_ARGUMENT_BUFFER((m)->size), HD_ARGUMENT_VALUE((m)->all), HD_ARGUMENT_VALUE((m)->least)
#define PIECES(m) HD_ARGUMENT_VALUE((m)->pieces), HD_ARGUMENT_BUFFER((m)->list), HD_ARGUMENT_BUFFER((m)->rows)

/* With a lane per item. */
#define LAUNCH(m, which, items, ...) \
    HD_LAUNCH(&(m)->s.kernels, (m)->kernel[which], names[which], hd_kernels_groups(&(m)->s.kernels, items), __VA_ARGS__)

static heddle_status decide_long(mover *m, uint32_t salt, uint32_t turn) {
    uint64_t lanes = (uint64_t)m->pieces * m->s.device->info.warp;
    HD_TRY(LAUNCH(m, CLEAR, lanes, PIECES(m), HD_ARGUMENT_VALUE(salt), HD_ARGUMENT_VALUE(turn),
                  HD_ARGUMENT_BUFFER(m->marks), HD_ARGUMENT_BUFFER(m->keys), HD_ARGUMENT_BUFFER(m->sums)));
    HD_TRY(LAUNCH(m, ADD, lanes, PIECES(m), ROWS(m), HD_ARGUMENT_BUFFER(m->part), HD_ARGUMENT_VALUE(salt),
                  HD_ARGUMENT_VALUE(turn), HD_ARGUMENT_BUFFER(m->marks), HD_ARGUMENT_BUFFER(m->keys),
                  HD_ARGUMENT_BUFFER(m->sums)));
    HD_TRY(LAUNCH(m, FIND, lanes, PIECES(m), ROWS(m), TOTALS(m), HD_ARGUMENT_VALUE(salt), HD_ARGUMENT_VALUE(turn),
                  HD_ARGUMENT_BUFFER(m->marks), HD_ARGUMENT_BUFFER(m->keys), HD_ARGUMENT_BUFFER(m->sums),
                  HD_ARGUMENT_BUFFER(m->found)));
    return LAUNCH(m, JOIN, m->longs, HD_ARGUMENT_VALUE(m->longs), HD_ARGUMENT_BUFFER(m->rows), ROWS(m), TOTALS(m),
                  HD_ARGUMENT_VALUE(salt), HD_ARGUMENT_VALUE(turn), HD_ARGUMENT_BUFFER(m->marks),
                  HD_ARGUMENT_BUFFER(m->found), HD_ARGUMENT_BUFFER(m->next));
}

/* One class decides, then moves. */
static heddle_status queue_turn(mover *m, uint32_t salt, uint32_t turn) {
    uint64_t lanes = (uint64_t)m->n * m->s.device->info.warp;
    HD_TRY(LAUNCH(m, SHORT, lanes, HD_ARGUMENT_VALUE(m->n), ROWS(m), TOTALS(m), HD_ARGUMENT_VALUE(salt),
                  HD_ARGUMENT_VALUE(turn), HD_ARGUMENT_BUFFER(m->marks), HD_ARGUMENT_BUFFER(m->next)));
    if (m->longs)
        HD_TRY(decide_long(m, salt, turn));
    HD_TRY(LAUNCH(m, APPLY, m->n, HD_ARGUMENT_VALUE(m->n), HD_ARGUMENT_VALUE(salt), HD_ARGUMENT_VALUE(turn),
                  HD_ARGUMENT_BUFFER(m->ends), HD_ARGUMENT_BUFFER(m->next), HD_ARGUMENT_BUFFER(m->part),
                  HD_ARGUMENT_BUFFER(m->total), HD_ARGUMENT_BUFFER(m->size), HD_ARGUMENT_BUFFER(m->marks),
                  HD_ARGUMENT_BUFFER(m->gone), HD_ARGUMENT_BUFFER(m->numbers_there)));
    HD_TRY(LAUNCH(m, MARK, lanes, HD_ARGUMENT_VALUE(m->n), HD_ARGUMENT_BUFFER(m->offsets),
                  HD_ARGUMENT_BUFFER(m->targets), HD_ARGUMENT_BUFFER(m->part), HD_ARGUMENT_BUFFER(m->gone),
                  HD_ARGUMENT_BUFFER(m->marks)));
    if (m->longs)
        HD_TRY(LAUNCH(m, MARK_LONG, (uint64_t)m->pieces * m->s.device->info.warp, PIECES(m),
                      HD_ARGUMENT_BUFFER(m->offsets), HD_ARGUMENT_BUFFER(m->targets), HD_ARGUMENT_BUFFER(m->part),
                      HD_ARGUMENT_BUFFER(m->gone), HD_ARGUMENT_BUFFER(m->marks)));
    return HEDDLE_OK;
}

/* The modularity of the present communities, without what loops add; `numbers` are those of the sweep. */
static heddle_status measure(mover *m, double sum, double *strips, double *modularity) {
    double squares = 0;
    HD_TRY(LAUNCH(m, INSIDE, (uint64_t)m->n * m->s.device->info.warp, HD_ARGUMENT_VALUE(m->n), PIECES(m), ROWS(m),
                  HD_ARGUMENT_BUFFER(m->part), HD_ARGUMENT_BUFFER(m->numbers_there)));
    HD_TRY(LAUNCH(m, SQUARES, strips_of(m->n), HD_ARGUMENT_VALUE(m->n), HD_ARGUMENT_BUFFER(m->total),
                  HD_ARGUMENT_BUFFER(m->strips_there)));
    HD_TRY(m->s.device->download(m->s.device, strips, &m->strips_there, 0, strips_of(m->n) * 8));
    HD_TRY(hd_structure_look(&m->s, &m->numbers_there, m->numbers, sizeof m->numbers));
    for (uint64_t i = 0; i < strips_of(m->n); i++)
        squares += strips[i];
    *modularity = (double)m->numbers[MOVE_INSIDE] / (sum * m->scale) - squares / (sum * m->scale) / m->all;
    return HEDDLE_OK;
}

static heddle_status clear_numbers(mover *m) {
    return m->s.device->fill(m->s.device, &m->numbers_there, 0, 0, sizeof m->numbers);
}

static heddle_status sweep(mover *m, const hd_moving *moving, double *strips, uint64_t *moved) {
    double best, now;
    HD_TRY(clear_numbers(m));
    HD_TRY(measure(m, moving->sum, strips, &best));
    for (uint32_t i = 0; i < SWEEPS; i++) {
        uint32_t salt = (uint32_t)hd_random(moving->seed + moving->level, i);
        HD_TRY(clear_numbers(m));
        for (uint32_t turn = 0; turn < MOVE_CLASSES; turn++)
            HD_TRY(queue_turn(m, salt, turn));
        HD_TRY(measure(m, moving->sum, strips, &now));
        if (!(now > best))
            break;
        HD_TRY(
            LAUNCH(m, COPY, m->n, HD_ARGUMENT_VALUE(m->n), HD_ARGUMENT_BUFFER(m->part), HD_ARGUMENT_BUFFER(m->best)));
        *moved += m->numbers[MOVE_MOVED];
        if (now - best < least_sweep)
            break;
        best = now;
    }
    return HEDDLE_OK;
}

static heddle_status move_level(mover *m, const hd_moving *moving, const shape *sizes, uint32_t *part,
                                uint64_t *moved) {
    double *strips = NULL;
    HD_TRY(upload_level(m, moving, sizes, part));
    HD_TRY(HD_NEW(m->s.ctx, &strips, strips_of(m->n), "sums of strips"));
    heddle_status status = sweep(m, moving, strips, moved);
    HD_DELETE(&m->s.ctx->allocator, strips, strips_of(m->n));
    HD_TRY(status);
    HD_TRY(m->s.device->download(m->s.device, part, &m->best, 0, moving->graph->n * 4));
    return m->s.device->finish(m->s.device);
}

static heddle_status move(void *self, const hd_moving *moving, uint32_t *part, uint64_t *moved) {
    mover *m = self;
    shape sizes = shape_of(moving->graph);
    *moved = HD_NOT_MOVED;
    if (!sizes.entries || !(moving->sum > 0) || !has_room(m, &sizes))
        return HEDDLE_OK;
    *moved = 0;
    heddle_status status = move_level(m, moving, &sizes, part, moved);
    free_buffers(m);
    return status;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static heddle_status open_mover(mover *m, const hd_run *run) {
    static const char *const texts[] = {hd_text_kernels_communities, NULL};
    heddle_report *report = &run->result->report;
    HD_TRY(hd_device_keep(run->ctx, run->options.device, report, &m->s.device));
    if (!m->s.device->info.doubles || !m->s.device->info.atomics64)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: %s has no double precision or no 64-bit atomics: use cpu",
                       run->algorithm->info.name, m->s.device->info.name);
    hd_kernels_text text = {.name = "communities", .texts = texts, .wide = true};
    HD_TRY(hd_kernels_open(m->s.device, &text, report, &m->s.kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&m->s.kernels, names[i], &m->kernel[i]));
    return HEDDLE_OK;
}

heddle_status hd_communities_run_device(const hd_run *run, bool refine) {
    mover m = {.s = {.ctx = run->ctx, .graph = run->graph, .result = run->result}};
    hd_mover on_device = {.move = move, .self = &m};
    HD_TRY(hd_structure_own_plan(run));
    heddle_status status = open_mover(&m, run);
    if (status == HEDDLE_OK)
        status = hd_communities_run(run, refine, &on_device);
    if (status == HEDDLE_OK) {
        hd_result_device(run->result, run->options.device);
        run->result->report.schedule = "fast";
        run->result->report.device_bytes = m.most_bytes;
    }
    hd_structure_close(&m.s);
    return status;
}
