#!/usr/bin/env bash
# Prints the numbers of docs/testing.md that can be counted in the tree: `make test-figures`.
set -euo pipefail
cd "$(dirname "$0")/.."

lines() { # NAME FOLDER…: of C, kernels, Python and shell in the folders
    local name=$1
    shift
    row "$name" "$(find "$@" \( -name '*.[ch]' -o -name '*.cl' -o -name '*.cu' -o -name '*.py' -o -name '*.sh' \) \
        -exec cat {} + | wc -l)"
}

uses() { # NAME EXPRESSION FOLDER
    row "$1" "$(grep -rhoE "$2" "$3" | wc -l)"
}

row() { printf '%-44s %9d\n' "$1" "$2"; }

lines "lines of the product" include src cli python/heddle python/heddle_networkx
lines "lines of tests" tests python/tests
uses "unit tests (cmocka)" 'cmocka_unit_test[a-z_]*\(' tests/unit
uses "tests of the command" '^ +def test_' tests/cli
uses "tests of the Python package" '^ *def test_' python/tests
row "fuzz targets" "$(find tests/fuzz -name 'fuzz_*.c' | wc -l)"
row "inputs of the fuzz corpora" "$(find tests/fuzz/corpus -type f | wc -l)"
row "malformed files with their expected message" \
    "$(sed -n '/^MALFORMED/,/^}/p' tests/cli/test_errors.py | grep -c '^    "')"
