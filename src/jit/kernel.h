/* kernel.h - from kernel source to something that can be launched: key, disk cache, compile, load.
 *
 * The key is a hash of the source, the options, the device's identity (its name, driver and compiler) and the format of
 * the cache's files, which carry a checksum (entry.h): whatever is cut, changed or refused by the driver is compiled
 * again. Without a folder of its own the cache is left out, which only costs time.
 */
#ifndef HD_JIT_KERNEL_H
#define HD_JIT_KERNEL_H

#include "device/device.h"

typedef struct hd_module {
    hd_device *device;
    void *loaded;
    double seconds; /* spent compiling; 0 when it came from the cache */
} hd_module;

/* `name` is what the compiler's words call the source where no #line says otherwise; HEDDLE_E_PROGRAM, with the line
 * when it can be told, when it does not compile. */
heddle_status hd_module_open(hd_device *device, const char *name, const char *source, const char *options,
                             hd_module *module);
void hd_module_close(hd_module *module); /* zeroed or closed: nothing */

#endif
