/* bc_narrow.cl - runs of small levels of bc.cl in one launch, by one thread-block cluster.
 * Idea: a small level costs a memory latency and a barrier, so everything that does not depend on the level before is
 * prefetched up to five levels ahead, and the barrier is the cluster's. Beats the same levels by the whole device: 2.5
 * to 2.8 us a level on the grid instead of 3.8 (bench/notes).
 *
 * BC_TEAM lanes share a row; none is cut. The first row of each team moves one step along the pipeline in each level:
 * five levels ahead where the level begins, four its vertex, three the row's offsets, two its edges, one the
 * neighbours' levels and the vertex' own values. Further rows are read without prefetching. */
enum { BC_STEPS = 5 };

/* Values that a lane has prefetched for its row of one level. */
typedef struct bc_seat {
    u32 begin, end; /* the level's vertices in `order` */
    u32 there, vertex;
    hd_offset first, last; /* offsets of its row */
    u32 neighbour, twin;   /* targets of the lane's edge and of the edge before it */
    u32 counts;            /* whether the lane's edge is added */
    f64 own, sum;          /* backward: path count and dependencies so far */
    i32 exponent;
} bc_seat;

INLINE bc_seat bc_seat_none(void) {
    bc_seat seat;
    seat.begin = 0, seat.end = 0, seat.there = 0, seat.vertex = 0, seat.first = 0, seat.last = 0;
    seat.neighbour = 0, seat.twin = 0, seat.counts = 0, seat.own = 0, seat.sum = 0, seat.exponent = 0;
    return seat;
}

/* Step 4: loads the vertex of the team's row. */
INLINE void bc_seat_vertex(const bc_job *job, bc_seat *seat, u32 team) {
    seat->there = seat->end - seat->begin > team;
    seat->vertex = seat->there ? hd_constant(&job->order[seat->begin + team]) : 0;
}

/* Step 3: loads the row's offsets. */
INLINE void bc_seat_row(const bc_pass *pass, bc_seat *seat) {
    seat->first = seat->there ? hd_constant(&pass->offsets[seat->vertex]) : 0;
    seat->last = seat->there ? hd_constant(&pass->offsets[seat->vertex + 1]) : 0;
}

/* Step 2: loads the lane's edge, and the one before, to recognise parallel edges. */
INLINE void bc_seat_edge(const bc_pass *pass, bc_seat *seat, u32 part) {
    hd_offset e = seat->first + part;
    seat->counts = e < seat->last;
    seat->neighbour = seat->counts ? hd_constant(&pass->targets[e]) : 0;
    seat->twin = seat->counts && part ? hd_constant(&pass->targets[e - 1]) : BC_NONE;
}

/* Step 1: finds out whether the edge counts (parallel edges count once), and loads the vertex's own values. */
INLINE void bc_seat_level(const bc_job *job, const bc_pass *pass, bc_seat *seat, u32 wanted) {
    u32 level = hd_constant(&job->levels[seat->neighbour]);
    seat->counts = seat->counts && level == wanted && seat->neighbour != seat->twin;
    if (pass->back && seat->there) {
        seat->own = hd_constant(&job->sigma[seat->vertex]);
        seat->sum = job->total[seat->vertex];
#if BC_EXTENDED
        seat->exponent = hd_constant(&job->exponents[seat->vertex]);
#endif
    }
}

/* The value that the lane's edge adds. Other lanes wrote it in the level before, so it is not read as a constant. */
INLINE bc_value bc_seat_term(const bc_job *job, const bc_pass *pass, const bc_seat *seat) {
    bc_value value = bc_zero();
    u32 u = seat->neighbour;
    if (seat->counts) {
        f64 number = hd_bits_f64(hd_load64((GLOBAL const u64 *)(pass->back ? &job->shares[u] : &job->sigma[u])));
#if BC_EXTENDED
        i32 exponent = (i32)hd_load32((GLOBAL const u32 *)&job->exponents[u]);
        value.number = number;
        value.exponent = pass->back ? -exponent : exponent;
#else
        value = number;
#endif
    }
    return value;
}

/* Sums the row; the team's first lane stores the vertex's results. All lanes call it. `mine` is what the lane's first
 * edge adds. */
INLINE void bc_seat_finish(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass, const bc_seat *seat,
                           bc_value mine) {
    u32 part = HD_LANE % BC_TEAM, v = seat->vertex;
    if (seat->last - seat->first > BC_TEAM)
        mine = bc_plus(mine, bc_gather(job, pass, seat->first, seat->first + part + BC_TEAM, seat->last, BC_TEAM));
    mine = bc_reduce(share, mine, BC_TEAM);
    if (seat->there && part == 0 && pass->back) {
#if BC_EXTENDED
        f64 delta = bc_scaled(seat->own * mine.number, seat->exponent + mine.exponent);
#else
        f64 delta = seat->own * mine;
#endif
        job->shares[v] = (1 + delta) / seat->own;
        job->total[v] = seat->sum + delta;
    } else if (seat->there && part == 0) {
#if BC_EXTENDED
        job->sigma[v] = mine.number;
        job->exponents[v] = mine.exponent;
#else
        job->sigma[v] = mine;
#endif
    }
}

/* Handles the rows beyond the first of each team, without prefetching. */
INLINE void bc_more_rows(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass, u32 begin, u32 end, u32 team,
                         u32 teams) {
    u32 part = HD_LANE % BC_TEAM;
    for (u32 base = begin; base < end; base += teams) {
        bc_seat seat = bc_seat_none();
        seat.begin = base, seat.end = end;
        bc_seat_vertex(job, &seat, team);
        bc_seat_row(pass, &seat);
        bc_seat_edge(pass, &seat, part);
        bc_seat_level(job, pass, &seat, pass->wanted);
        bc_seat_finish(job, share, pass, &seat, bc_seat_term(job, pass, &seat));
    }
}

/* Handles levels from .. to. Launched as one cluster. */
CLUSTER_KERNEL bc_few(BC_ARGUMENTS) {
    BC_BEGIN;
    u32 lane = HD_LANE, part = lane % BC_TEAM, here = HD_GROUP_INDEX < HD_CLUSTER;
    u32 teams = HD_CLUSTER * HD_WARPS * (HD_WARP / BC_TEAM), count = (back ? from - to : to - from) + 1;
    u32 team = (u32)(HD_WARP_HERE * HD_CLUSTER + hd_cluster_rank()) * (HD_WARP / BC_TEAM) + lane / BC_TEAM;
    bc_seat ahead[BC_STEPS]; /* [k]: for the level k + 1 steps ahead */
    u32 steps = here ? count + BC_STEPS : 0;
    HD_UNROLL for (u32 k = 0; k < BC_STEPS; k++) ahead[k] = bc_seat_none();
    for (u32 step = 0; step < steps; step++) {
        u32 index = step - BC_STEPS; /* of this step's level; below 0 (wrapped) while the pipeline fills */
        u32 level = back ? from - index : from + index, far = back ? from - step : from + step;
        bc_pass pass = bc_pass_of(&job, back, level);
        bc_seat seat = ahead[0];
        bc_value mine = bc_seat_term(&job, &pass, &seat);
        HD_UNROLL for (u32 k = 1; k < BC_STEPS; k++) ahead[k - 1] = ahead[k];
        bc_seat_level(&job, &pass, &ahead[0], back ? pass.wanted - 1 : pass.wanted + 1);
        bc_seat_edge(&pass, &ahead[1], part);
        bc_seat_row(&pass, &ahead[2]);
        bc_seat_vertex(&job, &ahead[3], team);
        ahead[4] = bc_seat_none();
        if (step < count) {
            ahead[4].begin = hd_constant(&starts[far]);
            ahead[4].end = hd_constant(&starts[far + 1]);
        }
        bc_seat_finish(&job, share, &pass, &seat, mine);
        bc_more_rows(&job, share, &pass, seat.begin + teams, seat.end, team, teams);
        hd_cluster_barrier();
    }
}
