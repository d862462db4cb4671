/* gpu_there.c - see gpu_there.h. */
#include "device/gpu_there.h"

#include "device/device.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool matches(const char *pattern) {
    glob_t found;
    bool any = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;
    if (any)
        globfree(&found);
    return any;
}

/* NVIDIA, also on boards; all with a driver in the kernel's graphics subsystem; AMD; Windows' subsystem for Linux;
 * Arm; Qualcomm; Imagination. */
bool hd_gpu_has_node(void) {
    static const char *const nodes[] = {"/dev/nvidia*",      "/dev/nvhost*",  "/dev/nvgpu*",
                                        "/dev/dri/renderD*", "/dev/kfd",      "/dev/dxg",
                                        "/dev/mali*",        "/dev/kgsl-3d*", "/dev/pvr*"};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (matches(nodes[i]))
            return true;
    return false;
}

/* An ICD file's first line is the driver's library, perhaps with its folder. */
static bool is_cpu_driver(const char *icd) {
    static const char *const drivers[] = {"libpocl", "libintelocl"};
    char line[512] = "";
    FILE *file = fopen(icd, "r");
    bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    const char *slash = strrchr(line, '/'), *name = slash ? slash + 1 : line;
    for (size_t i = 0; read && i < sizeof drivers / sizeof *drivers; i++)
        if (strncmp(name, drivers[i], strlen(drivers[i])) == 0)
            return true;
    return false;
}

/* False where the environment names drivers in another way, or the loader's folder is another one. */
static bool all_are_cpu_drivers(void) {
    const char *folder = getenv("OCL_ICD_VENDORS");
    char pattern[512];
    glob_t icds;
    if (getenv("OCL_ICD_FILENAMES") || getenv("OPENCL_VENDOR_PATH"))
        return false;
    int length = snprintf(pattern, sizeof pattern, "%s/*.icd", folder ? folder : "/etc/OpenCL/vendors");
    if (length < 0 || (size_t)length >= sizeof pattern || glob(pattern, GLOB_NOSORT, NULL, &icds) != 0)
        return false;
    bool all = true;
    for (size_t i = 0; all && i < icds.gl_pathc; i++)
        all = is_cpu_driver(icds.gl_pathv[i]);
    globfree(&icds);
    return all;
}

bool hd_gpu_in_opencl(void) { return hd_gpu_has_node() || !all_are_cpu_drivers(); }

int heddle_accelerator_possible(void) {
    const hd_device_kind *kind;
    for (size_t k = 0; (kind = hd_device_kind_at(k)); k++)
        if (hd_device_may_accelerate(kind))
            return 1;
    return 0;
}
