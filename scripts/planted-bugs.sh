#!/usr/bin/env bash
# Plants a bug in each of the places below, one after the other, and runs random cases (heddle selftest --cases) until
# they find it: a fuzzer that finds none of them would prove nothing by finding nothing.
#
#   scripts/planted-bugs.sh [NAME…]
#
# The sources are copied to BUILD-planted (default build-planted), which is kept: only the changed file is compiled
# again. Each bug has LIMIT seconds (default 300) from SEED on (default: random). The exit status is 1 if a bug was not
# found.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
unset MAKEFLAGS MFLAGS MAKELEVEL

folder=${BUILD:-build}-planted
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
limit=${LIMIT:-300}
seed=${SEED:-$((RANDOM * 1000000))}

# A file that differs is newer than its object afterwards, also one that an earlier call left with its bug.
copy_sources() {
    local file
    mkdir -p "$folder/tree"
    while IFS= read -r -d '' file; do
        cmp -s "$file" "$folder/tree/$file" || install -D "$file" "$folder/tree/$file"
    done < <(git ls-files -z)
    while IFS= read -r -d '' file; do
        [ -e "$file" ] || rm "$folder/tree/$file"
    done < <(cd "$folder/tree" && find src cli -type f -print0)
}

compile() {
    cmake --build "$folder/build" -j "$jobs" --target heddle >"$folder/log" 2>&1
}

# Runs batches until one fails, crashes or hangs. Prints what it found.
hunt() { # OPTION…
    local start=$SECONDS from=$seed status words
    while [ $((SECONDS - start)) -lt "$limit" ]; do
        words=$(timeout --foreground --signal=INT --kill-after=60 $((limit - (SECONDS - start) + 1)) \
            "$folder/build/heddle" selftest "$@" --cases 100 --seed "$from" 2>&1)
        status=$?
        if [[ $words == *FAILED* ]]; then
            words=${words#*FAILED  }
            from=${words#*"(seed "}
            from=${from%%"): "*}
            printf 'found after %d cases, %d s: %s\n' $((from - seed + 1)) $((SECONDS - start)) "${words%%$'\n'*}"
            return 0
        elif [ $status -gt 128 ] && [ $((SECONDS - start)) -lt "$limit" ]; then
            printf 'found within %d cases, %d s: status %d\n' $((from - seed + 100)) $((SECONDS - start)) "$status"
            return 0
        fi
        from=$((from + 100))
    done
    printf 'NOT FOUND in %d cases, %d s\n' $((from - seed)) $((SECONDS - start))
    return 1
}

copy_sources
cmake -S "$folder/tree" -B "$folder/build" -DHEDDLE_SHARED=OFF ${CMAKE_FLAGS:-} >/dev/null && compile || exit 2
failed=0
names=" $* "

plant() { # NAME FILE SED-EXPRESSION OPTION-OF-SELFTEST…
    local name=$1 file=$2 expression=$3
    shift 3
    [ -z "${names// /}" ] || [[ $names == *" $name "* ]] || return
    sed -i "$expression" "$folder/tree/$file"
    if cmp -s "$file" "$folder/tree/$file"; then
        printf '%-18s the expression fits no line of %s\n' "$name" "$file"
        failed=1
        return
    fi
    printf '%-18s %s' "$name" "${*:+($*) }"
    if compile; then
        hunt "$@" || failed=1
    else
        printf 'does not compile: %s\n' "$folder/log"
        failed=1
    fi
    cp "$file" "$folder/tree/$file"
}

# An in-edge at the end of a row is one of the row before it.
plant transpose src/graph/csr_transpose.c 's/offsets\[row + 1\] <= e/offsets[row + 1] < e/'
# Vertices of far buckets are forgotten.
plant delta-far-bucket src/engine/cpu/delta_stepping_edges.c \
    's/mark_of(label) == entry.label/mark_of(label) < entry.label/' --algorithm sssp
# Vertices outside the largest component miss their last edge.
plant cc-giant src/graph/components.c 's/, to); row < next; row++)/, to); row + 1 < next; row++)/'
# A hook that another thread was faster with is lost.
plant cc-lost-hook src/graph/union_find.h \
    's/if (hd_compare_swap(\(.*\), low))/if (hd_compare_swap(\1, low) || low)/' --algorithm cc
# Of 512 vertices only the last one's rank is spread if it dangles.
plant pr-dangling src/algorithm/pr/pr_round.c 's/dangle |= out\[i\] < 0;/dangle = out[i] < 0; /'
# Path counts that were divided, so that they stay finite, count as they are.
plant bc-scaled-counts src/algorithm/bc/brandes_backward.c 's/(b->counts\[i\] \* factor);/b->counts[i];/'
# What two threads take from a vertex at once is not given back.
plant kcore-give-back src/algorithm/kcore/kcore.c 's/hd_fetch_add(&p->left\[w\], 1);/(void)0;/' --algorithm kcore
# All values but one that have changed are sent as if all had.
plant exchange-vr src/exchange/vr.c 's/if (out->changes == out->count)/if (out->changes + 1 >= out->count)/'
# done() of a program in parts sees a round too many.
plant parts-done src/engine/parts/part_rounds.c 's/s->rule.iteration = s->round;/s->rule.iteration = s->round + 1;/' \
    --algorithm program
# Of edges that stay in memory, the last of each block does not.
plant disk-kept-edge src/residency/disk_check.c \
    's/\(kept_targets + first, .*\), (end - first) \* 4/\1, (end - first - 1) * 4/'
# A hub's third new vertex and those behind it lose an edge.
plant split-star src/transform/star.c 's/r.edge = node \* f->K;/r.edge = node * f->K + (node > 1);/'
# Values to begin with are not renamed.
plant initial-order src/run/ordered.c 's/to_\[places_\[v_\]\] = from_\[v_\];/to_[v_] = from_[v_];/'
# A kernel leaves the last edge of some warps out.
plant wseg-last-edge src/schedule/wseg.cl 's/at < total; at += HD_WARP/at + 1 < total; at += HD_WARP/' \
    --device opencl --algorithm program
# A kernel forgets all long rows but one.
plant cc-long-rows src/algorithm/cc/cc.cl 's/(&state\[LONG_COUNT\], 1)\] = v;/(\&state[LONG_COUNT], 0)] = v;/' \
    --device opencl --algorithm cc
exit $failed
