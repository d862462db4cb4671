/* signals.c - signals.h tells the rules. Everything the handler calls is safe in a handler. */
#include "signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static _Atomic(heddle_context *) running;
static atomic_int caught;
static _Atomic int64_t first_caught; /* milliseconds */
static bool on_terminal;

enum { SAME_SIGNAL = 100 /* milliseconds: nobody is so impatient */ };

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void handle(int signal) {
    (void)signal;
    heddle_context *context = atomic_load(&running);
    int64_t now = milliseconds(), none = 0;
    bool again = !atomic_compare_exchange_strong(&first_caught, &none, now);
    if (!context || (again && now - none >= SAME_SIGNAL))
        _exit(CLI_EXIT_INTERRUPTED);
    atomic_store(&caught, 1);
    heddle_context_cancel(context);
}

/* Pages of a mapped file that are no longer there, or that the disk does not give. Who waits for them is in the middle
 * of anything, so there is no way back. */
static void handle_missing_page(int number, siginfo_t *info, void *unused) {
    static const char words[] = "heddle: a file changed while it was read: it was cut short, or its disk failed\n";
    static const char wipe[] = "\r\033[K";
    (void)unused;
    if (info->si_code != BUS_ADRERR) {
        signal(number, SIG_DFL); /* something else: back to where it happened, and end there */
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

void cli_signals_install(heddle_context *context) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    atomic_store(&running, context);
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    catch_signal(SIGHUP);
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); /* a file over `ulimit -f` is a failed write, which is told */
    struct sigaction bus = {.sa_sigaction = handle_missing_page, .sa_flags = SA_SIGINFO};
    sigemptyset(&bus.sa_mask);
    on_terminal = isatty(STDERR_FILENO);
    sigaction(SIGBUS, &bus, NULL);
}

void cli_signals_release(void) { atomic_store(&running, NULL); }

bool cli_interrupted(void) { return atomic_load(&caught) > 0; }
