/* laws.h - whether reduce() keeps its laws on three messages. Stands behind the program, and behind hd_value,
 * hd_message and HD_OUTPUT, on every target. A message counts as what update() makes of it. */
#ifdef WEIGHT
typedef WEIGHT hd_law_weight;
#else
typedef u32 hd_law_weight; /* not used */
#endif

PROGRAM f64 hd_effect(const about *me, const run_info *run, hd_value value, hd_message message) {
    hd_value before = value;
    return (f64)(update(&value, message, me, run) ? HD_OUTPUT(value) : HD_OUTPUT(before));
}

PROGRAM hd_message hd_law_message(const run_info *run, hd_value value, hd_law_weight weight, u32 degree, u32 from,
                                  u32 to) {
#ifdef SEND_EDGE
    hd_edge_ends ends;
    ends.source = from, ends.target = to;
#define HD_LAW_EDGE , &ends
#else
#define HD_LAW_EDGE
#endif
#ifdef SEND_RUN
#define HD_LAW_RUN , run
#else
#define HD_LAW_RUN
#endif
    (void)run, (void)weight, (void)degree, (void)from, (void)to;
#ifdef WEIGHT
    return send(value, weight, degree HD_LAW_EDGE HD_LAW_RUN);
#else
    return send(value, degree HD_LAW_EDGE HD_LAW_RUN);
#endif
}

PROGRAM f64 hd_larger_size(f64 size, f64 number) {
    f64 other = number < 0 ? -number : number;
    return other > size ? other : size;
}
PROGRAM int hd_is_finite(f64 number) { return number - number == 0; }

/* Equal within the rounding of sums, whose parts may be larger than they are. */
PROGRAM int hd_near(f64 a, f64 b, f64 scale) {
    scale = hd_larger_size(hd_larger_size(hd_larger_size((f64)1e-6f, scale), a), b);
    return a == b || (a != a && b != b) || hd_larger_size(0, a - b) <= (f64)1e-3f * scale;
}

/* The law that fails on these three: 1 associative, 2 commutative, 3 neutral; or 0. Numbers that grow beyond their type
 * prove nothing. */
PROGRAM int hd_broken_law(const about *me, const run_info *run, hd_value value, hd_message a, hd_message b,
                          hd_message c) {
    f64 one = hd_effect(me, run, value, a);
    f64 left = hd_effect(me, run, value, reduce(reduce(a, b), c));
    f64 right = hd_effect(me, run, value, reduce(a, reduce(b, c)));
    f64 here = hd_effect(me, run, value, reduce(a, b)), there = hd_effect(me, run, value, reduce(b, a));
    f64 scale = hd_larger_size(0, one);
    scale = hd_larger_size(scale, hd_effect(me, run, value, b));
    scale = hd_larger_size(scale, hd_effect(me, run, value, c));
    if (hd_is_finite(scale) &&
        !(hd_is_finite(left) && hd_is_finite(right) && hd_is_finite(here) && hd_is_finite(there)))
        return 0;
    scale = hd_is_finite(scale) ? scale : 0;
    return !hd_near(left, right, scale)                                             ? 1
           : !hd_near(here, there, scale)                                           ? 2
           : !hd_near(hd_effect(me, run, value, reduce(identity(), a)), one, scale) ? 3
                                                                                    : 0;
}

enum { HD_LAW_TRIALS = 256, HD_MADE_UP = 16 };

/* A test vertex, and the message that it sends. */
typedef struct hd_witness {
    about me;
    hd_value value;
    hd_message message;
} hd_witness;

/* Messages that no vertex of this graph may ever send, but the program would, from vertices that are made up: the
 * graph's own are often all alike at first. Each value has seen the message before. */
PROGRAM void hd_make_up(const run_info *run, hd_witness *witnesses) {
    for (u32 i = 0; i < HD_MADE_UP; i++) {
        hd_witness *w = &witnesses[i];
        w->me.vertex = (u32)(run->vertices ? i % run->vertices : 0);
        w->me.in_degree = 1 + i % 5;
        w->me.out_degree = 1 + i % 7;
        w->me.source = i % 4 == 0;
        w->me.fixed = 0;
        w->me.initial = (real)1 + (real)i * (real)0.75f;
        w->value = init(&w->me, run);
        hd_value value = w->value;
        if (i % 4 && update(&value, witnesses[i - 1].message, &w->me, run))
            w->value = value;
        w->message = hd_law_message(run, w->value, (hd_law_weight)(1 + i % 6), 1 + i % 7, w->me.vertex,
                                    witnesses[i / 2].me.vertex);
    }
}

/* The law that fails on made-up messages, or 0. */
PROGRAM int hd_made_up_law(const run_info *run) {
    hd_witness witnesses[HD_MADE_UP];
    int broken = 0;
    hd_make_up(run, witnesses);
    for (u32 i = 0; i < HD_LAW_TRIALS && !broken; i++) {
        const hd_witness *w = &witnesses[i % HD_MADE_UP];
        broken = hd_broken_law(&w->me, run, w->value, witnesses[i * 7 % HD_MADE_UP].message,
                               witnesses[i / HD_MADE_UP].message, witnesses[i * 3 % HD_MADE_UP].message);
    }
    return broken;
}
