/* common.c - options and steps that commands share. */
#include "common.h"

#include "file.h"
#include "json.h"
#include "report.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- Values with rules of their own ---------------------------------------------------------------------------- */

bool cli_parse_format(const cli_option *option, const char *text, void *destination, char *expected) {
    size_t used = 0;
    const heddle_format_info *format;
    (void)option;
    for (size_t i = 0; (format = heddle_format_at(i)); i++) {
        if (!strcmp(format->name, text)) {
            *(const char **)destination = text;
            return true;
        }
        cli_list_word(expected, CLI_EXPECTED_ROOM, &used, format->name, !heddle_format_at(i + 1));
    }
    return false;
}

static bool parse_column(const cli_option *option, const char *text, void *destination, char *expected) {
    int *column = destination;
    if (!strcmp(text, "auto"))
        *column = HEDDLE_COLUMN_AUTO;
    else if (!strcmp(text, "none"))
        *column = HEDDLE_COLUMN_NONE;
    else if (!cli_parse_int(option, text, destination, expected)) {
        snprintf(expected, CLI_EXPECTED_ROOM, "a column from 3 on, none or auto");
        return false;
    }
    return true;
}

/* char: one character, or the name of one that is hard to type. */
static bool parse_delimiter(const cli_option *option, const char *text, void *destination, char *expected) {
    static const struct {
        const char *name;
        char character;
    } names[] = {{"tab", '\t'}, {"space", ' '}, {"comma", ','}, {"semicolon", ';'}, {"pipe", '|'}, {"\\t", '\t'}};
    char *delimiter = destination;
    (void)option;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, text)) {
            *delimiter = names[i].character;
            return true;
        }
    if (text[0] && !text[1] &&
        ((ispunct((unsigned char)text[0]) && !strchr("\"+-.#%_", text[0])) || isblank((unsigned char)text[0]))) {
        *delimiter = text[0];
        return true;
    }
    snprintf(expected, CLI_EXPECTED_ROOM, "tab, space, comma, semicolon, pipe, or another character that separates");
    return false;
}

/* ---- Options --------------------------------------------------------------------------------------------------- */

static const cli_choice duplicate_choices[] = {
    {"first", HEDDLE_DUPLICATES_FIRST}, {"min", HEDDLE_DUPLICATES_MIN},   {"max", HEDDLE_DUPLICATES_MAX},
    {"sum", HEDDLE_DUPLICATES_SUM},     {"mean", HEDDLE_DUPLICATES_MEAN}, {NULL, 0},
};

static const cli_choice weight_choices[] = {{"auto", HEDDLE_WEIGHT_NONE},
                                            {"u32", HEDDLE_WEIGHT_U32},
                                            {"i32", HEDDLE_WEIGHT_I32},
                                            {"i64", HEDDLE_WEIGHT_I64},
                                            {"f32", HEDDLE_WEIGHT_F32},
                                            {"f64", HEDDLE_WEIGHT_F64},
                                            {NULL, 0}};
static const cli_choice id_choices[] = {
    {"auto", HEDDLE_IDS_AUTO},
    {"int", HEDDLE_IDS_INTEGER},
    {"string", HEDDLE_IDS_STRING},
    {NULL, 0},
};

static const cli_choice header_choices[] = {
    {"auto", HEDDLE_HEADER_AUTO},
    {"no", HEDDLE_HEADER_NO},
    {"yes", HEDDLE_HEADER_YES},
    {NULL, 0},
};

const cli_option cli_common_options[] = {
    CLI_NUMBER("threads", 't', "N", cli_parse_int, 1, 4096, cli_common, threads,
               "use N threads (default: what the machine has free and the work is worth)"),
    CLI_FLAG("json", 'j', 1, cli_common, json, "write a report in JSON to standard output"),
    CLI_FLAG("quiet", 'q', 1, cli_common, quiet,
             "no progress, notes or summaries on standard error, only errors; results are still printed"),
    CLI_END_OPTIONS,
};

const cli_option cli_read_options[] = {
    CLI_VALUE("format", 'f', "NAME", cli_parse_format, heddle_load_options, format,
              "the input's format (default: found from its content; see 'heddle help formats')"),
    CLI_CHOICE("header", 0, "yes|no|auto", header_choices, heddle_load_options, header,
               "edge lists: whether the first line names the columns (default: where it says so)"),
    CLI_VALUE("columns", 0, "source=COLUMN,…", cli_parse_text, heddle_load_options, columns,
              "edge lists: where source, target and weight stand, by number from 1 on or by the header's name; "
              "source=from,target=to,weight=none"),
    CLI_VALUE("delimiter", 0, "CHARACTER", parse_delimiter, heddle_load_options, delimiter,
              "edge lists: what alone separates columns: tab, space, comma, semicolon, pipe or another character "
              "(default: found from the first lines)"),
    CLI_VALUE("vertices-from", 0, "FILE", cli_parse_text, heddle_load_options, vertices_from,
              "edge lists: a file of vertex ids, one in each line or in its first column: these vertices exist even "
              "where no edge names them"),
    CLI_VALUE("vertices", 0, "N", cli_parse_count, heddle_load_options, vertices,
              "edge lists: the vertices 0 .. N-1 exist even where no edge names them"),
    CLI_NUMBER("weight-column", 0, "N|none|auto", parse_column, 3, 1000, heddle_load_options, weight_column,
               "edge lists: where the weight stands (default: column 3, where it is there and numeric)"),
    CLI_CHOICE("weight-type", 0, "TYPE", weight_choices, heddle_load_options, weight_type,
               "weights as u32, i32, i64, f32 or f64 (default, auto: the file's type; text: the smallest that holds "
               "every weight exactly)"),
    CLI_CHOICE("ids", 0, "auto|int|string", id_choices, heddle_load_options, ids,
               "edge lists: what ids are (default: whole numbers, unless the first line says otherwise)"),
    CLI_END_OPTIONS,
};

const cli_option cli_build_options[] = {
    CLI_FLAG("symmetrize", 0, 1, heddle_build_options, symmetrize,
             "make it undirected: add missing reverse edges; where the weights of the two differ, both get the smaller "
             "one, unless --dedup combines them otherwise"),
    CLI_FLAG("undirected", 0, 1, heddle_build_options, symmetrize, "the same as --symmetrize"),
    CLI_FLAG("no-loops", 0, 1, heddle_build_options, drop_loops, "drop edges from a vertex to itself"),
    CLI_OPTIONAL_CHOICE("dedup", 0, "first|min|max|sum|mean", duplicate_choices, HEDDLE_DUPLICATES_FIRST,
                        heddle_build_options, duplicates,
                        "make one edge of several with the same ends, with the weight of the first (default), the "
                        "smallest, the largest, the sum or the mean; with --symmetrize also of opposite edges"),
    CLI_FLAG("no-isolated", 0, 1, heddle_build_options, drop_isolated, "drop vertices that no edge touches"),
    CLI_END_OPTIONS,
};

const cli_option cli_save_options[] = {
    CLI_VALUE("to", 0, "NAME", cli_parse_format, heddle_save_options, format,
              "the output's format (default: by its suffix; see 'heddle help formats')"),
    CLI_FLAG("lossy", 0, 1, heddle_save_options, lossy,
             "allow a format that cannot hold all ids, directions, weights or vertices of this graph"),
    CLI_FLAG("in-edges", 0, 1, heddle_save_options, in_edges,
             "hdl: store the in-edges too, so that they need not be built again"),
    CLI_FLAG("packed", 0, 1, heddle_save_options, packed,
             "hdl: store the edges in fewer bits too, for devices whose memory they exceed"),
    CLI_VALUE("order", 0, "degree|bfs|out", cli_parse_text, heddle_save_options, order,
              "hdl: store the graph with its vertices renamed too, for runs that are quicker on it; degree,bfs: both"),
    CLI_NUMBER("level", 0, "N", cli_parse_int, 1, 22, heddle_save_options, level,
               "compression level of a .gz, .bz2 or .xz (1-9) or .zst (1-22) file"),
    CLI_END_OPTIONS,
};

const cli_option cli_limit_options[] = {
    CLI_VALUE("memory-limit", 0, "BYTES", cli_parse_bytes, heddle_save_options, memory_limit,
              "take at most this much memory: a graph that exceeds it is built on disk, beside OUT, if OUT is an .hdl "
              "file; K, M, G or T may follow, by 1024"),
    CLI_END_OPTIONS,
};

/* ---- Steps ----------------------------------------------------------------------------------------------------- */

heddle_status cli_load(cli_session *session, const char *path, const heddle_load_options *options, heddle_graph **graph,
                       double *seconds) {
    double start = cli_clock();
    heddle_status status = heddle_graph_load(session->context, path, options, graph);
    *seconds = cli_clock() - start;
    return status;
}

static bool is_stdout(const char *path) { return !strcmp(path, "-"); }

/* Whether some format is written under this suffix (".mtx", not NUL-terminated). */
static bool is_suffix_known(const char *suffix, size_t length) {
    const heddle_format_info *format;
    for (size_t i = 0; (format = heddle_format_at(i)); i++)
        for (const char *p = format->suffixes; *p; p += strspn(p, " ")) {
            size_t here = strcspn(p, " ");
            if (here == length && !strncasecmp(p, suffix, length))
                return true;
            p += here;
        }
    return false;
}

size_t cli_unpacked_length(const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; heddle_codec_at(i); i++) {
        size_t suffix = strlen(heddle_codec_at(i));
        if (length > suffix && !strcasecmp(path + length - suffix, heddle_codec_at(i)))
            return length - suffix;
    }
    return length;
}

/* The library checks this too, but only when there is a graph to write. */
static bool has_known_suffix(const char *path) {
    size_t length = cli_unpacked_length(path), start;
    for (start = length; start > 0 && path[start - 1] != '.' && path[start - 1] != '/';)
        start--;
    return start > 0 && path[start - 1] == '.' && is_suffix_known(path + start - 1, length - start + 1);
}

int cli_check_replaced(const cli_session *session, const char *output, const char *const *others, size_t count) {
    bool replaced = false;
    for (int i = 0; i < session->arguments.operand_count; i++)
        replaced = replaced || cli_same_file(output, session->arguments.operands[i]);
    for (size_t i = 0; i < count; i++)
        replaced = replaced || cli_same_file(output, others[i]);
    return replaced ? cli_usage_error(session->command,
                                      "%.800s: it is named twice, and would be overwritten: name another file to write",
                                      output)
                    : 0;
}

int cli_check_output(const cli_session *session, const char *path, const heddle_save_options *options) {
    if (!is_stdout(path)) {
        if (options->format || has_known_suffix(path))
            return 0;
        return cli_usage_error(session->command,
                               "%.800s: no format has this suffix; name one with --to (see 'heddle help formats')",
                               path);
    }
    if (!options->format)
        return cli_usage_error(session->command, "standard output has no suffix: name the format with --to");
    if (session->common->json)
        return cli_usage_error(session->command, "the graph and the --json report cannot both go to standard output");
    return 0;
}

bool cli_writes_hdl(const char *path, const char *format) {
    static const char suffix[] = ".hdl";
    size_t length = cli_unpacked_length(path), letters = sizeof suffix - 1;
    if (format)
        return !strcmp(format, suffix + 1);
    return length > letters && !strncasecmp(path + length - letters, suffix, letters);
}

void cli_limit_build(const heddle_save_options *save, const char *path, heddle_build_options *build, char *folder,
                     size_t size) {
    const char *slash = strrchr(path, '/');
    build->memory_limit = save->memory_limit;
    if (!save->memory_limit || !cli_writes_hdl(path, save->format))
        return;
    if (slash)
        snprintf(folder, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        snprintf(folder, size, "%s", is_stdout(path) ? "" : ".");
    build->spill = folder;
}

heddle_status cli_save(cli_session *session, cli_transfer *transfer, const heddle_save_options *options) {
    struct stat file;
    double start = cli_clock();
    heddle_status status = heddle_graph_save(session->context, transfer->graph, transfer->path, options);
    transfer->write_seconds = cli_clock() - start;
    transfer->bytes = 0;
    heddle_context_written(session->context, &transfer->vertices, &transfer->arcs);
    if (status == HEDDLE_OK && !is_stdout(transfer->path) && stat(transfer->path, &file) == 0 && S_ISREG(file.st_mode))
        transfer->bytes = (uint64_t)file.st_size;
    return status;
}

heddle_status cli_look_at_written(cli_session *session, cli_transfer *transfer, heddle_graph **graph) {
    heddle_load_options load;
    struct stat file;
    double seconds;
    heddle_load_options_init(&load);
    heddle_status status = cli_load(session, transfer->path, &load, graph, &seconds);
    transfer->graph = *graph;
    transfer->vertices = heddle_graph_vertices(*graph);
    transfer->arcs = heddle_graph_edges(*graph);
    transfer->bytes = stat(transfer->path, &file) == 0 ? (uint64_t)file.st_size : 0;
    return status;
}

void cli_say_written(const cli_session *session, const cli_transfer *transfer) {
    char bytes[64] = "";
    bool same = transfer->arcs == heddle_graph_edges(transfer->graph);
    if (session->common->quiet)
        return;
    if (transfer->bytes)
        snprintf(bytes, sizeof bytes, ", %s", cli_bytes(transfer->bytes).text);
    cli_say("wrote %.800s: %s, %s%s (%s %s, write %s)", is_stdout(transfer->path) ? "standard output" : transfer->path,
            cli_counted(transfer->vertices, "vertex", "vertices").text,
            same ? cli_edge_words(transfer->graph, cli_count_edges(session, transfer->graph)).text
                 : cli_counted(transfer->arcs, "arc", "arcs").text,
            bytes, transfer->before, cli_seconds(transfer->before_seconds).text,
            cli_seconds(transfer->write_seconds).text);
}

uint64_t cli_count_edges(const cli_session *session, const heddle_graph *graph) {
    uint64_t edges = 0;
    if (heddle_context_ranks(session->context) == 1 &&
        heddle_graph_count_edges(session->context, graph, &edges) != HEDDLE_OK)
        edges = 0;
    return edges;
}

cli_word cli_edge_words(const heddle_graph *graph, uint64_t edges) {
    uint64_t arcs = heddle_graph_edges(graph);
    cli_word word;
    if (heddle_graph_directed(graph))
        return cli_counted(arcs, "edge", "edges");
    if (!edges)
        return cli_counted(arcs, "arc", "arcs");
    snprintf(word.text, sizeof word.text, "%.22s (%.22s)", cli_counted(edges, "edge", "edges").text,
             cli_counted(arcs, "arc", "arcs").text);
    return word;
}

cli_graph_line cli_graph_words(const heddle_graph *graph, uint64_t edges) {
    cli_graph_line line;
    snprintf(line.text, sizeof line.text, "%s, %s, %s%s",
             cli_counted(heddle_graph_vertices(graph), "vertex", "vertices").text, cli_edge_words(graph, edges).text,
             heddle_graph_directed(graph) ? "directed" : "undirected",
             heddle_graph_weight_type(graph) == HEDDLE_WEIGHT_NONE ? "" : ", weighted");
    return line;
}

void cli_json_undirected(cli_json *json, const heddle_graph *graph, uint64_t edges) {
    if (heddle_graph_directed(graph) || (!edges && heddle_graph_edges(graph)))
        cli_json_null(json, "undirected_edges");
    else
        cli_json_count(json, "undirected_edges", edges);
}

uint64_t cli_weight_bytes(const heddle_graph *graph) {
    heddle_weight_type type = heddle_graph_weight_type(graph);
    return type == HEDDLE_WEIGHT_NONE ? 0 : type == HEDDLE_WEIGHT_I64 || type == HEDDLE_WEIGHT_F64 ? 8 : 4;
}

const char *cli_weight_name(heddle_weight_type type) {
    switch (type) {
    case HEDDLE_WEIGHT_U32: return "u32";
    case HEDDLE_WEIGHT_I32: return "i32";
    case HEDDLE_WEIGHT_F32: return "f32";
    case HEDDLE_WEIGHT_I64: return "i64";
    case HEDDLE_WEIGHT_F64: return "f64";
    default: return "none";
    }
}

static void json_counted(cli_json *json, const heddle_graph *graph, uint64_t vertices, uint64_t arcs) {
    heddle_weight_type type = heddle_graph_weight_type(graph);
    cli_json_count(json, "vertices", vertices);
    cli_json_count(json, "edges", arcs);
    cli_json_flag(json, "directed", heddle_graph_directed(graph));
    cli_json_flag(json, "weighted", type != HEDDLE_WEIGHT_NONE);
    cli_json_text(json, "weight_type", type == HEDDLE_WEIGHT_NONE ? NULL : cli_weight_name(type));
}

void cli_json_graph(cli_json *json, const heddle_graph *graph) {
    json_counted(json, graph, heddle_graph_vertices(graph), heddle_graph_edges(graph));
}

void cli_json_transfer(cli_json *json, const cli_transfer *transfer) {
    cli_json_text(json, "output", transfer->path);
    if (transfer->bytes)
        cli_json_count(json, "bytes", transfer->bytes);
    else
        cli_json_null(json, "bytes");
    json_counted(json, transfer->graph, transfer->vertices, transfer->arcs);
    cli_json_object(json, "phases");
    cli_json_seconds(json, transfer->before, transfer->before_seconds);
    cli_json_seconds(json, "write", transfer->write_seconds);
    cli_json_end(json);
}
