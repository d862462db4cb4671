/* pr_round.c - see pr_round.h. The loops exist in single and double; in single a share takes 4 bytes, which determines
 * the speed.
 */
#include "algorithm/pr/pr_round.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum {
    STRIP = HD_RANK_STRIP,
    LANES = 8,          /* of a sum, for the vector unit */
    CACHED = 2 << 20,   /* bytes of shares that fit the caches, */
    TRIED = 32 << 20,   /* and that may partly fit the last-level cache */
    EVEN = 4,           /* rows are even if none is longer than this many times the average: a sign of few rounds */
    DENSE = 8,          /* with this many edges per vertex or more, rows need not be sorted by length */
    ROW_PART = 64,      /* no row may hold more than 1/64 of all edges: it would delay its round */
    TOGETHER = 1 << 14, /* edges of the strips that a thread takes at once */
    MOST_TOGETHER = 64, /* most strips taken at once */
    CUT_TOGETHER = 8    /* strips taken at once, of blocks in several pieces */
};

#define INLINE static inline __attribute__((always_inline))

INLINE double get(const void *values, uint64_t i, const bool single) {
    return single ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

/* ---- New ranks ----------------------------------------------------------------------------------------------- */

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

/* Computes the new shares of `count` vertices from `from` on; sums[0] belongs to the first. Plain loops over arrays,
 * which compilers vectorise. */
#define DEFINE_SETTLE(name, type, ahead)                                                          \
    static void name(hd_ranking *r, uint64_t from, uint64_t count, const double *restrict sums) { \
        type *restrict to = (type *)r->other + from;                                              \
        const type *restrict old = (const type *)r->share + from;                                 \
        const type *restrict out = (const type *)r->out + from;                                   \
        const double *restrict personal = r->terms.personal ? r->terms.personal + from : NULL;    \
        const double spread = r->spread * r->terms.personal_scale, damping = r->damping;          \
        const double onward = r->onward, was_scale = r->was_scale;                                \
        double now[STRIP], change[STRIP], dangling = 0, sum = 0;                                  \
        int dangle = 0;                                                                           \
        for (uint64_t i = 0; i < count; i++)                                                      \
            now[i] = (personal ? spread * personal[i] : spread) + damping * sums[i];              \
        for (uint64_t i = 0; i < count; i++) {                                                    \
            double each = (double)out[i], was = (double)to[i] * was_scale * each;                 \
            change[i] = fabs(now[i] - (double)old[i] * each);                                     \
            to[i] = (type)(ahead ? now[i] + onward * (now[i] - was) : now[i]) / out[i];           \
        }                                                                                         \
        for (uint64_t i = 0; r->any_dangling && i < count; i++)                                   \
            dangle |= out[i] < 0;                                                                 \
        for (uint64_t i = 0; dangle && i < count; i++)                                            \
            dangling += out[i] < 0 ? (double)to[i] * (double)out[i] : 0;                          \
        for (uint64_t i = 0; r->waves > 1 && i < count; i++)                                      \
            now[i] = (double)to[i] * (double)out[i];                                              \
        if (r->waves > 1)                                                                         \
            sum = add_up(now, count);                                                             \
        r->tallies[from / STRIP] = (hd_rank_tally){add_up(change, count), dangling, sum};         \
    }

DEFINE_SETTLE(settle_single, float, false)
DEFINE_SETTLE(settle_double, double, false)
DEFINE_SETTLE(settle_single_ahead, float, true)
DEFINE_SETTLE(settle_double_ahead, double, true)

/* Computes the new shares of the strip that begins at `from`. */
static void settle(hd_ranking *r, uint64_t from, const double *sums) {
    uint64_t count = r->vertices - from < STRIP ? r->vertices - from : STRIP;
    if (r->ahead)
        (r->single ? settle_single_ahead : settle_double_ahead)(r, from, count, sums);
    else
        (r->single ? settle_single : settle_double)(r, from, count, sums);
}

/* ---- By rows ------------------------------------------------------------------------------------------------- */

/* Strips from .. to. */
static void do_strips(hd_ranking *r, uint64_t from, uint64_t to) {
    double sums[STRIP];
    if (hd_advance(r->ctx, hd_strip_edges(&r->rows, from, to)))
        return;
    for (uint64_t strip = from; strip < to; strip++) {
        if (r->codes)
            hd_pr_rows_add_coded(&r->rows, strip, r->codes, r->coded, sums);
        else
            hd_pr_rows_add(&r->rows, strip, r->share, r->single, sums);
        settle(r, strip * STRIP, sums);
    }
}

/* ---- Grouped ------------------------------------------------------------------------------------------------- */

INLINE double share_of(const hd_ranking *r, const void *share, uint64_t e, const bool single,
                       const heddle_weight_type type) {
    double value = get(share, r->blocked.edges[e] >> 16, single);
    return type ? value * hd_weight_at(r->blocked.weights, type, e) : value;
}

/* Adds the shares along edges from .. to, all of one tile. */
INLINE void add_tile(const hd_ranking *r, uint64_t from, uint64_t to, uint64_t first, double *sums, const bool single,
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

/* Sums a piece, tile by tile. Tiles are not contiguous, hence the prefetching. */
INLINE void add_tiles(const hd_ranking *r, const hd_piece *piece, double *sums, const bool single,
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

static void add_piece(const hd_ranking *r, const hd_piece *piece, double *sums) {
    memset(sums, 0, sizeof *sums << r->blocked.shift);
    switch (r->terms.weights) {
    case HEDDLE_WEIGHT_U32: add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_U32); break;
    case HEDDLE_WEIGHT_I32: add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_I32); break;
    case HEDDLE_WEIGHT_F32: add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_F32); break;
    case HEDDLE_WEIGHT_I64: add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_I64); break;
    case HEDDLE_WEIGHT_F64: add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_F64); break;
    default:
        if (r->single)
            add_tiles(r, piece, sums, true, HEDDLE_WEIGHT_NONE);
        else
            add_tiles(r, piece, sums, false, HEDDLE_WEIGHT_NONE);
    }
}

static double *table(const hd_ranking *r, uint64_t k) { return r->tables + (k << r->blocked.shift); }

/* One piece; if it is a whole block, also the block's vertices. */
static void do_piece(hd_ranking *r, const hd_piece *piece) {
    bool whole = piece->slot == HD_NO_SLOT;
    double *sums = table(r, whole ? (uint64_t)hd_thread() : (uint64_t)r->ctx->threads + piece->slot);
    uint64_t from = piece->block << r->blocked.shift, end = from + (UINT64_C(1) << r->blocked.shift);
    add_piece(r, piece, sums);
    for (uint64_t v = from; whole && v < end && v < r->vertices; v += STRIP)
        settle(r, v, sums + (v - from));
}

/* For a block in several pieces: adds their sums, in order, and computes the ranks of one strip. */
static void do_cut_strip(hd_ranking *r, uint64_t first_piece, uint64_t strip) {
    const hd_piece *pieces = r->blocked.pieces;
    uint64_t offset = strip * STRIP, from = (pieces[first_piece].block << r->blocked.shift) + offset;
    double sums[STRIP];
    if (from >= r->vertices)
        return;
    memcpy(sums, table(r, (uint64_t)r->ctx->threads + pieces[first_piece].slot) + offset, sizeof sums);
    for (uint64_t p = first_piece + 1; p < r->blocked.piece_count && pieces[p].block == pieces[first_piece].block;
         p++) {
        const double *more = table(r, (uint64_t)r->ctx->threads + pieces[p].slot) + offset;
        for (uint64_t i = 0; i < STRIP; i++)
            sums[i] += more[i];
    }
    settle(r, from, sums);
}

/* The blocks in several pieces among pieces from .. to, once all of these are complete. */
static void do_cut_blocks(hd_ranking *r, uint64_t from, uint64_t to) {
    const hd_piece *pieces = r->blocked.pieces;
    uint64_t strips = (UINT64_C(1) << r->blocked.shift) / STRIP;
    HD_PARALLEL_FOR(r->ctx, schedule(dynamic, CUT_TOGETHER))
    for (uint64_t job = from * strips; job < to * strips; job++) {
        uint64_t p = job / strips;
        if (pieces[p].slot != HD_NO_SLOT && (p == 0 || pieces[p - 1].block != pieces[p].block))
            do_cut_strip(r, p, job % strips);
    }
}

/* The first piece of a block, or the number of pieces. */
static uint64_t piece_of(const hd_ranking *r, uint64_t block) {
    uint64_t p = 0;
    while (p < r->blocked.piece_count && r->blocked.pieces[p].block < block)
        p++;
    return p;
}

/* ---- A round ------------------------------------------------------------------------------------------------- */

/* Vertices from .. to, whole strips by rows, whole blocks when grouped. */
static void do_wave_of_rows(hd_ranking *r, uint64_t from, uint64_t to) {
    uint64_t first = from / STRIP, end = (to + STRIP - 1) / STRIP, edges = hd_strip_edges(&r->rows, first, end);
    uint64_t together = 1 + TOGETHER * (end - first) / (edges + 1);
    together = together < MOST_TOGETHER ? together : MOST_TOGETHER;
    HD_PARALLEL_FOR(r->ctx, schedule(dynamic, 1) if (edges >= HD_WORTH_THREADS))
    for (uint64_t s = first; s < end; s += together)
        do_strips(r, s, end - s < together ? end : s + together);
}

static void do_wave_of_blocks(hd_ranking *r, uint64_t from, uint64_t to) {
    uint64_t first = piece_of(r, from >> r->blocked.shift), cut = 0;
    uint64_t end = to < r->vertices ? piece_of(r, to >> r->blocked.shift) : r->blocked.piece_count;
    HD_PARALLEL_FOR(r->ctx, schedule(dynamic, 1) if (r->blocked.count + r->vertices >= HD_WORTH_THREADS))
    for (uint64_t p = first; p < end; p++)
        do_piece(r, &r->blocked.pieces[p]);
    for (uint64_t p = first; p < end; p++)
        cut += r->blocked.pieces[p].slot != HD_NO_SLOT;
    if (cut)
        do_cut_blocks(r, first, end);
}

static void exchange_bytes(char *a, char *b, size_t bytes) {
    char was[4096];
    for (size_t at = 0; at < bytes; at += sizeof was) {
        size_t some = bytes - at < sizeof was ? bytes - at : sizeof was;
        memcpy(was, a + at, some);
        memcpy(a + at, b + at, some);
        memcpy(b + at, was, some);
    }
}

/* Makes the results of this wave visible to later waves. */
static void publish(hd_ranking *r, uint64_t from, uint64_t to) {
    size_t each = hd_rank_bytes(r);
    HD_PARALLEL(r->ctx, if (to - from >= HD_WORTH_THREADS)) {
        uint64_t parts = (uint64_t)hd_threads_here(), part = (uint64_t)hd_thread();
        uint64_t first = from + hd_split(to - from, parts, part), end = from + hd_split(to - from, parts, part + 1);
        exchange_bytes((char *)r->share + first * each, (char *)r->other + first * each, (end - first) * each);
    }
}

static void do_wave(hd_ranking *r, uint64_t wave) {
    uint64_t unit = r->rows.in.offsets ? STRIP : UINT64_C(1) << r->blocked.shift,
             units = (r->vertices + unit - 1) / unit;
    uint64_t from = hd_split(units, r->waves, wave) * unit, to = hd_split(units, r->waves, wave + 1) * unit;
    to = to < r->vertices ? to : r->vertices;
    if (from >= to)
        return;
    if (r->rows.in.offsets)
        do_wave_of_rows(r, from, to);
    else
        do_wave_of_blocks(r, from, to);
    if (r->waves > 1)
        publish(r, from, to);
}

static hd_rank_tally add_tallies(const hd_rank_tally *tallies, uint64_t count) {
    hd_rank_tally total = {0, 0, 0};
    for (uint64_t i = 0; i < count; i++) {
        total.change += tallies[i].change;
        total.dangling += tallies[i].dangling;
        total.sum += tallies[i].sum;
    }
    return total;
}

/* In groups of strips first, since tallies are in the caches of many cores. */
static hd_rank_tally add_all_tallies(hd_ranking *r) {
    uint64_t groups = hd_tally_groups(r->strips);
    hd_rank_tally *sums = r->tallies + r->strips;
    HD_PARALLEL_FOR(r->ctx, schedule(static) if (r->strips >= HD_WORTH_THREADS / 4))
    for (uint64_t g = 0; g < groups; g++) {
        uint64_t from = g * HD_TALLY_GROUP, left = r->strips - from;
        sums[g] = add_tallies(r->tallies + from, left < HD_TALLY_GROUP ? left : HD_TALLY_GROUP);
    }
    return add_tallies(sums, groups);
}

hd_rank_tally hd_ranking_waves(hd_ranking *r) {
    for (uint64_t wave = 0; wave < r->waves; wave++)
        do_wave(r, wave);
    HD_DELETE(&r->ctx->allocator, r->codes, r->vertices);
    return add_all_tallies(r);
}

double hd_ranking_round(hd_ranking *r) {
    hd_rank_tally total = hd_ranking_waves(r);
    total.change *= r->scale;
    if (r->waves > 1) {
        double sum = total.sum * r->scale;
        total.change = (total.change + (1 - r->damping) / r->damping * fabs(sum - 1)) / sum;
        r->was_scale = sum;
        r->scale = 1 / total.sum;
    } else {
        r->was_scale = 1;
        void *was = r->share;
        r->share = r->other;
        r->other = was;
    }
    r->spread = (1 - r->damping) / r->scale + r->damping * total.dangling;
    return total.change;
}

/* ---- Which way ----------------------------------------------------------------------------------------------- */

static heddle_status group(hd_ranking *r, const heddle_adjacency *out) {
    heddle_adjacency plain = {out->offsets, out->targets, r->terms.weights ? out->weights : NULL};
    return hd_ranking_group(r, r->vertices, &plain);
}

heddle_status hd_ranking_group(hd_ranking *r, uint64_t sources, const heddle_adjacency *out) {
    HD_TRY(hd_blocked_new(r->ctx, sources, r->vertices, out, hd_weight_size(r->terms.weights), &r->blocked));
    r->table_count = ((uint64_t)r->ctx->threads + r->blocked.slots) << r->blocked.shift;
    return HD_NEW(r->ctx, &r->tables, r->table_count, "sums");
}

heddle_status hd_ranking_edges(hd_ranking *r, const heddle_adjacency *out, const heddle_adjacency *in,
                               uint64_t longest_row) {
    uint64_t edges = out->offsets[r->vertices], bytes = r->vertices * hd_rank_bytes(r);
    if (!in || r->terms.weights || longest_row > edges / ROW_PART)
        return group(r, out);
    bool dense = edges >= DENSE * r->vertices;
    r->even = dense && (double)longest_row * (double)r->vertices <= EVEN * (double)edges;
    bool cached = (dense && bytes <= CACHED) || hd_pr_rows_near(r->vertices, in);
    r->tried = !cached && r->even && bytes <= TRIED;
    if (!cached && !r->tried)
        return group(r, out);
    if (r->tried && !r->terms.personal && longest_row < HD_RANK_CODES)
        HD_TRY(HD_NEW(r->ctx, &r->codes, r->vertices, "out-degrees"));
    return hd_pr_rows_new(r->ctx, r->vertices, in, !dense, &r->rows);
}

heddle_status hd_ranking_regroup(hd_ranking *r) {
    heddle_adjacency in = r->rows.in; /* also the out-edges, or there would be no rows */
    hd_pr_rows_free(r->ctx, &r->rows);
    r->tried = false;
    return group(r, &in);
}

void hd_ranking_edges_free(hd_ranking *r) {
    HD_DELETE(&r->ctx->allocator, r->codes, r->vertices);
    hd_pr_rows_free(r->ctx, &r->rows);
    hd_blocked_free(r->ctx, &r->blocked);
    HD_DELETE(&r->ctx->allocator, r->tables, r->table_count);
}
