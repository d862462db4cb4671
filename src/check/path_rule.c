/* path_rule.c - see path_rule.h. */
#include "check/path_rule.h"

#include "base/parallel.h"

#include <string.h>

enum { ROWS = 256 /* that a thread takes at a time */ };

/* Ranks the vertices to which a tight edge leads from a better one. */
static void rank_the_supported(heddle_context *ctx, const hd_path_rule *rule, const hd_number *values,
                               uint32_t *ranks) {
    const heddle_adjacency *out = &rule->out;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, ROWS) if (rule->graph->edges >= HD_WORTH_THREADS))
    for (uint64_t u = 0; u < rule->graph->vertices; u++)
        for (uint64_t k = out->offsets[u]; hd_has_value(values[u], rule) && k < out->offsets[u + 1]; k++) {
            hd_number to = values[out->targets[k]];
            if (hd_better(rule, values[u], to) && hd_carry(rule, values[u], k) == to)
                hd_store(&ranks[out->targets[k]], 0);
        }
}

/* Ranks the others by a breadth-first search over tight edges between equal values. */
static void rank_the_rest(const hd_path_rule *rule, const hd_number *values, uint32_t *ranks, heddle_vertex *queue) {
    uint64_t head = 0, tail = 0, n = rule->graph->vertices, missing = 0;
    const heddle_adjacency *out = &rule->out;
    for (uint64_t v = 0; v < n; v++) {
        missing += ranks[v] != 0 && hd_has_value(values[v], rule);
        if (ranks[v] == 0)
            queue[tail++] = (heddle_vertex)v;
    }
    for (; missing && head < tail; head++) {
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

void hd_path_ranks(heddle_context *ctx, const hd_path_rule *rule, const hd_number *values,
                   const heddle_run_options *options, uint32_t *ranks, heddle_vertex *queue) {
    memset(ranks, 0xff, rule->graph->vertices * sizeof *ranks);
    for (uint64_t i = 0; i < options->source_count; i++)
        ranks[options->sources[i]] = 0;
    rank_the_supported(ctx, rule, values, ranks);
    rank_the_rest(rule, values, ranks, queue);
}

void hd_path_parents(heddle_context *ctx, const hd_path_rule *rule, const hd_number *values,
                     const heddle_run_options *options, const uint32_t *ranks, heddle_vertex *parents) {
    const heddle_adjacency *out = &rule->out;
    memset(parents, 0xff, rule->graph->vertices * sizeof *parents);
    HD_PARALLEL_FOR(ctx, schedule(dynamic, ROWS) if (rule->graph->edges >= HD_WORTH_THREADS))
    for (uint64_t u = 0; u < rule->graph->vertices; u++)
        for (uint64_t k = out->offsets[u]; ranks[u] != HD_NO_VERTEX && k < out->offsets[u + 1]; k++) {
            heddle_vertex v = out->targets[k];
            bool nearer = hd_better(rule, values[u], values[v]) || (values[u] == values[v] && ranks[u] < ranks[v]);
            if (nearer && hd_carry(rule, values[u], k) == values[v])
                hd_lower(&parents[v], (heddle_vertex)u);
        }
    for (uint64_t i = 0; i < options->source_count; i++)
        parents[options->sources[i]] = HD_NO_VERTEX;
}
