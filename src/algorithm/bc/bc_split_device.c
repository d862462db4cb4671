/* bc_split_device.c - see bc_split.h: the same on a device (bc_split.cl). The search runs on the original graph; both
 * passes run on the split graph. If there are few levels, a stage is searched in the contiguous range of its possible
 * vertices; otherwise vertices are sorted by stage first. A lane has a row, unless the plan names a schedule by which
 * edges are walked (bc_split_walk.cl). */
#include "algorithm/bc/bc_split.h"
#include "algorithm/bc/bc_state.h"

#include "algorithm/bfs/bfs_device.h"
#include "base/memory.h"

#include <stdio.h>

extern const char hd_text_walk[], hd_text_kernels_bc_split[], hd_text_kernels_bc_split_walk[];

enum { FEW = 64 /* levels */, PAUSE = 256 /* launches queued ahead */ };

typedef struct job {
    hd_bc_split *b;
    hd_bfs_device search;
    hd_structure s; /* of the split graph */
    hd_resident_rows rows;
    hd_walk walk;
    bool walks; /* by a schedule */
    void *levels_kernel, *count, *place, *forward, *backward;
    void *list_kernel, *walk_kernel, *end_kernel;
    hd_buffer list, family, tree, levels, order, places, sigma, sums, total, words;
    uint32_t *starts; /* of stages, on the host; NULL: not listed */
    uint64_t stages, launches;
    uint32_t depth;
} job;

/* ---- Before ----------------------------------------------------------------------------------------------------- */

static heddle_status open_graphs(job *j) {
    hd_bc_split *b = j->b;
    const char *device = b->options->device;
    hd_device *opened;
    HD_TRY(hd_device_keep(b->ctx, device, &b->result->report, &opened));
    HD_TRY(hd_walk_of(b->ctx, "bc", &b->run->plan, &opened->info, &j->walk));
    j->walks = b->run->plan.schedule && !b->run->plan.schedule->lane_rows;
    int want = (b->pull ? HD_WANT_IN : HD_WANT_OUT) | (j->walk.wide ? HD_STRUCTURE_WIDE : 0);
    HD_TRY(hd_structure_open(&j->s, b->ctx, b->split, device, want, b->result));
    const hd_device_info *info = &opened->info;
    if (!info->doubles || !info->atomics64)
        return hd_fail(b->ctx, HEDDLE_E_REFUSED, "bc: transform: %s lacks double precision or 64-bit atomics: use cpu",
                       info->name);
    HD_TRY(hd_bfs_device_open(&j->search, b->ctx, b->graph, device, HD_WANT_OUT | HD_WANT_IN, j->walk.wide, HD_BFS_AUTO,
                              1, b->result));
    j->rows = b->pull ? j->s.resident->in : j->s.resident->out;
    if (!j->rows.targets.handle)
        return hd_fail(b->ctx, HEDDLE_E_DEVICE_MEMORY, "%s: the graph and what it was split into do not fit together",
                       info->name);
    return HEDDLE_OK;
}

static heddle_status open_kernels(job *j) {
    static const char *const by_rows[] = {hd_text_kernels_bc_split, NULL};
    static const char *const walking[] = {hd_text_walk, hd_text_kernels_bc_split, hd_text_kernels_bc_split_walk, NULL};
    char defines[sizeof j->walk.defines + 32];
    snprintf(defines, sizeof defines, "#define BCS_PULL %d\n%s", j->b->pull, j->walks ? j->walk.defines : "");
    HD_TRY(hd_structure_compile(&j->s, "bc_split", j->walks ? walking : by_rows, defines));
    if (j->walks) {
        HD_TRY(hd_kernels_find(&j->s.kernels, "bcs_list", &j->list_kernel));
        HD_TRY(hd_kernels_find(&j->s.kernels, "bcs_walk", &j->walk_kernel));
        HD_TRY(hd_kernels_find(&j->s.kernels, "bcs_end", &j->end_kernel));
    }
    HD_TRY(hd_kernels_find(&j->s.kernels, "bcs_levels", &j->levels_kernel));
    HD_TRY(hd_kernels_find(&j->s.kernels, "bcs_count", &j->count));
    HD_TRY(hd_kernels_find(&j->s.kernels, "bcs_place", &j->place));
    HD_TRY(hd_kernels_find(&j->s.kernels, "bcs_forward", &j->forward));
    return hd_kernels_find(&j->s.kernels, "bcs_backward", &j->backward);
}

static heddle_status open_buffers(job *j) {
    const hd_split_result *split = j->b->tree;
    hd_structure *s = &j->s;
    hd_device *d = s->device;
    uint64_t n = j->b->originals, all = j->b->vertices;
    uint32_t tree[HD_SPLIT_LEVELS + 1] = {0};
    for (uint32_t l = 0; l < split->levels; l++)
        tree[l] = (uint32_t)(n + split->level_start[l + 1]);
    HD_TRY(hd_structure_buffer(s, split->added_vertices * 4, "families", &j->family));
    HD_TRY(hd_structure_buffer(s, sizeof tree, "families", &j->tree));
    HD_TRY(hd_structure_buffer(s, all * 4, "levels", &j->levels));
    HD_TRY(hd_structure_buffer(s, all * 4, "search order", &j->order));
    HD_TRY(hd_structure_buffer(s, all * 8, "path counts", &j->sigma));
    HD_TRY(hd_structure_buffer(s, all * 8, "dependencies", &j->sums));
    HD_TRY(hd_structure_buffer(s, n * 8, "dependencies", &j->total));
    HD_TRY(hd_structure_buffer(s, BCS_WORDS * 4, "the state", &j->words));
    if (j->walks)
        HD_TRY(hd_structure_buffer(s, hd_walk_room(&j->walk, all, j->b->split->edges) * 8, "entries of a level",
                                   &j->list));
    HD_TRY(d->upload(d, &j->family, 0, split->family, split->added_vertices * 4));
    HD_TRY(d->upload(d, &j->tree, 0, tree, sizeof tree));
    HD_TRY(d->fill(d, &j->total, 0, 0, n * 8));
    return d->finish(d); /* the table is ours */
}

/* ---- Order ------------------------------------------------------------------------------------------------------- */

static void forget_order(job *j) {
    HD_DELETE(&j->b->ctx->allocator, j->starts, j->stages + 1);
    j->s.device->release(j->s.device, &j->places);
}

/* Counts stages on the device, computes prefix sums on the host, and lets every vertex find its position. */
static heddle_status put_in_order(job *j) {
    hd_device *d = j->s.device;
    uint32_t n = (uint32_t)j->b->originals, all = (uint32_t)j->b->vertices, height = j->b->height, at = 0;
    uint32_t groups = hd_kernels_groups(&j->s.kernels, all);
    HD_TRY(d->allocate(d, (j->stages + 1) * 4, "levels", &j->places));
    HD_TRY(HD_NEW(j->b->ctx, &j->starts, j->stages + 1, "levels"));
    HD_TRY(d->fill(d, &j->places, 0, 0, (j->stages + 1) * 4));
    HD_TRY(HD_LAUNCH(&j->s.kernels, j->count, "bcs_count", groups, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(all),
                     HD_ARGUMENT_VALUE(height), HD_ARGUMENT_BUFFER(j->tree), HD_ARGUMENT_BUFFER(j->levels),
                     HD_ARGUMENT_BUFFER(j->places)));
    HD_TRY(hd_structure_look(&j->s, &j->places, j->starts, (j->stages + 1) * 4));
    for (uint64_t i = 0; i <= j->stages; i++) {
        uint32_t count = j->starts[i];
        j->starts[i] = at;
        at += count;
    }
    HD_TRY(d->upload(d, &j->places, 0, j->starts, (j->stages + 1) * 4));
    return HD_LAUNCH(&j->s.kernels, j->place, "bcs_place", groups, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(all),
                     HD_ARGUMENT_VALUE(height), HD_ARGUMENT_BUFFER(j->tree), HD_ARGUMENT_BUFFER(j->levels),
                     HD_ARGUMENT_BUFFER(j->places), HD_ARGUMENT_BUFFER(j->order));
}

static heddle_status find_levels(job *j) {
    hd_device *d = j->s.device;
    uint32_t n = (uint32_t)j->b->originals, all = (uint32_t)j->b->vertices, words[BCS_WORDS];
    HD_TRY(d->fill(d, &j->words, 0, 0, BCS_WORDS * 4));
    HD_TRY(HD_LAUNCH(&j->s.kernels, j->levels_kernel, "bcs_levels", hd_kernels_groups(&j->s.kernels, all),
                     HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(all), HD_ARGUMENT_BUFFER(j->search.levels),
                     HD_ARGUMENT_BUFFER(j->family), HD_ARGUMENT_BUFFER(j->levels), HD_ARGUMENT_BUFFER(j->words)));
    HD_TRY(hd_structure_look(&j->s, &j->words, words, sizeof words));
    j->depth = words[BCS_LEVELS];
    j->stages = (uint64_t)j->depth * (j->b->height + 1);
    return j->depth > FEW ? put_in_order(j) : HEDDLE_OK;
}

/* ---- Passes ------------------------------------------------------------------------------------------------------ */

/* The range of positions, or of vertices, that contains a stage. */
static void bounds_of(const job *j, uint64_t stage, uint32_t *begin, uint32_t *end) {
    const hd_bc_split *b = j->b;
    uint32_t inside = (uint32_t)(stage % (b->height + 1));
    if (j->starts) {
        *begin = j->starts[stage];
        *end = j->starts[stage + 1];
    } else if (inside == hd_bc_split_own_stage(b)) {
        *begin = 0;
        *end = (uint32_t)b->originals;
    } else {
        uint32_t l = b->pull ? inside : b->height - inside;
        *begin = (uint32_t)(b->originals + b->tree->level_start[l]);
        *end = (uint32_t)(b->originals + b->tree->level_start[l + 1]);
    }
}

/* A stage: its level, and the range that contains it. */
typedef struct stage_range {
    uint32_t level, begin, end;
} stage_range;

/* Path counts, or sums, along the edges of a stage's vertices. */
static heddle_status walk_edges(job *j, stage_range s, bool gathers, bool backward) {
    uint32_t n = (uint32_t)j->b->originals, listed = j->starts != NULL, gathered = gathers;
    uint32_t groups = hd_kernels_groups(&j->s.kernels, j->b->vertices);
    uint32_t wanted = !j->b->pull ? s.level + 1 : s.level ? s.level - 1 : UINT32_MAX - 1 /* no vertex has it */;
    HD_TRY(j->s.device->fill(j->s.device, &j->words, BCS_ENTRIES * 4, 0, 4));
    HD_TRY(HD_LAUNCH(&j->s.kernels, j->list_kernel, "bcs_list", groups, HD_ARGUMENT_VALUE(s.begin),
                     HD_ARGUMENT_VALUE(s.end), HD_ARGUMENT_VALUE(s.level), HD_ARGUMENT_VALUE(listed),
                     HD_ARGUMENT_BUFFER(j->order), HD_ARGUMENT_BUFFER(j->levels), HD_ARGUMENT_BUFFER(j->rows.offsets),
                     HD_ARGUMENT_BUFFER(j->sigma), HD_ARGUMENT_BUFFER(j->words), HD_ARGUMENT_BUFFER(j->list)));
    return HD_LAUNCH(&j->s.kernels, j->walk_kernel, "bcs_walk", groups, HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(wanted),
                     HD_ARGUMENT_VALUE(gathered), HD_ARGUMENT_BUFFER(j->rows.offsets),
                     HD_ARGUMENT_BUFFER(j->rows.targets), HD_ARGUMENT_BUFFER(j->levels), HD_ARGUMENT_BUFFER(j->words),
                     HD_ARGUMENT_BUFFER(j->list), HD_ARGUMENT_BUFFER(*(backward ? &j->sums : &j->sigma)));
}

static heddle_status end_stage(job *j, stage_range s) {
    uint32_t n = (uint32_t)j->b->originals, listed = j->starts != NULL;
    return HD_LAUNCH(&j->s.kernels, j->end_kernel, "bcs_end", hd_kernels_groups(&j->s.kernels, s.end - s.begin),
                     HD_ARGUMENT_VALUE(s.begin), HD_ARGUMENT_VALUE(s.end), HD_ARGUMENT_VALUE(s.level),
                     HD_ARGUMENT_VALUE(n), HD_ARGUMENT_VALUE(listed), HD_ARGUMENT_BUFFER(j->order),
                     HD_ARGUMENT_BUFFER(j->levels), HD_ARGUMENT_BUFFER(j->sigma), HD_ARGUMENT_BUFFER(j->sums),
                     HD_ARGUMENT_BUFFER(j->total));
}

static heddle_status walk_stage(job *j, stage_range s, bool backward) {
    bool pull = j->b->pull;
    if (!backward)
        return walk_edges(j, s, pull, false);
    if (!pull)
        HD_TRY(walk_edges(j, s, true, true));
    HD_TRY(end_stage(j, s));
    return pull ? walk_edges(j, s, false, true) : HEDDLE_OK;
}

/* The same by a kernel with a lane for each row. */
static heddle_status walk_rows(job *j, stage_range s, bool backward) {
    uint32_t n = (uint32_t)j->b->originals, listed = j->starts != NULL;
    return HD_LAUNCH(&j->s.kernels, backward ? j->backward : j->forward, backward ? "bcs_backward" : "bcs_forward",
                     hd_kernels_groups(&j->s.kernels, s.end - s.begin), HD_ARGUMENT_VALUE(s.begin),
                     HD_ARGUMENT_VALUE(s.end), HD_ARGUMENT_VALUE(s.level), HD_ARGUMENT_VALUE(n),
                     HD_ARGUMENT_VALUE(listed), HD_ARGUMENT_BUFFER(j->order), HD_ARGUMENT_BUFFER(j->levels),
                     HD_ARGUMENT_BUFFER(j->rows.offsets), HD_ARGUMENT_BUFFER(j->rows.targets),
                     HD_ARGUMENT_BUFFER(j->sigma), HD_ARGUMENT_BUFFER(j->sums), HD_ARGUMENT_BUFFER(j->total),
                     HD_ARGUMENT_BUFFER(j->words));
}

static heddle_status run_stage(job *j, uint64_t stage, bool backward) {
    stage_range s = {.level = (uint32_t)(stage / (j->b->height + 1))};
    bounds_of(j, stage, &s.begin, &s.end);
    if (s.begin == s.end)
        return HEDDLE_OK;
    HD_TRY(j->walks ? walk_stage(j, s, backward) : walk_rows(j, s, backward));
    if (++j->launches % PAUSE)
        return HEDDLE_OK;
    HD_TRY(j->s.device->finish(j->s.device));
    return hd_advance(j->b->ctx, 0) ? hd_cancelled_status(j->b->ctx) : HEDDLE_OK;
}

static heddle_status pass(job *j, heddle_vertex source) {
    hd_device *d = j->s.device;
    static const double one = 1;
    uint32_t words[BCS_WORDS];
    HD_TRY(d->fill(d, &j->sigma, 0, 0, j->b->vertices * 8));
    HD_TRY(d->fill(d, &j->sums, 0, 0, j->b->vertices * 8));
    HD_TRY(d->upload(d, &j->sigma, (uint64_t)source * 8, &one, sizeof one));
    for (uint64_t s = 0; s < j->stages; s++)
        HD_TRY(run_stage(j, s, false));
    for (uint64_t s = j->stages; s-- > 0;)
        HD_TRY(run_stage(j, s, true));
    HD_TRY(hd_structure_look(&j->s, &j->words, words, sizeof words));
    if (words[BCS_EXCESS])
        return hd_fail(j->b->ctx, HEDDLE_E_REFUSED,
                       "bc: transform: path counts may leave the range of double: use cpu, or plan auto");
    return HEDDLE_OK;
}

static heddle_status one_source(job *j, heddle_vertex source) {
    HD_TRY(hd_bfs_device_ready(&j->search, &source, 1));
    bool recording = hd_rounds_pause(j->b->ctx);
    heddle_status status = hd_bfs_device_search(&j->search);
    hd_rounds_resume(j->b->ctx, recording);
    HD_TRY(status);
    HD_TRY(find_levels(j));
    HD_TRY(pass(j, source));
    hd_structure_record(j->b->ctx, j->depth, HEDDLE_DIRECTION_MIXED, "source");
    forget_order(j);
    return HEDDLE_OK;
}

static heddle_status run_all(job *j, uint64_t *levels) {
    hd_bc_split *b = j->b;
    HD_TRY(open_graphs(j));
    HD_TRY(open_kernels(j));
    HD_TRY(open_buffers(j));
    HD_TRY(hd_structure_start(&j->s));
    hd_rounds_mark(b->ctx);
    hd_phase_total(b->ctx, b->sources.count);
    for (uint64_t i = 0; i < b->sources.count; i++) {
        HD_TRY(one_source(j, hd_source_at(&b->sources, i)));
        hd_advance(b->ctx, 1);
        *levels += j->depth;
    }
    HD_TRY(hd_structure_stop(&j->s));
    HD_TRY(hd_structure_fetch(&j->s, &j->total, b->result->values, b->originals * 8));
    char schedule[sizeof b->result->schedule] = "thread";
    if (j->walks)
        hd_schedule_label(&j->walk.plan, schedule, sizeof schedule);
    hd_structure_report(&j->s, b->options->device, schedule);
    b->result->report.device_bytes += j->search.s.resident->bytes + j->search.s.bytes;
    return HEDDLE_OK;
}

heddle_status hd_bc_split_device(hd_bc_split *b, uint64_t *levels) {
    job j = {.b = b};
    hd_phase_begin(b->ctx, "compute", 0);
    heddle_status status = run_all(&j, levels);
    hd_phase_end(b->ctx);
    if (j.s.device) {
        forget_order(&j);
        hd_structure_close(&j.s);
    }
    if (j.search.s.device)
        hd_bfs_device_close(&j.search);
    return status;
}
