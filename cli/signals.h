/* signals.h - orderly termination on Ctrl-C and similar signals.
 *
 * The first SIGINT, SIGTERM or SIGHUP cancels the context, whose running call then cleans up and returns; if it came
 * between two calls, the next one is cancelled by the progress callback or, where there is no progress, within a
 * second, since the cancel is repeated. A second signal ends the process at once with status 130, unless it comes so
 * soon that it is the same one, which timeout(1) sends to the command and to its process group. A signal that was
 * ignored when the command started stays ignored.
 * SIGPIPE is ignored: writing to a closed pipe is an ordinary write error, after which the command cleans up; when it
 * was standard output it ends without a word and with the status of that signal, as other commands in a pipeline. A
 * file that is cut short while it is mapped raises SIGBUS: the process ends with a message and the status of bad input.
 * While a user's program runs, signals that it raises (a bad pointer, a division by zero, abort), and a call of exit
 * or _exit, end the process with a message that names it and a status of their own; the first Ctrl-C says that a second
 * one ends it, since a program that loops does not see the first.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include "heddle.h"

#include <stdbool.h>

enum { CLI_EXIT_PROGRAM = 6, CLI_EXIT_INTERRUPTED = 130, CLI_EXIT_PIPE = 141 };

/* Returns the context that signals cancelled before; NULL: none. */
heddle_context *cli_signals_install(heddle_context *context);
/* The context is about to go away; signals cancel the one before again. Without one all work is done: the first signal
 * is too late and changes nothing, a second one still ends the process. */
void cli_signals_release(heddle_context *before);
bool cli_interrupted(void);
/* Standard output is a pipe whose reader has ended. */
bool cli_reader_left(void);

/* A user's program, this file, runs from now on; NULL: none does. */
void cli_signals_program(const char *path);

#endif
