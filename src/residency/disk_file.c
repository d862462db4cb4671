/* disk_file.c - see disk_file.h. A graph larger than memory would push everything else out of the page cache, so it is
 * read past it (O_DIRECT). A file system that refuses is read plainly, and its pages are given up at once. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_DIRECT */
#endif
#include "residency/disk_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifndef O_DIRECT
#define O_DIRECT 0
#endif

static bool same(const hd_stamp *a, const hd_stamp *b) {
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds;
}

heddle_status hd_disk_file_changed(heddle_context *ctx, const hd_disk_file *file) {
    return hd_fail_file(ctx, HEDDLE_E_READ, file->name, 0, "the file changed while it was in use");
}

heddle_status hd_disk_file_unchanged(heddle_context *ctx, const hd_disk_file *file) {
    struct stat info;
    if (fstat(file->plain, &info) != 0)
        return hd_fail_file(ctx, HEDDLE_E_READ, file->name, errno, "cannot be examined");
    hd_stamp now = hd_stamp_of(&info);
    return !file->stamp.known || same(&now, &file->stamp) ? HEDDLE_OK : hd_disk_file_changed(ctx, file);
}

heddle_status hd_disk_file_open(heddle_context *ctx, const char *name, const hd_stamp *stamp, hd_disk_file *file) {
    *file = (hd_disk_file){.name = name, .stamp = *stamp, .direct = -1, .plain = -1};
    file->plain = open(name, O_RDONLY | O_CLOEXEC);
    if (file->plain < 0)
        return hd_fail_file(ctx, HEDDLE_E_READ, name, errno, "cannot be opened again to read its edges");
    if (O_DIRECT)
        file->direct = open(name, O_RDONLY | O_CLOEXEC | O_DIRECT);
    heddle_status status = hd_disk_file_unchanged(ctx, file);
    struct stat info;
    if (status == HEDDLE_OK && file->direct >= 0 &&
        (fstat(file->direct, &info) != 0 || (uint64_t)info.st_ino != stamp->inode))
        status = hd_disk_file_changed(ctx, file);
    if (status != HEDDLE_OK)
        hd_disk_file_close(file);
    return status;
}

void hd_disk_file_close(hd_disk_file *file) {
    if (file->direct >= 0)
        close(file->direct);
    if (file->plain >= 0)
        close(file->plain);
    file->direct = file->plain = -1;
}

/* Reads until `enough` bytes are there; a read at the end of the file may give fewer than were requested. */
static int read_fully(int fd, char *to, uint64_t bytes, uint64_t enough, uint64_t offset, bool pages) {
    enum { MOST = 1 << 30 };
    uint64_t done = 0;
    while (done < enough) {
        size_t wanted = bytes - done < MOST ? (size_t)(bytes - done) : MOST;
        ssize_t got = pread(fd, to + done, wanted, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            return HD_DISK_ENDS;
        uint64_t before = done;
        done += (uint64_t)got;
        if (pages && done < enough) { /* a direct read has to go on at a whole page */
            done -= done % HD_DISK_PAGE;
            if (done <= before)
                return HD_DISK_ENDS;
        }
    }
    return 0;
}

void hd_disk_file_drop(const hd_disk_file *file, uint64_t offset, uint64_t bytes) {
    posix_fadvise(file->plain, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}

static int read_plain(const hd_disk_file *file, char *to, uint64_t bytes, uint64_t offset) {
    int error = read_fully(file->plain, to, bytes, bytes, offset, false);
    hd_disk_file_drop(file, offset, bytes);
    return error;
}

int hd_disk_file_read(const hd_disk_file *file, uint64_t offset, uint64_t bytes, char *room, char **at) {
    uint64_t head = offset % HD_DISK_PAGE, enough = head + bytes;
    uint64_t whole = (enough + HD_DISK_PAGE - 1) / HD_DISK_PAGE * HD_DISK_PAGE;
    *at = room + head;
    if (!bytes)
        return 0;
    if (file->direct >= 0) {
        int error = read_fully(file->direct, room, whole, enough, offset - head, true);
        if (error != EINVAL)
            return error;
    }
    return read_plain(file, room + head, bytes, offset);
}

heddle_status hd_disk_file_fail(heddle_context *ctx, const hd_disk_file *file, int error) {
    if (error == HD_DISK_ENDS)
        return hd_fail_file(ctx, HEDDLE_E_READ, file->name, 0,
                            "the file was truncated while it was in use: it ends within its edges");
    return hd_fail_file(ctx, HEDDLE_E_READ, file->name, error, "cannot be read");
}
