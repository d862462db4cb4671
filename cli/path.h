/* path.h - one path out of a tree of parents. */
#ifndef CLI_PATH_H
#define CLI_PATH_H

#include "heddle.h"

#include <stdbool.h>

typedef struct cli_path {
    heddle_vertex *vertices; /* from a source to the target */
    uint64_t count;          /* 0: the target was not reached */
} cli_path;

/* Follows the parents back from `target`. False when memory is short. */
bool cli_path_find(const heddle_result *result, heddle_vertex target, cli_path *path);
void cli_path_free(cli_path *path);

#endif
