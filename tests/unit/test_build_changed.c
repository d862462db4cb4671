/* test_build_changed.c - edges that change between two passes of a build, as in a file that is written to while it is
 * read: the build fails, or gives a sound graph, and never writes outside its arrays. */
#include "graph/build.h"
#include "support.h"

#include <stdio.h>

enum { PARTS = 3, PART_EDGES = 12000, VERTICES = PARTS * PART_EDGES, LABEL = 8, HOW_MANY_LABELS = VERTICES + 1 };

typedef enum shape { IDENTITY, RANK, KNOWN, HASH, TEXT, SHAPES } shape;
typedef enum change {
    NOTHING,
    ONE_MORE,
    ONE_LESS,
    OTHER_ROW, /* of another bucket */
    UNKNOWN_SOURCE,
    UNKNOWN_TARGET,
    FAR_SOURCE,
    FAR_TARGET,
    EVERYTHING,
    REWRITTEN, /* the text that labels are in */
    CHANGES
} change;
typedef enum manner { PLAIN, MIRRORED, SYMMETRIZED, MANNERS } manner;

typedef struct source {
    shape shape;
    change change;
    int since;         /* the pass with which the change begins, from 1 on */
    int passes[PARTS]; /* begun so far */
    char text[HOW_MANY_LABELS * LABEL + 1];
} source;

static source given;

static bool is_changed(const source *s, uint64_t part) { return s->passes[part] >= s->since; }

static uint64_t raw_id(const source *s, uint64_t vertex) {
    switch (s->shape) {
    case RANK: return 3 * vertex + 1;
    case KNOWN: return vertex + 1;
    case HASH: return vertex * UINT64_C(1000000000000) + 5;
    case TEXT: return vertex * LABEL << 16 | LABEL;
    default: return vertex;
    }
}

/* An id that does not occur otherwise, beside the others or far from them. */
static uint64_t other_id(const source *s, bool far) {
    if (s->shape == TEXT)
        return raw_id(s, VERTICES);
    return far ? UINT64_MAX - 63 : s->shape == RANK ? 3 * 100 + 2 : raw_id(s, VERTICES);
}

/* Edges come in pairs, there and back, so that symmetrising drops half of the arcs and takes two rounds. */
static void fill(const source *s, uint64_t part, uint64_t k, uint64_t *from, uint64_t *to) {
    uint64_t pair = (part * PART_EDGES + k) / 2, first = 2 * pair, second = 2 * (pair * 7919 % (VERTICES / 2)) + 1;
    change change = is_changed(s, part) ? s->change : NOTHING;
    if (k >= PART_EDGES) /* in the last bucket, which is placed in the last pass */
        first = VERTICES - 2;
    if (change == EVERYTHING)
        first = (k * 31 + 7) % VERTICES, second = (k * k + 3) % VERTICES;
    *from = raw_id(s, k % 2 ? second : first);
    *to = raw_id(s, k % 2 ? first : second);
    if (k != 0 || part != 0)
        return;
    if (change == OTHER_ROW)
        *from = raw_id(s, VERTICES - 2);
    if (change == UNKNOWN_SOURCE || change == FAR_SOURCE)
        *from = other_id(s, change == FAR_SOURCE);
    if (change == UNKNOWN_TARGET || change == FAR_TARGET)
        *to = other_id(s, change == FAR_TARGET);
}

static void begin(void *self, hd_cursor *cursor) {
    source *s = self;
    s->passes[cursor->part]++;
    bool changed = is_changed(s, cursor->part);
    cursor->end = PART_EDGES + (changed && s->change == ONE_MORE) - (changed && s->change == ONE_LESS);
    if (changed && s->change == REWRITTEN && s->passes[cursor->part] == s->since) {
        char *mine = s->text + cursor->part * PART_EDGES * LABEL;
        for (uint64_t i = 0; i < PART_EDGES; i++)
            mine[i * LABEL] = 'x';
    }
}

static void next(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    for (; batch->count < HD_BATCH && cursor->position < cursor->end; cursor->position++) {
        fill(self, cursor->part, cursor->position, &batch->source[batch->count], &batch->target[batch->count]);
        batch->weight[batch->count++] = 1.5;
    }
}

static heddle_status build(heddle_context *ctx, shape shape, manner manner, change change, int since,
                           heddle_graph **graph) {
    static const hd_id_mode modes[SHAPES] = {HD_IDS_DISCOVER, HD_IDS_DISCOVER, HD_IDS_KNOWN, HD_IDS_DISCOVER,
                                             HD_IDS_TEXT};
    given = (source){.shape = shape, .change = change, .since = since};
    for (int v = 0; shape == TEXT && v < HOW_MANY_LABELS; v++)
        snprintf(given.text + v * LABEL, LABEL + 1, "v%07d", v);
    hd_edge_source edges = {.self = &given,
                            .parts = PARTS,
                            .phase = "read",
                            .work = VERTICES,
                            .ids = modes[shape],
                            .vertices = shape == KNOWN ? VERTICES : 0,
                            .base = shape == KNOWN,
                            .id_hint = 4 * VERTICES,
                            .text = shape == TEXT ? given.text : NULL,
                            .weighted = manner == MIRRORED,
                            .undirected = manner == MIRRORED,
                            .mirror = manner == MIRRORED,
                            .begin = begin,
                            .next = next};
    heddle_build_options options;
    heddle_build_options_init(&options);
    options.symmetrize = manner == SYMMETRIZED;
    return hd_graph_build(ctx, &edges, &options, graph);
}

static void check_sound(const heddle_graph *graph) {
    const uint64_t *offsets = graph->out.offsets;
    assert_int_equal(offsets[0], 0);
    assert_int_equal(offsets[graph->vertices], graph->edges);
    for (uint64_t v = 0; v < graph->vertices; v++)
        assert_true(offsets[v] <= offsets[v + 1]);
    for (uint64_t i = 0; i < graph->edges; i++)
        assert_true(graph->out.targets[i] < graph->vertices);
}

/* Begins the change with the second pass, the third, …; with the last one every change is an error. */
static void try_passes(heddle_context *ctx, shape shape, manner manner, change change, int passes) {
    for (int since = 2; since <= passes; since++) {
        heddle_graph *graph;
        heddle_status status = build(ctx, shape, manner, change, since, &graph);
        if (since == passes || status != HEDDLE_OK) {
            support_assert_status(ctx, status, HEDDLE_E_READ);
            support_assert_message(ctx, "changed while");
            assert_null(graph);
        } else {
            check_sound(graph);
            heddle_graph_destroy(&graph);
        }
    }
}

static void a_change_is_an_error(void **state) {
    heddle_context *ctx = support_context(2);
    (void)state;
    for (shape shape = 0; shape < SHAPES; shape++)
        for (manner manner = 0; manner < MANNERS; manner++) {
            heddle_graph *graph;
            support_assert_status(ctx, build(ctx, shape, manner, NOTHING, 1, &graph), HEDDLE_OK);
            check_sound(graph);
            assert_int_equal(graph->vertices, VERTICES);
            heddle_graph_destroy(&graph);
            int passes = given.passes[0];
            assert_true(passes >= (manner == SYMMETRIZED ? 3 : 2));
            for (change change = ONE_MORE; change < CHANGES; change++)
                if (change != REWRITTEN || shape == TEXT)
                    try_passes(ctx, shape, manner, change, passes);
        }
    heddle_context_destroy(&ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_change_is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
