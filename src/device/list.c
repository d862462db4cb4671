/* list.c - heddle_device_list: the devices of this machine. */
#include "device/device.h"
#include "device/drivers.h"

#include "base/argument.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct listing {
    heddle_device_info *devices;
    size_t stride; /* their size, as the caller knows it */
    size_t room, count;
} listing;

static void add(listing *list, const heddle_device_info *device) {
    if (list->count < list->room) {
        heddle_device_info *to = (heddle_device_info *)((char *)list->devices + list->count * list->stride);
        to->size = list->stride;
        HD_GIVE(to, device);
    }
    list->count++;
}

static void cpu_name(char *name, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "cpu");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(name, size, "%.120s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (file)
        fclose(file);
}

static void add_cpu(heddle_context *ctx, listing *list) {
    heddle_device_info cpu = {.kind = "cpu",
                              .units = (uint32_t)ctx->most_threads,
                              .compiler = "the system's C compiler"};
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    cpu_name(cpu.name, sizeof cpu.name);
    if (pages > 0 && page > 0)
        cpu.memory = (uint64_t)pages * (uint64_t)page;
    add(list, &cpu);
}

static void add_kind(heddle_context *ctx, const hd_device_kind *kind, listing *list) {
    heddle_device_info entry = {.index = 0};
    hd_device_info info;
    snprintf(entry.kind, sizeof entry.kind, "%s", kind->name);
    uint32_t count = hd_drivers_discover(kind, entry.missing, sizeof entry.missing);
    if (count == 0)
        add(list, &entry);
    for (uint32_t i = 0; i < count; i++) {
        heddle_device_info found = entry;
        memset(&info, 0, sizeof info);
        found.index = i;
        if (hd_drivers_describe(ctx, kind, i, &info) != HEDDLE_OK) {
            snprintf(found.missing, sizeof found.missing, "%.180s", ctx->error.message);
            add(list, &found);
            continue;
        }
        found.missing[0] = '\0';
        memcpy(found.name, info.name, sizeof found.name);
        memcpy(found.driver, info.driver, sizeof found.driver);
        memcpy(found.compiler, info.compiler, sizeof found.compiler);
        found.memory = info.memory;
        found.units = info.units;
        found.accelerator = info.accelerator;
        add(list, &found);
    }
}

heddle_status heddle_device_list(heddle_context *ctx, heddle_device_info *devices, size_t room, size_t *count) {
    HD_ENTER(ctx);
    HD_NEEDS(ctx, count);
    *count = 0;
    if (room)
        HD_NEEDS_ROOM(ctx, devices);
    listing list = {devices, room ? devices->size : 0, room, 0};
    add_cpu(ctx, &list);
    for (size_t k = 0; hd_device_kind_at(k); k++)
        add_kind(ctx, hd_device_kind_at(k), &list);
    hd_enter(ctx); /* errors of a broken device are in its entry */
    *count = list.count;
    return HEDDLE_OK;
}
