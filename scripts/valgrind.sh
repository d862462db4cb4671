#!/usr/bin/env bash
# The command's main uses under valgrind's memcheck: no invalid access, no branch on bytes that nobody wrote, no leak.
#
#   scripts/valgrind.sh [BUILD]     (default: build)
#
# Exit status 77 without valgrind. Devices are left out: drivers are not ours to check.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
heddle=$(cd "${1:-build}" && pwd)/heddle
command -v valgrind >/dev/null || {
    echo "skipped: there is no valgrind here"
    exit 77
}
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT
export HEDDLE_CACHE=$folder/cache
failed=0 uses=0
cd "$folder" || exit

# use ARGUMENT…: one use of the command
use() {
    uses=$((uses + 1))
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --log-file=log "$heddle" "$@" \
        --threads 2 >out 2>&1
    local status=$?
    [ $status -eq 0 ] || {
        failed=$((failed + 1))
        echo "heddle $*: status $status"
        head -n 40 log out
    }
}

printf '# a graph\n1 2 0.5\n2 3 1.5\n3 1 2\n4 5 1\n' >small.txt
cat >program.c <<'END'
#define VALUE u32
#define MESSAGE u32
#define TRAITS (MONOTONE | FROM_SOURCES)
PROGRAM VALUE init(ABOUT me, RUN run) { (void)run; return me->source ? 0 : 1000000; }
PROGRAM MESSAGE identity(void) { return 1000000; }
PROGRAM MESSAGE send(VALUE value, u32 degree) { (void)degree; return value + 2; }
PROGRAM MESSAGE reduce(MESSAGE a, MESSAGE b) { return MINIMUM(a, b); }
PROGRAM int update(VALUE *value, MESSAGE best, ABOUT me, RUN run) {
    (void)me, (void)run;
    return best < *value ? (*value = best, 1) : 0;
}
END

use generate rmat rmat.hdl --scale 10
use generate rmat rmat.txt --scale 10 --weights 1:9 --lossy
use convert rmat.txt weighted.hdl --order degree
use convert rmat.txt disk.hdl --memory-limit 1500K
use convert small.txt small.mtx
use info weighted.hdl
use bfs rmat.hdl --source 1 --parents --verify -o bfs.csv
use sssp weighted.hdl --source 1 --verify -o sssp.tsv
use pr rmat.hdl --verify -o pr.npy --checkpoint kept --every 2
use cc rmat.hdl --verify --report cc.html --trace cc.json
use tc rmat.hdl --symmetrize --verify -o tc.json
use louvain rmat.hdl --symmetrize
use mst weighted.hdl --symmetrize --verify
use subgraph rmat.hdl core.hdl --core 3
use run program.c small.txt --source 1
use similar rmat.hdl --source 1 --top 5 --verify
use draw weighted.hdl drawing.svg
use explain pr rmat.hdl --device cpu

echo "$uses uses of the command under valgrind, $failed failed"
[ $failed -eq 0 ]
