/* save.h - writing a result: whole, or as the share of one of several ranks (save_spread.c). */
#ifndef HD_RUN_SAVE_H
#define HD_RUN_SAVE_H

#include "engine/result.h"
#include "io/output.h"

/* Which rows of a file are written here. */
typedef struct hd_save_share {
    bool begins, ends;    /* here is what stands before the first row, after the last one */
    uint64_t before, all; /* rows in the file before these, and of the whole file */
    uint64_t longest_id;  /* bytes of the longest label of the graph; 0: ids are numbers */
} hd_save_share;

/* Bytes of the longest label of these vertices; 0 if ids are numbers. */
uint64_t hd_save_longest_id(const heddle_graph *graph, uint64_t first, uint64_t count);
/* What the column of values is called in tables: "pagerank", "approximate_pagerank". */
void hd_save_value_name(const heddle_result *result, char *name, size_t size);
/* heddle_result_to_arrow, without its entry. */
heddle_status hd_result_to_arrow(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                                 struct ArrowArrayStream *stream);
/* Refuses suffixes that no layout has, and .npy if an id is its mark for "no vertex". */
heddle_status hd_save_check(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                            const char *path);
/* Writes the rows in the layout of the path's suffix. Ids were checked. */
heddle_status hd_save_write(heddle_context *ctx, hd_output *output, const heddle_graph *graph,
                            const heddle_result *result, const char *path, const hd_save_share *share);
/* A file with all rows that are here. */
heddle_status hd_save_file(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                           const char *path);
/* The same in a file of each rank that computes here (exchange/fold.h), whose number is put for "{rank}" in the path:
 * equal shares. */
heddle_status hd_save_by_rank(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                              const char *path);
/* Collective: values that are spread over ranks, into one file, or each rank's into its own. */
heddle_status hd_save_spread(heddle_context *ctx, const heddle_graph *graph, const heddle_result *result,
                             const char *path, bool own_file);

#endif
