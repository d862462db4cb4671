/* row_set.h - row intersection on the CPU: a row is prepared once, then met with many others.
 *
 * How depends on sizes. A long row writes the position of each entry into a table that has a word per vertex; another
 * row is then looked up there without branches. A short row sets bits of a small filter, which stays in the first-level
 * cache; what passes is searched in the row. If the other row is much longer, the entries of this one are searched in
 * it instead. Either way each entry of the prepared row counts how often it was met (`tally`), so that the third corner
 * of a triangle is credited once per row and not once per triangle.
 */
#ifndef HD_ENGINE_CPU_ROW_SET_H
#define HD_ENGINE_CPU_ROW_SET_H

#include "base/context.h"

typedef struct hd_row_set {
    const heddle_vertex *row;
    const uint8_t *both; /* of the row's arcs: 1 counts double; NULL: see hd_row_set_meet_arcs */
    uint32_t count;
    bool in_table;
    /* Memory, see hd_row_set_open. */
    uint64_t *filter;
    uint32_t *tallies; /* HD_ROW_SET_MISSES words that are never read, then one per entry */
    uint32_t *table;   /* per vertex: 0, or HD_ROW_SET_MISSES + position in the row; NULL: there is no table */
    uint64_t vertices;
    uint32_t longest;
} hd_row_set;

/* Misses are counted in turn in several words: increments of a single one would wait for each other. */
enum { HD_ROW_SET_MISSES = 8 };

/* One for each thread. Rows have at most `longest` entries, all below `vertices`. Close it in any case. */
heddle_status hd_row_set_open(heddle_context *ctx, uint64_t vertices, uint32_t longest, bool table, hd_row_set *set);
void hd_row_set_close(heddle_context *ctx, hd_row_set *set);
/* Whether a table for each thread is worth its memory, for rows of that length. */
bool hd_row_set_wants_table(const heddle_context *ctx, uint64_t vertices, uint64_t arcs, uint32_t longest);
uint64_t hd_row_set_bytes(uint64_t vertices, uint32_t longest, bool table);

/* Prepares an ascending row; its tallies are 0. `both` may be NULL. Drop it before taking another. */
void hd_row_set_take(hd_row_set *set, const heddle_vertex *row, const uint8_t *both, uint32_t count);
void hd_row_set_drop(hd_row_set *set);
static inline uint32_t *hd_row_set_tally(const hd_row_set *set) { return set->tallies + HD_ROW_SET_MISSES; }

/* The number of common entries of another ascending row and the first `limit` entries of this one, which must include
 * all that are common. Adds 1 to the tally of each. */
uint64_t hd_row_set_meet(hd_row_set *set, const heddle_vertex *other, uint32_t count, uint32_t limit);
/* The same where edges stand for one or two arcs, 1 + both: a tally grows by `arcs`, and the result is the sum of the
 * arcs of this row's common entries; those of the other row are added to *others. */
uint64_t hd_row_set_meet_arcs(hd_row_set *set, const heddle_vertex *other, const uint8_t *other_both, uint32_t count,
                              uint32_t limit, uint32_t arcs, uint64_t *others);

#endif
