/* main.c - the heddle command: finds the subcommand, reads its options, gives it a context, and ends in good order.
 *
 * Data goes to standard output or to a file, words to standard error. Exit status: 0 done, 1 failed, 2 usage, 3 bad
 * input or output, 4 out of memory or device resources, 5 verification failed, 6 a user's program crashed, 130
 * interrupted, 141 the reader of standard output has ended.
 */
#include "algorithm.h"
#include "command.h"
#include "names.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "signals.h"
#include "text.h"

#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {
    &cli_run,   &cli_info,         &cli_explain,   &cli_convert, &cli_generate, &cli_subgraph,
    &cli_draw,  &cli_table,        &cli_transform, &cli_devices, &cli_doctor,   &cli_selftest,
    &cli_bench, &cli_graphalytics, &cli_cache,     &cli_help,    &cli_version,
};

const cli_command *cli_command_at(size_t index) {
    size_t algorithms = 0;
    for (const cli_algorithm *each; (each = cli_algorithm_at(algorithms)); algorithms++)
        if (algorithms == index)
            return &each->command;
    index -= algorithms;
    return index < sizeof commands / sizeof *commands ? commands[index] : NULL;
}

const cli_command *cli_find_command(const char *name) {
    const cli_command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (!strcmp(command->name, name))
            return command;
    return cli_command_called(name);
}

/* If the parent closed a descriptor 0-2, the next file opened would get it, and messages for standard error would be
 * written there. Such a descriptor gets /dev/null, opened for the wrong direction so that using it is still an error.
 * */
static void guard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) == -1)
            _exit(1);
}

/* The operands' names are the words of `command->operands`; those in brackets may be absent, and one that
 * ends in dots may come again. */
static int check_operands(const cli_command *command, const cli_arguments *arguments) {
    int allowed = 0;
    for (const char *name = command->operands; *name; allowed++) {
        size_t length = strcspn(name, " ");
        if (allowed >= arguments->operand_count && *name != '[')
            return cli_usage_error(command, "missing operand %.*s", (int)length, name);
        name += length + strspn(name + length, " ");
    }
    size_t length = strlen(command->operands);
    bool more = length > 4 && !strcmp(command->operands + length - 4, "...]");
    if (arguments->operand_count > allowed && !more)
        return cli_usage_error(command, "unexpected operand '%.200s'", arguments->operands[allowed]);
    for (int i = 0; i < arguments->operand_count; i++)
        if (!*arguments->operands[i])
            return cli_usage_error(command, "an operand is empty");
    return 0;
}

int cli_with_context(cli_session *session, void *settings, int (*run)(cli_session *session, void *settings)) {
    heddle_context_options options;
    heddle_context_options_init(&options);
    options.threads = session->common->threads;
    options.progress = cli_progress_update;
    options.note = cli_note;
    options.note_user = settings;
    heddle_status status = heddle_context_create(&options, &session->context);
    if (status != HEDDLE_OK) {
        cli_say("%s", heddle_status_text(status));
        return heddle_status_exit(status);
    }
    cli_progress_start(session->common->quiet || cli_is_other_rank());
    heddle_context *before = cli_signals_install(session->context);
    bool here;
    int exit_status = cli_ranks_join(session, &here);
    if (!exit_status) {
        exit_status = here ? run(session, settings) : 0;
        exit_status = cli_ranks_end(session, exit_status);
    }
    cli_signals_release(before);
    heddle_context_destroy(&session->context);
    return exit_status;
}

/* Explains an unknown option; for one that other commands have, names these. */
static int wrong_options(const cli_command *command, const cli_arguments *arguments) {
    enum { MOST = 8 };
    char takers[256] = "";
    size_t count = 0, used = 0;
    const cli_command *other;
    for (size_t i = 0; *arguments->unknown && (other = cli_command_at(i)); i++)
        if (cli_has_option(other->groups, arguments->unknown) && count++ < MOST)
            cli_list_word(takers, sizeof takers, &used, other->name, false);
    if (!count)
        return cli_usage_error(command, "%s", arguments->error);
    return cli_usage_error(command, "%s takes no --%s; %s%s %s", command->name, arguments->unknown, takers,
                           count > MOST ? " and others" : "", count > 1 ? "do" : "does");
}

static int run_command(const cli_command *command, int argc, char **argv) {
    int exit_status = 0;
    void *settings = calloc(1, command->settings_size);
    const char **words = malloc(((size_t)argc + 1) * sizeof *words); /* parsing changes the order of argv */
    if (!settings || !words) {
        free(settings);
        free(words);
        cli_say("out of memory");
        return heddle_status_exit(HEDDLE_E_MEMORY);
    }
    if (command->defaults)
        command->defaults(settings);
    words[0] = argv[-1];
    for (int i = 0; i < argc; i++)
        words[i + 1] = argv[i];
    cli_session session = {.command = command, .common = settings, .words = words, .word_count = argc + 1};
    switch (cli_parse(command->groups, settings, argc, argv, &session.arguments)) {
    case CLI_PARSE_HELP: cli_print_help(stdout, command); break;
    case CLI_PARSE_ERROR: exit_status = wrong_options(command, &session.arguments); break;
    case CLI_PARSE_OK:
        exit_status = check_operands(command, &session.arguments);
        if (!exit_status)
            exit_status = cli_with_context(&session, settings, command->run);
        break;
    }
    free(words);
    free(settings);
    return exit_status;
}

static int unknown_command(const char *name) {
    cli_nearest nearest = cli_nearest_to(name);
    for (size_t i = 0; cli_command_at(i); i++)
        cli_nearest_offer(&nearest, cli_command_at(i)->name);
    cli_offer_names(&nearest);
    char hinted[200] = "";
    if (*name == '-')
        return cli_usage_error(NULL, "unknown option '%.100s'; options follow the command", name);
    if (cli_absent(name))
        return cli_usage_error(NULL, "unknown command '%.100s': %s", name, cli_absent(name));
    if (cli_commands_hinted(name, hinted, sizeof hinted))
        return cli_usage_error(NULL, "unknown command '%.100s'; did you mean %s?", name, hinted);
    if (nearest.best)
        return cli_usage_error(NULL, "unknown command '%.100s'; did you mean '%s'?", name, nearest.best);
    if (access(name, F_OK) == 0)
        return cli_usage_error(NULL, "'%.200s' is a file: the command comes first, as in 'heddle info %.200s'", name,
                               name);
    return cli_usage_error(NULL, "unknown command '%.100s'", name);
}

int main(int argc, char **argv) {
    guard_descriptors();
    setlocale(LC_CTYPE, ""); /* only to detect UTF-8 terminals: numbers stay in the C locale */
    if (argc < 2) {
        if (!cli_is_other_rank())
            cli_print_greeting(stderr);
        return CLI_EXIT_USAGE;
    }
    const char *name = argv[1];
    const cli_command *command = cli_find_command(name);
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        command = &cli_help;
    else if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        command = &cli_version;
    int exit_status = 0;
    if (!command)
        exit_status = unknown_command(name);
    else if (!cli_ranks_settle(command, argc - 2, argv + 2, &exit_status))
        exit_status = run_command(command, argc - 2, argv + 2);
    exit_status = cli_finish_output(exit_status);
    cli_ranks_leave(exit_status);
    return exit_status;
}
