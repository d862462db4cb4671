/* part_cpu.c - a part on the CPU: rounds of the CPU's engine over the slice's rows.
 *
 * Monotone programs update values in place, so that a value can pass through the part within one round; others have two
 * buffers. Remote values are written to both. */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_rule.h"
#include "engine/parts/part.h"

#include <string.h>

typedef struct cpu_part {
    hd_engine e;
    hd_cpu_setup setup;
    uint64_t *changed;
    double *sums; /* PageRank */
    uint64_t sums_room;
    uint32_t *order;        /* pieces: those with rows that other parts read, */
    uint64_t boundary;      /* this many, come first */
    bool begun;             /* they have been computed in this round */
    hd_cpu_outcome outcome; /* of this round */
} cpu_part;

static void describe(hd_part *part, cpu_part *c, const uint32_t *degrees) {
    const hd_slice *s = part->slice;
    const hd_part_job *job = part->job;
    c->setup = job->setup;
    c->setup.passing = NULL;
    c->setup.disk = NULL;
    c->e = (hd_engine){.ctx = part->ctx, .program = job->compiled, .setup = &c->setup, .edges = s->edges};
    /* Rows are in-edges; only the laws' samples look at out-edges, for which these do as well. */
    c->e.run = (hd_cpu_run){.vertices = s->own,
                            .out_offsets = s->offsets,
                            .in_offsets = s->offsets,
                            .out_targets = s->targets,
                            .in_targets = s->targets,
                            .out_weights = s->weights,
                            .in_weights = s->weights,
                            .weight_type = (int)job->weight_type,
                            .initial = job->setup.initial,
                            .fixed = job->setup.fixed,
                            .out_degrees = degrees,
                            .in_degrees = job->setup.in_degrees,
                            .own_vertices = job->setup.own_vertices ? job->setup.own_vertices : job->vertices,
                            .names = job->setup.names ? job->setup.names : s->names,
                            .seed = job->setup.seed};
    memcpy(c->e.run.parameter, job->setup.parameter, sizeof c->e.run.parameter);
}

/* `changed` is free until the first round. */
static heddle_status divide(hd_part *part, cpu_part *c) {
    const hd_slice *s = part->slice;
    HD_TRY(HD_NEW(part->ctx, &c->order, c->e.pieces, "pieces"));
    for (uint64_t i = 0; i < s->boundary_count; i++)
        c->changed[s->boundary[i] >> 6] |= UINT64_C(1) << (s->boundary[i] & 63);
    hd_engine_divide(&c->e, c->changed, c->order, &c->boundary);
    return HEDDLE_OK;
}

static heddle_status allocate(hd_part *part, cpu_part *c) {
    const hd_slice *s = part->slice;
    hd_engine *e = &c->e;
    e->words = s->own / 64 + 1;
    e->values_bytes = (s->own + s->remote) * part->value_size;
    HD_TRY(hd_new(part->ctx, &e->run.values, e->values_bytes, 1, true, "vertex values"));
    e->run.next = e->run.values;
    HD_TRY(HD_NEW_ZERO(part->ctx, &e->sources, e->words, "sources"));
    HD_TRY(HD_NEW_ZERO(part->ctx, &c->changed, e->words, "changed vertices"));
    e->run.sources = e->sources;
    e->run.changed = c->changed;
    if (!(e->program->traits & MONOTONE) || !hd_engine_mixes(e->program))
        HD_TRY(hd_engine_strict(e));
    if (part->job->setup.ranks) {
        c->sums_room = hd_engine_sums(e);
        HD_TRY(HD_NEW(part->ctx, &c->sums, c->sums_room, "sums"));
    }
    HD_TRY(hd_engine_pieces(e));
    return divide(part, c);
}

static heddle_status open_cpu(hd_part *part, const uint32_t *degrees) {
    const hd_slice *s = part->slice;
    const hd_cpu_setup *setup = &part->job->setup;
    cpu_part *c;
    double unused;
    HD_TRY(HD_NEW_ZERO(part->ctx, &c, 1, "a part"));
    part->own = c;
    part->value_size = part->job->compiled->value_size;
    describe(part, c, degrees);
    HD_TRY(allocate(part, c));
    hd_engine *e = &c->e;
    for (uint64_t i = 0; i < setup->source_count; i++) {
        uint64_t v = setup->sources[i] - s->first;
        if (v < s->own)
            e->sources[v >> 6] |= UINT64_C(1) << (v & 63);
    }
    HD_PARALLEL_FOR(part->ctx, schedule(static))
    for (uint64_t k = 0; k < e->pieces; k++)
        e->program->initialise(&e->run, hd_split(s->own, e->pieces, k), hd_split(s->own, e->pieces, k + 1));
    if (setup->check)
        HD_TRY(hd_cpu_laws(part->ctx, e->program, &e->run));
    if (setup->ranks)
        hd_engine_ranks(e, true, c->sums, &unused, &part->idle);
    HD_TRY(hd_rule_first_totals(part->ctx, e->program, &e->run, &c->outcome));
    hd_rule_totals(e->program->traits, &c->outcome, part->totals);
    part->values = e->run.values;
    part->changed = c->changed;
    return HEDDLE_OK;
}

static heddle_status take_cpu(hd_part *part, const hd_inbox *inbox) {
    const hd_engine *e = &((cpu_part *)part->own)->e;
    size_t size = part->value_size;
    char *values = (char *)e->run.values + part->slice->own * size;
    char *next = (char *)e->run.next + part->slice->own * size;
    HD_PARALLEL_FOR(part->ctx, schedule(static) if (inbox->count >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < inbox->count; i++) {
        memcpy(values + inbox->places[i] * size, inbox->values + i * size, size);
        if (next != values)
            memcpy(next + inbox->places[i] * size, inbox->values + i * size, size);
    }
    return HEDDLE_OK;
}

static heddle_status move_on(void *self) {
    hd_link *link = ((hd_part *)self)->link;
    return link && link->progress ? link->progress(link) : HEDDLE_OK;
}

static heddle_status begin_round(hd_part *part, uint64_t iteration, double base) {
    cpu_part *c = part->own;
    hd_engine *e = &c->e;
    memset(c->changed, 0, e->words * sizeof *c->changed);
    e->run.iteration = iteration;
    hd_rule_tell(part->rule, &e->run);
    if (part->job->setup.ranks)
        e->run.parameter[1] = base;
    c->outcome = (hd_cpu_outcome){.flags = 0};
    c->begun = true;
    return hd_engine_pull_some(e, c->order, c->boundary, move_on, part, &c->outcome);
}

/* New values are in the second buffer where there is one. */
static heddle_status boundary_cpu(hd_part *part, uint64_t iteration, double base) {
    cpu_part *c = part->own;
    HD_TRY(begin_round(part, iteration, base));
    part->values = c->e.run.next;
    return hd_cancelled_status(part->ctx);
}

static heddle_status round_cpu(hd_part *part, uint64_t iteration, double base, hd_part_outcome *outcome) {
    cpu_part *c = part->own;
    hd_engine *e = &c->e;
    if (!c->begun)
        HD_TRY(begin_round(part, iteration, base));
    c->begun = false;
    HD_TRY(hd_engine_pull_some(e, c->order + c->boundary, e->pieces - c->boundary, move_on, part, &c->outcome));
    hd_engine_swap(e);
    *outcome = (hd_part_outcome){.changes = c->outcome.changes,
                                 .largest = c->outcome.largest,
                                 .magnitude = c->outcome.magnitude};
    hd_rule_totals(e->program->traits, &c->outcome, outcome->totals);
    if (part->job->setup.ranks)
        hd_engine_ranks(e, false, c->sums, &outcome->change, &outcome->idle);
    part->values = e->run.values;
    return hd_cancelled_status(part->ctx);
}

static heddle_status results_cpu(hd_part *part, void *outputs) {
    const hd_engine *e = &((cpu_part *)part->own)->e;
    HD_PARALLEL_FOR(part->ctx, schedule(static))
    for (uint64_t k = 0; k < e->pieces; k++)
        e->program->output(&e->run, outputs, hd_split(e->run.vertices, e->pieces, k),
                           hd_split(e->run.vertices, e->pieces, k + 1));
    return HEDDLE_OK;
}

static void close_cpu(hd_part *part) {
    cpu_part *c = part->own;
    if (!c)
        return;
    HD_DELETE(&part->ctx->allocator, c->changed, c->e.words);
    HD_DELETE(&part->ctx->allocator, c->order, c->e.pieces);
    HD_DELETE(&part->ctx->allocator, c->sums, c->sums_room);
    hd_engine_free(&c->e);
    HD_DELETE(&part->ctx->allocator, c, 1);
    part->own = NULL;
}

static heddle_status restore_cpu(hd_part *part, const void *values, uint64_t round) {
    cpu_part *c = part->own;
    double unused;
    (void)round;
    if (part->slice->own)
        memcpy(c->e.run.values, values, part->slice->own * part->value_size);
    if (part->job->setup.ranks)
        hd_engine_ranks(&c->e, true, c->sums, &unused, &part->idle);
    return HEDDLE_OK;
}

const hd_part_kind hd_part_cpu = {.open = open_cpu,
                                  .take = take_cpu,
                                  .boundary = boundary_cpu,
                                  .round = round_cpu,
                                  .results = results_cpu,
                                  .close = close_cpu,
                                  .restore = restore_cpu};
