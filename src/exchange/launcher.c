/* launcher.c - see launcher.h. Every launcher gives its processes their rank and number in variables of its own.
 *
 * A job's allocation alone is no launch: inside a batch script SLURM_NTASKS is set, too, and the script's commands run
 * once. So Slurm counts only together with the variables of the interface through which MPI finds its peers. */
#include "exchange/launcher.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct launcher {
    const char *name;
    const char *rank;
    const char *sizes[3]; /* the first that is set counts */
} launcher;

static const launcher launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", {"OMPI_COMM_WORLD_SIZE"}},
    {"MVAPICH", "MV2_COMM_WORLD_RANK", {"MV2_COMM_WORLD_SIZE"}},
    {"PMI", "PMI_RANK", {"PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}},
    {"PMIx", "PMIX_RANK", {"PMIX_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}},
};

static bool number(const char *name, uint32_t *value) {
    const char *text = name ? getenv(name) : NULL;
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    unsigned long long long_value = strtoull(text, &end, 10);
    *value = (uint32_t)long_value;
    return !*end && long_value <= UINT32_MAX;
}

hd_launching hd_launched(void) {
    const hd_launching alone = {.size = 1};
    const char *wish = getenv("HEDDLE_MPI");
    if (wish && strcmp(wish, "off") == 0)
        return alone;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        hd_launching launch = {.by = launchers[i].name};
        bool sized = false;
        for (size_t k = 0; k < 3 && !sized; k++)
            sized = number(launchers[i].sizes[k], &launch.size);
        if (sized && number(launchers[i].rank, &launch.rank) && launch.rank < launch.size)
            return launch;
    }
    return alone;
}

uint32_t hd_fold_wish(void) {
    const char *wish = getenv("HEDDLE_FOLD");
    uint32_t most;
    if (!wish || !*wish)
        return UINT32_MAX;
    if (strcmp(wish, "no") == 0 || strcmp(wish, "off") == 0)
        return 1;
    return number("HEDDLE_FOLD", &most) ? most : 0;
}
