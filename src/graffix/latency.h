/* latency.h - clusters that are iterated by themselves (graffix.h), as rows and for devices. */
#ifndef HD_GRAFFIX_LATENCY_H
#define HD_GRAFFIX_LATENCY_H

#include "graffix/graffix.h"

/* Fills in the edges of the graph that stay inside a cluster, in place of those of another graph. */
heddle_status hd_clusters_rows(heddle_context *ctx, const heddle_graph *graph, hd_clusters *clusters);

/* For devices: words[k] is where cluster k begins, words[count] where sources do. A cluster is its number of members,
 * the members, and, from each member on and at the end, the index of its first in-edge; in-edges have a source, as the
 * index of a member, and a weight. */
typedef struct hd_clusters_packed {
    uint32_t *words;
    uint64_t words_room;
    uint64_t places; /* of words before the sources: members have some of them */
    char *weights;
    uint64_t weights_bytes;
} hd_clusters_packed;

heddle_status hd_clusters_pack(heddle_context *ctx, uint64_t vertices, const hd_clusters *clusters,
                               hd_clusters_packed *packed);
void hd_clusters_packed_free(heddle_context *ctx, hd_clusters_packed *packed);
void hd_clusters_free(heddle_context *ctx, hd_clusters *clusters);

#endif
