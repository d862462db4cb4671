/* unpack.cl - a packed partition (stream_packed.c) to the arrays that schedules read: targets, sources, weights.
 * Idea: sorted gaps, 32 at one bit width (Lemire and Boytsov, 2015), so that the bus carries about half of the bytes.
 *
 * One warp per chunk of HD_CHUNK_EDGES edges. Each lane takes a field, and a segmented prefix sum over the warp adds up
 * the gaps; it restarts where a row begins, which the row offsets tell. The engine defines
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

/* What is packed of an edge: gaps, and weights. */
#define HD_COLUMNS (HD_UNPACK_WEIGHTS == 1 || HD_UNPACK_WEIGHTS == 2 ? 2u : 1u)

typedef struct unpack_share {
    running shifts[HD_SCRATCH];
    u32 words[HD_WARP + 2];
    u32 starts[HD_COLUMNS * HD_BLOCKS_HERE], widths[HD_COLUMNS * HD_BLOCKS_HERE]; /* of blocks */
    u32 heads[HD_BLOCKS_HERE];                                                    /* bits: a row begins */
} unpack_share;

/* Finds the blocks of the columns; the chunk's begin at packed[at], `apart` places from one column to the next. */
INLINE void find_blocks(LOCAL unpack_share *share, GLOBAL const u32 *packed, u64 at, u64 apart) {
    hd_warp_barrier();
    for (u32 column = 0; column < HD_COLUMNS; column++) {
        u32 header = packed[at + column * apart] + 1, block = header + HD_PACK_HEADER - 1;
        for (u32 first = 0; first < HD_BLOCKS_HERE; first += HD_WARP) {
            u32 b = first + HD_LANE, all;
            u32 width = b < HD_BLOCKS_HERE ? packed[header + b / 4] >> (b % 4 * 8) & 255u : 0;
            u32 below = hd_scan(share->words, width, &all);
            if (b < HD_BLOCKS_HERE) {
                share->starts[column * HD_BLOCKS_HERE + b] = block + below;
                share->widths[column * HD_BLOCKS_HERE + b] = width;
            }
            block += all;
        }
    }
    hd_warp_barrier();
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

KERNEL unpack_span(u64 first_edge, u64 edges, u32 first_row, u32 end_row, u32 mask,
                   GLOBAL const hd_offset *RESTRICT offsets, GLOBAL const u32 *RESTRICT packed,
                   GLOBAL u32 *RESTRICT targets, GLOBAL u32 *sources, GLOBAL u32 *weights) {
    SHARED unpack_share shares[HD_WARPS];
    LOCAL unpack_share *share = &shares[HD_WARP_HERE];
    u64 skipped = first_edge % HD_CHUNK_EDGES, chunks = (skipped + edges + HD_CHUNK_EDGES - 1) / HD_CHUNK_EDGES;
    for (u64 k = HD_WARP_INDEX; k < chunks; k += HD_WARP_TOTAL) {
        u64 begin = first_edge - skipped + k * HD_CHUNK_EDGES;
        u32 plain = HD_UNPACK_WEIGHTS == 3 ? packed[1 + chunks] : 0;
        u32 skip = k ? 0 : (u32)skipped;
        u32 count = (u32)MINIMUM(first_edge + edges - begin, (u64)HD_CHUNK_EDGES);
        u64 place = begin + skip - first_edge;
        u32 low = row_of(offsets, 0, end_row, begin);
        u32 high = row_of(offsets, low, end_row, begin + count - 1) + 1;
        mark_heads(share, offsets, begin, count, low, high);
        find_blocks(share, packed, 1 + k, chunks);
        unpack_targets(share, packed, packed[packed[1 + k]], skip, count, place, mask, targets);
        unpack_weights(share, packed, plain, skip, count, place, weights);
#if HD_UNPACK_SOURCES
        for (u32 i = skip + HD_LANE; i < count; i += HD_WARP)
            sources[place + (i - skip)] = row_of(offsets, low, high, begin + i);
#endif
    }
    (void)sources, (void)weights, (void)first_row;
}
