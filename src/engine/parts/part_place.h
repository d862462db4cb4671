/* part_place.h - where the edges of a part on a device lie: in its memory if they fit, else where the plan says, or the
 * first residency that can have them. Private to part_device.c. */
#ifndef HD_ENGINE_PARTS_PART_PLACE_H
#define HD_ENGINE_PARTS_PART_PLACE_H

#include "engine/device/incore_run.h"
#include "engine/parts/part.h"
#include "engine/parts/windows.h"

typedef struct hd_part_place {
    const hd_residency *residency; /* NULL: not chosen yet */
    uint64_t room;                 /* bytes on the device that may be used */
} hd_part_place;

/* Chooses, of the residencies behind place->residency; the run's shape and layout are known. `open`: the plan leaves it
 * open, so that the next may be tried if memory does not suffice after all. HEDDLE_E_DEVICE_MEMORY, with the numbers,
 * if none is left; HEDDLE_E_REFUSED if the device cannot have what the plan requires. */
heddle_status hd_part_place_choose(const hd_part *part, const incore *e, hd_part_place *place, bool *open);
/* Bytes that are left for edges beside the buffers of the run's shape. */
uint64_t hd_part_place_left(const incore *e, const hd_part_place *place);
/* Applies the limit, and allocates the edges where hd_incore_allocate would not put them. */
heddle_status hd_part_place_edges(const hd_part *part, incore *e, const hd_part_place *place);

/* Where the edges have come to lie. */
void hd_part_place_report(const incore *e, const hd_windows *windows, heddle_report *report);

#endif
