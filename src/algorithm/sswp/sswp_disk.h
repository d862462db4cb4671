/* sswp_disk.h - widest paths from a file. */
#ifndef HD_ALGORITHM_SSWP_SSWP_DISK_H
#define HD_ALGORITHM_SSWP_SSWP_DISK_H

#include "algorithm/algorithm.h"

heddle_status hd_sswp_from_disk(const hd_run *run);
hd_disk_wants hd_sswp_disk_wants(const hd_run *run);
hd_refusal hd_sswp_disk_refuse(const hd_run *run);

#endif
