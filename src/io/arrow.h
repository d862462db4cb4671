/* arrow.h - tables that come by Arrow's C data interface: batches of columns in the producer's memory.
 *
 * A stream is read to its end and kept; its columns are views of the batches, one piece for each, and values are read
 * from there without a copy. A producer's claims are checked as far as possible: the sizes of buffers are not known.
 */
#ifndef HD_IO_ARROW_H
#define HD_IO_ARROW_H

#include "graph/graph.h"

/* A type, by the letter of Arrow's format string, or 'v' for string views and 'd' for decimals of 128 bits. */
typedef struct hd_arrow_type {
    char code;
    int scale; /* decimals: digits behind the point */
} hd_arrow_type;

typedef struct hd_arrow_piece {
    uint64_t first, rows; /* of the table */
    uint64_t offset;      /* of the first one in the array's buffers */
    const struct ArrowArray *array;
} hd_arrow_piece;

typedef struct hd_arrow_column {
    char name[64];       /* for messages */
    hd_arrow_type type;  /* of values, also where they are in a dictionary */
    hd_arrow_type index; /* of codes into a dictionary; code 0: there is none */
    hd_arrow_piece *pieces;
    uint64_t piece_count, piece_room, rows;
} hd_arrow_column;

typedef struct hd_arrow_table {
    struct ArrowSchema schema;
    struct ArrowArray *batches;
    uint64_t batch_count, room;
    uint64_t column_count;
    bool single; /* one column, not a struct of columns */
} hd_arrow_table;

/* Reads a stream to its end and releases it, in any case; `name` is the argument's, for messages. */
heddle_status hd_arrow_table_take(heddle_context *ctx, const char *name, struct ArrowArrayStream *stream,
                                  hd_arrow_table *table);
void hd_arrow_table_free(heddle_context *ctx, hd_arrow_table *table);
/* The column's name, "" for none. */
const char *hd_arrow_table_name(const hd_arrow_table *table, uint64_t column);
/* Whether values of the column are numbers, booleans included. */
bool hd_arrow_table_numeric(const hd_arrow_table *table, uint64_t column);

/* Checks a column's type and batches; HEDDLE_E_ARGUMENT for a type that is neither number nor string. */
heddle_status hd_arrow_column_open(heddle_context *ctx, const hd_arrow_table *table, uint64_t column,
                                   hd_arrow_column *opened);
void hd_arrow_column_close(heddle_context *ctx, hd_arrow_column *column);

static inline bool hd_arrow_is_text(hd_arrow_type type) {
    return type.code == 'u' || type.code == 'U' || type.code == 'v';
}
static inline bool hd_arrow_is_real(hd_arrow_type type) {
    return type.code == 'e' || type.code == 'f' || type.code == 'g' || (type.code == 'd' && type.scale);
}

/* The piece that a row is in; `hint` is where the last one was found. */
const hd_arrow_piece *hd_arrow_piece_at(const hd_arrow_column *column, uint64_t row, uint64_t *hint);

/* A value of a column: the array that has it, which may be a dictionary, and its place there. */
typedef struct hd_arrow_cell {
    const struct ArrowArray *array; /* NULL: there is no value */
    uint64_t at;
} hd_arrow_cell;
hd_arrow_cell hd_arrow_cell_at(const hd_arrow_column *column, const hd_arrow_piece *piece, uint64_t row);
/* Whether some array of the column says, or does not deny, that values are missing. */
bool hd_arrow_may_lack(const hd_arrow_column *column);

/* Whole numbers of 64 bits, unsigned ones beyond 2^63 - 1 with the same bits; false: a decimal beyond that. */
bool hd_arrow_whole(hd_arrow_type type, hd_arrow_cell cell, int64_t *value);
/* Any number as a double. */
double hd_arrow_real(hd_arrow_type type, hd_arrow_cell cell);
const char *hd_arrow_text(hd_arrow_type type, hd_arrow_cell cell, uint64_t *length);
/* A code into a dictionary; UINT64_MAX if it is negative. */
uint64_t hd_arrow_code(const hd_arrow_column *column, const hd_arrow_piece *piece, uint64_t row);

/* A graph from streams: heddle_graph_from_arrow, without its entry. */
heddle_status hd_graph_from_arrow(heddle_context *ctx, const char *function, struct ArrowArrayStream *stream,
                                  const heddle_arrow_options *options, heddle_graph **graph);

#endif
