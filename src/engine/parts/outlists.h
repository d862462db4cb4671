/* outlists.h - the own vertices of a part on a device that others read, as schedule/slice.cl has them: one list for all
 * parts that the host serves, each vertex once; and one for each part whose device is reached directly, in the order of
 * its inbox. */
#ifndef HD_ENGINE_PARTS_OUTLISTS_H
#define HD_ENGINE_PARTS_OUTLISTS_H

#include "engine/device/incore_run.h"
#include "exchange/exchange.h"

typedef struct hd_outlists {
    uint32_t *words; /* `places` of the lists, filled up with ~0, then where each begins */
    uint64_t room, places;
    uint32_t count;               /* lists; the first is the host's */
    uint64_t hub;                 /* vertices in it */
    uint32_t of[HD_DIRECT_MOST];  /* the list of a part that is reached directly */
    uint64_t at[HD_LISTS_MOST];   /* where each begins */
    uint64_t most[HD_LISTS_MOST]; /* vertices of each */
} hd_outlists;

/* `bits`: a word of 64 own vertices each, all 0, before and after. HEDDLE_E_LIMIT if a place has no 32-bit number.
 * Freed also if it fails. */
heddle_status hd_outlists_new(heddle_context *ctx, const hd_slice *slice, uint64_t direct, uint64_t *bits,
                              hd_outlists *lists);
void hd_outlists_free(heddle_context *ctx, hd_outlists *lists);

#endif
