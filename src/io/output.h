/* output.h - writing a file that appears whole or not at all, plain or compressed.
 *
 * hd_output_open creates a temporary file in the target's folder, unnamed if possible; hd_output_close finishes it,
 * syncs it to the disk, renames it into place and syncs the folder; hd_output_abandon removes it. Until the rename an
 * existing target is unchanged; afterwards the new file has the permissions of the old one, or those of any new file.
 * "-" is standard output; that, and targets that are not regular files (/dev/null, a pipe), are written directly and
 * cannot be undone.
 *
 * Errors are kept: after the first failed write (or once the context is cancelled) the rest are ignored, and close
 * reports it. All calls come from the calling thread.
 */
#ifndef HD_IO_OUTPUT_H
#define HD_IO_OUTPUT_H

#include "base/context.h"

typedef struct hd_output hd_output;

enum { HD_OUTPUT_ROOM = 1 << 20 }; /* the most bytes that can be reserved, or printed, at once */

/* The suffix of `path` (.gz, .zst, .bz2, .xz) chooses the compression; `level` 0 is the default of the library. */
heddle_status hd_output_open(heddle_context *ctx, const char *path, int level, hd_output **output);
/* An output whose bytes go to `sink` in place of a file; `name` is for messages, and nothing is compressed. The sink
 * returns false if it fails, with its error in the context. */
typedef bool (*hd_output_sink)(void *self, const void *data, size_t bytes);
heddle_status hd_output_open_sink(heddle_context *ctx, const char *name, hd_output_sink sink, void *self,
                                  hd_output **output);
/* Lets others write into the same new file, beside what is written here: gives the temporary file a name now, which the
 * caller may open until the output is closed. NULL if the output is no plain file that replaces the target. Fails as
 * writing does. */
const char *hd_output_share(hd_output *output);
void hd_output_write(hd_output *output, const void *data, size_t bytes);
bool hd_output_is_standard(const hd_output *output); /* also a sink that is called "-" */
void hd_output_printf(hd_output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Room for `bytes` <= HD_OUTPUT_ROOM bytes to be formatted in place, then hd_output_advance by what was used. */
char *hd_output_reserve(hd_output *output, size_t bytes);
void hd_output_advance(hd_output *output, size_t bytes);
uint64_t hd_output_position(const hd_output *output); /* bytes written so far, before compression */
const char *hd_output_name(const hd_output *output);  /* the path as it was given; "<stdout>" for "-" */
bool hd_output_failed(const hd_output *output);
heddle_status hd_output_close(hd_output **output); /* commits; frees; on error removes the temporary */
void hd_output_abandon(hd_output **output);
/* Syncs the folder that holds `path`, so that a new name survives a power failure. Folders that cannot be opened or
 * synced, as those of some file systems, are left alone: the file itself is whole under its old or its new name. */
void hd_sync_name(const char *path);

#endif
