/* stream.c - residency stream: partitions of edges pass through the device. */
#include "residency/residency.h"

static const char *refuse(const hd_residency_facts *facts) {
    return !facts->on_device ? "the CPU reads its own memory: residency=device would do"
                             : "it is not built yet: residency=device would do";
}

const hd_residency hd_residency_stream = {.name = "stream",
                                          .about = "partitions of edges pass through the memory of the device",
                                          .refuse = refuse,
                                          .fits = hd_residency_values_fit,
                                          .on_host = hd_residency_none_on_host};
