"""The package's annotations, by mypy and pyright."""
import os
import subprocess
import sys

import pytest

import heddle
from conftest import ROOT


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    if not os.path.exists(os.path.join(ROOT, "pyproject.toml")):
        pytest.skip("not in a source tree")
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)], cwd=ROOT, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout


PLANTED = [("g.pagernk()", True), ("g.pagerank(dampign=.9)", True), ("g.pagerank(damping='high')", True),
           ("heddle.generate('rmat', scal=3)", True), ("g.pagerank(personalization='x').topp()", True),
           ("heddle.read('x', wieghts=3)", True), ("heddle.Graph.from_edges([0], [1], symetrize=True)", True),
           ("heddle.Graph.from_edges([0], [1], duplicates='add')", True), ("g.save('x.hdl', lossi=True)", True),
           ("g.subgraph(min_degre=3)", True), ("heddle.Graph.from_scipy(None, loops=False)", True),
           ("heddle.read('x', header=True, weight_column=3, drop_loops=True, threads=2)", False),
           ("heddle.Graph.from_edges([0], [1], vertices=3, duplicates='sum', threads=2)", False),
           ("heddle.Graph.from_dataframe({}, vertices=3, symmetrize=True)", False),
           ("g.save('x.hdl', in_edges=True)", False), ("g.subgraph([1], min_degree=3, drop_isolated=True)", False),
           ("g.pagerank(damping=.9, memory_limit='4G', threads=2)", False), ("g.bfs(0, parents=True)", False),
           ("heddle.generate('rmat', scale=3, symmetrize=True)", False), ("g.sssp('York', precision='double')", False)]


def test_planted_faults_are_found(tmp_path):
    """Options and methods that do not exist, and values of another type; and nothing else."""
    pytest.importorskip("mypy")
    if not os.path.exists(os.path.join(ROOT, "pyproject.toml")):
        pytest.skip("not in a source tree")
    script = tmp_path / "planted.py"
    script.write_text("import heddle\ng = heddle.read('x')\n" + "\n".join(line for line, _ in PLANTED) + "\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", os.devnull, "--follow-imports", "silent",
                           "--ignore-missing-imports", "--cache-dir", str(tmp_path), str(script)], capture_output=True,
                          text=True, cwd=tmp_path, env=dict(os.environ, MYPYPATH=os.path.join(ROOT, "python")))
    found = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    assert found == {k for k, (_, wrong) in enumerate(PLANTED, 3) if wrong}, done.stdout


def test_pyright_knows_type_checking():
    """By its name alone: `import TYPE_CHECKING as _X` makes it take the other branch, which is untyped."""
    package = os.path.dirname(heddle.__file__)
    for name in os.listdir(package):
        if name.endswith(".py"):
            with open(os.path.join(package, name), encoding="utf-8") as file:
                assert "TYPE_CHECKING as" not in file.read(), name


def test_stubs_are_current():
    script = os.path.join(ROOT, "scripts", "python-stubs.py")
    if not os.path.exists(script):
        pytest.skip("not in a source tree")
    made = subprocess.run([sys.executable, script], check=True, capture_output=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))).stdout
    with open(os.path.join(ROOT, "python", "heddle", "_methods.pyi"), "rb") as file:
        assert file.read() == made, "run: scripts/python-stubs.py > python/heddle/_methods.pyi"


def test_pyright():
    pytest.importorskip("pyright")
    if not os.path.exists(os.path.join(ROOT, "pyproject.toml")):
        pytest.skip("not in a source tree")
    try:
        done = subprocess.run([sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "python/heddle",
                               "python/heddle_networkx"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("pyright did not end: it fetches itself on first use")
    if " error" not in done.stdout:
        pytest.skip("pyright could not start: it fetches itself on first use")
    assert done.returncode == 0, done.stdout
