/* foreign.h - formats that are recognised but not read: the error names the format and a way to convert it. */
#ifndef HD_IO_FOREIGN_H
#define HD_IO_FOREIGN_H

#include "io/input.h"

/* HEDDLE_E_UNSUPPORTED if the content is in a known format that Heddle does not read. */
heddle_status hd_foreign_refuse(heddle_context *ctx, const hd_input *input);

#endif
