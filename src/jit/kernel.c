/* kernel.c - see kernel.h. */
#include "jit/kernel.h"

#include "base/hash.h"
#include "base/memory.h"
#include "jit/entry.h"
#include "jit/keep_source.h"

#include <stdio.h>
#include <string.h>

enum { FORMAT = 2 };

static uint64_t key_of(const hd_device *device, const char *source, const char *options) {
    char identity[512];
    uint64_t key = hd_hash2(FORMAT, hd_hash_block(source, strlen(source)));
    device->kind->identity(device, identity, sizeof identity);
    key = hd_hash2(key, hd_hash_block(options, strlen(options)));
    key = hd_hash2(key, hd_hash_block(device->kind->name, strlen(device->kind->name)));
    return hd_hash2(key, hd_hash_block(identity, strlen(identity)));
}

/* ---- Compiling -------------------------------------------------------------------------------------------------- */

/* Inside macros clang says "FILE:1:2 <Spelling=OTHER:3:4>: words", or the two the other way round. */
static void remove_spelling(char *line) {
    char *start = strstr(line, " <Spelling="), *end = strstr(start ? start : line, ">: ");
    if (end)
        memmove(start ? start : end, end + 1, strlen(end + 1) + 1);
}

/* Reduces the compiler's output to the line of the first error, from "NAME:LINE:COLUMN:" or "NAME(LINE):" on, and
 * records line and column. */
static void find_place(heddle_error *error, const char *name) {
    char *line = strstr(error->message, "error"), *at;
    unsigned long long row = 0, column = 0;
    size_t length = strlen(name);
    for (at = error->message; (at = strstr(at, name)); at++)
        if (sscanf(at + length, ":%llu:%llu", &row, &column) >= 1 || sscanf(at + length, "(%llu)", &row) == 1)
            break;
    if (at) {
        error->line = row;
        error->column = column;
        snprintf(error->file, sizeof error->file, "%s", name);
        line = at;
    } else {
        while (line && line > error->message && line[-1] != '\n')
            line--;
    }
    if (!line)
        return;
    line[strcspn(line, "\n")] = '\0';
    remove_spelling(line);
    memmove(error->message, line, strlen(line) + 1);
}

static heddle_status compile(hd_device *device, const char *name, const char *source, const char *options, void **code,
                             size_t *bytes, double *seconds) {
    double start = hd_clock();
    heddle_status status = device->compile(device, name, source, options, code, bytes);
    *seconds = hd_clock() - start;
    if (status == HEDDLE_E_PROGRAM)
        find_place(&device->ctx->error, name);
    return status;
}

/* The path in the cache for this key; false if there is no permanent cache. */
static bool open_cache(hd_device *device, uint64_t key, hd_cache *cache, char *path, size_t size) {
    char file[64];
    if (!hd_cache_open_permanent(cache))
        return false;
    snprintf(file, sizeof file, "%.16s-%016llx.kernel", device->kind->name, (unsigned long long)key);
    return hd_cache_path(cache, file, path, size);
}

heddle_status hd_module_open(hd_device *device, const char *name, const char *source, const char *options,
                             hd_module *module) {
    heddle_context *ctx = device->ctx;
    hd_cache cache;
    char path[640];
    size_t bytes = 0;
    uint64_t key = key_of(device, source, options);
    *module = (hd_module){.device = device};
    HD_TRY(hd_keep_source(ctx, name, device->kind->suffix, key, source));
    bool cached = open_cache(device, key, &cache, path, sizeof path);
    void *code = NULL;
    hd_entry entry;
    if (cached && hd_entry_read(ctx, path, key, &entry)) {
        heddle_status loaded = device->load(device, entry.data, entry.bytes, &module->loaded);
        hd_entry_free(ctx, &entry);
        if (loaded == HEDDLE_OK)
            return HEDDLE_OK;
    }
    hd_enter(ctx); /* errors of the cache are not reported: the kernel is compiled again */
    HD_TRY(compile(device, name, source, options, &code, &bytes, &module->seconds));
    device->fresh = true;
    heddle_status status = device->load(device, code, bytes, &module->loaded);
    device->fresh = false;
    if (status == HEDDLE_OK && cached && hd_entry_write(&cache, path, key, code, bytes, ""))
        hd_cache_trim(ctx, &cache);
    hd_free(&ctx->allocator, code, bytes);
    return status;
}

void hd_module_close(hd_module *module) {
    if (module->loaded)
        module->device->unload(module->device, module->loaded);
    module->loaded = NULL;
}
