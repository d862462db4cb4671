/* exchange.h - the messages of parts after a round: the descriptor of an exchange, and the boxes of a run.
 *
 * An exchange is one descriptor (NAME.c) and one line in exchange.c. It writes a message about own vertices to one
 * other part, and reads what another has written. The longest message is known before the run, so boxes are allocated
 * once. There are two sets of outboxes, used in turn: while a message of the last round may still be on its way, the
 * next one is written elsewhere. A part has all messages of a round, and the sums that decide whether it was the last,
 * before it begins the next; messages may be posted when the vertices that others read are done, and travel while the
 * other rows of the round are computed (engine/parts/part_rounds.c).
 */
#ifndef HD_EXCHANGE_EXCHANGE_H
#define HD_EXCHANGE_EXCHANGE_H

#include "exchange/slice.h"

/* A part's vertices that one other reads, and their values after a round. */
typedef struct hd_outgoing {
    uint64_t own;         /* vertices of the part */
    const uint32_t *list; /* those that the other reads, in the part's numbers, ascending */
    uint64_t count;
    const void *values;    /* of all own vertices; of those that did not change, only if `every` */
    const uint64_t *marks; /* a bit per vertex of the list: it has changed */
    uint64_t changes;      /* how many have */
    size_t size;           /* bytes of a value */
} hd_outgoing;

static inline uint64_t hd_mark_words(uint64_t count) { return (count + 63) / 64; }

/* The same list as the reader has it, and where new values are collected. */
typedef struct hd_incoming {
    uint64_t own;          /* vertices of the sender */
    uint64_t first;        /* the first of them in the graph */
    const uint32_t *names; /* of the vertices that are read, in the graph's numbers; NULL: vr does without */
    uint64_t count;
    size_t size;
    uint32_t base;    /* the reader's number of the first, among the vertices of others */
    uint32_t *places; /* room for the number of each vertex with a value, */
    char *values;     /* and for the values, side by side */
} hd_incoming;

typedef struct hd_exchange {
    const char *name;
    const char *about; /* one line */
    bool to_all;       /* parts that read nothing get a message too */
    bool every;        /* values of vertices that did not change are sent too: `values` must be complete, */
    bool interior;     /* also of those that no part reads */
    /* Bytes of the longest message about `own` vertices, of which the other reads `count`. */
    uint64_t (*room)(uint64_t own, uint64_t count, size_t size);
    /* Returns the bytes written; *useful: those of values that have changed. */
    size_t (*write)(const hd_outgoing *out, unsigned char *message, uint64_t *useful);
    /* Returns how many places and values it has filled in; UINT64_MAX for a message that cannot be right. */
    uint64_t (*read)(const hd_incoming *in, const unsigned char *message, size_t bytes);
} hd_exchange;

/* Only what has changed and is read elsewhere: the default. */
extern const hd_exchange hd_exchange_vr;

const hd_exchange *hd_exchange_at(size_t index); /* NULL past the last */

/* ---- Boxes ------------------------------------------------------------------------------------------------------ */

/* Received values: numbers among the vertices of others, and a value for each. */
typedef struct hd_inbox {
    uint32_t *places;
    char *values;
    uint64_t count;
} hd_inbox;

/* Parts, a bit each, to and from which values pass without the boxes: these have only the counts. Ranks have none. */
typedef struct hd_direct {
    uint64_t out, in;
} hd_direct;
enum { HD_DIRECT_MOST = 64 };

static inline bool hd_is_direct(uint64_t parts, uint32_t p) { return p < HD_DIRECT_MOST && parts >> p & 1; }

typedef struct hd_boxes {
    hd_link *link;
    const hd_slice *slice;
    const hd_exchange *exchange;
    size_t size;
    uint64_t *out_start, *in_start; /* parts + 1: the places of the parts' messages in a set */
    unsigned char *out[2], *in;
    uint64_t *marks; /* room for those of the longest list */
    uint64_t mark_words;
    hd_message_way *ways; /* for each part: odd and even messages out, the message in */
    uint64_t round;
    hd_inbox inbox;
    hd_direct direct;
    uint64_t passed[HD_DIRECT_MOST], arrived[HD_DIRECT_MOST]; /* of `direct`: values to a part, before post; from it */
    /* Of the last round: bytes sent, and of these the values that changed. */
    uint64_t bytes, useful;
} hd_boxes;

/* Values have `size` bytes. Freed by hd_boxes_free, also after a failure, which drains the link: `status` is the part's
 * own, and returned. */
heddle_status hd_boxes_new(hd_link *link, const hd_slice *slice, const hd_exchange *exchange, size_t size,
                           hd_boxes *boxes);
/* The same where values pass directly between some parts. */
heddle_status hd_boxes_new_direct(hd_link *link, const hd_slice *slice, const hd_exchange *exchange, size_t size,
                                  hd_direct direct, hd_boxes *boxes);
heddle_status hd_boxes_free(hd_boxes *boxes, heddle_status status);
/* Starts the messages of a round: values and `changed` are those of all own vertices. Does not wait for the others. */
heddle_status hd_boxes_post(hd_boxes *boxes, const void *values, const uint64_t *changed);
/* Waits for theirs; boxes->inbox then holds what they say. */
heddle_status hd_boxes_take(hd_boxes *boxes);
/* Waits until all that was posted has left: before other messages are sent between the same parts for a while. */
heddle_status hd_boxes_settle(hd_boxes *boxes);

#endif
