/* pr.c - PageRank (Page, Brin, Motwani, Winograd 1999), defined as NetworkX defines it.
 *
 * A round F gives every vertex v
 *     F(x)(v) = p(v) * (1 - d + d * D) + d * sum over in-edges u -> v of x(u) / out(u),
 * where p is uniform or the personalisation, D the rank of the vertices without out-edges, out(u) the number (or total
 * weight) of u's out-edges. Rounds are strict, or of several waves; in both cases any number of threads gives the same
 * bits. Undirected graphs need fewer rounds: they extrapolate (pr_pace.h) and start close to the result (start_at).
 *
 * These shortcuts converge to the same ranks. A run that does not converge within its rounds must return what that many
 * rounds of the definition give: as soon as it is clear that it will not converge, it is restarted with plain rounds.
 */
#include "algorithm/algorithm.h"
#include "algorithm/pr/pr_device.h"
#include "algorithm/pr/pr_disk.h"
#include "algorithm/pr/pr_each.h"
#include "algorithm/pr/pr_pace.h"
#include "algorithm/pr/pr_round.h"
#include "algorithm/program/program_run.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"

#include <math.h>

enum {
    WAVES = 4,                /* with more waves, little more is new to each, and threads have less work */
    WAVES_DENSE = 8,          /* edges per vertex */
    WAVES_VERTICES = 1 << 12, /* with fewer, barriers cost more than waves save */
    LANES = 4,                /* partial sums, so that no addition waits for the one before */
    FEW_ROUNDS = 8            /* if rows that miss the caches need more rounds than this, grouping the edges pays off */
};
static const double waves_ratio = 0.4;

/* Results of the first pass over all vertices. */
typedef struct census {
    uint64_t dangling, longest_row;
    double total; /* of all out(u) */
} census;

/* The first ranks: even * p(v) + by_out * out(v). */
typedef struct first_ranks {
    double even, by_out;
} first_ranks;

/* Returns the value as it was stored. */
static double put(void *values, uint64_t i, double value, bool single) {
    if (!single)
        return ((double *)values)[i] = value;
    return (double)(((float *)values)[i] = (float)value);
}

static double get(const void *values, uint64_t i, bool single) {
    return single ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static uint64_t strip_end(const hd_ranking *r, uint64_t strip) {
    uint64_t from = strip * HD_RANK_STRIP;
    return r->vertices - from < HD_RANK_STRIP ? r->vertices : from + HD_RANK_STRIP;
}

/* ---- Start --------------------------------------------------------------------------------------------------- */

static double out_of(const hd_ranking *r, const heddle_adjacency *out, uint64_t v) {
    double total = 0;
    if (!r->terms.weights)
        return (double)(out->offsets[v + 1] - out->offsets[v]);
    for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++)
        total += hd_weight_at(out->weights, r->terms.weights, e);
    return total;
}

/* Fills `out`. */
static census take_census(hd_ranking *r, const heddle_adjacency *out) {
    uint64_t dangling = 0, longest = 0;
    double total = 0;
    HD_PARALLEL_FOR(r->ctx, schedule(dynamic, 16) reduction(+ : dangling)
                                reduction(max : longest) if (r->vertices >= HD_WORTH_THREADS))
    for (uint64_t strip = 0; strip < r->strips; strip++) {
        double sum = 0;
        for (uint64_t v = strip * HD_RANK_STRIP; v < strip_end(r, strip); v++) {
            double value = out_of(r, out, v);
            uint64_t row = out->offsets[v + 1] - out->offsets[v];
            longest = row > longest ? row : longest;
            sum += value;
            dangling += !(value > 0);
            put(r->out, v, value > 0 ? value : -1, r->single);
        }
        r->tallies[strip].change = sum;
    }
    for (uint64_t strip = 0; strip < r->strips; strip++)
        total += r->tallies[strip].change;
    return (census){dangling, longest, total};
}

/* The first ranks. On an undirected graph the stationary distribution without jumps is proportional to out(v). One
 * round from there, with the final rank of the vertices without edges, is close to the result on graphs of mixed
 * neighbourhoods. Otherwise, and with a personalisation, which may be far from uniform, rounds start at p, as in the
 * definition. */
static first_ranks start_at(const hd_ranking *r, const census *seen) {
    if (!r->ahead || r->terms.personal || !(seen->total > 0))
        return (first_ranks){1, 0};
    double spread = (1 - r->damping) / (1 - r->damping * (double)seen->dangling / (double)r->vertices);
    return (first_ranks){spread, (1 - spread) / seen->total};
}

/* Initial shares of a strip. */
static void start_strip(hd_ranking *r, uint64_t strip, first_ranks first) {
    double dangling = 0;
    for (uint64_t v = strip * HD_RANK_STRIP; v < strip_end(r, strip); v++) {
        double out = get(r->out, v, r->single), part = r->terms.personal ? r->terms.personal[v] : 1;
        bool dangles = out < 0;
        double rank = first.even * part * r->terms.personal_scale + (dangles ? 0 : first.by_out * out);
        double share = put(r->share, v, rank / out, r->single);
        if (r->codes)
            r->codes[v] = dangles ? 0 : (uint8_t)out;
        if (r->ahead)
            put(r->other, v, share, r->single);
        dangling += dangles ? -share : 0;
    }
    r->tallies[strip].dangling = dangling;
}

static heddle_status make_vectors(hd_ranking *r, heddle_result *result) {
    heddle_context *ctx = r->ctx;
    size_t bytes = hd_rank_bytes(r);
    r->strips = (r->vertices + HD_RANK_STRIP - 1) / HD_RANK_STRIP;
    HD_TRY(hd_result_values_new(ctx, result, r->single ? HEDDLE_VALUE_F32 : HEDDLE_VALUE_F64, r->vertices));
    r->share = result->values;
    HD_TRY(hd_new(ctx, &r->other, r->vertices, bytes, false, "shares"));
    HD_TRY(hd_new(ctx, &r->out, r->vertices, bytes, false, "out-degrees"));
    return HD_NEW(ctx, &r->tallies, r->strips + hd_tally_groups(r->strips), "changes");
}

/* Fills the shares. */
static void begin(hd_ranking *r, first_ranks first) {
    double dangling = 0;
    for (int out = 1; out < HD_RANK_CODES; out++) {
        double share = (first.even * r->terms.personal_scale + first.by_out * out) / out;
        r->coded[out] = r->single ? (double)(float)share : share;
    }
    HD_PARALLEL_FOR(r->ctx, schedule(static) if (r->vertices >= HD_WORTH_THREADS))
    for (uint64_t strip = 0; strip < r->strips; strip++)
        start_strip(r, strip, first);
    for (uint64_t strip = 0; strip < r->strips; strip++)
        dangling += r->tallies[strip].dangling;
    r->scale = r->was_scale = 1;
    r->spread = 1 - r->damping + r->damping * dangling;
}

static heddle_status start(hd_ranking *r, const heddle_graph *graph, heddle_result *result) {
    heddle_adjacency out;
    HD_TRY(r->terms.weights ? heddle_graph_out(r->ctx, graph, &out) : hd_graph_bare(r->ctx, graph, false, &out));
    r->ahead = !graph->directed;
    HD_TRY(make_vectors(r, result));
    census seen = take_census(r, &out);
    r->any_dangling = seen.dangling > 0;
    HD_TRY(hd_ranking_edges(r, &out, graph->directed ? NULL : &out, seen.longest_row));
    begin(r, start_at(r, &seen));
    return HEDDLE_OK;
}

/* ---- Rounds and end ------------------------------------------------------------------------------------------ */

/* Rounds of several waves pay off in the beginning if every vertex has many neighbours all over the graph: changes then
 * shrink fast, and half of what a wave reads is new. Once changes shrink slowly, strict rounds are better on undirected
 * graphs. */
static uint64_t choose_waves(const hd_ranking *r, const heddle_graph *graph, uint64_t waves, double ratio) {
    if (graph->edges < WAVES_DENSE * graph->vertices || graph->vertices < WAVES_VERTICES || !(r->damping > 0) ||
        r->even || r->plain)
        return 1;
    return r->ahead && (waves == 1 || ratio > waves_ratio) ? 1 : WAVES;
}

/* Whether changes that shrink by `ratio` need more than a few rounds to reach the tolerance. */
static bool many_rounds_left(double change, double ratio, double tolerance) {
    return ratio > 0 && !(change * pow(ratio, FEW_ROUNDS) < tolerance);
}

/* Returns the change of the last round, which never extrapolates: its change bounds the residual. A run that may differ
 * from the definition gives up if the remaining rounds will not suffice. */
static heddle_status do_rounds(hd_ranking *r, const heddle_graph *graph, const heddle_run_options *options,
                               heddle_report *report, double *change) {
    double degree = (double)graph->edges / (double)graph->vertices; /* for the known eigenvalues of random graphs */
    hd_pace pace =
        hd_pace_start(options->damping, options->tolerance, r->even ? 2 * options->damping / sqrt(degree) : 0);
    double ratio = 0;
    r->waves = WAVES;
    report->converged = r->vertices == 0;
    hd_rounds_mark(r->ctx);
    while (!report->converged && report->iterations < options->max_iterations) {
        bool last = report->iterations + 1 == options->max_iterations;
        double previous = *change;
        r->waves = choose_waves(r, graph, r->waves, ratio);
        r->onward = r->ahead && !last && r->waves == 1 ? hd_pace_onward(&pace) : 0;
        *change = hd_ranking_round(r);
        HD_TRY(hd_cancelled_status(r->ctx));
        hd_pace_note(&pace, r->onward, *change);
        HD_ROUND(r->ctx, .rounds = 1, .vertices = r->vertices, .edges = graph->edges,
                 .weight_bytes = hd_weight_size(r->terms.weights), .direction = HEDDLE_DIRECTION_PULL,
                 .kernel = r->waves > 1         ? "waves"
                           : r->rows.in.offsets ? "rows"
                                                : "groups");
        ratio = previous > 0 ? *change / previous : 0;
        report->iterations++;
        report->edges_walked += graph->edges;
        r->differs |= r->ahead || r->waves > 1;
        report->converged = *change < options->tolerance && !(r->onward > 0);
        if (r->tried && !report->converged && many_rounds_left(*change, ratio, options->tolerance))
            HD_TRY(hd_ranking_regroup(r));
        if (r->differs && !report->converged &&
            hd_pace_hopeless(*change, options->max_iterations - report->iterations, options->tolerance))
            break;
    }
    return HEDDLE_OK;
}

/* The same again, exactly as defined. */
static heddle_status do_plain_rounds(hd_ranking *r, const heddle_graph *graph, const heddle_run_options *options,
                                     heddle_report *report, double *change) {
    r->plain = true;
    r->ahead = r->differs = false;
    r->onward = *change = 0;
    report->iterations = 0;
    begin(r, (first_ranks){1, 0});
    return do_rounds(r, graph, options, report, change);
}

/* Computes ranks from the shares, scales them and adds the figures. */
static void add_figures(const hd_ranking *r, double change, heddle_result *result) {
    double sum = 0, most = 0;
    HD_PARALLEL_FOR(r->ctx, schedule(static) if (r->vertices >= HD_WORTH_THREADS))
    for (uint64_t strip = 0; strip < r->strips; strip++) {
        double sums[LANES] = {0}, largest[LANES] = {0};
        for (uint64_t v = strip * HD_RANK_STRIP; v < strip_end(r, strip); v++) {
            double rank = get(r->share, v, r->single) * get(r->out, v, r->single) * r->scale;
            rank = put(r->share, v, rank, r->single);
            sums[v % LANES] += rank;
            largest[v % LANES] = rank > largest[v % LANES] ? rank : largest[v % LANES];
        }
        r->tallies[strip] = (hd_rank_tally){0, 0, 0};
        for (int k = 0; k < LANES; k++) {
            r->tallies[strip].sum += sums[k];
            r->tallies[strip].change = fmax(r->tallies[strip].change, largest[k]);
        }
    }
    for (uint64_t strip = 0; strip < r->strips; strip++) {
        sum += r->tallies[strip].sum;
        most = r->tallies[strip].change > most ? r->tallies[strip].change : most;
    }
    hd_result_residual(result, change);
    hd_result_figure(result, "max", most);
    hd_result_figure(result, "sum", sum);
}

/* The ranks may be in either of two arrays: the result takes that one. */
static void finish(hd_ranking *r, heddle_result *result) {
    const heddle_allocator *allocator = &r->ctx->allocator;
    size_t bytes = r->vertices * hd_rank_bytes(r);
    if (r->other)
        result->values = r->share;
    hd_ranking_edges_free(r);
    hd_free(allocator, r->other, bytes);
    hd_free(allocator, r->out, bytes);
    HD_DELETE(allocator, r->tallies, r->strips + hd_tally_groups(r->strips));
}

static heddle_status check_pr(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    hd_rank_terms terms;
    if (!options->each && options->source_count)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "pr: sources need each, for ranks from one at a time; personalization lets jumps go to several "
                       "at once");
    if (options->each && (!options->source_count || options->personalization || options->max_error > 0))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "each: pr expected %s",
                       !options->source_count     ? "sources"
                       : options->personalization ? "sources without a personalisation: all jumps go to the source"
                                                  : "a tolerance, not max_error");
    return hd_rank_terms_of(ctx, graph, options, &terms);
}

static heddle_status run_pr(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    const heddle_run_options *options = &run->options;
    heddle_result *result = run->result;
    bool single = options->precision != HEDDLE_PRECISION_DOUBLE;
    hd_ranking r = {.ctx = ctx, .vertices = graph->vertices, .damping = options->damping};
    heddle_status status;
    double change = 0;
    HD_TRY(check_pr(ctx, graph, options));
    HD_TRY(hd_rank_terms_of(ctx, graph, options, &r.terms));
    r.single = single && !r.terms.weights && options->tolerance >= HD_RANK_SINGLE_TOLERANCE;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(start(&r, graph, result));
    HD_CHECK(do_rounds(&r, graph, options, &result->report, &change));
    if (r.differs && !result->report.converged)
        HD_CHECK(do_plain_rounds(&r, graph, options, &result->report, &change));
    add_figures(&r, change, result);
out:
    finish(&r, result);
    if (status == HEDDLE_OK && single && !r.single) /* computed in double */
        status = hd_result_to_single(ctx, result);
    hd_phase_end(ctx);
    return status;
}

/* ---- The error budget ------------------------------------------------------------------------------------------ */

/* Changes shrink at least by the damping from one plain round to the next, from at most 2: without a limit of the
 * user's there are as many rounds as that may take. */
static heddle_status prepare_budget(hd_run *run) {
    heddle_run_options *options = &run->options;
    if (options->tolerance > 0)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT, "max_error and tolerance: expected one or the other");
    HD_TRY(hd_rank_tolerance(run->ctx, run->graph, options, &options->tolerance));
    if (options->max_iterations == 0) {
        double rounds = options->damping > 0 ? log(options->tolerance / 2) / log(options->damping) : 0;
        options->max_iterations = rounds > 98 ? (uint64_t)(rounds < 1e15 ? rounds : 1e15) + 2 : 100;
    }
    return HEDDLE_OK;
}

static double bound(const hd_run *run) {
    if (run->graph->vertices == 0)
        return 0;
    return isnan(run->result->residual) ? -1 : hd_rank_bound(run->graph, &run->options, run->result->residual);
}

/* The share of the jumps that a vertex gets. */
static double least(const hd_run *run) {
    return run->options.personalization ? 0 : (1 - run->options.damping) / (double)run->graph->vertices;
}

static void prove(const hd_run *run) {
    run->result->report.error_bound = bound(run);
    run->result->report.approximate = 1;
}

/* As exact as doubles allow, about. */
static bool exact_options(const heddle_graph *graph, heddle_run_options *options) {
    (void)graph;
    options->tolerance = options->max_error * (1 - options->damping) * 1e-3;
    options->tolerance = options->tolerance > 1e-13 ? options->tolerance : 1e-13;
    options->precision = HEDDLE_PRECISION_DOUBLE;
    options->max_iterations = UINT64_C(1) << 40;
    return true;
}

static double l1_error(const heddle_graph *graph, const heddle_run_options *options, double sum, double most) {
    (void)graph, (void)options, (void)most;
    return sum;
}

/* Bytes per edge on an undirected graph: 4, unless it works row by row. Long rows are used in place if the ranks fit in
 * the caches or no row is much longer than others; short rows take two bytes per edge if ids have locality. */
static double row_bytes(const heddle_graph *graph, const heddle_run_options *options, uint64_t longest) {
    double vertices = (double)graph->vertices, edges = (double)graph->edges;
    double ranks = vertices * (options->precision == HEDDLE_PRECISION_DOUBLE ? 8 : 4);
    bool even = (double)longest * vertices <= 4 * edges && ranks <= 32 << 20;
    if (options->weighted || (double)longest > edges / 64)
        return 4;
    if (edges < 8 * vertices)
        return 3;
    return ranks <= 2 << 20 || even ? 0 : 4;
}

static heddle_status host_bytes_of_edges(const hd_run *run, double *bytes) {
    uint64_t longest = 0;
    if (run->options.each) {
        *bytes = hd_pr_each_host_bytes(run);
        return HEDDLE_OK;
    }
    if (!run->graph->directed) { /* the offsets alone: the edges may be more than memory holds */
        HD_TRY(hd_graph_verify(run->ctx, run->graph, HD_VERIFY_OFFSETS));
        const uint64_t *offsets = run->graph->out.offsets;
        for (uint64_t v = 0; v < run->graph->vertices; v++)
            longest = offsets[v + 1] - offsets[v] > longest ? offsets[v + 1] - offsets[v] : longest;
    }
    *bytes = (double)run->graph->edges * (run->graph->directed ? 4 : row_bytes(run->graph, &run->options, longest));
    return HEDDLE_OK;
}

#define OPTIONS(X, WITH_WORDS)                                         \
    X(sources)                                                         \
    X(each)                                                            \
    X(damping)                                                         \
    WITH_WORDS(tolerance, "stop when the ranks change by less in all") \
    X(max_iterations) X(personalization) X(weighted) X(precision)

const hd_algorithm hd_algorithm_pr = {
    HD_ALGORITHM_INFO("pr", "PageRank: how often a random surfer is at a vertex", OPTIONS),
    .column = "pagerank",
    .limit = true,
    HD_EXECUTORS(
        {HD_ON_CPU, .each = true, .run = hd_pr_each}, {HD_ON_CPU, .run = run_pr},
        {HD_ON_CPU, HD_IN_FILE, .refuse = hd_pr_refuse_terms, .wants = hd_pr_disk_wants, .run = hd_pr_from_disk},
        {HD_ON_DEVICE, .each = true, .doubles = true, .bytes = hd_pr_each_device_bytes, .run = hd_pr_each_on_device},
        {HD_ON_DEVICE, .refuse = hd_pr_refuse_doubles, .bytes = hd_pr_device_bytes, .run = hd_device_pr},
        {HD_ANYWHERE, .program = true, .refuse = hd_pr_refuse_program, .check = hd_program_check,
         .bytes = hd_program_bytes, .run = hd_pr_program}),
    .host_bytes = {.vertex = 12, .in_double = 12, .more = host_bytes_of_edges},
    .program = "pr",
    .searches = hd_searches_each,
    .results = HD_RESULTS_VALUES,
    .host_restores = true,
    .cpu_orders = {&hd_order_bfs, &hd_order_degree},
    .cost = {32, 0.1},
    .check = check_pr,
    .shortcuts = HD_SHORTCUTS_APPROXIMATE,
    .reference = hd_reference_pr,
    .verify = hd_verify_pr,
    .budget = {.prepare = prepare_budget,
               .prove = prove,
               .bound = bound,
               .least = least,
               .exact = exact_options,
               .error = l1_error},
    .tolerance = 1e-6,
    .max_iterations = 100,
};
