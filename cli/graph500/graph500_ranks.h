/* graph500_ranks.h - ranks check a tree of Graph500 together, each by its share of the edge list.
 *
 * Rank 0 has the tree, and all check it: they exchange messages through a file of the current folder, which
 * they share, as they share the graph's. It loses its name as soon as all have opened it, so that nothing stays if the
 * run is killed. Trees are numbered: where a rank does not see at once what another has written, that is noticed. */
#ifndef CLI_GRAPH500_RANKS_H
#define CLI_GRAPH500_RANKS_H

#include "command.h"
#include "graph500/graph500_check.h"

typedef struct cli_g500_meeting {
    cli_session *session;
    int rank, ranks, file;
    char path[64];
    uint64_t vertices, tree; /* how many vertices; the number of the tree that is checked */
    uint32_t *parents;       /* of other ranks: rank 0's tree */
    float *distances;
} cli_g500_meeting;

/* Collective, as the others: opens the file `path`, which must not exist, on all ranks. Returns the exit status. Closed
 * by cli_g500_meeting_close in any case. */
int cli_g500_meeting_open(cli_g500_meeting *meeting, cli_session *session, const char *path, uint64_t vertices);
void cli_g500_meeting_close(cli_g500_meeting *meeting);
/* Checks rank 0's tree; on the others `tree` has root and threads only, and distances that are not NULL if it has some.
 * `edges`: the rank's share. *rule, and found->traversed: on rank 0. Returns the exit status. */
int cli_g500_check_together(cli_g500_meeting *meeting, const cli_g500_tree *tree, const cli_g500 *edges,
                            cli_g500_found *found, cli_g500_rule *rule);

#endif
