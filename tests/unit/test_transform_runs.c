/* test_transform_runs.c - algorithms on split graphs: the same values as without a split, on the CPU and on OpenCL. */
#include "engine/device/resident.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GRAPHS = 7 };

typedef struct sample {
    const char *name;
    heddle_graph *graph;
} sample;

static heddle_context *ctx;
static sample samples[GRAPHS];
static bool has_opencl;

/* ---- Graphs that hurt -------------------------------------------------------------------------------------------- */

static heddle_graph *generated(const char *kind, int scale, uint64_t vertices, int weighted, int symmetrize) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.scale = scale;
    options.vertices = vertices;
    options.weighted = weighted > 0;
    options.weight_real = weighted == 2;
    options.build.symmetrize = symmetrize;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

/* Hubs in a row, each with loops, parallel edges and leaves that lead back; some vertices that nothing touches. */
static heddle_graph *hubs(heddle_weight_type type) {
    enum { HUBS = 6, LEAVES = 40, EDGES = HUBS * (2 * LEAVES + 4), N = HUBS + LEAVES + 5 };
    int64_t from[EDGES], to[EDGES];
    uint32_t weights[EDGES];
    uint64_t m = 0;
    heddle_graph *graph;
    for (int h = 0; h < HUBS; h++) {
        for (int i = 0; i < LEAVES; i++, m += 2) {
            from[m] = to[m + 1] = h;
            to[m] = from[m + 1] = HUBS + (i * 7 + h) % LEAVES;
        }
        for (int i = 0; i < 4; i++, m++) {
            from[m] = h;
            to[m] = i < 2 ? h : (h + 1) % HUBS;
        }
    }
    for (uint64_t k = 0; k < EDGES; k++) {
        float real = (float)(k * 37 % 11) / 4;
        weights[k] = (uint32_t)(k * 37 % 11);
        if (type == HEDDLE_WEIGHT_F32)
            memcpy(&weights[k], &real, sizeof real);
    }
    support_assert_status(ctx, heddle_graph_from_edges(ctx, N, m, from, to, weights, type, NULL, &graph), HEDDLE_OK);
    return graph;
}

static int set_up(void **state) {
    heddle_device_info devices[32];
    size_t count = 0;
    (void)state;
    ctx = support_context(2);
    samples[0] = (sample){"rmat, directed", generated("rmat", 7, 0, 1, 0)};
    samples[1] = (sample){"rmat, undirected", generated("rmat", 7, 0, 1, 1)};
    samples[2] = (sample){"rmat, real weights", generated("rmat", 7, 0, 2, 0)};
    samples[3] = (sample){"rmat, no weights", generated("rmat", 7, 0, 0, 1)};
    samples[4] = (sample){"star", generated("star", 0, 500, 1, 1)};
    samples[5] = (sample){"hubs", hubs(HEDDLE_WEIGHT_U32)};
    samples[6] = (sample){"hubs, real weights", hubs(HEDDLE_WEIGHT_F32)};
    devices[0].size = sizeof devices[0];
    support_assert_status(ctx, heddle_device_list(ctx, devices, 32, &count), HEDDLE_OK);
    for (size_t i = 0; i < count && i < 32; i++)
        has_opencl |= strcmp(devices[i].kind, "opencl") == 0 && devices[i].name[0];
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    for (size_t i = 0; i < GRAPHS; i++)
        heddle_graph_destroy(&samples[i].graph);
    heddle_context_destroy(&ctx);
    return 0;
}

/* ---- One run ----------------------------------------------------------------------------------------------------- */

static const char *const monotone[] = {"bfs", "sssp", "sswp", "cc"};
static const char *const sums[] = {"pr", "hs", "nn"};

static void complain(const sample *s, const char *algorithm, const char *device, const char *plan, uint64_t v,
                     double is, double should) {
    fail_msg("%s on %s under %s, %s: vertex %llu has %.9g, expected %.9g", algorithm, device, plan, s->name,
             (unsigned long long)v, is, should);
}

static void compare(const sample *s, const heddle_run_options *options, const heddle_result *result,
                    const heddle_result *expected, double tolerance) {
    heddle_values values = *heddle_result_values(result);
    const heddle_vertex *parents = heddle_result_parents(result), *others = heddle_result_parents(expected);
    assert_int_equal(values.count, heddle_graph_vertices(s->graph));
    for (uint64_t v = 0; v < values.count; v++) {
        double is = heddle_result_value(result, (heddle_vertex)v),
               should = heddle_result_value(expected, (heddle_vertex)v);
        if (is != should && !(fabs(is - should) <= tolerance * fmax(1e-3, fabs(should))))
            complain(s, options->algorithm, options->device, options->plan, v, is, should);
        if (options->parents && parents[v] != others[v])
            complain(s, options->algorithm, options->device, options->plan, v, parents[v], others[v]);
    }
}

/* The plan's run against the CPU's own code: the same values and parents, of the same type. */
static void check(const sample *s, const char *algorithm, const char *device, const char *plan, bool exact) {
    heddle_run_options options = support_run_options(algorithm, device, plan),
                       plain = support_run_options(algorithm, "cpu", "auto");
    heddle_result *result, *expected;
    if (!exact)
        options.precision = plain.precision = HEDDLE_PRECISION_DOUBLE;
    support_assert_status(ctx, heddle_run(ctx, s->graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, s->graph, &plain, &expected), HEDDLE_OK);
    assert_int_equal(heddle_result_values(result)->type, heddle_result_values(expected)->type);
    compare(s, &options, result, expected, exact ? 0 : strcmp(algorithm, "pr") == 0 ? 2e-2 : 1e-9);
    if (exact || strcmp(algorithm, "pr") == 0)
        support_assert_status(ctx, heddle_verify(ctx, s->graph, &options, result), HEDDLE_OK);
    assert_string_not_equal(heddle_result_report(result)->transform, "none");
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

static void check_all(const char *device, const char *const *plans, const char *const *algorithms, size_t count,
                      bool exact, size_t step) {
    for (size_t p = 0; plans[p]; p++)
        for (size_t a = 0; a < count; a++)
            for (size_t g = 0; g < GRAPHS; g += step)
                check(&samples[g], algorithms[a], device, plans[p], exact);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static void test_monotone_on_cpu(void **unused) {
    static const char *const plans[] = {"tigr-udt,K=2",
                                        "tigr-udt,K=7",
                                        "transform=star,K=1",
                                        "transform=rstar,K=3",
                                        "transform=circ,K=4",
                                        "transform=circ,K=1,direction=pull",
                                        "transform=cliq,K=9",
                                        "transform=cliq,K=20,direction=pull",
                                        "transform=udt,K=3,direction=pull",
                                        "tigr-udt",
                                        NULL};
    (void)unused;
    check_all("cpu", plans, monotone, 4, true, 1);
}

static void test_sums_on_cpu(void **unused) {
    static const char *const plans[] = {"tigr-udt,K=2", "transform=star,K=5", "transform=rstar,K=2,direction=pull",
                                        "transform=udt,K=11,schedule=wseg", NULL};
    (void)unused;
    check_all("cpu", plans, sums, 3, false, 1);
}

/* New vertices are on no path and in no component; families may be anything for scc, trees for bc. */
static void test_bc_and_scc_on_cpu(void **unused) {
    static const char *const bc[] = {"bc"}, *const scc[] = {"scc"};
    static const char *const trees[] = {"tigr-udt,K=2",
                                        "tigr-udt",
                                        "transform=star,K=1",
                                        "transform=rstar,K=3,direction=pull",
                                        "transform=udt,K=4,direction=pull",
                                        NULL};
    static const char *const all[] = {"tigr-udt,K=2", "transform=circ,K=3", "transform=cliq,K=9,direction=pull", NULL};
    (void)unused;
    check_all("cpu", trees, bc, 1, false, 1);
    check_all("cpu", all, scc, 1, true, 1);
}

/* Pairs of vertices in a row, or single ones, that lead to a hub, from vertex 0. */
static heddle_graph *row_to_hub(int steps, int pair) {
    enum { MOST = 1200, LEAVES = 20 };
    static int64_t from[MOST * 4 + LEAVES], to[MOST * 4 + LEAVES];
    uint64_t m = 0;
    heddle_graph *graph;
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < 2 * pair; k++, m++) {
            from[m] = k < pair ? 3 * i : 3 * i + 1 + k % pair;
            to[m] = k < pair ? 3 * i + 1 + k % pair : 3 * i + 3;
        }
    for (int i = 0; i < LEAVES; i++, m++) {
        from[m] = 3 * steps;
        to[m] = 3 * steps + 1 + i;
    }
    support_assert_status(ctx, heddle_graph_from_edges(ctx, 0, m, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph),
                          HEDDLE_OK);
    return graph;
}

static void check_row(const char *device, int steps, int pair, heddle_status status) {
    sample s = {"a row", row_to_hub(steps, pair)};
    heddle_vertex source = 0;
    heddle_run_options options = support_run_options("bc", device, "tigr-udt,K=4"),
                       plain = support_run_options("bc", "cpu", "auto");
    heddle_result *result, *expected;
    options.sources = plain.sources = &source;
    options.source_count = plain.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, s.graph, &options, &result), status);
    support_assert_status(ctx, heddle_run(ctx, s.graph, &plain, &expected), HEDDLE_OK);
    if (status == HEDDLE_OK)
        compare(&s, &options, result, expected, 1e-6);
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
    heddle_graph_destroy(&s.graph);
}

/* Many levels; and as many shortest paths as no double can hold. */
static void test_bc_of_many_levels(void **unused) {
    (void)unused;
    check_row("cpu", 1200, 2, HEDDLE_OK);
    if (!has_opencl)
        skip();
    check_row("opencl", 100, 1, HEDDLE_OK);
    check_row("opencl", 1200, 2, HEDDLE_E_REFUSED);
}

static void test_on_opencl(void **unused) {
    static const char *const few[] = {"tigr-udt,K=4", "transform=circ,K=5,direction=pull", NULL};
    static const char *const trees[] = {"tigr-udt,K=3", "transform=star,K=6,schedule=wseg", NULL};
    (void)unused;
    if (!has_opencl)
        skip();
    static const char *const bc[] = {"bc"}, *const scc[] = {"scc"};
    static const char *const both[] = {"tigr-udt,K=3", "transform=rstar,K=4,direction=pull,offsets=64",
                                       "transform=star,K=4,schedule=edge",
                                       "transform=udt,K=3,schedule=wseg,direction=pull", NULL};
    check_all("opencl", both, bc, 1, false, 3);
    check_all("opencl", few, scc, 1, true, 3);
    check_all("opencl", few, monotone, 4, true, 3);
    check_all("opencl", trees, sums, 3, false, 3);
}

static void refused(const char *algorithm, const char *plan, const char *words) {
    heddle_run_options options = support_run_options(algorithm, "cpu", plan);
    heddle_result *result;
    support_assert_status(ctx, heddle_run(ctx, samples[0].graph, &options, &result), HEDDLE_E_REFUSED);
    support_assert_message(ctx, words);
    assert_null(result);
}

static void test_refused(void **unused) {
    (void)unused;
    refused("pr", "transform=udt,direction=push", "use direction=pull instead");
    refused("pr", "transform=circ,K=4", "added twice");
    refused("hs", "transform=cliq,K=4", "added twice");
    refused("pr", "transform=udt,schedule=edge", "level by level");
    refused("bc", "transform=circ,K=4", "cost nothing");
    refused("bc", "transform=cliq", "use transform=star, udt or rstar instead");
    refused("bc", "udt-cusha", "no vertex program");
    refused("scc", "udt-cusha", "no vertex program");
    refused("scc", "transform=udt,schedule=vnode", "not split once more");
    refused("mst", "transform=star", "two arcs");
    refused("bfs", "transform=udt,K=1", "needs K of 2 or more");
    refused("bfs", "transform=rstar,K=1", "needs K of 2 or more");
    refused("bfs", "transform=udt,schedule=vnode", "not split once more");
}

static void test_nothing_to_split(void **unused) {
    heddle_run_options options = support_run_options("bfs", "cpu", "tigr-udt,K=100000");
    heddle_result *result;
    (void)unused;
    support_clear_notes();
    support_assert_status(ctx, heddle_run(ctx, samples[0].graph, &options, &result), HEDDLE_OK);
    assert_non_null(strstr(support_notes(), "nothing to split"));
    support_assert_status(ctx, heddle_verify(ctx, samples[0].graph, &options, result), HEDDLE_OK);
    heddle_result_destroy(&result);
}

/* ---- What is kept from run to run -------------------------------------------------------------------------------- */

/* Runs under a plan; the result agrees with the CPU's own. Returns the seconds of the transform. */
static double kept_run(heddle_context *own, const sample *s, const char *algorithm, const char *device,
                       const char *plan) {
    heddle_run_options options = support_run_options(algorithm, device, plan),
                       plain = support_run_options(algorithm, "cpu", "auto");
    heddle_result *result, *expected;
    support_assert_status(own, heddle_run(own, s->graph, &options, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_run(ctx, s->graph, &plain, &expected), HEDDLE_OK);
    compare(s, &options, result, expected, 0);
    double seconds = heddle_result_report(result)->transforming;
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
    return seconds;
}

static void check_kept(const char *device) {
    heddle_context *own = support_context(2);
    const sample *a = &samples[0], *b = &samples[1];
    const char *udt = "transform=udt,K=4,schedule=thread";
    kept_run(own, a, "sssp", device, "schedule=thread,direction=push");
    assert_true(kept_run(own, a, "sssp", device, udt) > 0);
    assert_true(kept_run(own, a, "sssp", device, udt) == 0);
    if (strcmp(device, "cpu") != 0) /* the graph itself stays where it was */
        assert_non_null(hd_resident_where(own, a->graph));
    kept_run(own, a, "sssp", device, "schedule=thread,direction=push");
    assert_true(kept_run(own, a, "sssp", device, udt) == 0); /* a run on the graph itself does not push it out */
    assert_true(kept_run(own, a, "bfs", device, udt) > 0);   /* other weights: another graph */
    assert_true(kept_run(own, a, "cc", device, udt) > 0);
    assert_true(kept_run(own, a, "cc", device, udt) == 0);
    assert_true(kept_run(own, a, "cc", device, "transform=udt,K=5,schedule=thread") > 0);
    kept_run(own, a, "sssp", device, "udt-cusha,K=4");
    assert_true(kept_run(own, a, "sssp", device, "udt-cusha,K=4") == 0);
    assert_true(kept_run(own, a, "sssp", device, "udt-cusha,K=4,window=gs") == 0); /* other shards of the same */
    assert_true(kept_run(own, b, "sssp", device, udt) > 0);
    assert_true(kept_run(own, a, "sssp", device, udt) > 0); /* another graph has pushed it out */
    heddle_context_destroy(&own);
}

/* Shards of the graph itself: several, in turn and again. */
static void check_kept_shards(const char *device, size_t algorithms) {
    static const char *const plans[] = {"cusha-cw",          "cusha-cw",          "cusha-gs",
                                        "cusha-cw,range=16", "cusha-gs,range=16", "cusha-gs,range=16"};
    heddle_context *own = support_context(2);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (size_t a = 0; a < algorithms; a++) {
            kept_run(own, &samples[0], monotone[a], device, plans[i]);
            kept_run(own, &samples[0], monotone[a], device, plans[i]);
            kept_run(own, &samples[5], monotone[a], device, plans[i]);
        }
    heddle_context_destroy(&own);
}

static void test_kept(void **unused) {
    (void)unused;
    check_kept("cpu");
    check_kept_shards("cpu", sizeof monotone / sizeof *monotone);
    if (!has_opencl)
        skip();
    check_kept("opencl");
    check_kept_shards("opencl", 1);
}

static void test_public_function(void **unused) {
    heddle_transform_options options;
    heddle_transform_report report = {.size = sizeof report};
    heddle_graph *split;
    (void)unused;
    heddle_transform_options_init(&options);
    options.bound = 16;
    support_assert_status(ctx, heddle_graph_transform(ctx, samples[1].graph, &options, &split, &report), HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(split), heddle_graph_vertices(samples[1].graph) + report.added_vertices);
    assert_int_equal(report.after.edges, heddle_graph_edges(split));
    assert_int_equal(report.after.max_degree, 16);
    assert_true(report.after.warp_efficiency > report.before.warp_efficiency);
    assert_true(report.advice[0] && report.clustering > 0 && report.height > 0);
    heddle_graph_destroy(&split);
    support_assert_status(ctx, heddle_graph_transform(ctx, samples[1].graph, &options, &split, NULL), HEDDLE_OK);
    heddle_graph_destroy(&split);
    options.bound = 100000;
    support_assert_status(ctx, heddle_graph_transform(ctx, samples[1].graph, &options, &split, &report), HEDDLE_OK);
    assert_null(split);
    assert_false(report.worth);
    options.bound = 0;
    support_assert_status(ctx, heddle_graph_transform(ctx, samples[1].graph, &options, &split, NULL),
                          HEDDLE_E_ARGUMENT);
    options.name = "nonsense";
    support_assert_status(ctx, heddle_graph_transform(ctx, samples[1].graph, &options, &split, NULL),
                          HEDDLE_E_ARGUMENT);
}

static heddle_status attempt(heddle_context *failing, void *user) {
    heddle_run_options options = support_run_options(user, "cpu", "tigr-udt,K=3");
    heddle_result *result;
    heddle_status status = heddle_run(failing, samples[5].graph, &options, &result);
    heddle_result_destroy(&result);
    return status;
}

static void test_every_failure(void **unused) {
    heddle_adjacency in;
    (void)unused;
    support_assert_status(ctx, heddle_graph_in(ctx, samples[5].graph, &in), HEDDLE_OK); /* kept with the graph */
    support_try_every_failure(attempt, "sssp");
    support_try_every_failure(attempt, "cc");
    support_try_every_failure(attempt, "pr");
    support_try_every_failure(attempt, "bc");
    support_try_every_failure(attempt, "scc");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotone_on_cpu),   cmocka_unit_test(test_sums_on_cpu),
        cmocka_unit_test(test_bc_and_scc_on_cpu), cmocka_unit_test(test_bc_of_many_levels),
        cmocka_unit_test(test_on_opencl),         cmocka_unit_test(test_refused),
        cmocka_unit_test(test_nothing_to_split),  cmocka_unit_test(test_public_function),
        cmocka_unit_test(test_every_failure),     cmocka_unit_test(test_kept),
    };
    support_compile_quickly();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
