/* test_slice.c - slices: ranges, local numbers, boundaries, on graphs that hurt. */
#include "support.h"

#include "base/memory.h"
#include "exchange/slice.h"

#include <stdlib.h>

enum { MOST = 6 };

typedef struct sample {
    const heddle_graph *graph;
    uint64_t firsts[MOST + 1];
    bool both;
    hd_slice slices[MOST];
    heddle_adjacency in, out;
} sample;

static hd_slice_rows rows_at(const heddle_adjacency *a, uint64_t first) {
    return (hd_slice_rows){a->offsets ? a->offsets + first : NULL, a->targets, a->weights};
}

static heddle_status make(hd_link *link, void *user) {
    sample *s = user;
    hd_slice *slice = &s->slices[link->rank];
    hd_slice_rows in = rows_at(&s->in, s->firsts[link->rank]), out = rows_at(&s->out, s->firsts[link->rank]);
    HD_TRY(hd_slice_make(link->ctx, s->firsts, link->rank, link->size, &in, s->both ? &out : NULL,
                         s->in.weights ? 4 : 0, slice));
    return hd_slice_join(link, slice);
}

/* An edge's source as the slice names it is the graph's, in the same order, with the same weight. */
static void check_rows(const sample *s, const hd_slice *p) {
    const uint32_t *weights = p->weights, *in = s->in.weights;
    for (uint64_t v = 0; v < p->own; v++) {
        uint64_t from = s->in.offsets[p->first + v], count = s->in.offsets[p->first + v + 1] - from;
        uint64_t more = s->both ? s->out.offsets[p->first + v + 1] - s->out.offsets[p->first + v] : 0;
        assert_int_equal(p->offsets[v + 1] - p->offsets[v], count + more);
        for (uint64_t k = 0; k < count; k++) {
            assert_int_equal(p->names[p->targets[p->offsets[v] + k]], s->in.targets[from + k]);
            if (in)
                assert_int_equal(weights[p->offsets[v] + k], in[from + k]);
        }
        for (uint64_t k = 0; k < more; k++) {
            uint64_t place = s->out.offsets[p->first + v] + k;
            assert_int_equal(p->names[p->targets[p->offsets[v] + count + k]], s->out.targets[place]);
            if (in)
                assert_int_equal(weights[p->offsets[v] + count + k], ((const uint32_t *)s->out.weights)[place]);
        }
    }
}

/* What one reads of another is what the other has as its boundary; every remote vertex is read by an edge. */
static void check_boundaries(const sample *s, uint32_t parts) {
    for (uint32_t p = 0; p < parts; p++) {
        const hd_slice *a = &s->slices[p];
        unsigned char *read = calloc(a->own + a->remote + 1, 1);
        for (uint64_t e = 0; e < a->edges; e++)
            read[a->targets[e]] = 1;
        for (uint64_t v = a->own; v < a->own + a->remote; v++)
            assert_true(read[v] && (v == a->own || a->names[v] > a->names[v - 1]));
        free(read);
        assert_int_equal(hd_slice_reads(a, p), 0);
        for (uint32_t q = 0; q < parts; q++) {
            const hd_slice *b = &s->slices[q];
            assert_int_equal(hd_slice_reads(a, q), hd_slice_read_by(b, p));
            for (uint64_t i = 0; i < hd_slice_reads(a, q); i++)
                assert_int_equal(a->names[a->own + a->remote_start[q] + i],
                                 b->first + b->boundary[b->boundary_start[p] + i]);
        }
    }
}

static heddle_graph *from_kind(heddle_context *ctx, const char *kind, uint64_t n) {
    heddle_generate_options options;
    heddle_graph *graph;
    heddle_generate_options_init(&options);
    options.kind = kind;
    options.scale = 8;
    options.vertices = n;
    options.weighted = 1;
    support_assert_status(ctx, heddle_graph_generate(ctx, &options, &graph), HEDDLE_OK);
    return graph;
}

static void check(heddle_context *ctx, heddle_graph *graph) {
    for (uint32_t parts = 1; parts <= MOST; parts++)
        for (int both = 0; both < 2; both++) {
            sample s = {.graph = graph, .both = both};
            support_assert_status(ctx, heddle_graph_in(ctx, graph, &s.in), HEDDLE_OK);
            support_assert_status(ctx, heddle_graph_out(ctx, graph, &s.out), HEDDLE_OK);
            uint64_t n = heddle_graph_vertices(graph), edges = 0;
            hd_slice_cut(s.in.offsets, both ? s.out.offsets : NULL, n, parts, NULL, s.firsts);
            support_assert_status(ctx, hd_link_local(ctx, parts, make, &s), HEDDLE_OK);
            assert_true(s.firsts[0] == 0 && s.firsts[parts] == n);
            for (uint32_t p = 0; p < parts; p++) {
                check_rows(&s, &s.slices[p]);
                edges += s.slices[p].edges;
            }
            assert_int_equal(edges, s.in.offsets[n] * (both ? 2 : 1));
            check_boundaries(&s, parts);
            for (uint32_t p = 0; p < parts; p++)
                hd_slice_free(ctx, &s.slices[p]);
        }
    heddle_graph_destroy(&graph);
}

static void slices_are_the_graph(void **state) {
    heddle_context *ctx = support_context(2);
    (void)state;
    check(ctx, from_kind(ctx, "rmat", 0));
    check(ctx, from_kind(ctx, "star", 70));
    check(ctx, from_kind(ctx, "path", 64));
    check(ctx, from_kind(ctx, "path", 1));
    check(ctx, from_kind(ctx, "path", 3)); /* fewer vertices than parts */
    check(ctx, from_kind(ctx, "clique", 9));
    heddle_context_destroy(&ctx);
}

/* About equal, or in proportion to speeds. */
static void ranges_are_even(void **state) {
    uint64_t offsets[1001], firsts[5];
    double speeds[] = {1, 3};
    (void)state;
    for (uint64_t v = 0; v <= 1000; v++)
        offsets[v] = 7 * v + 100; /* of any base */
    hd_slice_cut(offsets, NULL, 1000, 4, NULL, firsts);
    for (uint64_t p = 0; p <= 4; p++)
        assert_int_equal(firsts[p], p * 250);
    hd_slice_cut(offsets, offsets, 1000, 2, speeds, firsts);
    assert_int_equal(firsts[1], 250);
    hd_slice_cut(offsets, NULL, 0, 4, NULL, firsts);
    for (uint64_t p = 0; p <= 4; p++)
        assert_int_equal(firsts[p], 0);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    sample s = *(sample *)user;
    heddle_status status = hd_link_local(ctx, 3, make, &s);
    for (int p = 0; p < 3; p++)
        hd_slice_free(ctx, &s.slices[p]);
    return status;
}

static void every_allocation_may_fail(void **state) {
    heddle_context *ctx = support_context(1);
    heddle_graph *graph = from_kind(ctx, "rmat", 0);
    sample s = {.graph = graph, .both = true};
    (void)state;
    support_assert_status(ctx, heddle_graph_in(ctx, graph, &s.in), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, graph, &s.out), HEDDLE_OK);
    hd_slice_cut(s.in.offsets, s.out.offsets, heddle_graph_vertices(graph), 3, NULL, s.firsts);
    support_try_every_failure(attempt, &s);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_the_graph),
        cmocka_unit_test(ranges_are_even),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
