"""Contexts, and the threads on which their calls run.

A context serves one calling thread at a time, and remembers what devices hold and what plans have derived. So contexts
are kept and used again: a call takes a free one and gives it back.

A call that may take long runs on a thread of its context, while the caller waits in Python: signals reach their
handlers at once, and an exception that one raises (KeyboardInterrupt) cancels the call and is raised when the call has
ended. The handover costs some 20 us; calls on tiny graphs run on the caller's thread without it.

In a forked child the parent's threads do not exist: new contexts are made there.
"""
from __future__ import annotations

import ctypes
import logging
import os
import queue
import sys
import threading
import time
import warnings
from typing import Any, Callable, Iterator, Optional

from ._library import OK, error_of, in_python, lib, options, structs
from ._options import whole
from .errors import Note, argument

log = logging.getLogger("heddle")

#: Called with phase, done, total (0: unknown); a true return value cancels the call.
Progress = Callable[[str, int, int], Any]

_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(structs["heddle_progress"]))
_NOTE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)


class Session:
    """A context, its notes, and (made by the first long call) its thread."""

    def __init__(self, threads: int, quiet: bool) -> None:
        self.progress: Optional[Progress] = None
        self.notes: list[str] = []
        self.raised: Optional[BaseException] = None  # by the progress callback
        self._note = _NOTE(self._on_note)
        chosen = options("heddle_context_options")
        chosen.threads = threads
        chosen.note = ctypes.cast(self._note, ctypes.c_void_p)
        if not quiet:
            self._progress = _PROGRESS(self._on_progress)
            chosen.progress = ctypes.cast(self._progress, ctypes.c_void_p)
        context = ctypes.c_void_p()
        status = lib.heddle_context_create(ctypes.byref(chosen), ctypes.byref(context))
        if status != OK:
            raise error_of(None, status)
        self.context: Optional[int] = context.value
        self._calls: Optional[queue.SimpleQueue[Any]] = None

    def _on_progress(self, _user: Any, report: Any) -> int:
        if self.progress is None:
            return 0
        try:
            record = report.contents
            return 1 if self.progress(record.phase.decode(), record.done, record.total) else 0
        except BaseException as error:  # ctypes would print it and go on
            self.raised = error
            return 1

    def _on_note(self, _user: Any, text: bytes) -> None:
        self.notes.append(in_python(text.decode("utf-8", "replace")))

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls on this thread; raises what the status says."""
        self.check(function(self.context, *arguments))

    def check(self, status: int) -> None:
        if status != OK:
            raise error_of(self.context, status)

    def call_apart(self, function: Any, *arguments: Any) -> None:
        """Calls on the session's own thread; signals are handled meanwhile."""
        if self._calls is None:
            self._calls = _served()
        done = threading.Lock()
        done.acquire()
        status: list[int] = []
        try:
            self._calls.put((function, (self.context, *arguments), status, done))
            _wait(done)
        except BaseException:
            self._end()
            raise
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised
        self.check(status[0])

    def _end(self) -> None:
        """Cancels the call and waits until it has ended, whatever signals come meanwhile: its arrays are in use."""
        assert self._calls is not None
        done = threading.Lock()
        done.acquire()
        self._calls.put((_nothing, (), [], done))  # served after the call, whether that was posted or not
        while True:
            try:
                lib.heddle_context_cancel(self.context)  # again and again: the call may not have begun
                if done.acquire(timeout=0.05):
                    break
            except BaseException:
                continue
        self.raised = None  # by the callback, after the exception that is on its way

    def destroy(self) -> None:
        """Frees the context and ends its thread; no call is under way."""
        if self._calls is not None:
            self._calls.put(None)
        context, self.context = ctypes.c_void_p(self.context), None
        lib.heddle_context_destroy(ctypes.byref(context))


def _served() -> queue.SimpleQueue[Any]:
    """A queue, and a thread that serves it. If a signal handler raises meanwhile there is neither: calls without
    a thread would wait forever."""
    calls: queue.SimpleQueue[Any] = queue.SimpleQueue()
    try:
        threading.Thread(target=_serve, args=(calls,), name="heddle", daemon=True).start()
    except BaseException:
        calls.put(None)
        raise
    return calls


def _wait(done: threading.Lock) -> None:
    """Waits, and lets Python handle signals meanwhile: one that another thread received does not end a wait."""
    while not done.acquire(timeout=0.05):
        pass


def _serve(calls: queue.SimpleQueue[Any]) -> None:
    while True:
        call = calls.get()
        if call is None:
            return
        function, arguments, status, done = call
        del call
        try:
            status.append(function(*arguments))
        except BaseException:  # ctypes refused an argument: a fault of the binding
            log.exception("heddle")
            status.append(-1)
        del function, arguments
        done.release()
        del status, done


#: Free sessions that are kept; what many threads at once have needed beyond them is freed.
MOST_FREE = 8


class _Pool:
    """The sessions that are free, by the number of threads of their context; quiet ones serve the caller's thread.
    Signal handlers and other threads may come in between any two steps: each step is one operation of a list."""

    def __init__(self) -> None:
        self.free: dict[tuple[int, bool], list[Session]] = {}

    def take(self, threads: int, quiet: bool) -> Session:
        try:
            return self.free[threads, quiet].pop()
        except (KeyError, IndexError):
            return Session(threads, quiet)

    def give(self, session: Session, threads: int, quiet: bool) -> None:
        session.progress = session.raised = None
        alike = self.free.setdefault((threads, quiet), [])
        alike.append(session)
        some = len(alike) > 1 or len(self.free) > 2  # else they are few
        if some and self is _pool and sum(map(len, list(self.free.values()))) > MOST_FREE:
            self.drop((threads, quiet))

    def drop(self, last: tuple[int, bool]) -> None:
        """Destroys a session: the oldest of another kind than `last`, if there is one."""
        for kind in [*(kind for kind in list(self.free) if kind != last), last]:
            try:
                session = self.free[kind].pop(0)
            except IndexError:
                continue
            session.destroy()
            return


_pool = _Pool()
_lost: list[_Pool] = []  # of parents: their contexts are not ours to destroy


def _after_fork() -> None:
    global _pool
    _lost.append(_pool)
    _pool = _Pool()


os.register_at_fork(after_in_child=_after_fork)


#: What heddle_context_options.threads takes.
MOST_THREADS = 4096


def thread_count(given: Any) -> int:
    """The option `threads`; 0: chosen by the library."""
    number = whole(given, "threads")
    if not 0 <= number <= MOST_THREADS:
        raise argument(f"threads: a number from 1 to {MOST_THREADS} is needed, or 0 for what the machine has, "
                       f"not {number}")
    return number


_PACKAGE = os.path.dirname(__file__)


def _warn(notes: list[str]) -> None:
    """Notes are warnings, at the line that called the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    for note in notes:
        warnings.warn(note, Note, stacklevel=level)


class lent:
    """`with lent() as session:` a session, given back at the end. `direct`: calls run on the caller's thread."""
    __slots__ = ("session", "threads", "direct", "pool", "progress")

    def __init__(self, threads: Optional[int] = None, direct: bool = False,
                 progress: Optional[Progress] = None) -> None:
        wanted = 0 if threads is None else thread_count(threads)
        self.direct = direct and not wanted and progress is None
        self.threads = 1 if self.direct else wanted
        self.progress = progress

    def __enter__(self) -> "lent":
        self.pool = pool = _pool
        self.session = session = pool.take(self.threads, self.direct)
        session.progress = self.progress
        session.notes = []
        return self

    def __exit__(self, kind: Any = None, *_: Any) -> None:
        notes = self.session.notes
        self.pool.give(self.session, self.threads, self.direct)
        if notes and kind is None:
            _warn(notes)

    def __call__(self, function: Any, *arguments: Any) -> None:
        if self.direct:
            self.session.call(function, *arguments)
        else:
            self.session.call_apart(function, *arguments)

    @property
    def context(self) -> Any:
        return self.session.context

    @property
    def notes(self) -> list[str]:
        return self.session.notes


def progress_of(wanted: Any, round_size: int = 0) -> tuple[Optional[Progress], Callable[[], None]]:
    """The callback for `progress=`: a function, or True for a bar of tqdm, without it a line; and what closes it.
    `round_size`: what a round adds to the progress of computing, if all add the same; passes over the edges are counted
    then."""
    if wanted is None or wanted is False:
        return None, _nothing
    if wanted is not True:
        if not callable(wanted):
            raise TypeError(f"progress is a function of (phase, done, total), or True, not {type(wanted).__name__}")
        return wanted, _nothing
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return _line(round_size)
    bar = tqdm(unit="", unit_scale=True)

    def show(phase: str, done: int, total: int) -> None:
        bar.set_description_str(phase, refresh=False)
        passes = bool(round_size) and phase == "compute" and not total
        bar.total = total or None
        bar.n = done // round_size if passes else done
        bar.unit, bar.unit_scale = (" passes", False) if passes else ("", True)
        bar.bar_format = None if total or bar.n else "{desc} [{elapsed}]"  # nothing is counted: the time that passes
        bar.refresh()

    return show, bar.close


def _line(round_size: int) -> tuple[Progress, Callable[[], None]]:
    """A line on standard error, where tqdm is not installed."""
    begun = time.monotonic()
    wide = 0

    def show(phase: str, done: int, total: int) -> None:
        nonlocal wide
        if total:
            words = f"{100 * done / total:.0f} %"
        elif round_size and phase == "compute":
            words = f"{done // round_size} passes"
        else:
            words = f"{done:,}" if done else ""
        text = f"{phase} {words} [{time.monotonic() - begun:.0f} s]"
        sys.stderr.write("\r" + text.ljust(wide))
        sys.stderr.flush()
        wide = max(wide, len(text))

    def close() -> None:
        if wide:
            sys.stderr.write("\n")

    return show, close


def _nothing() -> None:
    return None


def free_sessions() -> Iterator[Session]:
    """For tests."""
    for sessions in _pool.free.values():
        yield from sessions
