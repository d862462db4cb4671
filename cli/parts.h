/* parts.h - the parts of a run on several devices, in the report and in the summary. */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "heddle.h"
#include "json.h"

/* "parts" and "imbalance"; nothing for a run on one device. */
void cli_json_parts(cli_json *json, const heddle_result *result);
/* A line for all parts, and one for each. */
void cli_print_parts(const heddle_result *result);

#endif
