/* incore.h - running a vertex program on a device whose memory holds graph, values and buffers.
 *
 * The graph is uploaded once; rounds run on the device, several between two checks of the host whether the run is over;
 * values are downloaded at the end. Monotone programs give bit for bit the same values as on the CPU; programs that add
 * up agree within the rounding of their sums, and give the same bits every time under plans without atomics (pull,
 * except vnode with an array).
 */
#ifndef HD_ENGINE_DEVICE_INCORE_H
#define HD_ENGINE_DEVICE_INCORE_H

#include "engine/cpu/cpu.h"
#include "engine/run.h"

/* A program's text for the device's compiler, and facts that the engine needs. */
typedef struct hd_incore_program {
    const char *name; /* for errors: "sssp", or the user's file */
    const char *text;
    const char *defines; /* "#define …" lines before it, or NULL */
    bool in_double;      /* HEDDLE_DOUBLE */
    bool own;            /* built in: a SUM message consists of numbers of type `part` */
    const char *part;    /* "real", "f64" */
    int traits;
    bool weighted, has_output;
    uint64_t included; /* a hash of the files that its text includes; 0: none */
    bool initial;      /* built in: it starts from initial values; a user's program gets those that the run has */
    bool in_degree;    /* it uses in-degrees; a user's program: it did not compile without (hd_incore_asks) */
    heddle_value_type output;
    size_t value_size, message_size;
    bool steps;     /* values count edges */
    bool ranks;     /* stop by the sum of changes; parameter 1 is (1 - d + d * rank of sinks) / n */
    bool both_ways; /* edges count in both directions */
    /* Weighted ranks: per vertex the value passed to `send` in place of the out-degree, infinity for vertices that send
     * nothing; a message is proportional to its edge's weight. */
    const double *strengths;
} hd_incore_program;

/* The built-in program of that name: everything but `defines`. */
heddle_status hd_incore_find(heddle_context *ctx, const char *name, bool in_double, hd_incore_program *program);
/* A user's program: `text` is its file's, `compiled` the CPU's version, from which the rest is taken. */
hd_incore_program hd_incore_user(const char *path, const char *text, bool in_double, const hd_cpu_program *compiled);

/* Runs on the run's device under its plan, and fills the result's values and report as hd_cpu_execute does. */
heddle_status hd_incore_execute(const hd_run *run, const hd_incore_program *program, const hd_cpu_setup *setup);

/* For tests: the source of a program under the run's plan, if that fits, without a device. The text is freed with
 * HD_DELETE(…, *bytes). */
heddle_status hd_incore_source(const hd_run *run, const hd_incore_program *program, const hd_device_kind *kind,
                               heddle_weight_type weights, char **source, size_t *bytes);

#endif
