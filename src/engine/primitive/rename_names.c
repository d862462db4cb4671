/* rename_names.c - see rename.h: names and places. By degree they are a sort; bfs order is a search from the first
 * vertex of that sort (bfs_order.h). */
#include "engine/primitive/rename.h"

#include "base/parallel.h"
#include "engine/primitive/bfs_order.h"
#include "engine/primitive/sort.h"

extern const char hd_text_rename[];

typedef struct namer {
    const hd_resident *own;
    hd_device *device;
    heddle_graph *graph;
    hd_kernels kernels;
    hd_sorter sorter;
    hd_buffer names, places;
    hd_buffer roots; /* bfs: by degree */
    uint32_t n;
} namer;

static heddle_status find_extras(const heddle_graph *graph, hd_resident *made, hd_buffer *names, hd_buffer *places,
                                 bool *fresh) {
    bool also;
    HD_TRY(hd_resident_extra(made, "names of vertices", graph->vertices * 4, names, &also));
    HD_TRY(hd_resident_extra(made, "places of vertices", graph->vertices * 4, places, fresh));
    *fresh |= also;
    return HEDDLE_OK;
}

static heddle_status send(hd_device *d, const heddle_graph *graph, const hd_buffer *names, const hd_buffer *places) {
    HD_TRY(d->upload(d, names, 0, graph->names, graph->vertices * 4));
    return d->upload(d, places, 0, graph->places, graph->vertices * 4);
}

heddle_status hd_rename_known(const heddle_graph *graph, hd_resident *made, hd_buffer *names, hd_buffer *places) {
    bool fresh;
    HD_TRY(find_extras(graph, made, names, places, &fresh));
    return fresh ? send(made->device, graph, names, places) : HEDDLE_OK;
}

static heddle_status open_kernels(namer *s, heddle_report *report) {
    static const char *const texts[] = {hd_text_scan, hd_text_sort, hd_text_rename, NULL};
    hd_kernels_text text = {.name = "names", .texts = texts, .wide = s->own->wide};
    return hd_kernels_open(s->device, &text, report, &s->kernels);
}

/* The degrees are in `places`, and stay there. */
static heddle_status sort_by_degree(namer *s, const hd_buffer *to_names) {
    uint64_t m = s->own->edges, n = s->own->vertices;
    uint32_t most = (uint32_t)(4 * n < 2 * m ? 4 * n : 2 * m); /* as graph/order_degree.c has it */
    hd_sort_items to = {NULL, to_names, to_names};
    hd_sort_shape(&s->sorter, s->device, n, (uint64_t)most + 1, false, s->own->wide);
    s->sorter.inside = true;
    HD_TRY(hd_sort_open(&s->sorter, &s->kernels, "an order"));
    hd_sort_items from = hd_sort_begin(&s->sorter, &to);
    HD_TRY(HD_START(&s->kernels, "hd_rename_degrees", n, HD_ARGUMENT_VALUE(s->n),
                    HD_ARGUMENT_BUFFER(s->own->out.offsets), HD_ARGUMENT_BUFFER(s->places)));
    if (s->graph->directed)
        HD_TRY(HD_START(&s->kernels, "hd_rename_into", m, HD_ARGUMENT_VALUE(m), HD_ARGUMENT_BUFFER(s->own->out.targets),
                        HD_ARGUMENT_BUFFER(s->places)));
    HD_TRY(HD_START(&s->kernels, "hd_rename_keys", n, HD_ARGUMENT_VALUE(s->n), HD_ARGUMENT_VALUE(most),
                    HD_ARGUMENT_BUFFER(s->places), HD_ARGUMENT_BUFFER(*from.keys), HD_ARGUMENT_BUFFER(*from.first)));
    return hd_sort_run(&s->sorter, &from, NULL, s->n, &to);
}

/* Validates the permutation: a faulty device must not corrupt the host. */
static heddle_status check(const namer *s) {
    uint64_t n = s->own->vertices;
    const heddle_vertex *names = s->graph->names, *places = s->graph->places;
    heddle_context *ctx = s->own->ctx;
    bool sound = true;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(&& : sound) if (n >= HD_WORTH_THREADS))
    for (uint64_t v = 0; v < n; v++)
        sound = sound && places[v] < n && names[places[v]] == v;
    return sound ? HEDDLE_OK : hd_fail(ctx, HEDDLE_E_DEVICE, "%s: an order is none", s->device->info.name);
}

/* Computes the places from the names on the device. */
static heddle_status find_places(namer *s) {
    uint64_t n = s->own->vertices;
    HD_TRY(HD_START(&s->kernels, "hd_rename_places", n, HD_ARGUMENT_VALUE(s->n), HD_ARGUMENT_BUFFER(s->names),
                    HD_ARGUMENT_BUFFER(s->places)));
    HD_TRY(s->device->download(s->device, s->graph->names, &s->names, 0, n * 4));
    HD_TRY(s->device->download(s->device, s->graph->places, &s->places, 0, n * 4));
    HD_TRY(s->device->finish(s->device));
    return check(s);
}

static heddle_status name_on_host(namer *s, const hd_order *order) {
    HD_TRY(hd_order_names(s->own->ctx, order, s->graph));
    HD_TRY(send(s->device, s->graph, &s->names, &s->places));
    return s->device->finish(s->device);
}

static heddle_status name_by_degree(namer *s, heddle_report *report) {
    (void)report;
    HD_TRY(sort_by_degree(s, &s->names));
    return find_places(s);
}

static heddle_status name_by_search(namer *s, heddle_report *report) {
    bool over;
    HD_TRY(s->device->allocate(s->device, s->own->vertices * 4, "an order", &s->roots));
    HD_TRY(sort_by_degree(s, &s->roots));
    hd_search search = {.own = s->own,
                        .graph = s->graph,
                        .sorter = &s->sorter,
                        .roots = s->roots,
                        .sequence = s->names,
                        .claims = s->places};
    HD_TRY(hd_search_order(&search, report, &over));
    return over ? find_places(s) : name_on_host(s, &hd_order_bfs);
}

/* Orders that a device computes itself; the host computes the others. */
static const struct {
    const hd_order *order;
    heddle_status (*name)(namer *s, heddle_report *report);
} own_ways[] = {{&hd_order_degree, name_by_degree}, {&hd_order_bfs, name_by_search}};

static heddle_status name(namer *s, const hd_order *order, heddle_report *report) {
    for (size_t i = 0; i < sizeof own_ways / sizeof *own_ways; i++)
        if (own_ways[i].order == order)
            return own_ways[i].name(s, report);
    return name_on_host(s, order);
}

heddle_status hd_rename_names(const hd_resident *own, const hd_order *order, heddle_graph *graph, hd_resident *made,
                              heddle_report *report) {
    namer s = {.own = own, .device = own->device, .graph = graph, .n = (uint32_t)graph->vertices};
    heddle_status status;
    bool fresh;
    if (!s.n)
        return HEDDLE_OK;
    HD_TRY(find_extras(graph, made, &s.names, &s.places, &fresh));
    HD_CHECK(open_kernels(&s, report));
    status = name(&s, order, report);
out:
    if (s.roots.handle)
        s.device->release(s.device, &s.roots);
    hd_sort_close(&s.sorter);
    hd_kernels_close(&s.kernels);
    return status;
}
