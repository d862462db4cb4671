"""Graphs and results in notebooks: a small table and inline SVG, without scripts."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ._arrays import Array
from ._result import duration

if TYPE_CHECKING:
    from ._graph import Graph
    from ._result import Report, Result

_WIDTH, _HEIGHT = 360, 90
#: Fields of a report that are seconds; the first ones follow each other in a run.
_PHASES = ("transforming", "prepare", "compile", "transfer", "compute")
_SECONDS = (*_PHASES, "pinning", "packing", "disk_reading")
#: Of a result: the largest values that are shown, and the bars of their distribution.
_TOP, _BINS = 10, 24


def _table(rows: Sequence[tuple[Any, ...]], titles: Sequence[str] = ()) -> str:
    """Rows of a name and what belongs to it; titles stand above the columns."""
    cells = "".join(f"<tr><th style='text-align:left'>{html.escape(str(name))}</th>" +
                    "".join(f"<td style='text-align:right'>{html.escape(str(value))}</td>" for value in values) +
                    "</tr>" for name, *values in rows)
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    return f"<table>{head and f'<tr>{head}</tr>'}{cells}</table>"


def bars(values: Sequence[float], titles: Sequence[str], caption: str) -> str:
    """A bar for each value, its title shown by the browser when the pointer is on it."""
    if not len(values):
        return ""
    largest = max(max(values), 1e-300)
    step = _WIDTH / len(values)
    parts = []
    for k, (value, title) in enumerate(zip(values, titles)):
        tall = _HEIGHT * value / largest
        parts.append(f"<rect x='{k * step:.2f}' y='{_HEIGHT - tall:.2f}' width='{max(step - 1, step * 0.8):.2f}' "
                     f"height='{tall:.2f}' fill='#4878a8'><title>{html.escape(title)}</title></rect>")
    return (f"<figure style='margin:0.5em 0'><svg width='{_WIDTH}' height='{_HEIGHT}' role='img' "
            f"viewBox='0 0 {_WIDTH} {_HEIGHT}'>{''.join(parts)}</svg>"
            f"<figcaption style='font-size:85%'>{html.escape(caption)}</figcaption></figure>")


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if 1e5 <= abs(value) < 1e15 else f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def of_graph(graph: "Graph") -> str:
    if graph.closed:
        return "<b>heddle.Graph</b>, closed"
    degrees = np.diff(graph.out_edges()[0])
    bins = np.bincount(np.where(degrees > 0, np.floor(np.log2(np.maximum(degrees, 1))) + 1, 0).astype(np.int64))
    titles = [("degree 0" if k == 0 else f"degree {2 ** (k - 1)} to {2 ** k - 1}") + f": {count:,} vertices"
              for k, count in enumerate(bins.tolist())]
    kind = graph.weight_type
    rows = [("vertices", _number(graph.vertices)), ("edges", graph._edge_words()),
            ("directed", "yes" if graph.directed else "no"), ("weights", "none" if kind is None else kind.name),
            ("largest out-degree", _number(int(degrees.max()) if len(degrees) else 0))]
    return "<b>heddle.Graph</b>" + _table(rows) + bars(np.log1p(bins).tolist(), titles,
                                                       "vertices by out-degree (powers of two, logarithmic)")


def of_result(result: "Result") -> str:
    """The findings first, then how they were computed."""
    report = result.report
    rows = [("device", report["device"]), ("rounds", _number(report["iterations"])),
            ("converged", _number(report["converged"])), ("approximate", _number(report["approximate"])),
            ("compute", duration(report["compute"])), ("edges visited", _number(report["edges_walked"]))]
    rows += [(name, _number(value)) for name, value in report["summary"].items()]
    return f"<b>heddle.Result</b> {html.escape(report['algorithm'])}" + _found(result) + _table(rows) + _rounds(report)


def _found(result: "Result") -> str:
    """The largest values and their distribution; of components and communities those of their sizes."""
    if result._forest():
        return _of_edges(result)
    values = result.values
    if values.ndim != 1 or not values.size:  # a row for each source, or each walk
        return ""
    top = [(name, _number(value)) for name, value in result.top(_TOP)]
    if result.labels:
        sizes = np.unique(values, return_counts=True)[1]
        return _table(top, ("group", "vertices")) + _distribution(sizes, "groups", "size")
    return _table(top, ("id", "value")) + _distribution(values[result._finite()], "vertices", "value")


def _of_edges(result: "Result") -> str:
    ends, weights = result.edges, result.weights
    if weights is None or not len(weights):
        return ""
    chosen = np.argsort(-weights.astype(np.float64), kind="stable")[:_TOP]
    ids = result.graph.ids_of
    rows = zip(ids(ends[chosen, 0].tolist()), ids(ends[chosen, 1].tolist()), map(_number, weights[chosen].tolist()))
    return _table(list(rows), ("source", "target", "weight")) + _distribution(weights, "edges", "weight")


def _distribution(given: Array, things: str, what: str) -> str:
    """How many have which values: bars for ranges of equal width, or, where values are far apart, of equal ratio; zeros
    have a bar of their own then."""
    if not given.size:
        return ""
    whole, values = given.dtype.kind in "iu", given.astype(np.float64)
    low, high = float(values.min()), float(values.max())
    positive = values[values > 0]
    apart = low >= 0 and high > 0 and high > 100 * positive.min()
    shown = positive if apart else values
    first, spaced = float(shown.min()), np.geomspace if apart else np.linspace
    if whole:  # ranges end before the next one's first integer
        edges = np.unique(np.floor(spaced(first, high + 1, int(min(_BINS, high - first + 1)) + 1)))
    else:
        edges = spaced(first, high, min(_BINS, len(shown)) + 1)
    counts = np.histogram(shown, edges)[0].tolist()
    names = [_range(start, end, whole) for start, end in zip(edges.tolist(), edges[1:].tolist())]
    if apart and low == 0:
        counts, names = [len(values) - len(positive), *counts], ["0", *names]
    titles = [f"{what} {name}: {_number(count)}" for name, count in zip(names, counts)]
    return bars(np.log1p(counts).tolist(), titles,
                f"{things} by {what}, from {_number(given.min().item())} to {_number(given.max().item())} "
                "(heights logarithmic)")


def _range(start: float, end: float, whole: bool) -> str:
    if whole:
        return f"{start:,.0f}" if start + 1 >= end else f"{start:,.0f} to {end - 1:,.0f}"
    return f"{_number(start)} to {_number(end)}"


def of_report(report: "Report") -> str:
    """Every figure that is known, and where the time went: by phase, and by round."""
    graph, phases = report["graph"], [name for name in _PHASES if report.get(name)]
    rows = [("graph", f"{graph['vertices']:,} vertices, {graph['edges']:,} edges")]
    rows += [(name, duration(value) if name in _SECONDS else _number(value)) for name, value in report.items()
             if name not in ("algorithm", "size") and not isinstance(value, (dict, list)) and (value or value is False)]
    rows += [(name, _number(value)) for name, value in report["summary"].items()]
    rows += [("note", note) for note in report["notes"]]
    return (f"<b>heddle.Report</b> {html.escape(report['algorithm'])}" + _table(rows) +
            bars([report[name] for name in phases], [f"{name}: {duration(report[name])}" for name in phases],
                 "time of each phase: " + ", ".join(phases)) + _rounds(report))


def _rounds(report: "Report") -> str:
    rounds = report["rounds"]
    if len(rounds) < 2:
        return ""
    titles = [f"round {one['number']}: {one['kernel']}, {duration(one['seconds'])}, "
              f"{'?' if one['edges'] is None else format(one['edges'], ',')} edges" for one in rounds]
    return bars([one["seconds"] for one in rounds], titles, "time of each round")
