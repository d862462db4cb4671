/* restore_order.h - maps values of a renamed graph's vertices, still on the device, back to the user's vertices. This
 * takes some ten microseconds there and milliseconds on the host. */
#ifndef HD_ENGINE_PRIMITIVE_RESTORE_ORDER_H
#define HD_ENGINE_PRIMITIVE_RESTORE_ORDER_H

#include "engine/device/resident.h"
#include "engine/result.h"

/* `*home` becomes the buffer with the values (of 4 or 8 bytes) in the user's order: `values` itself if the graph is not
 * a renamed one. With `labels` the values are members of components, and become the smallest members. The time counts
 * as computing; result->home is set. If the device has no room, nothing happens, and the host will do it. */
heddle_status hd_restore_order(hd_resident *resident, const heddle_graph *graph, const hd_buffer *values, size_t size,
                               bool labels, heddle_result *result, hd_buffer *home);
void hd_restore_order_close(hd_resident *resident); /* freed with the graph */
/* Bytes that it keeps on the device. */
uint64_t hd_restore_order_bytes(uint64_t vertices, size_t size, bool labels);

#endif
