/* many_device.c - see many_device.h. */
#include "algorithm/many/many_device.h"
#include "algorithm/many/many_state.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdio.h>

/* Tunables. */
enum {
    SHORT = 64, /* rows of more edges are walked by warps */
    PART = 512, /* in parts of this many */
    OWN = 32,   /* going up, edges that a lane looks at by itself */
    UP = 3,     /* going down costs so many times as much an edge */
    COST = 16,  /* edges that cost one, as in the kernels */
    BATCH = 4096,
    LARGE_BATCH = 32, /* on graphs of more than … */
    QUEUED = 16
};
static const uint64_t large_edges = UINT64_C(1) << 24;

static const uint64_t vertex_bytes = 12; /* entries and pairs, for each search and vertex */
static const uint64_t unit_bytes = 12;

static const char *const names[HD_MANY_KERNELS] = {"many_begin_one", "many_down_one", "many_units_one",
                                                   "many_rise_one",  "many_note_one", "many_settle_one"};

/* In-degrees are on the device alone, perhaps. */
static uint64_t row(const void *offsets, bool wide, uint64_t v) {
    const uint32_t *narrow = offsets;
    const uint64_t *all = offsets;
    return wide ? all[v + 1] - all[v] : narrow[v + 1] - narrow[v];
}

static void survey(hd_many *m, const heddle_adjacency *out, const void *in, bool wide) {
    uint64_t units = 0, parts = 0, cost = 0;
    HD_PARALLEL_FOR(m->s->ctx, schedule(static) reduction(+ : units, parts, cost))
    for (uint64_t v = 0; v < m->vertices; v++) {
        uint64_t degree = out->offsets[v + 1] - out->offsets[v], back = in ? row(in, wide, v) : degree;
        degree = degree > back ? degree : back;
        uint64_t count = degree > SHORT ? (degree + PART - 1) / PART : 0;
        units += count;
        parts += count > 1 ? count : 0;
        cost += (degree + COST - 1) / COST;
    }
    m->units = units;
    m->parts = parts;
    m->cost = cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
}

static heddle_status survey_graph(hd_many *m) {
    hd_structure *s = m->s;
    heddle_adjacency out;
    uint64_t bytes = ((uint64_t)m->vertices + 1) * (s->resident->wide ? 8 : 4);
    char *in = NULL;
    heddle_status status = HEDDLE_OK;
    HD_TRY(hd_graph_verify(s->ctx, s->graph, HD_VERIFY_OFFSETS));
    out = (heddle_adjacency){.offsets = s->graph->out.offsets};
    if (s->graph->directed) {
        HD_TRY(HD_NEW(s->ctx, &in, bytes, "degrees"));
        status = hd_structure_fetch(s, &s->resident->in.offsets, in, bytes);
    }
    if (status == HEDDLE_OK)
        survey(m, &out, in, s->resident->wide);
    HD_DELETE(&s->ctx->allocator, in, bytes);
    return status;
}

static void choose(hd_many *m, uint64_t count, uint64_t bytes, uint64_t part_bytes, uint64_t left) {
    uint64_t n = m->vertices, each = n * (vertex_bytes + bytes) + m->units * unit_bytes + m->parts * part_bytes;
    while (m->shift < 5 && UINT64_C(1) << m->shift < count)
        m->shift++;
    while (m->shift &&
           (each << m->shift > left / 4 * 3 || n << m->shift > UINT32_MAX || m->units << m->shift > UINT32_MAX))
        m->shift--;
}

heddle_status hd_many_choose(hd_many *m, hd_structure *s, uint64_t count, uint64_t bytes, uint64_t part_bytes) {
    uint64_t left, all;
    *m = (hd_many){.s = s, .vertices = (uint32_t)s->graph->vertices};
    HD_TRY(survey_graph(m));
    HD_TRY(s->device->memory(s->device, &left, &all));
    choose(m, count, bytes, part_bytes, left);
    return HEDDLE_OK;
}

heddle_status hd_many_foresee(hd_many *m, hd_structure *s, uint64_t count, uint64_t bytes, uint64_t part_bytes,
                              uint64_t left) {
    *m = (hd_many){.s = s, .vertices = (uint32_t)s->graph->vertices};
    HD_TRY(hd_graph_verify(s->ctx, s->graph, HD_VERIFY_OFFSETS));
    survey(m, &(heddle_adjacency){.offsets = s->graph->out.offsets}, NULL, false);
    choose(m, count, bytes, part_bytes, left);
    return HEDDLE_OK;
}

heddle_status hd_many_open(hd_many *m, bool pairs) {
    hd_structure *s = m->s;
    uint64_t n = m->vertices, all = n << m->shift;
    m->pairs = pairs;
    HD_TRY(hd_structure_buffer(s, HD_MANY_MOST * 4, "sources", &m->source));
    HD_TRY(hd_structure_buffer(s, n * 4, "visited vertices", &m->seen));
    HD_TRY(hd_structure_buffer(s, n * 12, "frontiers", &m->masks));
    HD_TRY(hd_structure_buffer(s, n * 4, "a frontier", &m->list));
    HD_TRY(hd_structure_buffer(s, all * 8, "search order", &m->entries));
    HD_TRY(hd_structure_buffer(s, (m->units << m->shift) * unit_bytes, "long rows", &m->unit));
    HD_TRY(hd_structure_buffer(s, (n + 3) * 12, "levels", &m->starts));
    HD_TRY(hd_structure_buffer(s, all * 4, pairs ? "search order" : "levels", &m->pair));
    return hd_structure_buffer(s, MANY_WORDS * 4, "the state", &m->words);
}

void hd_many_defines(const hd_many *m, bool resident, char *text, size_t size) {
    snprintf(text, size,
             "#define MANY_PAIRS %d\n#define MANY_DIRECTED %d\n#define MANY_SHORT %du\n#define MANY_PART %du\n"
             "#define MANY_OWN %du\n#define MANY_UP %d\n#define MANY_RESIDENT %d\n",
             m->pairs, m->s->graph->directed, SHORT, PART, OWN, UP, resident);
}

heddle_status hd_many_ready(hd_many *m, const heddle_vertex *sources, uint32_t count) {
    hd_device *d = m->s->device;
    uint64_t n = m->vertices;
    m->full = count < 32 ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
    m->level = 0;
    m->done = m->over = false;
    HD_TRY(d->upload(d, &m->source, 0, sources, (uint64_t)count * 4));
    HD_TRY(d->fill(d, &m->seen, 0, 0, n * 4));
    HD_TRY(d->fill(d, &m->masks, 0, 0, n * 12));
    if (!m->pairs)
        HD_TRY(d->fill(d, &m->pair, 0, UINT32_MAX, (n << m->shift) * 4));
    return d->fill(d, &m->words, 0, 0, MANY_WORDS * 4);
}

void hd_many_arguments(hd_many *m, uint32_t from, uint32_t to, hd_argument *arguments) {
    const hd_resident *r = m->s->resident;
    const hd_resident_rows *out = m->backward ? &r->in : &r->out, *in = m->backward ? &r->out : &r->in;
    m->from = from;
    m->to = to;
    const hd_argument all[HD_MANY_ARGUMENTS] = {HD_ARGUMENT_VALUE(m->vertices),   HD_ARGUMENT_VALUE(m->shift),
                                                HD_ARGUMENT_VALUE(m->full),       HD_ARGUMENT_VALUE(m->from),
                                                HD_ARGUMENT_VALUE(m->to),         HD_ARGUMENT_BUFFER(out->offsets),
                                                HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(in->offsets),
                                                HD_ARGUMENT_BUFFER(in->targets),  HD_ARGUMENT_BUFFER(m->source),
                                                HD_ARGUMENT_BUFFER(m->seen),      HD_ARGUMENT_BUFFER(m->masks),
                                                HD_ARGUMENT_BUFFER(m->list),      HD_ARGUMENT_BUFFER(m->entries),
                                                HD_ARGUMENT_BUFFER(m->unit),      HD_ARGUMENT_BUFFER(m->starts),
                                                HD_ARGUMENT_BUFFER(m->pair),      HD_ARGUMENT_BUFFER(m->words)};
    for (int i = 0; i < HD_MANY_ARGUMENTS; i++)
        arguments[i] = all[i];
}

heddle_status hd_many_find(hd_many *m, const hd_kernels *kernels, uint32_t groups) {
    m->kernels = kernels;
    m->groups = groups;
    for (int i = 0; i < HD_MANY_KERNELS; i++)
        HD_TRY(hd_kernels_find(kernels, names[i], &m->kernel[i]));
    return HEDDLE_OK;
}

heddle_status hd_many_launch(hd_many *m, int which, uint32_t groups, uint32_t from, uint32_t to) {
    hd_argument arguments[HD_MANY_ARGUMENTS];
    hd_many_arguments(m, from, to, arguments);
    return hd_kernels_launch(m->kernels, m->kernel[which], names[which], groups, false, arguments, HD_MANY_ARGUMENTS);
}

heddle_status hd_many_begin(hd_many *m) {
    HD_TRY(hd_many_launch(m, HD_MANY_BEGIN, 1, 0, m->cost));
    return hd_many_launch(m, HD_MANY_SETTLE, 1, 0, 0);
}

heddle_status hd_many_half(hd_many *m, uint32_t level) {
    HD_TRY(hd_many_launch(m, HD_MANY_DOWN, m->groups, level, 0));
    if (m->units)
        HD_TRY(hd_many_launch(m, HD_MANY_UNITS, m->groups, level, 0));
    HD_TRY(hd_many_launch(m, HD_MANY_RISE, m->groups, level, 0));
    return hd_many_launch(m, HD_MANY_NOTE, 1, level, 0);
}

heddle_status hd_many_look(hd_many *m) {
    uint32_t words[MANY_WORDS], before = m->level;
    HD_TRY(hd_structure_look(m->s, &m->words, words, 16));
    m->level = words[MANY_LEVEL];
    m->done = words[MANY_DONE];
    m->over = words[MANY_OVER];
    if (!m->done && m->level <= before)
        return hd_fail(m->s->ctx, HEDDLE_E_DEVICE, "%s: searches do not get on: depth %lu", m->s->device->info.name,
                       (unsigned long)m->level);
    return HEDDLE_OK;
}

heddle_status hd_many_again(hd_many *m) {
    m->done = m->over = false;
    HD_TRY(m->s->device->fill(m->s->device, &m->words, MANY_DONE * 4, 0, 4));
    return m->s->device->fill(m->s->device, &m->words, MANY_OVER * 4, 0, 4);
}

uint32_t hd_many_levels(const hd_many *m, bool resident) {
    return !resident ? QUEUED : m->s->graph->edges > large_edges ? LARGE_BATCH : BATCH;
}
