/* top.c - selects the largest rows with a heap of at most `most` of them: one pass and little memory, even for a few
 * out of a billion. */
#include "top.h"

#include "vertex.h"

#include <math.h>
#include <stdlib.h>

/* All rows of a result, comparable. */
typedef struct rows {
    const heddle_result *result;
    heddle_values values;
    heddle_forest forest;
    const uint64_t *sizes;
    cli_row_kind kind;
    uint64_t count;
} rows;

static double forest_weight(const heddle_forest *forest, uint64_t edge) {
    switch (forest->weights ? forest->weight_type : HEDDLE_WEIGHT_NONE) {
    case HEDDLE_WEIGHT_U32: return ((const uint32_t *)forest->weights)[edge];
    case HEDDLE_WEIGHT_I32: return ((const int32_t *)forest->weights)[edge];
    case HEDDLE_WEIGHT_F32: return (double)((const float *)forest->weights)[edge];
    case HEDDLE_WEIGHT_I64: return (double)((const int64_t *)forest->weights)[edge];
    case HEDDLE_WEIGHT_F64: return ((const double *)forest->weights)[edge];
    default: return 1;
    }
}

cli_word cli_forest_weight(const heddle_forest *forest, uint64_t edge) {
    cli_word word;
    heddle_forest_weight_text(forest, edge, word.text, sizeof word.text);
    return word;
}

/* Compares two rows: above 0 when a is larger. 64-bit values need more than a double's digits. */
static int compare(const rows *rows, uint64_t a, uint64_t b) {
    if (rows->kind == CLI_ROWS_COMPONENTS)
        return (rows->sizes[a] > rows->sizes[b]) - (rows->sizes[a] < rows->sizes[b]);
    if (rows->kind == CLI_ROWS_VALUES && rows->values.type == HEDDLE_VALUE_U64) {
        const uint64_t *values = rows->values.data;
        return (values[a] > values[b]) - (values[a] < values[b]);
    }
    bool edges = rows->kind == CLI_ROWS_EDGES;
    if (edges ? rows->forest.weights && rows->forest.weight_type == HEDDLE_WEIGHT_I64
              : rows->values.type == HEDDLE_VALUE_I64) {
        const int64_t *whole = edges ? rows->forest.weights : rows->values.data;
        return (whole[a] > whole[b]) - (whole[a] < whole[b]);
    }
    double x = edges ? forest_weight(&rows->forest, a) : heddle_result_value(rows->result, (heddle_vertex)a);
    double y = edges ? forest_weight(&rows->forest, b) : heddle_result_value(rows->result, (heddle_vertex)b);
    return (x > y) - (x < y);
}

/* True when row a is shown before row b. */
static bool before(const rows *rows, uint64_t a, uint64_t b) {
    int order = compare(rows, a, b);
    return order > 0 || (order == 0 && a < b);
}

static bool is_shown(const rows *rows, uint64_t row) {
    switch (rows->kind) {
    case CLI_ROWS_COMPONENTS: return rows->sizes[row] > 0;
    case CLI_ROWS_EDGES: return true;
    case CLI_ROWS_WALKS: return false;
    case CLI_ROWS_VALUES: break;
    }
    return isfinite(heddle_result_value(rows->result, (heddle_vertex)row));
}

/* Lets heap[at] sink: the root is the row that is shown last. */
static void sink(const rows *rows, uint64_t *heap, uint64_t count, uint64_t at) {
    for (uint64_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(rows, heap[child], heap[child + 1]))
            child++;
        if (!before(rows, heap[at], heap[child]))
            return;
        uint64_t swap = heap[at];
        heap[at] = heap[child];
        heap[child] = swap;
    }
}

static void rise(const rows *rows, uint64_t *heap, uint64_t at) {
    for (uint64_t above; at > 0; at = above) {
        above = (at - 1) / 2;
        if (!before(rows, heap[above], heap[at]))
            return;
        uint64_t swap = heap[at];
        heap[at] = heap[above];
        heap[above] = swap;
    }
}

static uint64_t choose(const rows *rows, uint64_t *heap, uint64_t most) {
    uint64_t count = 0;
    for (uint64_t row = 0; most && row < rows->count; row++) {
        if (!is_shown(rows, row))
            continue;
        if (count < most) {
            heap[count] = row;
            rise(rows, heap, count++);
        } else if (before(rows, row, heap[0])) {
            heap[0] = row;
            sink(rows, heap, count, 0);
        }
    }
    for (uint64_t left = count; left > 1;) { /* the last shown goes to the end, and so on */
        uint64_t last = heap[0];
        heap[0] = heap[--left];
        heap[left] = last;
        sink(rows, heap, left, 0);
    }
    return count;
}

static uint64_t *count_components(heddle_values labels) {
    uint64_t *sizes = calloc(labels.count + 1, sizeof *sizes);
    for (uint64_t v = 0; sizes && v < labels.count; v++)
        sizes[((const uint32_t *)labels.data)[v]]++;
    return sizes;
}

cli_row_kind cli_rows_of(const cli_algorithm *algorithm, const heddle_result *result) {
    bool witness = algorithm->witness && !heddle_result_values(result)->data;
    return witness ? CLI_ROWS_EDGES : algorithm->rows;
}

uint64_t cli_row_count(const heddle_result *result, cli_row_kind kind) {
    return kind == CLI_ROWS_EDGES ? heddle_result_forest(result)->edges : heddle_result_values(result)->count;
}

double cli_row_number(const heddle_result *result, const cli_top *top, uint64_t row) {
    switch (top->kind) {
    case CLI_ROWS_COMPONENTS: return (double)top->sizes[row];
    case CLI_ROWS_EDGES: return forest_weight(heddle_result_forest(result), row);
    default: return heddle_result_value(result, (heddle_vertex)row);
    }
}

bool cli_top_choose(const heddle_result *result, cli_row_kind kind, uint64_t most, cli_top *top) {
    rows rows = {.result = result,
                 .values = *heddle_result_values(result),
                 .forest = *heddle_result_forest(result),
                 .kind = kind};
    rows.count = cli_row_count(result, kind);
    *top = (cli_top){.kind = kind};
    if (kind == CLI_ROWS_COMPONENTS) {
        rows.sizes = top->sizes = count_components(rows.values);
        if (!top->sizes)
            return false;
    }
    most = most < rows.count ? most : rows.count;
    top->rows = malloc((most + 1) * sizeof *top->rows);
    if (!top->rows) {
        cli_top_free(top);
        return false;
    }
    top->count = choose(&rows, top->rows, most);
    return true;
}

void cli_top_free(cli_top *top) {
    free(top->rows);
    free(top->sizes);
    *top = (cli_top){.kind = top->kind};
}
