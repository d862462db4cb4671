/* row_mode.h - the most frequent label of a row on the CPU; of several the smallest, or one by chance.
 *
 * Labels of a short row are sorted. Those of a long one are counted in a hash table of twice as many slots, which stays
 * in the cache; where that would be larger than a counter for every label, there are such counters instead. The best
 * label so far is kept while counting, so that the table is not read again.
 */
#ifndef HD_ENGINE_CPU_ROW_MODE_H
#define HD_ENGINE_CPU_ROW_MODE_H

#include "base/context.h"

enum { HD_ROW_MODE_SHORT = 24 };

typedef struct hd_row_mode {
    heddle_vertex *keys; /* of the hash table: 1 + label, 0: free; NULL: a counter for every label */
    uint32_t *counts;
    uint64_t slots; /* allocated */
} hd_row_mode;

/* One for each thread. Rows have at most `longest` entries, labels are below `labels`. Close it in any case. */
heddle_status hd_row_mode_open(heddle_context *ctx, uint64_t labels, uint64_t longest, hd_row_mode *mode);
void hd_row_mode_close(heddle_context *ctx, hd_row_mode *mode);
uint64_t hd_row_mode_bytes(uint64_t labels, uint64_t longest);

/* A part of a row: the entries' labels are label[target]. */
typedef struct hd_row_part {
    const heddle_vertex *targets;
    uint64_t count;
} hd_row_part;

/* The most frequent label of two parts together, which have at least one entry. */
uint32_t hd_row_mode_of(hd_row_mode *mode, const uint32_t *label, hd_row_part a, hd_row_part b);

/* Of equally frequent labels `own` wins, else the salt decides (engine/label_rank.h). */
typedef struct hd_row_ties {
    uint32_t own, salt;
} hd_row_ties;

/* The same; `ties` NULL: the smallest wins. */
uint32_t hd_row_mode_by(hd_row_mode *mode, const uint32_t *label, hd_row_part a, hd_row_part b,
                        const hd_row_ties *ties);

#endif
