/* paths_device.h - shortest and widest paths on a device by kernels of their own (paths.cl).
 *
 * A run is one launch where groups can wait for each other, else batches of launches. Labels end as engine/path_label.h
 * has them for sums; widest paths have labels of 32 bits, the weight mapped so that it orders as a number, then
 * inverted, and of 64 bits where a width has no place beside the label of unreached vertices.
 */
#ifndef HD_ALGORITHM_PATHS_PATHS_DEVICE_H
#define HD_ALGORITHM_PATHS_PATHS_DEVICE_H

#include "algorithm/algorithm.h"
#include "device/device.h"
#include "engine/device/incore.h"
#include "engine/path_label.h"
#include "engine/run.h"

typedef struct hd_paths_setup {
    bool widest, wide_labels; /* wide_labels: 64 bits */
    bool real;                /* sums in floating point */
    bool wide_offsets;        /* 64 bits even where 32 are enough */
    double width;             /* of the window: as narrow as it gets; widest: 1 */
    const uint64_t *bounds;   /* widest: labels where a window may end, ascending */
    uint64_t bound_count;
    /* A user's program with LEAST_FIRST or LARGEST_FIRST, and what it reads: labels are its values as words of their
     * size, and come back as values; of the fields above wide_labels and wide_offsets count. NULL: distances, widths */
    const hd_incore_program *program;
    const hd_cpu_setup *inputs;
} hd_paths_setup;

/* Runs whose graph or widths are too large for these kernels, which take 64-bit atomics and doubles of a device. */
hd_refusal hd_paths_refuse(const hd_run *run);
/* Labels of all vertices, to `labels` on the host. `excess`: some label met on the way did not fit. */
heddle_status hd_paths_run(const hd_run *run, const hd_paths_setup *setup, void *labels, bool *excess);

/* Distances of a kind (HD_SUM_*) as the result's values. */
heddle_status hd_paths_sums(const hd_run *run, hd_path path, bool *excess);
/* Widths as the result's values; the graph has weights. */
heddle_status hd_paths_widths(const hd_run *run);
/* Bytes on the device, the graph's rows included. */
uint64_t hd_paths_device_bytes(const hd_device_request *r, bool wide_labels);

#endif
