#!/usr/bin/env bash
# Checks that clang-format would change nothing in C and kernel text. Its versions differ in details, so only the one
# that the tree is laid out with decides; exit 77, which is "skipped", where that is not at hand.
#
#   scripts/check-format.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

wanted=14
for name in clang-format-$wanted clang-format; do
    if "$name" --version 2>/dev/null | grep -q "version $wanted\."; then
        find include src cli tests examples bench -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' |
            xargs "$name" --dry-run -Werror
        exit
    fi
done
echo "skipped: there is no clang-format $wanted here"
exit 77
