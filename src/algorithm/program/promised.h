/* promised.h - kernels that a user's program opens by a promise (LEAST_FIRST …), in place of the in-core engine's
 * rounds: those of built-in algorithms, with the program's text compiled in.
 *
 * They give the same values as rounds. Named plans, and whatever the kernels refuse, run in rounds; explain says why.
 */
#ifndef HD_ALGORITHM_PROGRAM_PROMISED_H
#define HD_ALGORITHM_PROGRAM_PROMISED_H

#include "algorithm/executor.h"
#include "algorithm/program/program_run.h"

typedef struct hd_promised {
    int promise;       /* the trait that opens it */
    const char *name;  /* of the trait */
    const char *about; /* for explain: what runs */
    /* Which runs it refuses though the program makes the promise; without side effects. */
    hd_refusal (*refuse)(const hd_run *run, const hd_program_run *p);
    heddle_status (*run)(const hd_run *run, const hd_program_run *p);
} hd_promised;

/* The kernels that serve a run on one device; NULL: rounds, and *refusal, whose `what` is NULL if the program makes no
 * promise, says why. `info`: of the device. */
const hd_promised *hd_promised_of(const hd_run *run, const hd_program_run *p, const hd_device_info *info,
                                  hd_refusal *refusal);

/* Whether `send` may depend on its last argument, the out-degree: it is named anywhere but as an argument and in
 * (void)degree. True as well if there is no telling. */
bool hd_sends_degree(const char *text);

#endif
