"""Link prediction: a score for each of the given pairs of nodes."""
from __future__ import annotations

import math
from typing import Any, Iterator, Literal

import numpy as np

from ..graph import Array, BackendGraph, Odd

__all__ = [
    "adamic_adar_index", "common_neighbor_centrality", "jaccard_coefficient", "preferential_attachment",
    "resource_allocation_index",
]


def jaccard_coefficient(G: BackendGraph, ebunch: Any = None) -> Iterator[tuple[Any, Any, float]]:
    scores, degrees = _scores(G, ebunch, "jaccard")
    # NetworkX has the integer 0 where neither node has a neighbour
    return ((u, v, score if one + other else 0) for (u, v), score, (one, other) in zip(ebunch, scores, degrees))


def adamic_adar_index(G: BackendGraph, ebunch: Any = None) -> Iterator[tuple[Any, Any, float]]:
    scores, _ = _scores(G, ebunch, "adamic_adar")
    return ((u, v, score or 0) for (u, v), score in zip(ebunch, scores))


def resource_allocation_index(G: BackendGraph, ebunch: Any = None) -> Iterator[tuple[Any, Any, float]]:
    scores, _ = _scores(G, ebunch, "resources")
    return ((u, v, score or 0) for (u, v), score in zip(ebunch, scores))


def preferential_attachment(G: BackendGraph, ebunch: Any = None) -> Iterator[tuple[Any, Any, int]]:
    degrees = _ends(G, ebunch)[1].tolist() if len(ebunch) else []
    return ((u, v, one * other) for (u, v), (one, other) in zip(ebunch, degrees))


def common_neighbor_centrality(G: BackendGraph, ebunch: Any = None, alpha: Any = 0.8) -> Iterator[tuple[Any, Any, Any]]:
    scores, degrees = _scores(G, ebunch, "jaccard")
    common = [round(score * sum(both) / (1 + score)) for score, both in zip(scores, degrees)]
    far: dict[Any, Array] = {}

    def centrality(u: Any, v: Any, shared: int) -> Any:
        if alpha == 1:
            return shared
        if u not in far:
            far[u] = G.simple().bfs(G.vertex(u)).values
        steps = far[u][G.vertex(v)].item()
        return alpha * shared + (1 - alpha) * len(G) / (math.inf if steps < 0 else steps)
    return ((u, v, centrality(u, v, shared)) for (u, v), shared in zip(ebunch, common))


Measure = Literal["jaccard", "adamic_adar", "resources"]


def _scores(G: BackendGraph, pairs: Any, measure: Measure) -> tuple[list[float], list[list[int]]]:
    """The similarity of each pair, and the degrees of its nodes."""
    if not len(pairs):
        return [], []
    ends, degrees = _ends(G, pairs)
    scores = G.simple().similar(pairs=ends, measure=measure).weights
    assert scores is not None
    return scores.tolist(), degrees.tolist()


def _ends(G: BackendGraph, pairs: Any) -> tuple[Array, Array]:
    """The nodes of each pair, and their degrees. NetworkX answers where there are loops (a node is a neighbour of its
    own then), for a node and itself, and for what are no nodes."""
    try:
        ends: Array = np.array([(G.vertex(u), G.vertex(v)) for u, v in pairs])
    except (KeyError, TypeError, ValueError) as error:
        raise Odd("a pair has others than two nodes of the graph") from error
    arcs, graph = G.arcs(), G.simple()
    if (arcs.sources == arcs.targets).any() or (ends[:, 0] == ends[:, 1]).any():
        raise Odd("there are loops")
    return ends, np.diff(graph.out_edges()[0])[ends]
