"""Which calls are worth it, by costs that bench/networkx_costs.py has measured (NetworkX 3.6.1, a CPU with 2 cores)."""
from __future__ import annotations

from itertools import islice
from typing import Any, Mapping, Optional

#: Functions that search from every node: NetworkX's time grows with nodes times edges.
PER_NODE = frozenset((
    "all_pairs_all_shortest_paths", "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length",
    "all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length", "all_pairs_shortest_path",
    "all_pairs_shortest_path_length", "average_shortest_path_length", "barycenter", "betweenness_centrality", "center",
    "centroid", "closeness_centrality", "common_neighbor_centrality", "diameter", "eccentricity", "global_efficiency",
    "global_reaching_centrality", "gutman_index", "harmonic_centrality", "harmonic_diameter", "hyper_wiener_index",
    "johnson", "periphery", "radius", "schultz_index", "wiener_index",
))

#: Microseconds for each node and edge of converting a graph, one with weights, and a multigraph with weights.
CONVERSION = (0.17, 0.49, 1)
_VIEW = 4  # times as long for a view, whose rows are filters in Python

#: {function: microseconds per unit in NetworkX; of a call in Heddle on a converted graph, fixed and per unit}
COSTS: dict[str, tuple[float, float, float]] = {
    "connected_components": (0.0807, 33, 0.0183),
    "number_connected_components": (0.0913, 25, 0.0119),
    "is_connected": (0.0802, 39, 0.0119),
    "node_connected_component": (0.0774, 22, 0.0181),
    "weakly_connected_components": (0.104, 32, 0.0245),
    "number_weakly_connected_components": (0.121, 40, 0.018),
    "is_weakly_connected": (0.129, 25, 0.013),
    "strongly_connected_components": (0.398, 133, 0.045),
    "number_strongly_connected_components": (0.405, 26, 0.0168),
    "is_strongly_connected": (0.426, 24, 0.0255),
    "attracting_components": (0.614, 143, 0.0623),
    "number_attracting_components": (0.576, 280, 0.0464),
    "is_attracting_component": (0.526, 136, 0.0427),
    "is_semiconnected": (0.606, 176, 0.0443),
    "is_tree": (0.0198, 4, 0.0196),
    "is_forest": (0.828, 34, 0.0366),
    "kosaraju_strongly_connected_components": (0.25, 141, 0.0351),
    "condensation": (0.525, 167, 0.201),
    "bfs_edges": (0.119, 242, 0.0899),
    "bfs_tree": (0.332, 125, 0.247),
    "bfs_predecessors": (0.172, 162, 0.109),
    "bfs_successors": (0.155, 172, 0.0904),
    "bfs_layers": (0.183, 163, 0.089),
    "bfs_labeled_edges": (0.301, 139, 0.293),
    "has_path": (0.00158, 18, 0.00542),
    "descendants": (0.132, 34, 0.0266),
    "ancestors": (0.119, 24, 0.0195),
    "descendants_at_distance": (0.00214, 25, 0.00613),
    "single_source_shortest_path_length": (0.0964, 27, 0.0244),
    "single_target_shortest_path_length": (0.101, 27, 0.0217),
    "all_pairs_shortest_path_length": (0.0589, 88, 0.0246),
    "single_source_shortest_path": (0.103, 109, 0.0983),
    "single_target_shortest_path": (0.136, 105, 0.106),
    "all_pairs_shortest_path": (0.0622, 549, 0.192),
    "predecessor": (0.267, 107, 0.164),
    "bidirectional_shortest_path": (0.00154, 206, 0.139),
    "shortest_path": (0.141, 114, 0.116),
    "shortest_path_length": (0.121, 30, 0.043),
    "all_shortest_paths": (0.346, 116, 0.209),
    "single_source_all_shortest_paths": (1.54, 105, 1.4),
    "all_pairs_all_shortest_paths": (1.02, 481, 1.11),
    "dijkstra_path": (0.0365, 116, 0.0562),
    "dijkstra_path_length": (0.0216, 27, 0.0121),
    "bidirectional_dijkstra": (0.0298, 121, 0.0508),
    "single_source_dijkstra": (0.94, 115, 0.144),
    "single_source_dijkstra_path": (1.1, 108, 0.152),
    "single_source_dijkstra_path_length": (0.546, 35, 0.0381),
    "multi_source_dijkstra": (0.774, 113, 0.146),
    "multi_source_dijkstra_path": (1.18, 113, 0.154),
    "multi_source_dijkstra_path_length": (0.891, 34, 0.0607),
    "dijkstra_predecessor_and_distance": (0.972, 107, 0.161),
    "all_pairs_dijkstra": (0.479, 798, 0.236),
    "all_pairs_dijkstra_path": (0.464, 750, 0.219),
    "all_pairs_dijkstra_path_length": (0.403, 203, 0.071),
    "johnson": (0.617, 734, 0.249),
    "voronoi_cells": (1.26, 118, 0.168),
    "bellman_ford_path": (1.92, 120, 0.106),
    "bellman_ford_path_length": (1.85, 27, 0.0484),
    "single_source_bellman_ford": (2.88, 118, 0.179),
    "single_source_bellman_ford_path": (2.17, 114, 0.149),
    "single_source_bellman_ford_path_length": (1.91, 35, 0.0813),
    "all_pairs_bellman_ford_path": (1.06, 804, 0.295),
    "all_pairs_bellman_ford_path_length": (0.742, 210, 0.0725),
    "goldberg_radzik": (2.6, 115, 0.125),
    "bellman_ford_predecessor_and_distance": (1.13, 112, 0.123),
    "average_shortest_path_length": (0.064, 79, 0.00833),
    "eccentricity": (0.067, 67, 0.00775),
    "diameter": (0.0667, 68, 0.0068),
    "radius": (0.0665, 67, 0.00639),
    "center": (0.0672, 71, 0.00683),
    "periphery": (0.0663, 68, 0.00705),
    "barycenter": (0.0613, 84, 0.00887),
    "harmonic_diameter": (0.316, 108, 0.0186),
    "wiener_index": (0.0623, 78, 0.00834),
    "hyper_wiener_index": (0.0676, 90, 0.0102),
    "global_efficiency": (0.0662, 108, 0.0154),
    "closeness_centrality": (0.0601, 78, 0.00822),
    "harmonic_centrality": (0.0772, 116, 0.0155),
    "local_reaching_centrality": (0.534, 49, 0.0683),
    "global_reaching_centrality": (0.128, 80, 0.0128),
    "ego_graph": (0.00925, 114, 0.0109),
    "betweenness_centrality": (0.315, 52, 0.00804),
    "pagerank": (1.15, 126, 0.0602),
    "eigenvector_centrality": (3.87, 56, 0.0539),
    "katz_centrality": (7.38, 62, 0.0642),
    "hits": (1.11, 176, 0.205),
    "minimum_spanning_edges": (1.53, 95, 1.69),
    "maximum_spanning_edges": (1.57, 96, 1.65),
    "minimum_spanning_tree": (2.03, 104, 2.1),
    "maximum_spanning_tree": (1.99, 111, 2.14),
    "core_number": (0.437, 23, 0.0342),
    "k_core": (3.71, 50, 3.06),
    "k_shell": (3.66, 45, 3.23),
    "k_crust": (0.633, 49, 0.172),
    "k_corona": (0.461, 86, 0.0456),
    "triangles": (0.936, 17, 0.0443),
    "transitivity": (3.56, 53, 0.0725),
    "clustering": (3.45, 20, 0.0575),
    "average_clustering": (3.44, 21, 0.0604),
    "centroid": (0.0613, 84, 0.00887),
    "jaccard_coefficient": (1.43, 158, 0.344),
    "adamic_adar_index": (0.613, 146, 0.337),
    "resource_allocation_index": (0.52, 106, 0.29),
    "bridges": (3.74, 41, 0.068),
    "has_bridges": (4.04, 20, 0.0376),
    "local_bridges": (1.87, 40, 0.421),
    "bridge_components": (6.31, 98, 0.223),
    "k_edge_components": (6.56, 100, 0.228),
    "k_edge_subgraphs": (6.77, 98, 0.223),
    "is_k_edge_connected": (4.3, 48, 0.0919),
    "articulation_points": (0.598, 22, 0.0588),
    "biconnected_components": (0.978, 41, 0.121),
    "biconnected_component_edges": (0.966, 37, 0.178),
    "is_biconnected": (0.981, 38, 0.103),
    "is_bipartite": (0.154, 42, 0.0822),
    "color": (0.162, 43, 0.0941),
    "sets": (0.193, 60, 0.0437),
    "is_bipartite_node_set": (2.8, 79, 0.134),
    "is_eulerian": (0.000304, 6, 0.00284),
    "is_semieulerian": (0.0167, 10, 0.00568),
    "has_eulerian_path": (0.0204, 10, 0.00706),
    "is_directed_acyclic_graph": (0.0257, 14, 0.0179),
    "is_arborescence": (0.0114, 4, 0.0111),
    "is_branching": (0.865, 25, 0.0644),
    "flow_hierarchy": (1.04, 30, 0.0633),
    "dag_longest_path_length": (0.721, 22, 0.0705),
    "degree_centrality": (0.0165, 6, 0.00669),
    "in_degree_centrality": (0.0122, 5, 0.0055),
    "out_degree_centrality": (0.0108, 5, 0.00489),
    "average_neighbor_degree": (0.248, 9, 0.0176),
    "average_degree_connectivity": (0.583, 20, 0.0318),
    "s_metric": (0.499, 7, 0.0334),
    "rich_club_coefficient": (1.06, 25, 0.0559),
    "overall_reciprocity": (1.95, 6, 0.132),
    "reciprocity": (2.28, 7, 0.134),
    "k_truss": (2.3, 27, 1.74),
    "onion_layers": (0.506, 29, 0.106),
    "group_closeness_centrality": (0.449, 30, 0.0261),
    "is_dominating_set": (0.0453, 7, 0.012),
    "gutman_index": (0.0424, 74, 0.00778),
    "schultz_index": (0.0399, 71, 0.00591),
    "louvain_communities": (14.3, 52, 0.297),
    "leiden_communities": (14.3, 71, 0.506),
    "asyn_lpa_communities": (3.15, 32, 0.207),
    "fast_label_propagation_communities": (2.13, 34, 0.186),
    "modularity": (0.504, 22, 0.0715),
    "partition_quality": (0.167, 15, 0.0346),
    "intra_community_edges": (0.496, 12, 0.0391),
    "inter_community_edges": (25.6, 15, 0.0407),
    "common_neighbor_centrality": (0.0335, 150, 0.0166),
    "preferential_attachment": (0.188, 44, 0.151),
}


#: Heddle takes a call that is expected to take at most this share of NetworkX's time: costs are rough.
_SHARE = 0.6
_SMALL = 500  # microseconds: calls that take less stay with NetworkX
#: Functions in which NetworkX's search ends when it has met the target, or the nodes near the source.
_NEAR = frozenset(("bidirectional_dijkstra", "bidirectional_shortest_path", "descendants_at_distance", "dijkstra_path",
                   "dijkstra_path_length", "ego_graph", "has_path", "is_tree"))
#: The same if there is a target.
_TARGETED = frozenset(("multi_source_dijkstra", "shortest_path", "shortest_path_length", "single_source_dijkstra"))
#: Functions that NetworkX answers by one search from the graph's first node.
_FIRST = frozenset(("is_connected", "is_strongly_connected", "is_weakly_connected"))
#: Functions whose searches are against the arcs.
_BACKWARD = frozenset(("ancestors", "closeness_centrality", "single_target_shortest_path",
                       "single_target_shortest_path_length"))
_FEW = 64  # nodes


def refusal(name: str, graph: Any, given: Mapping[str, Any], converted: bool) -> Optional[str]:
    """Why NetworkX's own code is expected to be faster; None: Heddle is."""
    targeted = name in _TARGETED and given.get("source", 0) is not None and given.get("target") is not None
    if name in _NEAR or targeted or given.get("cutoff") is not None or given.get("depth_limit") is not None:
        return f"{name} may end in NetworkX after a few nodes"
    if len(graph) < _FEW // 2:
        return "the graph is small"
    size = _size(graph)
    units = size * _searches(name, graph, given)
    each, fixed, own = COSTS[name]
    theirs, ours = each * units, fixed + own * units + (0 if converted else _conversion(graph, given) * size)
    if theirs < _SMALL or ours > _SHARE * theirs:
        return (f"{name} takes about {theirs:.0f} us in NetworkX on {size:.0f} nodes and edges; "
                f"{'a call' if converted else 'converting the graph and a call'} about {ours:.0f} us")
    return f"{name} reaches a few nodes only" if _ends_soon(name, graph, given) else None


def _size(graph: Any) -> float:
    """Nodes and edges; of many nodes the first ones give an estimate for the others."""
    count = len(graph)
    degrees = list(map(len, islice(graph._adj.values(), _FEW)))
    return count + sum(degrees) * (count / max(1, len(degrees))) / (1 if graph.is_directed() else 2)


def _searches(name: str, graph: Any, given: Mapping[str, Any]) -> float:
    """How many searches a function makes; of those that look at each node, the share of nodes that they look at."""
    if name == "betweenness_centrality":
        return float(given["k"] or len(graph))
    chosen = given.get(_CHOSEN.get(name, ""))
    every = len(graph) if name in PER_NODE else 1
    if chosen is None:
        return every
    return every * (len(chosen) if isinstance(chosen, (list, set, dict)) else 1) / max(1, len(graph))


#: Arguments that name the nodes that are requested; None: all.
_CHOSEN = {"adamic_adar_index": "ebunch", "closeness_centrality": "u", "clustering": "nodes", "eccentricity": "v",
           "harmonic_centrality": "nbunch", "jaccard_coefficient": "ebunch", "preferential_attachment": "ebunch",
           "resource_allocation_index": "ebunch", "triangles": "nodes"}


def _conversion(graph: Any, given: Mapping[str, Any]) -> float:
    """Microseconds for each node and edge."""
    simple, weighted, multi = CONVERSION
    each = multi if graph.is_multigraph() else simple
    if given.get("weight") is not None or given.get("distance") is not None:
        each = max(each, 1.5 * weighted)  # searches that return paths read weights twice
    return _VIEW * each if hasattr(graph, "_graph") else each


def _ends_soon(name: str, graph: Any, given: Mapping[str, Any]) -> bool:
    """Whether NetworkX's search from the nodes given meets a few nodes only."""
    to_target = given.get("source") is None and given.get("target") is not None
    starts = [given[key] for key in ("source", "n", "v", "u") if given.get(key) is not None]
    if name == "eccentricity" and isinstance(given["v"], (list, set, dict)):
        starts = list(given["v"])
    if name in _FIRST:
        starts = list(islice(graph, 1))
    elif to_target:
        starts = [given["target"]]
    elif isinstance(given.get("sources"), (list, tuple, set)):
        starts = list(given["sources"])
    backward = to_target or name in _BACKWARD or given.get("reverse") is True
    try:
        return 0 < len(starts) < _FEW and _closed(
            graph._pred if backward and graph.is_directed() else graph._adj, starts, name == "is_strongly_connected")
    except (KeyError, TypeError):  # not a node: NetworkX says so
        return True


def _closed(rows: Any, starts: list[Any], to_an_end: bool) -> bool:
    """Whether a search ends within a few nodes, or, with `to_an_end`, finds one there that nothing leaves."""
    seen = set(starts)
    found = list(seen)
    for node in found:  # it grows
        if to_an_end and not rows[node]:
            return True
        for other in islice(rows[node], _FEW):
            if other not in seen:
                if len(found) >= _FEW:
                    return False
                seen.add(other)
                found.append(other)
    return True
