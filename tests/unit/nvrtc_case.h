/* nvrtc_case.h - CUDA's compiler without a GPU, for tests that kernel text compiles. Where there is no NVRTC they say
 * so and are skipped. */
#ifndef NVRTC_CASE_H
#define NVRTC_CASE_H

#include "support.h"

#include "device/cuda_api.h"
#include "device/library.h"

#include <stdio.h>
#include <stdlib.h>

static hd_nvrtc_functions nvrtc; /* compile NULL: there is none */

/* The library, or NULL. */
static inline void *find_compiler(void) {
    static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                        "/usr/local/cuda/lib64/libnvrtc.so", NULL};
    static const hd_symbol symbols[] = {
#define SYMBOL(member, symbol, parameters) {#symbol, offsetof(hd_nvrtc_functions, member), false},
        HD_NVRTC_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    char missing[256];
    void *library = hd_library_open(names, symbols, sizeof symbols / sizeof *symbols, &nvrtc, missing, sizeof missing);
    if (!library) {
        print_message("skipped: %s\n", missing);
        nvrtc.compile = NULL;
    }
    return library;
}

/* Compiles without an error, and without a warning: one in our own text is a slip too. Not every schedule uses all that
 * is defined. `what` and `form` name the text. */
static inline void assert_text_compiles(const char *source, const char *what, const char *form,
                                        const char *architecture) {
    const char *options[] = {architecture, "--fmad=false", "--diag-suppress=177,550"};
    nvrtcProgram made;
    size_t log_bytes;
    assert_int_equal(nvrtc.create(&made, source, what, 0, NULL, NULL), 0);
    int failed = nvrtc.compile(made, 3, options);
    assert_int_equal(nvrtc.log_size(made, &log_bytes), 0);
    char *log = calloc(log_bytes + 1, 1);
    assert_non_null(log);
    nvrtc.log(made, log);
    if (failed || strstr(log, "warning"))
        fail_msg("%s, %s, %s: %s", what, form, architecture, log);
    free(log);
    nvrtc.destroy(&made);
}

/* The same for the settings that engine/device/kernels.c makes, the prelude, and texts, of which the last is NULL. */
static inline void assert_kernels_compile(const char *what, const char *settings, const char *const *texts,
                                          const char *architecture) {
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
