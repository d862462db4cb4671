/* context.h - the context: threads, memory, error record, progress and cancellation.
 *
 * Every internal function that can fail takes the context first and returns heddle_status; the error record is filled
 * at the place that knows the details, by hd_fail and its kin, and passed up unchanged with HD_TRY.
 */
#ifndef HD_BASE_CONTEXT_H
#define HD_BASE_CONTEXT_H

#include "base/random.h"
#include "base/rounds.h"
#include "heddle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* For functions that are cloned with some of their arguments constant. */
#define HD_ALWAYS_INLINE inline __attribute__((always_inline))

struct hd_edge_source;

/* A phase of long work that is interrupted by another. */
typedef struct hd_phase {
    const char *name;
    uint64_t total, done;
} hd_phase;
enum { HD_PHASES_MOST = 4 };

struct heddle_context {
    int threads;        /* of the current call, set by hd_threads_settle */
    int most_threads;   /* upper bound for every call */
    bool exact_threads; /* the user gave the number: neither small work nor a busy machine lowers it */
    int tried_threads;  /* this many could be started by the thread `tried_by` */
    pthread_t tried_by;
    long preemptions;           /* involuntary context switches of this process, when last read */
    heddle_allocator allocator; /* under a memory limit, the one that counts (base/limit.h) */
    struct hd_limit *limit;     /* of the current call, or NULL */
    heddle_progress_fn progress;
    void *progress_user;
    heddle_note_fn note;
    void *note_user;
    int calls; /* public calls under way, one inside the other */
    /* Threads, as numbers; 0: none. The one whose calls these are, and the last one that was refused meanwhile. */
    atomic_uintptr_t caller, refused;
    atomic_int cancelled;
    const heddle_context *above; /* of a context of a part of a run: that run's, which cancels it too; else NULL */
    heddle_error error;
    uint64_t written_vertices, written_arcs; /* by the latest heddle_graph_save */
    /* progress of the current phase; `done` is added to by any thread, reported by the calling one */
    const char *phase;
    uint64_t total;
    atomic_uint_least64_t done;
    double reported;       /* clock of the last report */
    atomic_int *callbacks; /* of the graph whose lock this call holds: its callbacks that are running; or NULL */
    hd_phase outer[HD_PHASES_MOST]; /* those that the current one interrupts, */
    uint32_t phases_outside;        /* and their number; no more than HD_PHASES_MOST are kept */
    /* State of the device engine that outlives a run (open devices, graphs on them), and its destructor. */
    void *kept;
    void (*release_resident)(heddle_context *ctx);
    /* Cache of what plans derived from a graph in host memory (engine/derived.h): its entries, the number of the run,
     * the bytes that they may take; and its destructor. */
    struct hd_derived *derived;
    uint64_t derived_run, derived_most;
    void (*release_derived)(heddle_context *ctx);
    /* The link to the other ranks (exchange/link.h) if this process has joined some, else NULL; and its destructor. */
    struct hd_link *link;
    struct hd_fold *fold; /* while ranks of one machine are one process (exchange/fold.h), else NULL */
    void (*release_link)(heddle_context *ctx);
    /* A rank's slice of the last run's graph (engine/parts/kept_slice.h), and its destructor. */
    struct hd_kept_slice *kept_slice;
    void (*release_slice)(heddle_context *ctx);
    /* Compiled vertex programs of earlier runs (engine/cpu/program_object.h), and their destructor. */
    heddle_program *programs;
    void (*release_programs)(heddle_context *ctx);
    bool together; /* inside a call that all ranks make: link may be used, */
    bool met;      /* and all have found that they can begin (exchange/together.h) */
    bool agreed;   /* all know of the failure already (exchange/agree.h) */
    /* In place of hd_graph_build while all ranks convert a file (exchange/shared_build.h); else NULL. */
    heddle_status (*build_together)(heddle_context *ctx, const struct hd_edge_source *source,
                                    const heddle_build_options *options);
    void *building;          /* its state */
    const char *keep_source; /* folder for sources compiled during this call, or NULL */
    hd_rounds rounds;        /* of this run */
    /* Requested weight type of graphs built in this call; NONE: the source's own. */
    heddle_weight_type weight_type;
    hd_hash_key hash_key; /* of hash tables of ids and labels; no result depends on it */
};

/* Returns the status of `call` from the enclosing function unless it is HEDDLE_OK. */
#define HD_TRY(call)                       \
    do {                                   \
        heddle_status hd_status_ = (call); \
        if (hd_status_ != HEDDLE_OK)       \
            return hd_status_;             \
    } while (0)

/* The same inside functions with cleanup: stores the status in `status` and jumps to the label `out`. */
#define HD_CHECK(call)           \
    do {                         \
        status = (call);         \
        if (status != HEDDLE_OK) \
            goto out;            \
    } while (0)

/* Fill the error record and return `status`. Call from the calling thread only (not inside parallel regions). */
heddle_status hd_fail(heddle_context *ctx, heddle_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* For files: the message begins with the file's name; `errnum` adds the system's words when not 0. */
heddle_status hd_fail_file(heddle_context *ctx, heddle_status status, const char *file, int errnum, const char *format,
                           ...) __attribute__((format(printf, 5, 6)));
/* For a bad token at a place in a file: "FILE:LINE:COLUMN: found 'TOKEN', expected EXPECTED". */
heddle_status hd_fail_token(heddle_context *ctx, const char *file, uint64_t line, uint64_t column, const char *token,
                            size_t token_length, const char *expected);
heddle_status hd_fail_memory(heddle_context *ctx, size_t bytes, const char *what);
/* HEDDLE_E_MEMORY of another library ("zstd"), which does not report the size. */
heddle_status hd_fail_memory_in(heddle_context *ctx, const char *file, const char *library);

/* Sends a remark to the note callback. */
void hd_note(heddle_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A context for a thread that does one of `shares` parts of a call's work: the same memory, no callbacks, a share of
 * the threads; it is cancelled with `ctx`. `part` is zeroed memory; hd_context_release frees what it holds, not the
 * memory itself. */
void hd_context_share(const heddle_context *ctx, uint32_t shares, heddle_context *part);
void hd_context_release(heddle_context *part);

/* Clears the error record. */
void hd_enter(heddle_context *ctx);
/* The same at the begin of a public call (HD_ENTER); returns `ctx`, or NULL while another thread is in a call with it.
 * The outermost one is not cancelled, whatever came before it. */
heddle_context *hd_call_begin(heddle_context *ctx);
void hd_call_end(heddle_context **ctx); /* of NULL: nothing */

/* A phase of long work: begin, advance from any thread as work gets done, end. One that begins inside another, such as
 * the check of a file at its first use, interrupts it. */
void hd_phase_begin(heddle_context *ctx, const char *phase, uint64_t total);
/* Sets the total of a phase that does not know it at the beginning. */
void hd_phase_total(heddle_context *ctx, uint64_t total);
void hd_phase_end(heddle_context *ctx);
/* At the beginning of a call that the user makes: a call that failed may have left some open. */
void hd_phases_clear(heddle_context *ctx);
/* Adds `amount` to the phase's progress; on the calling thread (OpenMP thread 0) also reports it, at most about ten
 * times a second. True when the work has been cancelled: leave the loop, and let the caller return
 * hd_cancelled_status(). Cheap enough for once per 10^4 edges. */
bool hd_advance(heddle_context *ctx, uint64_t amount);
bool hd_cancelled(const heddle_context *ctx);
/* For item i of a parallel loop, which cannot be left: advances by `amount` at every `step`-th item, and is true for
 * all items once the work has been cancelled, so that they are passed over. */
static inline bool hd_advance_each(heddle_context *ctx, uint64_t i, uint64_t step, uint64_t amount) {
    return i % step == 0 ? hd_advance(ctx, amount) : hd_cancelled(ctx);
}
/* HEDDLE_OK, or HEDDLE_E_CANCELLED with the record filled. */
heddle_status hd_cancelled_status(heddle_context *ctx);

/* Monotonic seconds. */
double hd_clock(void);

#endif
