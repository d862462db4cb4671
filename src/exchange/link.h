/* link.h - how the parts of a run reach each other: a table of functions, with two values: parts of one
 * process (link_local.c) and ranks of an MPI launch (link_mpi.c).
 *
 * Every part has a link of its own, and uses it from one thread. Messages between two parts arrive in the order in
 * which they were sent; a message has the length that its sender gave it, and the receiver provides room for the
 * longest. Collective functions are called by all parts, in the same order; sums are formed in the order of ranks, so
 * that all parts get the same bits, every time.
 *
 * A part that fails calls `fail`; after that, or when a part is lost, every function of every other part returns the
 * failing part's status, with its message in the context, also one that was waiting. So none waits for ever.
 */
#ifndef HD_EXCHANGE_LINK_H
#define HD_EXCHANGE_LINK_H

#include "base/context.h"

typedef struct hd_link hd_link;

typedef enum hd_link_operation { HD_LINK_SUM, HD_LINK_MIN, HD_LINK_MAX } hd_link_operation;

enum {
    HD_LINK_POSTED = 8,  /* most messages from one part to another that are sent and not yet waited for */
    HD_LINK_NUMBERS = 16 /* most numbers of a reduction */
};

/* A message on its way; filled by send and receive, used up by wait. The data must not be touched until then, nor
 * freed: after a failure too, every open way is waited for first (hd_link_drain). */
typedef struct hd_message_way {
    void *data;
    size_t bytes; /* of a receive: the room; after wait, the length of the message */
    uint64_t ticket;
    uint32_t peer;
    bool sending, open; /* open: wait has something to do */
} hd_message_way;

struct hd_link {
    heddle_context *ctx; /* of this part: its errors */
    const char *name;    /* of the part's device, for messages about it; NULL: none */
    uint32_t rank, size;
    uint32_t local;   /* of ranks: the number among those of this machine, */
    uint32_t machine; /* the first of them, */
    const uint32_t
        *group; /* and, if the link is of some ranks only (fold.h), the number of each in the launch; or NULL */
    /* Start a message of `bytes` to `peer`, or room for the next one from it. Neither waits. Peers are not oneself. */
    heddle_status (*send)(hd_link *link, uint32_t peer, const void *data, size_t bytes, hd_message_way *way);
    heddle_status (*receive)(hd_link *link, uint32_t peer, void *data, size_t room, hd_message_way *way);
    /* Waits until the data may be used again, or have arrived; returns at once if the way is not open. Those of one
     * peer and direction are waited for in the order in which they were started. */
    heddle_status (*wait)(hd_link *link, hd_message_way *way);
    /* Every number becomes the sum, minimum or maximum of all parts'. At most HD_LINK_NUMBERS of them. */
    heddle_status (*reduce)(hd_link *link, hd_link_operation operation, uint64_t *numbers, uint32_t count);
    heddle_status (*reduce_real)(hd_link *link, hd_link_operation operation, double *numbers, uint32_t count);
    /* mine[p] goes to part p; theirs[p] comes from part p. One number each, `size` in all. */
    heddle_status (*counts)(hd_link *link, const uint64_t *mine, uint64_t *theirs);
    heddle_status (*barrier)(hd_link *link);
    /* To be called now and then during long work: lets messages move on, and returns the error of a part that has
     * failed meanwhile. NULL: messages move by themselves. */
    heddle_status (*progress)(hd_link *link);
    /* Tells all others that this part has failed, as its context's error says. Returns at once; the link is of no more
     * use. The first one counts. */
    void (*fail)(hd_link *link, heddle_status status);
};

/* The function of each part of one process; `link->ctx` is the part's own context. A status other than HEDDLE_OK is
 * passed to the others. */
typedef heddle_status (*hd_link_work)(hd_link *link, void *user);

/* Runs `size` parts, each on a thread of its own: rank 0 is the calling one and uses its context, the others have
 * contexts with the same memory, that are cancelled with it, and a share of the threads. Returns when all have ended:
 * HEDDLE_OK, or the status of the part that failed first, with its error in `ctx`. */
heddle_status hd_link_local(heddle_context *ctx, uint32_t size, hd_link_work work, void *user);

/* Before the data of these ways are freed: notifies the others of a failure of this part, if status is one, and waits
 * for the ways that are still open. Returns `status`, with its error. */
heddle_status hd_link_drain(hd_link *link, heddle_status status, hd_message_way *ways, uint64_t count);

/* The number of a part in messages. */
static inline uint32_t hd_link_number(const hd_link *link, uint32_t rank) {
    return link->group ? link->group[rank] : rank;
}

/* For links: joins the numbers of all parts, in the order of ranks; part p's begin at all[p * stride]. Real numbers
 * come as their bits. */
void hd_link_join(hd_link_operation operation, const uint64_t *all, uint32_t parts, uint64_t stride, uint64_t *numbers,
                  uint32_t count);
void hd_link_join_real(hd_link_operation operation, const uint64_t *all, uint32_t parts, uint64_t stride,
                       double *numbers, uint32_t count);

#endif
