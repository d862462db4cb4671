#!/usr/bin/env bash
# What a release hands out, in $BUILD/dist: the source archive, the wheel, what the wheel's command links (SPDX), and
# SHA256SUMS of these.
#
#   BUILD=build scripts/dist.sh
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)} # as scripts/wheel.sh
export SOURCE_DATE_EPOCH
scripts/wheel.sh
rm -rf "$build/dist"
mkdir -p "$build/dist"
cp "$build"/wheel/* "$build/dist"
cd "$build/dist"
wheel=$(echo ./*.whl)
archive=$(echo ./*.tar.gz)
python3 -m zipfile -e "$wheel" unpacked
command=$(find unpacked -name heddle -type f)
chmod +x "$command"
python3 "$OLDPWD/scripts/sbom.py" "$command" >"${archive%.tar.gz}.spdx.json"
rm -r unpacked
sha256sum -- *.json *.tar.gz *.whl >SHA256SUMS
cat SHA256SUMS
