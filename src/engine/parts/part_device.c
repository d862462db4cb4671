/* part_device.c - a part on a device: rounds of the in-core engine over the slice's rows, any schedule that pulls.
 *
 * Values stay on the device, and rows if it has room for them (part_place.h). After a round what the exchange asks for
 * comes to the host: all own values, or the outbox that hd_refine has filled (schedule/slice.cl). What other parts send
 * goes up as a list, which hd_take puts in its places. */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/device_laws.h"
#include "engine/device/incore_run.h"
#include "engine/parts/device_peers.h"
#include "engine/parts/outlists.h"
#include "engine/parts/part_place.h"

#include <string.h>

typedef struct device_part {
    incore e;
    hd_incore_program asking; /* the job's program if it uses in-degrees */
    heddle_graph graph;       /* as far as the engine asks: sizes and types of the slice */
    hd_cpu_setup setup;
    heddle_vertex *sources; /* own ones, in the part's numbers */
    uint64_t source_room;
    hd_outlists lists; /* own vertices that others read */
    char *values;      /* of own vertices, as far as they have been read */
    uint64_t *changed;
    uint64_t words;
    uint32_t *places; /* the outbox of the host */
    char *outbox;
    uint64_t hub; /* where the inbox of the host begins: behind those that others' devices write to */
    bool swapped; /* which of two buffers the next round reads */
    hd_part_place place;
    hd_windows windows; /* with residency stream */
} device_part;

/* ---- Before the first round ------------------------------------------------------------------------------------- */

static heddle_status take_sources(hd_part *part, device_part *d) {
    const hd_cpu_setup *setup = &part->job->setup;
    uint64_t count = 0;
    d->source_room = setup->source_count;
    HD_TRY(HD_NEW(part->ctx, &d->sources, d->source_room, "sources"));
    for (uint64_t i = 0; i < setup->source_count; i++)
        if (setup->sources[i] - part->slice->first < part->slice->own)
            d->sources[count++] = (heddle_vertex)(setup->sources[i] - part->slice->first);
    d->setup.sources = d->sources;
    d->setup.source_count = count;
    return HEDDLE_OK;
}

static heddle_status describe(hd_part *part, device_part *d, const uint32_t *degrees) {
    const hd_slice *s = part->slice;
    const hd_part_job *job = part->job;
    heddle_context *ctx = part->ctx;
    d->words = s->own / 64 + 1;
    d->setup = job->setup;
    d->setup.out_degrees = degrees;
    d->setup.names = job->setup.names ? job->setup.names : s->names;
    d->setup.own_vertices = job->setup.own_vertices ? job->setup.own_vertices : job->vertices;
    d->graph = (heddle_graph){.vertices = s->own, .edges = s->edges, .weight_type = job->weight_type, .directed = true};
    d->e = (incore){.ctx = ctx,
                    .graph = &d->graph,
                    .program = job->program,
                    .setup = &d->setup,
                    .plan = job->plan,
                    .rows = {.vertices = s->own,
                             .edges = s->edges,
                             .first = {.offsets = s->offsets, .targets = s->targets, .weights = s->weights}},
                    .remote = s->remote};
    HD_TRY(HD_NEW_ZERO(ctx, &d->changed, d->words, "changed vertices"));
    HD_TRY(take_sources(part, d));
    part->direct = hd_peers_find(part);
    HD_TRY(hd_outlists_new(ctx, s, part->direct.out, d->changed, &d->lists));
    d->e.boundary = d->lists.places;
    d->hub = part->direct.in ? s->remote : 0;
    d->e.inbox = d->hub + s->remote;
    HD_TRY(hd_new(ctx, (void **)&d->values, s->own, part->value_size, true, "vertex values"));
    HD_TRY(HD_NEW(ctx, &d->places, d->lists.hub, "an outbox"));
    return hd_new(ctx, (void **)&d->outbox, d->lists.hub, part->value_size, false, "an outbox");
}

static void add_degrees(const hd_slice *s, hd_plan_program *facts) {
    facts->mean_degree = s->own ? (double)s->edges / (double)s->own : 0;
    for (uint64_t v = 0; v < s->own; v++) {
        uint64_t degree = s->offsets[v + 1] - s->offsets[v];
        facts->longest = degree > facts->longest ? degree : facts->longest;
    }
}

static bool walks_whole_rows(const hd_schedule *schedule) { return schedule->whole_rows; }

static heddle_status refuse_schedule(const hd_part *part, const hd_plan *plan) {
    char names[96];
    hd_schedule_names(walks_whole_rows, names, sizeof names);
    return hd_fail(part->ctx, HEDDLE_E_REFUSED,
                   "%s: residency=stream: schedule=%s needs all edges of a part at once; use schedule=%s instead",
                   part->job->device, plan->schedule->name, names);
}

/* Plan, shape and layout, for edges that pass in windows or for all at once. */
static heddle_status fit(hd_part *part, device_part *d, const hd_plan_program *facts, bool window) {
    incore *e = &d->e;
    const hd_device_info *info = &e->device->info;
    e->plan = hd_plan_of_part(&part->job->plan, window);
    HD_TRY(hd_plan_fit(e->ctx, facts, info->warp, e->device->kind->warps, info->atomics64, &e->plan));
    if (window && !e->plan.schedule->whole_rows)
        return refuse_schedule(part, &e->plan);
    bool wide = e->plan.wide_offsets == HD_YES || hd_wide_offsets(e->rows.vertices, e->rows.edges);
    e->shape = hd_incore_shape_of(e->program, &e->plan, e->device->kind, wide);
    e->shape.slice = e->shape.names = true;
    e->shape.window = window;
    e->shape.in_degrees = d->setup.in_degrees && e->program->in_degree;
    e->shape.no_in_degree = d->setup.in_degrees && !e->program->in_degree;
    e->shape.no_initial &= !d->setup.initial;
    hd_incore_layout_free(e->ctx, &e->layout);
    HD_TRY(hd_incore_layout_new(e->ctx, &e->shape, &e->rows, e->setup, false, &e->layout));
    e->groups = hd_incore_groups(e, info->units);
    return HEDDLE_OK;
}

/* Chooses where the edges lie, and prepares everything for that. */
static heddle_status place_and_fill(hd_part *part, device_part *d, const hd_plan_program *facts, bool *open) {
    incore *e = &d->e;
    HD_TRY(fit(part, d, facts, false));
    HD_TRY(hd_part_place_choose(part, e, &d->place, open));
    bool window = d->place.residency->spans;
    if (window) {
        HD_TRY(fit(part, d, facts, true));
        HD_TRY(hd_windows_cut(e, part->slice, hd_part_place_left(e, &d->place), &d->windows));
    }
    HD_TRY(hd_incore_build(e, part->report));
    double start = hd_clock();
    HD_TRY(hd_part_place_edges(part, e, &d->place));
    HD_TRY(hd_incore_allocate(e));
    HD_TRY(hd_incore_upload(e));
    if (window)
        HD_TRY(hd_windows_open(e, &d->windows));
    HD_TRY(e->device->upload(e->device, &e->buffer[QUEUE], 0, d->lists.words, d->lists.room * sizeof *d->lists.words));
    HD_TRY(e->device->finish(e->device));
    part->report->transfer += hd_clock() - start;
    return HEDDLE_OK;
}

static void begin_again(hd_part *part, device_part *d, const incore *blank) {
    hd_windows_close(&d->e, &d->windows);
    hd_incore_close(&d->e);
    d->e = *blank;
    hd_enter(part->ctx);
}

/* Where several parts share a device's memory, each may count on what another takes: then the next residency is tried.
 */
static heddle_status set_up(hd_part *part, device_part *d) {
    incore *e = &d->e;
    hd_plan_program facts;
    bool open = false;
    HD_TRY(hd_incore_open(e, part->job->device, part->report, &facts));
    if (part->direct.out && !e->device->copy_to)
        return hd_fail(part->ctx, HEDDLE_E_REFUSED,
                       "%s: peer=yes: it cannot copy to another device; use peer=no instead", part->job->device);
    HD_TRY(hd_resident_place(part->ctx, part->job->device, &hd_residency_device, part->job->limit, 0, part->report));
    add_degrees(part->slice, &facts);
    incore blank = *e;
    heddle_status status = place_and_fill(part, d, &facts, &open);
    if (status == HEDDLE_E_PROGRAM && hd_incore_asks(e, &d->asking)) {
        blank.program = &d->asking;
        begin_again(part, d, &blank);
        d->place = (hd_part_place){.residency = NULL};
        status = place_and_fill(part, d, &facts, &open);
    }
    while (status == HEDDLE_E_DEVICE_MEMORY && open && d->place.residency) {
        heddle_error error = part->ctx->error;
        begin_again(part, d, &blank);
        status = place_and_fill(part, d, &facts, &open);
        if (!d->place.residency) /* there is none left */
            part->ctx->error = error;
    }
    HD_TRY(status);
    part->residency = d->place.residency;
    part->report->device_bytes = e->bytes;
    if (part->residency != &hd_residency_device)
        hd_part_place_report(e, &d->windows, part->report);
    hd_schedule_label(&e->plan, part->schedule, sizeof part->schedule);
    return HEDDLE_OK;
}

/* State that the rounds' kernels leave for the host. */
static heddle_status look(device_part *d, hd_part_outcome *outcome) {
    double numbers[HD_NUMBERS];
    float singles[HD_NUMBERS];
    incore *e = &d->e;
    HD_TRY(e->device->download(e->device, numbers, &e->buffer[NUMBERS], 0, sizeof numbers));
    HD_TRY(hd_incore_look(e));
    memcpy(singles, numbers, sizeof singles);
    outcome->change = outcome->largest = e->doubles ? numbers[HD_RESIDUAL] : (double)singles[HD_RESIDUAL];
    outcome->idle = e->doubles ? numbers[HD_IDLE] : (double)singles[HD_IDLE];
    outcome->magnitude = e->doubles ? numbers[HD_LARGEST] : (double)singles[HD_LARGEST];
    memcpy(outcome->totals, numbers + HD_FIRST_TOTAL, sizeof outcome->totals); /* only where there are doubles */
    return HEDDLE_OK;
}

static const hd_buffer *values_of(const device_part *d) {
    return &d->e.buffer[d->swapped && !d->e.shape.in_place ? NEXT : VALUES];
}

static heddle_status download_values(hd_part *part, device_part *d) {
    hd_device *device = d->e.device;
    HD_TRY(device->download(device, d->values, values_of(d), 0, part->slice->own * part->value_size));
    return device->finish(device);
}

static heddle_status open_device(hd_part *part, const uint32_t *degrees) {
    device_part *d;
    hd_part_outcome first;
    HD_TRY(HD_NEW_ZERO(part->ctx, &d, 1, "a part"));
    part->own = d;
    part->value_size = part->job->program->value_size;
    HD_TRY(describe(part, d, degrees));
    if (d->setup.check && part->job->compiled) {
        hd_device *device;
        HD_TRY(hd_device_keep(part->ctx, part->job->device, part->report, &device));
        HD_TRY(hd_device_laws(device, part->job->program, part->job->compiled, &d->setup, part->slice->own,
                              &d->e.rows.first, part->job->weight_type, part->report));
    }
    HD_TRY(set_up(part, d));
    incore *e = &d->e;
    HD_TRY(hd_incore_launch(e, KERNEL_START, 0, 0, false));
    HD_TRY(hd_incore_launch(e, KERNEL_TURN, 0, e->groups * e->shape.warps, false));
    HD_TRY(look(d, &first));
    part->idle = first.idle;
    memcpy(part->totals, first.totals, sizeof part->totals);
    part->values = d->values;
    part->changed = d->changed;
    if (part->direct.in)
        hd_peer_publish(&part->job->peers[part->slice->part], e->device, &e->buffer[TOUCHED_BITS],
                        &e->buffer[QUEUED_NEXT], part->slice->remote_start);
    return download_values(part, d);
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

static heddle_status refuse_outbox(const hd_part *part, uint64_t count, uint64_t most) {
    return hd_fail(part->ctx, HEDDLE_E_INTERNAL, "%s: %llu vertices in an outbox for %llu", part->job->device,
                   (unsigned long long)count, (unsigned long long)most);
}

static heddle_status take_device(hd_part *part, const hd_inbox *inbox) {
    device_part *d = part->own;
    incore *e = &d->e;
    hd_device *device = e->device;
    if (!inbox->count)
        return HEDDLE_OK;
    for (uint64_t i = 0; d->hub && i < inbox->count; i++)
        inbox->places[i] -= (uint32_t)d->hub; /* the kernel adds it, as it does for other inboxes */
    HD_TRY(device->upload(device, &e->buffer[TOUCHED_BITS], d->hub * sizeof *inbox->places, inbox->places,
                          inbox->count * sizeof *inbox->places));
    HD_TRY(device->upload(device, &e->buffer[QUEUED_NEXT], d->hub * part->value_size, inbox->values,
                          inbox->count * part->value_size));
    HD_TRY(hd_incore_launch(e, KERNEL_TAKE, (uint32_t)d->hub, (uint32_t)inbox->count, d->swapped));
    return device->finish(device); /* the inbox is used again */
}

static heddle_status pass_device(hd_part *part, uint64_t *passed) {
    device_part *d = part->own;
    const incore *e = &d->e;
    for (uint32_t p = 0; p < part->slice->parts; p++) {
        if (!hd_is_direct(part->direct.out, p))
            continue;
        uint32_t list = d->lists.of[p];
        passed[p] = e->words[HD_LISTS + list];
        if (passed[p] > d->lists.most[list])
            return refuse_outbox(part, passed[p], d->lists.most[list]);
        HD_TRY(hd_peer_copy(part, p, e->device, &e->buffer[TOUCHED], &e->buffer[QUEUE_NEXT], d->lists.at[list],
                            passed[p]));
    }
    return HEDDLE_OK;
}

static heddle_status accept_device(hd_part *part, const uint64_t *arrived) {
    device_part *d = part->own;
    const hd_slice *s = part->slice;
    for (uint32_t p = 0; p < s->parts; p++)
        if (hd_is_direct(part->direct.in, p) && arrived[p])
            HD_TRY(
                hd_incore_launch(&d->e, KERNEL_TAKE, (uint32_t)s->remote_start[p], (uint32_t)arrived[p], d->swapped));
    return d->e.device->finish(d->e.device);
}

/* PageRank's parameter 1, as the device's f64. */
static heddle_status set_base(incore *e, double base) {
    float single = (float)base;
    size_t size = e->doubles ? sizeof base : sizeof single;
    HD_TRY(e->device->upload(e->device, &e->buffer[NUMBERS], size, e->doubles ? (void *)&base : &single, size));
    return e->device->finish(e->device);
}

/* Totals and phase of the round, and the largest output, as the device's f64. */
static heddle_status set_rule(hd_part *part, incore *e) {
    const hd_cpu_run *rule = part->rule;
    uint32_t phase[] = {rule->phase, (uint32_t)rule->phase_round};
    float single = (float)rule->largest;
    size_t size = e->doubles ? sizeof rule->largest : sizeof single;
    if (rule->largest > 0)
        HD_TRY(e->device->upload(e->device, &e->buffer[NUMBERS], HD_LARGEST * size,
                                 e->doubles ? (const void *)&rule->largest : &single, size));
    if (e->program->traits & HD_HAS_TOTALS)
        HD_TRY(e->device->upload(e->device, &e->buffer[NUMBERS], HD_FIRST_TOTAL * sizeof *rule->total, rule->total,
                                 sizeof rule->total));
    if (e->program->traits & HD_HAS_PHASES)
        HD_TRY(e->device->upload(e->device, &e->buffer[WORDS], HD_PHASE * sizeof *phase, phase, sizeof phase));
    return e->device->finish(e->device);
}

/* The vertices of the outbox. Those that changed are known from it if nothing else is in it. */
static heddle_status download_outbox(hd_part *part, device_part *d, bool every) {
    incore *e = &d->e;
    hd_device *device = e->device;
    uint64_t count = e->words[HD_LISTS];
    size_t size = part->value_size;
    if (count > d->lists.hub)
        return refuse_outbox(part, count, d->lists.hub);
    if (!every)
        memset(d->changed, 0, d->words * sizeof *d->changed);
    if (!count)
        return HEDDLE_OK;
    HD_TRY(device->download(device, d->places, &e->buffer[TOUCHED], 0, count * sizeof *d->places));
    HD_TRY(device->download(device, d->outbox, &e->buffer[QUEUE_NEXT], 0, count * size));
    HD_TRY(device->finish(device));
    for (uint64_t i = 0; i < count; i++) {
        uint32_t v = d->lists.words[d->places[i]];
        memcpy(d->values + v * size, d->outbox + i * size, size);
        if (!every)
            d->changed[v >> 6] |= UINT64_C(1) << (v & 63);
    }
    return HEDDLE_OK;
}

static heddle_status round_device(hd_part *part, uint64_t iteration, double base, hd_part_outcome *outcome) {
    device_part *d = part->own;
    incore *e = &d->e;
    hd_device *device = e->device;
    const hd_exchange *exchange = part->job->plan.exchange;
    *outcome = (hd_part_outcome){.passed = e->shape.window ? hd_windows_sent(&d->windows) : 0};
    HD_TRY(device->fill(device, &e->buffer[QUEUED], 0, 0, d->words * sizeof *d->changed));
    if (part->job->setup.ranks)
        HD_TRY(set_base(e, base));
    HD_TRY(set_rule(part, e));
    HD_TRY(e->shape.window ? hd_windows_queue(e, &d->windows, iteration) : hd_incore_queue(e, iteration));
    d->swapped = iteration % 2 == 0;
    if (!exchange->interior)
        HD_TRY(hd_incore_launch(e, KERNEL_REFINE, 2 * d->lists.count + !exchange->every, (uint32_t)e->boundary,
                                d->swapped));
    if (exchange->every)
        HD_TRY(device->download(device, d->changed, &e->buffer[QUEUED], 0, d->words * sizeof *d->changed));
    HD_TRY(look(d, outcome));
    outcome->changes = e->words[HD_TOTAL];
    return exchange->interior ? download_values(part, d) : download_outbox(part, d, exchange->every);
}

/* ---- After the last --------------------------------------------------------------------------------------------- */

static heddle_status results_device(hd_part *part, void *outputs) {
    device_part *d = part->own;
    incore *e = &d->e;
    hd_device *device = e->device;
    const hd_buffer *from = values_of(d);
    double start = hd_clock();
    if (e->program->has_output) {
        HD_TRY(hd_incore_launch(e, KERNEL_RESULTS, 0, 0, d->swapped));
        from = &e->buffer[MESSAGES];
    }
    HD_TRY(device->download(device, outputs, from, 0, part->slice->own * hd_value_size(e->program->output)));
    HD_TRY(device->finish(device));
    part->report->transfer += hd_clock() - start;
    return HEDDLE_OK;
}

/* Rounds read and write two buffers in turn, unless they update in place: the values go where the next one reads. */
static heddle_status restore_device(hd_part *part, const void *values, uint64_t round) {
    device_part *d = part->own;
    hd_device *device = d->e.device;
    uint64_t own = part->slice->own;
    uint32_t iteration = (uint32_t)round;
    bool single = part->value_size == sizeof(float);
    if (own)
        memcpy(d->values, values, own * part->value_size);
    d->swapped = round % 2;
    HD_TRY(device->upload(device, values_of(d), 0, d->values, own * part->value_size));
    HD_TRY(device->upload(device, &d->e.buffer[WORDS], HD_ITERATION * sizeof iteration, &iteration, sizeof iteration));
    HD_TRY(hd_incore_launch(&d->e, KERNEL_TAKE, HD_TAKE_OWN, (uint32_t)own, d->swapped)); /* what they send */
    HD_TRY(device->finish(device));
    if (part->job->setup.ranks)
        part->idle = 0;
    for (uint64_t v = 0; part->job->setup.ranks && v < own; v++)
        if (!d->setup.out_degrees[v])
            part->idle += single ? (double)((const float *)values)[v] : ((const double *)values)[v];
    return HEDDLE_OK;
}

static heddle_status complete_device(hd_part *part) { return download_values(part, part->own); }

static void close_device(hd_part *part) {
    device_part *d = part->own;
    const heddle_allocator *allocator = &part->ctx->allocator;
    if (!d)
        return;
    if (part->direct.in)
        hd_peer_withdraw(&part->job->peers[part->slice->part]);
    hd_windows_close(&d->e, &d->windows);
    hd_incore_close(&d->e);
    if (d->e.device)
        hd_resident_placed(part->ctx, part->job->device, NULL); /* the limit */
    HD_DELETE(allocator, d->sources, d->source_room);
    HD_DELETE(allocator, d->values, part->slice->own * part->value_size);
    HD_DELETE(allocator, d->changed, d->words);
    HD_DELETE(allocator, d->places, d->lists.hub);
    HD_DELETE(allocator, d->outbox, d->lists.hub * part->value_size);
    hd_outlists_free(part->ctx, &d->lists);
    HD_DELETE(allocator, d, 1);
    part->own = NULL;
}

const hd_part_kind hd_part_device = {.open = open_device,
                                     .take = take_device,
                                     .round = round_device,
                                     .pass = pass_device,
                                     .accept = accept_device,
                                     .results = results_device,
                                     .close = close_device,
                                     .restore = restore_device,
                                     .complete = complete_device};
