"""Results without their graph: what copies and pickles of results are."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import Array
from ._result import Report, Result
from .errors import VertexError, argument

_FIELDS = ("values", "parents", "edges", "weights", "labels", "report")


def state_of(result: Result) -> dict[str, Any]:
    """All that a copy of a result has."""
    state = {name: getattr(result, name) for name in _FIELDS}
    state.update({name: np.array(state[name]) for name in ("values", "parents", "edges", "weights")
                  if state[name] is not None})
    state["report"] = dict(result.report)
    state.update(ids=result.graph.ids_list(), walks=result._walks, forest=result._forest(), each=result._each,
                 sources=result._sources, finite=result._finite() if result.values.ndim == 1 else None,
                 text=repr(result), count=len(result))
    return state


class _Ids:
    """The part of a graph that its results ask for."""
    _nodes = None

    def __init__(self, ids: list[Any], edges: int) -> None:
        self._list, self.vertices, self.edges = ids, len(ids), edges
        self._numbers: dict[Any, int] = dict(zip(ids, range(len(ids))))

    @property
    def ids(self) -> Array:
        made = np.empty(len(self._list), object)
        made[:] = self._list
        return made if any(not isinstance(one, int) for one in self._list) else np.array(self._list)

    def ids_list(self) -> list[Any]:
        return self._list

    def id_of(self, vertex: int) -> Any:
        return self._list[vertex]

    def ids_of(self, vertices: Any) -> list[Any]:
        return [self._list[vertex] for vertex in vertices]

    def vertex_of(self, vertex: Any) -> int:
        if vertex not in self._numbers:
            raise VertexError(f"no vertex has the id {vertex!r}")
        return self._numbers[vertex]


class StoredResult(Result):
    """A result that has values, report and ids of its own, and no graph."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._state = state
        self.graph: Any = _Ids(state["ids"], state["report"]["graph"]["edges"])
        self._sources, self._each = state["sources"], state["each"]
        for name in ("values", "parents", "edges", "weights"):
            if state[name] is not None:
                state[name].flags.writeable = False

    def __reduce__(self) -> Any:
        return StoredResult, (self._state,)

    @property
    def values(self) -> Array:
        return self._state["values"]  # type: ignore[no-any-return]

    @property
    def parents(self) -> Optional[Array]:
        return self._state["parents"]  # type: ignore[no-any-return]

    @property
    def edges(self) -> Array:
        return self._state["edges"]  # type: ignore[no-any-return]

    @property
    def weights(self) -> Optional[Array]:
        return self._state["weights"]  # type: ignore[no-any-return]

    @property
    def labels(self) -> bool:
        return bool(self._state["labels"])

    @property
    def report(self) -> Report:
        return Report(self._state["report"])

    @property
    def converged(self) -> bool:
        return bool(self._state["report"]["converged"])

    def __len__(self) -> int:
        return int(self._state["count"])

    @property
    def _walks(self) -> bool:
        return bool(self._state["walks"])

    def _forest(self) -> bool:
        return bool(self._state["forest"])

    def _finite(self) -> Array:
        return self._state["finite"]  # type: ignore[no-any-return]

    def save(self, path: Any) -> None:
        raise argument("save: a copy of a result has no graph, which files need: save the result itself, or use "
                       "to_pandas()")

    def __repr__(self) -> str:
        return str(self._state["text"])
