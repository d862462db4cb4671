/* cc_device.c - weakly connected components on a device: cc.cl, launched without the host in between.
 *
 * An edge of a directed graph lies in one row only. Skipping the largest component would lose those that lead out
 * of it, so there all edges are looked at; making in-edges first would cost more. A named plan requires the vertex
 * program.
 */
#include "algorithm/cc/cc_part.h"
#include "algorithm/program/program_run.h"
#include "algorithm/structure/sets_state.h"
#include "algorithm/structure/structure_device.h"
#include "engine/device/incore.h"
#include "engine/device/near_heads.h"
#include "plan/plan.h"

extern const char hd_text_heads[], hd_text_kernels_sets[], hd_text_kernels_cc[];

enum {
    SPARSE = 16,     /* one vertex in 16 links the trees that are left */
    JUMPS_FIRST = 5, /* pointer-jumping steps; deeper vertices walk to the root later */
    JUMPS_THEN = 3,
    LONG = 4096
};

enum { START, JUMP, HOOK, LINK, SAMPLE, FINISH, FINISH_LONG, ALL, FLATTEN, KERNELS };
static const char *const names[KERNELS] = {"cc_start",  "set_jump",       "cc_hook", "cc_link",    "set_sample",
                                           "cc_finish", "cc_finish_long", "cc_all",  "set_flatten"};

typedef struct search {
    hd_structure s;
    hd_buffer parent, state, rows;
    hd_near_heads heads;
    void *kernel[KERNELS];
} search;

static heddle_status make_buffers(search *cc) {
    hd_structure *s = &cc->s;
    HD_TRY(hd_structure_buffer(s, s->graph->vertices * 4, "components", &cc->parent));
    HD_TRY(hd_structure_buffer(s, (SET_WORDS + 1) * 4, "state", &cc->state));
    return hd_structure_buffer(s, (s->graph->edges / LONG + 1) * 4, "long rows", &cc->rows);
}

static uint64_t buffer_bytes(const hd_structure *s) {
    search counted = {.s = {.ctx = s->ctx, .graph = s->graph}};
    make_buffers(&counted); /* without a device it only counts bytes */
    return counted.s.bytes;
}

heddle_status hd_cc_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    search cc = {.s = {.ctx = r->run->ctx, .graph = r->run->graph}};
    HD_TRY(make_buffers(&cc));
    uint64_t heads = 0;
    *bytes = cc.s.bytes;
    if (hd_run_spills(r->run) && !r->run->graph->directed)
        HD_TRY(hd_structure_heads(r, HD_WANT_OUT, *bytes, &heads));
    *bytes += heads + hd_structure_rows(r->run->graph, HD_WANT_OUT);
    return HEDDLE_OK;
}

static heddle_status prepare(search *cc) {
    static const char *const texts[] = {hd_text_heads, hd_text_kernels_sets, hd_text_kernels_cc, NULL};
    hd_structure *s = &cc->s;
    char defines[64];
    cc->heads = (hd_near_heads){.buffer = s->resident->out.offsets};
    if (!s->graph->directed)
        HD_TRY(hd_near_heads_open(s->resident, s->graph, buffer_bytes(s), &s->result->report, &cc->heads));
    hd_near_heads_define(&cc->heads, defines, sizeof defines);
    HD_TRY(hd_structure_compile(s, "cc", texts, defines));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&s->kernels, names[i], &cc->kernel[i]));
    return make_buffers(cc);
}

static heddle_status jump(search *cc, uint32_t groups, uint32_t first, uint32_t count) {
    uint32_t n = (uint32_t)cc->s.resident->vertices;
    for (uint32_t turn = first; turn < first + count; turn++)
        HD_TRY(HD_LAUNCH(&cc->s.kernels, cc->kernel[JUMP], names[JUMP], groups, HD_ARGUMENT_VALUE(n),
                         HD_ARGUMENT_VALUE(first), HD_ARGUMENT_VALUE(turn), HD_ARGUMENT_BUFFER(cc->parent),
                         HD_ARGUMENT_BUFFER(cc->state)));
    return HEDDLE_OK;
}

/* Builds trees from a few edges per vertex, and links them as far as that is cheap. */
static heddle_status begin(search *cc, uint32_t groups) {
    const hd_kernels *kernels = &cc->s.kernels;
    const hd_resident_rows *out = &cc->s.resident->out;
    uint32_t n = (uint32_t)cc->s.resident->vertices;
    HD_TRY(HD_LAUNCH(kernels, cc->kernel[START], names[START], groups, HD_ARGUMENT_VALUE(n),
                     HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(cc->parent),
                     HD_ARGUMENT_BUFFER(cc->state), HD_ARGUMENT_VALUE(cc->heads.headed),
                     HD_ARGUMENT_BUFFER(cc->heads.buffer)));
    HD_TRY(jump(cc, groups, 0, JUMPS_FIRST));
    HD_TRY(HD_LAUNCH(kernels, cc->kernel[HOOK], names[HOOK], groups, HD_ARGUMENT_VALUE(n),
                     HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(cc->parent),
                     HD_ARGUMENT_VALUE(cc->heads.headed), HD_ARGUMENT_BUFFER(cc->heads.buffer)));
    return jump(cc, groups, JUMPS_FIRST, JUMPS_THEN);
}

/* Links the edges of all vertices outside the largest component. */
static heddle_status finish(search *cc, uint32_t groups) {
    const hd_kernels *kernels = &cc->s.kernels;
    const hd_resident_rows *out = &cc->s.resident->out;
    uint32_t n = (uint32_t)cc->s.resident->vertices, sparse = SPARSE, many = hd_kernels_groups(kernels, UINT64_MAX);
    HD_TRY(HD_LAUNCH(kernels, cc->kernel[LINK], names[LINK], groups, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(sparse),
                     HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(cc->parent),
                     HD_ARGUMENT_VALUE(cc->heads.headed), HD_ARGUMENT_BUFFER(cc->heads.buffer)));
    HD_TRY(HD_LAUNCH(kernels, cc->kernel[SAMPLE], names[SAMPLE], 1, HD_ARGUMENT_VALUE(n),
                     HD_ARGUMENT_BUFFER(cc->parent), HD_ARGUMENT_BUFFER(cc->state)));
    HD_TRY(HD_LAUNCH(kernels, cc->kernel[FINISH], names[FINISH], groups, HD_ARGUMENT_VALUE(n),
                     HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(cc->parent),
                     HD_ARGUMENT_BUFFER(cc->state), HD_ARGUMENT_BUFFER(cc->rows)));
    return HD_LAUNCH(kernels, cc->kernel[FINISH_LONG], names[FINISH_LONG], many, HD_ARGUMENT_BUFFER(out->offsets),
                     HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(cc->parent), HD_ARGUMENT_BUFFER(cc->state),
                     HD_ARGUMENT_BUFFER(cc->rows));
}

static heddle_status launch(search *cc) {
    const hd_kernels *kernels = &cc->s.kernels;
    const hd_resident_rows *out = &cc->s.resident->out;
    uint64_t arcs = cc->s.resident->edges;
    uint32_t n = (uint32_t)cc->s.resident->vertices, groups = hd_kernels_groups(kernels, n);
    HD_TRY(begin(cc, groups));
    if (cc->s.graph->directed)
        HD_TRY(HD_LAUNCH(kernels, cc->kernel[ALL], names[ALL], hd_kernels_groups(kernels, arcs), HD_ARGUMENT_VALUE(n),
                         HD_ARGUMENT_VALUE(arcs), HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets),
                         HD_ARGUMENT_BUFFER(cc->parent)));
    else
        HD_TRY(finish(cc, groups));
    return HD_LAUNCH(kernels, cc->kernel[FLATTEN], names[FLATTEN], groups, HD_ARGUMENT_VALUE(n),
                     HD_ARGUMENT_BUFFER(cc->parent));
}

static uint64_t edges_walked(const heddle_graph *graph) {
    return graph->directed ? graph->edges : 2 * graph->vertices + graph->vertices / SPARSE;
}

static heddle_status compute(search *cc, heddle_context *ctx, const heddle_graph *graph, const char *device,
                             heddle_result *result) {
    HD_TRY(hd_structure_open(&cc->s, ctx, graph, device, HD_WANT_OUT, result));
    HD_TRY(prepare(cc));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, graph->vertices));
    if (graph->vertices) {
        HD_TRY(hd_structure_start(&cc->s));
        hd_rounds_mark(ctx);
        HD_TRY(launch(cc));
        HD_TRY(hd_structure_stop(&cc->s));
        HD_ROUND(ctx, .rounds = 1, .vertices = graph->vertices, .edges = edges_walked(graph), .kernel = "fast");
        HD_TRY(hd_structure_values(&cc->s, &cc->parent, true));
    }
    hd_structure_report(&cc->s, device, "fast");
    result->report.iterations = 1;
    result->report.edges_walked = edges_walked(graph);
    return hd_structure_figures(ctx, result);
}

heddle_status hd_cc_program(const hd_run *run) {
    hd_incore_program program;
    hd_cpu_setup setup = {.own = hd_cc_part_of(run->graph)};
    HD_TRY(hd_incore_find(run->ctx, "cc", false, &program));
    HD_TRY(hd_program_execute(run, &program, NULL, &setup));
    return hd_structure_figures(run->ctx, run->result);
}

heddle_status hd_device_cc(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    search cc = {.s = {.ctx = ctx}};
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = compute(&cc, ctx, run->graph, run->options.device, run->result);
    hd_phase_end(ctx);
    hd_structure_close(&cc.s);
    return status;
}
