/* help.c - heddle help and heddle version. All of it is made from the tables: of commands, of options, of formats and
 * of generators. With --json the same tables come out for programs (shell completion, documentation). */
#include "algorithm.h"
#include "command.h"
#include "common.h"
#include "json.h"
#include "provenance.h"
#include "report.h"
#include "text.h"

#include <string.h>

typedef struct help_settings {
    cli_common common;
} help_settings;

enum { OPTION_COLUMN = 28 };

/* ---- Text ------------------------------------------------------------------------------------------------------ */

/* Lines, each indented by two. */
static void print_lines(FILE *out, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "  %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_option(FILE *out, const cli_option *option) {
    int column = option->letter ? fprintf(out, "  -%c, --%s", option->letter, option->name)
                                : fprintf(out, "      --%s", option->name);
    if (option->argument)
        column += fprintf(out, option->optional ? "[=%s]" : " %s", option->argument);
    if (column + 2 > OPTION_COLUMN) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", OPTION_COLUMN - column, "");
    cli_wrap(out, option->help, OPTION_COLUMN, OPTION_COLUMN, CLI_WIDTH);
}

/* The topic that explains a group of options, of which an algorithm's page lists only the names; NULL: it explains them
 * itself. */
static const char *topic_of(const cli_command *command, const cli_group *group) {
    return group->options == cli_device_options                       ? "running"
           : command->algorithm && group->options == cli_read_options ? "reading"
                                                                      : NULL;
}

static void print_names(FILE *out, const cli_option *options) {
    char text[512] = "";
    size_t used = 0;
    for (; options->name && used < sizeof text; options++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s--%s%s%s", used ? ", " : "", options->name,
                                 options->argument ? " " : "", options->argument ? options->argument : "");
    fputs("  ", out);
    cli_wrap(out, text, 2, 2, CLI_WIDTH);
}

void cli_print_help(FILE *out, const cli_command *command) {
    fprintf(out, "heddle %s - %s\n\nUsage: heddle %s %s%s[options]\n\n", command->name, command->summary, command->name,
            command->operands, *command->operands ? " " : "");
    if (command->about)
        cli_wrap(out, command->about, 0, 0, CLI_WIDTH);
    if (command->more_help) {
        fputc('\n', out);
        command->more_help(out);
    }
    for (const cli_group *group = command->groups; group->title; group++) {
        const char *brief = topic_of(command, group);
        if (*group->title) /* an untitled group goes on with the one before */
            fprintf(out, brief ? "\n%s ('heddle help %s' explains them):\n" : "\n%s:\n", group->title, brief);
        if (brief) {
            print_names(out, group->options);
            continue;
        }
        for (const cli_option *option = group->options; option->name; option++)
            print_option(out, option);
    }
    fputs("  -h, --help                this text\n", out);
    fputs("\nExamples:\n", out);
    print_lines(out, command->examples);
}

static void list_commands(FILE *out, const char *title, bool algorithms) {
    fprintf(out, "\n%s:\n", title);
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        if (command->algorithm != algorithms)
            continue;
        int column = fprintf(out, "  %-9s %s", command->name, command->operands);
        if (column + 1 > OPTION_COLUMN) {
            fputc('\n', out);
            column = 0;
        }
        fprintf(out, "%*s%s\n", OPTION_COLUMN - column, "", command->summary);
    }
}

/* Of each algorithm the best-known other name. */
static void list_names(FILE *out) {
    char text[1024] = "The names of the field work too: ";
    size_t used = strlen(text);
    const cli_command *command;
    const char *between = "";
    for (size_t i = 0; (command = cli_command_at(i)) && used < sizeof text; i++)
        if (command->algorithm && command->aliases) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s (%s)", between, command->aliases[0],
                                     command->name);
            between = ", ";
        }
    fputc('\n', out);
    cli_wrap(out, text, 0, 2, CLI_WIDTH);
}

void cli_print_greeting(FILE *out) {
    fputs("heddle " HEDDLE_VERSION_STRING " - graph analytics for irregular graphs\n\n"
          "  heddle pr example:karate --top 5   rank the vertices of a small graph\n"
          "  heddle info edges.csv              size, degrees and components of a graph of yours\n"
          "  heddle help                        all commands; 'heddle help pr' explains one\n",
          out);
}

void cli_print_overview(FILE *out) {
    fputs("heddle " HEDDLE_VERSION_STRING " - graph analytics for irregular graphs\n\n"
          "Usage: heddle COMMAND [operands] [options]\n",
          out);
    list_commands(out, "Algorithms", true);
    list_names(out);
    list_commands(out, "Graphs and help", false);
    fputs("\nMore:\n"
          "  heddle help COMMAND       what a command does, its options, examples\n"
          "  heddle help formats       the file formats\n"
          "  heddle help generators    the kinds of synthetic graphs\n"
          "  heddle help plans         presets and keys of --plan\n"
          "  heddle help reading       how a graph is read: columns, headers, weights, ids\n"
          "  heddle help running       devices, plans, traces and checkpoints of runs\n"
          "\nA first session:\n"
          "  heddle generate rmat g.hdl --scale 16 --weights 1..100\n"
          "  heddle info g.hdl\n"
          "  heddle pr g.hdl --top 10 --verify\n"
          "  heddle sssp g.hdl --source 3 --output distances.tsv\n"
          "\nExit status:\n"
          "  0 done   1 failed   2 usage   3 bad input or output   4 out of memory\n"
          "  5 verification failed   6 a program of your own crashed   130 interrupted\n"
          "  141 the reader of standard output has ended, as in a pipe to head\n",
          out);
}

static void print_formats(FILE *out) {
    const heddle_format_info *format;
    fputs("File formats, by the names that --format, --from and --to take:\n\n", out);
    for (size_t i = 0; (format = heddle_format_at(i)); i++) {
        fprintf(out, "  %-10s  ", format->name);
        cli_wrap(out, format->description, 14, 14, CLI_WIDTH);
        fprintf(out, "%14ssuffixes: %s\n", "", format->suffixes);
    }
    fputc('\n', out);
    cli_wrap(out,
             "Each may be compressed with gzip (.gz), zstd (.zst), bzip2 (.bz2) or xz (.xz). When reading, the "
             "format is found from the content, the suffix only decides in doubt; when writing, the suffix "
             "decides, or --to.",
             0, 0, CLI_WIDTH);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void json_formats(cli_json *json) {
    const heddle_format_info *format;
    cli_json_array(json, "formats");
    for (size_t i = 0; (format = heddle_format_at(i)); i++) {
        cli_json_object(json, NULL);
        cli_json_text(json, "name", format->name);
        cli_json_text(json, "description", format->description);
        cli_json_text(json, "suffixes", format->suffixes);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void json_generators(cli_json *json) {
    const heddle_generator_info *generator;
    cli_json_array(json, "generators");
    for (size_t i = 0; (generator = heddle_generator_at(i)); i++) {
        cli_json_object(json, NULL);
        cli_json_text(json, "kind", generator->kind);
        cli_json_text(json, "description", generator->description);
        cli_json_text(json, "options", generator->options);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void json_names(cli_json *json, const char *key, const char *(*at)(size_t index)) {
    cli_json_array(json, key);
    for (size_t i = 0; at(i); i++)
        cli_json_text(json, NULL, at(i));
    cli_json_end(json);
}

static const char *transform_at(size_t index) {
    const heddle_transform_info *info = heddle_transform_at(index);
    return info ? info->name : NULL;
}

static const char *order_at(size_t index) {
    const heddle_order_info *info = heddle_order_at(index);
    return info ? info->name : NULL;
}

static void json_plans(cli_json *json) {
    json_names(json, "plans", heddle_plan_at);
    json_names(json, "transforms", transform_at);
    json_names(json, "orders", order_at);
    json_names(json, "device_kinds", heddle_device_kind_at);
    cli_json_object(json, "plan_keys");
    for (size_t i = 0; heddle_plan_key_at(i); i++) {
        cli_json_array(json, heddle_plan_key_at(i)->name);
        for (size_t k = 0; heddle_plan_value_at(i, k); k++)
            cli_json_text(json, NULL, heddle_plan_value_at(i, k));
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void json_command(cli_json *json, const cli_command *command) {
    cli_json_object(json, NULL);
    cli_json_text(json, "name", command->name);
    cli_json_text(json, "summary", command->summary);
    cli_json_text(json, "operands", command->operands);
    cli_json_array(json, "options");
    for (const cli_group *group = command->groups; group->title; group++)
        for (const cli_option *option = group->options; option->name; option++) {
            char letter[2] = {option->letter, 0};
            cli_json_object(json, NULL);
            cli_json_text(json, "name", option->name);
            cli_json_text(json, "letter", option->letter ? letter : NULL);
            cli_json_text(json, "argument", option->argument);
            cli_json_flag(json, "optional", option->optional);
            cli_json_text(json, "help", option->help);
            cli_json_end(json);
        }
    cli_json_end(json);
    cli_json_end(json);
}

static void json_commands(cli_json *json, const cli_command *only) {
    cli_json_array(json, "commands");
    for (size_t i = 0; cli_command_at(i); i++)
        if (!only || cli_command_at(i) == only)
            json_command(json, cli_command_at(i));
    cli_json_end(json);
}

/* ---- help ------------------------------------------------------------------------------------------------------ */

static int unknown_topic(const char *topic) {
    cli_nearest nearest = cli_nearest_to(topic);
    cli_nearest_offer(&nearest, "formats");
    cli_nearest_offer(&nearest, "generators");
    cli_nearest_offer(&nearest, "plans");
    cli_nearest_offer(&nearest, "running");
    cli_nearest_offer(&nearest, "reading");
    for (size_t i = 0; cli_command_at(i); i++)
        cli_nearest_offer(&nearest, cli_command_at(i)->name);
    if (nearest.best)
        return cli_usage_error(NULL, "no help on '%.100s'; did you mean '%s'?", topic, nearest.best);
    return cli_usage_error(NULL, "no help on '%.100s'", topic);
}

static int run_help(cli_session *session, void *opaque) {
    bool as_json = ((const help_settings *)opaque)->common.json;
    const char *topic = session->arguments.operand_count ? session->arguments.operands[0] : "";
    const cli_command *command = cli_find_command(topic);
    bool formats = !strcmp(topic, "formats"), generators = !strcmp(topic, "generators"),
         plans = !strcmp(topic, "plans"), running = !strcmp(topic, "running"), reading = !strcmp(topic, "reading");
    if (*topic && !command && !formats && !generators && !plans && !running && !reading)
        return unknown_topic(topic);
    if (as_json) {
        cli_json json = {.out = stdout};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "version", heddle_version());
        if (!*topic || command)
            json_commands(&json, command);
        if (!*topic || formats)
            json_formats(&json);
        if (!*topic || generators)
            json_generators(&json);
        if (!*topic || plans)
            json_plans(&json);
        cli_json_end(&json);
    } else if (command) {
        cli_print_help(stdout, command);
    } else if (formats) {
        print_formats(stdout);
    } else if (generators) {
        cli_print_generators(stdout);
    } else if (plans) {
        cli_print_plans(stdout);
    } else if (running || reading) {
        fputs(running ? "Options of every run, for devices and long runs:\n\n"
                      : "Options of every command that reads a graph:\n\n",
              stdout);
        for (const cli_option *option = running ? cli_device_options : cli_read_options; option->name; option++)
            print_option(stdout, option);
    } else {
        cli_print_overview(stdout);
    }
    return 0;
}

static const cli_group groups[] = {CLI_COMMON_GROUP, CLI_END_GROUP};

const cli_command cli_help = {
    .name = "help",
    .summary = "this list, or help on a command or topic",
    .operands = "[TOPIC]",
    .about = "Explains a command, or one of the topics formats, generators, plans, reading and running. With --json "
             "the tables of "
             "commands, options, formats, generators and plans are written for programs to read.",
    .examples = "heddle help generate\nheddle help formats\nheddle help --json",
    .groups = groups,
    .settings_size = sizeof(help_settings),
    .run = run_help,
};

/* ---- version --------------------------------------------------------------------------------------------------- */

static int run_version(cli_session *session, void *opaque) {
    const char *line = heddle_build_info();
    (void)session;
    if (!((const help_settings *)opaque)->common.json) {
        printf("heddle %s\n%sbuilt for %s\n", heddle_version(), line, cli_platform());
        if (cli_commit())
            printf("commit %s\n", cli_commit());
        return 0;
    }
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "version", heddle_version());
    cli_json_text(&json, "commit", cli_commit());
    cli_json_text(&json, "platform", cli_platform());
    cli_json_array(&json, "build");
    while (*line) {
        char text[256];
        size_t length = strcspn(line, "\n");
        snprintf(text, sizeof text, "%.*s", (int)length, line);
        cli_json_text(&json, NULL, text);
        line += length + (line[length] == '\n');
    }
    cli_json_end(&json);
    cli_json_end(&json);
    return 0;
}

const cli_command cli_version = {
    .name = "version",
    .summary = "the version, and what this build contains",
    .operands = "",
    .about = "Prints the version in the first line, and below it the compiler and the libraries that this build was "
             "made with, the processor and C library that it is for, and the commit if it is of a checkout.",
    .examples = "heddle --version",
    .groups = groups,
    .settings_size = sizeof(help_settings),
    .run = run_version,
};
