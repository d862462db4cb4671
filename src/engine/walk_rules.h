/* walk_rules.h - which walks a run's options ask for, and a row's weights as the walks read them: definitions that the
 * engines, references and validators share. */
#ifndef HD_ENGINE_WALK_RULES_H
#define HD_ENGINE_WALK_RULES_H

#include "graph/graph.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint64_t hd_offset;
#define GLOBAL
#define INLINE static inline
#include "engine/walk_step.h"
#undef GLOBAL
#undef INLINE

typedef struct hd_walk_plan {
    const heddle_vertex *sources; /* NULL: all vertices */
    uint64_t starts, each, walks, steps;
    walk_rules rules;
} hd_walk_plan;

/* A probability relative to the largest one, in units of 2^-31, at least one. Two infinite numbers are equal. */
static inline uint32_t hd_walk_chance(double value, double most) {
    double units = value / most * (double)WALK_SURE + 0.5;
    return units < 1 ? 1 : units < (double)WALK_SURE ? (uint32_t)units : WALK_SURE;
}

/* Of options that have been resolved. */
static inline hd_walk_plan hd_walk_plan_of(const heddle_graph *graph, const heddle_run_options *options) {
    double p = options->p, q = options->q;
    double most = 1 / p > 1 / q ? 1 / p : 1 / q;
    most = most > 1 ? most : 1;
    hd_walk_plan plan = {.sources = options->source_count ? options->sources : NULL,
                         .starts = options->source_count ? options->source_count : graph->vertices,
                         .each = options->walks,
                         .steps = options->length};
    plan.walks = plan.starts * plan.each;
    plan.rules = (walk_rules){.seed = options->seed,
                              .weighted = options->weighted && graph->weight_type != HEDDLE_WEIGHT_NONE,
                              .second = p != 1 || q != 1,
                              .back = hd_walk_chance(1 / p, most),
                              .near = hd_walk_chance(1, most),
                              .far = hd_walk_chance(1 / q, most)};
    return plan;
}

static inline heddle_vertex hd_walk_start(const hd_walk_plan *plan, uint64_t walk) {
    return plan->sources ? plan->sources[walk / plan->each] : (heddle_vertex)(walk / plan->each);
}

/* The shares of a row's weight up to and with each arc, in units of 2^-63; all 0 if there is no weight. */
static inline void hd_walk_sums(const void *weights, heddle_weight_type type, uint64_t begin, uint64_t end,
                                uint64_t *sums) {
    double all = 0, sum = 0;
    for (uint64_t e = begin; e < end; e++)
        all += hd_weight_at(weights, type, e);
    for (uint64_t e = begin; e < end; e++) {
        sum += hd_weight_at(weights, type, e);
        sums[e - begin] = all > 0 ? (uint64_t)(sum < all ? sum / all * 0x1p63 : 0x1p63) : 0;
    }
}

#endif
