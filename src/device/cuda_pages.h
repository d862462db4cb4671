/* cuda_pages.h - memory that CUDA kernels use besides plain device memory: one range of addresses whose parts lie on
 * the device or in pinned memory of the host (virtual memory management), and pinned memory mapped as a whole.
 *
 * The driver's functions for it are optional: old drivers lack them, and some systems refuse them when they are called.
 */
#ifndef HD_DEVICE_CUDA_PAGES_H
#define HD_DEVICE_CUDA_PAGES_H

#include "device/cuda_api.h"
#include "device/device.h"

/* How a buffer is made up: by parts in a reserved range, or by one block of the host's memory. */
struct hd_pages {
    void *host;        /* not NULL: the block */
    uint64_t reserved; /* bytes of addresses */
    uint32_t count;
    uint32_t mapped; /* parts that are mapped */
    hd_page_run run[];
};

/* The call that failed. */
typedef struct hd_cuda_trouble {
    CUresult result;
    const char *call;
    uint64_t bytes;
} hd_cuda_trouble;

/* The size of a page for both kinds of memory; 0: the driver cannot mix them. `node` receives the host's NUMA node. */
uint64_t hd_cuda_page_bytes(const hd_cuda_functions *call, CUdevice device, int *node);
/* Maps the parts of `pages`; what was mapped before a failure is given back. */
bool hd_cuda_pages_map(const hd_cuda_functions *call, CUdevice device, int node, struct hd_pages *pages,
                       CUdeviceptr *start, hd_cuda_trouble *trouble);
void hd_cuda_pages_unmap(const hd_cuda_functions *call, struct hd_pages *pages, CUdeviceptr start);
/* A block of the host's memory, under the address that kernels know it by. */
bool hd_cuda_host_map(const hd_cuda_functions *call, uint64_t bytes, struct hd_pages *pages, CUdeviceptr *start,
                      hd_cuda_trouble *trouble);
/* Bytes from `offset` on that lie in one part: copies are cut there. */
uint64_t hd_cuda_piece(const hd_buffer *buffer, uint64_t offset, uint64_t bytes);

#endif
