/* incore_run.h - state of one run of the in-core engine, private to the incore files. */
#ifndef HD_ENGINE_DEVICE_INCORE_RUN_H
#define HD_ENGINE_DEVICE_INCORE_RUN_H

#include "engine/device/incore_parts.h"
#include "engine/device/resident.h"
#include "engine/device/shards.h"
#include "graffix/latency.h"
#include "jit/kernel.h"
#include "schedule/interface.h"

#define NUMBER_SCALAR(NAME, name) SCALAR_##NAME,
#define NUMBER_BUFFER(NAME, name, type, use) NAME,
enum { HD_SCALARS(NUMBER_SCALAR) SCALARS };
enum { HD_BUFFERS(NUMBER_BUFFER) BUFFERS };
#define NUMBER_SPAN_SCALAR(NAME, name, type) SPAN_##NAME,
#define NUMBER_SPAN_BUFFER(NAME, name, type, use) SPAN_##NAME,
enum { HD_SPAN_SCALARS(NUMBER_SPAN_SCALAR) HD_SPAN_BUFFERS(NUMBER_SPAN_BUFFER) SPAN_ARGUMENTS };
_Static_assert((int)SCALARS + (int)BUFFERS + (int)SPAN_ARGUMENTS <= (int)HD_MOST_ARGUMENTS,
               "a streaming kernel has more arguments than a launch");

enum {
    KERNEL_START,
    KERNEL_ROUND,
    KERNEL_SECOND,
    KERNEL_TURN,
    KERNEL_RESULTS,
    KERNEL_REFINE, /* of slices */
    KERNEL_TAKE,
    KERNEL_MERGE, /* of vertices with copies */
    KERNEL_OWNERS,
    KERNEL_INSIDE, /* of clusters */
    KERNEL_AGAIN,  /* of partitions that are walked twice */
    KERNEL_UNFLAG,
    KERNELS
};

/* The numbers of a launch's span; its arguments point here. */
struct hd_span_numbers {
    uint64_t first_edge, end_edge;
    uint32_t first_row, end_row, groups, range;
};

typedef struct hd_incore_run {
    heddle_context *ctx;
    const heddle_graph *graph;
    const hd_incore_program *program;
    const hd_cpu_setup *setup;
    hd_device *device;
    hd_plan plan;
    hd_incore_shape shape;
    hd_incore_rows rows;
    hd_incore_layout layout;
    hd_shards shards;
    hd_clusters_packed clusters;
    hd_module module;
    void *kernel[KERNELS]; /* NULL: there is none */
    hd_buffer buffer[BUFFERS];
    void *pinned[BUFFERS];    /* those in host memory */
    bool lent[BUFFERS];       /* those owned by the resident graph */
    hd_resident_layout *keep; /* where shards are kept after the run, under this key; NULL: not kept */
    uint64_t key[2];
    uint64_t bytes; /* on the device */
    uint32_t groups;
    uint64_t remote;          /* a slice: vertices of others whose values follow */
    uint64_t boundary, inbox; /* places in the part's lists of own vertices that others read, and in its inbox */
    uint64_t row_end;         /* end of the next launch's rows, when sums are passed on, or of a window */
    uint32_t words[HD_WORDS];
    struct hd_stream *stream; /* stream.h; NULL: all edges are available at once */
    struct hd_span_numbers span;
    uint64_t useful, counted; /* lanes up to the last record */
    bool doubles;             /* the device has double precision */
    double transfer, compute; /* seconds */
} incore;

/* Number of vertices with values: all except those that pass sums on. */
static inline uint64_t hd_incore_visible(const incore *e) {
    return e->shape.passing ? e->setup->passing->originals : e->rows.vertices;
}

/* Number of words in which the warps of shards count: a pair for each. */
static inline uint64_t hd_incore_shard_counts(const incore *e) {
    return (uint64_t)e->shards.count * (e->shape.group / e->plan.warp) * 2;
}

/* The device of that name, and whether its doubles serve the run; `facts` are adapted to it. */
heddle_status hd_incore_open(incore *e, const char *device, heddle_report *report, hd_plan_program *facts);
/* Compiles the kernels; the rows, the shape and the layout are known. */
heddle_status hd_incore_build(incore *e, heddle_report *report);
uint32_t hd_incore_groups(const incore *e, uint32_t units);
/* Queues a round, counted from 0. */
heddle_status hd_incore_queue(incore *e, uint64_t round);
/* Iterates clusters, if there are any, in step 1 or 2. */
heddle_status hd_incore_inside(incore *e, uint32_t step, bool swapped);
/* Merges the values of vertices and their copies, if there are any; step 0: after the last round. */
heddle_status hd_incore_merge(incore *e, uint32_t step, bool swapped);
/* Reads the state, when everything that is queued is done. */
heddle_status hd_incore_look(incore *e);
void hd_incore_close(incore *e);

/* After HEDDLE_E_PROGRAM: in-degrees cost an array here, so a user's program is compiled without them first. Returns
 * whether that was so; `asking` is then the same program with them, to be set up anew. */
bool hd_incore_asks(const incore *e, hd_incore_program *asking);
heddle_status hd_incore_launch(incore *e, int which, uint32_t step, uint32_t count, bool swapped);

/* Bytes that each buffer needs. */
void hd_incore_plan_bytes(const incore *e, uint64_t bytes[BUFFERS]);
/* Allocates the buffers, except borrowed ones and those that are there already; HEDDLE_E_DEVICE_MEMORY before any
 * allocation if they do not fit. */
heddle_status hd_incore_allocate(incore *e);
/* Fills them. */
heddle_status hd_incore_upload(incore *e);

/* Range and number of the run's shards for such a device, without building them. */
heddle_status hd_incore_shards_size(incore *e, const hd_device_info *info);
/* Builds the run's shards, or finds them on the device. */
heddle_status hd_incore_shards_open(incore *e, const char *device, heddle_result *result);
/* After the upload: leaves them on the device for later runs and frees the host's. */
void hd_incore_shards_lend(incore *e);

#endif
