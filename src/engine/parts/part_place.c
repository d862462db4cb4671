/* part_place.c - see part_place.h. */
#include "engine/parts/part_place.h"

#include "base/word_list.h"
#include "engine/device/edge_room.h"

enum { SLACK = 64 /* 1/64 of the memory is left to the driver, if there is no limit */ };

static uint64_t padded(uint64_t bytes) { return bytes ? (bytes + 15) / 16 * 16 : 16; }

static heddle_status refuse_room(const hd_part *part, const hd_residency_facts *facts, const hd_residency *requested) {
    char wanted[HD_BYTES_ROOM], edges[HD_BYTES_ROOM], room[HD_BYTES_ROOM];
    bool elsewhere = requested == &hd_residency_device && facts->least <= facts->room;
    hd_bytes_text(facts->wanted, wanted);
    hd_bytes_text(facts->edges, edges);
    hd_bytes_text(facts->room, room);
    return hd_fail(part->ctx, HEDDLE_E_DEVICE_MEMORY,
                   "%s: a part of %llu vertices would take %s, of which %s are edges; %s may be used; use %s instead",
                   part->job->device, (unsigned long long)part->slice->own, wanted, edges, room,
                   !elsewhere         ? "more devices, or a larger memory limit,"
                   : facts->maps_host ? "residency=mixed or stream"
                                      : "residency=stream");
}

heddle_status hd_part_place_choose(const hd_part *part, const incore *e, hd_part_place *place, bool *open) {
    const hd_plan *plan = &part->job->plan;
    const hd_residency *requested = plan->given & HD_GIVEN_RESIDENCY ? plan->residency : NULL;
    uint64_t bytes[BUFFERS], all = 0, free = 0, total = 0;
    hd_incore_plan_bytes(e, bytes);
    for (int i = 0; i < BUFFERS; i++)
        all += padded(bytes[i]);
    HD_TRY(e->device->memory(e->device, &free, &total));
    hd_residency_facts facts = {.on_device = true,
                                .maps_host = e->device->kind->maps_host && e->device->allocate_host,
                                .program = true,
                                .no_disk = "a part's edges lie in memory",
                                .wanted = all,
                                .edges = padded(bytes[TARGETS]) + padded(bytes[WEIGHTS]),
                                .room = free};
    facts.least = all - facts.edges;
    *open = !requested;
    const char *reason = requested ? requested->refuse(&facts) : NULL;
    if (reason)
        return hd_fail(part->ctx, HEDDLE_E_REFUSED, "%s: residency=%s: %s", part->job->device, requested->name, reason);
    place->residency = !requested                ? hd_residency_choose(&facts, place->residency)
                       : requested->fits(&facts) ? requested
                                                 : NULL;
    place->room = part->job->limit == UINT64_MAX ? facts.room - facts.room / SLACK : facts.room;
    return place->residency ? HEDDLE_OK : refuse_room(part, &facts, requested);
}

uint64_t hd_part_place_left(const incore *e, const hd_part_place *place) {
    uint64_t bytes[BUFFERS], others = 0;
    hd_incore_plan_bytes(e, bytes);
    for (int i = 0; i < BUFFERS; i++)
        others += i == TARGETS || i == WEIGHTS ? 16 : padded(bytes[i]);
    return place->room > others ? place->room - others : 0;
}

heddle_status hd_part_place_edges(const hd_part *part, incore *e, const hd_part_place *place) {
    uint64_t bytes[BUFFERS];
    HD_TRY(hd_resident_place(part->ctx, part->job->device, place->residency, part->job->limit, 0, part->report));
    if (!place->residency->spills)
        return HEDDLE_OK;
    hd_incore_plan_bytes(e, bytes);
    hd_resident edges = {.ctx = part->ctx,
                         .device = e->device,
                         .vertices = e->rows.vertices,
                         .edges = e->rows.edges,
                         .residency = place->residency,
                         .page_room = place->residency->pages ? hd_part_place_left(e, place) : 0,
                         .to_place = bytes[TARGETS] + bytes[WEIGHTS]};
    /* A round reads all edges, so that pages on the device are spread evenly. */
    if (bytes[TARGETS])
        HD_TRY(hd_edge_place(&edges, NULL, 0, bytes[TARGETS], "edges", &e->buffer[TARGETS]));
    if (bytes[WEIGHTS])
        HD_TRY(hd_edge_place(&edges, NULL, 0, bytes[WEIGHTS], "weights", &e->buffer[WEIGHTS]));
    return HEDDLE_OK;
}

void hd_part_place_report(const incore *e, const hd_windows *windows, heddle_report *report) {
    const hd_buffer *targets = &e->buffer[TARGETS], *weights = &e->buffer[WEIGHTS];
    uint64_t all = e->rows.edges * (4 + (e->program->weighted ? hd_weight_size(e->graph->weight_type) : 0));
    report->edges_on_host = e->shape.window ? hd_windows_sent(windows) : targets->away + weights->away;
    report->edges_on_host = report->edges_on_host < all ? report->edges_on_host : all;
    report->edges_on_device = all - report->edges_on_host;
}
