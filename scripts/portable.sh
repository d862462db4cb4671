#!/usr/bin/env bash
# Makes what programs are built with that run on many machines: headers and libraries of an old Debian release, and a
# toolchain file for CMake that uses them. Prints the name of that file.
#
#   scripts/portable.sh [ARCHITECTURE]          x86_64 (default) or aarch64; into $BUILD/portable-ARCHITECTURE
#
# The release is $HEDDLE_OLD_SUITE (bullseye, of 2021), from the mirror that apt uses here; no package is installed. If
# the mirror has it not, the machine's own release serves. packaging/old-glibc.c lowers further which glibc is needed.
set -euo pipefail
cd "$(dirname "$0")/.."
architecture=${1:-x86_64}
case $architecture in
x86_64) debian=amd64 ;;
aarch64) debian=arm64 ;;
*)
    echo "portable: x86_64 or aarch64, not $architecture" >&2
    exit 2
    ;;
esac
compiler=$(command -v "$architecture-linux-gnu-gcc") || {
    echo "portable: $architecture-linux-gnu-gcc is missing: install gcc-${architecture/_/-}-linux-gnu" >&2
    exit 77
}
command -v apt-get >/dev/null || {
    echo "portable: this needs Debian's apt-get" >&2
    exit 77
}
folder=$(realpath -m "${BUILD:-build}/portable-$architecture")
packages="libc6 libc6-dev linux-libc-dev libcrypt-dev libgomp1 zlib1g zlib1g-dev libzstd1 libzstd-dev libbz2-1.0
    libbz2-dev liblzma5 liblzma-dev libexpat1 libexpat1-dev"
suite=${HEDDLE_OLD_SUITE:-bullseye}
made=$folder/toolchain.cmake
made_of="$suite $(cat packaging/old-glibc.c "$0" | sha256sum)"
if [ "$(cat "$folder/made" 2>/dev/null)" != "$made_of" ]; then
    rm -rf "$folder/libraries" "$folder/glibc"
    mkdir -p "$folder"
    # shellcheck disable=SC2086 # words
    scripts/fetch-debs.sh "$suite" $debian "$folder/root" $packages || {
        suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
        echo "portable: its own release, $suite, in place of an old one" >&2
        scripts/fetch-debs.sh "$suite" $debian "$folder/root" $packages || exit 77
    }
    # What the C library has to be: old-glibc.c does for the old release, and none is promised for another.
    [ "$suite" != "${HEDDLE_OLD_SUITE:-bullseye}" ] || echo 2.17 >"$folder/glibc"
    "$compiler" -O2 -fPIC -fno-builtin -c packaging/old-glibc.c -o "$folder/old-glibc.o"
    libraries=$folder/root/usr/lib/$architecture-linux-gnu
    ln -sf libgomp.so.1 "$libraries/libgomp.so" # in place of the compiler's own, which needs its own C library
    cat >"$made" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $architecture)
set(CMAKE_C_COMPILER $compiler)
set(CMAKE_SYSROOT $folder/root)
set(CMAKE_LIBRARY_ARCHITECTURE $architecture-linux-gnu)
set(CMAKE_C_LIBRARY_ARCHITECTURE $architecture-linux-gnu)
foreach(kind PROGRAM LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_\${kind} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_C_FLAGS_INIT "-isystem $folder/root/usr/include/$architecture-linux-gnu -isystem $folder/root/usr/include")
set(found "-B$libraries/ -L$libraries -L$folder/root/lib/$architecture-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT "\${found} $folder/old-glibc.o")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "\${found} $folder/old-glibc.o")
set(CMAKE_C_STANDARD_LIBRARIES_INIT "-Wl,--as-needed -lm") # for old-glibc.o
set(CMAKE_SKIP_BUILD_RPATH ON) # else auditwheel finds the libraries of this machine
END
    # What a program brings along; the C library is not among them.
    mkdir "$folder/libraries"
    find "$folder/root/lib/$architecture-linux-gnu" "$libraries" -maxdepth 1 \
        -regex '.*/lib\(gomp\|z\|zstd\|bz2\)\.so\.1\(\.0\)?' -exec cp -L {} "$folder/libraries/" \;
    echo "$made_of" >"$folder/made"
fi
echo "$made"
