#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that are missing, and nothing when none is.
#
#   scripts/install-deps.sh [build] [test] [package] [optional]      (default: build)
#
# Without root, sudo or network it names what is missing and what still works, and fails only when there is no C
# compiler, cmake or make: everything else is optional.
set -euo pipefail

# One line per package: group, name, and how else its content may be there already.
packages='
build     gcc                 command cc
build     libc6-dev           -
build     cmake               command cmake
build     make                command make
build     pkg-config          command pkg-config
build     zlib1g-dev          -
build     libzstd-dev         -
build     libbz2-dev          -
build     liblzma-dev         -
build     libexpat1-dev       -
build     liburing-dev        -
test      libcmocka-dev       -
test      clang               command clang
test      clang-format        command clang-format
test      clang-tidy          command clang-tidy
test      libomp-dev          -
test      libclang-rt-dev     fuzzer -
test      g++                 command c++
test      gzip                command gzip
test      zstd                command zstd
test      bzip2               command bzip2
test      xz-utils            command xz
test      strace              command strace
test      sqlite3             command sqlite3
test      valgrind            command valgrind
test      python3             command python3
test      python3-numpy       modules -
test      python3-scipy       modules -
test      python3-networkx    modules -
test      python3-pytest      python pytest
test      python3-hypothesis  python hypothesis
test      python3-venv        python ensurepip
test      pocl-opencl-icd     -
test      libopenmpi-dev      command mpicc
test      openmpi-bin         command mpirun
package   debhelper           command dh
package   dh-python           command dh_python3
package   dpkg-dev            command dpkg-buildpackage
package   fakeroot            command fakeroot
package   gcc-aarch64-linux-gnu command aarch64-linux-gnu-gcc
package   libopenmpi-dev      command mpicc
package   lintian             command lintian
package   mmdebstrap          command mmdebstrap
package   python3-venv        python ensurepip
package   qemu-user           command qemu-aarch64
optional  ocl-icd-opencl-dev  -
'

installed() { # package probe argument
    case $2 in
    command) command -v "$3" >/dev/null 2>&1 && return ;;
    modules) # one Python must have them all: a mix of two serves nobody
        python3 -c 'import numpy, scipy, networkx' >/dev/null 2>&1 && return ;;
    python) python3 -c "import $3" >/dev/null 2>&1 && return ;;
    fuzzer) # clang's sanitizer runtimes: in clang's own packages on some releases
        command -v clang >/dev/null 2>&1 &&
            [ -e "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a")" ] && return ;;
    esac
    command -v dpkg >/dev/null 2>&1 && dpkg -s "$1" 2>/dev/null | grep -q '^Status: install ok installed'
}

missing_of() { # group -> names
    local group name probe argument
    while read -r group name probe argument; do
        [ "$group" = "$1" ] && ! installed "$name" "$probe" "$argument" && printf '%s ' "$name"
    done <<<"$packages"
    return 0
}

missing_of_groups() {
    local group
    for group in "${groups[@]}"; do
        missing_of "$group"
    done
}

install() { # names
    local name known=() as_root=()
    command -v apt-get >/dev/null 2>&1 || {
        echo "install-deps: no apt-get here; install the packages by your system's own means" >&2
        return 1
    }
    if [ "$(id -u)" -ne 0 ]; then # sudo may ask for a password where somebody can answer
        if ! command -v sudo >/dev/null 2>&1 || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            echo "install-deps: neither root nor sudo at hand" >&2
            return 1
        fi
        as_root=(sudo)
    fi
    as_root+=(env DEBIAN_FRONTEND=noninteractive)
    # a source that cannot be reached need not be the one that matters: go on with what is known
    "${as_root[@]}" apt-get -qq -o Acquire::Retries=1 update || true
    for name in "$@"; do # releases differ in what they call things: leave out what this one does not know
        [ -z "$(apt-cache madison "$name" 2>/dev/null)" ] || known+=("$name")
    done
    [ ${#known[@]} -eq 0 ] || "${as_root[@]}" apt-get -qq -y --no-install-recommends install "${known[@]}" >/dev/null
}

still_works() {
    local name
    echo "install-deps: missing: $*" >&2
    for name in "$@"; do
        case $name in
        zlib1g-dev) echo "  without zlib1g-dev: everything but .gz files" >&2 ;;
        libzstd-dev) echo "  without libzstd-dev: everything but .zst files" >&2 ;;
        libbz2-dev) echo "  without libbz2-dev: everything but .bz2 files" >&2 ;;
        liblzma-dev) echo "  without liblzma-dev: everything but .xz files" >&2 ;;
        libexpat1-dev) echo "  without libexpat1-dev: everything but reading GraphML files" >&2 ;;
        liburing-dev) echo "  without liburing-dev: everything; graphs larger than memory are read by threads" >&2 ;;
        libcmocka-dev) echo "  without libcmocka-dev: make test runs no unit tests" >&2 ;;
        clang | libclang-rt-dev) echo "  without $name: make tsan and make fuzz do not work; make asan uses gcc" >&2 ;;
        clang-format | clang-tidy) echo "  without $name: its check is skipped" >&2 ;;
        libomp-dev) echo "  without libomp-dev: make tsan does not work" >&2 ;;
        pocl-opencl-icd) echo "  without pocl-opencl-icd: kernels are tested on other OpenCL devices only" >&2 ;;
        libopenmpi-dev | openmpi-bin) echo "  without $name: runs on several ranks are not tested" >&2 ;;
        python3*) echo "  without $name: tests that need it are skipped" >&2 ;;
        debhelper | dh-python | dpkg-dev | fakeroot) echo "  without $name: no Debian packages are made" >&2 ;;
        lintian | mmdebstrap) echo "  without $name: Debian packages are not looked at whole" >&2 ;;
        gcc-aarch64* | qemu-user) echo "  without $name: nothing is made, or tried, for aarch64" >&2 ;;
        pkg-config) echo "  without pkg-config: the test of the installed library is skipped" >&2 ;;
        esac
    done
    echo "  still there: make, make run, make install, make test-quick" >&2
}

groups=("$@")
[ ${#groups[@]} -gt 0 ] || groups=(build)
for group in "${groups[@]}"; do
    case $group in
    build | test | package | optional) ;;
    *)
        echo "usage: $0 [build] [test] [package] [optional]" >&2
        exit 2
        ;;
    esac
done

read -ra missing <<<"$(missing_of_groups)"
[ ${#missing[@]} -gt 0 ] || exit 0

echo "installing ${missing[*]}"
install "${missing[@]}" || echo "install-deps: could not install them" >&2

read -ra missing <<<"$(missing_of_groups)"
[ ${#missing[@]} -gt 0 ] || exit 0
for essential in cc cmake make; do
    command -v $essential >/dev/null 2>&1 || {
        echo "install-deps: $essential is missing, and nothing can be built without it; packages: ${missing[*]}" >&2
        exit 1
    }
done
still_works "${missing[@]}"
