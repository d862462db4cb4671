"""The functions of the backend, for `networkx.backend_info`; imports nothing."""
from __future__ import annotations

from typing import Any

_NAME = "`weight` is the name of an attribute; no weight is negative."
_MAYBE = "`weight` is None or the name of an attribute; no weight is negative."
_FAR = _MAYBE + " `e` is None, `usebounds` is False."
_MIDDLE = _MAYBE + " `attr` and `sp` are None."
_TREE = "`algorithm` is 'kruskal'."
_PLAIN = "The graph is undirected."
_CORE = _PLAIN + " `core_number` is None."
_PAIRS = "`ebunch` is a list of pairs, or another collection; there are no loops."
_ALONE = _PLAIN + " There are no parallel edges."
_LOOPLESS = _ALONE + " There are no loops."
_UNWEIGHTED = "`weight` is None."
_SEED = "`seed` is None: communities are drawn by chance."
_LIST = "The partition is a list of sets."
_BFS = "`sort_neighbors` is None."

#: {function: in which cases it runs here; in all others NetworkX's own code answers}
FUNCTIONS: dict[str, str] = {
    # components
    "connected_components": "", "number_connected_components": "", "is_connected": "", "node_connected_component": "",
    "weakly_connected_components": "", "number_weakly_connected_components": "", "is_weakly_connected": "",
    "strongly_connected_components": "", "number_strongly_connected_components": "", "is_strongly_connected": "",
    "attracting_components": "", "number_attracting_components": "", "is_attracting_component": "",
    "is_semiconnected": "", "is_tree": "", "is_forest": "",
    "kosaraju_strongly_connected_components": "`source` is None.", "condensation": "`scc` is None.",
    # breadth-first searches
    "bfs_edges": _BFS, "bfs_tree": _BFS, "bfs_predecessors": _BFS, "bfs_successors": _BFS, "bfs_layers": "",
    "bfs_labeled_edges": "", "has_path": "", "descendants": "", "ancestors": "", "descendants_at_distance": "",
    # paths in edges
    "single_source_shortest_path_length": "", "single_target_shortest_path_length": "",
    "all_pairs_shortest_path_length": "", "single_source_shortest_path": "", "single_target_shortest_path": "",
    "all_pairs_shortest_path": "", "predecessor": "", "bidirectional_shortest_path": "",
    # paths with a weight or none
    "shortest_path": _MAYBE + " A source or a target is given.",
    "shortest_path_length": _MAYBE + " A source or a target is given.", "all_shortest_paths": _MAYBE,
    "single_source_all_shortest_paths": _MAYBE, "all_pairs_all_shortest_paths": _MAYBE,
    # paths by weight
    "dijkstra_path": _NAME, "dijkstra_path_length": _NAME, "bidirectional_dijkstra": _NAME,
    "single_source_dijkstra": _NAME, "single_source_dijkstra_path": _NAME, "single_source_dijkstra_path_length": _NAME,
    "multi_source_dijkstra": _NAME, "multi_source_dijkstra_path": _NAME, "multi_source_dijkstra_path_length": _NAME,
    "dijkstra_predecessor_and_distance": _NAME, "all_pairs_dijkstra": _NAME, "all_pairs_dijkstra_path": _NAME,
    "all_pairs_dijkstra_path_length": _NAME, "johnson": _NAME, "voronoi_cells": _NAME, "bellman_ford_path": _NAME,
    "bellman_ford_path_length": _NAME, "single_source_bellman_ford": _NAME, "single_source_bellman_ford_path": _NAME,
    "single_source_bellman_ford_path_length": _NAME, "all_pairs_bellman_ford_path": _NAME,
    "all_pairs_bellman_ford_path_length": _NAME, "goldberg_radzik": _NAME,
    "bellman_ford_predecessor_and_distance": _NAME + " `target` is None, `heuristic` is False.",
    # measures of distances
    "average_shortest_path_length": _MAYBE + " `method` is None.", "eccentricity": _MAYBE + " `sp` is None.",
    "diameter": _FAR, "radius": _FAR, "center": _FAR, "periphery": _FAR,
    "barycenter": _MIDDLE, "centroid": _MIDDLE, "harmonic_diameter": _MAYBE + " `sp` is None.",
    "wiener_index": _MAYBE, "hyper_wiener_index": _MAYBE, "global_efficiency": "",
    "closeness_centrality": "`distance` is None or the name of an attribute; none is negative.",
    "harmonic_centrality": "`distance` is None or the name of an attribute; `sources` is None.",
    "local_reaching_centrality": "`weight` and `paths` are None.", "global_reaching_centrality": "`weight` is None.",
    "ego_graph": "`distance` is None or the name of an attribute; `undirected` is False.",
    # ranks
    "betweenness_centrality": "`weight` is None, `endpoints` is False.",
    "pagerank": "`nstart` and `dangling` are None; weights are positive.",
    "eigenvector_centrality": _MAYBE + " `nstart` is None; it converges.",
    "katz_centrality": _MAYBE + " `nstart` is None, `alpha` and `beta` are positive numbers; it converges.",
    "hits": "`nstart` is None, `normalized` is True, `max_iter` at least 100; no weight is negative; it converges.",
    # trees
    "minimum_spanning_edges": _TREE, "maximum_spanning_edges": _TREE, "minimum_spanning_tree": _TREE,
    "maximum_spanning_tree": _TREE,
    # cores and triangles
    "core_number": _CORE, "k_core": _CORE, "k_shell": _CORE, "k_crust": _CORE, "k_corona": _CORE, "triangles": "",
    "transitivity": _PLAIN, "clustering": _PLAIN + " `weight` is None.",
    "average_clustering": _PLAIN + " `weight` is None.",
    # what holds a graph together
    "bridges": _ALONE + " `root` is None.", "has_bridges": _ALONE + " `root` is None.",
    "local_bridges": _LOOPLESS + " `with_span` is False, `weight` is None.", "bridge_components": _ALONE,
    "k_edge_components": _ALONE + " `k` is 1 or 2.", "k_edge_subgraphs": _ALONE + " `k` is 1 or 2.",
    "is_k_edge_connected": _ALONE + " `k` is 1 or 2.", "articulation_points": _LOOPLESS,
    "biconnected_components": _LOOPLESS, "biconnected_component_edges": _LOOPLESS, "is_biconnected": _LOOPLESS,
    "is_bipartite": "", "color": "", "sets": "`top_nodes` is None.",
    "is_bipartite_node_set": _PLAIN + " `nodes` is a collection.", "is_eulerian": "", "is_semieulerian": "",
    "has_eulerian_path": "`source` is None.",
    # directed acyclic graphs
    "is_directed_acyclic_graph": "", "is_arborescence": "", "is_branching": "", "flow_hierarchy": _UNWEIGHTED,
    "dag_longest_path_length": "There is no cycle, and edges have no attributes; `default_weight` is 1.",
    # degrees, trusses, layers
    "degree_centrality": "", "in_degree_centrality": "", "out_degree_centrality": "",
    "average_neighbor_degree": _UNWEIGHTED + " `source` and `target` are 'out', `nodes` is None.",
    "average_degree_connectivity": _PLAIN + " " + _UNWEIGHTED + " `nodes` is None.", "s_metric": "",
    "rich_club_coefficient": _LOOPLESS + " `normalized` is False.", "overall_reciprocity": "",
    "reciprocity": "`nodes` is None.", "k_truss": _LOOPLESS, "onion_layers": _LOOPLESS,
    "group_closeness_centrality": _UNWEIGHTED + " `S` is a collection.",
    "is_dominating_set": "`nbunch` is a collection.",
    "gutman_index": _ALONE + " " + _UNWEIGHTED, "schultz_index": _ALONE + " " + _UNWEIGHTED,
    # communities
    "louvain_communities": _ALONE + " " + _SEED + " `max_level` is None; no weight is negative.",
    "leiden_communities": _ALONE + " " + _SEED + " `max_level` is None; no weight is negative.",
    "asyn_lpa_communities": _ALONE + " " + _SEED + " " + _UNWEIGHTED,
    "fast_label_propagation_communities": _ALONE + " " + _SEED + " " + _UNWEIGHTED,
    "modularity": _MAYBE + " " + _LIST, "partition_quality": _LIST, "intra_community_edges": _LIST,
    "inter_community_edges": _LIST + " There are no parallel edges.",
    # link prediction
    "common_neighbor_centrality": _PAIRS,
    "jaccard_coefficient": _PAIRS, "adamic_adar_index": _PAIRS, "resource_allocation_index": _PAIRS,
    "preferential_attachment": _PAIRS,
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
