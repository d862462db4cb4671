/* test_device_promised.c - users' programs that promise something run by kernels in place of rounds: the same values as
 * the CPU's on graphs that hurt, and rounds wherever the kernels do not serve. Skipped where there is no OpenCL device.
 */
#include "device_case.h"
#include "path_cases.h"
#include "promised_cases.h"

#include "algorithm/program/promised.h"

static heddle_run_options options_of(const char *name, const char *text) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.program = name;
    options.program_text = text;
    return options;
}

/* The values of another device and plan, by the schedule that the report is to name. */
static void compare_with(const heddle_graph *graph, heddle_run_options options, const char *plan, const char *device,
                         const char *schedule, const char *where) {
    heddle_result *expected, *result;
    heddle_run_options other = options;
    other.plan = plan;
    other.device = device;
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &other, &expected), HEDDLE_OK);
    options.device = device_name;
    support_assert_status(device_ctx, heddle_run(device_ctx, graph, &options, &result), HEDDLE_OK);
    assert_same_result(result, expected, where);
    if (strcmp(heddle_result_report(result)->schedule, schedule) != 0)
        fail_msg("%s: ran by %s, expected %s", where, heddle_result_report(result)->schedule, schedule);
    heddle_result_destroy(&result);
    heddle_result_destroy(&expected);
}

static void compare(const heddle_graph *graph, heddle_run_options options, const char *schedule, const char *where) {
    compare_with(graph, options, NULL, "cpu", schedule, where);
}

static void compare_shape(const char *name, const char *text, shape s, scheme w) {
    heddle_graph *graph = case_graph(device_ctx, &s, w);
    heddle_vertex last = (heddle_vertex)(s.vertices - 1), sources[] = {0, last, (heddle_vertex)(s.vertices / 2)};
    heddle_run_options options = options_of(name, text);
    char where[200];
    options.sources = sources;
    for (uint64_t count = 1; count <= 3; count += 2) {
        options.source_count = count;
        snprintf(where, sizeof where, "%s, %s, %s, %d sources", name, s.name, scheme_names[w], (int)count);
        compare(graph, options, "fast", where);
    }
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void compare_all(const char *name, const char *text, scheme w) {
    skip_without_device();
    for (int i = 0; i < SHAPES; i++)
        compare_shape(name, text, shape_at(i), w);
    compare_shape(name, text, shape_star("large star", 5000, false, true), w);
    compare_shape(name, text, shape_path("long path", 1000, true), w);
}

static void compare_some(const char *name, const char *text, scheme w) {
    skip_without_device();
    compare_shape(name, text, shape_new("no edges", 5, 0), w);
    compare_shape(name, text, shape_rings("rings"), w);
    compare_shape(name, text, shape_skewed("skewed both ways", 1000, 9000, 5, true), w);
    compare_shape(name, text, shape_grid("grid", 20), w);
}

static void sums(void **unused) {
    (void)unused;
    compare_all("sums_u32", case_sums_u32, WEIGHTS_ZEROS);
    compare_all("sums_u32", case_sums_u32, WEIGHTS_HUGE);
    compare_some("sums_f64", case_sums_f64, WEIGHTS_MIXED);
    compare_some("sums_f64", case_sums_f64, WEIGHTS_ENORMOUS);
    compare_some("tolls", case_tolls, WEIGHTS_F32);
}

static void widths_and_products(void **unused) {
    (void)unused;
    compare_some("widths_f32", case_widths_f32, WEIGHTS_SIGNED_F32);
    compare_some("products", case_products, WEIGHTS_F32);
}

static void first_values(void **unused) {
    (void)unused;
    skip_without_device();
    compare_some("least_i64", case_least_i64, WEIGHTS_NONE);
    shape s = shape_skewed("skewed", 400, 4000, 4, false);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_I32);
    heddle_run_options options = options_of("mixed_i32", case_mixed_i32);
    compare_with(graph, options, "schedule=edge", device_name, "fast", "first values that differ");
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void no_vertices(void **unused) {
    (void)unused;
    skip_without_device();
    shape s = shape_new("empty", 0, 0);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_NONE);
    compare(graph, options_of("least_i64", case_least_i64), "fast", "an empty graph");
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

/* Who asks for something else gets rounds, with the same values. */
static void rounds(void **unused) {
    (void)unused;
    static const char degrees[] = CASE_PROGRAM(f32, CASE_LEAST, "", "me->source ? 0 : INFINITE", "INFINITE", "VALUE v",
                                               "v + 1 + 0 * degree", "MINIMUM", "<");
    skip_without_device();
    shape s = shape_random("random both ways", 500, 3000, 3, true);
    heddle_graph *graph = case_graph(device_ctx, &s, WEIGHTS_U32);
    heddle_run_options options = options_of("sums_u32", case_sums_u32);
    compare(graph, options_of("degrees", degrees), "edge", "send uses the degree");
    options.plan = "schedule=edge";
    compare(graph, options, "edge", "a named plan");
    heddle_graph_destroy(&graph);
    shape_free(&s);
}

static void degree_in_send(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        bool uses;
    } cases[] = {
        {"PROGRAM MESSAGE send(VALUE v, u32 degree) { return v; }", false},
        {"PROGRAM MESSAGE send(VALUE v, u32) { return v; }", false},
        {"/* degree */ PROGRAM MESSAGE send(VALUE v, u32 degree) { (void)v, (void)degree; return v; } // degree",
         false},
        {"PROGRAM MESSAGE send(VALUE v, u32 degree) { return v / degree; }", true},
        {"#define OF degree\nPROGRAM MESSAGE send(VALUE v, u32 degree) { return v / OF; }", true},
        {"PROGRAM MESSAGE send(VALUE v, u32 degree) { return v / de ## gree; }", true},
        {"PROGRAM int update(VALUE *v) { return send(*v, 1u); } PROGRAM MESSAGE send(VALUE v, u32 d) { return v; }",
         false},
        {"char c = '\"'; PROGRAM MESSAGE send(VALUE v, u32 d) { return v + d; }", true},
        {"", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (hd_sends_degree(cases[i].text) != cases[i].uses)
            fail_msg("'%s': expected %d", cases[i].text, cases[i].uses);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums),         cmocka_unit_test(widths_and_products),
                                       cmocka_unit_test(first_values), cmocka_unit_test(no_vertices),
                                       cmocka_unit_test(rounds),       cmocka_unit_test(degree_in_send)};
    support_compile_quickly();
    return cmocka_run_group_tests(tests, open_device, close_device);
}
