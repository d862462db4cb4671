/* test_nvrtc_structure.c - the kernels of cc, scc, mst, pr, tc, kcore, cdlp, katz, and of bc on split graphs, compile
 * as CUDA, without a GPU and without a warning. Skipped where there is no NVRTC. */
#include "nvrtc_case.h"

extern const char hd_text_walk[], hd_text_heads[], hd_text_kernels_sets[], hd_text_kernels_cc[], hd_text_kernels_scc[],
    hd_text_kernels_scc_rest[], hd_text_kernels_mst[], hd_text_kernels_mst_rounds[], hd_text_kernels_bc_split[],
    hd_text_kernels_bc_split_walk[], hd_text_kernels_pr[], hd_text_kernels_pr_blocks[], hd_text_kernels_pr_bins[],
    hd_text_kernels_pr_passes[], hd_text_kernels_pr_small[], hd_text_kernels_pr_packed[], hd_text_intersect[],
    hd_text_kernels_triangles[], hd_text_kernels_kcore[], hd_text_kernels_similar[], hd_text_row_mode[],
    hd_text_kernels_labels[], hd_text_kernels_walks[], hd_text_unpack[], hd_text_scatter[], hd_text_kernels_row_sums[],
    hd_text_kernels_power[], hd_text_kernels_pr_each[], hd_text_kernels_communities[],
    hd_text_kernels_communities_refine[], hd_text_kernels_communities_merge[];

static int open_compiler(void **unused) {
    (void)unused;
    find_compiler();
    return 0;
}

static void assert_compiles(const char *name, const char *defines, const char *const *texts) {
    char settings[400];
    snprintf(settings, sizeof settings, "#define HD_WARPS 8\n%s", defines);
    assert_kernels_compile(name, settings, texts, NVRTC_TODAY);
}

static void test_cc(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_heads, hd_text_kernels_sets, hd_text_kernels_cc, NULL};
    if (!nvrtc.compile)
        skip();
    assert_compiles("cc", "#define HD_WEIGHT_TYPE 0\n#define HD_HEADS 0u\n", texts);
    assert_compiles("cc", "#define HD_WEIGHT_TYPE 0\n#define HD_HEADS 4u\n#define HD_OFFSET_64\n", texts);
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

static void test_pr(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_pr, hd_text_kernels_pr_blocks, hd_text_kernels_pr_bins, NULL};
    static const char blocks[] = "#define HD_WEIGHT_TYPE 0\n#define HD_BIN 15872u\n#define HD_BLOCK 50000u\n"
                                 "#define HD_SPAN 31u\n#define HD_ROW_LANES 512u\n#define HD_RUN_LANES 16u\n";
    if (!nvrtc.compile)
        skip();
    assert_compiles("pr", blocks, texts);
    assert_compiles("pr", blocks, (const char *[]){texts[0], texts[1], hd_text_kernels_pr_passes, NULL});
    assert_compiles("pr", "#define HD_WEIGHT_TYPE 0\n#define HD_OFFSET_64\n", (const char *[]){texts[0], NULL});
    assert_compiles("pr",
                    "#define HD_WEIGHT_TYPE 0\n#define HD_OFFSET_64\n#define HD_BIN 17856u\n#define HD_SPAN 31u\n"
                    "#define HD_ROW_LANES 576u\n#define HD_BLOCKS_HERE 31u\n#define RANKS_IN_SHARES\n",
                    (const char *[]){texts[0], texts[1], hd_text_kernels_pr_packed, NULL});
    assert_compiles("pr", "#define HD_WEIGHT_TYPE 0\n#define HD_EACH 20u\n#define HD_GROUPS 1\n",
                    (const char *[]){texts[0], hd_text_kernels_pr_small, NULL});
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

static void test_bc_split(void **unused) {
    (void)unused;
    static const char *const texts[] = {hd_text_kernels_bc_split, NULL};
    if (!nvrtc.compile)
        skip();
    assert_compiles("bc_split", "#define HD_WEIGHT_TYPE 0\n#define BCS_PULL 0\n", texts);
    assert_compiles("bc_split", "#define HD_WEIGHT_TYPE 0\n#define BCS_PULL 1\n#define HD_OFFSET_64\n", texts);
    static const char *const walking[] = {hd_text_walk, hd_text_kernels_bc_split, hd_text_kernels_bc_split_walk, NULL};
    assert_compiles("bc_split",
                    "#define HD_WEIGHT_TYPE 0\n#define BCS_PULL 0\n#define HD_WALK 4\n#define HD_WIDTH 8u\n#define "
                    "HD_CHUNK 10u\n#define HD_COALESCED 1\n",
                    walking);
}

static void test_dense(void **unused) {
    (void)unused;
    if (!nvrtc.compile)
        skip();
    for (int wide = 0; wide < 2; wide++) {
        const char *settings = wide ? "#define HD_WEIGHT_TYPE 0\n#define HD_OFFSET_64\n" : "#define HD_WEIGHT_TYPE 0\n";
        assert_compiles("tc",
                        wide ? "#define HD_WEIGHT_TYPE 0\n#define TC_WEIGHED 0\n#define HD_OFFSET_64\n"
                             : "#define HD_WEIGHT_TYPE 1\n#define TC_WEIGHED 1\n",
                        (const char *[]){hd_text_intersect, hd_text_kernels_triangles, NULL});
        assert_compiles("similar",
                        wide ? "#define HD_WEIGHT_TYPE 0\n#define SIMILAR_MEASURE 3\n#define SIMILAR_WEIGHED 1\n"
                               "#define HD_OFFSET_64\n"
                             : "#define HD_WEIGHT_TYPE 0\n#define SIMILAR_MEASURE 2\n#define SIMILAR_WEIGHED 0\n",
                        (const char *[]){hd_text_intersect, hd_text_kernels_similar, NULL});
        assert_compiles("kcore", settings, (const char *[]){hd_text_kernels_kcore, NULL});
        assert_compiles("power", wide ? settings : "#define HD_WEIGHT_TYPE 5\n",
                        (const char *[]){hd_text_kernels_row_sums, hd_text_kernels_power, NULL});
        if (wide)
            assert_compiles("communities", settings,
                            (const char *[]){hd_text_kernels_sets, hd_text_kernels_communities,
                                             hd_text_kernels_communities_refine, hd_text_kernels_communities_merge,
                                             NULL});
        assert_compiles("pr_each",
                        wide ? "#define HD_WEIGHT_TYPE 3\n#define SUM_COLUMNS 8u\n#define HD_OFFSET_64\n"
                             : "#define HD_WEIGHT_TYPE 0\n#define SUM_COLUMNS 1u\n",
                        (const char *[]){hd_text_kernels_row_sums, hd_text_kernels_pr_each, NULL});
        assert_compiles("walks", settings, (const char *[]){hd_text_kernels_walks, NULL});
        assert_compiles("labels",
                        wide ? "#define HD_WEIGHT_TYPE 0\n#define LABELS_BOTH 1\n#define LABELS_CHANCE 1\n"
                               "#define HD_OFFSET_64\n"
                             : "#define HD_WEIGHT_TYPE 0\n#define LABELS_BOTH 0\n#define LABELS_CHANCE 0\n",
                        (const char *[]){hd_text_row_mode, hd_text_kernels_labels, NULL});
    }
}

/* Packed partitions: without weights, whole numbers, floats that are, and weights as they are. */
static void test_unpack(void **unused) {
    (void)unused;
    if (!nvrtc.compile)
        skip();
    for (int weights = 0; weights < 4; weights++) {
        char defines[256];
        snprintf(defines, sizeof defines,
                 "#define HD_WEIGHT_TYPE 0\n#define HD_UNPACK_SOURCES %d\n#define HD_UNPACK_WEIGHTS %d\n"
                 "#define HD_WEIGHT_WORDS %uu\n#define HD_BLOCKS_HERE 31u\n%s",
                 weights % 2, weights, weights == 3 ? 2u : 1u, weights > 1 ? "#define HD_OFFSET_64\n" : "");
        assert_compiles("unpack", defines, (const char *[]){hd_text_unpack, NULL});
        snprintf(defines, sizeof defines,
                 "#define HD_WEIGHT_TYPE 0\n#define HD_SCATTER_COMPACT %d\n#define HD_WEIGHT_WORDS %du\n%s",
                 weights % 2, weights / 2, weights > 1 ? "#define HD_OFFSET_64\n" : "");
        assert_compiles("scatter", defines, (const char *[]){hd_text_scatter, NULL});
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dense), cmocka_unit_test(test_cc),
                                       cmocka_unit_test(test_scc),   cmocka_unit_test(test_pr),
                                       cmocka_unit_test(test_mst),   cmocka_unit_test(test_bc_split),
                                       cmocka_unit_test(test_unpack)};
    return cmocka_run_group_tests(tests, open_compiler, NULL);
}
