"""The package's annotations, by mypy."""
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
