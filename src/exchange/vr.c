/* vr.c - exchange vr: Vertex Refinement (Khorasani, Gupta and Bhuyan, PACT 2015): the values of those vertices alone
 * that have changed and that the other part reads, each with its place in the list that both parts have.
 *
 * A message: 4 bytes of form, 4 of count, the places, the values. Places are written in the form that takes the fewest
 * bytes: not at all if all have changed, as a bitmap of the list, as differences of ascending places in 7-bit groups
 * (the highest bit: more follow), or as plain numbers. Values of 4 and 8 bytes are packed (packing.h). Nothing
 * changed: no bytes. */
#include "exchange/packing.h"

#include <string.h>

enum { HEADER = 8 };
enum { FORM_EVERY, FORM_BITMAP, FORM_DIFFERENCES, FORM_PLAIN };

static uint64_t bitmap_bytes(uint64_t count) { return (count + 7) / 8; }

/* No form is taken that needs more than the bitmap. */
static uint64_t room(uint64_t own, uint64_t count, size_t size) {
    (void)own;
    return HEADER + bitmap_bytes(count) + (hd_packs(size) ? hd_packing_room(count, size) : count * size);
}

static uint64_t groups_of(uint64_t number) {
    uint64_t groups = 1;
    for (; number >= 128; number >>= 7)
        groups++;
    return groups;
}

/* A loop over the places that have changed, ascending. */
#define EACH_PLACE(out, i)                                                       \
    for (uint64_t hd_word = 0; hd_word < hd_mark_words((out)->count); hd_word++) \
        for (uint64_t hd_bits = (out)->marks[hd_word], i;                        \
             hd_bits && (i = hd_word * 64 + (uint64_t)__builtin_ctzll(hd_bits), true); hd_bits &= hd_bits - 1)

static uint64_t difference_bytes(const hd_outgoing *out) {
    uint64_t bytes = 0, next = 0;
    EACH_PLACE(out, i) {
        bytes += groups_of(i - next);
        next = i + 1;
    }
    return bytes;
}

/* A difference takes a byte at least. */
static uint32_t choose(const hd_outgoing *out) {
    uint64_t bitmap = bitmap_bytes(out->count), plain = out->changes * sizeof(uint32_t);
    if (out->changes == out->count)
        return FORM_EVERY;
    if (bitmap <= out->changes)
        return FORM_BITMAP;
    uint64_t differences = difference_bytes(out);
    if (bitmap <= differences && bitmap <= plain)
        return FORM_BITMAP;
    return differences <= plain ? FORM_DIFFERENCES : FORM_PLAIN;
}

static unsigned char *write_bitmap(const hd_outgoing *out, unsigned char *at) {
    uint64_t bytes = bitmap_bytes(out->count);
    for (uint64_t b = 0; b < bytes; b++)
        at[b] = (unsigned char)(out->marks[b / 8] >> b % 8 * 8);
    return at + bytes;
}

static unsigned char *write_differences(const hd_outgoing *out, unsigned char *at) {
    uint64_t next = 0;
    EACH_PLACE(out, i) {
        uint64_t difference = i - next;
        for (; difference >= 128; difference >>= 7)
            *at++ = (unsigned char)(128 | (difference & 127));
        *at++ = (unsigned char)difference;
        next = i + 1;
    }
    return at;
}

static unsigned char *write_places(const hd_outgoing *out, uint32_t form, unsigned char *at) {
    if (form == FORM_BITMAP)
        return write_bitmap(out, at);
    if (form == FORM_DIFFERENCES)
        return write_differences(out, at);
    if (form == FORM_PLAIN)
        EACH_PLACE(out, i) {
            uint32_t place = (uint32_t)i;
            memcpy(at, &place, sizeof place);
            at += sizeof place;
        }
    return at;
}

static unsigned char *write_values(const hd_outgoing *out, unsigned char *at) {
    if (hd_packs(out->size))
        return hd_packing_write(out, at);
    if (out->size) /* without values, places say it all */
        EACH_PLACE(out, i) {
            memcpy(at, (const char *)out->values + out->list[i] * out->size, out->size);
            at += out->size;
        }
    return at;
}

/* Packed, values take fewer bytes than they have. */
static size_t write_changed(const hd_outgoing *out, unsigned char *message, uint64_t *useful) {
    *useful = 0;
    if (!out->changes)
        return 0;
    uint32_t header[2] = {choose(out), (uint32_t)out->changes};
    memcpy(message, header, HEADER);
    unsigned char *values = write_places(out, header[0], message + HEADER), *end = write_values(out, values);
    *useful = (uint64_t)(end - values);
    return (size_t)(end - message);
}

static uint64_t word_at(const unsigned char *from, uint64_t bytes) {
    uint64_t word = 0;
    for (uint64_t b = 0; b < bytes && b < 8; b++)
        word |= (uint64_t)from[b] << b * 8;
    return word;
}

/* NULL: another number of places than `count`, or one beyond the list. */
static const unsigned char *read_bitmap(const hd_incoming *in, uint64_t count, const unsigned char *at,
                                        const unsigned char *end) {
    uint64_t bytes = bitmap_bytes(in->count), found = 0;
    if ((uint64_t)(end - at) < bytes)
        return NULL;
    for (uint64_t b = 0; b < bytes; b += 8)
        for (uint64_t bits = word_at(at + b, bytes - b); bits; bits &= bits - 1) {
            uint64_t place = b * 8 + (uint64_t)__builtin_ctzll(bits);
            if (found == count || place >= in->count)
                return NULL;
            in->places[found++] = in->base + (uint32_t)place;
        }
    return found == count ? at + bytes : NULL;
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
    case FORM_BITMAP: return read_bitmap(in, count, at, end);
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
    if (at && hd_packs(in->size))
        return hd_packing_read(in, header[1], at, end) ? header[1] : UINT64_MAX;
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
