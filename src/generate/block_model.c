/* block_model.c - stochastic block models: vertices in blocks of consecutive ids, and every two of them tied with the
 * probability of their two blocks, independently of all others (Holland, Laskey and Leinhardt).
 *
 * The pairs of vertices of two blocks are numbered, and the tied ones are found by skipping: the distance to the next
 * one has a geometric distribution. That has no memory, so an item is a chunk of the numbers with some EXPECTED edges,
 * and begins anew. Skips are computed in integers, so that graphs are the same on all machines.
 */
#include "generate/generate.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "graph/rows.h"

#include <math.h>

enum { EXPECTED = 512, LEVELS = 44, MOST_BLOCKS = 4096 };
#define LONGEST (UINT64_C(1) << LEVELS) /* chunk */

/* ---- Blocks ---------------------------------------------------------------------------------------------------- */

static inline uint64_t size_of(const hd_blocks *blocks, uint64_t b) { return blocks->first[b + 1] - blocks->first[b]; }

static inline uint64_t pairs_inside(uint64_t size) { return size % 2 ? (size - 1) / 2 * size : size / 2 * (size - 1); }

static inline uint64_t pairs_of(const hd_blocks *blocks, uint64_t a, uint64_t b) {
    return a == b ? pairs_inside(size_of(blocks, a)) : size_of(blocks, a) * size_of(blocks, b);
}

static inline double rate_of(const hd_blocks *blocks, uint64_t a, uint64_t b) {
    if (blocks->rates)
        return blocks->rates[a * blocks->count + b];
    return a == b ? blocks->inside : blocks->between;
}

/* The numbers in a chunk of pairs of this probability; 0: there is none. */
static inline uint64_t chunk_length(double rate) {
    double length = ceil(EXPECTED / rate);
    if (rate < 0x1p-64)
        return 0;
    return length < (double)LONGEST ? (uint64_t)length : LONGEST;
}

static heddle_status no_block(heddle_context *ctx, const heddle_generate_options *options, uint64_t vertices) {
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%llu blocks for %llu vertices, expected 1 to %d, each of a vertex or more",
                   (unsigned long long)options->blocks, (unsigned long long)vertices, MOST_BLOCKS);
}

/* The blocks' first vertices, from their sizes or of nearly equal size. */
static heddle_status set_sizes(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator,
                               uint64_t *first) {
    uint64_t k = options->blocks;
    if (!options->block_sizes) {
        for (uint64_t b = 0; b <= k; b++)
            first[b] = hd_split(generator->vertices, k, b);
        return generator->vertices < k ? no_block(ctx, options, generator->vertices) : HEDDLE_OK;
    }
    first[0] = 0;
    for (uint64_t b = 0; b < k; b++) {
        if (options->block_sizes[b] == 0 || options->block_sizes[b] > UINT32_MAX - first[b])
            return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                           "block %llu has %llu vertices, expected 1 or more, and at most %llu in all blocks",
                           (unsigned long long)b, (unsigned long long)options->block_sizes[b],
                           (unsigned long long)UINT32_MAX);
        first[b + 1] = first[b] + options->block_sizes[b];
    }
    if (options->vertices && options->vertices != first[k])
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "the blocks have %llu vertices in all, expected the %llu of the graph",
                       (unsigned long long)first[k], (unsigned long long)options->vertices);
    generator->vertices = first[k];
    return HEDDLE_OK;
}

/* ---- Probabilities --------------------------------------------------------------------------------------------- */

/* From the mean degree and the share of the edges that are between blocks. */
static heddle_status rates_of_degree(heddle_context *ctx, const heddle_generate_options *options,
                                     hd_generator *generator) {
    hd_blocks *blocks = &generator->blocks;
    double inside = 0, n = (double)generator->vertices, edges = options->degree * n / 2, mixing = options->probability;
    HD_TRY(hd_generate_probability(ctx, "probability", mixing));
    if (!(options->degree >= 0))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "degree is %g, expected 0 or more", options->degree);
    for (uint64_t b = 0; b < blocks->count; b++)
        inside += (double)pairs_inside(size_of(blocks, b));
    double between = n * (n - 1) / 2 - inside;
    blocks->inside = inside > 0 ? (1 - mixing) * edges / inside : 0;
    blocks->between = between > 0 ? mixing * edges / between : 0;
    if (blocks->inside > 1 || blocks->between > 1)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "blocks of these sizes have too few pairs of vertices for degree %g",
                       options->degree);
    return HEDDLE_OK;
}

static heddle_status check_rates(heddle_context *ctx, const heddle_generate_options *options) {
    uint64_t k = options->blocks;
    for (uint64_t a = 0; a < k; a++) {
        for (uint64_t b = 0; b < k; b++) {
            double rate = options->rates[a * k + b];
            HD_TRY(hd_generate_probability(ctx, "rates", rate));
            if (rate != options->rates[b * k + a])
                return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                               "rates of blocks %llu and %llu are %g and %g, expected a symmetric matrix",
                               (unsigned long long)a, (unsigned long long)b, rate, options->rates[b * k + a]);
        }
    }
    return HEDDLE_OK;
}

/* ---- Items ----------------------------------------------------------------------------------------------------- */

static void count_chunks(hd_generator *generator, uint64_t *row, uint64_t *chunks) {
    hd_blocks *blocks = &generator->blocks;
    uint64_t pair = 0;
    double edges = 0;
    chunks[0] = 0;
    for (uint64_t a = 0; a < blocks->count; a++) {
        row[a] = pair;
        for (uint64_t b = a; b < blocks->count; b++, pair++) {
            double rate = rate_of(blocks, a, b);
            uint64_t pairs = pairs_of(blocks, a, b), length = chunk_length(rate);
            chunks[pair + 1] = chunks[pair] + (length ? pairs / length + (pairs % length > 0) : 0);
            edges += rate * (double)pairs;
        }
    }
    row[blocks->count] = pair;
    generator->items = chunks[pair];
    generator->edges = (uint64_t)edges + 1;
}

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    uint64_t k = options->blocks, pairs = k * (k + 1) / 2;
    hd_blocks *blocks = &generator->blocks;
    if (!options->block_sizes)
        HD_TRY(hd_generate_vertices(ctx, options, 0, &generator->vertices));
    if (k < 1 || k > MOST_BLOCKS)
        return no_block(ctx, options, generator->vertices);
    generator->held_count = 2 * (k + 1) + pairs + 1;
    HD_TRY(HD_NEW(ctx, &generator->held, generator->held_count, "blocks"));
    uint64_t *first = generator->held, *row = first + k + 1;
    *blocks = (hd_blocks){.count = k, .first = first, .row = row, .chunks = row + k + 1, .rates = options->rates};
    HD_TRY(set_sizes(ctx, options, generator, first));
    HD_TRY(options->rates ? check_rates(ctx, options) : rates_of_degree(ctx, options, generator));
    count_chunks(generator, row, row + k + 1);
    return HEDDLE_OK;
}

/* ---- Edges ----------------------------------------------------------------------------------------------------- */

/* Skips over pairs that are not tied. The probability of skipping 2^j or more is power[j], in units of 2^-64. */
typedef struct skipper {
    uint64_t seed;
    uint64_t power[LEVELS];
} skipper;

static void prepare_skips(skipper *skips, uint64_t seed, double rate) {
    double scaled = ldexp(rate, 64);
    skips->seed = seed;
    skips->power[0] = scaled < 0x1p64 ? 0 - (uint64_t)scaled : 0;
    for (unsigned j = 1; j < LEVELS; j++)
        skips->power[j] = hd_below(skips->power[j - 1], skips->power[j - 1]);
}

/* The largest length that is exceeded with a probability above the random number's fraction. */
static uint64_t skip(const skipper *skips, uint64_t draw) {
    uint64_t word = hd_random(skips->seed, draw), left = UINT64_MAX, length = 0;
    for (unsigned j = LEVELS; j-- > 0;) {
        uint64_t next = hd_below(left, skips->power[j]);
        if (next > word) {
            left = next;
            length |= UINT64_C(1) << j;
        }
    }
    return length;
}

/* The pair of that number: of one block the chords of a circle, by length, as for cliques. */
static void add_pair(const hd_blocks *blocks, uint64_t a, uint64_t b, uint64_t number, hd_edge_batch *batch) {
    uint64_t size = size_of(blocks, b), u = number / size, v = number % size, at = batch->count++;
    if (a == b) {
        uint64_t far = v + u + 1;
        u = v;
        v = far < size ? far : far - size;
    }
    batch->source[at] = blocks->first[a] + u;
    batch->target[at] = blocks->first[b] + v;
}

/* Goes on with an item; state: pairs of the chunk that were passed, and random numbers used. True at its end. */
static bool fill_chunk(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    const hd_blocks *blocks = &generator->blocks;
    uint64_t k = blocks->count, pair = hd_row_of(blocks->chunks, blocks->row[k], cursor->position);
    uint64_t a = hd_row_of(blocks->row, k, pair), b = a + pair - blocks->row[a], all = pairs_of(blocks, a, b);
    uint64_t length = chunk_length(rate_of(blocks, a, b)), start = (cursor->position - blocks->chunks[pair]) * length;
    uint64_t end = all - start < length ? all - start : length, *at = &cursor->state[0];
    skipper skips;
    prepare_skips(&skips, hd_hash2(generator->seed, cursor->position), rate_of(blocks, a, b));
    while (batch->count < HD_BATCH) {
        uint64_t step = skip(&skips, cursor->state[1]++);
        if (step >= end - *at)
            return true;
        add_pair(blocks, a, b, start + *at + step, batch);
        *at += step + 1;
    }
    return false;
}

static void fill(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    batch->count = 0;
    while (cursor->position < cursor->end && batch->count < HD_BATCH) {
        if (!fill_chunk(generator, cursor, batch))
            break;
        cursor->position++;
        cursor->state[0] = cursor->state[1] = 0;
    }
}

const hd_generator_kind hd_generator_blockmodel = {
    .info = {"blockmodel",
             "stochastic block model: blocks of vertices, probabilities for pairs inside and between them, undirected",
             "scale vertices degree probability blocks block_sizes rates" HD_GENERATE_VALUES},
    .undirected = true,
    .prepare = prepare,
    .fill = fill,
};
