"""Columns by Arrow's C data interface: pandas, polars, pyarrow, DuckDB …, without any of them.

A producer hands over a stream of record batches whose structs are those below. Numbers become NumPy arrays over its
memory (one batch) or one copy (several); so does text, as `Text`, and dictionaries stay what they are.
"""
from __future__ import annotations

import ctypes
from typing import Any, Container, Optional, Sequence, Union

import numpy as np

from .errors import argument

Array = np.ndarray[Any, Any]

_NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2",
            "f": "f4", "g": "f8"}


#: Words for types that are neither numbers nor strings, by the letters that their codes begin with.
_KINDS = {"td": "date", "tt": "time", "ts": "timestamp", "tD": "duration", "ti": "interval", "+l": "list",
          "+L": "list", "+w": "list", "+v": "list", "+s": "struct", "+m": "map", "+u": "union", "n": "null",
          "w": "fixed-size binary"}


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p)]
_Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))), ("private_data", ctypes.c_void_p)]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))), ("private_data", ctypes.c_void_p)]

_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_capsule.restype, _capsule.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class _Owner:
    """Releases a batch or a schema when the last array over it is gone."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    def __del__(self) -> None:
        if self.struct.release:
            self.struct.release(ctypes.byref(self.struct))


class _Memory:
    """A buffer for NumPy, which keeps its batch alive."""

    def __init__(self, owner: Any, start: int, count: int, code: str) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (start, True), "shape": (count,), "typestr": "<" + code}


def _view(owner: Any, start: Optional[int], first: int, count: int, code: str) -> Array:
    if not count or not start:
        return np.empty(0, code)
    return np.asarray(_Memory(owner, start + first * np.dtype(code).itemsize, count, code))


class Text:
    """Strings as the library takes them (heddle_strings): parts of one array of bytes, each from an offset to the next
    one, or by their lengths; with codes they are a dictionary."""

    def __init__(self, data: Array, offsets: Array, lengths: Optional[Array] = None,
                 codes: Optional[Array] = None) -> None:
        self.data, self.offsets, self.lengths, self.codes = data, offsets, lengths, codes

    @property
    def count(self) -> int:
        """Of strings, those of a dictionary."""
        return len(self.offsets) - 1 if self.lengths is None else len(self.offsets)

    def __len__(self) -> int:
        return self.count if self.codes is None else len(self.codes)

    @classmethod
    def of(cls, strings: Sequence[Any], name: str) -> "Text":
        """From Python's strings, or from bytes, which are UTF-8."""
        count, content = len(strings), b""
        try:
            if count and isinstance(strings[0], bytes):
                content = b"\0".join(strings)
            else:
                content = "\0".join(strings).encode("utf-8", "surrogateescape")
        except TypeError:
            kind = bytes if isinstance(strings[0], bytes) else str
            odd = next(one for one in strings if not isinstance(one, kind))
            raise argument(f"{name}: all ids must be strings, and {odd!r} is not") from None
        except UnicodeEncodeError:
            odd = next(one for one in strings if encoded(one) is None)
            raise argument(f"{name}: the id {odd!r} has half of a character that two code units make, which "
                           "no UTF-8 has") from None
        data = np.frombuffer(content, np.uint8)
        ends = np.append(np.flatnonzero(data == 0), len(data)) if count else np.empty(0, np.int64)
        if len(ends) != count:
            odd = next(k for k, one in enumerate(strings) if ("\0" if isinstance(one, str) else b"\0") in one)
            raise argument(f"{name}: element {odd} has NUL in it, which no id has")
        starts = np.zeros(count, np.int64)
        starts[1:] = ends[:-1] + 1
        return cls(data, starts, ends - starts)

    @classmethod
    def joined(cls, parts: list["Text"]) -> "Text":
        if not parts:
            return cls(np.empty(0, np.uint8), np.zeros(1, np.int64))
        starts, lengths, bytes_before = [], [], 0
        for part in parts:
            known = part.offsets if part.lengths is not None else part.offsets[:-1]
            starts.append(known.astype(np.int64) + bytes_before)
            lengths.append(np.diff(part.offsets) if part.lengths is None else part.lengths)
            bytes_before += len(part.data)
        data = np.concatenate([part.data for part in parts])
        if all(part.codes is None for part in parts):
            return cls(data, np.concatenate(starts), np.concatenate(lengths).astype(np.int64))
        codes, strings_before = [], 0
        for part in parts:
            own = np.arange(part.count) if part.codes is None else part.codes
            codes.append(own.astype(np.int64) + strings_before)
            strings_before += part.count
        return cls(data, np.concatenate(starts), np.concatenate(lengths).astype(np.int64), np.concatenate(codes))

    def taken(self, codes: Array) -> "Text":
        """The strings as a dictionary."""
        return Text(self.data, self.offsets, self.lengths, codes)

    def fill(self, struct: Any) -> None:
        """Sets the fields of a heddle_strings; the arrays have to stay."""
        self.offsets = np.ascontiguousarray(self.offsets)
        struct.text, struct.offsets, struct.count = self.data.ctypes.data, self.offsets.ctypes.data, self.count
        struct.offset_bits = 8 * self.offsets.itemsize
        if self.lengths is not None:
            self.lengths = np.ascontiguousarray(self.lengths, np.int64)
            struct.lengths = self.lengths.ctypes.data
        if self.codes is not None:
            self.codes = np.ascontiguousarray(self.codes)
            struct.codes, struct.code_bits = self.codes.ctypes.data, 8 * self.codes.itemsize

    def to_list(self) -> list[str]:
        starts = self.offsets if self.lengths is not None else self.offsets[:-1]
        lengths = np.diff(self.offsets) if self.lengths is None else self.lengths
        places, memory = starts.tolist(), self.data.data
        made = [str(memory[place:place + length], "utf-8", "surrogateescape")
                for place, length in zip(places, lengths.tolist())]
        return made if self.codes is None else [made[code] for code in self.codes.tolist()]


def encoded(label: Any) -> Optional[bytes]:
    """A label as the library has it; None if none can be this."""
    if not isinstance(label, str) or "\0" in label:
        return None
    try:
        return label.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None


Column = Union[Array, Text]


def _no_nulls(owner: Any, array: Any, first: int, count: int, name: str) -> None:
    if array.null_count == 0 or not array.n_buffers or not array.buffers[0]:
        return
    bits = _view(owner, array.buffers[0], 0, (first + count + 7) // 8, "u1")
    valid = np.unpackbits(bits, bitorder="little")[first:first + count]
    if not valid.all():
        raise argument(f"{name}: row {int(np.argmin(valid))} has no value")


def _strings(owner: Any, array: Any, code: str, first: int, count: int) -> Text:
    offsets = _view(owner, array.buffers[1], first, count + 1 if count else 0, code)
    if not len(offsets):
        return Text(np.empty(0, np.uint8), np.zeros(1, np.int64))
    return Text(_view(owner, array.buffers[2], 0, int(offsets[-1]), "u1"), offsets)


def _string_views(owner: Any, array: Any, first: int, count: int) -> Text:
    """Strings of up to 12 bytes lie in their record of 16 bytes, longer ones in a buffer that the record names."""
    variadic = array.n_buffers - 3
    records = _view(owner, array.buffers[1], 16 * first, 16 * count, "u1")
    if not count:
        return Text(records, np.zeros(1, np.int64))
    words = records.view("<i4").reshape(count, 4)
    lengths = words[:, 0].astype(np.int64)
    begin = records.ctypes.data
    starts = 16 * np.arange(count, dtype=np.int64) + 4
    far = np.flatnonzero(lengths > 12)
    if len(far):  # from the first record: buffers lie anywhere
        bases = np.array([(array.buffers[2 + k] or begin) - begin for k in range(variadic)], np.int64)
        starts[far] = bases[words[far, 2]] + words[far, 3]
    low = min(0, int(starts.min()))  # offsets count from the lowest address
    data = np.asarray(_Memory(owner, begin + low, int((starts + lengths).max()) - low, "u1"))
    return Text(data, starts - low, lengths)


_WIDE = 2.0**64


def _decimals(owner: Any, array: Any, code: str, first: int, count: int, name: str) -> Array:
    """Decimals of 128 bits: whole numbers where they have no fraction and fit 64 bits, else floats."""
    _, scale, *bits = code[2:].split(",")
    if bits and bits != ["128"]:
        raise argument(f"{name}: decimals of {bits[0]} bits are not read: cast the column to a float or an integer")
    words = _view(owner, array.buffers[1], 2 * first, 2 * count, "u8").reshape(count, 2)
    low, high = words[:, 0].view(np.int64), words[:, 1].view(np.int64)
    small = high == low >> 63
    if scale == "0" and bool(small.all()):
        return low.copy()
    values = np.where(small, low.astype(np.float64), high * _WIDE + words[:, 0])
    return np.asarray(values / 10.0 ** int(scale))


def _column(owner: Any, schema: Any, array: Any, name: str, first: int, count: int) -> Column:
    first += array.offset
    code = (schema.format or b"").decode()
    _no_nulls(owner, array, first, count, name)
    if schema.dictionary:
        indices = _view(owner, array.buffers[1], first, count, _NUMBERS[code])
        known = array.dictionary.contents
        values = _column(owner, schema.dictionary.contents, known, f"{name}, its dictionary", 0, known.length)
        return values.taken(indices) if isinstance(values, Text) else values[indices]
    if code in _NUMBERS:
        return _view(owner, array.buffers[1], first, count, _NUMBERS[code])
    if code == "b":
        return np.unpackbits(_view(owner, array.buffers[1], 0, (first + count + 7) // 8 if count else 0, "u1"),
                             bitorder="little")[first:first + count].astype(bool)
    if code in ("u", "U", "z", "Z"):
        return _strings(owner, array, "i4" if code in "uz" else "i8", first, count)
    if code in ("vu", "vz"):
        return _string_views(owner, array, first, count)
    if code.startswith("d:"):
        return _decimals(owner, array, code, first, count, name)
    raise argument(f"{name}: a column of numbers or strings is needed, not of Arrow's type "
                   f"'{_KINDS.get(code[:2]) or _KINDS.get(code[:1], code)}'")


def _join(parts: list[Column]) -> Column:
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, Text) for part in parts):
        return Text.joined([part for part in parts if isinstance(part, Text)])
    return np.concatenate([part for part in parts if isinstance(part, np.ndarray)]) if parts else np.empty(0, np.int64)


def _batches(given: Any) -> tuple[Any, list[Any]]:
    """The schema and the batches of a stream, or of one array."""
    schema, found = _Schema(), []
    if hasattr(given, "__arrow_c_stream__"):
        capsule = _exported(given)
        stream = _Stream.from_address(_capsule(capsule, b"arrow_array_stream"))
        if not stream.release:
            raise argument("the stream of Arrow was read before, and has nothing left: make it again")
        try:
            _fine(stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)))
            while True:
                batch = _Array()
                _fine(stream, stream.get_next(ctypes.byref(stream), ctypes.byref(batch)))
                if not batch.release:
                    break
                found.append(_Owner(batch))
        finally:
            if stream.release:
                stream.release(ctypes.byref(stream))
    else:
        first, second = given.__arrow_c_array__()
        moves = [(schema, _capsule(first, b"arrow_schema")), (batch := _Array(), _capsule(second, b"arrow_array"))]
        if not all(type(struct).from_address(source).release for struct, source in moves):
            raise argument("the array of Arrow was taken by another reader before: export it again")
        for struct, source in moves:
            ctypes.memmove(ctypes.byref(struct), source, ctypes.sizeof(struct))
            type(struct).from_address(source).release = type(struct.release)()  # moved: ours to release now
        found.append(_Owner(batch))
    return _Owner(schema), found


def _exported(given: Any) -> Any:
    """The capsule of a stream."""
    try:
        return given.__arrow_c_stream__()
    except (TypeError, ValueError) as error:  # pyarrow's errors are these too
        raise argument(f"the table cannot be read as one of Arrow: {error}") from error


def _fine(stream: Any, status: int) -> None:
    if status:
        text = stream.get_last_error(ctypes.byref(stream))
        raise argument("Arrow stream: " + (text.decode("utf-8", "replace") if text else f"error {status}"))


class Usual(str):
    """The name of a column that a table may lack."""


def present(names: list[Any], labels: Container[Any]) -> list[Any]:
    """The columns to be read."""
    return [name for name in names if not isinstance(name, Usual) or name in labels]


def columns(given: Any, names: list[Any], titles: Optional[list[str]] = None) -> list[Column]:
    """Columns of a table, by name or place; `titles` are their names in messages."""
    schema, batches = _batches(given)
    known = schema.struct
    if known.format != b"+s":
        raise argument("a table of columns is needed")
    labels = [(known.children[k].contents.name or b"").decode() for k in range(known.n_children)]
    made, names = [], present(names, labels)
    for name, title in zip(names, titles or map(str, names)):
        if isinstance(name, int) and 0 <= name < len(labels):
            at = name
        elif name in labels:
            at = labels.index(name)
        else:
            raise argument(f"there is no column {name!r}; there are: {', '.join(labels) or 'none'}")
        parts = [_column(owner, known.children[at].contents, owner.struct.children[at].contents, title,
                         owner.struct.offset, owner.struct.length) for owner in batches]
        made.append(_join(parts))
    return made


def column(given: Any, name: str) -> Column:
    """One array, or a stream of pieces of one."""
    schema, batches = _batches(given)
    return _join([_column(owner, schema.struct, owner.struct, name, 0, owner.struct.length) for owner in batches])
