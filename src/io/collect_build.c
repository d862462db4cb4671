/* collect_build.c - builds the graph of a collector.
 *
 * The collector numbers vertices by first appearance. Integer ids must ascend with the vertex: `rank` maps each vertex
 * to its final number. The builder gets the numbers as known ids; the finished graph gets the names.
 */
#include "io/collect.h"

#include "base/memory.h"
#include "base/parallel.h"

enum { LEAST_PART = 1 << 16, MOST_PARTS = 256 };

typedef struct build {
    hd_collector *c;
    heddle_context *ctx;
    bool by_label;
    uint64_t vertices;
    uint64_t parts;
    bool integers;
    bool is_unsigned;
    uint64_t *values; /* of integer names, by vertex as named */
    uint32_t *rank;   /* of these vertices in the graph */
    hd_id_map map;    /* of the values */
} build;

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static hd_word name_of(const build *b, uint64_t v) {
    const hd_names *names = b->by_label ? &b->c->labels : &b->c->names;
    uint64_t raw = names->set.values[b->by_label ? ((const uint32_t *)(const void *)b->c->marks.data)[v] - 2 : v];
    const char *p = names->text.data + (raw >> 16);
    return (hd_word){p, p + (raw & 0xffff)};
}

/* An integer in canonical form, so that printing the number gives the same name. */
static bool integer_name(hd_word name, uint64_t *value, bool *negative) {
    const char *p = name.p;
    *negative = p < name.end && *p == '-';
    p += *negative;
    if (p == name.end || (*p == '0' && (name.end - p > 1 || *negative)) || hd_scan_u64(p, name.end, value) != name.end)
        return false;
    if (*negative) {
        if (*value > UINT64_C(1) << 63)
            return false;
        *value = -*value;
    }
    return true;
}

/* Parses the names as integers; b->integers: all of them are integers that fit one type. */
static heddle_status read_integers(build *b) {
    bool negative_seen = false, large_seen = false;
    if (b->c->options->ids == HEDDLE_IDS_STRING)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(b->ctx, &b->values, b->vertices, "ids"));
    for (uint64_t v = 0; v < b->vertices; v++) {
        hd_word name = name_of(b, v);
        bool negative;
        bool integer = integer_name(name, &b->values[v], &negative);
        if (!integer && b->c->options->ids == HEDDLE_IDS_INTEGER)
            return hd_fail_file(b->ctx, HEDDLE_E_FORMAT, b->c->text.input->name, 0,
                                "the vertex '%.*s' has no integer for a name (use --ids string for labels)",
                                (int)(name.end - name.p < 60 ? name.end - name.p : 60), name.p);
        if (!integer)
            return HEDDLE_OK;
        negative_seen |= negative;
        large_seen |= !negative && b->values[v] > INT64_MAX;
    }
    b->is_unsigned = large_seen;
    b->integers = !(negative_seen && large_seen);
    return HEDDLE_OK;
}

/* The final number of each vertex, by ascending value. */
static heddle_status rank_integers(build *b) {
    hd_id_set set = {.text = NULL};
    HD_TRY(HD_NEW(b->ctx, &b->rank, b->vertices, "ranks of ids"));
    heddle_status status = hd_id_set_add(b->ctx, &set, b->values, b->vertices)
                               ? HEDDLE_OK
                               : hd_fail_memory(b->ctx, b->vertices * 8, "ids");
    b->map = (hd_id_map){.kind = HD_MAP_HASH};
    if (status == HEDDLE_OK)
        status = hd_id_map_from_sets(b->ctx, &b->map, &set, 1, b->is_unsigned);
    hd_id_set_free(b->ctx, &set);
    HD_TRY(status);
    hd_id_map_apply(&b->map, b->values, b->rank, b->vertices);
    return HEDDLE_OK;
}

/* Labels are used as names if every vertex has one and no two are equal. */
static void choose_names(build *b) {
    hd_collector *c = b->c;
    bool wanted = c->options->ids != HEDDLE_IDS_INTEGER;
    b->by_label = wanted && c->labelled == b->vertices && c->labels.set.count == b->vertices;
    if (wanted && c->labelled && !b->by_label)
        hd_note(b->ctx, "%s: not every vertex has a label of its own: vertices go by their numbers",
                c->text.input->name);
    if (b->by_label && c->labels_from)
        hd_note(b->ctx, "%s: vertices go by their %s, not by their ids", c->text.input->name, c->labels_from);
}

/* ---- The source ------------------------------------------------------------------------------------------------- */

static void begin(void *self, hd_cursor *cursor) {
    const build *b = self;
    cursor->position = hd_split(b->c->edges, b->parts, cursor->part);
    cursor->end = hd_split(b->c->edges, b->parts, cursor->part + 1);
    cursor->seen_real = b->c->text.part[0].real_weight;
}

static void next(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    const build *b = self;
    const uint32_t *ends = (const uint32_t *)(const void *)b->c->ends.data;
    const hd_collected_weight *weights = (const hd_collected_weight *)(const void *)b->c->weights.data;
    uint64_t e = cursor->position, left = cursor->end - e;
    size_t count = left < HD_BATCH ? (size_t)left : HD_BATCH;
    for (size_t i = 0; i < count; i++, e++) {
        batch->source[i] = b->rank ? b->rank[ends[2 * e]] : ends[2 * e];
        batch->target[i] = b->rank ? b->rank[ends[2 * e + 1]] : ends[2 * e + 1];
        if (weights) {
            batch->weight[i] = weights[e].weight;
            batch->whole[i] = weights[e].whole;
        }
    }
    cursor->position = e;
    batch->count = count;
}

/* ---- The finished graph's ids ----------------------------------------------------------------------------------- */

/* Isolated vertices may have been dropped: the graph's ids, still the collector's numbers, say which ones remain. */
static heddle_status give_integers(build *b, heddle_graph *graph) {
    uint64_t n = graph->vertices;
    int64_t *values;
    HD_TRY(HD_NEW(b->ctx, &values, n, "ids"));
    for (uint64_t v = 0; v < n; v++)
        values[v] = (int64_t)b->map.values[heddle_graph_id(graph, (heddle_vertex)v)];
    hd_ids_free(&graph->allocator, &graph->ids, n);
    graph->ids = (hd_ids){.type = b->is_unsigned ? HEDDLE_ID_U64 : HEDDLE_ID_I64, .values = values, .owned = true};
    if (n && (uint64_t)values[n - 1] - (uint64_t)values[0] == n - 1) {
        graph->ids.base = values[0];
        HD_DELETE(&graph->allocator, graph->ids.values, n);
    }
    return HEDDLE_OK;
}

static heddle_status give_labels(build *b, heddle_graph *graph) {
    uint64_t n = graph->vertices, bytes = 0, *starts;
    char *text;
    HD_TRY(HD_NEW(b->ctx, &starts, n + 1, "label offsets"));
    for (uint64_t v = 0; v < n; v++) {
        starts[v] = bytes;
        hd_word name = name_of(b, (uint64_t)heddle_graph_id(graph, (heddle_vertex)v));
        bytes += (uint64_t)(name.end - name.p);
    }
    starts[n] = bytes;
    heddle_status status = HD_NEW(b->ctx, &text, bytes, "labels");
    if (status != HEDDLE_OK) {
        HD_DELETE(&b->ctx->allocator, starts, n + 1);
        return status;
    }
    for (uint64_t v = 0; v < n; v++) {
        hd_word name = name_of(b, (uint64_t)heddle_graph_id(graph, (heddle_vertex)v));
        if (name.p < name.end)
            memcpy(text + starts[v], name.p, (size_t)(name.end - name.p));
    }
    hd_ids_free(&graph->allocator, &graph->ids, n);
    graph->ids = (hd_ids){.type = HEDDLE_ID_STRING, .text = text, .starts = starts, .owned = true};
    return HEDDLE_OK;
}

/* ---- Building --------------------------------------------------------------------------------------------------- */

static void note_gaps(const hd_collector *c, uint64_t vertices) {
    const char *name = c->text.input->name;
    if (c->weighted && c->without)
        hd_note(c->ctx, "%s: %llu of the edges have no weight: they count 1", name, (unsigned long long)c->without);
    if (c->declared && c->declared < vertices)
        hd_note(c->ctx, "%s: %llu vertices are named by edges only, and declared nowhere", name,
                (unsigned long long)(vertices - c->declared));
    if (c->directed && c->undirected)
        hd_note(c->ctx, "%s: directed and undirected edges: the graph is directed, undirected edges are two arcs",
                name);
}

static heddle_status run(build *b, heddle_graph **graph) {
    hd_collector *c = b->c;
    HD_TRY(read_integers(b));
    if (b->integers)
        HD_TRY(rank_integers(b));
    if (c->weighted)
        HD_TRY(hd_text_check_weights(b->ctx, &c->text));
    note_gaps(c, b->vertices);
    bool undirected = c->undirected && !c->directed;
    HD_TRY(hd_bytes_settle(b->ctx, &c->ends));
    HD_TRY(hd_bytes_settle(b->ctx, &c->weights));
    hd_edge_source source = {
        .self = b,
        .parts = b->parts,
        .phase = "build",
        .work = c->edges,
        .ids = HD_IDS_KNOWN,
        .vertices = b->vertices,
        .weighted = c->weighted,
        .undirected = undirected,
        .mirror = undirected,
        .begin = begin,
        .next = next,
    };
    if (c->ends.settled) {
        const size_t ends = 2 * sizeof(uint32_t), weight = sizeof(hd_collected_weight);
        source.behind[0] = (struct hd_behind){c->ends.data, c->ends.bytes, ends};
        source.behind[1] = (struct hd_behind){c->weights.data, c->weights.bytes, weight};
    }
    HD_TRY(hd_graph_build(b->ctx, &source, &c->options->build, graph));
    heddle_status status = b->integers ? give_integers(b, *graph) : give_labels(b, *graph);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(graph);
    return status;
}

heddle_status hd_collector_build(hd_collector *c, heddle_graph **graph) {
    build b = {.c = c, .ctx = c->ctx, .vertices = c->names.set.count, .parts = c->edges / LEAST_PART + 1};
    b.parts = b.parts > MOST_PARTS ? MOST_PARTS : b.parts;
    hd_collector_end_reading(c);
    choose_names(&b);
    heddle_status status = run(&b, graph);
    HD_DELETE(&c->ctx->allocator, b.values, b.vertices);
    HD_DELETE(&c->ctx->allocator, b.rank, b.vertices);
    hd_id_map_free(c->ctx, &b.map);
    return status;
}
