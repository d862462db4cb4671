#!/usr/bin/env bash
# Hours of fuzzing: every libFuzzer target (readers, claims, algorithms) under sanitizers, then random cases of
# `heddle selftest` in the release build, on the CPU and, if there is an OpenCL device, on that. Each time other seeds.
#
#   scripts/fuzz-long.sh
#
# FUZZ_HOURS (default 4, may be a fraction) is the time for everything: half for the targets, of which fuzz_run takes
# half, and half for the random cases. BUILD and JOBS as in scripts/test.sh. Findings of targets stay beside them, in
# TARGET.found/; random cases that fail are printed with the command that repeats them. The exit status is 1 if anything
# failed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
unset MAKEFLAGS MFLAGS MAKELEVEL

build=${BUILD:-build}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
seconds=$(awk -v hours="${FUZZ_HOURS:-4}" 'BEGIN { printf "%d", hours * 3600 }')
failed=0

build_in() { # FOLDER TARGET CMAKE-OPTION…
    local folder=$1 target=$2
    shift 2
    cmake -S . -B "$folder" "$@" >/dev/null &&
        cmake --build "$folder" -j "$jobs" --target "$target" >/dev/null || exit 2
}

fuzz_target() { # TARGET SECONDS
    local name=${1##*/fuzz_}
    printf '== %s: %d s\n' "$name" "$2"
    FUZZ_SECONDS=$2 scripts/fuzz.sh "$1" "tests/fuzz/corpus/$name" 2>&1 | tail -n 12
    [ "${PIPESTATUS[0]}" -eq 0 ] || failed=1
}

random_cases() { # DEVICE SECONDS
    local seed=$(((RANDOM << 30 | RANDOM << 15 | RANDOM) * 1000)) words
    printf '== random cases on %s from seed %d: %d s\n' "$1" "$seed" "$2"
    words=$(timeout --foreground --signal=INT "$2" \
        "$build/heddle" selftest --device "$1" --seed "$seed" --cases 1000000000)
    printf '%s\n' "$words"
    printf '%s\n' "$words" | tail -n 1 | grep -q ' 0 failed on ' || failed=1
}

build_in "$build" product
if echo 'int main(void) { return 0; }' |
    clang -fsanitize=address,undefined,fuzzer-no-link -x c -o /dev/null - 2>/dev/null; then
    build_in "$build-asan" tests-fuzz -DCMAKE_C_COMPILER=clang -DHEDDLE_SANITIZE=address,undefined -DHEDDLE_FUZZ=ON
    targets=("$build-asan"/fuzz/fuzz_*)
    for target in "${targets[@]}"; do
        case $target in
        *.found) ;;
        */fuzz_run) fuzz_target "$target" $((seconds / 4)) ;;
        *) fuzz_target "$target" $((seconds / 4 / ${#targets[@]} + 1)) ;;
        esac
    done
else
    echo "there is no clang with sanitizers here: the targets are left out"
fi

devices=(cpu)
"$build/heddle" devices | grep -q '^opencl' && devices+=(opencl)
for device in "${devices[@]}"; do
    random_cases "$device" $((seconds / 2 / ${#devices[@]} + 1))
done
exit $failed
