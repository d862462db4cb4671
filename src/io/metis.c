/* metis.c - reading METIS and Chaco graph files:
 *
 *     % a comment
 *     VERTICES EDGES [FORMAT [CONSTRAINTS]]
 *     [size] [weights] neighbour [weight] neighbour [weight] ...      the k-th line is that of vertex k
 *
 * The three digits of FORMAT say whether vertices have sizes, vertices have weights, edges have weights. Every edge is
 * listed at both ends. Each part of the text needs its first vertex: a first pass counts lines. That both ends agree is
 * checked during the pass by hashes that cancel out (hd_metis_sign), which leads to the line of an error; and exactly,
 * since hashes can be made to cancel out, once the rows are built.
 */
#include "io/metis.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "graph/claims.h"

/* ---- The header ------------------------------------------------------------------------------------------------- */

bool hd_metis_format(hd_metis *metis, hd_word word) {
    char digits[3] = {'0', '0', '0'};
    size_t length = (size_t)(word.end - word.p);
    if (length > sizeof digits)
        return false;
    memcpy(digits + sizeof digits - length, word.p, length);
    for (int i = 0; i < 3; i++)
        if (digits[i] != '0' && digits[i] != '1')
            return false;
    metis->sizes = digits[0] == '1';
    metis->vertex_weights = digits[1] == '1';
    metis->weighted = digits[2] == '1';
    metis->skip = metis->sizes + metis->vertex_weights;
    return true;
}

static heddle_status read_sizes(heddle_context *ctx, hd_metis *metis, const char *p, const char *end) {
    hd_text *text = &metis->text;
    hd_declared constraints = {.value = 1};
    HD_TRY(hd_declared_read(ctx, text, &p, end, "the number of vertices", &metis->vertices));
    HD_TRY(hd_declared_read(ctx, text, &p, end, "the number of edges", &metis->edges));
    hd_word format = hd_next_word(&p, end);
    if (!hd_metis_format(metis, format))
        return hd_text_refuse(ctx, text, format.p, format.end, "a format of up to three digits, each 0 or 1");
    p = hd_skip_spaces(p, end);
    if (p < end)
        HD_TRY(hd_declared_read(ctx, text, &p, end, "the number of weights of a vertex", &constraints));
    if (constraints.value > 1000)
        return hd_text_refuse(ctx, text, constraints.p, constraints.end, "at most 1000 weights of a vertex");
    hd_word more = hd_next_word(&p, end);
    if (more.p < end)
        return hd_text_refuse(ctx, text, more.p, more.end, "the end of the line");
    metis->skip = metis->sizes + (metis->vertex_weights ? constraints.value : 0);
    return hd_declared_vertices(ctx, text, &metis->vertices);
}

static heddle_status read_header(heddle_context *ctx, hd_metis *metis) {
    const char *stop = metis->text.end;
    for (const char *p = metis->text.data, *end; p < stop; p = hd_next_line(end, stop)) {
        end = hd_line_end(p, stop);
        const char *line_end = hd_trim_return(p, end), *start = hd_skip_spaces(p, line_end);
        if (start == line_end || *start == '%')
            continue;
        metis->first = hd_next_line(end, stop);
        return read_sizes(ctx, metis, start, line_end);
    }
    return hd_text_refuse(ctx, &metis->text, stop, stop, "a line with the numbers of vertices and edges");
}

/* Tells each part its first vertex. */
static heddle_status count_lines(heddle_context *ctx, hd_metis *metis) {
    const hd_text *text = &metis->text;
    uint64_t lines = 0;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1))
    for (uint64_t k = 0; k < text->parts; k++) {
        const char *p = text->data + text->part[k].start, *stop = text->data + text->part[k + 1].start;
        uint64_t count = 0;
        for (; p < stop && !hd_cancelled(ctx); p = hd_next_line(p, stop))
            count += *p != '%';
        metis->part[k].first = count;
    }
    HD_TRY(hd_cancelled_status(ctx));
    for (uint64_t k = 0; k < text->parts; k++) {
        uint64_t count = metis->part[k].first;
        metis->part[k].first = lines;
        lines += count;
    }
    return lines < metis->vertices.value ? hd_declared_count(ctx, text, &metis->vertices, lines, "vertex lines")
                                         : HEDDLE_OK;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

uint64_t hd_metis_sign(const hd_edge_batch *batch, size_t i) {
    uint64_t u = batch->source[i], v = batch->target[i], bits, low = u < v ? u : v, high = u < v ? v : u;
    double weight = batch->weight[i];
    memcpy(&bits, &weight, sizeof bits);
    if (__builtin_expect(!(weight > -HD_EXACT_WHOLE && weight < HD_EXACT_WHOLE), 0))
        bits += (uint64_t)batch->whole[i];
    uint64_t number = hd_mix64((low << 32 | high) ^ (bits ? hd_mix64(bits) : 0));
    return u == v ? 0 : u < v ? number : -number;
}

enum { VERTEX, INSIDE }; /* the cursor's state: the line's vertex, and whether some of the line has been read */

void hd_metis_begin(void *self, hd_cursor *cursor) {
    hd_metis *metis = self;
    hd_metis_part *part = &metis->part[cursor->part];
    hd_text_begin(&metis->text, cursor);
    cursor->state[VERTEX] = part->first;
    part->loops = part->balance = 0;
}

static bool at_line_end(const char *p, const char *stop) {
    return p == stop || *p == '\n' || (*p == '\r' && (p + 1 == stop || p[1] == '\n'));
}

/* Starts the line of a vertex: reads the numbers before its neighbours. Lines after the last vertex must be blank. */
static bool start_line(hd_metis *metis, hd_cursor *cursor, const char **p, const char *stop) {
    if (cursor->state[VERTEX]++ >= metis->text.vertices) {
        const char *start = hd_skip_spaces(*p, stop);
        if (at_line_end(start, stop))
            return true;
        hd_text_wrong(&metis->text, cursor, start, hd_word_end(start, stop),
                      "the end of the file, for all vertices have had their line");
        return false;
    }
    for (uint64_t i = 0; i < metis->skip; i++) {
        double unused;
        bool real = false;
        hd_word word = hd_next_word(p, stop);
        if (hd_scan_number(word.p, word.end, &unused, &real) != word.end) {
            hd_text_wrong(&metis->text, cursor, word.p, word.end, "the size or weight of the vertex");
            return false;
        }
    }
    return true;
}

/* Adds an entry to the part's checks; the edge is stored already. */
static void check_entry(hd_metis_part *part, const hd_edge_batch *batch, size_t i) {
    part->loops += batch->source[i] == batch->target[i];
    part->balance += hd_metis_sign(batch, i);
}

/* Fast path: reads neighbours of `vertex` from p on by the marks, until an unusual character or the end of the batch,
 * line or stretch; returns where it stopped. */
static __attribute__((noinline)) const char *quick_neighbours(const hd_metis *metis, hd_quick *quick, const char *p,
                                                              uint64_t vertex, hd_edge_batch *batch) {
    const uint32_t *at = quick->marks.at + quick->next, *last = quick->marks.at + quick->marks.count;
    const char *base = quick->base;
    size_t count = batch->count;
    while (count < HD_BATCH && at + HD_LINE_MARKS <= last) {
        const uint32_t *ahead = at;
        const char *end = base + *ahead++;
        uint64_t target;
        double weight = 0;
        if (!hd_digits(p, (size_t)(end - p), &target) || target - 1 >= metis->text.vertices)
            break;
        if (metis->weighted)
            end = *end == ' ' ? hd_quick_weight(base, end + 1, &ahead, 0, &quick->seen, &weight) : NULL;
        if (!end || (!hd_is_space(*end) && !hd_is_line_end(*end)))
            break;
        batch->source[count] = vertex;
        batch->target[count] = target;
        batch->weight[count++] = weight;
        p = end + hd_is_space(*end);
        at = ahead - !hd_is_space(*end);
    }
    quick->next = (size_t)(at - quick->marks.at);
    batch->count = count;
    return p;
}

/* Slow path: reads one neighbour and its weight. */
static bool read_neighbour(hd_metis *metis, hd_cursor *cursor, const char **p, const char *stop, hd_edge_batch *batch) {
    size_t i = batch->count;
    batch->source[i] = cursor->state[VERTEX];
    batch->weight[i] = 0;
    if (!hd_text_index(&metis->text, cursor, hd_next_word(p, stop), &batch->target[i]) ||
        (metis->weighted && !hd_text_weight(&metis->text, cursor, hd_next_word(p, stop), &batch->weight[i])))
        return false;
    batch->whole[i] = cursor->whole;
    batch->count++;
    return true;
}

/* Moves to the next neighbour, over comments and from line to line. False at the end of the part, or on error. */
static bool find_neighbour(hd_metis *metis, hd_cursor *cursor, const char **p, const char *stop) {
    for (;;) {
        if (!cursor->state[INSIDE]) {
            while (*p < stop && **p == '%')
                *p = hd_next_line(*p, stop);
            if (*p == stop || !start_line(metis, cursor, p, stop))
                return false;
            cursor->state[INSIDE] = 1;
        }
        *p = hd_skip_spaces(*p, stop);
        if (!at_line_end(*p, stop))
            return true;
        *p = hd_next_line(*p, stop);
        cursor->state[INSIDE] = 0;
    }
}

void hd_metis_next(void *self, hd_cursor *cursor, hd_edge_batch *batch) {
    hd_metis *metis = self;
    const char *p = metis->text.data + cursor->position, *stop = metis->text.data + cursor->end;
    hd_quick quick;
    hd_quick_start(&quick);
    batch->count = 0;
    while (batch->count < HD_BATCH && find_neighbour(metis, cursor, &p, stop)) {
        size_t before = batch->count;
        hd_quick_skip(&quick, p);
        if (quick.next + HD_LINE_MARKS > quick.marks.count)
            hd_quick_fill(&quick, &metis->text, p, stop, HD_BATCH - before);
        p = quick_neighbours(metis, &quick, p, cursor->state[VERTEX], batch);
        if (batch->count == before && !read_neighbour(metis, cursor, &p, stop, batch))
            break;
    }
    if (cursor->expected)
        batch->count = 0;
    for (size_t i = 0; i < batch->count && !metis->checked; i++)
        check_entry(&metis->part[cursor->part], batch, i);
    if (metis->weighted)
        hd_text_learn(&metis->text, cursor, quick.seen);
    cursor->position = (uint64_t)(p - metis->text.data);
}

/* ---- The source ------------------------------------------------------------------------------------------------- */

static heddle_status fail(void *self, heddle_context *ctx, const hd_cursor *cursor) {
    return hd_text_fail(&((hd_metis *)self)->text, ctx, cursor);
}

static heddle_status complete(void *self, heddle_context *ctx, uint64_t entries) {
    hd_metis *metis = self;
    const hd_declared *edges = &metis->edges;
    uint64_t loops = 0, balance = 0;
    for (uint64_t k = 0; k < metis->text.parts; k++) {
        loops += metis->part[k].loops;
        balance += metis->part[k].balance;
    }
    /* The format does not specify loops; files list them once or twice. */
    if (edges->value > entries || (entries != 2 * edges->value && entries + loops != 2 * edges->value))
        return hd_text_refuse(ctx, &metis->text, edges->p, edges->end,
                              entries % 2 ? "an even number of neighbours, two for each edge, but the lines hold %llu"
                                          : "half the number of neighbours in the lines, which is %llu",
                              (unsigned long long)entries);
    if (balance)
        return hd_metis_refuse_one_sided(ctx, metis);
    metis->checked = true;
    return metis->weighted ? hd_text_check_weights(ctx, &metis->text) : HEDDLE_OK;
}

static heddle_status build(heddle_context *ctx, hd_metis *metis, const heddle_build_options *options,
                           heddle_graph **graph) {
    HD_TRY(hd_text_cut(ctx, &metis->text, metis->first));
    HD_TRY(HD_NEW_ZERO(ctx, &metis->part, metis->text.parts, "parts of the text"));
    HD_TRY(count_lines(ctx, metis));
    hd_edge_source source = {
        .self = metis,
        .parts = metis->text.parts,
        .phase = "read",
        .work = (uint64_t)(metis->text.end - metis->first),
        .ids = HD_IDS_KNOWN,
        .vertices = metis->text.vertices,
        .base = 1,
        .weighted = metis->weighted,
        .undirected = true,
        .behind = {hd_text_behind(&metis->text)},
        .begin = hd_metis_begin,
        .next = hd_metis_next,
        .fail = fail,
        .complete = complete,
    };
    return hd_graph_build(ctx, &source, options, graph);
}

static heddle_status read_metis(heddle_context *ctx, hd_input *input, const heddle_load_options *options,
                                heddle_graph **graph) {
    hd_metis metis = {.first = NULL};
    hd_text_open(&metis.text, input);
    HD_TRY(read_header(ctx, &metis));
    heddle_status status = build(ctx, &metis, &options->build, graph);
    if (status == HEDDLE_OK)
        status = hd_graph_prove_read(ctx, *graph, input->name);
    if (status != HEDDLE_OK)
        heddle_graph_destroy(graph);
    HD_DELETE(&ctx->allocator, metis.part, metis.text.parts);
    hd_text_close(ctx, &metis.text);
    return status;
}

const hd_format hd_format_metis = {
    .info = {"metis", "METIS or Chaco graph file: undirected, a line of neighbours per vertex", ".graph .metis"},
    .holds = HD_HOLDS_UNDIRECTED | HD_HOLDS_INTEGER_WEIGHTS | HD_HOLDS_ISOLATED | HD_NEEDS_POSITIVE,
    .sniff = hd_metis_sniff,
    .read = read_metis,
    .write = hd_metis_write,
    .base = 1,
};
