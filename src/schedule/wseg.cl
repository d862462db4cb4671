/* wseg.cl - schedule wseg: Warp Segmentation.
 * Idea: Khorasani, Gupta and Bhuyan (PACT 2015): a warp takes as many vertices as it has lanes and walks all their
 * edges side by side, so lanes are full. Beats thread on rmat22, urand22 and rmat24; a hub still holds up its warp,
 * where vnode and edge do better (bench/notes, Schedules on CUDA).
 *
 * Row offsets are in shared memory; a lane finds its edge's row by binary search there, from it its place in the row's
 * segment, and the segment is reduced in at most log2(warp) steps without atomics. */
KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN_ROUND;
#if HD_PUSH
    hd_push_segments(&job, share, &run, &tally);
#else
    u64 vertices = hd_vertices(&job);
    for (u64 first = hd_first(&job) + HD_WARP_INDEX * HD_WARP; first < vertices; first += HD_WARP_TOTAL * HD_WARP) {
        u64 v = first + lane, last = MINIMUM(first + HD_WARP, vertices), from = job.offsets[first];
        hd_offset total = (hd_offset)(job.offsets[last] - from);
        hd_warp_barrier();
        share->starts[lane] = (hd_offset)(job.offsets[MINIMUM(v, last)] - from);
        share->sums[lane] = identity();
        if (lane == 0)
            share->starts[HD_WARP] = total;
        hd_warp_barrier();
        for (hd_offset at = 0; at < total; at += HD_WARP)
            hd_walk_step(&job, share, first, from, at, total, HD_WARP);
        if (v < vertices)
            hd_finish(&job, &run, v, share->sums[lane], &tally);
    }
#endif
    HD_END_ROUND;
}
