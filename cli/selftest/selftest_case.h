/* selftest_case.h - random cases: bytes become a graph, an algorithm or a vertex program, options, a plan, a device and
 * a relation, by which the result is compared with that of a second run. Any bytes are a case, and zeros or missing
 * bytes are the simplest choice, so a case shrinks by dropping and clearing bytes. `heddle selftest --seed` draws the
 * bytes, tests/fuzz/fuzz_run.c has them from a fuzzer. */
#ifndef CLI_SELFTEST_CASE_H
#define CLI_SELFTEST_CASE_H

#include "algorithm.h"
#include "selftest/selftest_program.h"

enum {
    CLI_CASE_VERTICES = 600,
    CLI_CASE_LARGE = 112, /* a few graphs have so many times as many vertices, and arcs */
    CLI_CASE_ARCS = 1 << 12,
    CLI_CASE_MOST_VERTICES = CLI_CASE_VERTICES * CLI_CASE_LARGE,
    CLI_CASE_MOST_ARCS = CLI_CASE_ARCS * CLI_CASE_LARGE,
    CLI_CASE_ISOLATED = 8, /* vertices that a relation adds, at most */
    CLI_CASE_SOURCES = 3,
    CLI_CASE_PAIRS = 4,
    CLI_CASE_BYTES = 512
};

/* Arcs as the builder takes them: an undirected graph has each edge once. */
typedef struct cli_case_graph {
    uint64_t vertices, arcs;
    int undirected;
    heddle_weight_type type;
    int64_t from[CLI_CASE_MOST_ARCS], to[CLI_CASE_MOST_ARCS];
    double weight[CLI_CASE_MOST_ARCS];
} cli_case_graph;

typedef struct cli_case {
    cli_case_graph graph;
    const cli_algorithm *algorithm; /* NULL: the program */
    cli_program program;
    heddle_run_options run; /* refers to the arrays below */
    heddle_vertex sources[CLI_CASE_SOURCES];
    heddle_vertex pairs[2 * CLI_CASE_PAIRS];
    double initial[CLI_CASE_MOST_VERTICES + CLI_CASE_ISOLATED]; /* or weights of a personalisation */
    unsigned char fixed[CLI_CASE_MOST_VERTICES + CLI_CASE_ISOLATED];
    char plan[48], device[24];
    size_t relation; /* an index of cli_case_relation_name */
    uint64_t salt;   /* for all that a relation chooses */
} cli_case;

typedef enum cli_case_outcome { CLI_CASE_PASSED, CLI_CASE_REFUSED, CLI_CASE_FAILED } cli_case_outcome;

/* Reads a case; `device`: the device to test ("cpu"), `algorithm`: NULL, or the only one, "program" for generated
 * programs. `quick`: few different programs, which have to be compiled, and no large graphs. */
void cli_case_decode(const uint8_t *bytes, size_t size, const char *device, const char *algorithm, bool quick,
                     cli_case *found);
/* The case in words: the graph as an edge list, and all options that are not the defaults. */
void cli_case_describe(FILE *out, const cli_case *the_case);

/* Runs the case and checks it: certificate, sequential reference, relation (where it does not hold, the next, which the
 * case has then). `words` says what went wrong, or why the run was refused. `folder`: for temporary files. */
cli_case_outcome cli_case_check(cli_case *the_case, const char *folder, char *words, size_t size);

const char *cli_case_relation_name(size_t index); /* NULL past the last */

/* Whether two values agree within `room`, relative to the larger of them and 1. */
bool cli_near(double a, double b, double room);
/* How far results of the algorithm on this graph may be from the reference; negative: they are not comparable. */
double cli_room_for(const cli_algorithm *algorithm, const heddle_graph *graph);

/* `cases` cases from `seed` on; a failure is shrunk and shown with the command that repeats it. `bytes`: NULL, or one
 * case in hexadecimal digits. Returns the exit status. */
typedef struct cli_random_settings {
    const char *device, *algorithm, *bytes;
    uint64_t seed, cases;
    int verbose;
} cli_random_settings;
int cli_selftest_random(const cli_session *session, const cli_random_settings *settings);

#endif
