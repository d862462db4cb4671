/* ranks.h - the command as one of several processes that mpirun or srun started together: rank 0 speaks for all. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "command.h"

/* Whether this process is another rank than 0, which prints nothing: except why it could not join the others. */
bool cli_is_other_rank(void);
/* Rank 1 speaks for all once rank 0 is gone, as that failure says. */
void cli_ranks_failed(const heddle_error *error);
/* So does it if rank 0 is stopped, as that note says. */
void cli_ranks_noted(const char *text);
/* The number among those that a launcher started; 0 if there was none. */
int cli_rank(void);

/* Under a launcher: returns true, with the exit status, for a command that is for one process alone. Closes standard
 * output of ranks other than 0. */
bool cli_ranks_settle(const cli_command *command, int argc, char **argv, int *exit_status);
/* Joins the other ranks, for a command that they run together, and folds those of a machine; refuses ranks whose
 * commands differ, of any command. The exit status. *here: this process has to run the command; else another does. */
int cli_ranks_join(cli_session *session, bool *here);

/* Called last: a launcher ends all processes once one has ended with another status than 0, and rank 0 has to be able
 * to say why first. */
void cli_ranks_leave(int exit_status);

/* The exit status of the lowest rank whose own is not 0, on all ranks; rank 0 reports failures of other ranks. */
int cli_ranks_agree(cli_session *session, int exit_status);
/* After the command, if all could begin it: the same, of all ranks again. Those that sleep wait here. */
int cli_ranks_end(cli_session *session, int exit_status);

#endif
