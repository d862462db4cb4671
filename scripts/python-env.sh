#!/usr/bin/env bash
# Makes a virtual environment with the packages of scripts/python-requirements.txt, or of the file that is named, unless
# it is there already.
#
#   scripts/python-env.sh FOLDER [REQUIREMENTS]
#
# Never fails: without pip or network these tests use the system's packages, or are skipped.
set -uo pipefail
folder=${1:?folder}
requirements=${2:-$(dirname "$0")/python-requirements.txt}
cmp -s "$requirements" "$folder/complete" && exit 0

python=
for candidate in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "python-env: no Python of 3.11 or later with venv; tests use the system's packages" >&2
    exit 0
fi
export PIP_DISABLE_PIP_VERSION_CHECK=1
if "$python" -m venv --clear "$folder" &&
    timeout 300 "$folder/bin/python" -m pip install -q --retries 1 -r "$requirements"; then
    cp "$requirements" "$folder/complete"
else
    echo "python-env: could not install $requirements; tests use the system's packages, or are skipped" >&2
    rm -rf "$folder"
fi
exit 0
