/* threads.c - see threads.h.
 *
 * OpenMP runtimes end the process if they cannot start a thread. So the first call that needs more threads than were
 * tried before starts that many for a moment, and uses fewer if the system refuses.
 */
#include "base/threads.h"

#include "base/machine.h"
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _OPENMP

/* OpenMP's threads belong to the process, not to a context, hence this one global. */
static atomic_long started_in; /* id of the process in which they were started; 0: not yet */

/* True in a forked child: OpenMP's threads do not exist there, but its runtime assumes that they do. */
static bool are_lost(void) {
    long process = atomic_load_explicit(&started_in, memory_order_relaxed);
    return process && process != (long)getpid();
}

/* ---- Trying threads out ------------------------------------------------------------------------------------------ */

static void *wait_at_gate(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Threads of this process, plus a constant; 0: unknown. */
static unsigned long count_tasks(void) {
    struct stat folder;
    /* never: without /proc */
    return stat("/proc/self/task", &folder) == 0 ? (unsigned long)folder.st_nlink : 0;
}

/* A joined thread counts against limits until the kernel has removed it. */
static void wait_for_tasks(unsigned long before) {
    enum { LOOKS = 1000 };
    for (int look = 0; look < LOOKS && count_tasks() > before; look++)
        sched_yield();
}

/* How many of `wanted` threads can exist at the same time. */
static int try_threads(int wanted) {
    pthread_t made[HD_MOST_THREADS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    sigset_t all, mask;
    int count = 0;
    unsigned long tasks = count_tasks();
    sigfillset(&all); /* signals are the caller's */
    bool masked = pthread_sigmask(SIG_BLOCK, &all, &mask) == 0;
    pthread_mutex_lock(&gate);
    while (count < wanted && pthread_create(&made[count], NULL, wait_at_gate, &gate) == 0)
        count++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; i++)
        pthread_join(made[i], NULL);
    if (masked) /* never: it cannot fail so */
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
    wait_for_tasks(tasks);
    pthread_mutex_destroy(&gate);
    return count;
}

/* If the limit was reached, uses half of the threads that could be started: other code needs some too. */
static int tried_threads(heddle_context *ctx, int threads) {
    enum { SPARE = 2 };
    int most = HD_MOST_THREADS - 1, wanted = threads - 1 + SPARE < most ? threads - 1 + SPARE : most;
    if (threads <= ctx->tried_threads && pthread_equal(ctx->tried_by, pthread_self()))
        return threads;
    int count = try_threads(wanted);
    if (count < wanted) {
        int fewer = 1 + count / 2 < threads ? 1 + count / 2 : threads - 1;
        hd_note(ctx, "%d threads instead of %d: the system does not give more", fewer, threads);
        threads = ctx->most_threads = fewer;
    }
    ctx->tried_threads = threads;
    ctx->tried_by = pthread_self();
    return threads;
}

/* ---- Choosing ---------------------------------------------------------------------------------------------------- */

/* Whether this process was preempted since the last call. */
static bool was_preempted(heddle_context *ctx) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) /* never: it cannot fail so */
        return false;
    long before = ctx->preemptions;
    ctx->preemptions = usage.ru_nivcsw;
    return usage.ru_nivcsw > before;
}

static int shared_threads(heddle_context *ctx, int threads) {
    hd_machine_load load;
    bool preempted = was_preempted(ctx);
    int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    /* never: without /proc */
    return cpus > 0 && hd_machine_load_read("", &load) ? hd_machine_share(&load, cpus, threads, preempted) : threads;
}

static int choose(heddle_context *ctx, uint64_t work) {
    int threads = ctx->most_threads;
    if (!ctx->exact_threads && work / HD_WORTH_THREADS < (uint64_t)threads - 1)
        threads = 1 + (int)(work / HD_WORTH_THREADS);
    if (threads > 1 && are_lost())
        return 1;
    if (threads > 1 && !ctx->exact_threads)
        threads = shared_threads(ctx, threads);
    if (threads > 1)
        threads = tried_threads(ctx, threads);
    if (threads > 1)
        atomic_store_explicit(&started_in, (long)getpid(), memory_order_relaxed);
    return threads;
}

/* OMP_NUM_THREADS counts like a number given by the caller, up to max(64, 4 * CPUs). */
static int default_threads(bool *exact) {
    enum { ALWAYS = 64, PER_CPU = 4 };
    int cpus = hd_machine_cpus(""), threads = omp_get_max_threads();
    const char *wish = getenv("OMP_NUM_THREADS");
    int most = cpus <= HD_MOST_THREADS / PER_CPU ? cpus * PER_CPU : HD_MOST_THREADS;
    *exact = wish && *wish;
    if (!*exact)
        return cpus < threads ? cpus : threads;
    most = most > ALWAYS ? most : ALWAYS;
    return threads < most ? threads : most;
}

void hd_threads_init(heddle_context *ctx, int requested) {
    struct rusage usage;
    ctx->exact_threads = requested > 0;
    ctx->most_threads = requested > 0 ? requested : default_threads(&ctx->exact_threads);
    ctx->threads = 1; /* until a call begins */
    /* never: it cannot fail so */
    ctx->preemptions = getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
    if (ctx->exact_threads)
        ctx->threads = choose(ctx, UINT64_MAX);
}

void hd_threads_join(heddle_context *ctx, int threads) {
    int cpus = hd_machine_cpus("");
    threads = threads < cpus ? threads : cpus;
    if (threads <= ctx->most_threads)
        return;
    ctx->most_threads = threads;
    ctx->exact_threads = false;
}

#else

static int choose(heddle_context *ctx, uint64_t work) { return (void)ctx, (void)work, 1; }
void hd_threads_init(heddle_context *ctx, int requested) { ctx->threads = ctx->most_threads = ((void)requested, 1); }
void hd_threads_join(heddle_context *ctx, int threads) { (void)ctx, (void)threads; }

#endif

uint64_t hd_work(uint64_t vertices, uint64_t edges, uint64_t times) {
    uint64_t once = vertices < UINT64_MAX - edges ? vertices + edges + 1 : UINT64_MAX;
    return times > UINT64_MAX / once ? UINT64_MAX : once * times;
}

void hd_threads_settle(heddle_context *ctx, uint64_t work) { ctx->threads = choose(ctx, work); }
