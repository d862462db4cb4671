/* path_rule.h - what bfs, sssp and sswp have in common, for their references and validators: how a value is carried
 * along an edge and which of two is better. Values are long doubles, which hold all types of value exactly: 64-bit
 * integers too. Simple, sequential, and no part of the code that is judged.
 */
#ifndef HD_CHECK_PATH_RULE_H
#define HD_CHECK_PATH_RULE_H

#include "engine/result.h"

typedef long double hd_number;

#define HD_NO_VERTEX UINT32_MAX

typedef struct hd_path_rule {
    const heddle_graph *graph;
    heddle_adjacency out;
    heddle_value_type type; /* the arithmetic: float or double sums are rounded at every edge */
    bool hops;              /* bfs: every edge counts 1 */
    bool widest;            /* sswp */
} hd_path_rule;

/* The value of a path that is one edge longer. */
hd_number hd_carry(const hd_path_rule *rule, hd_number value, uint64_t edge);
/* False when either is not a number. */
bool hd_better(const hd_path_rule *rule, hd_number a, hd_number b);
hd_number hd_source_value(const hd_path_rule *rule);
hd_number hd_unreached_value(const hd_path_rule *rule);

/* For every vertex with a value, how many edges between equal values lie between it and a better one: 0 when a tight
 * edge (one that carries exactly the value) leads to it from a strictly better vertex, or when it is a source.
 * HD_NO_VERTEX when no tight edges lead to it from there. `ranks` and `queue` have room for all vertices. */
void hd_path_ranks(const hd_path_rule *rule, const hd_number *values, const heddle_run_options *options,
                   uint32_t *ranks, heddle_vertex *queue);

/* The parents that the ranks allow, each the smallest: a tight edge from a better vertex, or from an equal one of
 * smaller rank. */
void hd_path_parents(const hd_path_rule *rule, const hd_number *values, const uint32_t *ranks,
                     heddle_vertex *parents);

#endif
