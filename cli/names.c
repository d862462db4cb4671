/* names.c - see names.h. Names are matched whole and without regard to case, '-' and '_'. */
#include "names.h"

#include "heddle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool same_word(const char *given, const char *word) {
    for (;; given++) {
        if (*given == '-' || *given == '_')
            continue;
        if (tolower((unsigned char)*given) != *word)
            return false;
        if (!*word++)
            return true;
    }
}

static bool has_word(const char *const *words, const char *given) {
    while (words && *words && !same_word(given, *words))
        words++;
    return words && *words;
}

const cli_command *cli_command_called(const char *word) {
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (has_word(command->aliases, word))
            return command;
    return NULL;
}

const char *cli_command_hinted(const char *word) {
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (has_word(command->hints, word))
            return command->name;
    return NULL;
}

void cli_offer_names(cli_nearest *nearest) {
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        for (const char *const *each = command->aliases; each && *each; each++)
            cli_nearest_offer(nearest, *each);
}

const char *cli_algorithm_named(const char *word) {
    const cli_command *command = cli_command_called(word);
    const char *name = command ? command->name : word;
    const heddle_algorithm_info *info;
    for (size_t i = 0; (info = heddle_algorithm_at(i)); i++)
        if (!strcmp(info->name, name))
            return info->name;
    return NULL;
}

bool cli_is_host(const char *name) { return !strcmp(name, "cpu"); }

bool cli_is_open(const char *device) { return !device || !strcmp(device, "auto"); }
