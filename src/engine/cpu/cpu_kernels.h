/* cpu_kernels.h - the loops of a vertex program on the CPU. Included after the program's own text; the including file
 * defines HD_PROGRAM_SYMBOL, the name of the hd_cpu_program that is defined here.
 *
 * The loops are written once and cloned by the compiler for each type of weights in memory and for mixed or strict
 * rounds: `weights` and `mixed` are constants after inlining.
 */
#ifndef VALUE
#error "the program does not define VALUE, the type of a vertex's value"
#endif
#ifndef MESSAGE
#error "the program does not define MESSAGE, the type of what an edge carries"
#endif
#include "program/declared.h"
#ifndef PARAMETERS
#define PARAMETERS ""
#endif
#ifdef OUTPUT
#define HD_OUTPUT(value) output(value)
#define HD_HAS_OUTPUT 1
#else
#define OUTPUT VALUE
#define HD_OUTPUT(value) (value)
#define HD_HAS_OUTPUT 0
#endif

#define HD_INLINE static inline __attribute__((always_inline))

_Static_assert(_Generic((OUTPUT *)0, u32 * : 1, u64 * : 1, i32 * : 1, i64 * : 1, f32 * : 1, f64 * : 1, default : 0),
               "define OUTPUT (u32, i32, u64, i64, f32 or f64) and OUTPUT output(VALUE value)");

/* From here on the user's own names stand behind ours: a type called `value` or `message` would else collide with the
 * variables below. */
typedef VALUE hd_value;
typedef MESSAGE hd_message;
typedef OUTPUT hd_result;
#ifdef WEIGHT
typedef WEIGHT hd_weight_type;
#endif
#define HD_REAL_OUTPUT _Generic((hd_result *)0, f32 * : 1, f64 * : 1, default : 0)
#define HD_RELATIVE (HD_BY_TOLERANCE(HD_DECLARED, HD_REAL_OUTPUT) && !((HD_DECLARED)&HD_ABSOLUTE))

/* The arguments of send() that a program declares: the ends of the edge, by their numbers in the run, and the run. */
#ifdef SEND_EDGE
#define HD_SEND_EDGE(run, from, to) \
    , &(const hd_edge_ends) { hd_name(run, from), hd_name(run, to) }
#else
#define HD_SEND_EDGE(run, from, to)
#endif
#ifdef SEND_RUN
#define HD_SEND_RUN(info) , info
#else
#define HD_SEND_RUN(info)
#endif

#ifdef WEIGHT
#define HD_SEND(run, info, value, weight, degree, from, to) \
    send(value, weight, degree HD_SEND_EDGE(run, from, to) HD_SEND_RUN(info))
HD_INLINE hd_weight_type hd_weight(const void *weights, int type, uint64_t e) {
    switch (type) {
    case 1: return (hd_weight_type)((const uint32_t *)weights)[e];
    case 2: return (hd_weight_type)((const int32_t *)weights)[e];
    case 3: return (hd_weight_type)((const float *)weights)[e];
    case 4: return (hd_weight_type)((const int64_t *)weights)[e];
    case 5: return (hd_weight_type)((const double *)weights)[e];
    default: return (hd_weight_type)1;
    }
}
#define HD_WEIGHTED \
    _Generic((hd_weight_type *)0, u32 * : 1, i32 * : 2, f32 * : 3, i64 * : 4, f64 * : 5, u64 * : 6, default : 7)
#else
#define HD_SEND(run, info, value, weight, degree, from, to) \
    send(value, degree HD_SEND_EDGE(run, from, to) HD_SEND_RUN(info))
#define HD_WEIGHTED 0
#endif

/* Values that other threads may be writing are read and written as one word, whatever their type: a struct of two
 * floats too. The array of values is aligned well enough for that. */
#define HD_WORD (sizeof(hd_value) == 4 || sizeof(hd_value) == 8)
#define HD_HALF (sizeof(hd_value) == 4)

typedef uint32_t __attribute__((may_alias)) hd_word32;
typedef uint64_t __attribute__((may_alias)) hd_word64;
typedef union hd_bits {
    hd_value value;
    uint32_t word32;
    uint64_t word64;
} hd_bits;

HD_INLINE uint64_t hd_load(const hd_value *place) {
    return HD_HALF ? __atomic_load_n((const hd_word32 *)place, __ATOMIC_RELAXED)
                   : __atomic_load_n((const hd_word64 *)place, __ATOMIC_RELAXED);
}

/* Puts `after` in the place of `before`; else `before` becomes what is there. */
HD_INLINE int hd_replace(hd_value *place, uint64_t *before, uint64_t after) {
    uint32_t half = (uint32_t)*before;
    if (!HD_HALF)
        return __atomic_compare_exchange_n((hd_word64 *)place, before, after, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    int done =
        __atomic_compare_exchange_n((hd_word32 *)place, &half, (uint32_t)after, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    *before = half;
    return done;
}

HD_INLINE hd_value hd_value_of(uint64_t word) {
    hd_bits bits = {.word64 = word};
    if (HD_HALF)
        bits.word32 = (uint32_t)word;
    return bits.value;
}

HD_INLINE uint64_t hd_word_of(hd_value value) {
    hd_bits bits = {.word64 = 0};
    bits.value = value;
    return HD_HALF ? bits.word32 : bits.word64;
}

HD_INLINE hd_value hd_read(const hd_value *place, int mixed) {
    return mixed && HD_WORD ? hd_value_of(hd_load(place)) : *place;
}

HD_INLINE void hd_write(hd_value *place, hd_value value, int mixed) {
    if (!mixed || !HD_WORD)
        *place = value;
    else if (HD_HALF)
        __atomic_store_n((hd_word32 *)place, (uint32_t)hd_word_of(value), __ATOMIC_RELAXED);
    else
        __atomic_store_n((hd_word64 *)place, hd_word_of(value), __ATOMIC_RELAXED);
}

HD_INLINE u32 hd_out_degree(const hd_cpu_run *run, uint64_t v) {
    return run->out_degrees ? run->out_degrees[v] : (u32)(run->out_offsets[v + 1] - run->out_offsets[v]);
}

HD_INLINE u32 hd_in_degree(const hd_cpu_run *run, uint64_t v) {
    return run->in_degrees ? run->in_degrees[v] : (u32)(run->in_offsets[v + 1] - run->in_offsets[v]);
}

HD_INLINE u32 hd_name(const hd_cpu_run *run, uint64_t v) { return run->names ? run->names[v] : (u32)v; }

HD_INLINE about hd_about(const hd_cpu_run *run, uint64_t v) {
    about me = {.vertex = hd_name(run, v),
                .in_degree = hd_in_degree(run, v),
                .out_degree = hd_out_degree(run, v),
                .source = run->sources ? (u32)(run->sources[v >> 6] >> (v & 63)) & 1 : 0,
                .fixed = run->fixed ? run->fixed[v] : 0,
                .initial = run->initial ? (real)run->initial[v] : 0};
    return me;
}

HD_INLINE run_info hd_info(const hd_cpu_run *run) {
    run_info info = {.vertices = run->own_vertices, .iteration = run->iteration, .seed = run->seed};
    for (int i = 0; i < HD_PARAMETERS; i++)
        info.parameter[i] = run->parameter[i];
#ifdef TOTALS
    for (int i = 0; i < HD_TOTALS; i++)
        info.hd_total[i] = run->total[i];
#endif
#ifdef FIRST_PHASE
    info.hd_phase = run->phase;
    info.hd_phase_round = run->phase_round;
#endif
    return info;
}

/* The same before the first round. */
HD_INLINE run_info hd_first_info(const hd_cpu_run *run) {
    run_info info = hd_info(run);
#ifdef FIRST_PHASE
    info.hd_phase = (u32)(FIRST_PHASE);
#endif
    return info;
}

/* A vertex's contribution to the totals. */
#ifdef TOTALS
HD_INLINE void hd_add_totals(const run_info *info, const about *me, hd_value before, hd_value after,
                             hd_cpu_outcome *outcome) {
    double part[HD_TOTALS];
    for (int i = 0; i < HD_TOTALS; i++)
        part[i] = hd_total_none(HD_TOTAL_KIND(HD_DECLARED, i));
    contribute(part, before, after, me, info);
    hd_totals_join(HD_DECLARED, outcome, part);
}
#define HD_ADD_TOTALS(info, me, before, after, outcome) hd_add_totals(info, me, before, after, outcome)
#else
#define HD_ADD_TOTALS(info, me, before, after, outcome) ((void)0)
#endif

/* Counts a changed output, and one that was not, towards the end of the run. */
HD_INLINE void hd_add_change(const hd_cpu_run *run, hd_value before, hd_value after, int changed,
                             hd_cpu_outcome *outcome) {
    if (HD_RELATIVE)
        outcome->magnitude = hd_magnitude((double)HD_OUTPUT(changed ? after : before), outcome->magnitude);
    if (!changed)
        return;
    double moved = hd_moved(HD_REAL_OUTPUT, (double)HD_OUTPUT(before), (double)HD_OUTPUT(after), run->largest);
    outcome->largest = moved > outcome->largest ? moved : outcome->largest;
    outcome->total += moved;
    outcome->changes++;
}

static void hd_initialise(const hd_cpu_run *run, uint64_t from, uint64_t to) {
    run_info info = hd_first_info(run);
    for (uint64_t v = from; v < to; v++) {
        about me = hd_about(run, v);
        ((hd_value *)run->values)[v] = init(&me, &info);
    }
}

/* ---- Pull: reduce over in-edges, then update ------------------------------------------------------------------- */

HD_INLINE hd_message hd_gather(const hd_cpu_run *run, const run_info *info, uint64_t row, uint64_t from, uint64_t to,
                               int weights, int mixed) {
    const hd_value *values = run->values;
    hd_message sum = identity();
    (void)info, (void)row;
    for (uint64_t e = from; e < to; e++) {
        u32 u = run->in_targets[e];
        u32 degree = hd_out_degree(run, u);
        (void)degree;
        if (run->passed && u >= run->vertices) {
            sum = reduce(sum, ((const hd_message *)run->passed)[u - run->vertices]);
            continue;
        }
        (void)weights;
        sum = reduce(sum, HD_SEND(run, info, hd_read(&values[u], mixed), hd_weight(run->in_weights, weights, e), degree,
                                  u, row));
    }
    return sum;
}

HD_INLINE void hd_finish_row(const hd_cpu_run *run, const run_info *info, uint64_t v, hd_message sum, int mixed,
                             hd_cpu_outcome *outcome) {
    if (run->passed && v >= run->vertices) {
        ((hd_message *)run->passed)[v - run->vertices] = sum;
        return;
    }
    hd_value before = hd_read(&((const hd_value *)run->values)[v], mixed), after = before;
    about me = hd_about(run, v);
    int changed = update(&after, sum, &me, info);
    hd_write(&((hd_value *)run->next)[v], changed ? after : before, mixed);
    HD_ADD_TOTALS(info, &me, before, changed ? after : before, outcome);
    hd_add_change(run, before, after, changed, outcome);
    if (changed && run->changed)
        __atomic_fetch_or(&run->changed[v >> 6], UINT64_C(1) << (v & 63), __ATOMIC_RELAXED);
}

HD_INLINE void hd_pull_piece(const hd_cpu_run *run, const hd_cpu_piece *piece, hd_message *head, hd_message *tail,
                             hd_cpu_outcome *outcome, int weights, int mixed) {
    run_info info = hd_info(run);
    uint64_t e = piece->edge;
    int begun = e > run->in_offsets[piece->row];
    for (uint64_t row = piece->row; row < piece->row_end; row++) {
        uint64_t end = run->in_offsets[row + 1];
        hd_message sum = hd_gather(run, &info, row, e, end, weights, mixed);
        if (begun) {
            *head = sum;
            outcome->flags |= HD_PIECE_HEAD | HD_PIECE_HEAD_ENDS;
            begun = 0;
        } else {
            hd_finish_row(run, &info, row, sum, mixed, outcome);
        }
        e = end;
    }
    if (e == piece->edge_end)
        return;
    *(begun ? head : tail) = hd_gather(run, &info, piece->row_end, e, piece->edge_end, weights, mixed);
    outcome->flags |= begun ? HD_PIECE_HEAD : HD_PIECE_TAIL;
}

#define HD_PULL(weights)                                            \
    if (run->next == run->values)                                   \
        hd_pull_piece(run, piece, head, tail, outcome, weights, 1); \
    else                                                            \
        hd_pull_piece(run, piece, head, tail, outcome, weights, 0); \
    break

static void hd_pull(const hd_cpu_run *run, const hd_cpu_piece *piece, void *head, void *tail, hd_cpu_outcome *outcome) {
    switch (HD_WEIGHTED ? run->weight_type : 0) {
    case 1: HD_PULL(1);
    case 2: HD_PULL(2);
    case 3: HD_PULL(3);
    case 4: HD_PULL(4);
    case 5: HD_PULL(5);
    default: HD_PULL(0);
    }
}

static void hd_settle(const hd_cpu_run *run, const hd_cpu_piece *pieces, const void *heads, const void *tails,
                      const hd_cpu_outcome *outcomes, uint64_t count, hd_cpu_outcome *total) {
    run_info info = hd_info(run);
    hd_message sum = identity();
    for (uint64_t k = 0; k < count; k++) {
        if (outcomes[k].flags & HD_PIECE_HEAD)
            sum = reduce(sum, ((const hd_message *)heads)[k]);
        if (outcomes[k].flags & HD_PIECE_HEAD_ENDS) {
            hd_finish_row(run, &info, pieces[k].row, sum, 1, total);
            sum = identity();
        }
        if (outcomes[k].flags & HD_PIECE_TAIL)
            sum = ((const hd_message *)tails)[k];
    }
}

/* ---- Push: send along out-edges, update the target at once ------------------------------------------------------ */

HD_INLINE int hd_deliver(const hd_cpu_run *run, const run_info *info, uint32_t target, hd_message message) {
    hd_value *place = &((hd_value *)run->values)[target];
    uint64_t before = hd_load(place); /* the word as it is: a struct may have unused bytes, which have to match too */
    about me = hd_about(run, target);
    for (;;) {
        hd_value after = hd_value_of(before);
        if (!update(&after, message, &me, info))
            return 0;
        if (hd_replace(place, &before, hd_word_of(after)))
            return 1;
    }
}

HD_INLINE uint64_t hd_push_edges(const hd_cpu_run *run, uint32_t vertex, uint64_t from, uint64_t to, uint64_t *queued,
                                 uint32_t *list, int weights) {
    run_info info = hd_info(run);
    hd_value value = hd_read(&((const hd_value *)run->values)[vertex], 1);
    u32 degree = hd_out_degree(run, vertex);
    uint64_t count = 0;
    (void)weights;
    for (uint64_t e = from; e < to; e++) {
        uint32_t target = run->out_targets[e];
        uint64_t bit = UINT64_C(1) << (target & 63);
        hd_message message =
            HD_SEND(run, &info, value, hd_weight(run->out_weights, weights, e), degree, vertex, target);
        if (!hd_deliver(run, &info, target, message))
            continue;
        if (!(__atomic_load_n(&queued[target >> 6], __ATOMIC_RELAXED) & bit) &&
            !(__atomic_fetch_or(&queued[target >> 6], bit, __ATOMIC_RELAXED) & bit))
            list[count++] = target;
    }
    return count;
}

#define HD_PUSH(weights) return hd_push_edges(run, vertex, edge, edge_end, queued, list, weights)

static uint64_t hd_push(const hd_cpu_run *run, uint32_t vertex, uint64_t edge, uint64_t edge_end, uint64_t *queued,
                        uint32_t *list) {
    switch (HD_WEIGHTED ? run->weight_type : 0) {
    case 1: HD_PUSH(1);
    case 2: HD_PUSH(2);
    case 3: HD_PUSH(3);
    case 4: HD_PUSH(4);
    case 5: HD_PUSH(5);
    default: HD_PUSH(0);
    }
}

/* ---- Shards: sources' values lie beside the edges --------------------------------------------------------------- */

HD_INLINE void hd_gather_shard(const hd_cpu_run *run, const run_info *info, const hd_cpu_shard *shard, int weights) {
    const hd_value *copies = shard->copies;
    hd_message *sums = shard->sums;
    (void)run, (void)info, (void)weights;
    for (uint64_t i = 0; i < shard->last - shard->first; i++)
        sums[i] = identity();
    for (uint64_t e = shard->entry; e < shard->entry_end; e++) {
        hd_message *sum = &sums[shard->targets[e] - shard->first];
        *sum = reduce(*sum, HD_SEND(run, info, copies[e], hd_weight(shard->weights, weights, e), shard->degrees[e],
                                    shard->sources[e], shard->targets[e]));
    }
}

static void hd_shard(const hd_cpu_run *run, const hd_cpu_shard *shard, hd_cpu_outcome *outcome) {
    run_info info = hd_info(run);
    switch (HD_WEIGHTED ? run->weight_type : 0) {
    case 1: hd_gather_shard(run, &info, shard, 1); break;
    case 2: hd_gather_shard(run, &info, shard, 2); break;
    case 3: hd_gather_shard(run, &info, shard, 3); break;
    case 4: hd_gather_shard(run, &info, shard, 4); break;
    case 5: hd_gather_shard(run, &info, shard, 5); break;
    default: hd_gather_shard(run, &info, shard, 0);
    }
    for (uint64_t v = shard->first; v < shard->last; v++) {
        hd_value *value = &((hd_value *)run->values)[v], before = *value;
        about me = hd_about(run, v);
        hd_value after = before;
        shard->marks[v] = update(&after, ((const hd_message *)shard->sums)[v - shard->first], &me, &info) != 0;
        HD_ADD_TOTALS(&info, &me, before, shard->marks[v] ? after : before, outcome);
        hd_add_change(run, before, after, shard->marks[v], outcome);
        if (shard->marks[v])
            *value = after;
    }
}

/* ---- Results and laws ------------------------------------------------------------------------------------------- */

static void hd_output_values(const hd_cpu_run *run, void *out, uint64_t from, uint64_t to) {
    const hd_value *values = run->values;
    for (uint64_t v = from; v < to; v++)
        ((hd_result *)out)[v] = HD_OUTPUT(values[v]);
}

#ifdef TOTALS
static void hd_contribute(const hd_cpu_run *run, uint64_t from, uint64_t to, hd_cpu_outcome *outcome) {
    run_info info = hd_first_info(run);
    for (uint64_t v = from; v < to; v++) {
        about me = hd_about(run, v);
        hd_value value = ((const hd_value *)run->values)[v];
        hd_add_totals(&info, &me, value, value, outcome);
    }
}
#endif
#ifdef DONE
static int hd_done(const hd_cpu_run *run) {
    run_info info = hd_info(run);
    return done(&info) != 0;
}
#endif
#ifdef FIRST_PHASE
static uint32_t hd_next_phase(const hd_cpu_run *run) {
    run_info info = hd_info(run);
    return next_phase(&info);
}
#endif

#include "program/laws.h"

static hd_message hd_sample(const hd_cpu_run *run, const run_info *info, uint64_t *state, int weights) {
    (void)info;
    uint64_t edges = run->out_offsets[run->vertices];
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t e = (*state >> 24) % edges, low = 0, high = run->vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *(run->out_offsets[middle] <= e ? &low : &high) = middle;
    }
    u32 degree = hd_out_degree(run, (uint32_t)low);
    (void)degree;
    (void)weights;
    about me = hd_about(run, low);
    return HD_SEND(run, info, init(&me, info), hd_weight(run->out_weights, weights, e), degree, low,
                   run->out_targets ? run->out_targets[e] : low);
}

static int hd_laws(const hd_cpu_run *run, uint64_t seed) {
    run_info info = hd_first_info(run);
    uint64_t state = seed;
    int broken = 0;
    if (run->vertices == 0 || run->out_offsets[run->vertices] == 0)
        return 0;
    for (int i = 0; i < HD_LAW_TRIALS && !broken; i++) {
        hd_message a = hd_sample(run, &info, &state, run->weight_type);
        hd_message b = hd_sample(run, &info, &state, run->weight_type);
        hd_message c = hd_sample(run, &info, &state, run->weight_type);
        about me = hd_about(run, (state >> 20) % run->vertices);
        broken = hd_broken_law(&me, &info, init(&me, &info), a, b, c);
    }
    return broken ? broken : hd_made_up_law(&info);
}

#include "engine/cpu/cpu_promises.h"
/* behind it */
#include "engine/cpu/cpu_operators.h"

#ifdef HD_USER_PROGRAM
/* A program that calls _exit() would end the process without a word and with the status it likes; by exit() the process
 * gets to know. These are its own functions of that name, hidden from the rest. */
extern void exit(int status) __attribute__((noreturn));
__attribute__((noreturn, visibility("hidden"))) void _exit(int status);
__attribute__((noreturn, visibility("hidden"))) void _Exit(int status);
__attribute__((noreturn, visibility("hidden"))) void quick_exit(int status);
void _exit(int status) { exit(status); }
void _Exit(int status) { exit(status); }
void quick_exit(int status) { exit(status); }
#endif

extern const hd_cpu_program HD_PROGRAM_SYMBOL;
__attribute__((visibility(HD_PROGRAM_VISIBILITY))) const hd_cpu_program HD_PROGRAM_SYMBOL = {
    .abi = HD_CPU_ABI,
    .traits = HD_DECLARED,
    .weighted = HD_WEIGHTED,
    .output_type = _Generic((hd_result *)0, u32 * : 0, u64 * : 1, i32 * : 2, f32 * : 3, i64 * : 5, default : 4),
    .has_output = HD_HAS_OUTPUT,
    .value_size = sizeof(hd_value),
    .message_size = sizeof(hd_message),
    .parameters = PARAMETERS,
#ifdef UNREACHED
    .unreached = 1,
#endif
#ifdef DUMB_WEIGHT
    .has_dumb_weight = 1,
    .dumb_weight = (double)(DUMB_WEIGHT),
#endif
    .initialise = hd_initialise,
    .pull = hd_pull,
    .settle = hd_settle,
    .push = HD_WORD ? hd_push : 0,
    .shard = hd_shard,
    .output = hd_output_values,
#ifdef TOTALS
    .contribute = hd_contribute,
#endif
#ifdef DONE
    .done = hd_done,
#endif
#ifdef FIRST_PHASE
    .next_phase = hd_next_phase,
    .first_phase = (uint32_t)(FIRST_PHASE),
#endif
    .laws = hd_laws,
    .promises = hd_promises,
    .chain = (HD_DECLARED)&ONCE ? hd_chain_messages : 0,
    .spread = (HD_DECLARED)&ONCE ? hd_spread : 0,
    .join = (HD_DECLARED)&CARRIED && HD_WORD ? hd_join : 0,
    .carry = (HD_DECLARED)&CARRIED && HD_WORD ? hd_carry : 0,
};
