/* trial.h - work that foreign code may crash or hang in, tried in a child process: drivers, whose constructors run as
 * soon as they are opened. */
#ifndef CLI_TRIAL_H
#define CLI_TRIAL_H

#include "command.h"

typedef struct cli_trial {
    bool sound;      /* it came to its end */
    bool late;       /* it had not when its time was over */
    int exit_status; /* what the work returned, then */
    char fault[96];  /* "crashed (signal 11)", "did not answer within 10 seconds", when it did not */
} cli_trial;

/* Calls `work` in a child, which has HEDDLE_DRIVER_SECONDS seconds (default 10). Where no child can be made it is
 * called here. */
cli_trial cli_try(int (*work)(void *user), void *user);

/* For --device auto: whether drivers can be opened without harm. Tried once for each state of the machine's libraries,
 * and remembered in the cache (`heddle cache clear` forgets it); without one, not tried. Drivers that took too long are
 * tried again: the machine may just have been busy. A failure is a note. */
bool cli_drivers_are_sound(cli_session *session);
/* Whether there is a device that --device auto may choose. A child looks, so that drivers take no memory here. */
bool cli_accelerator_is_there(void);

#endif
