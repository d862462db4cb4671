# arguments.sh - reads what the harness passes: pairs of --name and value. Each becomes a variable of its name, in
# lower case and with _ for -; names that the script does not list in $known are refused. To be sourced.
heddle=${HEDDLE:-heddle}

fail() {
    echo "heddle: $(basename "$0"): $*" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    name=${1#--}
    case " $known " in
        *" $name "*) ;;
        *) fail "'$1': expected some of$(printf ' --%s' $known)" ;;
    esac
    [ $# -gt 1 ] || fail "$1: a value is missing"
    case $name in # drivers of different age call these differently
        input-dir) name=input-path ;;
        output-file) name=output-path ;;
        max-iterations) name=max-iteration ;;
    esac
    eval "$(echo "$name" | tr - _)=\$2"
    shift 2
done

# needs NAME …: these must have been given.
needs() {
    for wanted; do
        eval "[ -n \"\${$(echo "$wanted" | tr - _):-}\" ]" || fail "--$wanted is missing"
    done
}

# is_true NAME TEXT: true or false, nothing else.
is_true() {
    case $2 in
        true) return 0 ;;
        false) return 1 ;;
        *) fail "--$1 $2: expected true or false" ;;
    esac
}
