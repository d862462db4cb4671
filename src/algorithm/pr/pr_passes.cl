/* pr_passes.cl - PageRank by bins in passes: what is handed out is still in L2 when it is summed.
 * Idea: pr_bins.cl as a software pipeline inside one cooperative launch. Beats pr_bins.cl where the groups' shared
 * memory can hold the shares of all sources: 0.578 for 0.644 ms a round on rmat22, 0.592 for 0.663 on urand22
 * (bench/notes).
 *
 * Each group holds the shares of one block of sources for a whole round. Bins are taken in passes, one for each group:
 * in a step groups hand out shares to the bins of one pass while they sum their own of the pass before, and all meet at
 * a barrier where a pass ends. So `values` has room for two passes only, and of the edges just `from` and `to` come
 * from memory, in the order in which they are read: `from` by pass, block and bin, with the place in `values` of each
 * piece of HD_PIECE edges, to which the runs are padded. */
#define HD_PIECE 8u /* edges; adjacent lanes read and write one half each */
#define HD_PIECES(count) (((count) + HD_PIECE - 1) / HD_PIECE)

/* ---- Once per graph --------------------------------------------------------------------------------------------- */

/* Cuts the sources into blocks of about equally many edges. bounds[i] is the first source of block i, bounds[blocks] is
 * n. */
KERNEL rank_cut(u32 n, u32 blocks, GLOBAL const hd_offset *out, GLOBAL u32 *bounds) {
    for (u32 i = HD_GROUP_LANE; i <= blocks; i += HD_GROUP_SIZE)
        bounds[i] = i < blocks ? first_row(out, n, (u64)out[n] * i / blocks) / 4 * 4 : n;
}

/* The block of a source. `mean`, the mean number of sources in a block plus one, gives a first guess. */
INLINE u32 block_of(LOCAL const u32 *bounds, u32 mean, u32 source) {
    u32 i = source / mean;
    while (source < bounds[i])
        i--;
    while (source >= bounds[i + 1])
        i++;
    return i;
}

/* Counts the edges of a bin by the block of their source. */
INLINE void count_blocks(LOCAL u32 *counts, LOCAL const u32 *bounds, u32 n, u32 blocks, GLOBAL const u32 *sources,
                         u32 count) {
    u32 lane = HD_GROUP_LANE, size = HD_GROUP_SIZE, mean = n / blocks + 1;
    hd_group_barrier();
    for (u32 i = lane; i < blocks; i += size)
        counts[i] = 0;
    hd_group_barrier();
    for (u32 k = lane; k < count; k += size)
        hd_add_local(&counts[block_of(bounds, mean, sources[k])], 1);
    hd_group_barrier();
}

INLINE void take_bounds(LOCAL u32 *here, GLOBAL const u32 *bounds, u32 blocks) {
    for (u32 i = HD_GROUP_LANE; i <= blocks; i += HD_GROUP_SIZE)
        here[i] = bounds[i];
    hd_group_barrier();
}

/* Counts the pieces of each pass, block and bin: pieces[(pass * blocks + block) * per + bin % per]. `facts` holds the
 * first row of each bin and n, then the number of vectors of four values of each bin, then the largest number of rows
 * that begin in one bin. */
KERNEL rank_count(u32 n, u32 edges, u32 blocks, u32 bins, u32 per, GLOBAL const hd_offset *rows,
                  GLOBAL const u32 *sources, GLOBAL const u32 *bounds, GLOBAL u32 *pieces, GLOBAL u32 *facts) {
    SHARED u32 counts[HD_BLOCKS];
    SHARED u32 limits[HD_BLOCKS + 1];
    SHARED u32 sum[1];
    take_bounds(limits, bounds, blocks);
    for (u32 b = (u32)HD_GROUP_INDEX; b < bins; b += (u32)HD_GROUP_TOTAL) {
        u32 begin = b * HD_BIN, pass = b / per;
        if (HD_GROUP_LANE == 0)
            sum[0] = 0;
        count_blocks(counts, limits, n, blocks, sources + begin, MINIMUM(HD_BIN, edges - begin));
        for (u32 i = HD_GROUP_LANE; i < blocks; i += HD_GROUP_SIZE) {
            u32 count = HD_PIECES(counts[i]);
            pieces[((u64)pass * blocks + i) * per + b % per] = count;
            hd_add_local(&sum[0], count);
        }
        hd_group_barrier();
        if (HD_GROUP_LANE == 0) {
            facts[bins + 1 + b] = sum[0] * (HD_PIECE / 4);
            hd_max32(&facts[2 * bins + 1], note_rows(facts, rows, n, b, bins));
        }
    }
}

/* Exclusive prefix sum of the pieces over the bins of each pass and block, one warp each; `totals` receives the
 * sums. */
KERNEL rank_lay(u32 rows, u32 per, GLOBAL u32 *pieces, GLOBAL u32 *totals) {
    SHARED u32 scratches[HD_WARPS][HD_WARP + 2];
    for (u64 row = HD_WARP_INDEX; row < rows; row += HD_WARP_TOTAL) {
        u32 base = 0, all;
        for (u32 first = 0; first < per; first += HD_WARP) {
            u32 i = first + HD_LANE, mine = i < per ? pieces[row * per + i] : 0;
            u32 below = base + hd_scan(scratches[HD_WARP_HERE], mine, &all);
            if (i < per)
                pieces[row * per + i] = below;
            base += all;
        }
        if (HD_LANE == 0)
            totals[row] = base;
    }
}

/* Writes `from`, `where` and `to`. begins[pass * blocks + block] is the first piece of a pass and block; the last entry
 * is the number of pieces. The order of a block's edges within a bin depends on timing; results do not, since each
 * value has a fixed place in its bin. */
KERNEL rank_spread(u32 n, u32 edges, u32 blocks, u32 bins, u32 per, u32 stride, GLOBAL const u32 *sources,
                   GLOBAL const u32 *bounds, GLOBAL const u32 *pieces, GLOBAL const u32 *begins, GLOBAL u16 *from,
                   GLOBAL u32 *where, GLOBAL u16 *to) {
    HD_LARGE_SHARED(u32, stage, HD_STAGE);
    SHARED u32 counts[HD_BLOCKS];
    SHARED u32 starts[HD_BLOCKS];
    SHARED u32 places[HD_BLOCKS];
    SHARED u32 limits[HD_BLOCKS + 1];
    SHARED u32 scratches[HD_WARPS][HD_WARP + 2];
    u32 lane = HD_GROUP_LANE, size = HD_GROUP_SIZE, mean = n / blocks + 1;
    take_bounds(limits, bounds, blocks);
    for (u32 b = (u32)HD_GROUP_INDEX; b < bins; b += (u32)HD_GROUP_TOTAL) {
        u32 begin = b * HD_BIN, count = MINIMUM(HD_BIN, edges - begin), base = 0, all;
        u64 row = (u64)(b / per) * blocks;
        for (u32 i = lane; i < stride; i += size)
            stage[i] = HD_BIN << 16;
        count_blocks(counts, limits, n, blocks, sources + begin, count);
        for (u32 first = 0; first < blocks; first += HD_WARP) { /* every warp computes the same prefix sum */
            u32 i = first + HD_LANE, mine = HD_PIECES(counts[MINIMUM(i, HD_BLOCKS - 1)]) * HD_PIECE;
            u32 place = base + hd_scan(scratches[HD_WARP_HERE], i < blocks ? mine : 0, &all);
            if (i < blocks)
                starts[i] = places[i] = place;
            base += all;
        }
        hd_group_barrier();
        for (u32 k = lane; k < count; k += size) {
            u32 source = sources[begin + k], i = block_of(limits, mean, source);
            stage[hd_add_local(&places[i], 1)] = k << 16 | (source - limits[i]);
        }
        hd_group_barrier();
        for (u32 k = lane; k < base; k += size)
            to[(u64)b * stride + k] = (u16)(stage[k] >> 16);
        for (u32 i = HD_WARP_HERE; i < blocks; i += size / HD_WARP) {
            u32 run = HD_PIECES(counts[i]);
            u64 piece = (u64)begins[row + i] + pieces[(row + i) * per + b % per];
            for (u32 k = HD_LANE; k < run * HD_PIECE; k += HD_WARP)
                from[piece * HD_PIECE + k] = (u16)(stage[starts[i] + k] & 0xffff);
            for (u32 k = HD_LANE; k < run; k += HD_WARP)
                where[piece + k] = (b % per * stride + starts[i]) / HD_PIECE + k;
        }
        hd_group_barrier();
    }
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

/* Loads that a lane has made ahead, in vectors of four: edges whose shares it hands out next, and values that it moves
 * to their places next. */
typedef struct ahead {
    uint2 from[HD_AT_ONCE];
    u32 where[HD_AT_ONCE];
} ahead;
typedef struct arrivals {
    uint2 to[HD_AT_ONCE];
    float4 value[HD_AT_ONCE];
} arrivals;

/* Loads vectors k, k + HD_GROUP_SIZE …, HD_AT_ONCE of them, as far as they are below `count`. */
INLINE void look_ahead(ahead *a, GLOBAL const uint2 *from, GLOBAL const u32 *where, u32 at, u32 k, u32 count) {
    if (k < count)
        HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) {
            u32 four = at + MINIMUM(k + i * HD_GROUP_SIZE, count - 1);
            a->from[i] = hd_once(&from[four]);
            a->where[i] = hd_once(&where[four / (HD_PIECE / 4)]) * (HD_PIECE / 4) + four % (HD_PIECE / 4);
        }
}

/* Writes the shares of the edges that were loaded ahead to `values`. */
INLINE void hand_out(const ahead *a, LOCAL const f32 *held, GLOBAL float4 *values, u32 k, u32 count) {
    HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) if (k + i * HD_GROUP_SIZE < count) {
        float4 four;
        four.x = held[a->from[i].x & 0xffff], four.y = held[a->from[i].x >> 16];
        four.z = held[a->from[i].y & 0xffff], four.w = held[a->from[i].y >> 16];
        values[a->where[i]] = four;
    }
}

/* Loads the places, and look_at the values, of vectors k, k + HD_GROUP_SIZE … */
INLINE void look_to(arrivals *a, GLOBAL const uint2 *to, u32 k, u32 count) {
    if (k < count)
        HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) a->to[i] =
            hd_once(&to[MINIMUM(k + i * HD_GROUP_SIZE, count - 1)]);
}

INLINE void look_at(arrivals *a, GLOBAL const float4 *values, u32 k, u32 count) {
    if (k < count)
        HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) a->value[i] =
            hd_far(&values[MINIMUM(k + i * HD_GROUP_SIZE, count - 1)]);
}

/* Moves the loaded values to their places in shared memory. */
INLINE void put_down(const arrivals *a, LOCAL f32 *here, u32 k, u32 count) {
    HD_UNROLL for (u32 i = 0; i < HD_AT_ONCE; i++) if (k + i * HD_GROUP_SIZE < count) {
        here[a->to[i].x & 0xffff] = a->value[i].x, here[a->to[i].x >> 16] = a->value[i].y;
        here[a->to[i].y & 0xffff] = a->value[i].z, here[a->to[i].y >> 16] = a->value[i].w;
    }
}

/* A group's work in a step. It hands out `count` vectors of four edges, from `at` on. And it sums a bin of the pass
 * before: the bin's number, its first edge and edges, its first row and how many begin in it, its vectors. */
typedef struct step_words {
    u32 at, count;
    u32 there, bin, begin, length, first, owned, fours;
} step_words;

/* Shared by all steps. */
typedef struct frame {
    u32 edges, blocks, bins, per, passes;
    GLOBAL const u32 *begins;
    GLOBAL const u32 *facts;
} frame;

/* The vectors of a block in a pass: returns the first, and sets their number. */
INLINE u32 look_out(const frame *f, u32 pass, u32 block, u32 *count) {
    u32 unit = MINIMUM(pass, f->passes - 1) * f->blocks + block, from = f->begins[unit];
    *count = pass < f->passes ? (f->begins[unit + 1] - from) * (HD_PIECE / 4) : 0;
    return from * (HD_PIECE / 4);
}

INLINE step_words look_step(const frame *f, u32 step) {
    step_words w;
    u32 b = (step - 1) * f->per + (u32)HD_GROUP_INDEX;
    w.at = look_out(f, step, (u32)HD_GROUP_INDEX, &w.count);
    w.there = step > 0 && b < f->bins;
    w.bin = w.there ? b : 0;
    w.begin = w.bin * HD_BIN;
    w.length = MINIMUM(HD_BIN, f->edges - w.begin);
    w.first = f->facts[w.bin];
    w.owned = w.there ? f->facts[w.bin + 1] - w.first : 0;
    w.fours = w.there ? f->facts[f->bins + 1 + w.bin] : 0;
    return w;
}

/* One round. There are as many groups as blocks, or fewer: then each group holds several blocks in turn. `per`: bins of
 * a pass, one for each group. Data that do not depend on the step before are loaded one step ahead. */
KERNEL_OF(HD_WARP *HD_WARPS)
rank_passes(u32 n, u32 edges, u32 blocks, u32 bins, u32 per, u32 stride, GLOBAL const hd_offset *rows,
            GLOBAL const hd_offset *out, GLOBAL const f32 *before, GLOBAL f32 *ranks, GLOBAL const f32 *shares,
            GLOBAL f32 *next, GLOBAL const u32 *bounds, GLOBAL const u32 *begins, GLOBAL const uint2 *from,
            GLOBAL const u32 *where, GLOBAL const uint2 *to, GLOBAL const u32 *facts, GLOBAL float4 *values,
            GLOBAL f64 *parts, GLOBAL const u32 *words, GLOBAL const f64 *numbers, GLOBAL tally *partials,
            GLOBAL u32 *meeting) {
    HD_LARGE_SHARED(float4, large, (HD_BLOCK + HD_BIN) / 4 + 1);
    SHARED span_sums spans;
    SHARED step_words plans[4];
    SHARED tallies all;
    LOCAL f32 *held = (LOCAL f32 *)large;
    LOCAL f32 *here = held + HD_BLOCK;
    u32 lane = HD_GROUP_LANE, size = HD_GROUP_SIZE, mine = (u32)HD_GROUP_INDEX, groups = (u32)HD_GROUP_TOTAL;
    u32 batch = size * HD_AT_ONCE, seats = size / HD_WARP * (HD_WARP - 1);
    u32 seat = HD_WARP_HERE * (HD_WARP - 1) + HD_LANE, steps, fours = stride / 4;
    u32 leads = lane == size - 1, arrived = 0; /* the last warp has rows to sum in few bins only */
    row_words row;
    ahead going;
    arrivals found;
    frame f;
    BEGIN_ROUND(0, 0);
    f.edges = edges, f.blocks = blocks, f.bins = bins, f.per = per;
    f.passes = (bins + per - 1) / per, f.begins = begins, f.facts = facts;
    steps = words[RANK_DONE] ? 0 : f.passes + 1;
    take_block(large, (GLOBAL const float4 *)(shares + bounds[mine]), (bounds[mine + 1] - bounds[mine] + 3) / 4);
    if (lane < 2)
        plans[lane] = look_step(&f, lane);
    hd_group_barrier();
    look_ahead(&going, from, where, plans[0].at, lane, plans[0].count);
    for (u32 step = 0; step < steps; step++) {
        LOCAL const step_words *now = &plans[step % 4];
        LOCAL const step_words *coming = &plans[(step + 1) % 4];
        GLOBAL float4 *goal = values + step % 2 * per * fours;
        GLOBAL const float4 *source = values + ((step + 1) % 2 * per + mine) * fours;
        look_at(&found, source, lane, now->fours);
        for (u32 which = mine; which < blocks; which += groups) {
            u32 at = now->at, count = now->count;
            HD_IF_UNIFORM(blocks > groups) {
                hd_group_barrier();
                take_block(large, (GLOBAL const float4 *)(shares + bounds[which]),
                           (bounds[which + 1] - bounds[which] + 3) / 4);
                hd_group_barrier();
                at = look_out(&f, step, which, &count);
                look_ahead(&going, from, where, at, lane, count);
            }
            hand_out(&going, held, goal, lane, count);
            for (u32 k = lane + batch; k < count; k += batch) {
                look_ahead(&going, from, where, at, k, count);
                hand_out(&going, held, goal, k, count);
            }
        }
        look_ahead(&going, from, where, coming->at, lane, coming->count);
        row = look_row(&g, now->first + MINIMUM(seat, now->owned));
        put_down(&found, here, lane, now->fours);
        for (u32 k = lane + batch; k < now->fours; k += batch) {
            look_to(&found, to + now->bin * fours, k, now->fours);
            look_at(&found, source, k, now->fours);
            put_down(&found, here, k, now->fours);
        }
        look_to(&found, to + coming->bin * fours, lane, coming->fours);
        for (u32 k = now->length + lane; k < HD_BIN; k += size)
            here[k] = 0;
        hd_group_barrier();
        if (leads)
            arrived = hd_grid_arrive(meeting);
        f64 sum = add_spans(&spans, here);
        for (u32 i = seat; i - HD_LANE <= now->owned; i += seats) {
            if (i != seat)
                row = look_row(&g, now->first + MINIMUM(i, now->owned));
            finish_rows(&g, &spans, here, now->there, now->begin, now->begin + now->length, now->owned, row, i, sum,
                        parts + 2 * (u64)now->bin, &total);
        }
        if (leads)
            plans[(step + 2) % 4] = look_step(&f, step + 2);
        hd_grid_wait(meeting, arrived, leads);
    }
    hd_grid_barrier(meeting);
    join_bins(&g, steps ? bins : 0, facts, parts, &total);
    report(&all, total, &partials[mine]);
}
