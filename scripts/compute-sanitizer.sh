#!/usr/bin/env bash
# Runs `heddle selftest --quick` on a CUDA device under NVIDIA's compute-sanitizer, an algorithm at a time, several side
# by side, and prints a line for each with what was found.
#
#   scripts/compute-sanitizer.sh HEDDLE [TOOL…]      tools: memcheck racecheck initcheck synccheck (default: all)
#
# From the environment: JOBS (side by side, default 8), SECONDS_EACH (limit of one, default 600), ALGORITHMS (default:
# all), OPTIONS (more options of selftest, such as --plan auto), LOGS (a folder that keeps the output).
# The exit status is 1 if an algorithm failed or a tool found something; one that ran out of time is listed, no more.
set -uo pipefail
heddle=${1:?usage: scripts/compute-sanitizer.sh HEDDLE [TOOL…]}
shift
tools=${*:-memcheck racecheck initcheck synccheck}
tool=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
[ -x "$tool" ] || { echo "compute-sanitizer is not installed: it comes with the CUDA toolkit" >&2; exit 2; }
logs=${LOGS:-$(mktemp -d)}
mkdir -p "$logs"
list() { "$heddle" selftest --quick --graph one-vertex --quiet | awk '/passed/ && $1 ~ /^[a-z]+$/ { print $1 }'; }
names=${ALGORITHMS:-$(list)}

one() { # TOOL ALGORITHM
    local log=$logs/$1-$2.txt status
    # shellcheck disable=SC2086
    timeout "${SECONDS_EACH:-600}" "$tool" --tool "$1" --error-exitcode 9 --print-limit 5 \
        "$heddle" selftest --device cuda --quick --algorithm "$2" ${OPTIONS:-} >"$log" 2>&1
    status=$?
    case $status in
    0) printf '%-10s %-13s clean      %s\n' "$1" "$2" "$(grep -h 'passed,' "$log" | tail -n 1)" ;;
    124) printf '%-10s %-13s unfinished after %s s\n' "$1" "$2" "${SECONDS_EACH:-600}" ;;
    *)
        printf '%-10s %-13s FOUND      status %s: %s\n' "$1" "$2" "$status" \
            "$(grep -h -m 1 -E '^=+ [A-Z][a-z]+ .*(read|write|hazard|[Ee]rror)|FAILED' "$log")"
        ;;
    esac
}
export -f one
export tool heddle logs
for each in $tools; do printf "$each %s\n" $names; done |
    xargs -P "${JOBS:-8}" -L 1 bash -c 'one "$@"' one | tee "$logs/summary.txt"
! grep -q FOUND "$logs/summary.txt"
