"""NetworkX's functions, by Heddle's algorithms. Each takes a BackendGraph and the arguments of NetworkX's function, in
cases that interface.py has found fit; what is returned equals NetworkX's: dicts in order of distance, ints as ints."""
from __future__ import annotations

import inspect
from typing import Any, Iterator

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import numpy as np

from .graph import Array, BackendGraph

_BATCH = 64  # searches side by side


# ---- shared ----

def _reached(values: Array) -> Array:
    kind = values.dtype.kind
    found: Array = np.isfinite(values) if kind == "f" else values >= 0 if kind == "i" else \
        values != np.iinfo(values.dtype).max
    return found


def _by_distance(G: BackendGraph, values: Array, cutoff: Any = None) -> dict[Any, Any]:
    """{node: distance} of those reached, in order of distance."""
    there = np.flatnonzero(_reached(values) if cutoff is None else _reached(values) & (values <= cutoff))
    there = there[np.argsort(values[there], kind="stable")]
    nodes = G.nodes
    return dict(zip([nodes[v] for v in there.tolist()], values[there].tolist()))


def _levels(G: BackendGraph, node: Any, reverse: bool = False) -> Array:
    graph = G.reverse() if reverse else G.simple()
    return graph.bfs(G.vertex(node)).values


def _all_levels(G: BackendGraph, nodes: list[int], reverse: bool = False) -> Iterator[tuple[int, Array]]:
    """(vertex, levels from it) for each vertex."""
    graph = G.reverse() if reverse else G.simple()
    for first in range(0, len(nodes), _BATCH):
        batch = nodes[first:first + _BATCH]
        found = graph.bfs(sources=batch, each=True).values.reshape(len(batch), -1)
        yield from zip(batch, found)


def _groups(G: BackendGraph, labels: Array) -> list[Array]:
    """The vertices of each component, components in order of their smallest vertex."""
    order = np.argsort(labels, kind="stable")
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, cuts)


def _sets(G: BackendGraph, groups: list[Array]) -> Iterator[set[Any]]:
    nodes = G.nodes
    for group in groups:
        yield {nodes[v] for v in group.tolist()}


def _count(G: BackendGraph, algorithm: str) -> int:
    return int(getattr(G.simple(), algorithm)().report["summary"]["components"])


# ---- components ----

def connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    yield from _sets(G, _groups(G, G.simple().cc().values))


weakly_connected_components = connected_components


def number_connected_components(G: BackendGraph) -> int:
    return _count(G, "cc")


number_weakly_connected_components = number_connected_components


def is_connected(G: BackendGraph) -> bool:
    return _count(G, "cc") == 1


is_weakly_connected = is_connected


def node_connected_component(G: BackendGraph, n: Any) -> set[Any]:
    labels = G.simple().cc().values
    return next(_sets(G, [np.flatnonzero(labels == labels[G.vertex(n)])]))


def _strong(G: BackendGraph) -> list[Array]:
    """Strong components in reverse topological order: one comes after those that it reaches."""
    labels = G.simple().scc().values
    groups = _groups(G, labels)
    if len(groups) == 1:
        return groups
    numbers = np.empty(len(labels), np.int64)
    for k, group in enumerate(groups):
        numbers[group] = k
    offsets, targets, _ = G.simple().out_edges()
    first, second = numbers[np.repeat(np.arange(len(labels)), np.diff(offsets))], numbers[targets]
    # pairs of a component and one that has an arc to it
    between = np.unique(np.stack([second, first])[:, first != second], axis=1)
    left = np.bincount(between[1], minlength=len(groups))
    starts = np.searchsorted(between[0], np.arange(len(groups) + 1))
    ready, order = np.flatnonzero(left == 0).tolist(), []
    while ready:
        k = ready.pop()
        order.append(k)
        for other in between[1, starts[k]:starts[k + 1]].tolist():
            left[other] -= 1
            if not left[other]:
                ready.append(other)
    return [groups[k] for k in order]


def strongly_connected_components(G: BackendGraph) -> Iterator[set[Any]]:
    yield from _sets(G, _strong(G))


def kosaraju_strongly_connected_components(G: BackendGraph, source: Any = None) -> Iterator[set[Any]]:
    yield from _sets(G, _strong(G))


def number_strongly_connected_components(G: BackendGraph) -> int:
    return _count(G, "scc")


def is_strongly_connected(G: BackendGraph) -> bool:
    return _count(G, "scc") == 1


def condensation(G: BackendGraph, scc: Any = None) -> Any:
    return nx.condensation.orig_func(G.nx, list(_sets(G, _strong(G))))


# ---- distances in edges ----

def single_source_shortest_path_length(G: BackendGraph, source: Any, cutoff: Any = None) -> dict[Any, int]:
    return _by_distance(G, _levels(G, source), cutoff)


def single_target_shortest_path_length(G: BackendGraph, target: Any, cutoff: Any = None) -> dict[Any, int]:
    return _by_distance(G, _levels(G, target, reverse=True), cutoff)


def all_pairs_shortest_path_length(G: BackendGraph, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, int]]]:
    nodes = G.nodes
    for vertex, levels in _all_levels(G, list(range(len(nodes)))):
        yield nodes[vertex], _by_distance(G, levels, cutoff)


def has_path(G: BackendGraph, source: Any, target: Any) -> bool:
    return bool(_levels(G, source)[G.vertex(target)] >= 0)


def descendants(G: BackendGraph, source: Any) -> set[Any]:
    found = np.flatnonzero(_levels(G, source) > 0)
    return next(_sets(G, [found]))


def ancestors(G: BackendGraph, source: Any) -> set[Any]:
    found = np.flatnonzero(_levels(G, source, reverse=True) > 0)
    return next(_sets(G, [found]))


def descendants_at_distance(G: BackendGraph, source: Any, distance: Any) -> set[Any]:
    found = np.flatnonzero(_levels(G, source) == distance)
    return next(_sets(G, [found]))


def shortest_path_length(G: BackendGraph, source: Any = None, target: Any = None, weight: Any = None,
                         method: str = "dijkstra") -> Any:
    if source is None:
        if weight is None:
            return single_target_shortest_path_length(G, target)
        return _lengths(G, [target], _reversed_weighted(G, target, weight))
    if target is None:
        return single_source_shortest_path_length(G, source) if weight is None \
            else single_source_dijkstra_path_length(G, source, weight=weight)
    values = _levels(G, source) if weight is None else _weighted(G, [source], weight)
    there = G.vertex(target)
    if not _reached(values)[there]:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return 0 if source == target else values[there].item()


def average_shortest_path_length(G: BackendGraph, weight: Any = None, method: Any = None) -> float:
    total, count = 0, len(G)
    for _, levels in _all_levels(G, list(range(count))):
        total += int(levels.sum())
    return total / (count * (count - 1))


def _eccentricities(G: BackendGraph, vertices: list[int]) -> dict[Any, int]:
    nodes, found = G.nodes, {}
    for vertex, levels in _all_levels(G, vertices):
        if levels.min() < 0:
            raise nx.NetworkXError("Found infinite path length because the digraph is not strongly connected"
                                   if G.is_directed() else
                                   "Found infinite path length because the graph is not connected")
        found[nodes[vertex]] = int(levels.max())
    return found


def eccentricity(G: BackendGraph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    vertices = [G.vertex(node) for node in G.nx.nbunch_iter(v)]
    found = _eccentricities(G, vertices)
    return found[v] if v is not None and v in G.nx else found


def _all_eccentricities(G: BackendGraph) -> dict[Any, int]:
    return _eccentricities(G, list(range(len(G.nodes))))


def diameter(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:
    return max(_all_eccentricities(G).values())


def radius(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:
    return min(_all_eccentricities(G).values())


def center(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    found = _all_eccentricities(G)
    least = min(found.values())
    return [node for node, far in found.items() if far == least]


def periphery(G: BackendGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    found = _all_eccentricities(G)
    most = max(found.values())
    return [node for node, far in found.items() if far == most]


def closeness_centrality(G: BackendGraph, u: Any = None, distance: Any = None, wf_improved: bool = True) -> Any:
    nodes, count, found = G.nodes, len(G), {}
    wanted = list(range(count)) if u is None else [G.vertex(u)]
    for vertex, levels in _all_levels(G, wanted, reverse=True):
        total, reached = int(levels[levels > 0].sum()), int((levels >= 0).sum())
        value = 0.0
        if total > 0 and count > 1:
            value = (reached - 1.0) / total
            if wf_improved:
                value *= (reached - 1.0) / (count - 1)
        found[nodes[vertex]] = value
    return found if u is None else found[u]


def harmonic_centrality(G: BackendGraph, nbunch: Any = None, distance: Any = None,
                        sources: Any = None) -> dict[Any, Any]:
    nodes, found = G.nodes, {}
    wanted = list(range(len(nodes))) if nbunch is None else \
        [G.vertex(node) for node in dict.fromkeys(G.nx.nbunch_iter(nbunch))]
    for vertex, levels in _all_levels(G, wanted, reverse=True):
        counts = np.bincount(levels[levels > 0])
        found[nodes[vertex]] = sum(count / far for far, count in enumerate(counts.tolist()) if count)
    return found


def betweenness_centrality(G: BackendGraph, k: Any = None, normalized: bool = True, weight: Any = None,
                           endpoints: bool = False, seed: Any = None) -> Any:
    nodes = G.nodes
    if k is not None and k != len(nodes):
        drawn = nx.utils.create_py_random_state(seed).sample(list(nodes), k)
        values = G.simple().bc(sources=[G.vertex(node) for node in drawn], precision="double").values
    else:
        k, drawn = None, nodes
        values = G.simple().bc(precision="double").values
    if not G.is_directed():  # NetworkX rescales sums over ordered pairs; Heddle counts a pair once
        values = values * 2
    return _rescaled(dict(zip(nodes, values.tolist())), len(nodes), normalized, G.is_directed(), k, drawn)


def _rescaled(found: dict[Any, float], count: int, normalized: bool, directed: bool, k: Any, drawn: Any) -> Any:
    """As this version of NetworkX does it: releases differ in how they scale samples."""
    rescale = nx.algorithms.centrality.betweenness._rescale
    known = inspect.signature(rescale).parameters
    options = {"normalized": normalized, "directed": directed, "endpoints": False, "k": k,
               "sampled_nodes": None if k is None else drawn}
    return rescale(found, count, **{name: value for name, value in options.items() if name in known})


# ---- weighted distances ----

def _weighted(G: BackendGraph, sources: Any, weight: str) -> Array:
    return G.weighted(weight, "min").sssp(sources=[G.vertex(node) for node in sources], precision="double").values


def _reversed_weighted(G: BackendGraph, target: Any, weight: str) -> Array:
    if not G.is_directed():
        return _weighted(G, [target], weight)
    from heddle import Graph
    offsets, targets, weights = G.weighted(weight, "min").in_edges()
    return Graph.from_csr(offsets, targets, weights).sssp(G.vertex(target), precision="double").values


def _lengths(G: BackendGraph, sources: list[Any], values: Array, cutoff: Any = None) -> dict[Any, Any]:
    """{node: length}; a source has the integer 0, whatever the weights are."""
    found = _by_distance(G, values, cutoff)
    found.update((node, 0) for node in sources if node in found)
    return found


def multi_source_dijkstra_path_length(G: BackendGraph, sources: Any, cutoff: Any = None,
                                      weight: str = "weight") -> dict[Any, Any]:
    nodes = list(sources)
    return _lengths(G, nodes, _weighted(G, nodes, weight), cutoff)


def single_source_dijkstra_path_length(G: BackendGraph, source: Any, cutoff: Any = None,
                                       weight: str = "weight") -> dict[Any, Any]:
    return _lengths(G, [source], _weighted(G, [source], weight), cutoff)


def single_source_bellman_ford_path_length(G: BackendGraph, source: Any, weight: str = "weight") -> dict[Any, Any]:
    return _lengths(G, [source], _weighted(G, [source], weight))


def dijkstra_path_length(G: BackendGraph, source: Any, target: Any, weight: str = "weight") -> Any:
    values, there = _weighted(G, [source], weight), G.vertex(target)
    if not _reached(values)[there]:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return 0 if source == target else values[there].item()


def bellman_ford_path_length(G: BackendGraph, source: Any, target: Any, weight: str = "weight") -> Any:
    values, there = _weighted(G, [source], weight), G.vertex(target)
    if not _reached(values)[there]:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return 0 if source == target else values[there].item()


def all_pairs_dijkstra_path_length(G: BackendGraph, cutoff: Any = None,
                                   weight: str = "weight") -> Iterator[tuple[Any, dict[Any, Any]]]:
    for node in G.nodes:
        yield node, _lengths(G, [node], _weighted(G, [node], weight), cutoff)


def all_pairs_bellman_ford_path_length(G: BackendGraph, weight: str = "weight") -> Iterator[tuple[Any, dict[Any, Any]]]:
    for node in G.nodes:
        yield node, _lengths(G, [node], _weighted(G, [node], weight))


# ---- trees ----

def _spanning(G: BackendGraph, minimum: bool, weight: str, ignore_nan: bool) -> list[Any]:
    """Kruskal's edges in his order. Ranks in the order in which he takes them replace the weights: so there is one
    minimum forest only, his, and NetworkX's rule for edges of equal weight holds."""
    from heddle import Graph
    multi = G.is_multigraph()
    edges = list(G.nx.edges(keys=True, data=True) if multi else G.nx.edges(data=True))
    values = np.asarray([edge[-1].get(weight, 1) for edge in edges] or np.empty(0, np.int64))
    if np.isnan(values).any():
        if not ignore_nan:
            raise ValueError(f"NaN found as an edge weight. Edge {edges[int(np.argmax(np.isnan(values)))]}")
        kept = np.flatnonzero(~np.isnan(values))
        edges, values = [edges[k] for k in kept.tolist()], values[kept]
    if not edges:
        return []
    order = np.argsort(values, kind="stable") if minimum else \
        len(values) - 1 - np.argsort(values[::-1], kind="stable")[::-1]
    ranks = np.empty(len(edges), np.int64)
    ranks[order] = np.arange(1, len(edges) + 1)
    sources = np.fromiter((G.vertex(edge[0]) for edge in edges), np.int64, len(edges))
    targets = np.fromiter((G.vertex(edge[1]) for edge in edges), np.int64, len(edges))
    forest = Graph.from_edges(sources, targets, ranks, vertices=len(G), symmetrize=True, drop_loops=True,
                              duplicates="min").mst()
    taken = [] if forest.weights is None else np.sort(forest.weights).tolist()
    places = order.tolist()
    return [edges[places[int(rank) - 1]] for rank in taken]


def _spanning_edges(G: BackendGraph, minimum: bool, weight: str, keys: bool, data: bool,
                    ignore_nan: bool) -> Iterator[Any]:
    for edge in _spanning(G, minimum, weight, ignore_nan):
        ends = edge[:3] if G.is_multigraph() and keys else edge[:2]
        yield (*ends, edge[-1]) if data else tuple(ends)


def minimum_spanning_edges(G: BackendGraph, algorithm: str = "kruskal", weight: str = "weight", keys: bool = True,
                           data: bool = True, ignore_nan: bool = False) -> Iterator[Any]:
    return _spanning_edges(G, True, weight, keys, data, ignore_nan)


def maximum_spanning_edges(G: BackendGraph, algorithm: str = "kruskal", weight: str = "weight", keys: bool = True,
                           data: bool = True, ignore_nan: bool = False) -> Iterator[Any]:
    return _spanning_edges(G, False, weight, keys, data, ignore_nan)


def _spanning_tree(G: BackendGraph, minimum: bool, weight: str, ignore_nan: bool) -> Any:
    tree = G.nx.__class__()
    tree.graph.update(G.nx.graph)
    tree.add_nodes_from(G.nx.nodes.items())
    tree.add_edges_from(_spanning_edges(G, minimum, weight, True, True, ignore_nan))
    return tree


def minimum_spanning_tree(G: BackendGraph, weight: str = "weight", algorithm: str = "kruskal",
                          ignore_nan: bool = False) -> Any:
    return _spanning_tree(G, True, weight, ignore_nan)


def maximum_spanning_tree(G: BackendGraph, weight: str = "weight", algorithm: str = "kruskal",
                          ignore_nan: bool = False) -> Any:
    return _spanning_tree(G, False, weight, ignore_nan)


# ---- ranks, cores, triangles ----

def pagerank(G: BackendGraph, alpha: float = 0.85, personalization: Any = None, max_iter: int = 100, tol: float = 1e-6,
             nstart: Any = None, weight: Any = "weight", dangling: Any = None) -> dict[Any, float]:
    nodes, count = G.nodes, len(G)
    options: dict[str, Any] = {}
    if personalization is not None:
        options["personalization"] = np.array([personalization.get(node, 0) for node in nodes], float)
    if weight is None:
        graph = G.weighted("\0 no such attribute", "sum") if G.is_multigraph() else G.simple()
    else:
        graph = G.weighted(weight, "sum")
    result = graph.pagerank(damping=alpha, tolerance=count * tol, max_iterations=max_iter, precision="double",
                            weighted=graph.weighted, **options)
    if not result.report["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(nodes, result.values.tolist()))


def core_number(G: BackendGraph) -> dict[Any, int]:
    return dict(zip(G.nodes, G.simple().kcore().values.tolist()))


def triangles(G: BackendGraph, nodes: Any = None) -> Any:
    return _some(G, G.simple().tc().values, nodes)


def clustering(G: BackendGraph, nodes: Any = None, weight: Any = None) -> Any:
    values = _some(G, G.simple().lcc().values, nodes)
    if isinstance(values, dict):  # NetworkX has the integer 0 there
        return {node: value or 0 for node, value in values.items()}
    return values or 0


def _some(G: BackendGraph, values: Array, nodes: Any) -> Any:
    """For all nodes, one node, or those of a container."""
    if nodes is None:
        return dict(zip(G.nodes, values.tolist()))
    if nodes in G.nx:
        return values[G.vertex(nodes)].item()
    return {node: values[G.vertex(node)].item() for node in G.nx.nbunch_iter(nodes)}


def average_clustering(G: BackendGraph, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> Any:
    found = clustering(G, nodes).values()
    chosen = list(found) if count_zeros else [value for value in found if abs(value) > 0]
    return sum(chosen) / len(chosen)


def transitivity(G: BackendGraph) -> float:
    graph = G.simple()
    offsets, targets, _ = graph.out_edges()
    loops = np.bincount(targets[np.repeat(np.arange(len(G)), np.diff(offsets)) == targets], minlength=len(G))
    degrees = np.diff(offsets) - loops
    triples, corners = int((degrees * (degrees - 1)).sum()), 2 * int(graph.tc().values.sum())
    return 0 if corners == 0 else corners / triples
