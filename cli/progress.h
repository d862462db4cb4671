/* progress.h - a progress bar on standard error: nothing is drawn if that is not a terminal, with --quiet, or for short
 * work. There is one bar, since there is one terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "heddle.h"

#include <stdbool.h>

void cli_progress_start(bool quiet);
/* A heddle_progress_fn. */
int cli_progress_update(void *user, const heddle_progress *progress);
/* Wipes the bar, so that a line can be printed; the next update draws it again. */
/* What is faster than a run that takes minutes: a note says so, once, with the time that is left. NULL: nothing is. */
void cli_progress_advise(const char *advice);
void cli_progress_clear(void);

#endif
