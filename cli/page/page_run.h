/* page_run.h - the page of a run: where its time went, round by round, and what came out. */
#ifndef CLI_PAGE_RUN_H
#define CLI_PAGE_RUN_H

#include "outcome.h"

/* Exit status 0, or another with a message. */
int cli_write_run_page(cli_session *session, const cli_outcome *outcome, const char *path);

#endif
