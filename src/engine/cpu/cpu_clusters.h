/* cpu_clusters.h - rounds inside clusters, between rounds over all edges (graffix/latency.c). */
#ifndef HD_ENGINE_CPU_CPU_CLUSTERS_H
#define HD_ENGINE_CPU_CPU_CLUSTERS_H

#include "engine/cpu/cpu_engine.h"

/* After a round of a monotone program that can push: vertices of clusters with one in the frontier push along the edges
 * inside, several times; those that change are appended to the frontier. */
void hd_clusters_iterate(hd_engine *e);
/* After a strict round of PageRank, when the old ranks are in the second buffer: as schedule/clusters.cl says. */
heddle_status hd_clusters_rank(hd_engine *e);

#endif
