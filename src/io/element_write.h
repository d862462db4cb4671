/* element_write.h - writing formats that list vertices, then edges: shared by GraphML, GML, Pajek, JSON and DOT. */
#ifndef HD_IO_ELEMENT_WRITE_H
#define HD_IO_ELEMENT_WRITE_H

#include "io/text_write.h"

/* How characters of labels that are special in the format are escaped. */
typedef enum hd_escape {
    HD_ESCAPE_XML,  /* &amp; &lt; &quot; */
    HD_ESCAPE_GML,  /* the same, and &#228; for what is not ASCII */
    HD_ESCAPE_JSON, /* \" \\ \u001f */
    HD_ESCAPE_DOT,  /* \" \\ */
    HD_ESCAPE_NONE, /* labels with quotes in them are refused (Pajek) */
    HD_ESCAPE_WORD  /* and those with blanks, commas, semicolons and # (adjacency lists), and empty ones */
} hd_escape;

typedef struct hd_element_writer hd_element_writer;

struct hd_element_writer {
    hd_text_writer rows;
    hd_escape escape;
    size_t label;   /* the most bytes that a vertex' id takes */
    size_t extras;  /* the most bytes that `vertex` and `edge` write besides ids and a weight */
    bool parallel;  /* there are parallel edges */
    uint64_t first; /* the first arc that is written */
    /* Writes vertex v, or arc k of vertex u, at p and returns the place after it. Of an undirected edge one arc is
     * written, that of the smaller vertex. */
    char *(*vertex)(const hd_element_writer *writer, char *p, uint64_t v);
    char *(*edge)(const hd_element_writer *writer, char *p, uint64_t u, uint64_t k);
};

/* A writer over the graph; `vertex`, `edge` and `extras` are still to be set. HEDDLE_E_LOSSY where a label cannot stand
 * in such a file ("GML file"). */
heddle_status hd_element_writer_init(heddle_context *ctx, const heddle_graph *graph, hd_escape escape, const char *file,
                                     hd_element_writer *writer);
heddle_status hd_element_write_vertices(heddle_context *ctx, const hd_element_writer *writer, hd_output *output);
heddle_status hd_element_write_edges(heddle_context *ctx, const hd_element_writer *writer, hd_output *output);

/* For `vertex` and `edge`. */
char *hd_print_text(char *p, const char *text);
/* The id of a vertex, its label escaped; without quotes. */
char *hd_print_vertex(const hd_element_writer *writer, char *p, uint64_t v);
/* The weight of arc k; the second function always writes real numbers with a point ("1.0e20"). */
char *hd_print_edge_weight(const hd_element_writer *writer, char *p, uint64_t k);
char *hd_print_pointed_weight(const hd_element_writer *writer, char *p, uint64_t k);
/* A code point below 0x110000. */
char *hd_print_utf8(char *p, uint32_t code);

#endif
