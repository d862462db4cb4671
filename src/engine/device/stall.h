/* stall.h - a run on a device that does not get on: the words that its kernels count rounds in stay as they are. Loops
 * that wait for a device look at them with this, so that kernels that do nothing end a run instead of the user. */
#ifndef HD_ENGINE_DEVICE_STALL_H
#define HD_ENGINE_DEVICE_STALL_H

#include "base/hash.h"
#include "device/device.h"

typedef struct hd_stall {
    uint64_t seen;  /* hash of the words at the last look */
    uint32_t looks; /* in a row that saw the same */
} hd_stall;

/* After every look; HEDDLE_E_DEVICE once the words have been the same too often. */
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
