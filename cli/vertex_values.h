/* vertex_values.h - files that name vertices: lists of ids, "id id" lines, and "id value" lines.
 *
 * One vertex a line, in any order, by the user's ids; blanks, tabs, commas or semicolons stand between the id and its
 * value; an id that has such in it stands in double quotes, quotes inside doubled; empty lines and lines that begin
 * with # or % are skipped. A first line that names columns instead of a vertex is a header, and skipped with a note;
 * if it names more columns than are read, such as a .csv of results, the others are skipped. "-" is standard input.
 * Messages name file, line and column. All functions return an exit status, 0 when all is well.
 */
#ifndef CLI_VERTEX_VALUES_H
#define CLI_VERTEX_VALUES_H

#include "command.h"

/* A list of vertices that grows; start with all zero. */
typedef struct cli_vertices {
    heddle_vertex *list;
    uint64_t count, room;
} cli_vertices;

/* Appends the vertices of "ID,ID,…", as given to --source. */
int cli_name_vertices(const cli_session *session, const heddle_graph *graph, const char *ids, cli_vertices *vertices);
/* Appends the vertices that a file lists. */
int cli_read_vertices(const cli_session *session, const heddle_graph *graph, const char *path, cli_vertices *vertices);

/* Appends the two vertices of every line of a file, which are different. */
int cli_read_pairs(const cli_session *session, const heddle_graph *graph, const char *path, cli_vertices *vertices);

/* Sets values[v] for every vertex that a file names, and marks[v] to 1 unless `marks` is NULL. Values below `least`
 * are refused. An id alone gets `missing`; NaN: that is refused. A vertex that occurs twice gets the last value. */
int cli_read_values(const cli_session *session, const heddle_graph *graph, const char *path, double least,
                    double missing, double *values, unsigned char *marks);

#endif
