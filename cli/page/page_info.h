/* page_info.h - the page of a graph: degrees, distances and components. */
#ifndef CLI_PAGE_INFO_H
#define CLI_PAGE_INFO_H

#include "command.h"

typedef struct cli_info_facts {
    const char *path;
    const heddle_graph *graph;
    heddle_stats stats;
    double load_seconds, stats_seconds;
    bool structure; /* the following were requested; NaN: not defined for such graphs */
    double transitivity, bipartite, acyclic;
} cli_info_facts;

/* The edges, an undirected graph's two arcs counted once. */
static inline uint64_t cli_info_edges(const heddle_stats *stats) {
    return stats->directed ? stats->edges : (stats->edges + stats->self_loops) / 2;
}

/* Runs a few searches and finds the components. Exit status 0, or another with a message. */
int cli_write_info_page(cli_session *session, const cli_info_facts *facts, const char *path);

#endif
