/* parts.c - a run on several devices of this machine (parts.h): cuts the graph, starts a thread for each part, gathers
 * their values and reports. */
#include "engine/parts/device_peers.h"
#include "engine/parts/parts_job.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/cpu_rule.h"
#include "engine/in_edges.h"

#include <stdio.h>
#include <string.h>

const hd_part_kind *hd_part_kind_of(const char *device) {
    return hd_device_kind_of(device) ? &hd_part_device : &hd_part_cpu;
}

/* A plan that says how parts go about it means the vertex program; so do checkpoints, which are of its values. */
bool hd_parts_go_own(const hd_run *run) {
    bool cpu = !hd_on_device(run);
    for (uint32_t p = 0; p < run->devices.count; p++)
        cpu = cpu && !hd_device_kind_of(run->devices.name[p]);
    return cpu && !run->options.checkpoint &&
           !(run->plan.given & ~(uint32_t)(HD_GIVEN_ORDER | HD_GIVEN_RESIDENCY | HD_GIVEN_SLICES));
}

hd_rows_wanted hd_part_rows(const hd_incore_program *program, const hd_cpu_setup *setup) {
    if (setup->own && !setup->own->direction)
        return HD_ROWS_EITHER;
    if (setup->own && setup->own->apart)
        return HD_ROWS_APART;
    return program->both_ways ? HD_ROWS_BOTH : HD_ROWS_IN;
}

hd_part_job hd_part_job_of(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                           const hd_cpu_setup *setup, uint64_t first, const char *device, const uint32_t *in_degrees) {
    hd_part_job own = {.program = program,
                       .compiled = compiled,
                       .setup = *setup,
                       .vertices = run->graph->vertices,
                       .weight_type = run->graph->weight_type,
                       .device = device,
                       .limit = run->limit,
                       .plan = run->plan};
    own.setup.initial = setup->initial ? setup->initial + first : NULL;
    own.setup.fixed = setup->fixed ? setup->fixed + first : NULL;
    own.setup.names = setup->names ? setup->names + first : NULL;
    own.setup.in_degrees = in_degrees;
    own.setup.out_degrees = NULL;
    return own;
}

hd_part_job hd_parts_job_of(const hd_parts_job *j, uint32_t part, const uint64_t *firsts) {
    uint64_t first = firsts[part];
    hd_part_job own = hd_part_job_of(j->run, j->program, j->compiled, j->setup, first, j->run->devices.name[part],
                                     j->in_degrees ? j->in_degrees + first : NULL);
    own.checkpoint = j->checkpoint;
    own.keep_rounds = true;
    own.peers = j->peers;
    own.parents = j->run->result->parents ? j->run->result->parents + first : NULL;
    return own;
}

/* ---- One part ---------------------------------------------------------------------------------------------------- */

/* The ranges, the same for all parts: by speed if kinds of device are mixed, by cost if the plan says so. */
static heddle_status cut(hd_link *link, const hd_parts_job *j, heddle_report *report, uint64_t *firsts) {
    double speeds[HD_DEVICES_MOST], seconds[HD_DEVICES_MOST];
    uint64_t n = j->run->graph->vertices, even[HD_DEVICES_MOST + 1];
    bool measured = false;
    if (j->mixed)
        HD_TRY(hd_parts_speeds(link, j, report, speeds, &measured));
    hd_slice_cut(j->in.offsets, j->second.offsets, n, link->size, measured ? speeds : NULL, firsts);
    if (j->run->plan.slices != HD_YES)
        return HEDDLE_OK;
    for (uint32_t p = 0; measured && p < link->size; p++)
        if (!(speeds[p] > 0)) /* it is to have no range: equal costs would give it one */
            return HEDDLE_OK;
    memcpy(even, firsts, (link->size + 1) * sizeof *even);
    HD_TRY(hd_parts_seconds(link, j, even, report, seconds));
    hd_slice_cut_again(j->in.offsets, j->second.offsets, n, link->size, even, seconds, firsts);
    return HEDDLE_OK;
}

static heddle_status work(hd_link *link, void *user) {
    hd_parts_job *j = user;
    const hd_run *run = j->run;
    uint32_t p = link->rank;
    uint64_t firsts[HD_DEVICES_MOST + 1];
    size_t size = hd_value_size(run->result->type);
    hd_slice slice, back = {.parts = 0};
    hd_slice_transpose transposed = {.offsets = NULL};
    heddle_report trial = {.prepare = 0};
    double start = hd_clock();
    link->name = run->devices.name[p];
    if (!hd_device_kind_of(run->devices.name[p])) /* devices need no threads of the host */
        link->ctx->threads = j->threads / j->on_cpu ? j->threads / j->on_cpu : 1;
    HD_TRY(cut(link, j, &trial, firsts));
    hd_part_job own = hd_parts_job_of(j, p, firsts);
    own.transposed = &transposed;
    hd_slice_rows rows = hd_parts_rows(&j->in, firsts[p]), second = hd_parts_rows(&j->second, firsts[p]);
    bool apart = j->setup->own && j->setup->own->apart;
    heddle_status status;
    HD_CHECK(hd_slice_make(link->ctx, firsts, p, link->size, &rows, apart ? NULL : &second, hd_parts_weight_size(j),
                           &slice));
    HD_CHECK(hd_slice_join(link, &slice));
    if (apart && second.offsets) {
        HD_CHECK(hd_slice_make(link->ctx, firsts, p, link->size, &second, NULL, hd_parts_weight_size(j), &back));
        HD_CHECK(hd_slice_join(link, &back));
    }
    own.back = back.parts ? &back : &slice;
    double prepared = hd_clock() - start - trial.compile;
    char *outputs = hd_part_has_values(j->setup) ? (char *)run->result->values + firsts[p] * size : NULL;
    status = hd_part_run(link, &slice, &own, j->degrees + firsts[p], outputs, &j->reports[p]);
    j->reports[p].report.prepare += prepared;
    j->reports[p].report.compile += trial.compile;
out:
    hd_slice_transpose_free(link->ctx, &transposed);
    hd_slice_free(link->ctx, &slice);
    hd_slice_free(link->ctx, &back);
    return status;
}

static void count_kinds(hd_parts_job *j) {
    const hd_device_list *devices = &j->run->devices;
    const hd_device_kind *first = hd_device_kind_of(devices->name[0]);
    j->threads = j->run->ctx->threads;
    for (uint32_t p = 0; p < devices->count; p++) {
        const hd_device_kind *kind = hd_device_kind_of(devices->name[p]);
        j->mixed = j->mixed || kind != first;
        j->on_cpu += !kind;
    }
}

/* Rows and degrees. */
static heddle_status prepare(hd_parts_job *j) {
    const hd_run *run = j->run;
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    heddle_adjacency out;
    uint64_t n = graph->vertices;
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    hd_rows_wanted wanted = hd_part_rows(j->program, j->setup);
    bool both = hd_rows_both(wanted, graph);
    if (wanted == HD_ROWS_EITHER && !hd_in_edges_ready(graph))
        j->in = out;
    else
        HD_TRY(heddle_graph_in(ctx, graph, &j->in));
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
    HD_TRY(HD_NEW_ZERO(ctx, &j->reports, run->devices.count, "parts"));
    if (n < run->devices.count)
        hd_note(ctx, "%u devices, and the graph has %llu vertices: some have nothing to do", run->devices.count,
                (unsigned long long)n);
    return HEDDLE_OK;
}

void hd_part_report_names(const hd_run *run, const hd_part_report *part) {
    heddle_result *result = run->result;
    heddle_report *to = &result->report;
    snprintf(result->device, sizeof result->device, "%s", run->options.device);
    to->device = result->device;
    if (part->schedule[0]) {
        snprintf(result->schedule, sizeof result->schedule, "%s", part->schedule);
        to->schedule = result->schedule;
    }
    const hd_residency *own = part->residency;
    if (!own || own == &hd_residency_device)
        return;
    to->residency = own->name;
    if (!(run->plan.given & HD_GIVEN_RESIDENCY)) /* the plan left it open, and the edges did not fit */
        hd_note(run->ctx, "%s: residency %s: %s", part->shown.device, own->name, own->about);
}

/* The parts work at the same time: of each phase, the longest counts. */
static heddle_status gather(hd_parts_job *j) {
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
        HD_TRY(hd_result_part_rounds_take(run->ctx, result, p, &j->reports[p].rounds));
        hd_part_report_names(run, &j->reports[p]);
        to->edges_walked += j->reports[p].shown.edges_walked;
        to->device_bytes += from->device_bytes;
        to->edges_on_device += from->edges_on_device;
        to->edges_on_host += from->edges_on_host;
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
    if (hd_rule_by_tolerance(j->program->traits, j->program->output))
        hd_result_residual(result, j->reports[0].residual);
    return HEDDLE_OK;
}

heddle_status hd_parts_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                               const hd_cpu_setup *setup) {
    heddle_context *ctx = run->ctx;
    hd_parts_job j = {.run = run, .program = program, .compiled = compiled, .setup = setup};
    uint64_t n = run->graph->vertices;
    heddle_status status;
    double start = hd_clock();
    hd_phase_begin(ctx, "compute", 0);
    count_kinds(&j);
    HD_CHECK(prepare(&j));
    HD_CHECK(hd_checkpoint_of(run, program, setup, &j.checkpoint));
    HD_CHECK(hd_peers_new(run, &j.peers));
    run->result->report.prepare += hd_clock() - start;
    if (hd_part_has_values(setup))
        HD_CHECK(hd_result_values_new(ctx, run->result, program->output, n));
    if (hd_part_finds_parents(run, setup))
        HD_CHECK(hd_result_parents_new(ctx, run->result, n));
    HD_CHECK(hd_link_local(ctx, run->devices.count, work, &j));
    if (j.reports[0].no_parents)
        HD_DELETE(&run->result->allocator, run->result->parents, n);
    HD_CHECK(gather(&j));
out:
    hd_phase_end(ctx);
    hd_peers_free(ctx, run->devices.count, &j.peers);
    HD_DELETE(&ctx->allocator, j.degrees, n);
    HD_DELETE(&ctx->allocator, j.in_degrees, n);
    for (uint32_t p = 0; j.reports && p < run->devices.count; p++)
        HD_DELETE(&ctx->allocator, j.reports[p].rounds.list, HD_ROUNDS_MOST);
    HD_DELETE(&ctx->allocator, j.reports, run->devices.count);
    return status;
}
