/* output.h - writing a file that appears whole or not at all, plain or compressed.
 *
 * hd_output_open creates a temporary file (0600, O_EXCL) in the target's folder; hd_output_close finishes, syncs
 * sizes, gives it the permissions a plain new file would have, and renames it into place; hd_output_abandon removes
 * it. "-" is standard output, where nothing can be taken back.
 * Errors are kept: after the first failed write the rest are ignored, and close reports it.
 */
#ifndef HD_IO_OUTPUT_H
#define HD_IO_OUTPUT_H

#include "base/context.h"

typedef struct hd_output hd_output;

/* The suffix of `path` (.gz, .zst) chooses the compression; `level` 0 is the default of the library. */
heddle_status hd_output_open(heddle_context *ctx, const char *path, int level, hd_output **output);
void hd_output_write(hd_output *output, const void *data, size_t bytes);
void hd_output_printf(hd_output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Room for at least `bytes` bytes to be formatted in place, then hd_output_advance by what was used. */
char *hd_output_reserve(hd_output *output, size_t bytes);
void hd_output_advance(hd_output *output, size_t bytes);
uint64_t hd_output_position(const hd_output *output); /* bytes written so far, before compression */
bool hd_output_failed(const hd_output *output);
heddle_status hd_output_close(hd_output **output);   /* commits; frees; on error removes the temporary */
void hd_output_abandon(hd_output **output);

#endif
