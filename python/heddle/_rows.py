"""Compressed sparse rows from what users have: laid out as the library wants them, and what is wrong with them."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import Array, native
from .errors import ArgumentError, argument


def row_numbers(offsets: Array) -> Array:
    places: Any = offsets.astype(np.int64)
    return np.repeat(np.arange(len(offsets) - 1), places[1:] - places[:-1])


def sorted_rows(offsets: Array, targets: Array, values: Optional[Array],
                by_weight: bool) -> tuple[Array, Optional[Array]]:
    """Targets and weights, ascending in each row. `by_weight`: parallel arcs too, so that each meets its reverse."""
    keys = (targets, row_numbers(offsets))
    order = np.lexsort(keys if values is None or not by_weight else (values, *keys))
    return targets[order], None if values is None else values[order]


def check_rows(offsets: Array, edges: int) -> None:
    """Checks before rows are taken apart."""
    if int(offsets[0]) != 0 or int(offsets[-1]) != edges:
        raise argument(f"indptr: it begins with {int(offsets[0])} and ends with {int(offsets[-1])}, "
                       f"not with 0 and the number of indices, {edges}")
    steps = np.diff(offsets.astype(np.int64))
    if len(steps) and int(steps.min()) < 0:
        raise argument(f"indptr: it decreases after element {int(np.argmax(steps < 0))}")


def laid_out(array: Array, copy: bool) -> Array:
    """Contiguous, native and of 32 or 64 bits; the same array if possible."""
    if array.dtype.itemsize not in (4, 8):
        array = array.astype("i8")
    made = native(array)
    return made.copy() if copy else made


def narrow(targets: Array, vertices: int, copy: bool) -> Array:
    """Indices of 32 bits; others are checked first, as narrowing would hide what is out of range."""
    if targets.dtype.itemsize == 4:
        return laid_out(targets, copy)
    _check_indices(targets, vertices)
    return targets.astype(np.uint32)


def _check_indices(targets: Array, vertices: int) -> None:
    if targets.size:
        low, high = int(targets.min()), int(targets.max())
        if low < 0 or high >= vertices:
            odd = low if low < 0 else high
            where = int(np.argmax(targets == odd))
            raise argument(f"indices: element {where} is {odd}, which is no vertex: there are {vertices}") from None


def _check_finite(values: Optional[Array]) -> None:
    if values is not None and values.dtype.kind == "f" and not np.isfinite(values).all():
        where = int(np.argmin(np.isfinite(values)))
        raise argument(f"weights: element {where} is {values[where]}, and weights have to be finite") from None


def only_unsorted(offsets: Array, targets: Array, values: Optional[Array], vertices: int) -> bool:
    """Whether rows that were refused are right, but for their order. Says what is wrong with an element."""
    try:
        check_rows(offsets, len(targets))
    except ArgumentError:
        return False
    _check_indices(targets, vertices)
    _check_finite(values)
    falls = np.flatnonzero(targets[1:].astype(np.int64) < targets[:-1]) + 1
    return bool(np.setdiff1d(falls, offsets).size)
