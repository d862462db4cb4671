/* format.h - the table of file formats. A new format is one file that defines an hd_format and one line in format.c. */
#ifndef HD_IO_FORMAT_H
#define HD_IO_FORMAT_H

#include "graph/graph.h"
#include "io/input.h"
#include "io/output.h"

enum {
    HD_HOLDS_DIRECTION = 1,  /* arcs may lack their reverse */
    HD_HOLDS_UNDIRECTED = 2, /* can state that the graph is undirected */
    HD_HOLDS_WEIGHTS = 4,    /* all weight types; _INTEGER_WEIGHTS only: whole numbers */
    HD_HOLDS_INTEGER_WEIGHTS = 8,
    HD_HOLDS_ISOLATED = 16, /* vertices without edges */
    HD_HOLDS_IDS = 32,      /* arbitrary integer ids and strings */
    HD_HOLDS_LOOPS = 64,
    HD_NEEDS_POSITIVE = 128, /* weights must be above 0 */
    HD_NEEDS_I32 = 256       /* weights must be below 2^31 */
};

/* A sniff score: lines of numbers that fit, but fit an edge list too. */
enum { HD_SNIFF_NUMBERS = 40 };

typedef struct hd_format {
    heddle_format_info info;
    int holds;
    /* The capabilities of a file of this name, if that depends on the suffix; NULL: `holds`. */
    int (*holds_as)(const char *path);
    bool splits; /* any share of a file can be read alone, from a start of a line on: by ranks (hd_edge_source.facts) */
    bool columns; /* reads columns: obeys the load options about these */
    bool names;   /* has names for vertices: obeys `ids`, and `weight_column` where it is HEDDLE_COLUMN_NONE */
    /* Confidence from the content: 0 not this format, 100 certain (a magic number), 1 nothing speaks against it. */
    int (*sniff)(const char *data, uint64_t bytes);
    /* Reads the whole input. On success the graph may keep the input's memory (by taking over its fields). */
    heddle_status (*read)(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                          heddle_graph **graph);
    /* Writes a graph that the format can hold (fit.c ensures that): integer weights if it holds only these, no loops if
     * it does not hold them, and so on; ids that it cannot hold are omitted. */
    heddle_status (*write)(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                           hd_output *output);
    /* Those of its suffixes that are used for anything (".txt .csv"): a format with a higher sniff score takes
     * precedence. For its other suffixes, HD_SNIFF_NUMBERS does not. NULL: all suffixes count. */
    const char *loose;
    /* Called before `read` if the user gave neither format nor columns: may refuse ambiguous content. NULL: never. */
    heddle_status (*doubt)(heddle_context *ctx, const hd_input *input);
    /* The first id of a written file that cannot hold ids: 0 or 1. */
    int base;
} hd_format;

extern const hd_format hd_format_edge_list, hd_format_matrix_market, hd_format_dimacs, hd_format_metis, hd_format_gap,
    hd_format_hdl, hd_format_graphml, hd_format_gml, hd_format_pajek, hd_format_adjacency, hd_format_json,
    hd_format_dot;

/* Whether the beginning contains control characters that text files do not have. */
bool hd_looks_binary(const char *data, uint64_t bytes);
/* Whether the path, without a codec's suffix, ends in `suffix` (".mtx"); case is ignored. */
bool hd_path_has_suffix(const char *path, const char *suffix);
/* Whether it ends in one of these, separated by blanks. */
bool hd_path_has_one_of(const char *path, const char *suffixes);

#endif
