/* bc_split_device.c - see bc_split.h. */
#include "algorithm/bc_split.h"

heddle_status hd_bc_split_device(hd_bc_split *b, uint64_t *levels) {
    (void)levels;
    return hd_fail(b->ctx, HEDDLE_E_REFUSED, "bc: transform: not on this device yet: use cpu");
}
