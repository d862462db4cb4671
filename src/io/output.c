/* output.c - see output.h. Bytes are collected in a buffer of 1 MiB, compressed if there is a codec, and written to the
 * file; large pieces bypass the buffer. The temporary file is unnamed (O_TMPFILE) if the file system supports that, so
 * that nothing is left behind when the process ends; it gets an unpredictable name just before the rename, or when
 * other ranks are to open it. While it has one, it is locked (flock): one that is not was left by a process that was
 * killed, and the next that writes the same file removes it. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "io/output.h"

#include "base/memory.h"
#include "base/random.h"
#include "io/compress.h"
#include "io/scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 8 << 20, PACK_PIECE = 64 << 10, TRIES = 100, NAME_KEPT = 200 };
enum { LETTERS = 12, RANDOM_LETTERS = 9, ENTRIES_MOST = 1 << 16 /* of a folder, looked at for files that were left */ };
static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";

struct hd_output {
    heddle_context *ctx;
    const hd_codec *codec; /* NULL: plain */
    hd_packer packer;
    int fd;
    int lock;                 /* the same file, open until it has its own name; -1: none */
    bool standard;            /* standard output: not ours to close */
    bool terminal;            /* control characters are shown, not sent */
    char name[PATH_MAX];      /* as the user gave it */
    char target[PATH_MAX];    /* where it really is, links followed */
    char temporary[PATH_MAX]; /* empty: it has no name */
    bool replaces;            /* a temporary file replaces the target; otherwise the target is written directly */
    size_t used;              /* bytes in the buffer */
    uint64_t position;
    heddle_status status; /* of the first failure */
    int errnum;
    hd_output_sink sink; /* NULL: there is a file */
    void *sink_self;
    heddle_error sink_error;
    char buffer[HD_OUTPUT_ROOM];
};

/* ---- Where to ------------------------------------------------------------------------------------------------ */

static heddle_status fail_create(hd_output *output, int errnum, const char *words) {
    return hd_fail_file(output->ctx, HEDDLE_E_WRITE, output->name, errnum, "%s", words);
}

/* A path of the process's own open file, in /proc. */
typedef struct open_name {
    char text[40];
} open_name;

static open_name name_of_open(const hd_output *output) {
    open_name name;
    snprintf(name.text, sizeof name.text, "/proc/self/fd/%d", output->fd);
    return name;
}

static const char *name_of_target(const hd_output *output) {
    const char *slash = strrchr(output->target, '/');
    return slash ? slash + 1 : output->target;
}

/* The folder that holds the file or folder `path`. */
static void name_folder(const char *path, char folder[PATH_MAX]) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length && path[length - 1] != '/')
        length--;
    snprintf(folder, PATH_MAX, "%.*s", length ? (int)length : 1, length ? path : ".");
}

/* Opens an unnamed file in the target's folder; false if that is not supported, or it could not be named later. */
static bool open_nameless(hd_output *output, mode_t mode) {
#ifdef O_TMPFILE
    char folder[PATH_MAX];
    name_folder(output->target, folder);
    output->fd = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    if (output->fd >= 0 && access(name_of_open(output).text, F_OK) == 0)
        return true;
    if (output->fd >= 0)
        close(output->fd);
    output->fd = -1;
#else
    (void)output, (void)mode;
#endif
    return false;
}

/* Random letters, and some that follow from them: a user's own file is not taken for one that was left. */
static void spell(uint64_t word, char text[LETTERS + 1]) {
    word &= (UINT64_C(1) << 5 * RANDOM_LETTERS) - 1;
    word |= hd_hash2(word, LETTERS) << 5 * RANDOM_LETTERS;
    for (int i = 0; i < LETTERS; i++, word >>= 5)
        text[i] = letters[word & 31];
    text[LETTERS] = '\0';
}

static bool is_spelt(const char *text) {
    char again[LETTERS + 1];
    uint64_t word = 0;
    for (int i = RANDOM_LETTERS - 1; i >= 0; i--)
        word = word << 5 | (uint64_t)(strchr(letters, text[i]) - letters);
    spell(word, again);
    return strcmp(text, again) == 0;
}

/* Makes up ".NAME.xxxxxxxxxxxx" beside the target. */
static bool make_temporary_name(hd_output *output) {
    const char *name = name_of_target(output);
    uint64_t word;
    if (getrandom(&word, sizeof word, 0) != (ssize_t)sizeof word)
        word = hd_hash2((uint64_t)(hd_clock() * 1e9), (uint64_t)getpid() ^ (uintptr_t)output);
    char random[LETTERS + 1];
    spell(word, random);
    int length = snprintf(output->temporary, sizeof output->temporary, "%.*s.%.*s.%s", (int)(name - output->target),
                          output->target, NAME_KEPT, name, random);
    return length > 0 && (size_t)length < sizeof output->temporary;
}

/* Locks the open file. The lock ends with the process, or when `lock` is closed. Where the file system has no locks,
 * no other gets one either. */
static void lock_open(hd_output *output) {
    if (output->lock < 0)
        output->lock = fcntl(output->fd, F_DUPFD_CLOEXEC, 0);
    flock(output->fd, LOCK_EX);
}

/* Creates the file under an unused name: a new file, or by linking the open unnamed one. The new file has its name
 * before it is locked, and may have been taken for one that was left. */
static bool create_named(hd_output *output, mode_t mode) {
    struct stat info;
    if (output->fd >= 0) {
        lock_open(output);
        return linkat(AT_FDCWD, name_of_open(output).text, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW) == 0;
    }
    output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (output->fd < 0)
        return false;
    lock_open(output);
    if (fstat(output->fd, &info) == 0 && info.st_nlink > 0)
        return true;
    close(output->lock);
    close(output->fd);
    output->fd = output->lock = -1;
    errno = EEXIST;
    return false;
}

/* ".NAME." and the letters. */
static bool is_temporary_name(const char *entry, const char *name, size_t length) {
    return entry[0] == '.' && strncmp(entry + 1, name, length) == 0 && entry[length + 1] == '.' &&
           strlen(entry + length + 2) == LETTERS && strspn(entry + length + 2, letters) == LETTERS &&
           is_spelt(entry + length + 2);
}

/* Unless a process has it locked. */
static void remove_left(int folder, const char *entry) {
    int fd = openat(folder, entry, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info;
    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, entry, 0);
    close(fd);
}

/* Removes temporary files of this target that processes left when they were killed. */
static void remove_all_left(const hd_output *output) {
    char path[PATH_MAX];
    const char *name = name_of_target(output);
    size_t length = strlen(name) < NAME_KEPT ? strlen(name) : NAME_KEPT;
    name_folder(output->target, path);
    DIR *folder = opendir(path);
    struct dirent *entry;
    for (int i = 0; folder && i < ENTRIES_MOST && (entry = readdir(folder)); i++)
        if (is_temporary_name(entry->d_name, name, length))
            remove_left(dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
}

/* 0, or the system's error. */
static int find_name(hd_output *output, mode_t mode) {
    int errnum = ENAMETOOLONG;
    for (int i = 0; i < TRIES && make_temporary_name(output); i++) {
        if (create_named(output, mode))
            return 0;
        errnum = errno;
        if (errnum != EEXIST && errnum != EINTR)
            break;
    }
    output->temporary[0] = '\0';
    return errnum;
}

/* Opens a temporary file with the given permissions (less the umask, for new files). */
static heddle_status open_temporary(hd_output *output, mode_t mode) {
    output->replaces = true;
    remove_all_left(output);
    int errnum = open_nameless(output, mode) ? 0 : find_name(output, mode);
    return errnum ? fail_create(output, errnum, "cannot create") : HEDDLE_OK;
}

static heddle_status open_direct(hd_output *output) {
    do
        output->fd = open(output->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    while (output->fd < 0 && errno == EINTR && !hd_cancelled(output->ctx));
    if (output->fd < 0 && errno == EINTR)
        return hd_cancelled_status(output->ctx);
    return output->fd >= 0 ? HEDDLE_OK : fail_create(output, errno, "cannot open for writing");
}

/* Resolves symbolic links: a dangling link stays, and its target is created. */
static heddle_status follow_links(hd_output *output) {
    enum { MOST_LINKS = 40 }; /* as the system's own limit */
    char link[PATH_MAX];
    ssize_t length;
    memcpy(output->target, output->name, strlen(output->name) + 1);
    for (int i = 0; (length = readlink(output->target, link, sizeof link - 1)) >= 0; i++) {
        char *slash = strrchr(output->target, '/'), *name = slash ? slash + 1 : output->target;
        link[length] = '\0';
        if (link[0] == '/')
            name = output->target;
        size_t folder = (size_t)(name - output->target);
        if (i == MOST_LINKS || folder + (size_t)length >= sizeof output->target)
            return fail_create(output, ELOOP, "cannot create");
        memcpy(name, link, (size_t)length + 1);
    }
    return HEDDLE_OK;
}

static heddle_status open_file(hd_output *output) {
    struct stat info;
    size_t length = strlen(output->name);
    bool exists = stat(output->name, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return fail_create(output, 0, "is a directory");
    if (exists && !S_ISREG(info.st_mode))
        return open_direct(output);
    if (length == 0 || output->name[length - 1] == '/')
        return fail_create(output, 0, "is no name for a file");
    if (!exists) {
        HD_TRY(follow_links(output));
        return open_temporary(output, 0666);
    }
    if (!realpath(output->name, output->target) || access(output->target, W_OK) != 0)
        return fail_create(output, errno, "cannot write");
    HD_TRY(open_temporary(output, info.st_mode & 0777));
    if (fchmod(output->fd, info.st_mode & 0777) != 0)
        return fail_create(output, errno, "cannot set permissions");
    return HEDDLE_OK;
}

/* ---- The bytes ----------------------------------------------------------------------------------------------- */

static void keep_failure(hd_output *output, heddle_status status, int errnum) {
    if (output->status == HEDDLE_OK) {
        output->status = status;
        output->errnum = errnum;
    }
}

static heddle_status report_failure(const hd_output *output) {
    if (output->sink && output->status != HEDDLE_OK && output->status != HEDDLE_E_CANCELLED) {
        output->ctx->error = output->sink_error;
        return output->status;
    }
    switch (output->status) {
    case HEDDLE_OK: return HEDDLE_OK;
    case HEDDLE_E_CANCELLED: return hd_cancelled_status(output->ctx);
    case HEDDLE_E_MEMORY: return hd_fail_memory(output->ctx, HD_PACK_ROOM, "compression");
    default: return hd_fail_file(output->ctx, output->status, output->name, output->errnum, "cannot write");
    }
}

/* C0 but for tabs and line ends, DEL, C1, and the marks that turn the direction of writing around. */
static bool is_control(uint32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* To a terminal, which labels of strangers must not command: control characters, and bytes that are no UTF-8, are shown
 * as \xNN. Returns how many of the bytes were written. */
static ssize_t write_shown(int fd, const char *data, size_t bytes) {
    char shown[4096];
    size_t used = 0, taken = 0;
    while (taken < bytes && used + 4 < sizeof shown) {
        uint32_t code;
        const char *p = data + taken, *next = hd_scan_utf8(p, data + bytes, &code);
        if (next && !is_control(code)) {
            memcpy(shown + used, p, (size_t)(next - p));
            used += (size_t)(next - p);
            taken = (size_t)(next - data);
        } else {
            used += (size_t)snprintf(shown + used, 5, "\\x%02x", (unsigned char)*p);
            taken++;
        }
    }
    for (size_t done = 0; done < used;) {
        ssize_t now = write(fd, shown + done, used - done);
        if (now < 0 && errno != EINTR && errno != EAGAIN)
            return -1;
        done += now > 0 ? (size_t)now : 0;
    }
    return (ssize_t)taken;
}

/* Writes bytes to the file itself. */
static bool write_raw(void *self, const void *data, size_t bytes) {
    hd_output *output = self;
    for (const char *p = data; bytes > 0 && output->status == HEDDLE_OK;) {
        if (hd_cancelled(output->ctx)) {
            keep_failure(output, HEDDLE_E_CANCELLED, 0);
            break;
        }
        ssize_t done =
            output->terminal ? write_shown(output->fd, p, bytes) : write(output->fd, p, bytes < PIECE ? bytes : PIECE);
        if (done >= 0) {
            p += done;
            bytes -= (size_t)done;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            poll(&(struct pollfd){.fd = output->fd, .events = POLLOUT}, 1, 100);
        } else if (errno != EINTR) {
            keep_failure(output, HEDDLE_E_WRITE, errno);
        }
    }
    return output->status == HEDDLE_OK;
}

static void pour(hd_output *output, const void *data, size_t bytes) {
    if (hd_cancelled(output->ctx)) {
        keep_failure(output, HEDDLE_E_CANCELLED, 0);
    } else if (!output->sink(output->sink_self, data, bytes)) {
        output->sink_error = output->ctx->error;
        keep_failure(output, output->sink_error.status, 0);
    }
}

/* Sends bytes through the codec. `last` ends the file. */
static void emit(hd_output *output, const void *data, size_t bytes, bool last) {
    if (output->status != HEDDLE_OK)
        return;
    if (output->sink) {
        pour(output, data, bytes);
        return;
    }
    if (!output->codec) {
        write_raw(output, data, bytes);
        return;
    }
    const char *p = data;
    do { /* in small pieces, so that it can be cancelled: the highest levels compress less than 1 MiB a second */
        size_t piece = bytes < PACK_PIECE ? bytes : PACK_PIECE;
        bytes -= piece;
        if (hd_cancelled(output->ctx))
            keep_failure(output, HEDDLE_E_CANCELLED, 0);
        else
            keep_failure(output, output->codec->pack(&output->packer, output->name, p, piece, last && !bytes), 0);
        p += piece;
    } while (bytes > 0 && output->status == HEDDLE_OK);
}

static void flush(hd_output *output, bool last) {
    if (output->used || last)
        emit(output, output->buffer, output->used, last);
    output->used = 0;
}

void hd_output_write(hd_output *output, const void *data, size_t bytes) {
    output->position += bytes;
    if (bytes > HD_OUTPUT_ROOM - output->used)
        flush(output, false);
    if (bytes >= HD_OUTPUT_ROOM) {
        emit(output, data, bytes, false);
    } else if (bytes) {
        memcpy(output->buffer + output->used, data, bytes);
        output->used += bytes;
    }
}

bool hd_output_is_standard(const hd_output *output) { return output->standard; }

void hd_output_printf(hd_output *output, const char *format, ...) {
    for (int attempt = 0; attempt < 2; attempt++) {
        size_t room = HD_OUTPUT_ROOM - output->used;
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(output->buffer + output->used, room, format, arguments);
        va_end(arguments);
        if (length >= 0 && (size_t)length < room) {
            hd_output_advance(output, (size_t)length);
            return;
        }
        flush(output, false);
    }
    keep_failure(output, HEDDLE_E_INTERNAL, 0);
}

char *hd_output_reserve(hd_output *output, size_t bytes) {
    if (bytes > HD_OUTPUT_ROOM - output->used)
        flush(output, false);
    return output->buffer + output->used;
}

void hd_output_advance(hd_output *output, size_t bytes) {
    output->used += bytes;
    output->position += bytes;
}

uint64_t hd_output_position(const hd_output *output) { return output->position; }

const char *hd_output_name(const hd_output *output) { return output->name; }

bool hd_output_failed(const hd_output *output) { return output->status != HEDDLE_OK; }

/* ---- Life ---------------------------------------------------------------------------------------------------- */

/* Some file systems do not support fsync and report that. An interrupted fsync is retried. */
static void sync_file(hd_output *output) {
    int failed;
    do
        failed = fsync(output->fd);
    while (failed && errno == EINTR && !hd_cancelled(output->ctx));
    if (failed && errno != EINVAL && errno != ENOSYS && errno != EINTR)
        keep_failure(output, HEDDLE_E_WRITE, errno);
}

void hd_sync_name(const char *path) {
    char folder[PATH_MAX];
    name_folder(path, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* The content is on the disk before the file gets the target's name: after a crash there is either the old file or the
 * new one. */
static void prepare_name(hd_output *output) {
    if (output->status == HEDDLE_OK && !hd_cancelled(output->ctx))
        sync_file(output);
    if (output->status == HEDDLE_OK && hd_cancelled(output->ctx))
        keep_failure(output, HEDDLE_E_CANCELLED, 0);
    int errnum = output->status == HEDDLE_OK && !output->temporary[0] ? find_name(output, 0) : 0;
    if (errnum)
        keep_failure(output, HEDDLE_E_WRITE, errnum);
}

/* Closes and frees; removes the temporary file if there still is one. */
static void destroy(hd_output *output) {
    heddle_context *ctx = output->ctx;
    if (output->codec)
        output->codec->pack_close(&output->packer);
    if (output->packer.room)
        hd_free(&ctx->allocator, output->packer.room, HD_PACK_ROOM);
    if (output->fd >= 0 && !output->standard)
        close(output->fd);
    if (output->temporary[0])
        unlink(output->temporary);
    if (output->lock >= 0)
        close(output->lock);
    hd_free(&ctx->allocator, output, sizeof *output);
}

static heddle_status open_codec(hd_output *output, int level) {
    if (!output->codec)
        return HEDDLE_OK;
    output->packer = (hd_packer){.ctx = output->ctx, .sink = write_raw, .self = output};
    HD_TRY(hd_new(output->ctx, (void **)&output->packer.room, HD_PACK_ROOM, 1, false, "compression"));
    return output->codec->pack_open(&output->packer, output->name, level);
}

heddle_status hd_output_open_sink(heddle_context *ctx, const char *name, hd_output_sink sink, void *self,
                                  hd_output **result) {
    hd_output *output;
    *result = NULL;
    HD_TRY(HD_NEW(ctx, &output, 1, "the output buffer"));
    memset(output, 0, offsetof(hd_output, buffer));
    output->ctx = ctx;
    output->fd = output->lock = -1;
    output->sink = sink;
    output->sink_self = self;
    output->standard = strcmp(name, "-") == 0;
    snprintf(output->name, sizeof output->name, "%s", name);
    *result = output;
    return HEDDLE_OK;
}

const char *hd_output_share(hd_output *output) {
    if (!output->replaces || output->codec)
        return NULL;
    int errnum = output->temporary[0] ? 0 : find_name(output, 0);
    if (errnum)
        keep_failure(output, HEDDLE_E_WRITE, errnum);
    return errnum ? NULL : output->temporary;
}

heddle_status hd_output_open(heddle_context *ctx, const char *path, int level, hd_output **result) {
    hd_output *output;
    *result = NULL;
    if (strlen(path) >= sizeof output->name)
        return hd_fail_file(ctx, HEDDLE_E_WRITE, path, ENAMETOOLONG, "cannot create");
    HD_TRY(HD_NEW(ctx, &output, 1, "the output buffer"));
    memset(output, 0, offsetof(hd_output, buffer));
    output->ctx = ctx;
    output->lock = -1;
    output->standard = strcmp(path, "-") == 0;
    output->fd = output->standard ? STDOUT_FILENO : -1;
    output->codec = hd_codec_of_path(path);
    strcpy(output->name, output->standard ? "<stdout>" : path);
    heddle_status status = open_codec(output, level);
    if (status == HEDDLE_OK && !output->standard)
        status = open_file(output);
    output->terminal = status == HEDDLE_OK && isatty(output->fd);
    if (status == HEDDLE_OK)
        *result = output;
    else
        destroy(output);
    return status;
}

heddle_status hd_output_close(hd_output **handle) {
    hd_output *output = *handle;
    *handle = NULL;
    flush(output, true);
    if (output->replaces)
        prepare_name(output);
    if (!output->standard && !output->sink) {
        if (close(output->fd) != 0 && errno != EINTR)
            keep_failure(output, HEDDLE_E_WRITE, errno);
        output->fd = -1;
    }
    if (output->status == HEDDLE_OK && hd_cancelled(output->ctx))
        keep_failure(output, HEDDLE_E_CANCELLED, 0);
    if (output->status == HEDDLE_OK && output->replaces) {
        if (rename(output->temporary, output->target) == 0) {
            output->temporary[0] = '\0';
            hd_sync_name(output->target);
        } else {
            keep_failure(output, HEDDLE_E_WRITE, errno);
        }
    }
    heddle_status status = report_failure(output);
    destroy(output);
    return status;
}

void hd_output_abandon(hd_output **handle) {
    if (*handle)
        destroy(*handle);
    *handle = NULL;
}
