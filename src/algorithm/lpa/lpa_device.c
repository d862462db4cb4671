/* lpa_device.c - asynchronous label propagation on a device: lpa.cl, a few launches per colour; the host computes the
 * colours, and reads how many labels have changed after each round. */
#include "algorithm/lpa/lpa_device.h"

#include "algorithm/lpa/lpa_state.h"
#include "algorithm/structure/structure_device.h"
#include "base/memory.h"
#include "engine/cpu/colours.h"

extern const char hd_text_row_mode[], hd_text_kernels_lpa[];

enum { START, SHORT, CLEAR, LONG, BEST, KERNELS };
static const char *const names[KERNELS] = {"lpa_start", "lpa_short", "lpa_clear", "lpa_long", "lpa_best"};

/* The vertices of a colour in the order: those of short rows, then those of long ones. */
typedef struct colour {
    uint64_t first, longs, last;
    uint64_t base;  /* of the long rows' places */
    uint64_t slots; /* of the long rows' tables together */
} colour;

typedef struct propagation {
    hd_structure s;
    void *kernel[KERNELS];
    hd_buffer label, marks, order, places, table, state;
    uint32_t n, both, seed;
    colour *colours;
    uint64_t *where; /* places */
    uint64_t colour_count, long_count, slots;
} propagation;

static uint64_t entries_of(const heddle_graph *graph) { return graph->edges * (graph->directed ? 2 : 1); }

static heddle_status make_buffers(propagation *p, const heddle_graph *graph, uint64_t longs, uint64_t slots) {
    uint64_t n = graph->vertices;
    HD_TRY(hd_structure_buffer(&p->s, n * 4, "labels", &p->label));
    HD_TRY(hd_structure_buffer(&p->s, n * 4, "marks", &p->marks));
    HD_TRY(hd_structure_buffer(&p->s, n * 4, "vertices by colour", &p->order));
    HD_TRY(hd_structure_buffer(&p->s, longs * 8, "places of long rows", &p->places));
    HD_TRY(hd_structure_buffer(&p->s, 2 * slots * 4, "tables of labels", &p->table));
    return hd_structure_buffer(&p->s, LPA_WORDS * 4, "state", &p->state);
}

/* Long rows are assumed to have one colour, which is the most; of a directed graph in-degrees like its out-degrees. */
heddle_status hd_lpa_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    propagation p = {.s = {.ctx = r->run->ctx, .graph = graph}};
    heddle_adjacency out;
    uint64_t longs = 0, slots = 0;
    HD_TRY(hd_graph_bare(r->run->ctx, graph, false, &out));
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t count = (out.offsets[v + 1] - out.offsets[v]) * (graph->directed ? 2 : 1);
        longs += count > LPA_SHORT;
        slots += count > LPA_SHORT ? 2 * count : 0;
    }
    HD_TRY(make_buffers(&p, graph, longs, slots));
    *bytes = p.s.bytes + hd_structure_rows(graph, HD_WANT_OUT | HD_WANT_IN);
    return HEDDLE_OK;
}

/* ---- Colours ----------------------------------------------------------------------------------------------------- */

/* Puts the long rows of a colour behind the others; `spare` has room for them. */
static void divide(propagation *p, const hd_row_modes *rows, heddle_vertex *order, colour *c, heddle_vertex *spare) {
    uint64_t longs = 0, to = c->first;
    c->base = p->long_count;
    for (uint64_t i = c->first; i < c->last; i++) {
        uint64_t degree = hd_row_modes_degree(rows, order[i]);
        if (degree <= LPA_SHORT) {
            order[to++] = order[i];
            continue;
        }
        spare[longs++] = order[i];
        p->where[p->long_count++] = c->slots;
        c->slots += 2 * degree;
    }
    c->longs = to;
    for (uint64_t i = 0; i < longs; i++)
        order[to + i] = spare[i];
    p->slots = c->slots > p->slots ? c->slots : p->slots;
}

static heddle_status divide_colours(propagation *p, const hd_row_modes *rows, hd_colours *colours, uint64_t most) {
    heddle_vertex *spare;
    p->colour_count = colours->count;
    HD_TRY(HD_NEW_ZERO(p->s.ctx, &p->colours, p->colour_count, "colours"));
    HD_TRY(HD_NEW(p->s.ctx, &p->where, most, "places of long rows"));
    HD_TRY(HD_NEW(p->s.ctx, &spare, most, "long rows"));
    for (uint64_t k = 0; k < p->colour_count; k++) {
        p->colours[k] = (colour){.first = colours->starts[k], .last = colours->starts[k + 1]};
        divide(p, rows, colours->order, &p->colours[k], spare);
    }
    HD_DELETE(&p->s.ctx->allocator, spare, most);
    return HEDDLE_OK;
}

/* Long rows, at most. */
static uint64_t most_longs(const heddle_graph *graph) { return entries_of(graph) / LPA_SHORT + 1; }

static heddle_status bring_colours(propagation *p, const hd_run *run) {
    hd_device *device = p->s.device;
    hd_row_modes rows;
    hd_colours colours = {.count = 0};
    heddle_status status;
    HD_CHECK(hd_row_modes_rows(run->ctx, run->graph, &rows));
    HD_CHECK(hd_colours_open(&rows, run->options.seed, &colours));
    HD_CHECK(divide_colours(p, &rows, &colours, most_longs(run->graph)));
    HD_CHECK(make_buffers(p, run->graph, p->long_count, p->slots));
    if (p->n)
        HD_CHECK(device->upload(device, &p->order, 0, colours.order, (uint64_t)p->n * 4));
    if (p->long_count)
        HD_CHECK(device->upload(device, &p->places, 0, p->where, p->long_count * 8));
    status = device->finish(device);
out:
    hd_colours_close(run->ctx, &colours);
    hd_row_modes_close(&rows);
    return status;
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

#define ROWS(p) HD_ARGUMENT_VALUE((p)->both), HD_STRUCTURE_ROWS(&(p)->s)
/* With a lane per item. */
#define LAUNCH(p, which, items, ...) HD_STRUCTURE_LAUNCH(&(p)->s, (p)->kernel[which], names[which], items, __VA_ARGS__)

static heddle_status visit_long(propagation *p, colour *c) {
    uint64_t lanes = (c->last - c->longs) * p->s.kernels.lanes, words = 2 * p->slots;
    HD_TRY(LAUNCH(p, CLEAR, words, HD_ARGUMENT_VALUE(words), HD_ARGUMENT_BUFFER(p->table)));
    HD_TRY(LAUNCH(p, LONG, lanes, HD_ARGUMENT_VALUE(c->longs), HD_ARGUMENT_VALUE(c->last), HD_ARGUMENT_BUFFER(p->order),
                  HD_ARGUMENT_BUFFER(p->places), HD_ARGUMENT_VALUE(c->base), ROWS(p), HD_ARGUMENT_BUFFER(p->label),
                  HD_ARGUMENT_BUFFER(p->marks), HD_ARGUMENT_BUFFER(p->table), HD_ARGUMENT_VALUE(p->slots)));
    return LAUNCH(p, BEST, lanes, HD_ARGUMENT_VALUE(c->longs), HD_ARGUMENT_VALUE(c->last), HD_ARGUMENT_BUFFER(p->order),
                  HD_ARGUMENT_BUFFER(p->places), HD_ARGUMENT_VALUE(c->base), ROWS(p), HD_ARGUMENT_VALUE(p->seed),
                  HD_ARGUMENT_BUFFER(p->label), HD_ARGUMENT_BUFFER(p->marks), HD_ARGUMENT_BUFFER(p->table),
                  HD_ARGUMENT_VALUE(p->slots), HD_ARGUMENT_BUFFER(p->state));
}

static heddle_status do_round(propagation *p, uint32_t *changed) {
    hd_device *device = p->s.device;
    HD_TRY(device->fill(device, &p->state, 0, 0, LPA_WORDS * 4));
    for (uint64_t k = 0; k < p->colour_count; k++) {
        colour *c = &p->colours[k];
        if (c->longs > c->first)
            HD_TRY(LAUNCH(p, SHORT, (c->longs - c->first) * p->s.kernels.lanes, HD_ARGUMENT_VALUE(c->first),
                          HD_ARGUMENT_VALUE(c->longs), HD_ARGUMENT_BUFFER(p->order), ROWS(p),
                          HD_ARGUMENT_VALUE(p->seed), HD_ARGUMENT_BUFFER(p->label), HD_ARGUMENT_BUFFER(p->marks),
                          HD_ARGUMENT_BUFFER(p->state)));
        if (c->last > c->longs)
            HD_TRY(visit_long(p, c));
    }
    return hd_structure_look(&p->s, &p->state, changed, LPA_WORDS * 4);
}

static heddle_status do_rounds(propagation *p, const hd_run *run, uint32_t *changed) {
    heddle_report *report = &run->result->report;
    HD_TRY(hd_structure_start(&p->s));
    HD_TRY(LAUNCH(p, START, p->n, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_BUFFER(p->label), HD_ARGUMENT_BUFFER(p->marks)));
    hd_rounds_mark(run->ctx);
    do {
        HD_TRY(do_round(p, changed));
        report->iterations++;
        report->edges_walked += entries_of(run->graph); /* at most */
        HD_ROUND(run->ctx, .rounds = 1, .vertices = HD_NOT_KNOWN, .edges = HD_NOT_KNOWN,
                 .direction = HEDDLE_DIRECTION_PULL, .kernel = "colours");
    } while (*changed && report->iterations < run->options.max_iterations);
    HD_TRY(hd_structure_stop(&p->s));
    return hd_structure_fetch(&p->s, &p->label, run->result->values, (uint64_t)p->n * 4);
}

static heddle_status compute(propagation *p, const hd_run *run) {
    static const char *const texts[] = {hd_text_row_mode, hd_text_kernels_lpa, NULL};
    const heddle_graph *graph = run->graph;
    uint32_t changed[LPA_WORDS] = {0};
    HD_TRY(hd_structure_open(&p->s, run->ctx, graph, run->options.device,
                             HD_WANT_OUT | (graph->directed ? HD_WANT_IN : 0), run->result));
    HD_TRY(hd_structure_compile(&p->s, "lpa", texts, NULL));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->s.kernels, names[i], &p->kernel[i]));
    HD_TRY(hd_result_values_new(run->ctx, run->result, HEDDLE_VALUE_U32, graph->vertices));
    p->n = (uint32_t)graph->vertices;
    p->both = graph->directed;
    p->seed = hd_lpa_seed(&run->options);
    double start = hd_clock();
    HD_TRY(bring_colours(p, run));
    run->result->report.prepare += hd_clock() - start;
    if (p->n)
        HD_TRY(do_rounds(p, run, changed));
    else
        run->result->report.iterations = 1;
    hd_structure_report(&p->s, run->options.device, "fast");
    run->result->report.converged = changed[LPA_CHANGED] == 0;
    return hd_lpa_finish(run, changed[LPA_CHANGED], p->colour_count);
}

heddle_status hd_device_lpa(const hd_run *run) {
    propagation p = {.s = {.ctx = run->ctx}};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&p, run);
    hd_phase_end(run->ctx);
    HD_DELETE(&run->ctx->allocator, p.colours, p.colour_count);
    HD_DELETE(&run->ctx->allocator, p.where, most_longs(run->graph));
    hd_structure_close(&p.s);
    return status;
}
