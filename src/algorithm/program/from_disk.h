/* from_disk.h - runs whose edges are read from the graph's .hdl file (residency disk). */
#ifndef HD_ALGORITHM_PROGRAM_FROM_DISK_H
#define HD_ALGORITHM_PROGRAM_FROM_DISK_H

#include "algorithm/algorithm.h"
#include "engine/cpu/cpu.h"
#include "residency/disk_rows.h"

/* Bytes of memory that such a run takes at least: what it keeps per vertex, ids, and the smallest buffers. */
uint64_t hd_from_disk_least(const hd_run *run, const hd_disk_wants *wants);
/* Bytes of a run within its limit: edges, and everything else. */
void hd_from_disk_measure(const hd_run *run, const hd_disk_wants *wants, uint64_t *edges, uint64_t *others);
/* Why the rows that are wanted cannot be read from the file, and what to use instead; NULL: they can. */
const char *hd_from_disk_refuse(const hd_run *run, const hd_disk_wants *wants);
/* Whether the run reads its edges from the file. */
bool hd_from_disk(const hd_run *run);

/* A file opened for a run, and checked. */
typedef struct hd_from_disk_rows {
    hd_disk disk;
    uint32_t *degrees; /* of the other direction, if they are wanted; else NULL */
    double most;       /* an upper bound of the weights; the largest if they were checked */
} hd_from_disk_rows;

/* HEDDLE_E_REFUSED and HEDDLE_E_MEMORY with the numbers, before anything is read. Closed also where it fails. */
heddle_status hd_from_disk_open(const hd_run *run, const hd_disk_wants *wants, hd_from_disk_rows *rows);
/* The same, and calls `strip` with parts of all rows, from any thread, in the pass that checks them: what comes of that
 * holds only if this succeeds. */
typedef void (*hd_strip_fn)(void *self, const hd_csr *rows, uint64_t row, uint64_t first, uint64_t end);
heddle_status hd_from_disk_open_walking(const hd_run *run, const hd_disk_wants *wants, hd_strip_fn strip, void *self,
                                        hd_from_disk_rows *rows);
void hd_from_disk_close(const hd_run *run, hd_from_disk_rows *rows);
/* Runs a program on the rows. */
heddle_status hd_from_disk_execute(const hd_run *run, hd_from_disk_rows *rows, const hd_cpu_program *program,
                                   const hd_cpu_setup *setup);

/* Rows and memory of a vertex program; an algorithm adds its own arrays. */
hd_disk_wants hd_from_disk_program_wants(const hd_cpu_program *program, bool mixed);
/* All three for a program. */
heddle_status hd_from_disk_run(const hd_run *run, const hd_disk_wants *wants, const hd_cpu_program *program,
                               const hd_cpu_setup *setup);

/* The same in a pass of its own. */
heddle_status hd_from_disk_each_row(const hd_run *run, hd_disk *disk, hd_strip_fn strip, void *self);

#endif
