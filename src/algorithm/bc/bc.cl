/* bc.cl - betweenness from one source on a device: what its kernels share.
 * Idea: Brandes (2001), level by level: a forward pass sums path counts, a backward pass sums dependencies. Each vertex
 * gathers from its neighbours, without atomics, so results are the same bits every time. Beats pushing with atomics
 * under a schedule (bc_walk.cl): 2.34 ms on rmat22 against 3.17 of the best one (bench/notes).
 *
 * The search is bfs.cl's. Vertices are then sorted by level (bc_order.cl), and each level gathers (bc_levels.cl,
 * bc_narrow.cl): forward the path counts of in-neighbours one level up, backward the shares of out-neighbours one level
 * down. With BC_EXTENDED a count is sigma * 2^(512 * exponent), for graphs whose counts may overflow a double. Parallel
 * edges count once: they are adjacent in a row. */

#include "algorithm/bc/bc_state.h"

#define BC_UNIT 16u

#define BC_ARGUMENTS                                                                                                   \
    u32 n, u32 back, u32 from, u32 to, GLOBAL const hd_offset *out_offsets, GLOBAL const u32 *out_targets,             \
        GLOBAL const hd_offset *in_offsets, GLOBAL const u32 *in_targets, GLOBAL const u32 *levels, GLOBAL u32 *order, \
        GLOBAL u32 *starts, GLOBAL u32 *cursors, GLOBAL u32 *bigs, GLOBAL u32 *parts, GLOBAL f64 *sigma,               \
        GLOBAL f64 *shares, GLOBAL i32 *exponents, GLOBAL u32 *bits, GLOBAL f64 *total, GLOBAL f64 *sums,              \
        GLOBAL i32 *sum_exponents, GLOBAL u32 *words

typedef struct bc_job {
    u32 n;
    GLOBAL const hd_offset *out_offsets;
    GLOBAL const u32 *out_targets;
    GLOBAL const hd_offset *in_offsets;
    GLOBAL const u32 *in_targets;
    GLOBAL const u32 *levels;
    GLOBAL u32 *order;   /* vertices sorted by level */
    GLOBAL u32 *starts;  /* where each level begins in `order`, then the end */
    GLOBAL u32 *cursors; /* by level, while sorting: next free position; then by vertex: the level that needs its sum */
    GLOBAL u32 *bigs;    /* pairs: vertex with a long row, its first part in `parts` */
    GLOBAL u32 *parts;   /* pairs: vertex, number of the part within its row */
    GLOBAL f64 *sigma;
    GLOBAL f64 *shares;
    GLOBAL i32 *exponents;
    GLOBAL u32 *bits; /* bitmap of the level whose values are added, if there are few levels */
    GLOBAL f64 *total;
    GLOBAL f64 *sums; /* sums of the parts of long rows */
    GLOBAL i32 *sum_exponents;
    GLOBAL u32 *words;
} bc_job;

#define BC_MAKE_JOB                                                                                                    \
    bc_job job;                                                                                                        \
    job.n = n, job.out_offsets = out_offsets, job.out_targets = out_targets, job.in_offsets = in_offsets;              \
    job.in_targets = in_targets, job.levels = levels, job.order = order, job.starts = starts;                          \
    job.cursors = cursors, job.bigs = bigs, job.parts = parts, job.sigma = sigma, job.shares = shares;                 \
    job.exponents = exponents, job.bits = bits, job.total = total, job.sums = sums, job.sum_exponents = sum_exponents; \
    job.words = words

#define BC_NONE 0xffffffffu

INLINE u32 bc_degree(const bc_job *job, u32 v) {
    u32 out = (u32)(job->out_offsets[v + 1] - job->out_offsets[v]);
#if BC_DIRECTED
    u32 in = (u32)(job->in_offsets[v + 1] - job->in_offsets[v]);
    out = out > in ? out : in;
#endif
    return out;
}

/* ---- Sums ------------------------------------------------------------------------------------------------------- */

/* A pass over one level: which rows are read, and which neighbours are added. */
typedef struct bc_pass {
    u32 back;
    u32 level;   /* its vertices get their sums */
    u32 wanted;  /* the level of the neighbours that are added */
    u32 by_bits; /* `bits` holds the vertices of level `wanted` */
    u32 marked;  /* only vertices v with cursors[v] == level have such neighbours */
    GLOBAL const hd_offset *offsets;
    GLOBAL const u32 *targets;
} bc_pass;

INLINE bc_pass bc_pass_of(const bc_job *job, u32 back, u32 level) {
    bc_pass pass;
    pass.back = back, pass.level = level, pass.wanted = back ? level + 1 : level - 1;
    pass.by_bits = 0, pass.marked = 0;
    pass.offsets = back ? job->out_offsets : job->in_offsets;
    pass.targets = back ? job->out_targets : job->in_targets;
    return pass;
}

typedef struct bc_share {
    u32 scratch[HD_WARP + 2];
    u32 rows[HD_WARP];
    bc_value values[HD_SCRATCH];
} bc_share;

/* Whether edge e to u is added: u is of level `wanted`, and e is the first of parallel edges. The row begins at
 * `first`. */
INLINE int bc_edge_counts(const bc_job *job, const bc_pass *pass, u64 first, u64 e, u32 u) {
    u32 twin = e > first ? hd_constant(&pass->targets[e - 1]) : ~u; /* loaded together with the level */
    u32 there = pass->by_bits ? job->bits[u / 32] >> (u % 32) & 1 : job->levels[u] == pass->wanted;
    return there && twin != u;
}

/* The value that edge e adds; 0 if it does not count. */
INLINE bc_value bc_term(const bc_job *job, const bc_pass *pass, u64 first, u64 e, u32 u) {
    bc_value value = bc_zero();
    if (bc_edge_counts(job, pass, first, e, u)) {
#if BC_EXTENDED
        value.number = pass->back ? job->shares[u] : job->sigma[u];
        value.exponent = pass->back ? -job->exponents[u] : job->exponents[u];
#else
        value = pass->back ? job->shares[u] : job->sigma[u];
#endif
    }
    return value;
}

/* Sums edges begin, begin + stride … below end of the row that begins at `first`; two at a time, so that their loads
 * overlap. */
INLINE bc_value bc_gather(const bc_job *job, const bc_pass *pass, u64 first, u64 begin, u64 end, u32 stride) {
    bc_value sum = bc_zero();
    for (u64 e = begin; e < end; e += 2 * stride) {
        u64 f = e + stride < end ? e + stride : e;
        u32 u = hd_constant(&pass->targets[e]), w = hd_constant(&pass->targets[f]);
        bc_value a = bc_term(job, pass, first, e, u), b = f == e ? bc_zero() : bc_term(job, pass, first, f, w);
        sum = bc_plus(sum, bc_plus(a, b));
    }
    return sum;
}

/* Sums the values of `lanes` adjacent lanes; the first of them gets the sum. */
INLINE bc_value bc_reduce(LOCAL bc_share *share, bc_value mine, u32 lanes) {
    for (u32 distance = lanes / 2; distance; distance /= 2) {
        bc_value other = bc_shift(share->values, mine, distance);
        mine = bc_plus(mine, other);
    }
    return mine;
}

/* Stores the results of a vertex from its sum: forward its path count, backward its share and its dependency. */
INLINE void bc_finish(const bc_job *job, const bc_pass *pass, u32 v, bc_value sum) {
#if BC_EXTENDED
    if (pass->back) {
        f64 own = job->sigma[v], delta = bc_scaled(own * sum.number, job->exponents[v] + sum.exponent);
        job->shares[v] = (1 + delta) / own;
        job->total[v] += delta;
    } else {
        job->sigma[v] = sum.number;
        job->exponents[v] = sum.exponent;
    }
#else
    if (pass->back) {
        f64 own = job->sigma[v], delta = own * sum;
        job->shares[v] = (1 + delta) / own;
        if (sum != 0)
            job->total[v] += delta;
    } else {
        job->sigma[v] = sum;
    }
#endif
}

/* For levels that need no sums: at level 1 all path counts are 1, at the last level all dependencies are 0. */
INLINE void bc_plain_one(const bc_job *job, const bc_pass *pass, u32 v) {
    if (pass->back) {
        job->shares[v] = 1 / job->sigma[v];
    } else {
        job->sigma[v] = 1;
        job->exponents[v] = 0;
    }
}

INLINE void bc_plain_level(const bc_job *job, const bc_pass *pass, u64 first, u64 end) {
    for (u64 i = first + HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < end; i += HD_GROUP_TOTAL * HD_GROUP_SIZE)
        bc_plain_one(job, pass, job->order[i]);
}

#define BC_BEGIN                                   \
    SHARED bc_share bc_all[HD_WARPS];              \
    LOCAL bc_share *share = &bc_all[HD_WARP_HERE]; \
    BC_MAKE_JOB
