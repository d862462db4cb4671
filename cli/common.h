/* common.h - options and steps that commands share. */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include "command.h"
#include "text.h"

/* Groups for a command's table. `settings` is the command's struct, the rest the member that the group fills. */
#define CLI_COMMON_GROUP \
    { "General", cli_common_options, 0 }
#define CLI_READ_GROUP(settings, load) \
    { "Reading the graph", cli_read_options, offsetof(settings, load) }
#define CLI_BUILD_GROUP(settings, build) \
    { "Changing the graph", cli_build_options, offsetof(settings, build) }
#define CLI_SAVE_GROUP(settings, save) \
    { "Writing the graph", cli_save_options, offsetof(settings, save) }
#define CLI_END_GROUP \
    { NULL, NULL, 0 }

extern const cli_option cli_common_options[]; /* fill cli_common */
extern const cli_option cli_read_options[];   /* fill heddle_load_options */
extern const cli_option cli_build_options[];  /* fill heddle_build_options */
extern const cli_option cli_save_options[];   /* fill heddle_save_options */

/* const char *: the name of a file format. */
cli_parser cli_parse_format;

/* Loads a graph and prints how long it took. */
heddle_status cli_load(cli_session *session, const char *path, const heddle_load_options *options, heddle_graph **graph,
                       double *seconds);

/* A graph on its way into a file, and the times of both steps, for cli_save and its report. */
typedef struct cli_transfer {
    const heddle_graph *graph;
    const char *path;
    uint64_t bytes;          /* of the finished file; 0 for standard output */
    uint64_t vertices, arcs; /* in it; others than the graph's where the format cannot hold all */
    const char *before;      /* the step before writing: "load" */
    double before_seconds;
    double write_seconds;
} cli_transfer;

/* Exit status 0, or 2 with a message if `output` (NULL: none) is one of the command's operands, such as the graph, or
 * of `others`, further inputs and outputs. */
int cli_check_replaced(const cli_session *session, const char *output, const char *const *others, size_t count);
/* Exit status 0, or 2 with a message if a graph (and a report) cannot be written to `path` as requested; checked before
 * the graph is made, which may take long. */
int cli_check_output(const cli_session *session, const char *path, const heddle_save_options *options);
/* The length of the path without a suffix of compression (.gz, .zst, .bz2, .xz). */
size_t cli_unpacked_length(const char *path);
/* --memory-limit of commands that write the graph they make; fills heddle_save_options.memory_limit. */
extern const cli_option cli_limit_options[];
#define CLI_LIMIT_GROUP(settings, save) \
    { "", cli_limit_options, offsetof(settings, save) }
/* Whether a graph that is written to `path` in this format (NULL: that of the suffix) goes to an .hdl file. */
bool cli_writes_hdl(const char *path, const char *format);
/* Applies that limit to making the graph, too: one that exceeds it is built on disk if it is going to an .hdl file.
 * `folder` of `size` bytes must outlive the build. */
void cli_limit_build(const heddle_save_options *save, const char *path, heddle_build_options *build, char *folder,
                     size_t size);
/* Writes the graph. */
heddle_status cli_save(cli_session *session, cli_transfer *transfer, const heddle_save_options *options);
/* After all ranks have written the file: opens it, for the summary. */
heddle_status cli_look_at_written(cli_session *session, cli_transfer *transfer, heddle_graph **graph);
/* One line for people: "wrote FILE: 34 vertices, 156 edges, 1.2 KiB (load 0.001 s, write 0.001 s)". */
void cli_say_written(const cli_session *session, const cli_transfer *transfer);

/* The graph's edges, an undirected one's two arcs counted once; 0: not known, because counting failed, or would read a
 * graph that is spread over ranks. */
uint64_t cli_count_edges(const cli_session *session, const heddle_graph *graph);
/* "103,689 edges"; of an undirected graph "78 edges (156 arcs)", or "156 arcs" where `edges` is 0. */
cli_word cli_edge_words(const heddle_graph *graph, uint64_t edges);
/* "34 vertices, 78 edges (156 arcs), undirected, weighted" */
typedef struct cli_graph_line {
    char text[160];
} cli_graph_line;
cli_graph_line cli_graph_words(const heddle_graph *graph, uint64_t edges);

typedef struct cli_json cli_json;
/* The member undirected_edges: `edges`; null of a directed graph, or where it is 0. */
void cli_json_undirected(cli_json *json, const heddle_graph *graph, uint64_t edges);
/* The members vertices, edges, directed, weighted and weight_type of a graph. */
void cli_json_graph(cli_json *json, const heddle_graph *graph);
/* The members output, bytes, those of cli_json_graph, and phases. */
void cli_json_transfer(cli_json *json, const cli_transfer *transfer);

/* Bytes of a weight of the graph: 0, 4 or 8. */
uint64_t cli_weight_bytes(const heddle_graph *graph);
const char *cli_weight_name(heddle_weight_type type); /* "none", "u32", "i32", "f32" */

#endif
