/* opencl_api.h - the part of OpenCL 1.2 that opencl.c calls, declared by hand so that no headers are needed to build.
 * Names and values are those of the public interface. */
#ifndef HD_DEVICE_OPENCL_API_H
#define HD_DEVICE_OPENCL_API_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef cl_uint cl_bool;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_FOUND = -1,
    CL_DEVICE_NOT_AVAILABLE = -2,
    CL_PLATFORM_NOT_FOUND = -1001,
    CL_INVALID_DEVICE = -33,
    CL_INVALID_CONTEXT = -34,
    CL_INVALID_QUEUE = -36,
    CL_INVALID_KERNEL_NAME = -46,
    CL_INVALID_KERNEL_ARGUMENTS = -52,
    CL_INVALID_GROUP_SIZE = -54,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_RESOURCES = -5,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_BUILD_PROGRAM_FAILURE = -11,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_NAME = 0x102B,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    CL_DEVICE_OPENCL_C_VERSION = 0x103D,
    CL_PLATFORM_NAME = 0x0902,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_QUEUE_PROFILING_ENABLE = 2,
    CL_PROFILING_COMMAND_END = 0x1283,
    CL_MEM_READ_WRITE = 1,
    CL_MEM_READ_ONLY = 4,
    CL_MEM_USE_HOST_PTR = 8,
    CL_MEM_ALLOC_HOST_PTR = 16,
    CL_DEVICE_TYPE_CPU = 2,
    CL_FALSE = 0,
    CL_TRUE = 1
};
#define CL_DEVICE_TYPE_ALL UINT64_C(0xFFFFFFFF)

/* X(result, member, symbol, parameters) */
#define HD_OPENCL_FUNCTIONS(X)                                                                                     \
    X(cl_int, platforms, clGetPlatformIDs, (cl_uint room, cl_platform_id * list, cl_uint * count))                 \
    X(cl_int, platform_info, clGetPlatformInfo,                                                                    \
      (cl_platform_id platform, cl_uint what, size_t size, void *value, size_t *bytes))                            \
    X(cl_int, devices, clGetDeviceIDs,                                                                             \
      (cl_platform_id platform, cl_ulong type, cl_uint room, cl_device_id * list, cl_uint * count))                \
    X(cl_int, device_info, clGetDeviceInfo,                                                                        \
      (cl_device_id device, cl_uint what, size_t size, void *value, size_t *bytes))                                \
    X(cl_context, context_create, clCreateContext,                                                                 \
      (const intptr_t *properties, cl_uint count, const cl_device_id *devices,                                     \
       void (*notify)(const char *, const void *, size_t, void *), void *user, cl_int *error))                     \
    X(cl_int, context_release, clReleaseContext, (cl_context context))                                             \
    X(cl_command_queue, queue_create, clCreateCommandQueue,                                                        \
      (cl_context context, cl_device_id device, cl_ulong properties, cl_int * error))                              \
    X(cl_int, queue_release, clReleaseCommandQueue, (cl_command_queue queue))                                      \
    X(cl_int, flush, clFlush, (cl_command_queue queue))                                                            \
    X(cl_int, finish, clFinish, (cl_command_queue queue))                                                          \
    X(cl_mem, buffer_create, clCreateBuffer,                                                                       \
      (cl_context context, cl_ulong flags, size_t bytes, void *host, cl_int *error))                               \
    X(cl_int, buffer_release, clReleaseMemObject, (cl_mem buffer))                                                 \
    X(cl_int, write, clEnqueueWriteBuffer,                                                                         \
      (cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset, size_t bytes, const void *from,         \
       cl_uint events, const cl_event *list, cl_event *event))                                                     \
    X(cl_int, read, clEnqueueReadBuffer,                                                                           \
      (cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset, size_t bytes, void *to, cl_uint events, \
       const cl_event *list, cl_event *event))                                                                     \
    X(cl_int, fill, clEnqueueFillBuffer,                                                                           \
      (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t size, size_t offset, size_t bytes,       \
       cl_uint events, const cl_event *list, cl_event *event))                                                     \
    X(cl_int, marker, clEnqueueMarkerWithWaitList,                                                                 \
      (cl_command_queue queue, cl_uint events, const cl_event *list, cl_event *event))                             \
    X(cl_int, barrier, clEnqueueBarrierWithWaitList,                                                               \
      (cl_command_queue queue, cl_uint events, const cl_event *list, cl_event *event))                             \
    X(cl_int, event_wait, clWaitForEvents, (cl_uint count, const cl_event *list))                                  \
    X(cl_int, event_times, clGetEventProfilingInfo,                                                                \
      (cl_event event, cl_uint what, size_t size, void *value, size_t *bytes))                                     \
    X(cl_int, event_release, clReleaseEvent, (cl_event event))                                                     \
    X(cl_program, program_source, clCreateProgramWithSource,                                                       \
      (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *error))               \
    X(cl_program, program_binary, clCreateProgramWithBinary,                                                       \
      (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,                      \
       const unsigned char **binaries, cl_int *statuses, cl_int *error))                                           \
    X(cl_int, program_build, clBuildProgram,                                                                       \
      (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,                        \
       void (*notify)(cl_program, void *), void *user))                                                            \
    X(cl_int, program_info, clGetProgramInfo,                                                                      \
      (cl_program program, cl_uint what, size_t size, void *value, size_t *bytes))                                 \
    X(cl_int, build_info, clGetProgramBuildInfo,                                                                   \
      (cl_program program, cl_device_id device, cl_uint what, size_t size, void *value, size_t *bytes))            \
    X(cl_int, program_release, clReleaseProgram, (cl_program program))                                             \
    X(cl_kernel, kernel_create, clCreateKernel, (cl_program program, const char *name, cl_int *error))             \
    X(cl_int, kernel_release, clReleaseKernel, (cl_kernel kernel))                                                 \
    X(cl_int, kernel_argument, clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value))  \
    X(cl_int, launch, clEnqueueNDRangeKernel,                                                                      \
      (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,   \
       const size_t *local, cl_uint events, const cl_event *list, cl_event *event))

typedef struct hd_opencl_functions {
#define HD_OPENCL_MEMBER(result, member, symbol, parameters) result(*member) parameters;
    HD_OPENCL_FUNCTIONS(HD_OPENCL_MEMBER)
#undef HD_OPENCL_MEMBER
} hd_opencl_functions;

#endif
