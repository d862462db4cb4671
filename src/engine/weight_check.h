/* weight_check.h - properties of a graph's weights that an algorithm needs before it starts. */
#ifndef HD_ENGINE_WEIGHT_CHECK_H
#define HD_ENGINE_WEIGHT_CHECK_H

#include "graph/graph.h"

/* Refuses (HEDDLE_E_WEIGHT) weights that are not finite and, with `not_negative`, those below 0, naming the first such
 * edge. Reads all weights if their type allows an invalid one. `most` receives an upper bound of the weights: the
 * largest if all were read, else that of the type. */
heddle_status hd_weights_check(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                               bool not_negative, const char *algorithm, double *most);

/* The same for the edges first .. end-1, for any type; *most is the largest of them. */
heddle_status hd_weights_check_part(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out,
                                    uint64_t first, uint64_t end, bool not_negative, const char *algorithm,
                                    double *most);
/* Whether the type of the weights allows an invalid one; and an upper bound by the type. */
bool hd_weights_may_be_bad(const heddle_graph *graph, bool not_negative);
double hd_weights_bound(heddle_weight_type type);

/* Refuses (HEDDLE_E_WEIGHT) weights that the type `to` of a program's WEIGHT cannot hold: a conversion would cut 0.5 to
 * 0, turn -3 into 4294967293 and, to f32, 1e300 into infinity. `to` is as in hd_cpu_program. Reads all weights if their
 * type allows such. */
heddle_status hd_weights_check_cut(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out, int to,
                                   const char *program);
/* Whether they have to be read for that. */
bool hd_weights_may_be_cut(heddle_weight_type type, int to);

/* The mean of several thousand weights, evenly spaced. */
double hd_weights_mean(const heddle_graph *graph, const heddle_adjacency *out);
/* Whether all weights are the whole number 1. Reads them all only if a sample of several thousand is. */
bool hd_weights_all_one(heddle_context *ctx, const heddle_graph *graph, const heddle_adjacency *out);

#endif
