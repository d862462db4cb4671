/* brandes_backward.c - from the last level to the first: dependencies and shares. */
#include "algorithm/bc/brandes.h"

#include "engine/cpu/bitmap.h"

#include <math.h>
#include <string.h>

enum {
    TAKE = 64, /* vertices taken at a time */
    AHEAD = 32,
    NARROW_EDGES = 4 /* mean degree if levels are many and small */
};

uint64_t hd_brandes_begin(const hd_brandes *b, uint64_t end) {
    uint64_t word = (end - 1) / 64, bits = b->starts[word] << (63 - (end - 1) % 64);
    if (bits)
        return end - 1 - (uint64_t)__builtin_clzll(bits);
    do
        word--;
    while (!b->starts[word]);
    return word * 64 + 63 - (uint64_t)__builtin_clzll(b->starts[word]);
}

/* The vertices of a level are scattered: prefetches what the next ones need. */
static inline __attribute__((always_inline)) void look_ahead(const hd_brandes *b, uint64_t place) {
    heddle_vertex v = b->order[place + AHEAD / 2];
    __builtin_prefetch(&b->out.offsets[b->order[place + AHEAD]]);
    __builtin_prefetch(&b->out.targets[b->out.offsets[v]]);
    __builtin_prefetch(&b->share[v], 1);
    if (b->total)
        __builtin_prefetch(&b->total[v], 1);
}

static void sum_share(hd_brandes *b, uint64_t end, bool shared) {
    uint64_t from, to;
    while (hd_brandes_take(b, TAKE, end, &from, &to) && !hd_cancelled(b->ctx))
        for (; from < to; from++) {
            heddle_vertex v = b->order[from];
            if (from + AHEAD < end)
                look_ahead(b, from);
            if (shared && hd_row_length(&b->out, v) > HD_BRANDES_BIG)
                hd_brandes_defer(b, v, from);
            else
                b->delta[from] = b->counts[from] * hd_whole_row_sum(&b->out, v, b->share);
        }
}

/* Computes the shares of positions from .. to, whose dependencies are complete. Uses the counts before the level was
 * divided by `factor`, as the level before it does. */
static void commit(hd_brandes *b, uint64_t from, uint64_t to, double factor) {
    for (uint64_t i = from; i < to; i++) {
        heddle_vertex v = b->order[i];
        b->share[v] = (1 + b->delta[i]) / (b->counts[i] * factor);
        if (b->total)
            b->total[v] += b->delta[i];
    }
}

/* Level begin .. end: the part of one thread of a team, or, alone, all of it. There is nothing behind the last
 * level. */
static void do_level(hd_brandes *b, uint64_t begin, uint64_t end, double factor, bool team) {
    uint64_t parts = team ? (uint64_t)hd_threads_here() : 1, part = team ? (uint64_t)hd_thread() : 0;
    uint64_t from = begin + hd_split(end - begin, parts, part), to = begin + hd_split(end - begin, parts, part + 1);
    if (end == b->reached)
        memset(b->delta + from, 0, (to - from) * sizeof *b->delta);
    else
        sum_share(b, end, team);
    if (team) {
        HD_BARRIER
    }
    if (b->big_count == 0)
        commit(b, from, to, factor);
}

/* The rows set aside, then the shares that depend on them. */
static void do_big(hd_brandes *b, uint64_t begin, uint64_t end, double factor) {
    hd_brandes_sum_big(b, &b->out, b->share);
    for (uint64_t k = 0; k < b->big_count; k++)
        b->delta[b->big_place[k]] = b->counts[b->big_place[k]] * b->parts[k];
    HD_PARALLEL(b->ctx) {
        uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread(), size = end - begin;
        commit(b, begin + hd_split(size, parts, part), begin + hd_split(size, parts, part + 1), factor);
    }
}

void hd_brandes_backward(hd_brandes *b) {
    uint64_t end = b->reached;
    while (end > 1 && !hd_brandes_advance(b, 0)) {
        uint64_t begin = hd_brandes_begin(b, end);
        double word = b->delta[begin], factor = ldexp(1, hd_level_exponent(word));
        if (!hd_level_wide(word) && hd_brandes_narrow_pays(b, NARROW_EDGES * (end - begin))) {
            end = hd_brandes_narrow_backward(b, end);
            continue;
        }
        b->cursor = begin;
        b->big_count = 0;
        if (b->team && hd_level_large(word)) {
            HD_PARALLEL(b->ctx)
            do_level(b, begin, end, factor, true);
        } else {
            do_level(b, begin, end, factor, false);
        }
        if (b->big_count)
            do_big(b, begin, end, factor);
        end = begin;
    }
    b->delta[0] = 0;
}
