/* distances.c - a graph from arrays, distances from one vertex, and the way to the farthest.
 *     cc distances.c $(pkg-config --cflags --libs heddle) && ./a.out
 */
#include <heddle.h>

#include <stdio.h>

static int fail(const heddle_context *context) {
    const heddle_error *error = heddle_context_error(context);
    fprintf(stderr, "distances: %s\n", error->message);
    return heddle_status_exit(error->status);
}

int main(void) {
    /* roads between towns, with their lengths; each can be driven both ways */
    static const char *const from[] = {"York", "York", "Leeds", "Leeds", "Bath", "Hull"};
    static const char *const to[] = {"Leeds", "Hull", "Bath", "Derby", "Derby", "Lincoln"};
    static const uint32_t miles[] = {24, 38, 205, 74, 142, 48};
    heddle_context *context;
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_vertex york, farthest = 0;
    int status = 0;
    if (heddle_context_create(NULL, &context) != HEDDLE_OK)
        return 1;

    heddle_build_options build;
    heddle_build_options_init(&build);
    build.symmetrize = 1;
    heddle_run_options run;
    heddle_run_options_init(&run);
    run.algorithm = "sssp";
    run.device = "cpu";
    run.parents = 1;
    run.sources = &york;
    run.source_count = 1;
    if (heddle_graph_from_labels(context, 6, from, to, miles, HEDDLE_WEIGHT_U32, &build, &graph) != HEDDLE_OK ||
        heddle_graph_find(context, graph, "York", &york) != HEDDLE_OK ||
        heddle_run(context, graph, &run, &result) != HEDDLE_OK) {
        status = fail(context);
        goto out;
    }

    char name[64];
    uint64_t towns = heddle_graph_vertices(graph);
    for (heddle_vertex town = 0; town < towns; town++) {
        heddle_graph_id_text(graph, town, name, sizeof name);
        printf("%-8s %3.0f\n", name, heddle_result_value(result, town));
        if (heddle_result_value(result, town) > heddle_result_value(result, farthest))
            farthest = town;
    }
    const heddle_vertex *parents = heddle_result_parents(result);
    for (heddle_vertex town = farthest; town != UINT32_MAX; town = parents[town]) {
        heddle_graph_id_text(graph, town, name, sizeof name);
        printf("%s%s", town == farthest ? "" : " < ", name);
    }
    putchar('\n');
out:
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&context);
    return status;
}
