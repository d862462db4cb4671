/* names.c - see names.h. Names are matched whole and without regard to case, '-' and '_'. */
#include "names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct other_name {
    const char *word, *command;
} other_name;

/* Other names of the same thing. */
static const other_name names[] = {
    {"pagerank", "pr"},
    {"components", "cc"},
    {"connectedcomponents", "cc"},
    {"weaklyconnectedcomponents", "cc"},
    {"wcc", "cc"},
    {"betweenness", "bc"},
    {"betweennesscentrality", "bc"},
    {"brandes", "bc"},
    {"dijkstra", "sssp"},
    {"shortestpath", "sssp"},
    {"shortestpaths", "sssp"},
    {"widestpath", "sswp"},
    {"widestpaths", "sswp"},
    {"breadthfirst", "bfs"},
    {"breadthfirstsearch", "bfs"},
    {"stronglyconnectedcomponents", "scc"},
    {"strongcomponents", "scc"},
    {"tarjan", "scc"},
    {"spanningtree", "mst"},
    {"spanningforest", "mst"},
    {"minimumspanningtree", "mst"},
    {"kruskal", "mst"},
    {"boruvka", "mst"},
    {"benchmark", "bench"},
    {NULL, NULL},
};

/* Words that may mean something else too. */
static const other_name hints[] = {
    {"shortest", "sssp"},   {"distance", "sssp"},   {"distances", "sssp"},
    {"path", "sssp"},       {"paths", "sssp"},      {"bellmanford", "sssp"},
    {"astar", "sssp"},      {"widest", "sswp"},     {"bottleneck", "sswp"},
    {"maxflow", "sswp"},    {"connected", "cc"},    {"unionfind", "cc"},
    {"clusters", "cc"},     {"strong", "scc"},      {"strongly", "scc"},
    {"kosaraju", "scc"},    {"spanning", "mst"},    {"prim", "mst"},
    {"tree", "mst"},        {"centrality", "bc"},   {"rank", "pr"},
    {"eigenvector", "pr"},  {"hops", "bfs"},        {"levels", "bfs"},
    {"search", "bfs"},      {"breadth", "bfs"},     {"heat", "hs"},
    {"diffusion", "hs"},    {"circuit", "cs"},      {"voltage", "cs"},
    {"neural", "nn"},       {"stats", "info"},      {"statistics", "info"},
    {"describe", "info"},   {"degree", "info"},     {"degrees", "info"},
    {"diameter", "info"},   {"show", "info"},       {"gen", "generate"},
    {"make", "generate"},   {"random", "generate"}, {"import", "convert"},
    {"export", "convert"},  {"save", "convert"},    {"load", "convert"},
    {"split", "transform"}, {"plan", "explain"},    {"why", "explain"},
    {"time", "bench"},      {"gpus", "devices"},    {"gpu", "devices"},
    {"test", "selftest"},   {"program", "run"},     {NULL, NULL},
};

static bool same_word(const char *given, const char *word) {
    for (;; given++) {
        if (*given == '-' || *given == '_')
            continue;
        if (tolower((unsigned char)*given) != *word)
            return false;
        if (!*word++)
            return true;
    }
}

static const char *look_up(const other_name *list, const char *word) {
    for (; list->word; list++)
        if (same_word(word, list->word))
            return list->command;
    return NULL;
}

const char *cli_command_called(const char *word) { return look_up(names, word); }

const char *cli_command_hinted(const char *word) { return look_up(hints, word); }

void cli_offer_names(cli_nearest *nearest) {
    for (const other_name *each = names; each->word; each++)
        cli_nearest_offer(nearest, each->word);
}
