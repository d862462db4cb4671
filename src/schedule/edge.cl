/* edge.cl - schedule edge: balanced over edges.
 * Idea: merge path (Merrill and Garland, SC 2016): rows and edges, merged into one sequence, are cut into tiles of
 * HD_ROWS places, one warp each. No distribution of degrees can hurt. Beats the other schedules for bfs, sssp and sswp
 * on urand22 and rmat24 (bench/notes, Schedules on CUDA).
 *
 * layout[k] is the row in which tile k begins. Pull: rows inside a tile are finished there. Of a row that crosses
 * tiles, every tile leaves its part in messages: [2k] when the row began before tile k, [2k + 1] when it begins in tile
 * k and goes on. hd_settle joins them, one warp for each such row, in a fixed order: splits are triples of row, first
 * and last tile. Push with a worklist has entries of at most HD_CHUNK edges instead. A span's tiles have HD_ROWS edges;
 * the first and last row of a tile are searched in the offsets, then each edge's row between them. */
#if HD_SPAN
/* The row of edge e of the span: the last of rows low .. high - 1 that begins at e or before. */
INLINE u32 hd_row_of(const hd_job *job, u64 e, u32 low, u32 high) {
    while (high - low > 1) {
        u32 middle = low + (high - low) / 2;
        if (hd_row_at(job, middle) <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN_ROUND;
    u64 total = job.words[HD_DONE] ? 0 : job.end_edge - job.first_edge;
    for (u64 first = HD_WARP_INDEX * HD_ROWS; first < total; first += HD_WARP_TOTAL * HD_ROWS) {
        u64 last = MINIMUM(first + HD_ROWS, total);
        u32 low = hd_row_of(&job, first, job.first_row, job.end_row);
        u32 high = hd_row_of(&job, last - 1, low, job.end_row) + 1;
        for (u64 at = first; at < last; at += HD_WARP) {
            int there = at + lane < last;
            u32 v = there ? hd_row_of(&job, at + lane, low, high) : low;
            there = there && hd_is_active(&job, v);
            hd_visit(&job, share, &run, there, at + lane, v, hd_read(&job.values[v]), job.degrees[v], &tally);
        }
    }
    HD_END_ROUND;
}
#elif HD_PUSH && HD_WORKLIST
KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN;
    hd_push_segments(&job, share, &run, &tally);
    HD_END(HD_WARP_INDEX);
}
#else

/* A tile: rows row .. row + rows, of which the last continues in the next tile, and `total` edges from `edge` on. */
typedef struct hd_tile {
    u64 row, edge;
    u32 rows;
    hd_offset total;
    int begun; /* the first row began in an earlier tile */
} hd_tile;

/* Reads tile k, and writes where its rows begin to `starts`. */
INLINE hd_tile hd_tile_at(const hd_job *job, LOCAL hd_shared *share, u64 k) {
    hd_tile tile;
    u64 row_end = job->layout[k + 1], all = job->n + (u64)job->offsets[job->n];
    u64 place = k * HD_ROWS, place_end = MINIMUM(place + HD_ROWS, all);
    tile.row = job->layout[k];
    tile.edge = place - tile.row;
    tile.rows = (u32)(row_end - tile.row);
    tile.total = (hd_offset)(place_end - row_end - tile.edge);
    tile.begun = tile.row < job->n && tile.edge > job->offsets[tile.row];
    hd_warp_barrier();
    for (u32 i = HD_LANE; i <= tile.rows + 1; i += HD_WARP)
        share->starts[i] = i == 0          ? 0
                           : i > tile.rows ? tile.total
                                           : (hd_offset)(job->offsets[tile.row + i] - tile.edge);
    return tile;
}

KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN;
    u64 tiles = job.words[HD_DONE] ? 0 : job.count;
    for (u64 k = HD_WARP_INDEX; k < tiles; k += HD_WARP_TOTAL) {
        hd_tile tile = hd_tile_at(&job, share, k);
#if HD_PUSH
        hd_warp_barrier();
        for (hd_offset at = 0; at < tile.total; at += HD_WARP) {
            hd_offset place = at + lane;
            int there = place < tile.total;
            u64 v = there ? tile.row + hd_search(share->starts, tile.rows + 1, place) : 0;
            hd_visit(&job, share, &run, there, tile.edge + place, (u32)v, hd_read(&job.values[v]), job.degrees[v],
                     &tally);
        }
#else
        for (u32 i = lane; i <= tile.rows; i += HD_WARP)
            share->sums[i] = identity();
        hd_warp_barrier();
        for (hd_offset at = 0; at < tile.total; at += HD_WARP)
            hd_walk_step(&job, share, tile.row, tile.edge, at, tile.total, tile.rows + 1);
        for (u32 i = lane; i <= tile.rows; i += HD_WARP) {
            if (i == 0 && tile.begun)
                job.messages[2 * k] = share->sums[0];
            else if (i < tile.rows)
                hd_finish(&job, &run, tile.row + i, share->sums[i], &tally);
            else
                job.messages[2 * k + 1] = share->sums[i];
        }
#endif
    }
    HD_END(HD_WARP_INDEX);
}

#if !HD_PUSH
KERNEL hd_settle(HD_ARGUMENTS) {
    HD_BEGIN;
    u64 rows = job.words[HD_DONE] ? 0 : job.count;
    for (u64 i = HD_WARP_INDEX; i < rows; i += HD_WARP_TOTAL) {
        u32 row = job.splits[3 * i], first = job.splits[3 * i + 1], last = job.splits[3 * i + 2];
        hd_message sum = identity();
        for (u64 k = (u64)first + lane; k <= last; k += HD_WARP)
            sum = reduce(sum, job.messages[2 * k + (k == first)]);
        for (u32 distance = HD_WARP / 2; distance; distance /= 2) {
            hd_message other = hd_shift(share->messages, sum, distance);
            if (lane < distance)
                sum = reduce(sum, other);
        }
        if (lane == 0)
            hd_finish(&job, &run, row, sum, &tally);
    }
    HD_END(HD_WARP_TOTAL + HD_WARP_INDEX);
}
#endif
#endif
