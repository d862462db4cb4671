/* fake_case.h - tests with the drivers of tests/fake: the program starts itself again with them on its path. */
#ifndef FAKE_CASE_H
#define FAKE_CASE_H

#include "support.h"

#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t plenty = UINT64_C(1) << 30;

static inline void begin(uint64_t at, int error, bool forever) {
    fake_begin(&(fake_setup){.at = at, .error = error, .forever = forever, .devices = 2, .memory = plenty});
}

static inline void assert_nothing_left(const char *what, uint64_t n) {
    char left[256];
    if (fake_left(left, sizeof left))
        fail_msg("%s, call %llu (%s) fails: %s were not given back", what, (unsigned long long)n,
                 fake_failed() ? fake_failed() : "none", left);
}

/* Calls whose failure costs nothing but a name, a time, or what is given back anyway. */
static inline bool harmless(const char *call) {
    static const char *const calls[] = {"cuMemFree",
                                        "cuMemFreeHost",
                                        "cuModuleUnload",
                                        "cuStreamDestroy",
                                        "cuEventDestroy",
                                        "cuDevicePrimaryCtxRelease",
                                        "cuMemHostAlloc",
                                        "cuMemHostGetDevicePointer",
                                        "cuCtxSetCurrent",
                                        "cuGetErrorString",
                                        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                                        "cuFuncSetAttribute",
                                        "nvrtcVersion",
                                        "nvrtcDestroyProgram",
                                        "clGetDeviceInfo",
                                        "clReleaseMemObject",
                                        "clReleaseKernel",
                                        "clReleaseProgram",
                                        "clReleaseEvent",
                                        "clReleaseCommandQueue",
                                        "clReleaseContext"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(call, calls[i]) == 0)
            return true;
    return false;
}

/* The run's error says which call it was. */
static inline void assert_says(heddle_context *ctx, heddle_status status, const char *what, uint64_t n, bool memory) {
    const char *message = heddle_context_error(ctx)->message, *call = fake_failed();
    if (status == HEDDLE_OK) {
        if (!harmless(call))
            fail_msg("%s: call %llu (%s) fails, and the run knows nothing of it", what, (unsigned long long)n, call);
        return;
    }
    if (status != HEDDLE_E_DEVICE && status != HEDDLE_E_DEVICE_MEMORY)
        fail_msg("%s: call %llu (%s) fails: status %d, %s", what, (unsigned long long)n, call, (int)status, message);
    if (!strstr(message, call))
        fail_msg("%s: call %llu fails: expected %s in '%s'", what, (unsigned long long)n, call, message);
    if (memory && strncmp(call, "nvrtc", 5) != 0 && !strstr(message, "the driver is there") &&
        !strstr(message, "the OpenCL loader is there"))
        assert_int_equal(status, HEDDLE_E_DEVICE_MEMORY);
    if (strstr(call, "Launch") || strstr(call, "NDRange") || strstr(call, "KernelArg")) {
        const char *kernel = strstr(message, " for ");
        assert_true(kernel && strchr(kernel, '_'));
    }
}

/* At the beginning of main. False: it could not be done. */
static inline bool have_fakes(char **arguments) {
    const char *path = getenv("LD_LIBRARY_PATH");
    if (!path || strncmp(path, FAKE_DRIVERS, strlen(FAKE_DRIVERS)) != 0) {
        char with[4096];
        snprintf(with, sizeof with, "%s%s%s", FAKE_DRIVERS, path ? ":" : "", path ? path : "");
        setenv("LD_LIBRARY_PATH", with, 1);
        execv("/proc/self/exe", arguments);
        return false;
    }
    setenv("HEDDLE_CACHE", "/dev/null/none", 1); /* every run compiles */
    return true;
}

#endif
