/* delta_stepping.c - delta-stepping with a set of bins per thread, without a shared queue.
 *
 * A round: the calling thread finds the lowest bucket that any thread's bins hold and lists its chunks, which threads
 * then process (delta_stepping_edges.c). Rounds with little work run on the calling thread alone. Vertices with very
 * many edges are set aside and divided among the threads at the end of the round. Threads stay together from round to
 * round (base/team.h) while there is enough work for all and each has a core of its own.
 */
#include "engine/cpu/delta_stepping.h"

#include "base/memory.h"
#include "engine/cpu/delta_stepping_parts.h"

enum {
    TEAM_EACH = 512,     /* rounds of fewer edges per thread of a team, by estimate, run on one thread; */
    TEAM_PLENTY = 4,     /* this many times as much is preferred */
    QUIET = 64,          /* rounds on one thread, in a row, after which a team ends */
    SMALL = 4096,        /* without a team, rounds of fewer edges run on one thread, */
    WORTH_TWO = 1 << 15, /* or of fewer than this divided by the threads: few threads save less time */
    GROUP = 8,           /* buckets that may be merged to give all threads enough work */
    UPDATE = 1 << 16     /* edges between two reports of progress */
};

static void advance_to(hd_steps *s, uint64_t bucket) {
    s->bucket = bucket;
    for (int t = 0; t < s->ctx->threads; t++)
        s->bins[t].now = bucket;
}

/* Finds the lowest nonempty bucket; false if all is done. */
static bool find_bucket(hd_steps *s) {
    for (;;) {
        uint64_t near = UINT64_MAX, far = UINT64_MAX;
        for (int t = 0; t < s->ctx->threads; t++) {
            uint64_t own = hd_bins_least(&s->bins[t]);
            near = own < near ? own : near;
            far = s->bins[t].far_least < far ? s->bins[t].far_least : far;
        }
        if (near == UINT64_MAX && far == UINT64_MAX)
            return false;
        advance_to(s, near < far ? near : far);
        if (near < far)
            return true;
        for (int t = 0; t < s->ctx->threads; t++)
            hd_steps_kernels_of(s->setup.path)->near(s, &s->bins[t]);
    }
}

static heddle_status make_room(hd_steps *s, uint64_t wanted) {
    if (wanted <= s->task_room)
        return HEDDLE_OK;
    HD_DELETE(&s->ctx->allocator, s->tasks, s->task_room);
    s->task_room = wanted + wanted / 2;
    return HD_NEW(s->ctx, &s->tasks, s->task_room, "work list");
}

static uint64_t entries_in(const hd_steps *s, uint64_t bucket) {
    uint64_t entries = 0;
    for (int t = 0; t < s->ctx->threads; t++)
        entries += hd_bins_entries(&s->bins[t], bucket);
    return entries;
}

/* Whether the out-edges of the current bucket's vertices are worth all threads. The first buckets of skewed graphs
 * hold few vertices, but those with most edges. */
static bool many_edges(const hd_steps *s) {
    uint64_t edges = 0;
    for (int t = 0; t < s->ctx->threads; t++)
        for (hd_chunk *chunk = s->bins[t].near[s->bucket % HD_BINS_NEAR].first; chunk; chunk = chunk->next)
            for (uint64_t i = 0; i < chunk->count && edges < s->worth; i++) {
                const uint64_t *row = &s->setup.out.offsets[chunk->entries[i].vertex];
                edges += row[1] - row[0];
            }
    return edges >= s->worth;
}

/* Decides how many buckets this round processes, from the lowest on, and whether on all threads: one if it is large
 * enough; several if together they are, which costs some repeated work; else one, on this thread alone. */
static bool plan_round(hd_steps *s) {
    uint64_t entries = 0;
    s->end = s->bucket + 1;
    if (s->ctx->threads == 1)
        return false;
    if (entries_in(s, s->bucket) < s->small && many_edges(s))
        return true;
    for (s->end = s->bucket; s->end < s->bucket + GROUP && entries < s->plenty; s->end++)
        entries += entries_in(s, s->end);
    if (entries >= s->small)
        return true;
    s->end = s->bucket + 1;
    return false;
}

static heddle_status gather(hd_steps *s) {
    uint64_t room = 0;
    for (uint64_t b = s->bucket; b < s->end; b++)
        for (int t = 0; t < s->ctx->threads; t++)
            room += hd_bins_entries(&s->bins[t], b) / HD_CHUNK_ROOM + 1;
    HD_TRY(make_room(s, room));
    s->task_count = 0;
    for (int t = 0; t < s->ctx->threads; t++) {
        s->bins[t].next_slice = s->task_count * HD_STEPS_SLICES;
        for (uint64_t b = s->bucket; b < s->end; b++)
            for (hd_chunk *chunk = hd_bins_take(&s->bins[t], b); chunk; chunk = chunk->next)
                s->tasks[s->task_count++] = chunk;
        s->bins[t].end_slice = s->task_count * HD_STEPS_SLICES;
    }
    return HEDDLE_OK;
}

static uint64_t edges_walked(const hd_steps *s) {
    uint64_t edges = 0;
    for (int t = 0; t < s->ctx->threads; t++)
        edges += s->bins[t].edges;
    return edges;
}

static heddle_status report_edges(hd_steps *s, uint64_t walked) {
    if (walked - s->report->edges_walked >= UPDATE) {
        hd_advance(s->ctx, walked - s->report->edges_walked);
        s->report->edges_walked = walked;
    }
    return hd_cancelled_status(s->ctx);
}

static void end_round(hd_steps *s) {
    uint64_t entries = 0, walked = edges_walked(s);
    for (uint64_t i = 0; i < s->task_count; i++) {
        entries += s->tasks[i]->count;
        hd_chunk_recycle(&s->bins[i % (uint64_t)s->ctx->threads], s->tasks[i]);
    }
    s->task_count = 0;
    s->report->rounds++;
    HD_ROUND(s->ctx, .rounds = 1, .vertices = entries, .edges = walked - s->recorded,
             .weight_bytes = s->setup.weight_bytes, .direction = HEDDLE_DIRECTION_PUSH,
             .kernel = s->together ? "bucket" : "bucket, one thread");
    s->recorded = walked;
    s->status = report_edges(s, walked);
}

/* Plans the next round and lists its chunks; false if all is done, or after an error. Entries may have been lost by the
 * round before, by the start, and by find_bucket, which moves some: bins that are empty prove nothing then. */
static bool next_round(hd_steps *s) {
    s->big_count = 0;
    if (s->status != HEDDLE_OK)
        return false;
    bool more = find_bucket(s);
    s->status = hd_bins_status(s->ctx, s->bins);
    if (!more || s->status != HEDDLE_OK)
        return false;
    s->together = plan_round(s);
    s->status = gather(s);
    return s->status == HEDDLE_OK;
}

static void walk_alone(hd_steps *s) {
    hd_steps_kernels_of(s->setup.path)->alone(s, &s->bins[0]);
    if (!s->big_count)
        end_round(s);
}

/* ---- Rounds of a team ------------------------------------------------------------------------------------------ */

/* The first thread plans the rounds, and runs small ones alone. False if the team ends: nothing is left, or the rounds
 * have been small for a while. A round that is already planned is then left for later. */
static bool lead(hd_steps *s, const hd_mate *mate) {
    s->crowded = hd_team_crowded(mate);
    for (int alone = 0; !s->crowded && alone < QUIET; alone++) {
        if (!s->planned && !next_round(s))
            return false;
        s->planned = s->together;
        if (s->together)
            return true;
        walk_alone(s);
        if (s->big_count) /* left to all threads */
            return true;
    }
    return false;
}

/* Barrier; returns whether vertices were set aside. The count itself may have changed already: the first thread
 * continues with the next round. */
static bool meet_after(hd_steps *s, hd_mate *mate) {
    uint64_t aside = hd_load(&s->big_count);
    hd_team_meet(mate, &aside, 1);
    for (uint64_t t = 0; t < mate->count; t++)
        aside |= *hd_team_words(mate, t);
    return aside;
}

static void work_together(hd_steps *s) {
    const hd_steps_kernels *kernel = hd_steps_kernels_of(s->setup.path);
    hd_mate mate = hd_team_join(&s->team);
    hd_bins *own = &s->bins[mate.self];
    for (uint64_t go = 1;;) {
        if (mate.self == 0)
            go = lead(s, &mate);
        hd_team_meet(&mate, &go, 1);
        if (!*hd_team_words(&mate, 0))
            break;
        if (s->together)
            kernel->together(s, own);
        if (meet_after(s, &mate)) {
            kernel->big(s, own);
            hd_team_meet(&mate, NULL, 0);
        }
        if (mate.self == 0) {
            s->planned = false;
            end_round(s);
        }
    }
}

/* ---- All rounds ------------------------------------------------------------------------------------------------ */

/* One round, with threads that are started only for this one. */
static void one_round(hd_steps *s) {
    const hd_steps_kernels *kernel = hd_steps_kernels_of(s->setup.path);
    if (s->together) {
        HD_PARALLEL(s->ctx)
        kernel->together(s, &s->bins[hd_thread()]);
    } else {
        walk_alone(s);
        if (!s->big_count)
            return;
    }
    if (s->big_count) {
        HD_PARALLEL(s->ctx)
        kernel->big(s, &s->bins[hd_thread()]);
    }
    end_round(s);
}

/* The least work of a round on all threads: less with a team. */
static void choose_limits(hd_steps *s) {
    uint64_t edges = s->setup.out.offsets[s->setup.vertices], threads = (uint64_t)s->ctx->threads;
    uint64_t apart = WORTH_TWO / threads < SMALL ? SMALL : WORTH_TWO / threads;
    s->worth = s->crowded ? apart : TEAM_EACH * threads;
    s->small = s->worth * (s->setup.vertices + 1) / (edges + 1) + 1;
    s->plenty = s->crowded ? s->small * (threads + 1) / 2 : s->small * TEAM_PLENTY;
}

static heddle_status rounds(hd_steps *s) {
    choose_limits(s);
    while (s->planned || next_round(s)) {
        if (s->together && !s->crowded) {
            s->planned = true;
            hd_team_ready(&s->team);
            HD_PARALLEL(s->ctx)
            work_together(s);
            if (s->crowded)
                choose_limits(s);
        } else {
            s->planned = false;
            one_round(s);
        }
    }
    return s->status;
}

/* ---- Start and end ------------------------------------------------------------------------------------------- */

static void fill(hd_steps *s) {
    uint64_t unreached = hd_path_unreached(s->setup.path), n = s->setup.vertices;
    if (hd_path_is_32(s->setup.path)) {
        uint32_t *labels = s->setup.labels;
        HD_PARALLEL_FOR(s->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
        for (uint64_t v = 0; v < n; v++)
            labels[v] = (uint32_t)unreached;
    } else {
        uint64_t *labels = s->setup.labels;
        HD_PARALLEL_FOR(s->ctx, schedule(static) if (n >= HD_WORTH_THREADS))
        for (uint64_t v = 0; v < n; v++)
            labels[v] = unreached;
    }
}

static void start(hd_steps *s) {
    for (uint64_t i = 0; i < s->setup.source_count; i++) {
        heddle_vertex v = s->setup.sources[i];
        bool first = hd_path_is_32(s->setup.path) ? hd_path_lower(HD_SUM_U32, s->setup.labels, v, 0, false)
                                                  : hd_path_lower(HD_SUM_U64, s->setup.labels, v, 0, false);
        if (first)
            hd_bins_put(&s->bins[0], 0, v, 0);
    }
}

heddle_status hd_stepping(heddle_context *ctx, const hd_stepping_setup *setup, hd_stepping_report *report) {
    uint64_t edges = setup->out.offsets[setup->vertices], threads = (uint64_t)ctx->threads;
    hd_steps s = {.ctx = ctx, .setup = *setup, .report = report};
    heddle_status status;
    *report = (hd_stepping_report){0, 0, false};
    s.big_room = threads > 1 ? edges / HD_STEPS_BIG + 1 : 0;
    HD_CHECK(hd_bins_new(ctx, &s.bins));
    HD_CHECK(HD_NEW(ctx, &s.big, s.big_room, "work list"));
    if (threads > 1)
        HD_CHECK(hd_team_new(ctx, &s.team));
    hd_phase_begin(ctx, "compute", 0);
    fill(&s);
    start(&s);
    hd_rounds_mark(ctx);
    status = rounds(&s);
    hd_phase_end(ctx);
    report->edges_walked = edges_walked(&s);
    for (uint64_t t = 0; t < threads; t++)
        report->overflow |= s.bins[t].excess != 0;
out:
    hd_bins_free(ctx, &s.bins);
    HD_DELETE(&ctx->allocator, s.big, s.big_room);
    HD_DELETE(&ctx->allocator, s.tasks, s.task_room);
    hd_team_free(ctx, &s.team);
    return status;
}
