/* format.c - the table of formats, format detection, loading and saving.
 *
 * The content decides. If it is ambiguous (lines of numbers fit several formats) the suffix does, and if the suffix is
 * unknown, the best guess from the content.
 */
#include "io/format.h"

#include "base/argument.h"
#include "base/limit.h"
#include "base/threads.h"
#include "graph/build.h"
#include "graph/claims.h"
#include "io/compress.h"
#include "io/examples.h"
#include "io/fit.h"
#include "io/foreign.h"
#include "io/scan.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* One line each, in the order that texts list them. */
#define ALL_FORMATS(X) \
    X(edge_list)       \
    X(matrix_market)   \
    X(dimacs)          \
    X(metis)           \
    X(gap)             \
    X(hdl)             \
    X(graphml)         \
    X(gml)             \
    X(pajek)           \
    X(adjacency)       \
    X(json)            \
    X(dot)

#define DECLARE(name) extern const hd_format hd_format_##name;
ALL_FORMATS(DECLARE)

#define ENTER(name) &hd_format_##name,
static const hd_format *const formats[] = {ALL_FORMATS(ENTER)};
enum { FORMATS = sizeof formats / sizeof *formats, SURE = 50 };

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* The suffix of the path, that of a codec left aside; *length is 0 when there is none. */
static const char *find_suffix(const char *path, size_t *length) {
    const hd_codec *codec = hd_codec_of_path(path);
    size_t end = strlen(path) - (codec ? strlen(codec->suffix) : 0), start = end;
    while (start > 0 && path[start - 1] != '/' && path[start - 1] != '.')
        start--;
    bool found = start > 0 && path[start - 1] == '.';
    *length = found ? end - start + 1 : 0;
    return path + (found ? start - 1 : end);
}

bool hd_path_has_suffix(const char *path, const char *suffix) {
    size_t length;
    const char *found = find_suffix(path, &length);
    return length > 1 && length == strlen(suffix) && strncasecmp(found, suffix, length) == 0;
}

bool hd_path_has_one_of(const char *path, const char *suffixes) {
    char suffix[16];
    for (const char *p = suffixes; *p; p += strspn(p, " ")) {
        size_t length = strcspn(p, " ");
        snprintf(suffix, sizeof suffix, "%.*s", (int)length, p);
        if (hd_path_has_suffix(path, suffix))
            return true;
        p += length;
    }
    return false;
}

static const hd_format *find_by_suffix(const char *path) {
    for (int i = 0; i < FORMATS; i++)
        if (hd_path_has_one_of(path, formats[i]->info.suffixes))
            return formats[i];
    return NULL;
}

/* The names, or the suffixes, of all formats, for messages. */
static const char *list_formats(char *buffer, size_t size, bool suffixes) {
    size_t length = 0;
    buffer[0] = '\0';
    for (int i = 0; i < FORMATS && length < size; i++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", i ? " " : "",
                                   suffixes ? formats[i]->info.suffixes : formats[i]->info.name);
    return buffer;
}

static heddle_status find_by_name(heddle_context *ctx, const char *name, const hd_format **format) {
    char names[256];
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->info.name, name) == 0) {
            *format = formats[i];
            return HEDDLE_OK;
        }
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "no format is called '%.60s'; there are: %s", name,
                   list_formats(names, sizeof names, false));
}

const heddle_format_info *heddle_format_at(size_t index) { return index < FORMATS ? &formats[index]->info : NULL; }

/* ---- Loading ---------------------------------------------------------------------------------------------------- */

void heddle_load_options_init_sized(heddle_load_options *options, size_t size) {
    heddle_load_options defaults = {.size = sizeof defaults, .weight_column = HEDDLE_COLUMN_AUTO};
    heddle_build_options_init(&defaults.build);
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

bool hd_looks_binary(const char *data, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes && i < 4096; i++)
        if ((unsigned char)data[i] < 0x20 && !(data[i] >= '\t' && data[i] <= '\r'))
            return true;
    return false;
}

/* The option, if one is given, that concerns columns, and thus implies an edge list. */
static const char *column_option(const heddle_load_options *options) {
    return options->columns         ? "--columns"
           : options->delimiter     ? "--delimiter"
           : options->vertices_from ? "--vertices-from"
           : options->header        ? "--header"
                                    : NULL;
}

/* The format that has columns, if an option concerns columns. */
static const hd_format *find_by_columns(const heddle_load_options *options) {
    if (options->weight_column == HEDDLE_COLUMN_AUTO && !column_option(options))
        return NULL;
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->columns)
            return formats[i];
    return NULL;
}

static heddle_status find_by_content(heddle_context *ctx, const hd_input *input, const heddle_load_options *options,
                                     const hd_format **format) {
    const hd_format *by_suffix = find_by_suffix(input->name), *by_columns = find_by_columns(options), *best = NULL;
    int best_score = 0, suffix_score = 0;
    HD_TRY(hd_foreign_refuse(ctx, input));
    for (int i = 0; i < FORMATS; i++) {
        int score = formats[i]->sniff(input->data, input->bytes);
        suffix_score = formats[i] == by_suffix ? score : suffix_score;
        if (score > best_score || (score && score == best_score && formats[i] == by_suffix)) {
            best = formats[i];
            best_score = score;
        }
    }
    bool loose = by_suffix && by_suffix->loose &&
                 (best_score != HD_SNIFF_NUMBERS || hd_path_has_one_of(input->name, by_suffix->loose));
    bool suffix_counts = best_score < SURE && by_suffix && !(loose && best_score > suffix_score);
    *format = suffix_counts ? by_suffix : best;
    bool no_weights =
        options->weight_column == HEDDLE_COLUMN_NONE && !column_option(options); /* adjacency lists: yes */
    if (best_score < SURE && by_columns && (!suffix_counts || by_suffix->loose) &&
        !(no_weights && *format == &hd_format_adjacency))
        *format = by_columns;
    char names[256];
    if (*format)
        return (*format)->doubt && *format != by_columns ? (*format)->doubt(ctx, input) : HEDDLE_OK;
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0,
                        hd_looks_binary(input->data, input->bytes)
                            ? "binary data of no known kind; the formats are: %s"
                            : "text that fits no format; if it is one, name it (--format, or --from of convert): %s",
                        list_formats(names, sizeof names, false));
}

/* 0, or a character that does not occur in numbers or words, and is no quote. */
static bool is_delimiter(char c) {
    return c == '\0' || c == '\t' ||
           (c >= ' ' && c < 0x7f && !strchr("\"+-.#%_", c) && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
            !(c >= 'A' && c <= 'Z'));
}

static heddle_status check_load_options(heddle_context *ctx, const heddle_load_options *options) {
    if (options->ids < HEDDLE_IDS_AUTO || options->ids > HEDDLE_IDS_STRING)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->ids is %d, which has no meaning", (int)options->ids);
    if (options->weight_column < HEDDLE_COLUMN_AUTO)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->weight_column is %d, expected a column from 1",
                       options->weight_column);
    if (options->header < HEDDLE_HEADER_AUTO || options->header > HEDDLE_HEADER_YES)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->header is %d, which has no meaning", (int)options->header);
    if (!is_delimiter(options->delimiter))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->delimiter is %d, a character that cannot separate columns",
                       options->delimiter);
    if (!hd_weight_is_known(options->weight_type))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->weight_type is %d, which has no meaning",
                       (int)options->weight_type);
    return hd_build_options_check(ctx, &options->build);
}

/* Refuses options about columns that the format would ignore. */
static heddle_status check_columns(heddle_context *ctx, const heddle_load_options *options, const hd_format *format,
                                   const char *name) {
    const char *option = column_option(options);
    if (format->columns || !option)
        return HEDDLE_OK;
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s is for edge lists, and %.800s is read as %s (unless --format edgelist)",
                   option, name, format->info.name);
}

/* Notes options that the format has ignored, and that would have made a difference. */
static void note_ignored(heddle_context *ctx, const heddle_load_options *options, const hd_format *format,
                         const char *name, const heddle_graph *graph) {
    bool none = options->weight_column == HEDDLE_COLUMN_NONE;
    bool column = none ? !format->names && graph->weight_type : options->weight_column != HEDDLE_COLUMN_AUTO;
    bool integers = options->ids == HEDDLE_IDS_INTEGER && graph->ids.type != HEDDLE_ID_STRING;
    const char *const ignored[] = {options->vertices ? "--vertices" : NULL, column ? "--weight-column" : NULL,
                                   options->ids && !format->names && !integers ? "--ids" : NULL};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (ignored[i] && !format->columns)
            hd_note(ctx, "%s: read as %s, where %s has no effect", name, format->info.name, ignored[i]);
}

/* Notes labels in another encoding than UTF-8: results in JSON and pages cannot show them. */
static void note_encoding(heddle_context *ctx, const char *name, const heddle_graph *graph) {
    const hd_ids *ids = &graph->ids;
    for (uint64_t v = 0; v < graph->vertices && ids->type == HEDDLE_ID_STRING; v++) {
        const char *p = ids->text + ids->starts[v], *end = ids->text + ids->starts[v + 1];
        for (uint32_t code; p && p < end;)
            p = (unsigned char)*p < 0x80 ? p + 1 : hd_scan_utf8(p, end, &code);
        if (p)
            continue;
        hd_note(ctx, "%s: labels are not UTF-8, perhaps Latin-1: iconv -f latin1 -t utf-8 converts the file", name);
        return;
    }
}

/* The caller's options, and the format where they name one. */
static heddle_status take_load_options(heddle_context *ctx, const char *function, const heddle_load_options *given,
                                       heddle_load_options *options, const hd_format **format) {
    *format = NULL;
    heddle_load_options_init(options);
    HD_TRY(hd_take_options(ctx, function, given, options, sizeof *options));
    HD_TRY(check_load_options(ctx, options));
    return options->format ? find_by_name(ctx, options->format, format) : HEDDLE_OK;
}

/* Ranks map the file, and each reads its share. */
static heddle_status check_ranks(heddle_context *ctx, const hd_input *input, const hd_format *format) {
    bool plain = input->named && !input->compressed;
    if (!ctx->link || (ctx->build_together ? format->splits && plain : format == &hd_format_hdl && input->mapped))
        return HEDDLE_OK;
    if (ctx->build_together)
        return hd_fail_file(ctx, HEDDLE_E_REFUSED, input->name, 0,
                            "several ranks convert edge lists, .gr and .mtx files that are not compressed: %s",
                            plain ? "one process converts it, without the launcher"
                                  : "unpack it into a file, or start one process");
    return hd_fail_file(ctx, HEDDLE_E_REFUSED, input->name, 0,
                        "several ranks read .hdl files, not compressed: write one first: heddle convert IN OUT.hdl");
}

/* Reads an open input, and closes it. */
static heddle_status read_input(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                                const hd_format *format, heddle_graph **graph) {
    hd_threads_settle(ctx, input->bytes);
    heddle_status status = format ? HEDDLE_OK : find_by_content(ctx, input, options, &format);
    if (status == HEDDLE_OK)
        status = check_columns(ctx, options, format, input->name);
    if (status == HEDDLE_OK)
        status = check_ranks(ctx, input, format);
    ctx->weight_type = options->weight_type;
    if (status == HEDDLE_OK)
        status = format->read(ctx, input, options, graph);
    if (status == HEDDLE_OK) {
        note_ignored(ctx, options, format, input->name, *graph);
        if (format != &hd_format_hdl && !ctx->build_together) /* .hdl is mapped; of ranks each has a part */
            note_encoding(ctx, input->name, *graph);
    }
    ctx->weight_type = HEDDLE_WEIGHT_NONE;
    /* with or without another error: if the file changed meanwhile, that is the error to report */
    if (status != HEDDLE_E_CANCELLED && hd_input_check(ctx, input) != HEDDLE_OK) {
        status = HEDDLE_E_READ;
        heddle_graph_destroy(graph);
    }
    hd_input_close(ctx, input);
    return status;
}

/* A file, standard input, or an example: their names begin with a word that no file's should. */
static heddle_status open_path(heddle_context *ctx, const char *path, hd_input *input) {
    const hd_example *example = hd_example_find(path);
    if (example)
        return hd_input_copy(ctx, path, example->text, example->bytes, input);
    if (!hd_example_names(path))
        return hd_input_open(ctx, path, input);
    return hd_fail(ctx, HEDDLE_E_OPEN, "%s: there is no such example; there are %s and %s", path,
                   hd_example_at(0)->name, hd_example_at(1)->name);
}

/* From a file if `path` is there, else from memory. */
static heddle_status load(heddle_context *ctx, const char *function, const char *path, const void *data, size_t bytes,
                          const heddle_load_options *given, heddle_graph **graph) {
    heddle_load_options options;
    const hd_format *format;
    hd_input input;
    hd_limit limit;
    hd_phases_clear(ctx);
    HD_TRY(take_load_options(ctx, function, given, &options, &format));
    hd_limit_begin(ctx, &limit, options.build.memory_limit, 0, options.build.spill);
    limit.subject = path;
    heddle_status status = path ? open_path(ctx, path, &input) : hd_input_memory(ctx, data, bytes, &input);
    if (status == HEDDLE_E_FORMAT && input.empty && options.vertices && (!format || format == &hd_format_edge_list)) {
        format = &hd_format_edge_list; /* no edges, as in a file of comments */
        status = hd_input_copy(ctx, input.name, "\n", 1, &input);
    }
    if (status == HEDDLE_OK)
        status = read_input(ctx, &input, &options, format, graph);
    hd_limit_end(ctx, &limit);
    return status;
}

heddle_status heddle_graph_load(heddle_context *ctx, const char *path, const heddle_load_options *given,
                                heddle_graph **graph) {
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, path);
    HD_NEEDS(ctx, graph);
    return load(ctx, __func__, path, NULL, 0, given, graph);
}

heddle_status heddle_graph_load_memory(heddle_context *ctx, const void *data, size_t bytes,
                                       const heddle_load_options *given, heddle_graph **graph) {
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, data);
    HD_NEEDS(ctx, graph);
    return load(ctx, __func__, NULL, data, bytes, given, graph);
}

/* ---- Saving ----------------------------------------------------------------------------------------------------- */

void heddle_save_options_init_sized(heddle_save_options *options, size_t size) {
    heddle_save_options defaults = {.size = sizeof defaults};
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

static heddle_status find_for_saving(heddle_context *ctx, const char *path, const char *name,
                                     const hd_format **format) {
    char suffixes[256], packed[64];
    if (name)
        return find_by_name(ctx, name, format);
    *format = find_by_suffix(path);
    if (*format)
        return HEDDLE_OK;
    if (strcmp(path, "-") == 0)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "standard output has no suffix to choose a format by: name the format");
    hd_codec_suffixes(packed, sizeof packed);
    return hd_fail_file(ctx, HEDDLE_E_ARGUMENT, path, 0,
                        "the suffix chooses the format, and this one is none of: %s (%s may follow)",
                        list_formats(suffixes, sizeof suffixes, true), packed);
}

/* The folder that a path's file lies in. */
static const char *folder_of(const char *path, char *buffer, size_t size) {
    const char *slash = strrchr(path, '/');
    if (strcmp(path, "-") == 0)
        return "";
    if (!slash)
        return ".";
    snprintf(buffer, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return buffer;
}

static heddle_status write_file(heddle_context *ctx, const heddle_graph *graph, const hd_format *format,
                                const char *path, const heddle_save_options *options) {
    hd_output *output;
    HD_TRY(hd_output_open(ctx, path, options->level, &output));
    heddle_status status = format->write(ctx, graph, options, output);
    if (status == HEDDLE_OK)
        return hd_output_close(&output);
    hd_output_abandon(&output);
    return status;
}

/* The first option that only .hdl files can hold; NULL: none was requested. */
static const char *for_hdl_only(const heddle_graph *graph, const heddle_save_options *options) {
    for (uint32_t i = 0; i < graph->kept_count; i++)
        if (graph->kept[i].owned)
            return "--prepare";
    return options->order ? "--order" : options->in_edges ? "--in-edges" : options->packed ? "--packed" : NULL;
}

static heddle_status save(heddle_context *ctx, const heddle_graph *graph, const char *path,
                          const heddle_save_options *options) {
    const char *lost = for_hdl_only(graph, options);
    const hd_format *format;
    hd_fit fit;
    HD_TRY(find_for_saving(ctx, path, options->format, &format));
    if (!format->write)
        return hd_fail_file(ctx, HEDDLE_E_UNSUPPORTED, path, 0, "the format %s is read, and not written",
                            format->info.name);
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_OUT | HD_VERIFY_IDS)); /* before the first byte is written */
    HD_TRY(hd_graph_prove_undirected(ctx, graph, true));
    HD_TRY(hd_fit_open(ctx, graph, format, path, options->lossy, &fit));
    if (lost && format != &hd_format_hdl)
        hd_note(ctx, "%s: written as %s, where %s has no effect: it is for .hdl files", path, format->info.name, lost);
    heddle_status status = write_file(ctx, fit.graph, format, path, options);
    if (status == HEDDLE_OK) {
        ctx->written_vertices = fit.graph->vertices - fit.isolated;
        ctx->written_arcs = fit.graph->edges;
    }
    hd_fit_close(ctx, &fit);
    return status;
}

heddle_status heddle_graph_save(heddle_context *ctx, const heddle_graph *graph, const char *path,
                                const heddle_save_options *given) {
    heddle_save_options options;
    hd_limit limit;
    char folder[PATH_MAX];
    HD_ENTER(ctx);
    HD_NEEDS(ctx, graph);
    HD_NEEDS(ctx, path);
    heddle_save_options_init(&options);
    HD_TRY(HD_TAKE_OPTIONS(ctx, given, &options));
    hd_threads_settle(ctx, hd_work(graph->vertices, graph->edges, 1));
    hd_limit_begin(ctx, &limit, options.memory_limit, hd_graph_allocated(graph),
                   folder_of(path, folder, sizeof folder));
    heddle_status status = save(ctx, graph, path, &options);
    hd_limit_end(ctx, &limit);
    return status;
}

void heddle_context_written(const heddle_context *context, uint64_t *vertices, uint64_t *arcs) {
    if (vertices)
        *vertices = context ? context->written_vertices : 0;
    if (arcs)
        *arcs = context ? context->written_arcs : 0;
}
