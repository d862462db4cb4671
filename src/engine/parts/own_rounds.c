/* own_rounds.c - see own_rounds.h. */
#include "engine/parts/own_rounds.h"

#include "base/memory.h"

static const double tick = 1e-9; /* seconds travel as whole numbers */

heddle_status hd_own_rounds_begin(hd_own_rounds *r, hd_link *link, const hd_slice *slice, const hd_part_job *job,
                                  size_t size, hd_part_report *report) {
    hd_boxes boxes = {.link = NULL};
    heddle_status status = hd_boxes_new(link, slice, &hd_exchange_vr, size, &boxes);
    if (status == HEDDLE_OK)
        status = hd_own_rounds_begin_bare(r, link, slice, job, report);
    r->boxes = boxes;
    return status;
}

heddle_status hd_own_rounds_begin_bare(hd_own_rounds *r, hd_link *link, const hd_slice *slice, const hd_part_job *job,
                                       hd_part_report *report) {
    *r = (hd_own_rounds){.link = link, .slice = slice, .job = job, .report = report};
    HD_TRY(hd_part_begin(link, slice, job, report));
    r->start = r->lap = hd_clock();
    return HEDDLE_OK;
}

void hd_own_rounds_prepared(hd_own_rounds *r, double seconds) {
    r->report->report.prepare += seconds;
    r->start += seconds;
    r->lap += seconds;
}

enum { PUT_OFF = 2 /* rounds over all edges of the slice that making the transposed ones is worth */ };

heddle_status hd_own_rounds_turn(hd_own_rounds *r, bool *put_off) {
    hd_slice_transpose *t = r->job->transposed;
    double start = hd_clock();
    *put_off = !t->offsets && t->swept < PUT_OFF * r->slice->edges;
    if (*put_off)
        return HEDDLE_OK;
    HD_TRY(hd_slice_transpose_make(r->link->ctx, r->slice, t));
    hd_own_rounds_prepared(r, hd_clock() - start);
    return HEDDLE_OK;
}

void hd_own_rounds_sent(hd_own_rounds *r, uint64_t bytes, uint64_t useful, double seconds) {
    r->bytes += bytes;
    r->useful += useful;
    r->exchanging += seconds;
}

heddle_status hd_own_rounds_post(hd_own_rounds *r, const void *values, const uint64_t *changed) {
    double start = hd_clock();
    HD_TRY(hd_boxes_post(&r->boxes, values, changed));
    hd_own_rounds_sent(r, r->boxes.bytes, r->boxes.useful, hd_clock() - start);
    return HEDDLE_OK;
}

heddle_status hd_own_rounds_take(hd_own_rounds *r) {
    double start = hd_clock();
    HD_TRY(hd_boxes_take(&r->boxes));
    r->exchanging += hd_clock() - start;
    return HEDDLE_OK;
}

static void record(hd_own_rounds *r, const hd_own_round *round, const hd_exchanged *exchanged, bool own) {
    const hd_part_job *job = r->job;
    hd_pass pass = {.rounds = 1,
                    .vertices = round->vertices,
                    .edges = round->edges,
                    .weight_bytes = job->program->weighted ? hd_weight_size(job->weight_type) : 0,
                    .direction = round->direction,
                    .kernel = round->kernel,
                    .exchange = *exchanged};
    if (own)
        hd_rounds_put(&r->report->rounds, &pass);
    else
        hd_rounds_add(r->link->ctx, &pass);
}

/* Adds up, and finds the least and the longest, in one reduction each. */
static heddle_status join(hd_own_rounds *r, double computing, hd_own_round *round, hd_exchanged *all) {
    hd_link *link = r->link;
    uint64_t ticks = (uint64_t)(computing / tick), waited = (uint64_t)(r->exchanging / tick);
    uint64_t sums[] = {round->vertices, round->edges, round->changes, round->sums[0],
                       round->sums[1],  r->bytes,     r->useful,      ticks};
    uint64_t most[] = {~round->least, ticks, waited, round->most};
    HD_TRY(link->reduce(link, HD_LINK_SUM, sums, sizeof sums / sizeof *sums));
    HD_TRY(link->reduce(link, HD_LINK_MAX, most, sizeof most / sizeof *most));
    round->vertices = sums[0];
    round->edges = sums[1];
    round->changes = sums[2];
    round->sums[0] = sums[3];
    round->sums[1] = sums[4];
    round->least = ~most[0];
    round->most = most[3];
    *all = (hd_exchanged){.bytes = sums[5],
                          .useful = sums[6],
                          .seconds = (double)most[2] * tick,
                          .mean = (double)sums[7] * tick / link->size,
                          .slowest = (double)most[1] * tick};
    return HEDDLE_OK;
}

heddle_status hd_own_rounds_next(hd_own_rounds *r, hd_own_round *round) {
    heddle_context *ctx = r->link->ctx;
    heddle_part *shown = &r->report->shown;
    double total = hd_clock() - r->lap, computing = total > r->exchanging ? total - r->exchanging : 0;
    hd_exchanged own = {r->bytes, r->useful, r->exchanging, computing, computing}, all;
    uint64_t edges = round->edges;
    shown->edges_walked += edges;
    shown->changed += round->changes;
    shown->bytes_sent += r->bytes;
    shown->bytes_useful += r->useful;
    shown->computing += computing;
    shown->exchanging += r->exchanging;
    record(r, round, &own, true);
    HD_TRY(join(r, computing, round, &all));
    record(r, round, &all, false);
    r->bytes = r->useful = 0;
    r->exchanging = 0;
    r->rounds++;
    r->lap = hd_clock();
    return hd_advance(ctx, edges) ? hd_cancelled_status(ctx) : HEDDLE_OK;
}

void hd_own_rounds_finish(hd_own_rounds *r) {
    r->report->converged = 1;
    hd_part_end(r->report, r->start, r->rounds);
}

heddle_status hd_own_rounds_free(hd_own_rounds *r, heddle_status status) { return hd_boxes_free(&r->boxes, status); }
