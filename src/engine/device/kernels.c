/* kernels.c - see kernels.h. */
#include "engine/device/kernels.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { WARPS = 8, MOST_TEXTS = 12, GROUPS_UNIT = 64 /* warps of a launch for each unit */ };

static heddle_status assemble(heddle_context *ctx, const char *const *parts, size_t count, char **source,
                              size_t *bytes) {
    size_t at = 0;
    *bytes = 1;
    for (size_t i = 0; i < count; i++)
        *bytes += strlen(parts[i]);
    HD_TRY(HD_NEW(ctx, source, *bytes, "kernel source"));
    for (size_t i = 0; i < count; at += strlen(parts[i]), i++)
        memcpy(*source + at, parts[i], strlen(parts[i]));
    (*source)[at] = '\0';
    return HEDDLE_OK;
}

static void settings(const hd_device *d, const hd_kernels_text *text, uint32_t warps, char *macros, size_t size) {
    snprintf(macros, size, "#define HD_WARP %uu\n#define HD_WARPS %u\n#define HD_WEIGHT_TYPE %d\n%s%s%s", d->info.warp,
             warps, (int)text->weights, text->wide ? "#define HD_OFFSET_64\n" : "",
             d->info.atomics64 ? "#define HD_ATOMICS64\n" : "", d->info.doubles ? "" : "#define HD_NO_DOUBLE\n");
}

heddle_status hd_kernels_open(hd_device *d, const hd_kernels_text *text, heddle_report *report, hd_kernels *kernels) {
    uint32_t warps = !d->kind->warps ? 1 : text->warps ? text->warps : WARPS;
    char macros[256], *source = NULL;
    const char *parts[3 + MOST_TEXTS] = {macros, d->kind->prelude, text->defines ? text->defines : ""};
    size_t count = 3, bytes = 0;
    *kernels = (hd_kernels){.device = d, .lanes = warps * d->info.warp};
    settings(d, text, warps, macros, sizeof macros);
    for (const char *const *each = text->texts; *each && count < 3 + MOST_TEXTS; each++)
        parts[count++] = *each;
    if (text->texts[count - 3])
        return hd_fail(d->ctx, HEDDLE_E_INTERNAL, "%s: more than %d texts", text->name, MOST_TEXTS);
    HD_TRY(assemble(d->ctx, parts, count, &source, &bytes));
    heddle_status status = hd_module_open(d, text->name, source, d->kind->options, &kernels->module);
    HD_DELETE(&d->ctx->allocator, source, bytes);
    report->compile += kernels->module.seconds;
    return status;
}

void hd_kernels_close(hd_kernels *kernels) {
    if (kernels->device)
        hd_module_close(&kernels->module);
    *kernels = (hd_kernels){.device = NULL};
}

heddle_status hd_kernels_find(const hd_kernels *kernels, const char *name, void **kernel) {
    return kernels->device->kernel(kernels->device, kernels->module.loaded, name, kernel);
}

uint32_t hd_kernels_groups(const hd_kernels *kernels, uint64_t items) {
    const hd_device_info *info = &kernels->device->info;
    uint64_t groups = items / kernels->lanes + 1;
    uint64_t most = (uint64_t)info->units * GROUPS_UNIT * info->warp / kernels->lanes;
    return (uint32_t)(groups < most ? groups : most ? most : 1);
}

uint64_t hd_kernels_most_groups(const hd_device_info *info, uint64_t items) {
    uint64_t groups = items / info->warp + 1, most = (uint64_t)info->units * GROUPS_UNIT;
    return groups < most ? groups : most ? most : 1;
}

heddle_status hd_kernels_launch_as(const hd_kernels *kernels, void *kernel, hd_launch how, const hd_argument *arguments,
                                   uint32_t count) {
    how.lanes = how.lanes ? how.lanes : kernels->lanes;
    how.arguments = arguments;
    how.argument_count = count;
    return kernels->device->launch(kernels->device, kernel, &how);
}

heddle_status hd_kernels_launch(const hd_kernels *kernels, void *kernel, const char *name, uint32_t groups,
                                bool resident, const hd_argument *arguments, uint32_t count) {
    hd_launch how = {.name = name, .groups = groups, .resident = resident};
    return hd_kernels_launch_as(kernels, kernel, how, arguments, count);
}

heddle_status hd_kernels_start(const hd_kernels *kernels, const char *name, uint64_t items,
                               const hd_argument *arguments, uint32_t count) {
    void *kernel;
    HD_TRY(hd_kernels_find(kernels, name, &kernel));
    return hd_kernels_launch(kernels, kernel, name, hd_kernels_groups(kernels, items), false, arguments, count);
}

uint32_t hd_kernels_resident(const hd_kernels *kernels, void *kernel) {
    hd_device *d = kernels->device;
    return d->info.grid_barrier && d->resident_groups ? d->resident_groups(d, kernel, kernels->lanes, 0) : 0;
}
