/* hdl_verify.c - checks the sections of an .hdl file before their first use: checksum and bounds, block by block in
 * parallel, each block being read from memory once.
 *
 * Rows must ascend. A target smaller than the one before it may occur only at the start of a row: in each block such
 * descents are counted, and those at the start of a row are subtracted; the difference must be 0.
 */
#include "io/hdl.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "graph/ids.h"
#include "graph/pack.h"

#include <string.h>

typedef struct checker {
    heddle_context *ctx;
    const heddle_graph *graph;
    const hd_csr *csr;
    const hd_hash_tap *tap;     /* second consumer of the rows, or NULL */
    const hd_hash_share *share; /* of several processes, or NULL */
    const uint64_t *starts;     /* offsets of rows or labels */
    uint64_t falls;             /* descents inside rows */
    heddle_vertex *names;       /* inverse permutation; UINT32_MAX: not set yet */
} checker;

static bool visit_starts(void *self, uint64_t from, uint64_t to) {
    const checker *c = self;
    uint64_t last = to / 8 <= c->graph->vertices ? to / 8 : c->graph->vertices;
    bool ascend = true;
    for (uint64_t i = from / 8; i < last; i++)
        ascend &= c->starts[i] <= c->starts[i + 1];
    return ascend;
}

/* The first row that starts at this element or later. Offsets have been checked. */
static uint64_t row_at(const hd_csr *rows, uint64_t n, uint64_t element) {
    uint64_t low = 0, high = n;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rows->offsets[middle] < element)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Descents at the start of rows among the elements [from, to). */
static uint64_t falls_between(const hd_csr *rows, uint64_t n, uint64_t from, uint64_t to) {
    const uint64_t *offsets = rows->offsets;
    const uint32_t *targets = rows->targets;
    uint64_t falls = 0;
    for (uint64_t v = row_at(rows, n, from); v < n && offsets[v] < to; v++)
        falls += offsets[v] > 0 && offsets[v] < offsets[v + 1] && targets[offsets[v]] < targets[offsets[v] - 1];
    return falls;
}

bool hd_hdl_targets_sound(const heddle_graph *graph, const hd_csr *rows, uint64_t from, uint64_t to, uint64_t *total) {
    const uint32_t *targets = rows->targets, n = (uint32_t)graph->vertices;
    uint32_t falls = 0, outside = from ? 0 : targets[0] >= n; /* no branch: the loop is vectorised */
    for (uint64_t i = from ? from / 4 : 1; i < to / 4; i++) {
        outside |= -(uint32_t)(targets[i] >= n);
        falls += targets[i] < targets[i - 1];
    }
    *total += falls - falls_between(rows, n, from / 4, to / 4);
    return !outside;
}

static bool visit_targets(void *self, uint64_t from, uint64_t to) {
    checker *c = self;
    uint64_t falls = 0;
    bool sound = hd_hdl_targets_sound(c->graph, c->csr, from, to, &falls);
    hd_fetch_add(&c->falls, falls);
    return sound;
}

bool hd_hdl_weights_sound(const heddle_graph *graph, const hd_csr *rows, uint64_t from, uint64_t to) {
    const uint32_t exponent = UINT32_C(0x7f800000), *bits = rows->weights;
    const uint64_t long_exponent = UINT64_C(0x7ff0000000000000), *long_bits = rows->weights;
    bool finite = true;
    if (graph->weight_type == HEDDLE_WEIGHT_F32)
        for (uint64_t i = from / 4; i < to / 4; i++)
            finite &= (bits[i] & exponent) != exponent;
    if (graph->weight_type == HEDDLE_WEIGHT_F64)
        for (uint64_t i = from / 8; i < to / 8; i++)
            finite &= (long_bits[i] & long_exponent) != long_exponent;
    return finite;
}

static bool visit_weights(void *self, uint64_t from, uint64_t to) {
    const checker *c = self;
    return hd_hdl_weights_sound(c->graph, c->csr, from, to);
}

static bool visit_values(void *self, uint64_t from, uint64_t to) {
    const checker *c = self;
    const int64_t *values = c->graph->ids.values;
    uint64_t flip = c->graph->ids.type == HEDDLE_ID_U64 ? 0 : UINT64_C(1) << 63;
    bool ascend = true;
    for (uint64_t i = from ? from / 8 : 1; i < to / 8; i++)
        ascend &= ((uint64_t)values[i - 1] ^ flip) < ((uint64_t)values[i] ^ flip);
    return ascend;
}

/* Checks that places are a permutation and rows keep their lengths. Offsets of both graphs must have been checked. */
static bool visit_places(void *self, uint64_t from, uint64_t to) {
    const checker *c = self;
    const uint64_t *here = c->graph->out.offsets, *there = c->graph->original->out.offsets;
    bool sound = true;
    for (uint64_t v = from / 4; sound && v < to / 4; v++) {
        uint32_t place = c->graph->places[v], none = UINT32_MAX;
        sound = place < c->graph->vertices && hd_compare_swap(&c->names[place], &none, (uint32_t)v) &&
                here[place + 1] - here[place] == there[v + 1] - there[v];
    }
    return sound;
}

heddle_status hd_hdl_fail_section(heddle_context *ctx, const heddle_graph *graph, uint32_t kind, const char *words) {
    return hd_fail_file(ctx, HEDDLE_E_FORMAT, graph->source_name, 0, "section '%s' is damaged: %s",
                        hd_hdl_kind_name(hd_hdl_kind_in(graph->mapping.view, kind)).text, words);
}

static heddle_status fail_section(const checker *c, uint32_t kind, const char *words) {
    return hd_hdl_fail_section(c->ctx, c->graph, kind, words);
}

/* Offsets that were read from the file lie elsewhere: pages of theirs that were given back would be zero. */
static bool in_mapping(const heddle_graph *graph, const void *data) {
    const hd_mapping *mapping = &(graph->mapping.view ? graph->original : graph)->mapping;
    const char *start = mapping->address, *at = data;
    return mapping->mapped && at >= start && at < start + mapping->bytes;
}

static heddle_status check_section(checker *c, uint32_t kind, const void *data, uint64_t bytes, hd_hash_visit visit,
                                   const char *words) {
    uint64_t hash;
    bool sound;
    if (c->share)
        HD_TRY(hd_hash_shared(c->ctx, data, bytes, visit, c, c->share, &hash, &sound));
    else if (c->ctx->limit && in_mapping(c->graph, data))
        HD_TRY(hd_hash_mapped(c->ctx, data, bytes, visit, c, &hash, &sound));
    else
        HD_TRY(hd_hash_tapped(c->ctx, data, bytes, visit, c, kind < HD_HDL_ID_VALUES ? c->tap : NULL, &hash, &sound));
    if (hash != c->graph->mapping.checksums[kind - 1])
        return fail_section(c, kind, "its checksum is wrong");
    return sound ? HEDDLE_OK : fail_section(c, kind, words);
}

/* Checks offsets of rows or labels, which go from 0 to total. */
static heddle_status check_starts(checker *c, uint32_t kind, const uint64_t *starts, uint64_t total) {
    uint64_t n = c->graph->vertices;
    c->starts = starts;
    HD_TRY(check_section(c, kind, starts, (n + 1) * 8, visit_starts, "its numbers fall"));
    if (starts[0] != 0 || starts[n] != total)
        return fail_section(c, kind, "it does not run from the first to the last element");
    return HEDDLE_OK;
}

heddle_status hd_hdl_check_offsets(heddle_context *ctx, const heddle_graph *graph, bool in, const uint64_t *offsets) {
    checker c = {.ctx = ctx, .graph = graph};
    return check_starts(&c, in ? HD_HDL_IN_OFFSETS : HD_HDL_OUT_OFFSETS, offsets, graph->edges);
}

/* `what`: of out-edges, or shifted to them. Targets come after their offsets. */
static heddle_status check_csr(checker *c, const hd_csr *csr, hd_hdl_kind first, int what) {
    uint64_t m = c->graph->edges;
    c->csr = csr;
    c->falls = 0;
    if (what & HD_VERIFY_OFFSETS)
        HD_TRY(check_starts(c, first, csr->offsets, m));
    if (what & HD_VERIFY_TARGETS)
        HD_TRY(check_section(c, first + 1, csr->targets, m * 4, visit_targets, "a target is no vertex"));
    if (c->falls)
        return fail_section(c, first + 1, "its rows do not ascend");
    if (!(what & HD_VERIFY_WEIGHTS) || !csr->weights)
        return HEDDLE_OK;
    return check_section(c, first + 2, csr->weights, m * hd_weight_size(c->graph->weight_type), visit_weights,
                         "a weight is not finite");
}

static bool same_label(const hd_ids *ids, uint64_t v, uint64_t w) {
    uint64_t length = ids->starts[v + 1] - ids->starts[v];
    return length == ids->starts[w + 1] - ids->starts[w] &&
           memcmp(ids->text + ids->starts[v], ids->text + ids->starts[w], (size_t)length) == 0;
}

/* Enters a vertex in the table of labels (vertex + 1, 0 empty; open addressing), from any thread. False: another one
 * has its label. */
static bool enter_label(const checker *c, uint32_t *slots, uint64_t mask, uint64_t v) {
    const hd_ids *ids = &c->graph->ids;
    uint64_t slot =
        hd_label_hash(&c->ctx->hash_key, ids->text + ids->starts[v], ids->starts[v + 1] - ids->starts[v]) & mask;
    for (;; slot = (slot + 1) & mask) {
        uint32_t other = hd_load(&slots[slot]);
        if (!other && hd_compare_swap(&slots[slot], &other, (uint32_t)v + 1))
            return true;
        if (same_label(ids, v, other - 1)) /* a swap that failed has put the other one there */
            return false;
    }
}

static heddle_status check_labels_differ(checker *c) {
    uint64_t n = c->graph->vertices, slot_count = 16;
    uint32_t *slots, same = 0;
    while (slot_count < n * 2)
        slot_count *= 2;
    HD_TRY(HD_NEW_ZERO(c->ctx, &slots, slot_count, "hash table of labels"));
    HD_PARALLEL_FOR(c->ctx, schedule(static) reduction(| : same))
    for (uint64_t v = 0; v < n; v++)
        same |= !hd_cancelled(c->ctx) && !enter_label(c, slots, slot_count - 1, v);
    HD_DELETE(&c->ctx->allocator, slots, slot_count);
    HD_TRY(hd_cancelled_status(c->ctx));
    return same ? fail_section(c, HD_HDL_LABEL_TEXT, "two vertices have the same label") : HEDDLE_OK;
}

static heddle_status check_ids(checker *c) {
    const hd_ids *ids = &c->graph->ids;
    uint64_t n = c->graph->vertices, text_bytes = c->graph->mapping.text_bytes;
    if (ids->values)
        HD_TRY(check_section(c, HD_HDL_ID_VALUES, ids->values, n * 8, visit_values, "ids do not ascend"));
    if (!ids->starts)
        return HEDDLE_OK;
    HD_TRY(check_starts(c, HD_HDL_LABEL_STARTS, ids->starts, text_bytes));
    HD_TRY(check_section(c, HD_HDL_LABEL_TEXT, ids->text, text_bytes, NULL, ""));
    return c->share ? HEDDLE_OK : check_labels_differ(c);
}

static heddle_status check_places(checker *c, heddle_graph *graph) {
    uint64_t n = graph->vertices;
    HD_TRY(HD_NEW(c->ctx, &c->names, n, "names of vertices"));
    memset(c->names, 0xff, n * sizeof *c->names);
    heddle_status status =
        check_section(c, HD_HDL_PLACES, graph->places, n * 4, visit_places, "it is no order of the graph's vertices");
    if (status == HEDDLE_OK && !graph->names) {
        graph->names = c->names;
        return HEDDLE_OK;
    }
    HD_DELETE(&c->ctx->allocator, c->names, n);
    return status;
}

/* The other side of the comparison has been checked. */
static heddle_status check_packed(checker *c, hd_packed_what what) {
    const heddle_graph *graph = c->graph;
    const hd_packed_section *section = &graph->mapping.packed[what];
    const hd_csr *csr = what == HD_PACKED_IN ? &graph->in : &graph->out;
    heddle_adjacency rows = {csr->offsets, csr->targets, csr->weights};
    hd_pack_source source = hd_pack_targets(&rows, graph->vertices);
    uint32_t kind = HD_HDL_PACKED_OUT + (uint32_t)what;
    hd_packed packed;
    HD_TRY(check_section(c, kind, section->data, section->bytes, NULL, ""));
    if (what == HD_PACKED_WEIGHTS) {
        hd_pack_weights how = hd_pack_weights_of(c->ctx, csr->weights, graph->weight_type, graph->edges);
        if (how == HD_PACK_WEIGHTS_NOT)
            return fail_section(c, kind, "the weights cannot be packed");
        source = hd_pack_weight_source(csr->weights, how, graph->edges);
    }
    hd_packed_open(graph->edges, section->data, section->bytes, &packed);
    if (!hd_packed_sound(c->ctx, &packed))
        return fail_section(c, kind, "its blocks do not fit together");
    bool equal = hd_packed_equals(c->ctx, &packed, &source);
    HD_TRY(hd_cancelled_status(c->ctx));
    return equal ? HEDDLE_OK
                 : fail_section(c, kind,
                                what == HD_PACKED_WEIGHTS ? "it does not hold the weights of the graph"
                                                          : "it does not hold the edges of the graph");
}

static uint64_t work_of_rows(const heddle_graph *graph, int what) {
    return (what & HD_VERIFY_OFFSETS ? (graph->vertices + 1) * 8 : 0) +
           (what & HD_VERIFY_TARGETS ? graph->edges * 4 : 0) +
           (what & HD_VERIFY_WEIGHTS && graph->out.weights ? graph->edges * hd_weight_size(graph->weight_type) : 0);
}

static uint64_t work_of(const heddle_graph *graph, int what) {
    uint64_t n = graph->vertices;
    uint64_t ids = (graph->ids.values ? n * 8 : 0) + (graph->ids.starts ? (n + 1) * 8 : 0) + graph->mapping.text_bytes;
    uint64_t packed = 0;
    for (int i = 0; i < HD_PACKED_KINDS; i++)
        packed += what & HD_VERIFY_PACKED << i ? graph->mapping.packed[i].bytes : 0;
    return work_of_rows(graph, what) + work_of_rows(graph, what >> HD_VERIFY_SHIFT) + (what & HD_VERIFY_IDS ? ids : 0) +
           (what & HD_VERIFY_PLACES ? n * 4 : 0) + packed;
}

static heddle_status verify(checker *c, heddle_graph *graph, int what) {
    heddle_context *ctx = c->ctx;
    heddle_status status = HEDDLE_OK;
    int *unchecked = &graph->mapping.unchecked, targets = HD_VERIFY_TARGETS | HD_VERIFY_TARGETS << HD_VERIFY_SHIFT;
    what |=
        (what & targets) / HD_VERIFY_TARGETS * HD_VERIFY_OFFSETS | (what & HD_VERIFY_PLACES ? HD_VERIFY_OFFSETS : 0);
    what &= *unchecked;
    if (!what)
        return HEDDLE_OK;
    if (what & HD_VERIFY_PLACES)
        HD_TRY(hd_graph_verify(ctx, graph->original, HD_VERIFY_OFFSETS));
    hd_phase_begin(ctx, "verify", work_of(graph, what));
    HD_CHECK(check_csr(c, &graph->out, HD_HDL_OUT_OFFSETS, what));
    *unchecked &= ~(what & HD_VERIFY_OUT);
    HD_CHECK(check_csr(c, &graph->in, HD_HDL_IN_OFFSETS, what >> HD_VERIFY_SHIFT));
    *unchecked &= ~(what & HD_VERIFY_IN);
    if (what & HD_VERIFY_IDS)
        HD_CHECK(check_ids(c));
    if (!c->share)
        *unchecked &= ~(what & HD_VERIFY_IDS);
    if (what & HD_VERIFY_PLACES)
        HD_CHECK(check_places(c, graph));
    *unchecked &= ~(what & HD_VERIFY_PLACES);
    for (int i = 0; i < HD_PACKED_KINDS; i++)
        if (what & HD_VERIFY_PACKED << i) {
            HD_CHECK(check_packed(c, (hd_packed_what)i));
            *unchecked &= ~(HD_VERIFY_PACKED << i);
        }
out:
    hd_phase_end(ctx);
    if (status == HEDDLE_E_CANCELLED || !hd_stamp_changed(&graph->mapping.stamp, graph->source_name))
        return status;
    *unchecked |= what;
    return hd_fail_file(ctx, HEDDLE_E_READ, graph->source_name, 0, "the file changed while it was read");
}

heddle_status hd_hdl_verify(heddle_context *ctx, heddle_graph *graph, int what, const hd_hash_tap *tap) {
    checker c = {.ctx = ctx, .graph = graph, .tap = tap};
    return verify(&c, graph, what);
}

heddle_status hd_hdl_verify_shared(heddle_context *ctx, heddle_graph *graph, int what, const hd_hash_share *share) {
    checker c = {.ctx = ctx, .graph = graph, .share = share};
    return verify(&c, graph, what & (HD_VERIFY_OUT | HD_VERIFY_IN | HD_VERIFY_IDS));
}
