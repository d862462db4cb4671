"""The package's annotations, by mypy and pyright."""
import os
import subprocess
import sys

import pytest

from conftest import ROOT


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    if not os.path.exists(os.path.join(ROOT, "pyproject.toml")):
        pytest.skip("not in a source tree")
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)], cwd=ROOT, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout


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
