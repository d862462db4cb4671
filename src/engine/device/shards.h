/* shards.h - edges laid out for the shard schedule, after CuSha (Khorasani, Vora, Gupta, Bhuyan, HPDC 2014).
 *
 * Vertices are divided into ranges of `range`; shard j holds an entry for every edge whose target lies in range j,
 * sorted by source. The entries of shard j whose sources lie in range i are contiguous: they are the window W(i, j). An
 * entry is a source, a copy of the source's value, a weight and a target; the copies are allocated by the engine that
 * runs the shards. G-Shards find a range's copies by its windows; Concatenated Windows list their positions in one
 * array, the mapper. */
#ifndef HD_ENGINE_DEVICE_SHARDS_H
#define HD_ENGINE_DEVICE_SHARDS_H

#include "engine/device/incore_parts.h"
#include "schedule/efficiency.h"

typedef struct hd_shards {
    uint64_t vertices, edges;
    uint32_t range, count; /* vertices in a range; ranges, and so shards */
    bool listed;           /* Concatenated Windows */
    bool wide;             /* the mapper's words have 64 bits */
    uint64_t *starts;      /* count + 1: where each shard's entries begin */
    uint32_t *windows;     /* (count + 1) x count: [i][j] is where W(i, j) begins in shard j; NULL if listed */
    uint64_t *lists;       /* listed, count + 1: where each range's part of the mapper begins */
    void *mapper;          /* listed: positions of entries, range by range, shard by shard */
    uint32_t *sources;     /* of entries; if listed, in the mapper's order */
    uint32_t *targets;     /* of entries */
    void *weights;         /* of entries, or NULL */
    size_t weight_size;    /* bytes of one; 0: there are none */
    uint32_t *degrees;     /* of entries' sources, or NULL */
} hd_shards;

typedef struct hd_shards_wish {
    uint32_t range; /* 0: chosen automatically */
    uint32_t most;  /* most vertices of a range */
    bool listed, wide, degrees;
    size_t weight_size;          /* 0: without weights */
    const uint32_t *out_degrees; /* per vertex, if they are not the lengths of out-rows */
} hd_shards_wish;

/* The range with windows of a warp's length on average, within the limits. */
uint32_t hd_shards_range(uint64_t vertices, uint64_t edges, uint32_t most);

/* Range and number of the shards that hd_shards_new would build. HEDDLE_E_REFUSED for an impossible range. */
heddle_status hd_shards_size(heddle_context *ctx, const hd_incore_rows *rows, hd_shards_wish wish, uint32_t *range,
                             uint32_t *count);

/* Work of warps on shards of that range, in a round in which all values change: every entry is gathered, and every copy
 * written. In each step a lane has an entry or is idle. */
typedef struct hd_shards_load {
    uint64_t entries;
    uint64_t gather_lanes, window_lanes, list_lanes; /* of all steps: gathering; writing by windows, by lists */
    uint64_t sectors;                                /* of 32 bytes, lower bound for writing */
} hd_shards_load;
/* `copy`: bytes of a copy. One pass over the edges, by all threads. */
heddle_status hd_shards_measure(heddle_context *ctx, const hd_incore_rows *rows, uint32_t range, uint32_t warp,
                                size_t copy, hd_shards_load *load);

/* Lanes that had an entry, and all lanes, of both phases. */
static inline hd_efficiency hd_shards_efficiency(const hd_shards_load *load, bool listed) {
    uint64_t writing = listed ? load->list_lanes : load->window_lanes;
    return (hd_efficiency){.useful = 2 * load->entries, .slots = load->gather_lanes + writing};
}

/* `rows` are those of sources. Parallel; linear in edges, vertices and windows; the same for any number of threads. */
heddle_status hd_shards_new(heddle_context *ctx, const hd_incore_rows *rows, const uint64_t *out_offsets,
                            hd_shards_wish wish, hd_shards *shards);
/* Bytes of the layout, including copies of `copy` bytes. */
uint64_t hd_shards_bytes(const hd_shards *shards, size_t copy);
void hd_shards_free(heddle_context *ctx, hd_shards *shards);

static inline uint64_t hd_shards_place(const hd_shards *shards, uint64_t k) {
    return shards->wide ? ((const uint64_t *)shards->mapper)[k] : ((const uint32_t *)shards->mapper)[k];
}

/* Runs a program on the CPU in strict rounds over shards; the same bits for any number of threads. `both_ways`: edges
 * count in both directions. */
heddle_status hd_shards_execute(heddle_context *ctx, const heddle_graph *graph, const hd_cpu_program *program,
                                const hd_cpu_setup *setup, const hd_plan *plan, bool both_ways, heddle_result *result);

#endif
