/* sssp_disk.h - shortest paths from a file. */
#ifndef HD_ALGORITHM_SSSP_SSSP_DISK_H
#define HD_ALGORITHM_SSSP_SSSP_DISK_H

#include "algorithm/algorithm.h"

heddle_status hd_sssp_from_disk(const hd_run *run);
hd_disk_wants hd_sssp_disk_wants(const hd_run *run);

#endif
