/* bfs_wide.cl - bfs levels of any size, by all groups of the device; see bfs.cl.
 * Idea: Beamer's two directions, with a bitmap instead of a queue for large frontiers. Bottom-up needs no frontier
 * bitmap: a visited in-neighbour must be one level up, else the vertex had been found before. Saves filling a queue on
 * large levels.
 *
 * Three ways to the next depth. QUEUE and BITS walk the edges of the frontier's vertices and claim targets in the
 * visited bitmap; QUEUE appends them to a queue, BITS, for large levels, does not. UP is bottom-up: unvisited vertices
 * look for a visited neighbour and stop at the first. BITS and UP leave the frontier as the difference of the older and
 * the newer bitmap, from which a queue is made when one is wanted. Vertices without edges count as visited from the
 * start. */
#define BFS_GO_QUEUE 0
#define BFS_GO_BITS 1
#define BFS_GO_UP 2

/* Adjacent warp indices belong to different groups, so that little work is spread over the whole device. */
#define BFS_WARP_INDEX ((u64)HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX)

typedef struct bfs_share {
    u32 scratch[HD_WARP + 2];
    u32 starts[HD_WARP];
    hd_offset firsts[HD_WARP];
} bfs_share;

typedef struct bfs_tally {
    u32 found, edges, walked;
} bfs_tally;

INLINE bfs_tally bfs_nothing(void) {
    bfs_tally tally;
    tally.found = 0, tally.edges = 0, tally.walked = 0;
    return tally;
}

/* Adds the lanes' counts to two words of a record, with one atomic each per group. */
INLINE void bfs_close(const bfs_job *job, LOCAL bfs_share *share, LOCAL u32 *sums, bfs_tally tally, GLOBAL u32 *found,
                      GLOBAL u32 *edges) {
    u32 all[3];
    hd_scan(share->scratch, tally.found, &all[0]);
    hd_scan(share->scratch, tally.edges, &all[1]);
    hd_scan(share->scratch, tally.walked, &all[2]);
    if (HD_GROUP_LANE < 3)
        sums[HD_GROUP_LANE] = 0;
    hd_group_barrier();
    if (HD_LANE == 0 && all[0] + all[1] + all[2])
        for (u32 i = 0; i < 3; i++)
            hd_add_local(&sums[i], all[i]);
    hd_group_barrier();
    if (HD_GROUP_LANE == 0) {
        if (sums[0])
            hd_add32(found, sums[0]);
        if (sums[1])
            hd_add_f32((GLOBAL f32 *)edges, (f32)sums[1]);
        job->walked[HD_GROUP_INDEX] += sums[2];
    }
}

/* ---- Choosing the next step ------------------------------------------------------------------------------------- */

typedef struct bfs_step {
    u32 go;
    u32 next_state; /* BFS_WIDE: continue here */
    u32 convert;    /* bfs_convert has to fill the queue, or to copy the newer bitmap to the older */
    u32 fill;       /* bfs_convert has to fill the queue */
    u32 flip;
    u32 left;
    f32 left_edges;
    u32 quiet;
    u32 small, big; /* lengths of the queue and of the list of parts; with `fill`, not known yet */
} bfs_step;

/* Chooses the step from a depth to the next, from the record of the depth. */
INLINE bfs_step bfs_think(const bfs_job *job, u32 depth) {
    GLOBAL const u32 *record = bfs_record(job, depth);
    u32 found = hd_load32(&record[BFS_FOUND]), in_bits = hd_load32(&record[BFS_BITS]);
    f32 edges = hd_bits_f32(hd_load32(&record[BFS_EDGES])), probes, up;
    bfs_step step;
    step.small = hd_load32(&record[BFS_SMALL]);
    step.big = hd_load32(&record[BFS_BIG]);
    step.flip = hd_load32(&record[BFS_FLIP]);
    step.left = hd_load32(&record[BFS_LEFT]) - found;
    step.left_edges = hd_bits_f32(hd_load32(&record[BFS_LEFT_EDGES])) - edges;
    step.left_edges = step.left_edges > 0 ? step.left_edges : 0;
    /* Estimate: a neighbour of an unvisited vertex is visited with probability edges / (edges + left_edges). */
    probes = (f32)step.left * ((edges + step.left_edges) / (edges + 1));
    probes = probes < step.left_edges ? probes : step.left_edges;
    up = (f32)job->n / BFS_SCAN + (f32)step.left / 4 + probes;
    step.go = edges * BFS_DOWN > up || (in_bits && found > job->queue_room) ? BFS_GO_UP
              : edges > (f32)job->n / BFS_BITS_AT                           ? BFS_GO_BITS
                                                                            : BFS_GO_QUEUE;
    step.quiet = !in_bits && edges < BFS_QUIET_EDGES && !step.big ? hd_load32(&record[BFS_QUIET]) + 1 : 0;
    step.next_state = !found || !step.left                           ? BFS_DONE
                      : job->narrow && step.quiet > BFS_QUIET_ROUNDS ? BFS_NARROW
                                                                     : BFS_WIDE;
    step.fill = in_bits && step.go != BFS_GO_UP;
    step.convert = step.fill || step.go == BFS_GO_BITS;
    return step;
}

/* One lane of a group reads the record and passes it on: if all warps of the device read it, they would queue up for
 * one address. The caller has passed a group barrier since `shared` was last read. */
INLINE void bfs_decide(const bfs_job *job, LOCAL bfs_step *shared, u32 depth) {
    if (HD_GROUP_LANE == 0)
        *shared = bfs_think(job, depth);
    hd_group_barrier();
}

/* ---- Queues ----------------------------------------------------------------------------------------------------- */

/* Adds the vertices of the lanes with the flag to the frontier of a depth, with one atomic per warp. */
INLINE void bfs_append(const bfs_job *job, LOCAL bfs_share *share, u32 depth, int flag, u32 v, u32 degree) {
    GLOBAL u32 *record = bfs_record(job, depth);
    int small = flag && degree && degree <= BFS_LONG;
    u32 total, base = 0, rank = hd_rank(share->scratch, small, &total);
    HD_IF_UNIFORM(total) {
        if (HD_LANE == 0 && total)
            base = hd_add32(&record[BFS_SMALL], total);
        base = hd_broadcast(share->scratch, base);
        if (small)
            bfs_queue(job, depth)[base + rank] = v;
    }
    if (flag && degree > BFS_LONG)
        bfs_put(job, depth, v, degree);
}

/* Which row has item `place` of the warp's items, by binary search in `starts`. */
INLINE u32 bfs_row_of(LOCAL const bfs_share *share, u32 place) {
    u32 row = 0;
    for (u32 jump = HD_WARP / 2; jump; jump /= 2)
        row += share->starts[row + jump] <= place ? jump : 0;
    return row;
}

/* Position of the (skip + 1)-th set bit. */
INLINE u32 bfs_bit_after(u32 bits, u32 skip) {
    u32 at = 0;
    for (u32 width = 16; width; width /= 2) {
        u32 low = hd_popcount(bits >> at & ((1u << width) - 1));
        at += skip < low ? 0 : width;
        skip -= skip < low ? 0 : low;
    }
    return at;
}

/* Fills the queue of a depth from the difference of the two bitmaps, and copies the newer bitmap to the older. A warp
 * takes some words, one per lane, then distributes their vertices over its lanes: if ids have locality, few words hold
 * many vertices. */
INLINE void bfs_convert(const bfs_job *job, LOCAL bfs_share *share, u32 depth, LOCAL const bfs_step *step, u32 words,
                        u32 on) {
    GLOBAL u32 *newer = job->bits + (u64)step->flip * words, *older = job->bits + (u64)(1 - step->flip) * words;
    u32 count = on && step->convert ? words : 0, some = count / (u32)HD_WARP_TOTAL + 1;
    some = some < HD_WARP ? some : HD_WARP;
    for (u64 first = BFS_WARP_INDEX * some; first < count; first += HD_WARP_TOTAL * some) {
        u64 k = first + HD_LANE;
        u32 fresh = 0, total, start;
        if (HD_LANE < some && k < count) {
            fresh = step->fill ? newer[k] & ~older[k] : 0;
            older[k] = newer[k];
        }
        start = hd_scan(share->scratch, hd_popcount(fresh), &total);
        hd_warp_barrier();
        share->starts[HD_LANE] = start;
        share->firsts[HD_LANE] = fresh;
        hd_warp_barrier();
        for (u32 at = 0; at < total; at += HD_WARP) {
            u32 place = at + HD_LANE, row = bfs_row_of(share, place), v = 0;
            if (place < total)
                v = ((u32)first + row) * 32 + bfs_bit_after((u32)share->firsts[row], place - share->starts[row]);
            bfs_append(job, share, depth, place < total, v, bfs_degree(job, v));
        }
        hd_warp_barrier();
    }
}

/* ---- Top-down --------------------------------------------------------------------------------------------------- */

/* Follows the edge at `target`, and claims the vertex it leads to in the bitmap `seen`. All lanes call it; those
 * without `there` have no edge. */
INLINE void bfs_follow(const bfs_job *job, LOCAL bfs_share *share, GLOBAL u32 *seen, u32 depth, u32 queued, int there,
                       GLOBAL const u32 *target, bfs_tally *tally) {
    u32 w = 0, degree = 0;
    int fresh = 0;
    if (there) {
        w = hd_constant(target);
        u32 bit = 1u << (w % 32);
        fresh = !(hd_load32(&seen[w / 32]) & bit) && !(hd_or32(&seen[w / 32], bit) & bit);
        tally->walked++;
    }
    if (fresh) {
        job->levels[w] = depth + 1;
        tally->found++;
        if (queued || w % BFS_SAMPLE == 0) {
            degree = bfs_degree(job, w);
            tally->edges += queued ? degree : degree * BFS_SAMPLE;
        }
    }
    HD_IF_UNIFORM(queued) bfs_append(job, share, depth + 1, fresh && queued, w, degree);
}

/* `length` edges from `first` on, BFS_PART at most, by one warp. Rows in host memory are read in lines of HD_WARP
 * targets, from the start of the line that `first` is in: a line is one request of the bus, which is slowed down by the
 * number of requests before it is by their bytes. */
INLINE void bfs_down_row(const bfs_job *job, LOCAL bfs_share *share, GLOBAL u32 *seen, u32 depth, u32 queued, u64 first,
                         u32 length, bfs_tally *tally) {
    u32 skip = HD_HEADS ? (u32)(first % HD_WARP) : 0;
    u32 end = HD_HEADS ? skip + length : BFS_PART; /* rows on the device: only parts, in a loop of known length */
    for (u32 at = 0; at < end; at += HD_WARP) {
        u32 place = at + HD_LANE;
        bfs_follow(job, share, seen, depth, queued, place >= skip && place < skip + length,
                   job->out_targets + (first - skip) + place, tally);
    }
}

/* Parts of long rows, one warp per part. */
INLINE void bfs_down_parts(const bfs_job *job, LOCAL bfs_share *share, GLOBAL u32 *seen, u32 depth, u32 queued,
                           u32 count, bfs_tally *tally) {
    GLOBAL const u32 *list = bfs_parts(job, depth);
    for (u64 i = BFS_WARP_INDEX; i < count; i += HD_WARP_TOTAL) {
        u32 v = list[2 * i], skip = list[2 * i + 1] * BFS_PART, length = bfs_degree(job, v) - skip;
        u64 first = (u64)job->out_offsets[v] + skip;
        length = length < BFS_PART ? length : BFS_PART;
        bfs_down_row(job, share, seen, depth, queued, first, length, tally);
    }
}

/* A warp takes up to HD_WARP vertices of the queue and distributes their edges over its lanes. If rows are in host
 * memory, those of BFS_OWN edges and more are read one by one, in whole lines. */
INLINE void bfs_down_queue(const bfs_job *job, LOCAL bfs_share *share, GLOBAL u32 *seen, u32 depth, u32 queued,
                           u32 count, bfs_tally *tally) {
    GLOBAL const u32 *list = bfs_queue(job, depth);
    u32 lane = HD_LANE, some = count / (u32)HD_WARP_TOTAL + 1;
    some = some < HD_WARP ? some : HD_WARP;
    for (u64 base = BFS_WARP_INDEX * some; base < count; base += HD_WARP_TOTAL * some) {
        u32 total, degree = 0, start, near = 0;
        hd_offset first = 0;
        if (lane < some && base + lane < count) {
            u32 v = list[base + lane];
            first = job->out_offsets[v];
            degree = (u32)(job->out_offsets[v + 1] - first);
            near = bfs_is_near(job, v, degree);
            first = near ? bfs_near_row(job, v) : first;
        }
#if HD_HEADS
        u32 apart = hd_ballot(share->scratch, !near && degree >= BFS_OWN);
        near = hd_ballot(share->scratch, near);
        share->starts[lane] = degree;
        share->firsts[lane] = first;
        hd_warp_barrier();
        degree = apart >> lane & 1 ? 0 : degree;
        for (; apart; apart &= apart - 1) {
            u32 owner = hd_lowest(apart);
            bfs_down_row(job, share, seen, depth, queued, share->firsts[owner], share->starts[owner], tally);
        }
#endif
        start = hd_scan(share->scratch, degree, &total);
        hd_warp_barrier();
        share->starts[lane] = start;
        share->firsts[lane] = first;
        hd_warp_barrier();
        for (u32 at = 0; at < total; at += HD_WARP) {
            u32 place = at + lane, row = bfs_row_of(share, place);
            GLOBAL const u32 *rows = near >> row & 1 ? job->heads : job->out_targets;
            bfs_follow(job, share, seen, depth, queued, place < total,
                       rows + share->firsts[row] + (place - share->starts[row]), tally);
        }
        hd_warp_barrier();
    }
}

/* ---- Bottom-up -------------------------------------------------------------------------------------------------- */

INLINE int bfs_seen(GLOBAL const u32 *bits, u32 v) { return bits[v / 32] >> (v % 32) & 1; }

#if HD_HEADS
INLINE int bfs_look_at_heads(const bfs_job *job, GLOBAL const u32 *older, u32 v) {
    u32 w[HD_HEADS], count, at = hd_heads_at(job->heads, v, &count);
    int found = 0;
    HD_UNROLL for (u32 i = 0; i < HD_HEADS; i++) w[i] = hd_constant(&job->heads[at + (i < count ? i : 0)]);
    HD_UNROLL for (u32 i = 0; i < HD_HEADS; i++) found |= bfs_seen(older, w[i]);
    return found;
}
#endif

/* A warp takes one word of the bitmap, a lane for each vertex. A lane searches the first BFS_OWN edges of its row
 * alone; the rest is searched by the whole warp. */
INLINE void bfs_up(const bfs_job *job, LOCAL bfs_share *share, GLOBAL const u32 *older, GLOBAL u32 *newer, u32 depth,
                   u32 words, bfs_tally *tally) {
    u32 lane = HD_LANE;
    for (u64 k = BFS_WARP_INDEX; k < words; k += HD_WARP_TOTAL) {
        u32 before = older[k], v = (u32)k * 32 + lane, rest, fresh;
        hd_offset begin = 0, end = 0, mine;
        int found = 0;
        if (!(before >> lane & 1)) {
            begin = job->in_offsets[v];
            end = job->in_offsets[v + 1];
        }
        mine = end - begin < BFS_OWN ? end : begin + BFS_OWN;
#if HD_HEADS
        if (begin < end && v < job->headed) {
            found = bfs_look_at_heads(job, older, v);
            tally->walked += HD_HEADS;
            found |= end - begin <= HD_HEADS ? 2 : 0; /* that was the whole row */
        }
#endif
        for (hd_offset e = begin; e < mine && !found; e += 2) {
            u32 a = hd_constant(&job->in_targets[e]), b = e + 1 < mine ? hd_constant(&job->in_targets[e + 1]) : a;
            found = bfs_seen(older, a) | bfs_seen(older, b);
            tally->walked += 2;
        }
        found &= 1;
        rest = hd_ballot(share->scratch, !found && mine < end);
        share->starts[lane] = (u32)(end - mine);
        share->firsts[lane] = mine;
        hd_warp_barrier();
        while (rest) {
            u32 owner = hd_lowest(rest), length = share->starts[owner], hit = 0;
            for (u32 at = 0; (at < length) & !hit; at += HD_WARP) {
                u32 place = at + lane;
                int yes =
                    place < length && bfs_seen(older, hd_constant(&job->in_targets[share->firsts[owner] + place]));
                hit = hd_ballot(share->scratch, yes);
                tally->walked += place < length;
            }
            found |= lane == owner && hit;
            rest &= rest - 1;
        }
        fresh = hd_ballot(share->scratch, found);
        if (lane == 0)
            newer[k] = before | fresh;
        if (found) {
            job->levels[v] = depth + 1;
            tally->found++;
            tally->edges += BFS_SPARE && BFS_DIRECTED ? bfs_degree(job, v) : (u32)(end - begin);
        }
        hd_warp_barrier();
    }
}

/* ---- Steps of a run --------------------------------------------------------------------------------------------- */

/* Makes the first bitmap: vertices with a level and vertices without edges count as visited. `fresh`: no vertex has a
 * level yet; sets all to BFS_NONE. */
INLINE void bfs_survey(const bfs_job *job, LOCAL bfs_share *share, u32 fresh, u32 words, bfs_tally *tally) {
    u32 lane = HD_LANE;
    for (u64 first = BFS_WARP_INDEX * BFS_STRIDE; first < words; first += HD_WARP_TOTAL * BFS_STRIDE) {
        u32 degree[BFS_STRIDE], closed[BFS_STRIDE];
        for (u32 i = 0; i < BFS_STRIDE; i++) {
            u64 v = (first + i) * 32 + lane;
            degree[i] = 0, closed[i] = 1;
            if (v < job->n) {
                degree[i] = (u32)(job->in_offsets[v + 1] - job->in_offsets[v]);
                closed[i] = !degree[i];
#if BFS_DIRECTED
                closed[i] &= job->out_offsets[v] == job->out_offsets[v + 1];
#endif
                if (fresh)
                    job->levels[v] = BFS_NONE;
                else
                    closed[i] |= job->levels[v] != BFS_NONE;
            }
        }
        for (u32 i = 0; i < BFS_STRIDE; i++) {
            u32 mask = hd_ballot(share->scratch, closed[i]);
            if (lane == 0 && first + i < words)
                job->bits[first + i] = mask;
            tally->found += !closed[i];
            tally->edges += closed[i] ? 0 : degree[i];
        }
    }
}

/* Makes the sources the frontier of depth 0. */
INLINE void bfs_place_sources(const bfs_job *job, u32 count, bfs_tally *tally) {
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < count; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = job->source[i], bit = 1u << (v % 32);
        if (hd_min32(&job->levels[v], 0) != 0 && !(hd_or32(&job->bits[v / 32], bit) & bit)) {
            u32 degree = bfs_degree(job, v);
            tally->found++;
            tally->edges += degree;
            bfs_put(job, 0, v, degree);
        }
    }
}

/* Work of the top-down and bottom-up parts of a step; the part that is not taken is empty. */
typedef struct bfs_way {
    GLOBAL u32 *newer, *older;
    u32 queued, flip, small, big, words;
} bfs_way;

INLINE bfs_way bfs_way_of(const bfs_job *job, LOCAL const bfs_step *step, u32 words, u32 on) {
    u32 up = step->go == BFS_GO_UP;
    bfs_way way;
    way.queued = step->go == BFS_GO_QUEUE;
    way.flip = way.queued ? step->flip : 1 - step->flip;
    way.newer = job->bits + (u64)way.flip * words;
    way.older = job->bits + (u64)(1 - way.flip) * words;
    way.small = up || !on ? 0 : step->small;
    way.big = up || !on ? 0 : step->big;
    way.words = up && on ? words : 0;
    return way;
}

/* Fills the record of the next depth, except for the counts, and clears the record after it. */
INLINE void bfs_note(const bfs_job *job, u32 depth, LOCAL const bfs_step *step, const bfs_way *way) {
    GLOBAL u32 *next = bfs_record(job, depth + 1), *after = bfs_record(job, depth + 2);
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        next[BFS_LEFT] = step->left;
        next[BFS_LEFT_EDGES] = hd_f32_bits(step->left_edges);
        next[BFS_BITS] = !way->queued;
        next[BFS_FLIP] = way->flip;
        next[BFS_QUIET] = step->quiet;
        for (u32 i = 0; i < BFS_RECORD; i++)
            after[i] = 0;
    }
}

#define BFS_BEGIN                                    \
    SHARED bfs_share bfs_all[HD_WARPS];              \
    SHARED u32 bfs_sums[4];                          \
    SHARED bfs_step bfs_shared_step;                 \
    LOCAL bfs_share *share = &bfs_all[HD_WARP_HERE]; \
    u32 bit_words = n / 32 + (n % 32 != 0);          \
    BFS_MAKE_JOB

#if BFS_RESIDENT
/* Runs until the search is over, `limit` levels are done, or frontiers have become small. All groups are resident (a
 * cooperative launch). */
KERNEL_DENSE(BFS_GROUPS) bfs_wide(BFS_ARGUMENTS) {
    BFS_BEGIN;
    u32 state = hd_load32(&words[BFS_STATE]), depth = hd_load32(&words[BFS_DEPTH]), rounds = 0;
    u32 on = state == BFS_START || state == BFS_REBUILD || state == BFS_WIDE, survey = on && state != BFS_WIDE;
    GLOBAL u32 *record = bfs_record(&job, depth);
    bfs_tally tally = bfs_nothing();
    LOCAL const bfs_step *step = &bfs_shared_step;
    bfs_way way;
    HD_IF_UNIFORM(on) hd_grid_barrier(&words[BFS_BARRIER]);
    HD_IF_UNIFORM(survey) {
        bfs_survey(&job, share, state == BFS_START, survey ? bit_words : 0, &tally);
        bfs_close(&job, share, bfs_sums, tally, &record[BFS_LEFT], &record[BFS_LEFT_EDGES]);
        hd_grid_barrier(&words[BFS_BARRIER]);
        tally = bfs_nothing();
        bfs_place_sources(&job, state == BFS_START ? sources : 0, &tally);
        bfs_close(&job, share, bfs_sums, tally, &record[BFS_FOUND], &record[BFS_EDGES]);
        hd_grid_barrier(&words[BFS_BARRIER]);
    }
    bfs_decide(&job, &bfs_shared_step, depth);
    limit = on ? limit : 0;
    while ((rounds < limit) & (step->next_state == BFS_WIDE)) {
        HD_IF_UNIFORM(step->convert) {
            bfs_convert(&job, share, depth, step, bit_words, 1);
            hd_grid_barrier(&words[BFS_BARRIER]);
            bfs_decide(&job, &bfs_shared_step, depth); /* now the queue's length is known */
        }
        way = bfs_way_of(&job, step, bit_words, 1);
        record = bfs_record(&job, depth + 1);
        tally = bfs_nothing();
        bfs_down_parts(&job, share, way.newer, depth, way.queued, way.big, &tally);
        bfs_down_queue(&job, share, way.newer, depth, way.queued, way.small, &tally);
        bfs_up(&job, share, way.older, way.newer, depth, way.words, &tally);
        bfs_close(&job, share, bfs_sums, tally, &record[BFS_FOUND], &record[BFS_EDGES]);
        bfs_note(&job, depth, step, &way);
        hd_grid_barrier(&words[BFS_BARRIER]);
        depth++;
        rounds++;
        bfs_decide(&job, &bfs_shared_step, depth);
    }
    if (on && HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        words[BFS_STATE] = step->next_state;
        words[BFS_DEPTH] = depth;
    }
}

#endif

/* The same with one launch per step, for devices without a grid barrier; `limit` is the depth. Levels can be queued
 * ahead: their kernels do nothing once the state is not BFS_WIDE. */
KERNEL bfs_begin(BFS_ARGUMENTS) {
    BFS_BEGIN;
    GLOBAL u32 *record = bfs_record(&job, limit);
    bfs_tally tally = bfs_nothing();
    bfs_survey(&job, share, limit == 0, bit_words, &tally);
    bfs_close(&job, share, bfs_sums, tally, &record[BFS_LEFT], &record[BFS_LEFT_EDGES]);
}
KERNEL bfs_sources(BFS_ARGUMENTS) {
    BFS_BEGIN;
    GLOBAL u32 *record = bfs_record(&job, limit);
    bfs_tally tally = bfs_nothing();
    bfs_place_sources(&job, limit == 0 ? sources : 0, &tally);
    bfs_close(&job, share, bfs_sums, tally, &record[BFS_FOUND], &record[BFS_EDGES]);
    if (HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0)
        words[BFS_STATE] = BFS_WIDE;
}
KERNEL bfs_turn(BFS_ARGUMENTS) {
    BFS_BEGIN;
    u32 on = hd_load32(&words[BFS_STATE]) == BFS_WIDE;
    LOCAL const bfs_step *step = &bfs_shared_step;
    bfs_decide(&job, &bfs_shared_step, limit);
    bfs_convert(&job, share, limit, step, bit_words, on && step->next_state == BFS_WIDE);
    if (on && HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0) {
        words[BFS_STATE] = step->next_state;
        words[BFS_DEPTH] = limit;
    }
}
#define BFS_BEGIN_LEVEL                                \
    BFS_BEGIN;                                         \
    GLOBAL u32 *record = bfs_record(&job, limit + 1);  \
    LOCAL const bfs_step *step = &bfs_shared_step;     \
    u32 on = hd_load32(&words[BFS_STATE]) == BFS_WIDE; \
    bfs_tally tally = bfs_nothing();                   \
    bfs_way way;                                       \
    bfs_decide(&job, &bfs_shared_step, limit);         \
    on = on && step->next_state == BFS_WIDE;           \
    way = bfs_way_of(&job, step, bit_words, on)
KERNEL bfs_parts_down(BFS_ARGUMENTS) {
    BFS_BEGIN_LEVEL;
    bfs_down_parts(&job, share, way.newer, limit, way.queued, way.big, &tally);
    bfs_close(&job, share, bfs_sums, tally, &record[BFS_FOUND], &record[BFS_EDGES]);
}
KERNEL bfs_queue_down(BFS_ARGUMENTS) {
    BFS_BEGIN_LEVEL;
    bfs_down_queue(&job, share, way.newer, limit, way.queued, way.small, &tally);
    bfs_close(&job, share, bfs_sums, tally, &record[BFS_FOUND], &record[BFS_EDGES]);
}
KERNEL bfs_all_up(BFS_ARGUMENTS) {
    BFS_BEGIN_LEVEL;
    bfs_up(&job, share, way.older, way.newer, limit, way.words, &tally);
    bfs_close(&job, share, bfs_sums, tally, &record[BFS_FOUND], &record[BFS_EDGES]);
    if (on)
        bfs_note(&job, limit, step, &way);
}

/* ---- Parents ---------------------------------------------------------------------------------------------------- */

/* The parent of a vertex is its smallest in-neighbour one level up: the first one found, since rows are sorted. At
 * level 1 it is `source`; if there are several sources, `source` is BFS_NONE. */
KERNEL bfs_parents(u32 n, u32 source, GLOBAL const hd_offset *in_offsets, GLOBAL const u32 *in_targets,
                   GLOBAL const u32 *levels, GLOBAL u32 *parents) {
    SHARED bfs_share bfs_all[HD_WARPS];
    LOCAL bfs_share *share = &bfs_all[HD_WARP_HERE];
    u32 lane = HD_LANE;
    for (u64 base = HD_WARP_INDEX * HD_WARP; base < n; base += HD_WARP_TOTAL * HD_WARP) {
        u64 v = base + lane;
        u32 level = v < n ? levels[v] : 0, parent = BFS_NONE, rest;
        hd_offset begin = 0, end = 0, mine;
        if (level == 1 && source != BFS_NONE) {
            parent = source;
        } else if (level != 0 && level != BFS_NONE) {
            begin = in_offsets[v];
            end = in_offsets[v + 1];
        }
        mine = end - begin < BFS_OWN ? end : begin + BFS_OWN;
        for (hd_offset e = begin; e < mine && parent == BFS_NONE; e++) {
            u32 u = hd_constant(&in_targets[e]);
            parent = levels[u] == level - 1 ? u : BFS_NONE;
        }
        rest = hd_ballot(share->scratch, parent == BFS_NONE && mine < end);
        share->starts[lane] = (u32)(end - mine);
        share->firsts[lane] = mine;
        share->scratch[HD_WARP] = 0;
        hd_warp_barrier();
        while (rest) {
            u32 owner = hd_lowest(rest), length = share->starts[owner], hit = 0, wanted = levels[base + owner] - 1;
            for (u32 at = 0; (at < length) & !hit; at += HD_WARP) {
                u32 place = at + lane, u = BFS_NONE;
                if (place < length)
                    u = hd_constant(&in_targets[share->firsts[owner] + place]);
                hit = hd_ballot(share->scratch, u != BFS_NONE && levels[u] == wanted);
                if (hit && lane == hd_lowest(hit))
                    share->starts[owner] = u;
                hd_warp_barrier();
            }
            if (lane == owner && hit)
                parent = share->starts[owner];
            rest &= rest - 1;
        }
        if (v < n)
            parents[v] = parent;
        hd_warp_barrier();
    }
}
