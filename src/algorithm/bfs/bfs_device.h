/* bfs_device.h - breadth-first search with its own kernels (bfs.cl), also used by other algorithms on devices. */
#ifndef HD_ALGORITHM_BFS_BFS_DEVICE_H
#define HD_ALGORITHM_BFS_BFS_DEVICE_H

#include "algorithm/structure/structure_device.h"
#include "engine/device/near_heads.h"

typedef enum hd_bfs_manner {
    HD_BFS_AUTO,  /* all levels inside few launches where the device allows it */
    HD_BFS_LEVELS /* launches for every level */
} hd_bfs_manner;

enum { HD_BFS_KERNELS = 8 };

/* Entries of the buffers whose size depends on the memory that there is. */
typedef struct hd_bfs_room {
    bool spare;            /* edges that do not fit the device take the rest of it */
    uint32_t queue, parts; /* vertices of a queue; parts of long rows in a list */
} hd_bfs_room;

typedef struct hd_bfs_device {
    hd_structure s;
    hd_kernels narrow;
    void *kernel[HD_BFS_KERNELS], *narrow_kernel;
    hd_buffer source, bits, queue, parts, words, walked;
    hd_near_heads heads;
    hd_buffer levels; /* what a search leaves: UINT32_MAX for vertices not reached */
    hd_bfs_room room;
    uint32_t source_count, first_source, groups;
    uint32_t state, depth; /* as last seen */
    bool resident;         /* all levels in one launch */
    bool clusters;         /* small levels are left to one */
} hd_bfs_device;

/* Uploads the graph with the rows that are wanted (HD_WANT_ bits), compiles, and allocates buffers for up to `most`
 * sources. */
heddle_status hd_bfs_device_open(hd_bfs_device *b, heddle_context *ctx, const heddle_graph *graph, const char *device,
                                 int want, bool wide, hd_bfs_manner manner, uint64_t most, heddle_result *result);
/* Before a search. */
heddle_status hd_bfs_device_ready(hd_bfs_device *b, const heddle_vertex *sources, uint64_t count);
/* Fills `levels`. Mark 1 is set behind the last launch. */
heddle_status hd_bfs_device_search(hd_bfs_device *b);
void hd_bfs_device_close(hd_bfs_device *b);
/* Bytes of its buffers on a device, the graph's rows not included. */
heddle_status hd_bfs_device_buffers(const hd_device_request *r, uint64_t *bytes);

/* Fills the result: levels, parents when requested, figures, report. */
heddle_status hd_bfs_on_device(const hd_run *run, hd_bfs_manner manner);
heddle_status hd_device_bfs(const hd_run *run);
/* By the vertex program, anywhere. */
heddle_status hd_bfs_program(const hd_run *run);
heddle_status hd_bfs_device_bytes(const hd_device_request *r, uint64_t *bytes);

#endif
