"""docs/coming-from.md: every expression of its last column runs, and every command is one."""
import os
import re

import pytest

import heddle
import heddle_suite

PAGE = os.path.join(heddle_suite.ROOT, "docs", "coming-from.md")


def rows():
    if not os.path.exists(PAGE):
        return []
    with open(PAGE, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]


def test_no_cell_is_empty():
    found = rows()
    if not found:
        pytest.skip("not in a source tree")
    assert len(found) >= 50
    for row in found:
        assert len(row) == 4 and all(row), row


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("cell", [row[3] for row in rows() if row[3][0] == "`"])
def test_expressions(cell, tmp_path):
    nx, pandas = pytest.importorskip("networkx"), pytest.importorskip("pandas")
    scipy = pytest.importorskip("scipy.sparse")
    graph = heddle.read("example:karate")
    names = {"heddle": heddle, "nx": nx, "g": graph, "d": heddle.Graph.from_edges([(1, 2), (2, 3)]),
             "nx_graph": nx.karate_club_graph(), "folder": str(tmp_path),
             "frame": pandas.DataFrame({"source": [1, 2], "target": [2, 3]}),
             "matrix": scipy.eye_array(3, format="csr")}
    assert eval(cell.strip("`"), names) is not False


def test_commands():
    known = set(heddle.algorithms()) | {"info", "convert", "subgraph", "draw", "generate", "table"}
    for row in rows():
        for command in re.findall(r"`(\w+) [a-z]+\.txt|`generate (\w+) ", row[2]):
            word, kind = command
            assert (word in known) if word else (kind in heddle.generators()), row
