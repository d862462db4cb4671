#!/usr/bin/env bash
# Runs a test of a sanitized build. The search for leaks guesses where libraries that were opened later keep their
# thread-local memory, and crashes itself, now and then, when it guesses wrong: then, and only then, the test is run
# again.
#
#   tests/sanitized.sh COMMAND…
set -uo pipefail

output=$(mktemp)
trap 'rm -f "$output"' EXIT
for _ in 1 2; do
    "$@" 2>&1 | tee "$output"
    status=${PIPESTATUS[0]}
    [ "$status" -ne 0 ] && grep -q 'LeakSanitizer has encountered a fatal error' "$output" || break
    echo "the sanitizer itself crashed: once more"
done
exit "$status"
