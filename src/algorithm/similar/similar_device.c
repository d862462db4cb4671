/* similar_device.c - similar neighbours on a device: similar.cl.
 *
 * The most similar vertices: sources are taken in pieces. A piece lists its pairs in a buffer; if that does not hold
 * all, a smaller piece is tried, down to one source, whose pairs it holds. Once the list of all pairs is full, only
 * pairs that may enter it are listed: later pieces have larger sources, so equal scores are not among them.
 */
#include "algorithm/similar/similar.h"
#include "algorithm/similar/similar_state.h"
#include "algorithm/structure/structure_device.h"
#include "base/memory.h"
#include "engine/simple_graph.h"

#include <stdio.h>

extern const char hd_text_intersect[], hd_text_kernels_similar[];

enum { GROUPS_MOST = 2048, FOUND_LEAST = 1 << 16, FIRST_PIECE = 64 };
static const uint64_t counts_most = UINT64_C(2) << 30; /* bytes */

typedef struct job {
    hd_structure s;
    hd_similar similar;
    hd_buffer weights, pairs, sums, counts, found, state;
    uint32_t groups; /* each with counts of its own */
    uint64_t room;   /* pairs that are listed at most */
    uint32_t *list;  /* the same on the host */
} job;

/* Arrays of counts, and of sums if they are others. */
static uint32_t count_groups(uint64_t n, bool weighs) {
    uint64_t fit = counts_most / ((n ? n : 1) * (weighs ? 12 : 4));
    return fit < 1 ? 1 : fit < GROUPS_MOST ? (uint32_t)fit : GROUPS_MOST;
}

static heddle_status make_buffers(job *j, const hd_run *run) {
    const heddle_run_options *options = &run->options;
    bool weighs = hd_similarity_weighs(options->measure);
    uint64_t n = run->graph->vertices, given = options->pair_count;
    HD_TRY(hd_structure_buffer(&j->s, weighs ? n * 8 : 0, "weights of common neighbours", &j->weights));
    HD_TRY(hd_structure_buffer(&j->s, given ? given * 8 : options->source_count * 4, "pairs", &j->pairs));
    if (given)
        return hd_structure_buffer(&j->s, given * 8, "sums over common neighbours", &j->sums);
    j->room = n > FOUND_LEAST ? n : FOUND_LEAST;
    HD_TRY(hd_structure_buffer(&j->s, (uint64_t)j->groups * n * 4, "common neighbours", &j->counts));
    HD_TRY(hd_structure_buffer(&j->s, weighs ? (uint64_t)j->groups * n * 8 : 0, "sums", &j->sums));
    HD_TRY(hd_structure_buffer(&j->s, j->room * SIMILAR_RECORD * 4, "pairs", &j->found));
    return hd_structure_buffer(&j->s, SIMILAR_WORDS * 4, "state", &j->state);
}

heddle_status hd_similar_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const hd_run *run = r->run;
    job j = {.s = {.ctx = run->ctx, .graph = run->graph}};
    j.groups = count_groups(run->graph->vertices, hd_similarity_weighs(run->options.measure));
    HD_TRY(make_buffers(&j, run));
    *bytes = j.s.bytes + hd_structure_simple_rows(run->graph);
    return HEDDLE_OK;
}

static heddle_status upload(job *j, const hd_buffer *to, const void *from, uint64_t bytes) {
    return bytes ? j->s.device->upload(j->s.device, to, 0, from, bytes) : HEDDLE_OK;
}

static heddle_status clear(job *j, const hd_buffer *buffer, uint64_t bytes) {
    return bytes ? j->s.device->fill(j->s.device, buffer, 0, 0, bytes) : HEDDLE_OK;
}

/* ---- Given pairs ------------------------------------------------------------------------------------------------- */

static heddle_status compare_pairs(job *j) {
    const hd_run *run = j->similar.run;
    const hd_resident_rows *out = &j->s.resident->out;
    const heddle_vertex *pairs = run->options.pairs;
    uint64_t count = run->options.pair_count, *sums;
    double *scores;
    heddle_status status;
    HD_TRY(hd_similar_rows(run, count, &scores));
    HD_TRY(upload(j, &j->pairs, pairs, count * 8));
    HD_TRY(clear(j, &j->sums, count * 8));
    HD_TRY(hd_structure_start(&j->s));
    HD_TRY(HD_START(&j->s.kernels, "similar_pairs", count * j->s.kernels.lanes, HD_ARGUMENT_VALUE(count),
                    HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(j->weights),
                    HD_ARGUMENT_BUFFER(j->pairs), HD_ARGUMENT_BUFFER(j->sums)));
    HD_TRY(hd_structure_stop(&j->s));
    HD_TRY(HD_NEW(run->ctx, &sums, count, "sums over common neighbours"));
    HD_CHECK(hd_structure_fetch(&j->s, &j->sums, sums, count * 8));
    for (uint64_t i = 0; i < count; i++)
        scores[i] = hd_similar_score(&j->similar, pairs[2 * i], pairs[2 * i + 1], sums[i]);
out:
    HD_DELETE(&run->ctx->allocator, sums, count);
    return status;
}

/* ---- The most similar -------------------------------------------------------------------------------------------- */

/* The score that a pair must exceed: see similar_passes. */
typedef struct bar {
    uint64_t number, divisor;
    float square;
} bar;

/* The last pair's score as a fraction, which its list does not hold: the sum follows from score and degrees. */
static bar bar_of(const hd_similar *s) {
    const hd_pair *last = s->run->options.source_count ? NULL : hd_best_pairs_last(&s->lists[0]);
    bar b = {0, 1, 0};
    if (!last)
        return b;
    uint64_t a_count = s->offsets[last->a + 1] - s->offsets[last->a];
    uint64_t b_count = s->offsets[last->b + 1] - s->offsets[last->b], fewer = a_count < b_count ? a_count : b_count;
    double score = last->score;
    switch (s->measure) {
    case HEDDLE_SIMILARITY_ATTACHMENT: b.number = a_count * b_count; break;
    case HEDDLE_SIMILARITY_RESOURCES:
    case HEDDLE_SIMILARITY_ADAMIC_ADAR: b.number = (uint64_t)ldexp(score, s->scale); break;
    case HEDDLE_SIMILARITY_OVERLAP: b = (bar){(uint64_t)(score * (double)fewer + 0.5), fewer, 0}; break;
    case HEDDLE_SIMILARITY_COSINE: b.square = (float)(score * score * (1 - 1e-5)); break;
    default: {
        uint64_t common = (uint64_t)(score * (double)(a_count + b_count) / (1 + score) + 0.5);
        b = (bar){common, a_count + b_count - common, 0};
    }
    }
    return b;
}

/* Lists the pairs of sources [first, last); *found: how many, more than `room` if there are too many. */
static heddle_status list_piece(job *j, void *kernel, uint32_t first, uint32_t last, uint64_t *found) {
    const hd_run *run = j->similar.run;
    const hd_resident_rows *out = &j->s.resident->out;
    uint32_t n = (uint32_t)j->similar.vertices, all = !run->options.source_count, room = (uint32_t)j->room;
    uint32_t words[SIMILAR_WORDS], groups = last - first < j->groups ? last - first : j->groups;
    bar b = bar_of(&j->similar);
    HD_TRY(clear(j, &j->state, sizeof words));
    HD_TRY(HD_LAUNCH(&j->s.kernels, kernel, "similar_near", groups, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(first),
                     HD_ARGUMENT_VALUE(last), HD_ARGUMENT_VALUE(all), HD_ARGUMENT_BUFFER(j->pairs),
                     HD_ARGUMENT_BUFFER(out->offsets), HD_ARGUMENT_BUFFER(out->targets), HD_ARGUMENT_BUFFER(j->weights),
                     HD_ARGUMENT_BUFFER(j->counts), HD_ARGUMENT_BUFFER(j->sums), HD_ARGUMENT_VALUE(b.number),
                     HD_ARGUMENT_VALUE(b.divisor), HD_ARGUMENT_VALUE(b.square), HD_ARGUMENT_VALUE(room),
                     HD_ARGUMENT_BUFFER(j->found), HD_ARGUMENT_BUFFER(j->state)));
    HD_TRY(hd_structure_look(&j->s, &j->state, words, sizeof words));
    *found = words[SIMILAR_FOUND];
    if (*found == 0 || *found > j->room)
        return HEDDLE_OK;
    return hd_structure_look(&j->s, &j->found, j->list, *found * SIMILAR_RECORD * 4);
}

static void rank_piece(job *j, uint64_t found) {
    const heddle_run_options *options = &j->similar.run->options;
    for (uint64_t i = 0; i < found; i++) {
        const uint32_t *record = j->list + SIMILAR_RECORD * i;
        uint64_t sum = record[2] | (uint64_t)record[3] << 32;
        heddle_vertex s = options->source_count ? options->sources[record[0]] : record[0];
        if (hd_similar_is_wanted(&j->similar, s, record[1]))
            hd_best_pairs_add(&j->s.ctx->allocator, &j->similar.lists[options->source_count ? record[0] : 0],
                              (hd_pair){s, record[1], hd_similar_score(&j->similar, s, record[1], sum)});
    }
}

static heddle_status rank_all(job *j) {
    const heddle_run_options *options = &j->similar.run->options;
    uint64_t count = options->source_count ? options->source_count : j->similar.vertices, piece = FIRST_PIECE, found;
    void *kernel;
    hd_phase_total(j->s.ctx, count);
    HD_TRY(hd_kernels_find(&j->s.kernels, "similar_near", &kernel));
    for (uint64_t first = 0; first < count;) {
        uint64_t last = first + piece < count ? first + piece : count;
        HD_TRY(list_piece(j, kernel, (uint32_t)first, (uint32_t)last, &found));
        if (found > j->room && last - first > 1) {
            piece = (last - first) / 4 + 1;
            continue;
        }
        if (found > j->room)
            return hd_fail(j->s.ctx, HEDDLE_E_INTERNAL, "similar: a source has more pairs than the graph has vertices");
        rank_piece(j, found);
        if (hd_advance(j->s.ctx, last - first))
            return hd_cancelled_status(j->s.ctx);
        first = last;
        piece *= 2;
    }
    return HEDDLE_OK;
}

static heddle_status rank_from_sources(job *j) {
    const hd_run *run = j->similar.run;
    uint64_t n = j->similar.vertices, words = j->room * SIMILAR_RECORD;
    bool weighs = j->similar.weights != NULL;
    heddle_status status;
    HD_TRY(HD_NEW(run->ctx, &j->list, words, "pairs"));
    HD_CHECK(upload(j, &j->pairs, run->options.sources, run->options.source_count * 4));
    HD_CHECK(clear(j, &j->counts, j->groups * n * 4));
    HD_CHECK(clear(j, &j->sums, weighs ? j->groups * n * 8 : 0));
    HD_CHECK(hd_structure_start(&j->s));
    HD_CHECK(rank_all(j));
    HD_CHECK(hd_structure_stop(&j->s));
    status = hd_similar_take_lists(&j->similar);
out:
    HD_DELETE(&run->ctx->allocator, j->list, words);
    return status;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static heddle_status compute(job *j, const hd_run *run) {
    static const char *const texts[] = {hd_text_intersect, hd_text_kernels_similar, NULL};
    heddle_context *ctx = run->ctx;
    const heddle_graph *simple;
    char defines[96];
    HD_TRY(hd_similar_check(ctx, run->graph, &run->options));
    HD_TRY(hd_derived_simple_of(ctx, run->graph, false, &run->result->report, &simple));
    HD_TRY(hd_structure_open(&j->s, ctx, simple, run->options.device, HD_WANT_OUT, run->result));
    HD_TRY(hd_similar_open(run, simple->out.offsets, simple->out.targets, &j->similar));
    snprintf(defines, sizeof defines, "#define SIMILAR_MEASURE %d\n#define SIMILAR_WEIGHED %d\n",
             (int)run->options.measure, j->similar.weights != NULL);
    HD_TRY(hd_structure_compile(&j->s, "similar", texts, defines));
    uint64_t n = simple->vertices;
    uint32_t busy = hd_kernels_groups(&j->s.kernels, n * j->s.kernels.lanes);
    j->groups = count_groups(n, j->similar.weights != NULL);
    j->groups = busy && busy < j->groups ? busy : j->groups;
    HD_TRY(make_buffers(j, run));
    HD_TRY(upload(j, &j->weights, j->similar.weights, j->similar.weights ? n * 8 : 0));
    hd_rounds_mark(ctx);
    HD_TRY(run->options.pair_count ? compare_pairs(j) : rank_from_sources(j));
    hd_structure_record(ctx, 1, HEDDLE_DIRECTION_NONE, "fast");
    hd_structure_report(&j->s, run->options.device, "fast");
    run->result->report.iterations = 1;
    run->result->report.edges_walked = simple->edges; /* about */
    hd_similar_figures(run->result);
    return HEDDLE_OK;
}

heddle_status hd_device_similar(const hd_run *run) {
    job j = {.s = {.ctx = run->ctx}, .similar = {.run = run, .ctx = run->ctx}};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&j, run);
    hd_phase_end(run->ctx);
    hd_similar_close(&j.similar);
    hd_structure_close(&j.s);
    return status;
}
