/* pr_small.h - PageRank where a round is short: all rounds in one launch, whose groups wait for each other.
 *
 * Rows and in-edges make one list, a row before its edges, that is cut into units of equal length, a warp for each: no
 * row is too long, and none is a warp's work alone. A unit's shares are fetched all at once and turned into sums from
 * each place to the unit's end, of which two make a row's (sums are f64, so the difference is exact enough). Rows over
 * the end of a unit are joined when all units are done. Arrays that a round writes and the next one reads are never
 * read as constants. */
#define HD_ROOM (HD_EACH * HD_WARP) /* edges of a unit, at most; HD_EACH is even */
#define HD_FEW_PARTS 4u             /* rows of more are joined by a warp */
#define BARRIER 7                   /* of the words */

/* A lane's places are HD_EACH side by side, and one that is left free, so that lanes meet no others' banks. */
#define PLACE(i) ((i) + (i) / HD_EACH)

typedef union unit_room {
    f32 values[HD_WARP * (HD_EACH + 1)];
    f64 sums[HD_WARP * (HD_EACH + 1) + 1];
    tally tallies[HD_WARP];
} unit_room;

typedef struct cuts {
    u32 length, count, items; /* of a unit; units; of all */
    GLOBAL const u32 *firsts; /* the first row that begins in each unit, then n */
    GLOBAL f64 *parts; /* of each unit: the sum of what belongs to a row before, and of the row that goes on behind */
} cuts;

/* The first row whose place in the list is `place` or behind. */
KERNEL rank_cut(u32 n, u32 length, u32 count, GLOBAL const hd_offset *rows, GLOBAL u32 *firsts) {
    for (u64 u = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; u <= count; u += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 low = 0, high = n;
        while (low < high) {
            u32 middle = low + (high - low) / 2;
            if (rows[middle] + middle < u * length)
                low = middle + 1;
            else
                high = middle;
        }
        firsts[u] = u < count ? low : n;
    }
}

typedef struct row_facts {
    u32 low, high, degree;
    f32 before;
} row_facts;

INLINE row_facts ask_row(const graph *g, u32 row) {
    row_facts facts;
    facts.low = (u32)hd_constant(&g->rows[row]);
    facts.high = (u32)hd_constant(&g->rows[row + 1]);
    facts.before = g->before[row];
    facts.degree = g->out == g->rows ? facts.high - facts.low : out_degree(g, row);
    return facts;
}

/* Shares of edges begin .. end to their places. No read stands behind a branch: a lane without an edge reads the last
 * again. */
INLINE void take_shares(LOCAL unit_room *room, GLOBAL const u32 *sources, GLOBAL const f32 *shares, u32 begin,
                        u32 end) {
    u32 from[HD_EACH], last = end ? end - 1 : 0, count = end - begin;
    f32 got[HD_EACH];
    HD_UNROLL for (u32 i = 0; i < HD_EACH; i++) from[i] =
        hd_constant(&sources[MINIMUM(begin + i * HD_WARP + HD_LANE, last)]);
    HD_UNROLL for (u32 i = 0; i < HD_EACH; i++) got[i] = shares[from[i]];
    hd_warp_barrier();
    HD_UNROLL for (u32 i = 0; i < HD_EACH; i++) room->values[PLACE(i * HD_WARP + HD_LANE)] =
        i * HD_WARP + HD_LANE < count ? got[i] : 0.0f;
    hd_warp_barrier();
}

/* Turns values into sums from each place on. */
INLINE void add_up(LOCAL unit_room *room, LOCAL f64 *scratch) {
    u32 mine = HD_LANE * (HD_EACH + 1);
    f32 got[HD_EACH];
    f64 all = 0, behind;
    HD_UNROLL for (u32 i = 0; i < HD_EACH; i++) got[i] = room->values[mine + i];
    HD_UNROLL for (u32 i = 0; i < HD_EACH; i++) all += (f64)got[i];
    for (u32 distance = 1; distance < HD_WARP; distance *= 2) {
        f64 other = shift_sum(scratch, all, distance);
        all += HD_LANE + distance < HD_WARP ? other : 0;
    }
    behind = shift_sum(scratch, all, 1);
    behind = HD_LANE + 1 < HD_WARP ? behind : 0;
    hd_warp_barrier();
    HD_UNROLL for (u32 i = HD_EACH; i > 0; i--) {
        behind += (f64)got[i - 1];
        room->sums[mine + i - 1] = behind;
    }
    if (HD_LANE == 0)
        room->sums[HD_WARP * (HD_EACH + 1)] = 0;
    hd_warp_barrier();
}

INLINE f64 sum_between(LOCAL const unit_room *room, u32 from, u32 to) {
    return room->sums[PLACE(from)] - room->sums[PLACE(to)];
}

INLINE void walk_unit(const graph *g, const cuts *c, LOCAL unit_room *room, LOCAL f64 *scratch,
                      GLOBAL const u32 *sources, GLOBAL const f32 *shares, u32 u, tally *total) {
    u32 first = hd_constant(&c->firsts[u]), next = hd_constant(&c->firsts[u + 1]);
    u32 begin = u * c->length - first, end = MINIMUM((u + 1) * c->length, c->items) - next;
    row_facts facts = ask_row(g, MINIMUM(first + HD_LANE, g->n - 1)); /* asked for before they are needed */
    take_shares(room, sources, shares, begin, end);
    add_up(room, scratch);
    if (HD_LANE == 0)
        c->parts[2 * u] = sum_between(room, 0, (first < g->n ? MINIMUM(facts.low, end) : end) - begin);
    for (u32 row = first + HD_LANE; row < next; row += HD_WARP) {
        row_facts now = facts;
        u32 over = now.high > end;
        f64 sum = sum_between(room, now.low - begin, (over ? end : now.high) - begin);
        facts = ask_row(g, MINIMUM(row + HD_WARP, next - 1));
        if (over)
            c->parts[2 * u + 1] = sum;
        else
            finish_with(g, row, now.before, now.degree, sum, total);
    }
}

/* The unit in which the row before `behind` ends. */
INLINE u32 last_unit(const graph *g, const cuts *c, u32 behind) {
    return (u32)(hd_constant(&g->rows[behind]) + behind - 1) / c->length;
}

/* The sums of the lanes' numbers, for all lanes. One after the other: shared memory is quick enough, and compilers that
 * have a hard time with barriers in loops get none. */
INLINE f64 add_lanes(LOCAL unit_room *room, f64 mine) {
    f64 sum = 0;
    hd_warp_barrier();
    room->sums[HD_LANE] = mine;
    hd_warp_barrier();
    for (u32 i = 0; i < HD_WARP; i++)
        sum += room->sums[i];
    return sum;
}
INLINE tally add_tallies(LOCAL unit_room *room, tally mine) {
    tally sum;
    hd_warp_barrier();
    room->tallies[HD_LANE] = mine;
    hd_warp_barrier();
    sum.change = 0, sum.idle = 0;
    for (u32 i = 0; i < HD_WARP; i++) {
        sum.change += room->tallies[i].change;
        sum.idle += room->tallies[i].idle;
    }
    return sum;
}

/* Rows that go over the end of a unit, a lane for each unit. */
INLINE void join_units(const graph *g, const cuts *c, LOCAL unit_room *room, LOCAL u32 *votes, tally *total) {
    u32 step = (u32)HD_GROUP_TOTAL * HD_WARPS * HD_WARP;
    for (u32 base = (HD_WARP_HERE * (u32)HD_GROUP_TOTAL + (u32)HD_GROUP_INDEX) * HD_WARP; base < c->count;
         base += step) {
        u32 u = MINIMUM(base + HD_LANE, c->count - 1), behind = hd_constant(&c->firsts[u + 1]);
        u32 there = base + HD_LANE < c->count && behind > hd_constant(&c->firsts[u]);
        u32 last = there ? last_unit(g, c, behind) : u, many = last - u > HD_FEW_PARTS;
        u32 lanes = hd_ballot(votes, (int)many);
        f64 sum = last > u ? c->parts[2 * u + 1] : 0;
        for (u32 k = u + 1; k <= last && !many; k++)
            sum += c->parts[2 * k];
        while (lanes) {
            u32 lane = hd_lowest(lanes), from = base + lane, to = last_unit(g, c, hd_constant(&c->firsts[from + 1]));
            f64 some = 0;
            for (u32 k = from + 1 + HD_LANE; k <= to; k += HD_WARP)
                some += c->parts[2 * k];
            some = add_lanes(room, some);
            sum += HD_LANE == lane ? some : 0;
            lanes &= lanes - 1;
        }
        if (last > u)
            finish_with(g, behind - 1, g->before[behind - 1], out_degree(g, behind - 1), sum, total);
    }
}

/* Rounds from words[ITERATION] on, `rounds` at most. */
KERNEL_DENSE(HD_GROUPS)
rank_small(u32 n, u32 items, u32 length, u32 count, u32 rounds, u32 renamed, GLOBAL const u32 *RESTRICT names,
           GLOBAL const hd_offset *rows, GLOBAL const u32 *RESTRICT sources, GLOBAL const hd_offset *out,
           GLOBAL f32 *even_ranks, GLOBAL f32 *odd_ranks, GLOBAL f32 *even_shares, GLOBAL f32 *odd_shares,
           GLOBAL const u32 *RESTRICT firsts, GLOBAL f64 *parts, GLOBAL u32 *words, GLOBAL f64 *numbers,
           GLOBAL tally *partials) {
    HD_LARGE_SHARED(unit_room, rooms, 1);
    SHARED f64 scratches[HD_WARPS][HD_SCRATCH];
    SHARED u32 votes[HD_WARPS][HD_WARP + 2];
    SHARED tally warps[HD_WARPS];
    LOCAL unit_room *room = &rooms[HD_WARP_HERE];
    u32 iteration = words[ITERATION], converged = words[CONVERGED], done = words[DONE];
    u32 each = (count + (u32)HD_GROUP_TOTAL - 1) / (u32)HD_GROUP_TOTAL, begin = (u32)HD_GROUP_INDEX * each;
    u32 end = MINIMUM(begin + each, count);
    f64 residual = numbers[RESIDUAL];
    graph g;
    cuts c;
    tally sum;
    g.n = n, g.rows = rows, g.out = out, g.renamed = renamed, g.names = names;
    g.damping = numbers[DAMPING], g.base = numbers[BASE];
    c.length = length, c.count = count, c.items = items, c.firsts = firsts, c.parts = parts;
    for (u32 round = 0; round < rounds && !done; round++) {
        u32 odd = iteration % 2;
        g.before = odd ? odd_ranks : even_ranks;
        g.ranks = odd ? even_ranks : odd_ranks;
        g.next = odd ? even_shares : odd_shares;
        sum.change = 0, sum.idle = 0;
        for (u32 u = begin + HD_WARP_HERE; u < end; u += HD_WARPS)
            walk_unit(&g, &c, room, scratches[HD_WARP_HERE], sources, odd ? odd_shares : even_shares, u, &sum);
        hd_grid_barrier(&words[BARRIER]);
        join_units(&g, &c, room, votes[HD_WARP_HERE], &sum);
        sum = add_tallies(room, sum);
        if (HD_LANE == 0)
            warps[HD_WARP_HERE] = sum;
        hd_group_barrier();
        if (HD_GROUP_LANE == 0) {
            for (u32 i = 1; i < HD_WARPS; i++) {
                sum.change += warps[i].change;
                sum.idle += warps[i].idle;
            }
            partials[HD_GROUP_INDEX] = sum;
        }
        hd_grid_barrier(&words[BARRIER]);
        sum.change = 0, sum.idle = 0;
        for (u32 i = HD_LANE; i < HD_GROUP_TOTAL; i += HD_WARP) { /* every warp for itself, all the same */
            sum.change += partials[i].change;
            sum.idle += partials[i].idle;
        }
        sum = add_tallies(room, sum);
        residual = sum.change;
        g.base = (1 - g.damping + g.damping * sum.idle) / (f64)n;
        iteration++;
        converged = residual < numbers[TOLERANCE];
        done = converged || iteration == words[LIMIT];
    }
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        words[DONE] = done;
        words[CONVERGED] = converged;
        words[ITERATION] = iteration;
        numbers[RESIDUAL] = residual;
        numbers[BASE] = g.base;
    }
}
