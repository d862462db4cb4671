/* cuda_pages.c - virtual memory management of the fake libcuda.so.1: addresses are reserved without access, and get it
 * as the device would. Memory that was released lives on in its mapping; copies must stay within one mapping. */
#define _GNU_SOURCE
#include "fake.h"

#include "device/cuda_api.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { INVALID_VALUE = 1, PAGE = 4096, MOST = 4096 };

#define DECLARE(member, symbol, parameters) CUresult symbol parameters;
HD_CUDA_OPTIONAL(DECLARE)

/* Memory: under a handle, mapped, or both. */
typedef struct memory {
    size_t bytes;
    CUdeviceptr at; /* 0: not mapped */
    bool held, host, shown;
} memory;

static memory list[MOST];
static struct {
    CUdeviceptr start;
    size_t bytes;
} ranges[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool whole(size_t bytes) { return bytes && bytes % PAGE == 0; }

static void drop_if_unused(memory *m) {
    if (m->held || m->at || !m->bytes)
        return;
    if (!m->host)
        fake_give(m->bytes);
    *m = (memory){.bytes = 0};
    fake_gone(FAKE_PAGES);
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *how, int which) {
    ENTER("cuMemGetAllocationGranularity");
    *bytes = PAGE;
    return how->type == CU_MEM_ALLOCATION_TYPE_PINNED && which == CU_MEM_ALLOC_GRANULARITY_MINIMUM ? CUDA_SUCCESS
                                                                                                   : INVALID_VALUE;
}

CUresult cuMemAddressReserve(CUdeviceptr *start, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags) {
    ENTER("cuMemAddressReserve");
    if (!whole(bytes) || alignment || wish || flags)
        return INVALID_VALUE;
    void *made = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *start = (uintptr_t)made;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST; i++)
        if (!ranges[i].start) {
            ranges[i].start = *start;
            ranges[i].bytes = bytes;
            break;
        }
    pthread_mutex_unlock(&lock);
    fake_made(FAKE_ADDRESSES);
    return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr start, size_t bytes) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST && !found; i++)
        if (ranges[i].start == start && ranges[i].bytes == bytes) {
            found = true;
            ranges[i].start = 0;
        }
    pthread_mutex_unlock(&lock);
    if (!found)
        abort();
    munmap((void *)(uintptr_t)start, bytes);
    LEAVE("cuMemAddressFree", FAKE_ADDRESSES);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *made, size_t bytes, const CUmemAllocationProp *how,
                     unsigned long long flags) {
    ENTER("cuMemCreate");
    bool host = how->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
    if (!whole(bytes) || flags || how->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        (!host && how->location.type != CU_MEM_LOCATION_TYPE_DEVICE) || how->location.id < 0)
        return INVALID_VALUE;
    if (!host && !fake_take(bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < MOST - 1 && list[i].bytes)
        i++;
    list[i] = (memory){.bytes = bytes, .held = true, .host = host};
    pthread_mutex_unlock(&lock);
    *made = (CUmemGenericAllocationHandle)i + 1;
    fake_made(FAKE_PAGES);
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    int error = fake_call("cuMemRelease");
    pthread_mutex_lock(&lock);
    memory *m = &list[handle - 1];
    bool held = m->held;
    m->held = false;
    drop_if_unused(m);
    pthread_mutex_unlock(&lock);
    return error ? error : held ? CUDA_SUCCESS : INVALID_VALUE;
}

static bool reserved(CUdeviceptr at, size_t bytes) {
    for (int i = 0; i < MOST; i++)
        if (ranges[i].start && at >= ranges[i].start && at + bytes <= ranges[i].start + ranges[i].bytes)
            return true;
    return false;
}

CUresult cuMemMap(CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
    ENTER("cuMemMap");
    pthread_mutex_lock(&lock);
    memory *m = &list[handle - 1];
    bool right = m->held && !m->at && m->bytes == bytes && !offset && !flags && reserved(at, bytes);
    for (int i = 0; i < MOST && right; i++)
        right = !list[i].at || at + bytes <= list[i].at || list[i].at + list[i].bytes <= at;
    if (right)
        m->at = at;
    pthread_mutex_unlock(&lock);
    return right ? CUDA_SUCCESS : INVALID_VALUE;
}

/* The range is that of one mapping. */
CUresult cuMemUnmap(CUdeviceptr at, size_t bytes) {
    int error = fake_call("cuMemUnmap");
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST && !found; i++)
        if (list[i].at == at && list[i].bytes == bytes) {
            found = true;
            if (list[i].shown && !fake_hide((void *)(uintptr_t)at, bytes))
                abort();
            mprotect((void *)(uintptr_t)at, bytes, PROT_NONE);
            list[i].at = 0;
            drop_if_unused(&list[i]);
        }
    pthread_mutex_unlock(&lock);
    return error ? error : found ? CUDA_SUCCESS : INVALID_VALUE;
}

/* The range must be mapped as a whole. */
CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access, size_t count) {
    ENTER("cuMemSetAccess");
    size_t mapped = 0;
    if (count != 1 || access->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return INVALID_VALUE;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST; i++)
        if (list[i].at >= at && list[i].at + list[i].bytes <= at + bytes && list[i].at)
            mapped += list[i].bytes;
    for (int i = 0; i < MOST && mapped == bytes; i++)
        if (list[i].at >= at && list[i].at < at + bytes) {
            mprotect((void *)(uintptr_t)list[i].at, list[i].bytes, PROT_READ | PROT_WRITE);
            fake_show((void *)(uintptr_t)list[i].at, list[i].bytes);
            list[i].shown = true;
        }
    pthread_mutex_unlock(&lock);
    return mapped == bytes ? CUDA_SUCCESS : INVALID_VALUE;
}
