#!/bin/sh
# execute-job.sh - runs one algorithm on a loaded graph: the result in the benchmark's form to --output-path, the report
# to the folder --log-path, and to standard output when the processing began and ended, in milliseconds since 1970.
set -eu
known="job-id log-path algorithm source-vertex max-iteration max-iterations damping-factor input-path input-dir \
output-path output-file home-dir num-machines num-threads directed weighted"
. "$(dirname "$0")/arguments.sh"
needs job-id log-path algorithm input-path output-path
[ "${num_machines:-1}" = 1 ] || fail "--num-machines $num_machines: the driver runs on one machine"
[ -f "$input_path/graph.directed" ] || fail "$input_path: no graph has been loaded there"
algorithm=$(echo "$algorithm" | tr '[:upper:]' '[:lower:]')
case $algorithm in
    bfs | sssp) needs source-vertex ;;
    pr) needs max-iteration damping-factor ;;
    cdlp) needs max-iteration ;;
    wcc | lcc) ;;
    *) fail "--algorithm $algorithm: expected bfs, cdlp, lcc, pr, sssp or wcc" ;;
esac
mkdir -p "$log_path"
job=$(mktemp -d)
echo $$ >"$log_path/$job_id.pid"
child=
trap 'rm -rf "$job" "$log_path/$job_id.pid"' EXIT
trap 'if [ -n "$child" ]; then kill "$child" 2>/dev/null; fi; exit 143' TERM INT

# The job as a data set of its own.
ln -s "$(cd "$input_path" && pwd)/graph.hdl" "$job/graph.hdl"
{
    echo "graph.job.vertex-file = graph.hdl"
    echo "graph.job.edge-file = graph.hdl"
    echo "graph.job.directed = $(cat "$input_path/graph.directed")"
    echo "graph.job.algorithms = $algorithm"
    [ -z "${source_vertex:-}" ] || echo "graph.job.$algorithm.source-vertex = $source_vertex"
    [ -z "${damping_factor:-}" ] || echo "graph.job.pr.damping-factor = $damping_factor"
    case $algorithm in
        pr) echo "graph.job.pr.num-iterations = $max_iteration" ;;
        cdlp) echo "graph.job.cdlp.max-iterations = $max_iteration" ;;
    esac
} >"$job/job.properties"
threads=
[ "${num_threads:-0}" = 0 ] || threads="--threads $num_threads"
"$heddle" graphalytics run "$job/job.properties" --json --quiet --device "${HEDDLE_DEVICE:-auto}" $threads \
    --output "$job" >"$log_path/$job_id.json" &
child=$!
wait "$child"
child=

result=$job/job-$(echo "$algorithm" | tr '[:lower:]' '[:upper:]')
[ ! -d "$output_path" ] || output_path=$output_path/$(basename "$result")
mkdir -p "$(dirname "$output_path")"
mv "$result" "$output_path"
begin=$(sed -n 's/.*"started": *\([0-9]*\).*/\1/p' "$log_path/$job_id.json")
seconds=$(sed -n 's/.*"processing": *\([0-9.eE+-]*\).*/\1/p' "$log_path/$job_id.json")
echo "Processing starts at: $begin"
echo "Processing ends at: $(awk "BEGIN { printf \"%.0f\", $begin + 1000 * $seconds }")"
