/* collect.h - graphs from formats that name vertices and edges one by one: GraphML, GML, Pajek, adjacency lists, JSON.
 *
 * Such a file is read once, from start to end, by one thread. A collector stores its content compactly: every name
 * once, an edge as two 32-bit numbers, weights if there are any (8 bytes per edge, 24 with weights). Then it serves as
 * the edge source for the builder. If all names are integers they become integer ids, else labels.
 */
#ifndef HD_IO_COLLECT_H
#define HD_IO_COLLECT_H

#include "graph/ids.h"
#include "io/compress.h"
#include "io/text.h"

enum { HD_MOST_NAME = 65535 }; /* bytes, so that a length fits 16 bits */

/* Names that were seen, numbered in order of first appearance. */
typedef struct hd_names {
    hd_bytes text;
    hd_id_set set; /* values: offset << 16 | length into the text */
} hd_names;

/* As hd_edge_batch has it. */
typedef struct hd_collected_weight {
    double weight;
    int64_t whole;
} hd_collected_weight;

typedef struct hd_collector {
    heddle_context *ctx;
    const heddle_load_options *options;
    hd_text text;     /* the input, as one part, which records the type of the weights */
    hd_cursor cursor; /* errors of hd_text_weight */
    bool reading;
    uint64_t reached; /* bytes reported as progress */
    hd_names names;   /* the vertices' names in edges */
    hd_names labels;  /* additional labels of vertices (GML, Pajek) */
    uint64_t labelled;
    const char *labels_from; /* for a note that they are the ids; NULL: the format has its labels for that */
    hd_bytes marks; /* uint32_t for each vertex: 0 named by an edge only, 1 declared, k + 2 declared and has label k */
    uint64_t declared;
    hd_bytes ends;    /* pairs of uint32_t, an edge each */
    hd_bytes weights; /* hd_collected_weight; empty until the first weight comes */
    uint64_t edges;
    uint64_t without; /* edges that have no weight */
    bool weighted;
    uint64_t directed;
    uint64_t undirected; /* number of edges of each kind; if both occur, undirected ones are stored as two arcs */
} hd_collector;

heddle_status hd_collector_open(heddle_context *ctx, const hd_input *input, const heddle_load_options *options,
                                hd_collector *c);
void hd_collector_close(hd_collector *c);

/* The vertex of this name, created if the name is new. `at` is its byte offset in the input. */
heddle_status hd_collector_name(hd_collector *c, hd_word name, uint64_t at, uint32_t *vertex);
/* The same for a declaration of the vertex; a second declaration is an error. */
heddle_status hd_collector_declare(hd_collector *c, hd_word name, uint64_t at, uint32_t *vertex);
/* Gives a declared vertex a label; a second one is an error. Labels are used as ids if every vertex has one and no two
 * are equal. */
heddle_status hd_collector_label(hd_collector *c, uint32_t vertex, hd_word label, uint64_t at);
/* An edge, and its weight: a word of the input, or none (p is NULL). */
heddle_status hd_collector_edge(hd_collector *c, uint32_t source, uint32_t target, bool directed, hd_word weight);
/* For formats that state the direction once for all edges. */
void hd_collector_set_directed(hd_collector *c, bool directed);
/* Reports progress up to this byte; HEDDLE_E_CANCELLED. */
heddle_status hd_collector_reach(hd_collector *c, uint64_t at);

/* Builds the graph, after the whole input was read. */
heddle_status hd_collector_build(hd_collector *c, heddle_graph **graph);
void hd_collector_end_reading(hd_collector *c);

/* Fills the error record for a word of the input. */
heddle_status hd_collector_refuse(hd_collector *c, hd_word word, const char *expected);

#endif
