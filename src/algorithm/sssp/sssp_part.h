/* sssp_part.h - shortest paths on parts of a graph: those of one process, or ranks. */
#ifndef HD_ALGORITHM_SSSP_SSSP_PART_H
#define HD_ALGORITHM_SSSP_SSSP_PART_H

#include "engine/parts/part.h"
#include "engine/path_label.h"

typedef struct hd_sssp_part {
    hd_part_own own;
    hd_path path; /* HD_SUM_… */
    int width;    /* buckets are 2^width wide */
} hd_sssp_part;

/* Outputs are distances as the path says. Lives as long as the run. `parents`: all sums fit the type, so that parents
 * can be found with them. */
hd_sssp_part hd_sssp_part_of(hd_path path, int width, bool parents);

#endif
