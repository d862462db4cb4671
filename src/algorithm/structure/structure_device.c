/* structure_device.c - see structure_device.h. */
#include "algorithm/structure/structure_device.h"

#include "engine/device/near_heads.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/primitive/restore_order.h"
#include "engine/simple_graph.h"
#include "engine/spread.h"

#include <stdio.h>

heddle_status hd_structure_open(hd_structure *s, heddle_context *ctx, const heddle_graph *graph, const char *device,
                                int want, heddle_result *result) {
    bool wide = want & HD_STRUCTURE_WIDE;
    *s = (hd_structure){.ctx = ctx, .graph = graph, .result = result};
    HD_TRY(hd_resident_open(ctx, graph, device, want, wide, &result->report, &s->resident));
    s->device = s->resident->device;
    return HEDDLE_OK;
}

heddle_status hd_structure_compile(hd_structure *s, const char *name, const char *const *texts, const char *defines) {
    hd_kernels_text text = {.name = name,
                            .texts = texts,
                            .defines = defines,
                            .wide = s->resident->wide,
                            .weights = s->resident->weight_type};
    return hd_kernels_open(s->device, &text, &s->result->report, &s->kernels);
}

heddle_status hd_structure_buffer(hd_structure *s, uint64_t bytes, const char *what, hd_buffer *buffer) {
    if (s->buffer_count == HD_STRUCTURE_BUFFERS)
        return hd_fail(s->ctx, HEDDLE_E_INTERNAL, "more than %d buffers", HD_STRUCTURE_BUFFERS);
    s->bytes += bytes;
    if (!s->device) /* they are only counted */
        return HEDDLE_OK;
    HD_TRY(s->device->allocate(s->device, bytes ? bytes : 16, what, buffer));
    s->buffers[s->buffer_count++] = *buffer;
    return HEDDLE_OK;
}

heddle_status hd_structure_start(hd_structure *s) {
    HD_TRY(s->device->finish(s->device));
    return s->device->mark(s->device, 0);
}

heddle_status hd_structure_stop(hd_structure *s) {
    double seconds = 0;
    HD_TRY(s->device->mark(s->device, 1));
    HD_TRY(s->device->finish(s->device));
    HD_TRY(s->device->between(s->device, 0, 1, &seconds));
    s->result->report.compute += seconds;
    return HEDDLE_OK;
}

void hd_structure_record(heddle_context *ctx, uint64_t rounds, heddle_direction direction, const char *name) {
    HD_ROUND(ctx, .rounds = rounds, .vertices = HD_NOT_KNOWN, .edges = HD_NOT_KNOWN, .direction = direction,
             .kernel = name);
}

heddle_status hd_structure_look(hd_structure *s, const hd_buffer *buffer, void *words, uint64_t bytes) {
    HD_TRY(s->device->download(s->device, words, buffer, 0, bytes));
    HD_TRY(s->device->finish(s->device));
    return hd_advance(s->ctx, 0) ? hd_cancelled_status(s->ctx) : HEDDLE_OK;
}

heddle_status hd_structure_fetch(hd_structure *s, const hd_buffer *buffer, void *values, uint64_t bytes) {
    double start = hd_clock();
    HD_TRY(s->device->download(s->device, values, buffer, 0, bytes));
    HD_TRY(s->device->finish(s->device));
    s->result->report.transfer += hd_clock() - start;
    return hd_advance(s->ctx, 0) ? hd_cancelled_status(s->ctx) : HEDDLE_OK;
}

heddle_status hd_structure_values(hd_structure *s, const hd_buffer *buffer, bool labels) {
    heddle_result *result = s->result;
    size_t size = hd_value_size(result->type);
    hd_buffer home;
    HD_TRY(hd_restore_order(s->resident, s->graph, buffer, size, labels, result, &home));
    return hd_structure_fetch(s, &home, result->values, result->count * size);
}

void hd_structure_report(hd_structure *s, const char *device, const char *schedule) {
    heddle_result *result = s->result;
    hd_result_device(result, device);
    snprintf(result->schedule, sizeof result->schedule, "%s", schedule);
    result->report.schedule = result->schedule;
    result->report.device_bytes = s->resident->bytes + s->bytes;
    result->report.converged = 1;
}

uint64_t hd_structure_rows(const heddle_graph *graph, int want) {
    bool wide = (want & HD_STRUCTURE_WIDE) || hd_resident_wide(graph, want);
    uint64_t each = (graph->vertices + 1) * (wide ? 8 : 4) +
                    graph->edges * ((want & HD_WANT_WEIGHTS) && graph->weight_type ? 8 : 4);
    return each * (graph->directed && (want & HD_WANT_OUT) && (want & HD_WANT_IN) ? 2 : 1);
}

uint64_t hd_structure_simple_rows(const heddle_graph *graph) {
    uint64_t arcs = hd_derived_simple_arcs(graph);
    return (graph->vertices + 1) * (hd_wide_offsets(graph->vertices, arcs) ? 8 : 4) + arcs * 4;
}

void hd_structure_close(hd_structure *s) {
    for (uint32_t i = 0; i < s->buffer_count; i++)
        s->device->release(s->device, &s->buffers[i]);
    hd_kernels_close(&s->kernels);
}

heddle_status hd_structure_figures(heddle_context *ctx, heddle_result *result) {
    const uint32_t *label = result->values;
    uint64_t components = 0, largest = 0;
    uint32_t *size;
    for (uint64_t v = 0; v < result->count; v++)
        components += label[v] == result->first + v;
    if (result->spread) {
        hd_spread_join(ctx, result, HD_LINK_SUM, &components, 1);
        HD_TRY(hd_spread_largest(ctx, result, &largest));
    } else {
        HD_TRY(HD_NEW_ZERO(ctx, &size, result->count, "component sizes"));
        for (uint64_t v = 0; v < result->count; v++)
            largest = ++size[label[v]] > largest ? size[label[v]] : largest;
        HD_DELETE(&ctx->allocator, size, result->count);
    }
    hd_result_figure(result, "components", (double)components);
    hd_result_figure(result, "largest", (double)largest);
    return HEDDLE_OK;
}

heddle_status hd_structure_heads(const hd_device_request *r, int want, uint64_t buffers, uint64_t *bytes) {
    const heddle_graph *graph = r->run->graph;
    bool wide = hd_resident_wide(graph, want);
    uint64_t others = buffers + (graph->vertices + 1) * (wide ? 8 : 4) * (graph->directed ? 2 : 1);
    return hd_near_heads_bytes(r->run->ctx, graph, r->left > others ? r->left - others : 0, bytes);
}
