/* stall.h - detects a run on a device that makes no progress: the words in which its kernels count rounds do not
 * change. Loops that wait for a device check this, so that a run whose kernels do nothing ends with an error. */
#ifndef HD_ENGINE_DEVICE_STALL_H
#define HD_ENGINE_DEVICE_STALL_H

#include "base/hash.h"
#include "device/device.h"

typedef struct hd_stall {
    uint64_t seen;  /* hash of the words at the last check */
    uint32_t looks; /* consecutive checks with the same hash */
} hd_stall;

/* Call after every read of the words; HEDDLE_E_DEVICE once they have been the same too often. */
static inline heddle_status hd_stall_check(hd_stall *stall, heddle_context *ctx, const hd_device *device,
                                           const void *words, size_t bytes) {
    enum { MOST_LOOKS = 64 };
    uint64_t hash = hd_hash_block(words, bytes);
    stall->looks = hash == stall->seen ? stall->looks + 1 : 0;
    stall->seen = hash;
    return stall->looks < MOST_LOOKS ? HEDDLE_OK
                                     : hd_fail(ctx, HEDDLE_E_DEVICE,
                                               "%s: the run does not get on: its kernels do "
                                               "nothing",
                                               device->info.name);
}

#endif
