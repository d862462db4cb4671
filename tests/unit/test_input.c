/* test_input.c - bytes from files, pipes and compressed files, and what is said when there are none. */
#define _GNU_SOURCE
#include "context_case.h"

#include "io/compress.h"
#include "io/input.h"
#include "io/output.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Text that is not all alike. */
static char *make_text(size_t bytes) {
    char *text = malloc(bytes + 32);
    assert_non_null(text);
    for (size_t i = 0, line = 0; i < bytes; line++)
        i += (size_t)snprintf(text + i, 32, "%zu %zu\n", line, line * 2654435761u % 1000003);
    return text;
}

static void assert_input_is(const char *path, const void *data, size_t bytes) {
    hd_input input;
    support_assert_status(ctx, hd_input_open(ctx, path, &input), HEDDLE_OK);
    assert_int_equal(input.bytes, bytes);
    assert_memory_equal(input.data, data, bytes);
    hd_input_close(ctx, &input);
    assert_null(input.data);
}

static void assert_refused(const char *path, heddle_status status, const char *words) {
    hd_input input;
    support_assert_status(ctx, hd_input_open(ctx, path, &input), status);
    support_assert_message(ctx, words);
    support_assert_message(ctx, strrchr(path, '/') ? strrchr(path, '/') + 1 : path); /* the file is named */
    assert_null(input.data);
}

#ifdef HD_HAVE_ZLIB
static const char *pack(const char *name, const void *data, size_t bytes) {
    hd_output *output;
    const char *path = support_temp_path(name);
    support_assert_status(ctx, hd_output_open(ctx, path, 0, &output), HEDDLE_OK);
    hd_output_write(output, data, bytes);
    support_assert_status(ctx, hd_output_close(&output), HEDDLE_OK);
    return path;
}
#endif

static void byte_order_marks_are_skipped(void **state) {
    static const char marked[] = "\xef\xbb\xbf"
                                 "1 2\n";
    hd_input input;
    (void)state;
    const char *path = support_write_text("marked.txt", marked);
    assert_input_is(path, "1 2\n", 4);
#ifdef HD_HAVE_ZLIB
    assert_input_is(pack("marked.txt.gz", marked, sizeof marked - 1), "1 2\n", 4);
#endif
    support_assert_status(ctx, hd_input_open(ctx, path, &input), HEDDLE_OK);
    support_assert_status(ctx, hd_input_own(ctx, &input, 9), HEDDLE_OK);
    assert_memory_equal(input.data, "1 2\n", 4);
    hd_input_close(ctx, &input);
    support_assert_status(ctx, hd_input_memory(ctx, marked, sizeof marked - 1, &input), HEDDLE_OK);
    support_assert_status(ctx, hd_input_own(ctx, &input, 5), HEDDLE_OK); /* the mark's bytes are no room */
    assert_memory_equal(input.data, "1 2\n", 4);
    hd_input_close(ctx, &input);
    assert_refused(support_write_text("mark.txt", "\xef\xbb\xbf"), HEDDLE_E_FORMAT, "the file is empty");
}

static void plain_file_is_mapped(void **state) {
    hd_input input;
    const char *path = support_write_text("plain.txt", "1 2\n");
    (void)state;
    support_assert_status(ctx, hd_input_open(ctx, path, &input), HEDDLE_OK);
    assert_true(input.mapped);
    assert_false(input.compressed);
    assert_string_equal(input.name, path);
    hd_input_close(ctx, &input);
    assert_input_is(path, "1 2\n", 4);
}

static void what_cannot_be_opened(void **state) {
    (void)state;
    assert_refused(support_temp_path("missing"), HEDDLE_E_OPEN, "No such file");
    assert_refused(support_temp_dir(), HEDDLE_E_OPEN, "is a directory");
    assert_refused(support_write_text("empty", ""), HEDDLE_E_FORMAT, "the file is empty");
    assert_refused("/dev/null", HEDDLE_E_FORMAT, "the file is empty");
    if (geteuid() == 0)
        return; /* who may read everything cannot be refused */
    const char *path = support_write_text("secret", "1 2\n");
    chmod(path, 0);
    assert_refused(path, HEDDLE_E_OPEN, "Permission denied");
}

/* ---- Pipes ------------------------------------------------------------------------------------------------------ */

typedef struct feed {
    int fd;
    const char *path; /* or a fifo to open */
    const char *data;
    size_t bytes;
} feed;

static void *feed_pipe(void *argument) {
    feed *f = argument;
    int fd = f->path ? open(f->path, O_WRONLY) : f->fd;
    for (size_t at = 0; at < f->bytes;) {
        ssize_t done = write(fd, f->data + at, f->bytes - at < 1000 ? f->bytes - at : 1000);
        if (done <= 0)
            break;
        at += (size_t)done;
    }
    close(fd);
    return NULL;
}

static void fifo_is_read(void **state) {
    size_t bytes = 300000;
    char *text = make_text(bytes);
    const char *path = support_temp_path("fifo");
    pthread_t thread;
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    feed f = {.path = path, .data = text, .bytes = bytes};
    assert_int_equal(pthread_create(&thread, NULL, feed_pipe, &f), 0);
    assert_input_is(path, text, bytes);
    pthread_join(thread, NULL);
    free(text);
}

/* Runs `check` with standard input coming from `fd`. */
static void with_stdin(int fd, void (*check)(const char *data, size_t bytes), const char *data, size_t bytes) {
    int kept = dup(0);
    assert_true(kept >= 0 && dup2(fd, 0) == 0);
    check(data, bytes);
    assert_true(dup2(kept, 0) == 0);
    close(kept);
}

static void check_stdin(const char *data, size_t bytes) {
    hd_input input;
    support_assert_status(ctx, hd_input_open(ctx, "-", &input), HEDDLE_OK);
    assert_string_equal(input.name, "<stdin>");
    assert_int_equal(input.bytes, bytes);
    assert_memory_equal(input.data, data, bytes);
    hd_input_close(ctx, &input);
}

static void stdin_pipe_and_file(void **state) {
    size_t bytes = 100000, packed;
    char *text = make_text(bytes);
    int ends[2];
    pthread_t thread;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    feed f = {.fd = ends[1], .data = text, .bytes = bytes};
    pthread_create(&thread, NULL, feed_pipe, &f);
    with_stdin(ends[0], check_stdin, text, bytes);
    pthread_join(thread, NULL);
    close(ends[0]);
    /* a file, from its start and from further on */
    int fd = open(support_write_file("stdin.txt", text, bytes), O_RDONLY);
    with_stdin(fd, check_stdin, text, bytes);
    assert_int_equal(lseek(fd, 5000, SEEK_SET), 5000);
    with_stdin(fd, check_stdin, text + 5000, bytes - 5000);
    close(fd);
#ifdef HD_HAVE_ZLIB
    char *gz = support_read_file(pack("stdin.gz", text, bytes), &packed);
    assert_int_equal(pipe(ends), 0);
    f = (feed){.fd = ends[1], .data = gz, .bytes = packed};
    pthread_create(&thread, NULL, feed_pipe, &f);
    with_stdin(ends[0], check_stdin, text, bytes);
    pthread_join(thread, NULL);
    close(ends[0]);
    free(gz);
#else
    (void)packed;
#endif
    free(text);
}

/* ---- Compression ------------------------------------------------------------------------------------------------ */

#if defined(HD_HAVE_ZLIB) && defined(HD_HAVE_ZSTD) && defined(HD_HAVE_BZIP2) && defined(HD_HAVE_LZMA)

static const char *const suffixes[] = {".gz", ".zst", ".bz2", ".xz"};
static const char *const words[] = {"gzip", "zstd", "bzip2", "xz"};
enum { CODECS = sizeof words / sizeof *words };

static const char *named(const char *stem, int codec) {
    static char name[64];
    snprintf(name, sizeof name, "%s%s", stem, suffixes[codec]);
    return name;
}

static void packed_files_come_back(void **state) {
    size_t sizes[] = {1, 100, 70000, 3000000};
    (void)state;
    for (int codec = 0; codec < CODECS; codec++)
        for (int i = 0; i < 4; i++) {
            char *text = make_text(sizes[i]);
            assert_input_is(pack(named("packed", codec), text, sizes[i]), text, sizes[i]);
            free(text);
        }
}

/* Much smaller packed than any guess allows for. */
static void zeros_come_back(void **state) {
    size_t bytes = 40 << 20;
    char *zeros = calloc(bytes, 1);
    (void)state;
    for (int codec = 0; codec < CODECS; codec++)
        assert_input_is(pack(named("zeros", codec), zeros, bytes), zeros, bytes);
    free(zeros);
}

static void join_files(const char *first, const char *second, const char *name, const char **path) {
    size_t a, b;
    char *x = support_read_file(first, &a), *y = support_read_file(second, &b);
    char *both = malloc(a + b);
    memcpy(both, x, a);
    memcpy(both + a, y, b);
    *path = support_write_file(name, both, a + b);
    free(x), free(y), free(both);
}

static void several_members(void **state) {
    (void)state;
    for (int codec = 0; codec < CODECS; codec++) {
        const char *first = pack(named("first", codec), "1 2\n", 4), *second = pack(named("second", codec), "3 4\n", 4);
        const char *both;
        join_files(first, second, named("both", codec), &both);
        assert_input_is(both, "1 2\n3 4\n", 8);
        join_files(both, support_write_text("rubbish", "rubbish, and more of it"), named("tail", codec), &both);
        assert_refused(both, HEDDLE_E_FORMAT, "something other than ");
        support_assert_message(ctx, words[codec]);
    }
    const char *padded;
    join_files(pack("pad.gz", "1 2\n", 4), support_write_file("zeros", "\0\0\0\0\0\0\0", 7), "padded.gz", &padded);
    assert_input_is(padded, "1 2\n", 4);
}

static void skippable_frames(void **state) {
    static const char skippable[] = "\x50\x2a\x4d\x18\x05\x00\x00\x00hello";
    const char *path, *data = pack("frame.zst", "1 2\n", 4);
    const char *skip_path = support_write_file("skip.zst", skippable, sizeof skippable - 1);
    (void)state;
    join_files(skip_path, data, "skip-first.zst", &path);
    assert_input_is(path, "1 2\n", 4);
    join_files(data, skip_path, "skip-last.zst", &path);
    assert_input_is(path, "1 2\n", 4);
    assert_refused(skip_path, HEDDLE_E_FORMAT, "empty once unpacked");
}

static void truncated_everywhere(void **state) {
    size_t bytes = 2000;
    char *text = make_text(bytes);
    (void)state;
    for (int codec = 0; codec < CODECS; codec++) {
        size_t packed;
        char *whole = support_read_file(pack(named("whole", codec), text, bytes), &packed);
        for (size_t cut = 10; cut < packed; cut++) {
            const char *path = support_write_file(named("cut", codec), whole, cut);
            assert_refused(path, HEDDLE_E_FORMAT, "the file is truncated");
            support_assert_message(ctx, words[codec]);
        }
        free(whole);
    }
    free(text);
}

static void flipped_bytes(void **state) {
    size_t bytes = 400;
    char *text = make_text(bytes);
    (void)state;
    for (int codec = 0; codec < CODECS; codec++) {
        size_t packed;
        char *whole = support_read_file(pack(named("whole", codec), text, bytes), &packed);
        for (size_t at = 0; at < packed; at++) {
            hd_input input;
            whole[at] ^= 0x10;
            const char *path = support_write_file(named("flip", codec), whole, packed);
            heddle_status status = hd_input_open(ctx, path, &input);
            if (status == HEDDLE_OK) { /* no longer a packed file, or a byte that does not matter */
                assert_true(!input.compressed || (input.bytes == bytes && memcmp(input.data, text, bytes) == 0));
                hd_input_close(ctx, &input);
            } else {
                support_assert_status(ctx, status, HEDDLE_E_FORMAT);
            }
            whole[at] ^= 0x10;
        }
        free(whole);
    }
    free(text);
}

/* Headers that promise the moon must not cost memory. */
static void lying_sizes(void **state) {
    size_t packed;
    char *gz = support_read_file(pack("lie.gz", "1 2\n", 4), &packed);
    static const char zst[] = "\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f\x21\x00\x00"
                              "1 2\n";
    heddle_context_options options;
    heddle_context *counted;
    hd_input input;
    (void)state;
    memset(gz + packed - 4, 0xff, 4);
    const char *paths[] = {support_write_file("lie.gz", gz, packed),
                           support_write_file("lie.zst", zst, sizeof zst - 1)};
    for (int i = 0; i < 2; i++) {
        heddle_context_options_init(&options);
        options.allocator = support_failing_allocator(0);
        assert_int_equal(heddle_context_create(&options, &counted), HEDDLE_OK);
        assert_int_equal(hd_input_open(counted, paths[i], &input), HEDDLE_E_FORMAT);
        assert_true(support_peak_bytes() < 2 << 20);
        heddle_context_destroy(&counted);
        assert_int_equal(support_live_blocks(), 0);
    }
    free(gz);
}

static heddle_status open_and_close(heddle_context *failing, void *path) {
    hd_input input;
    HD_TRY(hd_input_open(failing, path, &input));
    hd_input_close(failing, &input);
    return HEDDLE_OK;
}

static void memory_fails(void **state) {
    size_t bytes = 300000;
    char *text = make_text(bytes);
    (void)state;
    for (int codec = 0; codec < CODECS; codec++)
        support_try_every_failure(open_and_close, (void *)(uintptr_t)pack(named("memory", codec), text, bytes));
    support_try_every_failure(open_and_close, "/proc/self/status"); /* read, not mapped */
    free(text);
}

static void cancelled(void **state) {
    char *text = make_text(100000);
    hd_input input;
    (void)state;
    for (int codec = 0; codec < CODECS; codec++) {
        const char *path = pack(named("cancel", codec), text, 100000);
        support_cancel(ctx);
        support_assert_status(ctx, hd_input_open(ctx, path, &input), HEDDLE_E_CANCELLED);
        support_uncancel(ctx);
        assert_input_is(path, text, 100000);
    }
    free(text);
}

static void real_files(void **state) {
    const char *path = support_data_path("MIT8.edgelist.gz");
    hd_input input;
    (void)state;
    support_assert_status(ctx, hd_input_open(ctx, path, &input), HEDDLE_OK);
    assert_true(input.compressed && input.bytes > 1000000);
    hd_input_close(ctx, &input);
    support_assert_status(ctx, hd_input_open(ctx, support_data_path("web-Stanford.txt.zst"), &input), HEDDLE_OK);
    assert_true(input.compressed && input.bytes > 10000000);
    hd_input_close(ctx, &input);
}

#else

static void codecs_that_are_missing(void **state) {
    (void)state;
#ifndef HD_HAVE_ZLIB
    assert_refused(support_write_text("a.gz", "\x1f\x8b\x08"), HEDDLE_E_UNSUPPORTED, "zlib1g-dev");
#endif
#ifndef HD_HAVE_ZSTD
    assert_refused(support_write_text("a.zst", "\x28\xb5\x2f\xfd"), HEDDLE_E_UNSUPPORTED, "libzstd-dev");
#endif
#ifndef HD_HAVE_BZIP2
    assert_refused(support_write_text("a.bz2", "BZh9\x31\x41\x59\x26\x53\x59"), HEDDLE_E_UNSUPPORTED, "libbz2-dev");
#endif
#ifndef HD_HAVE_LZMA
    assert_refused(support_write_file("a.xz",
                                      "\xfd"
                                      "7zXZ",
                                      6),
                   HEDDLE_E_UNSUPPORTED, "liblzma-dev");
#endif
}

#endif

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

static void errors_have_places(void **state) {
    static const char text[] = "1 2\n3 x4\r\n5";
    hd_input input;
    const heddle_error *error = heddle_context_error(ctx);
    (void)state;
    support_assert_status(ctx, hd_input_copy(ctx, "memory.txt", text, sizeof text - 1, &input), HEDDLE_OK);
    assert_int_equal(hd_input_fail(ctx, &input, 6, 2, "a number"), HEDDLE_E_FORMAT);
    assert_int_equal(error->line, 2);
    assert_int_equal(error->column, 3);
    assert_string_equal(error->token, "x4");
    assert_string_equal(error->file, "memory.txt");
    assert_string_equal(error->message, "memory.txt:2:3: found 'x4', expected a number");
    assert_int_equal(hd_input_fail(ctx, &input, 0, 1, "a b"), HEDDLE_E_FORMAT);
    assert_int_equal(error->line, 1);
    assert_int_equal(error->column, 1);
    assert_int_equal(hd_input_fail(ctx, &input, 10, 100, "a c"), HEDDLE_E_FORMAT); /* too long: cut */
    assert_string_equal(error->token, "5");
    assert_int_equal(hd_input_fail(ctx, &input, 11, 1, "more"), HEDDLE_E_FORMAT);
    assert_string_equal(error->token, "end of file");
    assert_int_equal(error->line, 3);
    assert_int_equal(error->column, 2);
    assert_int_equal(hd_input_fail(ctx, &input, 99999, 1, "more"), HEDDLE_E_FORMAT);
    assert_int_equal(error->line, 3);
    hd_input_close(ctx, &input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(byte_order_marks_are_skipped),
        cmocka_unit_test(plain_file_is_mapped),
        cmocka_unit_test(what_cannot_be_opened),
        cmocka_unit_test(fifo_is_read),
        cmocka_unit_test(stdin_pipe_and_file),
        cmocka_unit_test(errors_have_places),
#if defined(HD_HAVE_ZLIB) && defined(HD_HAVE_ZSTD) && defined(HD_HAVE_BZIP2) && defined(HD_HAVE_LZMA)
        cmocka_unit_test(packed_files_come_back),
        cmocka_unit_test(zeros_come_back),
        cmocka_unit_test(several_members),
        cmocka_unit_test(skippable_frames),
        cmocka_unit_test(truncated_everywhere),
        cmocka_unit_test(flipped_bytes),
        cmocka_unit_test(lying_sizes),
        cmocka_unit_test(memory_fails),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(real_files),
#else
        cmocka_unit_test(codecs_that_are_missing),
#endif
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
