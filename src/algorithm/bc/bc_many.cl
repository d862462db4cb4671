/* bc_many.cl - betweenness from up to 32 sources at once.
 * Idea: multi-source BFS (Then et al., VLDB 2015; many.cl) carried over to Brandes: path counts and shares of all
 * searches of a vertex are adjacent. Beats one source after the other 1.9 to 7.1 times (bench/notes, Many
 * sources on CUDA).
 *
 * A pair is a vertex and a search that reaches it; one lane sums a pair. Pairs of one vertex are adjacent, so their
 * lanes read the same row and neighbouring numbers. Long rows go to warps that handle all searches of an entry, part by
 * part. As in bc.cl no lane writes where others read, and sums have the same order every time. At the end `sigma` holds
 * the dependencies. */

#define BCM_ARGUMENTS                                                                               \
    MANY_ARGUMENTS, GLOBAL f64 *sigma, GLOBAL f64 *shares, GLOBAL i32 *exponents, GLOBAL f64 *sums, \
        GLOBAL i32 *sum_exponents

typedef struct bcm_job {
    many_job m;
    GLOBAL f64 *sigma;
    GLOBAL f64 *shares;
    GLOBAL i32 *exponents;
    GLOBAL f64 *sums; /* sums of the parts of long rows */
    GLOBAL i32 *sum_exponents;
} bcm_job;

typedef struct bcm_share {
    many_share m;
    bc_value values[HD_SCRATCH];
} bcm_share;

typedef struct bcm_pass {
    u32 back;
    u32 level;                /* its pairs get their sums */
    u32 known;                /* no sums needed: counts of depth 1 are 1, dependencies of the last are 0 */
    GLOBAL const u32 *wanted; /* by vertex: mask of the searches whose values are added */
    GLOBAL const f64 *values; /* by pair: the values that are added */
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets;
} bcm_pass;

INLINE bcm_pass bcm_pass_of(const bcm_job *job, u32 back, u32 level, u32 known) {
    bcm_pass pass;
    pass.back = back, pass.level = level, pass.known = known;
    pass.wanted = many_mask(&job->m, back ? level + 1 : level + 2);
    pass.values = back ? job->shares : job->sigma;
    pass.offsets = back ? job->m.out_offsets : job->m.in_offsets;
    pass.targets = back ? job->m.out_targets : job->m.in_targets;
    return pass;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* The value that edge k of a row adds. Parallel edges are adjacent and count once. */
INLINE bc_value bcm_term(const bcm_job *job, const bcm_pass *pass, u32 search, GLOBAL const u32 *row, u32 k, u32 u,
                         u32 there) {
    bc_value value = bc_zero();
    if (there && !(k && hd_constant(&row[k - 1]) == u)) {
        u32 pair = (u << job->m.shift) + search;
#if BC_EXTENDED
        value.number = pass->values[pair];
        value.exponent = pass->back ? -job->exponents[pair] : job->exponents[pair];
#else
        value = pass->values[pair];
#endif
    }
    return value;
}

/* Sums edges k, k + stride … below end of a row, BCM_CHUNK at a time, so that their loads overlap. */
INLINE bc_value bcm_gather(const bcm_job *job, const bcm_pass *pass, u32 search, GLOBAL const u32 *row, u32 k, u32 end,
                           u32 stride) {
    bc_value sum = bc_zero();
    for (; k < end; k += BCM_CHUNK * stride) {
        u32 target[BCM_CHUNK], there[BCM_CHUNK];
        bc_value value[BCM_CHUNK];
        HD_UNROLL
        for (u32 i = 0; i < BCM_CHUNK; i++)
            target[i] = hd_constant(&row[k + i * stride < end ? k + i * stride : k]);
        HD_UNROLL
        for (u32 i = 0; i < BCM_CHUNK; i++)
            there[i] = k + i * stride < end ? pass->wanted[target[i]] >> search & 1 : 0;
        HD_UNROLL
        for (u32 i = 0; i < BCM_CHUNK; i++)
            value[i] = bcm_term(job, pass, search, row, k + i * stride, target[i], there[i]);
        HD_UNROLL
        for (u32 i = 0; i < BCM_CHUNK; i += 4)
            sum = bc_plus(sum, bc_plus(bc_plus(value[i], value[i + 1]), bc_plus(value[i + 2], value[i + 3])));
    }
    return sum;
}

/* Backward: the pair's own path count, loaded before the sum is known. */
INLINE bc_value bcm_own(const bcm_job *job, const bcm_pass *pass, u64 pair) {
    bc_value own = bc_zero();
#if BC_EXTENDED
    if (pass->back)
        own.number = job->sigma[pair], own.exponent = job->exponents[pair];
#else
    own = pass->back ? job->sigma[pair] : 0;
#endif
    return own;
}

/* Stores the results of a pair from its sum. */
INLINE void bcm_finish(const bcm_job *job, const bcm_pass *pass, u64 pair, bc_value own, bc_value sum) {
#if BC_EXTENDED
    if (pass->back) {
        f64 delta = bc_scaled(own.number * sum.number, own.exponent + sum.exponent);
        job->shares[pair] = (1 + delta) / own.number;
        job->sigma[pair] = delta;
    } else {
        job->sigma[pair] = pass->known ? 1 : sum.number;
        job->exponents[pair] = pass->known ? 0 : sum.exponent;
    }
#else
    if (pass->back) {
        f64 delta = own * sum;
        job->shares[pair] = (1 + delta) / own;
        job->sigma[pair] = delta;
    } else {
        job->sigma[pair] = pass->known ? 1 : sum;
        if (sum > BCM_MOST)
            job->m.words[MANY_OVER] = pass->level + 1;
    }
#endif
}

/* Pairs of short rows, one lane per pair. */
INLINE void bcm_pairs(const bcm_job *job, const bcm_pass *pass, u64 first, u64 end) {
    for (u64 i = first + many_index(HD_WARP_TOTAL / 2) * HD_WARP + HD_LANE; i < end; i += HD_WARP_TOTAL * HD_WARP) {
        u32 pair = job->m.pairs[i], v = pair >> job->m.shift, search = pair - (v << job->m.shift);
        u64 begin = pass->offsets[v];
        u32 length = pass->known ? 0 : (u32)(pass->offsets[v + 1] - begin);
        bc_value own = bcm_own(job, pass, pair);
        bcm_finish(job, pass, pair, own, bcm_gather(job, pass, search, pass->targets + begin, 0, length, 1));
    }
}

/* ---- Long rows -------------------------------------------------------------------------------------------------- */

/* How the lanes of a warp share an entry: `width` adjacent lanes take one search each, and the HD_WARP / width lanes of
 * the same search divide the edges. */
typedef struct bcm_team {
    u32 width;
    u32 turn;   /* index of the lane among those of the same search */
    u32 active; /* whether the lane has a search */
    u32 search;
} bcm_team;

INLINE bcm_team bcm_team_of(u32 mask) {
    bcm_team team;
    u32 count = hd_popcount(mask), skip;
    team.width = 1;
    while (team.width < count)
        team.width *= 2;
    team.turn = HD_LANE / team.width;
    for (skip = HD_LANE % team.width; skip; skip--)
        mask &= mask - 1;
    team.active = mask != 0;
    team.search = mask ? hd_lowest(mask) : 0;
    return team;
}

/* Sums over the lanes of the same search; the first of them gets the sum. */
INLINE bc_value bcm_reduce(LOCAL bcm_share *share, bc_value mine, u32 width) {
    for (u32 distance = HD_WARP / 2; distance >= width; distance /= 2) {
        bc_value other = bc_shift(share->values, mine, distance);
        mine = bc_plus(mine, other);
    }
    return mine;
}

/* Parts of long rows, one warp per part. */
INLINE void bcm_units(const bcm_job *job, LOCAL bcm_share *share, const bcm_pass *pass, u64 first_unit, u64 end_unit) {
    for (u64 i = first_unit + many_index(HD_WARP_TOTAL / 4); i < end_unit; i += HD_WARP_TOTAL) {
        u64 entry = job->m.units[3 * i];
        u32 part = job->m.units[3 * i + 1], v = job->m.entries[2 * entry], end = (part + 1) * MANY_PART, length;
        u32 parts = many_parts(many_degree(&job->m, v));
        bcm_team team = bcm_team_of(job->m.entries[2 * entry + 1]);
        GLOBAL const u32 *row = pass->targets + pass->offsets[v];
        bc_value sum;
        length = team.active && !pass->known ? (u32)(pass->offsets[v + 1] - pass->offsets[v]) : 0;
        end = end < length ? end : length;
        sum = bcm_gather(job, pass, team.search, row, part * MANY_PART + team.turn, end, HD_WARP / team.width);
        sum = bcm_reduce(share, sum, team.width);
        if (team.active && team.turn == 0) {
            if (parts == 1) {
                u64 pair = ((u64)v << job->m.shift) + team.search;
                bcm_finish(job, pass, pair, bcm_own(job, pass, pair), sum);
            } else {
                u64 place = (((u64)job->m.units[3 * i + 2] + part) << job->m.shift) + HD_LANE;
#if BC_EXTENDED
                job->sums[place] = sum.number;
                job->sum_exponents[place] = sum.exponent;
#else
                job->sums[place] = sum;
#endif
            }
        }
    }
}

INLINE bc_value bcm_part(const bcm_job *job, u64 place) {
    bc_value value;
#if BC_EXTENDED
    value.number = job->sums[place], value.exponent = job->sum_exponents[place], value.unused = 0;
#else
    value = job->sums[place];
#endif
    return value;
}

/* Sums the parts of each long row; the parts of an entry are adjacent. */
INLINE void bcm_join(const bcm_job *job, LOCAL bcm_share *share, const bcm_pass *pass, u64 first_unit, u64 end_unit) {
    for (u64 base = first_unit + many_index(HD_WARP_TOTAL / 4) * HD_WARP; base < end_unit;
         base += HD_WARP_TOTAL * HD_WARP) {
        u64 i = base + HD_LANE;
        u32 parts = 0, rest;
        if (i < end_unit && job->m.units[3 * i + 1] == 0)
            parts = many_parts(many_degree(&job->m, job->m.entries[2 * (u64)job->m.units[3 * i]]));
        rest = hd_ballot(share->m.scratch, parts > 1);
        while (rest) {
            u64 k = base + hd_lowest(rest), entry = job->m.units[3 * k], cut = job->m.units[3 * k + 2];
            u32 v = job->m.entries[2 * entry], count = many_parts(many_degree(&job->m, v));
            bcm_team team = bcm_team_of(job->m.entries[2 * entry + 1]);
            bc_value sum = bc_zero();
            for (u32 p = team.active ? team.turn : count; p < count; p += HD_WARP / team.width)
                sum = bc_plus(sum, bcm_part(job, ((cut + p) << job->m.shift) + HD_LANE % team.width));
            sum = bcm_reduce(share, sum, team.width);
            if (team.active && team.turn == 0) {
                u64 pair = ((u64)v << job->m.shift) + team.search;
                bcm_finish(job, pass, pair, bcm_own(job, pass, pair), sum);
            }
            rest &= rest - 1;
        }
    }
}

/* ---- Masks, sources and totals ----------------------------------------------------------------------------------- */

#define BCM_BEGIN                                              \
    SHARED bcm_share bcm_all[HD_WARPS];                        \
    LOCAL bcm_share *share = &bcm_all[HD_WARP_HERE];           \
    bcm_job whole;                                             \
    MANY_MAKE_JOB;                                             \
    whole.m = job, whole.sigma = sigma, whole.shares = shares; \
    whole.exponents = exponents, whole.sums = sums, whole.sum_exponents = sum_exponents

/* Backward: writes the masks of a depth from its entries, and clears those of the depth two levels further down. */
INLINE void bcm_masks(const bcm_job *job, u32 level, u32 count) {
    GLOBAL u32 *mask = many_mask(&job->m, level), *old = many_mask(&job->m, level + 2);
    u64 lane = many_index(0) * HD_WARP + HD_LANE, stride = HD_WARP_TOTAL * HD_WARP;
    u64 end = job->m.starts[3 * ((u64)level + 1)], first_old = 0, end_old = 0;
    if (level + 2 < count)
        first_old = job->m.starts[3 * ((u64)level + 2)], end_old = job->m.starts[3 * ((u64)level + 3)];
    for (u64 i = first_old + lane; i < end_old; i += stride)
        old[job->m.entries[2 * i]] = 0;
    for (u64 i = job->m.starts[3 * (u64)level] + lane; i < end; i += stride)
        mask[job->m.entries[2 * i]] = job->m.entries[2 * i + 1];
}

/* Sets the path count of each source to 1. */
KERNEL bcm_begin(BCM_ARGUMENTS) {
    for (u32 j = HD_GROUP_LANE; j < 32 && full >> j; j += HD_GROUP_SIZE) {
        sigma[((u64)source[j] << shift) + j] = 1;
#if BC_EXTENDED
        exponents[((u64)source[j] << shift) + j] = 0;
#endif
    }
}

/* Adds the dependencies of all searches to `total`, always in the order of the sources; if `squared`, their squares to
 * `squares`. */
KERNEL bcm_add(u32 n, u32 shift, u32 full, u32 squared, GLOBAL const u32 *source, GLOBAL const f64 *sigma,
               GLOBAL f64 *total, GLOBAL f64 *squares) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        f64 sum = total[v], square = squared ? squares[v] : 0;
        for (u32 j = 0; j < 32 && full >> j; j++) {
            f64 delta = source[j] == v ? 0 : sigma[(v << shift) + j];
            sum += delta;
            square += delta * delta;
        }
        total[v] = sum;
        if (squared)
            squares[v] = square;
    }
}

/* ---- One launch per step: depth `from` --------------------------------------------------------------------------- */

/* The start of the kernels that sum depth `from`, backward if `to` is not 0. They run after many_note_one. */
#define BCM_SUMS                                                                       \
    BCM_BEGIN;                                                                         \
    u32 count = hd_load32(&words[MANY_LEVEL]), on = from < count;                      \
    bcm_pass pass = bcm_pass_of(&whole, to, from, to ? from + 1 == count : from == 1); \
    starts += 3 * (u64)(on ? from : 0)

KERNEL bcm_pairs_of(BCM_ARGUMENTS) {
    BCM_SUMS;
    (void)share;
    bcm_pairs(&whole, &pass, starts[2], on ? starts[5] : 0);
    if (to)
        bcm_masks(&whole, from, count);
}
KERNEL bcm_units_of(BCM_ARGUMENTS) {
    BCM_SUMS;
    bcm_units(&whole, share, &pass, starts[1], on ? starts[4] : 0);
}
KERNEL bcm_join_of(BCM_ARGUMENTS) {
    BCM_SUMS;
    bcm_join(&whole, share, &pass, starts[1], on ? starts[4] : 0);
}

/* ---- Many depths in one launch: all groups are resident ---------------------------------------------------------- */

#if MANY_RESIDENT
/* First half of a step: finds the next depth and sums the path counts of this one. */
INLINE void bcm_first_half(const bcm_job *job, LOCAL bcm_share *share, LOCAL many_step *step, u32 level) {
    bcm_pass pass = bcm_pass_of(job, 0, level, level == 1);
    u32 on;
    if (HD_GROUP_LANE == 0)
        *step = many_think(&job->m, level);
    hd_group_barrier();
    on = level && !step->done;
    bcm_units(job, share, &pass, step->first[1], on ? step->end[1] : 0);
    bcm_pairs(job, &pass, step->first[2], on ? step->end[2] : 0);
    many_down(&job->m, &share->m, step, level, !step->done && !step->up);
    many_down_units(&job->m, &share->m, step, level, !step->done && !step->up);
    many_rise(&job->m, &share->m, level, !step->done && step->up);
    if (MANY_FIRST)
        many_note(&job->m, step, level);
}

/* Second half of a step: makes entries of what was found, and joins the parts of long rows of the depth before. */
INLINE void bcm_second_half(const bcm_job *job, LOCAL bcm_share *share, LOCAL many_turn *turn, u32 level) {
    bcm_pass pass = bcm_pass_of(job, 0, level - 1, level == 2);
    if (HD_GROUP_LANE == 0)
        *turn = many_think_again(&job->m, level);
    hd_group_barrier();
    many_settle(&job->m, &share->m, turn, level);
#if BCM_CUT
    bcm_join(job, share, &pass, turn->first_unit, level >= 2 ? turn->end_unit : 0);
#endif
}

/* Forward from depth `from`, at most `to` depths. */
KERNEL_DENSE(BCM_GROUPS) bcm_forward(BCM_ARGUMENTS) {
    SHARED many_step step;
    SHARED many_turn turn;
    BCM_BEGIN;
    for (u32 level = from; level < from + to; level++) {
        bcm_first_half(&whole, share, &step, level);
        hd_grid_barrier(&words[MANY_BARRIER]);
        if (step.done)
            break;
        bcm_second_half(&whole, share, &turn, level + 1);
        hd_grid_barrier(&words[MANY_BARRIER]);
    }
}

/* Backward over depths from .. to. */
KERNEL_DENSE(BCM_GROUPS) bcm_backward(BCM_ARGUMENTS) {
    BCM_BEGIN;
    u32 count = hd_load32(&words[MANY_LEVEL]);
    for (u32 level = from; level >= to; level--) {
        GLOBAL const u32 *at = starts + 3 * (u64)level;
        bcm_pass pass = bcm_pass_of(&whole, 1, level, level + 1 == count);
        bcm_units(&whole, share, &pass, at[1], at[4]);
        bcm_pairs(&whole, &pass, at[2], at[5]);
        bcm_masks(&whole, level, count);
        hd_grid_barrier(&words[MANY_BARRIER]);
#if BCM_CUT
        bcm_join(&whole, share, &pass, at[1], at[4]);
        hd_grid_barrier(&words[MANY_BARRIER]);
#endif
    }
}
#endif
