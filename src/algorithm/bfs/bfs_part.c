/* bfs_part.c - breadth-first search that changes direction, on one of several parts.
 *
 * Bottom-up, every part first sends each other one which of the vertices that it reads are in the frontier: a bitmap or
 * a list of their places, whichever is smaller, without values, as the level is that of the round. Then own unvisited
 * vertices look for an in-neighbour in the frontier, own or remote.
 *
 * Top-down there are two ways. On an undirected graph the rows of own vertices are their out-edges: the own vertices of
 * the frontier look along them, and remote ends are sent to their owners, each once in a search. On a directed graph
 * a slice has in-edges alone: parts send the frontier as they do bottom-up, and all its vertices look along the
 * slice's transpose (slice_transpose.h). Making it takes longer than a few rounds over all edges, so it is postponed
 * until a search has spent that much without it: on graphs of small diameter, never.
 *
 * Rows ascend by vertex of the graph: bottom-up, the first parent found is the smallest.
 */
#include "algorithm/bfs/bfs_part.h"

#include "engine/parts/own_rounds.h"
#include "operator/levels_search.h"

typedef struct search {
    hd_own_rounds rounds;
    heddle_context *ctx;
    const hd_slice *slice;
    hd_slice_transpose *transposed;
    const uint32_t *degrees; /* out-edges of own vertices */
    uint32_t *levels, *parents;
    uint64_t words;    /* of a bitmap of own vertices */
    uint64_t *visited; /* bits of own vertices */
    uint64_t *fresh;   /* bits of own vertices found in this round */
    uint64_t *front;   /* bits of own and remote vertices: the frontier */
    bool symmetric;    /* the graph is undirected; else there are no candidates */
    hd_slice owners;   /* the slice as a part sees it that writes to owners what it read of them */
    hd_boxes candidates;
    uint64_t *sent;              /* bits of remote vertices: already sent to their owners */
    uint64_t *pending;           /* bits of remote vertices sent in this round */
    uint32_t *candidate_parents; /* their candidate parents, the smallest; NULL: parents are not requested */
    uint32_t depth;              /* of what this round finds */
    uint64_t begun;              /* own vertices that this round begins with */
    uint64_t seen;               /* out-edges of the vertices of all levels but 0, of all parts */
} search;

/* ---- One round -------------------------------------------------------------------------------------------------- */

/* Own vertex v has a neighbour in the frontier. */
static inline void reach(const search *s, uint64_t v, uint32_t parent) {
    if (hd_bit(s->visited, v))
        return;
    if (!hd_bit_shared(s->fresh, v))
        hd_bit_claim(s->fresh, v);
    if (s->parents)
        hd_lower(&s->parents[v], parent);
}

/* Remote vertex v has a neighbour in the frontier. */
static inline void propose(const search *s, uint64_t v, uint32_t parent) {
    if (hd_bit(s->sent, v))
        return;
    if (!hd_bit_shared(s->pending, v))
        hd_bit_claim(s->pending, v);
    if (s->candidate_parents)
        hd_lower(&s->candidate_parents[v], parent);
}

static uint64_t push_transposed(const search *s, uint64_t u) {
    const hd_slice_transpose *t = s->transposed;
    for (uint64_t k = t->offsets[u]; k < t->offsets[u + 1]; k++)
        reach(s, t->targets[k], s->slice->names[u]);
    return hd_slice_transpose_degree(t, u);
}

static uint64_t push_row(const search *s, uint64_t u) {
    const hd_slice *slice = s->slice;
    for (uint64_t k = slice->offsets[u]; k < slice->offsets[u + 1]; k++)
        if (slice->targets[k] < slice->own)
            reach(s, slice->targets[k], slice->names[u]);
        else
            propose(s, slice->targets[k] - slice->own, slice->names[u]);
    return slice->offsets[u + 1] - slice->offsets[u];
}

/* The frontier's vertices below `vertices`; returns the edges walked. */
static uint64_t go_down(search *s, uint64_t vertices, uint64_t (*push)(const search *s, uint64_t u)) {
    uint64_t walked = 0, words = hd_bitmap_words(vertices);
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (words >= HD_WORTH_THREADS / 8))
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t bits = s->front[w]; bits; bits &= bits - 1) {
            uint64_t u = w * 64 + (uint64_t)__builtin_ctzll(bits);
            walked += u < vertices ? push(s, u) : 0;
        }
    return walked;
}

/* Candidates go to the owners, and theirs come here. */
static heddle_status exchange_candidates(search *s) {
    const hd_inbox *inbox = &s->candidates.inbox;
    uint64_t words = hd_bitmap_words(s->slice->remote);
    double start = hd_clock();
    HD_TRY(hd_boxes_settle(&s->rounds.boxes));
    HD_TRY(hd_boxes_post(&s->candidates, s->candidate_parents, s->pending));
    for (uint64_t w = 0; w < words; w++)
        s->sent[w] |= s->pending[w];
    HD_TRY(hd_boxes_take(&s->candidates));
    for (uint64_t i = 0; i < inbox->count; i++) {
        uint32_t parent = UINT32_MAX;
        if (s->parents)
            memcpy(&parent, inbox->values + i * sizeof parent, sizeof parent);
        reach(s, s->slice->boundary[inbox->places[i]], parent);
    }
    hd_own_rounds_sent(&s->rounds, s->candidates.bytes, s->candidates.useful, hd_clock() - start);
    return HEDDLE_OK;
}

static heddle_status go_down_rows(search *s, uint64_t *walked) {
    memset(s->pending, 0, hd_bitmap_words(s->slice->remote) * sizeof *s->pending);
    *walked = go_down(s, s->slice->own, push_row);
    return exchange_candidates(s);
}

/* Looks along the rows of the unvisited vertices of a word. Rows begin anywhere in memory: all are requested before the
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

/* The frontier of this round is what the last one found. The last word of own vertices has remote ones in it too. */
static void advance_own(search *s) {
    uint64_t own = s->slice->own, whole = own / 64;
    if (whole)
        memcpy(s->front, s->fresh, whole * sizeof *s->front);
    if (own % 64)
        s->front[whole] = (s->front[whole] & ~((UINT64_C(1) << own % 64) - 1)) | s->fresh[whole];
}

/* Remote vertices of the frontier are those that other parts send. */
static heddle_status advance_remote(search *s) {
    const hd_inbox *inbox = &s->rounds.boxes.inbox;
    uint64_t own = s->slice->own;
    if (s->symmetric)
        HD_TRY(hd_boxes_settle(&s->candidates));
    HD_TRY(hd_own_rounds_post(&s->rounds, NULL, s->fresh));
    for (uint64_t i = 0; i < inbox->count; i++)
        s->front[(own + inbox->places[i]) / 64] &= ~(UINT64_C(1) << (own + inbox->places[i]) % 64);
    HD_TRY(hd_own_rounds_take(&s->rounds));
    for (uint64_t i = 0; i < inbox->count; i++) {
        hd_bit_set(s->front, own + inbox->places[i]);
        if (s->sent)
            hd_bit_set(s->sent, inbox->places[i]);
    }
    return HEDDLE_OK;
}

/* The first round begins with the sources, which all parts know, and which are not sent. */
static heddle_status advance(search *s, bool remote) {
    if (s->depth == 1)
        return HEDDLE_OK;
    if (s->depth == 2)
        memset(s->front, 0, hd_bitmap_words(s->slice->own + s->slice->remote) * sizeof *s->front);
    advance_own(s);
    return remote ? advance_remote(s) : HEDDLE_OK;
}

/* Top-down on a directed graph, or bottom-up for want of transposed edges: `up` says which. */
static heddle_status go_down_transposed(search *s, bool *up, uint64_t *walked) {
    hd_slice_transpose *t = s->transposed;
    HD_TRY(hd_own_rounds_turn(&s->rounds, up));
    *walked = *up ? go_up(s) : go_down(s, s->slice->own + s->slice->remote, push_transposed);
    t->swept += *up ? *walked : 0;
    return HEDDLE_OK;
}

/* `up` is what suits the search as a whole. */
static heddle_status do_round(search *s, bool up, hd_own_round *round) {
    HD_TRY(advance(s, up || !s->symmetric));
    memset(s->fresh, 0, s->words * sizeof *s->fresh);
    if (up)
        round->edges = go_up(s);
    else
        HD_TRY(s->symmetric ? go_down_rows(s, &round->edges) : go_down_transposed(s, &up, &round->edges));
    round->direction = up ? HEDDLE_DIRECTION_PULL : HEDDLE_DIRECTION_PUSH;
    round->kernel = up ? "slices, bottom-up" : "slices, top-down";
    settle(s, round);
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

static heddle_status open_offers(search *s, hd_link *link) {
    uint64_t words = hd_bitmap_words(s->slice->remote);
    HD_TRY(hd_slice_owners(s->ctx, s->slice, &s->owners));
    HD_TRY(HD_NEW_ZERO(s->ctx, &s->sent, words, "frontier"));
    HD_TRY(HD_NEW(s->ctx, &s->pending, words, "frontier"));
    if (s->parents)
        HD_TRY(HD_NEW(s->ctx, &s->candidate_parents, s->slice->remote, "parents"));
    if (s->candidate_parents)
        memset(s->candidate_parents, 0xff, s->slice->remote * sizeof *s->candidate_parents);
    return hd_boxes_new(link, &s->owners, &hd_exchange_vr, s->parents ? sizeof *s->candidate_parents : 0,
                        &s->candidates);
}

static heddle_status close_offers(search *s, heddle_status status) {
    uint64_t words = hd_bitmap_words(s->slice->remote);
    status = hd_boxes_free(&s->candidates, status);
    HD_DELETE(&s->ctx->allocator, s->sent, words);
    HD_DELETE(&s->ctx->allocator, s->pending, words);
    HD_DELETE(&s->ctx->allocator, s->candidate_parents, s->slice->remote);
    hd_slice_owners_free(s->ctx, &s->owners);
    return status;
}

static heddle_status run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                         void *outputs, hd_part_report *report);
static const hd_part_own directed = {.run = run, .parents = true, .direction = true},
                         undirected = {.run = run, .parents = true, .direction = true};

static heddle_status run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                         void *outputs, hd_part_report *report) {
    heddle_context *ctx = link->ctx;
    uint64_t words = hd_bitmap_words(slice->own), all = hd_bitmap_words(slice->own + slice->remote);
    search s = {.ctx = ctx,
                .slice = slice,
                .transposed = job->transposed,
                .degrees = degrees,
                .levels = outputs,
                .parents = job->parents,
                .words = words,
                .symmetric = job->setup.own == &undirected};
    heddle_status status;
    HD_CHECK(HD_NEW_ZERO(ctx, &s.visited, words, "visited vertices"));
    HD_CHECK(HD_NEW_ZERO(ctx, &s.fresh, words, "frontier"));
    HD_CHECK(HD_NEW_ZERO(ctx, &s.front, all, "frontier"));
    if (s.symmetric)
        HD_CHECK(open_offers(&s, link));
    HD_CHECK(hd_own_rounds_begin(&s.rounds, link, slice, job, 0, report));
    HD_CHECK(search_all(&s));
out:
    status = close_offers(&s, status);
    status = hd_own_rounds_free(&s.rounds, status);
    HD_DELETE(&ctx->allocator, s.visited, words);
    HD_DELETE(&ctx->allocator, s.fresh, words);
    HD_DELETE(&ctx->allocator, s.front, all);
    return status;
}

const hd_part_own *hd_bfs_part_of(const heddle_graph *graph) { return graph->directed ? &directed : &undirected; }
