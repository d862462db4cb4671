/* machine.h - what the machine gives this process: CPUs within affinity and cgroup quota, and how busy it is.
 *
 * Files are read below a root folder ("" for the real one), so that tests can bring a machine of their own.
 */
#ifndef HD_BASE_MACHINE_H
#define HD_BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_MOST_THREADS = 4096 };

/* Work on all CPUs of the machine, as /proc/loadavg tells it. */
typedef struct hd_machine_load {
    double average;   /* runnable threads, mean of a minute */
    uint64_t running; /* runnable threads now, this one among them */
} hd_machine_load;

/* CPUs' worth of time that the cgroups of this process may use (v1 and v2, parents too), rounded up; 0: no quota. */
uint64_t hd_machine_quota(const char *root);
/* CPUs this process may run on, and no more than its quota; at least 1. */
int hd_machine_cpus(const char *root);
/* The most bytes of memory this process may have: those of the machine with its swap, within its cgroups (v1 and v2,
 * parents too) and its limit of address space. */
uint64_t hd_machine_memory(const char *root);
/* False where the system does not tell. */
bool hd_machine_load_read(const char *root, hd_machine_load *load);

/* How many of `threads` threads are worth starting beside that load on a machine of `cpus` CPUs: all, unless every CPU
 * has other work already; then as many as the share of the CPUs they would get. `preempted`: this process lost a CPU
 * to others since it looked last. One moment's count alone proves little: it takes that, a busy minute, or three others
 * for each CPU, as well. */
int hd_machine_share(const hd_machine_load *load, int cpus, int threads, bool preempted);

#endif
