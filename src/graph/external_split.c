/* external_split.c - finishes a bucket on disk that has more arcs than fit in memory.
 *
 * Its arcs are distributed, in order, to groups of rows behind the end of the staging file; groups that are still too
 * large are split again, those of one row by target. A row's targets ascend from group to group, so groups are finished
 * one after the other and appended. Each level reads and writes the arcs once; there are at most five or six, however
 * the arcs are distributed. Only parallel arcs cannot be split: they must fit in memory.
 */
#include "graph/external.h"

#include "base/limit.h"
#include "base/memory.h"

#include <string.h>

enum {
    MOST_GROUPS = 64,
    GROUP_ROOM = 128, /* records in the buffer of a group */
    TARGET_BINS = 1 << 12
};

/* Arcs [at, at + count) of the staging file: all that have these rows and targets. */
typedef struct piece {
    uint64_t at, count;
    uint32_t first, rows; /* counted from the bucket's first vertex */
    uint64_t low, high;   /* targets [low, high) */
} piece;

typedef struct split {
    hd_external *x;
    const hd_bucket *bucket;
    uint64_t *lengths; /* of the bucket's rows */
    uint64_t end;      /* of the staging file, in records */
} split;

/* How arcs are put into bins, by row or by target, and bins into groups. */
typedef struct division {
    bool by_row;
    int shift; /* by target */
    uint64_t bins;
    uint64_t *counts;
    uint16_t *group_of;
    piece groups[MOST_GROUPS];
    uint64_t next[MOST_GROUPS]; /* where the group's next records go */
    uint64_t filled[MOST_GROUPS];
    char *buffers;
    char *piece; /* records on their way from the disk */
    uint64_t count;
} division;

static uint64_t bin_of(const division *d, const piece *p, const char *record) {
    uint16_t local;
    uint32_t target;
    memcpy(&local, record, sizeof local);
    memcpy(&target, record + 2, sizeof target);
    return d->by_row ? (uint64_t)((local & ~HD_BUCKET_REVERSE) - p->first) : (target - p->low) >> d->shift;
}

/* ---- Dividing --------------------------------------------------------------------------------------------------- */

static void count_bin(split *s, division *d, const piece *p, const char *record) {
    (void)s;
    d->counts[bin_of(d, p, record)]++;
}

static int flush(const split *s, division *d, uint64_t g) {
    size_t record = s->x->record;
    int errnum =
        hd_spill_write(&s->x->stage, d->buffers + g * GROUP_ROOM * record, d->filled[g] * record, d->next[g] * record);
    d->next[g] += d->filled[g];
    d->filled[g] = 0;
    return errnum;
}

static void move_record(split *s, division *d, const piece *p, const char *record) {
    uint64_t g = d->group_of[bin_of(d, p, record)], bytes = s->x->record;
    memcpy(d->buffers + (g * GROUP_ROOM + d->filled[g]) * bytes, record, bytes);
    if (++d->filled[g] == GROUP_ROOM && !s->x->errnum)
        s->x->errnum = flush(s, d, g);
}

/* Shows every record of the piece to `visit`, in order. */
static heddle_status walk(split *s, division *d, const piece *p,
                          void (*visit)(split *s, division *d, const piece *p, const char *record)) {
    hd_external *x = s->x;
    const uint64_t each = HD_SORTER_PIECE / x->record;
    for (uint64_t i = 0; i < p->count;) {
        uint64_t now = p->count - i < each ? p->count - i : each;
        int errnum = hd_spill_read(&x->stage, d->piece, now * x->record, (p->at + i) * x->record);
        if (errnum)
            return hd_spill_fail(x->b->ctx, &x->stage, errnum, "cannot read");
        for (uint64_t k = 0; k < now; k++)
            visit(s, d, p, d->piece + k * x->record);
        if (x->errnum)
            return hd_spill_fail(x->b->ctx, &x->stage, x->errnum, "cannot write");
        if (hd_advance(x->b->ctx, 0))
            return hd_cancelled_status(x->b->ctx);
        i += now;
    }
    return HEDDLE_OK;
}

/* Bins [first, last) of the piece, as a piece. */
static piece piece_of_bins(const division *d, const piece *p, uint64_t first, uint64_t last) {
    piece part = *p;
    part.count = 0;
    if (d->by_row) {
        part.first = p->first + (uint32_t)first;
        part.rows = (uint32_t)(last - first);
    } else {
        part.low = p->low + (first << d->shift);
        part.high = p->low + (last << d->shift) < p->high ? p->low + (last << d->shift) : p->high;
    }
    return part;
}

/* Groups of neighbouring bins that fit in memory if possible; a bin that does not is a group of its own. Two
 * neighbours have more than `most` arcs together, which bounds the number of groups. */
static void group_bins(const split *s, division *d, const piece *p) {
    uint64_t most = p->count / (MOST_GROUPS / 2 - 1) + 1, first = 0, arcs = 0;
    most = most < s->x->most ? s->x->most : most;
    d->count = 0;
    for (uint64_t bin = 0; bin <= d->bins; bin++) {
        if (bin == d->bins || (bin > first && arcs + d->counts[bin] > most)) {
            piece *group = &d->groups[d->count];
            *group = piece_of_bins(d, p, first, bin);
            group->count = arcs;
            d->count++;
            first = bin;
            arcs = 0;
        }
        if (bin < d->bins) {
            d->group_of[bin] = (uint16_t)d->count;
            arcs += d->counts[bin];
        }
    }
}

static heddle_status divide(split *s, division *d, const piece *p) {
    heddle_context *ctx = s->x->b->ctx;
    HD_TRY(HD_NEW_ZERO(ctx, &d->counts, d->bins, "splitting a bucket"));
    HD_TRY(HD_NEW(ctx, &d->group_of, d->bins, "splitting a bucket"));
    HD_TRY(HD_NEW(ctx, &d->piece, HD_SORTER_PIECE, "splitting a bucket"));
    HD_TRY(HD_NEW(ctx, &d->buffers, MOST_GROUPS * GROUP_ROOM * s->x->record, "splitting a bucket"));
    HD_TRY(walk(s, d, p, count_bin));
    group_bins(s, d, p);
    for (uint64_t g = 0, at = s->end; g < d->count; g++) {
        d->groups[g].at = d->next[g] = at;
        at += d->groups[g].count;
    }
    HD_TRY(walk(s, d, p, move_record));
    for (uint64_t g = 0; g < d->count && !s->x->errnum; g++)
        s->x->errnum = flush(s, d, g);
    return s->x->errnum ? hd_spill_fail(ctx, &s->x->stage, s->x->errnum, "cannot write") : HEDDLE_OK;
}

static void free_tables(split *s, division *d) {
    const heddle_allocator *allocator = &s->x->b->ctx->allocator;
    HD_DELETE(allocator, d->counts, d->bins);
    HD_DELETE(allocator, d->group_of, d->bins);
    HD_DELETE(allocator, d->piece, HD_SORTER_PIECE);
    HD_DELETE(allocator, d->buffers, MOST_GROUPS * GROUP_ROOM * s->x->record);
}

/* ---- Finishing -------------------------------------------------------------------------------------------------- */

/* A piece that fits in memory. */
static heddle_status finish_piece(split *s, const piece *p) {
    hd_external *x = s->x;
    hd_sorter *sorter = &x->sorters[0];
    heddle_context *ctx = x->b->ctx;
    int errnum = hd_sorter_load(x, sorter, p->at, p->count, p->first);
    if (errnum)
        return hd_spill_fail(ctx, &x->stage, errnum, "cannot read");
    HD_TRY(hd_builder_finished(x->b,
                               hd_bucket_finish(&ctx->allocator, &x->b->rules, sorter->arcs, p->count,
                                                s->bucket->first + p->first, p->rows, &sorter->scratch, sorter->lengths,
                                                &sorter->kept),
                               p->count * x->record));
    for (uint32_t row = 0; row < p->rows; row++)
        s->lengths[p->first + row] += sorter->lengths[row];
    errnum = hd_sorter_append(x, sorter, x->arcs);
    x->arcs += sorter->kept;
    return errnum ? hd_spill_fail(ctx, &x->rows, errnum, "cannot write") : HEDDLE_OK;
}

static heddle_status fail_parallel(const split *s, const piece *p) {
    return hd_fail(s->x->b->ctx, HEDDLE_E_MEMORY,
                   "%llu parallel arcs from vertex %llu to vertex %llu take %s to sort, and the memory limit of %s "
                   "allows %llu arcs at once",
                   (unsigned long long)p->count, (unsigned long long)(s->bucket->first + p->first),
                   (unsigned long long)p->low, hd_size_of(p->count * s->x->record * 9 / 4).text,
                   hd_size_of(s->x->b->ctx->limit->most).text, (unsigned long long)s->x->most);
}

static heddle_status finish_or_split(split *s, const piece *p);

static heddle_status split_piece(split *s, const piece *p) {
    division *d;
    heddle_context *ctx = s->x->b->ctx;
    uint64_t end = s->end;
    HD_TRY(HD_NEW_ZERO(ctx, &d, 1, "splitting a bucket"));
    d->by_row = p->rows > 1;
    while (!d->by_row && (p->high - p->low - 1) >> d->shift >= TARGET_BINS)
        d->shift++;
    d->bins = d->by_row ? p->rows : ((p->high - p->low - 1) >> d->shift) + 1;
    heddle_status status = divide(s, d, p);
    free_tables(s, d);
    hd_spill_discard(&s->x->stage, p->at * s->x->record, p->count * s->x->record);
    s->end += p->count;
    for (uint64_t g = 0; g < d->count && status == HEDDLE_OK; g++)
        status = finish_or_split(s, &d->groups[g]);
    hd_spill_discard(&s->x->stage, end * s->x->record, p->count * s->x->record);
    s->end = end;
    HD_DELETE(&ctx->allocator, d, 1);
    return status;
}

static heddle_status finish_or_split(split *s, const piece *p) {
    if (p->count <= s->x->most)
        return finish_piece(s, p);
    return p->rows == 1 && p->high - p->low == 1 ? fail_parallel(s, p) : split_piece(s, p);
}

heddle_status hd_external_split(hd_external *x, const hd_bucket *bucket, uint64_t *lengths) {
    const hd_builder *b = x->b;
    split s = {.x = x, .bucket = bucket, .lengths = lengths, .end = b->buckets[b->bucket_count].start};
    piece whole = {.at = bucket->start,
                   .count = bucket[1].start - bucket->start,
                   .rows = bucket->vertices,
                   .high = b->map.vertices};
    return finish_or_split(&s, &whole);
}
