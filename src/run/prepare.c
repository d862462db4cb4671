/* prepare.c - heddle_device_prepare: starts a device while its graph is still being read. */
#include "base/argument.h"
#include "engine/device/incore.h"
#include "engine/device/resident.h"
#include "run/resolve.h"

/* Lower bounds from a file's size: an edge takes at most this many bytes in the common formats, so a GPU is started
 * only for graphs that will certainly use it. */
enum { EDGE_BYTES = 12, MEAN_DEGREE = 16, AUTO_LEAST = 64 << 20 };

heddle_status heddle_device_prepare(heddle_context *ctx, const heddle_run_options *given, uint64_t bytes) {
    heddle_run_options options;
    HD_ENTER(ctx);
    hd_resident_forget_after_fork(ctx);
    HD_TRY(hd_run_options_take(ctx, __func__, given, &options));
    if (hd_device_kind_of(options.device))
        return hd_device_start(ctx, options.device, NULL, bytes);
    if (!hd_device_is_open(options.device) || bytes < AUTO_LEAST)
        return HEDDLE_OK;
    const hd_algorithm *algorithm = hd_algorithm_of(&options);
    if (!algorithm)
        return HEDDLE_OK; /* the run reports the error */
    hd_choose_facts facts = {.cost = algorithm->cost,
                             .vertices = bytes / EDGE_BYTES / MEAN_DEGREE,
                             .edges = bytes / EDGE_BYTES,
                             .in_file = true,
                             .runs = 1};
    return hd_device_start(ctx, NULL, &facts, bytes);
}
