"""Arrays from what users have: NumPy and all that speaks its protocols, DLPack, Arrow, lists; and borrowing them."""
from __future__ import annotations

import contextlib
import weakref
from typing import Any, Iterator, Optional, Sequence

import numpy as np

from . import _arrow
from .errors import argument

Array = np.ndarray[Any, Any]

#: The library's types of weights, by NumPy's names.
WEIGHT_TYPES = {"uint32": "U32", "int32": "I32", "float32": "F32", "int64": "I64", "float64": "F64"}


def as_array(given: Any, name: str) -> Array:
    """Any array-like as a NumPy array, without a copy where the protocols allow."""
    if isinstance(given, np.ma.MaskedArray):
        return _unmasked(given, name)
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "__array_interface__") or hasattr(given, "__array__"):
        return _converted(np.asarray, given, name)
    if hasattr(given, "__dlpack__"):
        return _converted(np.from_dlpack, given, name)
    if hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        return _arrow.array(given, name)
    if isinstance(given, (list, tuple)) and any(isinstance(one, str) for one in given):
        return _objects(given)  # NumPy would make text of numbers among them
    return _converted(np.asarray, given, name)


def _unmasked(given: Any, name: str) -> Array:
    """A masked array that has all its values."""
    hidden = np.ma.getmaskarray(given)
    if hidden.any():
        raise argument(f"{name}: element {int(np.argmax(hidden))} is masked: fill it, or leave it out (`compressed`)")
    return np.asarray(given.data)


def _objects(given: Sequence[Any]) -> Array:
    made = np.empty(len(given), dtype=object)
    made[:] = given
    return made


def _converted(function: Any, given: Any, name: str) -> Array:
    try:
        made: Array = function(given)
    except (TypeError, ValueError, BufferError, RuntimeError) as error:
        raise argument(f"{name}: not an array: {error}") from error
    return made


def vector(given: Any, name: str, length: Optional[int] = None) -> Array:
    made = as_array(given, name)
    if made.ndim != 1:
        raise argument(f"{name}: an array of one dimension is needed, not of shape {made.shape}")
    if length is not None and made.shape[0] != length:
        raise argument(f"{name}: {length} elements are needed, not {made.shape[0]}")
    return made


def is_text(made: Array) -> bool:
    """Whether an array has strings."""
    first = made.flat[0] if made.dtype.kind == "O" and made.size else None
    return made.dtype.kind in "UST" or isinstance(first, (str, bytes))


def whole(given: Any, name: str, length: Optional[int] = None) -> Array:
    """A vector of integers."""
    made = vector(given, name, length)
    if made.dtype.kind not in "iu":
        if made.size:
            raise argument(f"{name}: integers are needed, not {made.dtype}")
        return made.astype(np.int64)
    return made


def int64(given: Any, name: str, length: Optional[int] = None) -> Array:
    """A vector of ids: integers, also as objects or as floats, which a column is after an outer join."""
    made = vector(given, name, length)
    if made.dtype.kind == "O" and made.size and all(isinstance(one, (int, np.integer)) for one in made):
        made = _numbers(made, name)
    elif made.dtype.kind == "f" and made.size:
        odd = ~(np.abs(made) <= 2.0**53) | (made != np.trunc(made))
        if odd.any():
            at = int(np.argmax(odd))
            raise argument(f"{name}: integers or strings are needed as ids, and element {at} is {made[at]}" +
                           (": leave rows without a value out (`dropna`)" if np.isnan(made[at]) else ""))
        made = made.astype(np.int64)
    elif made.dtype.kind not in "iu" and made.size:
        odd = next(one for one in made if not isinstance(one, (int, np.integer)) or isinstance(one, bool))
        raise argument(f"{name}: integers or strings are needed as ids, not {type(odd).__name__} such as {odd!r}")
    made = whole(made, name)
    if made.dtype.kind == "u" and made.dtype.itemsize == 8 and made.size and int(made.max()) > np.iinfo(np.int64).max:
        raise argument(f"{name}: {int(made.max())} exceeds 2^63 - 1")
    return np.ascontiguousarray(made, dtype=np.int64)


def ids_of_edges(sources: Any, targets: Any) -> tuple[Array, Array]:
    """Ids of both ends: uint32 without a copy if they have 32 bits and none is negative, else int64."""
    first = vector(sources, "sources")
    second = vector(targets, "targets", len(first))
    if all(ids.dtype == np.uint32 or (ids.dtype == np.int32 and ids.size and ids.min() >= 0)
           for ids in (first, second)):
        return np.ascontiguousarray(first).view(np.uint32), np.ascontiguousarray(second).view(np.uint32)
    return int64(first, "sources"), int64(second, "targets")


def weights(given: Any, name: str, length: int) -> tuple[Optional[Array], str]:
    """Weights in a type that the library has, and the name of that type; other types of numbers are widened."""
    if given is None:
        return None, "NONE"
    if isinstance(given, _arrow.Text):
        raise argument(f"{name}: numbers are needed, not strings: convert them first (`astype(float)`)")
    made = vector(given, name, length)
    kind, bits = made.dtype.kind, made.dtype.itemsize * 8
    if kind == "b" or (kind in "iu" and bits < 32):
        made = made.astype(np.int32)
    elif kind == "u" and bits == 64:
        if made.size and int(made.max()) > np.iinfo(np.int64).max:
            raise argument(f"{name}: {int(made.max())} exceeds 2^63 - 1")
        made = made.astype(np.int64)
    elif kind == "f" and bits not in (32, 64):
        made = made.astype(np.float32 if bits < 32 else np.float64)
    elif kind == "O" and made.size:
        made = _numbers(made, name)
    elif not made.size and kind not in "iuf":
        made = made.astype(np.float64)
    if made.dtype.name not in WEIGHT_TYPES:
        raise argument(f"{name}: numbers are needed, not {made.dtype}")
    made = native(made)
    return made, WEIGHT_TYPES[made.dtype.name]


def native(made: Array) -> Array:
    """Contiguous, and in the machine's order of bytes. An array that is so is returned itself: a view of it in its
    place would be borrowed, and it could be written to."""
    return np.ascontiguousarray(made, dtype=None if made.dtype.isnative else made.dtype.newbyteorder("="))


def _numbers(made: Array, name: str) -> Array:
    """Python's numbers in an array of objects: integers if all are, else floats."""
    exact = all(isinstance(one, (int, np.integer)) for one in made)
    odd = None if exact else next((one for one in made if isinstance(one, (str, bytes))), None)
    if odd is not None:
        raise argument(f"{name}: numbers are needed, not text such as {odd!r}: convert it first (`astype(float)`)")
    try:
        return made.astype(np.int64 if exact else np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise argument(f"{name}: numbers are needed: {error}") from error


def per_vertex(given: Any, name: str, vertices: int, dtype: Any) -> Array:
    """One number per vertex."""
    made = vector(given, name, vertices)
    if made.dtype.kind not in "biuf":
        raise argument(f"{name}: numbers are needed, not {made.dtype}")
    return np.ascontiguousarray(made, dtype=dtype)


def address(made: Optional[Array]) -> Optional[int]:
    return None if made is None else made.ctypes.data


class _Lock:
    """Keeps one array read-only while graphs use it. It lives as long as the array does.

    There is no mutex in it: the garbage collector and signal handlers may release arrays in the midst of any step, on
    the same thread, and a forked child would wait forever for a thread that it does not have. Instead each step is one
    operation of a set or a flag, and whoever has changed the holders sets the flag until it agrees with them.
    """
    __slots__ = ("_array", "holders", "_ours", "_was_ours", "_waiting")
    _known: dict[int, "_Lock"] = {}

    def __init__(self, array: Array) -> None:
        key, known = id(array), self._known
        self._array = weakref.ref(array, lambda _: known.pop(key, None))
        self.holders: set[int] = set()
        self._ours = False  # the array is read-only because of the holders, not by its owner's wish
        self._was_ours = False  # the same, until `_settle` has ended
        self._waiting: set[_Lock] = set()  # of released views, writable again when this array is

    @classmethod
    def of(cls, array: Array) -> "_Lock":
        return cls._known.get(id(array)) or cls._known.setdefault(id(array), cls(array))

    def take(self, holder: int) -> None:
        self.holders.add(holder)
        self._settle()

    def give(self, holder: int) -> None:
        self.holders.discard(holder)
        self._settle()

    def _settle(self) -> None:
        array = self._array()
        while array is not None:
            held, again = bool(self.holders), False
            if held and array.flags.writeable and self._can_undo(array):
                self._ours = self._was_ours = True
                array.flags.writeable = False
            elif not held and self._ours:
                self._ours = False  # before the flag: who takes the array now finds that it can be written to
                try:
                    array.flags.writeable = True
                except ValueError:  # its base is read-only still: another graph uses that
                    self._ours = True
                    again = self._wait(array)
            if held == bool(self.holders) and not again:
                self._was_ours = held and self._was_ours or self._ours
                break
        while self._waiting and array is not None and array.flags.writeable:
            with contextlib.suppress(KeyError):  # another thread has taken the last one
                self._waiting.pop()._settle()

    def _wait(self, array: Array) -> bool:
        """Lets its bases say when they can be written to; whether one can by now."""
        for base in _bases(array):
            lock = self._known.get(id(base))
            if lock is not None:
                lock._waiting.add(self)
        return any(base.flags.writeable for base in _bases(array))

    def _can_undo(self, array: Array) -> bool:
        """Whether NumPy would let an array be written to again: not over memory that it got from others by DLPack or
        `__array_interface__`, nor if the owner has made its base read-only."""
        last: Any = array
        for last in _bases(array):
            lock = self._known.get(id(last))
            if last.flags.writeable or (lock is not None and lock._was_ours):
                return True
        if last.base is None or last.flags.owndata:
            return last is array
        try:
            with memoryview(last.base) as memory:
                return memory.c_contiguous and not memory.readonly
        except (TypeError, ValueError, BufferError):
            return False


def _bases(array: Array) -> Iterator[Array]:
    """The arrays that an array is a view of."""
    base: Any = array.base
    while isinstance(base, np.ndarray):
        yield base
        base = base.base


class Borrowed:
    """Arrays whose memory a graph uses, kept alive. They are read-only until `release`: a change would go unnoticed by
    the checks that the graph was built with. Other views of the same memory cannot be found, and must not be written
    to; nor must arrays over memory of others, which could not be given back and so stay as they are."""
    __slots__ = ("memory", "_locks")

    def __init__(self, arrays: Sequence[Optional[Array]]) -> None:
        self._locks: list[_Lock] = []
        self.memory = tuple(arrays)
        for array in arrays:
            if array is not None:
                self._lock(array)

    def _lock(self, array: Array) -> None:
        for one in (array, *_bases(array)):
            self._locks.append(_Lock.of(one))
            self._locks[-1].take(id(self))

    def include(self, arrays: Sequence[Array]) -> None:
        """Locks further arrays over the same memory, which the caller has; those over other memory stay as they are."""
        for array in arrays:
            known = any(array is one for one in self.memory)
            if not known and any(one is not None and np.may_share_memory(array, one) for one in self.memory):
                self._lock(array)
                self.memory = (*self.memory, array)

    def release(self) -> None:
        while getattr(self, "_locks", ()):  # an exception of a signal handler leaves the others to `__del__`
            self._locks[-1].give(id(self))  # from the last: a view can be written to only if its base can
            self._locks.pop()
        self.memory = ()

    __del__ = release
