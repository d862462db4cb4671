/* report.c - words to the user; see report.h. */
#include "report.h"

#include "progress.h"
#include "ranks.h"
#include "signals.h"
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void print_line(const char *prefix, char *text) {
    if (cli_is_other_rank())
        return;
    cli_progress_clear();
    if (cli_rank() > 0)
        fprintf(stderr, "heddle: rank %d: %s%s\n", cli_rank(), prefix, cli_clean(text));
    else
        fprintf(stderr, "heddle: %s%s\n", prefix, cli_clean(text));
}

static void say_list(const char *prefix, const char *format, va_list list) {
    char text[2048];
    vsnprintf(text, sizeof text, format, list);
    print_line(prefix, text);
}

void cli_say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say_list("", format, list);
    va_end(list);
}

static void point_to_help(const cli_command *command) {
    if (cli_is_other_rank())
        return;
    if (command)
        fprintf(stderr, "try 'heddle %s --help'\n", command->name);
    else
        fputs("try 'heddle help'\n", stderr);
}

int cli_usage_error(const cli_command *command, const char *format, ...) {
    va_list list;
    va_start(list, format);
    say_list("", format, list);
    va_end(list);
    point_to_help(command);
    return CLI_EXIT_USAGE;
}

int cli_fail(const cli_session *session, heddle_status status) {
    const heddle_error *error = heddle_context_error(session->context);
    cli_ranks_failed(error);
    if (cli_interrupted()) { /* whatever failed then, often in code that Ctrl-C reached as well */
        cli_say("interrupted");
        return CLI_EXIT_INTERRUPTED;
    }
    if (status == HEDDLE_E_WRITE && !strcmp(error->file, "<stdout>") && cli_reader_left())
        return CLI_EXIT_PIPE;
    cli_say("%s", error->message[0] ? error->message : heddle_status_text(status));
    if (status == HEDDLE_E_ARGUMENT)
        point_to_help(session->command);
    return heddle_status_exit(status);
}

/* Whether a note with this hash was printed: many runs of one command have the same to say. Forgets the oldest. */
static bool was_noted(uint64_t hash) {
    enum { KEPT = 64 };
    static uint64_t kept[KEPT];
    static size_t count;
    for (size_t i = 0; i < count && i < KEPT; i++)
        if (kept[i] == hash)
            return true;
    kept[count++ % KEPT] = hash;
    return false;
}

void cli_note(void *user, const char *text) {
    const cli_common *common = user;
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (const char *p = text; *p; p++)
        hash = (hash ^ (unsigned char)*p) * UINT64_C(1099511628211);
    if (!common->quiet && !was_noted(hash)) {
        cli_say("note: %s", text);
        cli_ranks_noted(text);
    }
}

int cli_finish_output(int status) {
    cli_progress_clear();
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (cli_reader_left())
        return status ? status : CLI_EXIT_PIPE;
    cli_say("cannot write to standard output: %s", errno ? strerror(errno) : "an earlier write failed");
    return status ? status : CLI_EXIT_OUTPUT;
}
