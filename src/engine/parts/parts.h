/* parts.h - a run of a vertex program on several devices: bulk-synchronous rounds of its parts.
 *
 * All parts compute a round, post what the exchange says, agree whether the run is over, and take what others have
 * posted. Every part reads the others' values of the round before, so the result is that of one device: bit for bit for
 * monotone programs, within the rounding of sums for others.
 */
#ifndef HD_ENGINE_PARTS_PARTS_H
#define HD_ENGINE_PARTS_PARTS_H

#include "engine/parts/part.h"

/* The work of a part in a run. */
struct hd_part_report {
    heddle_part shown;
    heddle_report report; /* its seconds */
    uint64_t iterations;
    int converged;
    double residual;
    char schedule[24];             /* "": none */
    const hd_residency *residency; /* of a device's edges; NULL: there is none */
    bool no_parents;               /* its code could not find all parents: they are found from the values */
    hd_rounds rounds;              /* with keep_rounds; its list is the caller's to free */
};

/* One part, in its own thread or process: called by all parts of the link, each with its slice, whose boundaries are
 * known. `degrees`: out-degrees of own vertices. `outputs` gets the results of own vertices. Rounds are recorded in the
 * link's context, with the sums of all parts. */
heddle_status hd_part_run(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                          void *outputs, hd_part_report *report);

/* The beginning of the rounds of a part, by all together, and their end: what the report says of them. `start`: the
 * clock when they began. */
heddle_status hd_part_begin(hd_link *link, const hd_slice *slice, const hd_part_job *job, hd_part_report *report);
void hd_part_end(hd_part_report *report, double start, uint64_t rounds);

/* A part's speed, from a few rounds. */
typedef struct hd_part_trial {
    double seconds; /* of a round */
    double taking;  /* seconds for a value of another part */
    double work;    /* edges and vertices of the trial */
    double reads;   /* vertices of others that it reads, for each edge */
} hd_part_trial;
/* Called by all parts at the same time, each with its slice: fills in the first two. `degrees`: out-degrees of own and
 * remote vertices. */
heddle_status hd_part_try(hd_link *link, const hd_slice *slice, const hd_part_job *job, const uint32_t *degrees,
                          heddle_report *report, hd_part_trial *trial);

/* For the result: the names of what a part ran on and under; a note if its edges did not fit. */
void hd_part_report_names(const hd_run *run, const hd_part_report *part);

/* The run's devices, a thread each, on slices of its graph: fills the result's values and report. */
heddle_status hd_parts_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_program *compiled,
                               const hd_cpu_setup *setup);

#endif
