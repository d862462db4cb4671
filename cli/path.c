/* path.c - one path out of a tree of parents. */
#include "path.h"

#include "algorithm.h"

#include <math.h>
#include <stdlib.h>

/* Unreached is infinitely far, or for widest paths of a width below all others. */
static bool was_reached(const heddle_result *result, heddle_vertex vertex) {
    const cli_algorithm *algorithm = cli_algorithm_called(heddle_result_report(result)->algorithm);
    return heddle_result_value(result, vertex) != (algorithm && algorithm->widest ? -INFINITY : INFINITY);
}

bool cli_path_find(const heddle_result *result, heddle_vertex target, cli_path *path) {
    const heddle_vertex *parents = heddle_result_parents(result);
    uint64_t most = heddle_result_values(result)->count, count = 0;
    *path = (cli_path){.vertices = NULL};
    if (!parents || !was_reached(result, target))
        return true;
    for (heddle_vertex v = target; v != UINT32_MAX && count < most; v = parents[v])
        count++;
    path->vertices = malloc(count * sizeof *path->vertices);
    if (!path->vertices)
        return false;
    path->count = count;
    for (heddle_vertex v = target; count; v = parents[v])
        path->vertices[--count] = v;
    return true;
}

void cli_path_free(cli_path *path) {
    free(path->vertices);
    *path = (cli_path){.vertices = NULL};
}
