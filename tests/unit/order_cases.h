/* order_cases.h - runs on renamed graphs against runs on the graphs themselves, for the CPU and for devices. */
#ifndef ORDER_CASES_H
#define ORDER_CASES_H

#include "path_cases.h"

#include <math.h>

/* The last: what is renamed is split. */
enum { ORDER_PLANS = 3 };
static const char *const order_plans[ORDER_PLANS] = {"order=degree", "order=bfs", "order=degree,transform=udt,K=2"};

/* The same bits as the reference, and the validator's consent. */
static inline void check_order_exact(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                     const char *where) {
    heddle_result *result, *expected;
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_run_reference(ctx, graph, options, &expected), HEDDLE_OK);
    assert_same_result(result, expected, where);
    support_assert_status(ctx, heddle_verify(ctx, graph, options, result), HEDDLE_OK);
    assert_int_equal(heddle_result_report(result)->source, heddle_result_report(expected)->source);
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

/* The same numbers as under plan auto, but for the rounding of sums. */
static inline void check_order_near(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                    double tolerance, const char *where) {
    heddle_run_options plain = *options;
    heddle_result *result, *expected;
    plain.plan = "auto";
    support_assert_status(ctx, heddle_run(ctx, graph, options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, graph, &plain, &expected), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->count, heddle_graph_vertices(graph));
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++) {
        double is = heddle_result_value(result, (heddle_vertex)v),
               should = heddle_result_value(expected, (heddle_vertex)v);
        if (!(fabs(is - should) <= tolerance * fmax(1, fabs(should))))
            fail_msg("%s: vertex %llu has %.9g, expected %.9g", where, (unsigned long long)v, is, should);
    }
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

/* Every algorithm that can have an order. */
static inline void check_orders(heddle_context *ctx, const char *device, const shape *s, scheme w) {
    static const char *const exact[] = {"bfs", "sssp", "sswp", "cc", "scc"}, *const near[] = {"pr", "bc", "hs", "nn"};
    heddle_graph *graph = case_graph(ctx, s, w);
    char where[200];
    for (int p = 0; p < ORDER_PLANS; p++) {
        for (size_t a = 0; a < sizeof exact / sizeof *exact; a++) {
            heddle_run_options options = support_run_options(exact[a], device, order_plans[p]);
            snprintf(where, sizeof where, "%s, %s, %s, %s", exact[a], s->name, scheme_names[w], order_plans[p]);
            check_order_exact(ctx, graph, &options, where);
        }
        for (size_t a = 0; a < sizeof near / sizeof *near; a++) {
            heddle_run_options options = support_run_options(near[a], device, order_plans[p]);
            snprintf(where, sizeof where, "%s, %s, %s, %s", near[a], s->name, scheme_names[w], order_plans[p]);
            if (strcmp(near[a], "pr") != 0)
                options.precision = HEDDLE_PRECISION_DOUBLE;
            check_order_near(ctx, graph, &options, strcmp(near[a], "pr") == 0 ? 1e-5 : 1e-9, where);
        }
    }
    heddle_graph_destroy(&graph);
}

#endif
