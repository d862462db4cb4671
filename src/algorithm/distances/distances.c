/* distances.c - see distances.h. */
#include "algorithm/distances/distances.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>

static const double default_confidence = 0.9;
static const double exact_work =
    0x1p36; /* edges that an exact run for comparison may walk, 64 searches counted as one */

/* ---- Sources ---------------------------------------------------------------------------------------------------- */

heddle_status hd_distances_check(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options) {
    (void)graph;
    return hd_sources_check(ctx, options);
}

uint64_t hd_distances_searches(const heddle_graph *graph, const heddle_run_options *options) {
    uint64_t count = options->source_count                                    ? options->source_count
                     : options->samples && options->samples < graph->vertices ? options->samples
                                                                              : graph->vertices;
    return (count + 63) / 64; /* so many side by side are about one */
}

bool hd_distances_exact(const heddle_graph *graph, heddle_run_options *options) {
    options->samples = 0;
    return (double)graph->vertices / 64 * (double)(graph->vertices + graph->edges) <= exact_work;
}

static heddle_status open_sources(hd_distances *d) {
    const hd_run *run = d->run;
    HD_TRY(hd_sources_of(run->ctx, run->graph, &run->options, &d->sources));
    d->all = !d->sources.list;
    d->sampled = d->sources.drawn != NULL;
    if (d->all)
        return HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(run->ctx, &d->own, run->graph->vertices, "sources"));
    for (uint64_t i = 0; i < d->sources.count; i++)
        d->own[hd_source_at(&d->sources, i)]++;
    return HEDDLE_OK;
}

/* ---- What is proven --------------------------------------------------------------------------------------------- */

bool hd_distances_complete(const hd_distances *d) {
    uint64_t n = d->run->graph->vertices, missing = 0;
    HD_PARALLEL_FOR(d->run->ctx, schedule(static) reduction(+ : missing) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        missing += d->sums.reached[v] < hd_distances_others(d, v);
    return missing == 0;
}

uint32_t hd_distances_most(const hd_distances *d) {
    uint32_t least = UINT32_MAX / 2;
    if (!d->sums.depths || !hd_distances_complete(d))
        return 0;
    for (uint64_t i = 0; i < d->sources.count; i++)
        least = d->sums.depths[i] < least ? d->sums.depths[i] : least;
    return 2 * least; /* by way of that source */
}

double hd_distances_confidence(const heddle_run_options *options) {
    return options->confidence > 0 ? options->confidence : default_confidence;
}

double hd_distances_sampling(uint64_t vertices, uint64_t samples, double confidence) {
    double drawn = (double)samples - 1; /* the vertex itself may be one of them */
    if (drawn < 1)
        return HUGE_VAL;
    double left = 1 - (drawn - 1) / ((double)vertices - 1), risk = 1 - confidence;
    return sqrt(left * log(2 * (double)vertices / risk) / (2 * drawn));
}

void hd_distances_bound(const hd_distances *d, double bound) {
    heddle_report *report = &d->run->result->report;
    report->approximate = 1;
    report->error_bound = bound;
    report->confidence = bound < 0 ? 1 : hd_distances_confidence(&d->run->options);
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

static heddle_status open_sums(hd_distances *d, int sums) {
    heddle_context *ctx = d->run->ctx;
    uint64_t n = d->run->graph->vertices;
    HD_TRY(HD_NEW_ZERO(ctx, &d->sums.reached, n, "sources that reach a vertex"));
    if (sums & HD_DISTANCES_SUM)
        HD_TRY(HD_NEW_ZERO(ctx, &d->sums.sum, n, "sums of distances"));
    if (sums & HD_DISTANCES_FAR)
        HD_TRY(HD_NEW_ZERO(ctx, &d->sums.far, n, "largest distances"));
    if (sums & HD_DISTANCES_NEAR)
        HD_TRY(HD_NEW_ZERO(ctx, &d->sums.near, n, "sums of nearness"));
    if (!d->all && !d->run->graph->directed)
        HD_TRY(HD_NEW_ZERO(ctx, &d->sums.depths, d->sources.count, "depths of searches"));
    return HEDDLE_OK;
}

static void close_sums(hd_distances *d) {
    const heddle_allocator *allocator = &d->run->ctx->allocator;
    uint64_t n = d->run->graph->vertices;
    HD_DELETE(allocator, d->sums.reached, n);
    HD_DELETE(allocator, d->sums.sum, n);
    HD_DELETE(allocator, d->sums.far, n);
    HD_DELETE(allocator, d->sums.near, n);
    HD_DELETE(allocator, d->sums.depths, d->sources.count);
    HD_DELETE(allocator, d->own, n);
    hd_sources_free(d->run->ctx, d->run->graph, &d->sources);
}

heddle_status hd_distances_run(const hd_run *run, const hd_distance_measure *measure) {
    hd_distances d = {.run = run};
    bool backward = run->graph->directed && measure->backward != (run->options.reversed != 0);
    heddle_status status;
    HD_CHECK(open_sources(&d));
    HD_CHECK(open_sums(&d, measure->sums));
    HD_CHECK(hd_result_values_new(run->ctx, run->result, measure->type, run->graph->vertices));
    run->result->sampled = d.sampled;
    if (run->graph->vertices && d.sources.count)
        HD_CHECK(hd_on_device(run) ? hd_distances_on_device(run, backward, &d.sources, &d.sums)
                                   : hd_bfs_sums(run, backward, &d.sources, &d.sums));
    hd_result_sources(run->result, d.sources.count);
    measure->finish(&d);
out:
    close_sums(&d);
    return status;
}

heddle_status hd_distances_host_bytes(const hd_run *run, const hd_distance_measure *measure, double *bytes) {
    const heddle_run_options *options = &run->options;
    uint64_t n = run->graph->vertices, each = 4 /* reached */;
    bool all = !options->source_count && !(options->samples && options->samples < n);
    uint64_t count = all ? n : options->source_count ? options->source_count : options->samples;
    each += measure->sums & HD_DISTANCES_SUM ? 8 : 0;
    each += measure->sums & HD_DISTANCES_FAR ? 4 : 0;
    each += measure->sums & HD_DISTANCES_NEAR ? 16 : 0;
    each += all ? 0 : options->source_count ? 4 : 8; /* own, drawn */
    *bytes = (double)(n * each) + (hd_on_device(run) ? 0 : (double)hd_bfs_sums_bytes(run, count));
    return HEDDLE_OK;
}
