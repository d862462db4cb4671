/* pairs.c - estimates from a sample how many edges symmetrising will drop.
 *
 * A hash of the unordered pair of end points decides whether an edge is in the sample, so it holds all edges between
 * two vertices, in both directions, or none. The share of the sample that a build would keep estimates the size of the
 * result before a single arc is placed.
 */
#include "graph/pairs.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 256, WANTED = 1 << 15 };

uint64_t hd_pairs_limit(uint64_t work) {
    int halvings = 0;
    while (work >> halvings > WANTED)
        halvings++;
    return UINT64_MAX >> halvings;
}

bool hd_pairs_add(heddle_context *ctx, hd_pairs *pairs, uint64_t mark) {
    if (pairs->count == pairs->room) {
        uint64_t room = pairs->room ? pairs->room * 2 : FIRST_ROOM;
        uint64_t *marks = hd_alloc(&ctx->allocator, room * sizeof *marks);
        if (!marks)
            return false;
        for (uint64_t i = 0; i < pairs->count; i++)
            marks[i] = pairs->marks[i];
        HD_DELETE(&ctx->allocator, pairs->marks, pairs->room);
        pairs->marks = marks;
        pairs->room = room;
    }
    pairs->marks[pairs->count++] = mark;
    return true;
}

void hd_pairs_free(heddle_context *ctx, hd_pairs *pairs) {
    HD_DELETE(&ctx->allocator, pairs->marks, pairs->room);
    *pairs = (hd_pairs){.marks = NULL};
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

double hd_pairs_kept(hd_pairs *pairs, bool parallel) {
    uint64_t kept = 0, *marks = pairs->marks;
    if (pairs->count == 0)
        return 1;
    qsort(marks, pairs->count, sizeof *marks, by_value);
    for (uint64_t i = 0, end; i < pairs->count; i = end) {
        uint64_t there = 0, back = 0;
        for (end = i; end < pairs->count && marks[end] >> 1 == marks[i] >> 1; end++)
            *(marks[end] & 1 ? &back : &there) += 1;
        kept += !parallel ? 1 : there > back ? there : back;
    }
    return (double)kept / (double)pairs->count;
}
