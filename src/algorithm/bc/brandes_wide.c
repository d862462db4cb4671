/* brandes_wide.c - the same dependencies with path counts of unlimited range: sequential, textbook Brandes.
 *
 * A count is sigma * 2^(512 * exponent) with 1 <= sigma < 2^512. Only graphs such as grids of more than a thousand
 * vertices a side need this: some vertex of a level has 2^1800 times as many paths as another.
 */
#include "algorithm/bc/brandes.h"

#include "base/memory.h"
#include "engine/cpu/bitmap.h"

#include <math.h>

enum { DIGIT = 512 };

static void add_count(hd_brandes *b, heddle_vertex to, heddle_vertex from) {
    if (b->sigma[to] == 0) { /* and no exponent yet */
        b->sigma[to] = b->sigma[from];
        b->exponents[to] = b->exponents[from];
        return;
    }
    int32_t gap = b->exponents[from] - b->exponents[to];
    if (gap > 0) {
        b->sigma[to] = ldexp(b->sigma[to], -DIGIT * gap) + b->sigma[from];
        b->exponents[to] = b->exponents[from];
    } else {
        b->sigma[to] += gap ? ldexp(b->sigma[from], DIGIT * gap) : b->sigma[from];
    }
    if (b->sigma[to] >= 0x1p512) {
        b->sigma[to] *= 0x1p-512;
        b->exponents[to]++;
    }
}

/* Parallel edges are adjacent in a row: all but the first are skipped. */
static bool repeated(const hd_brandes *b, heddle_vertex v, uint64_t e) {
    return e > b->out.offsets[v] && b->out.targets[e] == b->out.targets[e - 1];
}

static void search(hd_brandes *b, heddle_vertex source) {
    b->order[0] = source;
    b->reached = 1;
    b->sigma[source] = 1;
    b->exponents[source] = 0;
    b->depths[source] = 0;
    hd_bit_set(b->seen, source);
    for (uint64_t i = 0; i < b->reached && !(i % 1024 == 0 && hd_advance(b->ctx, 1024)); i++) {
        heddle_vertex v = b->order[i];
        for (uint64_t e = b->out.offsets[v]; e < b->out.offsets[v + 1]; e++) {
            heddle_vertex w = b->out.targets[e];
            if (!hd_bit(b->seen, w)) {
                hd_bit_set(b->seen, w);
                b->depths[w] = b->depths[v] + 1;
                b->order[b->reached++] = w;
            }
            if (b->depths[w] == b->depths[v] + 1 && !repeated(b, v, e))
                add_count(b, w, v);
        }
    }
    b->levels = (uint64_t)b->depths[b->order[b->reached - 1]] + 1;
}

/* Here `share` holds dependencies by vertex. */
static double dependency(const hd_brandes *b, heddle_vertex v) {
    double sum = 0;
    for (uint64_t e = b->out.offsets[v]; e < b->out.offsets[v + 1]; e++) {
        heddle_vertex w = b->out.targets[e];
        if (b->depths[w] != b->depths[v] + 1 || repeated(b, v, e))
            continue;
        double part = b->sigma[v] / b->sigma[w];
        int32_t gap = b->exponents[v] - b->exponents[w];
        sum += (gap ? ldexp(part, DIGIT * gap) : part) * (1 + b->share[w]);
    }
    return sum;
}

void hd_brandes_wide(hd_brandes *b, heddle_vertex source) {
    const heddle_allocator *allocator = &b->ctx->allocator;
    if (!b->exponents)
        b->exponents = hd_alloc(allocator, b->vertices * sizeof *b->exponents);
    if (!b->depths)
        b->depths = hd_alloc(allocator, b->vertices * sizeof *b->depths);
    b->reached = 0;
    b->failed = !b->exponents || !b->depths;
    if (b->failed)
        return;
    search(b, source);
    for (uint64_t i = b->reached; i-- > 1 && !(i % 1024 == 0 && hd_advance(b->ctx, 1024));) {
        heddle_vertex v = b->order[i];
        b->delta[i] = b->share[v] = dependency(b, v);
        if (b->total)
            b->total[v] += b->delta[i];
    }
    b->delta[0] = 0;
}
