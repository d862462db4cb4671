/* program.h - running a user's program as an algorithm. */
#ifndef HD_ALGORITHM_PROGRAM_PROGRAM_H
#define HD_ALGORITHM_PROGRAM_PROGRAM_H

#include "engine/cpu/cpu_user.h"
#include "engine/device/incore_facts.h"
#include "engine/run.h"

/* A user's program, compiled: for the CPU, and as a device's compiler gets it. */
typedef struct hd_opened_program {
    const heddle_program *object; /* NULL: there is no C compiler, and the run is on a device */
    heddle_program *temporary;    /* the same, if neither the caller nor the context keeps it */
    hd_device_facts device_facts; /* facts from the device */
    const hd_cpu_program *facts;  /* points to either */
    char *text;                   /* of a program without an object */
    size_t room;
    hd_incore_program device;
} hd_opened_program;

/* Opens the program that the options name; the report gets the seconds of compiling. Closed also when that failed. */
heddle_status hd_user_open(const hd_run *run, heddle_report *report, hd_opened_program *program);
void hd_user_close(heddle_context *ctx, hd_opened_program *program);

/* HEDDLE_E_PROGRAM for declarations that exclude each other. */
heddle_status hd_user_check_declared(heddle_context *ctx, const char *path, const hd_cpu_program *program);

#endif
