/* pack.h - rows in fewer bits: sorted gaps, 32 at one bit width.
 *
 * Rows ascend, so an edge is stored as its difference from the edge before it in its row; the first edge of a row is
 * stored as it is. The edge array is cut into chunks of equally many blocks, a block being 32 edges whose differences
 * all take the width of the largest. R-MAT graphs in degree order take 12 to 13 bits an edge instead of 32. A chunk is
 * decoded without its neighbours; where rows begin inside it is known from the offsets. Weights, or other numbers that
 * have no rows, are stored as they are, at the width that they need.
 *
 * A chunk, in 32-bit words: the target before its first edge (0 at the beginning of a row), the widths of its blocks,
 * a byte each, then the blocks, each as many words as its width has bits, the lowest bits first; zeros up to a multiple
 * of HD_PACK_ALIGN words. Edges beyond the last repeat it; numbers beyond the last are 0.
 */
#ifndef HD_GRAPH_PACK_H
#define HD_GRAPH_PACK_H

#include "graph/graph.h"

enum {
    HD_PACK_BLOCK = 32,
    HD_PACK_ALIGN = 4,
    HD_PACK_MOST_BLOCKS = 64,
    HD_PACK_BLOCKS = 31, /* of a chunk, in files and on devices: an odd number of edges for each of 32 lanes */
    HD_PACK_CHUNK = HD_PACK_BLOCKS * HD_PACK_BLOCK,
    HD_PACK_MOST_WORDS = HD_PACK_CHUNK + 16 /* that such a chunk takes */
};

typedef struct hd_packed {
    uint32_t blocks; /* of a chunk */
    uint64_t chunks;
    uint32_t *starts; /* chunks + 1: where each begins, in units of HD_PACK_ALIGN words */
    uint32_t *words;
    uint64_t count; /* of the words */
    bool in_file;   /* starts and words lie in a mapped file */
} hd_packed;

/* Packed values: numbers up to `count`, read by their index. */
typedef struct hd_pack_source {
    void (*read)(const void *self, uint64_t from, uint64_t to, uint32_t *numbers);
    const void *self;
    uint64_t first, count;   /* numbers before `first` are not read: chunks before its own are empty */
    const uint64_t *offsets; /* of the rows whose gaps are stored; NULL: numbers are stored as they are */
    uint64_t rows;
    uint32_t mask; /* gaps are taken modulo mask + 1, a power of two above all numbers: rows need not ascend */
} hd_pack_source;

/* Words before a chunk's first block. */
static inline uint32_t hd_pack_header(uint32_t blocks) { return 1 + (blocks + 3) / 4; }

/* Bits that a number takes. */
static inline uint32_t hd_pack_width(uint32_t number) { return number ? 32 - (uint32_t)__builtin_clz(number) : 0; }

/* The targets of rows, which must outlive the source. */
hd_pack_source hd_pack_targets(const heddle_adjacency *rows, uint64_t vertices);

/* Packs in two parallel passes over the source: the first allocates and fills `starts`, and sets `count`; the second
 * writes the words to memory that the caller has. `blocks` is at most HD_PACK_MOST_BLOCKS. HEDDLE_E_LIMIT beyond 64 GiB
 * of packed rows. */
heddle_status hd_pack_measure(heddle_context *ctx, const hd_pack_source *source, uint32_t blocks, hd_packed *packed);
heddle_status hd_pack_write(heddle_context *ctx, const hd_pack_source *source, const hd_packed *packed,
                            uint32_t *words);
/* Writes one of its chunks. */
void hd_pack_chunk(const hd_pack_source *source, const hd_packed *packed, uint64_t chunk, uint32_t *words);
/* Both passes, for rows. */
heddle_status hd_pack_rows(heddle_context *ctx, const heddle_adjacency *rows, uint64_t vertices, uint32_t blocks,
                           hd_packed *packed);
void hd_packed_free(heddle_context *ctx, hd_packed *packed); /* zeroed: nothing */

/* The numbers of one chunk, blocks * HD_PACK_BLOCK of them; offsets NULL: stored as they are. Reads no further than the
 * chunk, whatever it holds, if hd_packed_sound says so. */
void hd_unpack_chunk(const hd_packed *packed, const uint64_t *offsets, uint64_t rows, uint64_t chunk,
                     uint32_t *numbers);
/* Whether starts ascend up to `count`, and every chunk has the words that its widths say. */
bool hd_packed_sound(heddle_context *ctx, const hd_packed *packed);
/* Whether it holds what the source does; it is sound. Parallel, one pass; true if cancelled. */
bool hd_packed_equals(heddle_context *ctx, const hd_packed *packed, const hd_pack_source *source);

/* Packed numbers as a file keeps them (io/hdl.h): starts, filled up with zeros to a multiple of HD_PACK_ALIGN words,
 * then the words. */
void hd_packed_open(uint64_t numbers, void *data, uint64_t bytes, hd_packed *packed);
/* Whether so many bytes have room for the starts, and are a whole number of units. */
bool hd_packed_fits(uint64_t numbers, uint64_t bytes);
/* Words of the starts in a file. */
static inline uint64_t hd_packed_front(uint64_t chunks) {
    return (chunks + HD_PACK_ALIGN) / HD_PACK_ALIGN * HD_PACK_ALIGN;
}

/* The rows that the graph's file keeps packed, checked, compared with its rows, and opened; words NULL: nothing.
 * Undirected graphs have packed out-edges only. */
typedef enum hd_packed_what { HD_PACKED_OUT, HD_PACKED_IN, HD_PACKED_WEIGHTS } hd_packed_what;
heddle_status hd_graph_packed(heddle_context *ctx, const heddle_graph *graph, hd_packed_what what, hd_packed *packed);

/* Weights as numbers: 32-bit whole ones as their bits, floats if all of them are whole numbers that 24 bits hold. */
typedef enum hd_pack_weights {
    HD_PACK_WEIGHTS_NOT, /* these cannot be packed */
    HD_PACK_WEIGHTS_BITS,
    HD_PACK_WEIGHTS_WHOLE
} hd_pack_weights;
hd_pack_weights hd_pack_weights_of(heddle_context *ctx, const void *weights, heddle_weight_type type, uint64_t count);
/* Their source; `weights` are 32-bit. */
hd_pack_source hd_pack_weight_source(const void *weights, hd_pack_weights how, uint64_t count);

#endif
