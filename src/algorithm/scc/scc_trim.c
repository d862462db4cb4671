/* scc_trim.c - components of one vertex, by peeling.
 *
 * A vertex without in-arcs, or without out-arcs, is a component by itself. Removing it may leave neighbours without
 * any: a flood fill follows the arcs of removed vertices and decrements the neighbours' counts. Linear in the arcs
 * removed, for chains of any length. Self loops do not count.
 */
#include "algorithm/scc/scc.h"
#include "base/parallel.h"
#include "graph/rows.h"

enum { SHARE = 1 << 14, SHORT_ROW = 256, MANY = INT32_MAX };

/* scratch: numbers of arcs from and to undecided vertices of the class; MANY means that or more, and is not
 * decremented */
static inline uint32_t *enter_left(hd_scc *scc) { return scc->scratch[HD_FLOOD_IN]; }
static inline uint32_t *leave_left(hd_scc *scc) { return scc->scratch[HD_FLOOD_OUT]; }

static inline bool count_down(hd_scc *scc, uint32_t *left, heddle_vertex v) {
    if (hd_load(&left[v]) >= MANY || hd_fetch_add(&left[v], UINT32_MAX) != 1)
        return false;
    return hd_scc_decide(scc, v, v);
}

static bool free_target(void *self, heddle_vertex from, heddle_vertex to) {
    hd_scc *scc = self;
    return from != to && hd_scc_together(scc, from, to) && count_down(scc, enter_left(scc), to);
}

static bool free_source(void *self, heddle_vertex to, heddle_vertex from) {
    hd_scc *scc = self;
    return from != to && hd_scc_together(scc, to, from) && count_down(scc, leave_left(scc), from);
}

/* ---- Counting ------------------------------------------------------------------------------------------------ */

/* How often v occurs in its own row, which is ascending. */
static uint32_t loops_of(const heddle_adjacency *side, heddle_vertex v) {
    uint64_t low = side->offsets[v], high = side->offsets[v + 1];
    uint32_t loops = 0;
    while (high - low > SHORT_ROW) {
        uint64_t middle = low + (high - low) / 2;
        if (side->targets[middle] < v)
            low = middle + 1;
        else if (side->targets[middle] > v)
            high = middle;
        else
            break;
    }
    for (uint64_t e = low; e < high; e++)
        loops += side->targets[e] == v;
    return loops;
}

static inline uint32_t degree(const heddle_adjacency *side, heddle_vertex v) {
    uint64_t arcs = side->offsets[v + 1] - side->offsets[v];
    return arcs < MANY ? (uint32_t)arcs : MANY;
}

/* At first all vertices are undecided and in one class. */
static heddle_status count_all(hd_scc *scc) {
    HD_PARALLEL_FOR(scc->ctx, if (scc->vertices >= HD_WORTH_THREADS) schedule(dynamic, 1))
    for (uint64_t from = 0; from < scc->vertices; from += SHARE) {
        uint64_t to = scc->vertices - from < SHARE ? scc->vertices : from + SHARE;
        for (uint64_t i = from; i < to && !(i == from && hd_advance(scc->ctx, to - from)); i++) {
            heddle_vertex v = (heddle_vertex)i;
            uint32_t leave = degree(&scc->out, v), enter = degree(&scc->in, v);
            uint32_t loops = leave && enter ? loops_of(&scc->out, v) : 0;
            leave_left(scc)[v] = leave < MANY ? leave - loops : MANY;
            enter_left(scc)[v] = enter < MANY ? enter - loops : MANY;
        }
    }
    return hd_cancelled_status(scc->ctx);
}

/* Counts the arcs of units from .. to-1 of the rest's rows, which begin at starts[]. */
static void count_share(hd_scc *scc, int side, const uint64_t *starts, uint64_t from, uint64_t to) {
    const heddle_adjacency *rows = &scc->flood.sides[side];
    for (uint64_t i = hd_row_at(starts, scc->rest_count, from); i < scc->rest_count && starts[i] + i < to; i++) {
        heddle_vertex v = scc->rest[i];
        const heddle_vertex *row = rows->targets + rows->offsets[v];
        uint64_t k = hd_row_begin(starts, i, from) - starts[i], end = hd_row_end(starts, i, to) - starts[i];
        uint32_t count = 0;
        for (; k < end; k++)
            count += (row[k] != v) & hd_scc_together(scc, v, row[k]);
        if (degree(rows, v) < MANY)
            hd_fetch_add(&scc->scratch[side][v], count);
    }
}

static heddle_status count_side(hd_scc *scc, int side, uint64_t *starts) {
    HD_PARALLEL_FOR(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS) schedule(static))
    for (uint64_t i = 0; i < scc->rest_count; i++) {
        heddle_vertex v = scc->rest[i];
        starts[i] = scc->flood.sides[side].offsets[v + 1] - scc->flood.sides[side].offsets[v];
        scc->scratch[side][v] = starts[i] < MANY ? 0 : MANY;
    }
    uint64_t work = hd_prefix_sum(scc->ctx, starts, scc->rest_count) + scc->rest_count;
    HD_PARALLEL_FOR(scc->ctx, if (work > SHARE) schedule(dynamic, 1))
    for (uint64_t from = 0; from < work; from += SHARE)
        if (!hd_advance(scc->ctx, SHARE))
            count_share(scc, side, starts, from, work - from < SHARE ? work : from + SHARE);
    return hd_cancelled_status(scc->ctx);
}

static heddle_status count_rest(hd_scc *scc) {
    uint64_t *starts;
    HD_TRY(HD_NEW(scc->ctx, &starts, scc->rest_count + 1, "row starts"));
    heddle_status status = count_side(scc, HD_FLOOD_OUT, starts);
    if (status == HEDDLE_OK)
        status = count_side(scc, HD_FLOOD_IN, starts);
    HD_DELETE(&scc->ctx->allocator, starts, scc->rest_count + 1);
    return status;
}

/* ---- Peeling ------------------------------------------------------------------------------------------------- */

static void decide_free(hd_scc *scc) {
    hd_flood_start(&scc->flood, 0);
    HD_PARALLEL(scc->ctx, if (scc->rest_count >= HD_WORTH_THREADS)) {
        hd_finds finds;
        hd_finds_begin(&finds, &scc->flood.frontier);
        HD_FOR(schedule(static))
        for (uint64_t i = 0; i < scc->rest_count; i++) {
            heddle_vertex v = scc->rest[i];
            if (enter_left(scc)[v] > 0 && leave_left(scc)[v] > 0)
                continue;
            hd_scc_decide(scc, v, v);
            if (hd_finds_push(&finds, v))
                hd_finds_flush(&finds);
        }
        hd_finds_flush(&finds);
    }
    hd_flood_start(&scc->flood, scc->flood.frontier.tail);
}

heddle_status hd_scc_trim(hd_scc *scc) {
    HD_TRY(scc->classes == 1 && scc->rest_count == scc->vertices ? count_all(scc) : count_rest(scc));
    decide_free(scc);
    scc->flood.name = "trim";
    HD_TRY(hd_flood_run(&scc->flood, scc, free_target, free_source));
    return hd_scc_shrink_rest(scc);
}
