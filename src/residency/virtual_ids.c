/* virtual_ids.c - see virtual_ids.h. The stored data begin with HEAD words, the first two of which say what it is. */
#include "residency/virtual_ids.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/kept.h"

#include <string.h>

/* KIND is a number that no technique of Graffix has (graffix/recipe.c). */
enum { VERSION = 1, KIND = 8, HEAD = 14 };
enum { AT_VERSION, AT_KIND, AT_LIMIT, AT_GROUPS, AT_RANGE, AT_VERTICES, AT_EDGES };

/* ---- Ids -------------------------------------------------------------------------------------------------------- */

uint32_t hd_virtual_range(const hd_partition *p, uint64_t rows, uint64_t vertices, bool *fit) {
    uint64_t most = 1;
    for (uint64_t i = 0; i < p->count; i++)
        most = p->spans[i].end_row - p->spans[i].first_row > most ? p->spans[i].end_row - p->spans[i].first_row : most;
    *fit = p->groups * most + (vertices - rows) <= UINT32_MAX;
    return (uint32_t)most;
}

void hd_virtual_shifts(const hd_partition *p, uint64_t rows, uint32_t range, uint32_t *shifts) {
    for (uint64_t i = 0; i <= p->count; i++) {
        uint64_t group = i < p->count ? p->spans[i].group : p->groups;
        shifts[group] = (uint32_t)(group * range - (i < p->count ? p->spans[i].first_row : rows));
    }
}

static uint64_t first_of(const hd_virtual_ids *ids, uint64_t group) {
    return (uint32_t)(group * ids->range - ids->shifts[group]);
}

uint32_t hd_virtual_shift(const hd_virtual_ids *ids, uint32_t v, uint64_t *group) {
    uint64_t groups = ids->groups;
    if (v >= ids->rows)
        return ids->shifts[groups];
    if (*group >= groups || v < first_of(ids, *group) || (*group + 2 <= groups && v >= first_of(ids, *group + 2))) {
        uint64_t low = 0, high = groups;
        while (high - low > 1) {
            uint64_t middle = low + (high - low) / 2;
            *(first_of(ids, middle) <= v ? &low : &high) = middle;
        }
        *group = low;
    }
    while (v >= first_of(ids, *group + 1))
        ++*group;
    return ids->shifts[*group];
}

bool hd_virtual_is(const hd_virtual_ids *ids, uint32_t id, uint32_t v) {
    uint64_t group = id / ids->range;
    if (v >= ids->rows)
        return id == (uint32_t)(v + ids->shifts[ids->groups]);
    return group < ids->groups && id == (uint32_t)(v + ids->shifts[group]) && v < first_of(ids, group + 1);
}

/* ---- Kept ------------------------------------------------------------------------------------------------------- */

static uint64_t words_of(uint64_t numbers) { return (numbers + 1) / 2; }

static uint64_t count_words(uint64_t groups, uint64_t edges) { return HEAD + words_of(groups + 1) + words_of(edges); }

static uint64_t last_row(const heddle_adjacency *rows, uint64_t vertices) {
    while (vertices && rows->offsets[vertices] == rows->offsets[vertices - 1])
        vertices--;
    return vertices;
}

/* Writes the shifts and the targets behind the head. */
static void fill(heddle_context *ctx, const hd_partition *p, const heddle_adjacency *rows, uint64_t *words) {
    uint64_t edges = words[AT_EDGES], end = last_row(rows, words[AT_VERTICES]);
    uint32_t *shifts = (uint32_t *)(words + HEAD), *targets = (uint32_t *)(words + HEAD + words_of(p->groups + 1));
    hd_virtual_shifts(p, end, (uint32_t)words[AT_RANGE], shifts);
    hd_virtual_ids ids = {end, p->groups, (uint32_t)words[AT_RANGE], shifts};
    HD_PARALLEL(ctx) {
        uint64_t group = UINT64_MAX;
        HD_FOR(schedule(static))
        for (uint64_t e = 0; e < edges; e++)
            targets[e] = rows->targets[e] + hd_virtual_shift(&ids, rows->targets[e], &group);
    }
}

static heddle_status keep(heddle_context *ctx, heddle_graph *graph, const heddle_adjacency *rows, const hd_partition *p,
                          uint64_t limit) {
    bool fit;
    uint32_t range = hd_virtual_range(p, last_row(rows, graph->vertices), graph->vertices, &fit);
    uint64_t count = count_words(p->groups, graph->edges);
    if (!fit)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "prepare: virtual ids of %llu partitions exceed 32 bits",
                       (unsigned long long)p->groups);
    uint64_t *words = hd_alloc(&graph->allocator, count * sizeof *words);
    if (!words)
        return hd_fail_memory(ctx, count * sizeof *words, "virtual ids");
    memset(words, 0, HEAD * sizeof *words);
    words[HEAD + words_of(p->groups + 1) - 1] = words[count - 1] = 0; /* halves that nothing is written to */
    words[AT_VERSION] = VERSION, words[AT_KIND] = KIND, words[AT_LIMIT] = limit, words[AT_GROUPS] = p->groups;
    words[AT_RANGE] = range, words[AT_VERTICES] = graph->vertices, words[AT_EDGES] = graph->edges;
    fill(ctx, p, rows, words);
    heddle_status status = hd_kept_add(ctx, graph, words, count, HEAD);
    if (status != HEDDLE_OK)
        hd_free(&graph->allocator, words, count * sizeof *words);
    return status;
}

heddle_status hd_virtual_keep(heddle_context *ctx, heddle_graph *graph, const heddle_adjacency *rows,
                              uint64_t partitions) {
    hd_partition partition;
    uint64_t limit = graph->edges / partitions + (graph->edges % partitions != 0);
    hd_span_cost cost = {.edge_bytes = 1, .limit = limit ? limit : 1};
    HD_TRY(hd_partition_rows(ctx, rows->offsets, last_row(rows, graph->vertices), &cost, &partition));
    heddle_status status = keep(ctx, graph, rows, &partition, cost.limit);
    hd_partition_free(ctx, &partition);
    return status;
}

/* Whether these are virtual ids of the graph, by their head. */
static bool is_ours(const heddle_graph *graph, const hd_kept *kept) {
    const uint64_t *words = kept->words;
    return kept->count >= HEAD && words[AT_VERSION] == VERSION && words[AT_KIND] == KIND && words[AT_LIMIT] &&
           words[AT_GROUPS] < UINT32_MAX && words[AT_RANGE] && words[AT_RANGE] <= UINT32_MAX &&
           words[AT_VERTICES] == graph->vertices && words[AT_EDGES] == graph->edges &&
           kept->count == count_words(words[AT_GROUPS], graph->edges);
}

heddle_status hd_virtual_find(heddle_context *ctx, const heddle_graph *graph, uint32_t *next, hd_virtual_kept *found,
                              bool *there) {
    for (*there = false; *next < graph->kept_count && !*there; ++*next) {
        const hd_kept *kept = &graph->kept[*next];
        if (!is_ours(graph, kept))
            continue;
        HD_TRY(hd_kept_check(ctx, graph, *next));
        const uint64_t *shifts = kept->words + HEAD;
        *found = (hd_virtual_kept){.limit = kept->words[AT_LIMIT],
                                   .groups = kept->words[AT_GROUPS],
                                   .range = (uint32_t)kept->words[AT_RANGE],
                                   .shifts = (const uint32_t *)shifts,
                                   .targets = (const uint32_t *)(shifts + words_of(kept->words[AT_GROUPS] + 1))};
        *there = true;
    }
    return HEDDLE_OK;
}
