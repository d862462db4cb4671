/* entry.c - see entry.h. */
#include "jit/entry.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct trailer {
    uint64_t key, bytes, words, checksum;
    char magic[8];
} trailer;

static const char magic[8] = "heddle1";

static uint64_t checksum(uint64_t key, const void *code, size_t bytes, const char *words, size_t more) {
    return hd_hash2(hd_hash2(hd_hash_block(code, bytes), hd_hash_block(words, more)), key);
}

/* Reads or writes all of it. */
static bool transfer(int file, void *data, size_t bytes, bool out) {
    for (size_t done = 0; done < bytes;) {
        ssize_t moved =
            out ? write(file, (char *)data + done, bytes - done) : read(file, (char *)data + done, bytes - done);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved <= 0)
            return false;
        done += (size_t)moved;
    }
    return true;
}

static bool load(heddle_context *ctx, int file, size_t most, hd_entry *entry) {
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || (uint64_t)about.st_size > most)
        return false;
    entry->bytes = (size_t)about.st_size;
    entry->room = entry->bytes + 1;
    entry->data = hd_alloc(&ctx->allocator, entry->room);
    if (!entry->data)
        return false;
    entry->data[entry->bytes] = '\0';
    return transfer(file, entry->data, entry->bytes, false);
}

/* Checks and removes the trailer. */
static bool accept(hd_entry *entry, uint64_t key) {
    trailer end;
    if (entry->bytes < sizeof end)
        return false;
    size_t payload = entry->bytes - sizeof end;
    memcpy(&end, entry->data + payload, sizeof end);
    key = key == HD_ENTRY_ANY ? end.key : key;
    if (memcmp(end.magic, magic, sizeof magic) != 0 || end.key != key || !end.bytes || end.bytes > payload ||
        end.words != payload - end.bytes ||
        end.checksum != checksum(key, entry->data, end.bytes, entry->data + end.bytes, end.words))
        return false;
    entry->bytes = end.bytes;
    entry->words = end.words;
    entry->data[payload] = '\0';
    return true;
}

bool hd_entry_read(heddle_context *ctx, const char *path, uint64_t key, hd_entry *entry) {
    *entry = (hd_entry){.data = NULL};
    int file = hd_cache_has(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (file < 0)
        return false;
    bool sound = load(ctx, file, HD_CACHE_MOST_BYTES, entry) && accept(entry, key);
    if (sound)
        futimens(file, NULL); /* for least-recently-used eviction */
    else
        hd_entry_free(ctx, entry);
    close(file);
    return sound;
}

bool hd_entry_load(heddle_context *ctx, const char *path, size_t most, hd_entry *entry) {
    *entry = (hd_entry){.data = NULL};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool whole = file >= 0 && load(ctx, file, most, entry);
    if (file >= 0)
        close(file);
    if (!whole)
        hd_entry_free(ctx, entry);
    return whole;
}

void hd_entry_free(heddle_context *ctx, hd_entry *entry) {
    if (entry->data)
        hd_free(&ctx->allocator, entry->data, entry->room);
    *entry = (hd_entry){.data = NULL};
}

bool hd_entry_write(const hd_cache *cache, const char *path, uint64_t key, const void *code, size_t bytes,
                    const char *words) {
    size_t more = strlen(words);
    char beside[640];
    trailer end = {key, bytes, more, checksum(key, code, bytes, words, more), {0}};
    memcpy(end.magic, magic, sizeof magic);
    if (!hd_cache_path(cache, "heddle-part-XXXXXX", beside, sizeof beside))
        return false;
    int file = mkstemp(beside);
    if (file < 0)
        return false;
    fcntl(file, F_SETFD, FD_CLOEXEC);
    bool written = transfer(file, (void *)(uintptr_t)code, bytes, true) &&
                   transfer(file, (void *)(uintptr_t)words, more, true) && transfer(file, &end, sizeof end, true);
    if (close(file) != 0 || !written || rename(beside, path) != 0) {
        unlink(beside);
        return false;
    }
    return true;
}
