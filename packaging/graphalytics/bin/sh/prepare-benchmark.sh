#!/bin/sh
# prepare-benchmark.sh - before the first run: is Heddle there, and is the device that HEDDLE_DEVICE names?
set -eu
known=""
. "$(dirname "$0")/arguments.sh"
command -v "$heddle" >/dev/null || fail "no command '$heddle': install Heddle, or set HEDDLE to its path"
"$heddle" --version
[ "${HEDDLE_DEVICE:-auto}" = auto ] || "$heddle" devices
