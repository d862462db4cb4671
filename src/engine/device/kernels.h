/* kernels.h - compiling and launching an algorithm's own kernels.
 *
 * An algorithm's kernel text is in src/algorithm/FOLDER/NAME.cl and is embedded as hd_text_kernels_NAME. The source
 * that is compiled is: settings (HD_WARP, HD_WARPS, HD_OFFSET_64, HD_WEIGHT_TYPE, HD_ATOMICS64, HD_NO_DOUBLE), the
 * target's prelude, the caller's definitions, then the texts in their order.
 */
#ifndef HD_ENGINE_DEVICE_KERNELS_H
#define HD_ENGINE_DEVICE_KERNELS_H

#include "device/device.h"
#include "engine/device/resident.h"
#include "jit/kernel.h"

typedef struct hd_kernels {
    hd_device *device;
    hd_module module;
    uint32_t lanes; /* in a group */
} hd_kernels;

typedef struct hd_kernels_text {
    const char *name;           /* for errors and kept sources */
    const char *const *texts;   /* ends with NULL */
    const char *defines;        /* "#define …" lines, or NULL */
    uint32_t warps;             /* in a group, if groups may have several (CUDA); 0: 8 */
    bool wide;                  /* 64-bit offsets */
    heddle_weight_type weights; /* as the kernels read them; HEDDLE_WEIGHT_NONE: all 1 */
} hd_kernels_text;

/* Compiles, or takes from the cache; seconds of compiling are added to report->compile. */
heddle_status hd_kernels_open(hd_device *device, const hd_kernels_text *text, heddle_report *report,
                              hd_kernels *kernels);
void hd_kernels_close(hd_kernels *kernels); /* if zeroed or closed: does nothing */
heddle_status hd_kernels_find(const hd_kernels *kernels, const char *name, void **kernel);

/* Groups for `items` lanes' worth of work: as many as there is work for, and at most what keeps the device busy. */
uint32_t hd_kernels_groups(const hd_kernels *kernels, uint64_t items);
/* The same before anything is opened: no fewer than there will be. */
uint64_t hd_kernels_most_groups(const hd_device_info *info, uint64_t items);

heddle_status hd_kernels_launch(const hd_kernels *kernels, void *kernel, const char *name, uint32_t groups,
                                bool resident, const hd_argument *arguments, uint32_t count);
/* HD_LAUNCH(&kernels, kernel, "name", groups, HD_ARGUMENT_BUFFER(b), HD_ARGUMENT_VALUE(n), …) */
#define HD_LAUNCH(kernels, kernel, name, groups, ...)                                           \
    hd_kernels_launch(kernels, kernel, name, groups, false, (const hd_argument[]){__VA_ARGS__}, \
                      (uint32_t)(sizeof((const hd_argument[]){__VA_ARGS__}) / sizeof(hd_argument)))
/* A cooperative launch: all groups are resident at once and may wait for each other (info.grid_barrier). */
#define HD_LAUNCH_RESIDENT(kernels, kernel, name, groups, ...)                                 \
    hd_kernels_launch(kernels, kernel, name, groups, true, (const hd_argument[]){__VA_ARGS__}, \
                      (uint32_t)(sizeof((const hd_argument[]){__VA_ARGS__}) / sizeof(hd_argument)))
/* As `how` says, except for the arguments; `how.lanes` 0 means the kernels' own. */
heddle_status hd_kernels_launch_as(const hd_kernels *kernels, void *kernel, hd_launch how, const hd_argument *arguments,
                                   uint32_t count);
#define HD_LAUNCH_AS(kernels, kernel, how, ...)                                    \
    hd_kernels_launch_as(kernels, kernel, how, (const hd_argument[]){__VA_ARGS__}, \
                         (uint32_t)(sizeof((const hd_argument[]){__VA_ARGS__}) / sizeof(hd_argument)))
/* For a kernel that is used once: looks it up, and launches it with a lane per item.
 * HD_START(&kernels, "name", items, HD_ARGUMENT_BUFFER(b), …) */
heddle_status hd_kernels_start(const hd_kernels *kernels, const char *name, uint64_t items,
                               const hd_argument *arguments, uint32_t count);
#define HD_START(kernels, name, items, ...)                                    \
    hd_kernels_start(kernels, name, items, (const hd_argument[]){__VA_ARGS__}, \
                     (uint32_t)(sizeof((const hd_argument[]){__VA_ARGS__}) / sizeof(hd_argument)))
/* Most groups of HD_LAUNCH_RESIDENT: 0 if the device has no grid barrier. */
uint32_t hd_kernels_resident(const hd_kernels *kernels, void *kernel);

#endif
