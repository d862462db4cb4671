/* gpu_there.h - whether a machine may have a GPU, without opening a driver: that costs tenths of a second and tens of
 * megabytes, also where the only one is a driver of the CPU. */
#ifndef HD_DEVICE_GPU_THERE_H
#define HD_DEVICE_GPU_THERE_H

#include <stdbool.h>

/* Whether the system has a device file of a GPU, of any vendor. */
bool hd_gpu_has_node(void);
/* Whether an OpenCL device may be a GPU. It is certain that none is without device files of GPUs, where all drivers
 * that the loader finds (the ICD files) are known to run on the CPU alone. */
bool hd_gpu_in_opencl(void);

#endif
