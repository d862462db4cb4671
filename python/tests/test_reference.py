"""docs/python-api.md is what scripts/python-api.py makes of the docstrings."""
import os
import subprocess
import sys

import pytest

from conftest import ROOT


def test_reference_is_current():
    script, page = (os.path.join(ROOT, *path) for path in (("scripts", "python-api.py"), ("docs", "python-api.md")))
    if not os.path.exists(script):
        pytest.skip("not in a source tree")
    made = subprocess.run([sys.executable, script], check=True, capture_output=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), PYTHONIOENCODING="utf-8")).stdout
    with open(page, "rb") as file:
        assert file.read() == made, "run: scripts/python-api.py > docs/python-api.md"
