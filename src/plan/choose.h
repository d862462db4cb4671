/* choose.h - which device a run goes to when nobody said: the one on which it is over first.
 *
 * A GPU has to be started and the graph has to get there, which on the way from a file to a first result often costs
 * more than the run saves. The estimates are linear in the edges, with rates measured on real machines
 * (docs/performance.md); they need the graph's size alone, so that choosing costs nothing.
 */
#ifndef HD_PLAN_CHOOSE_H
#define HD_PLAN_CHOOSE_H

#include "device/device.h"

/* Nanoseconds for each edge of the graph, for the whole run: of one CPU thread, and of a large GPU (0: none has it).
 * Measured on R-MAT graphs of 2^22 vertices. */
typedef struct hd_cost {
    double thread, gpu;
} hd_cost;

/* Of a vertex program, as long as nobody has measured it: some ten rounds. */
#define HD_COST_PROGRAM \
    { 60, 0.3 }

typedef struct hd_choose_facts {
    hd_cost cost;
    uint64_t vertices, edges;
    bool weighted; /* weights are read */
    bool directed;
    bool in_file;         /* rows are still to be read and checked; otherwise they are in memory */
    double runs;          /* of the algorithm: searches from different sources */
    const char *resident; /* a device that holds the graph already, or NULL */
} hd_choose_facts;

typedef struct hd_choose {
    char device[24]; /* "cpu", "cuda:0" */
    double cpu;      /* seconds, estimated */
    double gpu;      /* seconds from now to the values being back; 0: not looked for */
    char reason[192];
} hd_choose;

/* The estimates: with a GPU's start and the rows' way there, and on so many threads. */
double hd_choose_gpu_seconds(const hd_choose_facts *facts);
double hd_choose_cpu_seconds(const hd_choose_facts *facts, int threads);
/* Never fails: without a GPU the CPU is chosen, and the reason says so. Looks for GPUs only where one could pay. */
void hd_choose_device(heddle_context *ctx, const hd_choose_facts *facts, hd_choose *choice);

#endif
