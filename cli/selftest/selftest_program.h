/* selftest_program.h - random vertex programs of `heddle selftest --cases`: bytes become the C text of a program that
 * keeps its promises, and a plain interpreter of the same choices says what it has to compute. */
#ifndef CLI_SELFTEST_PROGRAM_H
#define CLI_SELFTEST_PROGRAM_H

#include "command.h"

enum { CLI_PROGRAM_BYTES = 24, CLI_PROGRAM_TEXT = 4096, CLI_PROGRAM_STEPS = 3 };

/* Kinds of programs. The first five are built in, too; PATHS are any other monotone program, ROUNDS any that is not,
 * SUMS approach a limit. */
typedef enum cli_program_kind {
    CLI_PROGRAM_BFS,
    CLI_PROGRAM_SSSP,
    CLI_PROGRAM_SSWP,
    CLI_PROGRAM_CC,
    CLI_PROGRAM_PR,
    CLI_PROGRAM_KCORE,
    CLI_PROGRAM_PATHS,
    CLI_PROGRAM_ROUNDS,
    CLI_PROGRAM_SUMS,
    CLI_PROGRAM_KINDS
} cli_program_kind;

/* `accumulator operation leaf`, or the first leaf alone. */
typedef struct cli_program_step {
    unsigned operation, leaf;
} cli_program_step;

/* An expression: steps one after the other. */
typedef struct cli_program_formula {
    unsigned count;
    cli_program_step steps[CLI_PROGRAM_STEPS];
} cli_program_formula;

typedef struct cli_program {
    cli_program_kind kind;
    unsigned type, weight; /* of values and of weights; weight 0: none, else 1 + type */
    unsigned reduce, message;
    bool from_sources, monotone, reversed, edges, run, totals, done, phases, pair, all_active, mixed, unreached, means;
    unsigned changes; /* when update() returns 1 */
    unsigned output;  /* 0: the value itself, 1: as f64, 2: of a pair the label */
    unsigned rounds;  /* at most; 0: until nothing changes */
    cli_program_formula send, update;
    char text[CLI_PROGRAM_TEXT];
} cli_program;

/* Reads CLI_PROGRAM_BYTES bytes; zeros are the simplest program. */
void cli_program_decode(const uint8_t *bytes, cli_program *program);
/* Writes the text; again after a change of a field. */
void cli_program_write(cli_program *program);

/* The algorithm that computes the same; NULL: none. */
const char *cli_program_built_in(const cli_program *program);
/* How far values may be from those of another run. */
double cli_program_room(const cli_program *program);
/* Bits of cli_holds: the changes of a graph with a known effect on its values. */
unsigned cli_program_holds(const cli_program *program);

/* Compares the result with what the interpreter finds; true, too, if that cannot be known. */
bool cli_program_agrees(const cli_program *program, heddle_context *context, const heddle_graph *graph,
                        const heddle_run_options *options, const heddle_result *result, char *words, size_t size);

#endif
