/* stamp.h - whether a file is still what it was when it was opened, for those that stay mapped. Another file of the
 * same name does no harm: the mapping is of the first one. */
#ifndef HD_BASE_STAMP_H
#define HD_BASE_STAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

typedef struct hd_stamp {
    uint64_t device, inode, bytes;
    int64_t seconds, nanoseconds; /* of the last change */
    bool known;                   /* false: there is nothing to compare with */
} hd_stamp;

static inline hd_stamp hd_stamp_of(const struct stat *info) {
    return (hd_stamp){.device = (uint64_t)info->st_dev,
                      .inode = (uint64_t)info->st_ino,
                      .bytes = (uint64_t)info->st_size,
                      .seconds = (int64_t)info->st_mtim.tv_sec,
                      .nanoseconds = (int64_t)info->st_mtim.tv_nsec,
                      .known = true};
}

/* Whether the file of this name is the one of the stamp, and another size or time says that it was written to. */
static inline bool hd_stamp_changed(const hd_stamp *stamp, const char *path) {
    struct stat info;
    if (!stamp->known || stat(path, &info) != 0)
        return false;
    hd_stamp now = hd_stamp_of(&info);
    return now.device == stamp->device && now.inode == stamp->inode &&
           (now.bytes != stamp->bytes || now.seconds != stamp->seconds || now.nanoseconds != stamp->nanoseconds);
}

#endif
