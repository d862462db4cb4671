/* packing.h - values of a message in fewer bits: those in which neighbours differ.
 *
 * New levels, distances and labels of a round are close to each other, or the same. Values are taken in chunks; each is
 * written as what differs from the chunk's first, without the bits at both ends in which none does, or as it is where
 * that saves nothing. Nothing is lost, whatever the type. Values of 4 and of 8 bytes.
 */
#ifndef HD_EXCHANGE_PACKING_H
#define HD_EXCHANGE_PACKING_H

#include "exchange/exchange.h"

static inline bool hd_packs(size_t size) { return size == sizeof(uint32_t) || size == sizeof(uint64_t); }

/* The most bytes of `count` values. */
uint64_t hd_packing_room(uint64_t count, size_t size);
/* Writes the values that have changed; returns the byte behind them. */
unsigned char *hd_packing_write(const hd_outgoing *out, unsigned char *at);
/* Reads `count` values from exactly the bytes at .. end; false if they do not make sense. */
bool hd_packing_read(const hd_incoming *in, uint64_t count, const unsigned char *at, const unsigned char *end);

#endif
