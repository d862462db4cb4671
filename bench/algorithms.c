/* algorithms.c - times algorithms on one graph inside one process: graph loaded once, a warm-up, then repeats.
 *
 *     bench-algorithms GRAPH [-t THREADS] [-n REPEATS] [-v 0] [-s SOURCE_ID]… ALGORITHM…
 *
 * One line each on standard output: algorithm, source, best, median and largest milliseconds, iterations, verified.
 * Every result is verified once, except with -v 0; a time whose result does not verify is not printed. Source
 * algorithms run from each source given (or from the vertex of largest out-degree). bench/run.py drives this beside
 * other systems.
 */
#include "heddle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 1000, MOST_SOURCES = 64 };

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int fail(heddle_context *ctx, heddle_status status) {
    fprintf(stderr, "bench-algorithms: %s\n", heddle_context_error(ctx)->message);
    return heddle_status_exit(status);
}

static int time_one(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                    const char *source, int repeats, int verify) {
    double times[MOST_REPEATS];
    uint64_t iterations = 0;
    for (int i = -1; i < repeats; i++) { /* -1 is the warm-up, and the one that is verified */
        heddle_result *result;
        heddle_status status = heddle_run(ctx, graph, options, &result);
        if (status == HEDDLE_OK && i < 0 && verify)
            status = heddle_verify(ctx, graph, options, result);
        if (status != HEDDLE_OK) {
            heddle_result_destroy(&result);
            return fail(ctx, status);
        }
        if (i >= 0)
            times[i] = heddle_result_report(result)->compute * 1e3;
        iterations = heddle_result_report(result)->iterations;
        heddle_result_destroy(&result);
    }
    qsort(times, (size_t)repeats, sizeof *times, by_value);
    printf("%s\t%s\t%.3f\t%.3f\t%.3f\t%llu\t%s\n", options->algorithm, source, times[0], times[repeats / 2],
           times[repeats - 1], (unsigned long long)iterations, verify ? "verified" : "-");
    fflush(stdout);
    return 0;
}

static int takes_source(const char *algorithm) {
    return strcmp(algorithm, "bfs") == 0 || strcmp(algorithm, "sssp") == 0 || strcmp(algorithm, "sswp") == 0 ||
           strcmp(algorithm, "bc") == 0;
}

static int time_algorithm(heddle_context *ctx, const heddle_graph *graph, const char *name, char **sources,
                          int source_count, int repeats, int verify) {
    heddle_run_options options;
    heddle_vertex vertex;
    heddle_run_options_init(&options);
    options.algorithm = name;
    options.device = "cpu";
    if (strcmp(name, "pr") == 0)
        options.tolerance = 1e-4; /* GAP's stopping rule */
    if (!takes_source(name) || source_count == 0)
        return time_one(ctx, graph, &options, "-", repeats, verify);
    for (int i = 0; i < source_count; i++) {
        heddle_status status = heddle_graph_find(ctx, graph, sources[i], &vertex);
        if (status != HEDDLE_OK)
            return fail(ctx, status);
        options.sources = &vertex;
        options.source_count = 1;
        int bad = time_one(ctx, graph, &options, sources[i], repeats, verify);
        if (bad)
            return bad;
    }
    return 0;
}

int main(int argc, char **argv) {
    char *sources[MOST_SOURCES], **names = NULL;
    int source_count = 0, repeats = 5, verify = 1, at = 2;
    heddle_context_options context_options;
    heddle_context *ctx;
    heddle_graph *graph;
    heddle_context_options_init(&context_options);
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (argv[at][1] == 't')
            context_options.threads = atoi(argv[at + 1]);
        else if (argv[at][1] == 'n')
            repeats = atoi(argv[at + 1]);
        else if (argv[at][1] == 'v')
            verify = atoi(argv[at + 1]);
        else if (argv[at][1] == 's' && source_count < MOST_SOURCES)
            sources[source_count++] = argv[at + 1];
    }
    names = argv + at;
    if (argc < 3 || at >= argc || repeats < 1 || repeats > MOST_REPEATS) {
        fprintf(stderr, "usage: bench-algorithms GRAPH [-t THREADS] [-n REPEATS] [-v 0] [-s SOURCE_ID]... "
                        "ALGORITHM...\n");
        return 2;
    }
    if (heddle_context_create(&context_options, &ctx) != HEDDLE_OK)
        return 1;
    heddle_status status = heddle_graph_load(ctx, argv[1], NULL, &graph);
    int bad = status == HEDDLE_OK ? 0 : fail(ctx, status);
    for (; !bad && *names; names++)
        bad = time_algorithm(ctx, graph, *names, sources, source_count, repeats, verify);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    return bad;
}
