/* part_rounds.c - the rounds of one part (parts.h). */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/cpu_rule.h"
#include "engine/parts/parts.h"
#include "exchange/agree.h"

#include <stdio.h>
#include <string.h>

typedef struct state {
    hd_link *link;
    const hd_slice *slice;
    const hd_part_job *job;
    hd_part part;
    hd_boxes boxes;
    hd_part_report *report;
    uint64_t round;
    double base;     /* PageRank's parameter 1 */
    hd_cpu_run rule; /* what done() and next_phase() read */
    uint32_t *names; /* of own and remote vertices; NULL: not needed */
    int lock;        /* of the checkpoint's folder; -1: none */
    char kernel[28];
} state;

/* Facts that all parts know after a round. */
typedef struct tally {
    uint64_t changes, edges, bytes, useful, passed;
    double largest, magnitude, change, idle;
    double totals[HD_TOTALS];
    double computing, slowest, exchanging; /* seconds: the mean, the largest; the largest of exchanging */
} tally;

static double base_of(const state *s, double idle) {
    double damping = s->job->setup.parameter[0];
    return (1 - damping + damping * idle) / (double)s->job->vertices;
}

/* Others' values before the first round. */
static heddle_status share_first(state *s) {
    const hd_slice *slice = s->slice;
    hd_inbox all = {.count = slice->remote};
    size_t size = s->part.value_size;
    heddle_status status;
    HD_CHECK(HD_NEW(s->link->ctx, &all.places, slice->remote, "inboxes"));
    HD_CHECK(hd_new(s->link->ctx, (void **)&all.values, slice->remote, size, false, "inboxes"));
    for (uint64_t i = 0; i < slice->remote; i++)
        all.places[i] = (uint32_t)i;
    HD_CHECK(hd_slice_share(s->link, slice, s->part.values, size, all.values));
    HD_CHECK(s->part.kind->take(&s->part, &all));
    if (s->job->setup.ranks) {
        double idle = s->part.idle;
        HD_CHECK(s->link->reduce_real(s->link, HD_LINK_SUM, &idle, 1));
        s->base = base_of(s, idle);
    }
out:
    HD_DELETE(&s->link->ctx->allocator, all.places, slice->remote);
    HD_DELETE(&s->link->ctx->allocator, all.values, slice->remote * size);
    return status;
}

/* The totals of all parts. */
static heddle_status join_totals(state *s, double totals[HD_TOTALS]) {
    static const hd_link_operation operations[] = {HD_LINK_SUM, HD_LINK_SUM, HD_LINK_MAX, HD_LINK_MIN};
    for (int i = 0; i < HD_TOTALS; i++) {
        int kind = HD_TOTAL_KIND(s->job->program->traits, i);
        if (kind)
            HD_TRY(s->link->reduce_real(s->link, operations[kind], &totals[i], 1));
    }
    return HEDDLE_OK;
}

/* Totals and phase of the first round. */
static heddle_status begin_rule(state *s) {
    const hd_part_job *job = s->job;
    hd_cpu_outcome first = {.flags = HD_PIECE_TOTALS};
    s->rule.own_vertices = job->setup.own_vertices ? job->setup.own_vertices : job->vertices;
    s->rule.seed = job->setup.seed;
    memcpy(s->rule.parameter, job->setup.parameter, sizeof s->rule.parameter);
    memcpy(first.totals, s->part.totals, sizeof first.totals);
    HD_TRY(join_totals(s, first.totals));
    hd_rule_begin(job->compiled, &s->rule, &first);
    return HEDDLE_OK;
}

static heddle_status sum_up(state *s, const hd_part_outcome *o, double computing, double exchanging, tally *t) {
    hd_link *link = s->link;
    uint64_t counts[] = {o->changes, s->slice->edges, s->boxes.bytes, s->boxes.useful, o->passed};
    double sums[] = {o->change, o->idle, computing};
    double most[] = {o->largest, o->magnitude, computing, exchanging};
    HD_TRY(link->reduce(link, HD_LINK_SUM, counts, 5));
    HD_TRY(link->reduce_real(link, HD_LINK_SUM, sums, 3));
    HD_TRY(link->reduce_real(link, HD_LINK_MAX, most, 4));
    *t = (tally){.changes = counts[0],
                 .edges = counts[1],
                 .bytes = counts[2],
                 .useful = counts[3],
                 .passed = counts[4],
                 .change = sums[0],
                 .idle = sums[1],
                 .computing = sums[2] / link->size,
                 .largest = most[0],
                 .magnitude = most[1],
                 .slowest = most[2],
                 .exchanging = most[3]};
    memcpy(t->totals, o->totals, sizeof t->totals);
    return join_totals(s, t->totals);
}

static void record(state *s, const tally *t) {
    HD_ROUND(s->link->ctx, .rounds = 1, .vertices = s->job->vertices, .edges = t->edges,
             .weight_bytes = s->job->program->weighted ? hd_weight_size(s->job->weight_type) : 0,
             .direction = HEDDLE_DIRECTION_PULL, .kernel = s->kernel,
             .traffic = {.bytes_needed = t->passed, .bytes_sent = t->passed},
             .exchange = {t->bytes, t->useful, t->exchanging, t->computing, t->slowest});
}

/* The same of this part alone. */
static void record_own(state *s, double computing, double exchanging, uint64_t edges, uint64_t passed) {
    hd_pass pass = {.rounds = 1,
                    .vertices = s->slice->own,
                    .edges = edges,
                    .weight_bytes = s->job->program->weighted ? hd_weight_size(s->job->weight_type) : 0,
                    .direction = HEDDLE_DIRECTION_PULL,
                    .kernel = s->kernel,
                    .traffic = {.bytes_needed = passed, .bytes_sent = passed},
                    .exchange = {s->boxes.bytes, s->boxes.useful, exchanging, computing, computing}};
    hd_rounds_put(&s->report->rounds, &pass);
}

/* Whether the run is over. */
static bool conclude(state *s, const tally *t) {
    const hd_cpu_setup *setup = &s->job->setup;
    hd_part_report *r = s->report;
    hd_cpu_outcome round = {.flags = HD_PIECE_TOTALS,
                            .changes = t->changes,
                            .largest = t->largest,
                            .magnitude = t->magnitude};
    memcpy(round.totals, t->totals, sizeof round.totals);
    s->rule.iteration = s->round;
    bool broken = !setup->ranks && hd_rule_broken(s->job->compiled, &round);
    r->converged = setup->ranks ? t->change < setup->tolerance
                                : !broken && hd_rule_over(s->job->compiled, setup, &s->rule, &round);
    r->residual = setup->ranks ? t->change : t->changes ? t->largest : 0;
    return r->converged || broken || (setup->max_iterations && s->round == setup->max_iterations);
}

static heddle_status post(state *s, double *seconds) {
    double start = hd_clock();
    if (s->part.direct.out)
        HD_TRY(s->part.kind->pass(&s->part, s->boxes.passed));
    HD_TRY(hd_boxes_post(&s->boxes, s->part.values, s->part.changed));
    *seconds = hd_clock() - start;
    return HEDDLE_OK;
}

static heddle_status do_round(state *s, bool *over) {
    hd_part_outcome outcome;
    tally all;
    const hd_part_kind *kind = s->part.kind;
    bool overlaps = kind->boundary && !s->job->plan.exchange->interior;
    double start = hd_clock(), posting = 0;
    if (overlaps) { /* the messages are on their way while the other rows are computed */
        HD_TRY(kind->boundary(&s->part, s->round, s->base));
        HD_TRY(post(s, &posting));
    }
    HD_TRY(kind->round(&s->part, s->round, s->base, &outcome));
    s->round++;
    double computing = hd_clock() - start - posting;
    if (!overlaps)
        HD_TRY(post(s, &posting));
    double computed = hd_clock();
    HD_TRY(hd_boxes_take(&s->boxes));
    HD_TRY(kind->take(&s->part, &s->boxes.inbox));
    if (s->part.direct.in)
        HD_TRY(kind->accept(&s->part, s->boxes.arrived));
    double exchanging = posting + hd_clock() - computed;
    HD_TRY(sum_up(s, &outcome, computing, exchanging, &all));
    heddle_part *shown = &s->report->shown;
    shown->edges_walked += s->slice->edges;
    shown->changed += outcome.changes;
    shown->bytes_sent += s->boxes.bytes;
    shown->bytes_useful += s->boxes.useful;
    shown->computing += computing;
    shown->exchanging += exchanging;
    record_own(s, computing, exchanging, s->slice->edges, outcome.passed);
    if (s->job->setup.ranks)
        s->base = base_of(s, all.idle);
    *over = conclude(s, &all);
    record(s, &all);
    return hd_advance(s->link->ctx, 0) ? hd_cancelled_status(s->link->ctx) : HEDDLE_OK;
}

/* Values of an earlier run that was ended, if they are requested and there are any. */
static heddle_status resume(state *s) {
    const hd_checkpoint *checkpoint = &s->job->checkpoint;
    heddle_context *ctx = s->link->ctx;
    uint64_t own = s->slice->own;
    size_t size = s->part.value_size;
    void *values = NULL;
    if (!checkpoint->folder)
        return HEDDLE_OK;
    HD_TRY(hd_checkpoint_begin(s->link, checkpoint, &s->lock));
    if (!checkpoint->resume)
        return HEDDLE_OK;
    HD_TRY(hd_agree(s->link, hd_new(ctx, &values, own, size, false, "values of a checkpoint")));
    heddle_status status = hd_checkpoint_load(s->link, checkpoint, s->slice, size, values, &s->round);
    if (status == HEDDLE_OK && s->round)
        status = s->part.kind->restore(&s->part, values, s->round);
    hd_free(&ctx->allocator, values, own * size);
    if (status == HEDDLE_OK && !s->link->rank)
        hd_note(ctx, s->round ? "checkpoint: goes on after round %llu" : "checkpoint: there is none yet",
                (unsigned long long)s->round);
    return status;
}

static heddle_status keep(state *s) {
    const hd_checkpoint *checkpoint = &s->job->checkpoint;
    if (!checkpoint->folder || s->round % checkpoint->every)
        return HEDDLE_OK;
    if (s->part.kind->complete)
        HD_TRY(s->part.kind->complete(&s->part));
    return hd_checkpoint_save(s->link, checkpoint, s->slice, s->part.value_size, s->part.values, s->round);
}

heddle_status hd_part_begin(hd_link *link, const hd_slice *slice, const hd_part_job *job, hd_part_report *report) {
    heddle_part *shown = &report->shown;
    snprintf(shown->device, sizeof shown->device, "%s", job->device);
    shown->vertices = slice->own;
    shown->edges = slice->edges;
    shown->remote = slice->remote;
    shown->boundary = slice->boundary_count;
    HD_TRY(link->barrier(link));
    hd_rounds_mark(link->ctx);
    if (!job->keep_rounds)
        return HEDDLE_OK;
    const heddle_context *above = link->ctx->above ? link->ctx->above : link->ctx;
    HD_TRY(hd_rounds_new(link->ctx, &report->rounds));
    report->rounds.start = above->rounds.start;
    return HEDDLE_OK;
}

void hd_part_end(hd_part_report *report, double start, uint64_t rounds) {
    hd_rounds_close(&report->rounds);
    report->report.compute = hd_clock() - start;
    report->iterations = rounds;
}

/* On a renamed graph, the numbers of other parts' vertices too, for a program whose send() receives them. */
static heddle_status share_names(state *s, hd_part_job *adapted) {
    const hd_slice *slice = s->slice;
    if (!adapted->setup.names || !(adapted->program->traits & HD_SENDS_EDGE))
        return HEDDLE_OK;
    HD_TRY(hd_agree(s->link, HD_NEW(s->link->ctx, &s->names, slice->own + slice->remote, "names of vertices")));
    if (slice->own)
        memcpy(s->names, adapted->setup.names, slice->own * sizeof *s->names);
    adapted->setup.names = s->names;
    return hd_slice_share(s->link, slice, s->names, sizeof *s->names, s->names + slice->own);
}

static heddle_status run_part(state *s, const uint32_t *own_degrees, uint32_t *degrees, void *outputs) {
    const hd_slice *slice = s->slice;
    bool over = false;
    if (slice->own)
        memcpy(degrees, own_degrees, slice->own * sizeof *degrees);
    HD_TRY(hd_slice_share(s->link, slice, degrees, sizeof *degrees, degrees + slice->own));
    HD_TRY(s->part.kind->open(&s->part, degrees));
    memcpy(s->report->schedule, s->part.schedule, sizeof s->report->schedule);
    s->report->residency = s->part.residency;
    HD_TRY(resume(s));
    HD_TRY(share_first(s));
    HD_TRY(begin_rule(s));
    HD_TRY(hd_boxes_new_direct(s->link, slice, s->job->plan.exchange, s->part.value_size, s->part.direct, &s->boxes));
    HD_TRY(hd_part_begin(s->link, slice, s->job, s->report));
    double start = hd_clock();
    while (!over && !(s->job->setup.max_iterations && s->round >= s->job->setup.max_iterations)) {
        HD_TRY(do_round(s, &over));
        HD_TRY(keep(s));
    }
    hd_part_end(s->report, start, s->round);
    return s->part.kind->results(&s->part, outputs);
}

heddle_status hd_part_run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *own_degrees,
                          void *outputs, hd_part_report *report) {
    heddle_context *ctx = link->ctx;
    uint64_t room = slice->own + slice->remote;
    uint32_t *degrees = NULL;
    hd_part_job adapted = *job;
    *report = (hd_part_report){.converged = 0};
    if (job->setup.own)
        return job->setup.own->run(link, slice, job, own_degrees, outputs, report);
    state s = {.link = link, .slice = slice, .job = &adapted, .report = report, .lock = -1};
    s.part = (hd_part){.kind = hd_part_kind_of(job->device),
                       .ctx = ctx,
                       .link = link,
                       .slice = slice,
                       .job = &adapted,
                       .rule = &s.rule,
                       .report = &report->report};
    snprintf(s.kernel, sizeof s.kernel, "slices, %.12s", job->plan.exchange->name);
    heddle_status status = HD_NEW(ctx, &degrees, room, "out-degrees");
    if (status == HEDDLE_OK)
        status = share_names(&s, &adapted);
    if (status == HEDDLE_OK)
        status = run_part(&s, own_degrees, degrees, outputs);
    status = hd_boxes_free(&s.boxes, status);
    hd_checkpoint_end(s.lock);
    s.part.kind->close(&s.part);
    HD_DELETE(&ctx->allocator, degrees, room);
    HD_DELETE(&ctx->allocator, s.names, room);
    return status;
}
