#!/usr/bin/env bash
# Unpacks a binary archive of scripts/archive.sh into a clean folder and uses it from there as a stranger would: first
# with the C library of this machine, then with the old one that it was built with; one for another processor under
# qemu.
#
#   scripts/check-archive.sh ARCHIVE
set -euo pipefail
archive=$(realpath "$1")
name=${archive##*/}
name=${name%.tar.gz}
architecture=${name##*-}
version=${name#heddle-} version=${version%%-*}
portable=$(realpath "${BUILD:-build}")/portable-$architecture/root
oldest=$(cat "$portable/../glibc" 2>/dev/null || echo 999) # the glibc that is promised
cd "$(dirname "$0")/.."

umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$archive" -C "$folder"
root=$folder/$name
complain() {
    echo "$name: $*" >&2
    exit 1
}

for file in bin/heddle lib/libheddle.so lib/libheddle.so.0 include/heddle.h share/man/man1/heddle.1 \
    share/man/man3/heddle.3 share/bash-completion/completions/heddle share/zsh/site-functions/_heddle \
    share/fish/vendor_completions.d/heddle.fish lib/pkgconfig/heddle.pc share/doc/heddle/LICENSE \
    share/doc/heddle/licenses/zlib share/doc/heddle/licenses/libgomp; do
    [ -e "$root/$file" ] || complain "$file is missing"
done

versions=$(find "$root/bin" "$root/lib" -type f \( -perm -u+x -o -name '*.so*' \) -exec readelf -VW {} + |
    grep -oE 'GLIBC_[0-9.]+' | sort -uV)
newest=$(tail -n 1 <<<"$versions")
[ "$(printf '%s\n' "GLIBC_$oldest" "$newest" | sort -V | tail -n 1)" = "GLIBC_$oldest" ] ||
    complain "needs $newest, and glibc $oldest is promised"
for file in "$root/bin/heddle" "$root"/lib/libheddle.so; do
    readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
done | sort -u | while read -r library; do
    case $library in
    libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux*) ;;
    *) [ -e "$root/lib/heddle/$library" ] || complain "$library is neither in it nor a part of glibc" ;;
    esac
done

cat >"$folder/use.c" <<'END'
#include <heddle.h>
#include <stdio.h>
int main(void) {
    heddle_context *context;
    heddle_graph *graph;
    heddle_result *result;
    heddle_run_options options;
    heddle_run_options_init(&options);
    options.algorithm = "pr";
    if (heddle_context_create(NULL, &context) || heddle_graph_load(context, "graph.xml", NULL, &graph) ||
        heddle_run(context, graph, &options, &result))
        return 1;
    printf("%s %.3f\n", heddle_version(), heddle_result_value(result, 0));
    heddle_result_destroy(&result);
    heddle_graph_destroy(&graph);
    heddle_context_destroy(&context);
}
END
cat >"$folder/graph.xml" <<'END'
<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>
END

# try WORDS RUNNER…: the command and a program that is linked with the library, under a runner
try() {
    local words=$1 got
    shift
    got=$(cd "$folder" && env -i PATH=/usr/bin:/bin HOME="$folder" "$@" "$root/bin/heddle" --version | head -n 1)
    [ "$got" = "heddle $version" ] || complain "$words: heddle --version says '$got'"
    got=$(cd "$folder" && env -i PATH=/usr/bin:/bin HOME="$folder" "$@" "$root/bin/heddle" pr example:lesmis \
        --weighted --top 3 --verify --quiet | cut -f 1 | paste -sd ' ')
    [ "$got" = "Valjean Marius Myriel" ] || complain "$words: heddle pr says '$got'"
    env -i PATH=/usr/bin:/bin HOME="$folder" ${CC:+CC="$CC"} "$@" "$root/bin/heddle" selftest --quick --device cpu \
        --quiet >"$folder/log" 2>&1 || complain "$words: selftest fails: $(tail -n 5 "$folder/log")"
    got=$(cd "$folder" && env -i "$@" ./use) || complain "$words: a program that uses the library fails"
    [ "$got" = "$version 0.500" ] || complain "$words: a program that uses the library says '$got'"
    echo "$name: works $words"
}

export CC=$architecture-linux-gnu-gcc
# shellcheck disable=SC2046 # words
"$CC" --sysroot="$portable" -isystem "$portable/usr/include/$architecture-linux-gnu" -isystem "$portable/usr/include" \
    -B"$portable/usr/lib/$architecture-linux-gnu/" -L"$portable/lib/$architecture-linux-gnu" \
    "$folder/use.c" -o "$folder/use" -Wl,-rpath,"$root/lib" -Wl,--allow-shlib-undefined \
    $(PKG_CONFIG_PATH=$root/lib/pkgconfig pkg-config --cflags --libs heddle)
if [ "$architecture" = "$(uname -m)" ]; then
    try "on this machine"
    loader=$(echo "$portable"/lib*/ld-linux*.so.*)
    libc=$portable/lib/$architecture-linux-gnu
    try "with glibc $("${loader%% *}" "$libc/libc.so.6" | sed -n '1s/.*version \([0-9.]*[0-9]\).*/\1/p')" \
        "${loader%% *}" --library-path "$libc:$root/lib:$root/lib/heddle"
else
    command -v "qemu-$architecture" >/dev/null || complain "qemu-$architecture is missing: it was not tried"
    export OMP_NUM_THREADS=2
    try "under qemu" "qemu-$architecture" -L "$portable"
fi
echo "$name: needs ${newest/_/ } or later"
