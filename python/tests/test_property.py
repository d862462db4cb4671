"""Random graphs against plain Python, and random rubbish."""
import numpy as np
import pytest

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings, strategies as st  # noqa: E402

import heddle  # noqa: E402
from heddle import Graph  # noqa: E402

settings.register_profile("quick", max_examples=60, deadline=None, derandomize=True, database=None)
settings.load_profile("quick")
ids = st.integers(-2**63, 2**63 - 1) | st.integers(0, 8)
edges = st.lists(st.tuples(ids, ids), max_size=30)


def levels(pairs, source):
    found, frontier = {source: 0}, [source]
    while frontier:
        frontier = sorted({v for u, v in pairs if u in frontier} - set(found))
        found.update(dict.fromkeys(frontier, max(found.values()) + 1))
    return found


@given(edges)
def test_bfs(pairs):
    g = Graph.from_edges(pairs)
    vertices = sorted({v for pair in pairs for v in pair})
    assert g.ids.tolist() == vertices
    for source in vertices[:3]:
        expected = levels(pairs, source)
        assert g.bfs(source).to_dict() == {v: expected.get(v, -1) for v in vertices}


@given(st.lists(st.tuples(st.text("abcé ", min_size=1, max_size=3), st.text("abcé ", min_size=1, max_size=3)),
                min_size=1, max_size=20))
def test_labels(pairs):
    g = Graph.from_edges(pairs)
    assert g.ids_list() == list(dict.fromkeys(v for pair in pairs for v in pair))
    assert len(set(g.cc().to_dict().values())) == g.stats()["components"]


@given(st.lists(st.integers(-3, 12), max_size=8), st.lists(st.integers(-2, 6), max_size=10),
       st.sampled_from([np.int32, np.int64, np.uint32, np.uint64, np.int8]))
def test_rubbish_as_rows(indptr, indices, width):
    offsets = np.array(indptr, np.int64).astype(width)
    targets = np.array(indices, np.int64).astype(width)
    try:
        g = Graph.from_csr(offsets, targets)
    except heddle.ArgumentError:
        return
    assert g.edges == len(indices) and all(0 <= v < g.vertices for v in targets.tolist())
    if g.vertices:
        g.bfs(0), g.scc(), g.pagerank()


@given(st.binary(max_size=200))
def test_rubbish_as_file(content):
    try:
        heddle.read(content)
    except heddle.HeddleError:
        pass
