# bash completion for heddle. A new command: add it to `commands`, and its options as a case below.

_heddle() {
    local algorithms="bfs sssp sswp cc pr bc closeness harmonic eccentricity eigenvector katz hits degree scc mst bridges articulation biconnected bipartite toposort tc lcc similar kcore truss cdlp lpa louvain leiden walks hs cs nn"
    local commands="$algorithms run info explain convert generate subgraph draw table transform devices doctor selftest bench graphalytics cache help version"
    local formats="edgelist mtx dimacs metis gap hdl graphml gml pajek adjlist json dot"
    local kinds="rmat uniform grid road smallworld barabasi blockmodel configuration star path clique tree"

    local plans="auto baseline vwc-2 vwc-4 vwc-8 vwc-16 vwc-32 ws ws-vr tigr-base tigr-v tigr-v+ tigr-udt cusha-gs cusha-cw udt-cusha graphie graffix-coalesce graffix-latency graffix-divergence"

    local tests="empty one-vertex one-loop no-edges loops parallel isolated disconnected cycles star star-both path clique"
    tests="$tests rmat rmat-undirected rmat-unweighted rmat-real"

    local common="--threads --json --quiet --help"
    local read="--format --header --columns --delimiter --vertices --vertices-from --weight-column --weight-type --ids"
    local build="--symmetrize --undirected --no-loops --dedup --no-isolated"
    local save="--to --lossy --in-edges --packed --order --level"
    local shape="--scale --vertices --degree --width --height --depth --a --b --c --no-scramble --probability --branching --blocks --rates --degrees-of"
    local values="--seed --weights --real-weights"
    local start="--source --sources" paths="--path-to --parents" rounds="--tolerance --max-iterations"
    local init="--init --fixed"
    local run="--output --output-header --top --device --plan --precision --seed --memory-limit --approximate --max-error --dry-run"
    run="$run --profile --checkpoint --every --resume --keep-source --trace --report $read $build $common"

    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
        return
    fi

    # "--name=val" arrives as three words: name, "=", val.
    if [ "$word" = "=" ]; then
        word=""
    elif [ "$before" = "=" ] && [ "$COMP_CWORD" -gt 2 ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $before in
    --format | -f | --from | --to)
        mapfile -t COMPREPLY < <(compgen -W "$formats" -- "$word")
        return
        ;;
    --direction)
        mapfile -t COMPREPLY < <(compgen -W "push pull" -- "$word")
        return
        ;;
    --new-weights)
        mapfile -t COMPREPLY < <(compgen -W "as-is zero infinity" -- "$word")
        return
        ;;
    --order)
        mapfile -t COMPREPLY < <(compgen -W "degree bfs out degree,bfs,out" -- "$word")
        return
        ;;
    --ids)
        mapfile -t COMPREPLY < <(compgen -W "auto int string" -- "$word")
        return
        ;;
    --header)
        mapfile -t COMPREPLY < <(compgen -W "auto yes no" -- "$word")
        return
        ;;
    --delimiter)
        mapfile -t COMPREPLY < <(compgen -W "tab space comma semicolon pipe" -- "$word")
        return
        ;;
    --weight-type)
        mapfile -t COMPREPLY < <(compgen -W "auto u32 i32 i64 f32 f64" -- "$word")
        return
        ;;
    --weight-column)
        mapfile -t COMPREPLY < <(compgen -W "auto none 3 4" -- "$word")
        return
        ;;
    --dedup)
        if [ "${COMP_WORDS[COMP_CWORD - 1]}" = "=" ] || [ "${COMP_WORDS[COMP_CWORD]}" = "=" ]; then
            mapfile -t COMPREPLY < <(compgen -W "first min max sum mean" -- "$word")
            return
        fi
        ;;
    --device | -d)
        [ "$command" = generate ] || mapfile -t COMPREPLY < <(compgen -W "auto cpu cuda opencl" -- "$word")
        return
        ;;
    --plan | --plans)
        mapfile -t COMPREPLY < <(compgen -W "$plans" -- "$word")
        return
        ;;
    --algorithm)
        mapfile -t COMPREPLY < <(compgen -W "$algorithms" -- "$word")
        return
        ;;
    --graph)
        mapfile -t COMPREPLY < <(compgen -W "$tests" -- "$word")
        return
        ;;
    --measure)
        mapfile -t COMPREPLY < <(compgen -W "jaccard overlap cosine adamic-adar resources attachment" -- "$word")
        return
        ;;
    --direction)
        mapfile -t COMPREPLY < <(compgen -W "both out in" -- "$word")
        return
        ;;
    --color)
        mapfile -t COMPREPLY < <(compgen -W "community component none" -- "$word")
        return
        ;;
    --size)
        mapfile -t COMPREPLY < <(compgen -W "degree rank none" -- "$word")
        return
        ;;
    --form)
        mapfile -t COMPREPLY < <(compgen -W "auto vertices communities" -- "$word")
        return
        ;;
    --precision)
        mapfile -t COMPREPLY < <(compgen -W "single double" -- "$word")
        return
        ;;
    --source | -s | --path-to | --top | --tolerance | --max-iterations | --delta | --damping | --samples | --confidence | \
        --count | --walks | --length | --return | --in-out | --component | --ego | --hops | --min-value | --max-value | --sample-vertices | --sample-edges | --core | --min-degree | --max-degree | \
        --min-weight | --max-weight | --rate | --param | --memory-limit | --max-error)
        return # an id or a number
        ;;
    --threads | -t | --vertices | -n | --level | --scale | --degree | --width | --height | --depth | --a | \
        --b | --c | --probability | -p | --branching | --blocks | --rates | --seed | --labels | --weights | -w)
        return # a number: nothing to offer
        ;;
    esac

    local options=$common
    case $command in
    bfs) options="$start --each $paths --verify $run" ;;
    sswp) options="$start $paths --verify $run" ;;
    sssp) options="$start --each $paths --delta --verify $run" ;;
    degree) options="--direction --weighted --verify $run" ;;
    toposort) options="$paths --weighted --verify $run" ;;
    cc | scc | mst | bridges | articulation | biconnected | bipartite | tc | lcc | kcore | truss) options="--verify $run" ;;
    similar) options="--measure --pairs $start --count --not-neighbours --min-degree --verify $run" ;;
    cdlp | lpa) options="--max-iterations --verify $run" ;;
    walks) options="$start --walks --length --weighted --return --in-out --verify $run" ;;
    pr) options="$start --each --damping $rounds --weighted --personalize --verify $run" ;;
    bc) options="$start --samples --confidence --normalized --verify $run" ;;
    closeness) options="$start --samples --reversed --reachable-only --verify $run" ;;
    harmonic) options="$start --samples --confidence --normalized --reversed --verify $run" ;;
    eccentricity) options="$start --samples --reversed --verify $run" ;;
    eigenvector) options="$rounds --weighted --verify $run" ;;
    katz) options="--alpha --normalized $rounds --weighted --verify $run" ;;
    hits) options="--hubs $rounds --weighted --verify $run" ;;
    louvain | leiden) options="--resolution --weighted --max-iterations --verify $run" ;;
    hs) options="$init --rate $rounds --verify $run" ;;
    cs | nn) options="$init $rounds --verify $run" ;;
    run) options="--param $start $init $rounds $run" ;;
    info) options="--structure --report $read $build $common" ;;
    explain) options="--report --device --plan $read $build $common" ;;
    selftest) options="--device --quick --algorithm --plan --graph --cases --seed --case --verbose $common" ;;
    graphalytics) options="run --device --graph --algorithms --output $common" ;;
    bench) options="--report --device --algorithms --plan --plans --repeats --sources --scale --seed --memory-limit --approximate --sweep --parents --no-verify --output --again $common" ;;
    cache) options="--device --algorithm --plan $common" ;;
    convert) options="$read --from $build $save --prepare --memory-limit $common" ;;
    generate) options="$shape $values $build $save --memory-limit $common" ;;
    subgraph) options="--keep --drop --values --min-value --max-value --ego --hops --component --largest --largest-strong --sample-vertices --sample-edges --seed --core --min-degree --max-degree --min-weight --max-weight $read $build $save $common" ;;
    draw) options="--color --size --weighted --labels --form --seed $read $build $common" ;;
    table) options="--columns --output --verify --device --seed $read $build $common" ;;
    transform) options="-K --K --direction --seed --new-weights $read $build $save $common" ;;
    esac

    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
        ;;
    esac
    case $command in
    generate)
        if [ "$COMP_CWORD" -eq 2 ]; then
            mapfile -t COMPREPLY < <(compgen -W "$kinds" -- "$word")
            return
        fi
        ;;
    transform)
        if [ "$COMP_CWORD" -eq 2 ]; then
            mapfile -t COMPREPLY < <(compgen -W "cliq circ star udt rstar" -- "$word")
            return
        fi
        ;;
    explain)
        if [ "$COMP_CWORD" -eq 2 ]; then
            mapfile -t COMPREPLY < <(compgen -W "$algorithms" -- "$word")
            return
        fi
        ;;
    bench)
        if [ "$COMP_CWORD" -eq 2 ]; then
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -W "presets graph500" -- "$word"; compgen -f -- "$word")
            return
        fi
        ;;
    cache)
        mapfile -t COMPREPLY < <(compgen -W "show warm clear" -- "$word")
        return
        ;;
    help)
        mapfile -t COMPREPLY < <(compgen -W "$commands formats generators plans reading running" -- "$word")
        return
        ;;
    devices | doctor | selftest | version) return ;;
    esac
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

complete -F _heddle heddle
