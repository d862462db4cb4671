#!/usr/bin/env bash
# Installs a wheel into a new environment, and uses the package and the command as a stranger would.
#
#   scripts/check-wheel.sh WHEEL [PYTHON]
set -euo pipefail
wheel=$(realpath "$1")
python=${2:-python3}

umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
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
