/* shared_labels.c - see shared_labels.h. */
#include "exchange/shared_labels.h"

#include "base/hash.h"
#include "base/memory.h"
#include "exchange/agree.h"
#include "exchange/swap.h"

#include <string.h>

static const char what[] = "labels of all ranks";

typedef struct numbering {
    hd_link *link;
    const hd_id_map *map;
    uint64_t *counts; /* own labels for each owner */
    uint64_t *sent;   /* own labels, one owner's after the other, each in the order of the share */
    uint32_t *place;  /* of each own label in `sent` */
    hd_swapped asked; /* by each rank */
    hd_id_set set;    /* of these, each once */
    uint32_t *found;  /* of each that was requested: its place in the set */
    uint32_t *words;  /* to be sent: for each that was requested, or each own one */
    uint64_t words_room;
    uint32_t *number_of; /* of each in the set */
    uint64_t number_room;
} numbering;

static const char *text_of(const hd_id_map *map, uint64_t value) { return map->text + (value >> 16); }

static uint32_t owner_of(const numbering *n, uint64_t value) {
    return (uint32_t)(hd_hash_block(text_of(n->map, value), value & UINT16_MAX) % n->link->size);
}

/* ---- Asking ----------------------------------------------------------------------------------------------------- */

static heddle_status group_by_owner(numbering *n) {
    heddle_context *ctx = n->link->ctx;
    uint64_t count = n->map->vertices, ranks = n->link->size, *next;
    HD_TRY(HD_NEW_ZERO(ctx, &n->counts, ranks, what));
    HD_TRY(HD_NEW(ctx, &n->sent, count, what));
    HD_TRY(HD_NEW(ctx, &n->place, count, what));
    HD_TRY(HD_NEW_ZERO(ctx, &next, ranks + 1, what));
    for (uint64_t i = 0; i < count; i++)
        n->counts[owner_of(n, n->map->values[i])]++;
    for (uint64_t p = 0; p < ranks; p++)
        next[p + 1] = next[p] + n->counts[p];
    for (uint64_t i = 0; i < count; i++) {
        n->place[i] = (uint32_t)next[owner_of(n, n->map->values[i])]++;
        n->sent[n->place[i]] = n->map->values[i];
    }
    HD_DELETE(&ctx->allocator, next, ranks + 1);
    return hd_cancelled_status(ctx);
}

/* Ranks come in their order, each with labels in that of its share: the first one that asks has the first occurrence.
 */
static heddle_status find_first(numbering *n) {
    heddle_context *ctx = n->link->ctx;
    const uint64_t *asked = (const uint64_t *)(const void *)n->asked.data;
    uint64_t total = n->asked.total;
    n->set.text = n->map->text;
    n->words_room = total > n->map->vertices ? total : n->map->vertices;
    HD_TRY(HD_NEW(ctx, &n->found, total, what));
    HD_TRY(HD_NEW(ctx, &n->words, n->words_room, what));
    for (uint64_t i = 0; i < total; i++) {
        uint64_t before = n->set.count;
        if (!hd_id_set_place(ctx, &n->set, asked[i], &n->found[i]))
            return hd_fail_memory(ctx, n->set.count * 16, what);
        n->words[i] = n->set.count > before;
    }
    n->number_room = n->set.count;
    HD_TRY(HD_NEW(ctx, &n->number_of, n->number_room, what));
    return hd_cancelled_status(ctx);
}

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* The labels that this rank is the first to have, numbered. `answers`: whether it is, for each of `sent`. */
static heddle_status number_own(numbering *n, const uint32_t *answers, hd_shared_ids *ids, hd_shared_labels *labels) {
    hd_link *link = n->link;
    uint64_t next = 0, at = 0;
    for (uint64_t i = 0; i < n->map->vertices; i++)
        if (answers[n->place[i]]) {
            labels->count++;
            labels->bytes += n->map->values[i] & UINT16_MAX;
        }
    HD_TRY(hd_prefix(link, labels->count, &labels->first, &ids->vertices));
    if (ids->vertices > UINT32_MAX - 1) {
        link->ctx->agreed = true; /* all have the same number */
        return hd_fail(link->ctx, HEDDLE_E_LIMIT, "more than 2^32 - 2 vertices");
    }
    HD_TRY(hd_prefix(link, labels->bytes, &at, &labels->all_bytes));
    HD_TRY(HD_NEW(link->ctx, &labels->starts, labels->count + 1, what));
    HD_TRY(HD_NEW(link->ctx, &labels->text, labels->bytes, what));
    uint64_t first = at;
    for (uint64_t i = 0; i < n->map->vertices; i++) {
        uint64_t value = n->map->values[i], length = value & UINT16_MAX;
        n->words[n->place[i]] = (uint32_t)(labels->first + next);
        if (!answers[n->place[i]])
            continue;
        labels->starts[next++] = at;
        memcpy(labels->text + (at - first), text_of(n->map, value), (size_t)length);
        at += length;
    }
    labels->starts[next] = at;
    return HEDDLE_OK;
}

/* An owner receives the numbers from those who gave them, and sends them to all who requested them. */
static void pass_on(numbering *n, const uint32_t *given) {
    uint64_t seen = 0;
    for (uint64_t i = 0; i < n->asked.total; i++)
        if (n->found[i] == seen) /* places are given in the order of first occurrences */
            n->number_of[seen++] = given[i];
    for (uint64_t i = 0; i < n->asked.total; i++)
        n->words[i] = n->number_of[n->found[i]];
}

static heddle_status keep_numbers(const numbering *n, const uint32_t *answers, hd_shared_ids *ids) {
    HD_TRY(HD_NEW(n->link->ctx, &ids->numbers, n->map->vertices, what));
    ids->asked = n->map->vertices;
    for (uint64_t i = 0; i < ids->asked; i++)
        ids->numbers[i] = answers[n->place[i]];
    return HEDDLE_OK;
}

static const uint32_t *words_in(const hd_swapped *in) { return (const uint32_t *)(const void *)in->data; }

static heddle_status number_all(numbering *n, hd_shared_ids *ids, hd_shared_labels *labels) {
    hd_link *link = n->link;
    hd_swapped firsts = {.total = 0}, given = {.total = 0}, answers = {.total = 0};
    heddle_status status;
    HD_CHECK(hd_agree(link, group_by_owner(n)));
    HD_CHECK(hd_swap(link, n->sent, n->counts, sizeof *n->sent, what, &n->asked));
    HD_CHECK(hd_agree(link, find_first(n)));
    HD_CHECK(hd_swap(link, n->words, n->asked.counts, sizeof *n->words, what, &firsts));
    HD_CHECK(number_own(n, words_in(&firsts), ids, labels));
    HD_CHECK(hd_swap(link, n->words, n->counts, sizeof *n->words, what, &given));
    pass_on(n, words_in(&given));
    HD_CHECK(hd_swap(link, n->words, n->asked.counts, sizeof *n->words, what, &answers));
    HD_CHECK(hd_agree(link, keep_numbers(n, words_in(&answers), ids)));
out:
    hd_swapped_free(link, &firsts);
    hd_swapped_free(link, &given);
    hd_swapped_free(link, &answers);
    return status;
}

heddle_status hd_shared_labels_number(hd_link *link, const hd_id_map *map, hd_shared_ids *ids,
                                      hd_shared_labels *labels) {
    const heddle_allocator *allocator = &link->ctx->allocator;
    numbering n = {.link = link, .map = map};
    *ids = (hd_shared_ids){.vertices = 0};
    *labels = (hd_shared_labels){.count = 0};
    heddle_status status = number_all(&n, ids, labels);
    HD_DELETE(allocator, n.counts, link->size);
    HD_DELETE(allocator, n.sent, map->vertices);
    HD_DELETE(allocator, n.place, map->vertices);
    HD_DELETE(allocator, n.found, n.asked.total);
    HD_DELETE(allocator, n.words, n.words_room);
    HD_DELETE(allocator, n.number_of, n.number_room);
    hd_id_set_free(link->ctx, &n.set);
    hd_swapped_free(link, &n.asked);
    return status;
}

void hd_shared_labels_free(hd_link *link, hd_shared_labels *labels) {
    HD_DELETE(&link->ctx->allocator, labels->starts, labels->count + 1);
    HD_DELETE(&link->ctx->allocator, labels->text, labels->bytes);
    *labels = (hd_shared_labels){.count = 0};
}
