/* test_nvrtc_promised.c - kernels that a program opens by a promise compile as CUDA without a GPU, with the text of a
 * program in them. Skipped where there is no NVRTC. */
#include "nvrtc_case.h"
#include "promised_cases.h"

extern const char hd_text_words[], hd_text_program_inputs[], hd_text_kernels_paths_order[], hd_text_kernels_paths[],
    hd_text_kernels_paths_program[], hd_text_kernels_paths_collect[], hd_text_kernels_paths_relax[],
    hd_text_kernels_paths_rounds[];

static int open_compiler(void **unused) {
    (void)unused;
    find_compiler();
    return 0;
}

static void compile(const char *name, const char *defines, const char *const *texts) {
    char settings[600];
    if (!nvrtc.compile)
        skip();
    snprintf(settings, sizeof settings, "#define HD_WARPS 32\n#define HD_NO_IN_DEGREE\n%s", defines);
    assert_kernels_compile(name, settings, texts, 75);
    assert_kernels_compile(name, settings, texts, NVRTC_TODAY);
}

static void ordered(void **unused) {
    (void)unused;
    static const char *const resident = "#define PATHS_SHAPE __launch_bounds__(HD_WARP * HD_WARPS, 1)\n"
                                        "#define ENOUGH (1ul << 32)\n#define PATH_PROGRAM\n";
    static const struct {
        const char *name, *text, *defines;
    } cases[] = {
        {"sums_u32", case_sums_u32, "#define PATH_VALUE 0\n#define HD_WEIGHT_TYPE 1\n#define PATH_FROM_SOURCES\n"},
        {"sums_f64", case_sums_f64,
         "#define PATH_VALUE 2\n#define LABEL_64\n#define HD_WEIGHT_TYPE 5\n#define PATH_FROM_SOURCES\n"},
        {"widths_f32", case_widths_f32,
         "#define PATH_VALUE 2\n#define PATH_LARGEST\n#define HD_WEIGHT_TYPE 3\n#define PATH_FROM_SOURCES\n"},
        {"least_i64", case_least_i64,
         "#define PATH_VALUE 1\n#define LABEL_64\n#define HD_WEIGHT_TYPE 0\n#define HD_OFFSET_64\n"},
        {"mixed_i32", case_mixed_i32, "#define PATH_VALUE 1\n#define HD_WEIGHT_TYPE 2\n#define PATH_FROM_SOURCES\n"},
        {"tolls", case_tolls, "#define PATH_VALUE 2\n#define HD_WEIGHT_TYPE 3\n#define PATH_FROM_SOURCES\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const texts[] = {hd_text_words,
                                     cases[i].text,
                                     hd_text_program_inputs,
                                     hd_text_kernels_paths_order,
                                     hd_text_kernels_paths,
                                     hd_text_kernels_paths_program,
                                     hd_text_kernels_paths_collect,
                                     hd_text_kernels_paths_relax,
                                     hd_text_kernels_paths_rounds,
                                     NULL};
        char defines[400];
        snprintf(defines, sizeof defines, "%s%s", resident, cases[i].defines);
        compile(cases[i].name, defines, texts);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ordered)};
    return cmocka_run_group_tests(tests, open_compiler, NULL);
}
