/* provenance.h - where a report comes from: version, commit, command line, date, machine. */
#ifndef CLI_PROVENANCE_H
#define CLI_PROVENANCE_H

#include "command.h"
#include "json.h"

/* Adds the keys version, commit, command, date and machine, and device_name and driver of a device such as "cuda:0"
 * (NULL: several). Keys that are not known are null. */
void cli_json_provenance(cli_json *json, const cli_session *session, const char *device);

/* The commit of the checkout that this command was built from, with "-dirty" where the tree had changes; NULL if it was
 * built from something else. */
const char *cli_commit(void);

/* The processor and the C library that this command was built for: "x86_64, glibc 2.36". */
const char *cli_platform(void);

#endif
