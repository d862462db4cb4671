/* power_device.c - power iterations on a device: rounds of row_sums.cl and power.cl, queued ahead of the host, which
 * looks at the state words after every few of them. See power.h. */
#include "algorithm/power/power.h"
#include "algorithm/power/row_sums.h"
#include "engine/device/stall.h"

extern const char hd_text_kernels_row_sums[], hd_text_kernels_power[];

enum {
    FIRST_BATCH = 4, /* rounds before the host looks for the first time, */
    BATCH = 16,      /* and at most: twice as many each time */
    TALLY_BYTES = 16,
    TERMS_BYTES = 3 * 8
};

enum { START, MEASURE, TURN, MARK, PROVE, KERNELS };
static const char *const names[KERNELS] = {"power_start", "power_measure", "power_turn", "power_mark", "power_prove"};

typedef struct powers {
    hd_structure s;
    const hd_power_rule *rule;
    const heddle_run_options *options;
    hd_row_sums in, out; /* rows of both directions */
    hd_buffer x[2], step, words_there, numbers_there, partials, terms, plain;
    void *kernel[KERNELS];
    uint32_t n, groups, words[POWER_WORDS];
    double numbers[POWER_NUMBERS];
    hd_power_alpha alpha;
} powers;

static bool both_ways(const powers *p) { return p->s.graph->directed && (p->rule->two_steps || p->rule->walks); }

static int wanted(const powers *p) {
    return HD_WANT_IN | (both_ways(p) ? HD_WANT_OUT : 0) |
           (hd_power_weights(p->s.graph, p->options) ? HD_WANT_WEIGHTS : 0);
}

static heddle_status make_buffers(powers *p, uint64_t groups) {
    uint64_t values = p->s.graph->vertices * 8;
    HD_TRY(hd_structure_buffer(&p->s, values, "values", &p->x[0]));
    HD_TRY(hd_structure_buffer(&p->s, values, "values", &p->x[1]));
    HD_TRY(hd_structure_buffer(&p->s, values, "sums", &p->step));
    HD_TRY(hd_structure_buffer(&p->s, sizeof p->words, "the state", &p->words_there));
    HD_TRY(hd_structure_buffer(&p->s, sizeof p->numbers, "numbers", &p->numbers_there));
    HD_TRY(hd_structure_buffer(&p->s, TERMS_BYTES, "terms", &p->terms));
    HD_TRY(hd_structure_buffer(&p->s, TERMS_BYTES, "terms", &p->plain));
    HD_TRY(hd_structure_buffer(&p->s, groups * TALLY_BYTES, "partial sums", &p->partials));
    HD_TRY(hd_row_sums_buffers(&p->in, &p->s, 1));
    return both_ways(p) ? hd_row_sums_buffers(&p->out, &p->s, 1) : HEDDLE_OK;
}

heddle_status hd_power_device_bytes(const hd_device_request *r, const hd_power_rule *rule, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    powers p = {.s = {.ctx = r->run->ctx, .graph = graph}, .rule = rule, .options = &r->run->options};
    int want = wanted(&p);
    HD_TRY(make_buffers(&p, hd_kernels_most_groups(r->info, graph->vertices)));
    *bytes = p.s.bytes + hd_structure_rows(graph, want);
    if ((want & HD_WANT_WEIGHTS) && hd_weight_size(graph->weight_type) == 8)
        *bytes += graph->edges * 4 * (both_ways(&p) ? 2 : 1);
    return HEDDLE_OK;
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

#define LAUNCH(p, which, ...) HD_LAUNCH(&(p)->s.kernels, (p)->kernel[which], names[which], (p)->groups, __VA_ARGS__)

/* Measures y, with x where the purpose needs it, and draws the consequences. */
static heddle_status measure(powers *p, uint32_t norm, uint32_t what, const hd_buffer *x, const hd_buffer *y) {
    uint32_t scaled = p->rule->scaled;
    HD_TRY(LAUNCH(p, MEASURE, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(norm), HD_ARGUMENT_VALUE(what),
                  HD_ARGUMENT_BUFFER(*x), HD_ARGUMENT_BUFFER(*y), HD_ARGUMENT_BUFFER(p->words_there),
                  HD_ARGUMENT_BUFFER(p->numbers_there), HD_ARGUMENT_BUFFER(p->partials)));
    return HD_LAUNCH(&p->s.kernels, p->kernel[TURN], names[TURN], 1, HD_ARGUMENT_VALUE(p->groups),
                     HD_ARGUMENT_VALUE(norm), HD_ARGUMENT_VALUE(what), HD_ARGUMENT_VALUE(scaled),
                     HD_ARGUMENT_BUFFER(p->partials), HD_ARGUMENT_BUFFER(p->words_there),
                     HD_ARGUMENT_BUFFER(p->numbers_there), HD_ARGUMENT_BUFFER(p->terms));
}

static heddle_status queue_round(powers *p, uint64_t round) {
    const hd_power_rule *rule = p->rule;
    const hd_row_sums *in = &p->in, *out = both_ways(p) ? &p->out : in;
    const hd_buffer *x = &p->x[round % 2], *y = &p->x[!(round % 2)], *from = x;
    uint32_t norm = (uint32_t)rule->norm;
    bool swapped = rule->two_steps && p->options->hubs;
    if (rule->two_steps) {
        HD_TRY(hd_row_sums_queue(swapped ? in : out, x, &p->step, &p->plain, &p->words_there));
        HD_TRY(measure(p, norm, POWER_STEP, x, &p->step));
        from = &p->step;
    }
    HD_TRY(hd_row_sums_queue(swapped ? out : in, from, y, &p->terms, &p->words_there));
    if (rule->scaled)
        HD_TRY(measure(p, norm, POWER_NORM, x, y));
    return measure(p, norm, POWER_ROUND, x, y);
}

static heddle_status look(powers *p) {
    HD_TRY(p->s.device->download(p->s.device, p->numbers, &p->numbers_there, 0, sizeof p->numbers));
    return hd_structure_look(&p->s, &p->words_there, p->words, sizeof p->words);
}

/* Tries to prove that the sums diverge (power.h); the values before the last ones are overwritten. */
static heddle_status try_proof(powers *p) {
    const hd_buffer *now = &p->x[p->words[POWER_ITERATION] % 2], *sums = &p->x[!(p->words[POWER_ITERATION] % 2)];
    uint64_t flags = POWER_MARKED * 4;
    hd_device *device = p->s.device;
    double terms[3] = {0, 0, p->alpha.alpha};
    HD_TRY(device->upload(device, &p->plain, 0, terms, sizeof terms));
    HD_TRY(device->fill(device, &p->words_there, flags, 0, 8));
    HD_TRY(LAUNCH(p, MARK, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_BUFFER(*now), HD_ARGUMENT_BUFFER(*sums),
                  HD_ARGUMENT_BUFFER(p->step)));
    HD_TRY(hd_row_sums_queue(&p->in, &p->step, sums, &p->plain, &p->words_there));
    HD_TRY(LAUNCH(p, PROVE, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_BUFFER(p->step), HD_ARGUMENT_BUFFER(*sums),
                  HD_ARGUMENT_BUFFER(p->words_there)));
    HD_TRY(look(p));
    if (!p->words[POWER_MARKED] || p->words[POWER_SMALLER])
        return HEDDLE_OK;
    HD_TRY(hd_row_sums_queue(&p->in, now, sums, &p->plain, &p->words_there));
    HD_TRY(measure(p, POWER_MOST, POWER_RATIO, now, sums));
    HD_TRY(look(p));
    return hd_power_diverges(p->s.ctx, &p->alpha, p->numbers[POWER_GROWN]);
}

static heddle_status iterate(powers *p) {
    uint64_t round = 0, batch = FIRST_BATCH, edges = p->s.graph->edges;
    hd_stall stall = {.looks = 0};
    hd_rounds_mark(p->s.ctx);
    while (!p->words[POWER_DONE]) {
        uint64_t before = p->words[POWER_ITERATION], rounds;
        for (uint64_t i = 0; i < batch; i++)
            HD_TRY(queue_round(p, round++));
        HD_TRY(look(p));
        rounds = p->words[POWER_ITERATION] - before;
        HD_ROUND(p->s.ctx, .rounds = rounds, .vertices = rounds * p->n, .edges = rounds * edges,
                 .direction = HEDDLE_DIRECTION_PULL, .kernel = "sums");
        HD_TRY(hd_stall_check(&stall, p->s.ctx, p->s.device, p->words, sizeof p->words));
        if (p->words[POWER_TOO_LARGE] && p->rule->walks)
            return hd_power_too_large(p->s.ctx, &p->alpha);
        if (!p->words[POWER_DONE] && hd_power_alpha_due(&p->alpha, p->words[POWER_ITERATION]))
            HD_TRY(try_proof(p));
        batch = batch < BATCH ? 2 * batch : BATCH;
    }
    return HEDDLE_OK;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

/* The largest sum of a row: that of values that are all 1, as they are now. */
static heddle_status largest_sum(powers *p, const hd_row_sums *rows, double *most) {
    HD_TRY(hd_row_sums_queue(rows, &p->x[0], &p->x[1], &p->plain, &p->words_there));
    HD_TRY(measure(p, POWER_MOST, POWER_STEP, &p->x[0], &p->x[1]));
    HD_TRY(look(p));
    *most = p->numbers[POWER_GROWN];
    return HEDDLE_OK;
}

static heddle_status open_alpha(powers *p) {
    double in, out;
    HD_TRY(largest_sum(p, &p->in, &in));
    out = in;
    if (both_ways(p))
        HD_TRY(largest_sum(p, &p->out, &out));
    hd_power_alpha_choose(p->options->alpha, in, out, &p->alpha);
    return HEDDLE_OK;
}

static heddle_status begin(powers *p) {
    static const double plain[3] = {0, 0, 1};
    hd_device *device = p->s.device;
    double first = hd_power_first(p->rule, p->n);
    p->numbers[POWER_TOLERANCE] = p->options->tolerance;
    p->numbers[POWER_SCALE] = 1;
    p->words[POWER_LIMIT] = p->options->max_iterations > UINT32_MAX ? 0 : (uint32_t)p->options->max_iterations;
    HD_TRY(device->upload(device, &p->words_there, 0, p->words, sizeof p->words));
    HD_TRY(device->upload(device, &p->numbers_there, 0, p->numbers, sizeof p->numbers));
    HD_TRY(device->upload(device, &p->plain, 0, plain, sizeof plain));
    HD_TRY(LAUNCH(p, START, HD_ARGUMENT_VALUE(p->n), HD_ARGUMENT_VALUE(first), HD_ARGUMENT_BUFFER(p->x[0])));
    HD_TRY(hd_row_sums_open(&p->in, &p->s.resident->in));
    if (both_ways(p))
        HD_TRY(hd_row_sums_open(&p->out, &p->s.resident->out));
    if (p->rule->walks)
        HD_TRY(open_alpha(p));
    double terms[3] = {p->rule->add, p->rule->own, p->rule->walks ? p->alpha.alpha : 1};
    return device->upload(device, &p->terms, 0, terms, sizeof terms);
}

/* The values before the last round. */
static heddle_status do_rounds(powers *p) {
    heddle_report *report = &p->s.result->report;
    HD_TRY(hd_structure_start(&p->s));
    HD_TRY(begin(p));
    HD_TRY(iterate(p));
    HD_TRY(hd_structure_stop(&p->s));
    report->iterations = p->words[POWER_ITERATION];
    report->edges_walked = report->iterations * p->s.graph->edges;
    return hd_structure_values(&p->s, &p->x[!(p->words[POWER_ITERATION] % 2)], false);
}

static heddle_status open_device(powers *p, const hd_run *run) {
    static const char *const texts[] = {hd_text_kernels_row_sums, hd_text_kernels_power, NULL};
    p->s.graph = run->graph;
    HD_TRY(hd_structure_open(&p->s, run->ctx, run->graph, run->options.device, wanted(p), run->result));
    hd_kernels_text text = {.name = "power",
                            .texts = texts,
                            .wide = p->s.resident->wide,
                            .weights = hd_power_weights(run->graph, p->options)};
    HD_TRY(hd_kernels_open(p->s.device, &text, &run->result->report, &p->s.kernels));
    for (int i = 0; i < KERNELS; i++)
        HD_TRY(hd_kernels_find(&p->s.kernels, names[i], &p->kernel[i]));
    p->n = (uint32_t)run->graph->vertices;
    p->groups = hd_kernels_groups(&p->s.kernels, p->n);
    return make_buffers(p, p->groups);
}

static heddle_status compute(powers *p, const hd_run *run) {
    heddle_result *result = run->result;
    HD_TRY(run->algorithm->check(run->ctx, run->graph, &run->options));
    HD_TRY(open_device(p, run));
    HD_TRY(hd_result_values_new(run->ctx, result, HEDDLE_VALUE_F64, p->n));
    p->words[POWER_CONVERGED] = p->n == 0;
    if (p->n)
        HD_TRY(do_rounds(p));
    else
        hd_power_alpha_choose(p->options->alpha, 0, 0, &p->alpha);
    hd_structure_report(&p->s, run->options.device, "fast");
    result->report.converged = (int)p->words[POWER_CONVERGED];
    hd_result_residual(result, p->numbers[POWER_CHANGE]);
    hd_power_close(run, p->rule, &p->alpha, p->numbers[POWER_GROWN]);
    return HEDDLE_OK;
}

heddle_status hd_power_run_device(const hd_run *run, const hd_power_rule *rule) {
    powers p = {.s = {.ctx = run->ctx}, .rule = rule, .options = &run->options};
    hd_phase_begin(run->ctx, "compute", 0);
    heddle_status status = compute(&p, run);
    hd_phase_end(run->ctx);
    hd_structure_close(&p.s);
    return status;
}
