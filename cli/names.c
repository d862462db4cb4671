/* names.c - see names.h. Names are matched whole and without regard to case, '-' and '_'. */
#include "names.h"

#include "heddle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
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

size_t cli_commands_hinted(const char *word, char *text, size_t size) {
    const cli_command *command, *last = NULL;
    size_t used = 0, count = 0;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        last = has_word(command->hints, word) ? command : last;
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        char quoted[64];
        if (!has_word(command->hints, word))
            continue;
        snprintf(quoted, sizeof quoted, "'%.40s'", command->name);
        cli_list_word(text, size, &used, quoted, command == last);
        count++;
    }
    return count;
}

const char *cli_absent(const char *word) {
    static const struct {
        const char *words[8]; /* NULL past the last */
        const char *answer;
    } absent[] = {
        {{"maxflow", "mincut", "flow", "maximumflow"},
         "flows and cuts are not available; 'heddle sswp' finds the widest single path"},
        {{"sample", "sampling"},
         "there is no command that samples a graph; 'heddle subgraph --keep FILE' "
         "keeps chosen vertices, 'heddle walks' "
         "makes random walks"},
        {{"cliques", "clique"}, "cliques are not available; 'heddle truss' and 'heddle kcore' find dense parts"},
        {{"matching", "assortativity"}, "that is not available"},
    };
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (has_word(absent[i].words, word))
            return absent[i].answer;
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
