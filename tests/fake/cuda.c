/* cuda.c - a libcuda.so.1 of the test's own: host memory for device memory, kernels that do nothing, work that is done
 * at the last moment (streams.h). */
#define _GNU_SOURCE
#include "fake.h"
#include "streams.h"

#include "device/cuda_api.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    INVALID_VALUE = 1,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    NOT_FOUND = 500,
    NOT_READY = 600,
    TOO_LARGE = 720
};
/* The device: an H100 with few multiprocessors. */
enum { UNITS = 4, LANES_GROUP = 1024, LANES_UNIT = 2048, SHARED_PLAIN = 48 << 10, SHARED_MOST = 227 << 10 };

struct CUmod_st {
    char *text;
    struct CUfunc_st *functions;
};
struct CUfunc_st {
    struct CUfunc_st *next;
    char name[64];
    const char *text; /* the module's */
    int shared;       /* bytes that a launch may ask for */
};

/* The table's own declarations, so that a function of another form does not compile. */
#define DECLARE(member, symbol, parameters) CUresult symbol parameters;
HD_CUDA_FUNCTIONS(DECLARE)
HD_CUDA_OPTIONAL(DECLARE)

CUresult cuInit(unsigned flags) {
    ENTER("cuInit");
    return flags ? INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version) {
    ENTER("cuDriverGetVersion");
    *version = 13000;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count) {
    ENTER("cuDeviceGetCount");
    *count = (int)fake_devices();
    return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    ENTER("cuDeviceGet");
    *device = ordinal;
    return ordinal < (int)fake_devices() ? CUDA_SUCCESS : INVALID_DEVICE;
}
CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    ENTER("cuDeviceGetName");
    snprintf(name, (size_t)size, "fake GPU %d", device);
    return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    (void)device;
    ENTER("cuDeviceTotalMem");
    *bytes = fake_memory();
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    (void)device;
    ENTER("cuDeviceGetAttribute");
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = LANES_GROUP; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = SHARED_PLAIN; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = fake_cooperative() ? SHARED_MOST : 0; break;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH: *value = fake_cooperative(); break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = UNITS; break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = 1 << 20; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; break;
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: *value = !fake_old(); break;
    case CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID: *value = -1; break;
    default: *value = 0;
    }
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    ENTER("cuDevicePrimaryCtxRetain");
    *context = (CUcontext)(uintptr_t)(device + 1);
    fake_made(FAKE_CONTEXT);
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    (void)device;
    LEAVE("cuDevicePrimaryCtxRelease", FAKE_CONTEXT);
}
CUresult cuCtxSetCurrent(CUcontext context) {
    (void)context;
    ENTER("cuCtxSetCurrent");
    return CUDA_SUCCESS;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    ENTER("cuMemGetInfo");
    *free_bytes = fake_memory_free();
    *total = fake_memory();
    return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes) {
    ENTER("cuMemAlloc");
    void *memory = bytes ? fake_allocate(bytes) : NULL;
    *pointer = (uintptr_t)memory;
    return memory ? CUDA_SUCCESS : bytes ? CUDA_ERROR_OUT_OF_MEMORY : INVALID_VALUE;
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
    int error = fake_call("cuMemFree");
    fake_finish_all();
    bool known = fake_release((void *)(uintptr_t)pointer);
    return error ? error : known ? CUDA_SUCCESS : INVALID_VALUE;
}
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    ENTER("cuMemHostAlloc");
    *pointer = fake_pin(bytes);
    fake_made(FAKE_HOST_MEMORY);
    if (flags & CU_MEMHOSTALLOC_DEVICEMAP)
        fake_show(*pointer, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pointer, void *host, unsigned flags) {
    ENTER("cuMemHostGetDevicePointer");
    *pointer = (uintptr_t)host;
    return flags || !fake_inside(host, 1) ? INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void *pointer) {
    fake_hide(pointer, 0);
    fake_unpin(pointer);
    LEAVE("cuMemFreeHost", FAKE_HOST_MEMORY);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    ENTER("cuMemcpyHtoDAsync");
    if (!fake_inside((void *)(uintptr_t)to, bytes))
        return INVALID_VALUE;
    fake_upload((fake_stream *)stream, (void *)(uintptr_t)to, from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    ENTER("cuMemcpyDtoHAsync");
    if (!fake_inside((void *)(uintptr_t)from, bytes))
        return INVALID_VALUE;
    fake_download((fake_stream *)stream, to, (void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    ENTER("cuDeviceCanAccessPeer");
    *can = device != peer;
    return CUDA_SUCCESS;
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    ENTER("cuCtxEnablePeerAccess");
    return peer && !flags ? CUDA_SUCCESS : INVALID_VALUE;
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes,
                           CUstream stream) {
    ENTER("cuMemcpyPeerAsync");
    if (!there || !here || !fake_inside((void *)(uintptr_t)to, bytes) || !fake_inside((void *)(uintptr_t)from, bytes))
        return INVALID_VALUE;
    fake_download((fake_stream *)stream, (void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned word, size_t words, CUstream stream) {
    ENTER("cuMemsetD32Async");
    if (!fake_inside((void *)(uintptr_t)to, words * 4))
        return INVALID_VALUE;
    fake_fill((fake_stream *)stream, (void *)(uintptr_t)to, word, words);
    return CUDA_SUCCESS;
}

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    ENTER("cuModuleLoadData");
    if (strncmp(image, "fake ", 5) != 0)
        return INVALID_IMAGE;
    CUmodule made = calloc(1, sizeof *made);
    made->text = strdup(image);
    *module = made;
    fake_made(FAKE_MODULE);
    return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
    fake_finish_all();
    while (module->functions) {
        CUfunction function = module->functions;
        module->functions = function->next;
        free(function);
    }
    free(module->text);
    free(module);
    LEAVE("cuModuleUnload", FAKE_MODULE);
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    ENTER("cuModuleGetFunction");
    if (!fake_has_kernel(module->text, name))
        return NOT_FOUND;
    CUfunction made = calloc(1, sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    made->text = module->text;
    made->shared = SHARED_PLAIN;
    made->next = module->functions;
    module->functions = made;
    *function = made;
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    ENTER("cuFuncSetAttribute");
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value > SHARED_MOST)
        return INVALID_VALUE;
    function->shared = value;
    return CUDA_SUCCESS;
}

static int groups_unit(unsigned lanes, size_t shared) {
    size_t by_lanes = LANES_UNIT / lanes, by_memory = shared ? SHARED_MOST / shared : by_lanes;
    return (int)(by_memory < by_lanes ? by_memory : by_lanes);
}
static bool fits(CUfunction function, unsigned lanes, size_t shared) {
    return lanes && lanes <= LANES_GROUP && shared <= (size_t)function->shared;
}
CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream stream, void **arguments, void **extra) {
    (void)extra;
    ENTER("cuLaunchKernel");
    if (!x || !y || !z || !by || !bz || !fits(function, bx, shared))
        return INVALID_VALUE;
    fake_launch((fake_stream *)stream, function->text, function->name, (const void *const *)arguments);
    return CUDA_SUCCESS;
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream stream, void **arguments) {
    ENTER("cuLaunchCooperativeKernel");
    if (!fake_cooperative() || !x || y != 1 || z != 1 || by != 1 || bz != 1 || !fits(function, bx, shared))
        return INVALID_VALUE;
    if (x > (unsigned)groups_unit(bx, shared) * UNITS)
        return TOO_LARGE;
    fake_launch((fake_stream *)stream, function->text, function->name, (const void *const *)arguments);
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size, size_t shared) {
    ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor");
    *blocks = fits(function, (unsigned)block_size, shared) ? groups_unit((unsigned)block_size, shared) : 0;
    return CUDA_SUCCESS;
}

/* ---- Streams and events ------------------------------------------------------------------------------------------ */

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    (void)flags;
    ENTER("cuStreamCreate");
    *stream = (CUstream)fake_stream_new();
    fake_made(FAKE_QUEUE);
    return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
    fake_stream_free((fake_stream *)stream);
    LEAVE("cuStreamDestroy", FAKE_QUEUE);
}
CUresult cuStreamSynchronize(CUstream stream) {
    fake_stream_finish((fake_stream *)stream); /* also where an error of earlier work is reported */
    ENTER("cuStreamSynchronize");
    return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
    (void)flags;
    ENTER("cuEventCreate");
    *event = (CUevent)fake_event_new();
    fake_made(FAKE_EVENT);
    return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
    fake_event_free((fake_event *)event);
    LEAVE("cuEventDestroy", FAKE_EVENT);
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    ENTER("cuEventRecord");
    fake_event_record((fake_event *)event, (fake_stream *)stream);
    return CUDA_SUCCESS;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    ENTER("cuStreamWaitEvent");
    if (flags)
        return INVALID_VALUE;
    fake_stream_wait((fake_stream *)stream, (fake_event *)event);
    return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event) {
    ENTER("cuEventSynchronize");
    fake_event_finish((fake_event *)event);
    return CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
    ENTER("cuEventElapsedTime");
    if (!fake_event_reached((fake_event *)from) || !fake_event_reached((fake_event *)to))
        return NOT_READY;
    *milliseconds = 1;
    return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char **text) {
    (void)error;
    ENTER("cuGetErrorName");
    *text = "FAKE_ERROR";
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **text) {
    ENTER("cuGetErrorString");
    *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "the fake driver was told to fail";
    return CUDA_SUCCESS;
}
