/* text_write.h - graphs and other long sequences as text: formatted in parallel, in blocks, which are written in order.
 */
#ifndef HD_IO_TEXT_WRITE_H
#define HD_IO_TEXT_WRITE_H

#include "graph/graph.h"
#include "io/output.h"
#include "io/print.h"

/* Writes items from .. to-1 at p and returns the end; any thread may call it. */
typedef char *hd_format_items(const void *state, char *p, uint64_t from, uint64_t to);

/* Formats and writes all items, each of at most `longest` bytes. */
heddle_status hd_text_write_items(heddle_context *ctx, hd_output *output, uint64_t items, size_t longest,
                                  hd_format_items *format, const void *state);

typedef struct hd_text_writer hd_text_writer;

struct hd_text_writer {
    const heddle_graph *graph;
    heddle_adjacency out;
    size_t longest; /* the most bytes that `arc` writes */
    /* Writes arc k, of vertex u, at p and returns the place after it: whole lines, or, with `row_lines`, what belongs
     * to u's line. */
    char *(*arc)(const hd_text_writer *writer, char *p, uint64_t u, uint64_t k);
    /* With row_lines: writes the beginning of u's line; its bytes count for the first arc. NULL: nothing. */
    char *(*row)(const hd_text_writer *writer, char *p, uint64_t u);
    bool row_lines; /* each row is a line: a newline follows its last arc */
    char separator; /* between columns, for `arc` to use */
};

/* A writer over the graph's out-edges, `arc` and `longest` still to be set. */
heddle_status hd_text_writer_init(heddle_context *ctx, const heddle_graph *graph, hd_text_writer *writer);
/* Formats and writes all rows. */
heddle_status hd_text_write_rows(heddle_context *ctx, const hd_text_writer *writer, hd_output *output);

/* The weight of arc k; 1 where there are none. */
char *hd_print_weight(const hd_text_writer *writer, char *p, uint64_t k);
/* The same of any array. Reals have a point or an exponent. */
char *hd_print_weight_of(char *p, const void *weights, heddle_weight_type type, uint64_t k);
static inline bool hd_weight_is_real(const heddle_graph *graph) { return hd_weight_real(graph->weight_type); }
/* The most bytes that it takes. */
static inline size_t hd_weight_room(const heddle_graph *graph) {
    switch (graph->weight_type) {
    case HEDDLE_WEIGHT_NONE: return 1;
    case HEDDLE_WEIGHT_U32:
    case HEDDLE_WEIGHT_I32: return 11;
    default: return HD_NUMBER_ROOM + 2;
    }
}

#endif
