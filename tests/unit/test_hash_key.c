/* test_hash_key.c - hash tables of ids and labels have a secret key: ids chosen to collide do not, and nothing that a
 * graph shows depends on the key. */
#include "base/context.h"
#include "graph/ids.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096, SLOTS = 1 << 16 };

static uint64_t undo_shift(uint64_t x, int shift) {
    uint64_t y = x;
    for (int known = shift; known < 64; known += shift)
        y = x ^ (y >> shift);
    return y;
}

static uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int bits = 3; bits < 64; bits *= 2)
        x *= 2 - odd * x;
    return x;
}

/* The inverse of hd_mix64: ids that all fall into one slot of a table that is indexed by it. */
static uint64_t unmix(uint64_t x) {
    x = undo_shift(x, 31) * inverse(UINT64_C(0x94d049bb133111eb));
    x = undo_shift(x, 27) * inverse(UINT64_C(0xbf58476d1ce4e5b9));
    return undo_shift(x, 30);
}

/* How many of SLOTS slots COUNT labels of 8 bytes fall into; 3970 when they are random. */
static unsigned slots_taken(const hd_hash_key *key, uint64_t (*nth)(uint64_t)) {
    bool *taken = calloc(SLOTS, sizeof *taken);
    unsigned count = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        uint64_t word = nth(k), slot = hd_label_hash(key, (const char *)&word, sizeof word) % SLOTS;
        count += !taken[slot];
        taken[slot] = true;
    }
    free(taken);
    return count;
}

static uint64_t flood(uint64_t k) { return unmix(k << 32); }
static uint64_t ascending(uint64_t k) { return k; }
static uint64_t high_bits(uint64_t k) { return k << 50; }

static void chosen_values_do_not_collide(void **state) {
    (void)state;
    assert_int_equal(hd_mix64(flood(77)), UINT64_C(77) << 32);
    for (int i = 0; i < 20; i++) {
        heddle_context *ctx = support_context(1);
        assert_true(slots_taken(&ctx->hash_key, flood) > 3800);
        assert_true(slots_taken(&ctx->hash_key, ascending) > 3800);
        assert_true(slots_taken(&ctx->hash_key, high_bits) > 3800);
        heddle_context_destroy(&ctx);
    }
}

static void contexts_have_different_keys(void **state) {
    heddle_context *one = support_context(1), *other = support_context(1);
    (void)state;
    assert_true(one->hash_key.factor % 2);
    assert_true(one->hash_key.pad != other->hash_key.pad || one->hash_key.factor != other->hash_key.factor);
    heddle_context_destroy(&one);
    heddle_context_destroy(&other);
}

static void load(heddle_context *ctx, const char *path, heddle_graph **graph) {
    support_assert_status(ctx, heddle_graph_load(ctx, path, NULL, graph), HEDDLE_OK);
}

static void the_key_does_not_show(void **state) {
    (void)state;
    for (int labels = 0; labels < 2; labels++) {
        size_t room = COUNT * 64, used = 0;
        char *text = malloc(room);
        for (uint64_t k = 0; k < COUNT; k++)
            used +=
                (size_t)snprintf(text + used, room - used, labels ? "v%llu\tw%llu\n" : "%llu\t%llu\n",
                                 (unsigned long long)(flood(k) >> 1), (unsigned long long)(flood(k * 7 % 999) >> 1));
        const char *path = support_write_file(labels ? "labels.tsv" : "ids.tsv", text, used);
        heddle_context *ctx = support_context(2);
        heddle_graph *first, *again;
        load(ctx, path, &first);
        for (int i = 0; i < 4; i++) {
            heddle_context *other = support_context(2);
            load(other, path, &again);
            support_assert_same_graph(ctx, first, again);
            heddle_graph_destroy(&again);
            heddle_context_destroy(&other);
        }
        heddle_graph_destroy(&first);
        heddle_context_destroy(&ctx);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_values_do_not_collide),
        cmocka_unit_test(contexts_have_different_keys),
        cmocka_unit_test(the_key_does_not_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
