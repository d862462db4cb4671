/* path_rule.h - shared by the references and validators of bfs, sssp and sswp: how a value is carried along an edge and
 * which of two values is better. Values are long doubles, which hold all value types exactly, including 64-bit
 * integers. Independent of the code that is checked.
 */
#ifndef HD_CHECK_PATH_RULE_H
#define HD_CHECK_PATH_RULE_H

#include "engine/result.h"

#include <math.h>

typedef long double hd_number;

#define HD_NO_VERTEX UINT32_MAX

typedef struct hd_path_rule {
    const heddle_graph *graph;
    heddle_adjacency out;
    heddle_value_type type; /* the arithmetic: float or double sums are rounded at every edge */
    bool hops;              /* bfs: every edge has length 1 */
    bool widest;            /* sswp */
} hd_path_rule;

static inline hd_number hd_source_value(const hd_path_rule *rule) { return rule->widest ? (hd_number)INFINITY : 0; }

static inline bool hd_has_value(hd_number value, const hd_path_rule *rule) {
    return value != (rule->widest ? -(hd_number)INFINITY : (hd_number)INFINITY);
}

/* False when either is not a number. */
static inline bool hd_better(const hd_path_rule *rule, hd_number a, hd_number b) {
    return rule->widest ? a > b : a < b;
}

/* The value of a path that is one edge longer. */
static inline hd_number hd_carry(const hd_path_rule *rule, hd_number value, uint64_t edge) {
    heddle_weight_type type = rule->hops ? HEDDLE_WEIGHT_NONE : rule->graph->weight_type;
    hd_number weight = hd_weight_real(type) ? (hd_number)hd_weight_at(rule->out.weights, type, edge)
                                            : (hd_number)hd_weight_whole(rule->out.weights, type, edge);
    if (rule->widest)
        return value < weight ? value : weight + 0; /* no -0 */
    if (rule->type == HEDDLE_VALUE_F32)
        return (hd_number)((float)value + (float)weight);
    if (rule->type == HEDDLE_VALUE_F64)
        return (hd_number)((double)value + (double)weight);
    return value + weight;
}

/* Ranks every vertex that has a value by its distance, in tight edges between equal values, from a vertex of rank 0. An
 * edge is tight if it carries exactly the target's value. Rank 0: sources, and vertices with a tight edge from a
 * strictly better vertex. HD_NO_VERTEX: not reachable that way. `ranks` and `queue` have room for all vertices. */
void hd_path_ranks(heddle_context *ctx, const hd_path_rule *rule, const hd_number *values,
                   const heddle_run_options *options, uint32_t *ranks, heddle_vertex *queue);

/* The smallest parents that the ranks allow: a tight edge from a better vertex, or from an equal one of smaller rank.
 * Sources have none. */
void hd_path_parents(heddle_context *ctx, const hd_path_rule *rule, const hd_number *values,
                     const heddle_run_options *options, const uint32_t *ranks, heddle_vertex *parents);

#endif
