/* ms.c - exchange ms: the maximal subset, as TOTEM does (Gharaibeh et al., PACT 2012): the values of all vertices that
 * the other part reads, changed or not. */
#include "exchange/exchange.h"

#include <string.h>

static uint64_t room(uint64_t own, uint64_t count, size_t size) { return (void)own, count * size; }

static size_t write_subset(const hd_outgoing *out, unsigned char *message, uint64_t *useful) {
    *useful = out->changes * out->size;
    for (uint64_t i = 0; i < out->count; i++)
        memcpy(message + i * out->size, (const char *)out->values + out->list[i] * out->size, out->size);
    return out->count * out->size;
}

static uint64_t read_subset(const hd_incoming *in, const unsigned char *message, size_t bytes) {
    if (bytes != in->count * in->size)
        return UINT64_MAX;
    for (uint64_t i = 0; i < in->count; i++)
        in->places[i] = in->base + (uint32_t)i;
    if (bytes)
        memcpy(in->values, message, bytes);
    return in->count;
}

const hd_exchange hd_exchange_ms = {.name = "ms",
                                    .about = "the values of all vertices that the other part reads",
                                    .every = true,
                                    .room = room,
                                    .write = write_subset,
                                    .read = read_subset};
