"""What bad input gets: exceptions that say what and where, never a crash."""
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import heddle
from heddle import Graph


@pytest.mark.parametrize("indptr, indices, weights, words", [
    ([0, 2, 1, 3], [1, 2, 0], None, "row|offset|decrease"),
    ([0, 1, 2], [1, 5], None, "row 1 .*no vertex|5, which is no vertex"),
    ([0, 1, 2], [1, -1], None, "-1|4294967295|vertex"),
    ([0, 1, 9], [1, 0], None, "2|end"),
    ([1, 2], [0, 0], None, "0|begin|first"),
    ([], [], None, "indptr"),
    ([[0, 1]], [0], None, "one dimension"),
    ([0.0, 1.0], [0], None, "integers"),
    ([0, 1], ["a"], None, "integers"),
    ([0, 1], [0], [1.0, 2.0], "1 elements"),
    ([0, 1], [0], [np.nan], "finite|nan"),
    ([0, 1], [0], [np.inf], "finite|inf"),
    ([0, 1], [0], [1j], "numbers"),
    ([0, 1], [0], ["x"], "numbers"),
    ([-5, 1], [0], None, "row|offset|indptr|0"),
])
@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_bad_csr(indptr, indices, weights, words, width):
    if indptr and isinstance(indptr[0], int):
        indptr = np.array(indptr, width)
    if indices and isinstance(indices[0], int):
        indices = np.array(indices, width)
    with pytest.raises(heddle.ArgumentError, match=words):
        Graph.from_csr(indptr, indices, weights)


@pytest.mark.parametrize("arguments, options, words", [
    (([0, 1], [1]), {}, "2 elements"),
    (([0, 5], [1, 1]), {"vertices": 3}, "5"),
    (([0, -5], [1, 1]), {"vertices": 3}, "-5"),
    (([0.5], [1.0]), {}, "integers"),
    ((["a", 1], ["b", "c"]), {}, "string|integers"),
    ((["a"], [1]), {}, "strings"),
    ((["a\0b"], ["c"]), {}, "NUL"),
    ((np.zeros((2, 2), int),), {}, "two ways"),
    ((np.zeros((5, 7), int),), {}, "shape"),
    ((np.zeros(5, int),), {}, "shape"),
    (([(1, 2), (3,)],), {}, "same length"),
    (([1, 2],), {}, "tuples"),
    (([0], [1]), {"duplicates": "some"}, "keep, first"),
    (([0], [1]), {"vertices": -1}, "negative"),
    (([0], [1]), {"memory_limit": "lots"}, "bytes"),
    ((np.array([2**64 - 1], np.uint64), np.array([1], np.uint64)), {}, "2\\^63"),
    (([0], [1], [np.nan]), {}, "finite|nan"),
])
def test_bad_edges(arguments, options, words):
    with pytest.raises(heddle.ArgumentError, match=words):
        Graph.from_edges(*arguments, **options)


def test_notes_are_warnings(recwarn):
    """At the line of the caller, also of calls on a thread of their own; not of calls that fail, and not of others."""
    weighted = Graph.from_edges([0, 1], [1, 2], [2.5, 3])
    assert not recwarn
    found = weighted.bc()
    words = "bc does not use the graph's weights: every edge counts 1"
    assert [(str(one.message), one.category, one.filename) for one in recwarn] == [(words, heddle.Note, __file__)]
    assert found.report["notes"] == [words]
    recwarn.clear()
    weighted.bc(threads=2)
    heddle.read(b"#python\t#java\n")
    assert [str(one.message).split(": ")[-1] for one in recwarn] == [
        "every edge counts 1", "labels that begin with '#' have to be in quotes", "there are no edges in it"]
    assert {one.filename for one in recwarn} == {__file__}
    recwarn.clear()
    with pytest.raises(heddle.HeddleError):
        weighted.bc(precision="single", device="cuda:99")
    weighted.sssp(0), weighted.bfs(0), Graph.from_edges([0], [1]).pagerank()
    assert not recwarn
    with warnings.catch_warnings():
        warnings.simplefilter("error", heddle.Note)
        with pytest.raises(heddle.Note, match="bc does not use"):
            weighted.bc()
    assert weighted.bfs(0).values.tolist() == [0, 1, 2]


def test_unknown_options():
    g = Graph.from_edges([(0, 1)])
    with pytest.raises(TypeError, match="symmetrise"):
        Graph.from_edges([(0, 1)], symmetrise=True)
    with pytest.raises(TypeError, match="bfs has no option 'damping'; it has: source, sources, parents, .*, progress"):
        g.bfs(0, damping=0.5)
    for name, near in (("dampign", "damping"), ("treads", "threads"), ("max_iteration", "max_iterations")):
        with pytest.raises(TypeError, match=f"pr has no option '{name}'; did you mean '{near}'\\?"):
            g.pagerank(**{name: 1})
    for start in ({"source": 0}, {"sources": [0]}):
        with pytest.raises(TypeError, match="cc has no option 'source'"):
            g.explain("cc", **start)
    with pytest.raises(TypeError, match="cc has no option 'source'"):
        g.cc(sources=[0])
    with pytest.raises(TypeError, match="scal"):
        heddle.generate("rmat", scal=3)
    with pytest.raises(TypeError, match="fromat"):
        heddle.read("x", fromat="mtx")
    with pytest.raises(heddle.ArgumentError, match="there is no algorithm"):
        g.explain("dijkstras")


@pytest.mark.parametrize("options, kind", [
    ({"damping": 2}, heddle.ArgumentError), ({"damping": "x"}, heddle.ArgumentError),
    ({"max_iterations": 1.5}, heddle.ArgumentError), ({"max_iterations": -1}, heddle.ArgumentError),
    ({"personalization": [1]}, heddle.ArgumentError), ({"personalization": [0, 0]}, heddle.ArgumentError),
    ({"personalization": ["a", "b"]}, heddle.ArgumentError), ({"precision": "half"}, heddle.ArgumentError),
    ({"device": "abacus"}, heddle.HeddleError), ({"device": 3}, heddle.ArgumentError),
    ({"plan": "schedule=nothing"}, heddle.HeddleError), ({"plan": "a\0b"}, heddle.ArgumentError),
    ({"threads": 10**6}, heddle.ArgumentError), ({"progress": 5}, TypeError),
    ({"memory_limit": 10}, heddle.HeddleError),
])
def test_bad_run_options(options, kind):
    with pytest.raises(kind):
        Graph.from_edges([(0, 1)]).pagerank(**options)


def test_sources():
    g = Graph.from_edges([(0, 1)])
    for odd in (2, -1, "0", None and 0, 2**70, 0.5, [], [5], np.zeros((2, 2), int)):
        if odd is not None:
            with pytest.raises(heddle.ArgumentError):
                g.bfs(odd)
    with pytest.raises(KeyError) as caught:
        g.bfs(7)
    assert str(caught.value) == "no vertex has the id 7" and caught.value.status == "HEDDLE_E_SOURCE"
    assert caught.value.token == "7"
    with pytest.raises(heddle.ArgumentError):
        Graph.from_edges(["a"], ["b"]).bfs(["a", []])
    with pytest.raises(heddle.HeddleError):
        Graph.from_edges([]).bfs(0)


def test_files(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("1 2\n3 x4\n")
    with pytest.raises(heddle.InputError) as caught:
        heddle.read(path)
    error = caught.value
    assert (error.line, error.column, error.token) == (2, 3, "x4") and error.file.endswith("bad.txt")
    assert error.expected and error.code == -23
    with pytest.raises(OSError):
        heddle.read(tmp_path / "none.txt")
    with pytest.raises(heddle.ArgumentError):
        heddle.read(5)
    with pytest.raises(heddle.HeddleError):
        Graph.from_edges([(0, 1)]).save(tmp_path / "g.unknown")


def test_weights_unfit():
    g = Graph.from_edges([(0, 1, -1.0)])
    with pytest.raises(heddle.RefusedError):
        g.sssp(0)


def test_closed():
    g = Graph.from_edges([(0, 1)])
    with g:
        pass
    for use in (lambda: g.bfs(0), lambda: g.directed, lambda: g.out_edges(), lambda: g.save("x.txt"), g.stats,
                lambda: g.explain("bfs"), lambda: g.run("x.c")):
        with pytest.raises(heddle.ClosedError, match="closed"):
            use()
    g.close()
    with pytest.raises(TypeError, match="pickled"):
        import pickle
        pickle.dumps(Graph.from_edges([(0, 1)]))


def test_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(heddle.ArgumentError, match="square"):
        Graph.from_scipy(sparse.csr_matrix((2, 3)))
    with pytest.raises(heddle.ArgumentError, match="sparse"):
        Graph.from_scipy(np.eye(2))
    broken = sparse.csr_matrix(np.eye(3))
    broken.indices[1] = 77
    with pytest.raises(heddle.ArgumentError):
        Graph.from_scipy(broken)
    assert broken.indices.flags.writeable  # an error keeps nothing


def test_import_without_library(tmp_path):
    env = dict(os.environ, HEDDLE_LIBRARY=str(tmp_path / "none.so"))
    done = subprocess.run([sys.executable, "-c", "import heddle"], env=env, capture_output=True, text=True,
                          cwd=os.path.dirname(os.path.dirname(heddle.__file__)))
    assert done.returncode == 1 and "ImportError: heddle: cannot open the library" in done.stderr


@pytest.mark.parametrize("width", [np.int32, np.int64, np.uint32])
def test_which_element(width):
    rows = np.array([0, 1, 2])
    with pytest.raises(heddle.ArgumentError, match="^indices: element 1 is 9, which is no vertex: there are 2$"):
        Graph.from_csr(rows, np.array([1, 9], width))
    for weights, word in (([1.0, np.nan], "nan"), (np.array([1, -np.inf], np.float32), "-inf")):
        with pytest.raises(heddle.ArgumentError, match=f"^weights: element 1 is {word}, and weights have to be"):
            Graph.from_csr(rows, np.array([1, 0], width), weights)


def test_paths_and_columns(tmp_path):
    for odd in ("zzz", "AUTO ", ""):
        with pytest.raises(heddle.ArgumentError, match="weight_column: the number of a column, from 1, 'auto' or"):
            heddle.read(b"0 1 2\n", weight_column=odd)
    assert heddle.read(b"0 1 2\n", weight_column="auto").weighted
    g = Graph.from_edges([(0, 1)])
    for call in (heddle.read, g.save, g.bfs(0).save):
        with pytest.raises(heddle.ArgumentError, match="path: the name of a file is needed, not None"):
            call(None)
        with pytest.raises(heddle.ArgumentError, match="path: text without NUL"):
            call("a\0b")


def test_half_characters():
    with pytest.raises(heddle.ArgumentError, match="sources: the id .*half of a character"):
        Graph.from_edges(["a\ud800"], ["b"])
    with pytest.raises(heddle.ArgumentError, match="plan: .*surrogates not allowed"):
        Graph.from_edges([(0, 1)]).bfs(0, plan="\ud800")


def test_options_have_their_names_in_python(tmp_path):
    """Messages of the library name the command's options."""
    g = Graph.from_edges([(10, 20, 2)])
    with pytest.raises(heddle.ArgumentError, match="use lossy=True to write it all the same"):
        g.save(tmp_path / "g.mtx")
    g.save(tmp_path / "g.mtx", lossy=True)
    with pytest.raises(heddle.InputError, match='use ids="string" for labels') as caught:
        heddle.read(b"0 1\n1 x\n")
    assert 'ids="string"' in caught.value.expected and "--" not in str(caught.value)
    with pytest.raises(heddle.ArgumentError, match='columns is for edge lists, .*unless format="edgelist"'):
        heddle.read((tmp_path / "g.mtx").read_bytes(), columns="source=1")
    said = heddle._library.in_python
    assert said("--weight-column 3 or --weight-column none") == 'weight_column=3 or weight_column="none"'
    assert said("use a larger --memory-limit; --verify measures it") == (
        "use a larger memory_limit; verify=True measures it")
    assert said("which --no-isolated leaves out (--to dot)") == 'which drop_isolated=True leaves out (format="dot")'
    assert said("--dedup=sum (max) combines; --ids int reads") == 'duplicates="sum" (max) combines; ids="integer" reads'
    assert said("--symmetrize (or --undirected) adds") == "symmetrize=True adds"
    assert said("weighted (--weighted) counts, samples (--samples) too") == "weighted=True counts, samples too"
    assert said("name it (--format, or --from of convert): 'NULL'") == "name it (format): 'NULL'"
    kept = "heddle convert IN OUT.hdl --in-edges writes one that has them"  # a command is a command
    assert said("not in the file: " + kept) == "not in the file: " + kept and said("--nothing") == "--nothing"


def test_messages_have_no_words_of_c():
    with pytest.raises(heddle.ArgumentError, match="^undirected is set, and the arc 0 -> 1 lacks its reverse"):
        Graph.from_csr([0, 1, 1], [1], undirected=True)
    with pytest.raises(heddle.RefusedError, match=r"a graph made without weights has none, g.subgraph\(min_weight=0\)"):
        Graph.from_edges([0], [1], [-1]).sssp(0)
    for start, advice in ((b"PAR1\x15\x04\x15", "heddle.Graph.from_dataframe(pandas.read_parquet(IN)) takes it"),
                          (b"\x93NUMPY\x01\x00", "heddle.Graph.from_edges(numpy.load('IN')) takes pairs"),
                          (b">>graph6<<A_\n", "heddle.Graph.from_networkx(networkx.read_graph6(IN)) takes it"),
                          (b"0,1,2\n1,0,3\n2,3,0\n", "heddle.Graph.from_scipy(scipy.sparse.coo_matrix(numpy.loadtxt("
                           "IN, delimiter=','))) takes it; format=\"edgelist\" reads its lines as edges")):
        with pytest.raises(heddle.InputError) as caught:
            heddle.read(start)
        assert str(caught.value).endswith(advice)


def test_options_in_what_is_quoted(tmp_path):
    """Names of files, and what is read or given, stay as they are."""
    path = str(tmp_path / "a --verify b.tsv")
    with pytest.raises(heddle.FileError, match="a --verify b.tsv: cannot open"):
        heddle.read(path)
    with pytest.raises(heddle.InputError, match="found '--lossy', expected an integer .*ids=\"string\""):
        heddle.read(b"0 1\n1 --lossy\n")
    with pytest.raises(heddle.ArgumentError, match="no plan '--lossy'"):
        Graph.from_edges([(0, 1)]).bfs(0, plan="--lossy")
    said = heddle._library.in_python
    assert said("x--lossy ---lossy the graph's --lossy isn't") == "x--lossy ---lossy the graph's lossy=True isn't"


def test_help_says_what_options_mean():
    for name in heddle.algorithms():
        text = getattr(Graph, name).__doc__
        assert "heddle.1" not in text and not [line for line in text.splitlines() if line.endswith(": ")]
    assert 'measure: of similarity; one of "jaccard", "overlap", "cosine"' in Graph.similar.__doc__
    assert 'precision: of the computation; one of "default", "single", "double"' in Graph.pr.__doc__
    assert "max_error: stop as soon as the error" in Graph.pr.__doc__ and "q: node2vec: a step" in Graph.walks.__doc__
    with pytest.raises(heddle.ArgumentError, match="measure: one of jaccard, overlap, cosine, .* is needed"):
        Graph.from_edges([(0, 1)]).similar(measure="dice")


def test_files_have_the_exceptions_of_python(tmp_path):
    import errno
    missing = str(tmp_path / "nowhere.txt")
    with pytest.raises(FileNotFoundError) as caught:
        heddle.read(missing)
    assert isinstance(caught.value, heddle.FileError) and caught.value.errno == errno.ENOENT
    assert caught.value.filename == missing and caught.value.strerror


def test_zero_that_would_mean_the_default():
    g = heddle.Graph.from_edges([0], [1])
    for call, given in ((g.pagerank, {"max_iterations": 0}), (g.pagerank, {"tolerance": 0}),
                        (g.pagerank, {"tolerance": 0.0}), (g.katz, {"alpha": 0}), (g.bc, {"samples": 0}),
                        (g.similar, {"top": 0}), (g.sssp, {"delta": 0}), (g.bfs, {"memory_limit": 0})):
        with pytest.raises(heddle.ArgumentError, match="above 0 is needed, not 0.*None is the default"):
            call(**given)


def test_a_mapped_file_that_another_program_changes(tmp_path):
    """The next run says so; a run would end with a signal, or have other edges."""
    import os
    path = str(tmp_path / "m.hdl")
    heddle.generate("rmat", scale=12).save(path)
    g = heddle.read(path)
    levels = g.bfs(0).values.tolist()
    os.rename(path, path + ".old")
    os.rename(path + ".old", path)
    assert g.bfs(0).values.tolist() == levels, "moved, not changed"
    os.truncate(path, 100)
    for call in (g.bfs, g.pagerank, g.explain, g.memory):
        with pytest.raises(heddle.FileError, match="changed since the graph was opened"):
            call()



def test_lazy_frames():
    """Of polars: a query without rows, which warns when it is asked for its columns. It is collected."""
    class LazyFrame:
        @property
        def columns(self):
            raise AssertionError("columns of a query were asked for")

        def collect(self):
            return {"source": [1, 2], "target": [2, 3]}
    assert heddle.Graph.from_dataframe(LazyFrame()).edges == 2
