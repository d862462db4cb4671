/* graph500.h - the edges, the search keys and the statistics of the Graph500 benchmark, after its specification. */
#ifndef CLI_GRAPH500_H
#define CLI_GRAPH500_H

#include <stdbool.h>
#include <stdint.h>

enum { CLI_G500_FACTOR = 16, CLI_G500_SEARCHES = 64 };

/* Undirected edges as they were generated: loops and repetitions included. */
typedef struct cli_g500 {
    uint64_t vertices, edges;
    int64_t *from, *to;
    float *weights; /* above 0 and below 1, uniform: kernel 3 uses them */
} cli_g500;

/* 2^scale vertices, `factor` edges for each: Kronecker with A = 0.57, B = C = 0.19, vertices permuted. Of the list, the
 * edges of share `part` of `parts`, the same for any number of threads. False: out of memory. Freed by cli_g500_free in
 * any case. */
bool cli_g500_generate(int scale, int factor, uint64_t seed, int part, int parts, int threads, cli_g500 *graph);
void cli_g500_free(cli_g500 *graph);
/* How many edges of a list are in that share; the shares follow each other. */
uint64_t cli_g500_share(uint64_t edges, int part, int parts);

/* Distinct vertices with an edge to another vertex, chosen by chance; returns how many there are, at most `count`.
 * `offsets`: those of the graph's rows, which have no loops. */
int cli_g500_keys(const uint64_t *offsets, uint64_t vertices, uint64_t seed, int count, uint32_t *keys);

/* Statistics that the specification requires. */
typedef struct cli_g500_stats {
    double least, first_quartile, median, third_quartile, most, mean, deviation;
    double harmonic_mean, harmonic_deviation;
} cli_g500_stats;
/* Sorts the numbers; at least one. */
cli_g500_stats cli_g500_summarise(double *numbers, int count);

#endif
