/* resident.c - see resident.h. Open devices are a short list in the context. */
#include "engine/device/resident.h"

#include "base/memory.h"
#include "device/budget.h"
#include "device/drivers.h"
#include "engine/device/hybrid_rows.h"
#include "engine/device/row_download.h"
#include "engine/device/row_upload.h"
#include "engine/device/stream_store.h"
#include "engine/primitive/rename.h"
#include "engine/primitive/restore_order.h"
#include "engine/primitive/transpose.h"

#include <string.h>

/* A graph's slot on a device. */
typedef struct place {
    uint64_t graph;  /* the graph's serial number; 0: none */
    uint64_t origin; /* serial of the graph it was derived from */
    bool directed;
    hd_resident resident;
} place;

enum { OWN, MADE, PLACES };

typedef struct kept {
    struct kept *next;
    char name[24];   /* "": not known yet, it is being opened */
    hd_start *start; /* not NULL: it is being opened */
    hd_device *device;
    /* Of the run (hd_resident_place). */
    const hd_residency *residency;
    uint64_t limit, wanted;
    place place[PLACES];
} kept;

static void release_rows(hd_device *d, hd_resident_rows *rows) {
    d->release(d, &rows->offsets);
    d->release(d, &rows->targets);
    d->release(d, &rows->weights);
}

static uint64_t device_bytes(const hd_buffer *buffer) { return buffer->bytes - buffer->away; }

static uint64_t row_bytes(const hd_resident_rows *rows) {
    return device_bytes(&rows->offsets) + device_bytes(&rows->targets) + device_bytes(&rows->weights);
}

void hd_resident_drop_rows(hd_resident *r, hd_resident_rows *rows) {
    r->bytes -= row_bytes(rows);
    release_rows(r->device, rows);
    *rows = (hd_resident_rows){.offsets = {0}};
}

static void release_layout(hd_resident *r) {
    for (int i = 0; i < HD_RESIDENT_PARTS; i++)
        r->device->release(r->device, &r->layout.part[i]);
    r->layout = (hd_resident_layout){.key = {0}};
}

static void release_graph(place *p) {
    hd_device *d = p->resident.device;
    if (p->directed)
        release_rows(d, &p->resident.in);
    release_rows(d, &p->resident.out);
    for (int i = 0; i < HD_RESIDENT_EXTRAS; i++)
        d->release(d, &p->resident.extra[i].buffer);
    release_layout(&p->resident);
    hd_restore_order_close(&p->resident);
    hd_stream_store_free(&p->resident);
    p->resident = (hd_resident){.ctx = p->resident.ctx, .device = d};
    p->graph = p->origin = 0;
}

static void drop(heddle_context *ctx, kept *k) {
    kept *before = ctx->kept;
    while (before != k && before->next != k)
        before = before->next;
    if (before == k)
        ctx->kept = k->next;
    else
        before->next = k->next;
    hd_free(&ctx->allocator, k, sizeof *k);
}

/* Waits for a device that is being opened. A device that is not needed, or could not be opened, is removed. */
static heddle_status settle(heddle_context *ctx, kept *k) {
    if (!k->start)
        return HEDDLE_OK;
    heddle_status status = hd_start_end(ctx, k->start, k->name, &k->device);
    k->start = NULL;
    k->residency = &hd_residency_device;
    k->limit = UINT64_MAX;
    for (int i = 0; i < PLACES; i++)
        k->place[i].resident = (hd_resident){.ctx = ctx, .device = k->device};
    if (!k->device)
        drop(ctx, k);
    return status;
}

void hd_resident_forget_after_fork(heddle_context *ctx) {
    if (hd_drivers_lost())
        ctx->kept = NULL; /* in a forked child its threads and drivers do not exist: it cannot be freed */
}

void hd_resident_forget(heddle_context *ctx) {
    heddle_error error = ctx->error;
    kept *next;
    hd_resident_forget_after_fork(ctx);
    for (kept *k = ctx->kept; k; k = next) { /* no start outlives this */
        next = k->next;
        settle(ctx, k);
    }
    ctx->error = error;
    for (kept *k = ctx->kept; k; k = next) {
        next = k->next;
        for (int i = 0; i < PLACES; i++)
            release_graph(&k->place[i]);
        k->device->close(k->device);
        drop(ctx, k);
    }
}

static heddle_status add(heddle_context *ctx, const char *name, kept **added) {
    HD_TRY(HD_NEW_ZERO(ctx, added, 1, "device"));
    memcpy((*added)->name, name, sizeof(*added)->name);
    (*added)->next = ctx->kept;
    ctx->kept = *added;
    ctx->release_resident = hd_resident_forget;
    return HEDDLE_OK;
}

/* The device of that full name, once it is open; *found NULL: there is none. */
static heddle_status look_up(heddle_context *ctx, const char *full, kept **found) {
    kept *next;
    *found = NULL;
    for (kept *k = ctx->kept; k; k = next) {
        next = k->next;
        if (k->name[0] && strcmp(k->name, full) != 0)
            continue;
        if (k->name[0]) {
            HD_TRY(settle(ctx, k));
            *found = k;
            return HEDDLE_OK;
        }
        settle(ctx, k); /* of a name that was not known: the first in the list now, if it is this one */
        hd_enter(ctx);
        return look_up(ctx, full, found);
    }
    return HEDDLE_OK;
}

static heddle_status find(heddle_context *ctx, const char *name, heddle_report *report, kept **found) {
    char full[24];
    double start = hd_clock();
    hd_device_full_name(name, full, sizeof full);
    HD_TRY(look_up(ctx, full, found));
    if (!*found) {
        hd_device *device;
        HD_TRY(hd_device_open(ctx, name, &device));
        heddle_status status = add(ctx, full, found);
        if (status != HEDDLE_OK) {
            device->close(device);
            return status;
        }
        (*found)->device = device;
        (*found)->residency = &hd_residency_device;
        (*found)->limit = UINT64_MAX;
        for (int i = 0; i < PLACES; i++)
            (*found)->place[i].resident = (hd_resident){.ctx = ctx, .device = device};
    }
    if (report)
        report->prepare += hd_clock() - start;
    return HEDDLE_OK;
}

heddle_status hd_device_start(heddle_context *ctx, const char *name, const hd_choose_facts *facts, uint64_t bytes) {
    char full[24] = "";
    kept *k;
    if (name)
        hd_device_full_name(name, full, sizeof full);
    for (k = ctx->kept; k; k = k->next)
        if (!name || !k->name[0] || strcmp(k->name, full) == 0)
            return HEDDLE_OK; /* started before */
    HD_TRY(add(ctx, full, &k));
    k->start = hd_start_begin(ctx, name, facts, bytes);
    if (!k->start)
        drop(ctx, k); /* the run will open it itself */
    return HEDDLE_OK;
}

bool hd_device_starting(const heddle_context *ctx, const char *name) {
    char full[24];
    hd_device_full_name(name, full, sizeof full);
    for (const kept *k = ctx->kept; k; k = k->next)
        if (k->start && (!k->name[0] || strcmp(k->name, full) == 0))
            return hd_start_going(k->start);
    return false;
}

const char *hd_resident_where(const heddle_context *ctx, const heddle_graph *graph) {
    int where = graph->origin ? MADE : OWN;
    for (const kept *k = ctx->kept; k; k = k->next)
        if (k->place[where].graph == graph->serial && k->place[where].resident.bytes)
            return k->name;
    return NULL;
}

uint64_t hd_resident_bytes(const heddle_context *ctx, const heddle_graph *graph, const char *device) {
    char full[24];
    hd_device_full_name(device, full, sizeof full);
    for (const kept *k = ctx->kept; k; k = k->next)
        for (int i = 0; i < PLACES && strcmp(k->name, full) == 0; i++)
            if (k->place[i].graph == graph->serial)
                return k->place[i].resident.bytes;
    return 0;
}

double hd_resident_late(heddle_context *ctx) {
    double seconds = 0;
    for (kept *k = ctx->kept; k; k = k->next)
        if (k->device && !k->start) {
            seconds += k->device->late;
            k->device->late = 0;
        }
    return seconds;
}

bool hd_resident_free_stores(heddle_context *ctx, const hd_resident *besides) {
    bool any = false;
    for (kept *k = ctx->kept; k; k = k->next)
        for (int i = 0; k->device && !k->start && i < PLACES; i++) {
            hd_resident *r = &k->place[i].resident;
            any |= r != besides && r->store;
            if (r != besides)
                hd_stream_store_free(r);
        }
    return any;
}

bool hd_resident_any(const heddle_context *ctx) {
    for (const kept *k = ctx->kept; k; k = k->next)
        if (k->place[OWN].graph || k->place[MADE].graph)
            return true;
    return false;
}

heddle_status hd_device_keep(heddle_context *ctx, const char *name, heddle_report *report, hd_device **device) {
    kept *k;
    HD_TRY(find(ctx, name, report, &k));
    *device = k->device;
    return HEDDLE_OK;
}

/* ---- Upload ----------------------------------------------------------------------------------------------------- */

heddle_status hd_resident_room(hd_resident *r, uint64_t bytes, const char *what, hd_buffer *buffer) {
    HD_TRY(r->device->allocate(r->device, bytes ? bytes : 16, what, buffer));
    r->bytes += device_bytes(buffer);
    return HEDDLE_OK;
}

/* Fails before any upload if the device has too little free memory; unneeded graphs are freed first. */
static heddle_status check_room(kept *k, place *p, int want, bool directed) {
    hd_resident *r = &p->resident;
    place *other = &k->place[p == &k->place[OWN] ? MADE : OWN];
    uint64_t each = (r->vertices + 1) * (r->wide ? 8 : 4) + r->edges * (want & HD_WANT_WEIGHTS ? 8 : 4);
    uint64_t wanted = each * (directed && (want & HD_WANT_OUT) && (want & HD_WANT_IN) ? 2 : 1), left = 0, total = 0;
    HD_TRY(r->device->memory(r->device, &left, &total));
    if (wanted > left + r->bytes && (other->graph || r->layout.key[1])) {
        release_graph(other);
        release_layout(r);
        HD_TRY(r->device->memory(r->device, &left, &total));
    }
    if (wanted <= left + r->bytes)
        return HEDDLE_OK;
    return hd_fail(r->ctx, HEDDLE_E_DEVICE_MEMORY,
                   "%s: the graph does not fit: %llu bytes wanted for %llu edges, %llu of %llu free",
                   r->device->info.name, (unsigned long long)wanted, (unsigned long long)r->edges,
                   (unsigned long long)left, (unsigned long long)total);
}

static void note_place(const kept *k, hd_resident *r) {
    r->residency = k->residency;
    r->limit = k->limit;
    r->wanted = k->wanted;
}

/* How many bytes of the edges that are wanted may go to the device: what the rest of the run leaves. */
static heddle_status plan_pages(kept *k, place *p, int want, bool directed) {
    enum { VERTEX_BYTES = 48 /* values and worklists, if the bytes of the run are not known */, SLACK = 64 };
    hd_resident *r = &p->resident;
    uint64_t left = 0, total = 0;
    uint64_t size = want & (HD_WANT_WEIGHTS | HD_WANT_JOINED) ? hd_weight_size(r->weight_type) : 0;
    bool out = (want & HD_WANT_OUT) || !directed, in = (want & HD_WANT_IN) && directed;
    uint64_t edges =
        r->edges * (4 + size) * (want & HD_WANT_PACKED ? 1 : (uint64_t)out + in); /* packed: one direction */
    uint64_t there = (out ? r->out.targets.bytes + (size ? r->out.weights.bytes : 0) : 0) +
                     (in ? r->in.targets.bytes + (size ? r->in.weights.bytes : 0) : 0);
    note_place(k, r);
    r->page_room = 0;
    r->to_place = edges > there && !(want & HD_WANT_BARE) ? edges - there : 0;
    if (k->residency
            ->spills) { /* buffers as long as the edges come after those for vertices, which are used at random */
        r->device->budget.large = r->edges * 4 > r->vertices * 16 ? r->edges * 4 : r->vertices * 16;
        r->device->budget.reserve = r->vertices * VERTEX_BYTES;
    }
    if (!k->residency->pages)
        return HEDDLE_OK;
    HD_TRY(r->device->memory(r->device, &left, &total));
    if (k->limit == UINT64_MAX)
        left -= left / SLACK; /* the driver's own needs */
    uint64_t others = k->wanted > edges ? k->wanted - edges : r->vertices * VERTEX_BYTES;
    r->page_room = left > others ? left - others : 0;
    return HEDDLE_OK;
}

/* In-edges of a directed graph that the host does not have are built on the device if that is faster. */
static heddle_status add_in(hd_resident *r, const heddle_graph *graph, int want, heddle_report *report) {
    heddle_adjacency in;
    double start = hd_clock(), made = start;
    bool weights = want & HD_WANT_WEIGHTS, bare = want & HD_WANT_BARE;
    if (r->in.offsets.handle && (bare || r->in.targets.handle) && (!weights || r->in.weights.handle))
        return HEDDLE_OK;
    bool missing = !hd_graph_has_in(graph), here = false;
    if (missing && !bare && !r->device->budget.spills)
        HD_TRY(hd_transpose_pays(r, weights, &here));
    if (here) {
        if (!graph->hollow)
            HD_TRY(hd_upload_rows(r, graph, false, want, &r->out));
        report->transfer += hd_clock() - start;
        hd_resident_drop_rows(r, &r->in); /* without weights: once more */
        return hd_transpose_rows(r, weights, report, &r->in);
    }
    if (missing) {
        HD_TRY(heddle_graph_in(r->ctx, graph, &in));
        made = hd_clock();
        report->prepare += made - start;
    }
    HD_TRY(hd_upload_rows(r, graph, true, want, &r->in));
    report->transfer += hd_clock() - made;
    return HEDDLE_OK;
}

/* The slot that holds the graph, or will. Graphs derived from another graph than the user's are freed with that one. */
static place *claim(kept *k, const heddle_graph *graph) {
    place *p = &k->place[graph->origin ? MADE : OWN];
    if (p->graph != graph->serial)
        release_graph(p);
    if (!graph->origin && k->place[MADE].graph && k->place[MADE].origin != graph->serial)
        release_graph(&k->place[MADE]);
    p->graph = graph->serial;
    p->origin = graph->origin;
    p->directed = graph->directed;
    p->resident.vertices = graph->vertices;
    p->resident.edges = graph->edges;
    p->resident.weight_type = graph->weight_type;
    return p;
}

/* ---- Placement -------------------------------------------------------------------------------------------------- */

static void set_place(kept *k, const hd_residency *residency, uint64_t limit, uint64_t wanted) {
    for (int i = 0; i < PLACES; i++) {
        const hd_resident *r = &k->place[i].resident;
        bool plain = !residency->spills && !(r->residency && r->residency->spills);
        bool smaller = r->wanted < wanted; /* buffers had room beside it that were not as large */
        if (k->place[i].graph && !plain && (r->residency != residency || r->limit != limit || smaller))
            release_graph(&k->place[i]);
    }
    for (int i = 0; i < PLACES && k->device->budget.used > limit; i++)
        release_graph(&k->place[i]);
    k->residency = residency;
    k->limit = limit;
    k->wanted = wanted;
    hd_budget_limit(k->device, limit, residency->spills);
}

heddle_status hd_resident_place(heddle_context *ctx, const char *device, const hd_residency *residency, uint64_t limit,
                                uint64_t wanted, heddle_report *report) {
    char full[24];
    kept *k;
    if (residency->spills || limit != UINT64_MAX) {
        HD_TRY(find(ctx, device, report, &k));
        set_place(k, residency, limit, wanted);
        return HEDDLE_OK;
    }
    hd_device_full_name(device, full, sizeof full);
    for (k = ctx->kept; k; k = k->next)
        if (k->device && !k->start && strcmp(k->name, full) == 0)
            set_place(k, residency, limit, wanted);
    return HEDDLE_OK;
}

static void add_edges(const hd_resident_rows *rows, heddle_report *report) {
    report->edges_on_device += device_bytes(&rows->targets) + device_bytes(&rows->weights);
    report->edges_on_host += rows->targets.away + rows->weights.away;
}

static void add_extras(const hd_resident *r, heddle_report *report) {
    for (int i = 0; i < HD_RESIDENT_EXTRAS; i++)
        if (r->extra[i].edges) {
            report->edges_on_device += device_bytes(&r->extra[i].buffer);
            report->edges_on_host += r->extra[i].buffer.away;
        }
}

static uint64_t count_edges(const place *p) {
    const hd_resident *r = &p->resident;
    uint64_t rows = (r->out.targets.handle != 0) + (p->directed && r->in.targets.handle), others = 0;
    for (int i = 0; i < HD_RESIDENT_EXTRAS; i++)
        others |= r->extra[i].edges != 0;
    return (rows ? rows : others) * r->edges;
}

static uint64_t report_places(const kept *k, heddle_report *report) {
    const hd_budget *b = &k->device->budget;
    uint64_t edges = 0;
    for (int i = 0; i < PLACES; i++) {
        edges += count_edges(&k->place[i]);
        add_extras(&k->place[i].resident, report);
        add_edges(&k->place[i].resident.out, report);
        if (k->place[i].directed)
            add_edges(&k->place[i].resident.in, report);
    }
    report->device_bytes = b->peak;
    report->host_bytes += b->away_peak;
    report->pinning += b->pinning;
    return edges;
}

uint64_t hd_resident_placed(heddle_context *ctx, const char *device, heddle_report *report) {
    char full[24];
    uint64_t edges = 0;
    hd_device_full_name(device, full, sizeof full);
    for (kept *k = ctx->kept; k; k = k->next) {
        if (!k->device || k->start || strcmp(k->name, full) != 0)
            continue;
        if (report && (k->residency->spills || k->limit != UINT64_MAX))
            edges = report_places(k, report);
        k->residency = &hd_residency_device;
        k->limit = UINT64_MAX;
        hd_budget_limit(k->device, UINT64_MAX, false);
    }
    return edges;
}

/* ---- Hollow graphs ---------------------------------------------------------------------------------------------- */

static bool is_there(const hd_resident *r, bool weights) {
    return r->out.targets.handle && (!weights || r->out.weights.handle);
}

static heddle_status try_renaming(kept *k, place *p, const heddle_graph *graph, bool weights, bool in,
                                  heddle_report *report) {
    hd_resident *r = &p->resident, *own;
    bool wide = r->wide;
    int want = HD_WANT_OUT | (weights ? HD_WANT_WEIGHTS : 0) | (wide ? 0 : HD_WANT_TIGHT); /* offsets of one width */
    HD_TRY(hd_resident_open(r->ctx, graph->original, k->name, want, wide, report, &own));
    claim(k, graph); /* its place may have been wanted for the other */
    r->wide = wide;
    if (graph->directed)
        hd_resident_drop_rows(r, &r->in);
    hd_resident_drop_rows(r, &r->out); /* without weights: once more */
    return hd_rename_rows(own, graph, weights, in, r, report);
}

/* `fits`: the rows are on the device. If its memory does not suffice the host builds them. */
static heddle_status fill_hollow(kept *k, place *p, const heddle_graph *graph, bool weights, bool in,
                                 heddle_report *report, bool *fits) {
    hd_resident *r = &p->resident;
    *fits = true;
    if (is_there(r, weights))
        return HEDDLE_OK;
    heddle_status status = try_renaming(k, p, graph, weights, in, report);
    if (status != HEDDLE_E_DEVICE_MEMORY)
        return status;
    *fits = false;
    release_graph(p);
    claim(k, graph);
    hd_enter(r->ctx);
    return HEDDLE_OK;
}

static void drop_targets(hd_resident *r, hd_resident_rows *rows) {
    hd_resident_rows kept = {.offsets = rows->offsets};
    rows->offsets = (hd_buffer){.handle = 0};
    hd_resident_drop_rows(r, rows);
    *rows = kept;
}

static void drop_extra(hd_resident *r, int i) {
    r->bytes -= device_bytes(&r->extra[i].buffer);
    r->device->release(r->device, &r->extra[i].buffer);
    r->extra[i].edges = 0;
}

void hd_resident_extra_drop(hd_resident *r, const char *name) {
    int i = hd_resident_slot(r, name);
    if (i < HD_RESIDENT_EXTRAS && r->extra[i].buffer.handle)
        drop_extra(r, i);
}

/* If there is no room for both, either rows or the arrays used in their place are freed. */
static void drop_others(hd_resident *r, int want, bool directed) {
    for (int i = 0; i < HD_RESIDENT_EXTRAS; i++)
        if (r->extra[i].edges && !(want & r->extra[i].edges))
            drop_extra(r, i);
    if (r->hybrid && !(want & HD_WANT_JOINED))
        hd_hybrid_drop(r);
    if (!(want & HD_WANT_BARE))
        return;
    if (directed)
        drop_targets(r, &r->in);
    drop_targets(r, &r->out);
}

static heddle_status fill(kept *k, place *p, const heddle_graph *graph, int want, heddle_report *report) {
    hd_resident *r = &p->resident;
    bool weights = (want & HD_WANT_WEIGHTS) && graph->weight_type, directed = graph->directed, fits = false;
    bool spills = k->residency->spills;
    int rows = (weights ? HD_WANT_WEIGHTS : 0) | (want & HD_WANT_BARE);
    if (graph->hollow) {
        if (!spills)
            HD_TRY(fill_hollow(k, p, graph, weights, want & HD_WANT_IN, report, &fits));
        if (!fits)
            HD_TRY(hd_graph_verify(r->ctx, graph, HD_VERIFY_OUT));
    }
    if (!fits && !spills)
        HD_TRY(check_room(k, p, want, directed));
    if (spills)
        drop_others(r, want, directed);
    HD_TRY(plan_pages(k, p, want, directed));
    double start = hd_clock();
    if (!fits && !r->hybrid && ((want & HD_WANT_OUT) || !directed))
        HD_TRY(hd_upload_rows(r, graph, false, rows, &r->out));
    report->transfer += hd_clock() - start;
    if (!directed)
        r->in = r->out;
    return (want & HD_WANT_IN) && directed ? add_in(r, graph, rows, report) : HEDDLE_OK;
}

heddle_status hd_resident_open(heddle_context *ctx, const heddle_graph *graph, const char *device, int want, bool wide,
                               heddle_report *report, hd_resident **resident) {
    kept *k;
    wide |= hd_resident_wide(graph, want);
    HD_TRY(find(ctx, device, report, &k));
    place *p = claim(k, graph);
    if (p->resident.wide != wide &&
        (p->resident.hybrid || p->resident.out.offsets.handle || p->resident.in.offsets.handle)) {
        release_graph(p);
        claim(k, graph);
    }
    p->resident.wide = wide;
    heddle_status status = fill(k, p, graph, want, report);
    if (status != HEDDLE_OK)
        release_graph(p);
    *resident = &p->resident;
    return status;
}

heddle_status hd_resident_claim(heddle_context *ctx, const heddle_graph *graph, const char *device,
                                heddle_report *report, hd_resident **resident) {
    kept *k;
    HD_TRY(find(ctx, device, report, &k));
    *resident = &claim(k, graph)->resident;
    note_place(k, *resident);
    return HEDDLE_OK;
}

heddle_status hd_resident_fetch(heddle_context *ctx, heddle_graph *graph, bool all, bool *found) {
    heddle_report unused = {.compute = 0};
    kept *k = ctx->kept;
    *found = false;
    while (k && k->place[MADE].graph != graph->serial)
        k = k->next;
    if (!k)
        return HEDDLE_OK;
    place *p = &k->place[MADE];
    if (k->residency->spills && !is_there(&p->resident, all && graph->weight_type))
        return HEDDLE_OK; /* the host builds them: the device has no room to spare */
    HD_TRY(fill_hollow(k, p, graph, all && graph->weight_type, false, &unused, found));
    return *found ? hd_fetch_rows(&p->resident, graph, all) : HEDDLE_OK;
}

heddle_status hd_resident_layout_open(heddle_context *ctx, const heddle_graph *graph, const char *device,
                                      const uint64_t key[2], heddle_report *report, hd_resident **resident) {
    kept *k;
    HD_TRY(find(ctx, device, report, &k));
    hd_resident *r = &claim(k, graph)->resident;
    if (r->layout.key[0] != key[0] || r->layout.key[1] != key[1])
        release_layout(r);
    note_place(k, r);
    *resident = r;
    return HEDDLE_OK;
}

int hd_resident_slot(const hd_resident *r, const char *name) {
    int i = 0;
    while (i < HD_RESIDENT_EXTRAS && r->extra[i].name && strcmp(r->extra[i].name, name) != 0)
        i++;
    return i;
}

hd_buffer hd_resident_extra_known(const hd_resident *r, const char *name) {
    int i = hd_resident_slot(r, name);
    return i < HD_RESIDENT_EXTRAS ? r->extra[i].buffer : (hd_buffer){.handle = 0};
}

heddle_status hd_resident_extra(hd_resident *r, const char *name, uint64_t bytes, hd_buffer *buffer, bool *fresh) {
    int i = hd_resident_slot(r, name);
    if (i == HD_RESIDENT_EXTRAS)
        return hd_fail(r->ctx, HEDDLE_E_INTERNAL, "no place for %s", name);
    *fresh = !r->extra[i].buffer.handle;
    if (*fresh) {
        HD_TRY(hd_resident_room(r, bytes, name, &r->extra[i].buffer));
        r->extra[i].name = name;
    }
    *buffer = r->extra[i].buffer;
    return HEDDLE_OK;
}
