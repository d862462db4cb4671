/* nvrtc_case.h - CUDA's compiler without a GPU, for tests that kernel text compiles. Where there is no NVRTC they say
 * so and are skipped. */
#ifndef NVRTC_CASE_H
#define NVRTC_CASE_H

#include "support.h"

#include "device/nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static hd_nvrtc_functions nvrtc; /* compile NULL: there is none */

enum { NVRTC_UNKNOWN_OPTION = 5, NVRTC_TODAY = 90 /* sm_90 */ };

/* The only architecture to compile for, or 0. */
static inline int asked_architecture(void) {
    const char *text = getenv("HEDDLE_NVRTC_ARCH");
    return text ? (int)strtol(text, NULL, 10) : 0;
}

/* Architectures that the library knows, in ascending order; 0 if it does not tell. */
static inline int known_architectures(void *library, int list[64]) {
    int (*count_of)(int *count), (*list_of)(int *list), count = 0;
    *(void **)&count_of = dlsym(library, "nvrtcGetNumSupportedArchs");
    *(void **)&list_of = dlsym(library, "nvrtcGetSupportedArchs");
    bool told = count_of && list_of && count_of(&count) == 0 && count <= 64 && list_of(list) == 0;
    return told ? count : 0;
}

static inline bool knows_asked(void *library) {
    int list[64], count = known_architectures(library, list), asked = asked_architecture();
    for (int i = 0; i < count; i++)
        if (list[i] == asked)
            return true;
    return !asked;
}

/* The library, or NULL. */
static inline void *find_compiler(void) {
    char missing[256];
    void *library = hd_nvrtc_open(&nvrtc, missing, sizeof missing);
    if (!library) {
        print_message("skipped: %s\n", missing);
        nvrtc.compile = NULL;
    } else if (!knows_asked(library)) {
        print_message("skipped: this compiler does not know sm_%d\n", asked_architecture());
        nvrtc.compile = NULL;
    }
    return library;
}

/* Optimising and assembling take three quarters of the time and are not what is tested: with HEDDLE_TEST_ALL alone.
 * Compilers before CUDA 13 cannot leave out the former. */
static inline int compile_text(nvrtcProgram program, int architecture) {
    char target[48];
    bool whole = getenv("HEDDLE_TEST_ALL") != NULL;
    const char *options[] = {target, "--fmad=false", "--diag-suppress=177,550", "--Ofast-compile=max"};
    snprintf(target, sizeof target, "--gpu-architecture=%s_%d", whole ? "sm" : "compute", architecture);
    int failed = nvrtc.compile(program, whole ? 3 : 4, options);
    return failed == NVRTC_UNKNOWN_OPTION ? nvrtc.compile(program, 3, options) : failed;
}

/* Compiles without an error, and without a warning: one in our own text is a slip too. Not every schedule uses all that
 * is defined. `what` and `form` name the text. */
static inline void assert_text_compiles(const char *source, const char *what, const char *form, int architecture) {
    nvrtcProgram made;
    size_t log_bytes;
    architecture = asked_architecture() ? asked_architecture() : architecture;
    assert_int_equal(nvrtc.create(&made, source, what, 0, NULL, NULL), 0);
    int failed = compile_text(made, architecture);
    assert_int_equal(nvrtc.log_size(made, &log_bytes), 0);
    char *log = calloc(log_bytes + 1, 1);
    assert_non_null(log);
    nvrtc.log(made, log);
    /* That old architectures are deprecated is no fault of the text. */
    const char *own = strncmp(log, "nvrtc: warning: Arch", 20) ? log : log + 20;
    if (failed || strstr(own, "warning"))
        fail_msg("%s, %s, sm_%d: %s", what, form, architecture, log);
    free(log);
    nvrtc.destroy(&made);
}

/* The same for the settings that engine/device/kernels.c makes, the prelude, and texts, of which the last is NULL. */
static inline void assert_kernels_compile(const char *what, const char *settings, const char *const *texts,
                                          int architecture) {
    extern const char hd_text_prelude_cuda[];
    static const char warps[] = "#define HD_WARP 32u\n#define HD_ATOMICS64\n";
    size_t bytes = sizeof warps + strlen(settings) + strlen(hd_text_prelude_cuda);
    for (const char *const *text = texts; *text; text++)
        bytes += strlen(*text);
    char *source = malloc(bytes);
    assert_non_null(source);
    snprintf(source, bytes, "%s%s%s", warps, settings, hd_text_prelude_cuda);
    for (const char *const *text = texts; *text; text++)
        strcat(source, *text);
    assert_text_compiles(source, what, settings, architecture);
    free(source);
}

#endif
