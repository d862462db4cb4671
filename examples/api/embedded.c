/* embedded.c - a program's own rows, used in place; searches from a batch of sources at once; and a vertex program that
 * is a string of the program.
 *     cc embedded.c $(pkg-config --cflags --libs heddle) && ./a.out
 */
#include <heddle.h>

#include <stdio.h>

enum { VERTICES = 6, EDGES = 7, SOURCES = 3, SKIPPED = 77 };

/* The largest number that reaches a vertex: each begins with its own, and hands it on. */
static const char largest[] = "#define VALUE f32\n"
                              "#define MESSAGE f32\n"
                              "#define TRAITS MONOTONE\n"
                              "PROGRAM VALUE init(ABOUT me, RUN run) { (void)run; return (f32)me->initial; }\n"
                              "PROGRAM MESSAGE identity(void) { return -INFINITE; }\n"
                              "PROGRAM MESSAGE send(VALUE value, u32 degree) { (void)degree; return value; }\n"
                              "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a > b ? a : b; }\n"
                              "PROGRAM int update(VALUE *value, MESSAGE best, ABOUT me, RUN run) {\n"
                              "    (void)me, (void)run;\n"
                              "    if (best <= *value) return 0;\n"
                              "    *value = best;\n"
                              "    return 1;\n"
                              "}\n";

static int fail(const heddle_context *context) {
    const heddle_error *error = heddle_context_error(context);
    fprintf(stderr, "embedded: %s\n", error->message);
    return error->status == HEDDLE_E_UNSUPPORTED ? SKIPPED : heddle_status_exit(error->status); /* no C compiler */
}

/* Levels from each source: a row of a table for each. */
static int batch(heddle_context *context, const heddle_graph *graph) {
    static const heddle_vertex sources[SOURCES] = {0, 2, 5};
    int32_t levels[SOURCES * VERTICES];
    heddle_run_options run;
    heddle_result *result;
    heddle_run_options_init(&run);
    run.algorithm = "bfs";
    run.device = "cpu";
    run.each = 1;
    run.sources = sources;
    run.source_count = SOURCES;
    if (heddle_run(context, graph, &run, &result) != HEDDLE_OK)
        return fail(context);
    heddle_status status = heddle_result_copy(context, result, HEDDLE_VALUE_I32, levels, SOURCES * VERTICES);
    heddle_result_destroy(&result);
    if (status != HEDDLE_OK)
        return fail(context);
    for (int s = 0; s < SOURCES; s++) {
        printf("from %u:", sources[s]);
        for (int v = 0; v < VERTICES; v++)
            printf(" %2d", levels[s * VERTICES + v]); /* -1: not reached */
        putchar('\n');
    }
    return 0;
}

static int program(heddle_context *context, const heddle_graph *graph) {
    static const double initial[VERTICES] = {1, 6, 2, 5, 3, 4};
    heddle_run_options run;
    heddle_result *result;
    heddle_run_options_init(&run);
    run.program = "largest"; /* its name in messages */
    run.program_text = largest;
    run.initial = initial;
    run.device = "cpu";
    if (heddle_run(context, graph, &run, &result) != HEDDLE_OK)
        return fail(context);
    printf("largest:");
    for (heddle_vertex v = 0; v < VERTICES; v++)
        printf(" %g", heddle_result_value(result, v));
    putchar('\n');
    heddle_result_destroy(&result);
    return 0;
}

int main(void) {
    static const uint32_t offsets[VERTICES + 1] = {0, 2, 3, 4, 5, 7, 7};
    static const heddle_vertex targets[EDGES] = {1, 2, 3, 3, 4, 0, 5};
    heddle_context *context;
    heddle_graph *graph;
    if (heddle_context_create(NULL, &context) != HEDDLE_OK)
        return 1;
    int status = 0;
    if (heddle_graph_from_csr(context, VERTICES, EDGES, offsets, 32, targets, NULL, HEDDLE_WEIGHT_NONE, NULL, &graph) !=
        HEDDLE_OK)
        status = fail(context);
    if (status == 0)
        status = batch(context, graph);
    if (status == 0)
        status = program(context, graph);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&context);
    return status;
}
