/* bc_device.h - betweenness centrality on a device: bc_device.c has the shared part, bc_fast.c sums by bc.cl, bc_walk.c
 * under a schedule of the user's choice.
 */
#ifndef HD_ALGORITHM_BC_BC_DEVICE_H
#define HD_ALGORITHM_BC_BC_DEVICE_H

#include "algorithm/bc/bc_budget.h"
#include "algorithm/bfs/bfs_device.h"
#include "engine/bc_sources.h"
#include "engine/device/walk.h"

/* Counts of more bits may not fit a double, with a margin for sums and inverses. */
enum { HD_BC_BITS = 900 };

enum { HD_BC_LONG = 1024, HD_BC_PART = 512 }; /* longer rows are cut into parts of HD_BC_PART edges */

enum {
    HD_BC_COUNT,
    HD_BC_SCAN,
    HD_BC_PLACE,
    HD_BC_ONE_LEVEL,
    HD_BC_ONE_CUT,
    HD_BC_ONE_JOIN,
    HD_BC_LEVELS,
    HD_BC_KERNELS
};

/* The kernels of bc.cl for counts that fit a double, or for any. */
typedef struct hd_bc_kit {
    hd_kernels kernels;
    void *kernel[HD_BC_KERNELS];
    uint32_t groups; /* of HD_BC_LEVELS */
    hd_kernels few;  /* bc_narrow.cl, if requested */
    void *few_kernel;
    bool open, few_open;
} hd_bc_kit;

typedef struct hd_bc_device {
    hd_bfs_device b; /* levels, and the structure with the buffers */
    hd_sources sources;
    hd_bc_kit plain, wide;
    hd_buffer total; /* sums of dependencies, f64 */
    hd_buffer sigma, shares, exponents, bits, order, starts, cursors, bigs, parts, sums, sum_exponents, words;
    uint64_t levels; /* of all sources */
    bool resident;   /* many levels per launch */
    /* Within an error budget: `total` has one source's dependencies, which are added to these. */
    hd_buffer sum, squares;
    hd_kernels tally_kernels;
    void *tally;
    /* bc_walk.c */
    hd_walk walk;
    hd_kernels walk_kernels;
    void *walk_list, *walk_edges, *walk_finish;
    hd_buffer list, received;
} hd_bc_device;

/* Facts about a source's levels. */
typedef struct hd_bc_shape {
    uint32_t levels;
    uint32_t bits; /* of a path count at most */
    bool cut;      /* some rows are cut */
} hd_bc_shape;

/* Sums one source's dependencies, after vertices were sorted by level. */
typedef heddle_status (*hd_bc_add)(hd_bc_device *d, const hd_bc_shape *shape);
heddle_status hd_bc_add_fast(hd_bc_device *d, const hd_bc_shape *shape);
heddle_status hd_bc_add_walking(hd_bc_device *d, const hd_bc_shape *shape);
/* Compiles, and allocates buffers, for the plan d->walk. */
heddle_status hd_bc_walk_open(hd_bc_device *d);

heddle_status hd_bc_kit_open(hd_bc_device *d, bool wide);
heddle_status hd_bc_few_open(hd_bc_device *d, bool wide);
heddle_status hd_bc_launch(hd_bc_device *d, const hd_bc_kit *kit, int which, uint32_t groups, uint32_t back,
                           uint32_t from, uint32_t to);
/* Small levels from .. to. */
heddle_status hd_bc_launch_few(hd_bc_device *d, const hd_bc_kit *kit, uint32_t back, uint32_t from, uint32_t to);

/* All sources, or, within an error budget, as many as that takes: `used` of them, and their scale. */
heddle_status hd_bc_add_all(const hd_run *run, const hd_bc_engine *engine, const hd_sources *all, hd_sources *used);
/* Downloads both sums on the way. */
heddle_status hd_bc_fetch(hd_structure *s, const hd_buffer *sum, const hd_buffer *squares, double *sums,
                          double *squared);
/* Downloads and scales the sums of dependencies, and converts them to the requested precision. */
heddle_status hd_bc_hand_over(hd_structure *s, const hd_buffer *total, const hd_sources *sources, uint64_t levels,
                              const heddle_run_options *options);

/* Bytes on a device, the graph's rows included. */
heddle_status hd_bc_device_bytes(const hd_device_request *r, uint64_t *bytes);

/* Fills the result. */
heddle_status hd_bc_on_device(const hd_run *run, hd_bfs_manner manner);
/* The same, within the limits of the device. */
heddle_status hd_device_bc(const hd_run *run);

#endif
