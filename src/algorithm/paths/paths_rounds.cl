/* paths_rounds.cl - rounds of paths.cl, and how wide the window is.
 * Idea: the width follows the work, all rounds in one cooperative launch. A fixed delta suits neither end: a narrow
 * window wastes rounds where there is little to do, a wide one relaxes edges twice where there is much.
 *
 * The window starts at the lowest pending label. It doubles while rounds have little to do, or while next to nothing
 * that was improved falls back into it and the work is moderate; otherwise much work makes it shrink. */

/* Copies the state to the group's plan. */
INLINE void load_plan(const paths *g, const desk *h) {
    if (HD_GROUP_LANE == 0) {
        u64 run = BLOCK * HD_WARP, runs = (g->n + run - 1) / run;
        for (u32 i = 0; i < PATHS_COUNT; i++)
            h->plan[i] = g->state[i];
        h->plan[PATHS_STAGED] = HD_GROUP_INDEX * ((runs + HD_GROUP_TOTAL - 1) / HD_GROUP_TOTAL) * run - LIST;
    }
    hd_group_barrier();
}

/* Decides from what a round collected how its edges are relaxed. One lane of every group computes it, with the same
 * result. */
INLINE void decide(const paths *g, LOCAL u64 *plan, u64 groups) {
    GLOBAL u64 *slot = g->state + plan[PATHS_ROUND] % 3 * PATHS_SLOT;
    u64 packed = hd_load64(slot + PATHS_PACKED), any_long = hd_load64(slot + PATHS_ANY_LONG);
    u64 count = packed >> EDGE_BITS, edges = (packed & EDGE_MASK) + count * LINE;
    plan[PATHS_LOW] = hd_load64(slot + PATHS_LOWEST);
    plan[PATHS_FINISHED] = plan[PATHS_LOW] == NOTHING;
    plan[PATHS_COUNT] = count;
    plan[PATHS_EDGES] = edges;
    plan[PATHS_IS_NARROW] = edges < NARROW && !any_long && count <= groups * NEAR;
}

/* Widens or narrows the window by the work of the round; see the file's head. `again`: labels that fell back into
 * it. */
INLINE void fit_width(LOCAL u64 *plan, u64 again) {
    u64 edges = plan[PATHS_EDGES], lots = 4 * LITTLE, much = MUCH;
    int calm = again == 0;
    if (!plan[PATHS_IS_NARROW]) {
        lots = plan[PATHS_LOTS] > lots ? plan[PATHS_LOTS] : lots;
        calm = again * 16 <= plan[PATHS_COUNT];
        much = calm ? 2 * lots : MUCH;
    }
    if (edges < LITTLE || (calm && edges < lots))
        plan[PATHS_WIDTH] = wider(plan[PATHS_WIDTH]);
    else if (edges > much)
        plan[PATHS_WIDTH] = narrower(edges > (calm ? 2 : 4) * much ? 0 : plan[PATHS_WIDTH], plan[PATHS_LEAST]);
}

/* Sets the window of the next round. If almost nothing below the bound is pending, it reaches one width beyond the
 * bound. */
INLINE void turn(const paths *g, LOCAL u64 *plan) {
    u64 again = hd_load64(g->state + plan[PATHS_ROUND] % 3 * PATHS_SLOT + PATHS_AGAIN);
    label end, next, bound = (label)plan[PATHS_BOUND];
    plan[PATHS_ROUND]++;
    if (plan[PATHS_FINISHED])
        return;
    if (plan[PATHS_EDGES]) {
        plan[PATHS_ROUNDS]++;
        fit_width(plan, again);
    }
    end = window_end(g, (label)plan[PATHS_LOW], plan[PATHS_WIDTH]);
    if (plan[PATHS_EDGES] && bound < UNREACHED && again * 16 <= (plan[PATHS_IS_NARROW] ? 0 : plan[PATHS_COUNT])) {
        next = window_end(g, bound, plan[PATHS_WIDTH]);
        end = next > end ? next : end;
    }
    plan[PATHS_FLOOR] = plan[PATHS_LOW];
    plan[PATHS_HIGHEST] = plan[PATHS_HIGHEST] > bound ? plan[PATHS_HIGHEST] : bound;
    plan[PATHS_BOUND] = end;
}

/* Clears a slot for a later round; one lane calls it. Three slots are used in turn, and this one is not read now. */
INLINE void clear_slot(const paths *g, u64 round) {
    GLOBAL u64 *slot = g->state + round % 3 * PATHS_SLOT;
    slot[PATHS_PACKED] = 0;
    slot[PATHS_LOWEST] = NOTHING;
    slot[PATHS_ANY_LONG] = 0;
    slot[PATHS_AGAIN] = 0;
}

INLINE void save_plan(const paths *g, LOCAL const u64 *plan) {
    g->state[PATHS_ROUND] = plan[PATHS_ROUND];
    g->state[PATHS_BOUND] = plan[PATHS_BOUND];
    g->state[PATHS_WIDTH] = plan[PATHS_WIDTH];
    g->state[PATHS_FINISHED] = plan[PATHS_FINISHED];
    g->state[PATHS_ROUNDS] = plan[PATHS_ROUNDS];
    g->state[PATHS_FLOOR] = plan[PATHS_FLOOR];
    g->state[PATHS_HIGHEST] = plan[PATHS_HIGHEST];
}

/* PATHS_HYBRID: what is numbered are not all edges; relax_wide counts them. */
INLINE void count_wide(const paths *g, LOCAL const u64 *plan) {
    if (!LINE && !plan[PATHS_IS_NARROW] && plan[PATHS_EDGES])
        hd_add64(g->state + PATHS_WALKED, plan[PATHS_EDGES]);
}

#ifndef PATH_PROGRAM
KERNEL paths_start(u32 n, GLOBAL label *labels, GLOBAL label *done, GLOBAL unsigned char *flags) {
    u64 lanes = HD_GROUP_TOTAL * HD_GROUP_SIZE;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += lanes) {
        labels[v] = UNREACHED;
        done[v] = UNREACHED;
        if (v % BLOCK == 0)
            flags[v / BLOCK] = 0;
    }
}

KERNEL paths_sources(u32 count, GLOBAL const u32 *sources, GLOBAL label *labels, GLOBAL unsigned char *flags) {
    u64 lanes = HD_GROUP_TOTAL * HD_GROUP_SIZE;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < count; i += lanes) {
        labels[sources[i]] = 0;
        flags[sources[i] / BLOCK] = 1;
    }
}
#endif

#ifdef PATHS_SHAPE
/* Rounds in one launch: until all is done, or after `most` rounds, or after ENOUGH edges. */
KERNEL PATHS_SHAPE paths_run(ARGUMENTS) {
    DESK;
    PATHS;
    u64 walked = 0;
    int first = HD_GROUP_INDEX == 0 && HD_GROUP_LANE == 0;
    load_plan(&g, &h);
    for (u32 i = 0; i < most && walked < ENOUGH; i++) {
        u64 round = h.plan[PATHS_ROUND];
        collect(&g, &h);
        hd_grid_barrier(barrier_word);
        if (HD_GROUP_LANE == 0)
            decide(&g, h.plan, HD_GROUP_TOTAL);
        hd_group_barrier();
        if (h.plan[PATHS_FINISHED])
            break;
        if (first) {
            clear_slot(&g, round + 2);
            count_wide(&g, h.plan);
        }
        u64 edges = h.plan[PATHS_EDGES];
        walked += edges;
        relax(&g, &h);
        HD_IF_UNIFORM(edges) { hd_grid_barrier(barrier_word); }
        hd_group_barrier();
        if (HD_GROUP_LANE == 0)
            turn(&g, h.plan);
        hd_group_barrier();
    }
    if (first)
        save_plan(&g, h.plan);
}
#endif

/* The same with one launch per step, for devices without a grid barrier; `most` is the number of groups that relax. */
KERNEL paths_collect(ARGUMENTS) {
    DESK;
    PATHS;
    load_plan(&g, &h);
    g.n = h.plan[PATHS_FINISHED] ? 0 : n;
    collect(&g, &h);
}

KERNEL paths_relax(ARGUMENTS) {
    DESK;
    PATHS;
    load_plan(&g, &h);
    if (HD_GROUP_LANE == 0)
        decide(&g, h.plan, most);
    hd_group_barrier();
    relax(&g, &h);
}

KERNEL paths_turn(ARGUMENTS) {
    DESK;
    PATHS;
    load_plan(&g, &h);
    if (HD_GROUP_LANE == 0 && !h.plan[PATHS_FINISHED]) {
        u64 round = h.plan[PATHS_ROUND];
        decide(&g, h.plan, most);
        count_wide(&g, h.plan);
        turn(&g, h.plan);
        clear_slot(&g, round + 2);
        save_plan(&g, h.plan);
    }
}
