/* cc_disk.h - connected components from a file. */
#ifndef HD_ALGORITHM_CC_CC_DISK_H
#define HD_ALGORITHM_CC_CC_DISK_H

#include "algorithm/algorithm.h"

heddle_status hd_cc_from_disk(const hd_run *run);
hd_disk_wants hd_cc_disk_wants(const hd_run *run);

#endif
