/* metis.h - METIS files: metis.c reads, metis_check.c locates the error in a file whose lines do not agree,
 * metis_write.c writes and recognises. */
#ifndef HD_IO_METIS_H
#define HD_IO_METIS_H

#include "io/format.h"
#include "io/text.h"

/* Facts of a part of the text, beside hd_text_part's. */
typedef struct hd_metis_part {
    uint64_t first;   /* number of vertices whose lines come before it */
    uint64_t loops;   /* entries that name the line's own vertex */
    uint64_t balance; /* see hd_metis_sign */
} hd_metis_part;

typedef struct hd_metis {
    hd_text text;
    hd_declared vertices;
    hd_declared edges;
    bool sizes;
    bool vertex_weights;
    bool weighted;     /* the edges are */
    uint64_t skip;     /* numbers before the neighbours: the size and weights of the vertex */
    const char *first; /* the line after the header */
    bool checked;      /* the first pass succeeded */
    hd_metis_part *part;
} hd_metis;

/* A hash of the edge {u, v} and its weight, negative in one direction and positive in the other: over a file that lists
 * every edge at both ends they add up to 0. */
uint64_t hd_metis_sign(const hd_edge_batch *batch, size_t i);

/* The source's functions. */
void hd_metis_begin(void *self, hd_cursor *cursor);
void hd_metis_next(void *self, hd_cursor *cursor, hd_edge_batch *batch);

/* The header's third word: up to three digits, each 0 or 1. False for anything else. */
bool hd_metis_format(hd_metis *metis, hd_word word);

/* For a file that does not list some edge at both ends: finds one such, and fills the error record. */
heddle_status hd_metis_refuse_one_sided(heddle_context *ctx, hd_metis *metis);

int hd_metis_sniff(const char *data, uint64_t bytes);
heddle_status hd_metis_write(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                             hd_output *output);

#endif
