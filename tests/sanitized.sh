#!/usr/bin/env bash
# Runs a test of a sanitized build. The search for leaks stops all threads at the exit, and crashes itself, now and
# then, when one of them is just ending: then, and only then, the test is run again, the last time without that search.
#
#   tests/sanitized.sh COMMAND…
set -uo pipefail

output=$(mktemp)
trap 'rm -f "$output"' EXIT
for leaks in 1 1 0; do
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=$leaks "$@" 2>&1 | tee "$output"
    status=${PIPESTATUS[0]}
    [ "$status" -ne 0 ] && grep -q 'LeakSanitizer has encountered a fatal error' "$output" || break
    echo "the sanitizer itself crashed: once more"
done
exit "$status"
