/* second.c - a toy: a kind of device of its own, over the OpenCL driver. */
#include "device/device.h"

extern const hd_device_kind hd_device_opencl, hd_device_second;
extern const char hd_text_prelude_opencl[]; /* embedded */

static uint32_t discover(char *missing, size_t size) { return hd_device_opencl.discover(missing, size); }

static heddle_status describe(heddle_context *ctx, uint32_t index, hd_device_info *info) {
    return hd_device_opencl.describe(ctx, index, info);
}

static heddle_status open_device(heddle_context *ctx, uint32_t index, hd_device **device) {
    HD_TRY(hd_device_opencl.open(ctx, index, device));
    (*device)->kind = &hd_device_second;
    return HEDDLE_OK;
}

static void identity(const hd_device *device, char *text, size_t size) {
    hd_device_opencl.identity(device, text, size);
}

const hd_device_kind hd_device_second = {.version = HD_DEVICE_VERSION,
                                         .name = "second",
                                         .discover = discover,
                                         .describe = describe,
                                         .open = open_device,
                                         .identity = identity,
                                         .prelude = hd_text_prelude_opencl,
                                         .suffix = "cl",
                                         .options = "-cl-std=CL1.2 -w",
                                         .debug_options = "-cl-std=CL1.2 -w -cl-opt-disable",
                                         .static_shared = true};
