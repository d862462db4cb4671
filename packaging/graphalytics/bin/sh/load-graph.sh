#!/bin/sh
# load-graph.sh - converts a data set of Graphalytics to one .hdl file, in-edges included, which execute-job.sh maps.
set -eu
known="graph-name input-vertex-path input-edge-path output-path directed weighted"
. "$(dirname "$0")/arguments.sh"
needs graph-name input-vertex-path input-edge-path output-path directed weighted

options="--format edgelist --ids int --header no --in-edges --quiet"
is_true directed "$directed" || options="$options --symmetrize"
if is_true weighted "$weighted"; then
    options="$options --weight-column 3 --weight-type f64"
else
    options="$options --weight-column none"
fi
mkdir -p "$output_path"
rm -f "$output_path/graph.directed"
"$heddle" convert "$input_edge_path" "$output_path/graph.hdl" --vertices-from "$input_vertex_path" $options
echo "$directed" >"$output_path/graph.directed" # last: a graph that has it is complete
