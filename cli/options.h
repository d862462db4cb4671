/* options.h - a declarative option parser.
 *
 * A command describes its options in tables; each line says what the option is called, how its value is read and where
 * in the command's settings it goes. Parsing, error messages and help all come from the same tables. Tables are
 * joined in groups, so that commands can share them ("Reading the graph").
 *
 * Understood: --name, --name=value, --name value, -n, -n value, -nvalue, bundled flags (-qj); options anywhere among
 * the operands; "--" ends them; "-" is an operand. Names are never abbreviated: a script must not change its meaning
 * because a new option came along.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_option cli_option;

enum { CLI_EXPECTED_ROOM = 192 };

/* Reads `text` into `destination`. On failure returns false and says in `expected` (CLI_EXPECTED_ROOM bytes) what
 * should have been there, to follow the word "expected". */
typedef bool cli_parser(const cli_option *option, const char *text, void *destination, char *expected);

/* A table of them ends with name NULL. */
typedef struct cli_choice {
    const char *name;
    int value;
} cli_choice;

/* A table of them ends with CLI_END_OPTIONS. */
struct cli_option {
    const char *name;          /* without the dashes */
    char letter;               /* short form, or 0 */
    const char *argument;      /* what help calls its value; NULL: it takes none */
    cli_parser *parse;         /* the kind of value */
    size_t offset;             /* of the destination in the group's struct */
    const char *help;          /* one sentence, wrapped when shown */
    const cli_choice *choices; /* cli_parse_choice */
    bool optional;             /* the value may be left out; it is given as --name=value only */
    int store;                 /* stored by a flag, or when an optional value is left out */
    double low, high;          /* bounds of a number, inclusive; both 0: none */
};

/* Lines of such a table: a flag that stores `value`, an option with a value, one with a bounded number, one with a
 * choice of words, and one whose word may be left out (`value` is stored then). */
#define CLI_FLAG(name, letter, value, type, field, help) \
    { name, letter, NULL, cli_parse_flag, offsetof(type, field), help, NULL, false, value, 0, 0 }
#define CLI_VALUE(name, letter, argument, parse, type, field, help) \
    { name, letter, argument, parse, offsetof(type, field), help, NULL, false, 0, 0, 0 }
#define CLI_NUMBER(name, letter, argument, parse, low, high, type, field, help) \
    { name, letter, argument, parse, offsetof(type, field), help, NULL, false, 0, low, high }
#define CLI_CHOICE(name, letter, argument, choices, type, field, help) \
    { name, letter, argument, cli_parse_choice, offsetof(type, field), help, choices, false, 0, 0, 0 }
#define CLI_OPTIONAL_CHOICE(name, letter, argument, choices, value, type, field, help) \
    { name, letter, argument, cli_parse_choice, offsetof(type, field), help, choices, true, value, 0, 0 }
#define CLI_END_OPTIONS \
    { 0 }

/* A table of them ends with title NULL. */
typedef struct cli_group {
    const char *title;
    const cli_option *options;
    size_t offset; /* of the struct that the options fill, inside the command's settings */
} cli_group;

cli_parser cli_parse_flag;   /* int: `store` */
cli_parser cli_parse_int;    /* int within low .. high */
cli_parser cli_parse_u64;    /* uint64_t */
cli_parser cli_parse_count;  /* uint64_t, with an optional K, M, G or T: thousands, millions … */
cli_parser cli_parse_bytes;  /* uint64_t above 0, with an optional K, M, G or T, by 1024 */
cli_parser cli_parse_real;   /* double, finite, within low .. high */
cli_parser cli_parse_text;   /* const char *, not empty */
cli_parser cli_parse_choice; /* int: the value of one of `choices` */

/* A parsed command line. */
typedef struct cli_arguments {
    char **operands;
    int operand_count;
    const cli_option *given[64]; /* each option that occurred, once */
    const char *values[64];      /* of each the last value, as it was given; NULL: none */
    int given_count;
    char unknown[64]; /* the option that no table has, if that is the error; else "" */
    char error[512];  /* what is wrong with it, when cli_parse returns CLI_PARSE_ERROR */
} cli_arguments;

typedef enum cli_parse_result { CLI_PARSE_OK, CLI_PARSE_HELP, CLI_PARSE_ERROR } cli_parse_result;

/* Parses argv[0 .. argc) into `settings`; the operands are gathered in the front of argv. --help and -h end it at once
 * with CLI_PARSE_HELP. */
cli_parse_result cli_parse(const cli_group *groups, void *settings, int argc, char **argv, cli_arguments *arguments);

bool cli_has_option(const cli_group *groups, const char *name);
bool cli_given(const cli_arguments *arguments, const char *name);

#endif
