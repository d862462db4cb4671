/* cuda.c - NVIDIA GPUs through the driver interface, kernels compiled by NVRTC; both opened at run time.
 *
 * The device's primary context is shared with other users of the GPU in this process, as is usual for frameworks; each
 * call makes it current first, so that any thread may call. Work goes to one non-blocking stream per open device, or to
 * the one that was selected.
 */
#include "base/memory.h"
#include "device/cuda_api.h"
#include "device/cuda_pages.h"
#include "device/device.h"
#include "device/gpu_there.h"
#include "device/library.h"
#include "device/nvrtc.h"
#include "device/stage.h"

#include <stdio.h>
#include <string.h>

enum { MOST_OPTIONS = 32 };
enum { LOCAL_PLAIN = 48 * 1024 }; /* bytes of shared memory available without an attribute of the function */

typedef struct cuda {
    hd_device device;
    hd_cuda_functions call;
    hd_nvrtc_functions nvrtc;
    bool has_nvrtc;
    char nvrtc_missing[128];
    CUdevice ordinal;
    CUcontext context;
    CUstream stream;               /* the selected one */
    CUstream queue[HD_QUEUES + 1]; /* 0: the device's own */
    CUevent marks[HD_MARKS];
    CUevent events[HD_EVENTS];
    int major, minor;
    int node;       /* the host's NUMA node that is nearest */
    uint64_t page;  /* bytes, of memory that is mapped; 0: not queried yet, or there is none */
    uint64_t peers; /* a bit for each device whose memory was made accessible */
} cuda;

extern const hd_device_kind hd_device_cuda;

static bool open_driver(hd_cuda_functions *call, char *missing, size_t size) {
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
    static const hd_symbol symbols[] = {
#define SYMBOL(member, symbol, parameters) {#symbol, offsetof(hd_cuda_functions, member), false},
        HD_CUDA_FUNCTIONS(SYMBOL)
#undef SYMBOL
#define SYMBOL(member, symbol, parameters) {#symbol, offsetof(hd_cuda_functions, member), true},
            HD_CUDA_OPTIONAL(SYMBOL)
#undef SYMBOL
    };
    return hd_library_open(names, symbols, sizeof symbols / sizeof *symbols, call, missing, size) != NULL;
}

static const char *words_of(const hd_cuda_functions *call, CUresult result) {
    const char *text = NULL;
    if (call->error_text(result, &text) != CUDA_SUCCESS || !text)
        return "unknown error";
    return text;
}

/* `what` is the kernel, the buffer's use, or ""; `bytes` the size of the copy or allocation, or 0. */
static heddle_status fail(cuda *c, CUresult result, const char *call, const char *what, uint64_t bytes) {
    bool memory = result == CUDA_ERROR_OUT_OF_MEMORY || result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    char wanted[48] = "", left[80] = "";
    size_t free_bytes = 0, total = 0;
    if (bytes)
        snprintf(wanted, sizeof wanted, " (%llu bytes)", (unsigned long long)bytes);
    if (memory && c->context && c->call.memory_info(&free_bytes, &total) == CUDA_SUCCESS)
        snprintf(left, sizeof left, ", %zu of %zu bytes are free", free_bytes, total);
    return hd_fail(c->device.ctx, memory ? HEDDLE_E_DEVICE_MEMORY : HEDDLE_E_DEVICE,
                   "cuda (%s): %s%s%s%s failed: %s (error %d)%s", c->device.info.name, call, *what ? " for " : "", what,
                   wanted, words_of(&c->call, result), (int)result, left);
}

#define CUDA_TRY_FOR(c, expression, call, what, bytes)       \
    do {                                                     \
        CUresult cuda_result_ = (expression);                \
        if (cuda_result_ != CUDA_SUCCESS)                    \
            return fail(c, cuda_result_, call, what, bytes); \
    } while (0)
#define CUDA_TRY(c, expression, call) CUDA_TRY_FOR(c, expression, call, "", 0)

static heddle_status use(hd_device *device, cuda **c) {
    *c = device->self;
    CUDA_TRY(*c, (*c)->call.context_set((*c)->context), "cuCtxSetCurrent");
    return HEDDLE_OK;
}

/* For calls that must not fail: releasing resources. */
static cuda *use_anyway(hd_device *device) {
    cuda *c = device->self;
    c->call.context_set(c->context);
    return c;
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

/* Loading the library is cheap; starting it is not. */
static bool accelerates(void) {
    hd_cuda_functions call;
    char missing[192];
    return hd_gpu_has_node() || open_driver(&call, missing, sizeof missing);
}

static uint32_t discover(char *missing, size_t size) {
    hd_cuda_functions call;
    int count = 0;
    if (!open_driver(&call, missing, size))
        return 0;
    const char *name = "cuInit";
    CUresult result = call.init(0);
    if (result == CUDA_SUCCESS) {
        name = "cuDeviceGetCount";
        result = call.device_count(&count);
    }
    if (result == CUDA_SUCCESS && count > 0)
        return (uint32_t)count;
    if (result == CUDA_SUCCESS)
        snprintf(missing, size, "the driver is there, but no device");
    else
        snprintf(missing, size, "the driver is there, but %s failed: %.80s (error %d)", name, words_of(&call, result),
                 (int)result);
    return 0;
}

/* 0 where the driver refuses; the first refusal is kept in *trouble. */
static int attribute(cuda *c, int which, CUresult *trouble) {
    int value = 0;
    CUresult result = c->call.device_attribute(&value, which, c->ordinal);
    if (result == CUDA_SUCCESS)
        return value;
    *trouble = *trouble ? *trouble : result;
    return 0;
}

static heddle_status fill_info(cuda *c, uint32_t index) {
    hd_device_info *info = &c->device.info;
    int version = 0, major = 0, minor = 0;
    size_t memory = 0;
    CUresult trouble = CUDA_SUCCESS;
    snprintf(info->name, sizeof info->name, "cuda:%u", index);
    if (!open_driver(&c->call, info->driver, sizeof info->driver))
        return hd_fail(c->device.ctx, HEDDLE_E_DEVICE, "cuda: %s", info->driver);
    CUDA_TRY(c, c->call.init(0), "cuInit");
    CUDA_TRY(c, c->call.device_get(&c->ordinal, (int)index), "cuDeviceGet");
    CUDA_TRY(c, c->call.device_name(info->name, sizeof info->name, c->ordinal), "cuDeviceGetName");
    CUDA_TRY(c, c->call.device_memory(&memory, c->ordinal), "cuDeviceTotalMem");
    CUDA_TRY(c, c->call.driver_version(&version), "cuDriverGetVersion");
    c->major = attribute(c, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &trouble);
    c->minor = attribute(c, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &trouble);
    snprintf(info->driver, sizeof info->driver, "CUDA driver %d.%d, compute capability %d.%d", version / 1000,
             version % 1000 / 10, c->major, c->minor);
    c->has_nvrtc = hd_nvrtc_open(&c->nvrtc, c->nvrtc_missing, sizeof c->nvrtc_missing) != NULL;
    if (c->has_nvrtc && c->nvrtc.version(&major, &minor) == 0)
        snprintf(info->compiler, sizeof info->compiler, "NVRTC %d.%d", major, minor);
    else
        snprintf(info->compiler, sizeof info->compiler, "none: %.80s", c->nvrtc_missing);
    info->memory = memory;
    info->units = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &trouble);
    info->warp = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_WARP_SIZE, &trouble);
    info->group_most = (uint32_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &trouble);
    info->local_bytes = (uint64_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &trouble);
    info->local_most = (uint64_t)attribute(c, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &trouble);
    info->cache_bytes = (uint64_t)attribute(c, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &trouble);
    info->grid_barrier = attribute(c, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, &trouble) != 0;
    info->accelerator = info->atomics64 = info->doubles = true;
    CUDA_TRY(c, trouble, "cuDeviceGetAttribute");
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
    cuda *c;
    size_t left = 0, all = 0;
    HD_TRY(use(device, &c));
    CUDA_TRY(c, c->call.memory_info(&left, &all), "cuMemGetInfo");
    *free_bytes = left;
    *total = all;
    return HEDDLE_OK;
}

static heddle_status allocate(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer) {
    cuda *c;
    CUdeviceptr pointer = 0;
    *buffer = (hd_buffer){.handle = 0};
    HD_TRY(use(device, &c));
    CUDA_TRY_FOR(c, c->call.memory_allocate(&pointer, bytes ? bytes : 4), "cuMemAlloc", what, bytes);
    *buffer = (hd_buffer){.handle = pointer, .bytes = bytes};
    return HEDDLE_OK;
}

static size_t record_bytes(uint32_t count) { return sizeof(struct hd_pages) + count * sizeof(hd_page_run); }

static void release(hd_device *device, hd_buffer *buffer) {
    cuda *c = use_anyway(device);
    if (buffer->pages) {
        for (int i = 0; i <= HD_QUEUES; i++) /* unlike cuMemFree, unmapping does not wait for kernels */
            if (c->queue[i])
                c->call.stream_finish(c->queue[i]);
        hd_cuda_pages_unmap(&c->call, buffer->pages, buffer->handle);
        hd_free(&device->ctx->allocator, buffer->pages, record_bytes(buffer->pages->count));
    } else if (buffer->handle)
        c->call.memory_free(buffer->handle);
    *buffer = (hd_buffer){.handle = 0};
}

static heddle_status new_record(cuda *c, uint32_t count, struct hd_pages **pages) {
    HD_TRY(hd_new(c->device.ctx, (void **)pages, record_bytes(count), 1, true, "pages"));
    (*pages)->count = count;
    return HEDDLE_OK;
}

static heddle_status allocate_host(hd_device *device, uint64_t bytes, const char *what, hd_buffer *buffer) {
    cuda *c;
    struct hd_pages *pages;
    CUdeviceptr start = 0;
    hd_cuda_trouble trouble;
    HD_TRY(use(device, &c));
    HD_TRY(new_record(c, 0, &pages));
    if (!hd_cuda_host_map(&c->call, bytes, pages, &start, &trouble)) {
        hd_free(&device->ctx->allocator, pages, record_bytes(0));
        return fail(c, trouble.result, trouble.call, what, trouble.bytes);
    }
    *buffer = (hd_buffer){.handle = start, .bytes = bytes, .away = bytes, .pages = pages};
    return HEDDLE_OK;
}

static uint64_t page_bytes(hd_device *device) {
    cuda *c = use_anyway(device);
    c->page = c->page ? c->page : hd_cuda_page_bytes(&c->call, c->ordinal, &c->node);
    return c->page;
}

static heddle_status allocate_pages(hd_device *device, const hd_page_run *runs, uint32_t count, uint64_t bytes,
                                    const char *what, hd_buffer *buffer) {
    cuda *c;
    struct hd_pages *pages;
    CUdeviceptr start = 0;
    hd_cuda_trouble trouble;
    uint64_t page = page_bytes(device), away = 0;
    HD_TRY(use(device, &c));
    HD_TRY(new_record(c, count, &pages));
    memcpy(pages->run, runs, count * sizeof *runs);
    pages->run[count - 1].bytes = (runs[count - 1].bytes + page - 1) / page * page;
    for (uint32_t i = 0; i < count; i++) {
        pages->reserved += pages->run[i].bytes;
        away += runs[i].host ? runs[i].bytes : 0;
    }
    if (!hd_cuda_pages_map(&c->call, c->ordinal, c->node, pages, &start, &trouble)) {
        hd_free(&device->ctx->allocator, pages, record_bytes(count));
        return fail(c, trouble.result, trouble.call, what, trouble.bytes);
    }
    *buffer = (hd_buffer){.handle = start, .bytes = bytes, .away = away, .pages = pages};
    return HEDDLE_OK;
}

static void *pin(hd_device *device, uint64_t bytes) {
    cuda *c = use_anyway(device);
    void *pointer = NULL;
    unsigned flags = c->call.host_pointer ? CU_MEMHOSTALLOC_DEVICEMAP : 0;
    return c->call.host_allocate(&pointer, bytes, flags) == CUDA_SUCCESS ? pointer : NULL;
}

static void unpin(hd_device *device, void *pointer) {
    cuda *c = use_anyway(device);
    if (pointer)
        c->call.host_free(pointer);
}

static heddle_status map(hd_device *device, void *memory, uint64_t bytes, hd_buffer *buffer) {
    cuda *c;
    CUdeviceptr start = 0;
    *buffer = (hd_buffer){.handle = 0};
    HD_TRY(use(device, &c));
    CUDA_TRY_FOR(c, c->call.host_pointer(&start, memory, 0), "cuMemHostGetDevicePointer", "pinned memory", bytes);
    *buffer = (hd_buffer){.handle = start, .bytes = bytes, .away = bytes};
    return HEDDLE_OK;
}

static void unmap(hd_device *device, hd_buffer *buffer) {
    (void)device;
    *buffer = (hd_buffer){.handle = 0};
}

static heddle_status send(hd_device *device, const hd_buffer *to, uint64_t offset, const void *from, uint64_t bytes) {
    cuda *c;
    HD_TRY(use(device, &c));
    for (uint64_t done = 0, some; done < bytes; done += some) {
        some = hd_cuda_piece(to, offset + done, bytes - done);
        CUDA_TRY_FOR(c, c->call.upload(to->handle + offset + done, (const char *)from + done, some, c->stream),
                     "cuMemcpyHtoDAsync", "", some);
    }
    return HEDDLE_OK;
}

static heddle_status receive(hd_device *device, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes) {
    cuda *c;
    HD_TRY(use(device, &c));
    for (uint64_t done = 0, some; done < bytes; done += some) {
        some = hd_cuda_piece(from, offset + done, bytes - done);
        CUDA_TRY_FOR(c, c->call.download((char *)to + done, from->handle + offset + done, some, c->stream),
                     "cuMemcpyDtoHAsync", "", some);
    }
    return HEDDLE_OK;
}

static heddle_status fill(hd_device *device, const hd_buffer *buffer, uint64_t offset, uint32_t word, uint64_t bytes) {
    cuda *c;
    HD_TRY(use(device, &c));
    bytes = bytes / 4 * 4;
    for (uint64_t done = 0, some; done < bytes; done += some) {
        some = hd_cuda_piece(buffer, offset + done, bytes - done);
        CUDA_TRY_FOR(c, c->call.fill(buffer->handle + offset + done, word, some / 4, c->stream), "cuMemsetD32Async", "",
                     some);
    }
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

static heddle_status fail_nvrtc(cuda *c, nvrtcResult result, const char *call, const char *name) {
    return hd_fail(c->device.ctx, HEDDLE_E_DEVICE, "cuda (%s): %s for %s failed (error %d)", c->device.info.name, call,
                   name, (int)result);
}

static heddle_status compile(hd_device *device, const char *name, const char *source, const char *options,
                             void **binary, size_t *bytes) {
    cuda *c;
    nvrtcProgram program = NULL;
    char words[1024], architecture[48];
    const char *list[MOST_OPTIONS];
    int count = 0;
    heddle_status status = HEDDLE_OK;
    *binary = NULL;
    HD_TRY(use(device, &c));
    if (!c->has_nvrtc)
        return hd_fail(device->ctx, HEDDLE_E_DEVICE, "cuda: no compiler: %s", c->nvrtc_missing);
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", c->major, c->minor);
    list[count++] = architecture;
    snprintf(words, sizeof words, "%s", options);
    for (char *rest = words, *word; count < MOST_OPTIONS && (word = strtok_r(rest, " ", &rest));)
        list[count++] = word;
    nvrtcResult result = c->nvrtc.create(&program, source, name, 0, NULL, NULL);
    if (result != 0)
        return fail_nvrtc(c, result, "nvrtcCreateProgram", name);
    result = c->nvrtc.compile(program, count, list);
    if (result != 0)
        status = result == NVRTC_ERROR_COMPILATION ? fail_compile(c, program, name)
                                                   : fail_nvrtc(c, result, "nvrtcCompileProgram", name);
    else if ((result = c->nvrtc.cubin_size(program, bytes)) != 0 || *bytes == 0)
        status = fail_nvrtc(c, result, "nvrtcGetCUBINSize", name);
    else
        status = hd_new(device->ctx, binary, *bytes, 1, false, "compiled kernel");
    if (status == HEDDLE_OK && (result = c->nvrtc.cubin(program, *binary)) != 0) {
        hd_free(&device->ctx->allocator, *binary, *bytes);
        *binary = NULL;
        status = fail_nvrtc(c, result, "nvrtcGetCUBIN", name);
    }
    c->nvrtc.destroy(&program);
    return status;
}

static heddle_status load(hd_device *device, const void *binary, size_t bytes, void **module) {
    cuda *c;
    CUmodule loaded = NULL;
    HD_TRY(use(device, &c));
    CUDA_TRY_FOR(c, c->call.module_load(&loaded, binary), "cuModuleLoadData", "", bytes);
    *module = loaded;
    return HEDDLE_OK;
}

static void unload(hd_device *device, void *module) {
    cuda *c = use_anyway(device);
    if (module)
        c->call.module_unload(module);
}

static heddle_status kernel(hd_device *device, void *module, const char *name, void **found) {
    cuda *c;
    CUfunction function = NULL;
    HD_TRY(use(device, &c));
    CUDA_TRY_FOR(c, c->call.module_function(&function, module, name), "cuModuleGetFunction", name, 0);
    *found = function;
    return HEDDLE_OK;
}

static heddle_status launch(hd_device *device, void *function, const hd_launch *how) {
    cuda *c;
    void *arguments[HD_MOST_ARGUMENTS];
    if (how->argument_count > HD_MOST_ARGUMENTS)
        return hd_fail(device->ctx, HEDDLE_E_INTERNAL, "cuda: %s has more than %d arguments", how->name,
                       HD_MOST_ARGUMENTS);
    HD_TRY(use(device, &c));
    for (uint32_t i = 0; i < how->argument_count; i++)
        arguments[i] = (void *)(uintptr_t)how->arguments[i].value;
    if (how->local_bytes > LOCAL_PLAIN)
        CUDA_TRY_FOR(c,
                     c->call.function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                (int)how->local_bytes),
                     "cuFuncSetAttribute", how->name, how->local_bytes);
    if (how->cached) /* as little shared memory as the kernel needs: a wish, which may fail */
        c->call.function_attribute(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 0);
    if (how->resident)
        CUDA_TRY_FOR(c,
                     c->call.launch_resident(function, how->groups, 1, 1, how->lanes, 1, 1, how->local_bytes, c->stream,
                                             arguments),
                     "cuLaunchCooperativeKernel", how->name, 0);
    else
        CUDA_TRY_FOR(c,
                     c->call.launch(function, how->groups, 1, 1, how->lanes, 1, 1, how->local_bytes, c->stream,
                                    arguments, NULL),
                     "cuLaunchKernel", how->name, 0);
    return HEDDLE_OK;
}

static uint32_t resident_groups(hd_device *device, void *function, uint32_t lanes, uint32_t local_bytes) {
    cuda *c = use_anyway(device);
    int blocks = 0;
    if (local_bytes > LOCAL_PLAIN &&
        c->call.function_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)local_bytes) !=
            CUDA_SUCCESS)
        return 0;
    if (c->call.occupancy(&blocks, function, (int)lanes, local_bytes) != CUDA_SUCCESS || blocks < 0)
        return 0;
    return (uint32_t)blocks * device->info.units;
}

static heddle_status finish(hd_device *device) {
    cuda *c;
    HD_TRY(use(device, &c));
    CUDA_TRY(c, c->call.stream_finish(c->stream), "cuStreamSynchronize");
    return HEDDLE_OK;
}

static heddle_status mark(hd_device *device, int slot) {
    cuda *c;
    HD_TRY(use(device, &c));
    if (!c->marks[slot])
        CUDA_TRY(c, c->call.event_create(&c->marks[slot], 0), "cuEventCreate");
    CUDA_TRY(c, c->call.event_record(c->marks[slot], c->stream), "cuEventRecord");
    return HEDDLE_OK;
}

static heddle_status wait_mark(hd_device *device, int slot) {
    cuda *c;
    HD_TRY(use(device, &c));
    CUDA_TRY(c, c->call.event_finish(c->marks[slot]), "cuEventSynchronize");
    return HEDDLE_OK;
}

static heddle_status between(hd_device *device, int from, int to, double *seconds) {
    cuda *c;
    float milliseconds = 0;
    HD_TRY(use(device, &c));
    CUDA_TRY(c, c->call.event_finish(c->marks[to]), "cuEventSynchronize");
    CUDA_TRY(c, c->call.event_elapsed(&milliseconds, c->marks[from], c->marks[to]), "cuEventElapsedTime");
    *seconds = milliseconds * 1e-3;
    return HEDDLE_OK;
}

/* ---- Queues ----------------------------------------------------------------------------------------------------- */

static heddle_status make_queues(hd_device *device, uint32_t count) {
    cuda *c;
    HD_TRY(use(device, &c));
    for (uint32_t i = 1; i <= count && i <= HD_QUEUES; i++)
        if (!c->queue[i])
            CUDA_TRY(c, c->call.stream_create(&c->queue[i], CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    return HEDDLE_OK;
}

static void select_queue(hd_device *device, uint32_t queue) {
    cuda *c = device->self;
    c->stream = c->queue[queue];
}

static heddle_status post(hd_device *device, uint32_t event) {
    cuda *c;
    HD_TRY(use(device, &c));
    if (!c->events[event])
        CUDA_TRY(c, c->call.event_create(&c->events[event], 0), "cuEventCreate");
    CUDA_TRY(c, c->call.event_record(c->events[event], c->stream), "cuEventRecord");
    return HEDDLE_OK;
}

static heddle_status await(hd_device *device, uint32_t event) {
    cuda *c;
    HD_TRY(use(device, &c));
    CUDA_TRY(c, c->call.stream_wait(c->stream, c->events[event], 0), "cuStreamWaitEvent");
    return HEDDLE_OK;
}

static heddle_status elapsed(hd_device *device, uint32_t from, uint32_t to, double *seconds) {
    cuda *c;
    float milliseconds = 0;
    HD_TRY(use(device, &c));
    CUDA_TRY(c, c->call.event_elapsed(&milliseconds, c->events[from], c->events[to]), "cuEventElapsedTime");
    *seconds = milliseconds * 1e-3;
    return HEDDLE_OK;
}

/* ---- Peers ------------------------------------------------------------------------------------------------------ */

/* Where access cannot be enabled, the driver copies through the host. */
static void enable_access(cuda *c, const cuda *other) {
    bool known = other->ordinal >= 64 || c->peers >> other->ordinal & 1;
    if (other->ordinal == c->ordinal || known || !c->call.peer_enable)
        return;
    c->call.peer_enable(other->context, 0);
    c->peers |= UINT64_C(1) << other->ordinal;
}

static heddle_status copy_to(hd_device *device, const hd_buffer *from, uint64_t offset, hd_device *peer,
                             const hd_buffer *to, uint64_t at, uint64_t bytes) {
    cuda *c;
    const cuda *other = peer->self;
    HD_TRY(use(device, &c));
    enable_access(c, other);
    CUDA_TRY_FOR(c,
                 c->call.peer_copy(to->handle + at, other->context, from->handle + offset, c->context, bytes,
                                   c->stream),
                 "cuMemcpyPeerAsync", "", bytes);
    return HEDDLE_OK;
}

static bool reaches(uint32_t from, uint32_t to) {
    hd_cuda_functions call;
    char missing[64];
    CUdevice one, other;
    int can = 0;
    if (!open_driver(&call, missing, sizeof missing) || !call.peer_copy)
        return false;
    if (from == to)
        return true;
    return call.peer_can && call.device_get(&one, (int)from) == CUDA_SUCCESS &&
           call.device_get(&other, (int)to) == CUDA_SUCCESS && call.peer_can(&can, one, other) == CUDA_SUCCESS && can;
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static void close_device(hd_device *device) {
    cuda *c = use_anyway(device);
    heddle_context *ctx = device->ctx;
    for (int i = 0; i <= HD_QUEUES; i++)
        if (c->queue[i])
            c->call.stream_finish(c->queue[i]); /* a copy may still be under way */
    hd_stage_free(device);
    for (int i = 0; i < HD_MARKS; i++)
        if (c->marks[i])
            c->call.event_destroy(c->marks[i]);
    for (int i = 0; i < HD_EVENTS; i++)
        if (c->events[i])
            c->call.event_destroy(c->events[i]);
    for (int i = 0; i <= HD_QUEUES; i++)
        if (c->queue[i])
            c->call.stream_destroy(c->queue[i]);
    if (c->context)
        c->call.context_release(c->ordinal);
    hd_free(&ctx->allocator, c, sizeof *c);
}

static heddle_status start(cuda *c, uint32_t index) {
    size_t left = 0, all = 0;
    HD_TRY(fill_info(c, index));
    CUDA_TRY(c, c->call.context_retain(&c->context, c->ordinal), "cuDevicePrimaryCtxRetain");
    CUDA_TRY(c, c->call.context_set(c->context), "cuCtxSetCurrent");
    CUDA_TRY(c, c->call.stream_create(&c->queue[0], CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    c->stream = c->queue[0];
    CUDA_TRY(c, c->call.memory_info(&left, &all), "cuMemGetInfo");
    c->device.info.memory_free = left;
    if (c->call.host_pointer) {
        c->device.allocate_host = allocate_host;
        c->device.map = map;
        c->device.unmap = unmap;
    }
    if (c->call.peer_copy)
        c->device.copy_to = copy_to;
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
                            .page_bytes = page_bytes,
                            .allocate_pages = allocate_pages,
                            .pin = pin,
                            .unpin = unpin,
                            .upload = hd_stage_upload,
                            .download = hd_stage_download,
                            .send = send,
                            .receive = receive,
                            .fill = fill,
                            .compile = compile,
                            .load = load,
                            .unload = unload,
                            .kernel = kernel,
                            .launch = launch,
                            .resident_groups = resident_groups,
                            .finish = finish,
                            .mark = mark,
                            .wait = wait_mark,
                            .between = between,
                            .queues = make_queues,
                            .select = select_queue,
                            .post = post,
                            .await = await,
                            .elapsed = elapsed};
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

extern const char hd_text_prelude_cuda[]; /* embedded */

const hd_device_kind hd_device_cuda = {.version = HD_DEVICE_VERSION,
                                       .name = "cuda",
                                       .discover = discover,
                                       .accelerates = accelerates,
                                       .describe = describe,
                                       .open = open_device,
                                       .identity = identity,
                                       .reaches = reaches,
                                       .prelude = hd_text_prelude_cuda,
                                       .suffix = "cu",
                                       .options = "--fmad=false -w --generate-line-info",
                                       .debug_options = "--fmad=false -w --device-debug",
                                       .warps = true,
                                       .reads_host = true,
                                       .maps_host = true};
