/* bc_narrow.h - many small levels of bc.h in one launch, by some groups that wait for each other (BC_TEAM lanes for a
 * row; none is cut): few enough that the barrier is cheap, enough that none has much to do.
 *
 * A level is a few ways to memory and the barrier. What does not depend on the level before, a row's vertex and place,
 * is read one level ahead for the first row of each team; rows beyond take the long way. */
typedef struct bc_seat {
    u32 there;
    u32 vertex;
    u64 first, last; /* its row */
} bc_seat;

INLINE bc_seat bc_seat_of(const bc_pass *pass, u32 there, u32 v) {
    bc_seat seat;
    seat.there = there, seat.vertex = v, seat.first = 0, seat.last = 0;
    if (there) {
        seat.first = hd_constant(&pass->offsets[v]);
        seat.last = hd_constant(&pass->offsets[v + 1]);
    }
    return seat;
}

/* All lanes call it: the team's first lane finishes the vertex. `mine` is what the lane's first edge adds. */
INLINE void bc_seat_finish(const bc_job *job, LOCAL bc_share *share, const bc_pass *pass, const bc_seat *seat,
                           bc_value mine) {
    u32 part = HD_LANE % BC_TEAM;
    mine = bc_plus(mine, bc_gather(job, pass, seat->first, seat->first + part + BC_TEAM, seat->last, BC_TEAM));
    mine = bc_reduce(share, mine, BC_TEAM);
    if (seat->there && part == 0)
        bc_finish(job, pass, seat->vertex, mine);
}

KERNEL_DENSE(1) bc_few(BC_ARGUMENTS) {
    BC_BEGIN;
    u32 lane = HD_LANE, part = lane % BC_TEAM, level = from, go = 1;
    u32 teams = (u32)HD_WARP_TOTAL * (HD_WARP / BC_TEAM), count = hd_load32(&words[BC_LEVELS]);
    u32 team = (u32)(HD_WARP_HERE * HD_GROUP_TOTAL + HD_GROUP_INDEX) * (HD_WARP / BC_TEAM) + lane / BC_TEAM;
    u32 begin = starts[level], end = starts[level + 1];
    bc_pass pass = bc_pass_of(&job, back, level);
    bc_seat seat = bc_seat_of(&pass, begin + team < end, begin + team < end ? order[begin + team] : 0);
    while (go) {
        u32 next = back ? level - 1 : level + 1, more = level != to, u = 0, v = 0, there = 0, base;
        u32 next_begin = more ? hd_constant(&starts[next]) : 0, next_end = more ? hd_constant(&starts[next + 1]) : 0;
        u64 e = seat.first + part;
        bc_value mine = bc_zero();
        bc_seat after;
        pass = bc_pass_of(&job, back, level);
        if (e < seat.last)
            u = hd_constant(&pass.targets[e]);
        there = next_begin + team < next_end;
        if (there)
            v = hd_constant(&order[next_begin + team]);
        if (bc_plain(&pass, count)) {
            for (u64 i = (u64)begin + team * BC_TEAM + part; i < end; i += (u64)teams * BC_TEAM)
                bc_plain_one(&job, &pass, order[i]);
            after = bc_seat_of(&pass, there, v);
        } else {
            if (e < seat.last)
                mine = bc_term(&job, &pass, seat.first, e, u);
            after = bc_seat_of(&pass, there, v);
            bc_seat_finish(&job, share, &pass, &seat, mine);
            for (base = begin + teams; base < end; base += teams) {
                u32 here = base + team < end;
                seat = bc_seat_of(&pass, here, here ? order[base + team] : 0);
                mine = bc_zero();
                if (seat.first + part < seat.last)
                    mine = bc_gather(&job, &pass, seat.first, seat.first + part, seat.first + part + 1, BC_TEAM);
                bc_seat_finish(&job, share, &pass, &seat, mine);
            }
        }
        hd_grid_barrier(&words[BC_BARRIER]);
        seat = after, begin = next_begin, end = next_end, level = next, go = more;
    }
}
