/* check_similar.c - similar: the sequential reference, and the validator of a result.
 *
 * Both compare two vertices by marking the neighbours of one and looking at those of the other. There is no certificate
 * of the most similar pairs that is faster than comparing: the validator recomputes every score that the result has,
 * checks their order, and that no pair of a source is missing, for all sources if that is not too much work, else for
 * sources spread evenly, as many as a budget allows; and says so.
 */
#include "check/check_similar.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "check/neighbours.h"
#include "engine/vertex_name.h"

#include <math.h>
#include <stdlib.h>

enum {
    SIMILAR_TOP = 10 /* pairs, unless the caller requests another number */,
    STEP = 256
}; /* sources between two checks of the cancel flag */

typedef struct row {
    heddle_vertex a, b;
    double score;
} row;

typedef struct comparison {
    heddle_context *ctx;
    const heddle_graph *graph;
    const heddle_run_options *options;
    hd_neighbours all;
    double scale; /* a whole number */
    uint64_t *sums;
    row *rows; /* of one source; then the best so far */
    uint64_t count, room;
} comparison;

static heddle_status open_comparison(comparison *c) {
    HD_TRY(hd_neighbours_open(c->ctx, c->graph, &c->all));
    uint64_t longest = 0;
    for (uint64_t v = 0; v < c->graph->vertices; v++)
        longest = hd_neighbours_count(&c->all, v) > longest ? hd_neighbours_count(&c->all, v) : longest;
    c->scale = fmin(52, 62 - (longest ? floor(log2((double)longest)) + 1 : 0)); /* no sum reaches 2^63 */
    return HD_NEW_ZERO(c->ctx, &c->sums, c->graph->vertices, "sums over common neighbours");
}

static void close_comparison(comparison *c) {
    HD_DELETE(&c->ctx->allocator, c->sums, c->graph->vertices);
    HD_DELETE(&c->ctx->allocator, c->rows, c->room);
    hd_neighbours_close(c->ctx, &c->all);
}

static bool stop(heddle_context *ctx, uint64_t step) { return step % STEP == 0 && hd_advance(ctx, STEP); }

/* The share of a common neighbour: 1; for Adamic and Adar 1 / ln(degree), for resource allocation 1 / degree, in whole
 * units of 2^-scale. One of degree 1, which only a vertex paired with itself has, counts one unit. */
static uint64_t weight_of(const comparison *c, heddle_vertex common) {
    double degree = (double)hd_neighbours_count(&c->all, common);
    bool adamic = c->options->measure == HEDDLE_SIMILARITY_ADAMIC_ADAR;
    if ((!adamic && c->options->measure != HEDDLE_SIMILARITY_RESOURCES) || degree < 2)
        return 1;
    return (uint64_t)floor(exp2(c->scale) / (adamic ? log(degree) : degree) + 0.5);
}

static double score_of(const comparison *c, heddle_vertex a, heddle_vertex b, uint64_t sum) {
    double of_a = (double)hd_neighbours_count(&c->all, a), of_b = (double)hd_neighbours_count(&c->all, b);
    double common = (double)sum;
    if (c->options->measure == HEDDLE_SIMILARITY_ATTACHMENT)
        return of_a * of_b;
    if (sum == 0)
        return 0;
    if (c->options->measure == HEDDLE_SIMILARITY_ADAMIC_ADAR || c->options->measure == HEDDLE_SIMILARITY_RESOURCES)
        return common / exp2(c->scale);
    if (c->options->measure == HEDDLE_SIMILARITY_COSINE)
        return common / sqrt(of_a * of_b);
    return common / (c->options->measure == HEDDLE_SIMILARITY_OVERLAP ? fmin(of_a, of_b) : of_a + of_b - common);
}

/* The score of the common neighbours of two vertices. */
static uint64_t sum_of(const comparison *c, heddle_vertex a, heddle_vertex b) {
    const hd_neighbours *all = &c->all;
    uint64_t sum = 0;
    for (uint64_t i = all->offsets[a]; i < all->offsets[a + 1]; i++)
        all->seen[all->list[i]] = 1;
    for (uint64_t i = all->offsets[b]; i < all->offsets[b + 1]; i++)
        sum += all->seen[all->list[i]] ? weight_of(c, all->list[i]) : 0;
    for (uint64_t i = all->offsets[a]; i < all->offsets[a + 1]; i++)
        all->seen[all->list[i]] = 0;
    return sum;
}

/* Whether lists may have the pair. */
static bool is_wanted(const comparison *c, heddle_vertex a, heddle_vertex b) {
    const hd_neighbours *all = &c->all;
    uint64_t least = c->options->min_degree;
    if (hd_neighbours_count(all, a) < least || hd_neighbours_count(all, b) < least)
        return false;
    for (uint64_t i = all->offsets[a]; c->options->not_neighbours && i < all->offsets[a + 1]; i++)
        if (all->list[i] == b)
            return false;
    return true;
}

static int by_score(const void *x, const void *y) {
    const row *p = x, *q = y;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static heddle_status reserve(comparison *c, uint64_t room) {
    row *larger;
    if (room <= c->room)
        return HEDDLE_OK;
    HD_TRY(HD_NEW(c->ctx, &larger, 2 * room, "pairs"));
    for (uint64_t i = 0; i < c->count; i++)
        larger[i] = c->rows[i];
    HD_DELETE(&c->ctx->allocator, c->rows, c->room);
    c->rows = larger;
    c->room = 2 * room;
    return HEDDLE_OK;
}

/* Appends the pairs of s with all that have a common neighbour with it; `after`: only with vertices after it. */
static heddle_status append_pairs(comparison *c, heddle_vertex s, bool after) {
    const hd_neighbours *all = &c->all;
    for (uint64_t i = all->offsets[s]; i < all->offsets[s + 1]; i++)
        for (uint64_t k = all->offsets[all->list[i]]; k < all->offsets[all->list[i] + 1]; k++)
            c->sums[all->list[k]] += weight_of(c, all->list[i]);
    c->sums[s] = 0;
    for (uint64_t i = all->offsets[s]; i < all->offsets[s + 1]; i++)
        for (uint64_t k = all->offsets[all->list[i]]; k < all->offsets[all->list[i] + 1]; k++) {
            heddle_vertex t = all->list[k];
            if (c->sums[t] && (t > s || !after) && is_wanted(c, s, t)) {
                HD_TRY(reserve(c, c->count + 1));
                c->rows[c->count++] = (row){s, t, score_of(c, s, t, c->sums[t])};
            }
            c->sums[t] = 0;
        }
    return HEDDLE_OK;
}

static uint64_t top_of(const heddle_run_options *options) { return options->top ? options->top : SIMILAR_TOP; }

/* Keeps the best of the rows from `first` on. */
static void keep_best(comparison *c, uint64_t first) {
    uint64_t count = c->count - first, most = top_of(c->options);
    if (count)
        qsort(c->rows + first, count, sizeof *c->rows, by_score);
    c->count = first + (count < most ? count : most);
}

/* ---- The reference ----------------------------------------------------------------------------------------------- */

static heddle_status find_rows(comparison *c) {
    const heddle_run_options *o = c->options;
    uint64_t all = o->source_count ? o->source_count : c->graph->vertices;
    for (uint64_t i = 0; i < o->pair_count; i++) {
        heddle_vertex a = o->pairs[2 * i], b = o->pairs[2 * i + 1];
        HD_TRY(reserve(c, c->count + 1));
        c->rows[c->count++] = (row){a, b, score_of(c, a, b, sum_of(c, a, b))};
    }
    for (uint64_t i = 0; i < all && !o->pair_count && !stop(c->ctx, i); i++) {
        uint64_t first = o->source_count ? c->count : 0;
        HD_TRY(append_pairs(c, o->source_count ? o->sources[i] : (heddle_vertex)i, !o->source_count));
        keep_best(c, first);
    }
    return hd_cancelled_status(c->ctx);
}

heddle_status hd_reference_similar(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                   heddle_result *result) {
    comparison c = {.ctx = ctx, .graph = graph, .options = options};
    double *scores, most = 0;
    heddle_status status;
    hd_phase_begin(ctx, "compute", graph->vertices);
    HD_CHECK(open_comparison(&c));
    HD_CHECK(find_rows(&c));
    result->forest_type = HEDDLE_WEIGHT_F64;
    result->forest_edges = c.count;
    HD_CHECK(HD_NEW(ctx, &result->forest_ends, 2 * c.count, "pairs"));
    HD_CHECK(HD_NEW(ctx, &scores, c.count, "similarities"));
    result->forest_weights = scores;
    for (uint64_t k = 0; k < c.count; k++) {
        result->forest_ends[2 * k] = c.rows[k].a;
        result->forest_ends[2 * k + 1] = c.rows[k].b;
        scores[k] = c.rows[k].score;
        most = scores[k] > most ? scores[k] : most;
    }
    hd_result_figure_whole(result, "pairs", c.count);
    hd_result_figure(result, "max", most);
out:
    hd_phase_end(ctx);
    close_comparison(&c);
    return status;
}

/* ---- The validator ----------------------------------------------------------------------------------------------- */

static row row_at(const heddle_result *result, uint64_t k) {
    return (row){result->forest_ends[2 * k], result->forest_ends[2 * k + 1],
                 ((const double *)result->forest_weights)[k]};
}

static heddle_status wrong_row(const comparison *c, row found, const char *what) {
    return hd_fail(c->ctx, HEDDLE_E_VERIFY, "pair %s, %s: %s", hd_vertex_name(c->ctx, c->graph, found.a).text,
                   hd_vertex_name(c->ctx, c->graph, found.b).text, what);
}

/* Scores are those of the rows' vertices; their order leaves no place for a pair twice. */
static heddle_status check_rows(const comparison *c, const heddle_result *result, uint64_t first, uint64_t last) {
    for (uint64_t k = first; k < last && !stop(c->ctx, k); k++) {
        row found = row_at(result, k), before = k > first ? row_at(result, k - 1) : found;
        if (found.a >= c->graph->vertices || found.b >= c->graph->vertices || found.a == found.b)
            return hd_fail(c->ctx, HEDDLE_E_VERIFY, "pair %llu: no two vertices", (unsigned long long)k);
        uint64_t sum = sum_of(c, found.a, found.b);
        double expected = score_of(c, found.a, found.b, sum);
        if (found.score != expected)
            return hd_fail(c->ctx, HEDDLE_E_VERIFY, "pair %s, %s: similarity %.17g, expected %.17g",
                           hd_vertex_name(c->ctx, c->graph, found.a).text,
                           hd_vertex_name(c->ctx, c->graph, found.b).text, found.score, expected);
        if (!c->options->pair_count && k > first && by_score(&before, &found) >= 0)
            return wrong_row(c, found, "more similar than the one before it, or there twice");
        if (!c->options->pair_count && sum == 0)
            return wrong_row(c, found, "no common neighbour");
        if (!c->options->pair_count && !is_wanted(c, found.a, found.b))
            return wrong_row(c, found, "excluded by the options");
    }
    return hd_cancelled_status(c->ctx);
}

/* The rows' sources, and, of given pairs, the pairs themselves. */
static heddle_status check_given(const comparison *c, const heddle_result *result) {
    const heddle_run_options *o = c->options;
    if (o->pair_count && result->forest_edges != o->pair_count)
        return hd_fail(c->ctx, HEDDLE_E_VERIFY, "%llu pairs, expected the %llu that were given",
                       (unsigned long long)result->forest_edges, (unsigned long long)o->pair_count);
    for (uint64_t k = 0; k < o->pair_count; k++)
        if (result->forest_ends[2 * k] != o->pairs[2 * k] || result->forest_ends[2 * k + 1] != o->pairs[2 * k + 1])
            return hd_fail(c->ctx, HEDDLE_E_VERIFY, "pair %llu: another one than given", (unsigned long long)k);
    return HEDDLE_OK;
}

/* No pair of s is missing from rows [first, last), which are in order. */
static heddle_status check_source(comparison *c, const heddle_result *result, heddle_vertex s, bool after,
                                  uint64_t first, uint64_t last) {
    uint64_t most = top_of(c->options);
    row worst = last > first ? row_at(result, last - 1) : (row){0, 0, 0};
    uint64_t at = first;
    c->count = 0;
    HD_TRY(append_pairs(c, s, after));
    keep_best(c, 0);
    for (uint64_t i = 0; i < c->count; i++) {
        row wanted = c->rows[i];
        while (at < last) {
            row have = row_at(result, at);
            if (by_score(&have, &wanted) >= 0)
                break;
            at++;
        }
        row have = at < last ? row_at(result, at) : worst;
        bool there = at < last && have.a == wanted.a && have.b == wanted.b;
        if (!there && (last - first < most || by_score(&wanted, &worst) < 0))
            return wrong_row(c, wanted, "missing among the most similar");
    }
    return HEDDLE_OK;
}

/* Sources that the budget allows: neighbours of neighbours are looked at. */
static uint64_t sources_within(const comparison *c, uint64_t count, uint64_t budget) {
    const hd_neighbours *all = &c->all;
    double work = 0;
    for (uint64_t i = 0; i < count; i++) {
        heddle_vertex s = c->options->source_count ? c->options->sources[i] : (heddle_vertex)i;
        for (uint64_t e = all->offsets[s]; e < all->offsets[s + 1]; e++)
            work += (double)hd_neighbours_count(all, all->list[e]);
        work += 1;
    }
    return work <= (double)budget ? count : (uint64_t)((double)count * ((double)budget / work)) + 1;
}

static heddle_status check_all_pairs(comparison *c, const heddle_result *result, uint64_t budget) {
    uint64_t n = c->graph->vertices, picked = sources_within(c, n, budget);
    uint64_t start = n ? hd_below(hd_random(c->options->seed, n), n) : 0;
    if (result->forest_edges > top_of(c->options))
        return hd_fail(c->ctx, HEDDLE_E_VERIFY, "more pairs than the %llu that were wanted",
                       (unsigned long long)top_of(c->options));
    HD_TRY(check_rows(c, result, 0, result->forest_edges));
    for (uint64_t k = 0; k < result->forest_edges; k++)
        if (row_at(result, k).a > row_at(result, k).b)
            return wrong_row(c, row_at(result, k), "expected the smaller vertex first");
    for (uint64_t i = 0; i < picked && !stop(c->ctx, i); i++)
        HD_TRY(check_source(c, result, (heddle_vertex)((start + hd_split(n, picked, i)) % n), true, 0,
                            result->forest_edges));
    if (picked < n)
        hd_note(c->ctx, "similar: that no pair is missing was checked at %llu of %llu vertices",
                (unsigned long long)picked, (unsigned long long)n);
    return hd_cancelled_status(c->ctx);
}

static heddle_status check_sources(comparison *c, const heddle_result *result, uint64_t budget) {
    uint64_t count = c->options->source_count, picked = sources_within(c, count, budget), next = 0, k = 0;
    for (uint64_t i = 0; i < count && !stop(c->ctx, i); i++) {
        uint64_t first = k;
        heddle_vertex s = c->options->sources[i];
        while (k < result->forest_edges && result->forest_ends[2 * k] == s && k - first < top_of(c->options) &&
               (k == first || result->forest_ends[2 * k + 1] != result->forest_ends[2 * first + 1]))
            k++;
        HD_TRY(check_rows(c, result, first, k));
        if (next < picked && i == hd_split(count, picked, next)) {
            HD_TRY(check_source(c, result, s, false, first, k));
            next++;
        }
    }
    HD_TRY(hd_cancelled_status(c->ctx));
    if (k < result->forest_edges)
        return wrong_row(c, row_at(result, k), "not of the sources, or too many of one");
    if (picked < count)
        hd_note(c->ctx, "similar: that no pair is missing was checked at %llu of %llu sources",
                (unsigned long long)picked, (unsigned long long)count);
    return HEDDLE_OK;
}

static heddle_status check_figures(const comparison *c, const heddle_result *result) {
    double most = 0;
    for (uint64_t k = 0; k < result->forest_edges; k++)
        most = row_at(result, k).score > most ? row_at(result, k).score : most;
    if (hd_result_figure_of(result, "pairs") != (double)result->forest_edges ||
        hd_result_figure_of(result, "max") != most)
        return hd_fail(c->ctx, HEDDLE_E_VERIFY, "the report's figures are not those of the %llu pairs",
                       (unsigned long long)result->forest_edges);
    return HEDDLE_OK;
}

heddle_status hd_verify_similar_within(heddle_context *ctx, const heddle_graph *graph,
                                       const heddle_run_options *options, const heddle_result *result,
                                       uint64_t budget) {
    comparison c = {.ctx = ctx, .graph = graph, .options = options};
    heddle_status status;
    if (!result->forest_ends || result->forest_type != HEDDLE_WEIGHT_F64)
        return hd_fail(ctx, HEDDLE_E_VERIFY, "expected pairs with similarities of double precision");
    hd_phase_begin(ctx, "verify", 0);
    HD_CHECK(open_comparison(&c));
    HD_CHECK(check_given(&c, result));
    HD_CHECK(options->pair_count     ? check_rows(&c, result, 0, result->forest_edges)
             : options->source_count ? check_sources(&c, result, budget)
                                     : check_all_pairs(&c, result, budget));
    status = check_figures(&c, result);
out:
    hd_phase_end(ctx);
    close_comparison(&c);
    return status;
}

heddle_status hd_verify_similar(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                                heddle_result *result) {
    return hd_verify_similar_within(ctx, graph, options, result, HD_SIMILAR_BUDGET);
}
