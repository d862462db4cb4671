/* thread.cl - schedule thread: one lane for each vertex.
 * Idea: the baseline of Tigr and of Warp Segmentation. Beats the others where degrees are small and even: cc, hs and nn
 * on the grid (bench/notes, Schedules on CUDA). */
KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN_ROUND;
#if HD_PUSH
    hd_push_entries(&job, share, &run, &tally);
#else
    u64 vertices = hd_vertices(&job);
    for (u64 first = hd_first(&job) + HD_WARP_INDEX * HD_WARP; first < vertices; first += HD_WARP_TOTAL * HD_WARP) {
        u64 v = first + lane;
        if (v < vertices)
            hd_finish(&job, &run, v, hd_gather(&job, v, job.offsets[v], job.offsets[v + 1], 1), &tally);
        HD_COUNT_LOOP(&job);
    }
#endif
    HD_END_ROUND;
}
