/* options.c - the option parser; see options.h. */
#include "options.h"

#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kinds of values ------------------------------------------------------------------------------------------- */

bool cli_parse_flag(const cli_option *option, const char *text, void *destination, char *expected) {
    (void)text;
    (void)expected;
    *(int *)destination = option->store;
    return true;
}

static bool bounded(const cli_option *option) { return option->low != 0 || option->high != 0; }

static bool within(const cli_option *option, double value) {
    return !bounded(option) || (value >= option->low && value <= option->high);
}

static bool refuse_number(const cli_option *option, const char *kind, char *expected) {
    if (bounded(option))
        snprintf(expected, CLI_EXPECTED_ROOM, "%s from %.10g to %.10g", kind, option->low, option->high);
    else
        snprintf(expected, CLI_EXPECTED_ROOM, "%s", kind);
    return false;
}

bool cli_parse_int(const cli_option *option, const char *text, void *destination, char *expected) {
    const char *digits = text + (*text == '-');
    long value = 0;
    errno = 0;
    if (*digits && strspn(digits, "0123456789") == strlen(digits))
        value = strtol(text, NULL, 10);
    else
        errno = EINVAL;
    if (errno || value < INT32_MIN || value > INT32_MAX || !within(option, (double)value))
        return refuse_number(option, "a whole number", expected);
    *(int *)destination = (int)value;
    return true;
}

/* Digits, then one of `suffixes`, each a thousand times the one before. */
static bool parse_unsigned(const char *text, const char *suffixes, uint64_t *value) {
    size_t digits = strspn(text, "0123456789");
    const char *suffix = text + digits;
    uint64_t factor = 1;
    if (!digits)
        return false;
    if (*suffix) {
        const char *found = strchr(suffixes, *suffix);
        if (!found || suffix[1])
            return false;
        for (const char *s = suffixes; s <= found; s++)
            factor *= 1000;
    }
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return !errno && !__builtin_mul_overflow(*value, factor, value);
}

bool cli_parse_u64(const cli_option *option, const char *text, void *destination, char *expected) {
    if (!parse_unsigned(text, "", destination))
        return refuse_number(option, "a whole number below 2^64", expected);
    return true;
}

bool cli_parse_count(const cli_option *option, const char *text, void *destination, char *expected) {
    uint64_t value;
    if (!parse_unsigned(text, "KMGT", &value) || !within(option, (double)value))
        return refuse_number(option, "a whole number (K, M, G or T may follow)", expected);
    *(uint64_t *)destination = value;
    return true;
}

/* A number and perhaps K, M, G or T, by 1024; with one of these it may have a fraction: 1.5G. */
bool cli_parse_bytes(const cli_option *option, const char *text, void *destination, char *expected) {
    static const char units[] = "KMGT";
    size_t digits = strspn(text, "0123456789"), more = strspn(text + digits, ".0123456789"), length = digits + more;
    const char *unit = text[length] ? strchr(units, text[length]) : NULL;
    double factor = unit ? (double)(UINT64_C(1) << 10 * (unit - units + 1)) : 1, number = 0;
    bool ended = unit ? !text[length + 1] : !text[length] && !more;
    (void)option;
    if (digits && more != 1 && ended && cli_read_real(text, length, &number) && number * factor >= 1 &&
        number * factor < 0x1p64) {
        *(uint64_t *)destination = (uint64_t)(number * factor);
        return true;
    }
    snprintf(expected, CLI_EXPECTED_ROOM, "a number of bytes (K, M, G or T may follow)");
    return false;
}

bool cli_parse_real(const cli_option *option, const char *text, void *destination, char *expected) {
    double value;
    if (!cli_read_real(text, strlen(text), &value) || !within(option, value))
        return refuse_number(option, "a number", expected);
    *(double *)destination = value;
    return true;
}

bool cli_parse_text(const cli_option *option, const char *text, void *destination, char *expected) {
    if (!*text) {
        snprintf(expected, CLI_EXPECTED_ROOM, "%s", option->argument);
        return false;
    }
    *(const char **)destination = text;
    return true;
}

bool cli_parse_choice(const cli_option *option, const char *text, void *destination, char *expected) {
    size_t used = 0;
    for (const cli_choice *choice = option->choices; choice->name; choice++) {
        if (!strcmp(choice->name, text)) {
            *(int *)destination = choice->value;
            return true;
        }
        cli_list_word(expected, CLI_EXPECTED_ROOM, &used, choice->name, !choice[1].name);
    }
    return false;
}

/* ---- The command line ------------------------------------------------------------------------------------------ */

static cli_parse_result fail(cli_arguments *arguments, const char *format, ...) __attribute__((format(printf, 2, 3)));
static cli_parse_result fail(cli_arguments *arguments, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(arguments->error, sizeof arguments->error, format, list);
    va_end(list);
    return CLI_PARSE_ERROR;
}

/* Finds an option by name (`length` bytes of it), or by letter when name is NULL. */
static const cli_option *find(const cli_group *groups, const char *name, size_t length, char letter,
                              const cli_group **group) {
    for (*group = groups; (*group)->title; (*group)++)
        for (const cli_option *option = (*group)->options; option->name; option++)
            if (name ? strlen(option->name) == length && !memcmp(option->name, name, length)
                     : option->letter && option->letter == letter)
                return option;
    return NULL;
}

bool cli_has_option(const cli_group *groups, const char *name) {
    const cli_group *group;
    return find(groups, name, strlen(name), 0, &group) != NULL;
}

static cli_parse_result unknown_option(const cli_group *groups, const char *name, size_t length,
                                       cli_arguments *arguments) {
    char *word = arguments->unknown;
    snprintf(word, sizeof arguments->unknown, "%.*s", (int)length, name);
    cli_nearest nearest = cli_nearest_to(word);
    cli_nearest_offer(&nearest, "help");
    for (const cli_group *group = groups; group->title; group++)
        for (const cli_option *option = group->options; option->name; option++)
            cli_nearest_offer(&nearest, option->name);
    if (nearest.best)
        return fail(arguments, "unknown option '--%s'; did you mean '--%s'?", word, nearest.best);
    return fail(arguments, "unknown option '--%s'", word);
}

static void remember(cli_arguments *arguments, const cli_option *option, const char *text) {
    int at = 0;
    while (at < arguments->given_count && arguments->given[at] != option)
        at++;
    if (at == (int)(sizeof arguments->given / sizeof *arguments->given))
        return;
    arguments->given[at] = option;
    arguments->values[at] = text;
    arguments->given_count += at == arguments->given_count;
}

static cli_parse_result store(const cli_option *option, const cli_group *group, const char *text, void *settings,
                              cli_arguments *arguments) {
    char expected[CLI_EXPECTED_ROOM] = "";
    char *destination = (char *)settings + group->offset + option->offset;
    if (!text && option->argument) /* an optional value left out */
        *(int *)destination = option->store;
    else if (!option->parse(option, text, destination, expected))
        return fail(arguments, "--%s: found '%.100s', expected %s", option->name, text, expected);
    remember(arguments, option, text);
    return CLI_PARSE_OK;
}

/* "--name" or "--name=value" at argv[*at]. */
static cli_parse_result parse_long(const cli_group *groups, void *settings, int argc, char **argv, int *at,
                                   cli_arguments *arguments) {
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const char *text = equals ? equals + 1 : NULL;
    const cli_group *group;
    if (!strcmp(name, "help"))
        return CLI_PARSE_HELP;
    const cli_option *option = find(groups, name, length, 0, &group);
    if (!option)
        return unknown_option(groups, name, length, arguments);
    if (!option->argument && text)
        return fail(arguments, "--%s takes no value", option->name);
    if (option->argument && !option->optional && !text) {
        if (*at + 1 >= argc)
            return fail(arguments, "--%s needs a value: %s", option->name, option->argument);
        text = argv[++*at];
    }
    return store(option, group, text, settings, arguments);
}

/* "-n", "-nvalue", "-n value" or bundled flags at argv[*at]. */
static cli_parse_result parse_short(const cli_group *groups, void *settings, int argc, char **argv, int *at,
                                    cli_arguments *arguments) {
    const char *letters = argv[*at] + 1;
    for (; *letters; letters++) {
        const char *text = NULL;
        const cli_group *group;
        if (*letters == 'h')
            return CLI_PARSE_HELP;
        const cli_option *option = find(groups, NULL, 0, *letters, &group);
        if (!option)
            return fail(arguments, "unknown option '-%c'", *letters);
        bool takes_value = option->argument && !option->optional;
        if (takes_value) {
            text = letters[1] ? letters + 1 : *at + 1 < argc ? argv[++*at] : NULL;
            if (!text)
                return fail(arguments, "-%c needs a value: %s", option->letter, option->argument);
        }
        cli_parse_result result = store(option, group, text, settings, arguments);
        if (result != CLI_PARSE_OK || takes_value)
            return result;
    }
    return CLI_PARSE_OK;
}

cli_parse_result cli_parse(const cli_group *groups, void *settings, int argc, char **argv, cli_arguments *arguments) {
    bool options_ended = false;
    memset(arguments, 0, sizeof *arguments);
    arguments->operands = argv;
    for (int at = 0; at < argc; at++) {
        cli_parse_result result = CLI_PARSE_OK;
        char *word = argv[at];
        if (options_ended || word[0] != '-' || !word[1])
            arguments->operands[arguments->operand_count++] = word;
        else if (!strcmp(word, "--"))
            options_ended = true;
        else if (word[1] == '-')
            result = parse_long(groups, settings, argc, argv, &at, arguments);
        else
            result = parse_short(groups, settings, argc, argv, &at, arguments);
        if (result != CLI_PARSE_OK)
            return result;
    }
    return CLI_PARSE_OK;
}

bool cli_given(const cli_arguments *arguments, const char *name) {
    for (int i = 0; i < arguments->given_count; i++)
        if (!strcmp(arguments->given[i]->name, name))
            return true;
    return false;
}
