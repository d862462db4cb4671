/* labels_device.c - label propagation on a device: labels.cl, with a launch for a round of all colours where groups can
 * wait for each other, otherwise up to three for each colour. The host reads how many labels have changed after each
 * round. */
#include "algorithm/labels/labels_device.h"

#include "algorithm/labels/row_classes.h"
#include "algorithm/structure/structure_device.h"

#include <stdio.h>

extern const char hd_text_row_mode[], hd_text_kernels_labels[];

enum {
    GROUPS = 4,     /* per unit in a cooperative launch */
    ALONE = 1 << 9, /* vertices that are left to one group where groups cannot wait for each other */
    FEW = 8         /* at most 1/FEW of the vertices have changed: their neighbours are marked */
};

enum { START, VISIT, BEST, JOIN, ROUND, KERNELS };
static const char *const names[KERNELS] = {"labels_start", "labels_visit", "labels_best", "labels_join",
                                           "labels_round"};

typedef struct propagation {
    hd_structure s;
    const hd_labels_rule *rule;
    const hd_row_classes *classes;
    void *kernel[KERNELS];
    hd_buffer label, next, marks, more_marks, order, colours, rows, pieces, table, found, state;
    uint32_t n, flags, together; /* groups of a launch of all colours, or 0 */
    uint64_t slots;
    uint32_t words[LABELS_WORDS];
} propagation;

static uint64_t entries_of(const heddle_graph *graph) { return graph->edges * (graph->directed ? 2 : 1); }

/* Sizes that the classes of rows will have. */
typedef struct sizes {
    uint64_t colours, longs, pieces, most; /* most: pieces of one colour */
} sizes;

static heddle_status make_buffers(propagation *p, uint64_t n, const sizes *c) {
    hd_structure *s = &p->s;
    p->slots = c->most * 2 * LABELS_PIECE;
    HD_TRY(hd_structure_buffer(s, n * 4, "labels", &p->label));
    HD_TRY(hd_structure_buffer(s, n * 4, "marks", &p->marks));
    p->next = p->label;
    p->more_marks = p->marks;
    if (!p->rule->coloured) {
        HD_TRY(hd_structure_buffer(s, n * 4, "labels", &p->next));
        HD_TRY(hd_structure_buffer(s, n * 4, "marks", &p->more_marks));
    }
    HD_TRY(hd_structure_buffer(s, n * 4, "vertices by colour", &p->order));
    HD_TRY(hd_structure_buffer(s, c->colours * COLOUR_WORDS * 4, "colours", &p->colours));
    HD_TRY(hd_structure_buffer(s, c->longs * ROW_WORDS * 4, "long rows", &p->rows));
    HD_TRY(hd_structure_buffer(s, c->pieces * 8, "pieces of long rows", &p->pieces));
    HD_TRY(hd_structure_buffer(s, c->pieces * 12, "pieces of long rows", &p->found));
    HD_TRY(hd_structure_buffer(s, 2 * p->slots * 4, "tables of labels", &p->table));
    return hd_structure_buffer(s, sizeof p->words, "state", &p->state);
}

/* Long rows are assumed to have one colour, which is the most; of a directed graph in-degrees like its out-degrees. */
heddle_status hd_labels_device_bytes(const hd_device_request *r, bool coloured, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    const hd_labels_rule rule = {.coloured = coloured};
    propagation p = {.s = {.ctx = r->run->ctx, .graph = graph}, .rule = &rule};
    heddle_adjacency out;
    sizes c = {.colours = 1};
    HD_TRY(hd_graph_bare(r->run->ctx, graph, false, &out));
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t count = (out.offsets[v + 1] - out.offsets[v]) * (graph->directed ? 2 : 1);
        c.longs += count > LABELS_LARGE;
        c.pieces += count > LABELS_LARGE ? (count + LABELS_PIECE - 1) / LABELS_PIECE : 0;
        c.colours = coloured && count >= c.colours ? count + 1 : c.colours;
    }
    c.most = c.pieces;
    c.colours = c.colours < graph->vertices ? c.colours : graph->vertices;
    HD_TRY(make_buffers(&p, graph->vertices, &c));
    *bytes = p.s.bytes + hd_structure_rows(graph, HD_WANT_OUT | HD_WANT_IN);
    return HEDDLE_OK;
}

static heddle_status bring(propagation *p, const hd_buffer *buffer, const uint32_t *words, uint64_t count) {
    return count ? p->s.device->upload(p->s.device, buffer, 0, words, count * 4) : HEDDLE_OK;
}

static heddle_status bring_classes(propagation *p, const hd_run *run) {
    hd_device *device = p->s.device;
    double start = hd_clock();
    HD_TRY(hd_row_classes_of(run->ctx, run->graph, p->rule->coloured, run->options.seed, &p->classes));
    const hd_row_classes *c = p->classes;
    HD_TRY(make_buffers(p, p->n, &(sizes){c->colours, c->longs, c->pieces, hd_row_classes_most(c)}));
    HD_TRY(bring(p, &p->order, c->order, c->vertices));
    HD_TRY(bring(p, &p->colours, c->words, c->colours * COLOUR_WORDS));
    HD_TRY(bring(p, &p->rows, c->rows, c->longs * ROW_WORDS));
    HD_TRY(bring(p, &p->pieces, c->list, c->pieces * 2));
    HD_TRY(device->finish(device));
    run->result->report.prepare += hd_clock() - start;
    return HEDDLE_OK;
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

static heddle_status launch(propagation *p, int which, uint32_t colour, uint32_t groups, bool resident) {
    const hd_argument arguments[] = {HD_ARGUMENT_VALUE(colour),         HD_ARGUMENT_VALUE(p->flags),
                                     HD_ARGUMENT_VALUE(p->rule->seed),  HD_ARGUMENT_BUFFER(p->state),
                                     HD_STRUCTURE_ROWS(&p->s),          HD_ARGUMENT_BUFFER(p->order),
                                     HD_ARGUMENT_BUFFER(p->colours),    HD_ARGUMENT_BUFFER(p->rows),
                                     HD_ARGUMENT_BUFFER(p->pieces),     HD_ARGUMENT_BUFFER(p->label),
                                     HD_ARGUMENT_BUFFER(p->next),       HD_ARGUMENT_BUFFER(p->marks),
                                     HD_ARGUMENT_BUFFER(p->more_marks), HD_ARGUMENT_BUFFER(p->table),
                                     HD_ARGUMENT_VALUE(p->slots),       HD_ARGUMENT_BUFFER(p->found)};
    return hd_kernels_launch(&p->s.kernels, p->kernel[which], names[which], groups, resident, arguments,
                             sizeof arguments / sizeof *arguments);
}

static heddle_status visit_colour(propagation *p, uint32_t colour) {
    const uint32_t *c = p->classes->words + (uint64_t)colour * COLOUR_WORDS;
    const hd_kernels *kernels = &p->s.kernels;
    uint64_t pieces = c[COLOUR_LAST_PIECE] - c[COLOUR_PIECE], warp = p->s.device->info.warp;
    uint64_t lanes = c[COLOUR_SMALL] - c[COLOUR_TINY] + (c[COLOUR_LARGE] - c[COLOUR_SMALL] + pieces) * warp +
                     (uint64_t)(c[COLOUR_END] - c[COLOUR_LARGE]) * kernels->lanes;
    HD_TRY(launch(p, VISIT, colour, hd_kernels_groups(kernels, lanes), false));
    if (!pieces)
        return HEDDLE_OK;
    HD_TRY(launch(p, BEST, colour, hd_kernels_groups(kernels, pieces * warp), false));
    return launch(p, JOIN, colour, hd_kernels_groups(kernels, pieces * warp), false);
}

static heddle_status visit_colours(propagation *p) {
    uint32_t count = (uint32_t)p->classes->colours;
    if (p->together)
        return launch(p, ROUND, count, p->together, p->s.device->info.grid_barrier);
    for (uint32_t k = 0; k < count; k++)
        HD_TRY(visit_colour(p, k));
    return HEDDLE_OK;
}

/* The first round, if it needs no counting: `done`. */
static heddle_status do_first(propagation *p, bool *done) {
    const hd_resident_rows *out = &p->s.resident->out;
    uint64_t arcs = p->s.resident->edges;
    HD_TRY(HD_START(&p->s.kernels, "labels_check", arcs, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(arcs),
                    HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(p->state)));
    HD_TRY(hd_structure_look(&p->s, &p->state, p->words, sizeof p->words));
    *done = !p->words[LABELS_MIXED];
    if (!*done)
        return HEDDLE_OK;
    return HD_START(&p->s.kernels, "labels_first", p->n, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_BUFFER(out->offsets),
                    HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(p->next), HD_ARGUMENT_BUFFER(p->state));
}

static void swap(hd_buffer *a, hd_buffer *b) {
    hd_buffer old = *a;
    *a = *b;
    *b = old;
}

static heddle_status do_round(propagation *p, bool first) {
    hd_device *device = p->s.device;
    bool done = false;
    HD_TRY(device->fill(device, &p->state, LABELS_CHANGED * 4, 0, 4));
    if (first && !p->rule->coloured && !p->s.graph->directed)
        HD_TRY(do_first(p, &done));
    if (!done)
        HD_TRY(visit_colours(p));
    HD_TRY(hd_structure_look(&p->s, &p->state, p->words, sizeof p->words));
    if (p->rule->coloured)
        return HEDDLE_OK;
    swap(&p->label, &p->next);
    swap(&p->marks, &p->more_marks);
    p->flags =
        (p->flags & LABELS_MARKS ? LABELS_MARKED : 0) | (p->words[LABELS_CHANGED] <= p->n / FEW ? LABELS_MARKS : 0);
    return HEDDLE_OK;
}

static heddle_status begin(propagation *p) {
    hd_device *device = p->s.device;
    uint32_t mark = p->rule->coloured, most = hd_kernels_resident(&p->s.kernels, p->kernel[ROUND]);
    uint32_t wanted = device->info.units * GROUPS;
    p->flags = mark ? LABELS_MARKED | LABELS_MARKS : 0;
    if (mark)
        p->together = !device->info.grid_barrier && p->n <= ALONE ? 1 : most < wanted ? most : wanted;
    HD_TRY(device->fill(device, &p->state, 0, 0, sizeof p->words));
    if (p->slots)
        HD_TRY(device->fill(device, &p->table, 0, 0, 2 * p->slots * 4));
    return HD_STRUCTURE_LAUNCH(&p->s, p->kernel[START], names[START], p->n, HD_ARGUMENT_VALUE(p->n),
                               HD_ARGUMENT_VALUE(mark), HD_ARGUMENT_BUFFER(p->label), HD_ARGUMENT_BUFFER(p->next),
                               HD_ARGUMENT_BUFFER(p->marks), HD_ARGUMENT_BUFFER(p->more_marks));
}

static heddle_status do_rounds(propagation *p, const hd_run *run) {
    heddle_report *report = &run->result->report;
    uint64_t entries = entries_of(run->graph);
    HD_TRY(hd_structure_start(&p->s));
    HD_TRY(begin(p));
    hd_rounds_mark(run->ctx);
    do {
        HD_TRY(do_round(p, report->iterations == 0));
        report->iterations++;
        report->edges_walked += entries; /* at most */
        HD_ROUND(run->ctx, .rounds = 1, .vertices = HD_NOT_KNOWN, .edges = HD_NOT_KNOWN,
                 .direction = HEDDLE_DIRECTION_PULL, .kernel = p->rule->name);
    } while (p->words[LABELS_CHANGED] && report->iterations < run->options.max_iterations);
    HD_TRY(hd_structure_stop(&p->s));
    return hd_structure_fetch(&p->s, &p->label, run->result->values, (uint64_t)p->n * 4);
}

static heddle_status compute(propagation *p, const hd_run *run) {
    static const char *const texts[] = {hd_text_row_mode, hd_text_kernels_labels, NULL};
    const heddle_graph *graph = run->graph;
    char defines[80];
    snprintf(defines, sizeof defines, "#define LABELS_BOTH %d\n#define LABELS_CHANCE %d\n", graph->directed != 0,
             p->rule->coloured);
    HD_TRY(hd_structure_open(&p->s, run->ctx, graph, run->options.device,
                             HD_WANT_OUT | (graph->directed ? HD_WANT_IN : 0), run->result));
    HD_TRY(hd_structure_compile(&p->s, "labels", texts, defines));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->s.kernels, names[i], &p->kernel[i]));
    HD_TRY(hd_result_values_new(run->ctx, run->result, HEDDLE_VALUE_U32, graph->vertices));
    p->n = (uint32_t)graph->vertices;
    HD_TRY(bring_classes(p, run));
    if (p->n)
        HD_TRY(do_rounds(p, run));
    hd_structure_report(&p->s, run->options.device, "fast");
    return HEDDLE_OK;
}

heddle_status hd_device_labels(const hd_run *run, const hd_labels_rule *rule, uint64_t *changed, uint64_t *colours) {
    propagation p = {.s = {.ctx = run->ctx}, .rule = rule};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&p, run);
    hd_phase_end(run->ctx);
    if (status == HEDDLE_OK) {
        *changed = p.words[LABELS_CHANGED];
        *colours = p.classes->colours;
    }
    hd_structure_close(&p.s);
    return status;
}
