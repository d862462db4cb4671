/* walk_step.h - a step of a random walk: the same text for the CPU, for kernels and, as far as it defines which random
 * words are drawn, for the reference. The includer defines u32, u64, hd_offset, GLOBAL and INLINE.
 *
 * Random numbers are counter-based: word k of a walk's stream is a function of the seed, the vertex where the walk
 * begins, its number among the walks from there, and k. Everything is whole numbers, so that all devices agree.
 *
 * Weights of a row are given as `sums`: for each arc the share of the row's weight up to and with it, in units of
 * 2^-63. A step of node2vec (Grover and Leskovec, 2016) draws a neighbour by weight, and takes it with a probability
 * that depends on the vertex before: `back` for that vertex itself, `near` for one to which that has an arc, `far` for
 * others, in units of 2^-31, the largest being 1. After many refusals the probabilities of the whole row are summed
 * up instead, which gives the same distribution.
 */
#ifndef HD_ENGINE_WALK_STEP_H
#define HD_ENGINE_WALK_STEP_H

#define WALK_NONE 0xffffffffu
#define WALK_TRIES 64
#define WALK_SURE 0x80000000u

INLINE u64 walk_mix(u64 word) {
    word ^= word >> 30;
    word *= 0xbf58476d1ce4e5b9ul;
    word ^= word >> 27;
    word *= 0x94d049bb133111ebul;
    return word ^ (word >> 31);
}

INLINE u64 walk_word(u64 stream, u64 k) { return walk_mix(stream + 0x9e3779b97f4a7c15ul * (k + 1)); }

INLINE u64 walk_stream(u64 seed, u32 start, u64 number) { return walk_mix(walk_word(seed, start) ^ walk_mix(~number)); }

/* Uniform in 0 .. bound-1: the upper word of the product. */
INLINE u64 walk_below(u64 word, u64 bound) {
    u64 a = word >> 32, b = word & 0xffffffffu, c = bound >> 32, d = bound & 0xffffffffu;
    u64 middle = (b * d >> 32) + (b * c & 0xffffffffu) + (a * d & 0xffffffffu);
    return a * c + (b * c >> 32) + (a * d >> 32) + (middle >> 32);
}

/* The first of ascending entries [begin, end) that is above the word; end: none is. */
INLINE u64 walk_above(GLOBAL const u64 *sums, u64 begin, u64 end, u64 word) {
    while (begin < end) {
        u64 middle = begin + (end - begin) / 2;
        if (sums[middle] > word)
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/* Whether v has an arc to w. */
INLINE int walk_joined(GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, u32 v, u32 w) {
    u64 begin = offsets[v], end = offsets[v + 1], last = end;
    while (begin < end) {
        u64 middle = begin + (end - begin) / 2;
        if (targets[middle] < w)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < last && targets[begin] == w;
}

/* Inputs of all steps of all walks. */
typedef struct walk_rules {
    u64 seed;
    u32 weighted, second; /* sums count; the vertex before does */
    u32 back, near, far;
} walk_rules;

INLINE u64 walk_pick(walk_rules rules, GLOBAL const u64 *sums, u64 begin, u64 end, u64 word) {
    return rules.weighted ? walk_above(sums, begin, end, word >> 1) : begin + walk_below(word, end - begin);
}

INLINE u64 walk_chance(walk_rules rules, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets, u32 before,
                       u32 next) {
    return next == before ? rules.back : walk_joined(offsets, targets, before, next) ? rules.near : rules.far;
}

/* The share of an arc, for the sum over a row: rounded up to at least 1 where it has any weight. */
INLINE u64 walk_share(walk_rules rules, GLOBAL const u64 *sums, u64 begin, u64 e) {
    u64 all = rules.weighted ? sums[e] - (e > begin ? sums[e - 1] : 0) : 1;
    return rules.weighted && all ? (all >> 32 ? all >> 32 : 1) : all;
}

INLINE u32 walk_from_row(walk_rules rules, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets,
                         GLOBAL const u64 *sums, u32 before, u64 begin, u64 end, u64 word) {
    u64 all = 0, e;
    for (e = begin; e < end; e++)
        all += walk_share(rules, sums, begin, e) * walk_chance(rules, offsets, targets, before, targets[e]);
    word = walk_below(word, all);
    for (e = begin; e < end; e++) {
        u64 own = walk_share(rules, sums, begin, e) * walk_chance(rules, offsets, targets, before, targets[e]);
        if (word < own)
            break;
        word -= own;
    }
    return targets[e];
}

/* The next vertex; WALK_NONE: there is none. `before` is WALK_NONE at the beginning; *drawn counts the words. */
INLINE u32 walk_next(walk_rules rules, GLOBAL const hd_offset *offsets, GLOBAL const u32 *targets,
                     GLOBAL const u64 *sums, u32 before, u32 at, u64 stream, u64 *drawn) {
    u64 begin = offsets[at], end = offsets[at + 1];
    if (begin == end || (rules.weighted && !sums[end - 1]))
        return WALK_NONE;
    if (!rules.second || before == WALK_NONE)
        return targets[walk_pick(rules, sums, begin, end, walk_word(stream, (*drawn)++))];
    for (u32 tries = 0; tries < WALK_TRIES; tries++) {
        u32 next = targets[walk_pick(rules, sums, begin, end, walk_word(stream, *drawn))];
        u64 chance = walk_chance(rules, offsets, targets, before, next), word = walk_word(stream, *drawn + 1) >> 33;
        *drawn += 2;
        if (word < chance)
            return next;
    }
    return walk_from_row(rules, offsets, targets, sums, before, begin, end, walk_word(stream, (*drawn)++));
}

#endif
