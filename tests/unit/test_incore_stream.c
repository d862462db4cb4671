/* test_incore_stream.c - residency stream: edges that pass through the device give the values that edges on the device
 * give, whatever is switched off, however small the memory; and what a round needs is either sent or there still. */
#include "far_edges.h"
#include "incore_cases.h"

#include "base/rounds.h"
#include "engine/device/stream.h"
#include "engine/result.h"

/* ---- Graphs ----------------------------------------------------------------------------------------------------- */

typedef struct edge_list {
    int64_t *from, *to;
    uint32_t *weights;
    uint64_t count;
} edge_list;

static void put(edge_list *l, uint64_t from, uint64_t to, uint32_t weight) {
    if (l->count % 1024 == 0) {
        l->from = realloc(l->from, (l->count + 1024) * sizeof *l->from);
        l->to = realloc(l->to, (l->count + 1024) * sizeof *l->to);
        l->weights = realloc(l->weights, (l->count + 1024) * sizeof *l->weights);
    }
    l->from[l->count] = (int64_t)from;
    l->to[l->count] = (int64_t)to;
    l->weights[l->count++] = weight;
}

static void add_list(const char *name, uint64_t n, edge_list *l) {
    add_edges(name, n, l->count, l->from, l->to, l->weights);
    free(l->from);
    free(l->to);
    free(l->weights);
}

/* `active` vertices at once in the second round; the last two vertices have edges; isolated ones between. */
static void add_fan(const char *name, uint64_t active) {
    uint64_t n = 2 * active + 40;
    edge_list l = {.count = 0};
    for (uint64_t i = 1; i <= active; i++) {
        put(&l, 0, 2 * i, (uint32_t)(i % 9));
        put(&l, 2 * i, n - 2, 1 + (uint32_t)(i * 7 % 5));
    }
    put(&l, n - 2, n - 1, 3);
    put(&l, n - 1, 1, 2);
    put(&l, 1, 3, 1);
    add_list(name, n, &l);
}

/* A vertex larger than a partition, in the middle, that comes into play late; a path of heavy edges behind it. */
static void add_giant(void) {
    enum { N = 1500, DEGREE = 6000, GIANT = 700 };
    edge_list l = {.count = 0};
    for (uint64_t v = 0; v + 1 < 300; v++)
        put(&l, v, v + 1, 1000000);
    put(&l, 299, GIANT, 5);
    for (uint64_t i = 0; i < DEGREE; i++)
        put(&l, GIANT, i * 2654435761u % N, (uint32_t)(i % 100));
    for (uint64_t v = 800; v < N - 1; v += 3)
        put(&l, v, v + 1, 4000000000u);
    add_list("giant", N, &l);
}

/* Edges only into vertices that have none; between rows that are cut there are rows without edges. */
static void add_sinks(void) {
    edge_list l = {.count = 0};
    for (uint64_t i = 0; i < 900; i++)
        put(&l, 2 * (i % 3), 5 + i % 500, (uint32_t)i);
    add_list("sinks", 600, &l);
}

static int make_all(void **state) {
    make_samples(state);
    if (!sample_count)
        return 0;
    add_fan("fan 1", 1);
    add_fan("fan 63", 63);
    add_fan("fan 64", 64);
    add_fan("fan 65", 65);
    add_fan("fan 4097", 4097);
    add_giant();
    add_sinks();
    return 0;
}

enum { FEW = 5 /* the samples from here on are those of this file, and the small ones */ };

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

typedef struct totals {
    uint64_t needed, sent, reused, gathered, in_place, again, bytes, device_bytes;
} totals;

/* Runs, compares with `expected`, and checks the records of rounds. */
static totals run_stream(const hd_incore_program *program, const char *name, const sample *s, const char *plan,
                         const hd_cpu_setup *setup, const double *expected) {
    uint64_t n = heddle_graph_vertices(s->graph);
    bool exact = program->traits & MONOTONE;
    totals sum = {.needed = 0};
    heddle_result *result;
    support_assert_status(ctx, hd_result_new(ctx, name, &result), HEDDLE_OK);
    support_assert_status(ctx, hd_rounds_begin(ctx), HEDDLE_OK);
    heddle_status status = execute(ctx, s->graph, program, setup, plan, result);
    hd_rounds_end(ctx);
    if (status != HEDDLE_OK)
        fail_msg("%s on %s, plan %s: %s", name, s->name, plan, heddle_context_error(ctx)->message);
    for (uint64_t v = 0; v < n; v++) {
        double found = heddle_result_value(result, (heddle_vertex)v), off = fabs(found - expected[v]);
        if (exact ? found != expected[v] : !(off <= 2e-6 * fmax(1, fabs(expected[v]))))
            fail_msg("%s on %s, plan %s, limit %llu, vertex %llu: expected %.9g, found %.9g", name, s->name, plan,
                     (unsigned long long)memory_limit, (unsigned long long)v, expected[v], found);
    }
    for (uint32_t i = 0; i < ctx->rounds.count; i++) {
        const heddle_round *r = &ctx->rounds.list[i];
        assert_int_equal(r->parts_sent + r->parts_reused + r->parts_in_place, r->parts_needed);
        assert_int_equal(r->bytes_sent + r->bytes_reused + r->bytes_in_place, r->bytes_needed);
        assert_true(r->bytes_in_place == 0 || r->parts_in_place > 0);
        if (strstr(plan, "packed=no") && strcmp(name, "cc") != 0 && !r->parts_again)
            assert_true(r->edges == HD_NOT_KNOWN || r->edges * 4 <= r->bytes_needed);
        sum.needed += r->parts_needed;
        sum.sent += r->parts_sent;
        sum.reused += r->parts_reused;
        sum.gathered += r->parts_gathered;
        sum.in_place += r->parts_in_place;
        sum.again += r->parts_again;
        sum.bytes += r->bytes_sent;
        assert_true(r->parts_again <= r->parts_needed);
        assert_true(r->parts_gathered <= r->parts_sent && r->bytes_gathered <= r->bytes_sent);
        assert_true((r->parts_gathered > 0) == (r->bytes_gathered > 0));
    }
    assert_true(strstr(plan, "gather=yes") || !sum.gathered);
    assert_true((exact && !strstr(plan, "again=no") && !setup->max_iterations) || !sum.again);
    sum.device_bytes = result->report.device_bytes;
    if (sum.device_bytes > memory_limit)
        fail_msg("%s on %s, plan %s: %llu bytes, of %llu allowed", name, s->name, plan,
                 (unsigned long long)sum.device_bytes, (unsigned long long)memory_limit);
    heddle_result_destroy(&result);
    return sum;
}

/* With room for everything, then for a quarter of the edges. */
static void assert_streams(const char *name, const char *plan, const sample *s) {
    uint64_t n = heddle_graph_vertices(s->graph), m = heddle_graph_edges(s->graph);
    double *initial = calloc(n + 1, sizeof *initial), *expected = calloc(n + 1, sizeof *expected);
    unsigned char *fixed = calloc(n + 1, 1);
    hd_incore_program program = program_of(name);
    hd_cpu_setup setup = setup_for(name, s->graph, initial, fixed);
    expect(name, s->graph, &setup, expected);
    totals all = run_stream(&program, name, s, plan, &setup, expected);
    if (m > 500) {
        bool reuse = !strstr(plan, "reuse=no"), packed = !strstr(plan, "packed=no");
        if (strstr(plan, "packed=yes")) {
            char plain[256];
            snprintf(plain, sizeof plain, "%s,stream.packed=no", plan);
            all = run_stream(&program, name, s, plain, &setup, expected);
        }
        memory_limit = reuse ? all.device_bytes - m * 3 : all.device_bytes + 1024; /* planned bytes are rounded up */
        totals some = run_stream(&program, name, s, plan, &setup, expected);
        bool again = strstr(plan, "again=yes"); /* may save more than the smaller memory costs */
        assert_true(!reuse || packed || again || some.bytes >= all.bytes);
        memory_limit = UINT64_MAX;
    }
    free(initial);
    free(expected);
    free(fixed);
}

static void stream_everywhere(const char *name, const char *plan, size_t first) {
    skip_without_device();
    for (size_t i = first; i < sample_count; i++)
        assert_streams(name, plan, &samples[i]);
}

#define TEST_STREAM(name)                                                                                            \
    static void test_##name(void **unused) {                                                                         \
        (void)unused;                                                                                                \
        stream_everywhere(#name,                                                                                     \
                          "schedule=coo,worklist=no,stream.packed=no,stream.queues=3,stream.partitions=9,debug=yes", \
                          0);                                                                                        \
    }
TEST_STREAM(bfs)
TEST_STREAM(cc)
TEST_STREAM(sssp)
TEST_STREAM(sswp)
TEST_STREAM(pr)
TEST_STREAM(hs)
TEST_STREAM(cs)
TEST_STREAM(nn)

/* Every schedule that can, with a frontier; messages that are applied at the end of a round. */
static void test_schedules(void **unused) {
    static const char *const plans[] = {"coo",  "thread",    "vwarp,width=4",  "wseg",
                                        "edge", "vnode,K=3", "coo,sync=strict"};
    (void)unused;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        char plan[160];
        snprintf(plan, sizeof plan, "residency=stream,schedule=%s,stream.partitions=%zu,debug=yes", plans[i],
                 3 + 6 * i);
        stream_everywhere("sssp", plan, FEW);
    }
    stream_everywhere("pr", "residency=stream,schedule=wseg,stream.partitions=5,debug=yes", FEW);
    stream_everywhere("cc", "residency=stream,schedule=edge,stream.partitions=40,stream.queues=32,debug=yes", FEW);
}

static void test_switches(void **unused) {
    static const char *const plans[] = {"schedule=coo,stream.active=no", "schedule=coo,stream.reuse=no",
                                        "schedule=coo,stream.queues=1",
                                        "schedule=coo,stream.active=no,stream.reuse=no,stream.shared=no,worklist=no",
                                        "residency=stream,offsets=64,stream.shared=no"};
    (void)unused;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        char plan[160];
        snprintf(plan, sizeof plan, "%s,stream.partitions=12,debug=yes", plans[i]);
        stream_everywhere("bfs", plan, FEW);
    }
}

/* Packed partitions: whole numbers and others as weights, rows of two directions, edges with sources. */
static void test_packed(void **unused) {
    (void)unused;
    stream_everywhere("sssp", "residency=stream,stream.packed=yes,stream.partitions=9,debug=yes", FEW);
    stream_everywhere("cc", "residency=stream,stream.packed=yes,stream.partitions=5,debug=yes", 0);
    stream_everywhere("pr", "schedule=coo,worklist=no,stream.packed=yes,stream.partitions=40,debug=yes", FEW);
    stream_everywhere("bfs",
                      "residency=stream,stream.packed=yes,stream.partitions=7,stream.reuse=no,offsets=64,debug=yes",
                      FEW);
}

/* Active rows without the others: whole partitions stay as they were, rows of two directions, edges with sources. */
static void test_gathered(void **unused) {
    (void)unused;
    stream_everywhere("sssp", "residency=stream,stream.packed=yes,stream.gather=yes,stream.partitions=9,debug=yes",
                      FEW);
    stream_everywhere("cc", "residency=stream,stream.packed=yes,stream.gather=yes,stream.partitions=5,debug=yes", 0);
    stream_everywhere("sssp", "schedule=coo,stream.packed=no,stream.gather=yes,stream.partitions=15,debug=yes", FEW);
    stream_everywhere("bfs",
                      "residency=stream,stream.packed=yes,stream.gather=yes,stream.partitions=40,offsets=64,debug=yes",
                      FEW);
}

/* Active rows are read in host memory: the same. */
static void test_in_place(void **unused) {
    (void)unused;
    stream_everywhere("sssp", "residency=stream,stream.packed=yes,stream.place=yes,stream.partitions=9,debug=yes", FEW);
    stream_everywhere("cc", "residency=stream,stream.packed=yes,stream.place=yes,stream.partitions=5,debug=yes", 0);
    stream_everywhere("bfs",
                      "residency=stream,schedule=wseg,stream.packed=yes,stream.place=yes,stream.gather=yes,"
                      "stream.partitions=40,offsets=64,debug=yes",
                      FEW);
}

/* A path of 400 vertices: a round has one active row, or two, and sends no more than these, or nothing. */
static void test_few_rows(void **unused) {
    enum { N = 400 };
    static const char *const plans[] = {
        "residency=stream,stream.packed=yes,stream.reuse=no,stream.place=no,stream.gather=%s,stream.partitions=10,"
        "debug=yes",
        "schedule=coo,stream.packed=no,stream.reuse=no,stream.gather=%s,stream.partitions=10,debug=yes"};
    static const heddle_vertex sources[] = {300};
    hd_cpu_setup setup = {.sources = sources, .source_count = 1};
    edge_list l = {.count = 0};
    (void)unused;
    skip_without_device();
    for (uint64_t v = 0; v + 1 < N; v++) {
        put(&l, v, v + 1, 1);
        put(&l, v + 1, v, 2);
    }
    add_list("path", N, &l);
    const sample *path = &samples[--sample_count];
    double *expected = calloc(N, sizeof *expected);
    hd_incore_program program = program_of("bfs");
    expect("bfs", path->graph, &setup, expected);
    for (size_t i = 0; i < 2; i++) {
        totals sum[2];
        for (int gather = 0; gather < 2; gather++) {
            char plan[160];
            snprintf(plan, sizeof plan, plans[i], gather ? "yes" : "no");
            sum[gather] = run_stream(&program, "bfs", path, plan, &setup, expected);
        }
        assert_true(sum[1].gathered + 2 >= sum[1].sent && sum[1].bytes < N * 64 && sum[0].bytes > 4 * sum[1].bytes);
    }
    totals placed =
        run_stream(&program, "bfs", path,
                   "residency=stream,stream.packed=yes,stream.reuse=no,stream.place=yes,stream.partitions=10,"
                   "debug=yes",
                   &setup, expected);
    assert_true(placed.sent == 0 && placed.in_place == placed.needed);
    free(expected);
    heddle_graph_destroy(&samples[sample_count].graph);
}

/* ---- Partitions that are walked again --------------------------------------------------------------------------- */

/* Every pair of a program, a schedule, bits of active vertices or none, packed or not, a number of queues, partitions
 * that stay on the device or none. */
static void walk_again(const char *name, unsigned n) {
    static const char *const ways[] = {"coo", "edge", "thread", "wseg"}, *const words[] = {"no", "yes"};
    static const unsigned queues[] = {1, 2, 32}, partitions[] = {3, 9, 17, 40};
    for (unsigned i = 0; i < 8; i++) {
        unsigned way = i / 2, bits = i % 2, stays = (n / 2 + way) % 2;
        char plan[200];
        snprintf(plan, sizeof plan,
                 "residency=stream,schedule=%s,worklist=%s,stream.packed=%s,stream.queues=%u,stream.reuse=%s,"
                 "stream.partitions=%u,stream.place=no,stream.gather=no,stream.again=yes,debug=yes",
                 ways[way], words[bits], words[(n + way + bits) % 2], queues[(n + i) % 3], words[stays],
                 partitions[(n + way + i) % 4]);
        stream_everywhere(name, plan, stays && bits ? 0 : FEW);
    }
}

static void test_again(void **unused) {
    static const char *const names[] = {"bfs", "sssp", "sswp", "cc"};
    (void)unused;
    for (unsigned n = 0; n < 4; n++)
        walk_again(names[n], n);
}

/* Beside the other roads of a round, with 64-bit offsets, flags in global memory; strict rounds are never mixed. */
static void test_again_options(void **unused) {
    static const char *const more[] = {"stream.packed=yes,stream.gather=yes",
                                       "stream.packed=yes,stream.place=yes",
                                       "stream.packed=no,offsets=64,stream.shared=no",
                                       "stream.packed=no,worklist=no,stream.shared=no",
                                       "sync=strict",
                                       "stream.active=no"};
    (void)unused;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char plan[200];
        snprintf(plan, sizeof plan, "residency=stream,%s,stream.again=yes,stream.partitions=12,debug=yes", more[i]);
        stream_everywhere("sssp", plan, FEW);
    }
}

/* Rounds of sssp on a path with edges both ways that get two steps on instead of one, and need half as many
 * partitions; with a ring of one slot in a memory for three partitions of ten, and if none stays. */
static void test_again_saves(void **unused) {
    enum { N = 4000 };
    static const heddle_vertex sources[] = {1234};
    static const char *const stays[] = {"yes", "no"};
    hd_cpu_setup setup = {.sources = sources, .source_count = 1}, bounded = setup;
    edge_list l = {.count = 0};
    (void)unused;
    skip_without_device();
    for (uint64_t v = 0; v + 1 < N; v++)
        for (uint64_t k = 1; k < 4 && v + k * 500 < N; k++) {
            put(&l, v, v + (k == 1 ? 1 : k * 500), 1 + (uint32_t)(v % 7) * (k == 1 ? 1 : 300));
            put(&l, v + (k == 1 ? 1 : k * 500), v, 2);
        }
    add_list("path", N, &l);
    const sample *path = &samples[--sample_count];
    double *expected = calloc(N, sizeof *expected);
    hd_incore_program program = program_of("sssp");
    expect("sssp", path->graph, &setup, expected);
    bounded.max_iterations = UINT32_MAX;
    for (size_t i = 0; i < 2; i++) {
        totals sum[2];
        char plan[200];
        for (int again = 0; again < 2; again++) {
            snprintf(plan, sizeof plan,
                     "schedule=coo,worklist=yes,stream.packed=no,stream.queues=1,stream.partitions=10,"
                     "stream.reuse=%s,stream.again=%s,debug=yes",
                     stays[i], again ? "yes" : "no");
            if (!again && !i) /* 12 bytes an edge */
                memory_limit = run_stream(&program, "sssp", path, plan, &setup, expected).device_bytes -
                               heddle_graph_edges(path->graph) * 84 / 10;
            sum[again] = run_stream(&program, "sssp", path, plan, &setup, expected);
        }
        assert_true(sum[1].again > 0 && sum[1].bytes < sum[0].bytes && sum[1].sent < sum[0].sent);
        totals counted = run_stream(&program, "sssp", path, plan, &bounded, expected);
        assert_int_equal(counted.again, 0);
        assert_int_equal(counted.bytes, sum[0].bytes);
    }
    memory_limit = UINT64_MAX;
    free(expected);
    heddle_graph_destroy(&samples[sample_count].graph);
}

/* By default: no second walks before a round was timed, nor if kernels are what takes long. */
static void test_again_choice(void **unused) {
    hd_span spans[3] = {{.end_row = 10, .end_edge = 1000000, .group = 0},
                        {10, 20, 1000000, 2000000, 1},
                        {20, 30, 2000000, 3000000, 2}};
    uint32_t flags[8] = {[4] = 1, [5] = 1, [0] = 1}; /* two were walked again, and the first is needed all the same */
    hd_stream s = {.partition = {.spans = spans, .count = 3, .groups = 3}, .each = {4}, .flags = flags};
    hd_cpu_setup setup = {.source_count = 0};
    incore e = {.stream = &s, .setup = &setup, .shape = {.again = true, .active = true}};
    (void)unused;
    hd_stream_again_open(&e);
    hd_stream_again_begin(&e);
    assert_false(s.again.now);
    s.round = (hd_traffic){.parts_sent = 3, .copy_seconds = 0.01, .kernel_seconds = 0.015};
    hd_stream_again_note(&e);
    hd_stream_again_begin(&e);
    assert_true(s.again.now);
    s.round = (hd_traffic){.parts_reused = 3, .kernel_seconds = 0.02}; /* sent nothing: says nothing about copies */
    hd_stream_again_note(&e);
    assert_int_equal(s.round.parts_again, 2);
    hd_stream_again_begin(&e);
    assert_true(s.again.now);
    s.round = (hd_traffic){.parts_sent = 3, .copy_seconds = 0.01, .kernel_seconds = 0.025};
    hd_stream_again_note(&e);
    hd_stream_again_begin(&e);
    assert_false(s.again.now);
}

/* What is foretold of slots is what happens to them. */
static void test_drops(void **unused) {
    enum { SPANS = 12 };
    (void)unused;
    for (uint32_t i = 0; i < 512; i++) {
        bool dropped[SPANS] = {false};
        hd_stream s = {.slot_count = 1 + i % 8, .queues = 1 + i / 8 % 4, .ring_next = i, .partition.count = SPANS};
        support_assert_status(ctx, hd_stream_slots_new(ctx, &s), HEDDLE_OK);
        hd_stream_slots_begin(&s);
        for (uint64_t span = 0; span < s.slot_count; span++) { /* on the device, needed or not */
            hd_stream_slots_take(&s, span);
            s.needed[span] = i >> span % 5 & 1;
        }
        hd_stream_slots_begin(&s);
        uint64_t sent = SPANS - s.slot_count;
        for (uint64_t k = 0; k < s.slot_count; k++)
            if (s.needed[s.slots[k].span])
                dropped[s.slots[k].span] = hd_stream_slots_drop(&s, k, sent);
        for (uint64_t span = s.slot_count; span < SPANS; span++) {
            uint64_t k = hd_stream_slots_take(&s, span);
            s.needed[span] = true;
            dropped[span] = hd_stream_slots_drop(&s, k, SPANS - 1 - span);
        }
        for (uint64_t span = 0; span < SPANS; span++)
            assert_true(!s.needed[span] || dropped[span] == (s.slot_of[span] == HD_NO_SPAN));
        hd_stream_slots_free(ctx, &s);
    }
}

/* ---- Packed partitions ------------------------------------------------------------------------------------------ */

/* A graph of 2,000 vertices with floats as weights: every third row is long. */
static heddle_graph *make_floats(float step) {
    enum { N = 2000, M = 40000 };
    int64_t *from = malloc(M * sizeof *from), *to = malloc(M * sizeof *to);
    float *weights = malloc(M * sizeof *weights);
    heddle_graph *graph;
    for (uint64_t i = 0; i < M; i++) {
        from[i] = (int64_t)(i * 2654435761u % N / 3 * 3 % N);
        to[i] = (int64_t)(i * 40503u % N);
        weights[i] = (float)(i % 50) * step;
    }
    support_assert_status(ctx, heddle_graph_from_edges(ctx, N, M, from, to, weights, HEDDLE_WEIGHT_F32, NULL, &graph),
                          HEDDLE_OK);
    free(from);
    free(to);
    free(weights);
    return graph;
}

/* Whole floats take as many bits as they need, others all of them. */
static void test_packed_floats(void **unused) {
    static const float steps[] = {1, 0.125F};
    static const heddle_vertex sources[] = {0};
    hd_cpu_setup setup = {.sources = sources, .source_count = 1};
    uint64_t bytes[2];
    (void)unused;
    skip_without_device();
    hd_incore_program program = program_of("sssp");
    for (int i = 0; i < 2; i++) {
        sample floats = {"floats", make_floats(steps[i])};
        double *expected = calloc(heddle_graph_vertices(floats.graph), sizeof *expected);
        expect("sssp", floats.graph, &setup, expected);
        bytes[i] =
            run_stream(
                &program, "sssp", &floats,
                "residency=stream,stream.packed=yes,stream.reuse=no,stream.place=no,stream.partitions=4,debug=yes",
                &setup, expected)
                .bytes;
        free(expected);
        heddle_graph_destroy(&floats.graph);
    }
    assert_true(bytes[0] * 10 < bytes[1] * 6);
}

/* Unpacks a partition and compares it with the graph's edges. */
static void assert_unpacked(incore *e, const far_edges *far, uint64_t index, const hd_stream_edges *to) {
    static uint32_t found[2][FAR_ROWS * FAR_DEGREE];
    hd_stream *s = e->stream;
    hd_device *d = e->device;
    const hd_span *span = &s->partition.spans[index];
    uint64_t words = s->store->packed_at[index + 1] - s->store->packed_at[index], edges = hd_span_edges(span);
    hd_buffer packed;
    support_assert_status(ctx, d->allocate(d, words * 4, "a test", &packed), HEDDLE_OK);
    const uint32_t *from = (const uint32_t *)s->store->array[STREAM_TARGETS] + s->store->packed_at[index];
    support_assert_status(ctx, d->upload(d, &packed, 0, from, words * 4), HEDDLE_OK);
    support_assert_status(ctx, hd_stream_unpack(e, span, &packed, NULL, to), HEDDLE_OK);
    for (int i = 0; i < 2; i++)
        support_assert_status(ctx, d->download(d, found[i], &to->array[i], 0, edges * 4), HEDDLE_OK);
    support_assert_status(ctx, d->finish(d), HEDDLE_OK);
    for (uint64_t k = 0; k < edges; k++) {
        uint64_t edge = span->first_edge + k, row = 1 + (edge - far_first) / FAR_DEGREE;
        assert_int_equal(found[STREAM_TARGETS][k], far->targets[edge]);
        assert_int_equal(found[STREAM_SOURCES][k], row);
    }
    d->release(d, &packed);
}

/* Partitions whose edges are numbered from 2^33 on, of a graph in which nobody can read those before. */
static void test_far_partitions(void **unused) {
    far_edges far;
    hd_stream_store store = {.weights = 0};
    hd_stream_edges to;
    heddle_report report = {.compute = 0};
    (void)unused;
    skip_without_device();
    if (!far_make(&far, 5)) {
        print_message("skipped: no 32 GiB of addresses\n");
        skip();
    }
    hd_span spans[] = {{1, 1500, far.offsets[1], far.offsets[1500], 0},
                       {1500, FAR_ROWS + 1, far.offsets[1500], far.m, 1}};
    hd_stream s = {.starts = far.offsets,
                   .rows = FAR_ROWS + 1,
                   .partition = {.spans = spans, .count = 2, .groups = 2},
                   .each = {4, 4, 0},
                   .packed = true,
                   .store = &store};
    incore e = {.ctx = ctx,
                .graph = samples[0].graph,
                .rows = {.vertices = far.n, .edges = far.m, .first = {.offsets = far.offsets, .targets = far.targets}},
                .shape = {.wide = true, .sources = true},
                .stream = &s};
    hd_device *d;
    support_assert_status(ctx, hd_device_open(ctx, device_name, &d), HEDDLE_OK);
    e.device = d;
    support_assert_status(ctx, hd_stream_pack(&e), HEDDLE_OK);
    support_assert_status(ctx, hd_stream_unpack_open(&e, &report), HEDDLE_OK);
    support_assert_status(ctx, d->allocate(d, (far.n + 1) * 8, "a test", &e.buffer[OFFSETS]), HEDDLE_OK);
    support_assert_status(ctx, d->upload(d, &e.buffer[OFFSETS], 0, far.offsets, (far.n + 1) * 8), HEDDLE_OK);
    for (int i = 0; i < 2; i++)
        support_assert_status(ctx, d->allocate(d, FAR_ROWS * FAR_DEGREE * 4, "a test", &to.array[i]), HEDDLE_OK);
    for (uint64_t i = 0; i < 2; i++)
        assert_unpacked(&e, &far, i, &to);
    d->release(d, &to.array[0]);
    d->release(d, &to.array[1]);
    d->release(d, &e.buffer[OFFSETS]);
    hd_kernels_close(&s.kernels);
    hd_free(&ctx->allocator, store.array[STREAM_TARGETS], store.bytes[STREAM_TARGETS]);
    HD_DELETE(&ctx->allocator, store.packed_at, store.spans + 1);
    d->close(d);
    far_free(&far);
}

/* Edges in host memory are kept for runs that cut them alike. */
static void test_kept_edges(void **unused) {
    static const char *const plans[] = {"stream.partitions=4", "stream.partitions=4,stream.queues=2",
                                        "stream.partitions=6"};
    static const heddle_vertex sources[] = {0};
    hd_cpu_setup setup = {.sources = sources, .source_count = 1};
    (void)unused;
    skip_without_device();
    hd_incore_program program = program_of("bfs");
    for (int i = 0; i < 3; i++) {
        heddle_result *result;
        char plan[128];
        snprintf(plan, sizeof plan, "residency=stream,stream.packed=yes,offsets=64,debug=yes,%s", plans[i]);
        support_assert_status(ctx, hd_result_new(ctx, "bfs", &result), HEDDLE_OK);
        support_assert_status(ctx, execute(ctx, samples[sample_count - 2].graph, &program, &setup, plan, result),
                              HEDDLE_OK);
        assert_true(i == 1 ? result->report.packing == 0 : result->report.packing > 0);
        assert_true(result->report.bits_per_edge > 1 && result->report.bits_per_edge < 32);
        assert_true(result->report.host_bytes > 0 && result->report.edges_on_device > 0);
        heddle_result_destroy(&result);
    }
}

/* Ids that are kept for partitions of one edge each, whose tables take more than the memory, are left alone. */
static void test_kept_cuts(void **unused) {
    enum { EDGES = 2046, SAVED = 6000 };
    static const heddle_vertex sources[] = {0};
    hd_cpu_setup setup = {.sources = sources, .source_count = 1};
    const char *plan = "residency=stream,stream.packed=no,debug=yes";
    int64_t from[EDGES], to[EDGES];
    double expected[EDGES + 1];
    sample tree = {.name = "tree"};
    (void)unused;
    skip_without_device();
    hd_incore_program program = program_of("bfs");
    for (int64_t i = 0; i < EDGES; i++) {
        from[i] = i / 2;
        to[i] = i + 1;
    }
    support_assert_status(ctx,
                          heddle_graph_from_edges(ctx, EDGES + 1, EDGES, from, to, NULL, HEDDLE_WEIGHT_NONE, NULL,
                                                  &tree.graph),
                          HEDDLE_OK);
    expect("bfs", tree.graph, &setup, expected);
    uint64_t all = run_stream(&program, "bfs", &tree, plan, &setup, expected).device_bytes;
    memory_limit = all - SAVED;
    run_stream(&program, "bfs", &tree, plan, &setup, expected);
    support_assert_status(ctx, heddle_graph_prepare(ctx, tree.graph, "graphie,stream.partitions=1048576"), HEDDLE_OK);
    run_stream(&program, "bfs", &tree, plan, &setup, expected);
    memory_limit = UINT64_MAX;
    heddle_graph_destroy(&tree.graph);
}

/* What the switches are for: fewer bytes. */
static void test_savings(void **unused) {
    static const char *const plans[] = {"", ",stream.active=no", ",stream.reuse=no",
                                        ",stream.active=no,stream.reuse=no"};
    static const heddle_vertex sources[] = {0};
    hd_cpu_setup setup = {.sources = sources, .source_count = 1};
    totals sum[4];
    (void)unused;
    skip_without_device();
    hd_incore_program program = program_of("sssp");
    const sample *giant = &samples[sample_count - 2];
    double *expected = calloc(heddle_graph_vertices(giant->graph), sizeof *expected);
    expect("sssp", giant->graph, &setup, expected);
    for (size_t i = 0; i < 4; i++) {
        char plan[128];
        snprintf(plan, sizeof plan, "schedule=coo,stream.packed=no,stream.partitions=12,debug=yes%s", plans[i]);
        sum[i] = run_stream(&program, "sssp", giant, plan, &setup, expected);
    }
    assert_true(sum[0].bytes < sum[2].bytes && sum[2].bytes < sum[3].bytes);
    assert_true(sum[1].bytes < sum[3].bytes && sum[1].sent + sum[1].reused == sum[3].sent);
    assert_int_equal(sum[2].reused, 0);
    free(expected);
}

/* A program that needs all partitions in every round finds those that fit, except for the few that others pass through.
 */
static void test_sweeps(void **unused) {
    double *expected;
    totals all, some;
    (void)unused;
    skip_without_device();
    hd_incore_program program = program_of("pr");
    const sample *giant = &samples[sample_count - 2];
    const char *plan = "schedule=coo,worklist=no,stream.packed=no,stream.queues=3,stream.partitions=9,debug=yes";
    hd_cpu_setup setup = setup_for("pr", giant->graph, NULL, NULL);
    expected = calloc(heddle_graph_vertices(giant->graph), sizeof *expected);
    expect("pr", giant->graph, &setup, expected);
    all = run_stream(&program, "pr", giant, plan, &setup, expected);
    memory_limit = all.device_bytes - heddle_graph_edges(giant->graph) * 3;
    some = run_stream(&program, "pr", giant, plan, &setup, expected);
    memory_limit = UINT64_MAX;
    assert_int_equal(all.needed, some.needed);
    assert_true(2 * some.reused > all.reused && some.reused < all.reused);
    free(expected);
}

/* ---- Refusals --------------------------------------------------------------------------------------------------- */

static void assert_refused(const char *name, const char *plan, heddle_status expected, const char *words) {
    hd_incore_program program = program_of(name);
    double *initial = calloc(4096, sizeof *initial);
    unsigned char *fixed = calloc(4096, 1);
    hd_cpu_setup setup = setup_for(name, samples[0].graph, initial, fixed);
    heddle_result *result;
    support_assert_status(ctx, hd_result_new(ctx, name, &result), HEDDLE_OK);
    support_assert_status(ctx, execute(ctx, samples[0].graph, &program, &setup, plan, result), expected);
    support_assert_message(ctx, words);
    heddle_result_destroy(&result);
    free(initial);
    free(fixed);
}

static void test_refusals(void **unused) {
    (void)unused;
    skip_without_device();
    assert_refused("sssp", "residency=stream,direction=pull", HEDDLE_E_REFUSED, "direction=push");
    assert_refused("sssp", "residency=stream,schedule=shard", HEDDLE_E_REFUSED, "schedule=edge");
    assert_refused("sssp", "residency=stream,schedule=vnode,mapping=array", HEDDLE_E_REFUSED, "mapping=dynamic");
    assert_refused("sssp", "residency=device,schedule=coo", HEDDLE_E_REFUSED, "residency=stream");
    assert_refused("sssp", "schedule=wseg,stream.queues=3", HEDDLE_E_REFUSED, "residency=stream");
    memory_limit = 1000;
    assert_refused("sssp", "schedule=coo", HEDDLE_E_DEVICE_MEMORY, "1000");
    memory_limit = UINT64_MAX;
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

static heddle_status run_once(heddle_context *fresh, void *user) {
    static const heddle_vertex sources[] = {0};
    hd_cpu_setup setup = {.sources = sources, .source_count = 1};
    hd_incore_program program;
    heddle_result *result = NULL;
    const sample *s = user;
    heddle_status status = hd_incore_find(fresh, "bfs", false, &program);
    if (status == HEDDLE_OK)
        status = hd_result_new(fresh, "bfs", &result);
    if (status == HEDDLE_OK)
        status = execute(fresh, s->graph, &program, &setup,
                         "schedule=coo,stream.gather=yes,stream.partitions=5,debug=yes", result);
    heddle_result_destroy(&result);
    return status;
}

static void test_every_allocation_may_fail(void **unused) {
    (void)unused;
    skip_without_device();
    support_try_every_failure(run_once, &samples[sample_count - 1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bfs),
                                       cmocka_unit_test(test_cc),
                                       cmocka_unit_test(test_sssp),
                                       cmocka_unit_test(test_sswp),
                                       cmocka_unit_test(test_pr),
                                       cmocka_unit_test(test_hs),
                                       cmocka_unit_test(test_cs),
                                       cmocka_unit_test(test_nn),
                                       cmocka_unit_test(test_schedules),
                                       cmocka_unit_test(test_switches),
                                       cmocka_unit_test(test_savings),
                                       cmocka_unit_test(test_sweeps),
                                       cmocka_unit_test(test_packed),
                                       cmocka_unit_test(test_gathered),
                                       cmocka_unit_test(test_in_place),
                                       cmocka_unit_test(test_few_rows),
                                       cmocka_unit_test(test_again),
                                       cmocka_unit_test(test_again_options),
                                       cmocka_unit_test(test_again_saves),
                                       cmocka_unit_test(test_again_choice),
                                       cmocka_unit_test(test_drops),
                                       cmocka_unit_test(test_packed_floats),
                                       cmocka_unit_test(test_kept_edges),
                                       cmocka_unit_test(test_kept_cuts),
                                       cmocka_unit_test(test_far_partitions),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_every_allocation_may_fail)};
    setenv("POCL_DEVICES", "pthread", 0);
    setenv("HEDDLE_CACHE", support_temp_path("cache"), 1);
    return cmocka_run_group_tests(tests, make_all, free_samples);
}
