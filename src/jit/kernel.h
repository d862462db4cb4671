/* kernel.h - from kernel source to a loaded module: key, disk cache, compile, load.
 *
 * The key is a hash of the source, the options, the device's identity (its name, driver and compiler) and the version
 * of the cache's file format. Cache files have a checksum (entry.h): files that are truncated, changed or refused by
 * the driver are compiled again. Without a cache folder every run compiles.
 */
#ifndef HD_JIT_KERNEL_H
#define HD_JIT_KERNEL_H

#include "device/device.h"

typedef struct hd_module {
    hd_device *device;
    void *loaded;
    double seconds; /* spent compiling; 0 when it came from the cache */
} hd_module;

/* `name` is the source's name in the compiler's messages unless a #line changes it; HEDDLE_E_PROGRAM, with the line if
 * known, if it does not compile. */
heddle_status hd_module_open(hd_device *device, const char *name, const char *source, const char *options,
                             hd_module *module);
void hd_module_close(hd_module *module); /* zeroed or closed: nothing */

#endif
