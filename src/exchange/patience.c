/* patience.c - see patience.h. */
#include "exchange/patience.h"

#include "base/memory.h"
#include "exchange/link.h"

#include <stdio.h>
#include <stdlib.h>

static const double usual_limit = 30;

/* Of the limit: waiting ranks say so this often, and count as waiting for twice that time. */
static const double interval = 0.25;

heddle_status hd_patience_open(heddle_context *ctx, uint32_t size, hd_patience *patience) {
    const char *wish = getenv("HEDDLE_RANK_SECONDS");
    double limit = wish ? strtod(wish, NULL) : 0;
    *patience = (hd_patience){.limit = limit > 0 ? limit : usual_limit, .size = size};
    return HD_NEW_ZERO(ctx, &patience->heard, size, "link");
}

void hd_patience_close(heddle_context *ctx, hd_patience *patience) {
    HD_DELETE(&ctx->allocator, patience->heard, patience->size);
}

void hd_patience_heard(hd_patience *patience, uint32_t rank) {
    if (rank < patience->size)
        patience->heard[rank] = hd_clock();
}

static bool waits_too(const hd_patience *patience, uint32_t rank, double now) {
    return patience->heard[rank] > 0 && now - patience->heard[rank] < 2 * interval * patience->limit;
}

/* The first ranks that all others wait for, and how many there are. */
static void name_missing(const hd_patience *patience, const hd_link *link, const hd_peers *peers, double now,
                         double seconds) {
    enum { SHOWN = 8 };
    char names[400] = "";
    size_t used = 0;
    uint32_t count = 0;
    for (uint32_t p = 0; p < link->size; p++) {
        uint32_t rank = hd_link_number(link, p);
        if (p == link->rank || waits_too(patience, rank, now))
            continue;
        if (count++ < SHOWN)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%u%s", used ? ", " : "", rank,
                                     hd_peers_stopped(peers, rank) ? " (stopped)" : "");
    }
    if (count)
        hd_note(link->ctx, "waiting for rank%s %s%s for %.0f s: %s", count > 1 ? "s" : "", names,
                count > SHOWN ? ", ..." : "", seconds,
                count > 1 ? "they compute, or were stopped" : "it computes, or was stopped");
}

bool hd_patience_look(hd_patience *patience, const hd_link *link, const hd_peers *peers, bool asleep, hd_wait *wait) {
    double now = hd_clock();
    if (wait->since == 0)
        *wait = (hd_wait){now, now + patience->limit, now + interval * patience->limit};
    if (now >= wait->speaks) {
        wait->speaks = now + (now - wait->since);
        if (link->rank == 0 && !asleep)
            name_missing(patience, link, peers, now, now - wait->since);
        else if (hd_link_number(link, link->rank) == 1 && hd_peers_stopped(peers, 0))
            hd_note(link->ctx, "waiting for rank 0: it was stopped");
    }
    if (now < wait->reports || link->rank == 0 || asleep)
        return false;
    wait->reports = now + interval * patience->limit;
    return true;
}
