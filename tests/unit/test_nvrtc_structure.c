/* test_nvrtc_structure.c - the kernels of cc, scc and mst compile as CUDA, without a GPU and without a warning. Skipped
 * where there is no NVRTC. */
#include "support.h"

#include "device/cuda_api.h"
#include "device/library.h"

#include <stdio.h>
#include <stdlib.h>

extern const char hd_text_prelude_cuda[], hd_text_walk[], hd_text_kernels_sets[], hd_text_kernels_cc[],
    hd_text_kernels_scc[], hd_text_kernels_scc_rest[], hd_text_kernels_mst[], hd_text_kernels_mst_rounds[];

static hd_nvrtc_functions nvrtc;

static int open_compiler(void **unused) {
    (void)unused;
    static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                        "/usr/local/cuda/lib64/libnvrtc.so", NULL};
    static const hd_symbol symbols[] = {
#define SYMBOL(member, symbol, parameters) {#symbol, offsetof(hd_nvrtc_functions, member), false},
        HD_NVRTC_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    char missing[256];
    if (!hd_library_open(names, symbols, sizeof symbols / sizeof *symbols, &nvrtc, missing, sizeof missing)) {
        print_message("skipped: %s\n", missing);
        nvrtc.compile = NULL;
    }
    return 0;
}

/* The texts behind the settings that engine/kernels.c makes. */
static void assert_compiles(const char *name, const char *settings, const char *const *texts) {
    static const char *const options[] = {"--gpu-architecture=sm_90", "--fmad=false", "--diag-suppress=177,550"};
    nvrtcProgram made;
    size_t bytes = strlen(settings) + strlen(hd_text_prelude_cuda) + 200, log_bytes;
    for (const char *const *each = texts; *each; each++)
        bytes += strlen(*each);
    char *source = malloc(bytes), *log;
    assert_non_null(source);
    strcpy(source, "#define HD_WARP 32u\n#define HD_WARPS 8\n#define HD_ATOMICS64\n");
    strcat(source, settings);
    strcat(source, hd_text_prelude_cuda);
    for (const char *const *each = texts; *each; each++)
        strcat(source, *each);
    assert_int_equal(nvrtc.create(&made, source, name, 0, NULL, NULL), 0);
    int failed = nvrtc.compile(made, 3, options);
    assert_int_equal(nvrtc.log_size(made, &log_bytes), 0);
    log = calloc(log_bytes + 1, 1);
    nvrtc.log(made, log);
    if (failed || strstr(log, "warning"))
        fail_msg("%s with\n%s: %s", name, settings, log);
    free(log);
    free(source);
    nvrtc.destroy(&made);
}

static void test_cc(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_sets, hd_text_kernels_cc, NULL};
    if (!nvrtc.compile)
        skip();
    assert_compiles("cc", "#define HD_WEIGHT_TYPE 0\n", texts);
    assert_compiles("cc", "#define HD_WEIGHT_TYPE 0\n#define HD_OFFSET_64\n", texts);
}

static void test_scc(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_sets, hd_text_walk, hd_text_kernels_scc,
                                        hd_text_kernels_scc_rest, NULL};
    if (!nvrtc.compile)
        skip();
    for (int walk = 1; walk <= 5; walk++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 "#define HD_WEIGHT_TYPE 0\n%s#define HD_WALK %d\n#define HD_WIDTH 8u\n#define HD_CHUNK 10u\n"
                 "#define HD_COALESCED %d\n",
                 walk % 2 ? "#define HD_OFFSET_64\n" : "", walk, walk == 4);
        assert_compiles("scc", settings, texts);
    }
}

static void test_mst(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_sets, hd_text_walk, hd_text_kernels_mst,
                                        hd_text_kernels_mst_rounds, NULL};
    if (!nvrtc.compile)
        skip();
    for (int i = 0; i < 10; i++) {
        char settings[300];
        int walk = i / 2 + 1, two = i % 2;
        snprintf(settings, sizeof settings,
                 "#define HD_WEIGHT_TYPE %d\n#define MST_TWO %d\n#define MST_NAMED %d\n%s#define HD_WALK %d\n"
                 "#define HD_WIDTH 8u\n#define HD_CHUNK 10u\n#define HD_COALESCED %d\n",
                 i % 4, two, walk < 4, walk % 2 ? "#define HD_OFFSET_64\n" : "", walk, walk == 4);
        assert_compiles("mst", settings, texts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cc), cmocka_unit_test(test_scc),
                                       cmocka_unit_test(test_mst)};
    return cmocka_run_group_tests(tests, open_compiler, NULL);
}
