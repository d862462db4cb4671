/* cpu_operators.h - the loops behind promises that call the program's functions; src/operator/ has the rest. Stands
 * behind cpu_promises.h. */

/* ---- ONCE: levels are found without the program, each round has one message -------------------------------------- */

static uint64_t hd_chain_messages(const hd_cpu_run *run, const uint32_t *holders, uint64_t rounds, void *messages) {
    run_info info = hd_first_info(run);
    uint64_t source = 0, other = 0;
    while (source < run->vertices && !(run->sources[source >> 6] >> (source & 63) & 1))
        source++;
    if (source == run->vertices)
        return 0;
    while (other + 1 < run->vertices && run->sources[other >> 6] >> (other & 63) & 1)
        other++;
    about me = hd_about(run, source);
    hd_value value = init(&me, &info);
    for (uint64_t i = 0, u = source; i < rounds; i++) {
        uint64_t next = holders ? holders[i + 1] : other;
        if (next >= run->vertices)
            return i;
        u32 degree = hd_out_degree(run, u);
        (void)degree;
        info.iteration = 0;
        hd_message message = HD_SEND(run, &info, value, (hd_weight_type)1, degree, u, next);
        about it = hd_about(run, next);
        it.source = holders ? it.source : 0;
        value = init(&it, &info);
        info.iteration = i;
        ((hd_message *)messages)[i] = message;
        if (!update(&value, message, &it, &info))
            return i;
        u = next;
    }
    return rounds;
}

static uint64_t hd_spread(const hd_cpu_run *run, const uint32_t *levels, const void *messages, uint64_t changed,
                          uint64_t from, uint64_t to) {
    run_info info = hd_first_info(run);
    uint64_t others = 0;
    for (uint64_t v = from; v < to; v++) {
        uint64_t level = levels[v];
        if (level == 0 || level > changed + 1 || level == UINT32_MAX)
            continue;
        about me = hd_about(run, v);
        hd_value value = ((const hd_value *)run->values)[v];
        info.iteration = level - 1;
        int taken = update(&value, ((const hd_message *)messages)[level - 1], &me, &info) != 0;
        others += taken != (level <= changed);
        if (taken)
            ((hd_value *)run->values)[v] = value;
    }
    return others;
}

/* ---- CARRIED: labels of components are found without the program ------------------------------------------------- */

HD_INLINE hd_message hd_as_message(hd_value value) {
    hd_message message = identity();
    __builtin_memcpy(&message, &value, sizeof message < sizeof value ? sizeof message : sizeof value);
    return message;
}

HD_INLINE hd_value hd_as_value(hd_message message, hd_value value) {
    __builtin_memcpy(&value, &message, sizeof message < sizeof value ? sizeof message : sizeof value);
    return value;
}

/* Reduces into a value that other threads may be changing. */
HD_INLINE void hd_join_one(hd_value *place, hd_value more) {
    uint64_t before = hd_load(place), after;
    do {
        hd_value now = hd_value_of(before);
        after = hd_word_of(hd_as_value(reduce(hd_as_message(now), hd_as_message(more)), now));
    } while (after != before && !hd_replace(place, &before, after));
}

static void hd_join(const hd_cpu_run *run, const uint32_t *labels, uint32_t giant, uint64_t from, uint64_t to) {
    hd_value *values = run->values, all;
    hd_message sum = identity();
    for (uint64_t v = from; v < to; v++)
        if (labels[v] == giant && v != giant)
            sum = reduce(sum, hd_as_message(values[v]));
        else if (labels[v] != v)
            hd_join_one(&values[labels[v]], values[v]);
    all = hd_as_value(sum, values[from]);
    hd_join_one(&values[giant], all);
}

static uint64_t hd_carry(const hd_cpu_run *run, const uint32_t *labels, uint64_t from, uint64_t to) {
    run_info info = hd_first_info(run);
    hd_value *values = run->values;
    uint64_t others = 0;
    for (uint64_t v = from; v < to; v++) {
        if (labels[v] == v)
            continue;
        about me = hd_about(run, v);
        hd_value all = values[labels[v]], value = values[v];
        if (!update(&value, hd_as_message(all), &me, &info))
            value = values[v];
        others += !hd_alike(&value, &all, sizeof all, HD_VALUE_CODE);
        values[v] = value;
    }
    return others;
}
