/* rank_run.c - see rank_run.h: every rank makes its slice from the rows that it reads, runs it as a part, and keeps the
 * result or sends it to rank 0. */
#include "engine/parts/rank_run.h"

#include "base/memory.h"
#include "engine/cpu/cpu_rule.h"
#include "engine/parts/kept_slice.h"
#include "exchange/agree.h"
#include "exchange/together.h"

#include <stdio.h>
#include <string.h>

typedef struct job {
    const hd_run *run;
    hd_link *link;
    const hd_incore_program *program;
    hd_kept_slice *kept;
    uint64_t own;           /* vertices */
    void *outputs;          /* of own vertices */
    heddle_vertex *parents; /* likewise; NULL: not requested, or not found by the parts */
    size_t size;            /* bytes of an output */
    hd_part_report report;
} job;

/* ---- Results ---------------------------------------------------------------------------------------------------- */

/* Rank 0 receives those of all at the same time, each into its place. */
static heddle_status gather(job *j, void *mine, size_t each, const uint64_t *starts, char *all) {
    hd_link *link = j->link;
    hd_message_way *ways = NULL, sent = {.open = false};
    heddle_status status = HEDDLE_OK;
    size_t own = (size_t)(starts[link->rank + 1] - starts[link->rank]) * each;
    if (link->rank) {
        status = own ? link->send(link, 0, mine, own, &sent) : HEDDLE_OK;
        if (status == HEDDLE_OK)
            status = link->wait(link, &sent);
        return hd_link_drain(link, status, &sent, 1);
    }
    HD_TRY(HD_NEW_ZERO(link->ctx, &ways, link->size, "messages between ranks"));
    for (uint32_t p = 1; p < link->size; p++)
        if (starts[p + 1] > starts[p])
            HD_CHECK(
                link->receive(link, p, all + starts[p] * each, (size_t)(starts[p + 1] - starts[p]) * each, &ways[p]));
    if (own)
        memcpy(all, mine, own);
    for (uint32_t p = 1; p < link->size; p++)
        HD_CHECK(link->wait(link, &ways[p]));
out:
    status = hd_link_drain(link, status, ways, ways ? link->size : 0);
    HD_DELETE(&link->ctx->allocator, ways, link->size);
    return status;
}

/* The rounds of every rank, to rank 0. */
static heddle_status gather_rounds(job *j) {
    hd_link *link = j->link;
    heddle_context *ctx = link->ctx;
    hd_rounds *mine = &j->report.rounds;
    uint64_t *starts = NULL, *counts = NULL, room = 0;
    heddle_round *all = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW_ZERO(ctx, &starts, link->size + 1, "ranks"));
    HD_CHECK(HD_NEW(ctx, &counts, link->size, "ranks"));
    HD_CHECK(hd_tell_all(link, mine->count, counts));
    for (uint32_t p = 0; p < link->size; p++)
        starts[p + 1] = starts[p] + counts[p];
    room = link->rank ? 0 : starts[link->size];
    HD_CHECK(HD_NEW(ctx, &all, room, "records of rounds"));
    HD_CHECK(gather(j, mine->list, sizeof *all, starts, (char *)all));
    for (uint64_t i = 0; i < room; i++)
        all[i].road = hd_residency_device.road; /* what came is an address in another process */
    for (uint32_t p = 0; !link->rank && p < link->size; p++) {
        const hd_rounds own = {.list = all + starts[p], .count = (uint32_t)counts[p]};
        HD_CHECK(hd_result_part_rounds_take(ctx, j->run->result, p, &own));
    }
out:
    HD_DELETE(&ctx->allocator, all, room);
    HD_DELETE(&ctx->allocator, starts, link->size + 1);
    HD_DELETE(&ctx->allocator, counts, link->size);
    return status;
}

/* Ranks work at the same time: of each phase, the longest counts. */
static heddle_status gather_report(job *j) {
    hd_link *link = j->link;
    heddle_result *result = j->run->result;
    heddle_report *from = &j->report.report, *to = &result->report;
    const char *device = j->run->devices.name[0];
    double seconds[] = {from->prepare, from->compute, from->compile, from->transfer};
    uint64_t sums[] = {j->report.shown.edges_walked, from->device_bytes, from->edges_on_device, from->edges_on_host};
    uint64_t *starts, count = link->size;
    heddle_status status;
    HD_TRY(link->reduce_real(link, HD_LINK_MAX, seconds, 4));
    HD_TRY(link->reduce(link, HD_LINK_SUM, sums, 4));
    snprintf(j->report.shown.device, sizeof j->report.shown.device, "rank %u%s%.12s", hd_link_number(link, link->rank),
             hd_device_kind_of(device) ? ", " : "", hd_device_kind_of(device) ? device : "");
    HD_TRY(HD_NEW(link->ctx, &starts, count + 1, "ranks"));
    for (uint64_t p = 0; p <= count; p++)
        starts[p] = p;
    if (!link->rank)
        HD_CHECK(hd_result_parts_new(link->ctx, result, count));
    HD_CHECK(gather(j, &j->report.shown, sizeof j->report.shown, starts, (char *)result->parts));
    HD_CHECK(gather_rounds(j));
    to->prepare += seconds[0];
    to->compute += seconds[1];
    to->compile += seconds[2];
    to->transfer += seconds[3];
    to->edges_walked = sums[0];
    to->device_bytes = sums[1];
    to->edges_on_device = sums[2];
    to->edges_on_host = sums[3];
    hd_part_report_names(j->run, &j->report);
    to->iterations = j->report.iterations;
    to->converged = j->report.converged;
    to->exchange = j->run->plan.exchange->name;
    if (hd_rule_by_tolerance(j->program->traits, j->program->output))
        hd_result_residual(result, j->report.residual);
    hd_result_figure(result, "ranks", link->size);
out:
    HD_DELETE(&link->ctx->allocator, starts, count + 1);
    return status;
}

/* Own values are the result's. */
static void keep_own(job *j, heddle_result *result) {
    result->type = j->program->output;
    result->count = j->own;
    result->first = j->kept->slice.first;
    result->spread = true;
    result->values = j->outputs;
    result->parents = j->parents;
    j->outputs = NULL;
    j->parents = NULL;
}

static heddle_status gather_values(job *j, heddle_result *result) {
    heddle_context *ctx = j->link->ctx;
    uint64_t n = j->run->graph->vertices;
    if (!j->link->rank)
        HD_TRY(hd_result_values_new(ctx, result, j->program->output, n));
    HD_TRY(gather(j, j->outputs, j->size, j->kept->rows.firsts, result->values));
    if (!j->parents || j->report.no_parents)
        return HEDDLE_OK;
    if (!j->link->rank)
        HD_TRY(hd_result_parents_new(ctx, result, n));
    return gather(j, j->parents, sizeof *j->parents, j->kept->rows.firsts, (char *)result->parents);
}

/* ---- By cost ---------------------------------------------------------------------------------------------------- */

/* All ranks compute a few rounds on ranges of equal edges; then ranges are such that each takes about the same time. */
static heddle_status cut_by_cost(job *j, const hd_cpu_program *compiled, const hd_cpu_setup *setup) {
    hd_link *link = j->link;
    heddle_context *ctx = link->ctx;
    hd_kept_slice *kept = j->kept;
    const hd_slice *slice = &kept->slice;
    uint64_t room = slice->own + slice->remote;
    hd_part_job part = hd_part_job_of(j->run, j->program, compiled, setup, slice->first, j->run->devices.name[0],
                                      kept->rows.in_degrees);
    hd_part_trial trial;
    uint32_t *degrees = NULL;
    uint64_t *bits = NULL, mine;
    double *seconds = NULL;
    heddle_status status;
    HD_CHECK(HD_NEW(ctx, &degrees, room, "out-degrees"));
    HD_CHECK(HD_NEW(ctx, &bits, link->size, "ranks"));
    HD_CHECK(HD_NEW(ctx, &seconds, link->size, "ranks"));
    if (slice->own)
        memcpy(degrees, kept->rows.degrees, slice->own * sizeof *degrees);
    HD_CHECK(hd_slice_share(link, slice, degrees, sizeof *degrees, degrees + slice->own));
    HD_CHECK(hd_part_try(link, slice, &part, degrees, &j->run->result->report, &trial));
    mine = (uint64_t)(trial.seconds * 1e9);
    HD_CHECK(hd_tell_all(link, mine, bits));
    for (uint32_t p = 0; p < link->size; p++)
        seconds[p] = (double)bits[p] * 1e-9;
    status = hd_kept_slice_cut_again(link, j->run->graph, seconds, kept);
out:
    HD_DELETE(&ctx->allocator, degrees, room);
    HD_DELETE(&ctx->allocator, bits, link->size);
    HD_DELETE(&ctx->allocator, seconds, link->size);
    return status;
}

static heddle_status execute(job *j, const hd_cpu_program *compiled, const hd_cpu_setup *setup) {
    const heddle_graph *graph = j->run->graph;
    hd_link *link = j->link;
    heddle_result *result = j->run->result;
    double start = hd_clock();
    bool by_cost = j->run->plan.slices == HD_YES;
    HD_TRY(hd_kept_slice_take(link, graph, hd_part_rows(j->program, setup), j->program->weighted, by_cost, &j->kept));
    hd_kept_slice *kept = j->kept;
    if (by_cost && !kept->settled)
        HD_TRY(cut_by_cost(j, compiled, setup));
    j->own = kept->slice.own;
    if (hd_part_has_values(setup))
        HD_TRY(hd_new(link->ctx, &j->outputs, j->own, j->size, false, "vertex values"));
    if (hd_part_finds_parents(j->run, setup))
        HD_TRY(HD_NEW(link->ctx, &j->parents, j->own, "parents"));
    double sliced = hd_clock() - start;
    hd_part_job part = hd_part_job_of(j->run, j->program, compiled, setup, kept->slice.first, j->run->devices.name[0],
                                      kept->rows.in_degrees);
    part.keep_rounds = true;
    part.transposed = &kept->transposed;
    part.back = kept->back.parts ? &kept->back : &kept->slice;
    part.parents = j->parents;
    HD_TRY(hd_checkpoint_of(j->run, j->program, setup, &part.checkpoint));
    HD_TRY(hd_part_run(link, &kept->slice, &part, kept->rows.degrees, j->outputs, &j->report));
    j->report.report.prepare += sliced;
    if (j->run->options.spread) {
        keep_own(j, result);
        return gather_report(j);
    }
    if (hd_part_has_values(setup))
        HD_TRY(gather_values(j, result));
    HD_TRY(gather_report(j));
    return link->rank ? (heddle_status)HD_ELSEWHERE : HEDDLE_OK;
}

/* Ranks may have different devices. */
static heddle_status agree_own(hd_link *link, hd_cpu_setup *setup) {
    uint64_t all = setup->own != NULL;
    HD_TRY(link->reduce(link, HD_LINK_MIN, &all, 1));
    setup->own = all ? setup->own : NULL;
    return HEDDLE_OK;
}

heddle_status hd_ranks_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                               const hd_cpu_setup *setup) {
    heddle_context *ctx = run->ctx;
    job j = {.run = run, .link = ctx->link, .program = program, .size = hd_value_size(program->output)};
    hd_cpu_setup agreed = *setup;
    HD_TRY(hd_together_meet(ctx));
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = agree_own(j.link, &agreed);
    if (status == HEDDLE_OK)
        status = execute(&j, compiled, &agreed);
    hd_phase_end(ctx);
    if (j.outputs)
        hd_free(&ctx->allocator, j.outputs, j.own * j.size);
    HD_DELETE(&ctx->allocator, j.parents, j.own);
    HD_DELETE(&ctx->allocator, j.report.rounds.list, HD_ROUNDS_MOST);
    if (status != HEDDLE_OK && status != (heddle_status)HD_ELSEWHERE)
        hd_kept_slice_drop(ctx);
    return status;
}
