/* shards_load.c - warp efficiency of shards, without building them. All windows of a range of sources are known after
 * one pass over its edges, so each thread needs only one row of counters. */
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/device/shards.h"

enum { SECTOR = 32 };

static uint64_t steps(uint64_t entries, uint32_t warp) { return (entries + warp - 1) / warp * warp; }

static void count_row(const heddle_adjacency *rows, uint64_t from, uint64_t to, uint32_t range, uint32_t *counts) {
    for (uint64_t k = rows->offsets ? rows->offsets[from] : 0; rows->offsets && k < rows->offsets[to]; k++)
        counts[rows->targets[k] / range]++;
}

/* One range's windows: adds them to the load, and their entries to the shards'. */
static void add_windows(uint32_t *counts, uint64_t *entries, uint64_t count, uint32_t warp, size_t copy,
                        hd_shards_load *load) {
    uint64_t list = 0;
    for (uint64_t j = 0; j < count; j++) {
        if (!counts[j])
            continue;
        load->window_lanes += steps(counts[j], warp);
        load->sectors += (counts[j] * copy + SECTOR - 1) / SECTOR;
        hd_fetch_add(&entries[j], counts[j]);
        list += counts[j];
        counts[j] = 0;
    }
    load->list_lanes += steps(list, warp);
    load->entries += list;
}

heddle_status hd_shards_measure(heddle_context *ctx, const hd_incore_rows *rows, uint32_t range, uint32_t warp,
                                size_t copy, hd_shards_load *load) {
    uint64_t n = rows->vertices, count = (n + range - 1) / range, gather = 0, windows = 0, lists = 0, sectors = 0,
             all = 0;
    uint32_t *counts;
    uint64_t *entries;
    HD_TRY(HD_NEW_ZERO(ctx, &entries, count, "shards"));
    heddle_status status = HD_NEW_ZERO(ctx, &counts, count * (uint64_t)ctx->threads, "windows");
    if (status != HEDDLE_OK)
        goto out;
    HD_PARALLEL_FOR(ctx, schedule(dynamic, 1) reduction(+ : windows, lists, sectors, all))
    for (uint64_t i = 0; i < count; i++) {
        uint64_t from = i * range, to = from + range < n ? from + range : n;
        uint32_t *mine = counts + count * (uint64_t)hd_thread();
        hd_shards_load one = {.entries = 0};
        count_row(&rows->first, from, to, range, mine);
        count_row(&rows->second, from, to, range, mine);
        add_windows(mine, entries, count, warp, copy, &one);
        windows += one.window_lanes;
        lists += one.list_lanes;
        sectors += one.sectors;
        all += one.entries;
    }
    for (uint64_t j = 0; j < count; j++)
        gather += steps(entries[j], warp);
    *load = (hd_shards_load){all, gather, windows, lists, sectors};
    HD_DELETE(&ctx->allocator, counts, count * (uint64_t)ctx->threads);
out:
    HD_DELETE(&ctx->allocator, entries, count);
    return status;
}
