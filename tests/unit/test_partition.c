/* test_partition.c - cutting rows into spans: each row and edge is in exactly one, no span is above its limit, and rows
 * that are larger than a span get spans of their own. */
#include "context_case.h"

#include "residency/virtual_ids.h"

#include <stdlib.h>

static uint64_t bytes_of(const hd_span *span, const hd_span_cost *cost) {
    return hd_span_edges(span) * cost->edge_bytes + (span->end_row - span->first_row) * cost->row_bytes;
}

/* Checks what span.h promises. */
static void assert_partition(const hd_partition *p, const uint64_t *offsets, uint64_t rows, const hd_span_cost *cost) {
    uint64_t row = 0, edge = 0, group = 0, most_rows = 0, most_edges = 0;
    for (uint64_t i = 0; i < p->count; i++) {
        const hd_span *s = &p->spans[i];
        bool goes_on = i > 0 && s->group == p->spans[i - 1].group;
        bool inside = s->first_edge > offsets[s->first_row] || s->end_edge < offsets[s->end_row];
        assert_true(s->first_row < s->end_row && s->end_row <= rows);
        assert_true(bytes_of(s, cost) <= cost->limit);
        assert_int_equal(s->first_edge, edge);
        assert_int_equal(s->first_row, goes_on ? row - 1 : row);
        assert_int_equal(s->group, goes_on ? group - 1 : group);
        if (inside || goes_on)
            assert_int_equal(s->end_row, s->first_row + 1);
        else
            assert_int_equal(s->end_edge, offsets[s->end_row]);
        if (!goes_on)
            assert_int_equal(hd_partition_find(p, s->end_row - 1), i);
        row = s->end_row;
        edge = s->end_edge;
        group = s->group + 1;
        most_rows = s->end_row - s->first_row > most_rows ? s->end_row - s->first_row : most_rows;
        most_edges = hd_span_edges(s) > most_edges ? hd_span_edges(s) : most_edges;
    }
    assert_int_equal(row, rows);
    assert_int_equal(edge, offsets[rows]);
    assert_int_equal(p->groups, group);
    assert_int_equal(p->most_rows, most_rows);
    assert_int_equal(p->most_edges, most_edges);
}

static void cut(const uint64_t *offsets, uint64_t rows, hd_span_cost cost, hd_partition *p) {
    support_assert_status(ctx, hd_partition_rows(ctx, offsets, rows, &cost, p), HEDDLE_OK);
    assert_partition(p, offsets, rows, &cost);
}

/* Degrees in turn: degree(v) edges for vertex v. */
static uint64_t *offsets_of(uint64_t rows, uint64_t (*degree)(uint64_t v)) {
    uint64_t *offsets = malloc((rows + 1) * sizeof *offsets);
    offsets[0] = 0;
    for (uint64_t v = 0; v < rows; v++)
        offsets[v + 1] = offsets[v] + degree(v);
    return offsets;
}

static uint64_t uneven(uint64_t v) { return v * 2654435761u % 17; }
static uint64_t none(uint64_t v) { return v & 0; }
static uint64_t last_two(uint64_t v) { return v < 4095 ? 0 : 100; }
static uint64_t giant(uint64_t v) { return v == 500 ? 100000 : 3; }
static uint64_t all_giants(uint64_t v) { return 1000 + v; }

static void test_sizes(void **state) {
    static const uint64_t sizes[] = {1, 63, 64, 65, 4097}, limits[] = {12, 100, 1000, 1 << 20};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
            for (uint64_t row_bytes = 0; row_bytes <= 8; row_bytes += 8) {
                uint64_t *offsets = offsets_of(sizes[i], uneven);
                hd_partition p;
                cut(offsets, sizes[i], (hd_span_cost){4, row_bytes, limits[k]}, &p);
                if (limits[k] == 1 << 20)
                    assert_int_equal(p.count, 1);
                hd_partition_free(ctx, &p);
                free(offsets);
            }
}

/* As many as asked for, and none much smaller than the others. */
static void test_about_equal(void **state) {
    uint64_t *offsets = offsets_of(4097, uneven);
    hd_partition p;
    (void)state;
    cut(offsets, 4097, (hd_span_cost){4, 0, offsets[4097] * 4 / 10 + 64}, &p);
    assert_int_equal(p.count, 10);
    for (uint64_t i = 0; i < p.count; i++)
        assert_in_range(hd_span_edges(&p.spans[i]), offsets[4097] / 10 - 200, offsets[4097] / 10 + 20);
    hd_partition_free(ctx, &p);
    free(offsets);
}

static void test_giant(void **state) {
    uint64_t *offsets = offsets_of(1000, giant);
    hd_partition p;
    (void)state;
    cut(offsets, 1000, (hd_span_cost){4, 0, 4000}, &p);
    uint64_t first = hd_partition_find(&p, 500), pieces = 0;
    for (uint64_t i = first; i < p.count && p.spans[i].first_row == 500; i++, pieces++)
        assert_int_equal(p.spans[i].group, p.spans[first].group);
    assert_int_equal(pieces, 100);
    assert_int_equal(p.groups, p.count - pieces + 1);
    assert_int_equal(hd_partition_find(&p, 499), first - 1);
    assert_int_equal(hd_partition_find(&p, 501), first + pieces);
    hd_partition_free(ctx, &p);
    free(offsets);
    offsets = offsets_of(65, all_giants);
    cut(offsets, 65, (hd_span_cost){4, 0, 4}, &p); /* an edge each */
    assert_int_equal(p.count, offsets[65]);
    assert_int_equal(p.groups, 65);
    hd_partition_free(ctx, &p);
    free(offsets);
}

static void test_without_edges(void **state) {
    uint64_t *offsets = offsets_of(4097, none), nothing = 0;
    hd_partition p;
    (void)state;
    cut(offsets, 4097, (hd_span_cost){4, 0, 100}, &p);
    assert_int_equal(p.count, 1);
    hd_partition_free(ctx, &p);
    cut(offsets, 4097, (hd_span_cost){4, 8, 800}, &p);
    assert_int_equal(p.count, 41);
    hd_partition_free(ctx, &p);
    free(offsets);
    cut(&nothing, 0, (hd_span_cost){4, 8, 100}, &p);
    assert_int_equal(p.count, 0);
    hd_partition_free(ctx, &p);
    offsets = offsets_of(4097, last_two);
    cut(offsets, 4097, (hd_span_cost){4, 0, 400}, &p);
    assert_int_equal(p.count, 2);
    hd_partition_free(ctx, &p);
    free(offsets);
}

static void test_refused(void **state) {
    uint64_t offsets[] = {0, 1};
    hd_span_cost cost = {12, 8, 19};
    hd_partition p;
    (void)state;
    support_assert_status(ctx, hd_partition_rows(ctx, offsets, 1, &cost, &p), HEDDLE_E_LIMIT);
    support_assert_message(ctx, "19 bytes");
    assert_null(p.spans);
}

static heddle_status cut_once(heddle_context *fresh, void *user) {
    hd_span_cost cost = {4, 0, 40};
    hd_partition p;
    heddle_status status = hd_partition_rows(fresh, user, 4097, &cost, &p);
    hd_partition_free(fresh, &p);
    return status;
}

static void test_memory(void **state) {
    uint64_t *offsets = offsets_of(4097, uneven);
    (void)state;
    support_try_every_failure(cut_once, offsets);
    free(offsets);
}

/* Virtual ids: the group is the id divided by the range, and no other id is taken for the vertex's. */
static void test_virtual_ids(void **state) {
    enum { ROWS = 300, VERTICES = 310 };
    uint64_t *offsets = offsets_of(ROWS, uneven), group = UINT64_MAX;
    uint32_t shifts[ROWS + 1];
    hd_partition p;
    bool fit;
    (void)state;
    cut(offsets, ROWS, (hd_span_cost){.edge_bytes = 1, .limit = 100}, &p);
    hd_virtual_ids ids = {ROWS, p.groups, hd_virtual_range(&p, ROWS, VERTICES, &fit), shifts};
    assert_true(fit && p.groups > 20);
    hd_virtual_shifts(&p, ROWS, ids.range, shifts);
    for (uint32_t i = 0; i < VERTICES; i++) {
        uint32_t v = i * 7 % VERTICES, id = v + hd_virtual_shift(&ids, v, &group);
        uint64_t own = v < ROWS ? p.spans[hd_partition_find(&p, v)].group : p.groups;
        assert_int_equal(v < ROWS ? id / ids.range : p.groups, own);
        assert_true(v < ROWS || id >= p.groups * ids.range);
        for (uint32_t other = 0; other < (p.groups + 1) * ids.range; other++)
            assert_true(hd_virtual_is(&ids, other, v) == (other == id));
    }
    hd_virtual_range(&p, ROWS, UINT64_C(1) << 32, &fit);
    assert_false(fit);
    hd_partition_free(ctx, &p);
    free(offsets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_virtual_ids), cmocka_unit_test(test_sizes),         cmocka_unit_test(test_about_equal),
        cmocka_unit_test(test_giant),       cmocka_unit_test(test_without_edges), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
