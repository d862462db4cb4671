/* team.c - see team.h. */
#include "base/team.h"

#include "base/memory.h"

#include <sched.h>
#include <string.h>

/* Spins before yielding the core: a few times the duration of a small level. */
enum { LOOKS = 1 << 10 };

heddle_status hd_team_new(heddle_context *ctx, hd_team *team) {
    char *memory;
    *team = (hd_team){.room = (uint64_t)ctx->threads};
    HD_TRY(HD_NEW_ZERO(ctx, &memory, (2 * team->room + 1) * sizeof *team->lines, "a team"));
    team->memory = memory;
    team->lines = (hd_turn *)(void *)(memory + (-(uintptr_t)memory & (sizeof *team->lines - 1)));
    return HEDDLE_OK;
}

void hd_team_free(heddle_context *ctx, hd_team *team) {
    hd_free(&ctx->allocator, team->memory, (2 * team->room + 1) * sizeof *team->lines);
    *team = (hd_team){.room = 0};
}

void hd_team_ready(hd_team *team) {
    uint64_t even = team->lines[0].number, odd = team->lines[1].number;
    team->turn = even > odd ? even : odd;
}

hd_mate hd_team_join(hd_team *team) {
    return (hd_mate){.team = team,
                     .count = (uint64_t)hd_threads_here(),
                     .self = (uint64_t)hd_thread(),
                     .turn = team->turn,
                     .first_turn = team->turn};
}

static inline void rest(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void hd_team_meet(hd_mate *mate, const uint64_t *words, uint64_t count) {
    uint64_t turn = ++mate->turn;
    hd_turn *lines = mate->team->lines + turn % 2, *own = lines + 2 * mate->self;
    if (count)
        memcpy(own->words, words, count * sizeof *words);
    hd_store_release(&own->number, turn);
    int looks = 0;
    for (uint64_t t = 0; t < mate->count; t++)
        for (; hd_load_acquire(&lines[2 * t].number) != turn; looks += looks < LOOKS)
            if (looks < LOOKS)
                rest();
            else
                sched_yield();
    mate->slow += looks == LOOKS;
}
