/* sharing.h - the values of all boundary vertices, sent in every round: where all of them change, as in PageRank,
 * messages need no places, and each arrives where it is read. */
#ifndef HD_EXCHANGE_SHARING_H
#define HD_EXCHANGE_SHARING_H

#include "exchange/slice.h"

typedef struct hd_sharing {
    hd_link *link;
    const hd_slice *slice;
    size_t size;
    char *stage[2];       /* messages out, used in turn */
    hd_message_way *ways; /* for each part: odd and even messages out, the message in */
    uint64_t turn;
} hd_sharing;

/* Values have `size` bytes, 4 or 8. Freed by hd_sharing_free, also after a failure, which drains the link: `status` is
 * the part's own, and returned. */
heddle_status hd_sharing_new(hd_link *link, const hd_slice *slice, size_t size, hd_sharing *sharing);
heddle_status hd_sharing_free(hd_sharing *sharing, heddle_status status);

/* Called by all parts, in this order, in every round. Opens places for the others' values: `remote` has an element for
 * each remote vertex. */
heddle_status hd_sharing_open(hd_sharing *sharing, void *remote);
/* Sends own values, one for each own vertex. They may be changed afterwards. */
heddle_status hd_sharing_post(hd_sharing *sharing, const void *own);
/* Waits until all others' values are there. */
heddle_status hd_sharing_take(hd_sharing *sharing);

#endif
