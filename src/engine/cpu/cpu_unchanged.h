/* cpu_unchanged.h - pieces of a strict round whose inputs did not change.
 *
 * Heat spreads by one edge per round: on a long path nearly all vertices receive the same messages as before, and would
 * compute the value they have. A piece of the in-edges (cpu_abi.h) whose rows and sources did not change in the round
 * before is skipped: both buffers of its rows already hold the right values, and so do its parts of rows that pieces
 * share.
 */
#ifndef HD_ENGINE_CPU_CPU_UNCHANGED_H
#define HD_ENGINE_CPU_CPU_UNCHANGED_H

#include "base/context.h"
#include "engine/cpu/cpu_abi.h"

typedef struct hd_quiet {
    heddle_context *ctx;
    uint64_t pieces, words;
    uint64_t *needs;   /* per piece a bit for every piece that holds rows of its own or of its sources; NULL: off */
    uint64_t *changed; /* a bit for every piece whose rows changed in the last round */
    uint64_t *busy;    /* the pieces of this round */
    uint64_t busy_count;
} hd_quiet;

/* One pass over all edges. Stays off, without an error, if there are so many pieces that the bitmaps would be large. */
heddle_status hd_quiet_new(heddle_context *ctx, const hd_cpu_run *run, const hd_cpu_piece *pieces, uint64_t count,
                           hd_quiet *quiet);
/* Finds the busy pieces of the next round. */
void hd_quiet_begin(hd_quiet *quiet);
/* Records a round, before its buffers are swapped. Outcomes of skipped pieces have no changes. */
void hd_quiet_end(hd_quiet *quiet, const hd_cpu_run *run, const hd_cpu_piece *pieces, const hd_cpu_outcome *outcomes,
                  size_t value_size);
void hd_quiet_free(hd_quiet *quiet);

#endif
