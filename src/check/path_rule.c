/* path_rule.c - see path_rule.h. */
#include "check/path_rule.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

hd_number hd_carry(const hd_path_rule *rule, hd_number value, uint64_t edge) {
    double weight = rule->hops ? 1 : hd_weight_at(rule->out.weights, rule->graph->weight_type, edge);
    if (rule->widest)
        return value < weight ? value : (hd_number)(weight + 0.0); /* no -0 */
    if (rule->type == HEDDLE_VALUE_F32)
        return (hd_number)((float)value + (float)weight);
    if (rule->type == HEDDLE_VALUE_F64)
        return (hd_number)((double)value + weight);
    return value + weight;
}

bool hd_better(const hd_path_rule *rule, hd_number a, hd_number b) { return rule->widest ? a > b : a < b; }

hd_number hd_source_value(const hd_path_rule *rule) { return rule->widest ? (hd_number)INFINITY : 0; }

hd_number hd_unreached_value(const hd_path_rule *rule) { return rule->widest ? -(hd_number)INFINITY : (hd_number)INFINITY; }

void hd_path_ranks(const hd_path_rule *rule, const hd_number *values, const heddle_run_options *options,
                   uint32_t *ranks, heddle_vertex *queue) {
    uint64_t n = rule->graph->vertices, head = 0, tail = 0;
    const heddle_adjacency *out = &rule->out;
    memset(ranks, 0xff, n * sizeof *ranks);
    for (uint64_t i = 0; i < options->source_count; i++)
        ranks[options->sources[i]] = 0;
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t k = out->offsets[u]; values[u] != hd_unreached_value(rule) && k < out->offsets[u + 1]; k++) {
            hd_number to = values[out->targets[k]];
            if (hd_better(rule, values[u], to) && hd_carry(rule, values[u], k) == to)
                ranks[out->targets[k]] = 0;
        }
    for (uint64_t v = 0; v < n; v++)
        if (ranks[v] == 0)
            queue[tail++] = (heddle_vertex)v;
    for (; head < tail; head++) {
        heddle_vertex u = queue[head];
        for (uint64_t k = out->offsets[u]; k < out->offsets[u + 1]; k++) {
            heddle_vertex v = out->targets[k];
            if (ranks[v] == HD_NO_VERTEX && values[v] == values[u] && hd_carry(rule, values[u], k) == values[v]) {
                ranks[v] = ranks[u] + 1;
                queue[tail++] = v;
            }
        }
    }
}

void hd_path_parents(const hd_path_rule *rule, const hd_number *values, const uint32_t *ranks,
                     heddle_vertex *parents) {
    uint64_t n = rule->graph->vertices;
    const heddle_adjacency *out = &rule->out;
    memset(parents, 0xff, n * sizeof *parents);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t k = out->offsets[u]; ranks[u] != HD_NO_VERTEX && k < out->offsets[u + 1]; k++) {
            heddle_vertex v = out->targets[k];
            bool nearer = hd_better(rule, values[u], values[v]) || (values[u] == values[v] && ranks[u] < ranks[v]);
            if (parents[v] == HD_NO_VERTEX && nearer && hd_carry(rule, values[u], k) == values[v])
                parents[v] = (heddle_vertex)u; /* u ascends: the first is the smallest */
        }
}
