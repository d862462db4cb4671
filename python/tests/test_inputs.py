"""Graphs from what users have."""
import collections
import io

import numpy as np
import pytest

import heddle
from heddle import Graph


def arcs(graph):
    """Sorted (source, target, weight) by ids."""
    offsets, targets, weights = graph.out_edges()
    ids = graph.ids_list()
    rows = np.repeat(np.arange(graph.vertices), np.diff(offsets)).tolist()
    weights = [None] * graph.edges if weights is None else weights.tolist()
    return sorted((ids[u], ids[v], w) for u, v, w in zip(rows, targets.tolist(), weights))


def test_two_arrays():
    g = Graph.from_edges(np.array([7, 3], np.int32), np.array([3, 9], np.uint8))
    assert arcs(g) == [(3, 9, None), (7, 3, None)]
    assert g.ids.tolist() == [3, 7, 9] and g.directed and not g.weighted


@pytest.mark.parametrize("kind", [np.uint32, np.int32, np.dtype(">i4"), np.int64])
def test_ids_of_32_bits(kind):
    ends = np.array([[7, 3], [3, 9], [9, 7]], kind)
    assert arcs(Graph.from_edges(ends[:, 0], ends[:, 1])) == [(3, 9, None), (7, 3, None), (9, 7, None)]
    assert arcs(Graph.from_edges(ends[:, 0], ends[:, 1], vertices=10)) == [(3, 9, None), (7, 3, None), (9, 7, None)]


def test_ids_of_32_bits_at_their_limits():
    assert Graph.from_edges(np.array([2**32 - 1], np.uint32), np.array([5], np.int32)).ids.tolist() == [5, 2**32 - 1]
    assert Graph.from_edges(np.array([-1], np.int32), np.array([5], np.uint32)).ids.tolist() == [-1, 5]
    with pytest.raises(heddle.ArgumentError, match="2 elements are needed, not 1"):
        Graph.from_edges(np.zeros(2, np.uint32), np.zeros(1, np.uint32))


def test_tuples_and_weights():
    g = Graph.from_edges([(0, 1, 0.5), (1, 2, 2.25)], vertices=4)
    assert arcs(g) == [(0, 1, 0.5), (1, 2, 2.25)] and g.vertices == 4
    assert Graph.from_edges([]).vertices == 0
    assert Graph.from_edges([], vertices=3).bfs(1).values.tolist() == [-1, 0, -1]


def test_edge_index():
    g = Graph.from_edges(np.array([[0, 1, 2, 3], [1, 2, 3, 0]]))
    assert arcs(g) == [(0, 1, None), (1, 2, None), (2, 3, None), (3, 0, None)]
    assert arcs(Graph.from_edges(np.array([[0, 1], [1, 2], [2, 0]]))) == [(0, 1, None), (1, 2, None), (2, 0, None)]

    class Data:  # as PyTorch Geometric has it
        edge_index = np.array([[0, 1, 2, 3], [1, 2, 3, 0]])
        edge_weight = np.array([1.0, 2.0, 3.0, 4.0])
    assert Graph.from_edges(Data()).out_edges()[2].tolist() == [1, 2, 3, 4]


def test_build_options():
    g = Graph.from_edges([(0, 0, 1), (0, 1, 5), (0, 1, 3)], drop_loops=True, duplicates="min", symmetrize=True)
    assert arcs(g) == [(0, 1, 3), (1, 0, 3)] and not g.directed


def test_strings():
    g = Graph.from_edges(["b", "a"], ["a", "çedilla"])
    assert arcs(g) == [("a", "çedilla", None), ("b", "a", None)]
    assert g.bfs("b")["çedilla"] == 2
    g = Graph.from_edges(np.array(["x", "yy"]), np.array(["yy", "x"]))
    assert arcs(g) == [("x", "yy", None), ("yy", "x", None)]
    assert arcs(Graph.from_edges([("x", "y", 3)])) == [("x", "y", 3)]


class Speaks:
    """An object that has one protocol of the array's."""

    def __init__(self, array, protocol):
        for name in protocol:
            setattr(self, name, getattr(array, name))


def test_protocols():
    ends = np.array([0, 1, 2]), np.array([1, 2, 0])
    g = Graph.from_edges(*[Speaks(one, ["__array_interface__"]) for one in ends])
    assert g.edges == 3

    class Tensor:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()
    assert arcs(Graph.from_edges(*map(Tensor, ends))) == [(0, 1, None), (1, 2, None), (2, 0, None)]


def test_csr_is_not_copied():
    offsets, targets, weights = np.array([0, 2, 3, 3], np.int32), np.array([1, 2, 2], np.int32), np.array([4., 5., 6.])
    g = Graph.from_csr(offsets, targets, weights)
    views = g.out_edges()
    assert views[1].ctypes.data == targets.ctypes.data and views[2].ctypes.data == weights.ctypes.data
    assert arcs(g) == [(0, 1, 4), (0, 2, 5), (1, 2, 6)]
    wide = offsets.astype(np.int64)
    assert Graph.from_csr(wide, targets).out_edges()[0].ctypes.data == wide.ctypes.data


def test_borrowed_arrays_are_locked():
    offsets, targets = np.array([0, 1, 2]), np.array([1, 0], np.int32)
    whole = np.array([9, 1, 0], np.int32)
    g, other = Graph.from_csr(offsets, targets), Graph.from_csr(offsets, whole[1:])
    for array in (offsets, targets, whole):
        with pytest.raises(ValueError):
            array[0] = 1
    g.close()
    targets[0] = 1
    with pytest.raises(ValueError):  # the other graph has them still
        offsets[0] = 1
    with pytest.raises(ValueError):
        whole[0] = 1
    del other
    offsets[0] = 0
    whole[0] = 8
    g = Graph.from_csr(offsets, targets, copy=True)
    targets[0] = 0
    assert arcs(g) == [(0, 1, None), (1, 0, None)]


def test_borrowed_arrays_live_as_long_as_the_graph():
    g = Graph.from_csr(np.arange(100001), np.roll(np.arange(100000, dtype=np.int32), -1))
    [np.ones(100000) for _ in range(20)]
    views = g.out_edges()
    assert g.bfs(0).report["summary"]["reached"] == 100000
    g.close()
    assert views[1][5] == 6


def test_csr_that_needs_a_copy():
    rows = [0, 2, 3], [1, 0, 1]  # not ascending, and of 64 bits
    assert arcs(Graph.from_csr(*rows)) == [(0, 0, None), (0, 1, None), (1, 1, None)]
    assert arcs(Graph.from_csr(*rows, symmetrize=True, drop_loops=True)) == [(0, 1, None), (1, 0, None)]
    g = Graph.from_csr(np.array([0, 1, 2], ">i4"), np.array([1, 0], ">i4"), np.array([1, 2], ">f8"))
    assert arcs(g) == [(0, 1, 1), (1, 0, 2)]


def test_undirected_csr():
    assert not Graph.from_csr([0, 1, 2], [1, 0], undirected=True).directed
    with pytest.raises(heddle.ArgumentError):
        Graph.from_csr([0, 1, 1], [1], undirected=True)


def test_undirected_csr_that_needs_a_copy():
    loose = np.array([0, 2, 3, 4], np.uint64), [2, 1, 0, 0], [5, 4, 4, 5]  # row 0 does not ascend
    seen = []
    g = Graph.from_csr(*loose, undirected=True, progress=lambda *report: seen.append(report))
    assert not g.directed and arcs(g) == [(0, 1, 4), (0, 2, 5), (1, 0, 4), (2, 0, 5)] and seen
    parallel = Graph.from_csr([0, 3, 5], [1, 0, 1, 0, 0], [2, 9, 1, 1, 2], undirected=True)
    assert not parallel.directed and sorted(arcs(parallel)) == [(0, 0, 9), (0, 1, 1), (0, 1, 2), (1, 0, 1), (1, 0, 2)]
    g = Graph.from_csr([0, 2, 3], [0, 1, 0], undirected=True, drop_loops=True)
    assert not g.directed and arcs(g) == [(0, 1, None), (1, 0, None)]
    for build in ({}, {"drop_loops": True}):
        with pytest.raises(heddle.ArgumentError, match="reverse"):
            Graph.from_csr([0, 3, 3, 3], [2, 1, 0], undirected=True, **build)


def test_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(np.array([[0, 2.0, 0], [0, 0, 3.0], [1.0, 0, 0]]))
    expected = [(0, 1, 2), (1, 2, 3), (2, 0, 1)]
    g = Graph.from_scipy(matrix)
    assert arcs(g) == expected
    assert g.out_edges()[1].ctypes.data == matrix.indices.ctypes.data
    assert arcs(Graph.from_scipy(matrix.tocsc())) == arcs(Graph.from_scipy(matrix.tocoo())) == expected
    assert arcs(Graph.from_scipy(matrix, weighted=False)) == [(u, v, None) for u, v, _ in expected]
    assert (g.to_scipy() != matrix).nnz == 0
    assert arcs(Graph.from_scipy(sparse.csr_matrix((0, 0)))) == []


def test_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("a", "b", {"weight": 2}), ("b", ("c", 1), {"weight": 3})])
    graph.add_node("alone")
    g = Graph.from_networkx(graph)
    assert not g.directed and g.vertices == 4 and g.edges == 4
    assert g.sssp("a")[("c", 1)] == 5 and g.sssp(("c", 1))["a"] == 5
    assert g.bfs("a").to_dict()["alone"] == -1
    assert Graph.from_networkx(graph, weight=None).weight_type is None
    multi = networkx.MultiDiGraph([(5, 6), (5, 6), (6, 5)])
    assert arcs(Graph.from_networkx(multi)) == [(5, 6, None), (5, 6, None), (6, 5, None)]
    assert Graph.from_networkx(networkx.Graph()).vertices == 0
    mixed = networkx.Graph([(0, "x"), ("x", 2)])
    assert Graph.from_networkx(mixed).bfs(0).to_dict() == {0: 0, "x": 1, 2: 2}
    floats = networkx.empty_graph(3)
    floats.add_edge(0.0, 1.0)  # the nodes 0 and 1
    assert arcs(Graph.from_networkx(floats)) == [(0, 1, None), (1, 0, None)]


@pytest.mark.parametrize("nodes", [
    [2, 0, 1], [-7, 12, 5], [10**15, -3, 8], [0, 1, 10**30], [True, 0, 7], [1, 2.5, 3]], ids=repr)
@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph"])
def test_networkx_nodes(nodes, kind):
    """Integers are looked up by NumPy, everything else by Python: the arcs are the same, with weights and without."""
    networkx = pytest.importorskip("networkx")
    a, b, c = nodes
    graph = getattr(networkx, kind)([(a, b, {"weight": 2}), (c, b, {"weight": 3}), (c, c, {"weight": 4})])
    both = [(a, b, 2), (c, b, 3), (c, c, 4)] + ([] if kind == "DiGraph" else [(b, a, 2), (b, c, 3)])
    g = Graph.from_networkx(graph)
    assert list(g.ids) == [a, b, c] and set(arcs(g)) == set(both) and g.edges == len(both)
    assert set(arcs(Graph.from_networkx(graph, weight=None))) == {(u, v, None) for u, v, _ in both}
    graph.add_edge(a, c)
    assert sorted(Graph.from_networkx(graph, default=9).out_edges()[2]) == sorted(
        [w for _, _, w in both] + [9] * (1 if kind == "DiGraph" else 2))


class Index:
    """Becomes an integer, and is equal to none."""

    def __index__(self):
        return 5


def test_networkx_odd_nodes():
    networkx = pytest.importorskip("networkx")
    nodes = [5, Index(), Index()]
    graph = networkx.DiGraph(list(zip(nodes, nodes[1:])))
    assert Graph.from_networkx(graph).bfs(5).to_dict() == dict(zip(nodes, range(3)))


def test_networkx_odd_attributes():
    networkx = pytest.importorskip("networkx")

    class Counting(networkx.Graph):
        edge_attr_dict_factory = staticmethod(lambda: collections.defaultdict(int))

    graph = Counting([(0, 1, {"weight": 3}), (1, 2, {"colour": 7})])
    assert sorted(Graph.from_networkx(graph, default=4).out_edges()[2]) == [3, 3, 4, 4]
    assert "weight" not in graph[1][2]  # asking adds nothing
    for odd in ("3", [1, 2], 2**70):
        graph[1][2]["weight"] = odd
        with pytest.raises(heddle.ArgumentError, match="'weight' is not a number"):
            Graph.from_networkx(graph)
    with pytest.raises(heddle.ArgumentError, match="a graph of NetworkX is needed, not list"):
        Graph.from_networkx([(0, 1)])


def test_subgraph():
    g = Graph.from_edges(["a", "b", "c", "c"], ["b", "c", "a", "d"], [1, 2, 3, 4])
    part = g.subgraph(["c", "a"])
    assert list(part.ids) == ["a", "c"] and arcs(part) == [("c", "a", 3)]
    for keep in (g.kcore().values >= 2, [True, True, True, False]):
        assert list(g.subgraph(keep).ids) == ["a", "b", "c"]
    assert arcs(g.subgraph(min_weight=3, drop_isolated=True)) == [("c", "a", 3), ("c", "d", 4)]
    with pytest.raises(heddle.ArgumentError, match="keep: 4 elements are needed, not 2"):
        g.subgraph(np.array([True, False]))
    with pytest.raises(heddle.VertexError):
        g.subgraph(["nowhere"])
    with pytest.raises(TypeError, match="no option 'largest'; it has: min_degree"):
        g.subgraph(largest=True)


def test_subgraphs_by_chance_and_by_what_they_lack():
    g = heddle.generate("barabasi", vertices=2000, degree=4)
    part = g.subgraph(drop=[0, 1], drop_isolated=False)
    assert part.vertices == 1998 and 0 not in part and 2 in part
    assert list(g.subgraph([0, 1, 2], drop=[1]).ids) == [0, 2]
    half = g.subgraph(edge_share=0.5, seed=3)
    assert half.vertices == 2000 and abs(half.edges / g.edges - 0.5) < 0.05 and set(arcs(half)) < set(arcs(g))
    assert arcs(half) == arcs(g.subgraph(edge_share=0.5, seed=3, threads=2)) != arcs(g.subgraph(edge_share=0.5))
    with pytest.raises(heddle.ArgumentError, match="expected shares from 0 to 1"):
        g.subgraph(vertex_share=-0.5)


def test_subgraph_of_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.grid_2d_graph(2, 3)
    graph.add_node("alone")
    for g in (Graph.from_networkx(graph), Graph.from_networkx(graph, drop_isolated=True)):
        part = g.subgraph([(0, 1), (0, 2), (1, 2)]).subgraph([(0, 2), (1, 2)])
        assert list(part.ids) == [(0, 2), (1, 2)] and part.bfs((0, 2)).to_dict() == {(0, 2): 0, (1, 2): 1}
        assert not part.directed and len(g.subgraph([])) == 0


FRAME = {"from": [1, 2, 30], "to": [2, 30, 1], "w": [0.5, 1.5, 2.5], "a": ["x", "y", "a long name of a vertex"],
         "b": ["y", "a long name of a vertex", "x"]}
NUMBERS = [(1, 2, 0.5), (2, 30, 1.5), (30, 1, 2.5)]
NAMES = [("a long name of a vertex", "x", None), ("x", "y", None), ("y", "a long name of a vertex", None)]


def test_networkx_without_isolated_nodes():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("b", "d")])
    graph.add_nodes_from("ace")
    graph.add_edge("e", "d")
    g = Graph.from_networkx(graph, drop_isolated=True)
    assert g.vertices == 3 and sorted(g.ids) == ["b", "d", "e"]
    assert g.bfs("b").to_dict() == {"b": 0, "d": 1, "e": 2}
    with pytest.raises(heddle.VertexError):
        g.bfs("a")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_data_frames(library):
    module = pytest.importorskip(library)
    frame = {"pandas": lambda: module.DataFrame(FRAME), "polars": lambda: module.DataFrame(FRAME),
             "pyarrow": lambda: module.table(FRAME)}[library]()
    assert arcs(Graph.from_dataframe(frame, "from", "to", "w")) == NUMBERS
    assert arcs(Graph.from_dataframe(frame, "a", "b")) == NAMES
    with pytest.raises(heddle.ArgumentError, match="nothing"):
        Graph.from_dataframe(frame, "nothing", "to")


def test_arrow_pieces():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.concat_tables([pyarrow.table(FRAME).slice(0, 1), pyarrow.table(FRAME).slice(1)])
    assert arcs(Graph.from_dataframe(table, "from", "to", "w")) == NUMBERS
    assert arcs(Graph.from_dataframe(table, "a", "b")) == NAMES
    coded = pyarrow.table({name: pyarrow.array(FRAME[name]).dictionary_encode() for name in ("a", "b")})
    assert arcs(Graph.from_dataframe(coded, "a", "b")) == NAMES
    views = pyarrow.table({name: pyarrow.array(FRAME[name], pyarrow.string_view()) for name in ("a", "b")})
    assert arcs(Graph.from_dataframe(views, "a", "b")) == NAMES
    assert arcs(Graph.from_edges(table["from"], table["to"])) == [(u, v, None) for u, v, _ in NUMBERS]
    with pytest.raises(heddle.ArgumentError, match="row 1 has no value"):
        Graph.from_dataframe(pyarrow.table({"source": [1, None], "target": [2, 3]}))
    with pytest.raises(heddle.ArgumentError, match="Arrow's type"):
        Graph.from_dataframe(pyarrow.table({"source": [[1]], "target": [[2]]}))


def test_files(tmp_path):
    path = tmp_path / "g.txt"
    path.write_text("# roads\n10 20 3\n20 30 4\n")
    g = heddle.read(path)
    assert arcs(g) == [(10, 20, 3), (20, 30, 4)]
    assert arcs(Graph.read(str(path), symmetrize=True, weight_column="none")) == [
        (10, 20, None), (20, 10, None), (20, 30, None), (30, 20, None)]
    assert arcs(heddle.read(path.read_bytes())) == arcs(heddle.read(io.BytesIO(path.read_bytes()))) == arcs(g)
    assert arcs(heddle.read(b"a;b\nb;c\n", delimiter=";", header=False)) == [("a", "b", None), ("b", "c", None)]
    g.save(tmp_path / "g.hdl", in_edges=True)
    assert arcs(heddle.read(tmp_path / "g.hdl")) == arcs(g)
    g.sssp(10).save(tmp_path / "d.tsv")
    assert (tmp_path / "d.tsv").read_text() == "10\t0\n20\t3\n30\t7\n"


def test_generate():
    g = heddle.generate("grid", width=4, height=3)
    assert g.vertices == 12 and g.stats()["components"] == 1
    assert arcs(heddle.generate("rmat", scale=5, seed=3)) == arcs(heddle.generate("rmat", scale=5, seed=3, threads=2))


def test_generate_from_lists():
    g = heddle.generate("blockmodel", blocks=[2, 3], rates=[[0, 1], [1, 0]])
    assert arcs(g) == sorted((u, v, None) for a, b in ((range(2), range(2, 5)), (range(2, 5), range(2)))
                             for u in a for v in b)
    assert heddle.generate("blockmodel", blocks=3, vertices=9, rates=[1, 0]).stats()["components"] == 3
    degrees = [3, 1, 0, 2, 2, 4]
    g = heddle.generate("configuration", degrees=degrees, seed=5)
    found = [0] * len(degrees)
    for u, v, _ in arcs(g):
        found[u] += 1 + (u == v)
    assert found == degrees
    model = heddle.generate("rmat", scale=6)
    g = heddle.generate("configuration", degrees_of=model)
    assert np.array_equal(g.degree(direction="in").values, model.degree(direction="in").values)
    assert np.array_equal(g.degree(direction="out").values, model.degree(direction="out").values)
    for options, words in (({"degrees": [1, 2]}, "add up to 3, expected an even number"),
                           ({}, "needs either degrees or"),
                           ({"degrees": [-1, 1]}, "0 or more"), ({"degrees_of": 3}, "a Graph is needed, not int")):
        with pytest.raises(heddle.ArgumentError, match=words):
            heddle.generate("configuration", **options)
    with pytest.raises(heddle.ArgumentError, match="matrix of 2 x 2"):
        heddle.generate("blockmodel", blocks=[2, 3], rates=[1, 0, 1])


def test_generate_as_networkx_does():
    """Degrees, edges and clustering are those that NetworkX's graphs have, within what chance allows."""
    networkx = pytest.importorskip("networkx")
    mine = heddle.generate("barabasi", vertices=4000, degree=4, seed=3)
    other = networkx.barabasi_albert_graph(4000, 4, seed=1)
    assert mine.stats()["edges"] == 2 * other.number_of_edges()
    degrees = np.sort(mine.degree().values), np.sort([degree for _, degree in other.degree])
    for share in (0.1, 0.5, 0.9, 0.99):
        one, two = (np.quantile(list_, share) for list_ in degrees)
        assert abs(one - two) <= 1 + 0.15 * two
    sizes, rates = [300, 200, 100], [[0.2, 0.02, 0.05], [0.02, 0.1, 0.0], [0.05, 0.0, 0.5]]
    ends = np.asarray([(u, v) for u, v, _ in arcs(heddle.generate("blockmodel", blocks=sizes, rates=rates))])
    block = np.repeat([0, 1, 2], sizes)
    for a in range(3):
        for b in range(3):
            pairs = sizes[a] * (sizes[b] - (a == b))
            expected = pairs * rates[a][b]
            found = np.count_nonzero((block[ends[:, 0]] == a) & (block[ends[:, 1]] == b))
            assert abs(found - expected) <= 5 * (2 * expected) ** 0.5


def test_labels_that_are_integers():
    """They are labels in pandas, with pyarrow and without; a place only where no label is an integer."""
    pandas = pytest.importorskip("pandas")

    class Alone:
        """The frame without Arrow, as without pyarrow."""

        def __init__(self, frame):
            self.frame, self.columns = frame, frame.columns

        def __getitem__(self, label):
            return self.frame[label]

    frame = pandas.DataFrame({1: [7, 8], 0: [8, 9], 2: [5, 6], "odd": [b"x", {}]})
    for one in (frame, Alone(frame)):
        assert arcs(Graph.from_dataframe(one, 0, 1, 2)) == [(8, 7, 5), (9, 8, 6)]
        for missing in (3, "1"):
            with pytest.raises(heddle.ArgumentError, match=f"no column {missing!r}; there are: 1, 0, 2, odd"):
                Graph.from_dataframe(one, 0, missing)
    named = pandas.DataFrame({"from": [1, 2], "to": [2, 3]}, index=[5, 6])
    assert arcs(Graph.from_dataframe(named, 0, 1)) == arcs(Graph.from_dataframe(Alone(named), 0, 1)) == [
        (1, 2, None), (2, 3, None)]
    double = pandas.DataFrame([[1, 2, 3]], columns=["a", "b", "b"])
    with pytest.raises(heddle.ArgumentError, match="several columns are called 'b'"):
        Graph.from_dataframe(double, "a", "b")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_frames_are_rows(library, rows):
    module = pytest.importorskip(library)
    table = getattr(module, "table" if library == "pyarrow" else "DataFrame")
    ends = {"a": [1, 2, 3][:rows], "b": [10, 20, 30][:rows]}
    expected = list(zip(ends["a"], ends["b"]))
    assert arcs(Graph.from_edges(table(ends))) == [(u, v, None) for u, v in expected]
    weighted = table({**ends, "w": [0.5, 1.5, 2.5][:rows]})
    assert arcs(Graph.from_edges(weighted)) == [(u, v, k + 0.5) for k, (u, v) in enumerate(expected)]
    with pytest.raises(heddle.ArgumentError, match="two or three columns is needed, not of 1: from_dataframe"):
        Graph.from_edges(table({"a": [1, 2]}))


def test_number_of_vertices():
    assert Graph.from_edges([7], [9], vertices=None).ids.tolist() == [7, 9]
    assert Graph.from_edges([0], [1], vertices=np.int8(5)).vertices == 5
    for vertices, words in ((2**64, "below 2\\^64, is needed, not 18446744073709551616"), (-1, "not negative"),
                            ("3", "an integer is needed, not '3'"), (2.5, "an integer is needed, not 2.5")):
        with pytest.raises(heddle.ArgumentError, match=words):
            Graph.from_edges([7], [9], vertices=vertices)
    with pytest.raises(heddle.ArgumentError, match="ids are strings here.*leave it out"):
        Graph.from_edges(["a"], ["b"], vertices=10)
    with pytest.raises(heddle.ArgumentError, match="vertices: a number above 0 is needed, not 0"):
        heddle.generate("path", vertices=0)
    assert heddle.generate("rmat", vertices=7).vertices == 7
    for kind, options in (("tree", {"branching": 3, "depth": 3}), ("rmat", {"width": 7}), ("path", {"width": 4})):
        with pytest.raises(TypeError, match=f"generate\\('{kind}'\\) has no option '{list(options)[-1]}'; it has: "):
            heddle.generate(kind, **options)
    with pytest.raises(heddle.ArgumentError, match="no kind of graph 'mesh' to generate; there are: rmat, "):
        heddle.generate("mesh")


def test_open_text_files(tmp_path):
    content = "# ö\nä b\nb c\n"
    path = tmp_path / "g.txt"
    path.write_text(content, encoding="utf-8")
    expected = arcs(heddle.read(path))
    with open(path, encoding="utf-8") as file:
        assert arcs(heddle.read(file)) == expected
    assert arcs(heddle.read(io.StringIO(content))) == expected == [("b", "c", None), ("ä", "b", None)]
    (tmp_path / "packed").write_bytes(b"\x1f\x8b\x08\xff\xff")
    with open(tmp_path / "packed", encoding="utf-8") as file:
        with pytest.raises(heddle.ArgumentError, match="open it in binary mode"):
            heddle.read(file)


def test_scipy_of_parallel_arcs():
    """SciPy adds parallel entries up in place, which memory of the graph does not allow."""
    pytest.importorskip("scipy.sparse")
    parallel = Graph.from_edges([(0, 1, 2.0), (0, 1, 3.0), (1, 0, 4.0)])
    matrix = parallel.to_scipy()
    assert matrix.nnz == 3
    matrix.sum_duplicates()
    assert matrix.toarray().tolist() == [[0, 5], [4, 0]] and parallel.out_edges()[2].tolist() == [2, 3, 4]
    assert (parallel.to_scipy() != matrix).nnz == 0
    plain = Graph.from_edges([(0, 1, 2.0), (1, 0, 4.0)])
    matrix = plain.to_scipy()
    assert matrix.data.ctypes.data == plain.out_edges()[2].ctypes.data and matrix.has_canonical_format
    assert ((matrix + matrix.T) @ matrix).toarray().tolist() == [[24, 0], [0, 12]]


def test_empty_networkx():
    networkx = pytest.importorskip("networkx")
    for kind in ("Graph", "DiGraph", "MultiGraph"):
        g = Graph.from_networkx(getattr(networkx, kind)())
        assert g.directed is (kind == "DiGraph") and g.ids.tolist() == [] and g.vertices == 0
        with pytest.raises(TypeError, match="no option 'symmetrise'"):
            Graph.from_networkx(getattr(networkx, kind)(), symmetrise=True)


def test_networkx_weights_that_do_not_fit():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([(0, 1, {"weight": 2**63})])
    with pytest.raises(heddle.ArgumentError, match="'weight' is not a number, of at most 64 bits with its sign"):
        Graph.from_networkx(graph)
    with pytest.raises(heddle.ArgumentError, match="weight: the name of an attribute is needed, not a function"):
        Graph.from_networkx(graph, weight=lambda u, v, record: 1)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "a stream", "a dict", "NumPy"])
def test_a_column_called_weight(library):
    """It is the weight, as in a file, unless another one is named, or None."""
    data = {"source": [0, 1], "target": [1, 2], "weight": [5, 7], "other": [1, 2]}
    bare = {name: data[name] for name in ("source", "target")}
    if library == "NumPy":
        def made(columns):
            return np.array(list(zip(*columns.values())), [(name, "i4") for name in columns])
    elif library == "a dict":
        made = dict
    else:
        module = pytest.importorskip("pyarrow" if library == "a stream" else library)
        make = getattr(module, "table" if module.__name__ == "pyarrow" else "DataFrame")

        class Alone:
            def __init__(self, table):
                self.__arrow_c_stream__ = table.__arrow_c_stream__

        def made(columns):
            return Alone(make(columns)) if library == "a stream" else make(columns)
    assert arcs(Graph.from_dataframe(made(data))) == [(0, 1, 5), (1, 2, 7)]
    assert arcs(Graph.from_dataframe(made(data), weight="other")) == [(0, 1, 1), (1, 2, 2)]
    assert arcs(Graph.from_dataframe(made(data), weight=None)) == [(0, 1, None), (1, 2, None)]
    assert arcs(Graph.from_dataframe(made(bare))) == [(0, 1, None), (1, 2, None)]
    with pytest.raises(heddle.ArgumentError, match="column"):
        Graph.from_dataframe(made(bare), weight="weight")


def test_ids_that_are_neither_numbers_nor_text():
    uuid = __import__("uuid").UUID(int=5)
    for odd, kind in ((uuid, "UUID such as UUID"), (None, "NoneType such as None"),
                      (np.datetime64(3, "s"), "datetime64")):
        with pytest.raises(heddle.ArgumentError, match=f"integers or strings are needed as ids, not {kind}"):
            Graph.from_edges(np.array([odd]), np.array([odd]))


def test_boolean_weights():
    for library, table in (("pyarrow", "table"), ("polars", "DataFrame"), ("pandas", "DataFrame")):
        module = pytest.importorskip(library)
        flags = [True, False, True, True, False, False, True, True, False]
        frame = getattr(module, table)({"source": list(range(9)), "target": list(range(1, 10)), "flag": flags})
        g = Graph.from_dataframe(frame, weight="flag")
        assert g.weight_type == np.int32 and g.out_edges()[2].tolist() == list(map(int, flags))
    sliced = pytest.importorskip("pyarrow").table({"source": range(9), "target": range(9), "flag": flags}).slice(3, 5)
    assert Graph.from_dataframe(sliced, weight="flag").out_edges()[2].tolist() == [1, 0, 0, 1, 1]


def test_masked_arrays():
    ends = np.ma.array([0, 1, 5], mask=[False, False, True]), np.array([1, 2, 0])
    with pytest.raises(heddle.ArgumentError, match="sources: element 2 is masked"):
        Graph.from_edges(*ends)
    with pytest.raises(heddle.ArgumentError, match="weights: element 0 is masked"):
        Graph.from_csr([0, 1, 1], [1], np.ma.array([3.0], mask=True))
    assert arcs(Graph.from_edges(np.ma.array([0, 1]), [1, 2])) == [(0, 1, None), (1, 2, None)]


def test_borrowed_views_are_locked():
    """A view is read-only as its base is, and both can be written to when the last graph of either is closed."""
    offsets, base = np.array([0, 1, 2]), np.array([9, 1, 0], np.int32)
    one, other, costs = base[1:], base[1:], np.array([9.0, 1, 2])[1:]
    first, second = Graph.from_csr(offsets, one, costs), Graph.from_csr(offsets, other)
    assert not any(array.flags.writeable for array in (offsets, base, one, other, costs))
    first.close()
    assert costs.flags.writeable and not one.flags.writeable  # its base is in use still
    second.close()
    assert all(array.flags.writeable for array in (offsets, base, one, other))
    one.flags.writeable = False  # by its owner
    Graph.from_csr(offsets, one).close()
    assert not one.flags.writeable and base.flags.writeable


def test_arrays_that_could_not_be_given_back():
    """NumPy would not let them be written to again."""
    offsets, kept = np.array([0, 1, 2]), np.array([1, 0], np.int32)

    class Foreign:
        __array_interface__ = kept.__array_interface__

    view = kept[:]
    kept.flags.writeable = False
    for targets in (np.asarray(Foreign()), view):
        assert targets.flags.writeable
        Graph.from_csr(offsets, targets).close()
        assert targets.flags.writeable and offsets.flags.writeable
    memory = np.frombuffer(bytearray(kept.tobytes()), np.int32)
    g = Graph.from_csr(offsets, memory)
    assert not memory.flags.writeable
    g.close()
    assert memory.flags.writeable


def test_containers_of_edges():
    """Their elements are edges, also where there are two of them; what has a protocol is an array."""
    expected = [(0, 5, None), (1, 7, None)]
    edges = [(0, 5), (1, 7)]
    for given in (edges, tuple(edges), set(edges), collections.deque(edges), dict.fromkeys(edges).keys(), iter(edges)):
        assert arcs(Graph.from_edges(given)) == expected
    for odd in (["ab", "cd"], [b"ab"], "ab", None, 5, {"source": [0], "target": [1]}, Graph.from_edges(edges)):
        with pytest.raises(heddle.ArgumentError, match="edges: a list of tuples"):
            Graph.from_edges(odd)
    with pytest.raises(heddle.ArgumentError, match="weights: not an array"):
        Graph.from_edges([(0, 1, [1, 2]), (0, 1, [1])])
    with pytest.raises(heddle.ArgumentError, match="no such column: no field of name target"):
        Graph.from_dataframe(np.array([(0, 1)], dtype=[("source", "i4"), ("x", "i4")]))
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph(edges)
    assert arcs(Graph.from_edges(graph.edges)) == expected
    assert arcs(Graph.from_edges(graph.edges(data="cost", default=2))) == [(0, 5, 2), (1, 7, 2)]


def test_odd_contents():
    assert arcs(heddle.read(memoryview(b"\n1 0")[::-1])) == [(0, 1, None)]
    with pytest.raises(heddle.ArgumentError, match="half of a character"):
        heddle.read(io.StringIO("a \ud800\n"))
    several, g = np.array([1, 2]), Graph.from_edges([0], [1], vertices=3)
    for call in (lambda: g.vertex_of(several), lambda: g.bfs(0, threads=several),
                 lambda: Graph.from_edges([0], [1], vertices=several)):
        with pytest.raises(heddle.ArgumentError, match="an id is an integer here|an integer is needed"):
            call()


CSR_MATRICES = {
    "coordinates": lambda sp: sp.csr_array((np.ones(4), ([0, 1, 2, 0], [1, 2, 3, 3])), shape=(4, 4)),
    "matrix of coordinates": lambda sp: sp.csr_matrix((np.ones(4), ([0, 1, 2, 0], [1, 2, 3, 3])), shape=(4, 4)),
    "rows": lambda sp: sp.csr_array((np.ones(4), np.int32([1, 3, 2, 3]), np.int32([0, 2, 3, 4, 4]))),
    "rows copied": lambda sp: sp.csr_array((np.ones(4), [1, 3, 2, 3], [0, 2, 3, 4, 4]), copy=True),
    "dense": lambda sp: sp.csr_array(np.eye(4)[[1, 2, 3, 0]]),
    "tocsr of coo": lambda sp: sp.coo_array((np.ones(4), ([0, 1, 2, 0], [1, 2, 3, 3])), shape=(4, 4)).tocsr(),
    "tocsr of csc": lambda sp: sp.csc_array(np.eye(4)[[1, 2, 3, 0]]).tocsr(),
    "tocsr of lil": lambda sp: sp.lil_array(np.eye(4)[[1, 2, 3, 0]]).tocsr(),
    "a sum": lambda sp: sp.csr_array(np.eye(4)) + sp.csr_array(np.eye(4)[[1, 2, 3, 0]]),
    "a product": lambda sp: sp.csr_array(np.eye(4)) @ sp.csr_array(np.eye(4)[[1, 2, 3, 0]]),
    "a part": lambda sp: sp.csr_array(np.eye(6)[[1, 2, 3, 0, 4, 5]])[:4, :4],
    "eye": lambda sp: getattr(sp, "eye_array", sp.eye)(4, format="csr"),
    "blocks": lambda sp: sp.block_diag([np.eye(2), np.eye(2)], format="csr"),
    "a transposed csc": lambda sp: sp.csc_array(np.eye(4)[[1, 2, 3, 0]]).T,
    "room behind": lambda sp: room_behind(sp),
}


def room_behind(sp):
    matrix = sp.csr_array((np.ones(4), ([0, 1, 2, 0], [1, 2, 3, 3])), shape=(4, 4))
    matrix.data, matrix.indices = np.append(matrix.data, [7.0, 7.0]), np.append(matrix.indices, np.int32([3, 3]))
    return matrix


@pytest.mark.parametrize("kind", CSR_MATRICES)
def test_borrowed_matrices_are_locked(kind):
    """What the graph shares with the matrix cannot be written to by the matrix until the graph is gone."""
    sparse = pytest.importorskip("scipy.sparse")
    matrix = CSR_MATRICES[kind](sparse)
    parts = [matrix.indptr, matrix.indices, matrix.data]
    g = Graph.from_scipy(matrix)
    before = g.out_edges()[2].tolist()
    shared = [any(np.may_share_memory(part, one) for one in g.out_edges()) for part in parts]
    assert shared[2], "the values are borrowed"
    assert not any(part.flags.writeable for part, one in zip(parts, shared) if one)
    with pytest.raises(ValueError, match="read-only"):
        matrix.data[0] = 100
    assert g.out_edges()[2].tolist() == before
    g.close()
    assert all(part.flags.writeable for part in parts)
    copied = Graph.from_scipy(matrix, copy=True)
    matrix.data[:] = 100
    assert copied.out_edges()[2].tolist() == before


def test_values_by_id():
    """Dicts and Series are taken by their labels, arrays by position."""
    pandas = pytest.importorskip("pandas")
    g = Graph.from_edges(["a", "b", "c", "a"], ["b", "c", "a", "c"])
    expected = g.pagerank(personalization=[0, 0, 1]).to_dict()
    assert g.ids.tolist() == ["a", "b", "c"]
    for given in ({"c": 1}, pandas.Series({"c": 1.0, "a": 0.0, "b": 0.0}), pandas.Series({"c": 1})):
        assert g.pagerank(personalization=given).to_dict() == expected
    for given in (pandas.Series([0.0, 0.0, 1.0]), {"c": 1, "nowhere": 2}, {0: 1}):
        with pytest.raises(heddle.ArgumentError, match="personalization: the labels of a .* are ids of vertices"):
            g.pagerank(personalization=given)
    with pytest.raises(heddle.ArgumentError, match="a label is there twice"):
        g.pagerank(personalization=pandas.Series([1, 2], index=["a", "a"]))
    with pytest.raises(heddle.ArgumentError, match="numbers are needed"):
        g.pagerank(personalization={"c": "much"})
    keep = pandas.Series({"c": True, "a": True, "b": False})
    for chosen in (keep, keep.to_dict(), pandas.Series({"c": True, "a": True}), pandas.Series(["a", "c"])):
        assert list(g.subgraph(chosen).ids) == ["a", "c"]
    heat = g.hs(initial={"b": 4}, fixed={"b": True}, max_iterations=3).values.tolist()
    assert heat == g.hs(initial=[0, 4, 0], fixed=[False, True, False], max_iterations=3).values.tolist()
    numbered = Graph.from_edges([5, 7], [7, 9])
    assert (numbered.pagerank(personalization=pandas.Series({9: 1})).values ==
            numbered.pagerank(personalization=[0, 0, 1]).values).all()


def test_data_of_pytorch_geometric_has_its_number_of_nodes():
    class Data:
        edge_index, edge_weight, num_nodes = np.array([[0, 2, 2, 0], [2, 0, 3, 3]]), None, 6
    assert Graph.from_edges(Data()).ids.tolist() == [0, 1, 2, 3, 4, 5]
    Data.num_nodes = None
    assert Graph.from_edges(Data()).ids.tolist() == [0, 2, 3]
    assert Graph.from_edges(Data(), vertices=5).vertices == 5


def test_numbers_that_no_vertex_has():
    for g in (Graph.from_edges([0, 1], [1, 2]), Graph.from_edges(["a"], ["b"]), Graph.from_edges([5], [9]),
              heddle.generate("path", vertices=9000)):
        for number in (-1, g.vertices, g.vertices + 7):
            with pytest.raises(IndexError):
                g.id_of(number)
            with pytest.raises(IndexError, match=f"no vertex number {number}"):
                g.ids_of([0, number])


def test_graphs_of_others_are_told_the_call_that_takes_them():
    networkx = pytest.importorskip("networkx")
    G = networkx.path_graph(["a", "b", "c"])

    class Igraph:
        def get_edgelist(self):
            raise AssertionError

        def __iter__(self):
            raise AssertionError
    for given, words in ((G, "Graph.from_networkx takes"), (Igraph(), r"get_edgelist\(\) and vertices=G.vcount\(\)"),
                         (G.edges(data=True), r"G.edges\(data='weight'\) has numbers")):
        with pytest.raises(heddle.ArgumentError, match=words):
            Graph.from_edges(given)


@pytest.mark.parametrize("names", [False, True])
def test_many_ids_at_once(names):
    """Those of a graph are found together, and one that it lacks, or of another type, is named."""
    count = 9000
    ids = np.array([f"v{k}" for k in range(count)], object) if names else np.arange(count)
    g = Graph.from_edges(ids[:-1], ids[1:])
    sought = [int(k) for k in np.random.default_rng(1).permutation(count)[:500]]
    assert g.numbers_of(ids[sought].tolist()) == sought
    assert g.numbers_of(ids[sought]) == sought
    assert g.numbers_of(iter(ids[sought].tolist())) == sought
    if not names:
        assert g.numbers_of([np.int32(k) for k in sought]) == sought
    odd = "unknown" if names else count
    with pytest.raises(heddle.VertexError, match=f"no vertex has the id {odd!r}"):
        g.numbers_of([*ids[sought].tolist(), odd])
    for wrong in ([], 2.5, None):
        with pytest.raises(heddle.ArgumentError):
            g.numbers_of([*ids[sought].tolist(), wrong])


def test_pairs_in_an_array():
    """Of ids, one pair in each row; a data frame too."""
    g = heddle.generate("rmat", scale=10)
    pairs = np.array([(u, v) for u in range(20) for v in range(20, 40)])
    expected = g.similar(pairs=[tuple(pair) for pair in pairs.tolist()])
    found = g.similar(pairs=pairs)
    assert np.array_equal(found.edges, expected.edges) and np.array_equal(found.weights, expected.weights)
    frames = pytest.importorskip("pandas")
    found = g.similar(pairs=frames.DataFrame(pairs, columns=["a", "b"]))
    assert np.array_equal(found.weights, expected.weights)
    with pytest.raises(heddle.VertexError, match="no vertex has the id 5000"):
        g.similar(pairs=np.array([[0, 5000]]))


def test_source_and_sources():
    g = Graph.from_edges([0, 1], [1, 2])
    for call in (lambda: g.bfs(0, sources=[1, 2]), lambda: g.explain("bfs", source=0, sources=[1]),
                 lambda: g.memory("bfs", source=0, sources=[1])):
        with pytest.raises(heddle.ArgumentError, match="both are given"):
            call()


def test_a_released_stream_of_arrow_is_refused():
    """What another reader has taken has no functions left to call."""
    from heddle import _arrow

    class Stream:
        def __arrow_c_stream__(self, requested=None):
            return _arrow.in_capsule(_arrow.new_stream())

    with pytest.raises(heddle.ArgumentError, match="was read before"):
        Graph.from_dataframe(Stream())
    with pytest.raises(heddle.ArgumentError, match="sources: the stream of Arrow was released"):
        Graph.from_edges(Stream(), Stream())


def test_arrays_of_arrow_alone():
    """What has no protocol but Arrow's is read by pyarrow."""
    pyarrow = pytest.importorskip("pyarrow")

    class Alone:
        def __init__(self, values):
            self.__arrow_c_array__ = pyarrow.array(values).__arrow_c_array__

    assert arcs(Graph.from_edges(Alone([1, 2]), [2, 3])) == [(1, 2, None), (2, 3, None)]
    with pytest.raises(heddle.ArgumentError, match="not an array of Arrow"):
        one = Alone([1])
        capsules = one.__arrow_c_array__()
        pyarrow.Array._import_from_c_capsule(*capsules)
        one.__arrow_c_array__ = lambda requested=None: capsules
        Graph.from_edges(one, [1])


def test_combining():
    """`duplicates` is one option for parallel and opposite edges; both arcs of an undirected edge are one edge."""
    for rule, expected in (("sum", 15), ("min", 3), ("max", 7), ("mean", 5), ("first", 5)):
        graph = heddle.Graph.from_edges([1, 2, 1], [2, 1, 2], np.array([5, 7, 3]), symmetrize=True, duplicates=rule)
        assert graph.edges == 2
        assert graph.sssp(1).values.tolist() == [0, expected], rule
    twice = heddle.Graph.from_csr([0, 2, 4], [1, 1, 0, 0], [2.0, 3.0, 2.0, 3.0], undirected=True, duplicates="sum")
    assert twice.sssp(0).values.tolist() == [0, 5]


def test_categories_and_strings_give_the_same_graph():
    """Numbered by first occurrence, source before target, whatever the order of the categories."""
    pandas = pytest.importorskip("pandas")
    names = ["nobody", "York", "Bath", "Leeds", "Ély"]
    frame = pandas.DataFrame({"source": ["York", "York", "Bath"], "target": ["Leeds", "Bath", "Ély"], "w": [1, 2, 3]})
    coded = frame.astype({"source": pandas.CategoricalDtype(names[::-1]), "target": pandas.CategoricalDtype(names)})
    expected = Graph.from_edges(frame["source"].tolist(), frame["target"].tolist(), [1, 2, 3])
    assert expected.ids.tolist() == ["York", "Leeds", "Bath", "Ély"]
    for g in (Graph.from_dataframe(coded, weight="w"), Graph.from_dataframe(frame, weight="w"),
              Graph.from_edges(coded["source"], coded["target"].array, coded["w"]),
              Graph.from_edges(frame["source"].to_numpy(object), coded["target"], coded["w"])):
        assert g.ids.tolist() == expected.ids.tolist() and arcs(g) == arcs(expected)
    numbers = pandas.DataFrame({"source": [30, 10], "target": [10, 20]}).astype("category")
    assert arcs(Graph.from_dataframe(numbers)) == [(10, 20, None), (30, 10, None)]
    coded.loc[1, "source"] = None
    with pytest.raises(heddle.ArgumentError, match="source: row 1 has no value"):
        Graph.from_dataframe(coded)


def test_pieces_of_arrow_with_dictionaries_of_their_own():
    pyarrow = pytest.importorskip("pyarrow")
    pieces = [pyarrow.table({"source": pyarrow.array(a).dictionary_encode(), "target": pyarrow.array(b)})
              for a, b in ((["x", "y"], ["y", "a long name of a vertex"]), (["z", "x"], ["x", "z"]))]
    g = Graph.from_dataframe(pyarrow.concat_tables(pieces))
    assert g.ids.tolist() == ["x", "y", "a long name of a vertex", "z"]
    assert arcs(g) == [("x", "y", None), ("x", "z", None), ("y", "a long name of a vertex", None), ("z", "x", None)]
    views = pyarrow.table({"source": pyarrow.array(["short", "a name of more than twelve bytes"] * 3,
                                                   pyarrow.string_view()), "target": ["short"] * 6}).slice(1, 4)
    assert arcs(Graph.from_dataframe(views)) == [("a name of more than twelve bytes", "short", None)] * 2 + [
        ("short", "short", None)] * 2


def test_decimals():
    """DuckDB's sums of integers are such."""
    import decimal
    pyarrow = pytest.importorskip("pyarrow")
    whole = pyarrow.array([decimal.Decimal(7), decimal.Decimal(-2**62)], pyarrow.decimal128(38, 0))
    parts = pyarrow.array([decimal.Decimal("0.25"), decimal.Decimal("-1.5")], pyarrow.decimal128(20, 2))
    large = pyarrow.array([decimal.Decimal(2**70), decimal.Decimal(-2**70)], pyarrow.decimal128(38, 0))
    for given, expected in ((whole, [7, -2**62]), (parts, [0.25, -1.5]), (large, [2.0**70, -2.0**70])):
        table = pyarrow.table({"source": [0, 1], "target": [1, 0], "weight": given})
        assert Graph.from_dataframe(table, weight="weight").out_edges()[2].tolist() == expected
    assert Graph.from_edges([0], [1], [decimal.Decimal("0.5")]).out_edges()[2].tolist() == [0.5]
    with pytest.raises(heddle.ArgumentError, match="type 'date'"):
        Graph.from_dataframe(pyarrow.table({"source": pyarrow.array([1], pyarrow.date32()), "target": [1]}))


def test_ids_as_objects_floats_and_bytes():
    for given in (np.array([5, 7], object), np.array([5.0, 7.0]), [np.int8(5), 7]):
        assert arcs(Graph.from_edges(given, np.array([7, 5], object))) == [(5, 7, None), (7, 5, None)]
    for given in (np.array([b"x", b"yy"]), [b"x", b"yy"], np.array([b"x", b"yy"], object)):
        assert arcs(Graph.from_edges(given, ["yy", "x"])) == [("x", "yy", None), ("yy", "x", None)]
    for given, words in (([1.0, np.nan], "element 1 is nan: leave rows"), ([0.5, 1], "element 0 is 0.5"),
                         ([2.0**60, 1], "integers or strings")):
        with pytest.raises(heddle.ArgumentError, match=words):
            Graph.from_edges(given, [1, 2])
    with pytest.raises(heddle.ArgumentError, match="all ids must be strings, and 'y' is not"):
        Graph.from_edges([b"x", "y"], [1, 2])


def test_weights_that_are_text_are_refused():
    for given in (["1", "2"], np.array(["1", "2"], object), np.array(["1", "2"])):
        with pytest.raises(heddle.ArgumentError, match="weights: numbers are needed"):
            Graph.from_edges([0, 1], [1, 2], given)
