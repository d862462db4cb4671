/* graphalytics.h - data sets of LDBC Graphalytics: their descriptions, and how results are validated by its rules. */
#ifndef CLI_GRAPHALYTICS_H
#define CLI_GRAPHALYTICS_H

#include "command.h"

#include <limits.h>

/* Its algorithms. */
typedef struct cli_ldbc_algorithm {
    const char *name;      /* "wcc", as data sets call it */
    const char *algorithm; /* "cc" */
    enum { CLI_LDBC_EXACT, CLI_LDBC_LABELS, CLI_LDBC_EQUIVALENT, CLI_LDBC_CLOSE } rule;
    const char *unreached; /* how files write that a vertex is not reached; NULL: all have values */
    size_t source, rounds; /* where a cli_ldbc_set has its source, a text, and its rounds; 0: it takes none */
} cli_ldbc_algorithm;

extern const cli_ldbc_algorithm cli_ldbc_algorithms[]; /* ends with name NULL */
const cli_ldbc_algorithm *cli_ldbc_find(const char *name);

/* A data set, as NAME.properties describes it. */
typedef struct cli_ldbc_set {
    char name[128];
    char folder[PATH_MAX];
    char vertex_file[256], edge_file[256];
    int directed;          /* -1: unknown */
    char algorithms[128];  /* separated by blanks */
    char edge_values[256]; /* names of the columns behind the two ends, likewise; empty: there are none */
    char weight[64];       /* the column that sssp reads */
    char bfs_source[32], sssp_source[32];
    double damping;
    uint64_t pr_rounds, cdlp_rounds;
} cli_ldbc_set;

/* Reads a description; false: it describes no graph. Prints what is wrong, and sets *exit_status. */
bool cli_ldbc_read(const char *path, cli_ldbc_set *set, int *exit_status);

/* Outcome of a comparison with the results of the data set. */
typedef enum cli_ldbc_verdict { CLI_LDBC_PASSED, CLI_LDBC_FAILED, CLI_LDBC_NO_REFERENCE } cli_ldbc_verdict;

/* Compares with the file; `why` of `size` bytes says what differs. Exit status 0, or of an error that was printed. */
int cli_ldbc_validate(const cli_session *session, const cli_ldbc_algorithm *algorithm, const heddle_graph *graph,
                      const heddle_result *result, const char *path, cli_ldbc_verdict *verdict, char *why, size_t size);
/* Writes a result as Graphalytics has it: "id value" lines. */
int cli_ldbc_write(const cli_ldbc_algorithm *algorithm, const heddle_graph *graph, const heddle_result *result,
                   const char *path);

#endif
