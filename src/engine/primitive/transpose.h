/* transpose.h - the in-edges of a directed graph, made on the device that holds its out-edges. They are what the host
 * would make (graph/transpose.c), bit for bit; a device is done before the host's would have come over the bus. */
#ifndef HD_ENGINE_PRIMITIVE_TRANSPOSE_H
#define HD_ENGINE_PRIMITIVE_TRANSPOSE_H

#include "engine/device/kernels.h"
#include "engine/device/resident.h"

/* Whether the device shall do it: a GPU, with enough to do, and room for what it needs on the way. */
heddle_status hd_transpose_pays(hd_resident *resident, bool weights, bool *pays);
/* Fills `in` from resident->out, which is there. The buffers are allocated here; after an error whatever is there has
 * to be released. */
heddle_status hd_transpose_rows(hd_resident *resident, bool weights, heddle_report *report, hd_resident_rows *in);

/* Parts of it. Buffers for rows of the graph; and offsets from sorted keys, by kernels that have hd_text_transpose. */
heddle_status hd_transpose_room(hd_resident *resident, bool weights, hd_resident_rows *rows);
heddle_status hd_transpose_offsets(const hd_kernels *kernels, const hd_resident *resident, const hd_buffer *keys,
                                   const hd_buffer *offsets);

#endif
