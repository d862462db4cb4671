/* bfs_part.c - breadth-first search that changes direction, on one of several parts.
 *
 * After a round every part tells each other one which of the vertices that it reads are new: a bitmap or a list of
 * their places, whichever is smaller, without values, as the level is that of the round. So all parts know the frontier
 * as far as it concerns them, own and remote vertices alike, and the direction of a round is a part's own affair: the
 * messages are the same. Bottom-up, own unvisited vertices look for an in-neighbour in the frontier; top-down, the
 * frontier's vertices look along the slice's edges turned round (turned.h). Making those takes longer than a few rounds
 * over all edges, so that it is put off until a search has spent that much for want of them: on graphs of small
 * diameter, never.
 *
 * Rows ascend by vertex of the graph: bottom-up, the first parent found is the smallest.
 */
#include "algorithm/bfs/bfs_part.h"

#include "algorithm/bfs/bfs_search.h"
#include "engine/parts/own_rounds.h"

enum { PUT_OFF = 2 /* rounds over all edges of the slice that making the turned ones is worth */ };

typedef struct search {
    hd_own_rounds rounds;
    heddle_context *ctx;
    const hd_slice *slice;
    hd_turned *turned;
    const uint32_t *degrees; /* out-edges of own vertices */
    uint32_t *levels, *parents;
    uint64_t words;    /* of a bitmap of own vertices */
    uint64_t *visited; /* bits of own vertices */
    uint64_t *fresh;   /* … of those found in this round */
    uint64_t *front;   /* bits of own and remote vertices: the frontier */
    uint32_t depth;    /* of what this round finds */
    uint64_t begun;    /* own vertices that this round begins with */
    uint64_t seen;     /* out-edges of the vertices of all levels but 0, of all parts */
} search;

/* ---- One round -------------------------------------------------------------------------------------------------- */

static uint64_t push_from(const search *s, uint64_t u) {
    const hd_turned *t = s->turned;
    for (uint64_t k = t->offsets[u]; k < t->offsets[u + 1]; k++) {
        uint32_t v = t->targets[k];
        if (hd_bit(s->visited, v))
            continue;
        if (!hd_bit_shared(s->fresh, v))
            hd_bit_claim(s->fresh, v);
        if (s->parents)
            hd_lower(&s->parents[v], s->slice->names[u]);
    }
    return hd_turned_degree(t, u);
}

/* Returns the edges walked. */
static uint64_t go_down(search *s) {
    uint64_t walked = 0, words = hd_bitmap_words(s->slice->own + s->slice->remote);
    HD_PARALLEL_FOR(s->ctx,
                    schedule(dynamic, 64) reduction(+ : walked) if (words >= HD_WORTH_THREADS / 8 ||
                                                                    s->rounds.boxes.inbox.count >= HD_WORTH_THREADS))
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t bits = s->front[w]; bits; bits &= bits - 1)
            walked += push_from(s, w * 64 + (uint64_t)__builtin_ctzll(bits));
    return walked;
}

/* Looks along the rows of the unvisited vertices of a word. Rows begin anywhere in memory: all are asked for before the
 * first is read. */
static uint64_t look_up(search *s, uint64_t word) {
    const hd_slice *slice = s->slice;
    uint32_t open[64];
    uint64_t count = 0, walked = 0, bits = ~s->visited[word];
    if (slice->own - word * 64 < 64)
        bits &= (UINT64_C(1) << (slice->own - word * 64)) - 1;
    for (; bits; bits &= bits - 1) {
        uint64_t v = word * 64 + (uint64_t)__builtin_ctzll(bits);
        __builtin_prefetch(&slice->targets[slice->offsets[v]]);
        open[count++] = (uint32_t)v;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t k = slice->offsets[open[i]], end = slice->offsets[open[i] + 1], first = k;
        while (k < end && !hd_bit(s->front, slice->targets[k]))
            k++;
        walked += k - first + (k < end);
        if (k < end) {
            hd_bit_set(s->fresh, open[i]);
            if (s->parents)
                s->parents[open[i]] = slice->names[slice->targets[k]];
        } else if (first == end) {
            hd_bit_set(s->visited, open[i]); /* nothing leads there */
        }
    }
    return walked;
}

static uint64_t go_up(search *s) {
    uint64_t walked = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (s->slice->edges >= HD_WORTH_THREADS))
    for (uint64_t w = 0; w < s->words; w++)
        walked += look_up(s, w);
    return walked;
}

/* Levels and counts of what was found. */
static void settle(search *s, hd_own_round *round) {
    uint64_t found = 0, edges = 0;
    HD_PARALLEL_FOR(s->ctx, schedule(static) reduction(+ : found, edges) if (s->words >= HD_WORTH_THREADS / 8))
    for (uint64_t w = 0; w < s->words; w++) {
        s->visited[w] |= s->fresh[w];
        for (uint64_t bits = s->fresh[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            s->levels[v] = s->depth;
            edges += s->degrees[v];
            found++;
        }
    }
    round->changes = s->begun = found;
    round->sums[0] = edges;
    round->sums[1] = s->slice->edges;
}

/* Own vertices of the frontier are those that were found, remote ones those that others tell of. The last word of own
 * vertices has remote ones in it too. Of the sources nobody was told, so that they are in no inbox. */
static heddle_status exchange(search *s) {
    const hd_inbox *inbox = &s->rounds.boxes.inbox;
    uint64_t own = s->slice->own, whole = own / 64;
    HD_TRY(hd_own_rounds_post(&s->rounds, NULL, s->fresh));
    if (s->depth == 1)
        memset(s->front, 0, hd_bitmap_words(own + s->slice->remote) * sizeof *s->front);
    for (uint64_t i = 0; i < inbox->count; i++)
        s->front[(own + inbox->places[i]) / 64] &= ~(UINT64_C(1) << (own + inbox->places[i]) % 64);
    if (whole)
        memcpy(s->front, s->fresh, whole * sizeof *s->front);
    if (own % 64)
        s->front[whole] = (s->front[whole] & ~((UINT64_C(1) << own % 64) - 1)) | s->fresh[whole];
    HD_TRY(hd_own_rounds_take(&s->rounds));
    for (uint64_t i = 0; i < inbox->count; i++)
        hd_bit_set(s->front, own + inbox->places[i]);
    return HEDDLE_OK;
}

static heddle_status turn(search *s) {
    double start = hd_clock();
    HD_TRY(hd_turned_make(s->ctx, s->slice, s->turned));
    hd_own_rounds_prepared(&s->rounds, hd_clock() - start);
    return HEDDLE_OK;
}

/* `up` is what suits the search as a whole. */
static heddle_status do_round(search *s, bool up, hd_own_round *round) {
    hd_turned *t = s->turned;
    bool put_off = !up && !t->offsets && t->swept < PUT_OFF * s->slice->edges;
    if (!up && !put_off)
        HD_TRY(turn(s));
    up = up || put_off;
    memset(s->fresh, 0, s->words * sizeof *s->fresh);
    round->edges = up ? go_up(s) : go_down(s);
    t->swept += put_off ? round->edges : 0;
    round->direction = up ? HEDDLE_DIRECTION_PULL : HEDDLE_DIRECTION_PUSH;
    round->kernel = up ? "slices, bottom-up" : "slices, top-down";
    settle(s, round);
    HD_TRY(exchange(s));
    return hd_own_rounds_next(&s->rounds, round);
}

/* ---- A search --------------------------------------------------------------------------------------------------- */

static void start(search *s) {
    const hd_slice *slice = s->slice;
    const hd_cpu_setup *setup = &s->rounds.job->setup;
    if (slice->own) {
        memset(s->levels, 0xff, slice->own * sizeof *s->levels);
        if (s->parents)
            memset(s->parents, 0xff, slice->own * sizeof *s->parents);
    }
    for (uint64_t i = 0; i < setup->source_count; i++) {
        uint64_t v = hd_slice_number(slice, setup->sources[i]);
        if (v < slice->own + slice->remote)
            hd_bit_set(s->front, v);
        if (v < slice->own) {
            s->levels[v] = 0;
            hd_bit_set(s->visited, v);
            s->begun++;
        }
    }
}

static heddle_status search_all(search *s) {
    bool up = false;
    uint64_t last = s->rounds.job->setup.source_count;
    start(s);
    for (s->depth = 1; last; s->depth++) {
        hd_own_round round = {.vertices = s->begun};
        HD_TRY(do_round(s, up, &round));
        last = round.changes;
        s->seen += round.sums[0];
        uint64_t unseen = round.sums[1] > s->seen ? round.sums[1] - s->seen : 0;
        up = round.sums[0] > unseen / HD_BFS_ALPHA && round.sums[0] >= HD_FRONTIER_SMALL;
    }
    hd_own_rounds_finish(&s->rounds);
    return HEDDLE_OK;
}

static heddle_status run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                         void *outputs, hd_part_report *report) {
    heddle_context *ctx = link->ctx;
    uint64_t words = hd_bitmap_words(slice->own), all = hd_bitmap_words(slice->own + slice->remote);
    search s = {.ctx = ctx,
                .slice = slice,
                .turned = job->turned,
                .degrees = degrees,
                .levels = outputs,
                .parents = job->parents,
                .words = words};
    heddle_status status;
    HD_CHECK(HD_NEW_ZERO(ctx, &s.visited, words, "visited vertices"));
    HD_CHECK(HD_NEW_ZERO(ctx, &s.fresh, words, "frontier"));
    HD_CHECK(HD_NEW_ZERO(ctx, &s.front, all, "frontier"));
    HD_CHECK(hd_own_rounds_begin(&s.rounds, link, slice, job, 0, report));
    HD_CHECK(search_all(&s));
out:
    status = hd_own_rounds_free(&s.rounds, status);
    HD_DELETE(&ctx->allocator, s.visited, words);
    HD_DELETE(&ctx->allocator, s.fresh, words);
    HD_DELETE(&ctx->allocator, s.front, all);
    return status;
}

const hd_part_own hd_bfs_part = {.run = run, .parents = true, .direction = true};
