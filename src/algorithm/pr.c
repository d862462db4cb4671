/* pr.c - PageRank by power iteration (Page, Brin, Motwani, Winograd 1999), defined as NetworkX defines it.
 *
 * A round gives every vertex v
 *     x'(v) = p(v) * (1 - d + d * D) + d * sum over in-edges u -> v of x(u) / out(u),
 * where p is uniform or the personalisation, D the rank of the vertices without out-edges, out(u) the number (or total
 * weight) of u's out-edges. The sums are taken over edges grouped by blocks of targets (engine/blocked.h), without
 * atomics, in double, and in an order that depends on the graph alone, so that any number of threads gives the same
 * bits. Single precision holds the shares x(u) / out(u) in 4 bytes, which is what the speed depends on.
 */
#include "algorithm/algorithm.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "check/check.h"
#include "engine/blocked.h"
#include "engine/rank.h"

#include <math.h>
#include <string.h>

enum {
    STRIP = 4096, /* vertices whose changes are added up together, at most */
    SETTLE = 256, /* vertices whose ranks are worked out together */
    LANES = 8     /* of a sum, for the vector unit */
};

/* Below this tolerance rounding to single would keep the change from getting there: work in double, round at last. */
static const double single_tolerance = 0x1p-21;

typedef struct tally {
    double change;   /* sum of |x' - x| */
    double dangling; /* sum of x' over vertices without out-edges */
} tally;

typedef struct ranking {
    heddle_context *ctx;
    hd_rank_terms terms;
    hd_blocked blocked;
    uint64_t vertices;
    bool single; /* float arrays; else double */
    double damping;
    void *rank;         /* x */
    void *share, *next; /* x(u) / out(u): this round's and the next round's */
    void *out;          /* out(u); infinity where it is 0, so that such a vertex has no share to give */
    bool any_dangling;  /* there are such vertices */
    double *tables;     /* one block's sums for each thread, then for each slot */
    uint64_t table_count;
    uint64_t strip; /* vertices in a strip: a part of a block */
    tally *tallies; /* one for each strip */
    uint64_t strips;
    double spread; /* 1 - d + d * D */
} ranking;

/* ---- Values of either precision ------------------------------------------------------------------------------ */

#define INLINE static inline __attribute__((always_inline))

INLINE double get(const void *values, uint64_t i, const bool single) {
    return single ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

/* Returns the value as it was stored. */
static double put(void *values, uint64_t i, double value, bool single) {
    if (!single)
        return ((double *)values)[i] = value;
    return (double)(((float *)values)[i] = (float)value);
}

static size_t value_bytes(const ranking *r) { return r->single ? sizeof(float) : sizeof(double); }

/* ---- A round ------------------------------------------------------------------------------------------------- */

INLINE double share_of(const ranking *r, const void *share, uint64_t e, const bool single,
                       const heddle_weight_type type) {
    double value = get(share, r->blocked.edges[e] >> 16, single);
    return type ? value * hd_weight_at(r->blocked.weights, type, e) : value;
}

/* Adds the shares that come along the edges from .. to, all of one tile. */
INLINE void add_tile(const ranking *r, uint64_t from, uint64_t to, uint64_t first, double *sums, const bool single,
                     const heddle_weight_type type) {
    const uint32_t *edges = r->blocked.edges;
    const void *share = single ? (const void *)((const float *)r->share + first) : (const double *)r->share + first;
    uint64_t e = from;
    for (; e + 4 <= to; e += 4) {
        double a = share_of(r, share, e, single, type), b = share_of(r, share, e + 1, single, type);
        double c = share_of(r, share, e + 2, single, type), d = share_of(r, share, e + 3, single, type);
        sums[edges[e] & 0xffff] += a;
        sums[edges[e + 1] & 0xffff] += b;
        sums[edges[e + 2] & 0xffff] += c;
        sums[edges[e + 3] & 0xffff] += d;
    }
    for (; e < to; e++)
        sums[edges[e] & 0xffff] += share_of(r, share, e, single, type);
}

/* Adds up a piece, tile after tile. Tiles lie apart, hence the look ahead. */
INLINE void add_tiles(const ranking *r, const hd_piece *piece, double *sums, const bool single,
                      const heddle_weight_type type) {
    uint64_t from, to, next = 0, end = 0, edges = 0;
    if (piece->from < piece->to)
        hd_tile(&r->blocked, piece->block, piece->from, &next, &end);
    for (uint64_t chunk = piece->from; chunk < piece->to && !hd_cancelled(r->ctx); chunk++) {
        from = next;
        to = end;
        if (chunk + 1 < piece->to) {
            hd_tile(&r->blocked, piece->block, chunk + 1, &next, &end);
            __builtin_prefetch(&r->blocked.edges[next]);
        }
        add_tile(r, from, to, r->blocked.first[chunk], sums, single, type);
        edges += to - from;
    }
    hd_advance(r->ctx, edges);
}

static void add_piece(const ranking *r, const hd_piece *piece, double *sums) {
    memset(sums, 0, sizeof *sums << r->blocked.shift);
    switch (r->terms.weights) {
    case HEDDLE_WEIGHT_U32: add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_U32); break;
    case HEDDLE_WEIGHT_I32: add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_I32); break;
    case HEDDLE_WEIGHT_F32: add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_F32); break;
    default:
        if (r->single)
            add_tiles(r, piece, sums, true, HEDDLE_WEIGHT_NONE);
        else
            add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_NONE);
    }
}

static double add_up(const double *values, uint64_t count) {
    double lanes[LANES] = {0}, sum = 0;
    uint64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (uint64_t k = 0; k < LANES; k++)
            lanes[k] += values[i + k];
    for (; i < count; i++)
        lanes[0] += values[i];
    for (uint64_t k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

/* Gives `count` vertices from `from` on their new ranks and shares; sums[0] belongs to the first of them. Straight
 * loops over arrays, for the vector unit. */
#define DEFINE_SETTLE(name, type)                                                                        \
    static void name(ranking *r, uint64_t from, uint64_t count, const double *restrict sums, tally *t) { \
        type *restrict rank = (type *)r->rank + from, *restrict next = (type *)r->next + from;           \
        const type *restrict out = (const type *)r->out + from;                                          \
        const double *restrict personal = r->terms.personal ? r->terms.personal + from : NULL;           \
        const double spread = r->spread * r->terms.personal_scale, damping = r->damping;                 \
        double now[SETTLE], change[SETTLE] = {0};                                                        \
        for (uint64_t i = 0; i < count; i++)                                                             \
            now[i] = (personal ? spread * personal[i] : spread) + damping * sums[i];                     \
        for (uint64_t i = 0; i < count; i++) {                                                           \
            type value = (type)now[i];                                                                   \
            change[i] = fabs((double)value - (double)rank[i]);                                           \
            rank[i] = value;                                                                             \
            next[i] = value / out[i];                                                                    \
        }                                                                                                \
        t->change += add_up(change, count);                                                              \
        for (uint64_t i = 0; r->any_dangling && i < count; i++)                                          \
            t->dangling += isinf(out[i]) ? (double)rank[i] : 0;                                          \
    }

DEFINE_SETTLE(settle_single, float)
DEFINE_SETTLE(settle_double, double)

/* Gives the vertices of a strip their new ranks; sums[0] belongs to the first of them. */
static void finish_strip(ranking *r, uint64_t from, const double *sums) {
    uint64_t end = r->vertices - from < r->strip ? r->vertices - from : r->strip;
    tally *t = &r->tallies[from / r->strip];
    *t = (tally){0, 0};
    for (uint64_t i = 0; i < end; i += SETTLE)
        (r->single ? settle_single : settle_double)(r, from + i, end - i < SETTLE ? end - i : SETTLE, sums + i, t);
}

static double *table(const ranking *r, uint64_t k) { return r->tables + (k << r->blocked.shift); }

/* One piece; when it is a whole block, its vertices too. */
static void do_piece(ranking *r, const hd_piece *piece) {
    bool whole = piece->slot == HD_NO_SLOT;
    double *sums = table(r, whole ? (uint64_t)hd_thread() : (uint64_t)r->ctx->threads + piece->slot);
    uint64_t from = piece->block << r->blocked.shift, end = from + (UINT64_C(1) << r->blocked.shift);
    add_piece(r, piece, sums);
    for (uint64_t v = from; whole && v < end && v < r->vertices; v += r->strip)
        finish_strip(r, v, sums + (v - from));
}

/* For a block in several pieces: adds their sums, in order, and gives one strip of it its ranks. */
static void do_cut_strip(ranking *r, uint64_t first_piece, uint64_t strip) {
    const hd_piece *pieces = r->blocked.pieces;
    uint64_t offset = strip * r->strip, from = (pieces[first_piece].block << r->blocked.shift) + offset;
    double sums[STRIP];
    if (from >= r->vertices)
        return;
    memcpy(sums, table(r, (uint64_t)r->ctx->threads + pieces[first_piece].slot) + offset, r->strip * sizeof *sums);
    for (uint64_t p = first_piece + 1; p < r->blocked.piece_count && pieces[p].block == pieces[first_piece].block;
         p++) {
        const double *more = table(r, (uint64_t)r->ctx->threads + pieces[p].slot) + offset;
        for (uint64_t i = 0; i < r->strip; i++)
            sums[i] += more[i];
    }
    finish_strip(r, from, sums);
}

/* The blocks in several pieces, once all pieces are there. */
static void do_cut_blocks(ranking *r) {
    const hd_piece *pieces = r->blocked.pieces;
    uint64_t strips = (UINT64_C(1) << r->blocked.shift) / r->strip, jobs = r->blocked.piece_count * strips;
    HD_PARALLEL_FOR(r->ctx, schedule(dynamic, 1))
    for (uint64_t job = 0; job < jobs; job++) {
        uint64_t p = job / strips;
        if (pieces[p].slot != HD_NO_SLOT && (p == 0 || pieces[p - 1].block != pieces[p].block))
            do_cut_strip(r, p, job % strips);
    }
}

/* One round; returns the L1 change. */
static double do_round(ranking *r) {
    tally total = {0, 0};
    HD_PARALLEL_FOR(r->ctx, schedule(dynamic, 1) if (r->blocked.count + r->vertices >= HD_WORTH_THREADS))
    for (uint64_t p = 0; p < r->blocked.piece_count; p++)
        do_piece(r, &r->blocked.pieces[p]);
    if (r->blocked.slots)
        do_cut_blocks(r);
    for (uint64_t s = 0; s < r->strips; s++) {
        total.change += r->tallies[s].change;
        total.dangling += r->tallies[s].dangling;
    }
    void *used = r->share;
    r->share = r->next;
    r->next = used;
    r->spread = 1 - r->damping + r->damping * total.dangling;
    return total.change;
}

/* ---- Start and end ------------------------------------------------------------------------------------------- */

static double out_of(const ranking *r, const heddle_adjacency *out, uint64_t v) {
    double total = 0;
    if (!r->terms.weights)
        return (double)(out->offsets[v + 1] - out->offsets[v]);
    for (uint64_t e = out->offsets[v]; e < out->offsets[v + 1]; e++)
        total += hd_weight_at(out->weights, r->terms.weights, e);
    return total;
}

/* Fills the arrays for the first round: ranks as the personalisation says. Returns how many vertices dangle. */
static uint64_t start_strip(ranking *r, const heddle_adjacency *out, uint64_t strip) {
    uint64_t from = strip * r->strip, to = r->vertices - from < r->strip ? r->vertices : from + r->strip, count = 0;
    tally *t = &r->tallies[strip];
    *t = (tally){0, 0};
    for (uint64_t v = from; v < to; v++) {
        double rank =
            put(r->rank, v, (r->terms.personal ? r->terms.personal[v] : 1) * r->terms.personal_scale, r->single);
        double total = out_of(r, out, v);
        if (!(total > 0)) {
            total = HUGE_VAL;
            t->dangling += rank;
            count++;
        }
        put(r->out, v, total, r->single);
        put(r->share, v, rank / total, r->single);
    }
    return count;
}

static heddle_status start(ranking *r, const heddle_adjacency *out, heddle_result *result) {
    heddle_context *ctx = r->ctx;
    heddle_adjacency plain = {out->offsets, out->targets, r->terms.weights ? out->weights : NULL};
    double dangling = 0;
    uint64_t count = 0;
    HD_TRY(hd_blocked_new(ctx, r->vertices, &plain, &r->blocked));
    uint64_t block = UINT64_C(1) << r->blocked.shift;
    r->strip = block < STRIP ? block : STRIP;
    r->strips = (r->vertices + r->strip - 1) / r->strip;
    r->table_count = ((uint64_t)ctx->threads + r->blocked.slots) << r->blocked.shift;
    HD_TRY(hd_result_values_new(ctx, result, r->single ? HEDDLE_VALUE_F32 : HEDDLE_VALUE_F64, r->vertices));
    r->rank = result->values;
    HD_TRY(hd_new(ctx, &r->share, r->vertices, value_bytes(r), false, "shares"));
    HD_TRY(hd_new(ctx, &r->next, r->vertices, value_bytes(r), false, "shares"));
    HD_TRY(hd_new(ctx, &r->out, r->vertices, value_bytes(r), false, "out-degrees"));
    HD_TRY(HD_NEW(ctx, &r->tables, r->table_count, "sums"));
    HD_TRY(HD_NEW(ctx, &r->tallies, r->strips, "changes"));
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) reduction(+ : count) if (r->vertices >= HD_WORTH_THREADS))
    for (uint64_t strip = 0; strip < r->strips; strip++)
        count += start_strip(r, out, strip);
    r->any_dangling = count > 0;
    for (uint64_t strip = 0; strip < r->strips; strip++)
        dangling += r->tallies[strip].dangling;
    r->spread = 1 - r->damping + r->damping * dangling;
    return HEDDLE_OK;
}

static void add_figures(const ranking *r, double change, heddle_result *result) {
    double values[SETTLE] = {0}, sum = 0, most = 0;
    for (uint64_t from = 0; from < r->vertices; from += SETTLE) {
        uint64_t count = r->vertices - from < SETTLE ? r->vertices - from : SETTLE;
        for (uint64_t i = 0; i < count; i++) {
            values[i] = get(r->rank, from + i, r->single);
            most = values[i] > most ? values[i] : most;
        }
        sum += add_up(values, count);
    }
    hd_result_figure(result, "residual", change);
    hd_result_figure(result, "max", most);
    hd_result_figure(result, "sum", sum);
}

static void finish(ranking *r) {
    const heddle_allocator *allocator = &r->ctx->allocator;
    hd_blocked_free(r->ctx, &r->blocked);
    hd_free(allocator, r->share, r->vertices * value_bytes(r));
    hd_free(allocator, r->next, r->vertices * value_bytes(r));
    hd_free(allocator, r->out, r->vertices * value_bytes(r));
    HD_DELETE(allocator, r->tables, r->table_count);
    HD_DELETE(allocator, r->tallies, r->strips);
}

static heddle_status run_pr(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result) {
    bool single = options->precision != HEDDLE_PRECISION_DOUBLE;
    ranking r = {.ctx = ctx, .vertices = graph->vertices, .damping = options->damping};
    heddle_adjacency out;
    heddle_status status;
    heddle_report *report = &result->report;
    double change = 0;
    HD_TRY(hd_rank_terms_of(ctx, graph, options, &r.terms));
    HD_TRY(heddle_graph_out(ctx, graph, &out));
    r.single = single && !r.terms.weights && options->tolerance >= single_tolerance;
    hd_phase_begin(ctx, "compute", 0);
    HD_CHECK(start(&r, &out, result));
    report->converged = graph->vertices == 0;
    while (!report->converged && report->iterations < options->max_iterations) {
        change = do_round(&r);
        HD_CHECK(hd_cancelled_status(ctx));
        report->iterations++;
        report->converged = change < options->tolerance;
    }
    report->edges_walked = report->iterations * graph->edges;
    add_figures(&r, change, result);
    if (single && !r.single) /* worked in double */
        HD_CHECK(hd_result_to_single(ctx, result));
out:
    finish(&r);
    hd_phase_end(ctx);
    return status;
}

const hd_algorithm hd_algorithm_pr = {
    .info = {"pr", "PageRank: how often a random surfer is at a vertex",
             "damping tolerance max_iterations personalization weighted precision"},
    .run = run_pr,
    .reference = hd_reference_pr,
    .verify = hd_verify_pr,
    .tolerance = 1e-6,
    .max_iterations = 100,
};
