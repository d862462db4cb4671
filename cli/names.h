/* names.h - other names for commands: "pagerank" is pr. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "command.h"
#include "text.h"

/* The command that a synonym stands for; NULL: none. Synonyms run the command. */
const cli_command *cli_command_called(const char *word);
/* Lists the commands that a word suggests, but not certainly enough to run one: "'louvain' or 'leiden'"; returns how
 * many there are. */
size_t cli_commands_hinted(const char *word, char *text, size_t size);
/* The answer to a word of the field that no command stands for; NULL: unknown. */
const char *cli_absent(const char *word);
/* Offers the words that run a command. */
void cli_offer_names(cli_nearest *nearest);

/* The library's name of an algorithm: the word itself, or the one that it is another name for; NULL: there is none. */
const char *cli_algorithm_named(const char *word);
/* Whether a device, or a schedule, is the name of the host's own. */
bool cli_is_host(const char *name);
/* Whether the library chooses the device: "auto" or NULL. */
bool cli_is_open(const char *device);

#endif
