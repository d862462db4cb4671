/* many_device.h - many searches at once on a device (many.cl): what bfs and bc share of memory and arguments. */
#ifndef HD_ALGORITHM_MANY_MANY_DEVICE_H
#define HD_ALGORITHM_MANY_MANY_DEVICE_H

#include "algorithm/structure/structure_device.h"

/* Kernels of many_steps.cl. */
enum { HD_MANY_BEGIN, HD_MANY_DOWN, HD_MANY_UNITS, HD_MANY_RISE, HD_MANY_NOTE, HD_MANY_SETTLE, HD_MANY_KERNELS };

enum {
    HD_MANY_MOST = 32, /* searches at once */
    HD_MANY_ARGUMENTS = 18
};

typedef struct hd_many {
    hd_structure *s;
    uint32_t vertices, shift, full, from, to; /* arguments of kernels */
    uint64_t units, parts;                    /* of all vertices: see many.cl */
    uint32_t cost;                            /* of all vertices */
    uint32_t level;                           /* as last seen */
    bool done, over, pairs;
    bool backward; /* searches go against the edges */
    const hd_kernels *kernels;
    void *kernel[HD_MANY_KERNELS];
    uint32_t groups; /* of a launch */
    hd_buffer source, seen, masks, list, entries, unit, starts, pair, words;
} hd_many;

/* Looks at the graph, and chooses how many of `count` searches go at once (1 << shift places, 0: one) when each needs
 * `bytes` for a vertex and `part_bytes` for a part beside what this file takes. */
heddle_status hd_many_choose(hd_many *m, hd_structure *s, uint64_t count, uint64_t bytes, uint64_t part_bytes);
/* The same before anything is on a device that will have `left` bytes then; in-edges are taken to be as out-edges. */
heddle_status hd_many_foresee(hd_many *m, hd_structure *s, uint64_t count, uint64_t bytes, uint64_t part_bytes,
                              uint64_t left);
/* Takes buffers; `pairs`: the list of them, otherwise depths by place. */
heddle_status hd_many_open(hd_many *m, bool pairs);
/* "#define …" lines that many.cl needs. */
void hd_many_defines(const hd_many *m, bool resident, char *text, size_t size);
/* Finds the steps among kernels that stay open, to be launched with so many groups. */
heddle_status hd_many_find(hd_many *m, const hd_kernels *kernels, uint32_t groups);
/* Before a search from up to 1 << shift sources. */
heddle_status hd_many_ready(hd_many *m, const heddle_vertex *sources, uint32_t count);
/* Fills the first HD_MANY_ARGUMENTS of a kernel, which point into `m`. */
void hd_many_arguments(hd_many *m, uint32_t from, uint32_t to, hd_argument *arguments);
heddle_status hd_many_launch(hd_many *m, int which, uint32_t groups, uint32_t from, uint32_t to);
/* Depth 0, from the sources; and the first half of a later step, launch by launch. */
heddle_status hd_many_begin(hd_many *m);
heddle_status hd_many_half(hd_many *m, uint32_t level);
/* Looks how far the search is. HEDDLE_E_DEVICE when it does not get on. */
heddle_status hd_many_look(hd_many *m);
/* Goes on with a search that ended because a count got too large. */
heddle_status hd_many_again(hd_many *m);
/* Depths that are worth a launch, or that are queued ahead, before the host looks. */
uint32_t hd_many_levels(const hd_many *m, bool resident);

#endif
