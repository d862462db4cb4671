"""Which calls are worth it, by costs that bench/networkx_costs.py has measured (NetworkX 3.6.1, a CPU with 2 cores)."""
from __future__ import annotations

from typing import Any, Optional

#: Functions that search from every node: NetworkX's time grows with nodes times edges.
PER_NODE = frozenset((
    "all_pairs_all_shortest_paths", "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length",
    "all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length", "all_pairs_shortest_path",
    "all_pairs_shortest_path_length", "average_shortest_path_length", "barycenter", "betweenness_centrality", "center",
    "centroid", "closeness_centrality", "diameter", "eccentricity", "global_efficiency", "global_reaching_centrality",
    "harmonic_centrality", "harmonic_diameter", "hyper_wiener_index", "johnson", "periphery", "radius", "wiener_index",
))

#: Microseconds for each node and edge of converting a multigraph with weights, the dearest kind.
CONVERSION = 1.2

#: {function: microseconds per unit in NetworkX; of a call in Heddle on a converted graph, fixed and per unit}
COSTS: dict[str, tuple[float, float, float]] = {
    "connected_components": (0.181, 70, 0.384),
    "number_connected_components": (0.123, 61, 0.00955),
    "is_connected": (0.105, 65, 0.00829),
    "node_connected_component": (0.0971, 56, 0.017),
    "weakly_connected_components": (0.149, 87, 0.0419),
    "number_weakly_connected_components": (0.178, 55, 0.116),
    "is_weakly_connected": (0.148, 62, 0.0199),
    "strongly_connected_components": (1.58, 255, 0.103),
    "number_strongly_connected_components": (1.4, 114, 0.0332),
    "is_strongly_connected": (0.821, 56, 0.0403),
    "attracting_components": (2.75, 353, 0.169),
    "number_attracting_components": (2.23, 288, 0.0944),
    "is_attracting_component": (0.863, 421, 0.0588),
    "is_semiconnected": (3.7, 328, 0.427),
    "is_tree": (0.0288, 16, 0.0278),
    "is_forest": (5.12, 65, 0.193),
    "kosaraju_strongly_connected_components": (1.33, 277, 0.132),
    "condensation": (2.9, 294, 0.597),
    "bfs_edges": (0.27, 309, 0.185),
    "bfs_tree": (1.76, 294, 0.542),
    "bfs_predecessors": (0.207, 217, 0.142),
    "bfs_successors": (0.228, 210, 0.123),
    "bfs_layers": (0.232, 272, 0.0905),
    "bfs_labeled_edges": (1.01, 270, 0.82),
    "has_path": (0.00404, 78, 0.0086),
    "descendants": (0.297, 58, 0.0931),
    "ancestors": (0.264, 50, 0.323),
    "descendants_at_distance": (0.00358, 63, 0.00911),
    "single_source_shortest_path_length": (0.199, 73, 0.0842),
    "single_target_shortest_path_length": (0.236, 71, 0.093),
    "all_pairs_shortest_path_length": (0.319, 194, 0.044),
    "single_source_shortest_path": (0.276, 200, 0.234),
    "single_target_shortest_path": (1.18, 196, 0.679),
    "all_pairs_shortest_path": (0.149, 1656, 0.822),
    "predecessor": (1.59, 362, 0.558),
    "bidirectional_shortest_path": (0.00348, 598, 0.899),
    "shortest_path": (0.888, 625, 0.316),
    "shortest_path_length": (0.409, 156, 0.092),
    "all_shortest_paths": (0.932, 199, 0.709),
    "single_source_all_shortest_paths": (7.31, 54, 6.21),
    "all_pairs_all_shortest_paths": (4.71, 0, 6.55),
    "dijkstra_path": (0.0897, 308, 0.0705),
    "dijkstra_path_length": (0.036, 69, 0.0238),
    "bidirectional_dijkstra": (0.072, 329, 0.0923),
    "single_source_dijkstra": (4.7, 249, 0.308),
    "single_source_dijkstra_path": (5.38, 298, 0.211),
    "single_source_dijkstra_path_length": (6.6, 85, 0.115),
    "multi_source_dijkstra": (4.81, 359, 0.395),
    "multi_source_dijkstra_path": (6.98, 274, 0.239),
    "multi_source_dijkstra_path_length": (5.25, 109, 0.115),
    "dijkstra_predecessor_and_distance": (5.68, 238, 0.551),
    "all_pairs_dijkstra": (1.6, 2096, 0.826),
    "all_pairs_dijkstra_path": (2.31, 1787, 0.799),
    "all_pairs_dijkstra_path_length": (1.49, 546, 0.379),
    "johnson": (2.36, 1548, 0.763),
    "voronoi_cells": (5.43, 210, 0.245),
    "bellman_ford_path": (5.06, 265, 0.125),
    "bellman_ford_path_length": (4.42, 59, 0.448),
    "single_source_bellman_ford": (7.17, 211, 0.201),
    "single_source_bellman_ford_path": (5.04, 347, 0.241),
    "single_source_bellman_ford_path_length": (6.24, 79, 0.123),
    "all_pairs_bellman_ford_path": (4.17, 1528, 0.964),
    "all_pairs_bellman_ford_path_length": (2.52, 533, 0.27),
    "goldberg_radzik": (14.1, 333, 0.418),
    "bellman_ford_predecessor_and_distance": (7.17, 218, 0.213),
    "average_shortest_path_length": (0.225, 150, 0.0189),
    "eccentricity": (0.191, 229, 0.0145),
    "diameter": (0.277, 176, 0.0234),
    "radius": (0.231, 159, 0.0167),
    "center": (0.125, 140, 0.0148),
    "periphery": (0.204, 147, 0.0158),
    "barycenter": (0.105, 263, 0.032),
    "harmonic_diameter": (0.974, 215, 0.0297),
    "wiener_index": (0.0834, 174, 0.0141),
    "hyper_wiener_index": (0.163, 172, 0.0199),
    "global_efficiency": (0.155, 363, 0.025),
    "closeness_centrality": (0.145, 150, 0.0167),
    "harmonic_centrality": (0.175, 283, 0.0282),
    "local_reaching_centrality": (1.34, 101, 0.115),
    "global_reaching_centrality": (0.455, 158, 0.0229),
    "ego_graph": (0.0137, 200, 0.0126),
    "betweenness_centrality": (0.847, 114, 0.0121),
    "pagerank": (3.28, 261, 0.262),
    "eigenvector_centrality": (19.1, 90, 0.061),
    "katz_centrality": (34.7, 123, 0.0588),
    "hits": (10, 272, 2.55),
    "minimum_spanning_edges": (4.02, 123, 3.93),
    "maximum_spanning_edges": (3.13, 162, 3.04),
    "minimum_spanning_tree": (3.82, 164, 3.54),
    "maximum_spanning_tree": (8.62, 35, 11.1),
    "core_number": (3.51, 88, 0.498),
    "k_core": (17.3, 0, 18.2),
    "k_shell": (17.8, 0, 8.85),
    "k_crust": (0.863, 100, 0.43),
    "k_corona": (0.61, 160, 0.0576),
    "triangles": (2.95, 57, 0.351),
    "transitivity": (19.5, 131, 0.0782),
    "clustering": (14.2, 45, 0.304),
    "average_clustering": (18, 56, 0.0791),
    "centroid": (0.105, 263, 0.032),
}


def refusal(name: str, graph: Any, converted: bool) -> Optional[str]:
    """Why NetworkX's own code is expected to be faster; None: Heddle is."""
    size = graph.number_of_nodes() + graph.number_of_edges()
    units = size * (graph.number_of_nodes() if name in PER_NODE else 1)
    each, fixed, own = COSTS[name]
    theirs, ours = each * units, fixed + own * units + (0 if converted else CONVERSION * size)
    if ours < theirs:
        return None
    return (f"{name} takes about {theirs:.0f} us in NetworkX on {size} nodes and edges; "
            f"{'a call' if converted else 'converting the graph and a call'} about {ours:.0f} us")
