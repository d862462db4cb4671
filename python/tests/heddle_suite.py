"""A plugin of pytest: makes the source tree look installed, so that NetworkX finds the backend, and runs NetworkX's own
suite against it.

    HEDDLE_LIBRARY=build/libheddle.so PYTHONPATH=python:python/tests pytest -p heddle_suite --heddle-suite [PATH…]

Calls that Heddle does not take are answered by NetworkX. What completed inside Heddle is counted and listed at the
end; --heddle-least N fails the run if fewer calls did. EXCLUDED lists the tests that are left out, with the reason.
"""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

#: Tests of NetworkX's suite that are not run against Heddle: {part of the name: reason}.
EXCLUDED = {
}


def make_installed():
    """Entry points of the source tree, from pyproject.toml."""
    try:
        from importlib.metadata import distribution
        distribution("heddle")
        return
    except ImportError:
        pass
    import tomllib
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        groups = tomllib.load(file)["project"]["entry-points"]
    folder = tempfile.mkdtemp(prefix="heddle-test-")
    info = os.path.join(folder, "heddle-0.dist-info")
    os.mkdir(info)
    with open(os.path.join(info, "METADATA"), "w", encoding="utf-8") as file:
        file.write("Metadata-Version: 2.1\nName: heddle\nVersion: 0\n")
    with open(os.path.join(info, "entry_points.txt"), "w", encoding="utf-8") as file:
        for group, entries in groups.items():
            file.write(f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items()))
    sys.path[:0] = [os.path.join(ROOT, "python"), folder]
    import atexit
    import shutil
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


make_installed()
if "--heddle-suite" in sys.argv:
    os.environ.update(NETWORKX_TEST_BACKEND="heddle", NETWORKX_FALLBACK_TO_NX="True")


def pytest_addoption(parser):
    parser.addoption("--heddle-suite", action="store_true", help="run NetworkX's tests against Heddle")
    parser.addoption("--heddle-least", type=int, default=1, help="calls that have to complete inside Heddle")


def pytest_collection_modifyitems(config, items):
    import pytest
    if config.getoption("--heddle-suite"):
        for item in items:
            for part, reason in EXCLUDED.items():
                if part in item.nodeid:
                    item.add_marker(pytest.mark.skip(reason=reason))


def pytest_sessionfinish(session):
    if session.config.getoption("--heddle-suite"):
        from heddle_networkx.interface import completed
        total = sum(completed.values())
        each = ", ".join(f"{name} {count}" for name, count in completed.most_common())
        print(f"\n{total} calls completed inside Heddle: {each}")
        if total < session.config.getoption("--heddle-least"):
            session.exitstatus = 1
