"""Values, parents, forests, reports; against plain Python."""
import enum
import gc
import gzip
import io
import json
import os
import pickle
import re
import tempfile
import threading

import numpy as np
import pytest

import heddle
from heddle import Graph
from conftest import ROOT

RING = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5)]


@pytest.fixture
def ring():
    return Graph.from_edges(RING)


def test_values_own_the_result(ring):
    values = ring.bfs(0).values
    gc.collect()
    assert values.tolist() == [0, 1, 2, 3, -1, -1] and values.dtype == np.int32
    with pytest.raises(ValueError):
        values[0] = 5
    ring.close()
    assert values.sum() == 4
    assert np.asarray(Graph.from_edges(RING).bfs(0)).tolist() == values.tolist()


def test_parents_and_paths(ring):
    result = ring.bfs(0, parents=True)
    assert result.parents.tolist() == [-1, 0, 1, 2, -1, -1]
    assert result.path(3) == [0, 1, 2, 3] and result.path(0) == [0] and result.path(5) == []
    with pytest.raises(heddle.ArgumentError, match="parents=True"):
        ring.bfs(0).path(3)
    assert ring.bfs([0, 4], parents=True).path(5) == [4, 5]


def test_each(ring):
    values = ring.bfs(sources=[0, 4], each=True).values
    assert values.tolist() == [[0, 1, 2, 3, -1, -1], [-1, -1, -1, -1, 0, 1]]
    weighted = Graph.from_edges([(u, v, 5) for u, v in RING]).bfs(sources=[0, 4], each=True)
    assert weighted.values.tolist() == values.tolist() and weighted[5].tolist() == [-1, 1]
    assert weighted.to_dict() == {v: list(pair) for v, pair in enumerate(values.T.tolist())}
    with pytest.raises(heddle.ArgumentError, match="top: a value per vertex is needed, not one for each"):
        weighted.top()


def test_many_to_many(ring):
    g = Graph.from_edges([(0, 1, 2.5), (1, 2, 1), (0, 2, 9), (3, 0, 1)])
    found = g.sssp(sources=[3, 0, 2], each=True)
    assert found.values[:, g.numbers_of([2, 3])].tolist() == [[4.5, 0], [3.5, float("inf")], [0, float("inf")]]
    with pytest.raises(heddle.RefusedError, match="use (cpu|one device) instead"):
        g.sssp(sources=[0], each=True, device="cpu,cpu")


def test_weights():
    edges = [(0, 1, 7), (1, 2, 1), (0, 2, 9)]
    assert Graph.from_edges(edges).sssp(0).values.tolist() == [0, 7, 8]
    floats = Graph.from_edges([(u, v, w + 0.5) for u, v, w in edges], vertices=4)
    assert floats.sssp(0).values.tolist() == [0, 7.5, 9, np.inf]
    for weight in (np.float32, np.float64):  # 2^24 + 1, which single precision does not hold
        sums = Graph.from_edges(np.array([0, 1]), np.array([1, 2]), np.array([2**24, 1], weight)).sssp(0).values
        assert sums.dtype == np.float64 and sums.tolist() == [0, 2**24, 2**24 + 1]
    large = Graph.from_edges(np.array([0, 1]), np.array([1, 2]), np.array([2**31, 5], np.uint32))
    assert large.sssp(0).values.tolist() == [0, 2**31, 2**31 + 5]
    assert Graph.from_edges([(0, 1, 2**40)]).sssp(0)[1] == 2**40


def test_large_distances():
    """Distances of 2^31 and more: unreached is -1 still."""
    large = Graph.from_edges(np.array([0, 1]), np.array([1, 2]), np.array([2**31, 5], np.uint32), vertices=4)
    result = large.sssp(0)
    assert result.values.tolist() == [0, 2**31, 2**31 + 5, -1] and result.values.dtype == np.int64
    assert not result.values.flags.writeable and result[3] == -1
    ends = np.arange(3), np.arange(1, 4), np.full(3, 2**62)
    assert Graph.from_edges(*ends).sssp(0).values.tolist() == [0, 2**62, 2**63, 3 * 2**62]
    result = Graph.from_edges(*ends, vertices=5).sssp(0)
    with pytest.raises(heddle.HeddleError, match="2\\^63"):
        result.values
    assert len(result) == 5 and "5 vertices" in repr(result)


def test_top():
    g = Graph.from_edges(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([2**53, 2**53 + 1, 2**53]), vertices=6)
    assert g.sssp(0).top() == [(2, 2**53 + 1), (1, 2**53), (3, 2**53), (0, 0)]
    assert g.sssp(0).top(1) == [(2, 2**53 + 1)]
    assert g.sswp(0).top() == [(2, 2**53 + 1), (1, 2**53), (3, 2**53)]
    floats = Graph.from_edges([(0, 1, 0.5), (1, 2, 0.5)], vertices=4)
    assert floats.sssp(0).top() == [(2, 1.0), (1, 0.5), (0, 0.0)] and floats.bfs(1).top() == [(2, 1), (1, 0)]
    assert Graph.from_edges([(0, 1)], vertices=3).kcore().top() == [(0, 1), (1, 1), (2, 0)]


def test_results_stay_when_the_graph_is_closed():
    g = Graph.from_edges(["x", "y"], ["y", "z"])
    result = g.bfs("x", parents=True)
    g.close()
    assert result["z"] == 2 and result.path("z") == ["x", "y", "z"] and result.report["source"] == "x"
    assert result.top(1) == [("z", 2)] and result.to_dict() == {"x": 0, "y": 1, "z": 2}
    with pytest.raises(heddle.ClosedError):
        result.save("unused.tsv")
    g = Graph.from_edges([10, 20], [20, 30])
    result = g.pagerank(progress=lambda *_: g.close())  # closed before there is a result
    assert g.closed and result.top(1)[0][0] == 30


def test_labels():
    g = Graph.from_edges([(10, 20), (30, 40), (40, 30)])
    result = g.cc()
    assert result.labels and result.values.tolist() == [0, 0, 2, 2] and result[40] == 30
    assert result.to_dict() == {10: 10, 20: 10, 30: 30, 40: 30}
    assert g.scc().to_dict() == {10: 10, 20: 20, 30: 30, 40: 30}
    assert not g.bfs(10).labels


def test_forest():
    result = Graph.from_edges([(0, 1, 5), (1, 2, 1), (0, 2, 2)], symmetrize=True).mst()
    assert result.edges.tolist() == [[0, 2], [1, 2]] and result.weights.tolist() == [2, 1]
    assert result.report["summary"]["total_weight"] == 3


def test_walks():
    graph = Graph.from_edges([(0, 1), (1, 2)])
    assert graph.walks(walks=2, length=2).values.tolist() == [[0, 1, 2]] * 2 + [[1, 2, -1]] * 2 + [[2, -1, -1]] * 2
    assert graph.walks(source=1, walks=1, length=1, p=0.5, q=2, weighted=True).values.tolist() == [[1, 2]]
    weighted = Graph.from_edges([("a", "b", 5), ("b", "c", 7)]).walks(walks=1, length=2, weighted=True)
    assert weighted.values.tolist() == [[0, 1, 2], [1, 2, -1], [2, -1, -1]] and "3 walks" in repr(weighted)
    for ask in (weighted.to_dict, weighted.top, lambda: weighted["a"]):
        with pytest.raises(heddle.ArgumentError, match="a value per vertex is needed; this result has walks"):
            ask()


def test_similar():
    graph = Graph.from_edges([("ann", "tea"), ("ann", "milk"), ("bob", "tea"), ("bob", "milk"), ("bob", "beer")])
    result = graph.similar(pairs=[("ann", "bob"), ("beer", "ann")], measure="overlap")
    assert result.weights.tolist() == [1, 0]
    nearest = graph.similar(source="ann", top=1)
    assert [graph.id_of(v) for v in nearest.edges[0]] == ["ann", "bob"] and nearest.weights.tolist() == [2 / 3]
    with pytest.raises(heddle.ArgumentError, match="pairs: two ids are needed"):
        graph.similar(pairs=["ab"])
    none = Graph.from_edges([(0, 1)]).similar(source=0, measure="adamic-adar")
    assert none.edges.shape == (0, 2) and "0 edges" in repr(none)
    with pytest.raises(heddle.ArgumentError, match="this result has edges"):
        nearest.to_dict()


def test_report(ring):
    report = ring.pagerank(verify=True, tolerance=1e-9, precision="double").report
    assert report["verified"] is True and report["converged"] is True and report["device"] == "cpu"
    assert report["graph"] == {"vertices": 6, "edges": 5} and abs(report["summary"]["sum"] - 1) < 1e-9
    assert sum(one["rounds"] for one in report["rounds"]) == report["iterations"]
    assert report["rounds"][0]["direction"] in ("none", "push", "pull", "mixed")
    assert report["approximate"] is False and report["error_bound"] < 1e-7 and 0 < report["relative_error"] < 1e-4
    assert ring.bfs().report["error_bound"] is None
    assert report["inaccuracy"] is None and report["worst_error"] is None
    shown = report._repr_html_()
    assert isinstance(report, dict) and "<svg" in shown and "time of each phase" in shown
    assert "script" not in shown and "converged" in shown
    assert ring.bfs().report["source"] == 0 and ring.bfs(1).report["verified"] is None


def test_pagerank_against_the_definition():
    g = heddle.generate("rmat", scale=7, seed=5)
    result = g.pagerank(tolerance=1e-12, precision="double", max_iterations=1000).values
    offsets, targets, _ = g.out_edges()
    degree = np.diff(offsets)
    ranks = np.full(g.vertices, 1 / g.vertices)
    for _ in range(200):
        sent = np.bincount(targets, np.repeat(ranks / np.maximum(degree, 1), degree), g.vertices)
        ranks = 0.15 / g.vertices + 0.85 * (sent + ranks[degree == 0].sum() / g.vertices)
    assert np.abs(ranks - result).sum() < 1e-9
    personal = np.zeros(g.vertices)
    personal[3] = 1
    assert g.pagerank(personalization=personal).top(1)[0][0] == 3


def test_pagerank_from_a_source():
    g = Graph.from_edges(["a", "b", "c", "a"], ["b", "c", "a", "c"])
    assert g.pagerank("c").to_dict() == g.pagerank(personalization={"c": 1}).to_dict() != g.pagerank().to_dict()
    both = g.pagerank(sources=["a", "c"]).to_dict()
    assert both == g.pagerank(personalization={"a": 1, "c": 1}).to_dict()
    with pytest.raises(heddle.ArgumentError, match="give one of them"):
        g.pagerank("c", personalization={"a": 1})
    with pytest.raises(KeyError):
        g.pagerank("d")
    with pytest.raises(heddle.ArgumentError, match="sources: at least one is needed"):
        g.pagerank(sources=[])


def test_options_by_type(ring):
    initial = np.linspace(0, 1, 6)
    fixed = np.array([1, 0, 0, 0, 1, 0], bool)
    values = ring.hs(initial=initial, fixed=fixed, rate=0.25, max_iterations=3, tolerance=1e-3).values
    assert values[0] == np.float32(0) and len(values) == 6
    assert ring.bc(normalized=True, samples=2, seed=7).values.shape == (6,)
    assert ring.bfs(0, device="cpu", plan="auto", threads=2, memory_limit="1G").values[3] == 3


def test_everything_in_the_table_runs(ring):
    for name in heddle.algorithms():
        result = getattr(ring, name)()
        assert result.report["algorithm"] == name
        assert repr(result) and "<svg" in result._repr_html_() or len(result.report["rounds"]) < 2


def test_notebooks_show_what_was_found():
    g = heddle.generate("rmat", scale=7, seed=5, symmetrize=True, weighted=True)
    ranks = g.pagerank()
    shown = ranks._repr_html_()
    vertex, value = ranks.top(1)[0]
    places = [shown.index(part) for part in ("<th>id</th><th>value</th>", f">{vertex}</th>", f"{value:.6g}",
                                             "vertices by value, from", ">converged</th>", "time of each round")]
    assert places == sorted(places) and ">yes</td>" in shown and "script" not in shown
    stored = pickle.loads(pickle.dumps(ranks))._repr_html_()
    assert stored[:shown.index("rounds")] == shown[:shown.index("rounds")]
    assert "value 0: 1<" in g.bfs(0)._repr_html_() and "<th>group</th><th>vertices</th>" in g.cc()._repr_html_()
    assert "<th>source</th><th>target</th><th>weight</th>" in g.mst()._repr_html_()
    assert "converged" in g.walks(walks=1, length=2)._repr_html_()
    for edges in ([(0, 1)], [(0, 0)]):
        few = Graph.from_edges(edges)
        assert all("svg" in one._repr_html_() for one in (few.pagerank(), few.bc(), few.cc()))


def test_distributions():
    from heddle import _html

    def counts(*values):
        found = re.findall("<title>value ([^<]*): ([^<]*)</title>", _html._distribution(np.array(values), "x", "value"))
        return {name: int(count.replace(",", "")) for name, count in found}
    assert counts(0, 2, 2) == {"0": 1, "1": 0, "2": 2} and counts(7) == {"7": 1} and counts(0) == {"0": 1}
    assert counts(0.5) == {"0.5 to 0.5": 1} and counts(-1., 1.) == {"-1 to 0": 1, "0 to 1": 1}
    wide = counts(*[0] * 5, *range(1, 10001))
    assert wide["0"] == 5 and sum(wide.values()) == 10005 and len(wide) <= 25
    assert sum(counts(0., 1e-9, 1., 1e9).values()) == 4 and sum(counts(*range(100)).values()) == 100
    assert _html._distribution(np.array([]), "x", "value") == ""


def test_numbers_can_be_read():
    from heddle import _html, _result
    said = [_result.duration(one) for one in (0, 5.81e-7, 0.0099996, 0.9996, 2.48, 12345.6)]
    assert said == ["0 ns", "581 ns", "10 ms", "1 s", "2.48 s", "12,346 s"]
    said = [_html._number(one) for one in (True, False, 1234, 835469.4, 0.25)]
    assert said == ["yes", "no", "1,234", "835,469", "0.25"]


def program():
    """The text of a program that examples/api has: the largest number that reaches a vertex."""
    with open(os.path.join(ROOT, "examples", "api", "embedded.c")) as file:
        text = file.read()
    body = text[text.index("largest[] ="):]
    body = body[:body.index(";\n\n")]
    return "".join(eval(line[line.index('"'):].rstrip(";")) for line in body.splitlines() if '"' in line)


def test_program(ring, tmp_path):
    text = program()
    try:
        result = ring.run(text, initial=[5, 1, 2, 9, 1, 0])
    except heddle.UnsupportedError as error:
        pytest.skip(str(error))
    assert result.values.tolist() == [9, 9, 9, 9, 1, 1]
    (tmp_path / "largest.c").write_text(text)
    assert ring.run(tmp_path / "largest.c", initial=np.arange(6)).values.tolist() == [3, 3, 3, 3, 4, 5]
    with pytest.raises(heddle.ProgramError) as caught:
        ring.run(text.replace("return value", "return valu"))
    assert caught.value.line > 1 and "valu" in str(caught.value)


def test_pandas(ring):
    pytest.importorskip("pandas")
    frame = ring.bfs(0, parents=True).to_pandas()
    assert frame["id"].tolist() == [0, 1, 2, 3, 4, 5] and frame["value"].tolist() == [0, 1, 2, 3, -1, -1]
    assert frame["parent"].tolist()[1:4] == [0, 1, 2] and frame["parent"].isna().tolist()[0]
    assert ring.mst().to_pandas()["target"].tolist() == [1, 3, 2, 5]
    named = Graph.from_edges(["x", "z"], ["y", "z"]).cc().to_pandas()
    assert dict(zip(named["id"], named["value"])) == {"x": "x", "y": "x", "z": "z"}


def test_shown(ring):
    assert repr(ring) == "<heddle.Graph directed, 6 vertices, 5 edges>"
    shown = ring._repr_html_()
    assert "<svg" in shown and "script" not in shown
    friends = Graph.from_edges([0, 1, 2], [1, 0, 2], [5, 5, 1], symmetrize=True)
    assert repr(friends) == "<heddle.Graph undirected, 3 vertices, 2 edges (3 arcs), weights int64>"
    assert "2 edges (3 arcs)" in friends._repr_html_()
    assert repr(Graph.from_edges([0], [0])) == "<heddle.Graph directed, 1 vertex, 1 edge>"
    assert repr(Graph.from_edges([0], [0]).bfs(0)).startswith("<heddle.Result bfs: 1 vertex, 1 round, ")
    ring.close()
    assert repr(ring) == "<heddle.Graph, closed>" and "closed" in ring._repr_html_()


def test_explain_and_memory(ring):
    found = heddle.explain(ring, "pagerank")
    assert found["device"] == "cpu" and found["reasons"] and found["rows"][0]["name"]
    assert ring.memory("bfs", source=1)["residency"]
    assert ring.stats()["components"] == 2 and ring.stats()["max_out_vertex"] == 0


def test_each_of_one_source():
    g = Graph.from_edges([(10, 20), (20, 30)])
    result = g.bfs(sources=[10], each=True)
    assert result.values.tolist() == [[0, 1, 2]] and result[30].tolist() == [2]
    assert result.to_dict() == {10: [0], 20: [1], 30: [2]}
    assert g.pr(sources=[10], each=True).values.shape == (1, 3) and g.bfs(sources=[10], each=False).values.ndim == 1
    pytest.importorskip("pandas")
    assert list(result.to_pandas().columns) == ["id", 0]


def test_ids_are_read_only():
    for g in (Graph.from_edges([(10, 20)]), Graph.from_edges(["a"], ["b"]), Graph.from_edges([(0, 1)], vertices=2)):
        with pytest.raises(ValueError, match="read-only"):
            g.ids[0] = g.ids[1]
        assert g.ids is g.ids and g.bfs(g.ids[0])[g.ids[1]] == 1


LARGE = 6000  # more than graphs that are used on the caller's thread


def rings():
    """A ring of ids of every kind, and the ids in its order."""
    for ids in ([10 * k for k in range(LARGE)], list(range(-7, LARGE - 7)), [f"n{k}" for k in range(LARGE)]):
        yield Graph.from_edges(ids, ids[1:] + ids[:1]), ids
    yield heddle.read(b"\n".join(b"%d %d" % (2**63 + k, 2**63 + (k + 1) % LARGE) for k in range(LARGE))), [
        2**63 + k for k in range(LARGE)]


def test_few_ids_need_no_table(monkeypatch):
    """A source, an id of a result, a path, the first of a list: neither all ids are read nor a table of them made."""
    for g, ids in rings():
        with monkeypatch.context() as patched:
            patched.setattr(heddle._graph, "_numbered", None)
            patched.setattr(Graph, "_read_ids", None)
            result = g.bfs(ids[5], parents=True)
            assert result[ids[9]] == 4 and result.report["source"] == ids[5] and result.path(ids[6]) == ids[5:7]
            assert result.top(2) == [(ids[4], LARGE - 1), (ids[3], LARGE - 2)]
            assert g.id_of(np.int64(g.vertex_of(ids[8]))) == ids[8]
            for odd in (10**6 + 1, 10**30, "n", "n1\0", b"n1"):
                with pytest.raises(heddle.VertexError, match="no vertex has the id"):
                    g.bfs(odd)
        assert [g.vertex_of(one) for one in ids[::7]] == [g.ids_list().index(one) for one in ids[::7]]
        with pytest.raises(IndexError):
            g.id_of(LARGE)
        g.close()
        assert result[ids[9]] == 4 and result.top(1) == [(ids[4], LARGE - 1)] and result.path(ids[7]) == ids[5:8]


def test_numbers_need_no_table():
    g = heddle.generate("path", vertices=LARGE)
    assert g.bfs(LARGE - 1)[0] == LARGE - 1 and g._index is None and g._ids is None
    assert g.ids.tolist() == list(range(LARGE))
    with pytest.raises(heddle.VertexError):
        g.bfs(LARGE)


def test_top_of_many():
    """Only those that are shown are sorted; ties are in the order of vertices."""
    draw = np.random.default_rng(1)
    values = draw.integers(0, 7, LARGE)
    g = Graph.from_edges(np.zeros(LARGE, np.int64), np.arange(1, LARGE + 1), values, vertices=LARGE + 2)
    result = g.sssp(0)
    expected = sorted(((v, d) for v, d in result.to_dict().items() if d >= 0), key=lambda one: (-one[1], one[0]))
    for count in (0, 1, 2, 900, 5000, LARGE, LARGE + 1, 10 * LARGE):
        assert result.top(count) == expected[:count]
    floats = Graph.from_edges(np.zeros(LARGE, np.int64), np.arange(1, LARGE + 1), values / 2).sssp(0)
    assert floats.top(7) == sorted(floats.to_dict().items(), key=lambda one: (-one[1], one[0]))[:7]
    for odd in (-1, 2.5, "3"):
        with pytest.raises(heddle.ArgumentError, match="count: "):
            result.top(odd)


def test_components_are_named_by_ids():
    g = Graph.from_edges(["x", "z"], ["y", "w"])
    assert g.cc().top() == [("x", 2), ("z", 2)] and g.cc()["w"] == "z"
    larger = Graph.from_edges([(10, 20), (30, 40), (40, 50)])
    assert larger.cc().top(1) == [(30, 3)] and larger.cc().top(0) == []
    assert larger.louvain().top() == larger.scc().top()[:0] + [(30, 3), (10, 2)]


def test_numbers_as_parameters(ring, monkeypatch):
    seen = []
    monkeypatch.setattr(heddle._algorithms, "_execute", lambda graph, run, *_: seen.append(run.options.parameters))
    ring.run(b"program", parameters={"stop": np.float64(2.5), "flag": True, "count": np.int8(3), "low": 1e-300,
                                     "single": np.float32(0.5), "off": np.False_})
    assert seen[0].removesuffix(b".0") == b"stop=2.5,flag=1,count=3,low=1e-300,single=0.5,off=0"
    with pytest.raises(heddle.ArgumentError, match="parameters: stop: a number is needed, not 'x'"):
        ring.run(b"program", parameters={"stop": "x"})


@pytest.fixture
def named():
    """Graphs whose nodes are NetworkX's, by name: the library has numbers for them, in some graphs not from 0 on."""
    networkx = pytest.importorskip("networkx")
    numbers = networkx.Graph([(100, 7, {"weight": 2}), (7, 55, {"weight": 3})])
    texts = networkx.Graph([("a", 'b "c", d'), ('b "c", d', "ta\tb")])
    texts.add_nodes_from(["e", "f"])
    texts.add_edge("f", "a")
    return {"numbers": Graph.from_networkx(numbers), "part": Graph.from_networkx(numbers).subgraph([7, 55]),
            "texts": Graph.from_networkx(texts), "fewer": Graph.from_networkx(texts, drop_isolated=True)}


def test_saved_with_names(named, tmp_path):
    def saved(result, name="x.tsv"):
        result.save(tmp_path / name)
        assert os.listdir(tmp_path) == [name]
        content = (tmp_path / name).read_bytes()
        os.unlink(tmp_path / name)
        return content.decode() if not name.endswith((".npy", ".gz")) else content
    g = named["numbers"]
    assert saved(g.sssp(100)) == "100\t0\n7\t2\n55\t5\n"
    assert saved(g.bfs(7, parents=True), "x.csv") == "id,distance,parent\n100,1,7\n7,0,\n55,1,7\n"
    assert saved(g.cc()) == "100\t100\n7\t100\n55\t100\n"
    assert saved(g.mst(), "x.csv") == "source,target,weight\n100,7,2\n7,55,3\n"
    assert saved(g.bfs(sources=[55], each=True)) == "id\t55\n100\t2\n7\t1\n55\t0\n"
    assert json.loads(saved(g.bfs(sources=[55, 7], each=True), "x.json")) == {
        "algorithm": "bfs", "columns": ["id", 55, 7], "rows": [[100, 2, 1], [7, 1, 0], [55, 0, 1]]}
    assert saved(g.walks(source=100, walks=1, length=1)) == "100\t7\n"
    assert saved(g.pagerank(max_error=0.1)).startswith("# approximate: pr")
    assert gzip.decompress(saved(g.sssp(100), "x.tsv.gz")) == b"100\t0\n7\t2\n55\t5\n"
    assert saved(named["part"].bfs(55)) == "7\t1\n55\t0\n"
    assert np.load(io.BytesIO(saved(g.bfs(7, parents=True), "x.npy")))["parent"].tolist() == [7, -1, 7]
    assert np.load(io.BytesIO(saved(named["part"].cc(), "x.npy"))).tolist() == [7, 7]
    g = named["texts"]
    rows = ["a\ta", 'b "c", d\ta', '"ta\tb"\ta', "e\te", "f\ta"]
    assert saved(g.cc()) == "\n".join(rows) + "\n"
    assert saved(named["fewer"].cc()) == "\n".join(rows[:3] + rows[4:]) + "\n"
    assert saved(g.bfs("e"), "x.csv") == 'id,distance\na,inf\n"b ""c"", d",inf\nta\tb,inf\ne,0\nf,inf\n'
    assert json.loads(saved(g.bfs("e"), "x.json"))["rows"][1:4] == [['b "c", d', "inf"], ["ta\tb", "inf"], ["e", 0]]
    assert np.load(io.BytesIO(saved(named["fewer"].cc(), "x.npy"))).tolist() == [0, 0, 0, 0]


def test_names_that_no_file_has(tmp_path):
    networkx = pytest.importorskip("networkx")
    for nodes, words in (([(0, 1), 2], "the node \\(0, 1\\) is neither"), ([1.5, 2], "1.5"), ([True, 5], "True"),
                         ([1, "1"], "two nodes would have the same id")):
        result = Graph.from_networkx(networkx.Graph([nodes])).bfs()
        with pytest.raises(heddle.ArgumentError, match="save: " + (words if words[0] == "t" else f".*{words}")):
            result.save(tmp_path / "x.tsv")
    result = Graph.from_networkx(networkx.path_graph(3)).bfs()
    with pytest.raises(heddle.ArgumentError, match="results are written as .tsv"):
        result.save(tmp_path / "x.unknown")
    with pytest.raises(heddle.FileError, match="nowhere/x.tsv: No such file"):
        result.save(tmp_path / "nowhere" / "x.tsv")
    assert not os.listdir(tmp_path)


def both():
    """A result whose vertices are nodes of NetworkX, and the same one that the library saves."""
    networkx = pytest.importorskip("networkx")
    yield Graph.from_networkx(networkx.DiGraph([("a", "b"), ("b", "c")])).bfs("a")
    yield Graph.from_edges(["a", "b"], ["b", "c"]).bfs("a")


ROWS = "a\t0\nb\t1\nc\t2\n"


def test_named_files_are_written_as_others(tmp_path):
    """Links are followed, permissions stay, what is no file is written to, and an error leaves nothing."""
    for k, result in enumerate(both()):
        folder = tmp_path / str(k)
        folder.mkdir()
        target, link, pipe = folder / "target.tsv", folder / "link.tsv", folder / "pipe.tsv"
        target.write_text("old")
        target.chmod(0o640)
        link.symlink_to(target)
        result.save(link)
        assert link.is_symlink() and target.read_text() == ROWS and target.stat().st_mode & 0o777 == 0o640
        os.mkfifo(pipe)
        read = []
        reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
        reader.start()
        result.save(pipe)
        reader.join(10)
        assert read == [ROWS] and pipe.is_fifo()
        long = folder / ("x" * 251 + ".tsv")
        result.save(long)
        result.save(folder / "{rank}.tsv")
        assert long.read_text() == (folder / "0.tsv").read_text() == ROWS
        for odd, error in ((None, heddle.ArgumentError), (3, heddle.ArgumentError), ("a\0b.tsv", heddle.ArgumentError),
                           (folder, heddle.ArgumentError), ("/dev/full", heddle.FileError)):
            with pytest.raises(error):
                result.save(odd)
        (folder / "folder.tsv").mkdir()
        with pytest.raises(heddle.FileError, match="(?i)is a directory"):
            result.save(folder / "folder.tsv")
        assert len(os.listdir(folder)) == 6


def test_named_files_in_memory():
    """/dev/shm has files as other folders do; the rest of /dev is written to as it is."""
    if not os.access("/dev/shm", os.W_OK):
        pytest.skip("no /dev/shm")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for result in both():
            result.save(folder + "/x.json.gz")
            with gzip.open(folder + "/x.json.gz") as file:
                assert json.load(file)["rows"] == [["a", 0], ["b", 1], ["c", 2]]
            assert os.listdir(folder) == ["x.json.gz"]


def test_named_files_on_standard_output(capfd):
    for result in both():
        result.save("-")
        assert capfd.readouterr().out == ROWS


def test_named_files_of_several_threads(tmp_path):
    result, failed = next(both()), []

    def save():
        try:
            for _ in range(30):
                result.save(tmp_path / "x.tsv")
        except BaseException as error:
            failed.append(error)
    threads = [threading.Thread(target=save) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not failed and os.listdir(tmp_path) == ["x.tsv"] and (tmp_path / "x.tsv").read_text() == ROWS


def test_names_of_enumerations(tmp_path):
    networkx = pytest.importorskip("networkx")
    city = enum.Enum("City", {"YORK": "york", "LEEDS": "leeds"}, type=str)
    Graph.from_networkx(networkx.Graph([tuple(city)])).bfs(city.YORK).save(tmp_path / "x.tsv")
    assert (tmp_path / "x.tsv").read_text() == "york\t0\nleeds\t1\n"
    for odd in ("\ud800", "a\0"):
        with pytest.raises(heddle.ArgumentError, match="has NUL, or half of a character"):
            Graph.from_networkx(networkx.Graph([(odd, "b")])).bfs().save(tmp_path / "y.tsv")
    assert os.listdir(tmp_path) == ["x.tsv"]


def test_results_are_copied_and_pickled():
    import copy
    g = heddle.Graph.from_edges(["a", "b", "c"], ["b", "c", "d"], [1.5, 2.0, 2.5])
    ranks, trip, tree, parts = g.pagerank(), g.sssp("a", parents=True), g.mst(), g.cc()
    for result in (ranks, trip, tree, parts):
        for other in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result),
                      copy.deepcopy(copy.copy(result))):
            assert np.array_equal(other.values, result.values) and repr(other) == repr(result)
            assert dict(other.report) == dict(result.report) and other.converged == result.converged
            assert np.array_equal(other.edges, result.edges) and len(other) == len(result)
    kept = pickle.loads(pickle.dumps(trip))
    del g
    assert kept["c"] == 3.5 and kept.path("d") == ["a", "b", "c", "d"] and kept.top(1) == trip.top(1)
    assert kept.to_dict() == trip.to_dict() and pickle.loads(pickle.dumps(parts)).to_dict() == parts.to_dict()
    with pytest.raises(heddle.ArgumentError, match="has no graph"):
        kept.save("x.tsv")


def test_array_without_a_copy():
    values = heddle.Graph.from_edges([0], [1]).bfs(0)
    assert np.array(values, copy=False).dtype == values.values.dtype
    with pytest.raises(ValueError, match="without a copy"):
        values.__array__(np.dtype("f8"), copy=False)  # what NumPy 2 calls; NumPy 1 takes copy=False for "if needed"
    assert np.array(values, dtype="f8").tolist() == [0.0, 1.0]


def test_plain_questions():
    g = heddle.Graph.from_edges(["a", "a", "c"], ["b", "c", "a"], [1, 2, 3])
    assert "a" in g and "z" not in g and 5 not in g
    assert g.neighbors("a") == ["b", "c"] and g.degree("b") == 1 and g.degree().values.tolist() == [3, 1, 2]
    assert g.degree("b", direction="out") == 0 and g.degree(direction="in", weighted=True).to_dict()["c"] == 2
    assert g.has_edge("a", "c") and not g.has_edge("b", "a")
    again = heddle.Graph.from_edges(*g.edge_arrays())
    assert again.ids.tolist() == ["a", "b", "c"] and again.sssp("c").to_dict() == g.sssp("c").to_dict()
    numbers = heddle.Graph.from_edges([3, 5], [5, 9])
    assert 3 in numbers and 4 not in numbers and numbers.neighbors(5) == [9] and "x" not in numbers


def test_documentation_of_algorithms():
    """Headed by the name that was asked for, with what the algorithm takes, in Python's words."""
    assert heddle.Graph.pagerank.__name__ == "pagerank" and heddle.Graph.pr.__name__ == "pr"
    for name in [*heddle.algorithms(), "pagerank", "betweenness", "components"]:
        text = getattr(heddle.Graph, name).__doc__
        assert f"Example: `g.{name}(" in text and "Returns a Result" in text
        assert not [word for word in ("NULL", "FILE", "options->", "0: 10") if word in text], text
    assert "damping: the probability of following an edge, not jumping; default 0.85" in heddle.Graph.pagerank.__doc__
    assert "hubs" not in heddle.Graph.pagerank.__doc__


def test_saving_over_a_mapped_file(tmp_path):
    """The graph keeps the file that it was read from; the new one has its name."""
    path = tmp_path / "g.hdl"
    heddle.generate("rmat", scale=12, seed=5).save(path)
    g = heddle.read(path)
    expected = g.bfs(0).values.tolist()
    Graph.from_edges([(0, 1)], vertices=2).save(path)
    assert g.bfs(0).values.tolist() == expected and heddle.read(path).edges == 1
    g.save(path)
    assert heddle.read(path).bfs(0).values.tolist() == expected
