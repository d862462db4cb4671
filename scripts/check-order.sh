#!/usr/bin/env bash
# Checks that folders under src/ include headers only of themselves and of folders before them, and that the command
# knows nothing of the library but heddle.h. Prints each offending line; exit 1 when there is one.
#
#   scripts/check-order.sh [ROOT]
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# Folders of one line come at the same place and do not know each other.
order='
base
graph
io generate
program
transform
graffix
device
jit
schedule
residency
exchange
plan
engine
operator
check
algorithm
run
'

# shellcheck disable=SC2016  # the dollars are awk's
find src cli -name '*.[ch]' | LC_ALL=C sort | order=$order xargs -r awk '
    BEGIN {
        lines = split(ENVIRON["order"], line, "\n")
        for (i = 1; i <= lines; i++) {
            count = split(line[i], folder, " ")
            for (k = 1; k <= count; k++)
                place[folder[k]] = i
        }
    }

    function complain(why) {
        printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, why
        bad = 1
    }

    FNR == 1 {
        split(FILENAME, path, "/")
        top = path[1]
        here = path[2]
        if (top == "src" && !(here in place)) {
            printf "%s: folder src/%s has no place in the order (scripts/check-order.sh)\n", FILENAME, here
            bad = 1
            nextfile
        }
    }

    /^[ \t]*#[ \t]*include[ \t]*"/ {
        match($0, /"[^"]*"/)
        header = substr($0, RSTART + 1, RLENGTH - 2)
        if (header == "heddle.h")
            next
        if (header ~ /\.\./)
            complain("no way round through ..")
        else if (top == "cli") {
            if ((getline ignored < ("cli/" header)) < 0)
                complain("the command uses heddle.h and the headers of cli/ only")
            close("cli/" header)
        } else if (split(header, part, "/") < 2)
            complain("name the folder too: \"" here "/" header "\"")
        else if (!(part[1] in place))
            complain("src/" part[1] " has no place in the order")
        else if (part[1] != here && place[part[1]] >= place[here])
            complain("src/" here " may use only the folders before it")
    }

    END { exit bad }
' || exit 1
