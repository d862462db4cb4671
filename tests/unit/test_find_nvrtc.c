/* test_find_nvrtc.c - where CUDA's compiler is looked for: the environment, and packages of Python beside Heddle. */
#include "support.h"

#include "device/nvrtc.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char root[256];

/* Makes an empty file below `root`, folders included. */
static void put(const char *path) {
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *slash = strchr(name + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0700);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void assert_found(const char *own, const char *expected) {
    char file[512], path[512], wanted[512] = "";
    snprintf(file, sizeof file, "%s/%s", root, own);
    if (*expected)
        snprintf(wanted, sizeof wanted, "%s/%s", root, expected);
    hd_nvrtc_beside(file, path, sizeof path);
    assert_string_equal(path, wanted);
}

static void packages_of_python_are_found(void **state) {
    (void)state;
    snprintf(root, sizeof root, "%s", support_temp_path("environment"));
    mkdir(root, 0700);
    put("bin/heddle");
    put("lib/python3.12/site-packages/heddle/libheddle.so");
    assert_found("bin/heddle", "");
    put("lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.alt.so.13");
    assert_found("bin/heddle", "");
    put("lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    assert_found("bin/heddle", "bin/../lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    assert_found("lib/python3.12/site-packages/heddle/libheddle.so",
                 "lib/python3.12/site-packages/heddle/../nvidia/cu13/lib/libnvrtc.so.13");
    put("lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    assert_found("bin/heddle", "bin/../lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
}

static void no_folder_and_a_long_one(void **state) {
    (void)state;
    char path[64], long_name[6000];
    hd_nvrtc_beside("heddle", path, sizeof path);
    assert_string_equal(path, "");
    memset(long_name, 'a', sizeof long_name);
    long_name[sizeof long_name - 2] = '/';
    long_name[sizeof long_name - 1] = '\0';
    hd_nvrtc_beside(long_name, path, sizeof path);
    assert_string_equal(path, "");
}

/* A file that is named and does not open is an error: nothing else is taken in its place. */
static void the_environment_decides(void **state) {
    (void)state;
    hd_nvrtc_functions nvrtc;
    char missing[128], *before = getenv("HEDDLE_NVRTC");
    before = before ? strdup(before) : NULL;
    setenv("HEDDLE_NVRTC", "/nowhere/libnvrtc.so.12", 1);
    assert_null(hd_nvrtc_open(&nvrtc, missing, sizeof missing));
    assert_string_equal(missing, "/nowhere/libnvrtc.so.12 not found");
    unsetenv("HEDDLE_NVRTC");
    if (before)
        setenv("HEDDLE_NVRTC", before, 1);
    free(before);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(packages_of_python_are_found),
        cmocka_unit_test(no_folder_and_a_long_one),
        cmocka_unit_test(the_environment_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
