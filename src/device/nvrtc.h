/* nvrtc.h - NVRTC, CUDA's compiler, opened at run time. */
#ifndef HD_DEVICE_NVRTC_H
#define HD_DEVICE_NVRTC_H

#include "device/cuda_api.h"

#include <stddef.h>

/* Opens the library that $HEDDLE_NVRTC names, else the one of the Python environment that Heddle is installed in, else
 * the system's, and fills the table. NULL: none; `missing` says which was looked for. The handle is never closed. */
void *hd_nvrtc_open(hd_nvrtc_functions *nvrtc, char *missing, size_t size);

/* The NVRTC that packages of Python have installed beside `own`, a library in site-packages/heddle or a command
 * in the bin of the same environment. Writes its path; "": there is none. */
void hd_nvrtc_beside(const char *own, char *path, size_t room);

#endif
