#!/usr/bin/env bash
# Installs Debian packages in a clean root, and runs there what packaging/debian/tests names; after each test all that
# was installed for it goes. The command alone comes first, with nothing beside it.
#
#   scripts/check-debian.sh FOLDER
set -euo pipefail
packages=$(realpath "$1")
cd "$(dirname "$0")/.."
clean=$PWD/scripts/clean-root.sh

umask 022
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
"$clean" make "$folder/root" || exit $?
"$clean" run "$folder/root" apt-get -qq update

# fresh PACKAGE…: a root with these packages, and what they depend on
fresh() {
    rm -rf --one-file-system "$folder/new"
    cp -a "$folder/root" "$folder/new"
    mkdir "$folder/new/packages"
    cp "$packages"/*.deb "$folder/new/packages/"
    cp -r packaging/debian/tests "$folder/new/tests"
    local names=() name
    for name in "$@"; do
        case $name in
        *heddle*) names+=("/packages/$(cd "$packages" && echo "${name}"_*.deb)") ;;
        *) names+=("$name") ;;
        esac
    done
    [[ " $* " != *" libheddle-dev "* && " $* " != *" python3-heddle "* ]] ||
        names+=("/packages/$(cd "$packages" && echo libheddle0_*.deb)")
    "$clean" run "$folder/new" apt-get -qq -y --no-install-recommends install "${names[@]}" >"$folder/log" 2>&1 || {
        tail -n 20 "$folder/log" >&2
        exit 1
    }
}

fresh heddle
"$clean" run "$folder/new" heddle pr example:lesmis --weighted --top 3 --verify --quiet
"$clean" run "$folder/new" apt-get -qq -y -o Dpkg::Use-Pty=0 purge heddle >/dev/null
left=$(find "$folder/new" -path '*heddle*' ! -path "$folder/new/packages*" ! -path '*/root/.cache*' -print \
    -prune)
[ -z "$left" ] || {
    printf 'heddle leaves behind:\n%s\n' "$left" >&2
    exit 1
}

tests=$(sed -n 's/^Tests: //p' packaging/debian/tests/control)
for test in $tests; do
    needs=$(sed -n "/^Tests: $test\$/,/^\$/s/^Depends: //p" packaging/debian/tests/control)
    # shellcheck disable=SC2086 # words
    fresh ${needs//,/}
    "$clean" run "$folder/new" sh -ec "mkdir /tmp/try; AUTOPKGTEST_TMP=/tmp/try /tests/$test" >"$folder/log" 2>&1 || {
        tail -n 40 "$folder/log" >&2
        echo "debian/tests/$test fails" >&2
        exit 1
    }
    echo "debian/tests/$test passes in a clean root"
done
