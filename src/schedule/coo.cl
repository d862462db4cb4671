/* coo.cl - schedule coo: one lane for each edge, of an array of sources, one of targets and one of weights.
 * Idea: Graphie (Han, Mawhirter, Wu and Buland, PACT 2017, section III): all lanes have work whatever the degrees are,
 * and edges are read side by side. Costs 4 bytes an edge more than the others; needs no offsets on the device.
 *
 * A warp takes HD_ROWS consecutive edges. Edges are sorted by source, so that their sources, if no vertex between them
 * is without edges, are at most as many: with HD_SOURCES the warp copies their values to shared memory once. */
KERNEL hd_round(HD_ARGUMENTS) {
    HD_BEGIN_ROUND;
    u64 total = job.words[HD_DONE] ? 0 : job.end_edge - job.first_edge;
    for (u64 first = HD_WARP_INDEX * HD_ROWS; first < total; first += HD_WARP_TOTAL * HD_ROWS) {
        u64 last = MINIMUM(first + HD_ROWS, total);
#if HD_SOURCES
        u32 low = job.sources[first], sources = job.sources[last - 1] - low + 1;
        u32 copied = sources <= HD_ROWS ? sources : 0;
        hd_warp_barrier();
        for (u32 i = lane; i < copied; i += HD_WARP) {
            share->copies[i] = hd_read(&job.values[low + i]);
            share->outflows[i] = job.degrees[low + i];
        }
        hd_warp_barrier();
#endif
        for (u64 at = first; at < last; at += HD_WARP) {
            int there = at + lane < last;
            u32 from = hd_constant(&job.sources[there ? at + lane : first]);
#if HD_SOURCES
            hd_value value = copied ? share->copies[from - low] : hd_read(&job.values[from]);
            hd_outflow degree = copied ? share->outflows[from - low] : job.degrees[from];
#else
            hd_value value = hd_read(&job.values[from]);
            hd_outflow degree = job.degrees[from];
#endif
            there = there && hd_is_active(&job, from);
            hd_visit(&job, share, &run, there, at + lane, from, value, degree, &tally);
        }
    }
    HD_END_ROUND;
}
