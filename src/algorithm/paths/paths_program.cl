/* paths_program.cl - labels of paths.cl for a program that promises LEAST_FIRST or LARGEST_FIRST: its values as words
 * (paths_order.cl), its first values, and the width of a window.
 *
 * If all vertices but the sources begin with the same value, the worst of all, that value is UNREACHED. Otherwise, and
 * if all vertices are active at first, labels are the words themselves, and are compared with those that vertices were
 * last expanded with wherever they lie. */

/* The label of a path that is extended by an edge. One that is better than the path, as a sum that wraps, and one that
 * is no better than what vertices begin with lead nowhere. */
INLINE label along(const paths *g, label from, weight_bits bits, u32 to) {
    hd_value stored = hd_value_of(HD_WORST_WORD);
    about me = hd_about(&g->inputs, to);
    (void)bits;
    if (!update(&stored, HD_SEND(hd_value_of(from), bits), &me, &g->inputs.run))
        return UNREACHED;
    label word = hd_word_of(stored);
    return word < from || word >= g->worst ? UNREACHED : word;
}

/* The width of a window is a difference of words; or, if its highest bit is set, one of values, as the bits of a number
 * below 0: whole numbers, and products of real ones, whose bits order by exponent first, have the former, sums of real
 * ones the latter. */
#define BY_VALUE(width) (PATH_VALUE == 2 && (width) >> 63)

INLINE label window_end(const paths *g, label from, u64 width) {
    (void)g;
#if PATH_VALUE == 2
    if (BY_VALUE(width)) {
#ifdef PATH_LARGEST
        hd_value end = (hd_value)((f64)hd_value_of(from) + hd_bits_f64(width));
#else
        hd_value end = (hd_value)((f64)hd_value_of(from) - hd_bits_f64(width));
#endif
        label word = end == end ? hd_word_of(end) : from;
        return word > from ? word : from + 1;
    }
#endif
    return width >= UNREACHED - from ? UNREACHED : (label)(from + width);
}

INLINE u64 wider(u64 width) {
    if (BY_VALUE(width))
        return hd_bits_f64(width) > -(f64)1e30f ? hd_f64_bits(hd_bits_f64(width) * 2) : width;
    return width < (1ul << 62) ? width * 2 : width;
}

INLINE u64 narrower(u64 width, u64 least) {
    if (BY_VALUE(width)) {
        f64 middle = hd_bits_f64(width) / 2, low = hd_bits_f64(least);
        return hd_f64_bits(middle < low ? middle : low);
    }
    return width / 2 > least ? width / 2 : least;
}

/* ---- First values ------------------------------------------------------------------------------------------------ */

#ifdef PATH_FROM_SOURCES
/* The first value of vertices that are no sources, if it is the same for all. */
INLINE label first_word(const hd_inputs *in) {
    about me = hd_about(in, 0);
    me.source = 0;
    return hd_word_of(init(&me, &in->run));
}
#endif

KERNEL paths_start(u32 n, GLOBAL const hd_offset *offsets, GLOBAL label *labels, GLOBAL label *done,
                   GLOBAL unsigned char *flags, GLOBAL u64 *input_words, HD_INPUT_ARGUMENTS) {
    hd_inputs in = HD_INPUTS(offsets);
    u64 lanes = HD_GROUP_TOTAL * HD_GROUP_SIZE;
#ifdef PATH_FROM_SOURCES
    label base = first_word(&in);
#endif
    for (u64 i = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; i < n; i += lanes) {
        u32 v = (u32)i;
        label word = hd_word_of(hd_first_value(&in, v));
#ifdef PATH_FROM_SOURCES
        int source = hd_is_source(&in, v);
        if (word > base || (!source && word != base))
            input_words[PATHS_MIXED] = 1;
        word = word >= base ? UNREACHED : word;
        labels[v] = word;
        done[v] = source ? UNREACHED : word;
        if (v % BLOCK == 0)
            flags[v / BLOCK] = 0;
        if (v == 0)
            input_words[PATHS_WORST] = base;
#else
        labels[v] = word;
        done[v] = UNREACHED;
        if (v % BLOCK == 0)
            flags[v / BLOCK] = 1;
        if (v == 0)
            input_words[PATHS_WORST] = UNREACHED;
#endif
    }
}

/* Flags the sources. If first values differ, labels are words again. */
KERNEL paths_sources(u32 n, u32 count, GLOBAL const hd_offset *offsets, GLOBAL const u32 *sources, GLOBAL label *labels,
                     GLOBAL label *done, GLOBAL unsigned char *flags, GLOBAL u64 *state, GLOBAL u64 *input_words,
                     HD_INPUT_ARGUMENTS) {
    hd_inputs in = HD_INPUTS(offsets);
    u64 lanes = HD_GROUP_TOTAL * HD_GROUP_SIZE, lane = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE;
    u64 mixed = input_words[PATHS_MIXED];
#ifdef PATH_FROM_SOURCES
    for (u64 i = lane; i < count; i += lanes)
        flags[sources[i] / BLOCK] = 1;
#else
    mixed = 0;
#endif
    for (u64 i = lane; mixed && i < n; i += lanes) {
        u32 v = (u32)i;
        label word = hd_word_of(hd_first_value(&in, v));
        labels[v] = word;
        done[v] = hd_is_source(&in, v) ? UNREACHED : word;
    }
    if (mixed && lane == 0) {
        state[PATHS_HIGHEST] = UNREACHED;
        input_words[PATHS_WORST] = UNREACHED;
    }
}

/* ---- The width of a window --------------------------------------------------------------------------------------- */

#define SAMPLES 2048u

/* The mean of what an edge adds to a path of no edges, and of what another adds to that of one edge. A sum: both are
 * the same. The least of several edges: the second is a difference of two of them. */
typedef struct added {
    f64 linear[2], words[2], linears[2], count[2];
} added;

INLINE f64 distance(hd_word from, hd_word to, int linear) {
    f64 moved = (f64)(to - from);
#if PATH_VALUE == 2
    if (linear) {
        moved = (f64)hd_value_of(to) - (f64)hd_value_of(from);
        moved = moved < 0 ? -moved : moved;
    }
#else
    (void)linear;
#endif
    return moved;
}

INLINE void add_step(added *sum, u32 step, label from, label to) {
    f64 linear = distance(from, to, 1);
    if (to == UNREACHED)
        return;
    sum->words[step] += distance(from, to, 0);
    sum->count[step] += 1;
    if (linear < (f64)1e30f) {
        sum->linear[step] += linear;
        sum->linears[step] += 1;
    }
}

INLINE weight_bits sampled_weight(GLOBAL const weight_bits *weights, u64 edges, u64 i) {
#if HD_WEIGHT_TYPE
    u64 count = edges < SAMPLES ? edges : SAMPLES;
    return weights[i % count * (edges / count)];
#else
    (void)weights, (void)edges, (void)i;
    return 1;
#endif
}

INLINE int alike(f64 a, f64 b) { return a > 0 && b > a * (f64)0.8f && b < a * (f64)1.25f; }
INLINE f64 lesser(f64 a, f64 b) { return b > 0 && (b < a || !(a > 0)) ? b : a; }

INLINE void choose_width(LOCAL const added *sum, u64 edges, u32 n, GLOBAL u64 *state) {
    f64 linear[2], words[2], share = (f64)n / (f64)edges, width;
    for (u32 i = 0; i < 2; i++) {
        linear[i] = sum->linears[i] > 0 ? sum->linear[i] / sum->linears[i] : 0;
        words[i] = sum->count[i] > 0 ? sum->words[i] / sum->count[i] : 0;
    }
    int by_value = PATH_VALUE == 2 && (alike(linear[0], linear[1]) || !alike(words[0], words[1]));
    width = by_value ? lesser(linear[0], linear[1]) * share : lesser(words[0], words[1]) * share;
    if (by_value)
        state[PATHS_WIDTH] = hd_f64_bits(width > (f64)1e-30f ? (width < (f64)1e30f ? -width : -(f64)1e30f) : -(f64)1);
    else
        state[PATHS_WIDTH] = width > 1 ? (width < (f64)1e15f ? (u64)width : (u64)1e15f) : 1;
    state[PATHS_LEAST] = state[PATHS_WIDTH];
}

#if HD_WARPS > 15
#define SUMMED 512u
#else
#define SUMMED (HD_WARP * HD_WARPS)
#endif

/* One group; the graph has edges. `most`: the first source, where paths begin; with all vertices active, anywhere. */
KERNEL paths_width(ARGUMENTS) {
    SHARED added all[SUMMED];
    PATHS;
    u64 edges = offsets[n];
    u32 lane = HD_GROUP_LANE;
    added sum;
    for (u32 i = 0; i < 2; i++)
        sum.linear[i] = sum.words[i] = sum.linears[i] = sum.count[i] = 0;
    for (u32 i = lane; i < SAMPLES && lane < SUMMED; i += SUMMED) {
        u32 v = (u32)((u64)i * 7919 % n);
#ifdef PATH_FROM_SOURCES
        label from = labels[most], near = UNREACHED;
#else
        label from = labels[v], near = UNREACHED;
#endif
        if (from < UNREACHED)
            near = along(&g, from, sampled_weight(weights, edges, i), v);
        add_step(&sum, 0, from, near);
        if (near < UNREACHED)
            add_step(&sum, 1, near, along(&g, near, sampled_weight(weights, edges, i * 31 + 17), v));
    }
    if (lane < SUMMED)
        all[lane] = sum;
    hd_group_barrier();
    for (u32 width = SUMMED / 2; width; width /= 2) {
        if (lane < width)
            for (u32 i = 0; i < 2; i++) {
                all[lane].linear[i] += all[lane + width].linear[i];
                all[lane].words[i] += all[lane + width].words[i];
                all[lane].linears[i] += all[lane + width].linears[i];
                all[lane].count[i] += all[lane + width].count[i];
            }
        hd_group_barrier();
    }
    if (lane == 0)
        choose_width(&all[0], edges, n, state);
}

/* Values of labels, in place of the labels last expanded. */
KERNEL paths_values(u32 n, GLOBAL const label *labels, GLOBAL hd_value *values, GLOBAL const u64 *words) {
    label worst = (label)words[PATHS_WORST];
    u64 lanes = HD_GROUP_TOTAL * HD_GROUP_SIZE;
    for (u64 v = HD_GROUP_INDEX * HD_GROUP_SIZE + HD_GROUP_LANE; v < n; v += lanes)
        values[v] = hd_value_of(labels[v] == UNREACHED ? worst : labels[v]);
}
