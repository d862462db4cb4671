"""Tables in and out: DuckDB, polars, pandas, pyarrow, and files of columns."""
import decimal

import numpy as np
import pytest

import heddle
from heddle import Graph

EDGES = [(1, 2), (2, 3), (3, 1), (3, 7)]


def arcs(graph):
    sources, targets, weights = graph.edge_arrays()
    values = [None] * len(sources) if weights is None else weights.tolist()
    return sorted(zip(sources.tolist(), targets.tolist(), values))


PLAIN = [(u, v, None) for u, v in EDGES]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE follows AS SELECT * FROM (VALUES (1, 2), (2, 3), (3, 1), (3, 7)) t(src, dst)")
    assert arcs(Graph.from_dataframe(connection.sql("FROM follows"), "src", "dst")) == PLAIN
    ranks = heddle.pagerank(connection.sql("FROM follows"))
    expected = Graph.from_edges(EDGES).pagerank()
    assert ranks.values.tolist() == expected.values.tolist()
    back = connection.sql("SELECT f.src, f.dst, ranks.pagerank FROM follows f JOIN ranks ON f.dst = ranks.id")
    assert len(back.fetchall()) == 4 and back.columns == ["src", "dst", "pagerank"]
    sums = connection.sql("SELECT src, dst, sum(src) AS weight FROM follows GROUP BY ALL")  # HUGEINT
    assert Graph.from_dataframe(sums, "src", "dst").sssp(1)[7] == 6
    many = connection.sql("SELECT i AS src, (i * 7) % 100003 AS dst FROM range(300000) t(i)")  # several batches
    g = Graph.from_dataframe(many, None, None)
    assert g.edges == 300000 and g.out_edges()[1].tolist()[:2] == [0, 7]
    names = connection.sql("SELECT 'v' || src AS a, 'v' || dst AS b FROM follows ORDER BY src, dst")
    assert heddle.bfs(names, "v1").to_dict() == {"v1": 0, "v2": 1, "v3": 2, "v7": 3}


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(EDGES, schema=["src", "dst"], orient="row")
    assert arcs(Graph.from_dataframe(frame.lazy(), "src", "dst")) == PLAIN
    assert arcs(Graph.from_edges(frame.lazy())) == arcs(Graph.from_edges(frame)) == PLAIN
    assert arcs(Graph.from_edges(frame["src"], frame["dst"], polars.Series([1, 2, 3, 4]))) == [
        (1, 2, 1), (2, 3, 2), (3, 1, 3), (3, 7, 4)]
    coded = frame.cast(polars.String).cast(polars.Categorical)
    assert heddle.bfs(coded, "1").to_dict() == {"1": 0, "2": 1, "3": 2, "7": 3}
    exact = frame.with_columns(w=polars.Series([decimal.Decimal("0.25")] * 4))
    assert Graph.from_dataframe(exact, "src", "dst", "w").out_edges()[2].tolist() == [0.25] * 4
    made = polars.DataFrame(Graph.from_edges(EDGES).bfs(2))
    assert made.columns == ["id", "distance"] and made["distance"].to_list() == [2, 0, 1, 2]
    holes = frame.with_columns(polars.when(polars.col("dst") == 7).then(None).otherwise(polars.col("dst")).alias("dst"))
    with pytest.raises(heddle.ArgumentError, match="dst: row 3 has no value"):
        Graph.from_dataframe(holes, "src", "dst")
    with pytest.warns(heddle.Note, match="1 of 4"):
        assert arcs(Graph.from_dataframe(holes, "src", "dst", nulls="drop")) == PLAIN[:3]
    with pytest.raises(heddle.ArgumentError, match="one of refuse, drop"):
        Graph.from_dataframe(holes, "src", "dst", nulls="keep")


def test_results_as_tables():
    pyarrow = pytest.importorskip("pyarrow")
    g = Graph.from_edges(["a", "b", "d"], ["b", "c", "a"])
    table = g.bfs("a", parents=True).to_arrow()
    assert table.to_pydict() == {"id": ["a", "b", "c", "d"], "distance": [0, 1, 2, None],
                                 "parent": [None, "a", "b", None]}
    assert g.cc().to_arrow().column_names == ["id", "component"]
    assert pyarrow.table(g.bfs(sources=["a", "b"], each=True)).column_names == ["id", "a", "b"]
    assert g.walks(walks=1, length=2).to_arrow().column_names == ["step0", "step1", "step2"]
    forest = Graph.from_edges([0, 1, 2], [1, 2, 0], [1.5, 2, 9], symmetrize=True).mst().to_arrow()
    assert forest.to_pydict() == {"source": [0, 1], "target": [1, 2], "weight": [1.5, 2.0]}
    result = g.pagerank()
    capsule = result.__arrow_c_stream__()  # one that nobody takes is released
    del capsule
    g.close()
    with pytest.raises(heddle.ClosedError):
        result.to_arrow()


def test_networkx_results_as_tables():
    networkx = pytest.importorskip("networkx")
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    ranks = Graph.from_networkx(networkx.path_graph(["x", "y", "z"])).bfs("x").to_arrow()
    assert ranks["id"].to_pylist() == ["x", "y", "z"]


@pytest.mark.parametrize("suffix", [".parquet", ".pq", ".arrow", ".feather"])
def test_files_of_columns(tmp_path, suffix):
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / ("levels" + suffix)
    Graph.from_edges(EDGES).bfs(1).save(path)
    assert not [one for one in tmp_path.iterdir() if one != path]
    g = heddle.read(path, columns="source=id,target=distance,weight=none")
    assert arcs(g) == [(1, 0, None), (2, 1, None), (3, 2, None), (7, 3, None)]
    assert arcs(heddle.read(path, columns="source=2,target=id", symmetrize=True, threads=2))[0] == (0, 1, None)
    assert arcs(heddle.read(path)) == arcs(g)
    assert heddle.bfs(path, 1).to_dict() == {0: 1, 1: 0, 2: -1, 3: -1, 7: -1}
    with pytest.raises(heddle.ArgumentError, match="no column 'x'"):
        heddle.read(path, columns="source=x,target=id")
    with pytest.raises(heddle.ArgumentError, match="expected source=COLUMN"):
        heddle.read(path, columns="id,distance")
    with pytest.raises(TypeError, match="has no option 'delimiter'"):
        heddle.read(path, delimiter=";")
    with pytest.raises(heddle.FileError):
        heddle.read(tmp_path / ("absent" + suffix))
    path.write_bytes(b"PAR1 not really")
    with pytest.raises(heddle.InputError, match="levels"):
        heddle.read(path)
    assert pyarrow


def test_functions_take_whatever_a_graph_is_made_of(tmp_path):
    g = Graph.from_edges(EDGES)
    expected = g.pagerank().values.tolist()
    path = tmp_path / "g.txt"
    path.write_text("".join(f"{u} {v}\n" for u, v in EDGES))
    for given in (g, EDGES, np.array(EDGES), path, str(path)):
        assert heddle.pagerank(given).values.tolist() == expected
    assert heddle.cc(EDGES, symmetrize=True).report["summary"]["components"] == 1
    with pytest.raises(heddle.ArgumentError, match="symmetrize"):
        heddle.cc(g, symmetrize=True)
    with pytest.raises(AttributeError, match="no attribute 'pagernk'"):
        heddle.pagernk(g)
    assert {"pagerank", "bfs", "Graph"} <= set(dir(heddle))


def test_several_results(tmp_path):
    graph = Graph.from_edges([("a", "b"), ("b", "c"), ("d", "e")])
    table = graph.table("degree", "cc", far=graph.bfs("a"))
    assert table.columns == ["degree", "component", "far"] and len(table) == 5
    assert table["degree"].tolist() == [1, 2, 1, 1, 1] and table["component"].tolist() == ["a", "a", "a", "d", "d"]
    assert graph.table("louvain", "leiden").columns == ["louvain", "leiden"]
    table.save(tmp_path / "t.npy")
    made = np.load(tmp_path / "t.npy")
    assert made["id"].tolist() == [b"a", b"b", b"c", b"d", b"e"] and made["far"].tolist() == [0, 1, 2, -1, -1]
    table.save(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().splitlines()[:2] == ["id,degree,component,far", "a,1,a,0"]
    pytest.importorskip("pyarrow")
    assert table.to_arrow().to_pydict() == {
        "id": list("abcde"), "degree": [1, 2, 1, 1, 1], "component": list("aaadd"), "far": [0, 1, 2, None, None]}
    table.save(tmp_path / "t.parquet")
    pandas = pytest.importorskip("pandas")
    assert pandas.read_parquet(tmp_path / "t.parquet")["degree"].tolist() == [1, 2, 1, 1, 1]
    assert table.to_pandas()["far"].tolist() == [0, 1, 2, -1, -1]
    for words, call in (("at least one", lambda: graph.table()), ("no algorithm 'degre'", lambda: graph.table("degre")),
                        ("no value for each vertex", lambda: graph.table(x=graph.mst()).to_arrow()),
                        ("of different graphs", lambda: graph.table(Graph.from_edges(EDGES).cc())),
                        ("two columns", lambda: graph.table("cc", "cc").save(tmp_path / "x.csv")),
                        ("results and names", lambda: graph.table(3)), ("no column 'x'", lambda: table["x"])):
        with pytest.raises(heddle.ArgumentError, match=words):
            call()


def test_table_of_nodes(tmp_path):
    networkx, pandas = pytest.importorskip("networkx"), pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    graph = Graph.from_networkx(networkx.Graph([("a", 1), (1, "b")]))
    assert graph.table("degree").to_pandas()["degree"].tolist() == [1, 2, 1]
    plain = Graph.from_networkx(networkx.path_graph(3)).table("degree")
    plain.save(tmp_path / "t.parquet")
    assert pandas.read_parquet(tmp_path / "t.parquet")["degree"].tolist() == [1, 2, 1]
    with pytest.raises(heddle.ArgumentError, match="as .parquet"):
        graph.table("degree").save(tmp_path / "t.csv")


def test_types_of_duckdb_and_pandas(tmp_path):
    duckdb, pandas = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    connection.execute("CREATE TYPE city AS ENUM ('Bonn', 'Kiel', 'Ulm')")
    connection.execute("CREATE TABLE roads (a city, b city, w DECIMAL(9, 2))")
    connection.execute("INSERT INTO roads VALUES ('Bonn', 'Ulm', 4.25), ('Ulm', 'Kiel', 0.5)")
    far = heddle.Graph.from_dataframe(connection.sql("FROM roads"), "a", "b", "w").sssp("Bonn")
    expected = {"Bonn": 0, "Kiel": 4.75, "Ulm": 4.25}
    assert far.to_dict() == expected
    assert dict(connection.sql("SELECT id, distance FROM far").fetchall()) == expected
    connection.execute("CREATE TABLE distances AS FROM far")  # results are written back to a table
    assert connection.sql("SELECT count(*) FROM distances").fetchall() == [(3,)]
    connection.sql("FROM roads").write_parquet(str(tmp_path / "roads.parquet"))
    read = heddle.read(tmp_path / "roads.parquet", columns="source=a,target=b,weight=w")
    assert read.sssp("Bonn").to_dict() == expected
    for suffix in (".parquet", ".arrow", ".feather"):
        read.sssp("Bonn").save(tmp_path / f"far{suffix}")
        again = pandas.read_parquet(tmp_path / "far.parquet") if suffix == ".parquet" else pandas.read_feather(
            tmp_path / f"far{suffix}")
        assert dict(zip(again["id"], again["distance"])) == expected
    frame = pandas.DataFrame({"source": pandas.Categorical(["Bonn", "Ulm"]),
                              "target": pandas.Categorical(["Ulm", "Kiel"]), "weight": [4.25, 0.5]})
    assert heddle.Graph.from_dataframe(frame).sssp("Bonn").to_dict() == expected
    coded = pyarrow.table({"source": pyarrow.array(["Bonn", "Ulm"]).dictionary_encode(), "target": ["Ulm", "Kiel"],
                           "weight": [4.25, 0.5]})
    assert heddle.Graph.from_dataframe(coded).sssp("Bonn").to_dict() == expected
