/* speeds.c - measures the devices of a run that has several kinds of them (parts_job.h), so that slices take about the
 * same time. */
#include "base/memory.h"
#include "engine/parts/parts_job.h"

#include <math.h>
#include <stdio.h>

enum {
    TRIAL_LEAST = 1 << 16, /* edges: smaller graphs are not worth measuring for */
    TRIAL_MOST = 1 << 21,  /* edges of a part's trial */
    TRIAL_SHARE = 4        /* 1/4 of the edges are tried at most */
};

/* Ranges of the trial: one for each part at the beginning of the graph, and the rest, which is nobody's. */
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

/* Edges and vertices a second, of the better of two rounds; the first one is for warming up. */
static heddle_status time_rounds(hd_link *link, hd_part *part, double *speed) {
    double best = INFINITY;
    hd_part_outcome outcome;
    for (uint64_t round = 0; round < 3; round++) {
        HD_TRY(link->barrier(link));
        double start = hd_clock();
        HD_TRY(part->kind->round(part, round, 0, &outcome));
        double seconds = hd_clock() - start;
        best = round && seconds < best ? seconds : best;
    }
    *speed = (double)(part->slice->edges + part->slice->own + 1) / (best > 1e-9 ? best : 1e-9);
    return HEDDLE_OK;
}

static heddle_status try_part(hd_link *link, const hd_parts_job *j, const uint64_t *firsts, heddle_report *report,
                              double *speed) {
    heddle_context *ctx = link->ctx;
    hd_part_job own = hd_parts_job_of(j, link->rank, firsts);
    hd_slice_rows rows = hd_parts_rows(&j->in, firsts[link->rank]),
                  second = hd_parts_rows(&j->second, firsts[link->rank]);
    hd_slice slice;
    uint32_t *degrees = NULL;
    const hd_cpu_run rule = {.vertices = 0}; /* totals and phases do not matter to its speed */
    hd_part part = {
        .kind = hd_part_kind_of(own.device), .ctx = ctx, .slice = &slice, .job = &own, .rule = &rule, .report = report};
    heddle_status status;
    HD_CHECK(hd_slice_make(ctx, firsts, link->rank, link->size + 1, &rows, &second, hd_parts_weight_size(j), &slice));
    HD_CHECK(HD_NEW(ctx, &degrees, slice.own + slice.remote, "out-degrees"));
    for (uint64_t v = 0; v < slice.own + slice.remote; v++)
        degrees[v] = j->degrees[slice.names[v]];
    HD_CHECK(part.kind->open(&part, degrees));
    HD_CHECK(time_rounds(link, &part, speed));
out:
    part.kind->close(&part);
    HD_DELETE(&ctx->allocator, degrees, slice.own + slice.remote);
    hd_slice_free(ctx, &slice);
    return status;
}

static void tell_speeds(heddle_context *ctx, const hd_device_list *devices, const double *speeds) {
    char text[400] = "";
    for (uint32_t p = 0, used = 0; p < devices->count && used + 60 < sizeof text; p++)
        used += (uint32_t)snprintf(text + used, sizeof text - used, "%s%s %.3g million", p ? ", " : "",
                                   devices->name[p], speeds[p] * 1e-6);
    hd_note(ctx, "slices by measured speed, in edges a second: %s", text);
}

heddle_status hd_parts_speeds(hd_link *link, const hd_parts_job *j, heddle_report *report, double *speeds,
                              bool *measured) {
    uint64_t firsts[HD_DEVICES_MOST + 2];
    double mine = 0;
    *measured = j->run->graph->edges >= TRIAL_LEAST;
    if (!*measured)
        return HEDDLE_OK;
    cut_trial(j, link->size, firsts);
    *measured = comparable(j, link->size, firsts);
    if (!*measured)
        return HEDDLE_OK;
    HD_TRY(try_part(link, j, firsts, report, &mine));
    for (uint32_t p = 0; p < link->size; p++)
        speeds[p] = p == link->rank ? mine : 0;
    for (uint32_t p = 0; p < link->size; p += HD_LINK_NUMBERS)
        HD_TRY(link->reduce_real(link, HD_LINK_SUM, speeds + p,
                                 link->size - p < HD_LINK_NUMBERS ? link->size - p : HD_LINK_NUMBERS));
    if (link->rank == 0)
        tell_speeds(link->ctx, &j->run->devices, speeds);
    return HEDDLE_OK;
}
