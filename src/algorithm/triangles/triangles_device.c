/* triangles_device.c - triangles on a device: orients the edges of the simple graph there (triangles.cl), then counts.
 * The host makes that graph if the user's is directed or not simple; for lcc of a directed graph its arcs weigh as many
 * arcs as the user's graph has between the two ends. */
#include "algorithm/triangles/triangles_device.h"

#include "algorithm/structure/structure_device.h"
#include "engine/simple_graph.h"

extern const char hd_text_intersect[], hd_text_kernels_triangles[];

typedef struct counting {
    hd_structure s;
    bool weighed; /* edges count once or twice */
    hd_buffer kept, weighs, lengths, counts;
} counting;

static heddle_status make_buffers(counting *c, uint64_t vertices, uint64_t arcs) {
    HD_TRY(hd_structure_buffer(&c->s, arcs * 4, "oriented rows", &c->kept));
    if (c->weighed)
        HD_TRY(hd_structure_buffer(&c->s, arcs * 4, "directions of oriented rows", &c->weighs));
    HD_TRY(hd_structure_buffer(&c->s, vertices * 4, "lengths of oriented rows", &c->lengths));
    return hd_structure_buffer(&c->s, vertices * 8, "triangles", &c->counts);
}

static heddle_status count_bytes(const hd_device_request *r, bool arcs, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    counting c = {.s = {.ctx = r->run->ctx, .graph = graph}, .weighed = arcs && graph->directed};
    HD_TRY(make_buffers(&c, graph->vertices, hd_derived_simple_arcs(graph)));
    *bytes = c.s.bytes + hd_structure_simple_rows(graph) + (c.weighed ? hd_derived_simple_arcs(graph) * 4 : 0);
    return HEDDLE_OK;
}

heddle_status hd_tc_device_bytes(const hd_device_request *r, uint64_t *bytes) { return count_bytes(r, false, bytes); }
heddle_status hd_lcc_device_bytes(const hd_device_request *r, uint64_t *bytes) { return count_bytes(r, true, bytes); }

static heddle_status launch(counting *c) {
    const hd_kernels *kernels = &c->s.kernels;
    const hd_resident_rows *out = &c->s.resident->out;
    const hd_buffer *weights = c->weighed ? &out->weights : &out->targets; /* not read if they do not count */
    const hd_buffer *weighs = c->weighed ? &c->weighs : &c->kept;
    uint64_t arcs = c->s.resident->edges;
    uint32_t n = (uint32_t)c->s.resident->vertices;
    HD_TRY(HD_START(kernels, "tc_orient", (uint64_t)n * kernels->lanes, HD_ARGUMENT_VALUE(n),
                    HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(*weights),
                    HD_ARGUMENT_BUFFER(c->kept), HD_ARGUMENT_BUFFER(*weighs), HD_ARGUMENT_BUFFER(c->lengths),
                    HD_ARGUMENT_BUFFER(c->counts)));
    return HD_START(kernels, "tc_count", arcs, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(arcs),
                    HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(c->kept), HD_ARGUMENT_BUFFER(*weighs),
                    HD_ARGUMENT_BUFFER(c->lengths), HD_ARGUMENT_BUFFER(c->counts));
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
    HD_TRY(make_buffers(c, simple->vertices, simple->edges));
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
    hd_structure_close(&c.s);
    return status;
}
