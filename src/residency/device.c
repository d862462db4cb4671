/* device.c - residency device: all edges in the memory that the run works in. A run whose bytes are not known
 * beforehand is tried. */
#include "residency/residency.h"

static const char *refuse(const hd_residency_facts *facts) {
    (void)facts;
    return NULL;
}

static bool fits(const hd_residency_facts *facts) { return facts->wanted <= facts->room; }

const hd_residency hd_residency_device = {.name = "device",
                                          .about = "all edges in the memory of the device (on the CPU: in memory)",
                                          .road = "resident",
                                          .refuse = refuse,
                                          .fits = fits,
                                          .on_host = hd_residency_none_on_host};
