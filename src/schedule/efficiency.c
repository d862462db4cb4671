/* efficiency.c - see efficiency.h. Every schedule groups rows into warps; a warp is a list of segments of edges, each
 * processed by `width` lanes in parallel, and one function simulates them all. */
#include "schedule/efficiency.h"

#include "base/memory.h"
#include "base/parallel.h"

enum { LANES_MOST = 64, BLOCK_ROWS = 1024 };

/* `length` edges from `edge` on, `stride` apart from one step to the next. */
typedef struct segment {
    uint64_t edge, length, stride;
} segment;

static uint64_t offset_of(const hd_row_offsets *rows, uint64_t v) {
    return rows->first[v] + (rows->second ? rows->second[v] : 0);
}

static uint64_t degree_of(const hd_row_offsets *rows, uint64_t v) {
    return offset_of(rows, v + 1) - offset_of(rows, v);
}

static uint64_t parts_of(uint64_t degree, uint32_t K) { return degree / K + (degree % K != 0); }

/* Simulates a warp: each segment by `width` lanes, until the longest is done. Segments are consecutive in memory, so a
 * step's edges ascend with the lanes, and a sector is new if it differs from the previous one. Consumes `list`. */
static void walk(segment *list, uint32_t count, uint32_t width, uint32_t warp, hd_efficiency *sum) {
    for (;;) {
        uint64_t before = UINT64_MAX;
        uint32_t left = 0;
        for (uint32_t i = 0; i < count; i++) {
            segment s = list[i];
            if (s.length == 0)
                continue;
            uint64_t here = s.length < width ? s.length : width;
            uint64_t low = s.edge / HD_SECTOR_WORDS, high = (s.edge + here - 1) / HD_SECTOR_WORDS;
            sum->useful += here;
            sum->sectors += high - low + (low != before);
            before = high;
            list[left++] = (segment){s.edge + s.stride, s.length - here, s.stride};
        }
        if (left == 0)
            return;
        sum->slots += warp;
        count = left;
    }
}

/* ---- Warps of whole rows ---------------------------------------------------------------------------------------- */

hd_efficiency hd_efficiency_rows(heddle_context *ctx, const hd_row_offsets *rows, uint32_t width, uint32_t warp) {
    uint64_t useful = 0, slots = 0, sectors = 0, longest = 0, at_once = warp / width;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 256) reduction(+ : useful, slots, sectors) reduction(max : longest))
    for (uint64_t first = 0; first < rows->vertices; first += at_once) {
        segment list[LANES_MOST];
        hd_efficiency sum = {0};
        uint32_t count = 0;
        for (uint64_t v = first; v < rows->vertices && v < first + at_once; v++)
            list[count++] = (segment){offset_of(rows, v), degree_of(rows, v), width};
        walk(list, count, width, warp, &sum);
        useful += sum.useful, slots += sum.slots, sectors += sum.sectors;
        longest = sum.slots / warp > longest ? sum.slots / warp : longest;
    }
    return (hd_efficiency){useful, slots, sectors, longest};
}

hd_efficiency hd_efficiency_segments(heddle_context *ctx, const hd_row_offsets *rows, uint32_t warp) {
    uint64_t useful = 0, slots = 0, sectors = 0, longest = 0;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 256) reduction(+ : useful, slots, sectors) reduction(max : longest))
    for (uint64_t first = 0; first < rows->vertices; first += warp) {
        uint64_t last = rows->vertices - first < warp ? rows->vertices : first + warp, edge = offset_of(rows, first);
        segment all = {edge, offset_of(rows, last) - edge, warp};
        hd_efficiency sum = {0};
        walk(&all, 1, warp, warp, &sum);
        useful += sum.useful, slots += sum.slots, sectors += sum.sectors;
        longest = sum.slots / warp > longest ? sum.slots / warp : longest;
    }
    return (hd_efficiency){useful, slots, sectors, longest};
}

hd_efficiency hd_efficiency_split(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan) {
    uint64_t useful = 0, slots = 0, sectors = 0, longest = 0;
    uint32_t warp = plan->warp, K = plan->K;
    bool coalesced = plan->coalesced == HD_YES;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 256) reduction(+ : useful, slots, sectors) reduction(max : longest))
    for (uint64_t first = 0; first < rows->vertices; first += warp) {
        segment list[LANES_MOST];
        hd_efficiency sum = {0};
        uint32_t count = 0;
        for (uint64_t v = first; v < rows->vertices && v < first + warp; v++) {
            uint64_t edge = offset_of(rows, v), degree = degree_of(rows, v), parts = parts_of(degree, K);
            for (uint64_t i = 0; i < parts; i++) {
                list[count++] = coalesced ? (segment){edge + i, parts_of(degree - i, (uint32_t)parts), parts}
                                          : (segment){edge + i * K, degree - i * K < K ? degree - i * K : K, 1};
                if (count == warp) {
                    walk(list, count, 1, warp, &sum);
                    count = 0;
                }
            }
        }
        walk(list, count, 1, warp, &sum);
        useful += sum.useful, slots += sum.slots, sectors += sum.sectors;
        longest = sum.slots / warp > longest ? sum.slots / warp : longest;
    }
    return (hd_efficiency){useful, slots, sectors, longest};
}

/* ---- Virtual nodes in an array ---------------------------------------------------------------------------------- */

/* The warps whose first virtual node is one of rows from .. to, of which the first has the number `node`. */
static void walk_block(const hd_row_offsets *rows, const hd_plan *plan, uint64_t from, uint64_t to, uint64_t node,
                       hd_efficiency *sum) {
    segment list[LANES_MOST];
    uint32_t count = 0, warp = plan->warp, K = plan->K;
    for (uint64_t v = from; v < rows->vertices && (v < to || count); v++) {
        uint64_t edge = offset_of(rows, v), degree = degree_of(rows, v), parts = parts_of(degree, K);
        uint64_t i = count || node % warp == 0 ? 0 : warp - node % warp; /* skips nodes of a warp begun before */
        for (i = i < parts ? i : parts; i < parts; i++) {
            if (v >= to && !count)
                return;
            list[count++] = plan->coalesced == HD_YES
                                ? (segment){edge + i, parts_of(degree - i, (uint32_t)parts), parts}
                                : (segment){edge + i * K, degree - i * K < K ? degree - i * K : K, 1};
            if (count == warp) {
                walk(list, count, 1, warp, sum);
                count = 0;
            }
        }
        node += parts;
    }
    walk(list, count, 1, warp, sum);
}

heddle_status hd_efficiency_nodes(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan,
                                  hd_efficiency *sum) {
    uint64_t blocks = rows->vertices / BLOCK_ROWS + 1, *nodes, useful = 0, slots = 0, sectors = 0;
    HD_TRY(HD_NEW(ctx, &nodes, blocks + 1, "virtual nodes"));
    HD_PARALLEL_FOR(ctx, schedule(static))
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t count = 0;
        for (uint64_t v = b * BLOCK_ROWS; v < rows->vertices && v < (b + 1) * BLOCK_ROWS; v++)
            count += parts_of(degree_of(rows, v), plan->K);
        nodes[b] = count;
    }
    hd_prefix_sum(ctx, nodes, blocks);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 4) reduction(+ : useful, slots, sectors))
    for (uint64_t b = 0; b < blocks; b++) {
        hd_efficiency here = {0};
        walk_block(rows, plan, b * BLOCK_ROWS, (b + 1) * BLOCK_ROWS, nodes[b], &here);
        useful += here.useful, slots += here.slots, sectors += here.sectors;
    }
    HD_DELETE(&ctx->allocator, nodes, blocks + 1);
    *sum = (hd_efficiency){useful, slots, sectors, slots ? plan->K : 0};
    return HEDDLE_OK;
}

/* ---- Tiles ------------------------------------------------------------------------------------------------------ */

/* The edge at a place in the sequence of rows and edges, in which every row follows its edges. */
static uint64_t edge_at(const hd_row_offsets *rows, uint64_t place) {
    uint64_t low = 0, high = rows->vertices;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (middle + offset_of(rows, middle) <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return place - low;
}

hd_efficiency hd_efficiency_tiles(heddle_context *ctx, const hd_row_offsets *rows, uint32_t tile, uint32_t warp) {
    uint64_t useful = 0, slots = 0, sectors = 0, longest = 0, all = rows->vertices + offset_of(rows, rows->vertices);
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : useful, slots, sectors) reduction(max : longest))
    for (uint64_t place = 0; place < all; place += tile) {
        uint64_t edge = edge_at(rows, place), end = edge_at(rows, all - place < tile ? all : place + tile);
        segment piece = {edge, end - edge, warp};
        hd_efficiency sum = {0};
        walk(&piece, 1, warp, warp, &sum);
        useful += sum.useful, slots += sum.slots, sectors += sum.sectors;
        longest = sum.slots / warp > longest ? sum.slots / warp : longest;
    }
    return (hd_efficiency){useful, slots, sectors, longest};
}

heddle_status hd_efficiency_of(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                               hd_efficiency *efficiency) {
    return plan->schedule->efficiency(ctx, rows, plan, tile, efficiency);
}

double hd_efficiency_share(const hd_efficiency *efficiency) {
    return efficiency->slots ? (double)efficiency->useful / (double)efficiency->slots : 1;
}
