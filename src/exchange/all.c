/* all.c - exchange all: the values of all own vertices, to all parts, as Medusa does (Zhong and He, TPDS 2014). */
#include "exchange/exchange.h"

#include <string.h>

static uint64_t room(uint64_t own, uint64_t count, size_t size) { return (void)count, own * size; }

static size_t write_all(const hd_outgoing *out, unsigned char *message, uint64_t *useful) {
    *useful = out->changes * out->size;
    memcpy(message, out->values, out->own * out->size);
    return out->own * out->size;
}

static uint64_t read_all(const hd_incoming *in, const unsigned char *message, size_t bytes) {
    if (bytes != in->own * in->size)
        return UINT64_MAX;
    for (uint64_t i = 0; i < in->count; i++) {
        in->places[i] = in->base + (uint32_t)i;
        memcpy(in->values + i * in->size, message + (in->names[i] - in->first) * in->size, in->size);
    }
    return in->count;
}

const hd_exchange hd_exchange_all = {.name = "all",
                                     .about = "all values of a part, to every other one",
                                     .to_all = true,
                                     .every = true,
                                     .interior = true,
                                     .room = room,
                                     .write = write_all,
                                     .read = read_all};
