/* link_local.c - the link between parts of one process, a thread each.
 *
 * Messages are not copied on the way: a send posts where its data lie, the receiver copies them to their place when it
 * waits, and the sender may use them again after that. Collectives are one meeting: every part writes its numbers,
 * waits for the others and reads theirs. There are two sets of numbers, used in turn; none can be two meetings ahead,
 * so what a slow part still reads is not overwritten.
 */
#include "exchange/link.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Messages from one part to another: tickets count messages, each in the slot of its number. */
typedef struct channel {
    const void *data[HD_LINK_POSTED];
    size_t bytes[HD_LINK_POSTED];
    uint64_t posted, taken;   /* by the sender; by the receiver */
    uint64_t awaited, wanted; /* sends that were waited for; receives that were started */
    bool copying;             /* the receiver is copying, without the lock */
} channel;

typedef struct hub hub;

typedef struct member {
    hd_link link;
    hub *hub;
    pthread_t thread;
    bool started;
} member;

struct hub {
    pthread_mutex_t lock;
    pthread_cond_t news;
    uint32_t size, numbers, here; /* numbers: room of a part in a meeting; here: parts that have come to it */
    uint64_t meeting;
    uint64_t *words[2];
    channel *channels; /* from, to */
    member *members;
    heddle_context *contexts; /* of ranks 1 … */
    hd_link_work work;
    void *user;
    bool failed;
    heddle_error error; /* of the first part that failed */
};

static member *member_of(hd_link *link) { return (member *)link; }

static channel *channel_of(const hub *h, uint32_t from, uint32_t to) {
    return &h->channels[(size_t)from * h->size + to];
}

/* The failure that ended the run, as this part's own. */
static heddle_status pass_on(member *m) {
    m->link.ctx->error = m->hub->error;
    return m->hub->error.status;
}

/* Drivers do not say which device it was. */
static void name_device(const hd_link *link, heddle_status status, heddle_error *error) {
    const char *words = link->ctx->error.message;
    bool device = status == HEDDLE_E_DEVICE || status == HEDDLE_E_DEVICE_MEMORY;
    if (device && link->name && !strstr(words, link->name))
        snprintf(error->message, sizeof error->message, "%.30s: %.900s", link->name, words);
}

static void fail_local(hd_link *link, heddle_status status) {
    hub *h = member_of(link)->hub;
    pthread_mutex_lock(&h->lock);
    if (!h->failed) {
        h->failed = true;
        h->error = link->ctx->error;
        h->error.status = status;
        name_device(link, status, &h->error);
    }
    pthread_cond_broadcast(&h->news);
    pthread_mutex_unlock(&h->lock);
}

/* ---- Messages --------------------------------------------------------------------------------------------------- */

static heddle_status send_local(hd_link *link, uint32_t peer, const void *data, size_t bytes, hd_message_way *way) {
    member *m = member_of(link);
    hub *h = m->hub;
    channel *c = channel_of(h, link->rank, peer);
    heddle_status status = HEDDLE_OK;
    pthread_mutex_lock(&h->lock);
    if (h->failed) {
        status = pass_on(m);
    } else if (c->posted - c->awaited == HD_LINK_POSTED) {
        status = hd_fail(link->ctx, HEDDLE_E_INTERNAL, "more than %d messages from part %u to part %u", HD_LINK_POSTED,
                         link->rank, peer);
    } else {
        *way = (hd_message_way){.bytes = bytes, .ticket = c->posted, .peer = peer, .sending = true, .open = true};
        c->data[c->posted % HD_LINK_POSTED] = data;
        c->bytes[c->posted++ % HD_LINK_POSTED] = bytes;
        pthread_cond_broadcast(&h->news);
    }
    pthread_mutex_unlock(&h->lock);
    return status;
}

static heddle_status receive_local(hd_link *link, uint32_t peer, void *data, size_t room, hd_message_way *way) {
    channel *c = channel_of(member_of(link)->hub, peer, link->rank);
    *way = (hd_message_way){.data = data, .bytes = room, .ticket = c->wanted++, .peer = peer, .open = true};
    return HEDDLE_OK;
}

static heddle_status wait_sent(member *m, hd_message_way *way) {
    hub *h = m->hub;
    channel *c = channel_of(h, m->link.rank, way->peer);
    pthread_mutex_lock(&h->lock);
    while (c->copying || (!h->failed && c->taken <= way->ticket))
        pthread_cond_wait(&h->news, &h->lock);
    heddle_status status = h->failed ? pass_on(m) : HEDDLE_OK;
    c->awaited++;
    pthread_mutex_unlock(&h->lock);
    return status;
}

/* The copy is made without the lock. After a failure none begins, and the sender waits for one that has begun. */
static heddle_status wait_received(member *m, hd_message_way *way) {
    hub *h = m->hub;
    channel *c = channel_of(h, way->peer, m->link.rank);
    pthread_mutex_lock(&h->lock);
    while (!h->failed && c->posted <= way->ticket)
        pthread_cond_wait(&h->news, &h->lock);
    heddle_status status = h->failed ? pass_on(m) : HEDDLE_OK;
    const void *data = c->data[way->ticket % HD_LINK_POSTED];
    size_t bytes = c->bytes[way->ticket % HD_LINK_POSTED];
    if (status == HEDDLE_OK && bytes > way->bytes)
        status = hd_fail(m->link.ctx, HEDDLE_E_INTERNAL, "part %u sent %zu bytes, and part %u has room for %zu",
                         way->peer, bytes, m->link.rank, way->bytes);
    c->copying = status == HEDDLE_OK;
    pthread_mutex_unlock(&h->lock);
    HD_TRY(status);
    if (bytes)
        memcpy(way->data, data, bytes);
    way->bytes = bytes;
    pthread_mutex_lock(&h->lock);
    c->copying = false;
    c->taken++;
    pthread_cond_broadcast(&h->news);
    pthread_mutex_unlock(&h->lock);
    return HEDDLE_OK;
}

static heddle_status wait_local(hd_link *link, hd_message_way *way) {
    if (!way->open)
        return HEDDLE_OK;
    way->open = false;
    return way->sending ? wait_sent(member_of(link), way) : wait_received(member_of(link), way);
}

/* ---- Collectives ------------------------------------------------------------------------------------------------ */

/* *all: the numbers of all parts, `numbers` apart; valid until the next meeting but one. */
static heddle_status meet(member *m, const uint64_t *own, uint32_t count, const uint64_t **all) {
    hub *h = m->hub;
    pthread_mutex_lock(&h->lock);
    uint64_t meeting = h->meeting;
    uint64_t *words = h->words[meeting % 2];
    if (count)
        memcpy(words + (size_t)m->link.rank * h->numbers, own, count * sizeof *own);
    if (++h->here == h->size) {
        h->here = 0;
        h->meeting++;
        pthread_cond_broadcast(&h->news);
    }
    while (!h->failed && h->meeting == meeting)
        pthread_cond_wait(&h->news, &h->lock);
    heddle_status status = h->failed ? pass_on(m) : HEDDLE_OK;
    pthread_mutex_unlock(&h->lock);
    *all = words;
    return status;
}

static heddle_status reduce_local(hd_link *link, hd_link_operation operation, uint64_t *numbers, uint32_t count) {
    const hub *h = member_of(link)->hub;
    const uint64_t *all;
    HD_TRY(meet(member_of(link), numbers, count, &all));
    hd_link_join(operation, all, h->size, h->numbers, numbers, count);
    return HEDDLE_OK;
}

static heddle_status reduce_real_local(hd_link *link, hd_link_operation operation, double *numbers, uint32_t count) {
    const hub *h = member_of(link)->hub;
    const uint64_t *all;
    uint64_t bits[HD_LINK_NUMBERS];
    memcpy(bits, numbers, count * sizeof *bits);
    HD_TRY(meet(member_of(link), bits, count, &all));
    hd_link_join_real(operation, all, h->size, h->numbers, numbers, count);
    return HEDDLE_OK;
}

static heddle_status counts_local(hd_link *link, const uint64_t *mine, uint64_t *theirs) {
    const hub *h = member_of(link)->hub;
    const uint64_t *all;
    HD_TRY(meet(member_of(link), mine, h->size, &all));
    for (uint32_t p = 0; p < h->size; p++)
        theirs[p] = all[(size_t)p * h->numbers + link->rank];
    return HEDDLE_OK;
}

static heddle_status barrier_local(hd_link *link) {
    const uint64_t *all;
    return meet(member_of(link), NULL, 0, &all);
}

/* ---- Threads ---------------------------------------------------------------------------------------------------- */

static void work_as(member *m) {
    heddle_status status = m->hub->work(&m->link, m->hub->user);
    if (status != HEDDLE_OK)
        fail_local(&m->link, status);
}

/* A driver's compiler may replace the thread's signal stack; sanitizers must find theirs at the thread's end. */
static void *work_on_thread(void *self) {
    stack_t before;
    bool known = sigaltstack(NULL, &before) == 0;
    work_as(self);
    if (known)
        sigaltstack(&before, NULL);
    return NULL;
}

/* Signals go to the caller, except those that a thread raises itself. */
static bool start(member *m) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&all, faults[i]);
    bool masked = pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
    m->started = pthread_create(&m->thread, NULL, work_on_thread, m) == 0;
    if (masked)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    return m->started;
}

/* The calling thread is rank 0. A part whose thread cannot be started is one that fails. */
static void run_all(hub *h) {
    heddle_context *ctx = h->members[0].link.ctx;
    bool all = true;
    for (uint32_t p = 1; all && p < h->size; p++) {
        all = start(&h->members[p]);
        if (!all)
            fail_local(&h->members[0].link, hd_fail(ctx, HEDDLE_E_MEMORY, "part %u: no thread could be started", p));
    }
    if (all)
        work_as(&h->members[0]);
    for (uint32_t p = 1; p < h->size; p++)
        if (h->members[p].started)
            pthread_join(h->members[p].thread, NULL);
}

static heddle_status make_hub(heddle_context *ctx, hub *h) {
    size_t words = (size_t)h->size * h->numbers;
    HD_TRY(HD_NEW_ZERO(ctx, &h->members, h->size, "parts"));
    HD_TRY(HD_NEW_ZERO(ctx, &h->contexts, h->size, "parts"));
    HD_TRY(HD_NEW_ZERO(ctx, &h->channels, (size_t)h->size * h->size, "messages between parts"));
    HD_TRY(HD_NEW_ZERO(ctx, &h->words[0], words, "messages between parts"));
    HD_TRY(HD_NEW_ZERO(ctx, &h->words[1], words, "messages between parts"));
    for (uint32_t p = 0; p < h->size; p++) {
        if (p)
            hd_context_share(ctx, h->size, &h->contexts[p]);
        h->members[p] = (member){.hub = h,
                                 .link = {.ctx = p ? &h->contexts[p] : ctx,
                                          .rank = p,
                                          .size = h->size,
                                          .send = send_local,
                                          .receive = receive_local,
                                          .wait = wait_local,
                                          .reduce = reduce_local,
                                          .reduce_real = reduce_real_local,
                                          .counts = counts_local,
                                          .barrier = barrier_local,
                                          .fail = fail_local}};
    }
    return HEDDLE_OK;
}

static void free_hub(heddle_context *ctx, hub *h) {
    size_t words = (size_t)h->size * h->numbers;
    for (uint32_t p = 1; h->contexts && p < h->size; p++)
        hd_context_release(&h->contexts[p]);
    HD_DELETE(&ctx->allocator, h->members, h->size);
    HD_DELETE(&ctx->allocator, h->contexts, h->size);
    HD_DELETE(&ctx->allocator, h->channels, (size_t)h->size * h->size);
    HD_DELETE(&ctx->allocator, h->words[0], words);
    HD_DELETE(&ctx->allocator, h->words[1], words);
}

heddle_status hd_link_local(heddle_context *ctx, uint32_t size, hd_link_work work, void *user) {
    hub h = {.size = size, .numbers = size > HD_LINK_NUMBERS ? size : HD_LINK_NUMBERS, .work = work, .user = user};
    int threads = ctx->threads;
    pthread_mutex_init(&h.lock, NULL);
    pthread_cond_init(&h.news, NULL);
    heddle_status status = make_hub(ctx, &h);
    if (status == HEDDLE_OK) {
        ctx->threads = threads / (int)size ? threads / (int)size : 1;
        run_all(&h);
        ctx->threads = threads;
        status = h.failed ? pass_on(&h.members[0]) : HEDDLE_OK;
    }
    free_hub(ctx, &h);
    pthread_cond_destroy(&h.news);
    pthread_mutex_destroy(&h.lock);
    return status;
}
