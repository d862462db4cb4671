/* bc_budget.c - see bc_budget.h, whose names are used here. */
#include "algorithm/bc/bc_budget.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "check/centrality.h"
#include "graph/components.h"

#include <math.h>
#include <string.h>

enum {
    BATCH = 32,         /* sources are added in multiples of this: devices take as many at once */
    FEW_STEPS = 4,      /* on a path between two vertices, as a guess */
    PILOT_PART = 12,    /* the pilot has 1/12 of the sources that are needed at least, */
    PILOT_LEAST = 32,   /* at least this many */
    PILOT_MOST = 4096,  /* and at most this many */
    LOOKS = 16,         /* with `top`, the first look is after 1/16 of the plan, and then at every doubling */
    TOO_MANY_TIMES = 2, /* if twice as many sources as planned were needed, there is a new plan */
    MOST_PLANS = 8
};
static const double default_confidence = 0.9;
static const double least_variance = 0.02; /* in units of e: keeps l below 1 */
static const double known_mean = 0.5;      /* a pilot's variance is used if its mean is at least this part of e */
static const double known_hits = 2.5;      /* and about this many sources contribute to it; */
static const double unknown_pace = 0.87;   /* l of all others, which at most one source crosses */
static const double pilot_slack = 1.1;     /* safety factor: variances of a pilot are rough */
static const double first_look = 0.75;     /* the first look is after this part of the plan */
static const double later_plans = 0.1;     /* the part of the risk that is left for plans after the next */
/* How a plan's risk is divided: between both sides, */
static const double by_need = 0.2;
/* that a value is too small, and that it is too large. */
static const double under_evenly = 0.5, under_by_degree = 0.05;
static const double over_by_mean = 0.15, over_by_degree = 0.05, over_evenly = 0.05;
static const double wide_times = 4, wide_least = 0.25; /* the second pace: 4 V, and at least 0.25 e, */
static const double wide_share = 0.25;                 /* with this part of a vertex's risk */
static const double rounding = 1e-9;                   /* of dependencies summed in double, see check/centrality.c */

typedef struct budget {
    const hd_run *run;
    heddle_context *ctx;
    uint64_t n;
    hd_source_pool pool;
    heddle_adjacency out;
    uint64_t least;    /* out-degree from which a vertex can have a centrality */
    uint64_t possible; /* number of these vertices */
    hd_components components;
    heddle_vertex *label; /* per vertex: the smallest of its component */
    double reach;         /* C - 2: the largest dependency */
    double range;         /* R */
    double slack;         /* rounding, added to the bound */
    double e;             /* the budget in units of R */
    double risk;          /* 1 - confidence */
    /* The plan. */
    uint32_t plans;
    double *mean, *pace;    /* c and l */
    double *sums, *squares; /* of dependencies, as fetched */
    uint64_t *known;        /* a bit per vertex: l is by the pilot's variance */
    double *under, *over;   /* log(1/p) */
    double total;           /* of `sums` */
    double heavy;           /* as many vertices at most have a centrality above the budget */
    double light;           /* the values of all others are too small by at most this */
    uint64_t first, count;  /* sources of this plan so far */
    uint64_t inside;        /* those of them in the largest component */
    /* The proof so far. */
    double worst;   /* largest half-width, in units of R */
    double needed;  /* sources for the budget, by what is known now; infinite: this plan never gets there */
    bool separated; /* the `top` largest are known */
} budget;

/* ---- The graph --------------------------------------------------------------------------------------------------- */

static uint64_t degree(const budget *b, uint64_t v) { return b->out.offsets[v + 1] - b->out.offsets[v]; }

static uint64_t count_possible(const budget *b) {
    uint64_t possible = 0;
    HD_PARALLEL_FOR(b->ctx, schedule(static) reduction(+ : possible) if (b->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < b->n; v++)
        possible += degree(b, v) >= b->least;
    return possible;
}

/* Probability with which the t-th plan may fail. */
static double plan_risk(const budget *b, uint32_t plan) {
    return b->risk * (1 - later_plans) * pow(later_plans, plan - 1);
}

/* Sources that the first plan takes at least, about; nothing is known of distances yet. */
static double least_sources(const budget *b) {
    double heavy = fmin((double)b->possible, b->least > 1 ? FEW_STEPS / b->e : HUGE_VAL);
    return log(heavy / under_evenly / plan_risk(b, 1)) / b->e / unknown_pace;
}

static uint64_t pilot_size(const budget *b) {
    double wanted = least_sources(b) / PILOT_PART;
    uint64_t size = wanted < PILOT_MOST ? (uint64_t)wanted : PILOT_MOST;
    size = size > PILOT_LEAST ? size : PILOT_LEAST;
    return (size + BATCH - 1) / BATCH * BATCH;
}

/* Fills in the facts; false in `pays` if exact is less work, whatever the variances. */
static heddle_status open_budget(budget *b, const hd_run *run, bool *pays) {
    const heddle_graph *graph = hd_graph_on_host(run->graph);
    const heddle_run_options *options = &run->options;
    *b = (budget){.run = run, .ctx = run->ctx, .n = run->graph->vertices, .least = graph->directed ? 1 : 2};
    *pays = false;
    if (b->n < 3)
        return HEDDLE_OK;
    HD_TRY(hd_graph_bare(b->ctx, graph, false, &b->out));
    HD_TRY(HD_NEW(b->ctx, &b->label, b->n, "components"));
    HD_TRY(hd_weak_labels(b->ctx, b->n, &b->out, graph->directed ? NULL : &b->out, b->label, &b->components));
    HD_TRY(hd_source_pool_new(b->ctx, run->graph, &b->pool));
    b->possible = count_possible(b);
    if (b->components.largest < 3 || b->possible == 0)
        return HEDDLE_OK;
    b->reach = (double)b->components.largest - 2;
    b->range = (double)b->pool.count / ((double)b->n - 1) * (b->reach / ((double)b->n - 2));
    b->slack = rounding + (options->precision == HEDDLE_PRECISION_SINGLE ? 0x1p-24 : 0);
    b->e = (options->max_error - b->slack) / b->range;
    b->risk = 1 - (options->confidence > 0 ? options->confidence : default_confidence);
    *pays = b->e > 0 && least_sources(b) + (double)pilot_size(b) < (double)b->pool.count;
    return HEDDLE_OK;
}

static void close_budget(budget *b) {
    const heddle_allocator *allocator = &b->ctx->allocator;
    hd_source_pool_free(b->ctx, b->run->graph, &b->pool);
    HD_DELETE(allocator, b->mean, b->n);
    HD_DELETE(allocator, b->pace, b->n);
    HD_DELETE(allocator, b->known, b->n / 64 + 1);
    HD_DELETE(allocator, b->under, b->n);
    HD_DELETE(allocator, b->over, b->n);
    HD_DELETE(allocator, b->label, b->n);
    HD_DELETE(allocator, b->sums, b->n);
    HD_DELETE(allocator, b->squares, b->n);
}

/* ---- A plan ------------------------------------------------------------------------------------------------------ */

static double pace_of(double e, double variance) { return e / (e + variance); }

/* g: what a source does for a vertex of this variance. */
static double gain(double e, double variance) {
    double l = pace_of(e, variance);
    return l * e - hd_bc_psi(l) * variance;
}

/* The l of a vertex whose variance is larger than the pilot's, which is that of l. */
static double wide_pace(double e, double l) {
    double variance = e / l - e;
    return pace_of(e, fmax(wide_times * variance, wide_least * e));
}

/* Classes of variances: four for each power of two, as multiples of e. */
enum { CLASSES = 80, CLASS_ONE = 24 };
static double class_end(double e, int i) { return e * exp2((i + 1 - CLASS_ONE) / 4.0); }
static int class_of(double e, double variance) {
    double place = floor(4 * log2(variance / e)) + CLASS_ONE;
    return place < 0 ? 0 : place < CLASSES - 1 ? (int)place : CLASSES - 1;
}

/* The risk that a vertex needs to be done after `sources`; 0 if what each vertex gets is enough. */
static double risk_by_need(double sources, double g, double each) {
    double risk = exp(-sources * g);
    return risk > each ? risk : 0;
}

/* K: the number of sources for which the risks by need add up to `share`, or a little more. All vertices of a class are
 * taken to have the variance of its end, so their risks add up to less. */
static double sources_by_need(const budget *b, const uint64_t counts[CLASSES], double most, double share, double each) {
    double low = 0, high = 1;
    for (int step = 0; step < 96 && high - low > low * 1e-3; step++) {
        double middle = low > 0 ? (low + high) / 2 : high, sum = 0;
        for (int i = 0; i < CLASSES; i++)
            sum += 2 * (double)counts[i] *
                   risk_by_need(middle, gain(b->e, i < CLASSES - 1 ? class_end(b->e, i) : most), each);
        if (sum <= share) {
            high = middle;
            low = low > 0 ? low : middle / 2;
        } else {
            low = low > 0 ? middle : 0;
            high = low > 0 ? high : 2 * high;
        }
    }
    return high;
}

/* The variance that a plan reckons with; in *mean the mean; 0: the pilot knows too little of it. The numbers in units
 * of R are dependencies divided by `reach`. */
static double plan_variance(const budget *b, uint64_t v, double *mean) {
    double k = (double)b->count, square = b->squares[v] / b->reach / b->reach / k;
    double m = b->sums[v] / b->reach / k;
    *mean = m = m < 1 ? m : 1;
    if (m < known_mean * b->e || m * m * k < known_hits * square)
        return 0;
    double variance = square > m * m ? (square - m * m) * (k + 1) / (k - 1) : 0;
    return variance * pilot_slack + least_variance * b->e;
}

/* How many vertices can have a centrality above e: these add up to the mean number of vertices between two. From
 * a source h of an undirected graph, d(s, t) is at most d(s, h) + d(h, t), and dependencies add up to the distances
 * less 1; so each source of the largest component bounds the sum, hence their mean does. */
static double count_heavy(const budget *b) {
    double most = (double)b->possible, size = (double)b->components.largest, others = (double)b->pool.count - size;
    double second = fmin(others, size);
    if (b->least < 2 || !b->inside)
        return most;
    double distances = (size - 1) * (2 * b->total / (double)b->inside + size - 2) + others * second * second;
    return fmax(1, fmin(most, (1 + 1e-6) * distances / (double)b->pool.count / b->reach / b->e));
}

/* Shares out the plan's risk; returns the number of sources that the plan takes. */
static double share_risk(budget *b, double by_need_sources, double each) {
    double risk = plan_risk(b, b->plans), planned = 0;
    double per_edge = risk / (double)b->out.offsets[b->n], over_each = over_evenly * risk / (double)b->possible;
    double per_sum = b->total > 0 ? over_by_mean * risk / b->total : 0;
    HD_PARALLEL_FOR(b->ctx, schedule(static) reduction(max : planned) if (b->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < b->n; v++) {
        bool known = b->known[v / 64] >> (v % 64) & 1;
        double l = b->pace[v], variance = b->e / l - b->e, edges = per_edge * (double)degree(b, v);
        double g = gain(b->e, variance), need = known ? risk_by_need(by_need_sources, g, each) : 0;
        b->under[v] = -log((1 - wide_share) * (need + each + under_by_degree * edges));
        b->over[v] = -log((1 - wide_share) * (need + over_each + over_by_degree * edges + per_sum * b->sums[v]));
        double log_risk = b->mean[v] > b->e ? fmax(b->under[v], b->over[v]) : b->under[v];
        if (degree(b, v) >= b->least) /* others: if a source crosses them */
            planned = fmax(planned, known ? log_risk / g : (b->under[v] + hd_bc_psi(l)) / l / b->e);
    }
    return planned;
}

/* Returns the number of sources that the plan takes. */
static double make_plan(budget *b) {
    uint64_t counts[CLASSES] = {0};
    double most = 0;
    b->plans++;
    memset(b->known, 0, (b->n / 64 + 1) * sizeof *b->known);
    HD_PARALLEL_FOR(b->ctx, schedule(static) reduction(max : most)
                                reduction(+ : counts[:CLASSES]) if (b->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < b->n; v++) {
        double variance = plan_variance(b, v, &b->mean[v]);
        b->pace[v] = variance > 0 ? pace_of(b->e, variance) : unknown_pace;
        most = variance > most ? variance : most;
        if (variance > 0)
            counts[class_of(b->e, variance)]++;
        if (variance > 0)
            hd_fetch_or(&b->known[v / 64], UINT64_C(1) << (v % 64));
    }
    b->total = 0;
    for (uint64_t v = 0; v < b->n; v++) /* in order: the same for any number of threads */
        b->total += b->sums[v];
    b->heavy = count_heavy(b);
    b->light = b->heavy < (double)b->possible ? b->e : 0;
    double risk = plan_risk(b, b->plans), each = under_evenly * risk / b->heavy;
    return share_risk(b, sources_by_need(b, counts, most, by_need * risk, each), each);
}

/* How far a mean may be off on one side, by one of a vertex's paces; *need: the sources after which that is e, if
 * squares go on as they are. */
static double width_by_pace(const budget *b, double l, double log_risk, double spread, double *need) {
    double k = (double)b->count, factor = hd_bc_psi(l), gain_now = l * b->e - factor * spread / k;
    *need = gain_now > 0 ? log_risk / gain_now : HUGE_VAL;
    return (log_risk + factor * spread) / (k * l);
}

/* By both of them. */
static double width_of(const budget *b, double l, double log_risk, double spread, double *need) {
    double other, width = width_by_pace(b, l, log_risk, spread, need);
    if (width <= b->e)
        return width;
    log_risk += log((1 - wide_share) / wide_share);
    double wide = width_by_pace(b, wide_pace(b->e, l), log_risk, spread, &other);
    *need = fmin(*need, other);
    return fmin(width, wide);
}

/* By how much a value may be too small, unless the centrality is below e, and too large. */
typedef struct widths {
    double under, over, need;
} widths;

static double value_of(const budget *b, uint64_t v) { return b->sums[v] / b->reach / (double)b->count; }

static widths widths_of(const budget *b, uint64_t v) {
    double k = (double)b->count, mean = b->mean[v], value = value_of(b, v), need;
    double square = b->squares[v] / b->reach / b->reach;
    double spread = square - 2 * mean * value * k + k * mean * mean; /* Q */
    widths w;
    spread = (spread > 0 ? spread : 0) + k * 1e-13; /* and its rounding */
    w.under = width_of(b, b->pace[v], b->under[v], spread, &w.need);
    w.over = fmin(value, width_of(b, b->pace[v], b->over[v], spread, &need));
    w.need = value > b->e ? fmax(w.need, need) : w.need;
    return w;
}

static void judge(budget *b) {
    double worst = b->light, needed = 0;
    HD_PARALLEL_FOR(b->ctx, schedule(static) reduction(max : worst, needed) if (b->n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < b->n; v++) {
        if (degree(b, v) < b->least)
            continue;
        widths w = widths_of(b, v);
        worst = fmax(worst, fmax(w.under, w.over));
        needed = fmax(needed, w.need);
    }
    b->worst = fmin(worst, 1); /* values and centralities are between 0 and 1 here */
    b->needed = needed;
}

/* ---- The largest ------------------------------------------------------------------------------------------------- */

/* Whether vertex v is before w in the order of the sums. */
static bool before(const budget *b, uint64_t v, uint64_t w) {
    return b->sums[v] > b->sums[w] || (b->sums[v] == b->sums[w] && v < w);
}

/* Moves the first of a heap, the last of its vertices in that order, down to its place. */
static void sift(const budget *b, heddle_vertex *heap, uint64_t count) {
    for (uint64_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(b, heap[child], heap[child + 1]))
            child++;
        if (!before(b, heap[at], heap[child]))
            return;
        heddle_vertex v = heap[at];
        heap[at] = heap[child];
        heap[child] = v;
    }
}

static void pick_largest(const budget *b, heddle_vertex *heap, uint64_t top) {
    for (uint64_t i = 0; i < top; i++) { /* as a path to the root */
        uint64_t at = i;
        heap[i] = (heddle_vertex)i;
        for (; at && before(b, heap[(at - 1) / 2], heap[at]); at = (at - 1) / 2) {
            heddle_vertex v = heap[at];
            heap[at] = heap[(at - 1) / 2];
            heap[(at - 1) / 2] = v;
        }
    }
    for (uint64_t v = top; v < b->n; v++)
        if (before(b, v, heap[0])) {
            heap[0] = (heddle_vertex)v;
            sift(b, heap, top);
        }
}

/* Whether the lower ends of the `top` largest are above the upper ends of all others. */
static heddle_status separate(budget *b) {
    uint64_t top = b->run->options.top;
    double low = HUGE_VAL, high = 0;
    heddle_vertex *heap;
    if (top == 0 || top >= b->n)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(b->ctx, &heap, top, "the largest values"));
    pick_largest(b, heap, top);
    heddle_vertex last = heap[0];
    for (uint64_t v = 0; v < b->n; v++) {
        double value = value_of(b, v);
        widths w = widths_of(b, v);
        if (v == last || before(b, v, last))
            low = fmin(low, value - w.over);
        else
            high = fmax(high, fmax(value + w.under, b->light));
    }
    HD_DELETE(&b->ctx->allocator, heap, top);
    b->separated = low >= high;
    return HEDDLE_OK;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* Never more sources than there are: from then on all of them are less work. */
static heddle_status add_up_to(budget *b, const hd_bc_engine *engine, double target) {
    uint64_t total = ((uint64_t)target / BATCH + 1) * BATCH, most = b->pool.count;
    uint64_t count = (total < most ? total : most) - b->count;
    hd_sources sources;
    HD_TRY(hd_source_pool_draw(b->ctx, b->run->graph, &b->pool, b->run->options.seed, b->first + b->count, count,
                               &sources));
    heddle_status status = engine->add(engine->self, &sources);
    b->count += sources.count;
    for (uint64_t i = 0; i < sources.count; i++)
        b->inside += b->label[hd_source_at(&sources, i)] == b->components.first;
    hd_sources_free(b->ctx, b->run->graph, &sources);
    return status == HEDDLE_OK ? engine->fetch(engine->self, b->sums, b->squares) : status;
}

/* Progress: a plan ends at `target` sources, after those that came before it. */
static void expect(const budget *b, const hd_bc_engine *engine, double target) {
    hd_phase_total(b->ctx, (b->first + ((uint64_t)target / BATCH + 1) * BATCH) * engine->worth);
    hd_advance(b->ctx, (b->first + b->count) * engine->worth);
}

/* The sources from here on are of a new plan. */
static heddle_status start_anew(budget *b, const hd_bc_engine *engine) {
    b->first += b->count;
    b->count = b->inside = 0;
    return engine->clear(engine->self);
}

/* Follows the plan to its end; `kept` unless there has to be another. */
static heddle_status follow(budget *b, const hd_bc_engine *engine, double planned, bool *kept) {
    double target = planned, look = b->run->options.top ? planned / LOOKS : planned * first_look;
    *kept = false;
    while (!*kept && target <= TOO_MANY_TIMES * planned && target < (double)b->pool.count && b->count < b->pool.count) {
        expect(b, engine, target);
        HD_TRY(add_up_to(b, engine, look < target ? look : target));
        judge(b);
        HD_TRY(separate(b));
        *kept = b->worst <= b->e || b->separated;
        look = 2 * (double)b->count;
        if (!b->run->options.top || (double)b->count >= target || b->needed < target)
            target = b->needed > (double)b->count ? b->needed : (double)b->count;
    }
    return HEDDLE_OK;
}

static heddle_status sample(budget *b, const hd_bc_engine *engine, bool *kept) {
    *kept = false;
    HD_TRY(HD_NEW(b->ctx, &b->mean, b->n, "means"));
    HD_TRY(HD_NEW(b->ctx, &b->pace, b->n, "variances"));
    HD_TRY(HD_NEW(b->ctx, &b->known, b->n / 64 + 1, "variances"));
    HD_TRY(HD_NEW(b->ctx, &b->under, b->n, "risks"));
    HD_TRY(HD_NEW(b->ctx, &b->over, b->n, "risks"));
    HD_TRY(HD_NEW(b->ctx, &b->sums, b->n, "dependencies"));
    HD_TRY(HD_NEW(b->ctx, &b->squares, b->n, "dependencies"));
    HD_TRY(engine->clear(engine->self));
    expect(b, engine, least_sources(b)); /* the plan is not known yet: at least so many */
    HD_TRY(add_up_to(b, engine, (double)pilot_size(b) - 1));
    while (!*kept && b->plans < MOST_PLANS) {
        double planned = make_plan(b);
        if (!(planned < (double)b->pool.count))
            return HEDDLE_OK;
        HD_TRY(start_anew(b, engine));
        HD_TRY(follow(b, engine, planned, kept));
    }
    return HEDDLE_OK;
}

static void report(const budget *b) {
    heddle_result *result = b->run->result;
    result->report.approximate = 1;
    result->report.error_bound = b->worst <= b->e ? fmin(b->run->options.max_error, b->worst * b->range + b->slack)
                                                  : b->worst * b->range + b->slack;
    result->report.confidence = 1 - b->risk;
    result->pilot = b->first;
    hd_result_figure(result, "pilot", (double)b->first);
    if (b->separated)
        hd_result_figure(result, "top_known", (double)b->run->options.top);
}

heddle_status hd_bc_budget_keep(const hd_run *run, const hd_bc_engine *engine, hd_sources *used) {
    bool pays, kept = false;
    heddle_status status;
    budget b;
    *used = (hd_sources){.count = 0};
    HD_CHECK(open_budget(&b, run, &pays));
    if (pays)
        HD_CHECK(sample(&b, engine, &kept));
    if (kept) {
        *used =
            (hd_sources){.count = b.count, .scale = hd_source_pool_scale(run->graph, &run->options, &b.pool, b.count)};
        report(&b);
    } else
        hd_note(run->ctx, "max_error %g would take about as many samples as there are sources: bc is exact",
                run->options.max_error);
out:
    close_budget(&b);
    return status;
}

/* ---- Options ----------------------------------------------------------------------------------------------------- */

heddle_status hd_bc_budget_prepare(hd_run *run) {
    if (run->options.source_count || run->options.samples)
        return hd_fail(run->ctx, HEDDLE_E_ARGUMENT,
                       "max_error decides from which sources: expected neither sources nor samples with it");
    if (run->plan.transform)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "bc: max_error with transform=%s; use transform=none instead",
                       hd_transform_name(run->plan.transform));
    return HEDDLE_OK;
}

bool hd_bc_budget_exact(const heddle_graph *graph, heddle_run_options *options) {
    uint64_t sources = options->source_count ? options->source_count : graph->vertices;
    options->samples = 0;
    return (double)sources * (double)(graph->vertices + graph->edges) <= (double)HD_CENTRALITY_BUDGET;
}

double hd_bc_budget_error(const heddle_graph *graph, const heddle_run_options *options, double sum, double most) {
    double n = (double)graph->vertices;
    (void)sum;
    if (options->normalized)
        return most;
    return n > 2 ? most * (graph->directed ? 1 : 2) / ((n - 1) * (n - 2)) : 0;
}
