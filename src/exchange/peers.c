/* peers.c - see peers.h. */
#include "exchange/peers.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Process ids mean something within one namespace: its file's number shows whether it is the same. 0: not known. */
void hd_peers_self(uint64_t numbers[HD_PEER_NUMBERS]) {
    struct stat space;
    numbers[0] = stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
    numbers[1] = (uint64_t)getpid();
}

heddle_status hd_peers_open(heddle_context *ctx, uint32_t most, hd_peers *peers) {
    *peers = (hd_peers){.room = most, .early = HD_NO_PEER};
    HD_TRY(HD_NEW(ctx, &peers->open, most, "link"));
    HD_TRY(HD_NEW(ctx, &peers->rank, most, "link"));
    return HD_NEW(ctx, &peers->process, most, "link");
}

/* A descriptor that exec closes; -1 and errno: not possible. */
static int open_process(uint64_t id) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, (pid_t)id, 0);
#else
    (void)id;
    errno = ENOSYS;
    return -1;
#endif
}

void hd_peers_add(hd_peers *peers, uint32_t rank, const uint64_t numbers[HD_PEER_NUMBERS]) {
    uint64_t own[HD_PEER_NUMBERS];
    hd_peers_self(own);
    if (!own[0] || own[0] != numbers[0] || peers->count == peers->room)
        return;
    int process = open_process(numbers[1]);
    if (process < 0 && errno == ESRCH)
        peers->early = rank;
    if (process < 0)
        return;
    peers->rank[peers->count] = rank;
    peers->process[peers->count] = numbers[1];
    peers->open[peers->count++] = (struct pollfd){.fd = process, .events = POLLIN};
}

uint32_t hd_peers_ended(hd_peers *peers) {
    uint32_t early = peers->early;
    peers->early = HD_NO_PEER;
    if (early != HD_NO_PEER || peers->count == 0 || poll(peers->open, peers->count, 0) <= 0)
        return early;
    for (uint32_t i = 0; i < peers->count; i++)
        if (peers->open[i].revents & POLLIN) {
            close(peers->open[i].fd);
            peers->open[i] = (struct pollfd){.fd = -1};
            return peers->rank[i];
        }
    return HD_NO_PEER;
}

/* The state stands behind the name, which is in brackets and may hold any letters. */
static bool is_stopped(uint64_t process) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)process);
    FILE *file = fopen(path, "re");
    const char *end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file)
        fclose(file);
    return end && (!strncmp(end, ") T", 3) || !strncmp(end, ") t", 3));
}

bool hd_peers_stopped(const hd_peers *peers, uint32_t rank) {
    for (uint32_t i = 0; i < peers->count; i++)
        if (peers->rank[i] == rank)
            return peers->open[i].fd >= 0 && is_stopped(peers->process[i]);
    return false;
}

void hd_peers_close(heddle_context *ctx, hd_peers *peers) {
    for (uint32_t i = 0; i < peers->count; i++)
        if (peers->open[i].fd >= 0)
            close(peers->open[i].fd);
    HD_DELETE(&ctx->allocator, peers->open, peers->room);
    HD_DELETE(&ctx->allocator, peers->rank, peers->room);
    HD_DELETE(&ctx->allocator, peers->process, peers->room);
}
