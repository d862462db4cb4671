#!/bin/sh
# unload-graph.sh - removes what load-graph.sh has written, and nothing else.
set -eu
known="graph-name output-path"
. "$(dirname "$0")/arguments.sh"
needs output-path
rm -f "$output_path/graph.directed" "$output_path/graph.hdl"
rmdir "$output_path" 2>/dev/null || :
