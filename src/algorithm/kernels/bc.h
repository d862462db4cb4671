/* bc.h - betweenness on a device: one source's path counts and dependencies, once its levels are there.
 *
 * Vertices are put in order by level (bc_count, bc_scan, bc_place). Then level by level each vertex adds up its
 * neighbours': forward the path counts of in-neighbours one level up, backward the shares of out-neighbours one level
 * down. Nobody writes where others read, so there are no atomics, and sums have the same order every time. BC_TEAM
 * lanes take a row, all lanes of a warp a longer one; rows of more than BC_LONG edges are cut into parts that are added
 * up apart and joined by bc_join. With BC_WIDE a count is sigma * 2^(512 * exponent), for graphs whose counts may leave
 * the range of double. Parallel edges count once: they stand side by side. */

/* Places in `words`. */
#define BC_LEVELS 0
#define BC_BITS 1 /* of the largest count that is possible, at most */
#define BC_BIGS 2
#define BC_PARTS 3
#define BC_BARRIER 4

#define BC_NEAR 64u /* levels that a group counts for itself */

#define BC_ARGUMENTS                                                                                                   \
    u32 n, u32 back, u32 from, u32 to, GLOBAL const hd_offset *out_offsets, GLOBAL const u32 *out_targets,             \
        GLOBAL const hd_offset *in_offsets, GLOBAL const u32 *in_targets, GLOBAL const u32 *levels, GLOBAL u32 *order, \
        GLOBAL u32 *starts, GLOBAL u32 *cursors, GLOBAL u32 *bigs, GLOBAL u32 *parts, GLOBAL f64 *sigma,               \
        GLOBAL f64 *shares, GLOBAL i32 *exponents, GLOBAL u32 *bits, GLOBAL f64 *total, GLOBAL f64 *sums,              \
        GLOBAL i32 *sum_exponents, GLOBAL u32 *words

typedef struct bc_job {
    u32 n;
    GLOBAL const hd_offset *out_offsets;
    GLOBAL const u32 *out_targets;
    GLOBAL const hd_offset *in_offsets;
    GLOBAL const u32 *in_targets;
    GLOBAL const u32 *levels;
    GLOBAL u32 *order;   /* vertices by level */
    GLOBAL u32 *starts;  /* of each level in it, and the end */
    GLOBAL u32 *cursors; /* while it is made; then, by vertex, marks: the level that it is to be added up in */
    GLOBAL u32 *bigs;    /* vertices of very many edges, with their first part: pairs */
    GLOBAL u32 *parts;   /* vertex, number of the part: pairs */
    GLOBAL f64 *sigma;
    GLOBAL f64 *shares;
    GLOBAL i32 *exponents;
    GLOBAL u32 *bits; /* one for each vertex: the level that is added, where there are few levels */
    GLOBAL f64 *total;
    GLOBAL f64 *sums; /* of parts */
    GLOBAL i32 *sum_exponents;
    GLOBAL u32 *words;
} bc_job;

#define BC_MAKE_JOB                                                                                                    \
    bc_job job;                                                                                                        \
    job.n = n, job.out_offsets = out_offsets, job.out_targets = out_targets, job.in_offsets = in_offsets;              \
    job.in_targets = in_targets, job.levels = levels, job.order = order, job.starts = starts;                          \
    job.cursors = cursors, job.bigs = bigs, job.parts = parts, job.sigma = sigma, job.shares = shares;                 \
    job.exponents = exponents, job.bits = bits, job.total = total, job.sums = sums, job.sum_exponents = sum_exponents; \
    job.words = words

#define BC_NONE 0xffffffffu

INLINE u32 bc_degree(const bc_job *job, u32 v) {
    u32 out = (u32)(job->out_offsets[v + 1] - job->out_offsets[v]);
#if BC_DIRECTED
    u32 in = (u32)(job->in_offsets[v + 1] - job->in_offsets[v]);
    out = out > in ? out : in;
#endif
    return out;
}

/* ---- Order ------------------------------------------------------------------------------------------------------ */

/* The vertices of a group: a range, so that those of a level stay about in order. */
#define BC_RANGE_BEGIN(total) ((total) / HD_GROUP_TOTAL * HD_GROUP_INDEX)
#define BC_RANGE_END(total) \
    (HD_GROUP_INDEX + 1 == HD_GROUP_TOTAL ? (total) : (total) / HD_GROUP_TOTAL * (HD_GROUP_INDEX + 1))

/* How many vertices each level has: to `starts`. */
KERNEL bc_count(BC_ARGUMENTS) {
    SHARED u32 near[BC_NEAR];
    SHARED u32 most;
    u64 end = BC_RANGE_END((u64)n);
    u32 lane = HD_GROUP_LANE, size = HD_GROUP_SIZE;
    for (u32 i = lane; i < BC_NEAR; i += size)
        near[i] = 0;
    if (lane == 0)
        most = 0;
    hd_group_barrier();
    for (u64 v = BC_RANGE_BEGIN((u64)n) + lane; v < end; v += size) {
        u32 level = levels[v];
        if (level < BC_NEAR)
            hd_add_local(&near[level], 1);
        else if (level != BC_NONE)
            hd_add32(&starts[level], 1);
        if (level >= BC_NEAR && level != BC_NONE && hd_load32(&words[BC_LEVELS]) <= level)
            hd_max32(&words[BC_LEVELS], level + 1);
    }
    hd_group_barrier();
    for (u32 i = lane; i < BC_NEAR; i += size)
        if (near[i]) {
            hd_add32(&starts[i], near[i]);
            hd_max32(&words[BC_LEVELS], i + 1);
        }
}

/* Counts become places: the first warp of one group. */
KERNEL bc_scan(BC_ARGUMENTS) {
    SHARED u32 scratch[HD_WARP + 2];
    u32 count = hd_load32(&words[BC_LEVELS]), base = 0, all, widths, width_sum = 0;
    count = HD_GROUP_INDEX == 0 && HD_WARP_HERE == 0 ? count : 0;
    for (u32 first = 0; first < count; first += HD_WARP) {
        u32 i = first + HD_LANE, mine = i < count ? starts[i] : 0, place = hd_scan(scratch, mine, &all), width = 0;
        if (i < count)
            starts[i] = cursors[i] = base + place;
        while (width < 32 && mine >> width > 1)
            width++;
        hd_scan(scratch, mine > 1 ? width + 1 : 0, &widths);
        base += all;
        width_sum = width_sum + widths < width_sum ? BC_NONE : width_sum + widths;
    }
    if (count && HD_LANE == 0) {
        starts[count] = base;
        words[BC_BITS] = width_sum;
    }
}

/* Vertices of many edges: parts in a list, so that many warps can share them out. */
INLINE void bc_place_big(const bc_job *job, u32 v, u32 degree) {
    u32 count = (degree + BC_PART - 1) / BC_PART, base = hd_add32(&job->words[BC_PARTS], count);
    u32 k = hd_add32(&job->words[BC_BIGS], 1);
    job->bigs[2 * (u64)k] = v;
    job->bigs[2 * (u64)k + 1] = base;
    for (u32 i = 0; i < count; i++) {
        job->parts[2 * ((u64)base + i)] = v;
        job->parts[2 * ((u64)base + i) + 1] = i;
    }
}

KERNEL bc_place(BC_ARGUMENTS) {
    SHARED u32 near[BC_NEAR];
    u64 end = BC_RANGE_END((u64)n);
    u32 lane = HD_GROUP_LANE, size = HD_GROUP_SIZE;
    BC_MAKE_JOB;
    for (u32 i = lane; i < BC_NEAR; i += size)
        near[i] = 0;
    hd_group_barrier();
    for (u64 v = BC_RANGE_BEGIN((u64)n) + lane; v < end; v += size)
        if (levels[v] < BC_NEAR)
            hd_add_local(&near[levels[v]], 1);
    hd_group_barrier();
    for (u32 i = lane; i < BC_NEAR; i += size)
        near[i] = near[i] ? hd_add32(&cursors[i], near[i]) : 0;
    hd_group_barrier();
    for (u64 v = BC_RANGE_BEGIN((u64)n) + lane; v < end; v += size) {
        u32 level = levels[v], degree = bc_degree(&job, (u32)v);
        if (level < BC_NEAR)
            order[hd_add_local(&near[level], 1)] = (u32)v;
        else if (level != BC_NONE)
            order[hd_add32(&cursors[level], 1)] = (u32)v;
        if (level != BC_NONE && degree > BC_LONG)
            bc_place_big(&job, (u32)v, degree);
        if (level == 0) {
            sigma[v] = 1;
            exponents[v] = 0;
        }
    }
}

/* ---- Sums ------------------------------------------------------------------------------------------------------- */

/* A pass over a level: which rows, and which neighbours count. */
typedef struct bc_pass {
    u32 back;
    u32 level;   /* whose sums are made */
    u32 wanted;  /* whose values are added */
    u32 by_bits; /* these are in `bits` */
    u32 marked;  /* vertices without a mark have no such neighbours */
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets;
} bc_pass;

INLINE bc_pass bc_pass_of(const bc_job *job, u32 back, u32 level) {
    bc_pass pass;
    pass.back = back, pass.level = level, pass.wanted = back ? level + 1 : level - 1;
    pass.by_bits = 0, pass.marked = 0;
    pass.offsets = back ? job->out_offsets : job->in_offsets;
    pass.targets = back ? job->out_targets : job->in_targets;
    return pass;
}

typedef struct bc_share {
    u32 scratch[HD_WARP + 2];
    u32 rows[HD_WARP];
    bc_value values[HD_SCRATCH];
} bc_share;

/* What edge e adds, of a row that begins at `first`. */
INLINE bc_value bc_term(const bc_job *job, const bc_pass *pass, u64 first, u64 e, u32 u) {
    bc_value value = bc_zero();
    u32 twin = e > first ? hd_constant(&pass->targets[e - 1]) : ~u; /* asked for together with the level */
    u32 there = pass->by_bits ? job->bits[u / 32] >> (u % 32) & 1 : job->levels[u] == pass->wanted;
    if (there && twin != u) {
#if BC_WIDE
        value.number = pass->back ? job->shares[u] : job->sigma[u];
        value.exponent = pass->back ? -job->exponents[u] : job->exponents[u];
#else
        value = pass->back ? job->shares[u] : job->sigma[u];
#endif
    }
    return value;
}

/* Edges begin, begin + stride … below end, of a row that begins at `first`; two at a time. */
INLINE bc_value bc_gather(const bc_job *job, const bc_pass *pass, u64 first, u64 begin, u64 end, u32 stride) {
    bc_value sum = bc_zero();
    for (u64 e = begin; e < end; e += 2 * stride) {
        u64 f = e + stride < end ? e + stride : e;
        u32 u = hd_constant(&pass->targets[e]), w = hd_constant(&pass->targets[f]);
        bc_value a = bc_term(job, pass, first, e, u), b = f == e ? bc_zero() : bc_term(job, pass, first, f, w);
        sum = bc_plus(sum, bc_plus(a, b));
    }
    return sum;
}

/* Adds up the values of `lanes` lanes that stand side by side: to the first of them. */
INLINE bc_value bc_reduce(LOCAL bc_share *share, bc_value mine, u32 lanes) {
    for (u32 distance = lanes / 2; distance; distance /= 2) {
        bc_value other = bc_shift(share->values, mine, distance);
        mine = bc_plus(mine, other);
    }
    return mine;
}

/* The vertex has its sum. */
INLINE void bc_finish(const bc_job *job, const bc_pass *pass, u32 v, bc_value sum) {
#if BC_WIDE
    if (pass->back) {
        f64 own = job->sigma[v], delta = bc_scaled(own * sum.number, job->exponents[v] + sum.exponent);
        job->shares[v] = (1 + delta) / own;
        job->total[v] += delta;
    } else {
        job->sigma[v] = sum.number;
        job->exponents[v] = sum.exponent;
    }
#else
    if (pass->back) {
        f64 own = job->sigma[v], delta = own * sum;
        job->shares[v] = (1 + delta) / own;
        job->total[v] += delta;
    } else {
        job->sigma[v] = sum;
    }
#endif
}

/* Levels whose sums are known: one path to each of the first, nothing behind the last. */
INLINE void bc_plain_one(const bc_job *job, const bc_pass *pass, u32 v) {
    if (pass->back) {
        job->shares[v] = 1 / job->sigma[v];
    } else {
        job->sigma[v] = 1;
        job->exponents[v] = 0;
    }
}

INLINE void bc_plain_level(const bc_job *job, const bc_pass *pass, u64 first, u64 end) {
    for (u64 i = first + HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < end; i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        bc_plain_one(job, pass, job->order[i]);
}

/* The rows of a level, but for those that are cut. */
INLINE void bc_rows(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass, u64 begin, u64 end) {
    u32 lane = HD_LANE, at_once = HD_WARP / BC_TEAM, part = lane % BC_TEAM;
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 base = begin + index * at_once; base < end; base += HD_WARP_TOTAL * at_once) {
        u64 i = base + lane / BC_TEAM, first = 0, last = 0;
        u32 v = 0, length = 0, rest, team, cut;
        bc_value sum;
        if (i < end) {
            v = job->order[i];
            first = pass->offsets[v], last = pass->offsets[v + 1];
            last = pass->marked && job->cursors[v] != pass->level ? first : last;
            length = (u32)(last - first);
        }
        cut = bc_degree(job, v) > BC_LONG;
        team = length <= BC_TEAM_ROW && !cut;
        sum = bc_gather(job, pass, first, first + part, team ? last : first, BC_TEAM);
        sum = bc_reduce(share, sum, BC_TEAM);
        if (i < end && team && part == 0)
            bc_finish(job, pass, v, sum);
        rest = hd_ballot(share->scratch, i < end && part == 0 && !team && !cut);
        share->rows[lane] = v;
        hd_warp_barrier();
        while (rest) {
            u32 w = share->rows[hd_lowest(rest)];
            first = pass->offsets[w], last = pass->offsets[w + 1];
            sum = bc_reduce(share, bc_gather(job, pass, first, first + lane, last, HD_WARP), HD_WARP);
            if (lane == 0)
                bc_finish(job, pass, w, sum);
            rest &= rest - 1;
        }
        hd_warp_barrier();
    }
}

/* Whether the vertex is of this level, with something to add up. */
INLINE int bc_counts(const bc_job *job, const bc_pass *pass, u32 v) {
    return job->levels[v] == pass->level && !(pass->marked && job->cursors[v] != pass->level);
}

/* The parts of rows that are cut, if their vertex is of this level. Those of a row stand side by side: each goes to
 * another warp. */
INLINE void bc_cut_rows(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass, u32 count) {
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 base = index; base < count; base += HD_WARP_TOTAL * HD_WARP) {
        u64 i = base + HD_LANE * HD_WARP_TOTAL;
        u32 rest = hd_ballot(share->scratch, i < count && bc_counts(job, pass, job->parts[2 * i]));
        while (rest) {
            u64 k = base + hd_lowest(rest) * HD_WARP_TOTAL, first, begin, end;
            u32 v = job->parts[2 * k];
            bc_value sum;
            first = pass->offsets[v], end = pass->offsets[v + 1];
            begin = first + (u64)job->parts[2 * k + 1] * BC_PART;
            end = begin + BC_PART < end ? begin + BC_PART : end;
            sum = bc_reduce(share, bc_gather(job, pass, first, begin + HD_LANE, end, HD_WARP), HD_WARP);
            if (HD_LANE == 0) {
#if BC_WIDE
                job->sums[k] = sum.number;
                job->sum_exponents[k] = sum.exponent;
#else
                job->sums[k] = sum;
#endif
            }
            rest &= rest - 1;
        }
    }
}

/* Joins the parts: a vertex' parts stand side by side. */
INLINE void bc_join(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass, u32 count) {
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 i = index; i < count; i += HD_WARP_TOTAL) {
        u32 v = job->bigs[2 * i], here = job->levels[v] == pass->level, length;
        u64 base = job->bigs[2 * i + 1];
        bc_value sum = bc_zero();
        length = bc_counts(job, pass, v) ? (u32)(pass->offsets[v + 1] - pass->offsets[v]) : 0;
        for (u32 k = HD_LANE; k * BC_PART < length; k += HD_WARP) {
            bc_value one = bc_zero();
#if BC_WIDE
            one.number = job->sums[base + k];
            one.exponent = job->sum_exponents[base + k];
#else
            one = job->sums[base + k];
#endif
            sum = bc_plus(sum, one);
        }
        sum = bc_reduce(share, sum, HD_WARP);
        if (here && HD_LANE == 0)
            bc_finish(job, pass, v, sum);
    }
}

#define BC_BEGIN                                   \
    SHARED bc_share bc_all[HD_WARPS];              \
    LOCAL bc_share *share = &bc_all[HD_WARP_HERE]; \
    BC_MAKE_JOB

/* Is there nothing to add up? */
INLINE int bc_plain(const bc_pass *pass, u32 count) { return pass->back ? pass->level + 1 == count : pass->level == 1; }

#if BC_RESIDENT
/* The level that is added, as bits: these stay in the cache. */
INLINE void bc_make_bits(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass) {
    u32 count = job->n / 32 + (job->n % 32 != 0);
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 k = index; k < count; k += HD_WARP_TOTAL) {
        u64 v = k * 32 + HD_LANE;
        u32 mask = hd_ballot(share->scratch, v < job->n && job->levels[v < job->n ? v : 0] == pass->wanted);
        if (HD_LANE == 0)
            job->bits[k] = mask;
    }
}

/* Marks all vertices that the level behind can come from; a row for each warp. */
INLINE void bc_make_marks(const bc_job *job, const bc_pass *pass, u64 begin, u64 end) {
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 i = begin + index; i < end; i += HD_WARP_TOTAL) {
        u32 w = job->order[i];
        u64 last = job->in_offsets[w + 1];
        for (u64 e = job->in_offsets[w] + HD_LANE; e < last; e += HD_WARP)
            job->cursors[hd_constant(&job->in_targets[e])] = pass->level;
    }
}

/* One level, by all groups. */
INLINE void bc_do_level(const bc_job *job, LOCAL bc_share *share, bc_pass *pass, u32 count, u32 cut, u32 bigs_count) {
    u64 begin = job->starts[pass->level], end = job->starts[pass->level + 1];
    if (bc_plain(pass, count)) {
        bc_plain_level(job, pass, begin, end);
        return;
    }
    if (count <= BC_NEAR) {
        u64 behind = pass->back ? job->starts[pass->wanted + 1] - end : 0;
        pass->by_bits = 1;
        pass->marked = pass->back && behind * BC_MARK <= end - begin;
        bc_make_bits(job, share, pass);
        if (pass->marked)
            bc_make_marks(job, pass, end, end + behind);
        hd_grid_barrier(&job->words[BC_BARRIER]);
    }
    if (cut)
        bc_cut_rows(job, share, pass, cut);
    bc_rows(job, share, pass, begin, end);
    if (cut) {
        hd_grid_barrier(&job->words[BC_BARRIER]);
        bc_join(job, share, pass, bigs_count);
    }
}

/* Levels from .. to, forward or backward. All groups are on the device. */
KERNEL_DENSE(BC_GROUPS) bc_levels(BC_ARGUMENTS) {
    BC_BEGIN;
    u32 level = from, count = hd_load32(&words[BC_LEVELS]), cut = hd_load32(&words[BC_PARTS]);
    u32 bigs_count = hd_load32(&words[BC_BIGS]);
    for (;;) {
        bc_pass pass = bc_pass_of(&job, back, level);
        bc_do_level(&job, share, &pass, count, cut, bigs_count);
        if (level == to)
            break;
        level = back ? level - 1 : level + 1;
        hd_grid_barrier(&words[BC_BARRIER]);
    }
}
#endif

/* Level `from`, launch by launch. */
KERNEL bc_one_level(BC_ARGUMENTS) {
    BC_BEGIN;
    bc_pass pass = bc_pass_of(&job, back, from);
    u32 plain = bc_plain(&pass, hd_load32(&words[BC_LEVELS]));
    u64 begin = job.starts[from], end = job.starts[from + 1];
    if (plain)
        bc_plain_level(&job, &pass, begin, end);
    bc_rows(&job, share, &pass, plain ? end : begin, end);
}
KERNEL bc_one_cut(BC_ARGUMENTS) {
    BC_BEGIN;
    bc_pass pass = bc_pass_of(&job, back, from);
    bc_cut_rows(&job, share, &pass, bc_plain(&pass, hd_load32(&words[BC_LEVELS])) ? 0 : hd_load32(&words[BC_PARTS]));
}
KERNEL bc_one_join(BC_ARGUMENTS) {
    BC_BEGIN;
    bc_pass pass = bc_pass_of(&job, back, from);
    bc_join(&job, share, &pass, bc_plain(&pass, hd_load32(&words[BC_LEVELS])) ? 0 : hd_load32(&words[BC_BIGS]));
}
