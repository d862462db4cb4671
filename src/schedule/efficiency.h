/* efficiency.h - warp efficiency and memory transactions of a schedule: exact, from the degrees alone, without a run.
 *
 * A warp processes its rows' edges in steps; in each step a lane has an edge or is idle. The loads of a step that fall
 * into one sector of memory are one transaction. docs/schedules.md explains the figures; a run with --profile counts
 * the same lanes on the device.
 */
#ifndef HD_SCHEDULE_EFFICIENCY_H
#define HD_SCHEDULE_EFFICIENCY_H

#include "schedule/schedule.h"

enum { HD_SECTOR_WORDS = 8 /* words of 4 bytes: the smallest memory transaction of a GPU */ };

/* Row offsets, `vertices` + 1 of them. If each vertex has rows of two directions, `second` has the other direction's;
 * otherwise it is NULL. */
typedef struct hd_row_offsets {
    uint64_t vertices;
    const uint64_t *first, *second;
} hd_row_offsets;

typedef struct hd_efficiency {
    uint64_t useful;  /* lanes that have an edge: as many as there are edges */
    uint64_t slots;   /* all lanes of all steps */
    uint64_t sectors; /* that the steps access in an array of 4 bytes per edge */
    uint64_t longest; /* steps of the longest warp */
} hd_efficiency;

/* One pass over all rows under a complete plan (schedule, width, K, coalesced, dynamic and warp are read). `tile` is
 * the size of schedule edge's tiles in rows and edges. Parallel; linear in rows and edges. */
heddle_status hd_efficiency_of(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan, uint32_t tile,
                               hd_efficiency *efficiency);

/* For the schedules' descriptors, which group rows into warps. */
/* A row for each `width` lanes. */
hd_efficiency hd_efficiency_rows(heddle_context *ctx, const hd_row_offsets *rows, uint32_t width, uint32_t warp);
/* A warp's rows are one segment. */
hd_efficiency hd_efficiency_segments(heddle_context *ctx, const hd_row_offsets *rows, uint32_t warp);
/* The virtual nodes of a warp's rows, a warp of them at a time. */
hd_efficiency hd_efficiency_split(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan);
/* Virtual nodes in an array. */
heddle_status hd_efficiency_nodes(heddle_context *ctx, const hd_row_offsets *rows, const hd_plan *plan,
                                  hd_efficiency *sum);
/* Tiles of `tile` rows and edges. */
hd_efficiency hd_efficiency_tiles(heddle_context *ctx, const hd_row_offsets *rows, uint32_t tile, uint32_t warp);

/* useful / slots; 1 where there is nothing to do. */
double hd_efficiency_share(const hd_efficiency *efficiency);

#endif
