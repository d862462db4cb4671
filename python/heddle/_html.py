"""What notebooks show of graphs and results: a small table and inline SVG, without scripts."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

if TYPE_CHECKING:
    from ._graph import Graph
    from ._result import Report, Result

_WIDTH, _HEIGHT = 360, 90
#: Fields of a report that are seconds; the first ones follow each other in a run.
_PHASES = ("transforming", "prepare", "compile", "transfer", "compute")
_SECONDS = (*_PHASES, "pinning", "packing", "disk_reading")


def _table(rows: Sequence[tuple[str, Any]]) -> str:
    cells = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                    f"<td style='text-align:right'>{html.escape(str(value))}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"


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
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else str(value)


def of_graph(graph: "Graph") -> str:
    if graph.closed:
        return "<b>heddle.Graph</b>, closed"
    degrees = np.diff(graph.out_edges()[0])
    bins = np.bincount(np.where(degrees > 0, np.floor(np.log2(np.maximum(degrees, 1))) + 1, 0).astype(np.int64))
    titles = [("degree 0" if k == 0 else f"degree {2 ** (k - 1)} to {2 ** k - 1}") + f": {count:,} vertices"
              for k, count in enumerate(bins.tolist())]
    kind = graph.weight_type
    rows = [("vertices", _number(graph.vertices)), ("edges", _number(graph.edges)),
            ("directed", "yes" if graph.directed else "no"), ("weights", "none" if kind is None else kind.name),
            ("largest out-degree", _number(int(degrees.max()) if len(degrees) else 0))]
    return "<b>heddle.Graph</b>" + _table(rows) + bars(np.log1p(bins).tolist(), titles,
                                                       "vertices by out-degree (powers of two, logarithmic)")


def of_result(result: "Result") -> str:
    report = result.report
    rows = [("device", report["device"]), ("rounds", _number(report["iterations"])),
            ("compute", _time(report["compute"])), ("edges visited", _number(report["edges_walked"]))]
    rows += [(name, _number(value)) for name, value in report["summary"].items()]
    return f"<b>heddle.Result</b> {html.escape(report['algorithm'])}" + _table(rows) + _rounds(report)


def of_report(report: "Report") -> str:
    """Every figure that is known, and where the time went: by phase, and by round."""
    graph, phases = report["graph"], [name for name in _PHASES if report.get(name)]
    rows = [("graph", f"{graph['vertices']:,} vertices, {graph['edges']:,} edges")]
    rows += [(name, _time(value) if name in _SECONDS else _number(value)) for name, value in report.items()
             if name not in ("algorithm", "size") and not isinstance(value, (dict, list)) and (value or value is False)]
    rows += [(name, _number(value)) for name, value in report["summary"].items()]
    rows += [("note", note) for note in report["notes"]]
    return (f"<b>heddle.Report</b> {html.escape(report['algorithm'])}" + _table(rows) +
            bars([report[name] for name in phases], [f"{name}: {_time(report[name])}" for name in phases],
                 "time of each phase: " + ", ".join(phases)) + _rounds(report))


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"


def _rounds(report: "Report") -> str:
    rounds = report["rounds"]
    titles = [f"round {one['number']}: {one['kernel']}, {_time(one['seconds'])}, "
              f"{'?' if one['edges'] is None else format(one['edges'], ',')} edges" for one in rounds]
    return bars([one["seconds"] for one in rounds], titles, "time of each round")
