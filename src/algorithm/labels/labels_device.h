/* labels_device.h - label propagation on a device, for cdlp and lpa. */
#ifndef HD_ALGORITHM_LABELS_LABELS_DEVICE_H
#define HD_ALGORITHM_LABELS_LABELS_DEVICE_H

#include "algorithm/algorithm.h"

/* Which labels a vertex sees, and what it takes of several that are equally frequent. */
typedef struct hd_labels_rule {
    const char *name; /* of its rounds */
    bool coloured;    /* colour by colour, or all as they were in the round before */
    uint32_t seed;    /* coloured: its own, or one by chance; else the smallest */
} hd_labels_rule;

/* Fills in values of the result, of type U32, and the report; `changed` is how many labels the last round changed,
 * `colours` how many colours there are. */
heddle_status hd_device_labels(const hd_run *run, const hd_labels_rule *rule, uint64_t *changed, uint64_t *colours);
heddle_status hd_labels_device_bytes(const hd_device_request *r, bool coloured, uint64_t *bytes);

#endif
