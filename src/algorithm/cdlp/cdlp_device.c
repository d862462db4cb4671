/* cdlp_device.c - label propagation on a device: cdlp.cl, a few launches per round; the host reads how many labels have
 * changed after each. */
#include "algorithm/cdlp/cdlp_device.h"

#include "algorithm/cdlp/cdlp_state.h"
#include "algorithm/structure/structure_device.h"
#include "base/memory.h"

extern const char hd_text_row_mode[], hd_text_kernels_cdlp[];

enum { START, CLEAR, SHORT, LONG, BEST, KERNELS };
static const char *const names[KERNELS] = {"cdlp_start", "cdlp_clear", "cdlp_short", "cdlp_long", "cdlp_best"};

typedef struct propagation {
    hd_structure s;
    void *kernel[KERNELS];
    hd_buffer label, next, rows, table, state;
    uint32_t n, both, words[CDLP_WORDS];
    uint64_t slots; /* of the tables of all long rows */
} propagation;

/* Arcs of both directions are looked at. */
static uint64_t entries_of(const heddle_graph *graph) { return graph->edges * (graph->directed ? 2 : 1); }

static heddle_status make_buffers(propagation *p, const heddle_graph *graph) {
    HD_TRY(hd_structure_buffer(&p->s, graph->vertices * 4, "labels", &p->label));
    HD_TRY(hd_structure_buffer(&p->s, graph->vertices * 4, "labels", &p->next));
    HD_TRY(hd_structure_buffer(&p->s, (entries_of(graph) / CDLP_SHORT + 1) * 8, "long rows", &p->rows));
    return hd_structure_buffer(&p->s, sizeof p->words, "state", &p->state);
}

/* Keys, then counts. */
static heddle_status make_table(propagation *p, uint64_t units) {
    p->slots = units * CDLP_UNIT;
    return hd_structure_buffer(&p->s, 2 * p->slots * 4, "tables of labels", &p->table);
}

/* Of a directed graph the in-degrees are not known: they are taken to be like the out-degrees. */
static heddle_status count_units(heddle_context *ctx, const heddle_graph *graph, uint64_t *units) {
    heddle_adjacency out;
    *units = 0;
    HD_TRY(hd_graph_bare(ctx, graph, false, &out));
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t count = (out.offsets[v + 1] - out.offsets[v]) * (graph->directed ? 2 : 1);
        *units += count > CDLP_SHORT ? (2 * count + CDLP_UNIT - 1) / CDLP_UNIT : 0;
    }
    return HEDDLE_OK;
}

heddle_status hd_cdlp_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    propagation p = {.s = {.ctx = r->run->ctx, .graph = graph}};
    uint64_t units;
    HD_TRY(count_units(r->run->ctx, graph, &units));
    HD_TRY(make_buffers(&p, graph));
    HD_TRY(make_table(&p, units));
    *bytes = p.s.bytes + hd_structure_rows(graph, HD_WANT_OUT | HD_WANT_IN);
    return HEDDLE_OK;
}

#define ROWS(p) HD_ARGUMENT_VALUE((p)->both), HD_STRUCTURE_ROWS(&(p)->s)
/* With a lane per item. */
#define LAUNCH(p, which, items, ...) HD_STRUCTURE_LAUNCH(&(p)->s, (p)->kernel[which], names[which], items, __VA_ARGS__)

static heddle_status begin(propagation *p) {
    hd_device *device = p->s.device;
    HD_TRY(device->fill(device, &p->state, 0, 0, sizeof p->words));
    HD_TRY(LAUNCH(p, START, p->n, HD_ARGUMENT_VALUE(p->n), ROWS(p), HD_ARGUMENT_BUFFER(p->label),
                  HD_ARGUMENT_BUFFER(p->rows), HD_ARGUMENT_BUFFER(p->state)));
    HD_TRY(hd_structure_look(&p->s, &p->state, p->words, sizeof p->words));
    return make_table(p, p->words[CDLP_UNITS]);
}

static heddle_status do_round(propagation *p) {
    uint32_t longs = p->words[CDLP_LONG];
    uint64_t words = 2 * p->slots, lanes = p->s.kernels.lanes;
    HD_TRY(LAUNCH(p, CLEAR, words + 1, HD_ARGUMENT_VALUE(words), HD_ARGUMENT_BUFFER(p->table),
                  HD_ARGUMENT_BUFFER(p->state)));
    HD_TRY(LAUNCH(p, SHORT, p->n * lanes, HD_ARGUMENT_VALUE(p->n), ROWS(p), HD_ARGUMENT_BUFFER(p->label),
                  HD_ARGUMENT_BUFFER(p->next), HD_ARGUMENT_BUFFER(p->state)));
    if (longs) {
        HD_TRY(LAUNCH(p, LONG, longs * lanes, HD_ARGUMENT_VALUE(longs), ROWS(p), HD_ARGUMENT_BUFFER(p->label),
                      HD_ARGUMENT_BUFFER(p->rows), HD_ARGUMENT_BUFFER(p->table), HD_ARGUMENT_VALUE(p->slots)));
        HD_TRY(LAUNCH(p, BEST, longs * lanes, HD_ARGUMENT_VALUE(longs), HD_ARGUMENT_VALUE(p->both),
                      HD_ARGUMENT_BUFFER(p->s.resident->out.offsets), HD_ARGUMENT_BUFFER(p->s.resident->in.offsets),
                      HD_ARGUMENT_BUFFER(p->label), HD_ARGUMENT_BUFFER(p->next), HD_ARGUMENT_BUFFER(p->rows),
                      HD_ARGUMENT_BUFFER(p->table), HD_ARGUMENT_VALUE(p->slots), HD_ARGUMENT_BUFFER(p->state)));
    }
    hd_buffer old = p->label;
    p->label = p->next;
    p->next = old;
    return hd_structure_look(&p->s, &p->state, p->words, sizeof p->words);
}

static heddle_status do_rounds(propagation *p, const hd_run *run) {
    heddle_report *report = &run->result->report;
    uint64_t entries = entries_of(run->graph);
    HD_TRY(hd_structure_start(&p->s));
    HD_TRY(begin(p));
    hd_rounds_mark(run->ctx);
    do {
        HD_TRY(do_round(p));
        report->iterations++;
        report->edges_walked += entries;
        HD_ROUND(run->ctx, .rounds = 1, .vertices = p->n, .edges = entries, .direction = HEDDLE_DIRECTION_PULL,
                 .kernel = "fast");
    } while (p->words[CDLP_CHANGED] && report->iterations < run->options.max_iterations);
    HD_TRY(hd_structure_stop(&p->s));
    return hd_structure_fetch(&p->s, &p->label, run->result->values, (uint64_t)p->n * 4);
}

static heddle_status compute(propagation *p, const hd_run *run) {
    static const char *const texts[] = {hd_text_row_mode, hd_text_kernels_cdlp, NULL};
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    uint32_t *size;
    HD_TRY(hd_structure_open(&p->s, ctx, graph, run->options.device, HD_WANT_OUT | (graph->directed ? HD_WANT_IN : 0),
                             run->result));
    HD_TRY(hd_structure_compile(&p->s, "cdlp", texts, NULL));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->s.kernels, names[i], &p->kernel[i]));
    HD_TRY(make_buffers(p, graph));
    HD_TRY(hd_result_values_new(ctx, run->result, HEDDLE_VALUE_U32, graph->vertices));
    p->n = (uint32_t)graph->vertices;
    p->both = graph->directed;
    if (p->n)
        HD_TRY(do_rounds(p, run));
    hd_structure_report(&p->s, run->options.device, "fast");
    HD_TRY(HD_NEW(ctx, &size, graph->vertices, "sizes of communities"));
    hd_cdlp_figures(ctx, run->result, size, p->words[CDLP_CHANGED]);
    HD_DELETE(&ctx->allocator, size, graph->vertices);
    return HEDDLE_OK;
}

heddle_status hd_device_cdlp(const hd_run *run) {
    propagation p = {.s = {.ctx = run->ctx}};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&p, run);
    hd_phase_end(run->ctx);
    hd_structure_close(&p.s);
    return status;
}
