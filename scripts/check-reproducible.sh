#!/usr/bin/env bash
# Checks that what is built depends neither on the folder nor on the time: a copy of the tree, in a folder with another
# name, is built as BUILD was, and the command and the libraries must be equal byte by byte.
#
#   scripts/check-reproducible.sh BUILD               library, command and module for MPI
#   scripts/check-reproducible.sh BUILD packages      source archive and wheel, from two copies (scripts/wheel.sh)
set -euo pipefail
build=$(realpath "$1")
what=${2:-product}
cd "$(dirname "$0")/.."
git rev-parse --git-dir >/dev/null 2>&1 || {
    echo "not a checkout: skipped"
    exit 77
}
unset MAKEFLAGS MFLAGS MAKELEVEL

umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

copy() { # FOLDER: what git tracks as it is now, and the same commit to name
    mkdir -p "$1"
    git ls-files -z | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
        tar -c --null -T - | tar -x -C "$1"
    echo "gitdir: $(git rev-parse --absolute-git-dir)" >"$1/.git"
}

bad=0
compare() { # ONE OTHER
    cmp "$1" "$2" || bad=1
}
export GIT_OPTIONAL_LOCKS=0 # `git describe` shall not write the index for another folder

if [ "$what" = packages ]; then
    for one in here a/longer/name; do
        copy "$folder/$one"
        (cd "$folder/$one" && BUILD=build scripts/wheel.sh >"$folder/log" 2>&1) || {
            tail -n 40 "$folder/log"
            exit 1
        }
    done
    for file in "$folder"/here/build/wheel/*; do
        compare "$file" "$folder/a/longer/name/build/wheel/${file##*/}"
    done
    exit $bad
fi

value() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
copy "$folder/other"
for option in CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_C_FLAGS CMAKE_INSTALL_LIBDIR HEDDLE_OPENMP HEDDLE_ZLIB \
    HEDDLE_ZSTD HEDDLE_BZIP2 HEDDLE_LZMA HEDDLE_EXPAT HEDDLE_URING HEDDLE_MPI HEDDLE_SHARED; do
    options+=("-D$option=$(value $option)")
done
if ! cmake -S "$folder/other" -B "$folder/other/elsewhere" "${options[@]}" -DHEDDLE_TESTS=OFF >"$folder/log" 2>&1 ||
    ! cmake --build "$folder/other/elsewhere" -j "$(nproc)" --target product >>"$folder/log" 2>&1; then
    tail -n 40 "$folder/log"
    exit 1
fi
for file in heddle libheddle.a libheddle.so libheddle-mpi.so; do
    [ ! -e "$build/$file" ] || compare "$build/$file" "$folder/other/elsewhere/$file"
done
exit $bad
