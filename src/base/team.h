/* team.h - threads of one parallel region that meet very often, as searches of deep graphs do after each small level.
 *
 * Every thread has two lines of memory of its own, for turns of even and odd number. To meet is to write the turn's
 * number, and words to tell the others, into one's line, and to read everybody else's until the number is there. So
 * a meeting takes no atomic operation, and whoever comes out of it knows the words of all.
 */
#ifndef HD_BASE_TEAM_H
#define HD_BASE_TEAM_H

#include "base/parallel.h"

enum { HD_TEAM_WORDS = 7 };

/* A line: one thread's side of one turn. */
typedef struct hd_turn {
    uint64_t number;
    uint64_t words[HD_TEAM_WORDS];
} hd_turn;

typedef struct hd_team {
    void *memory;
    hd_turn *lines; /* two for each thread, at the start of a cache line */
    uint64_t room;  /* threads */
    uint64_t turn;  /* the last one of all regions so far */
} hd_team;

/* One thread's view. Threads agree on `turn`: all of them meet equally often. */
typedef struct hd_mate {
    hd_team *team;
    uint64_t count, self; /* threads here; this one */
    uint64_t turn, first_turn;
    uint64_t slow; /* turns in which this thread waited so long that it gave its core away */
} hd_mate;

heddle_status hd_team_new(heddle_context *ctx, hd_team *team);
void hd_team_free(heddle_context *ctx, hd_team *team);

/* Before a region of HD_PARALLEL, and in it on each of its threads. */
void hd_team_ready(hd_team *team);
hd_mate hd_team_join(hd_team *team);
/* Waits for all threads; what each did before is seen by all afterwards. `count` words go to the others. */
void hd_team_meet(hd_mate *mate, const uint64_t *words, uint64_t count);

/* True when cores are scarce, so that meeting takes longer than working alone would. */
static inline bool hd_team_crowded(const hd_mate *mate) {
    return mate->slow > 3 + (mate->turn - mate->first_turn) / 32;
}

/* What thread t said in the last meeting; until the next one. */
static inline const uint64_t *hd_team_words(const hd_mate *mate, uint64_t t) {
    return mate->team->lines[2 * t + mate->turn % 2].words;
}

#endif
