/* bc_split.c - see bc_split.h: what is supported, and both passes on the CPU. All sums are gathered, each by one thread
 * in the order of its row, so they have the same bits for any number of threads. */
#include "algorithm/bc/bc_split.h"

#include "algorithm/bc/brandes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "operator/levels.h"

#include <math.h>
#include <string.h>

/* ---- One source -------------------------------------------------------------------------------------------------- */

typedef struct passes {
    const hd_bc_split *b;
    heddle_adjacency out, in;      /* of the split graph */
    uint32_t *own, *level;         /* of the graph's vertices, and of all; UINT32_MAX: not reached */
    heddle_vertex *order;          /* the reached vertices, stage by stage */
    uint64_t *starts, starts_room; /* of the stages in it */
    uint64_t levels;
    double *sigma, *sum; /* path counts; shares of the graph's own vertices, sums that others pass on */
    int32_t *exponent;   /* of the power of two that a level's counts were divided by */
    double *total;
} passes;

static uint32_t stages_of(const passes *p) { return p->b->height + 1; }

/* Assigns vertices to stages by their numbers; one call per tree level. */
static void place_some(passes *p, uint64_t from, uint64_t to, uint32_t stage, bool count) {
    const hd_split_result *split = p->b->tree;
    HD_PARALLEL_FOR(p->b->ctx, schedule(static) if (to - from >= HD_WORTH_THREADS))
    for (uint64_t v = from; v < to; v++) {
        uint32_t level = p->own[v < p->b->originals ? v : split->family[v - p->b->originals]];
        p->level[v] = level;
        if (level == UINT32_MAX)
            continue;
        uint64_t place = hd_fetch_add(&p->starts[(uint64_t)level * stages_of(p) + stage], 1);
        if (!count)
            p->order[place] = (heddle_vertex)v;
    }
}

static void place_all(passes *p, bool count) {
    const hd_split_result *split = p->b->tree;
    uint64_t n = p->b->originals;
    place_some(p, 0, n, hd_bc_split_own_stage(p->b), count);
    for (uint32_t l = 0; l < p->b->height; l++)
        place_some(p, n + split->level_start[l], n + split->level_start[l + 1], hd_bc_split_stage(p->b, l), count);
}

/* Positions advance to the ends of their stages, which are the beginnings of the next. */
static void arrange(passes *p) {
    uint64_t stages = p->levels * stages_of(p);
    memset(p->starts, 0, (stages + 1) * sizeof *p->starts);
    place_all(p, true);
    hd_prefix_sum(p->b->ctx, p->starts, stages);
    place_all(p, false);
    memmove(p->starts + 1, p->starts, stages * sizeof *p->starts);
    p->starts[0] = 0;
}

/* The sum that x receives along a row: over new edges, and over others from level `wanted`. In rows of the split
 * direction, edges to new vertices are new; in rows of the other direction a new vertex has one edge, which is new. */
static double gather(const passes *p, const heddle_adjacency *rows, bool split, heddle_vertex x, uint32_t wanted,
                     const double *from) {
    uint64_t n = p->b->originals;
    bool all = !split && x >= n;
    double sum = 0;
    for (uint64_t k = rows->offsets[x]; k < rows->offsets[x + 1]; k++) {
        heddle_vertex y = rows->targets[k];
        if (all || (split && y >= n) || p->level[y] == wanted)
            sum += from[y];
    }
    return sum;
}

static bool scale_level(passes *p, uint64_t begin, uint64_t end, uint64_t level) {
    double least = INFINITY, most = 0;
    int exponent;
    HD_PARALLEL_FOR(p->b->ctx,
                    schedule(static) reduction(min
                                               : least) reduction(max
                                                                  : most) if (end - begin >= HD_WORTH_THREADS))
    for (uint64_t i = begin; i < end; i++) {
        double count = p->sigma[p->order[i]];
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    if (!(most < INFINITY) || !hd_brandes_exponent(least, most, &exponent))
        return false;
    p->exponent[level] = exponent;
    for (uint64_t i = begin; exponent && i < end; i++)
        p->sigma[p->order[i]] = ldexp(p->sigma[p->order[i]], -exponent);
    return true;
}

static bool forward(passes *p, heddle_vertex source) {
    uint64_t stages = p->levels * stages_of(p);
    for (uint64_t s = 0; s < stages; s++) {
        uint64_t level = s / stages_of(p), begin = p->starts[s], end = p->starts[s + 1];
        uint32_t wanted = level ? (uint32_t)level - 1 : UINT32_MAX - 1; /* no vertex has this level */
        HD_PARALLEL_FOR(p->b->ctx, schedule(dynamic, 64) if (end - begin >= 256))
        for (uint64_t i = begin; i < end; i++) {
            heddle_vertex x = p->order[i];
            p->sigma[x] = x == source ? 1 : gather(p, &p->in, p->b->pull, x, wanted, p->sigma);
        }
        if (s % stages_of(p) == hd_bc_split_own_stage(p->b) && !scale_level(p, begin, end, level))
            return false;
        if (hd_advance(p->b->ctx, 0))
            return true;
    }
    return true;
}

/* Computes the dependency and the share of one of the graph's own vertices from the shares it received. */
static void finish(passes *p, heddle_vertex x, uint64_t level, double sum) {
    double delta = ldexp(p->sigma[x] * sum, level + 1 < p->levels ? -p->exponent[level + 1] : 0);
    if (level)
        p->total[x] += delta;
    p->sum[x] = (1 + delta) / p->sigma[x];
}

static void backward(passes *p) {
    for (uint64_t s = p->levels * stages_of(p); s-- > 0 && !hd_cancelled(p->b->ctx);) {
        uint64_t level = s / stages_of(p), begin = p->starts[s], end = p->starts[s + 1];
        uint32_t wanted = (uint32_t)level + 1;
        HD_PARALLEL_FOR(p->b->ctx, schedule(dynamic, 64) if (end - begin >= 256))
        for (uint64_t i = begin; i < end; i++) {
            heddle_vertex x = p->order[i];
            p->sum[x] = gather(p, &p->out, !p->b->pull, x, wanted, p->sum);
            if (x < p->b->originals)
                finish(p, x, level, p->sum[x]);
        }
    }
}

static heddle_status one_source(passes *p, heddle_vertex source) {
    heddle_context *ctx = p->b->ctx;
    const hd_levels_from asked = {&source, 1, 0};
    heddle_report unused = {.iterations = 0};
    uint64_t reached, wanted;
    bool recording = hd_rounds_pause(ctx);
    heddle_status status = hd_levels(ctx, p->b->graph, &asked, p->own, NULL, &unused, &reached);
    hd_rounds_resume(ctx, recording);
    HD_TRY(status);
    p->levels = unused.iterations;
    wanted = p->levels * stages_of(p) + 1;
    if (wanted > p->starts_room) {
        HD_DELETE(&ctx->allocator, p->starts, p->starts_room);
        p->starts_room = 0;
        HD_TRY(HD_NEW(ctx, &p->starts, wanted, "levels"));
        p->starts_room = wanted;
    }
    arrange(p);
    if (!forward(p, source))
        return hd_fail(ctx, HEDDLE_E_REFUSED,
                       "bc: transform: path counts of one level differ by more than a double can hold; use "
                       "transform=none instead");
    backward(p);
    HD_ROUND(ctx, .rounds = p->levels, .vertices = reached, .edges = 2 * p->b->split->edges,
             .direction = HEDDLE_DIRECTION_MIXED, .kernel = "source");
    return hd_cancelled_status(ctx);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static heddle_status open_passes(passes *p) {
    heddle_context *ctx = p->b->ctx;
    uint64_t n = p->b->originals, all = p->b->vertices;
    HD_TRY(heddle_graph_out(ctx, p->b->split, &p->out));
    HD_TRY(heddle_graph_in(ctx, p->b->split, &p->in));
    HD_TRY(HD_NEW(ctx, &p->own, n, "levels"));
    HD_TRY(HD_NEW(ctx, &p->level, all, "levels"));
    HD_TRY(HD_NEW(ctx, &p->order, all, "search order"));
    HD_TRY(HD_NEW(ctx, &p->sigma, all, "path counts"));
    HD_TRY(HD_NEW(ctx, &p->sum, all, "dependencies"));
    return HD_NEW(ctx, &p->exponent, n, "levels");
}

static void close_passes(passes *p) {
    const heddle_allocator *allocator = &p->b->ctx->allocator;
    uint64_t n = p->b->originals, all = p->b->vertices;
    HD_DELETE(allocator, p->own, n);
    HD_DELETE(allocator, p->level, all);
    HD_DELETE(allocator, p->order, all);
    HD_DELETE(allocator, p->sigma, all);
    HD_DELETE(allocator, p->sum, all);
    HD_DELETE(allocator, p->exponent, n);
    HD_DELETE(allocator, p->starts, p->starts_room);
}

heddle_status hd_bc_split_cpu(hd_bc_split *b, uint64_t *levels) {
    passes p = {.b = b, .total = b->result->values};
    heddle_status status;
    double start = hd_clock();
    HD_CHECK(open_passes(&p));
    b->result->report.prepare += hd_clock() - start;
    memset(p.total, 0, b->originals * sizeof *p.total);
    hd_rounds_mark(b->ctx);
    for (uint64_t i = 0; i < b->sources.count; i++) {
        HD_CHECK(one_source(&p, hd_source_at(&b->sources, i)));
        *levels += p.levels;
    }
out:
    close_passes(&p);
    return status;
}

/* ---- What may run ------------------------------------------------------------------------------------------------ */

static heddle_status check_split(const hd_run *run) {
    heddle_context *ctx = run->ctx;
    const hd_plan *plan = &run->plan;
    bool lanes = plan->schedule && plan->schedule->splits;
    char trees[176];
    hd_transform_trees(plan->K, trees, sizeof trees);
    if (!plan->transform->tree)
        return hd_fail(
            ctx, HEDDLE_E_REFUSED,
            "bc: transform=%s: round a family that is no tree there are ways that cost nothing, which cannot "
            "be counted; use %s%s instead",
            hd_transform_name(plan->transform), trees, lanes ? " and schedule=thread" : "");
    return HEDDLE_OK;
}

/* ---- The run on the split graph ---------------------------------------------------------------------------------- */

static heddle_status run_split(hd_bc_split *b) {
    heddle_result *result = b->result;
    uint64_t levels = 0, n = b->originals;
    double most = 0, *values;
    HD_TRY(hd_sources_of(b->ctx, b->graph, b->options, &b->sources));
    HD_TRY(hd_result_values_new(b->ctx, result, HEDDLE_VALUE_F64, n));
    HD_TRY(hd_on_device(b->run) ? hd_bc_split_device(b, &levels) : hd_bc_split_cpu(b, &levels));
    values = result->values;
    for (uint64_t v = 0; v < n; v++) {
        values[v] *= b->sources.scale;
        most = values[v] > most ? values[v] : most;
    }
    hd_result_figure(result, "max", most);
    hd_result_sources(result, b->sources.count);
    result->report.iterations = levels;
    result->report.edges_walked = 2 * b->split->edges * b->sources.count;
    return b->options->precision == HEDDLE_PRECISION_SINGLE ? hd_result_to_single(b->ctx, result) : HEDDLE_OK;
}

heddle_status hd_bc_on_split(const hd_run *run) {
    const hd_run *asked = run->view->run;
    const hd_split_result *tree = run->view->own;
    hd_bc_split b = {.ctx = run->ctx,
                     .graph = asked->graph,
                     .run = run,
                     .options = &run->options,
                     .result = run->result,
                     .tree = tree,
                     .split = run->graph,
                     .originals = asked->graph->vertices,
                     .vertices = run->graph->vertices,
                     .height = tree->levels,
                     .pull = asked->plan.direction == HD_PULL};
    heddle_status status = run_split(&b);
    hd_sources_free(b.ctx, b.graph, &b.sources);
    return status;
}

const hd_split_way hd_bc_split_way = {.simple = true, .check = check_split};
