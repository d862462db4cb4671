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
own=$(. /etc/os-release && echo "$VERSION_CODENAME")
packages="libc6 libc6-dev linux-libc-dev libcrypt-dev libgomp1 zlib1g zlib1g-dev libzstd1 libzstd-dev libbz2-1.0
    libbz2-dev liblzma5 liblzma-dev libexpat1 libexpat1-dev"

# fetch SUITE SED: the packages of a suite into $folder/debs, by lists of their own; SED changes apt's sources
fetch() {
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/parts" "$folder/cache/archives/partial" "$folder/debs"
    cp /etc/apt/sources.list.d/*.sources /etc/apt/sources.list "$folder/parts/" 2>/dev/null || true
    sed -i "s/\\b$own\\b/$1/g; $2" "$folder"/parts/*
    : >"$folder/status"
    local options=(-o "APT::Architecture=$debian" -o "APT::Architectures=$debian" -o Dir::Etc::SourceList=/dev/null
        -o "Dir::Etc::SourceParts=$folder/parts" -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache"
        -o "Dir::State::status=$folder/status" -o APT::Sandbox::User=root)
    # shellcheck disable=SC2086 # words
    apt-get "${options[@]}" update -qq && (cd "$folder/debs" && apt-get "${options[@]}" download -qq $packages)
}

# Of an old release the archive of security updates is not kept for every architecture.
suite=${HEDDLE_OLD_SUITE:-bullseye}
made=$folder/toolchain.cmake
if [ "$(cat "$folder/made" 2>/dev/null)" != "$suite $(sha256sum packaging/old-glibc.c "$0" | sha256sum)" ]; then
    { fetch "$suite" '' || fetch "$suite" "s/debian-security/debian/; s/$suite-security/$suite/" ||
        { echo "portable: no $suite here, $own in its place" >&2 && fetch "$own" ''; }; } >"$folder.log" 2>&1 || {
        cat "$folder.log" >&2
        exit 77
    }
    for package in "$folder"/debs/*.deb; do
        dpkg-deb -x "$package" "$folder/root"
    done
    find "$folder/root" -lname '/*' -printf '%p %l\n' | while read -r link target; do
        ln -sfnr "$folder/root$target" "$link"
    done
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
END
    echo "$suite $(sha256sum packaging/old-glibc.c "$0" | sha256sum)" >"$folder/made"
fi
echo "$made"
