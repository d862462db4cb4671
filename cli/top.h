/* top.h - the first few rows of a result: the largest values, components or edges. */
#ifndef CLI_TOP_H
#define CLI_TOP_H

#include "algorithm.h"
#include "text.h"

typedef struct cli_top {
    cli_row_kind kind;
    uint64_t count;
    uint64_t *rows;  /* vertices, labels of components, or edges of the forest; the largest first */
    uint64_t *sizes; /* of components, by label */
} cli_top;

/* The kind of a result's rows: edges where it has these in place of values. */
cli_row_kind cli_rows_of(const cli_algorithm *algorithm, const heddle_result *result);
/* Chooses at most `most` rows. Values that are infinite (unreached vertices, the source of sswp) or no numbers are left
 * out; among equals the first in vertex order comes first. False when memory is short. */
bool cli_top_choose(const heddle_result *result, cli_row_kind kind, uint64_t most, cli_top *top);
void cli_top_free(cli_top *top);

/* The rows of a result, those that are not shown too. */
uint64_t cli_row_count(const heddle_result *result, cli_row_kind kind);
/* The value of a vertex, the size of a component (0: no vertex has this label) or the weight of an edge. */
double cli_row_number(const heddle_result *result, const cli_top *top, uint64_t row);

/* The weight of an edge of a spanning forest. */
cli_word cli_forest_weight(const heddle_forest *forest, uint64_t edge);

#endif
