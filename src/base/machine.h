/* machine.h - the machine's limits for this process: CPUs within affinity and cgroup quota, memory, and current load.
 *
 * Files are read below a root folder ("" for the real one), so that tests can supply their own.
 */
#ifndef HD_BASE_MACHINE_H
#define HD_BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_MOST_THREADS = 4096 };

/* Load of the whole machine, from /proc/loadavg. */
typedef struct hd_machine_load {
    double average;   /* runnable threads, mean over one minute */
    uint64_t running; /* runnable threads now, this one among them */
} hd_machine_load;

/* CPU quota of this process's cgroups (v1 and v2, parents too), in CPUs, rounded up; 0: no quota. */
uint64_t hd_machine_quota(const char *root);
/* CPUs this process may run on, and no more than its quota; at least 1. */
int hd_machine_cpus(const char *root);
/* The CPUs on which this thread may run, a bit each. */
enum { HD_CPU_WORDS = 1024 };
void hd_machine_allowed(uint64_t cpus[HD_CPU_WORDS]);
/* Lets it, and threads that it starts, run on those; without effect where that is forbidden. */
void hd_machine_allow(const uint64_t cpus[HD_CPU_WORDS]);
/* Bytes of memory this process may use: RAM plus swap, bounded by its cgroups (v1 and v2, parents too) and its address
 * space limit. */
uint64_t hd_machine_memory(const char *root);
/* False if /proc/loadavg cannot be read. */
bool hd_machine_load_read(const char *root, hd_machine_load *load);

/* How many of `threads` threads are worth starting under that load on a machine of `cpus` CPUs: all, unless every CPU
 * already runs other work; then as many as the CPUs that they would get. `preempted`: this process was preempted since
 * the last check. The momentary count of running threads is noisy, so it must be confirmed by a preemption, by a load
 * average of at least `cpus`, or by at least three other running threads per CPU. */
int hd_machine_share(const hd_machine_load *load, int cpus, int threads, bool preempted);

#endif
