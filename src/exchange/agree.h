/* agree.h - decisions of all parts of a run together. Collective: all parts call these, in the same order. */
#ifndef HD_EXCHANGE_AGREE_H
#define HD_EXCHANGE_AGREE_H

#include "exchange/link.h"

/* HEDDLE_OK if every part's status is; else, everywhere, the status and the error of the lowest rank that failed, which
 * is named unless all failed with the same status. The link stays usable. */
heddle_status hd_agree(hd_link *link, heddle_status status);
/* HEDDLE_E_REFUSED, with the words, where the number is not the same everywhere. */
heddle_status hd_agree_same(hd_link *link, uint64_t number, const char *words);
/* Sends the bytes of rank `root` to all. */
heddle_status hd_broadcast(hd_link *link, uint32_t root, void *data, size_t bytes);
/* numbers[p]: the number of rank p. */
heddle_status hd_tell_all(hd_link *link, uint64_t number, uint64_t *numbers);
/* The sum of the numbers of all lower ranks, and of all. */
heddle_status hd_prefix(hd_link *link, uint64_t number, uint64_t *before, uint64_t *all);

#endif
