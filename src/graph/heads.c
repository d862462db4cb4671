/* heads.c - see heads.h. */
#include "graph/heads.h"

#include "base/parallel.h"

enum { LOOK_AT = 64 };

static void copy_row(const uint32_t *row, uint64_t length, uint32_t each, uint32_t *heads) {
    for (uint64_t i = 0; i < each; i++)
        heads[i] = length ? row[i < length ? i : length - 1] : 0;
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
                   uint32_t each, uint32_t *heads) {
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 4096) if (count >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < count; v++) {
        const uint32_t *row = rows->targets + rows->offsets[v];
        uint64_t length = rows->offsets[v + 1] - rows->offsets[v];
        if (length <= each)
            copy_row(row, length, each, heads + v * each);
        else
            pick_largest(row, length < LOOK_AT ? length : LOOK_AT, degrees, each, heads + v * each);
    }
}
