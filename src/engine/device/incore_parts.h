/* incore_parts.h - types shared by the files of the in-core engine. */
#ifndef HD_ENGINE_DEVICE_INCORE_PARTS_H
#define HD_ENGINE_DEVICE_INCORE_PARTS_H

#include "device/device.h"
#include "engine/device/incore.h"
#include "plan/plan.h"

/* How a plan is executed: what follows from schedule, direction, worklist and synchronisation. */
typedef struct hd_incore_shape {
    bool push, worklist, mixed, in_place, accumulate, settles, in_degrees;
    bool no_in_degree; /* in-degrees would need an array, which does not exist */
    bool no_initial;   /* initial values are all 0, and there is no array of them */
    bool names;        /* vertices have different numbers in the user's graph */
    bool passing;      /* new vertices of a split graph pass sums on, level by level */
    uint32_t inside;   /* rounds inside clusters */
    bool copies;       /* vertices have copies, whose values are merged */
    bool mean;         /* copies are merged by their mean */
    bool sent;         /* a vertex's message is computed once for all its edges */
    bool tiles;        /* edges are cut into tiles */
    bool nodes;        /* virtual nodes in an array */
    bool pairs;        /* queues hold a vertex and a part's number */
    uint32_t chunk;    /* edges in a part at most; 0: vertices are not cut */
    uint32_t rows;     /* that a warp processes at once in shared memory; for a tile, its length */
    uint32_t warps;    /* in a group */
    bool wide;         /* 64-bit offsets */
    bool profile;      /* lanes are counted */
    /* Shards: */
    bool shards, listed;
    bool copied_degrees; /* entries hold their source's out-degree */
    uint32_t range;      /* vertices */
    uint32_t group;      /* lanes that work on a shard */
    bool slice;          /* a part of a run on several devices (schedule/slice.cl) */
    bool window;         /* a slice whose edges pass through the device (engine/parts/windows.h) */
    /* Edges come span by span (schedule/span.cl). */
    bool span;
    bool active;         /* bits select the vertices that send */
    bool sources;        /* edges are stored with their sources */
    bool no_offsets;     /* with sources the device needs no offsets: partitions are not packed */
    bool shared_sources; /* the sources' values are copied to shared memory */
    bool virtual_ids, sinks;
    uint32_t flags; /* of partitions in shared memory */
    bool again;     /* partitions may be walked again in the same round (schedule/again.cl) */
} hd_incore_shape;

/* Of a lane's share of a round (schedule/common.cl: hd_tally), at most. */
size_t hd_incore_tally_bytes(const hd_incore_program *program);

enum { HD_INCORE_TURN = 256 /* lanes that end a round */ };

hd_incore_shape hd_incore_shape_of(const hd_incore_program *program, const hd_plan *plan, const hd_device_kind *kind,
                                   bool wide);
hd_plan_program hd_incore_facts(const hd_incore_program *program);
/* Shards: most vertices of a range for groups with that much shared memory; bytes of a copy of a value. */
uint32_t hd_incore_range_most(const hd_incore_program *program, const hd_incore_shape *shape, uint64_t local_bytes);
size_t hd_incore_copy_size(const hd_incore_program *program, const hd_incore_shape *shape);
/* Bytes of a message that is computed once for all edges. */
size_t hd_incore_sent_size(const hd_incore_program *program);

typedef struct hd_incore_target {
    const hd_device_kind *kind;
    bool doubles, atomics64;
} hd_incore_target;

/* The whole kernel source: settings, prelude, program, schedule. Freed with HD_DELETE(…, *bytes). */
heddle_status hd_incore_assemble(heddle_context *ctx, const hd_incore_program *program, const hd_plan *plan,
                                 const hd_incore_shape *shape, heddle_weight_type weights, hd_incore_target target,
                                 char **source, size_t *bytes);

/* The rows that a run visits, as the host holds them: out-edges, in-edges, or both, one after the other. */
typedef struct hd_incore_rows {
    uint64_t vertices, edges;
    heddle_adjacency first, second; /* second.offsets NULL: there is one direction */
} hd_incore_rows;

/* Memory of a run on such a device, computed without one. HEDDLE_E_REFUSED for impossible shards. */
typedef struct hd_incore_size {
    uint64_t bytes;
    uint32_t tile;  /* of schedule edge */
    uint32_t range; /* of shards; 0: there are none */
    size_t copy;    /* bytes of a value's copy in them */
    hd_incore_rows rows;
} hd_incore_size;
heddle_status hd_incore_measure(heddle_context *ctx, const heddle_graph *graph, const hd_incore_program *program,
                                const hd_plan *plan, const hd_device_info *info, const hd_device_kind *kind,
                                hd_incore_size *size);

static inline uint64_t hd_incore_offset(const hd_incore_rows *rows, uint64_t v) {
    return rows->first.offsets[v] + (rows->second.offsets ? rows->second.offsets[v] : 0);
}

/* Arrays built on the host, each `count` u32 words, NULL for none. */
typedef struct hd_incore_layout {
    uint32_t *words; /* tiles: first rows, tiles + 1; virtual nodes: pairs */
    uint64_t room, count;
    uint32_t *splits; /* rows cut by tiles: triples */
    uint64_t splits_room, splits_count;
    uint32_t *queue; /* the first round's */
    uint64_t queue_room, queue_count;
    uint64_t queue_most; /* entries that a queue must hold */
} hd_incore_layout;

heddle_status hd_incore_layout_new(heddle_context *ctx, const hd_incore_shape *shape, const hd_incore_rows *rows,
                                   const hd_cpu_setup *setup, bool from_sources, hd_incore_layout *layout);
void hd_incore_layout_free(heddle_context *ctx, hd_incore_layout *layout);

#endif
