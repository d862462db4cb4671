/* prelude_opencl.cl - the words of prelude_cuda.cu, for OpenCL C 1.2.
 *
 * A group is exactly one warp, and collectives go through local memory with the group's barrier. Each begins with a
 * barrier, so that none disturbs what the one before still reads. Not every compiler can be trusted with a barrier
 * inside an `if` inside a loop: blocks of HD_IF_UNIFORM are always run, with nothing to do where the condition is 0. */
#pragma OPENCL FP_CONTRACT OFF
#ifndef HD_NO_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef HD_ATOMICS64
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

typedef uint u32;
typedef int i32;
typedef ulong u64;
typedef long i64;
typedef float f32;
#ifdef HD_NO_DOUBLE
typedef float f64;
#else
typedef double f64;
#endif
#ifdef HD_OFFSET_64
typedef u64 hd_offset;
#else
typedef u32 hd_offset;
#endif

#ifdef HEDDLE_DOUBLE
typedef double real;
#else
typedef float real;
#endif
/* Overloaded for f32 and f64. */
#define real_abs fabs
#define real_sqrt sqrt
#define real_exp exp
#define real_log log
#define real_sin sin
#define real_cos cos
#define real_tanh tanh
#define real_floor floor
#define real_ceil ceil
#define real_pow(x, y) pow((x) + 0 * (y), (y) + 0 * (x)) /* both of the wider type */
#define INFINITE INFINITY

#define INLINE static inline
#define PROGRAM INLINE
#define KERNEL __kernel void
#define KERNEL_OF(lanes) __kernel void
#define KERNEL_DENSE(groups) __kernel void
#define GLOBAL __global
#define LOCAL __local
#define RESTRICT restrict
#define SHARED __local
#define HD_LARGE_SHARED(type, name, count) __local type name[count]
#define HD_CONSTANT_DATA __constant

#define HD_LANE ((u32)get_local_id(0))
#define HD_WARP_HERE 0u
#define HD_WARP_INDEX ((u64)get_group_id(0))
#define HD_WARP_TOTAL ((u64)get_num_groups(0))
#define HD_GROUP_LANE ((u32)get_local_id(0))
#define HD_GROUP_SIZE ((u32)get_local_size(0))
#define HD_GROUP_INDEX ((u64)get_group_id(0))
#define HD_GROUP_TOTAL ((u64)get_num_groups(0))
#define HD_SCRATCH HD_WARP

#define HD_UNROLL
#define hd_constant(place) (*(place))
#define hd_once(place) (*(place))
#define hd_far(place) (*(place))

#define hd_prefetch(place) ((void)(place))
#define hd_touch(slot, place) ((void)(slot), (void)(place))
#define hd_touch_end()

INLINE void hd_warp_barrier(void) { barrier(CLK_LOCAL_MEM_FENCE); }
INLINE void hd_group_barrier(void) { barrier(CLK_LOCAL_MEM_FENCE); }

/* OpenCL 1.2 has no cooperative launch: kernels with a grid barrier run as one group. */
INLINE void hd_grid_barrier(GLOBAL u32 *state) {
    (void)state;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

INLINE u32 hd_grid_arrive(GLOBAL u32 *state) {
    (void)state;
    return 0;
}
INLINE void hd_grid_wait(GLOBAL u32 *state, u32 arrived, int waits) {
    (void)arrived, (void)waits;
    hd_grid_barrier(state);
}

/* OpenCL 1.2 has no clusters either: a cluster is one group. */
#define HD_CLUSTER 1u
#define CLUSTER_KERNEL __kernel void
INLINE u32 hd_cluster_rank(void) { return 0; }
INLINE void hd_cluster_barrier(void) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }
INLINE int hd_cluster_meet(LOCAL u32 *arrived, u32 round, LOCAL const u32 *flag) {
    (void)arrived, (void)round;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *flag != 0;
}
/* A lane's atomic changes are visible before it reads anything else. */
#define hd_atomic_fence() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define HD_IN_CLUSTER(type, pointer, rank) ((LOCAL const volatile type *)(pointer))
#define HD_TO_CLUSTER(type, pointer, rank) ((LOCAL volatile type *)(pointer))

#define HD_IF_UNIFORM(condition)

INLINE u32 hd_rank(LOCAL u32 *scratch, int flag, u32 *total) {
    u32 lane = HD_LANE, bit = 1u << (lane % 32), low, high;
    hd_warp_barrier();
    if (lane < 2)
        scratch[lane] = 0;
    hd_warp_barrier();
    if (flag)
        atomic_or(&scratch[lane / 32], bit);
    hd_warp_barrier();
    low = scratch[0];
    high = scratch[1];
    *total = popcount(low) + popcount(high);
    return lane < 32 ? popcount(low & (bit - 1)) : popcount(low) + popcount(high & (bit - 1));
}
INLINE u32 hd_ballot(LOCAL u32 *scratch, int flag) {
    hd_warp_barrier();
    if (HD_LANE == 0)
        scratch[0] = 0;
    hd_warp_barrier();
    if (flag)
        atomic_or(&scratch[0], 1u << HD_LANE);
    hd_warp_barrier();
    return scratch[0];
}
INLINE u32 hd_broadcast(LOCAL u32 *scratch, u32 mine) {
    hd_warp_barrier();
    if (HD_LANE == 0)
        scratch[0] = mine;
    hd_warp_barrier();
    return scratch[0];
}
INLINE u32 hd_largest(LOCAL u32 *scratch, u32 mine) {
    hd_warp_barrier();
    if (HD_LANE == 0)
        scratch[0] = 0;
    hd_warp_barrier();
    atomic_max(&scratch[0], mine);
    hd_warp_barrier();
    return scratch[0];
}
INLINE u32 hd_scan(LOCAL u32 *scratch, u32 mine, u32 *total) {
    u32 lane = HD_LANE, below;
    hd_warp_barrier();
    scratch[lane] = mine;
    hd_warp_barrier();
    for (u32 distance = 1; distance < HD_WARP; distance *= 2) {
        below = lane >= distance ? scratch[lane - distance] : 0;
        hd_warp_barrier();
        scratch[lane] += below;
        hd_warp_barrier();
    }
    *total = scratch[HD_WARP - 1];
    return scratch[lane] - mine;
}
#define HD_DEFINE_SHIFT(type, name)                                         \
    INLINE type name(LOCAL type *scratch, type mine, u32 distance) {        \
        u32 lane = HD_LANE;                                                 \
        hd_warp_barrier();                                                  \
        scratch[lane] = mine;                                               \
        hd_warp_barrier();                                                  \
        return scratch[lane + distance < HD_WARP ? lane + distance : lane]; \
    }

#define hd_popcount(bits) ((u32)popcount((u32)(bits)))
#define hd_lowest(bits) (31u - (u32)clz((bits) & (0u - (bits))))
#define hd_highest(bits) (31u - (u32)clz((u32)(bits)))
#define hd_f32_bits(number) as_uint((f32)(number))
#define hd_bits_f32(bits) as_float((u32)(bits))
#define hd_f64_bits(number) as_ulong((f64)(number))
#define hd_bits_f64(bits) as_double((u64)(bits))

INLINE u32 hd_load32(GLOBAL const u32 *place) { return *(GLOBAL const volatile u32 *)place; }
INLINE u64 hd_load64(GLOBAL const u64 *place) { return *(GLOBAL const volatile u64 *)place; }
INLINE void hd_store32(GLOBAL u32 *place, u32 word) { *(GLOBAL volatile u32 *)place = word; }
INLINE void hd_store64(GLOBAL u64 *place, u64 word) { *(GLOBAL volatile u64 *)place = word; }
INLINE u32 hd_add32(GLOBAL u32 *place, u32 more) { return atomic_add(place, more); }
INLINE u32 hd_or32(GLOBAL u32 *place, u32 bits) { return atomic_or(place, bits); }
INLINE u32 hd_and32(GLOBAL u32 *place, u32 bits) { return atomic_and(place, bits); }
INLINE u32 hd_min32(GLOBAL u32 *place, u32 other) { return atomic_min(place, other); }
INLINE u32 hd_max32(GLOBAL u32 *place, u32 other) { return atomic_max(place, other); }
INLINE u32 hd_add_local(LOCAL u32 *place, u32 more) { return atomic_add(place, more); }
/* One atomic per lane: the barriers of a collective cost more here. */
INLINE u32 hd_space(LOCAL u32 *scratch, GLOBAL u32 *tail, u32 mine) {
    (void)scratch;
    return mine ? atomic_add(tail, mine) : 0;
}
#define HD_SPACES(count, scratch, tails, numbers)                                \
    do {                                                                         \
        for (u32 hd_i = 0; hd_i < (count); hd_i++)                               \
            (numbers)[hd_i] = hd_space(scratch, (tails)[hd_i], (numbers)[hd_i]); \
    } while (0)
INLINE u32 hd_min_local(LOCAL u32 *place, u32 other) { return atomic_min(place, other); }
INLINE u32 hd_or_local(LOCAL u32 *place, u32 bits) { return atomic_or(place, bits); }
INLINE u32 hd_swap32_local(LOCAL u32 *place, u32 expected, u32 fresh) { return atomic_cmpxchg(place, expected, fresh); }
INLINE u32 hd_swap32(GLOBAL u32 *place, u32 expected, u32 fresh) { return atomic_cmpxchg(place, expected, fresh); }
INLINE void hd_add_f32(GLOBAL f32 *place, f32 more) {
    u32 seen = hd_load32((GLOBAL const u32 *)place), before;
    do {
        before = seen;
        seen = hd_swap32((GLOBAL u32 *)place, before, as_uint(as_float(before) + more));
    } while (seen != before);
}
INLINE void hd_add_f32_local(LOCAL f32 *place, f32 more) {
    u32 seen = *(LOCAL volatile u32 *)place, before;
    do {
        before = seen;
        seen = hd_swap32_local((LOCAL u32 *)place, before, as_uint(as_float(before) + more));
    } while (seen != before);
}
#ifdef HD_ATOMICS64
INLINE u64 hd_swap64_local(LOCAL u64 *place, u64 expected, u64 fresh) { return atom_cmpxchg(place, expected, fresh); }
INLINE u64 hd_add64(GLOBAL u64 *place, u64 more) { return atom_add(place, more); }
INLINE u64 hd_add64_local(LOCAL u64 *place, u64 more) { return atom_add(place, more); }
INLINE u64 hd_swap64(GLOBAL u64 *place, u64 expected, u64 fresh) { return atom_cmpxchg(place, expected, fresh); }
INLINE u64 hd_min64(GLOBAL u64 *place, u64 other) {
    u64 seen = hd_load64(place), before;
    do {
        before = seen;
        if (before <= other)
            break;
        seen = hd_swap64(place, before, other);
    } while (seen != before);
    return seen;
}
#ifndef HD_NO_DOUBLE
INLINE void hd_add_f64_local(LOCAL f64 *place, f64 more) {
    u64 seen = *(LOCAL volatile u64 *)place, before;
    do {
        before = seen;
        seen = hd_swap64_local((LOCAL u64 *)place, before, as_ulong(as_double(before) + more));
    } while (seen != before);
}
INLINE void hd_add_f64(GLOBAL f64 *place, f64 more) {
    u64 seen = hd_load64((GLOBAL const u64 *)place), before;
    do {
        before = seen;
        seen = hd_swap64((GLOBAL u64 *)place, before, as_ulong(as_double(before) + more));
    } while (seen != before);
}
#endif
#endif
