/* transpose.h - the in-edges of a directed graph, built on the device that holds its out-edges. They are bit for bit
 * those of the host (graph/csr_transpose.c), and ready before the host's could be uploaded. */
#ifndef HD_ENGINE_PRIMITIVE_TRANSPOSE_H
#define HD_ENGINE_PRIMITIVE_TRANSPOSE_H

#include "engine/device/kernels.h"
#include "engine/device/resident.h"

/* Whether the device should do it: a GPU, a large enough graph, and room for the buffers. */
heddle_status hd_transpose_pays(hd_resident *resident, bool weights, bool *pays);
/* Fills `in` from resident->out, which must be there. The buffers are allocated here; after an error the caller
 * releases those that exist. */
heddle_status hd_transpose_rows(hd_resident *resident, bool weights, heddle_report *report, hd_resident_rows *in);

/* Parts of it: buffers for rows of the graph; and offsets from sorted keys, by kernels that have hd_text_transpose. */
heddle_status hd_transpose_room(hd_resident *resident, bool weights, hd_resident_rows *rows);
heddle_status hd_transpose_offsets(const hd_kernels *kernels, const hd_resident *resident, const hd_buffer *keys,
                                   const hd_buffer *offsets);

#endif
