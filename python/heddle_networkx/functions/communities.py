"""Communities, and how good a partition is."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from ..graph import Array, BackendGraph, Odd
from .components import _groups, _sets
from .structure import _edges

__all__ = [
    "asyn_lpa_communities", "fast_label_propagation_communities", "inter_community_edges", "intra_community_edges",
    "leiden_communities", "louvain_communities", "modularity", "partition_quality",
]


def _found(G: BackendGraph, algorithm: str, weight: Any, **options: Any) -> list[set[Any]]:
    if not len(G):
        return []
    named = G.named_weight(weight)
    graph = G.simple() if named is None else G.weighted(named)
    labels = getattr(graph, algorithm)(weighted=named is not None, **options).values
    return list(_sets(G, _groups(labels)))


def louvain_communities(G: BackendGraph, weight: Any = "weight", resolution: Any = 1, threshold: Any = 1e-7,
                        max_level: Any = None, seed: Any = None) -> list[set[Any]]:
    return _found(G, "louvain", weight, resolution=resolution)


def leiden_communities(G: BackendGraph, weight: Any = "weight", resolution: Any = 1, max_level: Any = None,
                       seed: Any = None) -> list[set[Any]]:
    return _found(G, "leiden", weight, resolution=resolution)


def asyn_lpa_communities(G: BackendGraph, weight: Any = None, seed: Any = None) -> Iterator[set[Any]]:
    yield from _sets(G, _groups(G.simple().lpa().values))


def fast_label_propagation_communities(G: BackendGraph, *, weight: Any = None, seed: Any = None) -> Iterator[set[Any]]:
    yield from asyn_lpa_communities(G)


# ---- partitions ----

def _blocks_of(G: BackendGraph, partition: Any) -> Array:
    """The number of each vertex's block; NetworkX answers where these are no partition of the nodes."""
    blocks = np.full(len(G), -1)
    try:
        for number, members in enumerate(partition):
            blocks[[G.index[node] for node in members]] = number
    except (KeyError, TypeError) as error:
        raise Odd("a block has others than nodes of the graph") from error
    if (blocks < 0).any() or sum(map(len, partition)) != len(G):
        raise Odd("it is no partition")
    return blocks


def modularity(G: BackendGraph, communities: Any, weight: Any = "weight", resolution: Any = 1) -> float:
    blocks, count = _blocks_of(G, communities), len(communities)
    sources, targets = G.arcs().repeated()
    named = G.named_weight(weight)
    weights = np.ones(len(sources), np.int64) if named is None else G.weights(named)
    loops = sources == targets

    def sums(place: Array, values: Array) -> list[Any]:
        found = np.zeros(count, values.dtype)
        np.add.at(found, place, values)
        return list(found.tolist())
    leaving, entering = sums(blocks[sources], weights), sums(blocks[targets], weights)
    inside = blocks[sources] == blocks[targets]
    within = sums(blocks[sources[inside]], weights[inside])
    if G.is_directed():
        total = sum(leaving)
        norm = 1 / total**2
    else:  # both arcs of an edge were counted, of a loop the only one
        own = sums(blocks[sources[loops]], weights[loops])
        within = [(one + other) / 2 for one, other in zip(within, own)]
        leaving = entering = [one + other for one, other in zip(leaving, own)]
        total, norm = sum(leaving) / 2, 1 / sum(leaving)**2
    found: float = sum(within[k] / total - resolution * leaving[k] * entering[k] * norm for k in range(count))
    return found


def intra_community_edges(G: BackendGraph, partition: Any) -> int:
    blocks, (sources, targets) = _blocks_of(G, partition), _edges(G)
    return int((blocks[sources] == blocks[targets]).sum())


def inter_community_edges(G: BackendGraph, partition: Any) -> int:
    blocks, (sources, targets) = _blocks_of(G, partition), _edges(G)
    return int((blocks[sources] != blocks[targets]).sum())


def partition_quality(G: BackendGraph, partition: Any) -> tuple[float, float]:
    blocks, (sources, targets) = _blocks_of(G, partition), _edges(G)
    inside, edges = int((blocks[sources] == blocks[targets]).sum()), len(sources)
    if G.is_multigraph():
        return inside / edges, -1.0
    sizes = np.bincount(blocks, minlength=len(partition)).tolist()
    ordered = 2 if G.is_directed() else 1
    apart = ordered * (len(G) ** 2 - sum(size * size for size in sizes)) // 2
    pairs = ordered * len(G) * (len(G) - 1) // 2
    return inside / edges, (inside + apart - (edges - inside)) / pairs
