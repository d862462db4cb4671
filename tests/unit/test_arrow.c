/* test_arrow.c - streams of Arrow as graphs, and results as streams of Arrow. */
#include "context_case.h"

#include <errno.h>
#include <stdio.h>

/* ---- A producer: batches of columns over constants ------------------------------------------------------------- */

enum { MOST = 3, BATCHES = 3 };

typedef struct batch {
    struct ArrowArray array, columns[MOST], *children[MOST], dictionaries[MOST];
    const void *buffers[MOST][4], *dictionary_buffers[MOST][3];
} batch;

typedef struct producer {
    const char *format[MOST], *dictionary[MOST], *name[MOST];
    int columns, batches, next, code; /* code: what get_next fails with after the last batch */
    struct ArrowSchema schema[MOST], *children[MOST], dictionaries[MOST];
    batch batch[BATCHES];
    struct ArrowArrayStream stream;
} producer;

static int released; /* streams and batches that were taken and not released: 0 at the end */

static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void release_batch(struct ArrowArray *array) {
    released--;
    array->release = NULL;
}
static void release_stream(struct ArrowArrayStream *stream) {
    released--;
    stream->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
    producer *p = stream->private_data;
    for (int c = 0; c < p->columns; c++) {
        p->dictionaries[c] = (struct ArrowSchema){.format = p->dictionary[c]};
        p->schema[c] = (struct ArrowSchema){.format = p->format[c],
                                            .name = p->name[c],
                                            .dictionary = p->dictionary[c] ? &p->dictionaries[c] : NULL};
        p->children[c] = &p->schema[c];
    }
    *schema = (struct ArrowSchema){.format = "+s",
                                   .n_children = p->columns,
                                   .children = p->children,
                                   .release = release_schema};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *array) {
    producer *p = stream->private_data;
    memset(array, 0, sizeof *array);
    if (p->next == p->batches)
        return p->code;
    *array = p->batch[p->next++].array;
    released++;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "the server went away";
}

static struct ArrowArrayStream *start(producer *p) {
    p->next = 0;
    p->stream = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, p};
    released++;
    return &p->stream;
}

static void begin_batch(producer *p, int64_t rows) {
    batch *b = &p->batch[p->batches++];
    for (int c = 0; c < p->columns; c++)
        b->children[c] = &b->columns[c];
    b->array = (struct ArrowArray){.length = rows,
                                   .n_children = p->columns,
                                   .children = b->children,
                                   .release = release_batch};
}

/* A column of the batch that was begun last; `text` NULL: numbers. */
static struct ArrowArray *put(producer *p, int column, const uint8_t *valid, const void *values, const void *text) {
    batch *b = &p->batch[p->batches - 1];
    const void **buffers = b->buffers[column];
    buffers[0] = valid;
    buffers[1] = values;
    buffers[2] = text;
    b->columns[column] = (struct ArrowArray){.length = b->array.length,
                                             .null_count = valid ? -1 : 0,
                                             .n_buffers = text ? 3 : 2,
                                             .buffers = buffers};
    return &b->columns[column];
}

static void put_dictionary(producer *p, int column, const void *codes, int64_t strings, const void *offsets,
                           const char *text) {
    batch *b = &p->batch[p->batches - 1];
    const void **buffers = b->dictionary_buffers[column];
    buffers[1] = offsets;
    buffers[2] = text;
    b->dictionaries[column] = (struct ArrowArray){.length = strings, .n_buffers = 3, .buffers = buffers};
    put(p, column, NULL, codes, NULL)->dictionary = &b->dictionaries[column];
}

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

static void assert_graph(struct ArrowArrayStream *stream, const heddle_arrow_options *options, const char *expected) {
    heddle_graph *graph, *read;
    support_assert_status(ctx, heddle_graph_from_arrow(ctx, stream, options, &graph), HEDDLE_OK);
    assert_null(stream->release);
    assert_int_equal(released, 0);
    support_assert_status(ctx, heddle_graph_load_memory(ctx, expected, strlen(expected), NULL, &read), HEDDLE_OK);
    support_assert_same_graph(ctx, graph, read);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&read);
}

static void assert_refused(struct ArrowArrayStream *stream, const heddle_arrow_options *options, heddle_status status,
                           const char *words) {
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_from_arrow(ctx, stream, options, &graph), status);
    support_assert_message(ctx, words);
    assert_null(graph);
    assert_null(stream->release);
    assert_int_equal(released, 0);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------ */

static const int32_t some[] = {9, 5, 6, 7}, others[] = {6, 7, 9};
static const double weights[] = {0.5, 1.5, 2.5};

/* 5 -> 6 (0.5), 6 -> 7 (1.5), 7 -> 9 (2.5), in two batches and with a column before. */
static void numbers_of(producer *p, const uint8_t *valid) {
    *p = (producer){.format = {"g", "i", "i"}, .name = {"cost", "dst", "src"}, .columns = 3};
    begin_batch(p, 2);
    put(p, 0, NULL, weights, NULL);
    put(p, 1, NULL, others, NULL);
    put(p, 2, NULL, some, NULL)->offset = 1;
    begin_batch(p, 1);
    put(p, 0, valid, weights, NULL)->offset = 2;
    put(p, 1, NULL, others + 2, NULL);
    put(p, 2, NULL, some, NULL)->offset = 3;
}

static void columns_by_name_and_number(void **state) {
    (void)state;
    producer p;
    heddle_arrow_options options;
    numbers_of(&p, NULL);
    assert_graph(start(&p), NULL, "5 6 0.5\n6 7 1.5\n7 9 2.5\n"); /* names that are usual */
    heddle_arrow_options_init(&options);
    options.source = "dst";
    options.target_column = 3;
    options.weight_column = HEDDLE_COLUMN_NONE;
    assert_graph(start(&p), &options, "6 5\n7 6\n9 7\n");
    options.weight = "prize";
    assert_refused(start(&p), &options, HEDDLE_E_ARGUMENT, "there is no column 'prize'; there are: cost, dst, src");
    options.weight = NULL;
    options.target_column = 4;
    assert_refused(start(&p), &options, HEDDLE_E_ARGUMENT, "there is no column 4");
    options.target_column = 0;
    assert_refused(start(&p), &options, HEDDLE_E_ARGUMENT, "from 1");
    heddle_arrow_options_init(&options);
    options.vertices = 9;
    assert_refused(start(&p), &options, HEDDLE_E_ARGUMENT, "row 2 (7 -> 9): expected an id below");
    p.name[0] = p.name[1] = p.name[2] = "x"; /* the first two, and no third that has numbers */
    p.format[0] = "l";
    assert_graph(start(&p), NULL, "4602678819172646912 6 5\n4609434218613702656 7 6\n4612811918334230528 9 7\n");
}

static void rows_without_values(void **state) {
    (void)state;
    static const uint8_t none[] = {0x3};
    producer p;
    heddle_arrow_options options;
    heddle_arrow_options_init(&options);
    numbers_of(&p, none);
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "cost: row 2 has no value");
    options.nulls = HEDDLE_NULLS_DROP;
    assert_graph(start(&p), &options, "5 6 0.5\n6 7 1.5\n");
    assert_non_null(strstr(support_notes(), "1 of 3"));
    options.weight_column = HEDDLE_COLUMN_NONE; /* a column that is not read may lack what it likes */
    options.nulls = HEDDLE_NULLS_REFUSE;
    assert_graph(start(&p), &options, "5 6\n6 7\n7 9\n");
}

static void types_of_numbers(void **state) {
    (void)state;
    static const int8_t bytes[] = {-1, 2};
    static const uint16_t shorts[] = {65535, 3}, halves[] = {0x3800, 0xc000}; /* 0.5, -2 */
    static const uint64_t large[] = {UINT64_MAX, 7};
    static const double whole[] = {5, -3};
    static const uint64_t decimals[] = {25, 0, (uint64_t)-150, UINT64_MAX}, wide[] = {1, 1, 0, 0};
    static const uint8_t flags[] = {2};
    producer p = {.format = {"c", "S", "e"}, .name = {"source", "target", "weight"}, .columns = 3};
    begin_batch(&p, 2);
    put(&p, 0, NULL, bytes, NULL);
    put(&p, 1, NULL, shorts, NULL);
    put(&p, 2, NULL, halves, NULL);
    assert_graph(start(&p), NULL, "-1 65535 0.5\n2 3 -2.0\n");
    p.format[2] = "d:20,2";
    put(&p, 2, NULL, decimals, NULL);
    heddle_arrow_options options;
    heddle_arrow_options_init(&options);
    options.weight_type = HEDDLE_WEIGHT_F32;
    assert_graph(start(&p), &options, "-1 65535 0.25\n2 3 -1.5\n");
    p.format[2] = "b";
    put(&p, 2, NULL, flags, NULL);
    options.weight_type = HEDDLE_WEIGHT_U32;
    assert_graph(start(&p), &options, "-1 65535 0\n2 3 1\n");
    options.weight_column = HEDDLE_COLUMN_NONE;
    p.format[0] = "g";
    put(&p, 0, NULL, whole, NULL);
    assert_graph(start(&p), &options, "5 65535\n-3 3\n");
    p.format[0] = "d:38,0";
    put(&p, 0, NULL, wide, NULL);
    assert_refused(start(&p), &options, HEDDLE_E_ARGUMENT, "expected a whole number as id");
    p.format[0] = "L";
    put(&p, 0, NULL, large, NULL);
    assert_graph(start(&p), &options, "18446744073709551615 65535\n7 3\n");
    p.format[0] = "tdD";
    assert_refused(start(&p), &options, HEDDLE_E_ARGUMENT,
                   "source: a column of numbers or strings is needed, not of Arrow's type 'date'");
    p.format[0] = "b";
    put(&p, 0, NULL, flags, NULL);
    assert_refused(start(&p), &options, HEDDLE_E_ARGUMENT, "not booleans");
}

static const char words[] = "YorkLeedsBath, on the Avon";
static const int32_t starts[] = {0, 4, 9, 26};
static const int64_t wide_starts[] = {0, 4, 9, 26};
static const char *const expected = "York Leeds\n\"Bath, on the Avon\" York\nLeeds \"Bath, on the Avon\"\n";

/* Views of the same strings: a length, and the text, or its first four letters, a buffer and a place in it. */
typedef struct view {
    int32_t length;
    union {
        char text[12];
        struct {
            char first[4];
            int32_t buffer, at;
        } far;
    } is;
} view;

static void strings_of_all_kinds(void **state) {
    (void)state;
    static const int8_t codes[] = {0, 2, 1}, wrong[] = {1, 0, 3};
    static const uint16_t targets[] = {1, 0, 2};
    static const view views[] = {{5, {"Leeds"}}, {4, {"York"}}, {17, {.far = {"Bath", 0, 9}}}};
    static const int64_t sizes[] = {26};
    producer p = {.format = {"c", "S"}, .dictionary = {"u", "U"}, .name = {"source", "target"}, .columns = 2};
    begin_batch(&p, 3); /* as they lie */
    put_dictionary(&p, 0, codes, 3, starts, words);
    put_dictionary(&p, 1, targets, 3, wide_starts, words);
    assert_graph(start(&p), NULL, expected);
    put_dictionary(&p, 1, targets, 2, wide_starts, words);
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "target: row 2 has no value");
    put_dictionary(&p, 0, wrong, 3, starts, words);
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "source: row 2 has no value");
    put_dictionary(&p, 0, codes, 3, starts, words);
    p.format[1] = "vu";
    p.dictionary[1] = NULL;
    struct ArrowArray *column = put(&p, 1, NULL, views, words);
    column->n_buffers = 4;
    column->buffers[3] = sizes;
    assert_graph(start(&p), NULL, expected);
    column->buffers[2] = NULL; /* where the long one should be */
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "is empty");
    p.format[1] = "i";
    put(&p, 1, NULL, some, NULL);
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "target: ids are strings in the other column");
}

/* Two batches: dictionaries of their own on one side, plain strings on the other. */
static void strings_in_batches(producer *p) {
    static const int32_t first[] = {0}, rest[] = {0, 1}, turned[] = {0, 17, 22}, in_first[] = {0, 5};
    static const char avon[] = "Bath, on the AvonLeeds", target[] = "LeedsYorkBath, on the Avon";
    static const int32_t others_at[] = {5, 9, 26};
    *p = (producer){.format = {"i", "u"}, .dictionary = {"u", NULL}, .name = {"source", "target"}, .columns = 2};
    begin_batch(p, 1);
    put_dictionary(p, 0, first, 1, starts, words);
    put(p, 1, NULL, in_first, target);
    begin_batch(p, 0);
    put_dictionary(p, 0, first, 0, starts, words);
    put(p, 1, NULL, in_first, target);
    begin_batch(p, 2);
    put_dictionary(p, 0, rest, 2, turned, avon);
    put(p, 1, NULL, others_at, target);
}

static void strings_of_several_batches(void **state) {
    (void)state;
    producer p;
    strings_in_batches(&p);
    assert_graph(start(&p), NULL, expected);
    heddle_arrow_options options;
    heddle_arrow_options_init(&options);
    options.vertices = 3;
    assert_refused(start(&p), &options, HEDDLE_E_ARGUMENT, "ids are strings here");
}

static void columns_that_come_alone(void **state) {
    (void)state;
    heddle_arrow_options options;
    producer source = {.format = {"i"}, .name = {"x"}, .columns = 1}, target = source, weight = source;
    begin_batch(&source, 3);
    put(&source, 0, NULL, some, NULL)->offset = 1;
    source.batch[0].columns[0].length = 4;
    begin_batch(&target, 1);
    put(&target, 0, NULL, others, NULL);
    begin_batch(&target, 2);
    put(&target, 0, NULL, others + 1, NULL);
    weight.format[0] = "g";
    begin_batch(&weight, 3);
    put(&weight, 0, NULL, weights, NULL);
    heddle_arrow_options_init(&options);
    options.targets = start(&target);
    options.weights = start(&weight);
    assert_graph(start(&source), &options, "5 6 0.5\n6 7 1.5\n7 9 2.5\n");
    options.targets = start(&target);
    options.weights = NULL;
    assert_graph(start(&source), &options, "5 6\n6 7\n7 9\n");
    target.batches = 1;
    options.targets = start(&target);
    assert_refused(start(&source), &options, HEDDLE_E_ARGUMENT, "3 elements are needed, not 1");
}

static void streams_that_are_none(void **state) {
    (void)state;
    producer p;
    numbers_of(&p, NULL);
    struct ArrowArrayStream zeroed = {.release = NULL};
    assert_refused(&zeroed, NULL, HEDDLE_E_ARGUMENT, "was released");
    start(&p)->release(&p.stream);
    assert_refused(&p.stream, NULL, HEDDLE_E_ARGUMENT, "was released");
    p.code = EIO;
    assert_refused(start(&p), NULL, HEDDLE_E_READ, "the server went away");
    p.code = 0;
    p.batch[1].array.n_children = 2;
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "does not have the columns of its schema");
    p.batch[1].array.n_children = 3;
    p.batch[1].columns[1].length = 0;
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "dst: a batch of Arrow has no such values");
    p.batch[1].columns[1].length = 1;
    p.batch[1].columns[2].n_buffers = 1;
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "src: a batch of Arrow has no such values");
    p.columns = 1;
    p.batches = 0;
    assert_refused(start(&p), NULL, HEDDLE_E_ARGUMENT, "two or more columns");
    heddle_graph *graph;
    p.columns = 2;
    support_assert_status(ctx, heddle_graph_from_arrow(ctx, start(&p), NULL, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(graph), 0);
    heddle_graph_destroy(&graph);
}

static heddle_status attempt(heddle_context *context, void *user) {
    producer p;
    heddle_graph *graph;
    heddle_result *result = NULL;
    struct ArrowArrayStream stream = {.release = NULL};
    (void)user;
    strings_in_batches(&p);
    heddle_status status = heddle_graph_from_arrow(context, start(&p), NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(context, graph, NULL, &result);
    if (status == HEDDLE_OK)
        status = heddle_result_to_arrow(context, graph, result, &stream);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    if (stream.release)
        stream.release(&stream);
    assert_int_equal(released, 0);
    return status;
}

static void no_memory(void **state) {
    (void)state;
    support_try_every_failure(attempt, NULL);
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

static void results_are_streams(void **state) {
    (void)state;
    static const char text[] = "a b\nb c\nd a\nb e\n";
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options run = support_run_options("bfs", "cpu", "auto");
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch, end;
    support_assert_status(ctx, heddle_graph_load_memory(ctx, text, sizeof text - 1, NULL, &graph), HEDDLE_OK);
    run.parents = 1;
    run.sources = &(heddle_vertex){0};
    run.source_count = 1;
    support_assert_status(ctx, heddle_run(ctx, graph, &run, &result), HEDDLE_OK);
    support_assert_status(ctx, heddle_result_to_arrow(ctx, graph, result, &stream), HEDDLE_OK);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(stream.get_next(&stream, &end), 0);
    assert_null(end.release);
    assert_null(stream.get_last_error(&stream));
    stream.release(&stream);
    assert_string_equal(schema.format, "+s");
    assert_int_equal(schema.n_children, 3);
    assert_string_equal(schema.children[0]->name, "id");
    assert_string_equal(schema.children[0]->format, "U");
    assert_string_equal(schema.children[1]->name, "distance");
    assert_string_equal(schema.children[1]->format, "l");
    assert_string_equal(schema.children[2]->name, "parent");
    assert_int_equal(batch.length, 5);
    assert_memory_equal(batch.children[0]->buffers[2], "abcde", 5);
    const int64_t *distance = batch.children[1]->buffers[1];
    assert_int_equal(distance[2], 2);
    assert_int_equal(batch.children[1]->null_count, 1); /* d */
    assert_int_equal(*(const uint8_t *)batch.children[1]->buffers[0], 0x17);
    assert_int_equal(batch.children[2]->null_count, 2); /* a, the source, too */
    struct ArrowArray moved = *batch.children[0];
    batch.children[0]->release = NULL;
    batch.release(&batch);
    assert_memory_equal(moved.buffers[2], "abcd", 4);
    moved.release(&moved);
    schema.release(&schema);
}

/* A result as the edges of a graph. */
static void results_come_back(void **state) {
    (void)state;
    static const char *const algorithms[] = {"mst", "cc", "pr"};
    static const char *const back[] = {"10 20 3\n20 30 4\n", "10 10\n20 10\n30 10\n", NULL};
    static const char text[] = "10 20 3\n20 30 4\n10 30 5\n";
    heddle_load_options options;
    heddle_graph *graph;
    heddle_load_options_init(&options);
    options.build.symmetrize = 1;
    support_assert_status(ctx, heddle_graph_load_memory(ctx, text, sizeof text - 1, &options, &graph), HEDDLE_OK);
    for (int k = 0; k < 3; k++) {
        heddle_result *result;
        struct ArrowArrayStream stream;
        heddle_run_options run = support_run_options(algorithms[k], "cpu", "auto");
        support_assert_status(ctx, heddle_run(ctx, graph, &run, &result), HEDDLE_OK);
        support_assert_status(ctx, heddle_result_to_arrow(ctx, graph, result, &stream), HEDDLE_OK);
        heddle_result_destroy(&result);
        if (back[k])
            assert_graph(&stream, NULL, back[k]);
        else
            assert_refused(&stream, NULL, HEDDLE_E_ARGUMENT, "expected a whole number as id");
    }
    heddle_graph_destroy(&graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_by_name_and_number), cmocka_unit_test(rows_without_values),
        cmocka_unit_test(types_of_numbers),           cmocka_unit_test(strings_of_all_kinds),
        cmocka_unit_test(strings_of_several_batches), cmocka_unit_test(columns_that_come_alone),
        cmocka_unit_test(streams_that_are_none),      cmocka_unit_test(no_memory),
        cmocka_unit_test(results_are_streams),        cmocka_unit_test(results_come_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
