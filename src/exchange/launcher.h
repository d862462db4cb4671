/* launcher.h - whether this process is one of several that were started together, by mpirun, mpiexec or srun. */
#ifndef HD_EXCHANGE_LAUNCHER_H
#define HD_EXCHANGE_LAUNCHER_H

#include <stdint.h>

typedef struct hd_launching {
    const char *by; /* "Open MPI", "PMI", …; NULL: started alone */
    uint32_t rank, size;
} hd_launching;

/* From the environment alone: MPI is not started. HEDDLE_MPI=off in it: alone, whatever else there is. */
hd_launching hd_launched(void);
/* HEDDLE_FOLD in the environment: how many ranks of a machine may become one process. 1: "no"; 0: neither that nor a
 * number. UINT32_MAX: it is not set. */
uint32_t hd_fold_wish(void);

#endif
