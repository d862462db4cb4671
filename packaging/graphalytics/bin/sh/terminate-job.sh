#!/bin/sh
# terminate-job.sh - ends a job that takes too long; one that has ended already is no error.
set -eu
known="job-id log-path"
. "$(dirname "$0")/arguments.sh"
needs job-id log-path
[ -f "$log_path/$job_id.pid" ] || exit 0
kill "$(cat "$log_path/$job_id.pid")" 2>/dev/null || :
