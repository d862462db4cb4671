/* cuda.c - NVIDIA GPUs through the driver interface, kernels compiled by NVRTC; both opened at run time.
 *
 * The device's primary context is shared with whoever else uses the GPU in this process, as frameworks do; each call
 * makes it current first, so that any thread may call. Work goes to one non-blocking stream per open device.
 */
#include "base/memory.h"
#include "device/cuda_api.h"
#include "device/device.h"
#include "device/library.h"

#include <stdio.h>
#include <string.h>

enum { MARKS = 4, MOST_ARGUMENTS = 32, MOST_OPTIONS = 32 };

typedef struct cuda {
    hd_device device;
    hd_cuda_functions call;
    hd_nvrtc_functions nvrtc;
    bool has_nvrtc;
    char nvrtc_missing[128];
    CUdevice ordinal;
    CUcontext context;
    CUstream stream;
    CUevent marks[MARKS];
    int major, minor;
} cuda;

extern const hd_device_kind hd_device_cuda;

static bool open_driver(hd_cuda_functions *call, char *missing, size_t size) {
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
    static const hd_symbol symbols[] = {
#define SYMBOL(member, symbol, parameters) {#symbol, offsetof(hd_cuda_functions, member), false},
        HD_CUDA_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    return hd_library_open(names, symbols, sizeof symbols / sizeof *symbols, call, missing, size) != NULL;
}

static bool open_compiler(hd_nvrtc_functions *nvrtc, char *missing, size_t size) {
    static const char *const names[] = {
        "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so",
        NULL};
    static const hd_symbol symbols[] = {
#define SYMBOL(member, symbol, parameters) {#symbol, offsetof(hd_nvrtc_functions, member), false},
        HD_NVRTC_FUNCTIONS(SYMBOL)
#undef SYMBOL
    };
    return hd_library_open(names, symbols, sizeof symbols / sizeof *symbols, nvrtc, missing, size) != NULL;
}

static const char *words_of(const hd_cuda_functions *call, CUresult result) {
    const char *text = NULL;
    if (call->error_text(result, &text) != CUDA_SUCCESS || !text)
        return "unknown error";
    return text;
}

static heddle_status fail(cuda *c, CUresult result, const char *what) {
    return hd_fail(c->device.ctx, HEDDLE_E_DEVICE, "cuda (%s): %s failed: %s", c->device.info.name, what,
                   words_of(&c->call, result));
}

#define CUDA_TRY(c, expression, what)           \
    do {                                        \
        CUresult cuda_result_ = (expression);   \
        if (cuda_result_ != CUDA_SUCCESS)       \
            return fail(c, cuda_result_, what); \
    } while (0)

static cuda *use(hd_device *device) {
    cuda *c = device->self;
    c->call.context_set(c->context);
    return c;
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

static uint32_t discover(char *missing, size_t size) {
    hd_cuda_functions call;
    int count = 0;
    if (!open_driver(&call, missing, size))
        return 0;
    CUresult result = call.init(0);
    if (result == CUDA_SUCCESS)
        result = call.device_count(&count);
    if (result != CUDA_SUCCESS || count <= 0) {
        snprintf(missing, size, "the driver is there, but: %s",
                 result == CUDA_SUCCESS ? "no device" : words_of(&call, result));
        return 0;
    }
    return (uint32_t)count;
}

static int attribute(cuda *c, int which) {
    int value = 0;
    return c->call.device_attribute(&value, which, c->ordinal) == CUDA_SUCCESS ? value : 0;
}

static heddle_status fill_info(cuda *c, uint32_t index) {
    hd_device_info *info = &c->device.info;
    int version = 0, major = 0, minor = 0;
    size_t memory = 0;
    snprintf(info->name, sizeof info->name, "cuda:%u", index);
    if (!open_driver(&c->call, info->driver, sizeof info->driver))
        return hd_fail(c->device.ctx, HEDDLE_E_DEVICE, "cuda: %s", info->driver);
    CUDA_TRY(c, c->call.init(0), "cuInit");
    CUDA_TRY(c, c->call.device_get(&c->ordinal, (int)index), "cuDeviceGet");
    CUDA_TRY(c, c->call.device_name(info->name, sizeof info->name, c->ordinal), "cuDeviceGetName");
    CUDA_TRY(c, c->call.device_memory(&memory, c->ordinal), "cuDeviceTotalMem");
    CUDA_TRY(c, c->call.driver_version(&version), "cuDriverGetVersion");
    c->major = attribute(c, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    c->minor = attribute(c, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    snprintf(info->driver, sizeof info->driver, "CUDA driver %d.%d, compute capability %d.%d", version / 1000,
             version % 1000 / 10, c->major, c->minor);
    c->has_nvrtc = open_compiler(&c->nvrtc, c->nvrtc_missing, sizeof c->nvrtc_missing);
    if (c->has_nvrtc && c->nvrtc.version(&major, &minor) == 0)
        snprintf(info->compiler, sizeof info->compiler, "NVRTC %d.%d", major, minor);
    else
        snprintf(info->compiler, sizeof info->compiler, "none: %.80s", c->nvrtc_missing);
    info->memory = memory;
    info->units = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->warp = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    info->group_most = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    info->local_bytes = (uint64_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    info->cache_bytes = (uint64_t)attribute(c, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    info->grid_barrier = attribute(c, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0;
    info->accelerator = info->atomics64 = info->doubles = true;
    return HEDDLE_OK;
}

static heddle_status describe(heddle_context *ctx, uint32_t index, hd_device_info *info) {
    cuda c = {.device.ctx = ctx};
    HD_TRY(fill_info(&c, index));
    *info = c.device.info;
    return HEDDLE_OK;
}

/* ---- Memory and copies ------------------------------------------------------------------------------------------ */

static heddle_status memory(hd_device *device, uint64_t *free_bytes, uint64_t *total) {
    cuda *c = use(device);
    size_t left = 0, all = 0;
    CUDA_TRY(c, c->call.memory_info(&left, &all), "cuMemGetInfo");
    *free_bytes = left;
    *total = all;
    return HEDDLE_OK;
}

static heddle_status allocate(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer) {
    cuda *c = use(device);
    CUdeviceptr pointer = 0;
    *buffer = (hd_buffer){.handle = 0};
    CUresult result = c->call.memory_allocate(&pointer, bytes ? bytes : 4);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        size_t left = 0, all = 0;
        c->call.memory_info(&left, &all);
        return hd_fail(device->ctx, HEDDLE_E_DEVICE_MEMORY,
                       "cuda (%s): out of memory: %llu bytes wanted for %s, %zu of %zu are free", device->info.name,
                       (unsigned long long)bytes, what, left, all);
    }
    CUDA_TRY(c, result, "cuMemAlloc");
    *buffer = (hd_buffer){pointer, bytes};
    return HEDDLE_OK;
}

static void release(hd_device *device, hd_buffer *buffer) {
    cuda *c = use(device);
    if (buffer->handle)
        c->call.memory_free(buffer->handle);
    *buffer = (hd_buffer){.handle = 0};
}

static void *pin(hd_device *device, uint64_t bytes) {
    cuda *c = use(device);
    void *pointer = NULL;
    return c->call.host_allocate(&pointer, bytes, 0) == CUDA_SUCCESS ? pointer : NULL;
}

static void unpin(hd_device *device, void *pointer) {
    cuda *c = use(device);
    if (pointer)
        c->call.host_free(pointer);
}

static heddle_status upload(hd_device *device, const hd_buffer *to, uint64_t offset, const void *from, uint64_t bytes) {
    cuda *c = use(device);
    if (bytes)
        CUDA_TRY(c, c->call.upload(to->handle + offset, from, bytes, c->stream), "cuMemcpyHtoDAsync");
    return HEDDLE_OK;
}

static heddle_status download(hd_device *device, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes) {
    cuda *c = use(device);
    if (bytes)
        CUDA_TRY(c, c->call.download(to, from->handle + offset, bytes, c->stream), "cuMemcpyDtoHAsync");
    return HEDDLE_OK;
}

static heddle_status fill(hd_device *device, const hd_buffer *buffer, uint64_t offset, uint32_t word, uint64_t bytes) {
    cuda *c = use(device);
    if (bytes / 4)
        CUDA_TRY(c, c->call.fill(buffer->handle + offset, word, bytes / 4, c->stream), "cuMemsetD32Async");
    return HEDDLE_OK;
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

static heddle_status fail_compile(cuda *c, nvrtcProgram program, const char *name) {
    size_t bytes = 0;
    char *log = NULL;
    heddle_status status;
    if (c->nvrtc.log_size(program, &bytes) != 0 || bytes == 0)
        return hd_fail(c->device.ctx, HEDDLE_E_PROGRAM, "%s does not compile", name);
    HD_TRY(HD_NEW_ZERO(c->device.ctx, &log, bytes + 1, "compiler's words"));
    c->nvrtc.log(program, log);
    status = hd_fail(c->device.ctx, HEDDLE_E_PROGRAM, "%s: %.900s", name, log);
    HD_DELETE(&c->device.ctx->allocator, log, bytes + 1);
    return status;
}

static heddle_status compile(hd_device *device, const char *name, const char *source, const char *options,
                             void **binary, size_t *bytes) {
    cuda *c = use(device);
    nvrtcProgram program = NULL;
    char words[1024], architecture[48];
    const char *list[MOST_OPTIONS];
    int count = 0;
    heddle_status status = HEDDLE_OK;
    if (!c->has_nvrtc)
        return hd_fail(device->ctx, HEDDLE_E_DEVICE, "cuda: no compiler: %s", c->nvrtc_missing);
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", c->major, c->minor);
    list[count++] = architecture;
    snprintf(words, sizeof words, "%s", options);
    for (char *rest = words, *word; count < MOST_OPTIONS && (word = strtok_r(rest, " ", &rest));)
        list[count++] = word;
    if (c->nvrtc.create(&program, source, name, 0, NULL, NULL) != 0)
        return hd_fail(device->ctx, HEDDLE_E_DEVICE, "cuda: nvrtcCreateProgram failed for %s", name);
    *binary = NULL;
    if (c->nvrtc.compile(program, count, list) != 0)
        status = fail_compile(c, program, name);
    else if (c->nvrtc.cubin_size(program, bytes) != 0 || *bytes == 0)
        status = hd_fail(device->ctx, HEDDLE_E_DEVICE, "cuda: no code was made for %s", name);
    else
        status = hd_new(device->ctx, binary, *bytes, 1, false, "compiled kernel");
    if (status == HEDDLE_OK && c->nvrtc.cubin(program, *binary) != 0) {
        hd_free(&device->ctx->allocator, *binary, *bytes);
        *binary = NULL;
        status = hd_fail(device->ctx, HEDDLE_E_DEVICE, "cuda: nvrtcGetCUBIN failed for %s", name);
    }
    c->nvrtc.destroy(&program);
    return status;
}

static heddle_status load(hd_device *device, const void *binary, size_t bytes, void **module) {
    cuda *c = use(device);
    CUmodule loaded = NULL;
    (void)bytes;
    CUDA_TRY(c, c->call.module_load(&loaded, binary), "cuModuleLoadData");
    *module = loaded;
    return HEDDLE_OK;
}

static void unload(hd_device *device, void *module) {
    cuda *c = use(device);
    if (module)
        c->call.module_unload(module);
}

static heddle_status kernel(hd_device *device, void *module, const char *name, void **found) {
    cuda *c = use(device);
    CUfunction function = NULL;
    CUDA_TRY(c, c->call.module_function(&function, module, name), name);
    *found = function;
    return HEDDLE_OK;
}

static heddle_status launch(hd_device *device, void *function, const hd_launch *how) {
    cuda *c = use(device);
    void *arguments[MOST_ARGUMENTS];
    for (uint32_t i = 0; i < how->argument_count && i < MOST_ARGUMENTS; i++)
        arguments[i] = (void *)(uintptr_t)how->arguments[i].value;
    if (how->local_bytes > 48 * 1024)
        CUDA_TRY(c,
                 c->call.function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                            (int)how->local_bytes),
                 how->name);
    if (how->resident)
        CUDA_TRY(c,
                 c->call.launch_resident(function, how->groups, 1, 1, how->lanes, 1, 1, how->local_bytes, c->stream,
                                         arguments),
                 how->name);
    else
        CUDA_TRY(c,
                 c->call.launch(function, how->groups, 1, 1, how->lanes, 1, 1, how->local_bytes, c->stream, arguments,
                                NULL),
                 how->name);
    return HEDDLE_OK;
}

static uint32_t resident_groups(hd_device *device, void *function, uint32_t lanes, uint32_t local_bytes) {
    cuda *c = use(device);
    int blocks = 0;
    if (c->call.occupancy(&blocks, function, (int)lanes, local_bytes) != CUDA_SUCCESS || blocks < 0)
        return 0;
    return (uint32_t)blocks * device->info.units;
}

static heddle_status finish(hd_device *device) {
    cuda *c = use(device);
    CUDA_TRY(c, c->call.stream_finish(c->stream), "cuStreamSynchronize");
    return HEDDLE_OK;
}

static heddle_status mark(hd_device *device, int slot) {
    cuda *c = use(device);
    if (!c->marks[slot])
        CUDA_TRY(c, c->call.event_create(&c->marks[slot], 0), "cuEventCreate");
    CUDA_TRY(c, c->call.event_record(c->marks[slot], c->stream), "cuEventRecord");
    return HEDDLE_OK;
}

static heddle_status between(hd_device *device, int from, int to, double *seconds) {
    cuda *c = use(device);
    float milliseconds = 0;
    CUDA_TRY(c, c->call.event_finish(c->marks[to]), "cuEventSynchronize");
    CUDA_TRY(c, c->call.event_elapsed(&milliseconds, c->marks[from], c->marks[to]), "cuEventElapsedTime");
    *seconds = milliseconds * 1e-3;
    return HEDDLE_OK;
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static void close_device(hd_device *device) {
    cuda *c = use(device);
    heddle_context *ctx = device->ctx;
    for (int i = 0; i < MARKS; i++)
        if (c->marks[i])
            c->call.event_destroy(c->marks[i]);
    if (c->stream)
        c->call.stream_destroy(c->stream);
    if (c->context)
        c->call.context_release(c->ordinal);
    hd_free(&ctx->allocator, c, sizeof *c);
}

static heddle_status start(cuda *c, uint32_t index) {
    size_t left = 0, all = 0;
    HD_TRY(fill_info(c, index));
    CUDA_TRY(c, c->call.context_retain(&c->context, c->ordinal), "cuDevicePrimaryCtxRetain");
    CUDA_TRY(c, c->call.context_set(c->context), "cuCtxSetCurrent");
    CUDA_TRY(c, c->call.stream_create(&c->stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    CUDA_TRY(c, c->call.memory_info(&left, &all), "cuMemGetInfo");
    c->device.info.memory_free = left;
    return HEDDLE_OK;
}

static heddle_status open_device(heddle_context *ctx, uint32_t index, hd_device **device) {
    cuda *c;
    HD_TRY(HD_NEW_ZERO(ctx, &c, 1, "device"));
    c->device = (hd_device){.kind = &hd_device_cuda,
                            .ctx = ctx,
                            .self = c,
                            .close = close_device,
                            .memory = memory,
                            .allocate = allocate,
                            .release = release,
                            .pin = pin,
                            .unpin = unpin,
                            .upload = upload,
                            .download = download,
                            .fill = fill,
                            .compile = compile,
                            .load = load,
                            .unload = unload,
                            .kernel = kernel,
                            .launch = launch,
                            .resident_groups = resident_groups,
                            .finish = finish,
                            .mark = mark,
                            .between = between};
    heddle_status status = start(c, index);
    if (status == HEDDLE_OK) {
        *device = &c->device;
        return HEDDLE_OK;
    }
    if (c->call.context_set)
        close_device(&c->device);
    else
        HD_DELETE(&ctx->allocator, c, 1);
    return status;
}

static void identity(const hd_device *device, char *text, size_t size) {
    snprintf(text, size, "%s|%s|%s", device->info.name, device->info.driver, device->info.compiler);
}

const hd_device_kind hd_device_cuda = {HD_DEVICE_VERSION, "cuda", discover, describe, open_device, identity};
