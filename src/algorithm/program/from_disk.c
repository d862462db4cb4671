/* from_disk.c - see from_disk.h. */
#include "algorithm/program/from_disk.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/word_list.h"
#include "engine/weight_check.h"
#include "graph/rows.h"

#include <string.h>

enum { STRIP = 1 << 14 /* edges that a thread takes at a time */ };

bool hd_from_disk(const hd_run *run) { return run->plan.residency && run->plan.residency->from_file; }

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

static uint64_t id_bytes(const heddle_graph *graph) {
    uint64_t n = graph->vertices;
    return graph->ids.starts ? (n + 1) * 8 + graph->mapping.text_bytes : graph->ids.values ? n * 8 : 0;
}

/* Everything but edges. Values are allocated after the first pass, which may compare both directions. */
static uint64_t kept_bytes(const hd_run *run, const hd_disk_wants *wants) {
    const heddle_graph *graph = run->graph;
    uint64_t degrees = graph->directed && wants->other_degrees ? sizeof(uint32_t) : 0, n = graph->vertices + 1;
    uint64_t values = n * wants->vertex_bytes;
    uint64_t proof = graph->directed && wants->in ? hd_disk_proof_bytes(graph, wants->weights) : 0;
    return n * (8 + degrees) + (values > proof ? values : proof) + id_bytes(graph) + hd_disk_table_bytes(graph);
}

uint64_t hd_from_disk_least(const hd_run *run, const hd_disk_wants *wants) {
    return kept_bytes(run, wants) + hd_disk_least_bytes(run->graph, wants->weights);
}

const char *hd_from_disk_refuse(const hd_run *run, const hd_disk_wants *wants) {
    if (!hd_disk_has_rows(run->graph, false))
        return "the graph is not an uncompressed .hdl file with a name: heddle convert writes one";
    if (wants->in && !hd_disk_has_rows(run->graph, true))
        return "in-edges are not in the file: heddle convert IN OUT.hdl --in-edges writes one that has them";
    return NULL;
}

/* Without a limit: half of what the machine has. */
static uint64_t limit_of(const hd_run *run) {
    return run->limit == UINT64_MAX ? hd_machine_memory("") / 2 : run->limit;
}

void hd_from_disk_measure(const hd_run *run, const hd_disk_wants *wants, uint64_t *edges, uint64_t *others) {
    uint64_t limit = limit_of(run), all = run->graph->edges * hd_disk_edge_bytes(run->graph, wants->weights);
    *others = kept_bytes(run, wants);
    *edges = limit > *others ? limit - *others : 0;
    *edges = *edges < all ? *edges : all;
}

static heddle_status edge_room(const hd_run *run, const hd_disk_wants *wants, uint64_t *bytes) {
    uint64_t limit = limit_of(run);
    uint64_t kept = kept_bytes(run, wants), least = hd_from_disk_least(run, wants);
    char texts[2][HD_BYTES_ROOM];
    if (least > limit) {
        hd_bytes_text(least, texts[0]);
        hd_bytes_text(limit, texts[1]);
        return hd_fail(
            run->ctx, HEDDLE_E_MEMORY,
            "the run would take at least %s with its edges read from the file (offsets, values and buffers), "
            "more than the %s of the memory limit",
            texts[0], texts[1]);
    }
    *bytes = limit - kept;
    return HEDDLE_OK;
}

/* ---- The first pass --------------------------------------------------------------------------------------------- */

typedef struct survey {
    const hd_run *run;
    const hd_disk_wants *wants;
    uint32_t *in_degrees; /* to be counted; or NULL */
    double most;
    bool look;         /* at the weights */
    hd_strip_fn strip; /* the caller's, or NULL */
    void *self;
    const hd_disk *disk;
} survey;

static void walk_block(heddle_context *ctx, const hd_disk *disk, const hd_disk_block *block, hd_strip_fn strip,
                       void *self);

static heddle_status visit(void *self, const hd_disk_block *block) {
    survey *s = self;
    const uint32_t *targets = block->rows.targets;
    if (s->in_degrees) {
        HD_PARALLEL_FOR(s->run->ctx, schedule(static))
        for (uint64_t e = block->first_edge; e < block->end_edge; e++)
            hd_fetch_add(&s->in_degrees[targets[e]], 1);
    }
    if (s->strip)
        walk_block(s->run->ctx, s->disk, block, s->strip, s->self);
    if (!s->look)
        return HEDDLE_OK;
    heddle_adjacency rows = {block->rows.offsets, block->rows.targets, block->rows.weights};
    double most;
    HD_TRY(hd_weights_check_part(s->run->ctx, s->run->graph, &rows, block->first_edge, block->end_edge,
                                 s->wants->not_negative, s->run->algorithm->info.name, &most));
    s->most = most > s->most ? most : s->most;
    return HEDDLE_OK;
}

static heddle_status first_pass(const hd_run *run, const hd_disk_wants *wants, hd_strip_fn strip, void *self,
                                hd_from_disk_rows *rows) {
    const heddle_graph *graph = run->graph;
    bool count = rows->degrees && !wants->in;
    survey s = {.run = run,
                .wants = wants,
                .in_degrees = count ? rows->degrees : NULL,
                .strip = strip,
                .self = self,
                .disk = &rows->disk};
    s.look = wants->check_weights && rows->disk.weight_size && hd_weights_may_be_bad(graph, wants->not_negative);
    bool visits = s.look || count || strip;
    hd_disk_survey request = {.prove = wants->in || !run->algorithm->forward,
                              .whole = visits,
                              .self = &s,
                              .visit = visits ? visit : NULL};
    request.prove = request.prove && (wants->in || !graph->directed);
    HD_TRY(hd_disk_check(&rows->disk, &request));
    rows->most = s.look ? s.most : hd_weights_bound(graph->weight_type);
    return HEDDLE_OK;
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

heddle_status hd_from_disk_open(const hd_run *run, const hd_disk_wants *wants, hd_from_disk_rows *rows) {
    double start = hd_clock();
    HD_TRY(hd_from_disk_open_walking(run, wants, NULL, NULL, rows));
    run->result->report.prepare += hd_clock() - start;
    return HEDDLE_OK;
}

heddle_status hd_from_disk_open_walking(const hd_run *run, const hd_disk_wants *wants, hd_strip_fn strip, void *self,
                                        hd_from_disk_rows *rows) {
    heddle_context *ctx = run->ctx;
    const heddle_graph *graph = run->graph;
    hd_disk_request request = {.in = wants->in, .weights = wants->weights};
    const char *reason = hd_from_disk_refuse(run, wants);
    *rows = (hd_from_disk_rows){.degrees = NULL};
    if (reason)
        return hd_fail(ctx, HEDDLE_E_REFUSED, "%s: residency=disk: %s", run->algorithm->info.name, reason);
    HD_TRY(edge_room(run, wants, &request.bytes));
    HD_TRY(hd_graph_verify(ctx, graph, HD_VERIFY_IDS));
    if (graph->directed && wants->other_degrees)
        HD_TRY(HD_NEW_ZERO(ctx, &rows->degrees, graph->vertices, "degrees"));
    if (rows->degrees && wants->in)
        HD_TRY(hd_disk_degrees(ctx, graph, false, rows->degrees));
    HD_TRY(hd_disk_open(ctx, graph, &request, &rows->disk));
    return first_pass(run, wants, strip, self, rows);
}

static void report(const hd_disk *disk, heddle_report *report) {
    uint64_t each = sizeof(heddle_vertex) + disk->weight_size;
    report->disk_edges = disk->graph->edges * each;
    report->disk_resident = disk->kept_edges * each;
    report->disk_read = disk->total.bytes_sent;
    report->disk_parts = disk->span_count;
    report->disk_reading = disk->total.copy_seconds;
}

void hd_from_disk_close(const hd_run *run, hd_from_disk_rows *rows) {
    if (rows->disk.ctx && run->result)
        report(&rows->disk, &run->result->report);
    hd_disk_close(&rows->disk);
    HD_DELETE(&run->ctx->allocator, rows->degrees, run->graph->vertices);
}

heddle_status hd_from_disk_execute(const hd_run *run, hd_from_disk_rows *rows, const hd_cpu_program *program,
                                   const hd_cpu_setup *setup) {
    hd_cpu_setup here = *setup;
    here.disk = &rows->disk;
    if (rows->degrees && hd_cpu_pulls(program))
        here.out_degrees = rows->degrees;
    else
        here.in_degrees = rows->degrees;
    return hd_cpu_execute(run->ctx, run->graph, program, &here, run->result);
}

hd_disk_wants hd_from_disk_program_wants(const hd_cpu_program *program, bool mixed) {
    bool pulls = hd_cpu_pulls(program), word = program->value_size == 4 || program->value_size == 8;
    bool strict = pulls && !(mixed && word);
    return (
        hd_disk_wants){.in = pulls, .weights = program->weighted, .vertex_bytes = hd_cpu_vertex_bytes(program, strict)};
}

heddle_status hd_from_disk_run(const hd_run *run, const hd_disk_wants *wants, const hd_cpu_program *program,
                               const hd_cpu_setup *setup) {
    hd_from_disk_rows rows;
    heddle_status status = hd_from_disk_open(run, wants, &rows);
    if (status == HEDDLE_OK)
        status = hd_from_disk_execute(run, &rows, program, setup);
    hd_from_disk_close(run, &rows);
    return status;
}

/* ---- A pass over all rows --------------------------------------------------------------------------------------- */

static void walk_strip(const hd_disk *disk, const hd_csr *rows, uint64_t first, uint64_t end, hd_strip_fn strip,
                       void *self) {
    for (uint64_t row = hd_row_of(rows->offsets, disk->graph->vertices, first); first < end; row++) {
        uint64_t stop = rows->offsets[row + 1] < end ? rows->offsets[row + 1] : end;
        if (first < stop)
            strip(self, rows, row, first, stop);
        first = first < stop ? stop : first;
    }
}

static void walk_block(heddle_context *ctx, const hd_disk *disk, const hd_disk_block *block, hd_strip_fn strip,
                       void *self) {
    uint64_t edges = block->end_edge - block->first_edge, strips = (edges + STRIP - 1) / STRIP;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) if (strips > 1))
    for (uint64_t k = 0; k < strips; k++) {
        uint64_t first = block->first_edge + k * STRIP;
        uint64_t end = block->end_edge - first < STRIP ? block->end_edge : first + STRIP;
        if (!hd_advance(ctx, end - first))
            walk_strip(disk, &block->rows, first, end, strip, self);
    }
}

heddle_status hd_from_disk_each_row(const hd_run *run, hd_disk *disk, hd_strip_fn strip, void *self) {
    hd_disk_block block;
    bool more;
    heddle_status status = hd_disk_pass_begin(disk, NULL, 0);
    while (status == HEDDLE_OK && (status = hd_disk_pass_next(disk, &block, &more)) == HEDDLE_OK && more)
        walk_block(run->ctx, disk, &block, strip, self);
    heddle_status end = hd_disk_pass_end(disk);
    HD_TRY(status);
    HD_TRY(hd_cancelled_status(run->ctx));
    return end;
}
