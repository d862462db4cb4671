/* edge_room.h - allocates an array of edges for a device according to the run's residency: all in device memory, all in
 * host memory, or its hottest pages on the device and the others in host memory, under one range of addresses. */
#ifndef HD_ENGINE_DEVICE_EDGE_ROOM_H
#define HD_ENGINE_DEVICE_EDGE_ROOM_H

#include "engine/device/resident.h"

/* Allocates `each` bytes per edge of the graph's out-rows or in-rows; counted in resident->bytes. Takes its share of
 * resident->page_room. If the driver cannot mix pages, the whole array is on one side, with a note. */
heddle_status hd_edge_room(hd_resident *resident, const heddle_graph *graph, bool in, uint64_t each, const char *what,
                           hd_buffer *buffer);

enum { HD_EDGE_LINE = 128 }; /* bytes of a line */

/* An array used in place of rows, kept like hd_resident_extra, for runs that want `what`, HD_WANT_JOINED or
 * HD_WANT_PACKED: other runs free it. With the offsets of rows it has `line` edges in HD_EDGE_LINE bytes, and the
 * hottest pages are on the device. Without, the pages on the device are spread evenly (`line` is not used): if rounds
 * read the whole array, the bus is then always busy. */
heddle_status hd_edge_extra(hd_resident *resident, int what, const uint64_t *offsets, uint64_t line, const char *name,
                            uint64_t bytes, hd_buffer *buffer, bool *fresh);

/* Any array of edges, owned by the caller: its share of resident->page_room goes to the device. `offsets` as above. */
heddle_status hd_edge_place(hd_resident *resident, const uint64_t *offsets, uint64_t line, uint64_t bytes,
                            const char *what, hd_buffer *buffer);

#endif
