/* test_nvrtc.c - every program under every schedule and direction compiles as CUDA, without a GPU: for the oldest
 * architecture that the compiler and the kernels know and for one of today's. Skipped where there is no NVRTC. */
#include "nvrtc_case.h"

#include "base/context.h"
#include "base/memory.h"
#include "engine/device/incore.h"

static heddle_context *ctx;
static int oldest = 75; /* architecture that this compiler and our kernels know */

enum { LEAST_ARCHITECTURE = 70 /* __match_any_sync */ };

static void find_oldest(void *library) {
    int list[64];
    int count = known_architectures(library, list), i = 0;
    while (i < count && list[i] < LEAST_ARCHITECTURE)
        i++;
    if (i < count)
        oldest = list[i];
}

static int open_compiler(void **unused) {
    (void)unused;
    ctx = support_context(1);
    void *library = find_compiler();
    if (library) {
        find_oldest(library);
        print_message("the oldest: sm_%d\n", oldest);
    }
    return 0;
}

static int close_compiler(void **unused) {
    (void)unused;
    heddle_context_destroy(&ctx);
    return 0;
}

static int profile; /* programs count lanes */

static void assert_compiles_for(const hd_incore_program *program, const char *plan, heddle_weight_type weights,
                                int architecture) {
    char *source;
    size_t bytes;
    hd_run run = {.ctx = ctx, .options = {.profile = profile}};
    support_assert_status(ctx, hd_plan_parse(ctx, plan, &run.plan), HEDDLE_OK);
    if (hd_incore_source(&run, program, hd_device_kind_of("cuda"), weights, &source, &bytes) != HEDDLE_OK)
        fail_msg("%s, plan %s: %s", program->name, plan, heddle_context_error(ctx)->message);
    assert_text_compiles(source, program->name, plan, architecture);
    HD_DELETE(&ctx->allocator, source, bytes);
}

static void assert_compiles(const hd_incore_program *program, const char *plan, int architecture) {
    assert_compiles_for(program, plan, HEDDLE_WEIGHT_U32, architecture);
}

/* Each schedule in one direction only, in turn; the other half has the others. HEDDLE_TEST_ALL: in both. */
static void compile_matrix(int architecture, const char *const *names, const char *extra, size_t half) {
    static const char *const schedules[] = {"thread", "vwarp,width=8",       "wseg",
                                            "vnode",  "vnode,coalesced=yes", "vnode,mapping=dynamic",
                                            "edge"};
    for (; *names; names++)
        for (size_t k = 0; k < sizeof schedules / sizeof *schedules; k++)
            for (int push = 0; push < 2; push++) {
                if (!getenv("HEDDLE_TEST_ALL") && (k + (size_t)push + (size_t) * *names) % 2 != half)
                    continue;
                hd_incore_program program;
                char plan[160];
                bool in_double = strstr(extra, "offsets=64") != NULL;
                support_assert_status(ctx, hd_incore_find(ctx, *names, in_double, &program), HEDDLE_OK);
                snprintf(plan, sizeof plan, "schedule=%s,direction=%s%s", schedules[k], push ? "push" : "pull", extra);
                assert_compiles(&program, plan, architecture);
            }
}

static void test_every_program(void **unused) {
    (void)unused;
    static const char *const all[] = {"bfs", "sssp", "sswp", "cc", "pr", "hs", "cs", "nn", NULL};
    if (!nvrtc.compile)
        skip();
    compile_matrix(NVRTC_TODAY, all, "", 0);
    compile_matrix(oldest, all, "", 1);
}

/* Vertices of a split graph that pass sums on. */
static void test_passing(void **unused) {
    static const char *const names[] = {"pr", "hs", "nn"}, *const schedules[] = {"thread", "vwarp,width=8", "wseg"};
    (void)unused;
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < 9; i++) {
        hd_incore_program program;
        char plan[160];
        support_assert_status(ctx, hd_incore_find(ctx, names[i / 3], false, &program), HEDDLE_OK);
        snprintf(plan, sizeof plan, "transform=udt,schedule=%s", schedules[i % 3]);
        assert_compiles(&program, plan, NVRTC_TODAY);
    }
}

/* Edges that pass through the device. */
static void test_streams(void **unused) {
    static const char *const names[] = {"sssp", "pr", "cc"},
                             *const plans[] = {"graphie", "residency=stream,schedule=edge,sync=strict,offsets=64",
                                               "residency=stream,schedule=wseg", "residency=stream,schedule=vnode"};
    (void)unused;
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < 12; i++) {
        hd_incore_program program;
        support_assert_status(ctx, hd_incore_find(ctx, names[i % 3], false, &program), HEDDLE_OK);
        assert_compiles(&program, plans[i / 3], NVRTC_TODAY);
    }
}

/* Words that programs declare: totals, ends, phases, the edge and the run in send(). */
static const char declared_text[] =
    "#define VALUE f32\n#define MESSAGE f32\n#define WEIGHT f32\n#define SEND_EDGE\n#define SEND_RUN\n"
    "#define TOTALS (ADDED(0) | LARGEST(1) | SMALLEST(2))\n#define FIRST_PHASE 1\n#define DONE\n"
    "#define TRAITS UNTIL_UNCHANGED\n"
    "PROGRAM VALUE init(ABOUT me, RUN run) { return (f32)(run->seed % 7) + real_sqrt(me->initial); }\n"
    "PROGRAM MESSAGE identity(void) { return 0; }\n"
    "PROGRAM MESSAGE send(VALUE v, WEIGHT w, u32 degree, EDGE edge, RUN run) {\n"
    "    return edge->source < edge->target ? v * w : (f32)(PHASE(run) + run->iteration);\n}\n"
    "PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return a + b; }\n"
    "PROGRAM int update(VALUE *v, MESSAGE m, ABOUT me, RUN run) {\n"
    "    *v = m + (f32)TOTAL(run, 2);\n    return PHASE_ROUND(run) < 3;\n}\n"
    "PROGRAM void contribute(f64 *part, VALUE before, VALUE after, ABOUT me, RUN run) {\n"
    "    part[0] = real_pow(part[1], after) + real_floor(after), part[1] = part[2] = real_exp(part[0]);\n}\n"
    "PROGRAM int done(RUN run) { return TOTAL(run, 1) > 3; }\n"
    "PROGRAM u32 next_phase(RUN run) { return PHASE(run) + 1; }\n";

static void test_declared_words(void **unused) {
    static const char *const plans[] = {"schedule=thread",
                                        "schedule=edge,direction=pull",
                                        "schedule=edge",
                                        "ws",
                                        "schedule=vnode,mapping=dynamic,direction=pull",
                                        "tigr-v+",
                                        "vwc-8",
                                        "residency=stream,schedule=coo",
                                        "schedule=shard,window=gs",
                                        "exchange=vr,schedule=edge,direction=pull"};
    const hd_cpu_program facts = {.traits = UNTIL_UNCHANGED | HD_SENDS_EDGE | HD_SENDS_RUN | HD_HAS_DONE |
                                            HD_HAS_PHASES | (1 | 2 << 2 | 3 << 4) << HD_TOTALS_AT,
                                  .weighted = 1,
                                  .output_type = HEDDLE_VALUE_F32,
                                  .value_size = 4,
                                  .message_size = 4};
    (void)unused;
    if (!nvrtc.compile)
        skip();
    hd_incore_program program = hd_incore_user("declared.c", declared_text, false, &facts);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        assert_compiles(&program, plans[i], i % 5 ? NVRTC_TODAY : oldest);
}

/* Vertices with copies. */
static void test_copies(void **unused) {
    static const char *const names[] = {"sssp", "pr", "cc"},
                             *const plans[] = {"graffix-coalesce,schedule=edge", "graffix-coalesce,schedule=vnode",
                                               "graffix-coalesce,schedule=shard,sync=strict",
                                               "graffix-coalesce,residency=stream,schedule=coo,offsets=64"};
    hd_incore_program program;
    (void)unused;
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < 12; i++) {
        support_assert_status(ctx, hd_incore_find(ctx, names[i % 3], false, &program), HEDDLE_OK);
        assert_compiles(&program, plans[i / 3], NVRTC_TODAY);
    }
    support_assert_status(ctx, hd_incore_find(ctx, "sssp", false, &program), HEDDLE_OK);
    assert_compiles(&program, "graffix-coalesce,schedule=thread,sync=strict,confluence=mean", NVRTC_TODAY);
    assert_compiles(&program, "graffix-latency,schedule=edge", NVRTC_TODAY);
    assert_compiles(&program, "graffix-latency,schedule=vnode", NVRTC_TODAY);
    assert_compiles(&program, "graffix-latency,schedule=thread,direction=pull", NVRTC_TODAY);
    assert_compiles(&program, "graffix-latency,schedule=shard,sync=strict", NVRTC_TODAY);
    assert_compiles(&program, "graffix-latency,residency=stream,schedule=coo", NVRTC_TODAY);
    support_assert_status(ctx, hd_incore_find(ctx, "pr", false, &program), HEDDLE_OK);
    assert_compiles(&program, "graffix-latency,schedule=vnode", NVRTC_TODAY);
    assert_compiles(&program, "graffix-latency,schedule=shard", oldest);
    assert_compiles(&program, "graffix=latency+coalesce,schedule=wseg,direction=pull", NVRTC_TODAY);
}

/* Parts of a run on several devices. */
static void test_slices(void **unused) {
    static const char *const names[] = {"sssp", "pr", "cc", "hs"},
                             *const plans[] = {"ws-vr", "schedule=edge,direction=pull,worklist=no,exchange=ms",
                                               "schedule=vnode,direction=pull,worklist=no,exchange=all,offsets=64",
                                               "ws-vr,residency=stream"};
    (void)unused;
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < 16; i++) {
        hd_incore_program program;
        support_assert_status(ctx, hd_incore_find(ctx, names[i % 4], false, &program), HEDDLE_OK);
        assert_compiles(&program, plans[i / 4], i % 2 ? NVRTC_TODAY : oldest);
    }
}

static void test_options(void **unused) {
    (void)unused;
    static const char *const some[] = {"sssp", "hs", NULL}, *const path[] = {"sssp", NULL};
    if (!nvrtc.compile)
        skip();
    compile_matrix(oldest, some, ",offsets=64", 0);
    compile_matrix(NVRTC_TODAY, path, ",sync=strict", 1);
    compile_matrix(NVRTC_TODAY, path, ",worklist=no", 0);
    profile = true;
    compile_matrix(NVRTC_TODAY, path, "", 1);
    profile = false;
}

static void test_shards(void **unused) {
    (void)unused;
    static const char *const names[] = {"bfs", "sssp", "sswp", "cc", "pr", "hs", "cs", "nn"};
    static const char *const plans[] = {"cusha-gs", "cusha-cw", "cusha-cw,sync=strict,offsets=64"};
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < 3 * sizeof names / sizeof *names; i++) {
        hd_incore_program program;
        support_assert_status(ctx, hd_incore_find(ctx, names[i / 3], i % 3 == 2, &program), HEDDLE_OK);
        profile = i / 3 == 1; /* one program with counted lanes */
        assert_compiles(&program, plans[i % 3], i % 3 == 2 ? oldest : NVRTC_TODAY);
    }
    profile = false;
}

/* Whole-numbered distances, as runs on graphs of whole-numbered weights use them. */
static void test_whole_distances(void **unused) {
    (void)unused;
    static const char *const defines[] = {"#define DISTANCE u32\n", "#define DISTANCE u64\n"};
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < 2; i++) {
        hd_incore_program program;
        support_assert_status(ctx, hd_incore_find(ctx, "sssp", false, &program), HEDDLE_OK);
        program.defines = defines[i];
        program.value_size = program.message_size = i ? 8 : 4;
        program.output = i ? HEDDLE_VALUE_U64 : HEDDLE_VALUE_U32;
        assert_compiles(&program, "auto", NVRTC_TODAY);
        assert_compiles(&program, "ws", NVRTC_TODAY);
    }
}

/* Weights of 64 bits in memory, read by every schedule. */
static void test_large_weights(void **unused) {
    static const char *const plans[] = {"baseline", "vwc-8",    "ws",
                                        "tigr-v+",  "cusha-cw", "schedule=edge,direction=push"};
    static const char *const names[] = {"sssp", "hs"};
    (void)unused;
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < 2 * sizeof plans / sizeof *plans; i++) {
        hd_incore_program program;
        bool whole = i % 2;
        support_assert_status(ctx, hd_incore_find(ctx, names[i % 4 / 2], true, &program), HEDDLE_OK);
        if (whole && i % 4 / 2 == 0) {
            program.defines = "#define DISTANCE u64\n";
            program.output = HEDDLE_VALUE_U64;
            program.in_double = false;
        }
        assert_compiles_for(&program, plans[i / 2], whole ? HEDDLE_WEIGHT_I64 : HEDDLE_WEIGHT_F64, NVRTC_TODAY);
    }
}

/* PageRank by weights, personalised, and both. */
static void test_rank(void **unused) {
    (void)unused;
    static const char *const defines[] = {"#define PERSONAL\n", "#define STRENGTHS\n",
                                          "#define PERSONAL\n#define STRENGTHS\n"};
    static const char *const plans[] = {"ws", "schedule=edge,direction=push", "tigr-v", "vwc-8"};
    static const double one = 1;
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < 12; i++) {
        hd_incore_program program;
        support_assert_status(ctx, hd_incore_find(ctx, "pr", i % 2, &program), HEDDLE_OK);
        program.defines = defines[i % 3];
        program.weighted = i % 3 > 0;
        program.strengths = i % 3 > 0 ? &one : NULL;
        assert_compiles(&program, plans[i / 3], NVRTC_TODAY);
    }
}

/* The kernel that tells of a program. */
static void test_facts(void **unused) {
    (void)unused;
    extern const char hd_text_prelude_cuda[], hd_text_words[], hd_text_facts[];
    static const char *const names[] = {"bfs", "sssp", "sswp", "cc", "pr", "hs", "cs", "nn"};
    if (!nvrtc.compile)
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        hd_incore_program program;
        support_assert_status(ctx, hd_incore_find(ctx, names[i], false, &program), HEDDLE_OK);
        size_t room =
            strlen(hd_text_prelude_cuda) + strlen(hd_text_words) + strlen(program.text) + strlen(hd_text_facts) + 256;
        char *source = malloc(room);
        snprintf(source, room, "#define HD_WARP 32u\n#define HD_WARPS 1\n#define HD_ROOM 512\n%s%s%s%s",
                 hd_text_prelude_cuda, hd_text_words, program.text, hd_text_facts);
        assert_text_compiles(source, names[i], "none", oldest);
        free(source);
    }
}

/* Every kind of label, with offsets of both sizes: the kernel of one launch has to fit a group's memory. */
static void test_paths(void **unused) {
    extern const char hd_text_prelude_cuda[], hd_text_kernels_paths[], hd_text_kernels_paths_collect[],
        hd_text_kernels_paths_relax[], hd_text_kernels_paths_rounds[];
    static const char *const kinds[] = {
        "#define HD_WEIGHT_TYPE 4\n#define LABEL_64\n",
        "#define HD_WEIGHT_TYPE 4\n#define LABEL_64\n#define HD_OFFSET_64\n#define PATHS_LINES\n",
        "#define HD_WEIGHT_TYPE 5\n#define LABEL_FLOAT\n#define LABEL_64\n",
        "#define HD_WEIGHT_TYPE 5\n#define LABEL_FLOAT\n#define LABEL_64\n#define HD_OFFSET_64\n#define PATHS_LINES\n",
        "#define HD_WEIGHT_TYPE 3\n#define LABEL_FLOAT\n#define LABEL_64\n",
        "#define TARGET_BITS 25\n#define TARGET_MASK 33554431u\n#define JOINED_BITS 32\n#define LINE_EDGES 32u\n"
        "#define LEAST_WEIGHT 1u\n#define PATHS_LINES\n",
        "#define TARGET_BITS 27\n#define TARGET_MASK 134217727u\n#define JOINED_BITS 37\n#define LINE_EDGES 27u\n"
        "#define LEAST_WEIGHT 1u\n#define PATHS_LINES\n#define LABEL_64\n",
        "#define TARGET_BITS 25\n#define TARGET_MASK 33554431u\n#define JOINED_BITS 32\n#define LINE_EDGES 32u\n"
        "#define LEAST_WEIGHT 1u\n#define PATHS_LINES\n#define PATHS_HYBRID 32u\n",
        "#define LABEL_64\n",
        "#define LABEL_FLOAT\n",
        "#define LABEL_FLOAT\n#define LABEL_64\n#define HD_OFFSET_64\n#define PATHS_LINES\n",
        "#define PATH_WIDEST\n",
        "#define PATH_WIDEST\n#define LABEL_64\n#define HD_OFFSET_64\n"};
    (void)unused;
    if (!nvrtc.compile)
        skip();
    size_t room = strlen(hd_text_prelude_cuda) + strlen(hd_text_kernels_paths) + strlen(hd_text_kernels_paths_collect) +
                  strlen(hd_text_kernels_paths_relax) + strlen(hd_text_kernels_paths_rounds) + 512;
    char *source = malloc(room);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(source, room,
                 "#define HD_WARP 32u\n#define HD_WARPS 32\n%s%s"
                 "#define PATHS_SHAPE __launch_bounds__(1024, 1)\n#define ENOUGH 1000\n%s%s%s%s%s",
                 strstr(kinds[i], "HD_WEIGHT_TYPE") ? ""
                 : strstr(kinds[i], "LABEL_FLOAT")  ? "#define HD_WEIGHT_TYPE 3\n"
                                                    : "#define HD_WEIGHT_TYPE 1\n",
                 kinds[i], hd_text_prelude_cuda, hd_text_kernels_paths, hd_text_kernels_paths_collect,
                 hd_text_kernels_paths_relax, hd_text_kernels_paths_rounds);
        assert_text_compiles(source, "paths", kinds[i], NVRTC_TODAY);
        assert_text_compiles(source, "paths", kinds[i], oldest);
    }
    free(source);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_program),   cmocka_unit_test(test_streams),
                                       cmocka_unit_test(test_options),         cmocka_unit_test(test_copies),
                                       cmocka_unit_test(test_declared_words),  cmocka_unit_test(test_passing),
                                       cmocka_unit_test(test_shards),          cmocka_unit_test(test_large_weights),
                                       cmocka_unit_test(test_whole_distances), cmocka_unit_test(test_rank),
                                       cmocka_unit_test(test_facts),           cmocka_unit_test(test_paths),
                                       cmocka_unit_test(test_slices)};
    return cmocka_run_group_tests(tests, open_compiler, close_compiler);
}
