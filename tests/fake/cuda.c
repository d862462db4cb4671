/* cuda.c - a libcuda.so.1 of the test's own: host memory for device memory, kernels that do nothing. */
#define _GNU_SOURCE
#include "fake.h"

#include "device/cuda_api.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID_VALUE = 1, INVALID_DEVICE = 101, INVALID_IMAGE = 200, NOT_FOUND = 500 };

struct CUmod_st {
    char *text;
    struct CUfunc_st *functions;
};
struct CUfunc_st {
    struct CUfunc_st *next;
    char name[64];
    bool incore;
};

/* The table's own declarations, so that a function of another form does not compile. */
#define DECLARE(member, symbol, parameters) CUresult symbol parameters;
HD_CUDA_FUNCTIONS(DECLARE)

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
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 1024; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = 48 << 10; break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = 4; break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = 1 << 20; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; break;
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
    bool known = fake_release((void *)(uintptr_t)pointer);
    return error ? error : known ? CUDA_SUCCESS : INVALID_VALUE;
}
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    (void)flags;
    ENTER("cuMemHostAlloc");
    *pointer = calloc(1, bytes);
    fake_made(FAKE_HOST_MEMORY);
    return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void *pointer) {
    free(pointer);
    LEAVE("cuMemFreeHost", FAKE_HOST_MEMORY);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    (void)stream;
    ENTER("cuMemcpyHtoDAsync");
    if (!fake_inside((void *)(uintptr_t)to, bytes))
        return INVALID_VALUE;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    (void)stream;
    ENTER("cuMemcpyDtoHAsync");
    if (!fake_inside((void *)(uintptr_t)from, bytes))
        return INVALID_VALUE;
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned word, size_t words, CUstream stream) {
    (void)stream;
    ENTER("cuMemsetD32Async");
    if (!fake_inside((void *)(uintptr_t)to, words * 4))
        return INVALID_VALUE;
    for (size_t i = 0; i < words; i++)
        ((unsigned *)(uintptr_t)to)[i] = word;
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
    made->incore = fake_is_incore(module->text);
    made->next = module->functions;
    module->functions = made;
    *function = made;
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    (void)function, (void)attribute, (void)value;
    ENTER("cuFuncSetAttribute");
    return CUDA_SUCCESS;
}
/* Names and places of vertices that were renamed: each is its own. */
static void rename_nothing(void **arguments) {
    uint32_t n, *to[2];
    memcpy(&n, arguments[0], sizeof n);
    memcpy(&to[0], arguments[1], sizeof to[0]);
    memcpy(&to[1], arguments[2], sizeof to[1]);
    for (uint32_t v = 0; v < n; v++)
        to[0][v] = to[1][v] = v;
}

static void run(CUfunction function, void **arguments) {
    if (strcmp(function->name, "hd_rename_places") == 0)
        rename_nothing(arguments);
    if (function->incore)
        fake_run(function->name, (const void *const *)arguments);
}
CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream stream, void **arguments, void **extra) {
    (void)shared, (void)stream, (void)extra;
    ENTER("cuLaunchKernel");
    if (!x || !y || !z || !bx || !by || !bz || bx > 1024)
        return INVALID_VALUE;
    run(function, arguments);
    return CUDA_SUCCESS;
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream stream, void **arguments) {
    (void)x, (void)y, (void)z, (void)bx, (void)by, (void)bz, (void)shared, (void)stream;
    ENTER("cuLaunchCooperativeKernel");
    run(function, arguments);
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size, size_t shared) {
    (void)function, (void)block_size, (void)shared;
    ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor");
    *blocks = 2;
    return CUDA_SUCCESS;
}

/* ---- Streams and events ------------------------------------------------------------------------------------------ */

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    (void)flags;
    ENTER("cuStreamCreate");
    *stream = (CUstream)(uintptr_t)1;
    fake_made(FAKE_QUEUE);
    return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
    (void)stream;
    LEAVE("cuStreamDestroy", FAKE_QUEUE);
}
CUresult cuStreamSynchronize(CUstream stream) {
    (void)stream;
    ENTER("cuStreamSynchronize");
    return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent *event, unsigned flags) {
    (void)flags;
    ENTER("cuEventCreate");
    *event = (CUevent)(uintptr_t)1;
    fake_made(FAKE_EVENT);
    return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
    (void)event;
    LEAVE("cuEventDestroy", FAKE_EVENT);
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    (void)event, (void)stream;
    ENTER("cuEventRecord");
    return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event) {
    (void)event;
    ENTER("cuEventSynchronize");
    return CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
    (void)from, (void)to;
    ENTER("cuEventElapsedTime");
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
