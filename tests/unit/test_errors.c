/* test_errors.c - what a context says when something fails, and how far it has come: tokens with bytes that no terminal
 * should see, file names, system errors, memory limits, phases inside phases. */
#include "support.h"

#include "base/context.h"
#include "base/limit.h"
#include "base/machine.h"

#include <errno.h>
#include <stdio.h>

static const char *token_of(heddle_context *ctx, const char *token, size_t length) {
    assert_int_equal(hd_fail_token(ctx, "f", 3, 4, token, length, "a number"), HEDDLE_E_FORMAT);
    return heddle_context_error(ctx)->token;
}

/* Control characters, of one byte or two (C1 in UTF-8), are written as numbers; others of two bytes stay. */
static void tokens(void **state) {
    static const struct {
        const char *bytes, *shown;
    } cases[] = {{"abc", "abc"},           {"a b", "a b"},
                 {"a\x1f!", "a\\x1f!"},    {"~\x7f", "~\\x7f"},
                 {"\xc2\x80y", "\\x80y"},  {"\xc2\x9fy", "\\x9fy"},
                 {"\xc2\xa9", "\xc2\xa9"}, {"\xc3\x85", "\xc3\x85"},
                 {"\xc2", "\xc2"},         {"x\xc2\x1b", "x\xc2\\x1b"}};
    heddle_context *ctx = support_context(1);
    char text[64], expected[64];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(token_of(ctx, cases[i].bytes, strlen(cases[i].bytes)), cases[i].shown);
    assert_string_equal(token_of(ctx, "\xc2\x80", 1), "\xc2"); /* the next byte is not the token's */
    memset(text, 'x', sizeof text);
    memset(expected, 'x', sizeof expected);
    expected[57] = '\0';
    assert_string_equal(token_of(ctx, text, 57), expected);
    strcpy(expected + 57, "...");
    assert_string_equal(token_of(ctx, text, 58), expected);
    heddle_context_destroy(&ctx);
}

static void messages(void **state) {
    heddle_context *ctx = support_context(1);
    char path[400];
    (void)state;
    token_of(ctx, "7", 1);
    assert_string_equal(heddle_context_error(ctx)->message, "f:3:4: found '7', expected a number");
    token_of(ctx, "end of line", 11);
    assert_string_equal(heddle_context_error(ctx)->message, "f:3:4: found end of line, expected a number");
    token_of(ctx, "end of file", 11);
    assert_string_equal(heddle_context_error(ctx)->message, "f:3:4: found end of file, expected a number");
    memset(path, 'd', sizeof path);
    strcpy(path + sizeof path - 5, "/end");
    assert_int_equal(hd_fail_file(ctx, HEDDLE_E_OPEN, path, 0, "no %s", "way"), HEDDLE_E_OPEN);
    assert_int_equal(strlen(heddle_context_error(ctx)->file), 255);
    assert_string_equal(heddle_context_error(ctx)->file + 251, "/end");
    assert_string_equal(heddle_context_error(ctx)->message + 255, ": no way");
    hd_fail_file(ctx, HEDDLE_E_OPEN, "f", ENOENT, "cannot open");
    assert_string_equal(heddle_context_error(ctx)->message, "f: cannot open: No such file or directory");
    hd_fail_file(ctx, HEDDLE_E_OPEN, "f", 99999, "cannot open"); /* no error of any system */
    assert_string_equal(heddle_context_error(ctx)->message, "f: cannot open: system error 99999");
    heddle_context_destroy(&ctx);
}

/* Each status has a text and an exit status that scripts rely on. */
static void statuses(void **state) {
    (void)state;
#define CHECK(name, value, text, exit_status)                                \
    assert_string_equal(heddle_status_name(HEDDLE_##name), "HEDDLE_" #name); \
    assert_string_equal(heddle_status_text(HEDDLE_##name), text);            \
    assert_int_equal(heddle_status_exit(HEDDLE_##name), exit_status);        \
    assert_int_equal(HEDDLE_##name, value);
    HEDDLE_STATUS_MAP(CHECK)
#undef CHECK
    assert_int_equal(heddle_status_exit((heddle_status)-12345), 1);
}

/* A limit that was exceeded, in contexts with and without a file to name. */
static void memory_limits(void **state) {
    heddle_context *ctx = support_context(1);
    hd_limit limit;
    (void)state;
    assert_int_equal(hd_fail_memory(ctx, 77, "rows"), HEDDLE_E_MEMORY);
    assert_string_equal(heddle_context_error(ctx)->message, "out of memory: 77 bytes wanted for rows");
    hd_limit_begin(ctx, &limit, 1 << 20, 0, NULL);
    hd_fail_memory_in(ctx, "f", "expat");
    assert_string_equal(heddle_context_error(ctx)->message, "f: out of memory in expat");
    limit.refused = 3 << 20;
    hd_fail_memory_in(ctx, "f", "expat");
    assert_string_equal(heddle_context_error(ctx)->message,
                        "f: the memory limit of 1.0 MiB does not suffice: expat wanted 3.0 MiB more; a file that is "
                        "not compressed takes less");
    hd_fail_memory(ctx, 77, "rows");
    assert_string_equal(heddle_context_error(ctx)->message,
                        "the memory limit of 1.0 MiB does not suffice: 3.0 MiB more were wanted for rows");
    limit.subject = "in.txt";
    hd_fail_memory(ctx, 77, "rows");
    assert_string_equal(heddle_context_error(ctx)->message,
                        "in.txt: the memory limit of 1.0 MiB does not suffice: 3.0 MiB more were wanted for rows; "
                        "heddle convert in.txt OUT.hdl --memory-limit 1048576 works on disk, for runs on OUT.hdl");
    limit.spill = "/tmp"; /* it does work on disk */
    hd_fail_memory(ctx, 77, "rows");
    assert_string_equal(heddle_context_error(ctx)->message,
                        "in.txt: the memory limit of 1.0 MiB does not suffice: 3.0 MiB more were wanted for rows");
    hd_limit_end(ctx, &limit);
    heddle_context_destroy(&ctx);
}

static char reported[512];

static int note_progress(void *user, const heddle_progress *progress) {
    size_t used = strlen(reported);
    snprintf(reported + used, sizeof reported - used, "%s %llu/%llu ", progress->phase,
             (unsigned long long)progress->done, (unsigned long long)progress->total);
    return user != NULL;
}

/* What interrupts a phase ends before it; of those deeper than four only the end is known. */
static void phases(void **state) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    enum { DEEP = sizeof names / sizeof *names };
    heddle_context_options options;
    heddle_context *ctx;
    (void)state;
    heddle_context_options_init(&options);
    options.progress = note_progress;
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    hd_enter(ctx);
    for (uint64_t i = 0; i < DEEP; i++) {
        hd_phase_begin(ctx, names[i], 10 + i);
        hd_advance(ctx, 1 + i);
    }
    assert_string_equal(reported, "a 0/10 b 0/11 c 0/12 d 0/13 e 0/14 f 0/15 g 0/16 ");
    reported[0] = '\0';
    for (int i = 0; i < DEEP; i++)
        hd_phase_end(ctx);
    assert_string_equal(reported, "g 16/16 d 13/13 c 12/12 b 11/11 a 10/10 ");
    assert_null(ctx->phase);
    reported[0] = '\0';
    hd_phase_begin(ctx, "more than all", 10);
    hd_advance(ctx, 11);
    ctx->total = 0; /* hd_phase_end would set what is done */
    hd_phase_end(ctx);
    assert_string_equal(reported, "more than all 0/10 more than all 11/0 ");
    heddle_context_destroy(&ctx);
}

/* What is done never exceeds the total; a callback that is not 0 cancels. */
static void clipped(void **state) {
    heddle_context_options options;
    heddle_context *ctx;
    (void)state;
    heddle_context_options_init(&options);
    options.progress = note_progress;
    options.progress_user = &options;
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    hd_enter(ctx);
    hd_phase_begin(ctx, "p", 10);
    assert_true(hd_cancelled(ctx));
    reported[0] = '\0';
    ctx->reported = 0; /* long ago */
    assert_true(hd_advance(ctx, 25));
    assert_string_equal(reported, "p 10/10 ");
    hd_phase_end(ctx);
    heddle_context_destroy(&ctx);
}

static void wrong_options(void **state) {
    heddle_context_options options;
    heddle_context *ctx;
    (void)state;
    static const int threads[] = {-1, HD_MOST_THREADS + 1};
    assert_int_equal(heddle_context_create(NULL, NULL), HEDDLE_E_ARGUMENT);
    options.threads = 77; /* of a size that no version has: nothing is written */
    heddle_context_options_init_sized(&options, 0);
    heddle_context_options_init_sized(&options, SIZE_MAX);
    assert_int_equal(options.threads, 77);
    for (int i = 0; i < 2; i++) {
        heddle_context_options_init(&options);
        options.threads = threads[i];
        assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_E_ARGUMENT);
        assert_null(ctx);
    }
    heddle_context_options_init(&options);
    options.allocator.allocate = support_failing_allocator(0).allocate; /* and nothing releases */
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_E_ARGUMENT);
    options.threads = HD_MOST_THREADS;
    options.allocator.allocate = NULL;
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    heddle_context_destroy(&ctx);
    heddle_context_destroy(&ctx);
    heddle_context_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tokens),       cmocka_unit_test(messages),
                                       cmocka_unit_test(statuses),     cmocka_unit_test(memory_limits),
                                       cmocka_unit_test(phases),       cmocka_unit_test(clipped),
                                       cmocka_unit_test(wrong_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
