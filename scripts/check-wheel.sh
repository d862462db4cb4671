#!/usr/bin/env bash
# Installs a wheel into a new environment, and uses the package and the command as a stranger would.
#
#   scripts/check-wheel.sh WHEEL [PYTHON]
#
# The wheel of another machine is tried under qemu: its command, and the package in Debian's Python for that machine.
#
# With HEDDLE_TEST_ALL=1, and the tests' fake drivers in $BUILD, also that its extra `cuda` brings CUDA's compiler, and
# that the command and the package find it on a machine that has a driver alone.
set -euo pipefail
wheel=$(realpath "$1")
fake=$(realpath -m "${BUILD:-build}/tests/fake")
python=${2:-python3}

umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [[ $wheel == *_aarch64.whl && $(uname -m) != aarch64 ]]; then
    command -v qemu-aarch64 >/dev/null || {
        echo "$wheel was not tried: qemu-aarch64 is missing (apt-get install qemu-user)"
        exit 0
    }
    scripts=$(realpath "$(dirname "$0")")
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    "$scripts/fetch-debs.sh" "$suite" arm64 "$folder/root" libc6 libgcc-s1 libstdc++6 python3.11-minimal \
        libpython3.11-minimal libpython3.11-stdlib libexpat1 zlib1g libbz2-1.0 liblzma5 libffi8 libssl3 libuuid1
    "$python" -m pip install -q --disable-pip-version-check --target "$folder/packages" --only-binary :all: \
        --python-version 3.11 --implementation cp --platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64 \
        --platform manylinux_2_17_aarch64 "$wheel"
    python3 -m zipfile -e "$wheel" "$folder/unpacked"
    command=$(find "$folder/unpacked" -path '*.data/scripts/heddle')
    chmod +x "$command"
    export OMP_NUM_THREADS=2 HOME=$folder
    run() { qemu-aarch64 -L "$folder/root" "$@"; }
    [ "$(run "$command" pr example:lesmis --weighted --top 1 --quiet | cut -f 1)" = Valjean ]
    run -E PYTHONPATH="$folder/packages" "$folder/root/usr/bin/python3.11" -c '
import platform, heddle
assert heddle.read("example:lesmis").pagerank(weighted=True).top(1)[0][0] == "Valjean"
print("heddle", heddle.__version__, "works in Python", platform.python_version(), "on", platform.machine())'
    exit
fi

"$python" -m venv "$folder/env"
"$folder/env/bin/python" -m pip install -q --disable-pip-version-check "$wheel"
cd "$folder"
export PATH=$folder/env/bin:/usr/bin:/bin HEDDLE_CACHE=$folder/cache
unset LD_LIBRARY_PATH PYTHONPATH HEDDLE_LIBRARY

printf '1 2\n2 3\n3 1\n4 1\n' >graph.txt
cat >use.py <<'END'
import bz2, lzma, heddle
text = open("graph.txt", "rb").read()
open("graph.txt.xz", "wb").write(lzma.compress(text))
open("graph.txt.bz2", "wb").write(bz2.compress(text))
for name in "graph.txt", "graph.txt.xz", "graph.txt.bz2":
    assert heddle.read(name).pagerank().top(1)[0][0] == 1, name
print(heddle.__version__)
END
expected=$(python use.py)
[ "$(heddle version | head -n 1)" = "heddle $expected" ]
[ "$(head -c 4 "$folder/env/bin/heddle" | tail -c 3)" = ELF ] || echo "the command starts through Python"
for file in graph.txt graph.txt.xz graph.txt.bz2; do
    [ "$(heddle pr "$file" --top 1 --quiet | cut -f 1)" = 1 ] || {
        echo "heddle pr $file: expected vertex 1 to have the highest rank"
        exit 1
    }
done
[ -e "$folder/env/share/man/man1/heddle.1" ]

if [ -n "${HEDDLE_TEST_ALL:-}" ] && [ -e "$fake/libcuda.so.1" ]; then
    python -m pip install -q --disable-pip-version-check "$wheel[cuda]"
    mkdir driver
    cp "$fake/libcuda.so.1" "$fake/libfake_driver.so" driver
    export LD_LIBRARY_PATH=$folder/driver HEDDLE_CACHE=$folder/cuda-cache
    for seen in "$(heddle devices)" "$(python -c 'import heddle; print(heddle.devices())')"; do
        [[ $seen == *"NVRTC 12."* ]] || {
            printf 'expected NVRTC 12 of the package nvidia-cuda-nvrtc-cu12:\n%s\n' "$seen"
            exit 1
        }
    done
fi
