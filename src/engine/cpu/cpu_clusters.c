/* cpu_clusters.c - see cpu_clusters.h. A thread takes a whole cluster, whose values then stay in its core's cache. */
#include "engine/cpu/cpu_clusters.h"

#include "base/memory.h"
#include "base/parallel.h"

enum { TOGETHER = 64 };

static bool active(const hd_engine *e, uint64_t from, uint64_t to) {
    const hd_clusters *c = e->setup->clusters;
    for (uint64_t i = from; i < to; i++)
        if (hd_load(&e->marks[c->members[i] >> 6]) >> (c->members[i] & 63) & 1)
            return true;
    return false;
}

/* New members of the frontier go behind those that it has. */
static void append(hd_engine *e, uint64_t *end, const uint32_t *list, uint64_t length) {
    uint64_t at = length ? hd_fetch_add(end, length) : 0;
    for (uint64_t i = 0; i < length; i++)
        e->frontier[at + i] = list[i];
}

static void iterate(hd_engine *e, const hd_cpu_run *inside, uint64_t from, uint64_t to, uint64_t *end) {
    const hd_clusters *c = e->setup->clusters;
    uint32_t list[HD_CLUSTER_MOST];
    for (uint32_t round = 0; round < c->inside; round++)
        for (uint64_t i = from; i < to; i++) {
            heddle_vertex v = c->members[i];
            for (uint64_t edge = c->offsets[v]; edge < c->offsets[v + 1]; edge += HD_CLUSTER_MOST) {
                uint64_t last = c->offsets[v + 1] - edge < HD_CLUSTER_MOST ? c->offsets[v + 1] : edge + HD_CLUSTER_MOST;
                append(e, end, list, e->program->push(inside, v, edge, last, e->marks, list));
            }
        }
}

void hd_clusters_iterate(hd_engine *e) {
    const hd_clusters *c = e->setup->clusters;
    uint64_t end = e->frontier_count;
    hd_cpu_run inside = e->run;
    if (!c || !e->program->push)
        return;
    inside.out_offsets = c->offsets;
    inside.out_targets = c->targets;
    inside.out_weights = c->weights;
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, TOGETHER) if (c->count >= TOGETHER))
    for (uint64_t k = 0; k < c->count; k++)
        if (active(e, c->starts[k], c->starts[k + 1]))
            iterate(e, &inside, c->starts[k], c->starts[k + 1], &end);
    e->frontier_count = end;
}

/* ---- PageRank ---------------------------------------------------------------------------------------------------- */

static void set_rank(hd_engine *e, uint64_t v, double rank) {
    if (e->program->value_size == sizeof(double))
        ((double *)e->run.values)[v] = rank;
    else
        ((float *)e->run.values)[v] = (float)rank;
}

/* Gains of members since the round began go along the edges inside. */
static void spread_gains(hd_engine *e, uint64_t from, uint64_t to, const double *gain) {
    const hd_clusters *c = e->setup->clusters;
    for (uint64_t i = from; i < to; i++)
        e->inside[c->members[i]] = 0;
    for (uint64_t i = from; i < to; i++) {
        heddle_vertex v = c->members[i];
        uint64_t degree = hd_engine_degree(e, v);
        double share = degree ? e->run.parameter[0] * gain[i - from] / (double)degree : 0;
        for (uint64_t edge = c->offsets[v]; edge < c->offsets[v + 1]; edge++)
            e->inside[c->targets[edge]] += share;
    }
}

/* Members with out-edges share what they had together after the round. */
static void share_out(hd_engine *e, uint64_t from, uint64_t to) {
    const hd_clusters *c = e->setup->clusters;
    double made = 0, more = 0;
    for (uint64_t i = from; i < to; i++)
        if (hd_engine_degree(e, c->members[i])) {
            made += hd_engine_real(e, e->run.values, c->members[i]);
            more += e->inside[c->members[i]];
        }
    double scale = made + more > 0 ? made / (made + more) : 1;
    for (uint64_t i = from; i < to; i++)
        if (hd_engine_degree(e, c->members[i]))
            set_rank(e, c->members[i],
                     scale * (hd_engine_real(e, e->run.values, c->members[i]) + e->inside[c->members[i]]));
}

static void rank_cluster(hd_engine *e, uint64_t from, uint64_t to) {
    const hd_clusters *c = e->setup->clusters;
    double gain[HD_CLUSTER_MOST], first[HD_CLUSTER_MOST];
    for (uint64_t i = from; i < to; i++)
        first[i - from] = gain[i - from] =
            hd_engine_real(e, e->run.values, c->members[i]) - hd_engine_real(e, e->run.next, c->members[i]);
    for (uint32_t round = 0; round < c->inside; round++) {
        spread_gains(e, from, to, gain);
        for (uint64_t i = from; i < to; i++)
            gain[i - from] = first[i - from] + e->inside[c->members[i]];
    }
    share_out(e, from, to);
}

heddle_status hd_clusters_rank(hd_engine *e) {
    const hd_clusters *c = e->setup->clusters;
    if (!c)
        return HEDDLE_OK;
    if (!e->inside)
        HD_TRY(HD_NEW(e->ctx, &e->inside, e->run.vertices, "clusters"));
    HD_PARALLEL_FOR(e->ctx, schedule(dynamic, TOGETHER) if (c->count >= TOGETHER))
    for (uint64_t k = 0; k < c->count; k++)
        rank_cluster(e, c->starts[k], c->starts[k + 1]);
    return HEDDLE_OK;
}
