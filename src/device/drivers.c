/* drivers.c - see drivers.h. */
#include "device/drivers.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static atomic_long opened_in; /* id of the process that first discovered devices; 0: none yet */

bool hd_drivers_lost(void) {
    long process = atomic_load_explicit(&opened_in, memory_order_relaxed);
    return process && process != (long)getpid();
}

uint32_t hd_drivers_discover(const hd_device_kind *kind, char *missing, size_t size) {
    if (hd_drivers_lost()) {
        snprintf(missing, size, "drivers were opened before this process was forked and do not work in it");
        return 0;
    }
    pthread_mutex_lock(&opening);
    uint32_t count = kind->discover(missing, size);
    if (count)
        atomic_store_explicit(&opened_in, (long)getpid(), memory_order_relaxed);
    pthread_mutex_unlock(&opening);
    return count;
}

heddle_status hd_drivers_describe(heddle_context *ctx, const hd_device_kind *kind, uint32_t index,
                                  hd_device_info *info) {
    pthread_mutex_lock(&opening);
    heddle_status status = kind->describe(ctx, index, info);
    pthread_mutex_unlock(&opening);
    return status;
}

heddle_status hd_drivers_open(heddle_context *ctx, const hd_device_kind *kind, uint32_t index, hd_device **device) {
    pthread_mutex_lock(&opening);
    heddle_status status = kind->open(ctx, index, device);
    pthread_mutex_unlock(&opening);
    return status;
}
