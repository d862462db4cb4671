/* bc_levels.cl - the forward and backward passes of bc.cl: all levels in one launch (BC_RESIDENT), or one level per
 * launch.
 * Idea: gather, with lanes by row length; one cooperative launch, since a barrier over the grid is cheaper than a
 * launch. A level with far fewer edges than the next pushes its path counts instead: on urand22 that took bc from 3.09
 * to 2.40 ms (bench/notes).
 *
 * BC_TEAM lanes share a row, a whole warp a longer one; rows of more than BC_LONG edges are cut into parts that are
 * summed separately and joined by bc_join. A push (BC_PUSH: how many times fewer edges; 0: never) uses atomics, and
 * only where all counts are known to be whole numbers below 2^53, so that the order of additions does not show. */

/* Sums the rows of a level, except those that are cut into parts. */
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

/* Whether the vertex is of this level and has neighbours to add. */
INLINE int bc_counts(const bc_job *job, const bc_pass *pass, u32 v) {
    return job->levels[v] == pass->level && !(pass->marked && job->cursors[v] != pass->level);
}

/* Sums the parts of long rows whose vertex is of this level. The parts of a row are adjacent in the list, and adjacent
 * parts go to different warps. */
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
#if BC_EXTENDED
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

/* Sums the parts of each long row, one warp per row; they are adjacent in `sums`. */
INLINE void bc_join(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass, u32 count) {
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 i = index; i < count; i += HD_WARP_TOTAL) {
        u32 v = job->bigs[2 * i], here = job->levels[v] == pass->level, length;
        u64 base = job->bigs[2 * i + 1];
        bc_value sum = bc_zero();
        length = bc_counts(job, pass, v) ? (u32)(pass->offsets[v + 1] - pass->offsets[v]) : 0;
        for (u32 k = HD_LANE; k * BC_PART < length; k += HD_WARP) {
            bc_value one = bc_zero();
#if BC_EXTENDED
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

#if BC_PUSH
/* Adds a path count to the targets of edges begin, begin + stride … below end of the row that begins at `first`. */
INLINE void bc_spread(const bc_job *job, const bc_pass *pass, f64 count, u64 first, u64 begin, u64 end, u32 stride) {
    for (u64 e = begin; e < end; e += 2 * stride) {
        u64 f = e + stride < end ? e + stride : e;
        u32 u = hd_constant(&pass->targets[e]), w = hd_constant(&pass->targets[f]);
        int a = bc_edge_counts(job, pass, first, e, u), b = f != e && bc_edge_counts(job, pass, first, f, w);
        if (a)
            hd_add_f64(&job->sigma[u], count);
        if (b)
            hd_add_f64(&job->sigma[w], count);
    }
}

/* Pushes the path counts of vertices order[begin .. end], except those whose rows are cut into parts. */
INLINE void bc_push_rows(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass, u64 begin, u64 end) {
    u32 lane = HD_LANE, at_once = HD_WARP / BC_TEAM, part = lane % BC_TEAM;
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 base = begin + index * at_once; base < end; base += HD_WARP_TOTAL * at_once) {
        u64 i = base + lane / BC_TEAM, first = 0, last = 0;
        u32 v = 0, rest, team, cut;
        if (i < end) {
            v = job->order[i];
            first = pass->offsets[v], last = pass->offsets[v + 1];
        }
        cut = bc_degree(job, v) > BC_LONG;
        team = last - first <= BC_TEAM_ROW && !cut;
        bc_spread(job, pass, job->sigma[v], first, first + part, team ? last : first, BC_TEAM);
        rest = hd_ballot(share->scratch, i < end && part == 0 && !team && !cut);
        share->rows[lane] = v;
        hd_warp_barrier();
        for (; rest; rest &= rest - 1) {
            u32 w = share->rows[hd_lowest(rest)];
            first = pass->offsets[w], last = pass->offsets[w + 1];
            bc_spread(job, pass, job->sigma[w], first, first + lane, last, HD_WARP);
        }
        hd_warp_barrier();
    }
}

/* Pushes path counts along the parts of long rows, one warp per part. */
INLINE void bc_push_parts(const bc_job *job, const bc_pass *pass, u32 count) {
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 k = index; k < count; k += HD_WARP_TOTAL) {
        u32 v = job->parts[2 * k];
        u64 first = pass->offsets[v], end = pass->offsets[v + 1];
        u64 begin = first + (u64)job->parts[2 * k + 1] * BC_PART;
        end = job->levels[v] + 1 != pass->level ? begin : begin + BC_PART < end ? begin + BC_PART : end;
        bc_spread(job, pass, job->sigma[v], first, begin + HD_LANE, end, HD_WARP);
    }
}
#endif

#define BC_EXACT 9007199254740992.0 /* 2^53: up to here a double holds all whole numbers */

/* An upper bound of the path counts of a level. A vertex has at most as many predecessors as the level above has
 * vertices, and at most as many as the largest degree; the bound is the product over all levels above. */
INLINE f64 bc_paths(const bc_job *job, u32 level) {
    u32 most = hd_load32(&job->words[BC_MOST]);
    f64 paths = 1;
    for (u32 i = 1; i < level && paths <= BC_EXACT; i++) {
        u32 size = job->starts[i + 1] - job->starts[i];
        paths *= size < most ? size : most;
    }
    return paths;
}

/* Whether the level above pushes its path counts to this one. If so, the pass is changed to walk its out-edges.
 * `count`: number of levels. */
INLINE int bc_pushes(const bc_job *job, bc_pass *pass, u32 count) {
#if BC_PUSH
    u32 here = 0;
    u64 above = 0;
    if (!pass->back && count <= BC_NEAR) {
        above = hd_load32(&job->words[BC_HEAVY + pass->level - 1]);
        here = hd_load32(&job->words[BC_HEAVY + pass->level]);
    }
    if (above * BC_PUSH >= here || bc_paths(job, pass->level) > BC_EXACT)
        return 0;
    pass->offsets = job->out_offsets, pass->targets = job->out_targets;
    pass->wanted = pass->level;
    return 1;
#else
    (void)job, (void)pass, (void)count;
    return 0;
#endif
}

/* Whether the level needs no sums (bc_plain_one). */
INLINE int bc_plain(const bc_pass *pass, u32 count) { return pass->back ? pass->level + 1 == count : pass->level == 1; }

#if BC_RESIDENT
/* Fills the bitmap of level `wanted`, which stays in the cache while `levels` does not. */
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

/* Backward: marks the in-neighbours of the next level, order[begin .. end], one warp per row. Rows of vertices without
 * a mark need not be read. */
INLINE void bc_make_marks(const bc_job *job, const bc_pass *pass, u64 begin, u64 end) {
    u64 index = (u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX;
    for (u64 i = begin + index; i < end; i += HD_WARP_TOTAL) {
        u32 w = job->order[i];
        u64 last = job->in_offsets[w + 1];
        for (u64 e = job->in_offsets[w] + HD_LANE; e < last; e += HD_WARP)
            job->cursors[hd_constant(&job->in_targets[e])] = pass->level;
    }
}

/* Handles one level, by all groups together. */
INLINE void bc_do_level(const bc_job *job, LOCAL bc_share *share, bc_pass *pass, u32 count, u32 cut, u32 bigs_count) {
    u64 begin = job->starts[pass->level], end = job->starts[pass->level + 1];
    u32 pushes = 0;
    if (bc_plain(pass, count)) {
        bc_plain_level(job, pass, begin, end);
        return;
    }
    if (count <= BC_NEAR) {
        u64 behind = pass->back ? job->starts[pass->wanted + 1] - end : 0;
        pushes = bc_pushes(job, pass, count);
        pass->by_bits = 1;
        pass->marked = pass->back && behind * BC_MARK <= end - begin;
        bc_make_bits(job, share, pass);
        if (pass->marked)
            bc_make_marks(job, pass, end, end + behind);
        hd_grid_barrier(&job->words[BC_BARRIER]);
    }
#if BC_PUSH
    if (pushes) {
        bc_push_parts(job, pass, cut);
        bc_push_rows(job, share, pass, job->starts[pass->level - 1], begin);
        return;
    }
#endif
    if (cut)
        bc_cut_rows(job, share, pass, cut);
    bc_rows(job, share, pass, begin, end);
    if (cut) {
        hd_grid_barrier(&job->words[BC_BARRIER]);
        bc_join(job, share, pass, bigs_count);
    }
}

/* Handles levels from .. to, forward or backward. All groups are resident (a cooperative launch). */
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

/* Level `from` in three launches, for devices without a grid barrier: its rows, the parts of long rows, their sums. */
KERNEL bc_one_level(BC_ARGUMENTS) {
    BC_BEGIN;
    bc_pass pass = bc_pass_of(&job, back, from);
    u32 count = hd_load32(&words[BC_LEVELS]), plain = bc_plain(&pass, count);
    u32 pushes = !plain && bc_pushes(&job, &pass, count);
    u64 begin = job.starts[from], end = job.starts[from + 1];
    if (plain)
        bc_plain_level(&job, &pass, begin, end);
#if BC_PUSH
    bc_push_rows(&job, share, &pass, pushes ? job.starts[from - 1] : begin, begin);
#endif
    bc_rows(&job, share, &pass, plain || pushes ? end : begin, end);
}
KERNEL bc_one_cut(BC_ARGUMENTS) {
    BC_BEGIN;
    bc_pass pass = bc_pass_of(&job, back, from);
    u32 count = hd_load32(&words[BC_LEVELS]), plain = bc_plain(&pass, count);
    u32 pushes = !plain && bc_pushes(&job, &pass, count);
    u32 parts_count = plain ? 0 : hd_load32(&words[BC_PARTS]);
#if BC_PUSH
    bc_push_parts(&job, &pass, pushes ? parts_count : 0);
#endif
    bc_cut_rows(&job, share, &pass, pushes ? 0 : parts_count);
}
KERNEL bc_one_join(BC_ARGUMENTS) {
    BC_BEGIN;
    bc_pass pass = bc_pass_of(&job, back, from);
    u32 count = hd_load32(&words[BC_LEVELS]), none = bc_plain(&pass, count) || bc_pushes(&job, &pass, count);
    bc_join(&job, share, &pass, none ? 0 : hd_load32(&words[BC_BIGS]));
}
