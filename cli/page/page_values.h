/* page_values.h - a section of a run's page: a histogram of the values, of the sizes of components, or of weights. */
#ifndef CLI_PAGE_VALUES_H
#define CLI_PAGE_VALUES_H

#include "outcome.h"
#include "page/page.h"
#include "top.h"

/* Nothing where all are equal, where none is finite, and for results with several columns. */
void cli_page_put_values(cli_page *page, const cli_outcome *outcome, const cli_top *top);

#endif
