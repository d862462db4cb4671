#!/usr/bin/env python3
"""Loading and algorithms, timed on this machine, beside GAP, igraph and LAGraph where they are there.

    bench/run.py [--part load|algorithms|compare|peers|busy|all] [--scales 18,20 | --graphs kron18,road20] [--threads 2]
                 [--repeats 5] [--gap FOLDER] [--lagraph FOLDER] [--sources 2] [--limit SECONDS] [--save FILE]

GAP: --gap (or $GAPBS) names a folder with the built programs of the GAP benchmark suite (bfs, sssp, cc, pr, bc).
igraph: when Python can import it. LAGraph: --lagraph (or $LAGRAPH) names its source folder, with the library in build/.
Graphs are generated under build/bench and kept. --save writes all figures as JSON with machine, date and commit.

load, algorithms: every figure is the best of the repeats, since other work on a machine only ever adds time.
compare: bfs, sssp, cc, pr and bc on Kronecker, uniform and road-like graphs. Heddle and GAP take turns, process by
process, on the same files with the same threads; ratios are GAP's time over Heddle's, of the best and of the median
turn. The whole comparison, about a quarter of an hour on two cores:

    bench/run.py --part compare --scales 18,20,22 --threads 2 --repeats 5 --gap FOLDER

peers: from a text file to the result (bfs, sssp, cc, pr), and in memory (bc as well), Heddle by turns with each of GAP,
igraph and LAGraph that is there, from one source; tables in Markdown (bench/peers.py says what is counted):

    bench/run.py --part peers --graphs kron18,kron20,urand20,road20 --repeats 3 --limit 30 --gap FOLDER --lagraph FOLDER

busy: the same algorithms beside --busy processes that only keep CPUs busy: one thread, as many as Heddle chooses, GAP.

    bench/run.py --part busy --scales 18 --busy 10 --repeats 3 --gap FOLDER

Heddle's results are verified, in compare and peers in the first turn; peers' distances and components are compared with
Heddle's there. --limit ends the turns after that many seconds per graph, at least one is taken.
"""
import argparse
import datetime
import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import time

from common import (GENERATED, HEDDLE, HERE, TIMER, TRIALS, WITH_SOURCE, WORK, convert, gap_runs, graphs, make,
                    pick_sources, plain_list, run, table)
from busy import bench_busy
from peers import bench_peers

GAP_ALGORITHMS = ["bfs", "sssp", "cc", "pr", "bc"]


def peak_of(command):
    """Peak resident MB and output of a command, measured in a child of its own."""
    script = ("import resource, subprocess, sys\n"
              "done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\nprint(done.stdout)")
    first, _, rest = run([sys.executable, "-c", script] + command).partition("\n")
    return int(first) / 1024, rest


def machine():
    model = "unknown"
    with open("/proc/cpuinfo") as cpus:
        for line in cpus:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    commit = subprocess.run(["git", "-C", HERE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return {"cpu": model, "cores": os.cpu_count(), "system": platform.platform(),
            "date": datetime.date.today().isoformat(), "commit": commit.stdout.strip(),
            "command": " ".join(sys.argv)}


# ---- Loading ---------------------------------------------------------------------------------------------------------

def heddle_load(path, threads, options):
    command = [HEDDLE, "convert", path, os.path.join(WORK, "loaded.hdl"), "--json", "--quiet",
               "--threads", str(threads)] + options
    peak, text = peak_of(command)
    return json.loads(text)["phases"]["load"], peak


def gap_load(folder, path, threads):
    command = [os.path.join(folder, "bfs"), "-sf", plain_list(path) if path.endswith(".el") else path, "-n", "1"]
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    text = run(command, env=environment)
    return sum(float(value) for value in re.findall(r"(?:Read|Build) Time:\s+([0-9.]+)", text))


def igraph_load(path):
    try:
        import igraph
    except ImportError:
        return None
    plain = plain_list(path)
    start = time.perf_counter()
    igraph.Graph.Read_Edgelist(plain, directed=False)
    return time.perf_counter() - start


def bench_load(options):
    rows, record = [], []
    for scale in options.scales:
        base = make(f"list{scale}", ["rmat", "--scale", str(scale), "--degree", "16"], ".hdl",
                    ["--dedup", "--no-loops"])
        files = [convert(base, f"list{scale}{suffix}") for suffix in (".el", ".mtx", ".gr", ".el.gz", ".el.zst")]
        for path in files + [base]:
            size = os.path.getsize(path) / 1e6
            for extra in ([], ["--symmetrize"]):
                if path == base and extra:
                    continue
                best, peak, gap = float("inf"), 0, float("inf")
                for _ in range(options.repeats):
                    seconds, rss = heddle_load(path, options.threads, extra)
                    best, peak = min(best, seconds), max(peak, rss)
                    if options.gap and extra and path.endswith((".el", ".mtx")):
                        gap = min(gap, gap_load(options.gap, path, options.threads))
                other = igraph_load(path) if path.endswith(".el") and extra else None
                record.append({"file": os.path.basename(path), "megabytes": size, "symmetrize": bool(extra),
                               "heddle_seconds": best, "peak_rss_mb": peak,
                               "gap_seconds": None if gap == float("inf") else gap, "igraph_seconds": other})
                rows.append([os.path.basename(path) + (" +sym" if extra else ""), f"{size:.0f}", f"{best:.3f}",
                             f"{size / best:.0f}", f"{peak:.0f}",
                             "-" if gap == float("inf") else f"{gap:.2f} ({gap / best:.1f}x)",
                             "-" if other is None else f"{other:.2f} ({other / best:.1f}x)"])
                print("  ".join(rows[-1]), file=sys.stderr)
    table("Loading: file to finished CSR (best of repeats)",
          ["file", "MB", "seconds", "MB/s", "peak MB", "GAP s (ratio)", "igraph s (ratio)"], rows)
    return record


# ---- Algorithms ------------------------------------------------------------------------------------------------------

def heddle_times(path, names, sources, options):
    """(best, median) milliseconds by (algorithm, source)."""
    command = [TIMER, path, "-t", str(options.threads), "-n", str(options.repeats)]
    for source in sources:
        command += ["-s", str(source)]
    times = {}
    for line in run(command + names).splitlines():
        name, source, best, median = line.split("\t")[:4]
        times.setdefault(name, []).append((float(best), float(median)))
    return {name: (sum(b for b, _ in each) / len(each), sum(m for _, m in each) / len(each))
            for name, each in times.items()}


def gap_times(name, plain, weighted, sources, options):
    each = [min(gap_runs(name, plain, weighted, source, options.repeats, options))
            for source in (sources if name in WITH_SOURCE else sources[:1])]
    return sum(each) / len(each)


def bench_algorithms(options):
    rows, record = [], []
    names = ["bfs", "sssp", "sswp", "cc", "pr", "bc", "scc", "mst"]
    for name, kind in graphs(options):
        path = make(name, kind, ".hdl", GENERATED)
        sources = pick_sources(path, options.sources)
        ours = heddle_times(path, names, sources, options)
        peers = {}
        if options.gap:
            plain, weighted = convert(path, name + ".sg"), convert(path, name + ".wsg")
            for each in GAP_ALGORITHMS:
                peers[each] = gap_times(each, plain, weighted, sources, options)
                again = heddle_times(path, [each], sources, options)[each]
                ours[each] = min(ours[each], again)
        for each in names:
            best, median = ours[each]
            gap = peers.get(each)
            record.append({"graph": name, "algorithm": each, "best_ms": best, "median_ms": median, "gap_ms": gap})
            rows.append([f"{name} {each}", f"{best:.1f}", f"{median:.1f}", "-" if gap is None else f"{gap:.1f}",
                         "-" if gap is None else f"{gap / best:.2f}"])
    table("Algorithms (milliseconds, verified; source algorithms: mean over two sources of each one's best)",
          ["graph, algorithm", "best", "median", "GAP best", "GAP / ours"], rows)
    return record


# ---- Turns with GAP --------------------------------------------------------------------------------------------------

def one_turn(path, plain, weighted, sources, first, options, times):
    """One process of Heddle and one of GAP per algorithm and source; times[algorithm, source] = (ours, gap)."""
    for name in GAP_ALGORITHMS:
        for source in sources if name in WITH_SOURCE else sources[:1]:
            ours, gap = times.setdefault((name, source), ([], []))
            line = run([TIMER, path, "-t", str(options.threads), "-n", str(TRIALS), "-v", "1" if first else "0",
                        "-s", source, name])
            ours.append(float(line.split("\t")[2]))
            gap.append(min(gap_runs(name, plain, weighted, source, TRIALS, options)))


def compare_graph(name, kind, options):
    """Rows of (algorithm, our best, our median, GAP's best, GAP's median), means over the sources; turns taken."""
    path = make(name, kind, ".hdl", GENERATED)
    plain, weighted = convert(path, name + ".sg"), convert(path, name + ".wsg")
    sources, times, turns, start = pick_sources(path, options.sources), {}, 0, time.monotonic()
    while turns < options.repeats and (turns == 0 or time.monotonic() - start < options.limit):
        one_turn(path, plain, weighted, sources, turns == 0, options, times)
        turns += 1
    rows = []
    for each in GAP_ALGORITHMS:
        mine = [pair for (algorithm, _), pair in times.items() if algorithm == each]
        figures = [statistics.mean(function(pair[who]) for pair in mine)
                   for who in (0, 1) for function in (min, statistics.median)]
        rows.append([each] + figures)
    return rows, turns


def bench_compare(options):
    if not options.gap:
        sys.exit("compare: --gap FOLDER or $GAPBS must name the built programs of the GAP benchmark suite")
    cells, record = [], []
    for name, kind in graphs(options):
        rows, turns = compare_graph(name, kind, options)
        ratios = []
        for each, best, median, gap_best, gap_median in rows:
            record.append({"graph": name, "algorithm": each, "turns": turns, "best_ms": best, "median_ms": median,
                           "gap_best_ms": gap_best, "gap_median_ms": gap_median})
            ratios.append(f"{gap_best / best:.2f} {gap_median / median:.2f} ({best:.1f})")
        cells.append([name, turns] + ratios)
        print("  ".join(str(cell) for cell in cells[-1]), file=sys.stderr)
    table(f"GAP's time / Heddle's, {options.threads} threads: best, median (Heddle's best, milliseconds)",
          ["graph", "turns"] + GAP_ALGORITHMS, cells)
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=["load", "algorithms", "compare", "peers", "busy", "all"], default="all")
    parser.add_argument("--scales", default="18", help="comma-separated; vertices are 2^scale")
    parser.add_argument("--graphs", help="comma-separated, instead of --scales: kron, urand or road, and a scale")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--gap", default=os.environ.get("GAPBS"), help="folder of the built GAP programs")
    parser.add_argument("--lagraph", default=os.environ.get("LAGRAPH"), help="LAGraph, its library in build/")
    parser.add_argument("--sources", type=int, default=2, help="how many, for bfs, sssp, sswp and bc")
    parser.add_argument("--limit", type=float, default=float("inf"), help="compare, peers: seconds per graph")
    parser.add_argument("--busy", type=int, default=10, help="busy: how many processes")
    parser.add_argument("--save", help="JSON file for the figures")
    options = parser.parse_args()
    options.scales = [int(scale) for scale in options.scales.split(",")]
    options.graphs = options.graphs and options.graphs.split(",")
    os.makedirs(WORK, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    record = {"machine": machine(), "threads": options.threads, "repeats": options.repeats}
    print("machine: {cpu}, {cores} cores, {date}, commit {commit}".format(**record["machine"]))
    if options.part in ("load", "all"):
        record["load"] = bench_load(options)
    if options.part in ("algorithms", "all"):
        record["algorithms"] = bench_algorithms(options)
    if options.part == "compare":
        record["compare"] = bench_compare(options)
    if options.part == "peers":
        record["peers"] = bench_peers(options)
    if options.part == "busy":
        record["busy"] = bench_busy(options)
    if options.save:
        with open(options.save, "w") as out:
            json.dump(record, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
