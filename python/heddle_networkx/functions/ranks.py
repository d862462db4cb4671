"""Ranks and betweenness, cores and triangles: a figure for each node."""
from __future__ import annotations

import inspect
import math
from typing import Any

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import numpy as np

from heddle import ArgumentError, Graph, Result

from ..graph import Array, BackendGraph, Odd

__all__ = [
    "average_clustering", "betweenness_centrality", "clustering", "core_number", "eigenvector_centrality", "hits",
    "k_core", "k_corona", "k_crust", "k_shell", "katz_centrality", "pagerank", "transitivity", "triangles",
]


_EXACT = 1e-12  # a change of values that is taken for none


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
    rescale: Any = getattr(nx.algorithms.centrality.betweenness, "_rescale")
    known = inspect.signature(rescale).parameters
    options = {"normalized": normalized, "directed": directed, "endpoints": False, "k": k,
               "sampled_nodes": None if k is None else drawn}
    return rescale(found, count, **{name: value for name, value in options.items() if name in known})


def pagerank(G: BackendGraph, alpha: float = 0.85, personalization: Any = None, max_iter: int = 100, tol: float = 1e-6,
             nstart: Any = None, weight: Any = "weight", dangling: Any = None) -> dict[Any, float]:
    nodes, count = G.nodes, len(G)
    options: dict[str, Any] = {}
    if personalization is not None:
        options["personalization"] = np.array([personalization.get(node, 0) for node in nodes], float)
    if G.is_multigraph():
        graph = G.weighted("\0 no such attribute" if weight is None else weight, "sum")
    else:
        named = G.named_weight(weight)
        graph = G.simple() if named is None else G.weighted(named)
    weights = graph.out_edges()[2]
    if weights is not None and weights.size and not weights.min() > 0:
        raise Odd(f"the attribute {weight!r} is 0 on an edge")
    if weights is not None and not np.isfinite(weights.sum(dtype=float)):
        raise Odd(f"the attribute {weight!r} adds up to infinity")
    result = graph.pagerank(damping=alpha, tolerance=count * tol, max_iterations=max_iter, precision="double",
                            weighted=graph.weighted, **options)
    if not result.converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(nodes, result.values.tolist()))


def _run(G: BackendGraph, weight: Any, algorithm: str, **options: Any) -> Result:
    """An algorithm of sums over neighbours. NetworkX's own code says what to do about those that diverge."""
    named = G.named_weight(weight)
    graph: Graph = G.simple() if named is None else G.weighted(named)
    try:
        result: Result = getattr(graph, algorithm)(weighted=graph.weighted, **options)
    except ArgumentError as error:
        raise Odd(str(error)) from error
    return result


def _sums(G: BackendGraph, weight: Any, algorithm: str, **options: Any) -> Array:
    """Its values; NetworkX's own code goes on where they take more rounds than the caller allows."""
    result = _run(G, weight, algorithm, **options)
    if not result.converged:
        raise Odd(f"{algorithm} has not converged")
    return np.asarray(result.values)


def eigenvector_centrality(G: BackendGraph, max_iter: int = 100, tol: float = 1e-6, nstart: Any = None,
                           weight: Any = None) -> dict[Any, float]:
    # NetworkX ends when the sum of changes is below n * tol: below it is n ** 0.5 times the Euclidean one.
    values = _sums(G, weight, "eigenvector", tolerance=tol * math.sqrt(len(G)), max_iterations=max_iter)
    return dict(zip(G.nodes, values.tolist()))


def katz_centrality(G: BackendGraph, alpha: float = 0.1, beta: float = 1.0, max_iter: int = 1000, tol: float = 1e-6,
                    nstart: Any = None, normalized: bool = True, weight: Any = None) -> dict[Any, float]:
    values = _sums(G, weight, "katz", alpha=alpha, normalized=bool(normalized), tolerance=min(tol, _EXACT),
                   max_iterations=max_iter - 1)  # NetworkX begins with zeros, a round before Heddle
    return dict(zip(G.nodes, (values if normalized else values * beta).tolist()))


#: Whether NetworkX computes HITS by rounds, which may be too few; before 3.7 `max_iter` and `tol` were those of ARPACK.
_original_hits: Any = nx.hits
_BY_ROUNDS = "method" in inspect.signature(_original_hits.orig_func).parameters


def hits(G: BackendGraph, max_iter: int = 100, tol: float = 1e-8, nstart: Any = None,
         normalized: bool = True) -> tuple[dict[Any, float], dict[Any, float]]:
    options = {"tolerance": min(tol, _EXACT), "max_iterations": max_iter if _BY_ROUNDS else 10_000}
    hubs = _run(G, "weight", "hits", hubs=True, **options)
    if not hubs.converged or (_BY_ROUNDS and not _ends_in_time(G, hubs, options, tol)):
        raise Odd("hits has not converged")
    authorities = _sums(G, "weight", "hits", hubs=False, **{**options, "max_iterations": 10_000})
    return dict(zip(G.nodes, hubs.values.tolist())), dict(zip(G.nodes, authorities.tolist()))


def _ends_in_time(G: BackendGraph, hubs: Result, options: dict[str, Any], tol: float) -> bool:
    """Whether the last of our rounds, which are NetworkX's, changed hubs by less than `tol` as NetworkX scales them: it
    ends there at the latest, and has not run out of rounds."""
    last, before, rounds = hubs.values, np.ones(len(hubs)), hubs.report["iterations"]
    if rounds > 1:
        before = _run(G, "weight", "hits", hubs=True, **{**options, "max_iterations": rounds - 1}).values
    return bool(np.abs(last / last.max() - before / before.max()).sum() < tol)


def _cores(G: BackendGraph) -> Array:
    arcs = G.arcs()
    if (arcs.sources == arcs.targets).any():
        raise Odd("the graph has self loops")
    return G.simple().kcore().values


def core_number(G: BackendGraph) -> dict[Any, int]:
    return dict(zip(G.nodes, _cores(G).tolist()))


def _core_subgraph(G: BackendGraph, chosen: Array) -> Any:
    return G.nx.subgraph(G.named(np.flatnonzero(chosen))).copy()


def k_core(G: BackendGraph, k: Any = None, core_number: Any = None) -> Any:
    cores = _cores(G)
    return _core_subgraph(G, cores >= (cores.max() if k is None else k))


def k_shell(G: BackendGraph, k: Any = None, core_number: Any = None) -> Any:
    cores = _cores(G)
    return _core_subgraph(G, cores == (cores.max() if k is None else k))


def k_crust(G: BackendGraph, k: Any = None, core_number: Any = None) -> Any:
    cores = _cores(G)
    return _core_subgraph(G, cores <= (int(cores.max()) - 1 if k is None else k))


def k_corona(G: BackendGraph, k: Any, core_number: Any = None) -> Any:
    cores, (offsets, targets, _) = _cores(G), G.simple().out_edges()
    k = cores.max() if k is None else k
    rows = np.repeat(np.arange(len(cores)), np.diff(offsets))
    inside = np.bincount(rows[cores[targets] >= k], minlength=len(cores))
    return _core_subgraph(G, (cores == k) & (inside == k))


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
