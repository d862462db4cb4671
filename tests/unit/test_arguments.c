/* test_arguments.c - every public function with NULL, or with things that do not belong together, for each of its
 * pointers: HEDDLE_E_ARGUMENT and a message that names the argument, or the documented answer; never a crash.
 * scripts/check-symbols.sh sees to it that every function of heddle.h has a row below. */
#include "context_case.h"

#include <math.h>

static heddle_graph *graph;   /* 0 - 1 - 2, directed */
static heddle_graph *other;   /* of another size */
static heddle_graph *twin;    /* the same once more */
static heddle_result *result; /* bfs on `graph` */

/* ---- What is expected ------------------------------------------------------------------------------------------- */

static void check_refused(heddle_status status, const char *words, const char *call, int line) {
    if (status != HEDDLE_E_ARGUMENT)
        fail_msg("line %d: %s gave %s", line, call, heddle_status_name(status));
    if (!strstr(heddle_context_error(ctx)->message, words))
        fail_msg("line %d: %s: '%s', expected '%s' in it", line, call, heddle_context_error(ctx)->message, words);
}

/* The argument's name, and that it is NULL, stand in the message. */
#define REFUSED(argument, call) check_refused(call, argument " is NULL", #call, __LINE__)
#define WORDS(words, call) check_refused(call, words, #call, __LINE__)
#define NO_CONTEXT(call) assert_int_equal(call, HEDDLE_E_ARGUMENT)

static heddle_graph *const marked_graph = (heddle_graph *)(uintptr_t)64;
static heddle_result *const marked_result = (heddle_result *)(uintptr_t)64;

/* ---- Context ---------------------------------------------------------------------------------------------------- */

static void status_words(void) {
    assert_string_equal(heddle_status_name((heddle_status)-12345), "HEDDLE_UNKNOWN");
    assert_non_null(heddle_status_text((heddle_status)-12345));
    assert_int_equal(heddle_status_exit((heddle_status)-12345), 1);
}

static void init_sized(void) {
    heddle_context_options_init_sized(NULL, sizeof(heddle_context_options));
    heddle_build_options_init_sized(NULL, sizeof(heddle_build_options));
    heddle_load_options_init_sized(NULL, sizeof(heddle_load_options));
    heddle_arrow_options_init_sized(NULL, sizeof(heddle_arrow_options));
    heddle_save_options_init_sized(NULL, sizeof(heddle_save_options));
    heddle_generate_options_init_sized(NULL, sizeof(heddle_generate_options));
    heddle_transform_options_init_sized(NULL, sizeof(heddle_transform_options));
    heddle_subgraph_options_init_sized(NULL, sizeof(heddle_subgraph_options));
    heddle_run_options_init_sized(NULL, sizeof(heddle_run_options));
    heddle_csr_options_init_sized(NULL, sizeof(heddle_csr_options));
    heddle_strings_init_sized(NULL, sizeof(heddle_strings));
}

static void context_create(void) {
    heddle_context_options options;
    heddle_context *made = (heddle_context *)(uintptr_t)64;
    assert_int_equal(heddle_context_create(NULL, NULL), HEDDLE_E_ARGUMENT);
    heddle_context_options_init(&options);
    options.size = 0;
    assert_int_equal(heddle_context_create(&options, &made), HEDDLE_E_ARGUMENT);
    assert_null(made);
    assert_int_equal(heddle_context_create(NULL, &made), HEDDLE_OK);
    heddle_context_destroy(&made);
    heddle_context_destroy(&made);
    heddle_context_destroy(NULL);
}

static void context_rest(void) {
    assert_int_equal(heddle_context_error(NULL)->status, HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_context_error(NULL)->size, sizeof(heddle_error));
    heddle_context_cancel(NULL);
    heddle_context_reset(NULL);
    assert_int_equal(heddle_context_threads(NULL), 0);
    assert_int_equal(heddle_context_rank(NULL), 0);
    assert_int_equal(heddle_context_ranks(NULL), 0);
    assert_int_equal(heddle_context_join(NULL), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_context_agree(NULL, HEDDLE_OK), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_context_compare(NULL, "pr"), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_context_fold(NULL, 0), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_context_sleeps(NULL), 0);
    assert_int_equal(heddle_context_unfold(NULL, HEDDLE_OK), HEDDLE_E_ARGUMENT);
    heddle_context *alone = support_context(1);
    assert_int_equal(heddle_context_compare(alone, NULL), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_context_compare(alone, "pr"), HEDDLE_OK);
    assert_int_equal(heddle_context_fold(alone, -1), HEDDLE_E_ARGUMENT);
    assert_int_equal(heddle_context_fold(alone, 0), HEDDLE_OK);
    assert_int_equal(heddle_context_sleeps(alone), 0);
    assert_int_equal(heddle_context_unfold(alone, HEDDLE_E_OPEN), HEDDLE_E_OPEN);
    heddle_context_destroy(&alone);
    assert_int_equal(heddle_launched(NULL), 1);
}

/* ---- Graphs ----------------------------------------------------------------------------------------------------- */

static void graph_facts(void) {
    assert_int_equal(heddle_graph_vertices(NULL), 0);
    assert_int_equal(heddle_graph_edges(NULL), 0);
    assert_int_equal(heddle_graph_directed(NULL), 0);
    assert_int_equal(heddle_graph_weight_type(NULL), HEDDLE_WEIGHT_NONE);
    assert_int_equal(heddle_graph_id_type(NULL), HEDDLE_ID_I64);
    assert_int_equal(heddle_graph_has_order(NULL, "degree"), 0);
    assert_int_equal(heddle_graph_has_order(graph, NULL), 0);
    assert_int_equal(heddle_graph_has_order(graph, "no such order"), 0);
    heddle_graph *none = NULL;
    heddle_graph_destroy(NULL);
    heddle_graph_destroy(&none);
}

static void graph_rows(void) {
    heddle_adjacency rows;
    NO_CONTEXT(heddle_graph_out(NULL, graph, &rows));
    REFUSED("graph", heddle_graph_out(ctx, NULL, &rows));
    REFUSED("adjacency", heddle_graph_out(ctx, graph, NULL));
    uint64_t edges;
    NO_CONTEXT(heddle_graph_count_edges(NULL, graph, &edges));
    REFUSED("graph", heddle_graph_count_edges(ctx, NULL, &edges));
    REFUSED("edges", heddle_graph_count_edges(ctx, graph, NULL));
    NO_CONTEXT(heddle_graph_in(NULL, graph, &rows));
    REFUSED("graph", heddle_graph_in(ctx, NULL, &rows));
    REFUSED("adjacency", heddle_graph_in(ctx, graph, NULL));
}

static void graph_ids(void) {
    char text[8] = "x";
    heddle_vertex vertex;
    int64_t ids[3];
    uint64_t offsets[4];
    assert_int_equal(heddle_graph_id(NULL, 0), -1);
    assert_int_equal(heddle_graph_id(graph, 3), -1);
    assert_int_equal(heddle_graph_id(graph, UINT32_MAX), -1);
    assert_int_equal(heddle_graph_id_text(NULL, 0, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(heddle_graph_id_text(graph, 3, text, sizeof text), 0);
    assert_int_equal(heddle_graph_id_text(graph, 2, NULL, 100), 1);
    NO_CONTEXT(heddle_graph_find(NULL, graph, "1", &vertex));
    REFUSED("graph", heddle_graph_find(ctx, NULL, "1", &vertex));
    REFUSED("id", heddle_graph_find(ctx, graph, NULL, &vertex));
    REFUSED("vertex", heddle_graph_find(ctx, graph, "1", NULL));
    NO_CONTEXT(heddle_graph_ids(NULL, graph, ids));
    REFUSED("graph", heddle_graph_ids(ctx, NULL, ids));
    REFUSED("ids", heddle_graph_ids(ctx, graph, NULL));
    NO_CONTEXT(heddle_graph_labels(NULL, graph, offsets, NULL, 0));
    REFUSED("graph", heddle_graph_labels(ctx, NULL, offsets, NULL, 0));
    REFUSED("offsets", heddle_graph_labels(ctx, graph, NULL, NULL, 0));
    WORDS("room", heddle_graph_labels(ctx, graph, offsets, text, 1));
    assert_int_equal(heddle_graph_labels(ctx, graph, offsets, NULL, 0), HEDDLE_OK);
}

static void from_edges(void) {
    int64_t ends[2] = {0, 1};
    uint32_t weights[2] = {1, 1};
    heddle_graph *made = marked_graph;
    NO_CONTEXT(heddle_graph_from_edges(NULL, 2, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    assert_null(made);
    REFUSED("sources", heddle_graph_from_edges(ctx, 2, 2, NULL, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("targets", heddle_graph_from_edges(ctx, 2, 2, ends, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("weights", heddle_graph_from_edges(ctx, 2, 2, ends, ends, NULL, HEDDLE_WEIGHT_U32, NULL, &made));
    WORDS("weights", heddle_graph_from_edges(ctx, 2, 2, ends, ends, weights, HEDDLE_WEIGHT_NONE, NULL, &made));
    WORDS("weight_type", heddle_graph_from_edges(ctx, 2, 2, ends, ends, weights, (heddle_weight_type)77, NULL, &made));
    REFUSED("graph", heddle_graph_from_edges(ctx, 2, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, NULL));
    heddle_build_options options;
    heddle_build_options_init(&options);
    options.duplicates = (heddle_duplicates)99;
    WORDS("duplicates", heddle_graph_from_edges(ctx, 2, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, &options, &made));
    heddle_build_options_init(&options);
    options.reserved[3] = 1;
    WORDS("reserved", heddle_graph_from_edges(ctx, 2, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, &options, &made));
    assert_int_equal(heddle_graph_from_edges(ctx, 0, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &made), HEDDLE_OK);
    heddle_graph_destroy(&made);
}

static void from_edges32(void) {
    uint32_t ends[2] = {0, 1};
    heddle_graph *made = marked_graph;
    NO_CONTEXT(heddle_graph_from_edges32(NULL, 2, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    assert_null(made);
    REFUSED("sources", heddle_graph_from_edges32(ctx, 2, 2, NULL, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("targets", heddle_graph_from_edges32(ctx, 2, 2, ends, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("weights", heddle_graph_from_edges32(ctx, 2, 2, ends, ends, NULL, HEDDLE_WEIGHT_U32, NULL, &made));
    REFUSED("graph", heddle_graph_from_edges32(ctx, 2, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, NULL));
    WORDS("edge 1 (1 -> 1)", heddle_graph_from_edges32(ctx, 1, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    assert_int_equal(heddle_graph_from_edges32(ctx, 0, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &made),
                     HEDDLE_OK);
    heddle_graph_destroy(&made);
}

static void from_labels(void) {
    const char *ends[2] = {"a", "b"}, *torn[2] = {"a", NULL};
    heddle_graph *made = marked_graph;
    NO_CONTEXT(heddle_graph_from_labels(NULL, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    assert_null(made);
    REFUSED("sources", heddle_graph_from_labels(ctx, 2, NULL, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("targets", heddle_graph_from_labels(ctx, 2, ends, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("sources[1]", heddle_graph_from_labels(ctx, 2, torn, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("targets[1]", heddle_graph_from_labels(ctx, 2, ends, torn, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("weights", heddle_graph_from_labels(ctx, 2, ends, ends, NULL, HEDDLE_WEIGHT_F32, NULL, &made));
    REFUSED("graph", heddle_graph_from_labels(ctx, 2, ends, ends, NULL, HEDDLE_WEIGHT_NONE, NULL, NULL));
}

static void from_strings(void) {
    const uint64_t offsets[3] = {0, 1, 2};
    heddle_strings ends, odd;
    heddle_graph *made = marked_graph;
    heddle_strings_init(&ends);
    ends.text = "ab";
    ends.offsets = offsets;
    ends.count = 2;
    odd = ends;
    NO_CONTEXT(heddle_graph_from_strings(NULL, 2, &ends, &ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    assert_null(made);
    REFUSED("sources", heddle_graph_from_strings(ctx, 2, NULL, &ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("targets", heddle_graph_from_strings(ctx, 2, &ends, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    WORDS("3", heddle_graph_from_strings(ctx, 3, &ends, &ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    odd.offset_bits = 16;
    WORDS("offset_bits", heddle_graph_from_strings(ctx, 2, &odd, &ends, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    odd = ends;
    odd.codes = offsets;
    odd.code_bits = 7;
    WORDS("code_bits", heddle_graph_from_strings(ctx, 2, &ends, &odd, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    odd = ends;
    odd.text = NULL;
    WORDS("text", heddle_graph_from_strings(ctx, 2, &ends, &odd, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("weights", heddle_graph_from_strings(ctx, 2, &ends, &ends, NULL, HEDDLE_WEIGHT_F32, NULL, &made));
    REFUSED("graph", heddle_graph_from_strings(ctx, 2, &ends, &ends, NULL, HEDDLE_WEIGHT_NONE, NULL, NULL));
}

/* Streams without functions, as one that was released. */
static void arrow(void) {
    struct ArrowArrayStream stream = {.release = NULL};
    heddle_arrow_options options;
    heddle_graph *made = marked_graph;
    NO_CONTEXT(heddle_graph_from_arrow(NULL, &stream, NULL, &made));
    assert_null(made);
    REFUSED("stream", heddle_graph_from_arrow(ctx, NULL, NULL, &made));
    REFUSED("graph", heddle_graph_from_arrow(ctx, &stream, NULL, NULL));
    heddle_arrow_options_init(&options);
    options.nulls = (heddle_nulls)9;
    WORDS("nulls", heddle_graph_from_arrow(ctx, &stream, &options, &made));
    heddle_arrow_options_init(&options);
    options.weights = &stream;
    WORDS("weights", heddle_graph_from_arrow(ctx, &stream, &options, &made));
    heddle_arrow_options_init(&options);
    options.build.duplicates = (heddle_duplicates)99;
    WORDS("duplicates", heddle_graph_from_arrow(ctx, &stream, &options, &made));
    NO_CONTEXT(heddle_result_to_arrow(NULL, graph, result, &stream));
    REFUSED("graph", heddle_result_to_arrow(ctx, NULL, result, &stream));
    REFUSED("result", heddle_result_to_arrow(ctx, graph, NULL, &stream));
    REFUSED("stream", heddle_result_to_arrow(ctx, graph, result, NULL));
    WORDS("another graph", heddle_result_to_arrow(ctx, other, result, &stream));
    assert_null(stream.release);
}

static void from_csr(void) {
    uint64_t offsets[3] = {0, 1, 2};
    heddle_vertex targets[2] = {1, 0};
    heddle_graph *made = marked_graph;
    NO_CONTEXT(heddle_graph_from_csr(NULL, 2, 2, offsets, 64, targets, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    assert_null(made);
    REFUSED("offsets", heddle_graph_from_csr(ctx, 2, 2, NULL, 64, targets, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("targets", heddle_graph_from_csr(ctx, 2, 2, offsets, 64, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("weights", heddle_graph_from_csr(ctx, 2, 2, offsets, 64, targets, NULL, HEDDLE_WEIGHT_F32, NULL, &made));
    WORDS("offset_bits", heddle_graph_from_csr(ctx, 2, 2, offsets, 16, targets, NULL, HEDDLE_WEIGHT_NONE, NULL, &made));
    REFUSED("graph", heddle_graph_from_csr(ctx, 2, 2, offsets, 64, targets, NULL, HEDDLE_WEIGHT_NONE, NULL, NULL));
}

/* ---- Files and generators --------------------------------------------------------------------------------------- */

static void tables(void) {
    assert_null(heddle_format_at(SIZE_MAX));
    assert_null(heddle_generator_at(SIZE_MAX));
    assert_null(heddle_transform_at(SIZE_MAX));
    assert_null(heddle_plan_at(SIZE_MAX));
    assert_null(heddle_plan_about(SIZE_MAX));
    assert_null(heddle_plan_key_at(SIZE_MAX));
    assert_null(heddle_plan_value_at(SIZE_MAX, 0));
    assert_null(heddle_plan_value_at(0, SIZE_MAX));
    assert_null(heddle_order_at(SIZE_MAX));
    assert_null(heddle_codec_at(SIZE_MAX));
    assert_null(heddle_device_kind_at(SIZE_MAX));
    assert_null(heddle_algorithm_at(SIZE_MAX));
    heddle_run_option option = {.size = sizeof option}, unsized = {.size = 0};
    assert_int_equal(heddle_run_option_at(NULL, 0, NULL), 0);
    assert_int_equal(heddle_run_option_at(NULL, 0, &unsized), 0);
    assert_int_equal(heddle_run_option_at(NULL, SIZE_MAX, &option), 0);
    assert_int_equal(heddle_run_option_at("nothing", 0, &option), 0);
    assert_int_equal(heddle_run_option_at(NULL, 0, &option), 1);
    assert_non_null(heddle_version());
    assert_non_null(heddle_build_info());
}

static void load(void) {
    const char *path = support_write_text("arguments.txt", "0 1\n");
    heddle_graph *made = marked_graph;
    heddle_load_options options;
    NO_CONTEXT(heddle_graph_load(NULL, path, NULL, &made));
    assert_null(made);
    REFUSED("path", heddle_graph_load(ctx, NULL, NULL, &made));
    REFUSED("graph", heddle_graph_load(ctx, path, NULL, NULL));
    heddle_load_options_init(&options);
    options.build.size = 3;
    WORDS("size is 3", heddle_graph_load(ctx, path, &options, &made));
    NO_CONTEXT(heddle_graph_load_memory(NULL, "0 1\n", 4, NULL, &made));
    REFUSED("data", heddle_graph_load_memory(ctx, NULL, 4, NULL, &made));
    REFUSED("graph", heddle_graph_load_memory(ctx, "0 1\n", 4, NULL, NULL));
}

static void save(void) {
    const char *path = support_temp_path("arguments.el");
    NO_CONTEXT(heddle_graph_save(NULL, graph, path, NULL));
    REFUSED("graph", heddle_graph_save(ctx, NULL, path, NULL));
    REFUSED("path", heddle_graph_save(ctx, graph, NULL, NULL));
    uint64_t vertices = 1, arcs = 1;
    heddle_context_written(NULL, &vertices, &arcs);
    heddle_context_written(ctx, NULL, NULL);
    assert_int_equal(vertices + arcs, 0);
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.size = 0;
    WORDS("options->size is 0", heddle_graph_save(ctx, graph, path, &options));
}

static void prepare_graph(void) {
    heddle_graph *own = (heddle_graph *)(uintptr_t)graph;
    NO_CONTEXT(heddle_graph_prepare(NULL, own, "graffix-latency"));
    REFUSED("graph", heddle_graph_prepare(ctx, NULL, "graffix-latency"));
    REFUSED("plan", heddle_graph_prepare(ctx, own, NULL));
    WORDS("expected one with graffix", heddle_graph_prepare(ctx, own, "ws"));
}

static void convert(void) {
    const char *path = support_temp_path("arguments.el"), *to = support_temp_path("arguments.hdl");
    NO_CONTEXT(heddle_graph_convert(NULL, path, NULL, to, NULL));
    REFUSED("from", heddle_graph_convert(ctx, NULL, NULL, to, NULL));
    REFUSED("to", heddle_graph_convert(ctx, path, NULL, NULL, NULL));
    heddle_save_options options;
    heddle_save_options_init(&options);
    options.size = 0;
    WORDS("options->size is 0", heddle_graph_convert(ctx, path, NULL, to, &options));
}

static void generate(void) {
    heddle_generate_options options;
    heddle_graph *made = marked_graph;
    NO_CONTEXT(heddle_graph_generate(NULL, NULL, &made));
    assert_null(made);
    REFUSED("graph", heddle_graph_generate(ctx, NULL, NULL));
    heddle_generate_options_init(&options);
    options.kind = NULL;
    WORDS("kind", heddle_graph_generate(ctx, &options, &made));
    NO_CONTEXT(heddle_graph_generate_file(NULL, NULL, "x.hdl", NULL));
    REFUSED("to", heddle_graph_generate_file(ctx, NULL, NULL, NULL));
    WORDS("kind", heddle_graph_generate_file(ctx, &options, support_temp_path("x.hdl"), NULL));
    NO_CONTEXT(heddle_graph_edges_file(NULL, 1, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, "x.hdl", NULL));
    REFUSED("to", heddle_graph_edges_file(ctx, 1, 0, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL, NULL, NULL));
    WORDS("sources is NULL", heddle_graph_edges_file(ctx, 1, 1, NULL, NULL, NULL, HEDDLE_WEIGHT_NONE, NULL,
                                                     support_temp_path("x.hdl"), NULL));
}

static void stats(void) {
    heddle_stats found = {.size = sizeof found};
    NO_CONTEXT(heddle_graph_stats(NULL, graph, &found));
    REFUSED("graph", heddle_graph_stats(ctx, NULL, &found));
    REFUSED("stats", heddle_graph_stats(ctx, graph, NULL));
    found.size = 0;
    WORDS("stats->size is 0", heddle_graph_stats(ctx, graph, &found));
}

static void transform(void) {
    heddle_transform_report report = {.size = 1};
    heddle_transform_options options;
    heddle_graph *made = marked_graph;
    NO_CONTEXT(heddle_graph_transform(NULL, graph, NULL, &made, NULL));
    assert_null(made);
    REFUSED("graph", heddle_graph_transform(ctx, NULL, NULL, &made, NULL));
    REFUSED("result", heddle_graph_transform(ctx, graph, NULL, NULL, NULL));
    WORDS("report->size is 1", heddle_graph_transform(ctx, graph, NULL, &made, &report));
    heddle_transform_options_init(&options);
    options.name = NULL;
    WORDS("transform", heddle_graph_transform(ctx, graph, &options, &made, NULL));
}

static void subgraph(void) {
    heddle_subgraph_options options;
    heddle_graph *made = marked_graph;
    NO_CONTEXT(heddle_graph_subgraph(NULL, graph, NULL, &made));
    assert_null(made);
    REFUSED("graph", heddle_graph_subgraph(ctx, NULL, NULL, &made));
    REFUSED("subgraph", heddle_graph_subgraph(ctx, graph, NULL, NULL));
    heddle_subgraph_options_init(&options);
    options.min_weight = NAN;
    WORDS("no number", heddle_graph_subgraph(ctx, graph, &options, &made));
    assert_null(made);
}

/* ---- Devices and runs ------------------------------------------------------------------------------------------- */

static void devices(void) {
    heddle_device_info one = {.size = sizeof one};
    heddle_ceilings ceilings = {.size = sizeof ceilings};
    size_t count = 0;
    NO_CONTEXT(heddle_device_list(NULL, &one, 1, &count));
    REFUSED("devices", heddle_device_list(ctx, NULL, 1, &count));
    REFUSED("count", heddle_device_list(ctx, &one, 1, NULL));
    one.size = 0;
    WORDS("devices->size is 0", heddle_device_list(ctx, &one, 1, &count));
    assert_in_range(heddle_accelerator_possible(), 0, 1);
    NO_CONTEXT(heddle_device_ceilings(NULL, "cpu", 1, &ceilings));
    REFUSED("device", heddle_device_ceilings(ctx, NULL, 1, &ceilings));
    REFUSED("ceilings", heddle_device_ceilings(ctx, "cpu", 1, NULL));
    WORDS("device 'foo'", heddle_device_ceilings(ctx, "foo", 1, &ceilings));
    WORDS("device 'auto'", heddle_device_ceilings(ctx, "auto", 1, &ceilings));
    NO_CONTEXT(heddle_device_prepare(NULL, NULL, 0));
    assert_int_equal(heddle_device_prepare(ctx, NULL, 0), HEDDLE_OK); /* defaults, and nothing to start */
}

static void result_parts(void) {
    heddle_result *none = NULL;
    uint32_t values[3];
    assert_int_equal(heddle_result_values(NULL)->count, 0);
    assert_null(heddle_result_values(NULL)->data);
    heddle_result_drop_parents(NULL);
    assert_null(heddle_result_parents(NULL));
    assert_null(heddle_result_parents(result));
    assert_true(isnan(heddle_result_value(NULL, 0)));
    assert_true(isnan(heddle_result_value(result, 3)));
    assert_true(isnan(heddle_result_value(result, UINT32_MAX)));
    assert_true(heddle_result_value(result, 2) == 2);
    assert_int_equal(heddle_result_forest(NULL)->edges, 0);
    assert_int_equal(heddle_result_forest(result)->edges, 0);
    assert_string_equal(heddle_result_report(NULL)->algorithm, "");
    char text[8] = "x";
    assert_int_equal(heddle_result_value_text(NULL, 0, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(heddle_result_value_text(result, 3, text, sizeof text), 0);
    assert_int_equal(heddle_result_value_text(result, 2, NULL, 0), 1);
    assert_int_equal(heddle_forest_weight_text(NULL, 0, text, sizeof text), 0);
    assert_int_equal(heddle_forest_weight_text(heddle_result_forest(result), 0, NULL, 0), 0);
    assert_null(heddle_result_figure_text(NULL, 0));
    assert_null(heddle_result_figure_text(result, UINT32_MAX));
    assert_int_equal(heddle_result_round_count(NULL), 0);
    assert_int_equal(heddle_result_rounds(NULL, &(heddle_round){.number = 0}, sizeof(heddle_round), 1), 0);
    assert_int_equal(heddle_result_rounds(result, NULL, sizeof(heddle_round), 1), 0);
    assert_int_equal(heddle_result_part_count(NULL), 0);
    assert_int_equal(heddle_result_parts(NULL, &(heddle_part){.vertices = 0}, sizeof(heddle_part), 1), 0);
    assert_int_equal(heddle_result_parts(result, NULL, sizeof(heddle_part), 1), 0);
    assert_int_equal(heddle_result_part_rounds(NULL, 0, NULL, sizeof(heddle_round), 1), 0);
    assert_int_equal(heddle_result_part_rounds(result, 0, NULL, sizeof(heddle_round), 1), 0);
    heddle_result_destroy(NULL);
    heddle_result_destroy(&none);
    NO_CONTEXT(heddle_result_copy(NULL, result, HEDDLE_VALUE_U32, values, 3));
    REFUSED("result", heddle_result_copy(ctx, NULL, HEDDLE_VALUE_U32, values, 3));
    REFUSED("values", heddle_result_copy(ctx, result, HEDDLE_VALUE_U32, NULL, 3));
    WORDS("type", heddle_result_copy(ctx, result, (heddle_value_type)99, values, 3));
    WORDS("room", heddle_result_copy(ctx, result, HEDDLE_VALUE_U32, values, 2));
}

static heddle_run_options of(const char *algorithm) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = "cpu";
    return options;
}

static void run(void) {
    heddle_run_options options = of(NULL);
    heddle_result *made = marked_result;
    NO_CONTEXT(heddle_run(NULL, graph, NULL, &made));
    assert_null(made);
    REFUSED("graph", heddle_run(ctx, NULL, NULL, &made));
    REFUSED("result", heddle_run(ctx, graph, NULL, NULL));
    WORDS("algorithm", heddle_run(ctx, graph, &options, &made));
    options.algorithm = "bfs";
    options.source_count = 2;
    REFUSED("sources", heddle_run(ctx, graph, &options, &made));
    assert_int_equal(heddle_run(ctx, graph, NULL, &made), HEDDLE_OK); /* bfs, all defaults */
    assert_string_equal(heddle_result_report(made)->algorithm, "bfs");
    heddle_result_destroy(&made);
    made = marked_result;
    NO_CONTEXT(heddle_run_reference(NULL, graph, NULL, &made));
    assert_null(made);
    REFUSED("graph", heddle_run_reference(ctx, NULL, NULL, &made));
    REFUSED("result", heddle_run_reference(ctx, graph, NULL, NULL));
}

/* Every option that an algorithm does not read may be anything. */
static void unused_options(void) {
    heddle_run_options options = of("cc");
    heddle_result *made;
    options.source_count = 5; /* sources NULL */
    options.damping = NAN;
    options.tolerance = -1;
    options.rate = INFINITY;
    options.delta = NAN;
    options.precision = (heddle_precision)77;
    support_assert_status(ctx, heddle_run(ctx, graph, &options, &made), HEDDLE_OK);
    heddle_result_destroy(&made);
    options.algorithm = "pr";
    WORDS("damping", heddle_run(ctx, graph, &options, &made));
    options.damping = 0.5;
    WORDS("tolerance", heddle_run(ctx, graph, &options, &made));
    options.tolerance = 0;
    WORDS("precision", heddle_run(ctx, graph, &options, &made));
}

static void program(void) {
    heddle_program *made = (heddle_program *)ctx;
    heddle_run_options options = of("bfs");
    heddle_result *none;
    NO_CONTEXT(heddle_program_compile(NULL, "p.c", "", HEDDLE_PRECISION_DEFAULT, &made));
    assert_null(made);
    REFUSED("name", heddle_program_compile(ctx, NULL, "", HEDDLE_PRECISION_DEFAULT, &made));
    REFUSED("program", heddle_program_compile(ctx, "p.c", "", HEDDLE_PRECISION_DEFAULT, NULL));
    WORDS("precision", heddle_program_compile(ctx, "p.c", "", (heddle_precision)77, &made));
    assert_string_equal(heddle_program_about(NULL)->name, "");
    assert_int_equal(heddle_program_about(NULL)->parameter_count, 0);
    heddle_program_destroy(NULL);
    heddle_program_destroy(&made);
    options.parameters = "rate=1";
    WORDS("parameters 'rate=1' are those of a program", heddle_run(ctx, graph, &options, &none));
}

static void explain(void) {
    heddle_explanation explanation = {.size = sizeof explanation};
    heddle_device_memory memory = {.size = sizeof memory};
    NO_CONTEXT(heddle_explain(NULL, graph, NULL, &explanation));
    REFUSED("graph", heddle_explain(ctx, NULL, NULL, &explanation));
    REFUSED("explanation", heddle_explain(ctx, graph, NULL, NULL));
    NO_CONTEXT(heddle_run_memory(NULL, graph, NULL, &memory));
    REFUSED("graph", heddle_run_memory(ctx, NULL, NULL, &memory));
    REFUSED("memory", heddle_run_memory(ctx, graph, NULL, NULL));
    heddle_run_options options = of(NULL);
    WORDS("algorithm", heddle_explain(ctx, graph, &options, &explanation));
    WORDS("algorithm", heddle_run_memory(ctx, graph, &options, &memory));
}

static void verify(void) {
    heddle_run_options options = of("bfs");
    NO_CONTEXT(heddle_verify(NULL, graph, &options, result));
    REFUSED("graph", heddle_verify(ctx, NULL, &options, result));
    REFUSED("result", heddle_verify(ctx, graph, &options, NULL));
    WORDS("another graph", heddle_verify(ctx, other, &options, result));
    WORDS("another graph", heddle_verify(ctx, twin, &options, result));
    options.algorithm = "mst";
    WORDS("result is of bfs", heddle_verify(ctx, graph, &options, result));
    assert_int_equal(heddle_verify(ctx, graph, NULL, result), HEDDLE_OK);
}

static void result_save(void) {
    const char *path = support_temp_path("arguments.tsv");
    NO_CONTEXT(heddle_result_save(NULL, graph, result, path));
    REFUSED("graph", heddle_result_save(ctx, NULL, result, path));
    REFUSED("result", heddle_result_save(ctx, graph, NULL, path));
    REFUSED("path", heddle_result_save(ctx, graph, result, NULL));
    WORDS("another graph", heddle_result_save(ctx, other, result, path));
    WORDS("another graph", heddle_result_save(ctx, twin, result, path));
}

static void table(void) {
    const char *path = support_temp_path("table.tsv");
    const heddle_result *results[] = {result, NULL}, *twice[] = {result, result};
    const char *const ids[] = {"id"}, *const quotes[] = {"a\"b"}, *const same[] = {"x", "x"};
    struct ArrowArrayStream stream = {.release = NULL};
    NO_CONTEXT(heddle_table_save(NULL, graph, results, NULL, 1, path));
    REFUSED("graph", heddle_table_save(ctx, NULL, results, NULL, 1, path));
    REFUSED("results", heddle_table_save(ctx, graph, NULL, NULL, 1, path));
    REFUSED("path", heddle_table_save(ctx, graph, results, NULL, 1, NULL));
    REFUSED("result", heddle_table_save(ctx, graph, results, NULL, 2, path));
    WORDS("0 columns", heddle_table_save(ctx, graph, results, NULL, 0, path));
    WORDS("101 columns", heddle_table_save(ctx, graph, results, NULL, 101, path));
    WORDS("'id'", heddle_table_save(ctx, graph, results, ids, 1, path));
    WORDS("no name of a column", heddle_table_save(ctx, graph, results, quotes, 1, path));
    WORDS("two columns are called x", heddle_table_save(ctx, graph, twice, same, 2, path));
    WORDS("two columns are called", heddle_table_save(ctx, graph, twice, NULL, 2, path));
    WORDS("another graph", heddle_table_save(ctx, other, results, NULL, 1, path));
    NO_CONTEXT(heddle_table_to_arrow(NULL, graph, results, NULL, 1, &stream));
    REFUSED("graph", heddle_table_to_arrow(ctx, NULL, results, NULL, 1, &stream));
    REFUSED("results", heddle_table_to_arrow(ctx, graph, NULL, NULL, 1, &stream));
    REFUSED("stream", heddle_table_to_arrow(ctx, graph, results, NULL, 1, NULL));
    WORDS("another graph", heddle_table_to_arrow(ctx, other, results, NULL, 1, &stream));
    assert_null(stream.release);
    assert_int_equal(heddle_result_column_text(NULL, NULL, 0), 0);
}

static void cache(void) {
    heddle_cache_info info = {.size = sizeof info};
    NO_CONTEXT(heddle_cache_show(NULL, &info));
    REFUSED("info", heddle_cache_show(ctx, NULL));
    NO_CONTEXT(heddle_cache_clear(NULL, &info));
    REFUSED("info", heddle_cache_clear(ctx, NULL));
    info.size = 0;
    WORDS("info->size is 0", heddle_cache_show(ctx, &info));
    WORDS("info->size is 0", heddle_cache_clear(ctx, &info));
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *functions; /* every public one once */
    void (*check)(void);
} rows[] = {
    {"heddle_status_name heddle_status_text heddle_status_exit", status_words},
    {"heddle_context_options_init_sized heddle_build_options_init_sized heddle_load_options_init_sized "
     "heddle_arrow_options_init_sized "
     "heddle_save_options_init_sized heddle_generate_options_init_sized heddle_transform_options_init_sized "
     "heddle_subgraph_options_init_sized "
     "heddle_run_options_init_sized heddle_csr_options_init_sized heddle_strings_init_sized",
     init_sized},
    {"heddle_context_create heddle_context_destroy", context_create},
    {"heddle_context_error heddle_context_cancel heddle_context_reset heddle_context_threads heddle_launched "
     "heddle_context_join heddle_context_rank heddle_context_ranks heddle_context_agree "
     "heddle_context_compare heddle_context_fold heddle_context_sleeps heddle_context_unfold",
     context_rest},
    {"heddle_graph_vertices heddle_graph_edges heddle_graph_directed heddle_graph_weight_type heddle_graph_has_order "
     "heddle_graph_id_type heddle_graph_destroy",
     graph_facts},
    {"heddle_graph_out heddle_graph_in heddle_graph_count_edges", graph_rows},
    {"heddle_graph_id heddle_graph_id_text heddle_graph_find heddle_graph_ids heddle_graph_labels", graph_ids},
    {"heddle_graph_from_edges", from_edges},
    {"heddle_graph_from_edges32", from_edges32},
    {"heddle_graph_from_labels", from_labels},
    {"heddle_graph_from_strings", from_strings},
    {"heddle_graph_from_arrow heddle_result_to_arrow", arrow},
    {"heddle_graph_from_csr", from_csr},
    {"heddle_format_at heddle_generator_at heddle_transform_at heddle_plan_at heddle_order_at heddle_codec_at "
     "heddle_device_kind_at "
     "heddle_plan_about "
     "heddle_plan_key_at heddle_plan_value_at "
     "heddle_algorithm_at heddle_run_option_at heddle_version heddle_build_info",
     tables},
    {"heddle_graph_load heddle_graph_load_memory", load},
    {"heddle_graph_save heddle_context_written", save},
    {"heddle_graph_prepare", prepare_graph},
    {"heddle_graph_convert", convert},
    {"heddle_graph_generate heddle_graph_generate_file heddle_graph_edges_file", generate},
    {"heddle_graph_stats", stats},
    {"heddle_graph_transform", transform},
    {"heddle_graph_subgraph", subgraph},
    {"heddle_device_list heddle_accelerator_possible heddle_device_ceilings heddle_device_prepare", devices},
    {"heddle_result_values heddle_result_parents heddle_result_drop_parents heddle_result_value heddle_result_forest "
     "heddle_result_report "
     "heddle_result_destroy heddle_result_copy heddle_result_round_count heddle_result_rounds "
     "heddle_result_part_count heddle_result_parts heddle_result_part_rounds "
     "heddle_result_value_text heddle_forest_weight_text heddle_result_figure_text",
     result_parts},
    {"heddle_run heddle_run_reference", run},
    {"heddle_program_compile heddle_program_about heddle_program_destroy", program},
    {"heddle_explain heddle_run_memory", explain},
    {"heddle_verify", verify},
    {"heddle_result_save", result_save},
    {"heddle_table_save heddle_table_to_arrow heddle_result_column_text", table},
    {"heddle_cache_show heddle_cache_clear", cache},
};

static void nulls(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        rows[i].check();
}

static void options_not_used(void **state) {
    (void)state;
    unused_options();
}

static heddle_graph *path_of(uint64_t vertices) {
    int64_t sources[] = {0, 1, 2}, targets[] = {1, 2, 3};
    heddle_graph *made;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, vertices, vertices - 1, sources, targets, NULL,
                                                  HEDDLE_WEIGHT_NONE, NULL, &made),
                          HEDDLE_OK);
    return made;
}

static int prepare(void **state) {
    set_up(state);
    graph = path_of(3);
    twin = path_of(3);
    other = path_of(4);
    return heddle_run(ctx, graph, NULL, &result) != HEDDLE_OK;
}

static int finish(void **state) {
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&twin);
    heddle_graph_destroy(&other);
    return tear_down(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nulls),
        cmocka_unit_test(options_not_used),
    };
    return cmocka_run_group_tests(tests, prepare, finish);
}
