/* page_explain.h - the page of a plan: what it is, why, and what every schedule would do. */
#ifndef CLI_PAGE_EXPLAIN_H
#define CLI_PAGE_EXPLAIN_H

#include "command.h"

/* Exit status 0, or another with a message. */
int cli_write_explain_page(cli_session *session, const char *algorithm, const char *graph_path,
                           const heddle_graph *graph, const heddle_explanation *plan, const char *path);

#endif
