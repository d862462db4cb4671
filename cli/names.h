/* names.h - words that people know for what our commands do: "pagerank" is pr. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "text.h"

/* The command that is meant by a word of the field; NULL: none. The words themselves run it. */
const char *cli_command_called(const char *word);
/* The command that a word reminds of, without being sure enough to run it; NULL: none. */
const char *cli_command_hinted(const char *word);
/* Offers the words that run a command. */
void cli_offer_names(cli_nearest *nearest);

#endif
