/* kernels.c - what the host waits for when it launches kernels: words of their state that say how far they are. Nothing
 * else is done, so that a run comes to its end after a few launches, through as many of the host's branches as may be.
 *
 * Places of arguments are those of the kernels' texts; a mistake here ends a run with an error. */
#include "fake.h"

#include "algorithm/bc/bc_state.h"
#include "algorithm/bfs/bfs_state.h"
#include "algorithm/kcore/kcore_state.h"
#include "algorithm/many/many_state.h"
#include "algorithm/mst/mst_state.h"
#include "algorithm/paths/paths_state.h"
#include "algorithm/power/power_state.h"
#include "algorithm/power/row_sums_state.h"
#include "algorithm/pr/pr_each_state.h"
#include "algorithm/pr/pr_state.h"
#include "algorithm/scc/scc_state.h"
#include "engine/primitive/bfs_order_state.h"
#include "schedule/interface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 /* until a run is over */, SHALLOW = 100 /* vertices: graphs with fewer are paths, and deep */ };

static uint32_t number(const void *const *arguments, int place) {
    uint32_t value;
    memcpy(&value, arguments[place], sizeof value);
    return value;
}

/* An argument that is a buffer. */
static void *buffer(const void *const *arguments, int place) {
    void *memory;
    memcpy(&memory, arguments[place], sizeof memory);
    if (!fake_inside(memory, 16)) {
        fprintf(stderr, "tests/fake/kernels.c: argument %d is no buffer\n", place);
        abort();
    }
    return memory;
}

static bool defined(const char *text, const char *line) { return fake_find(text, line) != NULL; }

/* ---- The in-core engine ------------------------------------------------------------------------------------------ */

#define NUMBER_SCALAR(NAME, name) SCALAR_##NAME,
#define NUMBER_BUFFER(NAME, name, type, use) BUFFER_##NAME,
enum { HD_SCALARS(NUMBER_SCALAR) HD_BUFFERS(NUMBER_BUFFER) INCORE_ARGUMENTS };
#define NUMBER_SPAN_SCALAR(NAME, name, type) SPAN_##NAME,
#define NUMBER_SPAN_BUFFER(NAME, name, type, use) SPAN_##NAME,
enum { HD_SPAN_SCALARS(NUMBER_SPAN_SCALAR) HD_SPAN_BUFFERS(NUMBER_SPAN_BUFFER) SPAN_ARGUMENTS };

/* Of unpack_span (unpack.cl). */
enum {
    UNPACK_FIRST_EDGE,
    UNPACK_EDGES,
    UNPACK_FIRST_ROW,
    UNPACK_END_ROW,
    UNPACK_MASK,
    UNPACK_OFFSETS,
    UNPACK_PACKED,
    UNPACK_TARGETS,
    UNPACK_SOURCES,
    UNPACK_WEIGHTS,
    UNPACK_ARGUMENTS,
    UNPACK_AT = UNPACK_ARGUMENTS, /* of unpack_active only */
    UNPACK_ACTIVE,
    UNPACK_READ,
    UNPACK_ACTIVE_ARGUMENTS
};

/* Of scatter_rows (scatter.cl). */
enum {
    SCATTER_FIRST_EDGE,
    SCATTER_ROWS,
    SCATTER_EDGES,
    SCATTER_OFFSETS,
    SCATTER_BLOCK,
    SCATTER_TARGETS,
    SCATTER_SOURCES,
    SCATTER_WEIGHTS,
    SCATTER_ARGUMENTS
};

/* The engine's kernels all have the same. */
uint32_t fake_arguments(const char *text, const char *kernel, uint8_t sizes[FAKE_ARGUMENTS]) {
    char head[80];
    if (strcmp(kernel, "unpack_span") == 0 || strcmp(kernel, "unpack_active") == 0) {
        for (uint32_t i = 0; i < UNPACK_ACTIVE_ARGUMENTS; i++)
            sizes[i] = i == UNPACK_FIRST_ROW || i == UNPACK_END_ROW || i == UNPACK_MASK ? 4 : 8;
        return strcmp(kernel, "unpack_span") == 0 ? UNPACK_ARGUMENTS : UNPACK_ACTIVE_ARGUMENTS;
    }
    if (strcmp(kernel, "scatter_rows") == 0) {
        for (uint32_t i = 0; i < SCATTER_ARGUMENTS; i++)
            sizes[i] = i == SCATTER_ROWS || i == SCATTER_EDGES ? 4 : 8;
        return SCATTER_ARGUMENTS;
    }
    snprintf(head, sizeof head, "KERNEL %s(HD_ARGUMENTS)", kernel);
    if (!defined(text, head))
        return 0;
    for (uint32_t i = 0; i < INCORE_ARGUMENTS; i++)
        sizes[i] = i <= SCALAR_COUNT ? 4 : 8;
    if (!defined(text, "#define HD_SPAN 1\n"))
        return INCORE_ARGUMENTS;
    for (uint32_t i = 0; i < SPAN_ARGUMENTS; i++)
        sizes[INCORE_ARGUMENTS + i] =
            i == SPAN_FIRST_ROW || i == SPAN_END_ROW || i == SPAN_GROUPS || i == SPAN_RANGE ? 4 : 8;
    return INCORE_ARGUMENTS + SPAN_ARGUMENTS;
}

static void incore_turn(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, BUFFER_WORDS);
    (void)text;
    if (number(arguments, SCALAR_STEP) == 0 || words[HD_DONE])
        return;
    words[HD_ITERATION]++;
    words[HD_DONE] = words[HD_CONVERGED] = words[HD_ITERATION] == ROUNDS;
}

/* A part's outbox: the first vertex of every list, so that each is copied. */
static void slice_refine(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, BUFFER_WORDS), lists = number(arguments, SCALAR_STEP) / 2;
    uint32_t places = number(arguments, SCALAR_COUNT);
    const uint32_t *starts = (const uint32_t *)buffer(arguments, BUFFER_QUEUE) + places;
    (void)text;
    for (uint32_t l = 0; l < lists; l++)
        words[HD_LISTS + l] = (l + 1 < lists ? starts[l + 1] : places) > starts[l];
}

/* Of a span, by schedule coo: its edges have arrived, in full. Sources ascend within its rows; targets of an edge list
 * that was not sent, or not yet, are those of another span, or 0 throughout. */
static void span_round(const char *text, const void *const *arguments) {
    uint64_t first, end;
    if (!defined(text, "#define HD_SPAN 1\n") || !defined(text, "#define HD_COO 1\n"))
        return;
    memcpy(&first, arguments[INCORE_ARGUMENTS + SPAN_FIRST_EDGE], sizeof first);
    memcpy(&end, arguments[INCORE_ARGUMENTS + SPAN_END_EDGE], sizeof end);
    uint32_t low = number(arguments, INCORE_ARGUMENTS + SPAN_FIRST_ROW);
    uint32_t high = number(arguments, INCORE_ARGUMENTS + SPAN_END_ROW);
    const uint32_t *sources = buffer(arguments, INCORE_ARGUMENTS + SPAN_SOURCES);
    for (uint64_t e = 0; e < end - first; e++)
        if (sources[e] < low || sources[e] >= high || (e && sources[e] < sources[e - 1])) {
            fprintf(stderr, "tests/fake/kernels.c: a kernel finds edges of another partition\n");
            abort();
        }
}

/* The packed partition has arrived. Its sources become its first row. span_round notices if others write there. */
static void unpack_span(const char *text, const void *const *arguments) {
    uint64_t edges;
    const uint32_t *packed = buffer(arguments, UNPACK_PACKED);
    uint32_t *sources = buffer(arguments, UNPACK_SOURCES);
    memcpy(&edges, arguments[UNPACK_EDGES], sizeof edges);
    if (packed[0] != number(arguments, UNPACK_FIRST_EDGE)) {
        fprintf(stderr, "tests/fake/kernels.c: a kernel unpacks another partition\n");
        abort();
    }
    for (uint64_t e = 0; defined(text, "#define HD_UNPACK_SOURCES 1\n") && e < edges; e++)
        sources[e] = number(arguments, UNPACK_FIRST_ROW);
}

/* The store is there, where the host says. */
static void unpack_active(const char *text, const void *const *arguments) {
    uint64_t at;
    const uint32_t *packed = buffer(arguments, UNPACK_PACKED);
    uint32_t *read = buffer(arguments, UNPACK_READ);
    (void)text;
    memcpy(&at, arguments[UNPACK_AT], sizeof at);
    if (packed[at] != number(arguments, UNPACK_FIRST_EDGE)) {
        fprintf(stderr, "tests/fake/kernels.c: a kernel reads another partition in place\n");
        abort();
    }
    *read += 1;
}

/* The block has arrived: its first row begins at 0, and the others ascend. Sources become its rows. */
static void scatter_rows(const char *text, const void *const *arguments) {
    const uint32_t *block = buffer(arguments, SCATTER_BLOCK);
    uint32_t *sources = buffer(arguments, SCATTER_SOURCES), rows = number(arguments, SCATTER_ROWS);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t end = i + 1 < rows ? block[2 * i + 3] : number(arguments, SCATTER_EDGES);
        if ((i ? block[2 * i] <= block[2 * i - 2] : block[1] != 0) || block[2 * i + 1] >= end) {
            fprintf(stderr, "tests/fake/kernels.c: a kernel scatters other rows\n");
            abort();
        }
        for (uint32_t e = block[2 * i + 1]; defined(text, "#define HD_SCATTER_COMPACT 1\n") && e < end; e++)
            sources[e] = block[2 * i];
    }
}

/* ---- Searches ---------------------------------------------------------------------------------------------------- */

/* Some levels, then small ones for bfs_narrow, then the end. */
static void bfs_wide(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 14);
    (void)text;
    words[BFS_STATE] = words[BFS_STATE] == BFS_START && number(arguments, 3) ? BFS_NARROW : BFS_DONE;
    words[BFS_DEPTH]++;
}

static void paths(const char *text, const void *const *arguments) {
    uint64_t *state = buffer(arguments, 13);
    (void)text;
    state[PATHS_FINISHED] = ++state[PATHS_ROUNDS] >= ROUNDS;
}

/* Counts that get too large come first. */
static void many(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 17);
    words[MANY_LEVEL] += 2;
    words[MANY_DONE] = 1;
    words[MANY_OVER] = defined(text, "#define BC_EXTENDED 0\n");
}

static void many_settle(const char *text, const void *const *arguments) {
    if (number(arguments, 3))
        many(text, arguments);
}

/* ---- Ranks ------------------------------------------------------------------------------------------------------- */

static void rank_end(uint32_t *words) {
    words[RANK_ITERATION]++;
    words[RANK_DONE] = words[RANK_CONVERGED] = words[RANK_ITERATION] >= ROUNDS;
}

static void rank_turn(const char *text, const void *const *arguments) {
    (void)text;
    if (number(arguments, 2))
        rank_end(buffer(arguments, 4));
}

static void rank_small(const char *text, const void *const *arguments) {
    (void)text;
    rank_end(buffer(arguments, 16));
}

/* ---- Betweenness ------------------------------------------------------------------------------------------------- */

static uint32_t depth(uint32_t n) { return n < SHALLOW ? n : ROUNDS; }

/* Deep graphs have large counts. */
static void bc_place(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 21), n = number(arguments, 0);
    (void)text;
    words[BC_LEVELS] = depth(n);
    words[BC_BITS] = n < SHALLOW ? 4000 : 10;
    words[BC_PARTS] = n >= SHALLOW;
}

static void bcs_levels(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 5);
    (void)text;
    words[BCS_LEVELS] = depth(number(arguments, 0));
}

/* ---- Components -------------------------------------------------------------------------------------------------- */

/* The second search finds much at once, and pulls. */
static void scc_seeds(const char *text, const void *const *arguments) {
    uint32_t *state = buffer(arguments, 5);
    (void)text;
    state[SCC_LARGE] = number(arguments, 6);
}

/* Vertices that have to be decided, until they are. */
static void scc_split(const char *text, const void *const *arguments) {
    uint32_t *state = buffer(arguments, 5);
    (void)text;
    state[SCC_LISTED + 2] = 1;
}

static void scc_settle(const char *text, const void *const *arguments) {
    uint32_t *state = buffer(arguments, 6);
    (void)text;
    state[SCC_LISTED + 2] = 0;
}

/* ---- Forests ----------------------------------------------------------------------------------------------------- */

/* Keys of one part turn out too short; then there are two batches, or one where edges are few. */
static void mst_start(const char *text, const void *const *arguments) {
    uint32_t *state = buffer(arguments, 4);
    state[MST_TOO_HEAVY] = defined(text, "#define MST_TWO 0\n");
    state[MST_LAST] = number(arguments, 1);
}

static void mst_bound(const char *text, const void *const *arguments) {
    uint32_t *state = buffer(arguments, 11);
    (void)text;
    state[MST_LAST] = number(arguments, 0) != 0;
}

static void mst_collect(const char *text, const void *const *arguments) {
    uint32_t *state = buffer(arguments, 8);
    (void)text;
    state[MST_FOUND] = 1;
}

/* ---- Orders ------------------------------------------------------------------------------------------------------ */

/* All vertices but one, which is found at once. */
static void search_isolated(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 2);
    (void)text;
    words[SEARCH_ISOLATED] = number(arguments, 0) - 1;
}

static void search_begin(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 3);
    (void)text;
    words[SEARCH_TO] = 1;
}

static void search_turn(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 1);
    (void)text;
    words[SEARCH_FROM] = words[SEARCH_TO];
    words[SEARCH_DEPTH]++;
}

/* A level, and the end. */
static void kcore_next(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 2);
    (void)text;
    words[KCORE_TURN] = ++words[KCORE_LEVELS] > ROUNDS ? KCORE_DONE : KCORE_SCAN;
}

/* A very long row, of one piece. */
static void row_long(const char *text, const void *const *arguments) {
    uint32_t *counts = buffer(arguments, 2);
    (void)text;
    counts[SUM_LONG_ROWS] = counts[SUM_PIECES] = 1;
}

static void power_turn(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 5);
    (void)text;
    if (number(arguments, 2) == POWER_ROUND && !words[POWER_DONE])
        words[POWER_DONE] = words[POWER_CONVERGED] = ++words[POWER_ITERATION] == ROUNDS;
}

static void each_turn(const char *text, const void *const *arguments) {
    uint32_t *words = buffer(arguments, 2);
    (void)text;
    words[EACH_DONE] = ++words[EACH_ITERATION] >= ROUNDS;
}

/* Names and places of vertices that were renamed: each is its own. */
static void rename_places(const char *text, const void *const *arguments) {
    uint32_t n = number(arguments, 0), *names = buffer(arguments, 1), *places = buffer(arguments, 2);
    (void)text;
    for (uint32_t v = 0; v < n; v++)
        names[v] = places[v] = v;
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(const char *text, const void *const *arguments);
} kernels[] = {{"hd_turn", incore_turn},
               {"hd_refine", slice_refine},
               {"hd_round", span_round},
               {"unpack_span", unpack_span},
               {"unpack_active", unpack_active},
               {"scatter_rows", scatter_rows},
               {"bfs_wide", bfs_wide},
               {"bfs_turn", bfs_wide},
               {"bfs_narrow", bfs_wide},
               {"paths_run", paths},
               {"paths_turn", paths},
               {"bfs_each_forward", many},
               {"bcm_forward", many},
               {"many_settle_one", many_settle},
               {"rank_turn", rank_turn},
               {"rank_small", rank_small},
               {"bc_place", bc_place},
               {"bcs_levels", bcs_levels},
               {"scc_seeds", scc_seeds},
               {"scc_split", scc_split},
               {"scc_settle", scc_settle},
               {"mst_start", mst_start},
               {"mst_bound", mst_bound},
               {"mst_light", mst_collect},
               {"mst_collect", mst_collect},
               {"hd_search_isolated", search_isolated},
               {"hd_search_begin", search_begin},
               {"hd_search_turn", search_turn},
               {"hd_rename_places", rename_places},
               {"kcore_next", kcore_next},
               {"kcore_run", kcore_next},
               {"row_long", row_long},
               {"power_turn", power_turn},
               {"each_turn", each_turn}};

void fake_run(const char *text, const char *kernel, const void *const *arguments) {
    for (size_t i = 0; !fake_idle() && i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernel, kernels[i].name) == 0)
            kernels[i].run(text, arguments);
}
