/* selftest.h - the graphs of heddle selftest. */
#ifndef CLI_SELFTEST_H
#define CLI_SELFTEST_H

#include "command.h"

enum { CLI_SELFTEST_GRAPHS = 17 };

const char *cli_selftest_graph_name(size_t index); /* NULL past the last */
bool cli_selftest_graph_quick(size_t index);       /* one of those that --quick takes */
heddle_status cli_selftest_graph(heddle_context *context, size_t index, heddle_graph **graph);

#endif
