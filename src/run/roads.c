/* roads.c - see roads.h.
 *
 * Under mixed, bytes read in place are computed, not counted by kernels: from the edges that a round visited, and the
 * bytes of the arrays in host memory. That is exact if all of the arrays are there, or if the round visited all edges
 * once. Otherwise the pages on the device are taken to be visited as often as the others.
 */
#include "run/roads.h"

#include "device/budget.h"
#include "device/bus.h"
#include "engine/device/resident.h"
#include "engine/result.h"

enum { BUS_BYTES = 16 << 20, BUS_LEAST = 1 << 20 };

static bool crosses_bus(const hd_run *run) {
    const hd_residency *residency = run->plan.residency;
    return run->executor && hd_on_device(run) && (residency->spills || residency->spans);
}

/* Bytes that can be allocated without raising the peak. */
static uint64_t spare_bytes(const hd_budget *b) {
    uint64_t spare = b->peak > b->used ? b->peak - b->used : 0;
    return spare < BUS_BYTES ? spare : BUS_BYTES;
}

static heddle_status measure(hd_device *d) {
    hd_buffer buffer;
    uint64_t bytes = spare_bytes(&d->budget);
    if (bytes < BUS_LEAST)
        return HEDDLE_OK;
    HD_TRY(hd_budget_edges(d, bytes, "measuring", &buffer));
    heddle_status status = buffer.away ? HEDDLE_OK : hd_bus_measure(d, &buffer, bytes, &d->bus);
    d->release(d, &buffer);
    return status;
}

heddle_status hd_roads_measure(const hd_run *run) {
    hd_device *d;
    if (!crosses_bus(run))
        return HEDDLE_OK;
    HD_TRY(hd_device_keep(run->ctx, run->options.device, NULL, &d));
    double start = hd_clock();
    if (!(d->bus > 0))
        HD_TRY(measure(d));
    run->result->report.prepare += hd_clock() - start;
    run->result->report.bus = d->bus;
    return HEDDLE_OK;
}

static void take_in_place(const heddle_report *report, uint64_t placed, heddle_round *round) {
    bool all = report->edges_on_device == 0 || round->edges == round->rounds * placed;
    round->in_place_exact = round->in_place_exact && all;
    round->bytes_in_place = HEDDLE_NOT_KNOWN;
    if (round->edges == HEDDLE_NOT_KNOWN || !placed)
        return;
    double bytes = (double)report->edges_on_host / (double)placed * (double)round->edges;
    round->bytes_in_place =
        round->edges == round->rounds * placed ? round->rounds * report->edges_on_host : (uint64_t)bytes;
}

static const char *road_of(const hd_residency *residency, const heddle_report *report, const heddle_round *round) {
    bool here = residency->spills ? report->edges_on_host == 0 : round->parts_sent == 0;
    if (here && round->parts_in_place)
        return hd_residency_mixed.road;
    if (here)
        return hd_residency_device.road;
    if (round->parts_sent && round->parts_sent == round->parts_gathered)
        return "gathered";
    return round->parts_sent && report->bits_per_edge > 0 ? "packed" : residency->road;
}

void hd_roads_report(const hd_run *run, uint64_t placed) {
    const heddle_report *report = &run->result->report;
    const hd_residency *residency = run->plan.residency;
    for (uint64_t i = 0; i < run->result->round_count; i++) {
        heddle_round *round = &run->result->rounds[i];
        round->road = road_of(residency, report, round);
        if (residency->spills)
            take_in_place(report, placed, round);
        else
            round->in_place_exact = 1;
    }
}
