#!/usr/bin/env bash
# Other machines and compilers, each a stage of scripts/test.sh, which reads this file: a function machine_NAME for
# each.
#
# Other processors are emulated by qemu-user, with Debian's cross compilers; missing packages are installed if apt-get
# is here and we are root. A machine that cannot be built for is skipped, and says why.

machines="aarch64 riscv64 s390x i386 arm musl O0 newest-clang nvrtc"
machine_work=$(realpath -m "$build-machines") # cmocka for other machines
machine_packages="qemu-user gcc-aarch64-linux-gnu gcc-riscv64-linux-gnu gcc-s390x-linux-gnu gcc-i686-linux-gnu
    gcc-arm-linux-gnueabihf libc6-dev-arm64-cross libc6-dev-riscv64-cross libc6-dev-s390x-cross libc6-dev-i386-cross
    libc6-dev-armhf-cross musl-tools dpkg-dev"
machine_parts_off=$(printf -- '-DHEDDLE_%s=OFF ' ZLIB ZSTD BZIP2 LZMA EXPAT URING MPI SHARED)

# Unit tests that depend on byte order, alignment, atomics, arithmetic or a compiler at run time.
machine_tests="adjacency|algorithms|bc|bfs|build|cc|cdlp|checkpoint|dimacs|edge_list|engine|external|format|gap"
machine_tests+="|generate|gml|graph500|hash|hdl|heads|json|kcore|matrix_market|metis|mst|order|output|pack|pajek"
machine_tests+="|parts|partition|pr|rebuild|scan|scc|slice|sssp|sswp|stats|tc|transform|weights"

machine_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 0
    # shellcheck disable=SC2086 # words
    dpkg -s $machine_packages >/dev/null 2>&1 ||
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $machine_packages >/dev/null
}

# The source of cmocka: Debian has no packages of it for most cross compilers.
machine_cmocka_source() {
    local folder=$machine_work/apt options
    compgen -G "$machine_work/cmocka-*/src/cmocka.c" >/dev/null && return
    mkdir -p "$folder/lists/partial" "$folder/parts" "$folder/cache/archives/partial" || return
    cp /etc/apt/sources.list.d/*.sources /etc/apt/sources.list "$folder/parts/" 2>/dev/null
    sed -i 's/^Types: deb$/Types: deb-src/; s/^deb /deb-src /' "$folder"/parts/*
    options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/parts"
        -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache")
    apt-get "${options[@]}" update -qq &&
        (cd "$machine_work" && apt-get "${options[@]}" source --download-only -qq cmocka && tar xf cmocka_*.orig.tar.xz)
} >/dev/null 2>&1

# machine_cmocka COMPILER: builds cmocka, prints options for cmake
machine_cmocka() {
    local folder=$machine_work/$1 source feature
    machine_cmocka_source || return
    source=$(dirname "$(compgen -G "$machine_work/cmocka-*/src" | head -n 1)")
    mkdir -p "$folder"
    local features=()
    for feature in STRINGS_H STDINT_H INTTYPES_H SIGNAL_H STRSIGNAL STDIO_H STDLIB_H STRING_H TIME_H CLOCK_GETTIME \
        CLOCK_REALTIME STRUCT_TIMESPEC SNPRINTF VSNPRINTF GCC_THREAD_LOCAL_STORAGE; do
        features+=("-DHAVE_$feature")
    done
    "$1" -O1 -w -D_GNU_SOURCE "${features[@]}" -I "$source/include" -c "$source/src/cmocka.c" -o "$folder/cmocka.o" &&
        ar rcs "$folder/libcmocka.a" "$folder/cmocka.o" && cp "$source/include/cmocka.h" "$folder/" &&
        echo "-DCMOCKA_INCLUDE_DIR=$(realpath "$folder") -DCMOCKA_LIBRARY=$(realpath "$folder")/libcmocka.a"
}

# machine_check NAME COMMAND…: counts one more test
machine_check() {
    local name=$1
    shift
    if "$@"; then count "$name" 1 0 0 "$*"; else count "$name" 0 1 0 "$*"; fi
}

# machine_selftest NAME FOLDER COMPILER: the command's own test, on the CPU; programs are compiled for it, too
machine_selftest() {
    local command=$2/heddle
    local -x CC=$3 HEDDLE_CACHE=$machine_work/cache-$1
    [ ! -x "$2/emulated-heddle" ] || command=$2/emulated-heddle
    machine_check "$1" "$command" selftest --quick --device cpu --quiet
    machine_check "$1" "$command" selftest --cases 20 --device cpu --quiet
}

# machine_cross PROCESSOR: cross-built, under an emulator
machine_cross() {
    local options compiler=$1-linux-gnu-gcc
    if ! command -v "$compiler" "qemu-$1" >/dev/null 2>&1 || ! options=$(machine_cmocka "$compiler"); then
        skip "$1" "it needs $compiler, qemu-user and the source of cmocka"
        return
    fi
    only="^unit/($machine_tests)\$"
    # shellcheck disable=SC2086 # words
    stage "$1" "$build-$1" unit -DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=$1" \
        "-DCMAKE_C_COMPILER=$compiler" "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-$1;-L;/usr/$1-linux-gnu" \
        $machine_parts_off $options
    only=
    machine_selftest "$1" "$build-$1" "$compiler"
}

machine_aarch64() { machine_cross aarch64; }
machine_riscv64() { machine_cross riscv64; }
machine_s390x() { machine_cross s390x; } # big endian

# machine_refused NAME COMPILER: 32 bits are refused when the build is configured, with the reason
machine_refused() {
    local words
    command -v "$2" >/dev/null 2>&1 || {
        skip "$1" "it needs $2"
        return
    }
    rm -rf "$build-$1"
    words=$(cmake -S . -B "$build-$1" -DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_C_COMPILER=$2" 2>&1 | tr -s ' \n' ' ')
    if [[ $words == *"needs a machine with 64-bit addresses"* ]]; then
        count "$1" 1 0 0 "refused, as it should be"
    else
        count "$1" 0 1 0 "32 bits are not refused"
    fi
}

machine_i386() { machine_refused i386 i686-linux-gnu-gcc; }
machine_arm() { machine_refused arm arm-linux-gnueabihf-gcc; }

machine_musl() {
    local options
    if ! command -v musl-gcc >/dev/null 2>&1 || ! options=$(machine_cmocka musl-gcc); then
        skip musl "it needs musl-tools and the source of cmocka"
        return
    fi
    only="^unit/($machine_tests)\$"
    # shellcheck disable=SC2086 # words
    stage musl "$build-musl" unit -DCMAKE_C_COMPILER=musl-gcc -DHEDDLE_OPENMP=OFF $machine_parts_off $options
    only=
    machine_selftest musl "$build-musl" musl-gcc
}

# The release is -O3. Without optimisation other bytes are uninitialised, and nothing is inlined.
machine_O0() { stage O0 "$build-O0" unit -DCMAKE_BUILD_TYPE=Debug; }

# The newest of the release, with its own libomp; the default gcc, with libgomp, builds the release.
machine_newest-clang() {
    local newest
    newest=$(compgen -c clang- | grep -E '^clang-[0-9]+$' | sort -V | tail -n 1)
    if [ -n "$newest" ]; then
        stage "$newest" "$build-$newest" 'unit cli' "-DCMAKE_C_COMPILER=$newest"
    else
        skip newest-clang "there is no clang-N here"
    fi
}

# Kernels of CUDA for every architecture that NVRTC knows, without a GPU.
machine_nvrtc() {
    local HEDDLE_NVRTC_ARCH all=${HEDDLE_TEST_ALL:-}
    only="^device/nvrtc"
    unset HEDDLE_TEST_ALL # the matrix of every option is compiled by the release stage
    for HEDDLE_NVRTC_ARCH in 70 75 80 86 89 90 100; do
        export HEDDLE_NVRTC_ARCH
        stage "sm_$HEDDLE_NVRTC_ARCH" "$build" device
    done
    only=
    [ -z "$all" ] || export HEDDLE_TEST_ALL=$all
}

# machines_run [NAME…]: these, or all
machines_run() {
    local machine
    machine_install
    for machine in ${*:-$machines}; do
        "machine_$machine"
    done
}
