/* spill.c - see spill.h. */
#include "base/spill.h"

#include "base/random.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 16, MOST_AT_ONCE = 1 << 30 };

/* For file systems without O_TMPFILE: a file under a made-up name, which is removed at once. */
static int open_named(const char *folder, const void *salt) {
    char path[PATH_MAX];
    for (uint64_t i = 0; i < TRIES; i++) { /* never: 16 random names that are all taken */
        uint64_t word = hd_hash2((uint64_t)(hd_clock() * 1e9), (uint64_t)getpid() ^ (uintptr_t)salt ^ i << 32);
        int length = snprintf(path, sizeof path, "%s/.heddle.%016llx", folder, (unsigned long long)word);
        if (length < 0 || (size_t)length >= sizeof path) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd >= 0) {
            unlink(path);
            return fd;
        }
        if (errno != EEXIST && errno != EINTR) /* never: a random name that is taken */
            return -1;
    }
    return -1;
}

heddle_status hd_spill_open(heddle_context *ctx, const char *folder, hd_spill *file) {
    const char *temporary = getenv("TMPDIR");
    if (!*folder)
        folder = temporary && *temporary ? temporary : "/var/tmp";
    *file = (hd_spill){.fd = -1, .folder = folder};
#ifdef O_TMPFILE
    file->fd = open(folder, O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
#endif
    if (file->fd < 0)
        file->fd = open_named(folder, file);
    return file->fd >= 0
               ? HEDDLE_OK
               : hd_fail_file(ctx, HEDDLE_E_WRITE, folder, errno, "cannot create a temporary file in this folder");
}

void hd_spill_close(hd_spill *file) {
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

/* Moves bytes between memory and file: into the file if `from` is there, else to `to`. */
static int move_bytes(int fd, const char *from, char *to, size_t bytes, uint64_t at) {
    for (size_t moved = 0; moved < bytes;) {
        /* never: blocks of more than 1 GiB are left out of tests */
        size_t some = bytes - moved < MOST_AT_ONCE ? bytes - moved : MOST_AT_ONCE;
        off_t place = (off_t)(at + moved);
        ssize_t done = from ? pwrite(fd, from + moved, some, place) : pread(fd, to + moved, some, place);
        if (done < 0 && errno == EINTR) /* never: files on disks are not interrupted */
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        moved += (size_t)done;
    }
    return 0;
}

int hd_spill_write(const hd_spill *file, const void *data, size_t bytes, uint64_t at) {
    return move_bytes(file->fd, data, NULL, bytes, at);
}

int hd_spill_read(const hd_spill *file, void *data, size_t bytes, uint64_t at) {
    return move_bytes(file->fd, NULL, data, bytes, at);
}

void hd_spill_discard(const hd_spill *file, uint64_t at, uint64_t bytes) {
#ifdef FALLOC_FL_PUNCH_HOLE
    if (bytes && fallocate(file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)bytes) == 0)
        return;
#endif
    (void)file, (void)at, (void)bytes;
}

heddle_status hd_spill_fail(heddle_context *ctx, const hd_spill *file, int errnum, const char *words) {
    return hd_fail_file(ctx, HEDDLE_E_WRITE, file->folder, errnum, "%s a temporary file in this folder", words);
}

heddle_status hd_spill_map(heddle_context *ctx, const hd_spill *file, uint64_t bytes, void **address) {
    *address = NULL;
    if (bytes > SIZE_MAX >> 1 || ftruncate(file->fd, (off_t)bytes) != 0)
        return hd_spill_fail(ctx, file, errno, "cannot extend");
    void *mapped = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, file->fd, 0);
    if (mapped == MAP_FAILED)
        return hd_spill_fail(ctx, file, errno, "cannot map");
    *address = mapped;
    return HEDDLE_OK;
}

void hd_pages_release(const void *data, uint64_t bytes) {
    long size = sysconf(_SC_PAGESIZE);
    /* never: the system knows its pages */
    uintptr_t page = size > 0 ? (uintptr_t)size : 4096;
    uintptr_t first = ((uintptr_t)data + page - 1) / page * page, last = ((uintptr_t)data + bytes) / page * page;
    if (last > first)
        madvise((void *)first, last - first, MADV_DONTNEED);
}
