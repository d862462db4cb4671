/* disk.c - residency disk: the CPU reads partitions of edges from an .hdl file. */
#include "residency/residency.h"

static const char *refuse(const hd_residency_facts *facts) {
    return facts->on_device ? "devices read memory: residency=device would do"
                            : "it is not built yet: residency=device would do";
}

const hd_residency hd_residency_disk = {.name = "disk",
                                        .about = "on the CPU: edges are read from the .hdl file, part by part",
                                        .refuse = refuse,
                                        .fits = hd_residency_values_fit,
                                        .on_host = hd_residency_none_on_host};
