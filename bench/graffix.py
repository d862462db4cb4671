#!/usr/bin/env python3
"""Tables 6 to 8 and Figures 7 to 9 of Graffix (Singh and Nasre, ICPP 2020): what its techniques gain, and what they
cost in accuracy, beside the same plan without them.

    bench/graffix.py rmat:20 uniform:20 road:1024 web.hdl --device cuda [--plans 'baseline;tigr-v+;auto']
        [--algorithms sssp,mst,scc,pr,bc] [--techniques 'coalesce;latency;divergence'] [--repeats 3] [--rows FILE]
    bench/graffix.py rmat:18 web.hdl --device cuda --sweep [--plans baseline] [--algorithms sssp,pr,bc]

A cell of the tables has how many times as fast the technique is, and the inaccuracy in percent as the text measures it;
the column of a plan has its milliseconds without it. The figures have both at several thresholds, as means over the
algorithms (of speed-ups the geometric one). Times are those of computing, medians, after a run that prepares; every
row is verified. --rows writes what heddle bench measured as JSON.
"""
import argparse
import json
import math
import os
import tempfile

import common

NUMBERS = {"coalesce": "Table 6", "latency": "Table 7", "divergence": "Table 8"}
FIGURES = {"coalesce": "Figure 7", "latency": "Figure 8", "divergence": "Figure 9"}
THRESHOLDS = ("0.2", "0.4", "0.6", "0.8")


def measure(options, graph, techniques):
    """The rows of heddle bench, by algorithm and plan."""
    plans = [plan + suffix for plan in options.plans.split(";") for suffix in [""] + techniques]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.json")
        common.run([common.HEDDLE, "bench", "--approximate", graph, "--device", options.device, "-a",
                    options.algorithms, "--plans", ";".join(plans), "--repeats", str(options.repeats), "--sources", "0",
                    "--quiet", "--output", path])
        with open(path) as file:
            rows = json.load(file)["rows"]
    for row in rows:
        if row.get("verified") is False:
            raise SystemExit(f"{graph}: {row['algorithm']} under {row['plan']} is wrong")
    return {(row["algorithm"], row["plan"]): row for row in rows}, rows


def median(rows, algorithm, plan):
    row = rows.get((algorithm, plan))
    return None if row is None or row.get("refused") else row["median"]


def off(rows, algorithm, plan):
    """The inaccuracy, in percent."""
    value = rows[algorithm, plan]["inaccuracy"]
    return "?" if value is None else "0" if value == 0 else f"{100 * value:.2g}"


def cell(rows, algorithm, plan, technique):
    exact, time = median(rows, algorithm, plan), median(rows, algorithm, plan + technique)
    if exact is None or time is None:
        return "refused"
    return f"{exact / time:.2f}, {off(rows, algorithm, plan + technique)} %"


def milliseconds(seconds):
    return "refused" if seconds is None else f"{1000 * seconds:.3g}"


def title(technique):
    name, *rest = technique.split("=", 1)[1].split(",")
    knobs = ",".join(rest)
    return NUMBERS.get(name, "Combined") + f": {name}" + (f" ({knobs})" if knobs else "")


def print_tables(options, found, techniques):
    plans, short = options.plans.split(";"), [os.path.basename(g).split(".")[0] for g in options.graphs]
    for technique in techniques:
        print(f"\n{title(technique)}\n\n| | graph | " + " | ".join(f"`{p}`, ms | times, off" for p in plans) + " |")
        print("|---|---|" + "---|---|" * len(plans))
        for algorithm in options.algorithms.split(","):
            for name, graph in zip(short, options.graphs):
                rows = found[graph]
                print(f"| {algorithm} | {name} | " + " | ".join(
                    f"{milliseconds(median(rows, algorithm, p))} | {cell(rows, algorithm, p, technique)}"
                    for p in plans) + " |")
        print("| geometric mean | | " + " | ".join(f" | {mean_of(options, found, p, technique)}" for p in plans) + " |")


def gains(options, rows, plan, technique):
    """Speed-ups and inaccuracies of all algorithms that take it."""
    pairs = []
    for algorithm in options.algorithms.split(","):
        exact, time = median(rows, algorithm, plan), median(rows, algorithm, plan + technique)
        if exact and time:
            pairs.append((exact / time, rows[algorithm, plan + technique]["inaccuracy"] or 0))
    return pairs


def mean_text(pairs):
    if not pairs:
        return "refused"
    speed = math.exp(sum(math.log(s) for s, _ in pairs) / len(pairs))
    return f"{speed:.2f}, {100 * sum(i for _, i in pairs) / len(pairs):.2g} %"


def mean_of(options, found, plan, technique):
    return mean_text([pair for rows in found.values() for pair in gains(options, rows, plan, technique)])


def print_figures(options, found):
    for name in options.techniques.split(";"):
        base = name.split(",")[0]
        print(f"\n{FIGURES.get(base, 'Combined')}: {name}\n\n| graph | plan | " + " | ".join(THRESHOLDS) + " |")
        print("|---|---|" + "---|" * len(THRESHOLDS))
        for graph in options.graphs:
            for plan in options.plans.split(";"):
                print(f"| {os.path.basename(graph).split('.')[0]} | `{plan}` | " + " | ".join(
                    mean_text(gains(options, found[graph], plan, f",graffix={name},graffix.threshold={t}"))
                    for t in THRESHOLDS) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--plans")
    parser.add_argument("--algorithms")
    parser.add_argument("--techniques", default="coalesce;latency;divergence")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--rows")
    options = parser.parse_args()
    options.plans = options.plans or ("baseline" if options.sweep else "baseline;tigr-v+;auto")
    options.algorithms = options.algorithms or ("sssp,pr,bc" if options.sweep else "sssp,mst,scc,pr,bc")
    ends = [f",graffix.threshold={t}" for t in THRESHOLDS] if options.sweep else [""]
    techniques = [f",graffix={name}{end}" for name in options.techniques.split(";") for end in ends]
    found, all_rows = {}, []
    for graph in options.graphs:
        found[graph], rows = measure(options, graph, techniques)
        all_rows += rows
    if options.rows:
        with open(options.rows, "w") as file:
            json.dump(all_rows, file)
    if options.sweep:
        print_figures(options, found)
    else:
        print_tables(options, found, techniques)


if __name__ == "__main__":
    main()
