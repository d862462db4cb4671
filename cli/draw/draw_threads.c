/* draw_threads.c - loops over vertices, shared by threads that live as long as the loop. */
#include "draw/draw.h"

#include <pthread.h>

enum { MOST_THREADS = 256, LEAST_SHARE = 512 /* vertices that are worth a thread */ };

typedef struct share {
    pthread_t thread;
    draw_part *part;
    void *user;
    uint32_t from, to;
} share;

static void *work(void *opaque) {
    share *own = opaque;
    own->part(own->user, own->from, own->to);
    return NULL;
}

void draw_share(int threads, uint32_t count, draw_part *part, void *user) {
    share shares[MOST_THREADS];
    uint32_t most = count / LEAST_SHARE + 1, started = 0;
    uint32_t n = (uint32_t)(threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads);
    n = n < most ? n : most;
    for (uint32_t i = 0; i < n; i++)
        shares[i] = (share){.part = part,
                            .user = user,
                            .from = (uint32_t)((uint64_t)count * i / n),
                            .to = (uint32_t)((uint64_t)count * (i + 1) / n)};
    while (started + 1 < n && pthread_create(&shares[started].thread, NULL, work, &shares[started]) == 0)
        started++;
    for (uint32_t i = started; i < n; i++) /* the last, and those that the system gave no thread */
        work(&shares[i]);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(shares[i].thread, NULL);
}
