#!/usr/bin/env bash
# Installs a build into a private folder and uses it from there as a stranger would: a small program, compiled with
# what pkg-config says, against the shared and against the static library.
#
#   scripts/check-install.sh BUILD [COMPILER]       exit 77 (skipped) without pkg-config
set -euo pipefail
build=$1
compiler=${2:-cc}
command -v pkg-config >/dev/null || {
    echo "pkg-config not found: skipped"
    exit 77
}

umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
DESTDIR=$folder/root cmake --install "$build" >"$folder/log" || {
    cat "$folder/log"
    exit 1
}

pc=$(find "$folder/root" -name heddle.pc)
export PKG_CONFIG_SYSROOT_DIR=$folder/root PKG_CONFIG_PATH=${pc%/*}
cat >"$folder/use.c" <<'END'
#include <heddle.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    heddle_context *context;
    if (heddle_context_create(NULL, &context) != HEDDLE_OK)
        return 1;
    heddle_context_destroy(&context);
    puts(heddle_version());
    return strcmp(heddle_version(), HEDDLE_VERSION_STRING) != 0;
}
END

lib=$(pkg-config --variable=libdir heddle)
case $lib in
"$folder"/*) ;; # some pkg-configs put the sysroot before variables too
*) lib=$folder/root$lib ;;
esac
if [ -e "$lib/libheddle.so" ]; then
    # shellcheck disable=SC2046  # flags are words
    "$compiler" "$folder/use.c" -o "$folder/use-shared" $(pkg-config --cflags --libs heddle)
    LD_LIBRARY_PATH=$lib "$folder/use-shared"
fi
rm -f "$lib"/libheddle.so*
# shellcheck disable=SC2046
"$compiler" "$folder/use.c" -o "$folder/use-static" $(pkg-config --static --cflags --libs heddle)
"$folder/use-static"
[ "$(pkg-config --modversion heddle)" = "$("$folder/use-static")" ]

# A project of CMake's that looks for the package, with the shared library and with the static one.
cmake --install "$build" --prefix "$folder/prefix" >"$folder/log"
mkdir "$folder/project"
cp "$folder/use.c" "$folder/project"
cat >"$folder/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(use LANGUAGES C)
find_package(heddle 0.1 REQUIRED)
add_executable(use use.c)
target_link_libraries(use PRIVATE heddle::heddle)
add_executable(use-static use.c)
target_link_libraries(use-static PRIVATE heddle::heddle_static)
END
if ! cmake -S "$folder/project" -B "$folder/project/build" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$folder/prefix" >"$folder/log" 2>&1 ||
    ! cmake --build "$folder/project/build" >>"$folder/log" 2>&1; then
    cat "$folder/log"
    exit 1
fi
"$folder/project/build/use"
"$folder/project/build/use-static"

# heddle.pc finds itself under another prefix, without a sysroot.
(
    unset PKG_CONFIG_SYSROOT_DIR
    pc=$(find "$folder/prefix" -name heddle.pc)
    include=$(PKG_CONFIG_PATH=${pc%/*} pkg-config --variable=includedir heddle)
    [ "$(realpath "$include/heddle.h")" = "$(realpath "$folder/prefix/include/heddle.h")" ] || {
        echo "heddle.pc of $folder/prefix names $include"
        exit 1
    }
)

# The shared library is found on a machine without any of the packages that the static one links with.
if grep -q 'heddle::heddle SHARED' "$folder"/prefix/lib*/cmake/heddle/heddle-targets.cmake \
    "$folder"/prefix/lib*/*/cmake/heddle/heddle-targets.cmake 2>/dev/null; then
    sed -i '/static/d' "$folder/project/CMakeLists.txt"
    missing=()
    for package in ZLIB BZip2 LibLZMA EXPAT OpenMP; do
        missing+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
    done
    if ! cmake -S "$folder/project" -B "$folder/project/bare" -DCMAKE_C_COMPILER="$compiler" "${missing[@]}" \
        -DCMAKE_PREFIX_PATH="$folder/prefix" >"$folder/log" 2>&1 ||
        ! cmake --build "$folder/project/bare" >>"$folder/log" 2>&1; then
        cat "$folder/log"
        exit 1
    fi
    "$folder/project/bare/use"
fi

# The manual of the interface has every function.
if command -v awk >/dev/null; then
    manual=$(find "$folder/root" -name heddle.3)
    header=$(find "$folder/root" -name heddle.h)
    for name in $(sed -n 's/^HEDDLE_API [^(]*[ *]\(heddle_[a-z0-9_]*\)(.*/\1/p' "$header"); do
        grep -q "$name(" "$manual" || {
            echo "heddle.3 does not have $name"
            exit 1
        }
    done
fi

for file in share/man/man1/heddle.1 share/bash-completion/completions/heddle share/zsh/site-functions/_heddle \
    share/fish/vendor_completions.d/heddle.fish; do
    [ -n "$(find "$folder/root" -path "*/$file")" ] || {
        echo "$file was not installed"
        exit 1
    }
done
