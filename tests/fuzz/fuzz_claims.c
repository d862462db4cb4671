/* fuzz_claims.c - .hdl, .sg and .wsg files that are whole, with right checksums, and say what is not true; every
 * algorithm runs on what loads.
 *
 * The input is a recipe: five bytes of choices and counts, arcs of three bytes (source, target, weight), and changes of
 * six (section, word, way, value), which are made in the finished sections before they are sealed.
 */
#include "fuzz.h"
#include "fuzz_seal.h"

#include "graph/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ARCS = 2000, MOST_SECTIONS = HD_HDL_KINDS * HD_HDL_VIEWS, MOST_BYTES = 1 << 18 };

/* Bits of the first byte. */
enum { GAP = 1, UNDIRECTED = 2, MIRROR = 4, IN_EDGES = 8, DEGREE = 16, BFS = 32, CHANGED = 64, PARENTS = 128 };

typedef struct recipe {
    int choices, weight_type, ids, plan;
    uint64_t vertices, arcs;
    int64_t from[2 * MOST_ARCS], to[2 * MOST_ARCS];
    uint32_t weights[2 * MOST_ARCS];
    const uint8_t *changes;
    size_t change_bytes;
} recipe;

typedef struct section {
    uint32_t kind;
    size_t bytes, wide; /* of its words */
    char *data;
} section;

typedef struct file {
    section sections[MOST_SECTIONS];
    uint32_t count;
    hd_hdl_header header;
} file;

static const char *const plans[] = {"auto",     "order=degree", "order=bfs", "transform=udt,K=2", "transform=star,K=3",
                                    "cusha-gs", "cusha-cw",     "udt-cusha", "order=none"};

/* ---- The recipe ------------------------------------------------------------------------------------------------- */

static uint32_t weight_of(const recipe *r, uint8_t byte) {
    float real = (float)byte / 8 - 4;
    uint32_t bits = byte;
    if (r->weight_type == HEDDLE_WEIGHT_I32)
        bits = (uint32_t)((int32_t)byte - 10);
    if (r->weight_type == HEDDLE_WEIGHT_F32)
        memcpy(&bits, &real, sizeof bits);
    return bits;
}

static void add_arc(recipe *r, uint8_t from, uint8_t to, uint8_t weight) {
    r->from[r->arcs] = (int64_t)(from % r->vertices);
    r->to[r->arcs] = (int64_t)(to % r->vertices);
    r->weights[r->arcs++] = weight_of(r, weight);
}

static bool read_recipe(recipe *r, const uint8_t *data, size_t size) {
    if (size < 5)
        return false;
    r->choices = data[0];
    r->weight_type = data[1] & 3;
    r->ids = data[1] >> 2 & 3;
    r->plan = data[1] >> 4;
    r->vertices = 1 + (uint64_t)data[2];
    size_t count = data[3] | (size_t)data[4] << 8, room = (size - 5) / 3;
    count = count < room ? count : room;
    count = count < MOST_ARCS ? count : MOST_ARCS;
    for (const uint8_t *arc = data + 5; arc < data + 5 + 3 * count; arc += 3) {
        add_arc(r, arc[0], arc[1], arc[2]);
        if (r->choices & MIRROR && arc[0] % r->vertices != arc[1] % r->vertices)
            add_arc(r, arc[1], arc[0], arc[2]);
    }
    r->changes = data + 5 + 3 * count;
    r->change_bytes = size - 5 - 3 * count;
    return true;
}

/* ---- Sections --------------------------------------------------------------------------------------------------- */

static void add_section(file *f, uint32_t kind, const void *data, size_t bytes, size_t wide) {
    section *s = &f->sections[f->count++];
    *s = (section){kind, bytes, wide, fuzz_allocate(NULL, bytes, 0)};
    if (!s->data)
        abort();
    if (bytes)
        memcpy(s->data, data, bytes);
}

static void add_rows(file *f, int view, uint32_t first, const hd_csr *rows, const heddle_graph *graph) {
    add_section(f, hd_hdl_kind_in(view, first), rows->offsets, (graph->vertices + 1) * 8, 8);
    add_section(f, hd_hdl_kind_in(view, first + 1), rows->targets, graph->edges * 4, 4);
    if (graph->weight_type)
        add_section(f, hd_hdl_kind_in(view, first + 2), rows->weights, graph->edges * 4, 4);
}

static void add_graph(file *f, heddle_context *ctx, const recipe *r, int view, heddle_graph *graph) {
    heddle_adjacency in;
    add_rows(f, view, HD_HDL_OUT_OFFSETS, &graph->out, graph);
    if (r->choices & IN_EDGES && !(r->choices & UNDIRECTED) && heddle_graph_in(ctx, graph, &in) == HEDDLE_OK)
        add_rows(f, view, HD_HDL_IN_OFFSETS, &graph->in, graph);
    if (view)
        add_section(f, hd_hdl_kind_in(view, HD_HDL_PLACES), graph->places, graph->vertices * 4, 4);
}

static void add_order(file *f, heddle_context *ctx, const recipe *r, const heddle_graph *graph, const hd_order *order) {
    heddle_graph *renamed;
    if (hd_order_graph(ctx, graph, order, &renamed) != HEDDLE_OK)
        return;
    add_graph(f, ctx, r, (int)order->number, renamed);
    heddle_graph_destroy(&renamed);
}

static void add_ids(file *f, const recipe *r) {
    uint64_t words[257];
    char text[257];
    for (uint64_t v = 0; v <= r->vertices; v++) {
        words[v] = r->ids == 1 ? 3 * v : v;
        text[v] = (char)('a' + v % 26);
    }
    if (r->ids == 1)
        add_section(f, HD_HDL_ID_VALUES, words, r->vertices * 8, 8);
    if (r->ids != 2)
        return;
    f->header.id_type = HEDDLE_ID_STRING;
    add_section(f, HD_HDL_LABEL_STARTS, words, (r->vertices + 1) * 8, 8);
    add_section(f, HD_HDL_LABEL_TEXT, text, r->vertices, 1);
}

static void change_word(section *s, uint64_t at, uint8_t way, uint64_t value) {
    uint64_t word = 0, before = 0;
    char *place = s->data + at * s->wide;
    memcpy(&word, place, s->wide);
    if (at)
        memcpy(&before, place - s->wide, s->wide);
    switch (way % 4) {
    case 0: word = value; break;
    case 1: word += value; break;
    case 2: word ^= UINT64_C(1) << value % (8 * s->wide); break;
    default: /* exchanged with the one before */
        if (at) {
            memcpy(place - s->wide, &word, s->wide);
            word = before;
        }
    }
    memcpy(place, &word, s->wide);
}

static void change(file *f, const recipe *r) {
    for (size_t i = 0; i + 6 <= r->change_bytes; i += 6) {
        const uint8_t *c = r->changes + i;
        section *s = &f->sections[c[0] % f->count];
        uint64_t words = s->bytes / s->wide;
        if (words)
            change_word(s, (c[1] | (uint64_t)c[2] << 8) % words, c[3], c[4] | (uint64_t)c[5] << 8);
    }
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static size_t make_hdl(file *f, char *data) {
    hd_hdl_entry table[MOST_SECTIONS] = {{0}};
    size_t end = sizeof f->header + f->count * sizeof *table;
    f->header.sections = f->count;
    for (uint32_t i = 0; i < f->count; i++) {
        end = (end + 63) / 64 * 64;
        table[i] = (hd_hdl_entry){.kind = f->sections[i].kind, .offset = end, .bytes = f->sections[i].bytes};
        if (end + table[i].bytes > MOST_BYTES)
            return 0;
        memcpy(data + end, f->sections[i].data, f->sections[i].bytes);
        end += f->sections[i].bytes;
    }
    memcpy(data, &f->header, sizeof f->header);
    memcpy(data + sizeof f->header, table, f->count * sizeof *table);
    fuzz_seal(data, end);
    return end;
}

static size_t add_gap_rows(const file *f, uint32_t first, char *data) {
    const section *offsets = &f->sections[first], *targets = offsets + 1, *weights = offsets + 2;
    size_t end = offsets->bytes;
    memcpy(data, offsets->data, end);
    for (size_t k = 0; k < targets->bytes; k += 4) {
        memcpy(data + end, targets->data + k, 4);
        end += 4;
        if (f->header.weight_type) {
            memcpy(data + end, weights->data + k, 4);
            end += 4;
        }
    }
    return end;
}

static size_t make_gap(const file *f, char *data) {
    bool directed = f->header.flags & HD_HDL_DIRECTED;
    size_t end = 17;
    data[0] = directed;
    memcpy(data + 1, &f->header.edges, 8);
    memcpy(data + 9, &f->header.vertices, 8);
    end += add_gap_rows(f, 0, data + end);
    return directed ? end + add_gap_rows(f, 0, data + end) : end; /* nobody reads these */
}

/* The bytes of a file of the recipe; 0: there is none. */
static size_t make_file(const recipe *r, char *data) {
    heddle_context *ctx = fuzz_context();
    heddle_graph *graph;
    file f = {.header = {.endian = HD_HDL_ENDIAN, .version = HD_HDL_VERSION}};
    if (heddle_graph_from_edges(ctx, r->vertices, r->arcs, r->from, r->to, r->weight_type ? r->weights : NULL,
                                (heddle_weight_type)r->weight_type, NULL, &graph) != HEDDLE_OK)
        abort();
    memcpy(f.header.magic, HD_HDL_MAGIC, sizeof f.header.magic);
    f.header.vertices = graph->vertices;
    f.header.edges = graph->edges;
    f.header.weight_type = (uint32_t)graph->weight_type;
    f.header.flags = r->choices & UNDIRECTED ? 0 : HD_HDL_DIRECTED;
    add_graph(&f, ctx, r, 0, graph);
    if (!(r->choices & GAP)) {
        add_ids(&f, r);
        if (r->choices & DEGREE)
            add_order(&f, ctx, r, graph, &hd_order_degree);
        if (r->choices & BFS)
            add_order(&f, ctx, r, graph, &hd_order_bfs);
    }
    change(&f, r);
    size_t bytes = r->choices & GAP ? make_gap(&f, data) : make_hdl(&f, data);
    for (uint32_t i = 0; i < f.count; i++)
        free(f.sections[i].data);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&ctx);
    return bytes;
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

/* Results of these are exact, so that what has run must verify. */
static bool is_exact(const char *algorithm) {
    static const char *const exact[] = {"degree",    "bridges",  "articulation", "biconnected", "bipartite", "toposort",
                                        "bfs",       "sssp",     "sswp",         "cc",          "scc",       "mst",
                                        "tc",        "lcc",      "kcore",        "cdlp",        "lpa",       "similar",
                                        "closeness", "harmonic", "eccentricity", "truss"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (strcmp(algorithm, exact[i]) == 0)
            return true;
    return false;
}

static void run_all(heddle_context *ctx, const heddle_graph *graph, const recipe *r) {
    const heddle_algorithm_info *info;
    for (size_t i = 0; (info = heddle_algorithm_at(i)); i++) {
        heddle_run_options options;
        heddle_result *result;
        heddle_run_options_init(&options);
        options.algorithm = info->name;
        options.device = "cpu";
        options.plan = plans[(size_t)r->plan % (sizeof plans / sizeof *plans)];
        options.parents = (r->choices & PARENTS) != 0 && strstr(info->options, "parents");
        options.weighted = (r->choices & PARENTS) != 0 && strstr(info->options, "weighted");
        options.max_iterations = strstr(info->options, "max_iterations") ? 10 : 0;
        if (heddle_run(ctx, graph, &options, &result) != HEDDLE_OK)
            continue;
        if (heddle_verify(ctx, graph, &options, result) == HEDDLE_E_VERIFY && is_exact(info->name))
            abort();
        heddle_result_destroy(&result);
    }
}

static void load_and_run(const recipe *r, const char *data, size_t bytes) {
    const hd_format *format = r->choices & GAP ? &hd_format_gap : &hd_format_hdl;
    heddle_context *ctx = fuzz_context();
    heddle_load_options options;
    heddle_graph *graph = NULL;
    hd_input input;
    heddle_stats stats = {.size = sizeof stats};
    heddle_load_options_init(&options);
    options.build.drop_loops = (r->choices & CHANGED) != 0;
    options.build.duplicates = r->choices & CHANGED ? HEDDLE_DUPLICATES_SUM : HEDDLE_DUPLICATES_KEEP;
    if (hd_input_copy(ctx, "claims", data, bytes, &input) != HEDDLE_OK)
        abort();
    if (format->read(ctx, &input, &options, &graph) == HEDDLE_OK) {
        run_all(ctx, graph, r);
        heddle_graph_stats(ctx, graph, &stats);
        fuzz_use(ctx, graph);
    }
    heddle_graph_destroy(&graph);
    hd_input_close(ctx, &input);
    heddle_context_destroy(&ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    recipe *r = fuzz_allocate(NULL, sizeof *r, 1);
    char *image = fuzz_allocate(NULL, MOST_BYTES, 1);
    if (!r || !image)
        abort();
    size_t bytes = read_recipe(r, data, size) ? make_file(r, image) : 0;
    if (bytes)
        load_and_run(r, image, bytes);
    free(image);
    free(r);
    return 0;
}
