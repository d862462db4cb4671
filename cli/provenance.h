/* provenance.h - where a report comes from: version, commit, command line, date, machine. */
#ifndef CLI_PROVENANCE_H
#define CLI_PROVENANCE_H

#include "command.h"
#include "json.h"

/* Adds the keys version, commit, command, date and machine, and device_name and driver of a device such as "cuda:0"
 * (NULL: several). Keys that are not known are null. */
void cli_json_provenance(cli_json *json, const cli_session *session, const char *device);

#endif
