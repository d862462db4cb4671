/* stamp.h - detects whether a mapped file was written to since it was opened. Replacing it by another file of the same
 * name does no harm: the mapping still refers to the first file. */
#ifndef HD_BASE_STAMP_H
#define HD_BASE_STAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

typedef struct hd_stamp {
    uint64_t device, inode, bytes;
    int64_t seconds, nanoseconds; /* modification time */
    bool known;                   /* false: not set */
} hd_stamp;

static inline hd_stamp hd_stamp_of(const struct stat *info) {
    return (hd_stamp){.device = (uint64_t)info->st_dev,
                      .inode = (uint64_t)info->st_ino,
                      .bytes = (uint64_t)info->st_size,
                      .seconds = (int64_t)info->st_mtim.tv_sec,
                      .nanoseconds = (int64_t)info->st_mtim.tv_nsec,
                      .known = true};
}

/* True if `path` is still the stamped file (same inode) but its size or modification time has changed. */
static inline bool hd_stamp_changed(const hd_stamp *stamp, const char *path) {
    struct stat info;
    if (!stamp->known || stat(path, &info) != 0)
        return false;
    hd_stamp now = hd_stamp_of(&info);
    /* never: tests have one disk */
    return now.device == stamp->device && now.inode == stamp->inode &&
           (now.bytes != stamp->bytes || now.seconds != stamp->seconds || now.nanoseconds != stamp->nanoseconds);
}

#endif
