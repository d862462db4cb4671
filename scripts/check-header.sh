#!/usr/bin/env bash
# Checks that heddle.h compiles alone, without a warning, in strict C11 or C++11.
#
#   scripts/check-header.sh c|c++ [COMPILER]       exit 77 (skipped) when there is no such compiler
set -euo pipefail
header=$(dirname "$0")/../include/heddle.h

case ${1:-} in
c) standard=c11 candidates=(cc gcc clang) ;;
c++) standard=c++11 candidates=(c++ g++ clang++) ;;
*)
    echo "usage: $0 c|c++ [COMPILER]" >&2
    exit 2
    ;;
esac
for compiler in ${2:+"$2"} "${candidates[@]}"; do
    if command -v "$compiler" >/dev/null; then
        exec "$compiler" "-std=$standard" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x "$1" "$header"
    fi
done
echo "no ${1} compiler found: skipped"
exit 77
