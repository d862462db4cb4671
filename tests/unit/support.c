/* support.c - see support.h. */
#define _GNU_SOURCE
#include "support.h"

#include "base/context.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Processes ------------------------------------------------------------------------------------------------- */

int __llvm_profile_write_file(void) __attribute__((weak)); /* of clang's counters, if there are any */

void support_end_child(int status) {
    if (__llvm_profile_write_file)
        __llvm_profile_write_file();
    _exit(status);
}

/* ---- Memory -------------------------------------------------------------------------------------------------- */

/* Room before each block for its own size, keeping the alignment; and behind it, which nobody writes. */
enum { HEAD = 64, TAIL = 16, TAIL_BYTE = 0x7d };
static const uint64_t block_mark = UINT64_C(0x5afe5afe00c0ffee);

static struct {
    pthread_mutex_t lock;
    uint64_t fail_from, fail_to, allocations, live_blocks, live_bytes, peak_bytes;
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *counting_allocate(void *user, size_t bytes, int zero) {
    (void)user;
    pthread_mutex_lock(&memory.lock);
    bool fails = ++memory.allocations >= memory.fail_from && memory.fail_from && memory.allocations <= memory.fail_to;
    pthread_mutex_unlock(&memory.lock);
    size_t whole = (bytes + TAIL + 2 * HEAD - 1) / HEAD * HEAD;
    char *block = fails || whole < bytes ? NULL : aligned_alloc(HEAD, whole);
    if (!block)
        return NULL;
    memset(block, zero ? 0 : 0xa5, whole);
    memcpy(block, &bytes, sizeof bytes);
    memcpy(block + 8, &block_mark, sizeof block_mark);
    memset(block + HEAD + bytes, TAIL_BYTE, TAIL);
    pthread_mutex_lock(&memory.lock);
    memory.live_blocks++;
    memory.live_bytes += bytes;
    if (memory.live_bytes > memory.peak_bytes)
        memory.peak_bytes = memory.live_bytes;
    pthread_mutex_unlock(&memory.lock);
    return block + HEAD;
}

static void counting_release(void *user, void *released, size_t bytes) {
    (void)user;
    char *block = (char *)released - HEAD;
    if (memcmp(block + 8, &block_mark, sizeof block_mark) != 0 || memcmp(block, &bytes, sizeof bytes) != 0) {
        size_t asked;
        memcpy(&asked, block, sizeof asked);
        fprintf(stderr, "a block of %zu bytes was released as one of %zu\n", asked, bytes);
        abort();
    }
    for (size_t i = 0; i < TAIL; i++)
        if ((unsigned char)block[HEAD + bytes + i] != TAIL_BYTE) {
            fprintf(stderr, "a block of %zu bytes was written behind its end\n", bytes);
            abort();
        }
    memset(block, 0x5a, HEAD);
    free(block);
    pthread_mutex_lock(&memory.lock);
    memory.live_blocks--;
    memory.live_bytes -= bytes;
    pthread_mutex_unlock(&memory.lock);
}

heddle_allocator support_failing_allocator(uint64_t n) {
    memory.fail_from = n;
    memory.fail_to = UINT64_MAX;
    memory.allocations = memory.live_blocks = memory.live_bytes = memory.peak_bytes = 0;
    return (heddle_allocator){counting_allocate, counting_release, NULL};
}

heddle_allocator support_failing_once(uint64_t n) {
    heddle_allocator allocator = support_failing_allocator(n);
    memory.fail_to = n;
    return allocator;
}

uint64_t support_allocations(void) { return memory.allocations; }
uint64_t support_live_blocks(void) { return memory.live_blocks; }
uint64_t support_peak_bytes(void) { return memory.peak_bytes; }

void support_try_every_failure(heddle_status (*attempt)(heddle_context *ctx, void *user), void *user) {
    for (uint64_t n = 1;; n += support_stride(7)) {
        heddle_context_options options;
        heddle_context *ctx;
        heddle_context_options_init(&options);
        options.threads = 2;
        options.allocator = support_failing_allocator(n);
        heddle_status status = heddle_context_create(&options, &ctx);
        if (status == HEDDLE_OK) {
            status = attempt(ctx, user);
            if (status == HEDDLE_E_MEMORY && !strstr(heddle_context_error(ctx)->message, "memory"))
                fail_msg("allocation %llu failed with the message '%s'", (unsigned long long)n,
                         heddle_context_error(ctx)->message);
            if (status != HEDDLE_OK && status != HEDDLE_E_MEMORY)
                fail_msg("allocation %llu failed, and the call gave %s: %s", (unsigned long long)n,
                         heddle_status_name(status), heddle_context_error(ctx)->message);
            heddle_context_destroy(&ctx);
        }
        if (memory.live_blocks != 0)
            fail_msg("allocation %llu failed (%s), and %llu blocks were left behind", (unsigned long long)n,
                     heddle_status_name(status), (unsigned long long)memory.live_blocks);
        if (status == HEDDLE_OK)
            return;
        if (memory.allocations < n)
            fail_msg("out of memory without a failing allocation (%llu)", (unsigned long long)n);
    }
}

/* ---- Contexts ------------------------------------------------------------------------------------------------ */

static char last_note[1024], all_notes[16384];

static void keep_note(void *user, const char *text) {
    size_t used = strlen(all_notes);
    (void)user;
    snprintf(last_note, sizeof last_note, "%s", text);
    snprintf(all_notes + used, sizeof all_notes - used, "%s\n", text);
}

void support_clear_notes(void) { last_note[0] = all_notes[0] = '\0'; }
const char *support_last_note(void) { return last_note; }
const char *support_notes(void) { return all_notes; }

heddle_context *support_context(int threads) {
    heddle_context_options options;
    heddle_context *ctx;
    heddle_context_options_init(&options);
    options.threads = threads;
    options.note = keep_note;
    support_clear_notes();
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    return ctx;
}

void support_cancel(heddle_context *ctx) {
    ctx->calls++;
    heddle_context_cancel(ctx);
}

void support_uncancel(heddle_context *ctx) {
    ctx->calls--;
    heddle_context_reset(ctx);
}

void support_check_status(heddle_context *ctx, heddle_status status, heddle_status expected, const char *file,
                          int line) {
    if (status == expected)
        return;
    print_error("expected %s, got %s: %s\n", heddle_status_name(expected), heddle_status_name(status),
                heddle_context_error(ctx)->message);
    _fail(file, line);
}

void support_check_verified(heddle_context *ctx, const heddle_graph *graph, const heddle_run_options *options,
                            heddle_result *result, const char *file, int line) {
    heddle_status status = heddle_verify(ctx, graph, options, result);
    const heddle_report *report = heddle_result_report(result);
    bool stopped = !report->converged && report->residual_verified >= 0;
    support_check_status(ctx, status, stopped ? HEDDLE_E_VERIFY : HEDDLE_OK, file, line);
    if (stopped && !strstr(heddle_context_error(ctx)->message, "not converged"))
        support_check_status(ctx, status, HEDDLE_OK, file, line);
}

void support_check_message(heddle_context *ctx, const char *words, const char *file, int line) {
    if (strstr(heddle_context_error(ctx)->message, words))
        return;
    print_error("expected '%s' in the message '%s'\n", words, heddle_context_error(ctx)->message);
    _fail(file, line);
}

/* ---- Files --------------------------------------------------------------------------------------------------- */

static char temp_dir[256];

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *ftw) {
    (void)info, (void)type, (void)ftw;
    return remove(path);
}

static void remove_temp_dir(void) { nftw(temp_dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

const char *support_temp_dir(void) {
    if (!temp_dir[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(temp_dir, sizeof temp_dir, "%s/heddle-test-XXXXXX", base && *base ? base : "/tmp");
        if (!mkdtemp(temp_dir))
            fail_msg("cannot make the folder %s: %s", temp_dir, strerror(errno));
        atexit(remove_temp_dir);
    }
    return temp_dir;
}

/* Paths live until the end, in a list that is still reachable then. */
static struct kept {
    struct kept *next;
    char path[];
} * kept_paths;

static const char *keep_path(const char *folder, const char *name) {
    size_t bytes = strlen(folder) + strlen(name) + 2;
    struct kept *entry = malloc(sizeof *entry + bytes);
    if (!entry)
        fail_msg("no memory for a path");
    snprintf(entry->path, bytes, "%s/%s", folder, name);
    entry->next = kept_paths;
    kept_paths = entry;
    return entry->path;
}

const char *support_temp_path(const char *name) { return keep_path(support_temp_dir(), name); }

const char *support_write_file(const char *name, const void *data, size_t bytes) {
    const char *path = support_temp_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
        fail_msg("cannot write %s: %s", path, strerror(errno));
    return path;
}

const char *support_write_text(const char *name, const char *text) {
    return support_write_file(name, text, strlen(text));
}

char *support_read_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fail_msg("cannot read %s: %s", path, strerror(errno));
    size_t size = (size_t)ftell(file);
    char *data = malloc(size + 1);
    rewind(file);
    if (!data || fread(data, 1, size, file) != size)
        fail_msg("cannot read %s: %s", path, strerror(errno));
    fclose(file);
    data[size] = '\0';
    *bytes = size;
    return data;
}

size_t support_temp_entries(void) {
    DIR *folder = opendir(support_temp_dir());
    size_t count = 0;
    if (!folder)
        fail_msg("cannot open %s: %s", temp_dir, strerror(errno));
    for (struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static bool can_unpack(const char *name) {
    static const char *const parts[][2] = {{".gz", "zlib: not"},
                                           {".zst", "zstd: not"},
                                           {".bz2", "bzip2: not"},
                                           {".xz", "liblzma: not"}};
    const char *suffix = strrchr(name, '.'), *build = heddle_build_info();
    for (size_t i = 0; suffix && i < sizeof parts / sizeof *parts; i++)
        if (strcmp(suffix, parts[i][0]) == 0 && strstr(build, parts[i][1]))
            return false;
    return true;
}

const char *support_data_path(const char *name) {
    const char *folder = getenv("HEDDLE_TEST_DATA");
    if (!can_unpack(name)) {
        print_message("skipped: this build cannot unpack %s\n", name);
        skip();
    }
    const char *path = folder && *folder ? keep_path(folder, name) : NULL;
    if (!path || access(path, R_OK) != 0) {
        print_message("skipped: no %s in the folder that HEDDLE_TEST_DATA names\n", name);
        skip();
    }
    return path;
}

/* ---- How much ------------------------------------------------------------------------------------------------ */

#ifndef __has_feature
#define __has_feature(name) 0 /* gcc */
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || defined(HEDDLE_TEST_SMALL)
#define THIS_BUILD FOR_ADDRESSES
#elif defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define THIS_BUILD FOR_RACES
#elif !defined(_OPENMP)
#define THIS_BUILD WITHOUT_THREADS
#else
#define THIS_BUILD WHOLE
#endif

static enum { WHOLE, FOR_ADDRESSES, FOR_RACES, WITHOUT_THREADS } extent(void) {
    return getenv("HEDDLE_TEST_ALL") ? WHOLE : THIS_BUILD;
}

uint64_t support_large(uint64_t n) { return extent() == WHOLE ? n : n / 8; }

const int *support_threads(void) {
    static const int threads[][4] = {
        [WHOLE] = {1, 2, 7}, [FOR_ADDRESSES] = {1, 7}, [FOR_RACES] = {7}, [WITHOUT_THREADS] = {1}};
    return threads[extent()];
}

uint64_t support_stride(uint64_t wide) { return extent() == FOR_RACES || extent() == WITHOUT_THREADS ? wide : 1; }

void support_compile_quickly(void) {
    if (!getenv("HEDDLE_TEST_ALL"))
        setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 0);
}

/* ---- Graphs -------------------------------------------------------------------------------------------------- */

static long double weight_at(const heddle_graph *graph, const heddle_adjacency *rows, uint64_t k) {
    switch (heddle_graph_weight_type(graph)) {
    case HEDDLE_WEIGHT_U32: return ((const uint32_t *)rows->weights)[k];
    case HEDDLE_WEIGHT_I32: return ((const int32_t *)rows->weights)[k];
    case HEDDLE_WEIGHT_F32: return ((const float *)rows->weights)[k];
    case HEDDLE_WEIGHT_I64: return ((const int64_t *)rows->weights)[k];
    case HEDDLE_WEIGHT_F64: return ((const double *)rows->weights)[k];
    default: return 1;
    }
}

void support_assert_same_graph(heddle_context *ctx, const heddle_graph *a, const heddle_graph *b) {
    heddle_adjacency rows_a, rows_b;
    uint64_t n = heddle_graph_vertices(a), m = heddle_graph_edges(a);
    assert_int_equal(heddle_graph_vertices(b), n);
    assert_int_equal(heddle_graph_edges(b), m);
    assert_int_equal(heddle_graph_directed(a), heddle_graph_directed(b));
    assert_int_equal(heddle_graph_weight_type(a) == HEDDLE_WEIGHT_NONE,
                     heddle_graph_weight_type(b) == HEDDLE_WEIGHT_NONE);
    support_assert_status(ctx, heddle_graph_out(ctx, a, &rows_a), HEDDLE_OK);
    support_assert_status(ctx, heddle_graph_out(ctx, b, &rows_b), HEDDLE_OK);
    assert_memory_equal(rows_a.offsets, rows_b.offsets, (n + 1) * sizeof *rows_a.offsets);
    assert_memory_equal(rows_a.targets, rows_b.targets, m * sizeof *rows_a.targets);
    for (uint64_t k = 0; k < m; k++)
        if (weight_at(a, &rows_a, k) != weight_at(b, &rows_b, k))
            fail_msg("weight %llu is %Lg and %Lg", (unsigned long long)k, weight_at(a, &rows_a, k),
                     weight_at(b, &rows_b, k));
    assert_int_equal(heddle_graph_id_type(a) == HEDDLE_ID_STRING, heddle_graph_id_type(b) == HEDDLE_ID_STRING);
    for (uint64_t v = 0; v < n; v++) {
        char id_a[256], id_b[256];
        heddle_graph_id_text(a, (heddle_vertex)v, id_a, sizeof id_a);
        heddle_graph_id_text(b, (heddle_vertex)v, id_b, sizeof id_b);
        assert_string_equal(id_a, id_b);
    }
}

heddle_run_options support_run_options(const char *algorithm, const char *device, const char *plan) {
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = algorithm;
    options.device = device;
    options.plan = plan;
    options.parents = strcmp(algorithm, "bfs") == 0 || strcmp(algorithm, "sssp") == 0 || strcmp(algorithm, "sswp") == 0;
    options.max_iterations = strcmp(algorithm, "nn") == 0 || strcmp(algorithm, "hs") == 0 ? 20 : 0;
    return options;
}

heddle_status support_load_and_run(heddle_context *ctx, const char *path, const char *algorithm) {
    heddle_run_options options = support_run_options(algorithm, "cpu", "auto");
    heddle_graph *graph = NULL;
    heddle_result *result = NULL;
    heddle_status status = heddle_graph_load(ctx, path, NULL, &graph);
    if (status == HEDDLE_OK)
        status = heddle_run(ctx, graph, &options, &result);
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    return status;
}
