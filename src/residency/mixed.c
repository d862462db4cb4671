/* mixed.c - residency mixed and residency host: edges are one range of addresses whose pages lie in the device's memory
 * or in pinned memory of the host, which kernels read in place. */
#include "residency/residency.h"

static const char *refuse(const hd_residency_facts *facts) {
    return !facts->on_device   ? "the CPU reads its own memory; use residency=device instead"
           : !facts->maps_host ? "kernels of this device cannot read the host's memory; use residency=device instead"
                               : NULL;
}

static uint64_t edges_left_out(const hd_residency_facts *facts) {
    uint64_t others = facts->wanted > facts->edges ? facts->wanted - facts->edges : facts->least;
    uint64_t pages = facts->room > others ? facts->room - others : 0;
    return facts->edges > pages ? facts->edges - pages : 0;
}

static uint64_t all_edges(const hd_residency_facts *facts) { return facts->edges; }

const hd_residency hd_residency_mixed = {.name = "mixed",
                                         .about = "as many pages of edges as fit on the device, the others in pinned "
                                                  "memory of the host, where kernels read them",
                                         .road = "in place",
                                         .refuse = refuse,
                                         .fits = hd_residency_values_fit,
                                         .spills = true,
                                         .pages = true,
                                         .on_host = edges_left_out};

const hd_residency hd_residency_host = {.name = "host",
                                        .about = "all edges in pinned memory of the host, where kernels read them",
                                        .road = "in place",
                                        .refuse = refuse,
                                        .fits = hd_residency_values_fit,
                                        .spills = true,
                                        .on_host = all_edges};
