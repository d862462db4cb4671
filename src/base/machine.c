/* machine.c - see machine.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH = 4096, LINE = 512 };

/* The first line of a small file; false when there is none. */
static bool read_line(const char *path, char *line, size_t size) {
    FILE *file = fopen(path, "re");
    bool read = file && fgets(line, (int)size, file);
    if (file)
        fclose(file);
    return read;
}

/* Rounded up: a quota of 1.5 CPUs keeps two threads busy. */
static uint64_t whole_cpus(long long quota, long long period) {
    return quota > 0 && period > 0 ? (uint64_t)((quota + period - 1) / period) : 0;
}

/* Version 2: "max 100000" or "150000 100000". */
static uint64_t quota_of_v2(const char *folder) {
    char path[PATH + 32], line[LINE];
    long long quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    return read_line(path, line, sizeof line) && sscanf(line, "%lld %lld", &quota, &period) == 2
               ? whole_cpus(quota, period)
               : 0;
}

/* Version 1: two files, the quota -1 where there is none. */
static uint64_t quota_of_v1(const char *folder) {
    char path[PATH + 32], line[LINE];
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!read_line(path, line, sizeof line))
        return 0;
    long long quota = strtoll(line, NULL, 10);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    return read_line(path, line, sizeof line) ? whole_cpus(quota, strtoll(line, NULL, 10)) : 0;
}

static uint64_t number_in(const char *folder, const char *name) {
    char path[PATH + 32], line[LINE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_line(path, line, sizeof line) ? strtoull(line, NULL, 10) : 0; /* "max": 0, no bound */
}

static uint64_t memory_of_v2(const char *folder) { return number_in(folder, "memory.max"); }
static uint64_t memory_of_v1(const char *folder) { return number_in(folder, "memory.limit_in_bytes"); }

static uint64_t tighter(uint64_t a, uint64_t b) { return !a || (b && b < a) ? b : a; }

/* The tightest quota of a group and its parents. In a container the group's path may be the host's: folders that do
 * not exist count as having no quota, and the walk ends at the mount point. */
static uint64_t walk_up(const char *mount, const char *group, uint64_t (*quota_of)(const char *folder)) {
    char folder[PATH];
    uint64_t quota = 0;
    if ((size_t)snprintf(folder, sizeof folder, "%s%s", mount, group) >= sizeof folder)
        return quota_of(mount);
    for (;;) {
        quota = tighter(quota, quota_of(folder));
        char *slash = strrchr(folder, '/');
        /* never: the mount point begins with a slash */
        if (!slash || (size_t)(slash - folder) < strlen(mount))
            return quota;
        *slash = '\0';
    }
}

/* Whether a comma-separated list of controllers contains `name`. */
static bool has_controller(const char *list, size_t length, const char *name) {
    for (size_t i = 0; i < length;) {
        size_t word = strcspn(list + i, ",:");
        if (word == strlen(name) && memcmp(list + i, name, word) == 0)
            return true;
        i += word + 1;
    }
    return false;
}

/* One line of /proc/self/cgroup: "0::/path" is version 2, "4:cpu,cpuacct:/path" version 1. */
static uint64_t bound_of_line(const char *root, char *line, const char *controller, uint64_t (*v2)(const char *folder),
                              uint64_t (*v1)(const char *folder)) {
    char mount[LINE];
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    if (!group)
        return 0;
    size_t length = (size_t)(group - ++list);
    group[strcspn(group, "\n")] = '\0';
    group++;
    if (length == 0) {
        snprintf(mount, sizeof mount, "%.400s/sys/fs/cgroup", root);
        return walk_up(mount, group, v2);
    }
    if (!has_controller(list, length, controller))
        return 0;
    snprintf(mount, sizeof mount, "%.400s/sys/fs/cgroup/%.*s", root, (int)length, list);
    uint64_t bound = walk_up(mount, group, v1);
    snprintf(mount, sizeof mount, "%.400s/sys/fs/cgroup/%s", root, controller);
    return tighter(bound, walk_up(mount, group, v1));
}

static uint64_t quota_of_line(const char *root, char *line) {
    return bound_of_line(root, line, "cpu", quota_of_v2, quota_of_v1);
}

static uint64_t memory_of_line(const char *root, char *line) {
    return bound_of_line(root, line, "memory", memory_of_v2, memory_of_v1);
}

/* The minimum of `of_line` over all lines of /proc/self/cgroup. */
static uint64_t over_groups(const char *root, uint64_t (*of_line)(const char *root, char *line)) {
    char path[LINE], line[PATH];
    uint64_t bound = 0;
    snprintf(path, sizeof path, "%.400s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        bound = tighter(bound, of_line(root, line));
    if (file)
        fclose(file);
    return bound;
}

uint64_t hd_machine_quota(const char *root) { return over_groups(root, quota_of_line); }

void hd_machine_allowed(uint64_t cpus[HD_CPU_WORDS]) {
    memset(cpus, 0, HD_CPU_WORDS * sizeof *cpus);
#ifdef __linux__
    (void)sched_getaffinity(0, HD_CPU_WORDS * sizeof *cpus, (cpu_set_t *)cpus);
#endif
}

void hd_machine_allow(const uint64_t cpus[HD_CPU_WORDS]) {
#ifdef __linux__
    (void)sched_setaffinity(0, HD_CPU_WORDS * sizeof *cpus, (const cpu_set_t *)cpus);
#else
    (void)cpus;
#endif
}

static int allowed_cpus(void) {
    uint64_t cpus[HD_CPU_WORDS];
    int count = 0;
    hd_machine_allowed(cpus);
    for (int w = 0; w < HD_CPU_WORDS; w++)
        count += __builtin_popcountll(cpus[w]);
    /* never: all CPUs of the machines that test this are in the mask */
    return count ? count : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int hd_machine_cpus(const char *root) {
    int cpus = allowed_cpus();
    uint64_t quota = hd_machine_quota(root);
    if (quota && quota < (uint64_t)cpus)
        cpus = (int)quota;
    return cpus > 0 ? cpus : 1; /* never: unless the system does not say */
}

/* MemTotal and SwapTotal, in kB there. */
static uint64_t installed_memory(const char *root) {
    char path[LINE], line[LINE];
    unsigned long long kilobytes;
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "%.400s/proc/meminfo", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemTotal: %llu", &kilobytes) == 1 || sscanf(line, "SwapTotal: %llu", &kilobytes) == 1)
            bytes += kilobytes * 1024;
    if (file)
        fclose(file);
    return bytes;
}

uint64_t hd_machine_memory(const char *root) {
    struct rlimit space;
    uint64_t bytes = tighter(installed_memory(root), over_groups(root, memory_of_line));
    /* never: the system knows this limit */
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        bytes = tighter(bytes, (uint64_t)space.rlim_cur);
    return bytes ? bytes : UINT64_MAX;
}

bool hd_machine_load_read(const char *root, hd_machine_load *load) {
    char path[LINE], line[LINE];
    unsigned long long running;
    snprintf(path, sizeof path, "%.400s/proc/loadavg", root);
    if (!read_line(path, line, sizeof line) || sscanf(line, "%lf %*f %*f %llu/", &load->average, &running) != 2)
        return false;
    load->running = running;
    return true;
}

/* Other running threads per CPU that only a busy machine has, even for a moment. */
enum { CROWD = 3 };

int hd_machine_share(const hd_machine_load *load, int cpus, int threads, bool preempted) {
    uint64_t own = (uint64_t)threads, all = (uint64_t)cpus; /* all threads of ours may be among the running ones */
    bool crowd = load->running >= own + CROWD * all;
    if (load->running < own + all || !(crowd || preempted || load->average >= (double)cpus))
        return threads;
    uint64_t share = own * all / load->running;
    return share < 1 ? 1 : (int)share;
}
