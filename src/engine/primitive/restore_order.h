/* restore_order.h - values of a renamed graph's vertices, still on the device, brought back to the order of the
 * vertices that the user knows. It takes some ten microseconds there and milliseconds on the host. */
#ifndef HD_ENGINE_PRIMITIVE_RESTORE_ORDER_H
#define HD_ENGINE_PRIMITIVE_RESTORE_ORDER_H

#include "engine/device/resident.h"
#include "engine/result.h"

/* `*home` becomes the buffer with the values (of 4 or 8 bytes) in the user's order: `values` itself where the graph
 * is no renamed one. With `labels` they are vertices, members of components, and become the smallest members. The
 * time counts as computing; result->home is set. Where the device has no room for it nothing happens, and the host
 * will do it. */
heddle_status hd_restore_order(hd_resident *resident, const heddle_graph *graph, const hd_buffer *values, size_t size,
                               bool labels, heddle_result *result, hd_buffer *home);
void hd_restore_order_close(hd_resident *resident); /* with the graph */
/* Bytes that stay on the device for it. */
uint64_t hd_restore_order_bytes(uint64_t vertices, size_t size, bool labels);

#endif
