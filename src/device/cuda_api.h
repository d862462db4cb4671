/* cuda_api.h - the part of the CUDA driver's and NVRTC's interface that cuda.c calls, declared by hand so that no CUDA
 * toolkit is needed to build. Names and values are those of the public interface. */
#ifndef HD_DEVICE_CUDA_API_H
#define HD_DEVICE_CUDA_API_H

#include <stddef.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

typedef unsigned long long CUmemGenericAllocationHandle;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134,
    CU_MEMHOSTALLOC_DEVICEMAP = 2,
    CU_MEM_ALLOCATION_TYPE_PINNED = 1,
    CU_MEM_LOCATION_TYPE_DEVICE = 1,
    CU_MEM_LOCATION_TYPE_HOST_NUMA = 3,
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
    CU_STREAM_NON_BLOCKING = 1,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9
};

typedef struct CUmemLocation {
    int type, id;
} CUmemLocation;
typedef struct CUmemAllocationProp {
    int type, requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef struct CUmemAccessDesc {
    CUmemLocation location;
    int flags;
} CUmemAccessDesc;

/* X(member, symbol, parameters) */
#define HD_CUDA_FUNCTIONS(X)                                                                            \
    X(init, cuInit, (unsigned flags))                                                                   \
    X(driver_version, cuDriverGetVersion, (int *version))                                               \
    X(device_count, cuDeviceGetCount, (int *count))                                                     \
    X(device_get, cuDeviceGet, (CUdevice * device, int ordinal))                                        \
    X(device_name, cuDeviceGetName, (char *name, int size, CUdevice device))                            \
    X(device_memory, cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device))                            \
    X(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, CUdevice device))             \
    X(context_retain, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                 \
    X(context_release, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                 \
    X(context_set, cuCtxSetCurrent, (CUcontext context))                                                \
    X(memory_info, cuMemGetInfo_v2, (size_t * free, size_t * total))                                    \
    X(memory_allocate, cuMemAlloc_v2, (CUdeviceptr * pointer, size_t bytes))                            \
    X(memory_free, cuMemFree_v2, (CUdeviceptr pointer))                                                 \
    X(host_allocate, cuMemHostAlloc, (void **pointer, size_t bytes, unsigned flags))                    \
    X(host_free, cuMemFreeHost, (void *pointer))                                                        \
    X(upload, cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))  \
    X(download, cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))      \
    X(fill, cuMemsetD32Async, (CUdeviceptr to, unsigned word, size_t words, CUstream stream))           \
    X(module_load, cuModuleLoadData, (CUmodule * module, const void *image))                            \
    X(module_unload, cuModuleUnload, (CUmodule module))                                                 \
    X(module_function, cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name)) \
    X(function_attribute, cuFuncSetAttribute, (CUfunction function, int attribute, int value))          \
    X(launch, cuLaunchKernel,                                                                           \
      (CUfunction function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,  \
       unsigned shared, CUstream stream, void **arguments, void **extra))                               \
    X(launch_resident, cuLaunchCooperativeKernel,                                                       \
      (CUfunction function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,  \
       unsigned shared, CUstream stream, void **arguments))                                             \
    X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                           \
      (int *blocks, CUfunction function, int block_size, size_t shared))                                \
    X(stream_create, cuStreamCreate, (CUstream * stream, unsigned flags))                               \
    X(stream_destroy, cuStreamDestroy_v2, (CUstream stream))                                            \
    X(stream_finish, cuStreamSynchronize, (CUstream stream))                                            \
    X(event_create, cuEventCreate, (CUevent * event, unsigned flags))                                   \
    X(event_destroy, cuEventDestroy_v2, (CUevent event))                                                \
    X(stream_wait, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                 \
    X(event_record, cuEventRecord, (CUevent event, CUstream stream))                                    \
    X(event_finish, cuEventSynchronize, (CUevent event))                                                \
    X(event_elapsed, cuEventElapsedTime, (float *milliseconds, CUevent from, CUevent to))               \
    X(error_name, cuGetErrorName, (CUresult error, const char **text))                                  \
    X(error_text, cuGetErrorString, (CUresult error, const char **text))

/* Functions that old drivers lack: NULL then. */
#define HD_CUDA_OPTIONAL(X)                                                                                            \
    X(peer_can, cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer))                                     \
    X(peer_enable, cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags))                                            \
    X(peer_copy, cuMemcpyPeerAsync,                                                                                    \
      (CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes, CUstream stream))              \
    X(host_pointer, cuMemHostGetDevicePointer_v2, (CUdeviceptr * pointer, void *host, unsigned flags))                 \
    X(page_bytes, cuMemGetAllocationGranularity, (size_t * bytes, const CUmemAllocationProp *how, int which))          \
    X(address_reserve, cuMemAddressReserve,                                                                            \
      (CUdeviceptr * start, size_t bytes, size_t alignment, CUdeviceptr wish, unsigned long long flags))               \
    X(address_free, cuMemAddressFree, (CUdeviceptr start, size_t bytes))                                               \
    X(page_create, cuMemCreate,                                                                                        \
      (CUmemGenericAllocationHandle * memory, size_t bytes, const CUmemAllocationProp *how, unsigned long long flags)) \
    X(page_release, cuMemRelease, (CUmemGenericAllocationHandle memory))                                               \
    X(page_map, cuMemMap,                                                                                              \
      (CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle memory, unsigned long long flags))    \
    X(page_unmap, cuMemUnmap, (CUdeviceptr at, size_t bytes))                                                          \
    X(page_access, cuMemSetAccess, (CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access, size_t count))

typedef struct hd_cuda_functions {
#define HD_CUDA_MEMBER(member, symbol, parameters) CUresult(*member) parameters;
    HD_CUDA_FUNCTIONS(HD_CUDA_MEMBER)
    HD_CUDA_OPTIONAL(HD_CUDA_MEMBER)
#undef HD_CUDA_MEMBER
} hd_cuda_functions;

typedef int nvrtcResult;
enum { NVRTC_ERROR_COMPILATION = 6 };
typedef struct _nvrtcProgram *nvrtcProgram;

#define HD_NVRTC_FUNCTIONS(X)                                                                               \
    X(version, nvrtcVersion, (int *major, int *minor))                                                      \
    X(create, nvrtcCreateProgram,                                                                           \
      (nvrtcProgram * program, const char *source, const char *name, int headers, const char *const *texts, \
       const char *const *names))                                                                           \
    X(destroy, nvrtcDestroyProgram, (nvrtcProgram * program))                                               \
    X(compile, nvrtcCompileProgram, (nvrtcProgram program, int count, const char *const *options))          \
    X(cubin_size, nvrtcGetCUBINSize, (nvrtcProgram program, size_t * bytes))                                \
    X(cubin, nvrtcGetCUBIN, (nvrtcProgram program, char *image))                                            \
    X(log_size, nvrtcGetProgramLogSize, (nvrtcProgram program, size_t * bytes))                             \
    X(log, nvrtcGetProgramLog, (nvrtcProgram program, char *text))

typedef struct hd_nvrtc_functions {
#define HD_NVRTC_MEMBER(member, symbol, parameters) nvrtcResult(*member) parameters;
    HD_NVRTC_FUNCTIONS(HD_NVRTC_MEMBER)
#undef HD_NVRTC_MEMBER
} hd_nvrtc_functions;

#endif
