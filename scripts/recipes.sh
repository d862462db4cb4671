#!/usr/bin/env bash
# Writes the recipes for conda-forge and Spack into $BUILD/dist/recipes, for the source archive of this tree, and checks
# them (scripts/recipes.py): what the conda recipe does is done here, with a folder for its prefix.
#
#   BUILD=build scripts/recipes.sh
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath -m "${BUILD:-build}")
version=$(sed -n 's/^#define HEDDLE_VERSION_STRING "\(.*\)"/\1/p' include/heddle.h)
archive=$build/dist/heddle-$version.tar.gz
[ -e "$build/recipes-env/bin/python" ] || {
    python3 -m venv "$build/recipes-env"
    "$build/recipes-env/bin/python" -m pip install -q jinja2==3.1.6 ruamel.yaml==0.18.6
}
[ -e "$archive" ] || { # as scripts/wheel.sh makes it
    [ -e "$build/wheel/heddle-$version.tar.gz" ] || scripts/wheel.sh
    mkdir -p "$build/dist"
    cp "$build/wheel/heddle-$version.tar.gz" "$archive"
}

# The script of the conda recipe, as conda-build would run it, in the source archive.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$archive" -C "$folder"
"$build/recipes-env/bin/python" scripts/recipes.py "$archive" "$build/dist/recipes"
export PREFIX=$folder/prefix CPU_COUNT=${JOBS:-$(nproc)}
export CMAKE_ARGS="-DCMAKE_INSTALL_PREFIX=$PREFIX -DCMAKE_INSTALL_LIBDIR=lib"
sed -n '/^  script:/,/^$/s/^    - //p' "$build/dist/recipes/conda/meta.yaml" >"$folder/script"
(cd "$folder/heddle-$version" && bash -euo pipefail "$folder/script") >"$folder/log" 2>&1 || {
    tail -n 40 "$folder/log" >&2
    exit 1
}
"$build/recipes-env/bin/python" scripts/recipes.py "$archive" "$build/dist/recipes" "$PREFIX/bin/heddle"
