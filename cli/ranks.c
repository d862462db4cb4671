/* ranks.c - see ranks.h. */
#include "ranks.h"

#include "names.h"
#include "report.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool together; /* all ranks run the command */
static bool met;      /* for the moment of a command that rank 0 runs alone */
static bool apart;    /* has to speak: failed before it had joined the others, or rank 0 is gone */

bool cli_is_other_rank(void) { return !apart && cli_rank() > 0; }

void cli_ranks_failed(const heddle_error *error) {
    apart = apart || (error->status == HEDDLE_E_DEVICE && cli_rank() == 1 && !strcmp(error->token, "0"));
}

void cli_ranks_noted(const char *text) {
    static const char first[] = "waiting for rank 0:";
    if (cli_rank() == 1 && !strncmp(text, first, sizeof first - 1))
        fprintf(stderr, "heddle: note: %s\n", text);
}

int cli_rank(void) {
    int rank;
    heddle_launched(&rank);
    return rank;
}

/* Output of others would mix with that of rank 0. */
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
    if (together || command->ranks != CLI_RANKS_NONE)
        return false;
    cli_say("'heddle %s' is for one process: start it without mpirun or srun", command->name);
    *exit_status = CLI_EXIT_USAGE;
    return true;
}

/* Options that may differ between ranks. */
static bool is_local(const cli_option *option) {
    static const char *const names[] = {"device", "threads", "quiet"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(option->name, names[i]))
            return true;
    return false;
}

/* The command with its operands and options, those in the order of the tables. NULL: no memory. */
static char *command_text(const cli_session *session) {
    const cli_arguments *given = &session->arguments;
    size_t room = strlen(session->command->name) + 1, used = 0;
    for (int i = 0; i < given->operand_count; i++)
        room += strlen(given->operands[i]) + 1;
    for (int i = 0; i < given->given_count; i++)
        room += strlen(given->given[i]->name) + 4 + (given->values[i] ? strlen(given->values[i]) : 0);
    char *text = malloc(room);
    if (!text)
        return NULL;
    used += (size_t)snprintf(text, room, "%s", session->command->name);
    for (int i = 0; i < given->operand_count; i++)
        used += (size_t)snprintf(text + used, room - used, " %s", given->operands[i]);
    for (const cli_group *group = session->command->groups; group->title; group++)
        for (const cli_option *option = group->options; option->name; option++)
            for (int i = 0; i < given->given_count; i++)
                if (given->given[i] == option && !is_local(option))
                    used += (size_t)snprintf(text + used, room - used, " --%s%s%s", option->name,
                                             given->values[i] ? "=" : "", given->values[i] ? given->values[i] : "");
    return text;
}

static heddle_status join_and_compare(const cli_session *session, heddle_context *context) {
    heddle_status status = heddle_context_join(context);
    if (status != HEDDLE_OK)
        return status;
    char *text = command_text(session);
    status = heddle_context_compare(context, text ? text : "");
    free(text);
    return status;
}

/* A command of rank 0 alone: all meet for a moment, so that ranks that were given others do not wait for ever. Where
 * they cannot, each goes its way. */
static int meet(cli_session *session) {
    heddle_context *own = session->context, *moment;
    int exit_status = 0;
    if (heddle_context_create(NULL, &moment) != HEDDLE_OK)
        return 0;
    session->context = moment;
    heddle_status status = join_and_compare(session, moment);
    if (status == HEDDLE_E_REFUSED)
        exit_status = cli_fail(session, status);
    session->context = own;
    heddle_context_destroy(&moment);
    return exit_status;
}

/* Ranks that have devices keep them. */
static bool names_device(const cli_session *session) {
    const cli_arguments *given = &session->arguments;
    for (int i = 0; i < given->given_count; i++)
        if (!strcmp(given->given[i]->name, "device") && !cli_is_open(given->values[i]) &&
            !cli_is_host(given->values[i]))
            return true;
    return false;
}

int cli_ranks_join(cli_session *session, bool *here) {
    *here = true;
    if (heddle_launched(NULL) == 1)
        return 0;
    if (!together) {
        *here = cli_rank() == 0;
        bool again = met;
        met = true;
        return again ? 0 : meet(session);
    }
    heddle_status status = join_and_compare(session, session->context);
    if (status == HEDDLE_OK)
        status = heddle_context_fold(session->context, names_device(session) ? 1 : 0);
    if (status == HEDDLE_OK) {
        *here = !heddle_context_sleeps(session->context);
        return 0;
    }
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
    return status == HEDDLE_OK || exit_status ? exit_status : cli_fail(session, status);
}

int cli_ranks_end(cli_session *session, int exit_status) {
    if (!together || heddle_launched(NULL) == 1)
        return exit_status;
    heddle_status status = heddle_context_unfold(session->context, status_of(exit_status));
    return status == HEDDLE_OK || exit_status ? exit_status : cli_fail(session, status);
}
