/* resident.h - devices that stay open, and graphs that stay on them, between the runs of a context.
 *
 * Starting a driver takes a quarter of a second, and uploading a graph often longer than the run itself, so the context
 * keeps both: for each device one graph of the user's, and one derived from it by a split or an order, in the layout of
 * the host's CSR. In-edges and weights that a later run needs are added; another graph replaces the previous one, and
 * if memory is short the graph that is not needed is freed. The rows of a hollow renamed graph are built here, from
 * those of the original (rename.h).
 */
#ifndef HD_ENGINE_DEVICE_RESIDENT_H
#define HD_ENGINE_DEVICE_RESIDENT_H

#include "device/device.h"
#include "engine/device/device_start.h"
#include "graph/graph.h"
#include "residency/residency.h"

/* HD_WANT_BARE: only the offsets of rows. What is used in place of rows, for which room is left: HD_WANT_JOINED
 * (joined_edges.h), HD_WANT_PACKED (rows that an algorithm packs). HD_WANT_TIGHT: kernels number nothing but edges, so
 * that 32-bit offsets suffice for a few more graphs. */
enum {
    HD_WANT_OUT = 1,
    HD_WANT_IN = 2,
    HD_WANT_WEIGHTS = 4,
    HD_WANT_BARE = 8,
    HD_WANT_JOINED = 16,
    HD_WANT_PACKED = 32,
    HD_WANT_TIGHT = 64
};

/* Whether such a graph has 64-bit offsets on a device. */
static inline bool hd_resident_wide(const heddle_graph *graph, int want) {
    return want & HD_WANT_TIGHT ? hd_wide_edges(graph->edges) : hd_wide_offsets(graph->vertices, graph->edges);
}

enum { HD_RESIDENT_EXTRAS = 20 };

/* One direction on the device: offsets are 32-bit unless the graph is `wide`. */
typedef struct hd_resident_rows {
    hd_buffer offsets, targets, weights; /* handle 0: not on the device */
} hd_resident_rows;

/* A plan's own layout of the edges (shards), in addition to the rows or instead of them. */
enum { HD_RESIDENT_PARTS = 8 };
typedef struct hd_resident_layout {
    uint64_t key[2]; /* its parameters; 0, 0: there is none */
    uint64_t facts[2];
    hd_buffer part[HD_RESIDENT_PARTS];
} hd_resident_layout;

typedef struct hd_resident {
    heddle_context *ctx;
    hd_device *device;
    uint64_t vertices, edges;
    bool wide;
    heddle_weight_type weight_type;
    hd_resident_rows out, in; /* an undirected graph's `in` is its `out` */
    uint64_t bytes;           /* of the graph and what is kept with it, on the device */
    struct {
        const char *name; /* NULL: a free slot */
        hd_buffer buffer; /* handle 0: freed */
        int edges;        /* not 0: used in place of rows by runs that want this, and placed like rows (edge_room.h) */
    } extra[HD_RESIDENT_EXTRAS];
    uint32_t heads; /* most heads of a row in the extra of that name (near_heads.h) */
    bool hybrid;    /* rows for HD_WANT_JOINED are lines and tails, with offsets of their own (hybrid_rows.h) */
    hd_resident_layout layout;
    /* How its edges are placed (edge_room.h). */
    const hd_residency *residency; /* NULL: not placed yet */
    uint64_t limit, wanted;
    uint64_t page_room;                /* bytes of edges that may still go to the device */
    uint64_t to_place;                 /* bytes of edges that are not placed yet */
    struct hd_stream_store *store;     /* edges that are sent, in host memory (stream_store.h), or NULL */
    struct hd_restore_order_kit *back; /* of a renamed graph: the kernels of restore_order.c, or NULL */
} hd_resident;

/* The device, opened now or earlier; owned by the context. Seconds of opening it are added to report->prepare (NULL:
 * not counted). */
heddle_status hd_device_keep(heddle_context *ctx, const char *name, heddle_report *report, hd_device **device);
/* Starts to open the device, or with name NULL the one that such a run would use, on a background thread: the first of
 * the other calls that needs it waits for it, and gets its error. */
heddle_status hd_device_start(heddle_context *ctx, const char *name, const hd_choose_facts *facts, uint64_t bytes);
/* Whether it is still being opened. */
bool hd_device_starting(const heddle_context *ctx, const char *name);
/* The graph on the device, with at least the rows that `want` names; `wide` requests 64-bit offsets, which large graphs
 * have anyway. Building in-edges counts as report->prepare, the upload as report->transfer. Owned by the context, and
 * valid until the next call. */
heddle_status hd_resident_open(heddle_context *ctx, const heddle_graph *graph, const char *device, int want, bool wide,
                               heddle_report *report, hd_resident **resident);
/* Placement for the following runs: the limit of the device's memory, UINT64_MAX for none, and the residency of edges
 * beyond it. `wanted`: bytes of the whole run if all edges were on the device; 0: not known. Graphs that were placed
 * differently are freed. With residency device and no limit the device is not opened for this. */
heddle_status hd_resident_place(heddle_context *ctx, const char *device, const hd_residency *residency, uint64_t limit,
                                uint64_t wanted, heddle_report *report);
/* After the run: removes the limit; what was placed stays. The report, if not NULL, gets where the edges were. Returns
 * the number of edges there, counted for each direction; 0 if they were not placed. */
uint64_t hd_resident_placed(heddle_context *ctx, const char *device, heddle_report *report);
/* A buffer that is kept with the graph; counted in resident->bytes. */
heddle_status hd_resident_room(hd_resident *resident, uint64_t bytes, const char *what, hd_buffer *buffer);
/* Frees rows, and subtracts their bytes. */
void hd_resident_drop_rows(hd_resident *resident, hd_resident_rows *rows);
/* Data that an algorithm derives from the graph and reuses in later runs: the buffer of that name (static text), or a
 * new one, if `fresh` is set, which must be filled at once. Freed with the graph. */
heddle_status hd_resident_extra(hd_resident *resident, const char *name, uint64_t bytes, hd_buffer *buffer,
                                bool *fresh);
/* The buffer of that name; handle 0: there is none. */
hd_buffer hd_resident_extra_known(const hd_resident *resident, const char *name);
/* Frees it, if there is one. */
void hd_resident_extra_drop(hd_resident *resident, const char *name);
/* The index in resident->extra of that name, or of a free slot for it; HD_RESIDENT_EXTRAS: there is none. */
int hd_resident_slot(const hd_resident *resident, const char *name);
/* The graph's slot on the device without its rows, for a layout that is built elsewhere: `resident->layout` is the one
 * that was kept, or empty if its key differs. The caller that fills it hands over its buffers. */
heddle_status hd_resident_layout_open(heddle_context *ctx, const heddle_graph *graph, const char *device,
                                      const uint64_t key[2], heddle_report *report, hd_resident **resident);
/* The graph's slot on the device, with any contents. */
heddle_status hd_resident_claim(heddle_context *ctx, const heddle_graph *graph, const char *device,
                                heddle_report *report, hd_resident **resident);
/* Downloads the out-rows of a hollow graph, only offsets or all, from the device that has a slot for it. `found`: there
 * is one. Call with the graph's lock held. */
heddle_status hd_resident_fetch(heddle_context *ctx, heddle_graph *graph, bool all, bool *found);
/* The name of a device that holds the graph, or NULL. */
const char *hd_resident_where(const heddle_context *ctx, const heddle_graph *graph);
/* Bytes that the graph has on that device. */
uint64_t hd_resident_bytes(const heddle_context *ctx, const heddle_graph *graph, const char *device);
/* Seconds of compiling that drivers deferred to launches, since the last call. */
double hd_resident_late(heddle_context *ctx);
/* Frees the edges to be sent (stream_store.h) that graphs other than this one have in host memory, on any device. False
 * if there were none. */
bool hd_resident_free_stores(heddle_context *ctx, const hd_resident *besides);
/* Whether anything is kept that could be freed. */
bool hd_resident_any(const heddle_context *ctx);
/* Closes all devices and frees their graphs: after a device error, when its state cannot be trusted. */
void hd_resident_forget(heddle_context *ctx);
/* In a forked child: drops the parent's devices without calling their drivers. */
void hd_resident_forget_after_fork(heddle_context *ctx);

#endif
