/* test_hash.c - checksums: every change is seen, and threads make no difference. */
#include "support.h"

#include "base/hash.h"

#include <stdlib.h>

static void fill(unsigned char *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)hd_random(1, i);
}

static uint64_t hash_with(int threads, const void *data, uint64_t bytes) {
    heddle_context *ctx = support_context(threads);
    uint64_t hash;
    bool sound;
    support_assert_status(ctx, hd_hash_array(ctx, data, bytes, NULL, NULL, &hash, &sound), HEDDLE_OK);
    assert_true(sound);
    heddle_context_destroy(&ctx);
    return hash;
}

static void every_bit_counts(void **state) {
    unsigned char data[200];
    (void)state;
    fill(data, sizeof data);
    for (size_t bytes = 0; bytes <= sizeof data; bytes += bytes < 70 ? 1 : 13) {
        uint64_t hash = hd_hash_block(data, bytes);
        for (size_t bit = 0; bit < bytes * 8; bit++) {
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_int_not_equal(hd_hash_block(data, bytes), hash);
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        assert_int_equal(hd_hash_block(data, bytes), hash);
    }
}

static void length_counts(void **state) {
    static const unsigned char zeros[300];
    uint64_t seen[300];
    (void)state;
    for (size_t bytes = 0; bytes < 300; bytes++) {
        seen[bytes] = hd_hash_block(zeros, bytes);
        for (size_t before = 0; before < bytes; before++)
            assert_int_not_equal(seen[bytes], seen[before]);
    }
}

static void alignment_does_not(void **state) {
    unsigned char data[400];
    (void)state;
    fill(data + 8, 300);
    uint64_t hash = hd_hash_block(data + 8, 300);
    for (size_t shift = 0; shift < 8; shift++) {
        memmove(data + shift, data + (shift ? shift - 1 : 8), 300);
        assert_int_equal(hd_hash_block(data + shift, 300), hash);
    }
}

static void threads_do_not(void **state) {
    size_t bytes = 5 * HD_HASH_BLOCK + 77;
    unsigned char *data = malloc(bytes);
    (void)state;
    assert_non_null(data);
    fill(data, bytes);
    uint64_t hash = hash_with(1, data, bytes);
    assert_int_equal(hash_with(4, data, bytes), hash);
    /* Blocks that change places change the hash. */
    for (size_t i = 0; i < HD_HASH_BLOCK; i++) {
        unsigned char byte = data[i];
        data[i] = data[i + HD_HASH_BLOCK];
        data[i + HD_HASH_BLOCK] = byte;
    }
    assert_int_not_equal(hash_with(2, data, bytes), hash);
    free(data);
}

static bool refuse_one(void *self, uint64_t from, uint64_t to) {
    uint64_t byte = *(uint64_t *)self;
    return byte < from || byte >= to;
}

static void visits_see_every_block(void **state) {
    size_t bytes = 3 * HD_HASH_BLOCK + 5;
    unsigned char *data = calloc(bytes, 1);
    heddle_context *ctx = support_context(2);
    (void)state;
    for (uint64_t byte = 0; byte <= bytes; byte += byte + 1 < bytes ? bytes - 1 - byte : 1) {
        uint64_t hash;
        bool sound;
        support_assert_status(ctx, hd_hash_array(ctx, data, bytes, refuse_one, &byte, &hash, &sound), HEDDLE_OK);
        assert_int_equal(sound, byte == bytes);
    }
    heddle_context_destroy(&ctx);
    free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_counts),       cmocka_unit_test(length_counts),
        cmocka_unit_test(alignment_does_not),     cmocka_unit_test(threads_do_not),
        cmocka_unit_test(visits_see_every_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
