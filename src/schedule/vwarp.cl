/* vwarp.cl - schedule vwarp: virtual warps.
 * Idea: virtual warp-centric (Hong, Kim, Oguntebi and Olukotun, PPoPP 2011): HD_WIDTH lanes (2, 4, 8, 16, 32) walk a
 * vertex' edges together, and a warp several vertices at once, as long as the longest. Beats thread where rows are
 * long, and loses where they are shorter than the virtual warp is wide (bench/notes, Schedules on CUDA).
 *
 * Pull reduces inside the virtual warp. */
KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN_ROUND;
    u32 part = lane % HD_WIDTH;
    u64 at_once = HD_WARP / HD_WIDTH;
#if HD_PUSH
    u64 entries = hd_entries(&job);
    for (u64 first = HD_WARP_INDEX * at_once; first < entries; first += HD_WARP_TOTAL * at_once) {
        hd_entry entry = hd_entry_at(&job, first + lane / HD_WIDTH, entries);
        hd_value value = hd_read(&job.values[entry.vertex]);
        hd_outflow degree = job.degrees[entry.vertex];
        u32 most = hd_largest(share->scratch, entry.length);
        u32 steps = most / HD_WIDTH + (most % HD_WIDTH != 0);
        for (u32 i = 0; i < steps; i++) {
            u64 place = (u64)i * HD_WIDTH + part;
            hd_visit(&job, share, &run, place < entry.length, entry.edge + place, entry.vertex, value, degree, &tally);
        }
    }
#else
    u64 vertices = hd_vertices(&job);
    for (u64 first = hd_first(&job) + HD_WARP_INDEX * at_once; first < vertices; first += HD_WARP_TOTAL * at_once) {
        u64 v = first + lane / HD_WIDTH;
        hd_message sum = identity();
        if (v < vertices)
            sum = hd_gather(&job, v, job.offsets[v] + part, job.offsets[v + 1], HD_WIDTH);
        HD_COUNT_LOOP(&job);
        for (u32 distance = HD_WIDTH / 2; distance; distance /= 2) {
            hd_message other = hd_shift(share->messages, sum, distance);
            if (part < distance)
                sum = reduce(sum, other);
        }
        if (v < vertices && part == 0)
            hd_finish(&job, &run, v, sum, &tally);
    }
#endif
    HD_END_ROUND;
}
