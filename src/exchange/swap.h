/* swap.h - every part sends some elements to every other one. Collective. */
#ifndef HD_EXCHANGE_SWAP_H
#define HD_EXCHANGE_SWAP_H

#include "exchange/link.h"

/* Messages from all parts, in the order of ranks. */
typedef struct hd_swapped {
    char *data;
    uint64_t *counts; /* elements from each part */
    uint64_t total, bytes;
} hd_swapped;

/* Sends counts[p] elements of `each` bytes to part p, itself included: they lie in `out` one part after the other.
 * `what` is for messages. If it fails the link does, too. Freed by hd_swapped_free in any case. */
heddle_status hd_swap(hd_link *link, const void *out, const uint64_t *counts, size_t each, const char *what,
                      hd_swapped *in);
void hd_swapped_free(hd_link *link, hd_swapped *in);
/* Adds up arrays of any length: all parts get the sums. */
heddle_status hd_sum_arrays(hd_link *link, uint64_t *numbers, uint64_t count);

#endif
