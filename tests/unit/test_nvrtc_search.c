/* test_nvrtc_search.c - the kernels of bfs and bc, and bc's under every schedule, compile as CUDA without a GPU, for an
 * old architecture, which has no clusters, and for one of today's. Skipped where there is no NVRTC. */
#include "support.h"

#include "device/cuda_api.h"
#include "device/library.h"

#include <stdio.h>
#include <stdlib.h>

extern const char hd_text_prelude_cuda[], hd_text_walk[], hd_text_kernels_bfs[], hd_text_kernels_bfs_wide[],
    hd_text_kernels_bfs_narrow[], hd_text_kernels_bc[], hd_text_kernels_bc_narrow[], hd_text_kernels_bc_walk[];

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

static void compile(const char *what, const char *defines, const char *const *texts, const char *architecture) {
    const char *options[] = {architecture, "--fmad=false", "--diag-suppress=177,550"};
    static const char settings[] = "#define HD_WARP 32u\n#define HD_WARPS 16\n#define HD_WEIGHT_TYPE 0\n"
                                   "#define HD_ATOMICS64\n";
    size_t bytes = sizeof settings + strlen(hd_text_prelude_cuda) + strlen(defines) + 1, log_bytes;
    for (const char *const *text = texts; *text; text++)
        bytes += strlen(*text);
    char *source = malloc(bytes), *log;
    nvrtcProgram made;
    snprintf(source, bytes, "%s%s%s", settings, defines, hd_text_prelude_cuda);
    for (const char *const *text = texts; *text; text++)
        strcat(source, *text);
    assert_int_equal(nvrtc.create(&made, source, what, 0, NULL, NULL), 0);
    int failed = nvrtc.compile(made, 3, options);
    assert_int_equal(nvrtc.log_size(made, &log_bytes), 0);
    log = calloc(log_bytes + 1, 1);
    nvrtc.log(made, log);
    if (failed || strstr(log, "warning"))
        fail_msg("%s, %s: %s", what, architecture, log);
    free(log);
    free(source);
    nvrtc.destroy(&made);
}

static void compile_all(const char *what, const char *defines, const char *const *texts) {
    if (!nvrtc.compile)
        skip();
    compile(what, defines, texts, "--gpu-architecture=sm_75");
    compile(what, defines, texts, "--gpu-architecture=sm_90");
}

static void bfs(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_bfs, hd_text_kernels_bfs_wide, hd_text_kernels_bfs_narrow,
                                        NULL};
    static const char narrow[] = "#define BFS_LONG 512u\n#define BFS_PART 256u\n#define BFS_OWN 16u\n"
                                 "#define BFS_SCAN 32\n#define BFS_DOWN 1\n#define BFS_BITS_AT 128\n"
                                 "#define BFS_SAMPLE 8u\n#define BFS_STRIDE 4u\n#define BFS_QUIET_EDGES 1024\n"
                                 "#define BFS_QUIET_ROUNDS 3u\n#define BFS_NARROW_MOST 6144u\n"
                                 "#define BFS_NARROW_ROW 256u\n#define BFS_ROOM 1024u\n#define BFS_GROUPS 2\n"
                                 "#define BFS_RESIDENT 1\n#define BFS_DIRECTED 0\n#define BFS_AHEAD 32u\n";
    char wide[1024];
    snprintf(wide, sizeof wide, "#define HD_OFFSET_64\n%s", narrow);
    compile_all("bfs", narrow, texts);
    compile_all("bfs, 64-bit offsets", wide, texts);
}

static void bc(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_bc, hd_text_kernels_bc_narrow, NULL};
    for (int wide = 0; wide < 2; wide++) {
        char defines[400];
        snprintf(defines, sizeof defines,
                 "%s#define BC_WIDE %d\n#define BC_RESIDENT 1\n#define BC_DIRECTED %d\n#define BC_GROUPS 2\n"
                 "#define BC_LONG 1024u\n#define BC_PART 512u\n#define BC_TEAM 8u\n#define BC_TEAM_ROW 64u\n"
                 "#define BC_MARK 8u\n",
                 wide ? "#define HD_OFFSET_64\n" : "", wide, wide);
        compile_all("bc", defines, texts);
    }
}

static void bc_under_schedules(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_walk, hd_text_kernels_bc_walk, NULL};
    for (int walk = 1; walk <= 5; walk++)
        for (int coalesced = 0; coalesced < 2; coalesced++) {
            char defines[200];
            snprintf(defines, sizeof defines,
                     "%s#define HD_WALK %d\n#define HD_WIDTH 8u\n#define HD_CHUNK 10u\n#define HD_COALESCED %d\n",
                     coalesced ? "#define HD_OFFSET_64\n" : "", walk, coalesced);
            compile_all("bc under a schedule", defines, texts);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bfs), cmocka_unit_test(bc),
                                       cmocka_unit_test(bc_under_schedules)};
    return cmocka_run_group_tests(tests, open_compiler, NULL);
}
