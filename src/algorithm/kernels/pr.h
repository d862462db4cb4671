/* pr.h - kernels of PageRank: pull, balanced over rows and edges together, without atomics.
 *
 * Rows' ends and edges, merged into one sequence (merge path: Merrill and Garland), are cut into tiles of HD_TILE
 * places. A warp takes a tile: it gathers the shares of all its edges into shared memory, HD_ITEMS to a lane at once,
 * so that many are on their way; then every lane adds up HD_ITEMS places of the merged sequence, and rows that several
 * lanes have parts of are joined by a segmented scan. A row that lies in several tiles leaves its parts in `heads` (the
 * row began before the tile) and `tails` (it goes on behind it), which rank_join adds up in order. HD_ITEMS is odd, so
 * that lanes reading so far apart meet in no bank. What a round does is decided in rank_turn; once words[DONE] is set
 * the kernels do nothing. */
#define HD_LANES 256u /* in a group, at most */
#define HD_ITEMS 15u
#define HD_TILE (HD_WARP * HD_ITEMS)

#define DONE 0
#define CONVERGED 1
#define ITERATION 2
#define LIMIT 3
#define DAMPING 0
#define BASE 1 /* what every vertex gets beside its neighbours' shares */
#define TOLERANCE 2
#define RESIDUAL 3

#define MINIMUM(a, b) ((a) < (b) ? (a) : (b))

#ifdef HD_OFFSET_64
typedef u64 hd_offset;
#else
typedef u32 hd_offset;
#endif

/* What a lane, a group, a round adds up: changes of ranks, and the rank of vertices without out-edges. */
typedef struct tally {
    f64 change, idle;
} tally;

typedef struct graph {
    u32 n;
    GLOBAL const hd_offset *rows; /* in-edges */
    GLOBAL const hd_offset *out;
    GLOBAL const f32 *before; /* ranks of the round before. Never the place that new ones go to: a read of what is about
                                 to be written holds up the memory system out of all proportion. */
    GLOBAL f32 *ranks;
    GLOBAL f32 *next;        /* shares of the next round: rank / out-degree */
    GLOBAL const u32 *names; /* where a vertex' share stands, if they are `renamed` */
    u32 renamed;
    f64 damping, base;
} graph;

INLINE void set_share(const graph *g, u64 v, f32 rank, tally *sum) {
    u32 degree = (u32)(g->out[v + 1] - g->out[v]);
    g->next[g->renamed ? g->names[v] : v] = degree ? rank / (f32)degree : 0.0f;
    sum->idle += degree ? 0 : (f64)rank;
}

INLINE void finish_row(const graph *g, u64 v, f64 shares, tally *sum) {
    f32 before = hd_constant(&g->before[v]), after = (f32)(g->base + g->damping * shares);
    f64 change = (f64)after - (f64)before;
    g->ranks[v] = after;
    sum->change += change < 0 ? -change : change;
    set_share(g, v, after, sum);
}

/* The group's sum, to its place. All lanes call this. */
INLINE void report(LOCAL tally *all, tally mine, GLOBAL tally *place) {
    u32 lane = HD_GROUP_LANE;
    hd_group_barrier();
    all[lane] = mine;
    hd_group_barrier();
    for (u32 distance = HD_GROUP_SIZE / 2; distance; distance /= 2) {
        if (lane < distance) {
            all[lane].change += all[lane + distance].change;
            all[lane].idle += all[lane + distance].idle;
        }
        hd_group_barrier();
    }
    if (lane == 0)
        *place = all[0];
}

/* The rows in which tiles begin. */
KERNEL rank_cut(u32 n, u32 tiles, GLOBAL const hd_offset *rows, GLOBAL u32 *layout) {
    u64 all = (u64)n + rows[n];
    for (u64 k = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; k <= tiles; k += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 place = MINIMUM(k * HD_TILE, all), low = 0, high = n;
        while (low < high) {
            u64 middle = low + (high - low) / 2;
            if ((u64)rows[middle + 1] + middle < place)
                low = middle + 1;
            else
                high = middle;
        }
        layout[k] = (u32)low;
    }
}

/* ---- Renaming: shares that many edges ask for stand side by side, where caches hold them -------------------------- */

#define HD_CLASSES 33u /* by the length of the out-degree in bits */
#define HD_RUN 8u      /* vertices to a lane at a time: what was near stays near */

INLINE u32 class_of(GLOBAL const hd_offset *out, u64 v) {
    u32 degree = (u32)(out[v + 1] - out[v]), bits = 0;
    for (; degree; degree >>= 1)
        bits++;
    return HD_CLASSES - 1 - bits;
}

/* How many vertices there are of each class, the largest degrees first. */
KERNEL rank_classes(u32 n, GLOBAL const hd_offset *out, GLOBAL u32 *counts) {
    SHARED u32 here[HD_CLASSES];
    for (u32 i = HD_GROUP_LANE; i < HD_CLASSES; i += HD_GROUP_SIZE)
        here[i] = 0;
    hd_group_barrier();
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        hd_add_local(&here[class_of(out, v)], 1);
    hd_group_barrier();
    for (u32 i = HD_GROUP_LANE; i < HD_CLASSES; i += HD_GROUP_SIZE)
        hd_add32(&counts[i], here[i]);
}

/* counts: where each class begins; they move on as vertices take their places. Which vertex of a class comes first does
 * not matter to any result. */
KERNEL rank_names(u32 n, GLOBAL const hd_offset *out, GLOBAL u32 *counts, GLOBAL u32 *names) {
    SHARED u32 here[HD_CLASSES];
    u64 block = (u64)HD_GROUP_SIZE * HD_RUN, blocks = (n + block - 1) / block;
    for (u64 b = HD_GROUP_INDEX; b < blocks; b += HD_GROUP_TOTAL) {
        hd_group_barrier();
        for (u32 i = HD_GROUP_LANE; i < HD_CLASSES; i += HD_GROUP_SIZE)
            here[i] = 0;
        hd_group_barrier();
        for (u32 i = 0; i < HD_RUN; i++) {
            u64 v = b * block + (u64)i * HD_GROUP_SIZE + HD_GROUP_LANE;
            if (v < n)
                hd_add_local(&here[class_of(out, v)], 1);
        }
        hd_group_barrier();
        for (u32 i = HD_GROUP_LANE; i < HD_CLASSES; i += HD_GROUP_SIZE)
            here[i] = here[i] ? hd_add32(&counts[i], here[i]) : 0;
        hd_group_barrier();
        for (u32 i = 0; i < HD_RUN; i++) {
            u64 v = b * block + (u64)i * HD_GROUP_SIZE + HD_GROUP_LANE;
            if (v < n)
                names[v] = hd_add_local(&here[class_of(out, v)], 1);
        }
    }
}

KERNEL rank_rename(u64 edges, GLOBAL const u32 *sources, GLOBAL const u32 *names, GLOBAL u32 *renamed) {
    for (u64 e = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; e < edges; e += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        renamed[e] = names[hd_constant(&sources[e])];
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

KERNEL rank_start(u32 n, u32 renamed, GLOBAL const u32 *names, GLOBAL const hd_offset *out, GLOBAL f32 *ranks,
                  GLOBAL f32 *next, GLOBAL tally *partials) {
    SHARED tally all[HD_LANES];
    graph g;
    tally sum;
    g.n = n, g.rows = out, g.out = out, g.before = ranks, g.ranks = ranks, g.next = next, g.damping = 0, g.base = 0;
    g.renamed = renamed, g.names = names;
    sum.change = 0, sum.idle = 0;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        ranks[v] = (f32)(1 / (f64)n);
        set_share(&g, v, ranks[v], &sum);
    }
    report(all, sum, &partials[HD_GROUP_INDEX]);
}

/* What a lane has of the row that goes on behind its places, and whether a row ends among them. */
typedef struct part {
    f64 sum;
    u32 ended, unused;
} part;

HD_DEFINE_SHIFT(part, shift_part)

/* Adds to a lane's part those of the lanes before it, back to the last one in which a row ends. Lanes stand in
 * descending order of their places: the one before is the one above. */
INLINE part scan_parts(LOCAL part *scratch, part mine) {
    for (u32 distance = 1; distance < HD_WARP; distance *= 2) {
        part before = shift_part(scratch, mine, distance);
        if (!mine.ended && HD_LANE + distance < HD_WARP) {
            mine.sum += before.sum;
            mine.ended = before.ended;
        }
    }
    return mine;
}

/* A tile: rows row .. row + rows end in it; `edges` from `edge` on. */
typedef struct tile {
    u64 row, edge;
    u64 last; /* edge of the tile, or any */
    u32 rows, edges;
    int begun; /* its first row began before */
} tile;

INLINE tile tile_at(const graph *g, GLOBAL const u32 *layout, u64 k, u64 places) {
    tile t;
    u64 row_end = layout[k + 1], last = MINIMUM((k + 1) * HD_TILE, places);
    t.row = layout[k];
    t.edge = k * HD_TILE - t.row;
    t.rows = (u32)(row_end - t.row);
    t.edges = (u32)(last - row_end - t.edge);
    t.last = t.edges ? t.edge + t.edges - 1 : 0;
    t.begun = t.row < g->n && t.edge > g->rows[t.row];
    return t;
}

/* box: the ends of the tile's rows, then its edges' shares. Reads are never behind a branch or a store, so that all of
 * a lane's are on their way at once: a lane without an edge reads its neighbour's. */
INLINE void gather(const graph *g, GLOBAL const u32 *sources, GLOBAL const f32 *shares, LOCAL u32 *box, const tile *t) {
    u32 lane = HD_LANE, from[HD_ITEMS];
    f32 got[HD_ITEMS];
    HD_UNROLL for (u32 i = 0; i < HD_ITEMS; i++) from[i] =
        hd_constant(&sources[MINIMUM(t->edge + i * HD_WARP + lane, t->last)]);
    HD_UNROLL for (u32 i = 0; i < HD_ITEMS; i++) got[i] = shares[from[i]];
    for (u32 i = lane; i < t->rows; i += HD_WARP)
        box[i] = (u32)(g->rows[t->row + i + 1] - t->edge);
    HD_UNROLL for (u32 i = 0; i < HD_ITEMS; i++) {
        u32 place = i * HD_WARP + lane;
        if (place < t->edges)
            box[t->rows + place] = hd_f32_bits(got[i]);
    }
}

/* Adds up the shares of each row that ends in the tile. The sum takes the place of the row's last share: no other lane
 * reads that any more, but for a lane's first row, whose sum waits until all lanes are through. Returns what is left of
 * the row that goes on behind the tile, in lane 0. */
INLINE f64 add_rows(LOCAL u32 *box, LOCAL part *scratch, const tile *t) {
    u32 places = t->rows + t->edges, at = MINIMUM((HD_WARP - 1 - HD_LANE) * HD_ITEMS, places), low = 0;
    u32 stop = MINIMUM(at + HD_ITEMS, places), high = MINIMUM(t->rows, at), first;
    LOCAL u32 *values = box + t->rows;
    f64 sum = 0, head = 0;
    part mine, before;
    while (low < high) { /* rows that end before the lane's places */
        u32 middle = low + (high - low) / 2;
        if (box[middle] + middle < at)
            low = middle + 1;
        else
            high = middle;
    }
    first = low;
    mine.ended = 0, mine.unused = 0;
    u32 e = at - low, end = low < t->rows ? box[low] : t->edges + 1;
    for (; at < stop; at++) {
        if (e == end) {
            if (!mine.ended)
                head = sum;
            else if (e > box[low - 1])
                values[e - 1] = hd_f32_bits((f32)sum);
            mine.ended = 1;
            sum = 0;
            low++;
            end = low < t->rows ? box[low] : t->edges + 1;
        } else {
            sum += (f64)hd_bits_f32(values[e]);
            e++;
        }
    }
    u32 ended = mine.ended;
    mine.sum = sum;
    mine = scan_parts(scratch, mine);
    before = shift_part(scratch, mine, 1);
    hd_warp_barrier();
    if (ended && box[first] > (first ? box[first - 1] : 0))
        values[box[first] - 1] = hd_f32_bits((f32)(head + (HD_LANE + 1 < HD_WARP ? before.sum : 0)));
    hd_warp_barrier();
    return mine.sum;
}

KERNEL rank_round(u32 n, u32 tiles, u32 renamed, GLOBAL const u32 *RESTRICT names,
                  GLOBAL const hd_offset *RESTRICT rows, GLOBAL const u32 *RESTRICT sources,
                  GLOBAL const hd_offset *RESTRICT out, GLOBAL const f32 *RESTRICT before, GLOBAL f32 *RESTRICT ranks,
                  GLOBAL const f32 *RESTRICT shares, GLOBAL f32 *RESTRICT next, GLOBAL const u32 *RESTRICT layout,
                  GLOBAL f64 *RESTRICT heads, GLOBAL f64 *RESTRICT tails, GLOBAL const u32 *RESTRICT words,
                  GLOBAL const f64 *RESTRICT numbers, GLOBAL tally *RESTRICT partials) {
    SHARED u32 boxes[HD_WARPS][HD_TILE + 1];
    SHARED part scratches[HD_WARPS][HD_SCRATCH];
    SHARED tally all[HD_LANES];
    LOCAL u32 *box = boxes[HD_WARP_HERE];
    u64 places = (u64)n + rows[n], count = words[DONE] ? 0 : tiles;
    graph g;
    tally total;
    g.n = n, g.rows = rows, g.out = out, g.before = before, g.ranks = ranks, g.next = next;
    g.renamed = renamed, g.names = names;
    g.damping = numbers[DAMPING], g.base = numbers[BASE];
    total.change = 0, total.idle = 0;
    for (u64 k = HD_WARP_INDEX; k < count; k += HD_WARP_TOTAL) {
        tile t = tile_at(&g, layout, k, places);
        hd_warp_barrier();
        gather(&g, sources, shares, box, &t);
        hd_warp_barrier();
        f64 tail = add_rows(box, scratches[HD_WARP_HERE], &t);
        if (HD_LANE == 0)
            tails[k] = tail;
        for (u32 i = HD_LANE; i < t.rows; i += HD_WARP) {
            u32 start = i ? box[i - 1] : 0, end = box[i];
            f64 sum = end > start ? (f64)hd_bits_f32(box[t.rows + end - 1]) : 0;
            if (i == 0 && t.begun)
                heads[k] = sum;
            else
                finish_row(&g, t.row + i, sum, &total);
        }
    }
    report(all, total, &partials[HD_GROUP_INDEX]);
}

/* Rows that lie in several tiles: the tile in which one begins and does not end adds up its parts. The
 * groups' sums go behind those of rank_round. */
KERNEL rank_join(u32 n, u32 tiles, u32 slot, u32 renamed, GLOBAL const u32 *names, GLOBAL const hd_offset *rows,
                 GLOBAL const hd_offset *out, GLOBAL const f32 *before, GLOBAL f32 *ranks, GLOBAL f32 *next,
                 GLOBAL const u32 *layout, GLOBAL const f64 *heads, GLOBAL const f64 *tails, GLOBAL const u32 *words,
                 GLOBAL const f64 *numbers, GLOBAL tally *partials) {
    SHARED tally all[HD_LANES];
    u64 count = words[DONE] ? 0 : tiles;
    graph g;
    tally total;
    g.n = n, g.rows = rows, g.out = out, g.before = before, g.ranks = ranks, g.next = next;
    g.renamed = renamed, g.names = names;
    g.damping = numbers[DAMPING], g.base = numbers[BASE];
    total.change = 0, total.idle = 0;
    for (u64 k = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; k < count; k += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 row = layout[k + 1], place = (k + 1) * HD_TILE;
        if (row >= n || k + 1 == tiles || (row == layout[k] && k * HD_TILE - row > rows[row]) ||
            place - row <= rows[row])
            continue;                                    /* no row goes on behind this tile, or it began before */
        u64 last = ((u64)rows[row + 1] + row) / HD_TILE; /* where the row ends */
        f64 sum = tails[k];
        for (u64 i = k + 1; i < last; i++)
            sum += tails[i];
        finish_row(&g, row, sum + heads[last], &total);
    }
    report(all, total, &partials[slot + HD_GROUP_INDEX]);
}

/* Ends a round, or, with round 0, prepares the first. One group. */
KERNEL rank_turn(u32 n, u32 count, u32 round, GLOBAL const tally *partials, GLOBAL u32 *words, GLOBAL f64 *numbers) {
    SHARED tally all[HD_LANES];
    GLOBAL tally *sums = (GLOBAL tally *)(numbers + 4);
    u32 done = words[DONE];
    tally sum;
    sum.change = 0, sum.idle = 0;
    for (u32 i = HD_GROUP_LANE; i < count; i += HD_GROUP_SIZE) {
        sum.change += partials[i].change;
        sum.idle += partials[i].idle;
    }
    report(all, sum, sums);
    if (HD_GROUP_LANE == 0 && !done) {
        sum = all[0];
        numbers[BASE] = (1 - numbers[DAMPING] + numbers[DAMPING] * sum.idle) / (f64)n;
        if (round) {
            words[ITERATION]++;
            numbers[RESIDUAL] = sum.change;
            words[CONVERGED] = sum.change < numbers[TOLERANCE];
            words[DONE] = words[CONVERGED] || words[ITERATION] == words[LIMIT];
        }
    }
}
