/* streamed.c - residency stream: partitions of edges pass through the device. */
#include "residency/residency.h"

static const char *refuse(const hd_residency_facts *facts) {
    return !facts->on_device ? "the CPU reads its own memory; use residency=device instead"
           : !facts->program ? "only vertex programs take edges partition by partition; use residency=mixed instead"
                             : NULL;
}

/* Pinned, and sent from there. */
static uint64_t all_edges(const hd_residency_facts *facts) { return facts->edges; }

const hd_residency hd_residency_stream = {.name = "stream",
                                          .about = "partitions of edges pass through the memory of the device",
                                          .road = "streamed",
                                          .spans = true,
                                          .refuse = refuse,
                                          .fits = hd_residency_values_fit,
                                          .on_host = all_edges};
