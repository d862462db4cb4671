/* test_link.c - the link between parts of one process: messages, reductions, failures. */
#include "support.h"

#include "exchange/link.h"

#include <stdio.h>

enum { MOST = 5, ROUNDS = 20 };

static heddle_status local(uint32_t parts, hd_link_work work, void *user, heddle_context **ctx) {
    *ctx = support_context(2);
    return hd_link_local(*ctx, parts, work, user);
}

/* ---- Messages --------------------------------------------------------------------------------------------------- */

static size_t length_of(uint32_t from, uint32_t to, int round) { return (from * 7 + to * 3 + (size_t)round) % 11; }
static unsigned char byte_of(uint32_t from, uint32_t to, int round, size_t i) {
    return (unsigned char)(from * 50 + to * 9 + (unsigned)round * 5 + i);
}

/* Everybody sends to everybody, two rounds before it waits; some messages are empty. */
static heddle_status everybody(hd_link *link, void *user) {
    unsigned char out[2][MOST][16], in[2][MOST][16];
    hd_message_way sent[2][MOST], got[2][MOST];
    (void)user;
    for (int round = 0; round < ROUNDS; round++) {
        for (int half = 0; half < 2; half++)
            for (uint32_t p = 0; p < link->size; p++) {
                size_t bytes = length_of(link->rank, p, 2 * round + half);
                if (p == link->rank)
                    continue;
                for (size_t i = 0; i < bytes; i++)
                    out[half][p][i] = byte_of(link->rank, p, 2 * round + half, i);
                HD_TRY(link->receive(link, p, in[half][p], sizeof in[half][p], &got[half][p]));
                HD_TRY(link->send(link, p, out[half][p], bytes, &sent[half][p]));
            }
        for (int half = 0; half < 2; half++)
            for (uint32_t p = 0; p < link->size; p++) {
                if (p == link->rank)
                    continue;
                HD_TRY(link->wait(link, &got[half][p]));
                HD_TRY(link->wait(link, &sent[half][p]));
                HD_TRY(link->wait(link, &sent[half][p])); /* once more does nothing */
                bool right = got[half][p].bytes == length_of(p, link->rank, 2 * round + half);
                for (size_t i = 0; right && i < got[half][p].bytes; i++)
                    right = in[half][p][i] == byte_of(p, link->rank, 2 * round + half, i);
                if (!right)
                    return hd_fail(link->ctx, HEDDLE_E_INTERNAL, "part %u: wrong message", link->rank);
            }
    }
    return HEDDLE_OK;
}

static void messages_arrive(void **state) {
    (void)state;
    for (uint32_t parts = 1; parts <= MOST; parts++) {
        heddle_context *ctx;
        heddle_status status = local(parts, everybody, NULL, &ctx);
        support_assert_status(ctx, status, HEDDLE_OK);
        heddle_context_destroy(&ctx);
    }
}

/* ---- Collectives ------------------------------------------------------------------------------------------------ */

static heddle_status together(hd_link *link, void *user) {
    (void)user;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t n = link->size, sum[2] = {link->rank + round, 1}, least = link->rank + 3, most = link->rank + round;
        uint64_t mine[MOST], theirs[MOST];
        double real[2] = {link->rank * 0.25, 1e-3}, small = -(double)link->rank, nan = link->rank == 0 ? 0.0 / 0.0 : 1;
        double expected = 0;
        for (uint64_t p = 0; p < n; p++)
            mine[p] = link->rank * 100 + p * 10 + round;
        for (uint64_t p = 0; p < n; p++)
            expected += 1e-3;
        HD_TRY(link->reduce(link, HD_LINK_SUM, sum, 2));
        HD_TRY(link->reduce(link, HD_LINK_MIN, &least, 1));
        HD_TRY(link->barrier(link));
        HD_TRY(link->reduce(link, HD_LINK_MAX, &most, 1));
        HD_TRY(link->counts(link, mine, theirs));
        HD_TRY(link->reduce_real(link, HD_LINK_SUM, real, 2));
        HD_TRY(link->reduce_real(link, HD_LINK_MIN, &small, 1));
        HD_TRY(link->reduce_real(link, HD_LINK_MAX, &nan, 1));
        bool right = sum[0] == n * (n - 1) / 2 + n * round && sum[1] == n && least == 3 && most == n - 1 + round;
        right = right && real[0] == (double)(n * (n - 1) / 2) * 0.25 && real[1] == expected;
        right = right && small == -(double)(n - 1) && nan != nan;
        for (uint64_t p = 0; p < n; p++)
            right = right && theirs[p] == p * 100 + link->rank * 10 + round;
        if (!right)
            return hd_fail(link->ctx, HEDDLE_E_INTERNAL, "part %u: wrong numbers", link->rank);
    }
    return HEDDLE_OK;
}

static void numbers_agree(void **state) {
    (void)state;
    for (uint32_t parts = 1; parts <= MOST; parts++) {
        heddle_context *ctx;
        heddle_status status = local(parts, together, NULL, &ctx);
        support_assert_status(ctx, status, HEDDLE_OK);
        heddle_context_destroy(&ctx);
    }
}

/* ---- Failures --------------------------------------------------------------------------------------------------- */

typedef struct failure {
    uint32_t who;
    int where; /* what the others wait in */
} failure;

static heddle_status one_fails(hd_link *link, void *user) {
    const failure *f = user;
    char data[8] = {0};
    hd_message_way way = {.open = false};
    uint64_t numbers[MOST] = {0}, theirs[MOST];
    double real = 0;
    HD_TRY(link->barrier(link));
    if (link->rank == f->who)
        return hd_fail(link->ctx, HEDDLE_E_WEIGHT, "part %u does not like its weights", link->rank);
    switch (f->where) {
    case 0: return link->barrier(link);
    case 1: return link->reduce(link, HD_LINK_SUM, numbers, 1);
    case 2: return link->reduce_real(link, HD_LINK_MAX, &real, 1);
    case 3: return link->counts(link, numbers, theirs);
    case 4: HD_TRY(link->receive(link, f->who, data, sizeof data, &way)); return link->wait(link, &way);
    default: HD_TRY(link->send(link, f->who, data, sizeof data, &way)); return link->wait(link, &way);
    }
}

static void a_failure_ends_all(void **state) {
    (void)state;
    for (uint32_t who = 0; who < 3; who++)
        for (int where = 0; where < 7; where++) {
            failure f = {who, where};
            heddle_context *ctx;
            char words[40];
            snprintf(words, sizeof words, "part %u does not like", who);
            heddle_status status = local(3, one_fails, &f, &ctx);
            support_assert_status(ctx, status, HEDDLE_E_WEIGHT);
            support_assert_message(ctx, words);
            heddle_context_destroy(&ctx);
        }
}

static heddle_status too_long(hd_link *link, void *user) {
    char data[8] = {0};
    hd_message_way way;
    (void)user;
    HD_TRY(link->rank ? link->send(link, 0, data, sizeof data, &way) : link->receive(link, 1, data, 4, &way));
    return link->wait(link, &way);
}

static heddle_status too_many(hd_link *link, void *user) {
    char data[8] = {0};
    hd_message_way way;
    (void)user;
    for (int i = 0; link->rank && i <= HD_LINK_POSTED; i++)
        HD_TRY(link->send(link, 0, data, sizeof data, &way));
    return link->barrier(link);
}

static void misuse_is_noticed(void **state) {
    heddle_context *ctx;
    (void)state;
    heddle_status status = local(2, too_long, NULL, &ctx);
    support_assert_status(ctx, status, HEDDLE_E_INTERNAL);
    support_assert_message(ctx, "has room for 4");
    heddle_context_destroy(&ctx);
    status = local(2, too_many, NULL, &ctx);
    support_assert_status(ctx, status, HEDDLE_E_INTERNAL);
    heddle_context_destroy(&ctx);
}

/* Parts are cancelled with the run: those that wait end too. */
static heddle_status until_cancelled(hd_link *link, void *user) {
    (void)user;
    if (link->rank == 0)
        heddle_context_cancel(link->ctx);
    while (!hd_advance(link->ctx, 0))
        ;
    return link->rank == 1 ? link->barrier(link) : hd_cancelled_status(link->ctx);
}

static void cancelling_ends_all(void **state) {
    heddle_context *ctx;
    (void)state;
    heddle_status status = local(3, until_cancelled, NULL, &ctx);
    support_assert_status(ctx, status, HEDDLE_E_CANCELLED);
    heddle_context_destroy(&ctx);
}

static heddle_status second_fails(hd_link *link, void *user) {
    static const char *const names[] = {"cuda:0", "cuda:1"};
    link->name = names[link->rank];
    if (!link->rank)
        return link->barrier(link);
    return hd_fail(link->ctx, *(heddle_status *)user, "out of room");
}

/* Which of several devices it was; of other failures the device is not the cause. */
static void devices_are_named(void **state) {
    heddle_status device = HEDDLE_E_DEVICE_MEMORY, other = HEDDLE_E_WEIGHT;
    heddle_context *ctx;
    (void)state;
    heddle_status status = local(2, second_fails, &device, &ctx);
    support_assert_status(ctx, status, device);
    assert_string_equal(heddle_context_error(ctx)->message, "cuda:1: out of room");
    heddle_context_destroy(&ctx);
    status = local(2, second_fails, &other, &ctx);
    support_assert_status(ctx, status, other);
    assert_string_equal(heddle_context_error(ctx)->message, "out of room");
    heddle_context_destroy(&ctx);
}

static heddle_status attempt(heddle_context *ctx, void *user) {
    return hd_link_local(ctx, *(uint32_t *)user, together, NULL);
}

static void every_allocation_may_fail(void **state) {
    uint32_t parts = 3;
    (void)state;
    support_try_every_failure(attempt, &parts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_arrive),     cmocka_unit_test(numbers_agree),
        cmocka_unit_test(a_failure_ends_all),  cmocka_unit_test(misuse_is_noticed),
        cmocka_unit_test(cancelling_ends_all), cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(devices_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
