"""docs/python.md: its code, run from top to bottom; sessions of docs/tasks/, with what they show."""
import doctest
import importlib.util
import os
import re

import pytest

import heddle
from conftest import ROOT


@pytest.mark.filterwarnings("ignore")
def test_tutorial(tmp_path, monkeypatch):
    path = os.path.join(ROOT, "docs", "python.md")
    if not os.path.exists(path):
        pytest.skip("not in a source tree")
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    monkeypatch.chdir(tmp_path)
    names, skipped = {}, []
    for block in blocks:
        try:
            if "import duckdb" in block and not all(map(importlib.util.find_spec, ("duckdb", "pyarrow"))):
                raise heddle.UnsupportedError("no DuckDB or pyarrow")
            if "networkx" in block:
                version = pytest.importorskip("networkx").__version__.split(".")
                if (int(version[0]), int(version[1])) < (3, 4):
                    raise heddle.UnsupportedError("NetworkX is older than 3.4")
            exec(compile(block, path, "exec"), names)
        except heddle.UnsupportedError as error:  # no C compiler, or an old NetworkX
            skipped.append(str(error))
    assert len(blocks) >= 5 and len(skipped) < 3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, needs", [("python", ["pandas", "scipy", "networkx"]), ("sql", ["duckdb", "pyarrow"])])
def test_sessions(name, needs, tmp_path, monkeypatch):
    path = os.path.join(ROOT, "docs", "tasks", name + ".md")
    if not os.path.exists(path) or not all(map(importlib.util.find_spec, needs)):
        pytest.skip("not in a source tree, or without " + " ".join(needs))
    monkeypatch.chdir(tmp_path)
    done = doctest.testfile(path, module_relative=False, optionflags=doctest.ELLIPSIS, verbose=False)
    assert done.attempted >= 5 and done.failed == 0
