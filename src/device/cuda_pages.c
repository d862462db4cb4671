/* cuda_pages.c - see cuda_pages.h. A part's memory is released as soon as it is mapped: the mapping holds it. */
#include "device/cuda_pages.h"

static CUmemAllocationProp properties(CUdevice device, int node, bool host) {
    CUmemAllocationProp p = {.type = CU_MEM_ALLOCATION_TYPE_PINNED};
    p.location.type = host ? CU_MEM_LOCATION_TYPE_HOST_NUMA : CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = host ? node : device;
    return p;
}

static int attribute(const hd_cuda_functions *call, CUdevice device, int which) {
    int value = 0;
    return call->device_attribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

uint64_t hd_cuda_page_bytes(const hd_cuda_functions *call, CUdevice device, int *node) {
    size_t own = 0, host = 0;
    if (!call->page_bytes || !call->address_reserve || !call->address_free || !call->page_create ||
        !call->page_release || !call->page_map || !call->page_unmap || !call->page_access)
        return 0;
    if (!attribute(call, device, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED))
        return 0;
    *node = attribute(call, device, CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID);
    *node = *node < 0 ? 0 : *node; /* a machine without NUMA has node 0 */
    CUmemAllocationProp here = properties(device, *node, false), there = properties(device, *node, true);
    if (call->page_bytes(&own, &here, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS ||
        call->page_bytes(&host, &there, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS || !own || !host)
        return 0;
    size_t larger = own > host ? own : host, smaller = own > host ? host : own;
    return larger % smaller ? 0 : larger;
}

static bool failed(hd_cuda_trouble *trouble, CUresult result, const char *call, uint64_t bytes) {
    if (result == CUDA_SUCCESS)
        return false;
    *trouble = (hd_cuda_trouble){result, call, bytes};
    return true;
}

static bool map_run(const hd_cuda_functions *call, const CUmemAllocationProp *how, CUdeviceptr at, uint64_t bytes,
                    hd_cuda_trouble *trouble) {
    CUmemGenericAllocationHandle memory = 0;
    if (failed(trouble, call->page_create(&memory, bytes, how, 0), "cuMemCreate", bytes))
        return false;
    bool wrong = failed(trouble, call->page_map(at, bytes, 0, memory, 0), "cuMemMap", bytes);
    CUresult result = call->page_release(memory);
    if (wrong)
        return false;
    if (!failed(trouble, result, "cuMemRelease", bytes))
        return true;
    call->page_unmap(at, bytes);
    return false;
}

void hd_cuda_pages_unmap(const hd_cuda_functions *call, struct hd_pages *pages, CUdeviceptr start) {
    CUdeviceptr at = start;
    if (pages->host) {
        call->host_free(pages->host);
        return;
    }
    for (uint32_t i = 0; i < pages->mapped; at += pages->run[i++].bytes)
        call->page_unmap(at, pages->run[i].bytes);
    call->address_free(start, pages->reserved);
}

bool hd_cuda_pages_map(const hd_cuda_functions *call, CUdevice device, int node, struct hd_pages *pages,
                       CUdeviceptr *start, hd_cuda_trouble *trouble) {
    CUmemAllocationProp how[] = {properties(device, node, false), properties(device, node, true)};
    CUmemAccessDesc access = {.location = how[0].location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    if (failed(trouble, call->address_reserve(start, pages->reserved, 0, 0, 0), "cuMemAddressReserve", pages->reserved))
        return false;
    CUdeviceptr at = *start;
    bool right = true;
    for (uint32_t i = 0; right && i < pages->count; at += pages->run[i++].bytes) {
        right = map_run(call, &how[pages->run[i].host], at, pages->run[i].bytes, trouble);
        pages->mapped += right;
    }
    if (right &&
        !failed(trouble, call->page_access(*start, pages->reserved, &access, 1), "cuMemSetAccess", pages->reserved))
        return true;
    hd_cuda_pages_unmap(call, pages, *start);
    return false;
}

bool hd_cuda_host_map(const hd_cuda_functions *call, uint64_t bytes, struct hd_pages *pages, CUdeviceptr *start,
                      hd_cuda_trouble *trouble) {
    if (failed(trouble, call->host_allocate(&pages->host, bytes, CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc", bytes))
        return false;
    if (!failed(trouble, call->host_pointer(start, pages->host, 0), "cuMemHostGetDevicePointer", bytes))
        return true;
    call->host_free(pages->host);
    return false;
}

uint64_t hd_cuda_piece(const hd_buffer *buffer, uint64_t offset, uint64_t bytes) {
    const struct hd_pages *pages = buffer->pages;
    uint64_t end = 0;
    if (!pages || pages->host)
        return bytes;
    for (uint32_t i = 0; i < pages->count && end <= offset; i++)
        end += pages->run[i].bytes;
    return end - offset < bytes ? end - offset : bytes;
}
