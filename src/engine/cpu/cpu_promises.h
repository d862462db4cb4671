/* cpu_promises.h - tests what a program promises (ONCE, LEAST_FIRST, LARGEST_FIRST, CARRIED) on samples, before a run.
 * Stands behind the program and the loops of cpu_kernels.h.
 *
 * Values are first values of the graph's vertices, of vertices taken as sources, and what messages along edges of the
 * graph make of those; and, between the least and the largest of them, 0, 1, infinity, the largest of the type and
 * random ones. Values outside are none that the program can have. */

/* Numbers as words of the same order: unsigned ones as they are, others with their sign bit flipped. -0 is 0. */
HD_INLINE uint64_t hd_key_of(const void *place, int code) {
    uint32_t half = 0;
    uint64_t word = 0;
    float single;
    double real;
    if (code == 1 || code == 2) {
        __builtin_memcpy(&half, place, sizeof half);
        return code == 1 ? half : half ^ UINT32_C(0x80000000);
    }
    if (code == 3) {
        __builtin_memcpy(&single, place, sizeof single);
        single += 0.0f;
        __builtin_memcpy(&half, &single, sizeof half);
        return half >> 31 ? (uint32_t)~half : half | UINT32_C(0x80000000);
    }
    if (code == 5) {
        __builtin_memcpy(&real, place, sizeof real);
        real += 0.0;
        __builtin_memcpy(&word, &real, sizeof word);
        return word >> 63 ? ~word : word | UINT64_C(1) << 63;
    }
    if (code)
        __builtin_memcpy(&word, place, sizeof word);
    return code == 4 ? word ^ UINT64_C(1) << 63 : word;
}

/* The number of that word. */
HD_INLINE void hd_number_of(uint64_t key, int code, void *place) {
    uint32_t half = (uint32_t)key;
    switch (code) {
    case 2: half ^= UINT32_C(0x80000000); break;
    case 3: half = half >> 31 ? half ^ UINT32_C(0x80000000) : ~half; break;
    case 4: key ^= UINT64_C(1) << 63; break;
    case 5: key = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key; break;
    default: break;
    }
    if (code >= 1 && code <= 3)
        __builtin_memcpy(place, &half, sizeof half);
    else if (code)
        __builtin_memcpy(place, &key, sizeof key);
}

/* As a double, for messages to users and for widths; NaN for a struct. */
HD_INLINE double hd_real_of(const void *place, int code) {
    uint32_t half = 0;
    uint64_t word = 0;
    float single;
    double real;
    if (code >= 1 && code <= 3)
        __builtin_memcpy(&half, place, sizeof half);
    else if (code)
        __builtin_memcpy(&word, place, sizeof word);
    switch (code) {
    case 1: return half;
    case 2: return (int32_t)half;
    case 3: __builtin_memcpy(&single, &half, sizeof single); return (double)single;
    case 4: return (double)(int64_t)word;
    case 5: __builtin_memcpy(&real, &word, sizeof real); return real;
    case 6: return (double)word;
    default: return (double)NAN;
    }
}

#define HD_CODE(type) _Generic((type *)0, u32 * : 1, i32 * : 2, f32 * : 3, i64 * : 4, f64 * : 5, u64 * : 6, default : 0)
#define HD_VALUE_CODE HD_CODE(hd_value)
#define HD_MESSAGE_CODE HD_CODE(hd_message)
/* Values are compared by ORDER if the program has it; else they are numbers. */
#ifdef ORDER
typedef ORDER hd_order;
#else
typedef VALUE hd_order;
#endif
#define HD_ORDER_CODE HD_CODE(hd_order)
_Static_assert(
    ((HD_DECLARED) & (LEAST_FIRST | LARGEST_FIRST)) == 0 || HD_ORDER_CODE != 0,
    "LEAST_FIRST, LARGEST_FIRST: VALUE is no number: #define ORDER f32 and PROGRAM ORDER order(VALUE value)");

HD_INLINE uint64_t hd_value_key(hd_value value) {
#ifdef ORDER
    hd_order rank = order(value);
    return hd_key_of(&rank, HD_ORDER_CODE);
#else
    return hd_key_of(&value, HD_ORDER_CODE);
#endif
}

HD_INLINE double hd_value_real(hd_value value) {
#ifdef ORDER
    hd_order rank = order(value);
    return hd_real_of(&rank, HD_ORDER_CODE);
#else
    return HD_VALUE_CODE ? hd_real_of(&value, HD_VALUE_CODE) : (double)HD_OUTPUT(value);
#endif
}

static int hd_alike(const void *a, const void *b, size_t size, int code) {
    return code ? hd_key_of(a, code) == hd_key_of(b, code) : __builtin_memcmp(a, b, size) == 0;
}

enum { HD_POOL = 96, HD_POOL_INIT = 16, HD_POOL_SOURCES = 24, HD_POOL_SENT = 72, HD_CHAIN = 5, HD_EVIDENCE = 8 };

typedef struct hd_promise_test {
    const hd_cpu_run *run;
    run_info info;
    uint64_t state, edges;
    hd_value pool[HD_POOL];
    int count, changes; /* values; updates that changed something */
    int largest;        /* LARGEST_FIRST is tested: the order is reversed */
    hd_cpu_broken *broken;
} hd_promise_test;

static uint64_t hd_random(hd_promise_test *t) {
    t->state = t->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = (t->state ^ t->state >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

static about hd_some_vertex(hd_promise_test *t, u32 source) {
    about me = hd_about(t->run, hd_random(t) % t->run->vertices);
    me.source = source;
    return me;
}

/* The message of this value along an edge of the graph. */
static hd_message hd_send_some(hd_promise_test *t, hd_value value, double *weight) {
    const hd_cpu_run *run = t->run;
    uint64_t e = hd_random(t) % t->edges, low = 0, high = run->vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *(run->out_offsets[middle] <= e ? &low : &high) = middle;
    }
    u32 degree = hd_out_degree(run, low);
    (void)degree;
#ifdef WEIGHT
    hd_weight_type w = hd_weight(run->out_weights, run->weight_type, e);
    *weight = (double)w;
#else
    *weight = (double)NAN;
#endif
    return HD_SEND(run, &t->info, value, w, degree, low, run->out_targets ? run->out_targets[e] : low);
}

/* A value after update() with one message. */
static hd_value hd_updated(hd_promise_test *t, hd_value value, hd_message message, const about *me, int *changed) {
    hd_value after = value;
    *changed = update(&after, message, me, &t->info) != 0;
    t->changes += *changed;
    return *changed ? after : value;
}

static void hd_pool_add(hd_promise_test *t, hd_value value) {
    double real = HD_VALUE_CODE ? hd_real_of(&value, HD_VALUE_CODE) : 0;
    if (t->count < HD_POOL && real == real)
        t->pool[t->count++] = value;
}

/* Numbers between the least and the largest value so far. */
static void hd_pool_generate(hd_promise_test *t) {
    uint64_t low = ~UINT64_C(0), high = 0, key;
    hd_value value = t->pool[0];
    for (int i = 0; i < t->count; i++) {
        key = hd_key_of(&t->pool[i], HD_VALUE_CODE);
        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    for (int i = 0; t->count < HD_POOL; i++) {
        int real = HD_VALUE_CODE == 3 || HD_VALUE_CODE == 5;
        float single = i == 0 ? 0 : i == 1 ? 1 : i == 2 ? INFINITY : -INFINITY;
        double wide = (double)single;
        uint64_t whole = i == 0 ? 0 : i == 1 ? 1 : ~UINT64_C(0) >> (HD_VALUE_CODE == 2 || HD_VALUE_CODE == 4);
        uint32_t half = (uint32_t)(HD_VALUE_CODE == 2 ? whole >> 32 : whole);
        const void *number = HD_VALUE_CODE == 3      ? (const void *)&single
                             : HD_VALUE_CODE == 5    ? (const void *)&wide
                             : sizeof(hd_value) == 4 ? (const void *)&half
                                                     : (const void *)&whole;
        key = i < 3 + real                 ? hd_key_of(number, HD_VALUE_CODE)
              : high - low == ~UINT64_C(0) ? hd_random(t)
                                           : low + hd_random(t) % (high - low + 1);
        if (key < low || key > high)
            continue;
        hd_number_of(key, HD_VALUE_CODE, &value);
        hd_pool_add(t, value);
    }
}

static void hd_pool_fill(hd_promise_test *t) {
    double weight;
    int changed;
    for (int i = 0; i < HD_POOL_INIT; i++) {
        about me = hd_about(t->run, hd_random(t) % t->run->vertices);
        hd_pool_add(t, init(&me, &t->info));
    }
    if (t->count == 0)
        return; /* all are NaN: there is nothing to test */
    for (int i = HD_POOL_INIT; i < HD_POOL_SOURCES; i++) {
        about me = hd_some_vertex(t, 1);
        hd_pool_add(t, init(&me, &t->info));
    }
    for (int i = HD_POOL_SOURCES; i < HD_POOL_SENT; i++) {
        about me = hd_some_vertex(t, 0);
        int from = i < 2 * HD_POOL_SOURCES ? i - 8 : t->count - 1;
        hd_value sender = t->pool[from < t->count ? from : t->count - 1];
        hd_pool_add(t, hd_updated(t, init(&me, &t->info), hd_send_some(t, sender, &weight), &me, &changed));
    }
    if (HD_VALUE_CODE)
        hd_pool_generate(t);
}

static hd_value hd_some_value(hd_promise_test *t) { return t->pool[hd_random(t) % (uint64_t)t->count]; }

/* Notes what broke the first promise; returns 1. */
static int hd_break(hd_promise_test *t, int rule, double a, double b, double c, double d) {
    if (t->broken->rule == HD_BROKEN_NOT)
        *t->broken = (hd_cpu_broken){rule, {a, b, c, d}};
    return 1;
}

/* ---- LEAST_FIRST, LARGEST_FIRST -------------------------------------------------------------------------------- */

static int hd_before(const hd_promise_test *t, hd_value a, hd_value b) {
    return t->largest ? hd_value_key(a) > hd_value_key(b) : hd_value_key(a) < hd_value_key(b);
}

/* update() stores a value that depends on the message alone, and only if the old value is worse. */
static int hd_order_update(hd_promise_test *t, hd_message message, const about *me) {
    hd_value old = hd_some_value(t), other = hd_some_value(t);
    int changed, too;
    hd_value stored = hd_updated(t, old, message, me, &changed), also = hd_updated(t, other, message, me, &too);
    if (changed && !hd_before(t, stored, old))
        return hd_break(t, HD_BROKEN_WORSE, hd_value_real(old), hd_value_real(stored), 0, 0);
    if (changed && too && hd_value_key(stored) != hd_value_key(also))
        return hd_break(t, HD_BROKEN_OLD, hd_value_real(old), hd_value_real(stored), hd_value_real(other),
                        hd_value_real(also));
    if (changed && !too && hd_before(t, stored, other))
        return hd_break(t, HD_BROKEN_KEPT, hd_value_real(old), hd_value_real(stored), hd_value_real(other), 0);
    return 0;
}

static int hd_order_breaks(hd_promise_test *t) {
    about me = hd_some_vertex(t, 0);
    hd_value fresh = init(&me, &t->info), sender = hd_some_value(t);
    double weight, unused;
    int changed, too, joined;
    hd_message one = hd_send_some(t, sender, &weight), two = hd_send_some(t, hd_some_value(t), &unused);
    hd_value first = hd_updated(t, fresh, one, &me, &changed), second = hd_updated(t, fresh, two, &me, &too);
    hd_value both = hd_updated(t, fresh, reduce(one, two), &me, &joined);
    if (changed && hd_before(t, first, sender))
        return hd_break(t, HD_BROKEN_BETTER, hd_value_real(sender), hd_value_real(first), weight, 0);
    if (hd_value_key(both) != hd_value_key(hd_before(t, second, first) ? second : first))
        return hd_break(t, HD_BROKEN_REDUCE, hd_value_real(first), hd_value_real(second), hd_value_real(both), 0);
    return hd_order_update(t, one, &me);
}

/* ---- ONCE ------------------------------------------------------------------------------------------------------ */

typedef struct hd_chain {
    int length;
    hd_value source;
    about me;
    hd_message message[HD_CHAIN]; /* of round 1, 2 … */
} hd_chain;

/* A source, and messages on a way from it. */
static void hd_chain_walk(hd_promise_test *t, hd_chain *chain) {
    chain->me = hd_some_vertex(t, 1);
    chain->source = init(&chain->me, &t->info);
    hd_value value = chain->source;
    double weight;
    for (int i = 0, changed = 1; i < HD_CHAIN && changed; i++) {
        about next = hd_some_vertex(t, 0);
        chain->message[i] = hd_send_some(t, value, &weight);
        value = hd_updated(t, init(&next, &t->info), chain->message[i], &next, &changed);
        chain->length = i + changed;
    }
}

static int hd_once_breaks(hd_promise_test *t) {
    hd_chain a = {.length = 0}, b = {.length = 0};
    about me = hd_some_vertex(t, 0);
    hd_value fresh = init(&me, &t->info);
    int changed, too, again;
    hd_chain_walk(t, &a);
    hd_chain_walk(t, &b);
    for (int i = 0; i < a.length && i < b.length; i++) {
        hd_value first = hd_updated(t, fresh, a.message[i], &me, &changed);
        hd_value second = hd_updated(t, fresh, b.message[i], &me, &too);
        if (changed && too && !hd_alike(&first, &second, sizeof first, HD_VALUE_CODE))
            return hd_break(t, HD_BROKEN_DIFFERENT, hd_value_real(first), hd_value_real(second), i + 1, 0);
        hd_value source = hd_updated(t, a.source, b.message[i], &a.me, &again);
        if (again)
            return hd_break(t, HD_BROKEN_SOURCE, hd_value_real(a.source), hd_value_real(source), i + 1, 0);
        for (int k = i; changed && k < b.length; k++) {
            hd_value later = hd_updated(t, first, b.message[k], &me, &again);
            if (again)
                return hd_break(t, HD_BROKEN_TWICE, hd_value_real(first), hd_value_real(later), i + 1, k + 1);
        }
    }
    return 0;
}

/* ---- CARRIED --------------------------------------------------------------------------------------------------- */

static int hd_carried_breaks(hd_promise_test *t) {
    about me = hd_some_vertex(t, 0);
    hd_value value = hd_some_value(t), old = hd_some_value(t);
    double weight;
    int changed;
    hd_message message = hd_send_some(t, value, &weight), same;
    if (sizeof message != sizeof value || HD_MESSAGE_CODE != HD_VALUE_CODE)
        return hd_break(t, HD_BROKEN_TYPES, 0, 0, 0, 0);
    if (!hd_alike(&message, &value, sizeof value, HD_VALUE_CODE))
        return hd_break(t, HD_BROKEN_CARRIED, hd_value_real(value), hd_real_of(&message, HD_MESSAGE_CODE), 0, 0);
    hd_value after = hd_updated(t, old, message, &me, &changed), reduced;
    __builtin_memcpy(&same, &old, sizeof same < sizeof old ? sizeof same : sizeof old);
    same = reduce(same, message);
    __builtin_memcpy(&reduced, &same, sizeof reduced < sizeof same ? sizeof reduced : sizeof same);
    if (!hd_alike(&after, &reduced, sizeof after, HD_VALUE_CODE) ||
        changed == hd_alike(&old, &reduced, sizeof old, HD_VALUE_CODE))
        return hd_break(t, HD_BROKEN_STORED, hd_value_real(old), hd_value_real(value), hd_value_real(after),
                        hd_value_real(reduced));
    return 0;
}

/* ---- All ------------------------------------------------------------------------------------------------------- */

static int hd_promise_breaks(hd_promise_test *t, int promise) {
    switch (promise) {
    case ONCE: return hd_once_breaks(t);
    case CARRIED: return hd_carried_breaks(t);
    default: return HD_ORDER_CODE ? hd_order_breaks(t) : hd_break(t, HD_BROKEN_TYPES, 0, 0, 0, 0);
    }
}

/* Tests the promises in `requested`; returns those that no sample breaks, and in *seen those that samples could have
 * broken: some update had changed a value. */
static int hd_promises(const hd_cpu_run *run, uint64_t seed, int requested, int *seen, hd_cpu_broken *broken) {
    hd_promise_test t = {.run = run, .info = hd_first_info(run), .state = seed, .broken = broken};
    int kept = requested;
    *seen = 0;
    t.edges = run->vertices ? run->out_offsets[run->vertices] : 0;
    if (t.edges)
        hd_pool_fill(&t);
    if (t.count == 0)
        return requested;
    for (int promise = ONCE; promise <= CARRIED; promise <<= 1) {
        t.changes = 0;
        t.largest = promise == LARGEST_FIRST;
        for (int i = 0; i < HD_LAW_TRIALS && kept & promise; i++)
            if (hd_promise_breaks(&t, promise))
                kept &= ~promise;
        *seen |= t.changes >= HD_EVIDENCE ? promise : 0;
    }
    return kept & requested;
}
