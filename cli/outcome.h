/* outcome.h - the results of a run, as text and as JSON. */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include "algorithm.h"
#include "path.h"

/* Monotonic seconds; `begin` counts from the start of the command. */
typedef struct cli_span {
    double begin, seconds;
} cli_span;

/* Estimated memory of a run. `peak` is the process's peak: that of the run, or of loading if that is larger. */
typedef struct cli_memory {
    uint64_t out_edges, in_edges, run, total, peak;
} cli_memory;

typedef struct cli_outcome {
    const cli_session *session;
    const cli_run_settings *settings;
    const cli_algorithm *algorithm;
    const char *name; /* of the command */
    const char *path; /* of the graph */
    const heddle_graph *graph;
    uint64_t edges; /* cli_count_edges of it */
    const heddle_result *result;
    uint64_t source_count;          /* as given; 0: none was */
    uint64_t start_peak, load_peak; /* bytes of memory that were used at most, before and after the graph was loaded */
    heddle_device_memory device;    /* where it would run, and what it would take there; for the same */
    heddle_vertex target;           /* of --path-to */
    cli_path route;                 /* to it; empty: there is none */
    int threads;
    cli_span load, run, verify, write;
    uint64_t bytes; /* of the finished file */
} cli_outcome;

enum { CLI_FIRST_ROWS = 5 }; /* in the summary */

/* The summary, and the first rows. Exit status 0, or 4 when memory is short; the same holds below. */
int cli_print_summary(const cli_outcome *outcome);
/* One line on standard error, when something else is on standard output. */
void cli_say_summary(const cli_outcome *outcome);
/* The report. */
int cli_print_report(const cli_outcome *outcome);
/* --top and --path-to, tab-separated. */
/* The line "# approximate: …" on standard output, as .tsv files have it; not with --quiet. */
void cli_print_remark(const cli_outcome *outcome);
int cli_print_top(const cli_outcome *outcome, uint64_t most);
int cli_print_path(const cli_outcome *outcome);

/* The first source, as given or as the library chose it; UINT32_MAX: none. */
heddle_vertex cli_first_source(const cli_outcome *outcome);
double cli_edges_per_second(const heddle_report *report);
/* The share of lanes that had an edge, as counted by --profile; 0 where none were. */
double cli_lane_efficiency(const heddle_report *report);

/* The process' peak so far, in bytes. */
uint64_t cli_peak_memory(void);
cli_memory cli_estimate_memory(const cli_outcome *outcome);
/* Whether the run would be on a device with memory of its own. */
bool cli_leaves_host(const cli_outcome *outcome);
/* A run that --dry-run describes, as text and as JSON. */
void cli_print_dry_run(const cli_outcome *outcome);
void cli_report_dry_run(const cli_outcome *outcome, const cli_memory *memory);

/* Writes the phases as a Chrome trace. Exit status 0, or 3 with a message. */
int cli_write_trace(const cli_outcome *outcome, const char *path);

#endif
