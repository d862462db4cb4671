/* stage.h - copies between the host's memory and a device's, through a few blocks of pinned memory.
 *
 * A driver copies from memory that may be paged out at a tenth of the bus' speed. Here several threads fill one block
 * while the blocks before it are on their way. A device that has pin, send, receive and wait takes hd_stage_upload and
 * hd_stage_download for its `upload` and `download`, and calls hd_stage_free when it is closed. Blocks are pinned at
 * their first use and kept; where none can be had, copies go the plain way.
 */
#ifndef HD_DEVICE_STAGE_H
#define HD_DEVICE_STAGE_H

#include "device/device.h"

enum { HD_STAGE_BYTES = 8 << 20, HD_STAGE_LEAST = 1 << 20 /* shorter copies are not worth it */ };

heddle_status hd_stage_upload(hd_device *device, const hd_buffer *to, uint64_t offset, const void *from,
                              uint64_t bytes);
heddle_status hd_stage_download(hd_device *device, void *to, const hd_buffer *from, uint64_t offset, uint64_t bytes);
void hd_stage_free(hd_device *device);

/* For who makes the data on the way: the next block, its last copy being over; NULL: there is none. */
heddle_status hd_stage_next(hd_device *device, void **block);
/* Sends off what has been written to the block that hd_stage_next gave last. */
heddle_status hd_stage_send(hd_device *device, const hd_buffer *to, uint64_t offset, uint64_t bytes);

#endif
