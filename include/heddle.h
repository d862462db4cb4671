/* heddle.h - the public interface of Heddle, a graph-analytics engine.
 *
 * A first program:
 *
 *     heddle_context *ctx;
 *     heddle_graph *graph;
 *     heddle_context_create(NULL, &ctx);
 *     if (heddle_graph_load(ctx, "graph.txt", NULL, &graph) != HEDDLE_OK)
 *         fprintf(stderr, "%s\n", heddle_context_error(ctx)->message);
 *     else
 *         printf("%llu edges\n", (unsigned long long)heddle_graph_edges(graph));
 *     heddle_graph_destroy(&graph);
 *     heddle_context_destroy(&ctx);
 *
 * Rules that hold for every call:
 *  - Status. A call that can fail returns heddle_status: HEDDLE_OK, or a negative error whose details are in
 *    heddle_context_error(). On error, outputs are NULL (or untouched) and inputs keep their meaning.
 *  - Ownership. `create`, `load`, `generate` … return an object that the caller owns and frees with the matching
 *    `destroy(&object)`, which also sets the pointer to NULL; destroying NULL is allowed.
 *  - Threads. The library has no global state, except that of OpenMP and of drivers, which is per process; opening
 *    drivers is serialised. A context serves one calling thread at a time: a call while another thread is in one with
 *    the same context is HEDDLE_E_REFUSED, and the other goes on. Two contexts work in two threads. A graph is
 *    immutable and may be shared by any number of threads and contexts, as long as it is destroyed once, after its last
 *    use.
 *  - Fork. In a child of a process that used several threads or devices, contexts, graphs and results work, on one
 *    thread (OpenMP's threads do not exist in the child); devices are refused with HEDDLE_E_DEVICE, and the parent's
 *    device memory is not touched. A child that needs threads or devices calls exec, or forks before the first use.
 *  - Side effects. The library never prints, exits, aborts, or touches signals. Messages reach you through callbacks.
 *  - Options. Every options struct begins with `size`; its `_init` function fills it with the defaults. NULL in place
 *    of options means all defaults.
 *  - Arguments. A NULL pointer where one is required, an object that belongs to another graph, or a number out of range
 *    is HEDDLE_E_ARGUMENT with a message that names the argument, never a crash; without a context there is no message.
 *    Functions that only look something up return 0, NULL or NaN then, as their comments say. Only dangling pointers
 *    cannot be detected. Errors that every call with a context may return, and that the comments do not repeat:
 *    HEDDLE_E_ARGUMENT, HEDDLE_E_MEMORY, HEDDLE_E_CANCELLED; HEDDLE_E_REFUSED (another thread is in a call with the
 *    context); when a mapped .hdl file is used for the first time, HEDDLE_E_FORMAT and HEDDLE_E_READ.
 *  - Cost. n is the number of vertices, m the number of edges. "Cost: O(1)" means a few instructions and no allocation.
 *    Linear means O(n + m) time; parallel unless stated otherwise.
 *  - Sizes. Structs that the caller owns begin with `size`, so that they can grow: `_init` sets it for options; for a
 *    struct that a call fills, set it yourself (`heddle_stats stats = {sizeof stats}`). A program built with an older
 *    header works with a newer library of the same soname: options that it does not know take their defaults, and
 *    answers that it has no room for are omitted. On return `size` of a filled struct is the number of bytes filled.
 *    Structs inside others keep their size; new fields take the place of `reserved`, which is 0. Structs that the
 *    library owns and returns by pointer grow at their end. heddle_adjacency and heddle_allocator never change.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#define HEDDLE_VERSION_MAJOR 0
#define HEDDLE_VERSION_MINOR 1
#define HEDDLE_VERSION_PATCH 0
#define HEDDLE_VERSION_STRING "0.1.0"

#if defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status -------------------------------------------------------------------------------------------------- */

/* Every status once: X(NAME, value, "text", exit status of the command). Values are stable; ranges belong to areas:
 * -1.. general, -10.. memory, -20.. files, -30.. graphs and plans, -40.. devices, -50.. verification. */
#define HEDDLE_STATUS_MAP(X)                                     \
    X(OK, 0, "success", 0)                                       \
    X(E_INTERNAL, -1, "internal error", 1)                       \
    X(E_ARGUMENT, -2, "invalid argument", 2)                     \
    X(E_CANCELLED, -3, "cancelled", 130)                         \
    X(E_UNSUPPORTED, -4, "not supported by this build", 1)       \
    X(E_MEMORY, -10, "out of memory", 4)                         \
    X(E_LIMIT, -11, "larger than this build can hold", 4)        \
    X(E_OPEN, -20, "cannot open file", 3)                        \
    X(E_READ, -21, "cannot read file", 3)                        \
    X(E_WRITE, -22, "cannot write file", 3)                      \
    X(E_FORMAT, -23, "malformed input", 3)                       \
    X(E_LOSSY, -24, "the format cannot hold the whole graph", 2) \
    X(E_SOURCE, -30, "no such vertex", 2)                        \
    X(E_REFUSED, -31, "refused for this program or graph", 2)    \
    X(E_WEIGHT, -32, "weights unfit for this algorithm", 3)      \
    X(E_PROGRAM, -33, "faulty vertex program", 3)                \
    X(E_DEVICE, -40, "device failure", 1)                        \
    X(E_DEVICE_MEMORY, -41, "out of device memory", 4)           \
    X(E_VERIFY, -50, "verification failed", 5)

typedef enum heddle_status {
#define HEDDLE_STATUS_ENUM(name, value, text, exit_status) HEDDLE_##name = value,
    HEDDLE_STATUS_MAP(HEDDLE_STATUS_ENUM)
#undef HEDDLE_STATUS_ENUM
} heddle_status;

/* The status's name ("HEDDLE_E_FORMAT"), its text, and the exit status of the command for it. For an invalid status:
 * "HEDDLE_UNKNOWN", "unknown status", 1. Cost: O(1). */
HEDDLE_API const char *heddle_status_name(heddle_status status);
HEDDLE_API const char *heddle_status_text(heddle_status status);
HEDDLE_API int heddle_status_exit(heddle_status status);

/* The last error of a context. Strings are empty and numbers 0 if they do not apply. */
typedef struct heddle_error {
    size_t size; /* sizeof(heddle_error) of the library */
    heddle_status status;
    char message[1024]; /* the complete message in one line, ready to print */
    char file[256];     /* input or output file (its end, when the path is longer) */
    uint64_t line;      /* 1-based line of the offending token */
    uint64_t column;    /* 1-based byte column */
    char token[64];     /* the offending token, cut to fit, unprintable bytes as \xNN */
    char expected[192]; /* what was expected instead */
} heddle_error;

/* ---- Context ------------------------------------------------------------------------------------------------- */

typedef struct heddle_context heddle_context;

/* The allocator for all memory of a context and its graphs. `allocate` returns memory aligned to at least 64 bytes, or
 * NULL; zeroed if `zero` is not 0. Both functions may be called from any thread. */
typedef struct heddle_allocator {
    void *(*allocate)(void *user, size_t bytes, int zero);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} heddle_allocator;

/* Progress of a long call. `total` is 0 if it is not known. */
typedef struct heddle_progress {
    const char *phase; /* "read", "build", "generate", "write", "compute" … */
    uint64_t done;
    uint64_t total;
} heddle_progress;

/* Called from long calls about ten times a second, always on the calling thread. Return 0 to continue, anything else to
 * cancel. A callback does not use the graph of its call: while in-edges are built or a file is checked, that is refused
 * (HEDDLE_E_REFUSED, after a second). */
typedef int (*heddle_progress_fn)(void *user, const heddle_progress *progress);

/* Called with a note that is not an error ("weights missing: 1 is used"), always on the calling thread. */
typedef void (*heddle_note_fn)(void *user, const char *text);

typedef struct heddle_context_options {
    size_t size;                /* sizeof(heddle_context_options), set by _init */
    int threads;                /* 0: chosen (below); N: exactly N, at most 4096 */
    heddle_allocator allocator; /* all NULL: the C library's */
    heddle_progress_fn progress;
    void *progress_user;
    heddle_note_fn note;
    void *note_user;
} heddle_context_options;

/* Threads. With 0, OMP_NUM_THREADS if it is set, else the number of CPUs that the process may use (affinity and cgroup
 * quota); without OMP_NUM_THREADS a call uses fewer if its work is small, or if the machine is busy. A given N is used
 * as it is. If the system does not allow that many threads, fewer are used, with a note. */

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_context_options_init_sized(heddle_context_options *options, size_t size);
static inline void heddle_context_options_init(heddle_context_options *options) {
    heddle_context_options_init_sized(options, sizeof *options);
}
/* Creates a context. Threads and devices are started by the first call that needs them. Errors: HEDDLE_E_ARGUMENT
 * (threads below 0 or above 4096, an allocator with only one function), HEDDLE_E_MEMORY. Cost: O(1), a few KiB; with a
 * given number of threads, the time to start them once. */
HEDDLE_API heddle_status heddle_context_create(const heddle_context_options *options, heddle_context **context);
/* Frees the context, closes its devices and frees what runs have cached. Graphs and results stay valid. Cost: closing
 * the devices. */
HEDDLE_API void heddle_context_destroy(heddle_context **context);

/* The last error of this context; valid until its next call. Never NULL. Cost: O(1). */
HEDDLE_API const heddle_error *heddle_context_error(const heddle_context *context);

/* Makes the call that this context is in return HEDDLE_E_CANCELLED soon; one that is nearly done may still succeed.
 * Later calls are not affected: a cancel between two calls does nothing, so whoever stops a thread that makes several
 * repeats it until that thread has ended, or lets the thread, or its progress callback, look at a flag. Safe from any
 * thread and from a signal handler. NULL: does nothing. Cost: O(1). */
HEDDLE_API void heddle_context_cancel(heddle_context *context);
/* Takes a cancel back that the call has not noticed yet. Calls need it no more: each begins uncancelled. */
HEDDLE_API void heddle_context_reset(heddle_context *context);

/* The largest number of threads this context uses; 0 for NULL. Cost: O(1). */
HEDDLE_API int heddle_context_threads(const heddle_context *context);

/* ---- Ranks --------------------------------------------------------------------------------------------------- */

/* A launcher (mpirun, mpiexec, srun) starts several processes of one program, its ranks, perhaps on several machines.
 * Contexts that have joined run together (docs/clusters.md): heddle_run, heddle_verify and heddle_result_save are
 * collective then, that is, all ranks call them, in the same order and with the same arguments. Each works on its share
 * of the graph; rank 0 gets the values, the results of the others have none, or, with the run option `spread`, each
 * gets those of its own vertices. */

/* The number of processes that a launcher started together with this one, itself included, and, if `rank` is not NULL,
 * which of them this is, from 0; 1 and 0 if it was started alone, or if HEDDLE_MPI=off is in the environment. Looks at
 * the environment alone. Cost: O(1). */
HEDDLE_API int heddle_launched(int *rank);
/* Joins the other ranks, all of which have to; does nothing in a process that was started alone. One context of a
 * process can, once. Errors: HEDDLE_E_UNSUPPORTED (the build has no MPI), HEDDLE_E_DEVICE (MPI does not start, or
 * belongs to another launcher), HEDDLE_E_REFUSED (ranks with different versions of the library; joined already). Cost:
 * starting MPI, a fraction of a second; heddle_context_destroy ends it. */
HEDDLE_API heddle_status heddle_context_join(heddle_context *context);
/* Collective: ranks that share a machine become one, since threads of a process are faster than ranks, need less memory
 * and can do all that one process can. The first of each machine, or of each `most` of its ranks (0: all), takes the
 * CPUs and threads of the others, which sleep; those that are left are the ranks of everything that is collective, and
 * may be one, which is like a process that was started alone. HEDDLE_FOLD in the environment bounds `most`; "no" is 1.
 * The smallest number of all ranks counts: 1 folds none. Without effect if no machine has several ranks. Errors:
 * HEDDLE_E_ARGUMENT (also for HEDDLE_FOLD), HEDDLE_E_REFUSED (folded already; HEDDLE_FOLD differs), those of
 * heddle_context_agree. Cost: a few messages. */
HEDDLE_API heddle_status heddle_context_fold(heddle_context *context, int most);
/* 1 on a rank that sleeps: it may only call heddle_context_unfold, and destroy the context after that. 0 else. Cost:
 * O(1). */
HEDDLE_API int heddle_context_sleeps(const heddle_context *context);
/* Collective, of all ranks that heddle_context_fold was called by: those that sleep wait here until the others have
 * come, and take next to no CPU time. Then all ranks are there again, and agree on their status as in
 * heddle_context_agree. Errors and cost are those of it. */
HEDDLE_API heddle_status heddle_context_unfold(heddle_context *context, heddle_status status);
/* Which rank this context is, from 0, and how many there are; 0 and 1 if it has not joined any. 0 for NULL. Cost: O(1).
 * */
HEDDLE_API int heddle_context_rank(const heddle_context *context);
HEDDLE_API int heddle_context_ranks(const heddle_context *context);
/* Collective: HEDDLE_OK if all ranks pass that; else, on all ranks, the status of the lowest that does not, with its
 * error, in which it is named. So that all take the same way after a step that may fail on one of them. Returns
 * `status` without ranks. Errors: also those of other ranks that have failed before, and HEDDLE_E_DEVICE if one was
 * killed or has crashed (`token`: its number), as in every collective function. Cost: a few messages. */
HEDDLE_API heddle_status heddle_context_agree(heddle_context *context, heddle_status status);
/* Collective: HEDDLE_E_REFUSED on all ranks, with two of the texts in the message, unless all pass the same one: what
 * they are about to do, before they do it. Ranks that do different things wait for each other. HEDDLE_OK without ranks.
 * Errors: also HEDDLE_E_ARGUMENT (NULL), and those of heddle_context_agree. Cost: a few messages. */
HEDDLE_API heddle_status heddle_context_compare(heddle_context *context, const char *text);

/* ---- Graph --------------------------------------------------------------------------------------------------- */

/* A directed graph in compressed sparse rows (CSR): vertex v's out-edges are targets[offsets[v] .. offsets[v + 1]),
 * in ascending order of target. Vertices are numbered 0 .. vertices-1; the ids of the input are stored separately. An
 * undirected graph stores both arcs of every edge. `edges` always counts stored arcs. */
typedef struct heddle_graph heddle_graph;

typedef uint32_t heddle_vertex; /* a vertex number, not the user's id */
typedef uint64_t heddle_edge;   /* an index into the arcs */

typedef enum heddle_weight_type {
    HEDDLE_WEIGHT_NONE = 0,
    HEDDLE_WEIGHT_U32 = 1,
    HEDDLE_WEIGHT_I32 = 2,
    HEDDLE_WEIGHT_F32 = 3,
    HEDDLE_WEIGHT_I64 = 4,
    HEDDLE_WEIGHT_F64 = 5
} heddle_weight_type;

/* One direction of a graph. `weights` is an array of uint32_t, int32_t, float, int64_t or double, as the weight type
 * says, or NULL. */
typedef struct heddle_adjacency {
    const uint64_t *offsets;      /* vertices + 1 */
    const heddle_vertex *targets; /* edges */
    const void *weights;          /* edges, or NULL */
} heddle_adjacency;

/* An order that a graph's vertices can be renamed in before a run (docs/schedules.md). */
typedef struct heddle_order_info {
    const char *name;        /* "degree" */
    const char *description; /* one line */
} heddle_order_info;

/* The orders by index from 0; NULL past the last. Cost: none. */
HEDDLE_API const heddle_order_info *heddle_order_at(size_t index);

/* Properties of a graph; 0 for NULL. Cost: O(1). */
HEDDLE_API uint64_t heddle_graph_vertices(const heddle_graph *graph);
HEDDLE_API uint64_t heddle_graph_edges(const heddle_graph *graph);
HEDDLE_API int heddle_graph_directed(const heddle_graph *graph); /* 0: every arc has its reverse, of equal weight */
HEDDLE_API heddle_weight_type heddle_graph_weight_type(const heddle_graph *graph);
/* The number of edges as people count them: of a directed graph its arcs; of an undirected one the two arcs of an edge
 * count once, and so does a loop, which is one arc. Errors: those of heddle_graph_out. Cost: O(1) for directed graphs;
 * for others O(n log d) in parallel, d being the mean degree. */
HEDDLE_API heddle_status heddle_graph_count_edges(heddle_context *context, const heddle_graph *graph, uint64_t *edges);
/* Whether the .hdl file that the graph was loaded from also stores it renamed in this order ("degree", "bfs").
 * Cost: O(1). */
HEDDLE_API int heddle_graph_has_order(const heddle_graph *graph, const char *order);

/* The out-edges, owned by the graph. Errors: HEDDLE_E_FORMAT or HEDDLE_E_READ for a mapped .hdl file, whose sections
 * are checked (checksums and bounds) at their first use. Cost: O(1); that first check is linear. */
HEDDLE_API heddle_status heddle_graph_out(heddle_context *context, const heddle_graph *graph,
                                          heddle_adjacency *adjacency);
/* The in-edges (CSC): targets are the sources of the arcs that enter v. Built on first use, then kept; for undirected
 * graphs they are the out-edges. Errors: HEDDLE_E_MEMORY, and those of heddle_graph_out. Cost: linear the first time,
 * and memory for a second copy of the edges; then O(1). */
HEDDLE_API heddle_status heddle_graph_in(heddle_context *context, const heddle_graph *graph,
                                         heddle_adjacency *adjacency);
/* Frees the graph. Cost: that of freeing its memory. */
HEDDLE_API void heddle_graph_destroy(heddle_graph **graph);

/* The user's ids. Integer ids order the vertices: ascending id = ascending vertex. Vertices with string labels are
 * numbered by first occurrence in the input. */
typedef enum heddle_id_type {
    HEDDLE_ID_I64 = 0, /* signed 64-bit */
    HEDDLE_ID_U64 = 1, /* unsigned 64-bit, for ids past 2^63 - 1 */
    HEDDLE_ID_STRING = 2
} heddle_id_type;

/* The type of the ids; HEDDLE_ID_I64 for NULL. Cost: O(1). */
HEDDLE_API heddle_id_type heddle_graph_id_type(const heddle_graph *graph);
/* Ids of a mapped .hdl file are checked by the first heddle_graph_out or heddle_graph_find: call one of them before the
 * two functions below if the file is not trusted. */
/* The integer id of a vertex (cast to uint64_t if the type is HEDDLE_ID_U64); -1 for a graph with labels, a vertex that
 * does not exist, or NULL. Cost: O(1). */
HEDDLE_API int64_t heddle_graph_id(const heddle_graph *graph, heddle_vertex vertex);
/* Writes a vertex's id as text, NUL-terminated, truncated to `size`; returns its full length, as snprintf does. 0 and
 * "" for a vertex that does not exist, or NULL. With `buffer` NULL nothing is written. Cost: linear in its length. */
HEDDLE_API size_t heddle_graph_id_text(const heddle_graph *graph, heddle_vertex vertex, char *buffer, size_t size);
/* Finds the vertex of an id given as text. Errors: HEDDLE_E_SOURCE if no vertex has it; those of heddle_graph_out.
 * Cost: integers O(log n); labels linear in their length, from the fifth search on, which makes a hash table of 8 to 16
 * bytes per vertex (part of the graph; without memory for it, and before, O(n), a scan over all labels). */
HEDDLE_API heddle_status heddle_graph_find(heddle_context *context, const heddle_graph *graph, const char *id,
                                           heddle_vertex *vertex);
/* All integer ids, in vertex order: `ids` has room for one per vertex. Errors: HEDDLE_E_REFUSED for a graph with
 * labels; those of heddle_graph_out. Cost: O(n), in parallel. */
HEDDLE_API heddle_status heddle_graph_ids(heddle_context *context, const heddle_graph *graph, int64_t *ids);
/* All ids as text, in vertex order, concatenated without NULs: vertex v's is text[offsets[v] .. offsets[v + 1]).
 * `offsets` has room for vertices + 1 numbers. Call it with `text` NULL to get the number of bytes, offsets[vertices];
 * then again with that much `room`. Errors: HEDDLE_E_ARGUMENT if `room` is too small; those of
 * heddle_graph_out. Cost: linear in the text. */
HEDDLE_API heddle_status heddle_graph_labels(heddle_context *context, const heddle_graph *graph, uint64_t *offsets,
                                             char *text, uint64_t room);

/* ---- Building ------------------------------------------------------------------------------------------------ */

/* How arcs with the same source and target are merged into one, and with `symmetrize` all edges between two vertices,
 * in either direction: edges 1-2 of weight 3 and 5 and 2-1 of weight 7 have the sum 15, on both arcs. */
typedef enum heddle_duplicates {
    HEDDLE_DUPLICATES_KEEP = 0, /* parallel arcs stay; see `symmetrize` for opposite ones */
    HEDDLE_DUPLICATES_FIRST,    /* the weight of the first one */
    HEDDLE_DUPLICATES_MIN,
    HEDDLE_DUPLICATES_MAX,
    HEDDLE_DUPLICATES_SUM, /* HEDDLE_E_LIMIT if a sum overflows the weight type */
    HEDDLE_DUPLICATES_MEAN /* weights become f64, unless another type is requested; the limit as for sums */
} heddle_duplicates;

typedef struct heddle_build_options {
    size_t size;                  /* never changes, because this struct is part of others */
    int symmetrize;               /* add missing reverse arcs. If both exist, `duplicates` combines them; with KEEP
                                     both get the smaller weight, and a note says how often weights differed */
    int drop_loops;               /* drop arcs from a vertex to itself */
    int drop_isolated;            /* drop vertices without arcs, after the options above */
    heddle_duplicates duplicates; /* default: keep */
    uint64_t memory_limit;        /* bytes that the call may allocate, the graph included; 0: no limit. Mapped files are
                                     not counted; their pages are given back behind the reader */
    const char *spill;            /* a folder for temporary files without a name: a graph that exceeds the limit is
                                     built in one, and its rows and ids stay there, mapped; "": $TMPDIR, or /var/tmp;
                                     NULL: such a graph is refused, HEDDLE_E_MEMORY */
    uint64_t reserved[6];         /* 0 */
} heddle_build_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_build_options_init_sized(heddle_build_options *options, size_t size);
static inline void heddle_build_options_init(heddle_build_options *options) {
    heddle_build_options_init_sized(options, sizeof *options);
}

/* Builds a graph from edges in arrays, which are copied. `weights` may be NULL (weight_type NONE). With `vertices` > 0
 * ids are 0 .. vertices-1; with 0 the vertices are the ids that occur, which may be any 64-bit integers. The graph does
 * not depend on the number of threads. Errors: HEDDLE_E_ARGUMENT (an id >= `vertices`, a weight that is not finite: the
 * message names the edge), HEDDLE_E_LIMIT (more than 2^32 - 2 vertices, more edges than can be addressed, a sum of
 * duplicates too large). Cost: linear time, in parallel; memory for the graph and a few bytes per edge. */
HEDDLE_API heddle_status heddle_graph_from_edges(heddle_context *context, uint64_t vertices, uint64_t edges,
                                                 const int64_t *sources, const int64_t *targets, const void *weights,
                                                 heddle_weight_type weight_type, const heddle_build_options *options,
                                                 heddle_graph **graph);

/* The same for ids of 32 bits, without a wider copy of them. */
HEDDLE_API heddle_status heddle_graph_from_edges32(heddle_context *context, uint64_t vertices, uint64_t edges,
                                                   const uint32_t *sources, const uint32_t *targets,
                                                   const void *weights, heddle_weight_type weight_type,
                                                   const heddle_build_options *options, heddle_graph **graph);

/* heddle_graph_from_edges for end points named by strings, of 1 to 65535 bytes each, NUL-terminated; vertices are
 * numbered by first occurrence, an edge's source before its target. Errors: those of heddle_graph_from_edges;
 * HEDDLE_E_LIMIT for a longer label. Cost: linear in the text, in parallel; 16 bytes per edge and a table of the labels
 * during the call. */
HEDDLE_API heddle_status heddle_graph_from_labels(heddle_context *context, uint64_t edges, const char *const *sources,
                                                  const char *const *targets, const void *weights,
                                                  heddle_weight_type weight_type, const heddle_build_options *options,
                                                  heddle_graph **graph);

/* Strings that lie in one text, as Arrow has them: string k is text[offsets[k]] up to text[offsets[k + 1]]. */
typedef struct heddle_strings {
    size_t size;
    const char *text;
    const void *offsets; /* count + 1 numbers that ascend */
    int offset_bits;     /* 64; or 32 */
    int code_bits;       /* 32; or 8, 16, 64 */
    uint64_t count;      /* of strings: the edges; with codes any */
    const void *codes; /* NULL: edge k has string k; else the strings are a dictionary, and edge k has codes[k] of it */
    const uint64_t *lengths; /* NULL; else string k has so many bytes from text[offsets[k]] on, and there are `count`
                                offsets in any order */
} heddle_strings;

/* Fills `strings` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_strings_init_sized(heddle_strings *strings, size_t size);
static inline void heddle_strings_init(heddle_strings *strings) { heddle_strings_init_sized(strings, sizeof *strings); }

/* heddle_graph_from_labels for strings in a text, without NUL in them, or for codes and dictionaries: those of sources
 * and targets need not be the same, and only the strings that occur become vertices. The graph is the one of
 * heddle_graph_from_labels. Errors: its own; HEDDLE_E_ARGUMENT for a code without a string. Cost: each label is hashed
 * once, in parallel, or, with codes, each string of the dictionary; 16 bytes per edge and a table of the labels during
 * the call. */
HEDDLE_API heddle_status heddle_graph_from_strings(heddle_context *context, uint64_t edges,
                                                   const heddle_strings *sources, const heddle_strings *targets,
                                                   const void *weights, heddle_weight_type weight_type,
                                                   const heddle_build_options *options, heddle_graph **graph);

/* ---- Arrow --------------------------------------------------------------------------------------------------- */

/* The C data interface of Apache Arrow, by which data frames and databases hand columns over, and its streams of
 * batches: https://arrow.apache.org/docs/format/CDataInterface.html. Under these guards other headers have it too. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

typedef enum heddle_nulls {
    HEDDLE_NULLS_REFUSE = 0, /* the error names the column and the row, from 0 */
    HEDDLE_NULLS_DROP        /* rows without a source, target or weight are left out; a note says how many */
} heddle_nulls;

typedef struct heddle_arrow_options {
    size_t size;
    const char *source, *target, *weight; /* names of columns; NULL: by number */
    int source_column, target_column;     /* from 1; HEDDLE_COLUMN_AUTO, the default: of a usual name ("source", "src",
                                             "from" …), else the first, and the second */
    int weight_column;                    /* from 1, HEDDLE_COLUMN_NONE, or HEDDLE_COLUMN_AUTO, the default: of a usual
                                             name ("weight" …), else the one after both ends, if it has numbers */
    heddle_nulls nulls;
    heddle_weight_type weight_type;   /* as in heddle_load_options; NONE, the default: of the column */
    uint64_t vertices;                /* as in heddle_graph_from_edges */
    struct ArrowArrayStream *targets; /* NULL; else the stream has sources alone, this one the targets … */
    struct ArrowArrayStream *weights; /* … and this one the weights, or NULL: none */
    heddle_build_options build;
} heddle_arrow_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_arrow_options_init_sized(heddle_arrow_options *options, size_t size);
static inline void heddle_arrow_options_init(heddle_arrow_options *options) {
    heddle_arrow_options_init_sized(options, sizeof *options);
}

/* A graph from the rows of a stream: ids are integers of any size, floats and decimals that are whole, or strings
 * (utf8, large and views, with or without a dictionary); weights are numbers of any type or booleans; integers of less
 * than 32 bits become i32, decimals i64 if they are whole and fit, else f64. The stream is read to its end and
 * released, whatever the call returns. The graph is that of heddle_graph_from_edges or heddle_graph_from_strings, and
 * does not refer to the batches afterwards. Errors: those of both functions; HEDDLE_E_ARGUMENT for a stream that was
 * released, a column that does not exist or is of another type, and a row without a value; HEDDLE_E_READ, with the
 * producer's words, if the stream fails. Cost: linear, in parallel; numbers and strings are read in the batches, which
 * all stay until the graph is built; of several batches, strings take 16 bytes per row and end, weights 8 per row. */
HEDDLE_API heddle_status heddle_graph_from_arrow(heddle_context *context, struct ArrowArrayStream *stream,
                                                 const heddle_arrow_options *options, heddle_graph **graph);

/* ---- Rows of your own ---------------------------------------------------------------------------------------- */

typedef struct heddle_csr_options {
    size_t size;
    int undirected;              /* 0; 1: every arc has its reverse, of equal weight; this is checked */
    void (*release)(void *user); /* NULL; called once, when the graph is destroyed and no longer uses the arrays */
    void *release_user;
} heddle_csr_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_csr_options_init_sized(heddle_csr_options *options, size_t size);
static inline void heddle_csr_options_init(heddle_csr_options *options) {
    heddle_csr_options_init_sized(options, sizeof *options);
}

/* A graph over the caller's rows, without a copy: `offsets` are vertices + 1 numbers of `offset_bits` (32 or 64) bits,
 * the other arrays as in heddle_adjacency, each row's targets ascending. Ids are 0 .. vertices-1. The arrays must not
 * change until the graph is destroyed (see `release`); on error they still belong to the caller. Errors:
 * HEDDLE_E_ARGUMENT (offsets that decrease or do not end at `edges`, a target that is not a vertex, rows that do not
 * ascend, a weight that is not finite, an arc of an undirected graph without its reverse: the message names the row;
 * use heddle_graph_from_edges for such data), HEDDLE_E_LIMIT (more than 2^32 - 2 vertices). Cost: one pass over all
 * rows, in parallel; 8 bytes per vertex if offsets have 32 bits, and 8 more while an undirected graph is checked. */
HEDDLE_API heddle_status heddle_graph_from_csr(heddle_context *context, uint64_t vertices, uint64_t edges,
                                               const void *offsets, int offset_bits, const heddle_vertex *targets,
                                               const void *weights, heddle_weight_type weight_type,
                                               const heddle_csr_options *options, heddle_graph **graph);

/* ---- Files --------------------------------------------------------------------------------------------------- */

/* A file format. `name` is its name in options. */
typedef struct heddle_format_info {
    const char *name;        /* "edgelist", "mtx", "graphml" … */
    const char *description; /* one line */
    const char *suffixes;    /* space-separated, the preferred first: ".mtx" */
} heddle_format_info;

/* The formats that this build reads and writes, by index from 0; NULL past the last. Cost: none. */
HEDDLE_API const heddle_format_info *heddle_format_at(size_t index);
/* The suffixes of compressed files (".gz") by index from 0, each of which may follow that of a format; NULL past the
 * last. Cost: none. */
HEDDLE_API const char *heddle_codec_at(size_t index);

#define HEDDLE_COLUMN_AUTO (-1) /* the third column, if it exists and is numeric */
#define HEDDLE_COLUMN_NONE 0

typedef enum heddle_id_choice {
    HEDDLE_IDS_AUTO = 0, /* integers, unless the first line of data has others */
    HEDDLE_IDS_INTEGER,
    HEDDLE_IDS_STRING
} heddle_id_choice;

typedef enum heddle_header_choice {
    HEDDLE_HEADER_AUTO = 0, /* if the first line looks like one; with a note */
    HEDDLE_HEADER_NO,
    HEDDLE_HEADER_YES
} heddle_header_choice;

typedef struct heddle_load_options {
    size_t size;
    const char *format;          /* NULL: detected from the content, then the suffix */
    heddle_build_options build;  /* applied while reading; its own `size` set by _init */
    uint64_t vertices;           /* edge lists: the least number of vertices (0: those that occur) */
    int weight_column;           /* edge lists: 1-based column, HEDDLE_COLUMN_AUTO or HEDDLE_COLUMN_NONE */
    heddle_id_choice ids;        /* edge lists */
    heddle_header_choice header; /* edge lists: does the first line name the columns? */
    const char *columns;       /* edge lists: "source=COLUMN,target=COLUMN,weight=COLUMN", or some of these; a column is
                                    a number from 1 on, or a name that the header has; weight=none; NULL: found */
    char delimiter;            /* edge lists: the only separator of columns (' ': blanks and tabs); 0: found */
    const char *vertices_from; /* edge lists: a file of vertex ids, one in each line or in its first column; these
                                    vertices exist whether an edge names them or not; NULL: none */
    heddle_weight_type weight_type; /* of a graph with weights; NONE, the default: as the file has them; text: the first
                                       of u32, i32 and i64 that holds all, or f32 where it holds each exactly, else f64.
                                       What a type cannot hold is refused; rounding to f32 or f64 is a note */
} heddle_load_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_load_options_init_sized(heddle_load_options *options, size_t size);
static inline void heddle_load_options_init(heddle_load_options *options) {
    heddle_load_options_init_sized(options, sizeof *options);
}

/* Reads a graph from a file, plain or compressed (gzip, zstd, bzip2, xz); "-" is standard input. Text is parsed in
 * parallel. A .hdl file without build options is mapped, not read: milliseconds for any size. Files must not be
 * written to while they are mapped (replace them by renaming): HEDDLE_E_READ if that is detected, as each
 * heddle_run tries to before it starts; accessing a page beyond the end of a truncated file raises SIGBUS. Errors:
 * HEDDLE_E_OPEN, HEDDLE_E_READ, HEDDLE_E_FORMAT (with file, line, column, token and what was expected),
 * HEDDLE_E_LIMIT, HEDDLE_E_UNSUPPORTED (a format or codec that is not built in). Cost: linear in the bytes, in
 * parallel except for decompression; memory for the graph, a few bytes per edge while it is built, and the
 * decompressed bytes of a compressed file. "example:karate" and "example:lesmis" are small graphs that are built in. */
HEDDLE_API heddle_status heddle_graph_load(heddle_context *context, const char *path,
                                           const heddle_load_options *options, heddle_graph **graph);
/* The same from `bytes` bytes in memory: the content of a file, plain or compressed. The format is the one that options
 * name, else detected from the content. The graph does not refer to `data` afterwards. Errors: those of
 * heddle_graph_load; messages name the file "<memory>". Cost: that of heddle_graph_load, and a temporary copy of the
 * bytes (kept for a .hdl file). */
HEDDLE_API heddle_status heddle_graph_load_memory(heddle_context *context, const void *data, size_t bytes,
                                                  const heddle_load_options *options, heddle_graph **graph);

typedef struct heddle_save_options {
    size_t size;
    const char *format; /* NULL: by the suffix of the path */
    int lossy;          /* allow a format that drops ids, direction, weights or isolated vertices */
    int in_edges;       /* .hdl: store the in-edges too, so that they need not be rebuilt */
    int level;          /* of compression, for .gz, .zst, .bz2 and .xz; 0: the library's default */
    const char *order;  /* .hdl: also store the graph renamed in the order "degree", "bfs" or "out", or in several, as
                           "degree,bfs"; runs whose plan names that order, and runs of plan auto if it is faster, use it
                           without renaming */
    uint64_t memory_limit; /* bytes that graph and call may take, as in heddle_build_options; 0: no limit. In-edges that
                              exceed it are built in a temporary file in the folder of the path */
    int packed; /* .hdl: also store the edges in fewer bits, as runs on devices send and read them if they exceed the
                   device's memory, which need not pack them then; with `order`, those of the renamed graphs too */
} heddle_save_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_save_options_init_sized(heddle_save_options *options, size_t size);
static inline void heddle_save_options_init(heddle_save_options *options) {
    heddle_save_options_init_sized(options, sizeof *options);
}

/* Writes a graph; "-" is standard output. A file appears complete or not at all: a temporary file in the same folder is
 * written, synced to the disk and renamed. Suffixes .gz, .zst, .bz2 and .xz compress. Errors: HEDDLE_E_WRITE,
 * HEDDLE_E_LOSSY (the format cannot hold the whole graph, and `lossy` is 0), HEDDLE_E_ARGUMENT (no format has the
 * suffix), HEDDLE_E_UNSUPPORTED. Cost: linear in the bytes, formatted in parallel; memory for buffers, and a renamed
 * copy of the graph per `order`. */
HEDDLE_API heddle_status heddle_graph_save(heddle_context *context, const heddle_graph *graph, const char *path,
                                           const heddle_save_options *options);
/* The vertices and arcs in the file that the context's latest successful heddle_graph_save wrote: where `lossy` let a
 * format leave some out, or add reverse arcs, other numbers than the graph's. 0 before the first; each pointer may be
 * NULL. Cost: none. */
HEDDLE_API void heddle_context_written(const heddle_context *context, uint64_t *vertices, uint64_t *arcs);

/* Decides what the plan's technique of Graffix ("graffix-coalesce", "graffix=latency+coalesce,spare=4") does to the
 * graph, and keeps that with it: runs under the same technique and knobs, whose graph is not changed in other ways
 * first, build their graph from it, and heddle_graph_save writes it to .hdl files. For a plan with residency stream
 * whose partitions are not packed ("graphie,stream.partitions=64"), keeps its edges under virtual ids. What a file has
 * kept is checked against its graph before it is used, and not used by other versions or knobs, which is noted. No
 * other call may use the graph meanwhile. Errors: HEDDLE_E_ARGUMENT (no such plan, or divergence alone, which has
 * nothing to keep), HEDDLE_E_LIMIT (a graph keeps eight; virtual ids exceed 32 bits), HEDDLE_E_MEMORY,
 * HEDDLE_E_CANCELLED. Cost: that of the technique, near-linear. */
HEDDLE_API heddle_status heddle_graph_prepare(heddle_context *context, heddle_graph *graph, const char *plan);

/* Reads the file `from` and writes it to `to`: heddle_graph_load, then heddle_graph_save. On ranks it is collective,
 * and no rank ever has the whole graph: each reads a share of the lines of a plain edge list, .gr or .mtx file, and all
 * write their ranges of one .hdl file, which is the same, byte for byte, that one process writes. Errors: those of both
 * functions; on ranks also HEDDLE_E_REFUSED for other formats, compressed files, labels as ids, in-edges, orders and
 * memory limits. Cost: linear in the text, which ranks read three times; on a rank, for its share of the edges, some 30
 * bytes each. */
HEDDLE_API heddle_status heddle_graph_convert(heddle_context *context, const char *from,
                                              const heddle_load_options *load, const char *to,
                                              const heddle_save_options *save);

/* ---- Generators ---------------------------------------------------------------------------------------------- */

/* A kind of synthetic graph, with the options it reads. */
typedef struct heddle_generator_info {
    const char *kind;        /* "rmat" */
    const char *description; /* one line */
    const char *options;     /* names of the fields of heddle_generate_options it uses, space-separated */
} heddle_generator_info;

/* The kinds by index from 0; NULL past the last. Cost: none. */
HEDDLE_API const heddle_generator_info *heddle_generator_at(size_t index);

/* The comments begin with the defaults. */
typedef struct heddle_generate_options {
    size_t size;
    const char *kind;  /* "rmat": one of heddle_generator_at() */
    int scale;         /* 16: 2^scale vertices where `vertices` is not given */
    uint64_t vertices; /* 0: not given (clique: 1024). Not for grid and road */
    double degree;   /* 16: generated edges per vertex; smallworld: neighbours, an even number; blockmodel: neighbours;
                           barabasi: edges of each new vertex, a whole number from 1 to 1024 */
    uint64_t width;  /* 1024: grid, road */
    uint64_t height; /* 1024: grid, road */
    uint64_t depth;  /* 1: grid, 3-D when > 1 */
    double a, b, c;  /* 0.57, 0.19, 0.19: rmat, quadrant probabilities; d = 1 - a - b - c */
    int scramble;    /* 1: rmat, permute the ids so that degree does not follow id */
    double probability; /* 0.1: road, share of edges removed; smallworld, share of edges rewired; blockmodel, share of
                           edges between blocks */
    uint64_t branching; /* 2: tree, children per vertex */
    int weighted;       /* 0; 1 draws weights from [weight_min, weight_max] by a hash of the ends */
    double weight_min;  /* 1; whole numbers, unless weight_real */
    double weight_max;  /* 64 */
    int weight_real;    /* 0; 1 draws from [weight_min, weight_max) in single precision */
    uint64_t seed;      /* 1 */
    heddle_build_options build;
    uint64_t blocks; /* 4: blockmodel, number of blocks of consecutive ids, 1 to 4096, of equal size unless */
    const uint64_t *block_sizes; /* NULL: blockmodel, vertices of each block, in place of `vertices` and `scale` */
    const double *rates;     /* NULL: blockmodel, the probability of an edge for a pair of vertices of blocks a and b at
                                [a * blocks + b], symmetric; in place of `degree` and `probability` */
    const uint64_t *degrees; /* NULL: configuration, the degree of each vertex, with an even sum; the graph is */
    uint64_t degree_count;   /* 0: undirected, and these are its vertices */
    const heddle_graph *degrees_of; /* NULL: configuration, a graph whose degrees are taken instead; of a directed one
                                       those in and out, and the graph is directed */
} heddle_generate_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_generate_options_init_sized(heddle_generate_options *options, size_t size);
static inline void heddle_generate_options_init(heddle_generate_options *options) {
    heddle_generate_options_init_sized(options, sizeof *options);
}

/* Generates a graph. The same options and seed give the same graph on any machine with any number of threads. Arrays
 * are the caller's, and read during the call alone; on ranks all give the same. Errors: HEDDLE_E_ARGUMENT (an option
 * out of its range, an unknown kind), HEDDLE_E_LIMIT. Cost: linear in the generated edges, in parallel; memory for the
 * graph and a few bytes per edge: no edge list is stored; blockmodel: 4 bytes per pair of blocks, too. */
HEDDLE_API heddle_status heddle_graph_generate(heddle_context *context, const heddle_generate_options *options,
                                               heddle_graph **graph);
/* Makes the graph and writes it to the file `to`: heddle_graph_generate, then heddle_graph_save. On ranks it is
 * collective: each makes a share of the edges, and all write one .hdl file, as heddle_graph_convert does. Errors and
 * cost: those of these functions. */
HEDDLE_API heddle_status heddle_graph_generate_file(heddle_context *context, const heddle_generate_options *options,
                                                    const char *to, const heddle_save_options *save);
/* Makes a graph of the edges and writes it to the file `to`: heddle_graph_from_edges, then heddle_graph_save. On ranks
 * it is collective: each gives a share of the edges, none or any number, and all write one .hdl file, as
 * heddle_graph_convert does; `vertices`, options and the type of the weights are the same on all. Errors and cost:
 * those of these functions. */
HEDDLE_API heddle_status heddle_graph_edges_file(heddle_context *context, uint64_t vertices, uint64_t edges,
                                                 const int64_t *sources, const int64_t *targets, const void *weights,
                                                 heddle_weight_type weight_type, const heddle_build_options *build,
                                                 const char *to, const heddle_save_options *save);

/* ---- Subgraphs ----------------------------------------------------------------------------------------------- */

typedef struct heddle_subgraph_options {
    size_t size;
    const unsigned char *keep;       /* one per vertex: 0 drops it; NULL: none is dropped for that */
    uint64_t min_degree, max_degree; /* 0 and UINT64_MAX: vertices of fewer or more arcs, in and out, are dropped; both
                                        arcs of an undirected edge count once, loops twice */
    double min_weight, max_weight;   /* -infinity and infinity: arcs of lower or higher weight are dropped; without
                                        weights all are 1. Degrees are those of the graph before */
    int drop_isolated;               /* drop vertices that are left without arcs */
    uint64_t memory_limit;           /* bytes, for both graphs; 0: none. Mapped files are not counted */
    const char *spill;               /* a folder: rows that exceed the limit lie in a temporary file there; NULL: the
                                        call fails then */
    double vertex_share; /* 1: the probability that a vertex is kept; below 1 the graph is a random sample. Degrees are
                            those of the graph before */
    double edge_share;   /* 1: the same for edges: parallel ones, and both arcs of an undirected one, together */
    uint64_t seed;       /* 1: of the sample: the same one for any number of threads */
} heddle_subgraph_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_subgraph_options_init_sized(heddle_subgraph_options *options, size_t size);
static inline void heddle_subgraph_options_init(heddle_subgraph_options *options) {
    heddle_subgraph_options_init_sized(options, sizeof *options);
}

/* The graph of the vertices that are kept, and of the arcs between them that are: a new graph, in which vertices have
 * the ids that they have in the old one. Errors: HEDDLE_E_ARGUMENT (a weight bound that is no number, a share that is
 * not from 0 to 1), HEDDLE_E_MEMORY (more than the limit), HEDDLE_E_REFUSED (drop_isolated on disk), those of
 * heddle_graph_out. Cost: linear, in parallel; memory for the new graph, and 4 bytes per old vertex meanwhile. */
HEDDLE_API heddle_status heddle_graph_subgraph(heddle_context *context, const heddle_graph *graph,
                                               const heddle_subgraph_options *options, heddle_graph **subgraph);

/* ---- Statistics ---------------------------------------------------------------------------------------------- */

#define HEDDLE_HISTOGRAM_BINS 34 /* bin 0: degree 0; bin k: degrees 2^(k-1) .. 2^k - 1 */

typedef struct heddle_stats {
    size_t size; /* set it before the call */
    uint64_t vertices, edges;
    int directed;
    heddle_weight_type weight_type;
    double weight_min, weight_max; /* 0 without weights or edges */
    uint64_t self_loops;
    uint64_t duplicate_edges; /* arcs beyond the first with the same end points */
    uint64_t isolated;        /* vertices without arcs */
    uint64_t max_out_degree, max_in_degree;
    heddle_vertex max_out_vertex;                  /* smallest vertex of largest out-degree */
    double mean_degree, median_degree, p99_degree; /* of out-degrees */
    double degree_deviation;                       /* standard deviation over mean of out-degrees */
    double gini;                                   /* of out-degrees: 0 all equal, near 1 all on one vertex */
    double warp_efficiency; /* share of useful lanes if each of a warp's 32 lanes takes one vertex's out-edges */
    uint64_t histogram[HEDDLE_HISTOGRAM_BINS]; /* out-degrees */
    uint64_t components;                       /* weakly connected */
    uint64_t largest_component;                /* its vertices */
    uint64_t estimated_diameter; /* lower bound from a few sweeps inside the largest component, ignoring direction */
    uint64_t bytes_csr;          /* offsets + targets + weights of one direction */
    int64_t weight_min_whole, weight_max_whole; /* i64: weight_min and weight_max exactly; else 0 */
    double density;     /* edges over pairs of different vertices, of directed graphs ordered pairs; 0 without pairs */
    double reciprocity; /* share of the arcs, loops apart, whose reverse is there: undirected 1; NaN without arcs */
    double assortativity; /* correlation of the degrees of an arc's ends, out of its source and into its target; NaN if
                             all are equal */
    int forest;           /* 1: no cycle, whatever the direction; a tree if there is one component */
} heddle_stats;

/* Computes all of the above. Errors: those of heddle_graph_in. Cost: near-linear time; a few bytes per vertex while
 * it runs; builds the in-edges of a directed graph, which are kept. */
HEDDLE_API heddle_status heddle_graph_stats(heddle_context *context, const heddle_graph *graph, heddle_stats *stats);

/* ---- Transforms ---------------------------------------------------------------------------------------------- */

/* A transform splits vertices of more than K edges (Tigr, ASPLOS 2018): each becomes a family, itself and new vertices
 * that divide its edges among them, connected by new edges. Paths between the graph's own vertices are preserved, with
 * new edges in between. docs/transforms.md is the manual. */
typedef struct heddle_transform_info {
    const char *name;        /* "udt" */
    const char *description; /* one line */
} heddle_transform_info;

/* The transforms by index from 0; NULL past the last. Cost: none. */
HEDDLE_API const heddle_transform_info *heddle_transform_at(size_t index);

#define HEDDLE_BOUND_AUTO UINT64_MAX

/* The comments begin with the defaults. */
typedef struct heddle_transform_options {
    size_t size;
    const char *name; /* "udt" */
    uint64_t bound;   /* HEDDLE_BOUND_AUTO: the degree bound K is chosen from the largest degree */
    int pull;         /* 0: out-edges are divided; 1: in-edges */
    int weigh;        /* 0; 1 gives a graph without weights weights of 1, so that new edges can have another weight */
    double weight;    /* 0: weight of new edges, if there are weights; infinity: the largest that their type holds */
    uint64_t seed;    /* 1: cliq, circ: which vertex of a family gets an edge of the other direction */
} heddle_transform_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_transform_options_init_sized(heddle_transform_options *options, size_t size);
static inline void heddle_transform_options_init(heddle_transform_options *options) {
    heddle_transform_options_init_sized(options, sizeof *options);
}

/* How uneven the rows of one direction are. */
typedef struct heddle_irregularity {
    uint64_t vertices, edges;
    uint64_t max_degree;
    double mean_degree;
    double warp_efficiency; /* share of useful lanes if each of a warp's 32 lanes takes one vertex's edges */
    uint64_t histogram[HEDDLE_HISTOGRAM_BINS];
    uint64_t bytes; /* offsets + targets + weights */
    uint64_t reserved[4];
} heddle_irregularity;

typedef struct heddle_transform_report {
    size_t size; /* set it before the call */
    const char *name;
    uint64_t bound;    /* K, as given or chosen */
    uint64_t families; /* vertices that were split; 0: none had more than K edges */
    uint64_t added_vertices;
    uint64_t added_edges;
    uint32_t height; /* largest number of new edges on a path through a family */
    double hops;     /* the same, averaged over the graph's edges; an estimate */
    double seconds;
    heddle_irregularity before, after; /* of the direction that was split */
    double clustering;                 /* clustering coefficient, sampled */
    int worth;
    char advice[320]; /* whether it is worth it, and why */
} heddle_transform_report;

/* Builds the split graph, the same for any number of threads; *result is NULL if no degree is above K. The graph's
 * vertices keep their numbers and ids; new ones follow, with ids above the largest (labels: "split:0" …). `report` may
 * be NULL. Errors: HEDDLE_E_REFUSED for a K of 1 with which the transform never ends, or if the graph has such labels
 * already, HEDDLE_E_LIMIT for more than 2^32 - 2 vertices. Cost: linear in both graphs (cliq adds edges quadratic in
 * the degree), in parallel; memory for the new graph and a few bytes per split vertex. */
HEDDLE_API heddle_status heddle_graph_transform(heddle_context *context, const heddle_graph *graph,
                                                const heddle_transform_options *options, heddle_graph **result,
                                                heddle_transform_report *report);

/* ---- Devices ------------------------------------------------------------------------------------------------- */

/* A device that was found, or, with `name` empty, a kind of device of which none was found, and in `missing` why. */
typedef struct heddle_device_info {
    size_t size;    /* set that of the first entry before the call: it is also the stride of the array */
    char kind[16];  /* "cpu", "cuda", "opencl" */
    uint32_t index; /* "cuda:INDEX" names it */
    char name[128];
    char driver[96];   /* driver and its version */
    char compiler[96]; /* the compiler for kernels */
    uint64_t memory;   /* bytes */
    uint32_t units;    /* cores, multiprocessors, compute units */
    int accelerator;   /* 0: an OpenCL device that is the CPU itself */
    char missing[192];
} heddle_device_info;

/* The kinds of device beside the CPU ("cuda", "opencl") by index from 0, whether there is one or not; NULL past the
 * last. Cost: none. */
HEDDLE_API const char *heddle_device_kind_at(size_t index);

/* Fills up to `room` entries; `count` receives the total number. Drivers are opened, but no device is. `devices` may be
 * NULL if `room` is 0. Errors: only HEDDLE_E_ARGUMENT; a driver's error is in its entry. Cost: opening the drivers, a
 * quarter of a second for CUDA. */
HEDDLE_API heddle_status heddle_device_list(heddle_context *context, heddle_device_info *devices, size_t room,
                                            size_t *count);

/* 0: it is certain that this machine has no accelerator, and no driver had to be opened to know: there is no CUDA; no
 * device file of a GPU is in /dev, and all drivers of OpenCL (the .icd files, in /etc/OpenCL/vendors or
 * $OCL_ICD_VENDORS) are known to run on the CPU alone, as PoCL does. Device "auto" opens no driver then. 1: there may
 * be one. Cost: looking at a few files. */
HEDDLE_API int heddle_accelerator_possible(void);

/* Peak rates of a device, measured by the call. Lower bounds of run times follow from them. */
typedef struct heddle_ceilings {
    size_t size;   /* set it before the call */
    double copy;   /* bytes per second, reads plus writes */
    double gather; /* random reads of 4 bytes per second */
    double bus;    /* bytes per second from pinned host memory to the device; 0 on the CPU */
} heddle_ceilings;

/* Measures a device ("cpu", "cuda:0", not "auto") for about a second; the random reads go to a table of `table_bytes`,
 * on the CPU at most 1 GiB. Errors: HEDDLE_E_ARGUMENT (another name), HEDDLE_E_DEVICE, HEDDLE_E_DEVICE_MEMORY. Cost: a
 * second; memory for the table and the arrays copied. */
HEDDLE_API heddle_status heddle_device_ceilings(heddle_context *context, const char *device, uint64_t table_bytes,
                                                heddle_ceilings *ceilings);

/* ---- Running algorithms -------------------------------------------------------------------------------------- */

/* The names of the presets that heddle_run_options.plan takes ("auto", "ws" …) by index from 0; NULL past the last.
 * Cost: none. */
HEDDLE_API const char *heddle_plan_at(size_t index);
/* A description of each of them, in one line; NULL past the last. Cost: none. */
HEDDLE_API const char *heddle_plan_about(size_t index);

/* A key of a plan, as in "order=bfs,K=10". */
typedef struct heddle_plan_key_info {
    const char *name;        /* "order" */
    const char *description; /* one line */
} heddle_plan_key_info;

/* The keys by index from 0, and the values that the key of an index takes; NULL past the last. A key that takes numbers
 * has no values. Cost: none. */
HEDDLE_API const heddle_plan_key_info *heddle_plan_key_at(size_t index);
HEDDLE_API const char *heddle_plan_value_at(size_t key, size_t index);

/* An algorithm of `heddle NAME GRAPH` and heddle_run(). */
typedef struct heddle_algorithm_info {
    const char *name;        /* "bfs" */
    const char *description; /* one line */
    const char *options;     /* names of the fields of heddle_run_options it reads, space-separated */
} heddle_algorithm_info;

/* The algorithms by index from 0; NULL past the last. Cost: none. */
HEDDLE_API const heddle_algorithm_info *heddle_algorithm_at(size_t index);

/* The kind of an option, and with it the type of its field. */
typedef enum heddle_option_kind {
    HEDDLE_OPTION_FLAG = 0, /* int: 0 or 1 */
    HEDDLE_OPTION_NUMBER,   /* double */
    HEDDLE_OPTION_COUNT,    /* uint64_t */
    HEDDLE_OPTION_BYTES,    /* uint64_t */
    HEDDLE_OPTION_CHOICE,   /* an enumeration */
    HEDDLE_OPTION_TEXT,     /* const char * */
    HEDDLE_OPTION_PATH,     /* const char *, of a folder */
    HEDDLE_OPTION_ARRAY     /* a pointer */
} heddle_option_kind;

/* An option of runs: a field of heddle_run_options. */
typedef struct heddle_run_option {
    size_t size;             /* set it before the call */
    const char *name;        /* of the field: "max_iterations" */
    const char *command;     /* the command's name for it, without dashes: "max-iterations" */
    const char *argument;    /* the command's name for its value: "N"; NULL: it takes none */
    const char *description; /* a few words; --NAME in them is another option, as the command calls it */
    heddle_option_kind kind;
    int common;         /* 1: every run takes it; 0: those of the algorithms that list it among their options */
    size_t offset;      /* of the field in heddle_run_options */
    double standard;    /* the default of a number or count; 0 beside `automatic`: from the graph, or all */
    int automatic;      /* 1: a field of 0 asks for the default */
    double low, high;   /* the bounds of a number; `high` may be infinite */
    int below;          /* 1: `high` itself is out of range */
    const char *values; /* of a choice: its words, space-separated, for values from 0 on; else NULL */
} heddle_run_option;

/* Fills in an option by its index from 0: first those that the algorithm reads, then those of every run; with
 * `algorithm` NULL those of all algorithms. Of vertex programs, the algorithm is "program". What differs between
 * algorithms (`description`, `standard`) is that of the algorithm. Returns 1; 0 past the last, for an unknown
 * algorithm, and if `option` is NULL or its size is not set. Cost: O(options). */
HEDDLE_API int heddle_run_option_at(const char *algorithm, size_t index, heddle_run_option *option);

typedef enum heddle_precision {
    HEDDLE_PRECISION_DEFAULT = 0, /* pr single, bc and sssp double, others as their section of the manual says */
    HEDDLE_PRECISION_SINGLE,
    HEDDLE_PRECISION_DOUBLE
} heddle_precision;

/* How similar two vertices are, from the sets A and B of their neighbours. */
typedef enum heddle_similarity {
    HEDDLE_SIMILARITY_JACCARD = 0, /* |A and B| / |A or B| */
    HEDDLE_SIMILARITY_OVERLAP,     /* |A and B| / min(|A|, |B|) */
    HEDDLE_SIMILARITY_COSINE,      /* |A and B| / sqrt(|A| |B|) */
    HEDDLE_SIMILARITY_ADAMIC_ADAR, /* the sum of 1 / log(number of neighbours) over the vertices in both */
    HEDDLE_SIMILARITY_RESOURCES,   /* resource allocation: the sum of 1 / number of neighbours over these */
    HEDDLE_SIMILARITY_ATTACHMENT   /* preferential attachment: |A| |B|; lists have pairs with a common neighbour */
} heddle_similarity;

/* Which edges of a vertex count; of an undirected graph always all. */
typedef enum heddle_edge_direction {
    HEDDLE_EDGES_BOTH = 0,
    HEDDLE_EDGES_OUT, /* those that leave it */
    HEDDLE_EDGES_IN   /* those that enter it */
} heddle_edge_direction;

/* A compiled vertex program (below). */
typedef struct heddle_program heddle_program;

typedef struct heddle_run_options {
    size_t size;
    const char *algorithm;        /* one of heddle_algorithm_at(); "bfs" */
    const heddle_vertex *sources; /* bfs, sssp, sswp, bc, closeness, harmonic, eccentricity: where to start; NULL: the
                                     vertex of largest out-degree, the smallest on ties (from bc on: all vertices);
                                     pr: with `each`; similar: the vertices to which similar ones are wanted;
                                     walks: NULL: all vertices; programs: me->source, NULL as for bfs */
    uint64_t source_count;
    int parents;                   /* bfs, sssp, sswp: also compute parents, each the smallest valid vertex. A parent's
                                      edge gives exactly the vertex's value, and its own value is strictly better, or,
                                      if there is no such vertex, equal and fewer edges of weight 0 away from one
                                      (sswp: edges between equal values) */
    int each;                      /* bfs: a separate search from each source, many at once, instead of one from all;
                                      sssp: likewise, one after the other, on the CPU;
                                      pr: ranks from each source, to which all jumps go; not with parents or a plan */
    int weighted;                  /* pr: rank is distributed in proportion to the weights; eigenvector, katz, hits,
                                      louvain, leiden: edges count by them; walks: edges are drawn by them */
    double damping;                /* pr: 0.85 */
    double tolerance;              /* pr: L1 change, 1e-6; hs, cs, nn: largest change, 1e-4; eigenvector, katz, hits:
                                      1e-6 (docs/algorithms.md); programs with SUM: relative change, 1e-4
                                      (docs/programs.md); 0: the algorithm's own */
    uint64_t max_iterations;       /* 0: the algorithm's own (pr 100; cdlp 10; louvain, leiden: levels, 100; others
                                      1000) */
    const double *personalization; /* pr: one weight per vertex, >= 0, not all 0; NULL: uniform */
    uint64_t samples;              /* bc, closeness, harmonic, eccentricity: number of sampled sources; 0: all (or
                                      `sources`) */
    int normalized;                /* bc, harmonic, katz */
    double delta;                  /* sssp: bucket width, rounded to a power of two; 0: from the graph */
    double rate;                   /* hs: the factor a, 0.5 */
    const double *initial;         /* hs, cs, nn: one value per vertex; NULL: the algorithm's own; programs:
                                      me->initial, 0 if NULL */
    const unsigned char *fixed;    /* hs, cs, nn: vertices that keep their value; NULL: the algorithm's own; programs:
                                      me->fixed */
    heddle_precision precision;
    uint64_t seed;       /* sampled sources; those of max_error too; louvain, leiden, lpa: the order of visits; walks;
                            programs: run->seed */
    const char *program; /* a vertex program's C file (docs/programs.md); `algorithm` is ignored then */
    const char *parameters;   /* the program's parameters: "rate=0.25,bias=1"; HEDDLE_E_ARGUMENT without a program */
    const char *device;       /* "auto", "cpu", "cuda", "cuda:1", "opencl:0"; several: "cuda:0,1", "opencl:0,cpu" */
    const char *plan;         /* "auto"; on a device a preset or KEY=VALUE,… (docs/schedules.md) */
    int profile;              /* on a device: kernels count useful lanes, see the report; slower */
    const char *keep_source;  /* folder for the source text of everything compiled for the run; NULL: none */
    const char *program_text; /* source of a vertex program, used instead of the file `program`, which is then only its
                                 name in messages; NULL: none */
    uint64_t memory_limit;    /* bytes that graph, values and buffers may take, on the device if that has memory of its
                                 own, else in the host's; 0: what is free. Edges that do not fit lie elsewhere (plan key
                                 "residency"), or the run is refused before it starts */
    /* An error budget (docs/approximation.md): pr, bc and harmonic stop as soon as the error is proven to be at most
     * this; bfs, sssp, cc, scc and mst may take a plan of graffix whose inaccuracy on a sample is at most this; others
     * run exactly, and say so. pr: the L1 distance from the true ranks. bc: the largest error of a vertex, where values
     * are divided by (n - 1)(n - 2), whether or not `normalized` asks for that; harmonic: by n - 1. 0: none. */
    double max_error;
    double confidence; /* bc, harmonic with max_error: the probability that the bound holds, 0.9; 0: that */
    uint64_t top;      /* bc with max_error: may also stop once the `top` largest values are known to be that; 0: not;
                          similar: how many pairs, for each source or in all; 0: 10 */
    int approximate;   /* allows plans whose results are approximate: those of graffix (docs/approximation.md) */
    /* Checkpoints of vertex programs, also on several ranks (docs/clusters.md): their values are written to
     * a file in the folder `checkpoint` after every `checkpoint_every` rounds (0: 10); NULL: none. `resume`: go on from
     * the one that is there, if any; HEDDLE_E_REFUSED for one of another graph or program or with other options that
     * values depend on, and while another run uses the folder. */
    const char *checkpoint;
    uint64_t checkpoint_every;
    int resume;
    int spread; /* on ranks: 1: every rank's result has the values of its own vertices, if there are no parents, and no
                   rank has all; 0: rank 0's has all values, and the others' have none */
    int reversed;       /* closeness, harmonic: distances from a vertex to the others (or sources), not to it from them;
                           eccentricity: distances to a vertex, not from it */
    int reachable_only; /* closeness: not multiplied by the share of vertices that reach the vertex */
    double alpha;       /* katz: what each further edge of a walk is multiplied by; 0: one that surely converges */
    int hubs;           /* hits: the hubs, not the authorities */
    double resolution;  /* louvain, leiden: 1; above: more and smaller communities, below: fewer and larger ones */
    /* similar: the pairs of vertices to compare, two numbers each; NULL: the `top` most similar ones to each source, or
     * without sources the most similar pairs of all. */
    const heddle_vertex *pairs;
    uint64_t pair_count;
    heddle_similarity measure; /* similar */
    uint64_t walks;            /* walks: how many from each source; 0: 10 */
    uint64_t length;           /* walks: how many edges each has; 0: 80 */
    /* walks: the parameters of node2vec. A step back to the vertex before is 1/p times as likely, one to a vertex to
     * which that has no edge 1/q times as likely as one to a vertex to which it has; 0: 1. */
    double p, q;
    /* A compiled program, used instead of `program` and `program_text`; must live until the run is over. NULL: none. */
    const heddle_program *compiled_program;
    heddle_edge_direction direction; /* degree */
    int not_neighbours;              /* similar: without pairs that an edge connects already */
    uint64_t min_degree;             /* similar: only vertices with so many neighbours or more; not of given pairs */
} heddle_run_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_run_options_init_sized(heddle_run_options *options, size_t size);
static inline void heddle_run_options_init(heddle_run_options *options) {
    heddle_run_options_init_sized(options, sizeof *options);
}

/* The result of a run: a value per vertex (mst: a list of edges; similar: of pairs), a report, and on request parents.
 */
typedef struct heddle_result heddle_result;

typedef enum heddle_value_type {
    HEDDLE_VALUE_U32 = 0, /* UINT32_MAX: unreached; for user programs only if they define UNREACHED */
    HEDDLE_VALUE_U64 = 1, /* UINT64_MAX: unreached; likewise */
    HEDDLE_VALUE_I32 = 2,
    HEDDLE_VALUE_F32 = 3, /* infinity: unreached (sswp: -infinity) */
    HEDDLE_VALUE_F64 = 4,
    HEDDLE_VALUE_I64 = 5 /* sswp: INT64_MIN: unreached, INT64_MAX: a source */
} heddle_value_type;

typedef struct heddle_values {
    size_t size; /* sizeof(heddle_values) of the library */
    heddle_value_type type;
    uint64_t count;   /* of vertices */
    const void *data; /* owned by the result */
    uint64_t columns; /* 1; with `each` the number of sources: `count` values per source, stored source by source */
    int labels;       /* 1: values are vertices, as those of cc and scc */
    int plain;        /* 1: the largest u32 or u64 is an ordinary value, not "unreached" */
    uint64_t first;   /* the vertex that the first value is of: 0, unless values are spread over ranks (run option
                         `spread`); then each rank has a range of vertices, in the order of ranks */
    int spread;       /* 1: they are */
    int walks;        /* 1: `count` walks, not vertices, and 1 + `length` columns */
} heddle_values;

/* The values, in vertex order. cc, scc, louvain, leiden, lpa: the smallest vertex of the component or community;
 * cdlp: the vertex that the community is named after. walks: `count` is the number of walks, those of the first source
 * first, and column k has the vertices after k edges, UINT32_MAX where a walk has ended. For mst and similar, see
 * heddle_result_forest. Owned by the result. Never NULL; empty for a NULL result. Cost: O(1). */
HEDDLE_API const heddle_values *heddle_result_values(const heddle_result *result);
/* Parents in vertex order, UINT32_MAX for sources and unreached vertices; NULL if they were not requested. Owned by the
 * result. Cost: O(1). */
HEDDLE_API const heddle_vertex *heddle_result_parents(const heddle_result *result);
/* Frees the parents: heddle_result_save writes none then, and heddle_result_parents gives NULL. NULL: does nothing.
 * Cost: O(1). */
HEDDLE_API void heddle_result_drop_parents(heddle_result *result);
/* A vertex's value as a double, infinity if unreached (sswp: -infinity); of several columns the first. NaN for a vertex
 * that does not exist, or whose value another rank has, or NULL. Cost: O(1). */
HEDDLE_API double heddle_result_value(const heddle_result *result, heddle_vertex vertex);
/* The same as text, exact and as heddle_result_save writes it in .tsv (labels of components: as vertex numbers),
 * NUL-terminated, truncated to `size`; returns its full length, as snprintf does. Empty if there is no such value, or
 * for NULL. Cost: O(1). */
HEDDLE_API size_t heddle_result_value_text(const heddle_result *result, heddle_vertex vertex, char *buffer,
                                           size_t size);
/* Copies all values, column by column, into an array of `room` elements of the given type. Infinite values and
 * unreached vertices become infinity, UINT32_MAX, UINT64_MAX, or -1 for signed integers. Errors: HEDDLE_E_ARGUMENT if
 * `room` is too small, HEDDLE_E_LIMIT if the type cannot represent a value (floats are rounded). Cost: linear in the
 * values, in parallel. */
HEDDLE_API heddle_status heddle_result_copy(heddle_context *context, const heddle_result *result,
                                            heddle_value_type type, void *values, uint64_t room);

/* mst: the edges of the forest, ends[2k] < ends[2k + 1], sorted by both; weights of the graph's type (NULL: all 1).
 * similar: pairs, whose weights, of type F64, are their similarity: the given ones in their order; else those of each
 * source, which comes first, or those of all, the smaller vertex first; the most similar pairs first, then the
 * smaller. */
typedef struct heddle_forest {
    size_t size; /* sizeof(heddle_forest) of the library */
    uint64_t edges;
    const heddle_vertex *ends;
    heddle_weight_type weight_type;
    const void *weights;
} heddle_forest;
/* Owned by the result. Never NULL; without edges if the result is NULL or has values. Cost: O(1). */
HEDDLE_API const heddle_forest *heddle_result_forest(const heddle_result *result);
/* The weight of an edge of the forest as text, as heddle_result_value_text does for values. Cost: O(1). */
HEDDLE_API size_t heddle_forest_weight_text(const heddle_forest *forest, uint64_t edge, char *buffer, size_t size);

#define HEDDLE_SUMMARY_MOST 16

/* A figure of the summary, such as reached, max, components, total_weight, residual. */
typedef struct heddle_figure {
    const char *name;
    double value;
    uint64_t reserved[4];
} heddle_figure;

typedef struct heddle_report {
    size_t size; /* sizeof(heddle_report) of the library */
    const char *algorithm;
    const char *device;    /* "cpu", "cuda:0" */
    const char *schedule;  /* "cpu", "wseg" */
    const char *transform; /* "none", "udt": the transform applied for the run */
    double transforming;   /* seconds for it, or for virtual nodes; 0 if an earlier run's split graph is reused */
    double compute;        /* seconds, from graph in memory to values in memory; on a device: its kernels only */
    double prepare;        /* seconds spent on what later runs reuse: in-edges, an open device, shards */
    double compile;        /* seconds spent compiling; 0 if it came from the cache */
    double transfer;       /* seconds of copies to and from a device */
    uint64_t device_bytes; /* allocated on the device; 0 on the cpu */
    uint64_t lanes_useful; /* with `profile`: lanes that had an edge, over all steps of all warps */
    uint64_t lanes_walked; /* all lanes of those steps; 0: not counted */
    double lanes_computed; /* with `profile`: their ratio in a round over all vertices, computed from the degrees */
    uint64_t iterations;
    int converged;
    uint64_t edges_walked; /* edges visited (an estimate if counting would cost time) */
    int verified;          /* -1: not verified, see residual_verified; 0: failed; 1: passed */
    heddle_vertex source;  /* the first source; UINT32_MAX: none */
    uint32_t figure_count;
    heddle_figure figures[HEDDLE_SUMMARY_MOST];
    const char *residency; /* where the edges lay: "device" (on the cpu: in memory), or another value of the plan key */
    /* On a device, with a memory limit or edges in host memory; else 0. device_bytes is the peak then. */
    uint64_t edges_on_device, edges_on_host; /* bytes of the rows' targets and weights; stream: at the end */
    uint64_t host_bytes;                     /* in host memory that kernels used or edges were sent from, at most */
    double pinning;                          /* seconds of getting that memory; part of transfer, stream: of prepare */
    /* Residency disk; else 0. Bytes of the edges that the run used, of those that stayed in memory, and of what was
     * read from the file in all, the pass that checks it included; the parts into which edges are cut; the seconds in
     * which anything was read. */
    uint64_t disk_edges, disk_resident, disk_read, disk_parts;
    double disk_reading;
    /* Edges that are sent to a device (residency stream), or that it reads packed (pr under mixed); else 0. */
    double packing;       /* seconds of renaming and packing them, part of prepare; 0 if an earlier run's are reused */
    double bits_per_edge; /* of packed ones, as they are stored, weights included */
    const char *exchange; /* what the parts of a run on several devices sent each other: "vr"; "none": one device */
    /* Accuracy. A run that is not `approximate` is exact within rounding, or, where values approach a limit, as near
     * to it as the tolerance demands. The bound is in the terms of max_error; of katz, hs, cs and nn, which have none,
     * it is the largest error of a value, and heddle_verify proves it. Negative: none is known. */
    int approximate;
    double error_bound;
    double confidence; /* that the bound holds; 1: certain */
    /* Measured by heddle_verify; negative: not. */
    double inaccuracy;  /* sum |value - exact| / sum |exact| */
    double worst_error; /* in the terms of max_error */
    double bus; /* bytes per second from pinned host memory to the device, if edges crossed that bus; 0: not measured */
    const char *plan; /* the keys of the plan that had a value in the run, given or chosen: "K=10,schedule=vnode" */
    /* Of values that approach a limit (pr, eigenvector, katz, hits, hs, cs, nn), by heddle_verify: how far they miss
     * their equation, as one more round shows. Where no bound of the error follows from it, `verified` stays -1.
     * Negative: not known. */
    double residual_verified;
    /* Of these values too: the most that one of them is off by, over the exact one; with 1e-4 all of them have four
     * digits right. Any run of pr has a bound of it, heddle_verify proves a closer one. Negative: none below 1 is. */
    double relative_error;
} heddle_report;

/* Owned by the result. Never NULL; strings are "" for a NULL result. Cost: O(1). */
HEDDLE_API const heddle_report *heddle_result_report(const heddle_result *result);
/* A figure of the report, by its index, as text: exact, while `value` rounds whole numbers beyond 2^53; "inf" if it is
 * infinite. Owned by the result. NULL past the last, or for a NULL result. Cost: O(1). */
HEDDLE_API const char *heddle_result_figure_text(const heddle_result *result, uint32_t index);

/* The direction of a round. */
typedef enum heddle_direction {
    HEDDLE_DIRECTION_NONE = 0, /* neither: over all edges in any order */
    HEDDLE_DIRECTION_PUSH,     /* active vertices along their out-edges */
    HEDDLE_DIRECTION_PULL,     /* vertices along their in-edges */
    HEDDLE_DIRECTION_MIXED     /* several rounds of different directions */
} heddle_direction;

#define HEDDLE_NOT_KNOWN UINT64_MAX

/* One round of a run, or several consecutive ones: if a run has too many to list, or if they ran on a device without
 * the host in between. Figures are sums over them. Grows at the end only: see heddle_result_rounds. */
typedef struct heddle_round {
    uint64_t number;   /* of the (first) round, from 1 */
    uint64_t rounds;   /* how many this record covers */
    uint64_t vertices; /* active ones; HEDDLE_NOT_KNOWN: not counted */
    uint64_t edges;    /* visited, an estimate if the report's edges_walked is one; or HEDDLE_NOT_KNOWN */
    uint64_t bytes;    /* of these edges: targets, and weights if they are read; likewise */
    uint64_t lanes_useful, lanes_walked; /* with `profile`, on a device; 0: not counted */
    double begin;                        /* seconds since heddle_run began */
    double seconds;                      /* by the host's clock */
    heddle_direction direction;
    char kernel[28]; /* the kernel or step: "top-down", "wseg", "bc_levels" */
    /* Edges that pass through memory part by part (residency stream or disk); 0 where they do not. What a round needs
     * was sent (stream: to the device; disk: read from the file), is there still, or was read in host memory (stream):
     * sent + reused + in place = needed. */
    uint64_t parts_needed, parts_sent, parts_reused;
    uint64_t bytes_needed, bytes_sent, bytes_reused;
    double copy_seconds;   /* during which copies were under way; 0: not measured */
    double kernel_seconds; /* during which kernels were; likewise */
    /* On several devices; else 0. Bytes that the parts sent each other after the round, and of these the values that
     * had changed and are read by the receiver. */
    uint64_t exchanged, exchanged_useful;
    double exchange_seconds; /* of sending and waiting, of the part that took longest */
    double part_seconds;     /* of computing: the mean of the parts, … */
    double slowest_seconds;  /* … and the slowest */
    /* How the round got its edges, static text: "resident" (they were in the memory that it works in), "in place" (read
     * by kernels in host memory), "streamed" (sent as they are), "packed" (sent packed), "gathered" (sent, but of
     * each partition only the active rows), "disk" (read from the file). */
    const char *road;
    uint64_t bytes_in_place; /* of edges read in host memory by kernels; or HEDDLE_NOT_KNOWN (residency mixed, host) */
    int in_place_exact;      /* these were counted; 0: computed from the edges visited and the share in host memory */
    uint64_t parts_gathered, bytes_gathered; /* of those sent: parts of which only active rows were, and their bytes */
    uint64_t parts_in_place; /* parts that were neither sent nor there: active rows were read in host memory */
    uint64_t parts_again;    /* parts that were walked twice before others took their place (stream) */
} heddle_round;

/* The number of round records, below 1024. 0 for NULL. Cost: O(1). */
HEDDLE_API uint64_t heddle_result_round_count(const heddle_result *result);
/* Copies the first `count` of them, in order; `size` is the caller's sizeof(heddle_round). Returns how many were
 * copied; 0 for NULL. Cost: linear in them. */
HEDDLE_API uint64_t heddle_result_rounds(const heddle_result *result, heddle_round *rounds, size_t size,
                                         uint64_t count);

/* A part of a run on several devices: what it had, and what it did in all rounds. */
typedef struct heddle_part {
    char device[24];          /* "cpu", "opencl:1" */
    uint64_t vertices, edges; /* its own vertices, and the edges into them */
    uint64_t remote;          /* vertices of other parts that it reads */
    uint64_t boundary;        /* its vertices that others read, counted for each of them */
    uint64_t edges_walked;    /* in all rounds */
    uint64_t changed;         /* values of its own that changed, in all rounds */
    uint64_t bytes_sent;      /* to other parts */
    uint64_t bytes_useful;    /* of these, values that had changed and are read by the receiver */
    double computing;         /* seconds */
    double exchanging;        /* seconds of sending, and of waiting for others */
} heddle_part;

/* The number of parts; 0 for a run on one device, and for NULL. Cost: O(1). */
HEDDLE_API uint64_t heddle_result_part_count(const heddle_result *result);
/* Copies the first `count` of them, in the order of the devices; `size` is the caller's sizeof(heddle_part). Returns
 * how many were copied; 0 for NULL. Cost: linear in them. */
HEDDLE_API uint64_t heddle_result_parts(const heddle_result *result, heddle_part *parts, size_t size, uint64_t count);
/* The same for the rounds of one part, from 0: its own vertices, edges, bytes and seconds. With `rounds` NULL returns
 * how many there are. 0 for NULL, and for a part that does not exist. Cost: linear in them. */
HEDDLE_API uint64_t heddle_result_part_rounds(const heddle_result *result, uint64_t part, heddle_round *rounds,
                                              size_t size, uint64_t count);

/* Frees the result. Cost: that of freeing its memory. */
HEDDLE_API void heddle_result_destroy(heddle_result **result);

/* Starts the device of a future run in the background, while the caller still reads the graph: a driver takes a quarter
 * of a second. Returns at once; the first heddle_run on that device waits for the start to finish. Of `options` only
 * the device, the algorithm and the program are used. "auto": a GPU is started only if the size of the file, `bytes`
 * (0: unknown), leaves no doubt that the run will use it. "cpu", or a device that was started before: does nothing.
 * Errors of the start are reported by that heddle_run, as if this had not been called; heddle_context_destroy waits for
 * a start that no run has used. Errors: only HEDDLE_E_ARGUMENT and HEDDLE_E_MEMORY. Cost: O(1) for the caller; one
 * thread until the device is started. */
HEDDLE_API heddle_status heddle_device_prepare(heddle_context *context, const heddle_run_options *options,
                                               uint64_t bytes);

/* Runs an algorithm on a graph. Results are exact and do not depend on the number of threads; floating-point sums agree
 * within rounding. Errors: HEDDLE_E_ARGUMENT (an option that the algorithm uses is out of its range; for one that it
 * does not use there is a note), HEDDLE_E_SOURCE, HEDDLE_E_WEIGHT, HEDDLE_E_REFUSED (a plan that would give wrong
 * values), HEDDLE_E_PROGRAM, HEDDLE_E_DEVICE, HEDDLE_E_DEVICE_MEMORY and HEDDLE_E_MEMORY (also, before any work, a
 * memory_limit that is too small), HEDDLE_E_UNSUPPORTED (no C compiler for a program). Cost: bfs linear; cc, scc and
 * mst near-linear; sssp and sswp near-linear on usual graphs; pr, eigenvector, katz, hits, cdlp, lpa, hs, cs, nn and
 * user programs linear per round; bc, closeness, harmonic and eccentricity linear per source; kcore linear; tc, lcc
 * and truss O(m sqrt(m)); louvain and leiden near-linear on usual graphs; similar the shorter row per pair, or the sum
 * of the neighbours' degrees per source; walks their edges, times the logarithm of degrees with weights, p or q.
 * Memory: the values, working memory of a few bytes per vertex or edge (heddle_run_memory), and in-edges where the
 * algorithm needs them; in-edges stay with the graph, graphs that a plan derives (split, renamed, on a device) with the
 * context, for later runs. */
HEDDLE_API heddle_status heddle_run(heddle_context *context, const heddle_graph *graph,
                                    const heddle_run_options *options, heddle_result **result);

/* ---- Vertex programs ----------------------------------------------------------------------------------------- */

/* Traits and declarations of a program (docs/programs.md). */
enum {
    HEDDLE_PROGRAM_MONOTONE = 1,
    HEDDLE_PROGRAM_ALL_ACTIVE = 2,
    HEDDLE_PROGRAM_FROM_SOURCES = 4,
    HEDDLE_PROGRAM_UNIQUE_FIXED_POINT = 8,
    HEDDLE_PROGRAM_SUM = 16,
    HEDDLE_PROGRAM_UNTIL_UNCHANGED = 32,
    HEDDLE_PROGRAM_REVERSED = 64,
    HEDDLE_PROGRAM_TOTALS = 128, /* TOTALS, DONE, FIRST_PHASE are defined */
    HEDDLE_PROGRAM_DONE = 256,
    HEDDLE_PROGRAM_PHASES = 512,
    HEDDLE_PROGRAM_ONCE = 1024, /* promises */
    HEDDLE_PROGRAM_LEAST_FIRST = 2048,
    HEDDLE_PROGRAM_LARGEST_FIRST = 4096,
    HEDDLE_PROGRAM_CARRIED = 8192
};

/* A parameter of a program; all are doubles. */
typedef struct heddle_program_parameter {
    const char *name;
    double value; /* its default */
} heddle_program_parameter;

typedef struct heddle_program_info {
    size_t size; /* sizeof(heddle_program_info) of the library */
    const char *name;
    heddle_precision precision; /* of `real`: SINGLE or DOUBLE */
    int traits;                 /* HEDDLE_PROGRAM_…, joined with | */
    heddle_value_type output;   /* of its results */
    int weighted;               /* 1: it defines WEIGHT */
    uint64_t value_bytes, message_bytes;
    uint64_t parameter_count;
    const heddle_program_parameter *parameters; /* in the order of PARAMETERS */
} heddle_program_info;

/* Compiles a vertex program for the CPU, with the system's C compiler or from the cache, and loads it: the file `name`,
 * or `text`, which messages then call `name`. `precision` is that of `real`; DEFAULT is SINGLE. Runs take the program
 * by the option compiled_program, those on devices too, which compile the text for themselves; a run in the other
 * precision compiles it again, and its context keeps that. A program is not changed any more: several threads may run
 * it at the same time, each in a context of its own, and it may outlive the context that compiled it. Files that it
 * includes are read now, not at a run. Contexts keep the programs of `program` and `program_text` too, the last 32 that
 * include no file; this call is for those who share a program between contexts, or want to know its parameters.
 * Errors: HEDDLE_E_ARGUMENT; HEDDLE_E_OPEN, _READ: the file; HEDDLE_E_PROGRAM: it does not compile, with line and
 * column in the record; HEDDLE_E_UNSUPPORTED: there is no C compiler, and the cache does not have it; HEDDLE_E_MEMORY,
 * _WRITE, _CANCELLED. Cost: that of the C compiler, some tenths of a second; O(size) from the cache. */
HEDDLE_API heddle_status heddle_program_compile(heddle_context *context, const char *name, const char *text,
                                                heddle_precision precision, heddle_program **program);
/* The program's declarations. Owned by the program. Never NULL; no name, parameters or traits for NULL. Cost: O(1). */
HEDDLE_API const heddle_program_info *heddle_program_about(const heddle_program *program);
/* Frees it and sets *program to NULL; no run may be using it. NULL: nothing. Cost: O(1). */
HEDDLE_API void heddle_program_destroy(heddle_program **program);

/* ---- Explaining ---------------------------------------------------------------------------------------------- */

#define HEDDLE_EXPLAIN_REASONS 16
#define HEDDLE_EXPLAIN_ROWS 32

/* Efficiency of a schedule on a graph, computed from its degrees: exact for a round in which all vertices are active.
 * */
typedef struct heddle_schedule_row {
    char name[24];            /* "thread", "vwarp-8", "vnode coalesced" */
    char plan[64];            /* what heddle_run_options.plan takes for it */
    uint64_t lanes_useful;    /* lanes that have an edge, over all steps of all warps */
    uint64_t lanes_walked;    /* all lanes of those steps */
    double lane_efficiency;   /* their ratio, the warp execution efficiency */
    double edge_transactions; /* per edge: sectors of 32 bytes that steps access in targets and weights */
    double transactions;      /* the same plus one for the value at the edge's other end; shards: for writing copies */
    double round_seconds;     /* rough estimate of a round on a large GPU: for ranking schedules */
    uint64_t device_bytes;    /* graph, values and buffers; 0: not known beforehand */
    uint64_t reserved[4];
} heddle_schedule_row;

/* The plan of a run, and why. */
typedef struct heddle_explanation {
    size_t size; /* set it before the call */
    char device[24];
    char device_reason[256];
    char name[32], transform[16], schedule[24], direction[8], worklist[8], sync[8], residency[16], exchange[8];
    uint32_t reason_count;
    char reasons[HEDDLE_EXPLAIN_REASONS][200];
    uint32_t warp;    /* lanes of a warp, for the rows */
    int warp_assumed; /* no device was queried */
    char walks[32];   /* which edges a round visits: "in-edges", "out-edges", "edges of both directions" */
    uint32_t row_count;
    heddle_schedule_row rows[HEDDLE_EXPLAIN_ROWS];
    double cpu_seconds; /* about how long the run would take on the CPU, once the graph is loaded; 0: not known */
} heddle_explanation;

/* Explains what heddle_run would do with these options, without running, and computes the rows (none for an algorithm
 * that uses no schedule). Needs no device; if the named one does not exist, warps of 32 lanes are assumed. Errors:
 * HEDDLE_E_REFUSED as heddle_run. Cost: linear per row; builds the in-edges if the plan uses them. */
HEDDLE_API heddle_status heddle_explain(heddle_context *context, const heddle_graph *graph,
                                        const heddle_run_options *options, heddle_explanation *explanation);

/* Memory that a run would take on the device that its options name, or that auto chooses. */
typedef struct heddle_device_memory {
    size_t size; /* set it before the call */
    char device[24];
    uint64_t wanted;      /* estimated bytes for graph, values and buffers; 0: on the cpu, or not known beforehand */
    uint64_t free, total; /* bytes of the device now */
    char missing[256];    /* "", or why the device cannot be queried; a common GPU is assumed then */
    /* In host memory, for any device: bytes of the out-edges and ids that the run uses, and of in-edges, from the file
     * or built. Weights of a mapped file that are not read take none. */
    uint64_t host_edges, host_in_edges;
    /* Bytes of values and buffers there if it runs on the CPU, and of graphs that the plan derives (orders, splits),
     * about. */
    uint64_t host_run;
    char residency[16]; /* where edges would lie: a value of the plan key "residency"; "": the run would be refused */
    uint64_t host_resident; /* bytes of edges that would stay in host memory while the device reads them */
    char refused[256];      /* "", or why the run would be refused for want of memory, with the numbers */
    double cpu_seconds;     /* about how long the run would take on the CPU, once the graph is loaded; 0: not known */
} heddle_device_memory;

/* Computes these figures without running. Those of split graphs and user programs are not known beforehand. A damaged
 * file is detected only as far as the answer depends on its content. Errors: those that the run would report (a refused
 * plan, weights that the algorithm does not take, wrong options), with the same messages. Cost: at most linear; opens
 * the device. */
HEDDLE_API heddle_status heddle_run_memory(heddle_context *context, const heddle_graph *graph,
                                           const heddle_run_options *options, heddle_device_memory *memory);

/* ---- Verifying ----------------------------------------------------------------------------------------------- */

/* Checks a result against its certificate (docs/verification.md); bc by recomputing sampled sources. An approximate
 * result is compared with an exact run, if that is not much more work than the certificate: the report's inaccuracy and
 * worst_error, which must be within the bound. Options are those of the run. The report's `verified` becomes 1 if the
 * values are right: exactly, within rounding, or, where they approach a limit, within error_bound. It stays -1, with
 * HEDDLE_OK, where the certificate proves a residual but no bound of the error (residual_verified). Errors:
 * HEDDLE_E_VERIFY, with the first wrong vertex, if the check fails, or if the run did not converge, with an estimate of
 * the rounds that are missing (residual_verified is not negative then, if the values are those of its rounds);
 * HEDDLE_E_REFUSED for user programs. Cost: near-linear time (bc: a search per sample; hs, cs, nn, katz: some rounds
 * more for the bound), partly sequential; memory of a few dozen bytes per vertex (bc: per thread), and in-edges. */
HEDDLE_API heddle_status heddle_verify(heddle_context *context, const heddle_graph *graph,
                                       const heddle_run_options *options, heddle_result *result);

/* The same algorithm in simple sequential code, for comparison. Errors: those of heddle_run; HEDDLE_E_REFUSED for user
 * programs. Cost: that of the textbook algorithm on one thread (sssp, sswp: Dijkstra with a binary heap; mst: Kruskal).
 * */
HEDDLE_API heddle_status heddle_run_reference(heddle_context *context, const heddle_graph *graph,
                                              const heddle_run_options *options, heddle_result **result);

/* Writes a result in the format of the suffix, compressed if .gz, .zst, .bz2 or .xz follows:
 *   .tsv   (or .txt) "id<TAB>value" a line, in ascending order of vertices, inf (sswp: -inf) for unreached;
 *          components and communities are named by their label's id; with parents a third column, empty where there is
 *          none; mst: smaller id, larger id, weight; similar: two ids and, as weight, their similarity; walks: the ids
 *          of a walk in a line; with `each` a value for each source, after a header line "id<TAB>source<TAB>source…"
 *          with their ids
 *   .csv   the same with commas, quoted as in RFC 4180, after a header: id, what the values are (pagerank,
 *          component, distance …), parent; source,target,weight
 *   .npy   the values alone, as NumPy reads them; unreached in whole numbers: -1; with `each` a row for each source;
 *          with parents a structured array of "value" and "parent" (-1: none), mst: of "source", "target", "weight";
 *          walks: a row for each, -1 behind its end; vertices by their ids, or, if ids are strings, by their numbers:
 *          int64, or uint64 if an id is above 2^63 - 1 (none is 2^64 - 1 then)
 *   .json  an object {"algorithm", "columns", "rows": [[id, value], …]}, infinite values as strings; with `each` the
 *          columns' names are "id" and the ids of the sources
 * Approximate results are marked: .tsv begins with a line "# approximate: …", the values' column is called
 * "approximate_pagerank" in .csv, "approximate_value" in .json, which also has "approximate" and "error_bound", and so
 * is the field of the structured array that .npy has then.
 * "-" writes .tsv to standard output, rows alone, without a mark. The file appears complete or not at all. Values that
 * are spread over ranks are written by all of them into that one file; if "{rank}" is in the path, the rank's number
 * (0 in one process) replaces it, and each rank writes a file of its own, with the rows of its vertices. Errors:
 * HEDDLE_E_WRITE, HEDDLE_E_ARGUMENT (an unknown suffix, a result of another graph, or .npy with parents or walks if -1
 * is the id of a vertex). Cost: linear in the output, formatted in parallel, by ranks twice; memory for buffers. */
HEDDLE_API heddle_status heddle_result_save(heddle_context *context, const heddle_graph *graph,
                                            const heddle_result *result, const char *path);

/* The name of the column of a result's values in tables: "pagerank", "approximate_pagerank", of edges "weight"; as
 * snprintf does, at most 63 bytes. "" for NULL. Cost: none. */
HEDDLE_API size_t heddle_result_column_text(const heddle_result *result, char *buffer, size_t size);

/* A table of several results of one graph: a row for each vertex with its id and the value of each result. Columns are
 * called `names[k]`; where that is NULL, or `names` is, after what their values are ("pagerank"), or, if that is so of
 * two, after the algorithm. Formats and errors are those of heddle_result_save, with a line of names in .tsv too; .npy
 * is a structured array, whose first field is the id (bytes, if ids are strings). A single result may also have edges,
 * walks, parents, or a column for each source: then it is the file of heddle_result_save, with the line of names.
 * Errors: HEDDLE_E_ARGUMENT for no columns or more than HEDDLE_TABLE_COLUMNS, equal names, and names that are empty,
 * longer than 63 bytes, "id", or have quotes, backslashes, commas, semicolons or control characters;
 * HEDDLE_E_REFUSED for values that are spread over ranks. One process writes it. Cost: linear in the output. */
enum { HEDDLE_TABLE_COLUMNS = 100 };
HEDDLE_API heddle_status heddle_table_save(heddle_context *context, const heddle_graph *graph,
                                           const heddle_result *const *results, const char *const *names,
                                           uint64_t count, const char *path);
/* The same rows as a stream of Arrow, as heddle_result_to_arrow gives them. */
HEDDLE_API heddle_status heddle_table_to_arrow(heddle_context *context, const heddle_graph *graph,
                                               const heddle_result *const *results, const char *const *names,
                                               uint64_t count, struct ArrowArrayStream *stream);

/* The rows that heddle_result_save writes as a stream of Arrow, of one batch: ids, int64, uint64 if one exceeds 2^63 -
 * 1, or large strings, and columns of the names that .csv has; whole numbers are int64, unreached vertices have no
 * value. The stream owns its memory: it may outlive result, graph and context. On error its `release` is NULL. Errors:
 * HEDDLE_E_ARGUMENT (a result of another graph), HEDDLE_E_REFUSED (values that are spread over ranks). Cost: linear;
 * memory for the rows. */
HEDDLE_API heddle_status heddle_result_to_arrow(heddle_context *context, const heddle_graph *graph,
                                                const heddle_result *result, struct ArrowArrayStream *stream);

/* ---- The cache of compiled kernels --------------------------------------------------------------------------- */

#define HEDDLE_CACHE_KINDS 8 /* room for this many kinds; `kind` is NULL past the last */

typedef struct heddle_cache_count {
    const char *kind; /* "cpu", "cuda", "opencl"; "drivers": what the command found when it tried to open them */
    uint64_t files, bytes;
    uint64_t reserved[2];
} heddle_cache_count;

/* Kernels and programs compiled at run time are cached in a folder: $HEDDLE_CACHE, else $XDG_CACHE_HOME/heddle, else
 * ~/.cache/heddle; at most $HEDDLE_CACHE_MAX bytes (512M): the least recently used are removed first. */
typedef struct heddle_cache_info {
    size_t size;    /* set it before the call */
    char path[512]; /* empty: no cache folder is configured, and every run compiles */
    int unused;     /* 1: others can write to the folder, or the user cannot, and every run compiles */
    heddle_cache_count kinds[HEDDLE_CACHE_KINDS];
    heddle_cache_count left_over; /* temporary files of interrupted compilations */
} heddle_cache_info;

/* Counts the files in the folder; a folder that does not exist yet is empty. Errors: HEDDLE_E_READ. Cost: one stat call
 * per file. */
HEDDLE_API heddle_status heddle_cache_show(heddle_context *context, heddle_cache_info *info);
/* Removes these files, and counts them. Files that are not the library's own stay; in a folder without the library's
 * CACHEDIR.TAG nothing is removed (HEDDLE_E_REFUSED). Runs that compile meanwhile are not disturbed. Errors:
 * HEDDLE_E_READ, HEDDLE_E_WRITE, HEDDLE_E_REFUSED. Cost: two system calls per file. */
HEDDLE_API heddle_status heddle_cache_clear(heddle_context *context, heddle_cache_info *info);

/* The version of the library linked, "0.1.0". Cost: none. */
HEDDLE_API const char *heddle_version(void);

/* The libraries of this build, one line each, for bug reports: "zlib 1.2.13\nzstd: not built in\n…".
 * Cost: O(1). */
HEDDLE_API const char *heddle_build_info(void);

#ifdef __cplusplus
}
#endif

#endif
