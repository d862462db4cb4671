"""Which calls are worth it."""
from __future__ import annotations

from .info import FUNCTIONS

# Estimates, not measurements: NetworkX's time for a call in passes over the edges in its own Python code (0: a pass for
# each node), of a call of Heddle in edges, and of converting a graph in such passes.
PASSES = {name: 1 for name in FUNCTIONS}
PASSES.update(dict.fromkeys(["strongly_connected_components", "number_strongly_connected_components", "condensation",
                              "is_strongly_connected", "kosaraju_strongly_connected_components"], 6))
PASSES.update(dict.fromkeys([name for name in FUNCTIONS if "dijkstra" in name or "bellman" in name], 6))
PASSES.update(dict.fromkeys([name for name in FUNCTIONS if "spanning" in name], 1))
PASSES.update(dict.fromkeys(["pagerank", "core_number", "triangles", "transitivity", "clustering",
                              "average_clustering"], 10))
PASSES.update(dict.fromkeys([name for name in FUNCTIONS if name.startswith("all_pairs")] + [
    "average_shortest_path_length", "eccentricity", "diameter", "radius", "center", "periphery",
    "closeness_centrality", "harmonic_centrality", "betweenness_centrality"], 0))
CALL = 2000
CONVERSION = 2
