/* fake_case.h - tests with the drivers of tests/fake: the program starts itself again with them on its path. */
#ifndef FAKE_CASE_H
#define FAKE_CASE_H

#include "support.h"

#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
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
