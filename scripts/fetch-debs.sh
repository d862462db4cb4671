#!/usr/bin/env bash
# Unpacks Debian packages of another release or processor into a folder, as a root to build or run with. Nothing is
# installed, and apt's own lists stay as they are. What the packages depend on is not looked for.
#
#   scripts/fetch-debs.sh SUITE DEBIAN-ARCHITECTURE FOLDER PACKAGE…
#
# They come from the mirror that apt uses here: from the suite's updates, or where these are not kept for the processor,
# from its last point release.
set -euo pipefail
suite=$1 architecture=$2 folder=$(realpath -m "$3")
shift 3
own=$(. /etc/os-release && echo "$VERSION_CODENAME")

fetch() { # SED, which changes apt's sources
    rm -rf "$folder"
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/parts" "$folder/apt/cache/archives/partial" "$folder/apt/debs"
    cp /etc/apt/sources.list.d/*.sources /etc/apt/sources.list "$folder/apt/parts/" 2>/dev/null || true
    sed -i "s/\\b$own\\b/$suite/g; $1" "$folder"/apt/parts/*
    : >"$folder/apt/status"
    local options=(-o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
        -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/apt/parts"
        -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache"
        -o "Dir::State::status=$folder/apt/status" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update -qq &&
        (cd "$folder/apt/debs" && apt-get "${options[@]}" download -qq "${packages[@]}")
}

packages=("$@")
{ fetch '' || fetch "s/debian-security/debian/; s/$suite-security/$suite/"; } >"$folder.log" 2>&1 || {
    cat "$folder.log" >&2
    exit 1
}
for package in "$folder"/apt/debs/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
rm -r "$folder/apt"
# Absolute links lead out of the folder.
find "$folder" -lname '/*' -printf '%p %l\n' | while read -r link target; do
    ln -sfnr "$folder$target" "$link"
done
