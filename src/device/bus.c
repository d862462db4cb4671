/* bus.c - see bus.h. */
#include "device/bus.h"

#include "base/memory.h"

#include <string.h>

enum { REPEATS = 3 };

static heddle_status time_copies(hd_device *d, const hd_buffer *to, const void *from, uint64_t bytes, double *best) {
    for (int round = 0; round <= REPEATS; round++) {
        if (hd_cancelled(d->ctx))
            return hd_cancelled_status(d->ctx);
        double start = hd_clock();
        HD_TRY((d->send ? d->send : d->upload)(d, to, 0, from, bytes));
        HD_TRY(d->finish(d));
        double took = hd_clock() - start;
        *best = round == 0 || took < *best ? took : *best;
    }
    return HEDDLE_OK;
}

heddle_status hd_bus_measure(hd_device *d, const hd_buffer *to, uint64_t bytes, double *rate) {
    void *block = d->pin ? d->pin(d, bytes) : NULL;
    bool pinned = block != NULL;
    double best = 0;
    if (!block)
        HD_TRY(hd_new(d->ctx, &block, bytes, 1, false, "measuring"));
    memset(block, 1, bytes);
    heddle_status status = time_copies(d, to, block, bytes, &best);
    if (status != HEDDLE_OK)
        d->finish(d); /* a copy may still be reading the block */
    if (pinned)
        d->unpin(d, block);
    else
        hd_free(&d->ctx->allocator, block, bytes);
    *rate = best > 0 ? (double)bytes / best : 0;
    return status;
}
