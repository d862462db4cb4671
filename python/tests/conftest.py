"""Tests of the Python package. In a source tree they use python/heddle and the library named by $HEDDLE_LIBRARY."""
import os
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
if os.environ.get("HEDDLE_LIBRARY"):
    sys.path.insert(0, os.path.dirname(HERE))


@pytest.fixture
def data():
    """The folder of real graphs."""
    folder = os.environ.get("HEDDLE_TEST_DATA")
    if not folder:
        pytest.skip("HEDDLE_TEST_DATA is not set")
    return folder
