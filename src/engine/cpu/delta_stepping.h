/* delta_stepping.h - relaxes labels along edges, best first: delta-stepping (Meyer and Sanders, 2003).
 *
 * Labels are assigned to buckets by a monotone function. The buckets are processed in order, each until it stays empty,
 * all its vertices in parallel; a vertex whose label was improved is added again. Wide buckets give more parallelism
 * but repeat more work; the final labels are the same.
 */
#ifndef HD_ENGINE_CPU_DELTA_STEPPING_H
#define HD_ENGINE_CPU_DELTA_STEPPING_H

#include "engine/path_label.h"

typedef struct hd_stepping_setup {
    hd_path path;
    uint64_t vertices;
    heddle_adjacency out;
    const heddle_vertex *sources;
    uint64_t source_count;
    void *labels; /* one per vertex, 4 or 8 bytes as the path says; filled in */
    /* The bucket of a label: */
    unsigned shift;         /* sums of whole numbers: label >> shift */
    double scale;           /* sums of real ones: label * scale */
    const uint64_t *bounds; /* HD_WIDE_*: the number of bounds below the label; ascending */
    uint64_t bound_count;
    uint64_t weight_bytes; /* of an edge */
} hd_stepping_setup;

typedef struct hd_stepping_report {
    uint64_t rounds, edges_walked;
    bool overflow; /* HD_SUM_U32, _I64, _D64: some sum did not fit */
} hd_stepping_report;

heddle_status hd_stepping(heddle_context *ctx, const hd_stepping_setup *setup, hd_stepping_report *report);

#endif
