/* pack.h - rows in fewer bits: sorted gaps, 32 at one bit width.
 *
 * Rows ascend, so an edge is stored as its difference from the edge before it in its row; the first edge of a row is
 * stored as it is. The edge array is cut into chunks of equally many blocks, a block being 32 edges whose differences
 * all take the width of the largest. R-MAT graphs in degree order take 12 to 13 bits an edge instead of 32. A chunk is
 * decoded without its neighbours; where rows begin inside it is known from the offsets.
 *
 * A chunk, in 32-bit words: the target before its first edge (0 at the beginning of a row), the widths of its blocks,
 * a byte each, then the blocks, each as many words as its width has bits, the lowest bits first; zeros up to a multiple
 * of HD_PACK_ALIGN words. Edges beyond the last repeat it.
 */
#ifndef HD_GRAPH_PACK_H
#define HD_GRAPH_PACK_H

#include "base/context.h"

enum { HD_PACK_BLOCK = 32, HD_PACK_ALIGN = 4, HD_PACK_MOST_BLOCKS = 64 };

typedef struct hd_packed {
    uint32_t blocks; /* of a chunk */
    uint64_t chunks;
    uint32_t *starts; /* chunks + 1: where each begins, in units of HD_PACK_ALIGN words */
    uint32_t *words;
    uint64_t count; /* of the words */
} hd_packed;

/* Words before a chunk's first block. */
static inline uint32_t hd_pack_header(uint32_t blocks) { return 1 + (blocks + 3) / 4; }

/* Bits that a number takes. */
static inline uint32_t hd_pack_width(uint32_t number) { return number ? 32 - (uint32_t)__builtin_clz(number) : 0; }

/* A chunk of numbers, blocks * HD_PACK_BLOCK of them. `widths` gets those of its blocks; returns the words that the
 * chunk takes, which are not yet a multiple of HD_PACK_ALIGN. */
uint32_t hd_pack_measure(const uint32_t *numbers, uint32_t blocks, unsigned char *widths);
/* Writes it, to words that are zero. */
void hd_pack_write(uint32_t base, const uint32_t *numbers, uint32_t blocks, const unsigned char *widths,
                   uint32_t *words);

/* Parallel, two passes over the rows; `blocks` is at most HD_PACK_MOST_BLOCKS. HEDDLE_E_LIMIT beyond
 * 64 GiB of packed rows. */
heddle_status hd_pack_rows(heddle_context *ctx, const heddle_adjacency *rows, uint64_t vertices, uint32_t blocks,
                           hd_packed *packed);
void hd_packed_free(heddle_context *ctx, hd_packed *packed); /* zeroed: nothing */
/* The targets of one chunk, blocks * HD_PACK_BLOCK of them. For tests, and as the definition of the format. */
void hd_unpack_chunk(const hd_packed *packed, const heddle_adjacency *rows, uint64_t vertices, uint64_t chunk,
                     uint32_t *targets);

#endif
