/* communities.h - communities of high modularity, for louvain and leiden: on the CPU (communities.c) and on devices
 * (communities_device.c). Results are the same for any number of threads. */
#ifndef HD_ALGORITHM_COMMUNITIES_COMMUNITIES_H
#define HD_ALGORITHM_COMMUNITIES_COMMUNITIES_H

#include "algorithm/algorithm.h"

/* Weights are whole numbers while communities are searched: the user's, times a power of two such that all ends of
 * edges together have 61 bits. Sums of them are the same in whatever order they are made. */
typedef struct hd_whole_scale {
    double sum;          /* 2m, all ends of edges, in the user's units */
    double factor, more; /* a whole number is the user's times both: a power of two may exceed a double */
    uint64_t unit;       /* of an edge, where all weigh 1 */
} hd_whole_scale;

void hd_whole_scale_set(hd_whole_scale *scale, double sum);
static inline double hd_whole_of(const hd_whole_scale *scale, double number) {
    return number * scale->factor * scale->more;
}

/* A graph of one level. An edge is in the rows of both its ends; loops are in `own`, from both ends. */
typedef struct hd_level {
    uint64_t n, entries;
    const uint64_t *offsets;
    const uint32_t *targets;
    const uint64_t *weights; /* NULL: all weigh `unit` */
    uint64_t unit;
    uint64_t *own, *ends; /* per vertex: loops, NULL: there are none; all ends of edges */
    /* Memory that the level owns; NULL: rows of the user's graph. */
    uint64_t *offsets_made, *weights_made;
    uint32_t *targets_made;
} hd_level;

static inline uint64_t hd_level_degree(const hd_level *g, uint64_t v) { return g->offsets[v + 1] - g->offsets[v]; }
static inline uint64_t hd_level_weight(const hd_level *g, uint64_t e) { return g->weights ? g->weights[e] : g->unit; }

heddle_status hd_level_open(heddle_context *ctx, uint64_t n, hd_level *level); /* without room for edges */
heddle_status hd_level_room(heddle_context *ctx, uint64_t entries, bool weighted, hd_level *level);
void hd_level_close(heddle_context *ctx, hd_level *level); /* if zeroed or closed: does nothing */
/* The user's graph. */
heddle_status hd_level_first(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                             hd_level *level, hd_whole_scale *scale);
/* Whether that is the graph's own rows, with weights of 1. */
heddle_status hd_level_is_plain(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                bool *plain);

/* Fills the result. `refine`: what is merged between levels are parts of communities that are connected inside, and
 * communities are connected in the end (Leiden). */
heddle_status hd_communities_run(const hd_run *run, bool refine);
heddle_status hd_communities_run_device(const hd_run *run, bool refine);
/* The remaining levels of a search that has come to `level`, which is closed here. `part`: the communities in which its
 * vertices begin, then those in which they end, below level->n. */
heddle_status hd_communities_rest(const hd_run *run, bool refine, hd_level *level, uint32_t *part,
                                  const hd_whole_scale *scale, uint64_t *levels);
/* The figures of labels that are the smallest members. */
heddle_status hd_communities_figures(heddle_context *ctx, heddle_result *result, double modularity, uint64_t levels);
/* Gain of a move, in units of 2m: less is rounding, and would move vertices for ever. */
#define HD_LEAST_GAIN 1e-12
/* The divisor of products of ends: 2m / resolution. */
double hd_communities_all(double sum, double resolution);
heddle_status hd_communities_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options);
heddle_status hd_louvain_bytes(const hd_run *run, double *bytes);
heddle_status hd_leiden_bytes(const hd_run *run, double *bytes);
heddle_status hd_communities_device_bytes(const hd_device_request *r, bool refine, uint64_t *bytes);

#endif
