/* parents_disk.h - parents of the paths of a run from a file. */
#ifndef HD_ALGORITHM_PATHS_PARENTS_DISK_H
#define HD_ALGORITHM_PATHS_PARENTS_DISK_H

#include "algorithm/program/from_disk.h"
#include "engine/path_label.h"

/* Bytes per vertex that finding them takes, the result included. */
enum { HD_PARENTS_DISK_BYTES = 2 * sizeof(heddle_vertex) };

/* Fills in the result's parents, as hd_parents does: the rows are out-edges, with the weights. */
heddle_status hd_parents_from_disk(const hd_run *run, hd_disk *disk, hd_path path, const void *labels);

#endif
