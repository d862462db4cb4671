/* algorithm.h - shared by the algorithm commands and `heddle run`: settings, options, and the body of the command.
 *
 * A new algorithm: its words in algorithm_table.c.
 */
#ifndef CLI_ALGORITHM_H
#define CLI_ALGORITHM_H

#include "command.h"
#include "common.h"

enum { CLI_PARAMETERS_ROOM = 1024 };

typedef struct cli_run_settings {
    cli_common common;
    heddle_load_options load;
    heddle_run_options run;
    const char *source;  /* "ID,ID,…" */
    const char *sources; /* a file of them */
    const char *path_to;
    int parents;
    const char *init, *fixed, *personalize; /* files of "id value" lines */
    const char *pairs;                      /* a file of "id id" lines */
    char parameters[CLI_PARAMETERS_ROOM];   /* "name=value,name=value" */
    const char *output;
    int output_header;
    uint64_t top;
    int verify;
    int dry_run;
    const char *trace;
    const char *report; /* a page */
} cli_run_settings;

/* Kinds of rows of a result. */
typedef enum cli_row_kind {
    CLI_ROWS_VALUES,     /* a vertex and its value */
    CLI_ROWS_COMPONENTS, /* the label of a component and its size */
    CLI_ROWS_EDGES,      /* two ends and a weight */
    CLI_ROWS_WALKS       /* vertices one after the other: none is larger than another */
} cli_row_kind;

/* Which changes of a graph have a known effect on the values (selftest_relations.c). */
typedef enum cli_holds {
    CLI_HOLDS_RENAMED = 1,          /* renaming vertices renames the values */
    CLI_HOLDS_GIVEN = 2,            /* RENAMED, but only if sources are given */
    CLI_HOLDS_ISOLATED = 4,         /* isolated vertices change no other value, unless values are normalized */
    CLI_HOLDS_REVERSED = 8,         /* reversing all edges changes nothing, unless sources are given */
    CLI_HOLDS_OPTION_REVERSED = 16, /* REVERSED, if the option `reversed` changes too */
    CLI_HOLDS_DOUBLED = 32,         /* doubling the weights changes nothing */
    CLI_HOLDS_TIMES = 64,           /* DOUBLED, and the values double */
    CLI_HOLDS_SPLIT = 128           /* an edge may be two, with a vertex between them */
} cli_holds;

/* An algorithm: its command, and other facts about it that commands need. */
typedef struct cli_algorithm {
    cli_command command;
    cli_row_kind rows;
    const char *top_title; /* what --top shows: "the farthest vertices" */
    const char *value;     /* what a vertex's number is, for axes and tables of pages; NULL: "value" */
    const char *weight;    /* CLI_ROWS_EDGES: what the third word of a row is; NULL: the edge's weight */
    const char *witness;   /* what the edges are that a result may have in place of values: "the edges of a cycle" */
    bool widest;           /* the larger a value the better: -inf for vertices that are not reached */
    double rest;           /* the first value of a vertex that --init does not name */
    bool jumps;            /* sources without --each are where jumps go */
    bool bounded;          /* --max-error makes it approximate, with a bound */
    bool from_all;         /* every vertex is a source unless some are named: worth a GPU on small files too */
    /* heddle bench: */
    bool benched;         /* unless others are named */
    bool weights;         /* reads them */
    double walks;         /* over all edges, at least; 0: one */
    bool walks_per_round; /* as many as there are rounds */
    /* heddle selftest: tolerance against the reference, relative to the larger of the two values and 1; negative:
     * certificate only, since rounds stop at a tolerance that does not bound the distance from the limit. */
    double room;
    bool room_by_weights; /* with weights of single precision only; else there is none */
    unsigned holds;       /* bits of cli_holds */
} cli_algorithm;

/* The algorithms, in the order of the help; NULL past the last. Those without words in algorithm_table.c come last. */
const cli_algorithm *cli_algorithm_at(size_t index);
const cli_algorithm *cli_algorithm_called(const char *name); /* NULL: there is none */

/* Whether the word is a program of the user's own: "FILE.c". */
bool cli_names_program(const char *word);

/* Runs `settings->run` on the graph in the file `path`; the exit status. */
int cli_run_algorithm(cli_session *session, cli_run_settings *settings, const cli_algorithm *algorithm,
                      const char *path);
void cli_run_defaults(void *settings);
/* Runs `settings->run` on a graph, and verifies the result on request: one of several runs of a command. */
int cli_run_on(cli_session *session, cli_run_settings *settings, const cli_algorithm *algorithm,
               const heddle_graph *graph, heddle_result **result);
/* Exit status 0, or 2 or 3 with a message if rows cannot be written to `path` (NULL: none). The library checks this
 * too, but only after the run. Of several ranks, rank 0 makes the file. */
int cli_check_rows(const cli_session *session, const char *path);

extern const cli_option cli_start_options[];   /* --source, --sources */
extern const cli_option cli_path_options[];    /* --path-to, --parents */
extern const cli_option cli_rounds_options[];  /* --tolerance, --max-iterations */
extern const cli_option cli_init_options[];    /* --init, --fixed */
extern const cli_option cli_result_options[];  /* --output, --top */
extern const cli_option cli_running_options[]; /* --seed, --memory-limit … */
extern const cli_option cli_device_options[]; /* --device, --plan …: help lists them, 'heddle help running' explains */

/* The groups that every run has, and the end of the table. */
#define CLI_RUN_GROUPS                                                                                              \
    {"Result", cli_result_options, 0}, {"Running", cli_running_options, 0}, CLI_READ_GROUP(cli_run_settings, load), \
        CLI_BUILD_GROUP(cli_run_settings, load.build), {"Devices, plans, checkpoints", cli_device_options, 0},      \
        CLI_COMMON_GROUP, CLI_END_GROUP

/* Kinds of values: a finite number above 0; one from 0 to below 1; one between 0 and 1; a device's name. */
cli_parser cli_parse_positive, cli_parse_fraction, cli_parse_probability, cli_parse_device;

/* The name of an algorithm's values, in a word or two: "rank", "distance". */
static inline const char *cli_value_name(const cli_algorithm *algorithm) {
    return algorithm->value ? algorithm->value : "value";
}

#endif
