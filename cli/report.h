/* report.h - words to the user, on standard error: "heddle: …". The progress bar is wiped first, and bytes that could
 * upset a terminal are shown as '?'. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "command.h"

enum { CLI_EXIT_NOTHING = 1 /* what was requested is not there */, CLI_EXIT_USAGE = 2, CLI_EXIT_OUTPUT = 3 };

void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A wrong command line: the message, where to look, exit status 2. `command` may be NULL. */
int cli_usage_error(const cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A failed call: the context's message, where to look when an argument was wrong, and the exit status for it. */
int cli_fail(const cli_session *session, heddle_status status);

/* A heddle_note_fn. */
void cli_note(void *user, const char *text);

/* Flushes standard output; `status`, or CLI_EXIT_OUTPUT with a message when something could not be written. */
int cli_finish_output(int status);

#endif
