/* pr_small.cl - PageRank on small graphs: all rounds in one cooperative launch.
 * Idea: rows and edges as one list cut evenly, as in merge-based CsrMV (Merrill and Garland, SC 2016), with barriers
 * over the grid between rounds. Saves the launches of a round, which weigh where a round is short.
 *
 * The list has a row before its edges and is cut into units of equal length, a warp for each: no row is too long. A
 * unit's shares are fetched all at once and replaced by suffix sums, of which two make a row's (sums are f64, so the
 * difference is exact enough). Rows across the end of a unit are joined when all units are done. Arrays that a round
 * writes and the next one reads are never read as constants. */
#define HD_ROOM (HD_EACH * HD_WARP) /* most edges of a unit; HD_EACH is even */
#define HD_FEW_PARTS 4u             /* rows of more parts are joined by a whole warp */

/* A lane has HD_EACH adjacent places, followed by an unused one: so lanes access different banks of shared memory. */
#define PLACE(i) ((i) + (i) / HD_EACH)

typedef union unit_room {
    f32 values[HD_WARP * (HD_EACH + 1)];
    f64 sums[HD_WARP * (HD_EACH + 1) + 1];
    tally tallies[HD_WARP];
} unit_room;

/* How the list of rows and edges is cut into units. */
typedef struct cuts {
    u32 length, count, items; /* items per unit; units; items of the whole list */
    GLOBAL const u32 *firsts; /* the first row that begins in each unit, then n */
    GLOBAL const u32 *lasts;  /* the unit in which the last row that begins in each unit ends */
    GLOBAL f64 *parts; /* per unit: sum for a row that began in an earlier unit, and for the row that continues */
} cuts;

/* The first row whose place in the list is `place` or later. */
INLINE u32 find_row(GLOBAL const hd_offset *rows, u32 n, u32 place) {
    u32 low = 0, high = n;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (rows[middle] + middle < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Finds the rows that begin in each unit, and where the last of them ends. */
KERNEL rank_cut(u32 n, u32 length, u32 count, GLOBAL const hd_offset *rows, GLOBAL u32 *firsts) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < count; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 u = (u32)i, first = find_row(rows, n, u * length);
        u32 next = u + 1 < count ? find_row(rows, n, (u + 1) * length) : n;
        firsts[u] = first;
        firsts[u + 1] = next;
        firsts[count + 1 + u] = next > first ? (u32)(rows[next] + next - 1) / length : u;
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

/* A unit that is summed next: edges begin .. end, rows first .. next, the sources of the lane's edges. */
typedef struct unit {
    u32 number, first, next, begin, end;
    u32 from[HD_EACH];
} unit;

/* Loads the bounds and the sources of a unit. No load is conditional: a lane without an edge reads the last one
 * again. */
INLINE void ask_unit(const cuts *c, GLOBAL const u32 *sources, u32 number, unit *w) {
    u32 last;
    w->number = number;
    w->first = hd_constant(&c->firsts[number]);
    w->next = hd_constant(&c->firsts[number + 1]);
    w->begin = number * c->length - w->first;
    w->end = MINIMUM((number + 1) * c->length, c->items) - w->next;
    last = w->end ? w->end - 1 : 0;
    HD_UNROLL for (u32 i = 0; i < HD_EACH; i++) w->from[i] =
        hd_constant(&sources[MINIMUM(w->begin + i * HD_WARP + HD_LANE, last)]);
}

/* Turns the values of a unit into suffix sums. */
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

/* Sums the rows of unit `w`, and loads unit `then` ahead. */
INLINE void walk_unit(const graph *g, const cuts *c, LOCAL unit_room *room, LOCAL f64 *scratch,
                      GLOBAL const u32 *sources, GLOBAL const f32 *shares, unit *w, u32 then, tally *total) {
    u32 number = w->number, first = w->first, next = w->next, begin = w->begin, end = w->end;
    f32 got[HD_EACH];
    row_facts facts;
    HD_UNROLL for (u32 i = 0; i < HD_EACH; i++) got[i] = shares[w->from[i]];
    facts = ask_row(g, MINIMUM(first + HD_LANE, g->n - 1)); /* loaded early, as is the next unit */
    if (then != number)
        ask_unit(c, sources, then, w);
    hd_warp_barrier();
    HD_UNROLL for (u32 i = 0; i < HD_EACH; i++) room->values[PLACE(i * HD_WARP + HD_LANE)] =
        i * HD_WARP + HD_LANE < end - begin ? got[i] : 0.0f;
    hd_warp_barrier();
    add_up(room, scratch);
    if (HD_LANE == 0)
        c->parts[2 * number] = sum_between(room, 0, (first < g->n ? MINIMUM(facts.low, end) : end) - begin);
    for (u32 row = first + HD_LANE; row < next; row += HD_WARP) {
        row_facts now = facts;
        u32 over = now.high > end;
        f64 sum = sum_between(room, now.low - begin, (over ? end : now.high) - begin);
        facts = ask_row(g, MINIMUM(row + HD_WARP, next - 1));
        if (over)
            c->parts[2 * number + 1] = sum;
        else
            finish_with(g, row, share_place(g, row), now.before, now.degree, sum, total);
    }
}

/* The sum over the warp, for all lanes; all lanes call it. It has no barrier in a loop, which some compilers take very
 * long to compile. */
INLINE f64 add_lanes(LOCAL f64 *places, f64 mine) {
    f64 sum = 0;
    hd_warp_barrier();
    places[HD_LANE] = mine;
    hd_warp_barrier();
    for (u32 i = 0; i < HD_WARP; i++)
        sum += places[i];
    return sum;
}
INLINE tally add_tallies(LOCAL tally *places, tally mine) {
    tally even, odd; /* two independent chains of additions */
    hd_warp_barrier();
    places[HD_LANE] = mine;
    hd_warp_barrier();
    even.change = 0, even.idle = 0, odd.change = 0, odd.idle = 0;
    HD_UNROLL for (u32 i = 0; i < HD_WARP; i += 2) {
        even.change += places[i].change;
        even.idle += places[i].idle;
        odd.change += places[i + 1].change;
        odd.idle += places[i + 1].idle;
    }
    even.change += odd.change;
    even.idle += odd.idle;
    return even;
}

/* A row that crosses the end of unit `number` and ends in unit `last`; if there is none, the two are equal. */
typedef struct seam {
    u32 number, last, row, degree;
    f32 before;
} seam;

INLINE seam ask_seam(const graph *g, const cuts *c, u32 number) {
    seam s;
    s.number = MINIMUM(number, c->count - 1);
    s.last = number < c->count ? hd_constant(&c->lasts[s.number]) : s.number;
    s.row = hd_constant(&c->firsts[s.number + 1]);
    s.row = s.row ? s.row - 1 : 0;
    s.before = g->before[s.row];
    s.degree = out_degree(g, s.row);
    return s;
}

/* The first unit whose seam this warp joins; each lane joins the seam of one unit. */
#define FIRST_SEAM ((HD_WARP_HERE * (u32)HD_GROUP_TOTAL + (u32)HD_GROUP_INDEX) * HD_WARP)

/* Finishes rows that cross the end of a unit. `next`: the lane's first seam. */
INLINE void join_seams(const graph *g, const cuts *c, LOCAL unit_room *room, LOCAL u32 *votes, seam next,
                       tally *total) {
    u32 step = (u32)HD_GROUP_TOTAL * HD_WARPS * HD_WARP;
    for (u32 base = FIRST_SEAM; base < c->count; base += step) {
        seam s = next;
        u32 many = s.last - s.number > HD_FEW_PARTS, lanes = hd_ballot(votes, (int)many);
        f64 sum = s.last > s.number ? c->parts[2 * s.number + 1] : 0;
        for (u32 k = s.number + 1; k <= s.last && !many; k++)
            sum += c->parts[2 * k];
        while (lanes) {
            u32 lane = hd_lowest(lanes), from = base + lane, to = hd_constant(&c->lasts[from]);
            f64 some = 0;
            for (u32 k = from + 1 + HD_LANE; k <= to; k += HD_WARP)
                some += c->parts[2 * k];
            some = add_lanes(room->sums, some);
            sum += HD_LANE == lane ? some : 0;
            lanes &= lanes - 1;
        }
        if (s.last > s.number)
            finish_with(g, s.row, share_place(g, s.row), s.before, s.degree, sum, total);
        next = ask_seam(g, c, base + step + HD_LANE);
    }
}

/* At most `rounds` rounds, from words[RANK_ITERATION] on. */
KERNEL_DENSE(HD_GROUPS)
rank_small(u32 n, u32 items, u32 length, u32 count, u32 rounds, u32 renamed, GLOBAL const u32 *RESTRICT names,
           GLOBAL const hd_offset *rows, GLOBAL const u32 *RESTRICT sources, GLOBAL const hd_offset *out,
           GLOBAL f32 *even_ranks, GLOBAL f32 *odd_ranks, GLOBAL f32 *even_shares, GLOBAL f32 *odd_shares,
           GLOBAL const u32 *RESTRICT firsts, GLOBAL f64 *parts, GLOBAL u32 *words, GLOBAL f64 *numbers,
           GLOBAL tally *partials) {
    HD_LARGE_SHARED(unit_room, rooms, 1);
    SHARED f64 scratches[HD_WARPS][HD_SCRATCH];
    SHARED u32 votes[HD_WARPS][HD_WARP + 2];
    SHARED tally places[HD_WARP];
    SHARED tally whole;
    LOCAL unit_room *room = &rooms[HD_WARP_HERE];
    u32 iteration = words[RANK_ITERATION], converged = words[RANK_CONVERGED], done = words[RANK_DONE];
    u32 each = (count + (u32)HD_GROUP_TOTAL - 1) / (u32)HD_GROUP_TOTAL, begin = (u32)HD_GROUP_INDEX * each;
    u32 end = MINIMUM(begin + each, count);
    f64 residual = numbers[RANK_RESIDUAL], one = 1 / (f64)n;
    graph g;
    cuts c;
    unit w;
    tally sum;
    begin += HD_WARP_HERE;
    g.n = n, g.rows = rows, g.out = out, g.renamed = renamed, g.names = names;
    g.damping = numbers[RANK_DAMPING], g.base = numbers[RANK_BASE];
    c.length = length, c.count = count, c.items = items, c.firsts = firsts, c.lasts = firsts + count + 1;
    c.parts = parts;
    ask_unit(&c, sources, MINIMUM(begin, count - 1), &w);
    for (u32 round = 0; round < rounds && !done; round++) {
        u32 odd = iteration % 2;
        GLOBAL const f32 *shares = odd ? odd_shares : even_shares;
        seam first;
        g.before = odd ? odd_ranks : even_ranks;
        g.ranks = odd ? even_ranks : odd_ranks;
        g.next = odd ? even_shares : odd_shares;
        sum.change = 0, sum.idle = 0;
        for (u32 u = begin; u < end; u += HD_WARPS)
            walk_unit(&g, &c, room, scratches[HD_WARP_HERE], sources, shares, &w,
                      u + HD_WARPS < end ? u + HD_WARPS : begin, &sum);
        first = ask_seam(&g, &c, FIRST_SEAM + HD_LANE);
        hd_grid_barrier(&words[RANK_BARRIER]);
        join_seams(&g, &c, room, votes[HD_WARP_HERE], first, &sum);
        hd_warp_barrier();
        room->tallies[HD_LANE] = sum;
        hd_group_barrier();
        HD_IF_UNIFORM(HD_WARP_HERE == 0) {
            sum.change = 0, sum.idle = 0;
            HD_UNROLL for (u32 i = 0; i < HD_WARPS; i++) {
                sum.change += rooms[i].tallies[HD_LANE].change;
                sum.idle += rooms[i].tallies[HD_LANE].idle;
            }
            sum = add_tallies(places, sum);
            if (HD_LANE == 0)
                partials[HD_GROUP_INDEX] = sum;
        }
        hd_grid_barrier(&words[RANK_BARRIER]);
        HD_IF_UNIFORM(HD_WARP_HERE == 0) { /* every group computes the same sum */
            sum.change = 0, sum.idle = 0;
            for (u32 i = HD_LANE; i < HD_GROUP_TOTAL; i += HD_WARP) {
                sum.change += partials[i].change;
                sum.idle += partials[i].idle;
            }
            sum = add_tallies(places, sum);
            if (HD_LANE == 0)
                whole = sum;
        }
        hd_group_barrier();
        sum = whole;
        residual = sum.change;
        g.base = (1 - g.damping + g.damping * sum.idle) * one;
        iteration++;
        converged = residual < numbers[RANK_TOLERANCE];
        done = converged || iteration == words[RANK_LIMIT];
    }
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        words[RANK_DONE] = done;
        words[RANK_CONVERGED] = converged;
        words[RANK_ITERATION] = iteration;
        numbers[RANK_RESIDUAL] = residual;
        numbers[RANK_BASE] = g.base;
    }
}
