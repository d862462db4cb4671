/* disk_uring.h - reads the wants of a ring by io_uring: one thread, all slots at once, where the build has liburing. */
#ifndef HD_RESIDENCY_DISK_URING_H
#define HD_RESIDENCY_DISK_URING_H

#include "residency/disk_ring.h"

/* False: not built in, or the kernel refuses, or the file has no direct reads; threads read then. */
bool hd_disk_uring_open(hd_disk_ring *ring);
void hd_disk_uring_close(hd_disk_ring *ring);
/* The thread that reads, until the ring is closed. */
void *hd_disk_uring_read(void *ring);

#endif
