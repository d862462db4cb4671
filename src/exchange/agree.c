/* agree.c - see agree.h. */
#include "exchange/agree.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* By a binomial tree from the root: in step k those that have the data send to the one 2^k further on. */
heddle_status hd_broadcast(hd_link *link, uint32_t root, void *data, size_t bytes) {
    uint32_t size = link->size, place = (link->rank + size - root) % size;
    hd_message_way way = {.open = false};
    for (uint64_t step = 1; step < size; step *= 2) {
        if (place >= step && place < 2 * step) {
            HD_TRY(link->receive(link, (uint32_t)((place - step + root) % size), data, bytes, &way));
            HD_TRY(link->wait(link, &way));
        } else if (place < step && place + step < size) {
            HD_TRY(link->send(link, (uint32_t)((place + step + root) % size), data, bytes, &way));
            HD_TRY(link->wait(link, &way));
        }
    }
    return HEDDLE_OK;
}

heddle_status hd_agree(hd_link *link, heddle_status status) {
    heddle_context *ctx = link->ctx;
    heddle_error error = ctx->error;
    uint64_t first = status != HEDDLE_OK ? link->rank : UINT64_MAX, code = (uint64_t) - (int64_t)status;
    uint64_t least[2] = {first, code}, most[1] = {code};
    HD_TRY(link->reduce(link, HD_LINK_MIN, least, 2));
    HD_TRY(link->reduce(link, HD_LINK_MAX, most, 1));
    if (most[0] == 0)
        return HEDDLE_OK;
    error.status = status;
    if (status != HEDDLE_OK && !error.message[0])
        snprintf(error.message, sizeof error.message, "%s", heddle_status_text(status));
    HD_TRY(hd_broadcast(link, (uint32_t)least[0], &error, sizeof error));
    ctx->error = error;
    ctx->agreed = true;
    if (least[1] != most[0])
        snprintf(ctx->error.message, sizeof ctx->error.message, "rank %u: %.1000s",
                 hd_link_number(link, (uint32_t)least[0]), error.message);
    return error.status;
}

heddle_status hd_agree_same(hd_link *link, uint64_t number, const char *words) {
    uint64_t least = number, most = number;
    HD_TRY(link->reduce(link, HD_LINK_MIN, &least, 1));
    HD_TRY(link->reduce(link, HD_LINK_MAX, &most, 1));
    if (least == most)
        return HEDDLE_OK;
    link->ctx->agreed = true;
    return hd_fail(link->ctx, HEDDLE_E_REFUSED, "%s", words);
}

heddle_status hd_tell_all(hd_link *link, uint64_t number, uint64_t *numbers) {
    uint64_t *mine;
    HD_TRY(HD_NEW(link->ctx, &mine, link->size, "numbers of all ranks"));
    for (uint32_t p = 0; p < link->size; p++)
        mine[p] = number;
    heddle_status status = link->counts(link, mine, numbers);
    HD_DELETE(&link->ctx->allocator, mine, link->size);
    return status;
}

heddle_status hd_prefix(hd_link *link, uint64_t number, uint64_t *before, uint64_t *all) {
    uint64_t received;
    hd_message_way in = {.open = false}, out = {.open = false};
    *before = 0;
    *all = number;
    HD_TRY(link->reduce(link, HD_LINK_SUM, all, 1));
    if (link->rank) {
        HD_TRY(link->receive(link, link->rank - 1, &received, sizeof received, &in));
        HD_TRY(link->wait(link, &in));
        *before = received;
    }
    uint64_t next = *before + number;
    if (link->rank + 1 < link->size) {
        HD_TRY(link->send(link, link->rank + 1, &next, sizeof next, &out));
        HD_TRY(link->wait(link, &out));
    }
    return HEDDLE_OK;
}
