/* prelude_cuda.cu - the words of programs and kernels, for CUDA (NVRTC). prelude_opencl.cl defines the same words; all
 * other kernel text is written in them.
 *
 * A warp is HD_WARP lanes that move together; a group holds HD_WARPS warps. Collectives are called by all lanes of a
 * warp, in uniform flow. They take scratch memory that only the other prelude needs. Shared words are read, written and
 * exchanged by the functions at the end, relaxed: rounds are ordered by kernel launches. */
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
#ifdef HD_NO_DOUBLE
typedef float f64;
#else
typedef double f64;
#endif
/* Row offsets: 64-bit only if the graph needs it. */
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
#define INFINITE __int_as_float(0x7f800000)

#define INLINE static __device__ __forceinline__
#define PROGRAM INLINE

/* Functions of the type of their argument, f32 or f64; of whole numbers they are `real`. */
template <class type> struct hd_real_of { typedef real is; };
template <> struct hd_real_of<float> { typedef float is; };
template <> struct hd_real_of<double> { typedef double is; };
#define HD_REAL_FUNCTION(name, double_name)                                   \
    INLINE float hd_##name(float x) { return double_name##f(x); }             \
    INLINE double hd_##name(double x) { return double_name(x); }              \
    template <class type> INLINE typename hd_real_of<type>::is name(type x) { \
        return hd_##name((typename hd_real_of<type>::is)x);                   \
    }
HD_REAL_FUNCTION(real_abs, fabs)
HD_REAL_FUNCTION(real_sqrt, sqrt)
HD_REAL_FUNCTION(real_exp, exp)
HD_REAL_FUNCTION(real_log, log)
HD_REAL_FUNCTION(real_sin, sin)
HD_REAL_FUNCTION(real_cos, cos)
HD_REAL_FUNCTION(real_tanh, tanh)
HD_REAL_FUNCTION(real_floor, floor)
HD_REAL_FUNCTION(real_ceil, ceil)
INLINE float hd_real_pow(float x, float y) { return powf(x, y); }
INLINE double hd_real_pow(double x, double y) { return pow(x, y); }
template <class one, class two> INLINE auto real_pow(one x, two y) -> typename hd_real_of<decltype(x + y)>::is {
    typedef typename hd_real_of<decltype(x + y)>::is wide;
    return hd_real_pow((wide)x, (wide)y);
}
#define KERNEL extern "C" __global__ void
/* A kernel whose groups have `lanes` lanes. */
#define KERNEL_OF(lanes) extern "C" __global__ void __launch_bounds__(lanes)
/* A kernel whose groups have HD_WARPS warps, compiled so that `groups` of them fit on a multiprocessor at once. */
#define KERNEL_DENSE(groups) extern "C" __global__ void __launch_bounds__(HD_WARP *HD_WARPS, groups)
#define GLOBAL
#define LOCAL
#define RESTRICT __restrict__
#define SHARED __shared__
/* Shared memory whose size is set at launch; a kernel can have one such array. */
#define HD_LARGE_SHARED(type, name, count) extern __shared__ type name[]
#define HD_CONSTANT_DATA __device__ const

#define HD_LANE ((u32)threadIdx.x % HD_WARP)
#define HD_WARP_HERE ((u32)threadIdx.x / HD_WARP)
#define HD_WARP_INDEX ((u64)blockIdx.x * HD_WARPS + HD_WARP_HERE)
#define HD_WARP_TOTAL ((u64)gridDim.x * HD_WARPS)
#define HD_GROUP_LANE ((u32)threadIdx.x)
#define HD_GROUP_SIZE ((u32)blockDim.x)
#define HD_GROUP_INDEX ((u64)blockIdx.x)
#define HD_GROUP_TOTAL ((u64)gridDim.x)
#define HD_SCRATCH 1 /* places of scratch memory that collectives need */

#define HD_UNROLL _Pragma("unroll")

/* A load through the read-only cache, of data that the kernel does not write. */
#define hd_constant(place) __ldg(place)
/* hd_once: a load of data that is read only once and need not stay in the caches. hd_far: a load past L1, of data that
 * other groups have written during the launch. Both take numbers and vectors. */
#define hd_once(place) __ldcs(place)
#define hd_far(place) __ldcg(place)

/* Prefetches into L2. `place` must be an address inside an array. */
INLINE void hd_prefetch(const void *place) { asm volatile("prefetch.global.L2 [%0];" ::"l"(place)); }

/* Starts to load a word into L1, where hd_constant finds it later; for memory of the host, which L2 does not keep. The
 * word itself arrives in `slot`, some time before hd_touch_end. */
#if __CUDA_ARCH__ >= 800
INLINE void hd_touch(LOCAL u32 *slot, const u32 *place) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((u32)__cvta_generic_to_shared(slot)), "l"(place));
}
INLINE void hd_touch_end(void) { asm volatile("cp.async.wait_all;" ::: "memory"); }
#else
INLINE void hd_touch(LOCAL u32 *slot, const u32 *place) { (void)slot, (void)place; }
INLINE void hd_touch_end(void) {}
#endif

INLINE void hd_warp_barrier(void) { __syncwarp(); }
INLINE void hd_group_barrier(void) { __syncthreads(); }

/* Grid barrier: all groups wait for each other, and then see what the others wrote before it. All groups must be
 * resident (a cooperative launch). `state` is a word that starts as 0. Group 0 adds a number such that the highest bit
 * flips when the last group arrives. */
INLINE void hd_grid_barrier(GLOBAL u32 *state) {
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 mine = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u, before;
        __threadfence();
        before = atomicAdd(state, mine);
        while (!((*(volatile u32 *)state ^ before) & 0x80000000u))
            ;
        __threadfence();
    }
    __syncthreads();
}

/* The same in two parts, with other work in between. After a group barrier, one lane of each group calls
 * hd_grid_arrive, which makes the group's writes visible. Later all lanes call hd_grid_wait; `waits` is true for the
 * lane that arrived. */
INLINE u32 hd_grid_arrive(GLOBAL u32 *state) {
    __threadfence();
    return atomicAdd(state, blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u);
}
INLINE void hd_grid_wait(GLOBAL u32 *state, u32 arrived, int waits) {
    if (waits) {
        while (!((*(volatile u32 *)state ^ arrived) & 0x80000000u))
            ;
        __threadfence();
    }
    __syncthreads();
}

/* A cluster is HD_CLUSTER groups that have a fast barrier and can access each other's shared memory. A CLUSTER_KERNEL
 * is launched as 8 groups; those from HD_CLUSTER on must do no work. HD_IN_CLUSTER(type, pointer, rank) is the
 * counterpart of `pointer` in the shared memory of the group of that rank, for reading; HD_TO_CLUSTER, for writing.
 * hd_cluster_meet is a barrier after which a group sees only what it wrote itself; unlike hd_cluster_barrier it does
 * not empty the groups' L1. It returns whether `flag` is set in a group. `arrived`: 2 * HD_CLUSTER words of shared
 * memory that begin as 0; `round` is 1, 2, 3, …; some of these may be left out. */
#if __CUDA_ARCH__ >= 900
#define HD_CLUSTER 8u
#define CLUSTER_KERNEL extern "C" __global__ void __cluster_dims__(8, 1, 1) __launch_bounds__(HD_WARP *HD_WARPS, 1)
INLINE u32 hd_cluster_rank(void) {
    u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
INLINE void hd_cluster_barrier(void) {
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
INLINE const void *hd_cluster_map(const void *here, u32 rank) {
    const void *there;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(here), "r"(rank));
    return there;
}
#define HD_IN_CLUSTER(type, pointer, rank) ((const volatile type *)hd_cluster_map(pointer, rank))
#define HD_TO_CLUSTER(type, pointer, rank) ((volatile type *)hd_cluster_map(pointer, rank))
INLINE int hd_cluster_meet(LOCAL u32 *arrived, u32 round, LOCAL const u32 *flag) {
    u32 seen = 0;
    __syncthreads();
    if (threadIdx.x < HD_CLUSTER) {
        LOCAL u32 *slots = arrived + round % 2 * HD_CLUSTER; /* a fast group may be a round ahead */
        *HD_TO_CLUSTER(u32, &slots[hd_cluster_rank()], threadIdx.x) = round * 2 + (*flag != 0);
        do
            seen = ((volatile u32 *)slots)[threadIdx.x];
        while (seen / 2 < round);
    }
    return __syncthreads_or(seen % 2);
}
#else
#define HD_CLUSTER 1u
#define CLUSTER_KERNEL extern "C" __global__ void __launch_bounds__(HD_WARP *HD_WARPS)
INLINE u32 hd_cluster_rank(void) { return 0; }
INLINE void hd_cluster_barrier(void) { __syncthreads(); }
INLINE int hd_cluster_meet(LOCAL u32 *arrived, u32 round, LOCAL const u32 *flag) {
    (void)arrived, (void)round;
    __syncthreads();
    return *flag != 0;
}
#define HD_IN_CLUSTER(type, pointer, rank) ((const volatile type *)(pointer))
#define HD_TO_CLUSTER(type, pointer, rank) ((volatile type *)(pointer))
#endif

/* Guards a block that contains collectives. It may be skipped if the condition, which is the same for all lanes, is
 * 0. */
#define HD_IF_UNIFORM(condition) if (condition)

/* How many lower lanes have the flag; `total`: how many lanes have it. */
INLINE u32 hd_rank(LOCAL u32 *scratch, int flag, u32 *total) {
    u32 lanes = __ballot_sync(0xffffffffu, flag);
    (void)scratch;
    *total = (u32)__popc(lanes);
    return (u32)__popc(lanes & ((1u << HD_LANE) - 1u));
}
/* The lanes that have the flag, as a bitmask (warps of 32 lanes). */
INLINE u32 hd_ballot(LOCAL u32 *scratch, int flag) {
    (void)scratch;
    return __ballot_sync(0xffffffffu, flag);
}
INLINE u32 hd_broadcast(LOCAL u32 *scratch, u32 mine) {
    (void)scratch;
    return __shfl_sync(0xffffffffu, mine, 0);
}
INLINE u32 hd_largest(LOCAL u32 *scratch, u32 mine) {
    (void)scratch;
    for (u32 distance = HD_WARP / 2; distance; distance /= 2)
        mine = max(mine, __shfl_xor_sync(0xffffffffu, mine, distance));
    return mine;
}
/* Exclusive prefix sum over the warp; `total`: the sum of all lanes. */
INLINE u32 hd_scan(LOCAL u32 *scratch, u32 mine, u32 *total) {
    u32 sum = mine;
    (void)scratch;
    for (u32 distance = 1; distance < HD_WARP; distance *= 2) {
        u32 below = __shfl_up_sync(0xffffffffu, sum, distance);
        sum += HD_LANE >= distance ? below : 0;
    }
    *total = __shfl_sync(0xffffffffu, sum, HD_WARP - 1);
    return sum - mine;
}
/* name(scratch, mine, distance): the value of the lane `distance` above, or the lane's own if there is none. */
#define HD_DEFINE_SHIFT(type, name)                                                 \
    INLINE type name(LOCAL type *scratch, type mine, u32 distance) {                \
        union {                                                                     \
            type whole;                                                             \
            u32 words[(sizeof(type) + 3) / 4];                                      \
        } bits;                                                                     \
        (void)scratch;                                                              \
        bits.whole = mine;                                                          \
        for (u32 i = 0; i < sizeof bits.words / 4; i++)                             \
            bits.words[i] = __shfl_down_sync(0xffffffffu, bits.words[i], distance); \
        return bits.whole;                                                          \
    }

/* hd_match, which exists if HD_MATCHES is defined: the lanes that have the same key as this one, as a bitmask. */
#define HD_MATCHES
INLINE u32 hd_match(u32 key) { return __match_any_sync(0xffffffffu, key); }
/* name(mine, from): the value of lane `from`. */
#define HD_DEFINE_TAKE(type, name)                                              \
    INLINE type name(type mine, u32 from) {                                     \
        union {                                                                 \
            type whole;                                                         \
            u32 words[(sizeof(type) + 3) / 4];                                  \
        } bits;                                                                 \
        bits.whole = mine;                                                      \
        for (u32 i = 0; i < sizeof bits.words / 4; i++)                         \
            bits.words[i] = __shfl_sync(0xffffffffu, bits.words[i], (int)from); \
        return bits.whole;                                                      \
    }

#define hd_popcount(bits) ((u32)__popc(bits))
#define hd_lowest(bits) ((u32)__ffs((int)(bits)) - 1u) /* index of the lowest set bit; bits != 0 */
#define hd_highest(bits) (31u - (u32)__clz((int)(bits)))
#define hd_f32_bits(number) ((u32)__float_as_int(number))
#define hd_bits_f32(bits) __int_as_float((int)(bits))
#define hd_f64_bits(number) ((u64)__double_as_longlong(number))
#define hd_bits_f64(bits) __longlong_as_double((i64)(bits))

INLINE u32 hd_load32(GLOBAL const u32 *place) { return *(const volatile u32 *)place; }
INLINE u64 hd_load64(GLOBAL const u64 *place) { return *(const volatile u64 *)place; }
INLINE void hd_store32(GLOBAL u32 *place, u32 word) { *(volatile u32 *)place = word; }
INLINE void hd_store64(GLOBAL u64 *place, u64 word) { *(volatile u64 *)place = word; }
INLINE u32 hd_add32(GLOBAL u32 *place, u32 more) { return atomicAdd(place, more); }
/* A lane's atomic takes effect before its later reads. A lane that has used the atomic's result
 * knows that it was done in the cache that all multiprocessors share. */
#define hd_atomic_fence() asm volatile("" ::: "memory")
INLINE u32 hd_or32(GLOBAL u32 *place, u32 bits) { return atomicOr(place, bits); }
INLINE u32 hd_and32(GLOBAL u32 *place, u32 bits) { return atomicAnd(place, bits); }
INLINE u32 hd_min32(GLOBAL u32 *place, u32 other) { return atomicMin(place, other); }
INLINE u32 hd_max32(GLOBAL u32 *place, u32 other) { return atomicMax(place, other); }
INLINE u64 hd_min64(GLOBAL u64 *place, u64 other) { return atomicMin(place, other); }
INLINE u64 hd_add64(GLOBAL u64 *place, u64 more) { return atomicAdd(place, more); }
INLINE u32 hd_add_local(LOCAL u32 *place, u32 more) { return atomicAdd(place, more); }
INLINE u64 hd_add64_local(LOCAL u64 *place, u64 more) { return atomicAdd(place, more); }
/* Reserves `mine` entries for each lane at the end of a list, *tail, and returns the first. All lanes call it. */
INLINE u32 hd_space(LOCAL u32 *scratch, GLOBAL u32 *tail, u32 mine) {
    u32 total, base = 0, below = hd_scan(scratch, mine, &total);
    if (HD_LANE == 0 && total)
        base = atomicAdd(tail, total);
    return __shfl_sync(0xffffffffu, base, 0) + below;
}
/* The same for `count` lists at once; the results replace `numbers`. */
#define HD_SPACES(count, scratch, tails, numbers)                            \
    do {                                                                     \
        u32 hd_base = 0, hd_total = 0, hd_all;                               \
        GLOBAL u32 *hd_tail = (tails)[0];                                    \
        HD_UNROLL                                                            \
        for (u32 hd_i = 0; hd_i < (count); hd_i++) {                         \
            (numbers)[hd_i] = hd_scan(scratch, (numbers)[hd_i], &hd_all);    \
            hd_total = HD_LANE == hd_i ? hd_all : hd_total;                  \
            hd_tail = HD_LANE == hd_i ? (tails)[hd_i] : hd_tail;             \
        }                                                                    \
        if (hd_total)                                                        \
            hd_base = atomicAdd(hd_tail, hd_total);                          \
        HD_UNROLL                                                            \
        for (u32 hd_i = 0; hd_i < (count); hd_i++)                           \
            (numbers)[hd_i] += __shfl_sync(0xffffffffu, hd_base, (int)hd_i); \
    } while (0)
INLINE u32 hd_min_local(LOCAL u32 *place, u32 other) { return atomicMin(place, other); }
INLINE u32 hd_or_local(LOCAL u32 *place, u32 bits) { return atomicOr(place, bits); }
INLINE u32 hd_swap32_local(LOCAL u32 *place, u32 expected, u32 fresh) { return atomicCAS(place, expected, fresh); }
INLINE u64 hd_swap64_local(LOCAL u64 *place, u64 expected, u64 fresh) { return atomicCAS(place, expected, fresh); }
INLINE u32 hd_swap32(GLOBAL u32 *place, u32 expected, u32 fresh) { return atomicCAS(place, expected, fresh); }
INLINE u64 hd_swap64(GLOBAL u64 *place, u64 expected, u64 fresh) { return atomicCAS(place, expected, fresh); }
INLINE void hd_add_f32(GLOBAL f32 *place, f32 more) { atomicAdd(place, more); }
#if __CUDA_ARCH__ >= 600
INLINE void hd_add_f64(GLOBAL f64 *place, f64 more) { atomicAdd(place, more); }
#else
INLINE void hd_add_f64(GLOBAL f64 *place, f64 more) {
    u64 seen = hd_load64((const u64 *)place), before;
    do {
        before = seen;
        seen = hd_swap64((u64 *)place, before, (u64)__double_as_longlong(__longlong_as_double((i64)before) + more));
    } while (seen != before);
}
#endif
INLINE void hd_add_f32_local(LOCAL f32 *place, f32 more) { hd_add_f32(place, more); }
INLINE void hd_add_f64_local(LOCAL f64 *place, f64 more) { hd_add_f64(place, more); }
