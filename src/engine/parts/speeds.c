/* speeds.c - measures parts by a few rounds, so that slices take about the same time: those of several kinds of device
 * on a small part of the graph, or all on ranges of equal edges (plan key slices=cost). */
#include "base/memory.h"
#include "engine/parts/parts_job.h"

#include <math.h>
#include <stdio.h>

enum {
    TRIAL_LEAST = 1 << 16, /* edges: smaller graphs are not worth measuring for */
    TRIAL_MOST = 1 << 21,  /* edges of a part's trial */
    TRIAL_SHARE = 4        /* 1/4 of the edges are tried at most */
};
static const double per_value = 10e-9; /* seconds of the host to pack, pass and unpack a value */

/* Ranges of the trial: one for each part at the beginning of the graph, and the rest, which no part has. */
static void cut_trial(const hd_parts_job *j, uint32_t parts, uint64_t *firsts) {
    uint64_t n = j->run->graph->vertices, edges = j->in.offsets[n] + (j->second.offsets ? j->second.offsets[n] : 0);
    uint64_t sample = edges / TRIAL_SHARE / parts < TRIAL_MOST ? edges / TRIAL_SHARE / parts : TRIAL_MOST, two[3];
    double shares[] = {(double)(sample * parts), (double)(edges - sample * parts)};
    hd_slice_cut(j->in.offsets, j->second.offsets, n, 2, shares, two);
    hd_slice_cut(j->in.offsets, j->second.offsets, two[1], parts, NULL, firsts);
    firsts[parts + 1] = n;
}

static uint64_t edges_of(const heddle_adjacency *rows, uint64_t first, uint64_t end) {
    return rows->offsets ? rows->offsets[end] - rows->offsets[first] : 0;
}

/* Whether all parts have about the same to do: beside a row that has most edges a part may have none, and would look
 * slow. */
static bool comparable(const hd_parts_job *j, uint32_t parts, const uint64_t *firsts) {
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t p = 0; p < parts; p++) {
        uint64_t edges = edges_of(&j->in, firsts[p], firsts[p + 1]) + edges_of(&j->second, firsts[p], firsts[p + 1]);
        least = edges < least ? edges : least;
        most = edges > most ? edges : most;
    }
    return least >= most / TRIAL_SHARE && least > 0;
}

/* Seconds of the better of two rounds; the first one is for warming up. */
static heddle_status time_rounds(hd_link *link, hd_part *part, double *seconds) {
    hd_part_outcome outcome;
    *seconds = INFINITY;
    for (uint64_t round = 0; round < 3; round++) {
        HD_TRY(link->barrier(link));
        double start = hd_clock();
        HD_TRY(part->kind->round(part, round, 0, &outcome));
        double taken = hd_clock() - start;
        *seconds = round && taken < *seconds ? taken : *seconds;
    }
    *seconds = *seconds > 1e-9 ? *seconds : 1e-9;
    return HEDDLE_OK;
}

/* Cost for a part to get a value of another one. */
static heddle_status time_taking(hd_part *part, double *each) {
    uint64_t count = part->slice->remote;
    heddle_context *ctx = part->ctx;
    hd_inbox all = {.count = count};
    heddle_status status;
    HD_CHECK(HD_NEW(ctx, &all.places, count, "inboxes"));
    HD_CHECK(hd_new(ctx, (void **)&all.values, count, part->value_size, true, "inboxes"));
    for (uint64_t i = 0; i < count; i++)
        all.places[i] = (uint32_t)i;
    double start = hd_clock();
    HD_CHECK(part->kind->take(part, &all));
    *each = count ? (hd_clock() - start) / (double)count : 0;
out:
    HD_DELETE(&ctx->allocator, all.places, count);
    HD_DELETE(&ctx->allocator, all.values, count * part->value_size);
    return status;
}

heddle_status hd_part_try(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                          heddle_report *report, hd_part_trial *trial) {
    const hd_cpu_run rule = {.vertices = 0}; /* totals and phases do not matter to its speed */
    hd_part part = {.kind = hd_part_kind_of(job->device),
                    .ctx = link->ctx,
                    .slice = slice,
                    .job = job,
                    .rule = &rule,
                    .report = report};
    heddle_status status;
    HD_CHECK(part.kind->open(&part, degrees));
    HD_CHECK(time_taking(&part, &trial->taking)); /* values of other parts, which the rounds read */
    HD_CHECK(time_rounds(link, &part, &trial->seconds));
    HD_CHECK(time_taking(&part, &trial->taking));
out:
    part.kind->close(&part);
    return status;
}

/* Of the link's part, among ranges of which there may be more than parts. */
static heddle_status try_range(hd_link *link, const hd_parts_job *j, const uint64_t *firsts, uint32_t ranges,
                               heddle_report *report, hd_part_trial *trial) {
    heddle_context *ctx = link->ctx;
    hd_part_job own = hd_parts_job_of(j, link->rank, firsts);
    hd_slice_rows rows = hd_parts_rows(&j->in, firsts[link->rank]),
                  second = hd_parts_rows(&j->second, firsts[link->rank]);
    hd_slice slice;
    uint32_t *degrees = NULL;
    heddle_status status;
    own.peers = NULL;
    HD_CHECK(hd_slice_make(ctx, firsts, link->rank, ranges, &rows, &second, hd_parts_weight_size(j), &slice));
    HD_CHECK(HD_NEW(ctx, &degrees, slice.own + slice.remote, "out-degrees"));
    for (uint64_t v = 0; v < slice.own + slice.remote; v++)
        degrees[v] = j->degrees[slice.names[v]];
    HD_CHECK(hd_part_try(link, &slice, &own, degrees, report, trial));
    trial->work = (double)(slice.edges + slice.own + 1);
    trial->reads = (double)slice.remote / (double)(slice.edges + 1);
out:
    HD_DELETE(&ctx->allocator, degrees, slice.own + slice.remote);
    hd_slice_free(ctx, &slice);
    return status;
}

/* numbers[p]: that of part p. */
static heddle_status tell_all(hd_link *link, double mine, double *numbers) {
    for (uint32_t p = 0; p < link->size; p++)
        numbers[p] = p == link->rank ? mine : 0;
    for (uint32_t p = 0; p < link->size; p += HD_LINK_NUMBERS)
        HD_TRY(link->reduce_real(link, HD_LINK_SUM, numbers + p,
                                 link->size - p < HD_LINK_NUMBERS ? link->size - p : HD_LINK_NUMBERS));
    return HEDDLE_OK;
}

heddle_status hd_parts_seconds(hd_link *link, const hd_parts_job *j, const uint64_t *firsts, heddle_report *report,
                               double *seconds) {
    hd_part_trial trial = {.seconds = 0};
    HD_TRY(try_range(link, j, firsts, link->size, report, &trial));
    return tell_all(link, trial.seconds, seconds);
}

/* ---- By speed ---------------------------------------------------------------------------------------------------- */

static void tell_speeds(heddle_context *ctx, const hd_device_list *devices, const double *speeds) {
    char text[400] = "";
    for (uint32_t p = 0, used = 0; p < devices->count && used + 60 < sizeof text; p++)
        used += (uint32_t)snprintf(text + used, sizeof text - used, "%s%s %.3g million", p ? ", " : "",
                                   devices->name[p], speeds[p] * 1e-6);
    hd_note(ctx, "slices by measured speed, in edges a second: %s", text);
}

/* Sets the speed of CPUs to 0 if the other devices alone would be done earlier: a round with the CPU saves what it
 * computes, and adds the values that it reads of others, and they of it. `reads`: distinct vertices per edge of the
 * trial, `taking`: seconds for a value on the slowest device. */
static bool leave_out_cpu(const hd_parts_job *j, double *speeds, double reads, double taking) {
    const hd_device_list *devices = &j->run->devices;
    uint64_t vertices = j->run->graph->vertices;
    double n = (double)vertices, all = 0, cpu = 0;
    double work = n + (double)j->in.offsets[vertices] + (j->second.offsets ? (double)j->second.offsets[vertices] : 0);
    for (uint32_t p = 0; p < devices->count; p++) {
        all += speeds[p];
        cpu += hd_device_kind_of(devices->name[p]) ? 0 : speeds[p];
    }
    if (!(cpu > 0) || !(all > cpu))
        return false;
    double share = cpu / all, read = reads * work * share;
    double values = (read < n ? read : n) + n * share;
    if (work / all + values * (taking + per_value) <= work / (all - cpu))
        return false;
    for (uint32_t p = 0; p < devices->count; p++)
        speeds[p] = hd_device_kind_of(devices->name[p]) ? speeds[p] : 0;
    return true;
}

heddle_status hd_parts_speeds(hd_link *link, const hd_parts_job *j, heddle_report *report, double *speeds,
                              bool *measured) {
    uint64_t firsts[HD_DEVICES_MOST + 2];
    hd_part_trial trial = {.seconds = 1};
    *measured = j->run->graph->edges >= TRIAL_LEAST;
    if (!*measured)
        return HEDDLE_OK;
    cut_trial(j, link->size, firsts);
    *measured = comparable(j, link->size, firsts);
    if (!*measured)
        return HEDDLE_OK;
    HD_TRY(try_range(link, j, firsts, link->size + 1, report, &trial));
    HD_TRY(tell_all(link, trial.work / trial.seconds, speeds));
    double most[] = {trial.reads, trial.taking};
    HD_TRY(link->reduce_real(link, HD_LINK_MAX, most, 2));
    if (link->rank == 0)
        tell_speeds(link->ctx, &j->run->devices, speeds);
    if (leave_out_cpu(j, speeds, most[0], most[1]) && link->rank == 0)
        hd_note(link->ctx, "the cpu gets no slice: telling it values would take longer than what it computes saves");
    return HEDDLE_OK;
}
