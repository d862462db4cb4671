/* kcore_device.c - core numbers on a device: kcore.cl, in one cooperative launch, or in batches of launches between
 * which the host reads a few state words. The host makes the simple graph if the user's is directed or not simple. */
#include "algorithm/kcore/kcore_device.h"

#include "algorithm/kcore/kcore_state.h"
#include "algorithm/structure/structure_device.h"
#include "engine/device/stall.h"
#include "engine/simple_graph.h"

extern const char hd_text_kernels_kcore[];

enum {
    GROUPS = 4,         /* per unit in a cooperative launch, */
    TOGETHER = 1 << 13, /* and rounds, before the host looks whether the run is to end */
    ALONE = 1 << 10,    /* vertices that are left to one group where groups cannot wait for each other */
    PEELS = 3,          /* steps of removals after each scan */
    ROUNDS = 4,         /* of that, before the host looks for the first time, */
    MOST = 64           /* and at most: twice as many each time */
};

enum { START, RUN, SCAN, PEEL, NEXT, KERNELS };
static const char *const names[KERNELS] = {"kcore_start", "kcore_run", "kcore_scan", "kcore_peel", "kcore_next"};

typedef struct peeling {
    hd_structure s;
    hd_buffer left, core, rest, kept, queue, pieces, state;
    void *kernel[KERNELS];
    uint32_t together; /* groups of a launch of all rounds; 0: a launch is a round */
    uint32_t groups;   /* of a scan */
    uint32_t n, share; /* vertices of a warp */
    uint32_t words[KCORE_WORDS];
} peeling;

static heddle_status make_buffers(peeling *p, uint64_t vertices, uint64_t arcs) {
    uint64_t pieces = arcs / KCORE_PIECE + arcs / KCORE_LONG + 1; /* a row's last one may be short */
    HD_TRY(hd_structure_buffer(&p->s, vertices * 4, "neighbours left", &p->left));
    HD_TRY(hd_structure_buffer(&p->s, vertices * 4, "core numbers", &p->core));
    HD_TRY(hd_structure_buffer(&p->s, vertices * 4, "vertices left", &p->rest));
    HD_TRY(hd_structure_buffer(&p->s, vertices * 4, "vertices left", &p->kept));
    HD_TRY(hd_structure_buffer(&p->s, vertices * 4, "removed vertices", &p->queue));
    HD_TRY(hd_structure_buffer(&p->s, pieces * 8, "pieces of long rows", &p->pieces));
    return hd_structure_buffer(&p->s, sizeof p->words, "state", &p->state);
}

heddle_status hd_kcore_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    peeling p = {.s = {.ctx = r->run->ctx, .graph = graph}};
    HD_TRY(make_buffers(&p, graph->vertices, hd_derived_simple_arcs(graph)));
    *bytes = p.s.bytes + hd_structure_simple_rows(graph);
    return HEDDLE_OK;
}

/* How many groups, and which part of the vertices is whose. */
static void divide(peeling *p) {
    const hd_kernels *kernels = &p->s.kernels;
    const hd_device_info *info = &p->s.device->info;
    uint32_t most = hd_kernels_resident(kernels, p->kernel[RUN]), wanted = info->units * GROUPS;
    p->together = most < wanted ? most : wanted;
    if (!info->grid_barrier && p->n <= ALONE)
        p->together = 1;
    p->groups = p->together ? p->together : hd_kernels_groups(kernels, p->n);
    uint64_t warps = (uint64_t)p->groups * (kernels->lanes / info->warp);
    p->share = (uint32_t)((p->n + warps - 1) / warps);
}

static heddle_status launch(peeling *p, int which, uint32_t groups, bool resident, uint32_t number) {
    const hd_resident_rows *out = &p->s.resident->out;
    const hd_argument arguments[] = {HD_ARGUMENT_VALUE(p->n),          HD_ARGUMENT_VALUE(p->share),
                                     HD_ARGUMENT_BUFFER(p->state),     HD_ARGUMENT_BUFFER(out->offsets),
                                     HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(p->left),
                                     HD_ARGUMENT_BUFFER(p->core),      HD_ARGUMENT_BUFFER(p->rest),
                                     HD_ARGUMENT_BUFFER(p->kept),      HD_ARGUMENT_BUFFER(p->queue),
                                     HD_ARGUMENT_BUFFER(p->pieces),    HD_ARGUMENT_VALUE(number)};
    uint32_t count = sizeof arguments / sizeof *arguments - (which != RUN && which != NEXT);
    return hd_kernels_launch(&p->s.kernels, p->kernel[which], names[which], groups, resident, arguments, count);
}

/* A scan and a few steps of removals; those whose turn it is not do nothing. */
static heddle_status queue_round(peeling *p) {
    uint32_t most = hd_kernels_groups(&p->s.kernels, (uint64_t)p->n * p->s.kernels.lanes);
    HD_TRY(launch(p, SCAN, p->groups, false, 0));
    HD_TRY(launch(p, NEXT, 1, false, KCORE_SCAN));
    for (int i = 0; i < PEELS; i++) {
        HD_TRY(launch(p, PEEL, most, false, 0));
        HD_TRY(launch(p, NEXT, 1, false, KCORE_PEEL));
    }
    return HEDDLE_OK;
}

static heddle_status queue_rounds(peeling *p, uint32_t rounds) {
    if (p->together)
        return launch(p, RUN, p->together, p->s.device->info.grid_barrier, TOGETHER);
    for (uint32_t i = 0; i < rounds; i++)
        HD_TRY(queue_round(p));
    return HEDDLE_OK;
}

static heddle_status peel(peeling *p) {
    hd_stall stall = {0};
    uint32_t rounds = ROUNDS;
    HD_TRY(launch(p, START, hd_kernels_groups(&p->s.kernels, p->n), false, 0));
    do {
        uint32_t before = p->words[KCORE_LEVELS];
        HD_TRY(queue_rounds(p, rounds));
        HD_TRY(hd_structure_look(&p->s, &p->state, p->words, sizeof p->words));
        HD_TRY(hd_stall_check(&stall, p->s.ctx, p->s.device, p->words, sizeof p->words));
        if (p->words[KCORE_LEVELS] > before)
            hd_structure_record(p->s.ctx, p->words[KCORE_LEVELS] - before, HEDDLE_DIRECTION_PUSH, "fast");
        rounds = rounds < MOST ? 2 * rounds : MOST;
    } while (p->words[KCORE_TURN] != KCORE_DONE);
    return HEDDLE_OK;
}

static heddle_status compute(peeling *p, const hd_run *run) {
    static const char *const texts[] = {hd_text_kernels_kcore, NULL};
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    const heddle_graph *simple;
    HD_TRY(hd_derived_simple_of(ctx, run->graph, false, &result->report, &simple));
    HD_TRY(hd_structure_open(&p->s, ctx, simple, run->options.device, HD_WANT_OUT, result));
    HD_TRY(hd_structure_compile(&p->s, "kcore", texts, NULL));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->s.kernels, names[i], &p->kernel[i]));
    HD_TRY(make_buffers(p, simple->vertices, simple->edges));
    p->n = (uint32_t)simple->vertices;
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, simple->vertices));
    result->plain = true;
    if (simple->vertices) {
        divide(p);
        HD_TRY(hd_structure_start(&p->s));
        hd_rounds_mark(ctx);
        HD_TRY(peel(p));
        HD_TRY(hd_structure_stop(&p->s));
        HD_TRY(hd_structure_values(&p->s, &p->core, false));
    }
    hd_structure_report(&p->s, run->options.device, "fast");
    result->report.iterations = p->words[KCORE_LEVELS];
    result->report.edges_walked = simple->edges;
    hd_kcore_figures(ctx, result);
    return HEDDLE_OK;
}

heddle_status hd_device_kcore(const hd_run *run) {
    peeling p = {.s = {.ctx = run->ctx}};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&p, run);
    hd_phase_end(run->ctx);
    hd_structure_close(&p.s);
    return status;
}
