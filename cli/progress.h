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
/* A faster alternative to a run that takes minutes, which a note names once, with the time left; NULL: none. */
void cli_progress_advise(const char *advice);
void cli_progress_clear(void);

#endif
