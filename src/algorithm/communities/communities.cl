/* communities.cl - moving vertices to the neighbouring community that gains most, on a device.
 * Idea: a warp sums up the weights of a row by community in a hash table (as row_mode.cl counts labels), and takes the
 * best slot. Vertices of one of MOVE_CLASSES classes decide at once, by the communities before, and move then.
 *
 * Weights, ends and totals are whole numbers of 64 bits (communities_device.h), so that sums are the same in whatever
 * order they are made, and results the same in every run and on every device. A vertex alone in its community does not
 * join another one that is alone if that has a larger number: the two might change places.
 *
 * While communities are refined (communities_refine.cl), `part` are parts of communities, and neighbours count only
 * inside of the own community, `within`. */
#include "algorithm/communities/communities_state.h"

#define MOVE_SLOTS (2u * MOVE_SHORT)
#define MOVE_NONE 0xffffffffu

typedef struct level {
    GLOBAL const u64 *offsets;
    GLOBAL const u32 *targets;
    GLOBAL const u64 *weights; /* not used if all are `unit` */
    u64 unit;
    GLOBAL const u64 *ends, *total;
    GLOBAL const u32 *part, *size;
    f64 all, least; /* 2m / resolution; the smallest gain that counts */
} level;

#define MOVE_ROWS GLOBAL const u64 *offsets, GLOBAL const u32 *targets, GLOBAL const u64 *weights, u64 unit, u32 even
#define MOVE_TOTALS \
    GLOBAL const u64 *ends, GLOBAL const u64 *total, GLOBAL const u32 *part, GLOBAL const u32 *size, f64 all, f64 least
#define MOVE_LEVEL(g)                                                                            \
    level g;                                                                                     \
    g.offsets = offsets, g.targets = targets, g.weights = weights, g.unit = unit, g.ends = ends; \
    g.total = total, g.part = part, g.size = size, g.all = all, g.least = least

#define MOVE_WEIGHT(e) (even ? unit : weights[e])

/* The key of a neighbour's community in a table; 0: it does not count. */
#define MOVE_WITHIN u32 refining, GLOBAL const u32 *within
#define MOVE_KEY(v, w) (refining && within[w] != within[v] ? 0 : part[w] + 1)

INLINE u32 move_hash(u32 x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* A warp's share of a pass over all rows: item i < n is a short row, item n + p piece p of a long one. */
typedef struct stretch {
    u32 v;
    u64 begin, end;
} stretch;

#define MOVE_LONG u32 pieces, GLOBAL const u32 *list, GLOBAL const u32 *rows

INLINE stretch move_row(GLOBAL const u64 *offsets, u32 v) {
    stretch s;
    s.v = v;
    s.begin = offsets[v];
    s.end = offsets[v + 1] - s.begin <= MOVE_SHORT ? offsets[v + 1] : s.begin;
    return s;
}

INLINE stretch move_piece(GLOBAL const u32 *list, GLOBAL const u32 *rows, GLOBAL const u64 *offsets, u64 p) {
    stretch s;
    s.v = rows[LONG_WORDS * list[2 * p] + LONG_VERTEX];
    s.begin = offsets[s.v] + (u64)list[2 * p + 1] * MOVE_PIECE;
    s.end = offsets[s.v + 1] - s.begin > MOVE_PIECE ? s.begin + MOVE_PIECE : offsets[s.v + 1];
    return s;
}

INLINE stretch move_stretch(u32 n, GLOBAL const u32 *list, GLOBAL const u32 *rows, GLOBAL const u64 *offsets, u64 i) {
    return i < n ? move_row(offsets, (u32)i) : move_piece(list, rows, offsets, i - n);
}

/* Whether it is the vertex' turn. */
INLINE int move_turn(GLOBAL const u32 *marks, u32 v, u32 salt, u32 turn) {
    return marks[v] && move_hash(v ^ salt) % MOVE_CLASSES == turn;
}

/* The best community that was seen, and the weight of edges to the vertex' own. */
typedef struct choice {
    f64 gain;
    u64 own;
    u32 part;
} choice;

INLINE choice move_nothing(void) {
    choice c;
    c.gain = 0, c.own = 0, c.part = MOVE_NONE;
    return c;
}

INLINE choice move_better(choice a, choice b) {
    choice c = a;
    if (b.part != MOVE_NONE && (a.part == MOVE_NONE || b.gain > a.gain || (b.gain == a.gain && b.part < a.part)))
        c.gain = b.gain, c.part = b.part;
    c.own = a.own + b.own; /* only one of them has any */
    return c;
}

/* A slot of the table: key 0 is free. */
INLINE choice move_slot(const level *g, u32 v, u32 key, u64 sum) {
    choice c = move_nothing();
    if (key && key - 1 == g->part[v])
        c.own = sum;
    else if (key) {
        c.part = key - 1;
        c.gain = (f64)sum - (f64)g->ends[v] / g->all * (f64)g->total[c.part];
    }
    return c;
}

/* Where the vertex goes, given the best choice; where it is if that is no better. */
INLINE u32 move_decide(const level *g, u32 v, choice best) {
    u32 from = g->part[v];
    f64 stay = (f64)best.own - (f64)g->ends[v] / g->all * (f64)(g->total[from] - g->ends[v]);
    int lone = g->size[from] == 1 && best.part != MOVE_NONE && g->size[best.part] == 1 && best.part > from;
    return best.part != MOVE_NONE && best.gain > stay + g->least && !lone ? best.part : from;
}

HD_DEFINE_SHIFT(choice, move_shift)

/* Of all lanes, for lane 0. */
INLINE choice move_best(LOCAL choice *scratch, choice mine) {
    for (u32 distance = HD_WARP / 2; distance; distance /= 2) {
        choice other = move_shift(scratch, mine, distance);
        if (HD_LANE < distance)
            mine = move_better(mine, other);
    }
    return mine;
}

HD_DEFINE_SHIFT(u64, move_shift64)

/* The sum of all lanes, for lane 0. */
INLINE u64 move_sum(LOCAL u64 *scratch, u64 mine) {
    for (u32 distance = HD_WARP / 2; distance; distance /= 2) {
        u64 other = move_shift64(scratch, mine, distance);
        if (HD_LANE < distance)
            mine += other;
    }
    return mine;
}

/* Adds what all lanes have to a number. */
INLINE void move_count(LOCAL u64 *scratch, u64 mine, GLOBAL u64 *number) {
    u64 all = move_sum(scratch, mine);
    if (HD_LANE == 0 && all)
        hd_add64(number, all);
}

/* Lists the vertices of short rows whose turn it is, in any order; the rows of others are not looked at. */
KERNEL move_select(u32 n, GLOBAL const u64 *offsets, u32 salt, u32 turn, GLOBAL const u32 *marks, GLOBAL u32 *chosen,
                   GLOBAL u32 *tail) {
    SHARED u32 scratch[HD_WARPS][HD_SCRATCH];
    for (u64 base = HD_GROUP_INDEX * HD_GROUP_SIZE; base < n; base += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 v = base + HD_GROUP_LANE;
        int takes = v < n && move_turn(marks, (u32)v, salt, turn);
        u64 count = takes ? offsets[v + 1] - offsets[v] : 0;
        u32 place;
        takes = count && count <= MOVE_SHORT;
        place = hd_space(scratch[HD_WARP_HERE], tail, takes ? 1 : 0);
        if (takes)
            chosen[place] = (u32)v;
    }
}

KERNEL move_short(GLOBAL const u32 *chosen, GLOBAL const u32 *tail, MOVE_ROWS, MOVE_TOTALS, MOVE_WITHIN,
                  GLOBAL u32 *next) {
    SHARED u64 sums[HD_WARPS][MOVE_SLOTS];
    SHARED u32 keys[HD_WARPS][MOVE_SLOTS];
    SHARED choice scratch[HD_WARPS][HD_SCRATCH];
    u32 here = HD_WARP_HERE, all_chosen = *tail;
    MOVE_LEVEL(g);
    for (u64 i = HD_WARP_INDEX; i < all_chosen; i += HD_WARP_TOTAL) {
        u32 v = chosen[i], slots = 32;
        u64 first = offsets[v];
        u32 few = (u32)(offsets[v + 1] - first);
        choice best = move_nothing();
        while (slots < 2 * few)
            slots *= 2;
        for (u32 k = HD_LANE; k < slots; k += HD_WARP) {
            keys[here][k] = 0;
            sums[here][k] = 0;
        }
        hd_warp_barrier();
        for (u32 k = HD_LANE; k < few; k += HD_WARP) {
            u32 w = targets[first + k], key = MOVE_KEY(v, w), slot = move_hash(key) & (slots - 1);
            while (key) {
                u32 seen = hd_swap32_local(&keys[here][slot], 0, key);
                if (seen == 0 || seen == key)
                    break;
                slot = (slot + 1) & (slots - 1);
            }
            if (key)
                hd_add64_local(&sums[here][slot], MOVE_WEIGHT(first + k));
        }
        hd_warp_barrier();
        for (u32 k = HD_LANE; k < slots; k += HD_WARP)
            best = move_better(best, move_slot(&g, v, keys[here][k], sums[here][k]));
        best = move_best(scratch[here], best);
        hd_warp_barrier();
        if (HD_LANE == 0)
            next[v] = move_decide(&g, v, best);
    }
}

/* Adds to the sum of a key in a table in the device's memory, which has room for it. */
INLINE void move_insert(GLOBAL u32 *keys, GLOBAL u64 *sums, u64 slots, u32 key, u64 weight) {
    u64 slot = (u64)move_hash(key) * slots >> 32;
    for (;;) {
        u32 seen = hd_load32(&keys[slot]);
        if (seen == 0)
            seen = hd_swap32(&keys[slot], 0, key);
        if (seen == 0 || seen == key)
            break;
        slot = slot + 1 < slots ? slot + 1 : 0;
    }
    hd_add64(&sums[slot], weight);
}

/* ---- Long rows: tables in the device's memory, of twice as many slots as the pieces have entries --------------- */

#define MOVE_TABLE(first) ((u64)(first)*2 * MOVE_PIECE)

KERNEL move_clear(MOVE_LONG, u32 salt, u32 turn, GLOBAL const u32 *marks, GLOBAL u32 *keys, GLOBAL u64 *sums) {
    for (u64 p = HD_WARP_INDEX; p < pieces; p += HD_WARP_TOTAL) {
        u32 v = rows[LONG_WORDS * list[2 * p] + LONG_VERTEX];
        u64 end = move_turn(marks, v, salt, turn) ? 2 * MOVE_PIECE : 0;
        for (u64 k = HD_LANE; k < end; k += HD_WARP) {
            keys[MOVE_TABLE(p) + k] = 0;
            sums[MOVE_TABLE(p) + k] = 0;
        }
    }
}

KERNEL move_add(MOVE_LONG, MOVE_ROWS, GLOBAL const u32 *part, MOVE_WITHIN, u32 salt, u32 turn, GLOBAL const u32 *marks,
                GLOBAL u32 *keys, GLOBAL u64 *sums) {
    for (u64 p = HD_WARP_INDEX; p < pieces; p += HD_WARP_TOTAL) {
        GLOBAL const u32 *row = rows + LONG_WORDS * list[2 * p];
        u32 v = row[LONG_VERTEX];
        u64 begin = offsets[v] + (u64)list[2 * p + 1] * MOVE_PIECE, end = offsets[v + 1];
        u64 table = MOVE_TABLE(row[LONG_FIRST]), slots = MOVE_TABLE(row[LONG_PIECES]);
        end = end - begin > MOVE_PIECE ? begin + MOVE_PIECE : end;
        end = move_turn(marks, v, salt, turn) ? end : begin;
        for (u64 e = begin + HD_LANE; e < end; e += HD_WARP) {
            u32 w = targets[e], key = MOVE_KEY(v, w);
            if (key)
                move_insert(keys + table, sums + table, slots, key, MOVE_WEIGHT(e));
        }
    }
}

/* The best slot of a piece of the table. */
KERNEL move_find(MOVE_LONG, MOVE_ROWS, MOVE_TOTALS, u32 salt, u32 turn, GLOBAL const u32 *marks, GLOBAL const u32 *keys,
                 GLOBAL const u64 *sums, GLOBAL choice *found) {
    SHARED choice scratch[HD_WARPS][HD_SCRATCH];
    MOVE_LEVEL(g);
    (void)even;
    for (u64 p = HD_WARP_INDEX; p < pieces; p += HD_WARP_TOTAL) {
        u32 v = rows[LONG_WORDS * list[2 * p] + LONG_VERTEX];
        u64 end = move_turn(marks, v, salt, turn) ? 2 * MOVE_PIECE : 0;
        choice best = move_nothing();
        for (u64 k = HD_LANE; k < end; k += HD_WARP)
            best = move_better(best, move_slot(&g, v, keys[MOVE_TABLE(p) + k], sums[MOVE_TABLE(p) + k]));
        best = move_best(scratch[HD_WARP_HERE], best);
        if (HD_LANE == 0)
            found[p] = best;
    }
}

/* A warp per long row. */
KERNEL move_join(u32 longs, GLOBAL const u32 *rows, MOVE_ROWS, MOVE_TOTALS, u32 salt, u32 turn, GLOBAL const u32 *marks,
                 GLOBAL const choice *found, GLOBAL u32 *next) {
    SHARED choice scratch[HD_WARPS][HD_SCRATCH];
    MOVE_LEVEL(g);
    (void)even;
    for (u64 i = HD_WARP_INDEX; i < longs; i += HD_WARP_TOTAL) {
        GLOBAL const u32 *row = rows + LONG_WORDS * i;
        u32 v = row[LONG_VERTEX], turns = move_turn(marks, v, salt, turn), count = turns ? row[LONG_PIECES] : 0;
        choice best = move_nothing();
        for (u32 p = HD_LANE; p < count; p += HD_WARP)
            best = move_better(best, found[row[LONG_FIRST] + p]);
        best = move_best(scratch[HD_WARP_HERE], best);
        if (HD_LANE == 0 && turns)
            next[v] = move_decide(&g, v, best);
    }
}

/* ---- After all have decided -------------------------------------------------------------------------------------- */

KERNEL move_apply(u32 n, u32 salt, u32 turn, GLOBAL const u64 *ends, GLOBAL const u32 *next, GLOBAL u32 *part,
                  GLOBAL u64 *total, GLOBAL u32 *size, GLOBAL u32 *marks, GLOBAL u32 *gone, GLOBAL u64 *numbers) {
    SHARED u64 scratch[HD_WARPS][HD_SCRATCH];
    u64 moved = 0;
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u32 v = (u32)i, from = part[v], to = next[v];
        if (move_turn(marks, v, salt, turn))
            marks[v] = 0;
        gone[v] = from != to;
        if (from != to) {
            part[v] = to;
            hd_add64(&total[to], ends[v]);
            hd_add64(&total[from], 0 - ends[v]);
            hd_add32(&size[to], 1);
            hd_add32(&size[from], 0u - 1u);
            moved++;
        }
    }
    move_count(scratch[HD_WARP_HERE], moved, &numbers[MOVE_MOVED]);
}

/* Neighbours of those that have moved are looked at again, unless they are in the same community. */
INLINE void move_mark_row(GLOBAL const u32 *targets, GLOBAL const u32 *part, u32 v, u64 begin, u64 end,
                          GLOBAL u32 *marks) {
    for (u64 e = begin + HD_LANE; e < end; e += HD_WARP) {
        u32 w = targets[e];
        if (part[w] != part[v])
            hd_store32(&marks[w], 1);
    }
}

KERNEL move_mark(GLOBAL const u32 *chosen, GLOBAL const u32 *tail, MOVE_LONG, GLOBAL const u64 *offsets,
                 GLOBAL const u32 *targets, GLOBAL const u32 *part, GLOBAL const u32 *gone, GLOBAL u32 *marks) {
    u32 all_chosen = *tail;
    for (u64 i = HD_WARP_INDEX; i < (u64)all_chosen + pieces; i += HD_WARP_TOTAL) {
        stretch s = i < all_chosen ? move_row(offsets, chosen[i]) : move_piece(list, rows, offsets, i - all_chosen);
        if (gone[s.v])
            move_mark_row(targets, part, s.v, s.begin, s.end, marks);
    }
}

/* ---- Modularity -------------------------------------------------------------------------------------------------- */

INLINE u64 move_inside_row(MOVE_ROWS, GLOBAL const u32 *part, u32 v, u64 begin, u64 end) {
    u64 sum = 0;
    (void)offsets;
    for (u64 e = begin + HD_LANE; e < end; e += HD_WARP)
        sum += part[targets[e]] == part[v] ? MOVE_WEIGHT(e) : 0;
    return sum;
}

KERNEL move_inside(u32 n, MOVE_LONG, MOVE_ROWS, GLOBAL const u32 *part, GLOBAL u64 *numbers) {
    SHARED u64 scratch[HD_WARPS][HD_SCRATCH];
    u64 sum = 0;
    for (u64 i = HD_WARP_INDEX; i < (u64)n + pieces; i += HD_WARP_TOTAL) {
        stretch s = move_stretch(n, list, rows, offsets, i);
        sum += move_inside_row(offsets, targets, weights, unit, even, part, s.v, s.begin, s.end);
    }
    move_count(scratch[HD_WARP_HERE], sum, &numbers[MOVE_INSIDE]);
}

/* The squares of totals, a lane per strip: in the same order on every device. */
KERNEL move_squares(u32 n, GLOBAL const u64 *total, GLOBAL f64 *strips) {
    u64 count = ((u64)n + MOVE_STRIP - 1) / MOVE_STRIP;
    for (u64 s = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; s < count; s += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        f64 sum = 0;
        u64 end = (u64)n - s * MOVE_STRIP < MOVE_STRIP ? n : (s + 1) * MOVE_STRIP;
        for (u64 c = s * MOVE_STRIP; c < end; c++)
            sum += (f64)total[c] * (f64)total[c];
        strips[s] = sum;
    }
}

/* ---- A level ----------------------------------------------------------------------------------------------------- */

/* Appends a long row and its pieces to the lists, in any order. */
KERNEL move_list(u32 n, GLOBAL const u64 *offsets, GLOBAL u32 *rows, GLOBAL u32 *list, GLOBAL u64 *numbers) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        u64 count = offsets[v + 1] - offsets[v];
        u32 pieces = (u32)((count + MOVE_PIECE - 1) / MOVE_PIECE);
        if (count > MOVE_SHORT) {
            u64 place = hd_add64(&numbers[MOVE_LONGS], 1), first = hd_add64(&numbers[MOVE_PIECES], pieces);
            rows[LONG_WORDS * place + LONG_VERTEX] = (u32)v;
            rows[LONG_WORDS * place + LONG_FIRST] = (u32)first;
            rows[LONG_WORDS * place + LONG_PIECES] = pieces;
            for (u32 i = 0; i < pieces; i++) {
                list[2 * (first + i)] = (u32)place;
                list[2 * (first + i) + 1] = i;
            }
        }
    }
}

/* Ends of edges where all weights are `unit`, and there are no loops. */
KERNEL move_ends(u32 n, GLOBAL const u64 *offsets, u64 unit, GLOBAL u64 *ends) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        ends[v] = (offsets[v + 1] - offsets[v]) * unit;
}

/* Ends and sizes of communities, which were 0. */
KERNEL move_totals(u32 n, GLOBAL const u32 *part, GLOBAL const u64 *ends, GLOBAL u64 *total, GLOBAL u32 *size) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE) {
        hd_add64(&total[part[v]], ends[v]);
        hd_add32(&size[part[v]], 1);
    }
}

KERNEL move_identity(u32 n, GLOBAL u32 *part) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        part[v] = (u32)v;
}

KERNEL move_copy(u32 n, GLOBAL const u32 *part, GLOBAL u32 *best) {
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        best[v] = part[v];
}
