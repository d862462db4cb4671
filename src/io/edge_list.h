/* edge_list.h - the edge-list reader: edge_list.c reads lines, edge_list_start.c detects the kind of list,
 * edge_list_columns.c assigns columns, edge_list_sample.c samples lines ahead, edge_list_quotes.c resolves quotes
 * inside quotes, edge_list_vertices.c reads lists of vertices, edge_list_write.c writes. */
#ifndef HD_IO_EDGE_LIST_H
#define HD_IO_EDGE_LIST_H

#include "io/format.h"
#include "io/text.h"

enum { HD_SOFT = 1, HD_HARD = 2, HD_BAD = 4 }; /* classes of characters: blanks, column separators, not text */

enum { HD_MOST_LABEL = 65535 }; /* bytes, so that a length fits 16 bits */

/* Delimiters of a label whose quotes were resolved: control characters, which no text file contains. */
enum { HD_LABEL_OPEN = 1, HD_LABEL_CLOSE = 2 };

typedef enum hd_role { HD_ROLE_SOURCE, HD_ROLE_TARGET, HD_ROLE_WEIGHT, HD_ROLES, HD_ROLE_NONE = HD_ROLES } hd_role;

typedef struct hd_edge_list {
    hd_text text;             /* its `delimiter` is the only separator; 0: blanks, tabs, commas, semicolons, mixed */
    unsigned char class[256]; /* of characters */
    unsigned char
        spaced[256];      /* the same for lines whose first columns no comma separates: there it belongs to numbers */
    int stop;             /* what ends a field: HD_HARD | HD_BAD, and HD_SOFT where labels have no blanks */
    bool labels;          /* else integers */
    bool no_weight;       /* no weight column was named, and the first line has no number where weights would be */
    bool weight_by_place; /* only its position suggests that this column holds weights */
    bool resolved;        /* quotes inside quotes have been */
    bool unresolved;      /* such quotes were found (set by any thread) */
    bool whole_ids;       /* integers that may turn out to be labels: ids with leading zeros are refused, */
    bool padded;          /* and one was found (set by any thread) */
    bool undirected;      /* the file says that each line is an undirected edge */
    bool noted_direction; /* noted already: a comment says that the graph is undirected */
    int type_column;      /* which says so in every line, as Gephi's does; 0: none */
    bool counts;          /* the first line is two numbers, and could be those of vertices and edges: */
    uint64_t count[2];
    uint64_t edges;       /* that were read */
    int column[HD_ROLES]; /* 1-based, 0: none */
    int last_column;      /* that is read */
    char missing[HD_ROLES][80];
} hd_edge_list;

/* `delimiter` is the only separator (a blank: with tabs, in any number); 0: all of them, in any mix. */
void hd_edge_list_separate_by(hd_edge_list *list, char delimiter);

typedef enum hd_field { HD_FIELD, HD_FIELD_NONE, HD_FIELD_WRONG } hd_field;

/* A line being cut into fields. */
typedef struct hd_fields {
    const char *p; /* where the next field begins */
    const char *end;
    const unsigned char *class;
    bool first;   /* none has been read yet */
    bool doubled; /* the latest one has doubled quotes inside its quotes */
} hd_fields;

hd_fields hd_edge_list_fields(const hd_edge_list *list, const char *p, const char *end);
/* The next field of the line. Two hard separators in a row have an empty field between them. A field in quotes is what
 * stands between them. */
hd_field hd_edge_list_field(hd_edge_list *list, hd_cursor *cursor, hd_fields *line, hd_word *word);
/* Whether there is nothing to read in a line. */
bool hd_edge_list_is_empty(const hd_edge_list *list, const char *p, const char *end);
/* The raw id of a field: of an integer, or of a label that lies in the text. */
bool hd_edge_list_id(hd_edge_list *list, hd_cursor *cursor, hd_word word, uint64_t *id);

/* The quote that opens a field of [p, end) and is not closed there, or NULL. Fields begin after `separators`. */
const char *hd_edge_list_open_quote(const unsigned char *class, const char *p, const char *end, int separators);
extern const char hd_edge_list_unclosed[]; /* what is expected then */
/* Skips the columns that are not read; false if they are not text, or a quote stays open: the line goes on. */
bool hd_edge_list_rest(hd_edge_list *list, hd_cursor *cursor, const hd_fields *line);

/* ---- The first lines -------------------------------------------------------------------------------------------- */

enum { HD_MOST_FIELDS = 256 };

typedef struct hd_first_line {
    const char *p; /* NULL: there is none */
    const char *end;
    const char *next;
    hd_word field[HD_MOST_FIELDS];
    int fields;
} hd_first_line;

/* Finds the first line from p on that is neither blank nor a comment; splits it into fields. */
void hd_edge_list_find_line(const hd_edge_list *list, const char *p, hd_first_line *line);
void hd_edge_list_split(hd_edge_list *list, hd_first_line *line);
/* The separator of fields that may have blanks in them: the first of tab, semicolon and comma that the line has outside
 * quotes, else a blank. Changes how the list is separated. */
char hd_edge_list_delimiter(hd_edge_list *list, const hd_first_line *line);
/* Digits, or a sign or point before one. A quoted field never does; an empty one is no evidence against. */
bool hd_starts_number(const hd_edge_list *list, hd_word word);
/* Whether a field looks like a number, even a malformed one. */
bool hd_means_number(hd_word word);

/* Detects the kind of list from the first lines; *first is where its edges begin. */
heddle_status hd_edge_list_start(heddle_context *ctx, hd_edge_list *list, const heddle_load_options *options,
                                 const char **first);
/* Whether '|' alone separates the columns of the first line, as sqlite3 and psql -A write them. */
bool hd_edge_list_has_pipes(const hd_input *input);
/* The comment with which we write that each line of a file is an undirected edge. */
extern const char hd_edge_list_says_undirected[];
int hd_edge_list_sniff(const char *data, uint64_t bytes);

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

/* The user's choice of a column: a number, a name, or neither. */
typedef struct hd_column_choice {
    int number; /* 1-based; HEDDLE_COLUMN_AUTO: not given; HEDDLE_COLUMN_NONE: none */
    hd_word name;
} hd_column_choice;

/* Reads heddle_load_options.columns and .weight_column. */
heddle_status hd_columns_read(heddle_context *ctx, const heddle_load_options *options,
                              hd_column_choice choice[HD_ROLES]);
bool hd_columns_are_named(const hd_column_choice choice[HD_ROLES]);

/* The role of a column of this name, HD_ROLE_NONE: not known; *sure: it is unlikely to be the label of a vertex. */
hd_role hd_column_role(hd_word name, bool *sure);
/* Whether numbers in a column of this name are no weights, but times, keys and the like. */
bool hd_column_is_other(hd_word name);

/* How likely a line is to be a header. */
typedef enum hd_header_names { HD_NAMES_NONE, HD_NAMES_USUAL, HD_NAMES_SURE } hd_header_names;
hd_header_names hd_header_names_in(const hd_first_line *line);

/* Assigns the columns. `header` has no fields if there is no header; `line` is the first line of edges. */
heddle_status hd_columns_settle(heddle_context *ctx, hd_edge_list *list, const hd_column_choice choice[HD_ROLES],
                                const hd_first_line *header, const hd_first_line *line);
/* The column named Type, if the first line of edges has Directed or Undirected there. */
void hd_columns_find_type(hd_edge_list *list, const hd_first_line *header, const hd_first_line *line);
/* "source in column 1 ('from'), …" for a note. */
void hd_columns_tell(const hd_edge_list *list, const hd_first_line *header, char *text, size_t room);
/* Whether integers stand under two names that look like two kinds of vertices, as userId and movieId do. */
bool hd_columns_tell_kinds(const hd_edge_list *list, const hd_first_line *header, hd_word kind[2]);

/* ---- Looking ahead ---------------------------------------------------------------------------------------------- */

typedef enum hd_first_words {
    HD_WORDS_RECUR,  /* a word of the first line is also an id in a later line */
    HD_WORDS_APART,  /* they recur in no other line, while words of other lines do */
    HD_WORDS_UNCLEAR /* they recur in no other line, but neither do words of other lines */
} hd_first_words;

/* Compares the ids of the first line, in these two columns, with those of a bounded number of lines after it; *lines is
 * how many were read, *all whether these were all. */
hd_first_words hd_edge_list_compare_words(hd_edge_list *list, const hd_first_line *line, const int column[2],
                                          uint64_t *lines, bool *all);
/* Whether the weights from p on look like timestamps. */
bool hd_edge_list_has_times(hd_edge_list *list, const char *p);

/* ---- Quotes and vertices ---------------------------------------------------------------------------------------- */

/* Gives the list a writable copy of the input, with room for `room` more bytes after its text; *first, a pointer into
 * the input, is updated. */
heddle_status hd_edge_list_own(heddle_context *ctx, hd_edge_list *list, hd_input *input, uint64_t room,
                               const char **first);
/* Writes a label with its doubled quotes replaced by single ones to `to`, possibly in place; returns the end. */
char *hd_edge_list_undouble(hd_word label, char *to);
/* Resolves the doubled quotes of all labels from *first on, in a copy of the input. */
heddle_status hd_edge_list_resolve(heddle_context *ctx, hd_edge_list *list, hd_input *input, const char **first);

/* The ids of a file, for `source`; hd_vertex_list_free frees them. */
typedef struct hd_vertex_list {
    uint64_t *ids; /* raw */
    uint64_t count;
    uint64_t capacity;
    bool negative, large; /* ids below 0, past 2^63 - 1 */
} hd_vertex_list;

/* Reads the ids in the first column of options->vertices_from. Labels are appended to the input's text, in a copy;
 * *first moves too. */
heddle_status hd_vertex_list_read(heddle_context *ctx, hd_edge_list *list, hd_input *input,
                                  const heddle_load_options *options, const char **first, hd_vertex_list *vertices);
void hd_vertex_list_free(heddle_context *ctx, hd_vertex_list *vertices);

heddle_status hd_edge_list_write(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                                 hd_output *output);

#endif
