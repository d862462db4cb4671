/* device_structure.h - cc, scc and mst on a device, held against the CPU's results on graphs that hurt. */
#ifndef DEVICE_STRUCTURE_H
#define DEVICE_STRUCTURE_H

#include "device_case.h"
#include "structure_cases.h"

/* The device's result is the CPU's, figures included. */
static inline void check_options_on_device(const heddle_graph *graph, heddle_run_options options, const char *where) {
    heddle_result *expected, *result;
    const char *plan = options.plan;
    char place[300];
    options.plan = "auto";
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &expected), HEDDLE_OK);
    options.device = device_name;
    options.plan = plan;
    snprintf(place, sizeof place, "%s, plan %s", where, plan);
    if (heddle_run(device_ctx, graph, &options, &result) != HEDDLE_OK)
        fail_msg("%s: %s", place, heddle_context_error(device_ctx)->message);
    assert_same_result(result, expected, place);
    assert_same_forest(result, expected, place);
    assert_same_figures(result, expected, place);
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

static inline void check_on_device(const heddle_graph *graph, const char *algorithm, const char *plan,
                                   const char *where) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.plan = plan;
    check_options_on_device(graph, options, where);
}

static inline void check_shape_on_device(const char *algorithm, shape s, scheme w, const char *plan) {
    heddle_graph *graph = case_graph(device_ctx, &s, w);
    char where[200];
    snprintf(where, sizeof where, "%s, %s, %s", algorithm, s.name, scheme_names[w]);
    check_on_device(graph, algorithm, plan, where);
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static inline void check_shapes_on_device(const char *algorithm, scheme w, const char *plan) {
    for (int i = 0; i < SHAPES; i++)
        check_shape_on_device(algorithm, shape_at(i), w, plan);
    for (int i = 0; i < STRUCTURES; i++)
        check_shape_on_device(algorithm, structure_at(i), w, plan);
}

/* Very many very small graphs, all on the same device. */
static inline void check_tiny_on_device(const char *algorithm, scheme w, uint64_t rounds) {
    for (uint64_t round = 0; round < rounds; round++) {
        uint64_t n = 1 + case_hash(round) % 8, m = case_hash(round + rounds) % (3 * n);
        check_shape_on_device(algorithm, shape_random("tiny", n, m, round * 1000, round % 3 == 0), w, "auto");
    }
}

#endif
