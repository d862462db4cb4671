/* signals.c - signals.h tells the rules. Everything the handler calls is safe in a handler. */
#include "signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static _Atomic(heddle_context *) running;
static atomic_int caught;

static void handle(int signal) {
    (void)signal;
    heddle_context *context = atomic_load(&running);
    if (atomic_fetch_add(&caught, 1) > 0 || !context)
        _exit(CLI_EXIT_INTERRUPTED);
    heddle_context_cancel(context);
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
}

void cli_signals_release(void) { atomic_store(&running, NULL); }

bool cli_interrupted(void) { return atomic_load(&caught) > 0; }
