/* collect.c - see collect.h: stores names, labels and edges. collect_build.c builds the graph. */
#include "io/collect.h"

#include "base/memory.h"
#include "base/spill.h"

enum { REPORT_BYTES = 1 << 18 }; /* between two checks of the clock and the cancel flag */

heddle_status hd_collector_open(heddle_context *ctx, const hd_input *input, const heddle_load_options *options,
                                hd_collector *c) {
    *c = (hd_collector){.ctx = ctx, .options = options};
    if (input->bytes >> 48)
        return hd_fail_file(ctx, HEDDLE_E_LIMIT, input->name, 0, "larger than 2^48 bytes");
    hd_text_open(&c->text, input);
    HD_TRY(HD_NEW_ZERO(ctx, &c->text.part, 2, "parts of the text"));
    c->text.parts = 1;
    c->text.part[1].start = input->bytes;
    hd_text_begin(&c->text, &c->cursor);
    hd_phase_begin(ctx, "read", input->bytes);
    c->reading = true;
    HD_TRY(hd_bytes_spool(ctx, &c->ends));
    return hd_bytes_spool(ctx, &c->weights);
}

void hd_collector_end_reading(hd_collector *c) {
    if (c->reading)
        hd_phase_end(c->ctx);
    c->reading = false;
}

static void free_names(heddle_context *ctx, hd_names *names) {
    hd_bytes_free(ctx, &names->text);
    hd_id_set_free(ctx, &names->set);
}

void hd_collector_close(hd_collector *c) {
    hd_collector_end_reading(c);
    free_names(c->ctx, &c->names);
    free_names(c->ctx, &c->labels);
    hd_bytes_free(c->ctx, &c->marks);
    hd_bytes_free(c->ctx, &c->ends);
    hd_bytes_free(c->ctx, &c->weights);
    hd_text_close(c->ctx, &c->text);
}

heddle_status hd_collector_refuse(hd_collector *c, hd_word word, const char *expected) {
    return hd_text_refuse(c->ctx, &c->text, word.p, word.end, "%s", expected);
}

heddle_status hd_collector_reach(hd_collector *c, uint64_t at) {
    if (at - c->reached < REPORT_BYTES)
        return HEDDLE_OK;
    bool stop = hd_advance(c->ctx, at - c->reached);
    if (c->ctx->limit && c->text.input->mapped)
        hd_pages_release(c->text.data + c->reached, at - c->reached);
    c->reached = at;
    return stop ? hd_cancelled_status(c->ctx) : HEDDLE_OK;
}

/* ---- Vertices --------------------------------------------------------------------------------------------------- */

/* The number of a name; *fresh: it is a new one. */
static heddle_status intern(heddle_context *ctx, hd_names *names, hd_word name, uint32_t *number, bool *fresh) {
    uint64_t length = (uint64_t)(name.end - name.p), at = names->text.bytes, before = names->set.count;
    HD_TRY(hd_bytes_reserve(ctx, &names->text, length + 1)); /* not NULL even if the first name is empty */
    if (length)
        memcpy(names->text.data + at, name.p, (size_t)length);
    names->set.text = names->text.data;
    if (!hd_id_set_place(ctx, &names->set, at << 16 | length, number))
        return before >= UINT32_MAX - 1 ? hd_fail(ctx, HEDDLE_E_LIMIT, "more than 2^32 - 2 vertices")
                                        : hd_fail_memory(ctx, names->set.capacity * 8, "names of vertices");
    *fresh = names->set.count > before;
    if (*fresh)
        names->text.bytes += length;
    return HEDDLE_OK;
}

static heddle_status refuse_at(hd_collector *c, hd_word name, uint64_t at, const char *expected) {
    uint64_t length = (uint64_t)(name.end - name.p);
    return hd_input_fail(c->ctx, c->text.input, at, length < 64 ? length : 64, expected);
}

heddle_status hd_collector_name(hd_collector *c, hd_word name, uint64_t at, uint32_t *vertex) {
    const uint32_t none = 0;
    bool fresh = false;
    if (name.end - name.p > HD_MOST_NAME)
        return refuse_at(c, name, at, "a name of at most 65535 bytes");
    HD_TRY(intern(c->ctx, &c->names, name, vertex, &fresh));
    return fresh ? hd_bytes_push(c->ctx, &c->marks, &none, sizeof none) : HEDDLE_OK;
}

heddle_status hd_collector_declare(hd_collector *c, hd_word name, uint64_t at, uint32_t *vertex) {
    HD_TRY(hd_collector_name(c, name, at, vertex));
    uint32_t *mark = (uint32_t *)(void *)c->marks.data + *vertex;
    if (*mark)
        return refuse_at(c, name, at, "a vertex that was not declared before");
    *mark = 1;
    c->declared++;
    return HEDDLE_OK;
}

heddle_status hd_collector_label(hd_collector *c, uint32_t vertex, hd_word label, uint64_t at) {
    uint32_t number = 0;
    bool fresh = false;
    if (label.end - label.p > HD_MOST_NAME)
        return refuse_at(c, label, at, "a label of at most 65535 bytes");
    uint32_t *mark = (uint32_t *)(void *)c->marks.data + vertex;
    if (*mark > 1) /* a label that is replaced would still count as one of those that must differ */
        return refuse_at(c, label, at, "one label for each vertex");
    HD_TRY(intern(c->ctx, &c->labels, label, &number, &fresh));
    c->labelled++;
    *mark = number < UINT32_MAX - 2 ? number + 2 : 1;
    return HEDDLE_OK;
}

/* ---- Edges ------------------------------------------------------------------------------------------------------ */

static heddle_status push_edge(hd_collector *c, uint32_t source, uint32_t target, hd_collected_weight weight) {
    uint32_t ends[2] = {source, target};
    HD_TRY(hd_bytes_push(c->ctx, &c->ends, ends, sizeof ends));
    if (c->weighted)
        HD_TRY(hd_bytes_push(c->ctx, &c->weights, &weight, sizeof weight));
    c->edges++;
    return HEDDLE_OK;
}

void hd_collector_set_directed(hd_collector *c, bool directed) {
    c->directed = directed ? 1 : 0;
    c->undirected = !directed;
}

/* The first directed edge after undirected ones: those become two arcs each, as all that follow will. */
static heddle_status make_arcs(hd_collector *c) {
    for (uint64_t e = 0, edges = c->edges; e < edges; e++) {
        uint32_t ends[2];
        hd_collected_weight weight = {.weight = 1};
        HD_TRY(hd_bytes_get(c->ctx, &c->ends, e * sizeof ends, ends, sizeof ends));
        if (c->weighted)
            HD_TRY(hd_bytes_get(c->ctx, &c->weights, e * sizeof weight, &weight, sizeof weight));
        if (ends[0] != ends[1])
            HD_TRY(push_edge(c, ends[1], ends[0], weight));
    }
    return HEDDLE_OK;
}

/* Reads a weight. With the first one the edges before it get the weight 1. */
static heddle_status read_weight(hd_collector *c, hd_word word, hd_collected_weight *weight) {
    const hd_collected_weight one = {.weight = 1};
    if (!word.p || c->options->weight_column == 0) {
        c->without++;
        return HEDDLE_OK;
    }
    if (!hd_text_weight(&c->text, &c->cursor, word, &weight->weight))
        return hd_text_fail(&c->text, c->ctx, &c->cursor);
    weight->whole = c->cursor.whole;
    for (uint64_t e = 0; e < c->edges && !c->weighted; e++)
        HD_TRY(hd_bytes_push(c->ctx, &c->weights, &one, sizeof one));
    c->weighted = true;
    return HEDDLE_OK;
}

heddle_status hd_collector_edge(hd_collector *c, uint32_t source, uint32_t target, bool directed, hd_word word) {
    hd_collected_weight weight = {.weight = 1};
    HD_TRY(read_weight(c, word, &weight));
    if (directed && c->undirected && !c->directed)
        HD_TRY(make_arcs(c));
    c->directed += directed;
    c->undirected += !directed;
    if (c->directed && !directed && source != target)
        HD_TRY(push_edge(c, target, source, weight));
    return push_edge(c, source, target, weight);
}
