/* common.cl - shared by all schedules. Stands behind the program; the schedule's own file follows.
 *
 * The engine defines
 *   HD_WARP, HD_WARPS       lanes in a warp, warps in a group
 *   HD_OFFSET_64            row offsets are 64-bit
 *   HD_WEIGHT_TYPE          weights in memory: 0 none (all 1), 1 u32, 2 i32, 3 f32, 4 i64, 5 f64
 *   HD_VALUE_BYTES, HD_MESSAGE_BYTES
 *   HD_PUSH                 rows are out-edges and messages go to their targets; otherwise in-edges, reduced per row
 *   HD_WORKLIST             only vertices in a queue send
 *   HD_MIXED                values are updated where other lanes may be reading them
 *   HD_IN_PLACE             new values go where the old ones are; otherwise to `next`
 *   HD_ACCUMULATE           messages are reduced in memory, by atomics, and applied by a kernel of their own
 *   HD_SETTLES              strict rounds or mixed ones over all vertices, whose changes are tallied; else MONOTONE
 *   HD_RANKS                PageRank: changes are added up, and the rank of vertices without out-edges is spread
 *   HD_IN_DEGREES           in-degrees come in an array
 *   HD_NO_IN_DEGREE         there are none: a program that asks does not compile, and is given them then
 *   HD_NAMES                vertices have other numbers in the user's graph, which come in an array
 *   HD_RESULTS              outputs are made on the device
 *   HD_SENT                 a vertex' message is the same for all its edges: made once, an array of this type holds it
 *   HD_LINEAR               with HD_SENT: it was made for weight 1, and an edge's weight multiplies it
 *   HD_STRENGTHS            instead of its out-degree `send` is given the sum of a vertex' weights, infinity for 0
 *   HD_PASSING              vertices from words[HD_ORIGINALS] on pass on what comes in; a launch walks rows count .. n
 *   HD_PROFILE              lanes that have an edge to walk, and all lanes, are counted (counting, below)
 *   HD_ROWS                 rows that a warp walks at once in shared memory
 *   HD_RANGE, HD_GROUP, HD_LISTED, HD_COPIED_DEGREES   shards: see shard.cl
 *   HD_INSIDE               rounds inside clusters (clusters.cl)
 *   HD_COPIES, HD_MEAN      vertices have copies, whose values are merged (copies.cl)
 *   HD_SLICE                a part of a run on several devices: other parts' values lie behind its own (slice.cl)
 *   HD_WINDOW               a slice whose edges pass through: a launch walks rows count .. n, and the buffers of edges
 *                           begin with those of row count (engine/parts/windows.h)
 *   HD_SPAN                 hd_round walks a span of rows, whose edges are in buffers of their own: see span.cl
 * The program defines what it declares (program/declared.h): SEND_EDGE, SEND_RUN, TOTALS, DONE, FIRST_PHASE.
 * Every kernel has the same arguments, HD_ARGUMENTS. hd_round (and hd_settle or hd_apply) then hd_turn make a round;
 * once words[HD_DONE] is set they do nothing, so that rounds can be queued ahead. */
#include "program/declared.h"
#include "schedule/interface.h"

#ifndef HD_SPAN
#define HD_SPAN 0
#define HD_ACTIVE 0
#define HD_AGAIN_ON 0
#define HD_COO 0
#endif

typedef VALUE hd_value;
typedef MESSAGE hd_message;
/* The host uses the same size: f64 is f32 where there is no double precision. */
typedef char hd_value_fits[sizeof(hd_value) == HD_VALUE_BYTES ? 1 : -1];
#ifdef WEIGHT
typedef WEIGHT hd_weight;
#else
typedef u32 hd_weight; /* not used */
#endif
#ifdef OUTPUT
typedef OUTPUT hd_output;
#define HD_OUTPUT(value) output(value)
#else
typedef VALUE hd_output;
#define HD_OUTPUT(value) (value)
#endif
#ifdef HD_STRENGTHS
typedef real hd_outflow;
#define HD_OUT_DEGREE(degree) ((degree) < INFINITE)
#else
typedef u32 hd_outflow;
#define HD_OUT_DEGREE(degree) (degree)
#endif
#ifdef HD_SENT
typedef HD_SENT hd_sent;
#else
typedef u32 hd_sent;
#endif
#if HD_WEIGHT_TYPE == 2
typedef i32 hd_stored_weight;
#elif HD_WEIGHT_TYPE == 3
typedef f32 hd_stored_weight;
#elif HD_WEIGHT_TYPE == 4
typedef i64 hd_stored_weight;
#elif HD_WEIGHT_TYPE == 5
typedef f64 hd_stored_weight;
#else
typedef u32 hd_stored_weight;
#endif

/* Counting in kernels that are run by warps. Shards are run by groups and count in shard.cl. */
#if defined(HD_PROFILE) && !defined(HD_RANGE)
#define HD_COUNTS 1
#else
#define HD_COUNTS 0
#endif

/* Sums over a lane, a warp and a round. */
typedef struct hd_tally {
    f64 change; /* of the outputs: the largest change (hd_moved), or with HD_RANKS the sum of all */
#ifdef HD_RANKS
    f64 idle; /* the rank of vertices without out-edges */
#else
    f64 magnitude; /* the largest finite one of the outputs, where changes are relative to it */
#endif
    u64 walked; /* edges walked, if the engine cannot know their number */
    u32 changes;
    u32 activated; /* vertices, with HD_ACTIVE; `walked` then counts their edges */
#ifdef TOTALS
    f64 totals[HD_TOTALS]; /* the program's */
#endif
} hd_tally;
#ifdef TOTALS
typedef char hd_tally_fits[sizeof(hd_tally) <= HD_TALLY_TOTALS_BYTES ? 1 : -1];
#else
typedef char hd_tally_fits[sizeof(hd_tally) <= HD_TALLY_BYTES ? 1 : -1];
#endif

typedef struct hd_shared {
    u32 scratch[HD_WARP + 2];
    hd_message messages[HD_SCRATCH];
    hd_tally tallies[HD_SCRATCH];
#if HD_COO
    hd_value copies[HD_ROWS]; /* of the sources' values */
    hd_outflow outflows[HD_ROWS];
#elif HD_ROWS
    hd_offset starts[HD_ROWS + 2];
    hd_offset firsts[HD_WARP];
    u32 owners[HD_WARP];
    hd_message sums[HD_ROWS + 1];
#endif
#if HD_WORKLIST
    hd_offset ends[HD_WARP + 1];
    u32 names[HD_WARP];
#endif
#if HD_COUNTS
    u32 steps[HD_WARP]; /* each lane's steps in its current loop */
    u64 useful[HD_WARP], slots[HD_WARP];
#endif
} hd_shared;

#define HD_FIELD_SCALAR(NAME, name) u32 name;
#define HD_FIELD_BUFFER(NAME, name, type, use) GLOBAL type *name;
#define HD_FIELD_SPAN(NAME, name, type) type name;
typedef struct hd_job {
    HD_SCALARS(HD_FIELD_SCALAR)
    HD_BUFFERS(HD_FIELD_BUFFER)
#if HD_SPAN
    HD_SPAN_SCALARS(HD_FIELD_SPAN)
    HD_SPAN_BUFFERS(HD_FIELD_BUFFER)
#if HD_FLAGS
    LOCAL u32 *here; /* the group's own flags */
#endif
#endif
#if HD_COUNTS
    LOCAL hd_shared *share;
#endif
#ifdef SEND_RUN
    const run_info *run;
#endif
} hd_job;

/* The arguments of every kernel, and the job made of them. */
#define HD_ARGUMENT(NAME, name, type, use) , GLOBAL type *name
#define HD_ARGUMENT_SPAN(NAME, name, type) , type name
#define HD_KEEP_SCALAR(NAME, name) job.name = name;
#define HD_KEEP_SPAN(NAME, name, type) job.name = name;
#define HD_KEEP_BUFFER(NAME, name, type, use) job.name = name;
#if HD_SPAN
#define HD_ARGUMENTS \
    u32 n, u32 step, u32 count HD_BUFFERS(HD_ARGUMENT) HD_SPAN_SCALARS(HD_ARGUMENT_SPAN) HD_SPAN_BUFFERS(HD_ARGUMENT)
#define HD_KEEP_MORE HD_SPAN_SCALARS(HD_KEEP_SPAN) HD_SPAN_BUFFERS(HD_KEEP_BUFFER)
#else
#define HD_ARGUMENTS u32 n, u32 step, u32 count HD_BUFFERS(HD_ARGUMENT)
#define HD_KEEP_MORE
#endif
#define HD_MAKE_JOB            \
    hd_job job;                \
    HD_SCALARS(HD_KEEP_SCALAR) \
    HD_BUFFERS(HD_KEEP_BUFFER) \
    HD_KEEP_MORE

/* The run, as the program reads it; for the job, too, if send() receives it. */
#ifdef SEND_RUN
#define HD_MAKE_RUN               \
    run_info run = hd_info(&job); \
    job.run = &run
#else
#define HD_MAKE_RUN run_info run = hd_info(&job)
#endif

/* Begin and end of a kernel that is run by warps. */
#define HD_BEGIN                                    \
    SHARED hd_shared hd_all[HD_WARPS];              \
    LOCAL hd_shared *share = &hd_all[HD_WARP_HERE]; \
    HD_MAKE_JOB;                                    \
    u32 lane = HD_LANE;                             \
    HD_MAKE_RUN;                                    \
    hd_tally tally = hd_nothing();                  \
    (void)lane, (void)run;                          \
    HD_COUNT_BEGIN
#define HD_END(slot) \
    HD_COUNT_END;    \
    hd_report(&job, share, tally, slot)

/* Begin and end of hd_round. For a span, span.cl defines them: they also collect the flags of partitions. */
#if HD_WINDOW /* edges have the numbers that offsets give them */
#define HD_BEGIN_ROUND                     \
    HD_BEGIN;                              \
    job.targets -= job.offsets[job.count]; \
    job.weights -= job.offsets[job.count]
#define HD_END_ROUND HD_END(HD_WARP_INDEX)
#elif !HD_SPAN
#define HD_BEGIN_ROUND HD_BEGIN
#define HD_END_ROUND HD_END(HD_WARP_INDEX)
#endif

/* Counting. In a step every lane is a slot, and a lane that has an edge is a useful one. HD_COUNT_STEP stands where all
 * lanes go through a step together; HD_COUNT_EDGE in a loop that lanes leave one by one; HD_COUNT_LOOP after such a
 * loop, which lasts until its last lane leaves. The counts of the lanes are stored after the slots of `walked`. */
#if HD_COUNTS
#define HD_COUNT_BEGIN \
    job.share = share; \
    hd_count_begin(&job)
#define HD_COUNT_END hd_count_end(&job)
#define HD_COUNT_STEP(job, there) hd_count_step(job, there)
#define HD_COUNT_EDGE(job) ((job)->share->useful[HD_LANE]++, (job)->share->steps[HD_LANE]++)
#define HD_COUNT_LOOP(job) hd_count_loop(job)

INLINE void hd_count_begin(const hd_job *job) {
    job->share->steps[HD_LANE] = 0;
    job->share->useful[HD_LANE] = job->share->slots[HD_LANE] = 0;
}
INLINE void hd_count_step(const hd_job *job, int there) {
    job->share->useful[HD_LANE] += there ? 1 : 0;
    job->share->slots[HD_LANE]++;
}
INLINE void hd_count_loop(const hd_job *job) {
    job->share->slots[HD_LANE] += hd_largest(job->share->scratch, job->share->steps[HD_LANE]);
    job->share->steps[HD_LANE] = 0;
}
INLINE void hd_count_end(const hd_job *job) {
    u64 place = 2 * (HD_WARP_TOTAL + HD_WARP_INDEX * HD_WARP + HD_LANE);
    job->walked[place] += job->share->useful[HD_LANE];
    job->walked[place + 1] += job->share->slots[HD_LANE];
}
#else
#define HD_COUNT_BEGIN ((void)0)
#define HD_COUNT_END ((void)0)
#define HD_COUNT_STEP(job, there) ((void)0)
#define HD_COUNT_EDGE(job) ((void)0)
#define HD_COUNT_LOOP(job) ((void)0)
#endif

HD_DEFINE_SHIFT(hd_message, hd_shift)
HD_DEFINE_SHIFT(hd_tally, hd_shift_tally)

INLINE f64 hd_larger(f64 a, f64 b) { return b > a || b != b ? b : a; }

#define HD_REAL_OUTPUT ((hd_output)0.5f != (hd_output)0)
#define HD_RELATIVE (HD_BY_TOLERANCE(HD_DECLARED, HD_REAL_OUTPUT) && !((HD_DECLARED)&HD_ABSOLUTE))

#ifdef TOTALS
/* The neutral total, and two totals joined. */
INLINE f64 hd_total_none(u32 i) {
    u32 kind = HD_TOTAL_KIND(HD_DECLARED, i);
    return kind == 2 ? -(f64)INFINITE : kind == 3 ? (f64)INFINITE : (f64)0;
}
INLINE f64 hd_total_join(u32 i, f64 a, f64 b) {
    u32 kind = HD_TOTAL_KIND(HD_DECLARED, i);
    return kind == 2 ? hd_larger(a, b) : kind == 3 ? (b < a || b != b ? b : a) : a + b;
}

/* A vertex's share of the totals. */
INLINE void hd_add_totals(const run_info *run, const about *me, hd_value before, hd_value after, hd_tally *tally) {
    f64 part[HD_TOTALS];
    for (u32 i = 0; i < HD_TOTALS; i++)
        part[i] = hd_total_none(i);
    contribute(part, before, after, me, run);
    for (u32 i = 0; i < HD_TOTALS; i++)
        tally->totals[i] = hd_total_join(i, tally->totals[i], part[i]);
}
#endif

INLINE hd_tally hd_nothing(void) {
    hd_tally tally;
    tally.change = 0, tally.walked = 0, tally.changes = 0, tally.activated = 0;
#ifdef HD_RANKS
    tally.idle = 0;
#else
    tally.magnitude = 0;
#endif
#ifdef TOTALS
    for (u32 i = 0; i < HD_TOTALS; i++)
        tally.totals[i] = hd_total_none(i);
#endif
    return tally;
}

INLINE hd_tally hd_join(hd_tally a, hd_tally b) {
#ifdef HD_RANKS
    a.change += b.change;
    a.idle += b.idle;
#else
    a.change = hd_larger(a.change, b.change);
    a.magnitude = hd_larger(a.magnitude, b.magnitude);
#endif
    a.walked += b.walked;
    a.changes += b.changes;
    a.activated += b.activated;
#ifdef TOTALS
    for (u32 i = 0; i < HD_TOTALS; i++)
        a.totals[i] = hd_total_join(i, a.totals[i], b.totals[i]);
#endif
    return a;
}

INLINE run_info hd_info(const hd_job *job) {
    run_info run;
    run.vertices = job->words[HD_VERTICES];
    run.iteration = job->words[HD_ITERATION];
    run.seed = (u64)job->words[HD_SEED_HIGH] << 32 | job->words[HD_SEED_LOW];
    for (u32 i = 0; i < HD_PARAMETERS; i++)
        run.parameter[i] = job->numbers[i];
#ifdef TOTALS
    for (u32 i = 0; i < HD_TOTALS; i++)
        run.hd_total[i] = job->numbers[HD_FIRST_TOTAL + i];
#endif
#ifdef FIRST_PHASE
    run.hd_phase = job->words[HD_PHASE];
    run.hd_phase_round = job->words[HD_PHASE_ROUND];
#endif
    return run;
}

/* A vertex' number in the user's graph. */
INLINE u32 hd_name(const hd_job *job, u64 v) {
#ifdef HD_NAMES
    return job->names[v];
#else
    (void)job;
    return (u32)v;
#endif
}

INLINE about hd_about(const hd_job *job, u64 v) {
    about me;
    u32 flags = job->flags[v];
    me.vertex = hd_name(job, v);
#ifdef HD_IN_DEGREES
    me.in_degree = job->in_degrees[v];
#elif !defined(HD_NO_IN_DEGREE)
    me.in_degree = (u32)(job->offsets[v + 1] - job->offsets[v]);
#endif
    me.out_degree = HD_OUT_DEGREE(job->degrees[v]);
    me.source = flags & 1;
    me.fixed = flags >> 1 & 1;
#ifdef HD_NO_INITIAL
    me.initial = 0;
#else
    me.initial = job->initial[v];
#endif
    return me;
}

/* The first row to walk, and the end of the rows, which is 0 once the run is over. */
INLINE u64 hd_first(const hd_job *job) {
#if HD_PASSING || HD_WINDOW
    return job->count;
#else
    (void)job;
    return 0;
#endif
}
INLINE u64 hd_vertices(const hd_job *job) { return job->words[HD_DONE] ? 0 : job->n; }

/* ---- Values ----------------------------------------------------------------------------------------------------- */

#if HD_VALUE_BYTES == 4
typedef u32 hd_word;
#define HD_LOAD_WORD hd_load32
#define HD_STORE_WORD hd_store32
#define HD_SWAP_WORD hd_swap32
#elif HD_VALUE_BYTES == 8
typedef u64 hd_word;
#define HD_LOAD_WORD hd_load64
#define HD_STORE_WORD hd_store64
#define HD_SWAP_WORD hd_swap64
#endif
#ifdef HD_LOAD_WORD
typedef union hd_value_bits {
    hd_value value;
    hd_word word;
} hd_value_bits;
#endif

INLINE hd_value hd_read(GLOBAL const hd_value *place) {
#if HD_MIXED
    hd_value_bits bits;
    bits.word = HD_LOAD_WORD((GLOBAL const hd_word *)place);
    return bits.value;
#else
    return *place;
#endif
}

INLINE void hd_write(GLOBAL hd_value *place, hd_value value) {
#if HD_MIXED
    hd_value_bits bits;
    bits.value = value;
    HD_STORE_WORD((GLOBAL hd_word *)place, bits.word);
#else
    *place = value;
#endif
}

/* The arguments of send() that a program declares. */
#ifdef SEND_EDGE
#define HD_SEND_EDGE , &ends
#else
#define HD_SEND_EDGE
#endif
#ifdef SEND_RUN
#define HD_SEND_RUN , job->run
#else
#define HD_SEND_RUN
#endif

/* The message of an edge of this weight, from the value and the out-degree of its source, to vertex `to`. */
INLINE hd_message hd_made_message(const hd_job *job, hd_weight weight, u32 from, hd_value value, hd_outflow degree,
                                  u64 to) {
#ifdef SEND_EDGE
    hd_edge_ends ends;
    ends.source = hd_name(job, from), ends.target = hd_name(job, to);
#endif
    (void)job, (void)weight, (void)from, (void)to;
#ifdef WEIGHT
    return send(value, weight, degree HD_SEND_EDGE HD_SEND_RUN);
#else
    return send(value, degree HD_SEND_EDGE HD_SEND_RUN);
#endif
}
/* The same of edge e. */
INLINE hd_message hd_message_of(const hd_job *job, u64 e, u32 from, hd_value value, hd_outflow degree, u64 to) {
#if defined(WEIGHT) && HD_WEIGHT_TYPE
    return hd_made_message(job, (hd_weight)hd_constant(&job->weights[e]), from, value, degree, to);
#else
    return hd_made_message(job, (hd_weight)1, from, value, degree, to);
#endif
}

/* Pull: what is loaded of the source of an edge, and the message made of it. */
#ifdef HD_SENT
typedef hd_sent hd_origin;
INLINE hd_origin hd_origin_of(const hd_job *job, u32 from) { return job->sent[from]; }
INLINE hd_message hd_arriving(const hd_job *job, u64 e, hd_origin origin, u64 to) {
    hd_message message = origin;
    (void)to;
#if defined(HD_LINEAR) && HD_WEIGHT_TYPE
    message *= (WEIGHT)hd_constant(&job->weights[e]);
#endif
    return message;
}
/* The message that a vertex sends along all its edges. */
INLINE hd_sent hd_sent_of(hd_value value, hd_outflow degree) {
    hd_sent sent = identity();
    if (HD_OUT_DEGREE(degree))
#ifdef WEIGHT
        sent = send(value, (WEIGHT)1, degree);
#else
        sent = send(value, degree);
#endif
    return sent;
}
#else
typedef struct hd_origin {
    hd_value value;
    hd_outflow degree;
    u32 from;
} hd_origin;
INLINE hd_origin hd_origin_of(const hd_job *job, u32 from) {
    hd_origin origin;
    origin.value = hd_read(&job->values[from]);
    origin.degree = job->degrees[from];
    origin.from = from;
    return origin;
}
INLINE hd_message hd_arriving(const hd_job *job, u64 e, hd_origin origin, u64 to) {
#if HD_PASSING
    if (origin.from >= job->words[HD_ORIGINALS])
        return job->messages[origin.from - job->words[HD_ORIGINALS]];
#endif
    return hd_message_of(job, e, origin.from, origin.value, origin.degree, to);
}
#endif

/* Pull: the message that arrives at vertex v by edge e. */
INLINE hd_message hd_incoming(const hd_job *job, u64 v, u64 e) {
    return hd_arriving(job, e, hd_origin_of(job, hd_constant(&job->targets[e])), v);
}

INLINE hd_message hd_gather(const hd_job *job, u64 v, u64 e, u64 end, u32 stride) {
    hd_message sum = identity();
    for (; e < end; e += stride) {
        HD_COUNT_EDGE(job);
        sum = reduce(sum, hd_incoming(job, v, e));
    }
    return sum;
}

/* Updates a vertex with the reduction of all its messages. Returns whether its value changed. */
INLINE int hd_finish(const hd_job *job, const run_info *run, u64 v, hd_message sum, hd_tally *tally) {
#if HD_PASSING
    if (v >= job->words[HD_ORIGINALS]) {
#ifdef HD_SENT
        job->sent[v] = sum; /* for this round, not the next */
#else
        job->messages[v - job->words[HD_ORIGINALS]] = sum;
#endif
        return 0;
    }
#endif
#if HD_COPIES && HD_SETTLES
    if (job->flags[v] & 4) { /* a copy keeps its value until it is merged, a hole for ever */
#if !HD_IN_PLACE
        job->next[v] = job->values[v];
#endif
#ifdef HD_SENT
        job->sent_next[v] = job->sent[v];
#endif
        return 0;
    }
#endif
    hd_value before = hd_read(&job->values[v]), after = before;
    about me = hd_about(job, v);
    int changed = update(&after, sum, &me, run);
    if (!changed)
        after = before;
#if HD_IN_PLACE
    if (changed)
        hd_write(&job->values[v], after);
#else
    job->next[v] = after;
#endif
#ifdef HD_SENT
    job->sent_next[v] = hd_sent_of(after, job->degrees[v]);
#endif
    tally->changes += changed ? 1 : 0;
#if HD_SETTLES
#ifdef HD_RANKS
    tally->change += hd_moved(1, (f64)before, (f64)after, 0);
    tally->idle += me.out_degree ? 0 : (f64)after;
#else
    if (changed)
        tally->change = hd_larger(tally->change, hd_moved(HD_REAL_OUTPUT, (f64)HD_OUTPUT(before), (f64)HD_OUTPUT(after),
                                                          job->numbers[HD_LARGEST]));
    if (HD_RELATIVE)
        tally->magnitude = hd_magnitude((f64)HD_OUTPUT(after), tally->magnitude);
#endif
#endif
#ifdef TOTALS
    hd_add_totals(run, &me, before, after, tally);
#endif
#ifdef HD_SLICE
    if (changed)
        hd_or32(&job->queued[v / 32], 1u << v % 32);
#endif
    return changed;
}

/* The largest k < count with starts[k] <= place, by binary search; starts[0] <= place must hold. */
INLINE u32 hd_search(LOCAL const hd_offset *starts, u32 count, hd_offset place) {
    u32 low = 0;
    while (count - low > 1) {
        u32 middle = low + (count - low) / 2;
        if (starts[middle] <= place)
            low = middle;
        else
            count = middle;
    }
    return low;
}

/* Reduces the messages of the lanes of each row, which are adjacent; the first lane of the row gets the result. `above`
 * is how many higher lanes belong to the same row. log2(HD_WARP) steps, no atomics. */
INLINE hd_message hd_reduce_segment(LOCAL hd_shared *share, hd_message mine, u32 above) {
    for (u32 distance = 1; distance < HD_WARP; distance *= 2) {
        hd_message other = hd_shift(share->messages, mine, distance);
        if (distance <= above)
            mine = reduce(mine, other);
    }
    return mine;
}

#if HD_ROWS && !HD_PUSH
/* One step of a warp over rows whose edges are consecutive: edges first + at .. first + at + HD_WARP - 1, as far as
 * they are below first + total. starts[0 .. rows] are where the rows, of vertices v, v + 1 …, begin, counted from
 * `first`; the messages are reduced into `sums`. The source is loaded before the search for the row, which hides the
 * latency of the load. */
INLINE void hd_walk_step(const hd_job *job, LOCAL hd_shared *share, u64 v, u64 first, hd_offset at, hd_offset total,
                         u32 rows) {
    u32 lane = HD_LANE, row = 0, below = 1, above = 0;
    hd_offset place = at + lane;
    hd_message mine = identity();
    HD_COUNT_STEP(job, place < total);
    if (place < total) {
        u64 e = first + place;
        hd_origin origin = hd_origin_of(job, hd_constant(&job->targets[e]));
        row = hd_search(share->starts, rows, place);
        below = (u32)MINIMUM(lane, place - share->starts[row]);
        above = (u32)MINIMUM(HD_WARP - 1 - lane, share->starts[row + 1] - place - 1);
        mine = hd_arriving(job, e, origin, v + row);
    }
    mine = hd_reduce_segment(share, mine, above);
    if (place < total && below == 0)
        share->sums[row] = reduce(share->sums[row], mine);
    hd_warp_barrier();
}
#endif

/* ---- Exchanging messages by atomics ----------------------------------------------------------------------------- */

#if HD_MIXED
/* Updates a vertex with one message, by compare-and-swap: other lanes may update it at the same time. */
INLINE int hd_deliver(const hd_job *job, const run_info *run, u32 v, hd_message message) {
    about me = hd_about(job, v);
    GLOBAL hd_word *place = (GLOBAL hd_word *)&job->values[v];
    hd_value_bits before, after;
    hd_word seen = HD_LOAD_WORD(place);
    do {
        before.word = seen;
        after = before;
        if (!update(&after.value, message, &me, run))
            return 0;
        seen = HD_SWAP_WORD(place, before.word, after.word);
    } while (seen != before.word);
#ifdef HD_SLICE
    hd_or32(&job->queued[v / 32], 1u << v % 32);
#endif
    return 1;
}
#endif

#if HD_ACCUMULATE
#ifdef HD_PART /* the message consists of numbers of this type that reduce() adds */
#define HD_PARTS (sizeof(hd_message) / sizeof(HD_PART))
INLINE void hd_accumulate(GLOBAL hd_message *place, hd_message message) {
    union {
        hd_message whole;
        HD_PART parts[HD_PARTS];
    } bits;
    bits.whole = message;
    for (u32 i = 0; i < HD_PARTS; i++)
        HD_ADD_PART((GLOBAL HD_PART *)place + i, bits.parts[i]);
}
#else
#if HD_MESSAGE_BYTES == 4
typedef u32 hd_message_word;
#define HD_LOAD_MESSAGE hd_load32
#define HD_SWAP_MESSAGE hd_swap32
#else
typedef u64 hd_message_word;
#define HD_LOAD_MESSAGE hd_load64
#define HD_SWAP_MESSAGE hd_swap64
#endif
INLINE void hd_accumulate(GLOBAL hd_message *place, hd_message message) {
    union {
        hd_message whole;
        hd_message_word word;
    } before, after;
    hd_message_word seen = HD_LOAD_MESSAGE((GLOBAL const hd_message_word *)place);
    do {
        before.word = seen;
        after.whole = reduce(before.whole, message);
        if (after.word == before.word)
            return;
        seen = HD_SWAP_MESSAGE((GLOBAL hd_message_word *)place, before.word, after.word);
    } while (seen != before.word);
}
#endif
#endif

/* ---- Kernels that all schedules have ---------------------------------------------------------------------------- */

#define HD_NO_SLOT (~(u64)0)

/* Joins the tallies of a warp's lanes; lane 0 gets the result. */
INLINE hd_tally hd_join_lanes(LOCAL hd_shared *share, hd_tally tally) {
    for (u32 distance = HD_WARP / 2; distance; distance /= 2) {
        hd_tally other = hd_shift_tally(share->tallies, tally, distance);
        if (HD_LANE < distance)
            tally = hd_join(tally, other);
    }
    return tally;
}

#if HD_ACTIVE
/* Adds the vertices of a tally, and their edges, to three words: HD_ACTIVATED or HD_AGAIN. */
INLINE void hd_add_active(const hd_job *job, u32 place, const hd_tally *tally) {
    u32 low = (u32)tally->walked, before = hd_add32(&job->words[place + 1], low);
    u32 high = (u32)(tally->walked >> 32) + (before + low < low ? 1 : 0);
    hd_add32(&job->words[place], tally->activated);
    if (high)
        hd_add32(&job->words[place + 2], high);
}
#endif

/* Joins the tallies of a warp's lanes, and stores the result in the warp's slot, if it has one. */
INLINE void hd_report(const hd_job *job, LOCAL hd_shared *share, hd_tally tally, u64 slot) {
    tally = hd_join_lanes(share, tally);
    if (HD_LANE != 0)
        return;
#if HD_SETTLES
#if HD_WINDOW
    if (job->count) /* not the round's first window */
        tally = hd_join(job->partials[slot], tally);
#endif
    if (slot != HD_NO_SLOT)
        job->partials[slot] = tally;
#elif defined(HD_SLICE)
    if (tally.changes)
        hd_add32(&job->words[HD_CHANGED], tally.changes);
#else
    if (tally.changes)
        hd_store32(&job->words[HD_CHANGED], 1);
#endif
#if HD_ACTIVE
    if (tally.activated)
        hd_add_active(job, HD_ACTIVATED, &tally);
#endif
#if HD_WORKLIST
    job->walked[slot] += tally.walked;
#endif
}

KERNEL hd_start(HD_ARGUMENTS) {
    HD_BEGIN;
#ifdef FIRST_PHASE
    run.hd_phase = FIRST_PHASE;
#endif
    for (u64 v = HD_WARP_INDEX * HD_WARP + lane; v < job.n; v += HD_WARP_TOTAL * HD_WARP) {
        about me = hd_about(&job, v);
        hd_value value = init(&me, &run);
        job.values[v] = value;
#ifdef HD_SENT
        job.sent[v] = hd_sent_of(value, job.degrees[v]);
#endif
#if HD_ACCUMULATE
        job.messages[v] = identity();
#endif
#ifdef HD_RANKS
        tally.idle += me.out_degree ? 0 : (f64)value;
#endif
#ifdef TOTALS
        hd_add_totals(&run, &me, value, value, &tally);
#endif
    }
    HD_END(HD_WARP_INDEX);
}

/* Ends a round by the program's own rules, if it has any: `over` is what holds without. */
INLINE u32 hd_rule(const hd_job *job, u32 over) {
#if defined(DONE) || defined(FIRST_PHASE)
    job->words[HD_PHASE_ROUND]++;
    run_info run = hd_info(job);
#endif
    (void)job;
#ifdef DONE
    over = done(&run) ? 1 : 0;
#endif
#ifdef FIRST_PHASE
    u32 phase = next_phase(&run);
    if (phase != job->words[HD_PHASE]) {
        job->words[HD_PHASE] = phase;
        job->words[HD_PHASE_ROUND] = 0;
#ifndef DONE
        over = 0;
#endif
    }
#endif
    return over;
}

/* Ends a round, or, as step 0, prepares the first. One group of HD_TURN lanes. */
KERNEL hd_turn(HD_ARGUMENTS) {
    SHARED hd_tally all[HD_TURN];
    HD_MAKE_JOB;
    u32 lane = HD_GROUP_LANE, done = job.words[HD_DONE];
    hd_tally tally = hd_nothing();
#if HD_SETTLES
    for (u64 i = lane; i < job.count; i += HD_TURN)
        tally = hd_join(tally, job.partials[i]);
#endif
    all[lane] = tally;
    hd_group_barrier();
    for (u32 distance = HD_TURN / 2; distance; distance /= 2) {
        if (lane < distance)
            all[lane] = hd_join(all[lane], all[lane + distance]);
        hd_group_barrier();
    }
#ifdef HD_SLICE
    if (lane < HD_LISTS_MOST && !done)
        job.words[HD_LISTS + lane] = 0;
#endif
    if (lane == 0 && !done) {
        tally = all[0];
#ifdef TOTALS
        for (u32 i = 0; i < HD_TOTALS; i++)
            job.numbers[HD_FIRST_TOTAL + i] = tally.totals[i];
#endif
#ifdef FIRST_PHASE
        if (!job.step)
            job.words[HD_PHASE] = FIRST_PHASE;
#endif
#ifdef HD_SLICE /* the host decides, with the other parts */
        job.numbers[HD_RESIDUAL] = tally.change;
#ifdef HD_RANKS
        job.numbers[HD_IDLE] = tally.idle;
#else
        job.numbers[HD_LARGEST] = tally.magnitude;
#endif
        job.words[HD_TOTAL] = HD_SETTLES ? tally.changes : job.words[HD_CHANGED];
        job.words[HD_CHANGED] = job.words[HD_TOUCHED] = 0;
        job.words[HD_ITERATION] += job.step ? 1 : 0;
#else
#ifdef HD_RANKS
        f64 damping = job.numbers[0];
        job.numbers[1] = 1 - damping + damping * tally.idle;
#ifndef PERSONAL
        job.numbers[1] /= (f64)job.words[HD_VERTICES];
#endif
#endif
        if (job.step) {
            u32 over, broken = 0;
#ifdef HD_RANKS
            over = tally.change < job.numbers[HD_TOLERANCE];
            job.numbers[HD_RESIDUAL] = tally.change;
#elif HD_SETTLES
            over = tally.changes == 0 ||
                   (HD_BY_TOLERANCE(HD_DECLARED, HD_REAL_OUTPUT) && tally.change <= job.numbers[HD_TOLERANCE]);
#ifndef DONE
            broken = !(tally.change < (f64)INFINITE); /* the host refuses the result */
#endif
            job.numbers[HD_RESIDUAL] = tally.change;
            job.numbers[HD_LARGEST] = tally.magnitude;
#elif HD_WORKLIST
            over = job.words[HD_COUNT + 2 - job.step] == 0;
            job.words[HD_COUNT + job.step - 1] = 0;
            job.words[HD_TOUCHED] = 0;
#else
            over = job.words[HD_CHANGED] == 0;
            job.words[HD_CHANGED] = 0;
#endif
#if HD_COPIES
            over = over && !job.words[HD_STALE];
            job.words[HD_STALE] = 0;
#endif
            job.words[HD_ITERATION]++;
#if HD_SETTLES && !defined(HD_RANKS)
            over = hd_rule(&job, over);
#endif
            job.words[HD_CONVERGED] = over && !broken;
            job.words[HD_DONE] = over || broken || job.words[HD_ITERATION] == job.words[HD_LIMIT];
        }
#endif
    }
}

#if HD_RESULTS
/* Writes the outputs of all vertices to `messages`. */
KERNEL hd_results(HD_ARGUMENTS) {
    HD_MAKE_JOB;
    GLOBAL hd_output *outputs = (GLOBAL hd_output *)job.messages;
    for (u64 v = HD_WARP_INDEX * HD_WARP + HD_LANE; v < job.n; v += HD_WARP_TOTAL * HD_WARP)
        outputs[v] = HD_OUTPUT(job.values[v]);
}
#endif
