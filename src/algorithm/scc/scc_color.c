/* scc_color.c - many strongly connected components at once, by colours (Orzan, 2004).
 *
 * Every vertex takes the smallest of its own number and those of all vertices that reach it. A vertex that keeps its
 * own is the smallest of its component, and the component is what reaches it within its colour. This finds at least the
 * components that nothing smaller reaches. In the worst case it finds little for much work, so its work is limited; the
 * caller solves the rest by another algorithm.
 */
#include "algorithm/scc/scc.h"
#include "base/parallel.h"
#include "graph/rows.h"

enum { SHARE = 1 << 12 };

typedef struct coloring {
    hd_scc *scc;
    uint32_t *color;    /* scratch */
    uint32_t *round_of; /* scratch: the last round in which a vertex is or was in the worklist */
    uint32_t round;
    heddle_vertex *now; /* the worklist of this round; its rows begin at starts[] */
    uint64_t count;
    uint64_t *starts;
} coloring;

/* Lowers the colour of `to`; true if that puts it into the next round's worklist. */
static inline bool lower(coloring *c, heddle_vertex from, heddle_vertex to) {
    uint32_t color = hd_load(&c->color[from]), old = hd_load(&c->color[to]);
    if (old <= color || !hd_scc_together(c->scc, from, to))
        return false;
    while (!hd_compare_swap(&c->color[to], &old, color))
        if (old <= color)
            return false;
    uint32_t due = hd_load(&c->round_of[to]);
    return due <= c->round && hd_compare_swap(&c->round_of[to], &due, c->round + 1);
}

static void spread_share(coloring *c, uint64_t from, uint64_t to, hd_finds *next) {
    const heddle_adjacency *out = &c->scc->out;
    for (uint64_t i = hd_row_at(c->starts, c->count, from); i < c->count && c->starts[i] + i < to; i++) {
        heddle_vertex v = c->now[i];
        const heddle_vertex *row = out->targets + out->offsets[v];
        uint64_t k = hd_row_begin(c->starts, i, from) - c->starts[i], end = hd_row_end(c->starts, i, to) - c->starts[i];
        for (; k < end; k++)
            if (lower(c, v, row[k]) && hd_finds_push(next, row[k]))
                hd_finds_flush(next);
    }
}

static uint64_t measure_rows(coloring *c) {
    const heddle_adjacency *out = &c->scc->out;
    HD_PARALLEL_FOR(c->scc->ctx, if (c->count > SHARE) schedule(static))
    for (uint64_t i = 0; i < c->count; i++)
        c->starts[i] = out->offsets[c->now[i] + 1] - out->offsets[c->now[i]];
    return hd_prefix_sum(c->scc->ctx, c->starts, c->count);
}

/* One round; swaps the two worklists. */
static void spread(coloring *c, uint64_t arcs) {
    hd_flood *flood = &c->scc->flood;
    uint64_t work = arcs + c->count;
    hd_flood_start(flood, 0);
    HD_PARALLEL(c->scc->ctx, if (work > SHARE)) {
        hd_finds next;
        hd_finds_begin(&next, &flood->frontier);
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t from = 0; from < work; from += SHARE)
            if (!hd_advance(c->scc->ctx, SHARE))
                spread_share(c, from, work - from < SHARE ? work : from + SHARE, &next);
        hd_finds_flush(&next);
    }
    heddle_vertex *done = c->now;
    c->now = flood->frontier.items;
    c->count = flood->frontier.tail;
    flood->frontier.items = done;
    flood->walked += arcs;
    hd_flood_record(flood, work - arcs, HEDDLE_DIRECTION_PUSH, "colour");
    c->round++;
}

static bool same_color(void *self, heddle_vertex to, heddle_vertex from) {
    coloring *c = self;
    return c->color[from] == c->color[to] && hd_scc_together(c->scc, to, from) &&
           hd_scc_decide(c->scc, from, c->color[to]);
}

/* Decides each vertex that kept its own colour, with the vertices of that colour that reach it. */
static heddle_status decide_colors(coloring *c) {
    hd_scc *scc = c->scc;
    uint64_t count = 0;
    for (uint64_t i = 0; i < scc->rest_count; i++)
        if (c->color[scc->rest[i]] == scc->rest[i]) {
            hd_scc_decide(scc, scc->rest[i], scc->rest[i]);
            scc->flood.frontier.items[count++] = scc->rest[i];
        }
    hd_flood_start(&scc->flood, count);
    scc->flood.name = "of one colour";
    HD_TRY(hd_flood_run(&scc->flood, c, NULL, same_color));
    return hd_scc_shrink_rest(scc);
}

/* Colours the rest. Stops without a decision after *work arcs; subtracts the arcs visited from *work. */
static heddle_status color_once(coloring *c, uint64_t *work) {
    hd_scc *scc = c->scc;
    c->round = 0;
    c->count = scc->rest_count;
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t i = 0; i < scc->rest_count; i++) {
        c->now[i] = c->color[scc->rest[i]] = scc->rest[i];
        c->round_of[scc->rest[i]] = 0;
    }
    while (c->count > 0) {
        uint64_t arcs = measure_rows(c);
        HD_TRY(hd_cancelled_status(scc->ctx));
        if (arcs + c->count > *work) {
            *work = 0;
            return HEDDLE_OK;
        }
        *work -= arcs + c->count;
        spread(c, arcs);
    }
    return decide_colors(c);
}

heddle_status hd_scc_color(hd_scc *scc, uint64_t work) {
    uint64_t room = scc->rest_count;
    coloring c = {.scc = scc, .color = scc->scratch[0], .round_of = scc->scratch[1]};
    heddle_status status;
    HD_CHECK(HD_NEW(scc->ctx, &c.now, scc->vertices, "coloured vertices"));
    HD_CHECK(HD_NEW(scc->ctx, &c.starts, room + 1, "row starts"));
    while (scc->rest_count > 0 && work > 0) {
        HD_CHECK(hd_scc_trim(scc));
        HD_CHECK(color_once(&c, &work));
    }
out:
    HD_DELETE(&scc->ctx->allocator, c.now, scc->vertices);
    HD_DELETE(&scc->ctx->allocator, c.starts, room + 1);
    return status;
}
