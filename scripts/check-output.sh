#!/usr/bin/env bash
# Checks that a program prints what a file has.
#
#   scripts/check-output.sh PROGRAM FILE       exit 77 (skipped) when the program says so
set -uo pipefail
output=$("$1")
status=$?
[ $status -eq 0 ] || exit $status
diff -u "$2" <(printf '%s\n' "$output")
