/* triangles_device.c - triangles on a device: orients the edges of the simple graph there (triangles.cl), then counts.
 * The host makes that graph if the user's is directed or not simple; for lcc of a directed graph its arcs weigh as many
 * arcs as the user's graph has between the two ends. */
#include "algorithm/triangles/triangles_device.h"

#include "algorithm/structure/structure_device.h"
#include "algorithm/triangles/triangles_state.h"
#include "engine/primitive/sort.h"
#include "engine/simple_graph.h"

extern const char hd_text_intersect[], hd_text_kernels_triangles[];

enum {
    TAKE = 8,     /* tiles that a warp takes at once, */
    SPARSE = 8,   /* of graphs of at most this mean degree; else one */
    ROUND_UP = 16 /* words behind those that are needed */
};

typedef struct counting {
    hd_structure s;
    hd_sorter sums;
    bool weighed; /* edges count once or twice */
    hd_buffer flags, pieces, places, from, to, weighs, starts, ends, credit, counts, taken;
} counting;

static uint64_t pieces_of(uint64_t arcs) { return (arcs + TC_PIECE - 1) / TC_PIECE; }

/* Half of the arcs are kept. */
static heddle_status make_buffers(counting *c, uint64_t vertices, uint64_t arcs, bool wide) {
    uint64_t offset = wide ? 8 : 4, kept = arcs / 2;
    HD_TRY(hd_structure_buffer(&c->s, (arcs / 32 + ROUND_UP) * 4, "flags of arcs", &c->flags));
    HD_TRY(hd_structure_buffer(&c->s, (pieces_of(arcs) + 1) * 4, "pieces of arcs", &c->pieces));
    HD_TRY(hd_structure_buffer(&c->s, (pieces_of(arcs) + 1) * offset, "pieces of arcs", &c->places));
    HD_TRY(hd_structure_buffer(&c->s, kept * 4, "oriented rows", &c->from));
    HD_TRY(hd_structure_buffer(&c->s, kept * 4, "oriented rows", &c->to));
    if (c->weighed)
        HD_TRY(hd_structure_buffer(&c->s, kept * 4, "directions of oriented rows", &c->weighs));
    HD_TRY(hd_structure_buffer(&c->s, vertices * offset, "oriented rows", &c->starts));
    HD_TRY(hd_structure_buffer(&c->s, vertices * offset, "oriented rows", &c->ends));
    HD_TRY(hd_structure_buffer(&c->s, kept * 4, "triangles by arc", &c->credit));
    HD_TRY(hd_structure_buffer(&c->s, vertices * 8, "triangles", &c->counts));
    return hd_structure_buffer(&c->s, 4, "state", &c->taken);
}

static heddle_status count_bytes(const hd_device_request *r, bool arcs, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    uint64_t simple = hd_derived_simple_arcs(graph);
    counting c = {.s = {.ctx = r->run->ctx, .graph = graph}, .weighed = arcs && graph->directed};
    HD_TRY(make_buffers(&c, graph->vertices, simple, hd_wide_offsets(graph->vertices, simple)));
    *bytes = c.s.bytes + hd_structure_simple_rows(graph) + (c.weighed ? simple * 4 : 0);
    return HEDDLE_OK;
}

heddle_status hd_tc_device_bytes(const hd_device_request *r, uint64_t *bytes) { return count_bytes(r, false, bytes); }
heddle_status hd_lcc_device_bytes(const hd_device_request *r, uint64_t *bytes) { return count_bytes(r, true, bytes); }

static heddle_status orient(counting *c, uint32_t n, uint64_t arcs) {
    const hd_kernels *kernels = &c->s.kernels;
    const hd_resident_rows *out = &c->s.resident->out;
    const hd_buffer *weights = c->weighed ? &out->weights : &out->targets; /* not read if they do not count */
    const hd_buffer *weighs = c->weighed ? &c->weighs : &c->to;
    uint32_t pieces = (uint32_t)pieces_of(arcs);
    uint64_t lanes = (uint64_t)pieces * c->s.device->info.warp, room = arcs / 2;
    HD_TRY(HD_START(kernels, "tc_flag", lanes, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(arcs), HD_ARGUMENT_VALUE(pieces),
                    HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(c->flags),
                    HD_ARGUMENT_BUFFER(c->pieces)));
    HD_TRY(c->s.device->fill(c->s.device, &c->pieces, (uint64_t)pieces * 4, 0, 4)); /* the last sum is the total */
    HD_TRY(hd_sort_sums(&c->sums, (uint64_t)pieces + 1, &c->pieces, &c->places));
    return HD_START(kernels, "tc_turn", lanes, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(arcs), HD_ARGUMENT_VALUE(pieces),
                    HD_ARGUMENT_VALUE(room), HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets),
                    HD_ARGUMENT_BUFFER(*weights), HD_ARGUMENT_BUFFER(c->flags), HD_ARGUMENT_BUFFER(c->places),
                    HD_ARGUMENT_BUFFER(c->from), HD_ARGUMENT_BUFFER(c->to), HD_ARGUMENT_BUFFER(*weighs),
                    HD_ARGUMENT_BUFFER(c->starts), HD_ARGUMENT_BUFFER(c->ends));
}

static heddle_status launch(counting *c) {
    const hd_kernels *kernels = &c->s.kernels;
    hd_device *device = c->s.device;
    const hd_buffer *weighs = c->weighed ? &c->weighs : &c->to;
    uint64_t n = c->s.resident->vertices, arcs = c->s.resident->edges, room = arcs / 2;
    uint32_t pieces = (uint32_t)pieces_of(arcs), take = arcs <= SPARSE * n ? TAKE : 1;
    HD_TRY(device->fill(device, &c->counts, 0, 0, n * 8));
    if (!room)
        return HEDDLE_OK;
    HD_TRY(device->fill(device, &c->credit, 0, 0, room * 4));
    HD_TRY(device->fill(device, &c->taken, 0, 0, 4));
    HD_TRY(orient(c, (uint32_t)n, arcs));
    HD_TRY(HD_START(kernels, "tc_count", room, HD_ARGUMENT_VALUE(room), HD_ARGUMENT_VALUE(take),
                    HD_ARGUMENT_VALUE(pieces), HD_ARGUMENT_BUFFER(c->places), HD_ARGUMENT_BUFFER(c->from),
                    HD_ARGUMENT_BUFFER(c->to), HD_ARGUMENT_BUFFER(*weighs), HD_ARGUMENT_BUFFER(c->starts),
                    HD_ARGUMENT_BUFFER(c->ends), HD_ARGUMENT_BUFFER(c->credit), HD_ARGUMENT_BUFFER(c->counts),
                    HD_ARGUMENT_BUFFER(c->taken)));
    return HD_START(kernels, "tc_credit", room, HD_ARGUMENT_VALUE(room), HD_ARGUMENT_VALUE(pieces),
                    HD_ARGUMENT_BUFFER(c->places), HD_ARGUMENT_BUFFER(c->to), HD_ARGUMENT_BUFFER(c->credit),
                    HD_ARGUMENT_BUFFER(c->counts));
}

static heddle_status compute(counting *c, const hd_run *run, bool arcs, uint32_t *degrees) {
    static const char *const texts[] = {hd_text_intersect, hd_text_kernels_triangles, NULL};
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    const heddle_graph *simple;
    HD_TRY(hd_derived_simple_of(ctx, run->graph, arcs, &result->report, &simple));
    bool weighed = arcs && run->graph->directed;
    HD_TRY(hd_structure_open(&c->s, ctx, simple, run->options.device, HD_WANT_OUT | (weighed ? HD_WANT_WEIGHTS : 0),
                             result));
    c->weighed = weighed;
    HD_TRY(hd_structure_compile(&c->s, "tc", texts, weighed ? "#define TC_WEIGHED 1\n" : "#define TC_WEIGHED 0\n"));
    HD_TRY(hd_sort_open_sums(&c->sums, c->s.device, &c->s.kernels, "prefix sums"));
    HD_TRY(make_buffers(c, simple->vertices, simple->edges, c->s.resident->wide));
    HD_TRY(hd_result_values_new(ctx, result, HEDDLE_VALUE_U64, simple->vertices));
    if (simple->vertices) {
        HD_TRY(hd_structure_start(&c->s));
        hd_rounds_mark(ctx);
        HD_TRY(launch(c));
        HD_TRY(hd_structure_stop(&c->s));
        hd_structure_record(ctx, 1, HEDDLE_DIRECTION_NONE, "fast");
        HD_TRY(arcs ? hd_structure_fetch(&c->s, &c->counts, result->values, simple->vertices * 8)
                    : hd_structure_values(&c->s, &c->counts, false));
    }
    for (uint64_t v = 0; v < simple->vertices && degrees; v++)
        degrees[v] = (uint32_t)(simple->out.offsets[v + 1] - simple->out.offsets[v]);
    hd_structure_report(&c->s, run->options.device, "fast");
    result->report.iterations = 1;
    result->report.edges_walked = simple->edges; /* at least */
    return HEDDLE_OK;
}

heddle_status hd_device_triangles(const hd_run *run, bool arcs, uint32_t *degrees) {
    counting c = {.s = {.ctx = run->ctx}};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&c, run, arcs, degrees);
    hd_phase_end(run->ctx);
    hd_sort_close(&c.sums);
    hd_structure_close(&c.s);
    return status;
}
