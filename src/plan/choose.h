/* choose.h - --device auto: the device on which the run is estimated to finish first.
 *
 * A GPU must be started and the graph uploaded, which for a single run from a file often costs more than it saves. The
 * estimates are linear in the edges, with rates measured on real machines (bench/notes); they need only the
 * graph's size, so that choosing costs nothing.
 */
#ifndef HD_PLAN_CHOOSE_H
#define HD_PLAN_CHOOSE_H

#include "device/device.h"

/* Nanoseconds for each edge of the graph, for the whole run: of one CPU thread, and of a large GPU (0: none has it).
 * Measured on R-MAT graphs of 2^22 vertices. */
typedef struct hd_cost {
    double thread, gpu;
} hd_cost;

/* Of a vertex program, as long as it has not been measured: some ten rounds. */
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
    double gpu;      /* seconds until the values are back on the host; 0: no GPU was looked for */
    char reason[192];
} hd_choose;

/* The estimates: on a GPU, including its start and the upload; on the CPU with that many threads. */
double hd_choose_gpu_seconds(const hd_choose_facts *facts);
/* On a GPU with that many bytes of memory; *share is that of the edges that are in host memory then, which the GPU
 * reads in place. */
double hd_choose_mixed_seconds(const hd_choose_facts *facts, uint64_t memory, double *share);
double hd_choose_cpu_seconds(const hd_choose_facts *facts, int threads);
/* Never fails: without a GPU the CPU is chosen, with the reason. Looks for GPUs only if one could be faster. */
void hd_choose_device(heddle_context *ctx, const hd_choose_facts *facts, hd_choose *choice);

#endif
