/* team.h - a spin barrier for the threads of one parallel region, for searches of deep graphs with a barrier after each
 * small level.
 *
 * Each thread owns two cache lines, one for even and one for odd turns. At a barrier it writes the turn's number, and
 * words for the others, into its own line, and spins on the other threads' lines until they show the same number. So a
 * barrier needs no read-modify-write operation, and after it every thread can read the words of all others.
 */
#ifndef HD_BASE_TEAM_H
#define HD_BASE_TEAM_H

#include "base/parallel.h"

enum { HD_TEAM_WORDS = 7 };

/* One cache line: the state of one thread in one turn. */
typedef struct hd_turn {
    uint64_t number;
    uint64_t words[HD_TEAM_WORDS];
} hd_turn;

typedef struct hd_team {
    void *memory;
    hd_turn *lines; /* two per thread, aligned to cache lines */
    uint64_t room;  /* largest number of threads */
    uint64_t turn;  /* last turn of all regions so far */
} hd_team;

/* One thread's view. All threads have the same `turn`, because each passes every barrier. */
typedef struct hd_mate {
    hd_team *team;
    uint64_t count, self; /* threads here; this one */
    uint64_t turn, first_turn;
    uint64_t slow; /* turns in which this thread waited so long that it yielded its core */
} hd_mate;

heddle_status hd_team_new(heddle_context *ctx, hd_team *team);
void hd_team_free(heddle_context *ctx, hd_team *team);

/* Call hd_team_ready before a region of HD_PARALLEL, and hd_team_join on each of its threads. */
void hd_team_ready(hd_team *team);
hd_mate hd_team_join(hd_team *team);
/* The barrier: waits for all threads; writes before it are visible to all afterwards. Publishes `count` words. */
void hd_team_meet(hd_mate *mate, const uint64_t *words, uint64_t count);

/* True when there are too few free cores, so that barriers cost more than working on one thread. */
static inline bool hd_team_crowded(const hd_mate *mate) {
    return mate->slow > 3 + (mate->turn - mate->first_turn) / 32;
}

/* The words that thread t published at the last barrier; valid until the next one. */
static inline const uint64_t *hd_team_words(const hd_mate *mate, uint64_t t) {
    return mate->team->lines[2 * t + mate->turn % 2].words;
}

#endif
