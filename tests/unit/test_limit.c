/* test_limit.c - memory limits: the last byte, growing and shrinking, blocks from before, what the message says. */
#include "support.h"

#include "base/limit.h"
#include "base/memory.h"

static void to_the_last_byte(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    hd_limit limit;
    hd_limit_begin(ctx, &limit, 100, 1, NULL);
    assert_int_equal(hd_limit_left(ctx), 99);
    assert_null(hd_alloc(&ctx->allocator, 100));
    assert_int_equal(limit.refused, 100);
    void *block = hd_alloc(&ctx->allocator, 99);
    assert_non_null(block);
    assert_int_equal(hd_limit_left(ctx), 0);
    assert_null(hd_alloc(&ctx->allocator, 1));
    hd_free(&ctx->allocator, block, 99);
    assert_int_equal(hd_limit_left(ctx), 99);
    hd_limit_end(ctx, &limit);
    assert_int_equal(hd_limit_left(ctx), UINT64_MAX);

    hd_limit_begin(ctx, &limit, 1, 1, NULL); /* one byte, which is in use */
    assert_null(hd_alloc(&ctx->allocator, 1));
    hd_limit_end(ctx, &limit);
    hd_limit_begin(ctx, &limit, 1, 2, NULL); /* in use already: more than the limit */
    assert_int_equal(hd_limit_left(ctx), 0);
    assert_null(hd_alloc(&ctx->allocator, 1));
    hd_limit_end(ctx, &limit);
    hd_limit_begin(ctx, &limit, 0, 0, NULL); /* no limit */
    assert_null(ctx->limit);
    hd_limit_end(ctx, &limit);
    hd_limit_begin(ctx, &limit, UINT64_MAX, 0, NULL);
    assert_int_equal(hd_limit_left(ctx), INT64_MAX);
    hd_limit_end(ctx, &limit);
    heddle_context_destroy(&ctx);
}

/* A block that grows is there twice for a moment; one that shrinks needs nothing. */
static void growing_and_shrinking(void **state) {
    (void)state;
    heddle_context *ctx = support_context(1);
    hd_limit limit;
    char *before = hd_alloc(&ctx->allocator, 50);
    hd_limit_begin(ctx, &limit, 1000, 0, NULL);
    char *block = hd_alloc(&ctx->allocator, 400);
    assert_non_null(block);
    assert_null(hd_resize(&ctx->allocator, block, 400, 601));
    assert_int_equal(hd_limit_left(ctx), 600);
    block = hd_resize(&ctx->allocator, block, 400, 600);
    assert_non_null(block);
    assert_int_equal(hd_limit_left(ctx), 400);
    block = hd_resize(&ctx->allocator, block, 600, 100);
    assert_non_null(block);
    assert_int_equal(hd_limit_left(ctx), 900);
    hd_free(&ctx->allocator, before, 50); /* from before the limit: fewer than none are in use */
    assert_int_equal(hd_limit_left(ctx), 950);
    hd_free(&ctx->allocator, block, 100);
    assert_int_equal(hd_limit_left(ctx), 1000);
    hd_limit_end(ctx, &limit);
    heddle_context_destroy(&ctx);
}

/* The system is out of memory within the limit: what was counted is given back. */
static void refused_inside(void **state) {
    (void)state;
    heddle_context *ctx;
    heddle_context_options options;
    hd_limit limit;
    heddle_context_options_init(&options);
    options.threads = 1;
    options.allocator = support_failing_allocator(3);
    assert_int_equal(heddle_context_create(&options, &ctx), HEDDLE_OK);
    hd_limit_begin(ctx, &limit, 1000, 0, NULL);
    char *block = hd_alloc(&ctx->allocator, 100);
    assert_non_null(block);
    assert_null(hd_alloc(&ctx->allocator, 100));
    assert_int_equal(hd_limit_left(ctx), 900);
    assert_null(hd_resize(&ctx->allocator, block, 100, 200));
    assert_int_equal(hd_limit_left(ctx), 900);
    assert_null(hd_resize(&ctx->allocator, block, 100, 50));
    assert_int_equal(hd_limit_left(ctx), 900);
    assert_int_equal(limit.refused, 0);
    hd_free(&ctx->allocator, block, 100);
    hd_limit_end(ctx, &limit);
    heddle_context_destroy(&ctx);
    assert_int_equal(support_live_blocks(), 0);
}

/* Sizes that no machine has are refused before anybody is asked for memory, with what it would have been for. */
static void beyond_all_memory(void **state) {
    (void)state;
    static const uint64_t counts[] = {UINT64_MAX, UINT64_MAX / 8 + 1, UINT64_MAX / 32 + 1};
    heddle_context *ctx = support_context(1);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint64_t block = 0, *words = &block;
        support_assert_status(ctx, HD_NEW(ctx, &words, counts[i], "words"), HEDDLE_E_MEMORY);
        support_assert_message(ctx, "words");
        assert_null(words);
    }
    heddle_allocator plain = hd_default_allocator(); /* rounded up, these would be small */
    assert_null(hd_alloc(&plain, SIZE_MAX));
    assert_null(hd_alloc(&plain, SIZE_MAX - ((size_t)3 << 20)));
    assert_null(hd_alloc(&plain, SIZE_MAX / 2));
    heddle_context_destroy(&ctx);
}

static void sizes_in_words(void **state) {
    (void)state;
    assert_string_equal(hd_size_of(1024).text, "1.0 KiB");
    assert_string_equal(hd_size_of(UINT64_C(1) << 20).text, "1.0 MiB");
    assert_string_equal(hd_size_of((UINT64_C(1) << 20) - 103).text, "1023.9 KiB");
    assert_string_equal(hd_size_of(UINT64_C(5000) << 40).text, "5000.0 TiB");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(to_the_last_byte), cmocka_unit_test(growing_and_shrinking),
                                       cmocka_unit_test(refused_inside), cmocka_unit_test(sizes_in_words),
                                       cmocka_unit_test(beyond_all_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
