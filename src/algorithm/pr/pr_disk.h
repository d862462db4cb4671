/* pr_disk.h - PageRank from a file. */
#ifndef HD_ALGORITHM_PR_PR_DISK_H
#define HD_ALGORITHM_PR_PR_DISK_H

#include "algorithm/algorithm.h"

heddle_status hd_pr_from_disk(const hd_run *run);
hd_disk_wants hd_pr_disk_wants(const hd_run *run);
/* Rank by weights or a personalisation is not computed from a file. */
hd_refusal hd_pr_refuse_terms(const hd_run *run);

#endif
