/* file.h - report files that appear complete or not at all. */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct cli_file {
    FILE *out;
    char target[PATH_MAX];    /* links followed */
    char temporary[PATH_MAX]; /* beside the target; empty: written to directly (a pipe, /dev/null) */
} cli_file;

/* Opens a temporary file beside `path`. False: errno has the reason. */
bool cli_file_open(cli_file *file, const char *path);
/* Renames it into place if `keep` is set and everything was written; otherwise removes it. False: it was not written,
 * and errno says why. */
bool cli_file_close(cli_file *file, bool keep);

/* Whether `path`, which may be NULL, could be written. If not, says `failure` ("cannot write") and why, and returns an
 * exit status. For before long work: nothing is left behind, and a pipe or device is not opened. */
int cli_file_check(const char *path, const char *failure);
/* Whether both are one file, by whatever names; NULL, and "-", are none. */
bool cli_same_file(const char *one, const char *other);

#endif
