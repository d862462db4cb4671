/* shared_ids.h - numbering the ids of a graph whose edges are spread over ranks, as one process numbers them: in
 * ascending order.
 *
 * Every rank has the ids of its own edges, sorted. A sample of all of them cuts the range of ids into one range per
 * rank, its owner. Each rank sends the owners their ids; an owner sorts what it gets, drops what came twice, and with
 * the number of ids that lower owners have, every id has its vertex, which the owner sends to the ranks that asked. No
 * rank sees more ids than it has edges, or owns.
 */
#ifndef HD_EXCHANGE_SHARED_IDS_H
#define HD_EXCHANGE_SHARED_IDS_H

#include "exchange/link.h"

typedef struct hd_shared_ids {
    uint64_t vertices;        /* of all ranks */
    uint64_t lowest, highest; /* ids of all ranks, in the order of the raw 64 bits; without vertices: undefined */
    uint64_t *own;            /* ids that this rank owns, ascending */
    uint64_t own_count, own_room;
    uint64_t own_first; /* the first one's vertex */
    uint32_t *numbers;  /* vertices of the ids that this rank requested */
    uint64_t asked;
} hd_shared_ids;

/* Collective. `ids`: this rank's, distinct and ascending, as numbers with sign unless `is_unsigned`. HEDDLE_E_LIMIT for
 * more than 2^32 - 2 in all. Freed by hd_shared_ids_free in any case. */
heddle_status hd_shared_ids_number(hd_link *link, const uint64_t *ids, uint64_t count, bool is_unsigned,
                                   hd_shared_ids *shared);
void hd_shared_ids_free(hd_link *link, hd_shared_ids *shared);

#endif
