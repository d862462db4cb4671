#!/usr/bin/env bash
# Runs a test of a sanitized build. The search for leaks stops all threads at the exit, and crashes itself, now and
# then, when one of them is just ending: then, and only then, the test is run again.
#
#   tests/sanitized.sh COMMAND…
set -uo pipefail

output=$(mktemp)
trap 'rm -f "$output"' EXIT
"$@" 2>&1 | tee "$output"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ] && grep -q 'LeakSanitizer has encountered a fatal error' "$output"; then
    echo "the sanitizer itself crashed: once more"
    "$@"
    status=$?
fi
exit "$status"
