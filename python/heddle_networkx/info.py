"""The functions of the backend, for `networkx.backend_info`; imports nothing."""
from __future__ import annotations

from typing import Any

#: {function: in which cases it runs here; in all others NetworkX's own code answers}
FUNCTIONS: dict[str, str] = {
    # components
    "connected_components": "", "number_connected_components": "", "is_connected": "", "node_connected_component": "",
    "weakly_connected_components": "", "number_weakly_connected_components": "", "is_weakly_connected": "",
    "strongly_connected_components": "", "number_strongly_connected_components": "", "is_strongly_connected": "",
    "kosaraju_strongly_connected_components": "`source` is None.",
    "condensation": "`scc` is None.",
    # reachability and distances in edges
    "has_path": "", "descendants": "", "ancestors": "", "descendants_at_distance": "",
    "single_source_shortest_path_length": "", "single_target_shortest_path_length": "",
    "all_pairs_shortest_path_length": "",
    "shortest_path_length": "`weight` is None or the name of an attribute; a source or a target is given.",
    "average_shortest_path_length": "`weight` is None.",
    "eccentricity": "`sp` and `weight` are None.", "diameter": "`e` and `weight` are None, `usebounds` is False.",
    "radius": "`e` and `weight` are None, `usebounds` is False.",
    "center": "`e` and `weight` are None, `usebounds` is False.",
    "periphery": "`e` and `weight` are None, `usebounds` is False.",
    "closeness_centrality": "`distance` is None.",
    "harmonic_centrality": "`distance` and `sources` are None.",
    "betweenness_centrality": "`weight` is None, `endpoints` is False.",
    # weighted distances: the weight is the name of an attribute with finite numbers that are not negative
    "single_source_dijkstra_path_length": "`weight` is the name of an attribute.",
    "multi_source_dijkstra_path_length": "`weight` is the name of an attribute.",
    "dijkstra_path_length": "`weight` is the name of an attribute.",
    "all_pairs_dijkstra_path_length": "`weight` is the name of an attribute.",
    "single_source_bellman_ford_path_length": "`weight` is the name of an attribute; no weight is negative.",
    "bellman_ford_path_length": "`weight` is the name of an attribute; no weight is negative.",
    "all_pairs_bellman_ford_path_length": "`weight` is the name of an attribute; no weight is negative.",
    # trees
    "minimum_spanning_edges": "`algorithm` is 'kruskal'.", "maximum_spanning_edges": "`algorithm` is 'kruskal'.",
    "minimum_spanning_tree": "`algorithm` is 'kruskal'.", "maximum_spanning_tree": "`algorithm` is 'kruskal'.",
    # ranks, cores, triangles
    "pagerank": "`nstart` and `dangling` are None; weights are positive.",
    "core_number": "The graph is undirected.", "triangles": "", "transitivity": "The graph is undirected.",
    "clustering": "The graph is undirected, `weight` is None.",
    "average_clustering": "The graph is undirected, `weight` is None.",
}


def get_info() -> dict[str, Any]:
    return {
        "backend_name": "heddle",
        "project": "heddle",
        "package": "heddle_networkx",
        "short_summary": "Graph analytics on CPUs and GPUs, exact; conversion is cached.",
        "default_config": {},
        "functions": {name: {"additional_docs": ("Runs in Heddle if: " + when) if when else "Runs in Heddle."}
                      for name, when in FUNCTIONS.items()},
    }
