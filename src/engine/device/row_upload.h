/* row_upload.h - uploads a graph's rows to a device.
 *
 * One pass over host memory does everything: parts of a mapped file that are still unchecked are checked, offsets are
 * narrowed if 32 bits suffice, and pinned blocks are filled while earlier ones are transferred.
 */
#ifndef HD_ENGINE_DEVICE_ROW_UPLOAD_H
#define HD_ENGINE_DEVICE_ROW_UPLOAD_H

#include "engine/device/resident.h"

/* Uploads those parts of the graph's out- or in-rows, which the host must have, that are not on the device yet. The
 * buffers are allocated here; after an error the caller releases those that exist. `want`: HD_WANT_WEIGHTS,
 * HD_WANT_BARE or nothing. */
heddle_status hd_upload_rows(hd_resident *resident, const heddle_graph *graph, bool in, int want,
                             hd_resident_rows *there);

#endif
