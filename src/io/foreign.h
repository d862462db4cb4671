/* foreign.h - files that are recognised, but not read: refused by their name, with what would convert them. */
#ifndef HD_IO_FOREIGN_H
#define HD_IO_FOREIGN_H

#include "io/input.h"

/* HEDDLE_E_UNSUPPORTED when the content is that of a format which Heddle does not read. */
heddle_status hd_foreign_refuse(heddle_context *ctx, const hd_input *input);

#endif
