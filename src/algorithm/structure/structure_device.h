/* structure_device.h - shared by cc, scc and mst on a device: the graph there, kernels, buffers, the clock, the
 * report.
 *
 * A run opens, takes its buffers, starts the clock, launches, stops the clock, fetches results and closes. What
 * was opened is closed whatever failed in between. The figures of components are counted here too.
 */
#ifndef HD_ALGORITHM_STRUCTURE_STRUCTURE_DEVICE_H
#define HD_ALGORITHM_STRUCTURE_STRUCTURE_DEVICE_H

#include "algorithm/algorithm.h"
#include "engine/device/kernels.h"
#include "engine/device/walk.h"
#include "engine/result.h"

enum { HD_STRUCTURE_BUFFERS = 32, HD_STRUCTURE_WIDE = 256 };

typedef struct hd_structure {
    heddle_context *ctx;
    const heddle_graph *graph;
    heddle_result *result;
    hd_resident *resident;
    hd_device *device;
    hd_kernels kernels;
    hd_buffer buffers[HD_STRUCTURE_BUFFERS];
    uint32_t buffer_count;
    uint64_t bytes; /* in buffers */
} hd_structure;

/* `want`: as for hd_resident_open; with HD_STRUCTURE_WIDE also for 64-bit offsets where they are not needed. */
heddle_status hd_structure_open(hd_structure *s, heddle_context *ctx, const heddle_graph *graph, const char *device,
                                int want, heddle_result *result);
/* Compiles; offsets and weights are the resident graph's. */
heddle_status hd_structure_compile(hd_structure *s, const char *name, const char *const *texts, const char *defines);
/* A buffer that lives until the close. Where the structure has no device its bytes are counted, and that is all. */
heddle_status hd_structure_buffer(hd_structure *s, uint64_t bytes, const char *what, hd_buffer *buffer);
heddle_status hd_structure_start(hd_structure *s); /* the clock */
heddle_status hd_structure_stop(hd_structure *s);
/* Words that the host needs on the way: waits for them. Tells when the run is to end, too. */
/* Records rounds whose vertices and edges were not counted. */
void hd_structure_record(heddle_context *ctx, uint64_t rounds, heddle_direction direction, const char *name);
heddle_status hd_structure_look(hd_structure *s, const hd_buffer *buffer, void *words, uint64_t bytes);
/* The same for results, after the clock has stopped. */
heddle_status hd_structure_fetch(hd_structure *s, const hd_buffer *buffer, void *values, uint64_t bytes);
/* The result's values, from a buffer of as many; those of a renamed graph come under the names that the user knows.
 * `labels`: they are vertices. */
heddle_status hd_structure_values(hd_structure *s, const hd_buffer *buffer, bool labels);
/* Fills the report's names and sizes. */
void hd_structure_report(hd_structure *s, const char *device, const char *schedule);
void hd_structure_close(hd_structure *s);

/* Arguments of kernels: rows of both directions. */
#define HD_STRUCTURE_ROWS(s)                                                                        \
    HD_ARGUMENT_BUFFER((s)->resident->out.offsets), HD_ARGUMENT_BUFFER((s)->resident->out.targets), \
        HD_ARGUMENT_BUFFER((s)->resident->in.offsets), HD_ARGUMENT_BUFFER((s)->resident->in.targets)
/* A launch with a lane for each item. */
#define HD_STRUCTURE_LAUNCH(s, kernel, name, items, ...) \
    HD_LAUNCH(&(s)->kernels, kernel, name, hd_kernels_groups(&(s)->kernels, items), __VA_ARGS__)

/* Bytes of a graph's rows on a device, `want` as above; and, rows included, of runs. */
uint64_t hd_structure_rows(const heddle_graph *graph, int want);
/* Those of the simple graph underneath it, at most, as a device has it (engine/simple_graph.h). */
uint64_t hd_structure_simple_rows(const heddle_graph *graph);
/* Those of the heads of rows (near_heads.h) in a run that wants these rows and takes so many others for its buffers. */
heddle_status hd_structure_heads(const hd_device_request *r, int want, uint64_t buffers, uint64_t *bytes);
heddle_status hd_cc_device_bytes(const hd_device_request *r, uint64_t *bytes);
heddle_status hd_scc_device_bytes(const hd_device_request *r, uint64_t *bytes);
heddle_status hd_mst_device_bytes(const hd_device_request *r, uint64_t *bytes);

/* Figures "components" and "largest" of a result whose values are the smallest members. */
heddle_status hd_structure_figures(heddle_context *ctx, heddle_result *result);

/* Runs on a device. */
heddle_status hd_device_cc(const hd_run *run);
heddle_status hd_cc_program(const hd_run *run);
hd_refusal hd_scc_refuse_directed(const hd_run *run);
heddle_status hd_device_scc(const hd_run *run);
heddle_status hd_device_mst(const hd_run *run);

#endif
