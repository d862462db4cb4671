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
 *  - Ownership. `create`, `load`, `generate` … hand an object to the caller, who gives it back with the matching
 *    `destroy(&object)`, which also sets the pointer to NULL; destroying NULL is allowed.
 *  - Threads. The library keeps no global state but what OpenMP and drivers keep for a process; opening drivers is
 *    serialised. A context serves one calling thread at a time; two contexts work in two threads. A graph never changes
 *    once made and may be shared by any number of threads and contexts, as long as it is destroyed once, after its last
 *    use.
 *  - Fork. In a child of a process that used several threads or devices, contexts, graphs and results work, on one
 *    thread (OpenMP's own are not in the child); devices are refused with HEDDLE_E_DEVICE, and what the parent had
 *    on them is left alone. A child that wants threads or devices calls exec, or forks before the first use.
 *  - Manners. The library never prints, exits, aborts, or touches signals. Words reach you through the callbacks.
 *  - Options. Every options struct begins with `size`; its `_init` function fills it with the defaults. NULL in place
 *    of options means all defaults.
 *  - Arguments. NULL where a thing is needed, a thing that belongs to another graph, or a number out of its range is
 *    HEDDLE_E_ARGUMENT with a message that names the argument, never a crash; without a context there is no message.
 *    Functions that only look something up give 0, NULL or NaN then, as their comments say. Only pointers that lead
 *    nowhere cannot be told from good ones. Errors that every call with a context may give, and that the comments do
 *    not repeat: HEDDLE_E_ARGUMENT, HEDDLE_E_MEMORY, HEDDLE_E_CANCELLED; where a mapped .hdl file is looked at for the
 *    first time, HEDDLE_E_FORMAT and HEDDLE_E_READ.
 *  - Sizes. Structs that the caller owns begin with `size`, so that they can grow: `_init` sets it for options; for a
 *    struct that a call fills, set it yourself (`heddle_stats stats = {sizeof stats}`). A program built with an older
 *    header works with a newer library of the same soname: options that it does not know take their defaults, and
 *    answers that it has no room for are left out. On return `size` of a filled struct is what was filled. Structs that
 *    lie inside others keep their size; new fields take the place of `reserved`, which is 0. Structs that the library
 *    owns and hands out by pointer grow at their end. heddle_adjacency and heddle_allocator never change.
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

/* The status' name ("HEDDLE_E_FORMAT"), its text, and the exit status the command gives for it. A number that is none:
 * "HEDDLE_UNKNOWN", "unknown status", 1. Cost: none. */
HEDDLE_API const char *heddle_status_name(heddle_status status);
HEDDLE_API const char *heddle_status_text(heddle_status status);
HEDDLE_API int heddle_status_exit(heddle_status status);

/* What went wrong last in a context. Strings are empty and numbers 0 where they do not apply. */
typedef struct heddle_error {
    size_t size; /* sizeof(heddle_error) of the library */
    heddle_status status;
    char message[1024]; /* the whole story in one line, ready to print */
    char file[256];     /* input or output file (its end, when the path is longer) */
    uint64_t line;      /* 1-based line of the offending token */
    uint64_t column;    /* 1-based byte column */
    char token[64];     /* the offending token, cut to fit, unprintable bytes as \xNN */
    char expected[192]; /* what should have been there */
} heddle_error;

/* ---- Context ------------------------------------------------------------------------------------------------- */

typedef struct heddle_context heddle_context;

/* Where all memory of a context and its graphs comes from. `allocate` returns memory aligned to 64 bytes or better,
 * or NULL; zeroed when `zero` is not 0. Both may be called from any thread. */
typedef struct heddle_allocator {
    void *(*allocate)(void *user, size_t bytes, int zero);
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;
} heddle_allocator;

/* How far a long call has come. `total` is 0 when it is not known. */
typedef struct heddle_progress {
    const char *phase; /* "read", "build", "generate", "write", "compute" … */
    uint64_t done;
    uint64_t total;
} heddle_progress;

/* Called now and then from long calls, always on the calling thread. Return 0 to go on, anything else to cancel. */
typedef int (*heddle_progress_fn)(void *user, const heddle_progress *progress);

/* Called with a remark that is not an error ("weights missing: 1 is used"), always on the calling thread. */
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

/* Threads. With 0, at most as many as OMP_NUM_THREADS says, else as the CPUs that the process may run on (affinity) and
 * its cgroup's quota; each call uses fewer where its work is small, and where the machine's CPUs have other work
 * already. N threads, or OMP_NUM_THREADS, are used as they are. Where the system does not let so many be started,
 * there are fewer, with a note. */

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_context_options_init_sized(heddle_context_options *options, size_t size);
static inline void heddle_context_options_init(heddle_context_options *options) {
    heddle_context_options_init_sized(options, sizeof *options);
}
/* Makes a context. Threads and devices are started by the first call that wants them. Errors: HEDDLE_E_ARGUMENT
 * (threads below 0 or above 4096, half an allocator), HEDDLE_E_MEMORY. Cost: none to speak of. */
HEDDLE_API heddle_status heddle_context_create(const heddle_context_options *options, heddle_context **context);
/* Lets go of the context, open devices and what runs had kept. Graphs and results stay. Cost: that of closing devices.
 * */
HEDDLE_API void heddle_context_destroy(heddle_context **context);

/* The last error of this context; valid until its next call. Never NULL. Cost: none. */
HEDDLE_API const heddle_error *heddle_context_error(const heddle_context *context);

/* Makes the running call of this context (and every later one, until heddle_context_reset) return
 * HEDDLE_E_CANCELLED soon. Safe from any thread and from a signal handler. NULL: nothing. Cost: none. */
HEDDLE_API void heddle_context_cancel(heddle_context *context);
HEDDLE_API void heddle_context_reset(heddle_context *context);

/* The most threads this context uses; 0 for NULL. Cost: none. */
HEDDLE_API int heddle_context_threads(const heddle_context *context);

/* ---- Graph --------------------------------------------------------------------------------------------------- */

/* A directed graph in compressed sparse rows (CSR): vertex v's out-edges are targets[offsets[v] .. offsets[v + 1]),
 * in ascending order of target. Vertices are 0 .. vertices-1 inside; the ids of the input are kept beside them.
 * An undirected graph holds both arcs of every edge. `edges` always counts arcs as held. */
typedef struct heddle_graph heddle_graph;

typedef uint32_t heddle_vertex; /* a vertex, inside */
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

/* Facts about a graph; of NULL 0. Cost: none. */
HEDDLE_API uint64_t heddle_graph_vertices(const heddle_graph *graph);
HEDDLE_API uint64_t heddle_graph_edges(const heddle_graph *graph);
HEDDLE_API int heddle_graph_directed(const heddle_graph *graph); /* 0: every arc has its reverse, of equal weight */
HEDDLE_API heddle_weight_type heddle_graph_weight_type(const heddle_graph *graph);
/* Whether the .hdl file that the graph was loaded from has it renamed in this order ("degree", "bfs") as well.
 * Cost: none. */
HEDDLE_API int heddle_graph_has_order(const heddle_graph *graph, const char *order);

/* The out-edges, which belong to the graph. Errors: HEDDLE_E_FORMAT or HEDDLE_E_READ for a mapped .hdl file, whose
 * sections' checksums and bounds the first use checks. Cost: none, but for that check: linear. */
HEDDLE_API heddle_status heddle_graph_out(heddle_context *context, const heddle_graph *graph,
                                          heddle_adjacency *adjacency);
/* The in-edges (CSC): targets are the sources of the arcs that enter v. Built on first use, in linear time, then
 * kept; for undirected graphs they are the out-edges and cost nothing. Errors: HEDDLE_E_MEMORY, and those of
 * heddle_graph_out. Cost: the first time linear, with room for a second copy of the edges; then none. */
HEDDLE_API heddle_status heddle_graph_in(heddle_context *context, const heddle_graph *graph,
                                         heddle_adjacency *adjacency);
/* Gives the graph's memory back. Cost: none to speak of. */
HEDDLE_API void heddle_graph_destroy(heddle_graph **graph);

/* The user's ids. Integer ids order the vertices: ascending id = ascending vertex. String labels are numbered as they
 * first occur in the input. */
typedef enum heddle_id_type {
    HEDDLE_ID_I64 = 0, /* signed 64-bit */
    HEDDLE_ID_U64 = 1, /* unsigned 64-bit, for ids past 2^63 - 1 */
    HEDDLE_ID_STRING = 2
} heddle_id_type;

/* HEDDLE_ID_I64 for NULL. Cost: none. */
HEDDLE_API heddle_id_type heddle_graph_id_type(const heddle_graph *graph);
/* Ids of a mapped .hdl file are checked by the first heddle_graph_out or heddle_graph_find: call one of them before
 * the two functions below when the file is not to be trusted. */
/* The integer id of a vertex (cast to uint64_t when the type is HEDDLE_ID_U64); -1 for a graph with labels, a vertex
 * that is not there, or NULL. Cost: none. */
HEDDLE_API int64_t heddle_graph_id(const heddle_graph *graph, heddle_vertex vertex);
/* Writes a vertex' id as text, NUL-terminated, cut to `size`; returns its full length, as snprintf does. 0 and "" for a
 * vertex that is not there, or NULL. With `buffer` NULL nothing is written. Cost: none. */
HEDDLE_API size_t heddle_graph_id_text(const heddle_graph *graph, heddle_vertex vertex, char *buffer, size_t size);
/* Finds the vertex of an id given as text. Errors: HEDDLE_E_SOURCE when there is none; those of heddle_graph_out.
 * Cost: a binary search for integers; a walk over all labels for strings. */
HEDDLE_API heddle_status heddle_graph_find(heddle_context *context, const heddle_graph *graph, const char *id,
                                           heddle_vertex *vertex);
/* All integer ids, in vertex order: `ids` has room for one per vertex. Errors: HEDDLE_E_REFUSED for a graph with
 * labels; those of heddle_graph_out. Cost: linear in the vertices, in parallel. */
HEDDLE_API heddle_status heddle_graph_ids(heddle_context *context, const heddle_graph *graph, int64_t *ids);
/* All ids as text, in vertex order, one behind the other and without NULs: vertex v's is text[offsets[v] ..
 * offsets[v + 1]). `offsets` has room for vertices + 1 numbers. Call it with `text` NULL to learn the bytes there are,
 * offsets[vertices]; then again with that much `room`. Errors: HEDDLE_E_ARGUMENT where `room` is too small; those of
 * heddle_graph_out. Cost: linear in the text. */
HEDDLE_API heddle_status heddle_graph_labels(heddle_context *context, const heddle_graph *graph, uint64_t *offsets,
                                             char *text, uint64_t room);

/* ---- Building ------------------------------------------------------------------------------------------------ */

/* What becomes of arcs with the same source and target. */
typedef enum heddle_duplicates {
    HEDDLE_DUPLICATES_KEEP = 0,
    HEDDLE_DUPLICATES_FIRST, /* the first one's weight */
    HEDDLE_DUPLICATES_MIN,
    HEDDLE_DUPLICATES_MAX,
    HEDDLE_DUPLICATES_SUM /* HEDDLE_E_LIMIT when a sum leaves the weight's type */
} heddle_duplicates;

typedef struct heddle_build_options {
    size_t size;                  /* of this struct, like all that lies inside others, the same for ever */
    int symmetrize;               /* add missing reverse arcs; where both exist, both get the smaller weight */
    int drop_loops;               /* drop arcs from a vertex to itself */
    int drop_isolated;            /* drop vertices that no arc touches, after the options above */
    heddle_duplicates duplicates; /* default: keep */
    uint64_t reserved[8];         /* 0 */
} heddle_build_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_build_options_init_sized(heddle_build_options *options, size_t size);
static inline void heddle_build_options_init(heddle_build_options *options) {
    heddle_build_options_init_sized(options, sizeof *options);
}

/* Edges in arrays, copied. `weights` may be NULL (weight_type NONE). With `vertices` > 0 ids are 0 .. vertices-1; with
 * 0 the vertices are the ids that occur, which may be any 64-bit integers. Errors: HEDDLE_E_ARGUMENT (an id past
 * `vertices`, a weight that is not finite: the message has the edge), HEDDLE_E_LIMIT (more than 2^32 - 2 vertices, a
 * sum of duplicates too large). Cost: linear time, in parallel; memory for the graph and a few bytes for each edge.
 * The same graph for any number of threads. */
HEDDLE_API heddle_status heddle_graph_from_edges(heddle_context *context, uint64_t vertices, uint64_t edges,
                                                 const int64_t *sources, const int64_t *targets, const void *weights,
                                                 heddle_weight_type weight_type, const heddle_build_options *options,
                                                 heddle_graph **graph);

/* The same for ends that are named by strings, of 1 to 65535 bytes each, NUL-terminated; vertices are numbered as they
 * first occur, an edge's source before its target. Errors: those of heddle_graph_from_edges; HEDDLE_E_LIMIT for a
 * longer label. Cost: linear in the text; 16 bytes for each edge and a copy of all labels while it runs. */
HEDDLE_API heddle_status heddle_graph_from_labels(heddle_context *context, uint64_t edges, const char *const *sources,
                                                  const char *const *targets, const void *weights,
                                                  heddle_weight_type weight_type, const heddle_build_options *options,
                                                  heddle_graph **graph);

typedef struct heddle_csr_options {
    size_t size;
    int undirected;              /* 0; 1: every arc has its reverse, of equal weight, which is checked */
    void (*release)(void *user); /* NULL; called once, when the graph is destroyed and the arrays are free again */
    void *release_user;
} heddle_csr_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_csr_options_init_sized(heddle_csr_options *options, size_t size);
static inline void heddle_csr_options_init(heddle_csr_options *options) {
    heddle_csr_options_init_sized(options, sizeof *options);
}

/* A graph over the caller's rows, without a copy: `offsets` are vertices + 1 numbers of 32 or 64 bits as `offset_bits`
 * says, the other arrays as in heddle_adjacency, each row's targets ascending. Ids are 0 .. vertices-1. The arrays
 * must stay as they are until the graph is destroyed (`release` tells when); on error they stay the caller's. Errors:
 * HEDDLE_E_ARGUMENT (offsets that fall or do not end at `edges`, a target that is no vertex, rows that do not ascend,
 * a weight that is not finite, an arc without its reverse where there must be one: the message has the row; make such
 * a graph by heddle_graph_from_edges), HEDDLE_E_LIMIT (more than 2^32 - 2 vertices). Cost: one look at all rows, in
 * parallel; no memory but 8 bytes for each vertex with offsets of 32 bits, and while an undirected graph is checked. */
HEDDLE_API heddle_status heddle_graph_from_csr(heddle_context *context, uint64_t vertices, uint64_t edges,
                                               const void *offsets, int offset_bits, const heddle_vertex *targets,
                                               const void *weights, heddle_weight_type weight_type,
                                               const heddle_csr_options *options, heddle_graph **graph);

/* ---- Files --------------------------------------------------------------------------------------------------- */

/* A file format. `name` is what options call it; `can_*` say what it holds. */
typedef struct heddle_format_info {
    const char *name;        /* "edgelist", "mtx", "graphml" … */
    const char *description; /* one line */
    const char *suffixes;    /* space-separated, the preferred first: ".mtx" */
} heddle_format_info;

/* The formats that this build reads and writes, by index from 0; NULL past the last. Cost: none. */
HEDDLE_API const heddle_format_info *heddle_format_at(size_t index);

#define HEDDLE_COLUMN_AUTO (-1) /* the third column, where it is there and numeric */
#define HEDDLE_COLUMN_NONE 0

typedef enum heddle_id_choice {
    HEDDLE_IDS_AUTO = 0, /* integers, unless the first data line says otherwise */
    HEDDLE_IDS_INTEGER,
    HEDDLE_IDS_STRING
} heddle_id_choice;

typedef enum heddle_header_choice {
    HEDDLE_HEADER_AUTO = 0, /* when the first line says so; a note tells */
    HEDDLE_HEADER_NO,
    HEDDLE_HEADER_YES
} heddle_header_choice;

typedef struct heddle_load_options {
    size_t size;
    const char *format;          /* NULL: found from the content, then the suffix */
    heddle_build_options build;  /* applied while reading; its own `size` set by _init */
    uint64_t vertices;           /* edge lists: at least these many vertices exist (0: those that occur) */
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
 * parallel. A .hdl file without build options is mapped, not read: milliseconds whatever its size. Files must not be
 * written to while they are mapped (replace them by renaming): HEDDLE_E_READ where it is noticed; one that is cut short
 * raises SIGBUS when a page is used that is not there any more. Errors: HEDDLE_E_OPEN, HEDDLE_E_READ, HEDDLE_E_FORMAT
 * (with file, line, column, token and what was expected), HEDDLE_E_LIMIT, HEDDLE_E_UNSUPPORTED (a format or codec that
 * is not built in). Cost: linear in the bytes, in parallel but for unpacking. */
HEDDLE_API heddle_status heddle_graph_load(heddle_context *context, const char *path,
                                           const heddle_load_options *options, heddle_graph **graph);
/* The same from `bytes` bytes in memory: what a file would hold, plain or compressed. The format is the one that
 * options name, else found from the content. Nothing points into `data` afterwards. Errors: those of
 * heddle_graph_load; in messages the file is called "<memory>". Cost: that of heddle_graph_load, and a copy of the
 * bytes for a while (a .hdl file's is kept). */
HEDDLE_API heddle_status heddle_graph_load_memory(heddle_context *context, const void *data, size_t bytes,
                                                  const heddle_load_options *options, heddle_graph **graph);

typedef struct heddle_save_options {
    size_t size;
    const char *format; /* NULL: by the suffix of the path */
    int lossy;          /* allow a format that drops ids, direction, weights or isolated vertices */
    int in_edges;       /* .hdl: store the in-edges too, so that they need not be built again */
    int level;          /* of compression, for .gz, .zst, .bz2 and .xz; 0: the library's default */
    const char *order;  /* .hdl: store the graph renamed too, in the order "degree", "bfs" or "degree,bfs"; runs whose
                           plan names that order, and those of plan auto where it pays, use it at once */
} heddle_save_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_save_options_init_sized(heddle_save_options *options, size_t size);
static inline void heddle_save_options_init(heddle_save_options *options) {
    heddle_save_options_init_sized(options, sizeof *options);
}

/* Writes a graph; "-" is standard output. A file appears complete or not at all: it is written beside its place and
 * renamed at the end, once it is on the disk. Suffixes .gz, .zst, .bz2 and .xz compress. Errors: HEDDLE_E_WRITE,
 * HEDDLE_E_LOSSY (the format cannot hold it all, and `lossy` is 0), HEDDLE_E_ARGUMENT (no format has the suffix),
 * HEDDLE_E_UNSUPPORTED. Cost: linear in the bytes. */
HEDDLE_API heddle_status heddle_graph_save(heddle_context *context, const heddle_graph *graph, const char *path,
                                           const heddle_save_options *options);

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
    const char *kind;   /* "rmat": one of heddle_generator_at() */
    int scale;          /* 16: 2^scale vertices where `vertices` is not given */
    uint64_t vertices;  /* 0: not given (clique: 1024). Not for rmat, grid and road */
    double degree;      /* 16: generated edges per vertex; smallworld: neighbours, an even number */
    uint64_t width;     /* 1024: grid, road */
    uint64_t height;    /* 1024: grid, road */
    uint64_t depth;     /* 1: grid, 3-D when > 1 */
    double a, b, c;     /* 0.57, 0.19, 0.19: rmat, quadrant probabilities; d = 1 - a - b - c */
    int scramble;       /* 1: rmat, permute the ids so that degree does not follow id */
    double probability; /* 0.1: road, share of edges removed; smallworld, share of edges rewired */
    uint64_t branching; /* 2: tree, children per vertex */
    int weighted;       /* 0; 1 draws weights from [weight_min, weight_max] by a hash of the ends */
    double weight_min;  /* 1; whole numbers, unless weight_real */
    double weight_max;  /* 64 */
    int weight_real;    /* 0; 1 draws from [weight_min, weight_max) in single precision */
    uint64_t seed;      /* 1 */
    heddle_build_options build;
} heddle_generate_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_generate_options_init_sized(heddle_generate_options *options, size_t size);
static inline void heddle_generate_options_init(heddle_generate_options *options) {
    heddle_generate_options_init_sized(options, sizeof *options);
}

/* Makes a graph. The same options and seed give the same graph on any machine with any number of threads. Errors:
 * HEDDLE_E_ARGUMENT (an option out of its range, an unknown kind), HEDDLE_E_LIMIT. Cost: linear in the edges, in
 * parallel; no edge list is held in memory. */
HEDDLE_API heddle_status heddle_graph_generate(heddle_context *context, const heddle_generate_options *options,
                                               heddle_graph **graph);

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
    uint64_t isolated;        /* vertices that no arc touches */
    uint64_t max_out_degree, max_in_degree;
    heddle_vertex max_out_vertex;                  /* smallest vertex of largest out-degree */
    double mean_degree, median_degree, p99_degree; /* of out-degrees */
    double degree_deviation;                       /* standard deviation over mean of out-degrees */
    double gini;                                   /* of out-degrees: 0 all equal, towards 1 all on one vertex */
    double warp_efficiency; /* share of useful lanes when each of 32 lanes walks one vertex' out-edges */
    uint64_t histogram[HEDDLE_HISTOGRAM_BINS]; /* out-degrees */
    uint64_t components;                       /* weakly connected */
    uint64_t largest_component;                /* its vertices */
    uint64_t estimated_diameter; /* lower bound from a few sweeps inside the largest component, ignoring direction */
    uint64_t bytes_csr;          /* offsets + targets + weights of one direction */
    int64_t weight_min_whole, weight_max_whole; /* i64: weight_min and weight_max exactly; else 0 */
} heddle_stats;

/* Computes all of the above. Errors: those of heddle_graph_in. Cost: linear time but for the components (near-linear);
 * directed graphs get their in-edges. */
HEDDLE_API heddle_status heddle_graph_stats(heddle_context *context, const heddle_graph *graph, heddle_stats *stats);

/* ---- Transforms ---------------------------------------------------------------------------------------------- */

/* A transform splits vertices of more than K edges (Tigr, ASPLOS 2018): each becomes a family, itself and new vertices
 * that share its edges out among them, joined by new edges. Paths between the graph's own vertices stay, with new edges
 * in between. docs/transforms.md is the manual. */
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
    int pull;         /* 0: out-edges are shared out; 1: in-edges */
    int weigh;        /* 0; 1 gives a graph without weights weights of 1, so that new edges can have another */
    double weight;    /* 0: of new edges, where there are weights; infinity: the largest that their type holds */
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
    double warp_efficiency; /* share of useful lanes when each of 32 lanes walks one vertex' edges */
    uint64_t histogram[HEDDLE_HISTOGRAM_BINS];
    uint64_t bytes; /* offsets + targets + weights */
    uint64_t reserved[4];
} heddle_irregularity;

typedef struct heddle_transform_report {
    size_t size; /* set it before the call */
    const char *name;
    uint64_t bound;    /* K, as given or chosen */
    uint64_t families; /* vertices that were split; 0: there was nothing to do */
    uint64_t added_vertices;
    uint64_t added_edges;
    uint32_t height; /* new edges on the way through a family, at most */
    double hops;     /* the same on average over the graph's edges, about */
    double seconds;
    heddle_irregularity before, after; /* of the direction that was split */
    double clustering;                 /* share of pairs of a vertex' neighbours that are neighbours; sampled */
    int worth;
    char advice[320]; /* whether it is worth it, and why */
} heddle_transform_report;

/* Makes a new graph, in linear time, the same for any number of threads; *result is NULL when no degree is above K.
 * The graph's vertices keep numbers and ids; new ones follow, with ids above the largest (labels: "split:0" …).
 * `report` may be NULL. Errors: HEDDLE_E_REFUSED for K = 1 where that never ends, HEDDLE_E_LIMIT for more vertices
 * than there are numbers. */
HEDDLE_API heddle_status heddle_graph_transform(heddle_context *context, const heddle_graph *graph,
                                                const heddle_transform_options *options, heddle_graph **result,
                                                heddle_transform_report *report);

/* ---- Devices ------------------------------------------------------------------------------------------------- */

/* A device that was found, or, with `name` empty, a kind of device of which none was, and in `missing` why. */
typedef struct heddle_device_info {
    size_t size;    /* of the first entry set it before the call: it is the distance of entries, too */
    char kind[16];  /* "cpu", "cuda", "opencl" */
    uint32_t index; /* "cuda:INDEX" names it */
    char name[128];
    char driver[96];   /* driver and its version */
    char compiler[96]; /* what kernels are compiled by */
    uint64_t memory;   /* bytes */
    uint32_t units;    /* cores, multiprocessors, compute units */
    int accelerator;   /* 0: an OpenCL device that is the CPU itself */
    char missing[192];
} heddle_device_info;

/* Fills up to `room` entries; `count` receives how many there are in all. Drivers are opened, nothing else. `devices`
 * may be NULL when `room` is 0. Errors: none but HEDDLE_E_ARGUMENT: what a driver says stands in its entry. Cost: that
 * of opening drivers, a quarter of a second for CUDA. */
HEDDLE_API heddle_status heddle_device_list(heddle_context *context, heddle_device_info *devices, size_t room,
                                            size_t *count);

/* What a machine does at best, measured now. Floors of run times follow from it. */
typedef struct heddle_ceilings {
    size_t size;   /* set it before the call */
    double copy;   /* bytes a second, read and written together */
    double gather; /* random reads of 4 bytes a second */
} heddle_ceilings;

/* Measures a device ("cpu", "cuda:0") for about a second; the random reads go to a table of `table_bytes`.
 * Errors: HEDDLE_E_DEVICE, HEDDLE_E_DEVICE_MEMORY. Cost: a second; memory for the table and what is copied. */
HEDDLE_API heddle_status heddle_device_ceilings(heddle_context *context, const char *device, uint64_t table_bytes,
                                                heddle_ceilings *ceilings);

/* ---- Running algorithms -------------------------------------------------------------------------------------- */

/* The names of the presets that heddle_run_options.plan takes ("auto", "ws" …) by index from 0; NULL past the last.
 * Cost: none. */
HEDDLE_API const char *heddle_plan_at(size_t index);
/* What each of them is, in one line; NULL past the last. Cost: none. */
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

/* An algorithm, as `heddle NAME GRAPH` and heddle_run() know it. */
typedef struct heddle_algorithm_info {
    const char *name;        /* "bfs" */
    const char *description; /* one line */
    const char *options;     /* names of the fields of heddle_run_options it reads, space-separated */
} heddle_algorithm_info;

/* The algorithms by index from 0; NULL past the last. Cost: none. */
HEDDLE_API const heddle_algorithm_info *heddle_algorithm_at(size_t index);

typedef enum heddle_precision {
    HEDDLE_PRECISION_DEFAULT = 0, /* pr single, bc double, others as their section of the manual says */
    HEDDLE_PRECISION_SINGLE,
    HEDDLE_PRECISION_DOUBLE
} heddle_precision;

typedef struct heddle_run_options {
    size_t size;
    const char *algorithm;        /* one of heddle_algorithm_at(); "bfs" */
    const heddle_vertex *sources; /* bfs, sssp, sswp, bc: where to start; NULL: the vertex of largest out-degree, the
                                     smallest on ties (bc: all vertices) */
    uint64_t source_count;
    int parents;                   /* bfs, sssp, sswp: also give parents, each the smallest id among the valid ones: an
                                      edge from them gives exactly the vertex' value, and they are strictly better or,
                                      where there are none such, equal and fewer edges of weight 0 away (sswp: edges
                                      between equal values) */
    int each;                      /* bfs: a search of its own from each source, many at once, instead of one from all;
                                      not with parents or a plan */
    int weighted;                  /* pr: edges count by their weight */
    double damping;                /* pr: 0.85 */
    double tolerance;              /* pr: L1 change, 1e-6; hs, cs, nn: largest change, 1e-4; 0: the algorithm's own */
    uint64_t max_iterations;       /* 0: the algorithm's own (pr 100; hs, cs, nn 1000) */
    const double *personalization; /* pr: one weight per vertex, >= 0, not all 0; NULL: uniform */
    uint64_t samples;              /* bc: number of sampled sources; 0: all (or `sources`) */
    int normalized;                /* bc */
    double delta;                  /* sssp: bucket width, rounded to a power of two; 0: from the graph */
    double rate;                   /* hs: the factor a, 0.5 */
    const double *initial;         /* hs, cs, nn: one value per vertex; NULL: the algorithm's own */
    const unsigned char *fixed;    /* hs, cs, nn: vertices that keep their value; NULL: the algorithm's own */
    heddle_precision precision;
    uint64_t seed;            /* sampled sources */
    const char *program;      /* a vertex program's C file (docs/programs.md); `algorithm` is ignored then */
    const char *parameters;   /* the program's parameters: "rate=0.25,bias=1" */
    const char *device;       /* "auto", "cpu", "cuda", "cuda:1", "opencl:0" */
    const char *plan;         /* "auto"; on a device a preset or KEY=VALUE,… (docs/schedules.md) */
    int profile;              /* on a device: kernels that count the lanes they use, see the report; slower */
    const char *keep_source;  /* a folder that what is compiled for the run is written to, as text; NULL: none */
    const char *program_text; /* a vertex program itself, in place of the file that `program` names, which then is the
                                 name in messages; NULL: none */
} heddle_run_options;

/* Fills `options` with the defaults; `size` is the caller's sizeof, which the plain form gives. NULL: nothing. Cost:
 * none. */
HEDDLE_API void heddle_run_options_init_sized(heddle_run_options *options, size_t size);
static inline void heddle_run_options_init(heddle_run_options *options) {
    heddle_run_options_init_sized(options, sizeof *options);
}

/* What a run gives back: a value per vertex (mst: a list of edges), a report, and on request parents. */
typedef struct heddle_result heddle_result;

typedef enum heddle_value_type {
    HEDDLE_VALUE_U32 = 0, /* UINT32_MAX: unreached; of a program of your own where it defines UNREACHED */
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
    uint64_t columns; /* 1; with `each` the number of sources: `count` values for each, one source after the other */
} heddle_values;

/* The values, in vertex order. cc and scc: the smallest vertex of the component. For mst, see heddle_result_forest.
 * Belongs to the result. Never NULL; of a NULL result there are none. Cost: none. */
HEDDLE_API const heddle_values *heddle_result_values(const heddle_result *result);
/* Parents in vertex order, UINT32_MAX where there is none (sources, unreached); NULL when they were not asked for.
 * Cost: none. */
HEDDLE_API const heddle_vertex *heddle_result_parents(const heddle_result *result);
/* The values as numbers, unreached as infinity (sswp: -infinity); of several columns the first. NaN for a vertex that
 * is not there, or NULL. Cost: none. */
HEDDLE_API double heddle_result_value(const heddle_result *result, heddle_vertex vertex);
/* The same as text, exact and as heddle_result_save writes it in .tsv (labels of components: as numbers of vertices),
 * NUL-terminated, cut to `size`; returns its full length, as snprintf does. Empty where there is no such
 * value, or NULL. Cost: none. */
HEDDLE_API size_t heddle_result_value_text(const heddle_result *result, heddle_vertex vertex, char *buffer,
                                           size_t size);
/* All values, columns one after the other, into an array of `room` elements of the type that the caller works with.
 * Infinite values and unreached vertices become the type's own: infinity, UINT32_MAX, UINT64_MAX, -1 for signed whole
 * numbers. Errors: HEDDLE_E_ARGUMENT where `room` is too small, HEDDLE_E_LIMIT where a value is no whole number of the
 * type (floats are rounded). Cost: linear, in parallel. */
HEDDLE_API heddle_status heddle_result_copy(heddle_context *context, const heddle_result *result,
                                            heddle_value_type type, void *values, uint64_t room);

/* mst: the forest's edges, ends[2k] < ends[2k + 1], ascending by both; weights as the graph's (NULL: all 1). */
typedef struct heddle_forest {
    size_t size; /* sizeof(heddle_forest) of the library */
    uint64_t edges;
    const heddle_vertex *ends;
    heddle_weight_type weight_type;
    const void *weights;
} heddle_forest;
/* Belongs to the result. Never NULL; without edges where the result is NULL or not of mst. Cost: none. */
HEDDLE_API const heddle_forest *heddle_result_forest(const heddle_result *result);
/* The weight of an edge of the forest as text, as heddle_result_value_text gives values. Cost: none. */
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
    const char *transform; /* "none", "udt": how the graph was changed for the run */
    double transforming;   /* seconds that took; 0 where an earlier run's is taken again */
    double compute;        /* seconds, from graph in memory to values in memory; on a device: of its kernels alone */
    double prepare;        /* seconds spent on what is kept for the next run: in-edges, an open device, shards */
    double compile;        /* seconds spent compiling; 0 when it came from the cache */
    double transfer;       /* seconds of copies to and from a device */
    uint64_t device_bytes; /* allocated on the device; 0 on the cpu */
    uint64_t lanes_useful; /* with `profile`: lanes that had an edge, over all steps of all warps */
    uint64_t lanes_walked; /* all lanes of those steps; 0: not counted */
    double lanes_computed; /* with `profile`: their ratio in a round of all vertices, from the degrees alone */
    uint64_t iterations;
    int converged;
    uint64_t edges_walked; /* edges looked at (an estimate where counting would cost) */
    int verified;          /* -1: not asked; 0: failed; 1: passed */
    heddle_vertex source;  /* the first source; UINT32_MAX: none */
    uint32_t figure_count;
    heddle_figure figures[HEDDLE_SUMMARY_MOST];
} heddle_report;

/* Belongs to the result. Never NULL; names are "" where the result is. Cost: none. */
HEDDLE_API const heddle_report *heddle_result_report(const heddle_result *result);
/* A figure of the report, by its index, as text: exact, where `value` rounds whole numbers beyond 2^53; "inf" where it
 * is infinite. Belongs to the result. NULL past the last, or of a NULL result. Cost: none. */
HEDDLE_API const char *heddle_result_figure_text(const heddle_result *result, uint32_t index);

/* Which way a round went over the edges. */
typedef enum heddle_direction {
    HEDDLE_DIRECTION_NONE = 0, /* neither: over all edges in whatever order */
    HEDDLE_DIRECTION_PUSH,     /* active vertices along their out-edges */
    HEDDLE_DIRECTION_PULL,     /* vertices along their in-edges */
    HEDDLE_DIRECTION_MIXED     /* of several rounds: some this way, some that */
} heddle_direction;

#define HEDDLE_NOT_KNOWN UINT64_MAX

/* What a round of a run did, or several in a row: where a run has too many to list, and where they stay on a device and
 * the host looks in now and then. Sums over them. Grows at the end only: see heddle_result_rounds. */
typedef struct heddle_round {
    uint64_t number;   /* of the (first) round, from 1 */
    uint64_t rounds;   /* how many this stands for */
    uint64_t vertices; /* active ones; HEDDLE_NOT_KNOWN: nobody counted */
    uint64_t edges;    /* walked, by estimate where the report's edges_walked is; or HEDDLE_NOT_KNOWN */
    uint64_t bytes;    /* that these edges take: targets, and weights where they are read; likewise */
    uint64_t lanes_useful, lanes_walked; /* with `profile`, on a device; 0: not counted */
    double begin;                        /* seconds since heddle_run began */
    double seconds;                      /* by the host's clock */
    heddle_direction direction;
    char kernel[28]; /* what was run: "top-down", "wseg", "bc_levels" */
} heddle_round;

/* The rounds of the run, in order: fewer than 1024 records. 0 for NULL. Cost: none. */
HEDDLE_API uint64_t heddle_result_round_count(const heddle_result *result);
/* Copies the first `count` of them; `size` is sizeof(heddle_round) where the caller was compiled. Returns how many
 * there were to copy; 0 for NULL. Cost: linear in them. */
HEDDLE_API uint64_t heddle_result_rounds(const heddle_result *result, heddle_round *rounds, size_t size,
                                         uint64_t count);

/* Gives the result's memory back. Cost: none to speak of. */
HEDDLE_API void heddle_result_destroy(heddle_result **result);

/* Begins to start the device of a run that is to come, while the caller still reads the graph: a driver takes a quarter
 * of a second. Returns at once; the start goes on on a thread of its own, and the first heddle_run on that device waits
 * for its end. Of `options` the device, the algorithm and the program count. "auto": a GPU is started only where a file
 * of `bytes` bytes, 0 for an unknown number, leaves no doubt that the run will go there. "cpu", or a device that has
 * been started before: nothing to do.
 * What goes wrong is told by that heddle_run, as if this had not been called; heddle_context_destroy waits for a start
 * that nobody asked for. Errors: HEDDLE_E_ARGUMENT and HEDDLE_E_MEMORY alone. Cost: none here. */
HEDDLE_API heddle_status heddle_device_prepare(heddle_context *context, const heddle_run_options *options,
                                               uint64_t bytes);

/* Runs an algorithm on a graph. Results are exact and do not depend on the number of threads; floating-point sums
 * agree within the tolerance that the manual states for the algorithm. Errors: HEDDLE_E_ARGUMENT (an option that the
 * algorithm uses is out of its range), HEDDLE_E_SOURCE, HEDDLE_E_WEIGHT, HEDDLE_E_REFUSED (a plan that would be wrong),
 * HEDDLE_E_PROGRAM, HEDDLE_E_DEVICE, HEDDLE_E_DEVICE_MEMORY, HEDDLE_E_UNSUPPORTED (no C compiler for a program). Cost:
 * the algorithm's, as docs/algorithms.md tells; values for each vertex, and what plans make of the graph is kept in the
 * context for the next run. */
HEDDLE_API heddle_status heddle_run(heddle_context *context, const heddle_graph *graph,
                                    const heddle_run_options *options, heddle_result **result);

/* ---- Explaining ---------------------------------------------------------------------------------------------- */

#define HEDDLE_EXPLAIN_REASONS 16
#define HEDDLE_EXPLAIN_ROWS 32

/* What a schedule makes of a graph, computed from its degrees: exact for a round in which all vertices take part. */
typedef struct heddle_schedule_row {
    char name[24];            /* "thread", "vwarp-8", "vnode coalesced" */
    char plan[64];            /* what heddle_run_options.plan takes for it */
    uint64_t lanes_useful;    /* lanes that have an edge to walk, over all steps of all warps */
    uint64_t lanes_walked;    /* all lanes of those steps */
    double lane_efficiency;   /* their ratio, the warp execution efficiency */
    double edge_transactions; /* for each edge: sectors of 32 bytes that steps touch in targets and weights */
    double transactions;      /* the same and one for the value at the edge's other end; shards: for writing copies */
    double round_seconds;     /* a round on a large GPU, about: an order of the schedules, not a promise */
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
    int warp_assumed; /* no device was asked */
    char walks[32];   /* "in-edges", "out-edges", "edges of both directions" */
    uint32_t row_count;
    heddle_schedule_row rows[HEDDLE_EXPLAIN_ROWS];
} heddle_explanation;

/* Tells what heddle_run would do with these options, without doing it, and computes the rows: linear time. Needs no
 * device; where the named one is not there, warps of 32 lanes are assumed. Errors: HEDDLE_E_REFUSED as heddle_run.
 * Cost: linear for each row. */
HEDDLE_API heddle_status heddle_explain(heddle_context *context, const heddle_graph *graph,
                                        const heddle_run_options *options, heddle_explanation *explanation);

/* What a run would take on the device that its options name, or that auto chooses. */
typedef struct heddle_device_memory {
    size_t size; /* set it before the call */
    char device[24];
    uint64_t wanted;      /* bytes for graph, values and buffers, about; 0: on the cpu, or not known beforehand */
    uint64_t free, total; /* bytes there now */
    char missing[256];    /* "", or why the device cannot be asked; a common GPU is assumed then */
    /* In the host's memory, wherever the run is: bytes of the out-edges and ids that it looks at, and of in-edges, from
     * the file or made. Weights of a mapped file that it does not read take none. */
    uint64_t host_edges, host_in_edges;
} heddle_device_memory;

/* Counts without running. A split graph and programs of a user's own are not known beforehand. A damaged file is found
 * by the run only, as far as the answer does not depend on it. Errors: what the run would refuse (a plan that cannot
 * be, weights that the algorithm does not take, wrong options), with the same words. Cost: at most linear; opens the
 * device. */
HEDDLE_API heddle_status heddle_run_memory(heddle_context *context, const heddle_graph *graph,
                                           const heddle_run_options *options, heddle_device_memory *memory);

/* ---- Verifying ----------------------------------------------------------------------------------------------- */

/* Checks a result against its certificate (docs/verification.md), in near-linear time; bc by recomputing sampled
 * sources. Options are those of the run. Errors: HEDDLE_E_VERIFY, with the first vertex that is wrong, when it does not
 * hold; HEDDLE_E_REFUSED for programs of a user's own. Cost: near-linear (bc: a search for each sample). */
HEDDLE_API heddle_status heddle_verify(heddle_context *context, const heddle_graph *graph,
                                       const heddle_run_options *options, heddle_result *result);

/* The same algorithm by simple sequential code, for comparison. Errors: those of heddle_run; HEDDLE_E_REFUSED for
 * programs of a user's own. Cost: slow. */
HEDDLE_API heddle_status heddle_run_reference(heddle_context *context, const heddle_graph *graph,
                                              const heddle_run_options *options, heddle_result **result);

/* Writes a result: by the suffix, with .gz, .zst, .bz2 or .xz behind it when it shall be compressed,
 *   .tsv   "id<TAB>value" a line, in ascending order of vertices, inf (sswp: -inf) for unreached; cc and scc give the
 *          label's id; with parents a third column, empty where there is none; mst: smaller id, larger id, weight;
 *          with `each` a value for each source, and first of all a line "id<TAB>source<TAB>source…" with their ids
 *   .csv   the same with commas, quoted as RFC 4180 has it, below a row of names: id,value,parent; source,target,weight
 *   .npy   the values alone, as NumPy reads them; unreached in whole numbers: -1; with `each` a row for each source;
 *          with parents a structured array of "value" and "parent" (-1: none), mst: of "source", "target", "weight";
 *          vertices by their ids, or, where ids are strings, by their numbers
 *   .json  an object {"algorithm", "columns", "rows": [[id, value], …]}, infinite values as strings; with `each` the
 *          columns' names are "id" and the ids of the sources
 * "-" writes .tsv to standard output. The file appears complete or not at all. Errors: HEDDLE_E_WRITE,
 * HEDDLE_E_ARGUMENT (another suffix, or a result of another graph than the one it is given with). Cost: linear. */
HEDDLE_API heddle_status heddle_result_save(heddle_context *context, const heddle_graph *graph,
                                            const heddle_result *result, const char *path);

/* ---- The cache of compiled kernels --------------------------------------------------------------------------- */

#define HEDDLE_CACHE_KINDS 8 /* room for as many; `kind` is NULL past the last */

typedef struct heddle_cache_count {
    const char *kind; /* "cpu", "cuda", "opencl" */
    uint64_t files, bytes;
    uint64_t reserved[2];
} heddle_cache_count;

/* Kernels and programs compiled at run time are kept in a folder: $HEDDLE_CACHE, else $XDG_CACHE_HOME/heddle, else
 * ~/.cache/heddle; at most $HEDDLE_CACHE_MAX bytes (512M), of which those go first that were not used for longest. */
typedef struct heddle_cache_info {
    size_t size;    /* set it before the call */
    char path[512]; /* empty: there is none, and every run compiles */
    int unused;     /* 1: it does not belong to the user alone, or cannot be written, and every run compiles */
    heddle_cache_count kinds[HEDDLE_CACHE_KINDS];
    heddle_cache_count left_over; /* of compilers that were interrupted */
} heddle_cache_info;

/* Counts what is in the folder; a folder that is not there yet is empty. Errors: HEDDLE_E_READ. Cost: a look at each
 * file's size. */
HEDDLE_API heddle_status heddle_cache_show(heddle_context *context, heddle_cache_info *info);
/* Removes it, and counts what was removed. Files that are not the library's own stay; in a folder that has no
 * CACHEDIR.TAG of the library's they all do (HEDDLE_E_REFUSED). Runs that compile meanwhile are not disturbed. Errors:
 * HEDDLE_E_READ, HEDDLE_E_WRITE, HEDDLE_E_REFUSED. Cost: as before. */
HEDDLE_API heddle_status heddle_cache_clear(heddle_context *context, heddle_cache_info *info);

/* The version of the library linked, "0.1.0". Cost: none. */
HEDDLE_API const char *heddle_version(void);

/* What this build was made with, one line each, for bug reports: "zlib 1.2.13\nzstd: not built in\n…".
 * Cost: none. */
HEDDLE_API const char *heddle_build_info(void);

#ifdef __cplusplus
}
#endif

#endif
