#!/usr/bin/env bash
# Checks the library's manners in its symbols: it defines no global name outside heddle_ and hd_, the shared library
# shows what heddle.h declares and src/heddle.map lists, with versions, and nothing else, and nothing in it prints,
# exits, aborts or touches signals. And that tests/unit/test_arguments.c has a row for every function of heddle.h.
#
#   scripts/check-symbols.sh LIBHEDDLE.a [LIBHEDDLE.so]       exit 77 (skipped) without nm
set -euo pipefail
export LC_ALL=C
command -v nm >/dev/null || {
    echo "nm not found: skipped"
    exit 77
}
root=$(dirname "$0")/..
bad=0

# complain WHY NAMES: a failure when there are names
complain() {
    [ -z "$2" ] || {
        printf '%s:\n%s\n' "$1" "$2"
        bad=1
    }
}

complain "global names without our prefix in $1" \
    "$(nm -g --defined-only "$1" | awk 'NF == 3 && $3 !~ /^(heddle_|hd_)/ { print "  " $3 }' | sort -u)"
complain "calls a library should not make in $1" \
    "$(nm -u "$1" | awk '
        $1 ~ /:$/ { file = $1 }
        $2 ~ /^(_?exit|_Exit|abort|__assert_fail|(__)?v?printf(_chk)?|puts|putchar|perror|signal|sigaction|raise)$/ {
            print "  " $2 " in " file
        }' | sort -u)"

# A declaration may go over several lines; its name is what stands before the first parenthesis.
declared=$(sed -n 's/^HEDDLE_API [^(]*[ *]\(heddle_[a-z0-9_]*\)(.*/\1/p' "$root/include/heddle.h" | sort)
mapped=$(sed -n 's/^ *\(heddle_[a-z0-9_]*\);.*/\1/p' "$root/src/heddle.map" | sort)
tried=$(grep -o 'heddle_[a-z0-9_]*' <(sed -n '/^} rows\[\]/,/^};/p' "$root/tests/unit/test_arguments.c") | sort)
complain "in heddle.h, and not in src/heddle.map (which is to list it)" \
    "$(comm -23 <(echo "$declared") <(echo "$mapped"))"
complain "in src/heddle.map, and not in heddle.h" "$(comm -13 <(echo "$declared") <(echo "$mapped"))"
complain "no row in tests/unit/test_arguments.c, which calls every function with NULL" \
    "$(comm -23 <(echo "$declared") <(echo "$tried"))"

if [ $# -gt 1 ] && [ -n "$2" ]; then
    shown=$(nm -D --defined-only "$2" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort)
    complain "in heddle.h, and not shown by $2" "$(comm -23 <(echo "$declared") <(echo "$shown"))"
    complain "names that $2 should hide" \
        "$(nm -D --defined-only "$2" | awk '$3 !~ /^(heddle_|HEDDLE_)/ { print "  " $3 }' | sort -u)"
fi
exit $bad
