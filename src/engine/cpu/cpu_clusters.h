/* cpu_clusters.h - rounds inside clusters, between rounds over all edges (graffix/latency.c). */
#ifndef HD_ENGINE_CPU_CPU_CLUSTERS_H
#define HD_ENGINE_CPU_CPU_CLUSTERS_H

#include "engine/cpu/cpu_engine.h"

/* After a round of a monotone program that can push: vertices of clusters with one in the frontier push along the edges
 * inside, several times; those that change are appended to the frontier. */
void hd_clusters_iterate(hd_engine *e);

#endif
