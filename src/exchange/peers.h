/* peers.h - whether the processes of other ranks on this machine still exist. The kernel reports it, by a descriptor of
 * each process (pidfd): one that is stopped, or computes for hours, exists; one that was killed does not, whatever its
 * launcher knows. */
#ifndef HD_EXCHANGE_PEERS_H
#define HD_EXCHANGE_PEERS_H

#include "base/context.h"

#include <poll.h>

#define HD_NO_PEER UINT32_MAX

/* The facts by which others find a process. */
enum { HD_PEER_NUMBERS = 2 };

typedef struct hd_peers {
    struct pollfd *open; /* those that exist, as far as is known; fd -1: ended */
    uint32_t *rank;      /* of each */
    uint64_t *process;   /* its id */
    uint32_t count, room;
    uint32_t early; /* one that had ended before it was to be watched, or HD_NO_PEER */
} hd_peers;

/* The numbers of this process. */
void hd_peers_self(uint64_t numbers[HD_PEER_NUMBERS]);
/* Makes room for `most` processes. */
heddle_status hd_peers_open(heddle_context *ctx, uint32_t most, hd_peers *peers);
/* Watches the process of a rank on this machine, which gave those numbers, from now on. Where that is not possible (an
 * old kernel, a container of its own, no descriptors left), it is not watched. */
void hd_peers_add(hd_peers *peers, uint32_t rank, const uint64_t numbers[HD_PEER_NUMBERS]);
/* A rank whose process has ended, each once; HD_NO_PEER: none. A system call if anyone is watched. */
uint32_t hd_peers_ended(hd_peers *peers);
/* Whether the process of a rank that is watched is stopped, by SIGSTOP or a debugger. */
bool hd_peers_stopped(const hd_peers *peers, uint32_t rank);
void hd_peers_close(heddle_context *ctx, hd_peers *peers);

#endif
