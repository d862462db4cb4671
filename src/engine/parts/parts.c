/* parts.c - a run on several devices of this machine (parts.h): cuts the graph, starts a thread for each part, gathers
 * their values and reports. */
#include "engine/parts/parts.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdio.h>

typedef struct job {
    const hd_run *run;
    const hd_incore_program *program;
    const hd_cpu_program *compiled;
    const hd_cpu_setup *setup;
    heddle_adjacency in, second; /* second: where edges count in both directions, the out-edges */
    uint32_t *degrees, *in_degrees;
    uint64_t *firsts;
    hd_part_report *reports;
} job;

const hd_part_kind *hd_part_kind_of(const char *device) {
    return hd_device_kind_of(device) ? &hd_part_device : &hd_part_cpu;
}

static hd_slice_rows rows_from(const heddle_adjacency *a, uint64_t first) {
    return (hd_slice_rows){a->offsets ? a->offsets + first : NULL, a->targets, a->weights};
}

/* The setup with arrays of the part's own vertices. */
static hd_part_job job_of(const job *j, uint32_t part) {
    const hd_run *run = j->run;
    uint64_t first = j->firsts[part];
    hd_part_job own = {.program = j->program,
                       .compiled = j->compiled,
                       .setup = *j->setup,
                       .vertices = run->graph->vertices,
                       .weight_type = run->graph->weight_type,
                       .device = run->devices.name[part],
                       .plan = run->plan,
                       .limit = run->limit,
                       .profile = run->options.profile};
    hd_cpu_setup *setup = &own.setup;
    setup->initial = setup->initial ? setup->initial + first : NULL;
    setup->fixed = setup->fixed ? setup->fixed + first : NULL;
    setup->names = setup->names ? setup->names + first : NULL;
    setup->in_degrees = j->in_degrees ? j->in_degrees + first : NULL;
    setup->out_degrees = NULL;
    return own;
}

static heddle_status work(hd_link *link, void *user) {
    job *j = user;
    const hd_run *run = j->run;
    uint32_t p = link->rank;
    hd_part_job own = job_of(j, p);
    hd_slice_rows rows = rows_from(&j->in, j->firsts[p]), second = rows_from(&j->second, j->firsts[p]);
    size_t weight_size = j->program->weighted ? hd_weight_size(run->graph->weight_type) : 0;
    size_t size = hd_value_size(run->result->type);
    hd_slice slice;
    heddle_status status;
    double start = hd_clock();
    HD_CHECK(hd_slice_make(link->ctx, j->firsts, p, link->size, &rows, &second, weight_size, &slice));
    HD_CHECK(hd_slice_join(link, &slice));
    double sliced = hd_clock() - start;
    status = hd_part_run(link, &slice, &own, j->degrees + j->firsts[p],
                         (char *)run->result->values + j->firsts[p] * size, &j->reports[p]);
    j->reports[p].report.prepare += sliced;
out:
    hd_slice_free(link->ctx, &slice);
    return status;
}

/* Rows, degrees and ranges. */
static heddle_status prepare(job *j) {
    const hd_run *run = j->run;
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_adjacency out;
    uint64_t n = graph->vertices;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    HD_TRY(heddle_graph_in(ctx, graph, &j->in));
    bool both = j->program->both_ways && graph->directed;
    if (both)
        j->second = out;
    HD_TRY(HD_NEW(ctx, &j->degrees, n, "out-degrees"));
    if (both)
        HD_TRY(HD_NEW(ctx, &j->in_degrees, n, "in-degrees"));
    HD_PARALLEL_FOR(ctx, schedule(static) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++) {
        j->degrees[v] = (uint32_t)(out.offsets[v + 1] - out.offsets[v]);
        if (both)
            j->in_degrees[v] = (uint32_t)(j->in.offsets[v + 1] - j->in.offsets[v]);
    }
    HD_TRY(HD_NEW(ctx, &j->firsts, run->devices.count + 1, "parts"));
    HD_TRY(HD_NEW_ZERO(ctx, &j->reports, run->devices.count, "parts"));
    hd_slice_cut(j->in.offsets, j->second.offsets, n, run->devices.count, NULL, j->firsts);
    if (n < run->devices.count)
        hd_note(ctx, "%u devices, and the graph has %llu vertices: some have nothing to do", run->devices.count,
                (unsigned long long)n);
    return HEDDLE_OK;
}

/* The parts work at the same time: of each phase, the longest counts. */
static heddle_status gather(job *j) {
    const hd_run *run = j->run;
    heddle_result *result = run->result;
    heddle_report *to = &result->report;
    uint32_t count = run->devices.count;
    double prepare = 0, compile = 0, transfer = 0, compute = 0;
    HD_TRY(hd_result_parts_new(run->ctx, result, count));
    to->edges_walked = to->device_bytes = 0;
    for (uint32_t p = 0; p < count; p++) {
        const heddle_report *from = &j->reports[p].report;
        result->parts[p] = j->reports[p].shown;
        if (j->reports[p].schedule[0]) {
            snprintf(result->schedule, sizeof result->schedule, "%s", j->reports[p].schedule);
            to->schedule = result->schedule;
        }
        to->edges_walked += j->reports[p].shown.edges_walked;
        to->device_bytes += from->device_bytes;
        prepare = from->prepare > prepare ? from->prepare : prepare;
        compile = from->compile > compile ? from->compile : compile;
        transfer = from->transfer > transfer ? from->transfer : transfer;
        compute = from->compute > compute ? from->compute : compute;
    }
    to->prepare += prepare;
    to->compile += compile;
    to->transfer += transfer;
    to->compute += compute;
    to->iterations = j->reports[0].iterations;
    to->converged = j->reports[0].converged;
    to->exchange = run->plan.exchange->name;
    if (!(j->program->traits & MONOTONE))
        hd_result_figure(result, "residual", j->reports[0].residual);
    snprintf(result->device, sizeof result->device, "%s", run->options.device);
    to->device = result->device;
    return HEDDLE_OK;
}

heddle_status hd_parts_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                               const hd_cpu_setup *setup) {
    heddle_context *ctx = run->ctx;
    job j = {.run = run, .program = program, .compiled = compiled, .setup = setup};
    uint64_t n = run->graph->vertices;
    heddle_status status;
    double start = hd_clock();
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(prepare(&j));
    run->result->report.prepare += hd_clock() - start;
    HD_CHECK(hd_result_values_new(ctx, run->result, program->output, n));
    HD_CHECK(hd_link_local(ctx, run->devices.count, work, &j));
    HD_CHECK(gather(&j));
out:
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, j.degrees, n);
    HD_DELETE(&ctx->allocator, j.in_degrees, n);
    HD_DELETE(&ctx->allocator, j.firsts, run->devices.count + 1);
    HD_DELETE(&ctx->allocator, j.reports, run->devices.count);
    return status;
}
