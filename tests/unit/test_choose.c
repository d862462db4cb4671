/* test_choose.c - where a run goes when nobody said: the estimates behind it. */
#include "support.h"

#include "algorithm/algorithm.h"
#include "device/gpu_there.h"

#include <stdlib.h>

static hd_choose_facts of_edges(const char *algorithm, uint64_t edges) {
    const hd_algorithm *found = hd_algorithm_find(algorithm);
    return (hd_choose_facts){
        .cost = found->cost, .vertices = edges / 16, .edges = edges, .weighted = found->weighs, .runs = 1};
}

/* Whatever the algorithm, a GPU does not pay on small graphs, and does on large ones for all that is more than a look
 * at each edge. */
static void sizes(void **unused) {
    (void)unused;
    static const char *const names[] = {"bfs", "sssp", "sswp", "cc", "pr", "bc", "scc", "mst", "nn"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int file = 0; file < 2; file++) {
            hd_choose_facts small = of_edges(names[i], 1 << 20), large = of_edges(names[i], UINT64_C(1) << 29);
            small.in_file = large.in_file = file;
            assert_true(hd_choose_gpu_seconds(&small) > hd_choose_cpu_seconds(&small, 4));
            assert_true(hd_choose_gpu_seconds(&large) < hd_choose_cpu_seconds(&large, 1));
        }
}

/* A file is read and checked on the way: that takes longer, and nothing else changes. */
static void sources(void **unused) {
    (void)unused;
    hd_choose_facts facts = of_edges("bfs", UINT64_C(1) << 30);
    double memory = hd_choose_gpu_seconds(&facts), cpu = hd_choose_cpu_seconds(&facts, 4);
    facts.in_file = true;
    assert_true(hd_choose_gpu_seconds(&facts) > 2 * memory);
    assert_true(hd_choose_cpu_seconds(&facts, 4) == cpu);
    double bare = hd_choose_gpu_seconds(&facts);
    facts.weighted = true; /* weights go with the rows, where they are read */
    assert_true(hd_choose_gpu_seconds(&facts) > bare);
    facts.runs = 10;
    assert_true(hd_choose_cpu_seconds(&facts, 4) > 9 * cpu);
}

/* Edges beyond the memory of a GPU make a run slower, the more of them the slower, but not than two threads. */
static void larger_than_memory(void **unused) {
    static const char *const names[] = {"bfs", "sssp", "cc", "pr"};
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        hd_choose_facts facts = of_edges(names[i], UINT64_C(1) << 33);
        uint64_t all = (facts.edges * (facts.weighted ? 8 : 4) + facts.vertices * 4) * 3 / 2;
        double share, last = hd_choose_gpu_seconds(&facts);
        assert_true(hd_choose_mixed_seconds(&facts, all, &share) == last && share == 0);
        for (int part = 2; part <= 16; part *= 2) {
            double seconds = hd_choose_mixed_seconds(&facts, all / part, &share);
            assert_true(seconds >= last && (part > 2 || seconds > last) && share > 0 && share <= 1);
            last = seconds;
        }
        assert_true(strcmp(names[i], "bfs") == 0 || strcmp(names[i], "cc") == 0 ||
                    last < hd_choose_cpu_seconds(&facts, 2));
    }
}

/* Small graphs are never worth a look at which GPUs there are; the reason says what a start takes. */
static void small_graphs(void **unused) {
    (void)unused;
    heddle_context *ctx = support_context(2);
    hd_choose_facts facts = of_edges("sssp", 1 << 16);
    hd_choose choice;
    hd_choose_device(ctx, &facts, &choice);
    assert_string_equal(choice.device, "cpu");
    assert_true(choice.gpu == 0);
    assert_non_null(strstr(choice.reason, "starting a GPU alone takes 0.25 s"));
    facts.resident = "cuda:0";
    hd_choose_device(ctx, &facts, &choice);
    assert_string_equal(choice.device, "cuda:0");
    facts.cost.gpu = 0; /* what says nothing of GPUs is never given one */
    hd_choose_device(ctx, &facts, &choice);
    assert_string_equal(choice.device, "cpu");
    heddle_context_destroy(&ctx);
}

/* No driver is opened where those of OpenCL are known to use the CPU alone, and no GPU has a device file. */
static void drivers_of_the_cpu(void **unused) {
    (void)unused;
    assert_int_equal(setenv("OCL_ICD_VENDORS", support_temp_dir(), 1), 0);
    unsetenv("OCL_ICD_FILENAMES");
    unsetenv("OPENCL_VENDOR_PATH");
    assert_true(hd_gpu_in_opencl()); /* none is known */
    support_write_text("pocl.icd", "/usr/lib/libpocl.so.2\n");
    support_write_text("other.icd", "libintelocl.so");
    assert_int_equal(hd_gpu_in_opencl(), hd_gpu_has_node());
    assert_int_equal(setenv("OCL_ICD_FILENAMES", "libgpu.so", 1), 0);
    assert_true(hd_gpu_in_opencl());
    unsetenv("OCL_ICD_FILENAMES");
    support_write_text("vendor.icd", "libnvidia-opencl.so.1\n");
    assert_true(hd_gpu_in_opencl());
    unsetenv("OCL_ICD_VENDORS");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(sources),
                                       cmocka_unit_test(larger_than_memory), cmocka_unit_test(small_graphs),
                                       cmocka_unit_test(drivers_of_the_cpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
