/* opencl.c - OpenCL 1.2 devices through the ICD loader, opened at run time.
 *
 * Devices of all platforms are numbered consecutively. A module keeps its kernels, since OpenCL requires each to be
 * released; queues with profiling give the times between marks.
 *
 * PoCL, which runs kernels on the CPU, compiles each one at its first launch, for that group size, and caches the
 * result itself. For a binary it would compile all kernels of the program once more, for any group size, and then not
 * use that code. So "compiled" kernels of PoCL are their source and options (keeps_source), which it finds again in its
 * cache; since it parses what it finds there, the programs used last stay built (`built`).
 */
#include "base/memory.h"
#include "device/device.h"
#include "device/gpu_there.h"
#include "device/library.h"
#include "device/opencl_api.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MARKS = 4, MOST_DEVICES = 64, MOST_PLATFORMS = 16, MODULE_KERNELS = 64, MOST_BUILT = 8, WARP = 32 };

typedef struct opencl {
    hd_device device;
    hd_opencl_functions call;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;                 /* the selected one */
    cl_command_queue queues[HD_QUEUES + 1]; /* 0: the device's own */
    cl_event marks[MARKS];
    cl_event events[HD_EVENTS];
    struct opencl_module *modules; /* all that are loaded */
    bool keeps_source;             /* what compile returns and load takes is a text: options, 0, source, 0 */
    struct opencl_program *built;  /* with keeps_source: up to MOST_BUILT that no module uses, last used first */
    cl_int trouble;                /* error of the first failed device query */
} opencl;

typedef struct opencl_program {
    struct opencl_program *next;
    cl_program program;
    size_t bytes;
    char text[];
} opencl_program;

typedef struct opencl_module {
    struct opencl_module *next;
    cl_program program;
    opencl_program *kept; /* holds the program, or NULL */
    cl_kernel kernels[MODULE_KERNELS];
    bool launched[MODULE_KERNELS];
    uint32_t count;
    bool fresh;
} opencl_module;

extern const hd_device_kind hd_device_opencl;

static bool open_loader(hd_opencl_functions *call, char *missing, size_t size) {
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
    static const hd_symbol symbols[] = {
#define SYMBOL(result, member, symbol, parameters) {#symbol, offsetof(hd_opencl_functions, member), false},
        HD_OPENCL_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    return hd_library_open(names, symbols, sizeof symbols / sizeof *symbols, call, missing, size) != NULL;
}

static const char *words_of(cl_int error) {
    switch (error) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "memory object allocation failure";
    case CL_OUT_OF_RESOURCES: return "out of resources";
    case CL_OUT_OF_HOST_MEMORY: return "out of host memory";
    case CL_BUILD_PROGRAM_FAILURE: return "build program failure";
    case CL_INVALID_BUFFER_SIZE: return "invalid buffer size";
    case CL_DEVICE_NOT_FOUND: return "device not found";
    case CL_DEVICE_NOT_AVAILABLE: return "device not available";
    case CL_INVALID_DEVICE: return "invalid device";
    case CL_INVALID_CONTEXT: return "invalid context";
    case CL_INVALID_QUEUE: return "invalid command queue";
    case CL_INVALID_KERNEL_NAME: return "there is no such kernel";
    case CL_INVALID_KERNEL_ARGUMENTS: return "invalid kernel arguments";
    case CL_INVALID_GROUP_SIZE: return "invalid work-group size";
    default: return "unknown error";
    }
}

static bool is_memory(cl_int error) {
    return error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_RESOURCES ||
           error == CL_OUT_OF_HOST_MEMORY || error == CL_INVALID_BUFFER_SIZE;
}

/* `what` is the kernel, the buffer's use, or ""; `bytes` the size of the copy or allocation, or 0. */
static heddle_status fail(opencl *c, cl_int error, const char *call, const char *what, uint64_t bytes) {
    char wanted[48] = "";
    if (bytes)
        snprintf(wanted, sizeof wanted, " (%llu bytes)", (unsigned long long)bytes);
    return hd_fail(c->device.ctx, is_memory(error) ? HEDDLE_E_DEVICE_MEMORY : HEDDLE_E_DEVICE,
                   "opencl (%s): %s%s%s%s failed: %s (error %d)", c->device.info.name, call, *what ? " for " : "", what,
                   wanted, words_of(error), (int)error);
}

#define OPENCL_TRY_FOR(c, expression, call, what, bytes)      \
    do {                                                      \
        cl_int opencl_error_ = (expression);                  \
        if (opencl_error_ != CL_SUCCESS)                      \
            return fail(c, opencl_error_, call, what, bytes); \
    } while (0)
#define OPENCL_TRY(c, expression, call) OPENCL_TRY_FOR(c, expression, call, "", 0)

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

/* Returns the number of devices; *failed is the name of the call that failed, or NULL. */
static uint32_t list_devices(const hd_opencl_functions *call, cl_device_id *list, const char **failed, cl_int *error) {
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0, total = 0, count;
    *failed = "clGetPlatformIDs";
    *error = call->platforms(MOST_PLATFORMS, platforms, &platform_count);
    if (*error != CL_SUCCESS)
        return 0;
    *failed = NULL;
    for (cl_uint p = 0; p < platform_count && p < MOST_PLATFORMS && total < MOST_DEVICES; p++) {
        count = 0;
        cl_int result = call->devices(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES - total, list + total, &count);
        if (result == CL_SUCCESS) {
            total += count < MOST_DEVICES - total ? count : MOST_DEVICES - total;
        } else if (result != CL_DEVICE_NOT_FOUND) {
            *failed = "clGetDeviceIDs";
            *error = result;
        }
    }
    return total;
}

static uint32_t discover(char *missing, size_t size) {
    hd_opencl_functions call;
    cl_device_id list[MOST_DEVICES];
    const char *failed;
    cl_int error;
    if (!open_loader(&call, missing, size))
        return 0;
    uint32_t count = list_devices(&call, list, &failed, &error);
    if (count == 0 && failed && error != CL_PLATFORM_NOT_FOUND)
        snprintf(missing, size, "the OpenCL loader is there, but %s failed: %s (error %d)", failed, words_of(error),
                 (int)error);
    else if (count == 0)
        snprintf(missing, size, "the OpenCL loader is there, but no driver (no .icd file names a working one)");
    return count;
}

static uint64_t number(opencl *c, cl_uint what, size_t size) {
    uint64_t value = 0; /* narrower answers fill the low bytes on the little-endian machines that have OpenCL */
    cl_int error = c->call.device_info(c->id, what, size, &value, NULL);
    if (error == CL_SUCCESS)
        return value;
    c->trouble = c->trouble ? c->trouble : error;
    return 0;
}

static void words(opencl *c, cl_uint what, char *text, size_t size) {
    text[0] = '\0';
    c->call.device_info(c->id, what, size - 1, text, NULL);
    text[size - 1] = '\0';
}

static bool has_extension(opencl *c, const char *name) {
    char list[8192] = "";
    words(c, CL_DEVICE_EXTENSIONS, list, sizeof list);
    return strstr(list, name) != NULL;
}

static heddle_status fill_info(opencl *c, uint32_t index) {
    hd_device_info *info = &c->device.info;
    cl_device_id list[MOST_DEVICES];
    char driver[128], version[128];
    const char *failed;
    cl_int error;
    snprintf(info->name, sizeof info->name, "opencl:%u", index);
    if (!open_loader(&c->call, info->driver, sizeof info->driver))
        return hd_fail(c->device.ctx, HEDDLE_E_DEVICE, "opencl: %s", info->driver);
    if (index >= list_devices(&c->call, list, &failed, &error)) {
        if (failed)
            return fail(c, error, failed, "", 0);
        return hd_fail(c->device.ctx, HEDDLE_E_DEVICE, "opencl: no device %u", index);
    }
    c->id = list[index];
    words(c, CL_DEVICE_NAME, info->name, sizeof info->name);
    words(c, CL_DRIVER_VERSION, driver, sizeof driver);
    words(c, CL_DEVICE_VERSION, version, sizeof version);
    snprintf(info->driver, sizeof info->driver, "%.50s, driver %.30s", version, driver);
    c->keeps_source = strstr(version, "PoCL") || strstr(version, "pocl");
    words(c, CL_DEVICE_OPENCL_C_VERSION, version, sizeof version);
    snprintf(info->compiler, sizeof info->compiler, "%.90s", version);
    info->memory = number(c, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    info->units = (uint32_t)number(c, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    info->warp = WARP;
    info->group_most = (uint32_t)number(c, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    info->local_bytes = number(c, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
    info->cache_bytes = number(c, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong));
    info->accelerator = !(number(c, CL_DEVICE_TYPE, sizeof(cl_ulong)) & CL_DEVICE_TYPE_CPU);
    info->atomics64 = has_extension(c, "cl_khr_int64_base_atomics");
    info->doubles = has_extension(c, "cl_khr_fp64");
    OPENCL_TRY(c, c->trouble, "clGetDeviceInfo");
    return HEDDLE_OK;
}

static heddle_status describe(heddle_context *ctx, uint32_t index, hd_device_info *info) {
    opencl c = {.device.ctx = ctx};
    HD_TRY(fill_info(&c, index));
    *info = c.device.info;
    return HEDDLE_OK;
}

/* ---- Memory and copies ------------------------------------------------------------------------------------------ */

static heddle_status memory(hd_device *device, uint64_t *free_bytes, uint64_t *total) {
    *free_bytes = *total = device->info.memory; /* OpenCL does not report free memory */
    return HEDDLE_OK;
}

static heddle_status make_buffer(hd_device *device, uint64_t bytes, cl_ulong where, const char *what,
                                 hd_buffer *buffer) {
    opencl *c = device->self;
    cl_int error = CL_SUCCESS;
    uint32_t probe = 0;
    *buffer = (hd_buffer){.handle = 0};
    const char *call = "clCreateBuffer";
    cl_mem made = c->call.buffer_create(c->context, CL_MEM_READ_WRITE | where, bytes ? bytes : 4, NULL, &error);
    /* Drivers allocate lazily: touching the last word makes them do it now, while the error can be reported. */
    if (error == CL_SUCCESS && bytes >= 4) {
        call = "clEnqueueWriteBuffer";
        error = c->call.write(c->queue, made, CL_TRUE, bytes / 4 * 4 - 4, 4, &probe, 0, NULL, NULL);
        if (error != CL_SUCCESS)
            c->call.buffer_release(made);
    }
    if (is_memory(error))
        return hd_fail(
            device->ctx, HEDDLE_E_DEVICE_MEMORY,
            "opencl (%s): %s: out of memory: %llu bytes wanted for %s, the device has %llu, at most %llu at once",
            device->info.name, call, (unsigned long long)bytes, what, (unsigned long long)device->info.memory,
            (unsigned long long)number(c, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong)));
    OPENCL_TRY_FOR(c, error, call, what, bytes);
    *buffer = (hd_buffer){.handle = (uint64_t)(uintptr_t)made, .bytes = bytes, .away = where ? bytes : 0};
    return HEDDLE_OK;
}

static heddle_status allocate(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer) {
    return make_buffer(device, bytes, 0, what, buffer);
}

static heddle_status allocate_host(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer) {
    return make_buffer(device, bytes, CL_MEM_ALLOC_HOST_PTR, what, buffer);
}

static cl_mem buffer_of(const hd_buffer *buffer) { return (cl_mem)(uintptr_t)buffer->handle; }

static void release(hd_device *device, hd_buffer *buffer) {
    opencl *c = device->self;
    if (buffer->handle)
        c->call.buffer_release(buffer_of(buffer));
    *buffer = (hd_buffer){.handle = 0};
}

/* Whether kernels read the host's memory itself. Elsewhere a driver may copy what it is given, all of it, to the
 * device. */
static bool shares_memory(opencl *c) {
    cl_uint unified = 0; /* a driver may not know the question any more */
    cl_int error = c->call.device_info(c->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL);
    return !c->device.info.accelerator || (error == CL_SUCCESS && unified);
}

static heddle_status map(hd_device *device, void *memory, uint64_t bytes, hd_buffer *buffer) {
    opencl *c = device->self;
    cl_int error = CL_SUCCESS;
    *buffer = (hd_buffer){.handle = 0};
    cl_mem made = c->call.buffer_create(c->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes, memory, &error);
    OPENCL_TRY_FOR(c, error, "clCreateBuffer", "memory of the host", bytes);
    *buffer = (hd_buffer){.handle = (uint64_t)(uintptr_t)made, .bytes = bytes, .away = bytes};
    return HEDDLE_OK;
}

static heddle_status write_to(opencl *c, const hd_buffer *to, uint64_t offset, const void *from, uint64_t bytes,
                              cl_bool waits) {
    if (bytes)
        OPENCL_TRY_FOR(c, c->call.write(c->queue, buffer_of(to), waits, offset, bytes, from, 0, NULL, NULL),
                       "clEnqueueWriteBuffer", "", bytes);
    return HEDDLE_OK;
}

static heddle_status read_from(opencl *c, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes,
                               cl_bool waits) {
    if (bytes)
        OPENCL_TRY_FOR(c, c->call.read(c->queue, buffer_of(from), waits, offset, bytes, to, 0, NULL, NULL),
                       "clEnqueueReadBuffer", "", bytes);
    return HEDDLE_OK;
}

static heddle_status upload(hd_device *device, const hd_buffer *to, uint64_t offset, const void *from, uint64_t bytes) {
    return write_to(device->self, to, offset, from, bytes, CL_TRUE);
}

static heddle_status download(hd_device *device, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes) {
    return read_from(device->self, to, from, offset, bytes, CL_TRUE);
}

static heddle_status send(hd_device *device, const hd_buffer *to, uint64_t offset, const void *from, uint64_t bytes) {
    return write_to(device->self, to, offset, from, bytes, CL_FALSE);
}

static heddle_status receive(hd_device *device, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes) {
    return read_from(device->self, to, from, offset, bytes, CL_FALSE);
}

/* Contexts of their own share no memory: through the host, for plans that ask for it. */
static heddle_status copy_to(hd_device *device, const hd_buffer *from, uint64_t offset, hd_device *peer,
                             const hd_buffer *to, uint64_t at, uint64_t bytes) {
    opencl *c = device->self;
    const opencl *other = peer->self;
    char *stage = NULL;
    HD_TRY(HD_NEW(device->ctx, &stage, bytes, "a copy between devices"));
    heddle_status status = read_from(c, stage, from, offset, bytes, CL_TRUE);
    cl_int error = CL_SUCCESS;
    if (status == HEDDLE_OK) /* a queue may be used by several threads; errors are those of this device */
        error = other->call.write(other->queues[0], buffer_of(to), CL_TRUE, at, bytes, stage, 0, NULL, NULL);
    HD_DELETE(&device->ctx->allocator, stage, bytes);
    HD_TRY(status);
    OPENCL_TRY_FOR(c, error, "clEnqueueWriteBuffer", "", bytes);
    return HEDDLE_OK;
}

static heddle_status fill(hd_device *device, const hd_buffer *buffer, uint64_t offset, uint32_t word, uint64_t bytes) {
    opencl *c = device->self;
    if (bytes / 4)
        OPENCL_TRY_FOR(c, c->call.fill(c->queue, buffer_of(buffer), &word, 4, offset, bytes / 4 * 4, 0, NULL, NULL),
                       "clEnqueueFillBuffer", "", bytes);
    return HEDDLE_OK;
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

static heddle_status fail_compile(opencl *c, cl_program program, const char *name) {
    size_t bytes = 0;
    char *log = NULL;
    c->call.build_info(program, c->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    HD_TRY(HD_NEW_ZERO(c->device.ctx, &log, bytes + 1, "compiler's words"));
    c->call.build_info(program, c->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    heddle_status status =
        hd_fail(c->device.ctx, HEDDLE_E_PROGRAM, "%s: %.900s", name, *log ? log : "does not compile");
    HD_DELETE(&c->device.ctx->allocator, log, bytes + 1);
    return status;
}

static heddle_status take_binary(opencl *c, cl_program program, void **binary, size_t *bytes) {
    unsigned char *list[1];
    OPENCL_TRY(c, c->call.program_info(program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL),
               "clGetProgramInfo");
    HD_TRY(hd_new(c->device.ctx, binary, *bytes, 1, false, "compiled kernel"));
    list[0] = *binary;
    cl_int error = c->call.program_info(program, CL_PROGRAM_BINARIES, sizeof list, list, NULL);
    if (error == CL_SUCCESS)
        return HEDDLE_OK;
    hd_free(&c->device.ctx->allocator, *binary, *bytes);
    *binary = NULL;
    return fail(c, error, "clGetProgramInfo", "", *bytes);
}

static heddle_status build(opencl *c, cl_program program, const char *name, const char *options) {
    cl_int error = c->call.program_build(program, 1, &c->id, options, NULL, NULL);
    return error == CL_SUCCESS                 ? HEDDLE_OK
           : error == CL_BUILD_PROGRAM_FAILURE ? fail_compile(c, program, name)
                                               : fail(c, error, "clBuildProgram", name, 0);
}

static void free_program(opencl *c, opencl_program *kept) {
    if (kept->program)
        c->call.program_release(kept->program);
    hd_free(&c->device.ctx->allocator, kept, sizeof *kept + kept->bytes);
}

/* Takes the program of this text from the list, or builds it. */
static heddle_status take_program(opencl *c, const char *name, const char *text, size_t bytes, opencl_program **taken) {
    for (opencl_program **each = &c->built; *each; each = &(*each)->next)
        if ((*each)->bytes == bytes && memcmp((*each)->text, text, bytes) == 0) {
            *taken = *each;
            *each = (*taken)->next;
            return HEDDLE_OK;
        }
    const char *source = text + strlen(text) + 1;
    cl_int error = CL_SUCCESS;
    opencl_program *kept;
    HD_TRY(hd_new(c->device.ctx, (void **)&kept, sizeof *kept + bytes, 1, true, "program"));
    kept->bytes = bytes;
    memcpy(kept->text, text, bytes);
    kept->program = c->call.program_source(c->context, 1, &source, NULL, &error);
    heddle_status status = error == CL_SUCCESS ? build(c, kept->program, name, text)
                                               : fail(c, error, "clCreateProgramWithSource", name, 0);
    if (status == HEDDLE_OK)
        *taken = kept;
    else
        free_program(c, kept);
    return status;
}

/* Puts it first in the list, and frees what is beyond `most`. */
static void return_program(opencl *c, opencl_program *kept, uint32_t most) {
    opencl_program **each = &c->built;
    if (kept) {
        kept->next = c->built;
        c->built = kept;
    }
    for (uint32_t i = 0; *each && i < most; i++)
        each = &(*each)->next;
    while (*each) {
        opencl_program *last = *each;
        *each = last->next;
        free_program(c, last);
    }
}

static heddle_status compile_text(opencl *c, const char *name, const char *source, const char *options, void **text,
                                  size_t *bytes) {
    size_t first = strlen(options) + 1;
    opencl_program *kept;
    *bytes = first + strlen(source) + 1;
    HD_TRY(hd_new(c->device.ctx, text, *bytes, 1, false, "compiled kernel"));
    memcpy(*text, options, first);
    memcpy((char *)*text + first, source, *bytes - first);
    heddle_status status = take_program(c, name, *text, *bytes, &kept);
    if (status == HEDDLE_OK) {
        return_program(c, kept, MOST_BUILT);
        return HEDDLE_OK;
    }
    hd_free(&c->device.ctx->allocator, *text, *bytes);
    *text = NULL;
    return status;
}

static heddle_status compile(hd_device *device, const char *name, const char *source, const char *options,
                             void **binary, size_t *bytes) {
    opencl *c = device->self;
    cl_int error = CL_SUCCESS;
    *binary = NULL;
    if (c->keeps_source)
        return compile_text(c, name, source, options, binary, bytes);
    cl_program program = c->call.program_source(c->context, 1, &source, NULL, &error);
    OPENCL_TRY_FOR(c, error, "clCreateProgramWithSource", name, 0);
    heddle_status status = build(c, program, name, options);
    if (status == HEDDLE_OK)
        status = take_binary(c, program, binary, bytes);
    c->call.program_release(program);
    return status;
}

static void unload(hd_device *device, void *loaded) {
    opencl *c = device->self;
    opencl_module *module = loaded;
    if (!module)
        return;
    for (opencl_module **each = &c->modules; *each; each = &(*each)->next)
        if (*each == module) {
            *each = module->next;
            break;
        }
    for (uint32_t i = 0; i < module->count; i++)
        c->call.kernel_release(module->kernels[i]);
    if (module->kept)
        return_program(c, module->kept, MOST_BUILT);
    else if (module->program)
        c->call.program_release(module->program);
    hd_free(&device->ctx->allocator, module, sizeof *module);
}

static heddle_status load_binary(opencl *c, const void *binary, size_t bytes, opencl_module *module) {
    const unsigned char *image = binary;
    cl_int error = CL_SUCCESS, status = CL_SUCCESS;
    module->program = c->call.program_binary(c->context, 1, &c->id, &bytes, &image, &status, &error);
    OPENCL_TRY_FOR(c, error, "clCreateProgramWithBinary", "a compiled kernel", bytes);
    error = c->call.program_build(module->program, 1, &c->id, "", NULL, NULL);
    OPENCL_TRY_FOR(c, error, "clBuildProgram", "a compiled kernel", bytes);
    return HEDDLE_OK;
}

static heddle_status load(hd_device *device, const void *binary, size_t bytes, void **loaded) {
    opencl *c = device->self;
    opencl_module *module;
    HD_TRY(HD_NEW_ZERO(device->ctx, &module, 1, "module"));
    heddle_status status = c->keeps_source ? take_program(c, "a compiled kernel", binary, bytes, &module->kept)
                                           : load_binary(c, binary, bytes, module);
    if (status != HEDDLE_OK) {
        unload(device, module);
        return status;
    }
    if (module->kept)
        module->program = module->kept->program;
    module->fresh = device->fresh;
    module->next = c->modules;
    c->modules = module;
    *loaded = module;
    return HEDDLE_OK;
}

static heddle_status kernel(hd_device *device, void *loaded, const char *name, void **found) {
    opencl *c = device->self;
    opencl_module *module = loaded;
    cl_int error = CL_SUCCESS;
    if (module->count == MODULE_KERNELS)
        return hd_fail(device->ctx, HEDDLE_E_INTERNAL, "opencl: more than %d kernels in a module", MODULE_KERNELS);
    cl_kernel made = c->call.kernel_create(module->program, name, &error);
    OPENCL_TRY_FOR(c, error, "clCreateKernel", name, 0);
    module->launched[module->count] = false;
    module->kernels[module->count++] = made;
    *found = made;
    return HEDDLE_OK;
}

static heddle_status finish(hd_device *device) {
    opencl *c = device->self;
    OPENCL_TRY(c, c->call.finish(c->queue), "clFinish");
    return HEDDLE_OK;
}

/* On an OpenCL device that is the CPU: the module of a kernel that is launched for the first time; else NULL. Its
 * driver then compiles for this group size, which may take longer than everything else. */
static opencl_module *first_launch(hd_device *device, cl_kernel function, uint32_t *place) {
    opencl *c = device->self;
    for (opencl_module *module = device->info.accelerator ? NULL : c->modules; module; module = module->next)
        for (uint32_t i = 0; i < module->count; i++)
            if (module->kernels[i] == function) {
                *place = i;
                return module->launched[i] ? NULL : module;
            }
    return NULL;
}

static heddle_status launch_now(hd_device *device, void *function, const hd_launch *how) {
    opencl *c = device->self;
    size_t lanes = how->lanes, all = (size_t)how->groups * how->lanes;
    for (uint32_t i = 0; i < how->argument_count; i++)
        OPENCL_TRY_FOR(c, c->call.kernel_argument(function, i, how->arguments[i].size, how->arguments[i].value),
                       "clSetKernelArg", how->name, 0);
    OPENCL_TRY_FOR(c, c->call.launch(c->queue, function, 1, NULL, &all, &lanes, 0, NULL, NULL),
                   "clEnqueueNDRangeKernel", how->name, 0);
    return HEDDLE_OK;
}

/* PoCL 3.1 keeps a kernel's code twice if two threads launch it for the first time at once, counts its uses on the
 * first copy alone, and aborts when these are over: first launches take turns, in the whole process. */
static heddle_status launch(hd_device *device, void *function, const hd_launch *how) {
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    uint32_t place = 0;
    opencl_module *module = first_launch(device, function, &place);
    if (!module)
        return launch_now(device, function, how);
    HD_TRY(finish(device));
    pthread_mutex_lock(&turn);
    double start = hd_clock();
    heddle_status status = launch_now(device, function, how);
    if (status == HEDDLE_OK)
        status = finish(device);
    if (module->fresh)
        device->late += hd_clock() - start;
    module->launched[place] = true;
    pthread_mutex_unlock(&turn);
    return status;
}

/* An event behind the work of the selected queue, in the place of an earlier one. */
static heddle_status renew(opencl *c, cl_event *event) {
    if (*event)
        c->call.event_release(*event);
    *event = NULL;
    OPENCL_TRY(c, c->call.marker(c->queue, 0, NULL, event), "clEnqueueMarkerWithWaitList");
    return HEDDLE_OK;
}

static heddle_status seconds_between(opencl *c, cl_event from, cl_event to, double *seconds) {
    cl_ulong start = 0, end = 0;
    OPENCL_TRY(c, c->call.event_wait(1, &to), "clWaitForEvents");
    OPENCL_TRY(c, c->call.event_times(from, CL_PROFILING_COMMAND_END, sizeof start, &start, NULL),
               "clGetEventProfilingInfo");
    OPENCL_TRY(c, c->call.event_times(to, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "clGetEventProfilingInfo");
    *seconds = (double)(int64_t)(end - start) * 1e-9;
    return HEDDLE_OK;
}

static heddle_status mark(hd_device *device, int slot) {
    opencl *c = device->self;
    return renew(c, &c->marks[slot]);
}

static heddle_status between(hd_device *device, int from, int to, double *seconds) {
    opencl *c = device->self;
    return seconds_between(c, c->marks[from], c->marks[to], seconds);
}

/* ---- Queues ----------------------------------------------------------------------------------------------------- */

static heddle_status make_queues(hd_device *device, uint32_t count) {
    opencl *c = device->self;
    for (uint32_t i = 1; i <= count && i <= HD_QUEUES; i++) {
        cl_int error = CL_SUCCESS;
        if (!c->queues[i])
            c->queues[i] = c->call.queue_create(c->context, c->id, CL_QUEUE_PROFILING_ENABLE, &error);
        OPENCL_TRY(c, error, "clCreateCommandQueue");
    }
    return HEDDLE_OK;
}

static void select_queue(hd_device *device, uint32_t queue) {
    opencl *c = device->self;
    c->queue = c->queues[queue];
}

/* Another queue may wait only for what this one has flushed. */
static heddle_status post(hd_device *device, uint32_t event) {
    opencl *c = device->self;
    HD_TRY(renew(c, &c->events[event]));
    OPENCL_TRY(c, c->call.flush(c->queue), "clFlush");
    return HEDDLE_OK;
}

static heddle_status await(hd_device *device, uint32_t event) {
    opencl *c = device->self;
    OPENCL_TRY(c, c->call.barrier(c->queue, 1, &c->events[event], NULL), "clEnqueueBarrierWithWaitList");
    return HEDDLE_OK;
}

static heddle_status elapsed(hd_device *device, uint32_t from, uint32_t to, double *seconds) {
    opencl *c = device->self;
    return seconds_between(c, c->events[from], c->events[to], seconds);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static void close_device(hd_device *device) {
    opencl *c = device->self;
    heddle_context *ctx = device->ctx;
    for (int i = 0; i <= HD_QUEUES; i++)
        if (c->queues[i])
            c->call.finish(c->queues[i]); /* a copy may still be under way */
    for (int i = 0; i < MARKS; i++)
        if (c->marks[i])
            c->call.event_release(c->marks[i]);
    return_program(c, NULL, 0);
    for (int i = 0; i < HD_EVENTS; i++)
        if (c->events[i])
            c->call.event_release(c->events[i]);
    for (int i = 0; i <= HD_QUEUES; i++)
        if (c->queues[i])
            c->call.queue_release(c->queues[i]);
    if (c->context)
        c->call.context_release(c->context);
    hd_free(&ctx->allocator, c, sizeof *c);
}

static heddle_status start(opencl *c, uint32_t index) {
    cl_int error = CL_SUCCESS;
    HD_TRY(fill_info(c, index));
    c->context = c->call.context_create(NULL, 1, &c->id, NULL, NULL, &error);
    OPENCL_TRY(c, error, "clCreateContext");
    c->queue = c->queues[0] = c->call.queue_create(c->context, c->id, CL_QUEUE_PROFILING_ENABLE, &error);
    OPENCL_TRY(c, error, "clCreateCommandQueue");
    return HEDDLE_OK;
}

static heddle_status open_device(heddle_context *ctx, uint32_t index, hd_device **device) {
    opencl *c;
    HD_TRY(HD_NEW_ZERO(ctx, &c, 1, "device"));
    c->device = (hd_device){.kind = &hd_device_opencl,
                            .ctx = ctx,
                            .self = c,
                            .close = close_device,
                            .memory = memory,
                            .allocate = allocate,
                            .allocate_host = allocate_host,
                            .release = release,
                            .map = map,
                            .unmap = release,
                            .upload = upload,
                            .download = download,
                            .send = send,
                            .receive = receive,
                            .copy_to = copy_to,
                            .fill = fill,
                            .compile = compile,
                            .load = load,
                            .unload = unload,
                            .kernel = kernel,
                            .launch = launch,
                            .finish = finish,
                            .mark = mark,
                            .between = between,
                            .queues = make_queues,
                            .select = select_queue,
                            .post = post,
                            .await = await,
                            .elapsed = elapsed};
    heddle_status status = start(c, index);
    if (status == HEDDLE_OK && !shares_memory(c))
        c->device.map = NULL;
    if (status == HEDDLE_OK)
        *device = &c->device;
    else
        close_device(&c->device);
    return status;
}

static void identity(const hd_device *device, char *text, size_t size) {
    const opencl *c = device->self;
    snprintf(text, size, "%s|%s|%s%s", device->info.name, device->info.driver, device->info.compiler,
             c->keeps_source ? "|source" : "");
}

extern const char hd_text_prelude_opencl[]; /* embedded */

const hd_device_kind hd_device_opencl = {.version = HD_DEVICE_VERSION,
                                         .name = "opencl",
                                         .discover = discover,
                                         .accelerates = hd_gpu_in_opencl,
                                         .describe = describe,
                                         .open = open_device,
                                         .identity = identity,
                                         .prelude = hd_text_prelude_opencl,
                                         .suffix = "cl",
                                         .options = "-cl-std=CL1.2 -w",
                                         .debug_options = "-cl-std=CL1.2 -w -cl-opt-disable",
                                         .maps_host = true,
                                         .static_shared = true};
