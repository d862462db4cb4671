/* use.c - a program of yesterday: built with the header beside it, run with the library of today. */
#include "heddle.h"

#include <stdio.h>
#include <string.h>

#define WANT(condition)                                             \
    do {                                                            \
        if (!(condition)) {                                         \
            fprintf(stderr, "line %d: " #condition "\n", __LINE__); \
            return 1;                                               \
        }                                                           \
    } while (0)

/* Each struct with something behind it that nobody may touch. */
#define GUARDED(type, name) \
    struct {                \
        type it;            \
        char behind[512];   \
    } name;                 \
    memset(&name, 0x5a, sizeof name)
#define WHOLE(name) (name.behind[0] == 0x5a && !memcmp(name.behind, name.behind + 1, sizeof name.behind - 1))

static int graphs(heddle_context *context, heddle_graph **graph) {
    static const int64_t from[] = {0, 1, 2}, to[] = {1, 2, 3};
    heddle_graph *made;
    GUARDED(heddle_build_options, build);
    heddle_build_options_init(&build.it);
    WANT(heddle_graph_from_edges(context, 4, 3, from, to, NULL, HEDDLE_WEIGHT_NONE, &build.it, graph) == HEDDLE_OK);
    WANT(WHOLE(build));
    GUARDED(heddle_load_options, load);
    heddle_load_options_init(&load.it);
    WANT(heddle_graph_load_memory(context, "0 1\n", 4, &load.it, &made) == HEDDLE_OK && WHOLE(load));
    heddle_graph_destroy(&made);
    GUARDED(heddle_generate_options, generate);
    heddle_generate_options_init(&generate.it);
    generate.it.scale = 4;
    WANT(heddle_graph_generate(context, &generate.it, &made) == HEDDLE_OK && WHOLE(generate));
    heddle_graph_destroy(&made);
    GUARDED(heddle_transform_options, transform);
    GUARDED(heddle_transform_report, figures);
    heddle_transform_options_init(&transform.it);
    transform.it.bound = 2;
    figures.it.size = sizeof figures.it;
    WANT(heddle_graph_transform(context, *graph, &transform.it, &made, &figures.it) == HEDDLE_OK);
    WANT(WHOLE(transform) && WHOLE(figures) && figures.it.bound == 2);
    heddle_graph_destroy(&made);
    GUARDED(heddle_stats, stats);
    stats.it.size = sizeof stats.it;
    WANT(heddle_graph_stats(context, *graph, &stats.it) == HEDDLE_OK && WHOLE(stats) && stats.it.edges == 3);
    return 0;
}

static int runs(heddle_context *context, const heddle_graph *graph) {
    static const heddle_vertex source = 0;
    heddle_result *result;
    GUARDED(heddle_run_options, run);
    heddle_run_options_init(&run.it);
    run.it.algorithm = "bfs";
    run.it.device = "cpu";
    run.it.sources = &source;
    run.it.source_count = 1;
    WANT(heddle_run(context, graph, &run.it, &result) == HEDDLE_OK && WHOLE(run));
    WANT(heddle_verify(context, graph, &run.it, result) == HEDDLE_OK);
    WANT(heddle_result_value(result, 3) == 3 && heddle_result_values(result)->count == 4);
    WANT(!strcmp(heddle_result_report(result)->algorithm, "bfs"));
    WANT(!strcmp(heddle_result_report(result)->figures[0].name, "reached"));
    heddle_result_destroy(&result);
    GUARDED(heddle_explanation, explanation);
    explanation.it.size = sizeof explanation.it;
    WANT(heddle_explain(context, graph, &run.it, &explanation.it) == HEDDLE_OK && WHOLE(explanation));
    WANT(!strcmp(explanation.it.device, "cpu") && explanation.it.row_count > 0);
    GUARDED(heddle_device_memory, memory);
    memory.it.size = sizeof memory.it;
    WANT(heddle_run_memory(context, graph, &run.it, &memory.it) == HEDDLE_OK && WHOLE(memory));
    GUARDED(heddle_cache_info, cache);
    cache.it.size = sizeof cache.it;
    WANT(heddle_cache_show(context, &cache.it) == HEDDLE_OK && WHOLE(cache));
    return 0;
}

int main(void) {
    heddle_context *context;
    heddle_graph *graph = NULL;
    GUARDED(heddle_context_options, start);
    heddle_context_options_init(&start.it);
    WANT(heddle_context_create(&start.it, &context) == HEDDLE_OK && WHOLE(start));
    int failed = graphs(context, &graph) || runs(context, graph);
    if (failed)
        fprintf(stderr, "%s\n", heddle_context_error(context)->message);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&context);
    return failed;
}
