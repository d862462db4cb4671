/* opencl.c - a libOpenCL.so.1 of the test's own: host memory for device memory, kernels that do nothing. Devices with
 * an odd number say that they are PoCL's. */
#define _GNU_SOURCE
#include "fake.h"

#include "device/opencl_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INVALID_VALUE = -30, INVALID_MEM_OBJECT = -38, INVALID_BINARY = -42, MOST_ARGUMENTS = 64 };

struct _cl_program {
    int references; /* its own, and its kernels' */
    char *text;
};
struct _cl_kernel {
    cl_program program;
    char name[64];
    struct {
        _Alignas(8) unsigned char bytes[16];
    } arguments[MOST_ARGUMENTS];
};

#define DECLARE(result, member, symbol, parameters) result symbol parameters;
HD_OPENCL_FUNCTIONS(DECLARE)

/* Functions that return what they made. */
#define ENTER_MAKING(name, error)   \
    do {                            \
        *(error) = fake_call(name); \
        if (*(error))               \
            return NULL;            \
    } while (0)

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *list, cl_uint *count) {
    ENTER("clGetPlatformIDs");
    if (room && list)
        list[0] = (cl_platform_id)(uintptr_t)1;
    *count = 1;
    return CL_SUCCESS;
}
cl_int clGetPlatformInfo(cl_platform_id platform, cl_uint what, size_t size, void *value, size_t *bytes) {
    (void)platform, (void)what, (void)size, (void)value, (void)bytes;
    ENTER("clGetPlatformInfo");
    return INVALID_VALUE;
}
cl_int clGetDeviceIDs(cl_platform_id platform, cl_ulong type, cl_uint room, cl_device_id *list, cl_uint *count) {
    (void)platform, (void)type;
    ENTER("clGetDeviceIDs");
    *count = fake_devices();
    for (cl_uint i = 0; i < *count && i < room; i++)
        list[i] = (cl_device_id)(uintptr_t)(i + 1);
    return *count ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}
static cl_int answer_text(const char *text, size_t size, char *value) {
    snprintf(value, size, "%s", text);
    return CL_SUCCESS;
}
static cl_int answer_number(uint64_t number, size_t size, void *value) {
    memcpy(value, &number, size < sizeof number ? size : sizeof number);
    return CL_SUCCESS;
}
cl_int clGetDeviceInfo(cl_device_id device, cl_uint what, size_t size, void *value, size_t *bytes) {
    char name[32];
    (void)bytes;
    ENTER("clGetDeviceInfo");
    switch (what) {
    case CL_DEVICE_NAME:
        snprintf(name, sizeof name, "fake device %u", (unsigned)(uintptr_t)device - 1);
        return answer_text(name, size, value);
    case CL_DRIVER_VERSION: return answer_text("1.0", size, value);
    case CL_DEVICE_VERSION:
        return answer_text((uintptr_t)device % 2 ? "OpenCL 1.2 fake" : "OpenCL 1.2 PoCL fake", size, value);
    case CL_DEVICE_OPENCL_C_VERSION: return answer_text("OpenCL C 1.2", size, value);
    case CL_DEVICE_EXTENSIONS: return answer_text("cl_khr_fp64 cl_khr_int64_base_atomics", size, value);
    case CL_DEVICE_TYPE: return answer_number(4, size, value);
    case CL_DEVICE_HOST_UNIFIED_MEMORY: return answer_number(1, size, value);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return answer_number(4, size, value);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return answer_number(1024, size, value);
    case CL_DEVICE_LOCAL_MEM_SIZE: return answer_number(48 << 10, size, value);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: return answer_number(1 << 20, size, value);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return answer_number(fake_memory(), size, value);
    default: return INVALID_VALUE;
    }
}
cl_context clCreateContext(const intptr_t *properties, cl_uint count, const cl_device_id *devices,
                           void (*notify)(const char *, const void *, size_t, void *), void *user, cl_int *error) {
    (void)properties, (void)count, (void)devices, (void)notify, (void)user;
    ENTER_MAKING("clCreateContext", error);
    fake_made(FAKE_CONTEXT);
    return (cl_context)(uintptr_t)1;
}
cl_int clReleaseContext(cl_context context) {
    (void)context;
    LEAVE("clReleaseContext", FAKE_CONTEXT);
}
cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_ulong properties, cl_int *error) {
    (void)context, (void)device, (void)properties;
    ENTER_MAKING("clCreateCommandQueue", error);
    fake_made(FAKE_QUEUE);
    return (cl_command_queue)(uintptr_t)1;
}
cl_int clReleaseCommandQueue(cl_command_queue queue) {
    (void)queue;
    LEAVE("clReleaseCommandQueue", FAKE_QUEUE);
}
cl_int clFlush(cl_command_queue queue) {
    (void)queue;
    ENTER("clFlush");
    return CL_SUCCESS;
}
cl_int clFinish(cl_command_queue queue) {
    (void)queue;
    ENTER("clFinish");
    return CL_SUCCESS;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

cl_mem clCreateBuffer(cl_context context, cl_ulong flags, size_t bytes, void *host, cl_int *error) {
    (void)context;
    ENTER_MAKING("clCreateBuffer", error);
    void *memory = bytes ? fake_allocate(bytes) : NULL;
    if (memory && flags & CL_MEM_USE_HOST_PTR) /* a device may keep a copy */
        memcpy(memory, host, bytes);
    *error = memory ? CL_SUCCESS : bytes ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_INVALID_BUFFER_SIZE;
    return memory;
}
cl_int clReleaseMemObject(cl_mem buffer) {
    int error = fake_call("clReleaseMemObject");
    bool known = fake_release(buffer);
    return error ? error : known ? CL_SUCCESS : INVALID_MEM_OBJECT;
}
cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset, size_t bytes,
                            const void *from, cl_uint events, const cl_event *list, cl_event *event) {
    (void)queue, (void)wait, (void)events, (void)list, (void)event;
    ENTER("clEnqueueWriteBuffer");
    if (!fake_inside((char *)buffer + offset, bytes))
        return INVALID_VALUE;
    memcpy((char *)buffer + offset, from, bytes);
    return CL_SUCCESS;
}
cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset, size_t bytes, void *to,
                           cl_uint events, const cl_event *list, cl_event *event) {
    (void)queue, (void)wait, (void)events, (void)list, (void)event;
    ENTER("clEnqueueReadBuffer");
    if (!fake_inside((char *)buffer + offset, bytes))
        return INVALID_VALUE;
    memcpy(to, (char *)buffer + offset, bytes);
    return CL_SUCCESS;
}
cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t size, size_t offset,
                           size_t bytes, cl_uint events, const cl_event *list, cl_event *event) {
    (void)queue, (void)events, (void)list, (void)event;
    ENTER("clEnqueueFillBuffer");
    if (!fake_inside((char *)buffer + offset, bytes) || bytes % size)
        return INVALID_VALUE;
    for (size_t i = 0; i < bytes; i += size)
        memcpy((char *)buffer + offset + i, pattern, size);
    return CL_SUCCESS;
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint events, const cl_event *list, cl_event *event) {
    (void)queue, (void)events, (void)list;
    ENTER("clEnqueueMarkerWithWaitList");
    *event = (cl_event)(uintptr_t)1;
    fake_made(FAKE_EVENT);
    return CL_SUCCESS;
}
cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint events, const cl_event *list, cl_event *event) {
    (void)queue, (void)events, (void)list, (void)event;
    ENTER("clEnqueueBarrierWithWaitList");
    return CL_SUCCESS;
}
cl_int clWaitForEvents(cl_uint count, const cl_event *list) {
    (void)count, (void)list;
    ENTER("clWaitForEvents");
    return CL_SUCCESS;
}
cl_int clGetEventProfilingInfo(cl_event event, cl_uint what, size_t size, void *value, size_t *bytes) {
    (void)event, (void)what, (void)bytes;
    ENTER("clGetEventProfilingInfo");
    return answer_number(1000, size, value);
}
cl_int clReleaseEvent(cl_event event) {
    (void)event;
    LEAVE("clReleaseEvent", FAKE_EVENT);
}

/* ---- Programs and kernels ---------------------------------------------------------------------------------------- */

static cl_program new_program(const char *text, size_t length) {
    cl_program made = calloc(1, sizeof *made);
    made->references = 1;
    made->text = strndup(text, length);
    fake_made(FAKE_PROGRAM);
    return made;
}
static void drop(cl_program program) {
    if (--program->references)
        return;
    free(program->text);
    free(program);
}
cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *error) {
    (void)context, (void)count, (void)lengths;
    ENTER_MAKING("clCreateProgramWithSource", error);
    return new_program(texts[0], strlen(texts[0]));
}
cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries, cl_int *statuses,
                                     cl_int *error) {
    (void)context, (void)count, (void)devices;
    ENTER_MAKING("clCreateProgramWithBinary", error);
    *statuses = CL_SUCCESS;
    if (lengths[0] == 0) {
        *error = INVALID_BINARY;
        return NULL;
    }
    return new_program((const char *)binaries[0], lengths[0]);
}
cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void (*notify)(cl_program, void *), void *user) {
    (void)count, (void)devices, (void)options, (void)notify, (void)user;
    ENTER("clBuildProgram");
    return fake_find(program->text, "this is no kernel") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}
cl_int clGetProgramInfo(cl_program program, cl_uint what, size_t size, void *value, size_t *bytes) {
    (void)bytes;
    ENTER("clGetProgramInfo");
    if (what == CL_PROGRAM_BINARY_SIZES)
        return answer_number(strlen(program->text), size, value);
    memcpy(((unsigned char **)value)[0], program->text, strlen(program->text));
    return CL_SUCCESS;
}
cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_uint what, size_t size, void *value,
                             size_t *bytes) {
    static const char words[] = "<kernel>:1:1: error: this is no kernel\n";
    (void)program, (void)device, (void)what;
    ENTER("clGetProgramBuildInfo");
    if (bytes)
        *bytes = sizeof words;
    if (value)
        memcpy(value, words, size < sizeof words ? size : sizeof words);
    return CL_SUCCESS;
}
cl_int clReleaseProgram(cl_program program) {
    drop(program);
    LEAVE("clReleaseProgram", FAKE_PROGRAM);
}
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error) {
    ENTER_MAKING("clCreateKernel", error);
    if (!fake_has_kernel(program->text, name)) {
        *error = CL_INVALID_KERNEL_NAME;
        return NULL;
    }
    cl_kernel made = calloc(1, sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    made->program = program;
    program->references++;
    fake_made(FAKE_KERNEL);
    return made;
}
cl_int clReleaseKernel(cl_kernel kernel) {
    drop(kernel->program);
    free(kernel);
    LEAVE("clReleaseKernel", FAKE_KERNEL);
}
cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
    ENTER("clSetKernelArg");
    if (index >= MOST_ARGUMENTS || size > sizeof kernel->arguments[0].bytes)
        return INVALID_VALUE;
    memcpy(kernel->arguments[index].bytes, value, size);
    return CL_SUCCESS;
}
cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, cl_uint events, const cl_event *list,
                              cl_event *event) {
    const void *arguments[MOST_ARGUMENTS];
    (void)queue, (void)offset, (void)events, (void)list, (void)event;
    ENTER("clEnqueueNDRangeKernel");
    if (dimensions != 1 || !global[0] || global[0] % local[0])
        return CL_INVALID_GROUP_SIZE;
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        arguments[i] = kernel->arguments[i].bytes;
    fake_run(kernel->program->text, kernel->name, arguments);
    return CL_SUCCESS;
}
