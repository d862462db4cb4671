#!/usr/bin/env bash
# Builds and runs the tests, stage by stage, each in a build folder of its own, and counts over all of them.
#
#   scripts/test.sh STAGE…
#
#   release   the build that users get: unit, cli, replay of the fuzz corpora, the rules of the tree
#   minimal   every optional part turned off, one thread: unit and cli, without those that no optional part makes a
#             difference to
#   asan      clang (else the default compiler), AddressSanitizer and UndefinedBehaviorSanitizer: unit and cli, without
#             real graphs, the guards of speed, and what compares texts or calls what unit tests call
#   fuzz      the same build: libFuzzer for FUZZ_SECONDS (default 3) on each target
#   tsan      clang with libomp, ThreadSanitizer, 4 threads: unit; with HEDDLE_TEST_ALL=1 also cli
#   clang     as release, with clang
#   msan      clang (16 or newer), MemorySanitizer, nothing that is not instrumented: unit
#   valgrind  the command's main uses under memcheck (scripts/valgrind.sh), on the release build
#   machines  other processors, compilers and C libraries (scripts/other-machines.sh); MACHINES names some of them
#   packages  what a release hands out, each built, put into a clean root and tried there; PACKAGES names some of them
#
# With HEDDLE_TEST_ALL=1 nothing is left out, and asan also runs the tests that run kernels.
# From the environment: BUILD (folder, default build), JOBS (default: the cores), WERROR=ON.
# The last line of output is "N passed, N failed, N skipped"; the exit status is 1 when anything failed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
unset MAKEFLAGS MFLAGS MAKELEVEL # the makes below are not parts of the one above

build=${BUILD:-build}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
export FUZZ_SECONDS=${FUZZ_SECONDS:-3}
passed=0 failed=0 skipped=0 summary=""
without= # the tests that a stage leaves out, a regular expression
only=.   # those that it has

# count STAGE PASSED FAILED SKIPPED REMARK
count() {
    passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
    summary+=$(printf '  %-8s %3d passed, %d failed, %d skipped  (%s)' "$@")$'\n'
}

# The number in an attribute of the <testsuite> of ctest's JUnit file; 0 when there is no such file.
reported() {
    local number
    number=$(sed -n "s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" 2>/dev/null | head -n 1)
    echo "${number:-0}"
}

# stage NAME FOLDER LABELS CMAKE-OPTION…: configures, builds what tests with these labels need, and runs them; "all":
# everything
stage() {
    local name=$1 folder=$2 labels=$3 start=$SECONDS report failures skips status targets=(all) labelled=.
    shift 3
    printf '\n== %s: %s\n' "$name" "$folder"
    if [ "$labels" != all ]; then
        targets=($(printf ' tests-%s' $labels))
        labelled="^(${labels// /|})\$"
    fi
    if ! cmake -S . -B "$folder" -DHEDDLE_WERROR="${WERROR:-OFF}" "$@" ||
        ! cmake --build "$folder" -j "$jobs" --target "${targets[@]}"; then
        count "$name" 0 1 0 "it does not build"
        return
    fi
    tests/sweep.sh
    report=$(cd "$folder" && pwd)/junit-$name.xml
    rm -f "$report"
    # One more than there are cores: some tests wait for a signal or for a disk.
    ctest --test-dir "$folder" -j $((jobs + 1)) -L "$labelled" -E "${without:-^$}" -R "${only:-.}" --output-on-failure \
        --output-junit "$report"
    status=$?
    failures=$(reported "$report" failures) skips=$(reported "$report" skipped)
    [ $status -eq 0 ] || [ "$failures" -gt 0 ] || failures=1 # ctest itself went wrong
    count "$name" $(($(reported "$report" tests) - failures - skips)) "$failures" "$skips" "$((SECONDS - start)) s"
}

# leave_out EXPRESSION…: tests that the next stage leaves out, unless HEDDLE_TEST_ALL is set
leave_out() {
    local IFS='|'
    [ -n "${HEDDLE_TEST_ALL:-}" ] || without="^($*)\$"
}

# skip NAME WHY: a stage that this machine cannot run
skip() {
    printf '\n== %s: skipped, %s\n' "$1" "$2"
    count "$1" 0 0 1 "$2"
}

clang_links() { # FLAG…: is there a clang that links with them?
    command -v clang >/dev/null 2>&1 && echo 'int main(void) { return 0; }' | clang "$@" -x c -o /dev/null - 2>/dev/null
}

# The newest clang whose MemorySanitizer knows this C library's fstat, if there is one.
clang_with_msan() {
    local compiler program
    program=$(mktemp) || return
    for compiler in $(compgen -c clang | grep -E '^clang(-[0-9]+)?$' | sort -rVu); do
        printf '%s\n' '#include <sys/stat.h>' 'int main(void) { struct stat s; fstat(0, &s); return s.st_size == 7; }' |
            "$compiler" -fsanitize=memory -x c -o "$program" - 2>/dev/null && "$program" </dev/null 2>/dev/null &&
            echo "$compiler" && break
    done
    rm -f "$program"
}

. scripts/other-machines.sh

with_clang=-DCMAKE_C_COMPILER=clang
with_asan=-DHEDDLE_SANITIZE=address,undefined

for name in "$@"; do
    case $name in
    release) stage release "$build" all ;;
    minimal)
        leave_out "unit/fake_.*|cli/(bench|cache|checkpoint|devices|draw|explain|lists)" \
            "cli/(names|networkx|order|page|parts)" \
            "cli/(recipes|residency|rounds|shards|transform|tutorial|weights|work)"
        stage minimal "$build-minimal" 'unit cli' \
            -DHEDDLE_OPENMP=OFF -DHEDDLE_ZLIB=OFF -DHEDDLE_ZSTD=OFF -DHEDDLE_BZIP2=OFF -DHEDDLE_LZMA=OFF \
            -DHEDDLE_EXPAT=OFF -DHEDDLE_URING=OFF -DHEDDLE_MPI=OFF -DHEDDLE_SHARED=OFF
        without=
        ;;
    asan)
        leave_out "cli/(algorithms|bench|data|explain|interrupt|limited|lists|networkx|recipes|shards|tutorial|work)"
        if clang_links -fsanitize=fuzzer-no-link,address,undefined; then
            stage asan "$build-asan" "unit cli${HEDDLE_TEST_ALL:+ device}" $with_clang $with_asan -DHEDDLE_FUZZ=ON
        else
            stage asan "$build-asan-cc" "unit cli${HEDDLE_TEST_ALL:+ device}" $with_asan
        fi
        without=
        ;;
    fuzz)
        if clang_links -fsanitize=fuzzer-no-link,address,undefined; then
            stage fuzz "$build-asan" fuzz $with_clang $with_asan -DHEDDLE_FUZZ=ON
        else
            skip fuzz "it needs clang and its runtimes"
        fi
        ;;
    tsan)
        if clang_links -fsanitize=thread -fopenmp; then
            stage tsan "$build-tsan" "unit${HEDDLE_TEST_ALL:+ cli}" $with_clang -DHEDDLE_SANITIZE=thread
        else
            skip tsan "it needs clang, its runtimes and libomp"
        fi
        ;;
    clang)
        if clang_links; then
            stage clang "$build-clang" all $with_clang
        else
            skip clang "there is no clang here"
        fi
        ;;
    msan)
        compiler=$(clang_with_msan)
        if [ -n "$compiler" ]; then
            without="^unit/(fake_.*|threads)\$" # drivers are not instrumented; shadow memory exceeds small limits
            # shellcheck disable=SC2086 # words
            stage msan "$build-msan" unit "-DCMAKE_C_COMPILER=$compiler" -DHEDDLE_SANITIZE=memory -DHEDDLE_OPENMP=OFF \
                $machine_parts_off
            without=
        else
            skip msan "it needs clang 16 or newer, and its runtimes"
        fi
        ;;
    valgrind)
        if command -v valgrind >/dev/null 2>&1; then
            cmake -S . -B "$build" && cmake --build "$build" -j "$jobs" --target product &&
                machine_check valgrind scripts/valgrind.sh "$build"
        else
            skip valgrind "it is not here"
        fi
        ;;
    machines)
        # shellcheck disable=SC2086 # words
        machines_run ${MACHINES:-}
        ;;
    packages)
        for package in ${PACKAGES:-archive debian wheel recipes container archive-aarch64 wheel-aarch64}; do
            printf '\n== packages: %s\n' "$package"
            case $package in
            container) scripts/check-container.py ;;
            *-aarch64) "scripts/${package%-*}.sh" aarch64 ;;
            *) "scripts/$package.sh" ;;
            esac
            case $? in
            0) count packages 1 0 0 "$package" ;;
            77) skip packages "$package cannot be made here" ;;
            *) count packages 0 1 0 "$package" ;;
            esac
        done
        ;;
    *)
        echo "$0: no stage '$name'" >&2
        exit 2
        ;;
    esac
done

printf '\n%s\n' "$summary"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
