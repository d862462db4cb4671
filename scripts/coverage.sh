#!/usr/bin/env bash
# Builds with counters (clang; with MC/DC from version 18 on), runs the tests, and prints lines, branches and conditions
# covered per folder. Fails where a folder has less than tests/least-coverage.txt says.
#
#   scripts/coverage.sh [REGEX]   only tests whose names match are built and run; then nothing is compared
#
# From the environment: BUILD (folder, default build: BUILD-coverage is used), JOBS, CLANG (a version: 19).
# What each test executes is left in BUILD-coverage/coverage/, where scripts/mutate.py looks for it.
set -euo pipefail
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL
folder=${BUILD:-build}-coverage
version=
for candidate in ${CLANG:-22 21 20 19 18} ''; do # the last: whatever `clang` is
    suffix=${candidate:+-$candidate}
    if printf '#include <omp.h>\nint main(void) { return omp_get_num_threads() - 1; }' |
        "clang$suffix" -fopenmp -fprofile-instr-generate -x c -o /dev/null - 2>/dev/null &&
        command -v "llvm-cov$suffix" >/dev/null && command -v "llvm-profdata$suffix" >/dev/null; then
        version=$suffix found=1
        break
    fi
done
[ -n "${found:-}" ] || { echo "coverage: needs clang, llvm and libomp-dev of one version" >&2; exit 2; }

flags="-O1 -w -fprofile-instr-generate -fcoverage-mapping -DHEDDLE_TEST_SMALL"
mkdir -p "$folder"
if echo 'int main(void) { return 0; }' | "clang$version" $flags -fcoverage-mcdc -x c -o /dev/null - 2>/dev/null; then
    flags+=" -fcoverage-mcdc -fno-crash-diagnostics"
    # clang 18 to 22 crash on some conditions in OpenMP's loops: those files have lines and branches only.
    printf '#!/bin/sh\n"$@" 2>/dev/null || exec "$@" -fno-coverage-mcdc\n' >"$folder/compile"
    chmod +x "$folder/compile"
    launcher=$(cd "$folder" && pwd)/compile
fi
command -v ninja >/dev/null && export CMAKE_GENERATOR=Ninja
cmake -S . -B "$folder" -DCMAKE_C_COMPILER="clang$version" -DCMAKE_BUILD_TYPE=Coverage \
    ${launcher:+-DCMAKE_C_COMPILER_LAUNCHER="$launcher"} -DCMAKE_C_FLAGS="$flags" >/dev/null
targets=(tests-unit tests-device tests-fuzz tests-cli)
if [ -n "${1:-}" ]; then
    mapfile -t targets < <(ctest --test-dir "$folder" -N -R "$1" 2>/dev/null | sed -nE \
        's|^ +Test +#[0-9]+: ||; s#^(unit|device)/(example_.*)$#\2#p; s#^(unit|device)/([^/]*)$#test_\2#p
         s#^fuzz/(.*)$#fuzz_\1#p; s#^cli/.*$#tests-cli#p' | sort -u)
fi
cmake --build "$folder" -j "${JOBS:-2}" --target product "${targets[@]}"
reader=$version
for candidate in 22 21 20; do # a newer one reads counters of older ones, and counts inline functions once
    if command -v "llvm-cov-$candidate" >/dev/null; then
        reader=-$candidate
        break
    fi
done
exec python3 scripts/coverage.py "$folder" --llvm="$version" --reader="$reader" --jobs "${JOBS:-2}" ${1:+--tests "$1"}
