/* table.c - heddle table: several algorithms on one graph, a column of each. A column is written as the algorithm's
 * command is: "indegree=degree --direction in". */
#include "algorithm.h"
#include "file.h"
#include "json.h"
#include "names.h"
#include "progress.h"
#include "report.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64 };

typedef struct table_settings {
    cli_run_settings run; /* what columns begin with, and how the graph is read */
    const char *columns;
} table_settings;

typedef struct column {
    const char *name; /* NULL: after what it holds */
    const cli_algorithm *algorithm;
    cli_run_settings settings;
    heddle_result *result;
} column;

typedef struct table {
    cli_session *session;
    char *text; /* of --columns, cut into words */
    column *columns;
    const heddle_result **results;
    const char **names;
    size_t count;
    heddle_graph *graph;
    double load_seconds, run_seconds, write_seconds;
} table;

static void defaults(void *opaque) { cli_run_defaults(opaque); }

static int no_memory(void) {
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

/* Options that are no column's: of files, and of all that the command writes. */
static const cli_group others[] = {
    {"", cli_result_options, 0},
    CLI_READ_GROUP(cli_run_settings, load),
    CLI_BUILD_GROUP(cli_run_settings, load.build),
    CLI_COMMON_GROUP,
    CLI_END_GROUP,
};

static int check_options(const cli_session *session, const column *column, const cli_arguments *arguments) {
    const char *name = column->algorithm->command.name;
    if (arguments->operand_count)
        return cli_usage_error(session->command, "column %s: '%.100s' is no option of it; commas separate columns",
                               name, arguments->operands[0]);
    for (int i = 0; i < arguments->given_count; i++)
        if (cli_has_option(others, arguments->given[i]->name))
            return cli_usage_error(session->command, "column %s: --%s is an option of the whole table", name,
                                   arguments->given[i]->name);
    const cli_run_settings *settings = &column->settings;
    const char *refused = settings->dry_run   ? "--dry-run"
                          : settings->trace   ? "--trace"
                          : settings->report  ? "--report"
                          : settings->path_to ? "--path-to"
                                              : NULL;
    return refused ? cli_usage_error(session->command, "column %s: a column has no %s", name, refused) : 0;
}

/* "NAME=ALGORITHM OPTIONS" */
static int parse_column(const cli_session *session, char *text, column *column) {
    char *words[MOST_WORDS];
    int count = 0;
    cli_arguments arguments;
    char *rest = NULL, *word = strtok_r(text, " \t", &rest);
    for (; word && count < MOST_WORDS; word = strtok_r(NULL, " \t", &rest))
        words[count++] = word;
    if (!count || word)
        return cli_usage_error(session->command,
                               count ? "--columns: a column has too many words" : "--columns: a column is empty");
    char *sign = strchr(words[0], '=');
    if (sign) {
        *sign = '\0';
        column->name = words[0];
        words[0] = sign + 1;
    }
    const char *known = cli_algorithm_named(words[0]);
    column->algorithm = known ? cli_algorithm_called(known) : NULL;
    if (!column->algorithm) {
        cli_nearest nearest = cli_nearest_to(words[0]);
        const cli_algorithm *each;
        for (size_t i = 0; (each = cli_algorithm_at(i)); i++)
            cli_nearest_offer(&nearest, each->command.name);
        return cli_usage_error(session->command, "--columns: there is no algorithm '%.100s'%s%s%s", words[0],
                               nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                               nearest.best ? "'?" : "");
    }
    column->settings.run.algorithm = known;
    if (cli_parse(column->algorithm->command.groups, &column->settings, count - 1, words + 1, &arguments) !=
        CLI_PARSE_OK)
        return cli_usage_error(session->command, "column %s: %s", known, arguments.error);
    return check_options(session, column, &arguments);
}

/* Commas between double quotes are part of an id. */
static size_t length_of_column(const char *text) {
    bool quoted = false;
    size_t length = 0;
    for (; text[length] && (quoted || text[length] != ','); length++)
        quoted = quoted != (text[length] == '"');
    return length;
}

static int parse_columns(table *table, const table_settings *settings) {
    size_t most = 1;
    if (!settings->columns)
        return cli_usage_error(table->session->command, "--columns is missing: as in --columns degree,pagerank,kcore");
    for (const char *p = settings->columns; *p; p++)
        most += *p == ',';
    if (most > HEDDLE_TABLE_COLUMNS)
        return cli_usage_error(table->session->command, "--columns: %d are the most", (int)HEDDLE_TABLE_COLUMNS);
    table->text = strdup(settings->columns);
    table->columns = calloc(most, sizeof *table->columns);
    table->results = calloc(most, sizeof *table->results);
    table->names = calloc(most, sizeof *table->names);
    if (!table->text || !table->columns || !table->results || !table->names)
        return no_memory();
    for (char *at = table->text, *next = at; next; at = next) {
        column *column = &table->columns[table->count];
        size_t length = length_of_column(at);
        next = at[length] ? at + length + 1 : NULL;
        at[length] = '\0';
        column->settings = settings->run;
        int exit_status = parse_column(table->session, at, column);
        if (exit_status)
            return exit_status;
        table->names[table->count++] = column->name;
    }
    return 0;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static int run_columns(table *table) {
    double start = cli_clock();
    int exit_status = 0;
    for (size_t i = 0; i < table->count && !exit_status; i++) {
        column *column = &table->columns[i];
        exit_status = cli_run_on(table->session, &column->settings, column->algorithm, table->graph, &column->result);
        table->results[i] = column->result;
    }
    table->run_seconds = cli_clock() - start;
    return exit_status;
}

static void report(const table *table, const char *input, const char *output) {
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "input", input);
    cli_json_graph(&json, table->graph);
    cli_json_text(&json, "output", output);
    cli_json_array(&json, "columns");
    for (size_t i = 0; i < table->count; i++) {
        const heddle_report *report = heddle_result_report(table->results[i]);
        cli_json_object(&json, NULL);
        char name[64];
        heddle_result_column_text(table->results[i], name, sizeof name);
        cli_json_text(&json, "values", name);
        cli_json_text(&json, "name", table->names[i]);
        cli_json_text(&json, "algorithm", report->algorithm);
        cli_json_text(&json, "device", report->device);
        cli_json_flag(&json, "approximate", report->approximate != 0);
        cli_json_count(&json, "iterations", report->iterations);
        cli_json_seconds(&json, "compute", report->compute);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_object(&json, "phases");
    cli_json_seconds(&json, "load", table->load_seconds);
    cli_json_seconds(&json, "compute", table->run_seconds);
    cli_json_seconds(&json, "write", table->write_seconds);
    cli_json_end(&json);
    cli_json_end(&json);
}

static int write_table(table *table, const char *input, const char *output) {
    const cli_session *session = table->session;
    double start = cli_clock();
    cli_progress_clear();
    heddle_status status =
        heddle_table_save(session->context, table->graph, table->results, table->names, table->count, output);
    table->write_seconds = cli_clock() - start;
    if (status != HEDDLE_OK)
        return cli_fail(session, status);
    if (session->common->json)
        report(table, input, output);
    else if (!session->common->quiet && strcmp(output, "-") != 0)
        cli_say("wrote %.800s: %s, %s (load %s, compute %s, write %s)", output,
                cli_counted(heddle_graph_vertices(table->graph), "vertex", "vertices").text,
                cli_counted(table->count, "column", "columns").text, cli_seconds(table->load_seconds).text,
                cli_seconds(table->run_seconds).text, cli_seconds(table->write_seconds).text);
    return 0;
}

static void destroy(table *table) {
    for (size_t i = 0; i < table->count; i++)
        heddle_result_destroy(&table->columns[i].result);
    heddle_graph_destroy(&table->graph);
    free(table->columns);
    free(table->results);
    free(table->names);
    free(table->text);
}

static int run(cli_session *session, void *opaque) {
    table_settings *settings = opaque;
    const char *input = session->arguments.operands[0];
    const char *output = settings->run.output ? settings->run.output : "-";
    table table = {.session = session};
    if (!strcmp(output, "-") && session->common->json)
        return cli_usage_error(session->command, "the rows and the --json report cannot both go to standard output");
    int exit_status = cli_check_rows(session, output);
    if (!exit_status)
        exit_status = cli_check_replaced(session, output, NULL, 0);
    if (!exit_status)
        exit_status = parse_columns(&table, settings);
    if (!exit_status) {
        heddle_status status = cli_load(session, input, &settings->run.load, &table.graph, &table.load_seconds);
        exit_status = status == HEDDLE_OK ? run_columns(&table) : cli_fail(session, status);
    }
    if (!exit_status)
        exit_status = write_table(&table, input, output);
    destroy(&table);
    return exit_status;
}

/* Of the table, or those of the edge list, which reading calls the same. */
static bool parse_names(const cli_option *option, const char *text, void *destination, char *expected) {
    static const char *const roles[] = {"source=", "target=", "weight="};
    table_settings *settings = destination;
    const char **place = &settings->columns;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (!strncmp(text, roles[i], strlen(roles[i])))
            place = &settings->run.load.columns;
    return cli_parse_text(option, text, place, expected);
}

static const cli_option own_options[] = {
    CLI_VALUE("columns", 0, "ALGORITHM[,...]", parse_names, table_settings, run,
              "what the table has beside the ids: algorithms, each with options as its command takes them and, if you "
              "like, NAME= before it: \"degree,indegree=degree --direction in,pr --damping 0.9\""),
    CLI_VALUE("output", 'o', "FILE", cli_parse_text, table_settings, run.output,
              "write the table to FILE: .tsv or .txt, .csv, .npy or .json, with .gz, .zst, .bz2 or .xz behind it; "
              "without it, tab-separated to standard output"),
    CLI_FLAG("verify", 0, 1, table_settings, run.verify, "check each column against its certificate"),
    CLI_VALUE("device", 'd', "NAME", cli_parse_device, table_settings, run.run.device,
              "where columns are computed that say nothing else (default: auto)"),
    CLI_VALUE("seed", 0, "N", cli_parse_u64, table_settings, run.run.seed, "for choices left to chance"),
    CLI_END_OPTIONS,
};

static const cli_group groups[] = {
    {"Table", own_options, 0},
    CLI_READ_GROUP(table_settings, run.load),
    CLI_BUILD_GROUP(table_settings, run.load.build),
    CLI_COMMON_GROUP,
    CLI_END_GROUP,
};

const cli_command cli_table = {
    .name = "table",
    .aliases = CLI_WORDS("columns"),
    .hints = CLI_WORDS("join", "features"),
    .summary = "several algorithms on one graph, as one table",
    .operands = "GRAPH",
    .about =
        "Reads GRAPH once, runs the algorithms one after the other, and writes a row for each vertex: its id, then the "
        "value of each algorithm. Columns are called after what they hold (degree, pagerank, core, community ...); two "
        "that hold the same, after their algorithms. The first line has the names; an .npy file is a structured array, "
        "with the id as its first field.\n\n"
        "Algorithms with other rows than a value for each vertex, such as mst and walks, are no columns.",
    .examples = "heddle table follows.csv --columns degree,pagerank,kcore,leiden -o users.csv\n"
                "heddle table roads.gr -o far.tsv \\\n"
                "    --columns 'depot=sssp --source 17,harbour=sssp --source 4'",
    .groups = groups,
    .settings_size = sizeof(table_settings),
    .defaults = defaults,
    .run = run,
};
