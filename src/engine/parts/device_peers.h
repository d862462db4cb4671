/* device_peers.h - parts of one process whose devices reach each other: changed values are copied from the outbox on
 * one device to the inbox on the other; only their number passes through the host.
 *
 * A part publishes its inbox when it is ready, and withdraws it before it is freed; a part that copies to it holds its
 * lock. The reductions of a round order the copies: a part has taken what arrived before any other begins the next one.
 */
#ifndef HD_ENGINE_PARTS_DEVICE_PEERS_H
#define HD_ENGINE_PARTS_DEVICE_PEERS_H

#include "engine/parts/part.h"

#include <pthread.h>

typedef struct hd_peer {
    uint64_t reaches; /* parts whose devices this one's copies to, a bit each */
    pthread_mutex_t lock;
    hd_device *device; /* NULL: not ready, or no more */
    hd_buffer places, values;
    const uint64_t *starts; /* the first place of each other part in them */
} hd_peer;

/* One for each device of the run; asks the drivers which of them reach each other. */
heddle_status hd_peers_new(const hd_run *run, hd_peer **peers);
void hd_peers_free(heddle_context *ctx, uint32_t count, hd_peer **peers);

/* Which parts this one reaches and is reached by, of those that it has to do with. */
hd_direct hd_peers_find(const hd_part *part);
void hd_peer_publish(hd_peer *peer, hd_device *device, const hd_buffer *places, const hd_buffer *values,
                     const uint64_t *starts);
void hd_peer_withdraw(hd_peer *peer);
/* Copies `count` places and values, from `at` of these buffers on, to the inbox of part `to`. A part that has
 * withdrawn, because it failed, gets nothing: the link reports it. */
heddle_status hd_peer_copy(const hd_part *part, uint32_t to, hd_device *device, const hd_buffer *places,
                           const hd_buffer *values, uint64_t at, uint64_t count);

#endif
