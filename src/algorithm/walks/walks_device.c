/* walks_device.c - random walks on a device: walks.cl, a lane per walk. Walks that do not fit into a buffer of 1 GiB
 * are made piece by piece. */
#include "algorithm/structure/structure_device.h"
#include "algorithm/walks/walks.h"

extern const char hd_text_kernels_walks[];

static const uint64_t path_most = UINT64_C(1) << 30; /* bytes */

typedef struct job {
    hd_structure s;
    hd_walks w;
    hd_buffer sums, sources, path;
    uint64_t piece; /* walks */
} job;

static heddle_status make_buffers(job *j, const hd_walk_plan *plan, uint64_t edges) {
    uint64_t each = (plan->steps + 1) * 4, fit = path_most / each ? path_most / each : 1;
    j->piece = plan->walks < fit ? plan->walks : fit;
    HD_TRY(hd_structure_buffer(&j->s, plan->rules.weighted ? edges * 8 : 0, "sums of weights", &j->sums));
    HD_TRY(hd_structure_buffer(&j->s, plan->sources ? plan->starts * 4 : 0, "sources", &j->sources));
    return hd_structure_buffer(&j->s, j->piece * each, "walks", &j->path);
}

heddle_status hd_walks_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    job j = {.s = {.ctx = r->run->ctx, .graph = graph}};
    hd_walk_plan plan = hd_walk_plan_of(graph, &r->run->options);
    HD_TRY(make_buffers(&j, &plan, graph->edges));
    *bytes = j.s.bytes + hd_structure_rows(graph, HD_WANT_OUT);
    return HEDDLE_OK;
}

/* Columns of a piece go to their places among those of all walks. */
static heddle_status fetch(job *j, uint64_t first, uint64_t count) {
    const hd_walk_plan *plan = &j->w.plan;
    hd_device *device = j->s.device;
    uint32_t *path = j->w.run->result->values;
    if (count == plan->walks)
        return hd_structure_fetch(&j->s, &j->path, path, count * (plan->steps + 1) * 4);
    for (uint64_t k = 0; k <= plan->steps; k++)
        HD_TRY(device->download(device, path + k * plan->walks + first, &j->path, k * count * 4, count * 4));
    HD_TRY(device->finish(device));
    return hd_advance(j->s.ctx, count) ? hd_cancelled_status(j->s.ctx) : HEDDLE_OK;
}

static heddle_status walk_piece(job *j, void *kernel, uint64_t first, uint64_t count) {
    hd_walk_plan *plan = &j->w.plan;
    walk_rules *rules = &plan->rules;
    const hd_resident_rows *out = &j->s.resident->out;
    uint32_t all = plan->sources == NULL;
    HD_TRY(hd_structure_start(&j->s));
    HD_TRY(HD_LAUNCH(&j->s.kernels, kernel, "walks_go", hd_kernels_groups(&j->s.kernels, count),
                     HD_ARGUMENT_VALUE(first), HD_ARGUMENT_VALUE(count), HD_ARGUMENT_VALUE(plan->each),
                     HD_ARGUMENT_VALUE(plan->steps), HD_ARGUMENT_VALUE(all), HD_ARGUMENT_BUFFER(j->sources),
                     HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(j->sums),
                     HD_ARGUMENT_VALUE(rules->seed), HD_ARGUMENT_VALUE(rules->weighted),
                     HD_ARGUMENT_VALUE(rules->second), HD_ARGUMENT_VALUE(rules->back), HD_ARGUMENT_VALUE(rules->near),
                     HD_ARGUMENT_VALUE(rules->far), HD_ARGUMENT_BUFFER(j->path)));
    HD_TRY(hd_structure_stop(&j->s));
    return fetch(j, first, count);
}

static heddle_status compute(job *j, const hd_run *run) {
    static const char *const texts[] = {hd_text_kernels_walks, NULL};
    void *kernel;
    HD_TRY(hd_walks_open(run, &j->w));
    HD_TRY(hd_structure_open(&j->s, run->ctx, run->graph, run->options.device, HD_WANT_OUT, run->result));
    HD_TRY(hd_structure_compile(&j->s, "walks", texts, NULL));
    HD_TRY(hd_kernels_find(&j->s.kernels, "walks_go", &kernel));
    HD_TRY(make_buffers(j, &j->w.plan, j->w.edges));
    HD_TRY(hd_walks_values(&j->w));
    if (j->w.sums && j->w.edges)
        HD_TRY(j->s.device->upload(j->s.device, &j->sums, 0, j->w.sums, j->w.edges * 8));
    if (j->w.plan.sources)
        HD_TRY(j->s.device->upload(j->s.device, &j->sources, 0, j->w.plan.sources, j->w.plan.starts * 4));
    hd_rounds_mark(run->ctx);
    for (uint64_t first = 0; first < j->w.plan.walks; first += j->piece) {
        uint64_t left = j->w.plan.walks - first;
        HD_TRY(walk_piece(j, kernel, first, left < j->piece ? left : j->piece));
    }
    hd_structure_record(run->ctx, 1, HEDDLE_DIRECTION_PUSH, "fast");
    hd_structure_report(&j->s, run->options.device, "fast");
    hd_walks_figures(run);
    return HEDDLE_OK;
}

heddle_status hd_device_walks(const hd_run *run) {
    job j = {.s = {.ctx = run->ctx}, .w = {.ctx = run->ctx}};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&j, run);
    hd_phase_end(run->ctx);
    hd_walks_close(&j.w);
    hd_structure_close(&j.s);
    return status;
}
