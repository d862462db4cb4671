/* rounds.h - the records of a run's rounds (heddle_round), in the report and in the trace. */
#ifndef CLI_ROUNDS_H
#define CLI_ROUNDS_H

#include "json.h"
#include "outcome.h"

typedef struct cli_rounds {
    heddle_round *list;
    uint64_t count;
    double bus; /* heddle_report.bus */
} cli_rounds;

/* A copy of the result's; false when memory is short. */
bool cli_rounds_take(const heddle_result *result, cli_rounds *rounds);
void cli_rounds_free(cli_rounds *rounds);

/* "push"; "none" where a round has no direction. */
const char *cli_direction_name(heddle_direction direction);

/* Bytes that crossed the bus per second, over its rate `bus`; negative: not known. */
double cli_bus_share(const heddle_round *round, double bus);

/* The member "rounds" of the report. */
void cli_json_rounds(cli_json *json, const cli_rounds *rounds);
/* The member "rounds" of a part of a run on several devices. */
void cli_json_part_rounds(cli_json *json, const cli_rounds *rounds);
/* A bar and counters for each round; `begin` is when the run began. */
void cli_trace_rounds(cli_json *json, const cli_rounds *rounds, double begin);

#endif
