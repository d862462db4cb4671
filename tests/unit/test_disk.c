/* test_disk.c - rows that are read from an .hdl file, span by span: every vertex program gives what it gives in memory,
 * on graphs that hurt, for spans of many sizes and any share of them in memory; what a pass needs is what it reads and
 * reuses; and damaged, truncated and changed files give errors. */
#include "context_case.h"

#include "engine/cpu/cpu.h"
#include "io/hdl.h"
#include "residency/disk_rows.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 1 << 17 };

typedef struct arcs {
    uint64_t count;
    int64_t from[MOST], to[MOST];
    uint32_t weight[MOST];
} arcs;

static void add(arcs *a, uint64_t from, uint64_t to) {
    assert_true(a->count < MOST);
    a->from[a->count] = (int64_t)from;
    a->to[a->count] = (int64_t)to;
    a->weight[a->count] = (uint32_t)(1 + a->count * 7 % 13);
    a->count++;
}

/* ---- Graphs that hurt ------------------------------------------------------------------------------------------- */

typedef struct shape {
    const char *name;
    uint64_t vertices;
    void (*fill)(arcs *a, uint64_t n);
} shape;

static void fill_nothing(arcs *a, uint64_t n) {
    (void)a;
    (void)n;
}

/* Most of the edges are one vertex's, more than a span and than all buffers hold. */
static void fill_giant(arcs *a, uint64_t n) {
    for (uint64_t v = 0; v < n; v++) {
        add(a, 3, v);
        add(a, v, (v * 5 + 1) % n);
    }
}

/* Isolated vertices, and edges only between the last two. */
static void fill_last(arcs *a, uint64_t n) {
    add(a, n - 2, n - 1);
    add(a, n - 1, n - 2);
    add(a, n - 1, n - 1);
}

/* A path: one active vertex in each round; distances above n by the weights. */
static void fill_path(arcs *a, uint64_t n) {
    for (uint64_t v = 0; v + 1 < n; v++)
        add(a, v, v + 1);
}

/* The source reaches so many at once: 63, 64, 65, 4097 active vertices. */
static void fill_waves(arcs *a, uint64_t n) {
    static const uint64_t waves[] = {63, 64, 65, 4097};
    uint64_t next = 1, from = 0;
    for (size_t w = 0; w < sizeof waves / sizeof *waves; w++) {
        uint64_t first = next;
        for (uint64_t k = 0; k < waves[w]; k++)
            add(a, from, next++);
        for (uint64_t k = 0; k < waves[w] && next < n; k++)
            add(a, first + k, next);
        from = next++;
    }
}

/* Every second vertex is a sink, with parallel edges and loops. */
static void fill_sinks(arcs *a, uint64_t n) {
    for (uint64_t v = 0; v < n; v += 2)
        for (uint64_t k = 0; k < 4; k++)
            add(a, v, (v * 3 + k / 2 * 11) % n);
}

static void fill_random(arcs *a, uint64_t n) {
    uint64_t state = 1;
    for (uint64_t k = 0; k < 12 * n; k++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint64_t u = (state >> 33) % n, v = (state >> 20) % n;
        add(a, u * u % n, v);
    }
}

static const shape shapes[] = {{"empty", 0, fill_nothing},  {"no edges", 100, fill_nothing},
                               {"giant", 5000, fill_giant}, {"last two", 3000, fill_last},
                               {"path", 300, fill_path},    {"waves", 4294, fill_waves},
                               {"sinks", 2001, fill_sinks}, {"random", 4000, fill_random}};

static const char *make_file(const shape *s, bool directed, heddle_weight_type type) {
    arcs *a = calloc(1, sizeof *a);
    heddle_graph *graph;
    heddle_build_options build;
    heddle_save_options save;
    assert_non_null(a);
    s->fill(a, s->vertices);
    heddle_build_options_init(&build);
    build.symmetrize = !directed;
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, s->vertices, a->count, a->from, a->to, type ? a->weight : NULL,
                                                  type, &build, &graph),
                          HEDDLE_OK);
    free(a);
    heddle_save_options_init(&save);
    save.in_edges = 1;
    const char *path = support_temp_path("g.hdl");
    support_assert_status(ctx, heddle_graph_save(ctx, graph, path, &save), HEDDLE_OK);
    heddle_graph_destroy(&graph);
    return path;
}

static heddle_graph *load(const char *path) {
    heddle_graph *graph;
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, &graph), HEDDLE_OK);
    return graph;
}

/* ---- Programs --------------------------------------------------------------------------------------------------- */

typedef struct degrees {
    uint32_t *out, *in;
} degrees;

static uint32_t *degrees_of(const uint64_t *offsets, uint64_t n) {
    uint32_t *degrees = calloc(n + 1, sizeof *degrees);
    assert_non_null(degrees);
    for (uint64_t v = 0; v < n; v++)
        degrees[v] = (uint32_t)(offsets[v + 1] - offsets[v]);
    return degrees;
}

/* Runs in memory and from the file, and compares the values. */
static void assert_same(const char *path, const char *program_name, uint64_t span, uint64_t bytes, int threads,
                        const char *what) {
    const hd_cpu_program *program = hd_cpu_program_find(program_name, false);
    heddle_graph *graph = load(path), *other = load(path);
    heddle_vertex source = 0;
    uint64_t n = graph->vertices;
    double *initial = calloc(n + 1, sizeof *initial);
    assert_non_null(initial);
    for (uint64_t v = 0; v < n; v++)
        initial[v] = (double)(v % 17) / 16;
    hd_cpu_setup setup = {.sources = &source,
                          .source_count = n ? 1 : 0,
                          .initial = strcmp(program_name, "pr") ? initial : NULL,
                          .parameter = {strcmp(program_name, "pr") ? 0.5 : 0.85},
                          .ranks = strcmp(program_name, "pr") == 0,
                          .tolerance = 1e-5,
                          .max_iterations = program->traits & MONOTONE ? 0 : 6};
    heddle_result *expected, *result;
    support_assert_status(ctx, hd_result_new(ctx, program_name, &expected), HEDDLE_OK);
    support_assert_status(ctx, hd_result_new(ctx, program_name, &result), HEDDLE_OK);
    support_assert_status(ctx, hd_cpu_execute(ctx, graph, program, &setup, expected), HEDDLE_OK);
    degrees d = {degrees_of(graph->out.offsets, n),
                 degrees_of(graph->directed ? graph->in.offsets : graph->out.offsets, n)};
    hd_disk disk;
    hd_disk_request request = {.in = hd_cpu_pulls(program),
                               .weights = program->weighted,
                               .bytes = bytes,
                               .span_edges = span};
    ctx->threads = threads;
    support_assert_status(ctx, hd_disk_open(ctx, other, &request, &disk), HEDDLE_OK);
    support_assert_status(ctx, hd_disk_check(&disk, &(hd_disk_survey){.prove = true}), HEDDLE_OK);
    setup.disk = &disk;
    setup.out_degrees = d.out;
    setup.in_degrees = d.in;
    support_assert_status(ctx, hd_cpu_execute(ctx, other, program, &setup, result), HEDDLE_OK);
    for (uint64_t v = 0; v < n; v++) {
        double a = heddle_result_value(expected, (heddle_vertex)v), b = heddle_result_value(result, (heddle_vertex)v);
        if (a != b && !(fabs(a - b) <= 1e-4 * fmax(1e-4, fabs(a))))
            fail_msg("%s, %s, spans of %llu, %llu bytes, %d threads: vertex %llu has %.9g, in memory %.9g", what,
                     program_name, (unsigned long long)span, (unsigned long long)bytes, threads, (unsigned long long)v,
                     b, a);
    }
    assert_int_equal(disk.total.bytes_needed, disk.total.bytes_sent + disk.total.bytes_reused);
    assert_int_equal(disk.total.parts_needed, disk.total.parts_sent + disk.total.parts_reused);
    hd_disk_close(&disk);
    free(d.out);
    free(d.in);
    free(initial);
    heddle_result_destroy(&expected);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&other);
}

static const char *const programs[] = {"bfs", "sssp", "sswp", "cc", "pr", "hs", "cs", "nn"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static void every_program(bool directed) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const char *path = make_file(&shapes[i], directed, HEDDLE_WEIGHT_U32);
        struct stat info;
        assert_int_equal(stat(path, &info), 0);
        for (size_t p = 0; p < PROGRAMS; p++) { /* nothing stays, a part, all */
            if (p % 3 != 1)
                assert_same(path, programs[p], 1024, 0, 2, shapes[i].name);
            if (p % 3 != 2)
                assert_same(path, programs[p], 500, 65536, 1, shapes[i].name);
            if (p % 3 != 0)
                assert_same(path, programs[p], 4096, (uint64_t)info.st_size + (1 << 18), 3, shapes[i].name);
        }
        assert_same(path, "bfs", 97, 1000, 2, shapes[i].name);
    }
}

static void undirected(void **state) {
    (void)state;
    every_program(false);
}

static void directed(void **state) {
    (void)state;
    every_program(true);
}

/* ---- Passes ----------------------------------------------------------------------------------------------------- */

static void a_pass_reads_what_it_needs(void **state) {
    (void)state;
    const char *path = make_file(&shapes[7], true, HEDDLE_WEIGHT_F32);
    heddle_graph *graph = load(path), *whole = load(path);
    heddle_adjacency out;
    hd_disk disk;
    hd_disk_request request = {.weights = true, .bytes = 1000 * 8 * 8, .span_edges = 1000};
    support_assert_status(ctx, heddle_graph_out(ctx, whole, &out), HEDDLE_OK);
    support_assert_status(ctx, hd_disk_open(ctx, graph, &request, &disk), HEDDLE_OK);
    support_assert_status(ctx, hd_disk_check(&disk, &(hd_disk_survey){.prove = false}), HEDDLE_OK);
    assert_int_equal(disk.span_count, (graph->edges + 999) / 1000);
    assert_int_equal(disk.kept_edges, 4000);
    assert_int_equal(disk.total.bytes_sent, graph->edges * 8);
    static const uint64_t some[] = {1, 3, 4, 9};
    hd_disk_block block;
    bool more = true;
    uint64_t order[8], count = 0;
    support_assert_status(ctx, hd_disk_pass_begin(&disk, some, 4), HEDDLE_OK);
    for (;;) {
        support_assert_status(ctx, hd_disk_pass_next(&disk, &block, &more), HEDDLE_OK);
        if (!more)
            break;
        order[count++] = block.span;
        for (uint64_t e = block.first_edge; e < block.end_edge; e++) {
            assert_int_equal(block.rows.targets[e], out.targets[e]);
            assert_true(((const float *)block.rows.weights)[e] == ((const float *)out.weights)[e]);
        }
        assert_int_equal(block.stays, block.span < 4);
    }
    assert_int_equal(count, 4);
    assert_int_equal(order[0] + 10 * order[1] + 100 * order[2] + 1000 * order[3], 1 + 30 + 400 + 9000);
    assert_int_equal(disk.pass.bytes_needed, 4 * 1000 * 8);
    assert_int_equal(disk.pass.bytes_reused, 2 * 1000 * 8);
    assert_int_equal(disk.pass.bytes_sent, 2 * 1000 * 8);
    support_assert_status(ctx, hd_disk_pass_end(&disk), HEDDLE_OK);
    hd_disk_close(&disk);
    heddle_graph_destroy(&graph);
    heddle_graph_destroy(&whole);
}

/* ---- Bad files -------------------------------------------------------------------------------------------------- */

/* Changes one byte of a section's middle; the header stays right. */
static void damage(const char *path, hd_hdl_kind kind, bool mend_checksum) {
    size_t bytes;
    char *data = support_read_file(path, &bytes);
    hd_hdl_header *header = (hd_hdl_header *)(void *)data;
    hd_hdl_entry *table = (hd_hdl_entry *)(void *)(data + sizeof *header);
    for (uint32_t i = 0; i < header->sections; i++)
        if (table[i].kind == kind)
            data[table[i].offset + table[i].bytes / 8 * 4] ^= 1;
    (void)mend_checksum;
    support_write_file("g.hdl", data, bytes);
    free(data);
}

static heddle_status open_and_check(heddle_graph *graph, bool in, bool prove) {
    hd_disk disk;
    hd_disk_request request = {.in = in, .weights = true, .bytes = 1 << 14, .span_edges = 1024};
    heddle_status status = hd_disk_open(ctx, graph, &request, &disk);
    if (status == HEDDLE_OK)
        status = hd_disk_check(&disk, &(hd_disk_survey){.prove = prove});
    hd_disk_close(&disk);
    return status;
}

static void damage_is_found(void **state) {
    static const struct {
        hd_hdl_kind kind;
        const char *name;
    } kinds[] = {{HD_HDL_OUT_OFFSETS, "out offsets"}, {HD_HDL_OUT_TARGETS, "out targets"},
                 {HD_HDL_OUT_WEIGHTS, "out weights"}, {HD_HDL_IN_OFFSETS, "in offsets"},
                 {HD_HDL_IN_TARGETS, "in targets"},   {HD_HDL_IN_WEIGHTS, "in weights"}};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *path = make_file(&shapes[7], true, HEDDLE_WEIGHT_U32);
        damage(path, kinds[i].kind, false);
        heddle_graph *graph = load(path);
        support_assert_status(ctx, open_and_check(graph, true, true), HEDDLE_E_FORMAT);
        support_assert_message(ctx, kinds[i].name);
        heddle_graph_destroy(&graph);
    }
}

/* A graph says it is undirected and is not: the file is written as if it were. */
static void false_claims_are_found(void **state) {
    (void)state;
    for (int in = 0; in < 2; in++) {
        const char *path = make_file(&shapes[7], true, HEDDLE_WEIGHT_U32);
        heddle_graph *graph = load(path);
        heddle_adjacency rows;
        heddle_save_options save;
        heddle_save_options_init(&save);
        save.in_edges = in != 0;
        support_assert_status(ctx, heddle_graph_in(ctx, graph, &rows), HEDDLE_OK);
        graph->directed = in != 0;
        if (in) { /* in-edges that are the out-edges */
            graph->in = graph->out;
            graph->unproven = 0;
        }
        const char *forged = support_temp_path("forged.hdl");
        support_assert_status(ctx, heddle_graph_save(ctx, graph, forged, &save), HEDDLE_OK);
        heddle_graph_destroy(&graph);
        graph = load(forged);
        support_assert_status(ctx, open_and_check(graph, true, false), HEDDLE_OK);
        support_assert_status(ctx, open_and_check(graph, true, true), HEDDLE_E_FORMAT);
        support_assert_message(ctx, in ? "do not match" : "says it is undirected");
        heddle_graph_destroy(&graph);
    }
}

static void changed_files_are_refused(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        const char *path = make_file(&shapes[7], true, HEDDLE_WEIGHT_U32);
        heddle_graph *graph = load(path);
        hd_disk disk;
        hd_disk_request request = {.span_edges = 512};
        hd_disk_block block;
        struct stat info;
        bool more = true;
        heddle_status status;
        support_assert_status(ctx, hd_disk_open(ctx, graph, &request, &disk), HEDDLE_OK);
        support_assert_status(ctx, hd_disk_check(&disk, &(hd_disk_survey){.prove = false}), HEDDLE_OK);
        assert_int_equal(stat(path, &info), 0);
        if (how == 0) {
            assert_int_equal(truncate(path, 8192), 0);
        } else if (how == 1) {
            struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = info.st_mtim.tv_sec + 5}};
            assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        }
        status = hd_disk_pass_begin(&disk, NULL, 0);
        while (status == HEDDLE_OK && more)
            status = hd_disk_pass_next(&disk, &block, &more);
        heddle_status end = hd_disk_pass_end(&disk);
        if (how == 2) {
            support_assert_status(ctx, status, HEDDLE_OK);
            support_assert_status(ctx, end, HEDDLE_OK);
        } else {
            support_assert_status(ctx, status == HEDDLE_OK ? end : status, HEDDLE_E_READ);
            support_assert_message(ctx, "while it was in use");
        }
        hd_disk_close(&disk);
        heddle_graph_destroy(&graph);
    }
}

/* A run finds out before it reads pages that are gone; a new file of the same name does no harm. */
static void runs_on_changed_files(void **state) {
    (void)state;
    for (int how = 0; how < 4; how++) {
        const char *path = make_file(&shapes[7], true, HEDDLE_WEIGHT_U32);
        heddle_graph *graph = load(path);
        heddle_result *result = NULL;
        heddle_run_options options;
        struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1}};
        heddle_run_options_init(&options);
        options.device = "cpu";
        if (how == 0)
            assert_int_equal(truncate(path, 0), 0);
        else if (how == 1)
            assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        else if (how == 2)
            assert_int_equal(unlink(path), 0);
        support_assert_status(ctx, heddle_run(ctx, graph, &options, &result), how < 2 ? HEDDLE_E_READ : HEDDLE_OK);
        if (how < 2)
            support_assert_message(ctx, "changed since the graph was opened");
        heddle_result_destroy(&result);
        heddle_graph_destroy(&graph);
    }
}

/* Overwritten in place, while the run goes on: targets that are no vertices must not be used. */
static void targets_written_meanwhile(void **state) {
    (void)state;
    for (int again = 0; again < 2; again++) { /* in a later pass; in the first pass of a second run */
        const char *path = make_file(&shapes[7], true, HEDDLE_WEIGHT_NONE);
        heddle_graph *graph = load(path);
        hd_disk disk;
        hd_disk_request request = {.span_edges = 1024};
        hd_disk_survey whole = {.whole = true};
        hd_disk_block block;
        bool more = true;
        support_assert_status(ctx, hd_disk_open(ctx, graph, &request, &disk), HEDDLE_OK);
        support_assert_status(ctx, hd_disk_check(&disk, &whole), HEDDLE_OK);
        if (again) {
            hd_disk_close(&disk);
            support_assert_status(ctx, hd_disk_open(ctx, graph, &request, &disk), HEDDLE_OK);
        }
        uint32_t wild = UINT32_MAX;
        int fd = open(path, O_WRONLY);
        assert_int_equal(pwrite(fd, &wild, sizeof wild, (off_t)(disk.targets_at + graph->edges / 2 * 4)), sizeof wild);
        close(fd);
        heddle_status status = again ? hd_disk_check(&disk, &whole) : hd_disk_pass_begin(&disk, NULL, 0);
        while (status == HEDDLE_OK && more) {
            status = hd_disk_pass_next(&disk, &block, &more);
            for (uint64_t e = block.first_edge; status == HEDDLE_OK && more && e < block.end_edge; e++)
                assert_true(block.rows.targets[e] < graph->vertices);
        }
        support_assert_status(ctx, status, HEDDLE_E_READ);
        support_assert_message(ctx, "while it was in use");
        if (!again)
            hd_disk_pass_end(&disk);
        hd_disk_close(&disk);
        heddle_graph_destroy(&graph);
    }
}

static heddle_status complain(void *self, const hd_disk_block *block) {
    (void)block;
    ++*(int *)self;
    return hd_fail(ctx, HEDDLE_E_UNSUPPORTED, "a complaint");
}

/* What a visitor finds wrong may be damage: that is reported first. */
static void damage_comes_before_complaints(void **state) {
    (void)state;
    for (int damaged = 0; damaged < 2; damaged++) {
        const char *path = make_file(&shapes[7], true, HEDDLE_WEIGHT_U32);
        hd_disk disk;
        hd_disk_request request = {.weights = true, .span_edges = 1024};
        int calls = 0;
        if (damaged)
            damage(path, HD_HDL_OUT_WEIGHTS, false);
        heddle_graph *graph = load(path);
        support_assert_status(ctx, hd_disk_open(ctx, graph, &request, &disk), HEDDLE_OK);
        support_assert_status(ctx,
                              hd_disk_check(&disk, &(hd_disk_survey){.whole = true, .self = &calls, .visit = complain}),
                              damaged ? HEDDLE_E_FORMAT : HEDDLE_E_UNSUPPORTED);
        support_assert_message(ctx, damaged ? "out weights" : "a complaint");
        assert_int_equal(calls, 1);
        hd_disk_close(&disk);
        heddle_graph_destroy(&graph);
    }
}

/* In-edges are held against the out-edges: both are read, and counted. */
static void both_directions_are_counted(void **state) {
    (void)state;
    heddle_graph *graph = load(make_file(&shapes[7], true, HEDDLE_WEIGHT_U32));
    hd_disk disk;
    hd_disk_request request = {.in = true, .weights = true, .span_edges = 1024};
    support_assert_status(ctx, hd_disk_open(ctx, graph, &request, &disk), HEDDLE_OK);
    support_assert_status(ctx, hd_disk_check(&disk, &(hd_disk_survey){.prove = true}), HEDDLE_OK);
    assert_int_equal(disk.total.bytes_sent, 2 * graph->edges * 8);
    hd_disk_close(&disk);
    heddle_graph_destroy(&graph);
}

static void a_replaced_file_is_refused(void **state) {
    (void)state;
    const char *path = make_file(&shapes[7], true, HEDDLE_WEIGHT_NONE);
    heddle_graph *graph = load(path);
    assert_int_equal(unlink(path), 0);
    support_assert_status(ctx, open_and_check(graph, false, false), HEDDLE_E_READ);
    make_file(&shapes[6], true, HEDDLE_WEIGHT_NONE);
    support_assert_status(ctx, open_and_check(graph, false, false), HEDDLE_E_READ);
    heddle_graph_destroy(&graph);
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

static heddle_status attempt(heddle_context *context, void *user) {
    const hd_cpu_program *program = hd_cpu_program_find("bfs", false);
    heddle_vertex source = 0;
    heddle_result *result = NULL;
    heddle_graph *graph = NULL;
    hd_disk disk = {.ctx = NULL};
    hd_disk_request request = {.bytes = 1 << 15, .span_edges = 1024};
    hd_cpu_setup setup = {.sources = &source, .source_count = 1, .disk = &disk};
    heddle_status status = heddle_graph_load(context, user, NULL, &graph);
    if (status == HEDDLE_OK)
        status = hd_disk_open(context, graph, &request, &disk);
    if (status == HEDDLE_OK)
        status = hd_disk_check(&disk, &(hd_disk_survey){.prove = true});
    if (status == HEDDLE_OK)
        status = hd_result_new(context, "bfs", &result);
    if (status == HEDDLE_OK)
        status = hd_cpu_execute(context, graph, program, &setup, result);
    hd_disk_close(&disk);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}

static void allocations_may_fail(void **state) {
    (void)state;
    support_try_every_failure(attempt, (void *)(uintptr_t)make_file(&shapes[2], true, HEDDLE_WEIGHT_NONE));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(undirected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(directed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pass_reads_what_it_needs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(false_claims_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(changed_files_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_on_changed_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(targets_written_meanwhile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_comes_before_complaints, set_up, tear_down),
        cmocka_unit_test_setup_teardown(both_directions_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_replaced_file_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(allocations_may_fail, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
