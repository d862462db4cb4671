#!/usr/bin/env bash
# Checks the library and the command with clang-tidy, by the list in .clang-tidy; with HEDDLE_TEST_ALL=1 with the static
# analyser too. Versions differ in what they find, so only one decides; exit 77, which is "skipped", where it is not at
# hand.
#
#   scripts/check-tidy.sh BUILD      BUILD has compile_commands.json
set -euo pipefail
build=$(cd "${1:?usage: $0 BUILD}" && pwd)
cd "$(dirname "$0")/.."

wanted=14
more=${HEDDLE_TEST_ALL:+--checks=clang-analyzer-core.*,clang-analyzer-deadcode.*,clang-analyzer-unix.*}
for name in clang-tidy-$wanted clang-tidy; do
    if "$name" --version 2>/dev/null | grep -q "version $wanted\."; then
        # A vertex program is not a file of its own: the engine includes it. The MPI module needs MPI's headers.
        find src cli -name '*.c' -not -path 'src/program/*' -not -path 'src/exchange/mpi/*' -print0 |
            xargs -0 -n 8 -P "$(nproc)" "$name" --quiet -p "$build" $more 2>/dev/null
        exit
    fi
done
echo "skipped: there is no clang-tidy $wanted here"
exit 77
