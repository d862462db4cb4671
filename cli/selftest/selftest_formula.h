/* selftest_formula.h - the types, operations and leaves of random programs, shared by their text and their
 * interpreter. */
#ifndef CLI_SELFTEST_FORMULA_H
#define CLI_SELFTEST_FORMULA_H

#include "selftest/selftest_program.h"

enum { CLI_TYPE_U32, CLI_TYPE_U64, CLI_TYPE_I32, CLI_TYPE_I64, CLI_TYPE_F32, CLI_TYPE_F64, CLI_TYPE_REAL, CLI_TYPES };
enum { CLI_REDUCE_MIN, CLI_REDUCE_MAX, CLI_REDUCE_OR, CLI_REDUCE_AND, CLI_REDUCE_SUM, CLI_REDUCE_XOR };

typedef enum cli_type_kind { CLI_KIND_UNSIGNED, CLI_KIND_SIGNED, CLI_KIND_REAL } cli_type_kind;

typedef struct cli_type {
    cli_type_kind kind;
    unsigned bits;
    uint64_t most;         /* of whole numbers: stands for infinity */
    const char *most_text; /* in C */
} cli_type;
extern const cli_type cli_types[CLI_TYPES];

/* Operations of formulas. Real numbers have four: a + b, a / 2 + b, MINIMUM, MAXIMUM. Signed ones do not overflow.
 * Those from SAME on keep the order of values; what they do depends on the reduction. */
enum {
    CLI_OP_AND,
    CLI_OP_OR,
    CLI_OP_XOR,
    CLI_OP_LESSER,
    CLI_OP_LARGER,
    CLI_OP_SIGNED,
    CLI_OP_PLUS = CLI_OP_SIGNED,
    CLI_OP_TIMES,
    CLI_OP_MINUS,
    CLI_OP_UNSIGNED,
    CLI_OP_SAME = CLI_OP_UNSIGNED,
    CLI_OP_FARTHER, /* MIN: a + b, MAX: a - b, at most infinity or at least 0; OR, AND: a rotated by one bit */
    CLI_OP_BOUND    /* MIN: the larger, MAX: the smaller, OR: a & b, AND: a | b */
};

/* Leaves of formulas. */
enum {
    CLI_LEAF_VALUE,
    CLI_LEAF_ONE,
    CLI_LEAF_WEIGHT,
    CLI_LEAF_DEGREE,
    CLI_LEAF_THREE,
    CLI_LEAF_SEVEN,
    CLI_LEAF_SOURCE,
    CLI_LEAF_TARGET,
    CLI_LEAF_VERTEX,
    CLI_LEAF_MESSAGE,
    CLI_LEAF_IN_DEGREE,
    CLI_LEAF_OUT_DEGREE,
    CLI_LEAF_IS_SOURCE,
    CLI_LEAF_INITIAL,
    CLI_LEAF_FIXED,
    CLI_LEAF_ITERATION,
    CLI_LEAF_PARAMETER,
    CLI_LEAF_VERTICES,
    CLI_LEAF_TOTAL,
    CLI_LEAF_PHASE,
    CLI_LEAVES
};

/* Whether update() or send() can use the leaf and the program has declared what it needs; otherwise CLI_LEAF_ONE takes
 * its place. */
bool cli_leaf_known(const cli_program *program, bool updating, unsigned leaf);
/* The text of a monotone operation on `value` and `amount`. */
void cli_monotone_text(const cli_program *program, unsigned operation, char *text, size_t size);
const char *cli_worst(const cli_program *program);       /* the identity of the reduction */
const char *cli_first(const cli_program *program);       /* the first value of a source, or of every vertex */
const char *cli_dumb_weight(const cli_program *program); /* NULL: there is none */

#endif
