#!/usr/bin/env bash
# Builds the Debian packages heddle, libheddle0, libheddle-dev and python3-heddle, and their source package, into
# $BUILD/dist/debian; looks at them with lintian, where it is installed; installs them in a clean root and runs their
# tests there (packaging/debian/tests).
#
#   BUILD=build scripts/debian.sh                  exit 77 without Debian's tools
#
# The tree is what git tracks, as it is now. The packages are of the release of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD
build=$(realpath -m "${BUILD:-build}")
for tool in dpkg-buildpackage dh dh_python3; do
    command -v $tool >/dev/null || {
        echo "debian: $tool is missing: apt-get install dpkg-dev debhelper dh-python" >&2
        exit 77
    }
done
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)} # as scripts/wheel.sh
export SOURCE_DATE_EPOCH
unset MAKEFLAGS MFLAGS MAKELEVEL

version=$(sed -n 's/^#define HEDDLE_VERSION_STRING "\(.*\)"/\1/p' include/heddle.h)
maintainer=$(sed -n 's/^Maintainer: //p' packaging/debian/control)
folder=$build/debian
source=$folder/heddle-$version
rm -rf "$folder"
mkdir -p "$source"
git ls-files -z | tar -c --exclude=packaging/debian --exclude=.ci --null -T - | tar -x -C "$source"
tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "heddle-$version" |
    gzip -9n >"$folder/heddle_$version.orig.tar.gz"
cp -r packaging/debian "$source/debian"
cat >"$source/debian/changelog" <<END
heddle ($version-1) unstable; urgency=medium

  * Version $version; /usr/share/doc/heddle/CHANGELOG.md.gz says what is new.

 -- $maintainer  $(date -Rud "@$SOURCE_DATE_EPOCH")
END

(cd "$source" && DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} parallel=${JOBS:-$(nproc)}" \
    dpkg-buildpackage --no-sign) >"$folder/build.log" 2>&1 || {
    tail -n 40 "$folder/build.log" >&2
    exit 1
}
rm -rf "$source" "$build/dist/debian"
mkdir -p "$build/dist/debian"
find "$folder" -maxdepth 1 -type f ! -name build.log -exec mv -t "$build/dist/debian" {} +
ls -l "$build/dist/debian"

cd "$build/dist/debian"
changes=$(echo ./*.changes)
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error --info "$changes"
else
    echo "lintian is not here: what it looks for was not looked for"
fi
cd "$top"
scripts/check-debian.sh "$build/dist/debian"
