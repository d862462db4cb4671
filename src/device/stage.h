/* stage.h - copies between host and device memory through a few blocks of pinned memory.
 *
 * A driver copies from pageable memory at a tenth of the bus's speed. Here several threads fill one block while the
 * blocks before it are being transferred. A device that has pin, send, receive and wait uses hd_stage_upload and
 * hd_stage_download as its `upload` and `download`, and calls hd_stage_free when it is closed. Blocks are pinned at
 * their first use and kept; if no memory can be pinned, copies are done by the driver directly.
 */
#ifndef HD_DEVICE_STAGE_H
#define HD_DEVICE_STAGE_H

#include "device/device.h"

enum { HD_STAGE_BYTES = 8 << 20, HD_STAGE_LEAST = 1 << 20 /* shorter copies are not worth it */ };

heddle_status hd_stage_upload(hd_device *device, const hd_buffer *to, uint64_t offset, const void *from,
                              uint64_t bytes);
heddle_status hd_stage_download(hd_device *device, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes);
void hd_stage_free(hd_device *device);

/* For callers that generate data directly in a block: the next free block; NULL: there is none. */
heddle_status hd_stage_next(hd_device *device, void **block);
/* Starts the copy of the block that hd_stage_next returned last. */
heddle_status hd_stage_send(hd_device *device, const hd_buffer *to, uint64_t offset, uint64_t bytes);

#endif
