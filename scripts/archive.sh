#!/usr/bin/env bash
# Makes heddle-VERSION-linux-ARCHITECTURE.tar.gz in $BUILD/dist: the command, the shared library, the header, manual
# pages and completions, in one folder that works wherever it is unpacked; and tries it (scripts/check-archive.sh).
#
#   BUILD=build scripts/archive.sh [ARCHITECTURE]          x86_64 (default) or aarch64, which is cross-built
#
# Both bring what they link with, but for the C library, of which an old one serves (scripts/portable.sh). Kernels are
# inside. There is no module for MPI, which has to be built with the MPI of its machine.
set -euo pipefail
cd "$(dirname "$0")/.."
architecture=${1:-x86_64}
build=${BUILD:-build}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)} # as scripts/wheel.sh
export SOURCE_DATE_EPOCH
toolchain=$(scripts/portable.sh "$architecture")
folder=$(dirname "$toolchain")
version=$(sed -n 's/^#define HEDDLE_VERSION_STRING "\(.*\)"/\1/p' include/heddle.h)
name=heddle-$version-linux-$architecture
stage=$folder/$name

cmake -Wno-dev -S . -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DHEDDLE_TESTS=OFF -DHEDDLE_MPI=OFF \
    -DHEDDLE_ARCHIVES=ON -DCMAKE_INSTALL_LIBDIR=lib "-DCMAKE_INSTALL_RPATH=\$ORIGIN/heddle" >"$folder/build.log"
cmake --build "$folder/build" -j "${JOBS:-$(nproc)}" --target product >>"$folder/build.log" || {
    tail -n 40 "$folder/build.log" >&2
    exit 1
}
rm -rf "$stage"
cmake --install "$folder/build" --prefix "$stage" --strip >>"$folder/build.log"
# An archive of the library would need the archives of what it links with.
rm "$stage/lib/libheddle.a" "$stage"/lib/cmake/heddle/heddle-static-targets*.cmake
sed -i '/^Requires.private\|^Libs.private/d' "$stage/lib/pkgconfig/heddle.pc"

# What the library opens when it starts, beside it, with the licences of all that is linked.
mkdir "$stage/lib/heddle" "$stage/share/doc/heddle/licenses"
needed=$(readelf -d "$stage/lib/libheddle.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
    case $library in
    libc.so* | libm.so* | libdl.so* | libpthread.so* | librt.so* | ld-linux*) ;;
    *) cp "$folder/libraries/$library" "$stage/lib/heddle/" ;;
    esac
done
for package in gcc-12-base:libgomp libexpat1:expat zlib1g:zlib libzstd1:zstd libbz2-1.0:bzip2 liblzma5:liblzma; do
    for root in "$folder/root" ""; do
        text=$root/usr/share/doc/${package%:*}/copyright
        [ ! -e "$text" ] || cp "$text" "$stage/share/doc/heddle/licenses/${package#*:}"
    done
done

mkdir -p "$build/dist"
tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mode=go+u-w --mtime="@$SOURCE_DATE_EPOCH" \
    -c "$name" | gzip -9n >"$build/dist/$name.tar.gz"
ls -l "$build/dist/$name.tar.gz"
scripts/check-archive.sh "$build/dist/$name.tar.gz"
