/* pr.h - kernels of PageRank: pull, balanced over rows and edges together, without atomics.
 *
 * Rows' ends and edges, merged into one sequence (merge path: Merrill and Garland), are cut into tiles of HD_TILE
 * places. A group takes a tile: its edges' shares are gathered side by side into shared memory, as many at once as
 * registers allow; then every lane adds up HD_ITEMS places of the merged sequence, and sums of rows that several lanes
 * have parts of are joined by a segmented scan. A row that lies in several tiles leaves its parts in `heads` (the row
 * began before the tile) and `tails` (it goes on behind it), which rank_join adds up in order. HD_ITEMS is odd, so that
 * lanes reading so far apart meet in no bank. What a round does is decided in rank_turn; once words[DONE] is set the
 * kernels do nothing. */
#define HD_LANES 256u
#define HD_ITEMS 11u
#define HD_TILE (HD_LANES * HD_ITEMS)

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
    GLOBAL f32 *ranks;
    GLOBAL f32 *next; /* shares of the next round: rank / out-degree */
    f64 damping, base;
} graph;

INLINE void set_share(const graph *g, u64 v, f32 rank, tally *sum) {
    u32 degree = (u32)(g->out[v + 1] - g->out[v]);
    g->next[v] = degree ? rank / (f32)degree : 0.0f;
    sum->idle += degree ? 0 : (f64)rank;
}

INLINE void finish_row(const graph *g, u64 v, f64 shares, tally *sum) {
    f32 before = g->ranks[v], after = (f32)(g->base + g->damping * shares);
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
    for (u32 distance = HD_LANES / 2; distance; distance /= 2) {
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
    for (u64 k = HD_GROUP_INDEX * HD_LANES + HD_GROUP_LANE; k <= tiles; k += HD_GROUP_TOTAL * HD_LANES) {
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

KERNEL rank_start(u32 n, GLOBAL const hd_offset *out, GLOBAL f32 *ranks, GLOBAL f32 *next, GLOBAL tally *partials) {
    SHARED tally all[HD_LANES];
    graph g;
    tally sum;
    g.n = n, g.rows = out, g.out = out, g.ranks = ranks, g.next = next, g.damping = 0, g.base = 0;
    sum.change = 0, sum.idle = 0;
    for (u64 v = HD_GROUP_INDEX * HD_LANES + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_LANES) {
        ranks[v] = (f32)(1 / (f64)n);
        set_share(&g, v, ranks[v], &sum);
    }
    report(all, sum, &partials[HD_GROUP_INDEX]);
}

/* Adds what earlier lanes of the tile have of the row that goes on: before[lane] becomes the sum of the parts behind
 * the last row's end among lanes 0 .. lane. ends[lane]: a row ends in that lane. */
INLINE void scan_parts(LOCAL f64 *parts, LOCAL u32 *ends) {
    u32 lane = HD_GROUP_LANE;
    for (u32 distance = 1; distance < HD_LANES; distance *= 2) {
        f64 below = lane >= distance ? parts[lane - distance] : 0;
        u32 ended = lane >= distance ? ends[lane - distance] : 1;
        hd_group_barrier();
        if (!ends[lane]) {
            parts[lane] += below;
            ends[lane] = ended;
        }
        hd_group_barrier();
    }
}

KERNEL rank_round(u32 n, u32 tiles, GLOBAL const hd_offset *rows, GLOBAL const u32 *sources,
                  GLOBAL const hd_offset *out, GLOBAL f32 *ranks, GLOBAL const f32 *shares, GLOBAL f32 *next,
                  GLOBAL const u32 *layout, GLOBAL f64 *heads, GLOBAL f64 *tails, GLOBAL const u32 *words,
                  GLOBAL const f64 *numbers, GLOBAL tally *partials) {
    SHARED u32 box[HD_TILE + 1]; /* ends of the tile's rows, then its edges' shares */
    SHARED f32 sums[HD_TILE + 1];
    SHARED f64 parts[HD_LANES];
    SHARED u32 ended[HD_LANES];
    SHARED tally all[HD_LANES];
    u32 lane = HD_GROUP_LANE;
    u64 places = (u64)n + rows[n], count = words[DONE] ? 0 : tiles;
    graph g;
    tally total;
    g.n = n, g.rows = rows, g.out = out, g.ranks = ranks, g.next = next;
    g.damping = numbers[DAMPING], g.base = numbers[BASE];
    total.change = 0, total.idle = 0;
    for (u64 k = HD_GROUP_INDEX; k < count; k += HD_GROUP_TOTAL) {
        u64 first = k * HD_TILE, last = MINIMUM(first + HD_TILE, places);
        u64 row = layout[k], row_end = layout[k + 1], edge = first - row;
        u32 row_count = (u32)(row_end - row), edges = (u32)(last - row_end - edge), all_places = row_count + edges;
        int begun = row < n && edge > rows[row];
        u32 from[HD_ITEMS];
        hd_group_barrier();
        HD_UNROLL for (u32 i = 0; i < HD_ITEMS; i++) {
            u32 place = i * HD_LANES + lane;
            from[i] = place < edges ? hd_constant(&sources[edge + place]) : 0;
        }
        for (u32 i = lane; i < row_count; i += HD_LANES)
            box[i] = (u32)(rows[row + i + 1] - edge);
        HD_UNROLL for (u32 i = 0; i < HD_ITEMS; i++) {
            u32 place = i * HD_LANES + lane;
            if (place < edges)
                box[row_count + place] = hd_f32_bits(shares[from[i]]);
        }
        hd_group_barrier();
        /* The lane's places of the merged sequence: rows that end before them, edges before them. */
        u32 at = MINIMUM(lane * HD_ITEMS, all_places), stop = MINIMUM(at + HD_ITEMS, all_places), low = 0;
        u32 high = MINIMUM(row_count, at);
        while (low < high) {
            u32 middle = low + (high - low) / 2;
            if (box[middle] + middle < at)
                low = middle + 1;
            else
                high = middle;
        }
        u32 r = low, e = at - low, begins = low, has_end = 0;
        f64 sum = 0, head = 0;
        for (; at < stop; at++) {
            if (r < row_count && box[r] <= e) {
                if (has_end)
                    sums[r] = (f32)sum;
                else
                    head = sum;
                has_end = 1;
                sum = 0;
                r++;
            } else {
                sum += (f64)hd_bits_f32(box[row_count + e]);
                e++;
            }
        }
        parts[lane] = sum;
        ended[lane] = has_end;
        hd_group_barrier();
        scan_parts(parts, ended);
        if (has_end)
            sums[begins] = (f32)(head + (lane ? parts[lane - 1] : 0));
        if (lane == 0) {
            tails[k] = parts[HD_LANES - 1];
            heads[k] = 0;
        }
        hd_group_barrier();
        for (u32 i = lane; i < row_count; i += HD_LANES) {
            if (i == 0 && begun)
                heads[k] = (f64)sums[0];
            else
                finish_row(&g, row + i, (f64)sums[i], &total);
        }
    }
    report(all, total, &partials[HD_GROUP_INDEX]);
}

/* Rows that lie in several tiles: the tile in which one begins and does not end adds up its parts. The
 * groups' sums go behind those of rank_round. */
KERNEL rank_join(u32 n, u32 tiles, u32 slot, GLOBAL const hd_offset *rows, GLOBAL const hd_offset *out,
                 GLOBAL f32 *ranks, GLOBAL f32 *next, GLOBAL const u32 *layout, GLOBAL const f64 *heads,
                 GLOBAL const f64 *tails, GLOBAL const u32 *words, GLOBAL const f64 *numbers, GLOBAL tally *partials) {
    SHARED tally all[HD_LANES];
    u64 count = words[DONE] ? 0 : tiles;
    graph g;
    tally total;
    g.n = n, g.rows = rows, g.out = out, g.ranks = ranks, g.next = next;
    g.damping = numbers[DAMPING], g.base = numbers[BASE];
    total.change = 0, total.idle = 0;
    for (u64 k = HD_GROUP_INDEX * HD_LANES + HD_GROUP_LANE; k < count; k += HD_GROUP_TOTAL * HD_LANES) {
        u64 row = layout[k + 1], place = (k + 1) * HD_TILE;
        if (row >= n || k + 1 == tiles || (row == layout[k] && k * HD_TILE - row > rows[row]) ||
            place - row <= rows[row])
            continue; /* no row goes on behind this tile, or it began before */
        f64 sum = tails[k];
        u64 tile = k + 1;
        for (; layout[tile + 1] == row; tile++)
            sum += tails[tile];
        finish_row(&g, row, sum + heads[tile], &total);
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
    for (u32 i = HD_GROUP_LANE; i < count; i += HD_LANES) {
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
