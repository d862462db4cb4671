/* command.h - the type of a subcommand.
 *
 * One file per subcommand defines one cli_command: its words, its options, and a function. One line in main.c's table
 * makes it known to dispatch, help and suggestions. main.c parses the line, opens the context and handles signals, so
 * that `run` only does the work, and returns the exit status.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "heddle.h"
#include "options.h"

#include <stdio.h>

typedef struct cli_session cli_session;

/* Options that every command has; each command's settings begin with them. */
typedef struct cli_common {
    int threads; /* 0: as many as the machine offers */
    int quiet;
    int json;
} cli_common;

#define CLI_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* How a command acts if a launcher starts it several times. */
typedef enum cli_ranks {
    CLI_RANKS_FIRST = 0, /* rank 0 runs it, the others end at once */
    CLI_RANKS_ALL,       /* all run it together */
    CLI_RANKS_NONE       /* it is refused */
} cli_ranks;

typedef struct cli_command {
    const char *name;
    const char *const *aliases; /* words of the field that run it, see names.h; CLI_WORDS, or NULL */
    const char *const *hints;   /* words that remind of it */
    bool algorithm;             /* listed among the algorithms */
    cli_ranks ranks;
    const char *ranks_word; /* with this word among the operands, all ranks run it together; NULL: there is none */
    const char *summary;    /* one line, for the list of commands */
    const char *operands;   /* "IN OUT"; an optional one stands in brackets, last */
    const char *about;      /* paragraphs, wrapped when shown; NULL: the summary says all */
    const char *examples;   /* lines, shown as they are */
    const cli_group *groups;
    size_t settings_size;             /* of the struct that the groups fill; it begins with cli_common */
    void (*defaults)(void *settings); /* NULL: all zero */
    void (*more_help)(FILE *out);     /* shown between about and options; NULL: nothing */
    int (*run)(cli_session *session, void *settings);
} cli_command;

struct cli_session {
    const cli_command *command;
    const cli_common *common;
    cli_arguments arguments;
    heddle_context *context;
    const char *const *words; /* the command line behind "heddle", as it was given */
    int word_count;
};

/* All commands, the algorithms first; NULL: past the last (main.c). */
const cli_command *cli_command_at(size_t index);
const cli_command *cli_find_command(const char *name);

/* Calls `run` with a context of the settings' own, which ends with the call (main.c). Returns the exit status. */
int cli_with_context(cli_session *session, void *settings, int (*run)(cli_session *session, void *settings));

/* Help texts (help.c). */
void cli_print_greeting(FILE *out);
void cli_print_overview(FILE *out);
void cli_print_help(FILE *out, const cli_command *command);
void cli_print_generators(FILE *out); /* generate.c */
void cli_print_plans(FILE *out);      /* plans.c */

extern const cli_command cli_run, cli_info, cli_convert, cli_generate, cli_subgraph, cli_transform, cli_explain,
    cli_devices, cli_doctor, cli_selftest, cli_bench, cli_graphalytics, cli_cache, cli_draw, cli_table, cli_help,
    cli_version;

#endif
