#!/usr/bin/env bash
# Checks that no line of the sources, of the tests or of the build is longer than 120 columns. Prints each that is; exit
# 1 when there is one.
#
#   scripts/check-lines.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
export LC_ALL=C.UTF-8 # columns are characters, not bytes

! grep -rnE '^.{121,}' --include='*.[ch]' --include='*.cl' --include='*.cu' --include='*.py' --include='*.sh' \
    --include='*.cmake' --exclude-dir=corpus include src cli tests bench cmake scripts python \
    CMakeLists.txt GNUmakefile |
    cut -c 1-160 | grep .
