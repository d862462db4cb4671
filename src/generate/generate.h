/* generate.h - shared by the generators.
 *
 * A generator numbers its items (edges, or for grids the vertices that own them) 0 .. items-1, and makes the edges of
 * any item from its number and the seed alone. So the builder may divide the items into parts and read them any number
 * of times, on any threads, and no edge is stored before it is placed in the graph.
 */
#ifndef HD_GENERATE_GENERATE_H
#define HD_GENERATE_GENERATE_H

#include "graph/build.h"

#define HD_GENERATE_VALUES " weighted weight_min weight_max weight_real seed"

enum {
    HD_RMAT_LEVELS = 6,                    /* most levels of the recursion that one random number decides */
    HD_RMAT_INDEX = 2 * HD_RMAT_LEVELS,    /* bits of an outcome: row << HD_RMAT_LEVELS | column */
    HD_RMAT_CELLS = 1 << HD_RMAT_INDEX,    /* one for each outcome */
    HD_RMAT_FRACTION = 63 - HD_RMAT_INDEX, /* bits of a random number that choose inside a cell */
    HD_RMAT_FRACTION_SHIFT = 64 - HD_RMAT_FRACTION
};

/* An alias table (Walker) over all paths through `levels` levels. The low bits of a random number pick a cell, its high
 * bits a fraction: the cell yields its own index as outcome when the fraction is below cell >> HD_RMAT_INDEX, else the
 * outcome in its low bits. With fewer than HD_RMAT_LEVELS levels only the cells under `mask` are in use. */
typedef struct hd_rmat_table {
    unsigned levels;
    uint64_t mask;
    uint64_t cells[HD_RMAT_CELLS];
} hd_rmat_table;

typedef struct hd_rmat {
    unsigned draws;     /* random numbers per edge */
    unsigned long_ones; /* the first of them use `longer`, the rest `shorter` */
    hd_rmat_table longer, shorter;
    bool scramble;
    unsigned scale;    /* the matrix has 2^scale rows, */
    uint64_t vertices; /* for at most as many vertices */
    unsigned shift;    /* the bijection on ids: rounds of multiply, add, xor-shift on as many bits as an id has */
    uint64_t mask, factor[2], addend[2];
} hd_rmat;

typedef struct hd_grid {
    uint64_t width, height, depth;
    double removed; /* share of edges left out */
} hd_grid;

typedef struct hd_ring {
    uint64_t half;  /* neighbours on one side */
    double rewired; /* share of edges with a random end */
} hd_ring;

typedef struct hd_blocks {
    uint64_t count;         /* k blocks of consecutive ids */
    const uint64_t *first;  /* k + 1: where each begins */
    const uint64_t *row;    /* k + 1: pairs of blocks (a, b), a <= b, row by row; where those of each a begin */
    const uint64_t *chunks; /* pairs + 1: where the items of each pair begin */
    const double *rates;    /* k * k; NULL: inside or between */
    double inside, between;
} hd_blocks;

typedef struct hd_stubs {
    uint64_t count;             /* half-edges to join; of a directed graph as many arcs */
    const uint64_t *out, *into; /* where those of each vertex begin; `into` NULL: undirected */
    unsigned half_bits;         /* the permutation is on twice as many */
} hd_stubs;

/* Weight = least + k, k below `steps`; or for real ones least + range * fraction, below `bound`. */
typedef struct hd_weight_range {
    heddle_weight_type type;
    uint64_t seed;
    double least;
    uint64_t steps;
    double range, bound;
} hd_weight_range;

/* A graph to generate: its options, checked, and values derived from them. */
typedef struct hd_generator {
    const struct hd_generator_kind *kind;
    uint64_t vertices;
    uint64_t items;
    uint64_t edges; /* 0: one per item; else about how many in all */
    uint64_t parts;
    uint64_t seed; /* of the kind's own random numbers */
    hd_weight_range weights;
    bool directed;  /* although its kind is undirected */
    uint64_t *held; /* memory that the kind's fields point into, freed with the generator */
    size_t held_count;
    union {
        hd_rmat rmat;
        hd_grid grid;
        hd_ring ring;
        hd_blocks blocks;
        hd_stubs stubs;
        uint64_t own[8]; /* of a kind that needs a few words only */
    };
} hd_generator;

/* A kind is one descriptor in a file of src/generate/, and one line in generate.c. */
typedef struct hd_generator_kind {
    heddle_generator_info info; /* `options` ends in HD_GENERATE_VALUES, which all kinds read */
    bool undirected;            /* each edge is given once and stands for both arcs */
    /* Checks the options the kind uses; sets vertices, items and its own fields. */
    heddle_status (*prepare)(heddle_context *ctx, const heddle_generate_options *options, hd_generator *generator);
    /* Fills the batch with the edges of the items from cursor->position on, until it is full or the items end at
     * cursor->end; advances the position. Weights are added later. */
    void (*fill)(const hd_generator *generator, hd_cursor *cursor, hd_edge_batch *batch);
} hd_generator_kind;

/* Checks shared by the kinds; each fills the error record. */

/* `vertices`; when it is 0 (not given) `otherwise`, and when that is 0 too, 2^scale. */
heddle_status hd_generate_vertices(heddle_context *ctx, const heddle_generate_options *options, uint64_t otherwise,
                                   uint64_t *vertices);
/* The number of edges for a mean of `degree` per vertex, rounded to the nearest whole number. */
heddle_status hd_generate_edges(heddle_context *ctx, double degree, uint64_t vertices, uint64_t *edges);
heddle_status hd_generate_probability(heddle_context *ctx, const char *name, double value);

/* For generators whose items are edges: how many go into the next batch. Advances the position. */
static inline size_t hd_generate_take(hd_cursor *cursor, hd_edge_batch *batch) {
    uint64_t left = cursor->end - cursor->position;
    batch->count = left < HD_BATCH ? (size_t)left : HD_BATCH;
    cursor->position += batch->count;
    return batch->count;
}

#endif
