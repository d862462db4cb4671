/* device_start.h - opens a device on a background thread, while the calling thread reads a file.
 *
 * The thread has a context of its own and shares nothing with the caller's until hd_start_end, which hands over the
 * device or the error. A start always ends, and no thread waits for it before hd_start_end.
 */
#ifndef HD_ENGINE_DEVICE_DEVICE_START_H
#define HD_ENGINE_DEVICE_DEVICE_START_H

#include "device/device.h"
#include "plan/choose.h"

typedef struct hd_start hd_start;

/* Opens the device of that name; or, with name NULL, the one that a run with these facts would use, if any. `bytes` are
 * likely to be uploaded. NULL: no thread could be created, and nothing was started. */
hd_start *hd_start_begin(heddle_context *ctx, const char *name, const hd_choose_facts *facts, uint64_t bytes);
/* Whether it is still running. */
bool hd_start_going(const hd_start *start);
/* Waits for it. *device NULL without an error: the run was not worth one. `name` receives the device's full name. */
heddle_status hd_start_end(heddle_context *ctx, hd_start *start, char name[24], hd_device **device);

#endif
