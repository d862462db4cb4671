/* page_rounds.h - a run's time on a page: phases, and below them, magnified, a column for each round. */
#ifndef CLI_PAGE_ROUNDS_H
#define CLI_PAGE_ROUNDS_H

#include "page/page.h"
#include "rounds.h"

void cli_page_put_times(cli_page *page, const cli_outcome *outcome, const cli_rounds *rounds);
/* The longest rounds as a table. */
void cli_page_put_rounds(cli_page *page, const cli_rounds *rounds);

#endif
