/* link_mpi.c - the link over MPI: see link_mpi.h, and mpi/module.h for the layer below.
 *
 * Nothing here waits inside MPI: a wait is a loop that tests the request, looks for alarms and lets others run. So a
 * rank that fails reaches all others wherever they are: it sends each an alarm with its error record, and a rank that
 * waits returns with it. Of a rank that is killed, those of its machine notice that its process is gone (peers.h), and
 * send the alarm in its place.
 */
#include "exchange/link_mpi.h"

#include "base/memory.h"
#include "base/own_file.h"
#include "exchange/launcher.h"
#include "exchange/patience.h"
#include "exchange/peers.h"

#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAGS = 8192, BUSY_TURNS = 64, EAGER_TURNS = 20000, LONG_TURNS = 30000, SLEEP_NANOSECONDS = 5000000 };
static const double alarm_limit = 2, farewell_limit = 10, watch_interval = 0.1; /* seconds */

typedef enum alarm_kind { FAILED, LEAVING, WAITING } alarm_kind;
typedef enum presence { HERE, LEFT, GONE } presence;

typedef struct alarm_record {
    uint32_t kind, rank;
    heddle_error error; /* not of WAITING, which is so short that it is on its way at once */
} alarm_record;

/* The messages of one peer that are under way: a message's ticket, which counts them, gives its slot and tag. */
typedef struct channel {
    uint64_t sent, wanted;
    uint32_t open, sending; /* slots of receives, and of sends, that were not waited for, a bit each */
    hd_mpi_request sends[HD_LINK_POSTED], receives[HD_LINK_POSTED];
} channel;

typedef struct mpi_link {
    hd_link link;
    hd_mpi mpi;
    channel *channels;
    /* MPI reads and writes only here in collectives, so that one that never ends touches no caller's memory. */
    uint64_t *numbers;                /* HD_LINK_NUMBERS of each rank */
    uint64_t *own;                    /* what this rank gives, `size` or HD_LINK_NUMBERS */
    hd_mpi_request *calls;            /* an alarm to each rank */
    alarm_record record;              /* of the failure, or what this rank sends */
    bool failed, dropped, collecting; /* collecting: a collective uses the arrays above */
    hd_peers peers;                   /* the other ranks of this machine */
    double watched;                   /* when they were last looked at */
    uint32_t lost;                    /* the one whose process was gone then, or HD_NO_PEER */
    uint32_t rank, size;              /* in the launch; the link's own are those of a group, if there is one */
    hd_patience patience;
    uint32_t waiting[2];   /* sent to rank 0 when this rank has waited for long, */
    hd_mpi_request notice; /* which may be under way */
    bool noticed;
    bool asleep;             /* this rank waits for long, and others compute on its CPUs */
    unsigned char *presence; /* of each rank: it has announced that it leaves, or its process is gone */
    uint32_t left;           /* ranks that are not HERE */
    struct mpi_link *next;
} mpi_link;

static mpi_link *link_of(hd_link *link) { return (mpi_link *)link; }

static heddle_status fail_mpi_call(mpi_link *m, int code, const char *what) {
    char words[HD_MPI_WORDS];
    m->mpi.words(code, words, sizeof words);
    return hd_fail(m->link.ctx, HEDDLE_E_DEVICE, "MPI: %s: %s", what, words);
}

#define MPI_TRY(m, call, what)                        \
    do {                                              \
        int code_ = (call);                           \
        if (code_ != 0)                               \
            return fail_mpi_call((m), code_, (what)); \
    } while (0)

/* ---- Alarms ----------------------------------------------------------------------------------------------------- */

static void pause_at(const mpi_link *m, uint64_t turn) {
    if (m->asleep) {
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_NANOSECONDS}, NULL);
        return;
    }
    if (turn < BUSY_TURNS)
        return;
    if (turn < EAGER_TURNS) {
        sched_yield();
        return;
    }
    nanosleep(&(struct timespec){.tv_nsec = turn < LONG_TURNS ? 100000 : SLEEP_NANOSECONDS}, NULL);
}

/* Whether it has ended. A peer that is gone is not waited for. */
static bool end_request(mpi_link *m, uint32_t peer, hd_mpi_request *request, double start) {
    int done = 0;
    for (uint64_t turn = 0; m->mpi.test(request, &done, NULL) == 0 && !done; turn++) {
        if (m->presence[peer] == GONE || hd_clock() - start >= alarm_limit)
            return false;
        pause_at(m, turn);
    }
    return done;
}

static void keep_memory(void *user, void *memory, size_t bytes) { (void)user, (void)memory, (void)bytes; }

/* Messages that will not be waited for any more end here, while their memory is still there. A long message that the
 * peer has no room for any more may stay open, and MPI may still touch its memory whenever it is called: then this
 * context frees nothing any more. The run has failed, and the process is about to end. */
static void drop_messages(mpi_link *m) {
    double start = hd_clock();
    bool ended = true;
    if (m->dropped)
        return;
    m->dropped = true;
    for (uint32_t p = 0; p < m->size; p++)
        for (uint32_t slot = 0; slot < HD_LINK_POSTED; slot++)
            if (m->channels[p].open >> slot & 1)
                ended = m->mpi.cancel(&m->channels[p].receives[slot]) == 0 &&
                        end_request(m, p, &m->channels[p].receives[slot], start) && ended;
    for (uint32_t p = 0; p < m->size; p++)
        for (uint32_t slot = 0; slot < HD_LINK_POSTED; slot++)
            if (m->channels[p].sending >> slot & 1)
                ended = end_request(m, p, &m->channels[p].sends[slot], start) && ended;
    if (!ended)
        m->link.ctx->allocator.release = keep_memory;
}

static heddle_status pass_on(mpi_link *m) {
    drop_messages(m);
    m->link.ctx->error = m->record.error;
    return m->record.error.status;
}

static void note_left(mpi_link *m, uint32_t rank, presence how) {
    m->left += m->presence[rank] == HERE;
    m->presence[rank] = (unsigned char)how;
}

/* Takes the alarms that have come; the first failure counts. */
static void look_for_alarms(mpi_link *m) {
    alarm_record record;
    int peer = 0;
    while (m->mpi.alarmed(&record, sizeof record, &peer) == 0 && peer >= 0) {
        if (record.kind == WAITING)
            hd_patience_heard(&m->patience, record.rank);
        if (record.kind == LEAVING)
            note_left(m, record.rank, LEFT);
        if (record.kind == FAILED && !m->failed) {
            m->record = record;
            m->failed = true;
        }
    }
}

/* Tells all others, and gives the messages some time to leave. */
static void alarm_all(mpi_link *m, uint32_t first, uint32_t end, alarm_kind kind) {
    double start = hd_clock();
    m->record.kind = kind;
    m->record.rank = m->rank;
    for (uint32_t p = first; p < end; p++)
        if (p == m->rank || m->presence[p] == GONE ||
            m->mpi.alarm((int)p, &m->record, sizeof m->record, &m->calls[p]) != 0)
            m->calls[p].bits = UINT64_MAX;
    for (uint32_t p = first; p < end; p++) {
        int done = m->calls[p].bits == UINT64_MAX;
        for (uint64_t turn = 0; !done && hd_clock() - start < alarm_limit; turn++) {
            if (m->mpi.test(&m->calls[p], &done, NULL) != 0)
                break;
            pause_at(m, turn);
        }
    }
}

/* A rank that fails says so before it ends, so there are alarms to look for between two looks at the processes. */
static void look_for_deaths(mpi_link *m) {
    double now = hd_clock();
    if (now - m->watched < watch_interval)
        return;
    m->watched = now;
    if (m->lost != HD_NO_PEER && !m->failed) {
        m->failed = true;
        hd_fail(m->link.ctx, HEDDLE_E_DEVICE, "rank %u has ended before the others: it was killed, or it crashed",
                m->lost);
        snprintf(m->link.ctx->error.token, sizeof m->link.ctx->error.token, "%u", m->lost);
        m->record.error = m->link.ctx->error;
        alarm_all(m, 0, m->size, FAILED);
    }
    for (uint32_t rank; (rank = hd_peers_ended(&m->peers)) != HD_NO_PEER;) {
        m->lost = m->lost == HD_NO_PEER ? rank : m->lost;
        note_left(m, rank, GONE);
    }
}

static void fail_mpi(hd_link *link, heddle_status status) {
    mpi_link *m = link_of(link);
    if (m->failed)
        return;
    m->failed = true;
    m->record.error = link->ctx->error;
    m->record.error.status = status;
    snprintf(m->record.error.message, sizeof m->record.error.message, "rank %u: %.1000s", m->rank,
             link->ctx->error.message[0] ? link->ctx->error.message : heddle_status_text(status));
    alarm_all(m, 0, m->size, FAILED);
    drop_messages(m);
}

/* ---- Waiting ---------------------------------------------------------------------------------------------------- */

/* Now and then while this rank waits: a rank that waits for long reports it. */
static void look_at_clock(mpi_link *m, hd_wait *wait) {
    int done = 1;
    if (!hd_patience_look(&m->patience, &m->link, &m->peers, m->asleep, wait))
        return;
    if (m->noticed && (m->mpi.test(&m->notice, &done, NULL) != 0 || !done))
        return;
    m->noticed = m->mpi.alarm(0, m->waiting, sizeof m->waiting, &m->notice) == 0;
}

static heddle_status poll_request(mpi_link *m, hd_mpi_request *request, size_t *bytes, const char *what) {
    hd_wait wait = {0, 0, 0};
    for (uint64_t turn = 0;; turn++) {
        int done = 0;
        MPI_TRY(m, m->mpi.test(request, &done, bytes), what);
        if (done)
            return HEDDLE_OK;
        look_for_alarms(m);
        if (m->asleep || turn % 64 == 63) {
            look_for_deaths(m);
            look_at_clock(m, &wait);
        }
        if (m->failed)
            return pass_on(m);
        if ((m->asleep || turn % 16 == 0) && hd_advance(m->link.ctx, 0))
            return hd_cancelled_status(m->link.ctx);
        pause_at(m, turn);
    }
}

/* A rank that stops waiting, also because it was cancelled, notifies the others: the request never ends, and the link
 * cannot be used any more. */
static heddle_status until_done(mpi_link *m, hd_mpi_request *request, size_t *bytes, const char *what) {
    heddle_status status = poll_request(m, request, bytes, what);
    if (status != HEDDLE_OK)
        fail_mpi(&m->link, status);
    return status;
}

static int tag_of(uint64_t ticket) { return (int)(ticket % TAGS); }

static heddle_status too_many(mpi_link *m, const char *way, uint32_t peer) {
    return hd_fail(m->link.ctx, HEDDLE_E_INTERNAL, "more than %d messages of rank %u %s rank %u", HD_LINK_POSTED,
                   m->rank, way, peer);
}

static heddle_status send_mpi(hd_link *link, uint32_t peer, const void *data, size_t bytes, hd_message_way *way) {
    mpi_link *m = link_of(link);
    peer = hd_link_number(link, peer);
    channel *c = &m->channels[peer];
    if (m->failed)
        return pass_on(m);
    if (c->sending >> c->sent % HD_LINK_POSTED & 1)
        return too_many(m, "to", peer);
    *way = (hd_message_way){.bytes = bytes, .ticket = c->sent++, .peer = peer, .sending = true, .open = true};
    MPI_TRY(m, m->mpi.send((int)peer, tag_of(way->ticket), data, bytes, &c->sends[way->ticket % HD_LINK_POSTED]),
            "send");
    c->sending |= UINT32_C(1) << way->ticket % HD_LINK_POSTED;
    return HEDDLE_OK;
}

static heddle_status receive_mpi(hd_link *link, uint32_t peer, void *data, size_t room, hd_message_way *way) {
    mpi_link *m = link_of(link);
    peer = hd_link_number(link, peer);
    channel *c = &m->channels[peer];
    if (m->failed)
        return pass_on(m);
    if (c->open >> c->wanted % HD_LINK_POSTED & 1)
        return too_many(m, "from", peer);
    *way = (hd_message_way){.data = data, .bytes = room, .ticket = c->wanted++, .peer = peer, .open = true};
    MPI_TRY(m, m->mpi.receive((int)peer, tag_of(way->ticket), data, room, &c->receives[way->ticket % HD_LINK_POSTED]),
            "receive");
    c->open |= UINT32_C(1) << way->ticket % HD_LINK_POSTED;
    return HEDDLE_OK;
}

static heddle_status wait_mpi(hd_link *link, hd_message_way *way) {
    mpi_link *m = link_of(link);
    channel *c = &m->channels[way->peer];
    if (!way->open)
        return HEDDLE_OK;
    way->open = false;
    if (m->failed)
        return pass_on(m);
    uint64_t slot = way->ticket % HD_LINK_POSTED;
    if (way->sending) {
        HD_TRY(until_done(m, &c->sends[slot], NULL, "send"));
        c->sending &= ~(UINT32_C(1) << slot);
        return HEDDLE_OK;
    }
    HD_TRY(until_done(m, &c->receives[slot], &way->bytes, "receive"));
    c->open &= ~(UINT32_C(1) << slot);
    return HEDDLE_OK;
}

/* ---- Collectives ------------------------------------------------------------------------------------------------ */

static heddle_status until_collected(mpi_link *m, hd_mpi_request *request, const char *what) {
    m->collecting = true;
    HD_TRY(until_done(m, request, NULL, what));
    m->collecting = false;
    return HEDDLE_OK;
}

/* Numbers of all ranks, to be joined in the order of ranks: sums of reals have the same bits everywhere. */
static heddle_status gather_numbers(mpi_link *m, const uint64_t *mine, uint32_t count) {
    hd_mpi_request request;
    if (m->failed)
        return pass_on(m);
    memcpy(m->own, mine, count * sizeof *mine);
    MPI_TRY(m, m->mpi.gather(m->own, m->numbers, (int)count, &request), "gather");
    return until_collected(m, &request, "gather");
}

static heddle_status reduce_mpi(hd_link *link, hd_link_operation operation, uint64_t *numbers, uint32_t count) {
    mpi_link *m = link_of(link);
    HD_TRY(gather_numbers(m, numbers, count));
    hd_link_join(operation, m->numbers, link->size, count, numbers, count);
    return HEDDLE_OK;
}

static heddle_status reduce_real_mpi(hd_link *link, hd_link_operation operation, double *numbers, uint32_t count) {
    mpi_link *m = link_of(link);
    uint64_t bits[HD_LINK_NUMBERS];
    memcpy(bits, numbers, count * sizeof *bits);
    HD_TRY(gather_numbers(m, bits, count));
    hd_link_join_real(operation, m->numbers, link->size, count, numbers, count);
    return HEDDLE_OK;
}

static heddle_status counts_mpi(hd_link *link, const uint64_t *mine, uint64_t *theirs) {
    mpi_link *m = link_of(link);
    hd_mpi_request request;
    if (m->failed)
        return pass_on(m);
    memcpy(m->own, mine, link->size * sizeof *mine);
    MPI_TRY(m, m->mpi.exchange(m->own, m->numbers, &request), "exchange");
    HD_TRY(until_collected(m, &request, "exchange"));
    memcpy(theirs, m->numbers, link->size * sizeof *theirs);
    return HEDDLE_OK;
}

static heddle_status barrier_mpi(hd_link *link) {
    mpi_link *m = link_of(link);
    hd_mpi_request request;
    if (m->failed)
        return pass_on(m);
    MPI_TRY(m, m->mpi.barrier(&request), "barrier");
    return until_done(m, &request, NULL, "barrier");
}

/* Looking for alarms is a call of MPI, in which it also moves the messages that are under way. */
static heddle_status progress_mpi(hd_link *link) {
    mpi_link *m = link_of(link);
    look_for_alarms(m);
    look_for_deaths(m);
    return m->failed ? pass_on(m) : HEDDLE_OK;
}

/* ---- The module ------------------------------------------------------------------------------------------------- */

/* The module in the folder of a file, or at the place `between` from there. */
static void *open_beside(const char *file, const char *between) {
    char path[PATH_MAX];
    const char *slash = strrchr(file, '/');
    if (!slash)
        return NULL;
    int length = snprintf(path, sizeof path, "%.*s/%s%s", (int)(slash - file), file, between, HD_MPI_MODULE);
    return length > 0 && (size_t)length < sizeof path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
}

/* RTLD_GLOBAL: parts of an MPI library that it opens itself look for its symbols. */
static void *find_module(void) {
    static const char *const places[] = {"",
                                         "heddle/",
                                         "../lib/",
                                         "../lib64/",
#ifdef HD_LIBRARY_FOLDER
                                         "../" HD_LIBRARY_FOLDER "/",
                                         "../" HD_LIBRARY_FOLDER "/heddle/",
#endif
                                         NULL};
    char file[PATH_MAX];
    void *module = NULL;
    hd_own_file(file, sizeof file);
    for (size_t i = 0; places[i] && !module; i++)
        module = open_beside(file, places[i]);
    return module ? module : dlopen(HD_MPI_MODULE, RTLD_NOW | RTLD_GLOBAL);
}

static void free_link(mpi_link *m) {
    static mpi_link *kept; /* whose collectives never ended: MPI may still use their arrays */
    const heddle_allocator allocator = m->link.ctx->allocator;
    uint64_t size = m->size;
    hd_peers_close(m->link.ctx, &m->peers);
    if (m->collecting) {
        m->next = kept;
        kept = m;
        return;
    }
    HD_DELETE(&allocator, m->channels, size);
    HD_DELETE(&allocator, m->numbers, size * HD_LINK_NUMBERS);
    HD_DELETE(&allocator, m->own, size + HD_LINK_NUMBERS);
    HD_DELETE(&allocator, m->calls, size);
    HD_DELETE(&allocator, m->presence, size);
    hd_patience_close(m->link.ctx, &m->patience);
    HD_DELETE(&allocator, m, 1);
}

/* MPI starts once in a process, and the module has one set of communicators. */
static atomic_bool joined_before;

heddle_status hd_link_mpi_open(heddle_context *ctx, hd_link **link) {
    hd_launching launch = hd_launched();
    hd_mpi mpi;
    hd_mpi_open_fn open = NULL;
    void *module = find_module(), *symbol = module ? dlsym(module, HD_MPI_OPEN) : NULL;
    *link = NULL;
    memcpy(&open, &symbol, sizeof open);
    if (!open)
        return hd_fail(ctx, HEDDLE_E_UNSUPPORTED,
                       "one of %u ranks (%s), but this build has no MPI: " HD_MPI_MODULE
                       " was not found; build with MPI (cmake -DHEDDLE_MPI=ON), or start one process",
                       launch.size, launch.by ? launch.by : "no launcher");
    if (atomic_exchange(&joined_before, true))
        return hd_fail(ctx, HEDDLE_E_REFUSED, "this process has joined the other ranks before: a process joins once");
    int code = open(HD_MPI_ABI, 0, &mpi);
    if (mpi.abi != HD_MPI_ABI)
        return hd_fail(ctx, HEDDLE_E_UNSUPPORTED, HD_MPI_MODULE " is of another version of heddle");
    if (code != 0)
        return hd_fail(ctx, HEDDLE_E_DEVICE, "MPI does not start: %s", mpi.version);
    heddle_status status = HEDDLE_OK;
    if ((uint32_t)mpi.size != launch.size)
        status = hd_fail(ctx, HEDDLE_E_DEVICE,
                         "%s started %u ranks, and %s counts %d: the launcher belongs to another MPI library than the "
                         "one that heddle was built with",
                         launch.by ? launch.by : "the launcher", launch.size, mpi.version, mpi.size);
    if (status == HEDDLE_OK)
        status = hd_link_mpi_over(ctx, &mpi, link);
    if (status != HEDDLE_OK && mpi.size == 1)
        mpi.close();
    return status;
}

/* The others of this machine: those whose first rank is the same. */
static heddle_status watch_peers(mpi_link *m) {
    enum { GIVEN = HD_PEER_NUMBERS + 1 };
    uint64_t numbers[GIVEN];
    uint64_t machine = numbers[HD_PEER_NUMBERS] = (uint64_t)m->mpi.machine;
    hd_peers_self(numbers);
    HD_TRY(gather_numbers(m, numbers, GIVEN));
    for (uint32_t p = 0; p < m->size; p++)
        if (p != m->rank && m->numbers[p * GIVEN + HD_PEER_NUMBERS] == machine)
            hd_peers_add(&m->peers, p, m->numbers + (size_t)p * GIVEN);
    return HEDDLE_OK;
}

heddle_status hd_link_mpi_over(heddle_context *ctx, const hd_mpi *mpi, hd_link **link) {
    mpi_link *m = NULL;
    uint64_t size = (uint64_t)mpi->size;
    *link = NULL;
    HD_TRY(HD_NEW_ZERO(ctx, &m, 1, "link"));
    m->mpi = *mpi;
    m->lost = HD_NO_PEER;
    m->rank = (uint32_t)mpi->rank;
    m->size = (uint32_t)mpi->size;
    m->link = (hd_link){.ctx = ctx,
                        .rank = (uint32_t)mpi->rank,
                        .size = (uint32_t)mpi->size,
                        .local = (uint32_t)mpi->local,
                        .machine = (uint32_t)mpi->machine,
                        .send = send_mpi,
                        .receive = receive_mpi,
                        .wait = wait_mpi,
                        .reduce = reduce_mpi,
                        .reduce_real = reduce_real_mpi,
                        .counts = counts_mpi,
                        .barrier = barrier_mpi,
                        .progress = progress_mpi,
                        .fail = fail_mpi};
    heddle_status status;
    HD_CHECK(HD_NEW_ZERO(ctx, &m->channels, size, "link"));
    HD_CHECK(HD_NEW_ZERO(ctx, &m->numbers, size * HD_LINK_NUMBERS, "link"));
    HD_CHECK(HD_NEW_ZERO(ctx, &m->own, size + HD_LINK_NUMBERS, "link"));
    HD_CHECK(HD_NEW_ZERO(ctx, &m->calls, size, "link"));
    HD_CHECK(HD_NEW_ZERO(ctx, &m->presence, size, "link"));
    m->waiting[0] = WAITING;
    m->waiting[1] = m->rank;
    HD_CHECK(hd_patience_open(ctx, m->size, &m->patience));
    HD_CHECK(hd_peers_open(ctx, mpi->size, &m->peers));
    HD_CHECK(watch_peers(m));
    *link = &m->link;
    return HEDDLE_OK;
out:
    free_link(m);
    return status;
}

heddle_status hd_link_mpi_group(hd_link *link, const uint32_t *ranks, uint32_t count, uint32_t local) {
    mpi_link *m = link_of(link);
    uint32_t place = 0;
    while (place < count && ranks[place] != m->rank)
        place++;
    MPI_TRY(m, m->mpi.group(place < count), "group");
    if (place == count)
        return HEDDLE_OK;
    link->group = ranks;
    link->rank = place;
    link->size = count;
    link->local = local;
    return HEDDLE_OK;
}

void hd_link_mpi_ungroup(hd_link *link) {
    mpi_link *m = link_of(link);
    if (!link->group)
        return;
    link->group = NULL;
    link->rank = m->rank;
    link->size = m->size;
    link->local = (uint32_t)m->mpi.local;
    if (!m->failed) /* MPI would wait for all of the group */
        (void)m->mpi.regroup();
}

void hd_link_mpi_sleep(hd_link *link, bool asleep) { link_of(link)->asleep = asleep; }

const char *hd_link_mpi_library(const hd_link *link) { return ((const mpi_link *)link)->mpi.version; }

/* Rank 0, which prints the message, answers when all others have come, or the time is over. Who has been killed is not
 * waited for. */
static void say_farewell(mpi_link *m) {
    double start = hd_clock();
    uint32_t rank = m->rank;
    if (rank)
        alarm_all(m, 0, 1, LEAVING);
    for (uint64_t turn = 0; hd_clock() - start < farewell_limit; turn++) {
        look_for_alarms(m);
        look_for_deaths(m);
        if (rank ? m->presence[0] != HERE : m->left == m->size - 1)
            break;
        if (hd_cancelled(m->link.ctx)) /* the launcher is ending us already */
            return;
        pause_at(m, turn);
    }
    if (!rank)
        alarm_all(m, 1, m->size, LEAVING);
}

/* After a failure messages may still be under way, and MPI must not be ended then: the process's end ends it. */
void hd_link_mpi_close(hd_link **link) {
    mpi_link *m = *link ? link_of(*link) : NULL;
    if (!m)
        return;
    /* MPI waits in its end for all ranks, also for one that is gone. */
    if (!m->failed && !hd_cancelled(m->link.ctx) && barrier_mpi(*link) == HEDDLE_OK)
        m->mpi.close();
    else if (m->failed)
        say_farewell(m);
    free_link(m);
    *link = NULL;
}
