/* packing.c - see packing.h. A chunk: the number of bits of a value, and, unless the values follow as they are, the
 * number of bits below them that are the same in all, the first value, and the bits. */
#include "exchange/packing.h"

#include <string.h>

enum {
    CHUNK = 128,    /* values */
    MOST_BITS = 56, /* so that a value and what is left of the byte before fit 64 bits */
    PLAIN = 255     /* in place of bits: values follow as they are */
};

typedef struct chunk {
    uint64_t values[CHUNK]; /* as their bits */
    uint64_t count;
} chunk;

static uint64_t load(const void *from, size_t size) {
    uint64_t wide;
    uint32_t narrow;
    if (size == sizeof wide) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return narrow;
}

static void store(void *to, uint64_t value, size_t size) {
    uint32_t narrow = (uint32_t)value;
    if (size == sizeof value)
        memcpy(to, &value, sizeof value);
    else
        memcpy(to, &narrow, sizeof narrow);
}

static uint64_t packed_bytes(uint64_t count, size_t size, unsigned bits) { return size + 1 + (count * bits + 7) / 8; }

uint64_t hd_packing_room(uint64_t count, size_t size) { return count * size + count / CHUNK + 1; }

static unsigned char *write_bits(const chunk *c, unsigned shift, unsigned bits, unsigned char *at) {
    uint64_t open = 0;
    unsigned filled = 0;
    for (uint64_t i = 0; bits && i < c->count; i++) {
        open |= ((c->values[i] ^ c->values[0]) >> shift) << filled;
        for (filled += bits; filled >= 8; filled -= 8, open >>= 8)
            *at++ = (unsigned char)open;
    }
    if (filled)
        *at++ = (unsigned char)open;
    return at;
}

static unsigned char *write_chunk(const chunk *c, size_t size, unsigned char *at) {
    uint64_t differing = 0;
    for (uint64_t i = 0; i < c->count; i++)
        differing |= c->values[i] ^ c->values[0];
    unsigned shift = differing ? (unsigned)__builtin_ctzll(differing) : 0;
    unsigned bits = differing ? 64 - (unsigned)__builtin_clzll(differing) - shift : 0;
    if (bits > MOST_BITS || packed_bytes(c->count, size, bits) >= c->count * size) {
        *at++ = PLAIN;
        for (uint64_t i = 0; i < c->count; i++, at += size)
            store(at, c->values[i], size);
        return at;
    }
    *at++ = (unsigned char)bits;
    *at++ = (unsigned char)shift;
    store(at, c->values[0], size);
    return write_bits(c, shift, bits, at + size);
}

unsigned char *hd_packing_write(const hd_outgoing *out, unsigned char *at) {
    chunk c = {.count = 0};
    for (uint64_t w = 0; w < hd_mark_words(out->count); w++)
        for (uint64_t bits = out->marks[w]; bits; bits &= bits - 1) {
            uint64_t v = out->list[w * 64 + (uint64_t)__builtin_ctzll(bits)];
            c.values[c.count++] = load((const char *)out->values + v * out->size, out->size);
            if (c.count == CHUNK) {
                at = write_chunk(&c, out->size, at);
                c.count = 0;
            }
        }
    return c.count ? write_chunk(&c, out->size, at) : at;
}

/* Returns the byte behind the chunk of `count` values, or NULL. */
static const unsigned char *read_chunk(char *to, uint64_t count, size_t size, const unsigned char *at,
                                       const unsigned char *end) {
    uint64_t open = 0, left = (uint64_t)(end - at);
    unsigned filled = 0, bits = left ? at[0] : 0;
    if (left > count * size && bits == PLAIN) {
        memcpy(to, at + 1, count * size);
        return at + 1 + count * size;
    }
    if (left < 2 + size || bits > MOST_BITS || at[1] + bits > 8 * size || left - 1 < packed_bytes(count, size, bits))
        return NULL;
    unsigned shift = at[1];
    uint64_t first = load(at + 2, size);
    at += 2 + size;
    for (uint64_t i = 0; i < count; i++) {
        for (; filled < bits; filled += 8)
            open |= (uint64_t)*at++ << filled;
        store(to + i * size, first ^ ((open & ((UINT64_C(1) << bits) - 1)) << shift), size);
        open >>= bits;
        filled -= bits;
    }
    return at;
}

bool hd_packing_read(const hd_incoming *in, uint64_t count, const unsigned char *at, const unsigned char *end) {
    for (uint64_t i = 0; at && i < count; i += CHUNK)
        at = read_chunk(in->values + i * in->size, count - i < CHUNK ? count - i : CHUNK, in->size, at, end);
    return at == end;
}
