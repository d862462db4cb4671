"""What bad input gets: exceptions that say what and where, never a crash."""
import os
import subprocess
import sys

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


def test_unknown_options():
    g = Graph.from_edges([(0, 1)])
    with pytest.raises(TypeError, match="symmetrise"):
        Graph.from_edges([(0, 1)], symmetrise=True)
    with pytest.raises(TypeError, match="damping"):
        g.bfs(0, damping=0.5)
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
