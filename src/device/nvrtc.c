/* nvrtc.c - see nvrtc.h. */
#include "device/nvrtc.h"
#include "base/own_file.h"
#include "device/library.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last match in alphabetical order. */
static void find_last(const char *pattern, char *path, size_t room) {
    glob_t found = {0};
    if (glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0)
        snprintf(path, room, "%s", found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
}

/* pip puts it into nvidia/cuda_nvrtc/lib (CUDA 12) or nvidia/cu13/lib; of both the former, whose kernels older drivers
 * load, too. */
void hd_nvrtc_beside(const char *own, char *path, size_t room) {
    static const char *const places[] = {"..", "../lib/python3*/*-packages", NULL};
    const char *slash = strrchr(own, '/');
    *path = '\0';
    for (const char *const *place = places; slash && *place && !*path; place++) {
        char pattern[PATH_MAX + 64];
        int length = snprintf(pattern, sizeof pattern, "%.*s/%s/nvidia/*/lib/libnvrtc.so.[0-9]*", (int)(slash - own),
                              own, *place);
        if (length < (int)sizeof pattern)
            find_last(pattern, path, room);
    }
}

static void *open_names(const char *const *names, hd_nvrtc_functions *nvrtc, char *missing, size_t size) {
    static const hd_symbol symbols[] = {
#define SYMBOL(member, symbol, parameters) {#symbol, offsetof(hd_nvrtc_functions, member), false},
        HD_NVRTC_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    return hd_library_open(names, symbols, sizeof symbols / sizeof *symbols, nvrtc, missing, size);
}

void *hd_nvrtc_open(hd_nvrtc_functions *nvrtc, char *missing, size_t size) {
    static const char *const system[] = {
        "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so",
        NULL};
    const char *named = getenv("HEDDLE_NVRTC");
    char own[PATH_MAX], beside[PATH_MAX];
    if (named && *named)
        return open_names((const char *const[]){named, NULL}, nvrtc, missing, size);
    hd_own_file(own, sizeof own);
    hd_nvrtc_beside(own, beside, sizeof beside);
    void *library = *beside ? open_names((const char *const[]){beside, NULL}, nvrtc, missing, size) : NULL;
    return library ? library : open_names(system, nvrtc, missing, size);
}
