/* file.h - reports that are files of their own: there whole, or not at all. */
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

/* Opens a temporary file beside `path`. False: errno tells why. */
bool cli_file_open(cli_file *file, const char *path);
/* Puts it in place when `keep` is given and everything could be written; otherwise nothing is left of it. False: it is
 * not there, and errno tells why. */
bool cli_file_close(cli_file *file, bool keep);

#endif
