#!/usr/bin/env bash
# Cuts a release: looks at the tree, builds all that is handed out into $BUILD/dist with SHA256SUMS and a list of what
# each package brings along (SPDX), and checks it from the outside: each package is installed in a clean root of its
# own, where the first session of README.md must come out as it says.
#
#   BUILD=build scripts/release.sh                 all of it
#   BUILD=build scripts/release.sh freeze          before it: today's header becomes the baseline of the ABI
#   BUILD=build scripts/release.sh build           what is handed out, from the tree as it is
#   BUILD=build scripts/release.sh check           the checks alone, of what is in $BUILD/dist
#
# The version is that of include/heddle.h; `freeze` writes it to the files that cannot read it. $HEDDLE_RELEASE_URL is
# where the files will lie (scripts/recipes.py). Nothing is uploaded, and no tag is set: the last lines say how.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath -m "${BUILD:-build}")
dist=$build/dist
version=$(sed -n 's/^#define HEDDLE_VERSION_STRING "\(.*\)"/\1/p' include/heddle.h)
machine=$(uname -m)

complain() {
    echo "release: $*" >&2
    exit 1
}

freeze() {
    cp include/heddle.h tests/abi/heddle.h
    sed -i "s/^version: .*/version: $version/" CITATION.cff
    sed -i "s/heddle\([-_]\)[0-9]\+\.[0-9]\+\.[0-9]\+/heddle\1$version/g; s/0_[0-9.]*-1_amd64/0_$version-1_amd64/g" \
        docs/install.md
    sed -i "1,/^## / s/^## $version.*/## $version - $(date -u +%F)/" CHANGELOG.md
    echo "release: $version is frozen; look at the changes and commit them"
}

look_at_tree() {
    [ -z "$(git status --porcelain --untracked-files=no)" ] || complain "the tree has changes that are not committed"
    cmp -s include/heddle.h tests/abi/heddle.h || complain "tests/abi is not of this header: scripts/release.sh freeze"
    grep -q "^version: $version\$" CITATION.cff || complain "CITATION.cff is not of version $version"
    grep -q "^## $version - 20[0-9-]*\$" CHANGELOG.md || complain "CHANGELOG.md has no date for version $version"
    if grep -oE 'heddle[-_][0-9]+\.[0-9]+\.[0-9]+' docs/install.md | grep -v "$version\$"; then
        complain "docs/install.md names other versions"
    fi
}

build_all() {
    rm -rf "$dist"
    scripts/wheel.sh
    mkdir -p "$dist"
    cp "$build"/wheel/* "$dist/"
    scripts/archive.sh
    scripts/debian.sh
    for architecture in aarch64; do # whatever else can be cross-built here
        [ "$architecture" != "$machine" ] || continue
        scripts/archive.sh $architecture || [ $? -eq 77 ]
        if scripts/wheel.sh $architecture; then cp "$build/wheel-$architecture"/*.whl "$dist/"; else [ $? -eq 77 ]; fi
    done
    scripts/recipes.sh
    sums
}

# What each command links, and the sums of everything.
sums() {
    local folder
    folder=$(mktemp -d)
    tar -xzf "$dist/heddle-$version-linux-$machine.tar.gz" -C "$folder"
    python3 scripts/sbom.py "$folder/heddle-$version-linux-$machine/bin/heddle" \
        >"$dist/heddle-$version-linux-$machine.spdx.json"
    dpkg-deb -x "$dist"/debian/heddle_*.deb "$folder/debian" 2>/dev/null &&
        python3 scripts/sbom.py "$folder/debian/usr/bin/heddle" >"$dist/debian/heddle_$version.spdx.json"
    rm -r "$folder"
    (cd "$dist" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
}

# in_root NAME: a clean root with the files of a release in /dist, removed at the end
in_root() {
    root=$folder/$1
    scripts/clean-root.sh make "$root"
    cp -r "$dist" "$root/dist"
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/machine.crt"
    printf '[global]\ncert = /etc/machine.crt\n' >"$root/etc/pip.conf"
    within=(scripts/clean-root.sh run "$root")
}

install_in_root() { # PACKAGE…
    "${within[@]}" apt-get -qq update
    "${within[@]}" apt-get -qq -y --no-install-recommends install "$@" >"$folder/log" 2>&1 ||
        complain "$(tail "$folder/log")"
}

check_archive() {
    in_root archive
    "${within[@]}" tar -C /opt -xzf "/dist/heddle-$version-linux-$machine.tar.gz"
    scripts/first-session.py "${within[@]}" env "PATH=/opt/heddle-$version-linux-$machine/bin:/usr/bin:/bin"
}

check_debian() {
    in_root debian
    install_in_root "/dist/debian/heddle_$version-1_$("${within[@]}" dpkg --print-architecture).deb"
    scripts/first-session.py "${within[@]}"
}

check_wheel() {
    in_root wheel
    install_in_root python3-venv
    "${within[@]}" sh -ec "python3 -m venv /venv; /venv/bin/pip install -q /dist/heddle-$version-*_$machine.whl"
    scripts/first-session.py "${within[@]}" env PATH=/venv/bin:/usr/bin:/bin
    "${within[@]}" /venv/bin/python -c 'import heddle; assert heddle.read("example:karate").pagerank().top(1)'
}

check_source() {
    in_root source
    install_in_root gcc libc6-dev cmake make python3-venv
    "${within[@]}" sh -ec "python3 -m venv /venv; /venv/bin/pip install -q /dist/heddle-$version.tar.gz"
    scripts/first-session.py "${within[@]}" env PATH=/venv/bin:/usr/bin:/bin
}

check_all() {
    local kind
    [ -e "$dist/SHA256SUMS" ] || complain "$dist is not complete: run 'make dist' first"
    (cd "$dist" && sha256sum --quiet -c SHA256SUMS)
    folder=$(mktemp -d)
    trap 'rm -rf --one-file-system "$folder"' EXIT
    for kind in ${KINDS:-archive debian wheel source}; do
        "check_$kind"
        rm -rf --one-file-system "$root"
        echo "release: $kind works in a clean root"
    done
}

case ${1:-all} in
freeze) freeze ;;
build) build_all ;;
check) check_all ;;
all)
    look_at_tree
    build_all
    check_all
    echo "release: $version is in $dist. Now: git tag -s v$version; publish it; HEDDLE_RELEASE_URL=… make recipes"
    ;;
*)
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
