/* fold.c - see fold.h. */
#include "exchange/fold.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/threads.h"
#include "exchange/agree.h"
#include "exchange/launcher.h"
#include "exchange/link_mpi.h"

#include <string.h>

static void free_fold(heddle_context *ctx, hd_fold *fold) {
    HD_DELETE(&ctx->allocator, fold->leader, fold->size);
    HD_DELETE(&ctx->allocator, fold->group, fold->size);
    HD_DELETE(&ctx->allocator, fold, 1);
}

/* Ranks of a machine, in ascending order, `most` at a time. Machines are numbered by their first rank; `seen` has two
 * numbers for each: how many of its ranks have come, and the latest leader. */
static void choose_leaders(hd_fold *fold, const uint64_t *machines, uint64_t *seen, uint64_t most) {
    memset(seen, 0, 2 * (size_t)fold->size * sizeof *seen);
    for (uint32_t p = 0; p < fold->size; p++) {
        uint64_t *machine = &seen[2 * machines[p]];
        if (machine[0]++ % most == 0) {
            machine[1] = p;
            fold->group[fold->left++] = p;
        }
        fold->leader[p] = (uint32_t)machine[1];
    }
}

/* `numbers` is room for one of each rank. */
static heddle_status join_cpus(hd_fold *fold, uint64_t *numbers, uint64_t cpus[HD_CPU_WORDS]) {
    hd_link *link = fold->whole;
    uint64_t words = 0;
    hd_machine_allowed(cpus);
    for (uint64_t w = 0; w < HD_CPU_WORDS; w++)
        words = cpus[w] ? w + 1 : words;
    HD_TRY(link->reduce(link, HD_LINK_MAX, &words, 1));
    for (uint64_t w = 0; w < words; w++) {
        HD_TRY(hd_tell_all(link, cpus[w], numbers));
        for (uint32_t p = 0; p < fold->size; p++)
            if (fold->leader[p] == fold->rank)
                cpus[w] |= numbers[p];
    }
    return HEDDLE_OK;
}

static heddle_status take_over(hd_fold *fold, uint64_t *numbers) {
    hd_link *link = fold->whole;
    uint64_t cpus[HD_CPU_WORDS];
    int threads = 0;
    HD_TRY(join_cpus(fold, numbers, cpus));
    HD_TRY(hd_tell_all(link, (uint64_t)link->ctx->most_threads, numbers));
    if (fold->leader[fold->rank] != fold->rank)
        return HEDDLE_OK;
    for (uint32_t p = 0; p < fold->size; p++)
        if (fold->leader[p] == fold->rank)
            threads += (int)numbers[p];
    hd_machine_allow(cpus); /* a cgroup may forbid it: then fewer threads are used */
    hd_threads_join(link->ctx, threads);
    return HEDDLE_OK;
}

/* The number among the ranks of this machine that are left. */
static uint32_t count_local(const hd_fold *fold, const uint64_t *machines) {
    uint32_t local = 0;
    for (uint32_t i = 0; i < fold->left && fold->group[i] < fold->rank; i++)
        local += machines[fold->group[i]] == machines[fold->rank];
    return local;
}

static heddle_status fold_ranks(hd_fold *fold, uint64_t most, uint64_t *machines, uint64_t *numbers) {
    hd_link *link = fold->whole;
    HD_TRY(hd_tell_all(link, link->machine, machines));
    choose_leaders(fold, machines, numbers, most);
    if (fold->left == fold->size)
        return HEDDLE_OK;
    HD_TRY(take_over(fold, numbers));
    uint32_t local = count_local(fold, machines);
    if (fold->left > 1)
        HD_TRY(hd_link_mpi_group(link, fold->group, fold->left, local));
    return HEDDLE_OK;
}

heddle_status hd_fold_begin(heddle_context *ctx, uint32_t most) {
    hd_link *link = ctx->link;
    uint32_t size = link->size;
    uint64_t wish = hd_fold_wish(), least = most && most < wish ? most : wish, *machines = NULL, *numbers = NULL;
    hd_fold *fold = NULL;
    heddle_status status;
    HD_TRY(hd_agree(link, wish ? HEDDLE_OK
                               : hd_fail(ctx, HEDDLE_E_ARGUMENT,
                                         "HEDDLE_FOLD in the environment is neither no nor a number of ranks")));
    HD_TRY(hd_agree_same(link, wish, "the ranks have different values of HEDDLE_FOLD in their environments"));
    HD_TRY(link->reduce(link, HD_LINK_MIN, &least, 1));
    if (least == 1)
        return HEDDLE_OK;
    HD_CHECK(HD_NEW_ZERO(ctx, &fold, 1, "ranks"));
    *fold = (hd_fold){.whole = link, .rank = link->rank, .size = size};
    HD_CHECK(HD_NEW(ctx, &fold->leader, size, "ranks"));
    HD_CHECK(HD_NEW(ctx, &fold->group, size, "ranks"));
    HD_CHECK(HD_NEW(ctx, &machines, size, "ranks"));
    HD_CHECK(HD_NEW(ctx, &numbers, 2 * (uint64_t)size, "ranks"));
out:
    status = hd_agree(link, status);
    if (status == HEDDLE_OK)
        status = fold_ranks(fold, least, machines, numbers);
    HD_DELETE(&ctx->allocator, machines, size);
    HD_DELETE(&ctx->allocator, numbers, 2 * (uint64_t)size);
    if (fold && (status != HEDDLE_OK || fold->left == fold->size)) {
        free_fold(ctx, fold);
        return status;
    }
    ctx->fold = fold;
    if (status == HEDDLE_OK && fold->left == 1 && !hd_fold_sleeps(ctx))
        ctx->link = NULL;
    return status;
}

bool hd_fold_sleeps(const heddle_context *ctx) {
    return ctx->fold && ctx->fold->leader[ctx->fold->rank] != ctx->fold->rank;
}

bool hd_fold_member(const heddle_context *ctx, uint32_t i, uint32_t *rank) {
    const hd_fold *fold = ctx->fold;
    uint32_t count = 0;
    *rank = ctx->link ? ctx->link->rank : 0;
    for (uint32_t p = 0; fold && p < fold->size; p++)
        if (fold->leader[p] == fold->rank && count++ == i) {
            *rank = p;
            return true;
        }
    return !fold && i == 0;
}

void hd_fold_drop(heddle_context *ctx) {
    hd_fold *fold = ctx->fold;
    if (!fold)
        return;
    ctx->fold = NULL;
    ctx->link = fold->whole;
    hd_link_mpi_ungroup(fold->whole);
    free_fold(ctx, fold);
}

heddle_status hd_fold_end(heddle_context *ctx) {
    if (!ctx->fold)
        return HEDDLE_OK;
    bool asleep = hd_fold_sleeps(ctx);
    hd_link *link = ctx->fold->whole;
    hd_fold_drop(ctx);
    hd_link_mpi_sleep(link, asleep);
    heddle_status status = link->barrier(link);
    hd_link_mpi_sleep(link, false);
    return status;
}
