/* pr_part.c - PageRank on one of several parts: the rounds of pr_round.h over edges in groups.
 *
 * A part groups its edges by blocks of own vertices and chunks of those that it reads, own and remote, so that a round
 * reads shares in ascending order (engine/cpu/blocked_edges.h). All shares change in every round: each part sends those
 * that another one reads, side by side, and they arrive in the array that the next round reads (exchange/sharing.h).
 * Rounds are strict. On an undirected graph they extrapolate, and start close to the result, as in one process (pr.c);
 * a run that will not converge so is made again with plain rounds.
 */
#include "algorithm/pr/pr_part.h"

#include "algorithm/pr/pr_pace.h"
#include "algorithm/pr/pr_round.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/parts/own_rounds.h"
#include "exchange/sharing.h"

#include <string.h>

typedef struct ranking {
    hd_own_rounds rounds;
    hd_ranking r;
    hd_sharing sharing;
    const hd_slice *slice;
    const hd_cpu_setup *setup;
    uint64_t vertices; /* of the whole graph */
    double outs, idle; /* of all parts: out-edges; vertices without any */
    uint64_t sent;     /* bytes of a round */
    uint64_t done;     /* rounds since the last start */
    double change;
    bool converged;
} ranking;

static double get(const void *values, uint64_t i, bool single) {
    return single ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static void put(void *values, uint64_t i, double value, bool single) {
    if (single)
        ((float *)values)[i] = (float)value;
    else
        ((double *)values)[i] = value;
}

static void *remote_of(const ranking *k, void *values) { return (char *)values + k->slice->own * hd_rank_bytes(&k->r); }

/* ---- Start ------------------------------------------------------------------------------------------------------ */

static heddle_status group_edges(ranking *k, const hd_part_job *job, hd_part_report *report) {
    hd_slice_transpose *t = job->transposed;
    double start = hd_clock();
    HD_TRY(hd_slice_transpose_make(k->r.ctx, k->slice, t));
    const heddle_adjacency rows = {.offsets = t->offsets, .targets = t->targets};
    HD_TRY(hd_ranking_group(&k->r, k->slice->own + k->slice->remote, &rows));
    hd_slice_transpose_free(k->r.ctx, t); /* grouped, they are as large again */
    report->report.prepare += hd_clock() - start;
    return HEDDLE_OK;
}

static heddle_status allocate(ranking *k) {
    heddle_context *ctx = k->r.ctx;
    uint64_t all = k->slice->own + k->slice->remote;
    size_t bytes = hd_rank_bytes(&k->r);
    k->r.strips = (k->r.vertices + HD_RANK_STRIP - 1) / HD_RANK_STRIP;
    HD_TRY(hd_new(ctx, &k->r.share, all, bytes, false, "shares"));
    HD_TRY(hd_new(ctx, &k->r.other, all, bytes, false, "shares"));
    HD_TRY(hd_new(ctx, &k->r.out, k->slice->own, bytes, false, "out-degrees"));
    return HD_NEW(ctx, &k->r.tallies, k->r.strips + hd_tally_groups(k->r.strips), "changes");
}

/* Out-degrees, and what all parts have of them. */
static heddle_status take_census(ranking *k, const uint32_t *degrees) {
    hd_link *link = k->rounds.link;
    double sums[2] = {0, 0};
    for (uint64_t v = 0; v < k->slice->own; v++) {
        sums[0] += degrees[v];
        sums[1] += !degrees[v];
        put(k->r.out, v, degrees[v] ? degrees[v] : -1.0, k->r.single);
    }
    HD_TRY(link->reduce_real(link, HD_LINK_SUM, sums, 2));
    k->outs = sums[0];
    k->idle = sums[1];
    k->r.any_dangling = sums[1] > 0;
    return HEDDLE_OK;
}

/* Own shares of the first ranks, even + by_out * out(v); others' from their owners. */
static heddle_status begin(ranking *k, double even, double by_out) {
    hd_ranking *r = &k->r;
    hd_link *link = k->rounds.link;
    double dangling = 0;
    for (uint64_t v = 0; v < r->vertices; v++) {
        double out = get(r->out, v, r->single), rank = even + (out < 0 ? 0 : by_out * out);
        put(r->share, v, rank / out, r->single);
        dangling += out < 0 ? -get(r->share, v, r->single) : 0;
    }
    if (r->ahead && r->vertices)
        memcpy(r->other, r->share, r->vertices * hd_rank_bytes(r));
    HD_TRY(hd_sharing_open(&k->sharing, remote_of(k, r->share)));
    HD_TRY(hd_sharing_post(&k->sharing, r->share));
    HD_TRY(hd_sharing_take(&k->sharing));
    HD_TRY(link->reduce_real(link, HD_LINK_SUM, &dangling, 1));
    r->waves = 1;
    r->scale = 1;
    r->onward = k->change = 0;
    k->done = 0;
    r->spread = 1 - r->damping + r->damping * dangling;
    return HEDDLE_OK;
}

/* As pr.c begins. */
static heddle_status begin_ahead(ranking *k) {
    double n = (double)k->vertices, spread = (1 - k->r.damping) / (1 - k->r.damping * k->idle / n);
    return k->r.ahead ? begin(k, spread / n, (1 - spread) / k->outs) : begin(k, 1 / n, 0);
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

static heddle_status exchange(ranking *k) {
    double start = hd_clock();
    HD_TRY(hd_sharing_post(&k->sharing, k->r.share));
    HD_TRY(hd_sharing_take(&k->sharing));
    hd_own_rounds_sent(&k->rounds, k->sent, k->sent, hd_clock() - start);
    return HEDDLE_OK;
}

static heddle_status do_round(ranking *k) {
    hd_ranking *r = &k->r;
    hd_link *link = k->rounds.link;
    hd_own_round round = {.vertices = r->vertices,
                          .edges = k->slice->edges,
                          .changes = r->vertices,
                          .direction = HEDDLE_DIRECTION_PULL,
                          .kernel = "slices, groups"};
    HD_TRY(hd_sharing_open(&k->sharing, remote_of(k, r->other)));
    hd_rank_tally tally = hd_ranking_waves(r);
    void *was = r->share;
    r->share = r->other;
    r->other = was;
    HD_TRY(exchange(k));
    double sums[] = {tally.change, tally.dangling}, start = hd_clock();
    HD_TRY(link->reduce_real(link, HD_LINK_SUM, sums, 2));
    hd_own_rounds_sent(&k->rounds, 0, 0, hd_clock() - start);
    r->spread = 1 - r->damping + r->damping * sums[1];
    k->change = sums[0];
    k->done++;
    return hd_own_rounds_next(&k->rounds, &round);
}

/* The last round never extrapolates: its change bounds the residual. */
static heddle_status do_rounds(ranking *k) {
    hd_pace pace = hd_pace_start(k->r.damping, k->setup->tolerance, 0);
    uint64_t most = k->setup->max_iterations;
    k->converged = k->vertices == 0;
    while (!k->converged && k->done < most) {
        k->r.onward = k->r.ahead && k->done + 1 < most ? hd_pace_onward(&pace) : 0;
        HD_TRY(do_round(k));
        hd_pace_note(&pace, k->r.onward, k->change);
        k->converged = k->change < k->setup->tolerance && !(k->r.onward > 0);
        if (k->r.ahead && !k->converged && hd_pace_hopeless(k->change, most - k->done, k->setup->tolerance))
            break;
    }
    return HEDDLE_OK;
}

static heddle_status rank_all(ranking *k) {
    if (!k->vertices)
        return HEDDLE_OK;
    HD_TRY(begin_ahead(k));
    HD_TRY(do_rounds(k));
    if (k->converged || !k->r.ahead)
        return HEDDLE_OK;
    k->r.ahead = false;
    HD_TRY(begin(k, 1 / (double)k->vertices, 0));
    return do_rounds(k);
}

static void finish(ranking *k, void *outputs, hd_part_report *report) {
    const hd_ranking *r = &k->r;
    for (uint64_t v = 0; v < r->vertices; v++)
        put(outputs, v, get(r->share, v, r->single) * get(r->out, v, r->single), r->single);
    hd_own_rounds_finish(&k->rounds);
    report->converged = k->converged || !k->vertices;
    report->residual = k->change;
    report->iterations = k->done;
}

static heddle_status run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                         void *outputs, hd_part_report *report) {
    const hd_pr_part *how = (const hd_pr_part *)job->setup.own;
    heddle_context *ctx = link->ctx;
    uint64_t all = slice->own + slice->remote;
    ranking k = {.slice = slice, .setup = &job->setup, .vertices = job->vertices};
    k.r = (hd_ranking){.ctx = ctx,
                       .terms = {.personal_scale = 1 / (double)(job->vertices ? job->vertices : 1)},
                       .vertices = slice->own,
                       .single = job->program->output == HEDDLE_VALUE_F32,
                       .damping = job->setup.parameter[0],
                       .ahead = how->undirected};
    k.sent = slice->boundary_count * hd_rank_bytes(&k.r);
    heddle_status status;
    HD_CHECK(allocate(&k));
    HD_CHECK(group_edges(&k, job, report));
    HD_CHECK(hd_sharing_new(link, slice, hd_rank_bytes(&k.r), &k.sharing));
    HD_CHECK(hd_own_rounds_begin_bare(&k.rounds, link, slice, job, report));
    HD_CHECK(take_census(&k, degrees));
    k.r.ahead = k.r.ahead && k.outs > 0;
    HD_CHECK(rank_all(&k));
    finish(&k, outputs, report);
out:
    status = hd_sharing_free(&k.sharing, status);
    hd_ranking_edges_free(&k.r);
    hd_free(&ctx->allocator, k.r.share, all * hd_rank_bytes(&k.r));
    hd_free(&ctx->allocator, k.r.other, all * hd_rank_bytes(&k.r));
    hd_free(&ctx->allocator, k.r.out, slice->own * hd_rank_bytes(&k.r));
    HD_DELETE(&ctx->allocator, k.r.tallies, k.r.strips + hd_tally_groups(k.r.strips));
    return status;
}

hd_pr_part hd_pr_part_of(const heddle_graph *graph) {
    return (hd_pr_part){.own = {.run = run, .direction = true}, .undirected = !graph->directed};
}
