/* test_machine.c - CPUs within quotas and beside other work, on machines made of files. */
#include "support.h"

#include "base/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes a file below a machine's root, folders included. */
static void put(const char *root, const char *path, const char *text) {
    char name[512];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = strchr(name + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0700);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *machine(const char *name) {
    const char *root = support_temp_path(name);
    assert_int_equal(mkdir(root, 0700), 0);
    return root;
}

static void nothing_known_is_no_quota(void **state) {
    (void)state;
    const char *root = machine("bare");
    hd_machine_load load;
    assert_int_equal(hd_machine_quota(root), 0);
    assert_false(hd_machine_load_read(root, &load));
    assert_true(hd_machine_cpus(root) >= 1);
}

static void version_2_takes_the_tightest_group(void **state) {
    (void)state;
    const char *root = machine("v2");
    put(root, "/proc/self/cgroup", "0::/user/job\n");
    put(root, "/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    assert_int_equal(hd_machine_quota(root), 0);
    put(root, "/sys/fs/cgroup/user/job/cpu.max", "350000 100000\n");
    assert_int_equal(hd_machine_quota(root), 4); /* 3.5 */
    put(root, "/sys/fs/cgroup/user/cpu.max", "100000 100000\n");
    assert_int_equal(hd_machine_quota(root), 1);
    assert_int_equal(hd_machine_cpus(root), 1);
}

static void a_container_sees_its_group_as_root(void **state) {
    (void)state;
    const char *root = machine("container");
    put(root, "/proc/self/cgroup", "0::/\n");
    put(root, "/sys/fs/cgroup/cpu.max", "50000 100000\n");
    assert_int_equal(hd_machine_quota(root), 1);
}

static void version_1_has_two_files(void **state) {
    (void)state;
    const char *root = machine("v1");
    put(root, "/proc/self/cgroup", "9:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n0::/\n");
    put(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    put(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    assert_int_equal(hd_machine_quota(root), 0);
    put(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n");
    assert_int_equal(hd_machine_quota(root), 2);
    put(root, "/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "100000\n");
    put(root, "/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
    assert_int_equal(hd_machine_quota(root), 1);
}

static void a_quota_that_is_no_number_is_none(void **state) {
    (void)state;
    const char *root = machine("odd");
    put(root, "/proc/self/cgroup", "\nrubbish\n0::/\n");
    put(root, "/sys/fs/cgroup/cpu.max", "\n");
    assert_int_equal(hd_machine_quota(root), 0);
    put(root, "/sys/fs/cgroup/cpu.max", "100 0\n");
    assert_int_equal(hd_machine_quota(root), 0);
}

/* Files that are empty or of which one is missing, and more CPUs than there are. */
static void a_quota_that_bounds_nothing(void **state) {
    (void)state;
    const char *root = machine("vain");
    put(root, "/proc/self/cgroup", "0::/\n");
    put(root, "/sys/fs/cgroup/cpu.max", "");
    assert_int_equal(hd_machine_quota(root), 0);
    int cpus = hd_machine_cpus(root);
    put(root, "/sys/fs/cgroup/cpu.max", "1000000000 1000\n");
    assert_int_equal(hd_machine_quota(root), 1000000);
    assert_int_equal(hd_machine_cpus(root), cpus);
    put(root, "/proc/self/cgroup", "1:cpu:/\n");
    put(root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n"); /* of what period? */
    assert_int_equal(hd_machine_quota(root), 0);
}

/* A group whose path is too long to be looked at has the quota of the mount point. */
static void a_path_that_is_too_long(void **state) {
    (void)state;
    const char *root = machine("long");
    char line[4090] = "0::/";
    memset(line + 4, 'x', sizeof line - 5);
    put(root, "/proc/self/cgroup", line);
    put(root, "/sys/fs/cgroup/cpu.max", "300000 100000\n");
    assert_int_equal(hd_machine_quota(root), 3);
}

static void memory_is_the_tightest_bound(void **state) {
    (void)state;
    const char *root = machine("memory");
    put(root, "/proc/meminfo", "MemTotal:  4194304 kB\nMemFree: 1 kB\nSwapTotal: 1048576 kB\n");
    assert_int_equal(hd_machine_memory(root), UINT64_C(5) << 30);
    put(root, "/proc/self/cgroup", "3:memory:/job\n0::/job\n");
    put(root, "/sys/fs/cgroup/job/memory.max", "max\n");
    assert_int_equal(hd_machine_memory(root), UINT64_C(5) << 30);
    put(root, "/sys/fs/cgroup/job/memory.max", "3221225472\n");
    assert_int_equal(hd_machine_memory(root), UINT64_C(3) << 30);
    put(root, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824\n");
    assert_int_equal(hd_machine_memory(root), UINT64_C(1) << 30);
}

/* Files are closed, and those that are not there are not. */
static void no_file_stays_open(void **state) {
    (void)state;
    const char *root = machine("closed"), *none = machine("empty");
    hd_machine_load load;
    put(root, "/proc/meminfo", "MemTotal:  4194304 kB\n");
    put(root, "/proc/loadavg", "1 1 1 1/3 6\n");
    int next = dup(0);
    assert_int_equal(close(next), 0);
    assert_int_equal(hd_machine_memory(root), UINT64_C(4) << 30);
    assert_true(hd_machine_load_read(root, &load));
    assert_true(hd_machine_memory(none) > UINT64_C(4) << 30); /* or the limit of this process */
    assert_false(hd_machine_load_read(none, &load));
    assert_int_equal(dup(0), next);
    assert_int_equal(close(next), 0);
}

static void load_is_read(void **state) {
    (void)state;
    const char *root = machine("busy");
    hd_machine_load load;
    put(root, "/proc/loadavg", "10.25 7.00 3.50 11/345 6789\n");
    assert_true(hd_machine_load_read(root, &load));
    assert_true(load.average == 10.25);
    assert_int_equal(load.running, 11);
    put(root, "/proc/loadavg", "rubbish\n");
    assert_false(hd_machine_load_read(root, &load));
}

static void a_busy_machine_gets_fewer_threads(void **state) {
    (void)state;
    hd_machine_load quiet = {0.3, 2}, moment = {0.3, 6}, crowd = {0.3, 12}, busy = {10, 12}, large = {128, 192},
                    half = {1, 3}, just = {0.3, 8}, nearly = {0.3, 7};
    assert_int_equal(hd_machine_share(&quiet, 2, 2, true), 2);
    assert_int_equal(hd_machine_share(&moment, 2, 2, false), 2); /* nobody took a CPU away from us */
    assert_int_equal(hd_machine_share(&moment, 2, 2, true), 1);
    assert_int_equal(hd_machine_share(&crowd, 2, 2, false), 1);
    assert_int_equal(hd_machine_share(&busy, 2, 2, false), 1);
    assert_int_equal(hd_machine_share(&half, 2, 2, true), 2);
    assert_int_equal(hd_machine_share(&large, 64, 64, false), 21); /* a third of 64 CPUs */
    assert_int_equal(hd_machine_share(&just, 2, 2, false), 1);     /* three others per CPU */
    assert_int_equal(hd_machine_share(&nearly, 2, 2, false), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_is_no_quota),
        cmocka_unit_test(version_2_takes_the_tightest_group),
        cmocka_unit_test(a_container_sees_its_group_as_root),
        cmocka_unit_test(version_1_has_two_files),
        cmocka_unit_test(a_quota_that_is_no_number_is_none),
        cmocka_unit_test(a_quota_that_bounds_nothing),
        cmocka_unit_test(a_path_that_is_too_long),
        cmocka_unit_test(load_is_read),
        cmocka_unit_test(a_busy_machine_gets_fewer_threads),
        cmocka_unit_test(memory_is_the_tightest_bound),
        cmocka_unit_test(no_file_stays_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
