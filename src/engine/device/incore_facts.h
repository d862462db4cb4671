/* incore_facts.h - facts about a user's program, from the device, if there is no C compiler. */
#ifndef HD_ENGINE_DEVICE_INCORE_FACTS_H
#define HD_ENGINE_DEVICE_INCORE_FACTS_H

#include "engine/device/incore.h"

enum { HD_FACTS_ROOM = 512 };

/* A program without its loops: the facts known about it. */
typedef struct hd_device_facts {
    hd_cpu_program program;
    char parameters[HD_FACTS_ROOM];
} hd_device_facts;

/* Compiles the text for the device and runs the kernel; `included` as in hd_incore_program. `facts` must not move: the
 * program points into it. */
heddle_status hd_device_facts_read(heddle_context *ctx, const char *device, const char *path, const char *text,
                                   bool in_double, uint64_t included, heddle_report *report, hd_device_facts *facts);

#endif
