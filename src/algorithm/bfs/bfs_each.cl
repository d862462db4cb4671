/* bfs_each.cl - levels of up to 32 searches at once (many.cl), for `bfs --each`.
 * Idea: multi-source BFS (Then et al., VLDB 2015), many depths in one cooperative launch; a transposition then makes a
 * column for each search. Beats one search after the other 2.0 to 5.1 times (bench/notes, Many sources on
 * CUDA). */

/* Transposes the result: columns[j * n + v] is the level of v in search j. */
KERNEL bfs_each_turn(u32 n, u32 shift, u32 full, GLOBAL const u32 *rows, GLOBAL u32 *columns) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        for (u32 j = 0; j < 32 && full >> j; j++)
            columns[(u64)j * n + v] = rows[(v << shift) + j];
}

#if MANY_RESIDENT
/* Continues from depth `from`, at most `to` depths. All groups are resident. */
KERNEL_DENSE(MANY_GROUPS) bfs_each_forward(MANY_ARGUMENTS) {
    SHARED many_step step;
    SHARED many_turn turn;
    MANY_BEGIN;
    for (u32 level = from; level < from + to; level++) {
        if (HD_GROUP_LANE == 0)
            step = many_think(&job, level);
        hd_group_barrier();
        many_down(&job, share, &step, level, !step.done && !step.up);
        many_down_units(&job, share, &step, level, !step.done && !step.up);
        many_rise(&job, share, level, !step.done && step.up);
        if (MANY_FIRST)
            many_note(&job, &step, level);
        hd_grid_barrier(&words[MANY_BARRIER]);
        if (step.done)
            break;
        if (HD_GROUP_LANE == 0)
            turn = many_think_again(&job, level + 1);
        hd_group_barrier();
        many_settle(&job, share, &turn, level + 1);
        hd_grid_barrier(&words[MANY_BARRIER]);
    }
}
#endif
