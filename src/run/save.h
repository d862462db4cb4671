/* save.h - writing a result: whole, or as the share of one of several ranks (save_spread.c). */
#ifndef HD_RUN_SAVE_H
#define HD_RUN_SAVE_H

#include "engine/result.h"
#include "io/output.h"
#include "io/print.h"

typedef enum hd_layout { HD_LAYOUT_TSV, HD_LAYOUT_CSV, HD_LAYOUT_NPY, HD_LAYOUT_JSON, HD_LAYOUT_UNKNOWN } hd_layout;

enum {
    HD_COLUMN_ROOM = 64,               /* bytes of a column's name, with its end */
    HD_SAVE_CELL = 2 + HD_NUMBER_ROOM, /* the most bytes of a value with what separates it from the one before */
    HD_NPY_HEADER_ROOM = 16 << 10
};

/* Which rows of a file are written here. */
typedef struct hd_save_share {
    bool begins, ends;    /* here is what stands before the first row, after the last one */
    uint64_t before, all; /* rows in the file before these, and of the whole file */
    uint64_t longest_id;  /* bytes of the longest label of the graph; 0: ids are numbers */
    bool header;          /* a line of names in .tsv too */
} hd_save_share;

/* Bytes of the longest label of these vertices; 0 if ids are numbers. */
uint64_t hd_save_longest_id(const heddle_graph *graph, uint64_t first, uint64_t count);
/* The name of the column of values in tables: "pagerank", "approximate_pagerank". */
void hd_save_value_name(const heddle_result *result, char *name, size_t size);
/* A column of a result's values, or of the ids that they stand for. */
heddle_status hd_arrow_stream_values(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                     const char *name, struct ArrowArrayStream *stream);
/* heddle_result_to_arrow, without its entry. */
heddle_status hd_result_to_arrow(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                 struct ArrowArrayStream *stream);
/* Refuses suffixes that no layout has, and .npy if an id is its mark for "no vertex". */
heddle_status hd_save_check(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                            const char *path);
/* Writes the rows in the layout of the path's suffix. Ids were checked. */
heddle_status hd_save_write(heddle_context *ctx, hd_output *output, const heddle_graph *graph,
                            const heddle_result *result, const char *path, const hd_save_share *share);

/* Parts of files, for tables of several results (save_table.c). */
hd_layout hd_save_layout(const char *path); /* by its suffix */
extern const char *const hd_save_gaps[];    /* what separates cells, by layout */
size_t hd_save_id_room(const heddle_graph *graph, uint64_t longest, hd_layout how); /* the most bytes of an id */
char *hd_save_print_id(char *p, const heddle_graph *graph, heddle_vertex v, hd_layout how);
/* The gap, and the v-th value, or the id that it stands for. */
char *hd_save_print_cell(char *p, const heddle_graph *graph, const heddle_result *result, uint64_t v, hd_layout how);
/* The line "# approximate: …" if the result is. */
void hd_save_remark(hd_output *output, const heddle_result *result);
/* `type`: NumPy's, as a literal of Python; `shape`: "34,". */
void hd_save_npy_header(hd_output *output, const char *type, const char *shape);
char hd_save_byte_order(void);
char hd_save_vertex_kind(const heddle_graph *graph); /* 'i', or 'u' if an id exceeds 2^63 - 1 */
/* A value as a whole number: unreached is -1, labels of numeric ids are ids. */
int64_t hd_save_whole(const heddle_graph *graph, const heddle_result *result, uint64_t v);

/* The names of a table's columns: those given, else what the values are, else, if columns share that, the algorithms'.
 * HEDDLE_E_ARGUMENT for names that cannot be, or if some are equal. */
heddle_status hd_table_names(heddle_context *ctx, const heddle_graph *graph, const heddle_result *const *results,
                             const char *const *given, uint64_t count, char (*names)[HD_COLUMN_ROOM]);

/* A file with all rows that are here; `header`: a line of names in .tsv too. */
heddle_status hd_save_file(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                           const char *path, bool header);
/* The same in a file of each rank that computes here (exchange/fold.h), whose number is put for "{rank}" in the path:
 * equal shares. */
heddle_status hd_save_by_rank(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                              const char *path);
/* Collective: values that are spread over ranks, into one file, or each rank's into its own. */
heddle_status hd_save_spread(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                             const char *path, bool own_file);

#endif
