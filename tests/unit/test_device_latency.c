/* test_device_latency.c - neighbourhoods that a device counts for graffix=latency: the counts are those of plain loops,
 * clusters and new edges those of the host, whatever the graph is; what it leaves on the device; when it does so. */
#include "device_case.h"
#include "path_cases.h"

#include "device/budget.h"
#include "engine/derived.h"
#include "engine/device/resident.h"
#include "engine/primitive/coefficients.h"
#include "graffix/graffix.h"
#include "nvrtc_case.h"

extern const char hd_text_intersect[], hd_text_coefficients[];

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

/* Cliques of 60 to 66 vertices, each with a pair less than the one before, and a centre of as many neighbours whose
 * neighbours know each other partly; loops, and parallel edges: rows of up to 127 arcs are looked at. */
static shape shape_cliques(bool symmetric) {
    shape s = shape_new(symmetric ? "cliques both ways" : "cliques", 1000, 60000);
    uint64_t base = 0;
    s.symmetric = symmetric;
    for (uint64_t size = 60; size <= 66; base += 2 * size, size++) {
        for (uint64_t i = 0; i < size; i++)
            for (uint64_t j = i + 1; j < size; j++) {
                if (i + j > size - 60)
                    shape_edge(&s, base + (j % 2 ? i : j), base + (j % 2 ? j : i));
                if (i == 0 || case_hash(i * size + j) % 10 < 8)
                    shape_edge(&s, base + size + i, base + size + j);
            }
        for (uint64_t i = 0; i < size; i += 7) {
            shape_edge(&s, base + i, base + i);
            shape_edge(&s, base + size, base + size + i + 1 - (i + 1 == size));
            shape_edge(&s, base + size + i, base + size + (i + 3) % size);
        }
    }
    return s;
}

/* Hubs of as many leaves as decide, whose leaves form a ring; every arc of the first three is there twice or more. */
static shape shape_wheels(bool symmetric) {
    static const uint64_t leaves[] = {2, 3, 21, 61, 62, 63, 64, 65, 126, 127, 128, 500};
    shape s = shape_new(symmetric ? "wheels both ways" : "wheels", 1300, 5000);
    uint64_t hub = 0;
    s.symmetric = symmetric;
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; hub += leaves[i++] + 1)
        for (uint64_t k = 0; k < leaves[i]; k++) {
            for (uint64_t times = 0; times < (i < 3 ? 2 + k % 5 : 1); times++)
                shape_edge(&s, (k + i) % 3 ? hub : hub + 1 + k, (k + i) % 3 ? hub + 1 + k : hub);
            shape_edge(&s, hub + 1 + k, hub + 1 + (k + 1) % leaves[i]);
        }
    return s;
}

enum { CASES = SHAPES + 4 };

static shape case_at(int i) {
    return i < SHAPES ? shape_at(i) : i < SHAPES + 2 ? shape_cliques(i % 2) : shape_wheels(i % 2);
}

/* ---- Counting alone ---------------------------------------------------------------------------------------------- */

/* A run that is on the device and has a plan, and does nothing. */
static hd_run run_of(heddle_context *ctx, const heddle_graph *graph, const char *plan) {
    hd_run run = {.ctx = ctx, .graph = graph, .kind = hd_device_kind_of(device_name)};
    run.options.device = device_name;
    support_assert_status(ctx, hd_plan_parse(ctx, plan, &run.plan), HEDDLE_OK);
    run.plan.residency = &hd_residency_device;
    support_assert_status(ctx, hd_result_new(ctx, "bfs", &run.result), HEDDLE_OK);
    return run;
}

static bool has_arc(const heddle_adjacency *out, uint64_t v, heddle_vertex w) {
    for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++)
        if (out->targets[e] == w)
            return true;
    return false;
}

/* The word of a vertex by plain loops. */
static uint32_t word_of(const heddle_adjacency *out, const heddle_adjacency *in, heddle_vertex v,
                        const uint32_t *most) {
    heddle_vertex near[HD_CLUSTER_MOST];
    uint32_t count = 0, links = 0;
    for (int side = 0; side < 2; side++) {
        const heddle_adjacency *rows = side ? in : out;
        for (uint64_t e = rows->offsets[v]; e < rows->offsets[v + 1] && count < HD_CLUSTER_MOST; e++) {
            uint32_t i = 0;
            while (i < count && near[i] != rows->targets[e])
                i++;
            if (i == count && rows->targets[e] != v)
                near[count++] = rows->targets[e];
        }
    }
    if (count < 3 || count > 62 || out->offsets[v + 1] - out->offsets[v] >= 128)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            links += has_arc(out, near[i], near[j]) || has_arc(out, near[j], near[i]);
    return links && count * (count - 1) / 2 - links <= most[count] ? count << 16 | links : 0;
}

static void check_words(const heddle_graph *graph, const char *plan, uint32_t tenths, const char *where) {
    uint64_t n = heddle_graph_vertices(graph);
    uint32_t *words = malloc((n + 1) * sizeof *words), most[HD_CLUSTER_MOST];
    heddle_adjacency out, in;
    bool counted;
    hd_run run = run_of(device_ctx, graph, plan);
    assert_non_null(words);
    for (uint32_t k = 0; k < HD_CLUSTER_MOST; k++)
        most[k] = k ? k * (k - 1) / 2 * tenths / 10 : 0;
    support_assert_status(device_ctx, hd_coefficients_count(&run, graph, most, words, &counted), HEDDLE_OK);
    support_assert_status(device_ctx, heddle_graph_out(device_ctx, graph, &out), HEDDLE_OK);
    support_assert_status(device_ctx, heddle_graph_in(device_ctx, graph, &in), HEDDLE_OK);
    assert_true(counted && hd_resident_bytes(device_ctx, graph, device_name) == 0);
    for (heddle_vertex v = 0; v < n; v++) {
        uint32_t expected = word_of(&out, &in, v, most);
        if (words[v] != expected)
            fail_msg("%s, %s: vertex %u: %u neighbours and %u links, expected %u and %u", where, plan, v,
                     words[v] >> 16, words[v] & 0xffff, expected >> 16, expected & 0xffff);
    }
    heddle_result_destroy(&run.result);
    free(words);
}

#define THERE "graffix-latency,graffix.prepare=device"

static void counts(void **unused) {
    (void)unused;
    skip_without_device();
    for (int i = 0; i < CASES; i++) {
        shape s = case_at(i);
        heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
        check_words(graph, i % 3 ? THERE : THERE ",offsets=64", 3, s.name);
        check_words(graph, i % 3 ? THERE ",offsets=64" : THERE, 10, s.name);
        check_words(graph, THERE, 0, s.name);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
}

/* ---- Clusters and new edges -------------------------------------------------------------------------------------- */

static void assert_same_clusters(const hd_clusters *a, const hd_clusters *b, const char *where) {
    if (a->count != b->count)
        fail_msg("%s: %d clusters, expected %d", where, (int)a->count, (int)b->count);
    if (!a->count)
        return;
    assert_memory_equal(a->starts, b->starts, (a->count + 1) * sizeof *a->starts);
    assert_memory_equal(a->members, b->members, a->starts[a->count] * sizeof *a->members);
    assert_int_equal(a->edges, b->edges);
}

static uint64_t check_change(const heddle_graph *graph, double threshold, const char *where) {
    hd_run run = run_of(device_ctx, graph, THERE);
    hd_link_counter counter = {&run, hd_coefficients_count};
    hd_graffix_options options = {
        .kind = &hd_graffix_latency, .threshold = threshold, .warp = 32, .chunk = 16, .budget = 0.1};
    hd_graffix_result here, there;
    support_assert_status(device_ctx, hd_graffix_graph(device_ctx, graph, &options, &here), HEDDLE_OK);
    options.counter = &counter;
    support_assert_status(device_ctx, hd_graffix_graph(device_ctx, graph, &options, &there), HEDDLE_OK);
    assert_same_clusters(&there.clusters, &here.clusters, where);
    assert_int_equal(there.added_edges, here.added_edges);
    assert_int_equal(there.graph != NULL, here.graph != NULL);
    if (here.graph)
        support_assert_same_graph(device_ctx, there.graph, here.graph);
    uint64_t clusters = here.clusters.count;
    hd_graffix_free(device_ctx, &here);
    hd_graffix_free(device_ctx, &there);
    heddle_result_destroy(&run.result);
    return clusters;
}

static void changes(void **unused) {
    static const double thresholds[] = {0, 0.1, 0.55, 0.8, 1};
    uint64_t clusters = 0;
    (void)unused;
    skip_without_device();
    for (int i = 0; i < CASES; i++) {
        shape s = case_at(i);
        heddle_graph *graph = case_graph(device_ctx, &s, i % 2 ? WEIGHTS_U32 : WEIGHTS_NONE);
        for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++)
            clusters += check_change(graph, thresholds[t], s.name);
        heddle_graph_destroy(&graph);
        shape_free(&s);
    }
    assert_true(clusters > 100);
}

static void generated(void **unused) {
    (void)unused;
    skip_without_device();
    for (int i = 0; i < 4; i++) {
        heddle_graph *graph = i < 3 ? generate_case(i < 2 ? "rmat" : "uniform", 11, 16, i % 2, false)
                                    : generate_case("smallworld", 11, 12, true, false);
        uint64_t clusters = check_change(graph, 0.6, i < 2 ? "rmat" : i < 3 ? "uniform" : "smallworld");
        assert_true(i == 2 || clusters > 10);
        heddle_graph_destroy(&graph);
    }
}

static void nothing_to_count(void **unused) {
    heddle_graph *graph;
    (void)unused;
    skip_without_device();
    for (uint64_t n = 0; n < 3; n++) {
        support_assert_status(device_ctx,
                              heddle_graph_from_edges(device_ctx, n, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL,
                                                      &graph),
                              HEDDLE_OK);
        assert_true(check_change(graph, 0.8, "no edges") == 0);
        heddle_graph_destroy(&graph);
    }
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

static heddle_result *run_with(heddle_context *ctx, const heddle_graph *graph, const char *algorithm,
                               const char *plan) {
    heddle_run_options options = support_run_options(algorithm, device_name, plan);
    heddle_result *result;
    options.approximate = strcmp(plan, "auto") != 0;
    options.parents = 0;
    hd_derived_forget(ctx); /* of an earlier run: it is the same, wherever it was prepared */
    support_clear_notes();
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), HEDDLE_OK);
    return result;
}

static bool was_counted(void) { return strstr(support_notes(), "neighbourhoods were counted on ") != NULL; }

/* Vertex programs, algorithms that are none, graphs that are mirrored first, and combinations. */
static void runs(void **unused) {
    static const struct {
        const char *algorithm, *plan;
    } cases[] = {{"bfs", "graffix-latency,graffix.threshold=0.6,graffix.prepare="},
                 {"cc", "graffix-latency,graffix.threshold=0.6,graffix.prepare="},
                 {"scc", "graffix-latency,graffix.threshold=0.6,graffix.prepare="},
                 {"bfs", "graffix-latency,order=degree,graffix.prepare="},
                 {"bfs", "graffix-latency,residency=stream,schedule=edge,graffix.prepare="},
                 {"bfs", "graffix=latency+coalesce,graffix.threshold=0.6+0.1,graffix.prepare="},
                 {"scc", "graffix=latency+divergence,graffix.threshold=0.6+0.5,order=none,graffix.prepare="}};
    (void)unused;
    skip_without_device();
    heddle_graph *graph = generate_case("rmat", 10, 12, false, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char plan[160];
        snprintf(plan, sizeof plan, "%shost", cases[i].plan);
        heddle_result *here = run_with(device_ctx, graph, cases[i].algorithm, plan);
        assert_false(was_counted());
        snprintf(plan, sizeof plan, "%sdevice", cases[i].plan);
        heddle_result *there = run_with(device_ctx, graph, cases[i].algorithm, plan);
        assert_true(was_counted() && heddle_result_report(there)->transforming > 0);
        assert_same_result(there, here, plan);
        assert_true(figure_of(there, "added_edges") == figure_of(here, "added_edges"));
        heddle_result_destroy(&here);
        heddle_result_destroy(&there);
    }
    heddle_graph_destroy(&graph);
}

/* Rows that are there are used, and stay; others are freed. */
static void rows_that_stay(void **unused) {
    (void)unused;
    skip_without_device();
    for (int i = 0; i < 2; i++) {
        heddle_graph *graph = generate_case("rmat", 9, 12, i, false);
        heddle_result *result = run_with(device_ctx, graph, "scc", THERE);
        assert_true(was_counted() && hd_resident_bytes(device_ctx, graph, device_name) == 0);
        heddle_result_destroy(&result);
        result = run_with(device_ctx, graph, "bfs", "auto");
        heddle_result_destroy(&result);
        uint64_t before = hd_resident_bytes(device_ctx, graph, device_name);
        result = run_with(device_ctx, graph, "scc", THERE);
        assert_true(was_counted() && before > 0 && hd_resident_bytes(device_ctx, graph, device_name) == before);
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
    }
}

/* What a GPU does by itself: if the graph is large enough, and it has room for it. */
static void where_it_pays(void **unused) {
    (void)unused;
    skip_without_device();
    heddle_context *ctx = support_context(2);
    heddle_graph *large = generate_case("uniform", 14, 1100, true, false),
                 *small = generate_case("uniform", 10, 18, true, false);
    uint32_t *words = malloc(heddle_graph_vertices(large) * sizeof *words), most[HD_CLUSTER_MOST] = {0};
    hd_run run = run_of(ctx, large, "graffix-latency"), forced = run_of(ctx, large, THERE);
    hd_device *device;
    bool counted;
    assert_non_null(words);
    support_assert_status(ctx, hd_device_keep(ctx, device_name, NULL, &device), HEDDLE_OK);
    for (int gpu = 0; gpu < 2; gpu++) {
        device->info.accelerator = gpu;
        support_assert_status(ctx, hd_coefficients_count(&run, large, most, words, &counted), HEDDLE_OK);
        assert_int_equal(counted, gpu);
        support_assert_status(ctx, hd_coefficients_count(&run, small, most, words, &counted), HEDDLE_OK);
        assert_false(counted);
    }
    for (int room = 0; room < 2; room++) { /* rows fit, but not the words; nothing fits */
        hd_budget_limit(device, room ? heddle_graph_edges(large) * 4 + heddle_graph_vertices(large) * 6 : 4096, false);
        support_assert_status(ctx, hd_coefficients_count(&run, large, most, words, &counted), HEDDLE_OK);
        assert_false(counted);
        support_assert_status(ctx, hd_coefficients_count(&forced, large, most, words, &counted),
                              HEDDLE_E_DEVICE_MEMORY);
        assert_int_equal(device->budget.used, 0);
    }
    hd_budget_limit(device, UINT64_MAX, false);
    support_assert_status(ctx, hd_coefficients_count(&run, large, most, words, &counted), HEDDLE_OK);
    assert_true(counted && device->budget.used == 0);
    heddle_result_destroy(&run.result);
    heddle_result_destroy(&forced.result);
    heddle_graph_destroy(&large);
    heddle_graph_destroy(&small);
    heddle_context_destroy(&ctx);
    free(words);
}

static void refused(void **unused) {
    static const struct {
        const char *plan, *words;
        heddle_status status;
    } cases[] = {{"graffix-latency,graffix.prepare=gpu", "graffix.prepare=gpu: expected host, device",
                  HEDDLE_E_ARGUMENT},
                 {"graffix-coalesce,graffix.prepare=host", "graffix.prepare is for graffix=latency", HEDDLE_E_ARGUMENT},
                 {"graffix.prepare=device", "graffix.prepare is for graffix=latency", HEDDLE_E_ARGUMENT},
                 {THERE ",residency=host", "use graffix.prepare=host instead", HEDDLE_E_REFUSED}};
    (void)unused;
    skip_without_device();
    heddle_graph *graph = generate_case("rmat", 8, 8, true, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heddle_run_options options = support_run_options("bfs", device_name, cases[i].plan);
        heddle_result *result;
        options.approximate = 1;
        options.parents = 0;
        support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), cases[i].status);
        support_assert_message(device_ctx, cases[i].words);
    }
    heddle_graph_destroy(&graph);
}

static void compiles_as_cuda(void **unused) {
    static const char *const texts[] = {hd_text_intersect, hd_text_coefficients, NULL};
    (void)unused;
    find_compiler();
    if (!nvrtc.compile)
        skip();
    for (int i = 0; i < 4; i++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 "#define HD_WARPS 8\n#define HD_WEIGHT_TYPE 0\n%s#define HD_DIRECTED %d\n#define HD_CLUSTER_MOST 64u\n"
                 "#define HD_CLUSTER_LEAST 3u\n#define HD_CLUSTER_ROW 128u\n#define HD_LINK_BITS 16\n",
                 i / 2 ? "#define HD_OFFSET_64\n" : "", i % 2);
        assert_kernels_compile("coefficients", settings, texts, NVRTC_TODAY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),           cmocka_unit_test(changes), cmocka_unit_test(generated),
        cmocka_unit_test(nothing_to_count), cmocka_unit_test(runs),    cmocka_unit_test(rows_that_stay),
        cmocka_unit_test(where_it_pays),    cmocka_unit_test(refused), cmocka_unit_test(compiles_as_cuda)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
