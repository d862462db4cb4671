/* file.c - see file.h. */
#include "file.h"

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Resolves links to a file that does not exist yet: a dangling link stays a link. */
static bool follow_links(char target[PATH_MAX]) {
    enum { MOST_LINKS = 40 }; /* as the system's own limit */
    char link[PATH_MAX];
    ssize_t length;
    for (int i = 0; (length = readlink(target, link, sizeof link - 1)) >= 0; i++) {
        char *slash = strrchr(target, '/'), *name = link[0] != '/' && slash ? slash + 1 : target;
        if (i == MOST_LINKS || name + length >= target + PATH_MAX) {
            errno = ELOOP;
            return false;
        }
        memcpy(name, link, (size_t)length);
        name[length] = '\0';
    }
    return true;
}

static bool open_temporary(cli_file *file, mode_t mode) {
    static const char random[] = ".XXXXXX";
    size_t length = strlen(file->target);
    if (length + sizeof random > sizeof file->temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(file->temporary, file->target, length);
    memcpy(file->temporary + length, random, sizeof random);
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0)
        return false;
    if (fchmod(descriptor, mode) == 0 && (file->out = fdopen(descriptor, "w")))
        return true;
    int reason = errno;
    close(descriptor);
    unlink(file->temporary);
    errno = reason;
    return false;
}

bool cli_file_open(cli_file *file, const char *path) {
    struct stat info;
    mode_t mask = umask(0);
    umask(mask);
    *file = (cli_file){.out = NULL};
    bool exists = stat(path, &info) == 0;
    if (exists && !S_ISREG(info.st_mode)) {
        file->out = fopen(path, "w");
        return file->out != NULL;
    }
    if (strlen(path) >= sizeof file->target) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(file->target, path, strlen(path) + 1);
    if (exists ? access(path, W_OK) != 0 || !realpath(path, file->target) : !follow_links(file->target))
        return false;
    return open_temporary(file, exists ? info.st_mode & 0777 : 0666 & ~mask);
}

/* Syncs the folder, so that the new name survives a power failure; some file systems cannot. */
static void sync_name(const char *path) {
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

/* The content is on the disk before the file gets its name; some file systems do not support that. */
static bool sync_content(FILE *out) { return fsync(fileno(out)) == 0 || errno == EINVAL || errno == ENOSYS; }

bool cli_file_close(cli_file *file, bool keep) {
    bool named = file->temporary[0] != '\0';
    bool written = fflush(file->out) == 0 && !ferror(file->out) && (!named || !keep || sync_content(file->out));
    int reason = errno;
    if (fclose(file->out) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (named && written && keep) {
        written = rename(file->temporary, file->target) == 0;
        reason = errno;
        named = !written;
        if (written)
            sync_name(file->target);
    }
    if (named)
        unlink(file->temporary);
    errno = reason;
    return written;
}

int cli_file_check(const char *path, const char *failure) {
    struct stat info;
    cli_file file;
    bool exists = path && stat(path, &info) == 0;
    if (!path || (exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
        return 0;
    if (cli_file_open(&file, path)) {
        cli_file_close(&file, false);
        return 0;
    }
    cli_say("%.800s: %s: %s", path, failure, strerror(errno));
    return CLI_EXIT_OUTPUT;
}

bool cli_same_file(const char *one, const char *other) {
    struct stat a, b;
    if (!one || !other || !strcmp(one, "-") || !strcmp(other, "-"))
        return false;
    if (stat(one, &a) != 0 || stat(other, &b) != 0)
        return !strcmp(one, other);
    return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
