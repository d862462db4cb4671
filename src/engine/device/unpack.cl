/* unpack.cl - a packed partition (stream_packed.c) to the arrays that schedules read: targets, sources, weights.
 * Idea: sorted gaps, 32 at one bit width (Lemire and Boytsov, 2015), so that the bus carries about half of the bytes.
 *
 * One warp per chunk of HD_CHUNK_EDGES edges. Each lane takes a field, and a segmented prefix sum over the warp adds up
 * the gaps; it restarts where a row begins, which the row offsets give. The engine defines
 *   HD_UNPACK_SOURCES  the sources of edges are written too
 *   HD_UNPACK_WEIGHTS  0: there are none; 1: packed; 2: the same, but stored as floats; 3: as they are
 *   HD_WEIGHT_WORDS    32-bit words of a weight
 *   HD_BLOCKS_HERE     blocks of a chunk */
#include "engine/primitive/row_of.cl"

#define MINIMUM(a, b) ((a) < (b) ? (a) : (b))
#define HD_PACK_BLOCK 32u
#define HD_CHUNK_EDGES (HD_BLOCKS_HERE * HD_PACK_BLOCK)
#define HD_PACK_HEADER (1u + (HD_BLOCKS_HERE + 3u) / 4u)

/* The sum of gaps up to an edge. `cut`: a row begins between the first edge that is added and this one. */
typedef struct running {
    u32 sum, cut;
} running;

HD_DEFINE_SHIFT(running, shift_running)

/* Packed values of an edge: gap, and weight. */
#define HD_COLUMNS (HD_UNPACK_WEIGHTS == 1 || HD_UNPACK_WEIGHTS == 2 ? 2u : 1u)

typedef struct unpack_share {
    running shifts[HD_SCRATCH];
    u32 words[HD_WARP + 2];
    u32 starts[HD_COLUMNS * HD_BLOCKS_HERE], widths[HD_COLUMNS * HD_BLOCKS_HERE]; /* of blocks */
    u32 heads[HD_BLOCKS_HERE];                                                    /* bits: a row begins */
} unpack_share;

/* Finds the blocks of the columns; the chunk's begin at packed[at], `apart` places from one column to the next. Not
 * `on`: reads nothing. Returns how many words the chunk has. */
INLINE u32 find_blocks(LOCAL unpack_share *share, GLOBAL const u32 *packed, u64 at, u64 apart, u32 on) {
    u32 words = 0;
    hd_warp_barrier();
    for (u32 column = 0; column < HD_COLUMNS; column++) {
        u32 header = (on ? packed[at + column * apart] : 0) + 1, block = header + HD_PACK_HEADER - 1;
        for (u32 first = 0; first < HD_BLOCKS_HERE; first += HD_WARP) {
            u32 b = first + HD_LANE, all;
            u32 width = on && b < HD_BLOCKS_HERE ? packed[header + b / 4] >> (b % 4 * 8) & 255u : 0;
            u32 below = hd_scan(share->words, width, &all);
            if (b < HD_BLOCKS_HERE) {
                share->starts[column * HD_BLOCKS_HERE + b] = block + below;
                share->widths[column * HD_BLOCKS_HERE + b] = width;
            }
            block += all;
        }
        words += block - header + 1;
    }
    hd_warp_barrier();
    return words;
}

/* Number i, of all columns. */
INLINE u32 take_field(LOCAL const unpack_share *share, GLOBAL const u32 *packed, u32 i) {
    u32 width = share->widths[i / HD_PACK_BLOCK], bit = i % HD_PACK_BLOCK * width, shift = bit % 32;
    u32 at = share->starts[i / HD_PACK_BLOCK] + bit / 32;
    u64 pair = width ? packed[at] : 0;
    if (shift + width > 32)
        pair |= (u64)packed[at + 1] << 32;
    return (u32)(pair >> shift) & (u32)(((u64)1 << width) - 1);
}

/* Sets a bit where one of the rows low .. high - 1 begins in the chunk. */
INLINE void mark_heads(LOCAL unpack_share *share, GLOBAL const hd_offset *offsets, u64 first, u32 count, u32 low,
                       u32 high) {
    hd_warp_barrier();
    for (u32 i = HD_LANE; i < HD_BLOCKS_HERE; i += HD_WARP)
        share->heads[i] = 0;
    hd_warp_barrier();
    for (u32 v = low + HD_LANE; v < high; v += HD_WARP) {
        u64 at = offsets[v];
        if (at >= first && at - first < count)
            hd_or_local(&share->heads[(u32)(at - first) / 32], 1u << ((u32)(at - first) % 32));
    }
    hd_warp_barrier();
}

/* Of a chunk, the edges `skip` .. `count` - 1 belong to the partition; the first of them is its edge `place`. Lanes
 * take edges in reverse order, since sums come from earlier edges and a shift reads from a higher lane. */
INLINE void unpack_targets(LOCAL unpack_share *share, GLOBAL const u32 *packed, u32 carried, u32 skip, u32 count,
                           u64 place, u32 mask, GLOBAL u32 *targets) {
    for (u32 at = 0; at < count; at += HD_WARP) {
        u32 i = at + HD_WARP - 1 - HD_LANE, there = i < count;
        running sum;
        sum.sum = there ? take_field(share, packed, i) : 0;
        sum.cut = there ? share->heads[i / 32] >> (i % 32) & 1u : 0;
        for (u32 distance = 1; distance < HD_WARP; distance *= 2) {
            running other = shift_running(share->shifts, sum, distance);
            u32 valid = HD_LANE + distance < HD_WARP;
            sum.sum += valid && !sum.cut ? other.sum : 0;
            sum.cut |= valid ? other.cut : 0;
        }
        u32 target = (sum.cut ? sum.sum : carried + sum.sum) & mask;
        if (there && i >= skip)
            targets[place + (i - skip)] = target;
        carried = hd_broadcast(share->words, target);
    }
}

/* `plain`: where the partition's weights begin, if they are not packed. */
INLINE void unpack_weights(LOCAL unpack_share *share, GLOBAL const u32 *packed, u32 plain, u32 skip, u32 count,
                           u64 place, GLOBAL u32 *weights) {
#if HD_UNPACK_WEIGHTS == 3
    u64 to = place * HD_WEIGHT_WORDS;
    for (u32 i = HD_LANE; i < (count - skip) * HD_WEIGHT_WORDS; i += HD_WARP)
        weights[to + i] = packed[plain + to + i];
#elif HD_UNPACK_WEIGHTS
    for (u32 i = skip + HD_LANE; i < count; i += HD_WARP) {
        u32 weight = take_field(share, packed, HD_CHUNK_EDGES + i);
        weights[place + (i - skip)] = HD_UNPACK_WEIGHTS == 2 ? hd_f32_bits((f32)weight) : weight;
    }
#endif
    (void)share, (void)packed, (void)plain, (void)skip, (void)count, (void)place, (void)weights;
}

/* Where a partition's edges are packed, and to where they are unpacked. */
typedef struct unpack_job {
    u64 first_edge, edges, skipped, chunks;
    u32 end_row, mask;
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *packed;
    GLOBAL u32 *targets, *sources, *weights;
} unpack_job;

#define UNPACK_ARGUMENTS                                                                                       \
    u64 first_edge, u64 edges, u32 first_row, u32 end_row, u32 mask, GLOBAL const hd_offset *RESTRICT offsets, \
        GLOBAL const u32 *RESTRICT packed, GLOBAL u32 *RESTRICT targets, GLOBAL u32 *sources, GLOBAL u32 *weights

#define UNPACK_BEGIN(words)                                                                    \
    SHARED unpack_share shares[HD_WARPS];                                                      \
    LOCAL unpack_share *share = &shares[HD_WARP_HERE];                                         \
    unpack_job job;                                                                            \
    job.first_edge = first_edge, job.edges = edges, job.skipped = first_edge % HD_CHUNK_EDGES; \
    job.chunks = (job.skipped + edges + HD_CHUNK_EDGES - 1) / HD_CHUNK_EDGES;                  \
    job.end_row = end_row, job.mask = mask, job.offsets = offsets, job.packed = words;         \
    job.targets = targets, job.sources = sources, job.weights = weights;                       \
    (void)first_row

/* The edges and rows of a chunk. */
typedef struct unpack_chunk {
    u64 begin;
    u32 skip, count, low, high;
} unpack_chunk;

INLINE unpack_chunk look_at(const unpack_job *job, u64 k) {
    unpack_chunk c;
    c.begin = job->first_edge - job->skipped + k * HD_CHUNK_EDGES;
    c.skip = k ? 0 : (u32)job->skipped;
    c.count = (u32)MINIMUM(job->first_edge + job->edges - c.begin, (u64)HD_CHUNK_EDGES);
    c.low = row_of(job->offsets, 0, job->end_row, c.begin);
    c.high = row_of(job->offsets, c.low, job->end_row, c.begin + c.count - 1) + 1;
    return c;
}

/* Unpacks chunk k; nothing, if it is not `on`. Returns how many words it has. */
INLINE u32 unpack(const unpack_job *job, LOCAL unpack_share *share, u64 k, unpack_chunk c, u32 on) {
    GLOBAL const u32 *packed = job->packed;
    u32 plain = on && HD_UNPACK_WEIGHTS == 3 ? packed[1 + job->chunks] : 0, words;
    u64 place = c.begin + c.skip - job->first_edge;
    c.count = on ? c.count : 0;
    c.skip = on ? c.skip : 0;
    mark_heads(share, job->offsets, c.begin, c.count, c.low, on ? c.high : c.low);
    words = find_blocks(share, packed, 1 + k, job->chunks, on);
    unpack_targets(share, packed, on ? packed[packed[1 + k]] : 0, c.skip, c.count, place, job->mask, job->targets);
    unpack_weights(share, packed, plain, c.skip, c.count, place, job->weights);
#if HD_UNPACK_SOURCES
    for (u32 i = c.skip + HD_LANE; i < c.count; i += HD_WARP)
        job->sources[place + (i - c.skip)] = row_of(job->offsets, c.low, c.high, c.begin + i);
#endif
    return words + (HD_UNPACK_WEIGHTS == 3 ? (c.count - c.skip) * HD_WEIGHT_WORDS : 0);
}

KERNEL unpack_span(UNPACK_ARGUMENTS) {
    UNPACK_BEGIN(packed);
    for (u64 k = HD_WARP_INDEX; k < job.chunks; k += HD_WARP_TOTAL)
        unpack(&job, share, k, look_at(&job, k), 1);
}

/* Whether one of the rows low .. high - 1 is active. */
INLINE u32 any_active(LOCAL unpack_share *share, GLOBAL const u32 *active, u32 low, u32 high) {
    u32 found = 0;
    for (u32 word = low / 32 + HD_LANE; word <= (high - 1) / 32; word += HD_WARP) {
        u32 bits = hd_load32(&active[word]); /* of other partitions in the word, bits may change */
        bits &= word == low / 32 ? 0xffffffffu << low % 32 : 0xffffffffu;
        bits &= word == (high - 1) / 32 ? 0xffffffffu >> (31 - (high - 1) % 32) : 0xffffffffu;
        found |= bits;
    }
    return hd_ballot(share->words, found != 0) != 0;
}

/* The same for chunks in which active vertices have edges; others are not read, so that words may be in host memory,
 * where the partition begins at packed[at]. Adds the bytes read to `read`, in units of 64. */
KERNEL unpack_active(UNPACK_ARGUMENTS, u64 at, GLOBAL const u32 *active, GLOBAL u32 *read) {
    UNPACK_BEGIN(packed + at);
    u32 lines = 0;
    for (u64 k = HD_WARP_INDEX; k < job.chunks; k += HD_WARP_TOTAL) {
        unpack_chunk c = look_at(&job, k);
        u32 on = any_active(share, active, c.low, c.high), words = unpack(&job, share, k, c, on);
        lines += on ? (words + 15) / 16 : 0;
    }
    if (HD_LANE == 0 && lines)
        hd_add32(read, lines);
}
