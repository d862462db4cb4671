"""Signals, progress, threads and forks."""
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pytest

import heddle
from heddle import _algorithms, _session


@pytest.fixture(scope="module")
def large():
    return heddle.generate("rmat", scale=13, degree=8)


@pytest.fixture
def interrupt():
    """Called on another thread: sends a signal, once, and returns when its exception is on its way in the main one."""
    arrived, before = threading.Event(), signal.getsignal(signal.SIGINT)

    def handler(*_):
        arrived.set()
        raise KeyboardInterrupt

    def send():
        if not arrived.is_set():
            os.kill(os.getpid(), signal.SIGINT)
            assert arrived.wait(60)
    signal.signal(signal.SIGINT, handler)
    yield send
    signal.signal(signal.SIGINT, before)


def test_interrupt(large):
    """All sources of bc take seconds; a signal ends it, and the context works again."""
    slow = heddle.generate("rmat", scale=16)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
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


def test_progress_bar(large, monkeypatch):
    """Of tqdm: passes over the edges where all rounds have all of them; the time where nothing is counted."""
    shown = []

    class Bar:
        def __init__(self, **_):
            self.n, self.total, self.unit, self.bar_format = 0, None, "", None

        def set_description_str(self, text, refresh):
            self.phase = text

        def refresh(self):
            shown.append((self.phase, self.n, self.total, self.unit, self.bar_format))

        def close(self):
            shown.append("closed")
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    rounds = large.pagerank(progress=True).report["iterations"]
    computing = [one for one in shown if one[0] == "compute"]
    assert computing[0] == ("compute", 0, None, " passes", "{desc} [{elapsed}]") and shown[-1] == "closed"
    assert rounds <= computing[-1][1] <= rounds + 2 and computing[-1][2:] == (None, " passes", None)
    shown.clear()
    large.bc(samples=2, progress=True)
    done = [one for one in shown if one[0] == "compute"][-1]
    assert done[1] == done[2] > 0 and done[3:] == ("", None)


def test_progress_without_tqdm(large, monkeypatch, capsys):
    """A line on standard error that is written again and again."""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    large.bc(samples=2, progress=True)
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.endswith("\n") and shown.err.count("\n") == 1
    assert shown.err.rsplit("\r", 1)[1].startswith("compute 100 % [0 s]")
    large.pagerank(progress=True)
    assert " passes [" in capsys.readouterr().err.rsplit("\r", 1)[1]
    large.pagerank()
    assert capsys.readouterr().err == ""


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
    """The callback closes the graph in mid-call: the call ends as if it had not."""
    expected = heddle.generate("rmat", scale=9).bc(samples=20).values
    g = heddle.generate("rmat", scale=9)
    result = g.bc(samples=20, progress=lambda *_: g.close())
    assert g.closed and np.allclose(result.values, expected)
    with pytest.raises(heddle.ClosedError):
        g.bfs()


@pytest.mark.parametrize("name", ["stats", "save", "in_edges", "ids", "explain", "memory", "result"])
def test_every_call_holds_the_handle(name, tmp_path, monkeypatch):
    """Another thread closes the graph between a call's first look at it and the library's use of it."""
    g = heddle.Graph.from_edges(["a", "b"], ["b", "c"])
    result = g.bfs("a") if name == "result" else None
    if name == "stats":  # it names a vertex
        assert len(g.ids) == 3
    calls = {"stats": g.stats, "save": lambda: g.save(tmp_path / "g.tsv"), "in_edges": g.in_edges, "ids": lambda: g.ids,
             "explain": g.explain, "memory": g.memory, "result": lambda: result.save(tmp_path / "r.tsv")}
    destroyed, during = [], []
    real, destroy = _session.lent.__call__, g._handle._destroy
    g._handle._destroy = lambda pointer: (destroyed.append(1), destroy(pointer))

    def closing(self, function, *arguments):
        g.close()
        during.extend(destroyed)
        return real(self, function, *arguments)
    monkeypatch.setattr(_session.lent, "__call__", closing)
    calls[name]()
    assert g.closed and not during
    gc.collect()
    assert destroyed


def test_interrupted_call_leaves_no_exception(interrupt):
    """The callback raises after the signal: the next call of the session is not told."""
    def both(*_):
        interrupt()
        raise ZeroDivisionError
    with pytest.raises(KeyboardInterrupt):
        heddle.generate("rmat", scale=8, progress=both)
    assert all(one.raised is None for one in _session.free_sessions())
    assert heddle.generate("rmat", scale=8).vertices == 256


def test_exception_after_success_frees_the_graph(monkeypatch):
    made = []
    real = _session.lent.__call__

    def late(self, function, *arguments):
        real(self, function, *arguments)
        made.append(arguments[-1]._obj)
        assert made[-1].value
        raise KeyboardInterrupt
    monkeypatch.setattr(_session.lent, "__call__", late)
    for call in (lambda: heddle.generate("path", vertices=5), lambda: heddle.read(b"0 1\n"),
                 lambda: heddle.Graph.from_edges([(0, 1)]), lambda: heddle.Graph.from_csr([0, 1, 1], [1])):
        with pytest.raises(KeyboardInterrupt):
            call()
    assert len(made) == 4 and not any(one.value for one in made)


def test_calls_that_may_take_long_are_interruptible():
    g = heddle.Graph.from_edges([(0, 1)])
    for given in ({"tolerance": 1e-300}, {"damping": 0.999999}, {"max_error": 0.1}, {"max_iterations": 10**9}):
        assert not _algorithms._Run(g, _algorithms.find("pr"), given).quick
    assert _algorithms._Run(g, _algorithms.find("pr"), {"precision": "double"}).quick


def test_free_sessions_are_bounded(large):
    """Those of many kinds, and of many threads at once."""
    for threads in range(1, _session.MOST_FREE + 3):
        large.bfs(threads=threads)
    assert len(list(_session.free_sessions())) <= _session.MOST_FREE
    many = [_session.lent(1, False) for _ in range(_session.MOST_FREE + 3)]
    for one in many:
        one.__enter__()
    for one in many:
        one.__exit__()
    assert len(list(_session.free_sessions())) == _session.MOST_FREE
    assert len(large.bfs(threads=1)) == large.vertices
    names = [thread for thread in threading.enumerate() if thread.name == "heddle"]
    for _ in range(100):
        if len(names) <= _session.MOST_FREE:
            break
        time.sleep(0.05)
        names = [thread for thread in threading.enumerate() if thread.name == "heddle"]
    assert len(names) <= _session.MOST_FREE


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


def test_arrays_in_use_while_interrupted(interrupt):
    """A cancelled build has stopped reading the arrays when the exception comes."""
    ends, seen = np.arange(1 << 16) % 1000, []

    def report(*one):
        seen.append(one)
        interrupt()
    with pytest.raises(KeyboardInterrupt):
        heddle.Graph.from_edges(ends, ends[::-1].copy(), progress=report)
    count = len(seen)
    time.sleep(0.05)
    assert len(seen) == count and not [one for one in _session.free_sessions() if one.progress]
    assert heddle.Graph.from_edges(ends, ends[::-1].copy()).vertices == 1000


def run_script(script, seconds=120):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True,
                          timeout=seconds, env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))


def test_borrowed_arrays_are_given_back_by_the_garbage_collector():
    """It may run while arrays are borrowed, on the same thread."""
    script = """if True:
        import gc, heddle, numpy as np
        class Holder:
            pass
        for k in range(10000):
            holder = Holder()
            holder.me = holder
            holder.graph = heddle.Graph.from_csr(np.array([0, 1, 2]), np.array([1, 0], np.int32))
        del holder
        gc.collect()
        assert not heddle._arrays._Lock._known
    """
    done = run_script(script)
    assert done.returncode == 0, done.stderr


#: at_step(number, work, handler) works, and calls the handler before that line of borrowing; false: there are fewer.
AT_STEP = """if True:
    import sys, heddle, numpy as np
    from heddle import _arrays
    offsets, whole = np.array([0, 1, 2]), np.array([9, 1, 0], np.int32)
    def graph(targets):
        return heddle.Graph.from_csr(offsets, targets)
    def at_step(number, work, handler):
        left = [number]
        def trace(frame, event, _):
            if frame.f_code.co_filename != _arrays.__file__:
                return None
            left[0] -= event == "line"
            if left[0] == 0:
                sys.settrace(None)
                handler()
            return trace
        sys.settrace(trace)
        work()
        sys.settrace(None)
        return left[0] <= 0
    def written(*arrays):
        return [array.flags.writeable for array in (offsets, whole, *arrays)]
    number, kept = 0, []
"""


def test_arrays_are_borrowed_amid_borrowing():
    """A signal handler may come between any two steps of it, and use the same arrays for a graph of its own."""
    script = AT_STEP + """
    def anew():
        return graph(whole[1:])
    while at_step(number := number + 1, anew, anew):
        assert all(written())
        at_step(number, anew, lambda: kept.append(anew()))
        assert not any(written())
        kept.clear()
        assert all(written())
    assert number > 50
    """
    done = run_script(script)
    assert done.returncode == 0, done.stderr


def test_views_are_borrowed_amid_borrowing():
    """The same with views of one array: they can be written to when all graphs are gone, and none before."""
    script = AT_STEP + """
    one, other = whole[1:], whole[1:]
    def first():
        return graph(one)
    while at_step(number := number + 1, first, lambda: graph(other)):
        assert all(written(one, other))
        for view in one, other:
            at_step(number, first, lambda: kept.append(graph(view)))
            assert not any(written(view))
            kept.clear()
            assert all(written(one, other))
        kept.append(graph(other))
        at_step(number, first, kept.clear)
        assert all(written(one, other))
    assert number > 50
    """
    done = run_script(script)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_amid_borrowing():
    """Another thread is between two steps of it, and does not exist in the child."""
    script = """if True:
        import os, signal, threading, heddle, numpy as np
        from heddle import _arrays
        offsets, targets = np.array([0, 1, 2]), np.array([1, 0], np.int32)
        def at_step(number):
            left, there, ended = [number], threading.Event(), threading.Event()
            def trace(frame, event, _):
                if frame.f_code.co_filename != _arrays.__file__:
                    return None
                left[0] -= event == "line"
                if left[0] == 0:
                    there.set()
                    ended.wait()
                return trace
            threading.settrace(trace)
            other = threading.Thread(target=lambda: (heddle.Graph.from_csr(offsets, targets), there.set()))
            other.start()
            threading.settrace(None)
            there.wait()
            child = os.fork()
            if child == 0:
                signal.alarm(10)
                os._exit(0 if heddle.Graph.from_csr(offsets, targets).bfs(0)[1] == 1 else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            ended.set()
            other.join()
            offsets[0] = targets[1] = 0
            return left[0] <= 0
        number = 1
        while at_step(number):
            number += 3
        assert number > 30
    """
    done = run_script(script)
    assert done.returncode == 0, done.stderr


def test_no_session_without_its_thread(large, monkeypatch):
    """An exception while the thread starts: later calls do not wait for it."""
    def start(self):
        raise KeyboardInterrupt
    monkeypatch.setattr(_session, "_pool", _session._Pool())
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", start)
        with pytest.raises(KeyboardInterrupt):
            large.bfs()
    assert [one._calls for one in _session.free_sessions()] == [None]
    assert len(large.bfs()) == large.vertices


@pytest.mark.parametrize("threads, words", [
    (-1, "threads: a number from 1 to 4096 is needed, or 0 for what the machine has, not -1"),
    (2**40, "not 1099511627776"), (10**6, "not 1000000"), ("2", "threads: an integer is needed, not '2'"),
    (1.5, "threads: an integer is needed, not 1.5")])
def test_threads(large, threads, words):
    g = heddle.Graph.from_edges([(0, 1)])
    calls = [g.bfs, large.bfs, g.explain, g.memory, g.stats, g.subgraph, lambda **given: g.prepare("auto", **given),
             lambda **given: heddle.generate("path", vertices=3, **given),
             lambda **given: heddle.read(b"0 1\n", **given), lambda **given: g.save("unused.txt", **given),
             lambda **given: heddle.Graph.from_edges([(0, 1)], **given)]
    for call in calls:
        with pytest.raises(heddle.ArgumentError, match=words):
            call(threads=threads)
    assert g.bfs(0, threads=np.int64(1))[1] == g.bfs(0, threads=0)[1] == g.bfs(0, threads=None)[1] == 1
