/* disk_file.h - reads parts of a file past the page cache, into memory of the caller's. */
#ifndef HD_RESIDENCY_DISK_FILE_H
#define HD_RESIDENCY_DISK_FILE_H

#include "base/context.h"
#include "base/stamp.h"

/* Offsets, lengths and addresses of direct reads are multiples of this on every usual file system. */
enum { HD_DISK_PAGE = 4096 };

typedef struct hd_disk_file {
    const char *name;
    hd_stamp stamp;
    int direct; /* opened for direct reads; -1: the file system has none */
    int plain;  /* through the page cache, from which what was read is dropped again */
} hd_disk_file;

/* Opens the file that `stamp` is of. HEDDLE_E_READ if it cannot be opened or is another one by now. */
heddle_status hd_disk_file_open(heddle_context *ctx, const char *name, const hd_stamp *stamp, hd_disk_file *file);
void hd_disk_file_close(hd_disk_file *file);

/* The range to read for a part: whole pages around it. */
static inline uint64_t hd_disk_room(uint64_t bytes) {
    return (bytes + HD_DISK_PAGE - 1) / HD_DISK_PAGE * HD_DISK_PAGE + HD_DISK_PAGE;
}

enum { HD_DISK_ENDS = -1 };
/* Reads `bytes` bytes from `offset` on. `room` lies at a multiple of a page and has hd_disk_room(bytes); *at receives
 * where in it the first byte is. From any thread. Returns 0, an error number, or HD_DISK_ENDS: the file ends before. */
int hd_disk_file_read(const hd_disk_file *file, uint64_t offset, uint64_t bytes, char *room, char **at);

/* Drops a part from the page cache, if no process maps it. */
void hd_disk_file_drop(const hd_disk_file *file, uint64_t offset, uint64_t bytes);

/* The error of a failed read. */
heddle_status hd_disk_file_fail(heddle_context *ctx, const hd_disk_file *file, int error);
/* The error of a file whose content is another than before. */
heddle_status hd_disk_file_changed(heddle_context *ctx, const hd_disk_file *file);
/* HEDDLE_E_READ if the file was written to since its stamp was taken. */
heddle_status hd_disk_file_unchanged(heddle_context *ctx, const hd_disk_file *file);

#endif
