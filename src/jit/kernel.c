/* kernel.c - see kernel.h. A file is written beside its final name and renamed, so that readers find it whole. */
#include "jit/kernel.h"

#include "base/hash.h"
#include "base/memory.h"
#include "jit/cache.h"
#include "jit/keep.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT = 1 };

/* What stands before the code. */
typedef struct header {
    char magic[8];
    uint64_t key, bytes, checksum;
} header;

static const char magic[8] = "hdkernl";

static uint64_t key_of(const hd_device *device, const char *source, const char *options) {
    char identity[512];
    uint64_t key = hd_hash2(FORMAT, hd_hash_block(source, strlen(source)));
    device->kind->identity(device, identity, sizeof identity);
    key = hd_hash2(key, hd_hash_block(options, strlen(options)));
    key = hd_hash2(key, hd_hash_block(device->kind->name, strlen(device->kind->name)));
    return hd_hash2(key, hd_hash_block(identity, strlen(identity)));
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static bool transfer(int file, void *data, size_t bytes, bool out) {
    for (size_t done = 0; done < bytes;) {
        ssize_t moved =
            out ? write(file, (char *)data + done, bytes - done) : read(file, (char *)data + done, bytes - done);
        if (moved <= 0)
            return false;
        done += (size_t)moved;
    }
    return true;
}

/* The code in the file, or NULL when there is none that can be used. */
static void *take(heddle_context *ctx, const char *path, uint64_t key, size_t *bytes) {
    struct stat about;
    header head;
    void *code = NULL;
    if (!hd_cache_has(path))
        return NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &about) == 0 && transfer(file, &head, sizeof head, false) &&
        memcmp(head.magic, magic, sizeof magic) == 0 && head.key == key &&
        head.bytes == (uint64_t)about.st_size - sizeof head && (code = hd_alloc(&ctx->allocator, head.bytes))) {
        *bytes = head.bytes;
        if (!transfer(file, code, *bytes, false) || hd_hash_block(code, *bytes) != head.checksum) {
            hd_free(&ctx->allocator, code, *bytes);
            code = NULL;
        }
    }
    close(file);
    return code;
}

static void keep(const hd_cache *cache, const char *path, uint64_t key, void *code, size_t bytes) {
    char beside[640];
    header head = {.key = key, .bytes = bytes, .checksum = hd_hash_block(code, bytes)};
    memcpy(head.magic, magic, sizeof magic);
    if (!hd_cache_path(cache, "kernel-XXXXXX", beside, sizeof beside))
        return;
    int file = mkstemp(beside);
    if (file < 0)
        return;
    bool written = transfer(file, &head, sizeof head, true) && transfer(file, code, bytes, true);
    if (close(file) != 0 || !written || rename(beside, path) != 0)
        unlink(beside);
}

/* ---- Compiling -------------------------------------------------------------------------------------------------- */

/* Of all the compiler's words leaves the line of the first error, from "NAME:LINE:COLUMN:" or "NAME(LINE):" on, and
 * notes the place. */
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

/* A path in the cache for this key; false when there is no lasting cache. */
static bool open_cache(hd_device *device, uint64_t key, hd_cache *cache, char *path, size_t size) {
    char file[64];
    if (hd_cache_open(device->ctx, cache) != HEDDLE_OK)
        return false;
    if (cache->temporary) {
        hd_cache_close(cache);
        return false;
    }
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
    void *code = cached ? take(ctx, path, key, &bytes) : NULL;
    if (code) {
        heddle_status loaded = device->load(device, code, bytes, &module->loaded);
        hd_free(&ctx->allocator, code, bytes);
        if (loaded == HEDDLE_OK)
            return HEDDLE_OK;
    }
    hd_enter(ctx); /* what went wrong so far was the cache's own business */
    HD_TRY(compile(device, name, source, options, &code, &bytes, &module->seconds));
    heddle_status status = device->load(device, code, bytes, &module->loaded);
    if (status == HEDDLE_OK && cached)
        keep(&cache, path, key, code, bytes);
    hd_free(&ctx->allocator, code, bytes);
    return status;
}

void hd_module_close(hd_module *module) {
    if (module->loaded)
        module->device->unload(module->device, module->loaded);
    module->loaded = NULL;
}
