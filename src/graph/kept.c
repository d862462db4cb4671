/* kept.c - see kept.h. */
#include "graph/kept.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

static heddle_status compare(heddle_context *ctx, const heddle_graph *graph, hd_kept *kept) {
    uint64_t hash;
    bool sound;
    if (kept->owned || kept->checked)
        return HEDDLE_OK;
    HD_TRY(hd_hash_array(ctx, kept->words, kept->count * sizeof *kept->words, NULL, NULL, &hash, &sound));
    if (hash != kept->checksum)
        return hd_fail_file(ctx, HEDDLE_E_FORMAT, graph->source_name, 0,
                            "section 'prepared' is damaged (its checksum is wrong)");
    kept->checked = true;
    return HEDDLE_OK;
}

heddle_status hd_kept_check(heddle_context *ctx, const heddle_graph *graph, uint32_t index) {
    heddle_graph *own = (heddle_graph *)(uintptr_t)graph;
    pthread_mutex_lock(&own->lock);
    heddle_status status = compare(ctx, graph, &own->kept[index]);
    pthread_mutex_unlock(&own->lock);
    return status;
}

heddle_status hd_kept_add(heddle_context *ctx, heddle_graph *graph, uint64_t *words, uint64_t count, uint64_t head) {
    uint32_t i = 0;
    while (i < graph->kept_count &&
           (graph->kept[i].count < head || memcmp(graph->kept[i].words, words, head * sizeof *words) != 0))
        i++;
    if (i == HD_KEPT_MOST)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "prepare: a graph keeps %d plans at most", (int)HD_KEPT_MOST);
    if (i < graph->kept_count && graph->kept[i].owned)
        hd_free(&graph->allocator, (void *)(uintptr_t)graph->kept[i].words, graph->kept[i].count * sizeof *words);
    graph->kept_count += i == graph->kept_count;
    graph->kept[i] = (hd_kept){.words = words, .count = count, .owned = true};
    return HEDDLE_OK;
}
