"""Signals, progress, threads and forks."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import heddle
from heddle import _session


@pytest.fixture(scope="module")
def large():
    return heddle.generate("rmat", scale=13, degree=8)


def test_interrupt(large):
    """All sources of bc take seconds; a signal ends it, and the context works again."""
    slow = heddle.generate("rmat", scale=16)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        slow.bc()
    assert len(large.bfs().values) == large.vertices


def test_any_handler_may_raise(large):
    class Late(Exception):
        pass

    def handler(*_):
        raise Late
    slow, before = heddle.generate("rmat", scale=16), signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Late):
            slow.bc()
    finally:
        signal.signal(signal.SIGALRM, before)


def test_progress(large):
    seen = []
    large.pagerank(progress=lambda *report: seen.append(report))
    assert seen and all(isinstance(phase, str) and done <= total or not total for phase, done, total in seen)
    with pytest.raises(heddle.CancelledError):
        large.pagerank(progress=lambda *_: True)
    with pytest.raises(ZeroDivisionError):
        large.pagerank(progress=lambda *_: 1 / 0)
    assert large.pagerank().report["converged"]
    phases = []
    heddle.generate("rmat", scale=8, progress=lambda phase, *_: phases.append(phase))
    assert phases


def test_threads_share_a_graph(large):
    expected = large.bfs(5).values.tolist()
    found, errors = [], []

    def work():
        try:
            for _ in range(5):
                found.append(large.bfs(5).values.tolist() == expected)
                found.append(heddle.Graph.from_edges([(0, 1)]).bfs(0)[1] == 1)
        except BaseException as error:
            errors.append(error)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and all(found) and len(found) == 40


def test_closed_while_it_runs():
    g = heddle.generate("rmat", scale=12)
    results = []
    thread = threading.Thread(target=lambda: results.append(g.bc(samples=200).values))
    thread.start()
    time.sleep(0.01)
    g.close()
    thread.join()
    assert len(results) == 1 or g.closed  # it ended, or it found the graph closed


def test_sessions_are_used_again(large):
    large.bfs()
    count = len(list(_session.free_sessions()))
    for _ in range(5):
        large.bfs()
    assert len(list(_session.free_sessions())) == count


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork(large):
    script = ("import os, heddle\n"
              "g = heddle.generate('rmat', scale=13)\n"
              "expected = g.bfs(1).values.tolist()\n"
              "tiny = heddle.Graph.from_edges([(0, 1)])\n"
              "tiny.bfs(0)\n"
              "child = os.fork()\n"
              "if child == 0:\n"
              "    same = g.bfs(1).values.tolist() == expected and tiny.bfs(0)[1] == 1\n"
              "    os._exit(0 if same and heddle.generate('rmat', scale=10).vertices == 1024 else 1)\n"
              "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
              "assert g.bfs(1).values.tolist() == expected\n")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(heddle.__file__))))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("other", ["sklearn.cluster", "networkit", "torch"])
def test_another_openmp_runtime(other):
    """Libraries that bring an OpenMP runtime of their own, in both orders of import."""
    pytest.importorskip(other)
    body = "g = heddle.generate('rmat', scale=13)\nassert g.pagerank(threads=2).report['converged']\n"
    for imports in (f"import heddle, {other}\n", f"import {other}, heddle\n"):
        done = subprocess.run([sys.executable, "-c", imports + body], capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(heddle.__file__))))
        assert done.returncode == 0, done.stderr


def test_arrays_in_use_while_interrupted():
    """A cancelled build has stopped reading the arrays when the exception comes."""
    ends = np.arange(1 << 21) % 1000
    signal.setitimer(signal.ITIMER_REAL, 0)
    timer = threading.Timer(0.02, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        heddle.Graph.from_edges(ends, ends[::-1].copy())
        timer.join()
        time.sleep(0.1)
    except KeyboardInterrupt:
        pass
