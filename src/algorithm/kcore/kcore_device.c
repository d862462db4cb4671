/* kcore_device.c - core numbers on a device: kcore.cl, in batches of launches between which the host reads a few state
 * words. The host makes the simple graph if the user's is directed or not simple. */
#include "algorithm/kcore/kcore_device.h"

#include "algorithm/kcore/kcore_state.h"
#include "algorithm/structure/structure_device.h"
#include "engine/device/stall.h"
#include "engine/simple_graph.h"

extern const char hd_text_kernels_kcore[];

enum {
    PEELS = 4,  /* steps of removals after each scan */
    ROUNDS = 4, /* of that, before the host looks for the first time, */
    MOST = 64   /* and at most: twice as many each time */
};

enum { SCAN, PEEL, NEXT, KERNELS };
static const char *const names[KERNELS] = {"kcore_scan", "kcore_peel", "kcore_next"};

typedef struct peeling {
    hd_structure s;
    hd_buffer left, queue, state;
    void *kernel[KERNELS];
    uint32_t words[KCORE_WORDS];
} peeling;

static heddle_status make_buffers(peeling *p, uint64_t vertices) {
    HD_TRY(hd_structure_buffer(&p->s, vertices * 4, "core numbers", &p->left));
    HD_TRY(hd_structure_buffer(&p->s, vertices * 4, "removed vertices", &p->queue));
    return hd_structure_buffer(&p->s, sizeof p->words, "state", &p->state);
}

heddle_status hd_kcore_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    peeling p = {.s = {.ctx = r->run->ctx, .graph = graph}};
    HD_TRY(make_buffers(&p, graph->vertices));
    *bytes = p.s.bytes + hd_structure_simple_rows(graph);
    return HEDDLE_OK;
}

static heddle_status next(peeling *p, uint32_t turn) {
    uint32_t n = (uint32_t)p->s.resident->vertices;
    return HD_LAUNCH(&p->s.kernels, p->kernel[NEXT], names[NEXT], 1, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(turn),
                     HD_ARGUMENT_BUFFER(p->state));
}

/* A scan and a few steps of removals; those whose turn it is not do nothing. */
static heddle_status queue_round(peeling *p) {
    const hd_kernels *kernels = &p->s.kernels;
    const hd_resident_rows *out = &p->s.resident->out;
    uint32_t n = (uint32_t)p->s.resident->vertices, most = hd_kernels_groups(kernels, (uint64_t)n * kernels->lanes);
    HD_TRY(HD_LAUNCH(kernels, p->kernel[SCAN], names[SCAN], hd_kernels_groups(kernels, n), HD_ARGUMENT_VALUE(n),
                     HD_ARGUMENT_BUFFER(p->left), HD_ARGUMENT_BUFFER(p->queue), HD_ARGUMENT_BUFFER(p->state)));
    HD_TRY(next(p, KCORE_SCAN));
    for (int i = 0; i < PEELS; i++) {
        HD_TRY(HD_LAUNCH(kernels, p->kernel[PEEL], names[PEEL], most, HD_ARGUMENT_BUFFER(out->offsets),
                         HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(p->left), HD_ARGUMENT_BUFFER(p->queue),
                         HD_ARGUMENT_BUFFER(p->state)));
        HD_TRY(next(p, KCORE_PEEL));
    }
    return HEDDLE_OK;
}

static heddle_status peel(peeling *p) {
    hd_stall stall = {0};
    uint32_t n = (uint32_t)p->s.resident->vertices, rounds = ROUNDS;
    HD_TRY(HD_START(&p->s.kernels, "kcore_start", n, HD_ARGUMENT_VALUE(n),
                    HD_ARGUMENT_BUFFER(p->s.resident->out.offsets), HD_ARGUMENT_BUFFER(p->left),
                    HD_ARGUMENT_BUFFER(p->state)));
    do {
        uint32_t before = p->words[KCORE_LEVELS];
        for (uint32_t i = 0; i < rounds; i++)
            HD_TRY(queue_round(p));
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
    HD_TRY(make_buffers(p, simple->vertices));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U32, simple->vertices));
    result->plain = true;
    if (simple->vertices) {
        HD_TRY(hd_structure_start(&p->s));
        hd_rounds_mark(ctx);
        HD_TRY(peel(p));
        HD_TRY(hd_structure_stop(&p->s));
        HD_TRY(hd_structure_values(&p->s, &p->left, false));
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
