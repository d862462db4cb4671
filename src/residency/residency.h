/* residency.h - where the edges of a run lie while it walks them: the descriptor of a residency.
 *
 * A residency is one descriptor (NAME.c) and one line in residency.c, in the order in which an open choice tries them:
 * the first that can run and fits is taken. A run's is chosen in one place, run/choose_residency.c; other code finds it
 * in the plan.
 */
#ifndef HD_RESIDENCY_RESIDENCY_H
#define HD_RESIDENCY_RESIDENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The facts that a choice depends on. Bytes are those of the memory of the run: the device's, or the CPU's. */
typedef struct hd_residency_facts {
    bool on_device;      /* the run is on a device with memory of its own */
    bool maps_host;      /* kernels of that device can use the host's memory in place */
    bool program;        /* the run can be one of a vertex program, which takes edges span by span */
    bool in_file;        /* the graph lies in an .hdl file that can be opened by its name */
    char no_disk[200];   /* why the run cannot read its edges from that file, and what to use; "": it can */
    uint64_t disk_least; /* bytes that it needs in memory then */
    uint64_t wanted;     /* for all that the run needs, edges included; 0: not known beforehand */
    uint64_t edges;      /* of these, the targets and weights of rows */
    uint64_t least;      /* row offsets and values, which have to lie in that memory */
    uint64_t room;       /* that may be used: what is free, or the limit, whatever is less; UINT64_MAX: not known */
} hd_residency_facts;

typedef struct hd_residency {
    const char *name;
    const char *about; /* one line */
    const char *road;  /* how a round gets edges that do not lie in that memory (heddle_round.road) */
    bool spans;        /* a run gets its edges span by span (span.h): only vertex programs can */
    /* Why such a run cannot have it, and what to use instead; NULL: it can. */
    const char *(*refuse)(const hd_residency_facts *facts);
    /* Whether it keeps to the room. */
    bool (*fits)(const hd_residency_facts *facts);
    bool spills; /* what the device has no room for lies in pinned memory of the host, where kernels use it */
    bool pages;  /* pages of edges lie on the device as far as there is room */
    /* Bytes of edges that stay in the host's memory while the device reads them. */
    uint64_t (*on_host)(const hd_residency_facts *facts);
    bool from_file; /* the run reads edges from the graph's file, not from its mapping */
} hd_residency;

/* The memory that the run works in holds all edges: that of the device, or the CPU's. */
extern const hd_residency hd_residency_device;
/* Pages here and there, which kernels read in place. */
extern const hd_residency hd_residency_mixed;
/* Partitions pass through the device: what a schedule that needs the sources of edges runs under. */
extern const hd_residency hd_residency_stream;
/* The CPU reads them from a file. */
extern const hd_residency hd_residency_disk;

const hd_residency *hd_residency_at(size_t index); /* NULL past the last */
/* The first behind `after` in the table (NULL: of all) that can run and fits; NULL: there is none. */
const hd_residency *hd_residency_choose(const hd_residency_facts *facts, const hd_residency *after);

/* For descriptors: no bytes on the host; row offsets and values fit. */
uint64_t hd_residency_none_on_host(const hd_residency_facts *facts);
bool hd_residency_values_fit(const hd_residency_facts *facts);

#endif
