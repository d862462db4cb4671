/* signals.c - see signals.h. Everything the handler calls is safe in a handler. */
#include "signals.h"

#include "text.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Atomic(heddle_context *) running;
static atomic_int caught;
static _Atomic int64_t first_caught; /* milliseconds */
static bool on_terminal;

enum { SAME_SIGNAL = 100 /* milliseconds: faster than a user presses Ctrl-C twice */ };

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static char program[512]; /* a user's program, cleaned for terminals; empty: none has run */
static atomic_int inside; /* it runs */

static void put(const char *words) {
    ssize_t written = write(STDERR_FILENO, words, strlen(words));
    (void)written;
}

/* A cancel between two calls does nothing, and the next call may wait for input or other ranks without progress. */
static void cancel_again(int signal) {
    (void)signal;
    heddle_context *context = atomic_load(&running);
    if (!context)
        return;
    heddle_context_cancel(context);
    alarm(1);
}

static void handle(int signal) {
    (void)signal;
    heddle_context *context = atomic_load(&running);
    int64_t now = milliseconds(), none = 0;
    bool again = !atomic_compare_exchange_strong(&first_caught, &none, now);
    if (again && now - none >= SAME_SIGNAL)
        _exit(CLI_EXIT_INTERRUPTED);
    if (!context)
        return; /* all is done, files have their names: 130 would say that they have not */
    atomic_store(&caught, 1);
    cancel_again(SIGALRM);
    if (!again && atomic_load(&inside)) { /* it may never come to the end of a round */
        put(on_terminal ? "\r\033[Kheddle: " : "heddle: ");
        put(program);
        put(": stops after this round; a second Ctrl-C ends it at once\n");
    }
}

/* ---- A user's program ------------------------------------------------------------------------------------------- */

static const struct {
    int number;
    const char *words;
} mistakes[] = {{SIGSEGV, "SIGSEGV, a bad pointer or an endless recursion"},
                {SIGFPE, "SIGFPE, a division by zero or the like"},
                {SIGILL, "SIGILL, code that it should not get to"},
                {SIGABRT, "SIGABRT, a call of abort"},
                {SIGTRAP, "SIGTRAP, code that it should not get to"}};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

static void end_program(const char *why) {
    put(on_terminal ? "\r\033[Kheddle: " : "heddle: ");
    put(program);
    put(": the program was ended by ");
    put(why);
    put("\n");
    _exit(CLI_EXIT_PROGRAM);
}

static void handle_mistake(int number) {
    for (int i = 0; i < MISTAKES; i++)
        if (mistakes[i].number == number)
            end_program(mistakes[i].words);
}

/* A program that calls exit would otherwise end the command with status 0. */
static void handle_exit(void) {
    if (atomic_load(&inside))
        end_program("a call of exit");
}

void cli_signals_program(const char *path) {
    static struct sigaction before[MISTAKES];
    static char stack[1 << 16]; /* an endless recursion has used up the normal stack */
    static bool watched;
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = handle_mistake, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if ((path != NULL) == atomic_load(&inside))
        return;
    if (path) {
        snprintf(program, sizeof program, "%s", path);
        cli_clean(program);
        sigaltstack(&other, NULL);
        if (!watched)
            atexit(handle_exit);
        watched = true;
    }
    for (int i = 0; i < MISTAKES; i++)
        sigaction(mistakes[i].number, path ? &action : &before[i], path ? &before[i] : NULL);
    atomic_store(&inside, path != NULL);
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

/* SIGBUS: pages of a mapped file that was truncated, or that the disk cannot read. It may come from anywhere in the
 * library, so the process must end. */
static void handle_missing_page(int number, siginfo_t *info, void *unused) {
    static const char words[] = "heddle: a file changed while it was read: it was cut short, or its disk failed\n";
    static const char wipe[] = "\r\033[K";
    (void)unused;
    if (atomic_load(&inside) && info->si_code != BUS_ADRERR)
        end_program("SIGBUS, a bad pointer");
    if (info->si_code != BUS_ADRERR) {
        signal(number, SIG_DFL); /* another cause: return, and let the fault end the process */
        return;
    }
    ssize_t written = on_terminal ? write(STDERR_FILENO, wipe, sizeof wipe - 1) : 0;
    written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    _exit(heddle_status_exit(HEDDLE_E_READ));
}

static void catch_signal(int signal) {
    struct sigaction action = {.sa_handler = handle}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL); /* no SA_RESTART: a blocked read has to wake up */
}

heddle_context *cli_signals_install(heddle_context *context) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    heddle_context *before = atomic_exchange(&running, context);
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    catch_signal(SIGHUP);
    struct sigaction repeated = {.sa_handler = cancel_again};
    sigemptyset(&repeated.sa_mask);
    sigaction(SIGALRM, &repeated, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); /* exceeding `ulimit -f` is then a failed write, which is reported */
    struct sigaction bus = {.sa_sigaction = handle_missing_page, .sa_flags = SA_SIGINFO};
    sigemptyset(&bus.sa_mask);
    on_terminal = isatty(STDERR_FILENO);
    sigaction(SIGBUS, &bus, NULL);
    return before;
}

void cli_signals_release(heddle_context *before) { atomic_store(&running, before); }

bool cli_interrupted(void) { return atomic_load(&caught) > 0; }

bool cli_reader_left(void) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && output.revents & POLLERR;
}
