/* text_format.h - what the tests of the text formats share: files given as strings, graphs shown as strings. */
#ifndef TEXT_FORMAT_H
#define TEXT_FORMAT_H

#include "support.h"

#include <stdio.h>
#include <stdlib.h>

/* A graph as text: "3 vertices, directed, u32: a>b:5 a>c:7", in the order of its rows, with the user's ids. Lives until
 * the next call. */
static inline const char *show(heddle_context *ctx, const heddle_graph *graph) {
    static char text[1 << 16];
    static const char *const types[] = {"unweighted", "u32", "i32", "f32", "i64", "f64"};
    heddle_adjacency out;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &out), HEDDLE_OK);
    char *p = text, *end = text + sizeof text - 256;
    heddle_weight_type type = heddle_graph_weight_type(graph);
    p += sprintf(p, "%llu vertices, %s, %s:", (unsigned long long)heddle_graph_vertices(graph),
                 heddle_graph_directed(graph) ? "directed" : "undirected", types[type]);
    for (uint64_t v = 0; v < heddle_graph_vertices(graph); v++)
        for (uint64_t k = out.offsets[v]; k < out.offsets[v + 1] && p < end; k++) {
            *p++ = ' ';
            p += heddle_graph_id_text(graph, (heddle_vertex)v, p, 100);
            *p++ = '>';
            p += heddle_graph_id_text(graph, out.targets[k], p, 100);
            if (type == HEDDLE_WEIGHT_U32)
                p += sprintf(p, ":%u", ((const uint32_t *)out.weights)[k]);
            else if (type == HEDDLE_WEIGHT_I32)
                p += sprintf(p, ":%d", ((const int32_t *)out.weights)[k]);
            else if (type == HEDDLE_WEIGHT_F32)
                p += sprintf(p, ":%g", (double)((const float *)out.weights)[k]);
            else if (type == HEDDLE_WEIGHT_I64)
                p += sprintf(p, ":%lld", (long long)((const int64_t *)out.weights)[k]);
            else if (type == HEDDLE_WEIGHT_F64)
                p += sprintf(p, ":%.15g", ((const double *)out.weights)[k]);
        }
    *p = '\0';
    return text;
}

static inline heddle_status load_bytes(heddle_context *ctx, const char *format, const void *data, size_t bytes,
                                       const heddle_load_options *options, heddle_graph **graph) {
    heddle_load_options with_format;
    heddle_load_options_init(&with_format);
    if (options)
        with_format = *options;
    with_format.format = format;
    return heddle_graph_load(ctx, support_write_file("input", data, bytes), &with_format, graph);
}

/* Reads `text` as a file of the format, with each of several numbers of threads, and compares with what show() says. */
static inline void expect_graph_with(const char *format, const char *text, const heddle_load_options *options,
                                     const char *shown) {
    for (int threads = 1; threads <= 4; threads += 3) {
        heddle_context *ctx = support_context(threads);
        heddle_graph *graph;
        support_assert_status(ctx, load_bytes(ctx, format, text, strlen(text), options, &graph), HEDDLE_OK);
        assert_string_equal(show(ctx, graph), shown);
        heddle_graph_destroy(&graph);
        heddle_context_destroy(&ctx);
    }
}

/* Reads bytes that are wrong, and compares the error record. */
static inline void expect_error_in(const char *format, const void *data, size_t bytes,
                                   const heddle_load_options *options, uint64_t line, uint64_t column,
                                   const char *token, const char *expected) {
    for (int threads = 1; threads <= 4; threads += 3) {
        heddle_context *ctx = support_context(threads);
        heddle_graph *graph = (heddle_graph *)(uintptr_t)1;
        support_assert_status(ctx, load_bytes(ctx, format, data, bytes, options, &graph), HEDDLE_E_FORMAT);
        const heddle_error *error = heddle_context_error(ctx);
        assert_null(graph);
        if (error->line != line || error->column != column || strcmp(error->token, token) != 0 ||
            strcmp(error->expected, expected) != 0)
            fail_msg("%s\nexpected line %llu, column %llu, token '%s', expected '%s'", error->message,
                     (unsigned long long)line, (unsigned long long)column, token, expected);
        heddle_context_destroy(&ctx);
    }
}

static inline void expect_error_with(const char *format, const char *text, const heddle_load_options *options,
                                     uint64_t line, uint64_t column, const char *token, const char *expected) {
    expect_error_in(format, text, strlen(text), options, line, column, token, expected);
}

/* ---- Larger files ------------------------------------------------------------------------------------------------ */

/* Text that grows. */
typedef struct text_buffer {
    char *data;
    size_t bytes;
    size_t capacity;
} text_buffer;

static inline void add_text(text_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void add_text(text_buffer *buffer, const char *format, ...) {
    va_list arguments;
    if (buffer->capacity - buffer->bytes < 512) {
        buffer->capacity = buffer->capacity * 2 + 4096;
        buffer->data = realloc(buffer->data, buffer->capacity);
        assert_non_null(buffer->data);
    }
    va_start(arguments, format);
    buffer->bytes += (size_t)vsnprintf(buffer->data + buffer->bytes, 512, format, arguments);
    va_end(arguments);
}

static inline uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Reads the bytes with 1, 2, 3 and 8 threads, and compares with a graph made from arrays of edges. */
static inline void expect_edges(const char *format, const text_buffer *text, uint64_t vertices, uint64_t edges,
                                const int64_t *sources, const int64_t *targets, const void *weights,
                                heddle_weight_type type) {
    static const int threads[] = {1, 2, 3, 8};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        heddle_context *ctx = support_context(threads[i]);
        heddle_graph *graph, *expected;
        support_assert_status(ctx,
                              heddle_graph_from_edges(ctx, vertices, edges, sources, targets, weights, type, NULL,
                                                      &expected),
                              HEDDLE_OK);
        support_assert_status(ctx, load_bytes(ctx, format, text->data, text->bytes, NULL, &graph), HEDDLE_OK);
        support_assert_same_graph(ctx, graph, expected);
        heddle_graph_destroy(&graph);
        heddle_graph_destroy(&expected);
        heddle_context_destroy(&ctx);
    }
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Reads `text` as a file of the format, writes the graph to a file of this name, and compares the bytes; then reads
 * that file and compares the graphs. */
static inline void expect_written_with(const char *format, const char *text, const heddle_load_options *options,
                                       const char *name, const char *written) {
    for (int threads = 1; threads <= 4; threads += 3) {
        heddle_context *ctx = support_context(threads);
        heddle_graph *graph, *again;
        support_assert_status(ctx, load_bytes(ctx, format, text, strlen(text), options, &graph), HEDDLE_OK);
        support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path(name), NULL), HEDDLE_OK);
        size_t bytes;
        char *content = support_read_file(support_temp_path(name), &bytes);
        assert_string_equal(content, written);
        free(content);
        support_assert_status(ctx, heddle_graph_load(ctx, support_temp_path(name), NULL, &again), HEDDLE_OK);
        support_assert_same_graph(ctx, graph, again);
        heddle_graph_destroy(&graph);
        heddle_graph_destroy(&again);
        heddle_context_destroy(&ctx);
    }
}

/* Generates a graph that is large enough for several blocks, writes it, reads it back, and compares. */
static inline void expect_round_trip(const char *name, int weighted, int real, int symmetrize, bool isolated) {
    heddle_context *ctx = support_context(3);
    heddle_generate_options options;
    heddle_save_options save;
    heddle_load_options load;
    heddle_graph *graph, *again;
    heddle_generate_options_init(&options);
    heddle_save_options_init(&save);
    heddle_load_options_init(&load);
    load.weight_type = real ? HEDDLE_WEIGHT_F32 : HEDDLE_WEIGHT_NONE; /* the decimals of floats are no floats */
    options.kind = "rmat";
    options.scale = 15;
    options.degree = 16;
    options.weighted = weighted;
    options.weight_real = real;
    options.weight_min = real ? 0.001 : 1;
    options.weight_max = real ? 1000 : 100000;
    options.build.symmetrize = symmetrize;
    options.build.drop_loops = 1;
    options.build.drop_isolated = !isolated;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_save(ctx, graph, support_temp_path(name), &save), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_load(ctx, support_temp_path(name), &load, &again), HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(graph), heddle_graph_vertices(again));
    assert_int_equal(heddle_graph_edges(graph), heddle_graph_edges(again));
    assert_int_equal(heddle_graph_weight_type(graph), heddle_graph_weight_type(again));
    heddle_adjacency a, b;
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &a), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, again, &b), HEDDLE_OK);
    assert_memory_equal(a.offsets, b.offsets, (heddle_graph_vertices(graph) + 1) * sizeof *a.offsets);
    assert_memory_equal(a.targets, b.targets, heddle_graph_edges(graph) * sizeof *a.targets);
    if (weighted)
        assert_memory_equal(a.weights, b.weights, heddle_graph_edges(graph) * 4);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&again);
    heddle_context_destroy(&ctx);
}

/* ---- Real files -------------------------------------------------------------------------------------------------- */

/* Loads a file of $HEDDLE_TEST_DATA and compares its published counts; `edges` are arcs as held. */
static inline void expect_counts(const char *name, uint64_t vertices, uint64_t edges, int directed,
                                 heddle_weight_type type) {
    heddle_context *ctx = support_context(0);
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_load(ctx, support_data_path(name), NULL, &graph), HEDDLE_OK);
    assert_int_equal(heddle_graph_vertices(graph), vertices);
    assert_int_equal(heddle_graph_edges(graph), edges);
    assert_int_equal(heddle_graph_directed(graph), directed);
    assert_int_equal(heddle_graph_weight_type(graph), type);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

typedef struct load_attempt {
    const char *format;
    const text_buffer *text;
    const char *save_as;
} load_attempt;

static inline heddle_status attempt_load(heddle_context *ctx, void *user) {
    const load_attempt *attempt = user;
    heddle_graph *graph;
    heddle_status status = load_bytes(ctx, attempt->format, attempt->text->data, attempt->text->bytes, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_graph_save(ctx, graph, support_temp_path(attempt->save_as), NULL);
    heddle_graph_destroy(&graph);
    return status;
}

/* Reads and writes with every allocation failing in turn. */
static inline void expect_memory_errors(const char *format, const text_buffer *text, const char *save_as) {
    load_attempt attempt = {format, text, save_as};
    support_try_every_failure(attempt_load, &attempt);
}

#endif
