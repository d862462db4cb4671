/* vr.c - exchange vr: Vertex Refinement (Khorasani, Gupta and Bhuyan, PACT 2015): the values of those vertices alone
 * that have changed and that the other part reads, each with its place in the list that both parts have.
 *
 * A message: 4 bytes of form, 4 of count, the places, the values. Places are written in the form that takes the fewest
 * bytes: not at all if all have changed, as a bitmap of the list, as differences of ascending places in 7-bit groups
 * (the highest bit: more follow), or as plain numbers. Nothing changed: no bytes. */
#include "exchange/exchange.h"

#include <string.h>

enum { HEADER = 8 };
enum { FORM_EVERY, FORM_BITMAP, FORM_DIFFERENCES, FORM_PLAIN };

static uint64_t bitmap_bytes(uint64_t count) { return (count + 7) / 8; }

/* No form is taken that needs more than the bitmap. */
static uint64_t room(uint64_t own, uint64_t count, size_t size) {
    (void)own;
    return HEADER + bitmap_bytes(count) + count * size;
}

static uint64_t groups_of(uint64_t number) {
    uint64_t groups = 1;
    for (; number >= 128; number >>= 7)
        groups++;
    return groups;
}

/* How many have changed, and the bytes of their differences. */
static uint64_t survey(const hd_outgoing *out, uint64_t *differences) {
    uint64_t count = 0, next = 0;
    *differences = 0;
    for (uint64_t i = 0; i < out->count; i++)
        if (hd_outgoing_changed(out, i)) {
            *differences += groups_of(i - next);
            next = i + 1;
            count++;
        }
    return count;
}

static uint32_t choose(uint64_t listed, uint64_t count, uint64_t differences) {
    uint64_t bitmap = bitmap_bytes(listed), plain = count * sizeof(uint32_t);
    if (count == listed)
        return FORM_EVERY;
    if (bitmap <= differences && bitmap <= plain)
        return FORM_BITMAP;
    return differences <= plain ? FORM_DIFFERENCES : FORM_PLAIN;
}

static unsigned char *write_places(const hd_outgoing *out, uint32_t form, unsigned char *at) {
    unsigned char *start = at;
    uint64_t next = 0;
    if (form == FORM_BITMAP)
        memset(at, 0, bitmap_bytes(out->count));
    for (uint64_t i = 0; form != FORM_EVERY && i < out->count; i++) {
        uint32_t place = (uint32_t)i;
        if (!hd_outgoing_changed(out, i))
            continue;
        if (form == FORM_BITMAP) {
            start[i / 8] |= (unsigned char)(1 << i % 8);
        } else if (form == FORM_PLAIN) {
            memcpy(at, &place, sizeof place);
            at += sizeof place;
        } else {
            uint64_t difference = i - next;
            for (; difference >= 128; difference >>= 7)
                *at++ = (unsigned char)(128 | (difference & 127));
            *at++ = (unsigned char)difference;
            next = i + 1;
        }
    }
    return form == FORM_BITMAP ? start + bitmap_bytes(out->count) : at;
}

static size_t write_changed(const hd_outgoing *out, unsigned char *message) {
    uint64_t differences, count = survey(out, &differences);
    uint32_t header[2] = {choose(out->count, count, differences), (uint32_t)count};
    if (!count)
        return 0;
    memcpy(message, header, HEADER);
    unsigned char *at = write_places(out, header[0], message + HEADER);
    for (uint64_t i = 0; out->size && i < out->count; i++) /* without values, places say it all */
        if (hd_outgoing_changed(out, i)) {
            memcpy(at, (const char *)out->values + out->list[i] * out->size, out->size);
            at += out->size;
        }
    return (size_t)(at - message);
}

/* Fills in the places; returns the byte behind them, or NULL where they do not make sense. */
static const unsigned char *read_places(const hd_incoming *in, uint32_t form, uint64_t count, const unsigned char *at,
                                        const unsigned char *end) {
    uint64_t found = 0, next = 0;
    uint32_t place;
    switch (form) {
    case FORM_EVERY:
        for (; found < count; found++)
            in->places[found] = in->base + (uint32_t)found;
        return count == in->count ? at : NULL;
    case FORM_BITMAP:
        if ((uint64_t)(end - at) < bitmap_bytes(in->count))
            return NULL;
        for (uint64_t i = 0; i < in->count; i++)
            if (at[i / 8] >> i % 8 & 1) {
                if (found == count)
                    return NULL;
                in->places[found++] = in->base + (uint32_t)i;
            }
        return found == count ? at + bitmap_bytes(in->count) : NULL;
    case FORM_DIFFERENCES:
        for (; found < count; found++) {
            uint64_t difference = 0;
            unsigned shift = 0;
            for (; at < end && *at & 128 && shift < 35; shift += 7)
                difference |= (uint64_t)(*at++ & 127) << shift;
            if (at == end || shift == 35)
                return NULL;
            next += difference | (uint64_t)*at++ << shift;
            if (next >= in->count)
                return NULL;
            in->places[found] = in->base + (uint32_t)next++;
        }
        return at;
    case FORM_PLAIN:
        if ((uint64_t)(end - at) < count * sizeof place)
            return NULL;
        for (; found < count; found++, at += sizeof place) {
            memcpy(&place, at, sizeof place);
            if (place >= in->count)
                return NULL;
            in->places[found] = in->base + place;
        }
        return at;
    default: return NULL;
    }
}

static uint64_t read_changed(const hd_incoming *in, const unsigned char *message, size_t bytes) {
    uint32_t header[2];
    if (!bytes)
        return 0;
    if (bytes < HEADER)
        return UINT64_MAX;
    memcpy(header, message, HEADER);
    const unsigned char *end = message + bytes;
    const unsigned char *at =
        header[1] <= in->count ? read_places(in, header[0], header[1], message + HEADER, end) : NULL;
    if (!at || (uint64_t)(end - at) != header[1] * in->size)
        return UINT64_MAX;
    if (in->size)
        memcpy(in->values, at, header[1] * in->size);
    return header[1];
}

const hd_exchange hd_exchange_vr = {
    .name = "vr",
    .about = "Vertex Refinement: the values that have changed, of vertices that the other part reads",
    .room = room,
    .write = write_changed,
    .read = read_changed};
