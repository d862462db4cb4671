#!/usr/bin/env bash
# Checks the library's manners in its symbols: it defines no global name outside heddle_ and hd_, the shared library
# shows heddle_ alone, and nothing in it prints, exits, aborts or touches signals.
#
#   scripts/check-symbols.sh LIBHEDDLE.a [LIBHEDDLE.so]       exit 77 (skipped) without nm
set -euo pipefail
export LC_ALL=C
command -v nm >/dev/null || {
    echo "nm not found: skipped"
    exit 77
}
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
if [ $# -gt 1 ] && [ -n "$2" ]; then
    complain "names that $2 should hide" \
        "$(nm -D --defined-only "$2" | awk '$3 !~ /^heddle_/ { print "  " $3 }' | sort -u)"
fi
exit $bad
