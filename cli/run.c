/* run.c - heddle run: a vertex program of the user's own. docs/programs.md is the manual of programs. */
#include "algorithm.h"
#include "report.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const cli_algorithm program = {.rows = CLI_ROWS_VALUES, .top_title = "The largest values"};

/* Appends "name=number,name=number" to the parameters given so far. */
static bool parse_parameters(const cli_option *option, const char *text, void *destination, char *expected) {
    char *parameters = destination;
    size_t used = strlen(parameters);
    (void)option;
    snprintf(expected, CLI_EXPECTED_ROOM, "NAME=NUMBER, or several with commas between them");
    for (const char *at = text;; at++) {
        size_t name = strcspn(at, "=,"), number;
        double value;
        if (!name || at[name] != '=')
            return false;
        number = strcspn(at + name + 1, ",");
        if (!cli_read_real(at + name + 1, number, &value))
            return false;
        at += name + 1 + number;
        if (!*at)
            break;
    }
    if (used + strlen(text) + 2 > CLI_PARAMETERS_ROOM) {
        snprintf(expected, CLI_EXPECTED_ROOM, "fewer parameters");
        return false;
    }
    snprintf(parameters + used, CLI_PARAMETERS_ROOM - used, "%s%s", used ? "," : "", text);
    return true;
}

static const cli_option program_options[] = {
    CLI_VALUE("param", 'p', "NAME=VALUE", parse_parameters, cli_run_settings, parameters,
              "sets a parameter of the program; may be given several times, or as a=1,b=2"),
    CLI_FLAG("verify", 0, 1, cli_run_settings, verify,
             "compare the results with those of plain rounds on the CPU, one after the other over all edges: finds "
             "promises in TRAITS that do not hold, not what your program should find"),
    CLI_END_OPTIONS,
};

static bool is_source(const char *path) {
    size_t length = strlen(path);
    return length > 2 && !strcmp(path + length - 2, ".c");
}

static int run(cli_session *session, void *opaque) {
    cli_run_settings *settings = opaque;
    char *const *operands = session->arguments.operands;
    if (is_source(operands[1]) && !is_source(operands[0]))
        return cli_usage_error(session->command,
                               "the program comes first, then the graph; here their order is reversed: try 'heddle "
                               "run %.300s %.300s'",
                               operands[1], operands[0]);
    settings->run.program = session->arguments.operands[0];
    settings->run.parameters = settings->parameters;
    setenv("POCL_SIGFPE_HANDLER", "0", 0); /* PoCL's handler loops forever if a program divides by zero */
    return cli_run_algorithm(session, settings, &program, session->arguments.operands[1]);
}

static const cli_group groups[] = {
    {"Program", program_options, 0},
    {"", cli_start_options, 0},
    {"", cli_init_options, 0},
    {"", cli_rounds_options, 0},
    CLI_RUN_GROUPS,
};

const cli_command cli_run = {
    .name = "run",
    .hints = CLI_WORDS("program"),
    .algorithm = true,
    .ranks = CLI_RANKS_ALL,
    .summary = "a vertex program of your own",
    .operands = "PROGRAM.c GRAPH",
    .about =
        "Compiles PROGRAM.c, a few functions in C that say what an edge carries and what a vertex makes of it, with "
        "the system's C compiler and runs it on GRAPH until no value changes any more. The compiled program is "
        "kept in $HEDDLE_CACHE (or ~/.cache/heddle), so that only the first run has to wait for it.\n\n"
        "docs/programs.md is the manual; examples/ has programs to start from. A program runs as you, with your "
        "rights: run only programs that you trust.",
    .examples = "heddle run reliability.c network.txt --source a --top 10\n"
                "heddle run influence.c links.hdl --param decay=0.5 --output influence.tsv\n"
                "heddle run nearest.c roads.gr --sources depots.txt --init labels.txt",
    .groups = groups,
    .settings_size = sizeof(cli_run_settings),
    .defaults = cli_run_defaults,
    .run = run,
};
