/* row_upload.h - a graph's rows on their way to a device.
 *
 * One pass over the host's memory does all there is to do: what has not been checked yet of a mapped file is checked,
 * offsets are narrowed where 32 bits are enough, and pinned blocks are filled while those before them travel.
 */
#ifndef HD_ENGINE_DEVICE_ROW_UPLOAD_H
#define HD_ENGINE_DEVICE_ROW_UPLOAD_H

#include "engine/device/resident.h"

/* Brings the graph's out- or in-rows, which the host must have, to the device: what of them is not there yet. The
 * buffers are allocated here; after an error whatever is there has to be released. `want`: HD_WANT_WEIGHTS,
 * HD_WANT_BARE or nothing. */
heddle_status hd_upload_rows(hd_resident *resident, const heddle_graph *graph, bool in, int want,
                             hd_resident_rows *there);

#endif
