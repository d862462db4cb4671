/* edge_room.h - room for an array of edges on a device, placed as the run's residency says: all in the device's memory,
 * all in the host's, or its hottest pages here and the others there, under one range of addresses. */
#ifndef HD_ENGINE_DEVICE_EDGE_ROOM_H
#define HD_ENGINE_DEVICE_EDGE_ROOM_H

#include "engine/device/resident.h"

/* For `each` bytes per edge of the graph's out-rows or in-rows; counted in resident->bytes. Takes its share of
 * resident->page_room. A driver that cannot mix pages gets the array whole, on one side, with a note. */
heddle_status hd_edge_room(hd_resident *resident, const heddle_graph *graph, bool in, uint64_t each, const char *what,
                           hd_buffer *buffer);

/* An array that stands for rows or weights, as hd_resident_extra keeps one; for runs that want `what`, HD_WANT_BARE or
 * HD_WANT_NARROW: others free it. With the offsets of rows it has a byte for each edge, and the hottest pages lie on
 * the device. Without, those on the device are spread evenly: if rounds read all of it, the bus is busy all the
 * time. */
heddle_status hd_edge_extra(hd_resident *resident, int what, const uint64_t *offsets, const char *name, uint64_t bytes,
                            hd_buffer *buffer, bool *fresh);

#endif
