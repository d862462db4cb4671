/* program.c - a vertex program that is compiled once, describes itself, and runs with several parameters.
 *     cc program.c $(pkg-config --cflags --libs heddle) && ./a.out
 */
#include <heddle.h>

#include <stdio.h>

enum { VERTICES = 5, EDGES = 5, SKIPPED = 77 };

/* How far away each vertex is if every stop costs some time. */
static const char stops[] = "#define VALUE f64\n"
                            "#define MESSAGE f64\n"
                            "#define WEIGHT f64\n"
                            "#define TRAITS (MONOTONE | FROM_SOURCES)\n"
                            "#define PARAMETERS \"stop=1\"\n"
                            "PROGRAM VALUE init(ABOUT me, RUN run) { return me->source ? 0 : INFINITE; }\n"
                            "PROGRAM MESSAGE identity(void) { return INFINITE; }\n"
                            "PROGRAM MESSAGE send(VALUE v, WEIGHT w, u32 degree) { return v + w; }\n"
                            "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }\n"
                            "PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {\n"
                            "    f64 arrival = m + run->parameter[0];\n"
                            "    if (!(arrival < *v)) return 0;\n"
                            "    *v = arrival;\n"
                            "    return 1;\n"
                            "}\n";

static int fail(const heddle_context *context) {
    const heddle_error *error = heddle_context_error(context);
    fprintf(stderr, "program: %s\n", error->message);
    return error->status == HEDDLE_E_UNSUPPORTED ? SKIPPED : heddle_status_exit(error->status); /* no C compiler */
}

static int run(heddle_context *context, const heddle_graph *graph, const heddle_program *program,
               const char *parameters) {
    static const heddle_vertex source = 0;
    heddle_run_options options;
    heddle_result *result;
    heddle_run_options_init(&options);
    options.compiled_program = program;
    options.parameters = parameters;
    options.sources = &source;
    options.source_count = 1;
    options.device = "cpu";
    if (heddle_run(context, graph, &options, &result) != HEDDLE_OK)
        return fail(context);
    printf("%s:", parameters ? parameters : "default");
    for (heddle_vertex v = 0; v < VERTICES; v++)
        printf(" %g", heddle_result_value(result, v));
    putchar('\n');
    heddle_result_destroy(&result);
    return 0;
}

static int use(heddle_context *context, const heddle_graph *graph) {
    heddle_program *program;
    if (heddle_program_compile(context, "stops", stops, HEDDLE_PRECISION_DEFAULT, &program) != HEDDLE_OK)
        return fail(context);
    const heddle_program_info *about = heddle_program_about(program);
    printf("%s, monotone: %s, parameters:", about->name, about->traits & HEDDLE_PROGRAM_MONOTONE ? "yes" : "no");
    for (uint64_t i = 0; i < about->parameter_count; i++)
        printf(" %s=%g", about->parameters[i].name, about->parameters[i].value);
    putchar('\n');
    int status = run(context, graph, program, NULL);
    if (status == 0)
        status = run(context, graph, program, "stop=5");
    heddle_program_destroy(&program);
    return status;
}

int main(void) {
    static const int64_t sources[EDGES] = {0, 0, 2, 1, 4}, targets[EDGES] = {1, 2, 1, 3, 3};
    static const double minutes[EDGES] = {4, 1, 2, 1, 7};
    heddle_context *context;
    heddle_graph *graph;
    if (heddle_context_create(NULL, &context) != HEDDLE_OK)
        return 1;
    int status = 0;
    if (heddle_graph_from_edges(context, VERTICES, EDGES, sources, targets, minutes, HEDDLE_WEIGHT_F64, NULL, &graph) !=
        HEDDLE_OK)
        status = fail(context);
    if (status == 0)
        status = use(context, graph);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&context);
    return status;
}
