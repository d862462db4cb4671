/* choose_residency.c - where the edges of a run lie: chosen once, here, for heddle_run, --dry-run and explain alike. */
#include "algorithm/program/from_disk.h"
#include "base/word_list.h"
#include "run/memory_estimate.h"
#include "run/resolve.h"

#include <stdio.h>

/* Runs on a device below this are not measured beforehand without a limit: that takes time, and they fit nearly all
 * devices. */
enum { LARGE_EDGES = 1 << 28 };

static uint64_t edge_bytes(const hd_run *run) {
    const heddle_graph *graph = run->graph;
    bool weights = run->algorithm->weighs || run->options.weighted;
    uint64_t each = graph->edges * (4 + (weights ? hd_weight_size(graph->weight_type) : 0));
    bool both = run->algorithm->in_edges && !(hd_on_device(run) && run->algorithm->device_one_way);
    return each * (graph->directed && both ? 2 : 1);
}

static uint64_t host_bytes(const heddle_device_memory *memory) {
    return memory->host_edges + memory->host_in_edges + memory->host_run;
}

/* The run as it would be if it read its edges from a file. */
static hd_run reading(const hd_run *run) {
    hd_run read = *run;
    read.plan.residency = &hd_residency_disk;
    read.plan.order = &hd_order_none;
    return read;
}

/* Why the run cannot read its edges from a file; "": it can, and takes `least` bytes then. */
static void ask_disk(const hd_run *run, hd_residency_facts *facts) {
    const hd_run read = reading(run);
    hd_refusal refusal;
    const hd_executor *executor = hd_executor_of(&read, NULL, &refusal);
    if (!executor) {
        snprintf(facts->no_disk, sizeof facts->no_disk, "%s%s%s%s%s%s", refusal.what, refusal.why ? ": " : "",
                 refusal.why ? refusal.why : "", refusal.instead ? "; use " : "",
                 refusal.instead ? refusal.instead : "", refusal.instead ? " instead" : "");
        return;
    }
    hd_disk_wants wants = executor->wants(run);
    facts->disk_least = hd_from_disk_least(run, &wants);
    const char *reason = hd_from_disk_refuse(run, &wants);
    if (run->plan.transform || hd_plan_shards(&run->plan) ||
        (run->plan.given & HD_GIVEN_ORDER && hd_renames(run->plan.order)))
        reason = "transforms, shards and orders are made in memory; use plan auto instead";
    snprintf(facts->no_disk, sizeof facts->no_disk, "%s", reason ? reason : "");
}

static hd_residency_facts facts_of(const hd_run *run, const heddle_device_memory *memory) {
    const heddle_graph *graph = run->graph;
    bool wide = hd_wide_offsets(graph->vertices, graph->edges), on_device = hd_on_device(run);
    uint64_t value = hd_algorithm_in_double(run->algorithm, graph, &run->options) ? 8 : 4;
    hd_residency_facts facts = {.on_device = on_device,
                                .maps_host = on_device && run->kind->maps_host,
                                .program = (run->algorithm->program || run->options.program) && !run->options.each,
                                .in_file = hd_disk_has_rows(graph, false),
                                .wanted = on_device ? memory->wanted : host_bytes(memory),
                                .edges = edge_bytes(run),
                                .least = graph->vertices * (value + (wide || !on_device ? 8 : 4)),
                                .room = run->limit};
    ask_disk(run, &facts);
    if (on_device && memory->total && memory->free < facts.room)
        facts.room = memory->free;
    return facts;
}

/* Nothing fits: the numbers, in at most 255 characters (heddle_device_memory.refused). */
static heddle_status refuse_room(const hd_run *run, const hd_residency_facts *facts,
                                 const heddle_device_memory *memory) {
    bool limited = facts->room == run->limit;
    char wanted[HD_BYTES_ROOM], parts[3][HD_BYTES_ROOM], room[HD_BYTES_ROOM], least[HD_BYTES_ROOM];
    hd_bytes_text(facts->wanted ? facts->wanted : facts->least, wanted);
    hd_bytes_text(facts->room, room);
    if (facts->on_device)
        return hd_fail(run->ctx, HEDDLE_E_DEVICE_MEMORY,
                       "the run would take about %s on %s (graph, values and buffers), more than the %s %s", wanted,
                       run->options.device, room, limited ? "of the memory limit" : "that are free there");
    hd_bytes_text(memory->host_edges, parts[0]);
    hd_bytes_text(memory->host_in_edges, parts[1]);
    hd_bytes_text(memory->host_run, parts[2]);
    hd_bytes_text(facts->disk_least, least);
    const char *reason = !facts->in_file
                             ? "the graph is not an uncompressed .hdl file with a name: heddle convert writes one"
                             : facts->no_disk;
    bool can = facts->in_file && !facts->no_disk[0];
    return hd_fail(
        run->ctx, HEDDLE_E_MEMORY,
        "the run would take about %s (out-edges %s, in-edges %s, others %s), more than the %s of the memory limit; "
        "residency=disk: %s%s",
        wanted, parts[0], parts[1], parts[2], room, can ? "at least " : "", can ? least : reason);
}

/* The CPU has neither lanes nor queues: what a preset or a schedule means for devices is left open there. */
static void drop_implied(hd_run *run) {
    if (!hd_on_device(run) && !(run->plan.given & HD_GIVEN_RESIDENCY))
        run->plan.residency = NULL;
}

/* Values that kernels update at random should not lie behind a bus. */
static void warn_of_buffers(const hd_run *run, const hd_residency_facts *facts) {
    uint64_t others = facts->wanted > facts->edges ? facts->wanted - facts->edges : 0;
    char text[HD_BYTES_ROOM], room[HD_BYTES_ROOM];
    if (others <= facts->room)
        return;
    hd_bytes_text(others, text);
    hd_bytes_text(facts->room, room);
    hd_note(run->ctx,
            "%s takes %s on the device besides the edges, and %s may be used: buffers lie in host memory too, and the "
            "run may be many times slower",
            run->algorithm->info.name, text, room);
}

/* Pages of which none has to lie elsewhere are the device's memory, and kernels need not be prepared for less. */
static heddle_status use_device_if_all_fits(hd_run *run, heddle_device_memory *memory) {
    const hd_residency *requested = run->plan.residency;
    if (!requested || !requested->pages)
        return HEDDLE_OK;
    run->plan.residency = &hd_residency_device;
    HD_TRY(hd_run_measure(run, memory, &run->wanted));
    hd_residency_facts facts = facts_of(run, memory);
    if (facts.wanted && hd_residency_device.fits(&facts)) {
        run->plan.given &= ~HD_GIVEN_RESIDENCY; /* should it not fit after all, hd_run_fall_back takes the next one */
        hd_note(run->ctx, "residency=%s: the device has room for all edges", requested->name);
        return HEDDLE_OK;
    }
    run->plan.residency = requested;
    return hd_run_measure(run, memory, &run->wanted);
}

/* A device that has not all edges cannot look at all of them first. */
static heddle_status check_preparation(const hd_run *run, const hd_residency *chosen) {
    const hd_plan *plan = &run->plan;
    if (plan->prepare != HD_YES || !hd_on_device(run) || !chosen->spills)
        return HEDDLE_OK;
    return hd_fail(run->ctx, HEDDLE_E_REFUSED,
                   "graffix=%s: graffix.prepare=device: with residency %s not all edges lie on the device; "
                   "use graffix.prepare=host instead",
                   plan->graffix->name, chosen->name);
}

heddle_status hd_residency_settle(hd_run *run, heddle_device_memory *memory) {
    drop_implied(run);
    hd_residency_facts facts = facts_of(run, memory);
    const hd_residency *requested = run->plan.residency;
    const char *reason = requested ? requested->refuse(&facts) : NULL;
    if (reason)
        return hd_fail(run->ctx, HEDDLE_E_REFUSED, "%s: residency=%s: %s", run->algorithm->info.name, requested->name,
                       reason);
    HD_TRY(use_device_if_all_fits(run, memory));
    requested = run->plan.residency;
    facts = facts_of(run, memory);
    const hd_residency *chosen = requested && requested->fits(&facts) ? requested
                                 : requested                          ? NULL
                                                                      : hd_residency_choose(&facts, NULL);
    if (!chosen)
        return refuse_room(run, &facts, memory);
    run->plan.residency = chosen;
    HD_TRY(check_preparation(run, chosen));
    if (chosen->from_file) {
        run->plan.order = &hd_order_none;
        hd_disk_wants wants = hd_executor_of(run, NULL, NULL)->wants(run);
        hd_from_disk_measure(run, &wants, &memory->host_edges, &memory->host_run);
        memory->host_in_edges = 0;
    }
    if (chosen->spills) { /* algorithms take less then */
        HD_TRY(hd_run_measure(run, memory, &run->wanted));
        facts = facts_of(run, memory);
        warn_of_buffers(run, &facts);
    }
    snprintf(memory->residency, sizeof memory->residency, "%s", chosen->name);
    memory->host_resident = chosen->on_host(&facts);
    return HEDDLE_OK;
}

/* Whether the choice depends on how much memory the run takes. */
static bool depends(const hd_run *run) {
    const hd_residency *requested = run->plan.residency;
    if (hd_in_parts(run))
        return false;
    if (run->options.memory_limit || (requested && requested != &hd_residency_device))
        return true;
    return !requested && hd_on_device(run) && run->graph->edges >= LARGE_EDGES;
}

heddle_status hd_run_settle_residency(hd_run *run) {
    heddle_device_memory memory = {.wanted = 0};
    drop_implied(run);
    if (!depends(run)) {
        if (!run->plan.residency)
            run->plan.residency = &hd_residency_device;
        return HEDDLE_OK;
    }
    HD_TRY(hd_run_measure(run, &memory, &run->wanted));
    HD_TRY(hd_residency_settle(run, &memory));
    return hd_run_check(run);
}

bool hd_run_fall_back(hd_run *run) {
    heddle_device_memory memory = {.wanted = 0};
    heddle_error error = run->ctx->error;
    if ((run->plan.given & HD_GIVEN_RESIDENCY) || hd_run_measure(run, &memory, &run->wanted) != HEDDLE_OK) {
        run->ctx->error = error;
        return false;
    }
    hd_residency_facts facts = facts_of(run, &memory);
    const hd_residency *next = hd_residency_choose(&facts, run->plan.residency);
    run->ctx->error = error;
    if (!next)
        return false;
    run->plan.residency = next;
    if (next->spills && hd_run_measure(run, &memory, &run->wanted) != HEDDLE_OK)
        run->wanted = 0;
    run->ctx->error = error;
    hd_note(run->ctx, "residency %s: %s", next->name, next->about);
    return true;
}
