/* ranks.c - see ranks.h. */
#include "ranks.h"

#include "report.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool together; /* all ranks run the command */
static bool apart;    /* failed before it had joined the others: nobody else knows of it */

bool cli_is_other_rank(void) { return !apart && cli_rank() > 0; }

int cli_rank(void) {
    int rank;
    heddle_launched(&rank);
    return rank;
}

/* What others print would stand between, or before, the lines of rank 0. */
static void close_output(void) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
}

static bool has_word(const char *word, int argc, char **argv) {
    bool has = false;
    for (int i = 0; word && i < argc; i++)
        has = has || strcmp(argv[i], word) == 0;
    return has;
}

bool cli_ranks_settle(const cli_command *command, int argc, char **argv, int *exit_status) {
    int rank;
    if (heddle_launched(&rank) == 1)
        return false;
    if (rank > 0)
        close_output();
    together = command->ranks == CLI_RANKS_ALL || has_word(command->ranks_word, argc, argv);
    if (together)
        return false;
    switch (command->ranks) {
    case CLI_RANKS_ALL:
    case CLI_RANKS_FIRST: *exit_status = 0; return rank > 0;
    case CLI_RANKS_NONE: break;
    }
    cli_say("'heddle %s' is for one process: start it without mpirun or srun", command->name);
    *exit_status = CLI_EXIT_USAGE;
    return true;
}

int cli_ranks_join(cli_session *session) {
    if (!together)
        return 0;
    heddle_status status = heddle_context_join(session->context);
    if (status == HEDDLE_OK)
        return 0;
    apart = heddle_context_ranks(session->context) == 1;
    return cli_fail(session, status);
}

void cli_ranks_leave(int exit_status) {
    if (exit_status && cli_rank() > 0)
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
}

/* A status with that exit status. */
static heddle_status status_of(int exit_status) {
    static const heddle_status known[] = {HEDDLE_E_INTERNAL, HEDDLE_E_ARGUMENT, HEDDLE_E_OPEN,
                                          HEDDLE_E_MEMORY,   HEDDLE_E_VERIFY,   HEDDLE_E_CANCELLED};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (heddle_status_exit(known[i]) == exit_status)
            return known[i];
    return exit_status ? HEDDLE_E_INTERNAL : HEDDLE_OK;
}

int cli_ranks_agree(cli_session *session, int exit_status) {
    if (heddle_context_ranks(session->context) == 1)
        return exit_status;
    heddle_status status = heddle_context_agree(session->context, status_of(exit_status));
    if (status == HEDDLE_OK || exit_status)
        return exit_status;
    return cli_fail(session, status);
}
