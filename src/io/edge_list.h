/* edge_list.h - what the parts of the edge-list reader share: edge_list.c reads lines, edge_list_start.c finds out what
 * kind of list it is, edge_list_write.c writes. */
#ifndef HD_IO_EDGE_LIST_H
#define HD_IO_EDGE_LIST_H

#include "io/format.h"
#include "io/text.h"

enum { HD_SOFT = 1, HD_HARD = 2, HD_BAD = 4 }; /* classes of characters: blanks, separators that count, not text */

enum { HD_MOST_LABEL = 65535 }; /* bytes, so that a length fits 16 bits */

typedef struct hd_edge_list {
    hd_text text;
    unsigned char class[256];
    int stop;          /* what ends a field: HD_HARD | HD_BAD, and HD_SOFT where labels have no blanks */
    bool labels;       /* else integers */
    int weight_column; /* 1-based, 0: none */
    char weight_missing[48];
} hd_edge_list;

/* `delimiter` is the only separator; 0: all of them, in any mix. */
void hd_edge_list_separate_by(hd_edge_list *list, char delimiter);

typedef enum hd_field { HD_FIELD, HD_FIELD_NONE, HD_FIELD_WRONG } hd_field;

/* The next field of the line that ends at `end`; *at moves behind its separator. Two hard separators in a row have an
 * empty field between them. A field in quotes is what stands between them. */
hd_field hd_edge_list_field(hd_edge_list *list, hd_cursor *cursor, const char **at, const char *end, hd_word *word);
/* Whether there is nothing to read in a line. */
bool hd_edge_list_is_empty(const hd_edge_list *list, const char *p, const char *end);

/* Looks at the first lines and settles what kind of list it is; *first is where its edges begin. */
heddle_status hd_edge_list_start(heddle_context *ctx, hd_edge_list *list, const heddle_load_options *options,
                                 const char **first);
int hd_edge_list_sniff(const char *data, uint64_t bytes);

heddle_status hd_edge_list_write(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                 hd_output *output);

#endif
