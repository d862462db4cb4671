/* exchange.c - the table of exchanges, and the boxes (exchange.h). */
#include "exchange/exchange.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* One line each, in the order that texts list them. */
#define EXCHANGES(X) \
    X(all)           \
    X(ms)            \
    X(vr)

#define DECLARE(name) extern const hd_exchange hd_exchange_##name;
EXCHANGES(DECLARE)

#define ENTER(name) &hd_exchange_##name,
static const hd_exchange *const exchanges[] = {EXCHANGES(ENTER)};

const hd_exchange *hd_exchange_at(size_t index) {
    return index < sizeof exchanges / sizeof *exchanges ? exchanges[index] : NULL;
}

/* ---- Boxes ------------------------------------------------------------------------------------------------------ */

enum { WAYS = 3, WAY_IN = 2, SEEK = 64 /* seeking a vertex in a list takes as long as looking at so many of it */ };

static uint64_t own_of(const hd_slice *s, uint32_t p) { return s->firsts[p + 1] - s->firsts[p]; }

static bool sends_to(const hd_boxes *b, uint32_t p) {
    const hd_slice *s = b->slice;
    return p != s->part && s->own && (b->exchange->to_all || hd_slice_read_by(s, p));
}

static bool hears_from(const hd_boxes *b, uint32_t p) {
    const hd_slice *s = b->slice;
    return p != s->part && own_of(s, p) && (b->exchange->to_all || hd_slice_reads(s, p));
}

heddle_status hd_boxes_new(hd_link *link, const hd_slice *s, const hd_exchange *exchange, size_t size, hd_boxes *b) {
    return hd_boxes_new_direct(link, s, exchange, size, (hd_direct){.out = 0}, b);
}

static uint64_t room_for(const hd_boxes *b, bool direct, uint64_t own, uint64_t count) {
    return direct ? sizeof *b->passed : b->exchange->room(own, count, b->size);
}

heddle_status hd_boxes_new_direct(hd_link *link, const hd_slice *s, const hd_exchange *exchange, size_t size,
                                  hd_direct direct, hd_boxes *b) {
    heddle_context *ctx = link->ctx;
    *b = (hd_boxes){.link = link, .slice = s, .exchange = exchange, .size = size, .direct = direct};
    HD_TRY(HD_NEW_ZERO(ctx, &b->ways, (uint64_t)s->parts * WAYS, "messages between parts"));
    HD_TRY(HD_NEW_ZERO(ctx, &b->out_start, s->parts + 1, "outboxes"));
    HD_TRY(HD_NEW_ZERO(ctx, &b->in_start, s->parts + 1, "inboxes"));
    for (uint32_t p = 0; p < s->parts; p++) {
        uint64_t words = hd_mark_words(hd_slice_read_by(s, p));
        b->mark_words = words > b->mark_words ? words : b->mark_words;
        b->out_start[p + 1] =
            b->out_start[p] +
            (sends_to(b, p) ? room_for(b, hd_is_direct(direct.out, p), s->own, hd_slice_read_by(s, p)) : 0);
        b->in_start[p + 1] =
            b->in_start[p] +
            (hears_from(b, p) ? room_for(b, hd_is_direct(direct.in, p), own_of(s, p), hd_slice_reads(s, p)) : 0);
    }
    HD_TRY(HD_NEW(ctx, &b->marks, b->mark_words, "outboxes"));
    HD_TRY(HD_NEW(ctx, &b->out[0], b->out_start[s->parts], "outboxes"));
    HD_TRY(HD_NEW(ctx, &b->out[1], b->out_start[s->parts], "outboxes"));
    HD_TRY(HD_NEW(ctx, &b->in, b->in_start[s->parts], "inboxes"));
    HD_TRY(HD_NEW(ctx, &b->inbox.places, s->remote, "inboxes"));
    return hd_new(ctx, (void **)&b->inbox.values, s->remote, size, false, "inboxes");
}

heddle_status hd_boxes_free(hd_boxes *b, heddle_status status) {
    if (!b->link)
        return status;
    const heddle_allocator *allocator = &b->link->ctx->allocator;
    uint32_t parts = b->slice->parts;
    if (b->ways)
        status = hd_link_drain(b->link, status, b->ways, (uint64_t)parts * WAYS);
    if (b->in_start) {
        HD_DELETE(allocator, b->out[0], b->out_start[parts]);
        HD_DELETE(allocator, b->out[1], b->out_start[parts]);
        HD_DELETE(allocator, b->in, b->in_start[parts]);
    }
    HD_DELETE(allocator, b->marks, b->mark_words);
    HD_DELETE(allocator, b->inbox.places, b->slice->remote);
    HD_DELETE(allocator, b->inbox.values, b->slice->remote * b->size);
    HD_DELETE(allocator, b->ways, (uint64_t)parts * WAYS);
    HD_DELETE(allocator, b->out_start, parts + 1);
    HD_DELETE(allocator, b->in_start, parts + 1);
    *b = (hd_boxes){.link = NULL};
    return status;
}

/* The place of a vertex in an ascending list; its length: it is not there. */
static uint64_t place_of(const uint32_t *list, uint64_t length, uint64_t v) {
    uint64_t low = 0, high = length;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        *(list[middle] < v ? &low : &high) = list[middle] < v ? middle + 1 : middle;
    }
    return low < length && list[low] == v ? low : length;
}

/* As mark_changed, for few vertices: each is sought in the list. */
static uint64_t mark_few(hd_boxes *b, const uint64_t *changed, const uint32_t *list, uint64_t length) {
    uint64_t count = 0;
    memset(b->marks, 0, hd_mark_words(length) * sizeof *b->marks);
    for (uint64_t w = 0; w < hd_mark_words(b->slice->own); w++)
        for (uint64_t bits = changed[w]; bits; bits &= bits - 1) {
            uint64_t i = place_of(list, length, w * 64 + (uint64_t)__builtin_ctzll(bits));
            if (i == length)
                continue;
            b->marks[i / 64] |= UINT64_C(1) << i % 64;
            count++;
        }
    return count;
}

/* Which vertices of the list have changed: looked up once, as `changed` is read at random. Returns how many. */
static uint64_t mark_changed(hd_boxes *b, const uint64_t *changed, const uint32_t *list, uint64_t length) {
    uint64_t words = hd_mark_words(length), count = 0, *marks = b->marks;
    HD_PARALLEL_FOR(b->link->ctx, schedule(static) reduction(+ : count) if (length >= HD_WORTH_THREADS))
    for (uint64_t w = 0; w < words; w++) {
        const uint32_t *part = list + w * 64;
        uint64_t bits = 0, most = length - w * 64 < 64 ? length - w * 64 : 64;
        for (uint64_t k = 0; k < most; k++)
            bits |= (changed[part[k] >> 6] >> (part[k] & 63) & 1) << k;
        marks[w] = bits;
        count += (uint64_t)__builtin_popcountll(bits);
    }
    return count;
}

static uint64_t count_changed(const hd_slice *s, const uint64_t *changed) {
    uint64_t count = 0;
    for (uint64_t w = 0; w < hd_mark_words(s->own); w++)
        count += (uint64_t)__builtin_popcountll(changed[w]);
    return count;
}

/* Values have passed: the number of them, each with its place. */
static size_t write_passed(hd_boxes *b, uint32_t p, unsigned char *message) {
    memcpy(message, &b->passed[p], sizeof b->passed[p]);
    b->bytes += b->passed[p] * (sizeof(uint32_t) + b->size);
    b->useful += b->passed[p] * b->size;
    return sizeof b->passed[p];
}

static size_t write_changed(hd_boxes *b, const hd_outgoing *out, unsigned char *message) {
    uint64_t useful;
    size_t bytes = b->exchange->write(out, message, &useful);
    b->useful += useful;
    return bytes;
}

heddle_status hd_boxes_post(hd_boxes *b, const void *values, const uint64_t *changed) {
    const hd_slice *s = b->slice;
    hd_link *link = b->link;
    uint32_t turn = b->round++ % 2;
    uint64_t own = count_changed(s, changed);
    b->bytes = b->useful = 0;
    for (uint32_t p = 0; p < s->parts; p++)
        if (hears_from(b, p))
            HD_TRY(link->receive(link, p, b->in + b->in_start[p], b->in_start[p + 1] - b->in_start[p],
                                 &b->ways[p * WAYS + WAY_IN]));
    for (uint32_t i = 1; i < s->parts; i++) { /* not all to the same part first */
        uint32_t p = (s->part + i) % s->parts;
        hd_message_way *way = &b->ways[p * WAYS + turn];
        hd_outgoing out = {.own = s->own,
                           .list = s->boundary + s->boundary_start[p],
                           .count = hd_slice_read_by(s, p),
                           .values = values,
                           .marks = b->marks,
                           .size = b->size};
        if (!sends_to(b, p))
            continue;
        HD_TRY(link->wait(link, way)); /* the message of the round before the last */
        unsigned char *message = b->out[turn] + b->out_start[p];
        if (own && !hd_is_direct(b->direct.out, p))
            out.changes = (own < out.count / SEEK ? mark_few : mark_changed)(b, changed, out.list, out.count);
        size_t bytes = hd_is_direct(b->direct.out, p) ? write_passed(b, p, message) : write_changed(b, &out, message);
        b->bytes += bytes;
        HD_TRY(link->send(link, p, message, bytes, way));
    }
    return HEDDLE_OK;
}

heddle_status hd_boxes_settle(hd_boxes *b) {
    for (uint32_t p = 0; p < b->slice->parts; p++)
        for (uint64_t turn = 0; turn < 2; turn++) /* the older one first */
            HD_TRY(b->link->wait(b->link, &b->ways[p * WAYS + (b->round + turn) % 2]));
    return HEDDLE_OK;
}

heddle_status hd_boxes_take(hd_boxes *b) {
    const hd_slice *s = b->slice;
    hd_inbox *inbox = &b->inbox;
    inbox->count = 0;
    for (uint32_t p = 0; p < s->parts; p++) {
        hd_message_way *way = &b->ways[p * WAYS + WAY_IN];
        hd_incoming in = {.own = own_of(s, p),
                          .first = s->firsts[p],
                          .names = s->names ? s->names + s->own + s->remote_start[p] : NULL,
                          .count = hd_slice_reads(s, p),
                          .size = b->size,
                          .base = (uint32_t)s->remote_start[p],
                          .places = inbox->places + inbox->count,
                          .values = inbox->values + inbox->count * b->size};
        if (!hears_from(b, p))
            continue;
        HD_TRY(b->link->wait(b->link, way));
        bool direct = hd_is_direct(b->direct.in, p);
        uint64_t count = 0;
        if (!direct)
            count = b->exchange->read(&in, b->in + b->in_start[p], way->bytes);
        else if (way->bytes == sizeof *b->arrived)
            memcpy(&b->arrived[p], b->in + b->in_start[p], sizeof *b->arrived);
        if (count == UINT64_MAX || (direct && (way->bytes != sizeof *b->arrived || b->arrived[p] > in.count)))
            return hd_fail(b->link->ctx, HEDDLE_E_INTERNAL, "part %u: a message of part %u of %zu bytes is not %s",
                           s->part, p, way->bytes, b->exchange->name);
        inbox->count += count;
    }
    return HEDDLE_OK;
}
