"""Which calls fit: what has to hold of the graph and the arguments of each function. Else NetworkX answers."""
from __future__ import annotations

import math
import random
from typing import Any, Callable, Collection, Optional

import networkx as nx  # type: ignore[import-untyped, unused-ignore]

Arguments = dict[str, Any]
Check = Callable[[Any, Arguments], Optional[str]]  # why Heddle does not take the call; None: it does

FAULTS: set[Check] = set()


def _fault(check: Check) -> Check:
    """A check of what is a fault, or trivial, in NetworkX too: its code answers, and `can_run` does not mind."""
    FAULTS.add(check)
    return check


#: What a class of graphs that is its own adjacency's master redefines.
_ADJACENCY = {"__getitem__", "__iter__", "__len__", "_adj", "_pred", "adj", "adjacency", "is_directed", "is_multigraph",
              "neighbors", "nodes", "pred", "predecessors", "succ", "successors"}


_kept: dict[type, bool] = {}


def keeps_adjacency(kind: type) -> bool:
    """Whether graphs of this class have their edges in `_adj`, as NetworkX's own classes do."""
    if kind not in _kept:
        own = [one for one in kind.__mro__ if not one.__module__.startswith("networkx.classes.")]
        changed = any(_ADJACENCY & vars(one).keys() for one in own if one is not object)
        _kept[kind] = issubclass(kind, nx.Graph) and not changed
    return _kept[kind]


@_fault
def _directed(G: Any, _: Arguments) -> Optional[str]:
    return None if G.is_directed() else "it is for directed graphs"


@_fault
def _undirected(G: Any, _: Arguments) -> Optional[str]:
    return "it is for undirected graphs" if G.is_directed() else None


@_fault
def _not_null(G: Any, _: Arguments) -> Optional[str]:
    return None if len(G) else "the graph has no nodes"


@_fault
def _several(G: Any, _: Arguments) -> Optional[str]:
    return None if len(G) > 1 else "the graph has fewer than two nodes"


def _simple(G: Any, _: Arguments) -> Optional[str]:
    return "the graph is a multigraph" if G.is_multigraph() else None


def _is(**values: Any) -> Check:
    """Arguments that have to have these values."""
    def check(_: Any, given: Arguments) -> Optional[str]:
        for name, value in values.items():
            if given.get(name, value) is not value and given.get(name) != value:
                return f"{name} is not {value!r}"
        return None
    return check


def _node(*names: str) -> Check:
    """Arguments that are nodes of the graph."""
    def check(G: Any, given: Arguments) -> Optional[str]:
        for name in names:
            try:
                if given[name] not in G:
                    return f"{name} is not in the graph"
            except TypeError:
                return f"{name} is not hashable"
        return None
    return _fault(check)


def _node_if_any(name: str) -> Check:
    check = _node(name)
    return _fault(lambda G, given: None if given[name] is None else check(G, given))


@_fault
def _edges(G: Any, _: Arguments) -> Optional[str]:
    return None if G.number_of_edges() else "the graph has no edges"


@_fault
def _not_a_tree(G: Any, given: Arguments) -> Optional[str]:
    """Centres of trees are found in one pass, by NetworkX."""
    tree = not G.is_directed() and given["weight"] is None and G.number_of_edges() == len(G) - 1
    return "the graph may be a tree" if tree else None


def _nodes(name: str) -> Check:
    """An argument that is a set of nodes of the graph, or None."""
    def check(G: Any, given: Arguments) -> Optional[str]:
        nodes = given[name]
        if nodes is None:
            return None
        if not isinstance(nodes, (set, frozenset, list, tuple, dict)):
            try:
                return None if nodes in G else f"{name} is not a container"
            except TypeError:
                return f"{name} is an iterator"
        try:
            if isinstance(nodes, (tuple, frozenset)) and nodes in G:
                return None
            return None if nodes and all(node in G for node in nodes) else f"{name} has others than nodes of the graph"
        except TypeError:
            return f"{name} is not hashable"
    return _fault(check)


def _number(name: str) -> Check:
    def check(_: Any, given: Arguments) -> Optional[str]:
        value = given[name]
        fine = value is None or (isinstance(value, (int, float)) and not math.isnan(value))
        return None if fine else f"{name} is not a number"
    return check


def _named(name: str = "weight", optional: bool = False) -> Check:
    """An argument that is the name of an attribute; `optional`: or None."""
    def check(_: Any, given: Arguments) -> Optional[str]:
        value = given.get(name)
        fine = isinstance(value, str) or (optional and value is None)
        return None if fine else f"{name} is not the name of an attribute"
    return check


@_fault
def _rank(G: Any, given: Arguments) -> Optional[str]:
    personal, weight = given["personalization"], given["weight"]
    if not 0 <= given["alpha"] < 1 or not given["max_iter"] >= 1 or not given["tol"] > 0:
        return "alpha, max_iter or tol is out of range"
    if personal is not None:
        values = list(personal.values()) if hasattr(personal, "values") else [None]
        if not all(isinstance(one, (int, float)) and 0 <= one < float("inf") for one in values) or not sum(
                personal.get(node, 0) for node in G):
            return "personalization is not a dict of numbers that are not negative, and not all zero"
    if weight is not None and not isinstance(weight, str):
        return "weight is not the name of an attribute"
    return None


def _rounds(**least: Any) -> Check:
    """Arguments that are numbers of at least this, and `max_iter` and `tol` that rounds can end by."""
    def check(_: Any, given: Arguments) -> Optional[str]:
        for name, value in {"max_iter": 1, "tol": 1e-14, **least}.items():
            if not isinstance(given[name], (int, float)) or not value <= given[name] < math.inf:
                return f"{name} is out of range"
        return None
    return check


def _sample(G: Any, given: Arguments) -> Optional[str]:
    k = given["k"]
    if k is None:
        return None
    fits = isinstance(k, int) and 0 < k <= len(G)
    seed = given["seed"]
    return None if fits and (seed is None or isinstance(seed, (int, random.Random))) else "k or seed is odd"


def _one_end(_: Any, given: Arguments) -> Optional[str]:
    return "neither a source nor a target is given" if given["source"] is None and given["target"] is None else None


def _method(_: Any, given: Arguments) -> Optional[str]:
    return None if given["method"] in ("dijkstra", "bellman-ford") else "there is no such method"


@_fault
def _pairs(_: Any, given: Arguments) -> Optional[str]:
    """NetworkX takes all pairs that are no edges for None, and goes over an iterator twice."""
    return None if isinstance(given["ebunch"], Collection) else "ebunch is not a collection"


@_fault
def _loopless(G: Any, _: Arguments) -> Optional[str]:
    return "there are loops" if any(node in row for node, row in G._adj.items()) else None


def _one_or_two(_: Any, given: Arguments) -> Optional[str]:
    return None if given["k"] in (1, 2) else "k is neither 1 nor 2"


def _drawn(_: Any, given: Arguments) -> Optional[str]:
    """Without a seed communities may be any; NetworkX gives Python's own generator then."""
    seed = given["seed"]
    return None if seed is None or seed is getattr(random, "_inst", None) else "with a seed NetworkX's draws count"


def _resolution(_: Any, given: Arguments) -> Optional[str]:
    value = given["resolution"]
    return None if isinstance(value, (int, float)) and 0 < value < math.inf else "resolution is not a positive number"


def _collection(name: str) -> Check:
    return _fault(lambda _, given: None if isinstance(given[name], (list, tuple, set, frozenset, dict)) else
                  f"{name} is not a collection")


def _blocks(name: str) -> Check:
    """An argument that is a list of sets; NetworkX says what is wrong with others."""
    def check(_: Any, given: Arguments) -> Optional[str]:
        fine = isinstance(given[name], (list, tuple)) and all(
            isinstance(one, (set, frozenset, list, tuple)) for one in given[name])
        return None if fine else f"{name} is not a list of sets"
    return _fault(check)


_ALONE = (_undirected, _simple, _not_null)
_COMMUNITIES = (*_ALONE, _edges, _drawn)
_MAYBE = _named(optional=True)
_FAR = (_not_null, _is(e=None, usebounds=False), _MAYBE)
_MIDDLE = (_not_null, _is(attr=None, sp=None), _MAYBE, _not_a_tree)
_TREE = (_undirected, _is(algorithm="kruskal"), _named())
_CORE = (_undirected, _not_null, _simple, _is(core_number=None))
_FROM = (_node("source"), _named())
_BETWEEN = (_node("source", "target"), _named())
_ALL = (_not_null, _named())
_BFS = (_node("source"), _is(sort_neighbors=None), _number("depth_limit"))
_REACHING = (_several, _edges, _is(weight=None))

#: {function: what its calls have to fulfil}
CHECKS: dict[str, tuple[Check, ...]] = {
    # components
    "connected_components": (_undirected, _not_null), "number_connected_components": (_undirected, _not_null),
    "is_connected": (_undirected, _not_null), "node_connected_component": (_undirected, _node("n")),
    "weakly_connected_components": (_directed, _not_null),
    "number_weakly_connected_components": (_directed, _not_null), "is_weakly_connected": (_directed, _not_null),
    "strongly_connected_components": (_directed, _not_null),
    "number_strongly_connected_components": (_directed, _not_null), "is_strongly_connected": (_directed, _not_null),
    "kosaraju_strongly_connected_components": (_directed, _not_null, _is(source=None)),
    "condensation": (_directed, _not_null, _is(scc=None)),
    "attracting_components": (_directed, _not_null), "number_attracting_components": (_directed, _not_null),
    "is_attracting_component": (_directed, _not_null), "is_semiconnected": (_directed, _not_null),
    "is_tree": (_not_null,), "is_forest": (_not_null,),
    # breadth-first searches
    "bfs_edges": _BFS, "bfs_tree": _BFS, "bfs_predecessors": _BFS, "bfs_successors": _BFS,
    "bfs_layers": (_nodes("sources"),), "bfs_labeled_edges": (_nodes("sources"),),
    "has_path": (_node("source", "target"),), "descendants": (_node("source"),), "ancestors": (_node("source"),),
    "descendants_at_distance": (_node("source"), _number("distance")),
    # paths in edges
    "single_source_shortest_path_length": (_node("source"), _number("cutoff")),
    "single_target_shortest_path_length": (_node("target"), _number("cutoff")),
    "all_pairs_shortest_path_length": (_not_null, _number("cutoff")),
    "single_source_shortest_path": (_node("source"), _number("cutoff")),
    "single_target_shortest_path": (_node("target"), _number("cutoff")),
    "all_pairs_shortest_path": (_not_null, _number("cutoff")),
    "predecessor": (_node("source"), _node_if_any("target"), _number("cutoff")),
    "bidirectional_shortest_path": (_node("source", "target"),),
    # paths with a weight or none
    "shortest_path": (_one_end, _node_if_any("source"), _node_if_any("target"), _MAYBE, _method),
    "shortest_path_length": (_one_end, _node_if_any("source"), _node_if_any("target"), _MAYBE, _method),
    "all_shortest_paths": (_node("source", "target"), _MAYBE, _method),
    "single_source_all_shortest_paths": (_node("source"), _MAYBE, _method),
    "all_pairs_all_shortest_paths": (_not_null, _MAYBE, _is(method="dijkstra")),
    # paths by weight
    "dijkstra_path": _BETWEEN, "dijkstra_path_length": _BETWEEN, "bidirectional_dijkstra": _BETWEEN,
    "single_source_dijkstra": (*_FROM, _node_if_any("target"), _number("cutoff")),
    "single_source_dijkstra_path": (*_FROM, _number("cutoff")),
    "single_source_dijkstra_path_length": (*_FROM, _number("cutoff")),
    "multi_source_dijkstra": (_nodes("sources"), _node_if_any("target"), _named(), _number("cutoff")),
    "multi_source_dijkstra_path": (_nodes("sources"), _named(), _number("cutoff")),
    "multi_source_dijkstra_path_length": (_nodes("sources"), _named(), _number("cutoff")),
    "dijkstra_predecessor_and_distance": (*_FROM, _number("cutoff")),
    "all_pairs_dijkstra": (*_ALL, _number("cutoff")), "all_pairs_dijkstra_path": (*_ALL, _number("cutoff")),
    "all_pairs_dijkstra_path_length": (*_ALL, _number("cutoff")), "johnson": _ALL,
    "voronoi_cells": (_nodes("center_nodes"), _named()),
    "bellman_ford_path": _BETWEEN, "bellman_ford_path_length": _BETWEEN,
    "single_source_bellman_ford": (*_FROM, _node_if_any("target")), "single_source_bellman_ford_path": _FROM,
    "single_source_bellman_ford_path_length": _FROM,
    "bellman_ford_predecessor_and_distance": (*_FROM, _is(target=None, heuristic=False)),
    "all_pairs_bellman_ford_path": _ALL, "all_pairs_bellman_ford_path_length": _ALL, "goldberg_radzik": _FROM,
    # measures of distances
    "average_shortest_path_length": (_several, _is(method=None), _MAYBE),
    "eccentricity": (_not_null, _is(sp=None), _MAYBE, _nodes("v")),
    "diameter": _FAR, "radius": _FAR, "center": (*_FAR, _not_a_tree), "periphery": _FAR,
    "barycenter": _MIDDLE, "centroid": _MIDDLE,
    "harmonic_diameter": (_not_null, _is(sp=None), _MAYBE),
    "wiener_index": (_not_null, _MAYBE), "hyper_wiener_index": (_undirected, _simple, _not_null, _MAYBE),
    "global_efficiency": (_undirected, _several),
    "closeness_centrality": (_not_null, _named("distance", optional=True), _nodes("u")),
    "harmonic_centrality": (_not_null, _is(sources=None), _named("distance", optional=True), _nodes("nbunch")),
    "local_reaching_centrality": (*_REACHING, _node("v"), _is(paths=None)), "global_reaching_centrality": _REACHING,
    "ego_graph": (_node("n"), _is(undirected=False), _number("radius"), _named("distance", optional=True)),
    # ranks
    "betweenness_centrality": (_not_null, _is(weight=None, endpoints=False), _sample),
    "pagerank": (_not_null, _is(nstart=None, dangling=None), _rank),
    "eigenvector_centrality": (_not_null, _simple, _is(nstart=None), _rounds(), _MAYBE),
    "katz_centrality": (_not_null, _simple, _is(nstart=None), _rounds(max_iter=2, alpha=1e-12, beta=1e-12), _MAYBE),
    "hits": (_several, _edges, _simple, _is(nstart=None, normalized=True), _rounds(max_iter=100)),
    # trees
    "minimum_spanning_edges": _TREE, "maximum_spanning_edges": _TREE,
    "minimum_spanning_tree": _TREE, "maximum_spanning_tree": _TREE,
    # cores and triangles
    "core_number": _CORE, "k_core": _CORE, "k_shell": _CORE, "k_crust": _CORE, "k_corona": (*_CORE, _number("k")),
    "triangles": (_undirected, _not_null, _simple, _nodes("nodes")),
    "transitivity": (_undirected, _not_null, _simple),
    "clustering": (_undirected, _not_null, _simple, _is(weight=None), _nodes("nodes")),
    "average_clustering": (_undirected, _not_null, _simple, _is(weight=None), _nodes("nodes")),
    # what holds a graph together
    "bridges": (*_ALONE, _is(root=None)), "has_bridges": (*_ALONE, _is(root=None)),
    "local_bridges": (*_ALONE, _is(with_span=False, weight=None)), "bridge_components": _ALONE,
    "k_edge_components": (*_ALONE, _one_or_two), "k_edge_subgraphs": (*_ALONE, _one_or_two),
    "is_k_edge_connected": (*_ALONE, _one_or_two), "articulation_points": _ALONE, "biconnected_components": _ALONE,
    "biconnected_component_edges": _ALONE, "is_biconnected": _ALONE,
    "is_bipartite": (_not_null,), "color": (_not_null,), "sets": (_not_null, _is(top_nodes=None)),
    "is_bipartite_node_set": (_undirected, _not_null, _collection("nodes")), "is_eulerian": (_not_null,),
    "is_semieulerian": (_not_null,), "has_eulerian_path": (_not_null, _is(source=None)),
    # directed acyclic graphs
    "is_directed_acyclic_graph": (_directed, _not_null), "is_arborescence": (_directed, _not_null),
    "is_branching": (_directed, _not_null), "flow_hierarchy": (_directed, _not_null, _edges, _is(weight=None)),
    "dag_longest_path_length": (_directed, _not_null, _MAYBE, _is(default_weight=1)),
    # degrees, trusses, layers
    "degree_centrality": (_several,), "in_degree_centrality": (_directed, _several),
    "out_degree_centrality": (_directed, _several),
    "average_neighbor_degree": (_not_null, _is(source="out", target="out", nodes=None, weight=None)),
    "average_degree_connectivity": (_undirected, _not_null, _is(source="in+out", target="in+out", nodes=None,
                                                                weight=None)),
    "s_metric": (_not_null,), "rich_club_coefficient": (*_ALONE, _edges, _is(normalized=False)),
    "overall_reciprocity": (_directed, _simple, _edges), "reciprocity": (_directed, _simple, _edges, _is(nodes=None)),
    "k_truss": (*_ALONE, _loopless, _number("k")), "onion_layers": (*_ALONE, _loopless),
    "group_closeness_centrality": (_not_null, _is(weight=None), _collection("S")),
    "is_dominating_set": (_not_null, _collection("nbunch")),
    "gutman_index": (*_ALONE, _is(weight=None)), "schultz_index": (*_ALONE, _is(weight=None)),
    # communities
    "louvain_communities": (*_COMMUNITIES, _MAYBE, _is(max_level=None, threshold=1e-7), _resolution),
    "leiden_communities": (_undirected, _simple, _drawn, _MAYBE, _is(max_level=None), _resolution),
    "asyn_lpa_communities": (*_COMMUNITIES, _is(weight=None)),
    "fast_label_propagation_communities": (*_COMMUNITIES, _is(weight=None)),
    "modularity": (_not_null, _edges, _MAYBE, _blocks("communities"), _number("resolution")),
    "partition_quality": (_several, _edges, _blocks("partition")),
    "intra_community_edges": (_not_null, _blocks("partition")),
    "inter_community_edges": (_not_null, _simple, _blocks("partition")),
    # link prediction
    "common_neighbor_centrality": (_undirected, _simple, _pairs, _number("alpha")),
    "jaccard_coefficient": (_undirected, _simple, _pairs), "adamic_adar_index": (_undirected, _simple, _pairs),
    "resource_allocation_index": (_undirected, _simple, _pairs),
    "preferential_attachment": (_undirected, _simple, _pairs),
}
