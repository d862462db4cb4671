"""Structure of a graph: bridges and blocks, two sides, levels of directed acyclic graphs, degrees, trusses."""
from __future__ import annotations

from typing import Any, Iterator, Optional

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import numpy as np

from heddle import Graph

from ..graph import Array, BackendGraph, Odd
from .components import _count, _groups, _sets, is_connected, is_forest, is_strongly_connected, is_tree

__all__ = [
    "articulation_points", "average_degree_connectivity", "average_neighbor_degree", "biconnected_component_edges",
    "biconnected_components", "bridge_components", "bridges", "color", "dag_longest_path_length", "degree_centrality",
    "flow_hierarchy", "group_closeness_centrality", "gutman_index", "has_bridges", "has_eulerian_path",
    "in_degree_centrality", "is_arborescence", "is_biconnected", "is_bipartite", "is_bipartite_node_set",
    "is_branching", "is_directed_acyclic_graph", "is_dominating_set", "is_eulerian", "is_k_edge_connected",
    "is_semieulerian", "k_edge_components", "k_edge_subgraphs", "k_truss", "local_bridges", "onion_layers",
    "out_degree_centrality", "overall_reciprocity", "reciprocity", "rich_club_coefficient", "s_metric",
    "schultz_index", "sets",
]


# ---- degrees ----

def _out_degrees(G: BackendGraph) -> Array:
    return np.bincount(G.arcs().repeated()[0], minlength=len(G))


def _in_degrees(G: BackendGraph) -> Array:
    return np.bincount(G.arcs().repeated()[1], minlength=len(G))


def _degrees(G: BackendGraph) -> Array:
    """As NetworkX counts: a loop counts twice."""
    if G.is_directed():
        return np.asarray(_out_degrees(G) + _in_degrees(G))
    sources, targets = G.arcs().repeated()
    return np.asarray(_out_degrees(G) + np.bincount(sources[sources == targets], minlength=len(G)))


def _once(G: BackendGraph) -> tuple[Array, Array]:
    """The ends of each edge in the order of G.edges; parallel edges are one."""
    arcs = G.arcs()
    if G.is_directed():
        return arcs.sources, arcs.targets
    kept = arcs.sources <= arcs.targets
    return arcs.sources[kept], arcs.targets[kept]


def _refuse_loops(G: BackendGraph) -> None:
    arcs = G.arcs()
    if (arcs.sources == arcs.targets).any():
        raise Odd("there are loops")


def _share(G: BackendGraph, degrees: Array) -> dict[Any, float]:
    return dict(zip(G.nodes, (degrees * (1.0 / (len(G) - 1.0))).tolist()))


def degree_centrality(G: BackendGraph) -> dict[Any, float]:
    return _share(G, _degrees(G))


def in_degree_centrality(G: BackendGraph) -> dict[Any, float]:
    return _share(G, _in_degrees(G))


def out_degree_centrality(G: BackendGraph) -> dict[Any, float]:
    return _share(G, _out_degrees(G))


def _neighbour_sums(G: BackendGraph, degrees: Array) -> Array:
    arcs, sums = G.arcs(), np.zeros(len(G), np.int64)
    np.add.at(sums, arcs.sources, degrees[arcs.targets])
    return sums


def average_neighbor_degree(G: BackendGraph, source: Any = "out", target: Any = "out", nodes: Any = None,
                            weight: Any = None) -> dict[Any, float]:
    degrees = _out_degrees(G) if G.is_directed() else _degrees(G)
    return dict(zip(G.nodes, (_neighbour_sums(G, degrees) / np.maximum(degrees, 1)).tolist()))


def average_degree_connectivity(G: BackendGraph, source: Any = "in+out", target: Any = "in+out", nodes: Any = None,
                                weight: Any = None) -> dict[int, Any]:
    degrees = _degrees(G)
    kinds, first, place = np.unique(degrees, return_index=True, return_inverse=True)
    sums = np.zeros(len(kinds), np.int64)
    np.add.at(sums, place, _neighbour_sums(G, degrees))
    counts = kinds * np.bincount(place, minlength=len(kinds))
    return {int(kinds[k]): int(sums[k]) / int(counts[k]) if counts[k] else int(sums[k]) for k in np.argsort(first)}


def s_metric(G: BackendGraph) -> float:
    degrees, (sources, targets) = _degrees(G), _edges(G)
    return float(sum((degrees[sources] * degrees[targets]).tolist()))


def _edges(G: BackendGraph) -> tuple[Array, Array]:
    """The ends of each edge, of parallel ones too."""
    sources, targets = G.arcs().repeated()
    if G.is_directed():
        return sources, targets
    kept = sources <= targets
    return sources[kept], targets[kept]


def rich_club_coefficient(G: BackendGraph, normalized: bool = True, Q: Any = 100, seed: Any = None) -> dict[int, float]:
    _refuse_loops(G)
    degrees, (sources, targets) = _degrees(G), _once(G)
    least = np.sort(np.minimum(degrees[sources], degrees[targets]))
    ordered, found, d = np.sort(degrees), {}, 0
    while (count := len(ordered) - int(np.searchsorted(ordered, d, "right"))) > 1:
        edges = len(least) - int(np.searchsorted(least, d, "right"))
        found[d] = 2 * edges / (count * (count - 1))
        d += 1
    return found


def overall_reciprocity(G: BackendGraph) -> float:
    arcs = G.arcs()
    low, high = np.minimum(arcs.sources, arcs.targets), np.maximum(arcs.sources, arcs.targets)
    count = len(low)
    return (count - len(np.unique(low.astype(np.int64) * len(G) + high))) * 2 / count


def reciprocity(G: BackendGraph, nodes: Any = None) -> float:
    return overall_reciprocity(G)


def flow_hierarchy(G: BackendGraph, weight: Any = None) -> float:
    labels, (sources, targets) = G.simple().scc().values, _edges(G)
    inside = int((labels[sources] == labels[targets]).sum())
    return 1 - inside / len(sources)


# ---- trails ----

def is_eulerian(G: BackendGraph) -> bool:
    if G.is_directed():
        return bool((_in_degrees(G) == _out_degrees(G)).all()) and is_strongly_connected(G)
    return not (_degrees(G) % 2).any() and is_connected(G)


def has_eulerian_path(G: BackendGraph, source: Any = None) -> bool:
    if is_eulerian(G):
        return True
    if not G.is_directed():
        return int((_degrees(G) % 2).sum()) == 2 and is_connected(G)
    surplus = _out_degrees(G) - _in_degrees(G)
    return bool((abs(surplus) <= 1).all() and (surplus == 1).sum() <= 1) and is_connected(G)


def is_semieulerian(G: BackendGraph) -> bool:
    return has_eulerian_path(G) and not is_eulerian(G)


# ---- bridges and blocks ----

def _bridge_keys(G: BackendGraph) -> Array:
    ends = np.asarray(G.simple().bridges().edges, np.int64).reshape(-1, 2)
    return np.asarray(ends.min(axis=1) * len(G) + ends.max(axis=1))


def _are_bridges(G: BackendGraph, sources: Array, targets: Array) -> Array:
    low, high = np.minimum(sources, targets).astype(np.int64), np.maximum(sources, targets)
    return np.isin(low * len(G) + high, _bridge_keys(G))


def bridges(G: BackendGraph, root: Any = None) -> Iterator[tuple[Any, Any]]:
    sources, targets = _once(G)
    chosen = _are_bridges(G, sources, targets)
    yield from zip(G.named(sources[chosen]), G.named(targets[chosen]))


def has_bridges(G: BackendGraph, root: Any = None) -> bool:
    return len(G.simple().bridges().edges) > 0


def local_bridges(G: BackendGraph, with_span: bool = True, weight: Any = None) -> Iterator[tuple[Any, Any]]:
    _refuse_loops(G)
    sources, targets = _once(G)
    if len(sources):
        shared = G.simple().similar(pairs=np.stack([sources, targets], axis=1), measure="jaccard").weights
        assert shared is not None
        sources, targets = sources[shared == 0], targets[shared == 0]
    yield from zip(G.named(sources), G.named(targets))


def bridge_components(G: BackendGraph) -> Iterator[set[Any]]:
    sources, targets = _once(G)
    kept = ~_are_bridges(G, sources, targets)
    rest = Graph.from_edges(sources[kept], targets[kept], vertices=len(G), symmetrize=True)
    yield from _sets(G, _groups(rest.cc().values))


def k_edge_components(G: BackendGraph, k: int) -> Iterator[set[Any]]:
    yield from bridge_components(G) if k == 2 else _sets(G, _groups(G.simple().cc().values))


k_edge_subgraphs = k_edge_components


def is_k_edge_connected(G: BackendGraph, k: int) -> bool:
    if len(G) < k + 1 or (_degrees(G) < k).any():
        return False
    return is_connected(G) and (k == 1 or not has_bridges(G))


def articulation_points(G: BackendGraph) -> Iterator[Any]:
    _refuse_loops(G)
    yield from G.named(np.flatnonzero(G.simple().articulation().values > 0))


def _blocks(G: BackendGraph) -> list[Array]:
    """The edges of each biconnected component."""
    _refuse_loops(G)
    found = G.simple().biconnected()
    if not len(found.edges):
        return []
    assert found.weights is not None
    return [found.edges[group] for group in _groups(found.weights)]


def biconnected_components(G: BackendGraph) -> Iterator[set[Any]]:
    for block in _blocks(G):
        yield set(G.named(np.unique(block)))


def biconnected_component_edges(G: BackendGraph) -> Iterator[list[tuple[Any, Any]]]:
    for block in _blocks(G):
        yield list(zip(G.named(block[:, 0]), G.named(block[:, 1])))


def is_biconnected(G: BackendGraph) -> bool:
    blocks = _blocks(G)
    return len(blocks) == 1 and len(np.unique(blocks[0])) == len(G)


# ---- two sides ----

def _sides(G: BackendGraph) -> Optional[Array]:
    """0 or 1 of each vertex, of a component's first vertex that has successors 1; None if there is an odd cycle."""
    found = G.simple().bipartite()
    if not len(found):
        return None
    sides, labels = np.asarray(found.values, np.int64), G.simple().cc().values
    leads = np.flatnonzero(_out_degrees(G) > 0)
    first = np.full(len(G), -1)
    first[labels[leads[::-1]]] = leads[::-1]  # of a component's the first stays
    lead = first[labels]
    return np.where(lead < 0, 0, 1 - (sides ^ sides[lead]))


def is_bipartite(G: BackendGraph) -> bool:
    return _sides(G) is not None


def color(G: BackendGraph) -> dict[Any, int]:
    sides = _sides(G)
    if sides is None:
        raise nx.NetworkXError("Graph is not bipartite.")
    return dict(zip(G.nodes, sides.tolist()))


def sets(G: BackendGraph, top_nodes: Any = None) -> tuple[set[Any], set[Any]]:
    if _count(G, "cc") != 1:
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    sides = color(G)
    return {node for node, top in sides.items() if top}, {node for node, top in sides.items() if not top}


def is_bipartite_node_set(G: BackendGraph, nodes: Any) -> bool:
    sides = _sides(G)
    if sides is None or len(set(nodes)) < len(nodes):
        raise Odd("a component is not bipartite, or a node occurs twice")
    member = np.zeros(len(G), np.int64)
    member[[G.index[node] for node in nodes if node in G.nx]] = 1
    labels, differs = G.simple().cc().values, member ^ sides
    return bool((differs == differs[labels]).all())  # a label is the component's smallest vertex


# ---- directed acyclic graphs ----

def _levels(G: BackendGraph) -> Array:
    found = G.simple().toposort()
    if not len(found):
        raise Odd("there is a cycle")
    return np.asarray(found.values, np.int64)


def is_directed_acyclic_graph(G: BackendGraph) -> bool:
    return len(G.simple().toposort()) > 0


def dag_longest_path_length(G: BackendGraph, weight: Any = "weight", default_weight: Any = 1) -> int:
    if weight is not None and G.named_weight(weight) is not None:
        raise Odd("edges have attributes")
    return int(_levels(G).max())


def is_arborescence(G: BackendGraph) -> bool:
    return is_tree(G) and bool(_in_degrees(G).max() <= 1)


def is_branching(G: BackendGraph) -> bool:
    return is_forest(G) and bool(_in_degrees(G).max() <= 1)


# ---- trusses, layers, indices ----

def k_truss(G: BackendGraph, k: Any) -> Any:
    numbers = G.simple().truss()
    found = G.nx.copy()
    if numbers.weights is not None:
        weak = numbers.edges[numbers.weights < k]
        found.remove_edges_from(zip(G.named(weak[:, 0]), G.named(weak[:, 1])))
    found.remove_nodes_from(list(nx.isolates(found)))
    return found


def onion_layers(G: BackendGraph) -> dict[Any, int]:
    arcs, degrees = G.arcs(), _degrees(G)
    starts = np.searchsorted(arcs.sources, np.arange(len(G) + 1))
    layers, alive, layer, core = np.zeros(len(G), np.int64), np.arange(len(G)), 1, 1
    lone = degrees == 0
    if lone.any():
        layers[lone], alive, layer = 1, np.flatnonzero(~lone), 2
    while len(alive):
        core = max(core, int(degrees[alive].min()))
        now = alive[degrees[alive] <= core]
        layers[now] = layer
        lengths = starts[now + 1] - starts[now]
        places = np.repeat(starts[now] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        np.subtract.at(degrees, arcs.targets[places], 1)
        alive, layer = alive[layers[alive] == 0], layer + 1
    return dict(zip(G.nodes, layers.tolist()))


def _index(G: BackendGraph, joined: Any) -> float:
    """Half the sum over all ordered pairs of their distance times what `joined` makes of the degrees."""
    if not is_connected(G):
        return float("inf")
    degrees, graph, total = _degrees(G), G.simple(), 0
    for start in range(0, len(G), 64):
        some = list(range(start, min(start + 64, len(G))))
        for vertex, row in zip(some, graph.bfs(sources=some, each=True).values):
            total += int((row.astype(np.int64) * joined(int(degrees[vertex]), degrees)).sum())
    return total / 2


def group_closeness_centrality(G: BackendGraph, S: Any, weight: Any = None) -> Any:
    group = set(S)
    if not group <= G.index.keys():
        raise Odd("the group has others than nodes of the graph")
    if not group:
        raise Odd("the group is empty")
    steps = G.simple(reverse=True).bfs(sources=G.vertices(group)).values
    total = int(steps[steps > 0].sum())
    return (len(G) - len(group)) / total if total else 0


def is_dominating_set(G: BackendGraph, nbunch: Any) -> bool:
    near = np.zeros(len(G), bool)
    near[[G.index[node] for node in set(nbunch) if node in G.nx]] = True
    arcs = G.arcs()
    near[arcs.targets[near[arcs.sources]]] = True
    return bool(near.all())


def gutman_index(G: BackendGraph, weight: Any = None) -> float:
    return _index(G, lambda one, others: one * others)


def schultz_index(G: BackendGraph, weight: Any = None) -> float:
    return _index(G, lambda one, others: one + others)
