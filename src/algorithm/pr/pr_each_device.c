/* pr_each_device.c - personalised PageRank from many sources on a device: rounds of row_sums.cl and pr_each.cl, queued
 * ahead of the host; see pr_each.h. */
#include "algorithm/pr/pr_each.h"
#include "algorithm/pr/pr_each_state.h"

#include "algorithm/power/row_sums.h"
#include "base/memory.h"
#include "engine/device/stall.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const char hd_text_kernels_row_sums[], hd_text_kernels_pr_each[];

enum { FIRST_BATCH = 4, BATCH = 16 /* rounds that are queued at once */, TALLY_BYTES = 16 };

enum { START, FINISH, TURN, KERNELS };
static const char *const names[KERNELS] = {"each_start", "each_finish", "each_turn"};

typedef struct surfers {
    hd_structure s;
    const hd_run *run;
    hd_rank_terms terms;
    hd_row_sums in;
    hd_buffer share[2], out_there, sources, words_there, numbers_there, partials, factors;
    void *kernel[KERNELS];
    double *out, *shares; /* on the host */
    uint32_t n, width, groups, words[EACH_WORDS];
    double numbers[EACH_NUMBERS];
} surfers;

static heddle_status make_buffers(surfers *s, uint64_t groups) {
    uint64_t n = s->s.graph->vertices, columns = n * s->width * 8;
    HD_TRY(hd_structure_buffer(&s->s, columns, "shares", &s->share[0]));
    HD_TRY(hd_structure_buffer(&s->s, columns, "shares", &s->share[1]));
    HD_TRY(hd_structure_buffer(&s->s, n * 8, "out-degrees", &s->out_there));
    HD_TRY(hd_structure_buffer(&s->s, EACH_COLUMNS * 4, "sources", &s->sources));
    HD_TRY(hd_structure_buffer(&s->s, sizeof s->words, "the state", &s->words_there));
    HD_TRY(hd_structure_buffer(&s->s, sizeof s->numbers, "the parameters", &s->numbers_there));
    HD_TRY(hd_structure_buffer(&s->s, 3 * 8, "factors", &s->factors));
    HD_TRY(hd_structure_buffer(&s->s, groups * s->width * TALLY_BYTES, "partial sums", &s->partials));
    return hd_row_sums_buffers(&s->in, &s->s, s->width);
}

heddle_status hd_pr_each_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    bool weighted = r->run->options.weighted && graph->weight_type;
    surfers s = {.s = {.ctx = r->run->ctx, .graph = graph}};
    s.width = hd_pr_each_width(r->run->options.source_count);
    HD_TRY(make_buffers(&s, hd_kernels_most_groups(r->info, graph->vertices * s.width)));
    *bytes = s.s.bytes + hd_structure_rows(graph, HD_WANT_IN | (weighted ? HD_WANT_WEIGHTS : 0)) +
             (weighted && hd_weight_size(graph->weight_type) == 8 ? graph->edges * 4 : 0);
    return HEDDLE_OK;
}

/* ---- A batch ----------------------------------------------------------------------------------------------------- */

static heddle_status begin(surfers *s, const heddle_vertex *sources, uint32_t count) {
    const heddle_run_options *options = &s->run->options;
    hd_device *device = s->s.device;
    heddle_vertex list[EACH_COLUMNS] = {0};
    memset(s->words, 0, sizeof s->words);
    s->words[EACH_LIMIT] = options->max_iterations > UINT32_MAX ? 0 : (uint32_t)options->max_iterations;
    s->words[EACH_LIVE] = (1U << count) - 1;
    s->numbers[EACH_DAMPING] = options->damping;
    s->numbers[EACH_TOLERANCE] = options->tolerance;
    for (uint32_t c = 0; c < EACH_COLUMNS; c++) {
        list[c] = sources[c < count ? c : 0];
        s->numbers[EACH_BASE + c] = 1 - options->damping + (s->out[list[c]] > 0 ? 0 : options->damping);
        s->numbers[EACH_CHANGE + c] = 0;
    }
    HD_TRY(device->upload(device, &s->sources, 0, list, sizeof list));
    HD_TRY(device->upload(device, &s->words_there, 0, s->words, sizeof s->words));
    HD_TRY(device->upload(device, &s->numbers_there, 0, s->numbers, sizeof s->numbers));
    return HD_LAUNCH(&s->s.kernels, s->kernel[START], names[START], s->groups, HD_ARGUMENT_VALUE(s->n),
                     HD_ARGUMENT_VALUE(count), HD_ARGUMENT_BUFFER(s->sources), HD_ARGUMENT_BUFFER(s->out_there),
                     HD_ARGUMENT_BUFFER(s->share[0]));
}

static heddle_status queue_round(surfers *s, uint64_t round) {
    const hd_buffer *share = &s->share[round % 2], *next = &s->share[!(round % 2)];
    HD_TRY(hd_row_sums_queue(&s->in, share, next, &s->factors, &s->words_there));
    HD_TRY(HD_LAUNCH(&s->s.kernels, s->kernel[FINISH], names[FINISH], s->groups, HD_ARGUMENT_VALUE(s->n),
                     HD_ARGUMENT_BUFFER(s->sources), HD_ARGUMENT_BUFFER(s->out_there), HD_ARGUMENT_BUFFER(*share),
                     HD_ARGUMENT_BUFFER(*next), HD_ARGUMENT_BUFFER(s->words_there),
                     HD_ARGUMENT_BUFFER(s->numbers_there), HD_ARGUMENT_BUFFER(s->partials)));
    return HD_LAUNCH(&s->s.kernels, s->kernel[TURN], names[TURN], 1, HD_ARGUMENT_VALUE(s->groups),
                     HD_ARGUMENT_BUFFER(s->partials), HD_ARGUMENT_BUFFER(s->words_there),
                     HD_ARGUMENT_BUFFER(s->numbers_there));
}

static heddle_status iterate(surfers *s) {
    uint64_t round = 0, batch = FIRST_BATCH, edges = s->s.graph->edges;
    hd_stall stall = {.looks = 0};
    while (!s->words[EACH_DONE]) {
        uint64_t before = s->words[EACH_ITERATION], rounds;
        for (uint64_t i = 0; i < batch; i++)
            HD_TRY(queue_round(s, round++));
        HD_TRY(hd_structure_look(&s->s, &s->words_there, s->words, sizeof s->words));
        rounds = s->words[EACH_ITERATION] - before;
        HD_ROUND(s->s.ctx, .rounds = rounds, .vertices = rounds * s->n, .edges = rounds * edges,
                 .direction = HEDDLE_DIRECTION_PULL, .kernel = "side by side");
        HD_TRY(hd_stall_check(&stall, s->s.ctx, s->s.device, s->words, sizeof s->words));
        batch = batch < BATCH ? 2 * batch : BATCH;
    }
    return HEDDLE_OK;
}

static heddle_status one_batch(surfers *s, uint64_t first, uint32_t count, double *change, bool *converged) {
    const hd_run *run = s->run;
    HD_TRY(hd_structure_start(&s->s));
    HD_TRY(begin(s, run->options.sources + first, count));
    HD_TRY(iterate(s));
    HD_TRY(hd_structure_stop(&s->s));
    HD_TRY(hd_structure_fetch(&s->s, &s->numbers_there, s->numbers, sizeof s->numbers));
    HD_TRY(hd_structure_fetch(&s->s, &s->share[s->words[EACH_ITERATION] % 2], s->shares,
                              (uint64_t)s->n * s->width * sizeof *s->shares));
    hd_pr_each_take(run, s->shares, s->out, s->width, first, count);
    for (uint32_t c = 0; c < count; c++)
        *change = fmax(*change, s->numbers[EACH_CHANGE + c]);
    *converged = *converged && !s->words[EACH_LIVE];
    run->result->report.iterations += s->words[EACH_ITERATION];
    return HEDDLE_OK;
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static heddle_status open_device(surfers *s) {
    static const char *const texts[] = {hd_text_kernels_row_sums, hd_text_kernels_pr_each, NULL};
    const hd_run *run = s->run;
    char defines[64];
    HD_TRY(hd_structure_open(&s->s, run->ctx, run->graph, run->options.device,
                             HD_WANT_IN | (s->terms.weights ? HD_WANT_WEIGHTS : 0), run->result));
    snprintf(defines, sizeof defines, "#define SUM_COLUMNS %uu\n", s->width);
    hd_kernels_text text = {.name = "pr_each",
                            .texts = texts,
                            .defines = defines,
                            .wide = s->s.resident->wide,
                            .weights = s->terms.weights};
    HD_TRY(hd_kernels_open(s->s.device, &text, &run->result->report, &s->s.kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&s->s.kernels, names[i], &s->kernel[i]));
    s->groups = hd_kernels_groups(&s->s.kernels, (uint64_t)s->n * s->width);
    return make_buffers(s, s->groups);
}

static heddle_status compute(surfers *s, double *change, bool *converged) {
    const hd_run *run = s->run;
    uint64_t count = run->options.source_count;
    double factors[3] = {0, 0, run->options.damping};
    HD_TRY(hd_rank_terms_of(run->ctx, run->graph, &run->options, &s->terms));
    HD_TRY(hd_pr_each_columns(run));
    HD_TRY(open_device(s));
    HD_TRY(HD_NEW(run->ctx, &s->out, s->n, "out-degrees"));
    HD_TRY(HD_NEW(run->ctx, &s->shares, (uint64_t)s->n * s->width, "shares"));
    HD_TRY(hd_pr_each_out(run->ctx, run->graph, &s->terms, s->out));
    HD_TRY(s->s.device->upload(s->s.device, &s->out_there, 0, s->out, (uint64_t)s->n * sizeof *s->out));
    HD_TRY(s->s.device->upload(s->s.device, &s->factors, 0, factors, sizeof factors));
    HD_TRY(hd_row_sums_open(&s->in, &s->s.resident->in));
    hd_phase_total(run->ctx, count);
    hd_rounds_mark(run->ctx);
    for (uint64_t k = 0; k < count; k += EACH_COLUMNS, hd_advance(run->ctx, EACH_COLUMNS))
        HD_TRY(one_batch(s, k, (uint32_t)(count - k < EACH_COLUMNS ? count - k : EACH_COLUMNS), change, converged));
    hd_structure_report(&s->s, run->options.device, "fast");
    return HEDDLE_OK;
}

heddle_status hd_pr_each_on_device(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    surfers s = {.s = {.ctx = ctx}, .run = run, .n = (uint32_t)run->graph->vertices};
    double change = 0;
    bool converged = true;
    HD_TRY(run->algorithm->check(ctx, run->graph, &run->options));
    s.width = hd_pr_each_width(run->options.source_count);
    hd_phase_begin(ctx, "compute", 0);
    heddle_status status = compute(&s, &change, &converged);
    if (status == HEDDLE_OK)
        hd_pr_each_figures(run, change, converged);
    hd_phase_end(ctx);
    HD_DELETE(&ctx->allocator, s.out, s.n);
    HD_DELETE(&ctx->allocator, s.shares, (uint64_t)s.n * s.width);
    hd_structure_close(&s.s);
    return status;
}
