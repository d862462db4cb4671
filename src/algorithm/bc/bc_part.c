/* bc_part.c - betweenness centrality on one of several parts: the passes of brandes.h, one source after the other, on
 * which all parts work together.
 *
 * Forward, a part has the edges into its own vertices. It sums the path counts of in-neighbours, own and remote, and
 * sends what it finds, with the counts, to the parts that read it. Candidates are all unvisited vertices (bottom-up),
 * or those that edges of the last level lead to (top-down), by the slice's rows reversed. Backward, a part has the
 * edges out of its own vertices, which on a directed graph are a slice of their own; the vertices of a level send their
 * shares to the parts that read them there. So both passes are sums over whole rows, in a fixed order, and a level
 * costs one exchange each way.
 *
 * Counts of a level are divided by a power of two that all parts agree on when the round ends (brandes.h).
 */
#include "algorithm/bc/bc_part.h"

#include "algorithm/algorithm.h"
#include "algorithm/bc/brandes.h"
#include "base/float_bits.h"
#include "base/memory.h"
#include "engine/bc_sources.h"
#include "engine/cpu/bitmap.h"
#include "engine/parts/own_rounds.h"
#include "engine/parts/run_own.h"
#include "engine/spread.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 64 /* room for so many at first */ };

typedef struct bc_part {
    hd_part_own own;
    hd_sources sources;
} bc_part;

typedef struct level {
    uint64_t begin; /* its own vertices in `order` */
    int exponent;   /* of the power of two that its counts were divided by */
} level;

typedef struct search {
    hd_own_rounds rounds;
    heddle_context *ctx;
    const hd_slice *slice, *back; /* edges into own vertices, and out of them */
    hd_boxes shares;              /* of `back`, where that is another slice */
    hd_slice_transpose *transposed;
    const uint32_t *degrees; /* out-edges of own vertices */
    double *total;           /* of own vertices: the sums over all sources */
    double *sigma;           /* own and remote vertices of `slice`; 0: in no level yet */
    double *share;           /* own and remote vertices of `back`; 0: not reached backward yet */
    double *sums;            /* own vertices: of this level, until it is complete */
    uint64_t words;          /* of a bitmap of own vertices */
    uint64_t *visited;       /* own vertices */
    uint64_t *fresh;         /* own vertices of this level */
    uint32_t *order;         /* own vertices that were reached, level by level */
    level *levels;
    uint64_t level_count, level_room;
    const uint32_t *front; /* the remote vertices of the last level: numbers among the remote ones */
    uint64_t front_count;
    uint32_t first;  /* room for the first of them */
    uint64_t edges;  /* out-edges of the last level, of all parts */
    uint64_t unseen; /* in-edges of vertices that are in no level yet, of all parts */
} search;

/* ---- Levels ----------------------------------------------------------------------------------------------------- */

static uint64_t reached(const search *s) { return s->levels[s->level_count].begin; }

/* Closes the level whose vertices have been appended to `order`. */
static heddle_status add_level(search *s, uint64_t vertices, int exponent) {
    uint64_t begin = reached(s);
    if (s->level_count + 2 > s->level_room) {
        size_t old = s->level_room * sizeof *s->levels;
        level *more = hd_resize(&s->ctx->allocator, s->levels, old, 2 * old);
        if (!more)
            return hd_fail_memory(s->ctx, 2 * old, "levels");
        s->levels = more;
        s->level_room *= 2;
    }
    s->levels[s->level_count++].exponent = exponent;
    s->levels[s->level_count] = (level){.begin = begin + vertices};
    return HEDDLE_OK;
}

/* ---- Forward ---------------------------------------------------------------------------------------------------- */

static uint64_t mark_from(search *s, uint64_t u) {
    const hd_slice_transpose *t = s->transposed;
    for (uint64_t k = t->offsets[u]; k < t->offsets[u + 1]; k++)
        if (!hd_bit(s->visited, t->targets[k]) && !hd_bit_shared(s->fresh, t->targets[k]))
            hd_bit_claim(s->fresh, t->targets[k]);
    return hd_slice_transpose_degree(t, u);
}

/* Own vertices that edges of the last level lead to. Returns the edges walked. */
static uint64_t mark_next(search *s) {
    uint64_t walked = 0, from = s->levels[s->level_count - 1].begin, to = reached(s);
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (s->edges >= HD_WORTH_THREADS))
    for (uint64_t i = from; i < to; i++)
        walked += mark_from(s, s->order[i]);
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (s->edges >= HD_WORTH_THREADS))
    for (uint64_t i = 0; i < s->front_count; i++)
        walked += mark_from(s, s->slice->own + s->front[i]);
    return walked;
}

/* Numbers that a pass over a level gathers. Counts are above 0: their bits are in their order. */
typedef struct survey {
    uint64_t found, walked, out_edges, in_edges, least, most;
} survey;

/* The candidates of a word; those with a way in stay in `fresh`. */
static void count_word(search *s, uint64_t word, bool up, survey *all) {
    const hd_slice *slice = s->slice;
    const heddle_adjacency rows = {.offsets = slice->offsets, .targets = slice->targets};
    uint64_t open = up ? ~s->visited[word] : s->fresh[word], hit = 0;
    if (slice->own - word * 64 < 64)
        open &= (UINT64_C(1) << (slice->own - word * 64)) - 1;
    for (; open; open &= open - 1) {
        uint64_t v = word * 64 + (uint64_t)__builtin_ctzll(open), length = hd_row_length(&rows, v);
        double sum = hd_whole_row_sum(&rows, v, s->sigma);
        all->walked += length;
        if (!(sum > 0))
            continue;
        hit |= open & -open;
        s->sums[v] = sum;
        all->found++;
        all->out_edges += s->degrees[v];
        all->in_edges += length;
        all->least = hd_bits_of_double(sum) < all->least ? hd_bits_of_double(sum) : all->least;
        all->most = hd_bits_of_double(sum) > all->most ? hd_bits_of_double(sum) : all->most;
    }
    s->fresh[word] = hit;
}

static survey count_next(search *s, bool up) {
    survey all = {.least = UINT64_MAX};
    HD_PARALLEL(s->ctx, if ((up ? s->slice->edges : s->edges) >= HD_WORTH_THREADS)) {
        survey mine = {.least = UINT64_MAX};
        uint64_t parts = (uint64_t)hd_threads_here() * 16;
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t p = 0; p < parts; p++)
            for (uint64_t w = hd_split(s->words, parts, p); w < hd_split(s->words, parts, p + 1); w++)
                if (up || s->fresh[w])
                    count_word(s, w, up, &mine);
        HD_CRITICAL {
            all.found += mine.found;
            all.walked += mine.walked;
            all.out_edges += mine.out_edges;
            all.in_edges += mine.in_edges;
            all.least = mine.least < all.least ? mine.least : all.least;
            all.most = mine.most > all.most ? mine.most : all.most;
        }
    }
    return all;
}

/* Counts of the level become visible, own and remote ones, divided as all agreed. */
static heddle_status commit_level(search *s, uint64_t found, int exponent) {
    const hd_inbox *inbox = &s->rounds.boxes.inbox;
    double factor = ldexp(1, -exponent), *remote = s->sigma + s->slice->own;
    uint64_t at = reached(s);
    for (uint64_t w = 0; w < s->words; w++) {
        s->visited[w] |= s->fresh[w];
        for (uint64_t bits = s->fresh[w]; bits; bits &= bits - 1) {
            uint64_t v = w * 64 + (uint64_t)__builtin_ctzll(bits);
            s->sigma[v] = s->sums[v] * factor;
            s->order[at++] = (uint32_t)v;
        }
    }
    for (uint64_t i = 0; i < inbox->count; i++) {
        double value;
        memcpy(&value, inbox->values + i * sizeof value, sizeof value);
        remote[inbox->places[i]] = value * factor;
    }
    s->front = inbox->places;
    s->front_count = inbox->count;
    return add_level(s, found, exponent);
}

static bool rises(const search *s) {
    uint64_t n = s->rounds.job->vertices;
    return s->edges > s->unseen / HD_BRANDES_UP && s->edges > n / HD_BRANDES_PER_EDGE;
}

/* Finds the next level; *found: its vertices, of all parts. */
static heddle_status go_forward(search *s, uint64_t *found) {
    hd_slice_transpose *t = s->transposed;
    hd_own_round round = {.vertices = reached(s) - s->levels[s->level_count - 1].begin};
    bool up = rises(s), put_off = false;
    int exponent = 0;
    if (!up)
        HD_TRY(hd_own_rounds_turn(&s->rounds, &put_off));
    up = up || put_off;
    memset(s->fresh, 0, s->words * sizeof *s->fresh);
    uint64_t marked = up ? 0 : mark_next(s);
    survey seen = count_next(s, up);
    t->swept += put_off ? seen.walked : 0;
    round.edges = marked + seen.walked;
    round.changes = seen.found;
    round.sums[0] = seen.out_edges;
    round.sums[1] = seen.in_edges;
    round.least = seen.least;
    round.most = seen.most;
    round.direction = up ? HEDDLE_DIRECTION_PULL : HEDDLE_DIRECTION_PUSH;
    round.kernel = up ? "slices, counts, bottom-up" : "slices, counts, top-down";
    HD_TRY(hd_own_rounds_post(&s->rounds, s->sums, s->fresh));
    HD_TRY(hd_own_rounds_take(&s->rounds));
    HD_TRY(hd_own_rounds_next(&s->rounds, &round));
    *found = round.changes;
    if (!*found)
        return HEDDLE_OK;
    if (!hd_brandes_exponent(hd_double_of(round.least), hd_double_of(round.most), &exponent))
        return hd_fail(s->ctx, HEDDLE_E_LIMIT,
                       "bc: numbers of shortest paths of one level differ by more than double precision can hold; use "
                       "one process, without parts, instead");
    s->edges = round.sums[0];
    s->unseen -= round.sums[1];
    return commit_level(s, seen.found, exponent);
}

/* ---- Backward --------------------------------------------------------------------------------------------------- */

/* Dependencies of the own vertices of a level. Returns the edges walked. */
static uint64_t depend(search *s, const level *l, bool last) {
    const heddle_adjacency rows = {.offsets = s->back->offsets, .targets = s->back->targets};
    uint64_t walked = 0, from = l[0].begin, to = l[1].begin;
    HD_PARALLEL_FOR(s->ctx, schedule(dynamic, 64) reduction(+ : walked) if (to - from >= HD_WORTH_THREADS / 16))
    for (uint64_t i = from; i < to; i++) {
        uint64_t v = s->order[i];
        s->sums[v] = last ? 0 : s->sigma[v] * hd_whole_row_sum(&rows, v, s->share);
        s->total[v] += s->sums[v];
        walked += last ? 0 : hd_row_length(&rows, v);
    }
    return walked;
}

/* Values that the level before needs: the counts are those before the level was divided. */
static heddle_status tell_shares(search *s, const level *l) {
    bool same = s->back == s->slice;
    hd_boxes *boxes = same ? &s->rounds.boxes : &s->shares;
    double factor = ldexp(1, l->exponent), *remote = s->share + s->back->own, start = hd_clock();
    memset(s->fresh, 0, s->words * sizeof *s->fresh);
    for (uint64_t i = l[0].begin; i < l[1].begin; i++) {
        uint64_t v = s->order[i];
        s->share[v] = (1 + s->sums[v]) / (s->sigma[v] * factor);
        hd_bit_set(s->fresh, v);
    }
    HD_TRY(hd_boxes_post(boxes, s->share, s->fresh));
    HD_TRY(hd_boxes_take(boxes));
    for (uint64_t i = 0; i < boxes->inbox.count; i++)
        memcpy(&remote[boxes->inbox.places[i]], boxes->inbox.values + i * sizeof *remote, sizeof *remote);
    hd_own_rounds_sent(&s->rounds, boxes->bytes, boxes->useful, hd_clock() - start);
    return HEDDLE_OK;
}

/* No part needs the shares of the first level behind the source, and the source has no dependency of its own. */
static heddle_status go_backward(search *s) {
    if (s->back != s->slice)
        HD_TRY(hd_boxes_settle(&s->rounds.boxes));
    for (uint64_t k = s->level_count; k-- > 1;) {
        const level *l = &s->levels[k];
        hd_own_round round = {.vertices = l[1].begin - l[0].begin,
                              .direction = HEDDLE_DIRECTION_PULL,
                              .kernel = "slices, dependencies"};
        round.changes = round.vertices;
        round.edges = depend(s, l, k + 1 == s->level_count);
        if (k > 1)
            HD_TRY(tell_shares(s, l));
        HD_TRY(hd_own_rounds_next(&s->rounds, &round));
    }
    return s->back != s->slice ? hd_boxes_settle(&s->shares) : HEDDLE_OK;
}

/* ---- One source ------------------------------------------------------------------------------------------------- */

static heddle_status start(search *s, heddle_vertex source) {
    const hd_slice *slice = s->slice;
    uint64_t v = hd_slice_number(slice, source), own = v < slice->own;
    memset(s->sigma, 0, (slice->own + slice->remote) * sizeof *s->sigma);
    memset(s->share, 0, (s->back->own + s->back->remote) * sizeof *s->share);
    memset(s->visited, 0, s->words * sizeof *s->visited);
    s->level_count = 0;
    s->levels[0].begin = s->front_count = 0;
    uint64_t known[2] = {own ? s->degrees[v] : 0, slice->edges};
    if (own) {
        s->order[0] = (uint32_t)v;
        hd_bit_set(s->visited, v);
        known[1] -= slice->offsets[v + 1] - slice->offsets[v];
    } else if (v < slice->own + slice->remote) {
        s->first = (uint32_t)(v - slice->own);
        s->front = &s->first;
        s->front_count = 1;
    }
    if (v < slice->own + slice->remote)
        s->sigma[v] = 1;
    HD_TRY(s->rounds.link->reduce(s->rounds.link, HD_LINK_SUM, known, 2));
    s->edges = known[0];
    s->unseen = known[1];
    return add_level(s, own, 0);
}

static heddle_status search_all(search *s, const hd_sources *sources) {
    for (uint64_t i = 0; i < sources->count; i++) {
        uint64_t found = 1;
        HD_TRY(start(s, hd_source_at(sources, i)));
        while (found)
            HD_TRY(go_forward(s, &found));
        HD_TRY(go_backward(s));
    }
    for (uint64_t v = 0; v < s->slice->own; v++)
        s->total[v] *= sources->scale;
    hd_own_rounds_finish(&s->rounds);
    return HEDDLE_OK;
}

static heddle_status allocate(search *s) {
    heddle_context *ctx = s->ctx;
    uint64_t own = s->slice->own;
    HD_TRY(HD_NEW(ctx, &s->sigma, own + s->slice->remote, "path counts"));
    HD_TRY(HD_NEW(ctx, &s->share, own + s->back->remote, "dependencies"));
    HD_TRY(HD_NEW(ctx, &s->sums, own, "path counts"));
    HD_TRY(HD_NEW(ctx, &s->visited, s->words, "visited vertices"));
    HD_TRY(HD_NEW(ctx, &s->fresh, s->words, "frontier"));
    HD_TRY(HD_NEW(ctx, &s->order, own + 1, "search order"));
    s->level_room = LEVELS;
    return HD_NEW(ctx, &s->levels, s->level_room, "levels");
}

static void release(search *s) {
    const heddle_allocator *allocator = &s->ctx->allocator;
    uint64_t own = s->slice->own;
    HD_DELETE(allocator, s->sigma, own + s->slice->remote);
    HD_DELETE(allocator, s->share, own + s->back->remote);
    HD_DELETE(allocator, s->sums, own);
    HD_DELETE(allocator, s->visited, s->words);
    HD_DELETE(allocator, s->fresh, s->words);
    HD_DELETE(allocator, s->order, own + 1);
    HD_DELETE(allocator, s->levels, s->level_room);
}

static heddle_status run_part(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                              void *outputs, hd_part_report *report) {
    const bc_part *how = (const bc_part *)job->setup.own;
    search s = {.ctx = link->ctx,
                .slice = slice,
                .back = job->back,
                .transposed = job->transposed,
                .degrees = degrees,
                .total = outputs,
                .words = hd_bitmap_words(slice->own)};
    heddle_status status;
    HD_CHECK(allocate(&s));
    if (slice->own)
        memset(s.total, 0, slice->own * sizeof *s.total);
    HD_CHECK(hd_own_rounds_begin(&s.rounds, link, slice, job, sizeof(double), report));
    if (s.back != slice)
        HD_CHECK(hd_boxes_new(link, s.back, &hd_exchange_vr, sizeof(double), &s.shares));
    HD_CHECK(search_all(&s, &how->sources));
out:
    status = hd_boxes_free(&s.shares, status);
    status = hd_own_rounds_free(&s.rounds, status);
    release(&s);
    return status;
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

static double largest(const heddle_result *result) {
    const double *values = result->values;
    double most = 0;
    for (uint64_t v = 0; values && v < result->count; v++)
        most = values[v] > most ? values[v] : most;
    return most;
}

heddle_status hd_bc_in_parts(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    heddle_result *result = run->result;
    bc_part part = {.own = {.run = run_part, .direction = true, .apart = true}};
    heddle_status status;
    HD_CHECK(hd_sources_of(ctx, run->graph, &run->options, &part.sources));
    HD_CHECK(hd_parts_run_own(run, HEDDLE_VALUE_F64, false, &part.own));
    double most = largest(result);
    hd_spread_join_real(ctx, result, HD_LINK_MAX, &most, 1);
    hd_result_figure(result, "max", most);
    hd_result_sources(result, part.sources.count);
    if (run->options.precision == HEDDLE_PRECISION_SINGLE)
        status = hd_result_to_single(ctx, result);
out:
    hd_sources_free(ctx, run->graph, &part.sources);
    return status;
}
