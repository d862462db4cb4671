/* parts_job.h - shared by the parts of a run on this machine: private to parts.c and speeds.c. */
#ifndef HD_ENGINE_PARTS_PARTS_JOB_H
#define HD_ENGINE_PARTS_PARTS_JOB_H

#include "engine/parts/parts.h"

typedef struct hd_parts_job {
    const hd_run *run;
    const hd_incore_program *program;
    const hd_cpu_program *compiled;
    const hd_cpu_setup *setup;
    heddle_adjacency in, second; /* second: where edges count in both directions, the out-edges */
    uint32_t *degrees, *in_degrees;
    hd_part_report *reports;
    bool mixed;          /* several kinds of device */
    int threads, on_cpu; /* threads of the CPU, and parts that share them */
    hd_checkpoint checkpoint;
    struct hd_peer *peers;
} hd_parts_job;

static inline size_t hd_parts_weight_size(const hd_parts_job *j) {
    return j->program->weighted ? hd_weight_size(j->run->graph->weight_type) : 0;
}

static inline hd_slice_rows hd_parts_rows(const heddle_adjacency *a, uint64_t first) {
    return (hd_slice_rows){a->offsets ? a->offsets + first : NULL, a->targets, a->weights};
}

/* The setup with arrays of the part's own vertices. */
hd_part_job hd_parts_job_of(const hd_parts_job *j, uint32_t part, const uint64_t *firsts);

/* Called by all parts: how many edges and vertices each goes through in a second, by a short trial on all devices at
 * the same time, and a note about it. 0 for the CPU where sending it values would take longer than what it
 * computes saves. False in *measured: the graph is too small for that. */
heddle_status hd_parts_speeds(hd_link *link, const hd_parts_job *j, heddle_report *report, double *speeds,
                              bool *measured);
/* Called by all parts: how long a round takes each of them on its range, all at the same time. */
heddle_status hd_parts_seconds(hd_link *link, const hd_parts_job *j, const uint64_t *firsts, heddle_report *report,
                               double *seconds);

#endif
