/* cdlp_device.c - label propagation on a device: labels.cl, in synchronous rounds. */
#include "algorithm/cdlp/cdlp_device.h"

#include "algorithm/labels/labels_device.h"
#include "base/memory.h"

heddle_status hd_cdlp_device_bytes(const hd_device_request *r, uint64_t *bytes) {
    return hd_labels_device_bytes(r, false, bytes);
}

heddle_status hd_device_cdlp(const hd_run *run) {
    static const hd_labels_rule rule = {.name = "fast"};
    heddle_context *ctx = run->ctx;
    uint64_t changed, colours;
    uint32_t *size;
    HD_TRY(hd_device_labels(run, &rule, &changed, &colours));
    HD_TRY(HD_NEW(ctx, &size, run->graph->vertices, "sizes of communities"));
    hd_cdlp_figures(ctx, run->result, size, changed);
    HD_DELETE(&ctx->allocator, size, run->graph->vertices);
    return HEDDLE_OK;
}
