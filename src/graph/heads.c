/* heads.c - see heads.h. */
#include "graph/heads.h"

#include "base/parallel.h"

enum { LOOK_AT = 64, TABLE = 3 /* words for HD_HEADS_TOGETHER vertices */, MANY = 3 /* edges: all heads */ };

static uint64_t groups_of(uint64_t count) { return (count + HD_HEADS_TOGETHER - 1) / HD_HEADS_TOGETHER; }

/* The two bits of a row. */
static uint32_t code_of(const uint64_t *offsets, uint64_t v) {
    uint64_t length = offsets[v + 1] - offsets[v];
    return length < MANY ? (uint32_t)length : MANY;
}

static uint32_t heads_of(uint32_t code, uint32_t each) { return code < MANY && code < each ? code : each; }

void hd_heads_count(heddle_context *ctx, const uint64_t *offsets, uint64_t count, uint64_t counts[HD_MOST_HEADS + 1]) {
    uint64_t one = 0, two = 0, many = 0;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(+ : one, two, many) if (count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < count; v++) {
        uint32_t code = code_of(offsets, v);
        one += code == 1;
        two += code == 2;
        many += code == MANY;
    }
    for (uint32_t each = 0; each <= HD_MOST_HEADS; each++)
        counts[each] =
            groups_of(count) * TABLE + one * heads_of(1, each) + two * heads_of(2, each) + many * heads_of(MANY, each);
}

/* The bits of a group of vertices; returns the number of their heads. */
static uint32_t note_group(const uint64_t *offsets, uint64_t first, uint64_t end, uint32_t each, uint32_t *entry) {
    uint32_t heads = 0;
    entry[1] = entry[2] = 0;
    for (uint64_t v = first; v < end; v++) {
        uint32_t code = code_of(offsets, v);
        entry[1] |= (code & 1) << (v - first);
        entry[2] |= (code >> 1) << (v - first);
        heads += heads_of(code, each);
    }
    return heads;
}

static void make_table(heddle_context *ctx, const uint64_t *offsets, uint64_t count, uint32_t each, uint32_t *words) {
    uint64_t groups = groups_of(count), at = groups * TABLE;
    HD_PARALLEL_FOR(ctx, schedule(static) if (count >= HD_WORTH_THREADS))
    for (uint64_t g = 0; g < groups; g++) {
        uint64_t first = g * HD_HEADS_TOGETHER, end = first + HD_HEADS_TOGETHER;
        words[g * TABLE] = note_group(offsets, first, end < count ? end : count, each, &words[g * TABLE]);
    }
    for (uint64_t g = 0; g < groups; g++) {
        uint32_t heads = words[g * TABLE];
        words[g * TABLE] = (uint32_t)at;
        at += heads;
    }
}

static void copy_row(const uint32_t *row, uint64_t length, uint32_t heads, uint32_t *to) {
    for (uint64_t i = 0; i < heads; i++)
        to[i] = row[i < length ? i : length - 1];
}

/* Rows ascend: of equal degrees the first seen has the smaller vertex. */
static void pick_largest(const uint32_t *row, uint64_t length, const uint64_t *degrees, uint32_t each,
                         uint32_t *heads) {
    uint64_t best[HD_MOST_HEADS] = {0};
    uint32_t count = 0;
    for (uint64_t i = 0; i < length; i++) {
        uint64_t degree = degrees[row[i] + 1] - degrees[row[i]];
        uint32_t at = count < each ? count++ : each - 1;
        if (i >= each && degree <= best[each - 1])
            continue;
        for (; at && degree > best[at - 1]; at--) {
            best[at] = best[at - 1];
            heads[at] = heads[at - 1];
        }
        best[at] = degree;
        heads[at] = row[i];
    }
}

void hd_heads_find(heddle_context *ctx, const heddle_adjacency *rows, const uint64_t *degrees, uint64_t count,
                   uint32_t each, uint32_t *words) {
    make_table(ctx, rows->offsets, count, each, words);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 128) if (count >= HD_WORTH_THREADS))
    for (uint64_t g = 0; g < groups_of(count); g++) {
        uint64_t first = g * HD_HEADS_TOGETHER, end = first + HD_HEADS_TOGETHER;
        uint32_t *to = words + words[g * TABLE];
        for (uint64_t v = first; v < (end < count ? end : count); v++) {
            const uint32_t *row = rows->targets + rows->offsets[v];
            uint64_t length = rows->offsets[v + 1] - rows->offsets[v];
            uint32_t heads = heads_of(code_of(rows->offsets, v), each);
            if (length <= each)
                copy_row(row, length, heads, to);
            else
                pick_largest(row, length < LOOK_AT ? length : LOOK_AT, degrees, each, to);
            to += heads;
        }
    }
}
