/* scc_reach.c - all vertices reachable from a vertex.
 *
 * While few vertices have been reached, a flood fill follows the arcs (push). Once the frontier is large, most arcs
 * would lead to reached vertices. Then unreached vertices look for a reached neighbour along their reverse arcs, and
 * stop at the first (pull). Such a sweep also sees its own finds, so few sweeps are needed. The flood fill continues
 * from the finds of the last sweep: every vertex has already seen what was reached before it.
 */
#include "algorithm/scc/scc.h"
#include "base/parallel.h"

enum { WIDE = 8, SHARE = 1024 };

/* A pull step pays if the frontier has at least 1/WIDE of the unreached vertices, and is not small. */
static uint64_t wide(uint64_t unreached) { return unreached / WIDE + HD_FLOOD_WIDE; }

static bool take_over(void *self, heddle_vertex from, heddle_vertex to) {
    hd_scc *scc = self;
    uint8_t expected = scc->from;
    (void)from;
    return hd_load(&scc->state[to]) == expected && hd_compare_swap(&scc->state[to], &expected, scc->to);
}

static inline bool looks_back(const hd_scc *scc, const heddle_vertex *target, const heddle_vertex *end) {
    for (; target < end; target++)
        if (hd_load(&scc->state[*target]) == scc->to)
            return true;
    return false;
}

static void find(hd_scc *scc, hd_finds *finds, heddle_vertex v) {
    hd_store(&scc->state[v], scc->to);
    if (hd_finds_push(finds, v))
        hd_finds_flush(finds);
}

/* Entries i .. end-1 of `rest`. Long rows are set aside. Returns how many of them were unreached before the sweep. */
static uint64_t sweep_share(hd_scc *scc, int back, uint64_t i, uint64_t end, hd_finds *finds) {
    const heddle_adjacency *rows = &scc->flood.sides[back];
    uint64_t unreached = 0, walked = 0;
    for (; i < end; i++) {
        heddle_vertex v = scc->rest[i];
        if (hd_load(&scc->state[v]) != scc->from)
            continue;
        uint64_t e = rows->offsets[v], last = rows->offsets[v + 1];
        if (last - e >= HD_FLOOD_LONG)
            scc->flood.long_rows[hd_fetch_add(&scc->flood.long_count, UINT64_C(1))] = v;
        else if (looks_back(scc, rows->targets + e, rows->targets + last))
            find(scc, finds, v);
        walked += last - e;
        unreached++;
    }
    hd_fetch_add(&scc->flood.walked, walked);
    return unreached;
}

/* A long row, by all threads. */
static void sweep_long_row(hd_scc *scc, int back, heddle_vertex v) {
    const heddle_adjacency *rows = &scc->flood.sides[back];
    int found = 0;
    HD_PARALLEL_FOR(scc->ctx, schedule(dynamic, 1) reduction(| : found))
    for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e += HD_FLOOD_PIECE) {
        uint64_t last = rows->offsets[v + 1], end = last - e < HD_FLOOD_PIECE ? last : e + HD_FLOOD_PIECE;
        if (!found)
            found |= looks_back(scc, rows->targets + e, rows->targets + end);
    }
    hd_finds finds;
    hd_finds_begin(&finds, &scc->flood.frontier);
    if (found)
        find(scc, &finds, v);
    hd_finds_flush(&finds);
}

/* Puts the new vertices into the frontier, and counts those that are still unreached. */
static heddle_status sweep(hd_scc *scc, int back, uint64_t *left) {
    uint64_t unreached = 0;
    hd_flood_start(&scc->flood, 0);
    scc->flood.long_count = 0;
    HD_PARALLEL(scc->ctx, reduction(+ : unreached)) {
        hd_finds finds;
        hd_finds_begin(&finds, &scc->flood.frontier);
        HD_FOR(schedule(dynamic, 1))
        for (uint64_t i = 0; i < scc->rest_count; i += SHARE) {
            uint64_t end = scc->rest_count - i < SHARE ? scc->rest_count : i + SHARE;
            if (!hd_advance(scc->ctx, SHARE))
                unreached += sweep_share(scc, back, i, end, &finds);
        }
        hd_finds_flush(&finds);
    }
    for (uint64_t i = 0; i < scc->flood.long_count && !hd_cancelled(scc->ctx); i++)
        sweep_long_row(scc, back, (heddle_vertex)scc->flood.long_rows[i]);
    *left = unreached - scc->flood.frontier.tail;
    hd_flood_record(&scc->flood, unreached, HEDDLE_DIRECTION_PULL, "sweep");
    hd_flood_start(&scc->flood, scc->flood.frontier.tail);
    return hd_cancelled_status(scc->ctx);
}

heddle_status hd_scc_reach(hd_scc *scc, int side, heddle_vertex pivot, uint8_t from, uint8_t to) {
    hd_frontier *frontier = &scc->flood.frontier;
    uint64_t unreached = scc->rest_count / 4; /* a low estimate, so that the first pull step comes early */
    scc->from = from;
    scc->to = to;
    scc->state[pivot] = to;
    frontier->items[0] = pivot;
    hd_flood_start(&scc->flood, 1);
    scc->flood.name = side == HD_FLOOD_OUT ? "forward" : "backward";
    do {
        scc->flood.most = wide(unreached);
        if (side == HD_FLOOD_OUT)
            HD_TRY(hd_flood_run(&scc->flood, scc, take_over, NULL));
        else
            HD_TRY(hd_flood_run(&scc->flood, scc, NULL, take_over));
        while (frontier->end - frontier->begin >= wide(unreached))
            HD_TRY(sweep(scc, 1 - side, &unreached));
    } while (frontier->end > frontier->begin);
    return HEDDLE_OK;
}
