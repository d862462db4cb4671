/* rmat.c - recursive-matrix graphs (R-MAT, Kronecker), after Chakrabarti, Zhan and Faloutsos, and Graph500.
 *
 * An arc descends `scale` levels of the adjacency matrix, into one of four quadrants at each. Instead of one random
 * number per level, one decides up to six levels at once: the 4^6 paths and their probabilities are in an alias table,
 * sampled with a single number. The table is built in integer arithmetic, so it is the same on every machine, and every
 * probability in it is accurate to about 2^-50. For n vertices that are no power of two, the 2^scale rows and columns
 * are mapped to n, x -> floor(x * n / 2^scale): as if every level halved its range of vertices, rounding down. Finally
 * a bijection scrambles the ids, so that a vertex's number is unrelated to its degree.
 */
#include "generate/generate.h"

#include "base/random.h"

#include <math.h>

/* A probability in units of 2^-64. */
static uint64_t fixed_point(double probability) {
    double scaled = ldexp(probability, 64);
    return scaled < 0x1p64 ? (uint64_t)scaled : UINT64_MAX;
}

/* The probability of every outcome in units of 1 / (outcomes * 2^HD_RMAT_FRACTION), adding up to exactly 1. */
static void weigh_outcomes(const uint64_t quadrant[4], unsigned levels, uint64_t mask, uint64_t *mass) {
    uint64_t rest = UINT64_C(1) << (HD_RMAT_FRACTION + 2 * levels), largest = 0;
    for (uint64_t outcome = 0; outcome <= mask; outcome++) {
        if (outcome & ~mask)
            continue;
        uint64_t product = UINT64_MAX;
        for (unsigned level = 0; level < levels; level++) {
            uint64_t row = outcome >> (HD_RMAT_LEVELS + level) & 1, column = outcome >> level & 1;
            product = hd_below(product, quadrant[2 * row + column]);
        }
        mass[outcome] = product >> (64 - HD_RMAT_FRACTION - 2 * levels);
        rest -= mass[outcome];
        if (mass[outcome] > mass[largest])
            largest = outcome;
    }
    mass[largest] += rest; /* the rounding error, of either sign (modulo 2^64) */
}

/* Walker's alias method: cells with too little mass are filled up from one with too much. */
static void make_table(const uint64_t quadrant[4], unsigned levels, hd_rmat_table *table) {
    const uint64_t full = UINT64_C(1) << HD_RMAT_FRACTION, ones = (UINT64_C(1) << levels) - 1;
    uint64_t mask = ones << HD_RMAT_LEVELS | ones, mass[HD_RMAT_CELLS];
    uint16_t stack[HD_RMAT_CELLS]; /* the small ones from the bottom up, the large ones from the top down */
    unsigned small = 0, large = HD_RMAT_CELLS;

    weigh_outcomes(quadrant, levels, mask, mass);
    for (uint64_t cell = 0; cell <= mask; cell++) {
        if ((cell & ~mask) == 0)
            stack[mass[cell] < full ? small++ : --large] = (uint16_t)cell;
    }
    while (small > 0) {
        unsigned poor = stack[--small], rich = stack[large];
        table->cells[poor] = mass[poor] << HD_RMAT_INDEX | rich;
        mass[rich] -= full - mass[poor];
        if (mass[rich] < full) {
            large++;
            stack[small++] = (uint16_t)rich;
        }
    }
    for (; large < HD_RMAT_CELLS; large++)
        table->cells[stack[large]] = full << HD_RMAT_INDEX | stack[large];
    table->levels = levels;
    table->mask = mask;
}

static void prepare_scramble(hd_rmat *rmat, unsigned scale, uint64_t seed) {
    rmat->mask = (UINT64_C(1) << scale) - 1;
    rmat->shift = (scale + 1) / 2;
    for (unsigned round = 0; round < 2; round++) {
        rmat->factor[round] = hd_hash2(seed, 2 * round) | 1;
        rmat->addend[round] = hd_hash2(seed, 2 * round + 1);
    }
}

static heddle_status prepare(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator) {
    hd_rmat *rmat = &generator->rmat;
    HD_TRY(hd_generate_vertices(ctx, options, 0, &generator->vertices));
    HD_TRY(hd_generate_edges(ctx, options->degree, generator->vertices, &generator->items));
    HD_TRY(hd_generate_probability(ctx, "a", options->a));
    HD_TRY(hd_generate_probability(ctx, "b", options->b));
    HD_TRY(hd_generate_probability(ctx, "c", options->c));
    double d = 1 - options->a - options->b - options->c;
    if (d < -1e-9)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "a + b + c is %g, expected at most 1",
                       options->a + options->b + options->c);
    if (d < 1e-12)
        d = 0; /* a + b + c was meant to be 1 */

    const uint64_t quadrant[4] = {fixed_point(options->a), fixed_point(options->b), fixed_point(options->c),
                                  fixed_point(d)};
    unsigned scale = 1;
    while (UINT64_C(1) << scale < generator->vertices)
        scale++;
    rmat->vertices = generator->vertices;
    rmat->scale = scale;
    rmat->draws = (scale + HD_RMAT_LEVELS - 1) / HD_RMAT_LEVELS;
    rmat->long_ones = scale % rmat->draws;
    make_table(quadrant, scale / rmat->draws, &rmat->shorter);
    if (rmat->long_ones > 0)
        make_table(quadrant, scale / rmat->draws + 1, &rmat->longer);
    rmat->scramble = options->scramble != 0;
    prepare_scramble(rmat, scale, generator->seed);
    return HEDDLE_OK;
}

/* Moves `count` arcs, each held as row << 32 | column, down the levels of one table. Their random numbers are `first`,
 * `first` + `stride`, … of the stream. */
static void descend(const hd_rmat_table *table, uint64_t seed, uint64_t first, uint64_t stride, uint64_t *arcs,
                    size_t count) {
    const uint64_t columns = (UINT64_C(1) << HD_RMAT_LEVELS) - 1, rows = columns << HD_RMAT_LEVELS;
    const uint64_t mask = table->mask;
    const unsigned levels = table->levels;
    for (size_t i = 0; i < count; i++) {
        uint64_t word = hd_random(seed, first + i * stride), own = word & mask, cell = table->cells[own];
        /* no branch: it would be mispredicted half of the time */
        uint64_t use_alias = -(uint64_t)(word >> HD_RMAT_FRACTION_SHIFT >= cell >> HD_RMAT_INDEX);
        uint64_t outcome = own ^ ((own ^ cell) & use_alias); /* and cell's fraction, masked off next */
        arcs[i] = arcs[i] << levels | (outcome & rows) << (32 - HD_RMAT_LEVELS) | (outcome & columns);
    }
}

/* Each step is a bijection on the bits under the mask; repeated until the id is below n, they are one on 0 .. n-1. */
static inline uint64_t scramble(const hd_rmat *rmat, uint64_t id) {
    do {
        for (unsigned round = 0; round < 2; round++) {
            id = (id * rmat->factor[round] + rmat->addend[round]) & rmat->mask;
            id ^= id >> rmat->shift;
        }
    } while (id >= rmat->vertices);
    return id;
}

/* The vertex of a row or column of the matrix. */
static inline uint64_t vertex_of(const hd_rmat *rmat, uint64_t line) {
    uint64_t id = line * rmat->vertices >> rmat->scale;
    return rmat->scramble ? scramble(rmat, id) : id;
}

static void fill(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch) {
    const hd_rmat *rmat = &generator->rmat;
    uint64_t first = cursor->position * rmat->draws;
    size_t count = hd_generate_take(cursor, batch);
    uint64_t *arcs = batch->source;
    for (size_t i = 0; i < count; i++)
        arcs[i] = 0;
    for (unsigned draw = 0; draw < rmat->draws; draw++)
        descend(draw < rmat->long_ones ? &rmat->longer : &rmat->shorter, generator->seed, first + draw, rmat->draws,
                arcs, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t row = arcs[i] >> 32, column = arcs[i] & UINT32_MAX;
        batch->source[i] = vertex_of(rmat, row);
        batch->target[i] = vertex_of(rmat, column);
    }
}

const hd_generator_kind hd_generator_rmat = {
    .info = {"rmat", "R-MAT (Kronecker, Graph500): skewed degrees, directed; degree * n arcs",
             "scale vertices degree a b c scramble" HD_GENERATE_VALUES},
    .prepare = prepare,
    .fill = fill,
};
