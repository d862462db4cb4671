/* slice.cl - a part of a run on several devices: values sent to the others and received from them.
 * Idea: Vertex Refinement (Khorasani, Gupta and Bhuyan, PACT 2015): lanes look at vertices that others read; those
 * that have changed are counted by a binary prefix sum of the warp, one lane reserves room in the outbox for all of
 * them, and only the filled length leaves the device. It is a kernel of its own, so that it stands behind any schedule;
 * hd_finish sets the bits of vertices that changed.
 *
 * Values of n own vertices come first, then those of other parts' that the rows read. Buffers with another use here:
 *   queued       a bit per own vertex: it has changed in this round
 *   queue        own vertices that others read: a list for those that the host serves, and one for each part whose
 *                device is reached directly, ascending, filled up with ~0. Behind them where each begins
 *   touched, queue_next         the outbox, a region for each list: places in it, and values; words[HD_LISTS + l] of
 *                               them
 *   touched_bits, queued_next   the inbox: vertices and values */

/* Step: twice the number of lists, and 1 for those vertices that have changed; else all. */
KERNEL hd_refine(HD_ARGUMENTS) {
    HD_BEGIN;
    GLOBAL hd_value *outbox = (GLOBAL hd_value *)job.queue_next;
    GLOBAL const u32 *starts = job.queue + job.count;
    u32 lists = job.step / 2;
    (void)tally;
    for (u64 first = HD_WARP_INDEX * HD_WARP; first < job.count; first += HD_WARP_TOTAL * HD_WARP) {
        u32 list = 0, v = job.queue[first + lane];
        while (list + 1 < lists && first >= starts[list + 1])
            list++;
        int flag = v != ~0u && (!(job.step & 1) || (job.queued[v / 32] >> v % 32 & 1));
        u32 total, base = 0, rank = hd_rank(share->scratch, flag, &total);
        HD_IF_UNIFORM(total) {
            if (lane == 0 && total)
                base = hd_add32(&job.words[HD_LISTS + list], total);
            base = starts[list] + hd_broadcast(share->scratch, base);
            if (flag) {
                job.touched[base + rank] = (u32)(first + lane) - starts[list];
                outbox[base + rank] = job.values[v];
            }
        }
    }
}

/* Step: where the inbox begins; vertices are counted from n + step, modulo 2^32. Or HD_TAKE_OWN: new values of own
 * vertices are in their places. */
KERNEL hd_take(HD_ARGUMENTS) {
    HD_MAKE_JOB;
    int own = job.step == HD_TAKE_OWN;
    GLOBAL const hd_value *inbox = (GLOBAL const hd_value *)job.queued_next;
    for (u64 i = HD_WARP_INDEX * HD_WARP + HD_LANE; i < job.count; i += HD_WARP_TOTAL * HD_WARP) {
        u64 v = own ? i : (u64)job.n + (u32)(job.step + job.touched_bits[job.step + i]);
        hd_value value = own ? job.values[i] : inbox[job.step + i];
        job.values[v] = value;
#if !HD_IN_PLACE
        job.next[v] = value;
#endif
#ifdef HD_SENT
        job.sent[v] = hd_sent_of(value, job.degrees[v]);
        job.sent_next[v] = job.sent[v];
#endif
    }
}
