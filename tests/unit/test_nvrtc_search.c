/* test_nvrtc_search.c - the kernels of bfs and bc, and bc's under every schedule, compile as CUDA without a GPU, for an
 * old architecture, which has no clusters, and for one of today's. Skipped where there is no NVRTC. */
#include "nvrtc_case.h"

extern const char hd_text_walk[], hd_text_heads[], hd_text_kernels_bfs[], hd_text_kernels_bfs_wide[],
    hd_text_kernels_bfs_box[], hd_text_kernels_bfs_narrow[], hd_text_kernels_bc_value[], hd_text_kernels_bc[],
    hd_text_kernels_bc_order[], hd_text_kernels_bc_levels[], hd_text_kernels_bc_narrow[], hd_text_kernels_bc_walk[],
    hd_text_kernels_many[], hd_text_kernels_many_steps[], hd_text_kernels_bfs_each[], hd_text_kernels_bc_many[],
    hd_text_kernels_distances[];

static int open_compiler(void **unused) {
    (void)unused;
    find_compiler();
    return 0;
}

static void compile_all(const char *what, const char *defines, const char *const *texts) {
    char settings[1200];
    if (!nvrtc.compile)
        skip();
    snprintf(settings, sizeof settings, "#define HD_WARPS 16\n#define HD_WEIGHT_TYPE 0\n%s", defines);
    assert_kernels_compile(what, settings, texts, 75);
    assert_kernels_compile(what, settings, texts, NVRTC_TODAY);
}

static void bfs(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_heads,           hd_text_kernels_bfs,        hd_text_kernels_bfs_wide,
                                        hd_text_kernels_bfs_box, hd_text_kernels_bfs_narrow, NULL};
    static const char narrow[] = "#define BFS_LONG 512u\n#define BFS_PART 256u\n#define BFS_OWN 16u\n"
                                 "#define BFS_SCAN 32\n#define BFS_DOWN 1\n#define BFS_BITS_AT 128\n"
                                 "#define BFS_SAMPLE 8u\n#define BFS_STRIDE 4u\n#define BFS_QUIET_EDGES 1024\n"
                                 "#define BFS_QUIET_ROUNDS 3u\n#define BFS_NARROW_MOST 6144u\n"
                                 "#define BFS_NARROW_ROW 256u\n#define BFS_ROOM 1024u\n#define BFS_GROUPS 2\n"
                                 "#define BFS_RESIDENT 1\n#define BFS_DIRECTED 0\n#define BFS_AHEAD 32u\n"
                                 "#define BFS_SHARE 64u\n#define BFS_BESIDE 4u\n#define HD_MOST_HEADS 4u\n";
    char defines[1024];
    snprintf(defines, sizeof defines, "#define HD_HEADS 0u\n#define BFS_SPARE 0\n%s", narrow);
    compile_all("bfs", defines, texts);
    snprintf(defines, sizeof defines, "#define HD_OFFSET_64\n#define HD_HEADS 4u\n#define BFS_SPARE 1\n%s", narrow);
    compile_all("bfs, heads, 64-bit offsets", defines, texts);
}

static void bc(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_bc_value,  hd_text_kernels_bc,        hd_text_kernels_bc_order,
                                        hd_text_kernels_bc_levels, hd_text_kernels_bc_narrow, NULL};
    for (int wide = 0; wide < 2; wide++) {
        char defines[400];
        snprintf(defines, sizeof defines,
                 "%s#define BC_EXTENDED %d\n#define BC_RESIDENT 1\n#define BC_DIRECTED %d\n#define BC_GROUPS 2\n"
                 "#define BC_LONG 1024u\n#define BC_PART 512u\n#define BC_TEAM 8u\n#define BC_TEAM_ROW 64u\n"
                 "#define BC_MARK 8u\n#define BC_PUSH %d\n",
                 wide ? "#define HD_OFFSET_64\n" : "", wide, wide, wide ? 0 : 2);
        compile_all("bc", defines, texts);
    }
}

static void bc_of_many(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_many, hd_text_kernels_many_steps, hd_text_kernels_bc_value,
                                        hd_text_kernels_bc_many, NULL};
    for (int wide = 0; wide < 2; wide++) {
        char defines[400];
        snprintf(defines, sizeof defines,
                 "%s#define MANY_PAIRS 1\n#define MANY_DIRECTED %d\n#define MANY_SHORT 64u\n#define MANY_PART 512u\n"
                 "#define MANY_OWN 32u\n#define MANY_UP 3\n#define MANY_RESIDENT 1\n#define BC_EXTENDED %d\n"
                 "#define BCM_GROUPS 2\n#define BCM_CUT 1\n#define BCM_MOST 8.45e270\n#define BCM_CHUNK %du\n",
                 wide ? "#define HD_OFFSET_64\n" : "", wide, wide, 4 + 4 * wide);
        compile_all("bc from many sources", defines, texts);
    }
}

static void bfs_from_each(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_many, hd_text_kernels_many_steps, hd_text_kernels_bfs_each,
                                        NULL};
    compile_all("bfs from each source",
                "#define HD_OFFSET_64\n#define MANY_PAIRS 0\n#define MANY_DIRECTED 1\n#define MANY_SHORT 64u\n"
                "#define MANY_PART 512u\n#define MANY_OWN 32u\n#define MANY_UP 3\n#define MANY_RESIDENT 1\n"
                "#define MANY_GROUPS 2\n",
                texts);
}

static void distances_of_many(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_many, hd_text_kernels_many_steps, hd_text_kernels_distances,
                                        NULL};
    compile_all("sums of distances",
                "#define MANY_PAIRS 0\n#define MANY_DIRECTED 1\n#define MANY_SHORT 64u\n#define MANY_PART 512u\n"
                "#define MANY_OWN 32u\n#define MANY_UP 3\n#define MANY_RESIDENT 0\n#define MANY_GROUPS 2\n"
                "#define DISTANCES_NEAR 1\n",
                texts);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(bfs),
                                       cmocka_unit_test(bc),
                                       cmocka_unit_test(bc_of_many),
                                       cmocka_unit_test(bfs_from_each),
                                       cmocka_unit_test(distances_of_many),
                                       cmocka_unit_test(bc_under_schedules)};
    return cmocka_run_group_tests(tests, open_compiler, NULL);
}
