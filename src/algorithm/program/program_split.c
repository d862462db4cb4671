/* program_split.c - a vertex program on a split graph, CPU or device.
 *
 * Programs that only ever move one way run on the split graph like on any other: new edges have the weight that
 * changes nothing (0 for distances, infinity for widths), so every vertex of a family ends at the same value. bfs has
 * no weights and runs as sssp, old edges weighing 1 and new ones 0. Programs that add up gather over split in-edges:
 * new vertices pass their sums on, level by level, before the graph's own vertices take theirs, so that a round is a
 * round.
 */
#include "algorithm/program/program_run.h"
#include "algorithm/views/split_view.h"
#include "base/memory.h"
#include "base/parallel.h"

/* Facts for the program on the split graph. Without a graph in `split` there was nothing to split. */
typedef struct split_run {
    heddle_context *ctx;
    const heddle_graph *graph; /* before the split; where edges count both ways, with every arc's reverse */
    const hd_split_result *split;
    hd_program_run adapted;
    uint64_t vertices; /* of the split graph */
    double *initial, *strengths;
    unsigned char *fixed;
    heddle_vertex *sources;
    uint64_t sources_room;
    uint32_t *out_degrees, *in_degrees, *names;
} split_run;

static heddle_vertex original(const split_run *r, uint64_t v) {
    return v < r->split->originals ? (heddle_vertex)v : r->split->family[v - r->split->originals];
}

/* ---- The split graph -------------------------------------------------------------------------------------------- */

/* Steps are distances over edges of weight 1. */
static heddle_status become_sssp(split_run *r) {
    hd_incore_program *program = &r->adapted.program;
    HD_TRY(hd_incore_find(r->ctx, "sssp", false, program));
    program->defines = "#define DISTANCE u32\n";
    program->value_size = program->message_size = 4;
    program->output = HEDDLE_VALUE_U32;
    return HEDDLE_OK;
}

static heddle_status make_graph(hd_view *view, split_run *r, const hd_plan *plan) {
    const hd_incore_program *p = &r->adapted.program;
    bool moves = p->traits & MONOTONE, steps = p->steps;
    const hd_cpu_program *compiled =
        r->adapted.compiled ? r->adapted.compiled : hd_cpu_program_find(p->name, p->in_double);
    const hd_derived_split *made;
    hd_split_options options = {.transform = plan->transform,
                                .pull = plan->direction == HD_PULL && !plan->schedule->shards,
                                .K = plan->K,
                                .weights = steps          ? HD_SPLIT_STEPS
                                           : !p->weighted ? HD_SPLIT_NONE
                                           : moves        ? HD_SPLIT_GRAPH
                                                          : HD_SPLIT_AS_IS,
                                .dumb = moves ? compiled->dumb_weight : 1,
                                .seed = view->run->options.seed};
    /* Both directions count: the graph gets every arc's reverse, and then one does. */
    HD_TRY(hd_split_open(view, p->both_ways ? HD_SPLIT_MIRRORED : HD_SPLIT_UNCHANGED, &options, &made));
    r->adapted.program.both_ways = false;
    r->graph = made->changed ? made->changed : view->run->graph;
    r->split = &made->split;
    r->vertices = view->inner.graph->vertices;
    return steps && r->split->graph ? become_sssp(r) : HEDDLE_OK;
}

/* ---- Vertices as the program reads them -------------------------------------------------------------------------- */

/* An array over the graph's vertices becomes one over the split graph's. */
#define EXTEND(r, from, to, what)                             \
    do {                                                      \
        HD_TRY(HD_NEW((r)->ctx, &(to), (r)->vertices, what)); \
        for (uint64_t v_ = 0; v_ < (r)->vertices; v_++)       \
            (to)[v_] = (from)[original(r, v_)];               \
    } while (0)

/* A source's whole family starts, so that its vertices are alike from the beginning. */
static heddle_status extend_sources(split_run *r, const hd_cpu_setup *setup) {
    uint64_t words = r->split->originals / 64 + 1, *marks;
    r->sources_room = setup->source_count + r->split->added_vertices;
    HD_TRY(HD_NEW(r->ctx, &r->sources, r->sources_room, "sources"));
    HD_TRY(HD_NEW_ZERO(r->ctx, &marks, words, "sources"));
    for (uint64_t i = 0; i < setup->source_count; i++) {
        r->sources[i] = setup->sources[i];
        marks[setup->sources[i] / 64] |= UINT64_C(1) << (setup->sources[i] % 64);
    }
    r->adapted.setup.source_count = setup->source_count;
    for (uint64_t i = 0; i < r->split->added_vertices; i++)
        if (marks[r->split->family[i] / 64] >> (r->split->family[i] % 64) & 1)
            r->sources[r->adapted.setup.source_count++] = (heddle_vertex)(r->split->originals + i);
    HD_DELETE(&r->ctx->allocator, marks, words);
    r->adapted.setup.sources = r->sources;
    return HEDDLE_OK;
}

/* The degrees and the numbers that the graph's own vertices had. */
static heddle_status extend_facts(split_run *r, const heddle_vertex *names) {
    heddle_adjacency out, in;
    HD_TRY(heddle_graph_out(r->ctx, r->graph, &out));
    HD_TRY(heddle_graph_in(r->ctx, r->graph, &in));
    HD_TRY(HD_NEW(r->ctx, &r->out_degrees, r->vertices, "out-degrees"));
    HD_TRY(HD_NEW(r->ctx, &r->in_degrees, r->vertices, "in-degrees"));
    HD_TRY(HD_NEW(r->ctx, &r->names, r->vertices, "names of vertices"));
    HD_PARALLEL_FOR(r->ctx, schedule(static))
    for (uint64_t v = 0; v < r->vertices; v++) {
        heddle_vertex of = original(r, v);
        r->names[v] = names ? names[of] : of;
        r->out_degrees[v] = (uint32_t)(out.offsets[of + 1] - out.offsets[of]);
        r->in_degrees[v] = (uint32_t)(in.offsets[of + 1] - in.offsets[of]);
    }
    r->adapted.setup.out_degrees = r->out_degrees;
    r->adapted.setup.in_degrees = r->in_degrees;
    r->adapted.setup.names = r->names;
    return HEDDLE_OK;
}

static heddle_status extend(split_run *r, const hd_cpu_setup *setup) {
    if (!r->split->graph)
        return HEDDLE_OK;
    r->adapted.setup.own_vertices = r->split->originals;
    if (setup->source_count && (r->adapted.program.traits & MONOTONE))
        HD_TRY(extend_sources(r, setup));
    if (setup->initial)
        EXTEND(r, setup->initial, r->initial, "initial values");
    if (setup->fixed)
        EXTEND(r, setup->fixed, r->fixed, "fixed vertices");
    if (r->adapted.program.strengths)
        EXTEND(r, r->adapted.program.strengths, r->strengths, "out-strengths");
    if (!r->adapted.program.own)
        HD_TRY(extend_facts(r, setup->names));
    r->adapted.setup.initial = r->initial;
    r->adapted.setup.fixed = r->fixed;
    r->adapted.program.strengths = r->strengths;
    if (!(r->adapted.program.traits & MONOTONE))
        r->adapted.setup.passing = r->split;
    return HEDDLE_OK;
}

/* ---- The view --------------------------------------------------------------------------------------------------- */

/* The plan of the inner run still names the transform, on which its kernels depend. */
static bool serves(const hd_run *run) { return run->plan.transform && !(run->view && run->view->run->program); }

static heddle_status open_split(hd_view *view) {
    const hd_run *run = view->run;
    hd_plan plan = run->plan;
    split_run *r;
    HD_TRY(HD_NEW_ZERO(run->ctx, &r, 1, "a split graph"));
    view->own = r;
    r->ctx = run->ctx;
    r->adapted = *run->program;
    if (hd_on_device(run)) /* on the CPU it is the run's plan already */
        HD_TRY(hd_program_fit(run, &plan));
    HD_TRY(make_graph(view, r, &plan));
    double made = hd_clock();
    HD_TRY(extend(r, &run->program->setup));
    run->result->report.prepare += hd_clock() - made;
    view->inner.program = &r->adapted;
    return HEDDLE_OK;
}

static heddle_status map_result(hd_view *view) {
    const split_run *r = view->own;
    return hd_split_bring_back(view, r->split);
}

static void close_split(hd_view *view) {
    split_run *r = view->own;
    const heddle_allocator *allocator = &view->run->ctx->allocator;
    if (!r)
        return;
    HD_DELETE(allocator, r->initial, r->vertices);
    HD_DELETE(allocator, r->fixed, r->vertices);
    HD_DELETE(allocator, r->strengths, r->vertices);
    HD_DELETE(allocator, r->sources, r->sources_room);
    HD_DELETE(allocator, r->out_degrees, r->vertices);
    HD_DELETE(allocator, r->in_degrees, r->vertices);
    HD_DELETE(allocator, r->names, r->vertices);
    HD_DELETE(allocator, r, 1);
}

const hd_view_kind hd_view_program_split = {
    .keeps_numbers = true, .serves = serves, .open = open_split, .map_result = map_result, .close = close_split};
