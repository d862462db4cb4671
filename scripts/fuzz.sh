#!/usr/bin/env bash
# Runs one libFuzzer target for FUZZ_SECONDS (default 3), from its seed corpus and from what earlier runs found.
# New inputs and crashes are kept beside the target, in TARGET.found/.
#
#   scripts/fuzz.sh TARGET CORPUS
set -euo pipefail
umask 077
target=$1
corpus=$2
found=$target.found
mkdir -p "$found"

exec "$target" -max_total_time="${FUZZ_SECONDS:-3}" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
    -artifact_prefix="$found/" "$found" "$corpus"
