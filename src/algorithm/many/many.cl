/* many.cl - up to 32 breadth-first searches at once, side by side in the bits of a word.
 * Idea: multi-source BFS (Then et al.: The More the Merrier, VLDB 2015): one look at an edge serves all searches, and
 * the levels of all advance together. Beats one search after the other (bench/notes, Many sources on CUDA).
 *
 * A depth has entries: vertices, each with the searches that reach it there. `masks` holds the same by vertex, three in
 * turn: that of depth d is read, that of d + 1 made, that of d - 1 cleared. A step to depth d + 1 has two halves with a
 * barrier between: many_down (top-down, from the entries) or many_rise (bottom-up, from vertices that some search has
 * not visited) set bits in its mask and list what they set; many_settle makes entries of the list. Entries of all
 * depths are appended to one array. A vertex of more than MANY_SHORT edges also has units, one for each MANY_PART
 * edges. */

#include "algorithm/many/many_state.h"

#define MANY_ARGUMENTS                                                                                                \
    u32 n, u32 shift, u32 full, u32 from, u32 to, GLOBAL const hd_offset *out_offsets, GLOBAL const u32 *out_targets, \
        GLOBAL const hd_offset *in_offsets, GLOBAL const u32 *in_targets, GLOBAL const u32 *source, GLOBAL u32 *seen, \
        GLOBAL u32 *masks, GLOBAL u32 *list, GLOBAL u32 *entries, GLOBAL u32 *units, GLOBAL u32 *starts,              \
        GLOBAL u32 *pairs, GLOBAL u32 *words

typedef struct many_job {
    u32 n;
    u32 shift; /* every vertex has 1 << shift places, one for each search */
    u32 full;  /* mask of all searches */
    GLOBAL const hd_offset *out_offsets;
    GLOBAL const u32 *out_targets;
    GLOBAL const hd_offset *in_offsets;
    GLOBAL const u32 *in_targets;
    GLOBAL const u32 *source;
    GLOBAL u32 *seen;
    GLOBAL u32 *masks;
    GLOBAL u32 *list;
    GLOBAL u32 *entries; /* pairs: vertex, mask of searches */
    GLOBAL u32 *units;   /* triples: entry, number of the part, index of the row's first part within its depth */
    GLOBAL u32 *starts;  /* triples: where each depth begins in entries, units, pairs */
    GLOBAL u32 *pairs;   /* with MANY_PAIRS: the places of entries without units; otherwise the depth of each place */
    GLOBAL u32 *words;
} many_job;

#define MANY_MAKE_JOB                                                                                            \
    many_job job;                                                                                                \
    job.n = n, job.shift = shift, job.full = full, job.out_offsets = out_offsets, job.out_targets = out_targets; \
    job.in_offsets = in_offsets, job.in_targets = in_targets, job.source = source, job.seen = seen;              \
    job.masks = masks, job.list = list, job.entries = entries, job.units = units, job.starts = starts;           \
    job.pairs = pairs, job.words = words

typedef struct many_share {
    u32 scratch[HD_WARP + 2];
    u32 either;
    u32 rows[HD_WARP];
    u32 bits[HD_WARP];
} many_share;

#define MANY_CROWD 4u /* a vertex with more searches is crowded, as is a warp with more such vertices */

/* True for one lane of the whole launch. */
#define MANY_FIRST (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)

/* Adjacent indices belong to warps of different groups. `ahead` rotates them, so that work of another kind begins with
 * other warps if there is little of it. */
INLINE u64 many_index(u64 ahead) {
    u32 all = (u32)HD_WARP_TOTAL, index = HD_WARP_HERE * (u32)HD_GROUP_TOTAL + (u32)HD_GROUP_INDEX + (u32)ahead;
    return index < all ? index : index - all;
}
INLINE GLOBAL u32 *many_mask(const many_job *job, u32 level) { return job->masks + (u64)(level % 3) * job->n; }
INLINE GLOBAL u32 *many_record(const many_job *job, u32 level) {
    return job->words + MANY_RECORDS + level % 3 * MANY_RECORD;
}
INLINE u32 many_degree(const many_job *job, u32 v) {
    u32 out = (u32)(job->out_offsets[v + 1] - job->out_offsets[v]);
#if MANY_DIRECTED
    u32 in = (u32)(job->in_offsets[v + 1] - job->in_offsets[v]);
    out = out > in ? out : in;
#endif
    return out;
}
INLINE u32 many_parts(u32 degree) { return degree > MANY_SHORT ? (degree + MANY_PART - 1) / MANY_PART : 0; }

/* ---- Choosing the next step ------------------------------------------------------------------------------------- */

typedef struct many_step {
    u32 done;
    u32 up;
    u32 first[3], end[3]; /* the depth's entries, units, pairs */
} many_step;

/* Decides what a step does. One lane of a group calls it and passes it to the others. */
INLINE many_step many_think(const many_job *job, u32 level) {
    u32 over = hd_load32(&job->words[MANY_OVER]);
    many_step step;
    step.first[0] = job->starts[3 * (u64)level], step.end[0] = hd_load32(&job->words[MANY_ENTRIES]);
    step.first[1] = job->starts[3 * (u64)level + 1], step.end[1] = hd_load32(&job->words[MANY_UNITS]);
    step.first[2] = job->starts[3 * (u64)level + 2], step.end[2] = hd_load32(&job->words[MANY_PLACES]);
    step.done = hd_load32(&job->words[MANY_DONE]) || step.first[0] == step.end[0] || (over && over <= level);
    step.up = (f32)hd_load32(&many_record(job, level)[MANY_COST]) * MANY_UP >
              (f32)(hd_load32(&job->words[MANY_ALL]) - hd_load32(&job->words[MANY_SEEN]));
    return step;
}

/* For the second half of a step: the length of the list, the entries whose masks are cleared, the units of the depth
 * before. */
typedef struct many_turn {
    u32 listed, first, end, first_unit, end_unit;
} many_turn;

INLINE many_turn many_think_again(const many_job *job, u32 level) {
    many_turn turn;
    u32 done = hd_load32(&job->words[MANY_DONE]);
    turn.listed = done ? 0 : hd_load32(&many_record(job, level)[MANY_LISTED]);
    turn.first = turn.end = turn.first_unit = turn.end_unit = 0;
    if (level >= 2 && !done)
        turn.first = job->starts[3 * ((u64)level - 2)], turn.end = job->starts[3 * ((u64)level - 1)];
    if (level && !done)
        turn.first_unit = job->starts[3 * ((u64)level - 1) + 1], turn.end_unit = job->starts[3 * (u64)level + 1];
    return turn;
}

/* Stores what later halves need. One lane of the whole launch calls it. */
INLINE void many_note(const many_job *job, const LOCAL many_step *step, u32 level) {
    GLOBAL u32 *record = many_record(job, level + 2);
    if (hd_load32(&job->words[MANY_DONE]))
        return;
    job->words[MANY_LEVEL] = level + !step->done;
    job->words[MANY_DONE] = step->done;
    if (!step->done) {
        for (u32 i = 0; i < 3; i++)
            job->starts[3 * ((u64)level + 1) + i] = step->end[i];
        record[MANY_LISTED] = 0, record[MANY_COST] = 0, record[MANY_PARTS] = 0;
    }
}

/* ---- First half: finding vertices ------------------------------------------------------------------------------- */

/* Sets the bits of `mask` at the targets of edges e, e + stride … below end, at most four. Lists the targets that had
 * no bits yet. */
INLINE void many_mark(const many_job *job, LOCAL many_share *share, u32 level, u32 mask, u64 e, u64 end, u32 stride) {
    GLOBAL u32 *next = many_mask(job, level + 1);
    u32 target[4], known[4], fresh[4], count = 0, place;
    HD_UNROLL
    for (u32 i = 0; i < 4; i++)
        target[i] = hd_constant(&job->out_targets[e + i * stride < end ? e + i * stride : e < end ? e : 0]);
    HD_UNROLL
    for (u32 i = 0; i < 4; i++) /* both loads together, so that their latencies overlap */
        known[i] = job->seen[target[i]] | hd_load32(&next[target[i]]);
    HD_UNROLL
    for (u32 i = 0; i < 4; i++)
        fresh[i] = e + i * stride < end ? mask & ~known[i] : 0;
    HD_UNROLL
    for (u32 i = 0; i < 4; i++)
        count += fresh[i] = fresh[i] && hd_or32(&next[target[i]], fresh[i]) == 0;
    place = hd_space(share->scratch, &many_record(job, level + 1)[MANY_LISTED], count);
    HD_UNROLL
    for (u32 i = 0; i < 4; i++)
        if (fresh[i])
            job->list[place++] = target[i];
}

/* Top-down: entries of short rows, one lane per entry. */
INLINE void many_down(const many_job *job, LOCAL many_share *share, const LOCAL many_step *step, u32 level, u32 on) {
    u64 end = on ? step->end[0] : 0;
    for (u64 base = step->first[0] + many_index(0) * HD_WARP; base < end; base += HD_WARP_TOTAL * HD_WARP) {
        u64 i = base + HD_LANE, first = 0, last = 0;
        u32 mask = 0, most;
        if (i < end) {
            u32 v = job->entries[2 * i];
            mask = job->entries[2 * i + 1];
            first = job->out_offsets[v], last = job->out_offsets[v + 1];
            last = many_parts(many_degree(job, v)) ? first : last;
        }
        most = hd_largest(share->scratch, (u32)(last - first));
        for (u32 k = 0; k < most; k += 4)
            many_mark(job, share, level, mask, first + k, last, 1);
    }
}

/* Top-down: units of long rows, one warp per unit. */
INLINE void many_down_units(const many_job *job, LOCAL many_share *share, const LOCAL many_step *step, u32 level,
                            u32 on) {
    u64 last = on ? step->end[1] : 0;
    for (u64 i = step->first[1] + many_index(0); i < last; i += HD_WARP_TOTAL) {
        u64 entry = job->units[3 * i], begin, end;
        u32 v = job->entries[2 * entry], mask = job->entries[2 * entry + 1];
        begin = job->out_offsets[v] + (u64)job->units[3 * i + 1] * MANY_PART, end = job->out_offsets[v + 1];
        end = begin + MANY_PART < end ? begin + MANY_PART : end;
        for (; begin < end; begin += 4 * HD_WARP)
            many_mark(job, share, level, mask, begin + HD_LANE, end, HD_WARP);
    }
}

/* Bitwise or over the warp. */
INLINE u32 many_either(LOCAL many_share *share, u32 mine) {
    hd_warp_barrier();
    if (HD_LANE == 0)
        share->either = 0;
    hd_warp_barrier();
    if (mine)
        hd_or_local(&share->either, mine);
    hd_warp_barrier();
    return share->either;
}

/* The searches that have reached the in-neighbours: edges e, e + stride … below end, until all `wanted` ones are
 * found. */
INLINE u32 many_gather(const many_job *job, GLOBAL const u32 *front, u32 wanted, u64 e, u64 end, u32 stride) {
    u32 found = 0;
    for (; e < end && (found & wanted) != wanted; e += 4 * stride) {
        u32 target[4], got[4];
        HD_UNROLL
        for (u32 i = 0; i < 4; i++)
            target[i] = hd_constant(&job->in_targets[e + i * stride < end ? e + i * stride : e]);
        HD_UNROLL
        for (u32 i = 0; i < 4; i++)
            got[i] = front[target[i]];
        found |= got[0] | got[1] | got[2] | got[3];
    }
    return found;
}

/* Bottom-up: all vertices that some search has not visited. A lane reads the first MANY_OWN edges of a row, the whole
 * warp the rest. */
INLINE void many_rise(const many_job *job, LOCAL many_share *share, u32 level, u32 on) {
    GLOBAL const u32 *front = many_mask(job, level);
    GLOBAL u32 *next = many_mask(job, level + 1);
    u32 count = on ? job->n : 0;
    for (u64 base = many_index(0) * HD_WARP; base < count; base += HD_WARP_TOTAL * HD_WARP) {
        u64 v = base + HD_LANE, first = 0, last = 0;
        u32 wanted = 0, fresh = 0, rest, place;
        if (v < count) {
            wanted = job->full & ~job->seen[v];
            first = job->in_offsets[v], last = job->in_offsets[v + 1];
        }
        fresh = many_gather(job, front, wanted, first, first + MANY_OWN < last ? first + MANY_OWN : last, 1) & wanted;
        rest = hd_ballot(share->scratch, fresh != wanted && last - first > MANY_OWN);
        while (rest) {
            u32 lane = hd_lowest(rest), w = (u32)base + lane, lacks, more = 0;
            u64 begin = (u64)job->in_offsets[w] + MANY_OWN, end = job->in_offsets[w + 1];
            share->rows[HD_LANE] = wanted & ~fresh;
            hd_warp_barrier();
            lacks = share->rows[lane];
            for (; begin < end && (more & lacks) != lacks; begin += 8 * HD_WARP) {
                u64 stop = begin + 8 * HD_WARP < end ? begin + 8 * HD_WARP : end;
                more |= many_either(share, many_gather(job, front, lacks, begin + HD_LANE, stop, HD_WARP));
            }
            fresh |= HD_LANE == lane ? more & lacks : 0;
            rest &= rest - 1;
            hd_warp_barrier();
        }
        place = hd_space(share->scratch, &many_record(job, level + 1)[MANY_LISTED], fresh != 0);
        if (fresh) {
            next[v] = fresh;
            job->list[place] = (u32)v;
        }
    }
}

/* ---- Second half: making entries -------------------------------------------------------------------------------- */

/* Writes the units of an entry. */
INLINE void many_units(const many_job *job, u32 entry, u32 parts, u32 at, u32 cut) {
    for (u32 i = 0; i < parts; i++) {
        job->units[3 * ((u64)at + i)] = entry;
        job->units[3 * ((u64)at + i) + 1] = i;
        job->units[3 * ((u64)at + i) + 2] = cut;
    }
}

/* With MANY_PAIRS, writes the places of a vertex to `pairs` from `at` on; otherwise stores the depth at each place. */
INLINE void many_places(const many_job *job, LOCAL many_share *share, u32 level, u32 v, u32 fresh, u32 parts, u32 at) {
#if MANY_PAIRS
    (void)level, (void)share;
    for (fresh = parts ? 0 : fresh; fresh; fresh &= fresh - 1)
        job->pairs[at++] = (v << job->shift) + hd_lowest(fresh);
#else
    u32 crowded = hd_popcount(hd_ballot(share->scratch, hd_popcount(fresh) > MANY_CROWD));
    (void)parts, (void)at;
    share->rows[HD_LANE] = v;
    share->bits[HD_LANE] = fresh;
    hd_warp_barrier();
    /* crowded: one lane per search, vertex by vertex; otherwise one lane per vertex, search by search */
    for (u32 i = 0; crowded > MANY_CROWD && i < HD_WARP; i++)
        if (share->bits[i] >> HD_LANE & 1)
            job->pairs[((u64)share->rows[i] << job->shift) + HD_LANE] = level;
    for (; crowded <= MANY_CROWD && fresh; fresh &= fresh - 1)
        job->pairs[((u64)v << job->shift) + hd_lowest(fresh)] = level;
    hd_warp_barrier();
#endif
}

/* Makes entries of the list of a depth, and clears the mask of the depth two before it. */
INLINE void many_settle(const many_job *job, LOCAL many_share *share, const LOCAL many_turn *turn, u32 level) {
    GLOBAL u32 *mask = many_mask(job, level), *old = many_mask(job, level + 1), *record = many_record(job, level);
    GLOBAL u32 *tails[6];
    u32 count = turn->listed;
    tails[0] = &job->words[MANY_ENTRIES], tails[1] = &job->words[MANY_UNITS], tails[2] = &record[MANY_PARTS];
    tails[3] = &record[MANY_COST], tails[4] = &job->words[MANY_SEEN], tails[5] = &job->words[MANY_PLACES];
    for (u64 base = many_index(0) * HD_WARP; base < count; base += HD_WARP_TOTAL * HD_WARP) {
        u64 i = base + HD_LANE;
        u32 v = 0, fresh = 0, now = 0, degree = 0, cost, parts, places[6];
        if (i < count) {
            v = job->list[i];
            fresh = mask[v];
            job->seen[v] = now = job->seen[v] | fresh;
            degree = many_degree(job, v);
        }
        cost = (degree + 15) / 16, parts = many_parts(degree);
        places[0] = i<count, places[1] = parts, places[2] = parts> 1 ? parts : 0;
        places[3] = cost, places[4] = now == job->full ? cost : 0;
        places[5] = MANY_PAIRS && !parts ? hd_popcount(fresh) : 0;
        HD_SPACES(6, share->scratch, tails, places);
        if (i < count) {
            job->entries[2 * (u64)places[0]] = v;
            job->entries[2 * (u64)places[0] + 1] = fresh;
            many_units(job, places[0], parts, places[1], places[2]);
        }
        many_places(job, share, level, v, fresh, parts, places[5]);
    }
    for (u64 i = turn->first + many_index(HD_WARP_TOTAL / 2) * HD_WARP + HD_LANE; i < turn->end;
         i += HD_WARP_TOTAL * HD_WARP)
        old[job->entries[2 * i]] = 0;
}

/* Puts the sources on the list of depth 0; one lane calls it. `all`: the cost of all vertices. */
INLINE void many_begin(const many_job *job, u32 all) {
    GLOBAL u32 *mask = many_mask(job, 0);
    u32 count = 0;
    for (u32 j = 0; j < 32 && job->full >> j; j++) {
        u32 v = job->source[j];
        if (mask[v] == 0)
            job->list[count++] = v;
        mask[v] |= 1u << j;
    }
    many_record(job, 0)[MANY_LISTED] = count;
    job->words[MANY_ALL] = all;
    job->starts[0] = job->starts[1] = job->starts[2] = 0;
}
